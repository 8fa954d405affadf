"""The times that rates are fitted to: how steady each of them was, and which to take again.

They are kept beside the rates. Where other work made some of them longer, those alone are taken
again later, and the rates follow from the best of each.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from typing import Any

from runmat_core.api.tuples import NamedTuple

#: How much longer than the least of its repetitions a time is in the middle, on a quiet machine.
STEADY = 0.25
#: How often a time is taken altogether, until the best that is known must do.
PATIENCE = 6
#: Processes that want to run, for each core: with more of them times are those of others, too.
LOADED = 0.5


class Sample(NamedTuple):
    """A measured time.

    Attributes:
        seconds: the least of its repetitions; 0 where there was no time to take it.
        amount: of what: elements, bytes, units of work.
        spread: by which part the repetition in the middle was longer.
        loaded: whether other work was known to keep the machine busy.
        tries: how often it was taken.
    """

    seconds: float
    amount: float
    spread: float = 0.0
    loaded: bool = False
    tries: int = 1

    @property
    def missing(self) -> bool:
        """Return whether there was no time to take it."""
        return self.seconds <= 0.0

    @property
    def doubtful(self) -> bool:
        """Return whether other work may have made it longer."""
        return self.loaded or self.spread > STEADY


#: By name: ``upload.whole``, ``f32.launch``, ``f64.matmul`` …
Samples = Mapping[str, Sample]


def taken(samples: Samples) -> dict[str, Sample]:
    """Those for which there was time."""
    return {name: one for name, one in samples.items() if not one.missing}


def spread(samples: Samples) -> float:
    """By which part times were longer than the least of their repetitions, in the middle."""
    spreads = sorted(one.spread for one in taken(samples).values())
    return spreads[len(spreads) // 2] if spreads else 0.0


def is_busy(samples: Samples) -> bool:
    """Whether times tell of other work: a few that are unsteady are found on any machine."""
    return any(one.loaded for one in taken(samples).values()) or spread(samples) > STEADY


def doubtful(samples: Samples) -> list[str]:
    """Return the samples that are missing, or that other work may have made longer."""
    busy = is_busy(samples)
    return [
        name
        for name, one in samples.items()
        if (one.missing or (busy and one.doubtful)) and one.tries < PATIENCE
    ]


def to_retake(samples: Samples) -> list[str]:
    """Return what is doubtful and was tried least: so all come in turn where time is short."""
    names = doubtful(samples)
    fewest = min([samples[name].tries for name in names], default=0)
    return [name for name in names if samples[name].tries == fewest]


def merged(old: Samples, new: Samples) -> dict[str, Sample]:
    """Of two measurements the shorter times: what others do makes them longer only."""
    made = dict(old)
    for name, one in new.items():
        before = made.get(name)
        if before is not None and before.amount == one.amount:
            tries = before.tries + one.tries
            if before.missing or one.missing:
                one = (before if one.missing else one)._replace(tries=tries)
            else:
                seconds, wide = min(before.seconds, one.seconds), min(before.spread, one.spread)
                one = Sample(seconds, one.amount, wide, before.loaded and one.loaded, tries)
        made[name] = one
    return made


def under_load(samples: Samples, before: Samples) -> dict[str, Sample]:
    """Return `samples`, those among them that `before` has not yet as taken beside other work."""
    return {
        name: one if one == before.get(name) else one._replace(loaded=True)
        for name, one in samples.items()
    }


def to_json(samples: Samples) -> dict[str, Any]:
    """Return samples as plain data."""
    return {name: list(one) for name, one in samples.items()}


def from_json(data: Mapping[str, Any]) -> dict[str, Sample]:
    """Return samples from what `to_json` made.

    Raises:
        ValueError, TypeError: it is something else.
    """
    made = {}
    for name, (seconds, amount, wide, loaded, tries) in data.items():
        numbers = (seconds, amount, wide)
        if not all(isinstance(x, int | float) and math.isfinite(x) and x >= 0 for x in numbers):
            raise ValueError("a time is a number that is not negative")
        made[str(name)] = Sample(
            float(seconds), float(amount), float(wide), bool(loaded), int(tries)
        )
    return made


# -- other work on the machine ---------------------------------------------------------------------


def is_loaded() -> bool:
    """Return whether other work keeps the cores busy, as far as the system knows."""
    if not hasattr(os, "getloadavg"):
        return False
    try:
        return os.getloadavg()[0] > LOADED * (os.cpu_count() or 1)
    except OSError:
        return False


def unsteady(times: Sequence[float]) -> float:
    """Return by which part the median of repeated times is longer than the least."""
    least = min(times)
    if least <= 0:
        return 0.0
    ordered, half = sorted(times), len(times) // 2
    median = (ordered[half] + ordered[~half]) / 2
    return median / least - 1
