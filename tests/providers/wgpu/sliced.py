"""Kernels over slices, drawn at random or by name, for the tests of reductions, scans and loops."""

from __future__ import annotations

import numpy as np
from runmat_provider_tests.device import Draft

from runmat_core.api import ir
from runmat_core.api.device import NUMPY_DTYPE, Addressing
from runmat_core.api.ir import Reducer, V, reducers
from tests.providers.wgpu.drawn import carried, carry, index, last, random

#: Extents around the sizes of lanes, subgroups and workgroups.
EXTENTS = [1, 2, 3, 4, 5, 7, 8, 16, 31, 32, 33, 64, 100, 255, 256, 257]
#: A target whose barriers are cheap, so that workgroups share slices.
HARDWARE = {"software": False}


def recurrence(dtype: str) -> Reducer:
    """y = 0.9 y + x as a reducer whose runs must be joined in order."""
    return reducers.reducer(
        "recurrence",
        (1.0, 0.0),
        (dtype,),
        (dtype, dtype),
        lambda x, _: (x * 0.0 + 0.9, x),
        lambda a, b, c, d: (a * c, b * c + d),
        lambda a, b: b,
        commutative=False,
    )


def two_largest(dtype: str) -> Reducer:
    """The sum of the two largest magnitudes: a reducer that nobody knows by name."""
    return reducers.reducer(
        "two largest",
        (0.0, 0.0),
        (dtype,),
        (dtype, dtype),
        lambda x, _: (ir.abs_(x), x * 0.0),
        lambda a, b, c, d: (
            ir.maximum(a, c),
            ir.maximum(ir.minimum(a, c), ir.where(a > c, b, d)),
        ),
        lambda a, b: a + b,
    )


def named(name: str, dtype: str) -> Reducer:
    made: Reducer = {
        "sum": lambda: reducers.sum_(dtype),
        "prod": lambda: reducers.prod(dtype),
        "max": lambda: reducers.maximum(dtype),
        "min": lambda: reducers.minimum(dtype),
        "argmax": lambda: reducers.extremum(dtype, True),
        "argmin": lambda: reducers.extremum(dtype, False),
        "welford": lambda: reducers.welford(dtype),
        "recurrence": lambda: recurrence(dtype),
        "two largest": lambda: two_largest(dtype),
    }[name]()
    return made


NAMES = [
    "sum",
    "prod",
    "max",
    "min",
    "argmax",
    "argmin",
    "welford",
    "recurrence",
    "two largest",
]


