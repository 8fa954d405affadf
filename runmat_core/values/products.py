"""Matrix products, quotients and powers, and transposes."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import errors
from runmat_core.api.errors import MatlabError
from runmat_core.values import arithmetic
from runmat_core.values.arithmetic import operand
from runmat_core.values.array import Array, from_numpy
from runmat_core.values.base import Complex, Value
from runmat_core.values.cell import CellArray
from runmat_core.values.char import CharArray, from_units
from runmat_core.values.string import StringArray
from runmat_core.values.struct import StructArray

Matrix = NDArray[Any]

#: Where warnings go: ``warn(identifier, message)``, set by the session that runs in this thread.
_sink: list[Callable[[str, str], None]] = []


def set_warning_sink(sink: Callable[[str, str], None] | None) -> None:
    _sink[:] = [] if sink is None else [sink]


def warn(identifier: str, message: str) -> None:
    if _sink:
        _sink[-1](identifier, message)


def is_scalar(value: Any) -> bool:
    return value.__class__ is not np.ndarray or value.size == 1


def matrix(value: Any) -> Matrix:
    return value if value.__class__ is np.ndarray else np.array([[value]])


def mtimes(a: Any, b: Any) -> Any:
    """``a * b``: the matrix product, or the elementwise one where an operand is a scalar."""
    x, y = operand(a, "*"), operand(b, "*")
    if is_scalar(x) or is_scalar(y):
        return arithmetic.times(a, b, "*")
    if x.dtype.kind in "iu" or y.dtype.kind in "iu":
        raise MatlabError(
            "MATLAB:mtimes:integerNotSupported",
            "MTIMES (*) is not fully supported for integer classes. At least one argument must "
            "be scalar.",
        )
    _require_matrices("*", x, y)
    if x.shape[1] != y.shape[0]:
        raise errors.inner_dimensions()
    with np.errstate(all="ignore"):
        return from_numpy(np.matmul(x, y))


def _require_matrices(symbol: str, *operands: Matrix) -> None:
    if any(x.ndim > 2 for x in operands):
        raise MatlabError(
            "MATLAB:mtimes:inputsMustBe2D" if symbol == "*" else "MATLAB:mldivide:inputsMustBe2D",
            "Arguments must be 2-D, or at least one argument must be scalar. Use TIMES (.*) for "
            "elementwise multiplication."
            if symbol == "*"
            else "Arguments must be 2-D.",
        )


# -- quotients -----------------------------------------------------------------------------------


def mrdivide(a: Any, b: Any) -> Any:
    """``a / b``: x such that ``x * b = a``."""
    x, y = operand(a, "/"), operand(b, "/")
    if is_scalar(y):
        return arithmetic.rdivide(a, b, "/")
    x, y = matrix(x), matrix(y)
    _require_matrices("/", x, y)
    if x.shape[1] != y.shape[1]:
        raise errors.incompatible_matrices()
    return from_numpy(solve(y.conj().T, x.conj().T).conj().T)


def mldivide(a: Any, b: Any) -> Any:
    """``a \\ b``: x such that ``a * x = b``, in the least-squares sense unless a is square."""
    x, y = operand(a, "\\"), operand(b, "\\")
    if is_scalar(x):
        return arithmetic.rdivide(b, a, "\\")
    x, y = matrix(x), matrix(y)
    _require_matrices("\\", x, y)
    if x.shape[0] != y.shape[0]:
        raise errors.incompatible_matrices()
    return from_numpy(solve(x, y))


def solve(A: Matrix, B: Matrix) -> Matrix:
    """The solution of ``A X = B`` by the structure of A: triangular, positive definite, square,
    else basic least squares by QR with column pivoting."""
    if A.dtype.kind in "iu" or B.dtype.kind in "iu":
        raise MatlabError(
            "MATLAB:mldivide:integerNotSupported",
            "MLDIVIDE (\\) is not supported for integer classes.",
        )
    if 0 in A.shape or 0 in B.shape:
        return np.zeros((A.shape[1], B.shape[1]), np.result_type(A, B))
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if A.shape[0] != A.shape[1]:
            return basic_least_squares(A, B)
        solution: Matrix = _square(A, B)
        return solution


def _square(A: Matrix, B: Matrix) -> Any:
    from scipy import linalg

    upper, lower = not np.tril(A, -1).any(), not np.triu(A, 1).any()
    if upper or lower:
        return _triangular(A, B, lower=not upper)
    if not np.isfinite(A).all():
        warn_singular(np.nan)
        return np.full((A.shape[1], B.shape[1]), np.nan, np.result_type(A, B))
    diagonal = np.diag(A)
    if np.array_equal(A, A.conj().T) and (diagonal.real > 0).all():
        try:
            factor = linalg.cho_factor(A, check_finite=False)
        except linalg.LinAlgError:
            pass
        else:
            _check_condition(A, factor[0], "pocon")
            return linalg.cho_solve(factor, B, check_finite=False)
    lu, pivots = linalg.lu_factor(A, check_finite=False)
    if not np.diag(lu).all():
        warn_singular(0.0)
        return np.full((A.shape[1], B.shape[1]), np.inf, np.result_type(A, B))
    _check_condition(A, lu, "gecon")
    return linalg.lu_solve((lu, pivots), B, check_finite=False)


def _triangular(A: Matrix, B: Matrix, lower: bool) -> Any:
    from scipy import linalg

    diagonal = np.diag(A)
    if not diagonal.all():
        warn_singular(0.0)
        return _substitution(A, B, lower)
    _check_condition(A, A, "trcon", lower=lower)
    return linalg.solve_triangular(A, B, lower=lower, check_finite=False)


def _substitution(A: Matrix, B: Matrix, lower: bool) -> Matrix:
    """Substitution that divides by zero pivots, for the Inf and NaN that MATLAB shows."""
    n = A.shape[0]
    X = np.array(B, np.result_type(A, B, np.float32))
    for k in range(n) if lower else range(n - 1, -1, -1):
        done = slice(0, k) if lower else slice(k + 1, n)
        X[k] = (X[k] - A[k, done] @ X[done]) / A[k, k]
    return X


def _check_condition(A: Matrix, factor: Matrix, routine: str, lower: bool = False) -> None:
    """Warn when LAPACK's estimate of the reciprocal condition is below eps."""
    from scipy.linalg import lapack

    function = lapack.get_lapack_funcs(routine, (factor,))
    norm = np.abs(A).sum(axis=0).max()
    if routine == "trcon":
        rcond, _ = function(factor, uplo="L" if lower else "U")
    else:
        rcond, _ = function(factor, norm)
    if rcond < np.finfo(factor.dtype).eps:
        warn_singular(float(rcond))


