"""``qr``: thin factors by Householder reflections, with LAPACK's signs.

Each column is taken in a unit of its own, a power of two, and row by row of `r` given back in it.
The reflection of column j is ``I - scale * v * v'`` where `v` has the column's own elements below
row j, and `lead` in it. What the column is multiplied with there, and with every column that
follows, are sums over the same rows, so that one pass over the matrix makes all of them. A pass
over `q`, which starts as columns of the identity, applies the reflections backwards.

A matrix of moderate size is one workgroup's work and one dispatch, a narrow one in its registers
(`panel`). Of larger ones each reflection is two dispatches over all columns and blocks of rows:
partial sums, then what is done with them. No element is read in a dispatch that writes it for
others: row j of `r` goes to its own array.
"""

from __future__ import annotations

import struct

import attrs

from runmat_core.api.device import Addressing, DeviceFault
from runmat_core.api.ir import LibraryCall, Unit
from runmat_wgpu.codegen.householder import panel
from runmat_wgpu.codegen.householder.shaders import LANES, MOST, Shaders
from runmat_wgpu.codegen.shader import (
    STORED_BYTES,
    Bind,
    DeclinedError,
    Dispatch,
    Prepared,
    Target,
)

#: Elements up to which one workgroup does everything.
ALONE = 1 << 16
#: Rows that a workgroup of the large form takes, at least, and most blocks of rows.
ROWS = 1024
BLOCKS = 64


@attrs.frozen
class Factors:
    """A template of ``qr``: see `runmat_core.api.ir.calls`."""

    shaders: Shaders

    @property
    def source(self) -> str:
        return self.shaders.alone(shared=True).source

    def prepare(self, extents: tuple[int, ...], views: tuple[Addressing, ...]) -> Prepared:
        """See `Template`; `extents` are (m, n)."""
        m, n = extents
        k, width = min(m, n), STORED_BYTES[self.shaders.dtype]
        if not k:
            return Prepared(())
        if m * n * width > self.shaders.target.binding_bytes:
            raise DeviceFault(f"A {m}x{n} matrix is too large to factorise on this device.")
        wrote = (k * n + m * k * self.shaders.orthogonal) * width
        if panel.fits(self.shaders, m, n):
            return self._panel(m, n, wrote)
        lone = m * n <= ALONE and k <= MOST
        if lone and self._iterations(m, n) <= self.shaders.target.iterations:
            shared = m * n <= self.shaders.room
            words = struct.pack("<8I", 0, m, n, k, 0, 1, m, n)
            outputs = [Bind("slot", 1 + place) for place in range(1 + self.shaders.orthogonal)]
            sizes = (n * width,) if shared else (m * n * width, n * width)
            scratch = [Bind("scratch", place) for place in range(len(sizes))]
            binds = (Bind("slot", 0), *scratch, *outputs)
            only = Dispatch(self.shaders.alone(shared), (1, 1, 1), binds, words)
            return Prepared((only,), sizes, (), m * n * width, wrote)
        blocks = max(1, min(BLOCKS, -(-m // ROWS)))
        whole = m * n * width
        parts = max(n, k) * blocks * width
        steps = tuple(self._reflections(m, n, blocks))
        every = (whole, k * width, k * width, parts, n * width)
        return Prepared(steps, every, (), whole, wrote)

    def _panel(self, m: int, n: int, wrote: int) -> Prepared:
        words = struct.pack("<8I", 0, m, n, n, 0, 1, m, n)
        binds = [Bind("slot", place) for place in range(2 + self.shaders.orthogonal)]
        only = Dispatch(panel.panel(self.shaders, m, n), (1, 1, 1), tuple(binds), words)
        return Prepared((only,), (), (), m * n * STORED_BYTES[self.shaders.dtype], wrote)

    def _iterations(self, m: int, n: int) -> int:
        """How often a thread of the lone workgroup goes round its loops, at most."""
        k = min(m, n)
        groups = -(-n // self.shaders.columns) + 1
        passes = 2 if self.shaders.orthogonal else 1
        rows = -(-m // LANES)
        copied = (k * n + m * k) // self.shaders.threads + 2 * groups * rows
        return copied + passes * k * groups * (2 * rows + 1)

    def _reflections(self, m: int, n: int, blocks: int) -> list[Dispatch]:
        k, rows = min(m, n), -(-m // blocks)
        w, leads, scales, parts, units = (Bind("scratch", place) for place in range(5))
        q = [Bind("slot", 1)] if self.shaders.orthogonal else []
        r = Bind("slot", 1 + len(q))

        def words(j: int, columns: int) -> bytes:
            return struct.pack("<8I", 0, m, n, k, j, blocks, rows, columns)

        points = max(m * n, k * n, m * k)
        grid = self.shaders.target.grid(-(-points // self.shaders.threads))
        a, measured = Bind("slot", 0), self.shaders.target.grid(n)
        steps = [
            Dispatch(self.shaders.units(), measured, (a, units), words(0, n)),
            Dispatch(self.shaders.begin(), grid, (a, units, w, r, *q), words(0, n)),
        ]
        dots, reflect = self.shaders.dots("w"), self.shaders.reflect()
        for j in range(k):
            grid = self.shaders.target.grid((n - j) * blocks)
            steps.append(Dispatch(dots, grid, (w, parts), words(j, n)))
            binds = (parts, units, w, leads, scales, r)
            steps.append(Dispatch(reflect, grid, binds, words(j, n)))
        if q:
            dots, unwind = self.shaders.dots("q"), self.shaders.unwind()
            for j in reversed(range(k)):
                grid = self.shaders.target.grid((k - j) * blocks)
                steps.append(Dispatch(dots, grid, (w, *q, parts), words(j, k)))
                steps.append(Dispatch(unwind, grid, (parts, w, leads, scales, *q), words(j, k)))
        return steps


def template(unit: Unit, target: Target) -> Factors:
    """Return the template of a ``qr``.

    Raises:
        DeclinedError: it has an epilogue, or its type is not one of the device's floating types.
    """
    assert isinstance(unit, LibraryCall)
    dtype = unit.dtypes[0]
    if unit.epilogue is not None or set(unit.dtypes) != {dtype} or dtype not in ("f32", "f64"):
        raise DeclinedError(f"qr of {', '.join(unit.dtypes)}")
    if dtype == "f64" and not target.f64:
        raise DeclinedError("no doubles on this device")
    threads = min(256, target.invocations)
    return Factors(Shaders(dtype, bool(unit.attribute("q")), threads, target))