class Sliced:
    """A random kernel of reductions, one after the other, whose results meet elements again."""

    def __init__(self, seed: int, serial: bool = False) -> None:
        self.rng = np.random.default_rng(seed)
        rank = int(self.rng.integers(1, 4))
        kinds = [str(self.rng.choice(["reduce", "parallel"])) for _ in range(rank)]
        kinds[int(self.rng.integers(rank))] = "reduce"
        extents = [int(self.rng.choice(EXTENTS)) for _ in range(rank)]
        if not serial and self.rng.random() < 0.3:
            extents[int(self.rng.integers(rank))] = int(self.rng.choice([1000, 4100, 20001]))
        while np.prod(extents) > (4000 if serial else 200000):
            extents[int(np.argmax(extents))] //= 2
        if not serial and self.rng.random() < 0.05:
            extents[int(self.rng.integers(rank))] = 0
        if serial:
            kinds.append("serial")
            extents.append(int(self.rng.integers(1, 7)))
        self.dtype = str(self.rng.choice(["f32", "f32", "f64"]))
        self.draft = Draft(tuple(extents), kinds)

    @property
    def rtol(self) -> float:
        return 2e-3 if self.dtype == "f32" else 1e-9

    def chance(self, share: float) -> bool:
        return bool(self.rng.random() < share)

    def load(self, moves: list[bool]) -> V:
        extents = self.draft.extents
        kind = NUMPY_DTYPE[self.dtype]
        strides, step, offset = [0] * len(extents), 1, 0
        order = list(range(len(extents)))
        if self.chance(0.3):
            self.rng.shuffle(order)
            step, offset = int(self.rng.integers(1, 3)), int(self.rng.integers(0, 3))
        for k in order:
            if moves[k]:
                strides[k] = step
                step *= extents[k]
                if self.chance(0.1):
                    offset += strides[k] * max(extents[k] - 1, 0)
                    strides[k] = -strides[k]
        data = self.rng.normal(1, 0.3, max(step, 1) + 8).astype(kind)
        return self.draft.load(data, moves, Addressing(offset, tuple(strides)))

    def reduced(self, value: V) -> list[V]:
        """The results of a random reducer that are well conditioned."""
        name = str(self.rng.choice([*NAMES, "mean"]))
        if name == "mean":
            return [ir.reduce(named("sum", self.dtype), value)[0] / ir.count(value)]
        value = value * 0.01 + 1.0 if name == "prod" else value
        found = list(ir.reduce(named(name, self.dtype), value))
        return found[1:] if name == "welford" else found

    def chain(self) -> Sliced:
        """Up to three levels of reductions and elements in turn."""
        every = [True] * len(self.draft.extents)
        full = self.load(every)
        if self.chance(0.5):
            full = full + self.load([self.chance(0.7) for _ in every]) * 0.5
        stored = 0
        for _ in range(int(self.rng.integers(1, 4))):
            results = self.reduced(full)
            for result in results:
                if self.chance(0.6):
                    self.draft.store(result)
                    stored += 1
            if self.chance(0.7):
                full = (full - results[0]) / (ir.abs_(results[0]) + 1.5)
                if self.chance(0.4):
                    self.draft.store(full)
                    stored += 1
            if self.chance(0.2):
                self.draft.guard(full > 3.0, int(self.rng.integers(4)))
        if not stored:
            self.draft.store(results[0])
        return self

    def loop(self) -> Sliced:
        """A loop whose state meets two levels of reductions in each trip, and one after it."""
        extents = self.draft.extents
        rank = len(extents) - 1
        still = [*[True] * rank, False]
        x, b = self.load([True] * (rank + 1)), self.load([*[self.chance(0.6)] * rank, False])
        strides = [int(np.prod(extents[:k], dtype=int)) for k in range(rank + 1)]
        fresh = random(self.draft, index(self.draft, strides), ("uniform", self.dtype), 5, 7)
        state, at = carry(self.draft, self.load(still))
        result = self.reduced(state * fresh + x)[-1]
        if result.dtype != self.dtype:
            result = ir.cast(result, self.dtype) * 0.01
        centre = ir.reduce(named("sum", self.dtype), x - result)[0] * 0.01
        following = state * 0.5 + centre + b * fresh
        carried(self.draft, at, following)
        self.draft.store(last(self.draft, following))
        self.draft.store(last(self.draft, centre))
        self.draft.store(result)
        if self.chance(0.5):
            self.draft.store(following)
        if self.chance(0.5):
            best = ir.reduce(named("max", self.dtype), last(self.draft, following))[0]
            self.draft.store(best + b)
        if self.chance(0.3):
            self.draft.store(ir.reduce(named("sum", self.dtype), b * 2.0)[0])
        if self.chance(0.3):
            self.draft.guard(following > 2.0, 2)
        return self


def nlms(taps: int, channels: int, trips: int, dtype: str = "f32", across: bool = False) -> Draft:
    """Normalised least mean squares on fresh uniforms; with `across` the taps lie far apart."""
    shape = (channels, taps, trips) if across else (taps, channels, trips)
    kinds = ["reduce", "parallel", "serial"]
    draft = Draft(shape, [kinds[1], kinds[0], kinds[2]] if across else kinds)
    weights, at = carry(draft, draft.param(0.0, dtype))
    numbers = index(draft, (1, shape[0], taps * channels))
    x = random(draft, numbers, ("uniform", dtype), 123, 456)
    total = named("sum", dtype)
    wanted = ir.reduce(total, x * x)[0]
    error = wanted - ir.reduce(total, x * weights)[0]
    following = weights + 0.5 * x * (error / (ir.reduce(total, x * x)[0] + 0.001))
    carried(draft, at, following)
    seen = ir.reduce(total, last(draft, x) * last(draft, following))[0]
    draft.store(last(draft, wanted) - seen)
    draft.store(last(draft, following))
    return draft
