"""Filters of images."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import MatlabError, builtin
from runmat_image.arguments import Data, given, image, integer, like, one_of, real, scalar

_PADDING = {"replicate": "edge", "symmetric": "symmetric", "circular": "wrap"}


def padded(a: Data, before: tuple[int, int], after: tuple[int, int], how: Any) -> Data:
    """`a` with rows and columns added around it: a number, or by the name of a rule."""
    widths = [*zip(before, after, strict=True), *[(0, 0)] * (a.ndim - 2)]
    if isinstance(how, str):
        return np.pad(a, widths, mode=_PADDING[how])  # type: ignore[call-overload, no-any-return]
    return np.pad(a, widths, constant_values=how)


def correlated(a: Data, h: Data, how: Any, full: bool = False) -> Data:
    """Correlation of each plane with a kernel, whose centre is floor((size + 1)/2)."""
    from scipy.ndimage import correlate

    rows, columns = h.shape
    before = ((rows - 1) // 2, (columns - 1) // 2)
    after = (rows // 2, columns // 2)
    if full:
        before = after = (rows - 1, columns - 1)
    wide = padded(a.astype(np.float64), before, after, how)
    planes = wide.reshape(*wide.shape[:2], -1, order="F")
    count = (wide.shape[0] - rows + 1, wide.shape[1] - columns + 1)
    result = np.zeros((*count, planes.shape[2]))
    for k in range(planes.shape[2]):
        found = correlate(planes[..., k], h, mode="constant")
        result[..., k] = found[
            rows // 2 : rows // 2 + count[0], columns // 2 : columns // 2 + count[1]
        ]
    return result.reshape(*count, *a.shape[2:], order="F")


@builtin("imfilter", family="image/filters", lift="arrays", nargin=(2, 6), effects="pure")
def imfilter(x: Any, h: Any, *options: Any) -> Data:
    """Linear filter of each plane of an image.

    B = imfilter(A, H) correlates A with H; the result has the class of A
    B = imfilter(A, H, …) with options: a number or "symmetric", "replicate", "circular" for what
    lies outside (0 by default); "same" or "full"; "corr" or "conv"

    Examples:
        >> imfilter([1 2 3], [1 1 1])
        ans =
             3     6     5

    See also: fspecial, filter2, imgaussfilt.
    """
    a, kernel = image(x, "imfilter"), real(h, "imfilter").astype(np.float64)
    if kernel.ndim > 2 or not kernel.size:
        raise MatlabError("images:imfilter:invalidKernel", "H must be a matrix, not empty.")
    how: Any = 0.0
    words = []
    for option in options:
        if isinstance(option, str):
            known = (*_PADDING, "same", "full", "corr", "conv")
            words.append(one_of(option, known, "imfilter"))
            how = words[-1] if words[-1] in _PADDING else how
        else:
            how = scalar(option, "imfilter", "Padding")
    if "conv" in words:
        kernel = kernel[::-1, ::-1]
    return like(correlated(a, kernel, how, "full" in words), a) if a.size else a.copy()


# -- kernels -------------------------------------------------------------------------------------

_KINDS = ("average", "gaussian", "laplacian", "log", "prewitt", "sobel", "unsharp")


def _extent(value: Any, default: int) -> tuple[int, int]:
    if not given(value):
        return default, default
    a = real(value, "fspecial").ravel()
    n = [integer(np.reshape(e, (1, 1)), "fspecial", "HSIZE", 1) for e in a]
    if len(n) not in (1, 2) or max(n) > 1 << 14:
        raise MatlabError("images:fspecial:invalidSize", "HSIZE must be one number or two.")
    return n[0], n[-1]


def gaussian(rows: int, columns: int, sigma: float) -> Data:
    """A Gaussian kernel of sum one; what is below eps times its largest element is zero."""
    y = np.arange(rows) - (rows - 1) / 2
    x = np.arange(columns) - (columns - 1) / 2
    h = np.exp(-(y[:, None] ** 2 + x[None, :] ** 2) / (2 * sigma**2))
    h[h < np.finfo(np.float64).eps * h.max()] = 0
    return np.asarray(h / h.sum())


def _sigma(value: Any, default: float, name: str) -> float:
    sigma = scalar(value, name, "SIGMA") if given(value) else default
    if not 0 < sigma < np.inf:
        raise MatlabError(f"images:{name}:invalidSigma", "SIGMA must be positive.")
    return sigma


def _laplacian(value: Any) -> Data:
    alpha = scalar(value, "fspecial", "ALPHA") if given(value) else 0.2
    if not 0 <= alpha <= 1:
        raise MatlabError("images:fspecial:invalidAlpha", "ALPHA must be between 0 and 1.")
    corner, side = alpha / (alpha + 1), (1 - alpha) / (alpha + 1)
    row = [corner, side, corner]
    return np.array([row, [side, -4 / (alpha + 1), side], row])


@builtin("fspecial", family="image/filters", lift="arrays", nargin=(1, 3), effects="pure")
def fspecial(kind: Any, first: Any = None, second: Any = None) -> Data:
    """Kernels of filters.

    H = fspecial("average", HSIZE), fspecial("gaussian", HSIZE, SIGMA), fspecial("log", HSIZE,
    SIGMA), fspecial("laplacian", ALPHA), fspecial("unsharp", ALPHA), fspecial("sobel"),
    fspecial("prewitt")

    Examples:
        >> fspecial("sobel")
        ans =
             1     2     1
             0     0     0
            -1    -2    -1

    See also: imfilter, imgaussfilt.
    """
    word = one_of(kind, _KINDS, "fspecial")
    if word in {"sobel", "prewitt"}:
        row = np.array([1.0, 2.0 if word == "sobel" else 1.0, 1.0])
        return np.stack([row, np.zeros(3), -row])
    if word == "average":
        rows, columns = _extent(first, 3)
        return np.full((rows, columns), 1 / (rows * columns))
    if word == "gaussian":
        return gaussian(*_extent(first, 3), _sigma(second, 0.5, "fspecial"))
    if word == "log":
        rows, columns = _extent(first, 5)
        sigma = _sigma(second, 0.5, "fspecial")
        y, x = np.arange(rows) - (rows - 1) / 2, np.arange(columns) - (columns - 1) / 2
        squares = y[:, None] ** 2 + x[None, :] ** 2
        h = gaussian(rows, columns, sigma) * (squares - 2 * sigma**2) / sigma**4
        return np.asarray(h - h.sum() / h.size)
    identity = np.zeros((3, 3))
    identity[1, 1] = 1
    return _laplacian(first) if word == "laplacian" else identity - _laplacian(first)


@builtin("imgaussfilt", family="image/filters", lift="arrays", nargin=(1, 6), effects="pure")
def imgaussfilt(x: Any, *args: Any) -> Data:
    """Gaussian smoothing of an image.

    B = imgaussfilt(A), B = imgaussfilt(A, SIGMA) with one number (0.5 by default) or two
    B = imgaussfilt(…, NAME, VALUE) with "FilterSize" (odd, 2*ceil(2*SIGMA)+1) and "Padding"
    ("replicate", "symmetric", "circular" or a number)

    Examples:
        >> imgaussfilt(uint8([5 5; 5 5]), 2)
        ans =
          2×2 uint8 matrix
           5   5
           5   5

    See also: imfilter, fspecial.
    """
    a = image(x, "imgaussfilt")
    rest = list(args)
    given_sigma = rest.pop(0) if rest and not isinstance(rest[0], str) else np.full((1, 1), 0.5)
    values = real(given_sigma, "imgaussfilt").ravel()
    if values.size not in (1, 2) or not ((values > 0) & (values < 1e5)).all():
        raise MatlabError("images:imgaussfilt:invalidSigma", "SIGMA must be positive.")
    sigmas = float(values[0]), float(values[-1])
    if len(rest) % 2:
        raise MatlabError("images:imgaussfilt:NameValue", "Options are pairs of name and value.")
    known = ("FilterSize", "Padding", "FilterDomain")
    named = {one_of(k, known, "imgaussfilt"): v for k, v in zip(rest[::2], rest[1::2], strict=True)}
    sizes = [2 * int(np.ceil(2 * s)) + 1 for s in sigmas]
    if "FilterSize" in named:
        sizes = list(_extent(named["FilterSize"], 3))
    if any(n % 2 == 0 for n in sizes):
        raise MatlabError("images:imgaussfilt:FilterSize", "FilterSize must be odd.")
    how: Any = named.get("Padding", "replicate")
    how = (
        one_of(how, tuple(_PADDING), "imgaussfilt")
        if isinstance(how, str)
        else scalar(how, "imgaussfilt", "Padding")
    )
    if not a.size:
        return a.copy()
    down = correlated(a, gaussian(sizes[0], 1, sigmas[0]), how)
    return like(correlated(down, gaussian(1, sizes[1], sigmas[1]), how), a)


@builtin("medfilt2", family="image/filters", lift="arrays", nargin=(1, 3), effects="pure")
def medfilt2(x: Any, *args: Any) -> Data:
    """Median filter of an image.

    B = medfilt2(A) takes 3-by-3 pixels, B = medfilt2(A, [M N])
    B = medfilt2(…, "zeros" or "symmetric") for what lies outside

    Examples:
        >> medfilt2([1 1 1; 1 9 1; 1 1 1])
        ans =
             0     1     0
             1     1     1
             0     1     0

    See also: medfilt1, imfilter.
    """
    a = image(x, "medfilt2")
    if a.ndim > 2:
        raise MatlabError("images:medfilt2:invalidImage", "The image must be 2-D.")
    sizes = [v for v in args if not isinstance(v, str)]
    words = [one_of(v, ("zeros", "symmetric"), "medfilt2") for v in args if isinstance(v, str)]
    rows, columns = _extent(sizes[0] if sizes else None, 3)
    if not a.size:
        return a.copy()
    how: Any = "symmetric" if "symmetric" in words else 0
    before = ((rows - 1) // 2, (columns - 1) // 2)
    wide = padded(a.astype(np.float64), before, (rows // 2, columns // 2), how)
    windows = np.lib.stride_tricks.sliding_window_view(wide, (rows, columns))
    return like(np.median(windows, axis=(-2, -1)), a)
