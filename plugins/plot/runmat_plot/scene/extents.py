"""How far the data of objects reach, and what their colours stand for."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from runmat_plot.scene.node import Node

Numbers = NDArray[Any]
Span = tuple[float, float] | None


class Bounds(NamedTuple):
    """The spans of the objects in axes along x, y and z, and in colour."""

    spans: tuple[Span, Span, Span]
    colors: tuple[float, float]
    tight: tuple[bool, bool, bool]


def of_axes(axes: Node, manual: Mapping[str, Numbers]) -> Bounds:
    """The bounds of all that is visible in axes."""
    points: list[tuple[Any, Any, Any]] = []
    shades: list[Numbers] = []
    tight = [True, True, False]
    log = tuple(axes[f"{name}Scale"] == "log" for name in "XYZ")
    for child in drawn(axes):
        rule = POINTS.get(child.kind.name)
        if rule is None:
            continue
        counts = [child.values.get(f"{name}LimInclude") != "off" for name in "XYZ"]
        found = rule(child)
        points.append(found if all(counts) else _without(found, counts))
        whole = child.kind.name in ("image", "contour") or bool(child.info.get("tight"))
        tight[0] = tight[0] and (whole or child.kind.name == "functionline")
        tight[1] = tight[1] and whole
        colors = scaled_colors(child)
        if colors is not None and child.values.get("CLimInclude") != "off":
            shades.append(colors)
    spans = tuple(_span([p[k] for p in points], log[k]) for k in range(3))
    low, high = math.inf, -math.inf
    for colors in shades:
        finite = colors[np.isfinite(colors)]
        if finite.size:
            low, high = min(low, float(finite.min())), max(high, float(finite.max()))
    return Bounds(spans, (low, high), tuple(tight) if points else (False,) * 3)  # type: ignore[arg-type]


def _without(points: Points, counts: Sequence[bool]) -> Points:
    """The points without what is not to count for the limits of its axis."""
    x, y, z = (part if counts[k] else None for k, part in enumerate(points))
    return x, y, z


def drawn(axes: Node, matrix: Numbers | None = None) -> Iterator[Node]:
    """The visible objects in axes, oldest first, those in groups too.

    What a transform moves is given as a copy that lies elsewhere.
    """
    for child in axes.children:
        if child["Visible"] == "off":
            continue
        kind = child.kind.type
        if kind == "hgtransform":
            own = np.asarray(child.scene.interp.to_python(child["Matrix"]), float)
            if own.shape != (4, 4):
                own = np.eye(4)
            yield from drawn(child, own if matrix is None else matrix @ own)
        elif kind == "hggroup":
            yield from drawn(child, matrix)
        else:
            yield child if matrix is None else _moved(child, matrix)


def _moved(node: Node, matrix: Numbers) -> Node:
    """A copy of an object at the places to which a matrix moves its points."""
    twin = copy.copy(node)
    twin.values = values = dict(node.values)

    def at(x: Any, y: Any, z: Any) -> Numbers:
        points = np.stack(np.broadcast_arrays(x, y, z, 1.0)).astype(float)
        made = np.tensordot(matrix, points, 1)
        return np.asarray(made / made[3])

    if "vertices" in node.kind.properties:
        v = np.asarray(node["Vertices"], float)
        if v.size:
            z = v[:, 2] if v.shape[1] > 2 else 0.0
            values["Vertices"] = at(v[:, 0], v[:, 1], z)[: max(v.shape[1], 2)].T
    elif node.kind.type == "text":
        x, y, z = np.ravel(node["Position"])
        values["Position"] = at(x, y, z)[:3].reshape(1, 3)
    elif "xdata" in node.kind.properties and "ydata" in node.kind.properties:
        x, y = np.asarray(node["XData"], float), np.asarray(node["YData"], float)
        z = np.asarray(node["ZData"], float) if "zdata" in node.kind.properties else np.zeros(0)
        if node.kind.type == "surface":
            x, y, z = full_grid(x, y, z)
        if x.shape == y.shape and x.size:
            flat = z.size != x.size
            found = at(x, y, 0.0 if flat else z.reshape(x.shape))
            values.update(XData=found[0], YData=found[1])
            if not flat:
                values["ZData"] = found[2]
    return twin


def _span(parts: list[Any], is_log: bool) -> Span:
    low, high = math.inf, -math.inf
    for part in parts:
        if part is None:
            continue
        data = np.asarray(part, float)
        if not data.size:
            continue
        if is_log:
            data = data[data > 0]
        with np.errstate(all="ignore"):
            least, most = (
                (np.fmin.reduce(data, axis=None), np.fmax.reduce(data, axis=None))
                if data.size
                else (math.nan,) * 2
            )
        if not (np.isfinite(least) and np.isfinite(most)):
            data = data[np.isfinite(data)]
            if not data.size:
                continue
            least, most = data.min(), data.max()
        low, high = min(low, float(least)), max(high, float(most))
    return None if low > high else (low, high)


def scaled_colors(node: Node) -> Numbers | None:
    """The numbers of an object that the colour limits follow."""
    name = node.kind.name
    if name in ("surface", "primitivesurface", "image"):
        data = node["CData"]
        if node["CDataMapping"] != "scaled" or data.ndim > 2:
            return None
        return np.asarray(data, float)
    if name == "contour":
        levels = node["LevelList"]
        return np.asarray(
            node["ZData"] if node.reads("FaceColor", "flat") or not levels.size else levels, float
        )
    if name == "patch":
        data = node["FaceVertexCData"]
        words = [node[name] for name in ("FaceColor", "EdgeColor")]
        flat = any(isinstance(word, str) and word in ("flat", "interp") for word in words)
        return np.asarray(data, float) if flat and data.ndim == 2 and data.shape[1] == 1 else None
    if name in ("scatter", "bubblechart"):
        data = node["CData"]
        count = node["XData"].size
        return (
            np.asarray(data, float)
            if (data.size == count and count != 3) or (data.ndim == 2 and data.shape == (count, 1))
            else None
        )
    if name == "histogram2":
        return np.asarray(node["Values"], float)
    return None


# -- points of each kind -------------------------------------------------------------------------

Points = tuple[Any, Any, Any]


def _xyz(node: Node) -> Points:
    z = node["ZData"] if "zdata" in node.kind.properties else None
    return node["XData"], node["YData"], z if z is not None and z.size else None


def _scatter(node: Node) -> Points:
    x, y, z = _xyz(node)
    return (*jittered(node), z) if x.size == y.size else (x, y, z)


def jittered(node: Node) -> tuple[Numbers, Numbers]:
    """The x and y of points, moved aside as XJitter and YJitter say."""
    x, y = (np.ravel(node[f"{axis}Data"]).astype(float) for axis in "XY")
    z = np.ravel(node["ZData"]).astype(float)
    along = z if z.size == x.size else y
    moved = []
    for axis, at in (("X", x), ("Y", y)):
        how = node[f"{axis}Jitter"]
        moved.append(at if how == "none" else at + _offsets(at, along, how, node, axis))
    return moved[0], moved[1]


def _offsets(at: Numbers, along: Numbers, how: str, node: Node, axis: str) -> Numbers:
    """Return offsets of points, even in the width that the density of their group leaves."""
    places = np.unique(at)
    step = float(np.diff(places).min()) if places.size > 1 else 1.0
    wide = node[f"{axis}JitterWidth"] * step
    made = np.zeros(at.shape)
    for place in places:
        group = np.flatnonzero(at == place)
        # points of a sequence that fills an interval evenly, whatever its length
        even = np.mod(np.arange(1, group.size + 1) * 0.6180339887498949, 1.0) - 0.5
        if how == "density" and group.size > 1:
            thick = density(along[group], along[group])
            even = even * thick / (thick.max() or 1.0)
        made[group] = even * wide if group.size > 1 else 0.0
    return made


def density(data: Numbers, at: Numbers) -> Numbers:
    """The density of data at some places: a sum of normal curves, as wide as Silverman's rule."""
    data = data[np.isfinite(data)]
    if data.size < 2:
        return np.ones(at.shape)
    low, high = np.percentile(data, [25, 75])
    spread = float(np.std(data, ddof=1))
    spread = min(spread, float(high - low) / 1.34) if high > low else spread
    width = 0.9 * (spread or 1.0) * data.size ** (-0.2)
    few = data if data.size <= 2000 else np.quantile(data, (np.arange(2000) + 0.5) / 2000)
    found = np.exp(-(((at[:, None] - few[None, :]) / width) ** 2) / 2).mean(axis=1)
    return np.asarray(found / (width * math.sqrt(2 * math.pi)))


