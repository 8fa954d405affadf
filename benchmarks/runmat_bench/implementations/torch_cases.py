"""The cases in PyTorch, eager and through ``torch.compile``.

What is compiled is what a user would compile: the whole function where it is a chain of
operations, the step where there is a loop over time (a loop of hundreds of steps compiled as a
whole is unrolled and takes minutes). Shapes are static, so each size gets code of its own.
Everything is on the GPU where there is one, single products in full single precision.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import torch
from runmat_bench import machine
from runmat_bench.implementations import Metric, Options, Run

Tensor = Any
Step = Callable[..., Any]

torch.set_float32_matmul_precision("highest")


class Source:
    """Uniform and normal numbers: PyTorch's own generator, or the shared congruential one."""

    def __init__(self, device: str, cls: str, source: str) -> None:
        self.dtype = torch.float32 if cls == "single" else torch.float64
        self.device = device
        self.own = source == "rng"
        if self.own:
            torch.manual_seed(0)

    def starts(self, values: range) -> list[Tensor]:
        """First indices of draws, as tensors so that compiled steps need not know them."""
        made = torch.tensor(list(values), dtype=torch.int64, device=self.device)
        return list(made.unbind())

    def uniform(self, rows: int, columns: int, first: Tensor) -> Tensor:
        if self.own:
            return torch.rand(rows, columns, dtype=self.dtype, device=self.device)
        i = first + torch.arange(rows * columns, dtype=torch.int64, device=self.device)
        word = (1664525 * i + 1013904223) & 0xFFFFFFFF
        u = word.to(torch.float64) / 4294967296.0
        return u.to(torch.float32).to(self.dtype).reshape(rows, columns)

    def normal(self, count: int, first: Tensor) -> Tensor:
        if self.own:
            return torch.randn(count, dtype=self.dtype, device=self.device)
        u = self.uniform(count, 1, first)[:, 0]
        v = self.uniform(count, 1, first + count)[:, 0]
        return torch.sqrt(-2 * torch.log(torch.clamp(u, min=1e-7))) * torch.cos(2 * math.pi * v)


def pca(draw: Source, wrap: Step, n: int, d: int, k: int) -> Step:
    def whole(first: Tensor) -> Tensor:
        A = draw.uniform(n, d, first)
        Q = draw.uniform(d, k, first)
        A = A - A.mean(dim=0)
        G = (A.T @ A) / (n - 1)
        Q, _ = torch.linalg.qr(Q)
        for _ in range(15):
            Q = G @ Q
            Q, _ = torch.linalg.qr(Q)
        values = torch.diagonal(Q.T @ G @ Q)
        return torch.stack((values.sum(), values[0] / torch.trace(G)))

    step = wrap(whole)
    return lambda: step(*draw.starts(range(1)))


def image4k(draw: Source, wrap: Step, B: int, height: int, width: int) -> Step:
    def whole(first: Tensor) -> Tensor:
        imgs = draw.uniform(B, height * width, first).reshape(B, height, width)
        mu = imgs.mean(dim=(1, 2), keepdim=True)
        sigma = torch.sqrt(((imgs - mu) ** 2).mean(dim=(1, 2), keepdim=True) + 1e-6)
        y = torch.clamp(((imgs - mu) / sigma) * 1.0123 - 0.02, min=0) ** 1.8
        return ((y - imgs) ** 2).mean()

    step = wrap(whole)
    return lambda: step(*draw.starts(range(1)))


def montecarlo(draw: Source, wrap: Step, M: int, T: int) -> Step:
    mu, sigma, dt, strike = 0.05, 0.2, 1 / 252, 100
    drift, scale = (mu - sigma**2 / 2) * dt, sigma * math.sqrt(dt)

    def one(S: Tensor, first: Tensor) -> Tensor:
        return S * torch.exp(drift + scale * draw.normal(M, first))

    step = wrap(one)

    def run() -> Tensor:
        S = torch.full((M,), 100, dtype=draw.dtype, device=draw.device)
        for first in draw.starts(range(0, 2 * M * T, 2 * M)):
            S = step(S, first)
        return torch.clamp(S - strike, min=0).mean() * math.exp(-mu * T * dt)

    return run


