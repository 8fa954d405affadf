"""TriRep and DelaunayTri, as triangulation and delaunayTriangulation were before R2013a."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runmat_core.api.builtin import builtin
from runmat_core.builtins.geometry.mesh import (
    DelaunayMesh,
    Mesh,
    delaunay_triangulation,
    triangulation,
)

#: The functions of today by the names that they had.
_RENAMED = {
    "baryToCart": "barycentricToCartesian", "cartToBary": "cartesianToBarycentric",
    "circumcenters": "circumcenter", "incenters": "incenter", "faceNormals": "faceNormal",
    "isEdge": "isConnected", "inOutStatus": "isInterior",
}  # fmt: skip
_PROPERTIES = {"X": "Points", "Triangulation": "ConnectivityList", "Constraints": "Constraints"}


class _Former(Mesh):
    """A triangulation with the properties and methods of that time."""

    __slots__ = ()

    def get_property(self, name: str) -> Any:
        return super().get_property(_PROPERTIES.get(name, name))

    def method(self, name: str) -> Callable[..., Any] | None:
        return super().method(_RENAMED.get(name, name))


class TriRep(_Former):
    __slots__ = ()
    class_name = "TriRep"
    properties = ("X", "Triangulation")


class DelaunayTri(_Former, DelaunayMesh):
    __slots__ = ()
    class_name = "DelaunayTri"
    properties = ("Constraints", "X", "Triangulation")

    def set_property(self, name: str, rhs: Any) -> None:
        super().set_property(_PROPERTIES.get(name, name), rhs)

    def is_a(self, name: str) -> bool:
        return name == "TriRep" or super().is_a(name)


@builtin("TriRep", family="geometry/mesh", nargin=(2, 4), effects="pure")
def tri_rep(t: Any, *args: Any) -> Any:
    """Triangulation of given triangles or tetrahedra, as before R2013a.

    TR = TriRep(TRI, X), TR = TriRep(TRI, X, Y), TR = TriRep(TRI, X, Y, Z)

    Properties: X, Triangulation. Methods: those of triangulation by their former names, such as
    circumcenters, incenters, faceNormals, isEdge, baryToCart and cartToBary.

    Examples:
        >> TR = TriRep([1 2 3], [0 0; 6 0; 0 8]);
        >> circumcenters(TR)
        ans =
             3     4

    See also: triangulation, DelaunayTri.
    """
    made = TriRep.__new__(TriRep)
    made.data = triangulation(t, *args).data
    return made


@builtin("DelaunayTri", family="geometry/mesh", nargin=(1, 4), effects="pure")
def delaunay_tri(*args: Any) -> Any:
    """Delaunay triangulation, as before R2013a.

    DT = DelaunayTri(X), DT = DelaunayTri(X, Y), DT = DelaunayTri(X, Y, Z)
    DT = DelaunayTri(…, C) with edges C

    Properties: X, Triangulation, Constraints. Methods: those of TriRep and of
    delaunayTriangulation, inOutStatus for isInterior.

    Examples:
        >> DT = DelaunayTri([0 1 1 0]', [0 0 1 1]');
        >> size(DT.Triangulation)
        ans =
             2     3

    See also: delaunayTriangulation, TriRep.
    """
    made = DelaunayTri.__new__(DelaunayTri)
    made.data = delaunay_triangulation(*args).data
    return made
