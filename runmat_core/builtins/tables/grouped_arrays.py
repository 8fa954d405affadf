"""Statistics of groups of the rows of arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runmat_core.api.errors import MatlabError, not_enough_inputs, undefined_for
from runmat_core.api.interp import Interp
from runmat_core.builtins.tables.grouping import as_column, groupsummary
from runmat_core.values import class_of, horzcat, index
from runmat_core.values.base import COLON
from runmat_core.values.cell import CellArray, object_array
from runmat_core.values.char import CharArray
from runmat_core.values.indexing import size_of
from runmat_core.values.tables.frame import height_of
from runmat_core.values.tables.table import Table


def summary(a: Any, groups: Any, args: tuple[Any, ...], nargout: int, interp: Interp) -> Any:
    """``[B, BG, BC] = groupsummary(A, groups, method, …)``, by way of a table of the columns."""
    if not args or class_of(a) in ("struct", "function_handle"):
        raise not_enough_inputs() if not args else undefined_for("groupsummary", class_of(a))
    several = isinstance(groups, CellArray) and not all(
        isinstance(v, CharArray) for v in groups.items()
    )
    parts = list(groups.items()) if several else [groups]
    by = [column for part in parts for column in _columns(as_column(part))]
    data = _columns(as_column(a))
    if len({height_of(column) for column in (*by, *data)}) > 1:
        raise MatlabError(
            "MATLAB:groupsummary:InvalidGroupVars", "Groups and data must have as many rows."
        )
    names, values = [f"g{k}" for k in range(len(by))], [f"x{k}" for k in range(len(data))]
    table = Table.of(dict(zip((*names, *values), (*by, *data), strict=True)))
    found = groupsummary(table, _cell_of(names), *args, interp=interp)
    names = list(found.names[: len(names)])  # bins have names of their own
    left = [n for n in found.names if n not in (*names, "GroupCount")]
    made = horzcat(*(found.column(n) for n in left))
    of_groups = [found.column(n) for n in names]
    keys = (
        of_groups[0]
        if len(of_groups) == 1
        else CellArray(object_array(of_groups, (1, len(of_groups))))
    )
    outputs = (made, keys, found.column("GroupCount"))
    return outputs[:nargout] if nargout > 1 else made


def _columns(value: Any) -> list[Any]:
    """The columns of an array."""
    count = 1 if isinstance(value, CharArray) else size_of(value)[1]
    return [value] if count == 1 else [index(value, (COLON, k + 1.0)) for k in range(count)]


def _cell_of(names: Sequence[str]) -> CellArray:
    return CellArray(object_array([CharArray(name) for name in names], (1, len(names))))
