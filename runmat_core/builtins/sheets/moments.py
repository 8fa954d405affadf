"""Columns of dates of one width, read by arithmetic on all their digits at once."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.builtins.sheets.fields import Column
from runmat_core.values.time import civil, patterns

#: Fields of a format that have as many digits as letters.
_DIGITS = ("uuuu", "yyyy", "MM", "dd", "HH", "mm", "ss")
_BLOCK = 1 << 13
_FIRST_YEAR, _LAST_YEAR = 1, 9999


@lru_cache(64)
def _layout(form: str) -> tuple[tuple[str, int, int], ...] | None:
    """Return the fields of a format with their places; a literal is there as it is, after a blank.

    None where texts of this format differ in width.
    """
    found, at, seen = [], 0, set()
    for piece in patterns.tokens(form):
        literal = patterns.literal(piece)
        if literal is not None:
            if not literal.isascii() or any(c.isalpha() or c == " " for c in literal.strip("T ")):
                return None
            found.append((f" {literal}", at, at + len(literal)))
            at += len(literal)
            continue
        fixed = piece in _DIGITS or piece == "MMM" or (piece[0] == "S" and 1 < len(piece) <= 9)
        if not fixed or piece[0] in seen:
            return None
        seen.add(piece[0])
        found.append((piece, at, at + len(piece)))
        at += len(piece)
    if len({"u", "y"} & seen) != 1 or not {"M", "d"} <= seen:
        return None
    return tuple(found)


def times(column: Column, form: str) -> tuple[NDArray[np.longdouble], NDArray[np.bool_]] | None:
    """Return the local times of a column in milliseconds, and which of them could be read.

    None where texts of this format differ in width.
    """
    layout = _layout(form)
    if layout is None:
        return None
    width = layout[-1][2]
    count = len(column)
    found, known = np.full(count, np.nan, np.longdouble), np.zeros(count, np.bool_)
    octets = column.content.octets
    spans = np.ndarray((octets.size - width + 1,), f"V{width}", octets, 0, (1,))
    fits = column.ends - column.starts == width
    for at in range(0, count, _BLOCK):
        part = fits[at : at + _BLOCK]
        rows: Any = slice(at, at + len(part))
        if not part.all():
            rows = np.flatnonzero(part) + at
        starts = column.starts[rows]
        if len(starts):
            texts = spans[starts].view(np.uint8).reshape(-1, width)
            moments, fine = _block(np.ascontiguousarray(texts.T), layout)
            found[rows] = moments
            known[rows] = fine
    return found, known


def _block(
    texts: NDArray[np.uint8], layout: tuple[tuple[str, int, int], ...]
) -> tuple[NDArray[np.longdouble], NDArray[np.bool_]]:
    """Return the times of texts, which are columns of a matrix of characters."""
    fine = np.ones(texts.shape[1], np.bool_)
    parts: dict[str, NDArray[np.int64]] = {}
    clock = np.zeros(texts.shape[1])
    fraction = None
    for piece, begin, end in layout:
        part = texts[begin:end]
        if piece[0] == " ":
            for row, character in zip(part, piece[1:], strict=True):
                fine &= row == ord(character)
        elif piece == "MMM":
            parts["M"], right = _months(part)
            fine &= right
        else:
            value, right = _number(part)
            fine &= right
            if piece[0] == "S":
                fraction = value / 10.0 ** (end - begin)
            else:
                parts[piece[0]] = value
    year = parts["u"] if "u" in parts else parts["y"]
    month, day = parts["M"], parts["d"]
    fine &= (year >= _FIRST_YEAR) & (month >= 1) & (month <= 12) & (day >= 1)
    year, month = np.where(fine, year, 2000), np.where(fine, month, 1)
    low = int(year.min())
    firsts = _month_firsts(low, int(year.max()))
    at = (year - low) * 12 + month - 1
    begins = firsts[at]
    fine &= day <= firsts[at + 1] - begins
    days = begins + day - 1
    for letter, unit, limit in (("H", 3600, 24), ("m", 60, 59), ("s", 1, 59)):
        if letter in parts:
            fine &= parts[letter] <= limit
            clock += parts[letter] * unit
    moments = days.astype(np.longdouble) * civil.DAY
    if fraction is not None:
        clock = clock + fraction
    moments += clock.astype(np.longdouble) * 1000
    moments[~fine] = np.nan
    return moments, fine


@lru_cache(16)
def _month_firsts(low: int, high: int) -> NDArray[np.int64]:
    """Return the days since 1970 of the first of each month of some years, and of the next one."""
    months = np.arange((high - low + 1) * 12 + 1)
    found: NDArray[np.int64] = civil.day_number(low + months // 12, months % 12 + 1, 1)
    return found


def _number(part: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    digits = part - np.uint8(48)
    total = digits[0].astype(np.int64)
    for row in digits[1:]:
        total *= 10
        total += row
    fine: NDArray[np.bool_] = np.logical_and.reduce(digits <= 9, axis=0)
    return total, fine


def _months(part: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Months by the three letters of their names, whatever their case."""
    letters = (part | 32).astype(np.int64)
    codes = letters[0] << 16 | letters[1] << 8 | letters[2]
    names = [month[:3].lower().encode() for month in civil.MONTHS]
    known = np.array([a << 16 | b << 8 | c for a, b, c in names])
    order = np.argsort(known)
    at = np.minimum(np.searchsorted(known, codes, sorter=order), 11)
    month = order[at]
    fine: NDArray[np.bool_] = known[month] == codes
    return month + 1, fine