def nlms(draw: Source, wrap: Step, p: int, C: int, T: int) -> Step:
    mu, eps0 = 0.5, 1e-3

    def one(W: Tensor, first: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        x = draw.uniform(p, C, first)
        d = (x * x).sum(dim=0)
        y = (x * W).sum(dim=0)
        e = d - y
        nx = (x**2).sum(dim=0) + eps0
        return W + mu * x * (e / nx), x, d

    step = wrap(one)

    def run() -> Tensor:
        W = torch.zeros((p, C), dtype=draw.dtype, device=draw.device)
        x, d = W, W
        for first in draw.starts(range(0, p * C * T, p * C)):
            W, x, d = step(W, first)
        return ((d - (x * W).sum(dim=0)) ** 2).mean()

    return run


def iir(draw: Source, wrap: Step, M: int, T: int) -> Step:
    def one(Y: Tensor, first: Tensor) -> Tensor:
        return 0.98 * Y + 0.02 * draw.uniform(M, 1, first)[:, 0]

    step = wrap(one)

    def run() -> Tensor:
        Y = torch.zeros(M, dtype=draw.dtype, device=draw.device)
        for first in draw.starts(range(0, M * T, M)):
            Y = step(Y, first)
        return Y.mean()

    return run


def held(draw: Source, wrap: Step, M: int, T: int) -> Step:
    step = wrap(lambda Y, x: 0.98 * Y + 0.02 * x)

    def run() -> Tensor:
        (first,) = draw.starts(range(1))
        x = draw.uniform(M, 1, first)[:, 0]
        Y = torch.zeros(M, dtype=draw.dtype, device=draw.device)
        for _ in range(T):
            Y = step(Y, x)
        return Y.mean()

    return run


def elementwise(draw: Source, wrap: Step, n: int) -> Step:
    def whole() -> Tensor:
        x = torch.linspace(0, 4 * math.pi, n, dtype=draw.dtype, device=draw.device)
        y0 = torch.sin(x) * torch.exp(-x / 10)
        y1 = y0 * torch.cos(x / 4) + 0.25 * y0**2
        y2 = torch.tanh(y1) + 0.1 * y1
        return y2.sum()

    step: Step = wrap(whole)
    return step


def ema(draw: Source, wrap: Step, M: int, T: int) -> Step:
    alpha = 0.1

    def one(y: Tensor, t: Tensor, k: Tensor) -> Tensor:
        return (1 - alpha) * y + alpha * torch.sin(t * k)

    step = wrap(one)

    def run() -> Tensor:
        k = torch.linspace(0, 1, M, dtype=draw.dtype, device=draw.device)
        y = torch.zeros(M, dtype=draw.dtype, device=draw.device)
        for t in torch.arange(1, T + 1, dtype=draw.dtype, device=draw.device).unbind():
            y = step(y, t, k)
        return y.mean()

    return run


class TorchCases:
    """The functions above on one device.

    Args:
        device: ``cpu`` or ``cuda``.
        compiled: through ``torch.compile``.
    """

    warms = True

    def __init__(self, device: str, compiled: bool) -> None:
        self.device = device
        self.compiled = compiled

    def describe(self) -> dict[str, Any]:
        found = {"version": torch.__version__, "threads": torch.get_num_threads()}
        if self.device == "cpu":
            return {**found, "device": machine.processor()}
        return {
            **found,
            "device": torch.cuda.get_device_name(),
            "driver": f"CUDA {torch.version.cuda}",
        }

    def prepare(self, case: str, parameters: Mapping[str, Any]) -> Run:
        sizes = dict(parameters)
        cls, source = sizes.pop("cls"), sizes.pop("source", "rng")
        torch.compiler.reset()
        wrap: Step = partial(torch.compile, dynamic=False) if self.compiled else lambda f: f
        if self.device == "cuda":
            torch.cuda.empty_cache()
            torch.cuda.reset_peak_memory_stats()
        draw = Source(self.device, cls, source)
        compute = globals()[case](draw, wrap, **sizes)

        def run() -> Metric:
            if draw.own:
                torch.manual_seed(0)
            with torch.no_grad():
                result = compute().tolist()  # waits for the device
            return tuple(result) if isinstance(result, list) else (result,)

        return run

    def counts(self, run: Run) -> dict[str, Any]:
        if self.device != "cuda":
            return {}
        from torch.profiler import ProfilerActivity, profile

        peak = torch.cuda.max_memory_allocated()
        with profile(activities=[ProfilerActivity.CUDA]) as recorded:
            run()
            torch.cuda.synchronize()
        kernels = 0
        seconds = 0.0
        for event in recorded.events():
            if event.device_type != torch.autograd.DeviceType.CUDA:
                continue
            if event.name.startswith(("Memcpy", "Memset")):
                continue
            kernels += 1
            seconds += event.device_time_total * 1e-6
        return {"kernels": kernels, "kernel_seconds": seconds, "peak_device_bytes": peak}


def load(variant: str, options: Options) -> TorchCases:
    device = options.device
    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    return TorchCases(device, compiled=variant == "compile")
