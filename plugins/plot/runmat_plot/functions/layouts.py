"""Several axes in a figure: subplots and tiles."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.arguments import (
    complex_in,
    is_word,
    not_enough,
    numbers_in,
    python,
    vector_in,
    whole,
)
from runmat_plot.functions.figures import axes_with
from runmat_plot.functions.support import (
    AXES,
    bad_handle,
    current_figure,
    given,
    make,
    new_axes,
    node_in,
    scene_of,
    set_current_axes,
    set_pairs,
)
from runmat_plot.scene.node import Node
from runmat_plot.scene.tables import CHARTS

# -- several axes in a figure ------------------------------------------------------------------


@builtin("subplot", family="plot/figures", nargin=(0, None), needs=("nargout", "interp"))
def subplot(*args: Any, nargout: int, interp: Interp) -> Any:
    """Axes in a cell of a grid, or in several cells.

    subplot(M, N, P) makes axes in cell P of M rows and N columns, counted along the rows, or makes
    those current that are there; subplot(MNP) with a number of three digits
    subplot("Position", [LEFT BOTTOM WIDTH HEIGHT]) makes axes at any place
    subplot(AX) makes the axes AX current; AX = subplot(…)

    Examples:
        >> ax = subplot(2, 1, 1); ax.Position
        ans =
            0.1300    0.5838    0.7750    0.3412

    See also: tiledlayout, nexttile, axes.
    """
    scene = scene_of(interp)
    rest = python(interp, args)
    if rest and isinstance(rest[0], Node):
        set_current_axes(rest[0])
        return given(nargout, rest[0])
    parent = current_figure(scene)
    if rest and isinstance(rest[0], str) and rest[0].lower() == "position":
        if len(rest) < 2:
            raise not_enough()
        position = vector_in(rest[1], "subplot", 4).reshape(1, 4)
        rest = rest[2:]
    else:
        position, rest = _cell_position(rest)
    given_axes = node_in(scene, rest[0], AXES) if rest else None
    if given_axes is not None:
        given_axes.check()
        rest = rest[1:]
        given_axes["Position"] = position
    fresh = [word for word in rest if is_word(word, "replace", "align", "v6")]
    rest = [word for word in rest if not (isinstance(word, str) and word in fresh)]
    made, covered = given_axes, []
    for other in [n for n in parent.children if n.kind.type in AXES or n.kind.type in CHARTS]:
        place = other["Position"]
        if given_axes is not None:
            if other is not given_axes and _overlap(place.ravel(), position.ravel()):
                covered.append(other)
        elif np.allclose(place, position, atol=1e-6) and "replace" not in fresh:
            made = other
        elif _overlap(place.ravel(), position.ravel()):
            covered.append(other)
    if made is None:
        made = axes_with(parent, "axes", rest, Position=position)
    else:
        set_pairs(made, rest)
    for other in covered:
        other.delete()
    set_current_axes(made)
    return given(nargout, made)


def _cell_position(rest: list[Any]) -> tuple[Any, list[Any]]:
    """The place of the cells that arguments name, and the other arguments."""
    if not rest:
        return np.array([[0.13, 0.11, 0.775, 0.815]]), rest
    if len(rest) < 3 or isinstance(rest[1], str):
        digits = str(whole(rest[0], 1, "subplot"))
        if len(digits) != 3 or "0" in digits:
            raise MatlabError(
                "MATLAB:subplot:SubplotIndexOutOfRange", "Index exceeds number of subplots."
            )
        rows, columns, cells = int(digits[0]), int(digits[1]), [int(digits[2])]
        rest = rest[1:]
    else:
        rows, columns = (whole(part, 1, "subplot") for part in rest[:2])
        cells = [whole(float(p), 1, "subplot") for p in numbers_in(rest[2], "subplot").ravel()]
        rest = rest[3:]
    if rows < 1 or columns < 1 or not cells or max(cells) > rows * columns or min(cells) < 1:
        raise MatlabError(
            "MATLAB:subplot:SubplotIndexOutOfRange", "Index exceeds number of subplots."
        )
    # the gaps between cells are these parts of their widths and heights
    wide = 0.775 / (columns + (columns - 1) * 0.24 / 0.76)
    high = 0.815 / (rows + (rows - 1) * 0.28 / 0.72)
    lines = [(cell - 1) // columns for cell in cells]
    stacks = [(cell - 1) % columns for cell in cells]
    left = 0.13 + min(stacks) * wide / 0.76
    right = 0.13 + max(stacks) * wide / 0.76 + wide
    top = 0.925 - min(lines) * high / 0.72
    bottom = 0.925 - max(lines) * high / 0.72 - high
    return np.array([[left, bottom, right - left, top - bottom]]), rest


def _overlap(a: Any, b: Any) -> bool:
    near = 1e-6
    return bool(
        a[0] + near < b[0] + b[2]
        and b[0] + near < a[0] + a[2]
        and a[1] + near < b[1] + b[3]
        and b[1] + near < a[1] + a[3]
    )


@builtin("tiledlayout", family="plot/figures", nargin=(0, None), needs=("nargout", "interp"))
def tiledlayout(*args: Any, nargout: int, interp: Interp) -> Any:
    """Layout of tiles, in which nexttile makes axes.

    tiledlayout(M, N) has M rows and N columns, tiledlayout("flow") as many as are needed
    tiledlayout(…, NAME, VALUE) with TileSpacing and Padding; T = tiledlayout(…)

    Examples:
        >> t = tiledlayout(2, 2); t.GridSize
        ans =
             2     2

    See also: nexttile, subplot.
    """
    scene = scene_of(interp)
    rest = python(interp, args)
    parent = current_figure(scene)
    if rest and isinstance(rest[0], Node):
        parent = rest.pop(0)
    values: dict[str, Any] = {}
    if rest and isinstance(rest[0], float):
        rows, columns = (
            whole(rest[0], 1, "tiledlayout"),
            whole(rest[1] if rest[1:] else 0.0, 1, "tiledlayout"),
        )
        values["GridSize"] = np.array([[float(rows), float(columns)]])
        rest = rest[2:]
    else:
        values["TileArrangement"] = "flow"
        rest = rest[1:] if rest and is_word(rest[0], "flow", "vertical", "horizontal") else rest
    present = list(parent.children)
    made = make("tiledlayout", parent, rest, **values)
    made.info["tiles"] = {}
    for old in present:
        old.delete()
    parent.values.pop("CurrentAxes", None)
    return given(nargout, made)


@builtin("nexttile", family="plot/figures", nargin=(0, 3), needs=("nargout", "interp"))
def nexttile(*args: Any, nargout: int, interp: Interp) -> Any:
    """Axes in the next tile of a layout.

    nexttile makes axes in the next empty tile, nexttile(N) in tile N or makes those current
    nexttile([R C]) makes axes over R rows and C columns of tiles; AX = nexttile(…)

    Examples:
        >> tiledlayout(1, 2); nexttile; nexttile; numel(findobj('Type', 'axes'))
        ans =
             2

    See also: tiledlayout, subplot.
    """
    scene = scene_of(interp)
    rest = python(interp, args)
    figure = current_figure(scene)
    if rest and isinstance(rest[0], Node):
        layout: Node | None = rest.pop(0)
        if layout is None or layout.kind.name != "tiledlayout":
            raise bad_handle()
    else:
        layout = next((n for n in figure.children if n.kind.name == "tiledlayout"), None)
    span, wanted = (1, 1), None
    for value in rest:
        if isinstance(value, float):
            wanted = whole(value, 1, "nexttile")
        elif isinstance(value, np.ndarray) and value.size == 2:
            first, second = complex_in(value, "nexttile").real.ravel().tolist()
            span = whole(first, 1, "nexttile"), whole(second, 1, "nexttile")
    if layout is None:
        layout = Node(scene, "tiledlayout", figure)
        layout.values["TileArrangement"] = "flow"
        layout.info["tiles"] = {}
    tiles: dict[int, Node] = layout.info["tiles"]
    tiles = {at: node for at, node in tiles.items() if not node.deleted}
    layout.info["tiles"] = tiles
    if wanted in tiles and span == (1, 1):
        set_current_axes(tiles[wanted])
        return given(nargout, tiles[wanted])
    at = wanted if wanted is not None else _free(tiles, span, layout)
    made = new_axes(layout)
    made.info["tile"], made.info["span"] = at, span
    tiles[at] = made
    _arrange(layout)
    return given(nargout, made)


def _free(tiles: dict[int, Node], span: tuple[int, int], layout: Node) -> int:
    """Return the number of the first tile, row by row, from which a span is empty."""
    rows, columns = (int(count) for count in layout["GridSize"].ravel())
    spans: list[tuple[int, tuple[int, int]]]
    spans = [(at, node.info["span"]) for at, node in tiles.items()]
    if layout["TileArrangement"] == "flow":
        return 1 + max((at + (s[0] - 1) * columns + s[1] - 1 for at, s in spans), default=0)
    covered = [
        (row, column, row + high, column + wide)
        for at, (high, wide) in spans
        for row, column in [divmod(at - 1, columns)]
    ]
    # the first empty place begins at an edge of the layout or where a covered one ends
    for row in sorted({0, *(r for _, _, r, _ in covered)}):
        for column in sorted({0, *(c for _, _, _, c in covered)}):
            end = row + span[0], column + span[1]
            if end[0] > rows or end[1] > columns:
                continue
            if not any(
                row < bottom and top < end[0] and column < right and left < end[1]
                for top, left, bottom, right in covered
            ):
                return row * columns + column + 1
    raise _no_room()


def _no_room() -> MatlabError:
    return MatlabError(
        "MATLAB:graphics:tiledlayout:full", "The layout has no empty tile that is large enough."
    )


def _arrange(layout: Node) -> None:
    """Give the axes in a layout their places."""
    tiles: dict[int, Node] = layout.info["tiles"]
    rows, columns = (int(n) for n in layout["GridSize"].ravel())
    if layout["TileArrangement"] == "flow":
        count = max(tiles)
        columns = int(np.ceil(np.sqrt(count)))
        rows = int(np.ceil(count / columns))
        layout.values["GridSize"] = np.array([[float(rows), float(columns)]])
    across = {"loose": 0.24 / 0.76, "compact": 0.16, "tight": 0.12, "none": 0}[
        layout["TileSpacing"]
    ]
    down = {"loose": 0.28 / 0.72, "compact": 0.2, "tight": 0.14, "none": 0}[layout["TileSpacing"]]
    frame = {
        "loose": (0.13, 0.11, 0.775, 0.815),
        "compact": (0.08, 0.08, 0.88, 0.86),
        "tight": (0.07, 0.07, 0.91, 0.88),
        "none": (0.06, 0.06, 0.93, 0.9),
    }
    x0, y0, full_wide, full_high = frame[layout["Padding"]]
    wide = full_wide / (columns + (columns - 1) * across)
    high = full_high / (rows + (rows - 1) * down)
    for at, node in tiles.items():
        span = node.info["span"]
        line, stack = (at - 1) // columns, (at - 1) % columns
        if layout["TileArrangement"] == "flow":
            span = (1, 1)
        left = x0 + stack * wide * (1 + across)
        top = y0 + full_high - line * high * (1 + down)
        w = wide * (span[1] + (span[1] - 1) * across)
        h = high * (span[0] + (span[0] - 1) * down)
        node.values["Position"] = np.array([[left, top - h, w, h]])
    layout.scene.revision += 1
