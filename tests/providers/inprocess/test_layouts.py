"""Views, blocks and passes: where elements are read and written."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from runmat_inprocess.blocks import Grid, collapse, even

from runmat_core.api import ir
from runmat_core.api.device import Addressing, CompileRequest, Copy, ExecuteRequest, Launch
from runmat_core.api.ir import reducers


def test_neighbouring_axes_become_one() -> None:
    views = [Addressing(0, (1, 4, 12)), Addressing(5, (1, 4, 0))]
    space = collapse("ppp", (4, 3, 2), views, [0b111, 0b011])
    assert space.extents == (12, 2)
    assert space.views == (Addressing(0, (1, 12)), Addressing(5, (1, 0)))
    assert space.mask(0b011) == 0b01
    assert space.mask(0b100) == 0b10


def test_axes_of_other_kinds_and_strides_stay_apart() -> None:
    assert collapse("rp", (4, 3), [Addressing(0, (1, 4))], [3]).extents == (4, 3)
    assert collapse("pp", (4, 3), [Addressing(0, (3, 1))], [3]).extents == (4, 3)
    assert collapse("pp", (4, 3), [Addressing(0, (1, 4))], [3, 1]).extents == (4, 3)
    assert collapse("pp", (1, 1), [Addressing(7, (3, 5))], [3]).views == (Addressing(7, (1,)),)


def test_blocks_cover_every_point_once() -> None:
    grid = Grid((7, 5), (3, 2), (10, 20))
    seen = [
        (a, b)
        for number in range(grid.count)
        for (x, y), (w, h) in [grid.block(number)]
        for a, b in itertools.product(range(x, x + w), range(y, y + h))
    ]
    assert sorted(seen) == list(itertools.product(range(10, 17), range(20, 25)))
    assert [even(10, 100), even(1000, 300), even(7, 3), even(0, 5)] == [10, 256, 3, 1]


VIEWS = {
    "transposed": ((4, 6), (6, 1), 0),
    "reversed": ((24,), (-1,), 23),
    "every third": ((8,), (3,), 1),
    "flipped columns": ((4, 6), (1, -4), 20),
    "repeated": ((4, 6, 3), (1, 4, 0), 0),
    "row over columns": ((5, 24), (0, 1), 0),
    "window": ((3, 4), (1, 2), 2),
    "permuted": ((3, 2, 4), (8, 4, 1), 0),
    "one": ((1, 1), (3, 5), 7),
}


@pytest.mark.parametrize("block", [5, 1000])
@pytest.mark.parametrize("name", VIEWS)
def test_loads(name: str, block: int, new_device: Callable[..., Any], write: Any) -> None:
    shape, strides, offset = VIEWS[name]
    x = np.arange(24.0)
    w = write("p" * len(shape), shape)
    a = w.load(x, strides, offset)
    w.store(a, *contiguous(shape))
    w.store(ir.sqrt(a) + a, *contiguous(shape))
    expected = np.empty(shape)
    for point in itertools.product(*map(range, shape)):
        expected[point] = x[offset + sum(p * s for p, s in zip(point, strides, strict=True))]
    copied, computed = new_device(block=block, threads=2).outputs(w)
    np.testing.assert_array_equal(copied, expected)
    np.testing.assert_array_equal(computed, np.sqrt(expected) + expected)


def contiguous(shape: tuple[int, ...]) -> tuple[tuple[int, ...], int, tuple[int, ...]]:
    strides, step = [], 1
    for extent in shape:
        strides.append(step)
        step *= extent
    return tuple(strides), 0, shape


@pytest.mark.parametrize("block", [5, 1000])
def test_several_stores_make_one_array(
    block: int, new_device: Callable[..., Any], write: Any
) -> None:
    x = np.arange(12.0).reshape(4, 3, order="F")
    w = write("pp", (4, 3))
    a = w.load(x)
    both = w.store(a * 2.0, (1, 4), 0, (4, 6))
    w.store(a + 1.0, (1, -4), 20, buffer=both)
    got = new_device(block=block).output(w)
    np.testing.assert_array_equal(got, np.hstack([x * 2, (x + 1)[:, ::-1]]))


def test_what_is_computed_in_its_output_is_read_from_there(device: Any, write: Any) -> None:
    x = np.arange(1.0, 7.0)
    w = write("p", (6,))
    root = ir.sqrt(w.load(x))
    w.store(root)
    w.store(root, (-1,), 5, (6,))
    w.store(root * root + root)
    first, turned, last = (o.ravel() for o in device.outputs(w))
    np.testing.assert_array_equal(first, np.sqrt(x))
    np.testing.assert_array_equal(turned, np.sqrt(x)[::-1])
    np.testing.assert_array_equal(last, np.sqrt(x) * np.sqrt(x) + np.sqrt(x))


def test_a_result_spreads_over_reduced_points(small_blocks: Any, write: Any) -> None:
    x = np.arange(600.0).reshape(300, 2, order="F")
    w = write("rp", x.shape)
    (total,) = ir.reduce(reducers.sum_("f64"), w.load(x))
    w.store(total, (1, 300), 0, (300, 2))
    np.testing.assert_array_equal(small_blocks.output(w), np.tile(x.sum(0), (300, 1)))


@pytest.mark.parametrize("block", [7, 1000])
def test_numbers_and_gathers(block: int, new_device: Callable[..., Any], write: Any) -> None:
    x = np.arange(100.0, 110.0)
    w = write("pp", (6, 4))
    numbers = w.index((3, -1), 1)
    w.store(numbers)
    w.store(w.gather(x, numbers))
    w.store(w.gather(np.zeros(0), numbers))
    places, found, nothing = new_device(block=block).outputs(w)
    wanted = 1 + 3 * np.arange(6)[:, None] - np.arange(4)
    np.testing.assert_array_equal(places, wanted)
    inside = (wanted >= 0) & (wanted < 10)
    np.testing.assert_array_equal(found, np.where(inside, x[np.where(inside, wanted, 0)], 0))
    assert not nothing.any()


@pytest.mark.parametrize("block", [100, 1 << 16])
def test_guards(block: int, new_device: Callable[..., Any], write: Any) -> None:
    x = np.ones(1000)
    x[-1] = -1
    w = write("p", (1000,))
    a = w.load(x)
    w.guard(a < 0.0, 3)
    w.guard(a > 2.0, 4)
    w.guard(w.param(True, "bool"), 0)
    w.store(ir.sqrt(a))
    (root,), status = new_device(block=block, threads=2).launch(w)
    assert status == 0b1001
    assert np.isnan(root.ravel()[-1])


def test_guards_of_reductions(small_blocks: Any, write: Any) -> None:
    x = np.ones((300, 5))
    w = write("rp", x.shape)
    a = w.load(x)
    (total,) = ir.reduce(reducers.sum_("f64"), a)
    w.guard(total > 299.0, 1)
    w.guard(a - total < -298.0, 2)
    w.guard(total > 300.0, 5)
    w.store(total)
    assert small_blocks.launch(w)[1] == 0b110


def in_place(device: Any, w: Any, x: Any) -> Any:
    """Run a kernel whose first input and output are one array of the device's own."""
    (executable,) = device.provider.compile(CompileRequest(units=(w.kernel(),)))
    launch = Launch(executable, (0, 0), w.extents, tuple(w.addressing))
    slots = (*device.allocate(((100, 1), "f64")), *device.upload(x))
    device.provider.execute(ExecuteRequest(steps=(Copy(1, 0), launch), slots=slots))
    return device.download(slots[0])[0]