def bubble_limits(axes: Node) -> tuple[float, float]:
    """The sizes that the smallest and the largest bubble of axes stand for."""
    given = axes.info.get("bubblelim")
    if given is not None:
        return float(given[0, 0]), float(given[0, 1])
    sizes = [np.ravel(n["SizeData"]) for n in drawn(axes) if n.kind.name == "bubblechart"]
    whole = np.concatenate(sizes) if sizes else np.zeros(0)
    whole = whole[np.isfinite(whole)]
    return (float(whole.min()), float(whole.max())) if whole.size else (0.0, 1.0)


def bubble_areas(node: Node, axes: Node) -> Numbers:
    """The areas of bubbles, as the squares of their widths in points."""
    small, large = np.ravel(axes.info.get("bubblesize", np.array([5.0, 50.0])))
    low, high = bubble_limits(axes)
    sizes = np.ravel(node["SizeData"]).astype(float)
    part = np.clip((sizes - low) / (high - low), 0, 1) if high > low else np.ones(sizes.shape)
    return np.asarray(small**2 + part * (large**2 - small**2))


def violin(node: Node) -> tuple[Numbers, Numbers]:
    """The outline of a violin: places across and along."""
    data = np.ravel(node["YData"]).astype(float)
    data = data[np.isfinite(data)]
    middle = float(np.ravel(node["XData"])[0]) if node["XData"].size else 1.0
    if not data.size:
        return np.zeros(0), np.zeros(0)
    at = np.linspace(data.min(), data.max(), 101)
    thick = density(data, at)
    half = node["DensityWidth"] / 2 * thick / (thick.max() or 1.0)
    way = node["DensityDirection"]
    right = half if way != "negative" else np.zeros_like(half)
    left = half if way != "positive" else np.zeros_like(half)
    across = np.concatenate([middle + right, (middle - left)[::-1]])
    return across, np.concatenate([at, at[::-1]])


