"""The short ways into the graph make the very nodes that the ordinary ways make."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from runmat_core import MatlabError, Session
from runmat_core.accel.capture import direct
from runmat_core.accel.graph.graph import Graph
from runmat_core.session import config
from runmat_core.values.array import Array
from runmat_core.values.text import words_key
from tests.accel.direct_ways import SETUP, fresh, node


@pytest.fixture
def s() -> Iterator[Session]:
    with fresh() as session:
        yield session


class Counted:
    """How many nodes came by the short way."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        grow = Graph.grow

        def counting(*args: object, **named: object) -> object:
            self.count += 1
            return grow(*args, **named)  # type: ignore[arg-type]

        monkeypatch.setattr(Graph, "grow", counting)


@pytest.mark.parametrize(
    "expression",
    [
        "x + y",
        "x - s",
        "s ./ x",
        "x / s",
        "s \\ x",
        "x * s",
        "A * B",
        "x .^ 2",
        "x .^ 0.5",
        "x .^ y",
        "-x",
        "x < y",
        "x >= 0",
        "p & q",
        "p | q",
        "~p",
        "k + k",
        "k * 2",
        "A'",
        "x.'",
        "z.'",
        "exp(x)",
        "sqrt(x)",
        "log(y)",
        "atan2(x, y)",
        "hypot(x, y)",
        "max(x, 0)",
        "min(x, y)",
        "sum(x)",
        "sum(A, 2)",
        "sum(A, 'all')",
        "mean(A)",
        "max(A, [], 1)",
        "any(A)",
        "cumsum(A, 2)",
        "A(:, 3)",
        "A(:, end)",
        "A(end, 1:2:end)",
        "A(2, :)",
        "x(2:50)",
        "row(50:-2:3)",
        "A(:)",
        "A(3:40)",
        "A(2:5, :)",
        "A(:, 1:2:9)",
        "A(5:-2:1, 3:6)",
        "A(2:4, 7)",
        "[x y]",
        "[A; C]",
        "[x; 1; y]",
        "[x; y; x]",
        "[0 row 1]",
        "[p; true]",
        "cat(3, A, C, A)",
        "z + z",
        "z .* x",
        "2 ./ z",
        "T(:, 2, :)",
        "T(2:3, :)",
        "T(:, :, 1)",
        "reshape(A, 10, 6)",
        "reshape(A, 10, [])",
        "zeros(7, 9)",
        "ones(5, 'single')",
        "zeros(size(A), 'like', A)",
        "meshgrid(1:6, 1:10)",
        "rand(7, 9)",
        "randn(7, 9, 'single')",
        "s:61",
    ],
)
def test_the_node_is_the_one_of_the_ordinary_way(
    s: Session, monkeypatch: pytest.MonkeyPatch, expression: str
) -> None:
    s.run(SETUP)
    graph = s.interp.seat.graph
    # whoever puts arrays on the device needs more care, so that nothing takes a short way
    graph.pinned = True
    s.run(f"plain = {expression};")
    graph.pinned = False
    s.run(f"short = {expression};")  # what is not known yet is found out
    counted = Counted(monkeypatch)
    s.run(f"short = {expression};")
    assert counted.count > 0
    mine, theirs = node(s, "short"), node(s, "plain")
    assert mine.value_number == theirs.value_number
    assert (mine.static, mine.shape, mine.cls) == (theirs.static, theirs.shape, theirs.cls)
    assert mine.guarded == theirs.guarded
    assert mine.line[1] == theirs.line[1] == 1
    if "rand" not in expression:
        assert np.array_equal(s["short"], s["plain"])


