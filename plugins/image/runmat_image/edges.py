"""Edges in images."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import MatlabError, builtin
from runmat_image.arguments import Data, given, image, one_of, real, scalar
from runmat_image.classes import scaled
from runmat_image.filters import correlated

_METHODS = ("sobel", "prewitt", "roberts", "log", "zerocross", "canny")
_DIRECTIONS = ("both", "horizontal", "vertical")
#: Of the pixels of an image so many are no edges, by which Canny's threshold is found.
_NO_EDGES = 0.7
_LOW_BY_HIGH = 0.4


def _shifted(b: Data, rows: int, columns: int) -> Data:
    """The inner part of an image, moved."""
    m, n = b.shape
    return b[1 + rows : m - 1 + rows, 1 + columns : n - 1 + columns]


def _thinned(bx: Data, by: Data, strength: Data, cutoff: float, turn: int) -> Data:
    """Where the gradient is above a bound and largest across the edge, border left out."""
    found = np.zeros(strength.shape, bool)
    if min(strength.shape) < 3:
        return found
    x, y, b = np.abs(_shifted(bx, 0, 0)), np.abs(_shifted(by, 0, 0)), _shifted(strength, 0, 0)
    slack = 100 * np.finfo(np.float64).eps
    across = (_shifted(strength, -turn, -1) <= b) & (b > _shifted(strength, turn, 1))
    down = (_shifted(strength, -1, turn) <= b) & (b > _shifted(strength, 1, -turn))
    found[1:-1, 1:-1] = (b > cutoff) & (((x >= y - slack) & across) | ((y >= x - slack) & down))
    return found


_KERNELS = {
    "sobel": np.array([[1, 2, 1], [0, 0, 0], [-1, -2, -1]]) / 8,
    "prewitt": np.array([[1, 1, 1], [0, 0, 0], [-1, -1, -1]]) / 6,
}


def _by_gradient(a: Data, method: str, threshold: float | None, way: str) -> tuple[Data, float]:
    if method == "roberts":
        across, down = np.array([[1, 0], [0, -1]]) / 2, np.array([[0, 1], [-1, 0]]) / 2
        factor, turn = 6.0, -1
    else:
        down = _KERNELS[method]
        across = down.T
        factor, turn = 4.0, 0
    bx = correlated(a, across, "replicate") if way != "horizontal" else np.zeros(a.shape)
    by = correlated(a, down, "replicate") if way != "vertical" else np.zeros(a.shape)
    strength = bx**2 + by**2
    cutoff = factor * strength.mean() if threshold is None else threshold * threshold
    return _thinned(bx, by, strength, float(cutoff), turn), float(np.sqrt(cutoff))


def _by_crossings(a: Data, kernel: Data, threshold: float | None) -> tuple[Data, float]:
    """Where a filtered image changes its sign by more than a bound, on the side nearer to zero."""
    b = correlated(a, kernel, "replicate")
    bound = 0.75 * float(np.abs(b).mean()) if threshold is None else threshold
    found = np.zeros(b.shape, bool)
    if min(b.shape) < 3:
        return found, bound
    middle = _shifted(b, 0, 0)
    inner = found[1:-1, 1:-1]
    for rows, columns in ((0, 1), (0, -1), (1, 0), (-1, 0)):
        beside = _shifted(b, rows, columns)
        inner |= (middle < 0) & (beside > 0) & (np.abs(middle - beside) > bound)
    for rows, columns in ((0, 1), (1, 0)):
        before, after = _shifted(b, -rows, -columns), _shifted(b, rows, columns)
        opposite = (before * after < 0) & (np.abs(before - after) > 2 * bound)
        inner |= (middle == 0) & opposite
    return found, bound


def _log_kernel(sigma: float) -> Data:
    """The Laplacian of a Gaussian, of sum zero."""
    half = int(np.ceil(3 * sigma))
    x = np.arange(-half, half + 1)
    square = x[:, None] ** 2 + x[None, :] ** 2
    h = np.exp(-square / (2 * sigma**2))
    h[h < np.finfo(np.float64).eps * h.max()] = 0
    h = h / h.sum() * (square - 2 * sigma**2) / sigma**4
    return np.asarray(h - h.mean())


def _smooth_gradient(a: Data, sigma: float) -> tuple[Data, Data]:
    half = int(np.ceil(4 * sigma))
    x = np.arange(-half, half + 1)
    smooth = np.exp(-(x**2) / (2 * sigma**2))
    smooth = smooth / smooth.sum()
    slope = np.gradient(smooth)
    for sign in (-1, 1):
        side = np.sign(slope) == sign
        slope[side] /= np.abs(slope[side].sum())
    # convolution turns the kernels round, of which the even one stays as it is
    row, column = slope[::-1].reshape(1, -1), smooth.reshape(-1, 1)
    bx = correlated(correlated(a, column, "replicate"), row, "replicate")
    by = correlated(correlated(a, column.T, "replicate"), row.T, "replicate")
    return bx, by


def _largest_across(bx: Data, by: Data, size: Data) -> Data:
    """Where the gradient is larger than beside it in its own direction, by interpolation."""
    found = np.zeros(size.shape, bool)
    if min(size.shape) < 3:
        return found
    x, y, b = _shifted(bx, 0, 0), _shifted(by, 0, 0), _shifted(size, 0, 0)
    steep = np.abs(y) > np.abs(x)
    with np.errstate(all="ignore"):
        part = np.where(steep, np.abs(x / y), np.abs(y / x))
    part = np.nan_to_num(part)
    same = x * y > 0
    inner = np.ones(b.shape, bool)
    for sign in (1, -1):
        diagonal = np.where(same, _shifted(size, sign, sign), _shifted(size, sign, -sign))
        turned = np.where(same, _shifted(size, sign, sign), _shifted(size, -sign, sign))
        straight = np.where(steep, _shifted(size, sign, 0), _shifted(size, 0, sign))
        ahead = straight * (1 - part) + np.where(steep, diagonal, turned) * part
        inner &= (b >= ahead) if sign > 0 else (b > ahead)
    found[1:-1, 1:-1] = inner & (b > 0)
    return found


def _canny(a: Data, thresholds: Data | None, sigma: float) -> tuple[Data, Data]:
    from scipy.ndimage import label

    bx, by = _smooth_gradient(a, sigma)
    size = np.hypot(bx, by)
    largest = float(size.max())
    if largest <= 1e-12 * np.abs(a).max():  # rounding alone: there is no edge to be found
        size, largest = np.zeros(size.shape), 1.0
    size = size / largest
    if thresholds is None:
        counts = np.histogram(size, 64, (-1 / 126, 1 + 1 / 126))[0]
        high = (np.flatnonzero(counts.cumsum() > _NO_EDGES * size.size)[0] + 1) / 64
        low = _LOW_BY_HIGH * high
    elif thresholds.size == 1:
        high = float(thresholds.flat[0])
        low = _LOW_BY_HIGH * high
    else:
        low, high = (float(t) for t in thresholds.ravel(order="F")[:2])
    if not 0 <= low < high < 1:
        raise MatlabError(
            "images:edge:thresholdMustBeLessThanOne", "Thresholds must rise and be less than 1."
        )
    ridge = _largest_across(bx, by, size)
    weak = ridge & (size > low)
    number, _ = label(weak, np.ones((3, 3)))
    strong = np.unique(number[weak & (size > high)])
    return np.asarray(weak & np.isin(number, strong)), np.array([[low, high]])


@builtin(
    "edge",
    family="image/edges",
    lift="arrays",
    nargin=(1, 5),
    nargout=2,
    needs=("nargout",),
    effects="pure",
)
def edge(x: Any, *args: Any, nargout: int) -> Any:
    """Edges in a grey image.

    BW = edge(I), BW = edge(I, METHOD) with "sobel", "prewitt", "roberts" (gradients), "log",
    "zerocross" or "canny"
    BW = edge(I, METHOD, THRESHOLD), of "canny" one or two numbers below 1; [] finds them
    BW = edge(I, METHOD, THRESHOLD, DIRECTION) of "sobel" and "prewitt": "both", "horizontal",
    "vertical"
    BW = edge(I, "log", THRESHOLD, SIGMA), BW = edge(I, "canny", THRESHOLD, SIGMA),
    BW = edge(I, "zerocross", THRESHOLD, H) with a filter
    [BW, THRESHOLD] = edge(…)

    Examples:
        >> find(any(edge([zeros(9, 10) ones(9, 10)], 'sobel')))
        ans =
            11

    See also: imfilter, fspecial, imbinarize.
    """
    a = scaled(image(x, "edge")).astype(np.float64)
    if a.ndim != 2:
        raise MatlabError("images:edge:invalidImage", "The image must be grey.")
    rest = list(args)
    method = one_of(rest.pop(0), _METHODS, "edge") if rest and isinstance(rest[0], str) else "sobel"
    words = [w for w in rest if isinstance(w, str) and w not in ("thinning", "nothinning")]
    way = one_of(words[0], _DIRECTIONS, "edge") if words else "both"
    numbers = [value for value in rest if not isinstance(value, str)]
    bound = real(numbers[0], "edge") if numbers and given(numbers[0]) else None
    if not a.size:
        return (np.zeros(a.shape, bool), np.zeros((0, 0)))[: max(nargout, 1)]
    if method == "canny":
        sigma = scalar(numbers[1], "edge", "SIGMA") if len(numbers) > 1 else np.sqrt(2)
        return _canny(a, bound, _positive(sigma))
    level = None if bound is None else scalar(bound, "edge", "THRESHOLD")
    if method in ("log", "zerocross"):
        if method == "log":
            sigma = scalar(numbers[1], "edge", "SIGMA") if len(numbers) > 1 else 2.0
            kernel = _log_kernel(_positive(sigma))
        else:
            kernel = real(numbers[1], "edge") if len(numbers) > 1 else _log_kernel(2.0)
        if kernel.ndim != 2 or not kernel.size:
            raise MatlabError("images:edge:invalidKernel", "H must be a matrix, not empty.")
        return _by_crossings(a, kernel.astype(np.float64), level)
    return _by_gradient(a, method, level, way)


def _positive(sigma: float) -> float:
    if not 0 < sigma < 1000:
        raise MatlabError("images:edge:invalidSigma", "SIGMA must be positive.")
    return float(sigma)
