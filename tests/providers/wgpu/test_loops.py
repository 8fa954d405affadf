"""Kernels with a serial axis on an adapter."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from runmat_provider_tests.device import Draft
from runmat_wgpu.codegen import template
from runmat_wgpu.codegen.shader import Target

from runmat_core.api import ir
from runmat_core.api.device import NUMPY_DTYPE, Addressing
from tests.providers.wgpu.drawn import Drawn, carried, carry, check, index, last, random

FEW_TRIPS: dict[str, Any] = {"tuned": (("trips", 3),)}


@pytest.mark.parametrize("seed", range(12))
def test_drawn_loops(seed: int) -> None:
    drawn = Drawn(seed, "f64" if seed % 3 == 2 else "f32", serial=True)
    check(drawn.draft, **(FEW_TRIPS if seed % 2 else {}))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 300))
def test_many_drawn_loops(seed: int) -> None:
    drawn = Drawn(seed, "f64" if seed % 3 == 2 else "f32", serial=True)
    check(drawn.draft)
    check(drawn.draft, **FEW_TRIPS)
    check(drawn.draft, binding_bytes=8192)


def filtered(points: int, trips: int, dtype: str = "f32") -> Draft:
    """``y = 0.9*y + x(:, t)``, every y stored, the last one as well."""
    draft = Draft((points, trips), ["parallel", "serial"])
    rng = np.random.default_rng(points)
    x = draft.load(rng.normal(size=(points, trips)).astype(NUMPY_DTYPE[dtype]))
    y, at = carry(draft, draft.param(0.0, dtype))
    step = ir.maximum(y * 0.5, -1.0) + x
    carried(draft, at, step)
    draft.store(step)
    draft.store(last(draft, step), [True, False])
    return draft


@pytest.mark.parametrize("dtype", ["f32", "f64"])
@pytest.mark.parametrize("points", [1, 7, 64, 20001])
def test_carried_values_and_stores_of_every_trip(points: int, dtype: str) -> None:
    check(filtered(points, 5, dtype))


def test_trips_in_several_dispatches_carry_on_exactly() -> None:
    draft = filtered(103, 20)
    check(draft, **FEW_TRIPS)
    made = template(draft.kernel(), Target(tuned=(("trips", 3),)))
    prepared = made.prepare((103, 20), tuple(draft.addressing))
    assert len(prepared.dispatches) == 7
    assert prepared.scratch == (103 * 4,)


def test_arrays_larger_than_a_binding_are_walked_in_windows() -> None:
    check(filtered(500, 40), binding_bytes=16384)


def test_launches_that_would_take_long_are_split() -> None:
    draft = filtered(4096, 8)
    made = template(draft.kernel(), Target())
    views = tuple(Addressing(v.offset, (1, 0)) for v in draft.addressing)
    short = made.prepare((1 << 20, 100), views)
    long = made.prepare((1 << 20, 1 << 20), views)
    assert len(short.dispatches) == 1
    assert 1 < len(long.dispatches) < 10_000


def test_carries_change_places() -> None:
    draft = Draft((9, 7), ["parallel", "serial"])
    a, first = carry(draft, draft.load(np.arange(9.0), [True, False]))
    b, second = carry(draft, draft.param(-1.0, "f64"))
    carried(draft, first, b)
    carried(draft, second, a + b)
    for value in (a, b):
        draft.store(last(draft, value), [True, False])
    check(draft)


def test_logical_and_integer_carries_pass_between_dispatches() -> None:
    draft = Draft((11, 10), ["parallel", "serial"])
    x = draft.load(np.random.default_rng(2).normal(size=(11, 10)))
    seen, at = carry(draft, draft.load(np.zeros(11, bool), [True, False]))
    carried(draft, at, ir.logical_or(seen, x > 1.0))
    count, place = carry(draft, draft.load(np.zeros(11, np.int32), [True, False]))
    carried(draft, place, ir.where(seen, count, ir.cast(ir.cast(count, "f64") + 1.0, "i32")))
    draft.store(last(draft, seen), [True, False])
    draft.store(last(draft, count), [True, False])
    check(draft)
    check(draft, **FEW_TRIPS)


def test_guards_in_any_trip_fire() -> None:
    for value, fires in ((-1.0, 1), (1.0, 0)):
        draft = Draft((5, 6), ["parallel", "serial"])
        data = np.ones((5, 6), np.float32)
        data[4, 3] = value
        x = draft.load(data)
        y, at = carry(draft, draft.param(0.0, "f32"))
        carried(draft, at, y + x)
        draft.guard(x < 0.0)
        draft.store(last(draft, y), [True, False])
        assert check(draft).status == fires


def test_several_parallel_axes_and_still_operands() -> None:
    draft = Draft((10, 6, 5), ["parallel", "parallel", "serial"])
    rng = np.random.default_rng(4)
    gain = draft.load(rng.normal(size=6), [False, True, False])
    start = draft.load(rng.normal(size=10), [True, False, False])
    state, at = carry(draft, start)
    carried(draft, at, state * gain + 1.0)
    draft.store(last(draft, state), [True, True, False])
    draft.store(state, where=Addressing(0, (1, 50, 10)))
    check(draft, rtol=1e-15)
    check(draft, groups=1, rtol=1e-15)


def test_long_axes_before_others() -> None:
    draft = Draft((2000, 3, 4), ["parallel", "parallel", "serial"])
    gain = draft.load(np.array([0.5, 2.0, -1.0]), [False, True, False])
    state, at = carry(draft, draft.load(np.arange(2000.0), [True, False, False]))
    carried(draft, at, state * gain)
    draft.store(last(draft, state), [True, True, False])
    check(draft, groups=1)


@pytest.mark.parametrize("kind", [("uniform", "f32"), ("normal", "f32"), ("normal", "f64")])
@pytest.mark.parametrize("points", [16, 37])
@pytest.mark.parametrize("position", [0, 5, (1 << 34) - 50])
def test_fresh_random_numbers_in_every_trip(
    points: int, kind: tuple[str, str], position: int
) -> None:
    draft = Draft((points, 6), ["parallel", "serial"])
    numbers = index(draft, (1, points), 3 if points == 37 else 0)
    z = random(draft, numbers, kind, (9 << 32) + 77, position)
    total, at = carry(draft, draft.param(0.0, kind[1]))
    carried(draft, at, total + z)
    draft.store(last(draft, total), [True, False])
    tolerance = 1e-5 if kind[1] == "f32" else 1e-13
    check(draft, atol=tolerance)
    if kind[1] == "f32":
        check(draft, atol=tolerance, i64=False, f64=False)
