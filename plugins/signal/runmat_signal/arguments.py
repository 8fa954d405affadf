"""How the builtins read their arguments, with the identifiers of the toolbox."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api import MatlabError
from runmat_core.api.arguments import Data, Reader, first_axis, given, like

__all__ = [
    "Data",
    "first_axis",
    "floating",
    "given",
    "integer",
    "like",
    "named_options",
    "one_of",
    "real",
    "scalar",
    "split",
    "vector",
]

_READ = Reader("signal")
floating = _READ.floating
real = _READ.real
vector = _READ.vector
scalar = _READ.scalar
integer = _READ.integer
one_of = _READ.one_of
named_options = _READ.options


def split(args: Sequence[Any]) -> tuple[list[Any], list[str]]:
    """The arguments that are arrays, and the texts."""
    plain = [arg for arg in args if not isinstance(arg, str)]
    if not all(isinstance(arg, np.ndarray) for arg in plain):
        raise MatlabError("signal:invalidInput", "Arguments must be numbers or texts.")
    return plain, [arg for arg in args if isinstance(arg, str)]
