"""``accumulate``: sums, greatest or least elements of those that have a place in common.

Places are sorted, a digit a pass and as many passes as the greatest place has digits, so that
what belongs together lies together, in its old order. Tiles of the sorted elements are then
combined by segments; what reaches over the ends of a tile becomes two elements of the next, much
shorter row, which is treated alike, until one tile is left. So the order of a sum depends on
the places alone: it is a tree over neighbours, and the same in every run.
"""

from __future__ import annotations

import attrs

from runmat_core.api.device import Addressing
from runmat_core.api.ir import LibraryCall
from runmat_wgpu.codegen.scattering.counting import Count, count
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
from runmat_wgpu.codegen.sorting import Area, passes, ranking_of
from runmat_wgpu.codegen.sorting.shaders import Shaders

#: Elements of a tile of sorted elements that a thread takes.
EACH = 4

_COMBINE = {
    "sum": "return a + b;",
    "max": "return select(select(b, a, a > b || isnan(b)), b, isnan(a));",
    "min": "return select(select(b, a, a < b || isnan(b)), b, isnan(a));",
}
_ISNAN = {
    "f32": "fn isnan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }\n",
    "f64": "fn isnan(x: f64) -> bool {\n"
    "  return (bitcast<u64>(x) & 0x7ffffffffffffffflu) > 0x7ff0000000000000lu;\n}\n",
}


