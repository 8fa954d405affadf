"""Builtins that are a few operations of large arrays, each captured by itself.

`composed` puts such a rule before a host rule. It works on MATLAB values with operators and other
builtins, as a .m file would, so that what it makes of pending arrays is pending too, and fuses. It
takes the common forms with real floating arrays; all else, errors included, is the host rule's.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from runmat_core.accel import context
from runmat_core.accel.capture.starting import elements_of
from runmat_core.values import (
    DTYPE,
    FLOAT_CLASSES,
    Array,
    cat,
    char,
    class_of,
    ctranspose,
    eq,
    from_numpy,
    minus,
    mtimes,
    plus,
    rdivide,
    size_of,
    times,
    to_numpy,
)
from runmat_core.values.deferred import Deferred, all_settled, settled

F = TypeVar("F", bound=Callable[..., Any])

#: Polynomials with more coefficients are evaluated by the host rule.
COEFFICIENTS = 64


def composed(rule: Callable[..., Any], looks: bool = False) -> Callable[[F], F]:
    """Try ``rule(*args)`` first, with ``nargout=`` where the host rule has it, on large arrays.

    The builtin's mark says ``pending="keep"``; the host rule gets its arguments computed.

    Args:
        looks: whether `rule` looks at elements, so that it has to see every call.
    """
    made: Callable[..., Any] | None = None

    def wrap(host: F) -> F:
        @functools.wraps(host)
        def both(*args: Any, **known: Any) -> Any:
            nonlocal made
            if context.starts_later():
                context.before_start(elements_of(args))
            if context.get() is not None and any(map(_is_array, args)):
                if made is None:
                    made = rule if looks else _remembered(rule)
                found = made(*args, **known)
                if found is not NotImplemented:
                    return found
            return host(*all_settled(args), **known)

        return both  # type: ignore[return-value]

    return wrap


def _remembered(rule: Callable[..., Any]) -> Callable[..., Any]:
    """`rule`, which makes what it made of other arrays without being asked again."""
    from runmat_core.accel.capture.recipes import Recipes

    def ordinary(args: tuple[Any, ...], nargout: int) -> Any:
        return rule(*args, nargout=nargout) if nargout else rule(*args)

    recipes = Recipes(ordinary)
    return lambda *args, nargout=0: recipes.call(args, nargout)


def call(name: str, *args: Any) -> Any:
    """The builtin `name`, captured where it can be."""
    from runmat_core.accel.capture import compositions
    from runmat_core.builtins import fusing, registry

    spec = registry.find(name)
    assert spec is not None, name
    if spec.pending == "view":
        result = compositions.calling(name)(args, 1)
    else:
        result = fusing.capture(spec, args, 1)
    if result is not NotImplemented:
        return result
    several = {"nargout": 1} if "nargout" in spec.needs else {}
    return registry.host_rule(spec)(*all_settled(args), **several)


def _is_array(value: Any) -> bool:
    return value.__class__ is Array or value.__class__ is Deferred


def _large(*values: Any) -> bool:
    """Whether operations on these are captured."""
    from runmat_core.accel.capture.boundary import lazy

    return lazy(*values) is not None


def _real(value: Any) -> bool:
    """Whether a value is an array of real floating numbers, and no guard may tell otherwise."""
    if not _is_array(value) or value.class_name not in FLOAT_CLASSES or 0 in value.shape:
        return False
    if value.__class__ is Deferred:
        from runmat_core.accel.capture.views import surely_real

        return surely_real(value.promise.node)
    return bool(value.data.dtype.kind == "f")


def _is_one_of(value: Any, *numbers: float) -> bool:
    return value.__class__ is float and value in numbers


# -- statistics ------------------------------------------------------------------------------------


def cov(x: Any, weight: Any = 0.0, *more: Any) -> Any:
    """``cov(A)`` and ``cov(A, w)`` of a matrix: a product of the centred matrix with itself."""
    if more or not _is_one_of(weight, 0.0, 1.0) or not _real(x) or not _large(x):
        return NotImplemented
    rows, *rest = x.shape
    if len(rest) != 1 or rows == 1 or rest == [1]:
        return NotImplemented
    centred = minus(x, call("mean", x, 1.0))
    return rdivide(mtimes(ctranspose(centred), centred), rows - 1.0 + weight)


def corrcoef(x: Any, *more: Any, nargout: int = 1) -> Any:
    """``corrcoef(A)`` of a matrix."""
    covariance = NotImplemented if more or nargout > 1 else cov(x)
    if covariance is NotImplemented:
        return covariance
    from runmat_core.accel.capture.matrices import with_ones

    spread = call("sqrt", call("diag", covariance))
    r = rdivide(covariance, times(spread, ctranspose(spread)))
    return with_ones(rdivide(r, call("max", call("abs", r), 1.0)))


def vecnorm(x: Any, p: Any = 2.0, dim: Any = None) -> Any:
    """``vecnorm(A)``, ``vecnorm(A, p)``, ``vecnorm(A, p, dim)`` for p 1 and 2."""
    if not _is_one_of(p, 1.0, 2.0) or not _real(x) or not _large(x):
        return NotImplemented
    axis = _dimension(x, dim)
    if not axis:
        return NotImplemented
    if p == 1.0:
        return call("sum", call("abs", x), axis)
    return call("sqrt", call("sum", times(x, x), axis))


def rms(x: Any, dim: Any = None, *more: Any) -> Any:
    """``rms(A)`` and ``rms(A, dim)``."""
    axis = _dimension(x, dim)
    if more or not axis or not _real(x) or not _large(x):
        return NotImplemented
    return call("sqrt", call("mean", times(x, x), axis))


def normalize(x: Any, dim: Any = None, *more: Any, nargout: int = 1) -> Any:
    """``normalize(A)`` and ``normalize(A, dim)``: z-scores, for which NaN elements are left out."""
    axis = _dimension(x, dim)
    if more or nargout > 1 or not axis or not _real(x) or not _large(x):
        return NotImplemented
    omit = char("omitnan")
    return rdivide(minus(x, call("mean", x, axis, omit)), call("std", x, 0.0, axis, omit))


def rescale(x: Any, *ends: Any) -> Any:
    """``rescale(A)`` and ``rescale(A, l, u)``; equal elements become the lower end."""
    if len(ends) not in (0, 2):
        return NotImplemented
    low, high = ends or (0.0, 1.0)
    if low.__class__ is not float or high.__class__ is not float or not low <= high:
        return NotImplemented
    if not _real(x) or not _large(x):
        return NotImplemented
    elements = call("reshape", x, float(math.prod(x.shape)), 1.0)
    least, most = call("min", elements), call("max", elements)
    width = minus(most, least)
    share = rdivide(minus(x, least), plus(width, eq(width, 0.0)))
    return share if (low, high) == (0.0, 1.0) else plus(times(share, high - low), low)


def _dimension(x: Any, dim: Any) -> float:
    """The dimension to work along, by default the first that is not 1; 0 for one `x` has not."""
    if not _is_array(x):
        return 0.0
    if dim is None:
        return next((k for k, n in enumerate(x.shape) if n != 1), 0) + 1.0
    return dim if dim.__class__ is float and dim in range(1, len(x.shape) + 1) else 0.0


# -- calculus and polynomials ----------------------------------------------------------------------


def polyval(p: Any, x: Any, *more: Any, nargout: int = 1) -> Any:
    """``polyval(p, X)`` of a few double coefficients, by Horner's rule."""
    if more or nargout > 1 or p.__class__ is not Array or not _real(p) or p.class_name != "double":
        return NotImplemented
    if not 1 < p.data.size <= COEFFICIENTS or 1 not in p.shape or len(p.shape) > 2:
        return NotImplemented
    if not _real(x) or not _large(x):
        return NotImplemented
    first, *others = to_numpy(p).ravel(order="F").tolist()
    result = times(x, first)
    for k, coefficient in enumerate(others):
        result = plus(result if k == 0 else times(result, x), coefficient)
    return result


