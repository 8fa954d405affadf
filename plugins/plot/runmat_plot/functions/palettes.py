"""Lists of colours: checking them, showing them, and changing those of a figure."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.arguments import numbers_in, parts_in, python, texts_in, word_in
from runmat_plot.functions.series import draw_lines
from runmat_plot.functions.support import bad_handle, current_figure, given, node_in, scene_of
from runmat_plot.scene.colors import PALETTES, color
from runmat_plot.scene.node import Node


@builtin("orderedcolors", family="plot/rulers", lift="arrays", effects="pure")
def orderedcolors(name: Any) -> Any:
    """Colours of successive lines by name.

    C = orderedcolors(NAME) with "gem", "gem12" or "glow"

    Examples:
        >> size(orderedcolors("gem12"))
        ans =
            12     3

    See also: colororder, lines.
    """
    found = PALETTES.get(word_in(name, "orderedcolors").lower())
    if found is None:
        names = ", ".join(f"'{word}'" for word in PALETTES)
        raise MatlabError(
            "MATLAB:graphics:orderedcolors:InvalidName", f"The name must be one of these: {names}."
        )
    return found.copy()


@builtin("validatecolor", family="plot/rulers", nargin=(1, 2), needs=("interp",))
def validatecolor(colors: Any, count: Any = None, *, interp: Interp) -> Any:
    """Colours as triplets, after a check.

    RGB = validatecolor(C) of a name, a code such as '#0072BD' or a triplet
    RGB = validatecolor(CS, "multiple") of several, a row for each

    Examples:
        >> validatecolor({'red', '#00F'}, 'multiple')
        ans =
             1     0     0
             0     0     1

    See also: colororder, orderedcolors.
    """
    value = interp.to_python(colors)
    several = count is not None and str(interp.to_python(count)).lower() == "multiple"
    words = texts_in(value)
    if words is not None:
        found = [color(word) for word in words]
    else:
        numbers = numbers_in(value, "validatecolor")
        if isinstance(value, np.ndarray) and value.dtype.kind == "u":
            numbers = np.asarray(value) / np.iinfo(value.dtype).max
        rows = np.atleast_2d(np.asarray(numbers, float))
        found = [color(row) if row.size == 3 else None for row in rows]
    if any(item is None for item in found) or (len(found) != 1 and not several):
        raise MatlabError(
            "MATLAB:graphics:validatecolor:InvalidColorString",
            "Specify colours as names, codes such as '#0072BD', or triplets between 0 and 1.",
        )
    return np.array(found, float)


@builtin("rgbplot", family="plot/rulers", nargin=(1, 1), needs=("nargout", "interp"))
def rgbplot(table: Any, *, nargout: int, interp: Interp) -> Any:
    """Draw how much red, green and blue the colours of a map have.

    rgbplot(MAP), H = rgbplot(MAP)

    Examples:
        >> h = rgbplot(gray(3)); h(1).YData
        ans =
                 0    0.5000    1.0000

    See also: colormap, plot.
    """
    colors = numbers_in(interp.to_python(table), "rgbplot").astype(float)
    if colors.ndim != 2 or colors.shape[1] != 3:
        raise MatlabError(
            "MATLAB:rgbplot:InvalidColormapMatrix", "The map must have three columns."
        )
    places = np.arange(1.0, len(colors) + 1).reshape(-1, 1)
    pairs = [interp.to_matlab(part) for k in range(3) for part in (places, colors[:, [k]])]
    lines = draw_lines("line", "rgbplot", pairs, interp)
    for line, ink in zip(lines, np.eye(3), strict=True):
        line.values["Color"] = ink.reshape(1, 3)
    return given(nargout, lines)


@builtin("contrast", family="plot/rulers", nargin=(1, 2), needs=("interp",))
def contrast(image: Any, count: Any = None, *, interp: Interp) -> Any:
    """Map of greys in which those of an image are about equally frequent.

    MAP = contrast(X), MAP = contrast(X, M) with M colours

    Examples:
        >> size(contrast([1 2; 3 4], 8))
        ans =
             8     3

    See also: colormap, brighten, gray.
    """
    data = numbers_in(interp.to_python(image), "contrast").ravel().astype(float)
    if count is None:
        length = len(current_figure(scene_of(interp))["Colormap"])
    else:
        length = parts_in(interp.to_python(count), 1, "contrast")
    data = data[np.isfinite(data)]
    low, high = (data.min(), data.max()) if data.size else (0.0, 1.0)
    places = np.round((data - low) / (high - low or 1.0) * (length - 1))
    shares = np.bincount(places.astype(int), minlength=length)
    greys = np.cumsum(shares) / max(shares.sum(), 1)
    return np.repeat(greys.reshape(-1, 1), 3, axis=1)


@builtin("whitebg", family="plot/figures", nargin=(0, 2), nargout=0, needs=("interp",))
def whitebg(*args: Any, interp: Interp) -> None:
    """Change the ground of the axes of a figure.

    whitebg switches between white and black, whitebg(COLOR), whitebg(F), whitebg(F, COLOR)

    Examples:
        >> ax = axes; whitebg('k'); ax.Color
        ans =
             0     0     0

    See also: theme, colordef, figure.
    """
    scene = scene_of(interp)
    rest = python(interp, args)
    figure = current_figure(scene)
    if rest and isinstance(rest[0], Node | float):
        node = node_in(scene, rest.pop(0))
        above = None if node is None else node.up("figure")
        if above is None or above.deleted:
            raise bad_handle()
        figure = above
    axes = [node for node in figure.below() if node.kind.type in ("axes", "polaraxes")]
    now = axes[-1]["Color"] if axes else np.ones((1, 3))
    ground = np.ones(3) if isinstance(now, str) else 1 - now.ravel()
    if rest:
        found = color(rest[0])
        if found is None:
            raise MatlabError("MATLAB:whitebg:InvalidColor", "Unknown colour.")
        ground = np.array(found)
    ink = np.full((1, 3), 0.0 if ground.mean() > 0.5 else 1.0)
    for node in axes:
        node.assign("Color", ground)
        for name in "XYZ":
            node.assign(f"{name}Color", ink)
        for label in node.labels.values():
            label.values.setdefault("Color", ink)
    figure.assign("Color", np.clip(ground * 0.94, 0, 1))
    figure.defaults["axes", "color"] = ground.reshape(1, 3)


@builtin(
    "graymon",
    "spinmap",
    "colordef",
    family="plot/figures",
    nargin=(0, 2),
    nargout=0,
)
def graymon(*args: Any) -> None:
    """Change colours for screens of old: nothing to do where figures are drawn to files.

    graymon, spinmap, spinmap(SECONDS), colordef white

    Examples:
        >> graymon

    See also: colormap, theme.
    """
