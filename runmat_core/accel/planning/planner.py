"""From a sub-graph to a plan: rewrite, group, lower, place, compile.

Each step is a function that is given; this module calls them in order and finds another target for
what a provider declines: the host provider, else host rules.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import islice
from time import perf_counter
from typing import Any, Protocol

from runmat_core.accel.planning.places import is_open
from runmat_core.accel.planning.plan import (
    Group,
    LoweredUnit,
    Placement,
    Plan,
    PlannedStep,
    Subgraph,
    is_guarded,
    launches_of,
    lines_of,
    units_of,
)
from runmat_core.api.device import Capabilities, Executable, LaunchSizes
from runmat_core.api.ir import Unit
from runmat_core.api.tuples import NamedTuple

#: Which group a provider declined: its number, and ``device`` or ``host``.
Declined = Collection[tuple[int, str]]
Lower = Callable[[Subgraph, Group, Capabilities], LoweredUnit | None]
#: The decisions of an earlier plan for the same groups.
Before = Sequence[Placement] | None
Placing = Callable[
    [Subgraph, Sequence[Group], Sequence[LoweredUnit | None], Declined, Before], Sequence[Placement]
]
#: Makes a program of a sub-graph, its planned steps, and the numbers that its nodes had before it
#: was rewritten.
Assemble = Callable[[Subgraph, Sequence[PlannedStep], Sequence[int], Sequence[int]], Any]


class Passes(NamedTuple):
    """The steps of planning; None for rewriting where nothing is to be rewritten.

    Attributes:
        rewrite: gives what `runmat_core.accel.planning.rewrite.rewrite` gives.
        place: where each group is to run.
        assemble: makes a program, as `runmat_core.accel.running.assembly.build` does.
    """

    partition: Callable[[Subgraph, Capabilities], tuple[Group, ...]]
    lower: Lower
    place: Placing
    assemble: Assemble
    rewrite: Callable[[Subgraph, Capabilities], Any] | None = None


class Target(Protocol):
    """A provider as planning sees it."""

    @property
    def capabilities(self) -> Capabilities:
        """Return what the provider can do."""

    def executables(
        self, units: Sequence[Unit], launches: Sequence[LaunchSizes] = ()
    ) -> list[Executable | None]:
        """Return one executable for each unit; None where the provider declines or fails.

        Args:
            launches: extents and views that each is compiled for.
        """


def plan(
    subgraph: Subgraph,
    passes: Passes,
    device: Target | None,
    host: Target | None,
    before: Before = None,
) -> Plan:
    """Return a plan for every sub-graph with the key of this one.

    Args:
        device, host: the session's providers; one of them there is.
        before: the decisions of an earlier plan for it, which has become stale.
    """
    started = perf_counter()
    first = device or host
    assert first is not None
    capabilities = first.capabilities
    origin: Sequence[int] = range(len(subgraph.nodes))
    scalars = origin
    planned = subgraph
    if passes.rewrite is not None:
        rewritten = passes.rewrite(subgraph, capabilities)
        planned, origin, scalars = rewritten.subgraph, rewritten.origin, rewritten.scalars
    exact = _open_places(subgraph, planned, origin)
    groups = passes.partition(planned, capabilities)
    if device is not None and host is not None and _left_over(planned, groups, passes, host):
        return plan(subgraph, passes, None, host, before)
    drafts = [
        _Draft(group, None if group.kind == "host" else passes.lower(planned, group, capabilities))
        for group in groups
    ]
    _place(planned, drafts, passes, device, host, before)
    steps = tuple([draft.step(planned) for draft in drafts])
    return Plan(
        steps=steps,
        outputs=subgraph.outputs,
        guards=any(is_guarded(s.lowered) for s in steps),
        made_seconds=perf_counter() - started,
        details=passes.assemble(planned, steps, origin, scalars),
        exact=exact or bool(planned.fixed),
        origin=origin,
    )


def _left_over(subgraph: Subgraph, groups: Sequence[Group], passes: Passes, host: Target) -> bool:
    """Whether the device cannot compute most of a sub-graph of which the host provider takes more.

    Then the host provider's groups are the better ones: a device without double precision would
    leave every operation on doubles to a host rule of its own.
    """
    left = _by_rules(groups)
    if 2 * left <= sum(len(group.nodes) for group in groups):
        return False
    return _by_rules(passes.partition(subgraph, host.capabilities)) < left


def _by_rules(groups: Sequence[Group]) -> int:
    """How many nodes only host rules compute."""
    return sum(len(group.nodes) for group in groups if group.kind == "host")


def _open_places(given: Subgraph, planned: Subgraph, origin: Sequence[int]) -> bool:
    """Leave open where views begin; True where the rewrites may have looked at that."""
    places = {k for k, node in enumerate(given.nodes) if node.data is None and is_open(node)}
    if not places:
        return False
    views = [k for k, n in enumerate(planned.nodes) if n.data is None and n.op.kind == "view"]
    for k in views:
        there = origin[k]
        if there < 0 or planned.nodes[k].static != given.nodes[there].static:
            return True
    found = {origin[k]: k for k in views if origin[k] in places}
    if len(found) < len(places) or not all(is_open(planned.nodes[k]) for k in found.values()):
        return True
    planned.open = frozenset(found.values())
    return False


_UNDECIDED = Placement("rules", "only")


class _Draft:
    """A step in the making.

    Attributes:
        lowered: None where only host rules can compute the group.
        made: by target, what was compiled of what; None where the provider declined.
    """

    __slots__ = ("decision", "group", "lowered", "made")

    def __init__(
        self, group: Group, lowered: LoweredUnit | None, decision: Placement = _UNDECIDED
    ) -> None:
        self.group = group
        self.lowered = lowered
        self.decision = decision
        self.made: dict[str, tuple[LoweredUnit, tuple[Executable, ...]] | None] = {}

    def step(self, subgraph: Subgraph) -> PlannedStep:
        nodes = [subgraph.nodes[n] for n in self.group.nodes]
        lines = lines_of(nodes)
        names = tuple(dict.fromkeys([n.op.name for n in nodes if n.op.kind != "source"]))
        made = self.made.get(self.decision.target)
        if made is None:
            group = self.group._replace(kind="host")
            return PlannedStep(group, None, (), self.decision, lines, names)
        return PlannedStep(self.group, *made, self.decision, lines, names)


def _place(
    subgraph: Subgraph,
    drafts: Sequence[_Draft],
    passes: Passes,
    device: Target | None,
    host: Target | None,
    before: Before,
) -> None:
    """Give each group a place that takes it: what one declines is placed again."""
    groups = [draft.group for draft in drafts]
    lowered = [draft.lowered for draft in drafts]
    compilers = {"device": device, "host": host}
    declined: set[tuple[int, str]] = set()
    while True:
        decisions = passes.place(subgraph, groups, lowered, declined, before)
        for draft, decision in zip(drafts, decisions, strict=True):
            draft.decision = decision
        waiting = [d for d in drafts if d.decision.target not in ("rules", *d.made)]
        if not waiting:
            return
        for target, compiler in compilers.items():
            chosen = [d for d in waiting if d.decision.target == target]
            if not chosen:
                continue
            again = target == "host" and device is not None
            _compile(subgraph, chosen, target, compiler, passes.lower if again else None)
            declined.update(
                (k, target) for k, d in enumerate(drafts) if d.made.get(target, d) is None
            )


def _compile(
    subgraph: Subgraph,
    drafts: Sequence[_Draft],
    target: str,
    compiler: Target | None,
    lower: Lower | None,
) -> None:
    """Compile groups for a target, lowered again with `lower` where that is another device."""
    if compiler is None:
        for draft in drafts:
            draft.made[target] = None
        return
    capabilities = compiler.capabilities
    ready: list[tuple[_Draft, LoweredUnit]] = []
    for draft in drafts:
        draft.made[target] = None
        lowered = draft.lowered
        if lower is not None:
            lowered = lower(subgraph, draft.group, capabilities)
        if lowered is not None:
            ready.append((draft, lowered))
    units = [units_of(lowered) for _, lowered in ready]
    launches = [one for _, lowered in ready for one in launches_of(lowered)]
    compiled = [unit for some in units for unit in some]
    made = iter(compiler.executables(compiled, launches) if ready else ())
    for (draft, lowered), some in zip(ready, units, strict=True):
        found = [one for one in islice(made, len(some)) if one is not None]
        if len(found) == len(some):
            draft.made[target] = lowered, tuple(found)
