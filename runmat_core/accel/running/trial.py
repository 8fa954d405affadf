"""Computing nodes on providers or not at all: what finds out whether a guard fires."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

from runmat_core.accel.graph.node import Node
from runmat_core.accel.planning import collect
from runmat_core.accel.planning.plan import Plan, Subgraph
from runmat_core.accel.running.engine import Engine, notes_of
from runmat_core.api.errors import MatlabError


def tried(engine: Engine, nodes: Sequence[Node]) -> bool:
    """Whether nodes were given their data without a guard that fired, a fault or an error.

    Otherwise nothing was published, and the nodes are as they were. Loops and library calls that
    guard are not left to host rules, which would go on with what they find.
    """
    roots = tuple([node for node in dict.fromkeys(nodes) if node.data is None])
    if not roots:
        return True
    started = perf_counter()
    before = engine.unattributed()
    walked = collect.walk(roots)
    found = engine.planned(walked) if engine.places.any and not walked.foreign else None
    if found is None:
        return False
    kept, subgraph, hit = found
    if kept.complex or _by_rules(kept.plan, subgraph):
        return False
    notes = notes_of(subgraph.nodes, subgraph.inputs) if engine.listeners else ()
    ready = perf_counter()
    try:
        outcome, how = engine.executed(kept.plan, subgraph, 0)
    except MatlabError:
        return False
    if how != "done":
        return False
    engine.counters.runs += 1
    engine.graph.ran(len(walked.pending))
    kept.plan.runs += 1
    kept.spent += perf_counter() - ready
    if engine.listeners:
        engine.tell(kept.plan, hit, notes, outcome, (started, ready), before, how)
    return True


def _by_rules(plan: Plan, subgraph: Subgraph) -> bool:
    """Whether a host rule is to run what guards."""
    for step in plan.steps:
        if step.lowered is None:
            for k in step.group.nodes:
                node = subgraph.nodes[k]
                if node.op.kind == "loop" or (node.op.kind == "call" and node.guarded):
                    return True
    return False
