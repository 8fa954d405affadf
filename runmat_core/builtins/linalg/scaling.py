"""Structural rank, equilibration and the augmented system of sparse matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.libraries import package
from runmat_core.builtins.arguments import scalar
from runmat_core.builtins.linalg.sparse_factorizations import diagonal, pattern_of, permutation
from runmat_core.builtins.linalg.support import matrix
from runmat_core.builtins.named import choice
from runmat_core.values import SparseArray, from_numpy

Numbers = NDArray[Any]


def _sparse(x: Any, name: str) -> Any:
    """Return a matrix argument as SciPy's sparse matrix of floating numbers, without zeros."""
    csc_array = package("scipy.sparse").csc_array

    found = csc_array(x.data if isinstance(x, SparseArray) else matrix(x, name))
    found = found.astype(np.result_type(found.dtype, np.float64))
    found.eliminate_zeros()
    return found


@builtin("sprank", family="linalg/orderings", effects="pure")
def sprank(x: Any) -> Any:
    """Structural rank: the largest rank that a matrix with this pattern can have.

    R = sprank(A): as many elements can be chosen with no two in one row or column; at least
    rank(A)

    Examples:
        >> A = [1 0 2 0; 2 0 4 0];
        >> sprank(A), rank(A)
        ans =
             2
        ans =
             1

    See also: dmperm, rank, equilibrate.
    """
    structural_rank = package("scipy.sparse.csgraph").structural_rank

    pattern = pattern_of(x, "sprank")
    return float(structural_rank(pattern)) if pattern.nnz else 0.0


@builtin("spaugment", family="linalg/systems", effects="pure")
def spaugment(x: Any, c: Any = None) -> Any:
    """Augmented matrix of a least squares problem.

    S = spaugment(A, C) is [C*I A; A' 0], symmetric and indefinite. For z = S\\[b; 0], the last
    size(A, 2) elements of z make norm(b - A*x) smallest, and C times the others is b - A*x.
    S = spaugment(A) takes max(max(abs(A)))/1000 for C

    Examples:
        >> full(spaugment([1; 2], 3))
        ans =
             3     0     1
             0     3     2
             1     2     0

    See also: mldivide, lsqr, qr.
    """
    block_array = package("scipy.sparse").block_array
    csc_array = package("scipy.sparse").csc_array
    eye_array = package("scipy.sparse").eye_array

    a = _sparse(x, "spaugment")
    factor = np.abs(a.data).max(initial=0.0) / 1000 if c is None else scalar(c, "C")
    rows, columns = a.shape
    if not rows or not columns:
        both = csc_array((rows + columns, rows + columns))
        both.setdiag(np.r_[np.full(rows, factor), np.zeros(columns)])
        both.eliminate_zeros()
        return SparseArray(both)
    made = block_array([[factor * eye_array(rows), a], [a.conj().T, None]], format="csc")
    made.eliminate_zeros()
    return SparseArray(made)


def _singular() -> MatlabError:
    return MatlabError(
        "MATLAB:equilibrate:StructurallySingular", "Matrix must have full structural rank."
    )


def _largest_product(costs: Any) -> Numbers:
    """Return the row of each column's element of the smallest sum of costs."""
    graphs = package("scipy.sparse.csgraph")
    shifted = costs.copy()
    shifted.data = shifted.data + 1.0  # zeros would count as missing; all sums change alike
    try:
        rows, columns = graphs.min_weight_full_bipartite_matching(shifted.tocsr())
    except ValueError as error:  # there is no full matching
        raise _singular() from error
    chosen = np.empty(rows.size, np.intp)
    chosen[columns] = rows
    return chosen


def _potentials(costs: Any, chosen: Numbers) -> Numbers:
    """Numbers v of columns with costs(i, k) - v(k) smallest in each row i at its chosen column.

    Shortest paths by Bellman and Ford: choosing column k instead of j for row i costs the
    difference, and there is no cycle that costs less than nothing, or the choice were better.
    """
    rows, columns = costs.indices, np.repeat(np.arange(chosen.size), np.diff(costs.indptr))
    column_of = np.empty(chosen.size, np.intp)
    column_of[chosen] = np.arange(chosen.size)
    own = np.empty(chosen.size)
    at_own = column_of[rows] == columns
    own[rows[at_own]] = costs.data[at_own]
    lengths = costs.data - own[rows]
    v = np.zeros(chosen.size)
    for _ in range(chosen.size):
        nearer = v.copy()
        np.minimum.at(nearer, columns, v[column_of[rows]] + lengths)
        if not (v - nearer > 1e-14 * (1 + np.abs(v))).any():
            break
        v = nearer
    return v


@builtin("equilibrate", family="linalg/orderings", nargout=3, needs=("nargout",), effects="pure")
def equilibrate(x: Any, form: Any = None, *, nargout: int) -> Any:
    """Permute and scale a matrix for a better condition.

    [P, R, C] = equilibrate(A): B = R*P*A*C has elements of magnitude 1 on its diagonal and none
    larger elsewhere. P permutes rows, R and C are diagonal; all three are sparse.
    [P, R, C] = equilibrate(A, "vector") gives columns: B = R.*A(P, :).*C'

    Examples:
        >> [P, R, C] = equilibrate([0 4; 2 1]);
        >> full(R*P*[0 4; 2 1]*C)
        ans =
            1.0000    0.2500
                 0    1.0000

    See also: balance, sprank, dmperm, condest, gmres.
    """
    a = _sparse(x, "equilibrate")
    size = a.shape[0]
    if size != a.shape[1]:
        raise MatlabError("MATLAB:square", "Matrix must be square.")
    word = "matrix" if form is None else choice(form, ["matrix", "vector"], "equilibrate")
    if not np.isfinite(a.data).all():
        raise MatlabError(
            "MATLAB:equilibrate:matrixWithNaNInf", "Input must not contain NaN or Inf."
        )
    if (np.diff(a.indptr) == 0).any():
        raise _singular()
    costs = a.copy()
    costs.data = -np.log(np.abs(a.data))
    # costs from the cheapest of each column, so that none is negative
    cheapest = np.minimum.reduceat(costs.data, costs.indptr[:-1]) if size else np.zeros(0)
    costs.data = costs.data - np.repeat(cheapest, np.diff(costs.indptr))
    chosen = _largest_product(costs) if size else np.zeros(0, np.intp)
    v = _potentials(costs, chosen) + cheapest if size else cheapest
    at_diagonal = np.abs(np.asarray(a.tocsr()[chosen].diagonal())) if size else np.zeros(0)
    columns = np.exp(v)
    rows = 1 / (at_diagonal * columns)
    if word == "vector":
        parts = [p.reshape(-1, 1) for p in (chosen + 1.0, rows, columns)]
        return (
            tuple(from_numpy(p) for p in parts[:nargout]) if nargout > 1 else from_numpy(parts[0])
        )
    made = permutation(chosen, False, rows=True), diagonal(rows), diagonal(columns)
    return made[:nargout] if nargout > 1 else made[0]
