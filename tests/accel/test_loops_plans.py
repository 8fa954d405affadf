"""What loops take that are not captured: plans and work do not grow with their iterations.

What is counted follows from the program alone: plans by their keys, nodes that plans computed, and
those that were computed once more because nobody had stored them.
"""

from __future__ import annotations

from itertools import count

import pytest

from runmat_core.accel.planning import planner
from runmat_core.accel.running import engine, executor, learning
from tests.accel.loops import session

#: A plan at the bound of what may be pending comes from as many iterations as fit into it.
BOUND = 32
FEW = 50
SETUP = """
rng(3); a = rand(60,50); b = rand(60,50)-0.5; c = rand(60,50); s = 0; m = a > 0.5; z = complex(a,b);
v = rand(1,3000); A = rand(60); x = ones(60,60);
"""
READ = " if max(a(:)) > 1e9, break, end, end"

PROGRAMS = {
    "captured": "for k=1:N, a=a*0.99+b; end; s=sum(a(:));",
    "carried": "for k=1:N, a=a*0.99+b.*c;" + READ,
    "reduced": "for k=1:N, a=a*0.99+b; s=s+mean(a(:)); if s>1e12, break, end, end",
    "while": "k=0; e=1; while e>0 && k<N, k=k+1; p=a; a=a.*0.9+b; e=max(abs(a(:)-p(:)))+1; end",
    "shown": "for k=1:N, a=a*0.5+b; s=sum(a(:)); t=sprintf('%g',s); end",
    "nested": "for k=1:N/5, for j=1:5, a=a*0.9+b; if max(a(:))>1e9, break, end, end, end",
    "in a function": "a=runs(a,b,N);\nfunction a=runs(a,b,N)\nfor k=1:N, a=a*0.9+b;"
    + READ
    + "\nend",
    "calls": "for k=1:N, a=steps(a,b);"
    + READ
    + "\nfunction y=steps(x,b)\ny=x*0.9+b; y=y-mean(y(:));\nend",
    "anonymous": "f=@(x) x*0.9+b; for k=1:N, a=f(a);" + READ,
    "two": "p=a; for k=1:N, t=p+0.1*b; b=b-0.1*p; p=t; if norm(p(:))>1e9, break, end, end",
    "read an iteration later": "for k=1:N, n=a*0.9+b; if max(a(:))>1e9, break, end; a=n; end",
    "read now and then": "for k=1:N, a=a*0.9+b; q=a+1; if mod(k,5)==0, s=s+sum(q(:)); "
    "if s>1e12, break, end, end, end",
    "never read": "p=a; for k=1:N, p=p+a*k; a=a*0.9+b;" + READ,
    "slices": "for k=1:N, a=a*0.99+b; s=s+sum(a(:,k).*c(:,k)); if s>1e12, break, end, end",
    "unread slices": "for k=1:N, a=a*0.99+b; s=s+sum(a(:,k)); if k<0, break, end, end; s",
    "elements": "for k=1:N, a=a*0.9+b; if a(k)>1e9, break, end, end",
    "written": "for k=1:N, a=a*0.9; a(:,k)=1;" + READ,
    "stencil": "for k=1:N, a(2:end-1,2:end-1)=0.25*(a(1:end-2,2:end-1)+a(3:end,2:end-1)+"
    "a(2:end-1,1:end-2)+a(2:end-1,3:end));" + READ,
    "growing": "L=[]; for k=1:N, a=a*0.9+b; L(end+1)=max(a(:)); end",
    "cells": "q={a,b}; for k=1:N, q{1}=q{1}*0.9+q{2}; if max(q{1}(:))>1e9, break, end, end",
    "structs": "st.a=a; st.n=0; for k=1:N, st.a=st.a*0.9+b; st.n=st.n+max(st.a(:)); end",
    "history": "H=cell(1,N); for k=1:N, a=a*0.9+b; H{k}=a;" + READ,
    "masks": "for k=1:N, a(a>0.5)=0.1; a=a+b;" + READ,
    "selected": "for k=1:N, a=a*0.9+b; w=a(a>0.2); s=s+numel(w); end",
    "complex": "for k=1:N, z=z.*0.9+1i*c; if max(abs(z(:)))>1e9, break, end, end",
    "draws": "for k=1:N, a=a+randn(size(a));" + READ,
    "products": "for k=1:N, A=A*A; A=A/norm(A(:)); if any(isnan(A(:))), break, end, end",
    "sorted": "for k=1:N, v=sort(v+rand(1,3000)); if v(1)<-1, break, end, end",
    "transposed": "for k=1:N, A=A'*0.9+1; if max(A(:))>1e9, break, end, end",
    "branches": "for k=1:N, switch mod(k,3), case 0, a=a+b; case 1, a=a.*c; otherwise, a=a/2; end;"
    + READ,
    "errors": "for k=1:N, try, a=a*0.9+b; if max(a(:))>-1, error('x:y','z'); end, "
    "catch, a=a-1; end, end",
    "whole numbers": "i=int32(99*a); for k=1:N, i=i+int32(k); if max(i(:))<0, break, end, end",
    "conjugate gradients": "A=A*A'+60*eye(60); r=A/9; p=r; o=sum(r(:).^2); for k=1:N,"
    "q=A*p; l=o/sum(p(:).*q(:)); x=x+l*p; r=r-l*q; n=sum(r(:).^2)+1; p=r+(n/o)*p; o=n; end",
}


