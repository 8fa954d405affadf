"""What the elementwise operators are in kernel IR; their builtins (``plus(a, b)``) share it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runmat_core.api import ir
from runmat_core.api.fusion import Map
from runmat_core.api.ir import complexes, saturating

Function = Callable[..., Any]


def _power(x: Any, y: Any) -> Any:
    """Compute a power, of exponent 1 as the base itself."""
    if y.known == "1" and y.dtype in ("f32", "f64"):
        return x
    return ir.power(x, y)


def _complex_power(x: Any, y: Any) -> Any:
    """Compute a power; of exponent 1 it is the base, of 2 a product, of a half a root."""
    if y.known == "1":
        return x
    return ir.sqrt(x) if y.known == "0.5" else ir.power(x, y)


def _arithmetic(
    function: Function,
    of_long: Function | None = None,
    mixed: Function | None = None,
    of_nan: bool = False,
) -> Map:
    """Return an operator of which zero parts of complex operands may make NaN, if `of_nan`.

    Args:
        mixed: the same of operands of which some are complex, by parts where one is real.
    """
    by_parts = function if mixed is None else mixed
    guard = complexes.beside_nan(by_parts) if of_nan else None
    long = None if of_long is None else Map(of_long, "long")
    of_complex = Map(by_parts, "complex" if mixed is None else "mixed", guard=guard)
    return Map(function, "arithmetic", of_complex=of_complex, of_long=long)


def _order(function: Function) -> Map:
    """Return a relation; the order of complex numbers is that of their real parts."""
    of_parts = Map(lambda x, y: function(ir.real(x), ir.real(y)), "compare")
    of_long = Map(function, "long compare")
    return Map(function, "compare", of_complex=of_parts, of_long=of_long)


def _equality(function: Function) -> Map:
    of_long = Map(function, "long compare")
    return Map(function, "compare", of_complex=Map(function, "compare"), of_long=of_long)


#: By the names of the builtins.
OPERATORS: dict[str, Map] = {
    "plus": _arithmetic(lambda x, y: x + y, saturating.plus, complexes.plus),
    "minus": _arithmetic(lambda x, y: x - y, saturating.minus, complexes.minus),
    "times": _arithmetic(lambda x, y: x * y, saturating.times, complexes.times, of_nan=True),
    "rdivide": _arithmetic(lambda x, y: x / y, saturating.divide, complexes.divide, of_nan=True),
    "ldivide": _arithmetic(
        lambda x, y: y / x,
        lambda x, y: saturating.divide(y, x),
        lambda x, y: complexes.divide(y, x),
        of_nan=True,
    ),
    # where a negative base meets a fraction is for `accel.ops.operators` to watch
    "power": Map(
        _power,
        "arithmetic",
        of_complex=Map(_complex_power, "complex", guard=complexes.power_leaves),
        of_long=Map(saturating.power, "long"),
    ),
    "uminus": _arithmetic(lambda x: -x, saturating.negative),
    "eq": _equality(lambda x, y: x == y),
    "ne": _equality(lambda x, y: x != y),
    "lt": _order(lambda x, y: x < y),
    "le": _order(lambda x, y: x <= y),
    "gt": _order(lambda x, y: x > y),
    "ge": _order(lambda x, y: x >= y),
    "and": Map(lambda x, y: x & y, "logical", refuses="nan"),
    "or": Map(lambda x, y: x | y, "logical", refuses="nan"),
    "not": Map(lambda x: ~x, "logical", refuses="nan"),
}
