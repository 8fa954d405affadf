"""Rewriting of views: transposes, reshapes, expansions."""

from __future__ import annotations

import numpy as np
import pytest

from tests.accel.evaluate import Making, check, operations

RNG = np.random.default_rng(21)


@pytest.fixture
def make() -> Making:
    return Making()


def test_a_double_transpose_is_nothing(make: Making) -> None:
    A = make.source(RNG.random((4, 3)))
    root = make.map("sin", make.transpose(make.transpose(A)))
    assert operations(check([root], exact=True)) == ["sin"]


def test_reshapes_of_reshapes(make: Making) -> None:
    A = make.source(RNG.random((4, 6)))
    assert operations(check([make.reshape(make.reshape(A, 2, 12), 3, 8)], exact=True)) == ["view"]
    back = make.map("sin", make.reshape(make.reshape(A, 2, 12), 4, 6))
    assert operations(check([back], exact=True)) == ["sin"]


def test_a_reshape_of_a_transpose_is_no_view_of_what_is_below(make: Making) -> None:
    A = make.source(RNG.random((4, 6)))
    root = make.reshape(make.transpose(A), 8, 3)
    assert operations(check([root], exact=True)) == ["transpose", "reshape"]


def test_a_column_of_a_transpose(make: Making) -> None:
    A = make.source(RNG.random((4, 6)))
    root = make.view(make.transpose(A), (6, 1), (1, 0), 12)
    assert operations(check([root], exact=True)) == ["view"]


def test_views_that_are_wanted_are_written(make: Making) -> None:
    A = make.source(RNG.random((4, 6)))
    twice = make.transpose(make.transpose(A))
    assert operations(check([twice], exact=True))
    assert operations(check([make.reshape(A, 4, 6)], exact=True)) == ["reshape"]


def test_a_conjugate_transpose_is_not_taken_for_a_transpose(make: Making) -> None:
    x = make.source(np.array([[-1.0, 2.0], [3.0, -4.0], [5.0, 6.0]]))
    root = make.map("sqrt", x, guarded=True)
    for first, second in [("transpose", "ctranspose"), ("ctranspose", "transpose")]:
        twice = make.transpose(make.transpose(root, first), second)
        assert operations(check([make.map("uminus", twice)])) == ["sqrt", first, second, "uminus"]
    plain = make.transpose(make.transpose(root, "transpose"), "transpose")
    assert operations(check([make.map("uminus", plain)])) == ["sqrt", "uminus"]


def test_a_view_of_equal_elements_is_equal_elements(make: Making) -> None:
    zeros = make.fill(0.0, 2, 1, cls="single")
    root = make.map("plus", make.view(zeros, (2, 5), (1, 0)), make.source(RNG.random((2, 5))))
    found = check([root], exact=True)
    assert operations(found) == ["fill", "plus"]
    assert found.subgraph.nodes[0].shape == (2, 5)
    assert found.subgraph.nodes[0].cls == "single"


def test_maps_expand_by_themselves(make: Making) -> None:
    A, row = make.source(RNG.random((4, 3))), make.source(RNG.random((1, 3)))
    column = make.source(RNG.random((4, 1)))
    wide = make.map("plus", A, make.view(row, (4, 3), (0, 1)))
    root = make.map("times", wide, make.view(column, (4, 3), (1, 0)))
    assert operations(check([root], exact=True)) == ["plus", "times"]


def test_the_size_of_a_map_needs_what_it_comes_from(make: Making) -> None:
    row = make.source(RNG.random((1, 3)))
    root = make.map("plus", make.view(row, (4, 3), (0, 1)), 1.5)
    assert operations(check([root], exact=True)) == ["view", "plus"]
    column = make.source(RNG.random((4, 1)))
    both = make.map("plus", make.view(row, (4, 3), (0, 1)), make.view(column, (4, 3), (1, 0)))
    assert operations(check([both], exact=True)) == ["plus"]


def test_a_reversed_or_shifted_row_is_no_expansion(make: Making) -> None:
    A, row = make.source(RNG.random((4, 3))), make.source(RNG.random((1, 3)))
    long = make.source(RNG.random((1, 6)))
    for view in (make.view(row, (4, 3), (0, -1), 2), make.view(long, (4, 3), (0, 1), 1)):
        assert operations(check([make.map("plus", A, view)], exact=True)) == ["view", "plus"]
