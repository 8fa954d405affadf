"""Fourier transforms on an adapter, and how far they are from exact ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from runmat_wgpu.codegen.shader import Prepared

from runmat_core.api.ir import LibraryCall
from tests.providers.wgpu.machine import Machine

#: Element types by NumPy's letters, and those of their parts.
DTYPES = {"f": "f32", "d": "f64", "F": "c64", "D": "c128"}
PARTS = {"f": "f32", "d": "f64", "F": "f32", "D": "f64"}


def numbers(kind: str, shape: tuple[int, ...], seed: int = 1) -> np.ndarray:
    """Normal numbers of a type, named by NumPy's letter."""
    rng = np.random.default_rng(seed)
    real = rng.normal(size=shape)
    return (real + 1j * rng.normal(size=shape) if kind in "FD" else real).astype(kind)


def fft_call(kind: str, result: str, *axes: int, **attributes: bool) -> LibraryCall:
    """A call on elements of one type, with results of another."""
    pairs = tuple(sorted({**attributes, "axes": axes}.items()))
    return LibraryCall("fft", (DTYPES[kind], DTYPES[result]), pairs)


def transformed(
    x: np.ndarray,
    axis: int,
    n: int | None = None,
    inverse: bool = False,
    result: str = "",
    **limits: Any,
) -> tuple[np.ndarray, Prepared]:
    """The transform of `x` along an axis by the adapter; `result` is complex unless given."""
    made = list(x.shape)
    made[axis] = made[axis] if n is None else n
    result = result or ("F" if x.dtype.char in "fF" else "D")
    return launched(x, made, fft_call(x.dtype.char, result, axis, inverse=inverse), **limits)


def launched(
    x: np.ndarray, made: Sequence[int], call: LibraryCall, **limits: Any
) -> tuple[np.ndarray, Prepared]:
    """What a call makes of `x`, an array of extents `made`."""
    result = next(kind for kind, dtype in DTYPES.items() if dtype == call.dtypes[1])
    y = np.full(made, np.nan, result)
    part = PARTS[result]
    machine = Machine(call, [_parts(x), _parts(y)], (part, part))
    prepared = machine.launch((*x.shape, *made), **limits)
    found = machine.result(1).view(result).reshape(made, order="F")
    return found, prepared


def _parts(a: np.ndarray) -> np.ndarray:
    flat = a.ravel(order="F")
    return flat.view(flat.real.dtype)


def units(
    found: np.ndarray, x: np.ndarray, axis: int, n: int | None = None, inverse: bool = False
) -> float:
    """The error as a multiple of the norm and of the rounding unit; NumPy computes in 80 bits."""
    rule = np.fft.ifft if inverse else np.fft.fft
    exact = rule(x.astype(np.clongdouble), n=n, axis=axis)
    if found.dtype.kind != "c":
        exact = exact.real
    norm = float(np.linalg.norm(exact.ravel()))
    eps = float(np.finfo(found.dtype).eps)
    return float(np.linalg.norm((found - exact).ravel())) / (eps * max(norm, 1e-300))
