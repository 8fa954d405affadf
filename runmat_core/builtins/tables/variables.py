"""Adding, removing, renaming, moving, merging and splitting variables; rows at both ends."""

from __future__ import annotations

from typing import Any

import attrs

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.overloads import Call, overload
from runmat_core.builtins.tables.support import (
    names_in,
    new_names,
    one_name,
    split_pairs,
    table_of,
    variables,
)
from runmat_core.values import index, size_of
from runmat_core.values.base import COLON, share
from runmat_core.values.cell import CellArray, object_array
from runmat_core.values.char import CharArray
from runmat_core.values.tables.frame import check_height, check_names
from runmat_core.values.tables.properties import renamed
from runmat_core.values.tables.table import Table, joined
from runmat_core.values.tables.timetable import Timetable


def _place(table: Table, options: dict[str, Any], names: list[str]) -> int:
    """Where in `names` the 'Before' or 'After' option points; at their end by default."""
    for side in ("Before", "After"):
        if side in options:
            (name,) = variables(table, options[side])
            if name not in names:
                raise MatlabError(
                    "MATLAB:table:InvalidLocation", f"'{name}' cannot be the place to move to."
                )
            return names.index(name) + (side == "After")
    return len(names)


@builtin("addvars", family="tables/variables", nargin=(2, None), needs=("argument_text",))
def addvars(t: Any, *args: Any, argument_text: tuple[str | None, ...] = ()) -> Any:
    """A table with more variables.

    T2 = addvars(T, V1, V2, …)
    T2 = addvars(…, 'NewVariableNames', names, 'Before', var) or 'After'

    Examples:
        >> T = table([1; 2], 'VariableNames', {'a'});
        >> addvars(T, [3; 4], 'NewVariableNames', 'b', 'Before', 'a')
        ans =
          2×2 table
            b    a
            _    _
            3    1
            4    2

    See also: removevars, movevars, renamevars, mergevars.
    """
    table = table_of("addvars", t)
    data, options = split_pairs(args, ("NewVariableNames", "Before", "After"))
    names = table.names
    at = _place(table, options, names)
    if "NewVariableNames" in options:
        new = check_names(names_in(options["NewVariableNames"], "NewVariableNames"))
    else:
        given = [*argument_text[1:], *[None] * len(data)]
        wanted = [given[k] or f"Var{len(names) + k + 1}" for k in range(len(data))]
        new = new_names(wanted, names)
    if len(new) != len(data):
        raise MatlabError(
            "MATLAB:table:addvars:IncorrectNumberOfNames",
            "The number of names must match the number of new variables.",
        )
    for value in data:
        check_height(value, table.data.height)
    added = dict(zip(new, map(share, data), strict=True))
    if set(added) & set(names):
        raise MatlabError(
            "MATLAB:table:DuplicateVarNames",
            f"Duplicate table variable name: '{next(n for n in added if n in names)}'.",
        )
    columns = {**table.data.columns, **added}
    return table.with_columns({n: columns[n] for n in [*names[:at], *new, *names[at:]]})


@builtin("removevars", family="tables/variables")
def removevars(t: Any, which: Any) -> Any:
    """A table without some variables.

    T2 = removevars(T, vars)

    Examples:
        >> removevars(table(1, 2), 'Var1')
        ans =
          table
            Var2
            ____
             2

    See also: addvars, movevars.
    """
    table = table_of("removevars", t)
    gone = set(variables(table, which))
    return table.select([name for name in table.names if name not in gone])


@builtin("renamevars", family="tables/variables")
def renamevars(t: Any, which: Any, names: Any) -> Any:
    """A table with other names of variables.

    T2 = renamevars(T, vars, newnames)

    Examples:
        >> renamevars(table(1, 2), 'Var2', 'y')
        ans =
          1×2 table
            Var1    y
            ____    _
             1      2

    See also: addvars, table.
    """
    table = table_of("renamevars", t)
    old, new = variables(table, which), names_in(names, "NewVariableNames")
    if len(old) != len(new):
        raise MatlabError(
            "MATLAB:table:renamevars:IncorrectNumberOfNames",
            "The number of new names must match the number of variables.",
        )
    change = dict(zip(old, new, strict=True))
    frame = renamed(table.data, [change.get(name, name) for name in table.names])
    if isinstance(table, Timetable):
        frame = attrs.evolve(
            frame, dimensions=(change.get(table.time_name, table.time_name), "Variables")
        )
    return table.with_frame(frame)


