"""Base classes of providers that compute with whole arrays: what is not given is inherited.

`FunctionProvider` asks for one function, which makes a Python callable over NumPy arrays of the
body of a kernel. `ArrayProvider` asks for tables of operations and reductions, and for a few
methods of memory where that is not NumPy's: so it serves array libraries with devices of their own.
Both have all hooks; a subclass may replace any of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from math import prod
from typing import Any, ClassVar, Literal

import numpy as np

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
from runmat_core.api.ir import FLOATS, Fragment, Instr, Kernel, Unit

#: What is computed of a launch: takes the extents of the axes and what `_SOURCES` give, in order;
#: gives what is stored and guarded, in order.
Run = Callable[..., Sequence[Any]]

#: Instructions that bring values into a kernel, and those that take them out.
_SOURCES = frozenset({"load", "param", "index", "extent"})
_SINKS = frozenset({"store", "guard"})
_NAMES = {dtype: name for name, dtype in NUMPY_DTYPE.items()}


def literal(instr: Instr) -> Any:
    """The value of a ``const``, in its element type."""
    return NUMPY_DTYPE[instr.dtype].type(instr.attr)


class ArrayProvider:
    """A provider made of tables: operations, reductions, memory.

    Arrays are flat in memory, in the order of columns. Kernels are evaluated one instruction after
    the other over the whole space; broadcasting is the loop nest. What is in no table is declined.

    Attributes:
        title: the name of the device, for people.
        kind: ``host`` on the memory of NumPy, ``device`` where `put` and `get` copy.
        dtypes: element types of kernels.
        ops: functions of arrays for map operations (`runmat_core.api.ir.ops`).
        reducers: functions of an array and a tuple of axes, which keep these with extent 1, by the
            names of standard reducers (`runmat_core.api.ir.reducers`).
        options: the keys of ``[accel.NAME]``, with their defaults.
        preference, software: as in `Capabilities`.
        api_version: of the interface, for which a subclass is written that replaces more than what
            is documented here.
    """

    title: ClassVar[str] = "arrays"
    kind: ClassVar[Literal["host", "device"]] = "host"
    dtypes: ClassVar[Collection[str]] = ("f32", "f64", "bool")
    ops: ClassVar[Mapping[str, Callable[..., Any]]] = {}
    reducers: ClassVar[Mapping[str, Callable[[Any, tuple[int, ...]], Any]]] = {}
    options: ClassVar[Mapping[str, Any]] = {}
    preference: ClassVar[int] = 0
    software: ClassVar[bool] = False
    api_version: ClassVar[int] = API_VERSION

    def __init__(self) -> None:
        self.name = ""
        self.settings: dict[str, Any] = dict(self.options)
        self.live = self.live_bytes = self.peak_bytes = 0
        self.launches = self.compiled = self.uploaded = self.downloaded = 0

    # -- memory: replaced for what is not NumPy's --------------------------------------------------

    def empty(self, size: int, dtype: np.dtype[Any]) -> Any:
        """Memory of `size` elements, contents undefined."""
        return np.empty(size, dtype)

    def put(self, host: Any) -> Any:
        """Memory with the contents of a flat array of NumPy, which does not change."""
        return host

    def get(self, memory: Any) -> Any:
        """The contents of memory as a flat array of NumPy."""
        return memory

    def strided(
        self, memory: Any, offset: int, shape: tuple[int, ...], strides: tuple[int, ...]
    ) -> Any:
        """A view of memory; strides count elements. Writing to it writes to memory."""
        step = memory.itemsize
        return np.lib.stride_tricks.as_strided(
            memory[offset:], shape, tuple(stride * step for stride in strides)
        )

    def convert(self, value: Any, dtype: str) -> Any:
        """A value in another floating type, or as logical."""
        return value != 0 if dtype == "bool" else value.astype(NUMPY_DTYPE[dtype])

    def spread(self, value: Any, shape: tuple[int, ...]) -> Any:
        """An array or a number as an array of a larger size."""
        return np.broadcast_to(value, shape)

    def bytes_of(self, memory: Any) -> int:
        """Bytes of memory, for the record."""
        return int(memory.nbytes)

    # -- kernels -----------------------------------------------------------------------------------

    def accepts(self, kernel: Kernel) -> bool:
        """Whether every instruction of a kernel is in a table."""
        return all(self._has(kernel, instr) for instr in kernel.code)

    def _has(self, kernel: Kernel, instr: Instr) -> bool:
        types = {instr.dtype, *(kernel.code[k].dtype for k in instr.args)}
        if instr.op in ("extent", "index", "const", "param"):
            return True
        if not types <= {*self.dtypes, "i64"}:
            return False
        if instr.op == "load":
            return not instr.args
        if instr.op == "cast":
            return "cast" in self._ops and types <= {*FLOATS, "bool"}
        if instr.op == "reduce":
            return getattr(instr.attr, "name", "") in self.reducers
        return instr.op in self._ops or instr.op in _SINKS

    @property
    def _ops(self) -> frozenset[str]:
        return frozenset(self.ops) | {"cast"}

    def prepare(self, kernel: Kernel) -> Run | None:
        """What runs a kernel that is accepted; None declines it."""
        axes = kernel.axes_of("reduce")

        def run(extents: tuple[int, ...], *sources: Any) -> list[Any]:
            given = iter(sources)
            values: list[Any] = []
            for instr in kernel.code:
                args = [values[k] for k in instr.args]
                if instr.op in _SOURCES:
                    value = next(given)
                elif instr.op == "const":
                    value = literal(instr)
                elif instr.op == "cast":
                    value = self.convert(args[0], str(instr.attr))
                elif instr.op == "reduce":
                    value = self._reduced(instr, args[0], axes, extents)
                else:
                    value = args[0] if instr.op in _SINKS else self.ops[instr.op](*args)
                values.append(value)
            return [v for instr, v in zip(kernel.code, values, strict=True) if instr.op in _SINKS]

        return run

    def _reduced(
        self, instr: Instr, value: Any, axes: tuple[int, ...], extents: tuple[int, ...]
    ) -> Any:
        """A reduction over all reduced axes; of no elements it is what the reducer begins with."""
        reducer: Any = instr.attr
        own = tuple(value.shape) or (1,) * len(extents)
        whole = tuple(extents[k] if k in axes else n for k, n in enumerate(own))
        if prod(whole[k] for k in axes) == 0:
            kept = tuple(1 if k in axes else n for k, n in enumerate(whole))
            return np.full(kept, reducer.init[0], NUMPY_DTYPE[instr.dtype])
        if tuple(value.shape) != whole:
            value = self.spread(value, whole)
        return self.reducers[reducer.name](value, axes)

    # -- hooks -------------------------------------------------------------------------------------

    @hookimpl
    def capabilities(self, request: StartRequest) -> Capabilities | None:
        self.name = request.name
        for key, value in request.options:
            if key not in self.options:
                has = ", ".join(sorted(self.options)) or "none"
                raise DeviceFault(f"{request.name} has no option {key}; it has {has}.")
            self.settings[key] = value
        structural = {"const", *_SOURCES, *_SINKS} | ({"reduce"} if self.reducers else set())
        return Capabilities(
            name=self.title,
            kind=self.kind,
            dtypes=frozenset(self.dtypes),
            ops=self._ops,
            structural=frozenset(structural),
            # whole arrays are there anyway
            slice_bytes=1 << 30 if self.reducers else 0,
            scans=False,
            repeats=True,
            preference=self.preference,
            software=self.software,
            api_version=self.api_version,
        )

    @hookimpl
    def allocate(self, request: AllocateRequest) -> tuple[DeviceArray, ...]:
        try:
            memories = [self.empty(prod(shape), NUMPY_DTYPE[t]) for shape, t in request.arrays]
        except MemoryError as problem:
            raise OutOfDeviceMemory(f"{self.name} has no room: {problem}") from problem
        return tuple(
            self._handle(memory, shape, dtype)
            for memory, (shape, dtype) in zip(memories, request.arrays, strict=True)
        )

    @hookimpl
    def upload(self, request: UploadRequest) -> tuple[DeviceArray, ...]:
        self.uploaded += sum(array.nbytes for array in request.arrays)
        return tuple(
            self._handle(self.put(array.ravel(order="F")), array.shape, _NAMES[array.dtype])
            for array in request.arrays
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
        with np.errstate(all="ignore"):
            self._steps(request.steps, slots, list(request.params), status)
        return True

    @hookimpl
    def synchronize(self, request: SynchronizeRequest) -> bool:
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

    def _compiled(self, unit: Unit) -> Executable | None:
        self.compiled += 1
        if not isinstance(unit, Kernel) or not self.accepts(unit):
            return None
        run = self.prepare(unit)
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
        unit: Any = step.executable.unit
        kernel: Kernel = unit
        self.launches += 1
        sources = list(self._sources(kernel, step, slots, params))
        results = iter(step.executable.payload(step.extents, *sources))
        bits = 0
        for instr in kernel.code:
            if instr.op == "store":
                target = self._view(kernel, step, slots, instr)
                target[...] = next(results)
            elif instr.op == "guard" and bool(next(results).any()):
                bits |= 1 << int(instr.attr)  # type: ignore[call-overload]
        if bits and status is not None:
            status[0] |= bits

    def _sources(
        self, kernel: Kernel, step: Launch, slots: list[Any], params: list[Any]
    ) -> Iterator[Any]:
        for instr in kernel.code:
            number: Any = instr.attr
            if instr.op == "load":
                yield self._view(kernel, step, slots, instr)
            elif instr.op == "param":
                yield NUMPY_DTYPE[instr.dtype].type(params[step.params[number]])
            elif instr.op == "extent":
                count = prod(step.extents[k] for k in kernel.axes_of("reduce"))
                yield NUMPY_DTYPE[instr.dtype].type(count)
            elif instr.op == "index":
                yield self.put_numbers(kernel, step, number)

    def put_numbers(self, kernel: Kernel, step: Launch, view: int) -> Any:
        """The element numbers of a view, where the arrays of kernels are."""
        shape = self._shape(kernel, step, view)
        where = step.views[view]
        numbers = np.full(shape, where.offset, np.int64)
        for axis, extent in enumerate(shape):
            along = [1] * len(shape)
            along[axis] = extent
            numbers += (np.arange(extent) * where.strides[axis]).reshape(along)
        return self.put(numbers.ravel(order="F")).reshape(shape, order="F")

    def _view(self, kernel: Kernel, step: Launch, slots: list[Any], instr: Instr) -> Any:
        number: Any = instr.attr
        view, where = kernel.views[number], step.views[number]
        memory = slots[step.slots[view.buffer or 0]]
        return self.strided(memory, where.offset, self._shape(kernel, step, number), where.strides)

    def _shape(self, kernel: Kernel, step: Launch, view: int) -> tuple[int, ...]:
        moves = kernel.views[view].moves
        return tuple(n if moving else 1 for n, moving in zip(step.extents, moves, strict=True))


class FunctionProvider(ArrayProvider):
    """A provider made of one function: `function` makes a callable of the body of a kernel.

    Elementwise kernels on the memory of NumPy, of the operations in `ops`, ``cast`` among them
    where the function has it.
    """

    @property
    def _ops(self) -> frozenset[str]:
        return frozenset(self.ops)

    def function(self, body: Fragment) -> Callable[..., Sequence[Any]] | None:
        """A callable of the inputs of `body`, NumPy arrays that broadcast to one size, and scalars;
        it gives the outputs in order. None declines the kernel."""
        raise NotImplementedError

    def prepare(self, kernel: Kernel) -> Run | None:
        function = self.function(body_of(kernel))
        return None if function is None else lambda extents, *sources: function(*sources)


def body_of(kernel: Kernel) -> Fragment:
    """The map operations of an elementwise kernel: its inputs are what loads, params and indices
    give, its outputs what is stored and guarded, both in the order of the code."""
    sources = [k for k, instr in enumerate(kernel.code) if instr.op in _SOURCES]
    sinks = [k for k, instr in enumerate(kernel.code) if instr.op in _SINKS]
    place = {k: number for number, k in enumerate(sources)}
    code = [
        Instr("input", (), kernel.code[k].dtype, kernel.code[k].over, number)
        for number, k in enumerate(sources)
    ]
    for k, instr in enumerate(kernel.code):
        if k not in place and instr.op not in _SINKS:
            place[k] = len(code)
            args = tuple(place[a] for a in instr.args)
            code.append(Instr(instr.op, args, instr.dtype, instr.over, instr.attr))
    inputs = tuple(kernel.code[k].dtype for k in sources)
    return Fragment(inputs, tuple(code), tuple(place[kernel.code[k].args[0]] for k in sinks))
