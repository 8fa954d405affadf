"""Parts of sparse matrices, read and written, agree with those of full ones and stay in order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import runmat_core as rm
from runmat_core import values as v
from runmat_core.api import MatlabError
from runmat_core.values import COLON, SparseArray, compressed, from_numpy, to_numpy

ROWS, COLUMNS = 5, 7
NUMBERS = [0.0, 0.0, 0.0, 1.0, -2.0, 0.5]


def full(value: Any) -> Any:
    return value.full() if isinstance(value, SparseArray) else to_numpy(value)


def in_order(value: SparseArray) -> None:
    """Whether scipy finds the matrix as it should be when it looks for itself."""
    matrix = value.data
    assert matrix.data.all()
    fresh = type(matrix)((matrix.data, matrix.indices, matrix.indptr), shape=matrix.shape)
    fresh.check_format(full_check=True)
    assert fresh.has_canonical_format
    assert matrix.indices.dtype == matrix.indptr.dtype


def arrays(rows: int, columns: int) -> st.SearchStrategy[Any]:
    numbers = st.lists(st.sampled_from(NUMBERS), min_size=rows * columns, max_size=rows * columns)
    return numbers.map(lambda n: np.array(n).reshape(rows, columns, order="F"))


def subscripts(extent: int) -> st.SearchStrategy[Any]:
    place = st.integers(1, extent)
    many = st.lists(place, max_size=extent + 2).map(lambda k: from_numpy(np.array([k], float)))
    runs = st.tuples(place, place).map(lambda k: v.colon(float(min(k)), float(max(k))))
    masks = st.lists(st.booleans(), min_size=extent, max_size=extent)
    return st.one_of(
        st.just(COLON), place.map(float), many, runs, masks.map(lambda m: from_numpy(np.array([m])))
    )


@settings(max_examples=150)
@given(arrays(ROWS, COLUMNS), subscripts(ROWS), subscripts(COLUMNS))
def test_blocks(a: Any, rows: Any, columns: Any) -> None:
    found = v.index(SparseArray.from_dense(a), (rows, columns))
    in_order(found)
    np.testing.assert_array_equal(found.full(), full(v.index(from_numpy(a), (rows, columns))))


@settings(max_examples=80)
@given(arrays(ROWS, COLUMNS), subscripts(ROWS * COLUMNS))
def test_elements_by_one_subscript(a: Any, places: Any) -> None:
    found = v.index(SparseArray.from_dense(a), (places,))
    in_order(found)
    np.testing.assert_array_equal(found.full(), full(v.index(from_numpy(a), (places,))))


@settings(max_examples=150)
@given(st.data())
def test_writing_again_and_again(data: st.DataObject) -> None:
    a = data.draw(arrays(ROWS, COLUMNS))
    sparse, plain = SparseArray.from_dense(a), from_numpy(a.copy(order="F"))
    kept = sparse.share()
    for _ in range(data.draw(st.integers(1, 4))):
        if data.draw(st.booleans()):
            subs: tuple[Any, ...] = (data.draw(subscripts(ROWS)), data.draw(subscripts(COLUMNS)))
        else:
            subs = (data.draw(subscripts(ROWS * COLUMNS)),)
        shape = full(v.index(plain, subs)).shape
        rhs: Any = data.draw(st.one_of(st.sampled_from(NUMBERS), arrays(*shape)))
        if not isinstance(rhs, float):
            rhs = from_numpy(rhs)
        given_sparse = SparseArray.from_dense(full(rhs)) if data.draw(st.booleans()) else rhs
        sparse, plain = v.assign(sparse, subs, given_sparse), v.assign(plain, subs, rhs)
        in_order(sparse)
        np.testing.assert_array_equal(sparse.full(), full(plain))
    np.testing.assert_array_equal(kept.full(), a)


def test_places_named_twice_keep_what_is_written_last() -> None:
    s = rm.Session()
    s.run("S = sparse(3, 3); S([1 1], [2 2]) = 4; S([2 3 2], [1 3 1]) = [1 2 3; 4 5 6; 7 8 9];")
    assert s.eval("isequal(S, sparse([0 4 0; 9 0 8; 6 0 5]))")


@pytest.mark.parametrize("write", [0.0, 9.0])
@pytest.mark.parametrize("make", [v.uplus, lambda s: v.transpose(v.transpose(s))])
def test_a_write_reaches_one_matrix_only(make: Callable[[Any], Any], write: float) -> None:
    first = SparseArray.from_dense(np.eye(3))
    second = v.assign(make(first), (1.0, 1.0), write)
    assert second.full()[0, 0] == write
    np.testing.assert_array_equal(first.full(), np.eye(3))


def test_a_part_is_no_view() -> None:
    whole = SparseArray.from_dense(np.eye(3))
    part = v.index(whole, (COLON, 2.0))
    whole = v.assign(whole, (2.0, 2.0), 5.0)
    assert part.full().ravel().tolist() == [0.0, 1.0, 0.0]
    assert whole.full()[1, 1] == 5.0


def test_what_is_complex_no_more_becomes_real() -> None:
    s = SparseArray.from_dense(np.array([[1j, 0.0], [0.0, 2.0]]))
    assert v.index(s, (2.0, 2.0)).data.dtype == np.float64
    assert v.assign(s, (1.0, 1.0), 3.0).data.dtype == np.float64


@pytest.mark.parametrize(("subs", "shape"), [((2.0, 9.0), (5, 9)), ((8.0, 1.0), (8, 7))])
def test_growth(subs: Any, shape: tuple[int, int]) -> None:
    grown = v.assign(SparseArray.from_dense(np.ones((ROWS, COLUMNS))), subs, 4.0)
    in_order(grown)
    assert grown.shape == shape
    assert full(v.index(grown, subs)).item() == 4.0


def test_there_are_no_pages() -> None:
    with pytest.raises(MatlabError) as caught:
        v.assign(SparseArray.from_dense(np.eye(2)), (1.0, 2.0, 3.0), 5.0)
    assert caught.value.identifier == "MATLAB:sparse:ndArraysNotSupported"


VECTORS = [np.array([2.0, 0.0, -1.0]), np.array([1.0, np.inf, 3.0]), np.array([np.nan, 0.0, 0.0])]
SQUARE = np.array([[4.0, 0.0, 0.0], [0.0, 5.0, 0.0], [1.0, 0.0, 6.0]])


@pytest.mark.parametrize("name", ["plus", "times", "rdivide", "ldivide", "power", "ne", "gt", "le"])
@pytest.mark.parametrize("vector", VECTORS, ids=str)
@pytest.mark.parametrize("form", ["column", "row"])
@pytest.mark.parametrize("kind", [from_numpy, SparseArray.from_dense])
def test_vectors_go_with_every_line(name: str, vector: Any, form: str, kind: Any) -> None:
    operator = getattr(v, name)
    a, b = SQUARE, vector.reshape((-1, 1) if form == "column" else (1, -1))
    for x, y in ((a, b), (b, a)):
        made = operator(*(SparseArray.from_dense(o) if o is a else kind(o) for o in (x, y)))
        np.testing.assert_array_equal(full(made), full(operator(from_numpy(x), from_numpy(y))))


def test_slices_in_loops_are_made_without_scipys_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    from scipy.sparse import csc_array

    s = rm.Session()
    s.run("A = sprand(60, 60, 0.1) + speye(60); f = 0; x = ones(1, 60); find(A(:,1)); A(1,1) = 2;")
    made = 0
    start = csc_array.__init__

    def counted(self: Any, *args: Any, **options: Any) -> None:
        nonlocal made
        made += 1
        start(self, *args, **options)

    monkeypatch.setattr(csc_array, "__init__", counted)
    s.run(
        "for k = 1:60, [i, j] = find(A(:,k)); f = f + numel(i) + nnz(A(k,:)) + full(A(k,k));"
        " A(k,k) = A(k,k) + x*A(:,k); f = f + A(:,k)'*A(:,1); end"
    )
    assert made == 0


def test_assembly_takes_no_passes_over_the_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few elements are read and written as such, whatever lies between their columns."""
    for name in ("columns", "rows", "written", "keys_of"):
        monkeypatch.setattr(compressed, name, None)
    s = rm.Session(provider="none")
    s.run(
        "K = sparse(60, 60); ke = [4 -1; -1 4]; for e = 1:29, idx = [e 2*e+1];"
        " K(idx, idx) = K(idx, idx) + ke; end; v = sparse(60, 1); w = ones(1, 60);"
        " K(:, 7) = v; K(9, :) = v'; K([1 60], 5) = [0; 3]; K(8, :) = w;"
    )
    monkeypatch.undo()
    assert s.eval("nnz(K(:, 7)) == 1 && isequal(full(K(8, :)), w) && K(60, 5) == 3")
    assert s.eval("nnz(K(9, :)) == 0")


