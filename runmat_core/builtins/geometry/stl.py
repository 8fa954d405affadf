"""stlread and stlwrite: triangulations in STL files, which hold triangles by their corners."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import unknown_option, whole
from runmat_core.builtins.files.table import find_readable, resolve_path
from runmat_core.builtins.geometry.mesh import Mesh, mesh_of
from runmat_core.builtins.text.support import option_pairs, row, scalar_text
from runmat_core.values import from_numpy
from runmat_core.values.cell import empty_double

#: A triangle of a binary file: normal, corners, and two bytes that programs use as they like.
_RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
_HEAD = 80
_NUMBER = rb"\s+([-+\w.]+)"
_CORNER = re.compile(rb"\bvertex" + 3 * _NUMBER, re.IGNORECASE)
_SOLID = re.compile(rb"^[ \t]*solid\b", re.IGNORECASE | re.MULTILINE)


def _bad(path: str) -> MatlabError:
    return MatlabError("MATLAB:polyfun:stlFailedToRead", f"'{path}' is no valid STL file.")


@builtin("stlread", family="geometry/mesh", nargin=(1, 1), nargout=4, needs=("nargout", "interp"))
def stlread(filename: Any, *, nargout: int, interp: Interp) -> Any:
    """Read a triangulation from an STL file.

    TR = stlread(filename) is a triangulation object; corners at one place are one point.
    [TR, fileformat, attributes, solidID] = stlread(filename) also tells whether the file is
    'binary' or 'text', the two bytes that binary files keep for each triangle, and the solid that
    each triangle is of.

    Examples:
        >> f = [tempname '.stl'];
        >> stlwrite(triangulation([1 2 3], [0 0 0; 1 0 0; 0 1 0]), f)
        >> TR = stlread(f); TR.Points
        ans =
             0     0     0
             1     0     0
             0     1     0

    See also: stlwrite, triangulation.
    """
    error = MatlabError("MATLAB:polyfun:stlFileName", "The name of the file must be text.")
    name = scalar_text(filename, error)
    try:
        with open(find_readable(interp, name), "rb") as stream:
            data = stream.read()
    except OSError as problem:
        raise MatlabError(
            "MATLAB:polyfun:stlFileCannotOpen", f"Unable to open '{name}': {problem.strerror}."
        ) from None
    count = int.from_bytes(data[_HEAD : _HEAD + 4], "little")
    attributes = empty_double()
    if len(data) == _HEAD + 4 + count * _RECORD.itemsize and len(data) >= _HEAD + 4:
        kind = "binary"
        records = np.frombuffer(data, _RECORD, count, _HEAD + 4)
        corners = records["corners"].astype(np.float64).reshape(-1, 3)
        attributes = from_numpy(records["attribute"].astype(np.uint16).reshape(-1, 1))
        solids = np.ones((count, 1))
    elif _SOLID.match(data):
        kind = "text"
        corners, solids = _text_corners(data, name)
    else:
        raise _bad(name)
    points, first, numbers = np.unique(corners, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    places = np.empty_like(order)
    places[order] = np.arange(order.size)
    mesh = Mesh(points[order], places[numbers.ravel()].reshape(-1, 3).astype(np.intp))
    if nargout < 2:
        return mesh
    return (mesh, row(kind), attributes, from_numpy(solids))[:nargout]


def _text_corners(data: bytes, name: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the corners in a text file, and the number of the solid that each triangle is of."""
    found = list(_CORNER.finditer(data))
    try:
        corners = np.array([[float(n) for n in corner.groups()] for corner in found])
    except ValueError:
        raise _bad(name) from None
    if len(found) % 3:
        raise _bad(name)
    begins = [solid.start() for solid in _SOLID.finditer(data)]
    solids = np.searchsorted(begins, [corner.start() for corner in found[::3]])
    return corners.reshape(-1, 3), solids.astype(np.float64).reshape(-1, 1)


@builtin("stlwrite", family="geometry/mesh", nargin=(2, None), nargout=0, needs=("interp",))
def stlwrite(TR: Any, filename: Any, *options: Any, interp: Interp) -> None:
    """Write a triangulation as an STL file.

    stlwrite(TR, filename) writes the triangles of a triangulation object as a binary file.
    stlwrite(TR, filename, fileformat) with 'binary' or 'text'.
    stlwrite(..., 'Attribute', a) keeps a number from 0 to 65535 for each triangle in a binary file;
    stlwrite(..., 'SolidIndex', id) makes several solids in a text file.

    Examples:
        >> f = [tempname '.stl'];
        >> stlwrite(triangulation([1 2 3], [0 0 0; 1 0 0; 0 1 0]), f, 'text')
        >> [~, kind] = stlread(f)
        kind =
            'text'

    See also: stlread, triangulation.
    """
    content = mesh_of(TR, "stlwrite")
    error = MatlabError("MATLAB:polyfun:stlOptions", "Unknown or incomplete option of stlwrite.")
    name = scalar_text(filename, error)
    kind = "binary"
    if len(options) % 2:
        kind = scalar_text(options[0], error).lower()
        options = options[1:]
    if kind not in ("binary", "text"):
        raise unknown_option(kind, ("binary", "text"))
    chosen = option_pairs(options, {"Attribute": "a", "SolidIndex": "s"}, error)
    corners = content.points[content.simplices]
    if corners.shape[1:] not in ((3, 3), (3, 2)):
        raise MatlabError("MATLAB:polyfun:stlTriangles", "STL files hold triangles alone.")
    if corners.shape[2] == 2:
        corners = np.concatenate([corners, np.zeros((*corners.shape[:2], 1))], axis=2)
    given = {key: whole(value, "stlwrite").ravel() for key, value in chosen.items()}
    if any(numbers.size != len(corners) or (numbers < 0).any() for numbers in given.values()):
        raise MatlabError(
            "MATLAB:polyfun:stlSizes", "One nonnegative integer is needed for each triangle."
        )
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    normals = np.divide(normals, lengths, out=np.zeros_like(normals), where=lengths > 0)
    if kind == "binary":
        text = _binary(corners, normals, given.get("a"))
    else:
        text = _text(corners, normals, given.get("s"))
    try:
        with open(resolve_path(interp, name), "wb") as stream:
            stream.write(text)
    except OSError as problem:
        raise MatlabError(
            "MATLAB:polyfun:stlFileCannotOpen", f"Unable to write '{name}': {problem.strerror}."
        ) from None


def _binary(corners: NDArray[Any], normals: NDArray[Any], attributes: NDArray[Any] | None) -> bytes:
    records = np.zeros(len(corners), _RECORD)
    with np.errstate(over="ignore"):
        records["normal"], records["corners"] = normals, corners
    if attributes is not None:
        records["attribute"] = np.minimum(attributes, 65535)
    return bytes(_HEAD) + len(corners).to_bytes(4, "little") + records.tobytes()


def _text(corners: NDArray[Any], normals: NDArray[Any], solids: NDArray[Any] | None) -> bytes:
    numbers = np.ones(len(corners), int) if solids is None else solids
    lines = []
    for solid in np.unique(numbers):
        lines.append(f"solid {solid}")
        of = numbers == solid
        for triangle, normal in zip(corners[of], normals[of], strict=True):
            lines.append("facet normal {:.9e} {:.9e} {:.9e}\nouter loop".format(*normal))
            lines += ["vertex {:.9e} {:.9e} {:.9e}".format(*corner) for corner in triangle]
            lines.append("endloop\nendfacet")
        lines.append(f"endsolid {solid}")
    return "\n".join([*lines, ""]).encode()
