"""Factorisations of matrices: LU, QR, Cholesky, eigenvalues, singular values, Schur."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError, too_many_outputs
from runmat_core.api.fusion import Call
from runmat_core.builtins.arguments import numeric, option
from runmat_core.builtins.linalg import requests
from runmat_core.builtins.linalg.sparse_factorizations import (
    cholesky,
    lu_of_square,
    made_sparse,
    permutation,
)
from runmat_core.builtins.linalg.support import (
    Matrix,
    finite,
    is_hermitian,
    lapack,
    matrix,
    square,
    value_of,
)
from runmat_core.values import SparseArray, char, from_numpy, size_of
from runmat_core.values.sparse import dense


@builtin("lu", family="linalg/factorizations", nargout=4, needs=("nargout",), effects="pure")
def lu(x: Any, form: Any = None, *, nargout: int) -> Any:
    """LU factorisation with row pivoting.

    [L, U] = lu(A) gives A = L*U with L permuted
    [L, U, P] = lu(A) gives P*A = L*U; lu(A, "vector") gives P as a vector
    [L, U, P, Q] = lu(S) of a sparse matrix gives P*S*Q = L*U
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

    See also: qr, chol, inv, det, mldivide.
    """
    if isinstance(x, SparseArray):
        return lu_of_sparse(x, form is not None and option(form) == "vector", nargout)
    if nargout > 3:
        raise too_many_outputs()
    a = matrix(x, "lu")
    if a.size == 0:
        if nargout < 2:
            return from_numpy(a.copy())
        lower, upper, order = a[:, : min(a.shape)], a[: min(a.shape)], np.arange(a.shape[0])
    else:
        with np.errstate(all="ignore"):
            packed, pivots = lapack().lapack.get_lapack_funcs("getrf", (a,))(a)[:2]
        order = np.arange(a.shape[0])
        for k, pivot in enumerate(pivots):
            order[[k, pivot]] = order[[pivot, k]]
        if nargout < 2:
            return from_numpy(packed)
        count = min(a.shape)
        lower = np.tril(packed[:, :count], -1)
        lower[np.arange(count), np.arange(count)] = 1
        upper = np.triu(packed[:count])
    if nargout == 2:
        permuted = np.empty_like(lower)
        permuted[order] = lower
        return value_of(permuted), value_of(upper)
    if form is not None and option(form) == "vector":
        return value_of(lower), value_of(upper), from_numpy(order.reshape(1, -1) + 1.0)
    return value_of(lower), value_of(upper), from_numpy(np.eye(a.shape[0])[order])


def lu_of_sparse(x: SparseArray, as_vector: bool, nargout: int) -> Any:
    """LU of a sparse matrix: rows alone are permuted unless four outputs are asked for."""
    found = lu_of_square(x, reorder=nargout > 3)
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
    [Q, R] = qr(A, 0) or qr(A, "econ") gives the thin factorisation
    [Q, R, P] = qr(A) pivots columns: A*P = Q*R; with "vector" or 0, P is a vector
    R = qr(A)

    Examples:
        >> [Q, R] = qr([3; 4]);
        >> abs(R)
        ans =
             5
             0

    See also: lu, chol, orth, mldivide.
    """
    if isinstance(x, SparseArray):
        return made_sparse(qr(dense(x), *options, nargout=nargout))
    a = matrix(x, "qr")
    words = {option(o) or "0" for o in options}
    thin = bool(words & {"0", "econ"})
    if nargout < 2:
        factor: Any = np.linalg.qr(a, mode="r" if thin else "complete")
        return value_of(factor if thin else factor[1])
    if nargout == 2:
        q, r = np.linalg.qr(a, mode="reduced" if thin else "complete")
        return value_of(q), value_of(r)
    mode = "economic" if thin else "full"
    q, r, order = lapack().qr(a, mode=mode, pivoting=True, check_finite=False)
    if "vector" in words or ("0" in words and "matrix" not in words) or "econ" in words:
        return value_of(q), value_of(r), from_numpy(order.reshape(1, -1) + 1.0)
    return value_of(q), value_of(r), from_numpy(np.eye(a.shape[1])[:, order])


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
    [R, FLAG, P] = chol(S) of a sparse matrix gives P'*S*P = R'*R; with "vector", P is a vector

    Examples:
        >> chol([4 2; 2 3])
        ans =
            2.0000    1.0000
                 0    1.4142

    See also: lu, qr, eig, mldivide.
    """
    words = {option(o) for o in options}
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
            factor = np.linalg.cholesky(a if lower else a.conj().T)
            factor = value_of(factor if lower else factor.conj().T)
            return (factor, 0.0) if nargout > 1 else factor
    except np.linalg.LinAlgError:
        pass
    if nargout < 2:
        raise MatlabError("MATLAB:posdef", "Matrix must be positive definite.")
    factor, status = lapack().lapack.get_lapack_funcs("potrf", (a,))(a, lower=lower, clean=True)
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


def eigenvalues(a: Matrix, vectors: bool = False) -> Any:
    """Eigenvalues of `a`, ascending where it is Hermitian, and its eigenvectors if asked."""
    if is_hermitian(a):
        return np.linalg.eigh(a) if vectors else np.linalg.eigvalsh(a)
    if not vectors:
        return np.linalg.eigvals(a)
    return np.linalg.eig(a)


@builtin(
    "eig",
    family="linalg/factorizations",
    nargout=3,
    needs=("nargout",),
    effects="pure",
    gpu=Call("eig", requests.eig),
)
def eig(x: Any, *more: Any, nargout: int) -> Any:
    """Eigenvalues and eigenvectors.

    E = eig(A) is a column, ascending for Hermitian matrices
    [V, D] = eig(A) gives A*V = V*D with D diagonal
    [V, D, W] = eig(A) gives left eigenvectors as well: W'*A = D*W'
    … = eig(A, B) solves A*V = B*V*D
    … = eig(…, "vector") or "matrix" chooses the form of the eigenvalues

    Examples:
        >> eig([2 1; 1 2])
        ans =
             1
             3

    See also: svd, schur, expm, poly, roots.
    """
    a = finite(square(x, "eig"), "eig")
    words = [option(m) for m in more]
    others = [m for m, word in zip(more, words, strict=True) if word is None]
    if a.size == 0:
        empty = from_numpy(a)
        return (empty,) * nargout if nargout > 1 else from_numpy(np.zeros((0, 1)))
    left: Matrix | None = None
    vectors: Matrix | None = None
    if others:
        b = finite(square(others[0], "eig"), "eig")
        if b.shape != a.shape:
            raise MatlabError("MATLAB:eig:inputsMustBeSameSize", "A and B must be the same size.")
        if nargout > 2:
            values, left, vectors = lapack().eig(a, b, left=True, right=True)
        else:
            values, vectors = _generalised(a, b)
    elif nargout > 2:
        values, left, vectors = lapack().eig(a, left=True, right=True)
    elif nargout > 1:
        values, vectors = eigenvalues(a, vectors=True)
    else:
        values = eigenvalues(a)
    as_vector = "vector" in words or (nargout < 2 and "matrix" not in words)
    spectrum = value_of(values.reshape(-1, 1) if as_vector else np.diag(values))
    if vectors is None or nargout < 2:
        return spectrum
    outputs = (value_of(vectors), spectrum)
    return outputs if left is None else (*outputs, value_of(left))


def _generalised(a: Matrix, b: Matrix) -> tuple[Matrix, Matrix]:
    if is_hermitian(a) and is_hermitian(b):
        try:
            values, vectors = lapack().eigh(a, b)
            return values, vectors
        except np.linalg.LinAlgError:
            pass  # B is not positive definite
    values, vectors = lapack().eig(a, b)
    return values, vectors


@builtin(
    "svd",
    family="linalg/factorizations",
    nargout=3,
    needs=("nargout",),
    effects="pure",
    gpu=Call("svd", requests.svd),
)
def svd(x: Any, form: Any = None, *, nargout: int) -> Any:
    """Singular value decomposition.

    S = svd(A) is a descending column of singular values
    [U, S, V] = svd(A) gives A = U*S*V'
    [U, S, V] = svd(A, "econ") or svd(A, 0) gives the thin decomposition

    Examples:
        >> svd([3 0; 0 4])
        ans =
             4
             3

    See also: eig, rank, pinv, norm, cond.
    """
    a = finite(matrix(x, "svd"), "svd")
    if nargout < 2:
        if a.size == 0:
            return from_numpy(np.zeros((0, 1)))
        return from_numpy(np.linalg.svd(a, compute_uv=False).reshape(-1, 1))
    word = option(form) if form is not None else None
    thin = word == "econ" or (form is not None and word is None and size_of(x)[0] > size_of(x)[1])
    u, s, vh = np.linalg.svd(a, full_matrices=not thin)
    if thin:
        sigma = np.diag(s)
    else:
        sigma = np.zeros(a.shape, s.dtype)
        sigma[np.arange(s.size), np.arange(s.size)] = s
    return (value_of(u), from_numpy(sigma), value_of(vh.conj().T))[:nargout]


@builtin("schur", family="linalg/factorizations", nargout=2, needs=("nargout",), effects="pure")
def schur(x: Any, form: Any = None, *, nargout: int) -> Any:
    """Schur decomposition.

    T = schur(A), [U, T] = schur(A) gives A = U*T*U' with T upper (quasi-)triangular
    schur(A, "complex") makes T triangular

    Examples:
        >> schur([1 2; 0 3])
        ans =
             1     2
             0     3

    See also: eig, hess, sqrtm.
    """
    a = finite(square(x, "schur"), "schur")
    output = "complex" if form is not None and option(form) == "complex" else "real"
    triangular, unitary = lapack().schur(a, output=output if a.dtype.kind != "c" else "complex")
    return (value_of(unitary), value_of(triangular)) if nargout > 1 else value_of(triangular)


@builtin("hess", family="linalg/factorizations", nargout=2, needs=("nargout",), effects="pure")
def hess(x: Any, *, nargout: int) -> Any:
    """Hessenberg form.

    H = hess(A), [P, H] = hess(A) gives A = P*H*P'

    Examples:
        >> hess([1 2; 3 4])
        ans =
             1     2
             3     4

    See also: schur, eig.
    """
    reduced, unitary = lapack().hessenberg(finite(square(x, "hess"), "hess"), calc_q=True)
    return (value_of(unitary), value_of(reduced)) if nargout > 1 else value_of(reduced)


@builtin("issymmetric", family="linalg/questions", effects="pure")
def issymmetric(x: Any) -> Any:
    """Whether a matrix equals its transpose.

    TF = issymmetric(A)

    Examples:
        >> issymmetric([1 2; 2 3])
        ans =
          logical
           1

    See also: ishermitian, chol, eig.
    """
    a = numeric(x, "issymmetric")
    return a.ndim == 2 and a.shape[0] == a.shape[1] and bool(np.array_equal(a, a.T))


@builtin("ishermitian", family="linalg/questions", effects="pure")
def ishermitian(x: Any) -> Any:
    """Whether a matrix equals its conjugate transpose.

    TF = ishermitian(A)

    Examples:
        >> ishermitian([1 2i; -2i 3])
        ans =
          logical
           1

    See also: issymmetric, chol, eig.
    """
    a = numeric(x, "ishermitian")
    return a.ndim == 2 and is_hermitian(a)
