"""Singular values, eigenvalues and norms of pages."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runmat_core.accel.capture.boundary import lazy, node_of
from runmat_core.accel.graph.node import Node
from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.fusion import Call
from runmat_core.builtins import composed
from runmat_core.builtins.arguments import floating, option
from runmat_core.builtins.linalg import requests
from runmat_core.builtins.linalg.stacks import all_finite, square_pages, stacked, turned, unstacked
from runmat_core.builtins.linalg.support import Matrix, finite
from runmat_core.builtins.linalg.systems import norm_kind
from runmat_core.builtins.named import choice
from runmat_core.values import (
    DTYPE,
    FLOAT_CLASSES,
    char,
    class_of,
    empty,
    from_numpy,
    is_text,
    rdivide,
    size_of,
    spectral,
    times,
)

_FORMS = ("vector", "matrix")
_BALANCE = ("balance", "nobalance")


def _diagonals(values: Matrix, rows: int, columns: int) -> Matrix:
    """Matrices with the given diagonals."""
    found = np.zeros((*values.shape[:-1], rows, columns), values.dtype)
    at = np.arange(values.shape[-1])
    found[..., at, at] = values
    return found


def _words(options: Sequence[Any], known: Sequence[str], name: str) -> set[str]:
    """Return the words among options; a zero counts as "econ"."""
    return {
        "econ" if "econ" in known and o.__class__ is float and not o else choice(o, known, name)
        for o in options
    }


@builtin(
    "pagesvd",
    family="linalg/pages",
    nargin=(1, 3),
    nargout=3,
    needs=("nargout",),
    effects="pure",
    gpu=Call("svd_pages", requests.pagesvd),
)
def pagesvd(x: Any, *options: Any, nargout: int) -> Any:
    """Singular value decompositions of pages.

    S = pagesvd(X) has a descending column of singular values on each page
    [U, S, V] = pagesvd(X) gives X(:,:,k) = U(:,:,k)*S(:,:,k)*V(:,:,k)'
    … = pagesvd(X, "econ") gives the thin decompositions
    … = pagesvd(…, "vector") or "matrix" chooses the form of S

    Examples:
        >> S = pagesvd(cat(3, [3 0; 0 4], [0 1; 2 0]));
        >> S(:,:)
        ans =
             4     2
             3     1

    See also: svd, pageeig, pagenorm, pagepinv.
    """
    words = _words(options, ("econ", *_FORMS), "pagesvd")
    pages = stacked(finite(floating(x, "pagesvd"), "pagesvd"))
    (m, n), thin = pages.shape[-2:], "econ" in words
    k = min(m, n)
    if nargout < 2:
        s = spectral.svd(pages, compute_uv=False)
    else:
        u, s, vh = spectral.svd(pages, full_matrices=not thin)
    if "matrix" in words or (nargout > 1 and "vector" not in words):
        values = _diagonals(s, *((k, k) if thin else (m, n)))
    else:
        values = s[..., None]
    if nargout < 2:
        return unstacked(values)
    return (unstacked(u), unstacked(values), unstacked(turned(vh)))[:nargout]


@builtin(
    "pageeig",
    family="linalg/pages",
    nargin=(1, 3),
    nargout=3,
    needs=("nargout",),
    effects="pure",
    gpu=Call("eig_pages", requests.pageeig),
)
def pageeig(x: Any, *options: Any, nargout: int) -> Any:
    """Eigenvalues and eigenvectors of pages.

    D = pageeig(X) has a column of eigenvalues on each page, ascending for Hermitian pages
    [V, D] = pageeig(X) gives X(:,:,k)*V(:,:,k) = V(:,:,k)*D(:,:,k)
    [V, D, W] = pageeig(X) gives left eigenvectors, too: W(:,:,k)'*X(:,:,k) = D(:,:,k)*W(:,:,k)'
    … = pageeig(X, "nobalance") does not balance pages first
    … = pageeig(…, "vector") or "matrix" chooses the form of D

    Examples:
        >> D = pageeig(cat(3, [2 1; 1 2], [5 0; 0 4]));
        >> D(:,:)
        ans =
             1     4
             3     5

    See also: eig, pagesvd, pagemtimes.
    """
    words = _words(options, (*_BALANCE, *_FORMS), "pageeig")
    a = finite(square_pages(floating(x, "pageeig"), "pageeig"), "pageeig")
    pages = stacked(a)
    outer, n = pages.shape[:-2], a.shape[0]
    flat = pages.reshape(math.prod(outer), n, n)
    d, v, w = _spectra(flat, nargout, "nobalance" not in words)
    d = d.reshape(*outer, n)
    as_matrix = "matrix" in words or (nargout > 1 and "vector" not in words)
    values = unstacked(_diagonals(d, n, n) if as_matrix else d[..., None])
    if nargout < 2:
        return values
    vectors = [unstacked(m.reshape(*outer, n, n)) for m in (v, w)[: nargout - 1]]
    return (vectors[0], values, *vectors[1:])


def _spectra(pages: Matrix, nargout: int, balance: bool) -> tuple[Matrix, Matrix, Matrix]:
    """Eigenvalues, and right and left eigenvectors as far as outputs need them."""
    hermitian = (pages == turned(pages)).all(axis=(-2, -1))
    kind = pages.dtype if hermitian.all() else np.result_type(pages.dtype, np.complex64)
    d = np.zeros(pages.shape[:-1], kind)
    v, w = np.zeros(pages.shape, kind), np.zeros(pages.shape, kind)
    if nargout > 1:
        d[hermitian], v[hermitian] = spectral.eigh(pages[hermitian])
        w[hermitian] = v[hermitian]
    else:
        d[hermitian] = spectral.eigvalsh(pages[hermitian])
    others = np.flatnonzero(~hermitian)
    if not others.size:
        return d, v, w
    if balance and nargout < 2:
        d[others] = spectral.eigvals(pages[others])
    elif balance and nargout == 2:
        d[others], v[others] = spectral.eig(pages[others])
    else:
        for k in others:
            # that of a pencil with the identity is not balanced
            beside = () if balance else (np.eye(pages.shape[-1], dtype=pages.dtype),)
            d[k], w[k], v[k] = spectral.of_scipy("eig")(pages[k], *beside, left=True, right=True)
    return d, v, w


def _norms_by_others(x: Any, p: Any = 2.0, **_: Any) -> Any:
    """Norms that are sums and extremes, by operations that fuse; the largest number scales."""
    graph = lazy(x)
    node = None if graph is None else node_of(graph, x)
    if not isinstance(node, Node) or node.cls not in FLOAT_CLASSES or 0 in node.shape:
        return NotImplemented
    kind = (option(p) or p) if is_text(p) or p.__class__ is float else None
    size, both = composed.call("abs", x), from_numpy(np.array([[1.0, 2.0]]))
    if 1 in size_of(x)[:2]:
        if kind not in (1.0, 2.0, "fro"):
            return NotImplemented
    elif kind in (1.0, np.inf, "inf"):
        along, across = (1.0, 2.0) if kind == 1.0 else (2.0, 1.0)
        sums = composed.call("sum", size, along)
        return composed.call("max", sums, empty(), across, char("includenan"))
    elif kind != "fro":
        return NotImplemented
    if kind == 1.0:
        return composed.call("sum", size, both)
    found = np.finfo(DTYPE[class_of(x)])
    most = composed.call("max", size, empty(), both)
    scale = composed.call("min", composed.call("max", most, float(found.tiny)), float(found.max))
    parts = rdivide(size, scale)
    return times(scale, composed.call("sqrt", composed.call("sum", times(parts, parts), both)))


@builtin(
    "pagenorm",
    family="linalg/pages",
    effects="pure",
    gpu=Call("svd_pages", requests.pagenorm, instead=_norms_by_others),
)
def pagenorm(x: Any, p: Any = None) -> Any:
    """Norms of pages.

    N = pagenorm(X) has the 2-norms norm(X(:,:,k)) as its pages
    N = pagenorm(X, P) with P 1, 2, Inf or "fro"; of pages that are vectors, any number

    Examples:
        >> N = pagenorm(cat(3, [3 0; 0 4], [0 5; 0 0]));
        >> N(:)'
        ans =
             4     5
        >> pagenorm([3 4], 1)
        ans =
             7

    See also: norm, vecnorm, pagesvd.
    """
    a = floating(x, "pagenorm")
    kind = 2.0 if p is None else norm_kind(p)
    pages = stacked(a)
    shape = (*pages.shape[:-2], 1, 1)
    if 0 in a.shape[:2]:
        return unstacked(np.zeros(shape, a.real.dtype))
    with np.errstate(all="ignore"):
        if 1 in a.shape[:2]:
            found = _of_vectors(pages.reshape(*pages.shape[:-2], -1), kind)
        else:
            found = _of_matrices(pages, kind)
    unknown = np.isnan(pages).any(axis=(-2, -1))
    found = np.where(unknown, np.nan, found).astype(a.real.dtype)
    return unstacked(found.reshape(shape))


def _of_vectors(v: Matrix, kind: float | str) -> Matrix:
    """Norms along the last axis."""
    size = np.abs(v)
    simple: dict[float | str, Callable[[Matrix], Any]] = {
        np.inf: lambda s: s.max(axis=-1),
        -np.inf: lambda s: s.min(axis=-1),
        1.0: lambda s: s.sum(axis=-1),
    }
    if kind in simple:
        return np.asarray(simple[kind](size))
    if kind in (2.0, "fro"):
        largest = size.max(axis=-1)
        # scaled only where squares would overflow or vanish
        limit = np.sqrt(np.finfo(size.dtype).max) / 2**20
        extreme = (largest > limit) | (largest < 1 / limit)
        scale = np.where(extreme & (largest > 0) & np.isfinite(largest), largest, 1)
        scale = scale.astype(size.dtype)
        return np.asarray(np.sqrt(((size / scale[..., None]) ** 2).sum(axis=-1)) * scale)
    power = float(kind)
    return np.asarray((size**power).sum(axis=-1) ** (1 / power if power else np.inf))


def _of_matrices(pages: Matrix, kind: float | str) -> Matrix:
    if kind == "fro":
        return _of_vectors(pages.reshape(*pages.shape[:-2], -1), 2.0)
    if kind == 1.0:
        return np.asarray(np.abs(pages).sum(axis=-2).max(axis=-1))
    if kind == np.inf:
        return np.asarray(np.abs(pages).sum(axis=-1).max(axis=-1))
    if kind == 2.0:
        known = all_finite(pages)
        s = spectral.svd(np.where(known[..., None, None], pages, 0), compute_uv=False)
        return np.where(known, s[..., 0], np.inf)
    raise MatlabError(
        "MATLAB:norm:unknownNorm", "The only matrix norms available are 1, 2, inf, and 'fro'."
    )
