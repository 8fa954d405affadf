"""The acceleration of one session: graph, plans, providers, and what happens when these fail.

Providers start with the first plan. Whatever goes wrong on a device (no memory, a fault, a device
that is gone), the nodes are computed by host rules as long as what they need can be had, and the
user is told once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import prod
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.accel import caches
from runmat_core.accel.devices.handles import BufferManager, DeviceBuffer
from runmat_core.accel.devices.places import ProviderSet
from runmat_core.accel.devices.provider import debugging, describe
from runmat_core.accel.devices.providers import Choice, Settings
from runmat_core.accel.devices.records import CacheNote, Counters, NodeNote, Record, StoreNote
from runmat_core.accel.graph import rules
from runmat_core.accel.graph.graph import Graph
from runmat_core.accel.graph.node import Node
from runmat_core.accel.graph.written import current_location
from runmat_core.accel.planning import collect
from runmat_core.accel.planning.keeping import Keeping
from runmat_core.accel.planning.plan import Plan, Subgraph
from runmat_core.accel.planning.planner import Passes, plan
from runmat_core.accel.planning.plans import NewPlans, PlanCache, Planned
from runmat_core.accel.running import executor, learning
from runmat_core.accel.running.at_once import Sites, little_below
from runmat_core.accel.running.executor import GuardFired, Outcome
from runmat_core.accel.running.loop_registry import LoopRegistry
from runmat_core.accel.running.moments import RESULTS_OF, Moments, Watched
from runmat_core.api.device import DeviceFault, Executable, LaunchSizes, OutOfDeviceMemory
from runmat_core.api.errors import MatlabError
from runmat_core.api.ir import Unit

if TYPE_CHECKING:
    from runmat_core.accel.running.stored_plans import StoredPlans


class Engine:
    """The acceleration of one session.

    Args:
        config: the configuration; see `runmat_core.session.settings` for the keys ``accel.…``.
        cache_folder: where providers may keep files; empty: nowhere.
        plan_cache: how many plans to keep, instead of what the configuration says.
        rewrites: names of the rewrites to use; None: all of them.
        passes: the steps of planning, instead of the usual ones.

    Attributes:
        graph: the nodes.
        threshold: elements from which on operations are captured.
        counters: what it did.
        provider_epoch: counts the changes of providers.
        passages: whether runs of statements are remembered.
        listeners: called with a `Record` after each run.
        readers: called with the bytes of each array brought from a device outside of plans.
        sites: where evaluations did not pay.
        moments: reductions of arrays on a device that were computed before.
    """

    def __init__(
        self,
        config: Settings,
        cache_folder: str = "",
        plan_cache: int | None = None,
        rewrites: Sequence[str] | None = None,
        passes: Passes | None = None,
    ) -> None:
        self.config = config
        self.cache_folder = cache_folder
        self.rewrites = rewrites
        self.counters = Counters()
        self.provider_epoch = 0
        self.passages = bool(config["accel.passages"])
        self.listeners: list[Callable[[Record], None]] = []
        self.readers: list[Callable[[int], None]] = []
        self._attributed = (0, 0)
        self.graph = Graph(self.run, self.elements, partial(self.run, gather=True))
        limit = config["accel.plan_cache"] if plan_cache is None else plan_cache
        self._plans = PlanCache(limit)
        self._new = NewPlans()
        self._keeping = Keeping()
        self.moments = Moments(self.counters)
        self._verify = bool(config["accel.verify"])
        self._passes = self._given = passes
        self._costs: Any = None
        self._stored: StoredPlans | None = None
        self._stores_plans = bool(
            cache_folder and passes is None and limit and config["accel.plan_files"]
        )
        self.places = ProviderSet(config, cache_folder, self.counters, self._forget_plans)
        self.sites = Sites()
        # who names a threshold wants everything from there on to be captured, and a trial of
        # placements or of plans wants these
        self._charges = (
            config["accel.threshold"] == "auto"
            and config["accel.offload.force"] == "auto"
            and passes is None
            and not self._verify
        )
        self.loops = LoopRegistry(
            self.places, bool(config["accel.loops"]), lambda: self.costs, self._body
        )

    # -- providers --------------------------------------------------------------------------------

    @property
    def choice(self) -> Choice:
        """The providers, started now where they are not yet."""
        return self.places.choice

    @property
    def stores(self) -> dict[str, BufferManager]:
        """The arrays on each provider that was started."""
        return self.places.stores

    @property
    def live_handles(self) -> int:
        """How many arrays the session has on providers."""
        return self.places.live_handles

    def use(self, config: Settings) -> None:
        """Go on with the providers of another configuration; see `ProviderSet.use`."""
        self.places.use(config)
        self.config = config

    def _forget_plans(self) -> None:
        self.provider_epoch += 1
        if self._stored is not None:
            self._stored.forget()
        self.sites.forget()
        self.sites.started = False
        self._plans.clear()
        self._new.in_a_row.clear()
        self._passes = self._given
        self._costs = None
        self.loops.forget()

    # -- evaluating -------------------------------------------------------------------------------

    def elements(self, node: Node) -> NDArray[Any]:
        """Return the elements of a node on the host, computed now where they are pending.

        Raises:
            MatlabError: of a host rule, or where they are lost with their device.
        """
        if node.data is None and node.op.kind == "fill" and not self.listeners:
            rules.evaluate([node])  # for this alone no provider has to start
        elif node.data is None:
            self.run((node,), gather=True)
        data: Any = node.data
        if data.__class__ is not np.ndarray:
            if node.reads < 0:
                self._keeping.read(node)
            node.data = data = self._fetched(node, data)
        return data  # type: ignore[no-any-return]

    def _fetched(self, node: Node, held: DeviceBuffer) -> NDArray[Any]:
        store = self.stores[held.owner]
        try:
            try:
                (array,), _ = store.download((held,))
            except DeviceFault as fault:
                if store.lost:
                    raise
                self.places.report(fault)
                (array,), _ = store.download((held,))
        except DeviceFault as fault:
            self.places.report(fault)
            raise _as_error(fault, node) from fault
        store.remember(array, held)
        if store.own_memory:
            up, down = self._attributed
            self._attributed = (up, down + array.nbytes)
            for reader in self.readers:
                reader(array.nbytes)
        return array

    def run(self, nodes: Sequence[Node], gather: bool = False) -> None:
        """Give nodes their data, all or (where a host rule fails) none of them.

        Args:
            gather: bring them to the host, too.
        """
        roots = self._unknown(nodes)
        if not roots:
            return
        self.counters.runs += 1
        started = perf_counter()
        told = bool(self.listeners)
        before = self.unattributed() if told else (0, 0)
        if self._charges:
            if not self.sites.started and self.places.started:
                self.sites.start(self.places.break_even)
            little = little_below(self.graph, roots, self.sites)
            if little:
                self._by_rules_for_little(roots, little, before)
                return
        somewhere = self.places.ready or self.places.any
        walked, watched = self._walked(roots, somewhere)
        found = self.planned(walked) if somewhere and not walked.foreign else None
        if found is None:
            notes = notes_of(walked.pending) if told else ()
            if walked.foreign and somewhere:
                self._promote(roots, gather, ())
            else:
                self._by_rules(roots)
            if told:
                self.tell(None, False, notes, Outcome(), (started, started), before, "rules")
            return
        kept, subgraph, hit = found
        if kept.complex:
            still = self._promote(roots, gather, [subgraph.nodes[k] for k in kept.complex])
            kept.complex = kept.complex if still else ()
            return
        planned = kept.plan
        ready = perf_counter()
        notes = notes_of(subgraph.nodes, subgraph.inputs) if told else ()
        if self._verify:
            from runmat_core.accel.running import verify

            sizes = verify.Magnitudes()
            expected = rules.compute(walked.roots, sizes.note)
        costs, by_rules = self._costs, 0.0
        if costs is not None and costs.learnt.unsettled:
            by_rules = learning.by_rules(costs, planned, walked.roots)
        outcome, how = self.executed(planned, subgraph, len(roots) if gather else 0)
        if by_rules:
            learning.compare(costs, outcome, by_rules)
        if how == "guard":
            there = {id(node): k for k, node in enumerate(subgraph.nodes)}
            kept.complex = tuple([there[id(n)] for n in self._promote(roots, gather)])
        elif how != "done":
            self._by_rules(roots)
        elif watched:
            self.moments.note(watched)
        if self._verify:
            verify.compare(expected, sizes, self._unverified)
        for node in walked.cold:
            node.reads += 1
        self.counters.computed += len(walked.pending)
        self.counters.recomputed += walked.again
        self.graph.ran(len(walked.pending))
        planned.runs += 1
        kept.spent += perf_counter() - ready
        if told:
            self.tell(planned, hit, notes, outcome, (started, ready), before, how)

    def _unknown(self, nodes: Sequence[Node]) -> tuple[Node, ...]:
        """Those of some nodes that are pending, and no reductions that were computed before."""
        if len(nodes) == 1:
            roots = tuple(nodes) if nodes[0].data is None else ()
        else:
            roots = tuple([node for node in dict.fromkeys(nodes) if node.data is None])
        if RESULTS_OF and self.moments.settle(roots):
            roots = tuple([node for node in roots if node.data is None])
        return roots

    def _walked(
        self, roots: tuple[Node, ...], somewhere: bool
    ) -> tuple[collect.Walk, Sequence[Watched]]:
        """Return what is below `roots`, and its reductions that are to be remembered.

        Args:
            somewhere: whether a provider may run it.
        """
        if not somewhere:
            return collect.walk(roots, (), self._keeping), ()
        moments = self.moments
        further = moments.further(roots) if moments.more else {}
        sibling_roots = [*self._companions(), *further]
        walked = collect.walk(roots, sibling_roots, self._keeping)
        if RESULTS_OF and moments.settle(walked.pending):
            walked = collect.walk(roots, sibling_roots, self._keeping)
        return walked, moments.watch(walked.roots, further) if self.places.far else ()

    def _unverified(self, nodes: Sequence[Node]) -> None:
        self._verify = False
        try:
            self.run(nodes)
        finally:
            self._verify = True

    def _by_rules_for_little(
        self, roots: Sequence[Node], pending: Sequence[Node], before: tuple[int, int]
    ) -> None:
        """Compute `roots` by host rules, for a plan of so little work would cost more.

        Args:
            pending: what is to be computed.
        """
        started = perf_counter()
        notes = notes_of(pending) if self.listeners else ()
        self.sites.did_not_pay(current_location(3), pending)
        self._by_rules(roots)
        if self.listeners:
            times = (started, started)
            self.tell(None, False, notes, Outcome(), times, before, "rules", "too-little")

    def planned(self, walked: collect.Walk) -> tuple[Planned, Subgraph, bool] | None:
        """Return the plan for what was walked; None where host rules are to compute it."""
        known = self._plans.get(walked)
        # the costs are made with the first plan
        version = 0 if self._costs is None else self._costs.learnt.version
        if known is None and self._charges and not self._new.pays(current_location(3), walked):
            return None
        if known is not None and (known.version == version or known.holds(version)):
            if self._new.in_a_row:
                self._new.repeated(current_location(3))
            self.counters.plan_hits += 1
            return known, known.template.bind(walked), True
        if known is None and self._stores_plans:
            name = self.stored.name_of(walked, self.places.roles)
            loaded = self.stored.load(name, walked, self.costs.learnt.version, self._compiled)
            if loaded is not None:
                self.counters.plans_loaded += 1
                self.counters.plans_dropped += self._plans.put(walked, loaded[0])
                return *loaded, False
        else:
            name = "" if known is None else known.name
        subgraph, template = collect.subgraph(walked)
        before = None if known is None else [step.decision for step in known.plan.steps]
        try:
            made = plan(subgraph, self.passes, self.places.device, self.places.host, before)
        except Exception as problem:
            if debugging():
                raise
            self.counters.failures += 1
            # a fusion function that does not trace, or a fault of the planner: host rules are right
            message = (
                problem.message
                if isinstance(problem, MatlabError)
                else (f"Planning failed, and host rules are used: {describe(problem)}")
            )
            self.places.warn_once("RunMat:accel:planning", message)
            return None
        self.counters.plans_made += 1
        planned = Planned(made, template, version, name)
        self.counters.plans_dropped += self._plans.put(walked, planned)
        if name:
            self.stored.keep(name, planned, subgraph)
        return planned, subgraph, False

    def _body(self, parts: Any, kept: dict[Any, Any], key: Any, make: Callable[[], Any]) -> Any:
        """Return what a loop's body came to, kept with it or on disk."""
        if key not in kept and self._stores_plans:
            kept[key] = self.stored.body(parts, self.places.roles, make)
        return kept[key] if key in kept else make()

    def _compiled(
        self, target: str, units: list[Unit], launches: list[LaunchSizes]
    ) -> Sequence[Executable | None]:
        """Return an executable for each unit on a target, or None."""
        compiler = self.places.device if target == "device" else self.places.host
        return [None] * len(units) if compiler is None else compiler.executables(units, launches)

    def executed(self, planned: Plan, subgraph: Subgraph, gather: int) -> tuple[Outcome, str]:
        """Run a plan; how that ended."""
        counters = self.counters
        if self.places.device is not None:
            self.places.sweep()
        for attempt in (1, 2):
            if attempt == 2:
                # only now has the fault let go of what the first attempt had made
                self.places.make_room()
            try:
                outcome = executor.run(planned, subgraph, self.places.stores, gather)
            except GuardFired:
                counters.guards_fired += 1
                return Outcome(), "guard"
            except DeviceFault as fault:
                if isinstance(fault, OutOfDeviceMemory) and attempt == 1:
                    counters.faults += 1
                    continue
                self.places.report(fault)
                self.places.blame(planned, fault)
                return Outcome(), "fault"
            # a second attempt may have met any memory
            if attempt == 1 and outcome.alone is not None and planned.runs in learning.LEARNING:
                learning.observe(self._costs, self.places.providers[0], outcome.alone)
            counters.launches += outcome.launches
            counters.published += outcome.published
            counters.written += outcome.written
            return outcome, "done"
        raise AssertionError("a second attempt ends in one way or another")

    def _by_rules(self, roots: Sequence[Node]) -> None:
        self.counters.by_rules += 1
        rules.evaluate([node for node in roots if node.data is None])

    def _promote(
        self, roots: Sequence[Node], gather: bool, doubtful: Sequence[Node] | None = None
    ) -> list[Node]:
        """Compute `roots` where elements are complex, or may be; see `promotion.compute`."""
        from runmat_core.accel.running import promotion

        self.counters.by_parts += 1
        return promotion.compute(roots, lambda nodes: self.run(nodes, gather), self._read, doubtful)

    def _read(self, nodes: Sequence[Node]) -> list[bool]:
        """Return the elements of computed scalars, in one transfer from each provider."""
        away: dict[str, list[Any]] = {}
        for node in nodes:
            if node.data.__class__ is DeviceBuffer:
                away.setdefault(node.data.owner, []).append(node)
        for owner, there in away.items():
            try:
                arrays, _ = self.stores[owner].download([node.data for node in there])
            except DeviceFault as fault:
                self.places.report(fault)
                raise _as_error(fault, there[0]) from fault
            for node, array in zip(there, arrays, strict=True):
                node.data = array
        return [bool(node.elements().any()) for node in nodes]

    def _companions(self) -> list[Node]:
        """Small results that may as well be computed with what reads the same arrays."""
        found = []
        for node in self.graph.pending():
            kind = node.op.kind
            if kind == "map":
                # the root of a sum of squares is as good as the sum
                reduces = any(map(_reduces, node.inputs))
            else:
                reduces = kind == "reduce" or kind == "item"
            if reduces and (prod(node.shape) <= executor.SMALL or _of_loop(node)):
                found.append(node)
        return found

    def plan_files(self) -> StoreNote:
        """How the plans on disk are used."""
        return StoreNote() if self._stored is None else self._stored.note

    def plan_cache(self) -> CacheNote:
        """How the cache of plans is used."""
        counters = self.counters
        return CacheNote(
            len(self._plans),
            self._plans.limit,
            counters.plan_hits,
            counters.plans_made,
            counters.plans_dropped,
        )

    def finish(self) -> None:
        """Compute everything that a value stands for, and wait for the devices."""
        self.graph.finish()
        self.places.synchronize()

    @property
    def stored(self) -> StoredPlans:
        """The plans on disk; what finds them is loaded with the first plan."""
        if self._stored is None:
            from runmat_core.accel.running.stored_plans import StoredPlans

            most = self.config["accel.plan_files"]
            interner = self.graph.interner
            self._stored = StoredPlans(self.cache_folder, most, interner, self._plans_depend_on)
        return self._stored

    def _plans_depend_on(self) -> Any:
        """Return what plans depend on besides their sub-graphs."""
        names = "all" if self.rewrites is None else tuple(sorted(self.rewrites))
        settings = tuple([self.config[f"accel.offload.{name}"] for name in ("force", "pin")])
        providers = [
            None if one is None else (one.installed.name, one.installed.version, one.capabilities)
            for one in self.places.providers
        ]
        return names, settings, providers, self.costs.told

    def close(self) -> None:
        """Give everything back; pending nodes can still be computed by host rules."""
        if self._stored is not None:
            self._stored.write()
        self._plans.clear()
        self.places.close()

    # -- planning ---------------------------------------------------------------------------------

    @property
    def passes(self) -> Passes:
        """The steps of planning; their modules are loaded with the first plan."""
        if self._passes is None:
            from runmat_core.accel.running.passes import ALL, usual_passes

            names = ALL if self.rewrites is None else frozenset(self.rewrites)
            force = self.config["accel.offload.force"]
            self._passes = usual_passes(
                *self.places.providers, self.costs, names, force, self.places.has_copy
            )
        return self._passes

    @property
    def costs(self) -> Any:
        """What work costs where."""
        if self._costs is None:
            from runmat_core.accel.devices.calibrate import pinned_costs, session_costs

            if self.config["accel.offload.pin"]:
                self._costs = pinned_costs(Choice(*self.places.providers))
                return self._costs
            mode = self.config["accel.offload.calibrate"]
            folder = caches.folder("accel") if self.cache_folder else None
            providers = Choice(*self.places.providers)
            started = perf_counter()
            self._costs = session_costs(providers, mode, folder)
            self.counters.warmup_seconds += perf_counter() - started
        return self._costs

    def unlearn(self, run: int) -> None:
        """Forget what a run of code taught about costs: it broke off, and may have met anything."""
        if self._costs is not None:
            self._costs.learnt.undo(run)

    # -- telling ----------------------------------------------------------------------------------

    def unattributed(self) -> tuple[int, int]:
        """Bytes sent and brought so far that belong to no finished run and no read."""
        uploaded, downloaded = self.places.moved()
        return uploaded - self._attributed[0], downloaded - self._attributed[1]

    def tell(
        self,
        planned: Plan | None,
        hit: bool,
        notes: tuple[NodeNote, ...],
        outcome: Outcome,
        times: tuple[float, float],
        before: tuple[int, int],
        how: str,
        reason: str = "only",
    ) -> None:
        """Tell the listeners of a run; `reason` is that for host rules where there is no plan."""
        up, down = self.unattributed()
        up, down = up - before[0], down - before[1]
        # a run within another one takes its share
        self._attributed = (self._attributed[0] + up, self._attributed[1] + down)
        record = Record(
            plan=planned,
            hit=hit,
            nodes=notes,
            decisions=() if planned is None else tuple([s.decision for s in planned.steps]),
            seconds=perf_counter() - times[1],
            plan_seconds=times[1] - times[0],
            uploaded=up,
            downloaded=down,
            written=outcome.written,
            labels=tuple(outcome.labels),
            outcome=how,
            reason=reason,
        )
        for listener in self.listeners:
            listener(record)


def _reduces(value: Any) -> bool:
    """Whether a value is a reduction that is not computed yet."""
    return value.__class__ is Node and value.data is None and value.op.kind == "reduce"


def _of_loop(node: Node) -> bool:
    """Whether a node is a variable after a loop, which is not run again for each of them."""
    return node.op.kind == "item" and node.inputs[0].op.kind == "loop"


def notes_of(
    nodes: Sequence[Node], inputs: Sequence[tuple[int, ...]] | None = None
) -> tuple[NodeNote, ...]:
    """Return what records keep of nodes; `inputs` as a sub-graph has them."""
    below = inputs or [()] * len(nodes)
    return tuple(
        [NodeNote(n.op.name, n.shape, n.cls, n.line, b) for n, b in zip(nodes, below, strict=True)]
    )


def _as_error(fault: DeviceFault, node: Node) -> MatlabError:
    """Return a fault as the error of the line where `node` was written."""
    error = MatlabError(fault.identifier, fault.message)
    rules.place_error(error, node)
    return error
