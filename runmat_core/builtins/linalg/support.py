"""What the linear algebra builtins share: reading matrices, and SciPy."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.errors import MatlabError
from runmat_core.api.libraries import package
from runmat_core.builtins.arguments import floating
from runmat_core.builtins.lift import value_of
from runmat_core.values.classes import DOUBLE, QUIET

Matrix = NDArray[Any]


def scipy_linalg() -> Any:
    """`scipy.linalg`, for what `values.lapack` lacks: it takes longer to load than the rest."""
    return package("scipy.linalg")


@contextmanager
def quiet() -> Iterator[None]:
    """Without SciPy's remarks on singular matrices: MATLAB gives none, or its own."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def matrix(x: Any, name: str) -> Matrix:
    """Return a floating matrix argument."""
    a = floating(x, name)
    if a.ndim > 2:
        raise MatlabError(f"MATLAB:{name}:inputMustBe2D", "Input must be 2-D.")
    return a


#: These have an error of their own for matrices that are not square.
_MATRIX_FUNCTIONS = frozenset({"expm", "logm", "sqrtm"})


def square(x: Any, name: str) -> Matrix:
    """Return a square floating matrix argument."""
    a = matrix(x, name)
    if a.shape[0] != a.shape[1]:
        if name in _MATRIX_FUNCTIONS:
            raise MatlabError(f"MATLAB:{name}:inputMustBeSquare", "Input must be a square matrix.")
        raise MatlabError("MATLAB:square", "Matrix must be square.")
    return a


def finite(a: Matrix, name: str) -> Matrix:
    """Return `a`, or an error where it has NaN or Inf."""
    if not np.isfinite(a).all():
        raise MatlabError(
            f"MATLAB:{name}:matrixWithNaNInf",
            f"Input to {name.upper()} must not contain NaN or Inf.",
        )
    return a


def is_hermitian(a: Matrix) -> bool:
    return a.shape[0] == a.shape[1] and bool(np.array_equal(a, a.conj().T))


def real_if_close(a: Matrix, reference: Matrix) -> Matrix:
    """Return a complex result as real where only round-off of a real problem is imaginary."""
    if a.dtype.kind != "c" or reference.dtype.kind == "c":
        return a
    scale = np.abs(a).max(initial=0.0)
    if np.abs(a.imag).max(initial=0.0) <= 10 * a.shape[0] * np.finfo(a.real.dtype).eps * scale:
        return np.asarray(a.real)
    return a


__all__ = [
    "Matrix",
    "finite",
    "is_hermitian",
    "matrix",
    "quiet",
    "real_if_close",
    "scipy_linalg",
    "square",
    "value_of",
]


def length_of(a: Matrix) -> float | None:
    """Return the length of a vector of doubles, where no square overflows or vanishes.

    Else None.
    """
    if a.dtype is not DOUBLE or a.ndim != 2 or 1 not in a.shape:
        return None
    v = a.ravel()
    square = QUIET.copy().run(v.dot, v)
    return math.sqrt(square) if 1e-280 < square < 1e280 else None
