"""Elementwise kernels, transposes, random arrays and loops on the adapter at hand.

    python -m benchmarks.wgpu.maps [--scale 1.0] [--save FILE]

Times are of the device's own clock where it has one, means over repetitions after two that warm
up. Bandwidths count each array once; the fraction is of the measured copy of the same type. Results
are checked at samples.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from runmat_provider_tests.device import Draft
from runmat_provider_tests.philox import draw
from runmat_wgpu import WgpuProvider

from benchmarks.wgpu.records import save
from runmat_core.api import ir
from runmat_core.api.device import (
    Addressing,
    AllocateRequest,
    CompileRequest,
    DownloadRequest,
    ExecuteRequest,
    FreeRequest,
    Launch,
    StartRequest,
    SynchronizeRequest,
    TelemetryRequest,
)
from runmat_core.api.ir import V

#: Seconds of repetitions, and the most of them.
SPAN, MOST = 0.15, 30
KEY, POSITION = (77, 5), 12
BYTES = {"f32": 4, "f64": 8}


class Bench:
    """A started provider and what was measured on it."""

    def __init__(self, scale: float) -> None:
        self.provider = WgpuProvider()
        found = self.provider.capabilities(StartRequest(name="wgpu"))
        assert found is not None
        self.capabilities = found
        self.scale = scale
        self.copies: dict[str, float] = {}
        self.records: list[dict[str, Any]] = []

    def size(self, n: int) -> int:
        """A size as scaled, a multiple of 64."""
        return max(1024, int(n * self.scale) // 64 * 64)

    def side(self, n: int) -> int:
        """The side of a square whose area is scaled."""
        return max(64, int(n * self.scale**0.5) // 64 * 64)

    def array(self, shape: tuple[int, ...], dtype: str) -> Any:
        """A new array, not filled."""
        return self.provider.allocate(AllocateRequest(arrays=((shape, dtype),)))[0]

    def filled(self, count: int, dtype: str) -> Any:
        """Uniform numbers."""
        made = self.array((count, 1), dtype)
        kernel, views, params = generator("uniform", dtype)
        self.provider.execute(self.request(kernel, (count,), views, (made,), params))
        return made

    def request(
        self,
        kernel: ir.Kernel,
        extents: tuple[int, ...],
        views: Sequence[Addressing],
        slots: Sequence[Any],
        params: Sequence[Any] = (),
    ) -> ExecuteRequest:
        (executable,) = self.provider.compile(CompileRequest(units=(kernel,)))
        if executable is None:
            raise LookupError("declined")
        numbers = tuple(range(len(slots)))
        launch = Launch(executable, numbers, extents, tuple(views), tuple(range(len(params))))
        return ExecuteRequest(steps=(launch,), slots=tuple(slots), params=tuple(params))

    def timed(self, request: ExecuteRequest) -> tuple[float, float]:
        """Seconds of one launch, by the device's clock and by the wall."""
        wait = SynchronizeRequest()
        for _ in range(2):
            self.provider.execute(request)
            started = time.perf_counter()
            self.provider.synchronize(wait)
        self.provider.execute(request)
        self.provider.synchronize(wait)
        once = max(time.perf_counter() - started, 1e-5)
        count = max(2, min(MOST, int(SPAN / once)))
        self.provider.telemetry(TelemetryRequest(reset=True))
        started = time.perf_counter()
        for _ in range(count):
            self.provider.execute(request)
        self.provider.synchronize(wait)
        wall = (time.perf_counter() - started) / count
        told = self.provider.telemetry(TelemetryRequest(reset=True))
        return (told.kernel_seconds or wall * count) / count, wall

    def sampled(self, handle: Any, first: int = 0, step: int = 1, count: int = 64) -> Any:
        """Some elements of an array."""
        draft = Draft((4,))
        draft.store(draft.load(np.zeros(4, np.float32 if handle.dtype == "f32" else np.float64)))
        out = self.array((count, 1), handle.dtype)
        views = (Addressing(first, (step,)), Addressing(0, (1,)))
        self.provider.execute(self.request(draft.kernel(), (count,), views, (handle, out)))
        (data,) = self.provider.download(DownloadRequest(arrays=(out,))).arrays
        self.free(out)
        return data.ravel()

    def free(self, *handles: Any) -> None:
        self.provider.free(FreeRequest(arrays=tuple(handles)))

    def measure(
        self,
        name: str,
        dtype: str,
        request: ExecuteRequest,
        nbytes: int,
        right: Callable[[], bool],
        more: Callable[[float], dict[str, Any]] = lambda seconds: {},
    ) -> None:
        """Time a launch, check it, and keep the record."""
        device, wall = self.timed(request)
        record: dict[str, Any] = {"case": name, "dtype": dtype, "ms": device * 1e3}
        record |= {"wall_ms": wall * 1e3, "right": bool(right())}
        if nbytes:
            rate = nbytes / device / 1e9
            if name == "copy":
                self.copies[dtype] = rate
            record |= {"GB/s": rate, "of copy": rate / self.copies[dtype]}
        record |= more(device)
        self.records.append(record)
        numbers = (
            f"{k} {v:.3g}" if isinstance(v, float) else f"{k} {v}" for k, v in record.items()
        )
        print("  ".join(numbers), flush=True)


