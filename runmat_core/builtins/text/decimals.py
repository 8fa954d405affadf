"""Plain decimal numbers in text, read by arithmetic on eight bytes at a time.

Digits before and behind the point make one integer; it and a power of ten are exact in an extended
double, so one division or product rounds it to 64 bits, and rounding that to a double is right
unless it lies halfway between two. What is halfway, and whatever is no decimal number, is left to
other rules.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

Octets = NDArray[np.uint8]
Places = NDArray[np.intp]
Words = NDArray[np.uint64]

#: Bytes that stand before and behind a text, so that words can be read at any of its places.
MARGIN = 32
#: Texts shorter than this are read as fast one number after the other.
_LONG = 1000
#: Numbers that are read at a time, so that what is made of them stays in the cache.
_BLOCK = 1 << 14
#: Bytes in which marks are looked for at a time.
_PART = 1 << 18
#: Fewer numbers than this are read as fast one by one.
_WORTHWHILE = 16
#: So many numbers among many are read one by one.
_FEW = 8
_ZEROS = np.uint64(0x3030303030303030)
_HIGH = np.uint64(0x8080808080808080)
_ONES, _LOW = 0x0101010101010101, np.uint64(0x7F7F7F7F7F7F7F7F)
_ABOVE_NINE = np.uint64(0x7676767676767676)
_PAIRS, _FOURS = np.uint64(0x00FF00FF00FF00FF), np.uint64(0x0000FFFF0000FFFF)
_TENS, _HUNDREDS = np.uint64(2561), np.uint64(6553601)
_TEN_THOUSANDS = np.uint64(42949672960001)
_BYTE, _TWO, _FOUR = np.uint64(8), np.uint64(16), np.uint64(32)
#: What keeps the last n of eight bytes.
_LAST = np.array([0, *((1 << 64) - (1 << (8 * (8 - n))) for n in range(1, 9))], np.uint64)
_GROUP = np.uint64(10**8)
_POWERS = np.array([10**n for n in range(20)], np.uint64)
#: Powers of ten that an extended double has exactly.
_SCALES = np.array([np.longdouble(10) ** n for n in range(28)], np.longdouble)
_EXACT = 1 << 53
_DOUBLE_SCALES = 10.0 ** np.arange(23)
_EXTENDED = np.finfo(np.longdouble).nmant == 63


def numbers(
    octets: Octets, starts: Places, ends: Places, point: str = "."
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the numbers of spans of a text, and which spans are plain decimals that could be read.

    Args:
        octets: the text with margins.
    """
    count = len(starts)
    values, known = np.zeros(count), np.zeros(count, np.bool_)
    if count < _WORTHWHILE:
        return values, known
    words = np.ndarray((octets.size - 7,), "<u8", octets, 0, (1,))
    code = ord(point)
    for at in range(0, count, _BLOCK):
        part = slice(at, at + _BLOCK)
        spans = np.ascontiguousarray(starts[part]), np.ascontiguousarray(ends[part])
        values[part], known[part] = _block(octets, words, *spans, code)
        rest = np.flatnonzero(~known[part])
        if len(rest) > _FEW:
            starts_left, ends_left = (span[rest] for span in spans)
            found = _with_exponents(octets, words, starts_left, ends_left, code)
            values[rest + at], known[rest + at] = found
    return values, known


_JSON = re.compile(rb"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")


def decimals(text: str, mark: str, row_mark: str = "") -> NDArray[np.float64] | None:
    """Return the numbers of a text as the matrix whose rows they are in.

    They are written as JSON does, without an exponent.

    Args:
        mark: the character between two numbers.
        row_mark: the character between two rows, which may stand behind the last one too.

    Returns:
        None where the text is short or has anything else, such as numbers of other kinds, blanks
        or rows of different lengths, and where a mark is longer or may be part of a number. Each
        number is the double that `float` makes of it.
    """
    if len(text) < _LONG or not text.isascii() or not mark.isascii():
        return None
    if len(mark) != 1 or mark in "-.0123456789":
        return None
    if row_mark:
        text = text.removesuffix(row_mark)
    last = row_mark or mark
    raw = bytes(MARGIN) + (text + last).encode() + bytes(MARGIN)
    octets = np.frombuffer(raw, np.uint8)
    words = np.ndarray((octets.size - 7,), "<u8", octets, 0, (1,))
    ends = _places(octets, mark + row_mark)
    starts = np.concatenate(([MARGIN], ends[:-1] + 1))
    values = np.empty(len(ends))
    for at in range(0, len(ends), _BLOCK):
        part = slice(at, at + _BLOCK)
        found, known = _block(octets, words, starts[part], ends[part], ord("."))
        known &= _as_json(octets, starts[part], ends[part])
        rest = np.flatnonzero(~known)
        if len(rest) > max(len(found) >> 6, _FEW):
            return None
        for k in rest.tolist():
            word = raw[starts[at + k] : ends[at + k]]
            if _JSON.fullmatch(word) is None:
                return None
            found[k] = float(word)
        values[part] = found
    return _rows(values, octets[ends] == ord(last)) if row_mark else values[None]


