"""Kernels of scans, gathers, arrays made of parts, random arrays, and library calls."""

from __future__ import annotations

import attrs
import numpy as np
import pytest

from runmat_core.accel.planning.group import partition
from runmat_core.accel.planning.lower import lower
from runmat_core.api.ir import Kernel, LibraryCall
from tests.accel import graphs as g
from tests.accel.outcomes import Outcome, compute

LIBRARY = attrs.evolve(g.HOST, libraries=frozenset({"matmul"}), epilogues=True)


@pytest.fixture
def m() -> g.Maker:
    return g.Maker()


def _some(m: g.Maker, *shape: int, cls: str = "double") -> g.Node:
    return m.source(np.random.default_rng(sum(shape)).standard_normal(shape), cls)


def _kernel(outcome: Outcome, k: int = 0) -> Kernel:
    unit = outcome.lowered[k].unit
    assert isinstance(unit, Kernel)
    return unit


# -- axes and views --------------------------------------------------------------------------------


def test_axes_that_run_through_are_one(m: g.Maker) -> None:
    x = _some(m, 3, 4, 5)
    assert compute(m.map(g.ADD, x, x)).lowered[0].extents == (60,)
    shifted = m.map(g.ADD, x, _some(m, 1, 1, 5))
    assert compute(shifted).lowered[0].extents == (12, 5)
    assert compute(m.map(g.ADD, x, _some(m, 1, 4))).lowered[0].extents == (3, 4, 5)
    total = compute(m.reduce(g.SUM, x, 0, 1))
    assert total.lowered[0].extents == (12, 5)
    assert [a.kind for a in _kernel(total).axes] == ["reduce", "parallel"]
    assert compute(m.reduce(g.SUM, x, 0, 2)).lowered[0].extents == (3, 4, 5)


def test_contiguous_views_say_so(m: g.Maker) -> None:
    x = _some(m, 6, 4)
    outcome = compute(m.map(g.SUB, x, m.reduce(g.SUM, x, 0)))
    assert [v.contiguous for v in _kernel(outcome).views] == [True, True]
    turned = _kernel(compute(m.map(g.ADD, m.transpose(x), 1.0)))
    assert [v.contiguous for v in turned.views] == [False, True]
    tail = _kernel(compute(m.map(g.ADD, m.view(x, (6, 2), 12, (1, 6)), 1.0)))
    assert [v.contiguous for v in tail.views] == [False, True]


def test_eight_axes_are_a_kernel_and_more_are_not(m: g.Maker) -> None:
    shape = (2, 3) * 4
    x = m.source(np.random.default_rng(1).random(shape))
    alternate = m.source(np.random.default_rng(2).random((1, 3) * 4))
    assert len(compute(m.map(g.ADD, x, alternate)).lowered[0].extents) == 8
    nine = m.map(
        g.ADD,
        m.source(np.random.default_rng(1).random((2,) * 9)),
        m.source(np.random.default_rng(2).random((1, 2) * 4 + (1,))),
    )
    sub = g.subgraph(nine)
    (group,) = partition(sub, g.HOST)
    assert lower(sub, group, g.HOST) is None


# -- generators ------------------------------------------------------------------------------------


def test_a_part_of_a_random_array_is_that_part(m: g.Maker) -> None:
    x = m.random((6, 4), "normal")
    part = m.view(x, (2, 4), 3, (1, 6))
    outcome = compute(m.map(g.ADD, part, 1.0))
    assert outcome.kernels == 1
    assert all(v.buffer is None or outcome.lowered[0].writes for v in _kernel(outcome).views)


def test_large_random_arrays_are_drawn_once_on_a_host(m: g.Maker) -> None:
    x = m.random((80, 60))
    centred = m.map(g.SUB, x, m.reduce(g.MEAN, x, 0, 1))
    for device, drawn in ((g.HOST, 1), (g.DEVICE, 2)):
        outcome = compute(centred, capabilities=attrs.evolve(device, slice_bytes=0))
        assert outcome.kernels == 2
        ops = [i.op for unit in outcome.lowered for i in unit.unit.code]
        assert ops.count("random") == drawn


