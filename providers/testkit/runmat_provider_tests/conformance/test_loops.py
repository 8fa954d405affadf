"""Kernels with a loop in time, against the reference interpreter."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from runmat_core.api import ir
from runmat_core.api.device import Addressing
from runmat_core.api.ir import Builder, V, reducers
from runmat_provider_tests.device import Device, Draft
from runmat_provider_tests.reference import Run

RNG = np.random.default_rng(7)
#: Points and trips: less than a vector, a few, more than a workgroup or a block has.
SIZES = [(1, 1), (5, 3), (70, 9), (1000, 4), (70_001, 3)]


def checked(draft: Draft, device: Device, tolerance: float = 0.0) -> None:
    """Run a kernel on the device and compare what it writes."""
    kernel = draft.kernel()
    buffers, status = draft.run(device)
    expected = [array.copy() for array in draft.data]
    bits = Run(kernel, draft.extents, expected, draft.addressing, draft.scalars).run()
    assert status == bits
    for k, buffer in enumerate(kernel.buffers):
        if buffer.access == "write":
            np.testing.assert_allclose(
                buffers[k], expected[k], rtol=tolerance, atol=tolerance, equal_nan=True
            )


def window(extents: tuple[int, ...], *strides: int) -> Addressing:
    return Addressing(0, strides)


@pytest.mark.parametrize(("points", "trips"), SIZES)
def test_a_carried_value_and_what_every_trip_stores(
    device: Device, points: int, trips: int
) -> None:
    draft = Draft((points, trips), ["parallel", "serial"])
    first = draft.load(RNG.random(points).astype(np.float32), [True, False])
    x = draft.load(RNG.random(points * trips).astype(np.float32))
    y = draft.carry(first, 3)
    following = y * 0.5 + x
    draft.turn(y, following)
    draft.store(following)
    draft.store(draft.last(following) + 1.0)
    checked(draft, device, 1e-6)


@pytest.mark.parametrize(("points", "trips"), SIZES)
def test_two_that_change_places(device: Device, points: int, trips: int) -> None:
    draft = Draft((points, trips), ["parallel", "serial"])
    a = draft.carry(draft.load(RNG.random(points).astype(np.float32), [True, False]), 3)
    b = draft.carry(draft.load(RNG.random(points).astype(np.float32), [True, False]), 3)
    draft.turn(a, b)
    draft.turn(b, a)
    draft.store(draft.last(a - b))
    checked(draft, device)


def test_values_of_trips_alone_and_of_points_alone(device: Device) -> None:
    draft = Draft((37, 11), ["parallel", "serial"])
    scale = draft.load(RNG.random(37).astype(np.float32), [True, False])
    steps = draft.load(RNG.random(11).astype(np.float32), [False, True])
    start = draft.param(2.0, "f32")
    k = draft.carry(start, 2)
    draft.turn(k, k * 0.5 + steps)
    total = draft.carry(start, 3)
    draft.turn(total, total + ir.exp(scale) * k)
    draft.store(draft.last(total))
    checked(draft, device, 2e-6)


@pytest.mark.parametrize("trips", [1, 6])
@pytest.mark.parametrize(("rows", "columns"), [(1, 3), (12, 5), (128, 40)])
def test_reductions_in_every_trip(device: Device, rows: int, columns: int, trips: int) -> None:
    if rows > device.capabilities.loop_points > 0:
        pytest.skip("longer than the provider reduces in a loop")
    draft = Draft((rows, columns, trips), ["reduce", "parallel", "serial"])
    w = draft.carry(draft.load(np.zeros(rows * columns, np.float32), [True, True, False]), 7)
    x = draft.load(RNG.random(rows * columns * trips).astype(np.float32))
    (error,) = ir.reduce(reducers.sum_("f32"), x - x * w)
    (power,) = ir.reduce(reducers.sum_("f32"), x * x)
    draft.turn(w, w + x * (error / power))
    draft.store(draft.last(w))
    draft.store(error, where=window((rows, columns, trips), 0, 1, columns), size=columns * trips)
    checked(draft, device, 1e-4)


def test_random_numbers_of_every_trip(device: Device) -> None:
    points, trips = 90, 7
    draft = Draft((points, trips), ["parallel", "serial"])
    words = [draft.param(word, "u32").position for word in (3, 5, 8, 0)]
    number = draft.index()
    drawn = draft.builder.emit("random", (number.position, *words), "f32", 3, ("uniform", "f32"))
    y = draft.carry(draft.param(0.0, "f32"), 3)
    draft.turn(y, y + V(draft.builder, drawn))
    draft.store(draft.last(y))
    checked(draft, device, 1e-6)


def test_a_guard_in_a_late_trip(device: Device) -> None:
    draft = Draft((40, 5), ["parallel", "serial"])
    x = draft.load(np.arange(200, dtype=np.float32))
    y = draft.carry(draft.param(0.0, "f32"), 3)
    draft.turn(y, y + x)
    draft.guard(x > 198.0, 2)
    draft.store(draft.last(y))
    checked(draft, device, 1e-6)


class _Random:
    """A loop drawn at random: a few carried values, and operations on whatever there is."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.extents = tuple(int(n) for n in self.rng.integers(1, (40, 6, 9)))
        self.draft = draft = Draft(self.extents, ["parallel", "parallel", "serial"])
        self.values: list[V] = [self._loaded() for _ in range(3)]
        carried = []
        for _ in range(int(self.rng.integers(1, 4))):
            moves = [bool(m) for m in self.rng.integers(0, 2, 2)]
            first = draft.load(self._data(moves), [*moves, False])
            carried.append(draft.carry(first, first.over | 4))
        self.values += carried
        for _ in range(int(self.rng.integers(3, 10))):
            self.values.append(self._operation())
        for one in carried:
            fits = [v for v in self.values if v.over & ~one.over == 0 and v.dtype == "f32"]
            draft.turn(one, self._pick(fits))
        for value in (*carried, *self.values[-2:]):
            if value.over & 4:
                draft.store(draft.last(value) if self.rng.random() < 0.5 else value)

    def _pick(self, options: list[Any]) -> Any:
        return options[int(self.rng.integers(len(options)))]

    def _data(self, moves: list[bool]) -> Any:
        count = int(np.prod([e for e, m in zip(self.extents, moves, strict=False) if m], dtype=int))
        return self.rng.integers(-3, 4, max(count, 1)).astype(np.float32)

    def _loaded(self) -> V:
        moves = [bool(m) for m in self.rng.integers(0, 2, 3)]
        return self.draft.load(self._data(moves), moves)

    def _operation(self) -> V:
        a, b = self._pick(self.values), self._pick(self.values)
        builder: Builder = self.draft.builder
        name = self._pick(["add", "sub", "max", "min", "half", "where"])
        if name == "half":
            return ir.floor(a * 0.5)
        if name == "where":
            return ir.where(a > b, a - 1.0, b)
        return builder.map(name, a, b)


@pytest.mark.parametrize("seed", range(25))
def test_loops_drawn_at_random(device: Device, seed: int) -> None:
    checked(_Random(seed).draft, device)
