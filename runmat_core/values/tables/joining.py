"""Tables in brackets: below each other by names, and beside each other."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from runmat_core.api.errors import MatlabError
from runmat_core.values.array import Array
from runmat_core.values.cell import CellArray
from runmat_core.values.concat import vertcat
from runmat_core.values.tables.frame import Frame, duplicate_variable, unique_names
from runmat_core.values.tables.table import Table


def concatenate(values: list[Any], axis: int) -> Any:
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
