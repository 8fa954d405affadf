"""What calls of linear algebra ask of a library, where they have a form that a library computes."""

from __future__ import annotations

from typing import Any

from runmat_core.api.fusion import Operand, Requested
from runmat_core.builtins.arguments import option
from runmat_core.values.classes import FLOAT_CLASSES

#: The option of thin factors, as `option` gives it or as a number.
_THIN = ("econ", "0", 0.0)
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
