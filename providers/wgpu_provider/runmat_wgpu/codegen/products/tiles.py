"""Shapes of tiles: how a product is cut into workgroups, and these into threads.

A workgroup computes `rows` x `columns` elements of the product, `depth` of the inner extent at a
time, which lie in its shared memory meanwhile. Each thread computes `down` x `across` of them in
named registers, as vectors along the rows. The defaults were chosen on an NVIDIA H200; the names
that `Target.tuning` takes are those of `TUNED`, so a device has a better choice by one number.
"""

from __future__ import annotations

import attrs

from runmat_wgpu.codegen.kernels.draft import width
from runmat_wgpu.codegen.shader import STORED_BYTES, Target


@attrs.frozen
class Tile:
    """A shape.

    Attributes:
        rows, columns, depth: of a workgroup's tile.
        down, across: elements of a thread.
        ahead: the next tile is read from memory while this one is multiplied.
        double: shared memory holds two tiles, which saves a barrier for each.
    """

    rows: int
    columns: int
    depth: int
    down: int
    across: int
    ahead: bool = True
    double: bool = False

    @property
    def wide(self) -> int:
        """Threads side by side along the rows of the product."""
        return self.rows // self.down

    @property
    def high(self) -> int:
        """Threads along its columns."""
        return self.columns // self.across

    @property
    def threads(self) -> int:
        return self.wide * self.high

    def shared_bytes(self, dtype: str) -> int:
        """Bytes of workgroup memory, padding included, whatever the transpositions."""
        vectors = self.depth * (self.rows + self.columns + 2 * width(dtype))
        return vectors * STORED_BYTES[dtype] * (2 if self.double else 1)

    def fits(self, dtype: str, target: Target) -> bool:
        """Whether the target runs it, and whether threads can share its reading."""
        many = width(dtype)
        shares = all(
            extent % many == 0 and self.threads % (extent // many) == 0
            for extent in (self.rows, self.columns)
        )
        return (
            shares
            and self.down % many == self.across % many == self.depth % many == 0
            and self.threads % (self.depth // many) == 0
            and self.threads <= target.invocations
            and self.shared_bytes(dtype) <= target.workgroup_bytes
        )


#: Shapes by number, which is what tuning names; numbers stay what they are.
TILES: dict[str, tuple[Tile, ...]] = {
    "f32": (
        Tile(64, 64, 16, 8, 8),
        Tile(128, 128, 16, 8, 8),
        Tile(64, 64, 16, 8, 8, ahead=False),
        Tile(128, 128, 16, 8, 8, ahead=False),
        Tile(64, 64, 16, 8, 8, double=True),
        Tile(128, 128, 8, 8, 8, double=True),
        Tile(128, 64, 16, 8, 8),
        Tile(64, 128, 16, 8, 8),
        Tile(64, 64, 8, 8, 8),
        Tile(64, 64, 16, 4, 8),
        Tile(128, 32, 16, 8, 4),
        Tile(32, 32, 16, 4, 4),
        Tile(128, 128, 16, 8, 8, double=True),
        Tile(64, 64, 32, 8, 8),
        Tile(128, 64, 16, 16, 8),
        Tile(32, 128, 16, 4, 8),
        Tile(16, 16, 8, 4, 4),
        Tile(64, 64, 8, 8, 8, ahead=False),
    ),
    "f64": (
        Tile(64, 64, 8, 8, 8),
        Tile(64, 64, 16, 8, 8),
        Tile(64, 64, 8, 8, 4),
        Tile(64, 64, 16, 8, 4),
        Tile(64, 64, 8, 8, 8, ahead=False),
        Tile(64, 64, 16, 4, 4),
        Tile(128, 64, 8, 8, 8),
        Tile(128, 64, 8, 8, 4),
        Tile(64, 64, 8, 8, 4, double=True),
        Tile(32, 32, 8, 4, 4),
        Tile(64, 64, 8, 8, 8, double=True),
        Tile(128, 128, 8, 8, 8),
        Tile(16, 16, 4, 4, 4),
    ),
}

#: Numbers in `TILES` of what is used for large, symmetric, small and middle products, and for
#: products with few columns or few rows; and further numbers that tuning may change.
TUNED: dict[str, int] = {
    "sgemm.tile": 1,
    "ssyrk.tile": 1,
    "sgemm.small": 11,
    "sgemm.middle": 7,
    "sgemm.tall": 10,
    "sgemm.broad": 15,
    "dgemm.tile": 6,
    "dsyrk.tile": 0,
    "dgemm.small": 9,
    # the other outer extent from which a factor is first copied, 0 never: one that lies the wrong
    # way, in a symmetric product (both factors are read from the copy), and one whose columns are
    # no whole vectors
    "gemm.pack": 512,
    # products of two elements, in units of 2^20, from which that is worth a launch of its own
    "gemm.work": 1024,
    "syrk.pack": 256,
    "gemm.align": 512,
    # parts of the device that run workgroups independently
    "gemm.units": 132,
    # rows of tiles that run together
    "gemm.panel": 8,
}


def tuned(target: Target, name: str) -> int:
    """Return what tuning says, or the default."""
    return target.tuning(name, TUNED[name])
