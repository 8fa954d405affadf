"""Branches on data in captured loops: both sides are computed, and what they assign is chosen."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.accel.loops import compared, session
from tests.accel.machine import recorder

MORE = "a branch on what is computed in the loop does more than operations on elements"
LOOP = "Y=A; n=0; c=0; e=0.25; h=0.1; ok=false; for t=1:12, %s end, q=rand(2,2);"
CAPTURED = {
    "one side": "Y=Y*1.1; if mean(Y(:))>1, Y=Y-0.5; end",
    "numbers": "s=sum(Y(:)); if s>1500, Y=Y/2; n=1; else, Y=Y*1.5; n=2; end",
    "two branches": "if max(Y(:))>2, Y=Y/3; c=c+1; end, if min(Y(:))<0.1, Y=Y+0.3; end, Y=Y*1.2;",
    "nested": "m=mean(Y(:)); if m>0.5, if m>0.8, Y=Y/2; else, Y=Y+0.1; end, else, Y=Y*2; end",
    "a number that is carried": "if e>0.5, Y=Y*0.5; else, Y=Y+B; end, e=mean(Y(:));",
    "elseif": "m=mean(Y(:)); if m>0.9, Y=Y/2; elseif m>0.6, Y=Y+0.05; else, Y=Y*1.3; end",
    "masks": "Y=Y*1.2; if any(Y(:)>2), Y(Y>2)=Y(Y>2)-1; end",
    "and": "Y=Y*1.1+B*0.1; if mean(Y(:))>0.8 && max(Y(:))>1.5, Y=Y*0.5; end",
    "draws before": "Y=Y+rand(60,50)*0.1; if mean(Y(:))>0.8, Y=Y*0.5; end",
    "a draw": "Y=Y*0.9; if rand<0.5, Y=Y+1; end",
    "an element": "Y=Y*1.1; if Y(3,2)>0.5, Y=Y-0.3; end",
    "a step that is taken": "Z=Y+h*(B-Y); e=max(abs(Z(:)-Y(:))); "
    "if e<0.05, Y=Z; h=h*1.5; else, h=h/2; end",
    "negated": "Y=Y*1.1; if ~ok, Y=Y+0.1; end, ok=mean(Y(:))>1;",
    "the iteration, too": "Y=Y*1.1; if t>3 && mean(Y(:))>0.7, Y=Y-0.2; end",
    "in a function": "Y=clipped(Y*1.2);",
}
FUNCTION = "\nfunction y=clipped(y)\nif max(y(:))>1.5, y=y/2; end\nend\n"
REFUSED = {
    "if mean(Y(:))>0.8, Y=Y*0.5; else, Y=Y+rand(60,50)*0.2; end": MORE,
    "if mean(Y(:))>0.8, Y=sqrt(Y-0.1)*0.5; Y=abs(Y); else, Y=Y+0.1; end": MORE,
    "if mean(Y(:))>0.8, Y=sort(Y)/2; else, Y=Y+0.1; end": MORE,
    "if mean(Y(:))>0.8, Y=single(Y); else, Y=Y+0.1; end": "'Y' has another class or size on each "
    "side of a branch",
    "a=max(Y); if a(1)>.2, c=c+1; end, if a(2)>.2, c=c+2; end, if a(3)>.3, Y=Y/2; end": "it needs "
    "the value of something that is computed in the loop",
}


@pytest.mark.sweep
@pytest.mark.parametrize("name", CAPTURED)
def test_both_sides_are_computed_and_one_is_chosen(name: str) -> None:
    function = FUNCTION if name == "in a function" else ""
    found = compared(LOOP % CAPTURED[name] + function, "null", exact=False)
    assert found.captured == 1


@pytest.mark.parametrize("name", ["nested", "a step that is taken"])
def test_on_an_adapter(name: str) -> None:
    assert compared(LOOP % CAPTURED[name], "wgpu", exact=False).captured == 1


@pytest.mark.parametrize("body", REFUSED)
def test_sides_that_are_not_done_for_a_choice(body: str) -> None:
    found = compared(LOOP % body, "null", exact=False)
    assert found.reasons == [REFUSED[body]]


def test_a_condition_is_read_where_nobody_waits_for_it() -> None:
    found = compared(LOOP % CAPTURED["one side"], "inprocess", exact=False)
    assert not found.captured


def test_a_condition_that_nothing_changes_ends_the_capture() -> None:
    found = compared(LOOP % "ok=mean(Y(:))>9; while ok, c=c+1; end, Y=Y*0.9;", "null", exact=False)
    assert not found.captured


def test_a_loop_with_branches_is_one_request() -> None:
    made = session("null")
    made.run("rng(3); A=rand(60,50); B=rand(60,50)-0.5;")
    program = LOOP % CAPTURED["numbers"]
    made.run(program)
    assert made["Y"] is not None
    requests = recorder(made.interp.seat.engine).requests  # type: ignore[union-attr]
    made.run(program)
    assert made["Y"] is not None
    requests.clear()
    made.run(program)
    assert made["Y"] is not None
    asked = Counter(hook for hook, _ in requests)
    assert (asked["execute"], asked["download"]) == (1, 1)
