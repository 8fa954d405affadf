"""Orders of whole numbers by their digits: those that comparisons give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from runmat_core.builtins.arrays import ordering
from runmat_core.session import Session

COUNT = 9000


@pytest.mark.parametrize("dtype", ["f8", "f4", "i4", "u4", "i8", "u8"])
@pytest.mark.parametrize("span", [1, 50, 1 << 16, 1 << 20, (1 << 32) - 1])
@pytest.mark.parametrize("shift", [0, -(1 << 15), 1 << 40])
def test_digits_and_comparisons_agree(dtype: str, span: int, shift: int) -> None:
    whole = np.random.default_rng(1).integers(0, span, COUNT, dtype=np.int64)
    whole[[3, 70]] = 0, span - 1
    kind = np.dtype(dtype)
    if kind.kind != "f":
        limits = np.iinfo(kind)
        shift = min(max(shift, int(limits.min)), int(limits.max) - span)
    keys = (whole + shift).astype(kind)
    order = ordering._order_by_digits(keys)
    # singles of large numbers may lie further apart than 32 bits
    if order is None:
        assert float(keys.max()) - float(keys.min()) >= 2.0**32
        order = ordering._stable(keys, 0)
    np.testing.assert_array_equal(order, np.argsort(keys, kind="stable"))


@pytest.mark.parametrize("odd", [0.5, np.nan, np.inf, -np.inf, 2.0**53, 2.0**33])
@pytest.mark.parametrize("at", [0, 8000])
def test_other_numbers_are_compared(odd: float, at: int) -> None:
    keys = np.random.default_rng(2).integers(0, 100, COUNT).astype(float)
    keys[at] = odd
    assert ordering._order_by_digits(keys) is None
    np.testing.assert_array_equal(ordering._stable(keys, 0), np.argsort(keys, kind="stable"))


def test_places_of_signed_zeros_keep_their_order() -> None:
    keys = np.random.default_rng(3).integers(-1, 2, COUNT) * -1.0
    order = ordering._order_by_digits(keys)
    assert order is not None
    np.testing.assert_array_equal(order, np.argsort(keys, kind="stable"))


@pytest.mark.parametrize("shape", [(COUNT, 1), (1, COUNT), (3000, 3), (1, 1, COUNT)])
def test_sort_and_unique_of_whole_numbers(session: Session, shape: tuple[int, ...]) -> None:
    x = np.asfortranarray(np.random.default_rng(4).integers(-500, 500, shape).astype(float))
    session["x"] = x
    session.run(
        "[r, s] = sort(x); [d, t] = sort(x, 'descend'); [u, a, b] = unique(x);"
        "[~, z] = unique(x, 'last'); [v, c] = unique(x, 'stable');"
    )
    found: Any = {name: np.asarray(session[name]) for name in "rsdtuabvcz"}
    axis = next(k for k, n in enumerate(shape) if n > 1)
    up, down = (np.argsort(k, axis=axis, kind="stable") for k in (x, -x))
    for values, places, order in (("r", "s", up), ("d", "t", down)):
        np.testing.assert_array_equal(found[values], np.take_along_axis(x, order, axis))
        np.testing.assert_array_equal(found[places], order + 1)
    flat = x.ravel(order="F")
    distinct, first, ids = np.unique(flat, return_index=True, return_inverse=True)
    np.testing.assert_array_equal(found["u"].ravel(), distinct)
    np.testing.assert_array_equal(found["a"].ravel(), first + 1)
    np.testing.assert_array_equal(found["b"].ravel(), ids + 1)
    np.testing.assert_array_equal(found["c"].ravel(), np.sort(first) + 1)
    np.testing.assert_array_equal(found["v"].ravel(), flat[np.sort(first)])
    last = COUNT - np.unique(flat[::-1], return_index=True)[1]
    np.testing.assert_array_equal(found["z"].ravel(), last)
