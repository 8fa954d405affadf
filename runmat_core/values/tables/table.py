"""table: subscripts, properties, brackets and equality."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Self

import attrs
import numpy as np

from runmat_core.api.errors import MatlabError
from runmat_core.values.array import Array
from runmat_core.values.array_object import OBJECTS
from runmat_core.values.base import COLON, Subscripts, class_of, share
from runmat_core.values.cell import CellArray, object_array
from runmat_core.values.char import CharArray
from runmat_core.values.concat import horzcat, vertcat
from runmat_core.values.display_format import DisplayFormat
from runmat_core.values.display_matrix import Shown
from runmat_core.values.equality import isequal
from runmat_core.values.indexing import index, size_of
from runmat_core.values.keys import key_form
from runmat_core.values.notices import warn
from runmat_core.values.object import ObjectValue
from runmat_core.values.tables import display
from runmat_core.values.tables.frame import (
    Frame,
    Rows,
    as_matrix,
    check_height,
    check_name,
    duplicate_variable,
    grown,
    height_of,
    put_rows,
    take_rows,
    unique_names,
)
from runmat_core.values.tables.properties import TableProperties
from runmat_core.values.tables.selecting import (
    columns_at,
    rows_at,
    two_subscripts,
    unknown_variable,
)


class Table(ObjectValue):
    """A table; its `data` is a `Frame`, which is never changed."""

    __slots__ = ()
    class_name = "table"
    takes_paths = True
    data: Frame

    def __init__(self, frame: Frame) -> None:
        self.data = frame

    @classmethod
    def of(
        cls, columns: Mapping[str, Any], row_names: Sequence[str] = (), height: int | None = None
    ) -> Self:
        """Return a table of columns of one height."""
        if height is None:
            height = height_of(next(iter(columns.values()))) if columns else len(row_names)
        return cls(Frame(dict(columns), height, tuple(row_names)))

    @property
    def frame(self) -> Frame:
        return self.data

    @property
    def shape(self) -> tuple[int, ...]:
        return (self.data.height, len(self.data.columns))

    @property
    def names(self) -> list[str]:
        return self.data.names

    def column(self, name: str) -> Any:
        """Return a variable by name.

        Raises:
            MatlabError: MATLAB:table:UnrecognizedVarName.
        """
        if name not in self.data.columns:
            raise unknown_variable(name)
        return share(self.data.columns[name])

    def with_frame(self, frame: Frame) -> Self:
        """Return a table of the same class with other contents."""
        return type(self)(frame)

    def with_columns(self, columns: Mapping[str, Any]) -> Self:
        """Return the same rows with other variables, all of the table's height."""
        return self.with_frame(self.data.with_columns(columns))

    def select(self, names: Sequence[str]) -> Self:
        return self.with_columns({name: self.column(name) for name in names})

    def rows(self, rows: Rows) -> Self:
        """Return the rows at zero-based positions."""
        return self.with_frame(self.data.taking(rows))

    def grown_to(self, height: int) -> Self:
        """Return the table with blank rows added up to a height."""
        return self if height <= self.data.height else self.with_frame(self.data.grown_to(height))

    # -- reading ---------------------------------------------------------------------------------

    def paren(self, subs: Subscripts) -> Self:
        rows, columns = two_subscripts(subs)
        chosen = self.select(columns_at(self.data, columns))
        return chosen.rows(rows_at(self.data, rows))

    def brace(self, subs: Subscripts) -> Any:
        """Return the contents of rows and variables, joined."""
        rows, columns = two_subscripts(subs)
        names = columns_at(self.data, columns)
        where = rows_at(self.data, rows)
        return joined(
            {name: take_rows(self.data.columns[name], where) for name in names}, len(where)
        )

    def field(self, name: str) -> Any:
        if name in self.data.columns:
            return share(self.data.columns[name])
        if name == "Properties":
            return TableProperties(self.data)
        if name in (self.data.dimensions[0], "RowNames"):
            return row_name_cells(self.data)
        if name == self.data.dimensions[1]:
            return joined(self.data.columns, self.data.height)
        raise unknown_variable(name)

    def name_at(self, number: float) -> str:
        """Return the variable that ``T.(k)`` means; past the last one it is to come."""
        return columns_at(self.data, number, new=True)[0]

    # -- writing ---------------------------------------------------------------------------------

    def set_field(self, name: str, rhs: Any) -> Self:
        if name == "Properties":
            if not isinstance(rhs, TableProperties):
                raise MatlabError(
                    "MATLAB:table:InvalidPropertiesAssignment",
                    "The properties of a table can be assigned from those of another table only.",
                )
            return self.with_frame(rhs.data)
        if name == self.data.dimensions[0] and name not in self.data.columns:
            properties = TableProperties(self.data)
            properties.set_property("RowNames", rhs)
            return self.with_frame(properties.data)
        if _is_nothing(rhs) and name in self.data.columns and self.data.height != 0:
            return self.with_columns({k: v for k, v in self.data.columns.items() if k != name})
        return self.put_column(name, rhs)

    def writable(self, name: str) -> Any:
        known = name in self.data.columns or name == "Properties"
        return self.field(name) if known or name in self.data.dimensions else None

    def set_part(self, name: str, rhs: Any) -> Self:
        if name in ("Properties", *self.data.dimensions):
            return self.set_field(name, rhs)
        if name not in self.data.columns and size_of(rhs)[0] == 1:
            # what subscripts made is a row; a variable is a column
            rhs = index(rhs, (COLON,)) if size_of(rhs)[1] > 1 else rhs
        height = height_of(rhs)
        if height <= self.data.height:
            return self.put_column(name, grown(rhs, self.data.height))
        # a variable that grew takes the others with it
        others = [other for other in self.names if other != name]
        if others and self.data.height:
            warn(
                "MATLAB:table:RowsAddedExistingVars",
                "The assignment added rows to the table, but did not assign values to all of the "
                "table's existing variables. Those variables are extended with rows containing "
                "default values.",
            )
        return self.grown_to(height).put_column(name, rhs)

    def put_column(self, name: str, value: Any) -> Self:
        """Return the table with a variable replaced or added."""
        check_name(name)
        frame = self.data
        if not frame.columns and not frame.height:
            frame = attrs.evolve(frame, height=height_of(value))
        check_height(value, frame.height)
        return self.with_frame(frame.with_columns({**frame.columns, name: value}))

    def set_paren(self, subs: Subscripts, rhs: Any) -> Self:
        row_sub, column_sub = two_subscripts(subs)
        names = columns_at(self.data, column_sub, new=True)
        rows = rows_at(self.data, row_sub, grow=True)
        if isinstance(rhs, CellArray):
            rhs = self._of_cells(rhs, names)
        if not isinstance(rhs, Table):
            raise MatlabError(
                "MATLAB:table:InvalidRHS",
                "Right hand side of an assignment into a table must be another table or a cell "
                "array.",
            )
        if len(rhs.names) != len(names):
            raise MatlabError(
                "MATLAB:table:VarDimensionMismatch",
                "The number of table variables in an assignment must match.",
            )
        if rhs.data.height not in (1, len(rows)):
            raise MatlabError(
                "MATLAB:table:RowDimensionMismatch",
                "The number of table rows in an assignment must match.",
            )
        parts = dict(zip(names, rhs.data.columns.values(), strict=True))
        return self._put(rows, parts, row_sub)

    def _of_cells(self, cells: CellArray, names: list[str]) -> Table:
        """Rows in a cell array as a table for the variables called `names`."""
        columns = as_matrix(cells.data)
        if columns.shape[1] != len(names):
            raise MatlabError(
                "MATLAB:table:VarDimensionMismatch",
                "The number of table variables in an assignment must match.",
            )
        found = {}
        for name, items in zip(names, columns.T, strict=True):
            if isinstance(self.data.columns.get(name), CellArray):
                found[name] = CellArray(object_array(items.tolist(), (len(items), 1)))
            else:
                found[name] = vertcat(*items.tolist())
        return Table(Frame(found, columns.shape[0]))

    def set_brace(self, subs: Subscripts, rhs: Any) -> Self:
        row_sub, column_sub = two_subscripts(subs)
        names = columns_at(self.data, column_sub, new=True)
        rows = rows_at(self.data, row_sub, grow=True)
        parts = {}
        at = 0
        total = sum(_width(self.data.columns.get(name)) for name in names)
        given = size_of(rhs)
        for name in names:
            width = _width(self.data.columns.get(name))
            if (
                len(names) == 1
                or given[1] == 1
                or (isinstance(rhs, CharArray) and total != given[1])
            ):
                parts[name] = rhs
            else:
                if given[1] != total:
                    raise MatlabError(
                        "MATLAB:table:VarDimensionMismatch",
                        "The number of columns of the right hand side must match the variables.",
                    )
                columns = Array(np.arange(at + 1.0, at + width + 1).reshape(1, -1))
                parts[name] = index(rhs, (COLON, columns))
            at += width
        return self._put(rows, parts, row_sub)

    def _put(self, rows: Rows, parts: Mapping[str, Any], row_sub: Any) -> Self:
        """Values for some rows of some variables; both may be new."""
        height = max(self.data.height, int(rows.max(initial=-1)) + 1)
        if not self.data.columns and not self.data.height:
            height = max(height, *(height_of(v) for v in parts.values()), 0)
            rows = np.arange(height) if not len(rows) else rows
        table = self._with_new_rows(height, rows, row_sub)
        columns = dict(table.data.columns)
        for name, new in parts.items():
            if name not in columns:
                whole = len(rows) == height and height_of(new) == height
                columns[name] = (
                    new if whole else grown(put_rows(_empty_like(new), rows, new), height)
                )
            else:
                columns[name] = put_rows(columns[name], rows, new)
        return table.with_columns(columns)

    def _with_new_rows(self, height: int, rows: Rows, row_sub: Any) -> Self:
        table = self.grown_to(height)
        if height > self.data.height and isinstance(row_sub, CharArray):
            given = self.data.row_names or tuple(f"Row{k + 1}" for k in range(self.data.height))
            names = (*given, row_sub.text())
            return self.with_frame(attrs.evolve(table.data, row_names=names[:height]))
        return table

    def del_paren(self, subs: Subscripts) -> Self:
        row_sub, column_sub = two_subscripts(subs)
        names = columns_at(self.data, column_sub)
        rows = rows_at(self.data, row_sub)
        if len(set(rows.tolist())) == self.data.height and len(names) != len(self.names):
            return self.with_columns({k: v for k, v in self.data.columns.items() if k not in names})
        if set(names) != set(self.names):
            raise MatlabError(
                "MATLAB:table:InvalidEmptyAssignment",
                "At least one subscript must be ':' when you delete rows or variables of a table "
                "by assigning [].",
            )
        kept = np.setdiff1d(np.arange(self.data.height), rows)
        return self.rows(kept)

    # -- as a value ------------------------------------------------------------------------------

    @staticmethod
    def concatenation() -> Callable[[list[Any], int], Any]:
        return _concatenate

    def is_equal(self, other: Any, nan_equal: bool) -> bool:
        """Whether another table has the same variables, row names and contents."""
        if not isinstance(other, Table) or self.names != other.names:
            return False
        if self.shape != other.shape or self.data.row_names != other.data.row_names:
            return False
        return all(
            isequal(self.data.columns[name], other.data.columns[name], nan_equal)
            for name in self.names
        )

    def key_form(self) -> Hashable:
        frame = self.data
        columns = tuple((name, key_form(column)) for name, column in frame.columns.items())
        return self.class_name, self.shape, frame.row_names, columns

    def shown(self, name: str, fmt: DisplayFormat) -> Shown:
        return display.shown(self.data, self.class_name, fmt)


