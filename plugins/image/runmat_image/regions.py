"""Histograms, thresholds, connected regions and morphology."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_image.arguments import Data, given, image, integer, real
from runmat_image.classes import scaled
from runmat_image.elements import neighbourhood


def histogram(a: Data, count: int) -> Data:
    """How many pixels are nearest to each of `count` levels from black to white."""
    level = scaled(a).astype(np.float64).ravel()
    level = np.clip(np.nan_to_num(level), 0, 1) * (count - 1)
    return np.bincount(np.floor(level + 0.5).astype(np.intp), minlength=count).astype(np.float64)


@builtin(
    "imhist", family="image/regions", lift="arrays", nargin=(1, 2), nargout=2, needs=("nargout",)
)
def imhist(x: Any, n: Any = None, *, nargout: int) -> Any:
    """Histogram of an image.

    COUNTS = imhist(I) with 256 levels (2 for logical images), COUNTS = imhist(I, N)
    [COUNTS, LEVELS] = imhist(…)

    Examples:
        >> imhist([0 0.2 1 1], 2)'
        ans =
             2     2

    See also: histcounts, graythresh.
    """
    a = image(x, "imhist")
    count = integer(n, "imhist", "N", 1) if given(n) else 2 if a.dtype == np.bool_ else 256
    if count > 1 << 24:
        raise MatlabError("images:imhist:tooMany", "There are too many levels.")
    counts = histogram(a, count).reshape(-1, 1)
    low, high = (0.0, 1.0)
    if a.dtype.kind in "iu":
        low, high = float(np.iinfo(a.dtype).min), float(np.iinfo(a.dtype).max)
    return (counts, np.linspace(low, high, count).reshape(-1, 1)) if nargout > 1 else counts


def otsu(counts: Data) -> tuple[float, float]:
    """The threshold that parts the levels best, and how well: N. Otsu (1979)."""
    total = counts.sum()
    if not total:
        return 0.0, 0.0
    p = counts / total
    levels = np.arange(1, p.size + 1)
    omega, mu = np.cumsum(p), np.cumsum(p * levels)
    with np.errstate(all="ignore"):
        between = (mu[-1] * omega - mu) ** 2 / (omega * (1 - omega))
    between = np.where(np.isfinite(between), between, -np.inf)
    best = between.max()
    if not np.isfinite(best):
        return 0.0, 0.0
    at = float(np.flatnonzero(between == best).mean())
    spread = float((p * (levels - mu[-1]) ** 2).sum())
    return at / (p.size - 1), float(best / spread) if spread else 0.0


@builtin("graythresh", family="image/regions", lift="arrays", nargout=2, needs=("nargout",))
def graythresh(x: Any, *, nargout: int) -> Any:
    """Threshold of an image by Otsu's method, from 0 to 1.

    LEVEL = graythresh(I), [LEVEL, EM] = graythresh(I) gives how well it parts the pixels

    Examples:
        >> graythresh(uint8([10 10 200 200])) * 255
        ans =
          104.5000

    See also: imbinarize, imhist.
    """
    level, quality = otsu(histogram(image(x, "graythresh"), 256))
    return (level, quality) if nargout > 1 else level


@builtin("imbinarize", family="image/regions", lift="arrays", nargin=(1, 2), effects="pure")
def imbinarize(x: Any, threshold: Any = None) -> Data:
    """Logical image of the pixels above a threshold.

    BW = imbinarize(I) by Otsu's method, BW = imbinarize(I, T) with T from 0 to 1, a number or an
    image

    Examples:
        >> imbinarize([0.1 0.2 0.8 0.9])
        ans =
          1×4 logical array
           0   0   1   1

    See also: graythresh, imhist.
    """
    a = image(x, "imbinarize")
    if isinstance(threshold, str):
        raise MatlabError("images:imbinarize:method", "Only thresholds are supported.")
    level = real(threshold, "imbinarize") if given(threshold) else otsu(histogram(a, 256))[0]
    if isinstance(level, np.ndarray) and level.size != 1 and level.shape != a.shape:
        raise MatlabError("images:imbinarize:size", "T must be a number or as large as the image.")
    return np.asarray(scaled(a) > level)


# -- regions -------------------------------------------------------------------------------------


@builtin(
    "bwlabel", family="image/regions", lift="arrays", nargin=(1, 2), nargout=2, needs=("nargout",)
)
def bwlabel(x: Any, connectivity: Any = None, *, nargout: int) -> Any:
    """Numbers of the connected regions of a logical image, in the order of its columns.

    L = bwlabel(BW) with 8 neighbours, L = bwlabel(BW, 4), [L, N] = bwlabel(…)

    Examples:
        >> bwlabel([1 0 1; 1 0 0])
        ans =
             1     0     2
             1     0     0

    See also: imbinarize, imerode.
    """
    from scipy.ndimage import label

    a = image(x, "bwlabel")
    if a.ndim > 2:
        raise MatlabError("images:bwlabel:invalidImage", "The image must be 2-D.")
    near = integer(connectivity, "bwlabel", "Connectivity") if given(connectivity) else 8
    if near not in (4, 8):
        raise MatlabError("images:bwlabel:connectivity", "The connectivity must be 4 or 8.")
    shape = np.ones((3, 3)) if near == 8 else None
    found, count = label(a.T != 0, structure=shape)
    flat = found.ravel()
    _, first = np.unique(flat[flat > 0], return_index=True)
    number = np.zeros(count + 1)
    number[flat[flat > 0][np.sort(first)]] = np.arange(1, count + 1)
    labels = number[found].T
    return (labels, count) if nargout > 1 else labels


def _extremum(a: Data, se: Data, largest: bool) -> Data:
    """Maxima (or minima) over the places of a structuring element, reflected for maxima."""
    se = se.reshape(se.shape + (1,) * (a.ndim - se.ndim))
    if largest:
        se = se[(np.s_[::-1],) * se.ndim]
    extents = a.shape
    a = a.reshape(extents + (1,) * (se.ndim - a.ndim))
    # the centre is floor((size + 1)/2); reflection moves it in elements of even size
    sizes: tuple[int, ...] = se.shape
    before: list[int] = [size // 2 if largest else (size - 1) // 2 for size in sizes]
    if a.dtype == np.bool_:
        worst: Any = not largest
    elif a.dtype.kind == "f":
        worst = -np.inf if largest else np.inf
    else:
        worst = np.iinfo(a.dtype).min if largest else np.iinfo(a.dtype).max
    widths = [(n, size - 1 - n) for n, size in zip(before, sizes, strict=True)]
    wide = np.pad(a, widths, constant_values=worst)
    whole: tuple[int, ...] = a.shape
    result = np.full(whole, worst, a.dtype)
    rule = np.maximum if largest else np.minimum
    for place in np.argwhere(se):
        part = tuple(slice(at, at + size) for at, size in zip(place.tolist(), whole, strict=True))
        result = rule(result, wide[part])
    return np.asarray(result).reshape(extents)


@builtin("imdilate", family="image/regions", lift="arrays", needs=("interp",), effects="pure")
def imdilate(x: Any, se: Any, *, interp: Interp) -> Data:
    """Dilation: the maximum over a neighbourhood.

    J = imdilate(I, SE) with a strel, J = imdilate(I, NHOOD) with an array of zeros and ones

    Examples:
        >> imdilate([0 0 1 0 0], [1 1 1])
        ans =
             0     1     1     1     0

    See also: strel, imerode, imclose, imopen.
    """
    return _extremum(image(x, "imdilate"), neighbourhood(se, "imdilate", interp), True)


@builtin("imerode", family="image/regions", lift="arrays", needs=("interp",), effects="pure")
def imerode(x: Any, se: Any, *, interp: Interp) -> Data:
    """Erosion: the minimum over a neighbourhood.

    J = imerode(I, SE) with a strel, J = imerode(I, NHOOD) with an array of zeros and ones

    Examples:
        >> imerode([1 1 1 0 1], [1 1 1])
        ans =
             1     1     0     0     0

    See also: imdilate, imopen, imclose.
    """
    return _extremum(image(x, "imerode"), neighbourhood(se, "imerode", interp), False)


@builtin("imopen", family="image/regions", lift="arrays", needs=("interp",), effects="pure")
def imopen(x: Any, se: Any, *, interp: Interp) -> Data:
    """Opening: erosion, then dilation.

    J = imopen(I, SE), J = imopen(I, NHOOD)

    Examples:
        >> imopen([0 1 0 1 1 1], [1 1])
        ans =
             0     0     0     1     1     1

    See also: imclose, imerode, imdilate.
    """
    hood = neighbourhood(se, "imopen", interp)
    return _extremum(_extremum(image(x, "imopen"), hood, False), hood, True)


@builtin("imclose", family="image/regions", lift="arrays", needs=("interp",), effects="pure")
def imclose(x: Any, se: Any, *, interp: Interp) -> Data:
    """Closing: dilation, then erosion.

    J = imclose(I, SE), J = imclose(I, NHOOD)

    Examples:
        >> imclose([1 0 1 0 0 0], [1 1 1])
        ans =
             1     1     1     0     0     0

    See also: imopen, imerode, imdilate.
    """
    hood = neighbourhood(se, "imclose", interp)
    return _extremum(_extremum(image(x, "imclose"), hood, True), hood, False)
