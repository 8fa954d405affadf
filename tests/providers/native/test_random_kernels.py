"""Kernels drawn at random: the same bits as machine code and by NumPy, on any number of threads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from runmat_native import launches

from runmat_core.api import ir
from tests.providers.inprocess import conftest as plain
from tests.providers.native.conftest import same

KINDS = ("p", "pp", "ppp", "t", "pt", "ppt")


class Drawn:
    """A kernel of maps, gathers, element numbers, guards and carried values."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        kinds = self.pick(KINDS)
        most = {1: 3000, 2: 70, 3: 20}[len(kinds)]
        self.extents = tuple(int(self.rng.integers(1, most)) for _ in kinds)
        self.w = plain.Writer(kinds, self.extents)
        self.serial = len(kinds) - 1 if kinds.endswith("t") else None
        self.values = [self.load("f64"), self.load("f64"), self.load(self.pick(["f32", "i32"]))]
        if self.serial is not None:
            self.carry()
        for _ in range(int(self.rng.integers(4, 20))):
            self.grow()
        if self.serial is not None:
            self.close()
        for value in self.values[-4:]:
            self.store(value)
        if self.rng.integers(2):
            value = self.pick(self.values)
            self.w.guard(value > ir.cast(self.floats()[0], value.dtype), int(self.rng.integers(9)))

    def pick(self, options: Any) -> Any:
        return options[int(self.rng.integers(len(options)))]

    def load(self, dtype: str) -> Any:
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
        data = self.rng.standard_normal(offset + step + 3) * 9
        data[::7] = self.rng.integers(-3, 4, len(data[::7]))
        kind = {"f64": np.float64, "f32": np.float32, "i32": np.int32}[dtype]
        return self.w.load(data.astype(kind), strides, offset)

    def floats(self) -> list[Any]:
        return [v for v in self.values if v.dtype == "f64" and not self.is_late(v)]

    def is_late(self, value: Any) -> bool:
        """Whether a value is there after the loop in time alone."""
        code, stack = self.w.builder.code, [value.position]
        while stack:
            instr = code[stack.pop()]
            if instr.op == "last":
                return True
            stack.extend(instr.args)
        return False

    def carry(self) -> None:
        """Two values that an iteration hands on to the next."""
        assert self.serial is not None
        self.carries = []
        b = self.w.builder
        full = (1 << self.serial) - 1
        for k in range(2):
            first = self.w.param(0.25 + k, "f64")
            over = full | 1 << self.serial
            place = b.emit("carry", (first.position,), "f64", over, ("open", k))
            self.carries.append(ir.V(b, place))
        self.values += self.carries

    def close(self) -> None:
        b = self.w.builder
        for k, carry in enumerate(self.carries):
            following = ir.sin(self.pick(self.floats())) + carry * 0.5
            if k and self.rng.integers(2):  # what the other one was
                old = self.carries[0]
                b.code.append(ir.Instr("cast", (old.position,), "f64", old.over, "f64"))
                following = ir.V(b, len(b.code) - 1)
            elif not k and self.rng.integers(2):
                following = self.carries[1]
            instr = b.code[carry.position]
            b.code[carry.position] = ir.Instr(
                instr.op, instr.args, instr.dtype, instr.over, following.position
            )
        source = self.pick([*self.carries, self.floats()[-1]])
        over = source.over & ~(1 << (self.serial or 0))
        self.values.append(ir.V(b, b.emit("last", (source.position,), "f64", over)))

    def grow(self) -> None:
        a, b = self.pick(self.floats()), self.pick(self.floats())
        choice = self.pick(
            "add sub mul div sin exp tan max select pow2 powr mod cast index gather less atan2 "
            "narrow scalar".split()
        )
        self.values.append(getattr(self, f"do_{choice}")(a, b))

    def do_add(self, a: Any, b: Any) -> Any:
        return a + b

    def do_sub(self, a: Any, b: Any) -> Any:
        return a - b

    def do_mul(self, a: Any, b: Any) -> Any:
        return a * b

    def do_div(self, a: Any, b: Any) -> Any:
        return a / b

    def do_sin(self, a: Any, b: Any) -> Any:
        return ir.sin(a) + b

    def do_exp(self, a: Any, b: Any) -> Any:
        return ir.exp(ir.minimum(a, 9.5))

    def do_tan(self, a: Any, b: Any) -> Any:
        return ir.tan(a)

    def do_max(self, a: Any, b: Any) -> Any:
        return ir.maximum(a + 0.125, b)

    def do_select(self, a: Any, b: Any) -> Any:
        return ir.where(a > b, a, b * 2.0)

    def do_pow2(self, a: Any, b: Any) -> Any:
        exponent = float(self.pick([2.0, 3.0, -1.0, 0.5, 2.7, 0.0]))
        return ir.power(a, self.w.param(exponent, "f64"))

    def do_powr(self, a: Any, b: Any) -> Any:
        return ir.power(ir.abs_(a) + 0.5, 1.5)

    def do_mod(self, a: Any, b: Any) -> Any:
        return ir.mod(a, self.w.param(float(self.pick([3.0, 0.7, -2.0, 0.0])), "f64"))

    def do_cast(self, a: Any, b: Any) -> Any:
        kind = self.pick(["f32", "i32", "u8", "i16", "bool"])
        return ir.cast(ir.cast(a, kind), "f64")

    def do_index(self, a: Any, b: Any) -> Any:
        strides = [int(self.rng.integers(-2, 3)) for _ in self.extents]
        return ir.cast(self.w.index(strides, 1), "f64")

    def do_gather(self, a: Any, b: Any) -> Any:
        table = self.rng.standard_normal(50)
        return self.w.gather(table, ir.cast(a * 3.0, self.pick(["i64", "i32"])))

    def do_less(self, a: Any, b: Any) -> Any:
        return ir.where(ir.logical_and(a < b, ir.isfinite(a)), a, 1.0)

    def do_atan2(self, a: Any, b: Any) -> Any:
        return ir.atan2(a + b, b)

    def do_narrow(self, a: Any, b: Any) -> Any:
        return ir.cast(ir.cast(a, "f32") * ir.cast(b, "f32"), "f64")

    def do_scalar(self, a: Any, b: Any) -> Any:
        return a * (self.w.param(1.5, "f64") + 2.0)

    def store(self, value: Any) -> None:
        if self.rng.integers(3) or self.is_late(value):
            self.w.store(value)
            return
        strides, offset, step = [], 0, 1
        for extent in self.extents:
            strides.append(-step)
            offset += step * (extent - 1)
            step *= extent
        self.w.store(value, strides, offset, self.extents)


@pytest.mark.parametrize("seed", range(40))
def test_machine_code_gives_the_bits_of_numpy(
    seed: int,
    new_native: Callable[..., Any],
    new_device: Any,
    compiled: dict[str, int],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Any,
) -> None:
    drawn = Drawn(seed)
    wanted, bits = new_device(threads=1).launch(drawn.w)
    for threads, shared in ((1, 60_000), (2, 0), (3, 0)):
        monkeypatch.setattr(launches, "SHARED", shared)
        monkeypatch.setattr(launches, "TASK", 100)
        monkeypatch.setattr(launches, "LONGEST", 2000 if seed % 2 else 50_000_000)
        got, status = new_native(str(tmp_path), threads=threads).launch(drawn.w)
        assert status == bits
        for k, (one, other) in enumerate(zip(got, wanted, strict=True)):
            same(one, other, zeros=False), k
    assert compiled["native"] == 3
