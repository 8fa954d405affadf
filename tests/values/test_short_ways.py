"""Short ways of operators on a few elements give what the general rules give, to the last bit."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

from runmat_core import Session
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.math import remainders
from runmat_core.values import concat, dispatch, indexing, spans
from runmat_core.values.array import Array, from_numpy, to_numpy
from runmat_core.values.base import Complex
from runmat_core.values.char import CharArray
from runmat_core.values.colon import colon, float_range
from runmat_core.values.dispatch import HOST_RULES
from runmat_core.values.hooks import HOOKS

SPECIAL = [0.0, -0.0, 1.0, -1.0, 2.5, -7.0, math.inf, -math.inf, math.nan, 1e308, -5e-324, 2.0**53]
SHAPES = [(1, 2), (3, 1), (2, 3), (0, 3), (1, 1), (2, 2, 2), (5, 5)]


def arrays(seed: int) -> list[Any]:
    """Arrays of every class of numbers and many shapes, with special values among them."""
    rng = np.random.default_rng(seed)
    found: list[Any] = [2.0, -3.0, 0.0, math.nan, True, False, complex(1, 2)]
    for shape in SHAPES:
        doubles = rng.choice(SPECIAL, shape)
        logicals = rng.random(shape) < 0.5
        singles = rng.choice(SPECIAL[:9], shape).astype(np.float32)
        whole = rng.integers(-9, 9, shape).astype(np.int8)
        mixed = doubles + 1j * rng.choice([0.0, 1.0], shape)
        found += map(from_numpy, (doubles, logicals, singles, whole, mixed, rng.random(shape)))
    return found


def outcome(rule: Callable[..., Any], *operands: Any) -> Any:
    """What a rule gives, as class, size and bytes, or the identifier of its error."""
    try:
        # while a program runs, NumPy is silent; at other times a warning is an error here
        with np.errstate(all="ignore") if HOOKS.programs else nullcontext():
            value = rule(*operands)
    except MatlabError as error:
        return error.identifier
    if isinstance(value, Array):
        assert value.data.flags.f_contiguous
        return value.class_name, value.shape, value.data.tolist().__repr__()
    return type(value).__name__, repr(value)


@pytest.mark.parametrize("running", [0, 1])
@pytest.mark.parametrize(
    "name", ["plus", "minus", "times", "rdivide", "power", "gt", "eq", "and_", "or_"]
)
def test_operators_of_two(name: str, running: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HOOKS, "programs", running)
    values = [Complex(v) if isinstance(v, complex) else v for v in arrays(1)]
    for a, b in itertools.product(values, values):
        if isinstance(a, Array) or isinstance(b, Array):
            short, general = getattr(dispatch, name), HOST_RULES[name]
            assert outcome(short, a, b) == outcome(general, a, b), (a, b)


@pytest.mark.parametrize("name", ["eq", "ne", "lt", "le", "gt", "ge"])
def test_relations_of_text(name: str) -> None:
    """What takes text as bytes says what the codes as doubles say."""
    texts = ["", "b", "abc", "bb", "\u00e9", "a\u00e9", "\ud800", "b\u4e00"]
    numbers = [98.0, -1.0, 98.5, math.nan, 1e6, from_numpy(np.array([[97.0, 98.0, 1e9]]))]
    small = [from_numpy(np.array([[98, 5, 7]], kind)) for kind in ("int8", "uint8", "int64")]
    ufunc = {"eq": "equal", "ne": "not_equal", "lt": "less", "gt": "greater"}.get(name)
    compare = getattr(np, ufunc or {"le": "less_equal", "ge": "greater_equal"}[name])

    def codes(value: Any) -> Any:
        return value.data.astype(float) if isinstance(value, CharArray) else to_numpy(value)

    for a, b in itertools.product(
        [CharArray(t) for t in texts], [*map(CharArray, texts), *numbers, *small]
    ):
        x, y = codes(a), codes(b)
        if x.shape == y.shape or 1 in (x.size, y.size):
            expected = outcome(from_numpy, compare(x, y))
            assert outcome(getattr(dispatch, name), a, b) == expected, (a, b)


@pytest.mark.parametrize("name", ["plus", "minus", "times", "rdivide"])
def test_arithmetic_of_two_integers(name: str) -> None:
    """One of each as a number by itself gives what it gives among others."""
    rule = getattr(dispatch, name)
    for kind in ("int8", "uint16", "int32", "uint64"):
        ends = np.iinfo(kind)
        some = np.array([ends.min, ends.max, 0, 1, 3, 7], kind)
        for x, y in itertools.product(some, [*some, 2.0, -1.0, 2.5, math.nan, math.inf]):
            a = from_numpy(np.array([[x]], kind))
            b = y if isinstance(y, float) else from_numpy(np.array([[y]], kind))
            row = from_numpy(np.array([[x, x]], kind))
            among = rule(row, b)
            alone = rule(a, b)
            assert alone.data.dtype == among.data.dtype
            assert alone.data.item() == among.data.item(0), (kind, x, y)


def whole(parts: list[Any], axis: int) -> Any:
    """Arrays and numbers joined by NumPy."""
    rows = [np.atleast_2d(p.data if isinstance(p, Array) else np.array([[p]])) for p in parts]
    return from_numpy(np.concatenate([r for r in rows if r.shape != (0, 0)], axis))


def test_joined_complex_numbers() -> None:
    line = from_numpy(np.array([[1.0, 2j, 3.0]]))
    real, one = from_numpy(np.array([[1.0, -0.0]])), Complex(0, 1)
    for parts in ([line, line], [line, 2.0, one], [real, one, line], [one, one], [one, -one, 1.0]):
        assert outcome(concat.horzcat, *parts) == outcome(whole, parts, 1)
    for parts in ([line, line], [line, from_numpy(np.array([[1.0, 2.0, 3.0]]))], [one, 1.0]):
        assert outcome(concat.vertcat, *parts) == outcome(whole, parts, 0)


def test_ranges_of_few() -> None:
    edges = [0.0, 1.0, 2.0, 3.0, -2.0, 2.5, 0.5, 2.0**53, math.inf, math.nan]
    for first, last in itertools.product(edges, edges):
        if not last - first > 99 and not math.isinf(first) and not math.isinf(last):
            expected = outcome(from_numpy, float_range(first, 1.0, last))
            assert outcome(colon, first, last) == expected, (first, last)
        for step in (1.0, 2.0, -1.0):
            if all(math.isfinite(v) for v in (first, last)) and max(abs(first), abs(last)) < 99:
                expected = outcome(colon, first, step, last)
                got = outcome(spans.whole, spans.span(first, step, last))
                assert got == expected, (first, step, last)


@pytest.mark.parametrize("name", ["not_", "uminus"])
def test_operators_of_one(name: str) -> None:
    for a in arrays(2):
        if isinstance(a, Array):
            short, general = getattr(dispatch, name), HOST_RULES[name]
            assert outcome(short, a) == outcome(general, a), a


def test_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    values = [v for v in arrays(3) if isinstance(v, Array)]
    short = [outcome(indexing.truth, v) for v in values]
    monkeypatch.setattr(indexing, "_LISTED", -1)
    assert short == [outcome(indexing.truth, v) for v in values]


@pytest.mark.parametrize("rule", [remainders.mod, remainders.rem])
def test_remainders(rule: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    values = [v for v in arrays(4) if isinstance(v, Array)]
    divisors = [3.0, 1.0, 2.0**40, 2.5, -3.0, 0.0, math.inf, math.nan]
    pairs = list(itertools.product(values, divisors))
    short = [outcome(rule, *pair) for pair in pairs]
    monkeypatch.setattr(remainders, "_FEW", -1)
    assert short == [outcome(rule, *pair) for pair in pairs]


@pytest.mark.parametrize("operator", ["+", "*", ".*", "==", "<"])
@pytest.mark.parametrize(
    "other",
    ["{3}", "struct()", "hours(3)", "datetime(2020, 1, 1)", "categorical(1)", "table(3)", '"a"',
     "containers.Map", "@sin", "polyshape()", "sparse(3)", "int8(3)", "'a'", "true", "3i"],
)  # fmt: skip
def test_values_of_any_class_beside_a_small_array(operator: str, other: str) -> None:
    """Short ways take what is plain and leave everything else to the general rules."""
    session = Session()
    for left, right in (("[1 2]", other), (other, "[1 2]")):
        session.run(f"id = ''; try, a = {left} {operator} {right}; catch e, id = e.identifier; end")
        assert session.eval("id") != "RunMat:internal", (left, right)