def cumtrapz(x: Any, y: Any = None, dim: Any = None) -> Any:
    """``cumtrapz(Y)``, and ``cumtrapz(X, Y)`` of vectors: running sums of panels after a zero."""
    ordinates = x if y is None else y
    if dim is not None or not _real(ordinates) or not _large(x, ordinates):
        return NotImplemented
    shape = ordinates.shape
    axis = next((k for k, n in enumerate(shape) if n != 1), 0)
    if shape[axis] < 2 or (y is not None and not _same_vectors(x, y)):
        return NotImplemented
    low, high = _ends(ordinates, axis)
    panels = plus(low, high)
    if y is not None:
        left, right = _ends(call("reshape", x, float(shape[0]), float(shape[1])), axis)
        panels = times(minus(right, left), panels)
    total = call("cumsum", rdivide(panels, 2.0), axis + 1.0)
    start = np.zeros([1 if k == axis else n for k, n in enumerate(shape)], DTYPE[class_of(total)])
    return cat(axis + 1.0, from_numpy(start), total)


def _same_vectors(x: Any, y: Any) -> bool:
    """Whether both are vectors of one class and length."""
    if not _real(x) or x.class_name != y.class_name:
        return False
    vectors = all(len(v.shape) == 2 and 1 in v.shape for v in (x, y))
    return vectors and max(x.shape) == max(y.shape)


