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
    first_counts: bool = False,
    clock: Callable[[], float] = time.perf_counter,
) -> Measured:
    """Time `run`, which returns when its result is on the host.

    Args:
        limit: seconds for all runs after the first together, of which at least one is timed; a
            case that takes longer than this gets fewer repetitions and less warming up.
        first_counts: whether a first run is like those after it: it warms up, and is what counts
            where it alone takes longer than `limit`.
    """
    results: dict[tuple[float, ...], None] = {}

    def timed() -> float:
        start = clock()
        results[run()] = None
        return clock() - start

    first = timed()
    if first_counts and first > limit:
        return Measured(first, (first,), tuple(results))
    started = clock()  # compiling takes nothing from the budget
    last = first if first_counts else timed()
    warmed = 0 if first_counts else 1
    while warmed < WARMUPS or (clock() - started < settle and warmed < MOST):
        # what is left must do for the repetitions, too
        if last * (repetitions + 1) > limit - (clock() - started):
            break
        last = timed()
        warmed += 1
    times: list[float] = []
    while len(times) < MOST:
        enough = len(times) >= repetitions and sum(times) >= settle
        if times and (enough or clock() - started + last > limit):
            break
        last = timed()
        times.append(last)
    return Measured(first, tuple(times), tuple(results))
