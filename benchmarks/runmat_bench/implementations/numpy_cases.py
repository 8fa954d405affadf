"""The cases written straight in NumPy: the peer, and the check of results.

Each function takes the parameters of the `.m` program of its name and returns its metrics. The
code is what a NumPy user writes: whole arrays, one operation after the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from runmat_bench import machine
from runmat_bench.implementations import Options, Run

Floats = NDArray[Any]


class Source:
    """Uniform and normal numbers: NumPy's own generator, or the shared congruential one."""

    def __init__(self, cls: str, source: str) -> None:
        self.dtype: Any = np.float32 if cls == "single" else np.float64
        self.rng = np.random.default_rng(0) if source == "rng" else None

    def uniform(self, rows: int, columns: int, first: int) -> Floats:
        if self.rng is not None:
            drawn: Floats = self.rng.random((rows, columns), dtype=self.dtype)
            return drawn
        i = first + np.arange(rows * columns, dtype=np.float64)
        u = np.mod(1664525 * i + 1013904223, 4294967296.0) / 4294967296.0
        found: Floats = u.astype(np.float32).astype(self.dtype).reshape(rows, columns)
        return found

    def normal(self, count: int, t: int) -> Floats:
        if self.rng is not None:
            drawn: Floats = self.rng.standard_normal(count, dtype=self.dtype)
            return drawn
        u = self.uniform(count, 1, (2 * t - 2) * count)[:, 0]
        v = self.uniform(count, 1, (2 * t - 1) * count)[:, 0]
        two_pi = self.dtype(2 * np.pi)
        radius = np.sqrt(self.dtype(-2) * np.log(np.maximum(u, self.dtype(1e-7))))
        found: Floats = radius * np.cos(two_pi * v)
        return found


def pca(n: int, d: int, k: int, cls: str, source: str) -> tuple[float, ...]:
    draw = Source(cls, source)
    A = draw.uniform(n, d, 0)
    Q = draw.uniform(d, k, 0)
    A = A - A.mean(axis=0)
    G = (A.T @ A) / draw.dtype(n - 1)
    Q, _ = np.linalg.qr(Q)
    for _ in range(15):
        Q = G @ Q
        Q, _ = np.linalg.qr(Q)
    values = np.diag(Q.T @ G @ Q)
    return float(values.sum()), float(values[0] / np.trace(G))


def image4k(B: int, height: int, width: int, cls: str, source: str) -> tuple[float, ...]:
    draw = Source(cls, source)
    f = draw.dtype
    imgs = draw.uniform(B, height * width, 0).reshape(B, height, width)
    mu = imgs.mean(axis=(1, 2), keepdims=True)
    sigma = np.sqrt(((imgs - mu) ** 2).mean(axis=(1, 2), keepdims=True) + f(1e-6))
    y = np.maximum(((imgs - mu) / sigma) * f(1.0123) - f(0.02), f(0)) ** f(1.8)
    return (float(((y - imgs) ** 2).mean()),)


def montecarlo(M: int, T: int, cls: str, source: str) -> tuple[float, ...]:
    draw = Source(cls, source)
    f = draw.dtype
    mu, sigma, dt, strike = 0.05, 0.2, 1 / 252, 100
    drift, scale = f((mu - sigma**2 / 2) * dt), f(sigma * np.sqrt(dt))
    S = np.full(M, 100, dtype=f)
    for t in range(1, T + 1):
        S = S * np.exp(drift + scale * draw.normal(M, t))
    return (float(np.maximum(S - f(strike), f(0)).mean() * np.exp(-mu * T * dt)),)


def nlms(p: int, C: int, T: int, cls: str, source: str) -> tuple[float, ...]:
    draw = Source(cls, source)
    f = draw.dtype
    mu, eps0 = f(0.5), f(1e-3)
    W = np.zeros((p, C), dtype=f)
    for t in range(T):
        x = draw.uniform(p, C, t * p * C)
        d = (x * x).sum(axis=0)
        y = (x * W).sum(axis=0)
        e = d - y
        nx = (x**2).sum(axis=0) + eps0
        W = W + mu * x * (e / nx)
    return (float(((d - (x * W).sum(axis=0)) ** 2).mean()),)


def iir(M: int, T: int, cls: str, source: str) -> tuple[float, ...]:
    draw = Source(cls, source)
    f = draw.dtype
    alpha, beta = f(0.98), f(0.02)
    Y = np.zeros(M, dtype=f)
    for t in range(T):
        x = draw.uniform(M, 1, t * M)[:, 0]
        Y = alpha * Y + beta * x
    return (float(Y.mean()),)


def held(M: int, T: int, cls: str, source: str) -> tuple[float, ...]:
    draw = Source(cls, source)
    f = draw.dtype
    alpha, beta = f(0.98), f(0.02)
    x = draw.uniform(M, 1, 0)[:, 0]
    Y = np.zeros(M, dtype=f)
    for _ in range(T):
        Y = alpha * Y + beta * x
    return (float(Y.mean()),)


def elementwise(n: int, cls: str) -> tuple[float, ...]:
    f: Any = np.float32 if cls == "single" else np.float64
    x = np.linspace(0, 4 * np.pi, n, dtype=f)
    y0 = np.sin(x) * np.exp(-x / f(10))
    y1 = y0 * np.cos(x / f(4)) + f(0.25) * y0**2
    y2 = np.tanh(y1) + f(0.1) * y1
    return (float(y2.sum()),)


def ema(M: int, T: int, cls: str) -> tuple[float, ...]:
    f: Any = np.float32 if cls == "single" else np.float64
    alpha = 0.1
    k = np.linspace(0, 1, M, dtype=f)
    y = np.zeros(M, dtype=f)
    for t in range(1, T + 1):
        y = f(1 - alpha) * y + f(alpha) * np.sin(f(t) * k)
    return (float(y.mean()),)


class NumpyCases:
    """The functions above."""

    warms = False

    def describe(self) -> dict[str, Any]:
        return {
            "version": np.__version__,
            "device": machine.processor(),
            "threads": machine.threads(),
        }

    def prepare(self, case: str, parameters: Mapping[str, Any]) -> Run:
        return partial(globals()[case], **parameters)

    def counts(self, run: Run) -> dict[str, Any]:
        return {}


def load(variant: str, options: Options) -> NumpyCases:
    return NumpyCases()
