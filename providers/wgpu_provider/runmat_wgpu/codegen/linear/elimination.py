"""``solve``, ``inv`` and ``det``: elimination with partial pivoting, panel by panel.

The right-hand sides are columns beside the matrix, so that elimination leaves behind them what
substitution starts from, and rows of the lower factor need not be exchanged afterwards. The last
column is a fixed vector without structure: how much the inverse enlarges it tells, together with
the norm of the matrix, whether the matrix may be singular to working precision.

One workgroup eliminates a panel, whose columns wait for one another. Its threads keep rows of it in
registers, as many columns as fit: what remains of them is a search of the largest element, a row
that one thread gives to the others, and a few products. Panels too tall for that stay in memory.
"""

from __future__ import annotations

import attrs

from runmat_core.api.device import Addressing, DeviceFault
from runmat_wgpu.codegen.linear.panels import Held, Panels
from runmat_wgpu.codegen.linear.shaders import Shaders
from runmat_wgpu.codegen.linear.text import FEW, WIDE, Area, Writer
from runmat_wgpu.codegen.shader import STORED_BYTES, Bind, Dispatch, Prepared

#: Bytes of a panel that a thread keeps, and the most threads; with so many each has 64 registers.
HELD, MOST = 128, 1024
#: Most right-hand sides that take a workgroup each: all of these read the whole triangle.
COLUMNS = 8
#: Fewest columns of a panel that is worth to be kept.
NARROW = 4


@attrs.frozen
class Elimination:
    """A template of a call that eliminates: see `runmat_core.api.ir.calls`."""

    writer: Writer
    name: str

    @property
    def shaders(self) -> Shaders:
        return Shaders(self.writer)

    @property
    def source(self) -> str:
        return Panels(self.writer).panel().source

    def prepare(self, extents: tuple[int, ...], views: tuple[Addressing, ...]) -> Prepared:
        """See `Template`; `extents` are (n, n), of ``solve`` (n, n, n, k)."""
        n, width = extents[0], STORED_BYTES[self.writer.dtype]
        k = {"det": 0, "inv": n}.get(self.name, extents[-1])
        columns = n + k + (self.name != "det")
        if n * columns * width > self.writer.target.binding_bytes:
            raise DeviceFault(f"A system of {n} equations is too large for this device.")
        w, norms, places = (Bind("scratch", i) for i in range(3))
        status, out = Bind("status"), Bind("slot", 1 + (self.name == "solve"))
        inputs = [Bind("slot", i) for i in range(out.index)]
        steps = [
            Dispatch(
                self.shaders.begin(self.name),
                self.writer.over(n * columns),
                (*inputs, w),
                Area(n, b=k, columns=(n, columns)).words,
            )
        ]
        area = Area(n, rows=(0, n), columns=(n, columns))
        if self.name != "det":
            grid = self.writer.grid(n)
            steps.append(Dispatch(self.shaders.norms(), grid, (w, norms), area.words))
        steps += self.eliminated(n, columns, w, places)
        if self.name == "det":
            binds = (w, places, out, status)
            steps.append(Dispatch(self.shaders.determinant(), (1, 1, 1), binds, area.words))
        else:
            steps += substituted(self.writer, n, columns, w)
            steps += told(self.writer, n, k, (w, norms, out, status), 1)
        sizes = (n * columns * width, n * width, n * 4)
        return Prepared(tuple(steps), sizes, (), n * (n + k) * width, n * max(k, 1) * width)

    def eliminated(self, n: int, columns: int, w: Bind, places: Bind) -> list[Dispatch]:
        """Elimination of the first `n` columns."""
        writer, shaders, steps = self.writer, self.shaders, []
        panels = Panels(writer)
        j = 0
        while j < n:
            form = self.held(n - j)
            b = min(self.wide(n) if form is None else form.columns, n - j)
            area = Area(n, j, b, (j + b, n), (j + b, columns))
            panel = panels.panel() if form is None else panels.held(form)
            steps.append(Dispatch(panel, (1, 1, 1), (w, places), area.words))
            j += b
            if j == columns:
                continue
            grid = writer.grid(-(-(columns - j) // shaders.columns))
            steps.append(Dispatch(shaders.across(), grid, (places, w), area.words))
            if j < n:
                steps.append(Dispatch(shaders.update(), writer.tiles(area), (w,), area.words))
        return steps

    def held(self, rows: int) -> Held | None:
        """How so many rows of a panel are kept in registers; None where they are not."""
        writer = self.writer
        if writer.target.software:  # whose compiler takes seconds for long code
            return None
        threads = writer.threads
        while threads < rows and 2 * threads <= writer.target.invocations and threads < MOST:
            threads *= 2
        each = 1 << (-(-rows // threads) - 1).bit_length()
        columns = min(HELD // STORED_BYTES[writer.dtype] // each, WIDE)
        shared = threads * (STORED_BYTES[writer.dtype] + 4) + 1024
        fits = columns >= NARROW and shared <= writer.target.workgroup_bytes
        return Held(threads, each, columns) if fits else None

    def wide(self, n: int) -> int:
        """Columns of a panel that stays in memory."""
        wide = WIDE
        while (
            wide > 1 and _iterations(n, wide, self.writer.threads) > self.writer.target.iterations
        ):
            wide //= 2
        return wide


def _iterations(n: int, wide: int, threads: int) -> int:
    """How often a thread of a panel goes round its loops, at most."""
    return (-(-n // threads) + 1) * (2 * wide + wide * wide)


def substituted(writer: Writer, n: int, columns: int, w: Bind) -> list[Dispatch]:
    """Substitution in the columns from `n` on, through the upper triangle before them."""
    shaders, steps = Shaders(writer), []
    size, width = max(1 << (n - 1).bit_length(), WIDE), STORED_BYTES[writer.dtype]
    fits = (size + WIDE * WIDE) * width <= writer.target.workgroup_bytes
    if columns - n <= COLUMNS and fits and not writer.target.software:
        threads = min(size, MOST, writer.target.invocations)
        whole = shaders.column(size, max(threads, writer.threads))
        area = Area(n, columns=(n, columns))
        return [Dispatch(whole, writer.grid(columns - n), (w,), area.words)]
    for j in range((n - 1) // WIDE * WIDE, -1, -WIDE):
        area = Area(n, j, min(WIDE, n - j), (0, j), (n, columns))
        grid = writer.grid(-(-(columns - n) // FEW))
        steps.append(Dispatch(shaders.back(), grid, (w,), area.words))
        if j:
            steps.append(Dispatch(shaders.update(), writer.tiles(area), (w,), area.words))
    return steps


def told(
    writer: Writer, n: int, k: int, binds: tuple[Bind, Bind, Bind, Bind], factor: int
) -> list[Dispatch]:
    """Return code that writes the `k` solutions, and sets the bit where they may be wrong.

    Args:
        binds: ``w``, the norms of the columns, the output, the status word.
        factor: how many times worse than usual what is taken for singular may be.
    """
    w, norms, out, status = binds
    shaders = Shaders(writer)
    area = Area(n, b=k, j=factor, rows=(0, n), columns=(n, n + k))
    return [
        Dispatch(shaders.store(), writer.over(n * k), (w, out, status), area.words),
        Dispatch(shaders.check(), (1, 1, 1), (w, norms, status), area.words),
    ]
