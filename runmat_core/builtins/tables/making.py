"""Making tables of arrays, cells and structs, and these of tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError, undefined_for
from runmat_core.builtins.tables.support import flag, names_in, split_pairs, table_of
from runmat_core.values import class_of, from_numpy, index, size_of, to_numpy, vertcat
from runmat_core.values.base import COLON, share
from runmat_core.values.categorical import Categorical, Meaning
from runmat_core.values.cell import CellArray, empty_cell, object_array
from runmat_core.values.char import CharArray
from runmat_core.values.classes import DTYPE
from runmat_core.values.object import ObjectValue
from runmat_core.values.string import MISSING, StringArray
from runmat_core.values.struct import StructArray, struct_array
from runmat_core.values.tables.frame import Frame, check_names, height_of, take_rows
from runmat_core.values.tables.properties import named_rows
from runmat_core.values.tables.table import Table, joined
from runmat_core.values.time.datetime import Datetime
from runmat_core.values.time.duration import Duration

_OPTIONS = ("VariableNames", "RowNames", "DimensionNames")


def _dressed(columns: dict[str, Any], height: int, options: dict[str, Any]) -> Table:
    """Return a table of columns with the row and dimension names that options give."""
    frame = Frame(columns, height)
    if "RowNames" in options:
        frame = named_rows(frame, names_in(options["RowNames"], "RowNames"))
    table = Table(frame)
    if "DimensionNames" in options:
        properties = table.field("Properties")
        properties.set_property("DimensionNames", options["DimensionNames"])
        table = Table(properties.data)
    return table


def default_names(argument_text: Sequence[str | None], count: int) -> list[str]:
    """Names of variables as the arguments are called, VarK for those that have no name."""
    found: list[str] = []
    for k, name in enumerate([*argument_text, *[None] * count][:count], 1):
        found.append(name if name and name not in found else f"Var{k}")
    return found


def variable_names(options: dict[str, Any], default: list[str]) -> list[str]:
    if "VariableNames" not in options:
        return default
    names = names_in(options["VariableNames"], "VariableNames")
    if len(names) != len(default):
        raise MatlabError(
            "MATLAB:table:IncorrectNumberOfVarNames",
            "The VariableNames property must contain one name for each variable in the table.",
        )
    return check_names(names)


@builtin("table", family="tables/making", nargin=(0, None), needs=("argument_text",))
def table(*args: Any, argument_text: tuple[str | None, ...] = ()) -> Any:
    """Columns of any class and of one height, with names.

    T = table(V1, V2, …): the variables are called as the arguments are, or Var1, Var2, …
    T = table(…, 'VariableNames', names), table(…, 'RowNames', names)
    T = table('Size', [rows vars], 'VariableTypes', types)

    T.name is a variable, T(rows, vars) a table, T{rows, vars} the contents.

    Examples:
        >> T = table([1; 2], {'a'; 'b'}, 'VariableNames', {'x', 'name'})
        T =
          2×2 table
            x    name
            _    _____
            1    {'a'}
            2    {'b'}
        >> T.x(2) = 5;
        >> T{:, 'x'}'
        ans =
             1     5

    See also: array2table, cell2table, struct2table, readtable, sortrows, varfun.
    """
    own = args[0].method("table") if len(args) == 1 and isinstance(args[0], ObjectValue) else None
    if own is not None:
        return own(1)
    data, options = split_pairs(args, (*_OPTIONS, "Size", "VariableTypes"))
    if "Size" in options:
        return _preallocated(options)
    if not data:
        return _dressed(
            {},
            len(names_in(options["RowNames"], "RowNames")) if "RowNames" in options else 0,
            options,
        )
    heights = [height_of(value) for value in data]
    if len(set(heights)) > 1:
        raise MatlabError(
            "MATLAB:table:UnequalVarLengths",
            "All table variables must have the same number of rows.",
        )
    names = variable_names(options, default_names(argument_text, len(data)))
    columns = {name: share(value) for name, value in zip(names, data, strict=True)}
    return _dressed(columns, heights[0], options)


def _preallocated(options: dict[str, Any]) -> Table:
    columns = sized_columns(options)
    rows = int(to_numpy(options["Size"]).ravel()[0])
    return _dressed(columns, rows, options)


def sized_columns(options: dict[str, Any]) -> dict[str, Any]:
    """Return the columns that 'Size' and 'VariableTypes' ask for.

    Raises:
        MatlabError: MATLAB:table:InvalidSize, MATLAB:table:VariableTypesAndSizeMismatch.
    """
    size = to_numpy(options["Size"]).ravel()
    if size.size != 2 or (size < 0).any():
        raise MatlabError("MATLAB:table:InvalidSize", "Size must be a vector of two sizes.")
    rows, count = (int(n) for n in size)
    kinds = ["double"] * count
    if "VariableTypes" in options:
        kinds = names_in(options["VariableTypes"], "VariableTypes")
    if len(kinds) != count:
        raise MatlabError(
            "MATLAB:table:VariableTypesAndSizeMismatch",
            "The number of variable types must match the number of variables.",
        )
    names = variable_names(options, [f"Var{k + 1}" for k in range(count)])
    return {name: blanks(kind, rows) for name, kind in zip(names, kinds, strict=True)}


def blanks(kind: str, rows: int) -> Any:
    """Return a column of a class with nothing in it yet."""
    if kind in DTYPE:
        return from_numpy(np.zeros((rows, 1)), kind)
    if kind == "doublenan":
        return from_numpy(np.full((rows, 1), np.nan))
    if kind == "string":
        return StringArray(object_array([MISSING] * rows, (rows, 1)))
    if kind in ("cell", "cellstr"):
        if kind == "cell":
            return empty_cell((rows, 1))
        return CellArray(object_array([CharArray("") for _ in range(rows)], (rows, 1)))
    if kind == "datetime":
        return Datetime(np.full((rows, 1), np.nan))
    if kind == "duration":
        return Duration(np.zeros((rows, 1)))
    if kind == "categorical":
        return Categorical(np.zeros((rows, 1)), Meaning(()))
    raise MatlabError(
        "MATLAB:table:InvalidVariableType", f"'{kind}' is not a type that variables can have."
    )


@builtin("istable", family="tables/making", effects="pure")
def istable(x: Any) -> Any:
    """Whether a value is a table.

    TF = istable(X)

    Examples:
        >> istable(table)
        ans =
          logical
           1

    See also: table, istimetable, isstruct.
    """
    return isinstance(x, Table) and x.class_name == "table"


@builtin("array2table", family="tables/making", nargin=(1, None), needs=("argument_text",))
def array2table(value: Any, *args: Any, argument_text: tuple[str | None, ...] = ()) -> Any:
    """A table with a variable for each column of a matrix.

    T = array2table(A)
    T = array2table(A, 'VariableNames', names, 'RowNames', names)

    Examples:
        >> array2table([1 2; 3 4], 'VariableNames', {'a', 'b'})
        ans =
          2×2 table
            a    b
            _    _
            1    2
            3    4

    See also: table2array, table, cell2table.
    """
    _, options = split_pairs(args, _OPTIONS)
    shape = size_of(value)
    if len(shape) > 2:
        raise MatlabError("MATLAB:array2table:NDArray", "Input must be a matrix.")
    base = argument_text[0] if argument_text and argument_text[0] else "Var"
    names = variable_names(options, [f"{base}{k + 1}" for k in range(shape[1])])
    columns = {name: index(value, (COLON, float(k))) for k, name in enumerate(names, 1)}
    return _dressed(columns, shape[0], options)


@builtin("cell2table", family="tables/making", nargin=(1, None), needs=("argument_text",))
def cell2table(value: Any, *args: Any, argument_text: tuple[str | None, ...] = ()) -> Any:
    """A table with a variable for each column of a cell array.

    T = cell2table(C): a column whose contents fit below each other becomes an array, texts stay
    in a cell array
    T = cell2table(C, 'VariableNames', names, 'RowNames', names)

    Examples:
        >> cell2table({1 'a'; 2 'b'}, 'VariableNames', {'x', 'name'})
        ans =
          2×2 table
            x    name
            _    _____
            1    {'a'}
            2    {'b'}

    See also: table2cell, table, array2table.
    """
    if not isinstance(value, CellArray):
        raise undefined_for("cell2table", class_of(value))
    _, options = split_pairs(args, _OPTIONS)
    rows, count = value.shape[0], value.shape[1]
    base = argument_text[0] if argument_text and argument_text[0] else "Var"
    names = variable_names(options, [f"{base}{k + 1}" for k in range(count)])
    columns = {name: settled_column(value.data[:, k].tolist()) for k, name in enumerate(names)}
    return _dressed(columns, rows, options)


def settled_column(items: list[Any]) -> Any:
    """Contents of cells below each other: an array where they make one, else the cells."""
    cells = CellArray(object_array(map(share, items), (len(items), 1)))
    kinds = {class_of(item) for item in items}
    if not items or len(kinds) != 1 or kinds & {"char", "cell", "function_handle"}:
        return cells
    if any(height_of(item) != 1 for item in items) or len({size_of(item) for item in items}) > 1:
        return cells
    try:
        return vertcat(*items)
    except MatlabError:
        return cells


@builtin("struct2table", family="tables/making", nargin=(1, None))
def struct2table(value: Any, *args: Any) -> Any:
    """A table with a variable for each field of a struct.

    T = struct2table(S): a row for each element of S, or the rows of the fields of a scalar S
    T = struct2table(S, 'AsArray', true): a scalar is one row; 'RowNames'

    Examples:
        >> struct2table(struct('x', {1; 2}, 'y', {'a'; 'b'}))
        ans =
          2×2 table
            x      y
            _    _____
            1    {'a'}
            2    {'b'}

    See also: table2struct, table, cell2table.
    """
    if not isinstance(value, StructArray):
        raise undefined_for("struct2table", class_of(value))
    _, options = split_pairs(args, ("AsArray", "RowNames", "DimensionNames"))
    records = value.records()
    names = list(value.field_names())
    if len(records) == 1 and not flag(options.get("AsArray", False)):
        columns = {name: share(records[0][name]) for name in names}
        heights = {height_of(column) for column in columns.values()}
        if len(heights) > 1:
            raise MatlabError(
                "MATLAB:struct2table:UnequalFieldLengths",
                "Fields in a scalar structure must have the same number of rows. To create a "
                "single row table, set 'AsArray' to true.",
            )
        return _dressed(columns, heights.pop() if heights else 0, options)
    columns = {name: settled_column([record[name] for record in records]) for name in names}
    return _dressed(columns, len(records), options)


@builtin("table2array", family="tables/making")
def table2array(t: Any) -> Any:
    """The contents of a table as one array: T{:,:}.

    A = table2array(T)

    Examples:
        >> table2array(table([1; 2], [3; 4]))
        ans =
             1     3
             2     4

    See also: array2table, table2cell, table2struct.
    """
    value = table_of("table2array", t)
    return joined(value.data.columns, value.data.height)


@builtin("table2cell", family="tables/making")
def table2cell(t: Any) -> Any:
    """The contents of a table as a cell array, a cell for each row of each variable.

    C = table2cell(T)

    Examples:
        >> table2cell(table([1; 2], {'a'; 'b'}))
        ans =
          2×2 cell array
            {[1]}    {'a'}
            {[2]}    {'b'}

    See also: cell2table, table2array, table2struct.
    """
    value = table_of("table2cell", t)
    rows, count = value.shape
    items = [item for name in value.names for item in row_items(value.data.columns[name])]
    return CellArray(object_array(items, (rows, count)))


def row_items(column: Any) -> list[Any]:
    """Return the rows of a variable as values of their own; the contents of a column of cells."""
    if isinstance(column, CellArray) and column.data.shape[1:] == (1,):
        return list(map(share, column.items()))
    height = height_of(column)
    return [take_rows(column, np.array([k], np.intp)) for k in range(height)]


@builtin("table2struct", family="tables/making", nargin=(1, 3))
def table2struct(t: Any, *args: Any) -> Any:
    """The contents of a table as a struct.

    S = table2struct(T): an element for each row
    S = table2struct(T, 'ToScalar', true): one element with the variables as fields

    Examples:
        >> s = table2struct(table([1; 2], 'VariableNames', {'x'}));
        >> s(2).x
        ans =
             2

    See also: struct2table, table2cell, table2array.
    """
    value = table_of("table2struct", t)
    _, options = split_pairs(args, ("ToScalar",))
    if flag(options.get("ToScalar", False)):
        return StructArray({name: value.column(name) for name in value.names})
    columns = [row_items(value.data.columns[name]) for name in value.names]
    records = [dict(zip(value.names, row, strict=True)) for row in zip(*columns, strict=True)]
    return struct_array(records, (value.data.height, 1), value.names)