@builtin("movevars", family="tables/variables", nargin=(2, 4))
def movevars(t: Any, which: Any, *args: Any) -> Any:
    """A table with variables in another place, at its end by default.

    T2 = movevars(T, vars)
    T2 = movevars(T, vars, 'Before', var), movevars(T, vars, 'After', var)

    Examples:
        >> movevars(table(1, 2, 3), 'Var3', 'Before', 'Var1')
        ans =
          1×3 table
            Var3    Var1    Var2
            ____    ____    ____
             3       1       2

    See also: addvars, removevars.
    """
    table = table_of("movevars", t)
    _, options = split_pairs(args, ("Before", "After"))
    moved = variables(table, which)
    rest = [name for name in table.names if name not in moved]
    at = _place(table, options, rest)
    return table.select([*rest[:at], *moved, *rest[at:]])


@builtin("mergevars", family="tables/variables", nargin=(2, None))
def mergevars(t: Any, which: Any, *args: Any) -> Any:
    """A table with several variables made one of several columns.

    T2 = mergevars(T, vars), mergevars(T, vars, 'NewVariableName', name)
    T2 = mergevars(…, 'MergeAsTable', true)

    Examples:
        >> T = mergevars(table(1, 2), {'Var1', 'Var2'}, 'NewVariableName', 'v');
        >> T.v
        ans =
             1     2

    See also: splitvars, addvars.
    """
    table = table_of("mergevars", t)
    _, options = split_pairs(args, ("NewVariableName", "MergeAsTable"))
    merged = variables(table, which)
    first = min(table.names.index(name) for name in merged)
    name = f"Var{first + 1}"
    if "NewVariableName" in options:
        name = one_name(options["NewVariableName"], "NewVariableName")
    part = table.select(merged)
    value = part if "MergeAsTable" in options else joined(part.data.columns, part.data.height)
    columns: dict[str, Any] = {}
    for k, (known, column) in enumerate(table.data.columns.items()):
        if k == first:
            columns[name] = value
        if known not in merged:
            columns[known] = column
    return table.with_columns(columns)


@builtin("splitvars", family="tables/variables", nargin=(1, None))
def splitvars(t: Any, *args: Any) -> Any:
    """A table with a variable for each column of variables that have several.

    T2 = splitvars(T), splitvars(T, vars), splitvars(T, var, 'NewVariableNames', names)

    Examples:
        >> splitvars(table([1 2]))
        ans =
          1×2 table
            Var1_1    Var1_2
            ______    ______
              1         2

    See also: mergevars, addvars.
    """
    table = table_of("splitvars", t)
    plain, options = split_pairs(args, ("NewVariableNames",))
    which = variables(table, plain[0]) if plain else table.names
    columns: dict[str, Any] = {}
    for name, value in table.data.columns.items():
        width = size_of(value)[1]
        if name not in which or width == 1:
            columns[name] = value
            continue
        if isinstance(value, Table):
            columns.update(value.data.columns)
            continue
        new = [f"{name}_{k + 1}" for k in range(width)]
        if "NewVariableNames" in options:
            new = names_in(options["NewVariableNames"], "NewVariableNames")
        for k, one in enumerate(new, 1):
            columns[one] = index(value, (COLON, float(k)))
    return table.with_columns(columns)


@overload("fieldnames")
def field_names(call: Call, t: Any) -> Any:
    """Return the variables and what else can be read behind a point, a column."""
    if not isinstance(t, Table):
        return NotImplemented
    names = [*t.names, "Properties", *t.data.dimensions]
    return CellArray(object_array(map(CharArray, names), (len(names), 1)))
