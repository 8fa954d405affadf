"""Sorting, distinct rows and sets of rows of tables."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.errors import MatlabError, undefined_for
from runmat_core.builtins.arguments import integer
from runmat_core.builtins.named import choice
from runmat_core.builtins.overloads import Call, overload
from runmat_core.builtins.tables.keys import (
    groups_of,
    missing_rows,
    order_of,
    table_ranks,
)
from runmat_core.builtins.tables.missing import equal_to_indicators
from runmat_core.builtins.tables.support import split_pairs, table_of, variables
from runmat_core.values import (
    char,
    class_of,
    from_numpy,
    horzcat,
    is_text,
    text,
    texts,
    to_numpy,
    vertcat,
)
from runmat_core.values.array_object import ArrayObject
from runmat_core.values.cell import CellArray
from runmat_core.values.char import CharArray
from runmat_core.values.classes import DTYPE, NUMERIC_CLASSES
from runmat_core.values.indexing import size_of
from runmat_core.values.string import StringArray
from runmat_core.values.tables.frame import Rows, as_matrix
from runmat_core.values.tables.table import Table
from runmat_core.values.tables.timetable import Timetable

_DIRECTION = {"ascend": 1, "descend": -1}


def _numbers(rows: Rows) -> Any:
    return from_numpy((rows + 1.0).reshape(-1, 1))


@overload("sortrows")
def sortrows(call: Call, t: Any, *args: Any) -> Any:
    """``[T2, i] = sortrows(T, vars, directions)``; 'RowNames' stands for the row names."""
    table = table_of("sortrows", t)
    plain, options = split_pairs(args, ("MissingPlacement", "ComparisonMethod"))
    missing = choice(
        options.get("MissingPlacement", char("auto")), ("auto", "first", "last"), "sortrows"
    )
    order = _order(table, plain, 1, _comparison(options, "sortrows"), missing)
    found = table.rows(order)
    return (found, _numbers(order)) if call.nargout > 1 else found


@overload("topkrows")
def topkrows(call: Call, t: Any, k: Any, *args: Any) -> Any:
    """``[T2, i] = topkrows(T, k, vars, directions)``: the first rows, in descending order."""
    table = table_of("topkrows", t)
    count = integer(k, "K")
    if count < 0:
        raise MatlabError("MATLAB:topkrows:InvalidK", "K must be a nonnegative integer scalar.")
    plain, options = split_pairs(args, ("ComparisonMethod",))
    order = _order(table, plain, -1, _comparison(options, "topkrows"), "last")[:count]
    found = table.rows(order)
    return (found, _numbers(order)) if call.nargout > 1 else found


def _comparison(options: dict[str, Any], function: str) -> str:
    return choice(options.get("ComparisonMethod", char("auto")), ("auto", "real", "abs"), function)


def _order(table: Table, plain: list[Any], sign: int, by: str, missing: str) -> Rows:
    """Return the rows in the order that variables and directions ask for."""
    signs = [sign]
    if plain and is_text(plain[-1]) and text(plain[-1]).lower() in _DIRECTION:
        signs = [_DIRECTION[text(plain.pop()).lower()]]
    elif len(plain) > 1:
        signs = [_direction(word) for word in texts(plain.pop())]
    ranks, widths = _sort_keys(table, plain, signs, by)
    if len(signs) == 1:
        signs = signs * len(widths)
    if len(signs) != len(widths):
        raise MatlabError(
            "MATLAB:table:sortrows:WrongLengthMode",
            "There must be one sorting direction, or one for each variable.",
        )
    spread = [sign for sign, width in zip(signs, widths, strict=True) for _ in range(width)]
    return order_of(ranks, spread, missing)


def _direction(word: str) -> int:
    if word.lower() not in _DIRECTION:
        raise MatlabError(
            "MATLAB:table:sortrows:UnrecognizedMode",
            "Sorting direction must be 'ascend' or 'descend'.",
        )
    return _DIRECTION[word.lower()]


def _sort_keys(table: Table, plain: list[Any], signs: list[int], by: str) -> tuple[Any, list[int]]:
    """Return the columns to sort by, and how many there are of each variable."""
    if not plain:
        names = table.names if not isinstance(table, Timetable) else [table.time_name]
    elif (
        is_text(plain[0])
        and text(plain[0]) in ("RowNames", table.data.dimensions[0])
        and not isinstance(table, Timetable)
    ):
        words = np.array(table.data.row_names)
        return np.unique(words, return_inverse=True)[1].reshape(-1, 1).astype(float), [1]
    elif class_of(plain[0]) in NUMERIC_CLASSES:
        at = to_numpy(plain[0]).ravel()
        names = variables(table, from_numpy(np.abs(at).reshape(1, -1)))
        if (at < 0).any():
            signs[:] = [-1 if k < 0 else 1 for k in at]
    else:
        names = variables(table, plain[0])
    widths = [int(np.prod(size_of(table.column(name))[1:])) for name in names]
    return table_ranks(table, names, by), widths


@overload("unique")
def unique(call: Call, t: Any, *args: Any) -> Any:
    """``[T2, ia, ic] = unique(T)``: rows, sorted unless 'stable' is said."""
    table = table_of("unique", t)
    ranks = np.nan_to_num(table_ranks(table, _all_of(table)), nan=np.inf)
    numbers, first = groups_of(ranks)
    if any(is_text(arg) and text(arg).lower() == "stable" for arg in args):
        turned = np.argsort(first)
        back = np.empty_like(turned)
        back[turned] = np.arange(turned.size)
        first = first[turned]
        numbers = np.asarray(back[numbers.astype(np.intp) - 1] + 1.0, np.float64)
    found = table.rows(first)
    outputs = (found, _numbers(first), from_numpy(numbers.reshape(-1, 1)))
    return outputs[: call.nargout] if call.nargout > 1 else found


def _all_of(table: Table) -> list[str]:
    """Return what makes a row: the variables, and the time where there is one."""
    return [table.time_name, *table.names] if isinstance(table, Timetable) else table.names


def _common(a: Table, b: Any, function: str) -> tuple[Any, Table]:
    """Group numbers of the rows of both tables, and both below each other."""
    other = table_of(function, b)
    if set(other.names) != set(a.names):
        raise MatlabError(
            f"MATLAB:table:{function}:DisparateVarNames",
            "A and B must contain the same variables.",
        )
    if isinstance(a, Timetable):
        both = vertcat(a, other.select(a.names))
    else:
        plain = Table.of(dict(a.data.columns), height=a.shape[0])
        rest = Table.of(dict(other.select(a.names).data.columns), height=other.shape[0])
        both = vertcat(plain, rest)
    ranks = np.nan_to_num(table_ranks(both, _all_of(a)), nan=np.inf)
    return groups_of(ranks)[0], both


@overload("ismember")
def ismember(call: Call, a: Any, b: Any, *args: Any) -> Any:
    table = table_of("ismember", a)
    numbers, _ = _common(table, b, "ismember")
    mine, theirs = numbers[: table.shape[0]], numbers[table.shape[0] :]
    place = {number: k + 1.0 for k, number in reversed(list(enumerate(theirs.tolist())))}
    where = np.array([place.get(number, 0.0) for number in mine.tolist()]).reshape(-1, 1)
    found = from_numpy(where > 0)
    return (found, from_numpy(where)) if call.nargout > 1 else found


@overload("union", "intersect", "setdiff", "setxor")
def sets(call: Call, a: Any, b: Any, *args: Any) -> Any:
    """Distinct rows of two tables, sorted."""
    table = table_of(call.name, a)
    numbers, both = _common(table, b, call.name)
    mine, theirs = set(numbers[: table.shape[0]]), set(numbers[table.shape[0] :])
    wanted = {
        "union": mine | theirs,
        "intersect": mine & theirs,
        "setdiff": mine - theirs,
        "setxor": mine ^ theirs,
    }[call.name]
    flat = numbers.tolist()
    rows = np.array([flat.index(number) for number in sorted(wanted)], np.intp)
    found = both.rows(rows)
    if call.nargout < 2:
        return found
    return (found, _numbers(rows[rows < table.shape[0]]))


@overload("ismissing")
def ismissing(call: Call, t: Any, *args: Any) -> Any:
    """Return a logical for each row of each variable."""
    table = table_of("ismissing", t)
    columns = [table.data.columns[name] for name in table.names]
    flags = [marked_rows(column, args[0]) if args else missing_rows(column) for column in columns]
    return from_numpy(np.stack(flags, axis=1) if flags else np.zeros((table.shape[0], 0), bool))


def marked_rows(value: Any, indicators: Any) -> Any:
    """Which rows of a variable have an element that equals an indicator of its kind."""
    if isinstance(value, ArrayObject):
        return as_matrix(equal_to_indicators(value, indicators, skip=True)).any(axis=1)
    marks = indicators.items() if isinstance(indicators, CellArray) else [indicators]
    textual = isinstance(value, CellArray | StringArray | CharArray)
    fitting = [m for m in marks if isinstance(m, CharArray | StringArray) == textual]
    hit = np.zeros(size_of(value)[0], np.bool_)
    for mark in fitting:
        if textual or class_of(value) in DTYPE:
            hit |= as_matrix(equal_to_indicators(value, mark)).any(axis=1)
    return hit


@overload("repmat")
def repeated(call: Call, table: Any, *args: Any) -> Any:
    """So many times the rows of a table, and side by side its variables."""
    counts = to_numpy(call.original(1, 1.0, *args)).shape
    if len(counts) > 2:
        raise undefined_for("repmat", table.class_name)
    rows = table.rows(np.tile(np.arange(table.shape[0]), counts[0]))
    return rows if counts[1] == 1 else horzcat(*[rows] * counts[1])
