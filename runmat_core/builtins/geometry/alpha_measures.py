"""Measures of alpha shapes: area, volume, perimeter, surfaceArea."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import too_many_inputs
from runmat_core.api.interp import Interp
from runmat_core.builtins.geometry.alpha import Shape, shape_in
from runmat_core.builtins.graphics import placeholders
from runmat_core.values.object import ObjectValue


@builtin("area", family="geometry/alpha", nargin=(1, None), needs=("nargout", "interp"))
def area(shape: Any, which: Any = None, *more: Any, nargout: int, interp: Interp) -> Any:
    """Area of a shape in the plane.

    A = area(S) of an alphaShape or a polyshape
    A = area(P, I) of what each of some boundaries of a polyshape encloses

    area of numbers is the plot of that name, which needs a package that draws.

    Examples:
        >> area(alphaShape([0 1 0; 0 0 1]', Inf))
        ans =
            0.5000

    See also: alphaShape, polyshape, perimeter, volume, polyarea.
    """
    if not isinstance(shape, ObjectValue):  # the plot of that name
        given = (shape, *(() if which is None else (which,)), *more)
        return placeholders.drawn("area", *given, nargout=nargout, interp=interp)
    found = shape_in(shape, "area", 2)
    if which is not None:
        raise too_many_inputs()
    return float(found.contents()[found.kept()].sum())


@builtin("volume", family="geometry/alpha", effects="pure")
def volume(shape: Any) -> float:
    """Volume of a shape of points in space.

    V = volume(S) of an alphaShape

    Examples:
        >> [x, y, z] = meshgrid([0 2]);
        >> fprintf("%.4f\\n", volume(alphaShape(x(:), y(:), z(:), Inf)))
        8.0000

    See also: alphaShape, surfaceArea, area.
    """
    found = shape_in(shape, "volume", 3)
    return float(found.contents()[found.kept()].sum())


def _measure(shape: Shape) -> float:
    corners = shape.points[shape.boundary()]
    edges = corners[:, 1:] - corners[:, :1]
    gram = np.einsum("kij,klj->kil", edges, edges)
    size = np.sqrt(np.maximum(np.linalg.det(gram), 0)).sum()
    return float(size / (1 if shape.points.shape[1] == 2 else 2))


@builtin("perimeter", family="geometry/alpha", nargin=(1, 2), effects="pure")
def perimeter(shape: Any, which: Any = None) -> float:
    """Length of the boundary of a shape in the plane.

    L = perimeter(S) of an alphaShape or a polyshape
    L = perimeter(P, I) of each of some boundaries of a polyshape

    Examples:
        >> perimeter(alphaShape([0 3 0; 0 0 4]', Inf))
        ans =
            12

    See also: alphaShape, polyshape, area, boundaryFacets.
    """
    found = shape_in(shape, "perimeter", 2)
    if which is not None:
        raise too_many_inputs()
    return _measure(found)


@builtin("surfaceArea", family="geometry/alpha", effects="pure")
def surfaceArea(shape: Any) -> float:
    """Area of the boundary of a shape of points in space.

    A = surfaceArea(S) of an alphaShape

    Examples:
        >> [x, y, z] = meshgrid([0 1]); surfaceArea(alphaShape(x(:), y(:), z(:), Inf))
        ans =
             6

    See also: alphaShape, volume, boundaryFacets.
    """
    return _measure(shape_in(shape, "surfaceArea", 3))
