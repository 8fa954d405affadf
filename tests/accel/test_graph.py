"""The graph: structural numbers, weak handles, bounds, lines, and what is computed when."""

from __future__ import annotations

import gc
from collections.abc import Sequence

import numpy as np
import pytest

from runmat_core.accel.capture.boundary import deferred, lazy, node_of
from runmat_core.accel.context import CaptureContext, get, running
from runmat_core.accel.graph import rules
from runmat_core.accel.graph.graph import Graph
from runmat_core.accel.graph.node import Node, Op
from runmat_core.api import MatlabError
from runmat_core.values import from_numpy, plus, to_numpy
from runmat_core.values.deferred import Deferred

PLUS = Op("plus", "map", lambda node, a, b: plus(a, b))
FAILS = Op("fails", "map", lambda node, a: _fail())


def _fail() -> None:
    raise MatlabError("Test:fails", "It fails.")


class Counting:
    """Host rules, and how often they were asked."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def __call__(self, nodes: Sequence[Node]) -> None:
        self.asked.append(len(nodes))
        rules.evaluate(nodes)


@pytest.fixture
def evaluate() -> Counting:
    return Counting()


@pytest.fixture
def graph(evaluate: Counting) -> Graph:
    return Graph(evaluate)


def row(*numbers: float) -> np.ndarray:
    return np.array([numbers], order="F")


def add(graph: Graph, a: Node, b: Node | float) -> Node:
    return graph.append(PLUS, (a, b), (), a.shape, "double")


def test_equal_structures_have_equal_numbers(graph: Graph) -> None:
    x, y = graph.source(row(1, 2), "double"), graph.source(row(3, 4), "double")
    assert x.value_number == y.value_number
    assert add(graph, x, 3.0).value_number == add(graph, y, 7.0).value_number  # other whole numbers
    assert (
        add(graph, x, 3.0).value_number != add(graph, x, 2.0).value_number
    )  # 2 is a value class of its own
    assert add(graph, x, y).value_number != add(graph, x, 3.0).value_number


def test_numbers_are_never_given_twice(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(graph.interner), "LIMIT", 2)
    shapes = [(1, n) for n in range(2, 12)]
    sids = [graph.append(PLUS, (), (), shape, "double").value_number for shape in shapes]
    assert len(set(sids)) == len(sids)
    assert len(graph.interner) <= 2


def test_a_chain_deeper_than_the_stack_is_computed(graph: Graph) -> None:
    graph.nodes_bound = 10**6
    node = graph.source(row(0, 1), "double")
    for _ in range(20_000):
        node = add(graph, node, 1.0)
    assert node.elements().tolist() == [[20_000, 20_001]]


def test_a_shared_node_is_computed_once(graph: Graph) -> None:
    seen: list[Node] = []
    double = Op("double", "map", lambda node, a: (seen.append(node), plus(a, a))[1])
    x = graph.source(row(1, 2), "double")
    shared = graph.append(double, (x,), (), x.shape, "double")
    total = add(graph, add(graph, shared, shared), shared)
    assert total.elements().tolist() == [[6, 12]]
    assert seen == [shared]


def test_nothing_is_computed_that_nobody_asks_for(graph: Graph, evaluate: Counting) -> None:
    value = deferred(add(graph, graph.source(row(1, 2), "double"), 1.0))
    assert (value.shape, value.class_name) == ((1, 2), "double")
    del value
    graph.finish()
    assert evaluate.asked == []


def test_finish_computes_what_values_stand_for(graph: Graph, evaluate: Counting) -> None:
    x = graph.source(row(1, 2), "double")
    first, second = deferred(add(graph, x, 1.0)), deferred(add(graph, x, 2.0))
    dropped = deferred(add(graph, x, 3.0))
    nodes = [first.promise.node, second.promise.node]
    del dropped
    graph.finish()
    assert evaluate.asked == [2]
    assert [node.data.tolist() for node in nodes] == [[[2, 3]], [[3, 4]]]
    assert all(node.inputs == () for node in nodes)


def test_what_a_value_stands_for_is_kept_when_computed_on_the_way(graph: Graph) -> None:
    below = deferred(add(graph, graph.source(row(1, 2), "double"), 1.0))
    loose = add(graph, below.promise.node, 1.0)
    above = add(graph, loose, 1.0)
    above.elements()
    assert below.promise.node.data is not None
    assert loose.data is None


def test_values_of_one_node_share_its_handle(graph: Graph) -> None:
    node = add(graph, graph.source(row(1, 2), "double"), 1.0)
    assert not node.held
    first, second = deferred(node), deferred(node)
    assert first.promise is second.promise
    assert first.share().promise is first.promise
    assert node.held
    del first, second
    gc.collect()
    assert not node.held


def test_the_number_of_pending_nodes_is_bounded(evaluate: Counting) -> None:
    graph = Graph(evaluate, nodes=8)
    value = deferred(graph.source(row(0, 0), "double"))
    for _ in range(40):
        value = deferred(add(graph, value.promise.node, 1.0))
    assert len(evaluate.asked) >= 4
    assert value.data.tolist() == [[40, 40]]


def test_short_lived_nodes_do_not_count(evaluate: Counting) -> None:
    graph = Graph(evaluate, nodes=8)
    x = graph.source(row(0, 0), "double")
    for _ in range(100):
        deferred(add(graph, x, 1.0))
    assert evaluate.asked == []


def test_bytes_that_live_for_the_graph_alone_are_bounded(evaluate: Counting) -> None:
    graph = Graph(evaluate, bytes=1000)
    values = []
    for k in range(20):
        source = graph.source(np.full((1, 16), float(k)), "double")
        values.append(deferred(add(graph, source, 1.0)))
        del source
    assert evaluate.asked
    assert [value.data[0, 0] for value in values] == list(range(1, 21))


def test_bytes_that_the_program_holds_do_not_count(evaluate: Counting) -> None:
    graph = Graph(evaluate, bytes=1000)
    arrays = [np.full((1, 16), float(k)) for k in range(20)]
    values = [deferred(add(graph, graph.source(a, "double"), 1.0)) for a in arrays]
    assert evaluate.asked == []
    assert len(values) == 20


def test_an_array_without_elements_needs_no_computing(graph: Graph, evaluate: Counting) -> None:
    node = graph.append(PLUS, (), (), (0, 3), "single")
    assert node.elements().shape == (0, 3)
    assert node.elements().dtype == np.float32
    assert evaluate.asked == []


def test_what_no_memory_holds_is_refused(graph: Graph) -> None:
    with pytest.raises(MatlabError) as caught:
        graph.append(PLUS, (), (), (10**7, 10**7), "double")
    assert caught.value.identifier == "MATLAB:nomem"


def test_an_error_publishes_nothing(graph: Graph) -> None:
    x = graph.source(row(1, 2), "double")
    good = deferred(add(graph, x, 1.0))
    bad = graph.append(FAILS, (good.promise.node,), (), (1, 2), "double")
    with pytest.raises(MatlabError):
        bad.elements()
    assert good.promise.node.data is None
    assert good.data.tolist() == [[2, 3]]


def test_nested_runs_restore_the_seat() -> None:
    seats = [CaptureContext(1, lambda seat: None), CaptureContext(2, lambda seat: None)]
    assert get() is None
    with running(seats[0]):
        with running(seats[1]):
            assert get() is seats[1]
        assert get() is seats[0]
        with running(None):
            assert get() is None
    assert get() is None


def test_an_engine_is_made_when_it_is_asked_for(graph: Graph) -> None:
    class Engine:
        def __init__(self) -> None:
            self.graph = graph

    seat = CaptureContext(3, lambda seat: Engine())
    assert not seat.made
    with running(seat):
        assert lazy(1.0, from_numpy(row(1, 2))) is None
        assert not seat.made
        assert lazy(1.0, from_numpy(row(1, 2, 3))) is graph
    assert seat.made


def test_one_array_has_one_node_while_it_lives(graph: Graph) -> None:
    value = from_numpy(row(1, 2))
    node = node_of(graph, value)
    assert isinstance(node, Node)
    assert node_of(graph, value) is node
    assert node_of(graph, value.share()) is node
    assert node_of(graph, from_numpy(row(1, 2))) is not node
    assert node.data is value.data


def test_scalars_stay_themselves_and_complex_arrays_are_left_out(graph: Graph) -> None:
    assert node_of(graph, 2.5) == 2.5
    assert node_of(graph, True) is True
    assert node_of(graph, from_numpy(row(1, 2) + 1j)) is None


def test_a_value_of_another_session_is_gathered(graph: Graph, evaluate: Counting) -> None:
    other = Graph(evaluate)
    value = deferred(add(other, other.source(row(1, 2), "double"), 1.0))
    node = node_of(graph, value)
    assert isinstance(node, Node)
    assert node.graph is graph
    assert node.data.tolist() == [[2, 3]]


def test_a_scalar_that_meets_scalars_for_the_fourth_time_is_computed(graph: Graph) -> None:
    total = Op("sum", "reduce", lambda node, a: float(to_numpy(a).sum()))
    seat = CaptureContext(1, lambda seat: type("Engine", (), {"graph": graph})())
    x = graph.source(row(1, 2), "double")
    value = deferred(graph.append(total, (x,), (("axes", (1,)),), (1, 1), "double"))
    with running(seat):
        for _ in range(3):
            assert lazy(value, 2.0) is graph
            node = graph.append(PLUS, (value.promise.node, 2.0), (), (1, 1), "double")
            value = deferred(node)
        assert lazy(value, 2.0) is None
        # with an array it goes on
        assert lazy(value, from_numpy(row(1, 2))) is graph
    assert value.__class__ is Deferred
    assert value.settle() == 9.0