@pytest.fixture(autouse=True)
def _steady(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every run take as long as any: placements learn from times, and plans follow them."""
    ticks = count(0.0, 1e-4)
    for module in (engine, executor, learning, planner):
        monkeypatch.setattr(module, "perf_counter", lambda: next(ticks))


def counted(program: str, iterations: int, setup: str = SETUP) -> tuple[int, int, int, int]:
    """Plans, runs, nodes computed and those computed once more."""
    made = session("inprocess")
    made.run(setup)
    made.run("s = sum(a(:));")
    engine = made.interp.seat.engine  # type: ignore[union-attr]
    engine.graph.nodes_bound = BOUND
    made.capture(f"N = {iterations}; {program}")
    counters = engine.counters
    found = len(engine._plans), counters.runs, counters.computed, counters.recomputed
    assert not counters.plans_dropped
    made.close()
    return found


@pytest.mark.sweep
@pytest.mark.parametrize("name", PROGRAMS)
def test_plans_do_not_grow_with_iterations(name: str) -> None:
    setup = SETUP.replace("60,50", f"30,{4 * FEW}")
    few, many = (counted(PROGRAMS[name], n, setup) for n in (FEW, 4 * FEW))
    # the last run of what is pending may be shorter than others: growth would be one for every
    # few iterations
    assert many[0] <= few[0] + 2


@pytest.mark.parametrize(
    "step",
    [
        "G=[G a*0.5+sin(a).*cos(a)-a.^2]; G=G*0.99+0.1; G=G-0.5*G.^2; s=max(G);",
        "b=x(k:end); b=b.*b-sin(b)+cos(b); s=max(b*2+b);",
    ],
)
def test_arrays_whose_sizes_change_have_few_plans(step: str) -> None:
    """One in each iteration would take longer to make than what it saves."""
    program = f"G=[]; a=rand(1,25000); x=rand(1,4e5); for k=1:N, {step} if s>1e9, break, end, end"
    settings = {"RUNMAT_ACCEL_THRESHOLD": "auto", "RUNMAT_ACCEL_OFFLOAD_FORCE": "auto"}
    plans = []
    for n in (40, 160):
        made = session("inprocess", **settings)
        made.run(f"N = {n}; {program}")
        plans.append(made.interp.seat.engine.counters.plans_made)  # type: ignore[union-attr]
        made.close()
    # after twice as many each time, one is made again
    assert plans[1] <= plans[0] + 4


@pytest.mark.sweep
@pytest.mark.parametrize("size", ["100,100", "1000,1000", "2000,5000"])
@pytest.mark.parametrize(
    "step", ["a=a+c*b;", "a=a*0.99+b; a=a-mean(a(:));", "t=sin(a)+b; u=t*2; a=u-t;"]
)
def test_a_carried_array_takes_constant_work(size: str, step: str) -> None:
    setup = f"rng(1); a=rand({size}); b=rand({size})-0.5; c=0.1;"
    program = f"for k=1:N, {step} if max(a(:))>1e9, break, end, end"
    first, second, third = (counted(program, n, setup) for n in (6, 9, 12))
    assert third[3] == second[3] == first[3]
    assert third[2] - second[2] == second[2] - first[2]


def test_what_only_variables_hold_is_not_stored() -> None:
    """Intermediate results that are bound, and never read again, stay inside of their kernels."""
    made = session("inprocess")
    made.run(SETUP)
    engine = made.interp.seat.engine  # type: ignore[union-attr]
    program = "for k=1:N, t=sin(b)+k; u=t.*c; s=s+sum(u(:)); if s>1e12, break, end, end"
    written = []
    for n in (20, 40, 80):
        before = engine.counters.written
        made.run(f"N = {n}; {program}")
        written.append(engine.counters.written - before)
    # a run may store some until it is seen that nobody reads them
    assert written[2] - written[1] < 40 * 1000
    made.close()


def test_results_that_go_unread_are_stored_no_more() -> None:
    """What was read again for a while costs nothing soon after it is not."""
    made = session("inprocess")
    made.run(SETUP)
    engine = made.interp.seat.engine  # type: ignore[union-attr]
    program = """
    function s = phases(b, c, first, last)
    s = 0;
    for k=1:last
        t = sin(b)+k; u = t.*c; s = s+sum(u(:));
        if s>1e12, break, end
        if k<=first && max(t(:))>1e9, break, end
    end
    end
    """
    written, again = [], []
    for first, last in ((20, 20), (20, 60), (20, 100)):
        before = engine.counters.written, engine.counters.recomputed
        made.run(f"s = phases(b, c, {first}, {last});{program}")
        written.append(engine.counters.written - before[0])
        again.append(engine.counters.recomputed - before[1])
    size = 8 * 60 * 50
    assert written[0] > 19 * size  # each of them, and none is computed again
    assert max(again) < 10
    assert written[2] - written[1] < size
    made.close()