@pytest.mark.parametrize("sub", ["[2 NaN]", "[NaN 2]", "[1.5 2]", "[0 1]"])
def test_places_that_are_none_are_refused(sub: str) -> None:
    for call in (f"S({sub}, 1)", f"S({sub}, 1) = 3", f"S(1, {sub}) = 3"):
        with pytest.raises(MatlabError) as caught:
            rm.Session(provider="none").run(f"S = speye(3); {call};")
        assert caught.value.identifier == "MATLAB:badsubscript"


LARGE = [
    "nnz(S & S) + nnz(S | S) + nnz(S ~= T) + nnz(S > T)",
    "nnz(S .* v) + nnz(S .* v') + nnz(S ./ v) + nnz(v .\\ S) + nnz(S .* T)",
    "nnz(triu(S, 1)) + nnz(tril(S)) + nnz(diag(S)) + nnz(diag(diag(S)))",
    "nnz(find(S(:, 5))) + sum(find(S, 3)) + numel(find(S)) + numel(find(S(7, :)))",
    "sum(sum(S)) + full(max(max(S))) + nnz(any(S)) + nnz(all(S, 2)) + full(sum(S(:)))",
    "nnz(S(10:20, :)) + nnz(S(:, [3 1 3])) + nnz(S([5 2], [2 5])) + nnz(S')",
]


@pytest.mark.parametrize("expression", LARGE)
def test_large_matrices_never_become_full(expression: str) -> None:
    s = rm.Session()
    s.run("n = 100000; S = spdiags([1:n; ones(1, n)]', [0 1], n, n); T = S'; v = (1:n)';")
    assert s.eval(expression) > 0


def test_writing_to_large_matrices() -> None:
    s = rm.Session()
    s.run("n = 400000; S = speye(n); S(3, :) = 0; S(:, 9) = 0; S(:, 8) = S(:, 7); S(1:2, 1) = 4;")
    assert s.eval("nnz(S)") == 400000 - 3 + 1 + 1


@pytest.mark.parametrize("power", ["NaN", "Inf", "-Inf", "0.5", "-1", "1i"])
def test_powers_that_are_no_counts_are_refused(power: str) -> None:
    with pytest.raises(MatlabError) as caught:
        rm.Session(provider="none").run(f"speye(3) ^ {power};")
    assert caught.value.identifier == "MATLAB:mpower:sparsePower"
