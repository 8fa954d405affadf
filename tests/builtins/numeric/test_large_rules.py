"""Rules that go through large arrays in another way than through small ones: both agree."""

from __future__ import annotations

import math

import numpy as np
import pytest

from runmat_core import Session
from runmat_core.values.chunks import CHUNK

COUNT = 2 * CHUNK + 17


@pytest.fixture
def session() -> Session:
    return Session(provider="none")


@pytest.mark.parametrize("cls", ["double", "single"])
@pytest.mark.parametrize("name", ["mod", "rem"])
@pytest.mark.parametrize("divisor", [7.0, 1.0, -3.0, 360.0, 2.5, -0.1])
def test_remainders(session, cls, name, divisor):
    dtype = {"double": np.float64, "single": np.float32}[cls]
    x = np.random.default_rng(2).normal(scale=1000.0, size=(COUNT, 1))
    x[::3] = np.rint(x[::3])
    near = np.rint(x[1::3] / divisor) * divisor
    x[1::3] = np.nextafter(near.astype(dtype), dtype(0))
    x[5], x[CHUNK + 1] = np.nan, -0.0
    session["x"] = x.astype(dtype)
    session.run(f"whole = {name}(x, {divisor});")
    some = "[1:60 16300:16500 numel(x) - 60:numel(x)]"
    session.run(f"whole = whole({some}); y = x({some}); one = y;")
    session.run(f"for k = 1:numel(y), one(k) = {name}(y(k), {divisor}); end")
    whole, one = session["whole"], session["one"]
    assert whole.dtype == dtype
    np.testing.assert_array_equal(whole, one)


def test_remainders_of_numbers_too_large_to_be_exact(session):
    session.run(f"x = 2^60 * (1:{COUNT})' + 0; r = mod(x, 7); s = rem(-x, 7);")
    wanted = [int(v) % 7 for v in session["x"].ravel().tolist()]
    assert session["r"].ravel().tolist() == wanted
    assert session["s"].ravel().tolist() == [-v for v in wanted]
    session.run("y = [x; Inf; -Inf]; r = mod(y, 7);")
    assert np.isnan(session["r"][-2:]).all()


def test_conversion_rounds_and_saturates(session):
    x = np.random.default_rng(4).normal(scale=200.0, size=(COUNT // 2, 2))
    x[::5] = np.floor(x[::5]) + 0.5
    x[3, 1], x[4, 1], x[5, 0] = np.nan, np.inf, -np.inf
    session["x"] = x
    for cls, low, high in (("uint8", 0, 255), ("int8", -128, 127), ("int16", -(2**15), 2**15 - 1)):
        session.run(f"y = {cls}(x);")
        kept = np.nan_to_num(x, nan=0.0, posinf=1e9, neginf=-1e9)
        wanted = [
            min(max(math.floor(abs(v) + 0.5) * (1 if v > 0 else -1), low), high)
            for v in kept.ravel().tolist()
        ]
        assert session["y"].ravel().tolist() == wanted


def test_kinds_of_many_characters(session):
    session["t"] = "ab 1\tÄß€ x" * 40
    session.run("a = isspace(t); b = arrayfun(@(c) isspace(c), t);")
    assert (session["a"] == session["b"]).all()
    for kind in ("alpha", "upper", "digit", "punct", "graphic"):
        session.run(f"a = isstrprop(t, '{kind}'); b = arrayfun(@(c) isstrprop(c, '{kind}'), t);")
        assert (session["a"] == session["b"]).all(), kind
    assert session.eval("size(isspace(repmat(t, 3, 1)))").ravel().tolist() == [3, 400]


def test_trimming_and_comparing_cells_with_other_things_among_the_texts(session):
    session.run("c = {' a ', char([0 98 9]), '', 'é '}; d = strtrim(c); e = deblank(c);")
    assert session["d"] == ["a", "b", "", "é"]
    assert session["e"] == [" a", "\0b", "", "é"]
    session.run("r = strcmp({'a', 5, 'b', {'a'}}, 'a'); s = strcmp({'a', 'b'}, {'a', 'c'});")
    assert session["r"].tolist() == [[True, False, False, False]]
    assert session["s"].tolist() == [[True, False]]
    assert session.eval("size(strcmp({'a'; 'b'}, 'b'))").ravel().tolist() == [2, 1]
    assert session.eval("size(strcmp({}, 'b'))").ravel().tolist() == [0, 0]
