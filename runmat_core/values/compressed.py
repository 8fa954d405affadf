"""Compressed columns: parts of matrices, and matrices with some elements written.

scipy's constructors and subscripts check and convert whatever they get. Loops over the columns of a
matrix take parts of a few elements, where that is nearly all of the time; so these functions make
the arrays themselves, which are in order by construction. Rows and columns count from zero.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cache
from sys import getrefcount
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.libraries import package

#: A scipy.sparse.csc_array in order, without duplicates and without stored zeros.
Matrix = Any
Indices = NDArray[Any]
Entries = tuple[Indices, Indices, NDArray[Any]]

_LARGEST = np.iinfo(np.int32).max


@cache
def _blank() -> tuple[type, dict[str, Any] | None]:
    """Return SciPy's class, and what an object of it holds that is known to be in order."""
    csc_array = package("scipy.sparse").csc_array

    made = csc_array((0, 0))
    made.has_canonical_format = True
    state = dict(vars(made))
    known = {"data", "indices", "indptr", "_shape"} <= state.keys()
    return csc_array, state if known else None


def assembled(
    values: NDArray[Any], rows: Indices, starts: Indices, shape: tuple[int, int]
) -> Matrix:
    """Return the matrix with these arrays, which are not looked at."""
    cls, state = _blank()
    if state is None:
        return cls((values, rows, starts), shape=shape)
    made: Any = object.__new__(cls)
    made.__dict__ = {
        **state, "data": values, "indices": rows, "indptr": starts, "_shape": shape
    }  # fmt: skip
    return made


def index_type(shape: tuple[int, int], count: int) -> type[np.signedinteger[Any]]:
    """Return the type of scipy's indices for a matrix of this size with `count` elements."""
    return np.int32 if max(*shape, count) <= _LARGEST else np.int64


def compressed(array: NDArray[Any]) -> Matrix:
    """Return the nonzero elements of a 2-D array of double, complex or logical."""
    shape = (int(array.shape[0]), int(array.shape[1]))
    columns, rows = array.T.nonzero()
    kind = index_type(shape, rows.size)
    return assembled(
        array[rows, columns], rows.astype(kind), _starts(columns, shape[1], kind), shape
    )


def _starts(columns: Indices, count: int, kind: Any) -> Indices:
    """Where each of `count` columns begins among elements of these columns, and where all end."""
    starts = np.zeros(count + 1, kind)
    np.cumsum(np.bincount(columns, minlength=count), out=starts[1:])
    return starts


def columns_of(matrix: Matrix) -> Indices:
    """Return the column of every element."""
    starts = matrix.indptr
    columns: Indices = np.repeat(
        np.arange(starts.size - 1, dtype=starts.dtype), starts[1:] - starts[:-1]
    )
    return columns


def keys_of(matrix: Matrix) -> NDArray[np.int64]:
    """Return the place of every element in the full matrix, column after column; they ascend."""
    keys: NDArray[np.int64] = columns_of(matrix) * np.int64(matrix.shape[0]) + matrix.indices
    return keys


# -- reading --------------------------------------------------------------------------------------


def place(matrix: Matrix, row: int, column: int) -> tuple[int, bool]:
    """Where among the elements that of `row` and `column` stands, or would, and whether it does."""
    starts, rows = matrix.indptr, matrix.indices
    end = int(starts[column + 1])
    at = bisect_left(rows, row, int(starts[column]), end)
    return at, at < end and rows[at] == row


def element(matrix: Matrix, row: int, column: int) -> Matrix:
    """Return the 1x1 matrix of one element."""
    at, stored = place(matrix, row, column)
    end = at + stored
    starts = np.array((0, int(stored)), matrix.indptr.dtype)
    return assembled(matrix.data[at:end].copy(), np.zeros_like(starts[: end - at]), starts, (1, 1))


