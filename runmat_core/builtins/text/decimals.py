"""Long texts of plain decimal numbers, read by arithmetic on all their bytes at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Texts shorter than this are read as fast one number after the other.
_WORTHWHILE = 1000
#: Bytes that are read at a time, so that what is made of them stays in the cache.
_BLOCK = 1 << 17
#: Digits that are read as one number.
_GROUP = 8
#: Digits of any number up to this many are a double exactly, and so is the power of ten
#: that divides it: one division rounds as reading the text does.
_DIGITS = 15
_POWERS = 10 ** np.arange(_GROUP + 1, dtype=np.uint32)
_SCALES = 10.0 ** np.arange(_DIGITS + 1)

_Places = NDArray[np.intp]


def decimals(text: str, mark: str, row_mark: str = "") -> NDArray[np.float64] | None:
    """The numbers of a text as the matrix whose rows they are in.

    They are written as JSON does, without an exponent and with 15 digits at most.

    Args:
        mark: the character between two numbers.
        row_mark: the character between two rows, which may stand behind the last one too.

    Returns:
        None where the text is short or has anything else, such as numbers of other kinds, blanks
        or rows of different lengths, and where a mark is longer or may be part of a number. Each
        number is the double that `float` makes of it.
    """
    if len(text) < _WORTHWHILE or not text.isascii() or not mark.isascii():
        return None
    if len(mark) != 1 or mark in "-.0123456789":
        return None
    if row_mark:
        text = text.removesuffix(row_mark)
    last = row_mark or mark
    raw = np.frombuffer(("0" * _GROUP + text + last).encode(), np.uint8)
    values, closing = [], []
    start = _GROUP
    while start < raw.size:
        stop = min(start + _BLOCK, raw.size)
        # no number that can be read is longer than what is looked at here
        tail = raw[max(stop - 2 * _DIGITS, 0) : stop]
        ends = np.flatnonzero(_among(tail, mark + row_mark))
        if not ends.size:
            return None
        stop -= tail.size - 1 - int(ends[-1])
        found = _block(raw[start - _GROUP : stop], mark + row_mark)
        if found is None:
            return None
        values.append(found[0])
        closing.append(found[1] == ord(last))
        start = stop
    numbers = np.concatenate(values)
    return _rows(numbers, np.concatenate(closing)) if row_mark else numbers[None]


def _rows(numbers: NDArray[np.float64], closing: NDArray[np.bool_]) -> NDArray[np.float64] | None:
    columns = int(closing.argmax()) + 1
    if numbers.size % columns:
        return None
    whole = closing.reshape(-1, columns)
    if whole[:, :-1].any() or not whole[:, -1].all():
        return None
    return numbers.reshape(-1, columns)


def _among(codes: NDArray[np.uint8], marks: str) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = codes == ord(marks[0])
    for mark in marks[1:]:
        found |= codes == ord(mark)
    return found


def _block(
    raw: NDArray[np.uint8], marks: str
) -> tuple[NDArray[np.float64], NDArray[np.uint8]] | None:
    """The numbers of bytes, and the mark behind each; a group of any bytes stands before them."""
    digits = raw - np.uint8(ord("0"))
    digits[:_GROUP] = 0
    others = np.flatnonzero(digits > 9)
    digits[others] = 0
    kinds = raw[others]
    at = np.flatnonzero(_among(kinds, marks))
    ends = others[at]
    begins = np.concatenate(([_GROUP], ends[:-1] + 1))
    negative = raw[begins] == ord("-")
    begins += negative
    # what is no digit in a number: its sign, and a point as the last of them
    inside = np.diff(at, prepend=-1) - 1
    before = others[at - 1]
    dotted = (raw[before] == ord(".")) & (inside > 0)
    points = np.where(dotted, before, ends)
    whole, part = points - begins, ends - points - dotted
    if (
        (inside != negative.view(np.uint8) + dotted.view(np.uint8)).any()
        or whole.min() < 1
        or (whole + part).max() > _DIGITS
        or (dotted & (part == 0)).any()
        or ((raw[begins] == ord("0")) & (whole > 1)).any()
    ):
        return None
    groups = _groups(digits)
    scales = _SCALES[part]
    values = _integers(groups, points, whole) * scales
    values += _integers(groups, ends, part)
    values /= scales
    values *= 1.0 - 2.0 * negative
    return values, kinds[at]


def _groups(digits: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """The number that each digit ends, with seven others before it."""
    made: NDArray[Any] = digits
    for width, kind in ((1, np.uint8), (2, np.uint16), (4, np.uint32)):
        made = made.astype(kind)
        made[width:] += made[:-width] * kind(10**width)
    return made


def _integers(groups: NDArray[np.uint32], ends: _Places, lengths: _Places) -> Any:
    """The integers of `lengths` digits before the places `ends`."""
    if lengths.max() <= _GROUP:
        return groups[ends - 1] % _POWERS[lengths]
    low = groups[ends - 1] % _POWERS[np.minimum(lengths, _GROUP)]
    high = groups[ends - 1 - _GROUP] % _POWERS[np.maximum(lengths - _GROUP, 0)]
    return low + high * 10.0**_GROUP
