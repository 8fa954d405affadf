"""Loops over generated values, whose bounds decide whether functions test their arguments."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from runmat_provider_tests.device import Draft
from runmat_wgpu.codegen import template
from runmat_wgpu.codegen.scalars import Scalars

from runmat_core.api import ir
from tests.providers.wgpu.drawn import carried, carry, check, index, last, random
from tests.providers.wgpu.elements import evaluate
from tests.providers.wgpu.machine import target
from tests.providers.wgpu.sliced import named

NEAR = {"fused": True, "rounds": False}


def chain(first: float, step: float, divisor: float, strides: tuple[int, ...] = (1,)) -> Draft:
    """Sums over ``first + step * k`` of functions with shorter forms."""
    draft = Draft((5003,) * len(strides), ["reduce"] * len(strides))
    x = draft.param(first, "f64") + ir.cast(index(draft, strides), "f64") * draft.param(step, "f64")
    x = ir.cast(x, "f32")
    quotient = x / draft.param(divisor, "f32")
    for value in (ir.sin(x) + quotient, ir.exp(-quotient), ir.cos(x * 0.5)):
        for result in ir.reduce(named("sum", "f32"), value):
            draft.store(result)
    return draft


@pytest.mark.sweep(24)
@pytest.mark.parametrize("first", [0.0, -3.0005, 1e9, np.nan, np.inf])
@pytest.mark.parametrize("step", [2e-3, -1e-3, 1e5, 0.0, np.inf])
@pytest.mark.parametrize("divisor", [10.0, -0.3, 0.0, 1e-30, np.inf, np.nan])
def test_values_within_and_beyond(first: float, step: float, divisor: float) -> None:
    check(chain(first, step, divisor), 2e-4, 1e-2, **NEAR)


def test_numbers_that_count_down() -> None:
    draft = Draft((2000,), ["reduce"])
    x = ir.cast(index(draft, (-3,), 5997), "f32") * draft.param(1e-3, "f32")
    for result in ir.reduce(named("sum", "f32"), ir.sin(x)):
        draft.store(result)
    check(draft, 1e-5, **NEAR)


@pytest.mark.parametrize("scale", [0.01, 50.0, np.nan])
def test_loops_in_time_over_random_numbers(scale: float) -> None:
    draft = Draft((50, 40), ["parallel", "serial"])
    start = draft.load(np.full(50, 100, np.float32), [True, False])
    state, at = carry(draft, start)
    drawn = random(draft, index(draft, (1, 50)), ("uniform", "f32"), 77, 0)
    carried(draft, at, state * 0.5 + ir.exp(drawn * draft.param(scale, "f32") - 1.0))
    draft.store(last(draft, state), [True, False])
    check(draft, 1e-5, **NEAR)
    source = template(draft.kernel(), target(**NEAR)).source
    assert "exp_near_f32(" in source.split("fn main")[1]


def test_numbers_of_elements_are_bounded_by_how_many_there_are() -> None:
    source = template(chain(0.0, 1.0, 1.0).kernel(), target(**NEAR)).source
    assert "let top_" in source
    # not by what 64 bits hold
    assert "e+18" not in source


def test_the_text_has_both_forms() -> None:
    kernel = chain(0.0, 1.0, 1.0).kernel()
    source = template(kernel, target(**NEAR)).source
    for name in ("sin_near_f32(", "sin_f32(", "exp_near_f32(", "div_near_f32(", "div_known_f32("):
        assert source.split("fn main")[1].count(name), name
    plain = template(kernel, target(fused=False)).source
    assert "div_near" not in plain


def wave(first: float, step: float) -> Draft:
    """A sum over ``first + step * k`` of functions of bounded values."""
    draft = Draft((5003,), ["reduce"])
    x = ir.cast(index(draft, (1,)), "f32") * draft.param(step, "f32") + draft.param(first, "f32")
    y = ir.sin(x) * ir.exp(x * -0.1)
    y = y * ir.cos(x * 0.25) + y * y * 0.25
    for result in ir.reduce(named("sum", "f32"), ir.tanh(y) + y):
        draft.store(result)
    return draft


@pytest.mark.parametrize("first", [0.0, 13.0, -30.0, 1e3, 1e9, np.nan, -np.inf])
@pytest.mark.parametrize("step", [2e-3, -1e-3, 1e5, np.nan])
def test_bounds_of_products_and_functions(first: float, step: float) -> None:
    check(wave(first, step), 2e-4, 1e-2, **NEAR, powers=True)


def test_shortest_forms_come_first() -> None:
    source = template(wave(0.0, 1.0).kernel(), target(**NEAR, powers=True)).source
    loops = source.split("fn main")[1].split("for (; ")
    functions = [
        [name for name in ("tanh_close", "exp_close", "exp_near") if name in loop]
        for loop in loops[1:4]
    ]
    assert functions == [["tanh_close", "exp_close"], ["exp_near"], []]
    plain = target(**NEAR, powers=False)
    assert "exp_close" not in template(wave(0.0, 1.0).kernel(), plain).source


def test_quotients_of_near_numbers_are_rounded() -> None:
    generator = np.random.default_rng(1)
    size = np.exp(generator.uniform(-87, 16, 40000)) * generator.choice([-1, 1], 40000)
    x = np.concatenate([size, [0.0, -0.0, 1.2e-38, -1.2e-38, 2.0**24]]).astype(np.float32)
    for divisor in (3.7, -10.0, 1e15, -1e-15, 1 + 2.0**-23):
        known = np.full_like(x, divisor)

        def divided(s: Scalars, names: Sequence[str]) -> str:
            inverse = s.inverse(names[1], "f32")
            assert inverse is not None
            return s.divided(*names, inverse, "f32", None, True)

        (got,) = evaluate(["f32"] * 2, [x, known], [("f32", divided)], **NEAR)
        expected = x / known
        normal = (np.abs(expected) >= 1.2e-38) | (x == 0)
        np.testing.assert_array_equal(got[normal], expected[normal])
        np.testing.assert_array_equal(np.signbit(got), np.signbit(expected))
