"""calendar: the days of a month in weeks."""

from __future__ import annotations

import math
from datetime import datetime
from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import integer, numeric
from runmat_core.builtins.text.support import maybe_text
from runmat_core.builtins.time import serial
from runmat_core.values import class_of, from_numpy

#: Rows of a month; its first and last week may be parts of weeks.
WEEKS = 6
_DAYS = "     S     M    Tu     W    Th     F     S"


@builtin("calendar", family="time/dates", nargin=(0, 2), needs=("nargout", "interp"), effects="io")
def calendar(first: Any = None, month: Any = None, *, nargout: int, interp: Interp) -> Any:
    """The days of a month in weeks that begin on Sunday.

    calendar prints the present month, with a star at today
    calendar(D) prints the month of a serial date number, a datetime or a date as text
    calendar(Y, M) prints month M of year Y
    C = calendar(…) is a 6-by-7 matrix, with 0 where there is no day

    Examples:
        >> calendar(1957, 10)
                           Oct 1957
             S     M    Tu     W    Th     F     S
             0     0     1     2     3     4     5
             6     7     8     9    10    11    12
            13    14    15    16    17    18    19
            20    21    22    23    24    25    26
            27    28    29    30    31     0     0
             0     0     0     0     0     0     0
        >> C = calendar(2024, 2); C(5, :)
        ans =
            25    26    27    28    29     0     0

    See also: eomday, weekday, datenum.
    """
    now = datetime.now()
    if first is not None and class_of(first) == "datetime":
        serial_of = interp.builtin("datenum")
        assert serial_of is not None
        first = serial_of(1, first)
    year, number = _month(first, month, now)
    days = _weeks(year, number)
    if nargout:
        return from_numpy(np.asfortranarray(days))
    marked = now.day if (now.year, now.month) == (year, number) else 0
    title = serial.write(float(serial.to_number(year, number, 1)), "mmm yyyy")
    lines = [f"{'':19}{title}", _DAYS]
    for week in days:
        cells = (f"{'*' if day and day == marked else ''}{day:.0f}" for day in week)
        lines.append("".join(f"{cell:>6}" for cell in cells))
    interp.write("".join(f"{line}\n" for line in lines))
    return None


def _month(first: Any, month: Any, now: datetime) -> tuple[int, int]:
    """Year and month that a call asks for.

    Raises:
        MatlabError: MATLAB:calendar:date, the text is no date; the month is none.
    """
    if first is None:
        return now.year, now.month
    if month is not None:
        year, number = integer(first), integer(month)
        if not 1 <= number <= 12:
            raise MatlabError("MATLAB:calendar:month", "The month must be from 1 to 12.")
        return year, number
    text = maybe_text(first)
    if text is None:
        found = numeric(first, "calendar")
        if found.size != 1 or not np.isfinite(found).all():
            raise MatlabError("MATLAB:calendar:date", "The date must be a scalar or text.")
        parts: tuple[float, ...] | None = serial.to_parts(float(found.real.item()))
    else:
        parts = serial.read(text, None)
    if parts is None or parts[0] != parts[0]:
        raise MatlabError("MATLAB:calendar:date", f"'{text or first}' is no date.")
    return int(parts[0]), int(parts[1])


def _weeks(year: int, month: int) -> np.ndarray[Any, Any]:
    """Return the days of a month, week by week."""
    start = float(serial.to_number(year, month, 1))
    count = math.floor(float(serial.to_number(year, month + 1, 1)) - start)
    days = np.zeros(WEEKS * 7)
    before = int(serial.weekday(start)) - 1
    days[before : before + count] = np.arange(1, count + 1)
    return days.reshape(WEEKS, 7)
