"""Kernels with scans on an adapter, against the reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from runmat_provider_tests.device import Draft
from runmat_wgpu.codegen import template
from runmat_wgpu.codegen.shader import DeclinedError, Target

from runmat_core.api import ir
from runmat_core.api.device import Addressing
from tests.providers.wgpu.drawn import check
from tests.providers.wgpu.sliced import HARDWARE, named


def scan(
    name: str, shape: tuple[int, ...], kinds: list[str], reverse: bool = False, dtype: str = "f32"
) -> Draft:
    rng = np.random.default_rng(7)
    kind = np.float32 if dtype == "f32" else np.float64
    spread = 0.0002 if name == "prod" else 0.3
    draft = Draft(shape, kinds)
    value = draft.load(rng.normal(1, spread, shape).astype(kind))
    result = ir.scan(named(name, dtype), value * 1.5 if name == "sum" else value, reverse=reverse)
    draft.store(result[0])
    draft.store(result[0] * 2.0 - value)
    return draft


@pytest.mark.sweep
@pytest.mark.parametrize("software", [True, False])
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("size", [1, 257, 4099, 70_001])
def test_a_vector(size: int, reverse: bool, software: bool) -> None:
    check(scan("sum", (size,), ["scan"], reverse), 1e-4, 1e-4, software=software)


@pytest.mark.sweep
@pytest.mark.parametrize("software", [True, False])
@pytest.mark.parametrize("name", ["prod", "max", "min", "recurrence"])
def test_other_reducers(name: str, software: bool) -> None:
    for reverse in (False, True):
        draft = scan(name, (20_003,), ["scan"], reverse, "f64")
        check(draft, 1e-9, 1e-9, software=software)


SLICES: list[Any] = [
    ((1024, 8), ["scan", "parallel"]),
    ((45, 23), ["scan", "parallel"]),
    ((45, 23), ["parallel", "scan"]),
    ((3, 9000), ["parallel", "scan"]),
    ((2048, 70), ["parallel", "scan"]),
    ((6, 90, 5), ["parallel", "scan", "parallel"]),
]


@pytest.mark.parametrize(("shape", "kinds"), SLICES)
def test_slices(shape: tuple[int, ...], kinds: list[str]) -> None:
    check(scan("sum", shape, kinds), 1e-4, 1e-4)
    check(scan("sum", shape, kinds, True), 1e-4, 1e-4, **HARDWARE)
    check(scan("recurrence", shape, kinds, dtype="f64"), 1e-9, 1e-9, **HARDWARE)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(
    ("shape", "kinds"),
    [((8192, 3), ["scan", "parallel"]), ((3001, 2), ["scan", "parallel"]), ((6000,), ["scan"])],
)
def test_slices_that_fit_into_registers(
    shape: tuple[int, ...], kinds: list[str], reverse: bool
) -> None:
    check(scan("sum", shape, kinds, reverse), 1e-4, 1e-4, **HARDWARE)
    check(scan("recurrence", shape, kinds, reverse, "f64"), 1e-9, 1e-9, **HARDWARE)
    check(scan("max", shape, kinds, reverse, "f64"), 1e-9, 1e-9, **HARDWARE)


def test_such_slices_are_read_in_rows_and_once() -> None:
    draft = scan("sum", (8192, 70), ["scan", "parallel"])
    found = template(draft.kernel(), Target(workgroup_bytes=48 << 10)).prepare(
        draft.extents, tuple(draft.addressing)
    )
    (only,) = found.dispatches
    assert only.grid == (70, 1, 1)
    assert only.shader.source.count("b0[") == 8192 // 4 // 256
    assert "row + 256u" in only.shader.source
    assert "atomic" not in only.shader.source


def test_sums_of_whole_numbers_are_exact() -> None:
    x = np.random.default_rng(1).integers(0, 9, 300_000).astype(np.float32)
    draft = Draft(x.shape, ["scan"])
    draft.store(ir.scan(named("sum", "f32"), draft.load(x))[0])
    machine = check(draft, **HARDWARE)
    np.testing.assert_array_equal(machine.result(1), np.cumsum(x, dtype=float))


def test_running_extrema_pass_over_nan() -> None:
    x = np.array([np.nan, 2, np.nan, -np.inf, 5, np.nan, np.inf, 1], np.float32)
    draft = Draft(x.shape, ["scan"])
    value = draft.load(x)
    draft.store(ir.scan(named("max", "f32"), value)[0])
    draft.store(ir.scan(named("min", "f32"), value)[0])
    for changes in ({}, HARDWARE):
        check(draft, 1e-7, **changes)


def test_the_same_value_grows_along_the_axis() -> None:
    draft = Draft((5000, 3), ["scan", "parallel"])
    value = draft.load(np.array([1.0, 2.0, 3.0]), [False, True])
    draft.store(ir.scan(named("sum", "f64"), value)[0], [True, True])
    check(draft, **HARDWARE)


def test_views_and_guards() -> None:
    draft = Draft((500, 4), ["scan", "parallel"])
    data = np.random.default_rng(1).random(6000)
    x = draft.load(data, where=Addressing(5900, (-3, -1)))
    total = ir.scan(named("sum", "f64"), x)[0]
    draft.store(total, where=Addressing(3, (4, 1)), size=2100)
    draft.guard(total > 240.0, 3)
    draft.guard(x > 2.0, 1)
    for changes in ({}, HARDWARE):
        check(draft, 1e-12, **changes)


def test_parts_are_reduced_folded_and_gone_along() -> None:
    draft = scan("sum", (1 << 20,), ["scan"])
    prepared = template(draft.kernel(), Target()).prepare((1 << 20,), tuple(draft.addressing))
    assert len(prepared.dispatches) == 3
    assert prepared.scratch[0] < prepared.scratch[1] < 1 << 14
    rows = scan("sum", (64, 40_000), ["scan", "parallel"])
    (only,) = (
        template(rows.kernel(), Target()).prepare(rows.extents, tuple(rows.addressing)).dispatches
    )
    assert only.grid[0] > 1


def weights(shape: tuple[int, ...], kinds: list[str], reverse: bool) -> Draft:
    """A running sum of singles that are not negative, some of them zero, of many sizes."""
    rng = np.random.default_rng(11)
    x = np.exp(4 * rng.normal(size=shape)) * (rng.random(shape) < 0.8)
    draft = Draft(shape, kinds)
    draft.store(ir.scan(named("sum", "f32"), draft.load(x.astype(np.float32)), reverse=reverse)[0])
    return draft


@pytest.mark.sweep
@pytest.mark.parametrize("changes", [{}, HARDWARE], ids=str)
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(
    ("shape", "kinds"),
    [
        ((300_003,), ["scan"]),
        ((4096,), ["scan"]),
        ((4, 50_000), ["parallel", "scan"]),
        ((9001, 3), ["scan", "parallel"]),
    ],
    ids=str,
)
def test_a_running_sum_of_weights_never_falls(
    shape: tuple[int, ...], kinds: list[str], reverse: bool, changes: dict[str, Any]
) -> None:
    machine = check(weights(shape, kinds, reverse), 2e-3, **changes)
    found = machine.result(1).reshape(shape, order="F")
    along = kinds.index("scan")
    steps = np.diff(np.flip(found, along) if reverse else found, axis=along)
    assert (steps >= 0).all()


def test_a_scan_of_a_scan_is_declined() -> None:
    draft = Draft((10,), ["scan"])
    once = ir.scan(named("sum", "f64"), draft.load(np.zeros(10)))[0]
    draft.store(ir.scan(named("max", "f64"), once)[0])
    with pytest.raises(DeclinedError):
        template(draft.kernel(), Target())


def test_no_points() -> None:
    draft = scan("sum", (0, 3), ["scan", "parallel"])
    made = template(draft.kernel(), Target())
    assert made.prepare((0, 3), tuple(draft.addressing)).dispatches == ()
