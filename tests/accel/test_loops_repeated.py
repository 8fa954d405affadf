"""Loops whose trips are several kernels or library calls: one node for any number of trips."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from runmat_bench.cases import PROGRAMS as CASES
from runmat_bench.implementations import metrics, numpy_cases

from runmat_core.accel.graph.rules import pending_below
from runmat_core.api.device import Copy, Launch, Repeat
from tests.accel.loops import SETUP, Outcome, compared, same, session
from tests.accel.machine import recorder

PROVIDERS = ("inprocess", "null", "wgpu")
WITH = "G=rand(60)/30; "
REPEATED = {
    "product": "Y=A; for t=1:12, Y=G*Y; end",
    "an even number": "Y=A; for t=1:13, Y=G*Y; end",
    "product and scaling": "Y=A; for t=1:12, Y=G*Y; Y=Y./max(Y,[],'all'); end",
    "sum of all": "Y=A; for t=1:12, Y=Y-mean(Y,'all'); end",
    "norm": "Y=A; for t=1:12, Y=G*Y; Y=Y/norm(Y,'fro'); end",
    "symmetric product": "Y=A; for t=1:12, K=Y'*Y; Y=Y*K; Y=Y/norm(Y,'fro'); end",
    "running sums": "Y=A; for t=1:12, Y=cumsum(Y)/60; end",
    "column that moves": "q=x(:,1); W=A; for t=1:40, q=G*q+x(:,t); W=W+q; end",
    "column to multiply": "q=x(:,1); W=A; for t=2:40, q=0.5*q+G*x(:,t-1); W=W+q; end",
    "column written": "q=x(:,1); W=A; Z=zeros(60,40); for t=1:40, q=G*q; Z(:,t)=q; W=W-q; end",
    "row written": "W=A; Z=zeros(40,50); for t=1:40, W=G*W; Z(t,:)=W(3,:); end",
    "numbers written": "W=A; m=zeros(1,40); for t=1:40, W=G*W; m(t)=sum(W(:)); end",
    "loop variable": "Y=A; for t=1:12, Y=G*Y+t; end",
    "downwards": "Y=A; for t=12:-2:-7, Y=G*Y+t*B; end",
    "single and loop variable": "Y=S; H=single(G); for t=1:12, Y=H*Y+t; end",
    "uniform numbers": "Y=A; for t=1:20, Y=G*Y+rand(60,50); end, q=rand(2,2);",
    "normal numbers": "Y=A; for t=1:20, Y=G*Y+rand(60,50).*randn(60,50); end, q=rand(2,2);",
    "an odd count": "Y=S(1:2999); for t=1:21, Y=Y-mean(Y)+rand(1,2999,'single'); end, q=rand(2);",
    "swap": "a=A; b=B; for t=1:11, c=a; a=G*b; b=c; end",
    "handed on": "a=A; b=B; c=A; for t=1:11, d=G*(a+b); c=a; a=b; b=d; end",
    "two from one": "a=A; b=B; for t=1:11, c=G*(a+b); a=c; b=c; end",
    "one that another becomes": "a=A; b=B; for t=1:11, q=b+1; a=cumsum(a)/60; b=a; end",
    "read after it was written": "a=A; b=B; for t=1:11, c=a; a=G*a; b=b-c.*a; end",
    "scalars": "Y=A; s=0; n=1; for t=1:11, Y=G*Y; s=s+sum(Y(:)); n=n+1; end",
    "constant again": "Y=A; z=1; for t=1:11, Y=G*Y+z; z=5; end",
    "mask": "Y=B; K=B>0; for t=1:11, Y=G*Y.*K; K=Y>mean(Y,'all'); end",
    "elements by a mask": "Y=B; for t=1:11, Y=G*Y; Y(Y>mean(Y,'all'))=0.5; end",
    "columns of an array": "Y=A; for c=x, Y=G*Y+c; end",
    "counting while": "Y=A; k=1; while k<=12, Y=G*Y+k; k=k+1; end",
    "nothing else than a call": "a=A; for t=1:11, a=cumsum(a)/60; end",
}


#: On an adapter every program takes a second.
ON_AN_ADAPTER = ("product", "column to multiply", "row written", "normal numbers", "swap", "mask")


@pytest.mark.sweep
@pytest.mark.parametrize("provider", ["inprocess", "null"])
@pytest.mark.parametrize("program", REPEATED.values(), ids=REPEATED)
def test_what_is_left_behind_is_the_same(program: str, provider: str) -> None:
    assert compared(WITH + program, provider, exact=False).captured


@pytest.mark.parametrize("name", ON_AN_ADAPTER)
def test_on_an_adapter(name: str) -> None:
    assert compared(WITH + REPEATED[name], "wgpu", exact=False).captured


CALLS = {
    "qr": "G=A*A'; Q=A; for t=1:12, Q=G*Q; [Q,~]=qr(Q,0); end",
    "qr with its factor": "G=A*A'; Q=G; for t=1:12, Q=G*Q; [Q,R]=qr(Q,0); end",
    "sort": "Y=B; for t=1:12, Y=sort(Y+0.1*randn(60,50)); end",
}


#: Calls that guard: whether all is well is asked once, for all trips.
GUARDING = {
    "solve": "H=rand(60)+5*eye(60); Y=A; for t=1:11, Y=H\\Y; Y=Y/max(abs(Y(:))); end",
    "divide": "H=rand(50)+5*eye(50); Y=A; for t=1:11, Y=Y/H; Y=Y/max(abs(Y(:))); end",
    "chol": "H=A*A'/50+60*eye(60); Y=A; for t=1:11, R=chol(H); Y=R'\\Y; H=H+eye(60); end",
    "chol that nobody reads": "H=A*A'+60*eye(60); for t=1:11, R=chol(H); R=1; H=H+t; end",
    "inv": "H=rand(60)+5*eye(60); for t=1:11, H=inv(H)+eye(60)*4; end",
    "det": "H=rand(60)/8; Y=A; for t=1:11, d=det(H); H=H*0.99; Y=Y+d; end",
    "least squares": "Y=A; c=B(:,1); for t=1:11, z=Y\\c; c=c-0.1*(Y*z); Y=Y+0.01; end",
    "svd": "Y=A(:,1:12); for t=1:11, s=svd(Y); Y=Y/s(1); end",
    "eigenvalues": "H=A(1:16,:)*A(1:16,:)'; H=H+H'; for t=1:9, e=eig(H); H=H/e(16); H=H+H'+t; end",
    "singular vectors": "Y=A(:,1:12); for t=1:11, [U,W,V]=svd(Y,'econ'); Y=U*V'+0.1; end",
}
SPEAKS = "a library call has something to say"
#: Calls that warn or raise an error in some trip: the loop runs step by step.
SPEAKING = {
    "no factor in the end": "H=A*A'+3*eye(60); Y=A; k=0;\nfor t=1:11\n H=H-eye(60);\n"
    " R=chol(H);\n Y=Y+1;\n k=t;\nend",
    "singular": "H=A(:,1:50)'*A; Y=A'; for t=1:11, H(:,1)=H(:,2)*min(t-1,1); Y=H\\Y; end",
    "singular, unread": "H=A*A'; Y=A; for t=1:11, Y=Y+1; w=H\\Y; w=0; H(:,3)=0; end",
}


@pytest.mark.sweep
@pytest.mark.parametrize("provider", ["null", "wgpu"])
@pytest.mark.parametrize("program", GUARDING.values(), ids=GUARDING)
def test_calls_that_guard(program: str, provider: str) -> None:
    found = compared(program, provider, exact=False)
    assert found.captured
    assert not found.engine.counters.guards_fired


@pytest.mark.sweep
@pytest.mark.parametrize("provider", ["null", "wgpu"])
@pytest.mark.parametrize("program", SPEAKING.values(), ids=SPEAKING)
def test_errors_and_warnings_of_calls_come_step_by_step(
    program: str, provider: str, tmp_path: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "p.m").write_text(program)
    outcomes, texts = [], []
    for loops in (True, False):
        outcomes.append(Outcome(f"run('{tmp_path}/p.m')", provider, loops))
        texts.append("".join(capfd.readouterr()))
    found, expected = outcomes
    same(found, expected, exact=False)
    assert found.reasons == [SPEAKS]
    assert texts[0] == texts[1]
    assert found.error is not None or "Warning" in texts[0] + found.shown


def test_what_had_something_to_say_is_not_tried_again(tmp_path: Any) -> None:
    (tmp_path / "p.m").write_text(
        "function Y = p(H,Y)\nfor t=1:9\n Y=H\\Y;\n Y=Y/max(abs(Y(:)));\nend\nend\n"
    )
    made = session("null")
    made.run(f"{SETUP} addpath('{tmp_path}'); warning('off','all'); H=ones(60);")
    engine = made.interp.seat.engine  # type: ignore[union-attr]
    fired = []
    for _ in range(3):
        made.run("Y=p(H,A); Y=p(H,A);")
        fired.append(engine.counters.guards_fired)
    assert engine.loops.captured == 0
    # the first attempt, and then each step by itself
    assert fired[2] - fired[1] == fired[1] - fired[0]


#: Arrays whose parts follow from other parts of them.
RECURRENT = {
    "from the column before": "Z=rand(60,40); for t=2:40, Z(:,t)=0.5*Z(:,t-1)+0.1; end",
    "from two before": "U=rand(60,40); for t=3:40, U(:,t)=0.6*U(:,t-1)-0.2*U(:,t-2); end",
    "by a product": "U=x; L=0.9*eye(60); for t=1:39, U(:,t+1)=L*U(:,t)+0.1*U(:,1); end",
    "rows": "U=rand(40,60); for t=2:40, U(t,:)=cumsum(U(t-1,:))/60; end",
    "downwards": "U=x; for t=39:-1:1, U(:,t)=U(:,t)+0.5*U(:,t+1); end",
    "all of it": "Z=zeros(60,40); Y=A; for t=1:39, Z(:,t)=x(:,t)+mean(Z,2); Y=Y+1; end",
    "two of them": "Z=x; V=x+1; for t=2:40, a=Z(:,t-1); b=V(:,t-1); Z(:,t)=a+0.1*b;"
    " V(:,t)=b-0.1*a; end",
    "pages": "P=rand(30,20,40); for t=2:40, P(:,:,t)=0.5*P(:,:,t-1)+P(:,:,t); end",
    "numbers": "Y=A; c=zeros(1,3000); c(1)=1; for t=2:60, c(t)=c(t-1)*0.9; Y=Y*c(t-1); end",
    "read when it was written": "Z=x; w=x(:,1); for t=2:40, Z(:,t)=0.5*w; w=w+Z(:,t); end",
    "carried and read": "Z=x; w=x(:,1); for t=2:40, Z(:,t)=w; w=0.5*Z(:,t)+Z(:,t-1); end",
    "complex": "Z=x+1i; for t=2:40, Z(:,t)=0.5i*Z(:,t-1); end",
}


@pytest.mark.sweep
@pytest.mark.parametrize("provider", ["inprocess", "null"])
@pytest.mark.parametrize("program", RECURRENT.values(), ids=RECURRENT)
def test_parts_that_follow_from_others(program: str, provider: str) -> None:
    assert compared(program, provider, exact=False).captured


@pytest.mark.parametrize("name", ["by a product", "rows", "two of them", "pages"])
def test_parts_that_follow_from_others_on_an_adapter(name: str) -> None:
    assert compared(RECURRENT[name], "wgpu", exact=False).captured


@pytest.mark.parametrize("provider", ["inprocess", "null"])
@pytest.mark.parametrize("name", ["from two before", "downwards", "pages"])
def test_recurrences_are_divided(name: str, provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runmat_core.accel.running.loop_registry.SECONDS", 1e-9)
    assert compared(RECURRENT[name], provider, exact=False).captured


COMPLEX = {
    "carried": "Z=A+1i*B; for t=1:12, Z=Z.*(0.9+0.1i)+0.1; end",
    "beside a real one": "C=A+1i*B; Z=C; Y=A; for t=1:12, Z=Z*0.5i+C; Y=Y+abs(Z); end",
    "product": "G=(rand(60)+1i*rand(60))/60; Z=A+0i; for t=1:12, Z=G*Z; end",
    "real from the second step on": "Z=A+1i*B; for t=1:12, Z=Z.*conj(Z); end",
    "branch cuts": "Z=A+1i*B; for t=1:12, Z=sqrt(Z)-0.5; end",
    "functions and sums": "Z=A+1i*B; for t=1:12, Z=exp(Z*0.1i).*v(t); s=sum(abs(Z(:))); end",
    "single": "Z=S+1i*S; for t=1:12, Z=Z*(0.5-0.5i)+S; end",
    "columns": "q=x(:,1)+1i; Z=zeros(60,40)+1i; W=A; for t=1:40, q=q*0.9i; Z(:,t)=q; W=W+1; end",
    "moving parts": "C=x+1i; q=C(:,1); W=A; for t=1:40, q=0.5i*q+C(:,t); W=W+abs(q); end",
    "scalars": "Z=A; c=0.5+0.5i; k=1i; for t=1:12, Z=Z*c; k=k*0.5; end",
    "beside sums": "Z=B+1i*A; Y=A; for t=1:9, Y=0.01*sum(Y,1).*Y+0.1; Z=sqrt(Z)+0.1i*Y; end",
    "beside sums of singles": "Z=S+1i; Y=S; for t=1:9, Y=0.01*sum(Y,1).*Y+0.1; Z=sqrt(Z)+Y; end",
    "turns complex in the first step": "Z=A-0.5; for t=1:12, Z=sqrt(Z); end",
}
TRANSFORMS = {
    "of real numbers": "Q=B; for t=1:12, F=fft(Q); Q=real(ifft(F.*exp(-abs(F)))); end",
    "split steps": "Z=A+1i*B; p=exp(1i*A); for t=1:12, Z=ifft(fft(Z).*p); Z=p.*Z; end",
}


@pytest.mark.parametrize("provider", ["inprocess", "null"])
def test_library_calls_of_the_variable_in_the_last_trip(provider: str) -> None:
    program = "w=rand(1,4000); Y=A; for t=1:12, w(t+(0:2999))=t; Y=Y*0.9; end, z=w(12);"
    assert compared(program, provider).captured


@pytest.mark.sweep
@pytest.mark.parametrize("provider", ["inprocess", "null"])
@pytest.mark.parametrize("program", COMPLEX.values(), ids=COMPLEX)
def test_complex_variables(program: str, provider: str) -> None:
    assert compared(program, provider, exact=False).captured


ON_ADAPTERS = ["product", "branch cuts", "single", "moving parts"]


@pytest.mark.sweep(2)
@pytest.mark.parametrize("name", [*ON_ADAPTERS, "beside sums", "beside sums of singles"])
def test_complex_variables_on_an_adapter(name: str) -> None:
    found = compared(COMPLEX[name], "wgpu", exact=False)
    assert found.captured
    assert found.engine.counters.by_rules == 0


@pytest.mark.parametrize("provider", ["null", "wgpu"])
@pytest.mark.parametrize("program", TRANSFORMS.values(), ids=TRANSFORMS)
def test_transforms(program: str, provider: str) -> None:
    assert compared(program, provider, exact=False).captured


@pytest.mark.parametrize("provider", ["null", "wgpu"])
@pytest.mark.parametrize("program", CALLS.values(), ids=CALLS)
def test_library_calls(program: str, provider: str) -> None:
    assert compared(program, provider, exact=False).captured


PCA = {"n": 300, "d": 48, "k": 4, "cls": "single", "source": "lcg"}


@pytest.mark.parametrize("provider", ["null", "wgpu"])
def test_subspace_iteration_is_one_repeat(provider: str) -> None:
    expected = numpy_cases.pca(**PCA)
    for loops in (True, False):
        made = session(provider, loops)
        for name, value in PCA.items():
            made[name] = float(value) if isinstance(value, int) else value
        got = metrics(made.capture_file(CASES / "pca.m"))
        np.testing.assert_allclose(got, expected, rtol=1e-4)
        engine = made.interp.seat.engine  # type: ignore[union-attr]
        if loops:
            (note,) = engine.loops.notes.values()
            assert (note.trips, note.reason) == (14, "")
        assert engine.counters.by_rules == 0


def repeats(trips: int) -> tuple[int, list[Repeat]]:
    """How many nodes a variable is made of after a loop, and what the device was to repeat."""
    made = session("null")
    made.run(f"{SETUP} G=A*A'; Q=A; for t=1:{trips}, Q=G*Q; [Q,~]=qr(Q,0); end, s=sum(Q(:));")
    engine = made.interp.seat.engine  # type: ignore[union-attr]
    nodes = len(pending_below([made.interp.variables["Q"].promise.node]))
    assert made["s"] is not None
    requests = [request for hook, request in recorder(engine).requests if hook == "execute"]
    steps = [step for request in requests for step in request.steps]
    return nodes, [step for step in steps if isinstance(step, Repeat)]


def test_the_graph_does_not_grow_with_the_number_of_trips() -> None:
    (few, (short,)), (many, (long,)) = repeats(10), repeats(200)
    assert few == many
    assert (short.count, long.count) == (8, 198)
    assert [step.label for step in short.steps] == [step.label for step in long.steps]
    assert [step.label for step in short.steps if isinstance(step, Launch)] == ["matmul", "qr"]
    # the product reads what the factorisation then writes: nothing has to change places
    assert not short.rotation
    assert not any(isinstance(step, Copy) for step in short.steps)


def test_memory_of_a_trip_serves_all_of_them() -> None:
    peaks = []
    for trips in (6, 60):
        made = session("null")
        made.run(SETUP + WITH)
        made.run(f"Y=A; for t=1:{trips}, Y=G*Y; Y=Y-mean(Y(:)); end, s=Y(3,4);")
        engine = made.interp.seat.engine  # type: ignore[union-attr]
        peaks.append(recorder(engine).peak_bytes)
    assert peaks[0] == peaks[1]


PIECES = ["product", "column that moves", "row written", "an odd count", "downwards"]


@pytest.mark.sweep
@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("name", PIECES)
def test_long_loops_are_divided(name: str, provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = WITH + REPEATED[name]
    whole = Outcome(program, provider, True)
    monkeypatch.setattr("runmat_core.accel.running.loop_registry.SECONDS", 1e-9)
    found = compared(program, provider, exact=False)
    assert found.captured
    # bit by bit, for the units of a trip are the same
    same(found, whole, exact=True)


@pytest.mark.parametrize("provider", ["inprocess", "null"])
@pytest.mark.parametrize("first", ["B", "A", "A-0.01"])
def test_a_guard_that_fires_runs_the_loop_by_host_rules(first: str, provider: str) -> None:
    program = f"{WITH} Y={first}; for t=1:11, Y=sqrt(G*Y); end"
    compared(program, provider, exact=False)


@pytest.mark.parametrize(
    ("program", "line"),
    [
        ("Y=A;\nfor t=1:50\n  Y=G*Y;\n  Y=Y+x(:,t);\nend", 4),
        ("Y=A;\nfor t=1:9\n  Y=G*Y;\n  q=ones(2,t)*ones(3,1);\nend", 4),
    ],
)
def test_errors_on_their_own_lines(program: str, line: int, tmp_path: Any) -> None:
    (tmp_path / "p.m").write_text(program)
    found = compared(f"{WITH} run('{tmp_path}/p.m')", "null")
    assert found.error is not None
    assert found.error[2] == line


def test_what_the_provider_does_not_have_is_told() -> None:
    found = compared("G=A*A'; for t=1:11, [U,T]=schur(G); G=T+1; end", "null", exact=False)
    assert not found.captured
    assert all(reason for reason in found.reasons)


def test_an_interrupt_leaves_the_variables_to_be_computed_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from runmat_inprocess.provider import InprocessProvider

    program = WITH + REPEATED["product"]
    made = session("inprocess")
    made.run(SETUP + program)
    original = InprocessProvider._step
    calls: list[int] = []

    def interrupted(self: Any, *given: Any) -> None:
        calls.append(1)
        if len(calls) == 5:
            raise KeyboardInterrupt
        original(self, *given)

    monkeypatch.setattr(InprocessProvider, "_step", interrupted)
    with pytest.raises(KeyboardInterrupt):
        made.run("s = sum(Y(:)); disp(s)")
    made.run("s = sum(Y(:)); Z = Y;")
    expected = session("inprocess", loops=False)
    expected.run(SETUP + program)
    np.testing.assert_allclose(made["Z"], expected["Y"], rtol=1e-12)
