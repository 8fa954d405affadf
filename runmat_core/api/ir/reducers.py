"""The standard reducers, as data: what each keeps and how two runs combine.

A provider that knows a reducer's name may compute it its own way; one that does not generates code
from the fragments.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from runmat_core.api.ir import tracing as t
from runmat_core.api.ir.kernel import PART_OF, Reducer

#: The standard reducers by name: what makes each, types of elements, and what it gives.
STANDARD: dict[str, tuple[str, str, str]] = {
    "sum": ("sum_", "floats, complex", "the sum; -0 of elements that all are, in scans"),
    "prod": ("prod", "floats, complex", "the product"),
    "max": ("maximum", "reals, bool", "the largest element, NaN only where all are"),
    "min": ("minimum", "reals, bool", "the least element, NaN only where all are"),
    "any": ("any_", "bool", "whether an element is true"),
    "all": ("all_", "bool", "whether all are"),
    "argmax": ("extremum", "reals, bool", "the largest element, and the first place of it"),
    "argmin": ("extremum", "reals, bool", "the least element, and the first place of it"),
    "argmax_nan": ("extremum", "floats", "the same of the first NaN, where there is one"),
    "argmin_nan": ("extremum", "floats", "the same of the first NaN, where there is one"),
    "largest": ("extremum_by_size", "complex", "the largest element by size, and its place"),
    "smallest": ("extremum_by_size", "complex", "the least element by size, and its place"),
    "largest_nan": ("extremum_by_size", "complex", "the same of the first NaN"),
    "smallest_nan": ("extremum_by_size", "complex", "the same of the first NaN"),
    "welford": ("welford", "floats", "count, mean, and sum of squared deviations from it"),
}


def reducer(
    name: str,
    init: tuple[float | bool, ...],
    elements: tuple[str, ...],
    state: tuple[str, ...],
    map: Callable[..., Any],
    combine: Callable[..., Any],
    finish: Callable[..., Any] = lambda *state: state,
    commutative: bool = True,
) -> Reducer:
    """Return a reducer from Python functions over values.

    Args:
        elements: types of the operands; `map` takes them and the element's number (f64).
        state: types of the state; `combine` takes two of them.
    """
    return Reducer(
        name,
        init,
        t.trace(map, (*elements, "f64")),
        t.trace(combine, (*state, *state)),
        t.trace(finish, state),
        commutative,
    )


@cache
def sum_(dtype: str) -> Reducer:
    """Sum of elements of a floating type."""
    return reducer("sum", (0.0,), (dtype,), (dtype,), lambda x, _: x, lambda a, b: a + b)


@cache
def running_sum(dtype: str) -> Reducer:
    """Return the sum for scans: the first one is the first element, be it -0."""
    return reducer("sum", (-0.0,), (dtype,), (dtype,), lambda x, _: x, lambda a, b: a + b)


@cache
def prod(dtype: str) -> Reducer:
    """Product of elements of a floating type."""
    return reducer("prod", (1.0,), (dtype,), (dtype,), lambda x, _: x, lambda a, b: a * b)


@cache
def any_() -> Reducer:
    """Whether any logical is true."""
    return reducer("any", (False,), ("bool",), ("bool",), lambda x, _: x, t.logical_or)


@cache
def all_() -> Reducer:
    """Whether every logical is true."""
    return reducer("all", (True,), ("bool",), ("bool",), lambda x, _: x, t.logical_and)


@cache
def extremum(dtype: str, largest: bool, include_nan: bool = False) -> Reducer:
    """Return the least or largest element, NaN ignored unless all are; also where it stands first.

    Results: the element, and its number from zero (f64). The number is -1 for no elements.

    Args:
        include_nan: whether the first NaN is what is looked for where there is one.
    """

    def combine(value: Any, place: Any, other: Any, where: Any) -> Any:
        better = (other > value) if largest else (other < value)
        if dtype in ("f32", "f64"):
            # a NaN gives way to any number, and a number never to a NaN; or the other way round
            kept, new = (other, value) if include_nan else (value, other)
            better = better | (t.isnan(kept) & ~t.isnan(new))
        take = (place < 0) | ((where >= 0) & better)
        return t.where(take, other, value), t.where(take, where, place)

    return reducer(
        ("argmax" if largest else "argmin") + ("_nan" if include_nan else ""),
        (0.0, -1.0),
        (dtype,),
        (dtype, "f64"),
        lambda x, k: (x, k),
        combine,
        commutative=False,
    )


@cache
def maximum(dtype: str) -> Reducer:
    """Return the largest element, NaN ignored unless all are."""
    return _best("max", dtype, t.maximum)


@cache
def minimum(dtype: str) -> Reducer:
    """Return the least element, NaN ignored unless all are."""
    return _best("min", dtype, t.minimum)


def _best(name: str, dtype: str, pick: Callable[..., Any]) -> Reducer:
    init: float | bool
    if dtype in ("f32", "f64"):
        init = float("nan")
    elif dtype == "bool":
        init = name == "min"
    else:
        bits, signed = int(dtype[1:]), dtype[0] == "i"
        low = -(2 ** (bits - 1)) if signed else 0
        high = 2 ** (bits - signed) - 1
        init = high if name == "min" else low
    return reducer(name, (init,), (dtype,), (dtype,), lambda x, _: x, pick)


@cache
def extremum_by_size(dtype: str, largest: bool, include_nan: bool = False) -> Reducer:
    """`extremum` of complex elements: by modulus, and by angle where these are equal."""
    part = PART_OF[dtype]

    def state(z: Any, k: Any) -> Any:
        size = t.where(t.isnan(z), float("nan"), t.abs_(z))
        return z, size, t.atan2(t.imag(z), t.real(z)), k

    def combine(*parts: Any) -> Any:
        (value, size, angle, place), (other, its_size, its_angle, where) = parts[:4], parts[4:]
        better = (its_size > size) if largest else (its_size < size)
        turned = (its_angle > angle) if largest else (its_angle < angle)
        better = better | ((its_size == size) & turned)
        # a NaN gives way to any number, and a number never to a NaN; or the other way round
        kept, new = (its_size, size) if include_nan else (size, its_size)
        take = (place < 0) | ((where >= 0) & (better | (t.isnan(kept) & ~t.isnan(new))))
        return (
            t.where(take, other, value),
            t.where(take, its_size, size),
            t.where(take, its_angle, angle),
            t.where(take, where, place),
        )

    return reducer(
        ("largest" if largest else "smallest") + ("_nan" if include_nan else ""),
        (0.0, 0.0, 0.0, -1.0),
        (dtype,),
        (dtype, part, part, "f64"),
        state,
        combine,
        lambda value, size, angle, place: (value, place),
        commutative=False,
    )


@cache
def welford(dtype: str) -> Reducer:
    """Count, mean and sum of squared deviations in one pass (Chan, Golub, LeVeque 1979)."""

    def combine(n: Any, mean: Any, m2: Any, k: Any, other: Any, other_m2: Any) -> Any:
        total = n + k
        delta = other - mean
        share = k / t.maximum(total, 1.0)
        return total, mean + delta * share, m2 + other_m2 + delta * delta * n * share

    return reducer(
        "welford",
        (0.0, 0.0, 0.0),
        (dtype,),
        (dtype, dtype, dtype),
        # no square of a difference from an infinite mean is a number, whichever way it is joined
        lambda x, _: (_one(x), x, x - x),
        combine,
    )


def _one(x: Any) -> Any:
    return x.builder.const(1.0, x.dtype)
