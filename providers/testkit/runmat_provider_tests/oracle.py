"""Every map operation of the IR in plain NumPy: what a provider's results are compared with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from runmat_core.api.device import NUMPY_DTYPE

Data = NDArray[Any]


def round_half_away(x: Data) -> Data:
    """Nearest integers, halves away from zero; exact for every float."""
    whole = np.trunc(x)
    return np.where(np.abs(x - whole) >= 0.5, whole + np.sign(x), whole).astype(x.dtype)


def cast(x: Data, dtype: str) -> Data:
    """MATLAB's conversion: integers round and saturate, NaN becomes 0; logical is ``x ~= 0``."""
    target = NUMPY_DTYPE[dtype]
    if target.kind == "c":
        return x.astype(target)
    if target.kind not in "iu":
        return (x != 0) if target.kind == "b" else x.astype(target)
    limits = np.iinfo(target)
    if x.dtype.kind == "f":
        x = round_half_away(np.where(np.isnan(x), x.dtype.type(0), x))
        high, low = x >= float(limits.max), x <= float(limits.min)
        result = np.where(high | low, 0, x).astype(target)
    else:
        wide = x.astype(object)
        high, low = wide >= int(limits.max), wide <= int(limits.min)
        result = np.where(high | low, 0, wide).astype(target)
    result[np.broadcast_to(high, result.shape)] = limits.max
    result[np.broadcast_to(low, result.shape)] = limits.min
    return result


def remainder(x: Data, y: Data, floored: bool) -> Data:
    """``mod`` (floored division) or ``rem`` (truncated division).

    Where the divisor is no whole number and the quotient is within round-off of one, the remainder
    is zero. A zero divisor gives x for mod, NaN for rem, 0 for rem of integers.
    """
    zero = y == 0
    if x.dtype.kind in "iu":
        safe = np.where(zero, 1, y)
        rest = np.mod(x, safe) if floored else np.fmod(x, safe)
        return np.where(zero, x if floored else 0, rest).astype(x.dtype)
    rest = np.fmod(x, y)
    if floored:
        opposite = (rest != 0) & ((rest < 0) != (y < 0)) & np.isfinite(y)
        # x - floor(x/y)*y is no negative zero
        rest = np.where(opposite, rest + y, rest + 0.0)
    quotient = x / y
    nearest = np.rint(quotient)
    close = np.abs(quotient - nearest) < np.finfo(x.dtype).eps * np.abs(nearest)
    rest = np.where((np.rint(y) != y) & (nearest != 0) & close, 0, rest)
    return np.where(zero, x if floored else np.nan, rest).astype(x.dtype)


def quotient(x: Data, y: Data) -> Data:
    """Quotients of integers, towards zero; 0 where the divisor is."""
    safe = np.where(y == 0, np.ones_like(y), y)
    # the least number by -1 wraps around
    whole = np.floor_divide(x - np.fmod(x, safe), safe)
    return np.where(y == 0, 0, whole).astype(x.dtype)


def gamma(x: Data) -> Data:
    """Return the gamma function; Inf at its poles, as MATLAB has it."""
    pole = (x <= 0) & (np.floor(x) == x)
    return np.where(pole, np.inf, special.gamma(x)).astype(x.dtype)


def shift(x: Data, k: Data, left: bool) -> Data:
    bits = x.dtype.itemsize * 8
    far = k >= bits
    k = np.where(far, 0, k).astype(x.dtype)
    return np.where(far, 0, np.left_shift(x, k) if left else np.right_shift(x, k)).astype(x.dtype)


def joined(x: Data, y: Data) -> Data:
    """Complex elements of their parts."""
    kind = np.complex64 if x.dtype == np.float32 else np.complex128
    z = np.empty(np.broadcast_shapes(x.shape, y.shape), kind)
    z.real, z.imag = x, y
    return z


def multiply(x: Data, y: Data) -> Data:
    """Products; of complex elements in separate steps, where NumPy rounds some of them together."""
    if x.dtype.kind != "c":
        return np.multiply(x, y)
    return joined(x.real * y.real - x.imag * y.imag, x.real * y.imag + x.imag * y.real)


def divide(x: Data, y: Data) -> Data:
    """Quotients; a complex divisor of two zeros divides the parts by its real one."""
    if x.dtype.kind != "c":
        return np.divide(x, y)
    by_parts = joined(x.real / y.real, x.imag / y.real)
    return np.where(y == 0, by_parts, np.divide(x, y))


def power(x: Data, y: Data) -> Data:
    """Powers; of complex bases, too, 0^0 is 1."""
    result = np.power(x, y)
    return np.where(y == 0, result.dtype.type(1), result) if x.dtype.kind == "c" else result


#: Map operations to functions of arrays; ``cast`` apart, which takes a type.
ORACLE: dict[str, Callable[..., Data]] = {
    "neg": np.negative,
    "conj": np.conj,
    "real": np.real,
    "imag": np.imag,
    "complex": joined,
    "abs": np.abs,
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
    "round": round_half_away,
    "cbrt": np.cbrt,
    "erf": special.erf,
    "erfc": special.erfc,
    "erfinv": lambda x: np.copysign(special.erfinv(x), x),
    "gamma": gamma,
    "gammaln": special.gammaln,
    "bitnot": np.invert,
    "add": np.add,
    "sub": np.subtract,
    "mul": multiply,
    "div": divide,
    "quot": quotient,
    "pow": power,
    "min": np.fmin,
    "max": np.fmax,
    "mod": lambda x, y: remainder(x, y, True),
    "rem": lambda x, y: remainder(x, y, False),
    "atan2": np.arctan2,
    "hypot": np.hypot,
    "bitand": np.bitwise_and,
    "bitor": np.bitwise_or,
    "bitxor": np.bitwise_xor,
    "shl": lambda x, k: shift(x, k, True),
    "shr": lambda x, k: shift(x, k, False),
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
    "select": np.where,
}
