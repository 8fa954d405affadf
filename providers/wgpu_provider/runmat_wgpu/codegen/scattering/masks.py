"""``compact`` and ``expand``: elements by whether a mask is zero, in the order of the elements.

Tiles of neighbouring elements count what is not zero, the counts are summed along the tiles, and
each tile then knows which numbers its own have: they are ranked by a sum over its threads and
written side by side. An array of one tile takes one dispatch.
"""

from __future__ import annotations

from typing import Any

import attrs

from runmat_core.api.device import Addressing
from runmat_core.api.ir import LibraryCall
from runmat_wgpu.codegen.scattering.text import PER, Array, Writer, bits, nonzero, packed
from runmat_wgpu.codegen.shader import (
    STORED_BYTES,
    Bind,
    DeclinedError,
    Dispatch,
    Prepared,
    Shader,
    Target,
)
from runmat_wgpu.codegen.sorting.ranking import running_sums

#: What an output holds for element number `e`.
_GIVEN = {
    "places": "f64(e + 1u)",
    "rows": "f64(e % p.rows + 1u)",
    "columns": "f64(e / p.rows + 1u)",
}


@attrs.frozen
class Masked:
    """What both calls do with a mask of type `mask`."""

    writer: Writer
    mask: str

    def before(self, n: int, slot: int) -> list[Dispatch]:
        """Return the numbers that come before each tile, in scratch 0; nothing for one tile."""
        tiles = self.writer.tiles(n)
        if tiles == 1:
            return []
        words = packed(n, tiles)
        mask, counts = Bind("slot", slot), Bind("scratch", 0)
        everywhere = self.writer.target.grid(tiles)
        return [
            Dispatch(self._count(), everywhere, (mask, counts), words),
            Dispatch(self._total(), (1, 1, 1), (counts,), words),
        ]

    def _count(self) -> Shader:
        body = f"""\
  if (t == 0u) {{ atomicStore(&found, 0u); }}
  workgroupBarrier();
  var own = 0u;
  for (var j = 0u; j < {PER}u; j++) {{
    let e = g * {self.writer.tile}u + j * {self.writer.threads}u + t;
    if (e < p.n) {{ own += select(0u, 1u, nonzero(mask[e])); }}
  }}
  if (own > 0u) {{ atomicAdd(&found, own); }}
  workgroupBarrier();
  if (t == 0u && g < p.tiles) {{ counts[g] = atomicLoad(&found); }}
"""
        declared = f"{nonzero(self.mask)}var<workgroup> found: atomic<u32>;\n"
        reads = [("mask", bits(self.mask))]
        return self.writer.shader(body, reads, [("counts", "u32")], declared)

    def _total(self) -> Shader:
        """Count become sums over the tiles before."""
        threads = self.writer.threads
        body = f"""\
  var before = 0u;
  for (var start = 0u; start < p.tiles; start += {threads * PER}u) {{
    let at = start + t * {PER}u;
    var own = 0u;
    for (var j = at; j < min(at + {PER}u, p.tiles); j++) {{ own += counts[j]; }}
    let upto = summed(t, own);
    var next = before + upto - own;
    for (var j = at; j < min(at + {PER}u, p.tiles); j++) {{
      let one = counts[j];
      counts[j] = next;
      next += one;
    }}
    before += sums[{threads - 1}];
    workgroupBarrier();
  }}
"""
        return self.writer.shader(body, [], [("counts", "u32")], running_sums(self.writer.threads))

    @property
    def declared(self) -> str:
        """What `ranked` needs."""
        listed = f"var<workgroup> list: array<u32, {self.writer.tile}>;\n"
        return f"{nonzero(self.mask)}{running_sums(self.writer.threads)}{listed}"

    def ranked(self, taken: str) -> str:
        """Return the first half of a shader over tiles.

        ``start`` is the tile's first element, ``own`` has a bit for each of the elements of a
        thread, ``first`` is the number of those before.

        Args:
            taken: what is done for element ``e`` of the tile, where ``bit`` tells of it and
                ``at`` is how many of the tile come before.
        """
        return f"""\
  if (g >= p.tiles) {{ return; }}
  let start = g * {self.writer.tile}u;
  for (var j = 0u; j < {PER}u; j++) {{
    let e = j * {self.writer.threads}u + t;
    var one = 0u;
    if (start + e < p.n) {{ one = select(0u, 1u, nonzero(mask[start + e])); }}
    list[e] = one;
  }}
  workgroupBarrier();
  var own = 0u;
  for (var j = 0u; j < {PER}u; j++) {{ own |= list[t * {PER}u + j] << j; }}
  var at = summed(t, countOneBits(own)) - countOneBits(own);
  for (var j = 0u; j < {PER}u; j++) {{
    let e = t * {PER}u + j;
    let bit = (own >> j) & 1u;
    {taken}
    at += bit;
  }}
  workgroupBarrier();
  var before = 0u;
  if (p.tiles > 1u) {{ before = counts[g]; }}
"""


