"""Epilogues of products: in the shader that multiplies, after adding up parts, or as kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from runmat_core.api import ir
from runmat_core.api.device import NUMPY_DTYPE, Addressing
from runmat_core.api.ir import reducers
from tests.providers.wgpu.multiplied import Multiplied, ending

#: Every form: tiles, tiles in parts, and both thin ones.
SIZES = [(40, 36, 20), (37, 41, 53), (36, 40, 4100), (50, 3, 70), (3, 50, 70)]


def scaled(case: Multiplied) -> Any:
    """max(alpha * C + column + row, 0), and where that is positive."""
    m, n, _ = case.size
    kind = NUMPY_DTYPE[case.dtype]
    rng = np.random.default_rng(4)
    draft, c = ending(case.size, dtype=case.dtype)
    column = draft.load(rng.normal(size=m).astype(kind), [True, False])
    row = draft.load(rng.normal(size=n).astype(kind), [False, True])
    alpha = draft.param(1.5, case.dtype)
    draft.store(ir.maximum(c * alpha + column + row, 0.0))
    draft.store(c * alpha > -1000.0)
    return draft


@pytest.mark.parametrize("size", SIZES)
def test_elementwise(size: tuple[int, int, int]) -> None:
    case = Multiplied(size)
    prepared = case.check_ending(scaled(case))
    assert len(prepared.dispatches) == (2 if size[2] == 4100 else 1)


@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_elementwise_of_a_symmetric_product(dtype: str) -> None:
    case = Multiplied((45, 45, 300), dtype, True, False, True, "a")
    case.check_ending(scaled(case))


@pytest.mark.parametrize("m", [40, 37])
def test_elementwise_of_doubles(m: int) -> None:
    case = Multiplied((m, 36, 22), "f64")
    assert len(case.check_ending(scaled(case)).dispatches) == 1


def test_elementwise_without_shared_memory() -> None:
    case = Multiplied((21, 13, 30), "f64", False, True)
    assert len(case.check_ending(scaled(case), software=True).dispatches) == 1


@pytest.mark.parametrize("m", [36, 37])
def test_stores_into_parts_of_arrays(m: int) -> None:
    """Every second column of an array with a row more, after its first element; and transposed."""
    case = Multiplied((m, 12, 20))
    draft, c = ending(case.size)
    draft.store(c + 1.0, where=Addressing(1, (1, 2 * (m + 1))), size=24 * (m + 1))
    draft.store(c * 2.0, where=Addressing(0, (12, 1)), size=12 * m)
    assert len(case.check_ending(draft).dispatches) == 1


@pytest.mark.parametrize("m", [36, 37])
def test_guards(m: int) -> None:
    for threshold, expected in ((1e9, 0), (0.0, 4)):
        case = Multiplied((m, 33, 20))
        draft, c = ending(case.size)
        draft.guard(c > draft.param(threshold, "f32"), 2)
        draft.store(ir.sqrt(abs(c)))
        case.check_ending(draft)
        assert bool(expected) == (threshold == 0.0)


def test_a_long_ending_is_a_kernel_of_its_own() -> None:
    case = Multiplied((40, 36, 20))
    draft, c = ending(case.size)
    value = c
    for k in range(40):
        value = value + float(k) * 0.125
    draft.store(value)
    prepared = case.check_ending(draft)
    assert len(prepared.dispatches) == 2
    assert len(prepared.scratch) == 1
    assert prepared.dispatches[0].offsets == ()  # its views are not those of the launch


def test_an_ending_with_more_arrays_than_a_shader_binds_is_a_kernel_of_its_own() -> None:
    case = Multiplied((40, 36, 20))
    assert len(case.check_ending(scaled(case), bindings=5).dispatches) == 2


def test_an_ending_that_reads_the_product_transposed() -> None:
    case = Multiplied((36, 36, 20))
    draft, c = ending(case.size)
    turned = draft._view(0, [True, True], Addressing(0, (36, 1)))
    other = ir.V(draft.builder, draft.builder.emit("load", (), "f32", 3, turned))
    draft.store(c + other)
    assert len(case.check_ending(draft).dispatches) > 1


@pytest.mark.parametrize("kinds", ["rp", "pr", "rr"])
@pytest.mark.parametrize("size", [(40, 36, 20), (36, 40, 4100), (50, 3, 70)])
def test_reductions(size: tuple[int, int, int], kinds: str) -> None:
    """C less its mean along some axes, scaled by a row; and the means."""
    case = Multiplied(size)
    named = ["reduce" if kind == "r" else "parallel" for kind in kinds]
    draft, c = ending(size, named)
    row = draft.load(np.linspace(1, 2, size[1], dtype=np.float32), [False, True])
    count = np.prod([n for n, kind in zip(size, kinds, strict=False) if kind == "r"])
    mean = ir.reduce(reducers.sum_("f32"), c)[0] * draft.param(1 / count, "f32")
    draft.store(mean)
    draft.store((c - mean) * row)
    prepared = case.check_ending(draft)
    assert len(prepared.dispatches) > 1
    assert prepared.scratch


def test_a_reduction_of_a_symmetric_product() -> None:
    case = Multiplied((45, 45, 300), "f64", True, False, True)
    draft, c = ending(case.size, ["reduce", "parallel"], "f64")
    draft.store(c / ir.reduce(reducers.sum_("f64"), abs(c))[0])
    case.check_ending(draft)


def test_a_gather_in_an_ending() -> None:
    case = Multiplied((12, 10, 20))
    draft, c = ending(case.size)
    draft.data.append(np.arange(200, dtype=np.float32))
    draft.buffers.append(ir.Buffer("f32"))
    view = draft._view(2, [False, False], Addressing(0, (0, 0)))
    draft.store(c)
    draft.views[view] = ir.View(1, (False, False))
    numbers = draft.index()
    args = (numbers.position,)
    taken = ir.V(draft.builder, draft.builder.emit("load", args, "f32", 3, view))
    draft.store(taken + c)
    case.check_ending(draft)
