"""What a table holds, and the operations on rows of values of any class."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.api.errors import MatlabError
from runmat_core.values.array import Array, from_numpy
from runmat_core.values.array_object import ArrayObject
from runmat_core.values.base import COLON, Value, share
from runmat_core.values.cell import CellArray, empty_double, object_array
from runmat_core.values.char import CharArray
from runmat_core.values.indexing import assign, index, size_of
from runmat_core.values.string import MISSING, StringArray

Rows = NDArray[np.intp]

DIMENSIONS = ("Row", "Variables")


@attrs.frozen(eq=False)
class Frame:
    """The contents of a table; never changed, but copied with changes.

    Attributes:
        columns: the variables by name, in their order.
        height: the number of rows.
        row_names: a name for each row, or none at all.
        dimensions: what rows and variables are called.
        description: of the whole.
        notes: what is said of single variables: by property, then by variable.
        user_data: anything.
        row_times: a time for each row of a timetable, a column; None in a table.
    """

    columns: Mapping[str, Any]
    height: int
    row_names: tuple[str, ...] = ()
    dimensions: tuple[str, str] = DIMENSIONS
    description: str = ""
    notes: Mapping[str, Mapping[str, str]] = attrs.field(factory=dict)
    user_data: Any = attrs.field(factory=empty_double)
    row_times: Any = None

    @property
    def names(self) -> list[str]:
        return list(self.columns)

    def with_columns(self, columns: Mapping[str, Any]) -> Frame:
        return attrs.evolve(self, columns=dict(columns))

    def taking(self, rows: Rows) -> Frame:
        """Return the rows at zero-based positions."""
        names = tuple(self.row_names[int(k)] for k in rows) if self.row_names else ()
        return attrs.evolve(
            self,
            columns={name: take_rows(value, rows) for name, value in self.columns.items()},
            height=len(rows),
            row_names=unique_names(names),
            row_times=None if self.row_times is None else take_rows(self.row_times, rows),
        )

    def grown_to(self, height: int) -> Frame:
        """Return the frame with blank rows added up to a height; their times are missing."""
        if height <= self.height:
            return self
        names, times = self.row_names, self.row_times
        if names:
            names = (*names, *(f"Row{k + 1}" for k in range(len(names), height)))
        if times is not None:
            new = np.arange(self.height, height, dtype=np.intp)
            times = put_rows(times, new, times.with_codes(np.full((1, 1), np.nan)))
        columns = {name: grown(value, height) for name, value in self.columns.items()}
        return attrs.evolve(self, columns=columns, height=height, row_names=names, row_times=times)


def unique_names(names: Sequence[str]) -> tuple[str, ...]:
    """`names` with numbers behind those that were there before."""
    taken: set[str] = set()
    last: dict[str, int] = {}
    found: list[str] = []
    for name in names:
        candidate, k = name, last.get(name, 0)
        while candidate in taken:
            k += 1
            candidate = f"{name}_{k}"
        last[name] = k
        taken.add(candidate)
        found.append(candidate)
    return tuple(found)


def as_matrix(a: NDArray[Any]) -> NDArray[Any]:
    """Return an array with its rows as they are and all other extents as one."""
    return a.reshape((a.shape[0], int(np.prod(a.shape[1:]))), order="F")


def height_of(value: Any) -> int:
    return size_of(value)[0]


def _row_subs(value: Any, rows: Any) -> tuple[Any, ...]:
    return (rows, *(COLON for _ in size_of(value)[1:]))


def numbers_of(rows: Rows) -> Any:
    """Zero-based positions as a subscript."""
    return from_numpy((rows + 1.0).reshape(-1, 1))


def take_rows(value: Any, rows: Rows) -> Any:
    """Return the rows of any value at zero-based positions."""
    return index(value, _row_subs(value, numbers_of(rows)))


def put_rows(value: Any, rows: Rows, new: Any) -> Any:
    """Return a copy of `value` with some rows replaced; rows beyond its height are added."""
    if not len(rows):
        return value
    return assign(share(value), _row_subs(value, numbers_of(rows)), new)


def blank_like(value: Any) -> Any:
    """One element of the class of `value` that stands for nothing given."""
    if isinstance(value, CellArray):
        return CellArray(object_array([empty_double()], (1, 1)))
    if isinstance(value, StringArray):
        return StringArray(MISSING)
    if isinstance(value, CharArray):
        return CharArray(" ")
    if isinstance(value, ArrayObject):
        blank = np.full((1, 1), value.blank_code, value.codes.dtype)
        return value.with_codes(blank)
    return 0.0


def missing_like(value: Any) -> Any:
    """One element that stands for a missing one: NaN for numbers and spans, else the blank."""
    if isinstance(value, float) or (isinstance(value, Array) and value.data.dtype.kind in "fc"):
        return float("nan")
    if isinstance(value, CellArray):
        texts = all(isinstance(item, CharArray) for item in value.items())
        item = CharArray("") if texts and value.data.size else empty_double()
        return CellArray(object_array([item], (1, 1)))
    return value.missing() if isinstance(value, ArrayObject) else blank_like(value)


def grown(value: Any, height: int) -> Any:
    """`value` with blank rows added up to a height."""
    have = height_of(value)
    if have >= height:
        return value
    if isinstance(value, Value) and hasattr(value, "frame"):
        return value.grown_to(height)  # type: ignore[attr-defined]
    return put_rows(value, np.array([height - 1], np.intp), blank_like(value))


def rows_of_blanks(value: Any, height: int) -> Any:
    """`height` rows like those of `value` in which everything is missing."""
    if height_of(value) == 0:
        value = grown(value, 1)
    first = take_rows(value, np.zeros(max(height, 0), np.intp))
    return (
        first
        if not height
        else put_rows(first, np.arange(height, dtype=np.intp), missing_like(value))
    )


def check_name(name: str) -> str:
    """`name`, which must not be one that tables need.

    Raises:
        MatlabError: MATLAB:table:InvalidVariableName.
    """
    if not name or name in ("Properties", "RowNames", "VariableNames", ":"):
        raise MatlabError(
            "MATLAB:table:InvalidVariableName", f"'{name}' is not a valid table variable name."
        )
    return name


def check_names(names: Iterable[str]) -> list[str]:
    """`names`, all different and usable.

    Raises:
        MatlabError: MATLAB:table:DuplicateVarNames, MATLAB:table:InvalidVariableName.
    """
    found = [check_name(name) for name in names]
    double = first_repeated(found)
    if double is not None:
        raise MatlabError(
            "MATLAB:table:DuplicateVarNames", f"Duplicate table variable name: '{double}'."
        )
    return found


def first_repeated(names: Sequence[str]) -> str | None:
    """Return the first name that was there before; None where all are different."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def duplicate_variable(name: str) -> MatlabError:
    return MatlabError(
        "MATLAB:table:DuplicateVarNames", f"Duplicate table variable name: '{name}'."
    )


def check_height(value: Any, height: int) -> None:
    """Refuse a variable of another height.

    Raises:
        MatlabError: MATLAB:table:RowDimensionMismatch.
    """
    if height_of(value) != height:
        raise MatlabError(
            "MATLAB:table:RowDimensionMismatch",
            "To assign to or create a variable in a table, the number of rows must match the "
            "height of the table.",
        )