@attrs.frozen
class Accumulate:
    """A template of ``accumulate``: see `runmat_core.api.ir.calls`."""

    writer: Writer
    places: str
    dtype: str
    by: str

    @property
    def source(self) -> str:
        return self._combine(first=True).source

    @property
    def _tile(self) -> int:
        return self.writer.threads * EACH

    def prepare(self, extents: tuple[int, ...], views: tuple[Addressing, ...]) -> Prepared:
        """See `Template`; `extents` are (places, values, bins)."""
        n, values, bins = extents
        if not bins:
            return Prepared(())
        width = STORED_BYTES[self.dtype]
        self.writer.fits(max(n, bins), self.dtype)
        y = Bind("slot", 2)
        clear = Dispatch(self._clear(), self.writer.over(bins), (y,), packed(bins))
        wrote = bins * width
        if not n:
            return Prepared((clear,), (), (), 0, wrote)
        sorter = Shaders("u32", False, True, ranking_of(self.writer.target))
        steps, now = self._sorted(n, bins, sorter)
        digits = 4 * sorter.digits
        scratch = [4 * n] * 4 + [-(-n // sorter.tile) * digits, digits]
        left, keys, numbers, rest = (
            n,
            Bind("scratch", now),
            Bind("scratch", 2 + now),
            Bind("slot", 1),
        )
        first = True
        while first or left > 1:
            groups = -(-left // self._tile)
            next_keys, next_values = (
                Bind("scratch", len(scratch)),
                Bind("scratch", len(scratch) + 1),
            )
            scratch += [8 * groups, 2 * width * groups]
            words = packed(left, groups, m=int(values > 1))
            binds = (keys, *([numbers] if first else []), rest, y, next_keys, next_values)
            grid = self.writer.target.grid(groups)
            steps.append(Dispatch(self._combine(first), grid, binds, words))
            first, keys, rest, left = False, next_keys, next_values, 2 * groups
            if groups == 1:
                break
        read = n * STORED_BYTES[self.places] + values * width
        return Prepared((clear, *steps), tuple(scratch), (), read, wrote)

    def _sorted(self, n: int, bins: int, sorter: Shaders) -> tuple[list[Dispatch], int]:
        """Keys and numbers in order of the keys; in which of two places they are then.

        Scratch is two arrays of keys, two of numbers, counts and totals.
        """
        binds = (Bind("slot", 0), Bind("scratch", 0), Bind("status"))
        encode = Dispatch(self._encode(), self.writer.over(n), binds, packed(n, m=bins))
        bits = range(0, max((bins - 1).bit_length(), 1), sorter.ranking.bits)
        turns = [k % 2 for k in range(len(bits) + 1)]
        keys, numbers = ([Bind("scratch", start + k) for k in turns] for start in (0, 2))
        area = Area(n, 1, Bind("scratch", 4), Bind("scratch", 5))
        return [encode, *passes(sorter, self.writer.target, bits, keys, numbers, area)], turns[-1]

    def _clear(self) -> Shader:
        body = f"  if (k < p.n) {{ y[k] = {STORAGE[self.dtype]}(0); }}\n"
        return self.writer.shader(body, [], [("y", STORAGE[self.dtype])])

    def _encode(self) -> Shader:
        """Places as keys from zero; the first one where there is none, and the bit."""
        kind = self.places if self.places in ("f32", "f64") else "i32"
        whole = "true" if kind == "i32" else "floor(e) == e"
        body = f"""\
  if (k < p.n) {{
    let e = number(x[k]);
    var key = 0u;
    if (e >= {kind}(1) && e <= {kind}(p.m) && {whole}) {{
      key = u32(e) - 1u;
    }} else {{
      atomicOr(&status[0], 1u);
    }}
    keys[k] = key;
  }}
"""
        writes = [("keys", "u32"), ("status", "atomic<u32>")]
        declared = number(self.places, kind)
        return self.writer.shader(body, [("x", STORAGE[self.places])], writes, declared)

    def _combine(self, first: bool) -> Shader:
        """Combine the segments of tiles; `first`: of the elements themselves."""
        kind, threads, tile = STORAGE[self.dtype], self.writer.threads, self._tile
        value = "x[select(0u, numbers[at], p.m == 1u)]" if first else "x[at]"
        read = "".join(
            f"    let e{j} = {j * threads}u + t;\n"
            f"    var w{j} = values[e{j}];\n"
            f"    if (e{j} >= step && held[e{j} - min(step, e{j})] == held[e{j}]) {{"
            f" w{j} = combine(values[e{j} - step], w{j}); }}\n"
            for j in range(EACH)
        )
        written = "".join(f"    values[e{j}] = w{j};\n" for j in range(EACH))
        rest = f"{kind}(0)" if self.by == "sum" else "one"
        body = f"""\
  if (g >= p.tiles) {{ return; }}
  let start = g * {tile}u;
  let size = min({tile}u, p.n - start);
  for (var e = t; e < {tile}u; e += {threads}u) {{
    let at = start + min(e, size - 1u);
    held[e] = select(0xffffffffu, keys[at], e < size);
    values[e] = {value};
  }}
  workgroupBarrier();
  for (var step = 1u; step < size; step *= 2u) {{
{read}    workgroupBarrier();
{written}    workgroupBarrier();
  }}
  for (var e = t; e < size; e += {threads}u) {{
    let key = held[e];
    if (e + 1u < size && held[e + 1u] == key) {{ continue; }}
    let one = values[e];
    let last = key == held[size - 1u];
    if (p.tiles == 1u || !(last || key == held[0])) {{
      y[key] = one;
    }} else if (key == held[0]) {{
      next_keys[2u * g] = key;
      next_values[2u * g] = one;
      if (last) {{
        next_keys[2u * g + 1u] = key;
        next_values[2u * g + 1u] = {rest};
      }}
    }} else {{
      next_keys[2u * g + 1u] = key;
      next_values[2u * g + 1u] = one;
    }}
  }}
"""
        told = "" if self.by == "sum" else _ISNAN[self.dtype]
        declared = f"""\
{told}fn combine(a: {kind}, b: {kind}) -> {kind} {{ {_COMBINE[self.by]} }}
var<workgroup> held: array<u32, {tile}>;
var<workgroup> values: array<{kind}, {tile}>;
"""
        reads: list[Array] = [("keys", "u32"), *([("numbers", "u32")] if first else [])]
        writes = [("y", kind), ("next_keys", "u32"), ("next_values", kind)]
        return self.writer.shader(body, [*reads, ("x", kind)], writes, declared)


def accumulate(call: LibraryCall, target: Target, threads: int) -> Accumulate | Count:
    """Return the template of an ``accumulate``.

    Raises:
        DeclinedError: types that it does not take, or no guard.
    """
    by = str(call.attribute("by"))
    if by == "count":
        return count(call, target, threads)
    kinds = ("f32", "f64", "i8", "i16", "i32", "u8", "u16")
    places, dtype = call.dtypes[:2]
    if places not in kinds or dtype not in ("f32", "f64") or call.dtypes[2] != dtype:
        raise DeclinedError(f"accumulate of {', '.join(call.dtypes)}")
    if by not in _COMBINE or not call.guards or not target.i64:
        raise DeclinedError(f"accumulate by {by}")
    return Accumulate(Writer(target, threads), places, dtype, by)
