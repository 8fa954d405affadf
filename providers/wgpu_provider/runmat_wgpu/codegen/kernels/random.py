"""Draws of the random stream inside kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runmat_core.api.ir import Instr
from runmat_wgpu.codegen.shader import DeclinedError

if TYPE_CHECKING:
    from runmat_wgpu.codegen.kernels.emit import Body


def emit(body: Body, instr: Instr) -> tuple[str, ...]:
    """Names of a random element, one for each lane."""
    raise DeclinedError("random")
