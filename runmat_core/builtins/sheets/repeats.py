"""Columns whose short texts repeat: each text once, and which of them every row has."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from runmat_core.builtins.sheets.fields import Column

#: Texts longer than this many bytes are not compared as words.
_LONGEST = 32
#: Columns shorter than this are read as fast text by text.
_WORTHWHILE = 256
_BITS = 16
#: Rows that are looked at to see whether texts repeat.
_SAMPLE = 4096
_FACTORS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93,
            0xA0761D6478BD642F, 0xE7037ED1A0B428DB)  # fmt: skip
_LAST = np.array([0, *((1 << 64) - (1 << (8 * (8 - n))) for n in range(1, 9))], np.uint64)


def distinct(column: Column) -> tuple[list[str], NDArray[np.intp]]:
    """Return the different texts of a column, and the number of the text of each row.

    A text may be listed more than once.
    """
    found = _encoded(column) if len(column) >= _WORTHWHILE else None
    if found is None:
        return column.words(), np.arange(len(column))
    rows, codes = found
    return column.at(rows).words(), codes


def _encoded(column: Column) -> tuple[NDArray[np.intp], NDArray[np.intp]] | None:
    """Return a row for each different text, and the number of the text of each row.

    None where texts are long, mostly different, or have zeros or doubled quotes in them.
    """
    keys = _keys(column)
    if keys is None:
        return None
    count = len(column)
    sample = np.random.default_rng(0).integers(0, count, min(count, _SAMPLE))
    mixed = _mixed(keys, _FACTORS[0])
    if len(np.unique(mixed[sample])) > len(sample) * 3 // 4:
        return None
    representative = np.empty(count, np.intp)
    pending = np.arange(count)
    left = keys
    for k, factor in enumerate(_FACTORS):
        mixed = _mixed(left, factor) if k else mixed
        mixed >>= np.uint64(64 - _BITS)
        buckets = mixed.view(np.int64)
        table = np.zeros(1 << _BITS, np.intp)
        table[buckets] = pending
        chosen = table[buckets]
        same = keys[0][chosen] == left[0]
        for key, own in zip(keys[1:], left[1:], strict=True):
            same &= key[chosen] == own
        if same.all():
            representative[pending] = chosen
            pending = pending[:0]
            break
        representative[pending[same]] = chosen[same]
        rest = np.flatnonzero(~same)
        pending, left = pending[rest], [own[rest] for own in left]
    representative[pending] = pending
    used = np.zeros(count, np.bool_)
    used[representative] = True
    rows = np.flatnonzero(used)
    numbers = np.empty(count, np.intp)
    numbers[rows] = np.arange(len(rows))
    return rows, numbers[representative]


def _keys(column: Column) -> list[NDArray[np.uint64]] | None:
    """Return the bytes of each text as words, the last of its bytes in the first word."""
    ends = np.ascontiguousarray(column.ends)
    lengths = ends - column.starts
    longest = int(lengths.max())
    octets = column.content.octets
    if longest > _LONGEST or column.content.has("\0"):
        return None
    if column.quoted is not None and column.content.has('"'):
        # a doubled quote stands for one
        inner = column.content.places('"')
        if (np.diff(inner) == 1).any():
            return None
    words = np.ndarray((octets.size - 7,), "<u8", octets, 0, (1,))
    keys = []
    for passed in range(0, max(longest, 1), 8):
        key = words[ends - 8 - passed]
        fits = longest <= 8
        key &= _LAST[lengths if fits else np.clip(lengths - passed, 0, 8)]
        keys.append(key)
    return keys


def _mixed(keys: list[NDArray[np.uint64]], factor: int) -> NDArray[np.uint64]:
    """Return a hash of the words of each text; its high bits depend on all of them."""
    total = keys[0] * np.uint64(factor)
    for key in keys[1:]:
        total ^= total >> np.uint64(29)
        total += key
        total *= np.uint64(factor)
    total ^= total >> np.uint64(32)
    total *= np.uint64(factor)
    return total
