"""Small blocks of sparse matrices, read and written element by element.

Loops that assemble a matrix read and write a few elements in each iteration. Passes of NumPy over
their columns take many times what Python's lists take for so few, whose time does not depend on how
much the columns hold. Rows and columns count from zero.
"""

from __future__ import annotations

from bisect import bisect_left
from sys import getrefcount
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.values.array import Array
from runmat_core.values.base import COLON, Subscripts
from runmat_core.values.compressed import (
    Matrix,
    assembled,
    compressed,
    index_type,
    replaced,
)

#: Elements of a block up to which Python's lists are faster.
SMALL = 128
#: Rows and columns of a block.
Block = tuple[list[int], list[int]]


def small_block(shape: tuple[int, int], subs: Subscripts) -> Block | None:
    """Return rows and columns of a small block within a matrix of this size, else None."""
    if len(subs) != 2:
        return None
    r = _numbers(subs[0], shape[0])
    c = None if r is None else _numbers(subs[1], shape[1])
    return None if r is None or c is None or len(r) * len(c) > SMALL else (r, c)


def _numbers(sub: Any, extent: int) -> list[int] | None:
    """Return a subscript of a few places that exist, counted from zero."""
    if sub.__class__ is float:
        numbers = [sub]
    elif sub.__class__ is Array and sub.data.dtype.char == "d" and 0 < sub.data.size <= SMALL:
        numbers = sub.data.ravel(order="F").tolist()
    else:
        return None
    # whatever else there is, NaN among it, is left to the general rule
    if not all(1.0 <= k <= extent and not k % 1 for k in numbers):
        return None
    return [int(k) - 1 for k in numbers]


def _column(matrix: Matrix, column: int) -> tuple[Any, int, int, int]:
    """Return the rows of a column's elements as part of a sequence, and where that begins."""
    low, high = matrix.indptr[column : column + 2].tolist()
    if high - low > SMALL:
        return matrix.indices, low, high, 0
    return matrix.indices[low:high].tolist(), 0, high - low, low


def block(matrix: Matrix, chosen: Block) -> Matrix:
    """``matrix[r, c]``."""
    r, c = chosen
    spots: list[int] = []
    rows: list[int] = []
    starts = [0]
    for column in c:
        held, low, high, shift = _column(matrix, column)
        for line, row in enumerate(r if high > low else ()):
            at = bisect_left(held, row, low, high)
            if at < high and held[at] == row:
                spots.append(at + shift)
                rows.append(line)
        starts.append(len(rows))
    kind = matrix.indices.dtype
    values = matrix.data[spots] if spots else matrix.data[:0].copy()
    return assembled(
        values, np.array(rows, kind), np.array(starts, matrix.indptr.dtype), (len(r), len(c))
    )


def dense_block(matrix: Matrix) -> NDArray[Any]:
    """Return a small matrix as a column-major array."""
    full = np.zeros(matrix.shape, matrix.data.dtype, order="F")
    flat = full.ravel(order="K")
    height, starts = matrix.shape[0], matrix.indptr.tolist()
    keys = matrix.indices.tolist()
    for column in range(1, matrix.shape[1]):
        for k in range(starts[column], starts[column + 1]):
            keys[k] += column * height
    flat[keys] = matrix.data
    return full


def put(matrix: Matrix, subs: Subscripts, given: Any, alone: bool) -> Matrix | None:
    """Return the matrix with a small block, a column or a row of few elements written.

    Args:
        given: a number, an array or a sparse matrix.
        alone: whether nobody else holds `matrix`, which is written to and returned then, if nobody
            else holds its elements either.

    Returns:
        None where it is another write.
    """
    if matrix.dtype.char != "d":
        return None
    if given.__class__ is not float:
        if getattr(given, "ndim", 0) != 2 or given.dtype.char != "d":
            return None
        line = _line(matrix.shape, subs, given)
        if line is not None:
            return _put_line(matrix, line, given, alone)
    few = small_block(matrix.shape, subs)
    if few is None:
        return None
    r, c = few
    if given.__class__ is float:
        values = [given] * (len(r) * len(c))
    elif given.shape != (len(r), len(c)):
        return None
    else:
        full = given if given.__class__ is np.ndarray else dense_block(given)
        values = full.ravel(order="F").tolist()
    # the last one stays where a place is named twice
    new = dict(zip([(column, row) for column in c for row in r], values, strict=True))
    return _put(matrix, sorted(new.items()), alone)


