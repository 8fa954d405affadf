"""Reductions, scans and loops over slices on the adapter at hand.

    python -m benchmarks.wgpu.reductions [--scale 1.0] [--save FILE] [--only NAMES]

Times are of the device's own clock where it has one. Bandwidths count each array once, as an ideal
kernel would move it; the fraction is of the measured copy of the same type. Arrays hold 0, 1 … 1023
over and over, in 1024ths, so that results are known.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from runmat_provider_tests.device import Draft
from runmat_provider_tests.philox import draw

from benchmarks.wgpu.maps import BYTES, KEY, POSITION, Bench, blank, chain, drawn
from benchmarks.wgpu.records import save
from runmat_core.api import ir
from runmat_core.api.device import Addressing, DownloadRequest, ExecuteRequest
from runmat_core.api.ir import V, reducers

#: Elements after which arrays repeat.
PERIOD = 1024


def sized(bench: Bench, n: int) -> int:
    """A size as scaled, in whole periods."""
    return max(PERIOD, int(n * bench.scale) // PERIOD * PERIOD)


def sides(bench: Bench, rows: int, columns: int) -> tuple[int, int]:
    """A matrix whose number of elements is scaled."""
    share = bench.scale**0.5
    return max(PERIOD, int(rows * share) // PERIOD * PERIOD), max(
        64, int(columns * share) // 64 * 64
    )


def pattern(bench: Bench, count: int, dtype: str) -> Any:
    """A new array of the pattern."""
    draft = Draft((4,))
    place = ir.cast(draft.builder.map("bitand", draft.index(), PERIOD - 1), dtype)
    draft.store(place * (1 / PERIOD))
    made = bench.array((count, 1), dtype)
    views = (Addressing(0, (1,)),) * 2
    bench.provider.execute(bench.request(draft.kernel(), (count,), views, (made,)))
    return made


def dense(extents: Sequence[int], moves: Sequence[bool]) -> Addressing:
    """An array without gaps over some of the axes."""
    strides, step = [], 1
    for extent, moving in zip(extents, moves, strict=True):
        strides.append(step if moving else 0)
        step *= extent if moving else 1
    return Addressing(0, tuple(strides))


def whole(bench: Bench, handle: Any) -> Any:
    """All elements of an array."""
    return bench.provider.download(DownloadRequest(arrays=(handle,))).arrays[0].ravel(order="F")


class Case:
    """One kernel over the pattern: made small, run large."""

    def __init__(
        self, bench: Bench, shape: tuple[int, ...], kinds: list[str], dtype: str = "f32"
    ) -> None:
        self.bench, self.shape, self.dtype = bench, shape, dtype
        self.draft = Draft((4,) * len(shape), kinds)
        self.points = int(np.prod(shape))
        self.outputs: list[Any] = []
        self.inputs: list[Any] = []

    def load(self, data: Any) -> V:
        self.inputs.append(data)
        return self.draft.load(blank((4,) * len(self.shape), self.dtype))

    def store(self, value: V, moves: list[bool] | None = None) -> None:
        moves = moves or [bool(value.over >> k & 1) for k in range(len(self.shape))]
        self.draft.store(value, moves)
        count = int(np.prod([e for e, m in zip(self.shape, moves, strict=True) if m]))
        self.outputs.append(self.bench.array((count, 1), value.dtype))

    def request(self) -> ExecuteRequest:
        kernel = self.draft.kernel()
        views = [dense(self.shape, view.moves) for view in kernel.views]
        handles, reads, writes = [], iter(self.inputs), iter(self.outputs)
        for buffer in kernel.buffers:
            handles.append(next(reads if buffer.access == "read" else writes))
        return self.bench.request(kernel, self.shape, views, handles, self.draft.scalars)

    def run(
        self, name: str, arrays: int, right: Callable[[], bool], more: dict[str, Any] | None = None
    ) -> None:
        """Measure it; `arrays` is how many of the whole size an ideal kernel moves."""
        nbytes = arrays * self.points * BYTES[self.dtype]
        self.bench.measure(name, self.dtype, self.request(), nbytes, right, lambda _: more or {})
        self.bench.free(*self.outputs)


def near(got: Any, wanted: Any, rtol: float) -> bool:
    return bool(np.allclose(got, wanted, rtol=rtol))


def running(place: Any) -> Any:
    """Sum of the pattern's elements up to and including some places."""
    periods, rest = np.divmod(np.asarray(place, float), PERIOD)
    return (periods * (PERIOD - 1) * PERIOD / 2 + rest * (rest + 1) / 2) / PERIOD


