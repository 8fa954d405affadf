"""Loops whose bodies need their variable, or a number that counts, in branches and subscripts."""

from __future__ import annotations

import pytest

from tests.accel.loops import SETUP, Outcome, compared, same, session

STORE = "Z=zeros(60,40); q=0; "
#: program -> how many trips are captured.
CAPTURED = {
    "the first trip": ("for t=1:30, if t==1, Y=A; else, Y=Y*0.5+A; end, end", 29),
    "the last trip": ("Y=B; for t=1:30, Y=Y*0.9; if t==30, Y=Y/2; end, end", 28),
    "from a trip on": ("Y=B; W=0*A; for t=1:30, Y=Y*0.9; if t>10, W=W+Y; end, end", 28),
    "soon": ("Y=B; for t=1:30, if t>3, Y=Y*0.9; else, Y=Y+1; end, end", 27),
    "three parts": (
        "Y=B; for t=1:30, if t<10, Y=Y+A; elseif t<20, Y=Y-A; else, Y=Y*0.9; end, end",
        27,
    ),
    "both of two": ("Y=B; for t=1:40, if t>9 && t<=20, Y=Y*0.9; end, Y=Y+t; end", 30),
    "every second": ("Y=B; for t=1:30, if mod(t,2), Y=Y+A; else, Y=Y.*B; end, end", 28),
    "one of three": (
        "Y=B; for t=1:31\nswitch mod(t,3), case 0, Y=Y+A; case 1, Y=Y-A; otherwise, Y=-Y; end\nend",
        30,
    ),
    "two and three": (
        "Y=B; for t=1:31, if mod(t,2)==0, Y=Y+A; end, if rem(t,3)==0, Y=Y/2; end, end",
        30,
    ),
    "parts that are stored": (
        STORE + "Y=B; for t=1:35, Y=Y*0.9; if mod(t,5)==0, Z(:,t/5)=Y(:,1); end, end",
        30,
    ),
    "a number that counts": (STORE + "u=x(:,1); for t=1:30, q=q+1; Z(:,q)=u; u=u*0.9; end", 29),
    "that counts down": (STORE + "u=x(:,1); q=40; for t=1:30, u=u+x(:,q); q=q-1; end", 29),
    "that counts now and then": (
        STORE + "Y=B; for t=1:30, Y=Y*0.9; if mod(t,5)==0, q=q+1; Z(:,q)=Y(:,1); end, end",
        25,
    ),
    "random numbers in a branch": (
        "Y=B; for t=1:30, if mod(t,3)==0, Y=Y+rand(60,50); end, Y=Y*0.9; end, r=rand(2,2);",
        27,
    ),
    "backwards": ("Y=B; for t=30:-1:1, if t<12, Y=Y+t; end, Y=Y*0.9; end", 28),
    "rare": ("Y=B; for t=1:200, Y=Y*0.99; if mod(t,60)==0, Y=Y+A; end, end", 196),
    "in a function": (
        "Y=B; for t=1:30, Y=grown(Y,t); end\n"
        "function y = grown(y, t)\nif t > 15, y = y*0.9; else, y = y+t; end\nend\n",
        28,
    ),
}


@pytest.mark.sweep
@pytest.mark.parametrize("provider", ["inprocess", "null"])
@pytest.mark.parametrize("name", CAPTURED)
def test_trips_with_one_answer_are_captured(name: str, provider: str) -> None:
    program, trips = CAPTURED[name]
    found = compared(program, provider, exact=False)
    assert sum(note.trips for note in found.notes) == trips


@pytest.mark.parametrize("name", ["from a trip on", "every second", "that counts now and then"])
def test_on_an_adapter(name: str) -> None:
    assert compared(CAPTURED[name][0], "wgpu", exact=False).captured == 1


@pytest.mark.parametrize("name", CAPTURED)
def test_again_and_again(name: str) -> None:
    """Traces are used again, and from the first trip on."""
    loop, *rest = CAPTURED[name][0].split("\nfunction")
    program = "".join([f"for again=1:3\n{loop}\nend", *[f"\nfunction{one}" for one in rest]])
    compared(program, "inprocess", exact=False)


@pytest.mark.parametrize(
    "program",
    [
        "Y=B; for t=1:30, if t==20, Y=single(Y); end, Y=Y*0.5; end",
        "Y=B; for t=1:30, if t==20, Y=Y(:,1:40); end, Y=Y*0.5; end",
        "Y=B; for t=1:30, if t>20, Y=Y*1i; end, Y=Y+0.5; end",
        "Y=B; for t=1:30, if isprime(t), Y=Y*0.9; end, Y=Y+0.1; end",
        "Y=B; for t=1:30, if x(1,t)>0.5, Y=Y*0.9; end, Y=Y+0.1; end",
        "Y=B; q=1; for t=1:30, q=2*q+1; Y=Y+x(1,min(q,40)); end",
        "Y=B; for t=1:0, if t>5, Y=Y*0.9; end, end",
        "Y=B; for t=1:30, if t>5, fresh=Y; end, Y=Y*0.9; end",
        "Y=B; k=0; while k<30, if mod(k,2), Y=Y*0.9; end, Y=Y+1; k=k+1; end",
        "Y=B; for t=0.5:30, if t>5, Y=Y*0.9; end, Y=Y+0.1; end",
        "Y=B; for t=int32(1):30, if t>5, Y=Y*0.9; end, Y=Y+0.1; end",
    ],
)
def test_what_changes_more_is_right(program: str) -> None:
    compared(program, "inprocess", exact=False)


def test_errors_come_in_their_trip_and_line() -> None:
    program = "Y=B;\nfor t=1:40\n  Y=Y*0.9;\n  if t>25\n    Y=Y+x(:,t+14);\n  end\nend\n"
    found = compared(program, "inprocess", exact=False)
    assert found.error is not None
    assert found.values["t"] == 27


def test_explain_tells_how_many_of_how_many() -> None:
    made = session("inprocess")
    made.run(SETUP)
    found = Outcome.of(made, CAPTURED["the last trip"][0])
    (note,) = found.notes
    assert (note.trips, note.of, note.whole) == (28, 30, False)
    expected = Outcome(CAPTURED["the last trip"][0], "inprocess", False)
    same(found, expected, exact=False)
