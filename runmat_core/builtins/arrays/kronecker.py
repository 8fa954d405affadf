"""Kronecker products."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.libraries import package
from runmat_core.builtins.arguments import numeric
from runmat_core.values import SparseArray, class_of, from_numpy, mixed, size_of, times, to_numpy
from runmat_core.values.chunks import CHUNK

#: Elements of a matrix up to which `kron` goes through them one by one.
_SMALL = 32


@builtin("kron", family="arrays/matrices", effects="pure", pending="view")
def kron(*matrices: Any) -> Any:
    """Kronecker product.

    K = kron(A, B)

    Examples:
        >> kron([1 2], [1; 1])
        ans =
             1     2
             1     2

    See also: repmat, mtimes, cross.
    """
    if len(matrices) < 2:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    if any(isinstance(m, SparseArray) for m in matrices):
        sparse = package("scipy.sparse")

        if any(len(size_of(m)) > 2 for m in matrices):
            raise MatlabError("MATLAB:kron:inputMustBe2D", "Inputs must be 2-D.")
        product, *others = (
            m.data if isinstance(m, SparseArray) else sparse.csc_array(_dense(m)) for m in matrices
        )
        for other in others:
            product = sparse.kron(product, other, format="csc")
        return SparseArray(product)
    result = _dense(matrices[0])
    for m in matrices[1:]:
        result = mixed.bilinear(_product, result, _dense(m))
    return from_numpy(result)


def _product(a: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
    """Return the Kronecker product, made in the order that it is kept in."""
    if a.ndim > 2 or b.ndim > 2:
        return np.asarray(np.kron(a, b))
    if a.real.dtype != b.real.dtype or a.dtype.kind in "iu":
        return _of_classes(a, b)
    if 0 < b.size <= _SMALL < a.size:
        return _by_columns(a, b) if a.shape[0] > _SMALL else _by_elements(a, b)
    turned: NDArray[Any] = a.T[:, None, :, None] * b.T[None, :, None, :]
    return turned.reshape(a.shape[1] * b.shape[1], a.shape[0] * b.shape[0]).T


def _of_classes(a: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
    """Return a product of two classes, or of integers, as ``.*`` multiplies them."""
    (m, n), (p, q) = a.shape, b.shape
    first, second = a.reshape((1, m, 1, n), order="F"), b.reshape((p, 1, q, 1), order="F")
    product = times(from_numpy(first), from_numpy(second))
    return to_numpy(product).reshape((m * p, n * q), order="F")


def _by_columns(a: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
    """Return a product of a tall matrix and a small one, column by column."""
    rows, columns = a.shape[0] * b.shape[0], a.shape[1]
    made = np.empty((columns, b.shape[1], rows), np.result_type(a, b))
    factors = np.tile(b.T, a.shape[0])
    band = max(CHUNK // rows, 1)
    for left in range(0, columns, band):
        part = np.repeat(a.T[left : left + band], b.shape[0], axis=1)
        for j, factor in enumerate(factors):
            np.multiply(part, factor, out=made[left : left + band, j])
    return made.reshape(-1, rows).T


def _by_elements(a: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
    """Return a product of a matrix and a small one, by a loop over the few elements."""
    many = np.empty((a.shape[1], b.shape[1], a.shape[0], b.shape[0]), np.result_type(a, b))
    for i, j in np.ndindex(*b.shape):
        np.multiply(a.T, b[i, j], out=many[:, j, :, i])
    return many.reshape(a.shape[1] * b.shape[1], -1).T


def _dense(value: Any) -> NDArray[Any]:
    a = numeric(value, "kron")
    return a.astype(np.float64) if class_of(value) in {"logical", "char"} else a
