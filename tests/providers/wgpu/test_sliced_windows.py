"""Slices of arrays that are too large for a binding: windows of them, with the same results."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from runmat_provider_tests.device import Draft
from runmat_wgpu.codegen import template
from runmat_wgpu.codegen.shader import Target

from runmat_core.api import ir
from runmat_core.api.device import DeviceFault
from tests.providers.wgpu.drawn import check, gather, index
from tests.providers.wgpu.machine import Machine
from tests.providers.wgpu.sliced import HARDWARE, named, nlms

#: Of a binding; the arrays here have several times as many.
SMALL = {"binding_bytes": 1 << 16}
SHAPES: list[Any] = [
    ((60_011,), ["reduce"]),
    ((1500, 40), ["reduce", "parallel"]),
    ((40, 1500), ["parallel", "reduce"]),
    ((64, 60, 16), ["parallel", "reduce", "parallel"]),
    ((8, 50, 160), ["reduce", "parallel", "reduce"]),
]


@pytest.mark.parametrize("changes", [{}, HARDWARE], ids=["software", "hardware"])
@pytest.mark.parametrize(("shape", "kinds"), SHAPES)
def test_reductions(shape: tuple[int, ...], kinds: list[str], changes: dict[str, Any]) -> None:
    draft = Draft(shape, kinds)
    x = np.random.default_rng(1).normal(1, 0.3, shape)
    value = draft.load(np.round(x, 2))
    apart = value - ir.reduce(named("sum", "f64"), value)[0] / ir.count(value)
    draft.store(apart)
    for result in ir.reduce(named("argmax", "f64"), abs(apart)):
        draft.store(result)
    draft.store(ir.reduce(named("recurrence", "f64"), apart)[0])
    check(draft, 1e-9, 1e-9, **SMALL, **changes)


@pytest.mark.sweep(6)
@pytest.mark.parametrize("changes", [{}, HARDWARE], ids=["software", "hardware"])
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(("shape", "kinds"), SHAPES[:4])
def test_scans(
    shape: tuple[int, ...], kinds: list[str], reverse: bool, changes: dict[str, Any]
) -> None:
    draft = Draft(shape, [kind.replace("reduce", "scan") for kind in kinds])
    value = draft.load(np.random.default_rng(1).normal(1, 0.3, shape))
    draft.store(ir.scan(named("sum", "f64"), value, reverse=reverse)[0] - value)
    check(draft, 1e-9, 1e-9, **SMALL, **changes)


def test_windows_change_no_bit() -> None:
    x = np.random.default_rng(1).random((64, 3000)).astype(np.float32)
    draft = Draft(x.shape, ["parallel", "reduce"])
    out = draft.store(ir.reduce(named("sum", "f32"), draft.load(x))[0])
    results = []
    for changes in ({}, {"binding_bytes": 1 << 18}):
        machine = Machine(draft.kernel(), draft.data, ["f32", "f32"])
        prepared = machine.launch(draft.extents, tuple(draft.addressing), **HARDWARE, **changes)
        results.append((machine.result(out), len(prepared.dispatches)))
    (once, few), (again, many) = results
    assert many > few
    np.testing.assert_array_equal(once, again)


def test_loops_of_slices() -> None:
    draft = nlms(32, 1500, 3)
    check(draft, 2e-4, 2e-4, **SMALL, **HARDWARE)


def test_what_cannot_be_bound_is_a_fault() -> None:
    draft = Draft((3, 100_000), ["parallel", "reduce"])
    table = gather(draft, np.zeros(4), index(draft, (0, 0)))
    spread = draft.load(np.zeros(8), [True, False])
    draft.store(ir.reduce(named("sum", "f64"), table + spread)[0])
    views = list(draft.addressing)
    views[2] = type(views[2])(0, (100_000, 0))
    made = template(draft.kernel(), Target(binding_bytes=4096))
    with pytest.raises(DeviceFault, match="too large"):
        made.prepare((3, 100_000), tuple(views))
