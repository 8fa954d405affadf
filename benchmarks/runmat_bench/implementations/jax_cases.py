"""The cases in JAX: one jitted function each, loops over time as ``lax.scan`` or ``fori_loop``.

Products are taken in the full precision of their type, as in the other libraries. On the GPU where
there is one. `RBG` is JAX's faster generator, an implementation of its own: ``jax-rbg``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

import jax
import jax.numpy as jnp
from jax import lax, random
from runmat_bench import machine
from runmat_bench.implementations import Metric, Options, Run

Array = Any
Function = Callable[[Array], Any]

jax.config.update("jax_default_matmul_precision", "highest")


class Source:
    """Uniform and normal numbers: JAX's own generator, or the shared congruential one."""

    def __init__(self, cls: str, source: str) -> None:
        self.dtype = jnp.float32 if cls == "single" else jnp.float64
        self.own = source == "rng"

    def uniform(self, key: Array, rows: int, columns: int, first: Array | int) -> Array:
        """`first` counts modulo 2^32, as the sequence does."""
        if self.own:
            return random.uniform(key, (rows, columns), dtype=self.dtype)
        i = jnp.uint32(first) + lax.iota(jnp.uint32, rows * columns)
        word = jnp.uint32(1664525) * i + jnp.uint32(1013904223)
        u = word.astype(jnp.float32) * jnp.float32(2.0**-32)
        return u.astype(self.dtype).reshape(rows, columns)

    def normal(self, key: Array, count: int, first: Array) -> Array:
        if self.own:
            return random.normal(key, (count,), dtype=self.dtype)
        u = self.uniform(key, count, 1, first)[:, 0]
        v = self.uniform(key, count, 1, first + jnp.uint32(count))[:, 0]
        return jnp.sqrt(-2 * jnp.log(jnp.maximum(u, 1e-7))) * jnp.cos(2 * jnp.pi * v)


def steps(key: Array, count: int, words: int) -> tuple[Array, Array]:
    """What a scan over time runs through: a key and a first index for each step."""
    firsts = lax.iota(jnp.uint32, count) * jnp.uint32(words % 2**32)
    return random.split(key, count), firsts


def pca(draw: Source, n: int, d: int, k: int) -> Function:
    def function(key: Array) -> Array:
        left, right = random.split(key)
        A = draw.uniform(left, n, d, 0)
        Q = draw.uniform(right, d, k, 0)
        A = A - A.mean(axis=0)
        G = (A.T @ A) / (n - 1)
        Q, _ = jnp.linalg.qr(Q)
        Q = lax.fori_loop(0, 15, lambda _, Q: jnp.linalg.qr(G @ Q)[0], Q)
        values = jnp.diag(Q.T @ G @ Q)
        return values.sum(), values[0] / jnp.trace(G)

    return function


def image4k(draw: Source, B: int, height: int, width: int) -> Function:
    def function(key: Array) -> Array:
        imgs = draw.uniform(key, B, height * width, 0).reshape(B, height, width)
        mu = imgs.mean(axis=(1, 2), keepdims=True)
        sigma = jnp.sqrt(((imgs - mu) ** 2).mean(axis=(1, 2), keepdims=True) + 1e-6)
        y = jnp.maximum(((imgs - mu) / sigma) * 1.0123 - 0.02, 0) ** 1.8
        return (((y - imgs) ** 2).mean(),)

    return function


def montecarlo(draw: Source, M: int, T: int) -> Function:
    mu, sigma, dt, strike = 0.05, 0.2, 1 / 252, 100
    drift, scale = (mu - sigma**2 / 2) * dt, sigma * dt**0.5

    def step(S: Array, now: tuple[Array, Array]) -> tuple[Array, None]:
        return S * jnp.exp(drift + scale * draw.normal(now[0], M, now[1])), None

    def function(key: Array) -> Array:
        S, _ = lax.scan(step, jnp.full(M, 100, dtype=draw.dtype), steps(key, T, 2 * M))
        return (jnp.maximum(S - strike, 0).mean() * jnp.exp(-mu * T * dt),)

    return function


