"""``sort``: stable radix sort along an axis, four bits a pass.

Elements become unsigned keys of 32 bits whose order is the one asked for; a key of 64 bits is
sorted by its low word and then by its high word. What moves is the key and the number of the
element, so the results are the very elements, signed zeros and NaN included. A slice that fits a
workgroup's memory is sorted there in one dispatch. Of longer ones each pass counts digits tile by
tile, sums the counts along the tiles, and moves the elements of each tile to their places, all
slices at once.

Within a tile a thread counts the digits of neighbouring elements in a column of its own; two counts
share a word. An exclusive sum over the columns then ranks every element without atomics.
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
from runmat_wgpu.codegen.sorting.shaders import DIGIT, DIGITS, KEY_BITS, PER, Shaders


@attrs.frozen
class Sort:
    """A template of ``sort``: see `runmat_core.api.ir.calls`."""

    shaders: Shaders
    axis: int
    target: Target

    @property
    def source(self) -> str:
        return self.shaders.scatter().source

    def prepare(self, extents: tuple[int, ...], views: tuple[Addressing, ...]) -> Prepared:
        """See `Template`; `extents` are those of the array."""
        n = extents[self.axis]
        inner = size = 1
        for k, extent in enumerate(extents):
            size *= extent
            inner *= extent if k < self.axis else 1
        if not size:
            return Prepared(())
        if (
            size * STORED_BYTES["f64" if self.shaders.places else self.shaders.dtype]
            > self.target.binding_bytes
        ):
            raise DeviceFault(f"An array of {size} elements is too large to sort on this device.")
        traffic = size * STORED_BYTES[self.shaders.dtype]
        wrote = traffic + 8 * size * self.shaders.places
        if n <= self.shaders.tile:
            words = packed(n, 1, size // n, inner)
            slots = tuple(Bind("slot", k) for k in range(2 + self.shaders.places))
            grid = self.target.grid(size // n)
            return Prepared(
                (Dispatch(self.shaders.local(), grid, slots, words),), (), (), traffic, wrote
            )
        tiles, slices = -(-n // self.shaders.tile), size // n
        return Prepared(
            tuple(self._passes(n, tiles, slices, inner)),
            (
                4 * size,
                4 * size,
                4 * size,
                4 * size,
                4 * tiles * size // n * DIGITS,
                64 * size // n,
            ),
            (),
            traffic,
            wrote,
        )

    def _passes(self, n: int, tiles: int, slices: int, inner: int) -> list[Dispatch]:
        """All dispatches; scratch is two arrays of keys, two of numbers, counts and totals."""
        keys, numbers = [Bind("scratch", 0), Bind("scratch", 1)], [Bind("scratch", 2)]
        numbers.append(Bind("scratch", 3))
        counts, totals = Bind("scratch", 4), Bind("scratch", 5)
        everywhere, by_digit = self.target.grid(tiles * slices), self.target.grid(slices * DIGITS)
        encode, count, total = self.shaders.encode(), self.shaders.count(), self.shaders.total()
        scatter = self.shaders.scatter()
        steps: list[Dispatch] = []
        now = 0
        bits = KEY_BITS.get(self.shaders.dtype, 32)
        for word in range(2 if STORED_BYTES[self.shaders.dtype] == 8 else 1):
            words = packed(n, tiles, slices, inner, first=word == 0, word=word)
            steps.append(
                Dispatch(encode, everywhere, (Bind("slot", 0), numbers[now], keys[now]), words)
            )
            for shift in range(0, bits, DIGIT):
                first = word == 0 and shift == 0
                words = packed(n, tiles, slices, inner, shift, first, word)
                steps.append(Dispatch(count, everywhere, (keys[now], counts), words))
                steps.append(Dispatch(total, by_digit, (counts, totals), words))
                then = 1 - now
                binds = (keys[now], numbers[now], counts, totals, keys[then], numbers[then])
                steps.append(Dispatch(scatter, everywhere, binds, words))
                now = then
        outputs = [Bind("slot", k) for k in range(1, 2 + self.shaders.places)]
        last = Dispatch(
            self.shaders.finish(),
            everywhere,
            (Bind("slot", 0), numbers[now], *outputs),
            packed(n, tiles, slices, inner),
        )
        return [*steps, last]


def packed(
    n: int,
    tiles: int,
    slices: int,
    inner: int,
    shift: int = 0,
    first: bool = False,
    word: int = 0,
) -> bytes:
    """The words of a dispatch."""
    return struct.pack("<8I", 0, n, tiles, slices, inner, shift, first, word)


def template(unit: Unit, target: Target) -> Sort:
    """The template of a ``sort``.

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
    need = 256 * (PER * 8 + 8 * 4 + 4) + 4 * DIGITS
    roomy = target.workgroup_bytes >= need and target.invocations >= 256
    threads = 256 if roomy else 128
    shaders = Shaders(types[0], bool(unit.attribute("descending")), places, threads)
    return Sort(shaders, axis, target)
