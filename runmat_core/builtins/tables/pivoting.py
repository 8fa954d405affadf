"""Tables of what groups have in common: pivot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.named import choice
from runmat_core.builtins.tables.bins import with_bins
from runmat_core.builtins.tables.grouping import below, group_rows, grouped, methods
from runmat_core.builtins.tables.shaping import label_texts
from runmat_core.builtins.tables.support import (
    chosen_in,
    flag,
    names_in,
    new_names,
    split_pairs,
    table_of,
)
from runmat_core.values import char, class_of, from_numpy, text
from runmat_core.values.classes import DTYPE
from runmat_core.values.handle import FunctionHandle
from runmat_core.values.tables.frame import Rows, missing_like, take_rows
from runmat_core.values.tables.table import Table

_OPTIONS = (
    *("Columns", "Rows", "DataVariable", "Method", "ColumnsBinMethod", "RowsBinMethod"),
    *("IncludeMissingGroups", "IncludedEdge", "OutputFormat", "RowLabelPlacement"),
)
#: What groups without rows count.
_ZERO = ("count", "percentage", "sum", "nnz", "nummissing", "numunique")


@builtin("pivot", family="tables/shaping", nargin=(1, None), needs=("interp",))
def pivot(t: Any, *args: Any, interp: Interp) -> Any:
    """Table of counts or statistics of the rows that groups have in common.

    P = pivot(T, Columns=vars), P = pivot(T, Rows=vars), P = pivot(T, Columns=vars, Rows=vars)
    P = pivot(…, DataVariable=var, Method=how): 'count' (the default without data), 'percentage',
    'sum' (the default of numbers), another method of groupsummary, or a function handle
    P = pivot(…, ColumnsBinMethod=bins, RowsBinMethod=bins): bins as groupsummary has them
    P = pivot(…, RowLabelPlacement='rownames', OutputFormat='flat', IncludeMissingGroups=false)

    Variables of several groups of columns are nested in each other, unless the format is flat.

    Examples:
        >> T = table({'a'; 'b'; 'a'}, [1; 1; 2], [10; 20; 30], 'VariableNames', {'g', 'k', 'x'});
        >> pivot(T, Columns='g', Rows='k', DataVariable='x')
        ans =
          2×3 table
            k    a     b
            _    __    __
            1    10    20
            2    30     0

    See also: groupsummary, unstack, stack.
    """
    table = table_of("pivot", t)
    plain, options = split_pairs(args, _OPTIONS)
    if plain or not ("Columns" in options or "Rows" in options):
        raise MatlabError("MATLAB:pivot:NoGroups", "Specify 'Columns', 'Rows', or both.")
    missing = flag(options.get("IncludeMissingGroups", True))
    parts = []
    for which in ("Rows", "Columns"):
        names = chosen_in(table, options, which) if which in options else []
        bins = options.get(f"{which}BinMethod")
        if bins is not None:
            table, names = with_bins(table, names, bins, _side(options), interp)
        numbers, found = grouped(table, names, missing)
        rows = group_rows(numbers, found.shape[0]) if names else [np.arange(table.shape[0])]
        parts.append((names, found, rows))
    (row_names, row_groups, in_rows), (column_names, column_groups, in_columns) = parts
    label, value = _computed(table, options)
    columns: dict[str, Any] = {}
    for k, column in enumerate(in_columns):
        cells = [np.intersect1d(row, column) for row in in_rows]
        made = _results(cells, value, label, table.shape[0], interp)
        path = [label_texts(take_rows(column_groups.column(n), np.array([k])))[0]
                for n in column_names]  # fmt: skip
        _put(columns, path or [_name(label, options)], made, _is_flat(options))
    return _beside(row_names, row_groups, columns, len(in_rows), options)


def _side(options: dict[str, Any]) -> str:
    return choice(options["IncludedEdge"], ("left", "right"), "pivot") if (
        "IncludedEdge" in options) else "left"  # fmt: skip


def _is_flat(options: dict[str, Any]) -> bool:
    form = options.get("OutputFormat", char("nested"))
    return choice(form, ("nested", "flat"), "pivot") == "flat"


def _computed(table: Table, options: dict[str, Any]) -> tuple[Any, Any]:
    """Return the method, a name or a handle, and the column that it is of.

    Return None where rows are counted.
    """
    value = None
    if "DataVariable" in options:
        (name,) = chosen_in(table, options, "DataVariable")
        value = table.column(name)
    how = options.get("Method")
    if how is None:
        return ("sum" if value is not None and class_of(value) in DTYPE else "count"), value
    if isinstance(how, FunctionHandle):
        if value is None:
            raise MatlabError("MATLAB:pivot:NoData", "The method needs a 'DataVariable'.")
        return how, value
    label = text(how)
    if label not in ("count", "percentage") and value is None:
        raise MatlabError("MATLAB:pivot:NoData", "The method needs a 'DataVariable'.")
    return label, value


def _results(cells: Sequence[Rows], value: Any, label: Any, height: int, interp: Interp) -> Any:
    """Return a column with a result for each group of rows."""
    word = "" if isinstance(label, FunctionHandle) else label
    if word in ("count", "percentage"):
        counts = np.array([[float(rows.size)] for rows in cells])
        return from_numpy(counts if word == "count" else 100 * counts / max(height, 1))
    ((_, method),) = methods(char(word) if word else label, interp)
    found = [method(take_rows(value, rows)) if rows.size else None for rows in cells]
    known = next((one for one in found if one is not None), 0.0)
    blank: Any = 0.0 if word in _ZERO else float("nan")
    if class_of(known) not in DTYPE:
        blank = missing_like(known)
    return below([blank if one is None else one for one in found])


def _name(label: Any, options: dict[str, Any]) -> str:
    word = "fun" if isinstance(label, FunctionHandle) else str(label)
    if word in ("count", "percentage"):
        return word
    return f"{word}_{names_in(options['DataVariable'], 'DataVariable')[0]}"


def _put(columns: dict[str, Any], path: Sequence[str], made: Any, is_flat: bool) -> None:
    if is_flat:
        path = ["_".join(path)]
    for name in path[:-1]:
        columns = columns.setdefault(name, {})
    columns[path[-1]] = made


def _beside(
    names: Sequence[str], groups: Table, columns: dict[str, Any], height: int,
    options: dict[str, Any],
) -> Any:  # fmt: skip
    """Return the groups of rows with their results beside them."""

    def nested(found: dict[str, Any]) -> dict[str, Any]:
        return {name: Table.of(nested(part), height=height) if isinstance(part, dict) else part
                for name, part in found.items()}  # fmt: skip

    made = nested(columns)
    place = choice(options.get("RowLabelPlacement", char("variable")),
                   ("variable", "rownames"), "pivot")  # fmt: skip
    if place == "rownames" and names:
        words = [label_texts(groups.column(name)) for name in names]
        return Table.of(made, ["_".join(parts) for parts in zip(*words, strict=True)], height)
    taken = dict(zip(new_names(list(made), names), made.values(), strict=True))
    return Table.of({**{n: groups.column(n) for n in names}, **taken}, height=height)
