"""What takes another way for many elements gives what the definition says."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from runmat_core.session import Session
from tests.builtins.numeric.given import given

Numbers = np.ndarray
Elements = Callable[[Numbers], Numbers]
COUNT = 9000


@pytest.fixture
def session() -> Iterator[Session]:
    with Session(provider="none") as made:
        yield made


def _with_ties(seed: int) -> Numbers:
    random = np.random.default_rng(seed)
    x = random.integers(-50, 50, (COUNT, 1)) / 4
    x[random.integers(0, COUNT, 200)] = np.nan
    x[random.integers(0, COUNT, 200)] = -0.0
    x[random.integers(0, COUNT, 20)] = np.inf
    return x


def _key(value: float) -> tuple[bool, float]:
    return (math.isnan(value), 0.0 if math.isnan(value) else value)


@pytest.mark.parametrize("shape", [(COUNT, 1), (1, COUNT), (100, 90)])
@pytest.mark.parametrize("single", [False, True])
def test_sort_keeps_the_order_of_equal_elements(
    session: Session, shape: tuple[int, int], single: bool
) -> None:
    x = _with_ties(1).reshape(shape).astype(np.float32 if single else np.float64)
    lines = x.T if shape[0] > 1 else x
    ordered, places, falling, fallen = given(
        session, "[r, s] = sort(x); [t, u] = sort(x, 'descend');", "rstu", x=x
    )
    for at, line in enumerate(lines):
        up = sorted(range(line.size), key=lambda k, line=line: _key(line[k]))
        down = sorted(
            range(line.size),
            key=lambda k, line=line: (not math.isnan(line[k]), -_key(line[k])[1]),
        )
        for wanted, sorted_, found in ((up, ordered, places), (down, falling, fallen)):
            one = (found.T if shape[0] > 1 else found)[at]
            assert (one - 1).astype(int).tolist() == wanted
            values = (sorted_.T if shape[0] > 1 else sorted_)[at]
            assert values.tobytes() == line[wanted].tobytes()


@pytest.mark.parametrize("direction", ["ascend", "descend"])
def test_sorted_values_are_those_that_places_select(session: Session, direction: str) -> None:
    alone, chosen = given(
        session, f"r = sort(x, '{direction}'); [~, k] = sort(x, '{direction}'); s = x(k);", "rs",
        x=_with_ties(2),
    )  # fmt: skip
    assert alone.tobytes() == chosen.tobytes()


def test_unique_gives_first_and_last_places(session: Session) -> None:
    x = np.random.default_rng(3).integers(0, 500, (COUNT, 1)).astype(float)
    values, first, ids, last = given(
        session, "[r, s, t] = unique(x); [~, u] = unique(x, 'last');", "rstu", x=x
    )
    line = x.ravel().tolist()
    assert values.ravel().tolist() == sorted(set(line))
    assert [line.index(v) + 1 for v in values.ravel()] == first.ravel().tolist()
    assert [COUNT - line[::-1].index(v) for v in values.ravel()] == last.ravel().tolist()
    assert values.ravel()[ids.ravel().astype(int) - 1].tolist() == line


SETS: list[Elements] = [
    lambda x: np.round(x * 100),  # whole numbers that lie close together: by a table
    lambda x: x,
    lambda x: np.round(x * 100) * 1e9,  # far apart
    lambda x: np.where(x > 0.99, np.nan, np.round(x * 100)),
    lambda x: np.where(x > 0.99, np.inf, np.round(x * 100) - 50),
]


@pytest.mark.parametrize("of_wanted", SETS)
@pytest.mark.parametrize("of_known", SETS)
def test_ismember_gives_the_first_place(
    session: Session,
    of_wanted: Callable[[Numbers], Numbers],
    of_known: Callable[[Numbers], Numbers],
) -> None:
    random = np.random.default_rng(4)
    wanted = of_wanted(random.random((60, 20)))
    known = of_known(random.random((1, 300)))
    alone, found, places = given(
        session, "r = ismember(x, y); [s, t] = ismember(x, y);", "rst", x=wanted, y=known
    )
    line = known.ravel().tolist()
    expected = [[line.index(v) + 1 if v in line and v == v else 0 for v in row] for row in wanted]
    assert places.tolist() == expected
    assert found.tolist() == alone.tolist() == (np.array(expected) > 0).tolist()


def test_ismember_compares_classes_by_value(session: Session) -> None:
    r, s, t = given(
        session,
        "x = -5:5; [~, r] = ismember(x, int8([3 -2 3])); [~, s] = ismember(int8(x), [3 -2 3]);"
        "[~, t] = ismember(x > 0, [7 1 0]);",
        "rst",
    )
    assert r.tolist() == s.tolist() == [[0, 0, 0, 2, 0, 0, 0, 0, 1, 0, 0]]
    assert t.tolist() == [[3] * 6 + [2] * 5]


@pytest.mark.parametrize("edges", ["0:0.01:1", "[-Inf 0 0.25 0.25 1 Inf]", "[0.5 0.5]", "[2 3]"])
def test_histcounts_counts_what_the_bins_hold(session: Session, edges: str) -> None:
    random = np.random.default_rng(6)
    x = np.round(random.normal(0.5, 0.5, (70000, 1)), 3)
    x[::50] = np.nan
    x[7::501] = np.inf
    counts, limits, bins = given(session, f"[r, s, t] = histcounts(x, {edges});", "rst", x=x)
    limits = limits.ravel()
    for at in range(limits.size - 1):
        last = at == limits.size - 2
        inside = (x >= limits[at]) & ((x <= limits[at + 1]) if last else (x < limits[at + 1]))
        assert counts.ravel()[at] == inside.sum() == (bins == at + 1).sum()


@pytest.mark.parametrize("sizes", [((70, 90), (5, 4)), ((3, 5), (200, 40)), ((1, 9000), (3, 3)),
                                   ((5000, 1), (1, 7)), ((100, 50), (1, 1))])  # fmt: skip
@pytest.mark.parametrize("part", ["full", "same", "valid"])
@pytest.mark.parametrize("kind", ["double", "single", "complex", "whole"])
def test_conv2_is_the_sum_of_products(
    session: Session, sizes: tuple[tuple[int, int], ...], part: str, kind: str
) -> None:
    random = np.random.default_rng(7)
    a, b = (random.normal(size=size) for size in sizes)
    if kind == "single":
        a = a.astype(np.float32)
    elif kind == "complex":
        b = b + 1j * random.normal(size=b.shape)
    elif kind == "whole":
        a, b = np.round(a * 100), np.round(b * 100)
    (result,) = given(session, f"r = conv2(a, b, '{part}');", a=a, b=b)
    (n, m), (p, q) = sizes
    full = np.zeros((n + p - 1, m + q - 1), np.result_type(a.dtype, b.dtype, np.float64))
    for i, j in np.ndindex(p, q):
        full[i : i + n, j : j + m] += a * b[i, j]
    if part == "same":
        full = full[p // 2 : p // 2 + n, q // 2 : q // 2 + m]
    elif part == "valid":
        full = full[p - 1 : max(n, p - 1), q - 1 : max(m, q - 1)]
    assert result.size == full.size
    if kind == "whole":
        np.testing.assert_array_equal(result.reshape(full.shape), full)
    else:
        tolerance = 1e-4 if kind == "single" else 1e-12
        np.testing.assert_allclose(result.reshape(full.shape), full, tolerance, tolerance)


@pytest.mark.parametrize("columns", [1, 3])
def test_interp1_takes_many_queries_in_parts(session: Session, columns: int) -> None:
    random = np.random.default_rng(8)
    x = np.cumsum(random.random((50, 1)) + 0.1, axis=0)
    v = random.normal(size=(50, columns))
    q = random.uniform(x[0] - 1, x[-1] + 1, (100_001, 1))
    q[::1000] = np.nan
    (result,) = given(session, "r = interp1(x, v, q);", x=x, v=v, q=q)
    for at in range(columns):
        expected = np.interp(q.ravel(), x.ravel(), v[:, at], left=np.nan, right=np.nan)
        np.testing.assert_allclose(result[:, at], expected, 1e-12, 1e-12)


def _rows(kind: str) -> Numbers:
    random = np.random.default_rng(11)
    x = random.integers(-30, 30, (COUNT, 3)).astype(float)
    if kind == "fractions":
        x[::7] += 0.5
    elif kind == "odd":
        x[5, 1], x[6, 2], x[7, 0] = np.nan, np.inf, -0.0
    elif kind == "wide":
        x *= 2.0**45
    return x


@pytest.mark.parametrize("kind", ["whole", "fractions", "odd", "wide"])
@pytest.mark.parametrize("cls", ["double", "int8", "uint16"])
def test_rows_in_order(session: Session, kind: str, cls: str) -> None:
    x = _rows(kind)
    session.run("clear")
    r, s, t, k = given(
        session,
        f"x = {cls}(x); [s, t, k] = unique(x, 'rows'); r = unique(x, 'rows');",
        "rstk",
        x=x,
    )
    x = np.asarray(session["x"])
    np.testing.assert_array_equal(r, s)
    assert r.dtype == x.dtype
    keyed = {tuple(row): at for at, row in reversed(list(enumerate(x.tolist())))}
    ordered = sorted(keyed, key=lambda row: [(v != v, v) for v in row])
    np.testing.assert_array_equal(r, np.array(ordered, x.dtype))
    np.testing.assert_array_equal(t.ravel() - 1, [keyed[row] for row in ordered])
    np.testing.assert_array_equal(r[k.ravel().astype(int) - 1], x)


@pytest.mark.parametrize("kind", ["whole", "fractions", "odd", "wide"])
def test_sortrows_by_columns(session: Session, kind: str) -> None:
    x = _rows(kind)
    r, k = given(session, "[r, k] = sortrows(x, [2 -3]);", "rk", x=x)
    up, down = np.nan_to_num(x[:, 1], nan=np.inf), -x[:, 2]
    expected = sorted(range(COUNT), key=lambda at: (up[at], down[at]))
    np.testing.assert_array_equal(k.ravel() - 1, expected)
    np.testing.assert_array_equal(r, x[expected])


def _texts(kind: str) -> list[str]:
    numbers = np.random.default_rng(12).integers(0, 3000, COUNT).tolist()
    if kind == "short":
        return [f"k{n}" for n in numbers]
    if kind == "empty among them":
        return ["x" * (n % 12) for n in numbers]
    if kind == "long":
        return [f"{n % 3}_{n % 7:012}/{n:014}" for n in numbers]
    if kind == "longer":
        return [f"{n}" * 12 for n in numbers]
    return [f"{'é' if n % 2 else 'z'}{n}" for n in numbers]


@pytest.mark.parametrize("kind", ["short", "empty among them", "long", "longer", "not ASCII"])
def test_texts_in_order(session: Session, kind: str) -> None:
    texts = _texts(kind)
    session["c"] = texts
    session.run(
        "[s, k] = sort(c); r = sort(c); d = sort(c, 'descend'); [u, a, b] = unique(c);"
        "t = sort(string(c)); o = [issorted(c), issorted(r)];"
    )
    order = sorted(range(COUNT), key=texts.__getitem__)
    assert list(session["s"]) == list(session["r"]) == [texts[at] for at in order]
    assert list(session["d"]) == sorted(texts, reverse=True)
    assert np.ravel(session["k"]).tolist() == [at + 1 for at in order]
    assert list(session["u"]) == sorted(set(texts))
    assert np.ravel(session["a"]).tolist() == [texts.index(text) + 1 for text in sorted(set(texts))]
    assert np.ravel(session["o"]).tolist() == [False, True]
    assert session.eval("isequal(t, string(r)) && isequal(reshape(u(b), size(c)), c)")


@pytest.mark.parametrize("kind", ["random", "rising", "missing", "late", "int32"])
@pytest.mark.parametrize("name", ["cummax", "cummin"])
def test_running_extremes(session: Session, name: str, kind: str) -> None:
    x = np.random.default_rng(13).normal(size=(40001, 1))
    if kind == "rising":
        x.sort(axis=0)
    elif kind == "missing":
        x[::7] = np.nan
    elif kind == "late":
        x[:5000] = np.nan
    elif kind == "int32":
        x = (x * 1000).astype(np.int32)
    code = f"r = {name}(x); s = {name}(x, 'reverse'); t = {name}(x, 'includenan'); u = {name}(x');"
    r, s, t, u = given(session, code, "rstu", x=x)
    rule, strict = (np.fmax, np.maximum) if name == "cummax" else (np.fmin, np.minimum)
    np.testing.assert_array_equal(r, rule.accumulate(x, axis=0))
    np.testing.assert_array_equal(s, rule.accumulate(x[::-1], axis=0)[::-1])
    np.testing.assert_array_equal(t, strict.accumulate(x, axis=0))
    np.testing.assert_array_equal(u, r.T)


@pytest.mark.parametrize("k", [0, 1, -1, 40, -40, 500, -500])
@pytest.mark.parametrize("shape", [(100, 100), (70, 33), (33, 70)])
def test_triangles(session: Session, shape: tuple[int, int], k: int) -> None:
    x = np.random.default_rng(14).normal(size=shape)
    r, s = given(session, f"r = triu(x, {k}); s = tril(x, {k});", "rs", x=x)
    np.testing.assert_array_equal(r, np.triu(x, k))
    np.testing.assert_array_equal(s, np.tril(x, k))


@pytest.mark.parametrize("shape", [(1, 1), (2, 1), (1, 7), (4001, 1), (4000, 1), (61, 5, 3),
                                   (60, 4, 2)])  # fmt: skip
@pytest.mark.parametrize("kind", ["double", "single", "int16", "infinite", "missing"])
def test_median_is_the_middle_of_what_is_sorted(
    session: Session, shape: tuple[int, ...], kind: str
) -> None:
    x = np.asfortranarray(np.random.default_rng(15).normal(scale=100, size=shape))
    if kind in ("single", "int16"):
        x = x.astype(np.float32 if kind == "single" else np.int16)
    elif kind in ("infinite", "missing"):
        x[x > 20] = np.inf
        x[x < -200] = -np.inf
        if kind == "missing":
            x[:1] = np.nan
    for dim in range(1, x.ndim + 1):
        n = x.shape[dim - 1]
        ordered = np.sort(x, axis=dim - 1).astype(float)
        first, second = (ordered.take([at], axis=dim - 1) for at in ((n - 1) // 2, n // 2))
        with np.errstate(invalid="ignore"):
            middle = np.where(first == second, first, first + (second - first) / 2)
        if kind == "missing":
            middle[np.isnan(x).any(axis=dim - 1, keepdims=True)] = np.nan
        if kind == "int16":
            middle = np.trunc(middle + np.copysign(0.5, middle))
        (r,) = given(session, f"r = median(x, {dim});", x=x)
        assert r.size == middle.size
        tolerance = 1e-4 if kind == "single" else 1e-14
        np.testing.assert_allclose(r.reshape(middle.shape, order="F"), middle, 0, tolerance)
