"""Reductions over all of what was reduced over some: in two stages, with the same elements."""

from __future__ import annotations

import numpy as np
import pytest

from runmat_core.accel.graph.node import Node
from tests.accel.evaluate import Making, check, operations

RNG = np.random.default_rng(5)


@pytest.fixture
def make() -> Making:
    return Making()


def centred(make: Making, x: Node, *axes: int) -> Node:
    """What is made of elements and of their mean over some axes."""
    apart = make.map("minus", x, make.reduce("mean", x, *axes))
    return make.map("times", apart, x)


def axes_of(nodes: list[Node], name: str) -> list[object]:
    return [node.option("axes") for node in nodes if node.op.name == name]


@pytest.mark.parametrize("name", ["sum", "prod", "mean", "max", "min"])
@pytest.mark.parametrize("axes", [(0,), (1,), (2,), (1, 2), (0, 2)])
def test_what_is_left_comes_last(make: Making, name: str, axes: tuple[int, ...]) -> None:
    # extents that differ, so that a wrong count shows
    x = make.source(RNG.random((4, 5, 3)))
    found = check([make.reduce(name, centred(make, x, *axes), 0, 1, 2)])
    rest = tuple(k for k in range(3) if k not in axes)
    last = axes_of(found.subgraph.nodes, name)[-2:]
    assert last == [axes, rest]


def test_some_axes_more(make: Making) -> None:
    x = make.source(RNG.random((4, 5, 3)))
    found = check([make.reduce("sum", centred(make, x, 2), 1, 2)])
    assert axes_of(found.subgraph.nodes, "sum") == [(2,), (1,)]


@pytest.mark.parametrize("name", ["any", "all"])
def test_truth(make: Making, name: str) -> None:
    x = make.source(RNG.random((4, 5)))
    above = make.map("gt", x, make.reduce("max", x, 0), cls="logical")
    found = check([make.reduce(name, above, 0, 1, cls="logical")], exact=True)
    assert operations(found)[-2:] == [name, name]


@pytest.mark.parametrize("name", ["sum", "mean", "max", "min"])
def test_values_that_are_no_numbers(make: Making, name: str) -> None:
    data = RNG.random((4, 5))
    data[1, 2], data[3, 0], data[0] = np.nan, np.inf, np.nan
    x = make.source(data)
    below = make.map("plus", x, make.reduce("max", x, 1))
    assert operations(check([make.reduce(name, below, 0, 1)])).count(name) >= 2


def test_without_a_reduction_over_some_axes_there_is_one(make: Making) -> None:
    x, y = make.source(RNG.random((4, 5))), make.source(RNG.random((1, 5)))
    whole = make.reduce("sum", make.map("minus", x, y), 0, 1)
    assert operations(check([whole])) == ["minus", "sum"]
    same = make.reduce("sum", centred(make, x, 0, 1), 0, 1)
    assert operations(check([same])).count("sum") == 1
    other = make.reduce("sum", centred(make, x, 0), 1)
    assert operations(check([other])).count("sum") == 1


def test_axes_of_one_element_are_no_reason(make: Making) -> None:
    x = make.source(RNG.random((1, 5)))
    root = make.reduce("sum", centred(make, x, 1), 0, 1)
    assert operations(check([root])).count("sum") == 1


def test_written_in_two_stages_it_stays_so(make: Making) -> None:
    x = make.source(RNG.random((4, 5)))
    root = make.reduce("sum", make.reduce("sum", centred(make, x, 0), 0), 1)
    assert axes_of(check([root]).subgraph.nodes, "sum") == [(0,), (1,)]
    turned = make.reduce("sum", make.reduce("sum", centred(make, x, 0), 1), 0)
    assert axes_of(check([turned]).subgraph.nodes, "sum") == [(0,), (1,)]


def test_options_and_integers_stay(make: Making) -> None:
    x = make.source(RNG.random((4, 5)))
    option = (("omit_nan", True),)
    root = make.reduce("mean", centred(make, x, 0), 0, 1, options=option)
    assert operations(check([root])).count("mean") == 2
    small = make.source(np.array([[127, -100], [127, 0]], np.int8))
    top = make.map("minus", small, make.reduce("max", small, 0), cls="int8")
    assert operations(check([make.reduce("sum", top, 0, 1)], exact=True)).count("sum") == 1
