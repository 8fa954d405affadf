"""Rewrites of products: what is left of them, and that it computes the same."""

from __future__ import annotations

import numpy as np
import pytest

from tests.accel.evaluate import (
    HOST,
    Making,
    below,
    bytes_written,
    check,
    operations,
)

RNG = np.random.default_rng(20)


@pytest.fixture
def make() -> Making:
    return Making()


# -- transposes ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["transpose", "ctranspose"])
def test_a_transposed_factor_is_a_flag(make: Making, name: str) -> None:
    A, B = make.source(RNG.random((5, 3))), make.source(RNG.random((5, 4)))
    found = check([make.mtimes(make.transpose(A, name), B)])
    assert operations(found) == ["matmul trans_a=True"]


def test_both_factors_may_be_transposed(make: Making) -> None:
    A, B = make.source(RNG.random((5, 3))), make.source(RNG.random((4, 5)))
    found = check([make.mtimes(make.transpose(A), make.transpose(B))])
    assert operations(found) == ["matmul trans_a=True trans_b=True"]


def test_a_flag_on_a_transpose_of_a_transpose_goes_away_again(make: Making) -> None:
    A, B = make.source(RNG.random((5, 3))), make.source(RNG.random((3, 4)))
    twice = make.transpose(make.transpose(A))
    assert operations(check([make.mtimes(twice, B)])) == ["matmul"]


def test_a_view_that_is_no_transpose_stays(make: Making) -> None:
    A, B = make.source(RNG.random((4, 4))), make.source(RNG.random((4, 4)))
    flipped = make.view(A, (4, 4), (4, -1), 3)
    part = make.view(A, (2, 4), (4, 1))
    assert "view" in operations(check([make.mtimes(flipped, B)]))
    assert "view" in operations(check([make.mtimes(part, B)]))


def test_the_transpose_of_a_part_is_a_flag(make: Making) -> None:
    A, B = make.source(RNG.random((6, 5))), make.source(RNG.random((6, 4)))
    part = make.view(A, (3, 6), (6, 1), 6)
    found = check([make.mtimes(part, B)])
    assert operations(found) == ["view", "matmul trans_a=True"]
    assert found.subgraph.nodes[1].shape == (6, 3)
    assert operations(check([make.mtimes(part, B)], [part])) == ["view", "matmul"]


def test_gram_of_a_part(make: Making) -> None:
    A = make.source(RNG.random((6, 5)))
    part, turned = make.view(A, (6, 3), (1, 6), 6, "subsref"), make.view(A, (3, 6), (6, 1), 6)
    found = check([make.mtimes(turned, part)])
    assert operations(found) == ["subsref", "matmul syrk=True trans_a=True"]


def test_a_transposed_column_is_a_flag(make: Making) -> None:
    x, A = make.source(RNG.random((5, 1))), make.source(RNG.random((5, 4)))
    assert operations(check([make.mtimes(make.transpose(x), A)])) == ["matmul trans_a=True"]


def test_a_transpose_that_is_wanted_anyway_is_not_undone(make: Making) -> None:
    A, B = make.source(RNG.random((5, 3))), make.source(RNG.random((5, 4)))
    sine = make.map("sin", A)
    turned = make.transpose(sine)
    found = check([make.mtimes(turned, B)], [turned])
    assert operations(found) == ["sin", "transpose", "matmul"]


def test_a_transpose_of_what_may_be_complex_stays(make: Making) -> None:
    A, B = make.source(RNG.random((5, 3)) - 0.5), make.source(RNG.random((5, 4)))
    root = make.map("sqrt", A, guarded=True)
    for name in ("transpose", "ctranspose"):
        found = check([make.mtimes(make.transpose(root, name), B)])
        assert operations(found) == ["sqrt", name, "matmul"]


# -- Gram matrices ---------------------------------------------------------------------------------


def test_gram_is_one_product_of_one_matrix(make: Making) -> None:
    A = make.source(RNG.random((9, 4)))
    found = check([make.mtimes(make.transpose(A), A)])
    assert operations(found) == ["matmul syrk=True trans_a=True"]
    assert len(found.subgraph.inputs[-1]) == 1


def test_gram_of_two_equal_expressions(make: Making) -> None:
    A = make.source(RNG.random((9, 4)))
    left = make.transpose(make.map("times", A, 2.0))
    found = check([make.mtimes(left, make.map("times", A, 2.0))])
    assert operations(found) == ["times", "matmul syrk=True trans_a=True"]


