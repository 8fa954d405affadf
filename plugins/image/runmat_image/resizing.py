"""``imresize``: separable kernels, widened where an image shrinks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runmat_core.api import MatlabError, builtin
from runmat_image.arguments import Data, given, image, like, one_of, real

Kernel = Callable[[Data], Data]


def _cubic(x: Data) -> Data:
    """R. Keys, "Cubic Convolution Interpolation for Digital Image Processing", 1981; a = -1/2."""
    x = np.abs(x)
    near = 1.5 * x**3 - 2.5 * x**2 + 1
    far = -0.5 * x**3 + 2.5 * x**2 - 4 * x + 2
    return np.where(x <= 1, near, np.where(x <= 2, far, 0))


_KERNELS: dict[str, tuple[Kernel, float]] = {
    "nearest": (lambda x: ((x >= -0.5) & (x < 0.5)).astype(np.float64), 1.0),
    "box": (lambda x: ((x >= -0.5) & (x < 0.5)).astype(np.float64), 1.0),
    "bilinear": (lambda x: np.maximum(1 - np.abs(x), 0), 2.0),
    "triangle": (lambda x: np.maximum(1 - np.abs(x), 0), 2.0),
    "bicubic": (_cubic, 4.0),
    "cubic": (_cubic, 4.0),
}


def _contributions(
    count: int, wanted: int, scale: float, kernel: Kernel, width: float, smooth: bool
) -> tuple[Data, Data]:
    """Weights and indices of the pixels that make each new one; mirrored beyond the ends."""
    stretch = scale if scale < 1 and smooth else 1.0
    width = width / stretch
    centre = np.arange(1, wanted + 1) / scale + 0.5 * (1 - 1 / scale)
    left = np.floor(centre - width / 2)
    indices = left[:, None] + np.arange(int(np.ceil(width)) + 2)
    weights = stretch * kernel(stretch * (centre[:, None] - indices))
    weights = weights / weights.sum(axis=1, keepdims=True)
    mirrored = np.concatenate([np.arange(count), np.arange(count)[::-1]])
    at = mirrored[np.mod(indices - 1, 2 * count).astype(np.intp)]
    used = weights.any(axis=0)
    return weights[:, used], at[:, used]


def _along(a: Data, axis: int, weights: Data, at: Data) -> Data:
    lines = np.moveaxis(a, axis, -1).astype(np.float64)
    result = np.zeros((*lines.shape[:-1], at.shape[0]))
    for k in range(at.shape[1]):
        result += lines[..., at[:, k]] * weights[:, k]
    return np.moveaxis(result, -1, axis)


def _sizes(value: Any, shape: tuple[int, ...]) -> tuple[list[int], list[float]]:
    """Rows and columns that are asked for, and the scale of each."""
    a = real(value, "imresize").ravel().astype(np.float64)
    if a.size == 1 and a[0] > 0 and np.isfinite(a[0]):
        scales = [float(a[0])] * 2
        sizes = [int(np.ceil(n * a[0])) for n in shape[:2]]
    elif a.size == 2 and not np.isnan(a).all() and (np.isnan(a) | (a >= 1)).all():
        scales = [float(n / m) for n, m in zip(a, shape[:2], strict=True)]
        if np.isnan(a).any():
            known = scales[int(np.isnan(scales[0]))]
            scales = [known] * 2
        sizes = [
            int(np.ceil(known * m)) if np.isnan(n) else int(np.ceil(n))
            for n, m in zip(a, shape[:2], strict=True)
        ]
    else:
        raise MatlabError(
            "images:imresize:invalidScale",
            "The scale must be a positive number, the size [ROWS COLUMNS] with NaN for one.",
        )
    if max(sizes) > 1 << 24 or sizes[0] * sizes[1] > 1 << 31:
        raise MatlabError("images:imresize:tooLarge", "The image would be too large.")
    return sizes, scales


@builtin("imresize", family="image/resizing", lift="arrays", nargin=(2, 7), effects="pure")
def imresize(x: Any, size: Any, *args: Any) -> Data:
    """Image of another size.

    B = imresize(A, SCALE), B = imresize(A, [ROWS COLUMNS]), where NaN keeps the proportions
    B = imresize(…, METHOD) with "bicubic" (the default), "bilinear" or "nearest"
    B = imresize(…, "Antialiasing", TF); smaller images are antialiased but for "nearest"

    Examples:
        >> imresize([1 2; 3 4], 2, "nearest")
        ans =
             1     1     2     2
             1     1     2     2
             3     3     4     4
             3     3     4     4

    See also: interp2, imfilter.
    """
    a = image(x, "imresize")
    if not a.size:
        raise MatlabError("images:imresize:emptyImage", "The image must not be empty.")
    rest = list(args)
    known = (*_KERNELS, "Antialiasing")
    method, smooth = "bicubic", None
    while rest:
        word = one_of(rest.pop(0), known, "imresize")
        if word != "Antialiasing":
            method = word
        elif rest and given(rest[0]):
            smooth = bool(real(rest.pop(0), "imresize").flat[0])
        else:
            raise MatlabError("images:imresize:missingValue", "A value must follow the option.")
    smooth = method != "nearest" if smooth is None else smooth
    sizes, scales = _sizes(size, a.shape)
    kernel, width = _KERNELS[method]
    result = a.astype(np.float64) if a.dtype == np.bool_ else a
    for axis in sorted((0, 1), key=lambda k: scales[k]):
        weights, at = _contributions(
            a.shape[axis], sizes[axis], scales[axis], kernel, width, smooth
        )
        result = like(_along(result, axis, weights, at), result)
    return like(result, a) if a.dtype == np.bool_ else result
