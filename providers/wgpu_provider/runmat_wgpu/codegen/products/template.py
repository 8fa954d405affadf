"""Launches of products: which shaders run, over which sizes, and what passes between them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cached_property

import attrs

from runmat_core.api.device import Addressing, DeviceFault
from runmat_core.api.ir import LibraryCall
from runmat_wgpu.codegen import kernels
from runmat_wgpu.codegen.kernels.draft import Written
from runmat_wgpu.codegen.products.call import Product, product, storing, whole
from runmat_wgpu.codegen.products.ending import (
    THREADS,
    ending_for,
    gathering,
    is_elementwise,
    is_short,
)
from runmat_wgpu.codegen.products.packing import packing
from runmat_wgpu.codegen.products.stages import Pack, Size, Stages
from runmat_wgpu.codegen.shader import (
    STORED_BYTES,
    Bind,
    Dispatch,
    Prepared,
    Target,
    Template,
)

#: Threads that share the parts of an element, where there are `FEW` elements and many parts.
GATHERING, FEW = 16, 1 << 15


class ProductTemplate:
    """A product, with shaders made as launches need them.

    Raises:
        DeclinedError: it is not for this target.
    """

    def __init__(self, call: LibraryCall, target: Target) -> None:
        self.product = product(call, target)
        self.target = target
        self._written: dict[Hashable, Written] = {}
        #: the ending as a kernel over the product in memory; what is asked for later may not fail
        self._ending: Template | None = None
        if call.epilogue is not None:
            self._ending = kernels.template(call.epilogue, target)
            self._ending.source  # noqa: B018 (it may be declined)
        self._plainly = call.epilogue is None

    @cached_property
    def source(self) -> str:
        """Return the text of a product of large matrices."""
        size = Size(4096, 4096, 4096)
        stage = Stages(self._stored, self.target).of(size)
        ending = ending_for(self._stored, (whole(size.m),) * 2, size.m)
        return stage.make(ending, stage.parts > 1 or self.product.syrk).shader.source

    @property
    def _stored(self) -> Product:
        """The product without its ending."""
        return attrs.evolve(self.product, ending=storing(self.product.dtype))

    def prepare(self, extents: tuple[int, ...], views: tuple[Addressing, ...]) -> Prepared:
        """Return the dispatches of a product of extents (m, n, k).

        Raises:
            DeviceFault: an array is larger than a binding of the target.
        """
        size = Size(*extents)
        if size.m == 0 or size.n == 0:
            return Prepared(())
        itemsize = STORED_BYTES[self.product.dtype]
        inputs = size.k * (size.m + (0 if self.product.syrk else size.n)) * itemsize
        largest = max(size.m * size.k, size.n * size.k, size.m * size.n) * itemsize
        limit = self.target.binding_bytes
        if largest > limit:
            raise DeviceFault(f"Products on this device take matrices of up to {limit} bytes.")
        if self._plainly:
            views = (whole(size.m),) * 2
        elementwise = is_elementwise(self.product.ending, views, size.m, size.n)
        if elementwise and self._in_store():
            dispatches, scratch = self._multiply(self.product, size, views)
            written = size.m * size.n * itemsize
            return Prepared(dispatches, scratch, (), inputs, written)
        return self._then(size, views, inputs)

    def _in_store(self) -> bool:
        """Whether an elementwise ending goes into the shader that multiplies."""
        kernel = self.product.kernel
        return is_short(kernel) and len(kernel.buffers) + kernel.guards <= self.target.bindings

    # -- dispatches -----------------------------------------------------------------------------

    def _multiply(
        self, asked: Product, size: Size, views: Sequence[Addressing]
    ) -> tuple[tuple[Dispatch, ...], tuple[int, ...]]:
        """Return the product and its elementwise ending: dispatches, and bytes of scratch."""
        stage = Stages(asked, self.target).of(size)
        ending = ending_for(asked, views, size.m)
        parts = stage.parts > 1 or asked.syrk
        key = (stage.key, asked.ending, ending, parts)
        written = self._made(key, lambda: stage.make(ending, parts))
        grid = (*_spread(stage.count, self.target), stage.parts)
        first = self._dispatch(asked, written, grid, size, views, stage.words)
        page = size.m * size.n * STORED_BYTES[asked.dtype]
        scratch = [stage.parts * page] if parts else []
        before, copies = [], {}
        for pack in stage.packs:
            copies[asked.slot(pack.operand.buffer)] = len(scratch)
            before.append(self._pack(asked, pack, size, len(scratch)))
            scratch.append(pack.nbytes)
        multiplied = (*before, _moved(first, copies, 0))
        if not parts:
            return multiplied, tuple(scratch)
        lanes = GATHERING if stage.parts >= GATHERING and size.m * size.n <= FEW else 1
        second_key = ("gathering", asked.ending, ending, lanes)
        gather = self._made(second_key, lambda: gathering(asked, ending, lanes, self.target))
        groups = -(-size.m * size.n * lanes // THREADS)
        words = {"parts": stage.parts, "page": size.m * size.n}
        grid = (*_spread(groups, self.target), 1)
        second = self._dispatch(asked, gather, grid, size, views, words)
        return (*multiplied, second), tuple(scratch)

    def _pack(self, asked: Product, pack: Pack, size: Size, place: int) -> Dispatch:
        """Return the copy of a factor to `Prepared.scratch` number `place`."""
        key = ("packing", pack.operand, asked.ending)
        written = self._made(key, lambda: packing(asked, pack.operand, self.target))
        grid = (*_spread(pack.count, self.target), 1)
        words = written.words.pack((size.m, size.n), (), pack.words)
        binds = asked.rebound(written.binds)
        return _moved(Dispatch(written.shader, grid, binds, words), {}, place)

    def _then(self, size: Size, views: tuple[Addressing, ...], inputs: int) -> Prepared:
        """Return the product in memory of its own, and its ending as a kernel over that."""
        assert self._ending is not None
        plainly = (whole(size.m),) * 2
        dispatches, scratch = self._multiply(self._stored, size, plainly)
        place = len(scratch)
        own = self._stored.slot(1)
        # the views that these know are not those of the launch
        plain = [attrs.evolve(d, offsets=(), multiples=()) for d in dispatches]
        multiplied = [_moved(d, {own: place}, 0) for d in plain]
        ended = self._ending.prepare((size.m, size.n), views)
        slots = {k: self.product.slot(k) for k in range(1, len(self.product.ending.buffers))}
        further = [_moved(d, {0: place}, place + 1, slots) for d in ended.dispatches]
        page = size.m * size.n * STORED_BYTES[self.product.dtype]
        return Prepared(
            (*multiplied, *further),
            (*scratch, page, *ended.scratch),
            tuple(k + place + 1 for k in ended.cleared),
            inputs + max(0, ended.reads - page),
            ended.writes,
        )

    def _made(self, key: Hashable, make: Callable[[], Written]) -> Written:
        if key not in self._written:
            self._written[key] = make()
        return self._written[key]

    def _dispatch(
        self,
        asked: Product,
        written: Written,
        grid: tuple[int, int, int],
        size: Size,
        views: Sequence[Addressing],
        words: Mapping[str, int],
    ) -> Dispatch:
        packed = written.words.pack((size.m, size.n), views, words)
        movable = [o for o in written.words.offsets if o[1] not in written.fixed]
        return Dispatch(
            written.shader,
            grid,
            asked.rebound(written.binds),
            packed,
            written.words.params,
            tuple(movable),
            multiples=written.multiples,
        )


def _moved(
    dispatch: Dispatch,
    own: Mapping[int, int],
    shift: int,
    slots: Mapping[int, int] | None = None,
) -> Dispatch:
    """Return a dispatch with some slots in memory of the launch's own.

    Args:
        own: slots that become `Prepared.scratch` of these numbers.
        shift: what is added to the numbers of other such memory.
        slots: new numbers of the remaining slots; None where they stay.
    """

    def moved(bind: Bind) -> Bind:
        if bind.source == "scratch":
            return attrs.evolve(bind, index=bind.index + shift)
        if bind.source != "slot":
            return bind
        if bind.index in own:
            return attrs.evolve(bind, source="scratch", index=own[bind.index])
        return bind if slots is None else attrs.evolve(bind, index=slots[bind.index])

    counts = tuple((place, slots[k] if slots else k) for place, k in dispatch.counts)
    return attrs.evolve(dispatch, binds=tuple(moved(b) for b in dispatch.binds), counts=counts)


def _spread(count: int, target: Target) -> tuple[int, int]:
    """Return a grid of at least `count` workgroups along two dimensions."""
    rows = -(-count // target.groups)
    return -(-count // rows), rows