def _ends(value: Any, axis: int) -> tuple[Any, Any]:
    """All elements but the last along an axis, and all but the first."""
    from runmat_core.accel.capture.boundary import deferred, lazy, node_of
    from runmat_core.accel.capture.compositions import neighbours

    graph = lazy(value)
    assert graph is not None
    node: Any = node_of(graph, value)
    low, high = neighbours(graph, node, axis)
    return deferred(low), deferred(high)


# -- coordinates -----------------------------------------------------------------------------------


def cart2pol(x: Any, y: Any, z: Any = None, *, nargout: int = 1) -> Any:
    """``[theta, rho] = cart2pol(x, y)``; further coordinates pass through."""
    if nargout < 2 or not _alike(x, y, z) or (z is None and nargout > 2):
        return NotImplemented
    return (call("atan2", y, x), call("hypot", x, y), z)[:nargout]


def pol2cart(theta: Any, rho: Any, z: Any = None, *, nargout: int = 1) -> Any:
    """``[x, y] = pol2cart(theta, rho)``."""
    if nargout < 2 or not _alike(theta, rho, z) or (z is None and nargout > 2):
        return NotImplemented
    return (times(rho, call("cos", theta)), times(rho, call("sin", theta)), z)[:nargout]


def _alike(*values: Any) -> bool:
    """Whether there are arrays of one class and size, and operations on them are captured."""
    arrays = [value for value in values if value is not None]
    if not all(map(_real, arrays)) or not _large(*arrays):
        return False
    return len({(v.class_name, v.shape) for v in arrays}) == 1


# -- comparison ------------------------------------------------------------------------------------


def isequal(a: Any, b: Any, *more: Any) -> Any:
    """``isequal(A, B, …)`` of arrays of one class that are pending: one logical is brought back."""
    from runmat_core.accel.capture.boundary import pending

    others = (b, *more)
    if not any(map(pending, (a, *others))):
        return NotImplemented
    kinds = {class_of(value) for value in (a, *others)}
    if len(kinds) > 1 or not kinds <= DTYPE.keys() or not all(map(_is_array, (a, *others))):
        return NotImplemented
    if class_of(a) in FLOAT_CLASSES and not all(map(_real, (a, *others))):
        return NotImplemented
    if any(size_of(value) != size_of(a) for value in others):
        return False
    return all(settled(call("all", eq(a, value), char("all"))) is True for value in others)