def test_a_product_with_its_transpose_on_the_right_is_not_taken_for_gram(make: Making) -> None:
    A = make.source(RNG.random((4, 4)))
    found = check([make.mtimes(A, make.transpose(A))])
    assert operations(found) == ["matmul trans_b=True"]


def test_a_square_is_not_gram(make: Making) -> None:
    A = make.source(RNG.random((4, 4)))
    assert operations(check([make.mtimes(A, A)])) == ["matmul"]
    both = make.mtimes(make.transpose(A), make.transpose(A))
    assert operations(check([both])) == ["matmul trans_a=True trans_b=True"]


def test_gram_only_where_the_device_has_it(make: Making) -> None:
    A = make.source(RNG.random((9, 4)))
    found = check([make.mtimes(make.transpose(A), A)], capabilities=HOST)
    assert operations(found) == ["matmul trans_a=True"]


# -- centring --------------------------------------------------------------------------------------


def covariance(make: Making, shape: tuple[int, int] = (30, 4)) -> tuple:
    A = make.source(RNG.random(shape) + 100.0)
    centred = make.map("minus", A, make.reduce("mean", A, 0))
    gram = make.mtimes(make.transpose(centred, "ctranspose"), centred)
    return A, centred, make.map("rdivide", gram, float(shape[0] - 1))


def test_covariance_is_one_product(make: Making) -> None:
    _, _, G = covariance(make)
    found = check([G])
    assert operations(found) == ["mean", "matmul centre=a syrk=True trans_a=True", "rdivide"]


def test_the_centred_matrix_is_not_written(make: Making) -> None:
    A, _, G = covariance(make)
    given = below([G])
    found = check([G])
    assert bytes_written(given) == A.size * 8 * 2 + 2 * 16 * 8
    assert bytes_written(found.subgraph) == 4 * 8 + 2 * 16 * 8


def test_what_is_centred_is_written_when_wanted(make: Making) -> None:
    _, centred, G = covariance(make)
    found = check([G], [centred])
    assert operations(found) == ["mean", "minus", "matmul syrk=True trans_a=True", "rdivide"]


def test_without_a_centring_product_the_plain_one_is_left(make: Making) -> None:
    _, _, G = covariance(make)
    found = check([G], capabilities=HOST)
    assert operations(found) == ["mean", "minus", "matmul trans_a=True", "rdivide"]


def test_centring_is_exact_where_means_are_large(make: Making) -> None:
    # A'*A - n*mu'*mu would have no correct digit left
    A = make.source(RNG.random((50, 3)) + 1e9)
    centred = make.map("minus", A, make.reduce("mean", A, 0))
    found = check([make.mtimes(make.transpose(centred), centred)], exact=True)
    assert operations(found)[-1] == "matmul centre=a syrk=True trans_a=True"


def repeated_by_repmat(make: Making, row: object) -> object:
    return make.view(row, (30, 4), (0, 1))  # type: ignore[arg-type]


def repeated_by_ones(make: Making, row: object) -> object:
    return make.mtimes(make.fill(1.0, 30, 1), row)  # type: ignore[arg-type]


@pytest.mark.parametrize("repeat", [repeated_by_repmat, repeated_by_ones])
def test_other_spellings_of_centring(make: Making, repeat: object) -> None:
    A = make.source(RNG.random((30, 4)))
    row = make.map("rdivide", make.reduce("sum", A, 0), 30.0)
    centred = make.map("minus", A, repeat(make, row))  # type: ignore[operator]
    found = check([make.mtimes(make.transpose(centred), centred)])
    assert operations(found) == ["sum", "rdivide", "matmul centre=a syrk=True trans_a=True"]


def test_the_mean_minus_the_matrix_has_the_same_gram(make: Making) -> None:
    A = make.source(RNG.random((30, 4)))
    centred = make.map("minus", make.reduce("mean", A, 0), A)
    found = check([make.mtimes(make.transpose(centred), centred)], exact=True)
    assert operations(found) == ["mean", "matmul centre=a syrk=True trans_a=True"]


@pytest.mark.parametrize("side", ["a", "b"])
def test_a_centred_factor_of_another_product(make: Making, side: str) -> None:
    A, V = make.source(RNG.random((30, 4))), make.source(RNG.random((4, 2)))
    centred = make.map("minus", A, make.reduce("mean", A, 0))
    root = (
        make.mtimes(centred, V)
        if side == "a"
        else make.mtimes(make.transpose(V), make.transpose(centred))
    )
    flags = "" if side == "a" else " trans_a=True trans_b=True"
    assert operations(check([root])) == ["mean", f"matmul centre={side}{flags}"]