def _places(octets: Octets, marks: str) -> Places:
    found = []
    for at in range(0, octets.size, _PART):
        part = octets[at : at + _PART]
        among = part == ord(marks[0])
        for mark in marks[1:]:
            among |= part == ord(mark)
        found.append(np.flatnonzero(among) + at)
    return np.concatenate(found)


def _as_json(octets: Octets, starts: Places, ends: Places) -> NDArray[np.bool_]:
    """Which decimals have digits at both ends and no zeros or signs that need not be."""
    heads = octets[starts]
    begins = starts + (heads == 45)
    heads = octets[begins]
    nines: NDArray[np.bool_] = heads - np.uint8(48) <= 9
    nines &= octets[ends - 1] != 46
    zeros = heads == 48
    if zeros.any():
        nines &= ~zeros | (octets[begins + 1] == 46) | (ends - begins == 1)
    return nines


def _rows(values: NDArray[np.float64], closing: NDArray[np.bool_]) -> NDArray[np.float64] | None:
    columns = int(closing.argmax()) + 1
    if values.size % columns:
        return None
    whole = closing.reshape(-1, columns)
    if whole[:, :-1].any() or not whole[:, -1].all():
        return None
    return values.reshape(-1, columns)


def _block(
    octets: Octets, words: Words, starts: Places, ends: Places, point: int
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the numbers of spans without exponents, and which of them could be read."""
    integers, places, negative, known = _integers(octets, words, starts, ends, point)
    found, certain = _divided(integers, places)
    np.negative(found, out=found, where=negative)
    return found, known & certain


def _with_exponents(
    octets: Octets, words: Words, starts: Places, ends: Places, point: int
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the numbers of spans with exponents of up to three digits, and which are read."""
    letters = np.zeros(len(ends), np.intp)
    for back in (5, 4, 3, 2):
        code = octets[ends - back] | 32
        here = ((code == 101) | (code == 100)) & (ends - back > starts)
        letters[here] = (ends - back)[here]
    rows = np.flatnonzero(letters)
    found, known = np.zeros(len(ends)), np.zeros(len(ends), np.bool_)
    if not len(rows):
        return found, known
    letters, ends = letters[rows], ends[rows]
    signs = octets[letters + 1]
    down = signs == 45
    counts = ends - letters - 1 - (down | (signs == 43))
    exponents, fine = _digits(words, ends, counts, 4)
    fine &= counts > 0
    integers, places, negative, right = _integers(octets, words, starts[rows], letters, point)
    powers = exponents.astype(np.intp)
    powers = np.where(down, -powers, powers) - places
    values, certain = _scaled(integers, np.where(fine & right, powers, 0))
    np.negative(values, out=values, where=negative)
    found[rows], known[rows] = values, fine & right & certain
    return found, known


def _integers(
    octets: Octets, words: Words, starts: Places, ends: Places, point: int
) -> tuple[Words, Places, NDArray[np.bool_], NDArray[np.bool_]]:
    """Return digits of spans as integers, digits behind the point, signs, and validity."""
    heads = octets[starts]
    negative = heads == 45
    begins = starts + (negative | (heads == 43))
    ends = np.maximum(ends, begins)
    lengths = ends - begins
    wide = int(lengths.max())
    first = octets[begins[0] : ends[0]].tobytes().find(point)
    points = None
    if first >= 0:
        points = _at_one_place(octets, begins, ends, point, int(lengths[0]) - first - 1)
    elif wide <= 8 and lengths.all():
        integer, fine = _digits(words, ends, lengths, wide)
        if fine.all():
            return integer, np.zeros(len(ends), np.intp), negative, fine
    if points is None:
        points = _points(words, begins, ends, point, wide)
    whole = points - begins
    part = np.maximum(ends - points - 1, 0)
    known = (whole + part > 0) & (whole <= 19) & (part <= 24) & (starts < ends)
    if not known.all():  # what follows needs no care about them
        whole, part = np.where(known, whole, 1), np.where(known, part, 0)
    integer, fine = _digits(words, points, whole, int(whole.max()))
    longest = int(part.max())
    if longest:
        fraction, right = _digits(words, ends, part, longest)
        fine &= right
        if longest + int(whole.max()) > 19:
            fine &= (integer == 0) | (whole + part <= 19)
        if longest > 19:
            # three groups of digits fit while the first has three at most
            fine &= (part <= 19) | (_leading(words, ends, part) < 1000)
        if longest <= 19 and longest == int(part.min()):
            integer *= _POWERS[longest]
        else:
            integer *= _POWERS[np.minimum(part, 19) if longest > 19 else part]
        integer += fraction
    return integer, part, negative, known & fine


def _at_one_place(
    octets: Octets, begins: Places, ends: Places, point: int, behind: int
) -> Places | None:
    """Return the points of numbers that all have so many digits behind them; else None.

    Columns of a file are mostly written with one format.
    """
    points = ends - (behind + 1)
    if (points < begins).any() or (octets[points] != point).any():
        return None
    return points


def _points(words: Words, begins: Places, ends: Places, point: int, wide: int) -> Places:
    """Where the first point of each number is; its end where it has none within 24 bytes."""
    found, unseen = _first(words, begins, ends, point)
    for passed in (8, 16):
        if wide <= passed or not len(unseen):
            break
        more, rest = _first(words, begins[unseen] + passed, ends[unseen], point)
        found[unseen] = more
        unseen = unseen[rest]
    return found


def _first(words: Words, begins: Places, ends: Places, point: int) -> tuple[Places, Places]:
    """Where the first point within eight bytes is, else the end; and which may have one later."""
    x = words[begins]
    x ^= np.uint64(point * _ONES)
    zeros = x & _LOW
    zeros += _LOW
    zeros |= x
    np.invert(zeros, out=zeros)
    zeros &= _HIGH
    # the lowest bit that is set says which byte it is
    zeros &= ~zeros + np.uint64(1)
    place = zeros.astype(np.float64).view(np.int64)
    place >>= 52
    place -= 1023
    place >>= 3
    hit = place >= 0
    place += begins
    hit &= place < ends
    return np.where(hit, place, ends), np.flatnonzero(~hit & (ends - begins > 8))


def _word(words: Words, ends: Places, counts: Places) -> Words:
    """Return the last `counts` of the eight bytes before positions, as digits."""
    found = words[ends - 8]
    found ^= _ZEROS
    found &= _LAST[counts]
    return found


def _value(digits: Words) -> Words:
    """Return the integers whose eight decimal digits are in bytes."""
    digits *= _TENS
    digits >>= _BYTE
    digits &= _PAIRS
    digits *= _HUNDREDS
    digits >>= _TWO
    digits &= _FOURS
    digits *= _TEN_THOUSANDS
    digits >>= _FOUR
    return digits


def _digits(
    words: Words, ends: Places, counts: Places, longest: int
) -> tuple[Words, NDArray[np.bool_]]:
    """Return the integers of `counts` digits before places, and whether they are digits."""
    found = _word(words, ends, np.minimum(counts, 8) if longest > 8 else counts)
    wrong = (found + _ABOVE_NINE) | found
    total = _value(found)
    scale = _GROUP
    for passed in range(8, longest, 8):
        more = _word(words, ends - passed, np.clip(counts - passed, 0, 8))
        wrong |= (more + _ABOVE_NINE) | more
        total += _value(more) * scale
        scale = scale * _GROUP if passed == 8 else scale
    return total, (wrong & _HIGH) == 0


def _leading(words: Words, ends: Places, counts: Places) -> Words:
    """Return what the digits before the last sixteen are."""
    return _value(_word(words, ends - 16, np.clip(counts - 16, 0, 8)))


def _divided(integers: Words, places: Places) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Integers divided by powers of ten, and which of the quotients are rounded rightly."""
    most = int(places.max())
    if int(integers.max()) < _EXACT and most < len(_DOUBLE_SCALES):
        found = integers.astype(np.float64)
        if most:
            found /= _DOUBLE_SCALES[most if most == int(places.min()) else places]
        return found, np.ones(len(places), np.bool_)
    if not _EXTENDED:
        fine = (integers < _EXACT) & (places < len(_DOUBLE_SCALES))
        scale = _DOUBLE_SCALES[np.minimum(places, len(_DOUBLE_SCALES) - 1)]
        return integers.astype(np.float64) / scale, fine
    quotients = integers.astype(np.longdouble)
    quotients /= _SCALES[places]
    tails = quotients.view(np.uint64)[::2] & np.uint64(0x7FF)
    return quotients.astype(np.float64), tails != 0x400


def _scaled(integers: Words, powers: Places) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Integers times powers of ten, and which of the products are rounded rightly."""
    scales = _SCALES if _EXTENDED else _DOUBLE_SCALES
    fine = np.abs(powers) < len(scales)
    powers = np.where(fine, powers, 0)
    products = integers.astype(scales.dtype)
    up = powers > 0
    products[up] *= scales[powers[up]]
    products[~up] /= scales[-powers[~up]]
    if not _EXTENDED:
        return products, fine & (integers < _EXACT)
    tails = products.view(np.uint64)[::2] & np.uint64(0x7FF)
    return products.astype(np.float64), fine & (tails != 0x400)
