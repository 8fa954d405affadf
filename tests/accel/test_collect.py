"""Sub-graphs, plan keys, and what is kept for other readers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from runmat_core.accel.graph.node import Node
from runmat_core.accel.planning import collect
from runmat_core.accel.running.engine import Engine
from runmat_core.values.array import wrap
from tests.accel.machine import by_rules, call


@pytest.fixture
def engine() -> Engine:
    return by_rules()


def array(seed: int = 0, shape: tuple[int, ...] = (4, 3)) -> Any:
    return wrap(np.asfortranarray(np.random.default_rng(seed).random(shape)))


def node(value: Any) -> Node:
    found: Node = value.promise.node
    return found


def key(*values: Any) -> Any:
    return collect.walk([node(v) for v in values]).key


def test_inputs_come_before_their_users(engine: Engine) -> None:
    x, y = array(1), array(2)
    shared = call(engine, "plus", x, y)
    root = call(engine, "times", call(engine, "exp", shared), call(engine, "minus", shared, 2.0))
    sub, _ = collect.subgraph(collect.walk([node(root)]))
    assert len(sub.nodes) == 6
    for k, below in enumerate(sub.inputs):
        assert all(i < k for i in below)
        if sub.nodes[k].data is None:
            inputs = [None if i < 0 else sub.nodes[i] for i in below]
            own = [v if isinstance(v, Node) else None for v in sub.nodes[k].inputs]
            assert inputs == own
    assert sub.nodes[sub.roots[0]] is node(root)
    assert sorted(sub.users[sub.number[id(node(shared))]]) == sorted(
        [sub.number[id(user)] for user in node(root).inputs]
    )


def test_a_node_used_twice_by_one_user_counts_twice(engine: Engine) -> None:
    root = call(engine, "times", array(), 3.0)
    square = call(engine, "times", root, root)
    del root
    walked = collect.walk([node(square)])
    assert walked.keep == ()
    assert walked.cold == []
    sub, _ = collect.subgraph(walked)
    assert sub.users[sub.inputs[sub.roots[0]][0]] == [sub.roots[0]] * 2


def test_squares_are_not_products(engine: Engine) -> None:
    x, y = array(1), array(2)
    square, other = call(engine, "times", x, x), call(engine, "times", y, y)
    product = call(engine, "times", x, y)
    assert key(square) == key(other) != key(product)
    a, b = call(engine, "exp", x), call(engine, "exp", y)
    assert key(call(engine, "times", a, a)) == key(call(engine, "times", b, b))
    assert key(call(engine, "times", a, b)) != key(call(engine, "times", a, a))


def test_roots_in_another_order_are_another_plan(engine: Engine) -> None:
    x = array()
    a, b = call(engine, "exp", x), call(engine, "sin", x)
    assert key(a, b) != key(b, a)


@pytest.mark.parametrize("pair", [(2.0, 3.0), (0.5, 0.25), (1.0, 2.0), (0.0, 1.0)])
def test_value_classes_are_in_the_key(engine: Engine, pair: tuple[float, float]) -> None:
    x = array()
    first, second = (key(call(engine, "times", x, scalar)) for scalar in pair)
    assert first != second


@pytest.mark.parametrize("pair", [(3.0, 7.0), (0.3, float("nan")), (-0.0, 0.0), (1.5, 2.5)])
def test_values_are_not(engine: Engine, pair: tuple[float, float]) -> None:
    x = array()
    first, second = (key(call(engine, "times", x, scalar)) for scalar in pair)
    assert first == second


def test_what_has_its_elements_is_a_leaf(engine: Engine) -> None:
    inner = call(engine, "plus", array(1), 1.0)
    root = call(engine, "exp", inner)
    before = key(root)
    engine.run([node(inner)])
    assert key(root) != before
    walked = collect.walk([node(root)])
    assert walked.leaves == [node(inner)]


def test_complex_elements_make_another_key(engine: Engine) -> None:
    inner = call(engine, "sqrt", call(engine, "minus", array(), 0.5))
    root = call(engine, "exp", inner)
    other = call(engine, "exp", call(engine, "sqrt", array(3)))
    engine.run([node(inner)])
    assert np.iscomplexobj(node(inner).data)
    walked = collect.walk([node(root)])
    assert walked.foreign
    engine.run([node(other).inputs[0]])
    real = collect.walk([node(other)])
    assert not real.foreign
    assert walked.key != real.key


def test_a_template_gives_the_same_sub_graph(engine: Engine) -> None:
    def program(seed: int) -> Any:
        x, y = array(seed), array(seed + 1)
        a = call(engine, "plus", x, y)
        return call(engine, "sum", call(engine, "times", call(engine, "exp", a), a))

    first, second = program(1), program(5)
    walks = [collect.walk([node(v)]) for v in (first, second)]
    assert walks[0].key == walks[1].key
    _, template = collect.subgraph(walks[0])
    expected, _ = collect.subgraph(walks[1])
    bound = template.bind(walks[1])
    assert bound.nodes == expected.nodes
    assert (bound.inputs, bound.users) == (expected.inputs, expected.users)
    assert (bound.roots, bound.keep) == (expected.roots, expected.keep)


def test_long_chains_need_no_stack(engine: Engine) -> None:
    engine.graph.nodes_bound = 1 << 30
    value = array()
    for _ in range(20000):
        value = call(engine, "plus", value, 1.5)
    sub, _ = collect.subgraph(collect.walk([node(value)]))
    assert len(sub.nodes) == 20001


# -- what is kept ---------------------------------------------------------------------------------


def test_nobody_else_reads_what_is_only_inside(engine: Engine) -> None:
    root = call(engine, "exp", call(engine, "plus", array(), 1.0))
    walked = collect.walk([node(root)])
    assert (walked.keep, walked.cold) == ((), [])


def test_a_cold_node_is_kept_the_second_time(engine: Engine) -> None:
    inner = call(engine, "plus", array(), 1.0)
    first, second = call(engine, "exp", inner), call(engine, "sin", inner)
    walked = collect.walk([node(first)])
    assert walked.keep == ()
    assert walked.cold == [node(inner)]
    node(inner).reads = 1
    walked = collect.walk([node(second)])
    assert [walked.pending[k] for k in walked.keep] == [node(inner)]
    sub, _ = collect.subgraph(walked)
    assert [sub.nodes[k] for k in sub.outputs] == [node(second), node(inner)]


def test_a_node_that_another_pending_one_reads_is_cold(engine: Engine) -> None:
    inner = call(engine, "plus", array(), 1.0)
    first, second = call(engine, "exp", inner), call(engine, "sin", inner)
    held = node(inner)
    del inner
    reading = node(second)
    walked = collect.walk([node(first)])
    assert walked.cold == [held]
    assert reading.inputs[0] is held


def test_small_results_are_kept_at_once(engine: Engine) -> None:
    total = call(engine, "sum", array())
    root = call(engine, "times", total, 2.0)
    walked = collect.walk([node(root)])
    assert [walked.pending[k] for k in walked.keep] == [node(total)]


def test_what_is_kept_is_in_the_key(engine: Engine) -> None:
    x = array()
    inner = call(engine, "plus", x, 1.0)
    root = call(engine, "exp", inner)
    cold = key(root)
    node(inner).reads = 1
    assert key(root) != cold


# -- companions -----------------------------------------------------------------------------------


def test_reductions_of_what_is_read_come_along(engine: Engine) -> None:
    x = array()
    total, largest = call(engine, "sum", x), call(engine, "max", call(engine, "exp", x))
    walked = collect.walk([node(total)], [node(total), node(largest)])
    assert walked.roots == (node(total), node(largest))
    assert collect.walk([node(total)]).key != walked.key


def test_reductions_that_read_more_stay(engine: Engine) -> None:
    x, y = array(1), array(2)
    total = call(engine, "sum", x)
    other = call(engine, "sum", call(engine, "times", x, y))
    unrelated = call(engine, "sum", y)
    walked = collect.walk([node(total)], [node(other), node(unrelated)])
    assert walked.roots == (node(total),)


def test_long_ways_to_a_companion_are_not_gone(engine: Engine) -> None:
    x = array()
    total = call(engine, "sum", x)
    far: Any = x
    for _ in range(collect.COMPANION_NODES + 1):
        far = call(engine, "exp", far)
    walked = collect.walk([node(total)], [node(call(engine, "sum", far))])
    assert walked.roots == (node(total),)


def test_what_may_turn_out_complex_is_no_companion(engine: Engine) -> None:
    x = array()
    total = call(engine, "sum", x)
    root = call(engine, "sum", call(engine, "sqrt", call(engine, "minus", x, 0.5)))
    walked = collect.walk([node(total)], [node(root)])
    assert walked.roots == (node(total),)
