"""What the elementwise operators are in kernel IR; their builtins (``plus(a, b)``) share it."""

from __future__ import annotations

from typing import Any

from runmat_core.api import ir
from runmat_core.api.fusion import Map


def _power(x: Any, y: Any) -> Any:
    """The first power of a float is the base itself, the second a product."""
    if y.known == "1" and y.dtype in ("f32", "f64"):
        return x
    return ir.power(x, y)


#: By the names of the builtins.
OPERATORS: dict[str, Map] = {
    "plus": Map(lambda x, y: x + y, "arithmetic"),
    "minus": Map(lambda x, y: x - y, "arithmetic"),
    "times": Map(lambda x, y: x * y, "arithmetic"),
    "rdivide": Map(lambda x, y: x / y, "arithmetic"),
    "ldivide": Map(lambda x, y: y / x, "arithmetic"),
    # where a negative base meets a fraction is for `accel.capture.operators` to watch
    "power": Map(_power, "arithmetic"),
    "uminus": Map(lambda x: -x, "arithmetic"),
    "eq": Map(lambda x, y: x == y, "compare"),
    "ne": Map(lambda x, y: x != y, "compare"),
    "lt": Map(lambda x, y: x < y, "compare"),
    "le": Map(lambda x, y: x <= y, "compare"),
    "gt": Map(lambda x, y: x > y, "compare"),
    "ge": Map(lambda x, y: x >= y, "compare"),
    "and": Map(lambda x, y: x & y, "logical", refuses="nan"),
    "or": Map(lambda x, y: x | y, "logical", refuses="nan"),
    "not": Map(lambda x: ~x, "logical", refuses="nan"),
}
