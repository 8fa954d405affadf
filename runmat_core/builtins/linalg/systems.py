"""Linear systems: inverses, determinants, ranks, norms, condition."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.fusion import Call
from runmat_core.api.fusion import Reduction as Fused
from runmat_core.builtins import composed
from runmat_core.builtins.arguments import (
    dimension,
    first_axis,
    floating,
    numeric,
    option,
    scalar,
)
from runmat_core.builtins.arrays import fused
from runmat_core.builtins.linalg import requests
from runmat_core.builtins.linalg.support import (
    Matrix,
    finite,
    length_of,
    matrix,
    square,
    value_of,
)
from runmat_core.values import (
    Array,
    ObjectValue,
    field,
    from_numpy,
    lapack,
    mldivide,
    size_of,
    spectral,
    to_numpy,
    truth,
)
from runmat_core.values.base import Value
from runmat_core.values.classes import DOUBLE, silent
from runmat_core.values.dispatch import divide
from runmat_core.values.notices import warn_singular, warnings_to
from runmat_core.values.solve import EPSILON, norm_1
from runmat_core.values.sparse import SparseArray


def _rcond(a: Matrix) -> float:
    """Reciprocal condition in the 1-norm."""
    if a.size == 0:
        return float("inf")
    if not np.isfinite(a).all():
        return float("nan")
    try:
        inverse = lapack.inv(a)
    except np.linalg.LinAlgError:
        return 0.0
    return _rcond_of(norm_1(a), inverse)


def _rcond_of(norm: float, inverse: Matrix) -> float:
    return divide(1.0, norm * norm_1(inverse))


@builtin("inv", family="linalg/systems", effects="pure", gpu=Call("inv", requests.inv))
def inv(x: Any) -> Any:
    """Inverse of a square matrix; A\\B is faster and more accurate than inv(A)*B.

    Y = inv(A)

    A singular matrix gives a warning and Inf.

    Examples:
        >> inv([2 0; 0 4])
        ans =
            0.5000         0
                 0    0.2500

    See also: pinv, mldivide, det, rcond.
    """
    if isinstance(x, SparseArray):
        return SparseArray.from_dense(to_numpy(inv(from_numpy(to_numpy(x)))))
    a = square(x, "inv")
    if a.size == 0:
        return from_numpy(a)
    try:
        inverse = lapack.inv(a)
        norm = norm_1(a)
        known = norm - norm == 0 or np.isfinite(a).all()
        condition = _rcond_of(norm, inverse) if known else np.nan
    except np.linalg.LinAlgError:
        inverse, condition = a, 0.0
    if not condition >= EPSILON[a.dtype.char]:
        warn_singular(condition)
    if not condition > 0:
        return from_numpy(np.full(a.shape, np.inf if condition == 0 else np.nan, a.real.dtype))
    return value_of(inverse)


@builtin("pinv", family="linalg/systems", effects="pure")
def pinv(x: Any, tolerance: Any = None) -> Any:
    """Moore-Penrose pseudoinverse.

    B = pinv(A), B = pinv(A, TOL) takes singular values below TOL as zero

    Examples:
        >> pinv([1; 1])
        ans =
            0.5000    0.5000

    See also: inv, svd, rank, mldivide.
    """
    a = finite(matrix(x, "pinv"), "pinv")
    if a.size == 0:
        return from_numpy(a.T)
    u, s, vh = spectral.svd(a, full_matrices=False)
    limit = max(a.shape) * np.spacing(s.max()) if tolerance is None else scalar(tolerance)
    kept = s > max(limit, 0.0)
    return value_of((vh[kept].conj().T / s[kept]) @ u[:, kept].conj().T)


@builtin("det", family="linalg/systems", effects="pure", gpu=Call("det", requests.det))
def det(x: Any) -> Any:
    """Determinant.

    D = det(A)

    Examples:
        >> det([2 0; 1 3])
        ans =
             6

    See also: inv, rcond, lu, rank.
    """
    a = square(x, "det")
    if a.size == 0:
        return 1.0
    with silent():
        found = lapack.det(a)
    return found.item() if a.dtype is DOUBLE else value_of(np.asarray(found).reshape(1, 1))


@builtin("rank", family="linalg/systems", effects="pure")
def rank(x: Any, tolerance: Any = None) -> Any:
    """Rank of a matrix: the number of singular values above a tolerance.

    K = rank(A), K = rank(A, TOL); K = rank(D) of a decomposition of type "qr" or "cod"

    Examples:
        >> rank([1 2; 2 4])
        ans =
             1

    See also: svd, null, orth, det.
    """
    if isinstance(x, ObjectValue) and (own := x.method("rank")) is not None:
        return own(1)
    a = finite(matrix(x, "rank"), "rank")
    if a.size == 0:
        return 0.0
    s = spectral.svd(a, compute_uv=False)
    limit = max(a.shape) * np.spacing(s.max()) if tolerance is None else scalar(tolerance)
    return float((s > limit).sum())


@builtin("trace", family="linalg/systems", effects="pure", pending="view")
def trace(x: Any) -> Any:
    """Sum of the diagonal elements.

    B = trace(A)

    Examples:
        >> trace([1 2; 3 4])
        ans =
             5

    See also: det, diag, eig.
    """
    a = x.data if isinstance(x, SparseArray) else numeric(x, "trace")
    if a.ndim != 2 or a.shape[0] != a.shape[1]:
        raise MatlabError("MATLAB:trace:square", "Matrix must be square.")
    return value_of(np.asarray(a.diagonal().sum()).reshape(1, 1).astype(np.result_type(a, 0.0)))


@builtin(
    "norm",
    family="linalg/systems",
    effects="pure",
    fusion=Fused(fused.norm, "norm", of_complex="part"),
)
def norm(x: Any, p: Any = None) -> Any:
    """Norm of a vector or matrix.

    N = norm(V) is the Euclidean length, N = norm(V, P) the P-norm; P may be Inf, -Inf or "fro"
    N = norm(A) is the largest singular value, N = norm(A, P) with P 1, 2, Inf or "fro", which may
    have more than two dimensions

    Examples:
        >> norm([3 4])
        ans =
             5
        >> norm([1 2; 3 4], 1)
        ans =
             6

    See also: vecnorm, hypot, cond, svd.
    """
    if p is None and x.__class__ is Array:
        length = length_of(x.data)
        if length is not None:
            return length
    kind = norm_kind(p)
    if kind == "fro" and len(size_of(x)) > 2:
        x = from_numpy(to_numpy(x).reshape(-1, 1))
    if isinstance(x, SparseArray) and 1 not in x.shape and kind != 2.0:
        return _sparse_norm(x.data, kind)
    a = matrix(x, "norm")
    if a.size == 0:
        return 0.0
    if np.isnan(a).any():
        return from_numpy(np.asarray(np.nan, a.real.dtype))
    with silent():
        result = _vector_norm(a.ravel(), kind) if 1 in a.shape else _matrix_norm(a, kind)
    return from_numpy(np.asarray(result, dtype=a.real.dtype))


def _sparse_norm(a: Any, kind: float | str) -> float:
    """Return a norm of the nonzero elements of a scipy matrix, which is not made full."""
    size = abs(a)
    if np.isnan(size.data).any():
        return float("nan")
    if kind == "fro":
        return float(_vector_norm(size.data, 2.0)) if size.nnz else 0.0
    if kind not in (1.0, np.inf):
        raise _unknown_norm()
    return float(size.sum(axis=int(kind == np.inf)).max(initial=0.0))


def _unknown_norm() -> MatlabError:
    return MatlabError(
        "MATLAB:norm:unknownNorm", "The only matrix norms available are 1, 2, inf, and 'fro'."
    )


def norm_kind(p: Any) -> float | str:
    """Which norm an argument asks for.

    Raises:
        MatlabError: MATLAB:norm:unknownNorm.
    """
    if p is None:
        return 2.0
    word = option(p)
    if word is None:
        return scalar(p, "Norm type")
    kinds: dict[str, float | str] = {"fro": "fro", "inf": np.inf, "-inf": -np.inf}
    if word not in kinds:
        raise _unknown_norm()
    return kinds[word]


def _vector_norm(v: Matrix, kind: float | str) -> Any:
    size = np.abs(v)
    if kind in (2.0, "fro"):
        largest = size.max()
        if not 0 < largest < np.inf:
            return largest
        # scaled only where squares would overflow or vanish
        beyond = 1e15 if size.dtype == np.float32 else 1e150
        extreme = largest > beyond or largest < 1 / beyond
        scaled = size / largest if extreme else size
        return np.sqrt(scaled @ scaled) * (largest if extreme else 1)
    if kind == np.inf:
        return size.max()
    if kind == -np.inf:
        return size.min()
    if kind == 1.0:
        return size.sum()
    return (size**kind).sum() ** (1 / float(kind) if kind else np.inf)


def _matrix_norm(a: Matrix, kind: float | str) -> Any:
    if kind == "fro":
        return _vector_norm(a.ravel(), 2.0)
    if kind == 1.0:
        return np.abs(a).sum(axis=0).max()
    if kind == np.inf:
        return np.abs(a).sum(axis=1).max()
    if kind == 2.0:
        return np.inf if np.isinf(a).any() else spectral.svd(a, compute_uv=False)[0]
    raise _unknown_norm()


@builtin("vecnorm", family="linalg/systems", effects="pure", pending="keep", captures="operator")
@composed.composed("composed_statistics.vecnorm")
def vecnorm(x: Any, p: Any = 2.0, dim: Any = None) -> Any:
    """Norms of the vectors along a dimension.

    N = vecnorm(A), N = vecnorm(A, P), N = vecnorm(A, P, DIM)

    Examples:
        >> vecnorm([3 1; 4 0])
        ans =
             5     1

    See also: norm, hypot.
    """
    a = floating(x, "vecnorm")
    kind = norm_kind(p)
    axis = first_axis(a.shape) if dim is None else dimension(dim)
    size = np.abs(a)
    if axis >= a.ndim:
        return from_numpy(size)
    if kind == np.inf:
        return from_numpy(size.max(axis=axis, keepdims=True, initial=0.0))
    if kind in (2.0, "fro"):
        return from_numpy(np.sqrt((size**2).sum(axis=axis, keepdims=True)))
    with silent():
        total = (size ** float(kind)).sum(axis=axis, keepdims=True)
        return from_numpy(total ** (1 / float(kind) if kind else np.inf))


@builtin("cond", family="linalg/systems", effects="pure")
def cond(x: Any, p: Any = 2.0) -> Any:
    """Condition number for inversion.

    C = cond(A) is the ratio of the extreme singular values
    C = cond(A, P) with P 1, 2, Inf or "fro" is norm(A, P)*norm(inv(A), P)

    Examples:
        >> cond([2 0; 0 1])
        ans =
             2

    See also: rcond, norm, svd.
    """
    a, kind = matrix(x, "cond"), norm_kind(p)
    if a.size == 0:
        return 0.0
    with silent():
        if kind == 2.0:
            s = spectral.svd(finite(a, "cond"), compute_uv=False)
            return from_numpy(np.asarray(s[0] / s[-1] if s[-1] else np.inf, dtype=s.dtype))
        reciprocal = _rcond(square(x, "cond"))
        if not reciprocal > 0:
            return float("nan") if reciprocal != reciprocal else float("inf")
        inverse = lapack.inv(a)
        return from_numpy(np.asarray(_matrix_norm(a, kind) * _matrix_norm(inverse, kind)))


@builtin("rcond", family="linalg/systems", effects="pure")
def rcond(x: Any) -> Any:
    """Reciprocal condition estimate in the 1-norm: near 1 for good, near 0 for bad matrices.

    C = rcond(A); C = rcond(D) of a decomposition

    Examples:
        >> rcond(eye(3))
        ans =
             1

    See also: cond, inv, mldivide.
    """
    if isinstance(x, ObjectValue) and (own := x.method("rcond")) is not None:
        return own(1)
    return _rcond(square(x, "rcond"))


@builtin("linsolve", family="linalg/systems", nargout=2, needs=("nargout",))
def linsolve(a: Any, b: Any, opts: Any = None, *, nargout: int) -> Any:
    """Solution of A*X = B.

    X = linsolve(A, B)
    [X, R] = linsolve(…) gives the reciprocal condition of A, its rank where A is not square, and
    no warning
    X = linsolve(A, B, OPTS) with the fields LT, UT, TRANSA … of OPTS true or false

    Examples:
        >> linsolve([2 0; 0 4], [2; 4])
        ans =
             1
             1

    See also: mldivide, inv, lu.
    """
    if nargout > 1:
        found = matrix(a, "linsolve")
        with warnings_to(lambda identifier, message: None):
            x = linsolve(a, b, opts, nargout=1)
        is_square = found.shape[0] == found.shape[1]
        if is_square:
            return x, _rcond(found)
        return x, float(np.linalg.matrix_rank(found)) if np.isfinite(found).all() else np.nan
    if opts is None:
        return mldivide(a, b)
    chosen = {name: _flag(opts, name) for name in ("LT", "UT", "TRANSA")}
    if not chosen["LT"] and not chosen["UT"]:
        return mldivide(value_of(to_numpy(a).conj().T) if chosen["TRANSA"] else a, b)
    with silent():
        x = lapack.solve_triangle(
            matrix(a, "linsolve"),
            matrix(b, "linsolve"),
            lower=chosen["LT"],
            trans=2 if chosen["TRANSA"] else 0,
        )
    return value_of(x)


def _flag(opts: Value, name: str) -> bool:
    try:
        return truth(field(opts, name))
    except MatlabError:
        return False
