"""What calls come to, remembered: the nodes that one made are made again for others of its form.

A builtin such as ``diff`` or ``movmean`` is made of several operations, and which ones these are
depends on the form of a call: sizes and classes of arrays, where they are, of which views they are,
and whatever else the arguments say. The second call of a form is worked out by the ordinary way and
written down as a `Recipe`; from then on a call costs a look-up, and the nodes without anything that
leads to them. What depends on facts of the elements is asked anew each time.

Nothing is written down that looked at elements of arrays, but for small ones on the host, which are
part of the form: what was computed or fetched meanwhile, and what the result does not need, may
have been looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import is_
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.accel.capture.boundary import deferred
from runmat_core.accel.capture.direct import plain
from runmat_core.accel.capture.views import proven_real
from runmat_core.accel.context import CaptureContext, get
from runmat_core.accel.graph.graph import Graph
from runmat_core.accel.graph.node import COMPLEX_CLASSES, Equation, Node
from runmat_core.accel.ops.elementwise import CONDITIONAL, ElementwiseOp, any_may_be_real
from runmat_core.accel.ops.views import form_of
from runmat_core.values.array import Array
from runmat_core.values.base import Complex
from runmat_core.values.char import CharArray
from runmat_core.values.deferred import Deferred, promise_of
from runmat_core.values.handle import FunctionHandle

#: So many forms of the calls of one builtin are remembered.
FORMS = 512
#: Most nodes of a recipe, and most elements of an array in it or among the arguments that are told
#: apart by their elements.
NODES, FEW = 64, 64
#: What a call of a builtin makes anew each time.
_UNREPEATED = frozenset({"random", "loop"})


def told(value: Any) -> Any:
    """Return the signature of a number or a text; None for anything else."""
    kind = value.__class__
    if kind is float:
        # zeros of both signs are equal, and a NaN is no other
        return kind, value if value and value == value else repr(value)
    if kind is bool or kind is Complex:
        return kind, repr(value)
    return (kind, value.shape, value.text()) if kind is CharArray else None


def told_function(value: FunctionHandle) -> Any:
    """Return what tells a function apart from others; None where that cannot be said.

    A function of MATLAB code is its text and what it captured: numbers, text, small arrays and
    other such functions.
    """
    fn: Any = value.fn
    if hasattr(fn, "__runmat_spec__"):
        return FunctionHandle, fn
    names = getattr(fn, "__globals__", {})
    if "_origin" not in names or len(fn.__closure__ or ()) != len(value.captures):
        return None
    captured = []
    for one in value.captures.values():
        kind = one.__class__
        if kind is FunctionHandle:
            found = told_function(one)
        elif kind is Array and one.data.size <= FEW:
            data = one.data
            found = kind, data.shape, data.dtype.char, data.tobytes()
        else:
            found = told(one)
        if found is None:
            return None
        captured.append(found)
    return FunctionHandle, names["_origin"], fn.__code__, tuple(captured)


class Recipe:
    """What a call of some form comes to.

    Attributes:
        constants: arrays that it brings along, with their classes.
        steps: the nodes, inputs first; numbers of nodes count those given, then the constants, then
            those of the steps.
        asked: pairs (number of a step, its operation), whose guards depend on facts.
        results: the numbers of the results.
        single: whether there is one result, rather than a tuple.
        alone: the step of a recipe that is this step and nothing else.
    """

    __slots__ = ("alone", "asked", "constants", "results", "single", "steps")

    def __init__(
        self,
        constants: tuple[tuple[NDArray[Any], str], ...],
        steps: tuple[Equation, ...],
        asked: tuple[tuple[int, ElementwiseOp], ...],
        results: tuple[int, ...],
        single: bool,
    ) -> None:
        self.constants = constants
        self.steps = steps
        self.asked = asked
        self.results = results
        self.single = single
        few = len(steps) == 1 and not constants and single
        self.alone = steps[0] if few else None

    def made(self, graph: Graph, given: list[Node]) -> Any:
        """Return the results for other arrays; NotImplemented where facts of these differ."""
        step = self.alone
        if step is not None:
            inputs = tuple([given[k] if k >= 0 else value for k, value in step.inputs])
            if self.asked and _differs(self.asked[0][1], inputs, step.guarded):
                return NotImplemented
            return graph.replay_one(step, inputs)
        nodes = [*given, *[graph.source(data, cls) for data, cls in self.constants]]
        first = len(nodes)
        graph.again(self, self.steps, nodes)
        for number, operation in self.asked:
            node = nodes[first + number]
            if _differs(operation, node.inputs, node.guarded):
                return NotImplemented
        if self.single:
            return deferred(nodes[self.results[0]])
        return tuple([deferred(nodes[number]) for number in self.results])


def _differs(operation: ElementwiseOp, inputs: tuple[Any, ...], guarded: bool) -> bool:
    """Whether facts of these inputs make another node of them, or an error."""
    if operation.spec.refuses is not None and operation.rejects(inputs):
        return True
    return operation.needs_guard is not None and operation.needs_guard(inputs) != guarded


class Recipes:
    """The recipes of one builtin.

    Args:
        ordinary: ``ordinary(args, nargout)``: a call by the ordinary way.
    """

    __slots__ = ("_known", "_ordinary")

    def __init__(self, ordinary: Callable[[tuple[Any, ...], int], Any]) -> None:
        self._known: dict[Any, Any] = {}
        self._ordinary = ordinary

    def call(self, args: tuple[Any, ...], nargout: int) -> Any:
        """Return what `ordinary` gives, by a recipe where there is one."""
        seat = get()
        if seat is None:
            return self._ordinary(args, nargout)
        graph: Graph = seat.graph
        given: list[Node] = []
        form = _form(seat, graph, args, given, nargout)
        if form is None:
            return self._ordinary(args, nargout)
        known = self._known.get(form)
        if known.__class__ is Recipe:
            result = known.made(graph, given)
            return self._ordinary(args, nargout) if result is NotImplemented else result
        before, looks = [node.data for node in given], graph.looks
        result = self._ordinary(args, nargout)
        if known is None:
            # most forms of a program whose sizes change come once
            if len(self._known) < FORMS:
                self._known[form] = False
        elif (
            known is False
            and graph.looks == looks
            and all(map(is_, before, [node.data for node in given]))
        ):
            self._known[form] = written(given, result) or True
        return result


def _form(
    seat: CaptureContext, graph: Graph, args: Sequence[Any], given: list[Node], nargout: int
) -> Any:
    """Return the signature of a call; None where arguments ask for a closer look.

    Args:
        given: filled with the nodes of the arguments, each once, and with those that they are views
            of.
    """
    key: list[Any] = [nargout]
    for value in args:
        kind = value.__class__
        if kind is float:
            # zeros of both signs are equal
            key.append(value or str(value))
            continue
        if kind is CharArray:
            key.append((value.shape, value.text()))
            continue
        data = value.data if kind is Array else None
        if kind is Deferred:
            data = promise_of(value).node.data
        if data.__class__ is np.ndarray and data.size <= FEW:
            if value.__class__ is Deferred and graph.pinned:
                return None
            key += (data.shape, data.dtype.char, data.tobytes())
            continue
        node = plain(seat, graph, value)
        if node is None:
            return None
        while True:
            if node in given:
                key.append((given.index(node),))
                break
            given.append(node)
            waits = node.data is None
            key += (node.shape, node.cls, waits, node.real or proven_real(node))
            if node.cls in COMPLEX_CLASSES:
                key.append(any_may_be_real((node,)))
            if not waits or node.op.kind != "view":
                break
            key += (node.op, node.static)
            node = node.inputs[0]
    return tuple(key) if given else None


def written(given: Sequence[Node], result: Any) -> Recipe | None:
    """Return the recipe of a call that gave `result` for these nodes; None where there is none."""
    values = result if result.__class__ is tuple else (result,)
    if any(value.__class__ is not Deferred for value in values):
        return None
    roots = [value.promise.node for value in values]
    if any(root.data is not None and root not in given for root in roots):
        return None
    order = between(given, roots, NODES, _UNREPEATED)
    if order is None:
        return None
    needed = {id(value) for node in order for value in node.inputs} | {id(root) for root in roots}
    shown = {id(node.inputs[0]) for node in given if node.data is None and node.op.kind == "view"}
    if not all(id(node) in shown or _is_among(needed, node) for node in given):
        return None  # of an array that goes nowhere the elements may have been looked at
    constants = [node for node in order if node.data is not None]
    made = [node for node in order if node.data is None]
    number = {id(node): k for k, node in enumerate([*given, *constants, *made])}
    steps: list[Equation] = []
    asked: list[tuple[int, ElementwiseOp]] = []
    for node in made:
        operation = CONDITIONAL.get(node.op)
        if operation is not None:
            asked.append((len(steps), operation))
        elif node.guarded:
            return None
        steps.append(step_of(node, number))
    arrays = [(np.array(node.data, order="F"), node.cls) for node in constants]
    numbers = tuple([number[id(root)] for root in roots])
    return Recipe(tuple(arrays), tuple(steps), tuple(asked), numbers, result.__class__ is not tuple)


def _is_among(needed: set[int], node: Node) -> bool:
    """Whether a node is needed, or one that it is a view of."""
    while id(node) not in needed:
        if node.data is not None or node.op.kind != "view":
            return False
        node = node.inputs[0]
    return True


def step_of(node: Node, number: dict[int, int]) -> Equation:
    """Return a node of a trace, its inputs by their numbers."""
    form = node.static
    if node.op.kind == "view":
        form = form_of(node.inputs[0].shape, node.shape, node.static)
    inputs = tuple(
        [
            (number[id(value)], None) if value.__class__ is Node else (-1, value)
            for value in node.inputs
        ]
    )
    # what a reduction gives has the facts that follow from its input
    source = node.inputs[0] if node.op.kind == "item" else node
    facts = node.facts if source.op.kind == "call" else None
    return Equation(
        node.op,
        inputs,
        node.static,
        form,
        node.shape,
        node.cls,
        node.guarded,
        node.meets,
        facts,
        node.place,
    )


def between(
    given: Sequence[Node], roots: Sequence[Node], most: int, refused: frozenset[str] = frozenset()
) -> list[Node] | None:
    """Return the nodes that `roots` need besides those given, inputs first.

    Return None where they cannot be made again: there are too many, one is of a kind that is
    refused, or needs a node that is not given.
    """
    done = {id(node) for node in given}
    order: list[Node] = []
    stack = [(root, False) for root in reversed(roots)]
    while stack:
        node, ready = stack.pop()
        if id(node) in done:
            continue
        if ready:
            done.add(id(node))
            order.append(node)
        elif node.data is not None:
            if node.data.__class__ is not np.ndarray or node.data.size > FEW or node.pinned:
                return None
            done.add(id(node))
            order.append(node)
        elif node.op.kind in refused or node.pinned or len(order) == most:
            return None
        else:
            stack.append((node, True))
            stack += [(one, False) for one in reversed(node.inputs) if one.__class__ is Node]
    return order
