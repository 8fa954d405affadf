"""Reductions and scans against NumPy: every combination of axes, passes, and threads."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from runmat_core.api import ir, sums
from runmat_core.api.ir import reducers

KINDS = ["".join(k) for n in (1, 2, 3) for k in itertools.product("pr", repeat=n) if "r" in k]
SHAPES = {1: [(1,), (50,), (3000,)], 2: [(7, 90), (200, 11), (1, 60), (60, 1)]}
SHAPES[3] = [(5, 6, 7), (40, 1, 30), (2, 90, 3), (1, 1, 1)]
CASES = [(k, s) for k in KINDS for s in SHAPES[len(k)]]


def reduced(kinds: str) -> tuple[int, ...]:
    return tuple(k for k, kind in enumerate(kinds) if kind == "r")


def sample(shape: tuple[int, ...], dtype: type = np.float64) -> Any:
    return np.random.default_rng(7).standard_normal(shape).astype(dtype)


def line(x: Any, axes: tuple[int, ...]) -> Any:
    """The reduced axes as one, last, in column-major order."""
    others = [k for k in range(x.ndim) if k not in axes]
    moved = x.transpose([*others, *reversed(axes)])
    return moved.reshape([*(x.shape[k] for k in others), -1])


def kept(result: Any, x: Any, axes: tuple[int, ...]) -> Any:
    return np.reshape(result, [1 if k in axes else e for k, e in enumerate(x.shape)])


@pytest.mark.parametrize(("kinds", "shape"), CASES)
def test_sums_and_extremes(kinds: str, shape: Any, small_blocks: Any, write: Any) -> None:
    x, axes = sample(shape), reduced(kinds)
    x[x > 1.5] = np.nan
    w = write(kinds, shape)
    a = w.load(x)
    zero = ir.where(ir.isnan(a), 0.0, a)
    results = [
        *ir.reduce(reducers.sum_("f64"), zero),
        *ir.reduce(reducers.prod("f64"), zero + 1.0),
        *ir.reduce(reducers.minimum("f64"), a),
        *ir.reduce(reducers.extremum("f64", True), a),
        *ir.reduce(reducers.extremum("f64", False), a),
        *ir.reduce(reducers.any_(), ir.isnan(a)),
        *ir.reduce(reducers.all_(), a < 1.0),
    ]
    for value in results:
        w.store(value)
    clean = np.where(np.isnan(x), 0, x)
    low, high = line(np.where(np.isnan(x), 9, x), axes), line(np.where(np.isnan(x), -9, x), axes)
    wanted = [
        line(clean, axes).sum(-1),
        line(clean + 1, axes).prod(-1),
        low.min(-1),
        high.max(-1),
        high.argmax(-1),
        low.min(-1),
        low.argmin(-1),
        line(np.isnan(x), axes).any(-1),
        line(x < 1, axes).all(-1),
    ]
    for got, expected in zip(small_blocks.outputs(w), wanted, strict=True):
        gone = np.isnan(line(x, axes)).all(-1)
        if got.dtype == np.float64 and gone.any():
            continue  # all NaN has a test of its own
        np.testing.assert_allclose(got, kept(expected, x, axes), rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize(("kinds", "shape"), CASES)
def test_results_meet_full_values_again(
    kinds: str, shape: Any, small_blocks: Any, write: Any
) -> None:
    """Standardising: two levels of reductions, and values at every point afterwards."""
    x, axes = sample(shape), reduced(kinds)
    w = write(kinds, shape)
    a = w.load(x)
    (total,) = ir.reduce(reducers.sum_("f64"), a)
    centred = a - total / ir.count(a)
    (square,) = ir.reduce(reducers.sum_("f64"), centred * centred)
    w.store(centred / ir.sqrt(square + 1.0))
    w.store(centred)
    w.store(ir.sqrt(square + 1.0) * total)
    mean = x.mean(axes, keepdims=True)
    spread = np.sqrt(((x - mean) ** 2).sum(axes, keepdims=True) + 1)
    wanted = [(x - mean) / spread, x - mean, spread * x.sum(axes, keepdims=True)]
    for got, expected in zip(small_blocks.outputs(w), wanted, strict=True):
        np.testing.assert_allclose(got, expected, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize(("kinds", "shape"), CASES)
def test_welford(kinds: str, shape: Any, small_blocks: Any, write: Any) -> None:
    x, axes = sample(shape) + 1e6, reduced(kinds)
    w = write(kinds, shape)
    for value in ir.reduce(reducers.welford("f64"), w.load(x)):
        w.store(value)
    count, mean, squares = small_blocks.outputs(w)
    assert (count == line(x, axes).shape[-1]).all()
    np.testing.assert_allclose(mean, x.mean(axes, keepdims=True), rtol=1e-14)
    np.testing.assert_allclose(squares, count * x.var(axes, keepdims=True), rtol=1e-7, atol=1e-8)


def norm_like() -> ir.Reducer:
    """Largest element and the sum of squares relative to it: no provider knows this one."""

    def combine(m: Any, s: Any, n: Any, t: Any) -> Any:
        top = ir.maximum(m, n)
        safe = ir.where(top > 0.0, top, 1.0)
        return top, s * (m / safe) * (m / safe) + t * (n / safe) * (n / safe)

    return reducers.reducer(
        "scaled-squares",
        (0.0, 0.0),
        ("f64",),
        ("f64", "f64"),
        lambda x, _: (abs(x), ir.where(x == 0.0, 0.0, x * 0.0 + 1.0)),
        combine,
        lambda m, s: m * ir.sqrt(s),
    )


def last_place() -> ir.Reducer:
    """The number of the last positive element: order matters, and numbers are used."""
    return reducers.reducer(
        "last-positive",
        (-1.0,),
        ("f64",),
        ("f64",),
        lambda x, k: ir.where(x > 0.0, k, -1.0),
        lambda a, b: ir.where(b >= 0.0, b, a),
        commutative=False,
    )


@pytest.mark.parametrize(("kinds", "shape"), CASES)
def test_reducers_known_by_their_fragments_alone(
    kinds: str, shape: Any, small_blocks: Any, write: Any
) -> None:
    x, axes = sample(shape), reduced(kinds)
    w = write(kinds, shape)
    a = w.load(x)
    w.store(ir.reduce(norm_like(), a)[0])
    w.store(ir.reduce(last_place(), a)[0])
    norm, place = small_blocks.outputs(w)
    np.testing.assert_allclose(norm, np.sqrt((x * x).sum(axes, keepdims=True)), rtol=1e-12)
    rows = line(x, axes)
    numbers = np.where(rows > 0, np.arange(rows.shape[-1]), -1).max(-1)
    np.testing.assert_array_equal(place, kept(numbers, x, axes))


@pytest.mark.parametrize("shape", [(0, 4), (4, 0), (0, 0)])
@pytest.mark.parametrize("kinds", ["rp", "pr", "rr", "pp"])
def test_empty(kinds: str, shape: Any, device: Any, write: Any) -> None:
    x, axes = np.zeros(shape), reduced(kinds)
    w = write(kinds, shape)
    a = w.load(x)
    if not axes:
        w.store(a + 1.0)
        assert device.output(w).shape == shape
        return
    (total,) = ir.reduce(reducers.sum_("f64"), a)
    _, place = ir.reduce(reducers.extremum("f64", True), a)
    (low,) = ir.reduce(reducers.minimum("f64"), a)
    (every,) = ir.reduce(reducers.all_(), a > 0.0)
    for value in (total, total / ir.count(a), place, low, every):
        w.store(value)
    results = device.outputs(w)
    sizes = tuple(1 if k in axes else e for k, e in enumerate(shape))
    assert [r.shape for r in results] == [sizes] * 5
    if results[0].size:
        total_, mean, place_, low_, every_ = (r.ravel()[0] for r in results)
        assert (total_, place_, every_) == (0, -1, True)
        assert np.isnan(mean)
        assert np.isnan(low_)


def test_all_nan_is_nan_at_its_first_place(small_blocks: Any, write: Any) -> None:
    x = np.full((300, 2), np.nan)
    x[200, 1] = -np.inf
    w = write("rp", x.shape)
    for value in ir.reduce(reducers.extremum("f64", True), w.load(x)):
        w.store(value)
    best, place = small_blocks.outputs(w)
    np.testing.assert_array_equal(best, [[np.nan, -np.inf]])
    np.testing.assert_array_equal(place, [[0, 200]])


def test_what_does_not_vary_counts_at_every_point(small_blocks: Any, write: Any) -> None:
    row = np.arange(5.0).reshape(1, 5)
    w = write("rp", (300, 5))
    (total,) = ir.reduce(reducers.sum_("f64"), w.load(row))
    (ones,) = ir.reduce(reducers.sum_("f64"), w.param(2.0, "f64"))
    w.store(total)
    w.store(ones)
    total_, ones_ = small_blocks.outputs(w)
    np.testing.assert_array_equal(total_, 300 * row)
    assert ones_.item() == 2.0 * 300


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("kinds", ["r", "rp", "pr", "rr"])
def test_long_sums_are_as_accurate_as_trees(
    kinds: str, dtype: type, device: Any, write: Any
) -> None:
    shape = {"r": (400_000,), "rp": (200_000, 2), "pr": (2, 200_000), "rr": (700, 600)}[kinds]
    x = np.full(shape, 0.1, dtype)
    w = write(kinds, shape)
    (total,) = ir.reduce(reducers.sum_("f32" if dtype == np.float32 else "f64"), w.load(x))
    w.store(total)
    exact = x.astype(np.longdouble).sum(reduced(kinds), keepdims=True)
    error = np.abs(device.output(w) - exact) / exact
    assert error.max() <= 30 * np.finfo(dtype).eps


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    ("kinds", "shape"),
    [
        ("r", (70_001,)),
        ("rp", (1500, 7)),
        ("rp", (37, 300)),
        ("rp", (5, 300)),
        ("pr", (3, 5000)),
        ("pr", (200, 129)),
        ("pr", (70, 20)),
        ("prp", (3, 700, 5)),
        ("prp", (1, 700, 5)),
    ],
)
def test_sums_have_the_bits_of_host_rules_in_blocks_of_any_size(
    kinds: str, shape: tuple[int, ...], dtype: type, new_device: Callable[..., Any], write: Any
) -> None:
    x = np.asfortranarray(sample(shape, dtype))
    wanted = sums.along(x, kinds.index("r"))
    if kinds[0] == "r":
        np.testing.assert_array_equal(wanted, np.add.reduce(x, axis=0, keepdims=True))
    for block, threads in ((7, 1), (300, 2), (5000, 3), (1 << 20, 2)):
        w = write(kinds, shape)
        (total,) = ir.reduce(reducers.sum_("f32" if dtype == np.float32 else "f64"), w.load(x))
        w.store(total)
        found = new_device(block=block, threads=threads).output(w)
        np.testing.assert_array_equal(found, wanted.reshape(found.shape))


@pytest.mark.parametrize("kinds", ["r", "rp", "pr"])
def test_threads_change_no_bit(kinds: str, new_device: Callable[..., Any], write: Any) -> None:
    shape = {"r": (50_000,), "rp": (9000, 5), "pr": (5, 9000)}[kinds]
    x = sample(shape, np.float32)
    found = []
    for threads in (1, 2, 3):
        w = write(kinds, shape)
        a = w.load(x)
        (total,) = ir.reduce(reducers.sum_("f32"), a)
        _, mean, squares = ir.reduce(reducers.welford("f32"), a * a)
        for value in (total, mean, squares, a - total):
            w.store(value)
        found.append([r.tobytes() for r in new_device(threads=threads, block=512).outputs(w)])
    assert found[0] == found[1] == found[2]


SCANS = [
    ("s", (1,)),
    ("s", (1000,)),
    ("sp", (300, 4)),
    ("ps", (4, 300)),
    ("psp", (3, 100, 2)),
    ("ps", (100, 1)),
]


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(("kinds", "shape"), SCANS)
@pytest.mark.parametrize("block", [40, 100_000])
def test_scans(
    kinds: str, shape: Any, reverse: bool, block: int, new_device: Any, write: Any
) -> None:
    x, axis = sample(shape), kinds.index("s")
    x[x > 1.5] = np.nan
    w = write(kinds, shape)
    a = w.load(x)
    clean = ir.where(ir.isnan(a), 0.5, a)
    (steps,) = ir.scan(reducers.sum_("f64"), clean, reverse=reverse)
    w.store(steps * 2.0)
    w.store(ir.scan(reducers.prod("f64"), clean, reverse=reverse)[0])
    w.store(ir.scan(reducers.maximum("f64"), a, reverse=reverse)[0])
    w.store(ir.scan(norm_like(), clean, reverse=reverse)[0])
    filled = np.where(np.isnan(x), 0.5, x)

    def along(function: Callable[[Any], Any], y: Any) -> Any:
        turned = np.flip(y, axis) if reverse else y
        done = function(turned)
        return np.flip(done, axis) if reverse else done

    got = new_device(block=block).outputs(w)
    np.testing.assert_array_equal(got[0], along(lambda y: np.cumsum(y, axis), filled) * 2)
    np.testing.assert_array_equal(got[1], along(lambda y: np.cumprod(y, axis), filled))
    top = along(lambda y: np.fmax.accumulate(y, axis), x)
    np.testing.assert_array_equal(got[2], top)
    norm = along(lambda y: np.sqrt(np.cumsum(y * y, axis)), filled)
    np.testing.assert_allclose(got[3], norm, rtol=1e-12)
