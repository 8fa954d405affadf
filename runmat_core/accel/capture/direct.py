"""The shortest ways into the graph: for operands that ask for no special care.

What an operation amounts to is worked out once for operands of each form, by the ordinary way, and
remembered; from then on a call of that form costs a look-up and the node. Each way here answers
NotImplemented where it has nothing remembered, or the operands are anything but plain.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from runmat_core.accel.capture.boundary import MEETINGS
from runmat_core.accel.context import CaptureContext, get
from runmat_core.accel.graph.graph import IN_A_ROW, Graph
from runmat_core.accel.graph.node import (
    ARRAY,
    COMPLEX_CLASSES,
    ONE_ARRAY,
    TWO_ARRAYS,
    Node,
    Op,
    Shape,
)
from runmat_core.accel.ops.elementwise import ElementwiseOp, expanded
from runmat_core.accel.running.at_once import runs_at_once
from runmat_core.api.device import NUMPY_DTYPE
from runmat_core.api.ir import COMPLEX, COMPLEX_CLASS, known_class
from runmat_core.values.array import Array
from runmat_core.values.classes import CLASS_NAME, DTYPE
from runmat_core.values.deferred import Deferred, promise_of
from runmat_core.values.text import words_key

Rule = Callable[..., Any]
#: What calls of one form come to: static arguments, size and class of the node.
Form = tuple[tuple[tuple[str, Any], ...], Shape, str]
#: Classes of real arrays by NumPy's characters, and of complex ones as well.
REAL = {char: cls for char, cls in CLASS_NAME.items() if char not in "DF"}
ANY = REAL | {NUMPY_DTYPE[dtype].char: cls for dtype, cls in COMPLEX_CLASS.items()}

#: The value classes of numbers that are common in programs, for a call less.
_KNOWN: dict[float, Any] = {x: known_class(x) for x in (0.0, 0.5, *map(float, range(1, 17)))}


def plain(
    seat: CaptureContext, graph: Graph, value: Any, classes: Mapping[str, str] = REAL
) -> Node | None:
    """Return the node of an array that asks for no special care, else None.

    Such an array is pending, in the memory of a device, or large; it has two elements or more and
    was not put on the device by the program.

    Args:
        classes: of large arrays on the host, by NumPy's characters: real ones unless told.
    """
    if graph.pinned:
        return None
    if value.__class__ is Deferred:
        node: Node = promise_of(value).node
        if node.shape == (1, 1) or node.graph is not graph:
            return None
        data: Any = node.data
        if data is None:
            return None if graph.row >= IN_A_ROW and graph.bring_few(node) else node
        if data.__class__ is np.ndarray:
            if data.size < seat.threshold or node.cls not in DTYPE or data.dtype.char in "DF":
                return None
            return None if seat.at_once and runs_at_once(data.size) else node
        # outputs of several at once, elements of another class than was thought, and what is small
        # and in the host's memory anyway
        if data.__class__ is tuple:
            return None
        if node.cls not in COMPLEX_CLASSES and (node.cls not in DTYPE or data.dtype in COMPLEX):
            return None
        shape = node.shape
        if shape[0] * shape[1] < seat.threshold and node.size < seat.threshold:
            store = getattr(data, "store", None)
            if store is not None and not store.own_memory:
                return None
        return node
    if value.__class__ is Array:
        data = value.data
        if data.size >= seat.threshold and data.size > 1:
            if seat.at_once and runs_at_once(data.size):
                return None
            # as `beside` does
            cls = classes.get(data.dtype.char)
            return None if cls is None else graph.source(data, cls)
    return None


def beside(graph: Graph, value: Any, classes: Mapping[str, str] = REAL) -> Node | None:
    """Return the node of an array of the host, however small, that meets one which is `plain`.

    Args:
        classes: of nodes, by NumPy's characters: arrays of others are left alone.
    """
    if value.__class__ is Array:
        data = value.data
        cls = classes.get(data.dtype.char)
        if cls is not None and data.size > 1:
            return graph.source(data, cls)
    return None


def scalar(seat: CaptureContext, graph: Graph, value: Any) -> Node | None:
    """Return the node of a real scalar that is pending and goes on being so, else None.

    One that has met scalars several times is computed instead; see `boundary.lazy`.
    """
    if value.__class__ is not Deferred or seat.tracing or graph.pinned:
        return None
    node: Node = promise_of(value).node
    if node.shape != (1, 1) or node.graph is not graph or node.data is not None:
        return None
    return None if node.meets >= MEETINGS or node.cls in COMPLEX_CLASSES else node


def takes(operation: ElementwiseOp) -> bool:
    """Whether `unary` and `binary` know what arrays the operation refuses."""
    return operation.outputs == 1 and operation.spec.refuses in (None, "nan")


def unary(operation: ElementwiseOp) -> Rule:
    """``rule(a)`` for an elementwise operation that `takes` allows."""
    op, leaves, outcomes = operation.op, operation.needs_guard, operation.outcomes
    refuses_nan = operation.spec.refuses is not None

    def rule(a: Any) -> Any:
        seat = get()
        if seat is None:
            return NotImplemented
        graph = seat.graph
        x = plain(seat, graph, a)
        if x is None:
            return NotImplemented
        cls = outcomes.get(((x.cls, False),))
        inputs = (x,)
        if cls is None or (refuses_nan and operation.rejects(inputs)):
            return NotImplemented
        guarded = leaves is not None and leaves(inputs)
        return graph.grow(op, inputs, ONE_ARRAY, (), x.shape, cls, guarded)

    return rule


def binary(
    operation: ElementwiseOp, arrays: bool = True, left: bool = True, right: bool = True
) -> Rule:
    """``rule(a, b)`` for an elementwise operation of two arrays, or of one and a float.

    Args:
        arrays: whether it takes two arrays; matrix operators are elementwise with a scalar alone.
        left, right: whether that operand may be the float.
    """
    op, leaves, outcomes = operation.op, operation.needs_guard, operation.outcomes
    refuses_nan = operation.spec.refuses is not None
    of_complex = operation.of_complex
    if of_complex is not None and not takes(of_complex):
        of_complex = None
    near = REAL if of_complex is None else ANY

    def rule(a: Any, b: Any) -> Any:
        seat = get()
        if seat is None:
            return NotImplemented
        graph = seat.graph
        x: Any = a if a.__class__ is float else plain(seat, graph, a, near)
        y: Any = b if b.__class__ is float else plain(seat, graph, b, near)
        form: tuple[Any, ...]
        kinds: tuple[Any, ...]
        one: Node | None = None
        if x is None:
            if y is None:
                return NotImplemented
            x = one = scalar(seat, graph, a)
            if x is None and y.__class__ is Node:
                x = beside(graph, a, near)
        elif y is None:
            y = one = scalar(seat, graph, b)
            if y is None and x.__class__ is Node:
                y = beside(graph, b, near)
        if x is None or y is None:
            return NotImplemented
        if x.__class__ is float:
            if not left or y.__class__ is float:
                return NotImplemented
            shape, kind = y.shape, _KNOWN.get(x) or known_class(x)
            form, kinds = (float, kind, (y.cls, y is one)), (kind, ARRAY)
        elif y.__class__ is float:
            if not right:
                return NotImplemented
            shape, kind = x.shape, _KNOWN.get(y) or known_class(y)
            form, kinds = ((x.cls, x is one), float, kind), (ARRAY, kind)
        else:
            shape = x.shape
            if one is not None:
                shape = y.shape if x is one else shape
            elif not arrays:
                return NotImplemented
            elif shape != y.shape:
                shape = expanded(shape, y.shape)
            form, kinds = ((x.cls, x is one), (y.cls, y is one)), TWO_ARRAYS
        cls = outcomes.get(form)
        inputs = (x, y)
        if cls is not None:
            if refuses_nan and operation.rejects(inputs):
                return NotImplemented
            guarded = leaves is not None and leaves(inputs)
            made = graph.grow(op, inputs, kinds, (), shape, cls, guarded)
            if shape == (1, 1):
                # it has met a scalar once more, and what comes of it has, too
                one.meets += 1  # type: ignore[union-attr]
                promise_of(made).node.meets = one.meets  # type: ignore[union-attr]
            return made
        if of_complex is None or not (_is_complex(x) or _is_complex(y)):
            return NotImplemented
        cls = of_complex.outcomes.get(form)
        if cls is None:
            return NotImplemented
        guarded = of_complex.needs_guard is not None and of_complex.needs_guard(inputs)
        return graph.grow(of_complex.op, inputs, kinds, (), shape, cls, guarded)

    return rule


def _is_complex(value: Any) -> bool:
    return value.__class__ is Node and value.cls in COMPLEX_CLASSES


def along(op: Op, met: dict[Any, Form]) -> Rule:
    """``rule(a, *options)`` for a reduction or scan of one output.

    Args:
        met: what forms of calls come to, by `form_of`.
    """

    def rule(a: Any, *options: Any) -> Any:
        seat = get()
        if seat is None:
            return NotImplemented
        graph = seat.graph
        x = plain(seat, graph, a)
        if x is None:
            return NotImplemented
        form = met.get(form_of(x, options) if options else (x.shape, x.cls))
        if form is None:
            return NotImplemented
        return graph.grow(op, (x,), ONE_ARRAY, *form)

    return rule


def form_of(x: Node, options: tuple[Any, ...]) -> Any:
    """Return the signature of calls with the array `x` first.

    Return None where it takes more looking.

    Args:
        options: of the call: numbers and char rows.
    """
    if not options:
        return x.shape, x.cls
    words = words_key(options)
    return None if words is None else (x.shape, x.cls, words)
