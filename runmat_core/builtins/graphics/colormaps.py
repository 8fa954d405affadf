"""Colour maps: matrices with a colour (red, green, blue, from 0 to 1) in each row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import as_float, check_size, real, scalar
from runmat_core.values import class_of, from_numpy, numel_of

Colours = NDArray[np.float64]

#: The length of a map where none is asked for.
LENGTH = 256


def _length(m: Any) -> int:
    """How many colours an argument asks for."""
    if m is None or numel_of(m) == 0:
        return LENGTH
    count = scalar(m, "M")
    if not (np.isfinite(count) and count >= 0 and count == int(count)):
        raise MatlabError(
            "MATLAB:colormap:InvalidLength", "M must be a nonnegative integer scalar."
        )
    check_size((int(count), 3), 8)
    return int(count)


def _ramp(m: int) -> Colours:
    """Evenly spaced numbers from 0 to 1."""
    return np.arange(m) / max(m - 1, 1)


def _map(*columns: Any) -> Any:
    m = max(np.size(column) for column in columns)
    if any(np.size(column) == 0 for column in columns):
        m = 0
    return from_numpy(np.stack([np.broadcast_to(column, (m,)) for column in columns], axis=1))


def _cycle(colours: Sequence[Sequence[float]], m: int) -> Any:
    """`m` colours, over and over the same ones."""
    table = np.array(colours, np.float64)
    return from_numpy(table[np.arange(m) % len(table)])


def _grey(m: int) -> Colours:
    return np.repeat(_ramp(m)[:, None], 3, axis=1)


def _heat(m: int) -> Colours:
    """From black through red and yellow to white, each over its part of the map."""
    n = 3 * m // 8
    rise = np.arange(1, n + 1) / max(n, 1)
    rest = m - 2 * n
    red = np.concatenate([rise, np.ones(m - n)])
    green = np.concatenate([np.zeros(n), rise, np.ones(rest)])
    blue = np.concatenate([np.zeros(2 * n), np.arange(1, rest + 1) / max(rest, 1)])
    return np.stack([red, green, blue], axis=1)


@builtin("gray", family="graphics/colormaps", effects="pure")
def gray(m: Any = None) -> Any:
    """Colour map of greys, from black to white.

    C = gray, C = gray(M) with M colours, 256 by default

    Examples:
        >> gray(3)
        ans =
                 0         0         0
            0.5000    0.5000    0.5000
            1.0000    1.0000    1.0000

    See also: bone, hot, jet.
    """
    return from_numpy(_grey(_length(m)))


@builtin("hot", family="graphics/colormaps", effects="pure")
def hot(m: Any = None) -> Any:
    """Colour map from black through red, orange and yellow to white.

    C = hot, C = hot(M) with M colours, 256 by default

    Examples:
        >> hot(8)
        ans =
            0.3333         0         0
            0.6667         0         0
            1.0000         0         0
            1.0000    0.3333         0
            1.0000    0.6667         0
            1.0000    1.0000         0
            1.0000    1.0000    0.5000
            1.0000    1.0000    1.0000

    See also: gray, cool, autumn.
    """
    return from_numpy(_heat(_length(m)))


@builtin("bone", family="graphics/colormaps", effects="pure")
def bone(m: Any = None) -> Any:
    """Colour map of greys with a tinge of blue.

    C = bone, C = bone(M) with M colours, 256 by default

    Examples:
        >> bone(2)
        ans =
            0.0625    0.1250    0.1250
            1.0000    1.0000    1.0000

    See also: gray, copper, pink.
    """
    count = _length(m)
    return from_numpy((7 * _grey(count) + _heat(count)[:, ::-1]) / 8)


@builtin("copper", family="graphics/colormaps", effects="pure")
def copper(m: Any = None) -> Any:
    """Colour map from black to the colour of copper.

    C = copper, C = copper(M) with M colours, 256 by default

    Examples:
        >> copper(2)
        ans =
                 0         0         0
            1.0000    0.7812    0.4975

    See also: bone, pink, gray.
    """
    return from_numpy(np.minimum(1, _grey(_length(m)) * [1.25, 0.7812, 0.4975]))


@builtin("pink", family="graphics/colormaps", effects="pure")
def pink(m: Any = None) -> Any:
    """Colour map of pastel shades, which gives grey images the look of sepia.

    C = pink, C = pink(M) with M colours, 256 by default

    Examples:
        >> c = pink(8); c(end, :)
        ans =
             1     1     1

    See also: copper, bone, gray.
    """
    count = _length(m)
    return from_numpy(np.sqrt((2 * _grey(count) + _heat(count)) / 3))


@builtin("cool", family="graphics/colormaps", effects="pure")
def cool(m: Any = None) -> Any:
    """Colour map from cyan to magenta.

    C = cool, C = cool(M) with M colours, 256 by default

    Examples:
        >> cool(3)
        ans =
                 0    1.0000    1.0000
            0.5000    0.5000    1.0000
            1.0000         0    1.0000

    See also: hot, winter, spring.
    """
    r = _ramp(_length(m))
    return _map(r, 1 - r, 1.0) if r.size else _map(r, r, r)


@builtin("spring", family="graphics/colormaps", effects="pure")
def spring(m: Any = None) -> Any:
    """Colour map from magenta to yellow.

    C = spring, C = spring(M) with M colours, 256 by default

    Examples:
        >> spring(2)
        ans =
             1     0     1
             1     1     0

    See also: summer, autumn, winter.
    """
    r = _ramp(_length(m))
    return _map(1.0, r, 1 - r) if r.size else _map(r, r, r)


@builtin("summer", family="graphics/colormaps", effects="pure")
def summer(m: Any = None) -> Any:
    """Colour map from green to yellow.

    C = summer, C = summer(M) with M colours, 256 by default

    Examples:
        >> summer(2)
        ans =
                 0    0.5000    0.4000
            1.0000    1.0000    0.4000

    See also: spring, autumn, winter.
    """
    r = _ramp(_length(m))
    return _map(r, 0.5 + r / 2, 0.4) if r.size else _map(r, r, r)


@builtin("autumn", family="graphics/colormaps", effects="pure")
def autumn(m: Any = None) -> Any:
    """Colour map from red to yellow.

    C = autumn, C = autumn(M) with M colours, 256 by default

    Examples:
        >> autumn(2)
        ans =
             1     0     0
             1     1     0

    See also: spring, summer, winter.
    """
    r = _ramp(_length(m))
    return _map(1.0, r, 0.0) if r.size else _map(r, r, r)


@builtin("winter", family="graphics/colormaps", effects="pure")
def winter(m: Any = None) -> Any:
    """Colour map from blue to green.

    C = winter, C = winter(M) with M colours, 256 by default

    Examples:
        >> winter(2)
        ans =
                 0         0    1.0000
                 0    1.0000    0.5000

    See also: spring, summer, autumn.
    """
    r = _ramp(_length(m))
    return _map(0.0, r, 0.5 + (1 - r) / 2) if r.size else _map(r, r, r)


@builtin("jet", family="graphics/colormaps", effects="pure")
def jet(m: Any = None) -> Any:
    """Colour map from blue through cyan, yellow and orange to red.

    C = jet, C = jet(M) with M colours, 256 by default

    Examples:
        >> jet(4)
        ans =
             0     0     1
             0     1     1
             1     1     0
             1     0     0

    See also: hsv, hot, gray.
    """
    count = _length(m)
    n = -(-count // 4)
    # a trapezoid, which green has in the middle, red a quarter above, blue a quarter below
    up = np.arange(1, n + 1) / max(n, 1)
    shape = np.concatenate([up, np.ones(max(n - 1, 0)), up[::-1]])
    first = -(-n // 2) - (count % 4 == 1)
    colours = np.zeros((count, 3))
    for column, shift in ((0, n), (1, 0), (2, -n)):
        at = np.arange(shape.size) + first + shift
        inside = (at >= 0) & (at < count)
        colours[at[inside], column] = shape[inside]
    return from_numpy(colours)


@builtin("hsv", family="graphics/colormaps", effects="pure")
def hsv(m: Any = None) -> Any:
    """Colour map through all hues, from red back to red.

    C = hsv, C = hsv(M) with M colours, 256 by default

    Examples:
        >> hsv(3)
        ans =
             1     0     0
             0     1     0
             0     0     1

    See also: jet, prism.
    """
    count = _length(m)
    hue = 6 * (np.arange(count) / max(count, 1))
    away = [np.abs(hue - 3) - 1, 2 - np.abs(hue - 2), 2 - np.abs(hue - 4)]
    return from_numpy(np.clip(np.stack(away, axis=1), 0, 1))


@builtin("lines", family="graphics/colormaps", effects="pure")
def lines(m: Any = None) -> Any:
    """Colour map of the colours that lines are drawn in, over and over.

    C = lines, C = lines(M) with M colours, 256 by default

    Examples:
        >> lines(1)
        ans =
                 0    0.4470    0.7410

    See also: prism, flag, jet.
    """
    order = [
        [0, 0.447, 0.741],
        [0.85, 0.325, 0.098],
        [0.929, 0.694, 0.125],
        [0.494, 0.184, 0.556],
        [0.466, 0.674, 0.188],
        [0.301, 0.745, 0.933],
        [0.635, 0.078, 0.184],
    ]
    return _cycle(order, _length(m))


@builtin("flag", family="graphics/colormaps", effects="pure")
def flag(m: Any = None) -> Any:
    """Colour map of red, white, blue and black, over and over.

    C = flag, C = flag(M) with M colours, 256 by default

    Examples:
        >> flag(2)
        ans =
             1     0     0
             1     1     1

    See also: prism, lines.
    """
    return _cycle([[1, 0, 0], [1, 1, 1], [0, 0, 1], [0, 0, 0]], _length(m))


@builtin("prism", family="graphics/colormaps", effects="pure")
def prism(m: Any = None) -> Any:
    """Colour map of red, orange, yellow, green, blue and violet, over and over.

    C = prism, C = prism(M) with M colours, 256 by default

    Examples:
        >> prism(2)
        ans =
            1.0000         0         0
            1.0000    0.5000         0

    See also: flag, lines, hsv.
    """
    six: list[list[float]] = [
        [1, 0, 0],
        [1, 0.5, 0],
        [1, 1, 0],
        [0, 1, 0],
        [0, 0, 1],
        [2 / 3, 0, 1],
    ]
    return _cycle(six, _length(m))


@builtin("colorcube", family="graphics/colormaps", effects="pure")
def colorcube(m: Any = None) -> Any:
    """Colour map of colours at equal distances, then ramps of red, green, blue and grey.

    C = colorcube, C = colorcube(M) with M colours, 256 by default

    Examples:
        >> c = colorcube(9);
        >> c(4:9, :)
        ans =
            1.0000         0         0
                 0    1.0000         0
                 0         0    1.0000
                 0         0         0
            0.5000    0.5000    0.5000
            1.0000    1.0000    1.0000

    See also: hsv, lines, prism.
    """
    count = _length(m)
    if count < 9:
        return from_numpy(_grey(count))
    steps = int(count ** (1 / 3) + 1e-9)
    # where the cube would take every colour, blue has a step less
    blues = steps - (steps**3 == count and steps > 2)
    axes = [np.linspace(0, 1, n) for n in (blues, steps, steps)]
    blue, red, green = (axis.ravel() for axis in np.meshgrid(*axes, indexing="ij"))
    cube = np.stack([red, green, blue], axis=1)
    greys = (cube == cube[:, :1]).all(axis=1)
    cube = cube[~greys & ((cube > 0).sum(axis=1) > 1)]
    rest = count - len(cube)
    ramp = (rest - 1) // 4
    pure = np.kron(np.eye(3), np.arange(1, ramp + 1)[:, None] / max(ramp, 1))
    return from_numpy(np.concatenate([cube, pure, _grey(rest - 3 * ramp)]))


@builtin("sky", family="graphics/colormaps", effects="pure")
def sky(m: Any = None) -> Any:
    """Colour map of blue, from nearly white to the blue of the first line.

    C = sky, C = sky(M) with M colours, 256 by default

    Examples:
        >> sky(2)
        ans =
            0.9000    0.9447    0.9741
                 0    0.4470    0.7410

    See also: abyss, winter, parula.
    """
    part = np.linspace(0.1, 1, _length(m))[:, None]
    return from_numpy(1 - part * (1 - np.array([[0, 0.447, 0.741]])))


@builtin("abyss", family="graphics/colormaps", effects="pure")
def abyss(m: Any = None) -> Any:
    """Colour map of blue, from nearly black to light blue.

    C = abyss, C = abyss(M) with M colours, 256 by default

    Examples:
        >> abyss(2)
        ans =
            0.0372    0.1373    0.2167
            0.1490    0.5490    0.8667

    See also: sky, winter, parula.
    """
    part = np.linspace(0.25, 1, _length(m))[:, None]
    return from_numpy(part * np.array([[0.149, 0.549, 0.8667]]))


@builtin("white", family="graphics/colormaps", effects="pure")
def white(m: Any = None) -> Any:
    """Colour map of white alone.

    C = white, C = white(M) with M colours, 256 by default

    Examples:
        >> white(2)
        ans =
             1     1     1
             1     1     1

    See also: gray.
    """
    return from_numpy(np.ones((_length(m), 3)))


@builtin("brighten", family="graphics/colormaps", effects="pure")
def brighten(colours: Any, amount: Any) -> Any:
    """Colour map made brighter or darker.

    C = brighten(MAP, BETA): BETA from 0 to 1 brightens, from -1 to 0 darkens

    Examples:
        >> brighten([0.25 0.25 0.25], 0.5)
        ans =
            0.5000    0.5000    0.5000

    See also: gray, hot.
    """
    table = as_float(real(colours, "brighten"))
    beta = scalar(amount, "BETA")
    if table.ndim != 2 or table.shape[1] != 3 or class_of(colours) == "char":
        raise MatlabError("MATLAB:brighten:InvalidMap", "MAP must be an m-by-3 matrix of colours.")
    if not -1 < beta < 1:
        raise MatlabError("MATLAB:brighten:InvalidBeta", "BETA must lie between -1 and 1.")
    with np.errstate(invalid="ignore"):
        return from_numpy(np.maximum(table, 0) ** (1 - beta if beta > 0 else 1 / (1 + beta)))
