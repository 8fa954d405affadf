"""Whether a machine has other work, as far as the system and repeated times tell."""

from __future__ import annotations

import os
from collections.abc import Sequence

#: Processes that want to run, for each core: with more of them times are those of others, too.
LOADED = 0.5


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
    if least <= 0:
        return 0.0
    ordered, half = sorted(times), len(times) // 2
    median = (ordered[half] + ordered[~half]) / 2
    return median / least - 1
