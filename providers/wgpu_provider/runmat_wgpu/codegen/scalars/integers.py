"""Operations on integers, which wrap around as NumPy's do."""

from __future__ import annotations

from runmat_core.api.ir.kernel import ITEMSIZE
from runmat_wgpu.codegen.scalars.expressions import Expressions
from runmat_wgpu.codegen.shader import DeclinedError

_PLAIN = {
    "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
    "bitand": "&", "bitor": "|", "bitxor": "^",
}  # fmt: skip
#: Results may not fit a type narrower than its register.
_WRAPPING = {"add": "+", "sub": "-", "mul": "*"}
_SAME = frozenset({"floor", "ceil", "trunc", "round"})


def integer_operation(scalars: Expressions, op: str, dtype: str, args: list[str]) -> str:
    """Return an operation on integers of type `dtype`.

    Raises:
        DeclinedError: integers have no such operation, or the device lacks the type.
    """
    kind = scalars.type(dtype)
    if op in _PLAIN:
        return f"({args[0]} {_PLAIN[op]} {args[1]})"
    if op in _WRAPPING:
        return _narrowed(f"({args[0]} {_WRAPPING[op]} {args[1]})", dtype)
    if op in _SAME:
        return args[0]
    if op in ("min", "max"):
        return f"{op}({args[0]}, {args[1]})"
    if op in ("mod", "rem"):
        return scalars.function(f"{op}_{kind}", *args)
    if op == "quot":
        return _narrowed(scalars.function(f"quot_{kind}", *args), dtype)
    if op in ("shl", "shr"):
        return _shifted(op, dtype, kind, args)
    if op == "bitnot":
        return _narrowed(f"(~{args[0]})", dtype)
    if op == "neg":
        return _narrowed(f"({kind}(0) - {args[0]})", dtype)
    if op == "abs":
        return args[0] if dtype[0] == "u" else _narrowed(f"abs({args[0]})", dtype)
    if op == "sign":
        positive = f"select({kind}(0), {kind}(1), {args[0]} > {kind}(0))"
        return positive if dtype[0] == "u" else f"sign({args[0]})"
    raise DeclinedError(f"{op} of {dtype}")


def _narrowed(expression: str, dtype: str) -> str:
    """Return a register's value wrapped around to a narrower type."""
    bits = 8 * ITEMSIZE[dtype]
    if bits >= 32:
        return expression
    if dtype[0] == "u":
        return f"({expression} & {(1 << bits) - 1}u)"
    return f"(({expression} << {32 - bits}u) >> {32 - bits}u)"


def _shifted(op: str, dtype: str, kind: str, args: list[str]) -> str:
    """Shifts by the type's width or more give 0."""
    bits = 8 * ITEMSIZE[dtype]
    x, k = args
    sign = "<<" if op == "shl" else ">>"
    near = f"({x} {sign} (u32({k}) & {31 if bits <= 32 else 63}u))"
    far = f"({k} >= {kind}({bits}))"
    return f"select({_narrowed(near, dtype)}, {kind}(0), {far})"
