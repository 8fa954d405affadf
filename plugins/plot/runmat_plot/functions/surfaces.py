"""Surfaces, contours, triangles, lights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.arguments import not_enough, numbers_in, parts_in, python, read_options
from runmat_plot.functions.series import check_pairs
from runmat_plot.functions.support import (
    AXES,
    Numbers,
    current_axes,
    given,
    holds,
    make,
    no_outputs,
    prepare,
    scene_of,
    set_pairs,
    take_axes,
)
from runmat_plot.scene import ticks
from runmat_plot.scene.colors import line_spec
from runmat_plot.scene.node import Node, computed


def surface_grid(data: list[Any], name: str) -> tuple[list[Numbers], Any]:
    """The points of a surface, and its colours; None where these are its heights."""
    color = None
    if len(data) in (2, 4):
        color = data.pop()
        color = (
            color if isinstance(color, np.ndarray) and color.ndim == 3 else numbers_in(color, name)
        )
    if not data:
        raise not_enough()
    numbers = [numbers_in(part, name).astype(float) for part in data]
    z = numbers[-1]
    if z.ndim != 2 or min(z.shape, default=0) < 2:
        raise MatlabError(
            f"MATLAB:{name}:InvalidZData", "Z must be a matrix, not a scalar or vector."
        )
    if len(numbers) == 1:
        numbers = [
            np.arange(1.0, z.shape[1] + 1).reshape(1, -1),
            np.arange(1.0, z.shape[0] + 1).reshape(-1, 1),
            z,
        ]
    if len(numbers) != 3:
        raise not_enough()
    x, y, _ = numbers
    if (x.shape != z.shape and x.size != z.shape[1]) or (
        y.shape != z.shape and y.size != z.shape[0]
    ):
        raise MatlabError(f"MATLAB:{name}:XYZSizeMismatch", "Data dimensions must agree.")
    if color is not None and color.shape[:2] not in (z.shape, (z.shape[0] - 1, z.shape[1] - 1)):
        raise MatlabError(f"MATLAB:{name}:CSizeMismatch", "Data dimensions must agree.")
    return numbers, color


def _named_data(rest: list[Any]) -> tuple[list[Any], list[Any]]:
    """The data of a surface that names tell, and the other pairs.

    Raises:
        MatlabError: there are no heights among them.
    """
    chosen, others = read_options(rest, "xdata", "ydata", "zdata", "cdata")
    if "zdata" not in chosen:
        raise not_enough()
    lead = [chosen[name] for name in ("xdata", "ydata") if name in chosen]
    if len(lead) == 1:
        raise not_enough()
    return [*lead, chosen["zdata"], *([chosen["cdata"]] if "cdata" in chosen else [])], others


def draw_surface(
    name: str, args: Sequence[Any], interp: Interp, values: dict[str, Any] | None = None
) -> Node:
    """A surface in axes that are made ready for it."""
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    data: list[Any] = []
    while rest and not isinstance(rest[0], str | dict) and len(data) < 4:
        data.append(rest.pop(0))
    if not data:
        data, rest = _named_data(rest)
    (x, y, z), color = surface_grid(data, name)
    axes = target or current_axes(scene)
    kind = "surface"
    if rest and len(rest) % 2 and isinstance(rest[0], str):
        rest = rest[1:]  # a LineSpec
    check_pairs(kind, axes, rest)
    prepare(axes)
    three_dimensional(axes)
    node = make(
        kind,
        axes,
        (),
        XData=x,
        YData=y,
        ZData=z,
        CData=z if color is None else color,
        **(values or {}),
    )
    node.values["CDataMode"] = "auto" if color is None else "manual"
    set_pairs(node, rest)
    scene.revision += 1
    return node


def three_dimensional(axes: Node) -> None:
    """See axes from aside, with grids, where nothing else was said."""
    if not holds(axes) or len(axes.children) == 0:
        axes.values.setdefault("View", np.array([[-37.5, 30.0]]))
        for name in "XYZ":
            axes.values.setdefault(f"{name}Grid", "on")


@builtin("surf", family="plot/surfaces", nargin=(1, None), needs=("nargout", "interp"))
def surf(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw a surface with coloured faces.

    surf(Z), surf(X, Y, Z), surf(…, C) with colours, surf(…, NAME, VALUE), surf(AX, …)
    S = surf(…) gives the surface

    Examples:
        >> s = surf(peaks(5)); size(s.ZData)
        ans =
             5     5

    See also: mesh, surfc, contour, shading, colormap, view.
    """
    return given(nargout, draw_surface("surf", args, interp))


