"""``histogram``, and ``accumulate`` where elements are counted: whole numbers, so atomics will do.

Where the bins fit, a workgroup counts a long stretch of elements in its own memory first. Counts
become doubles at the end.
"""

from __future__ import annotations

import attrs

from runmat_core.api.device import Addressing
from runmat_core.api.ir import LibraryCall
from runmat_wgpu.codegen.scattering.text import Array, Writer, number, packed
from runmat_wgpu.codegen.shader import (
    STORAGE,
    STORED_BYTES,
    Bind,
    DeclinedError,
    Dispatch,
    Prepared,
    Shader,
    Target,
)

#: The most bins that a workgroup counts in its own memory.
LOCAL = 2048
#: Elements that a thread counts, at most, before its workgroup adds up.
STRETCH = 64

#: The bin of an element: how many edges are not above it, 0 outside of them and for NaN.
_BETWEEN = """\
fn bin(e: f64) -> u32 {
  let last = edges[p.m - 1u];
  if (!(e >= edges[0] && e <= last)) { return 0u; }
  if (p.skipped == 1u && e == last) { return p.m - 1u; }
  var low = 0u;
  var high = p.m;
  while (low < high) {
    let middle = (low + high) / 2u;
    if (edges[middle] <= e) { low = middle + 1u; } else { high = middle; }
  }
  return low;
}
"""

#: The bin of a number that is one.
_NUMBERED = """\
fn bin(e: {type}) -> u32 {{
  if (!(e >= {type}(1) && e <= {type}(p.m) && floor_(e) == e)) {{
    atomicOr(&status[0], 1u);
    return 0u;
  }}
  return u32(e);
}}
"""


@attrs.frozen
class Count:
    """A template of either call: see `runmat_core.api.ir.calls`.

    Attributes:
        dtype: of the elements that are sorted into bins.
        edges: whether these are numbers between edges, rather than numbers of bins.
        closed: whether the last bin has its upper edge as well.
        bins: whether the bin of each element is wanted, too.
    """

    writer: Writer
    dtype: str
    edges: bool
    closed: bool
    bins: bool

    @property
    def source(self) -> str:
        return self._count(local=True).source

    def prepare(self, extents: tuple[int, ...], views: tuple[Addressing, ...]) -> Prepared:
        """See `Template`; `extents` are those of the call."""
        n, m = extents[0], extents[-1]
        count = m - 1 if self.closed else m
        if count < 1:
            return Prepared(())
        self.writer.fits(n, "f64" if self.bins else self.dtype)
        self.writer.fits(m, "f64")
        local = count <= LOCAL
        inputs = [Bind("slot", k) for k in range(1 + self.edges)]
        output = Bind("slot", len(inputs))
        further = [Bind("slot", len(inputs) + 1)] if self.bins else []
        further += [] if self.edges else [Bind("status")]
        found = Bind("scratch", 0)
        steps = []
        if n:
            # few long stretches, each added up at its end; short ones where there is little to do
            each = self.writer.threads * (STRETCH if n >= 1 << 20 else 8)
            groups = -(-n // each)
            words = packed(n, groups, int(count), int(self.closed), each, m)
            grid = self.writer.target.grid(groups)
            steps.append(Dispatch(self._count(local), grid, (*inputs, found, *further), words))
        last = self._convert()
        steps.append(Dispatch(last, self.writer.over(count), (found, output), packed(count)))
        read = n * STORED_BYTES[self.dtype] + m * 8 * self.edges
        return Prepared(tuple(steps), (4 * count,), (0,), read, 8 * (count + n * self.bins))

    def _count(self, local: bool) -> Shader:
        threads = self.writer.threads
        add = "atomicAdd(&counts[one - 1u], 1u);"
        before = after = ""
        if local:
            add = "atomicAdd(&own[one - 1u], 1u);"
            before = f"""\
  for (var b = t; b < p.rows; b += {threads}u) {{ atomicStore(&own[b], 0u); }}
  workgroupBarrier();
"""
            after = f"""\
  workgroupBarrier();
  for (var b = t; b < p.rows; b += {threads}u) {{
    let one = atomicLoad(&own[b]);
    if (one > 0u) {{ atomicAdd(&counts[b], one); }}
  }}
"""
        told = "    bins[e] = f64(one);\n" if self.bins else ""
        body = f"""\
{before}\
  let stop = select(p.n, min((g + 1u) * p.kept, p.n), g < p.tiles);
  for (var e = g * p.kept + t; g < p.tiles && e < stop; e += {threads}u) {{
    let one = bin(number(x[e]));
{told}\
    if (one > 0u) {{ {add} }}
  }}
{after}"""
        kind = "f64" if self.edges else self._kind
        rule = _BETWEEN if self.edges else _NUMBERED.format(type=kind)
        declared = f"{number(self.dtype, kind)}{rule}"
        if not self.edges:
            whole = "e" if kind == "i32" else "floor(e)"
            declared = f"fn floor_(e: {kind}) -> {kind} {{ return {whole}; }}\n{declared}"
        if local:
            declared += f"var<workgroup> own: array<atomic<u32>, {LOCAL}>;\n"
        reads: list[Array] = [("x", STORAGE[self.dtype])]
        reads += [("edges", "f64")] if self.edges else []
        writes: list[Array] = [("counts", "atomic<u32>")]
        writes += [("bins", "f64")] if self.bins else []
        writes += [] if self.edges else [("status", "atomic<u32>")]
        return self.writer.shader(body, reads, writes, declared)

    @property
    def _kind(self) -> str:
        """The type that numbers of bins are looked at in."""
        return self.dtype if self.dtype in ("f32", "f64") else "i32"

    def _convert(self) -> Shader:
        body = "  if (k < p.n) { y[k] = f64(counts[k]); }\n"
        return self.writer.shader(body, [("counts", "u32")], [("y", "f64")])


def histogram(call: LibraryCall, target: Target, threads: int) -> Count:
    """Return the template of a ``histogram``.

    Raises:
        DeclinedError: elements of 64 bits that are no doubles, or no doubles.
    """
    if call.dtypes[0] in ("i64", "u64") or set(call.dtypes[1:]) != {"f64"} or not target.f64:
        raise DeclinedError(f"histogram of {', '.join(call.dtypes)}")
    bins = len(call.dtypes) > 3
    writer = Writer(target, threads)
    return Count(writer, call.dtypes[0], True, bool(call.attribute("closed")), bins)


def count(call: LibraryCall, target: Target, threads: int) -> Count:
    """Return the template of an ``accumulate`` by counting.

    Raises:
        DeclinedError: places of another type, or no doubles or guard.
    """
    kinds = ("f32", "f64", "i8", "i16", "i32", "u8", "u16")
    places = call.dtypes[0]
    if places not in kinds or call.dtypes[1:] != ("f64",) or not (target.f64 and call.guards):
        raise DeclinedError(f"accumulate of {', '.join(call.dtypes)}")
    return Count(Writer(target, threads), places, False, False, False)