def nlms(draw: Source, p: int, C: int, T: int) -> Function:
    mu, eps0 = 0.5, 1e-3

    def step(W: Array, x: Array) -> Array:
        d = (x * x).sum(axis=0)
        y = (x * W).sum(axis=0)
        e = d - y
        nx = (x**2).sum(axis=0) + eps0
        return W + mu * x * (e / nx)

    def function(key: Array) -> Array:
        keys, firsts = steps(key, T, p * C)

        def drawn(now: tuple[Array, Array]) -> Array:
            return draw.uniform(now[0], p, C, now[1])

        W = jnp.zeros((p, C), dtype=draw.dtype)
        W, _ = lax.scan(lambda W, now: (step(W, drawn(now)), None), W, (keys[:-1], firsts[:-1]))
        # the last step apart: its input is needed after it
        x = drawn((keys[-1], firsts[-1]))
        W = step(W, x)
        return ((((x * x).sum(axis=0) - (x * W).sum(axis=0)) ** 2).mean(),)

    return function


def iir(draw: Source, M: int, T: int) -> Function:
    def step(Y: Array, now: tuple[Array, Array]) -> tuple[Array, None]:
        return 0.98 * Y + 0.02 * draw.uniform(now[0], M, 1, now[1])[:, 0], None

    def function(key: Array) -> Array:
        Y, _ = lax.scan(step, jnp.zeros(M, dtype=draw.dtype), steps(key, T, M))
        return (Y.mean(),)

    return function


def held(draw: Source, M: int, T: int) -> Function:
    def function(key: Array) -> Array:
        x = draw.uniform(key, M, 1, 0)[:, 0]

        def step(Y: Array, now: None) -> tuple[Array, None]:
            return 0.98 * Y + 0.02 * x, None

        Y, _ = lax.scan(step, jnp.zeros(M, dtype=draw.dtype), None, length=T)
        return (Y.mean(),)

    return function


def elementwise(draw: Source, n: int) -> Function:
    def function(key: Array) -> Array:
        x = jnp.linspace(0, 4 * jnp.pi, n, dtype=draw.dtype)
        y0 = jnp.sin(x) * jnp.exp(-x / 10)
        y1 = y0 * jnp.cos(x / 4) + 0.25 * y0**2
        y2 = jnp.tanh(y1) + 0.1 * y1
        return (y2.sum(),)

    return function


def ema(draw: Source, M: int, T: int) -> Function:
    alpha = 0.1

    def function(key: Array) -> Array:
        k = jnp.linspace(0, 1, M, dtype=draw.dtype)

        def step(t: Array, y: Array) -> Array:
            return (1 - alpha) * y + alpha * jnp.sin(t.astype(draw.dtype) * k)

        return (lax.fori_loop(1, T + 1, step, jnp.zeros(M, dtype=draw.dtype)).mean(),)

    return function


class JaxCases:
    """The functions above on one device.

    Args:
        platform: ``cpu``, ``gpu`` or ``auto``.
        generator: ``threefry2x32``, JAX's usual one, or ``rbg``.
    """

    warms = True

    def __init__(self, platform: str, generator: str) -> None:
        self.device = (jax.devices() if platform == "auto" else jax.devices(platform))[0]
        self.generator = generator
        self.memory: int | None = None

    def describe(self) -> dict[str, Any]:
        on_cpu = self.device.platform == "cpu"
        return {
            "version": jax.__version__,
            "device": machine.processor() if on_cpu else self.device.device_kind,
            "driver": "" if on_cpu else " ".join(str(self.device.client.platform_version).split()),
            "threads": machine.threads(),
            "generator": self.generator,
        }

    def prepare(self, case: str, parameters: Mapping[str, Any]) -> Run:
        sizes = dict(parameters)
        cls, source = sizes.pop("cls"), sizes.pop("source", "rng")
        jax.clear_caches()
        jax.config.update("jax_enable_x64", cls == "double")
        with jax.default_device(self.device):
            key = random.key(0, impl=self.generator)
            compiled = jax.jit(globals()[case](Source(cls, source), **sizes)).lower(key).compile()
        self.memory = needed(compiled)

        def run() -> Metric:
            with jax.default_device(self.device):
                results = jax.block_until_ready(compiled(key))
            return tuple(float(value) for value in results)

        return run

    def counts(self, run: Run) -> dict[str, Any]:
        return {} if self.device.platform == "cpu" else {"peak_device_bytes": self.memory}


def needed(compiled: Any) -> int | None:
    """Bytes of the device that a compiled function uses, as the compiler tells."""
    analysis = compiled.memory_analysis()
    if analysis is None:
        return None
    return int(
        analysis.argument_size_in_bytes
        + analysis.output_size_in_bytes
        + analysis.temp_size_in_bytes
    )


def load(variant: str, options: Options) -> JaxCases:
    platform = {"cuda": "gpu"}.get(options.device, options.device)
    return JaxCases(platform, variant or "threefry2x32")
