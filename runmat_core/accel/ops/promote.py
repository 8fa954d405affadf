"""Nodes that were taken for real, inferred again as complex.

A guard that fires tells that elements leave the reals. What depends on them is then made anew, as
if the program had written it with complex arrays: the guarded operation as its complex form of
operands without imaginary parts, what follows by the specs of complex operands. The new nodes are
planned like any others, so complex kernels compute them, and the next run finds their plan.

What has no complex form (library calls, operations that only a host rule decides) is left to host
rules, once its inputs are there. So is what means something else of real elements (`max`), as long
as nobody knows whether there are imaginary parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

import attrs
import numpy as np

from runmat_core.accel.graph.classes import CLASS_SEEN
from runmat_core.accel.graph.fragments import signature_of
from runmat_core.accel.graph.node import COMPLEX_CLASSES, SOURCE, Node, Op, Shape
from runmat_core.accel.ops import complexes
from runmat_core.accel.ops import views as view_ops
from runmat_core.accel.ops.elementwise import (
    ELEMENTWISE,
    ElementwiseOp,
    any_may_be_real,
    converted,
    map_op,
)
from runmat_core.accel.ops.parts import CAT, UPDATE
from runmat_core.accel.ops.products import MATMUL
from runmat_core.accel.ops.reductions import SPECS, reduce_op, result_class
from runmat_core.accel.ops.views import GATHER
from runmat_core.api import ir
from runmat_core.api.device import NUMPY_DTYPE
from runmat_core.api.fusion import Map, Reduction
from runmat_core.api.ir import COMPLEX_CLASS, COMPLEX_OF, DTYPE_OF, V
from runmat_core.values import from_numpy, to_numpy


class _Copies:
    """What makes nodes beside those of a graph: its bounds do not count them."""

    def __init__(self, like: Node) -> None:
        self.like = like

    def append(
        self,
        op: Op,
        inputs: tuple[Any, ...],
        static: Any,
        shape: Shape,
        cls: str,
        guarded: bool = False,
        form: Any = None,
    ) -> Node:
        """As `Graph.append`, for arrays with elements; on the line of the node it is made for."""
        graph: Any = self.like.graph
        seen = static if form is None else form
        value_number = graph.interner.number(op, inputs, seen, shape, cls, guarded)
        return Node(graph, op, inputs, static, shape, cls, value_number, guarded, self.like.place)


@attrs.define(eq=False)
class Promoted:
    """Nodes below some roots, made anew.

    Attributes:
        made: for a node what stands for it: complex, or real and made of other nodes than before.
        host_only: the nodes that host rules have to compute, or that need such.
        first: those of `host_only` that need no other one.
    """

    made: dict[Node, Node] = attrs.Factory(dict)
    host_only: set[Node] = attrs.Factory(set)
    first: list[Node] = attrs.Factory(list)


def promote(order: Sequence[Node], doubtful: Iterable[Node]) -> Promoted:
    """Make anew what depends on complex elements.

    Args:
        order: pending nodes, inputs before what uses them.
        doubtful: those of them whose guards tell of complex elements.
    """
    found = Promoted()
    made, host_only = found.made, found.host_only
    watched = set(doubtful)
    for node in order:
        below = [value for value in node.inputs if value.__class__ is Node]
        for value in below:
            if value.data is not None and value.holds_complex and value not in made:
                made[value] = _strayed(value)
        if any(value in host_only for value in below):
            host_only.add(node)
            continue
        if node not in watched and not any(value in made for value in below):
            continue
        inputs = tuple(
            [made.get(value, value) if value.__class__ is Node else value for value in node.inputs]
        )
        turned = any(now is not was and now.cls != was.cls for now, was in _pairs(node, inputs))
        again = _beyond(node, inputs) if node in watched and not turned else None
        if node not in watched or turned:
            again = _of_complex(node, inputs) if turned else _same(node, inputs)
        if again is None:
            host_only.add(node)
            found.first.append(node)
        else:
            made[node] = again
    return found


def _pairs(node: Node, inputs: tuple[Any, ...]) -> Iterable[tuple[Any, Any]]:
    return [
        (now, was) for now, was in zip(inputs, node.inputs, strict=True) if was.__class__ is Node
    ]


def _strayed(node: Node) -> Node:
    """Return a source of a complex class for a leaf that was taken for real and is complex."""
    cls = COMPLEX_CLASS["c64" if CLASS_SEEN[node.cls] == "single" else "c128"]
    return _source(node, node.data, cls)


def _source(like: Node, data: Any, cls: str) -> Node:
    """Return a source beside the graph of a node."""
    made = _Copies(like).append(SOURCE, (), (), data.shape, cls)
    made.data = data
    return made


def _same(node: Node, inputs: tuple[Any, ...]) -> Node | None:
    """Return the operation of other nodes of the same classes."""
    return _Copies(node).append(
        node.op, inputs, node.static, node.shape, node.cls, node.guarded, _form(node, inputs)
    )


def _form(node: Node, inputs: tuple[Any, ...]) -> Any:
    if node.op.kind == "view":
        return view_ops.form_of(inputs[0].shape, node.shape, node.static)
    return None


# -- guarded nodes ---------------------------------------------------------------------------------


def _beyond(node: Node, inputs: tuple[Any, ...]) -> Node | None:
    """Return the complex form of a guarded operation of real operands."""
    operation = ELEMENTWISE.get(node.op)
    if operation is None or node.cls in COMPLEX_CLASSES or operation.of_complex is None:
        return None
    if operation.outputs > 1 or CLASS_SEEN[node.cls] not in ("double", "single"):
        return None
    op = _beyond_op(operation)
    assert op.fragment is not None
    if op.fragment(*signature_of(inputs), ()) is None:
        return None
    cls = COMPLEX_CLASS[COMPLEX_OF[node.dtype]]
    return _Copies(node).append(op, inputs, (), node.shape, cls)


@cache
def _beyond_op(operation: ElementwiseOp) -> Op:
    """Return an operation on real operands of which some lead out of the reals."""
    assert operation.of_complex is not None
    function, side = operation.of_complex.spec.function, operation.spec.side

    def of_real(*values: V) -> Any:
        if side is not None:
            return function(ir.complex_(values[0], side(values[0])))
        if len(values) == 1:
            # a zero has no side here: the angle of one with a sign would be that of -1
            values = (ir.where(values[0] == 0.0, 0.0, values[0]),)
        return function(*converted(values, COMPLEX_OF[values[0].dtype]))

    made = map_op(operation.op.name, Map(of_real, "parts"), operation.op.host)
    # MATLAB makes the result real where all imaginary parts are zero
    return attrs.evolve(made, host=operation.op.host, keeps_complex=False)


# -- what follows ----------------------------------------------------------------------------------


def _of_complex(node: Node, inputs: tuple[Any, ...]) -> Node | None:
    """Return the operation of operands of which some are complex now.

    Return None where it has no such form.
    """
    kind = node.op.kind
    rule = _RULES.get(kind)
    return None if rule is None else rule(node, inputs)


def _map(node: Node, inputs: tuple[Any, ...]) -> Node | None:
    operation = ELEMENTWISE.get(node.op)
    if operation is None or operation.outputs > 1:
        return None
    form = operation if operation.of_complex is None else operation.of_complex
    if form.spec.refuses is not None:
        return None
    cls = form.class_of(inputs)
    if cls is None:
        return None
    guarded = form.needs_guard is not None and form.needs_guard(inputs)
    return _Copies(node).append(form.op, inputs, (), node.shape, cls, guarded)


def _along(node: Node, inputs: tuple[Any, ...]) -> Node | None:
    """Return a reduction or a scan."""
    spec = SPECS.get(node.op)
    if spec is None or spec.of_complex is None or int(node.option("outputs", 1)) > 1:
        return None
    if spec.decided and any_may_be_real(inputs):
        return None
    (x,) = inputs
    options = node.option("options", ())
    if node.op.kind == "scan":
        options = (*options, ("reverse", node.option("reverse")))
    assert node.op.fragment is not None
    if node.op.fragment((x.dtype,), (None,), options) is None:
        return None
    cls = result_class(spec, x.dtype)
    return _Copies(node).append(node.op, inputs, node.static, node.shape, cls)


def _view(node: Node, inputs: tuple[Any, ...]) -> Node | None:
    (x,) = inputs
    copies = _Copies(node)
    op = node.op
    if op.name == view_ops.CONJUGATE:
        x, op = complexes.conjugated(copies, x), view_ops.view_op("transpose")  # type: ignore[arg-type]
    form = view_ops.form_of(x.shape, node.shape, node.static)
    return copies.append(op, (x,), node.static, node.shape, x.cls, form=form)


def _joined(node: Node, inputs: tuple[Any, ...]) -> Node | None:
    """Arrays side by side, or a region in an array: all of one complex class."""
    if node.op not in (CAT, UPDATE):
        return None
    classes = {CLASS_SEEN[value.cls] for value in inputs if value.__class__ is Node}
    if len(classes) != 1 or not classes <= {"double", "single"}:
        return None
    cls = COMPLEX_CLASS["c64" if "single" in classes else "c128"]
    copies: Any = _Copies(node)
    wide = []
    for value in inputs:
        if value.__class__ is not Node:
            value = _source(node, np.array([[value]], NUMPY_DTYPE[DTYPE_OF[cls]]), cls)
        wide.append(complexes.widened(copies, value, cls))
    return _Copies(node).append(node.op, tuple(wide), node.static, node.shape, cls)


def _gathered(node: Node, inputs: tuple[Any, ...]) -> Node | None:
    if node.op is not GATHER or inputs[1].cls in COMPLEX_CLASSES:
        return None
    return _Copies(node).append(
        node.op, inputs, node.static, node.shape, inputs[0].cls, node.guarded
    )


def _product(node: Node, inputs: tuple[Any, ...]) -> Node | None:
    """Return a product of two matrices as it was captured."""
    if node.op is not MATMUL or node.option("attributes") or len(inputs) != 2:
        return None
    x, y = inputs
    if len(x.shape) > 2 or len(y.shape) > 2 or CLASS_SEEN[x.cls] != CLASS_SEEN[y.cls]:
        return None
    copies: Any = _Copies(node)
    made: Node = complexes.product(copies, x, y, (node.op, node.static))
    return made


_RULES: dict[str, Callable[[Node, tuple[Any, ...]], Node | None]] = {
    "map": _map,
    "reduce": _along,
    "scan": _along,
    "view": _view,
    "cat": _joined,
    "update": _joined,
    "gather": _gathered,
    "call": _product,
}


# -- what came of it -------------------------------------------------------------------------------


def _any_imaginary(z: V) -> V:
    return ir.reduce(ir.reducers.any_(), ~(ir.imag(z) == 0.0))[0]


_IMAGINARY = Reduction(_any_imaginary, "all", "logical", of_complex="complex")
IMAGINARY = reduce_op(
    "isreal", _IMAGINARY, lambda node, z: from_numpy(to_numpy(z).imag.any().reshape(1, 1))
)


def imaginary(node: Node) -> Node:
    """Whether a complex node has an imaginary part that is not zero, a scalar."""
    static = (("axes", tuple(range(len(node.shape)))), ("options", ()))
    return _Copies(node).append(IMAGINARY, (node,), static, (1, 1), "logical")


def real_part(node: Node) -> Node:
    """Return the real part of a complex node."""
    return _Copies(node).append(complexes.REAL, (node,), (), node.shape, CLASS_SEEN[node.cls])
