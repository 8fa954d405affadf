"""The mean of squares about the mean: one pass over the elements, with the same result."""

from __future__ import annotations

import numpy as np
import pytest

from runmat_core import Session
from runmat_core.accel.graph.node import Node
from tests.accel.evaluate import Making, check, operations

RNG = np.random.default_rng(7)


@pytest.fixture
def make() -> Making:
    return Making()


def spread(make: Making, x: Node, *axes: int, power: bool = False) -> Node:
    off = make.map("minus", x, make.reduce("mean", x, *axes))
    square = make.map("power", off, 2.0) if power else make.map("times", off, off)
    return make.reduce("mean", square, *axes)


@pytest.mark.parametrize("power", [True, False])
@pytest.mark.parametrize("axes", [(0,), (1,), (1, 2), (0, 1, 2)])
def test_it_is_one_reduction(make: Making, axes: tuple[int, ...], power: bool) -> None:
    x = make.source(1000 + RNG.random((4, 5, 3)))
    found = check([spread(make, x, *axes, power=power)])
    assert operations(found) == ["mean square"]


def test_the_mean_stays_for_others(make: Making) -> None:
    x = make.source(RNG.random((40, 5)))
    mean = make.reduce("mean", x, 0)
    off = make.map("minus", x, mean)
    square = make.reduce("mean", make.map("times", off, off), 0)
    found = check([make.map("rdivide", off, make.map("sqrt", square))])
    assert operations(found).count("mean square") == 1
    assert operations(found).count("mean") == 1


def test_values_that_are_no_numbers(make: Making) -> None:
    data = RNG.random((6, 4))
    data[1, 0], data[2, 1], data[3, 2] = np.nan, np.inf, -np.inf
    check([spread(make, make.source(data), 0)])


def test_large_means_lose_nothing() -> None:
    """One pass over numbers that are large against their differences, on a provider."""
    session = Session(provider="inprocess")
    session.run("x = 1e4 + rand(100000, 3, 'single'); m = mean(x); v = mean((x - m).^2);")
    x, v = np.asarray(session["x"]), np.asarray(session["v"])
    np.testing.assert_allclose(v, x.astype(float).var(axis=0, keepdims=True), rtol=1e-3)


def test_what_is_something_else_stays(make: Making) -> None:
    x, y = make.source(RNG.random((4, 5))), make.source(RNG.random((4, 5)))
    mean = make.reduce("mean", x, 0)
    off = make.map("minus", x, mean)
    others = [
        make.reduce("mean", make.map("times", off, off), 1),
        make.reduce("sum", make.map("times", off, off), 0),
        make.reduce("mean", make.map("times", off, y), 0),
        make.reduce("mean", make.map("power", off, 3.0), 0),
        make.reduce("mean", make.map("power", make.map("minus", y, mean), 2.0), 0),
        make.reduce("mean", make.map("power", make.map("minus", mean, x), 2.0), 0),
    ]
    for root in others:
        assert "mean square" not in operations(check([root]))
