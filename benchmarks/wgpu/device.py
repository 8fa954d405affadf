"""What the device layer costs on the adapter at hand: transfers, launches, repeats, the start.

    python -m benchmarks.wgpu.device [--save FILE] [--mebibytes 64 512] [--option KEY=VALUE]

Each number is the least of a few repetitions; ``cold`` is the first one. Transfers count the bytes
of the host array. Launches run a kernel of 64 elements, so that what is measured is all overhead.
"""

from __future__ import annotations

import argparse
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable
from time import perf_counter
from typing import Any

import attrs
import numpy as np
from runmat_wgpu import WgpuProvider
from runmat_wgpu.codegen.shader import Bind, Dispatch, Prepared, Shader
from runmat_wgpu.device.plans import Compiled

from benchmarks.wgpu.records import save
from runmat_core.api.device import (
    AllocateRequest,
    DownloadRequest,
    Executable,
    ExecuteRequest,
    FreeRequest,
    Launch,
    Repeat,
    StartRequest,
    SynchronizeRequest,
    TelemetryRequest,
    UploadRequest,
)
from runmat_core.api.ir import LibraryCall

N, REPETITIONS, TRIPS = 64, 12, 2000
_SHADER = """
struct P { zero: u32, n: u32, shift: f32, pad: u32 }
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;
@group(1) @binding(0) var<uniform> p: P;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3<u32>) {
    if (g.x < p.n) { b[g.x] = a[g.x] + p.shift; }
}
"""
_START = """
import time; started = time.perf_counter()
import numpy as np
from benchmarks.wgpu.device import Bench
bench = Bench({options!r}, {folder!r})
told = time.perf_counter() - started
bench.run(bench.launches(1), (0.5,))
bench.read()
print(told, time.perf_counter() - started)
"""


@attrs.frozen
class Add:
    """A template of the shader above."""

    source: str = _SHADER

    def prepare(self, extents: tuple[int, ...], views: tuple[Any, ...]) -> Prepared:
        words = struct.pack("<IIfI", 0, extents[0], 0.0, 0)
        shader = Shader(self.source, ("read", "write"), 16)
        binds = (Bind("slot", 0), Bind("slot", 1))
        return Prepared((Dispatch(shader, (1, 1, 1), binds, words, ((8, "f32", 0),)),))


class Timed:
    """A library of C functions whose calls are timed.

    Attributes:
        seconds: in its functions since the last `reset`, without what timing a call takes.
    """

    def __init__(self, lib: Any) -> None:
        self._lib = lib
        self._price = 0.0
        self.reset()
        nothing = self._timed(perf_counter)
        prices = []
        for _ in range(REPETITIONS):
            before = self.seconds
            nothing()
            prices.append(self.seconds - before)
        self._price = min(prices)

    def reset(self) -> None:
        self.seconds = 0.0

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._lib, name)
        if callable(found):
            found = self._timed(found)
            setattr(self, name, found)
        return found

    def _timed(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*arguments: Any) -> Any:
            started = perf_counter()
            result = function(*arguments)
            self.seconds += perf_counter() - started - self._price
            return result

        return timed