# -- scans -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("reverse", [False, True])
def test_work_before_and_after_a_scan_is_in_its_kernel(
    m: g.Maker, axis: int, reverse: bool
) -> None:
    x = _some(m, 5, 4)
    sums = m.cumsum(m.map(g.MUL, x, 2.0), axis, reverse)
    outcome = compute(m.map(g.ADD, sums, _some(m, 5, 1)))
    assert outcome.kernels == 1
    assert [a.kind for a in _kernel(outcome).axes].index("scan") == axis


def test_a_scan_of_a_constant_grows(m: g.Maker) -> None:
    assert compute(m.cumsum(m.fill(1.0, (3, 4)), 0)).kernels == 1
    assert compute(m.cumsum(_some(m, 1, 4), 0)).kernels == 1


def test_scans_of_scans_are_apart(m: g.Maker) -> None:
    x = _some(m, 5, 4)
    assert compute(m.cumsum(m.cumsum(x, 0), 0)).kernels == 2
    assert compute(m.cumsum(x, 0), m.cumsum(m.map(g.SQUARE, x), 0)).kernels == 1
    assert compute(m.cumsum(x, 0), m.cumsum(x, 0, True)).kernels == 2
    assert compute(m.reduce(g.SUM, m.cumsum(x, 0), 0)).kernels == 2


def test_scans_go_to_the_host_where_a_device_has_none(m: g.Maker) -> None:
    outcome = compute(m.cumsum(_some(m, 5, 4), 0), capabilities=attrs.evolve(g.HOST, scans=False))
    assert [group.kind for group in outcome.groups] == ["host"]


# -- places and parts ------------------------------------------------------------------------------


def test_a_gather_is_in_the_kernel_of_what_uses_it(m: g.Maker) -> None:
    x = _some(m, 6, 4)
    places = m.source([[5, 23, 0], [7, 7, 1]], "int32")
    outcome = compute(m.map(g.MUL, m.gather(x, places), 2.0))
    assert outcome.kernels == 1
    assert compute(m.gather(m.map(g.EXP, x), places)).kernels == 2
    assert compute(m.gather(m.transpose(x), places)).kernels == 2


@pytest.mark.parametrize("axis", [0, 1])
def test_parts_are_joined_in_one_kernel_of_a_device(m: g.Maker, axis: int) -> None:
    a, b, c = _some(m, 4, 4), _some(m, *((2, 4), (4, 2))[axis]), _some(m, *((1, 4), (4, 1))[axis])
    joined = m.map(g.ADD, m.cat(axis, a, b, c), 1.0)
    outcome = compute(joined, capabilities=g.DEVICE)
    assert outcome.kernels == 1
    assert [group.kind for group in compute(joined).groups] == ["host", "kernel"]


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("device", [g.HOST, g.DEVICE], ids=["host", "device"])
def test_parts_of_one_shape_are_stored_where_they_are_computed(
    m: g.Maker, device: g.Capabilities, axis: int
) -> None:
    x = _some(m, 4, 3)
    joined = m.cat(axis, m.map(g.SIN, x), x, m.map(g.COS, x))
    outcome = compute(joined, capabilities=device)
    assert outcome.kernels == 1
    assert [b.access for b in _kernel(outcome).buffers] == ["read", "write"]
    # what uses the whole reads it from memory
    assert compute(m.map(g.EXP, joined), capabilities=device).kernels == 2


def test_statistics_that_are_joined_share_a_kernel(m: g.Maker) -> None:
    x = _some(m, 40, 3)
    tight = attrs.evolve(g.DEVICE, slice_bytes=0)
    joined = m.cat(0, m.reduce(g.MEAN, x, 0), m.reduce(g.LARGEST, x, 0))
    assert compute(joined, capabilities=tight).kernels == 1
    assert compute(m.cat(1, m.reduce(g.SUM, x, 0), _some(m, 1, 3))).kernels == 1


