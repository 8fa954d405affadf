"""Polynomials of matrices, partial fractions, and interpolation by makima and by transforms."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import (
    as_float,
    check_size,
    dimension,
    first_axis,
    floating,
    integer,
    numeric,
)
from runmat_core.builtins.lift import value_of
from runmat_core.builtins.math.polynomials import coefficients_of
from runmat_core.builtins.math.splines import interpolated

Numbers = NDArray[Any]


@builtin("polyvalm", family="math/polynomials", effects="pure")
def polyvalm(p: Any, x: Any) -> Any:
    """Value of a polynomial of a square matrix, by products of matrices.

    Y = polyvalm(P, X)

    Examples:
        >> polyvalm([1 0 -1], [1 2; 3 4])
        ans =
             6    10
            15    21

    See also: polyval, poly, expm.
    """
    coefficients, a = coefficients_of(p, "polyvalm"), floating(x, "polyvalm")
    if a.ndim != 2 or a.shape[0] != a.shape[1]:
        raise MatlabError("MATLAB:polyvalm:NonSquareMatrix", "Matrix must be square.")
    result = np.zeros(a.shape, np.result_type(coefficients, a))
    diagonal = np.arange(a.shape[0])
    with np.errstate(all="ignore"):
        for coefficient in coefficients:
            result = result @ a
            result[diagonal, diagonal] += coefficient
    return value_of(result)


# -- partial fractions ---------------------------------------------------------------------------

#: Poles nearer than this, relative to their size, are one pole of higher order, as in MATLAB.
_NEAR = 1e-3


def _grouped(poles: Numbers) -> tuple[Numbers, NDArray[np.intp]]:
    """Poles by decreasing size, near ones replaced by their mean, and the order of each."""
    order = np.argsort(-np.abs(poles), kind="stable")
    left = poles[order]
    found: list[complex] = []
    orders: list[int] = []
    while left.size:
        near = np.abs(left - left[0]) <= _NEAR * (np.abs(left[0]) or 1)
        count = int(near.sum())
        found += [complex(left[near].mean())] * count
        orders += range(1, count + 1)
        left = left[~near]
    return np.array(found, complex), np.array(orders, np.intp)


def _tidy(a: Numbers) -> Numbers:
    return a.real if a.dtype.kind == "c" and not a.imag.any() else a


def _polished(poles: Numbers, orders: NDArray[np.intp], a: Numbers) -> Any:
    """Poles after Newton steps in extended precision.

    One of order m is a single root of the derivative of order m - 1.
    """
    result = poles.astype(np.clongdouble)
    for pole in np.unique(poles):
        at = poles == pole
        function = np.polyder(a.astype(np.clongdouble), int(orders[at].max()) - 1)
        slope = np.polyder(function)
        for _ in range(2):
            step = np.polyval(function, result[at]) / np.polyval(slope, result[at])
            if (np.abs(step) < 1e-9 * np.abs(pole)).all():
                result[at] -= step
    return result


def _product(roots: Any) -> Any:
    """Coefficients of the polynomial with these roots."""
    result = np.ones(1, np.clongdouble)
    for root in roots:
        result = np.append(result, 0) - root * np.append(0, result)
    return result


def _solved(system: Any, right: Any) -> Any:
    """Return the solution of equations in extended precision, by refinement of that in doubles."""
    matrix = system.astype(complex)
    result = np.zeros_like(right)
    for _ in range(4):
        missing = (right - (system * result).sum(axis=1)).astype(complex)
        result = result + np.linalg.lstsq(matrix, missing, rcond=None)[0]
    return result


def _expand(b: Numbers, a: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Residues, poles and direct term of b/a."""
    real = np.isrealobj(b) and np.isrealobj(a)
    direct, rest = np.polydiv(b, a) if b.size >= a.size else (np.zeros(0), b)
    poles, orders = _grouped(np.roots(a))
    n = poles.size
    if not n:
        return np.zeros((0, 1)), np.zeros((0, 1)), direct
    poles = _polished(poles, orders, a)
    system = np.zeros((n, n), np.clongdouble)
    for k, (pole, order) in enumerate(zip(poles, orders, strict=True)):
        others = np.delete(poles, [j for j in range(n) if poles[j] == pole][:order])
        column = _product(others)
        system[n - column.size :, k] = column

    right = np.zeros(n, np.clongdouble)
    right[n - min(rest.size, n) :] = rest[-n:] / a[0].astype(np.clongdouble)
    residues = _solved(system, right).astype(complex)
    poles = poles.astype(complex)
    if real:
        poles_real = poles.imag == 0
        residues[poles_real] = residues[poles_real].real
    return _tidy(residues), _tidy(poles), direct


