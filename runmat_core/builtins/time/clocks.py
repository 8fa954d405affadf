"""clock, now, date, cputime, etime."""

from __future__ import annotations

import time
from datetime import datetime
from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import numeric
from runmat_core.builtins.text.support import row
from runmat_core.builtins.time import serial
from runmat_core.values import from_numpy


@builtin("clock", family="time/clocks")
def clock() -> Any:
    """The date and time as six numbers.

    c = clock is [year month day hour minute seconds].

    Examples:
        >> size(clock)
        ans =
             1     6

    See also: now, datevec, etime, tic.
    """
    moment = datetime.now()
    seconds = moment.second + moment.microsecond / 1e6
    parts = [moment.year, moment.month, moment.day, moment.hour, moment.minute, seconds]
    return from_numpy(np.array([parts], dtype=float))


@builtin("now", family="time/clocks")
def now() -> float:
    """The date and time as a serial date number.

    t = now; floor(t) is the date.

    Examples:
        >> now > datenum(2020, 1, 1)
        ans =
          logical
           1

    See also: clock, date, datestr.
    """
    return serial.of_datetime(datetime.now())


@builtin("date", family="time/clocks")
def date() -> Any:
    """The date as text.

    d = date is in the form dd-mmm-yyyy.

    Examples:
        >> numel(date)
        ans =
            11

    See also: now, clock, datestr.
    """
    return row(serial.write(float(np.floor(serial.of_datetime(datetime.now()))), "dd-mmm-yyyy"))


@builtin("cputime", family="time/clocks")
def cputime() -> float:
    """The processor time that this process has used, in seconds.

    t = cputime

    Examples:
        >> cputime > 0
        ans =
          logical
           1

    See also: tic, toc, clock.
    """
    return time.process_time()


@builtin("etime", family="time/clocks", effects="pure")
def etime(later: Any, earlier: Any) -> float:
    """The seconds between two times from clock.

    s = etime(t1, t0) is the time from t0 to t1.

    Examples:
        >> etime([2020 1 1 0 1 0], [2020 1 1 0 0 0])
        ans =
            60

    See also: clock, tic, toc.
    """

    def seconds(value: Any) -> tuple[float, float]:
        parts = numeric(value, "etime").real.astype(float).ravel()
        if parts.size != 6:
            raise MatlabError(
                "MATLAB:etime:InvalidInput", "Times must have six elements, as from clock."
            )
        day = float(serial.to_number(parts[0], parts[1], parts[2]))
        return day, float(parts[3] * 3600 + parts[4] * 60 + parts[5])

    (day0, rest0), (day1, rest1) = seconds(earlier), seconds(later)
    return 86400 * (day1 - day0) + (rest1 - rest0)
