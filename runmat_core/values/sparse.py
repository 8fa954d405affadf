"""Sparse matrices of double and logical, over scipy's compressed columns.

scipy is imported when the first sparse matrix is made, not with this module.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from sys import getrefcount
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import errors
from runmat_core.api.errors import MatlabError
from runmat_core.values.array import from_numpy, to_numpy
from runmat_core.values.base import COLON, Subscripts, Value, class_of

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
        """The nonzero elements of a 2-D array."""
        if array.ndim > 2:
            raise MatlabError(
                "MATLAB:sparse:ndArraysNotSupported", "N-dimensional arrays cannot be sparse."
            )
        return cls(csc(array))

    @property
    def class_name(self) -> str:  # type: ignore[override]
        return "logical" if self.data.dtype == np.bool_ else "double"

    @property
    def shape(self) -> tuple[int, ...]:
        rows, columns = self.data.shape
        return (int(rows), int(columns))

    def full(self) -> NDArray[Any]:
        """The matrix as a column-major array."""
        dense: NDArray[Any] = self.data.toarray(order="F")
        return dense

    def triplets(self) -> tuple[Indices, Indices, NDArray[Any]]:
        """Rows, columns (from zero) and values of the nonzero elements, column after column."""
        matrix = self.data
        columns = np.repeat(np.arange(matrix.shape[1]), np.diff(matrix.indptr))
        return matrix.indices, columns, matrix.data

    @staticmethod
    def concatenation() -> Callable[[list[Any], int], SparseArray]:
        """The rule of brackets with a sparse matrix in them."""
        return concat_sparse

    def __repr__(self) -> str:
        return f"SparseArray({self.data!r})"

    # -- subscripts ----------------------------------------------------------------------------

    def paren(self, subs: Subscripts) -> SparseArray:
        shape = self.shape
        if len(subs) == 1:
            return self._linear(subs[0])
        if not subs:
            return self.share()
        rows, columns, rest = subs[0], subs[1], subs[2:]
        for position, sub in enumerate(rest):
            _within(positions(sub, 1), 1, position + 3)
        r, c = positions(rows, shape[0]), positions(columns, shape[1])
        _within(r, shape[0], 1)
        _within(c, shape[1], 2)
        matrix = self.data
        if columns is not COLON:
            matrix = matrix[:, c]
        if rows is not COLON:
            matrix = matrix[r, :]
        return SparseArray(matrix.copy() if matrix is self.data else matrix)

    def _linear(self, sub: Any) -> SparseArray:
        rows, columns = self.shape
        count = rows * columns
        if sub is COLON:
            return SparseArray(self.data.reshape((count, 1), order="F"))
        k = positions(sub, count)
        if k.size and k.max() >= count:
            raise errors.index_exceeds(count)
        shape = _result_shape(sub, k.size, (rows, columns))
        column, row = np.divmod(k, max(rows, 1))
        picked = np.asarray(self.data[row, column]).ravel() if k.size else np.zeros(0)
        return SparseArray.from_dense(picked.reshape(shape, order="F"))

    def set_paren(self, subs: Subscripts, rhs: Any) -> Any:
        if class_of(rhs) not in _ALLOWED:
            raise MatlabError(
                "MATLAB:UnableToConvert",
                f"Unable to convert from {class_of(rhs)} to sparse double.",
            )
        values = rhs.full() if isinstance(rhs, SparseArray) else to_numpy(rhs)
        row, column, block = self._target(subs)
        if values.size == 1:
            values = np.full(block, values.item())
        elif [n for n in values.shape if n != 1] != [n for n in block if n != 1]:
            if len(subs) == 1:
                raise errors.assignment_count()
            raise errors.assignment_size(block, values.shape)
        values = values.reshape(block, order="F")
        matrix = self._writable(values.dtype)
        if row.size and column.size:
            height = max(int(row.max()) + 1, matrix.shape[0])
            width = max(int(column.max()) + 1, matrix.shape[1])
            if (height, width) != matrix.shape:
                matrix.resize((height, width))
            with quiet():
                matrix[row, column] = values
        self.data = canonical(matrix)
        return self

    def _target(self, subs: Subscripts) -> tuple[Indices, Indices, tuple[int, ...]]:
        """Row and column indices, ready to broadcast, and the size of the block they select."""
        rows, columns = self.shape
        if len(subs) == 1:
            k = positions(subs[0], rows * columns)
            if k.size and k.max() >= rows * columns:
                # only a vector can grow through one subscript
                if rows == 1 or rows * columns == 0:
                    return np.zeros_like(k), k, (1, k.size)
                if columns == 1:
                    return k, np.zeros_like(k), (k.size, 1)
                raise MatlabError(
                    "MATLAB:indexed_matrix_cannot_be_resized",
                    "Attempt to grow array along ambiguous dimension.",
                )
            column, row = np.divmod(k, max(rows, 1))
            return row, column, (k.size,)
        r, c = positions(subs[0], rows), positions(subs[1], columns)
        return r[:, None], c[None, :], (r.size, c.size)

    def _writable(self, incoming: np.dtype[Any]) -> Matrix:
        """The matrix for writing, of a type that holds the incoming values too."""
        wanted = np.result_type(self.data.dtype, incoming)
        if self.data.dtype == np.bool_:
            wanted = np.dtype(bool)
        elif wanted.kind not in "fc":
            wanted = np.dtype(np.float64)
        if getrefcount(self.data) > 2 or self.data.dtype != wanted:
            return self.data.astype(wanted, copy=True)
        return self.data

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
        self.data = canonical(self.data[:, kept] if axis else self.data[kept, :])
        return self


def csc(array: Any) -> Matrix:
    """A 2-D array or scipy matrix as a ``csc_array``."""
    from scipy.sparse import csc_array

    if array.ndim > 2:
        raise MatlabError(
            "MATLAB:sparse:ndArraysNotSupported", "N-dimensional arrays cannot be sparse."
        )
    return csc_array(array)


def canonical(matrix: Matrix) -> Matrix:
    """`matrix` as a ``csc_array`` of a class that MATLAB has, sorted, without stored zeros."""
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
    """A matrix from nonzero elements; values at one place add up (logical: any)."""
    from scipy.sparse import coo_array

    return SparseArray(coo_array((values, (rows, columns)), shape=shape))


@contextmanager
def quiet() -> Iterator[None]:
    """Without scipy's remarks on efficiency and singular matrices."""
    from scipy.sparse import SparseEfficiencyWarning

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore", SparseEfficiencyWarning)
        yield


def positions(sub: Any, extent: int) -> Indices:
    """A subscript as indices from zero in column-major order."""
    if sub is COLON:
        return np.arange(extent)
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
    """The size of ``S(sub)`` by the rules of full matrices."""
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
    """The concatenation along `axis` of values with a sparse matrix among them."""
    from scipy.sparse import hstack, vstack

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