def test_joining_does_not_put_sizes_into_the_code(m: g.Maker) -> None:
    def kernel(rows: int) -> Kernel:
        joined = m.cat(0, _some(m, rows, 3), _some(m, rows + 2, 3))
        return _kernel(compute(joined, capabilities=g.DEVICE))

    assert kernel(4) == kernel(9)


@pytest.mark.parametrize(
    ("offset", "strides", "region"),
    [
        (0, (1, 5), (5, 2)),  # x(:, 1:2)
        (6, (1, 5), (2, 3)),  # x(2:3, 2:4)
        (19, (-1, -5), (4, 3)),  # x(5:-1:2, 4:-1:2)
        (7, (0, 5), (1, 2)),  # x(3, 2:3)
        (3, (1,), (6,)),  # x(4:9)
        (0, (2, 5), (3, 4)),  # x(1:2:5, :)
        (4, (-4, 15), (2, 2)),  # x([5 1], [1 4])
    ],
)
def test_a_region_is_replaced_in_one_kernel(
    m: g.Maker, offset: int, strides: tuple[int, ...], region: tuple[int, ...]
) -> None:
    x = m.map(g.EXP, _some(m, 5, 4))
    new = _some(m, *region, *((1,) * (2 - len(region))))
    for value in (new, 0.5, _some(m, 1, 1)):
        replaced = m.update(x, value, offset, strides, region)
        outcome = compute(m.map(g.ADD, replaced, 1.0), capabilities=g.DEVICE)
        assert outcome.kernels == 1


# -- library calls ---------------------------------------------------------------------------------


def _call(outcome: Outcome) -> LibraryCall:
    (lowered,) = outcome.lowered
    assert isinstance(lowered.unit, LibraryCall)
    return lowered.unit


def test_a_product_tells_its_extents(m: g.Maker) -> None:
    a, b = _some(m, 6, 5), _some(m, 5, 4)
    outcome = compute(m.product(a, b), capabilities=LIBRARY)
    assert outcome.lowered[0].extents == (6, 4, 5)
    assert _call(outcome).epilogue is None
    outcome = compute(m.product(_some(m, 5, 6), b, trans_a=True), capabilities=LIBRARY)
    assert outcome.lowered[0].extents == (6, 4, 5)
    assert _call(outcome).attribute("trans_a") is True


def test_work_on_a_product_is_its_epilogue(m: g.Maker) -> None:
    product = m.product(_some(m, 6, 5), _some(m, 5, 4))
    shifted = m.map(g.TANH, m.map(g.ADD, product, _some(m, 1, 4)))
    epilogue = _call(compute(shifted, capabilities=LIBRARY)).epilogue
    assert epilogue is not None
    assert len(epilogue.axes) == 2
    assert epilogue.buffers[0].access == "read"
    plain = attrs.evolve(LIBRARY, epilogues=False)
    assert compute(shifted, capabilities=plain).kernels == 2


def test_columns_of_a_product_are_scaled_in_its_epilogue(m: g.Maker) -> None:
    product = m.product(_some(m, 6, 5), _some(m, 5, 4))
    shifted = m.map(g.ADD, product, 1.0)
    norms = m.map(g.SQRT, m.reduce(g.SUM, m.map(g.SQUARE, shifted), 0))
    scaled = m.map(g.DIV, shifted, norms)
    assert _call(compute(scaled, capabilities=LIBRARY)).epilogue is not None
    rows = m.map(g.DIV, shifted, m.reduce(g.SUM, shifted, 1))
    assert compute(rows, capabilities=LIBRARY).kernels == 2


def test_a_product_is_written_where_its_epilogue_is_not_all_that_uses_it(m: g.Maker) -> None:
    product = m.product(_some(m, 6, 5), _some(m, 5, 4))
    both = m.map(g.MUL, product, m.map(g.EXP, product))
    outcome = compute(both, capabilities=LIBRARY)
    assert [group.kind for group in outcome.groups] == ["call"]
    outcome = compute(m.map(g.ADD, product, 1.0), keep=[product], capabilities=LIBRARY)
    assert [group.kind for group in outcome.groups] == ["call", "kernel"]
