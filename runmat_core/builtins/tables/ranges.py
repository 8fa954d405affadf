"""How the times of a timetable lie to a range: containsrange, withinrange, overlapsrange."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError, not_enough_inputs
from runmat_core.builtins.tables.times import TimeRange
from runmat_core.builtins.tables.timetables import timetable_of_arg
from runmat_core.values import from_numpy
from runmat_core.values.tables.timetable import Timetable
from runmat_core.values.time.datetime import Datetime
from runmat_core.values.time.duration import Duration


def _range(function: str, args: tuple[Any, ...]) -> TimeRange:
    """Return a range: a timerange, the times of a timetable, one time, or both ends."""
    if not args:
        raise not_enough_inputs()
    if len(args) == 2:
        return TimeRange(args[0], args[1], "closed")
    (given,) = args
    if isinstance(given, TimeRange):
        return given
    times = given.times if isinstance(given, Timetable) else given
    if isinstance(times, Datetime | Duration) and times.codes.size:
        flat = times.codes.ravel(order="F")
        ends = [times.with_codes(np.array([[x]], flat.dtype)) for x in (flat.min(), flat.max())]
        return TimeRange(ends[0], ends[1], "closed")
    raise MatlabError(
        f"MATLAB:timetable:{function}:InvalidRange",
        "The range must be a timerange subscript, a timetable, a time, or two times.",
    )


def _answer(found: bool, chosen: TimeRange, table: Timetable, nargout: int) -> Any:
    """Whether it holds, and which rows are in the range."""
    if nargout < 2:
        return found
    flags = np.zeros((table.shape[0], 1), np.bool_)
    flags[chosen.rows_in(table.times)] = True
    return found, from_numpy(flags)


@builtin("containsrange", family="tables/ranges", nargin=(2, 3), nargout=2, needs=("nargout",))
def containsrange(tt: Any, *args: Any, nargout: int = 1) -> Any:
    """Whether the times of a timetable reach over a range.

    TF = containsrange(TT, S) of a timerange S, containsrange(TT, TT2) of the times of a timetable
    TF = containsrange(TT, T), containsrange(TT, T1, T2)
    [TF, ROWS] = containsrange(…): the rows in the range

    Examples:
        >> containsrange(timetable(hours([1; 5]), [1; 2]), hours(2), hours(3))
        ans =
          logical
           1

    See also: withinrange, overlapsrange, timerange.
    """
    table = timetable_of_arg("containsrange", tt)
    chosen = _range("containsrange", args)
    codes = table.times.codes
    low, high = chosen.ends(table.times)
    found = bool(codes.size and np.nanmin(codes) <= low and high <= np.nanmax(codes))
    return _answer(found, chosen, table, nargout)


@builtin("withinrange", family="tables/ranges", nargin=(2, 3), nargout=2, needs=("nargout",))
def withinrange(tt: Any, *args: Any, nargout: int = 1) -> Any:
    """Whether all times of a timetable are in a range.

    TF = withinrange(TT, S), withinrange(TT, TT2), withinrange(TT, T1, T2)
    [TF, ROWS] = withinrange(…): the rows in the range

    Examples:
        >> withinrange(timetable(hours([1; 5]), [1; 2]), timerange(hours(0), hours(5)))
        ans =
          logical
           0

    See also: containsrange, overlapsrange, timerange.
    """
    table = timetable_of_arg("withinrange", tt)
    chosen = _range("withinrange", args)
    rows = chosen.rows_in(table.times)
    return _answer(0 < len(rows) == table.shape[0], chosen, table, nargout)


@builtin("overlapsrange", family="tables/ranges", nargin=(2, 3), nargout=2, needs=("nargout",))
def overlapsrange(tt: Any, *args: Any, nargout: int = 1) -> Any:
    """Whether the times of a timetable and a range have something in common.

    TF = overlapsrange(TT, S), overlapsrange(TT, TT2), overlapsrange(TT, T1, T2)
    [TF, ROWS] = overlapsrange(…): the rows in the range

    Examples:
        >> overlapsrange(timetable(hours([1; 5]), [1; 2]), hours(4), hours(9))
        ans =
          logical
           1

    See also: containsrange, withinrange, timerange.
    """
    table = timetable_of_arg("overlapsrange", tt)
    chosen = _range("overlapsrange", args)
    codes = table.times.codes
    found = False
    if codes.size:
        first, last = np.nanmin(codes), np.nanmax(codes)
        hull = table.times.with_codes(np.array([[first], [last]], codes.dtype))
        low, high = chosen.ends(table.times)
        between = first <= low and high <= last
        found = bool(between or len(chosen.rows_in(hull)) or (low < first and last < high))
    return _answer(found, chosen, table, nargout)