def generator(distribution: str, dtype: str) -> tuple[ir.Kernel, tuple[Addressing, ...], Any]:
    """A kernel that makes a random array."""
    draft = Draft((4,))
    draft.store(drawn(draft, draft.index(), distribution, dtype))
    return draft.kernel(), (Addressing(0, (1,)), Addressing(0, (1,))), tuple(draft.scalars)


def drawn(draft: Draft, numbers: V, distribution: str, dtype: str) -> V:
    words = (*KEY, POSITION, 0)
    args = [numbers.position, *(draft.param(word, "u32").position for word in words)]
    kind = (distribution, dtype)
    return V(draft.builder, draft.builder.emit("random", args, dtype, numbers.over, kind))


def blank(shape: tuple[int, ...], dtype: str) -> Any:
    return np.zeros(shape, np.float32 if dtype == "f32" else np.float64)


# -- cases ----------------------------------------------------------------------------------------


def chain(x: Any, m: Any) -> Any:
    """The elementwise case, of values of kernels or of NumPy."""
    y = m.sin(x) * m.exp(-x / 10.0)
    y = y * m.cos(x / 4.0) + 0.25 * (y * y)
    return m.tanh(y) + 0.1 * y


def elementwise(bench: Bench, dtype: str) -> None:
    """Copy, saxpy and the chain."""
    n = bench.size(1 << (27 if dtype == "f32" else 26))
    x, y = bench.filled(n, dtype), bench.array((n, 1), dtype)
    functions: dict[str, tuple[int, Any, Any]] = {
        "copy": (2, lambda a, b: a, lambda a: a),
        "saxpy": (3, lambda a, b: a * 2.5 + b, lambda a: a * 2.5 + a),
        "chain": (2, lambda a, b: chain(a, ir), lambda a: chain(a, np)),
    }
    for name, (arrays, function, same) in functions.items():
        draft = Draft((4,))
        a = draft.load(blank((4,), dtype))
        b = draft.load(blank((4,), dtype)) if arrays == 3 else a
        draft.store(function(a, b))
        views = (Addressing(0, (1,)),) * arrays
        slots = (x, *([x] if arrays == 3 else []), y)
        request = bench.request(draft.kernel(), (n,), views, slots)
        close = {"rtol": 1e-5, "atol": 1e-6} if dtype == "f32" else {"rtol": 1e-12, "atol": 1e-14}

        def right(same: Any = same, close: Any = close) -> bool:
            step = n // 64 - 1
            return np.allclose(bench.sampled(y, 1, step), same(bench.sampled(x, 1, step)), **close)

        # one array may be read twice at the price of once
        moved = 2 if arrays == 3 else arrays
        bench.measure(name, dtype, request, moved * n * BYTES[dtype], right)
    bench.free(x, y)


def broadcast(bench: Bench, along: int) -> None:
    """A matrix less a vector along one of its axes."""
    shape = (bench.side(16384), bench.side(8192))
    x, mu = bench.filled(shape[0] * shape[1], "f32"), bench.filled(max(shape), "f32")
    y = bench.array(shape, "f32")
    draft = Draft((4, 4))
    moves = [along == 0, along == 1]
    draft.store(draft.load(blank((4, 4), "f32")) - draft.load(blank((4,), "f32"), moves))
    views = [Addressing(0, (1, shape[0])), Addressing(0, (1 - along, along))]
    request = bench.request(draft.kernel(), shape, [*views, views[0]], (x, mu, y))

    def right() -> bool:
        place = 3 * shape[0] + 8  # of column 3, from row 8 on
        less = bench.sampled(mu, 8) if along == 0 else bench.sampled(mu, 3, 1, 1)
        return np.array_equal(bench.sampled(y, place), bench.sampled(x, place) - less)

    name = "less a column" if along == 0 else "less a row"
    bench.measure(name, "f32", request, 2 * shape[0] * shape[1] * 4, right)
    bench.free(x, mu, y)


