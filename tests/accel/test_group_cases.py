"""How many kernels the benchmark cases take, as graphs of nodes."""

from __future__ import annotations

import attrs
import numpy as np
import pytest

from tests.accel import graphs as g
from tests.accel.outcomes import compute

DEVICES = pytest.mark.parametrize("device", [g.HOST, g.DEVICE], ids=["host", "device"])


def _uniform(m: g.Maker, shape: tuple[int, ...], cls: str = "single") -> g.Node:
    return m.source(np.random.default_rng(3).random(shape), cls)


@DEVICES
def test_a_step_of_montecarlo_is_one_kernel(device: g.Capabilities) -> None:
    m = g.Maker()
    prices = _uniform(m, (5000, 1))
    drawn = m.random((5000, 1), "normal")
    steps = m.map(g.EXP, m.map(g.ADD, 0.01, m.map(g.MUL, 0.2, drawn)))
    outcome = compute(m.map(g.MUL, prices, steps), capabilities=device)
    assert outcome.kernels == 1
    assert outcome.lowered[0].extents == (5000,)


@DEVICES
def test_several_steps_and_the_metric_are_one_kernel(device: g.Capabilities) -> None:
    m = g.Maker()
    prices = m.fill(100.0, (5000, 1), "single")
    for trip in range(4):
        drawn = m.random((5000, 1), "normal", at=trip * 5000)
        prices = m.map(g.MUL, prices, m.map(g.EXP, m.map(g.MUL, 0.2, drawn)))
    gains = m.map(g.MAX, m.map(g.SUB, prices, 100.0), 0.0)
    metric = m.map(g.MUL, m.reduce(g.MEAN, gains, 0), 0.9)
    assert compute(metric, capabilities=device).kernels == 1


def _image(m: g.Maker, images: g.Node) -> g.Node:
    mean = m.reduce(g.MEAN, images, 0, 1)
    centred = m.map(g.SUB, images, mean)
    spread = m.map(g.SQRT, m.map(g.ADD, m.reduce(g.MEAN, m.map(g.SQUARE, centred), 0, 1), 1e-6))
    scaled = m.map(g.SUB, m.map(g.MUL, m.map(g.DIV, centred, spread), 1.0123), 0.02)
    bright = m.map(g.POWER, m.map(g.MAX, scaled, 0.0), 1.8)
    error = m.map(g.SQUARE, m.map(g.SUB, bright, images))
    return m.reduce(g.MEAN, error, 0, 1, 2)


@pytest.mark.parametrize("drawn", [False, True])
@DEVICES
def test_image4k_is_three_kernels(device: g.Capabilities, drawn: bool) -> None:
    m = g.Maker()
    shape = (60, 100, 3)
    images = m.random(shape) if drawn else _uniform(m, shape)
    small = attrs.evolve(device, slice_bytes=4 * 5999)
    outcome = compute(_image(m, images), capabilities=small)
    assert outcome.kernels == 3
    # pages are whole, so their two axes are one
    assert [len(unit.extents) for unit in outcome.lowered] == [2, 2, 2]
    whole = 60 * 100 * 3
    written = [
        outcome.values[unit.buffers[k]].size for unit in outcome.lowered for k in unit.writes
    ]
    stored = drawn and device.kind == "host"
    assert sum(size == whole for size in written) == stored


def test_image4k_whose_pages_fit_is_two_kernels() -> None:
    m = g.Maker()
    images = _uniform(m, (60, 100, 3))
    assert compute(_image(m, images)).kernels == 2


def _nlms(m: g.Maker, weights: g.Node, x: g.Node) -> g.Node:
    wanted = m.reduce(g.SUM, m.map(g.MUL, x, x), 0)
    found = m.reduce(g.SUM, m.map(g.MUL, x, weights), 0)
    error = m.map(g.SUB, wanted, found)
    power = m.map(g.ADD, m.reduce(g.SUM, m.map(g.SQUARE, x), 0), 1e-3)
    step = m.map(g.MUL, m.map(g.MUL, 0.5, x), m.map(g.DIV, error, power))
    return m.map(g.ADD, weights, step)


@pytest.mark.parametrize("steps", [1, 4])
@DEVICES
def test_steps_of_nlms_are_one_kernel(device: g.Capabilities, steps: int) -> None:
    m = g.Maker()
    weights = m.source(np.zeros((16, 40)), "single")
    for _ in range(steps):
        weights = _nlms(m, weights, m.source(np.random.default_rng(5).random((16, 40)), "single"))
    outcome = compute(weights, capabilities=device)
    assert outcome.kernels == 1
    kernel = outcome.lowered[0].unit
    assert [axis.kind for axis in kernel.axes] == ["reduce", "parallel"]


def test_long_chains_of_reductions_do_not_need_more_room() -> None:
    m = g.Maker()
    weights = m.source(np.zeros((16, 8)), "single")
    x = m.source(np.random.default_rng(5).random((16, 8)), "single")
    for _ in range(12):
        weights = _nlms(m, weights, x)
    # three values of a slice live at any time: the weights, the input and half the input
    tight = attrs.evolve(g.DEVICE, slice_bytes=3 * 16 * 4)
    assert compute(weights, capabilities=tight).kernels == 1


@DEVICES
def test_elementwise_and_its_sum_are_one_kernel(device: g.Capabilities) -> None:
    m = g.Maker()
    x = m.range(0.0, 4e-4, 9000)
    first = m.map(g.MUL, m.map(g.SIN, x), m.map(g.EXP, m.map(g.DIV, x, -10.0)))
    second = m.map(
        g.ADD,
        m.map(g.MUL, first, m.map(g.COS, m.map(g.DIV, x, 4.0))),
        m.map(g.MUL, 0.25, m.map(g.SQUARE, first)),
    )
    third = m.map(g.ADD, m.map(g.TANH, second), m.map(g.MUL, 0.1, second))
    outcome = compute(m.reduce(g.SUM, third, 0, 1), capabilities=device)
    assert outcome.kernels == 1
    assert outcome.lowered[0].extents == (9000,)


@DEVICES
def test_steps_of_iir_are_one_kernel(device: g.Capabilities) -> None:
    m = g.Maker()
    state = _uniform(m, (6000, 1))
    for trip in range(3):
        drawn = m.random((6000, 1), at=trip * 6000)
        state = m.map(g.ADD, m.map(g.MUL, 0.98, state), m.map(g.MUL, 0.02, drawn))
    assert compute(state, capabilities=device).kernels == 1
