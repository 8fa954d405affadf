"""Colours of axes: colour maps, the colour order, shading."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.arguments import python, texts_in
from runmat_plot.functions.rulers import target_of
from runmat_plot.functions.support import bad_handle, current_figure, node_in, scene_of
from runmat_plot.scene import extents, tables
from runmat_plot.scene.node import Node
from runmat_plot.scene.properties import stored


@builtin("colormap", family="plot/rulers", nargin=(0, 2), needs=("nargout", "interp"))
def colormap(*args: Any, nargout: int, interp: Interp) -> Any:
    """Colours that numbers are drawn in.

    C = colormap, colormap(C) with a colour in each row, colormap(NAME) or colormap NAME
    colormap(AX, …) for the axes AX, colormap("default")

    Examples:
        >> colormap(gray(2)); colormap
        ans =
             0     0     0
             1     1     1

    See also: colorbar, caxis, jet, gray.
    """
    scene = scene_of(interp)
    rest = python(interp, args)
    target: Node | None = None
    found = node_in(scene, rest[0]) if rest else None
    if found is not None and (isinstance(rest[0], Node) or len(rest) > 1):
        found.check()
        target, rest = found, rest[1:]
    target = target or current_figure(scene)
    if "colormap" not in target.kind.properties:
        raise bad_handle()
    if rest:
        value = rest[0]
        if isinstance(value, str):
            value = _map_named(value, interp)
        if value is None:
            target.values.pop("Colormap", None)
            scene.revision += 1
        else:
            target.assign("Colormap", value)
            if target.kind.name == "figure":
                for node in target.below():
                    if node.kind.name in ("axes", "polaraxes"):
                        node.values.pop("Colormap", None)
    return target["Colormap"] if nargout or not rest else None


def _map_named(name: str, interp: Interp) -> Any:
    if name.lower() == "default":
        return None
    made = interp.builtin(name.lower()) or interp.function(name)
    value = None if made is None else interp.to_python(made(1))
    if not isinstance(value, np.ndarray) or value.ndim != 2 or value.shape[1] != 3:
        raise MatlabError("MATLAB:colormap:invalidInput", f"Unknown colormap '{name}'.")
    return value


@builtin("colororder", family="plot/rulers", nargin=(0, 2), needs=("nargout", "interp"))
def colororder(*args: Any, nargout: int, interp: Interp) -> Any:
    """Colours of successive lines.

    C = colororder, colororder(C) with a colour in each row, colororder(AX, …)

    Examples:
        >> colororder([1 0 0; 0 1 0]); h = plot(1:3); h.Color
        ans =
             1     0     0

    See also: plot, lines, colormap.
    """
    from runmat_plot.scene.colors import ORDER, PALETTES, color

    scene = scene_of(interp)
    rest = python(interp, args)
    target = current_figure(scene)
    if rest and isinstance(rest[0], Node):
        target, rest = rest[0], rest[1:]
    nodes = (
        [target]
        if target.kind.name == "axes"
        else [n for n in target.below() if n.kind.name == "axes"]
    )
    if not rest:
        return nodes[0]["ColorOrder"] if nodes else ORDER
    value = rest[0]
    words = texts_in(value)
    if words is not None:
        named = PALETTES.get(words[0].lower()) if len(words) == 1 else None
        found: list[Any] = [named] if named is not None else [color(word) for word in words]
        if any(item is None for item in found):
            raise MatlabError("MATLAB:colororder:InvalidColor", "Unknown colour.")
        value = np.vstack(found)
    value = stored(tables.KINDS["axes"].properties["colororder"], value, "Axes")
    for node in nodes:
        node.assign("ColorOrder", value)
        at = 0
        for child in extents.drawn(node):
            if child.kind.name == "line":
                child.values["Color"] = node["ColorOrder"][[at % len(node["ColorOrder"])]]
                at += 1
    if target.kind.name == "figure":
        target.defaults["axes", "colororder"] = value
    return value if nargout else None


@builtin("shading", family="plot/rulers", nargin=(1, 2), nargout=0, needs=("interp",))
def shading(*args: Any, interp: Interp) -> None:
    """Colours within the faces of surfaces.

    shading flat: one colour each, no lines; shading faceted: one colour each, black lines
    shading interp: colours that change within faces; shading(AX, …)

    Examples:
        >> h = surf(peaks); shading interp; h.EdgeColor
        ans =
            'none'

    See also: surf, pcolor, colormap.
    """
    axes, rest = target_of(args, interp)
    word = str(rest[0]).lower() if rest else ""
    changes = {
        "flat": ("flat", "none"),
        "interp": ("interp", "none"),
        "faceted": ("flat", np.zeros((1, 3))),
    }
    if word not in changes:
        raise MatlabError(
            "MATLAB:shading:InvalidType", "Shading methods are flat, faceted, and interp."
        )
    face, edge = changes[word]
    for child in extents.drawn(axes):
        if child.kind.type == "surface" or (
            child.kind.type == "patch" and child["FaceVertexCData"].size
        ):
            if child.reads("FaceColor", "none") or child.info.get("mesh"):
                child["EdgeColor"] = "flat" if word != "interp" else "interp"
            else:
                child["FaceColor"], child["EdgeColor"] = face, edge
