"""Map operations of one element as LLVM IR: the bits that the host rules give.

Nothing here is relaxed: no flag lets LLVM reorder, contract or approximate. Where a host rule is
several NumPy operations, so is the code, in the same order. Elementary functions are not here:
NumPy's own loops compute them (`parts`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from runmat_core.api.device import NUMPY_DTYPE
from runmat_core.api.ir import FLOATS, INTEGERS, ITEMSIZE, Instr
from runmat_native.text import TYPE, Writer, limits, literal

#: Writes the code of an operation: ``rule(writer, operand types, type of the result, operands)``.
Rule = Callable[[Writer, Sequence[str], str, Sequence[str]], str]


def rule_for(instr: Instr, types: Sequence[str]) -> Rule | None:
    """Return what writes a map operation of real operands; None where it is not one of these."""
    kind = types[0]
    rules = _INTEGER_RULES if instr.op in _INTEGER_RULES else _RULES
    rule = rules.get(instr.op)
    if rule is None or any(t not in TYPE for t in (*types, instr.dtype)):
        return None
    if instr.op == "cast":
        return rule
    if kind == "bool" and instr.op not in _OF_LOGICALS:
        return None
    if kind in FLOATS and instr.op in _OF_INTEGERS:
        return None
    if kind in INTEGERS and instr.op in ("div", "sqrt"):
        return None
    if kind in FLOATS and instr.op in _INTEGER_RULES:
        return None  # NumPy's fmod has a part in these (`parts`)
    return rule


_OF_LOGICALS = frozenset("eq ne and or xor not select isnan isinf isfinite".split())
_OF_INTEGERS = frozenset("quot bitand bitor bitxor bitnot shl shr".split())


def _binary(floats: str, integers: str) -> Rule:
    def rule(w: Writer, types: Sequence[str], dtype: str, args: Sequence[str]) -> str:
        op = floats if dtype in FLOATS else integers
        return w.let(f"{op} {TYPE[dtype]} {args[0]}, {args[1]}")

    return rule


def _compare(floats: str, signed: str, unsigned: str) -> Rule:
    def rule(w: Writer, types: Sequence[str], dtype: str, args: Sequence[str]) -> str:
        kind = types[0]
        if kind in FLOATS:
            return w.let(f"fcmp {floats} {TYPE[kind]} {args[0]}, {args[1]}")
        test = signed if kind[0] == "i" else unsigned
        return w.let(f"icmp {test} {TYPE[kind]} {args[0]}, {args[1]}")

    return rule


def truth(w: Writer, kind: str, value: str) -> str:
    """Return whether a value is not zero; NaN is not."""
    if kind == "bool":
        return value
    if kind in FLOATS:
        return w.let(f"fcmp une {TYPE[kind]} {value}, {literal(0, kind)}")
    return w.let(f"icmp ne {TYPE[kind]} {value}, 0")


def _logic(op: str) -> Rule:
    def rule(w: Writer, types: Sequence[str], dtype: str, args: Sequence[str]) -> str:
        a, b = (truth(w, t, x) for t, x in zip(types, args, strict=True))
        return w.let(f"{op} i1 {a}, {b}")

    return rule


def _not(w: Writer, types: Sequence[str], dtype: str, args: Sequence[str]) -> str:
    return w.let(f"xor i1 {truth(w, types[0], args[0])}, true")


def _neg(w: Writer, types: Sequence[str], dtype: str, args: Sequence[str]) -> str:
    if dtype in FLOATS:
        return w.let(f"fneg {TYPE[dtype]} {args[0]}")
    return w.let(f"sub {TYPE[dtype]} 0, {args[0]}")


def _abs(w: Writer, types: Sequence[str], dtype: str, args: Sequence[str]) -> str:
    if dtype in FLOATS:
        return w.intrinsic("fabs", dtype, args[0])
    if dtype[0] == "u":
        return args[0]
    kind = TYPE[dtype]
    minus = w.let(f"sub {kind} 0, {args[0]}")
    below = w.let(f"icmp slt {kind} {args[0]}, 0")
    return w.let(f"select i1 {below}, {kind} {minus}, {kind} {args[0]}")


def _sign(w: Writer, types: Sequence[str], dtype: str, args: Sequence[str]) -> str:
    kind, x = TYPE[dtype], args[0]
    if dtype in FLOATS:
        one, minus, zero = (literal(n, dtype) for n in (1, -1, 0))
        above = w.let(f"fcmp ogt {kind} {x}, {zero}")
        below = w.let(f"fcmp olt {kind} {x}, {zero}")
        equal = w.let(f"fcmp oeq {kind} {x}, {zero}")
        rest = w.let(f"select i1 {equal}, {kind} {zero}, {kind} {x}")
        rest = w.let(f"select i1 {below}, {kind} {minus}, {kind} {rest}")
        return w.let(f"select i1 {above}, {kind} {one}, {kind} {rest}")
    test = "sgt" if dtype[0] == "i" else "ugt"
    above = w.let(f"icmp {test} {kind} {x}, 0")
    if dtype[0] == "u":
        return w.let(f"select i1 {above}, {kind} 1, {kind} 0")
    below = w.let(f"icmp slt {kind} {x}, 0")
    rest = w.let(f"select i1 {below}, {kind} -1, {kind} 0")
    return w.let(f"select i1 {above}, {kind} 1, {kind} {rest}")


def _intrinsic(name: str) -> Rule:
    def rule(w: Writer, types: Sequence[str], dtype: str, args: Sequence[str]) -> str:
        if dtype not in FLOATS:
            return args[0]  # an integer is whole
        return w.intrinsic(name, dtype, args[0])

    return rule


def _round(w: Writer, types: Sequence[str], dtype: str, args: Sequence[str]) -> str:
    """Round halves away from zero: to even first, and then what is left by a half."""
    if dtype not in FLOATS:
        return args[0]
    kind, x = TYPE[dtype], args[0]
    even = w.intrinsic("rint", dtype, x)
    rest = w.intrinsic("fabs", dtype, w.let(f"fsub {kind} {x}, {even}"))
    half = w.let(f"fcmp oeq {kind} {rest}, {literal(0.5, dtype)}")
    step = w.intrinsic("copysign", dtype, literal(0.5, dtype), x)
    away = w.let(f"fadd {kind} {x}, {step}")
    return w.let(f"select i1 {half}, {kind} {away}, {kind} {even}")


def _extremum(test: str) -> Rule:
    """Return the better of two; NaN gives way to a number."""

    def rule(w: Writer, types: Sequence[str], dtype: str, args: Sequence[str]) -> str:
        kind, (a, b) = TYPE[dtype], args
        if dtype in FLOATS:
            better = w.let(f"fcmp o{test} {kind} {a}, {b}")
            missing = w.let(f"fcmp uno {kind} {b}, {b}")
            take = w.let(f"or i1 {better}, {missing}")
        else:
            sign = "s" if dtype[0] == "i" else "u"
            take = w.let(f"icmp {sign}{test} {kind} {a}, {b}")
        return w.let(f"select i1 {take}, {kind} {a}, {kind} {b}")

    return rule


def _select(w: Writer, types: Sequence[str], dtype: str, args: Sequence[str]) -> str:
    kind = TYPE[dtype]
    condition = truth(w, types[0], args[0])
    return w.let(f"select i1 {condition}, {kind} {args[1]}, {kind} {args[2]}")


def _isnan(w: Writer, types: Sequence[str], dtype: str, args: Sequence[str]) -> str:
    if types[0] not in FLOATS:
        return "false"
    return w.let(f"fcmp uno {TYPE[types[0]]} {args[0]}, {args[0]}")


def finite(w: Writer, kind: str, value: str) -> str:
    """Return whether a value is neither infinite nor NaN."""
    if kind not in FLOATS:
        return "true"
    size = w.intrinsic("fabs", kind, value)
    return w.let(f"fcmp one {TYPE[kind]} {size}, {literal(float('inf'), kind)}")


def _isfinite(w: Writer, types: Sequence[str], dtype: str, args: Sequence[str]) -> str:
    return finite(w, types[0], args[0])


def _isinf(w: Writer, types: Sequence[str], dtype: str, args: Sequence[str]) -> str:
    kind = types[0]
    if kind not in FLOATS:
        return "false"
    size = w.intrinsic("fabs", kind, args[0])
    return w.let(f"fcmp oeq {TYPE[kind]} {size}, {literal(float('inf'), kind)}")


def _bitnot(w: Writer, types: Sequence[str], dtype: str, args: Sequence[str]) -> str:
    return w.let(f"xor {TYPE[dtype]} {args[0]}, -1")


def _shift(op: str) -> Rule:
    """Shift as NumPy does: past the width nothing is left, or the sign."""

    def rule(w: Writer, types: Sequence[str], dtype: str, args: Sequence[str]) -> str:
        kind, (x, by) = TYPE[dtype], args
        bits = 8 * ITEMSIZE[dtype]
        inside = w.let(f"icmp ult {kind} {by}, {bits}")
        safe = w.let(f"select i1 {inside}, {kind} {by}, {kind} 0")
        code = "ashr" if op == "shr" and dtype[0] == "i" else "lshr" if op == "shr" else "shl"
        moved = w.let(f"{code} {kind} {x}, {safe}")
        past = "0"
        if code == "ashr":
            past = w.let(f"ashr {kind} {x}, {bits - 1}")
        return w.let(f"select i1 {inside}, {kind} {moved}, {kind} {past}")

    return rule


def _divisor(w: Writer, dtype: str, x: str, y: str) -> tuple[str, str, str]:
    """Return whether a divisor is zero, whether the quotient overflows, and a safe divisor."""
    kind = TYPE[dtype]
    zero = w.let(f"icmp eq {kind} {y}, 0")
    bad, wraps = zero, "false"
    if dtype[0] == "i":
        low, _ = limits(dtype)
        least = w.let(f"icmp eq {kind} {x}, {low}")
        minus = w.let(f"icmp eq {kind} {y}, -1")
        wraps = w.let(f"and i1 {least}, {minus}")
        bad = w.let(f"or i1 {zero}, {wraps}")
    return zero, wraps, w.let(f"select i1 {bad}, {kind} 1, {kind} {y}")


def _quot(w: Writer, types: Sequence[str], dtype: str, args: Sequence[str]) -> str:
    kind, (x, y) = TYPE[dtype], args
    zero, _, safe = _divisor(w, dtype, x, y)
    # the least number by -1 wraps around to itself, which is what division by 1 gives
    quotient = w.let(f"{'sdiv' if dtype[0] == 'i' else 'udiv'} {kind} {x}, {safe}")
    return w.let(f"select i1 {zero}, {kind} 0, {kind} {quotient}")


def _integer_remainder(floored: bool) -> Rule:
    def rule(w: Writer, types: Sequence[str], dtype: str, args: Sequence[str]) -> str:
        kind, (x, y) = TYPE[dtype], args
        zero, wraps, safe = _divisor(w, dtype, x, y)
        rest = w.let(f"{'srem' if dtype[0] == 'i' else 'urem'} {kind} {x}, {safe}")
        if dtype[0] == "i":
            rest = w.let(f"select i1 {wraps}, {kind} 0, {kind} {rest}")
            if floored:
                mixed = w.let(f"xor {kind} {rest}, {y}")
                opposite = w.let(f"icmp slt {kind} {mixed}, 0")
                some = w.let(f"icmp ne {kind} {rest}, 0")
                moves = w.let(f"and i1 {opposite}, {some}")
                moved = w.let(f"add {kind} {rest}, {y}")
                rest = w.let(f"select i1 {moves}, {kind} {moved}, {kind} {rest}")
        nothing = x if floored else "0"
        return w.let(f"select i1 {zero}, {kind} {nothing}, {kind} {rest}")

    return rule


# -- before and after NumPy's loops (`parts`) -----------------------------------------------------


def _flag(w: Writer, kind: str, test: str, x: str, value: float) -> str:
    return w.let(f"fcmp {test} {TYPE[kind]} {x}, {literal(value, kind)}")


def _exponent(w: Writer, kind: str, y: str) -> tuple[str, str, str]:
    """Return whether an exponent is for NumPy alone, whether it is whole, and whether odd."""
    known = finite(w, kind, y)
    zero = _flag(w, kind, "oeq", y, 0)
    plain = w.let(f"or i1 {zero}, {w.let(f'xor i1 {known}, true')}")
    whole = w.let(f"fcmp oeq {TYPE[kind]} {w.intrinsic('trunc', kind, y)}, {y}")
    half = w.let(f"fmul {TYPE[kind]} {y}, {literal(0.5, kind)}")
    even = w.let(f"fcmp oeq {TYPE[kind]} {w.intrinsic('trunc', kind, half)}, {half}")
    odd = w.let(f"and i1 {whole}, {w.let(f'xor i1 {even}, true')}")
    return plain, whole, odd


def _power_base(w: Writer, types: Sequence[str], dtype: str, args: Sequence[str]) -> str:
    """Return what NumPy raises to a power in place of x: its size, and 1 in place of zero."""
    kind, (x, y) = TYPE[dtype], args
    plain, _, _ = _exponent(w, dtype, y)
    size = w.intrinsic("fabs", dtype, x)
    zero = _flag(w, dtype, "oeq", size, 0)
    size = w.let(f"select i1 {zero}, {kind} {literal(1, dtype)}, {kind} {size}")
    return w.let(f"select i1 {plain}, {kind} {x}, {kind} {size}")


def _power_result(w: Writer, types: Sequence[str], dtype: str, args: Sequence[str]) -> str:
    """Return x to the power of y from the power of its size."""
    kind, (made, x, y) = TYPE[dtype], args
    plain, whole, odd = _exponent(w, dtype, y)
    zero = _flag(w, dtype, "oeq", x, 0)
    grows = _flag(w, dtype, "ogt", y, 0)
    nothing, most = literal(0, dtype), literal(float("inf"), dtype)
    of_zero = w.let(f"select i1 {grows}, {kind} {nothing}, {kind} {most}")
    result = w.let(f"select i1 {zero}, {kind} {of_zero}, {kind} {made}")
    signed = w.intrinsic("copysign", dtype, result, x)
    below = _flag(w, dtype, "olt", x, 0)
    real = w.let(f"and i1 {below}, {finite(w, dtype, x)}")
    missing = literal(float("nan"), dtype)
    broken = w.let(f"select i1 {real}, {kind} {missing}, {kind} {result}")
    kept = w.let(f"select i1 {odd}, {kind} {signed}, {kind} {result}")
    result = w.let(f"select i1 {whole}, {kind} {kept}, {kind} {broken}")
    return w.let(f"select i1 {plain}, {kind} {made}, {kind} {result}")


def _remainder_result(floored: bool) -> Rule:
    """Return MATLAB's ``mod`` or ``rem`` from C's ``fmod``."""

    def rule(w: Writer, types: Sequence[str], dtype: str, args: Sequence[str]) -> str:
        kind, (out, x, y) = TYPE[dtype], args
        if floored:
            below, under = (_flag(w, dtype, "olt", v, 0) for v in (out, y))
            mixed = w.let(f"xor i1 {below}, {under}")
            some = _flag(w, dtype, "une", out, 0)
            moves = w.let(f"and i1 {mixed}, {some}")
            moves = w.let(f"and i1 {moves}, {finite(w, dtype, y)}")
            by = w.let(f"select i1 {moves}, {kind} {y}, {kind} {literal(0, dtype)}")
            out = w.let(f"fadd {kind} {out}, {by}")
        fractional = w.let(f"fcmp une {kind} {w.intrinsic('rint', dtype, y)}, {y}")
        quotient = w.let(f"fdiv {kind} {x}, {y}")
        nearest = w.intrinsic("rint", dtype, quotient)
        away = w.intrinsic("fabs", dtype, w.let(f"fsub {kind} {quotient}, {nearest}"))
        eps = literal(float(np.finfo(NUMPY_DTYPE[dtype]).eps), dtype)
        most = w.let(f"fmul {kind} {eps}, {w.intrinsic('fabs', dtype, nearest)}")
        close = w.let(f"fcmp olt {kind} {away}, {most}")
        some = _flag(w, dtype, "une", nearest, 0)
        whole = w.let(f"and i1 {close}, {some}")
        whole = w.let(f"and i1 {whole}, {fractional}")
        out = w.let(f"select i1 {whole}, {kind} {literal(0, dtype)}, {kind} {out}")
        zero = _flag(w, dtype, "oeq", y, 0)
        nothing = x if floored else literal(float("nan"), dtype)
        return w.let(f"select i1 {zero}, {kind} {nothing}, {kind} {out}")

    return rule


def _gamma_result(w: Writer, types: Sequence[str], dtype: str, args: Sequence[str]) -> str:
    """Return infinity at the poles."""
    kind, (made, x) = TYPE[dtype], args
    below = _flag(w, dtype, "ole", x, 0)
    whole = w.let(f"fcmp oeq {kind} {w.intrinsic('floor', dtype, x)}, {x}")
    pole = w.let(f"and i1 {below}, {whole}")
    return w.let(f"select i1 {pole}, {kind} {literal(float('inf'), dtype)}, {kind} {made}")


def _erfinv_result(w: Writer, types: Sequence[str], dtype: str, args: Sequence[str]) -> str:
    """Return zero with the sign of x where SciPy gives zero."""
    return w.intrinsic("copysign", dtype, *args)


#: Operations that `parts` makes of others.
PARTS: dict[str, Rule] = {
    "gamma result": _gamma_result,
    "erfinv result": _erfinv_result,
    "power base": _power_base,
    "power result": _power_result,
    "mod result": _remainder_result(True),
    "rem result": _remainder_result(False),
}

# -- conversions -----------------------------------------------------------------------------------


def _cast(w: Writer, types: Sequence[str], dtype: str, args: Sequence[str]) -> str:
    source, x = types[0], args[0]
    if source == dtype:
        return x
    if dtype == "bool":
        return truth(w, source, x)
    if dtype in FLOATS:
        return _to_float(w, source, dtype, x)
    if source in FLOATS:
        return _to_integer(w, source, dtype, x)
    return _narrow(w, source, dtype, x)


def _to_float(w: Writer, source: str, dtype: str, x: str) -> str:
    if source in FLOATS:
        op = "fpext" if source == "f32" else "fptrunc"
    else:
        op = "sitofp" if source[0] == "i" else "uitofp"
    return w.let(f"{op} {TYPE[source]} {x} to {TYPE[dtype]}")


def _to_integer(w: Writer, source: str, dtype: str, x: str) -> str:
    """Round halves away from zero and saturate; NaN is 0."""
    kind = TYPE[source]
    low, high = limits(dtype)
    part = NUMPY_DTYPE[source].type
    least, most = part(low), part(high)
    past = int(most) > high
    if past:
        most = np.nextafter(most, part(0))
    whole = w.intrinsic("trunc", source, x)
    rest = w.let(f"fsub {kind} {x}, {whole}")
    rest = w.let(f"fmul {kind} {rest}, {literal(2, source)}")
    rest = w.intrinsic("trunc", source, rest)
    whole = w.let(f"fadd {kind} {whole}, {rest}")
    # an infinity is NaN now
    known = finite(w, source, x)
    whole = w.let(f"select i1 {known}, {kind} {whole}, {kind} {x}")
    missing = w.let(f"fcmp uno {kind} {x}, {x}")
    whole = w.let(f"select i1 {missing}, {kind} {literal(0, source)}, {kind} {whole}")
    top, bottom = literal(float(most), source), literal(float(least), source)
    above = w.let(f"fcmp ogt {kind} {whole}, {top}")
    held = w.let(f"select i1 {above}, {kind} {top}, {kind} {whole}")
    below = w.let(f"fcmp olt {kind} {held}, {bottom}")
    held = w.let(f"select i1 {below}, {kind} {bottom}, {kind} {held}")
    made = _convert(w, source, dtype, held)
    if past:
        reached = w.let(f"fcmp oge {kind} {whole}, {literal(float(part(high)), source)}")
        made = w.let(f"select i1 {reached}, {TYPE[dtype]} {high}, {TYPE[dtype]} {made}")
    return made


def _convert(w: Writer, source: str, dtype: str, x: str) -> str:
    """Convert a whole number within the range of an integer type."""
    kind = TYPE[source]
    if ITEMSIZE[dtype] < 4:  # processors convert to 32 bits
        wide = w.let(f"fptosi {kind} {x} to i32")
        return w.let(f"trunc i32 {wide} to {TYPE[dtype]}")
    return w.let(f"{'fptosi' if dtype[0] == 'i' else 'fptoui'} {kind} {x} to {TYPE[dtype]}")


def _narrow(w: Writer, source: str, dtype: str, x: str) -> str:
    """Convert an integer or a logical to an integer type, within its range."""
    if source == "bool":
        return w.let(f"zext i1 {x} to {TYPE[dtype]}")
    kind, signed = TYPE[source], source[0] == "i"
    (low, high), (least, most) = limits(source), limits(dtype)
    sign = "s" if signed else "u"
    if most < high:
        past = w.let(f"icmp {sign}gt {kind} {x}, {most}")
        x = w.let(f"select i1 {past}, {kind} {most}, {kind} {x}")
    if least > low:
        past = w.let(f"icmp {sign}lt {kind} {x}, {least}")
        x = w.let(f"select i1 {past}, {kind} {least}, {kind} {x}")
    before, after = ITEMSIZE[source], ITEMSIZE[dtype]
    if before == after:
        return x
    op = "trunc" if after < before else "sext" if signed else "zext"
    return w.let(f"{op} {kind} {x} to {TYPE[dtype]}")


_RULES: dict[str, Rule] = {
    "add": _binary("fadd", "add"),
    "sub": _binary("fsub", "sub"),
    "mul": _binary("fmul", "mul"),
    "div": _binary("fdiv", ""),
    "eq": _compare("oeq", "eq", "eq"),
    "ne": _compare("une", "ne", "ne"),
    "lt": _compare("olt", "slt", "ult"),
    "le": _compare("ole", "sle", "ule"),
    "gt": _compare("ogt", "sgt", "ugt"),
    "ge": _compare("oge", "sge", "uge"),
    "and": _logic("and"),
    "or": _logic("or"),
    "xor": _logic("xor"),
    "not": _not,
    "neg": _neg,
    "abs": _abs,
    "sign": _sign,
    "sqrt": _intrinsic("sqrt"),
    "floor": _intrinsic("floor"),
    "ceil": _intrinsic("ceil"),
    "trunc": _intrinsic("trunc"),
    "round": _round,
    "min": _extremum("lt"),
    "max": _extremum("gt"),
    "select": _select,
    "isnan": _isnan,
    "isinf": _isinf,
    "isfinite": _isfinite,
    "bitand": _binary("", "and"),
    "bitor": _binary("", "or"),
    "bitxor": _binary("", "xor"),
    "bitnot": _bitnot,
    "shl": _shift("shl"),
    "shr": _shift("shr"),
    "quot": _quot,
    "cast": _cast,
}
_INTEGER_RULES: dict[str, Rule] = {
    "mod": _integer_remainder(True),
    "rem": _integer_remainder(False),
}

#: The operation of two elements that a reducer stands for.
STEP = {"sum": "add", "prod": "mul", "min": "min", "max": "max", "any": "or", "all": "and"}
