"""The plans that a session keeps."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable

import attrs

from runmat_core.accel.collect import Template
from runmat_core.accel.plan import Plan


@attrs.frozen(eq=False)
class Planned:
    """A plan, the sub-graph it is for without its nodes, and the version of the costs behind it."""

    plan: Plan
    template: Template
    version: int


class PlanCache:
    """Plans by key; the one that was asked for longest ago makes room.

    Args:
        limit: how many there may be; 0 keeps none.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._plans: OrderedDict[Hashable, Planned] = OrderedDict()

    def __len__(self) -> int:
        return len(self._plans)

    def get(self, key: Hashable) -> Planned | None:
        found = self._plans.get(key)
        if found is not None:
            self._plans.move_to_end(key)
        return found

    def put(self, key: Hashable, planned: Planned) -> int:
        """Keep a plan; how many others had to go."""
        if not self.limit:
            return 0
        self._plans[key] = planned
        dropped = 0
        while len(self._plans) > self.limit:
            self._plans.popitem(last=False)
            dropped += 1
        return dropped

    def clear(self) -> None:
        self._plans.clear()
