"""Quotients of matrices as library calls: systems of linear equations, and least squares.

They guard, so that a warning of a singular matrix comes from the statement that it stands in.
"""

from __future__ import annotations

from typing import Any

from runmat_core.accel.capture.boundary import lazy, node_of
from runmat_core.accel.capture.calls import call_op, capture_call, offered
from runmat_core.accel.graph.node import Node
from runmat_core.api.fusion import Requested
from runmat_core.values import dispatch
from runmat_core.values.classes import FLOAT_CLASSES


def _host(node: Node, a: Any, b: Any) -> Any:
    return dispatch.HOST_RULES["mldivide"](a, b)


def left(a: Any, b: Any) -> Any:
    r"""Return ``a \ b`` of two matrices; NotImplemented where no library has it.

    Raises:
        MatlabError: of the host rule.
    """
    graph = lazy(a, b)
    if graph is None:
        return NotImplemented
    x, y = node_of(graph, a), node_of(graph, b)
    if x.__class__ is not Node or y.__class__ is not Node:
        return NotImplemented
    if x.cls != y.cls or x.cls not in FLOAT_CLASSES or len(x.shape) > 2 or len(y.shape) > 2:
        return NotImplemented
    (m, n), (rows, k) = x.shape, y.shape
    if rows != m or m < n or 0 in (m, n, k):
        return NotImplemented
    name = "solve" if m == n else "lstsq"
    if not offered(name):
        return NotImplemented
    request = Requested((), (((n, k), x.cls),), guards=True)
    return capture_call(graph, call_op(name, _host), (x, y), request)


def right(a: Any, b: Any) -> Any:
    r"""Return ``a / b`` of two matrices, which is the transpose of ``b' \ a'``."""
    if lazy(a, b) is None or not (offered("solve") or offered("lstsq")):
        return NotImplemented
    turn = dispatch.transpose
    found = left(turn(b), turn(a))
    return found if found is NotImplemented else turn(found)
