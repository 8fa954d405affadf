"""Executables, and their launches of known sizes: pipelines found, places of scalars compiled."""

from __future__ import annotations

import struct
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import attrs

from runmat_core.api.device import Addressing
from runmat_core.api.ir import Unit
from runmat_wgpu.codegen.shader import STORAGE, Bind, Dispatch, Prepared, Template
from runmat_wgpu.device.emitted import Entry
from runmat_wgpu.device.pipelines import Pipeline, Pipelines

#: How many launches of one executable are kept.
KEPT = 64

#: Puts a scalar at a byte of a block.
Packer = Callable[[Any, int, Any], None]


@attrs.frozen(eq=False)
class Move:
    """A dispatch, its shader compiled.

    Attributes:
        words: contents of ``P``.
        patches: (byte, element type, index into the launch's params).
        offsets: (byte, view), see `Dispatch.offsets`.
        counts: (byte, index into the launch's slots), see `Dispatch.counts`.
        multiples: (view, elements), see `Dispatch.multiples`.
    """

    pipeline: Pipeline
    grid: tuple[int, int, int]
    binds: tuple[Bind, ...]
    words: bytes
    patches: tuple[tuple[int, str, int], ...]
    offsets: tuple[tuple[int, int], ...]
    counts: tuple[tuple[int, int], ...] = ()
    multiples: tuple[tuple[int, int], ...] = ()


@attrs.frozen(eq=False)
class Plan:
    """A launch of known sizes.

    Attributes:
        written: which of the launch's slots some dispatch writes, by position.
        scratch, cleared, reads, writes: see `Prepared`.
    """

    moves: tuple[Move, ...]
    written: frozenset[int]
    scratch: tuple[int, ...]
    cleared: frozenset[int]
    reads: int
    writes: int


class Compiled:
    """The payload of an executable: a unit as generated, and its launches.

    Args:
        template: makes the template, which is needed for launches that are not in the entry.
        entry: what is on disk of the unit.
    """

    def __init__(
        self, unit: Unit, template: Callable[[], Template], entry: Entry | None = None
    ) -> None:
        self.unit = unit
        self._template = template
        self._entry = entry
        self._plans: OrderedDict[Any, Plan] = OrderedDict()
        self._begun: dict[Any, Prepared] = {}

    def begin(
        self,
        extents: tuple[int, ...],
        views: tuple[Addressing, ...],
        pipelines: Pipelines,
        prepared: Prepared | None = None,
        until: float | None = None,
    ) -> None:
        """Have the pipelines of a launch made beside, for `plan` to find.

        Args:
            prepared: the launch as generated, if it was.
            until: see `Workers.begin`.
        """
        key = (extents, views)
        if key in self._plans:
            return
        found = self._begun.get(key)
        if found is None:
            found = self._begun[key] = self._prepared(extents, views, prepared)
        for dispatch in found.dispatches:
            pipelines.begin(dispatch.shader, until)

    def plan(
        self, extents: tuple[int, ...], views: tuple[Addressing, ...], pipelines: Pipelines
    ) -> Plan:
        """Return the launch of these sizes.

        Raises:
            InvalidShaderError: a shader of it is not valid.
        """
        key = (extents, views)
        plan = self._plans.get(key)
        if plan is None:
            prepared = self._begun.pop(key, None) or self._prepared(extents, views)
            plan = self._plans[key] = _plan(prepared, pipelines, self.unit.name)
            if len(self._plans) > KEPT:
                self._plans.popitem(last=False)
        return plan

    def _prepared(
        self,
        extents: tuple[int, ...],
        views: tuple[Addressing, ...],
        generated: Prepared | None = None,
    ) -> Prepared:
        entry = self._entry
        prepared = None if entry is None else entry.launch(extents, views)
        if prepared is None:
            prepared = generated or self._template().prepare(extents, views)
            if entry is not None:
                entry.add(extents, views, prepared)
        return prepared


def _plan(prepared: Prepared, pipelines: Pipelines, label: str) -> Plan:
    return Plan(
        moves=tuple([_move(dispatch, pipelines, label) for dispatch in prepared.dispatches]),
        written=frozenset(
            bind.index
            for dispatch in prepared.dispatches
            for bind, access in zip(dispatch.binds, dispatch.shader.access, strict=True)
            if bind.source == "slot" and access == "write"
        ),
        scratch=prepared.scratch,
        cleared=frozenset(prepared.cleared),
        reads=prepared.reads,
        writes=prepared.writes,
    )


def _move(dispatch: Dispatch, pipelines: Pipelines, label: str) -> Move:
    return Move(
        pipelines.get(dispatch.shader, label),
        dispatch.grid,
        dispatch.binds,
        dispatch.words,
        dispatch.params,
        dispatch.offsets,
        dispatch.counts,
        dispatch.multiples,
    )


# -- scalars as bytes -----------------------------------------------------------------------------

_F32 = struct.Struct("<f").pack_into
_F64 = struct.Struct("<d").pack_into
_U32 = struct.Struct("<I").pack_into
_U64 = struct.Struct("<Q").pack_into


def _pack_f32(block: Any, place: int, value: Any) -> None:
    try:
        _F32(block, place, value)
    except OverflowError:  # rounds to infinity
        _F32(block, place, float("inf") if value > 0 else float("-inf"))


def _pack_32(block: Any, place: int, value: Any) -> None:
    _U32(block, place, int(value) & 0xFFFFFFFF)


def _pack_64(block: Any, place: int, value: Any) -> None:
    _U64(block, place, int(value) & 0xFFFFFFFFFFFFFFFF)


_OF_STORAGE: dict[str, Packer] = {
    "f32": _pack_f32,
    "f64": _F64,
    "i32": _pack_32,
    "u32": _pack_32,
    "i64": _pack_64,
    "u64": _pack_64,
}
#: By element type; integers wrap around.
PACK: dict[str, Packer] = {
    dtype: _OF_STORAGE[wgsl] for dtype, wgsl in STORAGE.items() if wgsl in _OF_STORAGE
}
