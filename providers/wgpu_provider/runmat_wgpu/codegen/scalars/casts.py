"""Conversions between element types as MATLAB converts."""

from __future__ import annotations

from runmat_core.api.ir import FLOATS, PART_OF
from runmat_wgpu.codegen.scalars.expressions import Expressions
from runmat_wgpu.codegen.scalars.types import LIMITS


def cast(scalars: Expressions, expression: str, source: str, target: str) -> str:
    """`expression` of type `source` as a value of type `target`.

    Raises:
        DeclinedError: the device lacks one of the types.
    """
    before, after = scalars.type(source), scalars.type(target)
    if source == target:
        return expression
    if target in PART_OF:
        return _complex(scalars, expression, source, target)
    if after == "bool":
        return f"(!({expression} == {before}(0)))"
    if before == "bool":
        return f"select({after}(0), {after}(1), {expression})"
    if after in FLOATS:
        return f"{after}({expression})"
    if before in FLOATS:
        return _whole(scalars, expression, before, target, after)
    return _between_integers(expression, source, before, target, after)


def _complex(scalars: Expressions, expression: str, source: str, target: str) -> str:
    """Return a value as a complex one; a real one gets a zero that the compiler does not know."""
    part = PART_OF[target]
    if source in PART_OF:
        return f"{scalars.type(target)}({expression})"
    zero = scalars.literal(0.0, part)
    return f"{scalars.type(target)}({cast(scalars, expression, source, part)}, {zero})"


def _whole(scalars: Expressions, expression: str, before: str, target: str, after: str) -> str:
    if target == after:
        return scalars.function(f"whole_{after}_{before}", expression)
    low, high = (scalars.literal(limit, before) for limit in LIMITS[target])
    bounds = (low, high) if after == "i32" else (high,)
    return scalars.function(f"{after}_{before}", expression, *bounds)


def _between_integers(expression: str, source: str, before: str, target: str, after: str) -> str:
    """Saturates in the source's type and then converts, which loses nothing."""
    suffix = {"i32": "i", "u32": "u", "i64": "li", "u64": "lu"}[before]
    (least, most), (low, high) = LIMITS[source], LIMITS[target]
    if least < low:
        lowest = f"{low}{suffix}" if low >= 0 else f"({low}{suffix})"
        expression = f"max({expression}, {lowest})"
    if most > high:
        expression = f"min({expression}, {high}{suffix})"
    if before == "u32" and after == "i64":
        return f"i64(u64({expression}))"  # naga extends the highest bit as a sign
    return expression if before == after else f"{after}({expression})"
