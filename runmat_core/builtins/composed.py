"""Builtins that are a few operations of large arrays, each captured by itself.

`composed` puts such a rule before a host rule. It works on MATLAB values with operators and other
builtins, as a .m file would, so that what it makes of pending arrays is pending too, and fuses. It
takes the common forms with real floating arrays; all else, errors included, is the host rule's.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

import numpy as np

from runmat_core.accel import context
from runmat_core.accel.capture.starting import elements_of
from runmat_core.builtins.arguments import option
from runmat_core.values import (
    DTYPE,
    FLOAT_CLASSES,
    Array,
    cat,
    char,
    class_of,
    eq,
    from_numpy,
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


def composed(rule: Callable[..., Any] | str, looks: bool = False) -> Callable[[F], F]:
    """Try ``rule(*args)`` first, with ``nargout=`` where the host rule has it, on large arrays.

    The builtin's mark says ``pending="keep"``; the host rule gets its arguments computed.

    Args:
        rule: the rule, or ``module.name`` of one below `runmat_core.builtins` that is imported
            with the first large array.
        looks: whether `rule` looks at elements, so that it has to see every call.
    """
    made: Callable[..., Any] | None = None

    def wrap(host: F) -> F:
        @functools.wraps(host)
        def both(*args: Any, **known: Any) -> Any:
            nonlocal made
            if context.starts_later():
                context.before_start(elements_of(args))
            if context.get() is not None and any(map(is_array, args)):
                if made is None:
                    found = rule if callable(rule) else _named(rule)
                    made = found if looks else _remembered(found)
                result = made(*args, **known)
                if result is not NotImplemented:
                    return result
            return host(*all_settled(args), **known)

        return both  # type: ignore[return-value]

    return wrap


def _named(path: str) -> Callable[..., Any]:
    module, _, name = path.rpartition(".")
    found: Callable[..., Any] = getattr(import_module(f"runmat_core.builtins.{module}"), name)
    return found


def _remembered(rule: Callable[..., Any]) -> Callable[..., Any]:
    """`rule`, which makes what it made of other arrays without being asked again."""
    from runmat_core.accel.capture.recipes import Recipes

    def ordinary(args: tuple[Any, ...], nargout: int) -> Any:
        return rule(*args, nargout=nargout) if nargout else rule(*args)

    recipes = Recipes(ordinary)
    return lambda *args, nargout=0: recipes.call(args, nargout)


def call(name: str, *args: Any) -> Any:
    """Return the builtin `name`, captured where it can be."""
    from runmat_core.accel.capture.composed_calls import calling
    from runmat_core.builtins import fusing, registry

    spec = registry.find(name)
    assert spec is not None, name
    result = calling(name)(args, 1) if spec.pending == "view" else fusing.capture(spec, args, 1)
    if result is not NotImplemented:
        return result
    several = {"nargout": 1} if "nargout" in spec.needs else {}
    return registry.host_rule(spec)(*all_settled(args), **several)


def is_array(value: Any) -> bool:
    return value.__class__ is Array or value.__class__ is Deferred


def large(*values: Any) -> bool:
    """Whether operations on these are captured."""
    from runmat_core.accel.capture.boundary import lazy

    return lazy(*values) is not None


def is_real(value: Any) -> bool:
    """Whether a value is an array of real floating numbers, and no guard may tell otherwise."""
    if not is_array(value) or value.class_name not in FLOAT_CLASSES or 0 in value.shape:
        return False
    if value.__class__ is Deferred:
        from runmat_core.accel.capture.views import proven_real

        return proven_real(value.promise.node)
    return bool(value.data.dtype.kind == "f")


class _Arrays:
    """What compositions of packages ask (`runmat_core.api.compose`)."""

    def call(self, name: str, *args: Any) -> Any:
        return call(name, *[char(v) if isinstance(v, str) else v for v in args])

    def is_real(self, value: Any) -> bool:
        return is_real(value) and large(value)

    def dimension(self, x: Any, dim: Any = None) -> float:
        return dimension_of(x, dim)

    def text(self, value: Any) -> str | None:
        return option(value)


ARRAYS = _Arrays()


def is_one_of(value: Any, *numbers: float) -> bool:
    return value.__class__ is float and value in numbers


def dimension_of(x: Any, dim: Any) -> float:
    """Return the dimension to work along, by default the first that is not 1.

    0 for one `x` has not.
    """
    if not is_array(x):
        return 0.0
    if dim is None:
        return next((k for k, n in enumerate(x.shape) if n != 1), 0) + 1.0
    return dim if dim.__class__ is float and dim in range(1, len(x.shape) + 1) else 0.0


# -- calculus and polynomials ----------------------------------------------------------------------


def polyval(p: Any, x: Any, *more: Any, nargout: int = 1) -> Any:
    """``polyval(p, X)`` of a few double coefficients, by Horner's rule."""
    if (
        more
        or nargout > 1
        or p.__class__ is not Array
        or not is_real(p)
        or p.class_name != "double"
    ):
        return NotImplemented
    few = is_real(p) and 1 < p.data.size <= COEFFICIENTS
    if not few or 1 not in p.shape or len(p.shape) > 2:
        return NotImplemented
    if not is_real(x) or not large(x):
        return NotImplemented
    first, *others = to_numpy(p).ravel(order="F").tolist()
    result = times(x, first)
    for k, coefficient in enumerate(others):
        result = plus(result if k == 0 else times(result, x), coefficient)
    return result


