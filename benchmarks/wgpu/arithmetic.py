"""Multiply-adds alone on the adapter at hand: what bounds a product of matrices in WGSL.

    python -m benchmarks.wgpu.arithmetic [--save FILE] [--trips 8192] [--groups 8192]

Threads add products of 8 x 8 numbers to as many sums, as threads of a tiled product do, but of the
same numbers in registers all the time: no memory is read, nothing is shared, nobody waits. The sums
are known, and checked.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import attrs
import numpy as np
from runmat_wgpu import WgpuProvider
from runmat_wgpu.codegen.shader import Bind, Dispatch, Prepared, Shader
from runmat_wgpu.device.plans import Compiled

from benchmarks.wgpu.records import save
from runmat_core.api.device import (
    Addressing,
    AllocateRequest,
    DownloadRequest,
    Executable,
    ExecuteRequest,
    Launch,
    StartRequest,
    SynchronizeRequest,
)
from runmat_core.api.ir import LibraryCall

SIDE, UNROLL, THREADS = 8, 8, 64
WIDTH = {"f32": 4, "f64": 2}


@attrs.frozen
class MultiplyAdds:
    """A kernel of that many trips through the loop, in that many workgroups."""

    dtype: str
    trips: int
    groups: int

    @property
    def flops(self) -> float:
        return 2.0 * SIDE * SIDE * self.trips * self.groups * THREADS

    @property
    def source(self) -> str:
        """WGSL; every sum grows by one half in each trip."""
        many, type_ = WIDTH[self.dtype], self.dtype
        vector = f"vec{many}<{type_}>"
        sums = [(r, j) for j in range(SIDE) for r in range(SIDE // many)]
        lines = [f"let f{k} = {type_}(p.zero) + {type_}({k + 1});" for k in range(SIDE)]
        # a half each, but no two the same to the compiler, which would compute only one of them
        halves = [f"{type_}(0.5) + {type_}(p.zero * {k}u)" for k in range(1, SIDE + 1)]
        for r in range(SIDE // many):
            lines.append(f"let v{r} = {vector}({', '.join(halves[r * many : (r + 1) * many])});")
        lines += [f"var c{r}_{j} = {vector}();" for r, j in sums]
        lines.append(f"for (var l = 0u; l < p.trips; l += {UNROLL}u) {{")
        for _ in range(UNROLL):
            lines += [f"c{r}_{j} += v{r} * f{j};" for r, j in sums]
        total = " + ".join(f"c{r}_{j}" for r, j in sums)
        lines += ["}", f"b0[group.x * {THREADS}u + thread] = dot({total}, {vector}({type_}(1)));"]
        words = "struct P { zero: u32, trips: u32, pad0: u32, pad1: u32 }"
        return "\n".join(
            [
                f"{words}\n@group(1) @binding(0) var<uniform> p: P;",
                f"@group(0) @binding(0) var<storage, read_write> b0: array<{type_}>;",
                f"@compute @workgroup_size({THREADS})",
                "fn main(@builtin(workgroup_id) group: vec3<u32>,",
                "        @builtin(local_invocation_index) thread: u32) {",
                *lines,
                "}",
            ]
        )

    def prepare(self, extents: tuple[int, ...], views: tuple[Addressing, ...]) -> Prepared:
        words = np.array([0, self.trips, 0, 0], np.uint32).tobytes()
        shader = Shader(self.source, ("write",), 16)
        return Prepared((Dispatch(shader, (self.groups, 1, 1), (Bind("slot"),), words),))


def measure(provider: WgpuProvider, kernel: MultiplyAdds) -> dict[str, Any]:
    """Time it, the least of a few, and check one sum of every thread."""
    unit = Executable(
        LibraryCall("arithmetic", (kernel.dtype,)),
        "wgpu",
        Compiled(LibraryCall("arithmetic", (kernel.dtype,)), kernel),
    )
    count = kernel.groups * THREADS
    (out,) = provider.allocate(AllocateRequest(arrays=(((count, 1), kernel.dtype),)))
    request = ExecuteRequest(steps=(Launch(unit, (0,), (count,)),), slots=(out,))
    seconds = []
    for _ in range(8):
        started = time.perf_counter()
        provider.execute(request)
        provider.synchronize(SynchronizeRequest())
        seconds.append(time.perf_counter() - started)
    (data,) = provider.download(DownloadRequest(arrays=(out,))).arrays
    wanted = kernel.trips * 0.5 * SIDE * sum(range(1, SIDE + 1))
    return {
        "dtype": kernel.dtype,
        "ms": min(seconds) * 1e3,
        "TFLOP/s": kernel.flops / min(seconds) * 1e-12,
        "right": bool(np.allclose(data, wanted, rtol=1e-6)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--save", default="", help="a file for the record, as JSON")
    parser.add_argument("--trips", type=int, default=1 << 13, help="of the loop in each thread")
    parser.add_argument("--groups", type=int, default=1 << 13, help="workgroups of 64 threads")
    options = parser.parse_args()
    provider = WgpuProvider()
    found = provider.capabilities(StartRequest(name="wgpu"))
    assert found is not None, "no adapter"
    print(found.name, found.driver)
    records = []
    for dtype in ("f32", "f64"):
        if dtype in found.dtypes:
            records.append(measure(provider, MultiplyAdds(dtype, options.trips, options.groups)))
            print(*(f"{k} {v:.4g}" if isinstance(v, float) else v for k, v in records[-1].items()))
    if options.save:
        save(options.save, found, records=records)


if __name__ == "__main__":
    main()