def vectors(bench: Bench, dtype: str) -> None:
    """Copy, and reductions of all elements."""
    n = sized(bench, 1 << (27 if dtype == "f32" else 26))
    x = pattern(bench, n, dtype)
    rtol = 1e-6 if dtype == "f32" else 1e-14
    copy = Case(bench, (n,), ["parallel"], dtype)
    copy.store(copy.load(x))
    copy.run("copy", 2, lambda: near(bench.sampled(copy.outputs[0]), np.arange(64) / 1024, 0))
    mean = (PERIOD - 1) / 2 / PERIOD
    total = Case(bench, (n,), ["reduce"], dtype)
    total.store(ir.reduce(reducers.sum_(dtype), total.load(x))[0])
    total.run("sum", 1, lambda: near(whole(bench, total.outputs[0]), n * mean, rtol))
    best = Case(bench, (n,), ["reduce"], dtype)
    for result in ir.reduce(reducers.extremum(dtype, True), best.load(x)):
        best.store(result)
    best.run("max, index", 1, lambda: whole(bench, best.outputs[1])[0] == PERIOD - 1)
    both = Case(bench, (n,), ["reduce"], dtype)
    value = both.load(x)
    both.store(ir.reduce(reducers.sum_(dtype), value)[0] / ir.count(value))
    both.store(ir.reduce(reducers.welford(dtype), value)[2] / ir.count(value))
    variance = (PERIOD**2 - 1) / 12 / PERIOD**2
    both.run(
        "mean, var",
        1,
        lambda: (
            near(whole(bench, both.outputs[0]), mean, rtol)
            and near(whole(bench, both.outputs[1]), variance, 10 * rtol)
        ),
    )
    mapped = Case(bench, (n,), ["reduce"], dtype)
    mapped.store(ir.reduce(reducers.sum_(dtype), chain(mapped.load(x), ir))[0])
    wanted = chain(np.arange(PERIOD) / PERIOD, np).sum() * (n / PERIOD)
    mapped.run("sum of chain", 1, lambda: near(whole(bench, mapped.outputs[0]), wanted, 2 * rtol))
    line = Case(bench, (n,), ["scan"], dtype)
    line.store(ir.scan(reducers.sum_(dtype), line.load(x))[0])
    step = n // 64 - 1
    line.run(
        "cumsum",
        2,
        lambda: near(
            bench.sampled(line.outputs[0], 3, step), running(3 + step * np.arange(64)), 200 * rtol
        ),
    )
    bench.free(x)


def matrices(bench: Bench) -> None:
    """Sums and running sums along each dimension."""
    shape = sides(bench, 8192, 16384)
    rows, columns = shape
    x = pattern(bench, rows * columns, "f32")
    mean, row = (PERIOD - 1) / 2 / PERIOD, np.arange(64) / PERIOD
    for dim, kinds in enumerate((["reduce", "parallel"], ["parallel", "reduce"])):
        case = Case(bench, shape, kinds)
        case.store(ir.reduce(reducers.sum_("f32"), case.load(x))[0])
        wanted = np.full(64, rows * mean) if dim == 0 else row * columns
        case.run(
            f"sum, dim {dim + 1}",
            1,
            lambda case=case, wanted=wanted: near(whole(bench, case.outputs[0])[:64], wanted, 1e-6),
        )
        best = Case(bench, shape, kinds)
        for result in ir.reduce(reducers.extremum("f32", True), best.load(x)):
            best.store(result)
        place = PERIOD - 1 if dim == 0 else 0
        best.run(
            f"max, index, dim {dim + 1}",
            1,
            lambda best=best, place=place: bool((whole(bench, best.outputs[1]) == place).all()),
        )
        scan = Case(bench, shape, [k.replace("reduce", "scan") for k in kinds])
        scan.store(ir.scan(reducers.sum_("f32"), scan.load(x))[0])
        ends = running(np.arange(64)) if dim == 0 else row * 3
        scan.run(
            f"cumsum, dim {dim + 1}",
            2,
            lambda scan=scan, ends=ends, dim=dim: near(
                bench.sampled(scan.outputs[0], 2 * rows * dim), ends, 1e-5
            ),
        )
    bench.free(x)


