"""Graphs drawn at random: the kernels compute what the nodes mean, whatever shares a kernel."""

from __future__ import annotations

import attrs
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.accel import graphs as g
from tests.accel.outcomes import compute

EXTENTS = (1, 2, 3, 4)
SHAPES = [(m, n) for m in EXTENTS for n in EXTENTS] + [(2, 3, 2), (1, 3, 4), (3, 1, 2), (4, 4, 2)]
UNARY = [g.SIN, g.TANH, g.SQUARE]
BINARY = [g.ADD, g.SUB, g.MUL, g.MAX]
KINDS = (
    "map map map scalar unary reduce reduce reshape turn part cat update gather scan repeat product"
).split()
CLASSES = ["double", "single"]


def _fits(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return all(x == y or 1 in (x, y) for x, y in zip(a + (1,) * 4, b + (1,) * 4, strict=False))


class _Draw:
    """A graph while it is drawn."""

    def __init__(self, data: st.DataObject) -> None:
        self.data = data
        self.m = g.Maker()
        self.nodes: list[g.Node] = []
        self.seed = 0

    def pick(self, choices: list) -> object:
        return choices[self.data.draw(st.integers(0, len(choices) - 1))]

    def leaf(self) -> g.Node:
        shape = self.pick(SHAPES)
        cls = self.pick(CLASSES)
        kind = self.pick(["source"] * 4 + ["fill", "random", "range"])
        self.seed += 1
        if kind == "fill":
            return self.m.fill(0.5, shape, cls)
        if kind == "random":
            return self.m.random(shape, cls=cls, at=self.seed * 64)
        if kind == "range":
            return self.m.range(0.25, 0.5, shape[1], cls)
        values = np.random.default_rng(self.seed).uniform(-1, 1, shape)
        return self.m.source(values, cls)

    def step(self) -> g.Node | None:
        m, x = self.m, self.pick(self.nodes[-6:])
        kind = self.pick(KINDS)
        return getattr(self, f"_{kind}")(m, x)

    def _map(self, m, x):
        others = [n for n in self.nodes if _fits(n.shape, x.shape)]
        pair = [x, self.pick(others)]
        if self.data.draw(st.booleans()):
            pair.reverse()
        made = m.map(self.pick(BINARY), *pair)
        return made if made.size <= 300 else None

    def _scalar(self, m, x):
        return m.map(self.pick(BINARY), x, self.pick([0.5, 2.0, -0.25]))

    def _unary(self, m, x):
        return m.map(self.pick(UNARY), x)

    def _reduce(self, m, x):
        axes = self.pick([(0,), (1,), (0, 1), (2,), (0, 1, 2), tuple(range(len(x.shape)))])
        return m.reduce(self.pick([g.SUM, g.MEAN, g.LARGEST]), x, *axes)

    def _reshape(self, m, x):
        n = x.size
        rows = self.pick([r for r in range(1, n + 1) if n % r == 0])
        return m.reshape(x, (rows, n // rows))

    def _turn(self, m, x):
        order = self.pick([(1, 0), (1, 0), (0, 2, 1), (2, 0, 1)])
        shape = x.shape + (1,) * (len(order) - len(x.shape))
        if len(shape) > len(order):
            return None
        steps = np.cumprod([1, *shape[:-1]])
        turned = [shape[k] for k in order]
        strides = [int(steps[k]) if shape[k] > 1 else 0 for k in order]
        trimmed = g._trimmed(turned)
        return m.view(x, trimmed, 0, strides[: len(trimmed)])

    def _part(self, m, x):
        offset, strides, shape, step = 0, [], [], 1
        for extent in x.shape:
            first = self.data.draw(st.integers(0, extent - 1))
            way = self.pick([1, -1, 2])
            count = (extent - first - 1) // way + 1 if way > 0 else first + 1
            offset += first * step
            strides.append(way * step if count > 1 else 0)
            shape.append(count)
            step *= extent
        trimmed = g._trimmed(shape)
        return m.view(x, trimmed, offset, strides[: len(trimmed)])

    def _repeat(self, m, x):
        if len(x.shape) > 2 or x.size > 40:
            return None
        steps = [1 if x.shape[0] > 1 else 0, x.shape[0] if x.shape[1] > 1 else 0]
        return m.view(x, (*x.shape, 2), 0, (*steps, 0))

    def _cat(self, m, x):
        axis = self.pick([0, 1])
        others = [
            n
            for n in self.nodes
            if n.cls == x.cls
            and len(n.shape) == len(x.shape)
            and all(
                k == axis or a == b for k, (a, b) in enumerate(zip(n.shape, x.shape, strict=True))
            )
        ]
        made = m.cat(axis, x, self.pick(others))
        return made if made.size <= 300 else None

    def _update(self, m, x):
        part = self._part(m, x)
        others = [n for n in self.nodes if n.shape == part.shape and n.cls == x.cls]
        new = self.pick([*others, 0.5, part])
        strides = part.option("strides")
        return m.update(x, new, part.option("offset"), strides, part.shape)

    def _gather(self, m, x):
        shape = self.pick(SHAPES)
        size = int(np.prod(shape))
        self.seed += 1
        where = np.random.default_rng(self.seed).integers(0, x.size, size)
        return m.gather(x, m.source(where.reshape(shape), "int32"))

    def _scan(self, m, x):
        return m.cumsum(x, self.pick([0, 1, 2]), self.data.draw(st.booleans()))

    def _product(self, m, x):
        others = [
            n for n in self.nodes
            if len(n.shape) == 2 == len(x.shape) and n.shape[0] == x.shape[1] and n.cls == x.cls
        ]  # fmt: skip
        return m.product(x, self.pick(others)) if others else None


@settings(max_examples=120, derandomize=True)
@given(st.data())
def test_kernels_compute_what_the_nodes_mean(data: st.DataObject) -> None:
    draw = _Draw(data)
    for _ in range(data.draw(st.integers(1, 4))):
        draw.nodes.append(draw.leaf())
    for _ in range(data.draw(st.integers(1, 14))):
        made = draw.step()
        if made is not None:
            draw.nodes.append(made)
    pending = [n for n in draw.nodes if n.data is None]
    if not pending:
        return
    keep = [n for n in pending[:-1] if data.draw(st.integers(0, 3)) == 0]
    device = attrs.evolve(
        data.draw(st.sampled_from([g.HOST, g.DEVICE])),
        slice_bytes=data.draw(st.sampled_from([0, 40, 100, 1 << 20])),
        libraries=data.draw(st.sampled_from([frozenset(), frozenset({"matmul"})])),
        epilogues=True,
    )
    compute(pending[-1], keep=[k for k in keep if k is not pending[-1]], capabilities=device)
