"""Between indexed images, which name rows of a colour map, and colours."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.libraries import package
from runmat_core.builtins.arguments import as_float, check_size, real, scalar
from runmat_core.builtins.named import choice
from runmat_core.values import class_of, from_numpy, is_text, numel_of

Numbers = NDArray[Any]


def _map_of(value: Any, name: str) -> Numbers:
    table = as_float(real(value, name)).astype(np.float64)
    if table.ndim != 2 or table.shape[1] != 3 or not table.shape[0]:
        raise MatlabError(
            f"MATLAB:{name}:InvalidColormap", "A colour map must be a matrix of 3 columns."
        )
    return table


@builtin("ind2rgb", family="graphics/indexed", effects="pure")
def ind2rgb(x: Any, colours: Any) -> Any:
    """Colours of an indexed image.

    RGB = ind2rgb(X, MAP): rows by columns by 3, from 0 to 1

    Numbers of class double and single are rows of MAP; of integer classes they count from zero.
    What lies beyond the map has its first or last colour.

    Examples:
        >> squeeze(ind2rgb(2, [1 0 0; 0 0.5 1]))'
        ans =
                 0    0.5000    1.0000

    See also: rgb2ind, gray, imread.
    """
    a = real(x, "ind2rgb")
    table = _map_of(colours, "ind2rgb")
    if a.ndim != 2:
        raise MatlabError("MATLAB:ind2rgb:InvalidSize", "X must be a matrix.")
    check_size((*a.shape, 3), 8)
    first = 1 if a.dtype.kind == "f" else 0
    at = np.clip(np.nan_to_num(np.floor(a.astype(np.float64))) - first, 0, len(table) - 1)
    return from_numpy(table[at.astype(np.intp)])


def _colours(value: Any) -> Numbers:
    a = real(value, "rgb2ind")
    if a.ndim != 3 or a.shape[2] != 3:
        raise MatlabError("MATLAB:rgb2ind:InvalidRGB", "RGB must be an image of 3 planes.")
    if a.dtype.kind in "iu":
        return np.asarray(a.astype(np.float64) / np.iinfo(a.dtype).max)
    return np.clip(np.nan_to_num(as_float(a).astype(np.float64)), 0, 1)


def _nearest(colours: Numbers, table: Numbers) -> Numbers:
    cKDTree = package("scipy.spatial").cKDTree

    return np.asarray(cKDTree(table).query(colours.reshape(-1, 3))[1].reshape(colours.shape[:-1]))


def _dithered(colours: Numbers, table: Numbers) -> Numbers:
    """Nearest colours, with what is lost handed on to pixels beside and below: R. Floyd and
    L. Steinberg (1976).

    Pixels two columns apart in rows one apart do not depend on each other: they are done together.
    """
    left = colours.copy()
    rows, columns = left.shape[:2]
    found = np.zeros((rows, columns), np.intp)
    red, green, blue = table.T
    for wave in range(2 * rows + columns - 2):
        i = np.arange(max(0, (wave - columns + 2) // 2), min(rows, wave // 2 + 1))
        j = wave - 2 * i
        wanted = left[i, j]
        distance = (red - wanted[:, :1]) ** 2
        distance += (green - wanted[:, 1:2]) ** 2
        distance += (blue - wanted[:, 2:]) ** 2
        found[i, j] = nearest = distance.argmin(axis=1)
        lost = wanted - table[nearest]
        for di, dj, part in ((1, -1, 3), (0, 1, 7), (1, 0, 5), (1, 1, 1)):
            there = (i + di < rows) & (j + dj >= 0) & (j + dj < columns)
            left[i[there] + di, j[there] + dj] += lost[there] * (part / 16)
    return found


def _quantized(colours: Numbers, count: int) -> Numbers:
    """At most `count` colours: the box with the largest variance is cut at the mean of its widest
    direction until there are as many."""
    unique, weight = np.unique(colours.reshape(-1, 3), axis=0, return_counts=True)
    if len(unique) <= count:
        return unique
    boxes = [np.arange(len(unique))]

    def spread(box: Numbers) -> Numbers:
        mean = np.average(unique[box], axis=0, weights=weight[box])
        return np.asarray((weight[box, None] * (unique[box] - mean) ** 2).sum(axis=0))

    spreads = [spread(boxes[0])]
    while len(boxes) < count:
        at = int(np.argmax([s.sum() for s in spreads]))
        box, axis = boxes[at], int(spreads[at].argmax())
        if spreads[at][axis] == 0:
            break
        low = unique[box, axis] <= np.average(unique[box, axis], weights=weight[box])
        boxes[at : at + 1] = [box[low], box[~low]]
        spreads[at : at + 1] = [spread(box[low]), spread(box[~low])]
    means = [np.average(unique[box], axis=0, weights=weight[box]) for box in boxes]
    return np.array(means)


@builtin("rgb2ind", family="graphics/indexed", nargin=(2, 3), nargout=2, needs=("nargout",))
def rgb2ind(rgb: Any, colours: Any, option: Any = None, *, nargout: int) -> Any:
    """Indexed image of a colour image.

    X = rgb2ind(RGB, MAP) with the colours of a map
    [X, MAP] = rgb2ind(RGB, N) with at most N colours that are chosen to suit the image;
    [X, MAP] = rgb2ind(RGB, TOL) with a tolerance below 1: colours on a grid
    … = rgb2ind(…, "nodither") takes the nearest colours; by default what is lost at a pixel is made
    up for at its neighbours

    X counts from zero: it is uint8, or uint16 where there are more than 256 colours.

    Examples:
        >> [x, map] = rgb2ind(cat(3, [0 1], [0 0], [0 0]), 8)
        x =
          1×2 uint8 row vector
           0   1
        map =
             0     0     0
             1     0     0

    See also: ind2rgb, imwrite.
    """
    image = _colours(rgb)
    word = "dither" if option is None else choice(option, ("dither", "nodither"), "rgb2ind")
    if is_text(colours) or class_of(colours) == "char":
        raise MatlabError("MATLAB:rgb2ind:InvalidColormap", "Expected a map or a number.")
    if numel_of(colours) == 1:
        amount = scalar(colours, "N")
        if 0 < amount < 1:
            steps = int(np.floor(1 / amount)) + 1
            grid = np.round(image * (steps - 1)) / max(steps - 1, 1)
            table = np.unique(grid.reshape(-1, 3), axis=0)
        elif amount == int(amount) and 1 <= amount <= 65536:
            table = _quantized(image, int(amount))
        else:
            raise MatlabError(
                "MATLAB:rgb2ind:InvalidN", "N must be an integer up to 65536, or less than 1."
            )
    else:
        table = _map_of(colours, "rgb2ind")
    if not image.size:
        table = table if len(table) else np.zeros((1, 3))
        found = np.zeros(image.shape[:2], np.intp)
    else:
        found = _nearest(image, table)
        if word == "dither" and not np.allclose(table[found], image, atol=1e-12):
            found = _dithered(image, table)
    x = from_numpy(found.astype(np.uint8 if len(table) <= 256 else np.uint16))
    return (x, from_numpy(table)) if nargout > 1 else x