@pytest.mark.parametrize(
    "expression",
    [
        *("A .* v", "v .* A", "A - v'", "A * v", "v' * A", "v' == A", "B * v", "v' * B", "B + v"),
        *("A .* w", "w.' + A", "B ./ w", "W + W", "W .* B", "A - W"),
    ],
)
def test_small_arrays_of_the_host_meet_large_ones_by_the_short_way(
    monkeypatch: pytest.MonkeyPatch, expression: str
) -> None:
    settings = config.load().replace(accel__threshold=1000, accel__provider="none")
    made = "A = reshape(1:1600, 40, 40) + 0; B = reshape(1:1600, 40, 40); B(1); v = (1:40)';"
    made += "w = complex(v, 2); W = complex(reshape(1:1600, 40, 40), 3); W(1);"
    with Session(config=settings) as session, Session(config=config.load()) as host:
        session.run(f"{made} r = {expression};")
        host.run(f"{made} r = {expression};")
        counted = Counted(monkeypatch)
        session.run(f"r = {expression};")
        assert counted.count == 1
        assert np.array_equal(session["r"], host["r"])


def test_what_depends_on_facts_is_asked_each_time(s: Session) -> None:
    for _ in range(3):
        s.run("x = [1 2 3] + 0; [r, q] = max(sqrt(x)); t = corrcoef([x; x .^ 2]');")
    s.run("x = [-4 2 3] + 0; [r, q] = max(abs(sqrt(x))); y = sqrt(x); z = diff(y);")
    assert s["r"] == 2
    assert np.allclose(s["z"], np.diff(np.emath.sqrt(np.array([[-4, 2, 3.0]]))))


def test_what_an_only_operation_refuses_is_asked_each_time(s: Session) -> None:
    s.run("v = [-4 2 3];")
    for _ in range(3):
        s.run("x = max(v + 0, 0); r = realsqrt(x); q = gammaln(x);")
    assert np.allclose(s["r"], np.sqrt([[0, 2, 3]]))
    for name in ("realsqrt", "gammaln"):
        with pytest.raises(MatlabError):
            s.run(f"x = min(v + 0, 0); r = {name}(x);")


def test_what_is_made_of_numbers_alone_has_one_structure(s: Session) -> None:
    s.run("a = eye(9); b = eye(9); c = repmat(3, 5, 7); d = repmat(-0.5, 5, 7);")
    assert node(s, "a").value_number == node(s, "b").value_number
    assert node(s, "c").shape == node(s, "d").shape == (5, 7)
    assert np.array_equal(s["d"], np.full((5, 7), -0.5))


def test_places_in_lists_are_known_again(s: Session) -> None:
    s.run(SETUP)
    for _ in range(2):
        s.run("a = A(:, [3 1 2]); b = A([1 2 1], [4 9]); d = T(:, [2 1], [5 5 1]);")
        s.run("e = A([3 1 2]); f = row([1 4 2]); g = A([3 1; 2 2]);")
        full = np.asarray(s["A"])
        assert np.array_equal(s["a"], full[:, [2, 0, 1]])
        assert np.array_equal(s["b"], full[np.ix_([0, 1, 0], [3, 8])])
        assert np.array_equal(s["e"], [[3, 1, 2]])
        assert np.array_equal(s["g"], [[3, 1], [2, 2]])
        assert np.array_equal(s["d"], np.asarray(s["T"])[:, [1, 0]][:, :, [4, 4, 0]])
        assert np.array_equal(s["f"], np.asarray(s["row"])[:, [0, 3, 1]])
        with pytest.raises(MatlabError):
            s.run("A(:, [3 1 11]);")


@pytest.mark.parametrize(
    "sub",
    ["3:2:600", "300:-1:1", "[1:299 301]", "[1:298 300 299]", "7 * ones(1, 300)", "(1:300) + 0"],
)
def test_long_lists_are_ranges_where_all_of_them_is(sub: str) -> None:
    # ranges below the threshold are on the host
    with Session(config=config.load().replace(accel__threshold=700)) as session:
        session.run(f"rng(0); x = rand(1, 900); k = {sub}; y = x + 1; a = y(k);")
        found = np.asarray(session["a"])
        where = np.asarray(session["k"]).astype(int) - 1
        assert np.array_equal(found, np.asarray(session["y"])[:, where.ravel()])


