"""Factorisations into triangular and unitary matrices: LU, QR, Cholesky, full and sparse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError, too_many_outputs
from runmat_core.api.fusion import Call
from runmat_core.builtins.arguments import option, real
from runmat_core.builtins.linalg import requests
from runmat_core.builtins.linalg.sparse_factorizations import (
    cholesky,
    diagonal,
    lu_of_square,
    made_sparse,
    permutation,
)
from runmat_core.builtins.linalg.support import Matrix, matrix, square, value_of
from runmat_core.builtins.named import choice
from runmat_core.values import DTYPE, SparseArray, char, class_of, from_numpy, size_of, to_numpy
from runmat_core.values.lapack import lapack, lower_cholesky, lu_factor, pivoted_qr, unpivoted_qr
from runmat_core.values.sparse import dense


@builtin("lu", family="linalg/factorizations", nargout=5, needs=("nargout",), effects="pure")
def lu(x: Any, *options: Any, nargout: int) -> Any:
    """LU factorisation with row pivoting.

    [L, U] = lu(A) gives A = L*U with L permuted
    [L, U, P] = lu(A) gives P*A = L*U; lu(A, "vector") gives P as a vector
    [L, U, P, Q] = lu(S) of a sparse matrix gives P*S*Q = L*U
    [L, U, P, Q, D] = lu(S) gives P*(D\\S)*Q = L*U with a diagonal D that scales rows
    … = lu(S, THRESH) takes an element on the diagonal for the pivot where it is at least THRESH(1)
    times the largest of its column; 1 by default
    Y = lu(A) holds both factors in one matrix

    Examples:
        >> [L, U, P] = lu([1 2; 3 4]);
        >> U
        U =
            3.0000    4.0000
                 0    0.6667
        >> isequal(L*U, P*[1 2; 3 4])
        ans =
          logical
           1
        >> S = sparse([10 0; 0 0.5]);
        >> [L, U, P, Q, D] = lu(S);
        >> full(diag(D))'
        ans =
           10.0000    0.5000

    See also: qr, chol, inv, det, mldivide.
    """
    as_vector, threshold = _lu_options(options)
    if isinstance(x, SparseArray):
        return lu_of_sparse(x, as_vector, threshold, nargout)
    if nargout > 3:
        raise too_many_outputs()
    a = matrix(x, "lu")
    lower, upper, order, packed = _full_lu(a)
    if nargout < 2:
        return from_numpy(packed)
    if nargout == 2:
        permuted = np.empty_like(lower)
        permuted[order] = lower
        return value_of(permuted), value_of(upper)
    if as_vector:
        return value_of(lower), value_of(upper), from_numpy(order.reshape(1, -1) + 1.0)
    return value_of(lower), value_of(upper), from_numpy(np.eye(a.shape[0])[order])


def _lu_options(options: Sequence[Any]) -> tuple[bool, float]:
    """Whether permutations are vectors, and the threshold of pivots on the diagonal."""
    as_vector, threshold = False, 1.0
    for arg in options:
        if option(arg) is not None:
            as_vector = choice(arg, ["vector", "matrix"], "lu") == "vector"
            continue
        given = real(arg, "lu").ravel()
        if given.size > 2 or not ((given >= 0) & (given <= 1)).all():
            raise MatlabError(
                "MATLAB:lu:invalidThresh", "THRESH must have one or two elements from 0 to 1."
            )
        threshold = float(given[0]) if given.size else 1.0
    return as_vector, threshold


def _full_lu(a: Matrix) -> tuple[Matrix, Matrix, Matrix, Matrix]:
    """Both factors, the order of rows, and the factors in one matrix."""
    count = min(a.shape)
    order = np.arange(a.shape[0])
    if a.size == 0:
        return a[:, :count], a[:count], order, a.copy()
    with np.errstate(all="ignore"):
        packed, pivots = lu_factor(a)
    for k, pivot in enumerate(pivots):
        order[[k, pivot]] = order[[pivot, k]]
    lower = np.tril(packed[:, :count], -1)
    lower[np.arange(count), np.arange(count)] = 1
    return lower, np.triu(packed[:count]), order, packed


def lu_of_sparse(x: SparseArray, as_vector: bool, threshold: float, nargout: int) -> Any:
    """LU of a sparse matrix: rows alone are permuted unless four outputs are asked for."""
    if nargout > 4:
        sums = np.asarray(abs(x.data).sum(axis=1), float)
        sums[sums == 0] = 1.0
        scaled = SparseArray(diagonal(1 / sums).data @ x.data)
        return *lu_of_sparse(scaled, as_vector, threshold, 4), diagonal(sums)
    found = lu_of_square(x, nargout > 3, threshold)
    if found is None or nargout < 2:
        words = [char("vector")] if as_vector else []
        made = made_sparse(lu(dense(x), *words, nargout=min(nargout, 3)))
        order = np.arange(x.shape[1])
        return made if nargout < 4 else (*made, permutation(order, as_vector, rows=False))
    lower, upper, rows, columns = found
    if nargout == 2:
        return SparseArray(lower.data[np.argsort(rows)]), upper
    orders = permutation(rows, as_vector, rows=True), permutation(columns, as_vector, rows=False)
    return (lower, upper, *orders)[:nargout]


@builtin(
    "qr",
    family="linalg/factorizations",
    nargout=3,
    needs=("nargout",),
    effects="pure",
    gpu=Call("qr", requests.qr),
)
def qr(x: Any, *options: Any, nargout: int) -> Any:
    """QR factorisation.

    [Q, R] = qr(A) gives A = Q*R with Q unitary and R upper triangular
    [Q, R] = qr(A, "econ") gives the thin factorisation
    [Q, R, P] = qr(A) pivots columns: A*P = Q*R; with "vector", P is a vector: A(:, P) = Q*R
    R = qr(A)
    [C, R] = qr(S, B), [C, R, P] = qr(S, B, …) give C = Q'*B instead of Q: R\\C, or P*(R\\C), makes
    norm(S*X - B) smallest
    … = qr(…, 0) is the same as "econ" and "vector"

    Examples:
        >> [Q, R] = qr([3; 4]);
        >> abs(R)
        ans =
             5
             0
        >> [C, R] = qr(sparse([1 0; 1 1; 1 2]), [1; 2; 3], "econ");
        >> round(R\\C, 10)'
        ans =
             1     1

    See also: lu, chol, orth, mldivide, symbfact.
    """
    b, thin, as_vector = _qr_options(x, options)
    a = matrix(dense(x) if isinstance(x, SparseArray) else x, "qr")
    pivoted = nargout > 2
    q: Any
    if pivoted:
        q, r, order = pivoted_qr(a, economic=thin)
    elif nargout < 2 and b is None:
        factor: Any = unpivoted_qr(a, mode="r" if thin else "complete")
        q, r = None, factor if thin else factor[1]
    else:
        q, r = unpivoted_qr(a, mode="reduced" if thin else "complete")
    if isinstance(x, SparseArray):
        upper: Any = SparseArray.from_dense(r)
    else:
        upper = value_of(r)
    if nargout < 2:
        return upper
    first = SparseArray.from_dense(q) if isinstance(x, SparseArray) else value_of(q)
    if b is not None:
        product = q.conj().T @ to_numpy(b)
        first = SparseArray.from_dense(product) if isinstance(b, SparseArray) else value_of(product)
    if not pivoted:
        return first, upper
    if isinstance(x, SparseArray) or as_vector:
        return first, upper, permutation(order, as_vector, rows=False)
    return first, upper, from_numpy(np.eye(a.shape[1])[:, order])


def _qr_options(x: Any, options: Sequence[Any]) -> tuple[Any, bool, bool]:
    """Return the right-hand side or None, whether factors are thin, whether P is a vector."""
    rest = list(options)
    b = None
    if rest and option(rest[0]) is None and not _is_zero(rest[0]):
        b = rest.pop(0)
        if matrix(dense(b) if isinstance(b, SparseArray) else b, "qr").shape[0] != size_of(x)[0]:
            raise MatlabError(
                "MATLAB:qr:dimensionMismatch", "The matrices must have the same number of rows."
            )
    thin = as_vector = False
    for arg in rest:
        word = "0" if _is_zero(arg) else choice(arg, ["0", "econ", "vector", "matrix"], "qr")
        thin = thin or word in ("0", "econ")
        as_vector = word in ("0", "vector") or (as_vector and word != "matrix")
    return b, thin, as_vector


def _is_zero(value: Any) -> bool:
    return class_of(value) in DTYPE and size_of(value) == (1, 1) and not to_numpy(value).item()


@builtin(
    "chol",
    family="linalg/factorizations",
    nargout=3,
    needs=("nargout",),
    effects="pure",
    gpu=Call("chol", requests.chol),
)
def chol(x: Any, *options: Any, nargout: int) -> Any:
    """Cholesky factorisation of a positive definite matrix.

    R = chol(A) gives A = R'*R with R upper triangular
    L = chol(A, "lower") gives A = L*L'
    [R, FLAG] = chol(A) sets FLAG instead of raising an error where A is not positive definite
    [R, FLAG, P] = chol(S) of a sparse matrix gives P'*S*P = R'*R; chol(S, "vector") gives P as
    a vector: S(P, P) = R'*R

    Examples:
        >> chol([4 2; 2 3])
        ans =
            2.0000    1.0000
                 0    1.4142

    See also: lu, qr, eig, mldivide.
    """
    words = {choice(o, ["upper", "lower", "vector", "matrix"], "chol") for o in options}
    lower = "lower" in words
    if isinstance(x, SparseArray):
        return chol_of_sparse(x, lower, "vector" in words, nargout)
    if nargout > 2:
        raise too_many_outputs()
    a = square(x, "chol")
    if a.size == 0:
        return (from_numpy(a), 0.0) if nargout > 1 else from_numpy(a)
    # only one triangle is read: the upper one by default
    try:
        if not (a.dtype.kind == "c" and a.diagonal().imag.any()):
            factor = lower_cholesky(a if lower else a.conj().T)
            factor = value_of(factor if lower else factor.conj().T)
            return (factor, 0.0) if nargout > 1 else factor
    except np.linalg.LinAlgError:
        pass
    if nargout < 2:
        raise MatlabError("MATLAB:posdef", "Matrix must be positive definite.")
    factor, status = lapack("potrf", a.dtype)(a, lower=lower, clean=True)
    status = max(int(status), 1)  # a complex diagonal is not noticed by LAPACK
    factor = factor[: status - 1, : status - 1]
    return value_of(np.tril(factor) if lower else np.triu(factor)), float(status)


def chol_of_sparse(x: SparseArray, lower: bool, as_vector: bool, nargout: int) -> Any:
    if x.shape[0] != x.shape[1]:
        raise MatlabError("MATLAB:square", "Matrix must be square.")
    found = cholesky(x, lower, reorder=nargout > 2)
    if found is None:
        words = [char("lower")] if lower else []
        made = chol(dense(x), *words, nargout=min(nargout, 2))
        factor, status = made_sparse(made[0]), made[1]
        order = np.arange(x.shape[0])
    else:
        (factor, order), status = found, 0.0
    if nargout < 2:
        return factor
    return (factor, status, permutation(order, as_vector, rows=False))[:nargout]
