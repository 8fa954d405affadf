"""Convolutions of a matrix with few taps, in memory that stays in the cache."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from runmat_core.values.lapack import blas

Numbers = NDArray[Any]

#: Elements of a sum that are made at a time: fewer than BLAS shares among threads.
_CHUNK = 10_000
#: Most elements of the lines that are laid into a panel at a time, unless one line has more.
_PANEL = 4 * _CHUNK
#: Bytes of a line of the processor's cache.
_LINE = 64
#: Elements of a column from which it is long enough to be a line.
_SHORT = 256
#: Lines that one product makes. With more of them most of a band is zeros.
_ROWS = 4
#: Columns of a product at most, and multiplications: fewer than BLAS shares among threads.
_COLUMNS, _MULTIPLICATIONS = 512, 1 << 18
#: Elements of shifted lines that are laid out at a time: what the second cache holds half of.
_LAID = 1 << 16


def summed(big: Numbers, small: Numbers, where: tuple[slice, ...], finite: bool) -> Numbers:
    """Return a part of a convolution of matrices as a sum over the taps of one of them.

    Args:
        big: a matrix of floating-point numbers.
        small: the taps, which are finite.
        where: the part of the full convolution.
        finite: whether all elements of `big` are. Where they are not, taps of zero are left out.
    """
    # along columns, as matrices are kept, unless these are short
    turned = big.shape[0] >= min(big.shape[1], _SHORT)
    if turned:
        big, small, where = big.T, small.T, where[::-1]
    real = big.dtype.kind == small.dtype.kind == "f"
    rule = _multiplied if finite and real and _multiply(small) else _added
    with np.errstate(all="ignore"):
        result = rule(big, small, where)
    return result.T if turned else result


def _multiply(small: Numbers) -> bool:
    """Whether products take less time, though they multiply zeros and need shifted copies.

    As measured: a copy takes as long as two scaled additions, and four rows of a band as one.
    """
    down, across = small.shape
    return bool(4 * np.count_nonzero(small) >= across * (down + 9))


def _multiplied(big: Numbers, small: Numbers, where: tuple[slice, ...]) -> Numbers:
    """Products of a band of taps with lines: what scaled additions read for each tap is read once.

    Each line is laid out once for each tap along it, shifted. A product with the band makes
    `_ROWS` lines; all products are one call.
    """
    (lines, length), (down, across) = big.shape, small.shape
    first, last, _ = where[0].indices(lines + down - 1)
    left, right, _ = where[1].indices(length + across - 1)
    dtype = np.result_type(big, small)
    band = _band(small.astype(dtype, copy=False))
    result = np.empty((max(last - first, 0), max(right - left, 0)), dtype)
    tile = max(min(_COLUMNS, _MULTIPLICATIONS // band.size), 1)
    for begin in range(left, right, tile):
        width = min(tile, right - begin)
        count = max(_LAID // (across * width) - down + 1, _ROWS)  # lines that are made at a time
        count = min(count, len(result)) // _ROWS * _ROWS or _ROWS
        padded = np.zeros((count + down - 1, width + across - 1), dtype)
        laid = np.empty((count + down - 1, across, width), dtype)
        shifted = as_strided(padded, laid.shape, (*padded.strides, padded.strides[1]))
        line_step, *steps = laid.strides
        columns = as_strided(
            laid, (count // _ROWS, band.shape[1], width), (_ROWS * line_step, *steps)
        )
        shift = begin - (across - 1)  # the column that the padded lines begin with
        low, high = max(shift, 0), min(begin + width, length)
        for line in range(0, len(result), count):
            made = result[line : line + count, begin - left : begin - left + width]
            start = first + line - (down - 1)
            top, bottom = max(start, 0), min(start + len(made) + down - 1, lines)
            padded[: top - start] = 0
            padded[top - start : bottom - start, low - shift : high - shift] = big[
                top:bottom, low:high
            ]
            padded[bottom - start :] = 0
            np.copyto(laid, shifted)
            _multiply_groups(band, columns, made)
    return result


def _band(small: Numbers) -> Numbers:
    """Return the taps that `_ROWS` lines have for the shifted lines they are made of."""
    down, across = small.shape
    band = np.zeros((_ROWS, _ROWS + down - 1, across), small.dtype)
    for row in range(_ROWS):
        band[row, row : row + down] = small[::-1, ::-1]
    return band.reshape(_ROWS, -1)


def _multiply_groups(band: Numbers, columns: Numbers, made: Numbers) -> None:
    """Write products of the band with columns of taps, `_ROWS` lines each."""
    groups, rest = divmod(len(made), _ROWS)
    whole = groups * _ROWS
    # to split an axis makes a view
    out = made[:whole].reshape(groups, _ROWS, made.shape[1])
    np.matmul(band, columns[:groups], out=out)
    if rest:
        np.matmul(band[:rest], columns[groups], out=made[whole:])


def _added(big: Numbers, small: Numbers, where: tuple[slice, ...]) -> Numbers:
    """Return the sum of scaled lines, tap by tap.

    Lines with zeros between them lie one after another in a panel, so that a tap is one scaled
    addition of a vector at another offset; panel and sum stay in the cache for all taps. Both are
    little, as fresh pages of memory take as long as the sums.
    """
    (lines, length), (down, across) = big.shape, small.shape
    width = length + across - 1
    first, last, _ = where[0].indices(lines + down - 1)
    dtype = np.result_type(big, small)
    axpy = blas("axpy", dtype)
    taps = [
        (factor, (down - 1 - i) * width + across - 1 - j)
        for i, row in enumerate(small.tolist())
        for j, factor in enumerate(row)
        if factor
    ]
    group = max(_CHUNK // width, 1)  # lines that are summed at a time
    # a panel repeats down - 1 lines of the one before, so it has some times as many
    groups = min(-(-8 * (down - 1) // group), _PANEL // (group * width))
    block = min(group * max(groups, 1), max(last - first, 1))
    panel = np.zeros(across - 1 + (block + down - 1) * width, dtype)
    rows = panel[across - 1 :].reshape(-1, width)
    sums = _whole_lines(min(group, block) * width, dtype)
    result = np.empty((max(last - first, 0), len(range(*where[1].indices(width)))), dtype)
    for line in range(0, len(result), block):
        count = min(block, len(result) - line)
        start = first + line - (down - 1)  # the line that the panel begins with
        low, high = max(start, 0), min(start + count + down - 1, lines)
        rows[: low - start] = 0
        rows[low - start : high - start, :length] = big[low:high]
        rows[high - start :] = 0
        for top in range(0, count, group):
            some = min(group, count - top)
            for at in range(0, some * width, _CHUNK):
                part = sums[at : min(at + _CHUNK, some * width)]
                part.fill(0)
                for factor, offset in taps:
                    axpy(panel, part, part.size, factor, offset + top * width + at)
            found = sums[: some * width].reshape(some, width)
            result[line + top : line + top + some] = found[:, where[1]]
    return result


def _whole_lines(count: int, dtype: np.dtype[Any]) -> Numbers:
    """Elements from the beginning of a cache line on: no vector register stores across two."""
    memory = np.empty(count * dtype.itemsize + _LINE, np.uint8)
    start = -memory.ctypes.data % _LINE
    return memory[start : start + count * dtype.itemsize].view(dtype)
