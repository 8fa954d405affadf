"""Placements of whole plans beside all others, and what steps cost."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

import pytest

from runmat_core.accel.placement.costs import Costs, Link, Rates
from runmat_core.api.device import DeviceArray
from runmat_core.session import Session
from tests.accel.chains import Chain, resident


def total(chain: Chain, labels: Sequence[bool], costs: Costs, gathered: Sequence[int]) -> float:
    """What a placement costs, counted array by array.

    What is gathered comes with one download at the end, all else with one for each array.
    """
    seconds, latency = 0.0, costs.download(0)
    if any(labels[number - 1] for number in gathered):
        seconds += latency
    for unit, there in zip(chain.lowered, labels, strict=True):
        by_rules = costs.estimate(unit, "rules") + costs.aside
        host = min(costs.estimate(unit, "host"), by_rules)
        seconds += costs.estimate(unit, "device") if there else host
    nodes = chain.subgraph.nodes
    for number, node in enumerate(nodes):
        made_there = isinstance(node.data, DeviceArray) if number == 0 else labels[number - 1]
        readers = [labels[user - 1] for user in chain.subgraph.users[number]]
        moved = any(reader != made_there for reader in readers)
        size = node.size * 8
        if moved:
            seconds += costs.download(size) if made_there else costs.upload(size)
        elif made_there and number in gathered:
            seconds += costs.download(size) - latency
    return seconds


@pytest.mark.parametrize("seed", range(4))
def test_no_other_placement_of_the_plan_is_cheaper(seed: int) -> None:
    rng = random.Random(seed)
    placements = set()
    for _ in range(25):
        count = rng.randint(1, 7)
        reads = [
            tuple(sorted(rng.sample(range(k + 1), min(k + 1, rng.randint(1, 3)))))
            for k in range(count)
        ]
        leaf = resident() if rng.random() < 0.5 else None
        chain = Chain(reads, leaf=leaf)
        costs = Costs(
            device=Rates(
                1e-5,
                {"stream": rng.choice((1e-12, 5e-11, 2e-10))},
                Link(1e-4, rng.choice((2e-11, 1e-10))),
                Link(1e-4, rng.choice((2e-11, 1e-10))),
            ),
            host=Rates(2e-5, {"stream": 1e-10}),
            rules=Rates(1e-6, {"stream": 8e-11}),
        )
        gathered = rng.sample(range(1, count + 1), rng.randint(0, min(2, count)))
        decisions = chain.place(costs=costs, gathered=gathered)
        labels = tuple(decision.target == "device" for decision in decisions)
        placements.add(labels)
        least = min(
            total(chain, every, costs, gathered)
            for every in itertools.product((False, True), repeat=count)
        )
        assert total(chain, labels, costs, gathered) == pytest.approx(least, rel=1e-6)
    # the costs are such that both places are used, and mixtures of them
    assert len(placements) > 10


def test_a_step_on_a_provider_costs_the_core_something() -> None:
    unit = Chain([(0,)], size=1).lowered[0]
    nothing = Rates(0, {})
    costs = Costs(host=nothing, rules=nothing, overhead=1e-3)
    assert costs.estimate(unit, "host") == costs.launch("host") == 1e-3
    assert costs.estimate(unit, "rules") == costs.launch("rules") == 0


def test_host_rules_pay_for_constants_in_full() -> None:
    session = Session(provider="inprocess")
    session.run("x = ones(2e6, 1); y = exp(x + 1) .* 2; if y(end) > 0, t = 1; end")
    # a kernel has the exponential as one number
    assert session.interp.seat.engine.counters.launches > 0  # type: ignore[union-attr]
