"""Functions of single elements, done on whole arrays.

`arrayfun` calls a function with one element after the other. Here the function runs once, on scalar
placeholders that know class and bounds of the elements and deny their values; what it asks for are
operations on scalars, and these are written down again as operations on the arrays. A function that
needs a value, draws random numbers or makes anything else than scalars is refused, and so is one
whose results depend on elements being real or complex, which each element decides for itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runmat_core.accel.capture.boundary import deferred, lazy, node_of
from runmat_core.accel.capture.views import proven_real, view_of
from runmat_core.accel.context import get
from runmat_core.accel.graph.facts import facts_of
from runmat_core.accel.graph.graph import Graph
from runmat_core.accel.graph.leaves import Element, Refused, is_small, leaf_of
from runmat_core.accel.graph.node import Node, Shape
from runmat_core.accel.loops.trace import TraceGraph, trace
from runmat_core.accel.ops.generators import FILL
from runmat_core.accel.planning.step import below
from runmat_core.values.classes import FLOAT_CLASSES, INTEGER_CLASSES
from runmat_core.values.deferred import Deferred

#: The results of the function, by a name that no variable has.
RESULTS = "(results)"


def applied(
    function: Callable[..., Any],
    arrays: Sequence[Any],
    nargout: int,
    stream: Any,
    refusal: Callable[[], str],
) -> tuple[Any, ...] | None:
    """Return the arrays of what `function` gives for each element.

    Return None where it must be called for each.

    Args:
        function: ``function(nargout, *elements)``.
        arrays: of one size.
        nargout: 0 counts as 1.
        stream: the session's random stream.
        refusal: tells why the function must not run ahead, empty where it may.
    """
    seat = get()
    if seat is None or seat.tracing:
        return None
    graph = lazy(*arrays)
    if graph is None or not seat.engine.loops.enabled:
        return None
    found = [_real(graph, node_of(graph, value)) for value in arrays]
    nodes = [node for node in found if node is not None and node.size > 1]
    if len(nodes) < len(arrays) or refusal():
        return None
    made = TraceGraph(1)
    elements = [_element(made, k, node) for k, node in enumerate(nodes)]

    def twin(names: dict[str, Any]) -> None:
        names[RESULTS] = function(nargout, *elements)

    try:
        traced = trace(made, twin, {}, (RESULTS,), stream, seat.engine)
        if traced.draws or traced.checks:
            raise Refused("it draws random numbers, or asks what a library call finds")
        results = traced.finals[RESULTS]
        several = results if nargout > 1 else (results,)
        return _Again(graph, made, nodes).results(several)
    except Refused:
        return None
    except Exception:
        # called with elements it will say so again, for the first one that is wrong
        return None


def _real(graph: Graph, node: Any) -> Node | None:
    """Return the node of an array that is certainly real, computed where that takes it."""
    if node.__class__ is not Node:
        return None
    if not proven_real(node):
        graph.evaluate((node,))
        if not proven_real(node):
            return None
    real: Node = node
    return real


def _element(made: TraceGraph, position: int, node: Node) -> Deferred:
    """Return the placeholder of an element of an array."""
    leaf = made.leaf(Element(position), (1, 1), node.cls, facts_of(node))
    if node.pinned:
        made.pinned = leaf.pinned = True
    return deferred(leaf)


class _Again:
    """The operations of a trace once more, on arrays.

    Args:
        graph: of the arrays.
        made: the trace's.
        arrays: whose elements the placeholders stand for.
    """

    def __init__(self, graph: Graph, made: TraceGraph, arrays: Sequence[Node]) -> None:
        self.graph = graph
        self.made = made
        self.arrays = arrays
        self.shape: Shape = arrays[0].shape
        self.whole: dict[int, Node] = {}
        self.varying: set[int] = set()

    def results(self, values: Sequence[Any]) -> tuple[Any, ...]:
        """Arrays for what the function gave.

        Raises:
            Refused: it is no scalar operation on the elements.
        """
        roots = [self._root(value) for value in values]
        nodes = below([root for root in roots if root.__class__ is Node])
        self._check(nodes)
        for node in nodes:
            self.whole[id(node)] = self._made(node)
        return tuple([self._result(root) for root in roots])

    def _root(self, value: Any) -> Any:
        """Return the node of a result; a float or bool is itself."""
        if value.__class__ is Deferred and value.promise.node.graph is self.made:
            root: Any = value.promise.node
        else:
            root = node_of(self.made, value)
        if root is None or (root.__class__ is Node and not is_small(root.shape)):
            raise Refused("its results are not scalars")
        return root

    def _check(self, nodes: Sequence[Node]) -> None:
        """Whether what may turn out complex is a result that nothing else is made of."""
        used = {id(value) for node in nodes for value in node.inputs}
        for node in nodes:
            if node.guarded and node.data is None and id(node) in used:
                raise Refused("an element may turn out complex on the way")

    def _made(self, node: Node) -> Node:
        leaf = leaf_of(node)
        if isinstance(leaf, Element):
            self.varying.add(id(node))
            return self.arrays[leaf.position]
        if node.data is not None:
            return self.graph.source(self.made.elements(node), node.cls)
        inputs: tuple[Any, ...] = tuple([self.whole.get(id(v), v) for v in node.inputs])
        shape = node.shape
        if any(id(value) in self.varying for value in node.inputs):
            self.varying.add(id(node))
            if node.op.kind == "view" and is_small(shape):
                return inputs[0]  # type: ignore[no-any-return]
            if node.op.kind not in ("map", "item") or not is_small(shape):
                raise Refused("it does more than operations on scalars")
            self._check_classes(node)
            shape = self.shape
        return self.graph.append(node.op, inputs, node.static, shape, node.cls, node.guarded)

    def _check_classes(self, node: Node) -> None:
        """Whole numbers go together with a double, but arrays of them with no array of doubles."""
        classes = {value.cls for value in node.inputs if id(value) in self.varying}
        if classes & INTEGER_CLASSES and classes & {*FLOAT_CLASSES, "logical"}:
            raise Refused("it combines elements of integers and of other classes")

    def _result(self, root: Any) -> Any:
        if root.__class__ is not Node:
            cls = "logical" if root.__class__ is bool else "double"
            found = self.graph.append(FILL, (root,), (), self.shape, cls)
        else:
            found = self.whole[id(root)]
            if id(root) not in self.varying:
                spread = view_of(self.graph, found, "repmat", self.shape, 0, (0,) * len(self.shape))
                if spread is NotImplemented:
                    raise Refused("its result has too many dimensions")
                return spread
        return deferred(found)