def warn_singular(rcond: float) -> None:
    if rcond == 0:
        warn("MATLAB:singularMatrix", "Matrix is singular to working precision.")
    else:
        text = "NaN" if rcond != rcond else f"{rcond:.6e}"
        warn(
            "MATLAB:nearlySingularMatrix",
            "Matrix is close to singular or badly scaled. Results may be inaccurate. "
            f"RCOND = {text:>13}.",
        )


def basic_least_squares(A: Matrix, B: Matrix) -> Matrix:
    """A least-squares solution with at most rank(A) non-zeros a column, by pivoted QR."""
    from scipy import linalg

    Q, R, pivots = linalg.qr(A, mode="economic", pivoting=True, check_finite=False)
    diagonal = np.abs(np.diag(R))
    tolerance = max(A.shape) * np.finfo(R.dtype).eps * (diagonal[0] if diagonal.size else 0)
    rank = int((diagonal > tolerance).sum())
    if rank < min(A.shape):
        warn(
            "MATLAB:rankDeficientMatrix",
            f"Rank deficient, rank = {rank}, tol = {float(tolerance):13.6e}.",
        )
    X = np.zeros((A.shape[1], B.shape[1]), np.result_type(A, B))
    rhs = (Q.conj().T @ B)[:rank]
    X[pivots[:rank]] = linalg.solve_triangular(R[:rank, :rank], rhs, check_finite=False)
    return X


# -- powers and transposes -----------------------------------------------------------------------


def mpower(a: Any, b: Any) -> Any:
    """``a ^ b`` of a square matrix and a scalar, either way round."""
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
    with np.errstate(all="ignore"):
        if is_scalar(x):
            return from_numpy(_scalar_to_matrix(complex(np.asarray(x).item()), square))
        exponent = np.asarray(y).item()
        if not isinstance(exponent, complex) and exponent == int(exponent):
            return from_numpy(_integer_power(square, int(exponent)))
        return from_numpy(_real_power(square, exponent))


def _integer_power(A: Matrix, n: int) -> Matrix:
    if n < 0:
        A, n = solve(A, np.eye(A.shape[0], dtype=A.dtype)), -n
    return np.linalg.matrix_power(A, n)


def _real_power(A: Matrix, exponent: complex) -> Matrix:
    values, vectors = np.linalg.eig(A)
    powers = values.astype(np.complex128) ** exponent
    return _realised(solve(vectors.T, (vectors * powers).T).T, A)


def _scalar_to_matrix(base: complex, A: Matrix) -> Matrix:
    values, vectors = np.linalg.eig(A)
    result = solve(vectors.T, (vectors * (base**values)).T).T
    return _realised(result, A) if base.imag == 0 and base.real > 0 else result


def _realised(result: Matrix, source: Matrix) -> Matrix:
    """The real part where the imaginary one is rounding error of a real problem."""
    if source.dtype.kind != "c" and np.iscomplexobj(result):
        scale = np.abs(result).max(initial=0)
        if np.abs(result.imag).max(initial=0) <= 10 * np.finfo(np.float64).eps * max(scale, 1):
            return result.real
    return result


def transpose(a: Any) -> Any:
    return _transposed(a, conjugate=False)


def ctranspose(a: Any) -> Any:
    return _transposed(a, conjugate=True)


def _transposed(a: Any, conjugate: bool) -> Any:
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
    if a.shape == (1, 1) and not isinstance(a, Array):
        return a.share()
    if isinstance(a, Array):
        data = a.data
        turned = data.T.conj() if conjugate and data.dtype.kind == "c" else data.T
        return from_numpy(np.array(turned, order="F"))
    return _transposed_container(a)


def _transposed_container(a: Any) -> Any:
    if isinstance(a, StructArray):
        return StructArray(np.asfortranarray(a.array().T), a.field_names())
    if isinstance(a, CharArray):
        return from_units(np.asfortranarray(a.data.T))
    if isinstance(a, CellArray | StringArray):
        return type(a)(np.array(a.data.T, order="F"))
    return a.share()
