"""Pending values in programs: ownership, sinks, containers, errors, and when nothing is left."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from runmat_core import MatlabError, Session
from runmat_core.accel.capture import joins
from runmat_core.session import config
from runmat_core.values.deferred import Deferred
from tests.accel import everywhere


@pytest.fixture(params=["none", "auto"])
def s(request: pytest.FixtureRequest) -> Iterator[Session]:
    """A session that captures everything, computed by host rules or by what is installed."""
    settings = config.load().replace(accel__threshold=1, accel__provider=request.param)
    with Session(config=settings) as session:
        yield session


def is_pending(s: Session, name: str) -> bool:
    value = s.interp.variables[name]
    return value.__class__ is Deferred and value.promise.node.data is None


# -- ownership -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("x = [1 2 3]; y = x + 1; x(1) = 100;", [[2, 3, 4]]),
        ("x = [1 2 3]; y = x + 1; x(1:2) = 100;", [[2, 3, 4]]),
        ("x = [1 2 3]; y = x + 1; x(2) = [];", [[2, 3, 4]]),
        ("x = [1 2 3]; y = x + 1; x(end+1) = 7;", [[2, 3, 4]]),
        ("x = [1 2 3]; y = x'; x(1) = 100; y = y';", [[1, 2, 3]]),
        ("x = [1 2;3 4]; y = x(:, 2); x(1, 2) = 100;", [[2], [4]]),
        ("x = [1 2;3 4]; y = x(:); x(1, 2) = 100;", [[1], [3], [2], [4]]),
        ("x = [1 2 3] + 0; y = x; y(2) = 9; y = [y; x];", [[1, 9, 3], [1, 2, 3]]),
        ("x = [1 2 3] + 0; y = x; x(2) = 9;", [[1, 2, 3]]),
        ("x = [1 2 3] * 2; y = reshape(x, 3, 1); y(1) = 0; y = [y; x'];", None),
        ("x = zeros(2, 3); y = x; x(:, 2) = [1; 2]; x(1, :) = 5;", [[0, 0, 0], [0, 0, 0]]),
        ("y = zeros(1, 4); for k = 1:4, y(k) = k; z = y * 2; end, y = z;", [[2, 4, 6, 8]]),
        ("c = {[1 2 3] + 1}; y = c{1}; c{1}(1) = 100;", [[2, 3, 4]]),
        ("a.f = [1 2 3] + 1; b = a; b.f(1) = 100; y = a.f;", [[2, 3, 4]]),
        ("x = [1 2 3]; c = {x}; y = x + 1; c{1}(1) = 100;", [[2, 3, 4]]),
        ("f = @(v) v + 1; x = [1 2 3]; y = f(x); x(1) = 100;", [[2, 3, 4]]),
    ],
)
def test_a_write_does_not_reach_what_was_asked_for_before(
    s: Session, code: str, expected: list[list[float]] | None
) -> None:
    s.run(code)
    if expected is None:
        expected = [[0], [4], [6], [2], [4], [6]]
    assert np.array_equal(s["y"], expected)


def test_what_python_was_given_does_not_change(s: Session) -> None:
    s.run("x = [1 2 3] * 2;")
    seen = s["x"]
    s.run("x(1) = 50;")
    assert seen.tolist() == [[2, 4, 6]]
    assert s["x"].tolist() == [[50, 4, 6]]


def test_the_array_of_a_caller_stays_as_it_is(s: Session) -> None:
    given = np.asfortranarray([[1.0, 2.0], [3.0, 4.0]])
    s["x"] = given
    s.run("y = x + 1; x(1, 1) = 100;")
    assert given.tolist() == [[1, 2], [3, 4]]
    assert s["y"].tolist() == [[2, 3], [4, 5]]


# -- what computes, and what does not --------------------------------------------------------------


@pytest.mark.parametrize(
    "code",
    [
        "n = size(y);",
        "n = numel(y) + ndims(y) + length(y);",
        "n = class(y); k = isa(y, 'float'); m = isnumeric(y);",
        "n = isempty(y) || isrow(y) || isscalar(y);",
        "n = size(y, 1) + size(y, 2); [a, b] = size(y);",
        "z = y; w = {y}; v.f = y;",
        "z = y'; w = y(:, 1:2); v = [y; y]; u = reshape(y, 1, []);",
        "z = exp(y) .* 2 - y; w = y > 2;",
        "f = @() y; g = @(v) v; z = g(y);",
        "z = feval(@plus, y, 1);",
        "n = isreal(y);",
        "n = end_of(y); function n = end_of(v), n = numel(v(:, end)); end",
    ],
)
def test_what_needs_no_elements_computes_none(s: Session, code: str) -> None:
    s.run("x = [1 2 3; 4 5 6]; y = x * 3 + 1;")
    s.run(code)
    assert is_pending(s, "y")


@pytest.mark.parametrize(
    "code",
    [
        "y",
        "disp(y)",
        "t = sprintf('%g ', y);",
        "if y, end",
        "k = y(2, 1); k = y(2);",
        "if y(2, 1), end",
        "for c = y, end",
        "b = isequal(y, 3);",
        "b = sort(y);",
        "t = mat2str(y);",
        "tic; toc;",
        "toc(tic);",
        "wait(gpuDevice)",
        "g = gather(y);",
        "z = y(y > 3);",
        "t = num2str(y);",
        "switch numel(find(y)), case 6, end",
    ],
)
def test_a_sink_computes(s: Session, code: str) -> None:
    s.run("x = [1 2 3; 4 5 6]; y = x * 3 + 1; y = y - 1;")
    assert is_pending(s, "y")
    s.capture(code)
    assert not is_pending(s, "y")
    assert s["y"].tolist() == [[3, 6, 9], [12, 15, 18]]


def test_an_element_computes_the_array(s: Session) -> None:
    s.run("x = [1 2 3; 4 5 6]; y = x * 3; m = sum(y, 'all'); k = y(2, 1);")
    assert type(s.interp.variables["k"]) is float
    assert not is_pending(s, "y")
    s.run("n = k + m;")
    assert s["n"] == 12 + 63
    with pytest.raises(MatlabError, match="Index in position 2 exceeds"):
        s.run("y = x * 3; y(1, 4)")
    with pytest.raises(MatlabError, match="Array indices must be positive"):
        s.run("y = x * 3; y(1.5)")


def test_the_first_element_of_an_array_on_a_device_is_asked_for_later() -> None:
    made = everywhere.session("null")
    made.run("x = [1 2 3; 4 5 6]; y = x * 3; k = y(2, 1); m = sum(y, 'all'); n = k + m;")
    assert is_pending(made, "y")
    assert made["n"] == 12 + 63
    # on the device, as others may come
    assert not is_pending(made, "y")
    assert made.eval("y(2, 3)") == 18


def test_a_python_read_computes(s: Session) -> None:
    s.run("y = [1 2 3] + 1; n = sum([1 2 3]);")
    assert is_pending(s, "y")
    assert s["y"].tolist() == [[2, 3, 4]]
    assert (type(s["n"]), s["n"]) == (float, 6.0)
    assert type(s.eval("any([0 1])")) is bool


def test_save_writes_what_is_pending(s: Session, tmp_path: Any) -> None:
    file = (tmp_path / "kept.mat").as_posix()
    s.run(f"y = [1 2 3] + 1; n = sum(y); c.f = y * 2; save('{file}', 'y', 'n', 'c'); clear")
    s.run(f"load('{file}')")
    assert s["y"].tolist() == [[2, 3, 4]]
    assert s["n"] == 9.0
    assert s.eval("c.f").tolist() == [[4, 6, 8]]


# -- pending scalars -------------------------------------------------------------------------------

SCALARS = "x = [1 2 3]; n = sum(x);"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("r = zeros(1, n); r = numel(r);", 6.0),
        ("r = x(n - 4);", 2.0),
        ("r = 0; for k = 1:n, r = r + k; end", 21.0),
        ("if n == 6, r = 1; else, r = 0; end", 1.0),
        ("r = n && true;", True),
        ("r = ~n;", False),
        ("c = {n}; r = c{1} + 1;", 7.0),
        ("q.f = n; r = q.f * 2;", 12.0),
        ("m = containers.Map('KeyType', 'double', 'ValueType', 'any'); m(n) = 5; r = m(6);", 5.0),
        ("d = dictionary(n, 3); r = d(6);", 3.0),
        ("switch n, case 6, r = 1; otherwise, r = 0; end", 1.0),
        ("switch n, case {5, 6}, r = 2; otherwise, r = 0; end", 2.0),
        ("r = cellfun(@(v) sum(v), {x, x * 2}); r = r(2);", 12.0),
        ("r = arrayfun(@(k) sum(x) + k, 1:2); r = r(2);", 8.0),
        ("r = repmat(n, 1, 2); r = r(2);", 6.0),
        ("r = mod(n, 4);", 2.0),
        ("r = x; r(n) = 1; r = numel(r);", 6.0),
        ("r = x; r(1) = n; r = r(1);", 6.0),
        ("r = [x n]; r = r(4);", 6.0),
        ("r = n; r(2) = 1; r = r(1);", 6.0),
        ("r = n; r(:) = 4; r = r + 0;", 4.0),
        ("r = linspace(0, n, 4); r = r(4);", 6.0),
        ("r = n:n+1; r = r(1);", 6.0),
        ("r = str2double(sprintf('%d', n));", 6.0),
        ("[a, r] = deal(1, n);", 6.0),
        ("r = f(n); function v = f(varargin), v = varargin{1} + 1; end", 7.0),
        ("r = f(n);\nfunction v = f(a)\narguments\na (1,1) double\nend\nv = a;\nend", 6.0),
        ("r = n; while r > 3, r = r - 1; end", 3.0),
        ("r = x / n; r = r(3) * 6;", 3.0),
        ("r = 2 ^ n + n ^ 2;", 100.0),
        ("s1 = struct('a', {n}); r = s1.a;", 6.0),
        ("r = int8(n); r = double(r);", 6.0),
        ("r = bitand(n, 3);", 2.0),
        ("r = x(logical([0 n 0]));", 2.0),
        ("r = strrep('ab', 'a', char(n + 91)); r = double(r(1));", 97.0),
    ],
)
def test_a_pending_scalar_is_a_scalar_everywhere(s: Session, code: str, expected: Any) -> None:
    s.run(f"{SCALARS} {code}")
    assert (type(s["r"]), s["r"]) == (type(expected), expected)


def test_loops_over_scalars_build_no_graph(s: Session) -> None:
    s.run("x = [1 2 3]; n = sum(x); t = 0; for k = 1:1000, t = t + n * k; n = n * 1; end")
    graph = s.interp.seat.graph
    assert len(graph.pending()) < 10
    assert s["t"] == 6 * 1000 * 1001 / 2


# -- errors ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statement", "identifier"),
    [
        ("z = y + [1 2];", "MATLAB:sizeDimensionsMustMatch"),
        ("z = y(7);", "MATLAB:badsubscript"),
        ("z = y(:, 4:5);", "MATLAB:badsubscript"),
        ("z = y(3, :);", "MATLAB:badsubscript"),
        ("z = y(0, :);", "MATLAB:badsubscript"),
        ("z = y(1.5, :);", "MATLAB:badsubscript"),
        ("z = y(:, 0:2);", "MATLAB:badsubscript"),
        ("z = y(:, [1 2 9]);", "MATLAB:badsubscript"),
        ("z = y * y;", "MATLAB:innerdim"),
        ("z = [y; 1 2];", "MATLAB:catenate:dimensionMismatch"),
        ("z = reshape(y, 4, 2);", "MATLAB:getReshapeDims:notSameNumel"),
        ("z = permute(y, [1 1]);", "MATLAB:permute:repeatedIndex"),
        ("y(:, 1:2) = [1 2 3];", "MATLAB:subsassigndimmismatch"),
        ("z = y{1};", "MATLAB:cellRefFromNonCell"),
        ("z = y.f;", "MATLAB:structRefFromNonStruct"),
        ("if y / 0 * 0, end", "MATLAB:nologicalnan"),
        ("z = ~(y * NaN);", "MATLAB:nologicalnan"),
        ("z = undefined_function(y);", "MATLAB:UndefinedFunction"),
    ],
)
def test_an_error_is_raised_where_it_stands(
    s: Session, tmp_path: Any, statement: str, identifier: str
) -> None:
    text = f"x = [1 2 3; 4 5 6];\ny = x + 1;\n{statement}\nw = 1;\n"
    plain = Session(config=config.load().replace(accel__provider="none"))
    file = tmp_path / "program.m"
    file.write_text(text)
    found = []
    for session in (plain, s):
        with pytest.raises(MatlabError) as caught:
            session.run_file(file)
        error = caught.value
        found.append((error.identifier, error.message, error.stack[0].line))
    assert found[0] == found[1]
    assert found[0][2] == 3
    assert found[0][0].startswith(identifier.rsplit(":", 1)[0])


def test_an_error_found_late_tells_the_line_of_its_node(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(node: Any, *values: Any) -> Any:
        raise MatlabError("Test:late", "Found late.")

    file = tmp_path / "late.m"
    file.write_text("x = [1 2 3];\ny = [x x];\nz = y * 2;\ndisp(z)\n")
    session = Session(config=config.load().replace(accel__threshold=1, accel__provider="none"))
    session.capture_file(file)
    monkeypatch.setattr(joins.CAT, "host", fails)
    with pytest.raises(MatlabError) as caught:
        session.capture_file(file)
    assert caught.value.identifier == "Test:late"
    assert [(frame.file, frame.line) for frame in caught.value.stack] == [(str(file), 2)]


# -- nothing is left -------------------------------------------------------------------------------


def test_cleared_variables_leave_nothing_behind(s: Session) -> None:
    s.run("x = rand(20); y = x * 2 + 1; z = sum(y); c = {y, z}; w = y'; disp(size(w))")
    s.capture("z")
    s.run("clear all")
    gc.collect()
    assert s.interp.seat.graph.pending() == []
    assert s.interp.seat.engine.live_handles == 0


def test_values_outlive_their_session(s: Session) -> None:
    s.run("y = [1 2 3] * 2; z = y + 1;")
    value = s.interp.variables["z"]
    s.close()
    assert value.data.tolist() == [[3, 5, 7]]


def test_values_pass_between_sessions(s: Session) -> None:
    s.run("y = [1 2 3] * 2;")
    other = Session(config=config.load().replace(accel__threshold=1, accel__provider="none"))
    other.interp.base().set("y", s.interp.variables["y"].share())
    other.run("z = y + 1;")
    assert other["z"].tolist() == [[3, 5, 7]]


# -- computed, and small ---------------------------------------------------------------------------


@pytest.mark.parametrize(("provider", "captured"), [("inprocess", False), ("null", True)])
def test_what_is_small_and_lies_on_the_host_is_an_array_like_others(
    provider: str, captured: bool
) -> None:
    settings = config.load().replace(
        accel__threshold=1000,
        accel__provider=provider,
        accel__offload__calibrate="never",
        accel__offload__force="device" if captured else "host",
    )
    with Session(config=settings) as s:
        s.run("A = rand(500, 20); G = A' * A; H = G + 1; if H(1), end")
        owner = s.interp.variables["G"].promise.node.data.owner
        assert owner.partition("#")[0] == provider
        s.run("K = G * G; L = K .* 2 - G;")
        assert is_pending(s, "K") is captured
        assert is_pending(s, "L") is captured
        np.testing.assert_allclose(s["K"], s["G"] @ s["G"], rtol=1e-12)
        np.testing.assert_allclose(s["L"], 2 * s["K"] - s["G"], rtol=1e-12)
        # what it is of is large: the product is not known before
        s.run("M = A * G;")
        assert is_pending(s, "M")