@builtin("surface", family="plot/surfaces", nargin=(0, None), needs=("nargout", "interp"))
def surface(*args: Any, nargout: int, interp: Interp) -> Any:
    """Add a surface to axes, whatever hold says.

    surface(Z), surface(X, Y, Z), surface(X, Y, Z, C), surface(NAME, VALUE, …), surface(AX, …)

    Examples:
        >> s = surface(peaks(5)); s.Type
        ans =
            'surface'

    See also: surf, patch.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    data: list[Any] = []
    while rest and not isinstance(rest[0], str | dict) and len(data) < 4:
        data.append(rest.pop(0))
    axes = target or current_axes(scene)
    check_pairs("primitivesurface", axes, rest)
    values: dict[str, Any] = {}
    if data:
        (x, y, z), color = surface_grid(data, "surface")
        values = {"XData": x, "YData": y, "ZData": z, "CData": z if color is None else color}
    node = make("primitivesurface", axes, (), **values)
    set_pairs(node, rest)
    if not data and not node["CData"].size:
        node.values["CData"] = node["ZData"]
    return given(nargout, node)


_MESH = {"FaceColor": np.ones((1, 3)), "EdgeColor": "flat"}


@builtin("mesh", family="plot/surfaces", nargin=(1, None), needs=("nargout", "interp"))
def mesh(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw a surface as coloured lines.

    mesh(Z), mesh(X, Y, Z), mesh(…, C), mesh(…, NAME, VALUE), mesh(AX, …)

    Examples:
        >> s = mesh(peaks(5)); s.EdgeColor
        ans =
            'flat'

    See also: surf, meshc, waterfall.
    """
    return given(nargout, _meshed("mesh", args, interp))


def _meshed(name: str, args: Sequence[Any], interp: Interp) -> Node:
    node = draw_surface(name, args, interp, dict(_MESH))
    node.info["mesh"] = True
    return node


def with_levels(node: Node) -> list[Node]:
    """A surface and its level lines, which lie on the floor of the axes."""
    axes = node.up(*AXES)
    assert axes is not None
    z = node["ZData"]
    span = float(np.nanmax(z) - np.nanmin(z)) or 1.0
    low = ticks.aligned(float(np.nanmin(z)) - 0.25 * span, float(np.nanmax(z)))[0]
    lines = make("contour", axes, (), XData=node["XData"], YData=node["YData"], ZData=z)
    lines.info["level"] = low
    lines.values["LevelList"] = levels_of(z, None)
    if not holds(axes):
        axes.values["ZLim"] = np.array([[low, ticks.aligned(low, float(np.nanmax(z)))[1]]])
        axes.values["ZLimMode"] = "manual"
    node.scene.revision += 1
    return [node, lines]