OBJECTS.add(Table)


def _is_nothing(value: Any) -> bool:
    return isinstance(value, Array) and value.data.shape == (0, 0)


def _width(value: Any) -> int:
    return 1 if value is None else size_of(value)[1]


def _empty_like(value: Any) -> Any:
    """Return a value without rows of the class and width of another."""
    return take_rows(value, np.zeros(0, np.intp))


def row_name_cells(frame: Frame) -> CellArray:
    """Return the row names, a column; 0x0 where there are none."""
    names = frame.row_names
    return CellArray(object_array(map(CharArray, names), (len(names), 1 if names else 0)))


def joined(columns: Mapping[str, Any], height: int) -> Any:
    """Return the contents of variables side by side.

    Raises:
        MatlabError: MATLAB:table:ExtractDataIncompatibleTypeError.
    """
    values = list(columns.values())
    if not values:
        return Array(np.zeros((height, 0), order="F"))
    if len(values) == 1:
        return share(values[0])
    cells = [isinstance(value, CellArray) for value in values]
    if any(cells) and not all(cells):
        raise _incompatible(columns)
    try:
        return horzcat(*values)
    except MatlabError:
        raise _incompatible(columns) from None


def _incompatible(columns: Mapping[str, Any]) -> MatlabError:
    first = next(iter(columns))
    kinds = {name: class_of(value) for name, value in columns.items()}
    other = next((n for n, kind in kinds.items() if kind != kinds[first]), first)
    return MatlabError(
        "MATLAB:table:ExtractDataIncompatibleTypeError",
        f"Unable to concatenate the specified table variables '{first}' and '{other}'. Their types "
        f"are {kinds[first]} and {kinds[other]}.",
    )