def _line(shape: tuple[int, int], subs: Subscripts, given: Any) -> tuple[int, int] | None:
    """Return the axis along which a whole row or column is written, and which one it is."""
    axis = 0 if subs[0] is COLON else 1
    wanted = (shape[0], 1) if axis == 0 else (1, shape[1])
    if len(subs) != 2 or subs[axis] is not COLON or given.shape != wanted:
        return None
    chosen = _numbers(subs[1 - axis], shape[1 - axis])
    return (axis, chosen[0]) if chosen is not None and len(chosen) == 1 else None


def _put_line(matrix: Matrix, line: tuple[int, int], given: Any, alone: bool) -> Matrix | None:
    axis, at = line
    if given.__class__ is np.ndarray:
        given = compressed(given)
    if axis == 0:
        return replaced(matrix, at, given)
    held = (matrix.indices == at).nonzero()[0].astype(matrix.indptr.dtype)
    if held.size + given.data.size > SMALL:
        return None
    new = dict.fromkeys([(column, at) for column in _columns(matrix, held)], 0.0)
    own = _columns(given, np.arange(given.data.size, dtype=given.indptr.dtype))
    new.update(zip([(column, at) for column in own], given.data.tolist(), strict=True))
    return _put(matrix, sorted(new.items()), alone)


def _columns(matrix: Matrix, at: NDArray[Any]) -> list[int]:
    """Return the columns of some elements, told by where they stand among all."""
    columns: list[int] = (matrix.indptr.searchsorted(at, "right") - 1).tolist()
    return columns


def _put(matrix: Matrix, elements: list[tuple[tuple[int, int], Any]], alone: bool) -> Matrix:
    """Return the matrix with elements written, in order, each told by its column and row."""
    changed: list[int] = []
    written: list[Any] = []
    others: list[tuple[int, bool, int, int, Any]] = []
    current = -1
    for (column, row), value in elements:
        if column != current:
            held, low, high, shift = _column(matrix, column)
            current = column
        at = bisect_left(held, row, low, high)
        stored = at < high and held[at] == row
        if stored and value:
            changed.append(at + shift)
            written.append(value)
        elif stored or value:
            others.append((at + shift, stored, column, row, value))
    if changed:
        # read from the heap slot: the slot and the reference that the attribute read pushes
        if not alone or getrefcount(matrix.data) > 2 or matrix.data.base is not None:
            data = matrix.data.copy()
            matrix = assembled(data, matrix.indices, matrix.indptr, matrix.shape)
        matrix.data[changed] = written
    return _spliced(matrix, others) if others else matrix


def _spliced(matrix: Matrix, edits: list[tuple[int, bool, int, int, Any]]) -> Matrix:
    """Return the matrix with elements put in and taken out.

    Args:
        edits: in order: where among the elements, whether that one goes, its column, and the row
            and value of what comes where none goes.
    """
    old_values, old_rows, old_starts = matrix.data, matrix.indices, matrix.indptr
    kind = np.promote_types(
        old_starts.dtype, index_type(matrix.shape, old_values.size + len(edits))
    )
    values, rows, starts = [], [], []
    new_values: list[Any] = []
    new_rows: list[int] = []
    copied = begun = shift = 0
    for at, goes, column, row, value in edits:
        if at > copied:
            if new_rows:
                values.append(np.array(new_values, old_values.dtype))
                rows.append(np.array(new_rows, kind))
                new_values, new_rows = [], []
            values.append(old_values[copied:at])
            rows.append(old_rows[copied:at])
            copied = at
        if goes:
            copied = at + 1
        else:
            new_values.append(value)
            new_rows.append(row)
        if column >= begun:
            starts.append(old_starts[begun : column + 1] + shift)
            begun = column + 1
        shift += -1 if goes else 1
    values += [np.array(new_values, old_values.dtype), old_values[copied:]]
    rows += [np.array(new_rows, kind), old_rows[copied:]]
    starts.append(old_starts[begun:] + shift)
    return assembled(
        np.concatenate(values),
        np.concatenate(rows, dtype=kind),
        np.concatenate(starts, dtype=kind),
        matrix.shape,
    )
