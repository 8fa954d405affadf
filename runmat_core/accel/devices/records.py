"""What an engine tells of its runs."""

from __future__ import annotations

from runmat_core.accel.graph.node import Shape
from runmat_core.accel.planning.plan import Placement, Plan
from runmat_core.api.tuples import NamedTuple


class Counters:
    """What an engine did.

    Attributes:
        runs: evaluations, of which `by_rules` used no plan and `by_parts` several, with host rules
            where elements are complex.
        plans_made, plan_hits, plans_dropped: of the plan cache.
        plans_loaded: plans that an earlier process made.
        computed: nodes that plans computed, of which `recomputed` were computed before and not
            stored.
        reductions_found: reductions of arrays on a device that were not computed again.
        launches: kernels and library calls.
        passages: runs of statements whose captures were remembered.
        published: arrays given to nodes.
        written: bytes of arrays made by plans, temporary ones included.
        guards_fired: runs whose results turned out complex.
        faults: of providers.
        failures: of planning itself.
        warmup_seconds: time to start providers and to get their rates.
    """

    def __init__(self) -> None:
        self.runs = 0
        self.by_rules = 0
        self.by_parts = 0
        self.plans_made = 0
        self.plan_hits = 0
        self.plans_loaded = 0
        self.plans_dropped = 0
        self.computed = 0
        self.recomputed = 0
        self.reductions_found = 0
        self.launches = 0
        self.passages = 0
        self.published = 0
        self.written = 0
        self.guards_fired = 0
        self.faults = 0
        self.failures = 0
        self.warmup_seconds = 0.0


class CacheNote(NamedTuple):
    """A cache: how much is in it, how much may be, and what became of look-ups."""

    entries: int
    limit: int
    hits: int
    misses: int
    dropped: int


class StoreNote(NamedTuple):
    """Files that processes share.

    Attributes:
        hits, misses: look-ups that found a file, or none.
        stored: files written.
        unusable: files that were damaged, and what could not be read or written.
        nameless: what has no key that means the same in another process.
    """

    hits: int = 0
    misses: int = 0
    stored: int = 0
    unusable: int = 0
    nameless: int = 0


class NodeNote(NamedTuple):
    """A node that ran, as records have it: operation, size, class, line and inputs.

    The inputs are numbers of nodes of the plan, -1 for a scalar; there are none without a plan.
    """

    name: str
    shape: Shape
    cls: str
    line: tuple[str, int]
    inputs: tuple[int, ...] = ()


class AtOnceNote(NamedTuple):
    """A line before which operations run at once, as its evaluations did not pay.

    Attributes:
        file, line: where elements are asked for.
        operations: of the last evaluation there.
        size: elements of its largest array.
        limit: operations on arrays of more elements are captured.
    """

    file: str
    line: int
    operations: int
    size: int
    limit: int


class Record(NamedTuple):
    """What a run did, for those who listen.

    Attributes:
        plan: None where host rules did everything.
        hit: whether the plan was there.
        nodes: the pending nodes of the sub-graph, as numbered in it where there is a plan.
        decisions: for each step of the plan.
        seconds: wall time without planning.
        plan_seconds: of finding or making the plan.
        uploaded, downloaded, written: bytes.
        labels: of launches, in order.
        reason: why host rules did everything, where there is no plan.
        outcome: ``done``, ``guard`` (re-run by host rules), ``fault`` (the same) or ``rules``.
    """

    plan: Plan | None
    hit: bool
    nodes: tuple[NodeNote, ...]
    decisions: tuple[Placement, ...]
    seconds: float
    plan_seconds: float
    uploaded: int
    downloaded: int
    written: int
    labels: tuple[str, ...]
    outcome: str
    reason: str = "only"
