"""``sort``: stable radix sort along an axis.

The order of elements is that of unsigned keys, computed from their bits where they are needed. What
moves is the element itself, bits unchanged, so signed zeros and NaN are kept, and its number where
places are wanted. A slice that fits a workgroup's memory is sorted there in one dispatch. Of longer
ones each pass takes a digit, the lowest first: it counts digits tile by tile, sums the counts along
the tiles, and moves the elements of each tile to their places, all slices at once. How a tile is
ranked, and how many bits a digit has, is a matter of `ranking`.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import attrs

from runmat_core.api.device import Addressing, DeviceFault
from runmat_core.api.ir import COMPLEX, LibraryCall, Unit
from runmat_wgpu.codegen.shader import (
    STORED_BYTES,
    Bind,
    DeclinedError,
    Dispatch,
    Prepared,
    Target,
)
from runmat_wgpu.codegen.sorting.ranking import Ballots, Columns, Ranking
from runmat_wgpu.codegen.sorting.shaders import Shaders

#: Elements of a thread: with columns, with ballots.
FEW, MANY = 8, 16


@attrs.frozen
class Sort:
    """A template of ``sort``: see `runmat_core.api.ir.calls`."""

    shaders: Shaders
    axis: int
    target: Target

    @property
    def source(self) -> str:
        return self.shaders.scatter(last=True).source

    def prepare(self, extents: tuple[int, ...], views: tuple[Addressing, ...]) -> Prepared:
        """See `Template`; `extents` are those of the array."""
        n = extents[self.axis]
        inner = size = 1
        for k, extent in enumerate(extents):
            size *= extent
            inner *= extent if k < self.axis else 1
        if not size:
            return Prepared(())
        shaders = self.shaders
        width = STORED_BYTES[shaders.dtype]
        if size * (8 if shaders.places else width) > self.target.binding_bytes:
            raise DeviceFault(f"An array of {size} elements is too large to sort on this device.")
        traffic = size * width
        wrote = traffic + 8 * size * shaders.places
        if n <= shaders.tile:
            words = packed(n, 1, size // n, inner, inner)
            slots = tuple(Bind("slot", k) for k in range(2 + shaders.places))
            grid = self.target.grid(size // n)
            local = self._shorter(n).local()
            return Prepared((Dispatch(local, grid, slots, words),), (), (), traffic, wrote)
        tiles, slices = -(-n // shaders.tile), size // n
        counts = 4 * slices * shaders.digits
        numbered = [4 * size] * 2 * shaders.places
        bits = range(0, shaders.bits, shaders.ranking.bits)
        elements = (Bind("slot", 0), *between(2, bits), Bind("slot", 1))
        numbers = (Bind("scratch", 5), *between(4, bits), Bind("slot", 2))
        area = Area(n, slices, Bind("scratch", 0), Bind("scratch", 1), inner, shaders.places)
        steps = passes(shaders, self.target, bits, elements, numbers, area)
        scratch = (counts * tiles, counts, traffic, traffic, *numbered)
        return Prepared(tuple(steps), scratch, (), traffic, wrote)

    def _shorter(self, n: int) -> Shaders:
        """Shaders whose tile is no larger than slices of `n` elements need."""
        per = 1
        while per * self.shaders.threads < n:
            per *= 2
        ranking: Any = self.shaders.ranking
        return attrs.evolve(self.shaders, ranking=attrs.evolve(ranking, per=per))


@attrs.frozen
class Area:
    """Sizes and memory that the passes of a sort share.

    Attributes:
        n: elements of a slice.
        slices: how many there are.
        counts: memory for a count of each digit in each tile of each slice.
        totals: memory for a count of each digit in each slice.
        inner: elements between neighbours of a slice before the first pass and after the last.
        places: whether the last pass writes places, not numbers.
    """

    n: int
    slices: int
    counts: Bind
    totals: Bind
    inner: int = 1
    places: bool = False


def between(start: int, bits: range) -> list[Bind]:
    """Return two arrays of scratch, from `start` on, in turn: one after each pass but the last."""
    return [Bind("scratch", start + k % 2) for k in range(len(bits) - 1)]


def passes(
    shaders: Shaders,
    target: Target,
    bits: range,
    elements: Sequence[Bind],
    numbers: Sequence[Bind],
    area: Area,
) -> list[Dispatch]:
    """Return the dispatches that sort slices, a digit in each pass.

    Args:
        bits: the lowest bit of each digit.
        elements: where they are before the first pass and after each one.
        numbers: the same of their numbers, which the first pass does not read; used where
            `Shaders.places`.
    """
    n, slices = area.n, area.slices
    tiles = -(-n // shaders.tile)
    everywhere = target.grid(tiles * slices)
    by_digit = target.grid(slices * shaders.digits)
    count, total = shaders.count(), shaders.total()
    steps: list[Dispatch] = []
    for k, bit in enumerate(bits):
        first, last = k == 0, k == len(bits) - 1
        origin, goal = area.inner if first else 1, area.inner if last else 1
        words = packed(n, tiles, slices, origin, goal, bit, first)
        x, y = elements[k : k + 2]
        steps.append(Dispatch(count, everywhere, (x, area.counts), words))
        steps.append(Dispatch(total, by_digit, (area.counts, area.totals), words))
        binds = [x, area.counts, area.totals, y]
        if shaders.places:
            binds.insert(1, numbers[k])
            binds.append(numbers[k + 1])
        scatter = shaders.scatter(last and area.places)
        steps.append(Dispatch(scatter, everywhere, tuple(binds), words))
    return steps


def packed(
    n: int, tiles: int, slices: int, origin: int, goal: int, bit: int = 0, first: bool = False
) -> bytes:
    """Return the words of a dispatch.

    Args:
        origin: elements between neighbours of a slice where they are read.
        goal: the same where they are written.
        bit: the lowest of the digit.
        first: whether elements have not moved yet.
    """
    return struct.pack("<8I", 0, n, tiles, slices, origin, goal, bit, first)


def template(unit: Unit, target: Target) -> Sort:
    """Return the template of a ``sort``.

    Raises:
        DeclinedError: it has an epilogue, or writes places and the device has no doubles.
    """
    assert isinstance(unit, LibraryCall)
    types: Sequence[str] = unit.dtypes
    places = len(types) > 2
    known = STORED_BYTES.keys() - COMPLEX
    if unit.epilogue is not None or types[0] != types[1] or types[0] not in known:
        raise DeclinedError(f"sort of {', '.join(types)}")
    if places and (types[2] != "f64" or not target.f64):
        raise DeclinedError("places as doubles")
    axis: Any = unit.attribute("axis", 0)
    shaders = Shaders(types[0], bool(unit.attribute("descending")), places, ranking_of(target))
    return Sort(shaders, axis, target)


def ranking_of(target: Target) -> Ranking:
    """Return how tiles are ranked on a device, and how large they are."""
    if target.subgroup and not target.software and target.invocations >= 256:
        ballots = Ballots(MANY, target.subgroup)
        if _fits(ballots, target):
            return ballots
    columns = Columns(256, FEW)
    if target.invocations >= 256 and _fits(columns, target):
        return columns
    return Columns(128, FEW)


def _fits(ranking: Ranking, target: Target) -> bool:
    """Whether a workgroup has the memory for a tile, its ranking, and where its digits go."""
    tile = ranking.threads * ranking.per
    return ranking.bytes(tile) + (4 << ranking.bits) <= target.workgroup_bytes
