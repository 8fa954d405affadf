"""Elements by their place in the order of a vector that is not sorted for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Line = NDArray[Any]

#: Elements from which a sample tells where to look, its size, and how far around the place looked
#: for: four standard deviations of the place of a sample's middle.
_LONG, _SAMPLE, _AROUND = 1 << 15, 1 << 12, 128
#: Elements that a cache holds.
_PART = 1 << 15
#: The most places for which elements are looked for apart.
_FEW = 8


def ordered_at(line: Line, places: Sequence[int]) -> Line:
    """Return the elements that are at some places once they are sorted.

    Args:
        line: one axis, real, without NaN.
        places: from zero, in order.
    """
    if len(places) > _FEW:
        return np.asarray(np.sort(line)[list(places)])
    if line.size < _LONG:
        return np.asarray(np.partition(line, places)[list(places)])
    sample = np.sort(line[:: line.size // _SAMPLE])
    found = np.empty(len(places), line.dtype)
    done = 0
    while done < len(places):
        first, inside = _around(line, sample, places[done])
        if not first <= places[done] < first + inside.size:  # the sample did not tell
            return np.asarray(np.partition(line, places)[list(places)])
        own = [place - first for place in places[done:] if place < first + inside.size]
        found[done : done + len(own)] = np.partition(inside, own)[own]
        done += len(own)
    return found


def _around(line: Line, sample: Line, place: int) -> tuple[int, Line]:
    """Return elements around a position, as a sample guesses, and where they begin."""
    middle = place * sample.size // line.size
    low = sample[middle - _AROUND] if middle >= _AROUND else None
    high = sample[middle + _AROUND] if middle + _AROUND < sample.size else None
    first, kept = 0, []
    for start in range(0, line.size, _PART):
        part = line[start : start + _PART]
        if low is not None:
            enough = part >= low
            first += part.size - int(np.count_nonzero(enough))
            inside = enough if high is None else np.logical_and(enough, part <= high, out=enough)
        else:
            inside = np.ones(part.size, np.bool_) if high is None else part <= high
        kept.append(part[inside])
    return first, np.concatenate(kept)
