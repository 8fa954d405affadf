"""Base classes of providers that compute with whole arrays: what is not given is inherited.

`FunctionProvider` asks for one function, which makes a Python callable over NumPy arrays of the
body of a kernel. `ArrayProvider` asks for tables of operations and reductions, and for a few
methods of memory where that is not NumPy's: so it serves array libraries with devices of their own.
Both have all hooks; a subclass may replace any of them.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import prod
from typing import Any, ClassVar, Literal

import numpy as np

from runmat_core.api.array_kernels import SINKS, SOURCES, ArrayKernels, Run, literal
from runmat_core.api.device import (
    API_VERSION,
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
from runmat_core.api.ir import Fragment, Instr, Kernel, LibraryCall, Unit
from runmat_core.api.ir.calls import CALLS, PAGED, PAGES, TOLD, shapes_of_inputs
from runmat_core.api.ir.ops import OPS
from runmat_core.api.ir.reducers import STANDARD

__all__ = ["ArrayProvider", "FunctionProvider", "body_of", "literal"]

#: What computes a library call (`ArrayProvider.calls`).
Call = Callable[..., Sequence[Any]]

_NAMES = {dtype: name for name, dtype in NUMPY_DTYPE.items()}


class ArrayProvider(ArrayKernels):
    """A provider made of tables: operations, reductions, library calls, memory.

    Arrays are flat in memory, in the order of columns. Kernels are evaluated one instruction after
    the other over the whole space; broadcasting is the loop nest. What is in no table is declined.
    Tables of kernels and methods of memory are those of `ArrayKernels`.

    Attributes:
        title: the name of the device, for people; `start` may find it.
        kind: ``host`` on the memory of NumPy, ``device`` where `put` and `get` copy.
        calls: functions for library calls (`runmat_core.api.ir.calls`), which take the call, the
            extents of the launch, and the inputs as arrays; they give the outputs in order.
        matrices: functions for `calls.PAGED`, which take the call and inputs whose first axis
            counts pages; they give the outputs in order, and which pages guard. They serve a call,
            its form for pages and the one that tells which pages guard.
        full: exceptions that say that there is no room for an array.
        unfit: exceptions of `matrices` that leave all pages to host rules.
        options: the keys of ``[accel.NAME]``, with their defaults.
        driver, memory_bytes, threads, preference, software: as in `Capabilities`.
        api_version: of the interface, for which a subclass is written that replaces more than what
            is documented here.
    """

    title: str = "arrays"
    kind: Literal["host", "device"] = "host"
    calls: ClassVar[Mapping[str, Call]] = {}
    matrices: ClassVar[Mapping[str, Callable[..., tuple[Sequence[Any], Any]]]] = {}
    options: ClassVar[Mapping[str, Any]] = {}
    driver: str = ""
    memory_bytes: int | None = None
    threads: int = 1
    preference: int = 0
    software: bool = False
    api_version: ClassVar[int] = API_VERSION
    full: ClassVar[tuple[type[BaseException], ...]] = (MemoryError,)
    unfit: ClassVar[tuple[type[Exception], ...]] = (np.linalg.LinAlgError,)

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        tables: dict[str, Collection[str]] = {
            "ops": OPS,
            "reducers": STANDARD,
            "scans": STANDARD,
            "calls": CALLS,
            "matrices": PAGED,
        }
        for table, known in tables.items():
            named = getattr(cls, table)
            for name in named if isinstance(named, Mapping) else ():  # a property may find them
                if name not in known:
                    near = difflib.get_close_matches(name, known, n=1)
                    hint = f" Did you mean '{near[0]}'?" if near else ""
                    raise TypeError(f"{cls.__name__}.{table} has an unknown name: '{name}'.{hint}")

    def __init__(self) -> None:
        self.name = ""
        self.settings: dict[str, Any] = dict(self.options)
        self.live = self.live_bytes = self.peak_bytes = 0
        self.launches = self.compiled = self.uploaded = self.downloaded = 0

    # -- replaced for what is not NumPy's ----------------------------------------------------------

    def start(self) -> None:
        """Begin, with the options in `settings`: the place to look for a device (`NoDevice`)."""

    def wait(self) -> None:
        """Wait until everything is done."""

    def bytes_of(self, memory: Any) -> int:
        """Bytes of memory, for the record."""
        return int(memory.nbytes)

    def raise_bit(self, status: Any, condition: Any, bit: int) -> None:
        """Set a bit of the status word, memory of one u32, where any element is true."""
        if bool(condition.any()):
            status[0] |= 1 << bit

    def takes(self, call: LibraryCall) -> bool:
        """Whether a library call of the table is accepted: its types and attributes."""
        return set(call.dtypes) <= set(self.dtypes) and call.epilogue is None

    # -- hooks -------------------------------------------------------------------------------------

    @hookimpl
    def capabilities(self, request: StartRequest) -> Capabilities | None:
        self.name = request.name
        for key, value in request.options:
            if key not in self.options:
                has = ", ".join(sorted(self.options)) or "none"
                raise DeviceFault(f"{request.name} has no option {key}; it has {has}.")
            self.settings[key] = value
        self.start()
        structural = self.structural
        return Capabilities(
            name=self.title,
            kind=self.kind,
            dtypes=frozenset(self.dtypes),
            ops=self.declared_ops,
            structural=structural,
            libraries=frozenset(self.calls)
            | {name + form for name in self.matrices for form in ("", PAGES, PAGES + TOLD)},
            # whole arrays are there anyway
            slice_bytes=1 << 30 if "reduce" in structural else 0,
            scans="scan" in structural,
            repeats=True,
            driver=self.driver,
            memory_bytes=self.memory_bytes,
            threads=self.threads,
            preference=self.preference,
            software=self.software,
            api_version=self.api_version,
        )

    @hookimpl
    def allocate(self, request: AllocateRequest) -> tuple[DeviceArray, ...]:
        with self._room():
            memories = [self.empty(prod(shape), NUMPY_DTYPE[t]) for shape, t in request.arrays]
        return tuple(
            self._handle(memory, shape, dtype)
            for memory, (shape, dtype) in zip(memories, request.arrays, strict=True)
        )

    @hookimpl
    def upload(self, request: UploadRequest) -> tuple[DeviceArray, ...]:
        self.uploaded += sum(array.nbytes for array in request.arrays)
        with self._room():
            memories = [self.put(array.ravel(order="F")) for array in request.arrays]
        return tuple(
            self._handle(memory, array.shape, _NAMES[array.dtype])
            for memory, array in zip(memories, request.arrays, strict=True)
        )

    @hookimpl
    def download(self, request: DownloadRequest) -> Downloaded:
        arrays = tuple(
            self.get(self._memory(h)).reshape(h.shape, order="F") for h in request.arrays
        )
        self.downloaded += sum(array.nbytes for array in arrays)
        status = 0 if request.status is None else int(self.get(self._memory(request.status))[0])
        return Downloaded(arrays=arrays, status=status)

    @hookimpl
    def free(self, request: FreeRequest) -> bool:
        for handle in request.arrays:
            self.live_bytes -= self.bytes_of(self._memory(handle))
            self.live -= 1
            handle.payload = None
        return True

    @hookimpl
    def compile(self, request: CompileRequest) -> tuple[Executable | None, ...]:
        return tuple(map(self._compiled, request.units))

    @hookimpl
    def execute(self, request: ExecuteRequest) -> bool:
        slots = [self._memory(handle) for handle in request.slots]
        status = None if request.status is None else self._memory(request.status)
        with np.errstate(all="ignore"), self._room():
            self._steps(request.steps, slots, list(request.params), status)
        return True

    @hookimpl
    def synchronize(self, request: SynchronizeRequest) -> bool:
        self.wait()
        return True

    @hookimpl
    def telemetry(self, request: TelemetryRequest) -> ProviderTelemetry:
        moved = self.kind == "device"
        return ProviderTelemetry(
            launches=self.launches,
            compiles=self.compiled,
            upload_bytes=self.uploaded if moved else 0,
            download_bytes=self.downloaded if moved else 0,
            live_arrays=self.live,
            live_bytes=self.live_bytes,
            peak_bytes=self.peak_bytes,
        )

    @hookimpl
    def warmup(self, request: WarmupRequest) -> bool:
        return True

    @hookimpl
    def close(self) -> bool:
        return True

    # -- behind the hooks --------------------------------------------------------------------------

    def _handle(self, memory: Any, shape: tuple[int, ...], dtype: str) -> DeviceArray:
        self.live += 1
        self.live_bytes += self.bytes_of(memory)
        self.peak_bytes = max(self.peak_bytes, self.live_bytes)
        return DeviceArray(shape, dtype, self.name, memory)

    def _memory(self, handle: DeviceArray) -> Any:
        if handle.owner != self.name or handle.payload is None:
            raise ForeignHandle(f"This handle is not, or no longer, one of '{self.name}'.")
        return handle.payload

    @contextmanager
    def _room(self) -> Iterator[None]:
        try:
            yield
        except self.full as problem:
            raise OutOfDeviceMemory(f"{self.name} has no room: {problem}") from problem

    def _compiled(self, unit: Unit) -> Executable | None:
        self.compiled += 1
        if isinstance(unit, LibraryCall):
            known = unit.name in self.calls or _matrix_call(unit) in self.matrices
            return Executable(unit, self.name) if known and self.takes(unit) else None
        run = self.prepare(unit) if self.accepts(unit) else None
        return None if run is None else Executable(unit, self.name, run)

    def _steps(
        self, steps: Sequence[Step], slots: list[Any], params: list[Any], status: Any
    ) -> None:
        for step in steps:
            if isinstance(step, Launch):
                self._launch(step, slots, params, status)
            elif isinstance(step, Copy):
                slots[step.target][:] = slots[step.source]
            else:
                self._repeat(step, slots, params, status)

    def _repeat(self, step: Repeat, slots: list[Any], params: list[Any], status: Any) -> None:
        steps: tuple[Launch | Copy, ...] = step.steps
        for _ in range(step.count):
            self._steps(steps, slots, params, status)
            params[:], steps = step.advanced(params), step.moved(steps)
            moved = {slot: slots[other] for slot, other in step.rotation}
            for slot, memory in moved.items():
                slots[slot] = memory

    def _launch(self, step: Launch, slots: list[Any], params: list[Any], status: Any) -> None:
        unit = step.executable.unit
        self.launches += 1
        if isinstance(unit, LibraryCall):
            self._call(unit, step, [slots[k] for k in step.slots], status)
            return
        sources = list(self.sources(unit, step, slots, params))
        results = iter(step.executable.payload(step.extents, *sources))
        for instr in unit.code:
            number: Any = instr.attr
            if instr.op == "store":
                self.store(unit, step, slots, number, next(results))
            elif instr.op == "guard" and status is not None:
                self.raise_bit(status, next(results), number)

    def _call(self, call: LibraryCall, step: Launch, memories: list[Any], status: Any) -> None:
        shapes = shapes_of_inputs(call, step.extents)
        inputs = [self._array(m, shape) for m, shape in zip(memories, shapes, strict=False)]
        targets = memories[len(memories) - len(call.dtypes) + len(shapes) :]
        guards = None
        try:
            if call.name in self.calls:
                outputs = list(self.calls[call.name](call, step.extents, *inputs))
            else:
                outputs, guards = self._pages(call, inputs)
        except self.unfit:
            # the host rule sees them all; what the outputs hold is not looked at
            guards, outputs = self.count(1) == 0, targets
            if call.name.endswith(TOLD):
                targets[-1][...] = 1
        if len(outputs) != len(targets):
            raise DeviceFault(
                f"{self.name} gives {len(outputs)} outputs of '{call.name}', and "
                f"{len(targets)} are asked for; what it does not have, `takes` declines."
            )
        for memory, value in zip(targets, outputs, strict=True):
            if value is not memory:
                self._array(memory, tuple(value.shape))[...] = value
        if guards is not None and call.guards and status is not None:
            self.raise_bit(status, guards, 0)

    def _array(self, memory: Any, shape: tuple[int, ...]) -> Any:
        strides = tuple(prod(shape[:k]) for k in range(len(shape)))
        return self.strided(memory, 0, shape, strides)

    def _pages(self, call: LibraryCall, inputs: list[Any]) -> tuple[list[Any], Any]:
        """Return the outputs of a call on matrices, pages last, and which pages guard."""
        count = max(a.shape[2] if len(a.shape) == 3 else 1 for a in inputs)
        pages = []
        for a in inputs:
            m, n = a.shape[:2]
            a = a.swapaxes(0, 1).swapaxes(0, 2) if len(a.shape) == 3 else a[None]
            pages.append(a if len(a) == count else self.spread(a, (count, m, n)))
        outputs, guards = self.matrices[_matrix_call(call)](call, *pages)
        # the last axis is that of pages; a column stays one
        turned = [
            v.swapaxes(0, 2).swapaxes(0, 1) if v.ndim == 3 else v.swapaxes(0, v.ndim - 1)
            for v in outputs
        ]
        if call.name.endswith(TOLD):
            return [*turned, guards], None
        return turned, guards


def _matrix_call(call: LibraryCall) -> str:
    return call.name.removesuffix(TOLD).removesuffix(PAGES)


class FunctionProvider(ArrayProvider):
    """A provider made of one function: `function` makes a callable of the body of a kernel.

    Elementwise kernels on the memory of NumPy, of the operations in `ops`, ``cast`` among them
    where the function has it.
    """

    @property
    def structural(self) -> frozenset[str]:
        return frozenset({"const", *SOURCES, *SINKS})

    @property
    def declared_ops(self) -> frozenset[str]:
        return frozenset(self.ops)

    def accepts(self, kernel: Kernel) -> bool:
        gathers = any(instr.op == "load" and instr.args for instr in kernel.code)
        return not gathers and super().accepts(kernel)

    def function(self, body: Fragment) -> Callable[..., Sequence[Any]] | None:
        """Return a callable of the inputs of `body` that gives the outputs in order.

        Inputs are NumPy arrays that broadcast to one size, and scalars. None declines the kernel.
        """
        raise NotImplementedError

    def prepare(self, kernel: Kernel) -> Run | None:
        function = self.function(body_of(kernel))
        return None if function is None else lambda extents, *sources: function(*sources)


def body_of(kernel: Kernel) -> Fragment:
    """Return the map operations of an elementwise kernel.

    Its inputs are what loads, params and indices give, its outputs what is stored and guarded, both
    in the order of the code.
    """
    sources = [k for k, instr in enumerate(kernel.code) if instr.op in SOURCES]
    sinks = [k for k, instr in enumerate(kernel.code) if instr.op in SINKS]
    place = {k: number for number, k in enumerate(sources)}
    code = [
        Instr("input", (), kernel.code[k].dtype, kernel.code[k].over, number)
        for number, k in enumerate(sources)
    ]
    for k, instr in enumerate(kernel.code):
        if k not in place and instr.op not in SINKS:
            place[k] = len(code)
            args = tuple(place[a] for a in instr.args)
            code.append(Instr(instr.op, args, instr.dtype, instr.over, instr.attr))
    inputs = tuple(kernel.code[k].dtype for k in sources)
    return Fragment(inputs, tuple(code), tuple(place[kernel.code[k].args[0]] for k in sinks))
