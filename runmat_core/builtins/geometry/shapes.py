"""Rectangles, and rotations of space."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import as_float, check_size, real, scalar
from runmat_core.values import from_numpy

Numbers = NDArray[Any]


def _rectangles(value: Any) -> Numbers:
    a = as_float(real(value, "rectint"))
    if a.ndim != 2 or a.shape[1] != 4:
        raise MatlabError(
            "MATLAB:rectint:InvalidInput", "Rectangles must be rows of [X, Y, WIDTH, HEIGHT]."
        )
    return a


@builtin("rectint", family="geometry/shapes", effects="pure")
def rectint(a: Any, b: Any) -> Any:
    """Areas in which rectangles overlap.

    AREA = rectint(A, B) has a row for each rectangle [X, Y, WIDTH, HEIGHT] of A and a column for
    each of B

    Examples:
        >> rectint([0 0 2 2], [1 1 3 3; 5 5 1 1])
        ans =
             1     0

    See also: polyarea, inpolygon.
    """
    first, second = _rectangles(a)[:, None, :], _rectangles(b)[None, :, :]
    check_size((first.shape[0], second.shape[1]), 16)
    low = np.maximum(first[..., :2], second[..., :2])
    high = np.minimum(first[..., :2] + first[..., 2:], second[..., :2] + second[..., 2:])
    return from_numpy(np.maximum(high - low, 0).prod(axis=2))


def _rotation(angle: Any, axis: int) -> Any:
    """Return the rotation about an axis by an angle in degrees, exact at multiples of 90."""
    degrees = scalar(angle, "Angle")
    if not np.isfinite(degrees):
        raise MatlabError("MATLAB:expectedFinite", "Angle must be finite.")
    turns = degrees % 360.0
    exact = {0.0: (1.0, 0.0), 90.0: (0.0, 1.0), 180.0: (-1.0, 0.0), 270.0: (0.0, -1.0)}
    radians = np.deg2rad(turns)
    c, s = exact.get(turns, (float(np.cos(radians)), float(np.sin(radians))))
    r = np.eye(3)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    r[i, i] = r[j, j] = c
    r[i, j], r[j, i] = -s, s
    return from_numpy(r + 0.0)


@builtin("rotx", family="geometry/shapes", effects="pure")
def rotx(angle: Any) -> Any:
    """Matrix of the rotation about the x axis by an angle in degrees.

    R = rotx(ANGLE)

    Examples:
        >> rotx(90)
        ans =
             1     0     0
             0     0    -1
             0     1     0

    See also: roty, rotz, deg2rad.
    """
    return _rotation(angle, 0)


@builtin("roty", family="geometry/shapes", effects="pure")
def roty(angle: Any) -> Any:
    """Matrix of the rotation about the y axis by an angle in degrees.

    R = roty(ANGLE)

    Examples:
        >> roty(90)
        ans =
             0     0     1
             0     1     0
            -1     0     0

    See also: rotx, rotz, deg2rad.
    """
    return _rotation(angle, 1)


@builtin("rotz", family="geometry/shapes", effects="pure")
def rotz(angle: Any) -> Any:
    """Matrix of the rotation about the z axis by an angle in degrees.

    R = rotz(ANGLE)

    Examples:
        >> rotz(90)
        ans =
             0    -1     0
             1     0     0
             0     0     1

    See also: rotx, roty, deg2rad.
    """
    return _rotation(angle, 2)
