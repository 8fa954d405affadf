"""Systems of equations given by pages: inverses, quotients, least squares.

As MATLAB's page functions do, these give no warnings of singular pages; the second output tells.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from runmat_core.accel.capture.boundary import lazy, node_of
from runmat_core.accel.graph.node import Node
from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.fusion import Call
from runmat_core.builtins import composed
from runmat_core.builtins.arguments import floating, option, real
from runmat_core.builtins.library_calls import call_rule
from runmat_core.builtins.linalg import requests
from runmat_core.builtins.linalg.stacks import (
    TURNS,
    as_taken,
    conditions,
    inverses,
    minimum_norms,
    quotients,
    same_precision,
    square_pages,
    stacked,
    together,
    turned,
    unstacked,
)
from runmat_core.builtins.linalg.support import Matrix, finite
from runmat_core.builtins.named import choice, pairs, positional
from runmat_core.values import spectral


@builtin(
    "pageinv",
    family="linalg/pages",
    nargout=2,
    needs=("nargout",),
    effects="pure",
    gpu=Call("inv_pages", requests.pageinv),
)
def pageinv(x: Any, *, nargout: int) -> Any:
    """Inverses of pages.

    Y = pageinv(X) has the pages inv(X(:,:,k))
    [Y, RC] = pageinv(X) gives their reciprocal conditions in the 1-norm, too

    Singular pages give Inf. There is no warning: RC is below eps where a page is close to singular.

    Examples:
        >> Y = pageinv(cat(3, 2, 4));
        >> Y(:)'
        ans =
            0.5000    0.2500
        >> [~, RC] = pageinv(cat(3, [1 0; 0 4], [1 2; 2 4]));
        >> RC(:)'
        ans =
            0.2500         0

    See also: inv, pagepinv, pagemldivide, pagemtimes.
    """
    found, condition = inverses(stacked(square_pages(floating(x, "pageinv"), "pageinv")))
    return (unstacked(found), unstacked(condition)) if nargout > 1 else unstacked(found)


def _left_by_others(*args: Any, nargout: int) -> Any:
    """Quotients of turned and of tall pages by other captured operations."""
    graph = lazy(*args)
    if graph is None or nargout > 1 or not _are_real(graph, args[0], args[-1]):
        return NotImplemented
    if len(args) == 2:
        return _tall()(graph, args, nargout)
    turn = _TURN.get(option(args[1]) or "")
    if turn is None:
        return NotImplemented
    return composed.call("pagemldivide", turn(args[0]), args[2])


def _right_by_others(*args: Any, nargout: int) -> Any:
    """Quotients from the right, which are those from the left with all pages turned."""
    graph = lazy(*args)
    how = option(args[2]) if len(args) > 2 else "none"
    if graph is None or nargout > 1 or how not in _TURN or not _are_real(graph, *args[:2]):
        return NotImplemented
    b, a = _transposed(args[0]), args[1] if how != "none" else _transposed(args[1])
    return _transposed(composed.call("pagemldivide", a, b))


def _are_real(graph: Any, *values: Any) -> bool:
    return all(isinstance(node_of(graph, value), Node) for value in values)


def _transposed(value: Any) -> Any:
    return composed.call("pagetranspose", value)


#: What the words of quotients do with real pages.
_TURN: dict[str, Callable[[Any], Any]] = {
    "none": lambda value: value,
    "transpose": _transposed,
    "ctranspose": _transposed,
}


@cache
def _tall() -> Callable[..., Any]:
    return call_rule(Call("lstsq_pages", requests.tall_pages), pagemldivide)


@builtin(
    "pagemldivide",
    family="linalg/pages",
    nargin=(2, 3),
    nargout=2,
    needs=("nargout",),
    effects="pure",
    gpu=Call("solve_pages", requests.pagemldivide, instead=_left_by_others),
)
def pagemldivide(*args: Any, nargout: int) -> Any:
    """Solutions of systems given by pages.

    X = pagemldivide(A, B) has the pages A(:,:,k)\\B(:,:,k)
    X = pagemldivide(A, TA, B) with TA "none", "transpose" or "ctranspose"
    [X, RC] = pagemldivide(…) gives the reciprocal conditions of the pages of A, too

    Dimensions from the third on must agree or be 1. There is no warning of singular pages.

    Examples:
        >> X = pagemldivide(cat(3, [2 0; 0 4], [1 1; 0 1]), [2; 4]);
        >> X(:,:)
        ans =
             1    -2
             1     4

    See also: mldivide, pagemrdivide, pageinv, pagelsqminnorm.
    """
    how = choice(args[1], TURNS, "pagemldivide") if len(args) == 3 else "none"
    a, b = same_precision(floating(args[0], "pagemldivide"), floating(args[-1], "pagemldivide"))
    a = as_taken(a, how)
    solution = unstacked(quotients(*together(a, b)))
    return (solution, unstacked(conditions(stacked(a)))) if nargout > 1 else solution


@builtin(
    "pagemrdivide",
    family="linalg/pages",
    nargin=(2, 3),
    nargout=2,
    needs=("nargout",),
    effects="pure",
    gpu=Call("solve_pages", lambda *args, nargout: None, instead=_right_by_others),
)
def pagemrdivide(*args: Any, nargout: int) -> Any:
    """Solutions of systems given by pages, from the right.

    X = pagemrdivide(B, A) has the pages B(:,:,k)/A(:,:,k)
    X = pagemrdivide(B, A, TA) with TA "none", "transpose" or "ctranspose"
    [X, RC] = pagemrdivide(…) gives the reciprocal conditions of the pages of A, too

    Dimensions from the third on must agree or be 1. There is no warning of singular pages.

    Examples:
        >> X = pagemrdivide(8, cat(3, 2, 4));
        >> X(:)'
        ans =
             4     2

    See also: mrdivide, pagemldivide, pageinv.
    """
    how = choice(args[2], TURNS, "pagemrdivide") if len(args) == 3 else "none"
    b, a = same_precision(floating(args[0], "pagemrdivide"), floating(args[1], "pagemrdivide"))
    a = as_taken(a, how)
    left, right = together(a, b)
    solution = unstacked(turned(quotients(turned(left), turned(right))))
    return (solution, unstacked(conditions(stacked(a)))) if nargout > 1 else solution


@builtin("pagepinv", family="linalg/pages", effects="pure")
def pagepinv(x: Any, tolerance: Any = None) -> Any:
    """Moore-Penrose pseudoinverses of pages.

    B = pagepinv(A) has the pages pinv(A(:,:,k))
    B = pagepinv(A, TOL) takes singular values up to TOL as zero, a number or one for each page

    Examples:
        >> B = pagepinv(cat(3, [1; 1], [0; 2]));
        >> B(:,:)
        ans =
            0.5000    0.5000         0    0.5000

    See also: pinv, pageinv, pagesvd, pagelsqminnorm.
    """
    a = finite(floating(x, "pagepinv"), "pagepinv")
    given = _of_pages(tolerance, a, "pagepinv", "InvalidTolerance")
    pages = stacked(a)
    if not a.size:
        return unstacked(np.swapaxes(pages, -2, -1))
    u, s, vh = spectral.svd(pages, full_matrices=False)
    if given is None:
        limit = max(a.shape[:2]) * np.spacing(s.max(axis=-1))[..., None, None]
    else:
        limit = stacked(given)
    kept = s > limit[..., 0]
    with np.errstate(all="ignore"):
        factors = np.where(kept, 1 / s, s.dtype.type(0))
    return unstacked((turned(vh) * factors[..., None, :]) @ turned(u))


@builtin("pagelsqminnorm", family="linalg/pages", nargin=(2, 5), effects="pure")
def pagelsqminnorm(a: Any, b: Any, *options: Any) -> Any:
    """Least-squares solutions of least norm, of systems given by pages.

    X = pagelsqminnorm(A, B) minimises norm(A(:,:,k)*X(:,:,k) - B(:,:,k)), and then norm(X(:,:,k))
    X = pagelsqminnorm(A, B, TOL) tells which rank A has, with a number or one for each page
    X = pagelsqminnorm(…, RegularizationFactor=ALPHA) adds ALPHA^2*norm(X(:,:,k))^2 to minimise

    Dimensions from the third on must agree or be 1.

    Examples:
        >> X = pagelsqminnorm(cat(3, [4 0], [0 2]), 2);
        >> X(:,:)
        ans =
            0.5000         0
                 0    1.0000

    See also: pagepinv, pagemldivide, mldivide.
    """
    name = "pagelsqminnorm"
    left, right = same_precision(floating(a, name), floating(b, name))
    plain, words = positional(options)
    named, _ = pairs(words, ["RegularizationFactor"], name)
    tolerance = _of_pages(plain[0] if plain else None, left, name, "InvalidTolerance")
    factor = _of_pages(named.get("RegularizationFactor"), left, name, "InvalidRegularization")
    if left.shape[0] != right.shape[0]:
        raise MatlabError("MATLAB:dimagree", "Matrix dimensions must agree.")
    none = np.zeros((1, 1))
    x, y, limits, factors = together(
        left, right, none if tolerance is None else tolerance, none if factor is None else factor
    )
    if factor is not None:
        x, y = _regularised(x, y, factors)
    return unstacked(minimum_norms(x, y, None if tolerance is None else limits))


def _regularised(a: Matrix, b: Matrix, factor: Matrix) -> tuple[Matrix, Matrix]:
    """Return the systems with a multiple of the identity below, and zeros below the rest."""
    n = a.shape[-1]
    below = np.broadcast_to(factor * np.eye(n, dtype=a.dtype), (*a.shape[:-2], n, n))
    zeros = np.zeros((*b.shape[:-2], n, b.shape[-1]), b.dtype)
    return np.concatenate([a, below.astype(a.dtype)], -2), np.concatenate([b, zeros], -2)


def _of_pages(value: Any, a: Matrix, name: str, problem: str) -> Matrix | None:
    """Return a number that is not negative, or one for each page of `a`; None if not given."""
    if value is None:
        return None
    numbers = real(value, name).astype(a.real.dtype)
    if (numbers.size != 1 and numbers.shape != (1, 1, *a.shape[2:])) or not (numbers >= 0).all():
        raise MatlabError(
            f"MATLAB:{name}:{problem}",
            "Expected a number that is not negative, or one for each page.",
        )
    return numbers
