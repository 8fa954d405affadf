"""Matrix products, quotients and powers, and transposes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import diagonals, errors
from runmat_core.api.errors import MatlabError
from runmat_core.api.interrupts import stoppable
from runmat_core.api.threads import MUCH, by_work
from runmat_core.values import arithmetic
from runmat_core.values.arithmetic import alike, operand
from runmat_core.values.array import Array, from_numpy, wrap
from runmat_core.values.base import Complex, Value
from runmat_core.values.cell import CellArray
from runmat_core.values.char import CharArray, from_units
from runmat_core.values.classes import DOUBLE, is_complex, quiet
from runmat_core.values.hooks import HOOKS
from runmat_core.values.solve import solve
from runmat_core.values.string import StringArray
from runmat_core.values.struct import StructArray

Matrix = NDArray[Any]

#: Elements of a matrix from which its product with a few columns is asked for row by row: OpenBLAS
#: takes half the time in double precision, and what there is to turn round is small.
NARROW = 1 << 14


def is_scalar(value: Any) -> bool:
    return value.__class__ is not np.ndarray or value.size == 1


def matrix(value: Any) -> Matrix:
    return value if value.__class__ is np.ndarray else np.array([[value]])


def mtimes(a: Any, b: Any) -> Any:
    """Return ``a * b``: the matrix product, or the elementwise one where an operand is a scalar."""
    if a.__class__ is float or b.__class__ is float:
        return arithmetic.times(a, b, "*")
    if a.__class__ is Array and b.__class__ is Array:
        result = of_doubles(a.data, b.data)
        if result is not None:
            return result
    x, y = operand(a, "*"), operand(b, "*")
    if is_scalar(x) or is_scalar(y):
        return arithmetic.times(a, b, "*")
    _require_floats("*", x, y)
    _require_matrices("*", x, y)
    if x.shape[1] != y.shape[0]:
        raise errors.inner_dimensions()
    x, y = alike(x, y)
    if is_complex(x) != is_complex(y):
        from runmat_core.values.mixed import bilinear

        return from_numpy(quiet(bilinear, _product, x, y))
    return from_numpy(quiet(_product, x, y))


def of_doubles(x: Matrix, y: Matrix) -> Any:
    """Return the value of the product of matrices of real doubles.

    Return None where that is not all to it.
    """
    if x.dtype is not DOUBLE or y.dtype is not DOUBLE or x.ndim != 2 or y.ndim != 2:
        return None
    rows, inner = x.shape
    others, columns = y.shape
    size = rows * inner
    if inner != others or size <= 1 or inner * columns <= 1:
        return None
    if size >= NARROW or size * columns >= MUCH:
        return from_numpy(quiet(_product, x, y))
    # small ones take half the time of `matmul` by the method
    if columns == 1 or rows == 1:
        # a vector is as much row-major as column-major
        result = x.dot(y) if HOOKS.programs else quiet(x.dot, y)
        if rows == columns:
            return result.item()
    else:
        result = (y.T.dot(x.T) if HOOKS.programs else quiet(y.T.dot, x.T)).T
    value = object.__new__(Array)
    value.data = result
    return value


def _product(x: Matrix, y: Matrix) -> Any:
    """Return the product of two column-major matrices, column-major where that is as fast."""
    scaled = diagonals.product(y.T, x.T)
    if scaled is not None:
        return scaled.T
    count = x.size * y.shape[1]
    with by_work(count):
        if 4 * y.shape[1] <= min(x.shape) and x.size >= NARROW:
            return stoppable(count, np.matmul, x, y)
        # NumPy's product is row-major: that of the transposes is what we want, transposed
        return stoppable(count, np.matmul, y.T, x.T).T


def _require_matrices(symbol: str, x: Matrix, y: Matrix) -> None:
    if x.ndim == 2 and y.ndim == 2:
        return
    if symbol == "*":
        raise MatlabError(
            "MATLAB:mtimes:inputsMustBe2D",
            "Arguments must be 2-D, or at least one argument must be scalar. Use TIMES (.*) for "
            "elementwise multiplication.",
        )
    raise MatlabError("MATLAB:mldivide:inputsMustBe2D", "Arguments must be 2-D.")


def _require_floats(symbol: str, *operands: Matrix) -> None:
    name = {"*": "MTIMES", "/": "MRDIVIDE", "\\": "MLDIVIDE", "^": "MPOWER"}[symbol]
    if any(x.__class__ is np.ndarray and x.dtype.kind in "iu" for x in operands):
        raise MatlabError(
            f"MATLAB:{name.lower()}:integerNotSupported",
            f"{name} ({symbol}) is not fully supported for integer classes. At least one argument "
            "must be scalar.",
        )


# -- quotients -----------------------------------------------------------------------------------


def _are_plain(a: Any, b: Any) -> bool:
    """Whether both are matrices of real doubles and no scalars."""
    if a.__class__ is not Array or b.__class__ is not Array:
        return False
    x, y = a.data, b.data
    return x.dtype is DOUBLE and y.dtype is DOUBLE and x.ndim == 2 and y.ndim == 2


def mrdivide(a: Any, b: Any) -> Any:
    """Return ``a / b``: x such that ``x * b = a``."""
    if b.__class__ is float:
        return arithmetic.rdivide(a, b, "/")
    if _are_plain(a, b) and a.data.shape[1] == b.data.shape[1]:
        return from_numpy(solve(b.data.T, a.data.T).T)
    x, y = operand(a, "/"), operand(b, "/")
    if is_scalar(y):
        return arithmetic.rdivide(a, b, "/")
    x, y = matrix(x), matrix(y)
    _require_floats("/", x, y)
    _require_matrices("/", x, y)
    if x.shape[1] != y.shape[1]:
        raise errors.incompatible_matrices()
    return from_numpy(solve(y.T, x.T).T)


def mldivide(a: Any, b: Any) -> Any:
    r"""Return ``a \ b``: x such that ``a * x = b``, by least squares unless a is square."""
    if _are_plain(a, b) and len(a.data) == len(b.data):
        return from_numpy(solve(a.data, b.data))
    x, y = operand(a, "\\"), operand(b, "\\")
    if is_scalar(x):
        return arithmetic.rdivide(b, a, "\\")
    x, y = matrix(x), matrix(y)
    _require_floats("\\", x, y)
    _require_matrices("\\", x, y)
    if x.shape[0] != y.shape[0]:
        raise errors.incompatible_matrices()
    return from_numpy(solve(x, y))


# -- powers --------------------------------------------------------------------------------------


def mpower(a: Any, b: Any) -> Any:
    """Return ``a ^ b`` of a square matrix and a scalar, either way round."""
    x, y = operand(a, "^"), operand(b, "^")
    if is_scalar(x) and is_scalar(y):
        return arithmetic.power(a, b, "^")
    square = x if is_scalar(y) else y
    if not (is_scalar(x) or is_scalar(y)) or square.ndim > 2 or len(set(square.shape)) > 1:
        raise MatlabError(
            "MATLAB:square",
            "Incorrect dimensions for raising a matrix to a power. Check that the matrix is "
            "square and the power is a scalar. To operate on each element of the matrix "
            "individually, use POWER (.^) for elementwise power.",
        )
    _require_floats("^", x, y)
    if not square.size:
        return from_numpy(square)
    with np.errstate(all="ignore"):
        if is_scalar(x):
            return from_numpy(_scalar_to_matrix(complex(np.asarray(x).item()), square))
        exponent = np.asarray(y).item()
        if not isinstance(exponent, complex) and math.isfinite(exponent) and exponent % 1 == 0:
            return from_numpy(_integer_power(square, int(exponent)))
        return from_numpy(_real_power(square, exponent))


def _integer_power(A: Matrix, n: int) -> Matrix:
    """Repeated squaring, of the inverse where n is negative."""
    if n < 0:
        A, n = solve(A, np.eye(A.shape[0], dtype=A.dtype)), -n
    return np.linalg.matrix_power(A, n)


def _real_power(A: Matrix, exponent: complex) -> Matrix:
    return _of_eigenvalues(A, lambda values: values.astype(np.complex128) ** exponent)


def _scalar_to_matrix(base: complex, A: Matrix) -> Matrix:
    return _of_eigenvalues(A, lambda values: np.power(base, values.astype(np.complex128)))


def _of_eigenvalues(A: Matrix, function: Any) -> Matrix:
    """Return a function of a matrix through its eigenvectors, orthogonal for Hermitian ones."""
    from runmat_core.values import spectral  # few programs have such powers

    if not np.isfinite(A).all():
        return np.full(A.shape, np.nan)
    if (A == A.conj().T).all():
        values, vectors = spectral.eigh(A)
        result = (vectors * function(values)) @ vectors.conj().T
    else:
        values, vectors = spectral.eig(A)
        result = solve(vectors.T, (vectors * function(values)).T).T
    return _realised(result, A)


def _realised(result: Matrix, source: Matrix) -> Matrix:
    """Return the real part where the imaginary one is rounding error of a real problem."""
    if source.dtype.kind != "c" and result.dtype.kind == "c":
        scale = np.abs(result).max(initial=0)
        if np.abs(result.imag).max(initial=0) <= 10 * np.finfo(np.float64).eps * max(scale, 1):
            return np.asarray(result.real)
    return result


# -- transposes ----------------------------------------------------------------------------------


def transpose(a: Any) -> Any:
    return _transposed(a, conjugate=False)


def ctranspose(a: Any) -> Any:
    return _transposed(a, conjugate=True)


def _transposed(a: Any, conjugate: bool) -> Any:
    if a.__class__ is Array and a.data.ndim == 2:
        return transposed_numbers(a.data, conjugate)
    if a.__class__ is Complex:
        return Complex(a.conjugate()) if conjugate else a
    if not isinstance(a, Value):
        return a
    if len(a.shape) > 2:
        raise MatlabError(
            "MATLAB:transpose:NDArray",
            "TRANSPOSE does not support N-D arrays. Use PAGETRANSPOSE/PAGECTRANSPOSE to "
            "transpose pages or PERMUTE to reorder dimensions of N-D arrays.",
        )
    if a.shape == (1, 1):
        return a.share()
    return _transposed_container(a)


def transposed_numbers(data: Matrix, conjugate: bool) -> Array:
    """Return the transpose of a column-major matrix."""
    if conjugate and data.dtype.kind == "c":
        return wrap(np.asfortranarray(data.T.conj()))
    value = object.__new__(Array)
    # a vector lies in memory as its transpose does: both may hold the buffer
    value.data = data.T if 1 in data.shape else data.T.copy(order="F")
    return value


def _transposed_container(a: Any) -> Any:
    if isinstance(a, StructArray):
        return StructArray(np.asfortranarray(a.array().T), a.field_names())
    if isinstance(a, CharArray):
        return from_units(np.asfortranarray(a.data.T))
    if isinstance(a, CellArray | StringArray):
        return type(a)(np.array(a.data.T, order="F"))
    return a.share()
