"""Loops of so many trips that their pieces could not all be written down before one runs."""

from __future__ import annotations

import signal
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.accel.loops import PROVIDERS, SETUP, Outcome, compared, same, session

PROGRAMS = {
    "carried array": "Y=A; for t=1:40, Y=0.9*Y+B; end",
    "column written": "y=x(:,1); Z=zeros(60,40); for t=1:40, y=0.9*y+x(:,t); Z(:,t)=y; end",
    "random numbers": "Y=A; for t=1:40, Y=0.9*Y+rand(60,50); end; q=rand(2,2);",
    "scalars beside": "Y=A; s=0; for t=1:40, Y=Y*0.9; s=s+v(t); end",
    "downwards": "Y=A; for t=40:-1:1, Y=Y*0.5+t; end",
    "while": "Y=A; k=1; while k<40, Y=Y*0.9+k; k=k+1; end",
}


@pytest.fixture(autouse=True)
def _in_small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runmat_core.accel.running.loop_registry.SECONDS", 1e-9)
    monkeypatch.setattr("runmat_core.accel.loops.commit.AHEAD", 3)


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_they_leave_the_same_behind(name: str, provider: str) -> None:
    found = compared(PROGRAMS[name], provider)
    assert found.captured
    # a piece is run before the next one is made
    assert found.engine.counters.runs > 3


GUARDED = {
    "from the first piece on": "Y=B; for t=1:40, Y=sqrt(Y); Y=Y*0.9; end",
    "in a later one": "Y=A; for t=1:40, Y=sqrt(Y)-0.04; end",
}


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("name", GUARDED)
def test_what_leaves_the_reals_is_run_step_by_step(name: str, provider: str) -> None:
    found = Outcome(GUARDED[name], provider, True)
    same(found, Outcome(GUARDED[name], provider, False), exact=False)


@contextmanager
def _interrupted(seconds: float) -> Iterator[None]:
    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    former = signal.signal(signal.SIGALRM, interrupt)
    # again and again: what is raised while garbage is collected is lost
    signal.setitimer(signal.ITIMER_REAL, seconds, 0.5)
    try:
        with pytest.raises(KeyboardInterrupt):
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, former)


# an interrupt that comes while an array is freed is dropped, which Python tells, and comes again
@pytest.mark.sweep(1)
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("provider", [*PROVIDERS, "none"])
def test_an_interrupted_one_has_kept_no_memory(
    provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    made = session(provider)
    program = "rng(5); Y=A; for t=1:1e12, Y=0.9*Y+B; end"
    made.run(SETUP)
    with _interrupted(2.0):
        made.run(program)
    tracemalloc.start()
    try:
        with _interrupted(2.0):
            made.run(program)
        now = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    # of operations that are pending it is known how many there may be
    assert now < (2**24 if provider == "none" else 2**20)
    assert made["Y"].shape == (60, 50)
