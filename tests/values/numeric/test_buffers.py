"""Spare room behind vectors: who shares it, when it is copied, that it is column-major."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runmat_core.values import Array, CellArray, assign, cell, delete, from_numpy, index, transpose
from runmat_core.values.base import COLON, Value
from runmat_core.values.buffers import Room

ACTIONS = ["write", "copy", "grow", "pop", "view"]


def start(kind: str) -> Any:
    return cell([1.0, 2.0, 3.0]) if kind == "cell" else from_numpy(np.array([[1.0, 2.0, 3.0]]))


def put(value: Any, position: int, x: float) -> Any:
    rhs = cell([x]) if isinstance(value, CellArray) else x
    return assign(value, (float(position),), rhs)


def elements(value: Any) -> list[float]:
    return [value] if isinstance(value, float) else value.data.ravel(order="F").tolist()


@pytest.mark.parametrize("kind", ["double", "cell"])
@settings(max_examples=150)
@given(
    steps=st.lists(
        st.tuples(st.integers(0, 2), st.sampled_from(ACTIONS), st.integers(0, 2)), max_size=40
    )
)
def test_copies_behave_as_if_they_were_deep(kind: str, steps: list[tuple[int, str, int]]) -> None:
    variables: list[Any] = [start(kind) for _ in range(3)]
    model = [[1.0, 2.0, 3.0] for _ in range(3)]
    for serial, (target, action, source) in enumerate(steps):
        x = 100.0 + serial
        if action == "copy":
            value = variables[source]
            variables[target] = value.share() if isinstance(value, Value) else value
            model[target] = list(model[source])
        elif action == "view":
            variables[target] = transpose(transpose(index(variables[source], (COLON,))))
            variables[target] = transpose(variables[target])
            model[target] = list(model[source])
        elif action == "grow":
            variables[target] = put(variables[target], len(model[target]) + 1, x)
            model[target].append(x)
        elif model[target]:
            place = source % len(model[target])
            if action == "write":
                variables[target] = put(variables[target], place + 1, x)
                model[target][place] = x
            else:
                variables[target] = delete(variables[target], (float(len(model[target])),))
                model[target].pop()
        assert [elements(v) for v in variables] == model


@pytest.mark.parametrize("kind", ["double", "cell"])
def test_appending_and_popping_reuse_one_room(kind: str) -> None:
    value = start(kind)
    rooms = set()
    for k in range(4, 1500):
        value = put(value, k, float(k))
        base = value.data.base
        assert isinstance(base, Room)
        rooms.add(id(base if base.base is None else base.base))
    for k in range(1499, 1000, -1):
        value = delete(value, (float(k),))
        rooms.add(id(value.data.base if value.data.base.base is None else value.data.base.base))
    assert elements(value) == [float(k) for k in range(1, 1001)]
    assert len(rooms) < 30


def test_data_is_a_plain_column_major_array_after_growth() -> None:
    value = from_numpy(np.array([[1.0], [2.0]]))
    value = put(put(value, 3, 3.0), 4, 4.0)
    assert type(value.data) is np.ndarray
    assert value.data.flags.f_contiguous
    assert value.data.shape == (4, 1)


def test_a_popped_element_is_let_go() -> None:
    class Resource:
        alive = True

        def __del__(self) -> None:
            Resource.alive = False

    value = cell([1.0, 2.0])
    value = value.set_brace((3.0,), Resource())
    value = value.set_brace((4.0,), 4.0)
    value = delete(delete(value, (4.0,)), (3.0,))
    assert not Resource.alive
    assert elements(value) == [1.0, 2.0]


def test_a_read_only_buffer_is_copied_before_a_write() -> None:
    frozen = np.arange(4.0).reshape(1, 4)
    frozen.flags.writeable = False
    value = Array(frozen)
    del frozen
    assert elements(assign(value, (2.0,), 9.0)) == [0.0, 9.0, 2.0, 3.0]
