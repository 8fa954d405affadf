"""Arrays that are used as subscripts again and again: what is kept is never out of date."""

from __future__ import annotations

import random

import numpy as np
import pytest

from runmat_core import MatlabError, Session
from runmat_core.values import kept_positions
from runmat_core.values.kept_positions import places_of

COUNT = 5000


def whole_doubles() -> np.ndarray:
    return np.random.default_rng(3).integers(1, COUNT + 1, (COUNT, 1)).astype(float)


def test_positions_are_kept_the_second_time_and_go_with_the_array():
    data = whole_doubles()
    first, second, third = (places_of(data) for _ in range(3))
    assert first is not second
    assert second is third
    assert not data.flags.writeable
    assert (third.where == data.ravel() - 1).all()
    assert third.stop == data.max()
    before = len(kept_positions._kept)
    del data
    assert len(kept_positions._kept) == before - 1


def test_a_view_of_memory_that_others_hold_is_left_alone():
    owner = whole_doubles()
    data = owner[:]
    _, second, third = (places_of(data) for _ in range(3))
    assert data.flags.writeable
    assert second is not third
    owner[:] = 1.0
    assert (places_of(data).where == 0).all()


@pytest.mark.parametrize("bad", [0.0, -1.0, 1.5, np.nan, np.inf, -np.inf, 2.0**63, -(2.0**63)])
@pytest.mark.parametrize("count", [30, COUNT, 5 * COUNT])
def test_what_is_no_position_is_found_anywhere(bad, count):
    for at in (0, count // 2, count - 1):
        data = np.arange(1.0, count + 1)
        data[at] = bad
        assert places_of(data.reshape(-1, 1)) is None


def test_largest_whole_doubles_are_exact():
    data = np.array([[1.0, 2.0**53, 2.0**62]])
    assert places_of(data).where.tolist() == [0, 2**53 - 1, 2**62 - 1]
    assert places_of(np.zeros((0, 0))).stop == 0


def test_a_callers_array_stays_writable():
    session = Session()
    given = np.asfortranarray(whole_doubles())
    session["k"] = given
    session.run("for i = 1:3, r = accumarray(k, 1); s = r(k(k <= numel(r))); end")
    given[0, 0] = 2.0
    assert given.flags.writeable


WRITES = [
    "k({at}) = {new};",
    "k({at}, 1) = {new};",
    "k([{at} 7]) = {new};",
    "q = k; k({at}) = {new}; v(q);",
    "k(end + 1) = {new};",
    "k(end) = [];",
    "q = k(:); q({at}) = {new}; k = q;",
    "s.k = k; clear k; s.k({at}) = {new}; k = s.k;",
    "c = {{k}}; c{{1}}({at}) = {new}; k = c{{1}};",
    "k = changed(k, {at}, {new});",
    "for j = {at}:{at} + 3, k(j) = {new}; end",
    "k(k == {new}) = {at};",
]


def test_random_writes_between_uses():
    rng = random.Random(5)
    session = Session()
    session.run(f"v = rand({2 * COUNT}, 1); k = floor(rand({COUNT}, 1) * {COUNT}) + 1;")
    changed = "changed = @(k, at, new) [k(1:at - 1); new; k(at + 1:end)];"
    session.run(changed)
    for _ in range(150):
        write = rng.choice(WRITES).format(at=rng.randint(8, 900), new=rng.randint(1, COUNT))
        session.run("for i = 1:3, a = v(k); b = accumarray(k, v(1:numel(k))); end")
        session.run(write)
        session.run("a = v(k); b = accumarray(k, v(1:numel(k)), [6000 1]);")
        k = session["k"].ravel().astype(int) - 1
        v = session["v"].ravel()
        assert (session["a"].ravel() == v[k]).all(), write
        assert np.allclose(session["b"].ravel(), np.bincount(k, v[: k.size], 6000)), write


def test_a_bad_write_is_still_found():
    session = Session()
    session.run(f"k = (1:{COUNT})' + 0; v = k * 2; for i = 1:4, a = v(k); end, k(17) = 2.5;")
    with pytest.raises(MatlabError, match="Array indices must be positive"):
        session.run("v(k)")
    with pytest.raises(MatlabError, match="integer"):
        session.run("accumarray(k, 1)")
