"""Ranges that move with the variable of a loop: windows that are read, and inner loops."""

from __future__ import annotations

import pytest

from tests.accel.loops import SETUP, Outcome, same

WITH = SETUP + "w=rand(1,400); u=rand(400,1); X=rand(60,400); h=rand(32,1);"
#: What reduces adds up in another order where the emulated device runs it.
WINDOWS = {
    "sum": "Y=A; for t=32:80, Y=Y*0.9+sum(w(t-31:t)); end",
    "of a column": "Y=A; for t=32:80, Y=Y*0.9+sum(u(t-31:t).*h); end",
    "backwards": "Y=A; for t=32:80, Y=Y*0.9+sum(u(t:-1:t-31).*h); end",
    "in steps": "Y=A; for t=32:80, Y=Y*0.9+sum(w(2*t-31:3:2*t)); end",
    "up to the end": "Y=A; for t=32:80, Y=Y*0.9+sum(w(end-t:end-t+9)); end",
    "blocks": "Y=A; for t=1:20, Y=Y*0.9+sum(w((t-1)*16+1:t*16)); end",
    "a list about the variable": "Y=A; for t=32:80, Y=Y*0.9+sum(w(t+[-4 -2 0])); end",
    "a range about it": "Y=A; for t=32:80, Y=Y*0.9+sum(w((-31:0)+t)); end",
    "by a number that counts": "Y=A; n=32; for t=1:50, Y=Y*0.9+sum(w(n-31:n)); n=n+2; end",
    "means that are written": "m=zeros(1,80); Y=A; for t=9:80, m(t)=mean(w(t-8:t)); Y=Y+m(t); end",
    "of what was written": "Y=A; for t=33:80, w(t)=mean(w(t-32:t-1)); Y=Y*0.9+w(t); end",
    "in a function": "f=@(q) sum(q)*2; Y=A; for t=1:40, Y=Y*0.9+f(w(t:t+7)); end",
    "of several lengths": "Y=A; for t=1:90, if t>40, Y=Y*0.9+sum(w(t:t+3)); else, "
    "Y=Y*0.9+sum(w(t:t+5)); end, end",
    "complex": "c=w+1i*w; Y=A; for t=1:40, Y=Y*0.9+abs(sum(c(t:t+5))); end",
    "weights that adapt": "g=zeros(32,1); W=A; for t=32:90, q=u(t:-1:t-31); e=w(t)-g'*q; "
    "g=g+0.05*e*q; W=W*0.99+e; end",
}
EXACT = {
    "columns": "Y=X(:,1:50); for t=1:100, Y=Y*0.9+X(:,t:t+49); end",
    "rows": "Z=rand(160,50); Y=A; for t=1:100, Y=Y*0.9+Z(t:t+59,:); end",
    "both": "Y=A; for t=1:30, q=X(t:t+4,2*t:2*t+3); Y=Y*0.9+q(5,4); end",
    "one element": "Y=A; for t=32:80, Y=Y*0.9+w(t:t); end",
    "into rows": "R=zeros(40,8); Y=A; for t=1:40, R(t,:)=w(t:t+7); Y=Y*0.9; end",
    "numbers": "Y=A; for t=1:40, q=(t:t+59)'; Y=Y*0.9+q-(t-3:t+46); end",
    "written": "Y=A; for t=1:40, w(t:t+3)=t; Y=Y*0.9; end",
    "read and written": "Y=A; for t=1:80, w(t:t+3)=w(t:t+3)*2; Y=Y*0.9+w(400); end",
    "inner loop": "Y=A; for t=3:40, for j=t-2:t, Y=Y*0.9+w(j)*j; end, end",
    "inner loop downwards": "Y=A; for t=3:40, for j=t:-1:t-2, Y=Y*0.9+w(j)*X(1:50,j)'; end, end",
    "inner loop in blocks": "Y=A; for t=1:20, for j=4*t-3:4*t, Y=Y*0.9+w(j); end, end",
    "inner loop of one trip": "Y=A; for t=3:40, for j=t:t, Y=Y*0.9+w(j); end, end",
}
LENGTH = "a range is longer in some iterations than in others"
OUTSIDE = "a subscript leaves the array in a later iteration"
REFUSED = {
    "Y=A; for t=32:80, Y=Y*0.9+sum(w(1:t)); end": LENGTH,
    "Y=A; for t=1:20, for j=1:t, Y=Y*0.9+w(j); end, end": LENGTH,
    "Y=A; for t=32:390, Y=Y*0.9+sum(w(t:t+20)); end": OUTSIDE,
    "Y=A; for t=32:-1:1, Y=Y*0.9+sum(w(t-20:t)); end": OUTSIDE,
    "Y=A; for t=32:80, Y=Y*0.9+sum(w(t:t-1)); end": "a part without elements",
}


def checked(program: str, provider: str, exact: bool) -> Outcome:
    program += "\nq1=rand(2,2);"
    found = Outcome(program, provider, True, WITH)
    same(found, Outcome(program, provider, False, WITH), exact)
    return found


@pytest.mark.sweep
@pytest.mark.parametrize("program", WINDOWS.values(), ids=WINDOWS)
def test_windows(program: str) -> None:
    assert checked(program, "inprocess", True).captured
    assert checked(program, "null", False).captured


@pytest.mark.sweep
@pytest.mark.parametrize("provider", ["inprocess", "null"])
@pytest.mark.parametrize("program", EXACT.values(), ids=EXACT)
def test_parts_and_inner_loops(program: str, provider: str) -> None:
    assert checked(program, provider, True).captured


@pytest.mark.parametrize("name", ["sum", "backwards", "means that are written"])
def test_windows_on_an_adapter(name: str) -> None:
    found = checked(WINDOWS[name], "wgpu", False)
    assert found.captured
    assert found.engine.counters.by_rules == 0


@pytest.mark.parametrize("name", ["columns", "numbers", "inner loop"])
def test_parts_on_an_adapter(name: str) -> None:
    assert checked(EXACT[name], "wgpu", False).captured


@pytest.mark.parametrize("program", REFUSED)
def test_other_ranges_go_on_in_the_ordinary_way(program: str) -> None:
    found = checked(program, "null", True)
    assert REFUSED[program] in found.reasons
