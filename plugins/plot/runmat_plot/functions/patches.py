"""Filled polygons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.arguments import not_enough, numbers_in, python
from runmat_plot.functions.series import check_pairs
from runmat_plot.functions.support import (
    Numbers,
    current_axes,
    given,
    holds,
    make,
    prepare,
    scene_of,
    set_pairs,
    take_axes,
)
from runmat_plot.scene.colors import color
from runmat_plot.scene.node import Node, when_set


@builtin("patch", family="plot/points", nargin=(0, None), needs=("nargout", "interp"))
def patch(*args: Any, nargout: int, interp: Interp) -> Any:
    """Add polygons to axes.

    patch(X, Y, COLOR), patch(X, Y, Z, COLOR): a polygon for each column; COLOR is a colour, or
    numbers for the colour map, for each polygon or each corner
    patch("Faces", F, "Vertices", V, …), patch(S) with a structure, patch(…, NAME, VALUE)

    Examples:
        >> p = patch([0 1 1], [0 0 1], 'r'); p.FaceColor
        ans =
             1     0     0

    See also: fill, rectangle, trisurf, surf.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    axes = target or current_axes(scene)
    data: list[Any] = []
    while rest and not isinstance(rest[0], str | dict) and len(data) < 4:
        data.append(rest.pop(0))
    if (
        rest
        and isinstance(rest[0], str)
        and len(data) in (2, 3)
        and len(rest) % 2
        and color(rest[0]) is not None
    ):
        data.append(rest.pop(0))
    check_pairs("patch", axes, rest)
    node = make("patch", axes, (), FaceColor=np.zeros((1, 3)))
    if data:
        if len(data) < 3:
            node.delete()
            raise not_enough()
        try:
            _corners(node, data[:-1], data[-1])
        except MatlabError:
            node.delete()
            raise
    set_pairs(node, rest)
    _complete(node, rest)
    scene.revision += 1
    return given(nargout, node)


def _complete(node: Node, pairs: Sequence[Any]) -> None:
    """Colours of faces where these were given as numbers alone."""
    names = {str(word).lower() for word in pairs[::2] if isinstance(word, str)}
    for fields in pairs:
        if isinstance(fields, dict):
            names |= {key.lower() for key in fields}
    if names & {"xdata", "ydata"}:
        parts = [node[f"{a}Data"] for a in "XYZ" if node[f"{a}Data"].size]
        _vertices(node, parts)
    if names & {"cdata", "facevertexcdata"} and "facecolor" not in names:
        node.values["FaceColor"] = "flat"
    if "cdata" in names:
        node.values["FaceVertexCData"] = np.asarray(node["CData"]).reshape(-1, 1, order="F")


def _corners(node: Node, parts: Sequence[Any], ink: Any) -> None:
    numbers = [numbers_in(part, "patch").astype(float) for part in parts]
    count = _vertices(node, numbers)
    if isinstance(ink, str):
        found = color(ink)
        if found is None:
            raise MatlabError("MATLAB:patch:InvalidColor", "Invalid color value.")
        node.values["FaceColor"] = np.array([found], float)
        return
    colors = numbers_in(ink, "patch").astype(float)
    if colors.size == 3 and colors.shape[0] == 1 and count != 3 and numbers[0].size != 3:
        node.assign("FaceColor", colors)
        return
    if (
        colors.size == 3
        and colors.shape == (1, 3)
        and numbers[0].shape != (1, 3)
        and np.all((colors >= 0) & (colors <= 1))
    ):
        node.assign("FaceColor", colors)
        return
    if colors.size not in (1, count, numbers[0].size):
        raise MatlabError(
            "MATLAB:patch:InvalidCData", "There must be a colour for each face or each corner."
        )
    node.values["CData"] = colors
    node.values["FaceVertexCData"] = colors.reshape(-1, 1, order="F")
    node.values["FaceColor"] = "flat" if colors.size in (1, count) else "interp"


def _vertices(node: Node, numbers: Sequence[Numbers]) -> int:
    """Corners and faces of columns of coordinates; how many faces there are."""
    shapes = {part.shape for part in numbers}
    if len(shapes) > 1 and len({part.size for part in numbers}) > 1:
        raise MatlabError("MATLAB:patch:InvalidDimensions", "Vectors must be the same lengths.")
    columns = [part.reshape(-1, 1) if min(part.shape, default=0) <= 1 else part for part in numbers]
    rows, count = int(columns[0].shape[0]), int(columns[0].shape[1])
    node.values["Vertices"] = np.column_stack([part.ravel(order="F") for part in columns])
    node.values["Faces"] = np.arange(1.0, rows * count + 1).reshape(count, rows)
    for axis, part in zip("XYZ", columns, strict=False):
        node.values[f"{axis}Data"] = part
    return count


@when_set("patch", "FaceVertexCData")
def _colored(node: Node, value: Any) -> None:
    if np.size(value) and "FaceColor" not in node.values:
        node.values["FaceColor"] = "flat"


@builtin("fill", family="plot/points", nargin=(3, None), needs=("nargout", "interp"))
def fill(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw filled polygons.

    fill(X, Y, COLOR), fill(X1, Y1, COLOR1, X2, Y2, COLOR2, …), fill(…, NAME, VALUE), fill(AX, …)

    Examples:
        >> p = fill([0 1 1 0], [0 0 1 1], 'g'); p.FaceColor
        ans =
             0     1     0

    See also: fill3, patch, area.
    """
    return given(nargout, _fill(args, interp, 2))


@builtin("fill3", family="plot/points", nargin=(4, None), needs=("nargout", "interp"))
def fill3(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw filled polygons in space.

    fill3(X, Y, Z, COLOR), fill3(…, NAME, VALUE), fill3(AX, …)

    Examples:
        >> p = fill3([0 1 1], [0 0 1], [0 1 2], 'b'); size(p.Vertices)
        ans =
             3     3

    See also: fill, patch.
    """
    return given(nargout, _fill(args, interp, 3))


def _fill(args: Sequence[Any], interp: Interp, dims: int) -> list[Node]:
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    polygons = []
    while len(rest) > dims and not isinstance(rest[0], str | dict):
        polygons.append((rest[:dims], rest[dims]))
        rest = rest[dims + 1 :]
    if not polygons:
        raise not_enough()
    axes = target or current_axes(scene)
    check_pairs("patch", axes, rest)
    trial = Node(scene, "patch", None)
    for parts, ink in polygons:
        _corners(trial, parts, ink)
    scene.by_number.pop(trial.ident, None)
    prepare(axes, box=dims == 2)
    if dims == 3 and not holds(axes):
        axes.values.setdefault("View", np.array([[-37.5, 30.0]]))
    made = []
    for parts, ink in polygons:
        node = make("patch", axes, ())
        _corners(node, parts, ink)
        set_pairs(node, rest)
        made.append(node)
    scene.revision += 1
    return made


@builtin("rectangle", family="plot/points", nargin=(0, None), needs=("nargout", "interp"))
def rectangle(*args: Any, nargout: int, interp: Interp) -> Any:
    """Add a rectangle to axes, with round corners or as an ellipse.

    rectangle("Position", [X Y WIDTH HEIGHT]), rectangle(…, "Curvature", [H V]) with parts of the
    sides, [1 1] for an ellipse; rectangle(…, NAME, VALUE), rectangle(AX, …)

    Examples:
        >> r = rectangle('Position', [0 0 2 1]); r.Position
        ans =
             0     0     2     1

    See also: line, patch, annotation.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    node = make("rectangle", target or current_axes(scene), rest)
    return given(nargout, node)
