"""What tuning may choose for a device: names of `Target.tuning`, and the work that decides."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from runmat_core.api.ir import LibraryCall
from runmat_wgpu.codegen.products.tiles import TILES
from runmat_wgpu.codegen.shader import Target

#: Rows and columns of the square matrices that decide, and sizes of the tall one.
ORDER = {"f32": 3072, "f64": 2048}
TALL = (512, 512, 40_000)


@attrs.frozen
class Tunable:
    """A choice.

    Attributes:
        name: of `Target.tuning`.
        candidates: the numbers to try.
        call: what is timed with each.
        extents: of the launch.
        inputs: size of each input.
        output: size of the output.
    """

    name: str
    candidates: tuple[int, ...]
    call: LibraryCall
    extents: tuple[int, ...]
    inputs: tuple[tuple[int, int], ...]
    output: tuple[int, int]


def tunables(target: Target) -> Iterator[Tunable]:
    """Yield the choices that matter on a device; none where it is emulated and takes no tiles."""
    if target.software:
        return
    for dtype, letter in (("f32", "s"), ("f64", "d")):
        if dtype == "f64" and not target.f64:
            continue
        fitting = [k for k, tile in enumerate(TILES[dtype]) if tile.fits(dtype, target)]
        n = ORDER[dtype]
        product = LibraryCall("matmul", (dtype,) * 3)
        yield Tunable(
            f"{letter}gemm.tile", tuple(fitting), product, (n, n, n), ((n, n), (n, n)), (n, n)
        )
        square = [k for k in fitting if TILES[dtype][k].rows == TILES[dtype][k].columns]
        gram = LibraryCall("matmul", (dtype,) * 2, (("syrk", True), ("trans_a", True)))
        m, _, k = TALL
        yield Tunable(f"{letter}syrk.tile", tuple(square), gram, TALL, ((k, m),), (m, m))
