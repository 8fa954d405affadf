"""Kernels drawn at random, in blocks of many sizes, against whole-array evaluation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from runmat_core.api import ir
from runmat_core.api.ir import reducers

BLOCKS = (1, 7, 40, 300, 100_000)


class Drawn:
    """A kernel, and beside it what each of its values is as a whole array."""

    def __init__(self, seed: int, writer: Callable[..., Any]) -> None:
        self.rng = np.random.default_rng(seed)
        kinds = self.pick(["p", "r", "pp", "rp", "pr", "rr", "s", "sp", "ps", "prp", "rpr", "psr"])
        most = {1: 200, 2: 40, 3: 12}[len(kinds)]
        self.kinds = kinds
        self.extents = tuple(int(self.rng.integers(1, most)) for _ in kinds)
        self.w = writer(kinds, self.extents)
        self.axes = tuple(k for k, kind in enumerate(kinds) if kind == "r")
        self.values: list[tuple[Any, Any]] = [self.load() for _ in range(2)]
        for _ in range(int(self.rng.integers(3, 14))):
            self.grow()
        self.wanted: list[Any] = []
        for value, array in self.values[-4:]:
            self.store(value, array)

    def pick(self, options: Any) -> Any:
        return options[int(self.rng.integers(len(options)))]

    def load(self) -> tuple[Any, Any]:
        """A window into some data: any axis may be still, reversed, spread out or permuted."""
        order = self.rng.permutation(len(self.extents))
        strides, offset, step = [0] * len(self.extents), int(self.rng.integers(3)), 1
        for k in order:
            way = self.pick(["on", "on", "on", "still", "back", "wide"])
            if way == "still":
                continue
            step *= 2 if way == "wide" else 1
            strides[k] = -step if way == "back" else step
            offset += step * (self.extents[k] - 1) if way == "back" else 0
            step *= self.extents[k]
        data = self.rng.integers(-4, 5, offset + step + 3).astype(np.float64)
        grid = np.indices(self.extents)
        where = offset + sum(g * s for g, s in zip(grid, strides, strict=True))
        return self.w.load(data, strides, offset), data[where]

    def grow(self) -> None:
        value, array = self.pick(self.values)
        other, second = self.pick(self.values)
        choices = ["add", "sub", "mul", "max", "select", "halve", "param", "index", "load"]
        choices += ["sum", "best", "welford", "last"] if self.axes else []
        choices += ["scan"] if "s" in self.kinds else []
        self.values.append(getattr(self, f"do_{self.pick(choices)}")(value, array, other, second))

    def do_add(self, a: Any, x: Any, b: Any, y: Any) -> Any:
        return a + b, x + y

    def do_sub(self, a: Any, x: Any, b: Any, y: Any) -> Any:
        return a - b, x - y

    def do_mul(self, a: Any, x: Any, b: Any, y: Any) -> Any:
        return ir.minimum(a * b, 50.0), np.minimum(x * y, 50)

    def do_max(self, a: Any, x: Any, b: Any, y: Any) -> Any:
        return ir.maximum(a, b), np.maximum(x, y)

    def do_select(self, a: Any, x: Any, b: Any, y: Any) -> Any:
        return ir.where(a > b, a + 1.0, b), np.where(x > y, x + 1, y)

    def do_halve(self, a: Any, x: Any, b: Any, y: Any) -> Any:
        return ir.floor(a / 2.0), np.floor(x / 2)

    def do_param(self, a: Any, x: Any, b: Any, y: Any) -> Any:
        return a + self.w.param(3.0, "f64") * 2.0, x + 6

    def do_load(self, a: Any, x: Any, b: Any, y: Any) -> Any:
        return self.load()

    def do_index(self, a: Any, x: Any, b: Any, y: Any) -> Any:
        strides = [int(self.rng.integers(-2, 3)) for _ in self.extents]
        grid = np.indices(self.extents)
        numbers = 1 + sum(g * s for g, s in zip(grid, strides, strict=True))
        return ir.cast(self.w.index(strides, 1), "f64"), numbers * 1.0

    def spread(self, x: Any) -> Any:
        return np.broadcast_to(x, self.extents)

    def line(self, x: Any) -> Any:
        others = [k for k in range(x.ndim) if k not in self.axes]
        moved = x.transpose([*others, *reversed(self.axes)])
        return moved.reshape([*(x.shape[k] for k in others), -1])

    def kept(self, x: Any) -> Any:
        return x.reshape([1 if k in self.axes else e for k, e in enumerate(self.extents)])

    def do_sum(self, a: Any, x: Any, b: Any, y: Any) -> Any:
        (total,) = ir.reduce(reducers.sum_("f64"), a)
        return total, self.spread(x.sum(self.axes, keepdims=True))

    def do_best(self, a: Any, x: Any, b: Any, y: Any) -> Any:
        best, place = ir.reduce(reducers.extremum("f64", True), a)
        rows = self.line(x)
        return best + place, self.spread(self.kept(rows.max(-1) + rows.argmax(-1)))

    def do_welford(self, a: Any, x: Any, b: Any, y: Any) -> Any:
        _, _, squares = ir.reduce(reducers.welford("f64"), a)
        count = self.line(x).shape[-1]
        whole = np.rint(x.var(self.axes, keepdims=True) * count + 0.123456)  # never near a half
        return ir.round_(squares + 0.123456), self.spread(whole)

    def do_last(self, a: Any, x: Any, b: Any, y: Any) -> Any:
        last = reducers.reducer(
            "last",
            (0.0, -1.0),
            ("f64",),
            ("f64", "f64"),
            lambda v, k: (v, k),
            lambda v, i, u, j: (ir.where(j >= 0.0, u, v), ir.where(j >= 0.0, j, i)),
            lambda v, i: v + i,
            commutative=False,
        )
        rows = self.line(x)
        return ir.reduce(last, a)[0], self.spread(self.kept(rows[..., -1] + rows.shape[-1] - 1))

    def do_scan(self, a: Any, x: Any, b: Any, y: Any) -> Any:
        axis = self.kinds.index("s")
        reverse = bool(self.rng.integers(2))
        (total,) = ir.scan(reducers.sum_("f64"), a, reverse=reverse)
        turned = np.flip(x, axis) if reverse else x
        done = np.cumsum(turned, axis)
        return total, np.flip(done, axis) if reverse else done

    def store(self, value: Any, array: Any) -> None:
        """To an array of the value's own extents, or spread over all axes and reversed."""
        if self.rng.integers(3):
            index = tuple(
                slice(None) if value.over >> k & 1 else slice(0, 1)
                for k in range(len(self.extents))
            )
            self.w.store(value)
            self.wanted.append(array[index])
            return
        strides, offset, step = [], 0, 1
        for extent in self.extents:
            strides.append(-step)
            offset += step * (extent - 1)
            step *= extent
        self.w.store(value, strides, offset, self.extents)
        self.wanted.append(np.flip(array))


@pytest.mark.sweep(50)
@pytest.mark.parametrize("seed", range(150))
def test_blocks_of_every_size_agree_with_whole_arrays(
    seed: int, new_device: Callable[..., Any], write: Any
) -> None:
    drawn = Drawn(seed, write)
    for block in BLOCKS[seed % 2 :: 2]:
        got = new_device(block=block, threads=2).outputs(drawn.w)
        for k, (result, wanted) in enumerate(zip(got, drawn.wanted, strict=True)):
            assert np.allclose(result, wanted, rtol=1e-9, atol=1e-6), (block, k, drawn.w.kernel())