def _violin(node: Node) -> Points:
    across, along = violin(node)
    return (along, across, None) if node["Orientation"] == "horizontal" else (across, along, None)


def _stem(node: Node) -> Points:
    x, y, z = _xyz(node)
    base = np.array([node["BaseValue"]])
    if z is None:
        return x, np.concatenate([np.ravel(y), base]), None
    return x, y, np.concatenate([np.ravel(z), base])


def bar_width(node: Node) -> float:
    """The width of one bar in units of the axis."""
    x = np.unique(node["XData"])
    least = float(np.diff(x).min()) if x.size > 1 else 1.0
    count = node.info.get("count", 1) if node["BarLayout"] == "grouped" else 1
    group = 0.8 if count > 1 else 1.0
    return float(least * group / count * node["BarWidth"])


def bar_rectangles(node: Node) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """Left, right, bottom and top of each bar, as if bars stood."""
    x = np.ravel(node["XData"]).astype(float)
    y = np.ravel(node["YData"]).astype(float)
    unique = np.unique(x)
    least = float(np.diff(unique).min()) if unique.size > 1 else 1.0
    count, place = node.info.get("count", 1), node.info.get("place", 0)
    if node["BarLayout"] == "stacked" or count == 1:
        half = least * node["BarWidth"] / 2
        middle = x
    else:
        # a group takes up to 0.8 of the distance, less where it has few bars
        group = min(0.8, count / (count + 1.5)) * least
        middle = x + group * ((place + 0.5) / count - 0.5)
        half = group / count / 2 * min(1.0, node["BarWidth"] / 0.8)
    base = node.info.get("below")
    bottom = np.full(y.shape, node["BaseValue"]) if base is None else np.asarray(base, float)
    top = bottom + y if base is not None else y
    return middle - half, middle + half, bottom, top


def _bar(node: Node) -> Points:
    left, right, bottom, top = bar_rectangles(node)
    wide, high = np.concatenate([left, right]), np.concatenate([bottom, top])
    return (high, wide, None) if node.is_on("Horizontal") else (wide, high, None)


def _area(node: Node) -> Points:
    below = node.info.get("below")
    y = np.ravel(node["YData"])
    top = y if below is None else y + below
    return node["XData"], np.concatenate([top, [node["BaseValue"]]]), None


def _errorbar(node: Node) -> Points:
    x, y = np.ravel(node["XData"]), np.ravel(node["YData"])
    ends = [y]
    sides = [x]
    for name, parts, data in (("YNegativeDelta", ends, y), ("XNegativeDelta", sides, x)):
        if node[name].size:
            parts.append(data - np.ravel(node[name]))
    for name, parts, data in (("YPositiveDelta", ends, y), ("XPositiveDelta", sides, x)):
        if node[name].size:
            parts.append(data + np.ravel(node[name]))
    return np.concatenate(sides), np.concatenate(ends), None


