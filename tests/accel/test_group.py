"""Which nodes share a kernel; every result is compared with that of the host rules, too."""

from __future__ import annotations

import attrs
import numpy as np
import pytest

from runmat_core.accel.planning.group import partition
from tests.accel import graphs as g
from tests.accel.outcomes import Outcome, compute

TIGHT = attrs.evolve(g.DEVICE, slice_bytes=0)


@pytest.fixture
def m() -> g.Maker:
    return g.Maker()


def _some(m: g.Maker, *shape: int, cls: str = "double") -> g.Node:
    return m.source(np.random.default_rng(sum(shape)).standard_normal(shape), cls)


def test_the_order_of_operations_is_kept(m: g.Maker) -> None:
    product = m.node(g.CALL, (_some(m, 3, 4), _some(m, 4, 3)), (3, 3), "double")
    both = m.map(g.MUL, m.map(g.ADD, product, 2.0), 3.0)
    outcome = compute(both)  # no library: the product is computed by rules
    assert [group.kind for group in outcome.groups] == ["host", "kernel"]
    ops = [i.op for i in outcome.lowered[0].unit.code if i.op in ("add", "mul")]
    assert ops == ["add", "mul"]


@pytest.mark.parametrize(("name", "kinds"), [("matmul", ["call"]), ("sort", ["call", "kernel"])])
def test_products_alone_have_epilogues(m: g.Maker, name: str, kinds: list[str]) -> None:
    able = attrs.evolve(g.DEVICE, epilogues=True, libraries=frozenset({name}))
    call = m.node(g.Op(name, "call", g.CALL.host), (_some(m, 3, 3),) * 2, (3, 3), "double")
    groups = partition(g.subgraph(m.map(g.ADD, call, 2.0)), able)
    assert [group.kind for group in groups] == kinds


def test_a_difference_is_not_turned_round(m: g.Maker) -> None:
    c, a, b = _some(m, 3, 2), _some(m, 3, 2), _some(m, 3, 2)
    assert compute(m.map(g.SUB, c, m.map(g.MUL, a, b))).kernels == 1


def test_leading_dimensions_are_aligned(m: g.Maker) -> None:
    pages, matrix = _some(m, 3, 4, 2), _some(m, 3, 4)
    column, row = _some(m, 3, 1), _some(m, 1, 4)
    total = m.map(g.ADD, m.map(g.ADD, pages, matrix), m.map(g.MUL, column, row))
    assert compute(total).kernels == 1


def test_a_fused_reduction_reduces_the_expression(m: g.Maker) -> None:
    x, y = _some(m, 4, 5), _some(m, 4, 1)
    assert compute(m.reduce(g.SUM, m.map(g.SQUARE, m.map(g.SUB, x, y)), 1)).kernels == 1


def test_reductions_of_one_read_share_a_kernel(m: g.Maker) -> None:
    x = _some(m, 6, 5)
    roots = m.reduce(g.SUM, x, 0), m.reduce(g.MEAN, x, 0), m.reduce(g.SUM, m.map(g.SQUARE, x), 0)
    outcome = compute(*roots)
    assert outcome.kernels == 1
    assert len([i for i in outcome.lowered[0].unit.code if i.op == "load"]) == 1


def test_reductions_along_different_axes_are_apart(m: g.Maker) -> None:
    x = _some(m, 6, 5)
    assert compute(m.reduce(g.SUM, x, 0), m.reduce(g.SUM, x, 1)).kernels == 2


def test_a_reduction_of_a_reduction_is_apart(m: g.Maker) -> None:
    assert compute(m.reduce(g.SUM, m.reduce(g.SUM, _some(m, 6, 5), 0), 1)).kernels == 2


def test_a_reduction_along_one_element_stays_what_it_is(m: g.Maker) -> None:
    x = _some(m, 6, 5)
    total = m.reduce(g.SUM, x, 0)
    again = m.reduce(g.SUM, total, 0)
    assert compute(again).kernels <= 2
    assert compute(m.reduce(g.SUM, x, 2)).kernels == 1


def test_square_matrices_do_not_confuse_rows_and_columns(m: g.Maker) -> None:
    x = _some(m, 5, 5)
    total = m.reduce(g.SUM, m.map(g.SQUARE, x), 0)
    turned = m.reshape(total, (5, 1))
    compute(m.map(g.ADD, x, turned))
    compute(m.map(g.ADD, m.map(g.SUB, x, total), turned))


