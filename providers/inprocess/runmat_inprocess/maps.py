"""Map operations as NumPy functions: for each, what computes it into a given array.

A rule's function is called as ``function(*operands, out, *scratch)``: ufuncs take their output
there anyway, and whatever needs more than one ufunc asks for scratch arrays instead of allocating,
because the page faults of fresh memory cost as much as the arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runmat_core.api.device import NUMPY_DTYPE
from runmat_core.api.ir import COMPLEX, COMPLEX_OPS, FLOATS, INTEGERS, OPS, Instr
from runmat_core.api.tuples import NamedTuple
from runmat_inprocess import composites
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
    "conj": np.conjugate,
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
SCIPY = frozenset({"erf", "erfc", "gammaln"})
#: of integers these give the operand
ROUNDINGS = frozenset({"floor", "ceil", "trunc", "round"})
#: of these NumPy has no integer form, or one with another meaning
FLOATS_ONLY = frozenset({"div", "pow"})


def rule_for(instr: Instr, operands: tuple[str, ...]) -> Rule | None:
    """Return the rule of a map instruction for operands of these element types; None for none."""
    rule = _find(instr, operands)
    if rule is None or not _accepts(rule, instr, operands):
        return None
    return rule


def _find(instr: Instr, operands: tuple[str, ...]) -> Rule | None:
    op, kind = instr.op, operands[0]
    if op not in OPS or len(operands) != OPS[op].arity:
        return None
    if op == "complex":
        return Rule(composites.joined)
    if op != "cast" and not COMPLEX.isdisjoint(operands):
        return _of_complex(instr, operands)
    if op == "cast":
        return Rule(*cast_rule(kind, instr.dtype))
    if op == "select":
        return Rule(composites.select, (_bits(instr.dtype),), (1,))
    if kind in INTEGERS and op in ROUNDINGS:
        return Rule(composites.copy)
    if op in FLOATS_ONLY and kind not in FLOATS:
        return None
    if op == "pow":
        return Rule(composites.power, ("bool",), ())
    if op in ("min", "max"):
        return Rule(composites.Extremum(UFUNC[op]))
    if op == "round":
        return Rule(composites.round_half_away, (kind, "bool"), ())
    if op == "quot":
        return Rule(composites.integer_quotient, ("bool",), ()) if kind in INTEGERS else None
    if op in ("mod", "rem"):
        remainder = composites.Remainder if kind in FLOATS else composites.IntegerRemainder
        return Rule(remainder(floored=op == "mod"), (), ())
    if op == "gamma":
        return Rule(composites.gamma, ("bool",), ())
    if op == "erfinv":
        return Rule(composites.erfinv)
    if op in SCIPY:
        return Rule(getattr(composites.special(), op))
    return Rule(UFUNC[op]) if op in UFUNC else None


def _of_complex(instr: Instr, operands: tuple[str, ...]) -> Rule | None:
    """Return the rule of an operation other than a cast of which an operand is complex."""
    op = instr.op
    if op not in COMPLEX_OPS:
        return None
    if op == "select":
        return Rule(composites.chosen, (), ())
    if op == "div":
        return Rule(composites.quotient, ("bool",), ())
    if op == "mul":
        return Rule(composites.product, (), ())
    if op == "pow":
        return Rule(composites.complex_power, ("bool",), ())
    if op in ("real", "imag"):
        return Rule(composites.real if op == "real" else composites.imag)
    return Rule(UFUNC[op])


def _accepts(rule: Rule, instr: Instr, operands: tuple[str, ...]) -> bool:
    """Whether the rule runs on arrays of these types, asked of arrays without elements."""
    arrays = [np.empty(0, NUMPY_DTYPE[o]) for o in operands]
    scratch = [np.empty(0, NUMPY_DTYPE[s]) for s in rule.scratch]
    try:
        rule.function(*arrays, np.empty(0, NUMPY_DTYPE[instr.dtype]), *scratch)
    except TypeError:
        return False
    return True


def _bits(dtype: str) -> str:
    """Return the integer type with the size of another type."""
    return f"i{8 * NUMPY_DTYPE[dtype].itemsize}"
