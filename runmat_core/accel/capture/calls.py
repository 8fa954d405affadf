"""Library calls of the graph, made from `Call` specs.

A node of kind ``call`` has as static facts the library's ``attributes``, the ``arguments`` of the
builtin's call with None where an input stands, ``()`` where ``[]`` does and an `Operand` for any
other array, and, where they are not those of the inputs, the ``extents`` of the launch. Where there
are several outputs it has their number (``outputs``), ``shapes`` and ``classes``.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from runmat_core.accel.capture import early
from runmat_core.accel.capture.boundary import deferred, node_of
from runmat_core.accel.context import get
from runmat_core.accel.graph.graph import Graph, Static
from runmat_core.accel.graph.intervals import Facts
from runmat_core.accel.graph.node import Equation, Node, Op
from runmat_core.accel.ops.counts import count_of
from runmat_core.accel.ops.elementwise import ITEM
from runmat_core.api.fusion import Counted, Operand, Requested
from runmat_core.values import Array, CharArray, is_text
from runmat_core.values.deferred import Deferred

#: An argument of a call: an array, a scalar or text as it is, or nothing where ``[]`` stands.
Given = Node | float | bool | str | tuple[()]

#: What a `Call` is shown of ``[]``, and up to how many elements it is shown those on the host.
NOTHING = Operand((0, 0), "double", ())
SMALL = 64


@lru_cache(maxsize=64)
def call_op(name: str, host: Callable[..., Any]) -> Op:
    """Return the operation of a library call; one object for equal arguments."""
    return Op(name, "call", host)


def offered(name: str) -> bool:
    """Whether a provider of the running session has the library call `name`."""
    seat = get()
    return seat is not None and seat.engine.places.offers(name)


def arguments_given(
    graph: Graph, args: Sequence[Any], take: Callable[[Graph, Any], Any] = node_of
) -> tuple[Given, ...] | None:
    """Return the arguments of a call; None where one is neither an array nor a row of text.

    Args:
        take: makes nodes of arrays; by default of real ones alone.
    """
    given: list[Given] = []
    for value in args:
        if isinstance(value, CharArray) and is_text(value):
            given.append(value.text())
            continue
        if given and value.__class__ is Array and value.shape == (0, 0):
            given.append(())
            continue
        found = take(graph, value)
        if found is None:
            return None
        given.append(found)
    return tuple(given)


def described(args: Sequence[Any], given: Sequence[Given]) -> list[Any]:
    """Return the arguments as a `Call` is shown them."""
    return [
        _operand(node) if isinstance(node, Node) else NOTHING if node == () else value
        for value, node in zip(args, given, strict=True)
    ]


def _operand(node: Node) -> Operand:
    data = node.data
    if data.__class__ is np.ndarray and data.size <= SMALL and data.dtype.char in "fd":
        return Operand(node.shape, node.cls, tuple(data.ravel(order="F").tolist()))
    return Operand(node.shape, node.cls)


def _constant(value: Given) -> Hashable:
    return _operand(value) if isinstance(value, Node) else value


def counted(
    graph: Graph, given: Sequence[Given], request: Requested | Counted | None
) -> Requested | None:
    """Return what a call asks for once the elements that it depends on are counted.

    None: the host rule is to see the call, for nothing of it is on a device or still to be
    computed.
    """
    if not isinstance(request, Counted):
        return request
    arrays = [value for value in given if isinstance(value, Node)]
    if all(value.data.__class__ is np.ndarray for value in arrays):
        return None
    return request.then(count_of(graph, arrays[request.array]))


class Form:
    """Calls of one kind: arrays of the same sizes and classes, the same scalars and texts.

    Attributes:
        taken: which arguments are inputs.
        static: of the node.
        steps: the nodes, by operation; empty where they take more than that.
    """

    __slots__ = ("request", "static", "steps", "taken")

    def __init__(self, request: Requested, taken: tuple[int, ...], static: Static) -> None:
        self.request = request
        self.taken = taken
        self.static = static
        self.steps: dict[Op, tuple[Equation, ...]] = {}

    def nodes(self, op: Op) -> tuple[Equation, ...]:
        """Return the node of a call of this form and those of its outputs."""
        found = self.steps.get(op)
        if found is None:
            found = self.steps[op] = self._nodes(op)
        return found

    def _nodes(self, op: Op) -> tuple[Equation, ...]:
        outputs, bounds = self.request.outputs, self.request.bounds
        if self.request.guards or any(0 in size for size, _ in outputs):
            return ()
        first = len(self.taken)
        inputs = tuple([(k, None) for k in range(first)])
        known = [_facts(bounds, k) for k in range(len(outputs))]
        (shape, cls), static = outputs[0], self.static
        alone = known[0] if len(outputs) == 1 else None
        whole = Equation(op, inputs, static, static, shape, cls, False, 0, alone)
        if len(outputs) == 1:
            return (whole,)
        items = []
        for k, (size, kind) in enumerate(outputs):
            static = (("output", k),)
            one = Equation(ITEM, ((first, None),), static, static, size, kind, False, 0, known[k])
            items.append(one)
        return (whole, *items)


def _facts(bounds: Sequence[tuple[float, float] | None], output: int) -> Facts | None:
    """Return what is known of the elements of an output."""
    one = bounds[output] if output < len(bounds) else None
    return None if one is None else Facts(float(one[0]), float(one[1]), True, False)


def form_of(given: Sequence[Given], request: Requested) -> Form:
    """Return the signature of calls with such arguments."""
    inputs = range(len(given)) if request.inputs is None else request.inputs
    taken = tuple([k for k, value in enumerate(given) if isinstance(value, Node) and k in inputs])
    arguments = tuple([None if k in taken else _constant(value) for k, value in enumerate(given)])
    return _form(request, taken, arguments)


def form_of_arrays(request: Requested, count: int) -> Form:
    """Return the signature of calls of a number of arrays and nothing else."""
    return _form(request, tuple(range(count)), (None,) * count)


def _form(request: Requested, taken: tuple[int, ...], arguments: tuple[Hashable, ...]) -> Form:
    static: Static = (("arguments", arguments), ("attributes", request.attributes))
    if request.extents is not None:
        static = (*static, ("extents", request.extents))
    if len(request.outputs) > 1:
        shapes = tuple([size for size, _ in request.outputs])
        classes = tuple([kind for _, kind in request.outputs])
        static = (*static, ("classes", classes), ("outputs", len(shapes)), ("shapes", shapes))
    return Form(request, taken, static)


def key_of(given: Sequence[Given], nargout: int) -> Hashable | None:
    """Return what a call's form depends on; None where elements are part of it."""
    found: list[Hashable] = [nargout]
    for value in given:
        if not isinstance(value, Node):
            found += [value.__class__.__name__, repr(value)]  # minus zero is another number
        elif value.data.__class__ is np.ndarray and value.data.size <= SMALL:
            return None
        else:
            found += [value.shape, value.dtype]
    return tuple(found)


