"""Generated shaders on a real adapter, bound the plain way: what the generators are tested with.

It is independent of the provider's own device code: nothing is pooled, cached or overlapped.
"""

from __future__ import annotations

import os
import struct
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from typing import Any

import numpy as np
import pytest
from runmat_wgpu.codegen import Target, template
from runmat_wgpu.codegen.shader import STORAGE, Dispatch, Prepared, Shader
from runmat_wgpu.device.facts import computed, found

from runmat_core.api.device import Addressing
from runmat_core.api.ir import Unit

os.environ.setdefault("XDG_RUNTIME_DIR", tempfile.gettempdir())

WANTED = {"shader-f64", "shader-int64", "subgroup"}
_NUMPY = {"u32": np.uint32, "i32": np.int32, "f32": np.float32, "f64": np.float64}
_NUMPY |= {"u64": np.uint64, "i64": np.int64}
_NUMPY |= {"vec2<f32>": np.complex64, "vec2<f64>": np.complex128}
_PACK = {"f32": "f", "f64": "d", "i64": "q", "u64": "Q", "i8": "i", "i16": "i", "i32": "i"}


@cache
def adapter_device() -> Any:
    """A device; the test is skipped where there is none, unless one is required."""
    try:
        import wgpu
        from wgpu.backends.wgpu_native import extras

        with suppress(RuntimeError):  # another test may have started the instance
            extras.set_instance_extras(backends=["Vulkan"])
        adapter = wgpu.gpu.request_adapter_sync(power_preference="high-performance")
        return adapter.request_device_sync(required_features=sorted(WANTED & set(adapter.features)))
    except (ImportError, RuntimeError) as problem:
        if os.environ.get("RUNMAT_REQUIRE_WGPU"):
            raise
        pytest.skip(f"no adapter: {problem}")


def target(**changes: Any) -> Target:
    """What the adapter can do."""
    device = adapter_device()
    limits = device.limits
    able: dict[str, Any] = {
        "f64": "shader-f64" in device.features,
        "i64": "shader-int64" in device.features,
        "subgroups": "subgroup" in device.features,
        "software": device.adapter.info["adapter_type"] == "CPU",
        "workgroup_bytes": limits["max-compute-workgroup-storage-size"],
        "bindings": limits["max-storage-buffers-per-shader-stage"],
        "binding_bytes": limits["max-storage-buffer-binding-size"],
    }
    return Target(**{**able, **facts(), **changes})


@cache
def facts() -> dict[str, bool]:
    """What the adapter does where WGSL leaves it open."""
    device = adapter_device()
    software = device.adapter.info["adapter_type"] == "CPU"
    return found(device, "shader-f64" in device.features, software)


#: Each invocation tells how many there are in its subgroup.
_SUBGROUP = """
@group(0) @binding(0) var<storage, read> data: array<u32>;
@group(0) @binding(1) var<storage, read_write> told: array<u32>;
@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) t: u32, @builtin(subgroup_size) size: u32) {
    told[t] = size + data[0];
}
"""


@cache
def subgroup() -> int:
    """The size of subgroups here, for tests of code that adapters of one fixed size get."""
    device = adapter_device()
    if "subgroup" not in device.features:
        pytest.skip("no subgroups here")
    sizes = set(computed(device, _SUBGROUP, np.zeros(1, np.uint32), 256).tolist())
    if len(sizes) != 1 or not 4 <= (size := int(sizes.pop())) <= 32:
        pytest.skip("subgroups of other sizes here")
    return size


@cache
def pipeline(shader: Shader) -> Any:
    """The pipeline of a shader, its layouts given in full."""
    device = adapter_device()
    stage = 4  # compute
    kinds = {"read": "read-only-storage", "write": "storage"}
    storage = device.create_bind_group_layout(
        entries=[
            {"binding": k, "visibility": stage, "buffer": {"type": kinds[access]}}
            for k, access in enumerate(shader.access)
        ]
    )
    words = device.create_bind_group_layout(
        entries=[{"binding": 0, "visibility": stage, "buffer": {"type": "uniform"}}]
    )
    made = device.create_compute_pipeline(
        layout=device.create_pipeline_layout(bind_group_layouts=[storage, words]),
        compute={
            "module": device.create_shader_module(code=shader.source),
            "entry_point": "main",
        },
    )
    return made, storage, words


