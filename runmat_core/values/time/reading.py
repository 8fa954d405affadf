"""From text to points in time."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.errors import MatlabError
from runmat_core.values.string import MISSING
from runmat_core.values.time import civil, patterns

#: Texts that stand for no time or for an endless one.
_SPECIAL = {"nat": np.nan, "": np.nan, "inf": np.inf, "-inf": -np.inf, "<missing>": np.nan}


def default_pivot() -> int:
    return datetime.now().year - 50


def parse(words: NDArray[np.object_], form: str, zone: str, pivot: int | None = None) -> Any:
    """Return the times that texts say, as milliseconds: of UTC where `zone` is given, else local.

    Args:
        words: texts and MISSING.
        form: the format; empty for any known one.
        pivot: the first of the hundred years that years of two digits mean.

    Raises:
        MatlabError: no text fits.
    """
    now = datetime.now()
    today = (now.year, now.month, now.day)
    first_year = default_pivot() if pivot is None else pivot
    found = np.full(words.shape, np.nan, np.longdouble, order="F")
    bad: str | None = None
    read_any = False
    last = form
    for place, word in np.ndenumerate(words):
        if word is MISSING or word.strip().lower() in _SPECIAL:
            found[place] = np.nan if word is MISSING else _SPECIAL[word.strip().lower()]
            read_any = True
            continue
        moment, last = _read(word, form, last, first_year, today)
        if moment is None:
            bad = word if bad is None else bad
            continue
        read_any = True
        local = np.longdouble(moment.milliseconds) + np.longdouble(moment.seconds) * 1000
        found[place] = _utc(local, moment.offset, zone)
    if bad is not None and not read_any:
        raise unreadable(bad, form)
    return found


def _read(
    word: str, form: str, last: str, pivot: int, today: tuple[int, int, int]
) -> tuple[patterns.Moment | None, str]:
    """Return what a text says, and the format that it fits."""
    if form:
        return patterns.read(word, form, pivot, today), form
    for candidate in (last, *patterns.KNOWN) if last else patterns.KNOWN:
        moment = patterns.read(word, candidate, pivot, today)
        if moment is not None:
            return moment, candidate
    return None, last


def _utc(local: Any, offset: str, zone: str) -> Any:
    if offset and zone:
        name = "UTC" if offset.upper() in ("Z", "UTC", "GMT") else offset
        return civil.to_utc(np.array([local]), name)[0]
    return civil.to_utc(np.array([local]), zone)[0] if zone else local


def unreadable(word: str, form: str) -> MatlabError:
    if form:
        return MatlabError(
            "MATLAB:datetime:ParseErr",
            f"Unable to convert '{word}' to datetime using the format '{form}'.",
        )
    return MatlabError(
        "MATLAB:datetime:UnrecognizedDateStringSuggestLocale",
        f"Could not recognize the date/time format of '{word}'. You can specify a format using "
        "the 'InputFormat' parameter. If the date/time text contains day, month, or time zone "
        "names in a language foreign to the 'en_US' locale, those might not be recognized. You "
        "can specify a different locale using the 'Locale' parameter.",
    )
