"""Images turned by an angle."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import MatlabError, builtin
from runmat_image.arguments import Data, image, like, one_of, scalar

_METHODS = ("nearest", "bilinear", "bicubic")
_BOXES = ("loose", "crop")


def _cubic(t: Data) -> Data:
    """The kernel of Keys, a = -1/2."""
    t = np.abs(t)
    near = 1.5 * t**3 - 2.5 * t**2 + 1
    far = -0.5 * t**3 + 2.5 * t**2 - 4 * t + 2
    return np.asarray(np.where(t <= 1, near, np.where(t < 2, far, 0)))


def _sampled(plane: Data, y: Data, x: Data, method: str) -> Data:
    """A plane, which is zero outside, at places counted from zero."""
    rows, columns = plane.shape
    wide = np.pad(plane, 3)

    def at(i: Data, j: Data) -> Data:
        i, j = np.clip(i, -3, rows + 2), np.clip(j, -3, columns + 2)
        return np.asarray(wide[i + 3, j + 3])

    if method == "nearest":
        return at(np.floor(y + 0.5).astype(int), np.floor(x + 0.5).astype(int))
    i, j = np.floor(y).astype(int), np.floor(x).astype(int)
    reach = range(2) if method == "bilinear" else range(-1, 3)
    weigh = (lambda t: np.clip(1 - np.abs(t), 0, 1)) if method == "bilinear" else _cubic
    found = np.zeros(y.shape)
    for di in reach:
        down = weigh(y - (i + di))
        for dj in reach:
            found += down * weigh(x - (j + dj)) * at(i + di, j + dj)
    return found


@builtin("imrotate", family="image/resizing", lift="arrays", nargin=(2, 4), effects="pure")
def imrotate(x: Any, angle: Any, *options: Any) -> Data:
    """Image turned by an angle about its centre.

    J = imrotate(I, ANGLE) by ANGLE degrees counterclockwise, large enough for the whole image; what
    is outside of it is zero
    J = imrotate(I, ANGLE, METHOD) with "nearest" (the default), "bilinear" or "bicubic"
    J = imrotate(I, ANGLE, METHOD, BBOX) with "loose" (the default), or "crop" for the size of I

    Examples:
        >> imrotate([1 2; 3 4], 90)
        ans =
             2     4
             1     3

    See also: imresize, rot90.
    """
    a = image(x, "imrotate")
    words = [one_of(w, (*_METHODS, *_BOXES), "imrotate") for w in options]
    method = next((w for w in words if w in _METHODS), "nearest")
    crop = "crop" in words
    degrees = scalar(angle, "imrotate", "ANGLE")
    if not np.isfinite(degrees):
        raise MatlabError(
            "MATLAB:imrotate:expectedFinite", "Expected input number 2, ANGLE, to be finite."
        )
    degrees %= 360
    turns, rest = divmod(degrees, 90)
    square = a.shape[0] == a.shape[1]
    if rest == 0 and (not crop or turns % 2 == 0 or square):
        return np.asarray(np.rot90(a, int(turns))).copy()
    if not a.size:
        return a.copy()
    rows, columns = a.shape[:2]
    c, s = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
    height, width = rows, columns
    if not crop:
        # whole pixels that cover the turned rectangle
        width = int(np.ceil(columns * abs(c) + rows * abs(s) - 1e-9))
        height = int(np.ceil(columns * abs(s) + rows * abs(c) - 1e-9))
    v, u = np.mgrid[:height, :width].astype(float)
    v -= (height - 1) / 2
    u -= (width - 1) / 2
    y = s * u + c * v + (rows - 1) / 2
    z = c * u - s * v + (columns - 1) / 2
    planes = a.reshape(rows, columns, -1, order="F").astype(np.float64)
    made = np.stack(
        [_sampled(planes[..., k], y, z, method) for k in range(planes.shape[2])], axis=-1
    )
    return like(made.reshape(height, width, *a.shape[2:], order="F"), a)
