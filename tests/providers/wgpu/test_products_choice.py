"""Which form a product takes, on a device of the size of a data centre's."""

from __future__ import annotations

from typing import Any

import pytest
from runmat_wgpu.codegen.products import choice
from runmat_wgpu.codegen.products.call import product
from runmat_wgpu.codegen.products.choice import Cut
from runmat_wgpu.codegen.products.thin import Columns, Dots
from runmat_wgpu.codegen.products.tiles import TILES, TUNED, Tile
from runmat_wgpu.codegen.shader import STORED_BYTES, Target

from runmat_core.api.ir import LibraryCall

LARGE = Target(workgroup_bytes=49152, invocations=1024, binding_bytes=(1 << 31) - 1)


def cut(m: int, n: int, k: int, target: Target = LARGE, dtype: str = "f32", **flags: Any) -> Cut:
    inputs = 1 if flags.get("syrk") else 2
    call = LibraryCall("matmul", (dtype,) * (inputs + 1), tuple(sorted(flags.items())))
    return choice.cut(product(call, target), m, n, k, target)


@pytest.mark.parametrize("n", [2048, 4096, 8192])
def test_large_products_take_the_tuned_tile_in_one_part(n: int) -> None:
    assert cut(n, n, n) == Cut(TILES["f32"][TUNED["sgemm.tile"]], 1, n)


def test_tuning_is_one_number() -> None:
    other = Target(workgroup_bytes=49152, invocations=1024, tuned=(("sgemm.tile", 2),))
    assert cut(8192, 8192, 8192, other).form == TILES["f32"][2]


def test_smaller_tiles_fill_the_device_better_where_there_are_few() -> None:
    chosen = cut(1000, 1000, 1000)
    assert chosen.form == TILES["f32"][TUNED["sgemm.middle"]]
    count = choice.tiles(chosen.form, 1000, 1000, False) * chosen.parts
    waves = -(-count // TUNED["gemm.units"])
    assert count > 0.95 * waves * TUNED["gemm.units"]


def test_few_tiles_are_split_along_the_inner_extent() -> None:
    chosen = cut(512, 512, 80_000, syrk=True, trans_a=True)
    assert isinstance(chosen.form, Tile)
    assert chosen.form.rows == chosen.form.columns
    count = choice.tiles(chosen.form, 512, 512, True)
    assert count * chosen.parts * chosen.form.threads >= choice.BUSY * TUNED["gemm.units"]
    assert chosen.chunk % chosen.form.depth == 0
    assert (chosen.parts - 1) * chosen.chunk < 80_000 <= chosen.parts * chosen.chunk


@pytest.mark.parametrize("size", [(16, 16, 1_000_000), (9, 9, 7), (100, 100, 100), (20, 9000, 50)])
@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_parts_cover_the_inner_extent(size: tuple[int, int, int], dtype: str) -> None:
    chosen = cut(*size, dtype=dtype)
    assert (chosen.parts - 1) * chosen.chunk < size[2] <= chosen.parts * chosen.chunk


@pytest.mark.parametrize("size", [(4000, 9, 100_000), (800, 8, 100_000), (8, 8, 10_000_000)])
def test_parts_stay_within_a_binding(size: tuple[int, int, int]) -> None:
    m, n, k = size
    small = Target(binding_bytes=m * n * STORED_BYTES["f32"] * 2)
    assert 1 <= cut(m, n, k, small, trans_a=True).parts <= 2
    assert cut(m, n, k, LARGE, trans_a=True).parts > 2


@pytest.mark.parametrize(
    ("size", "flags", "form"),
    [
        ((512, 8, 512), {}, Columns),
        ((8, 512, 512), {}, Dots),
        ((8, 512, 512), {"trans_b": True}, Columns),
        ((512, 8, 512), {"trans_a": True}, Dots),
        ((8, 8, 512), {"trans_a": True}, Dots),
        ((9, 512, 512), {}, Tile),
    ],
)
def test_thin_forms(size: tuple[int, int, int], flags: dict[str, Any], form: type) -> None:
    assert isinstance(cut(*size, **flags).form, form)


def test_tiles_cover_a_product_or_its_lower_triangle() -> None:
    tile = Tile(32, 64, 8, 4, 4)
    assert choice.tiles(tile, 65, 65, False) == 3 * 2
    assert choice.tiles(Tile(32, 32, 8, 4, 4), 65, 65, True) == 6