def levels(bench: Bench) -> None:
    """Reduced values that meet their elements again."""
    shape = sides(bench, 8192, 8192)
    x = pattern(bench, shape[0] * shape[1], "f32")
    place = np.arange(PERIOD) / PERIOD
    centred = (place - place.mean()) / place.std()
    total = reducers.sum_("f32")
    case = Case(bench, shape, ["reduce", "parallel"])
    value = case.load(x)
    apart = value - ir.reduce(total, value)[0] / ir.count(value)
    variance = ir.reduce(total, apart * apart)[0] / ir.count(value)
    case.store(apart / ir.sqrt(variance))
    case.run(
        "standardise columns", 2, lambda: near(bench.sampled(case.outputs[0]), centred[:64], 1e-4)
    )
    for name, kinds in (("columns", ["reduce", "parallel"]), ("rows", ["parallel", "reduce"])):
        soft = Case(bench, shape, kinds)
        value = soft.load(x)
        power = ir.exp(value - ir.reduce(reducers.maximum("f32"), value)[0])
        soft.store(power / ir.reduce(total, power)[0])
        shares = np.exp(place) / np.exp(place).sum() * PERIOD / shape[0]
        wanted = shares[:64] if name == "columns" else np.full(64, 1 / shape[1])
        soft.run(
            f"softmax of {name}",
            2,
            lambda soft=soft, wanted=wanted: near(bench.sampled(soft.outputs[0]), wanted, 1e-5),
        )
    bench.free(x)


def image(bench: Bench) -> None:
    """Sixteen images normalised, their pixels drawn again wherever they are needed: as the program
    has it in the end, and no further than its first reductions."""
    images, pixels = 16, max(PERIOD, int(2160 * 3840 * bench.scale))
    some = draw("uniform", "f32", np.arange(200_000), KEY, POSITION).astype(float)
    some_y = np.maximum((some - 0.5) * 12**0.5 * 1.0123 - 0.02, 0) ** 1.8
    wanted = [some.mean(), (12**-1 + 1e-6) ** 0.5, ((some_y - some) ** 2).mean()]
    names = ("image4k, means", "image4k, deviations", "image4k")
    for level, name in enumerate(names):
        case = Case(bench, (images, pixels), ["parallel", "reduce"])
        eps, gain, shift, none, gamma = (
            case.draft.param(v, "f32") for v in (1e-6, 1.0123, 0.02, 0.0, 1.8)
        )
        x = drawn(case.draft, case.draft.index(), "uniform", "f32")
        results = [mean_of(x)]
        apart = x - results[0]
        results.append(ir.sqrt(mean_of(apart * apart) + eps))
        rest = ir.maximum((apart / results[1]) * gain - shift, none) ** gamma - x
        results.append(mean_of(rest * rest))
        case.store(results[level])
        case.run(
            name,
            0,
            partial(average_near, case, wanted[level]),
            {"pixels": images * pixels},
        )


def average_near(case: Case, wanted: float) -> bool:
    """Whether the results are about right, taken together."""
    return near(whole(case.bench, case.outputs[0]).mean(dtype=float), wanted, 1e-2)


def mean_of(x: V) -> V:
    """The mean of each slice."""
    return ir.reduce(reducers.sum_("f32"), x)[0] / ir.cast(ir.count(x), "f32")


