"""The hooks. Each takes one request and hands it to the module that does the work."""

from __future__ import annotations

import platform
import time
from typing import Any

import numpy as np

from runmat_core.api import threads
from runmat_core.api.device import (
    AllocateRequest,
    Capabilities,
    CompileRequest,
    Copy,
    DeviceArray,
    DeviceFault,
    Downloaded,
    DownloadRequest,
    Executable,
    ExecuteRequest,
    FreeRequest,
    Launch,
    OutOfDeviceMemory,
    ProviderTelemetry,
    Repeat,
    StartRequest,
    SynchronizeRequest,
    TelemetryRequest,
    UploadRequest,
    WarmupRequest,
)
from runmat_core.api.hookspecs import hookimpl
from runmat_core.api.ir import CLASS_OF, COMPLEX, Kernel, LibraryCall, Unit
from runmat_inprocess import philox
from runmat_inprocess.fragments import DeclinedError
from runmat_inprocess.kernels import CompiledKernel
from runmat_inprocess.layouts import SLICE_BLOCKS
from runmat_inprocess.library import LIBRARIES, CompiledProduct
from runmat_inprocess.memory import Memory
from runmat_inprocess.options import Options, read_options
from runmat_inprocess.pool import Pool
from runmat_inprocess.scattered import CALLS, CompiledCall
from runmat_inprocess.telemetry import Counters


