"""What calls of linear algebra ask of a library, where they have a form that a library computes."""

from __future__ import annotations

import math
from typing import Any

from runmat_core.api.fusion import Operand, Requested
from runmat_core.builtins.arguments import option
from runmat_core.values.classes import FLOAT_CLASSES

#: The option of thin factors, as `option` gives it or as a number.
_THIN = ("econ", "0", 0.0)
#: Most elements of a page, and most of one with its right-hand sides: a device keeps pages in the
#: memory of a workgroup, and gains nothing by larger ones.
PAGE, BESIDE = 64 * 64, 2 * 64 * 64
#: Most singular values that a library is asked for: rotations of more columns take too long.
VALUES = 512


def _matrix(a: Any, least: int = 1) -> bool:
    """Whether an argument is a floating matrix, both extents at least `least`."""
    floating = isinstance(a, Operand) and a.cls in FLOAT_CLASSES
    return floating and len(a.shape) == 2 and min(a.shape) >= least


def _square(a: Any) -> bool:
    return _matrix(a) and a.shape[0] == a.shape[1]


def _thin(options: tuple[Any, ...]) -> bool:
    return len(options) == 1 and (option(options[0]) or options[0]) in _THIN


def qr(a: Operand, *options: Any, nargout: int) -> Requested | None:
    """``qr``: thin factors without pivoting."""
    if nargout > 2 or not _matrix(a):
        return None
    m, n = a.shape
    thin = _thin(options)
    if (options and not thin) or (m > n and not thin):
        return None
    factors = (((m, min(m, n)), a.cls), ((min(m, n), n), a.cls))
    return Requested((("q", nargout > 1),), factors if nargout > 1 else factors[1:])


def chol(a: Operand, *options: Any, nargout: int) -> Requested | None:
    """``chol`` that raises an error where there is no factor: its size is known."""
    words = [option(o) for o in options]
    if nargout > 1 or not _square(a) or words not in ([], ["lower"], ["upper"]):
        return None
    return Requested((("lower", words == ["lower"]),), ((a.shape, a.cls),), guards=True)


def inv(a: Operand, *, nargout: int) -> Requested | None:
    """``inv`` of a square matrix."""
    if nargout > 1 or not _square(a):
        return None
    return Requested((), ((a.shape, a.cls),), guards=True)


def det(a: Operand, *, nargout: int) -> Requested | None:
    """``det`` of a square matrix."""
    if nargout > 1 or not _square(a):
        return None
    return Requested((), (((1, 1), a.cls),), guards=True)


def svd(a: Operand, *options: Any, nargout: int) -> Requested | None:
    """``svd``: singular values, or all three thin factors."""
    if nargout == 2 or not _matrix(a, 2):
        return None
    m, n = a.shape
    k = min(m, n)
    if k > VALUES:
        return None
    if nargout < 2:
        return None if options else Requested((), (((k, 1), a.cls),), guards=True)
    word = option(options[0]) if len(options) == 1 else None
    thin = word == "econ" or (_thin(options) and m > n) or (not options and m == n)
    if not thin:
        return None
    factors = (((m, k), a.cls), ((k, k), a.cls), ((n, k), a.cls))
    return Requested((("vectors", True),), factors, guards=True)


def eig(a: Operand, *options: Any, nargout: int) -> Requested | None:
    """``eig`` of a matrix that may be symmetric: the library looks."""
    if nargout > 2 or options or not _square(a) or not 2 <= a.shape[0] <= VALUES:
        return None
    n = a.shape[0]
    if nargout < 2:
        return Requested((), (((n, 1), a.cls),), guards=True)
    return Requested((("vectors", True),), (((n, n), a.cls), ((n, n), a.cls)), guards=True)


# -- pages -----------------------------------------------------------------------------------------


def _pages(a: Any, least: int = 1) -> bool:
    """Whether an argument is a floating array whose pages are small matrices."""
    floating = isinstance(a, Operand) and a.cls in FLOAT_CLASSES
    return floating and 0 not in a.shape and least <= min(a.shape[:2]) and _page(a) <= PAGE


def _page(a: Operand) -> int:
    """Elements of a page."""
    return a.shape[0] * a.shape[1]


