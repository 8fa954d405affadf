"""timer: functions that are called later, whenever the program waits.

A program is one thread here, so nothing interrupts a statement: what is due is called while the
program is in ``pause`` or ``wait``.
"""

from __future__ import annotations

import time
from typing import Any

import attrs
import numpy as np

from runmat_core import values as v
from runmat_core.api import MatlabError, builtin
from runmat_core.api.front import front_of
from runmat_core.builtins.arguments import scalar
from runmat_core.builtins.named import choice, match
from runmat_core.values.error_report import format_report
from runmat_core.values.object import HandleObject, method

_MODES = ("singleShot", "fixedRate", "fixedDelay", "fixedSpacing")
_CALLBACKS = ("TimerFcn", "StartFcn", "StopFcn", "ErrorFcn")
_READ_ONLY = ("Running", "TasksExecuted", "AveragePeriod", "InstantPeriod", "Type")
_LEAST_PERIOD = 0.001


@attrs.define(eq=False)
class _State:
    interp: Any
    options: dict[str, Any]
    running: bool = False
    valid: bool = True
    due: float = 0.0
    fired: list[float] = attrs.field(factory=list)

    def option(self, name: str) -> float:
        return float(self.options[name])


class Timer(HandleObject):
    """The value of ``timer``."""

    __slots__ = ()
    data: _State
    class_name = "timer"
    properties = (
        *("AveragePeriod", "BusyMode", "ErrorFcn", "ExecutionMode", "InstantPeriod", "Name"),
        *("Period", "Running", "StartDelay", "StartFcn", "StopFcn", "Tag", "TasksExecuted"),
        *("TasksToExecute", "TimerFcn", "Type", "UserData"),
    )

    def __init__(self, interp: Any, number: int) -> None:
        options: dict[str, Any] = {name: v.char("") for name in (*_CALLBACKS, "Tag")}
        options.update(BusyMode=v.char("drop"), ExecutionMode=v.char("singleShot"))
        options.update(Name=v.char(f"timer-{number}"), UserData=v.horzcat())
        options.update(Period=1.0, StartDelay=0.0, TasksToExecute=float("inf"))
        self.data = _State(interp, options)

    def get_property(self, name: str) -> Any:
        state = self.data
        if name == "Running":
            return v.char("on" if state.running else "off")
        if name == "TasksExecuted":
            return float(len(state.fired))
        if name == "Type":
            return v.char("timer")
        gaps = np.diff(state.fired)
        if name == "AveragePeriod":
            return float(gaps.mean()) if gaps.size else float("nan")
        if name == "InstantPeriod":
            return float(gaps[-1]) if gaps.size else float("nan")
        return v.share(state.options[name])

    def set_property(self, name: str, rhs: Any) -> None:
        state = self.data
        if name in _READ_ONLY:
            super().set_property(name, rhs)
        if state.running and name in ("Period", "StartDelay", "ExecutionMode", "TasksToExecute"):
            raise MatlabError(
                f"MATLAB:timer:{name}:Running", f"'{name}' cannot be set while the timer runs."
            )
        if name in ("Period", "StartDelay", "TasksToExecute"):
            least = {"Period": _LEAST_PERIOD, "StartDelay": 0.0}.get(name, 1.0)
            number = scalar(rhs, name)
            if not number >= least or (name != "TasksToExecute" and number == float("inf")):
                raise MatlabError(
                    f"MATLAB:timer:bad{name}", f"{name} must be a number of {least:g} or more."
                )
            rhs = number
        elif name == "ExecutionMode":
            rhs = v.char(choice(rhs, _MODES, "timer"))
        elif name == "BusyMode":
            rhs = v.char(choice(rhs, ("drop", "queue", "error"), "timer"))
        elif name in ("Name", "Tag"):
            rhs = v.char(v.text(rhs))
        state.options[name] = v.share(rhs)

    @method("start")
    def start(self, nargout: int = 0) -> None:
        """Begin to wait for the first call."""
        state = self._valid()
        if state.running:
            raise MatlabError(
                "MATLAB:timer:alreadystarted", "Cannot start timer because it is already running."
            )
        if v.numel_of(state.options["TimerFcn"]) == 0:
            raise MatlabError(
                "MATLAB:timer:missingTimerFcn", "Cannot start timer: it has no TimerFcn."
            )
        state.running, state.fired = True, []
        self._call("StartFcn")
        state.due = time.monotonic() + state.option("StartDelay")
        _running(state.interp).append(self)

    @method("stop")
    def stop(self, nargout: int = 0) -> None:
        """No further calls."""
        state = self._valid()
        if state.running:
            state.running = False
            timers = _running(state.interp)
            timers[:] = [timer for timer in timers if timer is not self]
            self._call("StopFcn")

    @method("wait")
    def wait(self, nargout: int = 0) -> None:
        """Wait until it has stopped."""
        state = self._valid()
        while state.running:
            wait_for(state.interp, state.due)

    @method("delete")
    def delete(self, nargout: int = 0) -> None:
        self.stop()
        self.data.valid = False

    @method("isvalid")
    def is_valid(self, nargout: int = 1) -> bool:
        return self.data.valid

    @method("get")
    def get(self, nargout: int, name: Any) -> Any:
        """get(T, NAME)."""
        return self.field(match(v.text(name), self.properties, "timer"))

    @method("set")
    def set(self, nargout: int, *pairs: Any) -> None:
        """set(T, NAME, VALUE, …)."""
        if len(pairs) % 2:
            raise MatlabError("MATLAB:timer:InvalidInput", "Options must come in pairs.")
        for name, value in zip(pairs[::2], pairs[1::2], strict=True):
            word = v.text(name) if v.is_text(name) else ""
            self.set_property(match(word, self.properties, "timer"), value)

    def _valid(self) -> _State:
        if not self.data.valid:
            raise MatlabError("MATLAB:timer:invalid", "The timer was deleted.")
        return self.data

    def fire(self) -> None:
        """Call the function that is due, and tell when the next call is."""
        state = self.data
        began = time.monotonic()
        state.fired.append(began)
        try:
            self._call("TimerFcn")
        except Exception as problem:
            error = state.interp.error_of(problem)
            name = v.text(state.options["Name"])
            state.interp.write_error(
                f"Error while evaluating TimerFcn for timer '{name}'\n\n{format_report(error)}\n"
            )
            self._call("ErrorFcn")
            self.stop()
            return
        mode = v.text(state.options["ExecutionMode"])
        last = mode == "singleShot" or len(state.fired) >= state.option("TasksToExecute")
        if last:
            self.stop()
        elif mode == "fixedRate":
            state.due += state.option("Period")
        else:
            start = began if mode == "fixedDelay" else time.monotonic()
            state.due = start + state.option("Period")

    def _call(self, name: str) -> None:
        state = self.data
        function = state.options[name]
        if v.numel_of(function) == 0:
            return
        if v.is_text(function):
            state.interp.evaluate(v.text(function), state.interp.base())
            return
        now = time.localtime()
        clock = [*now[:5], now[5] + time.time() % 1]
        moment = v.struct({"time": v.from_numpy(np.array([clock], float))})
        event = v.struct({"Type": v.char(name), "Data": moment})
        rest: list[Any] = []
        if isinstance(function, v.CellArray):
            function, *rest = function.items()
        state.interp.call(function, (self, event, *rest), 0)


