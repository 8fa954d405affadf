"""A provider, and short ways to write kernels and run them on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from runmat_inprocess import InprocessProvider

from runmat_core.api import ir
from runmat_core.api.device import (
    DTYPE_NAME,
    Addressing,
    AllocateRequest,
    CompileRequest,
    DeviceArray,
    DownloadRequest,
    ExecuteRequest,
    Launch,
    StartRequest,
    UploadRequest,
)

Array = np.ndarray[Any, Any]


class Writer:
    """Writes a kernel over a space of some extents."""

    def __init__(self, kinds: str, extents: Sequence[int]) -> None:
        names = {"p": "parallel", "r": "reduce", "s": "scan", "t": "serial"}
        self.axes = tuple(ir.Axis(names[k]) for k in kinds)  # type: ignore[arg-type]
        self.extents = tuple(extents)
        masks = {k: sum(1 << i for i, x in enumerate(kinds) if x == k) for k in "rs"}
        self.builder = ir.Builder(masks["r"], masks["s"])
        self.buffers: list[ir.Buffer] = []
        self.views: list[ir.View] = []
        self.addressing: list[Addressing] = []
        self.params: list[ir.Param] = []
        self.values: list[float | bool | int] = []
        self.inputs: dict[int, Array] = {}
        self.outputs: dict[int, tuple[tuple[int, ...], str]] = {}
        self.guards = False

    def view(self, buffer: int | None, strides: Sequence[int], offset: int = 0) -> int:
        self.views.append(ir.View(buffer, tuple(s != 0 for s in strides)))
        self.addressing.append(Addressing(offset, tuple(strides)))
        return len(self.views) - 1

    def over(self, view: int) -> int:
        return sum(1 << k for k, m in enumerate(self.views[view].moves) if m)

    def input(self, array: Array, dtype: str = "") -> int:
        array = np.asarray(array)
        self.buffers.append(ir.Buffer(dtype or DTYPE_NAME[array.dtype.char]))
        self.inputs[len(self.buffers) - 1] = array
        return len(self.buffers) - 1

    def load(self, array: Array, strides: Sequence[int] | None = None, offset: int = 0) -> ir.V:
        """An array over the axes, of their extents or 1, or with any addressing."""
        array = np.asarray(array)
        if strides is None:
            strides, step = [], 1
            for extent in (*array.shape, *(1,) * (len(self.axes) - array.ndim)):
                strides.append(step if extent != 1 else 0)
                step *= max(extent, 1)
        view = self.view(self.input(array), strides, offset)
        dtype = DTYPE_NAME[array.dtype.char]
        return ir.V(self.builder, self.builder.emit("load", (), dtype, self.over(view), view))

    def gather(self, array: Array, numbers: ir.V) -> ir.V:
        view = self.view(self.input(array), (0,) * len(self.axes))
        dtype = DTYPE_NAME[array.dtype.char]
        over = numbers.over
        return ir.V(self.builder, self.builder.emit("load", (numbers.position,), dtype, over, view))

    def index(self, strides: Sequence[int], offset: int = 0) -> ir.V:
        view = self.view(None, strides, offset)
        return ir.V(self.builder, self.builder.emit("index", (), "i64", self.over(view), view))

    def param(self, value: float | bool | int, dtype: str) -> ir.V:
        self.params.append(ir.Param(dtype))
        self.values.append(value)
        number = len(self.params) - 1
        return ir.V(self.builder, self.builder.emit("param", (), dtype, 0, number))

    def random(
        self, numbers: ir.V, distribution: str, dtype: str, seed: int, position: int
    ) -> ir.V:
        words = (seed & 0xFFFFFFFF, seed >> 32, position & 0xFFFFFFFF, position >> 32)
        args = [numbers, *(self.param(w, "u32") for w in words)]
        return ir.V(
            self.builder,
            self.builder.emit(
                "random", [a.position for a in args], dtype, numbers.over, (distribution, dtype)
            ),
        )

    def store(
        self,
        value: ir.V,
        strides: Sequence[int] | None = None,
        offset: int = 0,
        shape: tuple[int, ...] | None = None,
        buffer: int | None = None,
    ) -> int:
        """Store over the axes that the value varies along, or with any addressing."""
        if strides is None:
            strides, step, sizes = [], 1, []
            for k, extent in enumerate(self.extents):
                moving = value.over >> k & 1
                strides.append(step if moving else 0)
                step *= max(extent, 1) if moving else 1
                sizes.append(extent if moving else 1)
            shape = tuple(sizes)
        if buffer is None:
            assert shape is not None
            self.buffers.append(ir.Buffer(value.dtype, "write"))
            buffer = len(self.buffers) - 1
            self.outputs[buffer] = (shape, value.dtype)
        view = self.view(buffer, strides, offset)
        self.builder.emit("store", (value.position,), value.dtype, self.over(view), view)
        return buffer

    def guard(self, condition: ir.V, bit: int) -> None:
        self.builder.emit("guard", (condition.position,), "bool", 0, bit)
        self.guards = True

    def kernel(self) -> ir.Kernel:
        return ir.Kernel(
            self.axes,
            tuple(self.buffers),
            tuple(self.views),
            tuple(self.params),
            tuple(self.builder.code),
            self.guards,
        )


class Device:
    """A provider that is started."""

    def __init__(self, **options: int) -> None:
        self.provider = InprocessProvider()
        start = StartRequest(name="here", options=tuple(options.items()))
        told = self.provider.capabilities(start)
        assert told is not None
        self.capabilities = told

    def allocate(self, *arrays: tuple[tuple[int, ...], str]) -> tuple[DeviceArray, ...]:
        return self.provider.allocate(AllocateRequest(arrays=arrays))

    def upload(self, *arrays: Array) -> tuple[DeviceArray, ...]:
        fortran = tuple(np.asfortranarray(a) for a in arrays)
        return self.provider.upload(UploadRequest(arrays=fortran))

    def download(self, *handles: DeviceArray) -> list[Array]:
        return list(self.provider.download(DownloadRequest(arrays=handles)).arrays)

    def launch(self, writer: Writer, times: int = 1) -> tuple[list[Array], int]:
        """What a kernel writes the last time, and the status bits."""
        kernel = writer.kernel()
        (executable,) = self.provider.compile(CompileRequest(units=(kernel,)))
        assert executable is not None, "declined"
        slots = []
        for k in range(len(kernel.buffers)):
            if k in writer.inputs:
                slots += self.upload(writer.inputs[k])
            else:
                slots += self.allocate(writer.outputs[k])
        (status,) = self.allocate(((1, 1), "u32"))
        launch = Launch(
            executable,
            tuple(range(len(slots))),
            writer.extents,
            tuple(writer.addressing),
            tuple(range(len(writer.values))),
        )
        request = ExecuteRequest(
            steps=(launch,), slots=tuple(slots), params=tuple(writer.values), status=status
        )
        for _ in range(times):
            assert self.provider.execute(request)
        done = self.provider.download(
            DownloadRequest(arrays=tuple(slots[k] for k in writer.outputs), status=status)
        )
        return list(done.arrays), done.status

    def outputs(self, writer: Writer, times: int = 1) -> list[Array]:
        return self.launch(writer, times)[0]

    def output(self, writer: Writer) -> Array:
        (array,) = self.outputs(writer)
        return array


@pytest.fixture
def new_device() -> Iterator[Callable[..., Device]]:
    made: list[Device] = []

    def make(**options: int) -> Device:
        made.append(Device(**options))
        return made[-1]

    yield make
    for device in made:
        device.provider.close()


@pytest.fixture
def device(new_device: Callable[..., Device]) -> Device:
    return new_device()


@pytest.fixture
def small_blocks(new_device: Callable[..., Device]) -> Device:
    """Blocks so small that little arrays take several, in several passes."""
    return new_device(block=48, threads=2)


@pytest.fixture
def write() -> type[Writer]:
    return Writer
