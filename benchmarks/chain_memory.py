"""Peak memory of ten operations on 1e8 singles: input, output and a few blocks, no temporaries.

    python -m benchmarks.chain_memory [elements]

Runs y = 0.5 * tanh(exp(-|x|) * sin(x) + cos(x)) - x as one kernel on the in-process provider,
then as NumPy statements, each in a process of its own, and prints what each held at its peak beyond
what it held before, having run with few elements first.
Exits with 1 if the kernel needed more than its input and output and 32 MB.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from typing import Any

import numpy as np

ELEMENTS = 100_000_000
ROOM = 32 << 20
#: Elements of the array that everything is warmed up with.
FEW = 1 << 20


def peak() -> int:
    """Most bytes that this process has held."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def sample(size: int) -> Any:
    x = np.empty((size, 1), np.float32, order="F")
    for start in range(0, size, 1 << 20):  # arange as a whole would be the peak itself
        part = x[start : start + (1 << 20)]
        part[:, 0] = np.arange(len(part), dtype=np.float32) * np.float32(1e-6)
    return x


def chain() -> Any:
    """The kernel, and what runs it: a function of the input that returns the output."""
    from runmat_inprocess import InprocessProvider

    from runmat_core.api import ir
    from runmat_core.api.device import (
        Addressing,
        AllocateRequest,
        CompileRequest,
        DownloadRequest,
        ExecuteRequest,
        Launch,
        StartRequest,
        UploadRequest,
    )

    builder = ir.Builder()
    x = ir.V(builder, builder.emit("load", (), "f32", 1, 0))
    y = 0.5 * ir.tanh(ir.exp(-abs(x)) * ir.sin(x) + ir.cos(x)) - x
    builder.emit("store", (y.position,), "f32", 1, 1)
    kernel = ir.Kernel(
        (ir.Axis(),),
        (ir.Buffer("f32"), ir.Buffer("f32", "write")),
        (ir.View(0, (True,), True), ir.View(1, (True,), True)),
        (),
        tuple(builder.code),
    )
    provider = InprocessProvider()
    provider.capabilities(StartRequest(name="inprocess"))
    (executable,) = provider.compile(CompileRequest(units=(kernel,)))
    assert executable is not None

    def run(array: Any) -> Any:
        launch = Launch(executable, (0, 1), (array.size,), (Addressing(0, (1,)),) * 2)
        slots = (
            *provider.upload(UploadRequest(arrays=(array,))),
            *provider.allocate(AllocateRequest(arrays=((array.shape, "f32"),))),
        )
        provider.execute(ExecuteRequest(steps=(launch,), slots=slots))
        return provider.download(DownloadRequest(arrays=slots[1:])).arrays[0]

    return run


def statements(x: Any) -> Any:
    """The same with NumPy, one temporary after the other."""
    half = np.float32(0.5)
    return half * np.tanh(np.exp(-np.abs(x)) * np.sin(x) + np.cos(x)) - x


def measure(way: str, size: int) -> dict[str, float]:
    """Bytes beyond those before the input was there, and seconds."""
    function = chain() if way == "kernel" else statements
    function(sample(FEW))
    before = peak()
    x = sample(size)
    started = time.perf_counter()
    y = function(x)
    seconds = time.perf_counter() - started
    part = x[-1000:]
    np.testing.assert_allclose(y[-1000:], statements(part), rtol=1e-5, atol=1e-6)
    return {"bytes": peak() - before, "seconds": seconds}


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["--way"]:
        print(json.dumps(measure(arguments[1], int(arguments[2]))))
        return 0
    size = int(float(arguments[0])) if arguments else ELEMENTS
    arrays = 2 * 4 * size
    print(f"{size} singles: input and output are {arrays / 1e6:.0f} MB")
    needed = {}
    for way in ("kernel", "numpy"):
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.chain_memory", "--way", way, str(size)],
            capture_output=True,
            text=True,
            check=True,
        )
        result = json.loads(done.stdout)
        needed[way] = result["bytes"]
        beyond = (result["bytes"] - arrays) / 1e6
        print(
            f"{way:7} peak {result['bytes'] / 1e6:7.0f} MB, {beyond:7.1f} MB beyond them, "
            f"{result['seconds']:.2f} s"
        )
    return int(needed["kernel"] > arrays + ROOM)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
