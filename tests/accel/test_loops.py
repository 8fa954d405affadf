"""Loops that become kernels leave behind what they leave behind otherwise."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from runmat_core.accel.running import loop_registry
from tests.accel.loops import PROVIDERS, SETUP, Outcome, compared, same, session

CAPTURED = {
    "carried array": "Y=A; for t=1:12, Y=0.9*Y+B; end",
    "carried scalar": "Y=A; k=1; for t=1:12, k=k*0.9; Y=Y*k+B; end",
    "counter": "Y=A; n=0; for t=1:12, Y=Y+B; n=n+1; end",
    "loop variable": "Y=A; for t=1:12, Y=Y+sin(t*B); end",
    "downwards": "Y=A; for t=12:-1:1, Y=Y*0.5+t; end",
    "in steps": "Y=A; for t=3:2:31, Y=Y*0.5+t; end",
    "column that moves": "Y=x(:,1)*ones(1,30); for t=1:40, Y=0.9*Y+x(:,t); end",
    "element that moves": "Y=A; for t=1:40, Y=Y*v(t); end",
    "columns at a distance": "Y=A; for t=2:39, Y=0.9*Y+x(:,2*t-t-1)+x(:,t+1); end",
    "element of a row": "Y=A; for t=1:40, Y=0.5*Y+x(3,t)*B; end",
    "column written": "y=x(:,1); Z=zeros(60,40); for t=1:40, y=0.9*y+x(:,t); Z(:,t)=y; end",
    "row written": "y=x(:,1)'; Z=zeros(40,60); for t=1:40, y=0.9*y+x(:,t)'; Z(t,:)=y; end",
    "shape changed": "Y=A; Z=zeros(3000,20); for t=1:20, Y=0.9*Y+B; Z(:,t)=Y(:); end",
    "beside what another size needs": "u=x(:,1); R=zeros(40,60); Y=A; for t=1:20, R(t,:)=u'; u=u+t;"
    " Y=Y*0.9; end",
    "part of a column kept": "Y=A; Z=ones(3000,30); for t=5:20, Y=0.9*Y+B; Z(:,t)=Y(:); end",
    "uniform numbers": "Y=A; for t=1:20, Y=0.9*Y+rand(60,50); end; q=rand(2,2);",
    "normal numbers": "Y=A; for t=1:20, Y=0.9*Y+rand(60,50).*randn(60,50); end; q=rand(2,2);",
    "an odd count": "Y=S(1:2999); for t=1:21, Y=Y+rand(1,2999,'single'); end; q=rand(2,2);",
    "mask": "Y=B; for t=1:20, M=Y>0; Y=Y.*M-0.1*~M; end",
    "integers": "Y=int32(100*B); for t=1:20, Y=Y+int32(3); end",
    "logicals": "L=B>0; for t=1:11, L=~L; end",
    "other variables": "Y=A; for t=1:20, u=Y.*B; w=u>0; Y=Y-0.1*u; end",
    "swap": "a=A; b=B; for t=1:11, c=a; a=b+0.1; b=c; end",
    "one that another becomes": "a=A; b=B; for t=1:11, q=b+1; a=a*0.9; b=a; end",
    "handed on": "a=A; b=B; for t=1:11, c=0.5*(a+b); a=b; b=c; end",
    "constant condition": "Y=A; m=2; for t=1:11, if m==2, Y=Y*0.5; else, Y=Y*2; end, end",
    "constant switch": "Y=A; m='a'; for t=1:11, switch m, case 'a', Y=Y*0.5; end, end",
    "loop in it": "Y=A; for t=1:11, for k=1:3, Y=Y*0.9+k; end, end",
    "handle": "f=@(y)0.9*y+1; Y=A; for t=1:11, Y=f(Y); end",
    "columns of an array": "Y=A; for c=x, Y=0.9*Y+c; end",
    "elements of a row": "Y=A; for c=v, Y=0.9*Y+c; end",
    "text": "Y=A; for t=1:11, s='abc'; Y=Y*0.9; end",
    "swap beside others": "a=A; b=B; n=0; for t=1:11, n=n+t; c=a; a=b*0.9; b=c; end",
    "scalars beside": "Y=A; s=0; for t=1:11, Y=Y*0.9; s=s+v(t); end",
    "constant again": "Y=A; for t=1:11, z=0; Y=Y*0.9+z; z=5; end",
    "struct": "p.a=0.9; p.b=[1 2]; Y=A; for t=1:11, Y=p.a*Y+p.b(2); end",
    "two loops": "Y=A; for t=1:9, Y=Y*0.9; end, for t=1:9, Y=Y+B; end",
    "in fractions": "Y=A; for t=0:0.1:2, Y=Y*0.9+t*B; end",
    "in whole numbers of a class": "Y=A; for t=int32(3):int32(14), Y=Y*0.9+double(t); end",
    "in singles": "Y=S; for t=single(3):-0.5:-2, Y=Y*0.9+t; end",
    "one element for a column": "s=0; Z=zeros(60,40); y=B; for t=1:40, s=s+v(t); Z(:,t)=s; y=y*s;"
    " end",
    "a number for a row": "Z=zeros(40,60); Q=S; y=B; for t=1:40, Z(t,3:50)=t^2; y=y*0.5; end",
    "a constant for a page": "P=zeros(20,30,12,'single'); y=B; for t=1:12, P(:,:,t)=2; y=y*t; end",
    "complex by a mask": "z=B+1i*A; for t=1:12, z=z*0.9; z(A>0.5)=t; z(B>0.4)=2i; end",
    "complex by its own mask": "z=B+1i; for t=1:12, z=z+A; m=real(z)>5; z(m)=0; end",
    "an outer loop": "Y=A; for k=1:3, for t=1:9, Y=Y*0.9+k; end, end",
}
COUNTED = {
    "up to": "Y=A; k=1; while k<=12, Y=Y*0.9+k; k=k+1; end",
    "below": "Y=A; k=1; while k<12, Y=Y*0.9+k*B; k=k+2; end",
    "between": "Y=A; k=1; while k<6.5, Y=Y+B; k=k+1; end",
    "down": "Y=A; k=20; while k>0, Y=Y*0.9+k; k=k-1; end",
    "down to a variable": "Y=A; k=20; n=3; while k>=n, Y=Y*0.9+x(:,k); k=k-3; end",
    "halves": "Y=A; k=0.5; while k<=12, Y=Y*0.9+k; k=k+1; end",
    "by a variable": "Y=A; k=0; dt=0.07; while k<1, Y=Y*0.9+k; k=k+dt; end",
    "down by a variable": "Y=A; k=1; dt=0.07; while k>=0.2, Y=Y*0.9+k; k=k-dt; end",
    "to what is computed": "Y=A; k=0; dt=0.07; T=1; while k<T-dt/2, Y=Y*0.9+k; k=dt+k; end",
    "until equal": "Y=A; k=9; while k~=-9, Y=Y*0.9+k; k=k-1; end",
    "the other way round": "Y=A; k=0; n=12; while n>=k, Y=Y*0.9+k; k=k+2; end",
    "moved first": "Y=A; k=0; m=zeros(1,12); while k<12, k=k+1; Y=Y*0.9+k; m(k)=k*2; end",
    "to the end of an array": "Y=A; k=1; while k<=numel(v), Y=Y*0.9+v(k); k=k+1; end",
    "before the end": "Y=A; k=1; while length(v)>k, Y=Y*0.9+v(k+1); k=k+1; end",
    "over columns": "Y=A; k=1; while k<=size(x,2)-1, Y=Y*0.9+x(:,k); k=k+1; end",
    "over half of them": "Y=A; k=1; while k<=numel(v)/2, Y=Y*0.9+v(2*k); k=k+1; end",
    "to the size of what is pending": "W=A*2; Y=A; k=1; while k<=width(W), Y=Y*0.9+k; k=k+1; end",
    "over what is written": "Z=zeros(60,40); Y=A; k=1; while k<=size(Z,2), Z(:,k)=Y(:,1); Y=Y*0.9; "
    "k=k+1; end",
    "down to a size": "Y=A; k=numel(v); while k>=-size(v,1), Y=Y*0.9+k; k=k-1; end",
    "fractions moved first": "Y=A; k=1; while k>-1.05, k=k-0.1; Y=Y*0.9+k; end",
}
NOT_COUNTED = {
    "twice": "Y=A; k=1; while k<=12, Y=Y*0.9; if k>3, k=k+1; end, k=k+1; end",
    "moved twice": "Y=A; k=0; while k<12, k=k+1; Y=Y*0.9+k; k=k+1; end",
    "by what changes": "Y=A; k=0; s=1; while k<12, Y=Y*0.9+k; s=s*1.1; k=k+s; end",
    "never equal": "Y=A; k=0; while k~=9, Y=Y*0.9+k; if k>20, break, end, k=k+2; end",
    "not once more": "Y=A; k=1; while k<=1, Y=Y*0.9+k; k=k+1; end",
    "a bound that moves": "Y=A; k=1; n=9; while k<=n, Y=Y*0.9; n=n-1; k=k+1; end",
    "left": "Y=A; k=1; while k<=1e6, Y=Y*0.9; if k==9, break; end, k=k+1; end",
    "an array that grows": "Z=zeros(1,12); Y=A; k=1; while k<=numel(Z), if k<30, Z(k+1)=k; end, "
    "Y=Y*0.9; k=k+1; end",
    "an array that is replaced": "Z=0; Y=A; k=1; while k<=numel(Z), Z=Y(1,:); Y=Y*0.9; k=k+1; end",
    "a variable that looks like a size": "numel=[30 3]; n=1; Y=A; k=1; while k<=numel(n), Y=Y*0.9; "
    "k=k+1; end",
    "on values": "Y=A; k=1; while sum(Y(:))>1, Y=Y*0.9; k=k+1; end",
}
REDUCING = {
    "sums of columns": "W=B; for t=1:20, e=sum(A.*W,1); W=W-0.01*A.*e; end",
    "centred": "W=B; for t=1:20, W=W-mean(W); end",
    "largest": "Y=B; for t=1:20, Y=max(Y-0.01*max(Y,[],1),-1); end",
}


@pytest.mark.sweep
@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("program", CAPTURED.values(), ids=CAPTURED)
def test_elements_are_the_same_bit_by_bit(program: str, provider: str) -> None:
    assert compared(program, provider).captured


@pytest.mark.sweep
@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("program", COUNTED.values(), ids=COUNTED)
def test_while_with_a_counter(program: str, provider: str) -> None:
    assert compared(program, provider).captured


@pytest.mark.parametrize("program", NOT_COUNTED.values(), ids=NOT_COUNTED)
def test_other_while_loops_go_on_in_the_ordinary_way(program: str) -> None:
    """On a device some of them run ahead (`test_loops_ahead`)."""
    assert not compared(program, "inprocess").captured
    compared(program, "null")


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("program", REDUCING.values(), ids=REDUCING)
def test_reductions_in_every_trip(program: str, provider: str) -> None:
    assert compared(program, provider, exact=False).captured


def test_a_function_that_is_named_like_a_size_is_asked_as_often_as_before(tmp_path: Any) -> None:
    (tmp_path / "numel.m").write_text("function n = numel(v)\nn = 12; disp('asked');\nend\n")
    program = f"addpath('{tmp_path}'); Y=A; k=1; while k<=numel(v), Y=Y*0.9+k; k=k+1; end"
    found = compared(program, "null")
    assert found.shown.count("asked") == 13
    assert not found.captured


FUNCTIONS = {
    "f": "function [Y,t,n] = f(A,B,T)\nY=A; n=0;\nfor t=1:T\n  Y=0.9*Y+g(B,t); n=n+1;\nend\nend\n"
    "function z = g(B,t)\nz=B/t;\nend\n",
    "w": "function [Y,k] = w(A,n)\nY=A; k=0;\nwhile k<n\n  Y=Y*0.5+k;\n  k = k+1;\nend\nend\n",
    "h": "function Y = h(A)\nY=A;\nfor k=1:30\n  Y=Y+A(:,1);\n"
    "  if sum(Y(:)) < 0, Y=0; end\nend\nend\n",
}


@pytest.mark.parametrize("provider", PROVIDERS)
def test_functions_with_their_own_variables(provider: str, tmp_path: Any) -> None:
    for name, text in FUNCTIONS.items():
        (tmp_path / f"{name}.m").write_text(text)
    program = f"addpath('{tmp_path}'); [Y,t,n]=f(A,B,25); a=f(S,S,9); [b,k]=w(A,13);"
    assert compared(program, provider).captured == 2
    refused = compared(f"addpath('{tmp_path}'); Y=h(A);", provider)
    assert [note.at for note in refused.notes] == [5]


#: Variables that are only assigned in inner loops, which may have no trips.
NESTED = {
    "nested": "function W = nested(W, x)\nfor t=1:12\n for j=1:2\n  W = 0.9*W + j*x(3,t);\n end\n"
    "end\nend\n",
    "calling": "function W = calling(W, x)\nfor t=1:12, W = held(W, 2); end\nend\n"
    "function x = held(x, n)\nfor t=1:n\n x = 0.9*x + t;\nend\nend\n",
}


@pytest.mark.parametrize("name", NESTED)
def test_inner_loops_of_functions(name: str, tmp_path: Any) -> None:
    (tmp_path / f"{name}.m").write_text(NESTED[name])
    found = compared(f"addpath('{tmp_path}'); W={name}(A,x); W={name}(W,x);", "null")
    # the second run is captured as a whole
    assert [note.trips for note in found.notes if note.line == 2][:1] == [12]


def test_a_run_of_the_loop_is_a_few_kernels() -> None:
    for trips in (20, 200):
        made = session("null")
        made.run(f"{SETUP} Y=A; for t=1:{trips}, Y=0.9*Y+B; end, s=sum(Y(:)); clear Y")
        assert made["s"] is not None
        engine = made.interp.seat.engine  # type: ignore[union-attr]
        # the first trip, those in the middle, and the sum over the last
        assert engine.counters.launches == 3
        assert [note.trips for note in engine.loops.notes.values()] == [trips - 1]


def test_further_runs_do_not_trace_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    from runmat_core.accel.loops import attempt

    traced: list[int] = []
    original = attempt.tracing.trace

    def counting(*given: Any) -> Any:
        traced.append(1)
        return original(*given)

    monkeypatch.setattr(attempt.tracing, "trace", counting)
    (tmp_path / "walk.m").write_text(
        "function y = walk(A,k)\nY=A;\nfor t=1:20\n Y=0.9*Y+k*rand(60,50);\nend\n"
        "y=sum(Y(:));\nend\n"
    )
    made = session("null")
    made.run(SETUP + f"addpath('{tmp_path}');")
    assert made["A"].shape == (60, 50)  # computed now, and not with the first loop
    results, plans = [], []
    for seed, k in ((1, 1), (2, 1), (1, 2), (2, 2), (1, 1)):
        made.run(f"rng({seed}); y = walk(A,{k});")
        results.append(made["y"])
        plans.append(made.interp.seat.engine.counters.plans_made)  # type: ignore[union-attr]
    # for each scalar one after the first trip, and one of the whole loop
    assert len(traced) == 4
    assert plans[3] == plans[4]
    assert results[0] == results[4]
    assert len(set(results)) == 4


@pytest.mark.parametrize("trips", [0, 1, 2, 4, 5, 6])
def test_few_trips(trips: int) -> None:
    compared(f"Y=A; t=-1; for t=1:{trips}, Y=0.9*Y+B; end", "null")


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("first", ["B", "A", "A-0.001", "[A(:,1:49) A(:,50)*0-1]"])
def test_a_guard_that_fires_runs_the_loop_by_host_rules(first: str, provider: str) -> None:
    program = f"Y={first}; for t=1:11, Y=sqrt(Y)-0.02*t; end"
    found = compared(program, provider, exact=False)
    assert found.captured


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_guard_that_fires_in_a_value_beside(provider: str) -> None:
    compared("Y=A+3; for t=1:21, Y=Y-0.2; Z=sqrt(Y); end", provider, exact=False)


def test_what_nobody_reads_is_not_computed() -> None:
    made = session("null")
    made.run(SETUP + "Y=A; for t=1:20, Y=0.9*Y+B; end, clear Y")
    assert made.interp.seat.engine.counters.launches == 0  # type: ignore[union-attr]


def test_verification_runs_both_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    from runmat_core.accel.loops import commit

    monkeypatch.setenv("RUNMAT_VERIFY_LOOPS", "1")
    program = SETUP + "Y=A; for t=1:20, Y=0.9*Y+rand(60,50); end, y=sum(Y(:));"
    session("null").run(program)
    # a captured loop that does one trip less
    original = commit.Commit.__init__

    def shorter(self: Any, graph: Any, captured: Any, values: Any, trips: int, *more: Any) -> None:
        original(self, graph, captured, values, trips - 1, *more)

    monkeypatch.setattr(commit.Commit, "__init__", shorter)
    with pytest.raises(Exception, match="after the loop"):
        session("null").run(program)


def test_another_path_another_trace(tmp_path: Any) -> None:
    made = session("null")
    made.run(SETUP)
    for value in ("1", "2"):
        folder = tmp_path / value
        folder.mkdir()
        (folder / "step.m").write_text(f"function y = step(x)\ny = x + {value};\nend\n")
        made.run(f"addpath('{folder}'); Y=A*0; for t=1:9, Y=step(Y); end")
        assert np.asarray(made["Y"]).max() == 9 * int(value)


def test_sinks_between_and_after_loops() -> None:
    program = "Y=A; for t=1:9, Y=0.9*Y+B; end, {} for t=1:9, Z=Y.*B; Y=Y-Z; end, {}"
    plain = Outcome(program.format("", ""), "null", True)
    for first in ("s=sum(Y(:)); disp(s>0);", "Y(3,4);", "q=Y;"):
        for last in ("disp(numel(Z));", "z=Z(2);"):
            found = Outcome(program.format(first, last), "null", True)
            for name in "YZ":
                np.testing.assert_array_equal(found.values[name], plain.values[name])
            same(found, Outcome(program.format(first, last), "null", False), True)


PIECES = ["carried array", "column that moves", "row written", "an odd count", "downwards"]


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("name", PIECES)
def test_long_loops_are_divided(name: str, provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Outcome(CAPTURED[name], provider, True)
    monkeypatch.setattr("runmat_core.accel.running.loop_registry.SECONDS", 1e-9)
    found = compared(CAPTURED[name], provider)
    assert found.captured
    assert found.engine.counters.launches > whole.engine.counters.launches + 3
    same(found, whole, exact=True)


def test_an_interrupt_leaves_the_variables_to_be_computed_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from runmat_inprocess.trips import Trips

    made = session("inprocess")
    made.run(SETUP + "Y=A; for t=1:20, Y=0.9*Y+B; end")
    original = Trips.run
    calls: list[int] = []

    def interrupted(self: Any, call: Any, pool: Any) -> None:
        original(self, call, pool)
        calls.append(1)
        if len(calls) == 1:
            raise KeyboardInterrupt

    monkeypatch.setattr(Trips, "run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        made.run("s = sum(Y(:)); disp(s)")
    made.run("s = sum(Y(:)); Z = Y;")
    expected = session("inprocess", loops=False)
    expected.run(SETUP + "Y=A; for t=1:20, Y=0.9*Y+B; end")
    np.testing.assert_array_equal(made["Z"], expected["Y"])
    assert made["t"] == 20


def test_an_interrupt_of_the_attempt_leaves_what_the_first_trip_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from runmat_core.accel.loops import commit

    def interrupted(self: Any, *given: Any) -> None:
        raise KeyboardInterrupt

    made, expected = session("null"), session("null", loops=False)
    with monkeypatch.context() as patched:
        patched.setattr(commit.Commit, "_piece", interrupted)
        made.run(SETUP)
        with pytest.raises(KeyboardInterrupt):
            made.run("Y=A; for t=1:20, Y=0.9*Y+rand(60,50); end")
    made.run("q=rand(3);")
    expected.run(SETUP + "Y=A; for t=1:1, Y=0.9*Y+rand(60,50); end, q=rand(3);")
    for name in "Ytq":
        np.testing.assert_array_equal(made[name], expected[name])


def test_arrays_that_the_program_put_on_the_device_stay_there() -> None:
    program = (
        "G=gpuArray(A); H=A; for t=1:12, G=0.9*G+1; H=H*0.5; q=isgpuarray(G); K=G.*B; L=H+1; end,"
        "p=[isgpuarray(G) isgpuarray(H) isgpuarray(K) isgpuarray(L) q];"
        "Z=gpuArray(zeros(60,40)); u=gpuArray(x(:,1)); for t=1:40, u=u+x(:,t); Z(:,t)=u; end,"
        "r=[isgpuarray(u) isgpuarray(Z)]; G=gather(G); K=gather(K); u=gather(u); Z=gather(Z);"
    )
    found = compared(program, "null")
    np.testing.assert_array_equal(found.values["p"], [[1, 0, 1, 0, 1]])
    assert found.captured


def test_other_providers_other_traces() -> None:
    made = session("null")
    made.run(SETUP + "Y=A; for t=1:12, Y=0.9*Y; end")
    engine = made.interp.seat.engine  # type: ignore[union-attr]
    assert engine.loops.kept
    engine.use(engine.config)
    assert not engine.loops.kept


def test_long_loops_that_are_always_refused_are_left_alone_in_the_end() -> None:
    # a sieve: the inner loop writes single elements, with another step each time
    program = (
        "p=true(1,30000); for i=2:99, if p(i), j=i*i; while j<=30000, p(j)=false; j=j+i; end, end, "
        "end, Y=sum(p);"
    )
    found = compared(program, "null")
    assert found.engine.loops.captured == 0
    traced: dict[Any, int] = found.engine.loops._traced
    assert max(traced.values()) == loop_registry.REFUSALS


def test_short_loops_with_other_scalars_each_time_are_left_alone_in_the_end() -> None:
    program = "Y=A; for k=1:{}, for t=1:{}, Y=Y*0.9+k; end, if k>100, return, end, end"
    found = compared(program.format(12, 9), "null")
    assert "its scalars or sizes differ in every run" in found.reasons
    assert found.engine.loops.captured == 8
    found = compared(program.format(11, 300), "null")
    assert found.engine.loops.captured == 11
