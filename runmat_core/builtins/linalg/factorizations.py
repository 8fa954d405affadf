"""Factorisations of matrices by eigenvalues and singular values: eig, svd, Schur, Hessenberg."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError, too_many_outputs
from runmat_core.api.fusion import Call
from runmat_core.builtins.arguments import numeric, option
from runmat_core.builtins.arrays import sparse_moves
from runmat_core.builtins.linalg import requests
from runmat_core.builtins.linalg.support import (
    Matrix,
    finite,
    is_hermitian,
    matrix,
    square,
    value_of,
)
from runmat_core.builtins.named import choice
from runmat_core.values import SparseArray, from_numpy, is_text, size_of, spectral


def eigenvalues(a: Matrix, vectors: bool = False) -> Any:
    """Eigenvalues of `a`, ascending where it is Hermitian, and its eigenvectors if asked."""
    if is_hermitian(a):
        return spectral.eigh(a) if vectors else spectral.eigvalsh(a)
    if not vectors:
        return spectral.eigvals(a)
    return spectral.eig(a)


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
            values, left, vectors = spectral.of_scipy("eig")(a, b, left=True, right=True)
        else:
            values, vectors = _generalised(a, b)
    elif nargout > 2:
        values, left, vectors = spectral.of_scipy("eig")(a, left=True, right=True)
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
            values, vectors = spectral.of_scipy("eigh")(a, b)
            return values, vectors
        except np.linalg.LinAlgError:
            pass  # B is not positive definite
    values, vectors = spectral.of_scipy("eig")(a, b)
    return values, vectors


@builtin(
    "svd",
    family="linalg/factorizations",
    nargin=(1, 3),
    nargout=3,
    needs=("nargout",),
    effects="pure",
    gpu=Call("svd", requests.svd),
)
def svd(x: Any, *forms: Any, nargout: int) -> Any:
    """Singular value decomposition.

    S = svd(A) is a descending column of singular values
    [U, S, V] = svd(A) gives A = U*S*V'
    [U, S, V] = svd(A, "econ") or svd(A, 0) gives the thin decomposition
    svd(…, "vector") and svd(…, "matrix") make S a column, or a diagonal matrix

    Examples:
        >> svd([3 0; 0 4])
        ans =
             4
             3

    See also: eig, rank, pinv, norm, cond.
    """
    a = finite(matrix(x, "svd"), "svd")
    words = [choice(f, ("econ", "vector", "matrix"), "svd") for f in forms if is_text(f)]
    thin = "econ" in words or (len(words) < len(forms) and size_of(x)[0] > size_of(x)[1])
    if nargout < 2:
        s = spectral.svd(a, compute_uv=False) if a.size else np.zeros(0)
        return from_numpy(_laid_out(s, a, thin) if "matrix" in words else s.reshape(-1, 1))
    u, s, vh = spectral.svd(a, full_matrices=not thin)
    sigma = s.reshape(-1, 1) if "vector" in words else _laid_out(s, a, thin)
    return (value_of(u), from_numpy(sigma), value_of(vh.conj().T))[:nargout]


def _laid_out(values: Matrix, a: Matrix, thin: bool) -> Matrix:
    """Singular values on the diagonal of a matrix of the size of `a`, or of a square one."""
    if thin:
        return np.diag(values)
    sigma = np.zeros(a.shape, values.dtype)
    np.fill_diagonal(sigma, values)
    return sigma


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
    triangular, unitary = spectral.of_scipy("schur")(
        a, output=output if a.dtype.kind != "c" else "complex"
    )
    return (value_of(unitary), value_of(triangular)) if nargout > 1 else value_of(triangular)


@builtin("hess", family="linalg/factorizations", nargout=4, needs=("nargout",), effects="pure")
def hess(x: Any, y: Any = None, *, nargout: int) -> Any:
    """Hessenberg form, of a matrix or of a pair of matrices.

    H = hess(A), [P, H] = hess(A) gives A = P*H*P' with P unitary
    [AA, BB, Q, Z] = hess(A, B) gives AA = Q*A*Z without elements below its first subdiagonal and
    BB = Q*B*Z upper triangular, with Q and Z unitary

    Examples:
        >> hess([1 2; 3 4])
        ans =
             1     2
             3     4
        >> [AA, BB, Q, Z] = hess(magic(4), ones(4));
        >> norm(tril(AA, -2)) == 0 && norm(Q*magic(4)*Z - AA) < 1e-12
        ans =
          logical
           1

    See also: schur, qz, eig.
    """
    a = finite(square(x, "hess"), "hess")
    if y is not None:
        b = finite(square(y, "hess"), "hess")
        if a.shape != b.shape:
            raise MatlabError("MATLAB:hess:inputsMustBeSameSize", "A and B must be the same size.")
        return tuple(map(value_of, _pair_in_hessenberg_form(a, b)))[: max(nargout, 1)]
    if nargout > 2:
        raise too_many_outputs()
    reduced, unitary = spectral.of_scipy("hessenberg")(a, calc_q=True) if a.size else (a, a)
    return (value_of(unitary), value_of(reduced)) if nargout > 1 else value_of(reduced)


def _rotation(first: Any, second: Any) -> Matrix:
    """Return the unitary 2x2 matrix that makes the second of two numbers zero."""
    length = np.hypot(abs(first), abs(second))
    if length == 0:
        return np.eye(2)
    c, s = first / length, second / length
    return np.array([[np.conj(c), np.conj(s)], [-s, c]])


def _pair_in_hessenberg_form(a: Matrix, b: Matrix) -> tuple[Matrix, Matrix, Matrix, Matrix]:
    """``(Q*A*Z, Q*B*Z, Q, Z)`` by the rotations of Moler and Stewart."""
    size = a.shape[0]
    q, bb = np.linalg.qr(b.astype(np.result_type(a, b)))
    q = q.conj().T
    aa, z = q @ a, np.eye(size, dtype=q.dtype)
    for j in range(size - 2):
        for i in range(size - 1, j + 1, -1):
            turn = _rotation(aa[i - 1, j], aa[i, j])
            for part in (aa, bb, q):
                part[i - 1 : i + 1] = turn @ part[i - 1 : i + 1]
            aa[i, j] = 0
            # the row rotation filled one element below the diagonal of B: columns clear it
            turn = _rotation(bb[i, i], bb[i, i - 1])[::-1, ::-1].T
            for part in (aa, bb, z):
                part[:, i - 1 : i + 1] = part[:, i - 1 : i + 1] @ turn
            bb[i, i - 1] = 0
    return aa, np.triu(bb), q, z


@builtin("issymmetric", family="linalg/questions", effects="pure")
def issymmetric(x: Any, skew: Any = None) -> Any:
    """Whether a matrix equals its transpose.

    TF = issymmetric(A)
    TF = issymmetric(A, "skew") asks whether A equals -A.'; "nonskew" is the default

    Examples:
        >> issymmetric([1 2; 2 3])
        ans =
          logical
           1

    See also: ishermitian, chol, eig.
    """
    if isinstance(x, SparseArray):
        return sparse_moves.is_equal(x, False, _is_skew(skew, "issymmetric"))
    a = numeric(x, "issymmetric")
    if _is_skew(skew, "issymmetric"):
        return _is_square(a) and bool(np.array_equal(a, _opposite(a.T)))
    return _is_square(a) and bool(np.array_equal(a, a.T))


def _is_skew(value: Any, name: str) -> bool:
    return value is not None and choice(value, ("skew", "nonskew"), name) == "skew"


def _is_square(a: Matrix) -> bool:
    return a.ndim == 2 and a.shape[0] == a.shape[1]


def _opposite(a: Matrix) -> Matrix:
    """Return the elements with the other sign.

    A true one has no opposite, and no sign of its own.
    """
    return np.asarray(-a.astype(np.float64) if a.dtype == np.bool_ else -a)


@builtin("ishermitian", family="linalg/questions", effects="pure")
def ishermitian(x: Any, skew: Any = None) -> Any:
    """Whether a matrix equals its conjugate transpose.

    TF = ishermitian(A)
    TF = ishermitian(A, "skew") asks whether A equals -A'; "nonskew" is the default

    Examples:
        >> ishermitian([1 2i; -2i 3])
        ans =
          logical
           1

    See also: issymmetric, chol, eig.
    """
    if isinstance(x, SparseArray):
        return sparse_moves.is_equal(x, True, _is_skew(skew, "ishermitian"))
    a = numeric(x, "ishermitian")
    if _is_skew(skew, "ishermitian"):
        return _is_square(a) and bool(np.array_equal(a, _opposite(a.conj().T)))
    return a.ndim == 2 and is_hermitian(a)