def trapz(x: Any, y: Any = None, dim: Any = None) -> Any:
    """``trapz(Y)``, ``trapz(X, Y)``, ``trapz(X, Y, dim)``, ``trapz(Y, dim)``: a sum of panels."""
    found = _panels(x, y, dim)
    return found if found is NotImplemented else call("sum", *found)


def cumtrapz(x: Any, y: Any = None, dim: Any = None) -> Any:
    """``cumtrapz`` in the forms of ``trapz``: running sums of panels after a zero."""
    found = _panels(x, y, dim)
    if found is NotImplemented:
        return found
    panels, dim = found
    total = call("cumsum", panels, dim)
    start = [1 if k == dim - 1.0 else n for k, n in enumerate(panels.shape)]
    return cat(dim, from_numpy(np.zeros(start, DTYPE[class_of(total)])), total)


def _panels(x: Any, y: Any, dim: Any) -> Any:
    """Areas between neighbours along a dimension, and that dimension."""
    if y is None or (dim is None and y.__class__ is float):
        x, y, dim = None, x, y
    if not is_real(y) or not large(y):
        return NotImplemented
    axis = dimension_of(y, dim)
    count = y.shape[int(axis) - 1] if axis else 0
    if count < 2:
        return NotImplemented
    low, high = _ends(y, int(axis) - 1)
    panels = plus(low, high)
    if x is not None:
        widths = _widths(x, y, axis)
        if widths is NotImplemented:
            return NotImplemented
        panels = times(widths, panels)
    return rdivide(panels, 2.0), axis


def _widths(x: Any, y: Any, axis: float) -> Any:
    """Distances between sample points: one number, a vector along `axis`, or one for each."""
    if x.__class__ is float:
        return x
    if not is_real(x) or x.class_name != y.class_name:
        return NotImplemented
    count = y.shape[int(axis) - 1]
    if x.shape != y.shape or 1 in x.shape:
        if math.prod(x.shape) != count:
            return NotImplemented
        extents = [float(count) if k == axis - 1.0 else 1.0 for k in range(len(y.shape))]
        x = call("reshape", x, *extents)
    return call("diff", x, 1.0, axis)


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
    if not all(map(is_real, arrays)) or not large(*arrays):
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
    if len(kinds) > 1 or not kinds <= DTYPE.keys() or not all(map(is_array, (a, *others))):
        return NotImplemented
    if class_of(a) in FLOAT_CLASSES and not all(map(is_real, (a, *others))):
        return NotImplemented
    if any(size_of(value) != size_of(a) for value in others):
        return False
    return all(settled(call("all", eq(a, value), char("all"))) is True for value in others)
