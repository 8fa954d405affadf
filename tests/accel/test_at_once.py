"""Evaluations with too little to do: no plans, and then no nodes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from runmat_core.accel.graph.node import Node
from runmat_core.accel.running import at_once
from runmat_core.session import Session

SMALL, LARGE = 40_000, 2_000_000
#: One operation, and a look at an element in each iteration.
LOOP = """
function t = looks(x, count)
t = 0;
for k = 1:count
    y = x + k;
    if y(end) > 3
        t = t + y(end);
    end
end
end
"""
PROGRAMS = {
    "chain": "y = x .* 2 - k; y = abs(y) + x; s = s + y(k);",
    "convergence": "z = 0.5 * (x + k ./ (1 + x)); if max(abs(z - x)) > 1e-9, x = z; end; s = x(2);",
    "slices": "a = x(1:end-1); b = x(2:end); c = b - a; if c(1) < 5, s = s + c(k); end",
    "columns": "A = reshape(x, [], 4); A(:, 2) = A(:, 1) + k; v = A(:, 2); if v(1), s = v(3); end",
    "joined": "y = [x; x + k]; if y(end) > 0, s = s + y(end); end",
    "transposed": "y = (x + k)'; z = y(1:2:end); if z(end) > 0, s = s + z(end); end",
    "drawn": "y = rand(size(x)); if y(1) < 2, s = s + y(end); end",
    "made": "y = zeros(size(x)) + k; z = linspace(0, k, numel(x)); if y(1), s = s + z(2); end",
    "statistics": "m = mean(x); d = std(x); if d < m + k, s = s + max(x) - min(x); end",
    "masks": "m = x > 0.5; if any(m), s = s + sum(x(m)) + nnz(m); end",
    "scalars first": "y = 2 * x + k; z = 1 ./ (y + 3); if 0 < z(1), s = s + y(end) - z(2); end",
    "complex": "y = sqrt(x - 0.5); if ~isreal(y), s = s + imag(y(1)); end",
}


def engine_of(session: Session) -> Any:
    return session.interp.seat.engine  # type: ignore[union-attr]


@pytest.fixture
def looks(tmp_path: Any) -> Session:
    (tmp_path / "looks.m").write_text(LOOP)
    return Session(provider="inprocess", path=[tmp_path])


def test_a_place_that_does_not_pay_makes_no_nodes(
    looks: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks.run(f"x = ones({SMALL}, 1); looks(x, 3);")
    counters = engine_of(looks).counters
    runs = counters.runs
    made: list[Node] = []
    plain = Node.__init__

    def counted(node: Node, *arguments: Any) -> None:
        made.append(node)
        plain(node, *arguments)

    monkeypatch.setattr(Node, "__init__", counted)
    looks.run("t = looks(x, 50);")
    assert looks["t"] == sum(1 + k for k in range(3, 51))
    assert (counters.runs, counters.plans_made) == (runs, 0)
    # those of two traces of the loop: the second knows what the condition looks at
    assert len(made) < 20


@pytest.mark.parametrize("name", PROGRAMS)
def test_no_form_of_a_statement_goes_on_making_nodes(
    name: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"function s = again(x, n)\ns = 0;\nfor k = 1:n\n{PROGRAMS[name]}\nend\nend\n"
    (tmp_path / "again.m").write_text(text)
    session = Session(provider="inprocess", path=[tmp_path])
    session.run(f"rng(7); x = rand({SMALL}, 1); s = again(x, 6);")
    made: list[Node] = []
    plain = Node.__init__

    def counted(node: Node, *arguments: Any) -> None:
        made.append(node)
        plain(node, *arguments)

    monkeypatch.setattr(Node, "__init__", counted)
    session.run("s = again(x, 40);")
    # the loop is traced anew, and its first iterations go on being captured
    assert len(made) < 40


def test_larger_arrays_are_captured_at_the_same_place(looks: Session) -> None:
    looks.run(f"x = ones({SMALL}, 1); looks(x, 5);")
    counters = engine_of(looks).counters
    assert counters.plans_made == 0
    looks.run(f"x = ones({LARGE}, 1); looks(x, 3);")
    assert counters.plans_made > 0
    runs = counters.runs
    looks.run(f"x = ones({SMALL}, 1); looks(x, 20);")
    assert counters.runs <= runs + 3


def test_a_place_that_has_more_to_do_is_captured_again(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(at_once, "PATIENCE", 8)
    chain = "".join(["y = y .* 1.01 + x;"] * 40)
    (tmp_path / "grows.m").write_text(
        "function t = grows(x, much)\ny = x + 1; z = y .* 2;\nif much\n"
        f"{chain}\nend\nif y(end) > 3 && z(end) > 0, t = y(end); else, t = 0; end\nend\n"
    )
    made = Session(provider="inprocess", path=[tmp_path])
    made.run(f"x = ones({SMALL}, 1); for k = 1:5, grows(x, false); end")
    counters = engine_of(made).counters
    runs = counters.runs
    made.run("for k = 1:4, grows(x, true); end")
    assert counters.plans_made > 0
    made.run("for k = 1:20, t = grows(x, true); end")
    assert counters.plan_hits > 0
    assert counters.runs > runs + 8


def test_a_threshold_that_is_named_captures_everything(tmp_path: Any) -> None:
    (tmp_path / "looks.m").write_text(LOOP)
    (tmp_path / "runmat.toml").write_text('[accel]\nthreshold = 100\nprovider = "inprocess"\n')
    made = Session(path=[tmp_path], cwd=tmp_path)
    made.run("x = ones(200, 1); looks(x, 10);")
    counters = engine_of(made).counters
    assert counters.plans_made > 0
    assert counters.runs >= 10


@pytest.mark.parametrize("name", PROGRAMS)
def test_results_are_those_without_a_provider(name: str) -> None:
    program = (
        f"rng(7); x = rand({SMALL}, 1); s = 0; for k = 1:6, {PROGRAMS[name]} end; "
        "r = rand; q = sum(x);"
    )
    captured, plain = Session(provider="inprocess"), Session(provider="none")
    for one in (captured, plain):
        one.run(program)
        one.run(program)
    assert engine_of(captured).counters.plans_made == 0
    for variable in ("s", "r", "q"):
        np.testing.assert_array_equal(captured[variable], plain[variable])


def test_explain_says_which_lines_run_at_once(looks: Session) -> None:
    from runmat_core.accel.report.explain import explain

    telemetry = looks.telemetry
    assert telemetry is not None
    looks.run(f"x = ones({SMALL}, 1); looks(x, 4);")
    text = explain(telemetry, "program.m", ["looks(x, 4)"])
    assert "evaluating them together costs more than it saves" in text
    assert f"looks.m:6  asks for a value after 1 operation on {SMALL} elements" in text
    assert "too little work to be worth a plan" in text
    (note, *_) = telemetry.as_dict()["at_once"]
    assert (note["line"], note["size"]) == (6, SMALL)


@pytest.mark.parametrize(("provider", "pays"), [("native", True), ("inprocess", False)])
def test_the_provider_says_what_an_evaluation_has_to_be_worth(
    provider: str, pays: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(at_once, "ALTOGETHER", 4_000_000)
    session = Session(provider=provider)
    session.run("x = ones(400000, 1);")
    text = "t = 0; for k = 1:4, y = abs(x - k) + x; t = t + y(k); if t < 0, break, end, end"
    session.run(text)
    engine = engine_of(session)
    assert engine.places.started  # four of them come to enough
    session.run(text)
    session.run(text)
    # what does not pay makes no nodes any more
    assert (len(engine.sites.at_once()) > 0) != pays
    assert (engine.counters.plan_hits > 4) == pays