def columns(matrix: Matrix, chosen: Indices) -> Matrix:
    """``matrix[:, chosen]``."""
    starts = matrix.indptr
    shape = (matrix.shape[0], chosen.size)
    if _is_run(chosen):
        first = int(chosen[0])
        begins = starts[first : first + chosen.size + 1]
        low, high = int(begins[0]), int(begins[-1])
        return assembled(
            matrix.data[low:high].copy(), matrix.indices[low:high].copy(), begins - low, shape
        )
    first_of = starts[chosen]
    counts = starts[chosen + 1] - first_of
    total = int(counts.sum(dtype=np.int64))
    begins = np.zeros(chosen.size + 1, index_type(matrix.shape, total))
    np.cumsum(counts, out=begins[1:])
    # the elements of a column follow each other there and here
    taken = np.arange(total) + np.repeat(first_of - begins[:-1], counts)
    rows = matrix.indices[taken].astype(begins.dtype, copy=False)
    return assembled(matrix.data[taken], rows, begins, shape)


def rows(matrix: Matrix, chosen: Indices) -> Matrix:
    """``matrix[chosen, :]``."""
    height, width = matrix.shape
    shape = (chosen.size, width)
    if chosen.size == 1:
        at = np.flatnonzero(matrix.indices == chosen[0])
        starts = np.zeros(width + 1, matrix.indptr.dtype)
        starts[matrix.indptr.searchsorted(at.astype(starts.dtype), "right")] = 1
        np.cumsum(starts, out=starts)
        return assembled(matrix.data[at], np.zeros(at.size, starts.dtype), starts, shape)
    if (chosen[1:] > chosen[:-1]).all():
        to = np.full(height, -1, matrix.indices.dtype)
        to[chosen] = np.arange(chosen.size, dtype=to.dtype)
        moved = to[matrix.indices]
        return _kept(matrix.data, moved, matrix.indptr, moved >= 0, shape)
    # each row of the matrix goes to none, one or several places
    order = np.argsort(chosen, kind="stable")
    sources = chosen[order]
    low = sources.searchsorted(matrix.indices, "left")
    counts = sources.searchsorted(matrix.indices, "right") - low
    total = int(counts.sum())
    ends = np.cumsum(counts)
    picked = np.arange(total) + np.repeat(low - (ends - counts), counts)
    return ordered(
        (order[picked], np.repeat(columns_of(matrix), counts), np.repeat(matrix.data, counts)),
        shape,
    )


