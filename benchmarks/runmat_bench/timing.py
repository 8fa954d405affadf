"""Times of a run: warmed up, repeated, within a budget."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

import attrs

T = TypeVar("T")

#: Repetitions of a measurement, unless its budget allows fewer.
REPETITIONS = 7
#: Runs after the first before anything counts: plans settle in the second and third.
WARMUPS = 3
#: Short runs are warmed up for so many seconds at least, so that clocks have risen, and repeated
#: until they have filled as many.
SETTLE = 0.25
MOST = 100


@attrs.frozen
class Measured:
    """Seconds of the first run and of those that count, and every distinct result."""

    first: float
    times: tuple[float, ...]
    results: tuple[tuple[float, ...], ...]


def measure(
    run: Callable[[], tuple[float, ...]],
    repetitions: int = REPETITIONS,
    limit: float = 30.0,
    settle: float = SETTLE,
    clock: Callable[[], float] = time.perf_counter,
) -> Measured:
    """Time `run`, which returns when its result is on the host.

    Args:
        limit: seconds for all runs together. At least one run after the first is timed; a case
            that takes longer than this gets fewer repetitions and less warming up.
    """
    results: dict[tuple[float, ...], None] = {}

    def timed() -> float:
        start = clock()
        results[run()] = None
        return clock() - start

    started = clock()
    first = timed()
    warmed = 0
    last = first
    while warmed < WARMUPS or (clock() - started - first < settle and warmed < MOST):
        # what is left must do for the repetitions, too
        left = limit - (clock() - started)
        if last * (repetitions + 1) > left and not (warmed == 0 and last * 2 < left):
            break
        last = timed()
        warmed += 1
    times: list[float] = []
    while len(times) < MOST:
        spent = clock() - started
        enough = len(times) >= repetitions and sum(times) >= settle
        if times and (enough or spent + last > limit):
            break
        last = timed()
        times.append(last)
    return Measured(first, tuple(times), tuple(results))
