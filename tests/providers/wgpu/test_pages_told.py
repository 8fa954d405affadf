"""Linear algebra by pages on an adapter: what host rules have to see, dispatches and texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pytest_regressions.file_regression import FileRegressionFixture
from runmat_wgpu.codegen import template
from runmat_wgpu.codegen.pages import turning
from runmat_wgpu.codegen.shader import Prepared, Target

from runmat_core.api.device import NUMPY_DTYPE, DeviceFault
from tests.providers.wgpu.machine import Machine, pipeline
from tests.providers.wgpu.paged import TYPES, call, called, random

GOLDEN = Path(__file__).parent / "golden" / "pages"

# -- what is told ----------------------------------------------------------------------------------


def singular(n: int) -> dict[str, np.ndarray]:
    """Matrices that host rules have to see."""
    rng = np.random.default_rng(9)
    regular = rng.normal(size=(n, n))
    equal, scaled, unknown, endless = (regular.copy() for _ in range(4))
    equal[:, -1] = equal[:, 0]
    scaled[:, 1] *= 1e-18
    unknown[-1, 0] = np.nan
    endless[0, -1] = np.inf
    return {
        "zero": regular * 0,
        "equal columns": equal,
        "badly scaled": scaled,
        "nan": unknown,
        "inf": endless,
    }


@pytest.mark.sweep
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", sorted(singular(3)))
@pytest.mark.parametrize("n", [3, 30])
def test_pages_near_to_singular_are_told(n: int, name: str, dtype: str) -> None:
    a = np.stack([np.eye(n)] * 20).astype(NUMPY_DTYPE[dtype])
    a[13] = singular(n)[name]
    b = np.ones((20, n, 1), a.dtype)
    assert called("solve_pages", [a, b], [b.shape])[1] == 1
    assert called("inv_pages", [a], [a.shape])[1] == 1
    tall = np.concatenate([a, a], axis=1)
    assert called("lstsq_pages", [tall, np.ones((20, 2 * n, 1), a.dtype)], [b.shape])[1] == 1
    assert called("det_pages", [a], [(20, 1, 1)])[1] == (name in ("nan", "inf"))


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_right_hand_sides_that_are_not_finite_are_told(value: float) -> None:
    a, b = np.stack([np.eye(4)] * 9), np.ones((9, 4, 2))
    b[8, 3, 1] = value
    assert called("solve_pages", [a, b], [b.shape])[1] == 1
    assert called("lstsq_pages", [a[:, :, :2].copy(), b], [(9, 2, 2)])[1] == 1


@pytest.mark.parametrize("value", [0.0, -1e-3, np.nan, np.inf])
@pytest.mark.parametrize("place", [0, 4, 8])
def test_what_is_not_definite_is_told(place: int, value: float) -> None:
    a = np.stack([np.diag(np.arange(1.0, 10))] * 3)
    a[1, place, place] = value
    assert called("chol_pages", [a], [a.shape], lower=False)[1] == 1


@pytest.mark.parametrize("vectors", [False, True])
def test_what_is_not_symmetric_or_not_finite_is_told(vectors: bool) -> None:
    a = np.stack([np.diag(np.arange(1.0, 7))] * 9)
    shapes = [a.shape, a.shape] if vectors else [(9, 6, 1)]
    a[7, 5, 0] = 1e-300
    assert called("eig_pages", [a], shapes, vectors=vectors)[1] == 1
    a[7, 5, 0], a[8, 1, 1] = 0, np.inf
    assert called("eig_pages", [a], shapes, vectors=vectors)[1] == 1
    shapes = [a.shape] * 3 if vectors else [(9, 6, 1)]
    assert called("svd_pages", [a], shapes, vectors=vectors)[1] == 1


def test_sweeps_that_did_not_suffice_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(turning.SWEEPS, "f64", (1, 1))
    a = random(14, 12, 3, "f64")
    assert called("svd_pages", [a], [(3, 12, 1)])[1] == 1
    a = a[:, :12] + np.swapaxes(a[:, :12], 1, 2)
    assert called("eig_pages", [a], [(3, 12, 1)])[1] == 1


def pages_told(name: str, inputs: list[np.ndarray], shapes: list[tuple[int, ...]]) -> list[int]:
    """The pages that a call tells of; it sets no bit, and the others are finite."""
    count = len(inputs[0])
    outputs, status = called(f"{name}_told", inputs, [*shapes, (count, 1, 1)], guards=False)
    assert status == 0
    told = outputs[-1].ravel()
    assert set(told) <= {0, 1}
    assert all(np.isfinite(out[told == 0]).all() for out in outputs[:-1])
    return np.flatnonzero(told).tolist()


@pytest.mark.sweep(2)
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("n", [3, 30])
def test_pages_are_told_one_by_one(n: int, dtype: str) -> None:
    a = np.stack([np.eye(n)] * 70).astype(NUMPY_DTYPE[dtype])
    made = singular(n)
    at = dict(zip(sorted(made), [0, 9, 10, 40, 69], strict=True))
    for name, page in at.items():
        a[page] = made[name]
    every, endless = sorted(at.values()), sorted([at["inf"], at["nan"]])
    b = np.ones((70, n, 1), a.dtype)
    assert pages_told("inv_pages", [a], [a.shape]) == every
    assert pages_told("solve_pages", [a, b], [b.shape]) == every
    assert pages_told("det_pages", [a], [(70, 1, 1)]) == endless
    assert pages_told("svd_pages", [a], [(70, n, 1)]) == endless
    tall = np.concatenate([a, a], axis=1)
    assert pages_told("lstsq_pages", [tall, np.ones((70, 2 * n, 1), a.dtype)], [b.shape]) == every
    definite = np.stack([np.eye(n)] * 70).astype(a.dtype)
    definite[[8, 33], -1, -1] = -1
    assert pages_told("chol_pages", [definite], [a.shape]) == [8, 33]
    definite[5, 0, 1] = 1
    assert pages_told("eig_pages", [definite], [(70, n, 1)]) == [5]


# -- dispatches and texts --------------------------------------------------------------------------


def prepared(name: str, extents: tuple[int, ...], **changes: Any) -> Prepared:
    outputs = 3 if name == "svd_pages" else 2 if name == "eig_pages" else 1
    arrays = len(extents) // 3 + outputs + name.endswith("_told")
    unit = call(name, "f32", arrays, vectors=name in ("svd_pages", "eig_pages"))
    return template(unit, Target(**changes)).prepare(extents, ())


CASES: dict[str, tuple[str, tuple[int, ...], dict[str, Any]]] = {
    "solve": ("solve_pages", (8, 8, 100, 8, 2, 100), {}),
    "inverse_in_memory": ("inv_pages", (60, 60, 100), {}),
    "inverse_told": ("inv_pages_told", (4, 4, 100), {}),
    "determinant": ("det_pages", (20, 20, 100), {}),
    "cholesky": ("chol_pages", (8, 8, 100), {}),
    "least_squares": ("lstsq_pages", (12, 4, 100, 12, 1, 1), {}),
    "symmetric": ("eig_pages", (8, 8, 100), {}),
    "singular": ("svd_pages", (20, 10, 100), {}),
}


@pytest.mark.parametrize("name", CASES)
def test_text(name: str, file_regression: FileRegressionFixture) -> None:
    call_name, extents, changes = CASES[name]
    made = prepared(call_name, extents, **changes).dispatches
    for step in made:
        pipeline(step.shader)
    texts = "".join(step.shader.source for step in made)
    file_regression.check(texts, fullpath=GOLDEN / f"{name}.wgsl")


@pytest.mark.parametrize("name", CASES)
def test_all_pages_are_one_dispatch(name: str) -> None:
    """But for left vectors, which are another one."""
    call_name, extents, changes = CASES[name]
    many = [n * (300 if n == 100 else 1) for n in extents]
    made = prepared(call_name, tuple(many), binding_bytes=1 << 30, **changes)
    assert len(made.dispatches) == 1 + (name == "singular")
    assert made.dispatches[0].shader == prepared(call_name, extents, **changes).dispatches[0].shader


def test_memory_of_the_launch_is_used_again() -> None:
    """Where all pages would take more than a binding, some are worked on after others."""
    whole = prepared("inv_pages", (60, 60, 1000), binding_bytes=16 << 20)
    assert len(whole.dispatches) == 2
    assert whole.scratch[0] <= 16 << 20


def test_pages_after_others_are_right() -> None:
    a = random(30, 30, 11, "f64")
    unit = call("inv_pages", "f64", 2)
    machine = Machine(unit, [np.moveaxis(a, 0, 2), np.zeros((30, 30, 11))], ("f64", "f64"))
    place = {"workgroup_bytes": 14000, "binding_bytes": 4 * 30 * 61 * 8}
    with pytest.raises(DeviceFault):  # the arrays themselves do not fit into a binding
        machine.launch((30, 30, 11), **{**place, "binding_bytes": 1 << 12})
    machine.launch((30, 30, 11), **{**place, "binding_bytes": 30 * 30 * 11 * 8})
    x = np.moveaxis(machine.result(1).reshape((30, 30, 11), order="F"), 2, 0)
    np.testing.assert_allclose(a @ x, np.broadcast_to(np.eye(30), a.shape), atol=1e-9)


def test_pages_that_are_too_large_are_refused() -> None:
    with pytest.raises(DeviceFault):
        prepared("inv_pages", (65, 65, 2))
