"""Operations on complex elements, which are vectors of their two parts."""

from __future__ import annotations

from collections.abc import Sequence

from runmat_core.api.ir import COMPLEX_OF, COMPLEX_OPS, PART_OF
from runmat_wgpu.codegen.scalars.expressions import Expressions
from runmat_wgpu.codegen.shader import DeclinedError

_VECTOR = {"add": "+", "sub": "-"}
_PART = {"real": "x", "imag": "y"}


def complex_operation(scalars: Expressions, op: str, args: Sequence[str], dtype: str) -> str:
    """Return an operation other than a cast or a choice.

    Args:
        dtype: of the first operand: complex, or for ``complex`` that of its parts.

    Raises:
        DeclinedError: the target lacks the type, or it has no such operation.
    """
    if op == "complex":
        return f"{scalars.type(COMPLEX_OF[dtype])}({', '.join(args)})"
    scalars.type(dtype)
    if op not in COMPLEX_OPS:
        raise DeclinedError(f"{op} of {dtype}")
    if op in _VECTOR:
        return f"({args[0]} {_VECTOR[op]} {args[1]})"
    if op in _PART:
        return f"{args[0]}.{_PART[op]}"
    if op == "ne":
        return f"(!{complex_operation(scalars, 'eq', args, dtype)})"
    return scalars.function(f"c_{op}_{PART_OF[dtype]}", *args)
