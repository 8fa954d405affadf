"""Coordinates of points, and polygons."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError, not_enough_inputs, too_many_inputs
from runmat_core.builtins import composed
from runmat_core.builtins.arguments import as_float, dimension, first_axis, real
from runmat_core.builtins.lift import expand, value_of
from runmat_core.builtins.named import pairs, positional
from runmat_core.values import from_numpy

Numbers = NDArray[Any]


def _arrays(name: str, *values: Any) -> list[Numbers]:
    """Real arguments expanded to one size."""
    return list(np.broadcast_arrays(*expand([as_float(real(v, name)) for v in values])))


def _outputs(nargout: int, arrays: tuple[Numbers, ...], joined: bool = False) -> Any:
    """`arrays` as outputs; a single output of vectors may hold them as columns."""
    if nargout < 2 and joined:
        return value_of(np.stack([a.ravel(order="F") for a in arrays], axis=1))
    values = tuple(value_of(np.asarray(a)) for a in arrays[: max(nargout, 1)])
    return values if nargout > 1 else values[0]


@builtin(
    "cart2pol",
    family="math/coordinates",
    nargout=3,
    needs=("nargout",),
    effects="pure",
    pending="keep",
)
@composed.composed(composed.cart2pol)
def cart2pol(x: Any, y: Any, z: Any = None, *, nargout: int) -> Any:
    """Cartesian to polar or cylindrical coordinates.

    [THETA, RHO] = cart2pol(X, Y), [THETA, RHO, Z] = cart2pol(X, Y, Z)

    Examples:
        >> [t, r] = cart2pol(0, 2)
        t =
            1.5708
        r =
             2

    See also: pol2cart, cart2sph, atan2.
    """
    a, b, *rest = _arrays("cart2pol", x, y, *([] if z is None else [z]))
    return _outputs(nargout, (np.arctan2(b, a), np.hypot(a, b), *rest), joined=True)


@builtin(
    "pol2cart",
    family="math/coordinates",
    nargout=3,
    needs=("nargout",),
    effects="pure",
    pending="keep",
)
@composed.composed(composed.pol2cart)
def pol2cart(theta: Any, rho: Any, z: Any = None, *, nargout: int) -> Any:
    """Polar or cylindrical to Cartesian coordinates.

    [X, Y] = pol2cart(THETA, RHO), [X, Y, Z] = pol2cart(THETA, RHO, Z)

    Examples:
        >> [x, y] = pol2cart(0, 2)
        x =
             2
        y =
             0

    See also: cart2pol, sph2cart.
    """
    angle, radius, *rest = _arrays("pol2cart", theta, rho, *([] if z is None else [z]))
    return _outputs(nargout, (radius * np.cos(angle), radius * np.sin(angle), *rest), joined=True)


@builtin("cart2sph", family="math/coordinates", nargout=3, needs=("nargout",), effects="pure")
def cart2sph(x: Any, y: Any, z: Any, *, nargout: int) -> Any:
    """Cartesian to spherical coordinates.

    [AZIMUTH, ELEVATION, R] = cart2sph(X, Y, Z)

    Examples:
        >> [a, e, r] = cart2sph(0, 0, 2)
        a =
             0
        e =
            1.5708
        r =
             2

    See also: sph2cart, cart2pol.
    """
    a, b, c = _arrays("cart2sph", x, y, z)
    flat = np.hypot(a, b)
    return _outputs(nargout, (np.arctan2(b, a), np.arctan2(c, flat), np.hypot(flat, c)), True)


@builtin("sph2cart", family="math/coordinates", nargout=3, needs=("nargout",), effects="pure")
def sph2cart(azimuth: Any, elevation: Any, r: Any, *, nargout: int) -> Any:
    """Spherical to Cartesian coordinates.

    [X, Y, Z] = sph2cart(AZIMUTH, ELEVATION, R)

    Examples:
        >> [x, y, z] = sph2cart(0, 0, 2)
        x =
             2
        y =
             0
        z =
             0

    See also: cart2sph, pol2cart.
    """
    a, e, radius = _arrays("sph2cart", azimuth, elevation, r)
    flat = radius * np.cos(e)
    return _outputs(nargout, (flat * np.cos(a), flat * np.sin(a), radius * np.sin(e)), True)


@builtin("polyarea", family="math/coordinates", effects="pure")
def polyarea(x: Any, y: Any, dim: Any = None) -> Any:
    """Area of a polygon, or of one for each column.

    A = polyarea(X, Y), A = polyarea(X, Y, DIM) with the corners along a dimension

    Examples:
        >> polyarea([0 2 2 0], [0 0 3 3])
        ans =
             6

    See also: inpolygon.
    """
    a, b = (as_float(real(v, "polyarea")) for v in (x, y))
    if a.shape != b.shape:
        raise MatlabError("MATLAB:polyarea:XYSizeMismatch", "X and Y must be the same size.")
    axis = first_axis(a.shape) if dim is None else dimension(dim)
    if axis >= a.ndim:
        return from_numpy(np.zeros(a.shape))
    turned = a * np.roll(b, -1, axis) - b * np.roll(a, -1, axis)
    return from_numpy(np.abs(turned.sum(axis=axis, keepdims=True)) / 2)


@builtin("inpolygon", family="math/coordinates", nargout=2, needs=("nargout",), effects="pure")
def inpolygon(xq: Any, yq: Any, xv: Any, yv: Any, *, nargout: int) -> Any:
    """Which points are inside a polygon or on its edge.

    IN = inpolygon(XQ, YQ, XV, YV), [IN, ON] = inpolygon(…)

    Examples:
        >> inpolygon([1 5], [1 1], [0 2 2 0], [0 0 2 2])
        ans =
          1×2 logical array
           1   0

    See also: polyarea.
    """
    x, y = _arrays("inpolygon", xq, yq)
    a, b = (v.ravel(order="F") for v in _arrays("inpolygon", xv, yv))
    inside, on = np.zeros(x.shape, np.bool_), np.zeros(x.shape, np.bool_)
    with np.errstate(all="ignore"):
        for x0, y0, x1, y1 in zip(a, b, np.roll(a, -1), np.roll(b, -1), strict=True):
            side = (x1 - x0) * (y - y0) - (x - x0) * (y1 - y0)
            within = (x - x0) * (x - x1) <= 0
            on |= (side == 0) & within & ((y - y0) * (y - y1) <= 0)
            crosses = (y0 > y) != (y1 > y)
            inside ^= crosses & ((side > 0) == (y1 > y0))
    found = from_numpy(inside | on)
    return (found, from_numpy(on)) if nargout > 1 else found


@builtin(
    "rescale",
    family="arrays/statistics",
    effects="pure",
    nargin=(1, None),
    pending="keep",
    captures="operator",
)
@composed.composed("composed_statistics.rescale")
def rescale(x: Any, *args: Any) -> Any:
    """Numbers scaled to an interval. Where all are equal, they become its lower end.

    B = rescale(A) has its extremes at 0 and 1, B = rescale(A, L, U) at L and U
    B = rescale(…, "InputMin", LOW), B = rescale(…, "InputMax", HIGH) take these for the extremes;
    elements beyond them count as equal to them

    Bounds may be arrays of a size compatible with A.

    Examples:
        >> rescale([1 2 3])
        ans =
                 0    0.5000    1.0000
        >> rescale([1 2 9], "InputMax", 5)
        ans =
                 0    0.2500    1.0000

    See also: normalize, bounds, clip.
    """
    a = as_float(real(x, "rescale"))
    plain, words = positional(args)
    named, _ = pairs(words, ("InputMin", "InputMax"), "rescale")
    if len(plain) not in (0, 2):
        raise too_many_inputs() if len(plain) > 2 else not_enough_inputs()
    if a.size == 0:
        return from_numpy(a)
    # fmin leaves NaN out
    given = [
        *(plain or (0.0, 1.0)),
        named.get("InputMin", from_numpy(np.fmin.reduce(a, axis=None))),
        named.get("InputMax", from_numpy(np.fmax.reduce(a, axis=None))),
    ]
    bounds = [as_float(real(value, "rescale")) for value in given]
    a, first, last, least, most = expand([a, *bounds])
    if not ((first <= last).all() and not (least > most).any()):
        raise MatlabError(
            "MATLAB:rescale:InvalidBounds", "Lower bounds must not exceed upper bounds."
        )
    with np.errstate(all="ignore"):
        inside = np.where(np.isnan(a), a, np.clip(a, least, most))
        share = np.where(least == most, inside * 0, (inside - least) / (most - least))
        result = first + share * (last - first)
    return from_numpy(result.astype(np.float32 if a.dtype.char == "f" else np.float64))
