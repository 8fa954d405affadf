"""Stacks of matrices: pages first, as NumPy takes them, and what page functions compute of them.

What a page gives is what the function of a single matrix gives, but for rounding and warnings: page
functions give none. Pages are computed together; only those that are singular, of deficient rank or
not finite are looked at one by one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runmat_core.api.errors import MatlabError
from runmat_core.builtins.lift import compatible_shapes
from runmat_core.builtins.linalg.support import Matrix, value_of
from runmat_core.values import spectral
from runmat_core.values.lapack import pivoted_qr, solve_triangle
from runmat_core.values.notices import warnings_to
from runmat_core.values.solve import solve

#: Times the precision, the condition from which on the rank of a page is looked at by itself.
DOUBT = 100
#: What page functions may do with a page before they take it.
TURNS = ("none", "transpose", "ctranspose")


def as_taken(a: Matrix, how: str) -> Matrix:
    """Return an array with its pages turned as one of `TURNS` says."""
    if how == "none":
        return a
    swapped = np.swapaxes(a, 0, 1)
    return swapped.conj() if how == "ctranspose" else swapped


def stacked(a: Matrix) -> Matrix:
    """Pages first: a view with the extents of the pages, then rows and columns."""
    return np.moveaxis(a, (0, 1), (-2, -1))


def unstacked(stack: Matrix) -> Any:
    """Return the value whose pages a stack has."""
    return value_of(np.asarray(np.moveaxis(stack, (-2, -1), (0, 1))))


def together(*arrays: Matrix) -> list[Matrix]:
    """Stacks of arrays whose pages go together, ready to broadcast.

    Raises:
        MatlabError: MATLAB:sizeDimensionsMustMatch.
    """
    outer, _ = compatible_shapes([(*a.shape[2:], 1) for a in arrays])
    return [
        stacked(a.reshape(a.shape[:2] + shape, order="F"))
        for a, shape in zip(arrays, outer, strict=True)
    ]


def broadcast(*stacks: Matrix) -> list[Matrix]:
    """Return the stacks with pages repeated, so that all have as many."""
    outer = np.broadcast_shapes(*(s.shape[:-2] for s in stacks))
    return [np.broadcast_to(s, outer + s.shape[-2:]) for s in stacks]


def same_precision(*arrays: Matrix) -> list[Matrix]:
    """Arrays of one precision: single if one of them is."""
    if any(a.dtype.char in "fF" for a in arrays):
        return [a.astype(np.complex64 if a.dtype.kind == "c" else np.float32) for a in arrays]
    return list(arrays)


def square_pages(a: Matrix, name: str) -> Matrix:
    """Return `a`, or an error where its pages are not square."""
    if a.shape[0] != a.shape[1]:
        raise MatlabError(f"MATLAB:{name}:inputMustBeSquare", "Pages must be square.")
    return a


def turned(a: Matrix) -> Matrix:
    """Return the conjugate transposes of the matrices of a stack."""
    return np.swapaxes(a, -2, -1).conj()


def all_finite(a: Matrix) -> Matrix:
    """Whether all elements are finite, for each matrix of a stack."""
    return np.asarray(np.isfinite(a).all(axis=(-2, -1)))


def apart(rule: Callable[..., Matrix], alone: Callable[..., Matrix], *stacks: Matrix) -> Matrix:
    """`rule` of stacks with one axis of pages; `alone` of the pages that LAPACK calls singular.

    Stacks in which there is such a page are halved until it stands alone.
    """
    try:
        return rule(*stacks)
    except np.linalg.LinAlgError:
        count = len(stacks[0])
        if count == 1:
            return alone(*(s[0] for s in stacks))[None]
        halves = [s[: count // 2] for s in stacks], [s[count // 2 :] for s in stacks]
        return np.concatenate([apart(rule, alone, *half) for half in halves])


def _flat(*stacks: Matrix) -> list[Matrix]:
    """Return the stacks with a single axis of pages."""
    return [s.reshape(-1, *s.shape[-2:]) for s in stacks]


def inverses(a: Matrix) -> tuple[Matrix, Matrix]:
    """Inverses, Inf or NaN where there is none, and reciprocal conditions in the 1-norm."""
    shape, n = a.shape, a.shape[-1]
    if not a.size:
        return a, np.full((*shape[:-2], 1, 1), np.inf, a.real.dtype)
    finite = all_finite(a)[..., None, None]
    with np.errstate(all="ignore"):
        (flat,) = _flat(np.where(finite, a, np.eye(n, dtype=a.dtype)))
        found = apart(np.linalg.inv, lambda page: np.full_like(page, np.inf), flat).reshape(shape)
        norms = [np.abs(x).sum(axis=-2).max(axis=-1)[..., None, None] for x in (a, found)]
        condition = np.where(finite, 1 / (norms[0] * norms[1]), np.nan).astype(a.real.dtype)
        # a zero matrix and the Inf of its inverse have the condition of a singular one
        condition = np.where(finite & np.isnan(condition), 0, condition)
        bad = np.where(condition == 0, np.inf, np.nan).astype(a.dtype)
    return np.where(condition > 0, found, bad), condition


def quotients(a: Matrix, b: Matrix) -> Matrix:
    """X with ``A X = B`` for the matrices of stacks, as ``\\`` finds it.

    Raises:
        MatlabError: MATLAB:dimagree.
    """
    if a.shape[-2:] == (1, 1):
        with np.errstate(all="ignore"):
            return np.asarray(b / a)
    if a.shape[-2] != b.shape[-2]:
        raise MatlabError("MATLAB:dimagree", "Matrix dimensions must agree.")
    m, n = a.shape[-2:]
    a, b = broadcast(a, b)
    shape = (*a.shape[:-2], n, b.shape[-1])
    if 0 in shape or not a.size:
        return np.zeros(shape, np.result_type(a, b))
    left, right = _flat(a, b)
    if m == n:
        found = _of_square(left, right)
    elif m > n:
        found = _least_squares(left, right, _silent)
    else:
        found = np.stack([_silent(x, y) for x, y in zip(left, right, strict=True)])
    return found.reshape(shape)


def _silent(a: Matrix, b: Matrix) -> Matrix:
    """Return ``a \\ b`` without the warnings."""
    with warnings_to(lambda identifier, message: None):
        return solve(a, b)


def _of_square(a: Matrix, b: Matrix) -> Matrix:
    finite = all_finite(a)
    safe = np.where(finite[:, None, None], a, np.eye(a.shape[-1], dtype=a.dtype))
    with np.errstate(all="ignore"):
        found = apart(np.linalg.solve, _silent, safe, b)
    for k in np.flatnonzero(~finite):
        found[k] = _silent(a[k], b[k])
    return found


def _least_squares(a: Matrix, b: Matrix, alone: Callable[[Matrix, Matrix], Matrix]) -> Matrix:
    """Least squares of tall pages by QR; `alone` of pages whose rank may be deficient."""
    sound = all_finite(a) & all_finite(b)
    q, r = np.linalg.qr(np.where(sound[:, None, None], a, np.eye(*a.shape[-2:], dtype=a.dtype)))
    sound &= full_rank(r, max(a.shape[-2:]))
    r = np.where(sound[:, None, None], r, np.eye(r.shape[-1], dtype=r.dtype))
    with np.errstate(all="ignore"):
        found = np.asarray(np.linalg.solve(r, turned(q) @ b))
    for k in np.flatnonzero(~sound):
        found[k] = alone(a[k], b[k])
    return found


def full_rank(a: Matrix, extent: int) -> Matrix:
    """Whether each matrix of a stack has full rank beyond doubt."""
    s = spectral.svd(a, compute_uv=False)
    return np.asarray(s[..., -1] > DOUBT * extent * np.finfo(s.dtype).eps * s[..., 0])


def conditions(a: Matrix) -> Matrix:
    """Reciprocal conditions in the 1-norm; of rectangular matrices, of their triangular factors."""
    m, n = a.shape[-2:]
    if m != n and a.size:
        finite = all_finite(a)[..., None, None]
        tall = np.where(finite, a, 0)
        triangle = np.linalg.qr(tall if m > n else turned(tall)).R
        a = np.where(finite, triangle, np.nan)
    return inverses(a)[1]


def minimum_norms(a: Matrix, b: Matrix, tolerance: Matrix | None) -> Matrix:
    """Least-squares solutions of least norm for the matrices of stacks.

    Args:
        tolerance: what counts as zero on the diagonal of the triangular factor, for each page; by
            default a multiple of the precision.
    """
    m, n = a.shape[-2:]
    a, b = broadcast(a, b)
    shape = (*a.shape[:-2], n, b.shape[-1])
    if 0 in shape or not a.size:
        return np.zeros(shape, np.result_type(a, b))
    left, right = _flat(a, b)
    if tolerance is not None:
        limits = np.broadcast_to(tolerance, (*a.shape[:-2], 1, 1)).ravel()
        pages = zip(left, right, limits, strict=True)
        return np.stack([_minimum_norm(x, y, float(t)) for x, y, t in pages]).reshape(shape)
    if m >= n:
        return _least_squares(left, right, _minimum_norm).reshape(shape)
    return np.stack([_minimum_norm(x, y) for x, y in zip(left, right, strict=True)]).reshape(shape)


def _minimum_norm(a: Matrix, b: Matrix, limit: float | None = None) -> Matrix:
    """By the complete orthogonal decomposition of `a`."""
    kind = np.result_type(a, b)
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        return np.full((a.shape[1], b.shape[1]), np.nan, kind)
    q, r, order = pivoted_qr(a, economic=True)
    size = np.abs(r.diagonal())
    if limit is None:
        limit = max(a.shape) * float(np.spacing(size.max()))
    rank = int((size > limit).sum())
    found = np.zeros((a.shape[1], b.shape[1]), kind)
    if rank:
        z, t = np.linalg.qr(r[:rank].conj().T)
        projected = q[:, :rank].conj().T @ b
        found[order] = z @ solve_triangle(t, projected, trans=2)
    return found
