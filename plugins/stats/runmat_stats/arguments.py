"""How the builtins read their arguments, with the identifiers of the toolbox."""

from __future__ import annotations

from runmat_core.api.arguments import Data, Reader, first_axis, given, like

__all__ = [
    "Data",
    "axes_of",
    "first_axis",
    "floating",
    "given",
    "integer",
    "like",
    "named_options",
    "one_of",
    "real",
    "scalar",
]

_READ = Reader("stats")
floating = _READ.floating
real = _READ.real
scalar = _READ.scalar
integer = _READ.integer
one_of = _READ.one_of
axes_of = _READ.axes
named_options = _READ.options
