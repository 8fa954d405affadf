"""``while`` loops that end where what they compute says so: batches that run ahead unseen."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.accel.loops import HOSTS, Outcome, compared, session

HALVE = "d=1e9; Y=A; n=0; while d>{limit}, Z=Y*0.7+B*0.01; d=max(abs(Z(:)-Y(:))); Y=Z; n=n+1; end"
CAPTURED = {
    "by a largest change": HALVE.format(limit=1e-3),
    "and by a counter": "d=1; Y=A; n=0; while d>1e-9 && n<37, Y=Y*0.9; d=sum(Y(:).^2); n=n+1; end",
    "or by a counter": "d=1; Y=A; n=0; while d>1e9 || n<23, Y=Y*0.9; d=sum(Y(:).^2); n=n+1; end",
    "draws numbers": "s=0; n=0; while s<3e4, Y=rand(60,50); s=s+sum(Y(:)); n=n+1; end, z=rand;",
    "draws and counts": "s=0; Y=A; n=0; while s<20 && n<50, Y=Y+randn(60,50); s=norm(Y(:))/60; "
    "n=n+1; end, z=randn(3);",
    "singles": "d=single(1); Y=S; while d>0.01, Y=Y/2; d=mean(Y(:)); end",
    "with a branch on what is known": "d=1; q=2; Y=A; n=0; while d>1e-2, if q>1, Y=Y*0.8; end, "
    "d=mean(Y(:)); n=n+1; end",
    "products": "d=1; Q=B(:,1:3); G=A'*A/1500; x=B(1:50,1); while d>1e-6, y=G*x; y=y/norm(y); "
    "d=norm(y-x); x=y; end",
    "an inner loop": "d=1; Y=A; while d>1e-2, for j=1:3, Y=Y*0.9; end, d=mean(Y(:)); end",
    "edges": "d=1; P=A; n=0; while d>1e-2, P=(P-[zeros(1,50); P(1:end-1,:)])/3; d=max(abs(P(:)));"
    " n=n+1; end",
    "written parts": "d=1; Y=A; n=0; while d>.01 && n<41, Y(2:end-1,:)=(Y(1:end-2,:)+Y(3:end,:))/3;"
    " d=mean(mean(Y(2:end-1,:))); n=n+1; end",
}

HALVED = "Y=A; for t={}, Y=Y*0.9; d=mean(Y(:)); if d<1e-2, break, end, end, z=rand;"
CAPTURED |= {
    "left by a break": HALVED.format("1:50"),
    "not left by a break": HALVED.format("1:20"),
    "of few steps": HALVED.format("1:6"),
    "not left in four more": HALVED.format("1:5"),
    "backward": "Y=A; for t=10:-2:-40, Y=Y+rand(60,50); d=mean(Y(:)); if d>9, break, end, Y=Y-0.1; "
    "end, z=rand;",
    "by its variable": "Y=A; d=0; for t=3:50, Y=Y*0.9+d; d=mean(Y(:))*0.01; "
    "if t>17 || d>1, break, end, end",
    "parts that move": "Y=A; X=zeros(60,40); for t=1:40, Y=Y*0.9; X(:,t)=Y(:,1); "
    "if max(X(:,t))<0.1, break, end, end",
}


@pytest.mark.parametrize("name", CAPTURED)
def test_the_loop_leaves_what_single_steps_leave(name: str) -> None:
    found = compared(CAPTURED[name], "null", exact=False)
    assert found.captured == 1, found.reasons
    assert found.error is None


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 16, 17, 31, 60, 61, 62, 130])
def test_any_number_of_steps(count: int) -> None:
    """The step in which it ends is the first, the last or any of a batch."""
    program = f"s=0; Y=A*0; r=0; while s<{count}, Y=Y+1; s=sum(Y(:))/3000; r=r+rand; end, z=rand;"
    found = compared(program, "null")
    assert found.values["s"] == count
    program = (
        f"Y=A*0; r=0; for t=5:{max(count, 9)}, Y=Y+1; s=sum(Y(:))/3000; if s=={count}, break, end, "
        "r=r+rand; end, z=rand;"
    )
    compared(program, "null")


def test_errors_are_those_of_their_own_step() -> None:
    """A factor exists for nine steps only; steps that are not to run raise nothing."""
    body = "R=chol(K); Y=Y+R(1,1); K=K-eye(60)*0.1; d=K(1,1); n=n+1;"
    for limit, fails in ((0.05, False), (-0.5, True)):
        program = f"K=eye(60); Y=A; d=1; n=0;\nwhile d>{limit}\n {body}\nend"
        found = compared(program, "null", exact=False)
        assert (found.error is not None) is fails
        assert found.values["n"] in (9, 10, 11)


@pytest.mark.parametrize("position", [1, 3, 4, 6])
@pytest.mark.parametrize("sink", ["disp(sum(Y(:))>9)", "q=Y(3,4);", "t=numel(Y(Y>0.5));", "m=d;"])
def test_statements_that_ask_for_elements_anywhere(sink: str, position: int) -> None:
    lines = ["Y=A; d=1; n=0;", "while d>1e-2 && n<40", " Y=Y*0.8+rand(60,50)*1e-3;"]
    lines += [" d=mean(Y(:)); n=n+1;", "end", "Z=Y*2; z=rand;"]
    compared("\n".join([*lines[:position], sink, *lines[position:]]), "null", exact=False)


def test_what_ends_at_once_or_goes_on_again() -> None:
    """The same loop again and again, from other states."""
    program = (
        "w=0; for k=1:6, Y=A*k; d=1; n=0;\n while d>0.05*k, Y=Y*0.8; d=mean(Y(:)); n=n+1; end\n"
        " w(k)=n; end"
    )
    compared(program, "null", exact=False)
    program = (
        "function n = steps(Y, e)\nd=1; n=0;\nwhile d>e\n Y=Y*0.8; d=mean(Y(:)); n=n+1;\nend\nend"
    )
    text = f"a=steps(A,1e-3); b=steps(A,2); c=steps(A,1e-2); e=steps(A,1e-3);\n{program}"
    compared(text, "null", exact=False)


def test_waits_grow_with_the_logarithm() -> None:
    made = session("null")
    made.run("rng(1); A=rand(60,50);")
    made.run(CAPTURED["and by a counter"])
    telemetry = made.telemetry
    assert telemetry is not None
    telemetry.clear()
    made.run(CAPTURED["and by a counter"])
    assert made["n"] == 37
    assert telemetry.totals()["runs"] <= 12


@pytest.mark.parametrize(
    "counts", [(37, 37, 37), (60, 5, 60, 60, 3, 130, 9, 130, 2, 2, 8, 7, 6, 5)]
)
def test_as_many_steps_as_the_last_time_are_expected(counts: tuple[int, ...]) -> None:
    function = (
        "function [s, r] = steps(Y, n)\ns=0; r=0;\n"
        "while s<n, Y=Y+1; s=sum(Y(:))/3000; r=r+rand; end\nend"
    )
    calls = "".join(f"[s{k}, r{k}] = steps(A*0, {n});" for k, n in enumerate(counts))
    found = compared(f"{calls} z=rand;\n{function}", "null")
    assert [found.values[f"s{k}"] for k in range(len(counts))] == [*map(float, counts)]


def test_no_step_is_run_in_vain_where_it_ends_as_the_last_time(tmp_path: Path) -> None:
    (tmp_path / "steps.m").write_text(
        f"function n = steps(A)\n{CAPTURED['and by a counter']}\nend\n"
    )
    made = session("null")
    made.run(f"rng(1); A=rand(60,50); addpath('{tmp_path}'); n=steps(A);")
    engine = made.interp.seat.engine  # type: ignore[union-attr]
    found = []
    for _ in range(4):
        before = engine.loops.captured, engine.counters.runs
        made.run("n=steps(A);")
        assert made["n"] == 37
        found.append((engine.loops.captured - before[0], engine.counters.runs - before[1]))
    # after the first step 32 and 4, and these together are a loop
    assert found[0][0] == 3
    assert found[1:] == [found[0]] * 3


def test_where_the_host_computes_nothing_is_run_ahead() -> None:
    for provider in HOSTS:
        found = Outcome(CAPTURED["singles"], provider, True)
        assert found.captured == 0


def test_each_session_decides_for_itself() -> None:
    """Where sessions of a process use several providers, the last one chosen is not that of all."""
    first = session("null")
    first.run("rng(1); A=rand(60,50);")
    other = session("inprocess")
    other.run("A=rand(60,50); q=A*2; disp(q(1))")
    for made, captures in ((first, True), (other, False), (first, True)):
        made.run(CAPTURED["and by a counter"])
        telemetry = made.telemetry
        assert telemetry is not None
        assert (telemetry.loops[-1].trips > 0) is captures