@builtin("surfc", family="plot/surfaces", nargin=(1, None), needs=("nargout", "interp"))
def surfc(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw a surface, and its level lines below it.

    surfc(Z), surfc(X, Y, Z), surfc(…, NAME, VALUE)
    H = surfc(…) gives the surface and the level lines

    Examples:
        >> h = surfc(peaks(9)); numel(h)
        ans =
             2

    See also: surf, meshc, contour.
    """
    return given(nargout, with_levels(draw_surface("surfc", args, interp)))


@builtin("meshc", family="plot/surfaces", nargin=(1, None), needs=("nargout", "interp"))
def meshc(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw a surface as coloured lines, and its level lines below it.

    meshc(Z), meshc(X, Y, Z), meshc(…, NAME, VALUE)

    Examples:
        >> h = meshc(peaks(9)); h(1).EdgeColor
        ans =
            'flat'

    See also: mesh, surfc, contour.
    """
    return given(nargout, with_levels(_meshed("meshc", args, interp)))


@builtin("meshz", family="plot/surfaces", nargin=(1, None), needs=("nargout", "interp"))
def meshz(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw a surface as coloured lines, with a curtain down to its lowest point.

    meshz(Z), meshz(X, Y, Z), meshz(…, C), meshz(…, NAME, VALUE)

    Examples:
        >> s = meshz(peaks(5)); s.Type
        ans =
            'surface'

    See also: mesh, surf, waterfall.
    """
    node = _meshed("meshz", args, interp)
    z = np.asarray(node["ZData"], float)
    low = float(np.nanmin(z))
    curtain = np.pad(z, 1, mode="edge")
    curtain[[0, -1]], curtain[:, [0, -1]] = low, low
    x = (
        np.broadcast_to(node["XData"].reshape(1, -1), z.shape)
        if node["XData"].shape != z.shape
        else node["XData"]
    )
    y = (
        np.broadcast_to(node["YData"].reshape(-1, 1), z.shape)
        if node["YData"].shape != z.shape
        else node["YData"]
    )
    node.values.update(
        XData=np.pad(x, 1, mode="edge"),
        YData=np.pad(y, 1, mode="edge"),
        ZData=curtain,
        CData=curtain,
    )
    node.scene.revision += 1
    return given(nargout, node)


@builtin("waterfall", family="plot/surfaces", nargin=(1, None), needs=("nargout", "interp"))
def waterfall(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw the rows of a surface as lines with curtains.

    waterfall(Z), waterfall(X, Y, Z), waterfall(AX, …)

    Examples:
        >> s = waterfall(peaks(5)); s.Type
        ans =
            'surface'

    See also: mesh, surf.
    """
    node = _meshed("waterfall", args, interp)
    node.info["mesh"] = "rows"
    return given(nargout, node)


# -- contours ------------------------------------------------------------------------------------


def levels_of(z: Numbers, wanted: Any) -> Numbers:
    """The levels of contours: given ones, so many, or round ones."""
    finite = z[np.isfinite(z)]
    if not finite.size or finite.min() == finite.max():
        return (
            np.zeros((1, 0))
            if wanted is None or np.size(wanted) < 2
            else np.unique(wanted).reshape(1, -1)
        )
    low, high = float(finite.min()), float(finite.max())
    if wanted is None:
        found = ticks.linear_ticks(low, high)
        found = found[(found > low) & (found < high)]
        return found.reshape(1, -1)
    numbers = np.ravel(wanted)
    if numbers.size == 1:
        count = parts_in(numbers[0], 0, "contour")
        return np.linspace(low, high, count + 2)[1:-1].reshape(1, -1)
    return np.unique(numbers).reshape(1, -1)


def _contour(name: str, args: Sequence[Any], nargout: int, interp: Interp, **values: Any) -> Any:
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    data: list[Numbers] = []
    while rest and not isinstance(rest[0], str | dict) and len(data) < 4:
        data.append(numbers_in(rest.pop(0), name).astype(float))
    if not data:
        raise not_enough()
    wanted = data.pop() if len(data) in (2, 4) else None
    (x, y, z), _ = surface_grid(list(data), name)
    if rest and isinstance(rest[0], str) and len(rest) % 2:
        spec = line_spec(rest[0])
        if spec is None:
            raise MatlabError(f"MATLAB:{name}:InvalidLineSpec", "Error in color/linetype argument.")
        rest = rest[1:]
        if spec.color is not None:
            values["LineColor"] = np.array([spec.color], float)
        if spec.style is not None:
            values["LineStyle"] = spec.style
    axes = target or current_axes(scene)
    check_pairs("contour", axes, rest)
    levels = levels_of(z, wanted)
    prepare(axes, box=name != "contour3")
    if values.get("Fill") == "on" and levels.size:
        # what lies below the lowest level has a colour, too
        low = float(np.nanmin(z))
        levels = (
            levels
            if levels.ravel()[0] <= low
            else np.concatenate([[low], levels.ravel()]).reshape(1, -1)
        )
    node = make("contour", axes, (), XData=x, YData=y, ZData=z, LevelList=levels, **values)
    node.values["LevelListMode"] = "auto" if wanted is None else "manual"
    if name == "contour3":
        node.info["is_3d"] = True
        three_dimensional(axes)
    set_pairs(node, rest)
    axes.values.setdefault("Layer", "top")
    scene.revision += 1
    if not nargout:
        return None
    matrix = _matrix(node, interp)
    return (matrix, node) if nargout > 1 else matrix


def _matrix(node: Node, interp: Interp) -> Any:
    made = interp.builtin("contourc")
    assert made is not None
    x, y, z = node["XData"], node["YData"], node["ZData"]
    levels = node["LevelList"].ravel()
    if not levels.size:
        return interp.to_matlab(np.zeros((2, 0)))
    x = x[0] if x.shape == z.shape else x.ravel()
    y = y[:, 0] if y.shape == z.shape else y.ravel()
    levels = np.repeat(levels, 2) if levels.size == 1 else levels
    values = [
        interp.to_matlab(np.ascontiguousarray(v))
        for v in (x.reshape(1, -1), y.reshape(1, -1), z, levels.reshape(1, -1))
    ]
    return made(1, *values)


@computed("contour", "ContourMatrix")
def _contour_matrix(node: Node) -> Any:
    return node.scene.interp.to_python(_matrix(node, node.scene.interp))


@builtin(
    "contour", family="plot/surfaces", nargin=(1, None), nargout=2, needs=("nargout", "interp")
)
def contour(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw the level lines of a matrix.

    contour(Z), contour(X, Y, Z), contour(…, N) with N levels, contour(…, LEVELS)
    contour(…, SPEC), contour(…, "ShowText", "on"), contour(…, NAME, VALUE), contour(AX, …)
    [C, H] = contour(…) gives the lines as a matrix, and the object

    Examples:
        >> [c, h] = contour(peaks(20), [0 2]); h.LevelList
        ans =
             0     2

    See also: contourf, contour3, contourc, clabel, surf.
    """
    return _contour("contour", args, nargout, interp)


@builtin(
    "contourf", family="plot/surfaces", nargin=(1, None), nargout=2, needs=("nargout", "interp")
)
def contourf(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw the level lines of a matrix, with colours between them.

    contourf(…) takes what contour takes

    Examples:
        >> [c, h] = contourf(peaks(20)); h.Fill
        ans =
            'on'

    See also: contour, pcolor, colorbar.
    """
    return _contour(
        "contourf", args, nargout, interp, Fill="on", FaceColor="flat", LineColor=np.zeros((1, 3))
    )


@builtin(
    "contour3", family="plot/surfaces", nargin=(1, None), nargout=2, needs=("nargout", "interp")
)
def contour3(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw the level lines of a matrix at their heights.

    contour3(…) takes what contour takes

    Examples:
        >> [c, h] = contour3(peaks(20)); h.Type
        ans =
            'contour'

    See also: contour, surf.
    """
    return _contour("contour3", args, nargout, interp)


@builtin("clabel", family="plot/surfaces", nargin=(1, None), needs=("nargout", "interp"))
def clabel(*args: Any, nargout: int, interp: Interp) -> Any:
    """Label level lines with their levels.

    clabel(C), clabel(C, H)

    Examples:
        >> [c, h] = contour(peaks(20)); clabel(c, h); h.ShowText
        ans =
            'on'

    See also: contour.
    """
    no_outputs(nargout)
    scene = scene_of(interp)
    for value in python(interp, args):
        if isinstance(value, Node) and value.kind.name == "contour":
            value["ShowText"] = "on"
            return None
    for child in current_axes(scene).children:
        if child.kind.name == "contour":
            child["ShowText"] = "on"
    return None
