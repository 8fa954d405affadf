"""Joining two tables by the values of key variables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.named import choice
from runmat_core.builtins.overloads import Call, overload
from runmat_core.builtins.tables.keys import Floats, column_ranks, groups_of, order_of
from runmat_core.builtins.tables.support import flag, split_pairs, table_of, variables
from runmat_core.values import from_numpy, vertcat
from runmat_core.values.tables.frame import Rows, put_rows, rows_of_blanks, take_rows
from runmat_core.values.tables.table import Table
from runmat_core.values.tables.timetable import Timetable, timetable_of

_OPTIONS = (
    *("Keys", "LeftKeys", "RightKeys", "LeftVariables", "RightVariables", "KeepOneCopy"),
    *("MergeKeys", "Type"),
)


#: The names that arguments were written as.
Texts = tuple[str | None, ...]


class Request:
    """A join as its arguments ask for it.

    Attributes:
        left, right: the names of the keys, in pairs.
        numbers: a number for the key of each row, of the left table and then of the right one.
    """

    def __init__(
        self, function: str, a: Any, b: Any, args: Sequence[Any], written: Texts = ()
    ) -> None:
        self.function = function
        # what tells variables of one name apart
        self.sides = [
            word or default
            for word, default in zip([*written, None, None], ("left", "right"), strict=False)
        ]
        self.a, self.b = table_of(function, a), table_of(function, b)
        _, self.options = split_pairs(args, _OPTIONS)
        self.left, self.right = self._keys()
        columns = [
            _together(self.a.column(x), self.b.column(y), x, y)
            for x, y in zip(self.left, self.right, strict=True)
        ]
        ranks: Floats = np.hstack([column_ranks(column) for column in columns])
        numbers, _ = groups_of(ranks)
        height = self.a.shape[0]
        self.mine, self.theirs = numbers[:height], numbers[height:]

    def _keys(self) -> tuple[list[str], list[str]]:
        options = self.options
        if "LeftKeys" in options and "RightKeys" in options:
            left = variables(self.a, options["LeftKeys"])
            right = variables(self.b, options["RightKeys"])
            if len(left) != len(right):
                raise MatlabError(
                    f"MATLAB:table:{self.function}:UnequalNumberOfKeys",
                    "The numbers of left and right keys must be the same.",
                )
            return left, right
        if "Keys" in options:
            keys = variables(self.a, options["Keys"])
            variables(self.b, options["Keys"])
            return keys, keys
        if isinstance(self.a, Timetable) and isinstance(self.b, Timetable):
            return [self.a.time_name], [self.b.time_name]
        shared = [name for name in self.a.names if name in self.b.names]
        if not shared:
            raise MatlabError(
                f"MATLAB:table:{self.function}:CantInferKey",
                "Cannot find a variable that both tables have. Specify the keys.",
            )
        return shared, shared

    def of_left(self) -> list[str]:
        if "LeftVariables" in self.options:
            return variables(self.a, self.options["LeftVariables"])
        return self.a.names

    def of_right(self, with_keys: bool = False) -> list[str]:
        if "RightVariables" in self.options:
            return variables(self.b, self.options["RightVariables"])
        return [name for name in self.b.names if with_keys or name not in self.right]

    def pairs(self) -> tuple[Rows, Rows]:
        """Return the rows that match, ordered by key and then by row."""
        by_key: dict[float, list[int]] = {}
        for k, number in enumerate(self.theirs.tolist()):
            by_key.setdefault(number, []).append(k)
        found = [
            (number, k, other)
            for k, number in enumerate(self.mine.tolist())
            for other in by_key.get(number, [])
        ]
        found.sort()
        return (
            np.array([k for _, k, _ in found], np.intp),
            np.array([k for _, _, k in found], np.intp),
        )

    def combined(
        self, left: dict[str, Any], right: dict[str, Any], rows: Rows, others: Rows
    ) -> Table:
        """Return the variables of both sides; those of one name are told apart by the side.

        Args:
            rows, others: the rows of both tables, -1 where there is none.
        """
        renamed: dict[str, Any] = {}
        for name, value in left.items():
            renamed[f"{name}_{self.sides[0]}" if name in right else name] = value
        for name, value in right.items():
            renamed[f"{name}_{self.sides[1]}" if name in left else name] = value
        if not isinstance(self.a, Timetable):
            return Table.of(renamed, height=len(rows))
        codes = np.full((len(rows), 1), np.nan, self.a.times.codes.dtype)
        codes[rows >= 0] = self.a.times.codes[rows[rows >= 0]]
        if isinstance(self.b, Timetable) and self.left == [self.a.time_name]:
            codes[rows < 0] = self.a.times.adopt(self.b.times).codes[others[rows < 0]]
        return timetable_of(renamed, self.a.times.with_codes(codes), self.a.time_name)


def _together(a: Any, b: Any, left: str, right: str) -> Any:
    try:
        return vertcat(a, b)
    except MatlabError:
        raise MatlabError(
            "MATLAB:table:join:KeyVarTypeMismatch",
            f"The key variables '{left}' and '{right}' cannot be compared.",
        ) from None


def _taken(table: Table, names: Sequence[str], rows: Rows) -> dict[str, Any]:
    return {name: take_rows(table.column(name), rows) for name in names}


def _numbers(rows: Rows) -> Any:
    return from_numpy((rows + 1.0).reshape(-1, 1))


@overload("join")
def join(call: Call, a: Any, b: Any, *args: Any) -> Any:
    """``[T, ib] = join(A, B, 'Keys', names)``: each row of A with the one row of B of its key."""
    request = Request("join", a, b, args)
    place: dict[float, int] = {}
    for k, number in enumerate(request.theirs.tolist()):
        if number in place:
            raise MatlabError(
                "MATLAB:table:join:DuplicateRightKeyVarValues",
                "The key variables for B must contain unique values.",
            )
        place[number] = k
    if any(number not in place for number in request.mine.tolist()):
        raise MatlabError(
            "MATLAB:table:join:LeftKeyValueNotFound",
            "The key variable for B must contain all values in the key variable for A.",
        )
    rows = np.array([place[number] for number in request.mine.tolist()], np.intp)
    left = _taken(request.a, request.of_left(), np.arange(request.a.shape[0]))
    found = request.combined(
        left, _taken(request.b, request.of_right(), rows), np.arange(len(rows)), rows
    )
    if request.a.data.row_names:
        properties = found.field("Properties")
        properties.set_property("RowNames", request.a.field("RowNames"))
        found = Table(properties.data)
    return (found, _numbers(rows)) if call.nargout > 1 else found


@builtin(
    "innerjoin",
    family="tables/joins",
    nargin=(2, None),
    nargout=3,
    needs=("nargout", "argument_text"),
)
def innerjoin(a: Any, b: Any, *args: Any, nargout: int = 1, argument_text: Texts = ()) -> Any:
    """The rows of two tables whose keys are the same, ordered by key.

    T = innerjoin(A, B): the keys are the variables that both have
    T = innerjoin(A, B, 'Keys', names), 'LeftKeys', 'RightKeys', 'LeftVariables', 'RightVariables'
    [T, ia, ib] = innerjoin(…)

    Examples:
        >> A = table([1; 2; 3], [10; 20; 30], 'VariableNames', {'k', 'x'});
        >> B = table([3; 1], {'c'; 'a'}, 'VariableNames', {'k', 'y'});
        >> innerjoin(A, B)
        ans =
          2×3 table
            k    x       y
            _    __    _____
            1    10    {'a'}
            3    30    {'c'}

    See also: outerjoin, join, table.
    """
    request = Request("innerjoin", a, b, args, argument_text)
    rows, others = request.pairs()
    left = _taken(request.a, request.of_left(), rows)
    found = request.combined(left, _taken(request.b, request.of_right(), others), rows, others)
    return (found, _numbers(rows), _numbers(others))[:nargout] if nargout > 1 else found


@builtin(
    "outerjoin",
    family="tables/joins",
    nargin=(2, None),
    nargout=3,
    needs=("nargout", "argument_text"),
)
def outerjoin(a: Any, b: Any, *args: Any, nargout: int = 1, argument_text: Texts = ()) -> Any:
    """The rows of two tables whose keys are the same, and those without a partner.

    T = outerjoin(A, B): the keys are the variables that both have
    T = outerjoin(…, 'Type', 'full'), 'left' or 'right': whose rows are kept
    T = outerjoin(…, 'MergeKeys', true): one variable for both keys
    T = outerjoin(…, 'Keys', names), 'LeftKeys', 'RightKeys', 'LeftVariables', 'RightVariables'
    [T, ia, ib] = outerjoin(…)

    Examples:
        >> A = table([1; 2], [10; 20], 'VariableNames', {'k', 'x'});
        >> B = table([2; 3], [200; 300], 'VariableNames', {'k', 'y'});
        >> outerjoin(A, B, 'MergeKeys', true)
        ans =
          3×3 table
            k     x      y
            _    ___    ___
            1     10    NaN
            2     20    200
            3    NaN    300

    See also: innerjoin, join, table.
    """
    request = Request("outerjoin", a, b, args, argument_text)
    kind = "full"
    if "Type" in request.options:
        kind = choice(request.options["Type"], ("full", "left", "right"), "outerjoin")
    rows, others = _outer_rows(request, kind)
    merge = flag(request.options.get("MergeKeys", False))
    left = _padded(request.a, request.of_left(), rows)
    names = request.of_right(with_keys=not merge)
    right = _padded(request.b, names, others)
    if merge:
        for x, y in zip(request.left, request.right, strict=True):
            if x in left:
                gaps = np.flatnonzero(rows < 0)
                given = take_rows(request.b.column(y), others[gaps])
                left[x] = put_rows(left[x], gaps, given)
    found = request.combined(left, right, rows, others)
    outputs = (found, _numbers(rows), _numbers(others))
    return outputs[:nargout] if nargout > 1 else found


def _outer_rows(request: Request, kind: str) -> tuple[Rows, Rows]:
    """Return matching rows and those left over, ordered by key; -1 where there is none."""
    rows, others = request.pairs()
    if kind in ("full", "left"):
        alone = np.setdiff1d(np.arange(request.a.shape[0]), rows)
        rows = np.concatenate([rows, alone])
        others = np.concatenate([others, np.full(alone.size, -1)])
    if kind in ("full", "right"):
        alone = np.setdiff1d(np.arange(request.b.shape[0]), others)
        rows = np.concatenate([rows, np.full(alone.size, -1)])
        others = np.concatenate([others, alone])
    safe = np.where(rows >= 0, rows, 0)
    mine = request.mine[safe] if request.mine.size else np.full(rows.size, np.nan)
    theirs = request.theirs[np.where(others >= 0, others, 0)] if request.theirs.size else mine
    keys = np.where(rows >= 0, mine, theirs)
    order = order_of(keys.reshape(-1, 1), [1])
    return rows[order], others[order]


def _padded(table: Table, names: Sequence[str], rows: Rows) -> dict[str, Any]:
    """Rows of variables, missing values where a row is -1."""
    found = {}
    present = np.flatnonzero(rows >= 0)
    for name in names:
        value = table.column(name)
        column = rows_of_blanks(value, len(rows))
        found[name] = put_rows(column, present, take_rows(value, rows[present]))
    return found
