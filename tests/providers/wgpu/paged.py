"""Pages, and library calls of them on an adapter: what tests of linear algebra by pages share."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.device import NUMPY_DTYPE
from runmat_core.api.ir import LibraryCall
from tests.providers.wgpu.machine import Machine

TYPES = ["f32", "f64"]
#: Where the matrices of pages are: in the memory of workgroups, or in that of the launch.
PLACES: list[dict[str, Any]] = [{}, {"workgroup_bytes": 14000}]
Pages = np.ndarray


def call(
    name: str, dtype: str, arrays: int, guards: bool = True, **attributes: bool
) -> LibraryCall:
    return LibraryCall(name, (dtype,) * arrays, tuple(sorted(attributes.items())), guards=guards)


def called(
    name: str,
    inputs: list[Pages],
    shapes: list[tuple[int, ...]],
    place: dict[str, Any] | None = None,
    **attributes: bool,
) -> tuple[list[Pages], int]:
    """The outputs as doubles, pages first, and the status word; pages share dispatches."""
    dtype = "f32" if inputs[0].dtype == np.float32 else "f64"
    unit = call(name, dtype, len(inputs) + len(shapes), **attributes)
    data = [np.moveaxis(a, 0, 2) for a in inputs]
    outputs = [np.full((*shape[1:], shape[0]), 7, data[0].dtype) for shape in shapes]
    machine = Machine(unit, [*data, *outputs], (dtype,) * (len(data) + len(outputs)))
    made = machine.launch(tuple(n for a in data for n in a.shape), **(place or {}))
    assert len(made.dispatches) == 1 + (name == "svd_pages" and attributes.get("vectors", False))
    found = [
        np.moveaxis(machine.result(len(data) + k).reshape(o.shape, order="F"), 2, 0).astype(float)
        for k, o in enumerate(outputs)
    ]
    return found, machine.status


def eps(a: Pages) -> float:
    return float(np.finfo(a.dtype).eps)


def size(a: Pages) -> Any:
    return np.linalg.norm(a, axis=(-2, -1))


def worst(mine: Any, theirs: Any, least: float) -> None:
    """Every error is at most ten times that of LAPACK, or a few times the precision."""
    allowed = np.maximum(10 * np.asarray(theirs), least)
    assert (np.asarray(mine) <= allowed).all(), (mine, theirs)


def random(m: int, n: int, count: int, dtype: str) -> Pages:
    made = np.random.default_rng(m + n + count).normal(size=(count, m, n))
    return made.astype(NUMPY_DTYPE[dtype])


def hermitian(n: int, dtype: str) -> Pages:
    """Symmetric pages: random, of equal and of graded eigenvalues, large, small, zero."""
    x = random(n, n, 9, dtype).astype(float)
    a = x + np.swapaxes(x, 1, 2)
    far = 1e30 if dtype == "f32" else 1e140
    q = np.linalg.qr(x[1])[0]
    a[1] = (q * np.where(np.arange(n) < n // 2, 1, 3)) @ q.T
    a[2] = (q * np.logspace(0, -9, n)) @ q.T
    a[3], a[4], a[5], a[6] = a[3] * far, a[4] / far, 0, np.diag(np.arange(n))
    a = a.astype(NUMPY_DTYPE[dtype])
    return np.tril(a) + np.swapaxes(np.tril(a, -1), 1, 2)