def transpose(bench: Bench, dtype: str) -> None:
    side = bench.side(8192)
    x, y = bench.filled(side * side, dtype), bench.array((side, side), dtype)
    draft = Draft((4, 4))
    draft.store(draft.load(blank((4, 4), dtype), where=Addressing(0, (4, 1))))
    views = (Addressing(0, (side, 1)), Addressing(0, (1, side)))
    request = bench.request(draft.kernel(), (side, side), views, (x, y))

    def right() -> bool:
        return np.array_equal(bench.sampled(y, 5 * side), bench.sampled(x, 5, side))

    bench.measure("transpose", dtype, request, 2 * side * side * BYTES[dtype], right)
    bench.free(x, y)


def generation(bench: Bench, distribution: str, dtype: str) -> None:
    n = bench.size(1 << (27 if dtype == "f32" else 26))
    y = bench.array((n, 1), dtype)
    kernel, views, params = generator(distribution, dtype)
    request = bench.request(kernel, (n,), views, (y,), params)

    def right() -> bool:
        wanted = draw(distribution, dtype, n - 64 + np.arange(64), KEY, POSITION)
        near = 1e-5 if dtype == "f32" else 1e-13
        return np.allclose(bench.sampled(y, n - 64), wanted, rtol=0, atol=near)

    bench.measure(
        distribution, dtype, request, n * BYTES[dtype], right, lambda s: {"G/s": n / s / 1e9}
    )
    bench.free(y)


def loop(
    bench: Bench, name: str, points: int, trips: int, distribution: str, step: Any, start: float
) -> None:
    """A loop of fresh random numbers, or of none, its state in registers."""
    points = bench.size(points)
    trips = max(16, int(trips * bench.scale**0.5))
    draft = Draft((4, 4), ["parallel", "serial"])
    first = draft.param(start, "f32")
    state = V(draft.builder, draft.builder.emit("carry", (first.position,), "f32", 3, None))
    views = []
    fresh: Any = draft.param(0.3, "f32")
    if distribution:
        numbers = draft.index()
        views.append(Addressing(0, (1, points)))
        fresh = drawn(draft, numbers, distribution, "f32")
    following = step(state, fresh, ir)
    code = draft.builder.code
    code[state.position] = ir.Instr("carry", (first.position,), "f32", 3, following.position)
    end = V(draft.builder, draft.builder.emit("last", (following.position,), "f32", 1))
    draft.store(end, [True, False])
    out = bench.array((points, 1), "f32")
    views.append(Addressing(0, (1, 0)))
    request = bench.request(draft.kernel(), (points, trips), views, (out,), draft.scalars)

    def right() -> bool:
        y = np.full(64, start, np.float32)
        for t in range(trips):
            place = points - 64 + np.arange(64) + t * points
            x = draw(distribution, "f32", place, KEY, POSITION) if distribution else np.float32(0.3)
            y = step(y, x, np).astype(np.float32)
        return np.allclose(bench.sampled(out, points - 64), y, rtol=1e-3)

    rate = {"points": points, "trips": trips}
    bench.measure(
        name, "f32", request, 0, right, lambda s: rate | {"G steps/s": points * trips / s / 1e9}
    )
    bench.free(out)


def montecarlo(s: Any, z: Any, m: Any) -> Any:
    return s * m.exp(z * 0.0126 + 0.00012)


def iir(y: Any, x: Any, m: Any) -> Any:
    return y * 0.98 + x * 0.02


def cases(bench: Bench) -> Iterator[tuple[str, Callable[[], None]]]:
    """Every case of types that the device has."""
    types = [t for t in ("f32", "f64") if t in bench.capabilities.dtypes]
    for dtype in types:
        yield "elementwise", lambda dtype=dtype: elementwise(bench, dtype)
        yield "transpose", lambda dtype=dtype: transpose(bench, dtype)
    for along in (0, 1):
        yield "broadcast", lambda along=along: broadcast(bench, along)
    for dtype in types:
        for what in ("uniform", "normal"):
            yield what, lambda what=what, dtype=dtype: generation(bench, what, dtype)
    million = 1_000_000
    yield "montecarlo", lambda: loop(bench, "montecarlo", million, 256, "normal", montecarlo, 100.0)
    yield "iir", lambda: loop(bench, "iir constant", million, 4096, "", iir, 0.0)
    yield "iir", lambda: loop(bench, "iir random", million, 4096, "uniform", iir, 0.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=float, default=1.0, help="of the sizes")
    parser.add_argument("--save", default="", help="a file for the records, as JSON")
    parser.add_argument("--only", default="", help="names of cases")
    options = parser.parse_args()
    bench = Bench(options.scale)
    print(bench.capabilities.name, bench.capabilities.driver)
    for name, run in cases(bench):
        if name in options.only or not options.only:
            run()
    if options.save:
        save(options.save, bench.capabilities, cases=bench.records)


if __name__ == "__main__":
    main()