@attrs.frozen
class Compact:
    """A template of ``compact``: see `runmat_core.api.ir.calls`."""

    masked: Masked
    gives: tuple[str, ...]
    source_type: str
    own_source: bool

    @property
    def source(self) -> str:
        return self._write().source

    def prepare(self, extents: tuple[int, ...], views: tuple[Addressing, ...]) -> Prepared:
        """See `Template`; `extents` are (rows, columns, skipped, kept)."""
        rows, columns, skipped, kept = extents
        n, writer = rows * columns, self.masked.writer
        if not n or not kept:
            return Prepared(())
        writer.fits(n, self.masked.mask)
        writer.fits(n, self.source_type)
        writer.fits(kept, self.masked.mask if self.gives == ("values",) else "f64")
        inputs = 2 if self.own_source else 1
        outputs = [Bind("slot", inputs + k) for k in range(len(self.gives))]
        sources = [Bind("slot", 1)] if self.own_source else []
        tiles = writer.tiles(n)
        binds = (Bind("slot", 0), *sources, Bind("scratch", 0), *outputs)
        words = packed(n, tiles, rows, skipped, kept)
        last = Dispatch(self._write(), writer.target.grid(tiles), binds, words)
        read = n * STORED_BYTES[self.masked.mask] + kept * STORED_BYTES[self.source_type]
        wrote = kept * sum(STORED_BYTES[self._type(name)] for name in self.gives)
        steps = (*self.masked.before(n, 0), last)
        return Prepared(steps, (4 * tiles,), (), read, wrote)

    def _type(self, name: str) -> str:
        return self.source_type if name == "values" else "f64"

    def _write(self) -> Shader:
        source = "x" if self.own_source else "mask"
        lines = "".join(
            f"      y{k}[to] = {_GIVEN.get(name, f'{source}[e]')};\n"
            for k, name in enumerate(self.gives)
        )
        body = f"""\
{self.masked.ranked("if (bit == 1u) { list[at] = e; }")}\
  let count = sums[{self.masked.writer.threads - 1}];
  for (var r = t; r < count; r += {self.masked.writer.threads}u) {{
    let to = before + r - p.skipped;
    if (to < p.kept) {{
      let e = start + list[r];
{lines}    }}
  }}
"""
        reads: list[Array] = [("mask", bits(self.masked.mask))]
        if self.own_source:
            reads.append(("x", bits(self.source_type)))
        reads.append(("counts", "u32"))
        writes = [
            (f"y{k}", bits(self.source_type) if name == "values" else "f64")
            for k, name in enumerate(self.gives)
        ]
        return self.masked.writer.shader(body, reads, writes, self.masked.declared)


@attrs.frozen
class Expand:
    """A template of ``expand``: see `runmat_core.api.ir.calls`."""

    masked: Masked
    dtype: str

    @property
    def source(self) -> str:
        return self._write().source

    def prepare(self, extents: tuple[int, ...], views: tuple[Addressing, ...]) -> Prepared:
        """See `Template`; `extents` are (elements of x, of v)."""
        n, m = extents
        if not n:
            return Prepared(())
        writer = self.masked.writer
        writer.fits(n, self.dtype)
        tiles = writer.tiles(n)
        slots = tuple(Bind("slot", k) for k in range(3))
        binds = (*slots, Bind("scratch", 0), Bind("slot", 3))
        last = Dispatch(self._write(), writer.target.grid(tiles), binds, packed(n, tiles, m=m))
        read = n * (STORED_BYTES[self.dtype] + STORED_BYTES[self.masked.mask])
        steps = (*self.masked.before(n, 1), last)
        return Prepared(steps, (4 * tiles,), (), read, n * STORED_BYTES[self.dtype])

    def _write(self) -> Shader:
        writer = self.masked.writer
        body = f"""\
{self.masked.ranked("list[e] = select(0u, at + 1u, bit == 1u);")}\
  for (var j = 0u; j < {PER}u; j++) {{
    let e = j * {writer.threads}u + t;
    if (start + e < p.n) {{
      let number = list[e];
      var one = x[start + e];
      if (number > 0u) {{ one = v[before + number - 1u]; }}
      y[start + e] = one;
    }}
  }}
"""
        kind = bits(self.dtype)
        reads = [("x", kind), ("mask", bits(self.masked.mask)), ("v", kind), ("counts", "u32")]
        return writer.shader(body, reads, [("y", kind)], self.masked.declared)


def compact(call: LibraryCall, target: Target, threads: int) -> Compact:
    """Return the template of a ``compact``.

    Raises:
        DeclinedError: types that do not belong together, or places on a device without doubles.
    """
    gives: Any = call.attribute("gives")
    inputs = len(call.dtypes) - len(gives)
    mask, source = call.dtypes[0], call.dtypes[inputs - 1]
    for name, dtype in zip(gives, call.dtypes[inputs:], strict=True):
        if dtype != (source if name == "values" else "f64"):
            raise DeclinedError(f"compact of {', '.join(call.dtypes)}")
        if name != "values" and not target.f64:
            raise DeclinedError("places as doubles")
    return Compact(Masked(Writer(target, threads), mask), gives, source, inputs == 2)


def expand(call: LibraryCall, target: Target, threads: int) -> Expand:
    """Return the template of an ``expand``.

    Raises:
        DeclinedError: types that do not belong together.
    """
    x, mask, values, y = call.dtypes
    if not x == values == y:
        raise DeclinedError(f"expand of {', '.join(call.dtypes)}")
    return Expand(Masked(Writer(target, threads), mask), x)
