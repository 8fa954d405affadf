"""Points with sizes and colours that stand for data: bubbles, swarms, groups, polar points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.arguments import (
    data_in,
    not_enough,
    numbers_in,
    parts_in,
    python,
    texts_in,
    vector_in,
)
from runmat_plot.functions.circles import polar_axes
from runmat_plot.functions.points import scatter_points
from runmat_plot.functions.support import (
    Numbers,
    current_axes,
    given,
    make,
    prepare,
    scene_of,
    take_axes,
)
from runmat_plot.scene.axes import next_color
from runmat_plot.scene.colors import color
from runmat_plot.scene.node import Node


def _bubbles(name: str, args: Sequence[Any], interp: Interp, dims: int) -> list[Node]:
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    if len(rest) < dims + 1 or isinstance(rest[dims], str):
        raise not_enough()
    sizes = numbers_in(rest.pop(dims), name).astype(float)
    points = max((numbers_in(value, name) for value in rest[:dims]), key=np.size)
    counts = {points.size} if 1 in points.shape else {points.size, points.shape[0]}
    if sizes.size not in counts:
        raise _bad_sizes(name)
    if name == "polarbubblechart":
        with polar_axes(scene, target) as axes:
            return _sized(name, rest, sizes, axes, interp, dims)
    return _sized(name, rest, sizes, target, interp, dims)


def _bad_sizes(name: str) -> MatlabError:
    return MatlabError(f"MATLAB:{name}:InvalidSizeData", "SZ must have as many elements as X.")


def _sized(
    name: str, rest: list[Any], sizes: Numbers, target: Node | None, interp: Interp, dims: int
) -> list[Node]:
    lead = [] if target is None else [target]
    values = [interp.to_matlab(value) for value in (*lead, *rest[:dims], None, *rest[dims:])]
    values[len(lead) + dims] = interp.to_matlab(np.zeros((0, 0)))
    made = scatter_points(name, values, interp, dims, "bubblechart")
    for k, node in enumerate(made):
        own = sizes[:, k] if sizes.ndim == 2 and sizes.shape[1] == len(made) > 1 else sizes
        if own.size != node["XData"].size:
            for other in made:
                other.delete()
            raise _bad_sizes(name)
        node.values["SizeData"] = own.reshape(1, -1)
        if "MarkerFaceColor" not in node.values:
            node.values["MarkerFaceColor"] = "flat"
    return made


@builtin("bubblechart", family="plot/points", nargin=(3, None), needs=("nargout", "interp"))
def bubblechart(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw points whose sizes stand for data.

    bubblechart(X, Y, SZ), bubblechart(X, Y, SZ, COLOR) with numbers for the colour map, a colour,
    or a row for each point; bubblechart(…, NAME, VALUE), bubblechart(AX, …)
    The largest bubble of axes is 50 points wide, the smallest 5: see bubblesize.

    Examples:
        >> b = bubblechart(1:3, [2 4 3], [10 20 30]); b.SizeData
        ans =
            10    20    30

    See also: bubblechart3, bubblesize, bubblelim, scatter.
    """
    return given(nargout, _bubbles("bubblechart", args, interp, 2))