@pytest.mark.parametrize("block", [16, 1000])
def test_in_place(block: int, new_device: Callable[..., Any], write: Any) -> None:
    x = np.arange(100.0).reshape(100, 1)
    device = new_device(block=block, threads=2)
    w = write("p", (100,))
    a = w.load(x[:, 0])
    root = ir.sqrt(a)
    w.store(root + 1.0)
    w.builder.emit("guard", ((a > 1e9).position,), "bool", 0, 0)
    np.testing.assert_array_equal(in_place(device, w, x), np.sqrt(x) + 1)
    w = write("p", (100,))
    w.store(w.load(x[:, 0], (-1,), 99) * 2.0)
    np.testing.assert_array_equal(in_place(device, w, x), x[::-1] * 2)
    w = write("r", (100,))
    a = w.load(x[:, 0])
    (total,) = ir.reduce(reducers.sum_("f64"), a)
    w.store(a - total / ir.count(a))
    np.testing.assert_allclose(in_place(device, w, x), x - x.mean())
    w = write("p", (100,))
    w.store(w.gather(x[:, 0], w.index((-1,), 99)))
    np.testing.assert_array_equal(in_place(device, w, x), x[::-1])


def test_the_memory_of_the_host_is_never_written(device: Any, write: Any) -> None:
    x = np.arange(10.0).reshape(10, 1)
    mine = x.copy()
    (a,) = device.upload(mine)
    w = write("p", (10,))
    w.store(w.load(x[:, 0]) * 2.0)
    (executable,) = device.provider.compile(CompileRequest(units=(w.kernel(),)))
    launch = Launch(executable, (0, 0), w.extents, tuple(w.addressing))
    device.provider.execute(ExecuteRequest(steps=(launch,), slots=(a,)))
    np.testing.assert_array_equal(device.download(a)[0], x * 2)
    np.testing.assert_array_equal(mine, x)


def test_one_kernel_serves_every_size_and_value(device: Any, write: Any) -> None:
    results = []
    for size, factor in ((3, 2.0), (5, 3.0), (3, 4.0)):
        w = write("p", (size,))
        w.store(w.load(np.ones(size)) * w.param(factor, "f64"))
        results.append(device.output(w).ravel().tolist())
    assert results == [[2.0] * 3, [3.0] * 5, [4.0] * 3]


def test_a_view_past_its_buffer_is_an_error(device: Any, write: Any) -> None:
    w = write("p", (10,))
    w.store(w.load(np.zeros(5), (1,)) + 1.0)
    with pytest.raises(ValueError, match="broadcast"):
        device.output(w)
    w = write("p", (10,))
    w.store(w.load(np.zeros(5), (2,)) + 1.0)
    with pytest.raises((ValueError, TypeError), match="buffer"):
        device.output(w)
