"""The usual steps of planning, for the providers and settings of a session."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from numpy.typing import NDArray

from runmat_core.accel.devices.provider import Provider
from runmat_core.accel.placement import offload
from runmat_core.accel.placement.costs import Costs
from runmat_core.accel.planning import group, lower
from runmat_core.accel.planning.plan import Group, LoweredUnit, Placement, Subgraph
from runmat_core.accel.planning.planner import Before, Declined, Passes
from runmat_core.accel.planning.rewrite import ALL, rewrite
from runmat_core.accel.running import assembly

__all__ = ["ALL", "usual_passes"]


def usual_passes(
    device: Provider | None,
    host: Provider | None,
    costs: Costs,
    rewrites: frozenset[str],
    force: offload.Force,
    copied: Callable[[NDArray[Any]], bool] = lambda _: False,
) -> Passes:
    """Return the steps of planning.

    Args:
        rewrites: names of the rewrites to use, of `ALL`.
        force: where everything is to run, or ``auto``.
        copied: whether the device has a copy of a host array.
    """

    def place(
        subgraph: Subgraph,
        groups: Sequence[Group],
        lowered: Sequence[LoweredUnit | None],
        declined: Declined,
        before: Before,
    ) -> tuple[Placement, ...]:
        return offload.place(
            subgraph,
            groups,
            lowered,
            device,
            host,
            costs,
            force,
            declined=declined,
            before=before,
            copied=copied,
        )

    rules = partial(rewrite, names=rewrites) if rewrites else None
    return Passes(group.partition, lower.lower, place, assembly.build, rules)