@pytest.mark.parametrize(
    ("statement", "identifier"),
    [
        ("x + A;", "MATLAB:sizeDimensionsMustMatch"),
        ("A * C;", "MATLAB:innerdim"),
        ("A(:, 11);", "MATLAB:badsubscript"),
        ("A(2:7, 1:2);", "MATLAB:badsubscript"),
        ("A(1:2, 2:11);", "MATLAB:badsubscript"),
        ("A(0:3, 1:2);", "MATLAB:badsubscript"),
        ("A(1:3, -1:2);", "MATLAB:badsubscript"),
        ("A(1:61);", "MATLAB:badsubscript"),
        ("A(7, :);", "MATLAB:badsubscript"),
        ("A(:, 1.5);", "MATLAB:badsubscript"),
        ("A(:, 0);", "MATLAB:badsubscript"),
        ("x(2:61);", "MATLAB:badsubscript"),
        ("[x A];", "MATLAB:catenate"),
        ("zeros(2.5, 3);", "MATLAB:NonInteger"),
    ],
)
def test_errors_are_the_same_ones(s: Session, statement: str, identifier: str) -> None:
    plain = Session(config=config.load().replace(accel__provider="none"))
    problems = []
    for session in (s, plain, s):
        session.run(SETUP)
        with pytest.raises(MatlabError) as problem:
            session.run(statement)
        problems.append((problem.value.identifier, problem.value.message))
    assert problems[0] == problems[1] == problems[2]
    assert problems[0][0].startswith(identifier)


def test_products_that_no_memory_holds_are_refused_at_once(s: Session) -> None:
    s.run("v = (1:1e6) + 0; w = v';")
    with pytest.raises(MatlabError) as problem:
        s.run("w * v;")
    assert problem.value.identifier == "MATLAB:nomem"


def test_logic_of_floats_still_looks_for_nan(s: Session) -> None:
    s.run("x = [1 0 2] + 0; y = [1 1 0] + 0; a = x & y; b = x & y;")
    assert s["b"].tolist() == [[True, False, False]]
    s.run("x = [1 nan 2] + 0;")
    with pytest.raises(MatlabError, match="NaN"):
        s.run("c = x & y;")


def test_what_a_program_put_on_the_device_takes_no_short_way(s: Session) -> None:
    s.run("g = gpuArray([1 2 3]); h = g + 1; h = g + 1; k = h * 2;")
    assert direct.plain(s.interp.seat, s.interp.seat.graph, s.interp.variables["h"]) is None
    assert node(s, "k").pinned


def test_words_of_calls() -> None:
    from runmat_core.values import char, string

    assert words_key(()) == ()
    assert words_key((2.0, char("all"))) == (2.0, "all")
    assert words_key((Array(np.zeros((0, 0))), 1.0)) == (None, 1.0)
    assert words_key((char(""), 1.0)) == ("", 1.0)
    rows = [[[2.0, 3.0]], [[3.0, 2.0]], [[2.0], [3.0]], [[0.0, 1.0]], [[-0.0, 1.0]], [[], []]]
    keys = [words_key((Array(np.array(row)),)) for row in rows]
    assert None not in keys
    assert len(set(keys)) == len(keys)
    assert words_key((Array(np.array(rows[0])),)) == keys[0]
    assert words_key((Array(np.zeros((1, 50))),)) is None
    assert words_key((Array(np.zeros((1, 2), complex)),)) is None
    assert words_key((Array(np.zeros((0, 0), np.float32)),)) is None
    assert words_key((True,)) is None
    assert words_key((string("all"),)) is None
    assert words_key((char(np.array([[97], [98]], np.uint16)),)) is None


def test_a_transpose_of_what_turned_out_complex_conjugates(s: Session) -> None:
    # the guarded node has its elements already, what was made from it is still pending
    s.run("x = [-4 9] + 0; g = sqrt(x); r = g + 1; first = g(1); t = r'; u = sqrt(x)' * 1;")
    assert s["t"].tolist() == [[1 - 2j], [4]]
    assert s["u"].tolist() == [[-2j], [3]]
    s.run("n = r * 2; real_or_not = isreal(n);")
    assert s["real_or_not"] is False


def test_that_an_array_is_real_is_found_out_once(s: Session) -> None:
    s.run("x = [1 2 3] + 0; for k = 1:50, x = x * 1.5; end, y = x'; ")
    below = node(s, "x")
    seen = 0
    while below.data is None:
        assert below.real
        seen += 1
        below = below.inputs[0]
    assert seen == 51
