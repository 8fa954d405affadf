"""Elementwise kernels of arrays that lie differently in memory, by tiles."""

from __future__ import annotations

import numpy as np
import pytest
from runmat_provider_tests.device import Draft
from runmat_wgpu.codegen import template
from runmat_wgpu.codegen.shader import Target

from runmat_core.api.device import NUMPY_DTYPE, Addressing
from tests.providers.wgpu.drawn import check

#: A target on which tiles pay.
HARDWARE = {"software": False}


@pytest.mark.parametrize("dtype", ["f32", "f64", "bool"])
@pytest.mark.parametrize("shape", [(64, 128), (67, 130), (16, 200), (33, 16)])
def test_transposed_operands(shape: tuple[int, int], dtype: str) -> None:
    draft = Draft(shape)
    rng = np.random.default_rng(0)
    data = rng.integers(0, 2, shape).astype(NUMPY_DTYPE[dtype])
    draft.store(draft.load(data, where=Addressing(0, (shape[1], 1))))
    machine = check(draft, **HARDWARE)
    prepared = template(machine.unit, Target()).prepare(shape, tuple(draft.addressing))
    assert "var<workgroup>" in prepared.dispatches[0].shader.source


def test_a_sum_with_transposes_of_parts_of_arrays() -> None:
    rows, columns = 50, 37
    draft = Draft((rows, columns))
    rng = np.random.default_rng(1)
    x = draft.load(rng.normal(size=(rows, columns)))
    y = draft.load(rng.normal(size=3000), where=Addressing(5, (columns + 3, 1)))
    z = draft.load(rng.normal(size=3000).astype(np.float32), where=Addressing(8, (columns + 3, 1)))
    row = draft.load(rng.normal(size=columns), [False, True])
    w = x + (y * row)
    draft.store(w, size=4000, where=Addressing(7, (1, rows)))
    draft.store(z)
    check(draft, **HARDWARE)


@pytest.mark.parametrize("order", [(2, 0, 1), (1, 0, 2), (2, 1, 0)])
def test_permutes(order: tuple[int, ...]) -> None:
    shape = (21, 18, 20)
    steps = (1, 21, 21 * 18)
    draft = Draft(tuple(shape[k] for k in order))
    data = np.random.default_rng(2).normal(size=shape).astype(np.float32)
    draft.store(draft.load(data, where=Addressing(0, tuple(steps[k] for k in order))))
    check(draft, **HARDWARE)
    check(draft, binding_bytes=8192, **HARDWARE)


def test_tiles_that_workgroup_memory_does_not_hold_are_not_made() -> None:
    draft = Draft((64, 64))
    draft.store(draft.load(np.zeros((64, 64)), where=Addressing(0, (64, 1))))
    made = template(draft.kernel(), Target(workgroup_bytes=8000))
    source = made.prepare((64, 64), tuple(draft.addressing)).dispatches[0].shader.source
    assert "var<workgroup>" not in source