# -- tables in brackets ---------------------------------------------------------------------------


def _concatenate(values: list[Any], axis: int) -> Any:
    """``[T1, T2]`` and ``[T1; T2]``; cell arrays below a table are rows.

    Raises:
        MatlabError: heights, numbers or names of variables do not fit.
    """
    kept = [v for v in values if not (isinstance(v, Array) and v.data.shape == (0, 0))]
    kept = [v for v in kept if not (isinstance(v, Table) and v.shape == (0, 0))] or kept[:1]
    if axis > 1:
        raise MatlabError("MATLAB:table:cat:InvalidDim", "Tables are joined along two dimensions.")
    return _below(kept) if axis == 0 else _beside(kept)


def _below(values: list[Any]) -> Table:
    first = next((v for v in values if isinstance(v, Table)), None)
    if first is None:
        raise MatlabError(
            "MATLAB:table:vertcat:InvalidInput",
            "All input arguments must be tables or cell arrays.",
        )
    names = first.names
    tables = []
    for value in values:
        if isinstance(value, CellArray):
            value = first._of_cells(value, names)
        if not isinstance(value, Table):
            raise MatlabError(
                "MATLAB:table:vertcat:InvalidInput",
                "All input arguments must be tables or cell arrays.",
            )
        if len(value.names) != len(names):
            raise MatlabError(
                "MATLAB:table:vertcat:SizeMismatch",
                "All tables in the bracketed expression must have the same number of variables.",
            )
        if set(value.names) != set(names):
            raise MatlabError(
                "MATLAB:table:vertcat:UnequalVarNames",
                "All tables in the bracketed expression must have the same variable names.",
            )
        tables.append(value)
    columns = {name: vertcat(*(t.data.columns[name] for t in tables)) for name in names}
    rows: list[str] = []
    if any(t.data.row_names for t in tables):
        for table in tables:
            given = table.data.row_names or [
                f"Row{len(rows) + k + 1}" for k in range(table.data.height)
            ]
            rows += given
    height = sum(t.data.height for t in tables)
    joined = attrs.evolve(first.data, columns=columns, height=height, row_names=unique_names(rows))
    if first.data.row_times is not None:
        times = _times_below(tables)
        joined = attrs.evolve(joined, row_times=times)
    return first.with_frame(joined)


