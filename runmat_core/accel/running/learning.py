"""Learning from runs of plans what work costs."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Any

from runmat_core.accel.context import get
from runmat_core.accel.graph import rules
from runmat_core.accel.graph.node import Node
from runmat_core.accel.planning.plan import KernelCall, Plan
from runmat_core.accel.running.executor import Outcome
from runmat_core.api.errors import MatlabError

#: The runs of a plan that correct the costs: not the first, which makes and fills caches.
LEARNING = range(1, 8)
#: Shorter times tell about the call rather than about the work.
WORTH_LEARNING = 1e-3


def observe(costs: Any, device: Any, alone: tuple[str, KernelCall, float]) -> None:
    """Let the time of a launch correct what work is thought to cost."""
    owner, lowered, seconds = alone
    if costs is not None and seconds >= WORTH_LEARNING:
        costs.learnt.begin(_run())
        there = device is not None and device.name == owner
        costs.observe(lowered, "device" if there else "host", seconds)


def by_rules(costs: Any, plan: Plan, roots: Sequence[Node]) -> float:
    """Return the seconds that host rules take for a plan of one kernel, where that is in doubt.

    Else zero.

    What they compute is dropped: results are those of the plan.
    """
    decisions = [step.decision for step in plan.steps]
    if any(one.target == "rules" and one.host_seconds is not None for one in decisions):
        costs.learnt.left_to_rules()
    step = plan.steps[0]
    if (
        len(plan.steps) > 1
        or step.group.kind != "kernel"
        or not isinstance(step.lowered, KernelCall)
    ):
        return 0.0
    if not plan.runs or step.decision.target != "host" or not costs.wants_both(step.lowered):
        return 0.0
    started = perf_counter()
    try:
        rules.compute(roots)
    except MatlabError:
        return 0.0
    return perf_counter() - started


def compare(costs: Any, outcome: Outcome, seconds: float) -> None:
    """Learn from a run of a plan and from the `seconds` that host rules took just before."""
    if outcome.alone is not None:
        _, lowered, there = outcome.alone
        costs.learnt.begin(_run())
        costs.compare(lowered, there, seconds)


def _run() -> int:
    """Return the number of the run of code that is going on."""
    seat = get()
    return 0 if seat is None else seat.begun
