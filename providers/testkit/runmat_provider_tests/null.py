"""A device without hardware: it records what it is asked, and computes by `reference`.

It has memory of its own, as a graphics card does, so what the core moves and keeps there can be
seen. The options of ``[accel.null]`` make it decline or fail.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.device import (
    NUMPY_DTYPE,
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
    ForeignHandle,
    FreeRequest,
    Launch,
    OutOfDeviceMemory,
    ProviderTelemetry,
    Repeat,
    StartRequest,
    Step,
    SynchronizeRequest,
    TelemetryRequest,
    UploadRequest,
    WarmupRequest,
)
from runmat_core.api.hookspecs import hookimpl
from runmat_core.api.ir import OPS, STRUCTURAL, Kernel, LibraryCall, Reducer, Unit
from runmat_provider_tests.libraries import LIBRARIES
from runmat_provider_tests.reference import Run

OPTIONS = frozenset(
    "kind fail decline refuse without memory dtypes slice_bytes loops loop_points".split()
)


class NullProvider:
    """The recording device.

    Options:
        kind: ``device`` (default) or ``host``.
        fail: the name of a hook that raises, ``HOOK:N`` for its N-th call alone.
        decline: ``kernels``, ``calls`` or ``all``.
        refuse: an operation; kernels with it are declined as if a compiler had refused them.
        without: operations, reducers and library calls that it does not have, by name, separated
            by blanks.
        memory: bytes that it has.
        dtypes: the element types it takes, separated by blanks.
        slice_bytes, loops, loop_points: as in `Capabilities`.

    Attributes:
        requests: every request in order, as (hook, request).
    """

    def __init__(self) -> None:
        self.requests: list[tuple[str, Any]] = []
        self.options: dict[str, Any] = {}
        self.name = "null"
        self.without: frozenset[str] = frozenset()
        self.live: set[int] = set()
        self.live_bytes = self.peak_bytes = 0
        self.launches: list[str] = []
        self.uploaded = self.downloaded = 0
        self.compiled = 0
        self.refused: list[tuple[str, str]] = []

    def _record(self, hook: str, request: Any) -> None:
        self.requests.append((hook, request))
        failing, _, nth = str(self.options.get("fail", "")).partition(":")
        calls = sum(1 for name, _ in self.requests if name == hook)
        if failing == hook and (not nth or calls == int(nth)):
            raise RuntimeError(f"{hook} was told to fail")

    @hookimpl
    def capabilities(self, request: StartRequest) -> Capabilities | None:
        self.options = dict(request.options)
        self.name = request.name
        if unknown := self.options.keys() - OPTIONS:
            names = ", ".join(sorted(OPTIONS))
            raise DeviceFault(f"null has no option {min(unknown)}; it has {names}.")
        self._record("capabilities", request)
        types = self.options.get("dtypes")
        self.without = frozenset(str(self.options.get("without", "")).split())
        return Capabilities(
            name="null device",
            api_version=1,
            kind=self.options.get("kind", "device"),
            dtypes=frozenset(str(types).split()) if types else frozenset(NUMPY_DTYPE),
            ops=frozenset(OPS) - self.without,
            structural=STRUCTURAL - self.without,
            libraries=frozenset(LIBRARIES) - self.without,
            epilogues=False,
            slice_bytes=int(self.options.get("slice_bytes", 1 << 20)),
            loops=bool(self.options.get("loops", True)),
            loop_points=int(self.options.get("loop_points", 1 << 12)),
            repeats=True,
            memory_bytes=self.options.get("memory"),
            preference=-1,
        )

    @hookimpl
    def allocate(self, request: AllocateRequest) -> tuple[DeviceArray, ...]:
        self._record("allocate", request)
        need = sum(
            int(np.prod(shape, dtype=int)) * NUMPY_DTYPE[t].itemsize for shape, t in request.arrays
        )
        room = self.options.get("memory")
        if room is not None and self.live_bytes + need > int(room):
            raise OutOfDeviceMemory(f"{need} bytes do not fit.")
        # contents that nobody wrote must be seen to be wrong
        return tuple(
            self._keep(np.full(int(np.prod(shape, dtype=int)), 77, NUMPY_DTYPE[t]), shape, t)
            for shape, t in request.arrays
        )

    def _keep(self, data: Any, shape: tuple[int, ...], dtype: str) -> DeviceArray:
        handle = DeviceArray(shape, dtype, self.name, data)
        self.live.add(id(handle))
        self.live_bytes += data.nbytes
        self.peak_bytes = max(self.peak_bytes, self.live_bytes)
        return handle

    @hookimpl
    def upload(self, request: UploadRequest) -> tuple[DeviceArray, ...]:
        self._record("upload", request)
        names = {dtype: name for name, dtype in NUMPY_DTYPE.items()}
        handles = []
        for array in request.arrays:
            self.uploaded += array.nbytes
            flat = np.array(array.ravel(order="F"))
            handles.append(self._keep(flat, array.shape, names[array.dtype]))
        return tuple(handles)

    def _data(self, handle: DeviceArray) -> Any:
        if handle.owner != self.name:
            raise ForeignHandle(f"'{self.name}' was given a handle of '{handle.owner}'.")
        if handle.payload is None:
            raise ForeignHandle(f"'{self.name}' was given a handle that was freed.")
        return handle.payload

    @hookimpl
    def download(self, request: DownloadRequest) -> Downloaded:
        self._record("download", request)
        arrays = [self._data(h).copy().reshape(h.shape, order="F") for h in request.arrays]
        self.downloaded += sum(a.nbytes for a in arrays)
        status = 0 if request.status is None else int(self._data(request.status)[0])
        return Downloaded(arrays=tuple(arrays), status=status)

    @hookimpl
    def free(self, request: FreeRequest) -> bool:
        self._record("free", request)
        for handle in request.arrays:
            self.live_bytes -= self._data(handle).nbytes
            self.live.discard(id(handle))
            handle.payload = None
        return True

    @hookimpl
    def compile(self, request: CompileRequest) -> tuple[Executable | None, ...]:
        self._record("compile", request)
        decline = self.options.get("decline", "")
        made: list[Executable | None] = []
        for unit in request.units:
            kind = "kernels" if isinstance(unit, Kernel) else "calls"
            known = isinstance(unit, Kernel) or (unit.name in LIBRARIES and unit.epilogue is None)
            self.compiled += 1
            refused = decline in ("all", kind) or not known
            refused |= not self.without.isdisjoint(_names(unit))
            if self.options.get("refuse") in _names(unit):
                self.refused.append((unit.name, f"the kernel '{unit.name}' is not valid: refused"))
                refused = True
            made.append(None if refused else Executable(unit, self.name))
        return tuple(made)

    @hookimpl
    def execute(self, request: ExecuteRequest) -> bool:
        self._record("execute", request)
        arrays = [self._data(h) for h in request.slots]
        status = None if request.status is None else self._data(request.status)
        params = list(request.params)
        for step in request.steps:
            self._step(step, arrays, params, status)
        return True

    def _step(self, step: Step, arrays: list[Any], params: list[Any], status: Any) -> None:
        if isinstance(step, Repeat):
            steps: tuple[Launch | Copy, ...] = step.steps
            for _ in range(step.count):
                for inner in steps:
                    self._step(inner, arrays, params, status)
                params[:], steps = step.advanced(params), step.moved(steps)
                moved = {slot: arrays[other] for slot, other in step.rotation}
                for slot, array in moved.items():
                    arrays[slot] = array
        elif isinstance(step, Copy):
            arrays[step.target][:] = arrays[step.source]
        else:
            self.launches.append(step.label)
            self._launch(step, arrays, params, status)

    def _launch(self, step: Launch, arrays: list[Any], params: list[Any], status: Any) -> None:
        unit = step.executable.unit
        buffers = [arrays[k] for k in step.slots]
        if isinstance(unit, LibraryCall):
            fired = LIBRARIES[unit.name](unit, step.extents, buffers)
            if fired and unit.guards:
                assert status is not None, "a call that guards came without a status word"
                status[0] |= 1
            return
        scalars = [params[k] for k in step.params]
        bits = Run(unit, step.extents, buffers, step.views, scalars).run()
        if status is not None:
            status[0] |= bits

    @hookimpl
    def synchronize(self, request: SynchronizeRequest) -> bool:
        self._record("synchronize", request)
        return True

    @hookimpl
    def telemetry(self, request: TelemetryRequest) -> ProviderTelemetry:
        return ProviderTelemetry(
            launches=len(self.launches),
            upload_bytes=self.uploaded,
            download_bytes=self.downloaded,
            live_bytes=self.live_bytes,
            peak_bytes=self.peak_bytes,
            live_arrays=len(self.live),
            compiles=self.compiled,
            refused=tuple(self.refused),
        )

    @hookimpl
    def warmup(self, request: WarmupRequest) -> bool:
        self._record("warmup", request)
        return True

    @hookimpl
    def close(self) -> bool:
        self.requests.append(("close", None))
        return True


def _names(unit: Unit) -> set[str]:
    """Return the operations and reducers of a kernel, or the name of a call."""
    if isinstance(unit, LibraryCall):
        return {unit.name}
    found = set()
    for instr in unit.code:
        attr: Any = instr.attr
        first = attr[0] if isinstance(attr, tuple) and attr else attr
        found |= {instr.op, first.name} if isinstance(first, Reducer) else {instr.op}
    return found
