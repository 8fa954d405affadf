"""The operations of MATLAB's operators; the builtins of these names make the same nodes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from runmat_core.accel.graph import classes, facts
from runmat_core.accel.graph.node import Op
from runmat_core.accel.ops.elementwise import ElementwiseOp, converted, elementwise_op, map_op
from runmat_core.api import ir
from runmat_core.api.ir import V
from runmat_core.api.operators import OPERATORS
from runmat_core.values import dispatch


def _power_guard(x: V, y: V) -> V:
    """Return where a negative base meets an exponent that is no whole number."""
    found = classes.outcome("arithmetic", classes.of_types((x.dtype, y.dtype), (x.known, y.known)))
    assert found is not None, (x.dtype, y.dtype)
    x, y = converted((x, y), found.dtype)
    return (x < 0) & (ir.trunc(y) != y)


def rule_of(name: str) -> Callable[..., Any]:
    """Return the operator of any values; names that are Python's own end in an underscore there."""
    return getattr(dispatch, name, None) or getattr(dispatch, f"{name}_")  # type: ignore[no-any-return]


@cache
def operator_op(name: str) -> Op:
    """Return the operation of an operator of MATLAB, by the name of its builtin."""
    op = map_op(name, OPERATORS[name], rule_of(name), 1)
    return Op(name, "map", op.host, op.fragment, _power_guard) if name == "power" else op


def _power_needs_guard(inputs: tuple[Any, ...]) -> bool:
    """Return whether powers may be complex; those of integer classes never are."""
    for value in inputs:
        if getattr(value, "dtype", "f64")[0] in "iu":
            return False
    return facts.power_may_leave(*inputs)


def _operation(name: str) -> ElementwiseOp:
    spec = OPERATORS[name]
    if name != "power":
        return elementwise_op(name, spec, rule_of(name))
    known = elementwise_op(name, spec, dispatch.power)
    return ElementwiseOp(
        operator_op(name),
        spec,
        _power_needs_guard,
        of_complex=known.of_complex,
        of_long=known.of_long,
    )


#: By the names of the builtins.
OPERATIONS: dict[str, ElementwiseOp] = {name: _operation(name) for name in OPERATORS}