def test_outputs_share_a_kernel(m: g.Maker) -> None:
    x = _some(m, 7, 3)
    assert compute(m.map(g.SIN, x), m.map(g.COS, x), m.map(g.EXP, m.map(g.SIN, x))).kernels == 1


def test_what_is_small_is_not_written_by_a_larger_kernel(m: g.Maker) -> None:
    column = m.map(g.EXP, _some(m, 7, 1))
    outer = m.map(g.MUL, column, _some(m, 1, 4))
    assert compute(outer).kernels == 1
    assert compute(outer, keep=[column]).kernels == 2


@pytest.mark.parametrize(("device", "kernels"), [(g.DEVICE, 1), (TIGHT, 2)])
def test_standardising_is_one_kernel_where_the_slice_fits(
    m: g.Maker, device: g.Capabilities, kernels: int
) -> None:
    x = _some(m, 30, 4)
    z = m.map(g.SUB, x, m.reduce(g.MEAN, x, 0))
    assert compute(z, capabilities=device).kernels == kernels


def test_softmax_is_one_kernel(m: g.Maker) -> None:
    x = _some(m, 4, 30)
    powers = m.map(g.EXP, m.map(g.SUB, x, m.reduce(g.LARGEST, x, 1)))
    softmax = m.map(g.DIV, powers, m.reduce(g.SUM, powers, 1))
    assert compute(softmax).kernels == 1
    assert compute(softmax, capabilities=TIGHT).kernels == 3


def test_a_reduction_that_turns_by_itself_needs_room(m: g.Maker) -> None:
    spread = m.reduce(g.STD, _some(m, 30, 4), 0)
    assert compute(spread).kernels == 1
    outcome = compute(spread, capabilities=TIGHT)
    assert [group.kind for group in outcome.groups] == ["host"]


def test_work_on_reduced_values_stays_in_the_kernel(m: g.Maker) -> None:
    x = _some(m, 30, 4)
    norm = m.map(g.SQRT, m.map(g.ADD, m.reduce(g.SUM, m.map(g.SQUARE, x), 0), 1e-3))
    assert compute(norm, capabilities=TIGHT).kernels == 1


def test_no_cycles_between_kernels(m: g.Maker) -> None:
    # the host works between two maps, so that these cannot be one kernel
    x = _some(m, 30, 4)
    first = m.map(g.EXP, x)
    between = m.node(g.HOST_ONLY, (first,), (30, 4), "double")
    last = m.map(g.ADD, first, between)
    outcome = compute(last)
    assert [group.kind for group in outcome.groups] == ["kernel", "host", "kernel"]


def test_the_second_output_of_a_reduction(m: g.Maker) -> None:
    both = m.reduce(g.BOTH, _some(m, 3, 9), 1)
    outcome = compute(m.item(both, 0), m.map(g.ADD, m.item(both, 1), 1.0))
    assert outcome.kernels == 1


def test_flattening_stays_in_the_kernel(m: g.Maker) -> None:
    x = m.map(g.EXP, _some(m, 6, 7))
    total = m.reduce(g.SUM, m.reshape(x, (42, 1)), 0)
    assert compute(total).kernels == 1
    outcome = compute(total, keep=[x])
    assert outcome.kernels == 1
    assert outcome.lowered[0].extents == (42,)


def test_flattening_an_expansion_stays_in_the_kernel(m: g.Maker) -> None:
    x = m.map(g.MUL, _some(m, 6, 1), _some(m, 1, 7))
    outcome = compute(m.reduce(g.SUM, m.reshape(x, (42, 1)), 0))
    assert outcome.kernels == 1
    assert outcome.lowered[0].extents == (6, 7)


def test_views_of_arrays_are_loads(m: g.Maker) -> None:
    x = _some(m, 4, 6)
    turned = m.transpose(x)
    back = m.transpose(turned)
    part = m.view(x, (2, 3), 1, (1, 8))
    flipped = m.view(x, (4, 6), 23, (-1, -4))
    assert compute(m.map(g.ADD, x, back)).kernels == 1
    assert compute(m.map(g.MUL, turned, m.transpose(flipped))).kernels == 1
    assert compute(m.reduce(g.SUM, part, 0, 1)).kernels == 1
    assert compute(part).kernels == 1


def test_a_view_of_a_result_reads_it_from_memory(m: g.Maker) -> None:
    x = m.map(g.EXP, _some(m, 5, 5))
    assert compute(m.map(g.ADD, x, m.transpose(x))).kernels == 2