def _combine(r: Numbers, p: Numbers, k: Numbers) -> tuple[Numbers, Numbers]:
    """Numerator and denominator from partial fractions."""
    a = np.atleast_1d(np.poly(p)).astype(complex)
    total = np.convolve(k, a) if k.size else np.zeros(max(p.size, 1), complex)
    total = np.pad(total.astype(complex), (max(p.size - total.size, 0), 0))
    seen: list[complex] = []
    for residue, pole in zip(r, p, strict=True):
        order = sum(abs(pole - q) <= _NEAR * (abs(pole) or 1) for q in seen) + 1
        seen.append(pole)
        at = np.argsort(np.abs(p - pole), kind="stable")[:order]
        part = residue * np.atleast_1d(np.poly(np.delete(p, at)))
        total[total.size - part.size :] += part
    close = [np.allclose(v.imag, 0, atol=1e-12 * np.abs(v).max(initial=1)) for v in (total, a)]
    return (total.real if close[0] else total), (a.real if close[1] else a)


@builtin("residue", family="math/polynomials", nargin=(2, 3), nargout=3, needs=("nargout",))
def residue(b: Any, a: Any, k: Any = None, *, nargout: int) -> Any:
    """Partial fractions of a quotient of polynomials.

    [R, P, K] = residue(B, A): residues, poles and direct term of
    B(s)/A(s) = R(1)/(s - P(1)) + … + K(s); a pole of order m has m terms, with powers 1 to m
    [B, A] = residue(R, P, K) goes back

    Examples:
        >> [r, p, k] = residue([1 3], [1 3 2])
        r =
            -1
             2
        p =
            -2
            -1
        k =
             []

    See also: roots, poly, deconv.
    """
    first, second = coefficients_of(b, "residue"), coefficients_of(a, "residue")
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise MatlabError("MATLAB:residue:NonFinite", "Inputs must not contain NaN or Inf.")
    if k is not None:
        if first.size != second.size:
            raise MatlabError("MATLAB:residue:SizeMismatch", "R and P must have the same length.")
        outputs = [v.reshape(1, -1) for v in _combine(first, second, coefficients_of(k, "residue"))]
    else:
        nonzero = np.flatnonzero(second)
        if not nonzero.size:
            raise MatlabError("MATLAB:residue:ZeroDenominator", "A must not be zero.")
        residues, poles, direct = _expand(np.trim_zeros(first, "f"), second[nonzero[0] :])
        row = direct.reshape(1, -1) if direct.size else np.zeros((0, 0))
        outputs = [residues.reshape(-1, 1), poles.reshape(-1, 1), row]
    values = tuple(value_of(np.asarray(v)) for v in outputs[: max(nargout, 1)])
    return values if nargout > 1 else values[0]


# -- interpolation -------------------------------------------------------------------------------


@builtin("makima", family="math/interpolation", nargin=(2, 3), effects="pure")
def makima(x: Any, y: Any, xq: Any = None) -> Any:
    """Modified Akima interpolation: piecewise cubic, with little overshoot.

    YQ = makima(X, Y, XQ)
    PP = makima(X, Y) is a piecewise polynomial for ppval

    Points whose site or value is NaN are left out, with a warning.

    Examples:
        >> makima([1 2 3 4 5], [0 0 1 1 1], [2.5 4.5])
        ans =
            0.5625    1.0000

    See also: pchip, spline, interp1, ppval.
    """
    return interpolated("makima", x, y, xq)


@builtin("interpft", family="math/interpolation", effects="pure")
def interpft(x: Any, n: Any, dim: Any = None) -> Any:
    """Interpolation of periodic samples by the Fourier transform.

    Y = interpft(X, N) resamples to N points, Y = interpft(X, N, DIM)

    Examples:
        >> interpft([0 1 0 -1], 8)
        ans =
                 0    0.7071    1.0000    0.7071         0   -0.7071   -1.0000   -0.7071

    See also: interp1, fft, resample.
    """
    a = as_float(numeric(x, "interpft"))
    axis = first_axis(a.shape) if dim is None else dimension(dim)
    count = integer(n, "N")
    if count < 1:
        raise MatlabError("MATLAB:interpft:InvalidN", "N must be a positive integer.")
    if axis >= a.ndim:
        a, axis = a[..., None], a.ndim
    lines = np.moveaxis(a, axis, -1)
    m = lines.shape[-1]
    if not a.size:
        raise MatlabError("MATLAB:interpft:EmptyInput", "X must not be empty.")
    step = 1 if count > m else m // count + 1
    longer = step * count
    check_size((*lines.shape[:-1], longer), 16)
    spectrum = np.fft.fft(lines, axis=-1)
    half = (m + 2) // 2
    gap = np.zeros((*lines.shape[:-1], longer - m), spectrum.dtype)
    wide = np.concatenate([spectrum[..., :half], gap, spectrum[..., half:]], axis=-1)
    if m % 2 == 0 and longer > m:
        wide[..., half - 1] /= 2
        wide[..., half - 1 + longer - m] = wide[..., half - 1]
    result = np.fft.ifft(wide, axis=-1) * (longer / m)
    if a.dtype.kind != "c":
        result = result.real
    result = np.moveaxis(result[..., ::step], -1, axis)
    single = a.dtype.char in "fF"
    kind = (np.complex64 if result.dtype.kind == "c" else np.float32) if single else result.dtype
    return value_of(result.astype(kind))
