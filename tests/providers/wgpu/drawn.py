"""Kernels drawn at random, and launches of generated shaders checked against the reference."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from runmat_provider_tests.device import Draft
from runmat_provider_tests.reference import Run

from runmat_core.api import ir
from runmat_core.api.device import Addressing
from runmat_core.api.ir import V
from tests.providers.wgpu.machine import Machine

#: What floats are drawn from: special values and numbers whose sums and products are inexact.
FLOATS = [0.0, -0.0, 1.0, -1.0, 0.1, -2.7, 3.5, 1e8, -1e8, 1e-8, np.inf, -np.inf, np.nan]


@cache
def contracts() -> bool:
    """Whether the adapter's compiler rounds ``a * b + c`` once, as it may (docs/accuracy.md)."""
    draft = Draft((1,))
    a = np.array([1 + 2.0**-12], np.float32)
    draft.store(draft.load(a) * draft.load(a) - draft.load(a * a))
    machine = Machine(draft.kernel(), draft.data, ["f32"] * 4)
    machine.launch(draft.extents, tuple(draft.addressing), draft.scalars)
    return bool(machine.result(3)[0])


def check(draft: Draft, rtol: float = 0.0, atol: float = 0.0, **changes: Any) -> Machine:
    """Run a kernel on the adapter and by the reference; every buffer must agree.

    Args:
        rtol, atol: with 0 values must be equal, NaN where there is NaN. On a device that contracts
            products into sums, a few roundings of the largest value are allowed in any case.
        changes: of the target.
    """
    kernel = draft.kernel()
    wanted = [np.array(data) for data in draft.data]
    status = Run(kernel, draft.extents, wanted, draft.addressing, draft.scalars).run()
    machine = Machine(kernel, draft.data, [buffer.dtype for buffer in kernel.buffers])
    machine.launch(draft.extents, tuple(draft.addressing), draft.scalars, **changes)
    for k, right in enumerate(wanted):
        got = machine.result(k)
        slack = atol
        if got.dtype.kind == "f" and contracts():
            slack += 8 * np.finfo(got.dtype).eps * np.abs(right[np.isfinite(right)]).max(initial=0)
        same = np.isclose(got, right, rtol=rtol, atol=slack, equal_nan=True)
        if not rtol and not slack and got.dtype.kind == "f":
            same &= (np.signbit(got) == np.signbit(right)) | np.isnan(right)
        assert same.all(), (k, np.flatnonzero(~same)[:5], got[~same][:5], right[~same][:5])
    assert machine.status == status
    return machine


def index(draft: Draft, strides: Sequence[int], offset: int = 0) -> V:
    """Element numbers."""
    moves = [stride != 0 for stride in strides]
    view = draft._view(None, moves, Addressing(offset, tuple(strides)))
    over = sum(1 << k for k, m in enumerate(moves) if m)
    return V(draft.builder, draft.builder.emit("index", (), "i64", over, view))


def random(draft: Draft, numbers: V, kind: tuple[str, str], key: int, position: int) -> V:
    """Elements of a draw."""
    words = (key & 0xFFFFFFFF, key >> 32, position & 0xFFFFFFFF, position >> 32)
    args = [numbers, *(draft.param(word, "u32") for word in words)]
    places = [a.position for a in args]
    return V(draft.builder, draft.builder.emit("random", places, kind[1], numbers.over, kind))


def gather(draft: Draft, data: Any, numbers: V) -> V:
    """The elements of these numbers."""
    still = [False] * len(draft.extents)
    draft.load(data, still)
    view, dtype = len(draft.views) - 1, draft.buffers[-1].dtype
    args = (numbers.position,)
    return V(draft.builder, draft.builder.emit("load", args, dtype, numbers.over, view))


def carry(draft: Draft, first: V) -> tuple[V, int]:
    """A carried value, and the position to hand to `carried`."""
    over = (1 << len(draft.extents)) - 1
    # the attr is filled in later and must be unique until then
    mark = -1 - len(draft.builder.code)
    at = draft.builder.emit("carry", (first.position,), first.dtype, over, mark)
    return V(draft.builder, at), at


def carried(draft: Draft, at: int, following: V) -> None:
    """Say what a carry takes on."""
    instr = draft.builder.code[at]
    draft.builder.code[at] = ir.Instr(
        instr.op, instr.args, instr.dtype, instr.over, following.position
    )


