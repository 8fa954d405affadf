"""Products on an adapter: every form, transposition, element type and odd size."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from runmat_wgpu.codegen import template
from runmat_wgpu.codegen.products import choice
from runmat_wgpu.codegen.products.call import product
from runmat_wgpu.codegen.products.thin import Columns, Dots
from runmat_wgpu.codegen.products.tiles import TILES, Tile
from runmat_wgpu.codegen.shader import DeclinedError, Target

from runmat_core.api.device import DeviceFault
from runmat_core.api.ir import LibraryCall
from tests.providers.wgpu.machine import target
from tests.providers.wgpu.multiplied import HARDWARE, Multiplied

both = pytest.mark.parametrize("trans_b", [False, True])
either = pytest.mark.parametrize("trans_a", [False, True])


def form(case: Multiplied, **changes: Any) -> Any:
    """What the sizes of a case are computed by."""
    wanted = target(**(HARDWARE | changes))
    return choice.cut(product(case.call(), wanted), *case.size, wanted)


@both
@either
@pytest.mark.parametrize("size", [(40, 36, 20), (37, 41, 53)])
def test_tiles(size: tuple[int, int, int], trans_a: bool, trans_b: bool) -> None:
    case = Multiplied(size, "f32", trans_a, trans_b)
    assert isinstance(form(case).form, Tile)
    case.check()


@both
@either
def test_tiles_of_doubles(trans_a: bool, trans_b: bool) -> None:
    Multiplied((38, 34, 22), "f64", trans_a, trans_b).check()


def test_doubles_of_odd_sizes() -> None:
    Multiplied((35, 33, 27), "f64", True, False).check()


@pytest.mark.parametrize("trans_a", [False, True])
def test_the_tile_of_large_products(trans_a: bool) -> None:
    tuned = tuple((name, 0) for name in ("sgemm.small", "sgemm.tall", "sgemm.broad"))
    Multiplied((200, 136, 72), "f32", trans_a).check(tuned=tuned)


@both
@either
@pytest.mark.parametrize(
    "size", [(130, 3, 300), (3, 130, 300), (1, 70, 33), (70, 1, 64), (3, 4, 9)]
)
def test_thin_products(size: tuple[int, int, int], trans_a: bool, trans_b: bool) -> None:
    case = Multiplied(size, "f32", trans_a, trans_b)
    chosen = form(case).form
    long_is_direct = trans_b if size[1] > 8 else not trans_a
    assert isinstance(chosen, Columns if max(size[:2]) > 8 and long_is_direct else Dots)
    case.check()


@both
@either
def test_thin_products_of_doubles(trans_a: bool, trans_b: bool) -> None:
    Multiplied((90, 2, 130), "f64", trans_a, trans_b).check()


@pytest.mark.parametrize("size", [(40, 36, 4100), (4, 3, 9000), (60, 2, 9000)])
def test_parts_of_the_inner_extent(size: tuple[int, int, int]) -> None:
    case = Multiplied(size, "f32", True)
    assert form(case).parts > 1
    first = case.check()
    np.testing.assert_array_equal(first, case.run())


@pytest.mark.parametrize("dtype", ["f32", "f64"])
@pytest.mark.parametrize("n", [4, 70])
@pytest.mark.parametrize("centre", ["", "a"])
def test_symmetric_products(n: int, dtype: str, centre: str) -> None:
    got = Multiplied((n, n, 300), dtype, True, False, True, centre).check()
    np.testing.assert_array_equal(got, got.T)


def test_a_symmetric_product_whose_input_is_named_twice() -> None:
    a = np.random.default_rng(3).normal(size=(30, 12))
    case = Multiplied((12, 12, 30), "f64", True, False, True)
    call = LibraryCall("matmul", ("f64",) * 3, (("syrk", True), ("trans_a", True)))
    assert product(call, target()).inputs == 2
    np.testing.assert_allclose(case.run([a]), a.T @ a, rtol=1e-12)


@both
@either
@pytest.mark.parametrize("centre", ["a", "b"])
@pytest.mark.parametrize("size", [(36, 40, 33), (50, 3, 70)])
def test_centred_factors(
    size: tuple[int, int, int], centre: str, trans_a: bool, trans_b: bool
) -> None:
    Multiplied(size, "f32", trans_a, trans_b, False, centre).check()


@both
@either
@pytest.mark.parametrize("centre", ["", "b"])
def test_without_shared_memory(centre: str, trans_a: bool, trans_b: bool) -> None:
    case = Multiplied((20, 13, 37), "f32", trans_a, trans_b, False, centre)
    assert form(case, software=True).form is None
    case.check(software=True)


def test_symmetric_products_without_shared_memory() -> None:
    got = Multiplied((21, 21, 50), "f64", True, False, True).check(software=True)
    np.testing.assert_array_equal(got, got.T)


def test_long_inner_extents_without_shared_memory() -> None:
    case = Multiplied((3, 2, 70_000), "f32", True)
    assert form(case, software=True).parts > 1  # emulated adapters end long loops
    case.check(software=True)


@pytest.mark.parametrize("size", [(40, 40, 64), (70, 8, 300)])
@pytest.mark.parametrize("nbytes", [4096, 512])
def test_little_shared_memory(size: tuple[int, int, int], nbytes: int) -> None:
    case = Multiplied(size, "f32", True)
    case.check(workgroup_bytes=nbytes)
    chosen = form(case, workgroup_bytes=nbytes).form
    if isinstance(chosen, Tile):
        assert chosen.shared_bytes("f32") <= nbytes


@pytest.mark.parametrize("size", [(5, 6, 0), (40, 36, 0), (1, 1, 0)])
def test_no_inner_extent(size: tuple[int, int, int]) -> None:
    np.testing.assert_array_equal(Multiplied(size).run(), np.zeros(size[:2]))


@pytest.mark.parametrize("size", [(0, 6, 3), (4, 0, 3), (0, 0, 0)])
def test_nothing_to_compute(size: tuple[int, int, int]) -> None:
    case = Multiplied(size)
    assert template(case.call(), target()).prepare(size, ()).dispatches == ()


@pytest.mark.parametrize("size", [(37, 41, 53), (40, 3, 30), (3, 2, 70)])
@either
def test_infinities_and_nan_stay_in_their_rows_and_columns(
    size: tuple[int, int, int], trans_a: bool
) -> None:
    m, n, k = size
    case = Multiplied(size, "f32", trans_a)
    a, b = case.inputs
    left = a.T if trans_a else a  # a view
    left[m - 1, k - 1], left[0, 0] = np.nan, np.inf
    b[k - 1, 0], b[k - 1, n - 1] = np.inf, -np.inf
    got = case.run([a, b])
    with np.errstate(invalid="ignore"):
        wanted = left @ b
    np.testing.assert_array_equal(np.isnan(got), np.isnan(wanted))
    np.testing.assert_array_equal(np.isinf(got), np.isinf(wanted))
    finite = np.isfinite(wanted)
    np.testing.assert_allclose(got[finite], wanted[finite], rtol=1e-4, atol=1e-4)


def test_error_of_a_long_sum() -> None:
    case = Multiplied((40, 40, 8192))
    got, exact = case.run(), case.exact()
    assert np.linalg.norm(got - exact) / np.linalg.norm(exact) <= 2e-6


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["f32", "f64"])
@pytest.mark.parametrize("number", range(17))
@either
def test_every_shape_of_tile(number: int, dtype: str, trans_a: bool) -> None:
    if number >= len(TILES[dtype]) or not TILES[dtype][number].fits(dtype, target()):
        pytest.skip("no such shape here")
    names = ("gemm.tile", "gemm.small", "gemm.middle", "gemm.tall", "gemm.broad")
    tuned = tuple((("s" if dtype == "f32" else "d") + name, number) for name in names)
    case = Multiplied((150, 140, 90), dtype, trans_a)
    assert form(case, tuned=tuned).form == TILES[dtype][number]
    case.check(tuned=tuned)


@pytest.mark.parametrize(
    "call",
    [
        LibraryCall("matmul", ("i32", "i32", "i32")),
        LibraryCall("matmul", ("f64", "f32", "f64")),
        LibraryCall("matmul", ("f64", "f64", "f64"), (("batch", 3),)),
        LibraryCall("matmul", ("f64", "f64"), (("syrk", True),)),
    ],
    ids=["integers", "mixed", "unknown attribute", "A * A'"],
)
def test_what_is_declined(call: LibraryCall) -> None:
    with pytest.raises(DeclinedError):
        template(call, Target())


@pytest.mark.parametrize("lacks", ["f64", "i64"])
def test_doubles_need_their_type(lacks: str) -> None:
    with pytest.raises(DeclinedError):
        template(LibraryCall("matmul", ("f64",) * 3), Target(**{lacks: False}))
    template(LibraryCall("matmul", ("f32",) * 3), Target(f64=False, i64=False))


def test_an_array_that_no_binding_holds_is_a_fault() -> None:
    made = template(LibraryCall("matmul", ("f32",) * 3), Target(binding_bytes=1 << 20))
    with pytest.raises(DeviceFault, match="1048576 bytes"):
        made.prepare((1024, 4, 1024), ())


@both
@either
@pytest.mark.parametrize("centre", ["", "a", "b"])
def test_copied_factors(centre: str, trans_a: bool, trans_b: bool) -> None:
    tuned = (*HARDWARE["tuned"], ("gemm.align", 8), ("gemm.pack", 8), ("gemm.work", 0))
    case = Multiplied((37, 44, 53), "f32", trans_a, trans_b, False, centre)
    case.check(tuned=tuned)
    even = Multiplied((40, 44, 52), "f32", trans_a, trans_b, False, centre)
    prepared = template(even.call(), target(**{**HARDWARE, "tuned": tuned})).prepare(even.size, ())
    assert len(prepared.dispatches) == 1 + trans_a + (not trans_b)
    assert len(prepared.scratch) == len(prepared.dispatches) - 1
    even.check(tuned=tuned)


@pytest.mark.parametrize(("n", "copies"), [(512, 0), (2048, 1)])
def test_copies_are_worth_their_launch(n: int, copies: int) -> None:
    large = Target(workgroup_bytes=49152, invocations=1024)
    prepared = template(Multiplied((n, n, n), "f32").call(), large).prepare((n, n, n), ())
    turned = ["square[" in dispatch.shader.source for dispatch in prepared.dispatches]
    assert sum(turned) == copies


@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_a_symmetric_product_copies_its_factor_once(dtype: str) -> None:
    tuned = (*HARDWARE["tuned"], ("gemm.align", 8), ("syrk.pack", 8))
    for k in (96, 97):
        case = Multiplied((40, 40, k), dtype, True, False, True, "a")
        prepared = template(case.call(), target(**{**HARDWARE, "tuned": tuned})).prepare(
            case.size, ()
        )
        assert len(prepared.dispatches) == 3  # the copy, the parts, and what adds these up
        case.check(tuned=tuned)