@builtin("bubblechart3", family="plot/points", nargin=(4, None), needs=("nargout", "interp"))
def bubblechart3(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw points of space whose sizes stand for data.

    bubblechart3(X, Y, Z, SZ), bubblechart3(X, Y, Z, SZ, COLOR), bubblechart3(…, NAME, VALUE)

    Examples:
        >> b = bubblechart3(1:3, 1:3, 1:3, [10 20 30]); b.Type
        ans =
            'bubblechart'

    See also: bubblechart, scatter3.
    """
    return given(nargout, _bubbles("bubblechart3", args, interp, 3))


@builtin("polarbubblechart", family="plot/points", nargin=(3, None), needs=("nargout", "interp"))
def polarbubblechart(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw points in polar coordinates whose sizes stand for data.

    polarbubblechart(THETA, RHO, SZ), polarbubblechart(THETA, RHO, SZ, COLOR)

    Examples:
        >> b = polarbubblechart(0:2, 1:3, [1 2 3]); b.YData
        ans =
             1     2     3

    See also: bubblechart, polarscatter.
    """
    return given(nargout, _bubbles("polarbubblechart", args, interp, 2))


def _pair(name: str, key: str, args: Sequence[Any], nargout: int, interp: Interp) -> Any:
    """Read or set two numbers that are kept with axes."""
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    axes = target or current_axes(scene)
    if rest:
        pair = vector_in(rest[0], name, 2)
        if not 0 <= pair[0] <= pair[1]:
            raise MatlabError(f"MATLAB:{name}:InvalidLimits", "The numbers must increase.")
        axes.info[key] = pair.reshape(1, 2)
        scene.revision += 1
        if not nargout:
            return None
    if key in axes.info:
        return axes.info[key]
    from runmat_plot.scene.extents import bubble_limits

    return np.array([[5.0, 50.0]]) if key == "bubblesize" else np.array([bubble_limits(axes)])


@builtin("bubblesize", family="plot/points", nargin=(0, 2), needs=("nargout", "interp"))
def bubblesize(*args: Any, nargout: int, interp: Interp) -> Any:
    """Diameters of the smallest and the largest bubble, in points.

    S = bubblesize, bubblesize([SMALLEST LARGEST]), bubblesize(AX, …)

    Examples:
        >> bubblesize
        ans =
             5    50

    See also: bubblelim, bubblechart.
    """
    return _pair("bubblesize", "bubblesize", args, nargout, interp)


@builtin("bubblelim", family="plot/points", nargin=(0, 2), needs=("nargout", "interp"))
def bubblelim(*args: Any, nargout: int, interp: Interp) -> Any:
    """Data that the smallest and the largest bubble stand for.

    L = bubblelim, bubblelim([LOW HIGH]), bubblelim(AX, …)

    Examples:
        >> bubblechart(1:2, 1:2, [3 9]); bubblelim
        ans =
             3     9

    See also: bubblesize, bubblechart.
    """
    return _pair("bubblelim", "bubblelim", args, nargout, interp)


@builtin("swarmchart", family="plot/points", nargin=(2, None), needs=("nargout", "interp"))
def swarmchart(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw points that are moved aside where many are close, so that swarms show how data lies.

    swarmchart(X, Y), swarmchart(X, Y, SIZE, COLOR), swarmchart(…, "filled")
    swarmchart(…, "XJitterWidth", W), swarmchart(…, NAME, VALUE), swarmchart(AX, …)

    Examples:
        >> s = swarmchart([1 1 1 2 2], 1:5); s.XJitter
        ans =
            'density'

    See also: scatter, boxchart, violinplot.
    """
    made = scatter_points("swarmchart", args, interp, 2)
    for node in made:
        node.values.setdefault("XJitter", "density")
    return given(nargout, made)


@builtin("swarmchart3", family="plot/points", nargin=(3, None), needs=("nargout", "interp"))
def swarmchart3(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw points of space that are moved aside where many are close.

    swarmchart3(X, Y, Z), swarmchart3(X, Y, Z, SIZE, COLOR), swarmchart3(…, "filled")

    Examples:
        >> s = swarmchart3([1 1 2], [1 1 2], 1:3); s.YJitter
        ans =
            'density'

    See also: swarmchart, scatter3.
    """
    made = scatter_points("swarmchart3", args, interp, 3)
    for node in made:
        node.values.setdefault("XJitter", "density")
        node.values.setdefault("YJitter", "density")
    return given(nargout, made)


@builtin("polarscatter", family="plot/points", nargin=(2, None), needs=("nargout", "interp"))
def polarscatter(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw points in polar coordinates.

    polarscatter(THETA, RHO), polarscatter(THETA, RHO, SIZE, COLOR), polarscatter(…, "filled")
    polarscatter(…, NAME, VALUE), polarscatter(PAX, …)

    Examples:
        >> s = polarscatter([0 1 2], [1 2 3]); s.YData
        ans =
             1     2     3

    See also: polarplot, scatter, polarhistogram.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    with polar_axes(scene, target) as axes:
        values = [interp.to_matlab(value) for value in (axes, *rest)]
        return given(nargout, scatter_points("polarscatter", values, interp, 2))


@builtin("gscatter", family="plot/points", nargin=(3, None), needs=("nargout", "interp"))
def gscatter(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw points in groups, each in a colour of its own, with a legend.

    gscatter(X, Y, G), gscatter(X, Y, G, COLORS, SYMBOLS, SIZES), gscatter(…, "off") without legend
    gscatter(…, XNAME, YNAME), gscatter(AX, …); H = gscatter(…) gives a line for each group

    Examples:
        >> h = gscatter(1:4, 1:4, [1 1 2 2]); numel(h)
        ans =
             2

    See also: scatter, plot, legend.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    x, y = (numbers_in(value, "gscatter").ravel().astype(float) for value in rest[:2])
    words = texts_in(rest[2]) if not isinstance(rest[2], str) else None
    groups = data_in(np.array([words], object) if words else rest[2], "gscatter")
    if groups is None or groups.values.size != x.size or x.size != y.size:
        raise MatlabError("MATLAB:samelen", "X, Y and G must have the same length.")
    inks, symbols, size, legend = _looks(rest[3:])
    axes = target or current_axes(scene)
    prepare(axes, box=True)
    numbers = groups.values.ravel()
    keys = np.unique(numbers[np.isfinite(numbers)])
    texts = groups.ruler if isinstance(groups.ruler, list) else None
    made = []
    for k, key in enumerate(keys.tolist()):
        chosen = numbers == key
        ink = inks[k % len(inks)] if inks else next_color(axes)
        node = make("line", axes, (), LineStyle="none", Color=ink)
        node.values.update(
            XData=x[chosen].reshape(1, -1),
            YData=y[chosen].reshape(1, -1),
            Marker=symbols[k % len(symbols)],
            MarkerSize=size[k % len(size)],
            DisplayName=texts[int(key) - 1] if texts else f"{key:g}",
        )
        made.append(node)
    if legend:
        shown = interp.builtin("legend")
        assert shown is not None
        shown(0, interp.to_matlab(axes), interp.to_matlab("show"))
    names = [value for value in rest[7:9] if isinstance(value, str)]
    for name, word in zip("XY", names, strict=False):
        axes.label(f"{name}Label").assign("String", word)
    scene.revision += 1
    return given(nargout, made)


def _looks(rest: Sequence[Any]) -> tuple[list[Any], list[str], list[float], bool]:
    """Colours, markers and sizes of groups, and whether a legend is wanted."""
    inks: list[Any] = []
    if rest and isinstance(rest[0], str):
        inks = [np.array([color(c)], float) for c in rest[0] if color(c) is not None]
    elif rest and isinstance(rest[0], np.ndarray) and rest[0].size:
        if np.ndim(rest[0]) != 2 or rest[0].shape[1] != 3:
            raise MatlabError(
                "stats:gscatter:InvalidColor", "Colors must be rows of three numbers."
            )
        inks = [row.reshape(1, 3) for row in np.asarray(rest[0], float)]
    words = {"s": "square", "d": "diamond", "p": "pentagram", "h": "hexagram"}
    symbols = ["."]
    if len(rest) > 1 and isinstance(rest[1], str) and rest[1]:
        symbols = [words.get(c, c) for c in rest[1]]
    elif len(rest) > 1 and (found := texts_in(rest[1])) is not None:
        symbols = [words.get(c, c) for c in found]
    sizes = [15.0 if symbols == ["."] else 6.0]
    if len(rest) > 2 and not isinstance(rest[2], str) and np.size(rest[2]):
        sizes = numbers_in(rest[2], "gscatter").ravel().astype(float).tolist()
    legend = not (len(rest) > 3 and str(rest[3]).lower() == "off")
    return inks, symbols, sizes, legend


@builtin("binscatter", family="plot/points", nargin=(2, None), needs=("nargout", "interp"))
def binscatter(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw how many points lie in cells of the plane, as coloured tiles.

    binscatter(X, Y), binscatter(X, Y, N), binscatter(X, Y, [NX NY]), binscatter(AX, …)

    Examples:
        >> h = binscatter([1 1 2], [1 1 2], 2); h.Values
        ans =
             2     0
             0     1

    See also: histogram2, scatter, heatmap.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    x, y = (numbers_in(value, "binscatter").ravel().astype(float) for value in rest[:2])
    if x.size != y.size:
        raise MatlabError("MATLAB:samelen", "X and Y must have the same length.")
    counts = np.array([1.0, 1.0]) * float(np.clip(np.sqrt(x.size) / 2, 10, 100))
    if len(rest) > 2 and not isinstance(rest[2], str):
        wanted = vector_in(rest[2], "binscatter", 1, 2)
        counts = np.resize([parts_in(count, 1, "binscatter") for count in wanted.tolist()], 2)
    good = np.isfinite(x) & np.isfinite(y)
    found, xs, ys = np.histogram2d(x[good], y[good], bins=[int(n) for n in counts])
    axes = target or current_axes(scene)
    prepare(axes, box=True)
    node = make("histogram2", axes, (), XBinEdges=xs.reshape(1, -1), YBinEdges=ys.reshape(1, -1))
    node.values.update(DisplayStyle="tile", EdgeColor="none")
    node.info["values"] = found
    scene.revision += 1
    return given(nargout, node)
