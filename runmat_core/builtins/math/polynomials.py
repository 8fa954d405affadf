"""Polynomials as rows of coefficients, highest power first."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins import composed
from runmat_core.builtins.arguments import (
    as_float,
    floating,
    integer,
    numeric,
)
from runmat_core.builtins.lift import value_of
from runmat_core.builtins.linalg.factorizations import eigenvalues
from runmat_core.values import StructArray, field, from_numpy, mixed, spectral, struct, to_numpy

Coefficients = NDArray[Any]


def coefficients_of(value: Any, name: str) -> Coefficients:
    a = as_float(numeric(value, name))
    if a.ndim > 2 or (1 not in a.shape and a.size):
        reason = "NonVectorInput" if name == "roots" else "InvalidP"
        raise MatlabError(f"MATLAB:{name}:{reason}", "P must be a vector.")
    return a.ravel(order="F")


def nonempty(a: Coefficients, name: str) -> Coefficients:
    if not a.size:
        raise MatlabError(f"MATLAB:{name}:emptyInput", "Inputs must not be empty.")
    return a


@builtin(
    "polyval",
    family="math/polynomials",
    nargout=2,
    needs=("nargout",),
    effects="pure",
    pending="keep",
)
@composed.composed(composed.polyval)
def polyval(p: Any, x: Any, s: Any = None, mu: Any = None, *, nargout: int = 1) -> Any:
    """Value of a polynomial.

    Y = polyval(P, X)
    Y = polyval(P, X, [], MU) with MU from polyfit
    [Y, DELTA] = polyval(P, X, S) with S from polyfit: a new observation lies within Y - DELTA and
    Y + DELTA in at least half of all cases, [Y, DELTA] = polyval(P, X, S, MU)

    Examples:
        >> polyval([1 0 -2], [2 3])
        ans =
             2     7

    See also: polyfit, roots, conv.
    """
    coefficients, a = coefficients_of(p, "polyval"), as_float(numeric(x, "polyval"))
    if mu is not None:
        centre = as_float(numeric(mu, "polyval")).ravel()
        if centre.size != 2:
            raise MatlabError("MATLAB:polyval:InvalidMu", "MU must have two elements.")
        a = (a - centre[0]) / centre[1]
    # the first coefficient comes by itself, not as 0*x + p(1), which is NaN for infinities
    first = coefficients[0] if coefficients.size else 0
    kind = np.result_type(coefficients, a)
    if any(v.dtype.char in "fF" for v in (coefficients, a)):
        # single as soon as one is
        kind = np.dtype(np.complex64 if kind.kind == "c" else np.float32)
        a = a.astype(np.complex64 if a.dtype.kind == "c" else np.float32)
        coefficients = coefficients.astype(kind)
    result = np.full(a.shape, first, coefficients.dtype)
    with np.errstate(all="ignore"):
        for coefficient in coefficients[1:]:
            result = mixed.multiply(result, a) + coefficient
        result = result.astype(kind, copy=False)
        if nargout < 2:
            return value_of(result)
        return value_of(result), value_of(_error_of_prediction(s, a, coefficients.size))


def _error_of_prediction(s: Any, a: Coefficients, count: int) -> Coefficients:
    """Return the standard error of a prediction at `a` by a fit of so many coefficients."""
    if not isinstance(s, StructArray) or not {"R", "df", "normr"} <= set(s.field_names()):
        raise MatlabError(
            "MATLAB:polyval:RequiresS", "S must be a structure that polyfit gave as second output."
        )
    factor, freedom, rest = (to_numpy(field(s, name)) for name in ("R", "df", "normr"))
    powers = np.vander(a.ravel(order="F"), count)
    if factor.shape != (count, count):
        raise MatlabError("MATLAB:polyval:RequiresS", "S does not fit the polynomial.")
    spread = np.linalg.solve(factor.T, powers.T)
    size = np.sqrt(1 + (np.abs(spread) ** 2).sum(axis=0)) * (rest / np.sqrt(freedom)).ravel()
    return np.asarray(size.reshape(a.shape, order="F"))


@builtin("polyfit", family="math/polynomials", nargout=3, needs=("nargout", "interp"))
def polyfit(x: Any, y: Any, n: Any, *, nargout: int, interp: Any) -> Any:
    """Polynomial of degree N that fits data best in the sense of least squares.

    P = polyfit(X, Y, N)
    [P, S] = polyfit(X, Y, N) gives a structure for error estimates
    [P, S, MU] = polyfit(X, Y, N) centres and scales X by MU = [mean(X); std(X)]

    Examples:
        >> polyfit([0 1 2], [1 3 5], 1)
        ans =
            2.0000    1.0000

    See also: polyval, roots, interp1, mldivide.
    """
    a, b, degree = _data(x, "polyfit"), _data(y, "polyfit"), integer(n, "N")
    if degree < 0 or not a.size:
        raise MatlabError("MATLAB:polyfit:invalidDegree", "N must be a nonnegative integer.")
    if a.size != b.size:
        raise MatlabError(
            "MATLAB:polyfit:XYSizeMismatch",
            "The first two inputs must have the same number of elements.",
        )
    mu = np.array([[0.0], [1.0]])
    if nargout > 2:
        mu = np.array([[a.mean()], [a.std(ddof=min(a.size - 1, 1))]])
        a = (a - mu[0]) / mu[1]
    powers = np.vander(a, degree + 1)
    q, r = np.linalg.qr(powers)
    unique = a.size > degree and _is_regular(r)
    if not unique:
        _warn(interp, a.size <= degree)
    with np.errstate(all="ignore"):
        if not np.isfinite(powers).all():
            p = np.full(degree + 1, np.nan)
        elif unique:
            p = np.linalg.solve(r, q.conj().T @ b)
        else:
            p = np.linalg.lstsq(powers, b, rcond=None)[0]
    fitted = value_of(p.reshape(1, -1))
    if nargout < 2:
        return fitted
    errors = b - powers @ p
    details = struct(
        {
            "R": value_of(r),
            "df": float(max(0, b.size - degree - 1)),
            "normr": float(np.linalg.norm(errors)),
        }
    )
    return (fitted, details, from_numpy(mu))[:nargout]


def _is_regular(r: Coefficients) -> bool:
    """Whether a triangular factor can be divided by without losing all digits."""
    size = np.abs(r.diagonal())
    return bool(size.min() > size.max() * np.finfo(r.dtype).eps * r.shape[0])


def _data(value: Any, name: str) -> Coefficients:
    return as_float(numeric(value, name)).ravel(order="F")


def _warn(interp: Any, too_few: bool) -> None:
    if too_few:
        text = "Polynomial is not unique; degree >= number of data points."
        interp.warn("MATLAB:polyfit:PolyNotUnique", text)
    else:
        interp.warn(
            "MATLAB:polyfit:RepeatedPointsOrRescale",
            "Polynomial is badly conditioned. Add points with distinct X values, reduce the degree "
            "of the polynomial, or try centering and scaling as described in HELP POLYFIT.",
        )


@builtin("roots", family="math/polynomials", effects="pure")
def roots(p: Any) -> Any:
    """Roots of a polynomial, as a column.

    R = roots(P)

    Examples:
        >> roots([1 -3 2])
        ans =
             2
             1

    See also: poly, polyval, eig.
    """
    coefficients = coefficients_of(p, "roots")
    if not np.isfinite(coefficients).all():
        raise MatlabError(
            "MATLAB:roots:NonFiniteInput", "Input to ROOTS must not contain NaN or Inf."
        )
    nonzero = np.flatnonzero(coefficients)
    if not nonzero.size:
        return from_numpy(np.zeros((0, 0)))
    zeros = coefficients.size - nonzero[-1] - 1
    coefficients = coefficients[nonzero[0] : nonzero[-1] + 1]
    degree = coefficients.size - 1
    found = np.zeros(0)
    if degree:
        companion = np.diag(np.ones(degree - 1, coefficients.dtype), -1)
        companion[0] = -coefficients[1:] / coefficients[0]
        found = spectral.eigvals(companion)
    found = np.concatenate([found, np.zeros(zeros)])
    return value_of(found.reshape(-1, 1)) if found.size else from_numpy(np.zeros((0, 1)))


@builtin("poly", family="math/polynomials", effects="pure")
def poly(x: Any) -> Any:
    """Polynomial with given roots, or characteristic polynomial of a square matrix.

    P = poly(R), P = poly(A)

    Examples:
        >> poly([2 1])
        ans =
             1    -3     2

    See also: roots, polyval, eig.
    """
    a = floating(x, "poly")
    zeros = eigenvalues(a) if a.shape[0] == a.shape[1] and a.size > 1 else a.ravel(order="F")
    p = np.ones(1, np.result_type(zeros, np.float64))
    for zero in zeros[np.isfinite(zeros)]:
        p = np.convolve(p, np.array([1, -zero]))
    if p.dtype.kind == "c" and np.allclose(np.sort_complex(zeros), np.sort_complex(zeros.conj())):
        p = p.real
    return value_of(p.reshape(1, -1))


@builtin("polyder", family="math/polynomials", nargout=2, needs=("nargout",), effects="pure")
def polyder(a: Any, b: Any = None, *, nargout: int) -> Any:
    """Derivative of a polynomial, or of the product or quotient of two.

    Q = polyder(P), Q = polyder(A, B)
    [Q, D] = polyder(A, B) is that of A/B: Q/D

    Examples:
        >> polyder([1 2 3])
        ans =
             2     2

    See also: polyint, polyval.
    """
    p = coefficients_of(a, "polyder")
    if b is not None:
        other, p = nonempty(coefficients_of(b, "polyder"), "polyder"), nonempty(p, "polyder")
        if nargout > 1:
            over = np.polysub(np.convolve(_slope(p), other), np.convolve(p, _slope(other)))
            parts = _without_zeros(over), _without_zeros(np.convolve(other, other))
            return tuple(value_of(part.reshape(1, -1)) for part in parts)
        p = np.convolve(p, other)
    elif nargout > 1:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    return value_of(_without_zeros(_slope(p)).reshape(1, -1))


def _slope(p: Coefficients) -> Coefficients:
    return np.asarray(np.polyder(p)) if p.size > 1 else np.zeros(1)


def _without_zeros(p: Coefficients) -> Coefficients:
    """Coefficients from the first that is not zero on, the last one always."""
    nonzero = np.flatnonzero(p)
    return p[nonzero[0] :] if nonzero.size else np.zeros(1)


@builtin("polyint", family="math/polynomials", effects="pure")
def polyint(p: Any, k: Any = 0.0) -> Any:
    """Integral of a polynomial.

    Q = polyint(P), Q = polyint(P, K) with the constant K

    Examples:
        >> polyint([2 2])
        ans =
             1     2     0

    See also: polyder, polyval.
    """
    a = coefficients_of(p, "polyint")
    constant = to_numpy(k).ravel()[:1]
    return value_of(np.concatenate([a / np.arange(a.size, 0, -1), constant]).reshape(1, -1))
