"""Loops whose bodies look at elements of arrays that they only read, and stores that convert."""

from __future__ import annotations

import pytest

from tests.accel.loops import compared, session

CAPTURED = {
    "shifts from a list": "c=[1 -2]; Y=A; for t=1:9, for i=1:2, Y=circshift(Y,c(i))*2; end, end",
    "a weight that is looked at": "w=[0 2]; Y=A; for t=1:9, if w(2)>1, Y=Y+t; end, end",
    "neighbours on a ring": "u=[60 1:59]; d=[2:60 1]; Y=A; for t=1:9, Y=(Y(u,:)+Y(d,:))/2; end",
    "both axes": "u=[60 1:59]; l=[2:50 1]; Y=A; for t=1:9, Y=(Y(u,l)+Y(:,l)+Y(u,:))/3; end",
    "edges repeated": "e=[1 1:59]; f=[2:60 60]; Y=A; for t=1:9, Y=Y(e,:)-Y(f,:)+0.1; end",
    "backward and strided": "p=[59:-2:1 2:2:60]; Y=A; for t=1:9, Y=Y(p,:)*0.9; end",
    "a permutation": "p=mod((0:59)*7,60)+1; Y=A; for t=1:9, Y=Y(p,:)*0.9; end",
    "of a vector": "p=[60 1:59]; q=mod((0:59)*7,60)+1; y=A(:,1); for t=1:9, y=y(p)+y(q)/2; end",
    "of a row": "p=[50 1:49]; y=A(1,:); Y=A; for t=1:9, y=y(p)*0.9; Y=Y+y; end",
    "elements in another order": "p=[2:3000 1]; Y=A; for t=1:9, Y=Y+1; Y(:,1)=Y(p(1:60)); end",
    "by one list": "p=[41:60 1:40]; y=x; for t=1:9, y=y+x(p,1); end",
    "doubles from singles": "m=zeros(9,1); Y=S; for t=1:9, Y=Y*0.9; m(t)=mean(Y(:)); end",
    "singles from doubles": "Y=S; for t=1:9, Y(:,t)=A(:,t)*2+t; end",
    "singles from logicals": "Y=S; for t=1:9, Y(2:end-1,3)=A(2:end-1,3)>0.1*t; Y=Y*0.5; end",
    "a mask converts": "Y=S; m=S>0.5; for t=1:9, Y(m)=A(m)*0.3+t; end",
}


@pytest.mark.parametrize("provider", ["inprocess", "null"])
@pytest.mark.parametrize("name", CAPTURED)
def test_results_are_those_of_single_steps(name: str, provider: str) -> None:
    found = compared(CAPTURED[name], provider, exact=False)
    if provider == "null":
        assert found.captured >= 1, found.reasons


def test_other_elements_are_other_constants() -> None:
    """The same loop with a list that was changed where it lies, and with another one."""
    body = "Y=A; for t=1:9, for i=1:2, Y=circshift(Y,c(i))*0.9; end, end, r=r+sum(Y(:).*B(:));"
    program = f"r=0; c=[1 2];\n{body}\nc(2)=5;\n{body}\nc=[3 3];\n{body}\nc=[1 2];\n{body}"
    program = program.replace("\n", "\n ")
    looped = f"r=0;\nfor k=1:6\n c=[1 2];\n if k==3, c=[4 1]; end\n c(1)=k;\n {body}\nend"
    for text in (program, looped):
        assert compared(text, "null", exact=False).captured >= 1


@pytest.mark.parametrize("sub", ["[2:61 1]", "[1:10 0]", "[1.5 2:9]"])
def test_what_is_no_subscript_is_the_error_that_it_is(sub: str) -> None:
    program = f"p={sub}; Y=A;\nfor t=1:9\n Y=Y*0.9;\n Y=Y(p,:); if t==5, z=t; end\nend"
    assert compared(program, "null", exact=False).error is not None


@pytest.mark.parametrize("position", range(4))
@pytest.mark.parametrize("sink", ["disp(sum(Y(:))>0)", "q=Y(3,4);", "n=numel(Y(Y>0.5));"])
def test_statements_that_ask_for_elements_anywhere(sink: str, position: int) -> None:
    lines = ["u=[60 1:59]; w=[1 3]; Y=A;", "for t=1:8", " Y=(Y(u,:)+circshift(Y,w(2)))/2;"]
    lines += [" Y=Y+rand(60,50)*0.01;", "end", "Z=Y*2;"]
    at = [1, 3, 4, 6][position]
    program = "\n".join([*lines[:at], sink, *lines[at:]])
    compared(program, "null", exact=False)


def test_a_list_of_many_runs_takes_no_list_of_all_places() -> None:
    """What moves for ``A(p,:)`` is the list, not a place for each element."""
    made = session("null")
    made.run("rng(1); n=400; A=rand(n); p=mod((0:n-1)*7,n)+1; Y=A*2;")
    telemetry = made.telemetry
    assert telemetry is not None
    text = "Y=A*2; for t=1:9, Y=Y(p,:)*0.9; end, s=sum(Y(:));"
    made.run(text)
    assert made["s"] > 0
    before = telemetry.totals()["upload_bytes"]
    made.run(text)
    assert made["s"] > 0
    assert telemetry.totals()["upload_bytes"] - before < 20_000
