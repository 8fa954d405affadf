"""Singular values and eigenvalues of pages: errors within ten times those of LAPACK."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from runmat_core.api.device import NUMPY_DTYPE
from tests.providers.wgpu.machine import Machine
from tests.providers.wgpu.paged import PLACES, TYPES, call, called, eps, random
from tests.providers.wgpu.test_spectra import (
    KINDS,
    check_values,
    lacks,
    of_factors,
    rectangular,
    size,
    symmetric,
    within,
)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("n", [9, 16, 33, 64])
def test_eigenvalues(n: int, dtype: str, place: dict[str, Any]) -> None:
    a = np.stack([symmetric(kind, n, dtype) for kind in KINDS])
    (v, d), status = called("eig_pages", [a], [a.shape] * 2, place, vectors=True)
    assert status == 0
    (alone,), status = called("eig_pages", [a], [(len(a), n, 1)], place)
    assert status == 0
    for k, page in enumerate(a):
        own = np.diag(d[k])
        np.testing.assert_array_equal(alone[k, :, 0], own)
        theirs, vectors = np.linalg.eigh(page)
        within(of_factors(page, v[k], own, v[k]), of_factors(page, vectors, theirs, vectors))
        check_values(own, theirs, page, np.linalg.eigvalsh(page.astype(float)))


@pytest.mark.sweep(2)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("shape", [(9, 9), (24, 16), (12, 50), (64, 64)])
def test_singular_values(shape: tuple[int, int], dtype: str, place: dict[str, Any]) -> None:
    m, n = shape
    check_singular(np.stack([rectangular(kind, m, n, dtype) for kind in KINDS]), place)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("shape", [(6, 6), (20, 33), (64, 64)])
def test_singular_values_of_hard_pages(shape: tuple[int, int], dtype: str) -> None:
    """Columns and rows of many sizes in any order, and classical ones of bad condition."""
    m, n = shape
    rng = np.random.default_rng(n)
    full, grades = rng.normal(size=shape), 10.0 ** np.linspace(0, -4 if dtype == "f32" else -9, n)
    rows = 10.0 ** np.linspace(0, -4, m)[:, None]
    sine = 0.95
    kahan = sine ** np.arange(m)[:, None] * (
        np.eye(m, n) - np.sqrt(1 - sine**2) * np.triu(np.ones(shape), 1)
    )
    hard = [
        full * grades[::-1],
        full * rng.permutation(grades),
        full * rows[::-1],
        full * rng.permutation(rows) * rng.permutation(grades),
        kahan,
        1 / (np.arange(m)[:, None] + np.arange(n) + 1.0),
        np.linspace(0.1, 1, m)[:, None] ** np.arange(n),
    ]
    check_singular(np.stack(hard).astype(NUMPY_DTYPE[dtype]))


def check_singular(a: np.ndarray, place: dict[str, Any] | None = None) -> None:
    count, m, n = a.shape
    k = min(m, n)
    shapes = [(count, m, k), (count, k, k), (count, n, k)]
    (u, s, v), status = called("svd_pages", [a], shapes, place, vectors=True)
    assert status == 0
    (alone,), status = called("svd_pages", [a], [(count, k, 1)], place)
    assert status == 0
    for i, page in enumerate(a):
        own = np.diag(s[i])
        np.testing.assert_array_equal(alone[i, :, 0], own)
        left, theirs, right = np.linalg.svd(page, full_matrices=False)
        within(of_factors(page, u[i], own, v[i]), of_factors(page, left, theirs, right.T))
        check_values(own, theirs, page, np.linalg.svd(page.astype(float), compute_uv=False))


def test_pages_of_a_launch_in_parts() -> None:
    """Left vectors of pages that are worked on after others, in the same memory."""
    a = random(20, 12, 11, "f32")
    shapes = [(20, 12, 11), (12, 12, 11), (12, 12, 11)]
    outputs = [np.zeros(shape, np.float32) for shape in shapes]
    unit = call("svd_pages", "f32", 4, vectors=True)
    machine = Machine(unit, [np.moveaxis(a, 0, 2), *outputs], ("f32",) * 4)
    made = machine.launch((20, 12, 11), workgroup_bytes=3000, binding_bytes=4 * 32 * 36 * 4)
    assert len(made.dispatches) == 3 + 2
    assert machine.status == 0
    u, s, v = (
        np.moveaxis(machine.result(1 + k).reshape(shape, order="F"), 2, 0)
        for k, shape in enumerate(shapes)
    )
    np.testing.assert_allclose(u @ s @ np.swapaxes(v, 1, 2), a, atol=1e-5)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("shape", [(2, 2), (7, 5), (12, 10), (10, 12), (64, 64), (300, 3)])
def test_columns_without_length_have_left_vectors(shape: tuple[int, int], dtype: str) -> None:
    """Any that are orthogonal to the others."""
    (m, n), k = shape, min(shape)
    a = random(m, n, 6, dtype)
    a[1], a[2, :, 0], a[2, -1], a[5, :, 1:] = 0, 0, 0, 0
    a[3, :, -1] = a[3, :, 0]
    a[4] = np.eye(m, n)
    a[4, 0, 0] = 0
    (u, s, v), status = called("svd_pages", [a], [(6, m, k), (6, k, k), (6, n, k)], vectors=True)
    assert status == 0
    (alone,), _ = called("svd_pages", [a], [(6, k, 1)])
    for i, page in enumerate(a):
        assert max(lacks(u[i]), lacks(v[i])) <= 8 * k * eps(a)
        assert size(u[i] @ s[i] @ v[i].T - page) <= 8 * k * eps(a) * size(page)
        np.testing.assert_array_equal(alone[i, :, 0], np.diag(s[i]))
    np.testing.assert_array_equal(s[1], 0)
    if m >= n:
        np.testing.assert_array_equal(np.diag(s[5])[1:], 0)


def test_eigenvalues_of_a_page_of_zeros() -> None:
    a = random(10, 10, 3, "f32")
    (d,), status = called("eig_pages", [a * 0], [(3, 10, 1)])
    assert status == 0
    np.testing.assert_array_equal(d, 0)
