"""Plots of graphs: where their nodes lie, and what is changed of them afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.arguments import numbers_in, python, read_options, texts_in, word_in
from runmat_plot.functions.series import check_pairs
from runmat_plot.functions.support import (
    Numbers,
    bad_handle,
    current_axes,
    make,
    node_in,
    prepare,
    scene_of,
    set_pairs,
    take_axes,
)
from runmat_plot.scene.axes import next_color
from runmat_plot.scene.colors import line_spec
from runmat_plot.scene.node import Node

LAYOUTS = ("auto", "circle", "force", "layered", "subspace", "force3", "subspace3")
#: Graphs with more nodes have no labels of their own.
_MOST_LABELS = 100


def plot_graph(args: Sequence[Any], interp: Interp) -> Node:
    """Draw a graph or a directed graph."""
    scene = scene_of(interp)
    at = next(k for k, v in enumerate(args) if getattr(v, "class_name", "").endswith("graph"))
    graph = args[at]
    target, rest = take_axes(scene, python(interp, [*args[:at], *args[at + 1 :]]))
    names, ends, count = _parts(graph, interp)
    looks: dict[str, Any] = {}
    if rest and isinstance(rest[0], str) and len(rest) % 2:
        spec = line_spec(rest.pop(0))
        if spec is not None:
            looks = {"LineStyle": spec.style, "Marker": spec.marker}
            if spec.color is not None:
                looks |= {"NodeColor": np.array([spec.color]), "EdgeColor": np.array([spec.color])}
    options, pairs = read_options(rest, "layout")
    axes = target or current_axes(scene)
    check_pairs("graphplot", axes, pairs)
    directed = graph.class_name == "digraph"
    word = _layout_word(options.get("layout", "auto"))
    places = layout_of(word, ends, count, directed)
    prepare(axes, box=True)
    color = next_color(axes)
    node = make(
        "graphplot",
        axes,
        (),
        NodeColor=color,
        EdgeColor=color,
        ShowArrows="on" if directed else "off",
        XData=places[:, 0].reshape(1, -1),
        YData=places[:, 1].reshape(1, -1),
        NodeLabel=names if count <= _MOST_LABELS or names[:1] != ["1"] else [],
        **{name: value for name, value in looks.items() if value is not None},
    )
    node.info.update(ends=ends, directed=directed, names=names, nodes={}, edges={})
    set_pairs(node, pairs)
    axes.values.update(XTick=np.zeros((0, 0)), XTickMode="manual", YTick=np.zeros((0, 0)))
    axes.values.update(YTickMode="manual", XLimitMethod="padded", YLimitMethod="padded")
    scene.revision += 1
    return node


def _parts(graph: Any, interp: Interp) -> tuple[list[str], Numbers, int]:
    """The names of the nodes of a graph, its edges as pairs of places, and its number of nodes."""
    counted = interp.builtin("numnodes")
    assert counted is not None
    count = int(interp.to_python(counted(1, graph)))
    table = interp.to_python(graph.field("Nodes"))
    found = texts_in(table.get("Name")) if isinstance(table, dict) and "Name" in table else None
    names = found or [str(k + 1) for k in range(count)]
    ends = interp.to_python(graph.field("Edges"))["EndNodes"]
    ends = np.asarray(ends)
    if ends.dtype == object:
        place = {name: k for k, name in enumerate(names)}
        ends = np.array([[place[word] for word in row] for row in ends.tolist()], int)
    else:
        ends = ends.astype(int) - 1
    return names, ends.reshape(-1, 2), count


def _layout_word(value: Any) -> str:
    word = word_in(value, "graph").lower()
    if word not in LAYOUTS:
        raise MatlabError(
            "MATLAB:graphfun:plot:InvalidLayout",
            f"Layout must be one of these: {', '.join(LAYOUTS)}.",
        )
    return word


def layout_of(word: str, ends: Numbers, count: int, directed: bool) -> Numbers:
    """A point of the plane for each node."""
    if word == "auto":
        depth = _levels(ends, count) if directed else None
        word = "layered" if depth is not None and count > 1 and len(ends) else "force"
        word = "circle" if count and len(ends) == count * (count - 1) // 2 > 3 else word
    if word == "layered":
        depth = _levels(ends, count)
        return _layered(ends, count, depth if depth is not None else _distances(ends, count))
    turn = np.pi / 2 - np.linspace(0, 2 * np.pi, count + 1)[:-1]
    ring = np.column_stack([np.cos(turn), np.sin(turn)])
    return ring if word == "circle" or count < 3 else _force(ends, ring)


def _levels(ends: Numbers, count: int) -> Numbers | None:
    """Return the longest distance of each node from a source; None for graphs with cycles."""
    depth = np.zeros(count, int)
    for _ in range(count):
        deeper = depth.copy()
        np.maximum.at(deeper, ends[:, 1], depth[ends[:, 0]] + 1)
        if (deeper == depth).all():
            return depth
        depth = deeper
    return None


def _distances(ends: Numbers, count: int) -> Numbers:
    """Return the number of edges between each node and the first one of its component."""
    depth = np.full(count, -1)
    near: list[list[int]] = [[] for _ in range(count)]
    for a, b in ends.tolist():
        near[a].append(b)
        near[b].append(a)
    for start in range(count):
        front = [start] if depth[start] < 0 else []
        level = 0
        while front:
            depth[front] = level
            front = list({k for a in front for k in near[a] if depth[k] < 0})
            level += 1
    return depth


def _layered(ends: Numbers, count: int, depth: Numbers) -> Numbers:
    """Nodes in rows by their level, near the middle of what they are joined to."""
    across = np.zeros(count)
    for level in range(int(depth.max(initial=0)) + 1):
        own = np.flatnonzero(depth == level)
        wish = []
        for k in own:
            above = [int(a) for a, b in ends if b == k and depth[a] < level]
            wish.append(float(np.mean(across[above])) if above else 0.0)
        order = own[np.argsort(wish, kind="stable")]
        middle = float(np.mean(wish)) if level and wish else 0.0
        across[order] = middle + np.arange(order.size) - (order.size - 1) / 2
    return np.column_stack([across, depth.max(initial=0) - depth.astype(float)])


def _force(ends: Numbers, at: Numbers) -> Numbers:
    """Nodes where springs along edges and pushing between all nodes leave them."""
    count = len(at)
    ideal = np.sqrt(4.0 / count)
    for step in np.linspace(0.3, 0.005, 150 if count <= 300 else 30):
        away = at[:, None, :] - at[None, :, :]
        size = np.maximum(np.hypot(away[..., 0], away[..., 1]), 1e-3)
        push = (away / size[..., None] ** 2).sum(axis=1) * ideal**2
        along = at[ends[:, 1]] - at[ends[:, 0]]
        pull = along * np.hypot(along[:, 0], along[:, 1])[:, None] / ideal
        np.add.at(push, ends[:, 0], pull)
        np.add.at(push, ends[:, 1], -pull)
        push -= 0.1 * at
        length = np.maximum(np.hypot(push[:, 0], push[:, 1]), 1e-9)[:, None]
        at = at + push / length * np.minimum(length, step)
    made: Numbers = at - at.mean(axis=0)
    return made


def _graph_plot(interp: Interp, value: Any) -> Node:
    node = node_in(scene_of(interp), interp.to_python(value), ("graphplot",))
    if node is None:
        raise bad_handle()
    node.check()
    return node


def _places(node: Node, value: Any, name: str) -> list[int]:
    """Places of nodes that numbers or names tell.

    Raises:
        MatlabError: there is no such node.
    """
    names: list[str] = node.info["names"]
    words = texts_in(value)
    if words is not None and any(word not in names for word in words):
        raise MatlabError(
            "MATLAB:graphfun:findnode:UnknownNode", "Unable to find a node of this name."
        )
    found = (
        [names.index(word) for word in words]
        if words is not None
        else [int(k) - 1 for k in numbers_in(value, name).ravel()]
    )
    if any(not 0 <= k < len(names) for k in found):
        raise MatlabError("MATLAB:graphfun:findnode:InvalidNode", "There is no such node.")
    return found


def _edges_between(node: Node, starts: list[int], stops: list[int]) -> list[int]:
    pairs = set(zip(starts, stops, strict=False))
    if not node.info["directed"]:
        pairs |= {(b, a) for a, b in pairs}
    return [k for k, (a, b) in enumerate(node.info["ends"].tolist()) if (a, b) in pairs]


_OF_NODES = ("NodeColor", "Marker", "MarkerSize", "NodeLabelColor", "NodeFontSize")
_OF_EDGES = ("EdgeColor", "LineWidth", "LineStyle", "EdgeLabelColor", "ArrowSize")


@builtin("highlight", family="plot/lines", nargin=(2, None), nargout=0, needs=("interp",))
def highlight(plot: Any, *args: Any, interp: Interp) -> None:
    """Change the look of some nodes and edges of a plot of a graph.

    highlight(H, NODES) makes nodes larger and edges between them wider; highlight(H, S, T) edges
    highlight(H, NODES, NAME, VALUE), highlight(H, S, T, NAME, VALUE) with NodeColor, MarkerSize,
    EdgeColor, LineWidth and the like; highlight(H, "Edges", N, NAME, VALUE)

    Examples:
        >> h = plot(graph([1 2], [2 3])); highlight(h, [1 2], 'NodeColor', 'r')

    See also: plot, labelnode, layout.
    """
    node = _graph_plot(interp, plot)
    rest = python(interp, args)
    chosen, edges, only_edges = [], [], False
    if isinstance(rest[0], str) and rest[0].lower() == "edges" and len(rest) > 1:
        edges = [int(k) - 1 for k in numbers_in(rest[1], "highlight").ravel()]
        rest, only_edges = rest[2:], True
    else:
        if getattr(args[0], "class_name", "").endswith("graph"):
            names, ends, _ = _parts(args[0], interp)
            joined = [_places(node, names, "highlight")[k] for k in ends.ravel()]
            chosen, edges = joined, _edges_between(node, joined[::2], joined[1::2])
        else:
            chosen = _places(node, rest[0], "highlight")
            edges = _edges_between(node, chosen[:-1], chosen[1:])
        rest = rest[1:]
        if rest and len(rest) % 2:
            stops = _places(node, rest[0], "highlight")
            edges, rest, only_edges = _edges_between(node, chosen, stops), rest[1:], True
    given_looks = dict(zip(rest[::2], rest[1::2], strict=False))
    looks: dict[str, Any] = {}
    for name, value in given_looks.items():
        prop = node.find_property(word_in(name, "highlight"))
        if prop.name not in (*_OF_NODES, *_OF_EDGES):
            raise MatlabError(
                "MATLAB:graphfun:highlight:InvalidProperty", f"'{name}' is no property of nodes."
            )
        trial = make("graphplot", node.parent or node, ())
        try:
            trial.assign(prop.name, value)
            looks[prop.name] = trial.values[prop.name]
        finally:
            trial.delete()
    if not looks:
        looks = {
            "MarkerSize": 2.0 * _size_of(node),
            "LineWidth": 4.0 * float(np.ravel(node["LineWidth"])[0]),
        }
    for k in [] if only_edges else chosen:
        own = {name: looks[name] for name in _OF_NODES if name in looks}
        node.info["nodes"].setdefault(k, {}).update(own)
    for k in edges:
        own = {name: looks[name] for name in _OF_EDGES if name in looks}
        node.info["edges"].setdefault(k, {}).update(own)
    node.scene.revision += 1


def _size_of(node: Node) -> float:
    return float(np.ravel(node["MarkerSize"])[0])


@builtin("labelnode", family="plot/lines", nargin=(3, 3), nargout=0, needs=("interp",))
def labelnode(plot: Any, nodes: Any, labels: Any, *, interp: Interp) -> None:
    """Give nodes of a plot of a graph other labels.

    labelnode(H, NODES, LABELS)

    Examples:
        >> h = plot(graph([1 2], [2 3])); labelnode(h, 2, 'mid'); h.NodeLabel{2}
        ans =
            'mid'

    See also: labeledge, highlight, plot.
    """
    node = _graph_plot(interp, plot)
    chosen = _places(node, interp.to_python(nodes), "labelnode")
    words = _words(interp.to_python(labels), len(chosen))
    texts = list(node["NodeLabel"] or [""] * len(node.info["names"]))
    for k, word in zip(chosen, words, strict=True):
        texts[k] = word
    node["NodeLabel"] = texts


@builtin("labeledge", family="plot/lines", nargin=(3, 4), nargout=0, needs=("interp",))
def labeledge(plot: Any, *args: Any, interp: Interp) -> None:
    """Give edges of a plot of a graph labels.

    labeledge(H, S, T, LABELS) for the edges from S to T, labeledge(H, N, LABELS) by their numbers

    Examples:
        >> h = plot(graph([1 2], [2 3])); labeledge(h, 1, 2, 'road'); h.EdgeLabel{1}
        ans =
            'road'

    See also: labelnode, highlight, plot.
    """
    node = _graph_plot(interp, plot)
    rest = python(interp, args)
    if len(rest) == 2:
        chosen = [int(k) - 1 for k in numbers_in(rest[0], "labeledge").ravel()]
    else:
        first, second = (_places(node, value, "labeledge") for value in rest[:2])
        many = max(len(first), len(second))
        first, second = (part * many if len(part) == 1 else part for part in (first, second))
        chosen = _edges_between(node, first, second)
    texts = list(node["EdgeLabel"] or [""] * len(node.info["ends"]))
    if any(not 0 <= k < len(texts) for k in chosen):
        raise MatlabError("MATLAB:graphfun:findedge:InvalidEdge", "There is no such edge.")
    for k, word in zip(chosen, _words(rest[-1], len(chosen)), strict=True):
        texts[k] = word
    node["EdgeLabel"] = texts


def _words(value: Any, count: int) -> list[str]:
    words = texts_in(value) or [f"{number:g}" for number in numbers_in(value, "graph").ravel()]
    words = words * count if len(words) == 1 else words
    if len(words) != count:
        raise MatlabError(
            "MATLAB:graphfun:plot:LabelCount", "There must be one label, or one for each."
        )
    return words


@builtin("layout", family="plot/lines", nargin=(1, None), nargout=0, needs=("interp",))
def layout(plot: Any, *args: Any, interp: Interp) -> None:
    """Lay the nodes of a plot of a graph out in another way.

    layout(H), layout(H, "circle"), layout(H, "force"), layout(H, "layered")

    Examples:
        >> h = plot(graph([1 2 3], [2 3 4])); layout(h, 'circle'); round(h.YData(1))
        ans =
             1

    See also: plot, highlight.
    """
    node = _graph_plot(interp, plot)
    word = _layout_word(interp.to_python(args[0])) if args else "auto"
    count = len(node.info["names"])
    places = layout_of(word, node.info["ends"], count, node.info["directed"])
    node.values.update(XData=places[:, 0].reshape(1, -1), YData=places[:, 1].reshape(1, -1))
    node.scene.revision += 1
