"""What rewriting must never do."""

from __future__ import annotations

import numpy as np
import pytest

from runmat_core.accel.graph.node import Node
from tests.accel.evaluate import DEVICE, HOST, Making, below, check, operations

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