def elementwise(bench: Bench) -> None:
    """The sum of a chain of functions of evenly spaced points, and of the points alone."""
    n = sized(bench, 1 << 27)
    step = 4 * np.pi / (n - 1)
    points = np.linspace(0, 4 * np.pi, 1 << 16)
    y = np.sin(points) * np.exp(-points / 10)
    y = y * np.cos(points / 4) + 0.25 * y**2
    wanted = {"points": points.mean() * n, "elementwise": (np.tanh(y) + 0.1 * y).mean() * n}
    for name, right in wanted.items():
        case = Case(bench, (n,), ["reduce"])
        first, by = (case.draft.param(v, "f64") for v in (0.0, step))
        ten, four, quarter, tenth = (case.draft.param(v, "f32") for v in (10.0, 4.0, 0.25, 0.1))
        x = ir.cast(first + ir.cast(case.draft.index(), "f64") * by, "f32")
        if name == "elementwise":
            wave = ir.sin(x) * ir.exp(-x / ten)
            wave = wave * ir.cos(x / four) + quarter * (wave * wave)
            x = ir.tanh(wave) + tenth * wave
        case.store(ir.reduce(reducers.sum_("f32"), x)[0])
        case.run(
            name,
            0,
            partial(average_near, case, right),
            {"points": n},
        )


def nlms(bench: Bench) -> None:
    """Normalised least mean squares, 128 taps, 4096 channels, 200 steps, as one kernel."""
    taps, channels = 128, max(64, int(4096 * bench.scale))
    trips = max(5, int(200 * bench.scale**0.5))
    case = Case(bench, (taps, channels, trips), ["reduce", "parallel", "serial"])
    draft = case.draft
    zero = draft.param(0.0, "f32")
    weights = V(draft.builder, draft.builder.emit("carry", (zero.position,), "f32", 7, None))
    x = drawn(draft, draft.index(), "uniform", "f32")
    total = reducers.sum_("f32")
    wanted = ir.reduce(total, x * x)[0]
    error = wanted - ir.reduce(total, x * weights)[0]
    following = weights + 0.5 * x * (error / (ir.reduce(total, x * x)[0] + 1e-3))
    code = draft.builder.code
    code[weights.position] = ir.Instr("carry", (zero.position,), "f32", 7, following.position)
    ends = [
        V(draft.builder, draft.builder.emit("last", (v.position,), "f32", v.over & 3))
        for v in (wanted, x, following)
    ]
    rest = ends[0] - ir.reduce(total, ends[1] * ends[2])[0]
    case.store(rest, [False, True, False])

    def right() -> bool:
        w = np.zeros((taps, 4))
        for t in range(trips):
            place = np.arange(taps)[:, None] + np.arange(4) * taps + t * taps * channels
            u = draw("uniform", "f32", place, KEY, POSITION).astype(float)
            d = (u * u).sum(axis=0)
            w += 0.5 * u * ((d - (u * w).sum(axis=0)) / (d + 1e-3))
        return bool(
            np.allclose(whole(bench, case.outputs[0])[:4], d - (u * w).sum(axis=0), atol=2e-4)
        )

    steps = {"channels": channels, "trips": trips}
    bench.measure("nlms", "f32", case.request(), 0, right, lambda seconds: steps)
    bench.free(*case.outputs)


def cases(bench: Bench) -> Iterator[tuple[str, Callable[[], None]]]:
    """Every case of types that the device has."""
    for dtype in ("f32", "f64"):
        if dtype in bench.capabilities.dtypes:
            yield "vectors", lambda dtype=dtype: vectors(bench, dtype)
    yield "matrices", lambda: matrices(bench)
    yield "levels", lambda: levels(bench)
    yield "image", lambda: image(bench)
    if "f64" in bench.capabilities.dtypes:
        yield "elementwise", lambda: elementwise(bench)
    yield "nlms", lambda: nlms(bench)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=float, default=1.0, help="of the sizes")
    parser.add_argument("--save", default="", help="a file for the records, as JSON")
    parser.add_argument("--only", default="", help="names of cases")
    options = parser.parse_args()
    bench = Bench(options.scale)
    print(bench.capabilities.name, bench.capabilities.driver)
    for name, run in cases(bench):
        # the copy that the others are compared with comes first
        if not options.only or name in options.only or (name == "vectors" and not bench.copies):
            run()
    if options.save:
        save(options.save, bench.capabilities, cases=bench.records)


if __name__ == "__main__":
    main()
