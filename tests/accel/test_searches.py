"""Searches in sorted arrays on a device, against host rules."""

from __future__ import annotations

import pytest

from tests.accel.loops import Outcome, same

SETUP = """
x = {cls}(sin((1:400)'*1.7)*1.2); x(5) = NaN; x(7) = 1; x(3) = Inf; b = 0; y = x;
e = cumsum(abs(sin((1:{n})'*3))); e = {cls}(e/e(end)); e(1) = -0.5; e(end) = e(end-1);
x(9) = e(end); x(11) = e(1); x = reshape(x, 20, 20); e = reshape(e, {shape});
"""
PROGRAMS = {
    "single call": "b = discretize(x*1, e*1);",
    "loop": "for t = 1:9, b = discretize(y, e); y = y*0.99; end",
    "moving edges": "for t = 1:9, b = discretize(y, e + t/100); y = y*0.9; end",
    "edges that fall at last": "for t = 1:9, e(1) = e(1) + (t>7)*3; b = discretize(y, e); end",
    "edges that are no numbers": "e(2) = NaN; for t = 1:9, b = discretize(y, e); y = y*0.9; end",
    "resampled": "for t = 1:9, k = discretize(min(abs(y), 0.9), e); y = y(k)*0.99 + 0.01; end",
}


@pytest.mark.parametrize("cls", ["single", "double"])
@pytest.mark.parametrize("n", [2, 3, 17, 64, 300])
@pytest.mark.parametrize("name", PROGRAMS)
def test_discretize(name: str, n: int, cls: str) -> None:
    setup = SETUP.format(n=n, cls=cls, shape=("[], 1", "1, []")[n % 2])
    found = Outcome(PROGRAMS[name], "null", True, setup)
    same(found, Outcome(PROGRAMS[name], "none", False, setup), True)
    found.close()


def test_a_loop_that_searches_is_captured() -> None:
    setup = SETUP.format(n=300, cls="single", shape="[], 1")
    found = Outcome(PROGRAMS["moving edges"], "null", True, setup)
    assert found.captured == 1, found.reasons
    found.close()


def test_a_searching_loop_does_not_skip_the_check_in_another_session() -> None:
    setup = SETUP.format(n=64, cls="double", shape="[], 1")
    for name in ("loop", "edges that fall at last"):
        for provider in ("null", "none", "null"):
            found = Outcome(PROGRAMS[name], provider, provider != "none", setup)
            assert (found.error is not None) == (name != "loop")
            found.close()
