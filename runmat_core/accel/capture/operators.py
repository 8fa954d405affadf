"""The elementwise operators on deferred and on large arrays.

`install` puts a rule in front of each operator's own in `values.dispatch.OPERATORS`. On what is
small and settled the own rule runs at once, after two class tests; everything else is looked at
here: it becomes a node of the graph where the operands fuse, else the own rule gets settled values.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from runmat_core.accel.capture import direct, quotients
from runmat_core.accel.capture.boundary import lazy, lazy_pair
from runmat_core.accel.capture.maps import capture_map
from runmat_core.accel.graph.graph import Graph
from runmat_core.accel.ops.elementwise import ElementwiseOp
from runmat_core.accel.ops.operators import OPERATIONS
from runmat_core.api.operators import OPERATORS
from runmat_core.values import dispatch
from runmat_core.values.array import Array
from runmat_core.values.base import Complex
from runmat_core.values.deferred import Deferred, settled

Rule = Callable[..., Any]


# -- rules -----------------------------------------------------------------------------------------


class _Bound:
    """The least number of elements of an array that any engine captures."""

    __slots__ = ("size",)

    def __init__(self) -> None:
        self.size = 1 << 62


_bound = _Bound()
#: The rules that capture, by their keys in `dispatch.OPERATORS`; made with the first `install`.
_capturing: dict[str, Rule] = {}


def install(threshold: int = 0) -> None:
    """Capture operators from now on; arrays with fewer elements than `threshold` are left alone.

    May be called again: the least threshold counts.
    """
    _bound.size = min(_bound.size, threshold)
    if not _capturing:
        ways = _direct_ways()
        for name in (*OPERATORS, *_MATRIX):
            key = name if name in dispatch.HOST_RULES else f"{name}_"
            look = _MATRIX.get(name) or partial(_captured, OPERATIONS[name])
            rule = _unary if name in _UNARY else _binary
            _capturing[key] = rule(dispatch.HOST_RULES[key], look, ways.get(key))
        dispatch.DIRECT.update(ways)
    dispatch.OPERATORS.update(_capturing)


def replace(key: str, rule: Rule) -> None:
    """Let `rule` come before that of this module, also where that is installed again."""
    dispatch.OPERATORS[key] = _capturing[key] = rule


_UNARY = frozenset({"uminus", "uplus", "not"})


def _direct_ways() -> dict[str, Rule]:
    """Return the short cuts of operators, by their keys in `dispatch.DIRECT`."""
    ways: dict[str, Rule] = {}
    for name, operation in OPERATIONS.items():
        if direct.takes(operation):
            key = name if name in dispatch.HOST_RULES else f"{name}_"
            ways[key] = (direct.unary if name in _UNARY else direct.binary)(operation)
    ways["mtimes"] = direct.binary(OPERATIONS["times"], arrays=False)
    ways["mrdivide"] = direct.binary(OPERATIONS["rdivide"], arrays=False, left=False)
    ways["mldivide"] = direct.binary(OPERATIONS["ldivide"], arrays=False, right=False)
    return ways


def _binary(own: Rule, look: Rule, way: Rule | None) -> Rule:
    """`own` of small settled operands; `look` of others, after the short cut of large arrays.

    Those that are pending were tried for it before.
    """
    bound = _bound

    def rule(a: Any, b: Any) -> Any:
        kind, other = a.__class__, b.__class__
        if (kind is Array and a.data.size >= bound.size) or (
            other is Array and b.data.size >= bound.size
        ):
            result = NotImplemented if way is None else way(a, b)
            return look(own, a, b) if result is NotImplemented else result
        if kind is Deferred or other is Deferred:
            return look(own, a, b)
        if (
            kind is other is Array
            and a.data.size * b.data.size >= bound.size
            and a.data.shape != b.data.shape
        ):
            return look(own, a, b)
        return own(a, b)

    return rule


def _unary(own: Rule, look: Rule, way: Rule | None) -> Rule:
    bound = _bound

    def rule(a: Any) -> Any:
        kind = a.__class__
        if kind is Array and a.data.size >= bound.size:
            result = NotImplemented if way is None else way(a)
            return look(own, a) if result is NotImplemented else result
        return look(own, a) if kind is Deferred else own(a)

    return rule


def _captured(operation: ElementwiseOp, own: Rule, *operands: Any) -> Any:
    """`operation` of the operands as a node; by the operator's own rule where it does not fuse."""
    graph: Graph | None = lazy_pair(*operands) if len(operands) == 2 else lazy(*operands)
    if graph is not None:
        result = capture_map(operation, graph, operands)
        if result is not NotImplemented:
            return result
    return own(*map(settled, operands))


# -- matrix operators with a scalar operand --------------------------------------------------------


def _is_one(value: Any) -> bool:
    """Whether a value is a scalar."""
    if value.__class__ is Array or value.__class__ is Deferred:
        return value.shape == (1, 1)
    kind = value.__class__
    return kind is float or kind is bool or kind is Complex


def _mtimes(own: Rule, a: Any, b: Any) -> Any:
    if _is_one(a) or _is_one(b):
        return _captured(OPERATIONS["times"], own, a, b)
    return own(settled(a), settled(b))


def _mrdivide(own: Rule, a: Any, b: Any) -> Any:
    if _is_one(b):
        return _captured(OPERATIONS["rdivide"], own, a, b)
    found = quotients.right(a, b)
    return own(settled(a), settled(b)) if found is NotImplemented else found


def _mldivide(own: Rule, a: Any, b: Any) -> Any:
    if _is_one(a):
        return _captured(OPERATIONS["ldivide"], own, a, b)
    found = quotients.left(a, b)
    return own(settled(a), settled(b)) if found is NotImplemented else found


def _mpower(own: Rule, a: Any, b: Any) -> Any:
    if _is_one(a) and _is_one(b):
        return _captured(OPERATIONS["power"], own, a, b)
    return own(settled(a), settled(b))


def _uplus(own: Rule, a: Any) -> Any:
    if a.__class__ is Deferred and a.class_name != "logical":
        return a.share()
    return own(settled(a))


_MATRIX: dict[str, Rule] = {
    "mtimes": _mtimes,
    "mrdivide": _mrdivide,
    "mldivide": _mldivide,
    "mpower": _mpower,
    "uplus": _uplus,
}
