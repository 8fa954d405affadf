"""Sparse matrices of double and logical, over scipy's compressed columns.

scipy is imported when the first sparse matrix is made, not with this module.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from sys import getrefcount
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import errors
from runmat_core.api.errors import MatlabError
from runmat_core.api.libraries import package
from runmat_core.values import compressed, sparse_blocks, subscript
from runmat_core.values.array import Array, from_numpy, to_numpy
from runmat_core.values.base import COLON, Subscripts, Value, class_of, place_of

#: A scipy.sparse.csc_array.
Matrix = Any
Indices = NDArray[np.intp]

_ALLOWED = frozenset({"double", "logical", "char"})


class SparseArray(Value):
    """A sparse matrix.

    Attributes:
        data: a ``csc_array`` of float64, complex128 or bool, without stored zeros.
    """

    __slots__ = ()
    data: Matrix
    is_sparse = True

    def __init__(self, data: Matrix) -> None:
        self.data = canonical(data)

    @classmethod
    def from_dense(cls, array: NDArray[Any]) -> SparseArray:
        """Return the nonzero elements of a 2-D array."""
        if array.ndim > 2:
            raise no_pages()
        if array.dtype.char in "d?D":
            return ordered(compressed.compressed(array))
        return cls(csc(array))

    @property
    def class_name(self) -> str:  # type: ignore[override]
        return "logical" if self.data.dtype == np.bool_ else "double"

    @property
    def shape(self) -> tuple[int, int]:
        rows, columns = self.data.shape
        return (int(rows), int(columns))

    def full(self) -> NDArray[Any]:
        """Return the matrix as a column-major array."""
        matrix = self.data
        if matrix.shape == (1, 1):
            return (
                matrix.data.reshape(1, 1).copy()
                if matrix.data.size
                else np.zeros((1, 1), matrix.dtype)
            )
        if math.prod(matrix.shape) <= sparse_blocks.SMALL:
            return sparse_blocks.dense_block(matrix)
        dense: NDArray[Any] = matrix.toarray(order="F")
        return dense

    def triplets(self) -> tuple[Indices, Indices, NDArray[Any]]:
        """Rows, columns (from zero) and values of the nonzero elements, column after column."""
        matrix = self.data
        return matrix.indices, compressed.columns_of(matrix), matrix.data

    @staticmethod
    def concatenation() -> Callable[[list[Any], int], SparseArray]:
        """Return the rule of brackets with a sparse matrix in them."""
        return concat_sparse

    def __repr__(self) -> str:
        return f"SparseArray({self.data!r})"

    # -- subscripts ----------------------------------------------------------------------------

    def paren(self, subs: Subscripts) -> SparseArray:
        matrix = self.data
        spot = place_of(matrix.shape, subs)
        if spot is not None:
            return ordered(compressed.element(matrix, *spot))
        if len(subs) == 1:
            return self._linear(subs[0])
        if not subs:
            return self.share()
        few = sparse_blocks.small_block(matrix.shape, subs)
        if few is not None:
            return ordered(sparse_blocks.block(matrix, few))
        within, across, rest = subs[0], subs[1], subs[2:]
        for position, sub in enumerate(rest):
            _within(positions(sub, 1), 1, position + 3)
        # both are looked at before anything is taken
        r = None if within is COLON else positions(within, matrix.shape[0])
        c = None if across is COLON else positions(across, matrix.shape[1])
        if r is not None:
            _within(r, matrix.shape[0], 1)
        if c is not None:
            _within(c, matrix.shape[1], 2)
            matrix = compressed.columns(matrix, c)
        if r is not None:
            matrix = compressed.rows(matrix, r)
        return ordered(matrix)

    def _linear(self, sub: Any) -> SparseArray:
        rows, columns = self.shape
        count = rows * columns
        if sub is COLON:
            return SparseArray(self.data.reshape((count, 1), order="F"))
        k = positions(sub, count)
        if k.size and k.max() >= count:
            raise errors.index_exceeds(count)
        shape = _result_shape(sub, k.size, (rows, columns))
        picked = compressed.elements(self.data, k).reshape(shape, order="F")
        return ordered(compressed.compressed(picked))

    def set_paren(self, subs: Subscripts, rhs: Any) -> Any:
        if class_of(rhs) not in _ALLOWED:
            raise MatlabError(
                "MATLAB:UnableToConvert",
                f"Unable to convert from {class_of(rhs)} to sparse double.",
            )
        spot = place_of(self.data.shape, subs)
        if spot is not None and rhs.__class__ is float and self.data.dtype.char == "d":
            alone = getrefcount(self.data) <= 2
            self.data = compressed.put(self.data, spot[0], spot[1], rhs, alone)
        elif len(subs) == 1:
            self._set_linear(subs[0], rhs)
        elif not self._set_few(subs, rhs):
            self._set_block(subs, rhs)
        return self

    def _set_few(self, subs: Subscripts, rhs: Any) -> bool:
        """Write a few real doubles; False where it is another write."""
        given = rhs.data if rhs.__class__ is SparseArray or rhs.__class__ is Array else rhs
        # read from the heap slot: the slot and the reference that the attribute read pushes
        alone = getrefcount(self.data) <= 2
        made = sparse_blocks.put(self.data, subs, given, alone)
        if made is not None:
            self.data = made
        return made is not None

    def _set_linear(self, sub: Any, rhs: Any) -> None:
        """``S(k) = rhs``."""
        rows, columns = self.shape
        count = rows * columns
        k = positions(sub, count)
        values = rhs.full() if isinstance(rhs, SparseArray) else to_numpy(rhs)
        if values.size not in (1, k.size):
            raise errors.assignment_count()
        shape = (rows, columns)
        if k.size and k.max() >= count:
            shape = _grown_vector(shape, int(k.max()) + 1)
        matrix = compressed.grown(self._holding(values.dtype), shape)
        values = np.broadcast_to(values.ravel(order="F").astype(matrix.dtype), k.shape)
        self.data = _class_kept(compressed.scattered(matrix, k, values))

    def _set_block(self, subs: Subscripts, rhs: Any) -> None:
        """``S(i, j) = rhs``."""
        rows, columns = self.shape
        if any((positions(sub, 1) > 0).any() for sub in subs[2:]):
            raise no_pages()
        r, c = positions(subs[0], rows), positions(subs[1], columns)
        matrix = self._holding(
            rhs.data.dtype if isinstance(rhs, SparseArray) else to_numpy(rhs).dtype
        )
        entries = _entries(rhs, (r.size, c.size), matrix.dtype)
        if r.size and c.size:
            height, width = (max(int(k.max()) + 1, n) for k, n in ((r, rows), (c, columns)))
            matrix = compressed.grown(matrix, (height, width))
        self.data = _class_kept(compressed.written(matrix, r, c, entries))

    def _holding(self, incoming: np.dtype[Any]) -> Matrix:
        """Return the matrix, of a type that holds the incoming values too."""
        matrix = self.data
        if incoming.kind != "c" or matrix.dtype.kind in "bc":
            return matrix
        return matrix.astype(np.complex128)

    def del_paren(self, subs: Subscripts) -> SparseArray:
        if len(subs) == 1 and 1 in self.shape:
            subs = (COLON, subs[0]) if self.shape[0] == 1 else (subs[0], COLON)
        open_axes = [axis for axis, sub in enumerate(subs[:2]) if sub is not COLON]
        if len(subs) != 2 or len(open_axes) > 1:
            raise MatlabError(
                "MATLAB:subsdeldimmismatch",
                "A null assignment can have only one non-colon index.",
            )
        axis = open_axes[0] if open_axes else 0
        dropped = positions(subs[axis], self.shape[axis])
        _within(dropped, self.shape[axis], axis + 1)
        kept = np.setdiff1d(np.arange(self.shape[axis]), dropped)
        self.data = (compressed.columns if axis else compressed.rows)(self.data, kept)
        return self


def ordered(matrix: Matrix) -> SparseArray:
    """Return the value of a matrix in order, of doubles or logicals that are not zero."""
    if matrix.dtype.char not in "d?" and not matrix.data.imag.any():
        return SparseArray(matrix)
    made = object.__new__(SparseArray)
    made.data = matrix
    return made


def _class_kept(matrix: Matrix) -> Matrix:
    """Return a complex matrix as a real one where no imaginary part is left."""
    return canonical(matrix) if matrix.dtype.kind == "c" else matrix


def _grown_vector(shape: tuple[int, int], count: int) -> tuple[int, int]:
    """Return the size of a matrix after ``S(count) = …``, which only grows a vector."""
    if shape[0] == 1 or 0 in shape:
        return 1, count
    if shape[1] == 1:
        return count, 1
    raise MatlabError(
        "MATLAB:indexed_matrix_cannot_be_resized",
        "Attempt to grow array along ambiguous dimension.",
    )


def _entries(rhs: Any, block: tuple[int, int], dtype: np.dtype[Any]) -> compressed.Entries:
    """Return the nonzero elements of what is written to a block, with their places within it.

    Raises:
        MatlabError: the sizes do not fit.
    """
    shape = rhs.shape if isinstance(rhs, Value) else (1, 1)
    if math.prod(shape) == 1:
        value = to_numpy(rhs).astype(dtype).item()
        count = math.prod(block) if value else 0
        across, down = np.divmod(np.arange(count), max(block[0], 1))
        return down, across, np.full(count, value, dtype)
    if not subscript.fits(shape, block):
        raise errors.assignment_size(block, shape)
    if isinstance(rhs, SparseArray):
        keys, values = compressed.keys_of(rhs.data), rhs.data.data
    else:
        flat = to_numpy(rhs).ravel(order="F")
        keys = np.flatnonzero(flat)
        values = flat[keys]
    across, down = np.divmod(keys, max(block[0], 1))
    return down, across, values.astype(dtype)


def csc(array: Any) -> Matrix:
    """Return a 2-D array or scipy matrix as a ``csc_array``."""
    csc_array = package("scipy.sparse").csc_array

    if array.ndim > 2:
        raise no_pages()
    return csc_array(array)


def no_pages() -> MatlabError:
    return MatlabError(
        "MATLAB:sparse:ndArraysNotSupported", "N-dimensional arrays cannot be sparse."
    )


def canonical(matrix: Matrix) -> Matrix:
    """`matrix` as a ``csc_array`` of a class that MATLAB has, sorted, without stored zeros."""
    csc_array = package("scipy.sparse").csc_array

    if matrix.__class__ is not csc_array:
        matrix = csc(matrix)
    if matrix.dtype != np.bool_:
        if matrix.dtype.kind == "c" and not matrix.data.imag.any():
            matrix = matrix.real
        wanted = np.complex128 if matrix.dtype.kind == "c" else np.float64
        if matrix.dtype != wanted:
            matrix = matrix.astype(wanted)
    matrix.sum_duplicates()
    if not np.all(matrix.data):
        matrix.eliminate_zeros()
    return matrix


def from_triplets(
    rows: Indices, columns: Indices, values: NDArray[Any], shape: tuple[int, int]
) -> SparseArray:
    """Return a matrix from nonzero elements; values at one place add up (logical: any)."""
    coo_array = package("scipy.sparse").coo_array

    return SparseArray(coo_array((values, (rows, columns)), shape=shape))


def positions(sub: Any, extent: int) -> Indices:
    """Return a subscript as indices from zero in column-major order."""
    if sub is COLON:
        return np.arange(extent)
    if sub.__class__ is float and sub >= 1.0 and sub.is_integer() and sub < 2.0**62:
        return np.array((int(sub) - 1,))
    if isinstance(sub, SparseArray) and sub.data.dtype == np.bool_:
        return compressed.keys_of(sub.data)
    data = sub.full() if isinstance(sub, SparseArray) else to_numpy(sub)
    flat = data.ravel(order="F")
    if flat.dtype == np.bool_:
        return np.flatnonzero(flat)
    if flat.size and (not np.isrealobj(flat) or (flat < 1).any() or (flat % 1 != 0).any()):
        raise errors.bad_index()
    return flat.astype(np.intp) - 1


def _within(indices: Indices, extent: int, position: int) -> None:
    if indices.size and indices.max() >= extent:
        raise errors.index_exceeds_position(position, extent)


def _result_shape(sub: Any, count: int, shape: tuple[int, int]) -> tuple[int, int]:
    """Return the size of ``S(sub)`` by the rules of full matrices."""
    given = sub.shape if isinstance(sub, Value) else (1, 1)
    is_mask = class_of(sub) == "logical"
    if 1 in shape and shape != (1, 1) and (1 in given or is_mask):
        return (1, count) if shape[0] == 1 else (count, 1)
    if is_mask:
        return (1, count) if given[0] == 1 and given[1] != 1 else (count, 1)
    return (given[0], math.prod(given[1:]))


def as_matrix(value: Any) -> Matrix:
    """Any double, logical or char value as a scipy matrix."""
    return value.data if isinstance(value, SparseArray) else csc(to_numpy(value))


def concat_sparse(values: Sequence[Any], axis: int) -> SparseArray:
    """Return the concatenation along `axis` of values with a sparse matrix among them."""
    hstack = package("scipy.sparse").hstack
    vstack = package("scipy.sparse").vstack

    parts = []
    for value in values:
        if class_of(value) not in _ALLOWED:
            raise MatlabError(
                "MATLAB:UnableToConvert",
                f"Unable to concatenate {class_of(value)} with a sparse matrix.",
            )
        matrix = as_matrix(value)
        if matrix.shape != (0, 0):
            parts.append(matrix)
    if not parts:
        return SparseArray.from_dense(np.zeros((0, 0)))
    if axis > 1 or len({p.shape[1 - axis] for p in parts}) > 1:
        raise errors.catenate_mismatch()
    return SparseArray((hstack if axis else vstack)(parts))


def dense(value: Any) -> Any:
    """`value` without sparse storage: what ``full`` gives."""
    return from_numpy(value.full()) if isinstance(value, SparseArray) else value
