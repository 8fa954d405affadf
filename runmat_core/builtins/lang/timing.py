"""Builtins that measure and pass time: tic, toc, timeit, pause, beep."""

from __future__ import annotations

import statistics
import sys
import time
from typing import Any

import numpy as np

from runmat_core import values as v
from runmat_core.accel.context import finish
from runmat_core.api import MatlabError, builtin
from runmat_core.api.front import front_of
from runmat_core.values.deferred import settled

_STOPWATCH = "lang.stopwatch"
#: Timer values are microseconds since some fixed moment, as MATLAB's are.
_PER_SECOND = 1_000_000


class _Stopwatch:
    """When the last ``tic`` without output was, in nanoseconds of the performance counter."""

    started: int | None = None


@builtin("tic", family="lang/timing", needs=("nargout", "interp"))
def tic(*, nargout: int, interp: Any) -> Any:
    """Start a stopwatch.

    tic starts the one that toc reads; T = tic starts another one, which toc(T) reads.

    Examples:
        >> t = tic;
        >> class(t)
        ans =
            'uint64'

    See also: toc, timeit, cputime.
    """
    finish()
    now = time.perf_counter_ns()
    if nargout == 0:
        interp.state(_STOPWATCH, _Stopwatch).started = now
        return None
    return v.from_numpy(np.array([[now // 1000]], dtype=np.uint64))


@builtin("toc", family="lang/timing", needs=("nargout", "interp"))
def toc(timer: Any = None, *, nargout: int, interp: Any) -> Any:
    """Read a stopwatch.

    toc prints the time since tic; E = toc returns it in seconds. toc(T) reads the stopwatch that
    T = tic started.

    Examples:
        >> tic; e = toc;
        >> e >= 0
        ans =
          logical
           1

    See also: tic, timeit.
    """
    finish()
    now = time.perf_counter_ns()
    if timer is None:
        started = interp.state(_STOPWATCH, _Stopwatch).started
        if started is None:
            raise MatlabError(
                "MATLAB:toc:callTicFirstNoInputs",
                "You must call 'tic' without an output argument before calling 'toc' without an "
                "input argument.",
            )
        elapsed = (now - started) / 1e9
    else:
        if v.class_of(timer) != "uint64" or v.numel_of(timer) != 1:
            raise MatlabError(
                "MATLAB:toc:InvalidTimerHandle",
                "The input to toc must be a timer handle that tic returned.",
            )
        elapsed = now / 1e9 - int(v.to_numpy(timer)[0, 0]) / _PER_SECOND
    if nargout:
        return elapsed
    interp.write(f"Elapsed time is {elapsed:.6f} seconds.\n")
    return None


@builtin("timeit", family="lang/timing", needs=("interp",))
def timeit(f: Any, outputs: Any = 1.0, *, interp: Any) -> float:
    """Typical time that a function takes, in seconds.

    T = timeit(F) calls the handle F, which takes no inputs, many times and returns the median.
    timeit(F, N) asks it for N outputs.

    Examples:
        >> timeit(@() sum(1:10)) < 1
        ans =
          logical
           1

    See also: tic, toc.
    """
    if v.class_of(f) != "function_handle":
        raise MatlabError(
            "MATLAB:timeit:InvalidFunctionHandle",
            "First argument must be a function handle that takes no input arguments.",
        )
    count = int(outputs)

    def once(repeats: int) -> float:
        start = time.perf_counter()
        for _ in range(repeats):
            # what the function returns counts as computed, or nothing would be measured
            result = interp.call(f, (), count)
            for value in result if isinstance(result, tuple) else (result,):
                settled(value)
        finish()
        return (time.perf_counter() - start) / repeats

    once(1)
    rough = max(once(1), 1e-9)
    repeats = max(1, min(int(0.001 / rough), 10_000))
    return statistics.median(once(repeats) for _ in range(11 if rough < 1 else 3))


@builtin("pause", family="lang/timing", nargin=(0, 1), needs=("nargout", "interp"))
def pause(seconds: Any = None, *, nargout: int, interp: Any) -> Any:
    """Wait.

    pause(N) waits N seconds; pause waits for a key. pause('off') makes both return at once until
    pause('on'); S = pause('query') tells which holds. Timers run meanwhile.

    Examples:
        >> pause(0)
        >> pause('query')
        ans =
            'on'

    See also: input, tic.
    """
    enabled: list[bool] = interp.state("lang.pause", lambda: [True])
    if v.is_text(seconds):
        word = v.text(seconds).lower()
        if word not in ("on", "off", "query"):
            raise MatlabError(
                "MATLAB:pause:InvalidInputType", "Input must be a number, 'on', 'off' or 'query'."
            )
        before = v.char("on" if enabled[0] else "off")
        if word != "query":
            enabled[0] = word == "on"
        return before if nargout or word == "query" else None
    if not enabled[0]:
        return None
    interp.flush()
    if seconds is None:
        _wait_for_line(interp)
        return None
    seconds = _seconds_in(seconds)
    if seconds == float("inf"):
        _wait_for_line(interp)
    else:
        from runmat_core.builtins.lang.timers import wait_for

        wait_for(interp, time.monotonic() + seconds)
    return None


def _wait_for_line(interp: Any) -> None:
    """Wait for a line of the terminal, while windows answer."""
    front = front_of(interp)
    if front.idle and sys.stdin is not None and sys.stdin.isatty():
        import select

        while not select.select([sys.stdin], [], [], 0.02)[0]:
            front.wait()
    front.wait()
    interp.read_line("")


def _seconds_in(value: Any) -> float:
    """How long to wait: any real number that is not negative, or nothing."""
    data = v.to_numpy(value) if v.class_of(value) in (*v.NUMERIC_CLASSES, "logical") else None
    if data is None or data.size > 1 or data.dtype.kind == "c" or not (data >= 0).all():
        raise MatlabError("MATLAB:pause:InvalidInput", "Input must be a nonnegative number.")
    return float(data.item()) if data.size else 0.0


@builtin("beep", family="lang/timing", nargin=(0, 1), nargout=0, needs=("interp",))
def beep(state: Any = None, *, interp: Any) -> None:
    """Ring the terminal's bell; beep('on') and beep('off') are accepted.

    Examples:
        >> beep off

    See also: pause.
    """
    if state is None:
        interp.write("\a")
