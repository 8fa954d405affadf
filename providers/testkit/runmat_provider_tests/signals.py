"""Transforms and convolutions evaluated with NumPy and scipy: a part of `libraries`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api.ir import LibraryCall


def halves(extents: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Extents of two arrays of one rank."""
    rank = len(extents) // 2
    return tuple(extents[:rank]), tuple(extents[rank:])


def fft(unit: LibraryCall, extents: Sequence[int], buffers: Sequence[Any]) -> None:
    """``fft``: by NumPy; what is real or symmetric is made so to the last bit."""
    given, made = halves(extents)
    axes: Any = unit.attribute("axes", (0,))
    x = np.zeros(made, buffers[0].dtype)
    part = tuple([slice(0, min(m, n)) for m, n in zip(given, made, strict=True)])
    x[part] = buffers[0].reshape(given, order="F")[part]
    # from wide numbers, so that singles are as good as they can be
    wide = x.astype(np.complex128)
    rule = np.fft.ifftn if unit.attribute("inverse") else np.fft.fftn
    y: Any = rule(wide, axes=axes)
    if x.dtype.kind != "c":
        y = (y + mirrored(y, axes).conj()) / 2
    if unit.attribute("symmetric") and np.array_equal(x, mirrored(x, axes).conj()):
        y.imag = 0
    buffers[1][:] = (y if buffers[1].dtype.kind == "c" else y.real).ravel(order="F")


def mirrored(a: Any, axes: Sequence[int]) -> Any:
    """Each element at minus its coordinates along the axes."""
    for axis in axes:
        a = np.roll(np.flip(a, axis), 1, axis)
    return a


def conv(unit: LibraryCall, extents: Sequence[int], buffers: Sequence[Any]) -> None:
    """``conv``: one shifted array for each tap."""
    n, m = halves(extents)
    first, second = buffers[:2] if not unit.attribute("swapped") else buffers[1::-1]
    a, b = first.reshape(n, order="F"), second.reshape(m, order="F")
    if unit.attribute("turned"):
        b = np.flip(b)
    full = np.zeros([p + q - 1 for p, q in zip(n, m, strict=True)])
    with np.errstate(all="ignore"):
        if b.size > a.size:
            a, b = b, a
        for at in np.ndindex(*b.shape):
            where = tuple([slice(k, k + extent) for k, extent in zip(at, a.shape, strict=True)])
            full[where] += b[at].astype(np.float64) * a
        part = unit.attribute("part", "full")
        if part == "same":
            full = full[tuple([slice(q // 2, q // 2 + p) for p, q in zip(n, m, strict=True)])]
        if part == "causal":
            full = full[tuple([slice(0, p) for p in n])]
        if part == "valid":
            full = full[tuple([slice(q - 1, max(p, q - 1)) for p, q in zip(n, m, strict=True)])]
        buffers[2][:] = full.ravel(order="F")


def filter_(unit: LibraryCall, extents: Sequence[int], buffers: Sequence[Any]) -> None:
    """``filter``: by the difference equation, all slices at once."""
    shape = tuple(extents[2:])
    axis: Any = unit.attribute("axis", 0)
    inputs = list(buffers[:-2])
    gain: Any = unit.attribute("gain", None)
    b = np.array([gain]) if gain is not None else inputs.pop(0).astype(np.float64)
    a = inputs.pop(0).astype(np.float64) if unit.attribute("recursive") else np.ones(1)
    x = np.moveaxis(buffers[-2].reshape(shape, order="F"), axis, 0).astype(np.float64)
    y = np.zeros_like(x)
    with np.errstate(all="ignore"):
        for k in range(len(x)):
            past = sum([b[j] * x[k - j] for j in range(min(b.size, k + 1))])
            for j in range(1, min(a.size, k + 1)):
                past = past - a[j] * y[k - j]
            y[k] = past / a[0]
        buffers[-1][:] = np.moveaxis(y, 0, axis).ravel(order="F")