def _times_below(tables: list[Table]) -> Any:
    if any(t.data.row_times is None for t in tables):
        raise MatlabError(
            "MATLAB:timetable:vertcat:InvalidInput",
            "All input arguments must be timetables, or all of them tables.",
        )
    return vertcat(*(t.data.row_times for t in tables))


def _beside(values: list[Any]) -> Table:
    if not all(isinstance(v, Table) for v in values):
        raise MatlabError(
            "MATLAB:table:horzcat:InvalidInput", "All input arguments must be tables."
        )
    values = _with_rows_of_first(values)
    first: Frame = values[0].data
    columns = dict(first.columns)
    rows = first.row_names
    notes = {kind: dict(said) for kind, said in first.notes.items()}
    for table in values[1:]:
        if table.data.height != first.height:
            raise MatlabError(
                "MATLAB:table:horzcat:SizeMismatch",
                "All tables in the bracketed expression must have the same number of rows.",
            )
        for name, value in table.data.columns.items():
            if name in columns:
                raise duplicate_variable(name)
            columns[name] = value
        rows = rows or table.data.row_names
        for kind, said in table.data.notes.items():
            notes.setdefault(kind, {}).update(said)
    frame = attrs.evolve(first, columns=columns, row_names=rows, notes=notes)
    joined: Table = values[0].with_frame(frame)
    return joined


def _with_rows_of_first(values: list[Any]) -> list[Any]:
    """Timetables with their rows in the order of the times of the first."""
    first = values[0].data.row_times
    if first is None:
        if any(v.data.row_times is not None for v in values):
            raise MatlabError(
                "MATLAB:table:horzcat:TableAndTimetable",
                "To join tables and timetables, the first must be a timetable.",
            )
        return values
    found = []
    for value in values:
        times = value.data.row_times
        if times is not None and times.codes.size == first.codes.size:
            mine, theirs = first.codes.ravel(), times.codes.ravel()
            order, other = np.argsort(mine, kind="stable"), np.argsort(theirs, kind="stable")
            same = type(first) is type(times) and (mine[order] == theirs[other]).all()
            if not same:
                raise MatlabError(
                    "MATLAB:timetable:horzcat:UnequalRowTimes",
                    "All timetables in the bracketed expression must have the same row times.",
                )
            rows = np.empty_like(other)
            rows[order] = other
            value = value.rows(rows)
        found.append(value)
    return found
