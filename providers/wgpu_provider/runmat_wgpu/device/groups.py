"""Bind groups: which buffers a dispatch sees, kept as long as the buffers are there."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import attrs

from runmat_wgpu.device.gpu import Gpu

#: How many are kept.
KEPT = 4096

#: Of each storage binding: serial of the buffer, the buffer as C sees it, offset, size.
Seen = tuple[tuple[int, Any, int, int], ...]


@attrs.define(eq=False)
class Group:
    """A bind group; gone when nobody holds it any more, or when it is released."""

    raw: Any
    _lib: Any

    def release(self) -> None:
        """Let go of the buffers that it holds; it must not be used again."""
        raw, self.raw = self.raw, None
        if raw is not None:
            self._lib.wgpuBindGroupRelease(raw)

    def __del__(self) -> None:
        self.release()


class Groups:
    """Bind groups by layout and contents.

    Attributes:
        epoch: grows when groups were dropped: whoever keeps some must look them up again then.
        hits, misses: of look-ups.
    """

    def __init__(self, gpu: Gpu) -> None:
        self._gpu = gpu
        self.epoch = 0
        self.hits = 0
        self.misses = 0
        self._groups: OrderedDict[Any, Group] = OrderedDict()
        self._of: dict[int, set[Any]] = {}

    def get(self, layout: Any, number: int, seen: Seen) -> Group:
        """Return the bind group of a layout.

        Args:
            number: of the layout.
            seen: what each binding sees.
        """
        key = (number, tuple([(serial, start, size) for serial, _, start, size in seen]))
        group = self._groups.get(key)
        if group is not None:
            self.hits += 1
            self._groups.move_to_end(key)
            return group
        self.misses += 1
        group = self._groups[key] = self._made(layout, seen)
        for serial, *_ in seen:
            self._of.setdefault(serial, set()).add(key)
        if len(self._groups) > KEPT:
            self._forget(next(iter(self._groups)))
        return group

    def drop(self, serial: int) -> None:
        """Forget the groups of a buffer that is gone.

        They are released at once: programs that keep them look at `epoch` before they use them, and
        until then they would keep the memory of the buffer.
        """
        for key in tuple(self._of.get(serial, ())):
            self._forget(key).release()

    def clear(self) -> None:
        """Forget all."""
        self._groups.clear()
        self._of.clear()
        self.epoch += 1

    def _forget(self, key: Any) -> Group:
        self.epoch += 1
        group = self._groups.pop(key)
        for serial, *_ in key[1]:
            keys = self._of.get(serial)
            if keys is not None:
                keys.discard(key)
                if not keys:
                    del self._of[serial]
        return group

    def _made(self, layout: Any, seen: Seen) -> Group:
        ffi, lib = self._gpu.ffi, self._gpu.lib
        entries = ffi.new("WGPUBindGroupEntry[]", max(1, len(seen)))
        for number, (_, raw, start, size) in enumerate(seen):
            entry = entries[number]
            entry.binding, entry.buffer, entry.offset, entry.size = number, raw, start, size
        description = ffi.new("WGPUBindGroupDescriptor *")
        description.layout, description.entryCount, description.entries = layout, len(seen), entries
        with self._gpu.checked("the arrays of a kernel"):
            raw = lib.wgpuDeviceCreateBindGroup(self._gpu.raw, description)
        return Group(raw, lib)
