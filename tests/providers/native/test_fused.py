"""Kernels with reductions and scans: the bits of the in-process provider in every layout."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from runmat_native import fused

from runmat_core.api import ir
from runmat_core.api.ir import reducers
from tests.providers.inprocess import conftest as plain
from tests.providers.inprocess.test_random_kernels import Drawn
from tests.providers.native.conftest import same


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many steps each call of machine code stood for; any row of steps is taken."""
    found: list[int] = []
    run = fused.Fused.__call__

    def counted(self: fused.Fused, frame: Any) -> None:
        found.append(len(self.row))
        run(self, frame)

    monkeypatch.setattr(fused.Fused, "__call__", counted)
    monkeypatch.setattr(fused, "FEWEST", 1)
    monkeypatch.setattr(fused, "SHORTEST", 1)
    return found


def test_kernels_drawn_at_random(
    calls: list[int], new_native: Callable[..., Any], new_device: Any, tmp_path: Any
) -> None:
    for seed in range(1000, 1040):
        drawn = Drawn(seed, plain.Writer)
        block = (7, 40, 300, 100_000)[seed % 4]
        wanted = new_device(block=block, threads=1).outputs(drawn.w)
        native = new_native(str(tmp_path), block=block, threads=1 + seed % 3)
        for one, other in zip(native.outputs(drawn.w, times=3), wanted, strict=True):
            same(one, other, zeros=False)
    assert len(calls) > 500


def test_functions_between_reductions_are_one_call(
    calls: list[int], new_native: Callable[..., Any], new_device: Any
) -> None:
    import numpy as np

    x = np.random.default_rng(1).standard_normal((300, 40))
    writer = plain.Writer("rp", x.shape)
    loaded = writer.load(x)
    (total,) = ir.reduce(reducers.sum_("f64"), ir.exp(-loaded) * loaded + ir.sin(loaded))
    writer.store(ir.where(loaded > 0.0, loaded / total, ir.tan(loaded)) * 0.5)
    wanted = new_device().output(writer)
    got = new_native(threads=1).outputs(writer, times=2)
    same(got[0], wanted)
    assert set(calls) == {5}


def test_loops_with_reductions(
    calls: list[int], new_native: Callable[..., Any], new_device: Any
) -> None:
    import numpy as np

    writer = plain.Writer("rpt", (30, 50, 6))
    x = writer.load(np.random.default_rng(2).standard_normal((30, 50, 6)))
    b = writer.builder
    first = writer.param(0.5, "f64")
    carry = ir.V(b, b.emit("carry", (first.position,), "f64", 7, "open"))
    (error,) = ir.reduce(reducers.sum_("f64"), (x - carry * 0.25) * x)
    following = carry + x * (error * 0.01)
    b.code[carry.position] = ir.Instr("carry", (first.position,), "f64", 7, following.position)
    last = ir.V(b, b.emit("last", (following.position,), "f64", 3))
    writer.store(last)
    wanted = new_device().output(writer)
    got = new_native(threads=1).outputs(writer, times=3)
    same(got[0], wanted)
    assert calls
