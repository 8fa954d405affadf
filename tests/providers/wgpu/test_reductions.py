"""Kernels with reductions on an adapter, against the reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from runmat_provider_tests.device import Draft
from runmat_wgpu.codegen import template
from runmat_wgpu.codegen.shader import DeclinedError, Target

from runmat_core.api import ir
from runmat_core.api.device import Addressing
from runmat_core.api.ir import reducers
from tests.providers.wgpu.drawn import check, gather, index
from tests.providers.wgpu.machine import Machine
from tests.providers.wgpu.sliced import HARDWARE, NAMES, Sliced, named

KINDS = {
    "all": ["reduce"],
    "columns": ["reduce", "parallel"],
    "rows": ["parallel", "reduce"],
    "middle": ["parallel", "reduce", "parallel"],
    "outside": ["reduce", "parallel", "reduce"],
}
SHAPES = {"all": (5003,), "columns": (300, 9), "rows": (9, 300), "middle": (5, 70, 3),
          "outside": (7, 6, 50)}  # fmt: skip


def reduction(name: str, kinds: str, dtype: str = "f32") -> Draft:
    rng = np.random.default_rng(3)
    kind = np.float32 if dtype == "f32" else np.float64
    x = rng.normal(1, 0.05, SHAPES[kinds]).astype(kind)
    if name in ("max", "min", "argmax", "argmin"):
        x = np.round(x, 2)  # many equal elements, of which the first counts
        x.ravel()[::17] = np.nan
    draft = Draft(x.shape, KINDS[kinds])
    for result in ir.reduce(named(name, dtype), draft.load(x)):
        draft.store(result)
    return draft


@pytest.mark.parametrize("kinds", KINDS)
def test_reducers_through_memory(kinds: str) -> None:
    for name in NAMES:
        check(reduction(name, kinds), 1e-4, 1e-5)


@pytest.mark.parametrize("kinds", ["all", "columns", "outside"])
def test_reducers_through_subgroups(kinds: str) -> None:
    for name in NAMES:
        check(reduction(name, kinds, "f64"), 1e-10, 1e-10, **HARDWARE)


@pytest.mark.parametrize("seed", range(12))
def test_random_chains(seed: int) -> None:
    made = Sliced(seed).chain()
    check(made.draft, made.rtol, made.rtol, software=seed % 2 == 0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 500))
def test_many_random_chains(seed: int) -> None:
    made = Sliced(seed).chain()
    check(made.draft, made.rtol, made.rtol, software=seed % 2 == 0)


@pytest.mark.parametrize("value", [True, False])
def test_any_and_all(value: bool) -> None:
    x = np.full((100, 3), not value)
    x[50, 1] = value
    draft = Draft((100, 3), ["reduce", "parallel"])
    both = draft.load(x)
    draft.store(ir.reduce(reducers.any_(), both)[0])
    draft.store(ir.reduce(reducers.all_(), both)[0])
    check(draft)


@pytest.mark.parametrize("dtype", ["i8", "i32", "u16", "u32", "i64", "bool"])
def test_extrema_of_other_types(dtype: str) -> None:
    from runmat_core.api.device import NUMPY_DTYPE

    x = np.random.default_rng(1).integers(0, 2 if dtype == "bool" else 100, (130, 4))
    draft = Draft((130, 4), ["reduce", "parallel"])
    value = draft.load(x.astype(NUMPY_DTYPE[dtype]))
    for name in ("max", "min", "argmax"):
        for result in ir.reduce(named(name, dtype), value):
            draft.store(result)
    check(draft)
    check(draft, **HARDWARE)


def test_special_values_are_kept() -> None:
    nan, inf = np.nan, np.inf
    x = np.array([[1, inf, nan, nan, -inf], [nan, -inf, nan, 2, -inf], [3, 1, nan, nan, 0]])
    for data in (x, x.astype(np.float32)):
        draft = Draft((5, 3), ["parallel", "reduce"])
        value = draft.load(np.asfortranarray(data.T))
        dtype = "f64" if data is x else "f32"
        for name in ("sum", "prod", "max", "min", "argmax", "argmin"):
            for result in ir.reduce(named(name, dtype), value):
                draft.store(result)
        for changes in ({}, HARDWARE):
            check(draft, 1e-6, **changes)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_to_reduce(name: str) -> None:
    draft = Draft((0, 3), ["reduce", "parallel"])
    for result in ir.reduce(named(name, "f64"), draft.load(np.zeros((0, 3)))):
        draft.store(result)
    check(draft, 1e-12)


def test_no_slices() -> None:
    draft = Draft((3, 0), ["reduce", "parallel"])
    draft.store(ir.reduce(named("sum", "f64"), draft.load(np.zeros((3, 0))))[0])
    made = template(draft.kernel(), Target())
    assert made.prepare(draft.extents, tuple(draft.addressing)).dispatches == ()


def total(x: Any, kinds: list[str], **changes: Any) -> tuple[Any, Any]:
    draft = Draft(x.shape, kinds)
    out = draft.store(ir.reduce(named("sum", "f32"), draft.load(x))[0])
    machine = Machine(draft.kernel(), draft.data, ["f32", "f32"])
    prepared = machine.launch(draft.extents, tuple(draft.addressing), **changes)
    return machine.result(out), prepared


@pytest.mark.parametrize("software", [False, True])
def test_long_sums_are_accurate(software: bool) -> None:
    x = np.full(3_000_001, 0.1, np.float32)
    got, prepared = total(x, ["reduce"], software=software)
    assert len(prepared.dispatches) == 2  # the parts, and what joins them
    right = x.astype(float).sum()
    assert abs(got[0] - right) < 1e-6 * right


def test_sums_of_rows_and_columns_are_accurate() -> None:
    x = np.random.default_rng(2).random((700, 1100)).astype(np.float32)
    for kinds, axis in ((["reduce", "parallel"], 0), (["parallel", "reduce"], 1)):
        got, _ = total(x, kinds, **HARDWARE)
        np.testing.assert_allclose(got, x.astype(float).sum(axis=axis), rtol=5e-7)


def test_results_depend_on_sizes_alone() -> None:
    x = np.random.default_rng(2).normal(size=200_003).astype(np.float32)
    first, _ = total(x, ["reduce"], **HARDWARE)
    for changes in ({"groups": 7}, {"groups": 100}, {}):
        again, prepared = total(x, ["reduce"], **{**HARDWARE, **changes})
        assert again == first
    assert all(max(d.grid) <= 65535 for d in prepared.dispatches)


def test_more_workgroups_than_a_grid_is_wide() -> None:
    x = np.random.default_rng(2).normal(size=(3, 5000)).astype(np.float32)
    got, prepared = total(x, ["reduce", "parallel"], groups=3, invocations=32)
    assert prepared.dispatches[0].grid[1] > 1
    np.testing.assert_allclose(got, x.sum(axis=0), rtol=1e-5, atol=1e-6)


def test_gathered_elements_are_reduced() -> None:
    draft = Draft((200, 3), ["reduce", "parallel"])
    table = np.arange(50.0)
    value = gather(draft, table, index(draft, (1, 7), -20))
    draft.store(ir.reduce(named("sum", "f64"), value)[0])
    check(draft, 1e-12)


def test_small_workgroup_memory_and_few_invocations() -> None:
    draft = reduction("welford", "columns", "f64")
    check(draft, 1e-10, 1e-10, workgroup_bytes=1024, invocations=64, software=False)
    check(draft, 1e-10, 1e-10, workgroup_bytes=1024, invocations=64, subgroups=False)


def test_types_that_the_target_lacks_are_declined() -> None:
    with pytest.raises(DeclinedError):
        template(reduction("sum", "all", "f64").kernel(), Target(f64=False))
    # a mean of singles needs no doubles although the number of points is one
    draft = Draft((64, 3), ["reduce", "parallel"])
    x = draft.load(np.random.default_rng(1).random((64, 3)).astype(np.float32))
    draft.store(ir.reduce(named("sum", "f32"), x)[0] / ir.count(x))
    check(draft, 1e-6, f64=False, i64=False)


def test_views_of_parts_of_arrays() -> None:
    draft = Draft((60, 40), ["parallel", "reduce"])
    data = np.random.default_rng(1).random(10000)
    x = draft.load(data, where=Addressing(9000, (-2, -130)))
    y = draft.load(data[:80], [False, True], Addressing(1, (0, 2)))
    result = ir.reduce(named("sum", "f64"), x * y)[0]
    draft.store(result, [True, False], Addressing(100, (3, 0)), size=300)
    check(draft, 1e-12)
    check(draft, 1e-12, **HARDWARE)


def test_launches_do_not_depend_on_earlier_ones() -> None:
    # parts of many slices are joined by another text than those of few
    kernel = Draft((64, 3), ["reduce", "parallel"])
    kernel.store(ir.reduce(reducers.sum_("f64"), kernel.load(np.zeros((64, 3))))[0])
    shared = template(kernel.kernel(), Target())
    texts = set()
    for slices in (3, 17, 40):
        draft = Draft((400_000, slices), ["reduce", "parallel"])
        views = tuple(Addressing(0, s) for s in ((1, 400_000), (0, 1)))
        prepared = shared.prepare(draft.extents, views)
        assert prepared == template(kernel.kernel(), Target()).prepare(draft.extents, views)
        texts.add(prepared.dispatches[1].shader)
    assert len(texts) == 2


@pytest.mark.parametrize("kinds", ["all", "columns", "rows"])
@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_moments_about_a_first_element_far_off(kinds: str, dtype: str) -> None:
    kind = np.float32 if dtype == "f32" else np.float64
    rng = np.random.default_rng(8)
    x = (1000 + rng.normal(size=SHAPES[kinds])).astype(kind)
    axis = tuple(k for k, name in enumerate(KINDS[kinds]) if name == "reduce")
    for far in (1000.0, 1e6, np.nan, np.inf):
        data = x.copy(order="F")
        data[(0,) * x.ndim] = far
        draft = Draft(x.shape, KINDS[kinds])
        for result in ir.reduce(reducers.welford(dtype), draft.load(data)):
            draft.store(result)
        made = Machine(draft.kernel(), draft.data, [b.dtype for b in draft.kernel().buffers])
        made.launch(draft.extents, tuple(draft.addressing), draft.scalars)
        mean, squares = (made.result(k).ravel() for k in (2, 3))
        wide = data.astype(np.float64)
        with np.errstate(all="ignore"):
            right = wide.mean(axis=axis).ravel()
            about = ((wide - wide.mean(axis=axis, keepdims=True)) ** 2).sum(axis=axis).ravel()
        unit = float(np.finfo(kind).eps)
        known = np.isfinite(about)
        np.testing.assert_allclose(mean[known], right[known], rtol=20 * unit)
        np.testing.assert_allclose(squares[known], about[known], rtol=5000 * unit)
        assert not np.isfinite(squares[~known]).any()


def test_equal_elements_have_no_spread() -> None:
    draft = Draft((5003,), ["reduce"])
    for result in ir.reduce(reducers.welford("f32"), draft.load(np.full(5003, 0.1, np.float32))):
        draft.store(result)
    made = Machine(draft.kernel(), draft.data, [b.dtype for b in draft.kernel().buffers])
    made.launch(draft.extents, tuple(draft.addressing), draft.scalars)
    assert made.result(3).item() == 0.0
