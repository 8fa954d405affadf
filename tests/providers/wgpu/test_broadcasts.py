"""Reduced values that meet elements of their slice again: means taken off, shares of a sum."""

from __future__ import annotations

import numpy as np
import pytest
from runmat_provider_tests.device import Draft
from runmat_wgpu.codegen import template
from runmat_wgpu.codegen.shader import Target

from runmat_core.api import ir
from tests.providers.wgpu.drawn import check, index, random
from tests.providers.wgpu.sliced import HARDWARE, named


def standardised(shape: tuple[int, int], kinds: list[str]) -> Draft:
    x = np.random.default_rng(3).normal(5, 2, shape).astype(np.float32)
    draft = Draft(shape, kinds)
    value = draft.load(x)
    mean = ir.reduce(named("sum", "f32"), value)[0] / ir.count(value)
    centred = value - mean
    variance = ir.reduce(named("sum", "f32"), centred * centred)[0] / ir.count(value)
    draft.store(centred / ir.sqrt(variance))
    draft.store(variance)
    return draft


@pytest.mark.parametrize("software", [True, False])
@pytest.mark.parametrize("kinds", [["reduce", "parallel"], ["parallel", "reduce"]])
@pytest.mark.parametrize("shape", [(64, 40), (301, 5), (5, 301), (9000, 2)])
def test_standardise(shape: tuple[int, int], kinds: list[str], software: bool) -> None:
    check(standardised(shape, kinds), 1e-4, 1e-5, software=software)


@pytest.mark.parametrize("kinds", [["reduce", "parallel"], ["parallel", "reduce"]])
@pytest.mark.parametrize("length", [300, 1023, 4096])
def test_slices_that_fit_into_registers_are_read_once(length: int, kinds: list[str]) -> None:
    shape = (length, 36) if kinds[0] == "reduce" else (36, length)
    draft = standardised(shape, kinds)
    changes = {**HARDWARE, "invocations": 1024}
    made = template(draft.kernel(), Target(**changes))
    (only,) = made.prepare(draft.extents, tuple(draft.addressing)).dispatches
    text = only.shader.source
    lanes = 4 if "array<vec4<f32>>" in text else 1
    batches = text.count("b0[")
    assert batches == text.count("b1[") <= 32 // lanes
    threads = int(text.split("@workgroup_size(")[1].split(")")[0])
    assert only.grid[0] * threads * batches * lanes >= 36 * length
    check(draft, 1e-4, 1e-5, **changes)


def test_slices_too_long_for_registers() -> None:
    draft = standardised((9000, 2), ["reduce", "parallel"])
    (only,) = (
        template(draft.kernel(), Target()).prepare((9000, 2), tuple(draft.addressing)).dispatches
    )
    assert only.shader.source.count("for (") >= 3


def test_long_slices_take_dispatches_for_each_level() -> None:
    draft = standardised((200_000, 1), ["reduce", "parallel"])
    made = template(draft.kernel(), Target())
    prepared = made.prepare(draft.extents, tuple(draft.addressing))
    # the parts of the mean and the join, the same of the variance, and the elements
    assert len(prepared.dispatches) == 5
    check(draft, 1e-4, 1e-5, **HARDWARE)


@pytest.mark.parametrize("kinds", [["reduce", "parallel"], ["parallel", "reduce"]])
def test_softmax(kinds: list[str]) -> None:
    shape = (130, 70)
    draft = Draft(shape, kinds)
    x = np.random.default_rng(1).normal(0, 20, shape).astype(np.float32)
    value = draft.load(x)
    powers = ir.exp(value - ir.reduce(named("max", "f32"), value)[0])
    draft.store(powers / ir.reduce(named("sum", "f32"), powers)[0])
    for changes in ({}, HARDWARE):
        machine = check(draft, 1e-5, 1e-7, **changes)
        total = machine.result(1).reshape(shape, order="F").sum(axis=kinds.index("reduce"))
        np.testing.assert_allclose(total, 1, rtol=1e-5)


@pytest.mark.parametrize("changes", [{}, HARDWARE], ids=["software", "hardware"])
@pytest.mark.parametrize("shape", [(4, 3000), (3, 100_000), (16, 700)])
def test_images_are_regenerated_for_each_level(shape: tuple[int, int], changes: dict) -> None:
    draft = Draft(shape, ["parallel", "reduce"])
    x = random(draft, index(draft, (1, shape[0])), ("uniform", "f32"), 9, 4)
    mean = ir.reduce(named("sum", "f32"), x)[0] / ir.count(x)
    apart = x - mean
    sigma = ir.sqrt(ir.reduce(named("sum", "f32"), apart * apart)[0] / ir.count(x) + 1e-6)
    y = ir.maximum((apart / sigma) * 1.0123 - 0.02, 0.0) ** 1.8
    rest = y - x
    draft.store(ir.reduce(named("sum", "f32"), rest * rest)[0] / ir.count(x))
    draft.store(y)
    check(draft, 1e-4, 1e-4, **changes)


def test_guards_and_stores_of_every_level() -> None:
    draft = Draft((100, 7), ["reduce", "parallel"])
    x = draft.load(np.random.default_rng(0).normal(size=(100, 7)))
    draft.store(x * 2.0)
    draft.guard(x > 2.5, 0)
    total = ir.reduce(named("sum", "f64"), x)[0]
    draft.store(total)
    draft.guard(total > 1e6, 1)
    share = x / total
    draft.store(share)
    draft.guard(share == 0.25, 2)
    best = ir.reduce(named("argmax", "f64"), share)
    draft.store(best[0])
    draft.store(best[1] + 1.0)
    for changes in ({}, HARDWARE):
        check(draft, 1e-10, 1e-12, **changes)
