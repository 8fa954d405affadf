"""Elementwise kernels on an adapter: layouts, windows, types, gathers and guards."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from runmat_provider_tests.device import Draft
from runmat_wgpu.codegen import template
from runmat_wgpu.codegen.shader import DeclinedError, Target

from runmat_core.api import ir
from runmat_core.api.device import NUMPY_DTYPE, Addressing, DeviceFault
from tests.providers.wgpu.drawn import Drawn, check, gather, index


@pytest.mark.parametrize("seed", range(24))
def test_drawn_kernels(seed: int) -> None:
    check(Drawn(seed, "f64" if seed % 3 == 2 else "f32").draft)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 400))
def test_many_drawn_kernels(seed: int) -> None:
    check(Drawn(seed, "f64" if seed % 3 == 2 else "f32").draft)


def elementwise(n: int, dtype: str = "f32", offset: int = 0) -> Draft:
    draft = Draft((n,))
    data = np.random.default_rng(n).normal(size=n + offset).astype(NUMPY_DTYPE[dtype])
    x = draft.load(data, [True], Addressing(offset, (1,)))
    draft.store((x * 2.0 - 1.0) * draft.param(0.5, dtype))
    return draft


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 1023, 1024, 1027, 40001])
def test_sizes_that_are_no_multiple_of_a_vector(n: int) -> None:
    check(elementwise(n))
    check(elementwise(n, "f64"))


def test_what_lies_beyond_a_part_of_an_array_is_left_alone() -> None:
    draft = Draft((5,))
    x = draft.load(np.arange(5, dtype=np.float32))
    out = draft.store(x + 1.0, [True], Addressing(4, (1,)), 16)
    draft.data[out][:] = 7
    check(draft)


def test_no_points_are_no_dispatches() -> None:
    draft = elementwise(3)
    prepared = template(draft.kernel(), Target()).prepare((0,), tuple(draft.addressing))
    assert prepared.dispatches == ()


@pytest.mark.parametrize("n", [5000, 4999])
def test_grids_of_more_workgroups_than_a_dimension_holds(n: int) -> None:
    machine = check(elementwise(n), groups=2)
    prepared = template(machine.unit, Target(groups=2)).prepare(
        (n,), (Addressing(0, (1,)), Addressing(0, (1,)))
    )
    assert max(prepared.dispatches[0].grid) <= 3


def test_grids_of_more_rows_and_columns_than_a_dimension_holds() -> None:
    for shape in ((3001, 9), (5, 3000)):
        draft = Draft(shape)
        column = draft.load(np.arange(shape[0], dtype=np.float32), [True, False])
        draft.store(column + draft.load(np.ones(shape, np.float32)))
        check(draft, groups=2)


@pytest.mark.parametrize("offset", [0, 4, 5])
def test_arrays_larger_than_a_binding(offset: int) -> None:
    draft = elementwise(9001, offset=offset)
    check(draft, binding_bytes=4096)
    template_ = template(draft.kernel(), Target(binding_bytes=4096))
    prepared = template_.prepare((9001,), tuple(draft.addressing))
    assert len(prepared.dispatches) > 8
    for dispatch in prepared.dispatches[2:]:
        assert all(b.size is not None and b.size <= 4096 for b in dispatch.binds)
        assert all(b.offset % 256 == 0 for b in dispatch.binds)
        assert not dispatch.offsets


def test_a_small_part_far_inside_of_an_array() -> None:
    draft = Draft((40,))
    x = draft.load(np.arange(9000.0), [True], Addressing(8100, (20,)))
    draft.store(x, where=Addressing(0, (1,)))
    check(draft, binding_bytes=8192)
    made = template(draft.kernel(), Target(binding_bytes=8192))
    (dispatch,) = made.prepare((40,), tuple(draft.addressing)).dispatches
    assert dispatch.binds[0].offset == 8100 * 8 // 256 * 256


def test_windows_over_rows_and_columns() -> None:
    draft = Draft((300, 40))
    rng = np.random.default_rng(0)
    x = draft.load(rng.normal(size=(300, 40)))
    y = draft.load(rng.normal(size=(40, 300)), where=Addressing(0, (40, 1)))
    draft.store(x + y, where=Addressing(0, (1, 300)))
    check(draft, binding_bytes=16384)


def test_points_too_far_apart_for_any_window() -> None:
    draft = Draft((2,))
    x = draft.load(np.zeros(9, np.float32), [True], Addressing(0, (1,)))
    draft.load(np.zeros(9, np.float32), [True], Addressing(0, (8,)))
    other = ir.V(draft.builder, len(draft.builder.code) - 1)
    where = Addressing(10**6, (0,))
    far = draft.load(np.zeros(9, np.float32), [False], where)
    near = draft.load(np.zeros(9, np.float32), [False])
    draft.store(x + other + far + near)
    code = list(draft.builder.code)
    views = list(draft.views)
    views[3] = ir.View(views[2].buffer, views[3].moves)  # the same array, at both ends
    kernel = ir.Kernel((ir.Axis(),), tuple(draft.buffers), tuple(views), (), tuple(code), False)
    with pytest.raises(DeviceFault):
        template(kernel, Target(binding_bytes=4096)).prepare((2,), tuple(draft.addressing))


def test_too_many_arrays_are_declined() -> None:
    draft = Draft((8,))
    total = draft.load(np.zeros(8, np.float32))
    for _ in range(5):
        total = total + draft.load(np.zeros(8, np.float32))
    draft.store(total)
    with pytest.raises(DeclinedError):
        template(draft.kernel(), Target(bindings=6))
    assert template(draft.kernel(), Target(bindings=7)).source


@pytest.mark.parametrize("shape", [(64, 33), (3, 500), (1, 9), (1000, 2), (8, 8, 9)])
def test_operands_that_stand_still_along_axes(shape: tuple[int, ...]) -> None:
    rank = len(shape)
    draft = Draft(shape)
    rng = np.random.default_rng(1)
    whole = draft.load(rng.normal(size=shape).astype(np.float32))
    column = draft.load(rng.normal(size=shape[0]).astype(np.float32), [True] + [False] * (rank - 1))
    row = draft.load(rng.normal(size=shape[-1]).astype(np.float32), [False] * (rank - 1) + [True])
    draft.store((whole - column) * row)
    draft.store(column * 2.0)
    check(draft)


@pytest.mark.parametrize(
    "dtype", ["bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64"]
)
def test_every_type_goes_in_and_out(dtype: str) -> None:
    for n in (37, 64):
        draft = Draft((n,))
        numbers = np.arange(n) - (0 if dtype[0] in "ub" else 9)
        x = draft.load((numbers % 2 if dtype == "bool" else numbers).astype(NUMPY_DTYPE[dtype]))
        draft.store(x)
        draft.store(ir.cast(x, "f32"))
        draft.store(ir.cast(draft.load(numbers.astype(np.float32)), dtype))
        check(draft)


def test_gathers_give_zero_where_there_is_no_element() -> None:
    draft = Draft((50,))
    table = np.arange(1, 21, dtype=np.float64)
    wanted = np.random.default_rng(3).integers(-5, 30, 50)
    for kind in ("i32", "i64"):
        draft.store(gather(draft, table, draft.load(wanted.astype(NUMPY_DTYPE[kind]))))
    draft.store(gather(draft, table.astype(np.float32), index(draft, (3,), -4)))
    check(draft)


def test_guards_in_lanes_beyond_the_last_element_do_not_fire() -> None:
    for n, fires in ((5, 0), (8, 4)):
        draft = Draft((n,))
        x = draft.load(
            np.array([1, 2, 3, 4, 5, -1, -1, -1], np.float32), [True], Addressing(0, (1,))
        )
        draft.guard(x < 0.0, 2)
        draft.store(ir.sqrt(x))
        assert check(draft).status == fires


def test_element_numbers_as_values() -> None:
    draft = Draft((7, 30))
    draft.store(ir.cast(index(draft, (1, 7)), "f64") * 0.5)
    draft.store(ir.cast(index(draft, (-2, 5), 1), "f32"))
    draft.store(index(draft, (1, 7), (1 << 40) - 3))
    check(draft)


@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_sums_and_products_keep_their_order(dtype: str) -> None:
    draft = Draft((64,))
    rng = np.random.default_rng(5)
    x = draft.load(rng.normal(size=64).astype(NUMPY_DTYPE[dtype]))
    y = draft.load(rng.normal(size=64).astype(NUMPY_DTYPE[dtype]) * 1e8)
    draft.store((x + y) - y)
    draft.store((x + 0.1) + 0.2)
    draft.store((x * 0.1) * 0.3)
    draft.store((x * y) / y)
    draft.store((x + 0.1) * 3.0)
    check(draft)


def test_differences_of_a_value_with_itself_and_products_with_zero() -> None:
    draft = Draft((6,))
    x = draft.load(np.array([np.nan, np.inf, -np.inf, -0.0, 0.0, 3.0], np.float32))
    for value in (x - x, x * 0.0, x + 0.0, x / x, x * 1.0 - x * 1.0):
        draft.store(value)
    check(draft)


@pytest.mark.parametrize("changes", [{"f64": False, "i64": False}, {"i64": False}, {"f64": False}])
def test_targets_without_wide_types(changes: dict[str, Any]) -> None:
    narrow = Draft((40,))
    narrow.store(ir.cast(index(narrow, (1,)), "f32") + narrow.load(np.ones(40, np.float32)))
    check(narrow, **changes)
    wide = Draft((40,))
    wide.store(wide.load(np.ones(40)))
    with pytest.raises(DeclinedError):
        template(wide.kernel(), Target(**changes))