def _extents(a: Operand) -> tuple[int, int, int]:
    """Rows, columns and pages."""
    return a.shape[0], a.shape[1], math.prod(a.shape[2:])


def _square_pages(a: Any) -> bool:
    return _pages(a) and a.shape[0] == a.shape[1]


def pageinv(a: Operand, *, nargout: int) -> Requested | None:
    """``pageinv`` without the conditions."""
    if nargout > 1 or not _square_pages(a):
        return None
    return Requested((), ((a.shape, a.cls),), guards=True, extents=_extents(a))


def pagedet(a: Operand, *, nargout: int) -> Requested | None:
    """Return the determinants of pages."""
    if not _square_pages(a):
        return None
    determinants = (((1, 1, *a.shape[2:]), a.cls),)
    return Requested((), determinants, guards=True, extents=_extents(a))


def pagechol(a: Operand, *, nargout: int) -> Requested | None:
    """Upper factors of definite pages."""
    if not _square_pages(a):
        return None
    return Requested((("lower", False),), ((a.shape, a.cls),), guards=True, extents=_extents(a))


def pagemldivide(a: Operand, b: Any, *more: Any, nargout: int) -> Requested | None:
    """``pagemldivide`` of square pages as they are."""
    if more or not _square_pages(a) or a.shape[:2] == (1, 1):
        return None
    return _quotients(a, b, nargout)


def tall_pages(a: Operand, b: Any, *, nargout: int) -> Requested | None:
    """``pagemldivide`` of pages with more rows than columns."""
    if not _pages(a) or a.shape[0] <= a.shape[1]:
        return None
    return _quotients(a, b, nargout)


def _quotients(a: Operand, b: Any, nargout: int) -> Requested | None:
    """Systems by pages, of which both arrays have as many, or one has a single one."""
    if nargout > 1 or not isinstance(b, Operand) or b.cls != a.cls or 0 in b.shape:
        return None
    (m, n), (rows, k) = a.shape[:2], b.shape[:2]
    outer = a.shape[2:] or b.shape[2:]
    if m != rows or m * (n + k) > BESIDE or {a.shape[2:], b.shape[2:]} - {outer, ()}:
        return None
    extents = (*_extents(a), *_extents(b))
    return Requested((), (((n, k, *outer), a.cls),), guards=True, extents=extents)


def pagesvd(a: Operand, *options: Any, nargout: int) -> Requested | None:
    """``pagesvd``: columns of singular values, or all three thin factors with diagonal matrices."""
    words = [option(o) or o for o in options]
    if nargout == 2 or not _pages(a, 2):
        return None
    (m, n), outer = a.shape[:2], a.shape[2:]
    k = min(m, n)
    if nargout < 2:
        if words not in ([], ["econ"], ["vector"]):
            return None
        return Requested((), (((k, 1, *outer), a.cls),), guards=True, extents=_extents(a))
    thin = words in (["econ"], [0.0]) or (m == n and words in ([], ["matrix"]))
    if not thin:
        return None
    factors = (((m, k, *outer), a.cls), ((k, k, *outer), a.cls), ((n, k, *outer), a.cls))
    return Requested((("vectors", True),), factors, guards=True, extents=_extents(a))


def pageeig(a: Operand, *options: Any, nargout: int) -> Requested | None:
    """``pageeig`` of pages that may be symmetric: the library looks."""
    words = [option(o) for o in options]
    if nargout > 2 or not _square_pages(a) or a.shape[0] < 2:
        return None
    extents = _extents(a)
    if nargout < 2:
        if words not in ([], ["vector"]):
            return None
        column = (a.shape[0], 1, *a.shape[2:])
        return Requested((), ((column, a.cls),), guards=True, extents=extents)
    if words not in ([], ["matrix"]):
        return None
    factors = ((a.shape, a.cls), (a.shape, a.cls))
    return Requested((("vectors", True),), factors, guards=True, extents=extents)


def pagenorm(a: Operand, p: Any = 2.0, *, nargout: int) -> Requested | None:
    """``pagenorm``: the largest singular values of pages that are no vectors."""
    if not _pages(a, 2) or p.__class__ is not float or p != 2.0:
        return None
    norms = (((1, 1, *a.shape[2:]), a.cls),)
    return Requested((("largest", True),), norms, guards=True, extents=_extents(a))
