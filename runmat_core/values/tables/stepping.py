"""Times at regular steps: making them, and finding the step of those that are there."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.errors import MatlabError
from runmat_core.values.array import to_numpy
from runmat_core.values.base import class_of
from runmat_core.values.classes import NUMERIC_CLASSES
from runmat_core.values.time import civil
from runmat_core.values.time.calendar import CalendarDuration, moved
from runmat_core.values.time.datetime import Datetime
from runmat_core.values.time.duration import Duration

#: How far steps may be apart that count as one, as a fraction of the times they lie between.
_CLOSE = 4 * np.finfo(np.float64).eps


class Step:
    """Ways in which the step between rows is given."""

    @staticmethod
    def of_rate(rate: Any) -> Duration:
        """Return the step of so many rows a second.

        Raises:
            MatlabError: MATLAB:timetable:InvalidSampleRate.
        """
        numbers = to_numpy(rate) if class_of(rate) in NUMERIC_CLASSES else np.zeros(0)
        if numbers.size != 1 or not float(numbers.real.item()) > 0 or not np.isfinite(numbers):
            raise MatlabError(
                "MATLAB:timetable:InvalidSampleRate",
                "SampleRate must be a positive numeric scalar.",
            )
        return Duration([[1000.0 / float(numbers.real.item())]], "s")

    @staticmethod
    def checked(step: Any) -> Duration | CalendarDuration:
        """Return a step that is one span.

        Raises:
            MatlabError: MATLAB:timetable:InvalidTimeStep.
        """
        if not isinstance(step, Duration | CalendarDuration) or step.codes.size != 1:
            raise MatlabError(
                "MATLAB:timetable:InvalidTimeStep",
                "TimeStep must be a duration or calendarDuration scalar.",
            )
        return step


def times_from(start: Any, step: Any, count: int) -> Datetime | Duration:
    """Return a column of `count` times from a start.

    Raises:
        MatlabError: MATLAB:timetable:InvalidStartTime, MATLAB:timetable:InvalidTimeStep.
    """
    step = Step.checked(step)
    if not isinstance(start, Datetime | Duration) or start.codes.size != 1:
        raise MatlabError(
            "MATLAB:timetable:InvalidStartTime",
            "StartTime must be a datetime or duration scalar.",
        )
    numbers = np.arange(count, dtype=np.float64).reshape(-1, 1)
    if isinstance(step, Duration):
        offsets = numbers * step.codes.item()
        return start.with_codes(np.asarray(start.codes + offsets, start.codes.dtype))
    if not isinstance(start, Datetime):
        raise MatlabError(
            "MATLAB:timetable:InvalidTimeStep",
            "TimeStep must be a duration where the row times are durations.",
        )
    return start.with_local(moved(start.local(), step.scaled(numbers), 1, start.zone))


def step_of(times: Datetime | Duration) -> Any:
    """Return the step between times: a duration, a calendarDuration of months, or NaN."""
    codes = times.codes.ravel()
    form = times.form if isinstance(times, Duration) else "hh:mm:ss"
    if codes.size < 2 or not np.isfinite(codes).all():
        return Duration([[np.nan]], form)
    gaps = np.diff(codes)
    slack = _CLOSE * max(float(np.abs(codes).max()), 1.0)
    middle = (codes[-1] - codes[0]) / (codes.size - 1)
    if np.abs(gaps - middle).max() <= slack and middle:
        return Duration([[_rounded(float(middle), float(gaps[0]))]], form)
    months = _months_of(times) if isinstance(times, Datetime) else None
    return Duration([[np.nan]], form) if months is None else CalendarDuration.of(months=months)


def _rounded(middle: float, first: float) -> float:
    """Return the mean step, or the first where it differs from it by rounding only."""
    return first if abs(middle - first) <= 1e-9 * abs(first) else middle


def _months_of(times: Datetime) -> float | None:
    now = civil.parts(times.local().ravel())
    months = now.year * 12 + now.month
    gaps = np.diff(months)
    if gaps[0] == 0 or (gaps != gaps[0]).any():
        return None
    start = times.with_codes(times.codes[:1])
    steps = CalendarDuration.of(months=np.arange(now.year.size) * float(gaps[0])).codes
    again = moved(start.local(), CalendarDuration(steps.reshape(-1, 1)), 1, times.zone)
    return float(gaps[0]) if (again.ravel() == times.local().ravel()).all() else None


def rate_of(times: Datetime | Duration) -> float:
    """Rows in a second; NaN where the step is not one, or one of months."""
    step = step_of(times)
    return 1000.0 / step.codes.item() if isinstance(step, Duration) else float("nan")
