"""Sparse matrices agree with full ones, and are sparse where MATLAB's are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runmat_core import values as v
from runmat_core.api import MatlabError
from runmat_core.values import COLON, SparseArray, from_numpy, to_numpy
from runmat_core.values.sparse import from_triplets

A = np.array([[4.0, 0.0, 0.0], [0.0, 5.0, 0.0], [1.0, 0.0, 6.0]])
B = np.array([[0.0, 2.0, 0.0], [0.0, 5.0, 1.0], [0.0, 0.0, -3.0]])


def sparse(array: Any) -> SparseArray:
    return SparseArray.from_dense(np.asarray(array))


def row(*numbers: float) -> Any:
    return from_numpy(np.array([numbers], dtype=float))


def full(value: Any) -> Any:
    return value.full() if isinstance(value, SparseArray) else to_numpy(value)


def identifier_of(action: Any) -> str:
    with pytest.raises(MatlabError) as caught:
        action()
    return caught.value.identifier


ELEMENTWISE = ["plus", "minus", "times", "eq", "ne", "lt", "le", "gt", "ge", "and_", "or_"]


@pytest.mark.parametrize("name", [*ELEMENTWISE, "rdivide", "ldivide", "mtimes"])
@pytest.mark.parametrize("sides", ["sparse sparse", "sparse full", "full sparse"])
def test_operators_agree_with_full_matrices(name: str, sides: str) -> None:
    operator = getattr(v, name)
    kinds = {"sparse": sparse, "full": from_numpy}
    left, right = (kinds[kind] for kind in sides.split())
    np.testing.assert_array_equal(
        full(operator(left(A), right(B))), full(operator(from_numpy(A), from_numpy(B)))
    )


@pytest.mark.parametrize("name", [*ELEMENTWISE, "rdivide", "mtimes", "power"])
@pytest.mark.parametrize("number", [2.0, 0.0, -1.5])
def test_operators_with_a_scalar(name: str, number: float) -> None:
    operator = getattr(v, name)
    np.testing.assert_array_equal(
        full(operator(sparse(A), number)), full(operator(from_numpy(A), number))
    )
    np.testing.assert_array_equal(
        full(operator(number, sparse(A))), full(operator(number, from_numpy(A)))
    )


@pytest.mark.parametrize(
    ("name", "other", "is_sparse"),
    [
        ("plus", sparse(B), True),
        ("plus", from_numpy(B), False),
        ("plus", 1.0, False),
        ("times", sparse(B), True),
        ("times", from_numpy(B), True),
        ("times", 3.0, True),
        ("mtimes", sparse(B), True),
        ("mtimes", from_numpy(B), False),
        ("mtimes", 3.0, True),
        ("rdivide", 3.0, True),
        ("gt", 1.0, True),
        ("mldivide", sparse(B), True),
        ("mldivide", from_numpy(B), False),
    ],
)
def test_what_stays_sparse(name: str, other: Any, is_sparse: bool) -> None:
    result = getattr(v, name)(sparse(A), other)
    assert isinstance(result, SparseArray) is is_sparse


def test_unary_operators() -> None:
    np.testing.assert_array_equal(full(v.uminus(sparse(A))), -A)
    np.testing.assert_array_equal(full(v.transpose(sparse(A))), A.T)
    np.testing.assert_array_equal(full(v.ctranspose(sparse(A * 1j))), (A * 1j).conj().T)
    np.testing.assert_array_equal(full(v.not_(sparse(A))), A == 0)
    np.testing.assert_array_equal(full(v.mpower(sparse(A), 3.0)), A @ A @ A)


@pytest.mark.parametrize("right", [np.ones((3, 1)), np.arange(6.0).reshape(3, 2)])
def test_solving(right: Any) -> None:
    solution = v.mldivide(sparse(A), from_numpy(right))
    np.testing.assert_allclose(full(solution), np.linalg.solve(A, right))
    other = v.mrdivide(from_numpy(right.T), sparse(A))
    np.testing.assert_allclose(full(other), np.linalg.solve(A.T, right).T)


def test_singular_systems_answer_inf() -> None:
    solution = v.mldivide(sparse(np.diag([1.0, 0.0])), from_numpy(np.ones((2, 1))))
    assert not np.isfinite(full(solution)).all()


@pytest.mark.parametrize(
    "subs",
    [
        (2.0,),
        (COLON,),
        (row(1, 4, 9),),
        (from_numpy(np.array([[1.0], [2.0]])),),
        (from_numpy(np.array([[1.0, 2.0], [3.0, 4.0]])),),
        (2.0, 2.0),
        (COLON, 1.0),
        (3.0, COLON),
        (row(3, 1), row(2, 2, 3)),
        (COLON, COLON),
        (from_numpy(A > 0),),
        (from_numpy(np.array([[True, False, True]])), COLON),
        (2.0, 3.0, 1.0),
    ],
    ids=str,
)
def test_reading_agrees_with_full_matrices(subs: tuple[Any, ...]) -> None:
    found = v.index(sparse(A), subs)
    assert isinstance(found, SparseArray)
    expected = to_numpy(v.index(from_numpy(A), subs))
    np.testing.assert_array_equal(found.full(), expected)


@pytest.mark.parametrize(
    ("subs", "rhs"),
    [
        ((2.0, 3.0), 9.0),
        ((COLON, 1.0), 0.0),
        ((1.0, COLON), row(7, 8, 9)),
        ((row(1, 3), row(1, 3)), from_numpy(np.ones((2, 2)))),
        ((5.0,), 1.0),
        ((4.0, 5.0), 2.0),
        ((from_numpy(A > 4),), 0.0),
        ((COLON,), 3.0),
        ((1.0, 1.0), sparse([[8.0]])),
    ],
)
def test_writing_agrees_with_full_matrices(subs: tuple[Any, ...], rhs: Any) -> None:
    written = v.assign(sparse(A), subs, rhs)
    assert isinstance(written, SparseArray)
    plain = from_numpy(full(rhs)) if isinstance(rhs, SparseArray) else rhs
    expected = to_numpy(v.assign(from_numpy(A.copy(order="F")), subs, plain))
    np.testing.assert_array_equal(written.full(), expected)


def test_writing_leaves_copies_alone() -> None:
    first = sparse(A)
    second = first.share()
    first = v.assign(first, (1.0, 2.0), 7.0)
    assert second.full()[0, 1] == 0.0
    assert first.full()[0, 1] == 7.0


@pytest.mark.parametrize("subs", [(2.0, COLON), (COLON, row(1, 3))])
def test_deletion(subs: tuple[Any, ...]) -> None:
    expected = to_numpy(v.delete(from_numpy(A.copy(order="F")), subs))
    np.testing.assert_array_equal(v.delete(sparse(A), subs).full(), expected)


def test_concatenation() -> None:
    wide = v.horzcat(sparse(A), from_numpy(B))
    tall = v.vertcat(sparse(A), sparse(B))
    assert isinstance(wide, SparseArray)
    np.testing.assert_array_equal(wide.full(), np.hstack([A, B]))
    np.testing.assert_array_equal(tall.full(), np.vstack([A, B]))
    mismatch = identifier_of(lambda: v.horzcat(sparse(A), sparse(B[:2])))
    assert mismatch == "MATLAB:catenate:dimensionMismatch"


def test_errors() -> None:
    S = sparse(A)
    assert identifier_of(lambda: v.plus(S, sparse(B[:2]))) == "MATLAB:sizeDimensionsMustMatch"
    assert identifier_of(lambda: v.mtimes(S, sparse(B[:2]))) == "MATLAB:innerdim"
    assert identifier_of(lambda: v.index(S, (10.0,))) == "MATLAB:badsubscript"
    assert identifier_of(lambda: v.index(S, (4.0, 1.0))) == "MATLAB:badsubscript"
    assert identifier_of(lambda: v.index(S, (0.0,))) == "MATLAB:badsubscript"


def test_entries_at_one_place_add_up() -> None:
    places = np.array([0, 0, 1])
    S = from_triplets(places, places, np.array([1.0, 2.0, 5.0]), (2, 2))
    assert S.full().tolist() == [[3.0, 0.0], [0.0, 5.0]]


def test_zeros_are_not_stored() -> None:
    S = v.minus(sparse(A), sparse(A))
    assert S.data.nnz == 0


def test_logical_class() -> None:
    mask = v.gt(sparse(A), 4.0)
    assert v.class_of(mask) == "logical"
    assert v.class_of(v.times(mask, mask)) == "double"


entries = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from([-2.0, 1.0, 3.0])), max_size=8
)


@settings(max_examples=60)
@given(entries, entries, st.sampled_from(["plus", "minus", "times", "mtimes", "lt", "eq"]))
def test_random_matrices(left: Any, right: Any, name: str) -> None:
    arrays = []
    for triplets in (left, right):
        array = np.zeros((4, 4))
        for i, j, value in triplets:
            array[i, j] = value
        arrays.append(array)
    operator = getattr(v, name)
    result = operator(*map(sparse, arrays))
    np.testing.assert_array_equal(full(result), full(operator(*map(from_numpy, arrays))))
    assert not (result.data.data == 0).any()
