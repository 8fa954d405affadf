"""Functions applied to the variables or to the rows of a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.named import choice
from runmat_core.builtins.tables.grouping import group_rows, grouped
from runmat_core.builtins.tables.making import row_items, settled_column
from runmat_core.builtins.tables.support import (
    flag,
    names_in,
    split_pairs,
    table_of,
    variables,
)
from runmat_core.values import horzcat, text, vertcat
from runmat_core.values.cell import CellArray, object_array
from runmat_core.values.handle import FunctionHandle
from runmat_core.values.indexing import size_of
from runmat_core.values.tables.frame import height_of, take_rows
from runmat_core.values.tables.table import Table
from runmat_core.values.tables.timetable import Timetable, timetable_of


def _label(function: Any) -> str:
    """Return what the results of a function are called."""
    if isinstance(function, FunctionHandle):
        return "Fun" if function.is_anonymous else function.name
    return text(function)


def _chosen(table: Table, which: Any, interp: Interp) -> list[str]:
    """Return the variables that names, numbers, or a function that tests them select."""
    if isinstance(which, FunctionHandle):
        from runmat_core.values import truth

        return [n for n in table.names if truth(interp.call(which, [table.column(n)], 1))]
    return variables(table, which)


_OUTPUT = ("table", "uniform", "cell", "auto", "timetable")


@builtin("varfun", family="tables/applying", nargin=(2, None), needs=("interp",))
def varfun(function: Any, t: Any, *args: Any, interp: Interp) -> Any:
    """The results of a function of each variable of a table.

    B = varfun(f, T): a table with variables such as mean_x
    B = varfun(f, T, 'InputVariables', vars, 'GroupingVariables', vars)
    B = varfun(f, T, 'OutputFormat', kind): 'table', 'uniform' or 'cell'

    Examples:
        >> T = table([1; 2], [5; 7], 'VariableNames', {'a', 'b'});
        >> varfun(@mean, T)
        ans =
          1×2 table
            mean_a    mean_b
            ______    ______
             1.5        6
        >> varfun(@max, T, 'OutputFormat', 'uniform')
        ans =
             2     7

    See also: rowfun, groupsummary, cellfun.
    """
    table = table_of("varfun", t)
    _, options = split_pairs(
        args, ("InputVariables", "GroupingVariables", "OutputFormat", "ErrorHandler")
    )
    groups = (
        variables(table, options["GroupingVariables"]) if "GroupingVariables" in options else []
    )
    names = [name for name in table.names if name not in groups]
    if "InputVariables" in options:
        names = _chosen(table, options["InputVariables"], interp)
    kind = choice(options["OutputFormat"], _OUTPUT, "varfun") if "OutputFormat" in options else ""
    if groups:
        return _varfun_of_groups(function, table, groups, names, kind, interp)
    results = [interp.call(function, [table.column(name)], 1) for name in names]
    if kind == "uniform":
        return _uniform("varfun", results, horizontal=True)
    if kind == "cell":
        return CellArray(object_array(results, (1, len(results))))
    heights = {height_of(value) for value in results}
    if len(heights) > 1:
        raise MatlabError(
            "MATLAB:table:varfun:UnequalVarLengths",
            "The function must return values with the same number of rows for each variable.",
        )
    columns = {f"{_label(function)}_{n}": v for n, v in zip(names, results, strict=True)}
    found = _like(table, columns, kind)
    if found.shape[0] == table.shape[0] and table.data.row_names:
        return found.set_field("Row", table.field("Row"))
    return found


def _varfun_of_groups(
    function: Any, table: Table, groups: list[str], names: list[str], kind: str, interp: Interp
) -> Table:
    numbers, found = grouped(table, groups, False)
    rows = group_rows(numbers, found.shape[0])
    results = {
        name: [interp.call(function, [take_rows(table.column(name), r)], 1) for r in rows]
        for name in names
    }
    counts = [height_of(value) for value in next(iter(results.values()), [])]
    repeats = np.repeat(np.arange(found.shape[0]), counts or 1)
    columns = {n: take_rows(v, repeats) for n, v in found.data.columns.items()}
    for name, values in results.items():
        columns[f"{_label(function)}_{name}"] = vertcat(*values)
    return _like(table, columns, kind, [r[0] for r in rows], repeats)


def _like(
    table: Table,
    columns: dict[str, Any],
    kind: str,
    firsts: Sequence[int] | None = None,
    repeats: Any = None,
) -> Table:
    """Results as a table; of a timetable as one, with the times of its first rows or of groups."""
    height = len(repeats) if repeats is not None else None
    if isinstance(table, Timetable) and kind != "table":
        # what was grouped by the times has them as its times
        columns = {n: v for n, v in columns.items() if n != table.time_name}
    found = Table.of(columns, height=height)
    if not isinstance(table, Timetable) or kind == "table":
        return found
    if firsts is None:
        rows = np.arange(found.shape[0])
        if rows.size > table.shape[0]:
            raise MatlabError(
                "MATLAB:table:varfun:TooManyRows",
                "The function must not return more rows than the timetable has.",
            )
    else:
        rows = np.array(firsts, np.intp)[repeats]
    return timetable_of(columns, take_rows(table.times, rows), table.time_name)


def _uniform(caller: str, results: list[Any], horizontal: bool) -> Any:
    if any(size_of(value) != (1, 1) for value in results):
        raise MatlabError(
            f"MATLAB:table:{caller}:NotAScalarOutput",
            "The function must return scalars where the output format is 'uniform'.",
        )
    return horzcat(*results) if horizontal else vertcat(*results)


@builtin(
    "rowfun", family="tables/applying", nargin=(2, None), nargout=None, needs=("interp", "nargout")
)
def rowfun(function: Any, t: Any, *args: Any, interp: Interp, nargout: int = 1) -> Any:
    """The results of a function of each row of a table.

    B = rowfun(f, T): f gets the variables of a row as arguments; the result is a table
    B = rowfun(f, T, 'OutputVariableNames', names, 'InputVariables', vars, 'NumOutputs', n)
    B = rowfun(…, 'OutputFormat', kind): 'table', 'uniform' or 'cell'
    B = rowfun(…, 'SeparateInputs', false): f gets one row vector
    B = rowfun(…, 'ExtractCellContents', true, 'GroupingVariables', vars)

    Examples:
        >> T = table([1; 2], [5; 7], 'VariableNames', {'a', 'b'});
        >> rowfun(@(a, b) a + b, T, 'OutputVariableNames', 'total')
        ans =
          2×1 table
            total
            _____
              6
              9

    See also: varfun, arrayfun, splitapply.
    """
    table = table_of("rowfun", t)
    known = ("InputVariables", "GroupingVariables", "OutputFormat", "OutputVariableNames")
    more = ("NumOutputs", "SeparateInputs", "ExtractCellContents", "ErrorHandler")
    _, options = split_pairs(args, (*known, *more))
    groups = (
        variables(table, options["GroupingVariables"]) if "GroupingVariables" in options else []
    )
    chosen = [name for name in table.names if name not in groups]
    if "InputVariables" in options:
        chosen = _chosen(table, options["InputVariables"], interp)
    names = (
        names_in(options["OutputVariableNames"], "OutputVariableNames")
        if ("OutputVariableNames" in options)
        else []
    )
    count = len(names) or 1
    if "NumOutputs" in options:
        count = int(float(options["NumOutputs"]))
    kind = choice(options["OutputFormat"], _OUTPUT, "rowfun") if "OutputFormat" in options else ""
    head = None
    if groups:
        numbers, head = grouped(table, groups, False)
        rows = group_rows(numbers, head.shape[0])
    else:
        rows = [np.array([k]) for k in range(table.shape[0])]
    outputs: list[list[Any]] = [[] for _ in range(count)]
    for row in rows:
        values = _arguments(table, chosen, row, options)
        found = interp.call(function, values, count)
        for kept, value in zip(outputs, found if count > 1 else (found,), strict=True):
            kept.append(value)
    if kind == "uniform":
        joined = tuple(_uniform("rowfun", values, horizontal=False) for values in outputs)
        return joined[: max(nargout, 1)] if nargout > 1 else joined[0]
    if kind == "cell":
        items = [item for values in outputs for item in values]
        return CellArray(object_array(items, (len(rows), count)))
    names = names or [f"Var{len(table.names) + k + 1}" for k in range(count)]
    columns = dict(head.data.columns) if head is not None else {}
    columns.update({n: settled_column(v) for n, v in zip(names, outputs, strict=True)})
    made = _like(table, columns, kind, [row[0] for row in rows], np.arange(len(rows)))
    if head is None and table.data.row_names:
        return made.set_field("Row", table.field("Row"))
    return made


def _arguments(table: Table, names: list[str], rows: Any, options: dict[str, Any]) -> list[Any]:
    """Return what the function gets for some rows."""
    values = [take_rows(table.column(name), rows) for name in names]
    if flag(options.get("ExtractCellContents", False)):
        values = [
            row_items(v)[0] if isinstance(v, CellArray) and len(rows) == 1 else v for v in values
        ]
    return values if flag(options.get("SeparateInputs", True)) else [horzcat(*values)]
