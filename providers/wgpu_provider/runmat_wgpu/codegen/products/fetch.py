"""How the threads of a workgroup bring a tile of a factor from memory to shared memory.

Shared tiles hold the factor with the outer index running fastest, in vectors: what lies so in
memory (`Operand.direct`) is copied; what lies the other way is read in square blocks, a vector of
the inner index for each outer one, and transposed in registers. Indices beyond the extents are
clamped: what is read beyond the inner extent is not multiplied, and what comes of anything beyond
the outer one is not stored.
"""

from __future__ import annotations

import attrs

from runmat_wgpu.codegen.kernels.draft import Draft, block
from runmat_wgpu.codegen.products.call import Operand
from runmat_wgpu.codegen.products.tiles import Tile
from runmat_wgpu.codegen.shader import STORAGE

COMPONENTS = "xyzw"


@attrs.define(eq=False)
class Fetch:
    """Reading of one factor.

    Attributes:
        name: ``a`` or ``b``: what its names begin with. Words ``ld_a`` (step between columns in
            memory, in elements, or in vectors where `Operand.vector`) and ``outer_a`` (the outer
            extent) belong to it.
        extent: outer extent of the tile.
        many: elements of a vector.
        reverse: count the threads from the last one where not all have a unit, so that the two
            factors keep all busy.
    """

    draft: Draft
    operand: Operand
    tile: Tile
    name: str
    extent: int
    dtype: str
    many: int
    reverse: bool = False

    @property
    def vector(self) -> str:
        """The WGSL type of a vector."""
        return f"vec{self.many}<{STORAGE[self.dtype]}>"

    @property
    def stride(self) -> int:
        """Vectors between the rows of a shared tile; one is padding where columns are written."""
        return self.extent // self.many + (0 if self.operand.direct else 1)

    def share(self) -> None:
        """Declare the shared tile.

        It is an array of rows, so that bounds are checked of what does not change: numbers of rows
        are constants where tiles are multiplied.
        """
        type_ = f"array<array<{self.vector}, {self.stride}>, {self.tile.depth}>"
        self.draft.shared(f"tile_{self.name}", f"array<{type_}, 2>" if self.tile.double else type_)

    def at(self, row: str | int, column: str) -> str:
        """Return a vector of the shared tile; of the one whose turn it is, where there are two."""
        turn = "[turn]" if self.tile.double else ""
        return f"tile_{self.name}{turn}[{row}][{column}]"

    @property
    def side(self) -> int:
        """Units side by side: vectors of a row where direct, blocks of a column where not."""
        return (self.extent if self.operand.direct else self.tile.depth) // self.many

    @property
    def units(self) -> int:
        """Units of the tile."""
        vectors = self.tile.depth * self.extent // self.many
        return vectors if self.operand.direct else vectors // self.many

    @property
    def rounds(self) -> int:
        """Units of a thread."""
        return -(-self.units // self.tile.threads)

    def registers(self, round_: int) -> list[str]:
        """Names of the vectors of a unit."""
        count = 1 if self.operand.direct else self.many
        return [f"{self.name}_{round_}_{c}" for c in range(count)]

    # -- statements -----------------------------------------------------------------------------

    def setup(self) -> list[str]:
        """Return what does not change along the inner extent.

        It needs ``t`` and ``first_a``, its first outer index.
        """
        x, threads = self.name, self.tile.threads
        idle = self.units % threads != 0
        thread = f"{threads - 1}u - t" if self.reverse and idle else "t"
        lines = [
            f"let t_{x} = {thread};",
            f"let side_{x} = t_{x} % {self.side}u;",
            f"let row_{x} = t_{x} / {self.side}u;",
        ]
        lines += self._setup_direct() if self.operand.direct else self._setup_turned()
        for r in range(self.rounds):
            lines += [f"var {name} = {self.vector}();" for name in self.registers(r)]
        return lines

    def _setup_direct(self) -> list[str]:
        x = self.name
        ld, outer = self._words()
        start = f"first_{x} + side_{x} * {self.many}u"
        if self.operand.vector:
            return [f"let at_{x} = min(({start}) / {self.many}u, {ld} - 1u);"]
        return [f"let at_{x}_{c} = min({start} + {c}u, {outer} - 1u);" for c in range(self.many)]

    def _setup_turned(self) -> list[str]:
        x = self.name
        ld, outer = self._words()
        lines = []
        for r in range(self.rounds):
            step = r * (self.tile.threads // self.side)
            for c in range(self.many):
                number = f"(row_{x} + {step}u) * {self.many}u + {c}u"
                lines.append(f"let outer_{x}_{r}_{c} = min(first_{x} + {number}, {outer} - 1u);")
                lines.append(f"let at_{x}_{r}_{c} = outer_{x}_{r}_{c} * {ld};")
                if self.operand.row is not None:
                    row = self.draft.element(self.operand.row, f"outer_{x}_{r}_{c}")
                    lines.append(f"let less_{x}_{r}_{c} = {row};")
        return lines

    def read(self, inner: str, edge: bool = False) -> list[str]:
        """Assign the registers from memory.

        Args:
            inner: the inner index at which the tile begins.
            edge: the tile ends beyond the inner extent.
        """
        unit = self._unit_direct if self.operand.direct else self._unit_turned
        return self._mine([line for r in range(self.rounds) for line in unit(r, inner, edge)])

    def write(self) -> list[str]:
        """Store the registers into the shared tile."""
        lines, x = [], self.name
        for r in range(self.rounds):
            names = self.registers(r)
            place = f"row_{x} + {r * (self.tile.threads // self.side)}u"
            if self.operand.direct:
                lines.append(f"{self.at(place, f'side_{x}')} = {names[0]};")
                continue
            for c in range(self.many):
                parts = ", ".join(f"{name}.{COMPONENTS[c]}" for name in names)
                row = f"side_{x} * {self.many}u + {c}u"
                lines.append(f"{self.at(row, place)} = {self.vector}({parts});")
        return self._mine(lines)

    # -- parts ----------------------------------------------------------------------------------

    def _words(self) -> tuple[str, str]:
        words = self.draft.words
        return words.field(f"ld_{self.name}"), words.field(f"outer_{self.name}")

    def _mine(self, lines: list[str]) -> list[str]:
        """Statements for the threads that have a unit."""
        if self.units % self.tile.threads == 0:
            return lines
        return block(f"if (t_{self.name} < {self.units}u)", lines)

    def _unit_direct(self, r: int, inner: str, edge: bool) -> list[str]:
        x, buffer = self.name, self.operand.buffer
        ld, _ = self._words()
        step = r * (self.tile.threads // self.side)
        place = f"{inner} + row_{x} + {step}u"
        if edge:
            place = f"min({place}, last - 1u)"
        if self.operand.vector:
            value = f"{self.draft.buffer(buffer)}[({place}) * {ld} + at_{x}]"
        else:
            value = self._gathered([f"({place}) * {ld} + at_{x}_{c}" for c in range(self.many)])
        if self.operand.row is not None:
            value += f" - {self.draft.element(self.operand.row, place)}"
        return [f"{self.registers(r)[0]} = {value};"]

    def _unit_turned(self, r: int, inner: str, edge: bool) -> list[str]:
        x, buffer = self.name, self.operand.buffer
        lines = []
        for c, name in enumerate(self.registers(r)):
            at = f"at_{x}_{r}_{c}"
            if self.operand.vector:
                place = f"{inner} / {self.many}u + side_{x}"
                if edge:
                    place = f"min({place}, (last - 1u) / {self.many}u)"
                value = f"{self.draft.buffer(buffer)}[{at} + {place}]"
            else:
                places = [f"{inner} + side_{x} * {self.many}u + {e}u" for e in range(self.many)]
                if edge:
                    places = [f"min({place}, last - 1u)" for place in places]
                value = self._gathered([f"{at} + {place}" for place in places])
            if self.operand.row is not None:
                value += f" - less_{x}_{r}_{c}"
            lines.append(f"{name} = {value};")
        return lines

    def _gathered(self, places: list[str]) -> str:
        """Return a vector of single elements."""
        parts = ", ".join(self.draft.element(self.operand.buffer, place) for place in places)
        return f"{self.vector}({parts})"
