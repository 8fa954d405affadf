"""How pages lie in workgroups, and what the shaders of all calls by pages begin with.

A page is the work of `lanes` threads, and a workgroup has several pages where they are small. The
matrix that they work on, ``w`` from ``base`` on, is in the memory of the workgroup where it fits,
and in memory of the launch's own otherwise. Threads of a page meet at barriers, which are those of
the workgroup: how often they go round loops depends on sizes alone, and so on no page.

Words of a dispatch: ``ld`` rows and ``q0`` columns of a page, ``q1`` columns of what is worked on,
``b`` right-hand sides, pages from ``j`` up to ``r1``; ``r0`` says which inputs have pages, bit by
bit: those of others are one for all.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from runmat_core.api.device import DeviceFault
from runmat_wgpu.codegen.linear.text import Area, Writer
from runmat_wgpu.codegen.shader import STORED_BYTES, Bind, Dispatch, Prepared, Shader

#: Most elements of a page, and threads of one. Loops of larger ones could be too long for emulated
#: devices (`Target.iterations`).
PAGE, LANES = 64 * 64, 256
#: Fewest threads of a page, and of a workgroup that has memory for several.
FEWEST, THREADS = 8, 64
#: Elements for which even the smallest page gets room: all of these sizes share their shaders. By
#: this distance the elements of four pages of eight threads lie in different banks.
SHARED = 56


def power(count: int) -> int:
    """Return the least power of two that is no less."""
    return 1 << max(count - 1, 0).bit_length()


def room_for(count: int) -> int:
    """Return a number of elements that is no less and that few sizes of pages share."""
    whole = power(count)
    return whole * 3 // 4 if count <= whole * 3 // 4 and whole >= 4 else whole


@attrs.frozen
class Layout:
    """Where pages of a size are worked on.

    Attributes:
        lanes: threads of a page, a power of two.
        pages: of a workgroup.
        room: elements of workgroup memory for a page; 0 where it is in memory of the launch.
        beside: elements of workgroup memory for a page besides.
    """

    writer: Writer
    lanes: int
    pages: int
    room: int
    beside: int

    @property
    def threads(self) -> int:
        return self.lanes * self.pages

    @property
    def sync(self) -> str:
        """The barrier between what threads of a page write to ``w`` and read of it."""
        return "workgroupBarrier();" if self.room else "storageBarrier();\n  workgroupBarrier();"

    @property
    def answer(self) -> str:
        """The array that tells what host rules are to see."""
        return "told" if self.writer.told else "status"

    def answered(self, slot: int) -> Bind:
        """Return what that is bound to: an output, which is the last one, or the status word."""
        return Bind("slot", slot) if self.writer.told else Bind("status")

    def shared(self, *names: str, each: int) -> str:
        """Return declarations of arrays in workgroup memory, of a number of elements a page."""
        kind = self.writer.type
        arrays = [f"var<workgroup> {name}: array<{kind}, {each * self.pages}>;\n" for name in names]
        return "".join(arrays)

    def shader(
        self, body: str, reads: Sequence[str], writes: Sequence[str], declared: str = ""
    ) -> Shader:
        """Return a shader of `body`: ``lane`` is the thread, ``q`` the page of the workgroup.

        ``page`` is that of the arrays; it is not ``inside`` where another thread has it, too.
        """
        t, lanes, per = self.writer.type, self.lanes, self.pages
        base = f"q * {self.room}u" if self.room else "(page - p.j) * p.ld * p.q1"
        memory = f"var<workgroup> w: array<{t}, {per * self.room}>;\n" if self.room else ""
        head = f"""\
  let first = p.j + g * {per}u;
  if (first >= p.r1) {{ return; }}
  let q = t / {lanes}u;
  let lane = t % {lanes}u;
  let inside = first + q < p.r1;
  let page = min(first + q, p.r1 - 1u);
  let base = {base};
"""
        if self.writer.told and "told" in writes:
            head += f"""\
  if (lane == 0u) {{ told[page] = {t}(0); }}
  storageBarrier();
  workgroupBarrier();
"""
        outputs = tuple(writes) if self.room else ("w", *writes)
        return self.writer.shader(head + body, reads, outputs, memory + declared, self.threads)

    def prepared(
        self,
        shader: Shader,
        area: Area,
        count: int,
        binds: tuple[Sequence[Bind], Sequence[Bind]],
        moved: tuple[int, int],
    ) -> Prepared:
        """Return the launch of a shader for `count` pages.

        Args:
            area: the words but for the pages.
            binds: what it reads, and what it writes.
            moved: elements that it reads and writes, for telemetry.
        """
        width, target = STORED_BYTES[self.writer.dtype], self.writer.target
        if max(moved) * width > target.binding_bytes:
            raise DeviceFault(f"{count} pages are too many for this device.")
        reads, writes = binds
        if self.room:
            dispatches = [self._dispatch(shader, area, (0, count), (*reads, *writes))]
            scratch = 0
        else:
            page = area.ld * area.columns[1] * width
            several = max(min(count, target.binding_bytes // page), 1)
            scratch = several * page
            dispatches = [
                self._dispatch(
                    shader,
                    area,
                    (start, min(start + several, count)),
                    (*reads, Bind("scratch"), *writes),
                )
                for start in range(0, count, several)
            ]
        own = (scratch,) if scratch else ()
        return Prepared(tuple(dispatches), own, (), moved[0] * width, moved[1] * width)

    def _dispatch(
        self, shader: Shader, area: Area, pages: tuple[int, int], binds: tuple[Bind, ...]
    ) -> Dispatch:
        words = attrs.evolve(area, j=pages[0], rows=(area.rows[0], pages[1])).words
        groups = -(-(pages[1] - pages[0]) // self.pages)
        return Dispatch(shader, self.writer.grid(groups), binds, words)


def layout(writer: Writer, lanes: int, elements: int, beside: int = 0) -> Layout:
    """Where pages are worked on that take so many elements, and `beside` some in any case."""
    lanes = max(FEWEST, min(lanes, LANES, writer.target.invocations))
    pages = max(THREADS // lanes, 1)
    room = room_for(elements)
    # threads exchange numbers in arrays of their own, of which there are four at most
    fixed = 4 * lanes + beside
    width, most = STORED_BYTES[writer.dtype], writer.target.workgroup_bytes - 64
    if elements <= SHARED and pages * (SHARED + fixed) * width <= most:
        room = SHARED
    while pages > 1 and pages * (room + fixed) * width > most:
        pages //= 2
    if pages * (room + fixed) * width > most:
        room = 0
    return Layout(writer, lanes, pages, room, beside)


def check(rows: int, columns: int) -> None:
    """Raise where a page is too large."""
    if rows * columns > PAGE:
        raise DeviceFault(f"Pages of {rows}x{columns} elements are too large.")
