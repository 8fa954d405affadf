"""Rewrites of maps and reductions, and the pass that applies them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from runmat_core.accel.graph.node import Node
from runmat_core.accel.planning.rewrite import ALL, RULES, rewrite
from tests.accel.evaluate import DEVICE, Making, below, check, operations, well_formed

RNG = np.random.default_rng(21)


@pytest.fixture
def make() -> Making:
    return Making()


# -- the pass --------------------------------------------------------------------------------------


def test_without_a_match_the_given_subgraph_is_the_result(make: Making) -> None:
    x = make.source(RNG.random((4, 3)))
    y = make.map("exp", make.map("plus", x, 3.5))
    given = below([y])
    found = rewrite(given, DEVICE)
    assert found.subgraph is given
    assert found.origin == found.scalars == (0, 1, 2)


def test_rules_that_do_not_exist_are_refused(make: Making) -> None:
    x = make.source(RNG.random((4, 3)))
    with pytest.raises(ValueError, match="no such rule: folding"):
        rewrite(below([make.map("exp", x)]), DEVICE, frozenset({"folding"}))


def everything(make: Making) -> list[Node]:
    """Roots of a graph in which every rule finds something."""
    A = make.source(RNG.random((12, 4)))
    V = make.source(RNG.random((4, 4)))
    x, y = make.source(RNG.random((12, 1))), make.source(RNG.random((1, 5)))
    repeated = make.view(make.reduce("mean", A, 0), (12, 4), (0, 1))
    centred = make.map("minus", A, repeated)
    off = make.map("minus", V, make.reduce("mean", V, 1))
    curved = make.map("exp", make.map("sin", A))
    lower = make.view(curved, (11, 4), (1, 12), 1)
    return [
        make.mtimes(make.transpose(centred), centred),
        make.reduce("mean", make.map("times", off, off), 1),
        make.diag(make.mtimes(V, make.map("uplus", make.map("uminus", make.map("uminus", V))))),
        make.map("exp", make.mtimes(make.map("times", x, 1.0), y)),
        make.mtimes(make.transpose(make.map("sin", x)), x),
        make.reduce("sum", make.reduce("sum", make.map("exp", A), 0), 1),
        make.reduce("sum", make.map("minus", A, make.reduce("max", A, 0)), 0, 1),
        make.map("plus", make.map("sin", V), make.map("sin", V)),
        make.map("sin", make.transpose(make.transpose(A))),
        make.map("plus", make.view(make.fill(3.5, 2, 1), (6, 1), (0, 0)), 1.5),
        make.map("exp", make.cat(0, lower, make.view(curved, (1, 4), (1, 12)))),
        make.update(A, lower, 1, (1, 12), (11, 4)),
    ]


@pytest.mark.parametrize("off", sorted(RULES))
def test_each_rule_can_be_switched_off_alone(make: Making, off: str) -> None:
    roots = everything(make)
    every = operations(check(roots))
    less = operations(check(roots, names=ALL - {off}))
    assert less != every, f"nothing here needs {off}"
    assert check(roots, names=frozenset()).subgraph.nodes == below(roots).nodes


@pytest.mark.parametrize("only", sorted(RULES))
def test_each_rule_works_alone(make: Making, only: str) -> None:
    check(everything(make), names=frozenset({only}))


def test_rewriting_twice_changes_nothing(make: Making) -> None:
    once = check(everything(make)).subgraph
    assert rewrite(once, DEVICE).subgraph is once


def test_lines_and_facts_go_along(make: Making) -> None:
    A = make.source(RNG.random((5, 3)))
    product = make.mtimes(make.transpose(A), A)
    product.place = ("model.m", 7)
    shifted = make.map("plus", product, 3.5)
    shifted.place = ("model.m", 8)
    shifted.facts = facts = object()
    found = check([shifted]).subgraph.nodes
    assert [node.line for node in found[-2:]] == [("model.m", 7), ("model.m", 8)]
    assert found[-1] is not shifted
    assert found[-1].facts is facts


def test_scalars_are_told_by_the_node_that_has_them(make: Making) -> None:
    x = make.source(RNG.random((4, 3)))
    shifted = make.map("minus", make.map("times", x, 1.0), 3.5)
    filled = make.view(make.fill(2.5, 1, 3), (4, 3), (0, 1))
    found = check([make.map("plus", shifted, filled)])
    given = below([make.map("plus", shifted, filled)])
    places = {
        node.op.name: given.nodes[found.scalars[k]].op.name
        for k, node in enumerate(found.subgraph.nodes)
        if any(i < 0 for i in found.subgraph.inputs[k])
    }
    assert places == {"minus": "minus", "fill": "fill"}


def test_kept_nodes_stay_one_for_one(make: Making) -> None:
    x = make.source(RNG.random((4, 3)))
    copy = make.map("times", x, 1.0)
    twin = make.map("uplus", copy)
    first, second = make.map("exp", copy), make.map("exp", twin)
    found = check([first, second], [copy, twin])
    assert len(found.subgraph.roots) == 2
    assert len(found.subgraph.keep) == 2


def test_one_node_may_be_several_roots(make: Making) -> None:
    x = make.source(RNG.random((4, 3)))
    y = make.map("exp", make.map("uplus", x))
    found = check([y, y])
    assert found.subgraph.roots[0] == found.subgraph.roots[1]


# -- identities ------------------------------------------------------------------------------------

SPECIAL = np.array([[0.0, -0.0, np.inf], [-np.inf, np.nan, -2.5]])


@pytest.mark.parametrize(
    "identity",
    [
        lambda m, x: m.map("times", x, 1.0),
        lambda m, x: m.map("times", 1.0, x),
        lambda m, x: m.map("rdivide", x, 1.0),
        lambda m, x: m.map("ldivide", 1.0, x),
        lambda m, x: m.map("power", x, 1.0),
        lambda m, x: m.map("uplus", x),
        lambda m, x: m.map("uminus", m.map("uminus", x)),
        lambda m, x: m.map("times", x, m.fill(1.0, 2, 3)),
        lambda m, x: m.map("times", m.fill(1.0, 2, 3), x),
        lambda m, x: m.map("double", x),
    ],
)
def test_identities_of_ieee_numbers(make: Making, identity: Callable[..., Node]) -> None:
    x = make.source(SPECIAL)
    found = check([make.map("sin", identity(make, x))], exact=True)
    assert operations(found) == ["sin"]


@pytest.mark.parametrize(
    "expression",
    [
        lambda m, x: m.map("plus", x, 0.0),
        lambda m, x: m.map("minus", x, 0.0),
        lambda m, x: m.map("minus", x, -0.0),
        lambda m, x: m.map("times", x, 0.0),
        lambda m, x: m.map("minus", x, x),
        lambda m, x: m.map("rdivide", x, x),
        lambda m, x: m.map("rdivide", 1.0, x),
        lambda m, x: m.map("ldivide", x, 1.0),
        lambda m, x: m.map("power", 1.0, x),
        lambda m, x: m.map("times", x, True),
        lambda m, x: m.map("power", x, 0.0),
        lambda m, x: m.map("abs", m.map("floor", x)),
        lambda m, x: m.map("single", x, cls="single"),
    ],
)
def test_what_is_no_identity_stays(make: Making, expression: Callable[..., Node]) -> None:
    x = make.source(SPECIAL)
    root = make.map("uminus", expression(make, x))
    given = below([root])
    assert check([root], exact=True).subgraph is given or operations(check([root])) == [
        node.op.name for node in given.nodes if node.data is None
    ]


def test_rounding_what_is_rounded(make: Making) -> None:
    x = make.source(np.array([[-2.5, 2.5, 0.5], [-0.5, np.nan, np.inf]]))
    root = make.map("floor", make.map("round", x))
    assert operations(check([make.map("sin", root)], exact=True)) == ["round", "sin"]


def test_the_absolute_value_of_a_negative(make: Making) -> None:
    x = make.source(SPECIAL)
    root = make.map("abs", make.map("abs", make.map("uminus", x)))
    assert operations(check([make.map("sin", root)], exact=True)) == ["abs", "sin"]


def test_not_not(make: Making) -> None:
    truth = make.map("gt", make.source(SPECIAL), 0.5, cls="logical")
    twice = make.map("not", make.map("not", truth))
    once = make.map("not", make.map("not", make.source(SPECIAL), cls="logical"))
    assert operations(check([make.map("plus", twice, 1.5, cls="double")])) == ["gt", "plus"]
    assert operations(check([make.map("plus", once, 1.5, cls="double")])) == ["not", "not", "plus"]


def test_an_identity_that_changes_the_class_stays(make: Making) -> None:
    truth = make.map("gt", make.source(SPECIAL), 0.5, cls="logical")
    root = make.map("sin", make.map("times", truth, 1.0, cls="double"))
    assert operations(check([root])) == ["gt", "times", "sin"]


def test_an_identity_that_expands_repeats(make: Making) -> None:
    row = make.source(RNG.random((1, 3)))
    root = make.map("sin", make.map("times", make.fill(1.0, 4, 1), row))
    found = check([root], exact=True)
    assert "times" not in operations(found)


@pytest.mark.parametrize("cls", ["int8", "uint8", "int32"])
def test_integers_are_left_alone(make: Making, cls: str) -> None:
    x = make.source(np.array([[-128, 127, 5]]).astype(cls))
    for root in (
        make.map("uminus", make.map("uminus", x)),
        make.map("times", x, 1.0),
        make.map("rdivide", x, 1.0),
        make.map("abs", make.map("uminus", x)),
    ):
        # what nobody reads but somebody outside would be left in any case
        read = make.map("max", root, x)
        given = [node.op.name for node in below([read]).nodes if node.data is None]
        assert operations(check([read], exact=True)) == given


# -- reductions ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["sum", "prod", "mean", "max", "min"])
def test_reductions_one_after_the_other_are_one(make: Making, name: str) -> None:
    x = make.source(RNG.random((4, 5, 3)))
    two = make.reduce(name, make.reduce(name, x, 0), 1)
    assert operations(check([two])) == [name]
    three = make.reduce(name, make.reduce(name, make.reduce(name, x, 2), 0), 1)
    found = check([three])
    assert operations(found) == [name]
    assert found.subgraph.nodes[-1].option("axes") == (0, 1, 2)


def test_any_and_all(make: Making) -> None:
    truth = make.source(RNG.random((4, 5)) > 0.5)
    for name in ("any", "all"):
        root = make.reduce(name, make.reduce(name, truth, 0), 1)
        assert operations(check([root], exact=True)) == [name]


def test_different_reductions_stay(make: Making) -> None:
    x = make.source(RNG.random((4, 5)))
    for inner, outer in [("sum", "max"), ("max", "sum"), ("mean", "sum"), ("any", "all")]:
        root = make.reduce(outer, make.reduce(inner, x, 0), 1)
        assert operations(check([root])) == [inner, outer]


def test_a_reduction_that_is_wanted_stays(make: Making) -> None:
    x = make.source(RNG.random((4, 5)))
    part = make.reduce("sum", x, 0)
    assert operations(check([make.reduce("sum", part, 1)], [part])) == ["sum", "sum"]
    root = make.map("plus", make.reduce("sum", part, 1), part)
    assert operations(check([root])) == ["sum", "sum", "plus"]


def test_reductions_with_options_stay(make: Making) -> None:
    x = make.source(RNG.random((4, 5)))
    option = (("omit_nan", True),)
    part = make.reduce("mean", x, 0, options=option)
    assert operations(check([make.reduce("mean", part, 1)])) == ["mean", "mean"]
    part = make.reduce("mean", x, 0)
    assert operations(check([make.reduce("mean", part, 1, options=option)])) == ["mean", "mean"]


def test_integer_sums_stay(make: Making) -> None:
    # each saturates for itself: 127 + 127 - 100 is 27, in one sum 154 becomes 127
    x = make.source(np.array([[127, -100], [127, 0]], np.int8))
    root = make.reduce("sum", make.reduce("sum", x, 0), 1)
    assert operations(check([root], exact=True)) == ["sum", "sum"]


def test_reductions_of_nothing_stay(make: Making) -> None:
    x = make.source(np.zeros((0, 5)))
    root = make.reduce("sum", make.reduce("sum", x, 0), 1)
    assert operations(check([root], exact=True)) == ["sum", "sum"]


# -- common expressions ----------------------------------------------------------------------------


def test_equal_expressions_are_one(make: Making) -> None:
    x, y = make.source(RNG.random((4, 5))), make.source(RNG.random((4, 5)))
    a, b = make.map("exp", make.map("times", x, y)), make.map("exp", make.map("times", x, y))
    assert operations(check([make.map("plus", a, b)], exact=True)) == ["times", "exp", "plus"]


@pytest.mark.parametrize("scalar", [1.0, 2.0, 0.5])
def test_scalars_that_their_class_tells(make: Making, scalar: float) -> None:
    x = make.source(RNG.random((4, 5)))
    root = make.map("times", make.map("plus", x, scalar), make.map("plus", x, scalar))
    assert operations(check([root], exact=True)) == ["plus", "times"]


@pytest.mark.parametrize("scalar", [0.0, -0.0, 3.0, 0.25, float("nan"), float("inf"), True])
def test_scalars_that_another_plan_may_tell_apart(make: Making, scalar: Any) -> None:
    # the plan is used again for `(x + 3) .* (x + 4)`, which has the same key
    x = make.source(RNG.random((4, 5)))
    root = make.map("times", make.map("plus", x, scalar), make.map("plus", x, scalar))
    assert operations(check([root], exact=True)) == ["plus", "plus", "times"]


def test_other_operands_options_and_classes_are_other_expressions(make: Making) -> None:
    x, y = make.source(RNG.random((4, 4))), make.source(RNG.random((4, 4)))
    pairs = [
        (make.map("minus", x, y), make.map("minus", y, x)),
        (make.map("rdivide", x, y), make.map("ldivide", x, y)),
        (make.map("times", x, x), make.map("times", x, y)),
        (make.reduce("sum", x, 0), make.reduce("sum", x, 1)),
        (make.view(x, (4, 4), (4, 1)), make.view(x, (4, 4), (1, 4), 0)),
    ]
    for a, b in pairs:
        root = make.map("plus", make.map("sin", a), make.map("sin", b))
        assert operations(check([root], exact=True)).count("sin") == 2


def test_draws_are_never_the_same(make: Making) -> None:
    a, b = make.random(0, 4, 5), make.random(0, 4, 5)
    root = make.map("minus", make.map("exp", a), make.map("exp", b))
    assert operations(check([root], exact=True)).count("rand") == 2


def test_two_outputs_of_equal_elements_are_both_written(make: Making) -> None:
    x = make.source(RNG.random((4, 5)))
    a, b = make.map("exp", x), make.map("exp", x)
    assert operations(check([a, b], exact=True)) == ["exp", "exp"]
    assert operations(check([a, make.map("sin", b)], exact=True)) == ["exp", "sin"]
    assert operations(check([make.map("sin", a), b], exact=True)) == ["exp", "sin"]


def test_an_equal_product_is_copied_rather_than_computed(make: Making) -> None:
    A, B = make.source(RNG.random((4, 5))), make.source(RNG.random((5, 4)))
    found = check([make.mtimes(A, B), make.mtimes(A, B)], exact=True)
    assert operations(found) == ["matmul", "view"]
    well_formed(found.subgraph)


def test_the_page_on_rewrites_lists_every_rule() -> None:
    page = (Path(__file__).parents[2] / "docs" / "rewrites.md").read_text()
    table = page[page.index("| rule |") : page.index("Each rule can")]
    listed = [line.split("|")[1].strip() for line in table.splitlines()[2:] if line]
    assert listed == list(RULES)
