"""Where groups run, and the reasons given."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from runmat_core.accel.placement.corrections import PAIRS
from runmat_core.accel.placement.costs import Costs, Link, Rates, typical
from runmat_core.accel.placement.offload import refusal
from runmat_core.accel.planning.plan import BufferRef, KernelCall, Placement
from runmat_core.api import ir
from runmat_core.api.device import DeviceArray
from tests.accel.chains import (
    ALL,
    COSTS,
    Chain,
    Device,
    kernel,
    long_chain,
    resident,
)

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

    device, host = Placement("device", "cost"), Placement("host", "cost")
    options: dict[str, Any] = {"gathered": ()}
    assert chain.targets(costs=costs(1.1), **options) == ["host"]
    assert chain.targets(costs=costs(1.1), before=[device], **options) == ["device"]
    assert chain.targets(costs=costs(1.4), before=[device], **options) == ["host"]
    assert chain.targets(costs=costs(0.9), before=[host], **options) == ["host"]


# -- estimates -------------------------------------------------------------------------------------


def learning() -> tuple[Costs, Any, float, float]:
    """Costs, a unit, and the seconds that the provider and host rules are expected to take."""
    costs = Costs(host=typical("host"), overhead=0)
    unit = Chain([(0,)]).lowered[0]
    return costs, unit, costs.estimate(unit, "host"), costs.estimate(unit, "rules")


def test_measured_times_of_both_sides_correct_estimates_and_make_placements_stale() -> None:
    costs, unit, host, rules = learning()
    for _ in range(30):
        costs.observe(unit, "host", 3 * host)
    assert costs.estimate(unit, "host") == pytest.approx(3 * host, rel=0.01)
    assert costs.estimate(unit, "rules") == pytest.approx(3 * rules, rel=0.01)
    assert costs.corrections() == {"host.stream": pytest.approx(3, rel=0.01)}
    assert costs.version == 0
    for _ in range(PAIRS):
        assert costs.wants_both(unit)
        costs.compare(unit, 3 * host, rules)
    assert not costs.wants_both(unit)
    assert costs.version == 1
    assert costs.estimate(unit, "rules") == pytest.approx(rules)
    for _ in range(30):
        costs.observe(unit, "host", 3 * host)
    assert costs.version == 1


def test_a_busy_machine_moves_no_placement() -> None:
    costs, unit, host, rules = learning()
    for factor in (5.0, 6.0, 5.0, 7.0, 6.0, 5.5):
        costs.observe(unit, "host", factor * host)
    for here, there in ((6.0, 5.0), (5.0, 7.0), (7.0, 6.0)):
        assert costs.wants_both(unit)
        costs.compare(unit, here * host, there * rules)
    assert costs.version == 0
    # quiet again: both are as fast as before
    for _ in range(40):
        costs.observe(unit, "host", host)
    ratio = costs.estimate(unit, "host") / costs.estimate(unit, "rules")
    assert ratio == pytest.approx(host / rules, rel=0.01)


def test_what_was_left_to_rules_is_looked_at_again() -> None:
    costs, unit, host, rules = learning()

    def leave() -> None:
        while not costs.wants_both(unit):
            costs.observe(unit, "host", 6 * host)
        for _ in range(PAIRS):
            costs.compare(unit, 6 * host, rules)
        assert costs.estimate(unit, "host") > costs.estimate(unit, "rules")

    def runs_until_the_next_try() -> int:
        version, count = costs.version, 0
        while costs.version == version:
            costs.learnt.left_to_rules()
            count += 1
        assert costs.estimate(unit, "host") == pytest.approx(host)
        return count

    leave()
    first = runs_until_the_next_try()
    leave()
    assert runs_until_the_next_try() == 2 * first
    assert not costs.learnt.unsettled


def test_what_a_broken_run_taught_is_forgotten() -> None:
    costs, unit, host, _ = learning()
    for _ in range(30):
        costs.observe(unit, "host", 1.3 * host)
    costs.learnt.begin(7)
    known, version = costs.corrections(), costs.version
    for _ in range(30):
        costs.observe(unit, "host", 1.2 * host)
    costs.learnt.undo(6)
    assert costs.corrections() != known
    costs.learnt.undo(7)
    assert costs.corrections() == known
    assert costs.version > version


def test_a_busy_moment_moves_no_placement() -> None:
    costs, unit, first, _ = learning()
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
    lowered = KernelCall(call, refs, frozenset({2}), (3, 5, 7), (), (), "*")
    costs = Costs(host=Rates(0, {"matmul.f32": 1.0}), overhead=0)
    assert costs.estimate(lowered, "host") == 2 * 3 * 5 * 7
