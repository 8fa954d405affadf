"""Quotients and powers of matrices: which rule solves what, and what it warns of."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from runmat_core.values import from_numpy, mldivide, mpower, mrdivide, mtimes, to_numpy
from runmat_core.values.notices import warnings_to

Rows = list[list[Any]]


def matrix(rows: Rows, cls: str = "double") -> Any:
    return from_numpy(np.array(rows, {"double": float, "single": np.float32}[cls]))


def solved(A: Any, b: Any) -> tuple[Any, list[str]]:
    """``A \\ b`` and the identifiers of the warnings on the way."""
    warned: list[str] = []
    with warnings_to(lambda identifier, message: warned.append(identifier)):
        result = mldivide(A, b)
    return to_numpy(result), warned


SYSTEMS = [
    pytest.param([[2, 1], [1, 3]], [[3], [4]], [[1], [1]], id="positive definite"),
    pytest.param([[0, 1], [2, 0]], [[3], [4]], [[2], [3]], id="lu with a swap"),
    pytest.param([[2, 1], [0, 4]], [[4], [8]], [[1], [2]], id="upper triangular"),
    pytest.param([[2, 0], [1, 4]], [[4], [10]], [[2], [2]], id="lower triangular"),
    pytest.param([[1, 2], [2, 1]], [[3], [3]], [[1], [1]], id="symmetric, indefinite"),
    pytest.param([[1, 1, 1]], [[1]], [[1], [0], [0]], id="basic solution"),
    pytest.param([[1, 0], [0, 1], [1, 1]], [[1], [2], [3]], [[1], [2]], id="least squares"),
    pytest.param([[1], [1]], [[1], [3]], [[2]], id="mean"),
]


@pytest.mark.parametrize(("A", "b", "x"), SYSTEMS)
def test_solutions(A: Rows, b: Rows, x: Rows) -> None:
    result, warned = solved(matrix(A), matrix(b))
    np.testing.assert_allclose(result, x, atol=1e-14)
    assert warned == []


@pytest.mark.parametrize(("A", "b", "x"), SYSTEMS)
def test_solutions_in_single(A: Rows, b: Rows, x: Rows) -> None:
    result, _ = solved(matrix(A, "single"), matrix(b))
    np.testing.assert_allclose(result, x, atol=1e-6)
    assert result.dtype == np.float32


def test_complex_systems() -> None:
    A = from_numpy(np.array([[1j, 2], [3, 4j]]))
    b = from_numpy(np.array([[1 + 1j], [2]]))
    result, _ = solved(A, b)
    np.testing.assert_allclose(to_numpy(A) @ result, to_numpy(b), atol=1e-14)


def test_a_singular_matrix_warns_and_gives_no_finite_number() -> None:
    result, warned = solved(matrix([[1, 2], [2, 4]]), matrix([[1], [3]]))
    assert warned == ["MATLAB:singularMatrix"]
    assert not np.isfinite(result).any()


def test_a_singular_triangle_divides_by_its_zero() -> None:
    result, warned = solved(matrix([[1, 0], [0, 0]]), matrix([[1], [1]]))
    assert warned == ["MATLAB:singularMatrix"]
    assert result[1, 0] == math.inf


def test_a_nearly_singular_matrix_warns_with_its_condition() -> None:
    texts: list[str] = []
    with warnings_to(lambda identifier, message: texts.append(f"{identifier} {message}")):
        mldivide(matrix([[1, 2], [2, 4 + 1e-15]]), matrix([[1], [3]]))
    (text,) = texts
    assert text.startswith("MATLAB:nearlySingularMatrix Matrix is close to singular")
    assert "RCOND =  " in text


def test_a_rank_deficient_problem_warns_and_keeps_rank_many_nonzeros() -> None:
    result, warned = solved(matrix([[1, 1], [1, 1], [1, 1]]), matrix([[2], [2], [2]]))
    assert warned == ["MATLAB:rankDeficientMatrix"]
    assert sorted(result.ravel().tolist()) == pytest.approx([0, 2])


def test_right_division_solves_the_other_way_round() -> None:
    A, B = matrix([[1, 2], [3, 4]]), matrix([[5, 6], [7, 8]])
    quotient = mrdivide(A, B)
    np.testing.assert_allclose(to_numpy(mtimes(quotient, B)), to_numpy(A), atol=1e-13)


def test_empty_systems_have_zero_solutions() -> None:
    result, _ = solved(from_numpy(np.zeros((0, 3))), from_numpy(np.zeros((0, 2))))
    assert result.tolist() == [[0, 0], [0, 0], [0, 0]]


POWERS = [
    pytest.param([[1, 1], [1, 0]], 10.0, [[89, 55], [55, 34]], id="fibonacci"),
    pytest.param([[1, 2], [3, 4]], 0.0, [[1, 0], [0, 1]], id="zeroth"),
    pytest.param([[2, 0], [0, 4]], -1.0, [[0.5, 0], [0, 0.25]], id="inverse"),
    pytest.param([[4, 0], [0, 9]], 0.5, [[2, 0], [0, 3]], id="root"),
]


@pytest.mark.parametrize(("A", "n", "expected"), POWERS)
def test_powers_of_matrices(A: Rows, n: float, expected: Rows) -> None:
    result = to_numpy(mpower(matrix(A), n))
    np.testing.assert_allclose(result, expected, atol=1e-14)
    assert result.dtype == np.float64


def test_products_are_column_major_and_keep_single() -> None:
    product = mtimes(matrix([[1, 2], [3, 4]], "single"), matrix([[1, 0, 2], [0, 1, 3]]))
    assert product.data.flags.f_contiguous
    assert product.data.dtype == np.float32
    assert product.data.tolist() == [[1, 2, 8], [3, 4, 18]]


@pytest.mark.parametrize("cls", [np.float32, np.float64])
@pytest.mark.parametrize("columns", [1, 8, 32, 33])
@pytest.mark.parametrize("rows", [128, 300])
def test_products_with_few_columns_are_column_major(rows: int, columns: int, cls: Any) -> None:
    rng = np.random.default_rng(0)
    x, y = (rng.standard_normal(s).astype(cls) for s in ((rows, 130), (130, columns)))
    got = to_numpy(mtimes(from_numpy(x), from_numpy(y)))
    assert got.dtype == cls
    assert got.flags.f_contiguous
    wanted = np.einsum("ik,kj->ij", x.astype(np.float64), y.astype(np.float64))
    eps = np.finfo(cls).eps
    np.testing.assert_allclose(got, wanted, rtol=100 * eps, atol=1000 * eps)
