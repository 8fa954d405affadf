"""Groups of rows: findgroups, splitapply, groupsummary, groupcounts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError, not_enough_inputs, undefined_for
from runmat_core.api.interp import Interp
from runmat_core.builtins.named import choice
from runmat_core.builtins.tables.bins import are_bins, with_bins
from runmat_core.builtins.tables.keys import Floats, column_ranks, groups_of
from runmat_core.builtins.tables.support import (
    TEXT,
    new_names,
    selected,
    split_pairs,
    table_of,
    variables,
)
from runmat_core.builtins.time.durations import reals
from runmat_core.values import class_of, from_numpy, horzcat, index, to_numpy, vertcat
from runmat_core.values.array_object import ArrayObject
from runmat_core.values.base import COLON
from runmat_core.values.cell import CellArray, object_array
from runmat_core.values.char import CharArray
from runmat_core.values.classes import DTYPE
from runmat_core.values.handle import FunctionHandle
from runmat_core.values.indexing import size_of
from runmat_core.values.string import StringArray
from runmat_core.values.tables.frame import Rows, height_of, take_rows
from runmat_core.values.tables.table import Table


def as_column(value: Any) -> Any:
    """Return a grouping vector as a column; text is one element for each row."""
    if isinstance(value, Table) or size_of(value)[0] != 1:
        return value
    count = size_of(value)[1]
    if count <= 1 or isinstance(value, CharArray):
        return value
    return index(value, (COLON,))


def group_rows(numbers: Floats, count: int) -> list[Rows]:
    """Return the rows of each group."""
    return [np.flatnonzero(numbers == k + 1) for k in range(count)]


@builtin("findgroups", family="tables/grouping", nargin=(1, None), nargout=None, needs=("nargout",))
def findgroups(*args: Any, nargout: int = 1) -> Any:
    """The number of the group that each element is in; groups are in the order of their values.

    G = findgroups(A), G = findgroups(A1, A2, …)
    [G, ID] = findgroups(A), [G, ID1, ID2] = findgroups(A1, A2) also give the values
    [G, TID] = findgroups(T) of the rows of a table

    What is missing is in no group: NaN.

    Examples:
        >> [G, id] = findgroups({'b'; 'a'; 'b'})
        G =
             2
             1
             2
        id =
          2×1 cell array
            {'a'}
            {'b'}

    See also: splitapply, groupsummary, unique.
    """
    columns = [as_column(value) for value in args]
    if len({height_of(value) for value in columns}) > 1:
        raise MatlabError(
            "MATLAB:findgroups:InputSizeMismatch",
            "All grouping variables must have the same number of elements.",
        )
    for value in columns:
        if isinstance(value, CellArray) and not all(
            isinstance(v, CharArray) for v in value.items()
        ):
            raise MatlabError(
                "MATLAB:findgroups:GroupTypeIncorrect",
                "A grouping variable must be a categorical, numeric, logical, datetime, duration "
                "or string vector, or a cell array of character vectors.",
            )
    numbers, first = groups_of(np.hstack([_ranks(value) for value in columns]))
    shape = size_of(args[0])
    row = not isinstance(args[0], Table) and shape[0] == 1 and shape[1] > 1
    found = from_numpy(numbers.reshape((1, -1) if row else (-1, 1)))
    if nargout < 2:
        return found
    ids = [take_rows(value, first) for value in columns]
    if row and isinstance(args[0], (*TEXT, ArrayObject)) is False:
        from runmat_core.values import transpose

        ids = [transpose(value) for value in ids]
    return (found, *ids)[:nargout]


def _ranks(value: Any) -> Floats:
    """`column_ranks`, for which empty text is missing."""
    ranks = column_ranks(value)
    if isinstance(value, CellArray):
        empty = [[0 in v.shape for v in row] for row in value.data.tolist()]
        ranks[np.array(empty, np.bool_).reshape(ranks.shape)] = np.nan
    return ranks


@builtin(
    "splitapply",
    family="tables/grouping",
    nargin=(3, None),
    nargout=None,
    needs=("nargout", "interp"),
)
def splitapply(function: Any, *args: Any, nargout: int = 1, interp: Interp) -> Any:
    """The results of a function of each group of rows, below each other.

    Y = splitapply(f, X, G), Y = splitapply(f, X1, X2, …, G); G is from findgroups
    Y = splitapply(f, T, G) gives f the variables of a table
    [Y1, Y2] = splitapply(…)

    Examples:
        >> splitapply(@sum, [1; 2; 4], [1; 2; 1])
        ans =
             5
             2

    See also: findgroups, groupsummary, varfun.
    """
    numbers = reals(args[-1], "splitapply").ravel(order="F")
    known = numbers[~np.isnan(numbers)]
    # more groups than rows would leave gaps
    count = int(min(known.max(initial=0), known.size))
    if not np.array_equal(np.unique(known), np.arange(1, count + 1)):
        raise MatlabError(
            "MATLAB:splitapply:InvalidGroupNums",
            "Group numbers must be a vector of positive integers, and cannot have gaps.",
        )
    data = [as_column(value) if size_of(args[-1])[0] == 1 else value for value in args[:-1]]
    if isinstance(data[0], Table):
        data = [data[0].column(name) for name in data[0].names]
    if any(height_of(value) != numbers.size for value in data):
        raise MatlabError(
            "MATLAB:splitapply:DataSizeMismatch",
            "The data variables must have as many rows as there are group numbers.",
        )
    outputs: list[list[Any]] = [[] for _ in range(max(nargout, 1))]
    for rows in group_rows(numbers, count):
        found = interp.call(function, [take_rows(value, rows) for value in data], max(nargout, 1))
        for kept, value in zip(outputs, found if nargout > 1 else (found,), strict=False):
            kept.append(value)
    joined = tuple(below(values) for values in outputs)
    return joined if nargout > 1 else joined[0]


def below(values: list[Any]) -> Any:
    for value in values:
        if value is None or size_of(value)[0] != 1 or isinstance(value, FunctionHandle):
            raise MatlabError(
                "MATLAB:splitapply:OutputNotUniform",
                "The function returned a value that cannot be joined with others: it must have "
                "one row. Return it in a cell.",
            )
    return vertcat(*values)


#: Methods of groupsummary: the builtin, or what it is of another.
_METHODS = (
    *("sum", "mean", "median", "mode", "var", "std", "min", "max", "range", "nnz"),
    *("nummissing", "numunique", "all"),
)
_ALL = ("mean", "sum", "min", "max", "range", "median", "mode", "var", "std", "nummissing", "nnz")
Method = Callable[[Any], Any]


def _method(name: str, interp: Interp) -> Method:
    """Return a statistic of a column as a function; missing elements are left out."""
    from runmat_core.builtins.tables.keys import missing_rows

    if name == "nummissing":
        return lambda value: float(missing_rows(value).sum())
    if name == "numunique":
        return lambda value: float(groups_of(column_ranks(value))[1].size)

    def apply(value: Any) -> Any:
        value = take_rows(value, np.flatnonzero(~missing_rows(value)))
        if name == "range":
            return _call(interp, "max", value) - _call(interp, "min", value)
        if name in ("min", "max") and not height_of(value):
            return float("nan")
        return _call(interp, name, value)

    return apply


def _call(interp: Interp, name: str, value: Any) -> Any:
    function = interp.builtin(name)
    assert function is not None
    if name in ("min", "max"):
        return function(1, value, from_numpy(np.zeros((0, 0))), 1.0)
    return function(1, value) if name == "nnz" else function(1, value, *_along(name))


def _along(name: str) -> tuple[Any, ...]:
    return (0.0, 1.0) if name in ("var", "std") else (1.0,)


def methods(value: Any, interp: Interp) -> list[tuple[str, Method]]:
    """Return the names and functions that an argument of groupsummary stands for."""
    if isinstance(value, FunctionHandle):
        return [("fun1", lambda x: interp.call(value, [x], 1))]
    if isinstance(value, CellArray):
        found: list[tuple[str, Method]] = []
        handles = 0
        for item in value.items():
            if isinstance(item, FunctionHandle):
                handles += 1
                found.append((f"fun{handles}", _handle(item, interp)))
            else:
                found += methods(item, interp)
        return found
    if isinstance(value, StringArray) and value.data.size > 1:
        return [m for word in value.texts() for m in methods(CharArray(word), interp)]
    name = choice(value, _METHODS, "groupsummary")
    return [(one, _method(one, interp)) for one in (_ALL if name == "all" else (name,))]


def _handle(function: Any, interp: Interp) -> Method:
    return lambda value: interp.call(function, [value], 1)


def grouped(table: Table, names: Sequence[str], missing: bool) -> tuple[Floats, Table]:
    """Return the group of each row, and a table of the values of each group with its count."""
    ranks = [_ranks(table.column(name)) for name in names]
    columns: Floats = np.hstack(ranks) if ranks else np.zeros((table.shape[0], 0))
    if missing:
        columns = np.where(np.isnan(columns), np.inf, columns)
    numbers, first = groups_of(columns)
    found = {name: take_rows(table.column(name), first) for name in names}
    counts = np.array([(numbers == k + 1).sum() for k in range(first.size)], np.float64)
    if not names and not table.shape[0]:
        counts = np.zeros(1)
    found["GroupCount"] = from_numpy(counts.reshape(-1, 1))
    return numbers, Table.of(found, height=counts.size)


def _side(options: dict[str, Any], function: str) -> str:
    """Return the edge that bins include."""
    if "IncludedEdge" not in options:
        return "left"
    return choice(options["IncludedEdge"], ("left", "right"), function)


@builtin(
    "groupsummary",
    family="tables/grouping",
    nargin=(2, None),
    nargout=3,
    needs=("nargout", "interp"),
)
def groupsummary(t: Any, groups: Any, *args: Any, nargout: int = 1, interp: Interp) -> Any:
    """Counts and statistics of groups of rows.

    G = groupsummary(T, groupvars) counts rows
    G = groupsummary(T, groupvars, method), groupsummary(T, groupvars, method, datavars): method is
    'sum', 'mean', 'median', 'mode', 'var', 'std', 'min', 'max', 'range', 'nnz', 'nummissing',
    'numunique', 'all', a function handle, or several in a cell array
    G = groupsummary(T, groupvars, groupbins, …): units of time such as 'day', 'month', 'hourofday'
    or 'dayname', edges, a width, or a number of bins; several in a cell array
    G = groupsummary(…, 'IncludeMissingGroups', tf), groupsummary(…, 'IncludedEdge', side)
    [B, BG, BC] = groupsummary(A, groups, method, …) of the columns of an array: groups is a vector,
    the columns of a matrix, or vectors in a cell array; BG has their values and BC the counts

    Examples:
        >> T = table({'a'; 'b'; 'a'}, [1; 2; 5], 'VariableNames', {'g', 'x'});
        >> groupsummary(T, 'g', 'mean')
        ans =
          2×3 table
              g      GroupCount    mean_x
            _____    __________    ______
            {'a'}        2           3
            {'b'}        1           2

    See also: groupcounts, findgroups, splitapply, varfun.
    """
    if not isinstance(t, Table):
        return _array_summary(t, groups, args, nargout, interp)
    table = table_of("groupsummary", t)
    plain, options = split_pairs(
        args, ("IncludeMissingGroups", "IncludeEmptyGroups", "IncludedEdge")
    )
    names = (
        []
        if class_of(groups) == "double" and not np.size(to_numpy(groups))
        else variables(table, groups)
    )
    missing = bool(to_numpy(options.get("IncludeMissingGroups", True)).all())
    others = [name for name in table.names if name not in names]
    if plain and are_bins(plain[0]):
        side = _side(options, "groupsummary")
        table, names = with_bins(table, names, plain.pop(0), side, interp)
    numbers, found = grouped(table, names, missing)
    if not plain:
        return found
    data = others
    if len(plain) > 1:
        data = selected(table, plain[1])
    else:
        data = [n for n in data if _has_statistics(table.column(n), plain[0])]
    columns = dict(found.data.columns)
    groups_rows = group_rows(numbers, found.shape[0])
    for name in data:
        value = table.column(name)
        for label, method in methods(plain[0], interp):
            results = [method(take_rows(value, rows)) for rows in groups_rows]
            columns[f"{label}_{name}"] = below(results)
    return Table.of(columns, height=found.shape[0])


def _has_statistics(value: Any, method: Any) -> bool:
    """Whether a variable is among those that are summarised where none are named."""
    if isinstance(method, FunctionHandle):
        return True
    return class_of(value) in (*DTYPE, "duration", "datetime")


@builtin(
    "groupcounts",
    family="tables/grouping",
    nargin=(1, None),
    nargout=3,
    needs=("nargout", "interp"),
)
def groupcounts(t: Any, *args: Any, nargout: int = 1, interp: Interp) -> Any:
    """How many rows each group has.

    G = groupcounts(T, groupvars): with counts and percentages
    G = groupcounts(T, groupvars, groupbins): bins as groupsummary has them
    [B, BG, BP] = groupcounts(A) of a vector: counts, values and percentages

    Examples:
        >> groupcounts([3; 1; 3])
        ans =
             1
             2
        >> groupcounts(table([3; 1; 3; 3]), 'Var1')
        ans =
          2×3 table
            Var1    GroupCount    Percent
            ____    __________    _______
             1          1           25
             3          3           75

    See also: groupsummary, findgroups, unique.
    """
    if isinstance(t, Table):
        plain, options = split_pairs(
            args,
            ("IncludeMissingGroups", "IncludeEmptyGroups", "IncludePercentGroups", "IncludedEdge"),
        )
        names = variables(t, plain[0]) if plain else t.names
        if len(plain) > 1:
            t, names = with_bins(t, names, plain[1], _side(options, "groupcounts"), interp)
        missing = bool(to_numpy(options.get("IncludeMissingGroups", True)).all())
        _, found = grouped(t, names, missing)
        counts = to_numpy(found.column("GroupCount"))
        percent = from_numpy(100 * counts / max(counts.sum(), 1))
        (name,) = new_names(["Percent"], found.names)
        return found.put_column(name, percent)
    column = as_column(t)
    table = Table.of({"A": column})
    _, found = grouped(table, ["A"], True)
    counts = to_numpy(found.column("GroupCount"))
    outputs = (from_numpy(counts), found.column("A"), from_numpy(100 * counts / counts.sum()))
    return outputs[:nargout] if nargout > 1 else outputs[0]


# -- groups of the rows of arrays -----------------------------------------------------------------


def _array_summary(a: Any, groups: Any, args: tuple[Any, ...], nargout: int, interp: Interp) -> Any:
    """``[B, BG, BC] = groupsummary(A, groups, method, …)``, by way of a table of the columns."""
    if not args or class_of(a) in ("struct", "function_handle"):
        raise not_enough_inputs() if not args else undefined_for("groupsummary", class_of(a))
    several = isinstance(groups, CellArray) and not all(
        isinstance(v, CharArray) for v in groups.items()
    )
    parts = list(groups.items()) if several else [groups]
    by = [column for part in parts for column in _array_columns(as_column(part))]
    data = _array_columns(as_column(a))
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


def _array_columns(value: Any) -> list[Any]:
    """Return the columns of an array."""
    count = 1 if isinstance(value, CharArray) else size_of(value)[1]
    return [value] if count == 1 else [index(value, (COLON, k + 1.0)) for k in range(count)]


def _cell_of(names: Sequence[str]) -> CellArray:
    return CellArray(object_array([CharArray(name) for name in names], (1, len(names))))
