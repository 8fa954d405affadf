"""Multiply-adds alone on the adapter at hand: what bounds a product of matrices in WGSL.

    python -m benchmarks.wgpu.arithmetic [--save FILE] [--trips 8192] [--groups 4096]

Threads add products of 8 x 8 numbers to as many sums, as threads of a tiled product do. In one
kernel the factors are the same ones in registers all the time: no memory is read, and nobody waits.
In the other they are read from shared memory for each step, as those of a tile of 128 x 64 are, and
still nothing comes from arrays, and nobody waits. The sums are known, and checked.
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

SIDE, UNROLL, THREADS = 8, 8, 128
#: Threads side by side along the rows of a tile, and along its columns.
WIDE, HIGH = 16, 8
WIDTH = {"f32": 4, "f64": 2}


@attrs.frozen
class MultiplyAdds:
    """A kernel of that many trips through the loop, in that many workgroups.

    Attributes:
        shared: the factors are read from shared memory.
    """

    dtype: str
    trips: int
    groups: int
    shared: bool

    @property
    def flops(self) -> float:
        return 2.0 * SIDE * SIDE * self.trips * self.groups * THREADS

    @property
    def vector(self) -> str:
        return f"vec{WIDTH[self.dtype]}<{self.dtype}>"

    @property
    def source(self) -> str:
        """WGSL; every sum grows by half the number of its column in each trip."""
        many, vectors = WIDTH[self.dtype], SIDE // WIDTH[self.dtype]
        sums = [(r, j) for j in range(SIDE) for r in range(vectors)]
        adds = [f"c{r}_{j} += fa{r} * fb{j // many}.{'xyzw'[j % many]};" for r, j in sums]
        total = " + ".join(f"c{r}_{j}" for r, j in sums)
        tiles = [
            f"var<workgroup> tile_{name}: array<array<{self.vector}, {side * vectors}>, {UNROLL}>;"
            for name, side in (("a", WIDE), ("b", HIGH))
        ]
        trip = [line for step in range(UNROLL) for line in ("{", *self._read(step), *adds, "}")]
        return "\n".join(
            [
                "struct P { zero: u32, trips: u32, pad0: u32, pad1: u32 }",
                "@group(1) @binding(0) var<uniform> p: P;",
                f"@group(0) @binding(0) var<storage, read_write> b0: array<{self.dtype}>;",
                *(tiles if self.shared else ()),
                f"@compute @workgroup_size({THREADS})",
                "fn main(@builtin(workgroup_id) group: vec3<u32>,",
                "        @builtin(local_invocation_index) t: u32) {",
                *[f"var c{r}_{j} = {self.vector}();" for r, j in sums],
                *(self._filled() if self.shared else self._constant()),
                f"for (var l = 0u; l < p.trips; l += {UNROLL}u) {{",
                # to the compiler another place in each trip
                "let at = l * p.zero;",
                *(trip if self.shared else adds * UNROLL),
                "}",
                f"b0[group.x * {THREADS}u + t] = dot({total}, {self.vector}({self.dtype}(1)));",
                "}",
            ]
        )

    def _numbers(self, q: int) -> list[str]:
        """The factors of the columns of a vector: each has its number."""
        many = WIDTH[self.dtype]
        return [f"{self.dtype}({q * many + e + 1})" for e in range(many)]

    def _constant(self) -> list[str]:
        """Factors in registers, no two the same to the compiler: it would compute only one."""
        lines, many = [], WIDTH[self.dtype]
        for r in range(SIDE // many):
            unknown = [f"{self.dtype}(p.zero * {r * many + e}u)" for e in range(many)]
            halves = ", ".join(f"{self.dtype}(0.5) + {nought}" for nought in unknown)
            numbers = ", ".join(map(" + ".join, zip(self._numbers(r), unknown, strict=True)))
            lines.append(f"let fa{r} = {self.vector}({halves});")
            lines.append(f"let fb{r} = {self.vector}({numbers});")
        return lines

    def _filled(self) -> list[str]:
        """Factors in shared memory, read as those of a product are: by eight threads by four."""
        lines = []
        for k in range(UNROLL):
            for r in range(SIDE // WIDTH[self.dtype]):
                numbers = ", ".join(self._numbers(r))
                lines.append(f"tile_a[{k}][t % {WIDE}u + {WIDE * r}u] = {self.vector}(0.5);")
                lines.append(f"tile_b[{k}][t / {WIDE}u + {HIGH * r}u] = {self.vector}({numbers});")
        return [
            *lines,
            "let x = t % 8u + (t / 32u) % 2u * 8u;",
            "let y = (t / 8u) % 4u + t / 64u * 4u;",
            "workgroupBarrier();",
        ]

    def _read(self, step: int) -> list[str]:
        vectors = range(SIDE // WIDTH[self.dtype])
        return [
            *[f"let fa{r} = tile_a[{step}][at + x + {WIDE * r}u];" for r in vectors],
            *[f"let fb{r} = tile_b[{step}][at + y + {HIGH * r}u];" for r in vectors],
        ]

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
        "factors": "shared memory" if kernel.shared else "registers",
        "ms": min(seconds) * 1e3,
        "TFLOP/s": kernel.flops / min(seconds) * 1e-12,
        "right": bool(np.allclose(data, wanted, rtol=1e-6)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--save", default="", help="a file for the record, as JSON")
    parser.add_argument("--trips", type=int, default=1 << 13, help="of the loop in each thread")
    parser.add_argument("--groups", type=int, default=1 << 12, help="workgroups of 128 threads")
    options = parser.parse_args()
    provider = WgpuProvider()
    found = provider.capabilities(StartRequest(name="wgpu"))
    assert found is not None, "no adapter"
    print(found.name, found.driver)
    records = []
    for dtype in ("f32", "f64"):
        for shared in (False, True) if dtype in found.dtypes else ():
            kernel = MultiplyAdds(dtype, options.trips, options.groups, shared)
            records.append(measure(provider, kernel))
            print(*(f"{k} {v:.4g}" if isinstance(v, float) else v for k, v in records[-1].items()))
    if options.save:
        save(options.save, found, records=records)


if __name__ == "__main__":
    main()
