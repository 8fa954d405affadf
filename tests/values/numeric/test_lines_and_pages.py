"""Rows, columns and pages: numbers and colons as subscripts, which are slices of the buffer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from runmat_core.api.errors import MatlabError
from runmat_core.values import COLON, Array, assign, index, share, to_numpy

WHOLE = np.arange(1.0, 25.0).reshape((2, 3, 4), order="F")


def cube() -> Array:
    return Array(WHOLE.copy(order="F"))


@pytest.mark.parametrize(
    ("subs", "key"),
    [
        ((COLON, COLON, 2.0), np.s_[:, :, 1]),
        ((COLON, 3.0, 2.0), np.s_[:, 2:3, 1]),
        ((2.0, COLON, 4.0), np.s_[1:2, :, 3]),
        ((COLON, 1.0, COLON), np.s_[:, 0:1, :]),
        ((1.0, 2.0, COLON), np.s_[0:1, 1:2, :]),
        ((COLON, COLON, COLON), np.s_[:, :, :]),
    ],
)
def test_read_and_written(subs: tuple[Any, ...], key: Any) -> None:
    array = cube()
    part = index(array, subs)
    assert to_numpy(part).tolist() == WHOLE[key].tolist()
    assert to_numpy(part).flags.f_contiguous
    held = array.data
    expected = WHOLE.copy()
    expected[key] = -WHOLE[key]
    del held
    written = assign(array, subs, -part)
    assert written.data.tolist() == expected.tolist()
    assert to_numpy(part).tolist() == WHOLE[key].tolist()


def test_a_page_is_written_in_place_unless_something_else_holds_the_array() -> None:
    array, page = cube(), Array(np.zeros((2, 3), order="F"))
    place = array.data.ctypes.data
    written = assign(array, (COLON, COLON, 1.0), page)
    assert written.data.ctypes.data == place
    other = share(written)
    again = assign(written, (COLON, COLON, 2.0), page)
    assert again.data.ctypes.data != place
    assert not again.data[:, :, :2].any()
    assert other.data[:, :, 1].tolist() == WHOLE[:, :, 1].tolist()


def test_a_number_fills_a_line_and_a_row_goes_to_a_column() -> None:
    array = assign(cube(), (COLON, 2.0, 1.0), 7.0)
    assert array.data[:, 1, 0].tolist() == [7, 7]
    array = assign(array, (COLON, 1.0, 1.0), Array(np.array([[8.0, 9.0]])))
    assert array.data[:, 0, 0].tolist() == [8, 9]
    single = assign(Array(np.ones((2, 2), np.float32, order="F")), (1.0, COLON), 0.1)
    assert single.data.dtype == np.float32


def test_the_last_extent_is_one() -> None:
    flat = Array(np.array([[1.0, 2.0], [3.0, 4.0]], order="F"))
    assert index(flat, (COLON, 2.0)).data.shape == (2, 1)
    assert index(cube(), (2.0, 3.0, 4.0)) == 24.0
    assert index(cube(), (COLON, 3.0)).data.tolist() == [[5.0], [6.0]]


@pytest.mark.parametrize(
    "subs", [(COLON, COLON, 5.0), (COLON, 0.0, 1.0), (COLON, 1.5, 1.0), (COLON, float("nan"), 1.0)]
)
def test_what_is_no_place(subs: tuple[Any, ...]) -> None:
    with pytest.raises(MatlabError):
        index(cube(), subs)


def test_sizes_that_differ() -> None:
    with pytest.raises(MatlabError, match="2-by-3-by-1"):
        assign(cube(), (COLON, COLON, 1.0), Array(np.zeros((3, 2), order="F")))
    grown = assign(cube(), (COLON, COLON, 5.0), Array(np.ones((2, 3), order="F")))
    assert grown.data.shape == (2, 3, 5)
