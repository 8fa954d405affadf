"""Integer arithmetic against Python's integers and fractions, near every bound."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runmat_core import values
from runmat_core.values import from_numpy, to_numpy
from runmat_core.values.base import Complex
from runmat_core.values.classes import saturate

CLASSES = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]


def boxed(number: int, cls: str) -> Any:
    return from_numpy(np.array([[number]], cls))


def item(value: Any) -> int:
    return int(to_numpy(value).item())


def rounded(exact: Fraction) -> int:
    """Half away from zero."""
    whole = math.floor(abs(exact) + Fraction(1, 2))
    return whole if exact > 0 else -whole


def quotient(x: Fraction, y: Fraction) -> Fraction:
    if y == 0:
        return Fraction(0 if x == 0 else 2**70 if x > 0 else -(2**70))
    return x / y


OPERATORS: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "plus": lambda x, y: x + y,
    "minus": lambda x, y: x - y,
    "times": lambda x, y: x * y,
    "rdivide": quotient,
}

interesting = st.one_of(
    st.sampled_from([0, 1, 2, 3, 2**31, 2**53, 2**62, 2**63, 2**64]).flatmap(
        lambda k: st.sampled_from([k - 1, k, k + 1, -k, 1 - k, -k - 1])
    ),
    st.integers(-(2**64), 2**64),
    st.integers(-300, 300),
)


@pytest.mark.sweep
@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize("name", OPERATORS)
@settings(max_examples=150)
@given(x=interesting, y=interesting)
def test_two_integers_of_one_class(name: str, cls: str, x: int, y: int) -> None:
    info = np.iinfo(cls)
    low, high = int(info.min), int(info.max)
    x, y = min(max(x, low), high), min(max(y, low), high)
    exact = rounded(OPERATORS[name](Fraction(x), Fraction(y)))
    result = getattr(values, name)(boxed(x, cls), boxed(y, cls))
    assert item(result) == min(max(exact, low), high)
    assert values.class_of(result) == cls


@pytest.mark.parametrize("cls", ["int64", "uint64"])
@pytest.mark.parametrize("name", OPERATORS)
@settings(max_examples=150)
@given(x=interesting, y=st.floats(-1e20, 1e20))
def test_a_64_bit_integer_and_a_double(name: str, cls: str, x: int, y: float) -> None:
    info = np.iinfo(cls)
    low, high = int(info.min), int(info.max)
    x = min(max(x, low), high)
    exact = rounded(OPERATORS[name](Fraction(x), Fraction(y)))
    assert item(getattr(values, name)(boxed(x, cls), y)) == min(max(exact, low), high)


@settings(max_examples=300)
@given(x=st.floats(allow_nan=False), cls=st.sampled_from(CLASSES))
def test_doubles_round_half_away_and_saturate(x: float, cls: str) -> None:
    info = np.iinfo(cls)
    if math.isinf(x):
        expected = info.max if x > 0 else info.min
    else:
        expected = min(max(rounded(Fraction(x)), int(info.min)), int(info.max))
    assert int(saturate(np.array([x]), cls)[0]) == expected


@settings(max_examples=200)
@given(x=interesting, y=st.one_of(st.floats(-2e19, 2e19), st.integers(-(2**53), 2**53).map(float)))
def test_64_bit_integers_compare_with_doubles_exactly(x: int, y: float) -> None:
    x = min(max(x, -(2**63)), 2**63 - 1)
    big = boxed(x, "int64")
    assert values.lt(big, y) is (x < Fraction(y))
    assert values.eq(big, y) is (x == Fraction(y))
    assert values.ge(y, big) is (Fraction(y) >= x)


def test_wide_integers_equal_complex_numbers_exactly() -> None:
    largest = boxed(2**64 - 1, "uint64")
    assert values.eq(largest, Complex(2.0**64)) is False
    assert values.ne(largest, Complex(5 + 2j)) is True
    several = from_numpy(np.array([[2**53, 2**53, 2**53 + 1]], "int64"))
    among = from_numpy(np.array([[2.0**53, 2.0**53 + 1j, 2.0**53]]))
    assert to_numpy(values.eq(several, among)).tolist() == [[True, False, False]]


POWERS = [
    (3, 39.0, 4052555153018976267),
    (2, 62.0, 2**62),
    (2, 63.0, 2**63 - 1),
    (-2, 63.0, -(2**63)),
    (-2, 1e9, 2**63 - 1),
    (-2, 1e9 + 1, -(2**63)),
    (2, -1.0, 1),
    (3, -1.0, 0),
    (0, 0.0, 1),
    (7, 0.0, 1),
    (9, 0.5, 3),
]


@pytest.mark.parametrize(("base", "exponent", "expected"), POWERS)
def test_powers_of_int64(base: int, exponent: float, expected: int) -> None:
    assert item(values.power(boxed(base, "int64"), exponent)) == expected


def test_the_least_integer_has_no_opposite() -> None:
    least = from_numpy(np.array([[-128, 127, 0]], np.int8))
    assert to_numpy(values.uminus(least)).tolist() == [[127, -127, 0]]
    assert to_numpy(values.uminus(from_numpy(np.array([[3, 4]], np.uint8)))).tolist() == [[0, 0]]
