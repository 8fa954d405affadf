"""Concatenation of pending and of large arrays of one class, and rotation: parts change places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runmat_core.accel.capture import views
from runmat_core.accel.capture.boundary import any_node_of, deferred, lazy
from runmat_core.accel.capture.direct import plain
from runmat_core.accel.capture.stored import AS
from runmat_core.accel.context import get
from runmat_core.accel.graph.addressing import dense_strides
from runmat_core.accel.graph.graph import Graph
from runmat_core.accel.graph.node import ARRAY, COMPLEX_CLASSES, Node, Shape
from runmat_core.accel.ops import complexes
from runmat_core.accel.ops.generators import FILL
from runmat_core.accel.ops.parts import CAT
from runmat_core.accel.ops.views import AXES
from runmat_core.accel.running.at_once import runs_at_once
from runmat_core.values.array import Array, to_numpy
from runmat_core.values.base import class_of
from runmat_core.values.classes import DTYPE
from runmat_core.values.deferred import Deferred
from runmat_core.values.hooks import HOOKS

#: More arrays than this are joined at once, by the host rule.
PARTS = 16


def join(values: Sequence[Any], axis: int) -> Any:
    """`values` along `axis` as a node, or NotImplemented; sizes that differ are left alone."""
    seat = get()
    if seat is not None and seat.at_once and Deferred not in map(type, values):
        sizes = [value.data.size for value in values if value.__class__ is Array]
        if runs_at_once(max(sizes, default=1)):
            return NotImplemented
    joined = _plainly(values, axis)
    if joined is not NotImplemented:
        return joined
    graph = lazy(*values)
    if graph is None or len(values) > PARTS or axis >= AXES:
        return NotImplemented
    classes = {class_of(value) for value in values}
    # singles among doubles make all of them singles
    mixed = classes == {"single", "double"}
    cls = "single" if mixed else class_of(values[0])
    if cls not in DTYPE or (len(classes) > 1 and not mixed):
        return NotImplemented
    nodes: list[Node] = []
    for value in values:
        found = any_node_of(graph, value)
        if found.__class__ is float or found.__class__ is bool:
            found = graph.append(FILL, (found,), (), _ONE, cls)
        elif mixed and found.__class__ is Node and found.cls != cls:
            if found.cls != "double":
                return NotImplemented
            found = graph.append(AS[cls], (found,), (), found.shape, cls)
        if found.__class__ is not Node:
            return NotImplemented
        if 0 in found.shape:
            return NotImplemented
        nodes.append(found)
    if len({node.cls for node in nodes}) > 1:
        cls = next(node.cls for node in nodes if node.cls in COMPLEX_CLASSES)
        nodes = [complexes.widened(graph, node, cls) for node in nodes]
    else:
        cls = nodes[0].cls
    rank = max(axis + 1, *(len(node.shape) for node in nodes))
    shapes = [node.shape + (1,) * (rank - len(node.shape)) for node in nodes]
    if len({shape[:axis] + shape[axis + 1 :] for shape in shapes}) > 1:
        return NotImplemented
    extent = sum(shape[axis] for shape in shapes)
    shape = (*shapes[0][:axis], extent, *shapes[0][axis + 1 :])
    return deferred(graph.append(CAT, tuple(nodes), (("axis", axis),), shape, cls))


def _plainly(values: Sequence[Any], axis: int) -> Any:
    """`join` of large matrices and numbers of one class, by the shortest way."""
    seat = get()
    if seat is None or axis > 2 or len(values) > PARTS:
        return NotImplemented
    graph = seat.graph
    nodes: list[Any] = []
    across: Any = None
    cls, along, scalars = "", 0, 0
    for value in values:
        kind = value.__class__
        if kind is float or kind is bool:
            nodes.append(value)
            own, shape = "double" if kind is float else "logical", _ONE
            scalars += 1
        else:
            node = plain(seat, graph, value)
            if node is None or node.cls not in DTYPE or len(node.shape) != 2:
                return NotImplemented
            nodes.append(node)
            own, shape = node.cls, node.shape
        over = shape if axis == 2 else shape[1 - axis]
        if across is None:
            cls, across = own, over
        elif own != cls or over != across:
            return NotImplemented
        along += 1 if axis == 2 else shape[axis]
    if scalars == len(nodes):
        return NotImplemented
    if scalars:
        nodes = [
            v if v.__class__ is Node else graph.append(FILL, (v,), (), _ONE, cls) for v in nodes
        ]
    inputs = tuple(nodes)
    size = (along, across) if axis == 0 else (across, along) if axis == 1 else (*across, along)
    return graph.grow(CAT, inputs, (ARRAY,) * len(inputs), _ALONG[axis], size, cls)


_ONE: Shape = (1, 1)
_ALONG = [(("axis", axis),) for axis in range(3)]


# -- rotation --------------------------------------------------------------------------------------


def _rotated(graph: Graph, node: Node, shifts: Sequence[tuple[int, int]]) -> Any:
    """Return an array whose elements are shifted along axes, those at the end to the beginning."""
    found: Any = deferred(node)
    for axis, shift in shifts:
        if axis >= len(node.shape) or not shift % node.shape[axis]:
            continue
        n, steps = node.shape[axis], dense_strides(node.shape)
        ends = [(n - shift % n, shift % n), (0, n - shift % n)]
        parts = []
        for start, count in ends:
            shape = (*node.shape[:axis], count, *node.shape[axis + 1 :])
            parts.append(views.view_of(graph, node, "subsref", shape, start * steps[axis], steps))
        found = join(parts, axis)
        if found is NotImplemented:
            return found
        node = found.promise.node
    return found


def _circshift(graph: Graph, node: Node, shift: Any, dim: Any = None) -> Any:
    """``circshift(x, k)``, ``circshift(x, k, dim)``, ``circshift(x, [k1 k2 …])``."""
    numbers = [shift] if shift.__class__ is float else to_numpy(shift).ravel().tolist()
    by = [int(number) for number in numbers]
    if by != numbers or (dim is not None and len(by) > 1):
        return NotImplemented
    if len(by) > 1:
        return _rotated(graph, node, list(enumerate(by)))
    return _rotated(graph, node, [(_axis_of(node, dim), by[0])])


def _axis_of(node: Node, dim: Any) -> int:
    """Return the dimension asked for, from zero; by default the first that is not 1."""
    if dim is not None:
        axis = views.whole(dim) - 1
        if axis < 0:
            raise ValueError(dim)
        return axis
    return next((k for k, extent in enumerate(node.shape) if extent != 1), 0)


def _shifting(sign: int) -> views.Rule:
    """``fftshift`` by half the extents, rounded down, or ``ifftshift`` by as much backward."""

    def rule(graph: Graph, node: Node, dim: Any = None) -> Any:
        axes = range(len(node.shape)) if dim is None else [_axis_of(node, dim)]
        halves = [n // 2 for n in node.shape]
        return _rotated(graph, node, [(k, sign * halves[k]) for k in axes if k < len(halves)])

    return rule


def install() -> None:
    """Let concatenations and calls of these builtins be captured."""
    HOOKS.join = join
    views.CALLS.update(circshift=_circshift, fftshift=_shifting(1), ifftshift=_shifting(-1))
