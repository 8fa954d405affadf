"""Orders of sparse matrices, elimination trees, structural rank and scaling."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from runmat_core import Session
from runmat_core.builtins.linalg.elimination import lines_of
from runmat_core.builtins.linalg.minimum_degree import minimum_degree

Same = Callable[[str, str], None]
Failing = Callable[[str, str], None]

GRID = "T = spdiags(ones(12, 3), -1:1, 12, 12); K = kron(T, speye(12)) + kron(speye(12), T);"


@pytest.mark.parametrize(
    "order", ["amd(A)", "symamd(A)", "colamd(A)", "colperm(A)", "symrcm(A)", "amd(A + tril(A))"]
)
@pytest.mark.parametrize(
    "matrix",
    [
        "speye(5)",
        "sparse(ones(4))",
        "sparse(3, 3)",
        "sparse([])",
        "sprand(30, 30, 0.1)",
        "magic(4)",
    ],
)
def test_orders_are_permutations(order: str, matrix: str, same: Same, session: Session) -> None:
    session.run(f"rng(3); A = {matrix};")
    same(f"sort({order})", "reshape(1:size(A, 2), 1, [])")


@pytest.mark.parametrize("order", ["amd", "symamd", "symrcm"])
def test_symmetric_orders_make_factors_sparser(order: str, session: Session, same: Same) -> None:
    session.run(
        f"{GRID} K = K + 8*speye(144); q = [1:2:144, 2:2:144]; K = K(q, q); p = {order}(K);"
    )
    same("nnz(chol(K(p, p))) < 0.8*nnz(chol(K))", "true")


@pytest.mark.parametrize("order", ["amd", "symamd"])
def test_trees_are_eliminated_without_new_elements(
    order: str, session: Session, same: Same
) -> None:
    # a tree's leaves go first: any minimum degree order of it creates nothing
    session.run("n = 63; k = 2:n; A = sparse(k, floor(k/2), 1, n, n); A = A + A' + 4*speye(n);")
    same(f"nnz(chol(A({order}(A), {order}(A))))", "2*n - 1")


def test_minimum_degree_counts_cliques_and_neighbours_alike() -> None:
    rng = np.random.default_rng(5)
    from scipy.sparse import random_array, triu

    a = random_array((80, 80), density=0.04, rng=rng)
    both = triu(a + a.T, 1).tocoo()
    edges = list(zip(both.row.tolist(), both.col.tolist(), strict=True))
    as_neighbours = minimum_degree(lines_of((both + both.T).tocsc()))
    as_cliques = minimum_degree([()] * 80, edges)
    assert sorted(as_neighbours) == sorted(as_cliques) == list(range(80))


def test_dense_rows_come_last(same: Same, session: Session) -> None:
    session.run("n = 400; A = speye(n); A(7, :) = 1; A(:, 7) = 1; p = amd(A);")
    same("p(end)", "7")
    session.run("[q, stats] = symamd(A); [c, told] = colamd(A);")
    same("[q(end) stats(1:2) c(end) told(1:2)]", "[7 1 1 7 1 1]")
    same("size(stats)", "[1 20]")
    same("sort(amd(A, struct('dense', 100, 'aggressive', 0)))", "1:n")
    session.run("[~, stats] = symamd(A, 1000);")
    same("stats(1)", "0")


def test_colamd_leaves_columns_without_elements_for_the_end(same: Same) -> None:
    same("colamd(sparse([1 0 0; 0 0 1]))", "[1 3 2]")


def test_colamd_makes_the_factor_of_the_product_sparser(session: Session, same: Same) -> None:
    session.run("n = 40; S = sparse(1:n, 2:n+1, 1, n, n + 1); S(:, 1) = 1; p = colamd(S);")
    same("sum(symbfact(S(:, p), 'col'))", "2*n + 1")
    same("sum(symbfact(S, 'col'))", "(n + 1)*(n + 2)/2")


def test_reverse_cuthill_mckee_finds_a_path_again(session: Session, same: Same) -> None:
    session.run("n = 50; rng(1); q = randperm(n); k = 2:n;")
    session.run("A = sparse(k, k-1, 1, n, n); A = A + A' + speye(n); A = A(q, q); p = symrcm(A);")
    same("bandwidth(A(p, p), 'lower')", "1")


def test_elimination_tree_of_known_matrices(same: Same) -> None:
    same("etree(spdiags(ones(5, 3), -1:1, 5, 5))", "[2 3 4 5 0]")
    same("etree(speye(3))", "[0 0 0]")
    arrow = "sparse([1 0 0 1; 0 1 0 1; 0 0 1 1; 1 1 1 1])"
    same(f"etree({arrow})", "[4 4 4 0]")
    same(f"etree({arrow}, 'col')", "[2 3 4 0]")
    same("etree(sparse([1 1 0; 0 1 1]), 'row')", "[2 0]")
    same("etree(triu(magic(3)))", "[2 3 0]")  # the upper triangle alone is read


def test_elimination_tree_follows_from_the_factor(session: Session, same: Same) -> None:
    session.run("rng(2); A = sprandsym(40, 0.08); A = A + 40*speye(40); R = chol(A);")
    session.run("[count, h, parent, post, P] = symbfact(A);")
    session.run(
        "e = zeros(1, 40); for j = 1:40, k = find(R(j, j+1:end), 1); if k, e(j) = j + k; end, end"
    )
    same("parent", "e")
    same("etree(A)", "e")
    same("full(P)", "double(full(R ~= 0))")
    same("count", "full(sum(R ~= 0, 2))'")
    session.run("[~, post] = etree(A); same_fill = nnz(chol(A(post, post)));")
    same("same_fill", "nnz(R)")
    session.run("[~, ~, ~, ~, L] = symbfact(A, 'lo', 'lower');")
    same("full(L)", "full(P')")


def test_symbolic_factor_of_products(session: Session, same: Same) -> None:
    session.run("rng(4); A = sprand(30, 20, 0.1) + speye(30, 20);")
    same("symbfact(A, 'col')", "symbfact(spones(A)'*spones(A))")
    same("symbfact(A, 'row')", "symbfact(spones(A)*spones(A)')")
    same("etree(A, 'col')", "etree(spones(A)'*spones(A))")
    session.run("[c, h] = symbfact(spdiags(ones(6, 3), -1:1, 6, 6));")
    same("[c h]", "[2 2 2 2 2 1 6]")


def test_layout_of_trees(session: Session, same: Same) -> None:
    session.run("[x, y, h, s] = treelayout([2 3 0 3 6 0]);")
    same("[h s]", "[2 0]")
    same("y", "([0 1 2 0 0 1] + 1)/4")
    same("x", "[1 1 1.5 2 3 3]/4")
    session.run("[x, y, h, s] = treelayout(etree(spdiags(ones(4, 3), -1:1, 4, 4)));")
    same("[x; y]", "[0.5 0.5 0.5 0.5; 0.2 0.4 0.6 0.8]")
    same("[h s]", "[3 4]")
    same("treelayout([0 1 1], [3 2 1])", "[1.5 2 1]/3")


def test_structural_rank(same: Same) -> None:
    same("sprank([1 1; 0 0])", "1")
    same("sprank(sparse([1 1 0; 1 1 0; 0 0 1]))", "3")
    same("sprank(zeros(2, 0))", "0")


def test_augmented_matrix_solves_least_squares(session: Session, same: Same) -> None:
    session.run("A = [1 1; 1 2; 1 3]; b = [1; 2; 2]; S = spaugment(A, 1); z = S\\[b; 0; 0];")
    same("round(z(4:5), 12)", "round(A\\b, 12)")
    same("round(z(1:3), 12)", "round(b - A*(A\\b), 12)")
    same("full(spaugment(1000))", "[1 1000; 1000 0]")


def test_equilibrated_matrices_have_the_largest_elements_on_the_diagonal(
    session: Session, same: Same
) -> None:
    session.run("rng(1); A = sprand(50, 50, 0.1) + speye(50); A = A.*10.^(10*sprand(A) - 5);")
    session.run("[P, R, C] = equilibrate(A); B = R*P*A*C;")
    same("max(abs(abs(full(diag(B))) - 1)) < 1e-12", "true")
    same("full(max(abs(B(:)))) < 1 + 1e-9", "true")
    session.run("[p, r, c] = equilibrate(A, 'vector');")
    same("max(max(abs(r.*A(p, :).*c' - B))) < 1e-12", "sparse(true)")
    same("[size(p); size(r); size(c)]", "repmat([50 1], 3, 1)")
    same("condest(B) < condest(A)", "true")


def test_settings_of_sparse_solvers(session: Session, same: Same) -> None:
    session.run("[keys, values] = spparms;")
    same("deblank(keys(10, :))", "'piv_tol'")
    same("values(10)", "0.1")
    session.run("spparms('piv_tol', 0.5); spparms('tight')")
    same("[spparms('piv_tol') spparms('thr_rel')]", "[0.5 1]")
    session.run("spparms([2 3])")
    same("[spparms('spumoni') spparms('thr_rel') spparms('thr_abs')]", "[2 3 0]")
    session.run("spparms('default')")
    same("spparms", "values")


@pytest.mark.parametrize(
    ("statement", "identifier"),
    [
        ("amd(ones(2, 3))", "MATLAB:square"),
        ("symrcm(ones(2, 3))", "MATLAB:square"),
        ("symamd(ones(1, 2, 2))", "MATLAB:symamd:inputMustBe2D"),
        ("amd(1, 2)", "MATLAB:amd:invalidOpts"),
        ("colamd({1})", "MATLAB:UndefinedFunction"),
        ("etree(ones(2, 3))", "MATLAB:square"),
        ("etree(1, 'tree')", "MATLAB:etree:unrecognizedStringChoice"),
        ("symbfact(1, 'sym', 'upper')", "MATLAB:symbfact:unrecognizedStringChoice"),
        ("treelayout([2 1])", "MATLAB:treelayout:invalidTree"),
        ("treelayout([0 3])", "MATLAB:treelayout:invalidParent"),
        ("treelayout([0 1], [1 1])", "MATLAB:treelayout:invalidTree"),
        ("equilibrate([1 1; 0 0])", "MATLAB:equilibrate:StructurallySingular"),
        ("equilibrate([1 0; 1 0])", "MATLAB:equilibrate:StructurallySingular"),
        ("equilibrate([1 2 3])", "MATLAB:square"),
        ("equilibrate([NaN 1; 1 1])", "MATLAB:equilibrate:matrixWithNaNInf"),
        ("spaugment(1, [1 2])", "MATLAB:expectedScalar"),
        ("spparms('pivot')", "MATLAB:spparms:unrecognizedStringChoice"),
        ("spparms(1:14)", "MATLAB:spparms:tooManyValues"),
        ("sprank('a', 1)", "MATLAB:maxrhs"),
    ],
)
def test_bad_calls(statement: str, identifier: str, failing: Failing) -> None:
    failing(statement, identifier)
