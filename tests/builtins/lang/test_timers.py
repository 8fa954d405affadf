"""Timers, whose functions are called while the program waits."""

from __future__ import annotations

import time
from types import SimpleNamespace

import pytest

from runmat_core import MatlabError, Session
from runmat_core.builtins.lang import timers, timing


@pytest.fixture
def session() -> Session:
    return Session(stderr=lambda text: None)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A clock that goes on while a program sleeps, and by `step` when it is looked at."""
    made = SimpleNamespace(**vars(time), now=0.0, step=0.0)

    def sleep(seconds: float) -> None:
        made.now += seconds

    def monotonic() -> float:
        made.now += made.step
        return made.now

    made.sleep, made.monotonic = sleep, monotonic
    monkeypatch.setattr(timers, "time", made)
    monkeypatch.setattr(timing, "time", made)
    return made


def test_a_timer_calls_once(session: Session) -> None:
    session.run("t = timer('TimerFcn', @(o, e) set(o, 'UserData', e.Type)); start(t);")
    assert session.eval("t.Running") == "on"
    session.run("wait(t)")
    assert session.eval("{t.Running, t.UserData, t.TasksExecuted}") == ["off", "TimerFcn", 1]
    session.run("delete(t)")
    assert session.eval("isvalid(t)") is False


@pytest.mark.parametrize("mode", ["fixedRate", "fixedDelay", "fixedSpacing"])
def test_a_timer_calls_again_and_again(mode: str, session: Session) -> None:
    out = session.capture(
        f"t = timer('ExecutionMode', '{mode}', 'Period', 0.01, 'TasksToExecute', 4, "
        "'TimerFcn', {@(o, e, x) fprintf('%d', x), 7}, 'StartFcn', @(o, e) fprintf('<'), "
        "'StopFcn', 'fprintf(''>'')'); tic; start(t); wait(t); s = toc;"
    )
    assert out == "<7777>"
    assert session["s"] >= 0.025
    assert session.eval("t.AveragePeriod > 0") is True


@pytest.mark.parametrize("step", [0.0, 0.001, 0.003])
def test_pause_lets_timers_run_in_the_order_in_which_they_are_due(
    session: Session, clock: SimpleNamespace, step: float
) -> None:
    clock.step = step  # a machine that takes long for each step
    out = session.capture(
        "a = timer('StartDelay', 0.02, 'TimerFcn', @(o, e) fprintf('a'));"
        "b = timer('StartDelay', 0.01, 'TimerFcn', @(o, e) fprintf('b'));"
        "c = timer('StartDelay', 60, 'TimerFcn', @(o, e) fprintf('c'));"
        "start(a); start(b); start(c); fprintf('x'); pause(0.05); fprintf('y'); stop(c);"
    )
    assert out == "xbay"
    assert session.eval("c.TasksExecuted") == 0


def test_a_function_that_fails_stops_its_timer(session: Session) -> None:
    out = session.capture(
        "t = timer('ExecutionMode', 'fixedRate', 'Period', 0.01, 'TimerFcn', @(o, e) error('no'),"
        "'ErrorFcn', @(o, e) disp('failed')); start(t); wait(t); disp(t.Running)"
    )
    assert "Error while evaluating TimerFcn for timer 'timer-1'" in out
    assert out.endswith("failed\noff\n")


@pytest.mark.parametrize(
    ("code", "identifier"),
    [
        ("timer('Period', 0)", "MATLAB:timer:badPeriod"),
        ("timer('StartDelay', -1)", "MATLAB:timer:badStartDelay"),
        ("timer('ExecutionMode', 'often')", "MATLAB:timer:unrecognizedStringChoice"),
        ("timer('What', 1)", "MATLAB:timer:unrecognizedStringChoice"),
        ("timer('Running', 'on')", "MATLAB:class:SetProhibited"),
        ("start(timer)", "MATLAB:timer:missingTimerFcn"),
        ("t = timer('TimerFcn', 'x', 'StartDelay', 9); start(t); start(t)",
         "MATLAB:timer:alreadystarted"),
        ("t = timer('TimerFcn', 'x', 'StartDelay', 9); start(t); t.Period = 2;",
         "MATLAB:timer:Period:Running"),
        ("t = timer; delete(t); start(t)", "MATLAB:timer:invalid"),
        ("wait(5)", "MATLAB:UndefinedFunction"),
    ],
)  # fmt: skip
def test_errors(code: str, identifier: str, session: Session) -> None:
    with pytest.raises(MatlabError) as raised:
        session.run(code)
    assert raised.value.identifier == identifier


@pytest.mark.parametrize("given", ["0", "[]", "single(0)", "false", "uint8(0)", "-0"])
def test_no_pause(given: str) -> None:
    Session().run(f"pause({given})")


@pytest.mark.parametrize("given", ["-1", "NaN", "1i", "[1 2]", "{1}", "struct"])
def test_bad_pause(given: str) -> None:
    with pytest.raises(MatlabError, match="nonnegative"):
        Session().run(f"pause({given})")
