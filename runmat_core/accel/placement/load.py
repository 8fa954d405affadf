"""Whether a machine was busy while it was measured, and what then becomes of the rates."""

from __future__ import annotations

import os
import statistics
from collections.abc import Sequence

import attrs

from runmat_core.accel.placement.costs import Link, Rates

#: Processes that want to run, for each core: with more of them times are those of others, too.
LOADED = 0.5
#: How much longer than the least of its repetitions a time is in the middle, on a quiet machine.
STEADY = 0.25


def is_loaded() -> bool:
    """Whether other work keeps the cores busy, as far as the system tells."""
    if not hasattr(os, "getloadavg"):
        return False
    try:
        return os.getloadavg()[0] > LOADED * (os.cpu_count() or 1)
    except OSError:
        return False


def unsteady(times: Sequence[float]) -> float:
    """By which part the median of repeated times is longer than the least."""
    least = min(times)
    return statistics.median(times) / least - 1 if least > 0 else 0.0


def best(one: Rates, other: Rates) -> Rates:
    """Of two measurements of one device the faster rates: others' work makes times longer only."""
    seconds = {key: min(rate, other.seconds.get(key, rate)) for key, rate in one.seconds.items()}
    return attrs.evolve(
        one,
        launch=min(one.launch, other.launch),
        seconds=seconds,
        upload=_link(one.upload, other.upload),
        download=_link(one.download, other.download),
        spread=min(one.spread, other.spread),
    )


def _link(one: Link, other: Link) -> Link:
    return Link(min(one.latency, other.latency), min(one.per_byte, other.per_byte))
