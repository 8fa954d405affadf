"""Parts, conjugates and products of complex nodes, made of real and complex operations.

A complex node stays complex whatever its elements turn out to be: whether MATLAB would have made
them real is found out where a value is read (`accel.graph.handle.Handle`).
"""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from runmat_core.accel.graph.classes import CLASS_SEEN
from runmat_core.accel.graph.graph import Graph
from runmat_core.accel.graph.node import COMPLEX_CLASSES, Node, Op
from runmat_core.accel.ops.elementwise import map_op
from runmat_core.accel.ops.operators import OPERATIONS
from runmat_core.api import ir
from runmat_core.api.fusion import Map
from runmat_core.api.ir import COMPLEX_CLASS, COMPLEX_OF
from runmat_core.values.array import from_numpy, to_numpy


def _joined(x: Any, y: Any) -> Any:
    return from_numpy(np.asfortranarray(to_numpy(x) + 1j * to_numpy(y)))


CONJ = map_op("conj", Map(ir.conj, "complex"), lambda z: from_numpy(to_numpy(z).conj()))
REAL = map_op("real", Map(ir.real, "part"), lambda z: from_numpy(np.array(to_numpy(z).real)))
IMAG = map_op("imag", Map(ir.imag, "part"), lambda z: from_numpy(np.array(to_numpy(z).imag)))
#: Unlike what the builtin ``complex`` gives, real where the imaginary parts are zero.
JOIN = attrs.evolve(map_op("complex", Map(ir.complex_, "parts"), _joined), keeps_complex=False)


def conjugated(graph: Graph, node: Node) -> Node:
    """Return the conjugate of a complex node."""
    return graph.append(CONJ, (node,), (), node.shape, node.cls)


def parts_of(graph: Graph, node: Node) -> tuple[Node, Node | None]:
    """Real and imaginary part, the latter None of what is real.

    Those of a pending view are views of parts, so that a transpose stays one.
    """
    if node.cls not in COMPLEX_CLASSES:
        return node, None
    if node.data is None and node.op.kind == "view":
        below = parts_of(graph, node.inputs[0])
        made = [_viewed(graph, node, part) for part in below if part is not None]
        return made[0], made[1]
    if node.data is None and node.op is CONJ:
        real, imag = parts_of(graph, node.inputs[0])
        assert imag is not None
        negative = OPERATIONS["uminus"].op
        return real, graph.append(negative, (imag,), (), imag.shape, imag.cls)
    cls = CLASS_SEEN[node.cls]
    real, imag = (graph.append(op, (node,), (), node.shape, cls) for op in (REAL, IMAG))
    return real, imag


def widened(graph: Graph, node: Node, cls: str) -> Node:
    """Return a node of a complex class or of its parts' as one of the former."""
    return node if node.cls == cls else graph.append(JOIN, (node, 0.0), (), node.shape, cls)


def _viewed(graph: Graph, view: Node, part: Node) -> Node:
    return graph.append(view.op, (part,), view.static, view.shape, part.cls)


def joined(graph: Graph, real: Node, imag: Node) -> Node:
    """Return the complex node of two real ones of one size and class."""
    cls = COMPLEX_CLASS[COMPLEX_OF[real.dtype]]
    return graph.append(JOIN, (real, imag), (), real.shape, cls)


def product(graph: Graph, x: Node, y: Node, plain: tuple[Op, Any]) -> Node:
    """Return the product of two matrices of one precision, at least one of which is complex.

    It is made of real ones: four, or two where a matrix is real.

    Args:
        plain: operation and static arguments of a product of real matrices.
    """
    (a, b), (c, d) = parts_of(graph, x), parts_of(graph, y)
    op, static = plain
    shape = (x.shape[0], y.shape[1])

    def times(left: Node, right: Node) -> Node:
        return graph.append(op, (left, right), static, shape, a.cls)

    def combined(name: str, first: Node, second: Node) -> Node:
        return graph.append(OPERATIONS[name].op, (first, second), (), shape, a.cls)

    if b is None or d is None:
        other = times(a, d) if d is not None else times(b, c) if b is not None else None
        assert other is not None
        return joined(graph, times(a, c), other)
    real = combined("minus", times(a, c), times(b, d))
    return joined(graph, real, combined("plus", times(a, d), times(b, c)))
