"""Loops that end where what they compute says so: batches of their trips are run ahead.

A batch is a captured loop of 4, 8, 16 … trips, each of which writes down first whether it was to
run at all. One row of flags is read a batch. Where one of them is false, the trips before it are
run again from the state before the batch, by batches that were captured already; the last few, and
the condition that ends the loop, are left to the ordinary code. So nothing of a trip that was not
to run is ever seen: no value, no random number, no error.

A loop that comes again is expected to run as often as it did before: its batches are as large as
they may be at once, and none is begun that would reach past the expected end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from runmat_core.accel.context import get
from runmat_core.accel.loops.asked import Loop
from runmat_core.accel.loops.attempt import LEAST_TRIPS, Screen, attempt
from runmat_core.accel.random.stream import stream_of
from runmat_core.accel.running.trial import tried
from runmat_core.values.array import from_numpy
from runmat_core.values.deferred import Deferred

#: Most trips of a batch: beyond, a wait takes little of the time, and more might be run in vain.
MOST = 64
ON_HOST = "its condition is looked at in each iteration, for which the host need not wait"


def advance(
    twin: Any,
    known: Mapping[str, Any],
    names: tuple[str, str],
    writes: tuple[str, ...],
    screen: Screen,
    limit: int | None = None,
    expected: int = 0,
) -> tuple[dict[str, Any], int, int, int] | None:
    """Return the variables after as many iterations as could be run ahead, and their number.

    The third result is how many ordinary ones are left before the loop ends, as far as that is
    known. Return None if the loop cannot be captured.

    Args:
        twin: the body as a function over a dict of variables, with the flag.
        known: the variables before the next trip.
        names: of the number of the trip and of the flags.
        writes: the variables that the body assigns.
        limit: how many trips there are at most; None: any number.
        expected: how many there were the last time; 0: unknown.
    """
    seat = get()
    if seat is None:
        return None
    if seat.engine.loops.on_host():
        seat.engine.loops.note(twin.__code__, 0, ON_HOST)
        return None
    stream = stream_of(twin.__globals__["_s"])
    start = stream.state()
    batch = _Batch(seat.engine, twin, names, writes, screen, stream)
    state = dict(known)
    done, count, left, total = 0, LEAST_TRIPS, 0, 0
    try:
        while True:
            rest = max(expected - done, 0)
            if rest >= LEAST_TRIPS:
                count = min(1 << rest.bit_length() - 1, MOST)
            elif done and expected:
                left = rest
                break
            while limit is not None and count > max(limit - done, LEAST_TRIPS):
                count //= 2
            if limit is not None and count > limit - done:
                left = limit - done
                break
            before = stream.state()
            after = batch.run(state, count)
            if after is None:
                stream.restore(stream.kind, stream.seed, before)
                break
            lead = _leading(after.pop(names[1]).data)
            if lead == count:
                state, done, count = after, done + count, min(2 * count, MOST)
                continue
            stream.restore(stream.kind, stream.seed, before)
            total = done + lead
            state, left = _to_the_end(batch, state, count, lead)
            done += lead - left
            break
    except BaseException:
        stream.restore(stream.kind, stream.seed, start)
        raise
    if not done:
        return (state, 0, left, total) if left else None
    seat.engine.loops.note(twin.__code__, done, left=done + 1 + left)
    return state, done, left, total


def _to_the_end(
    batch: _Batch, state: dict[str, Any], count: int, lead: int
) -> tuple[dict[str, Any], int]:
    """Return the state after the trips before the one that was not to run, but for a few.

    And how many.
    """
    while count > LEAST_TRIPS:
        count //= 2
        while lead >= count:
            after = batch.run(state, count)
            if after is None:
                return state, lead
            after.pop(batch.names[1])
            state, lead = after, lead - count
    return state, lead


def _leading(flags: Any) -> int:
    """How many flags are true before the first that is not."""
    false = np.flatnonzero(flags.ravel() == 0)
    return int(false[0]) if false.size else flags.size


class _Batch:
    """Runs a number of iterations of a loop."""

    def __init__(
        self,
        engine: Any,
        twin: Any,
        names: tuple[str, str],
        writes: Sequence[str],
        screen: Screen,
        stream: Any,
    ) -> None:
        self.engine = engine
        self.twin = twin
        self.names = names
        self.writes = (*writes, names[1])
        self.screen = screen
        self.stream = stream

    def run(self, state: Mapping[str, Any], count: int) -> dict[str, Any] | None:
        """Return the variables and the flags after `count` trips.

        Return None where they cannot be run ahead.
        """
        trip, flags = self.names
        known = {**state, flags: from_numpy(np.zeros((1, count), order="F"))}
        parts = (1.0, float(count))
        found = attempt(Loop(self.twin, known, trip, self.writes, parts, 0), self.screen)
        if not found or found[0] != count:
            return None
        after = dict(zip(self.writes, found[2:], strict=True))
        # a guard that fires tells of trips that may not have been to run: these go one by one
        nodes = [v.promise.node for v in after.values() if v.__class__ is Deferred]
        if not tried(self.engine, nodes):
            return None
        return {**state, **after}
