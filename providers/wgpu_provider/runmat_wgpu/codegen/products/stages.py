"""The dispatch that multiplies: its shader, its grid and its words, for launches of a size."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence

import attrs

from runmat_wgpu.codegen.kernels.draft import Written
from runmat_wgpu.codegen.products.call import Operand, Product
from runmat_wgpu.codegen.products.choice import Cut, cut, tiles
from runmat_wgpu.codegen.products.ending import Ending
from runmat_wgpu.codegen.products.packing import SIDE
from runmat_wgpu.codegen.products.plain import ACROSS, DOWN, THREADS, plain
from runmat_wgpu.codegen.products.thin import Columns, Dots, columns, dots
from runmat_wgpu.codegen.products.tiled import tiled
from runmat_wgpu.codegen.products.tiles import Tile, tuned
from runmat_wgpu.codegen.shader import STORED_BYTES, Target


@attrs.frozen
class Size:
    """Extents of a product of (m x k) * (k x n)."""

    m: int
    n: int
    k: int


@attrs.frozen
class Pack:
    """A copy of a factor (`codegen.products.packing`).

    Attributes:
        operand: the factor as it lies in memory.
        count: squares to copy.
        step: elements between columns of the copy.
        nbytes: of the copy.
    """

    operand: Operand
    count: int
    step: int
    nbytes: int
    words: Mapping[str, int] = attrs.field(eq=False)


@attrs.frozen
class Stage:
    """The dispatch that multiplies.

    Attributes:
        make: its shader; takes the ending, and whether it stores parts instead.
        key: what the text depends on, besides ending and parts.
        grid: workgroups along x and y together; parts go along z.
        words: values of its own words.
        packs: copies that are made before.
    """

    make: Callable[[Ending, bool], Written]
    key: Hashable
    count: int
    parts: int
    words: Mapping[str, int] = attrs.field(eq=False)
    packs: tuple[Pack, ...] = ()


class Stages:
    """Stages of one product."""

    def __init__(self, product: Product, target: Target) -> None:
        self.product = product
        self.target = target

    def of(self, size: Size) -> Stage:
        chosen = cut(self.product, size.m, size.n, size.k, self.target)
        form = chosen.form
        if isinstance(form, Tile):
            return self._tiled(size, form, chosen)
        if isinstance(form, Columns):
            return self._columns(size, form, chosen)
        if isinstance(form, Dots):
            return self._dots(size, form, chosen)
        return self._plain(size, chosen)

    def _operands(
        self, size: Size, left: bool = True, right: bool = True
    ) -> tuple[Operand, Operand]:
        """Return the factors, bound as vectors if asked and their columns are vectors."""
        many = self.product.width
        left &= (size.k if self.product.trans_a else size.m) % many == 0 and size.k > 0
        right &= (size.n if self.product.trans_b else size.k) % many == 0 and size.k > 0
        return self.product.operands(left, right)

    def _steps(self, size: Size, chosen: Cut, operands: Sequence[Operand]) -> dict[str, int]:
        """Words about how the factors lie in memory, and about parts."""
        said = {"k": size.k, "page": size.m * size.n, "chunk": chosen.chunk}
        for name, outer, operand in zip("ab", (size.m, size.n), operands, strict=True):
            step = outer if operand.direct else size.k
            said[f"ld_{name}"] = step // self.product.width if operand.vector else step
            said[f"outer_{name}"] = outer
        return said

    def _tiled(self, size: Size, tile: Tile, chosen: Cut) -> Stage:
        operands = self._operands(size)
        packs = self._packs(size, operands)
        steps = self._steps(size, chosen, operands)
        for pack, name in zip(packs, "ab", strict=True):
            if pack is not None:
                steps[f"ld_{name}"] = pack.step // self.product.width
        operands = (_packed(operands[0], packs[0]), _packed(operands[1], packs[1]))
        count = tiles(tile, size.m, size.n, self.product.syrk)
        words = {
            **steps,
            "tiles": count,
            "tiles_m": -(-size.m // tile.rows),
            "tiles_n": -(-size.n // tile.columns),
            "panel": tuned(self.target, "gemm.panel"),
        }

        def make(ending: Ending, parts: bool) -> Written:
            return tiled(self.product, tile, operands, ending, parts, self.target)

        copies = tuple(dict.fromkeys(pack for pack in packs if pack is not None))
        return Stage(make, (tile, operands), count, chosen.parts, words, copies)

    def _packs(self, size: Size, operands: Sequence[Operand]) -> tuple[Pack | None, Pack | None]:
        """Copy of factors that pay for large products."""
        found: list[Pack | None] = []
        work = size.m * size.n * size.k >> 20
        few = not self.product.syrk and work < tuned(self.target, "gemm.work")
        pairs = ((size.m, size.n), (size.n, size.m))
        for operand, (outer, other) in zip(operands, pairs, strict=True):
            kind = "syrk.pack" if self.product.syrk else "gemm.pack"
            least = tuned(self.target, kind if operand.vector else "gemm.align")
            plain = operand.vector and (operand.direct or few)
            if plain or not least or other < least or not size.k:
                found.append(None)
                continue
            step = -(-outer // self.product.width) * self.product.width
            nbytes = step * size.k * STORED_BYTES[self.product.dtype]
            side = -(-step // SIDE)
            count = side * -(-size.k // SIDE)
            own = outer if operand.direct else size.k
            words = {"k": size.k, "ld_a": own, "outer_a": outer, "ld_to": step}
            words |= {"tiles": count, "tiles_m": side}
            bound = attrs.evolve(operand, vector=False)
            fits = nbytes <= self.target.binding_bytes
            found.append(Pack(bound, count, step, nbytes, words) if fits else None)
        return found[0], found[1]

    def _columns(self, size: Size, form: Columns, chosen: Cut) -> Stage:
        operands = self._operands(size, not form.swapped, form.swapped)
        long_ = size.n if form.swapped else size.m
        count = -(-long_ // (form.lanes * self.product.width))
        words = {**self._steps(size, chosen, operands), "tiles": count}

        def make(ending: Ending, parts: bool) -> Written:
            return columns(self.product, form, operands, ending, parts, self.target)

        return Stage(make, (form, operands), count, chosen.parts, words)

    def _dots(self, size: Size, form: Dots, chosen: Cut) -> Stage:
        operands = self._operands(size)
        if not all(o.vector and not o.direct for o in operands):
            operands = self._operands(size, False, False)
        down = -(-size.m // form.rows)
        count = down * -(-size.n // form.columns)
        words = {**self._steps(size, chosen, operands), "tiles": count, "tiles_m": down}

        def make(ending: Ending, parts: bool) -> Written:
            return dots(self.product, form, operands, ending, parts, self.target)

        return Stage(make, (form, operands), count, chosen.parts, words)

    def _plain(self, size: Size, chosen: Cut) -> Stage:
        left = not (self.product.trans_a or self.product.syrk)
        operands = self._operands(size, left, False)
        count = -(-size.m // (DOWN * self.product.width)) * -(-size.n // ACROSS)
        words = {**self._steps(size, chosen, operands), "tiles": count}

        def make(ending: Ending, parts: bool) -> Written:
            return plain(self.product, operands, ending, parts, self.target)

        return Stage(make, operands, -(-count // THREADS), chosen.parts, words)


def _packed(operand: Operand, pack: Pack | None) -> Operand:
    """Return a factor as the copy has it."""
    return operand if pack is None else Operand(operand.buffer, direct=True)
