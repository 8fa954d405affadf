"""Rounding, remainders and integer division."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import integer, integer_dtype, numeric, option, unknown_option
from runmat_core.builtins.lift import expand, operand
from runmat_core.values import from_numpy, share
from runmat_core.values.classes import saturate

Operand = NDArray[Any]

#: Doubles at and beyond this are integers.
_ALL_INTEGERS = 2.0**52


def _parts(function: Any, x: Operand) -> Operand:
    """`function` of the real and the imaginary part; integers are already whole."""
    if x.dtype.kind in "iu":
        return x
    if x.dtype.kind != "c":
        rounded: Operand = function(x)
        return rounded
    z = np.empty_like(x)
    z.real, z.imag = function(x.real), function(x.imag)
    return z


# `or x * 0.0` keeps the sign of a zero result.
def _floor(x: float) -> float:
    return float(math.floor(x)) or x * 0.0 if -_ALL_INTEGERS < x < _ALL_INTEGERS else x


def _ceil(x: float) -> float:
    return float(math.ceil(x)) or x * 0.0 if -_ALL_INTEGERS < x < _ALL_INTEGERS else x


def _fix(x: float) -> float:
    return float(int(x)) or x * 0.0 if -_ALL_INTEGERS < x < _ALL_INTEGERS else x


def rounded(x: float) -> float:
    """`x` rounded to an integer, halves away from zero."""
    if not -_ALL_INTEGERS < x < _ALL_INTEGERS:
        return x
    whole = int(x)
    rest = x - whole
    if rest >= 0.5:
        whole += 1
    elif rest <= -0.5:
        whole -= 1
    return float(whole) or x * 0.0


@builtin("floor", family="math/rounding", lift="map", scalar=_floor, integers=True, effects="pure")
def floor(x: Operand) -> Operand:
    """Round towards minus infinity.

    Y = floor(X)

    Examples:
        >> floor([-2.5 2.5])
        ans =
            -3     2

    See also: ceil, round, fix.
    """
    return _parts(np.floor, x)


@builtin("ceil", family="math/rounding", lift="map", scalar=_ceil, integers=True, effects="pure")
def ceil(x: Operand) -> Operand:
    """Round towards plus infinity.

    Y = ceil(X)

    Examples:
        >> ceil([-2.5 2.5])
        ans =
            -2     3

    See also: floor, round, fix.
    """
    return _parts(np.ceil, x)


@builtin("fix", family="math/rounding", lift="map", scalar=_fix, integers=True, effects="pure")
def fix(x: Operand) -> Operand:
    """Round towards zero.

    Y = fix(X)

    Examples:
        >> fix([-2.5 2.5])
        ans =
            -2     2

    See also: floor, ceil, round.
    """
    return _parts(np.trunc, x)


def half_away(x: Operand) -> Operand:
    """Real `x` rounded to integers, halves away from zero."""
    whole = np.trunc(x)
    return np.where(np.abs(x - whole) >= 0.5, whole + np.sign(x), whole).astype(x.dtype)


@builtin("round", family="math/rounding", scalar=rounded, effects="pure")
def round_(x: Any, n: Any = None, kind: Any = None) -> Any:
    """Round to the nearest integer, halves away from zero.

    Y = round(X)
    Y = round(X, N) rounds to N decimal places (to tens, hundreds … for negative N)
    Y = round(X, N, "significant") rounds to N significant digits

    Examples:
        >> round([-2.5 0.5 2.4])
        ans =
            -3     1     2
        >> round(pi, 3)
        ans =
            3.1420

    See also: floor, ceil, fix.
    """
    if n is None:
        with np.errstate(all="ignore"):
            return from_numpy(_parts(half_away, operand(x, "round", integers=True)))
    significant = _is_significant(kind)
    digits = integer(n, "Number of digits")
    if significant and digits < 1:
        raise MatlabError("MATLAB:round:NIsNotPositive", "N must be a positive integer.")
    a = operand(x, "round", integers=True)
    if a.dtype.kind in "iu":
        if digits >= 0 and not significant:
            return share(x)
        return from_numpy(saturate(_to_digits(a.astype(np.float64), digits, significant), a.dtype))
    return from_numpy(_parts(lambda part: _to_digits(part, digits, significant), a))


def _is_significant(kind: Any) -> bool:
    if kind is None:
        return False
    name = option(kind) or ""
    if name not in {"significant", "decimals"}:
        raise unknown_option(name)
    return name == "significant"


def _to_digits(x: Operand, digits: int, significant: bool) -> Operand:
    with np.errstate(all="ignore"):
        places: Any = digits
        if significant:
            size = np.floor(np.log10(np.abs(np.where(x == 0, 1, x))))
            places = digits - 1 - np.where(np.isfinite(size), size, 0)
        scale = np.power(10.0, np.abs(places))
        scaled = np.where(places >= 0, x * scale, x / scale)
        whole = half_away(scaled)
        y = np.where(places >= 0, whole / scale, whole * scale)
        return np.where(np.isfinite(y), y, x).astype(x.dtype)


# -- remainders ---------------------------------------------------------------------------------


def _mod(x: float, y: float) -> Any:
    # whole divisors only: others need the round-off rule
    if y % 1.0 == 0.0 and y and x - x == 0.0:
        return x % y
    return NotImplemented


def _rem(x: float, y: float) -> Any:
    if y % 1.0 == 0.0 and y and x - x == 0.0:
        return math.fmod(x, y)
    return NotImplemented


def _remainder(x: Operand, y: Operand, floored: bool) -> Operand:
    """The remainder after floored or truncated division, of floating arrays.

    Where the divisor is no integer and the quotient is within round-off of one, it is zero.
    """
    rest = np.fmod(x, y)
    if floored:
        rest = np.where((rest != 0) & ((rest < 0) != (y < 0)) & np.isfinite(y), rest + y, rest)
    quotient = x / y
    nearest = np.rint(quotient)
    eps = np.finfo(x.dtype).eps
    whole = (
        (y != np.rint(y)) & (nearest != 0) & (np.abs(quotient - nearest) < eps * np.abs(nearest))
    )
    rest = np.where(whole, 0, rest)
    return np.where(y == 0, x if floored else np.nan, rest).astype(x.dtype)


def _by_class(x: Any, y: Any, name: str, floored: bool) -> Any:
    """mod or rem of values: integer classes are exact, the rest is floating."""
    a, b = numeric(x, name), numeric(y, name)
    if a.dtype.kind == "c" or b.dtype.kind == "c":
        raise MatlabError(f"MATLAB:{name}:inputMustBeReal", "Arguments must be real.")
    dtype = integer_dtype(x, y, name)
    if dtype is None:
        kind = np.float32 if np.float32 in (a.dtype, b.dtype) else np.float64
        a, b = expand([a.astype(kind), b.astype(kind)])
        with np.errstate(all="ignore"):
            return from_numpy(_remainder(a, b, floored))
    if all(v.dtype == dtype or np.array_equal(v, np.rint(v)) for v in (a, b)):
        a, b = expand([saturate(a, dtype), saturate(b, dtype)])
        zero = b == 0
        with np.errstate(all="ignore"):
            rest = (np.mod if floored else np.fmod)(a, np.where(zero, np.ones_like(b), b))
        return from_numpy(np.where(zero, a if floored else np.zeros_like(a), rest).astype(dtype))
    a, b = expand([a.astype(np.float64), b.astype(np.float64)])
    with np.errstate(all="ignore"):
        return from_numpy(saturate(_remainder(a, b, floored), dtype))


@builtin("mod", family="math/rounding", scalar=_mod, effects="pure")
def mod(x: Any, y: Any) -> Any:
    """Remainder after floored division: it has the sign of the divisor.

    M = mod(X, Y) is X - floor(X./Y).*Y

    mod(X, 0) is X.

    Examples:
        >> mod([-1 5 5.5], 3)
        ans =
            2.0000    2.0000    2.5000
        >> mod(5, [-3 0])
        ans =
            -1     5

    See also: rem, floor, idivide.
    """
    return _by_class(x, y, "mod", floored=True)


@builtin("rem", family="math/rounding", scalar=_rem, effects="pure")
def rem(x: Any, y: Any) -> Any:
    """Remainder after truncated division: it has the sign of the dividend.

    R = rem(X, Y) is X - fix(X./Y).*Y

    rem(X, 0) is NaN.

    Examples:
        >> rem([-1 5], 3)
        ans =
            -1     2

    See also: mod, fix, idivide.
    """
    return _by_class(x, y, "rem", floored=False)


_ROUNDING: dict[str, Any] = {
    "fix": np.trunc,
    "floor": np.floor,
    "ceil": np.ceil,
    "round": half_away,
}


@builtin("idivide", family="math/rounding", effects="pure")
def idivide(x: Any, y: Any, rounding: Any = None) -> Any:
    """Integer division with a choice of rounding.

    C = idivide(A, B) rounds towards zero
    C = idivide(A, B, OPT) with OPT "fix", "floor", "ceil" or "round"

    At least one of A and B is of an integer class.

    Examples:
        >> idivide(int32(7), int32(2))
        ans =
          int32
           3
        >> idivide(int32(7), int32(2), "ceil")
        ans =
          int32
           4

    See also: mod, rem, rdivide.
    """
    name = "fix" if rounding is None else option(rounding) or ""
    if name not in _ROUNDING:
        raise unknown_option(name)
    dtype = integer_dtype(x, y, "idivide")
    if dtype is None:
        raise MatlabError(
            "MATLAB:idivide:MustBeInteger", "At least one argument must belong to an integer class."
        )
    a, b = expand([numeric(x, "idivide"), numeric(y, "idivide")])
    if dtype.itemsize == 8 and a.dtype == b.dtype:
        return from_numpy(_divide_exactly(a, b, name))
    with np.errstate(all="ignore"):
        quotient = a.astype(np.float64) / b.astype(np.float64)
        return from_numpy(saturate(_ROUNDING[name](quotient), dtype))


def _divide_exactly(a: Operand, b: Operand, name: str) -> Operand:
    """64-bit division; a zero divisor saturates."""
    info = np.iinfo(a.dtype)

    def quotient(p: int, q: int) -> int:
        if q == 0:
            return 0 if p == 0 else info.max if p > 0 else info.min
        whole, rest = divmod(p, q)
        up = {
            "floor": False,
            "ceil": rest != 0,
            "fix": rest != 0 and (p < 0) != (q < 0),
            "round": 2 * abs(rest) > abs(q) or (2 * abs(rest) == abs(q) and (p < 0) == (q < 0)),
        }[name]
        return min(max(whole + up, info.min), info.max)

    exact = np.frompyfunc(lambda p, q: quotient(int(p), int(q)), 2, 1)(a, b)
    return np.asarray(exact, dtype=object).astype(a.dtype)
