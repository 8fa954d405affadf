"""Sums, extremes and the like of the numbers that share a subscript."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from runmat_core.api import MatlabError
from runmat_core.session import Session
from runmat_core.values import accumulation
from tests.builtins.numeric.given import given


@pytest.fixture
def session() -> Iterator[Session]:
    with Session(provider="none") as made:
        yield made


@pytest.mark.parametrize("name", ["max", "min"])
@pytest.mark.parametrize("nan", [False, True])
def test_of_extremes(session: Session, name: str, nan: bool) -> None:
    random = np.random.default_rng(5)
    k = random.integers(1, 40, (500, 2)) * 2
    v = random.normal(size=(500, 1))
    if nan:
        v[::3] = np.nan
    (result,) = given(
        session, f"r = accumarray(k, v, [80 80], @{name}, -7);", k=k.astype(float), v=v
    )
    expected = np.full((80, 80), -7.0)
    pick = np.fmax if name == "max" else np.fmin
    for row in {tuple(row) for row in k.tolist()}:
        expected[row[0] - 1, row[1] - 1] = pick.reduce(v[(k == row).all(axis=1)].ravel())
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("odd", [0.5, np.nan, -np.inf, np.inf])
def test_of_extremes_in_parts(session: Session, odd: float) -> None:
    random = np.random.default_rng(8)
    k = random.integers(1, 300, (accumulation._PART + 5000, 1)).astype(float)
    k[k == 17] = 18
    v = random.normal(size=k.shape)
    v[(k == 5) | (random.random(k.shape) < 1e-3)] = odd
    r, s = given(
        session, "r = accumarray(k, v, [], @max); s = accumarray(k, v, [], @min);", "rs", k=k, v=v
    )
    for found, pick in ((r, np.fmax), (s, np.fmin)):
        expected = [pick.reduce(v[k == place], initial=np.nan) for place in range(1, 300)]
        expected[16] = 0
        np.testing.assert_array_equal(found.ravel(), expected)


@pytest.mark.parametrize("compiled", [False, True])
def test_adds_in_order(session: Session, compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accumulation, "_product_is_loaded", lambda size: compiled)
    random = np.random.default_rng(9)
    count = accumulation._PART + 7000
    k = random.integers(1, 70, (count, 2)).astype(float)
    v = random.normal(size=(count, 1)) * 10.0 ** random.integers(-8, 8, (count, 1))
    v[:3, 0] = [np.nan, np.inf, -np.inf]
    run = "r = accumarray(k, v); s = accumarray(k(:, 1), v(1)); t = accumarray(k, v, [], @prod);"
    r, s, t = given(session, run, "rst", k=k, v=v)
    expected, products = np.zeros((69, 69)), np.ones((69, 69))
    for row, value in zip(k.astype(int).tolist(), v.ravel().tolist(), strict=True):
        expected[row[0] - 1, row[1] - 1] += value
        products[row[0] - 1, row[1] - 1] *= value
    np.testing.assert_array_equal(r, expected)
    there = accumulation._given((k[:, 1].astype(int) - 1) * 69 + k[:, 0].astype(int) - 1, 69 * 69)
    np.testing.assert_array_equal(t, np.where(there.reshape(69, 69, order="F"), products, 0))
    assert np.isnan(s).all()


@pytest.mark.parametrize("size", ["[1 0]", "[0 1]", "[0 0]", "[2 2]", "[1 2]", "[2 1 1]"])
def test_refuses_a_size_that_holds_less(session: Session, size: str) -> None:
    with pytest.raises(MatlabError) as raised:
        session.run(f"accumarray([1; 3], [5; 6], {size})")
    assert raised.value.identifier == "MATLAB:accumarray:OutOfBounds"
    with pytest.raises(MatlabError):
        session.run("accumarray(ones(20000, 1), 1, [1 0])")


@pytest.mark.parametrize("subscript", ["1.5", "0", "-1", "NaN", "Inf", "1e300"])
def test_refuses_what_is_no_subscript(session: Session, subscript: str) -> None:
    with pytest.raises(MatlabError):
        session.run(f"accumarray([1; {subscript}], 1)")


@pytest.mark.parametrize("fill", ["0", "NaN", "-3"])
@pytest.mark.parametrize("count", [40, accumulation._MANY + 100])
def test_counts_and_averages(session: Session, fill: str, count: int) -> None:
    random = np.random.default_rng(count)
    k = random.integers(1, 60, (count, 1)).astype(float)
    k[k == 7] = 8
    v = random.integers(-50, 50, k.shape).astype(float)
    run = (
        f"r = accumarray(k, v, [60 1], @numel, {fill});"
        f" s = accumarray(k, v, [60 1], @mean, {fill});"
        f" t = accumarray(k, single(v), [60 1], @numel, {fill});"
        f" u = accumarray(k, single(v), [60 1], @mean, {fill}); u = double(u);"
    )
    counts, means, of_singles, means_of_singles = given(session, run, "rstu", k=k, v=v)
    for place in range(60):
        group = v[k == place + 1]
        assert not group.size or means[place, 0] == group.sum() / group.size
    empty = [place for place in range(60) if not (k == place + 1).any()]
    assert 6 in empty
    expected = np.array([(k == place + 1).sum() for place in range(60)], float)
    expected[empty] = float(fill)
    np.testing.assert_array_equal(counts.ravel(), expected)
    np.testing.assert_array_equal(of_singles, counts)
    np.testing.assert_array_equal(means[empty, 0], np.full(len(empty), float(fill)))
    np.testing.assert_array_equal(means_of_singles, means.astype(np.float32))


def test_calls_a_function_of_the_program_with_the_name_of_a_builtin(
    session: Session, tmp_path: Path
) -> None:
    (tmp_path / "max.m").write_text("function y = max(x)\ny = -numel(x);\nend\n")
    session.run(f"addpath('{tmp_path.as_posix()}')")
    run = "r = accumarray([1; 1; 3], [5; 6; 7], [], @max);"
    assert given(session, run, "r")[0].ravel().tolist() == [-2, 0, -1]


def test_adds_by_subscripts_that_are_used_again(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the third call on, places of half the bytes are read."""
    monkeypatch.setattr(accumulation, "_product_is_loaded", lambda size: True)
    random = np.random.default_rng(4)
    k = random.integers(1, 400, (20_000, 1)).astype(float)
    v = random.normal(size=k.shape)
    run = "k = k0 + 0; for n = 1:4, r{n} = accumarray(k, v); end, k(1) = 400; s = accumarray(k, v);"
    session.run("clear r")
    found = given(session, run + " r = [r{:}];", "rs", k0=k, v=v)
    expected = np.zeros(401)
    np.add.at(expected, k.ravel().astype(int), v.ravel())
    for column in found[0].T:
        np.testing.assert_array_equal(column, expected[1 : column.size + 1])
    k[0] = 400
    moved = np.zeros(401)
    np.add.at(moved, k.ravel().astype(int), v.ravel())
    np.testing.assert_array_equal(found[1].ravel(), moved[1:])
