"""Products of matrices on the adapter at hand, beside PyTorch.

    python -m benchmarks.wgpu.products [--save FILE] [--variants] [--seconds 110] [--scale 1.0]

Each time is that of one launch among many in one submission, the least of a few repetitions.
Results are compared with NumPy's, in double precision, on random rows and columns. With
``--variants`` every shape of tile is tried, and what else tuning can change; a column ``tuned``
says by which numbers (`runmat_wgpu.codegen.products.tiles.TUNED`).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from typing import Any

import attrs
import numpy as np
from runmat_wgpu import WgpuProvider
from runmat_wgpu.codegen.products import template
from runmat_wgpu.codegen.products.tiles import TILES, Tile
from runmat_wgpu.device.plans import Compiled

from benchmarks.wgpu.records import save
from runmat_core.api.device import (
    AllocateRequest,
    DownloadRequest,
    Executable,
    ExecuteRequest,
    FreeRequest,
    Launch,
    StartRequest,
    SynchronizeRequest,
    UploadRequest,
)
from runmat_core.api.ir import LibraryCall

Tuned = tuple[tuple[str, int], ...]


@attrs.frozen
class Case:
    """A product of (m x k) * (k x n).

    Attributes:
        flags: of `LibraryCall.attributes`: ``trans_a``, ``trans_b``, ``syrk``, ``centre``.
    """

    name: str
    dtype: str
    size: tuple[int, int, int]
    flags: tuple[str, ...] = ()

    @property
    def flops(self) -> float:
        """Operations that the result takes; a symmetric product counts in full, as elsewhere."""
        m, n, k = self.size
        return 2.0 * m * n * k

    @property
    def bytes(self) -> float:
        m, n, k = self.size
        inputs = k * (m + (0 if "syrk" in self.flags else n))
        return float(inputs + m * n) * (4 if self.dtype == "f32" else 8)

    def call(self) -> LibraryCall:
        inputs = 1 if "syrk" in self.flags else 2
        flags = tuple(sorted((flag, True) for flag in self.flags))
        return LibraryCall("matmul", (self.dtype,) * (inputs + 1), flags)


CASES = (
    *(Case(f"sgemm {n}", "f32", (n, n, n)) for n in (1000, 1024, 2048, 4096, 8192)),
    Case("sgemm 4096, A'*B", "f32", (4096, 4096, 4096), ("trans_a",)),
    Case("sgemm 4096, A*B'", "f32", (4096, 4096, 4096), ("trans_b",)),
    Case("sgemm 4095", "f32", (4095, 4095, 4095)),
    Case("ssyrk 80000x512", "f32", (512, 512, 80000), ("syrk", "trans_a")),
    Case("ssyrk 20000x1024", "f32", (1024, 1024, 20000), ("syrk", "trans_a")),
    Case("A'*B 80000x512 512x512", "f32", (512, 512, 80000), ("trans_a",)),
    Case("A*B 80000x512 512x512", "f32", (80000, 512, 512)),
    Case("G*Q 512x512 512x8", "f32", (512, 8, 512)),
    Case("G*Q 1024x1024 1024x8", "f32", (1024, 8, 1024)),
    Case("Q'*B 512x8 512x8", "f32", (8, 8, 512), ("trans_a",)),
    Case("A*Q 80000x512 512x8", "f32", (80000, 8, 512)),
    Case("A'*Y 80000x512 80000x8", "f32", (512, 8, 80000), ("trans_a",)),
    Case("A*x 8192", "f32", (8192, 1, 8192)),
    Case("A'*x 8192", "f32", (8192, 1, 8192), ("trans_a",)),
    Case("x*y' 8192", "f32", (8192, 8192, 1), ("trans_b",)),
    Case("x'*y 10^7", "f32", (1, 1, 10_000_000), ("trans_a",)),
    *(Case(f"dgemm {n}", "f64", (n, n, n)) for n in (2048, 4096)),
    Case("dsyrk 80000x512", "f64", (512, 512, 80000), ("syrk", "trans_a")),
    Case("A*x 8192, double", "f64", (8192, 1, 8192)),
)


class Bench:
    """A provider, and arrays on its device.

    Args:
        scale: of all extents.
        seconds: after which no further measurement begins.
        hardware: choose forms as for a GPU even where the adapter is emulated.
    """

    def __init__(self, scale: float, seconds: float, hardware: bool = False) -> None:
        self.scale = scale
        self.provider = WgpuProvider()
        self.capabilities = self.provider.capabilities(StartRequest(name="wgpu"))
        assert self.capabilities is not None, "no adapter"
        self.target = self.provider.device()._target
        if hardware:
            self.target = attrs.evolve(self.target, software=False)
        self.end = time.perf_counter() + seconds
        self._data: dict[Any, Any] = {}

    @property
    def late(self) -> bool:
        return time.perf_counter() > self.end

    def scaled(self, case: Case) -> Case:
        m, n, k = (n if n <= 8 else max(8, round(n * self.scale)) for n in case.size)
        return attrs.evolve(case, size=(m, n, k))

    def inputs(self, case: Case) -> list[Any]:
        """Host arrays and handles, kept for the next case of the same sizes."""
        m, n, k = case.size
        shapes = [(k, m) if "trans_a" in case.flags else (m, k)]
        if "syrk" not in case.flags:
            shapes.append((n, k) if "trans_b" in case.flags else (k, n))
        kind = np.float32 if case.dtype == "f32" else np.float64
        found = []
        for number, shape in enumerate(shapes):
            key = (number, shape, case.dtype)
            if key not in self._data:
                rng = np.random.default_rng(number)
                flat = rng.random(shape[0] * shape[1], dtype=kind)
                host = (flat - kind(0.5)).reshape(shape, order="F")
                (handle,) = self.provider.upload(UploadRequest(arrays=(host,)))
                self._data[key] = (host, handle)
            found.append(self._data[key])
        return found

    def forget(self) -> None:
        """Give all inputs back."""
        self.provider.free(FreeRequest(arrays=tuple(h for _, h in self._data.values())))
        self._data.clear()

    def measure(self, case: Case, tuned: Tuned = (), check: bool = True) -> dict[str, Any]:
        """One line of a table."""
        case, call = self.scaled(case), case.call()
        record: dict[str, Any] = {"case": case.name, "tuned": dict(tuned)}
        made = template(call, attrs.evolve(self.target, tuned=tuned))
        unit = Executable(call, "wgpu", Compiled(call, made))
        data = self.inputs(case)
        m, n, _ = case.size
        (out,) = self.provider.allocate(AllocateRequest(arrays=(((m, n), case.dtype),)))
        launch = Launch(unit, tuple(range(len(data) + 1)), case.size)
        slots = (*(handle for _, handle in data), out)
        started = time.perf_counter()
        self._run(launch, slots, 1)
        record["first_s"] = time.perf_counter() - started
        record["ms"] = 1e3 * least(lambda count: self._run(launch, slots, count))
        record["tflops"] = case.flops / record["ms"] * 1e-9
        record["gb_s"] = case.bytes / record["ms"] * 1e-6
        if check:
            (c,) = self.provider.download(DownloadRequest(arrays=(out,))).arrays
            record["error"] = error(case, [host for host, _ in data], c)
        self.provider.free(FreeRequest(arrays=(out,)))
        return record

    def _run(self, launch: Launch, slots: tuple[Any, ...], count: int) -> None:
        self.provider.execute(ExecuteRequest(steps=(launch,) * count, slots=slots))
        self.provider.synchronize(SynchronizeRequest())


def least(run: Callable[[int], Any]) -> float:
    """Seconds of one of many in a row: the least of three such rows, after one to warm up."""
    started = time.perf_counter()
    run(2)
    count = int(min(128, max(2, 0.02 / max(1e-7, (time.perf_counter() - started) / 2))))
    run(count)
    found = []
    for _ in range(3):
        started = time.perf_counter()
        run(count)
        found.append((time.perf_counter() - started) / count)
    return min(found)


def error(case: Case, hosts: list[Any], c: Any) -> float:
    """The largest error on sampled rows and columns, over the largest element of the sample."""
    rng = np.random.default_rng(5)
    m, n, _ = case.size
    rows, columns = (np.unique(rng.integers(0, extent, 48)) for extent in (m, n))
    a, b = hosts[0], hosts[-1]
    left = (a[:, rows].T if "trans_a" in case.flags else a[rows]).astype(float)
    right = (b[columns].T if "trans_b" in case.flags else b[:, columns]).astype(float)
    exact = left @ right
    worst: float = np.abs(c[np.ix_(rows, columns)] - exact).max() / np.abs(exact).max()
    return float(worst) if np.isfinite(worst) else float("inf")


def beside(case: Case) -> dict[str, float]:
    """The same in PyTorch on the GPU, in full single or double precision, where there is one."""
    try:
        import torch
    except ImportError:
        return {}
    if not torch.cuda.is_available():
        return {}
    torch.backends.cuda.matmul.allow_tf32 = False
    m, n, k = case.size
    kind = torch.float32 if case.dtype == "f32" else torch.float64
    # column-major matrices are the transposes of torch's: C' = B' * A'
    a = torch.rand((m, k) if "trans_a" in case.flags else (k, m), dtype=kind, device="cuda")
    a = (a.T if "trans_a" in case.flags else a) - 0.5
    if "syrk" in case.flags:
        b = a.T
    else:
        b = torch.rand((k, n) if "trans_b" in case.flags else (n, k), dtype=kind, device="cuda")
        b = (b.T if "trans_b" in case.flags else b) - 0.5
    out = torch.empty((n, m), dtype=kind, device="cuda")

    def run(count: int) -> None:
        for _ in range(count):
            torch.matmul(b, a, out=out)
        torch.cuda.synchronize()

    return {"torch_ms": 1e3 * least(run)}


# -- variants -------------------------------------------------------------------------------------


def shape_text(tile: Tile) -> str:
    marks = ("ahead " if tile.ahead else "") + ("double" if tile.double else "")
    size = f"{tile.rows}x{tile.columns}x{tile.depth}"
    return f"{size} by {tile.down}x{tile.across} {marks}".strip()


def of_tile(dtype: str, number: int) -> Tuned:
    """Tuning that leaves no other choice."""
    letter = "s" if dtype == "f32" else "d"
    names = ("gemm.tile", "gemm.small", "gemm.middle", "syrk.tile", "gemm.tall", "gemm.broad")
    return tuple(sorted((letter + name, number) for name in names))


def variants() -> Iterator[tuple[str, Case, Tuned]]:
    """What to try, the most telling first: a note, the case, and the tuning."""
    by_name = {case.name: case for case in CASES}
    for name in ("sgemm 4096", "ssyrk 80000x512", "dgemm 2048"):
        yield from shapes(by_name[name])
    for name in ("sgemm 1024", "sgemm 4096", "sgemm 4095", "sgemm 4096, A'*B", "dgemm 2048"):
        yield "copied factors", by_name[name], (("gemm.pack", 512),)
    for panel in (1, 4, 16, 32):
        yield f"panel {panel}", by_name["sgemm 8192"], (("gemm.panel", panel),)
    for units in (33, 66, 264, 528):
        for name in ("sgemm 1024", "ssyrk 80000x512", "A'*Y 80000x512 80000x8"):
            yield f"units {units}", by_name[name], (("gemm.units", units),)
    yield from shapes(by_name["sgemm 4096, A*B'"])


def shapes(case: Case) -> Iterator[tuple[str, Case, Tuned]]:
    """Every shape of tile."""
    for number, tile in enumerate(TILES[case.dtype]):
        if "syrk" not in case.flags or tile.rows == tile.columns:
            yield f"{number}: {shape_text(tile)}", case, of_tile(case.dtype, number)


def told(note: str, record: dict[str, Any]) -> str:
    """A line of the table."""
    line = f"{record['case']:24} {note:33} {record['ms']:9.3f} ms {record['tflops']:7.2f} TFLOP/s"
    line += f" {record['gb_s']:7.0f} GB/s  first {record['first_s']:.2f} s"
    if "error" in record:
        line += f"  error {record['error']:.1e}"
    if "torch_ms" in record:
        line += f"  torch {record['torch_ms']:.3f} ms, {record['torch_ms'] / record['ms']:.2f} x"
    return line


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--save", help="write all records to this file, as JSON")
    parser.add_argument("--variants", action="store_true")
    parser.add_argument("--seconds", type=float, default=110.0)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--hardware", action="store_true", help="take no emulated adapter as such")
    chosen = parser.parse_args()
    bench = Bench(chosen.scale, chosen.seconds, chosen.hardware)
    assert bench.capabilities is not None
    print(bench.capabilities.name, flush=True)
    records = []
    work = [("", case, ()) for case in CASES]
    previous = None
    for note, case, tuned in work + (list(variants()) if chosen.variants else []):
        if bench.late:
            print(f"no time for {case.name} {note}")
            continue
        if case != previous:
            bench.forget()
        previous = case
        shape = [TILES[case.dtype][number] for name, number in tuned if name.endswith("gemm.tile")]
        if shape and not shape[0].fits(case.dtype, bench.target):
            print(f"{case.name:24} {note:33} does not fit")
            continue
        try:
            record = bench.measure(case, tuned)
        except Exception as problem:  # a shape that this device cannot run is a line, not the end
            print(f"{case.name:24} {note:33} {type(problem).__name__}: {str(problem)[:200]}")
            continue
        record |= {"note": note} if note else beside(bench.scaled(case))
        records.append(record)
        print(told(note, record), flush=True)
    if chosen.save:
        save(chosen.save, bench.capabilities, records=records)


if __name__ == "__main__":
    main()
