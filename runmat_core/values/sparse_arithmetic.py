"""Operators on sparse matrices.

The result is sparse where MATLAB's is: for every operation of two sparse matrices and for products
and quotients with a full one; a sum with a full matrix or a scalar is full.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from runmat_core.api import errors
from runmat_core.api.errors import MatlabError
from runmat_core.api.libraries import package
from runmat_core.values import compressed, mixed, products
from runmat_core.values.array import from_numpy, to_numpy
from runmat_core.values.base import Value, class_of
from runmat_core.values.indexing import size_of
from runmat_core.values.sparse import SparseArray, dense, ordered
from runmat_core.values.sparse_pairs import floating, full, of_pair
from runmat_core.values.sparse_solve import solve_sparse
from runmat_core.values.symbols import SYMBOL

_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}


def binary(name: str, a: Any, b: Any) -> Any:
    """Return the result of a binary operator (``plus``, ``mtimes``, …) with a sparse operand.

    Raises:
        MatlabError: the sizes do not fit, or a class does not mix with sparse matrices.
    """
    for value in (a, b):
        if class_of(value) not in ("double", "logical", "char"):
            raise errors.undefined_operator(SYMBOL[name], class_of(value))
    with np.errstate(all="ignore"):
        return _BINARY[name](a, b)


def unary(name: str, a: SparseArray) -> Any:
    """``uminus``, ``uplus``, ``not_``, ``transpose`` or ``ctranspose`` of a sparse matrix."""
    matrix = a.data
    if name in ("transpose", "ctranspose"):
        turned = compressed.transposed(matrix)
        conjugate = name == "ctranspose" and matrix.dtype.kind == "c"
        return ordered(turned.conj() if conjugate else turned)
    if name == "not_":
        if np.isnan(matrix.data).any():
            raise errors.nan_to_logical()
        return SparseArray.from_dense(~a.full().astype(bool))
    number = _number(matrix)
    return SparseArray(-number if name == "uminus" else number)


def _number(matrix: Any) -> Any:
    return matrix.astype(np.float64) if matrix.dtype == np.bool_ else matrix


def _is_scalar(value: Any) -> bool:
    return not isinstance(value, Value) or value.shape == (1, 1)


def _scalar(value: Any) -> Any:
    """Return a 1x1 value as a Python number; logical counts as double."""
    item = value.full().item() if isinstance(value, SparseArray) else to_numpy(value).item()
    return item if isinstance(item, complex) else float(item)


def _sum(rule: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def add(a: Any, b: Any) -> Any:
        if isinstance(a, SparseArray) and isinstance(b, SparseArray):
            if a.shape == b.shape:
                return SparseArray(rule(_number(a.data), _number(b.data)))
            return of_pair(rule, a, b)
        if _is_scalar(a) and _is_scalar(b):
            return from_numpy(np.asarray(rule(_scalar(a), _scalar(b))))
        x, y = full(a), full(b)
        try:
            return from_numpy(rule(x, y))
        except ValueError:
            raise errors.incompatible_sizes() from None

    return add


def _times(a: Any, b: Any) -> Any:
    return of_pair(mixed.multiply, a, b)


def _rdivide(a: Any, b: Any) -> Any:
    return of_pair(mixed.divide, a, b)


def _ldivide(a: Any, b: Any) -> Any:
    return _rdivide(b, a)


def _power(a: Any, b: Any) -> SparseArray:
    return of_pair(_powers, a, b)


def _powers(x: Any, y: Any) -> Any:
    if x.dtype.kind == "f" and y.dtype.kind == "f" and ((x < 0) & (y % 1 != 0)).any():
        return x.astype(np.complex128) ** y
    return x**y


def _compare(rule: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def compare(a: Any, b: Any) -> SparseArray:
        return of_pair(lambda x, y: rule(*_ordered(rule, x, y)), a, b)

    return compare


def _ordered(rule: Callable[[Any, Any], Any], x: Any, y: Any) -> tuple[Any, Any]:
    """Complex operands of an order relation count by their real parts."""
    return (x, y) if rule in (operator.eq, operator.ne) else (x.real, y.real)


def _logic(rule: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def combine(a: Any, b: Any) -> SparseArray:
        def holds(x: Any, y: Any) -> Any:
            if np.isnan(x).any() or np.isnan(y).any():
                raise errors.nan_to_logical()
            return rule(x != 0, y != 0)

        return of_pair(holds, a, b)

    return combine


def _mtimes(a: Any, b: Any) -> Any:
    if _is_scalar(a) or _is_scalar(b):
        return _times(a, b)
    if a.shape[1] != b.shape[0]:
        raise errors.inner_dimensions()
    if isinstance(a, SparseArray) and isinstance(b, SparseArray):
        if a.shape[0] == b.shape[1] == 1:
            _, _, x, y = compressed.paired(compressed.transposed(a.data), b.data)
            row, column = floating(x).reshape(1, -1), floating(y).reshape(-1, 1)
            return SparseArray.from_dense(mixed.bilinear(np.matmul, row, column))
        return SparseArray(_sparse_product(_number(a.data), _number(b.data)))
    if isinstance(a, SparseArray):
        if a.shape[0] == 1:
            row = compressed.transposed(a.data)
            elements = _number(row).data.reshape(1, -1)
            return from_numpy(mixed.bilinear(np.matmul, elements, full(b)[row.indices]))
        return from_numpy(mixed.bilinear(_dense_product, _number(a.data), full(b)))
    if b.shape[1] == 1:
        column = b.data
        elements = _number(column).data.reshape(-1, 1)
        return from_numpy(mixed.bilinear(np.matmul, full(a)[:, column.indices], elements))
    return from_numpy(mixed.bilinear(_dense_product, _number(b.data).T, full(a).T).T)


def _dense_product(x: Any, y: Any) -> Any:
    """Return the product of a sparse and a full matrix."""
    return np.asarray(x @ y)


def _sparse_product(x: Any, y: Any) -> Any:
    """Return the product of two sparse matrices; a diagonal scales the elements of the other."""
    if _is_diagonal(x):
        values = mixed.multiply(x.data[y.indices], y.data)
        return compressed.without_zeros(values, y.indices, y.indptr, y.shape)
    if _is_diagonal(y):
        values = mixed.multiply(x.data, y.data[compressed.columns_of(x)])
        return compressed.without_zeros(values, x.indices, x.indptr, x.shape)
    if (x.dtype.kind == "c") != (y.dtype.kind == "c") and not _are_finite(x, y):
        return x.real @ y.real + 1j * (x.imag @ y if x.dtype.kind == "c" else x @ y.imag)
    return x @ y


def _are_finite(*matrices: Any) -> bool:
    return all(np.isfinite(matrix.data).all() for matrix in matrices)


def _is_diagonal(x: Any) -> bool:
    """Whether there is a nonzero element in each place of the diagonal, and in no other."""
    n = x.shape[0]
    if not n or x.shape[1] != n or x.nnz != n or x.indices[-1] != n - 1:
        return False
    return bool((x.indices == np.arange(n)).all() and (x.indptr[1:] > x.indptr[:-1]).all())


def _mpower(a: Any, b: Any) -> Any:
    if not isinstance(a, SparseArray) or not _is_scalar(b):
        raise errors.undefined_operator("^", class_of(b))
    exponent = _scalar(b)
    if a.shape[0] != a.shape[1]:
        raise MatlabError(
            "MATLAB:square",
            "Incorrect dimensions for raising a matrix to a power. Check that the matrix is square "
            "and the power is a scalar. To operate on each element of the matrix individually, "
            "use POWER (.^) for elementwise power.",
        )
    if isinstance(exponent, complex) or not float(exponent).is_integer() or exponent < 0:
        raise MatlabError(
            "MATLAB:mpower:sparsePower",
            "A sparse matrix can only be raised to a nonnegative integer power.",
        )
    eye_array = package("scipy.sparse").eye_array

    power, base, count = eye_array(a.shape[0], format="csc"), _number(a.data), int(exponent)
    while count:
        if count & 1:
            power = power @ base
        base = base @ base if count > 1 else base
        count >>= 1
    return SparseArray(power)


def _mldivide(a: Any, b: Any) -> Any:
    if _is_scalar(a):
        return _rdivide(b, a)
    if size_of(a)[0] != size_of(b)[0]:
        raise MatlabError("MATLAB:dimagree", "Matrix dimensions must agree.")
    if not isinstance(a, SparseArray):
        return _dense_solve(a, dense(b))
    if a.shape[0] != a.shape[1]:
        return _dense_solve(dense(a), dense(b))
    solution = solve_sparse(_number(a.data), full(b))
    return SparseArray.from_dense(solution) if isinstance(b, SparseArray) else from_numpy(solution)


def _dense_solve(a: Any, b: Any) -> Any:
    return products.mldivide(a, b)


def _mrdivide(a: Any, b: Any) -> Any:
    if _is_scalar(b):
        return _rdivide(a, b)
    if size_of(a)[1] != size_of(b)[1]:
        raise MatlabError("MATLAB:dimagree", "Matrix dimensions must agree.")
    return _transposed(_mldivide(_transposed(b), _transposed(a)))


def _transposed(a: Any) -> Any:
    return unary("transpose", a) if isinstance(a, SparseArray) else products.transpose(a)


_BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "plus": _sum(operator.add),
    "minus": _sum(operator.sub),
    "times": _times,
    "mtimes": _mtimes,
    "rdivide": _rdivide,
    "ldivide": _ldivide,
    "mrdivide": _mrdivide,
    "mldivide": _mldivide,
    "power": _power,
    "mpower": _mpower,
    "and_": _logic(np.logical_and),
    "or_": _logic(np.logical_or),
    **{name: _compare(rule) for name, rule in _COMPARISONS.items()},
}
