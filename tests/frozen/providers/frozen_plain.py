"""Elementwise kernels on whole NumPy arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runmat_core.api.device import (
    NUMPY_DTYPE,
    Addressing,
    AllocateRequest,
    Capabilities,
    CompileRequest,
    DeviceArray,
    DeviceFault,
    Downloaded,
    DownloadRequest,
    Executable,
    ExecuteRequest,
    ForeignHandle,
    FreeRequest,
    Launch,
    ProviderTelemetry,
    StartRequest,
    SynchronizeRequest,
    TelemetryRequest,
    UploadRequest,
    WarmupRequest,
)
from runmat_core.api.hookspecs import hookimpl
from runmat_core.api.ir import Kernel

OPS: dict[str, Callable[..., Any]] = {
    "neg": np.negative,
    "abs": np.abs,
    "sqrt": np.sqrt,
    "exp": np.exp,
    "log": np.log,
    "sin": np.sin,
    "cos": np.cos,
    "tanh": np.tanh,
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "max": np.fmax,
    "min": np.fmin,
    "lt": np.less,
    "gt": np.greater,
    "select": np.where,
}
STRUCTURAL = frozenset({"const", "param", "load", "store"})


class PlainProvider:
    """The device: its arrays are flat NumPy arrays."""

    def __init__(self) -> None:
        self.name = "frozen_plain"
        self.live = self.launches = 0

    @hookimpl
    def capabilities(self, request: StartRequest) -> Capabilities | None:
        self.name = request.name
        if request.options:
            raise DeviceFault(f"frozen_plain has no option {request.options[0][0]}.")
        return Capabilities(
            name="NumPy, whole arrays",
            api_version=1,
            kind="host",
            dtypes=frozenset({"f32", "f64", "bool"}),
            ops=frozenset(OPS),
            structural=STRUCTURAL,
            scans=False,
        )

    # -- memory ---------------------------------------------------------------------------------

    def handle(self, data: Any, shape: tuple[int, ...], dtype: str) -> DeviceArray:
        self.live += 1
        return DeviceArray(shape, dtype, self.name, data)

    def data(self, handle: DeviceArray) -> Any:
        if handle.owner != self.name or handle.payload is None:
            raise ForeignHandle(f"This handle is not, or no longer, one of '{self.name}'.")
        return handle.payload

    @hookimpl
    def allocate(self, request: AllocateRequest) -> tuple[DeviceArray, ...]:
        return tuple(
            self.handle(np.empty(int(np.prod(shape)), NUMPY_DTYPE[dtype]), shape, dtype)
            for shape, dtype in request.arrays
        )

    @hookimpl
    def upload(self, request: UploadRequest) -> tuple[DeviceArray, ...]:
        names = {dtype: name for name, dtype in NUMPY_DTYPE.items()}
        return tuple(
            self.handle(array.ravel(order="F"), array.shape, names[array.dtype])
            for array in request.arrays
        )

    @hookimpl
    def download(self, request: DownloadRequest) -> Downloaded:
        arrays = tuple(self.data(h).reshape(h.shape, order="F") for h in request.arrays)
        status = 0 if request.status is None else int(self.data(request.status)[0])
        return Downloaded(arrays=arrays, status=status)

    @hookimpl
    def free(self, request: FreeRequest) -> bool:
        for handle in request.arrays:
            self.data(handle)
            handle.payload = None
            self.live -= 1
        return True

    # -- computing ------------------------------------------------------------------------------

    @hookimpl
    def compile(self, request: CompileRequest) -> tuple[Executable | None, ...]:
        return tuple(
            Executable(unit, self.name) if isinstance(unit, Kernel) and runs(unit) else None
            for unit in request.units
        )

    @hookimpl
    def execute(self, request: ExecuteRequest) -> bool:
        slots = [self.data(handle) for handle in request.slots]
        for step in request.steps:
            if isinstance(step, Launch):
                params = [request.params[k] for k in step.params]
                launch(step, [slots[k] for k in step.slots], params)
                self.launches += 1
            else:
                raise NotImplementedError(type(step).__name__)
        return True

    # -- the rest -------------------------------------------------------------------------------

    @hookimpl
    def synchronize(self, request: SynchronizeRequest) -> bool:
        return True

    @hookimpl
    def telemetry(self, request: TelemetryRequest) -> ProviderTelemetry:
        return ProviderTelemetry(launches=self.launches, live_arrays=self.live)

    @hookimpl
    def warmup(self, request: WarmupRequest) -> bool:
        return True

    @hookimpl
    def close(self) -> bool:
        return True


def runs(kernel: Kernel) -> bool:
    """Whether every instruction is one that `launch` knows."""
    return all(
        (instr.op in OPS or instr.op in STRUCTURAL)
        and not (instr.op == "load" and instr.args)
        and (instr.op not in OPS or kernel.code[instr.args[0]].dtype[0] in "fb")
        for instr in kernel.code
    )


def launch(step: Launch, arrays: list[Any], params: list[Any]) -> None:
    """Every instruction over the whole space at once; broadcasting is the loop nest."""
    kernel: Any = step.executable.unit
    values: list[Any] = []
    for instr in kernel.code:
        args = [values[k] for k in instr.args]
        dtype = NUMPY_DTYPE[instr.dtype]
        value = None
        if instr.op == "const":
            value = dtype.type(instr.attr)
        elif instr.op == "param":
            value = dtype.type(params[instr.attr])
        elif instr.op == "load":
            view = kernel.views[instr.attr]
            value = arrays[view.buffer][places(step.views[instr.attr], view.moves, step.extents)]
        elif instr.op == "store":
            view = kernel.views[instr.attr]
            target = places(step.views[instr.attr], view.moves, step.extents)
            arrays[view.buffer][target.ravel()] = np.broadcast_to(args[0], target.shape).ravel()
        else:
            with np.errstate(all="ignore"):
                value = OPS[instr.op](*args)
        values.append(value)


def places(where: Addressing, moves: tuple[bool, ...], extents: tuple[int, ...]) -> Any:
    """The element number that a view addresses at every point."""
    total = np.full((1,) * len(extents), where.offset)
    for axis, extent in enumerate(extents):
        if moves[axis]:
            shape = [1] * len(extents)
            shape[axis] = extent
            total = total + (np.arange(extent) * where.strides[axis]).reshape(shape)
    return total
