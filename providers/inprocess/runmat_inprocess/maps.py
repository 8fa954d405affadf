"""Map operations as NumPy functions: for each, what computes it into a given array.

A rule's function is called as ``function(*operands, out, *scratch)``: ufuncs take their output
there anyway, and whatever needs more than one ufunc asks for scratch arrays instead of allocating,
because the page faults of fresh memory cost as much as the arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from runmat_core.api.device import NUMPY_DTYPE
from runmat_core.api.ir import FLOATS, INTEGERS, OPS, Instr
from runmat_inprocess.casts import cast_rule

#: For ufuncs and for what writes an element of `out` after it last read that of the operands.
ANY_OPERAND = (0, 1, 2)


class Rule(NamedTuple):
    """How an operation is computed.

    Attributes:
        function: ``function(*operands, out, *scratch)``.
        scratch: element types of the scratch arrays, each of the shape of `out`.
        in_place: which operands may share their memory with `out`.
    """

    function: Callable[..., Any]
    scratch: tuple[str, ...] = ()
    in_place: tuple[int, ...] = ANY_OPERAND


UFUNC: dict[str, Any] = {
    "neg": np.negative,
    "abs": np.absolute,
    "sign": np.sign,
    "sqrt": np.sqrt,
    "exp": np.exp,
    "expm1": np.expm1,
    "log": np.log,
    "log1p": np.log1p,
    "log2": np.log2,
    "log10": np.log10,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
    "floor": np.floor,
    "ceil": np.ceil,
    "trunc": np.trunc,
    "cbrt": np.cbrt,
    "bitnot": np.invert,
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.true_divide,
    "pow": np.power,
    "min": np.fmin,  # NaN gives way to a number
    "max": np.fmax,
    "atan2": np.arctan2,
    "hypot": np.hypot,
    "bitand": np.bitwise_and,
    "bitor": np.bitwise_or,
    "bitxor": np.bitwise_xor,
    "shl": np.left_shift,
    "shr": np.right_shift,
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "and": np.logical_and,
    "or": np.logical_or,
    "xor": np.logical_xor,
    "not": np.logical_not,
    "isnan": np.isnan,
    "isinf": np.isinf,
    "isfinite": np.isfinite,
}

#: scipy is imported by the first kernel that needs it
SCIPY = frozenset({"erf", "erfc", "erfinv", "gammaln"})
#: of integers these give the operand
ROUNDINGS = frozenset({"floor", "ceil", "trunc", "round"})
#: of these NumPy has no integer form, or one with another meaning
FLOATS_ONLY = frozenset({"div", "pow"})


def rule_for(instr: Instr, operands: tuple[str, ...]) -> Rule | None:
    """The rule of a map instruction for operands of these element types; None for none."""
    rule = _find(instr, operands)
    if rule is None or not _accepts(rule, instr, operands):
        return None
    return rule


def _find(instr: Instr, operands: tuple[str, ...]) -> Rule | None:
    op, kind = instr.op, operands[0]
    if op not in OPS or len(operands) != OPS[op].arity:
        return None
    if op == "cast":
        return Rule(*cast_rule(kind, instr.dtype))
    if op == "select":
        return Rule(_select, in_place=(2,))
    if kind in INTEGERS and op in ROUNDINGS:
        return Rule(_copy)
    if op in FLOATS_ONLY and kind not in FLOATS:
        return None
    if op == "round":
        return Rule(_round, (kind, "bool"), ())
    if op in ("mod", "rem"):
        floored = op == "mod"
        return Rule(_Remainder(floored) if kind in FLOATS else _IntegerRemainder(floored), (), ())
    if op == "gamma":
        return Rule(_gamma, ("bool",), ())
    if op in SCIPY:
        return Rule(getattr(_special(), op))
    return Rule(UFUNC[op]) if op in UFUNC else None


def _accepts(rule: Rule, instr: Instr, operands: tuple[str, ...]) -> bool:
    """Whether the rule runs on arrays of these types, asked of arrays without elements."""
    arrays = [np.empty(0, NUMPY_DTYPE[o]) for o in operands]
    scratch = [np.empty(0, NUMPY_DTYPE[s]) for s in rule.scratch]
    try:
        rule.function(*arrays, np.empty(0, NUMPY_DTYPE[instr.dtype]), *scratch)
    except TypeError:
        return False
    return True


def _special() -> Any:
    import scipy.special

    return scipy.special


def _copy(x: Any, out: Any) -> None:
    np.copyto(out, x)


def _select(condition: Any, if_true: Any, if_false: Any, out: Any) -> None:
    if out is not if_false:
        np.copyto(out, if_false)
    np.copyto(out, if_true, where=condition)


def _round(x: Any, out: Any, rest: Any, half: Any) -> None:
    np.rint(x, out)  # halves go to even numbers, so only these are left to mend
    np.subtract(x, out, rest)
    np.absolute(rest, rest)
    np.equal(rest, 0.5, half)
    if half.any():
        np.copysign(0.5, x, rest)
        np.add(x, rest, out, where=half)


class _Remainder:
    """MATLAB's ``mod`` or ``rem`` of floats; zero where the quotient is an integer to round-off."""

    def __init__(self, floored: bool) -> None:
        self.floored = floored

    def __call__(self, x: Any, y: Any, out: Any) -> None:
        np.fmod(x, y, out)
        if self.floored:
            opposite = ((out < 0) != (y < 0)) & (out != 0) & np.isfinite(y)
            np.add(out, y, out, where=opposite)
        fractional = np.rint(y) != y
        if fractional.any():
            quotient = x / y
            nearest = np.rint(quotient)
            eps = np.finfo(out.dtype).eps
            whole = (np.abs(quotient - nearest) < eps * np.abs(nearest)) & (nearest != 0)
            np.copyto(out, 0, where=whole & fractional)
        zero = y == 0
        if zero.any():
            np.copyto(out, x if self.floored else np.nan, where=zero)


class _IntegerRemainder:
    def __init__(self, floored: bool) -> None:
        self.floored = floored

    def __call__(self, x: Any, y: Any, out: Any) -> None:
        zero = y == 0
        divisor = np.where(zero, np.ones_like(y), y)
        (np.mod if self.floored else np.fmod)(x, divisor, out)
        if zero.any():
            np.copyto(out, x if self.floored else 0, where=zero)


def _gamma(x: Any, out: Any, pole: Any) -> None:
    _special().gamma(x, out)
    np.less_equal(x, 0, pole)
    if pole.any():
        np.logical_and(pole, np.floor(x) == x, pole)
        np.copyto(out, np.inf, where=pole)
