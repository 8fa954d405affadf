"""Element types in registers, and literals of them."""

from __future__ import annotations

import math

import numpy as np

from runmat_core.api.ir import PART_OF
from runmat_wgpu.codegen.shader import STORAGE, DeclinedError, Target

#: Smallest and largest value of each integer type.
LIMITS: dict[str, tuple[int, int]] = {
    **{f"i{bits}": (-(1 << bits - 1), (1 << bits - 1) - 1) for bits in (8, 16, 32, 64)},
    **{f"u{bits}": (0, (1 << bits) - 1) for bits in (8, 16, 32, 64)},
}

#: What ends a literal.
_SUFFIX = {"f32": "f", "f64": "lf", "i32": "i", "u32": "u", "i64": "li", "u64": "lu"}


def register_type(dtype: str, target: Target) -> str:
    """Return the WGSL type that a value of `dtype` has in registers.

    Raises:
        DeclinedError: the target lacks it.
    """
    if dtype == "bool":
        return "bool"
    found = STORAGE.get(dtype)
    # doubles need 64-bit integers too: for their bits
    wide = found in ("f64", "i64", "u64", "vec2<f64>")
    if found is None or (wide and not target.i64):
        raise DeclinedError(f"no {dtype} here")
    if found in ("f64", "vec2<f64>") and not target.f64:
        raise DeclinedError("no f64 here")
    return found


def literal(value: float | bool, dtype: str, target: Target) -> str:
    """Return a value as WGSL, exact after rounding to `dtype`.

    Zeros, infinities, NaN and denormals are made of bits that the compiler does not know: it would
    fold ``x * 0`` to zero, ``x + 0`` to ``x``, refuse infinities and flush denormals.
    """
    kind = register_type(dtype, target)
    if kind == "bool":
        return "true" if value else "false"
    if kind == "f32":
        return _single(value)
    if kind == "f64":
        return _double(float(value))
    if dtype in PART_OF:
        part = PART_OF[dtype]
        return f"{kind}({literal(value, part, target)}, {literal(0.0, part, target)})"
    whole = int(value)
    low, high = LIMITS[dtype]
    if not low <= whole <= high:
        raise ValueError(f"{value} is no {dtype}")
    suffix = _SUFFIX[kind]
    if whole == LIMITS[kind][0] and whole < 0:
        return f"({whole + 1}{suffix} - 1{suffix})"
    return f"({whole}{suffix})" if whole < 0 else f"{whole}{suffix}"


def _single(value: float) -> str:
    with np.errstate(over="ignore", under="ignore"):
        number = np.float32(value)
    bits = int(number.view(np.uint32))
    if bits == 0:
        return "bitcast<f32>(p.zero)"
    if _plain(float(number), float(np.finfo(np.float32).tiny)):
        return _decimal(str(number), "f")
    return f"bitcast<f32>(0x{bits:08x}u | p.zero)"


def _double(number: float) -> str:
    bits = int(np.float64(number).view(np.uint64))
    if bits == 0:
        return "bitcast<f64>(u64(p.zero))"
    if _plain(number, float(np.finfo(np.float64).tiny)):
        return _decimal(repr(number), "lf")
    return f"bitcast<f64>(0x{bits:016x}lu | u64(p.zero))"


def _plain(number: float, tiny: float) -> bool:
    return math.isfinite(number) and abs(number) >= tiny


def _decimal(text: str, suffix: str) -> str:
    return f"({text}{suffix})" if text.startswith("-") else text + suffix
