"""Products of pending and of large matrices, as library calls (`ops.products`).

Their element types are one: what is mixed stays as it was written. Products of complex matrices are
made of real ones (`complexes.product`).
"""

from __future__ import annotations

from typing import Any

from runmat_core.accel.capture import early, operators
from runmat_core.accel.capture.boundary import any_node_of, deferred, lazy, lazy_result
from runmat_core.accel.capture.direct import Rule, beside, plain
from runmat_core.accel.context import get
from runmat_core.accel.graph.classes import CLASS_SEEN
from runmat_core.accel.graph.graph import ELEMENTS, Graph
from runmat_core.accel.graph.node import COMPLEX_CLASSES, TWO_ARRAYS, Node
from runmat_core.accel.ops import complexes
from runmat_core.accel.ops.products import MATMUL
from runmat_core.api import errors
from runmat_core.values import dispatch
from runmat_core.values.array import Array
from runmat_core.values.classes import FLOAT_CLASSES
from runmat_core.values.deferred import settled
from runmat_core.values.hooks import HOOKS


def _mtimes(own: Rule, way: Rule) -> Rule:
    def rule(a: Any, b: Any) -> Any:
        if a.__class__ is Array and b.__class__ is Array:
            # what is pending was tried for the short cut before
            least = HOOKS.smallest
            if a.data.size >= least or b.data.size >= least:
                result = way(a, b)
                if result is not NotImplemented:
                    return result
            graph = lazy(a, b) or lazy_result(a.data.shape[0] * b.data.shape[1])
        else:
            graph = lazy(a, b)
        if graph is None:
            return own(settled(a), settled(b))
        return _made(graph, own, a, b)

    return rule


def _made(graph: Graph, own: Rule, a: Any, b: Any) -> Any:
    """Return the product as a node; by the operator's own rule where it is no library call."""
    x, y = any_node_of(graph, a), any_node_of(graph, b)
    if not isinstance(x, Node) or not isinstance(y, Node):
        return own(a, b)
    if (1, 1) in (x.shape, y.shape) or len(x.shape) > 2 or len(y.shape) > 2:
        return own(a, b)
    cls = CLASS_SEEN[x.cls]
    if cls != CLASS_SEEN[y.cls] or cls not in FLOAT_CLASSES or 0 in x.shape or 0 in y.shape:
        return own(a, b)
    if x.shape[1] != y.shape[0]:
        raise errors.inner_dimensions()
    if x.cls in COMPLEX_CLASSES or y.cls in COMPLEX_CLASSES:
        return deferred(complexes.product(graph, x, y, (MATMUL, _PLAIN)))
    seat = get()
    assert seat is not None
    early.start(seat, x, y)
    shape = (x.shape[0], y.shape[1])
    early.captured(graph, shape[0], x.shape[1], shape[1])
    return deferred(graph.append(MATMUL, (x, y), _PLAIN, shape, x.cls))


def _direct(scaled: Rule) -> Rule:
    """Return the short cut of ``*``: `scaled` with a scalar operand, else a product of matrices."""

    def rule(a: Any, b: Any) -> Any:
        if a.__class__ is float or b.__class__ is float:
            return scaled(a, b)
        seat = get()
        if seat is None:
            return NotImplemented
        graph = seat.graph
        x, y = plain(seat, graph, a), plain(seat, graph, b)
        if x is None:
            x = None if y is None else beside(graph, a)
        elif y is None:
            y = beside(graph, b)
        if x is None or y is None or not len(x.shape) == len(y.shape) == 2:
            return NotImplemented
        (rows, inner), (again, columns) = x.shape, y.shape
        if inner != again or x.cls != y.cls or x.cls not in FLOAT_CLASSES:
            return NotImplemented
        if rows * columns > ELEMENTS:
            return NotImplemented
        if x.data is None or y.data is None:
            early.start(seat, x, y)
        early.captured(graph, rows, inner, columns)
        return graph.grow(MATMUL, (x, y), TWO_ARRAYS, _PLAIN, (rows, columns), x.cls)

    return rule


#: The static arguments of a product as it is captured.
_PLAIN = (("attributes", ()),)
#: The rule of products, made with the first `install`.
_rule: list[Rule] = []


def install() -> None:
    """Put the rule before that of products with scalars, which is in place by then."""
    if not _rule:
        dispatch.DIRECT["mtimes"] = way = _direct(dispatch.DIRECT["mtimes"])
        _rule.append(_mtimes(dispatch.OPERATORS["mtimes"], way))
        operators.replace("mtimes", _rule[0])
