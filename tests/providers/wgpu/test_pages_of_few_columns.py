"""Singular values and eigenvalues of small pages on an adapter: the worst of many beside LAPACK's.

Errors are those of `docs/accuracy.md`, page by page, in the norm of Frobenius and in units of the
precision. LAPACK's are taken for half a unit at least: those of single pages may be exact.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from runmat_core.api.device import NUMPY_DTYPE
from tests.providers.wgpu.paged import TYPES, Pages, called, eps, size

Errors = dict[str, Any]
KINDS = [
    "random",
    "positive",
    "graded",
    "scaled",
    "clustered",
    "repeated",
    "orthogonal",
    "deficient",
    "integers",
]
#: What every error is below, times that of LAPACK: a little above the worst of a thousand pages.
WORST = 6.5


def turned(a: Pages) -> Pages:
    return np.asarray(np.swapaxes(a, 1, 2))


def pages(kind: str, n: int, count: int, dtype: str, symmetric: bool) -> Pages:
    rng = np.random.default_rng([n, KINDS.index(kind), symmetric])
    low = 9 if dtype == "f32" else 18
    x = rng.normal(size=(count, n, n))
    u = np.linalg.qr(x)[0]
    v = turned(u) if symmetric else np.linalg.qr(rng.normal(size=x.shape))[0]
    k = np.arange(n)
    half = rng.normal(size=(count, n, n // 2))
    other = half if symmetric else rng.normal(size=half.shape)
    by = rng.permuted(np.broadcast_to(np.logspace(0, -low / 4, n), (count, n)), axis=1)[:, None, :]
    grades = 10.0 ** (-rng.uniform(0, low, (count, 1, 1)) * np.linspace(0, 1, n))
    made = {
        "random": x,
        "positive": rng.random(x.shape),
        "graded": (u * grades * rng.choice([-1, 1], (count, 1, n))) @ v,
        "scaled": x * by * (turned(by) if symmetric else by),
        "clustered": (u * (1 + 1e-6 * rng.normal(size=(count, 1, n)))) @ v,
        "repeated": (u * np.where(k < n // 2, 1, 3)) @ v,
        "orthogonal": (u * np.where(k < n // 2, 1, -1)) @ v,
        "deficient": half @ turned(other),
        "integers": np.round(3 * x),
    }[kind]
    made = made.astype(NUMPY_DTYPE[dtype])
    whole = np.tril(made) + turned(np.tril(made, -1)) if symmetric else made
    return np.asarray(whole)


def errors(a: Pages, u: Pages, s: Pages, v: Pages, true: Pages) -> Errors:
    """Of the product of factors, of what vectors lack to orthogonal ones, and of values."""
    exact, one = a.astype(np.longdouble), np.eye(a.shape[2])
    scale = np.maximum(size(a.astype(float)), 1e-200) * eps(a)  # some are zero
    u, s, v = (x.astype(np.longdouble) for x in (u, s, v))

    def product(x: Pages, y: Pages) -> Pages:
        return np.asarray(np.einsum("bij,bjk->bik", x, y))

    found = {
        "product": size(product(u * s[:, None, :], turned(v)) - exact) / scale,
        "left": size(product(turned(u), u) - one) / eps(a),
        "right": size(product(turned(v), v) - one) / eps(a),
    }
    if a.dtype == np.float32:  # there are no better ones of doubles to compare with
        found["values"] = np.linalg.norm(s - true, axis=1) / scale
    return found


def diagonals(s: Pages) -> Pages:
    return np.asarray(np.einsum("bii->bi", s))


def far(mine: Errors, theirs: Errors) -> dict[str, float]:
    """How many times LAPACK's errors are, of the page where that is the most."""
    return {name: float((own / np.maximum(theirs[name], 0.5)).max()) for name, own in mine.items()}


def of_eigenvalues(kind: str, n: int, dtype: str, count: int) -> dict[str, float]:
    a = pages(kind, n, count, dtype, symmetric=True)
    (v, d), status = called("eig_pages", [a], [a.shape] * 2, vectors=True)
    assert status == 0
    values, vectors = np.linalg.eigh(a)
    true = np.linalg.eigvalsh(a.astype(float))
    mine = errors(a, v, diagonals(d), v, true)
    return far(mine, errors(a, vectors, values, vectors, true))


def of_singular_values(kind: str, n: int, dtype: str, count: int) -> dict[str, float]:
    a = pages(kind, n, count, dtype, symmetric=False)
    (u, s, v), status = called("svd_pages", [a], [a.shape] * 3, vectors=True)
    assert status == 0
    left, values, right = np.linalg.svd(a)
    true = np.linalg.svd(a.astype(float), compute_uv=False)
    mine = errors(a, u, diagonals(s), v, true)
    return far(mine, errors(a, left, values, turned(right), true))


MEASURED = {"eig": of_eigenvalues, "svd": of_singular_values}


@pytest.mark.sweep
@pytest.mark.parametrize("n", range(2, 9))
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", MEASURED)
def test_the_worst_page(name: str, dtype: str, n: int) -> None:
    for kind in KINDS:
        found = MEASURED[name](kind, n, dtype, 100)
        assert max(found.values()) <= WORST, (kind, found)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", MEASURED)
def test_the_worst_of_a_thousand(name: str, dtype: str, kind: str) -> None:
    for n in range(2, 9):
        assert max(MEASURED[name](kind, n, dtype, 1000).values()) <= WORST
