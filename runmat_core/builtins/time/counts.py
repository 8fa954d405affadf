"""Points in time as numbers of any count of time."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.builtins.arguments import scalar
from runmat_core.builtins.named import choice, pairs
from runmat_core.builtins.time.date_parts import times_of
from runmat_core.builtins.time.datetimes import datetime, exceltime, juliandate, posixtime, yyyymmdd
from runmat_core.values import char, from_numpy
from runmat_core.values.time import civil

#: Counts of parts of a second as whole numbers: the first day, from 1970, and parts of one.
_FINE = {"ntp": (-25567, 2**32), "ntfs": (-134774, 10**7), ".net": (-719162, 10**7)}

_COUNTS = (
    *("datenum", "excel", "excel1904", "juliandate", "modifiedjuliandate", "posixtime"),
    *("yyyymmdd", "epochtime", *_FINE),
)


@builtin("convertTo", family="time/datetimes", nargin=(2, 6), effects="pure")
def convertTo(t: Any, kind: Any, *options: Any) -> Any:
    """Points in time as numbers.

    X = convertTo(T, KIND) with KIND "datenum", "excel", "excel1904", "juliandate",
    "modifiedjuliandate", "posixtime" or "yyyymmdd", and of class uint64 with "ntp", "ntfs" or
    ".net"
    X = convertTo(T, "epochtime", "Epoch", E, "TicksPerSecond", N) of class int64: seconds, or
    parts of them, since a point in time; 1970 is the default

    Examples:
        >> convertTo(datetime(2020, 1, 31), "yyyymmdd")
        ans =
            20200131

    See also: datetime, posixtime, juliandate, exceltime, datenum.
    """
    times = times_of("convertTo", t)
    name = choice(kind, _COUNTS, "convertTo")
    if name == "epochtime":
        return _ticks(times, options)
    pairs(options, (), "convertTo")
    if name in _FINE:
        first, parts = _FINE[name]
        since = times.codes / 1000 - np.longdouble(first) * 86400
        whole = np.where(np.isnan(since) | (since < 0), 0, np.floor(since * parts))
        return from_numpy(whole.astype(np.uint64))
    if name in ("juliandate", "modifiedjuliandate"):
        return juliandate(times, char(name))
    if name in ("datenum", "excel1904"):
        zero = civil.DATENUM_EPOCH if name == "datenum" else 24107
        return from_numpy(np.asarray(times.local() / civil.DAY + zero, np.float64))
    return {"excel": exceltime, "posixtime": posixtime, "yyyymmdd": yyyymmdd}[name](times)


def _ticks(times: Any, options: tuple[Any, ...]) -> Any:
    """Whole ticks since an epoch."""
    named, _ = pairs(options, ("Epoch", "TicksPerSecond"), "convertTo")
    since = times.codes
    if "Epoch" in named:
        epoch = times_of("convertTo", datetime(named["Epoch"]))
        since = since - epoch.codes
    per_second = scalar(named["TicksPerSecond"]) if "TicksPerSecond" in named else 1.0
    return from_numpy(np.floor(np.asarray(since) * (per_second / 1000)).astype(np.int64))
