"""What measured times teach during a session: by how much rates are wrong, and whom it concerns.

The host provider and host rules share a processor, and what else that does makes both slower. So a
provider that turns out slower than expected is not judged by that alone: the next runs are timed by
host rules as well, at once after each other, and what counts is the ratio of the two. Work that was
left to host rules is given back to the provider after a while, to be measured again.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any, Literal

Target = Literal["device", "host", "rules"]

#: The share of a new measurement in a correction.
SMOOTHING = 0.2
#: Corrections stay within this factor: a measurement may have met a busy machine.
LARGEST_CORRECTION = 8.0
#: A correction that moved by this factor makes earlier placements worth another look.
STALE = 1.5
#: Pairs of times that decide between host provider and host rules.
PAIRS = 3
#: So many runs by host rules of what the host provider ran before are followed by another try;
#: twice as many before each further one.
LOOK_AGAIN = 64


class _Pairs:
    """Ratios of measured to expected time, the least of each side."""

    __slots__ = ("host", "rules", "wanted")

    def __init__(self) -> None:
        self.wanted = PAIRS
        self.host = math.inf
        self.rules = math.inf


class Corrections:
    """Measured by expected time, for each place and family of work.

    Args:
        has_device: whether the host provider is compared with a device as well.

    Attributes:
        version: grows when corrections moved so far that placements should be made again.
        unsettled: whether runs of plans are to be timed in both ways, or counted until the host
            provider is tried again.
    """

    def __init__(self, has_device: bool = False) -> None:
        self.version = 0
        self.unsettled = False
        self._has_device = has_device
        self._factors: dict[tuple[Target, str], float] = {}
        self._acted_on: dict[tuple[Target, str], float] = {}
        # of units: the least measured time by the expected one
        self._least: dict[tuple[Target, Hashable], float] = {}
        self._pairs: dict[str, _Pairs] = {}
        # by family: that of the host provider by that of host rules, where they were compared
        self._ratios: dict[str, float] = {}
        # by family that was left to host rules: runs until the next try, and before it
        self._left: dict[str, tuple[int, int]] = {}
        self._patience: dict[str, int] = {}
        # the run of code that taught something last, and what was known before
        self._run = -1
        self._before: tuple[dict[Any, Any], ...] = ()

    def of(self, target: Target, family: str) -> float:
        """Return the factor for estimates.

        Until both were compared, host rules count as slower than expected as the provider does.
        """
        if target != "rules":
            return self._factors.get((target, family), 1.0)
        return self._factors.get(("host", family), 1.0) / self._ratios.get(family, 1.0)

    def observe(self, target: Target, family: str, unit: Hashable, ratio: float) -> None:
        """Learn from a measured time, as the ratio to the expected one."""
        key = (target, family)
        ratio = _bounded(ratio)
        # what else the machine does only adds, and work that went elsewhere is not measured again
        ratio = min(ratio, self._least.get((target, unit), ratio))
        self._least[(target, unit)] = ratio
        # smoothed as a ratio: twice as fast and twice as slow weigh the same
        now = self.of(target, family) ** (1 - SMOOTHING) * ratio**SMOOTHING
        self._factors[key] = now
        if not _moved(now, self._acted_on.get(key, 1.0)):
            return
        self._acted_on[key] = now
        if target == "host":
            self._pairs.setdefault(family, _Pairs())
            self.unsettled = True
        if target != "host" or self._has_device:
            self.version += 1

    def doubts(self, family: str) -> bool:
        """Whether both ways are to be timed."""
        return family in self._pairs

    def compare(self, family: str, unit: Hashable, host: float, rules: float) -> None:
        """Learn from two times measured one after the other, as ratios to the expected ones."""
        pairs = self._pairs.get(family)
        if pairs is None:
            return
        pairs.wanted -= 1
        pairs.host = min(pairs.host, _bounded(host))
        pairs.rules = min(pairs.rules, _bounded(rules))
        if pairs.wanted:
            return
        del self._pairs[family]
        self._factors[("host", family)] = self._acted_on[("host", family)] = pairs.host
        ratio, before = pairs.host / pairs.rules, self._ratios.get(family, 1.0)
        self._ratios[family] = ratio
        if _moved(ratio, before):
            self.version += 1
            if ratio > 1.0:
                patience = self._patience.get(family, LOOK_AGAIN)
                self._left[family] = patience, patience
                self._patience[family] = 2 * patience
        self._settle()

    def left_to_rules(self) -> None:
        """Count a run by host rules of what the host provider might run."""
        for family, (runs, patience) in list(self._left.items()):
            if runs > 1:
                self._left[family] = runs - 1, patience
            else:
                del self._left[family]
                self._forget(family)
                self.version += 1
        self._settle()

    def _forget(self, family: str) -> None:
        """Take the host provider for as fast as its rates say, until it is measured again."""
        self._factors.pop(("host", family), None)
        self._acted_on.pop(("host", family), None)
        self._ratios.pop(family, None)
        self._least.clear()

    def forget_units(self) -> None:
        """Forget the least times of units, which may be others by now."""
        self._least.clear()

    def _settle(self) -> None:
        self.unsettled = bool(self._pairs or self._left)

    def as_dict(self) -> dict[str, float]:
        """Return the factors, as ``target.family``."""
        found = {f"{target}.{family}": factor for (target, family), factor in self._factors.items()}
        return found | {f"rules.{family}": self.of("rules", family) for family in self._ratios}

    # -- runs that broke off ----------------------------------------------------------------------

    def begin(self, run: int) -> None:
        """Note what is known before the run of code with this number teaches anything."""
        if run != self._run:
            self._run, self._before = run, tuple([dict(part) for part in self._parts()])

    def undo(self, run: int) -> None:
        """Forget what the run with this number taught, if it did."""
        if run != self._run:
            return
        changed = self._factors != self._before[0] or self._ratios != self._before[2]
        for part, before in zip(self._parts(), self._before, strict=True):
            part.clear()
            part.update(before)
        self._pairs.clear()
        self._least.clear()
        self.version += changed
        self._settle()

    def _parts(self) -> tuple[dict[Any, Any], ...]:
        return self._factors, self._acted_on, self._ratios, self._left, self._patience


def _bounded(ratio: float) -> float:
    return min(max(ratio, 1 / LARGEST_CORRECTION), LARGEST_CORRECTION)


def _moved(now: float, before: float) -> bool:
    return abs(math.log(now / before)) > math.log(STALE)