def test_a_view_that_no_stride_tells_reads_a_copy(m: g.Maker) -> None:
    x = _some(m, 4, 6)
    assert compute(m.reshape(m.transpose(x), (4, 6))).kernels == 2
    assert compute(m.map(g.EXP, m.reshape(m.transpose(x), (8, 3)))).kernels == 2


def test_generators_are_made_in_every_kernel(m: g.Maker) -> None:
    x = m.range(0.0, 0.5, 40)
    outcome = compute(m.map(g.SUB, x, m.reduce(g.MEAN, x, 1)), capabilities=TIGHT)
    assert outcome.kernels == 2
    assert not [i for i in outcome.lowered[0].unit.code if i.op == "load"]
    assert compute(x, m.fill(3.0, (2, 2))).kernels == 2


def test_scalars_of_singles_are_single(m: g.Maker) -> None:
    outcome = compute(m.map(g.MUL, _some(m, 4, 4, cls="single"), 0.1))
    assert [p.dtype for p in outcome.lowered[0].unit.params] == ["f32"]
    outcome = compute(m.map(g.MUL, _some(m, 4, 4), 0.1))
    assert [p.dtype for p in outcome.lowered[0].unit.params] == ["f64"]


def test_types_that_the_device_has_not_go_to_the_host(m: g.Maker) -> None:
    single = attrs.evolve(g.DEVICE, dtypes=frozenset({"f32", "bool"}))
    x = m.map(g.EXP, _some(m, 4, 4))
    outcome = compute(m.map(g.ADD, x, 1.0), capabilities=single)
    assert {group.kind for group in outcome.groups} == {"host"}
    x = m.map(g.EXP, _some(m, 4, 4, cls="single"))
    assert compute(m.reduce(g.MEAN, x, 0), capabilities=single).kernels == 1
    less = attrs.evolve(g.DEVICE, ops=frozenset({"add", "cast"}))
    outcome = compute(m.map(g.ADD, x, 1.0), capabilities=less)
    assert [group.kind for group in outcome.groups] == ["host", "kernel"]


def test_guards_watch_the_domain(m: g.Maker) -> None:
    x = m.source([[4.0, 9.0]])
    outcome = compute(m.map(g.SQRT, x, guarded=True))
    assert outcome.lowered[0].unit.guards
    assert outcome.status == 0
    bad = m.map(g.SQRT, m.source([[4.0, -9.0]]), guarded=True)
    assert Outcome(g.subgraph(bad)).status == 1


def test_equal_structures_are_equal_kernels(m: g.Maker) -> None:
    def unit(rows: int, factor: float) -> object:
        x = _some(m, rows, 6)
        z = m.map(g.MUL, m.map(g.SUB, x, m.reduce(g.MEAN, x, 0)), factor)
        return compute(z).lowered[0].unit

    assert unit(7, 0.3) == unit(30, 0.7)
    assert hash(unit(7, 0.3)) == hash(unit(30, 0.7))
    assert unit(7, 2.0) != unit(7, 0.7)


def test_a_value_used_twice_is_loaded_once(m: g.Maker) -> None:
    x = _some(m, 5, 5)
    outcome = compute(m.map(g.MUL, x, x))
    assert len(outcome.lowered[0].buffers) == 2
    assert len(outcome.lowered[0].unit.views) == 2


def test_groups_come_in_an_order_in_which_they_can_run(m: g.Maker) -> None:
    x = _some(m, 8, 8)
    rows, columns = m.reduce(g.SUM, x, 0), m.reduce(g.SUM, x, 1)
    both = m.map(g.ADD, rows, columns)
    last = m.map(g.SUB, both, m.reduce(g.MEAN, both, 0, 1))
    sub = g.subgraph(last)
    ready = {n for n, node in enumerate(sub.nodes) if node.data is not None}
    for group in partition(sub, TIGHT):
        own = set(group.nodes)
        assert all(i in own or i in ready for n in own for i in sub.inputs[n])
        ready |= set(group.outputs)
    compute(last, capabilities=TIGHT)


def test_a_kernel_binds_no_more_arrays_than_the_device(m: g.Maker) -> None:
    total = _some(m, 3, 3)
    for _ in range(12):
        total = m.map(g.ADD, total, _some(m, 3, 3))
    assert compute(total).kernels == 1
    few = attrs.evolve(g.DEVICE, max_buffers=8)
    outcome = compute(total, capabilities=few)
    assert outcome.kernels in (2, 3)
    assert all(len(unit.buffers) <= 8 for unit in outcome.lowered)