def _patch(node: Node) -> Points:
    v = node["Vertices"]
    if not v.size:
        return None, None, None
    return v[:, 0], v[:, 1], v[:, 2] if v.shape[1] > 2 else None


def _image(node: Node) -> Points:
    left, right, bottom, top = image_box(node)
    return np.array([left, right]), np.array([bottom, top]), None


def image_box(node: Node) -> tuple[float, float, float, float]:
    """Left, right, and the edges of the first and the last row of an image."""
    data = node["CData"]
    edges = []
    for name, count in (("XData", data.shape[1] if data.ndim > 1 else 1), ("YData", data.shape[0])):
        given = np.ravel(node[name])
        first, last = (float(given[0]), float(given[-1])) if given.size else (1.0, float(count))
        half = (last - first) / (count - 1) / 2 if count > 1 and last != first else 0.5
        edges += [first - half, last + half]
    return edges[0], edges[1], edges[2], edges[3]


def _rectangle(node: Node) -> Points:
    left, bottom, wide, high = node["Position"].ravel()
    return np.array([left, left + wide]), np.array([bottom, bottom + high]), None


def _histogram(node: Node) -> Points:
    edges = np.ravel(node["BinEdges"])
    heights = np.concatenate([np.ravel(node["Values"]), [0.0]])
    return (heights, edges, None) if node["Orientation"] == "horizontal" else (edges, heights, None)


def _histogram2(node: Node) -> Points:
    flat = node["DisplayStyle"] == "tile"
    return (
        node["XBinEdges"],
        node["YBinEdges"],
        None if flat else np.append(np.ravel(node["Values"]), 0),
    )


def _quiver(node: Node) -> Points:
    x, y, z = _xyz(node)
    scale = node.info.get("scale", 1.0)
    u, v, w = node["UData"] * scale, node["VData"] * scale, node["WData"]
    tips_x, tips_y = np.ravel(x + u), np.ravel(y + v)
    found_z = None if z is None else np.concatenate([np.ravel(z), np.ravel(z + w * scale)])
    return np.concatenate([np.ravel(x), tips_x]), np.concatenate([np.ravel(y), tips_y]), found_z


def _boxchart(node: Node) -> Points:
    x = np.ravel(node["XData"])
    wide = np.array([x.min(initial=1) - 0.5, x.max(initial=1) + 0.5])
    data = np.ravel(node["YData"])
    return (data, wide, None) if node["Orientation"] == "horizontal" else (wide, data, None)


def _contour(node: Node) -> Points:
    return node["XData"], node["YData"], node["ZData"] if node.info.get("is_3d") else None


def _surface(node: Node) -> Points:
    return node["XData"], node["YData"], node["ZData"]


def grid_of(node: Node) -> tuple[Numbers, Numbers, Numbers]:
    """The points of a surface as three matrices."""
    return full_grid(*(np.asarray(node[f"{axis}Data"], float) for axis in "XYZ"))


def full_grid(x: Numbers, y: Numbers, z: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Coordinates as matrices, where they may be one row of x and one column of y."""
    if x.shape != z.shape:
        x = np.broadcast_to(x.reshape(1, -1), z.shape)
    if y.shape != z.shape:
        y = np.broadcast_to(y.reshape(-1, 1), z.shape)
    return x, y, z


POINTS: dict[str, Callable[[Node], Points]] = {
    **dict.fromkeys(
        ("line", "primitiveline", "stair", "animatedline", "functionline", "graphplot"), _xyz
    ),
    **dict.fromkeys(("surface", "primitivesurface"), _surface),
    "scatter": _scatter,
    "bubblechart": _scatter,
    "violinplot": _violin,
    "stem": _stem,
    "bar": _bar,
    "area": _area,
    "errorbar": _errorbar,
    "patch": _patch,
    "image": _image,
    "rectangle": _rectangle,
    "histogram": _histogram,
    "histogram2": _histogram2,
    "quiver": _quiver,
    "boxchart": _boxchart,
    "contour": _contour,
}


def stair_corners(x: Numbers, y: Numbers) -> tuple[Numbers, Numbers]:
    return np.repeat(x, 2)[1:], np.repeat(y, 2)[: max(2 * y.size - 1, 0)]
