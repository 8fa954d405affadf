"""Where groups run, and the reasons given."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from typing import Any

import attrs
import numpy as np
import pytest

from runmat_core.accel.graph.node import SOURCE, Node, Op
from runmat_core.accel.placement.costs import Costs, Link, Rates, typical
from runmat_core.accel.placement.offload import place, refusal
from runmat_core.accel.planning.plan import BufferRef, Decision, Group, Lowered, Subgraph
from runmat_core.api import ir
from runmat_core.api.device import Addressing, Capabilities, DeviceArray

ALL = frozenset(ir.ITEMSIZE)
MAP = Op("f", "map", lambda node, *values: None)


class Device:
    def __init__(self, name: str, kind: Any = "device", **capabilities: Any) -> None:
        self.name = name
        self.capabilities = Capabilities(
            name=name,
            kind=kind,
            **{"dtypes": ALL, "libraries": frozenset({"matmul"})} | capabilities,
        )


GPU = Device("gpu")
CPU = Device("cpu", "host")

#: A device a thousand times as fast as the host, at the far end of a slow link.
COSTS = Costs(
    device=Rates(1e-5, {"stream": 1e-13}, Link(1e-4, 1e-10), Link(1e-4, 1e-10)),
    host=Rates(2e-5, {"stream": 1e-10}),
    rules=Rates(1e-6, {"stream": 1e-10}),
    overhead=0,
    aside=0,
)


def kernel(function: Callable[..., Any], inputs: int, dtype: str = "f64") -> ir.Kernel:
    """One output over one axis from contiguous inputs."""
    builder = ir.Builder()
    values = [ir.V(builder, builder.emit("load", (), dtype, 1, k)) for k in range(inputs)]
    result = function(*values)
    builder.emit("store", (result.position,), result.dtype, 1, inputs)
    buffers = (*(ir.Buffer(dtype) for _ in values), ir.Buffer(result.dtype, "write"))
    views = tuple(ir.View(k, (True,), True) for k in range(inputs + 1))
    return ir.Kernel((ir.Axis(),), buffers, views, (), tuple(builder.code))


class Chain:
    """Groups of one node each over vectors of `size` doubles, node 0 being the only leaf.

    `reads` gives for each group the numbers of the nodes that it reads; group k makes node k + 1.
    """

    def __init__(
        self,
        reads: list[tuple[int, ...]],
        size: int = 10**6,
        leaf: Any = None,
        function: Callable[..., Any] | None = None,
        cls: str = "double",
    ) -> None:
        shape = (size, 1)
        nodes = [Node(None, SOURCE, (), (), shape, cls, 0)]  # type: ignore[arg-type]
        nodes[0].data = np.zeros(shape, order="F") if leaf is None else leaf
        self.groups, self.lowered = [], []
        users: list[list[int]] = [[] for _ in range(len(reads) + 1)]
        for number, inputs in enumerate(reads, 1):
            nodes.append(
                Node(None, MAP, tuple(nodes[i] for i in inputs), (), shape, cls, number)  # type: ignore[arg-type]
            )
            for i in inputs:
                users[i].append(number)
            unit = kernel(
                function or (lambda x, *others: sum(others, x) * 2 + 1),
                len(inputs),
                ir.DTYPE_OF[cls],
            )
            refs = (*map(BufferRef, inputs), BufferRef(number))
            views = (Addressing(0, (1,)),) * len(refs)
            writes = frozenset({len(inputs)})
            self.lowered.append(Lowered(unit, refs, writes, (size,), views, (), "f"))
            self.groups.append(Group("kernel", (number,), (number,), shape))
        self.subgraph = Subgraph(
            nodes,
            [(), *reads],
            users,
            (len(reads),),
            frozenset(),
            {id(node): k for k, node in enumerate(nodes)},
        )

    def place(
        self, device: Any = GPU, host: Any = CPU, costs: Costs = COSTS, **options: Any
    ) -> Any:
        return place(self.subgraph, self.groups, self.lowered, device, host, costs, **options)

    def targets(self, **options: Any) -> list[str]:
        return [decision.target for decision in self.place(**options)]

    def reasons(self, **options: Any) -> list[str]:
        return [decision.reason for decision in self.place(**options)]


def resident(size: int = 10**6) -> DeviceArray:
    return DeviceArray((size, 1), "f64", "gpu", object())


def long_chain(count: int) -> list[tuple[int, ...]]:
    return [(k,) for k in range(count)]


# -- cost and residency ----------------------------------------------------------------------------


def test_much_work_pays_for_the_transfers() -> None:
    chain = Chain(long_chain(20))
    assert set(chain.targets()) == {"device"}
    assert set(chain.reasons()) == {"cost"}


def test_little_work_stays_although_the_device_is_faster() -> None:
    chain = Chain([(0,)])
    (decision,) = chain.place()
    assert (decision.target, decision.reason) == ("host", "residency")
    assert decision.device_seconds > decision.host_seconds


def test_resident_operands_draw_work_to_the_device() -> None:
    chain = Chain([(0,)], leaf=resident())
    assert chain.targets(gathered=()) == ["device"]
    # a device slower than the host still wins where fetching the operand costs more
    slow = Costs(
        device=Rates(1e-5, {"stream": 2e-10}, Link(1e-4, 1e-8), Link(1e-4, 1e-8)),
        host=COSTS.rates["host"],
        rules=COSTS.rates["rules"],
    )
    assert chain.targets(costs=slow, gathered=()) == ["device"]
    assert chain.reasons(costs=slow, gathered=()) == ["residency"]


def test_what_the_device_has_a_copy_of_is_not_brought_over() -> None:
    chain = Chain([(0,)])
    leaf = chain.subgraph.nodes[0].data
    (paid,) = chain.place()
    (free,) = chain.place(copied=lambda array: array is leaf)
    assert (paid.target, free.target) == ("host", "device")
    assert free.device_seconds < paid.device_seconds
    # the host has it, too
    assert free.host_seconds == paid.host_seconds


def test_a_handle_of_the_host_provider_is_on_the_host() -> None:
    chain = Chain([(0,)], leaf=DeviceArray((10**6, 1), "f64", "cpu", object()))
    assert chain.targets() == ["host"]


def test_what_is_gathered_pays_for_the_way_back() -> None:
    chain = Chain([(0,)], leaf=resident())
    decision = chain.place()[0]
    kept = chain.place(gathered=())[0]
    assert decision.device_seconds == pytest.approx(
        kept.device_seconds + COSTS.download(8e6), rel=1e-9
    )


def test_an_operand_read_by_many_is_brought_over_once() -> None:
    host = Rates(2e-5, {"stream": 5e-11})
    costs = Costs(device=COSTS.rates["device"], host=host)
    # one reader does not pay for the upload, eight do
    assert Chain([(0,)]).targets(costs=costs, gathered=()) == ["host"]
    wide = Chain([(0,)] * 8)
    assert set(wide.targets(costs=costs, gathered=())) == {"device"}


def test_small_arrays_do_not_pay_for_a_launch() -> None:
    chain = Chain(long_chain(3), size=10, leaf=resident(10))
    assert chain.targets() == ["rules"] * 3
    assert set(chain.reasons()) == {"too-small"}


def test_a_step_by_host_rules_beside_a_device_has_a_price() -> None:
    device = attrs.evolve(COSTS.rates["device"], launch=5e-6)
    rates = {"host": COSTS.rates["host"], "rules": COSTS.rates["rules"], "device": device}
    last = Chain([(0,)], size=10, leaf=resident(10))
    assert last.targets(costs=Costs(**rates, overhead=0, aside=0)) == ["rules"]
    assert last.targets(costs=Costs(**rates, overhead=0, aside=1e-5)) == ["device"]


# -- what cannot run -------------------------------------------------------------------------------


def test_doubles_go_to_the_host_where_the_device_has_none() -> None:
    single = Device("gpu", dtypes=ALL - {"f64"})
    chain = Chain(long_chain(20))
    assert set(chain.reasons(device=single)) == {"precision"}
    assert set(chain.targets(device=single)) == {"host"}
    assert set(Chain(long_chain(20), cls="single").targets(device=single)) == {"device"}


def test_work_goes_on_around_a_group_that_the_device_declined() -> None:
    chain = Chain(long_chain(40), leaf=resident())
    decisions = chain.place(declined={(20, "device")}, gathered=())
    assert [k for k, d in enumerate(decisions) if d.target != "device"] == [20]
    assert decisions[20].reason == "unsupported"


def test_groups_without_a_unit_run_by_rules() -> None:
    chain = Chain(long_chain(3))
    chain.lowered[1] = None  # type: ignore[call-overload]
    decision = chain.place()[1]
    assert (decision.target, decision.reason) == ("rules", "only")


def test_without_providers_everything_runs_by_rules() -> None:
    chain = Chain(long_chain(3))
    assert chain.targets(device=None, host=None) == ["rules"] * 3
    assert set(chain.reasons(device=None, host=None)) == {"only"}


def test_without_a_device_provider_and_rules_compare() -> None:
    assert Chain([(0,)]).reasons(device=None) == ["cost"]
    assert Chain([(0,)], size=10).reasons(device=None) == ["too-small"]


@pytest.mark.parametrize(
    ("capabilities", "unit", "reason"),
    [
        ({}, kernel(ir.exp, 1), ""),
        ({"dtypes": ALL - {"f64"}}, kernel(ir.exp, 1), "precision"),
        ({"dtypes": ALL - {"f64"}}, kernel(ir.exp, 1, "f32"), ""),
        ({"dtypes": ALL - {"i8"}}, kernel(lambda x: ir.cast(x, "i8"), 1), "unsupported"),
        ({"ops": frozenset({"add"})}, kernel(ir.exp, 1), "unsupported"),
        ({"ops": frozenset({"exp"})}, kernel(ir.exp, 1), ""),
        ({"max_buffer_bytes": 99}, kernel(ir.exp, 1), "unsupported"),
        ({"max_buffer_bytes": 100}, kernel(ir.exp, 1), ""),
        ({}, ir.LibraryCall("matmul", ("f64",) * 3), ""),
        ({"libraries": frozenset()}, ir.LibraryCall("matmul", ("f64",) * 3), "unsupported"),
        ({}, ir.LibraryCall("matmul", ("f64",) * 3, (), kernel(ir.exp, 1)), "unsupported"),
        (
            {"epilogues": True},
            ir.LibraryCall("matmul", ("f64",) * 3, (), kernel(ir.exp, 1)),
            "",
        ),
    ],
)
def test_what_a_device_refuses(capabilities: dict[str, Any], unit: ir.Unit, reason: str) -> None:
    assert refusal(Device("d", **capabilities).capabilities, unit, largest=100) == reason


# -- force and hysteresis --------------------------------------------------------------------------


@pytest.mark.parametrize("force", ["device", "host", "rules"])
def test_force_takes_the_place_asked_for(force: Any) -> None:
    chain = Chain(long_chain(3))
    assert chain.targets(force=force) == [force] * 3
    assert set(chain.reasons(force=force)) == {"disabled"}


def test_force_gives_way_where_the_place_cannot() -> None:
    chain = Chain(long_chain(2))
    (first, second) = chain.place(force="device", declined={(1, "device"), (1, "host")})
    assert (first.target, second.target) == ("device", "rules")
    assert second.reason == "unsupported"
    assert chain.targets(force="device", device=None) == ["host"] * 2


def test_a_placement_stays_until_another_is_clearly_cheaper() -> None:
    chain = Chain([(0,)], leaf=resident())
    fetching = COSTS.download(8e6)

    def costs(ratio: float) -> Costs:
        """The device takes `ratio` times what fetching the operand and the host take."""
        host = 1e-5 + 16e6 * 1e-10
        return Costs(
            device=Rates((fetching + host) * ratio, {}, Link(1, 0), Link(1e-4, 1e-10)),
            host=Rates(1e-5, {"stream": 1e-10}),
        )

    device, host = Decision("device", "cost"), Decision("host", "cost")
    options: dict[str, Any] = {"gathered": ()}
    assert chain.targets(costs=costs(1.1), **options) == ["host"]
    assert chain.targets(costs=costs(1.1), before=[device], **options) == ["device"]
    assert chain.targets(costs=costs(1.4), before=[device], **options) == ["host"]
    assert chain.targets(costs=costs(0.9), before=[host], **options) == ["host"]


# -- estimates -------------------------------------------------------------------------------------


def test_measured_times_correct_estimates_and_make_placements_stale() -> None:
    costs = Costs(host=typical("host"), overhead=0)
    unit = Chain([(0,)]).lowered[0]
    first = costs.estimate(unit, "host")
    for _ in range(30):
        costs.observe(unit, "host", 3 * first)
    assert costs.estimate(unit, "host") == pytest.approx(3 * first, rel=0.01)
    assert costs.version > 0
    settled = costs.version
    for _ in range(30):
        costs.observe(unit, "host", 3 * first)
    assert costs.version == settled
    assert costs.corrections() == {"host.stream": pytest.approx(3, rel=0.01)}


def test_a_busy_moment_moves_no_placement() -> None:
    costs = Costs(host=typical("host"), overhead=0)
    unit = Chain([(0,)]).lowered[0]
    first = costs.estimate(unit, "host")
    for factor in (1.0, 8.0, 8.0, 5.0, 8.0, 6.0, 8.0):
        costs.observe(unit, "host", factor * first)
    assert costs.estimate(unit, "host") == pytest.approx(first)
    assert costs.version == 0


def test_a_correction_has_bounds() -> None:
    costs = Costs(host=typical("host"), overhead=0)
    unit = Chain([(0,)]).lowered[0]
    first = costs.estimate(unit, "host")
    for _ in range(100):
        costs.observe(unit, "host", 1e6 * first)
    assert costs.estimate(unit, "host") < 8.1 * first


def test_rules_pay_for_every_pass_and_providers_for_loads_and_stores() -> None:
    def many(x: ir.V) -> ir.V:
        for _ in range(10):
            x = x + 1.5
        return x

    rates = {"stream": 1.0}
    costs = Costs(host=Rates(0, rates), rules=Rates(0, rates), overhead=0)
    unit = Chain([(0,)], size=100, function=many).lowered[0]
    assert costs.estimate(unit, "host") == 100 * 8 * 2
    assert costs.estimate(unit, "rules") == 100 * 8 * 2 * 10


def test_a_product_counts_its_flops() -> None:
    call = ir.LibraryCall("matmul", ("f32", "f32", "f32"))
    refs = (BufferRef(0), BufferRef(0), BufferRef(0))
    lowered = Lowered(call, refs, frozenset({2}), (3, 5, 7), (), (), "*")
    costs = Costs(host=Rates(0, {"matmul.f32": 1.0}), overhead=0)
    assert costs.estimate(lowered, "host") == 2 * 3 * 5 * 7


# -- whole plans -----------------------------------------------------------------------------------


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
