"""Library calls on the adapter at hand: sorting, linear algebra, signals, beside PyTorch.

    python -m benchmarks.wgpu.libraries [--scale 1.0] [--only sorting linear ...] [--save FILE]

Times are medians over repetitions of one launch and a wait for it (``ms``), and of several launches
and one wait, per launch (``in a row ms``): a wait takes longer through Vulkan than with CUDA.
Results are checked. The record is written after each family, so that one cut short keeps what it
has.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from runmat_wgpu import WgpuProvider

from benchmarks.wgpu.records import save
from runmat_core.api.device import (
    AllocateRequest,
    CompileRequest,
    DownloadRequest,
    ExecuteRequest,
    FreeRequest,
    Launch,
    StartRequest,
    SynchronizeRequest,
    UploadRequest,
)
from runmat_core.api.ir import LibraryCall

#: Timed runs, and those of PyTorch on the CPU, which take long and are there for scale.
REPETITIONS, FEW = 9, 3
#: Launches in a row.
ROW = 8


def timed(
    work: Callable[[], Any], wait: Callable[[], Any], repetitions: int = REPETITIONS
) -> float:
    """Median milliseconds, after two runs that warm up."""
    found = []
    for k in range(repetitions + 2):
        started = time.perf_counter()
        work()
        wait()
        if k > 1:
            found.append((time.perf_counter() - started) * 1e3)
    return statistics.median(found)


def both_ways(
    work: Callable[[], Any], wait: Callable[[], Any], repetitions: int = REPETITIONS
) -> tuple[float, float]:
    """Median milliseconds of a launch and a wait, and of one of several launches in a row."""

    def several() -> None:
        for _ in range(ROW):
            work()

    return timed(work, wait, repetitions), timed(several, wait, repetitions) / ROW


def called(
    provider: WgpuProvider,
    call: LibraryCall,
    data: Any,
    outputs: Sequence[tuple[tuple[int, ...], str]],
    *more: Any,
    extents: tuple[int, ...] = (),
) -> tuple[dict[str, Any], list[Any]]:
    """Milliseconds of a library call on arrays, see `both_ways`, and its outputs.

    Args:
        extents: of the launch, where they are not those of the inputs.

    Raises:
        AssertionError: the call guards, and its bit was set.
    """
    (executable,) = provider.compile(CompileRequest(units=(call,)))
    assert executable is not None
    inputs = (data, *more)
    sources = provider.upload(UploadRequest(arrays=(*inputs, np.zeros((1, 1), np.uint32))))
    made = provider.allocate(AllocateRequest(arrays=tuple(outputs)))
    slots = (*sources[:-1], *made)
    extents = extents or tuple([extent for array in inputs for extent in array.shape])
    launch = Launch(executable, tuple(range(len(slots))), extents)
    status = sources[-1] if call.guards else None
    request = ExecuteRequest(steps=(launch,), slots=(*slots, sources[-1]), status=status)
    alone, row = both_ways(
        lambda: provider.execute(request), lambda: provider.synchronize(SynchronizeRequest())
    )
    found = provider.download(DownloadRequest(arrays=made, status=status))
    assert not found.status, f"{call.name} asks for the host"
    provider.free(FreeRequest(arrays=(*sources, *made)))
    return {"ms": alone, "in a row ms": row}, list(found.arrays)


def sorting(provider: WgpuProvider, size: int, dtype: str) -> dict[str, Any]:
    kind = np.float32 if dtype == "f32" else np.float64
    x = np.random.default_rng(1).normal(size=(size, 1)).astype(kind)
    call = LibraryCall("sort", (dtype, dtype), (("axis", 0),))
    spent, (y,) = called(provider, call, x, [(x.shape, dtype)])
    record: dict[str, Any] = {"case": f"sort {dtype} {size}"} | spent
    record["right"] = bool(np.array_equal(y, np.sort(x, axis=0)))
    call = LibraryCall("sort", (dtype, dtype, "f64"), (("axis", 0),))
    spent, _ = called(provider, call, x, [(x.shape, dtype), (x.shape, "f64")])
    record |= {f"with places {name}": value for name, value in spent.items()}
    return record | beside(lambda torch, t: torch.sort(t), x.ravel())


def factors(provider: WgpuProvider, shape: tuple[int, int], dtype: str) -> dict[str, Any]:
    m, n = shape
    kind = np.float32 if dtype == "f32" else np.float64
    a = np.asfortranarray(np.random.default_rng(2).normal(size=shape).astype(kind))
    call = LibraryCall("qr", (dtype,) * 3, (("q", True),))
    spent, (q, r) = called(provider, call, a, [((m, n), dtype), ((n, n), dtype)])
    error = float(np.linalg.norm(q.astype(float) @ r - a) / np.linalg.norm(a))
    record: dict[str, Any] = {"case": f"qr {dtype} {m}x{n}", **spent, "error": error}
    return record | beside(lambda torch, t: torch.linalg.qr(t), np.ascontiguousarray(a))


def linear(provider: WgpuProvider, scale: float, dtype: str) -> list[dict[str, Any]]:
    """Factors, solutions and singular values, with backward errors."""
    rng, kind = np.random.default_rng(3), np.float32 if dtype == "f32" else np.float64
    n, half, records = int(2048 * scale), int(1024 * scale), []

    def case(name: str, call: str, inputs: Sequence[Any], out: tuple[int, int]) -> tuple[Any, Any]:
        unit = LibraryCall(call, (dtype,) * (len(inputs) + 1), guards=True)
        spent, (found,) = called(provider, unit, inputs[0], [(out, dtype)], *inputs[1:])
        records.append({"case": f"{call} {dtype} {name}", **spent})
        return records[-1], found.astype(float)

    x = rng.normal(size=(n, n))
    a = np.asfortranarray((x @ x.T / n + np.eye(n)).astype(kind))
    record, r = case(f"{n}", "chol", (a,), (n, n))
    record["error"] = float(np.linalg.norm(r.T @ r - a) / np.linalg.norm(a))
    record |= beside(lambda torch, t: torch.linalg.cholesky(t), np.ascontiguousarray(a))
    a = np.asfortranarray((x + np.sqrt(n) * 3 * np.eye(n)).astype(kind))
    b = np.asfortranarray(rng.normal(size=(n, 16)).astype(kind))
    record, r = case(f"{n}, 16 right", "solve", (a, b), (n, 16))
    record["error"] = float(np.linalg.norm(a @ r - b) / np.linalg.norm(a) / np.linalg.norm(r))
    both = np.ascontiguousarray(np.hstack([a, b]))
    record |= beside(lambda torch, t: torch.linalg.solve(t[:, :n], t[:, n:]), both)
    a = np.asfortranarray(a[:half, :half])
    record, r = case(f"{half}", "inv", (a,), (half, half))
    size = np.linalg.norm(a) * np.linalg.norm(r)
    record["error"] = float(np.linalg.norm(a @ r - np.eye(half)) / size)
    record |= beside(lambda torch, t: torch.linalg.inv(t), np.ascontiguousarray(a))
    a = np.asfortranarray(rng.normal(size=(512, 128)).astype(kind))
    record, r = case("512x128", "svd", (a,), (128, 1))
    values = np.linalg.svd(a.astype(float), compute_uv=False)
    record["error"] = float(abs(r[:, 0] - values).max() / values[0])
    record |= beside(lambda torch, t: torch.linalg.svdvals(t), np.ascontiguousarray(a))
    return records


def transforms(provider: WgpuProvider, scale: float, dtype: str) -> list[dict[str, Any]]:
    """Transforms of complex arrays, with errors relative to the norm, in rounding units."""
    rng, records = np.random.default_rng(4), []
    whole, kind = ("c64", np.complex64) if dtype == "f32" else ("c128", np.complex128)
    long, side = 1 << 20, 1 << 10
    if scale < 1:
        long, side = 1 << 16, 1 << 8
    shapes: list[tuple[tuple[int, int], tuple[int, ...]]] = [
        ((long, 1), (0,)),
        ((long * 16, 1), (0,)),
        ((side, 4 * side), (0,)),
        ((4 * side, side), (1,)),
        ((2 * side, 2 * side), (0, 1)),
        ((10007, 64), (0,)),
    ]
    for shape, axes in shapes:
        data = rng.normal(size=(2, *shape))
        x = np.asfortranarray((data[0] + 1j * data[1]).astype(kind))
        call = LibraryCall("fft", (whole, whole), (("axes", axes),))
        spent, (y,) = called(provider, call, x, [(shape, whole)], extents=shape * 2)
        exact = np.fft.fftn(x.astype(np.complex128), axes=axes)
        error = np.linalg.norm(y - exact) / np.linalg.norm(exact) / np.finfo(kind).eps
        name = f"fft {whole} {shape[0]}x{shape[1]} along {axes}"
        record: dict[str, Any] = {"case": name, **spent, "error": float(error)}
        # PyTorch's arrays are row-major: the transpose has the same elements in the same order
        turned = tuple(1 - axis for axis in axes)
        records.append(record | beside(partial(_transformed, turned), x.T))
    return records


def _transformed(axes: tuple[int, ...], torch: Any, t: Any) -> Any:
    return torch.fft.fftn(t, dim=axes)


def convolutions(provider: WgpuProvider, scale: float, dtype: str) -> list[dict[str, Any]]:
    """Convolutions and filters, with the greatest errors."""
    from scipy.signal import lfilter, oaconvolve

    rng, records = np.random.default_rng(5), []
    kind = np.float32 if dtype == "f32" else np.float64
    side = int(4096 * scale)
    shapes = [((side, side), (3, 3)), ((side, side), (15, 15)), ((side * side, 1), (101, 1))]
    for n, m in shapes:
        a, b = (np.asfortranarray(rng.normal(size=s).astype(kind)) for s in (n, m))
        call = LibraryCall("conv", (dtype,) * 3, (("part", "same"),))
        spent, (c,) = called(provider, call, a, [(n, dtype)], b)
        exact = oaconvolve(a.astype(float), b.astype(float), mode="same")
        name = f"conv {dtype} {n[0]}x{n[1]}, {m[0]}x{m[1]}"
        records.append({"case": name, **spent, "error": float(abs(c - exact).max())})
    lines = max(int(20_000 * scale), 1)
    x = np.asfortranarray(rng.normal(size=(4096, lines)).astype(kind))
    b, a = (np.array([v], kind) for v in ([0.2, 0.4, 0.2], [1.0, -0.6, 0.3]))
    call = LibraryCall("filter", (dtype,) * 4, (("axis", 0), ("recursive", True)))
    spent, (y,) = called(provider, call, b, [(x.shape, dtype)], a, x, extents=(3, 3, *x.shape))
    exact = lfilter(b[0].astype(float), a[0].astype(float), x.astype(float), axis=0)
    name = f"filter {dtype} 4096x{lines}, order 2"
    records.append({"case": name, **spent, "error": float(abs(y - exact).max())})
    return records


def beside(work: Callable[[Any, Any], Any], data: Any) -> dict[str, float]:
    """Milliseconds of the same in PyTorch, on the GPU and on the CPU, where it is installed."""
    try:
        import torch
    except ImportError:
        return {}
    found: dict[str, float] = {}
    for place in ("cuda", "cpu"):
        if place == "cuda" and not torch.cuda.is_available():
            continue
        tensor = torch.from_numpy(data).to(place)
        wait = torch.cuda.synchronize if place == "cuda" else (lambda: None)
        if place == "cuda":
            alone, row = both_ways(partial(work, torch, tensor), wait)
            found |= {"torch cuda ms": alone, "torch cuda in a row ms": row}
        else:
            found["torch cpu ms"] = timed(partial(work, torch, tensor), wait, FEW)
    return found


def families(provider: WgpuProvider, scale: float) -> dict[str, Callable[[], list[dict[str, Any]]]]:
    """What is measured, by name."""
    size, both = int(10_000_000 * scale), ("f32", "f64")
    shapes = [(512, 8), (1024, 8), (20_000, 16), (4096, 256)]
    tall = [(max(int(rows * scale), columns), columns) for rows, columns in shapes]
    return {
        "sorting": lambda: [sorting(provider, size, dtype) for dtype in both],
        "factors": lambda: [factors(provider, one, dtype) for one in tall for dtype in both],
        "linear": lambda: [one for dtype in both for one in linear(provider, scale, dtype)],
        "transforms": lambda: [one for dtype in both for one in transforms(provider, scale, dtype)],
        "convolutions": lambda: [
            one for dtype in both for one in convolutions(provider, scale, dtype)
        ],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--only", nargs="+", help="families: sorting, factors, linear, …")
    parser.add_argument("--save")
    chosen = parser.parse_args()
    provider = WgpuProvider()
    capabilities = provider.capabilities(StartRequest(name="wgpu"))
    assert capabilities is not None, "no adapter"
    records: list[dict[str, Any]] = []
    for name, family in families(provider, chosen.scale).items():
        if chosen.only and name not in chosen.only:
            continue
        made = family()
        records += made
        for record in made:
            shown = [f"{k} {v:.4g}" if isinstance(v, float) else str(v) for k, v in record.items()]
            print("  ".join(shown), flush=True)
        if chosen.save:
            save(chosen.save, capabilities, records=records)


if __name__ == "__main__":
    main()
