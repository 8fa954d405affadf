"""The hooks. Each takes one request and hands it to the module that does the work."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

from runmat_core.api.device import (
    DTYPE_NAME,
    NUMPY_DTYPE,
    AllocateRequest,
    Capabilities,
    CompileRequest,
    Copy,
    DeviceArray,
    Downloaded,
    DownloadRequest,
    Executable,
    ExecuteRequest,
    ForeignHandle,
    FreeRequest,
    Launch,
    ProviderTelemetry,
    Repeat,
    StartRequest,
    SynchronizeRequest,
    TelemetryRequest,
    UploadRequest,
    WarmupRequest,
)
from runmat_core.api.hookspecs import hookimpl
from runmat_core.api.ir import CLASS_OF, Unit
from runmat_wgpu import codegen
from runmat_wgpu.codegen.shader import STORAGE, DeclinedError, Dispatch, Shader, Target
from runmat_wgpu.device import adapter as adapters
from runmat_wgpu.options import Options, read_options

_STORED: dict[str, Any] = {"u32": np.uint32, "i32": np.int32, "f32": np.float32}
_STORED |= {"f64": np.float64, "u64": np.uint64, "i64": np.int64}
_CODE = {"f32": "f", "f64": "d", "i64": "q", "u64": "Q", "i8": "i", "i16": "i", "i32": "i"}


class WgpuProvider:
    """A GPU, through wgpu."""

    def __init__(self) -> None:
        self.options = Options()
        self.name = ""
        self.live = self.live_bytes = self.launches = self.compiles = 0
        self.pipelines: dict[Shader, Any] = {}

    @hookimpl
    def capabilities(self, request: StartRequest) -> Capabilities | None:
        """Start: find the adapter and make the device."""
        self.name = request.name
        self.options = read_options(request.options)
        if request.auto and not adapters.hardware_is_possible():
            return None
        found = adapters.find(self.options)
        if found is None:
            return None
        self.device = found.handle.request_device_sync(required_features=found.wanted)
        limits = self.device.limits
        features = self.device.features
        self.target = Target(
            f64="shader-f64" in features,
            i64="shader-int64" in features,
            subgroups="subgroup" in features,
            software=found.software,
            invocations=limits["max-compute-invocations-per-workgroup"],
            workgroup_bytes=limits["max-compute-workgroup-storage-size"],
            groups=limits["max-compute-workgroups-per-dimension"],
            bindings=limits["max-storage-buffers-per-shader-stage"],
            binding_bytes=limits["max-storage-buffer-binding-size"],
            alignment=limits["min-storage-buffer-offset-alignment"],
        )
        missing = set() if self.target.f64 else {"f64"}
        missing |= set() if self.target.i64 else {"i64", "u64"}
        return Capabilities(
            name=found.name,
            kind="device",
            dtypes=frozenset(CLASS_OF) - missing,
            libraries=frozenset(codegen.LIBRARIES),
            epilogues=True,
            max_buffer_bytes=limits["max-buffer-size"],
            max_buffers=self.target.bindings - 1,
            software=found.software,
            driver=found.driver,
        )

    # -- memory ---------------------------------------------------------------------------------

    def _buffer(self, nbytes: int) -> Any:
        size = max(16, -(-nbytes // 16) * 16)
        return self.device.create_buffer(size=size, usage=0x80 | 0x04 | 0x08)

    def _make(self, shape: tuple[int, ...], dtype: str) -> DeviceArray:
        handle = DeviceArray(shape, dtype, self.name)
        handle.payload = self._buffer(handle.size * np.dtype(_STORED[STORAGE[dtype]]).itemsize)
        self.live += 1
        return handle

    def _data(self, handle: DeviceArray) -> Any:
        if handle.owner != self.name or handle.payload is None:
            raise ForeignHandle(f"This handle is not, or no longer, one of '{self.name}'.")
        return handle.payload

    @hookimpl
    def allocate(self, request: AllocateRequest) -> tuple[DeviceArray, ...]:
        return tuple(self._make(shape, dtype) for shape, dtype in request.arrays)

    @hookimpl
    def upload(self, request: UploadRequest) -> tuple[DeviceArray, ...]:
        made = []
        for array in request.arrays:
            handle = self._make(array.shape, DTYPE_NAME[array.dtype.char])
            stored = array.ravel(order="F").astype(_STORED[STORAGE[handle.dtype]])
            if stored.nbytes:
                self.device.queue.write_buffer(handle.payload, 0, stored)
                self.device.queue.submit([])
            made.append(handle)
        return tuple(made)

    @hookimpl
    def download(self, request: DownloadRequest) -> Downloaded:
        arrays = []
        for handle in request.arrays:
            stored = _STORED[STORAGE[handle.dtype]]
            raw = self.device.queue.read_buffer(self._data(handle))
            flat = np.frombuffer(raw, stored)[: handle.size].astype(NUMPY_DTYPE[handle.dtype])
            arrays.append(flat.reshape(handle.shape, order="F"))
        status = 0
        if request.status is not None:
            raw = self.device.queue.read_buffer(self._data(request.status))
            status = int(np.frombuffer(raw, np.uint32)[0])
        return Downloaded(arrays=tuple(arrays), status=status)

    @hookimpl
    def free(self, request: FreeRequest) -> bool:
        for handle in request.arrays:
            self._data(handle)
            handle.payload = None
            self.live -= 1
        return True

    # -- computing ------------------------------------------------------------------------------

    @hookimpl
    def compile(self, request: CompileRequest) -> tuple[Executable | None, ...]:
        return tuple(self._compile(unit) for unit in request.units)

    def _compile(self, unit: Unit) -> Executable | None:
        try:
            template = codegen.template(unit, self.target)
        except DeclinedError:
            return None
        self.compiles += 1
        return Executable(unit, self.name, template, source=template.source)

    @hookimpl
    def execute(self, request: ExecuteRequest) -> bool:
        slots = [self._data(handle) for handle in request.slots]
        status = None if request.status is None else self._data(request.status)
        params = list(request.params)
        for step in request.steps:
            if isinstance(step, Repeat):
                slots = self._repeat(step, slots, params, status)
            else:
                self._step(step, slots, params, status, ())
        return True

    def _repeat(self, repeat: Repeat, slots: list[Any], params: list[Any], status: Any) -> Any:
        for trip in range(repeat.count):
            for k, step in enumerate(repeat.steps):
                moves = tuple((v, by * trip) for at, v, by in repeat.moves if at == k)
                self._step(step, slots, params, status, moves)
            turned = list(slots)
            for slot, stands_for in repeat.rotation:
                turned[slot] = slots[stands_for]
            slots = turned
            for at, by in repeat.advance:
                if isinstance(by, int):
                    value = (int(params[at]) | int(params[at + 1]) << 32) + by
                    params[at], params[at + 1] = value & 0xFFFFFFFF, value >> 32 & 0xFFFFFFFF
                else:
                    params[at] += by
        return slots

    def _step(self, step: Launch | Copy, slots: Any, params: Any, status: Any, moves: Any) -> None:
        encoder = self.device.create_command_encoder()
        if isinstance(step, Copy):
            source, target = slots[step.source], slots[step.target]
            encoder.copy_buffer_to_buffer(source, 0, target, 0, min(source.size, target.size))
        else:
            template: Any = step.executable.payload
            prepared = template.prepare(step.extents, step.views)
            scratch = [self._buffer(n) for n in prepared.scratch]
            for k in prepared.cleared:
                encoder.clear_buffer(scratch[k])
            own = [slots[s] for s in step.slots]
            values = [params[p] for p in step.params]
            for dispatch in prepared.dispatches:
                self._dispatch(encoder, dispatch, (own, scratch, status), values, dict(moves))
            self.launches += 1
        self.device.queue.submit([encoder.finish()])

    def _dispatch(
        self, encoder: Any, dispatch: Dispatch, memory: Any, values: Any, moves: dict[int, int]
    ) -> None:
        pipeline, storage, uniform = self._pipeline(dispatch.shader)
        own, scratch, status = memory
        packed = bytearray(dispatch.words)
        for place, dtype, number in dispatch.params:
            code = _CODE.get(dtype, "I")
            value = values[number]
            struct.pack_into(code, packed, place, value if code in "fd" else int(value))
        for place, view in dispatch.offsets:
            (offset,) = struct.unpack_from("i", packed, place)
            struct.pack_into("i", packed, place, offset + moves.get(view, 0))
        entries = []
        for k, bind in enumerate(dispatch.binds):
            buffer = {"slot": own, "scratch": scratch, "status": [status]}[bind.source][bind.index]
            size = buffer.size - bind.offset if bind.size is None else bind.size
            resource = {"buffer": buffer, "offset": bind.offset, "size": size}
            entries.append({"binding": k, "resource": resource})
        words = self.device.create_buffer_with_data(data=bytes(packed), usage=0x40)
        one = {"buffer": words, "offset": 0, "size": words.size}
        work = encoder.begin_compute_pass()
        work.set_pipeline(pipeline)
        group = self.device.create_bind_group(layout=storage, entries=entries)
        work.set_bind_group(0, group)
        last = [{"binding": 0, "resource": one}]
        work.set_bind_group(1, self.device.create_bind_group(layout=uniform, entries=last))
        work.dispatch_workgroups(*dispatch.grid)
        work.end()

    def _pipeline(self, shader: Shader) -> Any:
        known = self.pipelines.get(shader)
        if known is not None:
            return known
        device = self.device
        kinds = {"read": "read-only-storage", "write": "storage"}
        storage = device.create_bind_group_layout(
            entries=[
                {"binding": k, "visibility": 4, "buffer": {"type": kinds[access]}}
                for k, access in enumerate(shader.access)
            ]
        )
        words = device.create_bind_group_layout(
            entries=[{"binding": 0, "visibility": 4, "buffer": {"type": "uniform"}}]
        )
        layout = device.create_pipeline_layout(bind_group_layouts=[storage, words])
        module = device.create_shader_module(code=shader.source)
        made = device.create_compute_pipeline(
            layout=layout, compute={"module": module, "entry_point": "main"}
        )
        self.pipelines[shader] = made, storage, words
        return self.pipelines[shader]

    # -- the rest -------------------------------------------------------------------------------

    @hookimpl
    def synchronize(self, request: SynchronizeRequest) -> bool:
        self.device._poll(True)
        return True

    @hookimpl
    def warmup(self, request: WarmupRequest) -> bool:
        for unit in request.units:
            self._compile(unit)
        return True

    @hookimpl
    def telemetry(self, request: TelemetryRequest) -> ProviderTelemetry:
        return ProviderTelemetry(
            launches=self.launches, live_arrays=self.live, compiles=self.compiles
        )

    @hookimpl
    def close(self) -> bool:
        self.pipelines.clear()
        return True
