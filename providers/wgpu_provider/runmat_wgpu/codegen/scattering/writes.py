"""``scatter``: elements written to numbered places, the last of several to one place.

Of the elements for a place the greatest number wins, which does not depend on the order in which
threads come; then every element of the result is taken from where it belongs.
"""

from __future__ import annotations

import attrs

from runmat_core.api.device import Addressing
from runmat_core.api.ir import LibraryCall
from runmat_wgpu.codegen.scattering.text import Writer, bits, packed
from runmat_wgpu.codegen.shader import (
    STORED_BYTES,
    Bind,
    DeclinedError,
    Dispatch,
    Prepared,
    Shader,
    Target,
)


@attrs.frozen
class Scatter:
    """A template of ``scatter``: see `runmat_core.api.ir.calls`."""

    writer: Writer
    dtype: str

    @property
    def source(self) -> str:
        return self._take().source

    def prepare(self, extents: tuple[int, ...], views: tuple[Addressing, ...]) -> Prepared:
        """See `Template`; `extents` are (elements of x, of the places, of v)."""
        n, m, values = extents
        if not n:
            return Prepared(())
        self.writer.fits(n, self.dtype)
        self.writer.fits(m, self.dtype)
        x, places, v, y = (Bind("slot", k) for k in range(4))
        winners, words = Bind("scratch", 0), packed(n, kept=int(values > 1), m=m)
        steps = [Dispatch(self._take(), self.writer.over(n), (x, v, winners, y), words)]
        if m:
            first = Dispatch(self._choose(), self.writer.over(m), (places, winners), words)
            steps.insert(0, first)
        width = STORED_BYTES[self.dtype]
        read = n * width + m * 4 + values * width
        return Prepared(tuple(steps), (4 * n,), (0,), read, n * width)

    def _choose(self) -> Shader:
        body = """\
  if (k < p.m) {
    let place = u32(places[k]);
    if (place < p.n) { atomicMax(&winners[place], k + 1u); }
  }
"""
        return self.writer.shader(body, [("places", "i32")], [("winners", "atomic<u32>")])

    def _take(self) -> Shader:
        body = """\
  if (k < p.n) {
    let winner = winners[k];
    var one = x[k];
    if (winner > 0u) { one = v[select(0u, winner - 1u, p.kept == 1u)]; }
    y[k] = one;
  }
"""
        kind = bits(self.dtype)
        reads = [("x", kind), ("v", kind), ("winners", "u32")]
        return self.writer.shader(body, reads, [("y", kind)])


def scatter(call: LibraryCall, target: Target, threads: int) -> Scatter:
    """Return the template of a ``scatter``.

    Raises:
        DeclinedError: types that do not belong together.
    """
    x, places, values, y = call.dtypes
    if not x == values == y or places != "i32":
        raise DeclinedError(f"scatter of {', '.join(call.dtypes)}")
    return Scatter(Writer(target, threads), x)