def _running(interp: Any) -> list[Timer]:
    timers: list[Timer] = interp.state("lang.timers", list)
    return timers


#: Seconds between two looks at windows while a program waits.
_IDLE = 0.02


def wait_for(interp: Any, end: float) -> None:
    """Sleep until a moment of the monotonic clock, calling what is due until then."""
    front = front_of(interp)
    while True:
        front.wait()
        timers = _running(interp)
        following = min(timers, key=lambda timer: timer.data.due, default=None)
        now = time.monotonic()
        if following is not None and following.data.due <= min(now, end):
            following.fire()
            continue
        if now >= end:
            return
        until = end if following is None else min(end, following.data.due)
        if front.idle:
            until = min(until, now + _IDLE)
        time.sleep(max(until - now, 0.0))


@builtin("timer", family="lang/timers", nargin=(0, None), needs=("interp",))
def timer(*options: Any, interp: Any) -> Any:
    """Object that calls a function later, once or again and again.

    T = timer("TimerFcn", F, "StartDelay", SECONDS) calls F(T, EVENT) once after start(T)
    T = timer("TimerFcn", F, "ExecutionMode", MODE, "Period", SECONDS, "TasksToExecute", N) calls it
    N times: "fixedRate" from beginning to beginning, "fixedDelay" and "fixedSpacing" likewise after
    each call
    start(T), stop(T), wait(T), delete(T); StartFcn, StopFcn and ErrorFcn are called too; F may be a
    handle, a cell of a handle and further inputs, or a text; T.UserData keeps what you like

    Functions are called while the program waits: in pause and wait. Nothing interrupts a statement.

    Examples:
        >> t = timer('TimerFcn', @(obj, event) disp('now'), 'StartDelay', 0.01);
        >> start(t); wait(t); delete(t)
        now

    See also: pause, tic, onCleanup.
    """
    counter: list[int] = interp.state("lang.timer count", lambda: [0])
    counter[0] += 1
    made = Timer(interp, counter[0])
    made.set(0, *options)
    return made
