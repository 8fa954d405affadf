"""A loop that was captured after its first trip is captured as a whole the next time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from runmat_core.values.hooks import HOOKS
from tests.accel.loops import PROVIDERS, SETUP, Outcome, same, session

#: Functions of one loop; each is called three times.
WHOLE = {
    "carried": ("Y", "A, B", "Y = A;\nfor t = 1:12\n  Y = 0.9*Y + B*t;\nend\n"),
    "counted": (
        "[Y, k]",
        "A, B",
        "Y = A; k = 2;\nwhile k < 12\n  Y = Y*0.9 + k*B;\n k = k+1;\nend\n",
    ),
    "ahead": ("[Y, k]", "A", "Y = A; k = 0;\nwhile k < 12\n  k = k+1; Y = Y*0.9 + k;\nend\n"),
    "fractions": ("[Y, t]", "A", "Y = A;\nfor t = 0:0.1:2\n  Y = Y*0.9 + t;\nend\n"),
    "steps": (
        "[Y, t]",
        "A",
        "Y = A; t = 0; dt = 0.1;\nwhile t < 2\n  Y = Y*0.9 + t; t = t+dt;\nend\n",
    ),
    "struct": (
        "Y",
        "A",
        "p.a = 0.9; p.way = 'up'; Y = A;\nfor t = 1:9\n  Y = Y*p.a + t*strcmp(p.way, 'up');\nend\n",
    ),
    "downwards": ("[Y, t]", "A, B", "Y = A;\nfor t = 24:-2:2\n  Y = Y*0.5 + t;\nend\n"),
    "columns": ("[Y, c]", "A, x", "Y = A;\nfor c = x\n  Y = 0.9*Y + c;\nend\n"),
    "elements": ("[Y, c]", "A, v", "Y = A;\nfor c = v\n  Y = 0.9*Y + c;\nend\n"),
    "slices": (
        "[Z, y, t]",
        "x, v",
        "y = x(:,1); Z = zeros(60,40);\n"
        "for t = 1:40\n  y = 0.9*y + x(:,t)*v(t);\n  Z(:,t) = y;\nend\n",
    ),
    "earlier": ("Z", "x", "Z = x;\nfor t = 2:40\n  Z(:,t) = 0.5*Z(:,t-1) + x(:,t);\nend\n"),
    "random": ("Y", "A", "Y = A;\nfor t = 1:20\n  Y = 0.9*Y + rand(60,50);\nend\n"),
    "odd": ("Y", "S", "Y = S(1:2999);\nfor t = 1:21\n  Y = Y + rand(1,2999,'single');\nend\n"),
    "scalars": (
        "[Y, s, n]",
        "A, v",
        "Y = A; s = 0; n = 1;\nfor t = 1:9\n  Y = Y*0.9;\n  s = s + v(t); n = n*2;\nend\n",
    ),
    "new": (
        "[Y, u, w]",
        "A, B",
        "Y = A;\nfor t = 1:9\n  u = Y.*B; w = u > 0;\n  Y = Y - 0.1*u;\nend\n",
    ),
    "mask": ("Y", "B", "Y = B;\nfor t = 1:20\n  M = Y > 0; Y = Y.*M - 0.1*~M;\nend\n"),
    "complex": ("c", "A, B", "c = B + 1i*A;\nfor t = 1:9\n  c = c.*(0.3+0.1i) + A;\nend\n"),
    "products": (
        "Q",
        "A",
        "Q = A(:,1:50); G = A'*A/100;\nfor t = 1:9\n  Q = Q*G; Q = Q/max(abs(Q(:)));\nend\n",
    ),
    "reduced": ("W", "A, B", "W = B;\nfor t = 1:9\n  W = W - mean(W) + 0.01*A;\nend\n"),
    "called": (
        "Y",
        "A",
        "Y = A;\nfor t = 1:9\n  Y = helped(Y, 2);\nend\nend\n"
        "function y = helped(x, n)\ny = x;\nfor j = 1:n\n  y = 0.9*y + j;\nend\n",
    ),
}
#: The same where the first trip has to run on its own: classes and sizes change in it.
CHANGED = {
    "grown": ("Y", "A", "Y = 0;\nfor t = 1:12\n  Y = 0.9*Y + A;\nend\n"),
    "retyped": ("Y", "A", "Y = A > 0.5;\nfor t = 1:12\n  Y = 0.5*Y + A;\nend\n"),
    "emptied": ("Y", "A", "Y = [];\nfor t = 1:12\n  Y = A*t;\n  A = Y*0.1;\nend\n"),
}
#: The same where a guard fires: in the first trip, later, or not in every run.
GUARDED = {
    "at_once": ("Y", "B", "Y = B;\nfor t = 1:9\n  Y = sqrt(Y)*0.9;\nend\n"),
    "later": ("Y", "A", "Y = A;\nfor t = 1:12\n  Y = sqrt(Y) - 0.06*t;\nend\n"),
    "logs": ("[Y, t]", "A", "Y = A + 2;\nfor t = 1:9\n  Y = log(Y);\nend\n"),
    "placed": ("[Y, k]", "A, v", "Y = A; k = 3;\nfor t = 1:9\n  Y = Y*v(k); k = k + 1;\nend\n"),
}


def _program(name: str, case: tuple[str, str, str], folder: Path) -> str:
    outputs, inputs, body = case
    text = f"function {outputs} = {name}({inputs})\n{body}end\n"
    (folder / f"{name}.m").write_text(text)
    own = [f"{one}{{}}" for one in outputs.strip("[]").split(", ")]
    calls = [f"[{', '.join(own).format(*[k] * len(own))}] = {name}({inputs});" for k in (1, 2, 3)]
    return "\n".join([f"addpath('{folder}');", *calls, "q = rand(2,2);"])


def _outcome(name: str, cases: dict[str, Any], provider: str, folder: Path, exact: bool) -> Outcome:
    program = _program(name, cases[name], folder)
    found = Outcome(program, provider, True)
    same(found, Outcome(program, provider, False), exact)
    return found


@pytest.mark.sweep
@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("name", WHOLE)
def test_all_trips_are_captured(name: str, provider: str, tmp_path: Path) -> None:
    exact = name not in ("products", "reduced", "complex")
    found = _outcome(name, WHOLE, provider, tmp_path, exact)
    # a provider that has no call for a step of the loop captures it in no run
    if found.captured or provider == "null":
        assert [note.whole for note in found.notes if note.trips] == [True]


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("name", CHANGED)
def test_a_first_trip_that_changes_types_runs_alone(
    name: str, provider: str, tmp_path: Path
) -> None:
    found = _outcome(name, CHANGED, provider, tmp_path, True)
    assert [(note.whole, note.trips) for note in found.notes] == [(False, 11)]


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("name", GUARDED)
def test_guards_that_fire(name: str, provider: str, tmp_path: Path) -> None:
    _outcome(name, GUARDED, provider, tmp_path, False)


def test_nothing_of_the_second_run_is_evaluated_by_itself(tmp_path: Path) -> None:
    (tmp_path / "walk.m").write_text(
        "function s = walk(A, B)\nY = A;\nfor t = 1:20\n  Y = 0.9*Y + B*t;\nend\n"
        "s = sum(Y(:));\nend\n"
    )
    made = session("null")
    made.run(SETUP + f"addpath('{tmp_path}');")
    assert made["A"].shape == made["B"].shape  # computed now, and not with the loops
    engine = made.interp.seat.engine  # type: ignore[union-attr]
    before = engine.counters.launches
    launches, plans, kernels = [], [], []
    for _ in range(4):
        made.run("s = walk(A, B);")
        assert made["s"] is not None
        launches.append(engine.counters.launches - before)
        plans.append(engine.counters.plans_made)
        kernels.append(engine.loops.trips)
    # after the first run, which has a first trip: the trips but the last, and the sum over that
    assert launches == [3, 5, 7, 9]
    assert kernels == [19, 39, 59, 79]
    # the second run has a plan of its own, further ones have none to make
    assert plans[1] == plans[2] == plans[3]


def counted_traces(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that grows whenever a body is traced."""
    from runmat_core.accel.loops import trace

    traced: list[int] = []
    original = trace.trace

    def counting(*given: Any) -> Any:
        traced.append(1)
        return original(*given)

    monkeypatch.setattr(trace, "trace", counting)
    return traced


