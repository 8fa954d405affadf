"""Boundaries of points that are tighter than their convex hulls."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import scalar
from runmat_core.builtins.geometry.alpha import coordinates_and_rest, shape_of_points
from runmat_core.builtins.geometry.mesh import chained
from runmat_core.builtins.geometry.triangulations import Points, Simplices, convhull, points_of
from runmat_core.values import from_numpy


@builtin("boundary", family="geometry/alpha", nargin=(1, 4), nargout=2, needs=("nargout",))
def boundary(*args: Any, nargout: int) -> Any:
    """Boundary of points that may shrink from their hull towards their interior.

    K = boundary(X, Y), K = boundary(P): the points on it counter-clockwise, the first one again at
    the end; K = boundary(X, Y, Z): triangles, one in a row
    K = boundary(…, S) with a shrink factor from 0 (the hull) to 1 (as tight as one region can be),
    0.5 by default
    [K, V] = boundary(…) gives the area or the volume
    [X, Y] = boundary(P), [X, Y] = boundary(P, I) of a polyshape: the corners of its boundaries, or
    some of them, each closed, with NaN between

    Examples:
        >> [k, v] = boundary([0 2 2 0 1]', [0 0 2 2 1]', 0); v
        v =
             4

    See also: convhull, alphaShape, polyshape, freeBoundary.
    """
    coordinates, rest = coordinates_and_rest(args)
    shrink = scalar(rest[0], "S") if rest else 0.5
    if len(rest) > 1 or not 0 <= shrink <= 1:
        raise MatlabError("MATLAB:boundary:InvalidShrinkFactor", "S must lie between 0 and 1.")
    p = points_of(coordinates, "boundary")
    if shrink == 0:
        return convhull(from_numpy(p), nargout=nargout)
    unique, where = np.unique(p, axis=0, return_index=True)
    whole = shape_of_points(unique)
    spectrum = np.unique(whole.radii)
    open_to = spectrum[spectrum >= whole.critical("one-region")]
    # the radii from the tightest to the hull, as many as the factor says
    at = max(int(np.ceil((1 - shrink) * open_to.size)), 1) - 1
    shape = attrs.evolve(whole, alpha=float(open_to[at]), holes=float(whole.contents().sum()))
    sides = shape.boundary()
    k = where[_outline(unique, sides).reshape(-1, 1) if p.shape[1] == 2 else sides]
    content = float(shape.contents()[shape.kept()].sum())
    return (from_numpy(k + 1.0), content) if nargout > 1 else from_numpy(k + 1.0)


def _outline(p: Points, sides: Simplices) -> Any:
    """Return the longest closed chain of edges, which holds the others."""
    chains = chained(sides[np.lexsort((p[sides[:, 0], 1], p[sides[:, 0], 0]))])
    return np.array(max(chains, key=len), np.intp)
