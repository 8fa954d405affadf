"""Random graphs of which rewriting must change no element."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from runmat_core.accel.graph.node import Node
from runmat_core.accel.planning.rewrite import ALL, RULES
from tests.accel.evaluate import DEVICE, HOST, Making, check, value_of

RNG = np.random.default_rng(22)


class Drawn:
    """A graph grown by choices: matrices of a few sizes, so that many fit each other.

    Args:
        sums: whether it may have sums. Then its numbers stay so few bits wide that every sum is
            exact: the order of sums shows nothing, everything else shows.
    """

    def __init__(self, choose: Callable[[int], int], sums: bool) -> None:
        self.choose = choose
        self.sums = sums
        self.make = make = Making()
        self.nodes: list[Node] = []
        self.values: dict[Node, Any] = {}
        self.unaries = ("uminus", "uplus", "abs", "round", "floor", "fix", "double")
        self.binaries = ("plus", "minus", "times", "max")
        self.scalars = (1.0, 2.0, 0.5, 0.0, -0.0, 3.25)
        kind: type = np.float64
        if not sums:
            self.unaries += ("sin", "exp")
            self.binaries += ("rdivide", "ldivide", "power")
            self.scalars += (float("inf"), float("nan"))
            kind = (np.float64, np.float32)[choose(2)]
        rng = np.random.default_rng(choose(1000))
        special = [0.0, -0.0, np.inf, -np.inf, np.nan, 0.5, -2.5, 3.0]
        for shape in ((4, 2), (16, 4), (4, 16), (4, 4), (1, 4), (4, 1), (1, 2)):
            data = rng.integers(-6, 6, shape) / 4 if sums else rng.choice(special, shape)
            self.add(make.source(data.astype(kind)))
        self.cls = self.nodes[0].cls
        self.add(make.fill(1.0, 4, 1, cls=self.cls))
        self.add(make.fill(2.5, 1, 4, cls=self.cls))

    def add(self, node: Node | None) -> None:
        """Take in a node, unless its elements have too many bits for sums to be exact."""
        if node is None:
            return
        value = self.value(node)
        if self.sums and not (np.all(np.abs(value) < 2**9) and np.all(value * 2**14 % 1 == 0)):
            return
        self.nodes.append(node)

    def value(self, node: Node) -> Any:
        if node.data is not None:
            return node.data
        known = self.values.get(node)
        if known is None:
            inputs = [self.value(i) if isinstance(i, Node) else i for i in node.inputs]
            with np.errstate(all="ignore"):
                known = self.values[node] = value_of(node, inputs)
        return known

    def pick(self) -> Node:
        # what came last is likelier, so graphs grow deep
        count = len(self.nodes)
        return self.nodes[count - 1 - min(self.choose(count), self.choose(count))]

    def grow(self) -> None:
        steps = self.MAPS + self.SUMS * self.sums
        self.add(getattr(self, steps[self.choose(len(steps))])())

    MAPS = tuple("unary binary scaled transpose part flip reshape repeat spread twin".split())
    SUMS = tuple("product product gram gram form form reduce reduce centre covariance".split())

    def unary(self) -> Node | None:
        name = self.unaries[self.choose(len(self.unaries))]
        x = self.pick()
        return None if name == "double" and x.cls != "double" else self.make.map(name, x)

    def binary(self) -> Node | None:
        a, b = self.pick(), self.pick()
        if any(m != n and 1 not in (m, n) for m, n in zip(a.shape, b.shape, strict=True)):
            return None
        return self.make.map(self.binaries[self.choose(len(self.binaries))], a, b)

    def scaled(self) -> Node:
        operands = [self.pick(), self.scalars[self.choose(len(self.scalars))]]
        if self.choose(2):
            operands.reverse()
        return self.make.map(self.binaries[self.choose(len(self.binaries))], *operands)

    def product(self) -> Node | None:
        a, b = self.pick(), self.pick()
        return self.make.mtimes(a, b) if a.shape[1] == b.shape[0] else None

    def gram(self) -> Node:
        x = self.pick()
        turned = self.make.transpose(x)
        return self.make.mtimes(turned, x) if self.choose(2) else self.make.mtimes(x, turned)

    def transpose(self) -> Node:
        return self.make.transpose(self.pick(), ("transpose", "ctranspose")[self.choose(2)])

    def form(self) -> Node | None:
        product = self.product()
        return None if product is None else self.make.diag(product)

    def part(self) -> Node:
        x = self.pick()
        m, n = x.shape
        first, second = self.choose(m), self.choose(n)
        shape = (1 + self.choose(m - first), 1 + self.choose(n - second))
        return self.make.view(x, shape, (1, m), first + m * second)

    def flip(self) -> Node:
        x = self.pick()
        return self.make.view(x, x.shape, (-1, x.shape[0]), x.shape[0] - 1)

    def reshape(self) -> Node:
        x = self.pick()
        rows = [k for k in range(1, x.size + 1) if x.size % k == 0]
        m = rows[self.choose(len(rows))]
        return self.make.reshape(x, m, x.size // m)

    def repeat(self, x: Node | None = None) -> Node:
        x = x or self.pick()
        m, n = x.shape
        shape = (16 if m == 1 else m, 4 if n == 1 else n)
        return self.make.view(x, shape, (0 if m == 1 else 1, 0 if n == 1 else m))

    def spread(self) -> Node | None:
        wide, x = self.pick(), self.pick()
        repeated = self.repeat(x)
        return self.make.map("minus", wide, repeated) if wide.shape == repeated.shape else None

    def twin(self) -> Node | None:
        """The same operation of the same inputs once more, and something that reads both."""
        x = self.pick()
        if x.data is not None or x.op.kind == "fill":
            return None
        again = self.make.graph.append(x.op, x.inputs, x.static, x.shape, x.cls)
        return self.make.map("plus", again, x)

    def reduce(self) -> Node:
        name = ("sum", "mean", "max", "min", "prod")[self.choose(5)]
        axes: tuple[tuple[int, ...], ...] = ((0,), (1,), (0, 1))
        x = self.make.reduce(name, self.pick(), *axes[self.choose(3)])
        return self.make.reduce(name, x, self.choose(2)) if self.choose(2) else x

    def centre(self) -> Node:
        x = self.pick()
        return self.make.map("minus", x, self.make.reduce("mean", x, self.choose(2)))

    def covariance(self) -> Node:
        x = self.centre()
        return self.make.mtimes(self.make.transpose(x), x)


@st.composite
def graphs(draw: st.DrawFn, sums: bool) -> tuple[list[Node], list[Node]]:
    """Roots, and further nodes to keep, of a random graph."""
    drawn = Drawn(lambda n: draw(st.integers(0, n - 1)), sums)
    for _ in range(draw(st.integers(4, 20))):
        drawn.grow()
    roots = [drawn.nodes[-1], *(drawn.pick() for _ in range(draw(st.integers(0, 2))))]
    keep = [drawn.pick() for _ in range(draw(st.integers(0, 2)))]
    return [r for r in roots if r.data is None], [k for k in keep if k.data is None]


def agrees(graph: tuple[list[Node], list[Node]], names: frozenset[str], exact: bool) -> None:
    roots, keep = graph
    if roots:
        for capabilities in (HOST, DEVICE):
            # signs of zeros are the one thing that the order of sums may change
            check(roots, keep, capabilities, names, rtol=0.0, exact=exact)


@settings(max_examples=150)
@given(graphs(sums=True))
def test_random_graphs_with_sums(graph: tuple[list[Node], list[Node]]) -> None:
    agrees(graph, ALL, exact=False)


@settings(max_examples=100)
@given(graphs(sums=False))
def test_random_graphs_of_maps_and_views(graph: tuple[list[Node], list[Node]]) -> None:
    agrees(graph, ALL, exact=True)


@settings(max_examples=50)
@given(graphs(sums=True), st.sampled_from(sorted(RULES)))
def test_each_rule_off_alone(graph: tuple[list[Node], list[Node]], off: str) -> None:
    agrees(graph, ALL - {off}, exact=False)


@settings(max_examples=50)
@given(graphs(sums=True), st.sampled_from(sorted(RULES)))
def test_each_rule_on_alone(graph: tuple[list[Node], list[Node]], only: str) -> None:
    agrees(graph, frozenset({only}), exact=False)