def last(draft: Draft, value: V) -> V:
    """A value as the last trip left it."""
    over = value.over & ~(1 << (len(draft.extents) - 1))
    args = (value.position,)
    return V(draft.builder, draft.builder.emit("last", args, value.dtype, over))


class Drawn:
    """A random map, or with `serial` a random loop."""

    def __init__(self, seed: int, dtype: str = "f32", serial: bool = False) -> None:
        self.rng = np.random.default_rng(seed)
        rank = int(self.rng.integers(1, 4)) + serial
        most = {1: 3000, 2: 70, 3: 17, 4: 9}[rank]
        extents = tuple(int(self.rng.integers(1, most)) for _ in range(rank))
        self.dtype = dtype
        kinds = ["parallel"] * (rank - serial) + ["serial"] * serial
        self.draft = Draft(extents, kinds)
        self.values = [self.load() for _ in range(int(self.rng.integers(1, 4)))]
        carries = [self._carry() for _ in range(int(self.rng.integers(1, 4)) if serial else 0)]
        for _ in range(int(self.rng.integers(2, 9))):
            self.grow()
        for at in carries:
            carried(self.draft, at, self.pick(self.values))
        kept = [*self.values[-2:], *(last(self.draft, v) for v in self.values[-2:] if serial)]
        for value in kept:
            self.store(value)

    def _carry(self) -> int:
        serial = 1 << (len(self.draft.extents) - 1)
        still = [v for v in self.values if not v.over & serial]
        first = self.pick(still) if still else self.draft.param(0.5, self.dtype)
        value, at = carry(self.draft, first)
        self.values.append(value)
        return at

    def pick(self, options: Any) -> Any:
        return options[int(self.rng.integers(len(options)))]

    def window(self, spread: bool = True) -> tuple[list[int], int, int]:
        """Strides, an offset, and the size of the array they need."""
        extents = self.draft.extents
        strides, step, offset = [0] * len(extents), 1, int(self.pick([0, 0, 4, 8, 3]))
        order = list(range(len(extents)))
        if not self.rng.integers(4):
            self.rng.shuffle(order)
        ways = ["on", "on", "on", "on", "back", "wide"] + ["still"] * (2 if spread else 0)
        for k in order:
            way = self.pick(ways)
            if way == "still":
                continue
            step *= 2 if way == "wide" else 1
            strides[k] = -step if way == "back" else step
            offset += step * (extents[k] - 1) if way == "back" else 0
            step *= extents[k]
        return strides, offset, offset + step + 3

    def load(self) -> V:
        strides, offset, size = self.window()
        data = self.rng.choice(np.array(FLOATS, np.float64), size)
        fresh = self.rng.normal(size=size)
        data = np.where(self.rng.integers(0, 4, size) == 0, data, fresh)
        kind = np.float32 if self.dtype == "f32" else np.float64
        moves = [s != 0 for s in strides]
        return self.draft.load(data.astype(kind), moves, Addressing(offset, tuple(strides)))

    def store(self, value: V) -> None:
        # each point has an element of its own
        strides, offset, size = self.window(spread=False)
        serial = len(self.draft.kinds) if "serial" not in self.draft.kinds else len(strides) - 1
        if serial < len(strides) and not value.over >> serial & 1:
            strides[serial] = 0
        moves = [s != 0 for s in strides]
        self.draft.store(value, moves, Addressing(offset, tuple(strides)), size)

    def grow(self) -> None:
        a, b = self.pick(self.values), self.pick(self.values)
        op = self.pick(["add", "sub", "mul", "max", "where", "abs", "const", "param", "load"])
        made = {
            "add": lambda: a + b,
            "sub": lambda: a - b,
            "mul": lambda: a * b,
            "max": lambda: ir.maximum(a, b) + 0.0,  # which of 0 and -0 it is may differ
            "where": lambda: ir.where(a > b, a, b - 1.0),
            "abs": lambda: abs(a) - 0.1,
            "const": lambda: (a + 0.1) + 0.2,
            "param": lambda: a + self.draft.param(0.3, self.dtype),
            "load": self.load,
        }[op]()
        self.values.append(made)
