"""Remainders and integer division."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import ir
from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.fusion import Map
from runmat_core.builtins.arguments import (
    fits,
    integer_dtype,
    numeric,
    option,
    unknown_option,
)
from runmat_core.builtins.arrays import sparse_rules
from runmat_core.builtins.lift import expand
from runmat_core.builtins.math.rounding import half_away
from runmat_core.values import INTEGER_CLASSES, Array, SparseArray, class_of, from_numpy
from runmat_core.values.array import wrap
from runmat_core.values.chunks import chunks
from runmat_core.values.classes import DOUBLE, quiet, saturate, silent

Operand = NDArray[Any]


def _mod(x: float, y: float) -> Any:
    # whole divisors only: others need the round-off rule
    if y % 1.0 == 0.0 and y and x - x == 0.0:
        return x % y + 0.0  # Python's zero has the sign of the divisor, MATLAB's none
    return NotImplemented


def _rem(x: float, y: float) -> Any:
    if y % 1.0 == 0.0 and y and x - x == 0.0:
        return math.fmod(x, y)
    return NotImplemented


def _remainder(x: Operand, y: Operand, floored: bool) -> Operand:
    """Return the remainder after floored or truncated division, of floating arrays.

    Where the divisor is no integer and the quotient is within round-off of one, it is zero.
    """
    if y.size == 1 and x.size > 1:
        divisor = y.item()
        if divisor and divisor % 1.0 == 0.0 and _exact(x, divisor):
            return _by_whole(x, divisor, floored)
        if x.dtype == np.float64 and _few_times(x, divisor):
            return _by_fraction(x, divisor, floored)
    rest = np.fmod(x, y)
    if floored:
        opposite = (rest != 0) & ((rest < 0) != (y < 0)) & np.isfinite(y)
        # x - floor(x/y)*y is no negative zero
        rest = np.where(opposite, rest + y, rest + 0.0)
    quotient = x / y
    nearest = np.rint(quotient)
    eps = np.finfo(x.dtype).eps
    whole = (
        (y != np.rint(y)) & (nearest != 0) & (np.abs(quotient - nearest) < eps * np.abs(nearest))
    )
    rest = np.where(whole, 0, rest)
    return np.where(y == 0, x if floored else np.nan, rest).astype(x.dtype)


def _exact(x: Operand, divisor: float) -> bool:
    """Whether multiples of a whole divisor near `x`, and so differences to them, are exact."""
    limit = 0.5 / float(np.finfo(x.dtype).eps)
    return abs(divisor) < limit and _largest(x) < limit


def _largest(x: Operand) -> float:
    """Return the largest magnitude, NaN left out unless there is nothing else."""
    low, high = x.min(), x.max()
    if low != low:
        low, high = np.fmin.reduce(x, None), np.fmax.reduce(x, None)
    return max(-float(low), float(high))


def _few_times(x: Operand, divisor: float) -> bool:
    """Whether the integer part of a quotient has so few bits that half a divisor leaves room."""
    return 1e-100 < abs(divisor) < 1e100 and _largest(x) < abs(divisor) * 2.0**25


def _by_fraction(x: Operand, divisor: float, floored: bool) -> Operand:
    """Return `_remainder` of doubles by a number that is not whole, ten times faster.

    The divisor is taken in two halves, whose multiples are exact.
    """
    cut = divisor * 134217729.0  # 2^27 + 1, after Veltkamp
    upper = cut - (cut - divisor)
    lower = divisor - upper
    given = x.ravel(order="K")
    result = np.empty_like(x)
    rests = result.ravel(order="K")
    eps = np.finfo(np.float64).eps
    for at in chunks(given.size):
        part, rest = given[at], rests[at]
        quotient = part / divisor
        times = np.trunc(quotient)
        np.subtract(part, times * upper, out=rest)
        rest -= times * lower
        wrong = rest * part < 0
        if wrong.any():  # the quotient was rounded up to the next integer
            rest[wrong] = np.fmod(part[wrong], divisor)
        if floored:
            np.add(rest, divisor, out=rest, where=rest < 0 if divisor > 0 else rest > 0)
        else:
            np.copysign(rest, part, out=rest)
        nearest = np.rint(quotient, out=times)
        quotient -= nearest
        nearest *= eps
        np.copyto(rest, 0.0, where=np.abs(quotient) < np.abs(nearest))
    return result


def _by_whole(x: Operand, divisor: float, floored: bool) -> Operand:
    """Return the remainder of numbers by a whole one: what `fmod` gives, in a tenth of its time.

    A quotient just below an integer may round to it: its remainder has the wrong sign then.
    """
    given = x.ravel(order="K")
    result = np.empty_like(x)
    rests = result.ravel(order="K")
    whole = np.floor if floored else np.trunc
    for at in chunks(given.size):
        part, rest = given[at], rests[at]
        np.divide(part, divisor, out=rest)
        whole(rest, out=rest)
        rest *= divisor
        np.subtract(part, rest, out=rest)
        if not floored:
            wrong = rest * part < 0
            if wrong.any():
                rest[wrong] += np.copysign(divisor, part[wrong])
            np.copysign(rest, part, out=rest)
        elif divisor > 0:
            rest[rest < 0] += divisor
        else:
            rest[rest > 0] += divisor
    return result


def _by_class(x: Any, y: Any, name: str, floored: bool) -> Any:
    """mod or rem of values: integer classes are exact, the rest is floating."""
    dtype = integer_dtype(x, y, name)
    sparse = isinstance(x, SparseArray) or isinstance(y, SparseArray)
    a, b = (v.data if isinstance(v, SparseArray) else numeric(v, name) for v in (x, y))
    if a.dtype.kind == "c" or b.dtype.kind == "c":
        raise MatlabError(f"MATLAB:{name}:inputMustBeReal", "Arguments must be real.")
    if sparse:
        return sparse_rules.of_two(lambda a, b: _quiet_remainder(a, b, floored), x, y)
    if dtype is None:
        kind = np.float32 if np.float32 in (a.dtype, b.dtype) else np.float64
        a, b = a.astype(kind), b.astype(kind)
        return from_numpy(_quiet_remainder(a, b, floored))
    if all(v.dtype == dtype or np.array_equal(v, np.rint(v)) for v in (a, b)):
        a, b = expand([saturate(a, dtype), saturate(b, dtype)])
        zero = b == 0
        with silent():
            rest = (np.mod if floored else np.fmod)(a, np.where(zero, np.ones_like(b), b))
        return from_numpy(np.where(zero, a if floored else np.zeros_like(a), rest).astype(dtype))
    rest = _quiet_remainder(a.astype(np.float64), b.astype(np.float64), floored)
    return from_numpy(saturate(rest, dtype))


#: Elements up to which a function of NumPy takes less than the passes of `_by_whole`.
_FEW = 128


def _of_few(ufunc: Any, x: Any, y: Any) -> Any:
    """Return the remainders of a few doubles by a positive whole number; None of anything else."""
    if x.__class__ is not Array or y.__class__ is not float or not (y > 0 and y % 1.0 == 0.0):
        return None
    given = x.data
    if given.dtype is not DOUBLE or not 1 < given.size <= _FEW:
        return None
    return wrap(quiet(ufunc, given, y))


def _quiet_remainder(a: Operand, b: Operand, floored: bool) -> Operand:
    a, b = expand([a, b])
    with silent():
        return _remainder(a, b, floored)


def _kernel(x: Any, y: Any, floored: bool) -> Any:
    """`_remainder` in kernel IR; a scalar divisor that is whole needs less."""
    if y.known in ("1", "2", "integer"):
        return (ir.mod if floored else ir.rem)(x, y)
    rest = ir.rem(x, y)
    if floored:
        other = (rest != 0.0) & ((rest < 0.0) ^ (y < 0.0)) & ir.isfinite(y)
        rest = rest + ir.where(other, y, 0.0)
    quotient = x / y
    nearest = ir.round_(quotient)
    near = ir.abs_(quotient - nearest) < ir.abs_(nearest) * (2**-23 if x.dtype == "f32" else 2**-52)
    rest = ir.where((y != ir.round_(y)) & (nearest != 0.0) & near, 0.0, rest)
    return ir.where(y == 0.0, x, rest) if floored else ir.where(y == 0.0, math.nan, rest)


@builtin(
    "mod",
    family="math/rounding",
    scalar=_mod,
    effects="pure",
    fusion=Map(
        lambda x, y: _kernel(x, y, floored=True),
        "arithmetic",
        accepts=fits,
        of_long=Map(lambda x, y: ir.mod(x, y), "long"),
    ),
)
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
    found = _of_few(np.remainder, x, y)
    return _by_class(x, y, "mod", floored=True) if found is None else found


@builtin(
    "rem",
    family="math/rounding",
    scalar=_rem,
    effects="pure",
    fusion=Map(
        lambda x, y: _kernel(x, y, floored=False),
        "arithmetic",
        accepts=fits,
        of_long=Map(lambda x, y: ir.rem(x, y), "long"),
    ),
)
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
    found = _of_few(np.fmod, x, y)
    return _by_class(x, y, "rem", floored=False) if found is None else found


_ROUNDING: dict[str, Any] = {
    "fix": np.trunc,
    "floor": np.floor,
    "ceil": np.ceil,
    "round": half_away,
}


def _are_integers(x: Any, y: Any) -> bool:
    """Whether an operand is of an integer class, and the other of its class or a number in it."""
    return any(class_of(v) in INTEGER_CLASSES for v in (x, y)) and fits(x, y)


@builtin(
    "idivide",
    family="math/rounding",
    effects="pure",
    fusion=Map(
        lambda x, y: ir.trunc(x / y),
        "arithmetic",
        accepts=_are_integers,
        of_long=Map(lambda x, y: ir.saturating.truncated(x, y), "long"),
    ),
)
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
        raise unknown_option(name, _ROUNDING)
    dtype = integer_dtype(x, y, "idivide")
    if dtype is None:
        raise MatlabError(
            "MATLAB:idivide:MustBeInteger", "At least one argument must belong to an integer class."
        )
    a, b = expand([numeric(x, "idivide"), numeric(y, "idivide")])
    whole = [v if v.dtype == dtype else _as_whole(v, dtype) for v in (a, b)]
    if dtype.itemsize == 8 and whole[0] is not None and whole[1] is not None:
        return from_numpy(_divide_exactly(whole[0], whole[1], name))
    with silent():
        quotient = a.astype(np.float64) / b.astype(np.float64)
        return from_numpy(saturate(_ROUNDING[name](quotient), dtype))


def _as_whole(number: Operand, dtype: Any) -> Operand | None:
    """Return a scalar in an integer type, None where it is no whole number of that."""
    converted = saturate(number, dtype)
    at_the_end = number >= 2.0 ** (63 if dtype.kind == "i" else 64)
    return converted if (converted == number).all() and not at_the_end.any() else None


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