class Bench:
    """A started provider with two small arrays.

    Args:
        options: of ``[accel.wgpu]``.
        folder: where verdicts are kept.
    """

    def __init__(self, options: dict[str, Any], folder: str) -> None:
        self.provider = WgpuProvider()
        request = StartRequest(
            name="wgpu", options=tuple(sorted(options.items())), cache_folder=folder
        )
        found = self.provider.capabilities(request)
        if found is None:
            raise SystemExit("there is no adapter here")
        self.capabilities = found
        ready = (np.zeros((N, 1), np.float32),) * 2
        self.slots = self.provider.upload(UploadRequest(arrays=ready))
        unit = LibraryCall("add", ())
        self.executable = Executable(unit, "wgpu", Compiled(unit, Add()))

    def launches(self, count: int) -> tuple[Launch, ...]:
        """Launches that depend on one another, two arrays taking turns."""
        return tuple(
            Launch(self.executable, (k % 2, 1 - k % 2), (N,), (), (0,)) for k in range(count)
        )

    def run(self, steps: tuple[Any, ...], params: tuple[Any, ...]) -> None:
        request = ExecuteRequest(steps=steps, slots=self.slots, params=params)
        self.provider.execute(request)

    def wait(self) -> None:
        self.provider.synchronize(SynchronizeRequest())

    def read(self) -> float:
        request = DownloadRequest(arrays=(self.slots[1],))
        return float(self.provider.download(request).arrays[0][0, 0])

    # -- what is measured ------------------------------------------------------------------------

    def transfers(self, mebibytes: int, dtype: str) -> dict[str, float]:
        """GB/s of an array, up and down, the first time and warm."""
        count = (mebibytes << 20) // np.dtype(dtype).itemsize
        data = np.asfortranarray(np.arange(count, dtype=dtype).reshape(-1, 1))
        up, down = [], []
        for _ in range(6):
            started = perf_counter()
            (handle,) = self.provider.upload(UploadRequest(arrays=(data,)))
            self.wait()
            up.append(perf_counter() - started)
            started = perf_counter()
            (back,) = self.provider.download(DownloadRequest(arrays=(handle,))).arrays
            down.append(perf_counter() - started)
            if back[-1, 0] != data[-1, 0] or back[count // 2, 0] != data[count // 2, 0]:
                raise SystemExit("an array came back changed")
            self.provider.free(FreeRequest(arrays=(handle,)))
        rate = data.nbytes / 1e9
        return {
            "upload cold": rate / up[0],
            "upload": rate / min(up[1:]),
            "download cold": rate / down[0],
            "download": rate / min(down[1:]),
        }

    def launching(self, count: int) -> dict[str, float]:
        """Microseconds per launch of a request of so many: until it is submitted, of these in the
        C functions of wgpu, with the wait, by clock."""
        steps = self.launches(count)
        self.run(steps, (0.5,))
        self.wait()
        python, whole = [], []
        for number in range(REPETITIONS):
            started = perf_counter()
            self.run(steps, (float(number),))  # scalars differ, so words are written
            python.append(perf_counter() - started)
            self.wait()
            whole.append(perf_counter() - started)
        self.provider.telemetry(TelemetryRequest(reset=True))
        self.run(steps, (0.5,))
        clock = self.provider.telemetry(TelemetryRequest()).kernel_seconds
        return {
            "python": min(python) / count * 1e6,
            "of these in C": self._in_c(steps) / count * 1e6,
            "with wait": min(whole) / count * 1e6,
            "on device": clock / count * 1e6,
        }

    def _in_c(self, steps: tuple[Any, ...]) -> float:
        """Seconds of a request in functions of wgpu, the least of many."""
        gpu = self.provider.device().gpu
        plain, gpu.lib = gpu.lib, Timed(gpu.lib)
        found: list[float] = []
        try:
            for number in range(REPETITIONS):
                gpu.lib.reset()
                self.run(steps, (float(number),))
                found.append(gpu.lib.seconds)
                self.wait()
        finally:
            gpu.lib = plain
        return min(found)

    def repeating(self, advance: tuple[tuple[int, float], ...]) -> dict[str, float]:
        """Microseconds per trip of a repeat of one launch, with arrays that change places."""
        steps = (Repeat(self.launches(1), TRIPS, ((0, 1), (1, 0)), advance),)
        self.run(steps, (0.5,))
        self.wait()
        python, whole = [], []
        for _ in range(4):
            started = perf_counter()
            self.run(steps, (0.5,))
            python.append(perf_counter() - started)
            self.wait()
            whole.append(perf_counter() - started)
        return {"python": min(python) / TRIPS * 1e6, "with wait": min(whole) / TRIPS * 1e6}

    def memory(self) -> dict[str, float]:
        """Microseconds to allocate and free an array of 1 MiB that the pool has, and a new one."""
        shape = (((1 << 18, 1), "f32"),)

        def once() -> None:
            made = self.provider.allocate(AllocateRequest(arrays=shape))
            self.provider.free(FreeRequest(arrays=made))

        new = timed(once, 1)
        return {"new": new * 1e6, "from the pool": timed(once) * 1e6}


def timed(call: Callable[[], Any], repetitions: int = REPETITIONS) -> float:
    """Seconds of a call, the least of some."""
    spent = []
    for _ in range(repetitions):
        started = perf_counter()
        call()
        spent.append(perf_counter() - started)
    return min(spent)


def starting(options: dict[str, Any]) -> dict[str, float]:
    """Seconds from the start of Python's imports to abilities and to the first result."""
    told: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in ("new adapter", "known adapter", "known adapter again"):
            program = _START.format(options=options, folder=folder)
            done = subprocess.run(
                [sys.executable, "-c", program], capture_output=True, text=True, check=True
            )
            first, last = done.stdout.split()[-2:]
            told[f"{name}, opened"] = float(first)
            told[f"{name}, first result"] = float(last)
    return told


def measure(bench: Bench, options: dict[str, Any], sizes: list[int]) -> dict[str, Any]:
    """Everything, by section."""
    results: dict[str, Any] = {"launch, us": {}, "repeat, us per trip": {}, "transfer, GB/s": {}}
    for count in (1, 10, 100):
        results["launch, us"][f"{count} in a request"] = bench.launching(count)
    results["repeat, us per trip"]["same scalars"] = bench.repeating(())
    results["repeat, us per trip"]["a scalar advances"] = bench.repeating(((0, 0.25),))
    results["wait, us"] = {
        "nothing to wait for": {"time": timed(bench.wait) * 1e6},
        "read 64 elements": {"time": timed(bench.read) * 1e6},
    }
    results["array of 1 MiB, us"] = {"allocate and free": bench.memory()}
    for mebibytes in sizes:
        for dtype in ("float32", "uint8"):
            name = f"{mebibytes} MiB {dtype}"
            results["transfer, GB/s"][name] = bench.transfers(mebibytes, dtype)
    results["start, s"] = {"a process": starting(options)}
    return results


def table(results: dict[str, Any]) -> str:
    """As text."""
    lines = []
    for section, rows in results.items():
        lines.append(section)
        for name, row in rows.items():
            numbers = "   ".join(f"{key} {value:.2f}" for key, value in row.items())
            lines.append(f"  {name:24} {numbers}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description="What the device layer of wgpu costs here.")
    parser.add_argument("--save", metavar="FILE", help="write the results as JSON")
    parser.add_argument("--mebibytes", type=int, nargs="+", default=[64, 512])
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE")
    given = parser.parse_args()
    options: dict[str, Any] = {}
    for text in given.option:
        key, _, value = text.partition("=")
        options[key] = int(value) if value.isdigit() else value
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, folder)
        can = bench.capabilities
        print(f"{can.name}, {can.driver}")
        results = measure(bench, options, given.mebibytes)
        told = bench.provider.telemetry(TelemetryRequest())
        bench.provider.close()
    print(table(results))
    if given.save:
        counters = dict(told.counters)
        save(given.save, can, details=dict(can.details), results=results, counters=counters)


if __name__ == "__main__":
    main()
