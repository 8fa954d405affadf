"""Rounding."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import ir
from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.fusion import Map
from runmat_core.api.ir.complexes import by_parts
from runmat_core.builtins.arguments import integer, option, unknown_option
from runmat_core.builtins.arrays import sparse_moves
from runmat_core.builtins.lift import operand
from runmat_core.values import SparseArray, from_numpy, share
from runmat_core.values.classes import round_half_away, saturate, silent

Operand = NDArray[Any]

#: Doubles at and beyond this are integers.
_ALL_INTEGERS = 2.0**52


def _parts(function: Any, x: Operand) -> Operand:
    """Return `function` of the real and the imaginary part; integers are already whole."""
    if x.dtype.kind in "iu":
        return x
    if x.dtype.kind != "c":
        rounded: Operand = function(x)
        return rounded
    z = np.empty_like(x)
    z.real, z.imag = function(x.real), function(x.imag)
    return z


def _rounded(function: Any, x: Any) -> Any:
    """Return `function` of floats in kernel IR; integers are whole already."""
    return function(x) if x.dtype in ir.FLOATS else x


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


@builtin(
    "floor",
    family="math/rounding",
    lift="map",
    scalar=_floor,
    integers=True,
    effects="pure",
    fusion=Map(
        lambda x: _rounded(ir.floor, x),
        "same",
        of_complex=Map(by_parts(lambda x: ir.floor(x)), "complex"),
    ),
)
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


@builtin(
    "ceil",
    family="math/rounding",
    lift="map",
    scalar=_ceil,
    integers=True,
    effects="pure",
    fusion=Map(
        lambda x: _rounded(ir.ceil, x),
        "same",
        of_complex=Map(by_parts(lambda x: ir.ceil(x)), "complex"),
    ),
)
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


@builtin(
    "fix",
    family="math/rounding",
    lift="map",
    scalar=_fix,
    integers=True,
    effects="pure",
    fusion=Map(
        lambda x: _rounded(ir.trunc, x),
        "same",
        of_complex=Map(by_parts(lambda x: ir.trunc(x)), "complex"),
    ),
)
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
    return round_half_away(x) if x.dtype.kind == "f" else x


@builtin(
    "round",
    family="math/rounding",
    scalar=rounded,
    effects="pure",
    fusion=Map(
        lambda x: _rounded(ir.round_, x),
        "same",
        of_complex=Map(by_parts(lambda x: ir.round_(x)), "complex"),
    ),
)
def round_(x: Any, n: Any = None, kind: Any = None, word: Any = None, side: Any = None) -> Any:
    """Round to the nearest integer, halves away from zero.

    Y = round(X)
    Y = round(X, N) rounds to N decimal places (to tens, hundreds … for negative N)
    Y = round(X, N, "significant") rounds to N significant digits
    Y = round(…, "TieBreaker", SIDE) rounds halves "fromzero", "tozero", to "even" or "odd"
    numbers, or towards "plusinf" or "minusinf"

    Examples:
        >> round([-2.5 0.5 2.4])
        ans =
            -3     1     2
        >> round(pi, 3)
        ans =
            3.1420

    See also: floor, ceil, fix.
    """
    if n is None and x.__class__ is float and kind is None:
        return rounded(x)
    rule: Callable[[Operand], Operand] = half_away
    given = [value for value in (n, kind, word, side) if value is not None]
    if len(given) > 1 and option(given[-2]) == "tiebreaker":
        rule = _tie_rule(given[-1])
        n, kind, word, side = (*given[:-2], None, None, None, None)[:4]
    if word is not None:
        raise unknown_option(option(word) or "", ["TieBreaker"])
    if n is None and isinstance(x, SparseArray):
        return sparse_moves.mapped(lambda values: _parts(rule, values), x)
    if n is None:
        with silent():
            return from_numpy(_parts(rule, operand(x, "round", integers=True)))
    significant = _is_significant(kind)
    digits = integer(n, "Number of digits")
    if significant and digits < 1:
        raise MatlabError("MATLAB:round:NIsNotPositive", "N must be a positive integer.")
    a = operand(x, "round", integers=True)
    if a.dtype.kind in "iu":
        if digits >= 0 and not significant:
            return share(x)
        return from_numpy(
            saturate(_to_digits(a.astype(np.float64), digits, significant, rule), a.dtype)
        )
    return from_numpy(_parts(lambda part: _to_digits(part, digits, significant, rule), a))


#: Which halves go up, given those numbers and what is below them.
_HALVES_UP: dict[str, Callable[[Operand, Operand], Any]] = {
    "fromzero": lambda x, below: x > 0,
    "tozero": lambda x, below: x < 0,
    "even": lambda x, below: below % 2 == 1,
    "odd": lambda x, below: below % 2 == 0,
    "plusinf": lambda x, below: True,
    "minusinf": lambda x, below: False,
}


def _tie_rule(side: Any) -> Callable[[Operand], Operand]:
    name = option(side) or ""
    if name not in _HALVES_UP:
        raise unknown_option(name, list(_HALVES_UP))

    def rule(x: Operand) -> Operand:
        below = np.floor(x)
        rest = x - below
        up = (rest > 0.5) | (rest == 0.5) & _HALVES_UP[name](x, below)
        return np.asarray(np.where(up, below + 1, below), x.dtype)

    return rule


def _is_significant(kind: Any) -> bool:
    if kind is None:
        return False
    name = option(kind) or ""
    if name not in {"significant", "decimals"}:
        raise unknown_option(name, ["significant", "decimals"])
    return name == "significant"


def _to_digits(
    x: Operand, digits: int, significant: bool, rule: Callable[[Operand], Operand]
) -> Operand:
    with silent():
        places: Any = digits
        if significant:
            size = np.floor(np.log10(np.abs(np.where(x == 0, 1, x))))
            places = digits - 1 - np.where(np.isfinite(size), size, 0)
        scale = np.power(10.0, np.abs(places))
        scaled = np.where(places >= 0, x * scale, x / scale)
        whole = rule(scaled)
        y = np.where(places >= 0, whole / scale, whole * scale)
        return np.where(np.isfinite(y), y, x).astype(x.dtype)
