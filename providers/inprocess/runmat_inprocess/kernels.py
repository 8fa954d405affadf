"""Compiled kernels: a program, and the layouts of the launches that it has seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from runmat_core.api.device import Addressing
from runmat_core.api.ir import ITEMSIZE, Kernel
from runmat_core.api.tuples import NamedTuple
from runmat_inprocess import philox
from runmat_inprocess.compiler import UNLINKED, Linker, Program, attr
from runmat_inprocess.frames import Call
from runmat_inprocess.layouts import Layout, layout_for
from runmat_inprocess.pool import Pool

if TYPE_CHECKING:
    from runmat_inprocess.boxes import Box

#: Layouts kept for each kernel, the ones used last first.
LAYOUTS = 16


class _Known(NamedTuple):
    extents: tuple[int, ...]
    views: tuple[Addressing, ...]
    late_stores: bool
    layout: Layout
    reduced: int
    read: int
    written: int


class CompiledKernel:
    """A kernel ready to be launched.

    Raises:
        DeclinedError: it cannot run here.
    """

    def __init__(self, kernel: Kernel, block: int, linker: Linker = UNLINKED) -> None:
        self.kernel = kernel
        self.program = Program(kernel, linker)
        self.block = block
        self.draws = any(instr.op == "random" for instr in kernel.code)
        self.writes = [k for k, b in enumerate(kernel.buffers) if b.access == "write"]
        self.by_number = any(instr.op == "load" and instr.args for instr in kernel.code)
        self._known: list[_Known] = []
        self._boxes: dict[Any, list[tuple[CompiledKernel, Box]]] = {}
        self._of_box: dict[Kernel, CompiledKernel] = {}

    def run(
        self,
        buffers: Sequence[Any],
        extents: tuple[int, ...],
        views: tuple[Addressing, ...],
        params: Sequence[float | bool | int],
        pool: Pool,
    ) -> tuple[int, int]:
        """Run a launch on flat arrays; bytes read and written.

        Args:
            params: in the order of the kernel's.
        """
        if self.draws:
            philox.WORDS.settle()
        late_stores = False
        if len(self.writes) < len(buffers):
            buffers, late_stores = self._apart(buffers, views)
        if self.by_number and not late_stores:
            parts = self._in_boxes(buffers, extents, views)
            if parts:
                for kernel, box in parts:
                    kernel.run(buffers, box.extents, box.views, params, pool)
                return self._traffic(extents)
        known = self._layout(extents, views, late_stores)
        scalars = self.program.values(params, known.reduced) if self.program.scalars else ()
        known.layout.run(Call(buffers, scalars), pool)
        return known.read, known.written

    def _in_boxes(
        self, buffers: Sequence[Any], extents: tuple[int, ...], views: tuple[Addressing, ...]
    ) -> Sequence[tuple[CompiledKernel, Box]]:
        """Return the kernels of the parts of a launch, where it is better run in parts."""
        key = extents, views, tuple([buffer.size for buffer in buffers])
        if key not in self._boxes:
            if len(self._boxes) >= LAYOUTS:  # one that moves all the time is run as it is
                self.by_number = False
                return ()
            from runmat_inprocess.boxes import boxes

            found = boxes(self.kernel, *key)
            self._boxes[key] = [(self._kernel_of(box), box) for box in found or ()]
        return self._boxes[key]

    def _kernel_of(self, box: Box) -> CompiledKernel:
        found = self._of_box.get(box.kernel)
        if found is None:
            found = self._of_box[box.kernel] = CompiledKernel(box.kernel, self.block)
        return found

    def _layout(
        self, extents: tuple[int, ...], views: tuple[Addressing, ...], late_stores: bool
    ) -> _Known:
        found = self._known
        for k, known in enumerate(found):
            if (
                known.extents == extents
                and known.views == views
                and known.late_stores == late_stores
            ):
                if k:
                    found.insert(0, found.pop(k))
                return known
        layout = layout_for(self.program, extents, views, self.block, late_stores)
        reduced = 1
        for k in self.kernel.axes_of("reduce"):
            reduced *= extents[k]
        read, written = self._traffic(extents)
        known = _Known(extents, views, late_stores, layout, reduced, read, written)
        found.insert(0, known)
        del found[LAYOUTS:]
        return known

    def _traffic(self, extents: tuple[int, ...]) -> tuple[int, int]:
        """Bytes that the views read and write, each once."""
        totals = {"read": 0, "write": 0}
        for view in self.kernel.views:
            if view.buffer is None:
                continue
            buffer = self.kernel.buffers[view.buffer]
            size = ITEMSIZE[buffer.dtype]
            for moves, extent in zip(view.moves, extents, strict=True):
                size *= extent if moves else 1
            totals[buffer.access] += size
        return totals["read"], totals["write"]

    def _apart(
        self, buffers: Sequence[Any], views: tuple[Addressing, ...]
    ) -> tuple[Sequence[Any], bool]:
        """Return inputs that lie in the memory of an output, made safe to read.

        Where every view of the memory shows the same elements, it is enough to write late; else
        the input is copied.
        """
        distinct = set(map(id, buffers))
        if len(distinct) == len(buffers):
            return buffers, False
        written = {id(buffers[k]) for k in self.writes}
        shared = [k for k, b in enumerate(buffers) if id(b) in written and k not in self.writes]
        if not shared:
            return buffers, False
        seen = {
            addressing
            for view, addressing in zip(self.kernel.views, views, strict=True)
            if view.buffer is not None and id(buffers[view.buffer]) in written
        }
        plain = not self.program.reductions and not self.kernel.axes_of("serial")
        maps_only = plain and not self._gathers(shared)
        if maps_only and len(seen) == 1:
            return buffers, True
        return [b.copy() if k in shared else b for k, b in enumerate(buffers)], False

    def _gathers(self, shared: Sequence[int]) -> bool:
        return any(
            instr.op == "load" and instr.args and self.kernel.views[attr(instr)].buffer in shared
            for instr in self.kernel.code
        )
