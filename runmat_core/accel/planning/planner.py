"""From a sub-graph to a plan: rewrite, group, lower, place, compile.

Each step is a function of another module; this one puts them in a row, keeps what was compiled, and
finds a place for what a provider declines: the host provider, else host rules.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Sequence
from itertools import islice
from math import copysign
from time import perf_counter
from typing import Any

from runmat_core.accel.devices.handles import Store
from runmat_core.accel.planning.places import is_open
from runmat_core.accel.planning.plan import (
    Decision,
    Group,
    Plan,
    PlannedStep,
    Runnable,
    Subgraph,
    lines_of,
    units_of,
)
from runmat_core.accel.running import assembly
from runmat_core.api.device import Capabilities, DeviceFault, Executable
from runmat_core.api.ir import Kernel, Unit
from runmat_core.api.tuples import NamedTuple

#: How many compiled units are kept for each provider.
UNITS = 2048

#: Which group a provider declined: its number, and ``device`` or ``host``.
Declined = Collection[tuple[int, str]]
Lower = Callable[[Subgraph, Group, Capabilities], Runnable | None]
#: The decisions of an earlier plan for the same groups.
Before = Sequence[Decision] | None
Place = Callable[
    [Subgraph, Sequence[Group], Sequence[Runnable | None], Declined, Before], Sequence[Decision]
]


class Passes(NamedTuple):
    """The steps of planning; None for rewriting where nothing is to be rewritten.

    Attributes:
        rewrite: gives what `runmat_core.accel.planning.rewrite.rewrite` gives.
        place: where each group is to run.
    """

    partition: Callable[[Subgraph, Capabilities], tuple[Group, ...]]
    lower: Lower
    place: Place
    rewrite: Callable[[Subgraph, Capabilities], Any] | None = None


class Compiler:
    """What one provider compiled, by unit.

    Attributes:
        compiles: how many units it was asked to compile.
        declined: how many of them it declined.
    """

    def __init__(self, store: Store, report: Callable[[DeviceFault], None]) -> None:
        self.store = store
        self.compiles = 0
        self.declined = 0
        self._report = report
        self._known: OrderedDict[Hashable, Executable | None] = OrderedDict()
        self._refused: set[str] = set()

    def executables(self, units: Sequence[Unit]) -> list[Executable | None]:
        """One for each unit; None where the provider declines or fails."""
        keys = [unit_key(unit) for unit in units]
        missing = {k: u for k, u in zip(keys, units, strict=True) if k not in self._known}
        failed: set[Hashable] = set()
        if missing:
            try:
                made = self.store.provider.compile(tuple(missing.values()))
            except DeviceFault as fault:
                # asked again with the next plan: what failed once need not fail always
                self._report(fault)
                failed.update(missing)
            else:
                self.compiles += len(missing)
                if declined := sum([one is None for one in made]):
                    self.declined += declined
                    self._tell_refused()
                self._known.update(zip(missing, made, strict=True))
        found = []
        for key in keys:
            found.append(None if key in failed else self._known[key])
            if key in self._known:
                self._known.move_to_end(key)
        while len(self._known) > UNITS:
            self._known.popitem(last=False)
        return found

    def _tell_refused(self) -> None:
        """Report what the device's own compiler did not take: it was declined, and is a fault."""
        provider = self.store.provider
        for name, why in provider.telemetry().refused:
            if name not in self._refused:
                self._refused.add(name)
                text = f"The acceleration provider '{provider.name}': {why}"
                self._report(DeviceFault(text, "RunMat:accel:invalidShader"))


def unit_key(unit: Unit) -> Hashable:
    """What tells units apart: they and the signs of their zeros, for -0.0 equals 0.0."""
    kernel = unit if isinstance(unit, Kernel) else unit.epilogue
    if kernel is None:
        return unit
    negative = [
        k
        for k, instr in enumerate(kernel.code)
        if instr.op == "const" and instr.attr == 0 and copysign(1.0, instr.attr) < 0
    ]
    return (unit, *negative) if negative else unit


def plan(
    subgraph: Subgraph,
    passes: Passes,
    device: Compiler | None,
    host: Compiler | None,
    before: Before = None,
) -> Plan:
    """A plan for every sub-graph with the key of this one.

    Args:
        device, host: the session's providers; one of them there is.
        before: the decisions of an earlier plan for it, which has become stale.
    """
    started = perf_counter()
    first = device or host
    assert first is not None
    capabilities = first.store.provider.capabilities
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
        guards=any(assembly.guards(s.lowered) for s in steps),
        made_seconds=perf_counter() - started,
        details=assembly.build(planned, steps, origin, scalars),
        exact=exact or bool(planned.fixed),
        origin=origin,
    )


def _left_over(subgraph: Subgraph, groups: Sequence[Group], passes: Passes, host: Compiler) -> bool:
    """Whether the device cannot compute most of a sub-graph of which the host provider takes more.

    Then the host provider's groups are the better ones: a device without double precision would
    leave every operation on doubles to a host rule of its own.
    """
    left = _by_rules(groups)
    if 2 * left <= sum(len(group.nodes) for group in groups):
        return False
    return _by_rules(passes.partition(subgraph, host.store.provider.capabilities)) < left


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


_UNDECIDED = Decision("rules", "only")


class _Draft:
    """A step in the making.

    Attributes:
        lowered: None where only host rules can compute the group.
        made: by target, what was compiled of what; None where the provider declined.
    """

    __slots__ = ("decision", "group", "lowered", "made")

    def __init__(
        self, group: Group, lowered: Runnable | None, decision: Decision = _UNDECIDED
    ) -> None:
        self.group = group
        self.lowered = lowered
        self.decision = decision
        self.made: dict[str, tuple[Runnable, tuple[Executable, ...]] | None] = {}

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
    device: Compiler | None,
    host: Compiler | None,
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
    compiler: Compiler | None,
    lower: Lower | None,
) -> None:
    """Compile groups for a target, lowered again with `lower` where that is another device."""
    if compiler is None:
        for draft in drafts:
            draft.made[target] = None
        return
    capabilities = compiler.store.provider.capabilities
    ready: list[tuple[_Draft, Runnable]] = []
    for draft in drafts:
        draft.made[target] = None
        lowered = draft.lowered
        if lower is not None:
            lowered = lower(subgraph, draft.group, capabilities)
        if lowered is not None:
            ready.append((draft, lowered))
    units = [units_of(lowered) for _, lowered in ready]
    made = iter(compiler.executables([unit for some in units for unit in some]) if ready else ())
    for (draft, lowered), some in zip(ready, units, strict=True):
        found = [one for one in islice(made, len(some)) if one is not None]
        if len(found) == len(some):
            draft.made[target] = lowered, tuple(found)