class Machine:
    """Buffers of one launch, and the launch."""

    def __init__(self, unit: Unit, slots: Sequence[np.ndarray], dtypes: Sequence[str]) -> None:
        self.device = adapter_device()
        self.unit = unit
        self.slots = slots
        self.dtypes = dtypes
        self.buffers = [
            self._buffer(np.asarray(s).ravel(order="F").astype(_NUMPY[STORAGE[d]]))
            for s, d in zip(slots, dtypes, strict=True)
        ]
        self.status_buffer = self._buffer(np.zeros(1, np.uint32))
        self.status = 0

    def _buffer(self, data: np.ndarray) -> Any:
        usage = 0x80 | 0x04 | 0x08  # storage, copies from and to
        size = max(16, -(-data.nbytes // 16) * 16)
        buffer = self.device.create_buffer(size=size, usage=usage)
        if data.nbytes:
            self.device.queue.write_buffer(buffer, 0, data)
        return buffer

    def launch(
        self,
        extents: tuple[int, ...],
        views: tuple[Addressing, ...] = (),
        params: Sequence[Any] = (),
        **target_changes: Any,
    ) -> Prepared:
        """Run the unit once; results are then in `result`."""
        prepared = template(self.unit, target(**target_changes)).prepare(extents, views)
        self.submit(prepared, params)
        return prepared

    def submit(self, prepared: Prepared, params: Sequence[Any] = ()) -> None:
        """Run dispatches that are there already."""
        scratch = [
            self.device.create_buffer(size=max(16, -(-n // 16) * 16), usage=0x80 | 0x04 | 0x08)
            for n in prepared.scratch
        ]
        encoder = self.device.create_command_encoder()
        for k in prepared.cleared:
            encoder.clear_buffer(scratch[k])
        for dispatch in prepared.dispatches:
            self._encode(encoder, dispatch, scratch, params)
        self.device.queue.submit([encoder.finish()])
        word = np.frombuffer(self.device.queue.read_buffer(self.status_buffer), np.uint32)
        self.status = int(word[0])

    def _encode(
        self, encoder: Any, dispatch: Dispatch, scratch: Sequence[Any], params: Sequence[Any]
    ) -> None:
        shader = dispatch.shader
        made, storage, words = pipeline(shader)
        packed = bytearray(dispatch.words)
        assert len(packed) == shader.words
        for place, dtype, number in dispatch.params:
            code = _PACK.get(dtype, "I")
            value = params[number]
            struct.pack_into(code, packed, place, value if code in "fd" else int(value))
        for place, number in dispatch.counts:
            struct.pack_into("I", packed, place, np.asarray(self.slots[number]).size)
        entries = []
        reaches = self.device.limits["max-storage-buffer-binding-size"]
        for k, bind in enumerate(dispatch.binds):
            buffer = {
                "slot": lambda b=bind: self.buffers[b.index],
                "scratch": lambda b=bind: scratch[b.index],
                "status": lambda: self.status_buffer,
            }[bind.source]()
            reach = min(buffer.size - bind.offset, reaches)
            size = reach if bind.size is None else bind.size
            assert 0 < size <= reaches
            assert bind.offset % 256 == 0
            resource = {"buffer": buffer, "offset": bind.offset, "size": size}
            entries.append({"binding": k, "resource": resource})
        uniform = self.device.create_buffer_with_data(data=bytes(packed), usage=0x40)
        one = {"buffer": uniform, "offset": 0, "size": uniform.size}
        group = self.device.create_bind_group(layout=storage, entries=entries)
        last = self.device.create_bind_group(
            layout=words, entries=[{"binding": 0, "resource": one}]
        )
        work = encoder.begin_compute_pass()
        work.set_pipeline(made)
        work.set_bind_group(0, group)
        work.set_bind_group(1, last)
        work.dispatch_workgroups(*dispatch.grid)
        work.end()

    def result(self, slot: int) -> np.ndarray:
        """What a slot holds now, in its own element type."""
        count = np.asarray(self.slots[slot]).size
        stored = _NUMPY[STORAGE[self.dtypes[slot]]]
        data = np.frombuffer(self.device.queue.read_buffer(self.buffers[slot]), stored)[:count]
        return data.astype(np.asarray(self.slots[slot]).dtype)
