"""timetable: a table whose rows have times."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import attrs
import numpy as np

from runmat_core.api.errors import MatlabError
from runmat_core.values.array_object import OBJECTS
from runmat_core.values.base import Subscripts, class_of, share
from runmat_core.values.equality import isequal
from runmat_core.values.indexing import size_of
from runmat_core.values.keys import key_form
from runmat_core.values.tables.frame import Frame, Rows, put_rows, take_rows
from runmat_core.values.tables.properties import TableProperties
from runmat_core.values.tables.selecting import rows_at, times_of, two_subscripts
from runmat_core.values.tables.stepping import Step, rate_of, step_of, times_from
from runmat_core.values.tables.table import Table
from runmat_core.values.time.datetime import Datetime
from runmat_core.values.time.duration import Duration

#: What the first dimension is called where nothing else is said.
TIME = "Time"


class TimetableProperties(TableProperties):
    """What a timetable says of itself."""

    __slots__ = ()
    class_name = "matlab.tabular.TimetableProperties"
    properties = (
        *(name for name in TableProperties.properties if name != "RowNames"),
        *("RowTimes", "StartTime", "SampleRate", "TimeStep"),
    )

    def get_property(self, name: str) -> Any:
        times = self.data.row_times
        if name == "RowTimes":
            return share(times)
        if name == "StartTime":
            return times.take(np.zeros((1, 1), np.intp)) if times.codes.size else times
        if name == "TimeStep":
            return step_of(times)
        if name == "SampleRate":
            return rate_of(times)
        return super().get_property(name)

    def set_property(self, name: str, rhs: Any) -> None:
        if name == "RowTimes":
            self.data = timed(self.data, rhs)
        elif name in ("StartTime", "SampleRate", "TimeStep"):
            given = {k: self.get_property(k) for k in ("StartTime", "TimeStep")}
            if name == "SampleRate":
                given["TimeStep"] = Step.of_rate(rhs)
            else:
                given[name] = rhs
            step, height = given["TimeStep"], self.data.height
            if name == "StartTime" and isinstance(step, Duration) and np.isnan(step.codes).all():
                # without a common step the times keep their distances
                gaps = self.data.row_times.codes - self.data.row_times.codes[:1]
                start = times_from(rhs, Duration([[0.0]]), 1)
                times = start.with_codes(start.codes + gaps)
            else:
                times = times_from(given["StartTime"], step, height)
            self.data = timed(self.data, times)
        else:
            super().set_property(name, rhs)


class Timetable(Table):
    """A timetable; the frame of its contents has times of the rows."""

    __slots__ = ()
    class_name = "timetable"

    @property
    def times(self) -> Datetime | Duration:
        """The times of the rows, a column."""
        times: Datetime | Duration = self.data.row_times
        return times

    @property
    def time_name(self) -> str:
        """What the times are called."""
        return self.data.dimensions[0]

    def column(self, name: str) -> Any:
        if name == self.time_name and name not in self.data.columns:
            return share(self.times)
        return super().column(name)

    def field(self, name: str) -> Any:
        if name == self.time_name and name not in self.data.columns:
            return share(self.times)
        if name == "Properties":
            return TimetableProperties(self.data)
        return super().field(name)

    def set_field(self, name: str, rhs: Any) -> Timetable:
        if name == self.time_name and name not in self.data.columns:
            return Timetable(timed(self.data, rhs))
        return super().set_field(name, rhs)

    def plain(self) -> Table:
        """Return the variables without times."""
        return Table(attrs.evolve(self.data, row_times=None, dimensions=("Row", "Variables")))

    def set_paren(self, subs: Subscripts, rhs: Any) -> Timetable:
        found = super().set_paren(subs, rhs)
        if isinstance(rhs, Timetable) and found.data.height > self.data.height:
            # rows that are new bring their times along
            rows = rows_at(self.data, two_subscripts(subs)[0], grow=True)
            new = np.flatnonzero(rows >= self.data.height)
            given = rhs.times if len(rows) == rhs.data.height else None
            if given is not None:
                times = put_rows(found.times, rows[new], take_rows(given, new))
                return Timetable(attrs.evolve(found.data, row_times=times))
        return found

    def _with_new_rows(self, height: int, rows: Rows, row_sub: Any) -> Timetable:
        wanted = None if height <= self.data.height else times_of(self.data, row_sub)
        table = self.grown_to(height)
        if wanted is None:
            return table
        flat = wanted.codes.ravel(order="F")
        new = rows >= self.data.height
        codes = np.array(table.times.codes)
        codes[rows[new], 0] = flat[new]
        return Timetable(attrs.evolve(table.data, row_times=table.times.with_codes(codes)))

    def is_equal(self, other: Any, nan_equal: bool) -> bool:
        return (
            isinstance(other, Timetable)
            and super().is_equal(other, nan_equal)
            and isequal(self.times, other.times, nan_equal)
        )

    def key_form(self) -> Hashable:
        return super().key_form(), key_form(self.times)


OBJECTS.add(Timetable)


def timed(frame: Frame, times: Any) -> Frame:
    """Return a frame with times for its rows, which may be given as a row or a column.

    Raises:
        MatlabError: MATLAB:timetable:InvalidRowTimes, MATLAB:timetable:IncorrectNumberOfRowTimes.
    """
    if not isinstance(times, Datetime | Duration):
        raise MatlabError(
            "MATLAB:timetable:InvalidRowTimes",
            f"Row times must be a datetime or duration vector, not {class_of(times)}.",
        )
    shape = size_of(times)
    if len(shape) > 2 or (times.codes.size and 1 not in shape):
        raise MatlabError("MATLAB:timetable:InvalidRowTimes", "Row times must be a vector.")
    if times.codes.size != frame.height:
        raise MatlabError(
            "MATLAB:timetable:IncorrectNumberOfRowTimes",
            "The number of row times must match the number of rows in the timetable.",
        )
    return attrs.evolve(frame, row_times=times.with_codes(times.codes.reshape(-1, 1)))


def timetable_of(columns: dict[str, Any], times: Any, name: str = TIME) -> Timetable:
    """Return a timetable of columns and times, one for each row."""
    frame = Frame(columns, times.codes.size, dimensions=(name, "Variables"))
    return Timetable(timed(frame, times))