class InprocessProvider:
    """NumPy on the threads of this process, as a device."""

    def __init__(self) -> None:
        self.options: Options = Options()
        self.name = ""
        self.memory = Memory("", None, 0)
        self.pool = Pool(1, 0)
        self.counters = Counters()
        # by identity, what was compiled to warm up: it is asked for next
        self._warmed: dict[int, tuple[Unit, Executable | None]] = {}

    @hookimpl
    def capabilities(self, request: StartRequest) -> Capabilities | None:
        """Start: read the options, make the memory and the pool (its threads start when used)."""
        self.name = request.name
        self.options = options = read_options(request.options, Options, "inprocess")
        self.memory = Memory(request.name, options.memory, options.keep)
        threads.settle()
        self.pool = Pool(options.threads, options.block * 8 * SLICE_BLOCKS)
        return Capabilities(
            name=f"{_processor()}, {options.threads} threads",
            api_version=1,
            kind="host",
            dtypes=frozenset(CLASS_OF) | COMPLEX,
            libraries=LIBRARIES.union(CALLS),
            epilogues=True,
            slice_bytes=options.slice_bytes,
            loops=True,
            loop_points=options.block,
            repeats=True,
            memory_bytes=options.memory,
            threads=options.threads,
            driver=f"numpy {np.__version__}",
            details=(("block", str(options.block)),),
        )

    @hookimpl
    def allocate(self, request: AllocateRequest) -> tuple[DeviceArray, ...]:
        made: list[DeviceArray] = []
        try:
            for shape, dtype in request.arrays:
                made.append(self.memory.allocate(shape, dtype))
        except OutOfDeviceMemory:
            for handle in made:
                self.memory.free(handle)
            raise
        return tuple(made)

    @hookimpl
    def upload(self, request: UploadRequest) -> tuple[DeviceArray, ...]:
        return tuple(self.memory.adopt(array) for array in request.arrays)

    @hookimpl
    def download(self, request: DownloadRequest) -> Downloaded:
        arrays = tuple(self.memory.flat(h).reshape(h.shape, order="F") for h in request.arrays)
        status = 0 if request.status is None else int(self.memory.flat(request.status)[0])
        return Downloaded(arrays=arrays, status=status)

    @hookimpl
    def free(self, request: FreeRequest) -> bool:
        for handle in request.arrays:
            self.memory.free(handle)
        return True

    @hookimpl
    def compile(self, request: CompileRequest) -> tuple[Executable | None, ...]:
        ready = (self._warmed.pop(id(unit), None) for unit in request.units)
        return tuple(
            self._compile(unit) if found is None else found[1]
            for unit, found in zip(request.units, ready, strict=True)
        )

    def _compile(self, unit: Unit) -> Executable | None:
        started = time.perf_counter()
        payload: CompiledKernel | CompiledProduct | CompiledCall
        try:
            if isinstance(unit, Kernel):
                payload = CompiledKernel(unit, self.options.block)
            elif isinstance(unit, LibraryCall) and unit.name == "matmul":
                payload = CompiledProduct(unit, self.options.block)
            elif unit.name in CALLS and unit.epilogue is None:
                payload = CompiledCall(unit)
            else:
                return None
        except DeclinedError:
            return None
        self.counters.compiles += 1
        self.counters.compile_seconds += time.perf_counter() - started
        return Executable(unit, self.name, payload)

    @hookimpl
    def execute(self, request: ExecuteRequest) -> bool:
        slots, params = list(request.slots), list(request.params)
        try:
            with np.errstate(all="ignore"):
                for step in request.steps:
                    if isinstance(step, Repeat):
                        slots, params = self._repeat(step, slots, params)
                    else:
                        self._step(step, slots, params)
        except MemoryError as problem:
            raise OutOfDeviceMemory("Out of memory while a kernel ran.") from problem
        finally:
            bits = self.pool.take_status()
        if request.status is not None and bits:
            self.memory.writable(request.status)[0] |= np.uint32(bits)
        return True

    def _repeat(
        self, repeat: Repeat, slots: list[DeviceArray], params: list[Any]
    ) -> tuple[list[DeviceArray], list[Any]]:
        """Run a repeat; slots and params as the following steps see them."""
        steps: tuple[Launch | Copy, ...] = repeat.steps
        for _ in range(repeat.count):
            for step in steps:
                self._step(step, slots, params)
            params, steps = repeat.advanced(params), repeat.moved(steps)
            turned = list(slots)
            for slot, stands_for in repeat.rotation:
                turned[slot] = slots[stands_for]
            slots = turned
        return slots, params

    def _step(self, step: Launch | Copy, slots: list[DeviceArray], scalars: list[Any]) -> None:
        if isinstance(step, Copy):
            np.copyto(
                self.memory.writable(slots[step.target]), self.memory.flat(slots[step.source])
            )
            return
        started = time.perf_counter()
        payload: Any = step.executable.payload
        if step.executable.owner != self.name or payload is None:
            raise DeviceFault(f"An executable of {step.executable.owner} reached {self.name}.")
        if isinstance(payload, CompiledKernel):
            written: Any = payload.writes
        else:
            written = payload.written(len(step.slots))
        buffers = [
            self.memory.writable(slots[s]) if k in written else self.memory.flat(slots[s])
            for k, s in enumerate(step.slots)
        ]
        params = [scalars[p] for p in step.params]
        read, wrote = payload.run(buffers, step.extents, step.views, params, self.pool)
        seconds = time.perf_counter() - started
        self.counters.launch(step.label or step.executable.unit.name, seconds, read, wrote)

    @hookimpl
    def synchronize(self, request: SynchronizeRequest) -> bool:
        return True  # `execute` returns when everything is done

    @hookimpl
    def warmup(self, request: WarmupRequest) -> bool:
        for unit in request.units:
            self._warmed[id(unit)] = unit, self._compile(unit)
            if isinstance(unit, Kernel) and any(i.op == "random" for i in unit.code):
                philox.WORDS.load(wait=True)
        return True

    @hookimpl
    def telemetry(self, request: TelemetryRequest) -> ProviderTelemetry:
        told = self.counters.told(self.memory)
        if request.reset:
            self.counters = Counters(reused=self.memory.reused)
            self.memory.usage.peak_bytes = self.memory.usage.live_bytes
        return told

    @hookimpl
    def close(self) -> bool:
        self.pool.close()
        self.memory.clear()
        self._warmed.clear()
        return True


def _processor() -> str:
    """Return what the processor calls itself."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            for line in lines:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine() or "CPU"