def test_the_negative_of_a_centred_factor_keeps_its_sign(make: Making) -> None:
    A, V = make.source(RNG.random((30, 4))), make.source(RNG.random((4, 2)))
    negative = make.map("minus", make.reduce("mean", A, 0), A)
    assert operations(check([make.mtimes(negative, V)])) == ["mean", "minus", "matmul"]


def test_two_products_of_one_centred_matrix(make: Making) -> None:
    A, V = make.source(RNG.random((30, 4))), make.source(RNG.random((4, 2)))
    centred = make.map("minus", A, make.reduce("mean", A, 0))
    found = check([make.mtimes(make.transpose(centred), centred), make.mtimes(centred, V)])
    assert operations(found) == [
        "mean",
        "matmul centre=a syrk=True trans_a=True",
        "matmul centre=a",
    ]


# -- few elements, few products --------------------------------------------------------------------


def test_a_column_times_a_row_is_elementwise(make: Making) -> None:
    u, v = make.source(RNG.random((5, 1))), make.source(RNG.random((1, 4)))
    assert operations(check([make.mtimes(u, v)], exact=True)) == ["times"]


def test_a_column_times_a_transposed_column(make: Making) -> None:
    u, v = make.source(RNG.random((5, 1))), make.source(RNG.random((4, 1)))
    found = check([make.mtimes(u, make.transpose(v))], exact=True)
    assert operations(found) == ["view", "times"]


def test_a_few_inner_products_are_sums_in_a_kernel(make: Making) -> None:
    A, B = make.source(RNG.random((5, 3))), make.source(RNG.random((3, 4)))
    root = make.map("exp", make.mtimes(A, B))
    found = check([root])
    assert operations(found).count("times") == 3
    assert operations(found).count("plus") == 2
    assert "matmul" not in operations(found)
    assert operations(check([root], capabilities=HOST)) == ["matmul", "exp"]


def test_a_small_product_that_is_wanted_itself_is_a_product(make: Making) -> None:
    A, B = make.source(RNG.random((5, 3))), make.source(RNG.random((3, 4)))
    assert operations(check([make.mtimes(A, B)])) == ["matmul"]


@pytest.mark.parametrize("flags", [(False, False), (True, False), (False, True), (True, True)])
@pytest.mark.parametrize("k", [1, 2, 8, 9])
def test_small_products_in_every_orientation(
    make: Making, flags: tuple[bool, bool], k: int
) -> None:
    A = make.source(RNG.random((k, 5) if flags[0] else (5, k)))
    B = make.source(RNG.random((4, k) if flags[1] else (k, 4)))
    left = make.transpose(A) if flags[0] else A
    right = make.transpose(B) if flags[1] else B
    found = check([make.map("exp", make.mtimes(left, right))])
    assert any("matmul" in name for name in operations(found)) is (k == 9)


def test_an_inner_product_of_what_is_made_in_passing_is_a_sum(make: Making) -> None:
    x, y = make.source(RNG.random((50, 1))), make.source(RNG.random((50, 1)))
    difference = make.map("minus", x, y)
    found = check([make.mtimes(make.transpose(difference), difference)])
    assert operations(found) == ["minus", "times", "sum"]


def test_an_inner_product_of_what_is_there_is_a_product(make: Making) -> None:
    x, y = make.source(RNG.random((50, 1))), make.source(RNG.random((50, 1)))
    assert operations(check([make.mtimes(make.transpose(x), y)])) == ["matmul trans_a=True"]


@pytest.mark.parametrize("first", [True, False])
def test_an_inner_product_with_a_row(make: Making, first: bool) -> None:
    row, y = make.source(RNG.random((1, 50))), make.source(RNG.random((50, 1)))
    sine, other = (make.map("sin", row), y) if first else (row, make.map("sin", y))
    found = operations(check([make.mtimes(sine, other)]))
    assert sorted(found) == ["sin", "sum", "times", "view"]


# -- elements of a product -------------------------------------------------------------------------


def test_a_quadratic_form_computes_no_more_than_its_diagonal(make: Making) -> None:
    Q, G = make.source(RNG.random((6, 3))), make.source(RNG.random((6, 6)))
    root = make.diag(make.mtimes(make.mtimes(make.transpose(Q), G), Q))
    found = check([root])
    names = operations(found)
    assert names == ["matmul trans_a=True", "view", "times", "sum", "view"]
    assert all(node.shape != (3, 3) for node in found.subgraph.nodes)