def elements(matrix: Matrix, keys: Indices) -> NDArray[Any]:
    """Return the elements at these places in the full matrix."""
    found = np.zeros(keys.size, matrix.data.dtype)
    if not matrix.data.size or not keys.size:
        return found
    if keys.size * 8 < matrix.data.size:
        height = matrix.shape[0]
        for k, key in enumerate(keys.tolist()):
            spot, stored = place(matrix, key % height, key // height)
            if stored:
                found[k] = matrix.data[spot]
        return found
    present = keys_of(matrix)
    at = np.minimum(present.searchsorted(keys), present.size - 1)
    there = present[at] == keys
    found[there] = matrix.data[at[there]]
    return found


def _is_run(chosen: Indices) -> bool:
    """Whether these are some neighbours in order."""
    if chosen.size < 2:
        return chosen.size == 1
    if chosen[-1] - chosen[0] != chosen.size - 1:
        return False
    return bool((chosen[1:] - chosen[:-1] == 1).all())


def _kept(
    values: NDArray[Any], rows: Indices, starts: Indices, chosen: NDArray[np.bool_], shape: Any
) -> Matrix:
    before = np.zeros(chosen.size + 1, starts.dtype)
    np.cumsum(chosen, out=before[1:])
    return assembled(values[chosen], rows[chosen], before[starts], shape)


def kept(matrix: Matrix, chosen: NDArray[np.bool_]) -> Matrix:
    """Return the elements that are `chosen`."""
    return _kept(matrix.data, matrix.indices, matrix.indptr, chosen, matrix.shape)


def without_zeros(
    values: NDArray[Any], rows: Indices, starts: Indices, shape: tuple[int, int]
) -> Matrix:
    """Return the matrix with these arrays, some of whose values may be zero."""
    if np.all(values):
        return assembled(values, rows, starts, shape)
    return _kept(values, rows, starts, values != 0, shape)


def transposed(matrix: Matrix) -> Matrix:
    """``matrix.T``."""
    height, width = matrix.shape
    count = matrix.data.size
    if width == 1:
        starts = np.zeros(height + 1, index_type((1, height), count))
        starts[matrix.indices + 1] = 1
        np.cumsum(starts, out=starts)
        return assembled(matrix.data, np.zeros(count, starts.dtype), starts, (1, height))
    if height == 1:
        starts = np.array((0, count), matrix.indptr.dtype)
        return assembled(matrix.data, columns_of(matrix), starts, (width, 1))
    turned = matrix.T.tocsc()
    return assembled(turned.data, turned.indices, turned.indptr, (width, height))


def paired(x: Matrix, y: Matrix) -> tuple[Indices, Indices, NDArray[Any], NDArray[Any]]:
    """Return rows and starts of the positions where either of two matrices has an element.

    The matrices have one size; the elements of both at these positions come with them.
    """
    if np.array_equal(x.indptr, y.indptr) and np.array_equal(x.indices, y.indices):
        return x.indices, x.indptr, x.data, y.data
    kind = np.promote_types(x.indptr.dtype, y.indptr.dtype)
    own, others = keys_of(x), keys_of(y)
    keys = np.union1d(own, others)
    columns, rows = np.divmod(keys, max(x.shape[0], 1))
    spread = []
    for matrix, at in ((x, own), (y, others)):
        values = np.zeros(keys.size, matrix.data.dtype)
        values[keys.searchsorted(at)] = matrix.data
        spread.append(values)
    return rows.astype(kind), _starts(columns, x.shape[1], kind), spread[0], spread[1]


def ordered(entries: Entries, shape: tuple[int, int]) -> Matrix:
    """Return the matrix of elements in any order, each at a place of its own, none of them zero."""
    rows, columns, values = entries
    order = np.lexsort((rows, columns))
    kind = index_type(shape, rows.size)
    return assembled(
        values[order], rows[order].astype(kind), _starts(columns, shape[1], kind), shape
    )


# -- writing --------------------------------------------------------------------------------------


def put(matrix: Matrix, row: int, column: int, value: Any, alone: bool) -> Matrix:
    """Return the matrix with one element written.

    Args:
        alone: whether nobody else holds `matrix`, which is written to and returned then, if nobody
            else holds its elements either.
    """
    at, stored = place(matrix, row, column)
    if not stored and not value:
        return matrix
    if stored and value:
        # read from the heap slot: the slot and the reference that the attribute read pushes
        if not alone or getrefcount(matrix.data) > 2 or matrix.data.base is not None:
            values = matrix.data.copy()
            matrix = assembled(values, matrix.indices, matrix.indptr, matrix.shape)
        matrix.data[at] = value
        return matrix
    values, rows, starts = matrix.data, matrix.indices, matrix.indptr.copy()
    if stored:
        starts[column + 1 :] -= 1
        return assembled(_without(values, at), _without(rows, at), starts, matrix.shape)
    starts[column + 1 :] += 1
    return assembled(_inserted(values, at, value), _inserted(rows, at, row), starts, matrix.shape)


def _inserted(array: NDArray[Any], at: int, value: Any) -> NDArray[Any]:
    longer = np.empty(array.size + 1, array.dtype)
    longer[:at] = array[:at]
    longer[at] = value
    longer[at + 1 :] = array[at:]
    return longer


def _without(array: NDArray[Any], at: int) -> NDArray[Any]:
    shorter = np.empty(array.size - 1, array.dtype)
    shorter[:at] = array[:at]
    shorter[at:] = array[at + 1 :]
    return shorter


def grown(matrix: Matrix, shape: tuple[int, int]) -> Matrix:
    """Return the matrix with rows and columns of zeros after its own."""
    if matrix.shape == shape:
        return matrix
    kind = np.promote_types(matrix.indptr.dtype, index_type(shape, matrix.data.size))
    starts = np.full(shape[1] + 1, matrix.data.size, kind)
    starts[: matrix.indptr.size] = matrix.indptr
    return assembled(matrix.data, matrix.indices.astype(kind), starts, shape)


def replaced(matrix: Matrix, first: int, block: Matrix) -> Matrix:
    """Return the matrix with the columns from `first` on replaced by those of `block`."""
    low, high = (int(matrix.indptr[k]) for k in (first, first + block.shape[1]))
    count = matrix.data.size + block.data.size - (high - low)
    kind = np.promote_types(matrix.indptr.dtype, index_type(matrix.shape, count))
    after = first + block.shape[1] + 1
    return assembled(
        np.concatenate((matrix.data[:low], block.data, matrix.data[high:])),
        np.concatenate(
            (matrix.indices[:low], block.indices, matrix.indices[high:]), dtype=kind
        ),
        np.concatenate(
            (
                matrix.indptr[:first],
                block.indptr + low,
                matrix.indptr[after:] + (block.data.size - (high - low)),
            ),
            dtype=kind,
        ),
        matrix.shape,
    )  # fmt: skip


def written(matrix: Matrix, r: Indices, c: Indices, entries: Entries) -> Matrix:
    """Return the matrix with the block of the rows `r` and the columns `c` replaced.

    Args:
        entries: the new nonzero elements, whose rows and columns count within the block; where
            several go to one place, because `r` or `c` names it twice, the last one stays.
    """
    if not r.size or not c.size:
        return matrix
    down, across, values = entries
    stays = _last(r)[down] & _last(c)[across]
    down, across, values = down[stays], across[stays], values[stays]
    low, high = int(c.min()), int(c.max()) + 1
    band = columns(matrix, np.arange(low, high))
    old_rows = np.zeros(matrix.shape[0], np.bool_)
    old_columns = np.zeros(high - low, np.bool_)
    old_rows[r], old_columns[c - low] = True, True
    outside = ~(old_rows[band.indices] & old_columns[columns_of(band)])
    return replaced(matrix, low, _merged(band, outside, (r[down], c[across] - low, values)))


def _last(chosen: Indices) -> NDArray[np.bool_]:
    """Which of the places that are named are not named again later."""
    if (chosen[1:] > chosen[:-1]).all():
        return np.ones(chosen.size, np.bool_)
    last = np.zeros(chosen.size, np.bool_)
    last[chosen.size - 1 - np.unique(chosen[::-1], return_index=True)[1]] = True
    return last


def scattered(matrix: Matrix, keys: Indices, values: NDArray[Any]) -> Matrix:
    """Return the matrix with the elements at these places written, one after the other."""
    if not keys.size:
        return matrix
    height = matrix.shape[0]
    keys, at = np.unique(keys[::-1], return_index=True)
    values = values[::-1][at]
    low, high = int(keys[0]) // height, int(keys[-1]) // height + 1
    band = columns(matrix, np.arange(low, high))
    keys = keys - low * height
    present = keys_of(band)
    nearest = np.minimum(keys.searchsorted(present), keys.size - 1)
    stays = keys[nearest] != present
    some = values != 0
    across, down = np.divmod(keys[some], height)
    return replaced(matrix, low, _merged(band, stays, (down, across, values[some])))


def _merged(matrix: Matrix, stays: NDArray[np.bool_], entries: Entries) -> Matrix:
    """Return the elements of `matrix` that stay, and others besides."""
    down, across, values = entries
    if not values.size:
        return _kept(matrix.data, matrix.indices, matrix.indptr, stays, matrix.shape)
    old = columns_of(matrix)[stays]
    return ordered(
        (
            np.concatenate((matrix.indices[stays], down)),
            np.concatenate((old, across)),
            np.concatenate((matrix.data[stays], values)),
        ),
        matrix.shape,
    )
