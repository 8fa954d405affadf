"""What is done for arrays that are small, or narrow: pieces for threads, short rows together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from runmat_inprocess import spread
from runmat_inprocess.compiler import Program
from runmat_inprocess.layouts import ManyPasses, OnePass, layout_for
from runmat_inprocess.pieces import LEAST, PIECES, least_block, piece
from runmat_inprocess.reducers import WIDE, reduce_dim
from runmat_inprocess.trips import Trips

from runmat_core.api import ir
from runmat_core.api.ir import reducers

BLOCK = 1 << 17


def kernel(write: Any, kinds: str, extents: tuple[int, ...], function: Any, dtype: Any) -> Any:
    w = write(kinds, extents)
    w.store(function(w.load(np.zeros(extents, dtype))))
    return w


# -- pieces ---------------------------------------------------------------------------------------


def test_dear_operations_are_shared_in_small_pieces(write: Any) -> None:
    def least(function: Any, dtype: Any) -> int:
        return least_block(kernel(write, "p", (100,), function, dtype).kernel())

    sines, sums = least(ir.sin, np.float64), least(lambda x: x + x, np.float32)
    assert LEAST <= sines < least(ir.sin, np.float32) < sums
    assert piece(50_000, BLOCK, sines) == 50_000 // PIECES
    assert piece(50_000, BLOCK, sums) > 50_000
    assert piece(100 * BLOCK, BLOCK, sines) == BLOCK


def test_one_sum_of_dear_elements_is_several_threads_work(write: Any) -> None:
    def total(x: ir.V) -> ir.V:
        return ir.reduce(reducers.sum_("f64"), ir.sin(x))[0]

    w = kernel(write, "r", (50_000,), total, np.float64)
    layout = layout_for(Program(w.kernel()), w.extents, w.addressing, BLOCK)
    assert isinstance(layout, ManyPasses)
    assert layout.chunks[0] <= 50_000 // PIECES + 64
    # what meets its elements again is computed once, in one block
    w = kernel(write, "r", (50_000,), lambda x: ir.sin(x) - total(x), np.float64)
    layout = layout_for(Program(w.kernel()), w.extents, w.addressing, BLOCK)
    assert isinstance(layout, OnePass)


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_loops_in_time_are_cut_for_threads(threads: int, write: Any) -> None:
    w = write("pt", (50_000, 3))
    x = w.load(np.zeros((50_000, 1)))
    w.store(ir.sin(x))
    layout = layout_for(Program(w.kernel()), w.extents, w.addressing, BLOCK)
    assert isinstance(layout, Trips)
    assert layout.cut(threads).count == threads


def test_loops_that_draw_normal_numbers_have_large_blocks(write: Any) -> None:
    counts = []
    for distribution in ("uniform", "normal"):
        w = write("pt", (50_000, 3))
        drawn = w.random(w.index((1, 50_000)), distribution, "f32", 7, 0)
        w.store(ir.exp(drawn) * drawn + 1.0)
        layout = layout_for(Program(w.kernel()), w.extents, w.addressing, BLOCK)
        assert isinstance(layout, Trips)
        counts.append(layout.cut(8).count)
    uniform, normal = counts
    assert normal == 1 < uniform


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_loops_with_sums_are_cut_by_their_shape_alone(threads: int, write: Any) -> None:
    w = write("prt", (2000, 25, 3))
    w.store(ir.reduce(reducers.sum_("f64"), ir.sin(w.load(np.zeros((2000, 25, 1)))))[0])
    layout = layout_for(Program(w.kernel()), w.extents, w.addressing, BLOCK)
    assert isinstance(layout, Trips)
    assert layout.cut(threads).count == layout.cut(3).count > 1


@pytest.mark.parametrize("threads", [1, 3])
def test_pieces_give_what_one_block_gives(
    threads: int, new_device: Callable[..., Any], write: Any
) -> None:
    x = np.random.default_rng(1).standard_normal((30_000, 1))
    w = write("r", (30_000,))
    w.store(ir.reduce(reducers.sum_("f64"), ir.sin(w.load(x[:, 0])))[0])
    got = new_device(threads=threads).output(w)
    np.testing.assert_allclose(got.item(), np.sin(x).sum(), rtol=1e-13)
    assert got == new_device(threads=2).output(w)


# -- short rows -----------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [1, 2, 3, 7, 63])
@pytest.mark.parametrize("rows", [130, 513, 4099, 70_000])
@pytest.mark.parametrize("before", [(), (3,)])
def test_short_rows_are_reduced_together(width: int, rows: int, before: tuple[int, ...]) -> None:
    x = np.random.default_rng(2).standard_normal((*before, rows, width))
    dim = len(before)
    for ufunc in (np.add, np.fmax, np.multiply):
        data = x if ufunc is not np.multiply else np.sign(x)
        got = reduce_dim(ufunc, data, dim)
        wanted = ufunc.reduce(data, axis=dim, keepdims=True)
        assert got.shape == wanted.shape
        np.testing.assert_allclose(got, wanted, rtol=1e-11, atol=1e-11)


def test_sums_of_short_rows_round_like_a_tree() -> None:
    x = np.full((1 << 18, 2), 0.1, np.float32)
    got = reduce_dim(np.add, x, 0)
    np.testing.assert_allclose(got, x.sum(0, np.float64)[np.newaxis], rtol=2e-6)
    assert WIDE > 2


@pytest.mark.parametrize("width", [2, 5, 64])
@pytest.mark.parametrize("rows", [512, 1023, 5000])
def test_a_row_meets_many(width: int, rows: int) -> None:
    rng = np.random.default_rng(3)
    x, row = rng.standard_normal((rows, width)), rng.standard_normal((1, width))
    subtract = spread.Spread(np.subtract)
    out = np.empty_like(x)
    subtract(x, row, out)
    np.testing.assert_array_equal(out, x - row)
    subtract(row, x, out)
    np.testing.assert_array_equal(out, row - x)
    subtract(x, row, x)
    np.testing.assert_array_equal(x, -out)
    # what does not lie row by row, and what is no row
    turned = np.asfortranarray(out)
    subtract(turned, row, out)
    np.testing.assert_array_equal(out, turned - row)
    column = rng.standard_normal((rows, 1))
    subtract(column, row, out)
    np.testing.assert_array_equal(out, column - row)


def test_a_kernel_with_few_rows(device: Any, write: Any) -> None:
    x = np.random.default_rng(4).standard_normal((2, 3000))
    mu = x.mean(1, keepdims=True)
    w = write("pp", x.shape)
    w.store((w.load(mu) - w.load(x)) / w.load(mu))
    np.testing.assert_allclose(device.output(w), (mu - x) / mu, rtol=1e-14)


# -- element numbers ------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["f64", "f32", "i32"])
def test_numbers_become_what_they_are_converted_to(
    dtype: str, small_blocks: Any, write: Any
) -> None:
    w = write("pp", (60, 7))
    number = w.index((3, -200), 1400)
    w.store(ir.cast(number, dtype))
    wanted = 1400 + 3 * np.arange(60)[:, np.newaxis] - 200 * np.arange(7)
    np.testing.assert_array_equal(small_blocks.output(w), wanted)
    w = write("pp", (60, 7))
    number = w.index((3, -200), 1400)
    w.store(ir.cast(number, dtype))
    w.store(number)
    for got in small_blocks.outputs(w):
        np.testing.assert_array_equal(got, wanted)
