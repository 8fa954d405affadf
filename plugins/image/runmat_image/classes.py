"""Classes of images, and spaces of colours."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import MatlabError, builtin
from runmat_image.arguments import Data, image, like


def scaled(a: Data) -> Data:
    """An image as floating numbers, of which integers and logicals span [0, 1]."""
    if a.dtype.kind == "f":
        return a
    if a.dtype.kind in "iu":
        info = np.iinfo(a.dtype)
        return (a.astype(np.float64) - info.min) / (float(info.max) - info.min)
    return a.astype(np.float64)


@builtin("im2double", family="image/classes", lift="arrays", effects="pure")
def im2double(x: Any) -> Data:
    """Image of class double; integers are scaled to [0, 1].

    J = im2double(I)

    Examples:
        >> im2double(uint8([0 51 255]))
        ans =
                 0    0.2000    1.0000

    See also: im2single, im2uint8, double.
    """
    return scaled(image(x, "im2double")).astype(np.float64)


@builtin("im2single", family="image/classes", lift="arrays", effects="pure")
def im2single(x: Any) -> Data:
    """Image of class single; integers are scaled to [0, 1].

    J = im2single(I)

    Examples:
        >> class(im2single(uint8(3)))
        ans =
            'single'

    See also: im2double, im2uint8, single.
    """
    return scaled(image(x, "im2single")).astype(np.float32)


@builtin("im2uint8", family="image/classes", lift="arrays", effects="pure")
def im2uint8(x: Any) -> Data:
    """Image of class uint8; [0, 1] and the ranges of integer classes are scaled to 0 to 255.

    J = im2uint8(I)

    Examples:
        >> im2uint8([0 0.5 1 2])
        ans =
          1×4 uint8 row vector
             0   128   255   255

    See also: im2double, uint8.
    """
    a = image(x, "im2uint8")
    if a.dtype == np.uint8:
        return a.copy()
    return like(scaled(a).astype(np.float64) * 255, np.zeros(0, np.uint8))


def _colours(a: Data, name: str) -> Data:
    """An image of three planes, or a colour map of three columns."""
    if not (a.ndim == 3 and a.shape[2] == 3) and not (a.ndim == 2 and a.shape[1] == 3):
        raise MatlabError(
            f"images:{name}:invalidSize", "Colours must be an m-by-n-by-3 image or an m-by-3 map."
        )
    return a


#: The luminance of the primaries of NTSC.
_LUMINANCE = np.array([0.298936021293775, 0.587043074451121, 0.114020904255103])


@builtin("rgb2gray", family="image/colours", lift="arrays", effects="pure")
def rgb2gray(x: Any) -> Data:
    """Grey image of a colour image, or grey colour map.

    I = rgb2gray(RGB), MAP = rgb2gray(MAP)

    Examples:
        >> rgb2gray(uint8(cat(3, 200, 100, 50)))
        ans =
          uint8
           124

    See also: rgb2hsv, im2double.
    """
    a = _colours(image(x, "rgb2gray"), "rgb2gray")
    grey = like(a.astype(np.float64) @ _LUMINANCE, a)
    if a.dtype.kind == "f":
        grey = np.clip(grey, 0, 1)
    return grey if a.ndim == 3 else np.repeat(grey[:, None], 3, axis=1)


@builtin("rgb2hsv", family="image/colours", lift="arrays", effects="pure")
def rgb2hsv(x: Any) -> Data:
    """Hue, saturation and value of colours.

    HSV = rgb2hsv(RGB), HSV = rgb2hsv(MAP)

    Examples:
        >> rgb2hsv([1 0.5 0])
        ans =
            0.0833    1.0000    1.0000

    See also: hsv2rgb, rgb2gray.
    """
    a = scaled(_colours(image(x, "rgb2hsv"), "rgb2hsv"))
    r, g, b = np.moveaxis(a, -1, 0)
    value = a.max(axis=-1)
    spread = value - a.min(axis=-1)
    size = np.where(spread == 0, 1, spread)
    hue = np.where(
        value == r,
        (g - b) / size,
        np.where(value == g, 2 + (b - r) / size, 4 + (r - g) / size),
    )
    hue = np.where(spread == 0, 0, hue / 6)
    hue = np.where(hue < 0, hue + 1, hue)
    saturation = np.where(value == 0, 0, spread / np.where(value == 0, 1, value))
    return np.stack([hue, saturation, value], axis=-1).astype(a.dtype)


@builtin("hsv2rgb", family="image/colours", lift="arrays", effects="pure")
def hsv2rgb(x: Any) -> Data:
    """Colours of hue, saturation and value.

    RGB = hsv2rgb(HSV), RGB = hsv2rgb(MAP)

    Examples:
        >> hsv2rgb([1/3 1 0.5])
        ans =
                 0    0.5000         0

    See also: rgb2hsv.
    """
    a = scaled(_colours(image(x, "hsv2rgb"), "hsv2rgb"))
    h, s, v = np.moveaxis(a, -1, 0)
    h = 6 * h
    sector = np.floor(h - 6 * np.finfo(np.float64).eps)
    f = h - sector
    p, q, t = v * (1 - s), v * (1 - s * f), v * (1 - s * (1 - f))
    at = np.mod(sector, 6).astype(np.intp)
    red = np.choose(at, [v, q, p, p, t, v])
    green = np.choose(at, [t, v, v, q, p, p])
    blue = np.choose(at, [p, p, t, v, v, q])
    return np.asarray(np.clip(np.stack([red, green, blue], axis=-1), 0, 1), a.dtype)
