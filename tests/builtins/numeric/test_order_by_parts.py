"""Orders of many numbers by parts of their range: those that comparisons give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from runmat_core.builtins.arrays import ordering
from runmat_core.session import Session

COUNT = 1 << 19
RANDOM = np.random.default_rng(1)
#: Numbers that are spread over their range.
SPREAD: dict[str, Any] = {
    "uniform": RANDOM.random(COUNT),
    "normal": RANDOM.standard_normal(COUNT),
    "many equal": np.round(RANDOM.random(COUNT), 3) + 0.25,
    "zeros of both signs": np.where(RANDOM.random(COUNT) < 0.3, -0.0, RANDOM.random(COUNT) - 0.5)
    * np.where(RANDOM.random(COUNT) < 0.5, -1, 1),
    "singles": RANDOM.random(COUNT).astype(np.float32),
    "integers": RANDOM.integers(-(2**62), 2**62, COUNT),
    "largest integers": RANDOM.integers(0, 2**64 - 1, COUNT, np.uint64, endpoint=True),
    "closer than doubles": 2**62 + RANDOM.integers(0, 2**40, COUNT),
}
#: Numbers that are not.
OTHERS: dict[str, Any] = {
    "far": np.r_[RANDOM.random(COUNT), 1e300],
    "range beyond doubles": RANDOM.choice([-1.7e308, 1.7e308, 0.5], COUNT),
    "subnormal": RANDOM.random(COUNT) * 5e-310,
    "infinite": np.r_[RANDOM.random(COUNT), np.inf, -np.inf],
    "NaN": np.r_[RANDOM.random(COUNT), np.nan, 0.5, np.nan],
    "one number": np.full(COUNT, 0.3),
}


@pytest.mark.parametrize("keys", SPREAD.values(), ids=SPREAD)
def test_parts_and_comparisons_agree(keys: Any) -> None:
    order = ordering._order_by_parts(keys)
    assert order is not None
    np.testing.assert_array_equal(order, np.argsort(keys, kind="stable"))


@pytest.mark.parametrize("keys", OTHERS.values(), ids=OTHERS)
def test_other_numbers_are_sorted_as_a_whole(keys: Any) -> None:
    assert ordering._order_by_parts(keys) is None
    np.testing.assert_array_equal(ordering._stable(keys, 0), np.argsort(keys, kind="stable"))


def test_sort_and_unique(session: Session) -> None:
    x = np.round(np.random.default_rng(2).random((COUNT, 1)), 5) + 0.5
    session["x"] = x
    session.run(
        "[r, s] = sort(x); [d, t] = sort(x, 'descend'); [u, a, b] = unique(x);"
        "same = [isequal(r, x(s)), isequal(x(t), d), isequal(u, x(a)), isequal(u(b), x),"
        "isequal([r, s], sortrows([x, (1:numel(x))'])), isequal([-d, t], sortrows([-d, t]))];"
    )
    assert np.asarray(session["same"]).all()
