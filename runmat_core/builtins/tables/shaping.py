"""Stacking variables below each other, and spreading one into several."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.tables.grouping import grouped
from runmat_core.builtins.tables.keys import column_ranks, groups_of
from runmat_core.builtins.tables.naming import valid_names
from runmat_core.builtins.tables.support import names_in, split_pairs, table_of, variables
from runmat_core.values import index, size_of, vertcat
from runmat_core.values.array_object import ArrayObject
from runmat_core.values.base import COLON
from runmat_core.values.categorical import Categorical, Meaning
from runmat_core.values.cell import CellArray, object_array
from runmat_core.values.char import CharArray
from runmat_core.values.string import texts_of
from runmat_core.values.tables.frame import Rows, missing_like, put_rows, rows_of_blanks, take_rows
from runmat_core.values.tables.table import Table
from runmat_core.values.tables.timetable import Timetable, timetable_of


def _interleaved(count: int, height: int) -> Rows:
    """Where rows of `count` columns below each other stand row by row."""
    return np.arange(count * height).reshape(count, height).T.ravel()


@builtin("stack", family="tables/shaping", nargin=(2, None))
def stack(t: Any, which: Any, *args: Any) -> Any:
    """A table with several variables made one, a row for each of their elements.

    S = stack(T, vars)
    S = stack(T, vars, 'NewDataVariableName', name, 'IndexVariableName', name, 'ConstantVariables',
    vars)

    Examples:
        >> T = table([1; 2], [3; 4], 'VariableNames', {'a', 'b'});
        >> stack(T, {'a', 'b'}, 'NewDataVariableName', 'x', 'IndexVariableName', 'from')
        ans =
          4×2 table
            from    x
            ____    _
             a      1
             b      3
             a      2
             b      4

    See also: unstack, mergevars.
    """
    table = table_of("stack", t)
    _, options = split_pairs(
        args, ("NewDataVariableName", "IndexVariableName", "ConstantVariables")
    )
    names = variables(table, which)
    constant = [name for name in table.names if name not in names]
    if "ConstantVariables" in options:
        constant = variables(table, options["ConstantVariables"])
    height, count = table.shape[0], len(names)
    data = (
        names_in(options["NewDataVariableName"], "NewDataVariableName")[0]
        if ("NewDataVariableName" in options)
        else "_".join(names)
    )
    label = (
        names_in(options["IndexVariableName"], "IndexVariableName")[0]
        if ("IndexVariableName" in options)
        else f"{data}_Indicator"
    )
    repeated = np.repeat(np.arange(height), count)
    columns = {name: take_rows(table.column(name), repeated) for name in constant}
    codes = np.tile(np.arange(1, count + 1), height).reshape(-1, 1)
    columns[label] = Categorical(codes, Meaning(tuple(names)))
    try:
        below = vertcat(*(table.column(name) for name in names))
    except MatlabError:
        raise MatlabError(
            "MATLAB:table:stack:InterleavingDataVarsFailed",
            f"Unable to stack the variables '{names[0]}' and others: their types differ.",
        ) from None
    columns[data] = take_rows(below, _interleaved(count, height))
    if isinstance(table, Timetable):
        return timetable_of(columns, take_rows(table.times, repeated), table.time_name)
    return Table.of(columns, height=height * count)


@builtin("unstack", family="tables/shaping", nargin=(3, None), needs=("interp",))
def unstack(t: Any, data: Any, indicator: Any, *args: Any, interp: Interp) -> Any:
    """A table with a variable for each value of an indicator.

    U = unstack(T, datavar, indicatorvar): rows are grouped by the other variables
    U = unstack(…, 'GroupingVariables', vars, 'ConstantVariables', vars, 'AggregationFunction', f,
    'NewDataVariableNames', names, 'VariableNamingRule', rule)

    Examples:
        >> T = table([1; 1; 2], {'a'; 'b'; 'a'}, [10; 20; 30], 'VariableNames', {'k', 'i', 'x'});
        >> unstack(T, 'x', 'i')
        ans =
          2×3 table
            k    a      b
            _    __    ___
            1    10     20
            2    30    NaN

    See also: stack, groupsummary.
    """
    table = table_of("unstack", t)
    if isinstance(table, Timetable):  # rows of one time belong together
        flat = table.plain().with_columns({table.time_name: table.times, **table.data.columns})
        found = unstack(flat, data, indicator, *args, interp=interp)
        columns = dict(found.data.columns)
        return timetable_of(columns, columns.pop(table.time_name), table.time_name)
    known = ("GroupingVariables", "ConstantVariables", "AggregationFunction")
    _, options = split_pairs(args, (*known, "NewDataVariableNames", "VariableNamingRule"))
    (source,) = variables(table, data)
    (marker,) = variables(table, indicator)
    others = [name for name in table.names if name not in (source, marker)]
    constant = (
        variables(table, options["ConstantVariables"]) if ("ConstantVariables" in options) else []
    )
    groups = [name for name in others if name not in constant]
    if "GroupingVariables" in options:
        groups = variables(table, options["GroupingVariables"])
    numbers, _ = grouped(table, groups, True)
    numbers, first = _by_appearance(numbers)
    kinds, starts = groups_of(column_ranks(table.column(marker)))
    labels = valid_names(label_texts(take_rows(table.column(marker), starts)))
    if "NewDataVariableNames" in options:
        labels = names_in(options["NewDataVariableNames"], "NewDataVariableNames")
    chosen = table.rows(first)
    columns = {n: chosen.column(n) for n in table.names if n in groups or n in constant}
    value = table.column(source)
    for k, label in enumerate(labels, 1):
        rows = np.flatnonzero(kinds == k)
        column = rows_of_blanks(value, first.size)
        if isinstance(value, CellArray):
            column = put_rows(column, np.arange(first.size), missing_like(value))
        for at in np.unique(numbers[rows]).astype(np.intp):
            part = take_rows(value, rows[numbers[rows] == at])
            if "AggregationFunction" in options:
                part = interp.call(options["AggregationFunction"], [part], 1)
            elif size_of(part)[0] > 1:
                part = _aggregate(part, interp)
            column = put_rows(column, np.array([at - 1]), part)
        columns[label] = column
    return Table.of(columns, height=first.size)


def _aggregate(part: Any, interp: Interp) -> Any:
    """Return the sum of numbers; the one value of others, if there is only one."""
    if isinstance(part, ArrayObject | CellArray) or getattr(part, "class_name", "") == "string":
        return take_rows(part, np.array([0]))
    function = interp.builtin("sum")
    assert function is not None
    return function(1, part)


def _by_appearance(numbers: Any) -> tuple[Any, Rows]:
    """Return groups counted in the order in which they appear, and their first rows."""
    _, first, inverse = np.unique(numbers, return_index=True, return_inverse=True)
    order = np.argsort(first)
    back = np.empty_like(order)
    back[order] = np.arange(order.size)
    return back[inverse.ravel()] + 1.0, first[order]


def label_texts(values: Any) -> list[str]:
    """Return the values of an indicator as texts."""
    if isinstance(values, CharArray):
        return values.rows()
    return [str(word) for word in texts_of(values).ravel(order="F")]


@builtin("rows2vars", family="tables/shaping", nargin=(1, None))
def rows2vars(t: Any, *args: Any) -> Any:
    """A table with the rows of another as its variables.

    T2 = rows2vars(T)
    T2 = rows2vars(T, 'VariableNamesSource', var, 'DataVariables', vars)

    Examples:
        >> rows2vars(table([1; 2], [3; 4], 'VariableNames', {'a', 'b'}))
        ans =
          2×3 table
            OriginalVariableNames    Var1    Var2
            _____________________    ____    ____
                    {'a'}             1       2
                    {'b'}             3       4

    See also: stack, unstack.
    """
    table = table_of("rows2vars", t)
    _, options = split_pairs(args, ("VariableNamesSource", "DataVariables", "VariableNamingRule"))
    names = table.names
    labels = list(table.data.row_names) or [f"Var{k + 1}" for k in range(table.shape[0])]
    if "VariableNamesSource" in options:
        (source,) = variables(table, options["VariableNamesSource"])
        labels = valid_names(label_texts(table.column(source)))
        names = [name for name in names if name != source]
    if "DataVariables" in options:
        names = variables(table, options["DataVariables"])
    columns: dict[str, Any] = {
        "OriginalVariableNames": CellArray(object_array(map(CharArray, names), (len(names), 1)))
    }
    whole = table.select(names).brace((COLON, COLON))
    for k, label in enumerate(labels, 1):
        columns[label] = index(whole, (float(k), COLON))
        columns[label] = index(columns[label], (COLON,))
    return Table.of(columns, height=len(names))
