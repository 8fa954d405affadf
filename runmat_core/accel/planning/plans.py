"""The plans that a session keeps."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Any

from runmat_core.accel.planning.collect import Template, Walk
from runmat_core.accel.planning.places import beginnings
from runmat_core.accel.planning.plan import Plan
from runmat_core.accel.planning.worth import away, work

#: A stale plan is made anew after runs that took this many times as long as making it did.
WORTH_PLANNING = 20
#: New plans in a row at one place after which sizes are taken to change there all the time.
IN_A_ROW = 4
#: Elements times operations beside which making a plan costs little, for each node.
NODE = 4_000_000
#: How many keys are remembered to depend on where views begin.
EXACT = 4096


class Planned:
    """A plan that is kept.

    Attributes:
        template: the sub-graph it is for, without its nodes.
        version: of the costs that decided about it.
        name: of its file on disk; empty: it is not kept there.
        spent: seconds that its runs took.
        complex: the numbers of the nodes whose guards fired when it last ran; these are computed
            by host rules from then on, until they are real again.
    """

    __slots__ = ("complex", "name", "plan", "spent", "template", "version")

    def __init__(
        self,
        plan: Plan,
        template: Template,
        version: int,
        name: str = "",
        spent: float = 0.0,
        complex: tuple[int, ...] = (),
    ) -> None:
        self.plan = plan
        self.template = template
        self.version = version
        self.name = name
        self.spent = spent
        self.complex = complex

    def holds(self, version: int) -> bool:
        """Whether it may run although the costs have this version."""
        return self.version == version or self.spent < WORTH_PLANNING * self.plan.made_seconds


class PlanCache:
    """Plans by key; the one that was asked for longest ago makes room.

    Args:
        limit: how many there may be; 0 keeps none.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._plans: OrderedDict[Hashable, Planned] = OrderedDict()
        # keys of sub-graphs whose plans depend on where views begin
        self._exact: set[Hashable] = set()

    def __len__(self) -> int:
        return len(self._plans)

    def get(self, walked: Walk) -> Planned | None:
        """Return the plan for what was walked."""
        key = walked.key
        if key in self._exact:
            key = (key, beginnings(walked.pending))
        found = self._plans.get(key)
        if found is not None:
            self._plans.move_to_end(key)
        return found

    def put(self, walked: Walk, planned: Planned) -> int:
        """Keep a plan; how many others had to go."""
        if not self.limit:
            return 0
        key = walked.key
        if planned.plan.exact or key in self._exact:
            if len(self._exact) >= EXACT:
                # what is asked for again is found to be exact again
                self._exact.clear()
            self._exact.add(key)
            key = (key, beginnings(walked.pending))
        self._plans[key] = planned
        dropped = 0
        while len(self._plans) > self.limit:
            self._plans.popitem(last=False)
            dropped += 1
        return dropped

    def clear(self) -> None:
        """Forget all plans."""
        self._plans.clear()
        self._exact.clear()


class NewPlans:
    """Places of a program where one evaluation after the other needs a plan of its own.

    That is so where sizes change, as those of an array that grows. A plan for each costs more than
    it saves there, unless it has much to do.
    """

    def __init__(self) -> None:
        # by code object and instruction: how many there were in a row; the code is held, as an
        # identity means something only as long as it lives
        self.in_a_row: dict[tuple[int, int], tuple[Any, int]] = {}

    def pays(self, place: tuple[Any, int], walked: Walk) -> bool:
        """Count an evaluation that no plan is there for; return whether to make one."""
        code, at = place
        if code.__class__ is str:
            return True
        key = id(code), at
        if len(self.in_a_row) > EXACT:
            self.in_a_row.clear()
        count = self.in_a_row.get(key, (code, 0))[1] + 1
        self.in_a_row[key] = code, count
        # again now and then, as sizes may come to rest
        if count <= IN_A_ROW or not count & (count - 1):
            return True
        if sum(map(work, walked.pending)) >= NODE * len(walked.pending):
            return True
        return any(away(leaf.data) for leaf in walked.leaves)

    def repeated(self, place: tuple[Any, int]) -> None:
        """Note that there was a plan for an evaluation."""
        self.in_a_row.pop((id(place[0]), place[1]), None)
