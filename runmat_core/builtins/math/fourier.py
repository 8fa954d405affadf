"""Fourier transforms and their order of frequencies."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.fusion import Call
from runmat_core.builtins.arguments import dimension
from runmat_core.builtins.arrays.generic import array_of, rebuilt
from runmat_core.builtins.math.transforms import along, along_all, of_pages, request, transformed


@builtin(
    "fft",
    family="math/fourier",
    nargin=(1, 3),
    effects="pure",
    gpu=Call("fft", request(along, "fft"), of_complex=True),
)
def fft(x: Any, *args: Any) -> Any:
    """Discrete Fourier transform.

    Y = fft(X) works along the first dimension whose extent is not one
    Y = fft(X, N) pads with zeros or cuts to N points, Y = fft(X, N, DIM), Y = fft(X, [], DIM)

    Examples:
        >> fft([1 0 0 0])
        ans =
             1     1     1     1

    See also: ifft, fft2, fftshift.
    """
    return transformed("fft", x, along, args)


@builtin(
    "ifft",
    family="math/fourier",
    nargin=(1, 4),
    effects="pure",
    gpu=Call("fft", request(along, "ifft", inverse=True), of_complex=True),
)
def ifft(x: Any, *args: Any) -> Any:
    """Inverse discrete Fourier transform.

    X = ifft(Y), X = ifft(Y, N), X = ifft(Y, N, DIM)
    X = ifft(…, "symmetric") takes Y for the transform of real numbers

    Where Y is conjugate symmetric, X is real.

    Examples:
        >> ifft([4 0 0 0])
        ans =
             1     1     1     1

    See also: fft, ifft2, ifftshift.
    """
    return transformed("ifft", x, along, args, inverse=True)


@builtin(
    "fft2",
    family="math/fourier",
    nargin=(1, 3),
    effects="pure",
    gpu=Call("fft", request(of_pages, "fft2"), of_complex=True),
)
def fft2(x: Any, *args: Any) -> Any:
    """Two-dimensional discrete Fourier transform.

    Y = fft2(X) transforms each page, Y = fft2(X, M, N) pads or cuts to M-by-N

    Examples:
        >> fft2([1 0; 0 0])
        ans =
             1     1
             1     1

    See also: ifft2, fft.
    """
    return transformed("fft2", x, of_pages, args)


@builtin(
    "ifft2",
    family="math/fourier",
    nargin=(1, 4),
    effects="pure",
    gpu=Call("fft", request(of_pages, "ifft2", inverse=True), of_complex=True),
)
def ifft2(x: Any, *args: Any) -> Any:
    """Two-dimensional inverse discrete Fourier transform.

    X = ifft2(Y), X = ifft2(Y, M, N), X = ifft2(…, "symmetric")

    Where pages of Y are conjugate symmetric, X is real.

    Examples:
        >> ifft2([4 0; 0 0])
        ans =
             1     1
             1     1

    See also: fft2, ifft.
    """
    return transformed("ifft2", x, of_pages, args, inverse=True)


@builtin(
    "fftn",
    family="math/fourier",
    nargin=(1, 2),
    effects="pure",
    gpu=Call("fft", request(along_all, "fftn"), of_complex=True),
)
def fftn(x: Any, *args: Any) -> Any:
    """Discrete Fourier transform along all dimensions.

    Y = fftn(X), Y = fftn(X, SZ) pads or cuts to size SZ

    Examples:
        >> fftn([1 2; 3 4])
        ans =
            10    -2
            -4     0

    See also: ifftn, fft, fft2.
    """
    return transformed("fftn", x, along_all, args)


@builtin(
    "ifftn",
    family="math/fourier",
    nargin=(1, 3),
    effects="pure",
    gpu=Call("fft", request(along_all, "ifftn", inverse=True), of_complex=True),
)
def ifftn(x: Any, *args: Any) -> Any:
    """Inverse discrete Fourier transform along all dimensions.

    X = ifftn(Y), X = ifftn(Y, SZ), X = ifftn(…, "symmetric")

    Where Y is conjugate symmetric, X is real.

    Examples:
        >> ifftn([10 -2; -4 0])
        ans =
             1     2
             3     4

    See also: fftn, ifft, ifft2.
    """
    return transformed("ifftn", x, along_all, args, inverse=True)


def _axes(a: Any, dim: Any) -> Any:
    """Return the axes to shift: all of them, or one, none where it is beyond the last."""
    if dim is None:
        return None
    axis = dimension(dim)
    return axis if axis < a.ndim else ()


@builtin("fftshift", family="math/fourier", effects="pure", pending="view")
def fftshift(x: Any, dim: Any = None) -> Any:
    """Spectrum with the zero frequency in the middle.

    Y = fftshift(X), Y = fftshift(X, DIM)

    Examples:
        >> fftshift([1 2 3 4 5])
        ans =
             4     5     1     2     3

    See also: ifftshift, fft, circshift.
    """
    a = array_of(x)
    return rebuilt(x, np.fft.fftshift(a, axes=_axes(a, dim)))


@builtin("ifftshift", family="math/fourier", effects="pure", pending="view")
def ifftshift(x: Any, dim: Any = None) -> Any:
    """Undo fftshift.

    X = ifftshift(Y), X = ifftshift(Y, DIM)

    Examples:
        >> ifftshift([4 5 1 2 3])
        ans =
             1     2     3     4     5

    See also: fftshift, ifft.
    """
    a = array_of(x)
    return rebuilt(x, np.fft.ifftshift(a, axes=_axes(a, dim)))
