"""Facts: what is proved, and what must not be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runmat_core.accel.graph import facts, interval_rules, intervals
from runmat_core.accel.graph.graph import Graph
from runmat_core.accel.graph.intervals import Facts
from runmat_core.accel.graph.node import Node, Op
from runmat_core.api import ir
from runmat_core.api.ir import Fragment
from runmat_core.api.ir.kernel import FLOATS
from runmat_core.values import from_numpy, minus, plus, power, rdivide, times, uminus
from tests.accel import reference
from tests.accel.referee import Referee

INF = float("inf")


def make(graph: Graph, kind: Any, inputs: Any, cls: str = "single", **static: Any) -> Node:
    op = Op(kind, kind, lambda node, *values: values[0])
    return graph.append(op, inputs, tuple(sorted(static.items())), (4, 5), cls)


def value_of(node: Node) -> Any:
    from runmat_core.accel.capture.boundary import deferred

    return deferred(node)


class Program(Referee):
    """Operations on pending arrays, and what is known of their results."""

    def uniform(self, cls: str = "single") -> Any:
        return value_of(make(self.graph, "random", (1, 2, 3, 4), cls, distribution="uniform"))

    def normal(self, cls: str = "single") -> Any:
        return value_of(make(self.graph, "random", (1, 2, 3, 4), cls, distribution="normal"))

    def array(self) -> Any:
        return from_numpy(np.ones((4, 5), np.float32))


def known(value: Any) -> Facts:
    return facts.facts_of(value.promise.node)


def guarded(value: Any) -> bool:
    guarded: bool = value.promise.node.guarded
    return guarded


# -- the benchmark cases ---------------------------------------------------------------------------


def test_an_image_is_normalised_without_guards() -> None:
    p = Program()
    x = p.uniform()
    mu = p.call("mean", x)
    centred = p.run(minus, x, mu)
    squares = p.run(power, centred, 2.0)
    sigma = p.call("sqrt", p.run(plus, p.call("mean", squares), 1e-6))
    assert not guarded(sigma)
    assert known(sigma).low > 0
    scaled = p.run(minus, p.run(times, p.run(rdivide, centred, sigma), 1.0123), 0.02)
    y = p.run(power, p.call("max", scaled, 0.0), 1.8)
    assert not guarded(y)
    assert guarded(p.run(power, scaled, 1.8))


def test_a_square_written_as_a_product_is_one() -> None:
    p = Program()
    x = p.run(minus, p.uniform(), 0.5)
    assert known(p.run(times, x, x)).low == 0
    assert known(p.run(times, x, p.run(minus, p.uniform(), 0.5))).low < 0


def test_box_muller_needs_no_guards() -> None:
    p = Program()
    u = p.uniform()
    log = p.call("log", u)
    assert not guarded(log)
    root = p.call("sqrt", p.run(times, log, -2.0))
    assert not guarded(root)
    angle = p.call("cos", p.run(times, p.uniform(), 2 * np.pi))
    assert not guarded(p.call("acos", angle))


def test_a_generator_by_remainders_needs_no_guards() -> None:
    p = Program()
    i = value_of(make(p.graph, "range", (0.0, 1.0), "double"))
    words = p.call("mod", p.run(plus, p.run(times, i, 1664525.0), 1013904223.0), 2.0**32)
    assert known(words) == Facts(0.0, 2.0**32 - 1, True, False)
    u = p.call("single", p.run(rdivide, words, 2.0**32))
    assert not guarded(p.call("log", u))
    assert not guarded(p.call("sqrt", p.run(times, p.call("log", u), -2.0)))


def test_what_is_left_of_whole_numbers_is_below_the_divisor() -> None:
    whole = Facts(-50.0, 2.0**40, True, False)
    seven, parts = intervals.exactly(7.0), Facts(0.0, 9.0, False, False)
    assert intervals.modulo(whole, seven, 2.0**48) == Facts(0.0, 6.0, True, False)
    assert intervals.modulo(whole, intervals.exactly(-7.0), 2.0**48) == Facts(
        -6.0, 0.0, True, False
    )
    # of others a rounded quotient may leave all of it
    assert intervals.modulo(parts, seven, 2.0**48).high == 7.0
    assert intervals.modulo(whole, seven, 2.0**20).high == 7.0


def test_a_walk_of_prices_stays_positive() -> None:
    p = Program()
    growth = p.call("exp", p.run(times, p.normal(), 0.01))
    assert known(growth).low >= 0
    assert not guarded(p.call("sqrt", p.run(times, growth, growth)))


# -- what is proved, and what is not ---------------------------------------------------------------


@pytest.mark.parametrize("name", ["sqrt", "log", "log10", "log2", "log1p", "asin", "acos", "atanh"])
def test_unknown_arrays_are_watched(name: str) -> None:
    p = Program()
    assert guarded(p.call(name, p.array()))


@pytest.mark.parametrize(
    ("name", "inner"),
    [
        ("sqrt", "abs"),
        ("sqrt", "exp"),
        ("log", "abs"),
        ("asin", "sin"),
        ("acos", "tanh"),
        ("atanh", "erf"),
        ("log1p", "cos"),
        ("sqrt", "acos"),
    ],
)
def test_inner_functions_rule_the_guard_out(name: str, inner: str) -> None:
    p = Program()
    x = p.uniform() if inner == "acos" else p.array()
    assert not guarded(p.call(name, p.call(inner, x)))


def test_powers_with_whole_exponents_are_not_watched() -> None:
    p = Program()
    x = p.array()
    assert not guarded(p.run(power, x, 3.0))
    assert not guarded(p.run(power, x, p.call("floor", p.uniform())))
    # NaN is among the exponents, and what NaN gives with a negative base is complex
    assert guarded(p.run(power, x, p.call("floor", x)))
    assert guarded(p.run(power, x, 0.5))
    assert guarded(p.run(power, -1.0, p.uniform()))
    assert not guarded(p.run(power, 2.0, x))


def test_sums_and_moments_of_what_is_not_negative() -> None:
    p = Program()
    size = p.call("abs", p.array())
    for name in ("sum", "mean", "prod", "max", "min", "std", "var", "cumsum"):
        found = p.call(name, size)
        assert not guarded(p.call("sqrt", found)), name
    assert guarded(p.call("sqrt", p.call("sum", p.array())))
    assert not guarded(p.call("sqrt", p.call("var", p.array())))


def test_second_outputs_have_facts_of_their_own() -> None:
    p = Program()
    low, high = p.call("bounds", p.uniform(), nargout=2)
    assert known(low) == known(high)
    value, place = p.call("max", p.uniform(), nargout=2)
    assert known(value).low > 0
    assert known(place) == Facts(0.0, INF, True, False)


def test_views_and_joins_pass_facts_on() -> None:
    p = Program()
    u, z = p.uniform(), p.normal()
    view = make(p.graph, "view", (u.promise.node,), offset=0, strides=(1, 4))
    assert facts.facts_of(view) == known(u)
    joined = make(p.graph, "cat", (u.promise.node, z.promise.node), axis=1)
    assert facts.facts_of(joined) == known(z)
    changed = make(p.graph, "update", (u.promise.node, -1.0))
    assert facts.facts_of(changed).low == -1
    small = make(p.graph, "cat", (p.call("int8", u).promise.node, 0.4), "int8", axis=1)
    assert facts.facts_of(small) == Facts(0.0, 1.0, True, False)
    filled = make(p.graph, "fill", (2.5,), "int8")
    assert facts.facts_of(filled) == Facts(3.0, 3.0, True, False)
    assert facts.facts_of(make(p.graph, "call", (u.promise.node,))).nan


def test_what_is_computed_is_unknown_but_for_its_class() -> None:
    p = Program()
    size = p.call("abs", p.array())
    node = size.promise.node
    assert size.data.size
    node.inputs = ()
    node.facts = None
    assert facts.facts_of(node) == intervals.unknown("f32")


def test_facts_of_structures_are_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    p = Program()
    drawn = p.uniform("double")
    read = 0
    evaluate = facts.evaluate

    def counting(*args: Any) -> list[Facts]:
        nonlocal read
        read += 1
        return evaluate(*args)

    monkeypatch.setattr(facts, "evaluate", counting)

    def shifted(by: float) -> Facts:
        return known(p.run(times, p.run(plus, drawn, by), 3.0))

    assert shifted(5.0).low > 14.9
    assert read == 2
    assert shifted(5.0).high < 18.1
    assert read == 2
    # other numbers of the same class make the same structure and other facts
    assert shifted(7.0).low > 20.9
    assert read == 4
    # what is multiplied with itself has the structure of what is not
    x, y = p.run(minus, p.uniform(), 0.5), p.run(minus, p.uniform(), 0.5)
    assert known(p.run(times, x, y)).low < 0
    assert known(p.run(times, x, x)).low == 0


def test_long_chains_need_no_recursion() -> None:
    p = Program()
    p.graph.nodes_bound = 1 << 30
    x = p.uniform()
    for _ in range(5000):
        x = p.run(plus, x, 1.0)
    assert known(x).low > 0


def test_zero_of_either_sign_spoils_quotients() -> None:
    p = Program()
    u = p.uniform()
    assert known(p.run(rdivide, 1.0, u)).low > 0
    tiny = p.run(times, p.run(times, u, 1e-30), 1e-30)
    assert known(tiny).low == 0, "products may vanish"
    assert known(p.run(rdivide, 1.0, p.run(uminus, tiny))).high == INF


# -- rules against numbers -------------------------------------------------------------------------

_NUMBERS = st.one_of(
    st.sampled_from([0.0, -0.0, 1.0, -1.0, 0.5, 2.0, INF, -INF, 1e300, -1e300]),
    st.floats(-1e6, 1e6, width=32),
)


@given(
    op=st.sampled_from(sorted(interval_rules.RULES)),
    pools=st.lists(st.lists(_NUMBERS, min_size=1, max_size=4), min_size=2, max_size=2),
    dtype=st.sampled_from(sorted(FLOATS)),
)
@settings(max_examples=300)
def test_every_value_is_within_its_facts(op: str, pools: list[list[float]], dtype: str) -> None:
    arity = ir.OPS[op].arity
    with np.errstate(all="ignore"):
        given_values = [np.array(pool, reference.NUMPY_DTYPE[dtype]) for pool in pools[:arity]]
        operands = np.meshgrid(*given_values)
        kernel = traced(op, dtype)
        (values,) = reference.fragment(kernel, operands)
    inputs = [of_pool(values) for values in given_values]
    (found,) = facts.evaluate(kernel, inputs, range(arity))
    assert found.nan or not np.isnan(values).any()
    numbers = values[~np.isnan(values)].astype(np.float64)
    assert (numbers >= found.low).all()
    assert (numbers <= found.high).all()
    if found.whole:
        finite = numbers[np.isfinite(numbers)]
        assert (finite % 1 == 0).all()


def traced(op: str, dtype: str) -> Fragment:
    arity = ir.OPS[op].arity
    return ir.trace(lambda *x: x[0].builder.map(op, *x), [dtype] * arity)


def of_pool(values: Any) -> Facts:
    numbers = [float(v) for v in values]
    whole = all(v % 1 == 0 or v in (INF, -INF) for v in numbers)
    return Facts(min(numbers), max(numbers), whole, False)
