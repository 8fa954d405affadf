"""Loops in time with reductions inside, on an adapter, against the reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from runmat_provider_tests.device import Draft
from runmat_wgpu.codegen import template
from runmat_wgpu.codegen.shader import Target

from runmat_core.api import ir
from runmat_core.api.device import DeviceFault
from tests.providers.wgpu.drawn import carried, carry, check, last
from tests.providers.wgpu.sliced import HARDWARE, Sliced, named, nlms

SIZES: list[Any] = [
    (128, 40, 4, "f32"),
    (4, 300, 3, "f32"),
    (7, 9, 4, "f32"),
    (100, 3, 2, "f64"),
    (1000, 2, 2, "f32"),
]


@pytest.mark.parametrize("software", [True, False])
@pytest.mark.parametrize(("taps", "channels", "trips", "dtype"), SIZES)
def test_nlms(taps: int, channels: int, trips: int, dtype: str, software: bool) -> None:
    near = 2e-4 if dtype == "f32" else 1e-10
    check(nlms(taps, channels, trips, dtype), near, near, software=software)


@pytest.mark.parametrize("software", [True, False])
def test_taps_that_lie_far_apart(software: bool) -> None:
    check(nlms(16, 66, 3, across=True), 2e-4, 2e-4, software=software)


def test_without_subgroups() -> None:
    check(nlms(128, 5, 3), 2e-4, 2e-4, subgroups=False, software=False)


@pytest.mark.parametrize("trips", [1, 2, 3])
def test_trips_in_several_dispatches(trips: int) -> None:
    draft = nlms(30, 11, 7)
    tuned = (("trips", trips),)
    made = template(draft.kernel(), Target(tuned=tuned))
    prepared = made.prepare(draft.extents, tuple(draft.addressing))
    assert len(prepared.dispatches) == -(-7 // trips)
    check(draft, 2e-4, 2e-4, tuned=tuned, **HARDWARE)


@pytest.mark.parametrize("seed", range(5))
def test_random_loops(seed: int) -> None:
    made = Sliced(seed, serial=True).loop()
    tuned = (("trips", 2),) if seed % 3 == 0 else ()
    check(made.draft, made.rtol, made.rtol, tuned=tuned, software=seed % 2 == 0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 250))
def test_many_random_loops(seed: int) -> None:
    made = Sliced(seed, serial=True).loop()
    tuned = (("trips", 2),) if seed % 3 == 0 else ()
    check(made.draft, made.rtol, made.rtol, tuned=tuned, software=seed % 2 == 0)


def test_states_of_slices_and_of_points_side_by_side() -> None:
    draft = Draft((20, 6, 5), ["reduce", "parallel", "serial"])
    x = draft.load(np.random.default_rng(1).random((20, 6, 5)))
    points, at = carry(draft, draft.load(np.ones((20, 6)), [True, True, False]))
    # the best so far of each slice: its own extent is that of the slice
    best = draft.load(np.zeros(6), [False, True, False])
    place = draft.builder.emit("carry", (best.position,), "f64", 0b110, -1000)
    slices = ir.V(draft.builder, place)
    carried(draft, at, points * 0.5 + x)
    carried(draft, place, ir.maximum(slices, ir.reduce(named("max", "f64"), points - x)[0]))
    draft.store(last(draft, points))
    draft.store(last(draft, slices))
    for changes in ({}, HARDWARE, {"tuned": (("trips", 2),)}):
        check(draft, 1e-12, **changes)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_states_beside_reductions(dtype: str) -> None:
    draft = Draft((20, 6, 5), ["reduce", "parallel", "serial"])
    real = np.random.default_rng(3).random((20, 6))
    sums, at_sums = carry(draft, draft.load(real.astype(dtype).real, [True, True, False]))
    first = (real - 0.5 + 1j * real.T.reshape(20, 6)).astype(dtype)
    state, at_state = carry(draft, draft.load(first, [True, True, False]))
    (whole,) = ir.reduce(named("sum", sums.dtype), sums)
    following = sums / whole
    carried(draft, at_sums, following)
    carried(draft, at_state, ir.sqrt(state) * ir.exp(ir.complex_(following * 0.0, following)))
    draft.store(last(draft, state))
    draft.store(last(draft, sums))
    near = 1e-5 if dtype == "complex64" else 1e-13
    for changes in ({}, HARDWARE, {"tuned": (("trips", 2),)}):
        check(draft, near, near, **changes)


def test_reductions_before_the_loop_are_done_once() -> None:
    draft = Draft((50, 4, 3), ["reduce", "parallel", "serial"])
    fixed = draft.load(np.random.default_rng(2).random((50, 4)), [True, True, False])
    scale = ir.reduce(named("sum", "f64"), fixed)[0]
    state, at = carry(draft, fixed / scale)
    carried(draft, at, state * scale - ir.reduce(named("min", "f64"), state)[0])
    draft.store(last(draft, state))
    draft.store(scale)
    for changes in ({}, HARDWARE):
        check(draft, 1e-11, **changes)


def test_slices_that_no_workgroup_can_keep_are_a_fault() -> None:
    draft = nlms(8, 2, 2)
    made = template(draft.kernel(), Target())
    with pytest.raises(DeviceFault, match="too large"):
        made.prepare((1 << 20, 2, 2), tuple(draft.addressing))


def test_nothing_to_do() -> None:
    draft = nlms(8, 2, 2)
    made = template(draft.kernel(), Target())
    assert made.prepare((8, 0, 2), tuple(draft.addressing)).dispatches == ()
