"""The page of what brings arrays to the host says what happens."""

from __future__ import annotations

import pytest
from runmat_docs import gathers

from tests.accel.everywhere import kept


def test_the_page_is_what_the_marks_give() -> None:
    assert gathers.PAGE.read_text() == gathers.text(), "python -m runmat_docs.gathers"


def test_every_reason_is_one_of_a_family() -> None:
    families = gathers.gathering().keys()
    heads = {family.split("/")[0] for family in families}
    assert gathers.FAMILIES.keys() <= families | heads


@pytest.mark.parametrize("call", gathers.CALLS)
def test_calls_that_are_listed_bring_their_array(call: str) -> None:
    made = kept("null", "A = rand(60, 20) - 0.5;")
    made.run("X = A .* 2; wait(gpuDevice);")
    places = made.interp.seat.engine.places  # type: ignore[union-attr]
    before = places.moved()[1]
    made.run(f"r = {call};")
    assert places.moved()[1] - before >= 2 * 60 * 8