def capture_call(
    graph: Graph, op: Op, given: Sequence[Given], request: Requested
) -> Deferred | tuple[Deferred, ...]:
    """Return a deferred array for each output of a call, a tuple where there are several.

    Raises:
        MatlabError: of a host rule, where the call guards its elements; it is computed by then.
    """
    return capture_form(graph, op, given, form_of(given, request))


def capture_form(
    graph: Graph, op: Op, given: Sequence[Given], form: Form, again: bool = False
) -> Deferred | tuple[Deferred, ...]:
    """`capture_call` of a form that is known.

    Args:
        again: whether the form was asked for before.
    """
    request = form.request
    count = len(request.outputs)
    if graph.dear:
        seat = get()
        assert seat is not None
        early.start_held(seat)
    steps = form.nodes(op) if again and not graph.pinned else ()
    if steps:
        nodes: list[Any] = [given[k] for k in form.taken]
        if count == 1:
            return graph.replay_one(steps[0], tuple(nodes))
        graph.again(steps[0], steps, nodes)
        return tuple([deferred(node) for node in nodes[-count:]])
    made = appended(graph, op, given, form)
    values = tuple([deferred(node) for node in made])
    if request.guards:
        graph.evaluate(made)
    return values if count > 1 else values[0]


def appended(graph: Graph, op: Op, given: Sequence[Given], form: Form) -> list[Node]:
    """Return a node for each output of a call of a form, not computed."""
    request = form.request
    arrays = tuple([given[k] for k in form.taken])
    shape, cls = request.outputs[0]
    whole = graph.append(op, arrays, form.static, shape, cls, request.guards)
    made = [whole]
    if len(request.outputs) > 1:
        made = [
            graph.append(ITEM, (whole,), (("output", k),), size, kind)
            for k, (size, kind) in enumerate(request.outputs)
        ]
    for k, node in enumerate(made):
        node.facts = _facts(request.bounds, k) or node.facts
    return made
