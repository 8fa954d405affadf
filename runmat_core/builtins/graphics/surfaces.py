"""Surfaces to try things on: peaks, sphere, cylinder, ellipsoid."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import as_float, check_size, integer, real, scalar
from runmat_core.builtins.lift import compatible_shapes
from runmat_core.values import from_numpy, numel_of

Numbers = NDArray[Any]


def _count(value: Any, name: str, least: int = 1) -> int:
    """How many cells a surface has along each direction."""
    n = integer(value, "N")
    if n < least:
        raise MatlabError(f"MATLAB:{name}:InvalidN", f"N must be an integer of {least} or more.")
    check_size((n + 1, n + 1), 24)
    return n


def _outputs(x: Numbers, y: Numbers, z: Numbers, nargout: int) -> Any:
    made = from_numpy(x), from_numpy(y), from_numpy(z)
    return made[:nargout] if nargout > 1 else made[0]


@builtin("peaks", family="graphics/surfaces", nargin=(0, 2), nargout=3, needs=("nargout",))
def peaks(*args: Any, nargout: int) -> Any:
    """Sample function of two variables: three hills and two valleys.

    Z = peaks on a grid of 49 by 49 points from -3 to 3, Z = peaks(N) on one of N by N points
    Z = peaks(V) on the grid of a vector, Z = peaks(X, Y) at given points
    [X, Y, Z] = peaks(…) gives the points too

    Examples:
        >> peaks(0, 0)
        ans =
            0.9810

    See also: meshgrid, sphere, contourc.
    """
    if len(args) == 2:
        x, y = (as_float(real(a, "peaks")) for a in args)
        (sx, sy), _ = compatible_shapes([x.shape, y.shape])
        x, y = np.broadcast_arrays(x.reshape(sx, order="F"), y.reshape(sy, order="F"))
    elif args and numel_of(args[0]) != 1:
        v = as_float(real(args[0], "peaks")).ravel(order="F")
        check_size((v.size, v.size), 24)
        x, y = np.meshgrid(v, v)
    else:
        n = _count(args[0], "peaks") if args else 49
        axis = np.linspace(-3, 3, n) if n > 1 else np.array([3.0])
        x, y = np.meshgrid(axis, axis)
    with np.errstate(all="ignore"):
        z = (
            3 * (1 - x) ** 2 * np.exp(-(x**2) - (y + 1) ** 2)
            - 10 * (x / 5 - x**3 - y**5) * np.exp(-(x**2) - y**2)
            - np.exp(-((x + 1) ** 2) - y**2) / 3
        )
    return _outputs(x, y, z, nargout) if nargout > 1 else from_numpy(z)


def unit_sphere(n: int) -> tuple[Numbers, Numbers, Numbers]:
    """Return the points of a sphere of radius 1 at n+1 latitudes and longitudes.

    It closes exactly.
    """
    turns = np.arange(-n, n + 1, 2) / n
    longitude, latitude = turns * np.pi, turns[:, None] * np.pi / 2
    narrow, across = np.cos(latitude), np.sin(longitude)
    narrow[[0, -1]] = 0
    across[[0, -1]] = 0
    return (
        narrow * np.cos(longitude),
        narrow * across,
        np.repeat(np.sin(latitude), n + 1, axis=1),
    )


@builtin("sphere", family="graphics/surfaces", nargin=(0, 1), nargout=3, needs=("nargout",))
def sphere(n: Any = 20.0, *, nargout: int) -> Any:
    """Points of a sphere of radius 1.

    [X, Y, Z] = sphere gives three matrices of 21 by 21 points, [X, Y, Z] = sphere(N) N+1 by N+1

    Examples:
        >> [x, y, z] = sphere(2);
        >> z
        z =
            -1    -1    -1
             0     0     0
             1     1     1

    See also: ellipsoid, cylinder, peaks.
    """
    return _outputs(*unit_sphere(_count(n, "sphere")), nargout)


@builtin("cylinder", family="graphics/surfaces", nargin=(0, 2), nargout=3, needs=("nargout",))
def cylinder(radius: Any = 1.0, n: Any = 20.0, *, nargout: int) -> Any:
    """Points of a cylinder of height 1, or of another body of revolution.

    [X, Y, Z] = cylinder, [X, Y, Z] = cylinder(R) with the radii R at equal distances of height
    [X, Y, Z] = cylinder(R, N) with N points around

    Examples:
        >> [x, y, z] = cylinder([1 2], 2);
        >> x
        x =
             1    -1     1
             2    -2     2

    See also: sphere, ellipsoid.
    """
    r = as_float(real(radius, "cylinder")).reshape(-1, 1, order="F")
    if not r.size:
        raise MatlabError("MATLAB:cylinder:InvalidR", "R must not be empty.")
    r = np.repeat(r, 2, axis=0) if r.size == 1 else r
    count = _count(n, "cylinder")
    check_size((r.size, count + 1), 24)
    angle = np.arange(count + 1) / count * 2 * np.pi
    across = np.sin(angle)
    across[-1] = 0
    height = np.repeat(np.arange(r.size)[:, None] / (r.size - 1), count + 1, axis=1)
    return _outputs(r * np.cos(angle), r * across, height, nargout)


@builtin("ellipsoid", family="graphics/surfaces", nargin=(6, 7), nargout=3, needs=("nargout",))
def ellipsoid(
    xc: Any, yc: Any, zc: Any, xr: Any, yr: Any, zr: Any, n: Any = 20.0, *, nargout: int
) -> Any:
    """Points of an ellipsoid.

    [X, Y, Z] = ellipsoid(XC, YC, ZC, XR, YR, ZR) with centre and semi-axes
    [X, Y, Z] = ellipsoid(…, N) with N+1 by N+1 points, 21 by 21 by default

    Examples:
        >> [x, y, z] = ellipsoid(0, 0, 5, 1, 2, 3, 2);
        >> z
        z =
             2     2     2
             5     5     5
             8     8     8

    See also: sphere, cylinder.
    """
    centre = [scalar(value, "Centre") for value in (xc, yc, zc)]
    radii = [scalar(value, "Semi-axis") for value in (xr, yr, zr)]
    ball = unit_sphere(_count(n, "ellipsoid"))
    x, y, z = (r * u + c for r, u, c in zip(radii, ball, centre, strict=True))
    return _outputs(x, y, z, nargout)
