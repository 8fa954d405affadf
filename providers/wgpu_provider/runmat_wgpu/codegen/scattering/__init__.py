"""Library calls whose results lie, or are as large, as elements say: masks, places, bins."""

from __future__ import annotations

from typing import Any

from runmat_core.api.ir import COMPLEX, LibraryCall, Unit
from runmat_wgpu.codegen.scattering.counting import histogram
from runmat_wgpu.codegen.scattering.groups import accumulate
from runmat_wgpu.codegen.scattering.masks import compact, expand
from runmat_wgpu.codegen.scattering.writes import scatter
from runmat_wgpu.codegen.shader import STORED_BYTES, DeclinedError, Target, Template

#: What makes the template of a call: ``make(call, target, threads)``.
_MADE: dict[str, Any] = {
    "accumulate": accumulate,
    "compact": compact,
    "expand": expand,
    "histogram": histogram,
    "scatter": scatter,
}


def template(unit: Unit, target: Target) -> Template:
    """Return the template of a call.

    Raises:
        DeclinedError: it has an epilogue, or its types are not what the call means or not the
            device's.
    """
    assert isinstance(unit, LibraryCall)
    types = set(unit.dtypes)
    if unit.epilogue is not None or not types <= STORED_BYTES.keys() - COMPLEX:
        raise DeclinedError(f"{unit.name} of {', '.join(unit.dtypes)}")
    if "f64" in types and not target.f64:
        raise DeclinedError("no doubles on this device")
    threads = 256 if target.invocations >= 256 and target.workgroup_bytes >= 16384 else 64
    made: Template = _MADE[unit.name](unit, target, threads)
    return made
