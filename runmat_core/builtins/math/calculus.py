"""Numerical integration and differences of sampled data, and Fourier transforms."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import (
    as_float,
    dimension,
    first_axis,
    integer,
    numeric,
    option,
    real,
)
from runmat_core.builtins.lift import value_of
from runmat_core.values import to_numpy

Operand = NDArray[Any]


def _samples(name: str, x: Any, y: Any, dim: Any) -> tuple[Operand, Operand, int]:
    """Ordinates, widths of the intervals (broadcastable) and axis of trapz and cumtrapz."""
    if y is None:
        x, y = None, x
    elif dim is None and to_numpy(y).size == 1 and to_numpy(x).size != 1:
        # trapz(Y, [], dim) has no two-argument form with a scalar Y
        raise MatlabError(f"MATLAB:{name}:LengthXMismatchY", "Length of X must equal length of Y.")
    a = as_float(numeric(y, name))
    axis = first_axis(a.shape) if dim is None else dimension(dim)
    count = a.shape[axis] if axis < a.ndim else 1
    if x is None or to_numpy(x).size == 0:
        return a, np.ones(1, a.real.dtype), axis
    points = as_float(numeric(x, name))
    if points.size == 1:
        return a, points.ravel(), axis
    if points.shape == a.shape and 1 not in points.shape:
        return a, np.diff(points, axis=axis), axis
    if points.size != count:
        raise MatlabError(f"MATLAB:{name}:LengthXMismatchY", "Length of X must equal length of Y.")
    shape = [-1 if k == axis else 1 for k in range(a.ndim)]
    return a, np.diff(points.ravel(order="F")).reshape(shape), axis


def _panels(a: Operand, widths: Operand, axis: int) -> Operand:
    first = np.take(a, range(a.shape[axis] - 1), axis)
    second = np.take(a, range(1, a.shape[axis]), axis)
    return np.asarray(widths * (first + second) / 2)


@builtin("trapz", family="math/calculus", effects="pure", pending="view")
def trapz(x: Any, y: Any = None, dim: Any = None) -> Any:
    """Integral by the trapezoidal rule.

    Q = trapz(Y), Q = trapz(X, Y), Q = trapz(X, Y, DIM)

    Examples:
        >> trapz([0 1 2], [0 1 4])
        ans =
             3

    See also: cumtrapz, integral, sum.
    """
    a, widths, axis = _samples("trapz", x, y, dim)
    if a.size == 0 or axis >= a.ndim:
        return 0.0
    return value_of(_panels(a, widths, axis).sum(axis=axis, keepdims=True))


@builtin("cumtrapz", family="math/calculus", effects="pure")
def cumtrapz(x: Any, y: Any = None, dim: Any = None) -> Any:
    """Running integral by the trapezoidal rule.

    Q = cumtrapz(Y), Q = cumtrapz(X, Y), Q = cumtrapz(X, Y, DIM)

    Examples:
        >> cumtrapz([0 2 4])
        ans =
             0     1     4

    See also: trapz, cumsum.
    """
    a, widths, axis = _samples("cumtrapz", x, y, dim)
    if a.size == 0 or axis >= a.ndim:
        return value_of(np.zeros(a.shape))
    total = np.cumsum(_panels(a, widths, axis), axis=axis)
    start = np.zeros([1 if k == axis else n for k, n in enumerate(a.shape)], total.dtype)
    return value_of(np.concatenate([start, total], axis=axis))


@builtin("gradient", family="math/calculus", nargout=None, needs=("nargout",), effects="pure")
def gradient(f: Any, *spacing: Any, nargout: int) -> Any:
    """Numerical gradient: central differences inside, one-sided ones at the ends.

    FX = gradient(F), FX = gradient(F, H)
    [FX, FY, …] = gradient(F, HX, HY, …): FX along columns (the second dimension), FY along rows

    Examples:
        >> gradient([1 4 9 16])
        ans =
             3     4     6     7

    See also: diff, trapz.
    """
    a = as_float(numeric(f, "gradient"))
    axes = [first_axis(a.shape)] if a.ndim == 2 and 1 in a.shape else [1, 0, *range(2, a.ndim)]
    steps = [as_float(real(h, "gradient")).ravel(order="F") for h in spacing] or [np.ones(1)]
    if len(steps) == 1:
        steps *= len(axes)
    with np.errstate(all="ignore"):
        parts = tuple(
            value_of(slope(a, step, axis))
            for axis, step in zip(axes[: max(nargout, 1)], steps, strict=False)
        )
    return parts if nargout > 1 else parts[0]


def slope(a: Operand, step: Operand, axis: int) -> Operand:
    count = a.shape[axis]
    if step.size not in (1, count):
        raise MatlabError(
            "MATLAB:gradient:InvalidInputs", "Spacing must be a scalar or a vector of coordinates."
        )
    if count < 2:
        return np.zeros_like(a)
    points = step if step.size > 1 else np.arange(count) * step[0]
    lines = np.moveaxis(a, axis, -1)
    slope = np.empty_like(lines)
    slope[..., 0] = (lines[..., 1] - lines[..., 0]) / (points[1] - points[0])
    slope[..., -1] = (lines[..., -1] - lines[..., -2]) / (points[-1] - points[-2])
    slope[..., 1:-1] = (lines[..., 2:] - lines[..., :-2]) / (points[2:] - points[:-2])
    return np.moveaxis(slope, -1, axis)


# -- Fourier transforms -------------------------------------------------------------------------


def _transform(name: str, rule: Any, x: Any, n: Any, dim: Any) -> Any:
    a = as_float(numeric(x, name))
    axis = first_axis(a.shape) if dim is None else dimension(dim)
    length = None if n is None or to_numpy(n).size == 0 else integer(n, "N")
    if length is not None and length < 0:
        raise MatlabError(f"MATLAB:{name}:lengthNotNonNegInt", "N must be nonnegative.")
    if axis >= a.ndim:
        a, axis = a[..., None], a.ndim
    if a.size == 0 or length == 0:
        shape = [length if k == axis and length is not None else m for k, m in enumerate(a.shape)]
        return value_of(np.zeros(shape))
    result = rule(a, n=length, axis=axis)
    return value_of(result.astype(np.complex64) if a.dtype.char in "fF" else result)


@builtin("fft", family="math/fourier", effects="pure")
def fft(x: Any, n: Any = None, dim: Any = None) -> Any:
    """Discrete Fourier transform.

    Y = fft(X), Y = fft(X, N) pads or cuts to N points, Y = fft(X, N, DIM)

    Examples:
        >> fft([1 0 0 0])
        ans =
             1     1     1     1

    See also: ifft, fft2, fftshift.
    """
    return _transform("fft", np.fft.fft, x, n, dim)


@builtin("ifft", family="math/fourier", nargin=(1, 4), effects="pure")
def ifft(x: Any, n: Any = None, dim: Any = None, symmetry: Any = None) -> Any:
    """Inverse discrete Fourier transform.

    X = ifft(Y), X = ifft(Y, N), X = ifft(Y, N, DIM), X = ifft(…, "symmetric")

    Examples:
        >> ifft([4 0 0 0])
        ans =
             1     1     1     1

    See also: fft, ifft2, ifftshift.
    """
    given = [v for v in (n, dim, symmetry) if v is not None]
    words = [option(v) for v in given]
    plain = [v for v, word in zip(given, words, strict=True) if word is None]
    result = _transform("ifft", np.fft.ifft, x, *([*plain, None, None])[:2])
    data = to_numpy(x)
    axis = dimension(plain[1]) if len(plain) > 1 else first_axis(data.shape)
    symmetric = "symmetric" in words or (not plain and _is_conjugate_symmetric(data, axis))
    return value_of(to_numpy(result).real) if symmetric else result


def _is_conjugate_symmetric(a: Operand, axis: int) -> bool:
    """Whether the transform of `a` is real but for round-off."""
    if a.dtype.kind != "c":
        return False
    return bool(np.array_equal(a, np.roll(np.flip(a, axis), 1, axis).conj()))


def _transform_of_pages(name: str, rule: Any, x: Any, m: Any, n: Any) -> Any:
    shape = None if m is None else (integer(m, "M"), integer(n, "N"))
    a = as_float(numeric(x, name))
    if a.size == 0 or (shape is not None and min(shape) < 1):
        return value_of(np.zeros(a.shape if shape is None else tuple(max(e, 0) for e in shape)))
    return value_of(rule(a, s=shape, axes=(0, 1)))


@builtin("fft2", family="math/fourier", effects="pure")
def fft2(x: Any, m: Any = None, n: Any = None) -> Any:
    """Two-dimensional discrete Fourier transform.

    Y = fft2(X), Y = fft2(X, M, N) pads or cuts to M-by-N

    Examples:
        >> fft2([1 0; 0 0])
        ans =
             1     1
             1     1

    See also: ifft2, fft.
    """
    return _transform_of_pages("fft2", np.fft.fft2, x, m, n)


@builtin("ifft2", family="math/fourier", effects="pure")
def ifft2(x: Any, m: Any = None, n: Any = None) -> Any:
    """Two-dimensional inverse discrete Fourier transform.

    X = ifft2(Y), X = ifft2(Y, M, N)

    Examples:
        >> ifft2([4 0; 0 0])
        ans =
             1     1
             1     1

    See also: fft2, ifft.
    """
    return _transform_of_pages("ifft2", np.fft.ifft2, x, m, n)


def _axes(a: Operand, dim: Any) -> Any:
    """The axes to shift: all of them, or one, none where it is beyond the last."""
    if dim is None:
        return None
    axis = dimension(dim)
    return axis if axis < a.ndim else ()


@builtin("fftshift", family="math/fourier", effects="pure")
def fftshift(x: Any, dim: Any = None) -> Any:
    """Spectrum with the zero frequency in the middle.

    Y = fftshift(X), Y = fftshift(X, DIM)

    Examples:
        >> fftshift([1 2 3 4 5])
        ans =
             4     5     1     2     3

    See also: ifftshift, fft, circshift.
    """
    a = numeric(x, "fftshift")
    return value_of(np.fft.fftshift(a, axes=_axes(a, dim)))


@builtin("ifftshift", family="math/fourier", effects="pure")
def ifftshift(x: Any, dim: Any = None) -> Any:
    """Undo fftshift.

    X = ifftshift(Y), X = ifftshift(Y, DIM)

    Examples:
        >> ifftshift([4 5 1 2 3])
        ans =
             1     2     3     4     5

    See also: fftshift, ifft.
    """
    a = numeric(x, "ifftshift")
    return value_of(np.fft.ifftshift(a, axes=_axes(a, dim)))