def test_a_refusal_is_remembered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    traced = counted_traces(monkeypatch)
    name = "grown"
    outputs, inputs, body = CHANGED[name]
    (tmp_path / f"{name}.m").write_text(f"function {outputs} = {name}({inputs})\n{body}end\n")
    made = session("null")
    made.run(SETUP + f"addpath('{tmp_path}');")
    counts = []
    for _ in range(4):
        made.run("Y = grown(A); s = sum(Y(:));")
        counts.append(len(traced))
    assert counts == [1, 2, 2, 2]


@pytest.mark.parametrize(
    "function", ["@(x) 0.5*x", "@(x) k*x + w", "@(x) g(x) - 1", "@sin", "@halved"]
)
def test_a_loop_that_calls_a_function_is_traced_once(
    function: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    traced = counted_traces(monkeypatch)
    (tmp_path / "outer.m").write_text(
        f"function Y = outer(A)\nk = 2; w = (1:50)/9; g = @(x) x/2; f = {function};\nY = A;\n"
        "for t = 1:9\n  Y = f(Y) + t;\nend\nend\nfunction y = halved(x)\ny = x/2;\nend\n"
    )
    made = session("null")
    made.run(SETUP + f"addpath('{tmp_path}');")
    counts = []
    for _ in range(12):
        made.run("Y = outer(A); s = sum(Y(:));")
        counts.append(len(traced))
    assert counts[1:] == [2] * 11
    assert made.interp.seat.engine.loops.captured == 12  # type: ignore[union-attr]


def test_other_functions_are_another_loop(tmp_path: Path) -> None:
    (tmp_path / "mapped.m").write_text(
        "function Y = mapped(A, f)\nY = A;\nfor t = 1:9\n  Y = f(Y) + t;\nend\nend\n"
    )
    functions = [
        "@(x) k*x", "@(x) k*x", "@(x) 0.5*x", "@(x) x/2", "@sin", "@cos", "@(x) x+B", "@(x) g(x)"
    ]  # fmt: skip
    calls = "".join(
        f"k = {k}; B = B + 1; g = @(x) x*k - 1; y{k}_{n} = mapped(A, {one});"
        for k in (1, 2, 2)
        for n, one in enumerate(functions)
    )
    program = f"addpath('{tmp_path}'); {calls}"
    same(Outcome(program, "null", True), Outcome(program, "null", False), exact=False)


def test_a_local_function_that_is_written_anew(tmp_path: Path) -> None:
    made = session("null")
    made.run(SETUP + f"addpath('{tmp_path}');")
    for number, factor in enumerate((2, 2, 3, 3)):
        # of another length, for the time of a file may be too coarse to tell
        (tmp_path / "outer.m").write_text(
            "function Y = outer(A)\nf = @(x) step(x);\nY = A;\nfor t = 1:9\n  Y = step(Y);\nend\n"
            "for t = 1:9\n  Y = f(Y);\nend\nend\n"
            f"function y = step(x)\ny = x + {factor};\nend\n{'%' * number}\n"
        )
        made.run("Y = outer(A); d = max(max(abs(Y - A)));")
        assert made["d"] == pytest.approx(18 * factor)


def test_loops_that_a_session_has_not_met_are_not_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(HOOKS, "loops", True)
    made = session("null")
    made.run(SETUP + "Y = A; for t = 1:9, Y = 0.9*Y; end")
    notes = made.interp.seat.engine.loops.notes.values()  # type: ignore[union-attr]
    assert [(note.trips, note.whole) for note in notes] == [(8, False)]


def test_other_scalars_are_another_loop(tmp_path: Path) -> None:
    (tmp_path / "scaled.m").write_text(
        "function Y = scaled(A, k)\nY = A;\nfor t = 1:9\n  Y = k*Y + t;\nend\nend\n"
    )
    program = f"addpath('{tmp_path}'); a=scaled(A,1); b=scaled(A,2); c=scaled(A,1); d=scaled(S,1);"
    found = Outcome(program, "null", True)
    same(found, Outcome(program, "null", False), True)
    # the last one's array is of another class
    assert [note.whole for note in found.notes] == [True]


def test_other_fields_are_another_loop(tmp_path: Path) -> None:
    (tmp_path / "scaled.m").write_text(
        "function Y = scaled(A, p)\nY = A;\nfor t = 1:9\n  Y = p.k*Y + t;\nend\nend\n"
    )
    runs = ["struct('k',2)", "struct('k',3)", "struct('k',2)", "struct('k',B)", "struct('k',3)"]
    calls = "".join(f"y{n} = scaled(A, {p});" for n, p in enumerate(runs))
    program = f"addpath('{tmp_path}'); A=A(1:50,:); B=B(1:50,:); {calls} z=scaled(A,struct('k',A));"
    same(Outcome(program, "null", True), Outcome(program, "null", False), exact=False)


def test_a_function_that_means_something_else(tmp_path: Path) -> None:
    (tmp_path / "outer.m").write_text(
        "function Y = outer(A)\nY = A;\nfor t = 1:9\n  Y = step(Y);\nend\nend\n"
    )
    first, second = tmp_path / "first", tmp_path / "second"
    for folder, factor in ((first, "0.5"), (second, "0.25")):
        folder.mkdir()
        (folder / "step.m").write_text(f"function y = step(x)\ny = {factor}*x;\nend\n")
    program = (
        f"addpath('{tmp_path}'); addpath('{first}'); a=outer(A); b=outer(A); "
        f"rmpath('{first}'); addpath('{second}'); c=outer(A); d=outer(A);"
    )
    same(Outcome(program, "null", True), Outcome(program, "null", False), True)
