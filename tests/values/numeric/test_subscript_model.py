"""Subscripts against a slow model: a dict from positions to elements."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from runmat_core.values import COLON, Array, from_numpy, index, to_numpy
from runmat_core.values.base import Value
from runmat_core.values.indexing import assign, delete, size_of

Shape = tuple[int, ...]

shapes = st.one_of(
    st.tuples(st.integers(0, 4), st.integers(0, 4)),
    st.tuples(st.integers(1, 3), st.integers(1, 3), st.integers(2, 3)),
)


def numbered(shape: Shape) -> Any:
    count = math.prod(shape)
    return from_numpy(np.arange(1.0, count + 1).reshape(shape, order="F"))


def elements(value: Any) -> list[float]:
    result: list[float] = to_numpy(value).ravel(order="F").tolist()
    return result


@st.composite
def subscripts(draw: st.DrawFn, shape: Shape, room: int = 0) -> tuple[list[Any], list[list[int]]]:
    """Subscripts for `shape` and, for each, the zero-based positions it means."""
    count = draw(st.integers(1, len(shape) + 1))
    extents = _extents(shape, count)
    subs: list[Any] = []
    meant: list[list[int]] = []
    for extent in extents:
        kind = draw(st.sampled_from(["colon", "list", "mask"]))
        if kind == "colon":
            subs.append(COLON)
            meant.append(list(range(extent)))
        elif kind == "mask":
            mask = draw(st.lists(st.booleans(), min_size=extent, max_size=extent))
            subs.append(from_numpy(np.array(mask, bool).reshape(1, -1)))
            meant.append([k for k, chosen in enumerate(mask) if chosen])
        else:
            top = extent + room
            chosen = draw(st.lists(st.integers(0, top - 1), max_size=4)) if top else []
            subs.append(from_numpy(np.array(chosen, float).reshape(1, -1) + 1))
            meant.append(chosen)
    return subs, meant


def place(position: tuple[int, ...], extents: list[int]) -> int:
    """The zero-based linear place of a position, first axis fastest."""
    at, step = 0, 1
    for p, extent in zip(position, extents, strict=True):
        at += p * step
        step *= extent
    return at


def column_major(meant: list[list[int]]) -> list[tuple[int, ...]]:
    return [tuple(reversed(p)) for p in itertools.product(*reversed(meant))]


@settings(max_examples=300)
@given(st.data())
def test_reading_agrees_with_the_model(data: st.DataObject) -> None:
    shape = data.draw(shapes)
    subs, meant = data.draw(subscripts(shape))
    value = numbered(shape)
    extents = _extents(shape, len(subs))
    expected = [float(place(p, extents) + 1) for p in column_major(meant)]
    result = index(value, subs)
    assert elements(result) == expected
    if len(subs) > 1:
        counts = tuple(len(m) for m in meant)
        while len(counts) > 2 and counts[-1] == 1:
            counts = counts[:-1]
        assert size_of(result) == counts


def _extents(shape: Shape, count: int) -> list[int]:
    folded = [*shape[: count - 1], math.prod(shape[count - 1 :])]
    return folded[:count] + [1] * (count - len(folded))


@settings(max_examples=300)
@given(st.data())
def test_writing_agrees_with_the_model(data: st.DataObject) -> None:
    shape = data.draw(shapes)
    subs, meant = data.draw(subscripts(shape))
    extents = _extents(shape, len(subs))
    targets = [place(p, extents) for p in column_major(meant)]
    fresh = [1000.0 + k for k in range(len(targets))]
    model = [float(k + 1) for k in range(math.prod(shape))]
    for target, x in zip(targets, fresh, strict=True):
        model[target] = x
    counts = [len(m) for m in meant]
    rhs = np.array(fresh).reshape(counts if len(counts) > 1 else (1, -1), order="F")
    result = assign(numbered(shape), subs, from_numpy(rhs))
    assert elements(result) == model
    assert size_of(result) == size_of(numbered(shape))


@settings(max_examples=200)
@given(st.data())
def test_growing_keeps_old_elements_and_fills_with_zeros(data: st.DataObject) -> None:
    shape = data.draw(st.tuples(st.integers(1, 3), st.integers(1, 3)))
    row, column = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 6))
    result = to_numpy(assign(numbered(shape), (float(row), float(column)), 99.0))
    grown = (max(shape[0], row), max(shape[1], column))
    model = np.zeros(grown)
    model[: shape[0], : shape[1]] = to_numpy(numbered(shape))
    model[row - 1, column - 1] = 99
    assert result.tolist() == model.tolist()


@settings(max_examples=200)
@given(st.data())
def test_deleting_from_a_vector_agrees_with_lists(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 8))
    gone = data.draw(st.lists(st.integers(0, n - 1), max_size=5))
    result = delete(numbered((1, n)), (from_numpy(np.array(gone, float).reshape(1, -1) + 1),))
    assert elements(result) == [float(k + 1) for k in range(n) if k not in gone]


@settings(max_examples=200)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 3), st.sampled_from(["write", "copy", "grow", "read"]), st.integers(0, 3)
        ),
        max_size=25,
    )
)
def test_aliases_never_see_writes(steps: list[tuple[int, str, int]]) -> None:
    """Variables that share buffers behave as if every copy were deep."""
    variables: list[Any] = [numbered((1, 3)) for _ in range(4)]
    model = [[1.0, 2.0, 3.0] for _ in range(4)]
    exported: list[tuple[Any, list[float]]] = []
    for serial, (target, action, source) in enumerate(steps):
        x = 100.0 + serial
        if action == "copy":
            variables[target] = variables[source].share()
            model[target] = list(model[source])
        elif action == "write":
            variables[target] = assign(variables[target], (float(source % 3 + 1),), x)
            model[target][source % 3] = x
        elif action == "grow":
            variables[target] = assign(variables[target], (float(len(model[target]) + 1),), x)
            model[target].append(x)
        else:
            exported.append((variables[target].data, list(model[target])))
        assert [elements(v) for v in variables] == model
        assert all(view.ravel().tolist() == seen for view, seen in exported)


def test_appending_copies_a_logarithmic_number_of_times() -> None:
    value: Any = None
    buffers = set()
    for k in range(1, 2001):
        value = assign(value, (float(k),), float(k))
        if isinstance(value, Value):
            buffers.add(id(value.data.base))
    assert elements(value) == [float(k) for k in range(1, 2001)]
    assert len(buffers) < 40


def test_writes_to_an_owned_array_keep_its_buffer() -> None:
    value = Array(np.zeros((100, 100), order="F"))
    where = value.data.ctypes.data
    for k in range(50):
        value = assign(value, (float(k + 1), 3.0), 1.0)
    assert value.data.ctypes.data == where