@pytest.mark.parametrize("flags", [(False, False), (True, False), (False, True), (True, True)])
@pytest.mark.parametrize("sizes", [(4, 4, 3), (3, 5, 4), (5, 3, 20)])
def test_diagonals_in_every_orientation(
    make: Making, flags: tuple[bool, bool], sizes: tuple[int, int, int]
) -> None:
    m, n, k = sizes
    A = make.source(RNG.random((k, m) if flags[0] else (m, k)))
    B = make.source(RNG.random((n, k) if flags[1] else (k, n)))
    product = make.mtimes(
        make.transpose(A) if flags[0] else A, make.transpose(B) if flags[1] else B
    )
    assert not any("matmul" in name for name in operations(check([make.diag(product)])))


@pytest.mark.parametrize("offset", [-2, -1, 1, 2])
def test_other_diagonals(make: Making, offset: int) -> None:
    A, B = make.source(RNG.random((4, 9))), make.source(RNG.random((9, 5)))
    start = 4 * offset if offset > 0 else -offset
    count = min(4, 5 - offset) if offset > 0 else min(4 + offset, 5)
    line = make.view(make.mtimes(A, B), (count, 1), (5, 0), start)
    assert "matmul" not in operations(check([line]))


def test_a_single_element_of_a_product(make: Making) -> None:
    A, B = make.source(RNG.random((4, 9))), make.source(RNG.random((9, 5)))
    element = make.view(make.mtimes(A, B), (1, 1), (0, 0), 4 * 3 + 2)
    assert "matmul" not in operations(check([element]))


def test_trace_of_a_product_is_one_sum(make: Making) -> None:
    A, B = make.source(RNG.random((4, 9))), make.source(RNG.random((9, 4)))
    found = check([make.reduce("sum", make.diag(make.mtimes(A, B)), 0)])
    assert not any("matmul" in name for name in operations(found))


def test_rows_columns_and_blocks_of_a_product_stay(make: Making) -> None:
    A, B = make.source(RNG.random((4, 9))), make.source(RNG.random((9, 4)))
    for view in [((4, 1), (1, 4)), ((1, 4), (1, 4)), ((2, 2), (1, 4)), ((8, 1), (2, 0))]:
        line = make.view(make.mtimes(A, B), *view)
        assert operations(check([line])) == ["matmul", "view"]


def test_a_product_that_is_wanted_keeps_its_diagonal(make: Making) -> None:
    A, B = make.source(RNG.random((4, 9))), make.source(RNG.random((9, 4)))
    product = make.mtimes(A, B)
    assert operations(check([make.diag(product)], [product])) == ["matmul", "diag"]


# -- what is never done ----------------------------------------------------------------------------


def test_the_order_of_a_chain_is_the_programs(make: Making) -> None:
    A, B = make.source(RNG.random((9, 8)) * 1e6), make.source(RNG.random((8, 7)) - 0.5)
    x = make.source(RNG.random((7, 1)))
    inside_out = check([make.mtimes(A, make.mtimes(B, x))], exact=True)
    left_first = check([make.mtimes(make.mtimes(A, B), x)], exact=True)
    assert [node.shape for node in inside_out.subgraph.nodes if node.data is None] == [
        (8, 1),
        (9, 1),
    ]
    assert [node.shape for node in left_first.subgraph.nodes if node.data is None] == [
        (9, 7),
        (9, 1),
    ]


def test_products_of_mixed_classes_stay(make: Making) -> None:
    A = make.source(RNG.random((5, 1)).astype(np.float32))
    B = make.source(RNG.random((1, 4)))
    product = make.node("matmul", "call", (A, B), (5, 4), "single")
    assert operations(check([product])) == ["matmul"]


def test_the_principal_components_case(make: Making) -> None:
    n, d, k = 60, 12, 3
    _, _, G = covariance(make, (n, d))
    Q = make.source(RNG.random((d, k)))
    form = make.mtimes(make.mtimes(make.transpose(Q), G), Q)
    values = make.diag(form)
    root = make.reduce("sum", values, 0)
    given = below([root], [values])
    found = check([root], [values])
    written = {node.shape for node in found.subgraph.nodes if node.data is None}
    assert (n, d) not in written
    assert (k, k) not in written
    assert operations(found).count("matmul centre=a syrk=True trans_a=True") == 1
    assert bytes_written(found.subgraph) < bytes_written(given) / 4
