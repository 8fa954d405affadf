"""What rewriting must never do, and random graphs of which it must change no element."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runmat_core.accel.graph.node import Node
from runmat_core.accel.planning.rewrite import ALL, RULES
from tests.accel.evaluate import DEVICE, HOST, Making, below, check, operations, value_of

RNG = np.random.default_rng(22)


@pytest.fixture
def make() -> Making:
    return Making()


def unchanged(root: Node, *keep: Node) -> None:
    """Every operation is left as it was written, on every device, and so it is below another."""
    written = [node.op.name for node in below([root], keep).nodes if node.data is None]
    above = Making().map("exp", root)
    for capabilities in (HOST, DEVICE):
        assert operations(check([root], keep, capabilities, exact=True)) == written
        # an output may not turn into what is there already, but what is read on may
        assert operations(check([above], keep, capabilities)) == [*written, "exp"]


# -- products and what follows them ----------------------------------------------------------------


def matrices(make: Making, m: int = 12, k: int = 11, n: int = 10) -> tuple[Node, Node, Node]:
    return tuple(make.source(RNG.normal(size=s)) for s in ((m, k), (k, n), (m, n)))  # type: ignore[return-value]


def test_a_sum_times_a_factor_is_not_distributed(make: Making) -> None:
    # (A*B + 2)*3 is not 3*A*B + 2
    A, B, _ = matrices(make)
    unchanged(make.map("times", make.map("plus", make.mtimes(A, B), 2.0), 3.0))


def test_a_difference_keeps_its_sides(make: Making) -> None:
    # c - A*B is not A*B - c
    A, B, C = matrices(make)
    unchanged(make.map("minus", C, make.mtimes(A, B)))
    unchanged(make.map("minus", make.mtimes(A, B), C))
    unchanged(make.map("minus", 3.5, make.mtimes(A, B)))


def test_left_division_keeps_its_sides(make: Making) -> None:
    # s .\ A is A ./ s
    A, B, C = matrices(make)
    unchanged(make.map("ldivide", make.mtimes(A, B), C))
    unchanged(make.map("rdivide", make.mtimes(A, B), C))
    unchanged(make.map("ldivide", make.mtimes(A, B), 2.0))
    unchanged(make.map("rdivide", 1.0, make.mtimes(A, B)))
    unchanged(make.map("ldivide", make.mtimes(A, B), 1.0))


def test_products_are_never_reordered(make: Making) -> None:
    A, B, _ = matrices(make)
    x = make.source(RNG.normal(size=(10, 1)))
    unchanged(make.mtimes(A, make.mtimes(B, x)))
    unchanged(make.mtimes(make.mtimes(A, B), x))


def test_scalar_factors_stay_where_they_are(make: Making) -> None:
    A, B, _ = matrices(make)
    unchanged(make.map("times", make.mtimes(A, B), 0.1))
    unchanged(make.mtimes(make.map("times", A, 0.1), B))


# -- covariance ------------------------------------------------------------------------------------


def gram_of(make: Making, centred: Node, second: Node | None = None) -> Node:
    return make.mtimes(make.transpose(centred, "ctranspose"), centred if second is None else second)


def test_the_covariance_subtracts_along_the_right_dimension(make: Making) -> None:
    A = make.source(RNG.normal(size=(11, 11)))
    rows = make.map("minus", A, make.reduce("mean", A, 1))
    found = check([gram_of(make, rows)])
    assert operations(found) == ["mean", "minus", "matmul syrk=True trans_a=True"]


def test_the_covariance_keeps_its_denominator(make: Making) -> None:
    A = make.source(RNG.normal(size=(11, 11)))
    centred = make.map("minus", A, make.reduce("mean", A, 0))
    for denominator in (10.0, 11.0, 1.0 / 3.0):
        G = make.map("rdivide", gram_of(make, centred), denominator)
        found = check([G])
        assert operations(found)[-1] == "rdivide"
        assert found.subgraph.nodes[-1].inputs[1] == denominator


def test_the_covariance_transposes_on_the_right_side(make: Making) -> None:
    A = make.source(RNG.normal(size=(11, 11)))
    centred = make.map("minus", A, make.reduce("mean", A, 0))
    outer = make.mtimes(centred, make.transpose(centred))
    assert operations(check([outer])) == ["mean", "minus", "matmul trans_b=True"]


def test_what_is_centred_with_another_mean_is_not_gram(make: Making) -> None:
    A, B = (make.source(RNG.normal(size=(30, 11))) for _ in range(2))
    one = make.map("minus", A, make.reduce("mean", A, 0))
    two = make.map("minus", A, make.reduce("mean", B, 0))
    found = check([gram_of(make, one, two)])
    assert sum("syrk" in name for name in operations(found)) == 0


def test_a_scalar_mean_is_no_row(make: Making) -> None:
    A = make.source(RNG.normal(size=(30, 11)))
    centred = make.map("minus", A, make.reduce("mean", A, 0, 1))
    found = check([gram_of(make, centred)])
    assert operations(found) == ["mean", "minus", "matmul syrk=True trans_a=True"]


def test_one_row_is_no_matrix_to_centre(make: Making) -> None:
    a, b = (make.source(RNG.normal(size=(1, 11))) for _ in range(2))
    assert "centre" not in " ".join(operations(check([gram_of(make, make.map("minus", a, b))])))


def test_a_standardised_matrix_is_not_merely_centred(make: Making) -> None:
    A = make.source(RNG.normal(size=(30, 11)))
    centred = make.map("minus", A, make.reduce("mean", A, 0))
    scaled = make.map("rdivide", centred, make.reduce("max", A, 0))
    assert operations(check([gram_of(make, scaled)])) == [
        "mean",
        "minus",
        "max",
        "rdivide",
        "matmul syrk=True trans_a=True",
    ]


def test_centring_in_single_is_rounded_in_single(make: Making) -> None:
    A = make.source((RNG.normal(size=(30, 11)) + 1e3).astype(np.float32))
    centred = make.map("minus", A, make.reduce("mean", A, 0))
    # not even half of the digits would be left of what is computed from A' * A
    check([gram_of(make, centred)], rtol=1e-4)


def test_a_double_row_taken_from_singles_is_left(make: Making) -> None:
    A = make.source(RNG.normal(size=(30, 11)).astype(np.float32))
    row = make.source(RNG.normal(size=(1, 11)))
    centred = make.map("minus", A, row, cls="single")
    assert "minus" in operations(check([gram_of(make, centred)], rtol=1e-4))


# -- maps and reductions ---------------------------------------------------------------------------


def test_rounding_is_half_away_from_zero(make: Making) -> None:
    x = make.source(np.array([[-2.5, -1.5, -0.5, 0.5, 1.5, 2.5]]))
    unchanged(make.map("round", x))
    unchanged(make.map("floor", make.map("plus", x, 0.5)))
    unchanged(make.map("round", make.map("times", x, 2.0)))


def test_the_maximum_ignores_nan(make: Making) -> None:
    x = make.source(np.array([[np.nan, 1.0], [2.0, np.nan], [np.nan, np.nan]]))
    unchanged(make.map("max", x, 1.5))
    unchanged(make.map("max", make.map("max", x, x), x))
    found = check([make.reduce("max", make.reduce("max", x, 0), 1)], exact=True)
    assert operations(found) == ["max"]


def test_a_reduction_of_an_expression_reduces_the_expression(make: Making) -> None:
    x, y = (make.source(RNG.normal(size=(6, 5))) for _ in range(2))
    unchanged(make.reduce("sum", make.map("times", x, y), 0))
    unchanged(make.reduce("mean", make.map("power", make.map("minus", x, y), 2.0), 0))
    unchanged(make.map("times", make.reduce("sum", x, 0), make.reduce("sum", y, 0)))
    unchanged(make.reduce("max", make.map("uminus", x), 0))
    unchanged(make.map("sqrt", make.reduce("sum", make.map("times", x, x), 0)))


def test_the_sum_of_a_sum_along_one_dimension_is_not_the_sum_of_all(make: Making) -> None:
    x = make.source(RNG.normal(size=(6, 5, 4)))
    root = make.reduce("sum", make.reduce("sum", x, 0), 1)
    found = check([root])
    assert found.subgraph.nodes[-1].shape == (1, 1, 4)
    assert found.subgraph.nodes[-1].option("axes") == (0, 1)


def test_the_mean_of_the_sum_is_not_the_mean(make: Making) -> None:
    x = make.source(RNG.normal(size=(6, 5)))
    unchanged(make.reduce("mean", make.reduce("sum", x, 0), 1))
    unchanged(make.reduce("sum", make.map("plus", make.reduce("sum", x, 0), 2.5), 1))


def test_broadcasting_aligns_leading_dimensions(make: Making) -> None:
    # a 3x1 and a 3x3x3: along the first dimension, where NumPy would take the last
    cube, column = make.source(RNG.normal(size=(3, 3, 3))), make.source(RNG.normal(size=(3, 1)))
    repeated = make.view(column, (3, 3, 3), (1, 0, 0))
    found = check([make.map("minus", cube, repeated)], exact=True)
    assert operations(found) == ["minus"]
    assert found.subgraph.nodes[found.subgraph.inputs[-1][1]].shape == (3, 1)
    # the same elements along the last one are no expansion
    last = make.view(column, (3, 3, 3), (0, 0, 1))
    assert operations(check([make.map("minus", cube, last)], exact=True)) == ["view", "minus"]


def test_sums_are_not_reassociated(make: Making) -> None:
    x = make.source(np.array([[1.0, 1e8, -1e8]], np.float32))
    unchanged(make.map("minus", make.map("plus", x, 1e8), 1e8))
    unchanged(make.map("plus", make.map("plus", x, 0.5), 0.5))
    unchanged(make.map("times", make.map("times", x, 0.1), 10.0))


def test_signed_zeros_survive(make: Making) -> None:
    x = make.source(np.array([[0.0, -0.0]]))
    unchanged(make.map("plus", x, 0.0))
    unchanged(make.map("minus", 0.0, x))
    unchanged(make.map("rdivide", 1.0, make.map("uminus", x)))


@pytest.mark.parametrize("cls", ["int8", "uint8", "int16", "uint32"])
def test_integer_classes_saturate_where_they_did(make: Making, cls: str) -> None:
    limits = np.iinfo(cls)
    x = make.source(np.array([[limits.min, limits.max, 5]]).astype(cls))
    unchanged(make.map("uminus", make.map("uminus", x)))
    unchanged(make.map("rdivide", make.map("times", x, 2.0), 2.0))
    unchanged(make.map("minus", make.map("plus", x, 1.0), 1.0))
    unchanged(make.map("abs", make.map("uminus", x)))
    unchanged(make.reduce("sum", make.reduce("sum", x, 0), 1))


# -- complex elements ------------------------------------------------------------------------------


def rooted(make: Making, *shape: int) -> Node:
    """A matrix that turns out complex."""
    return make.map("sqrt", make.source(RNG.normal(size=shape)), guarded=True)


def test_a_conjugate_transpose_conjugates(make: Making) -> None:
    for name in ("transpose", "ctranspose"):
        x = rooted(make, 11, 9)
        assert operations(check([make.mtimes(make.transpose(x, name), x)])) == [
            "sqrt",
            name,
            "matmul",
        ]


def test_two_transposes_of_which_one_conjugates(make: Making) -> None:
    x = rooted(make, 5, 4)
    both = make.map("plus", make.transpose(x), make.transpose(x, "ctranspose"))
    assert operations(check([both])) == ["sqrt", "transpose", "ctranspose", "plus"]
    twice = make.map("sin", make.transpose(make.transpose(x, "ctranspose"), "ctranspose"))
    assert operations(check([twice]))[0] == "sqrt"


def test_a_conjugate_transpose_that_keeps_the_size(make: Making) -> None:
    x = rooted(make, 3, 1)
    column = make.view(make.transpose(x, "ctranspose"), (3, 1), (1, 0), name="reshape")
    check([make.map("sin", column)])


def test_a_gram_of_centred_complex_numbers(make: Making) -> None:
    x = rooted(make, 30, 11)
    centred = make.map("minus", x, make.reduce("mean", x, 0))
    check([make.mtimes(make.transpose(centred, "ctranspose"), centred)])


def test_diagonals_and_inner_products_of_complex_numbers(make: Making) -> None:
    x, V = rooted(make, 12, 1), rooted(make, 12, 12)
    for name in ("transpose", "ctranspose"):
        check([make.mtimes(make.transpose(x, name), x)])
        check([make.diag(make.mtimes(make.transpose(V, name), V))])


# -- random graphs ---------------------------------------------------------------------------------


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


@settings(max_examples=150, deadline=None)
@given(graphs(sums=True))
def test_random_graphs_with_sums(graph: tuple[list[Node], list[Node]]) -> None:
    agrees(graph, ALL, exact=False)


@settings(max_examples=100, deadline=None)
@given(graphs(sums=False))
def test_random_graphs_of_maps_and_views(graph: tuple[list[Node], list[Node]]) -> None:
    agrees(graph, ALL, exact=True)


@settings(max_examples=50, deadline=None)
@given(graphs(sums=True), st.sampled_from(sorted(RULES)))
def test_each_rule_off_alone(graph: tuple[list[Node], list[Node]], off: str) -> None:
    agrees(graph, ALL - {off}, exact=False)


@settings(max_examples=50, deadline=None)
@given(graphs(sums=True), st.sampled_from(sorted(RULES)))
def test_each_rule_on_alone(graph: tuple[list[Node], list[Node]], only: str) -> None:
    agrees(graph, frozenset({only}), exact=False)
