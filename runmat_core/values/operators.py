"""Python's operators on values, so that ``a + b`` is MATLAB's sum whatever a and b are.

Compiled code uses them where it knows that an operand is no logical scalar. Every method goes
through the operator functions of `dispatch`, complex scalars after trying Python's own arithmetic.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from runmat_core.values import dispatch
from runmat_core.values.base import Complex, Value
from runmat_core.values.deferred import Deferred, promise_of

Rule = Callable[..., Any]

_ARITHMETIC: dict[str, tuple[Rule, Rule, Rule]] = {
    "add": (dispatch.plus, complex.__add__, complex.__radd__),
    "sub": (dispatch.minus, complex.__sub__, complex.__rsub__),
    "mul": (dispatch.mtimes, complex.__mul__, complex.__rmul__),
    "truediv": (dispatch.mrdivide, complex.__truediv__, complex.__rtruediv__),
}
_RELATIONS: dict[str, tuple[Rule, Rule]] = {
    name: (getattr(dispatch, name), getattr(operator, name)) for name in dispatch.COMPARISONS
}


def _reflected(function: Rule) -> Rule:
    def method(self: Any, other: Any) -> Any:
        return function(other, self)

    return method


def _complex_arithmetic(native: Rule, with_real: Rule, function: Rule) -> Rule:
    """Return a method of `Complex`: Python's arithmetic on scalars with demotion, else `function`.

    Args:
        native: of two complex numbers.
        with_real: the parts of the result for a float.
    """

    def method(self: Any, other: Any) -> Any:
        kind = other.__class__
        try:
            if kind is float:
                real, imag = with_real(self, other)
                return Complex(real, imag) if imag else real
            if kind is Complex:
                z = native(self, other)
                return Complex(z) if z.imag else z.real
        except ZeroDivisionError:
            pass
        return function(self, other)

    return method


def _quotient_of_real(z: complex, x: float) -> tuple[float, float]:
    quotient = x / complex(z)
    return quotient.real, quotient.imag


#: The parts of a complex number and a float, and of a float and a complex number (`mixed`).
_WITH_REAL: dict[str, tuple[Rule, Rule]] = {
    "add": (lambda z, x: (z.real + x, z.imag), lambda z, x: (x + z.real, z.imag)),
    "sub": (lambda z, x: (z.real - x, z.imag), lambda z, x: (x - z.real, -z.imag)),
    "mul": (lambda z, x: (z.real * x, z.imag * x), lambda z, x: (x * z.real, x * z.imag)),
    "truediv": (lambda z, x: (z.real / x, z.imag / x), _quotient_of_real),
}


def _complex_equality(native: Rule, function: Rule) -> Rule:
    def method(self: Any, other: Any) -> Any:
        kind = other.__class__
        return native(self, other) if kind is float or kind is Complex else function(self, other)

    return method


def _complex_order(compare: Rule, function: Rule) -> Rule:
    """Relations order complex numbers by their real parts."""

    def method(self: Any, other: Any) -> Any:
        kind = other.__class__
        if kind is float or kind is Complex:
            return compare(self.real, other.real)
        return function(self, other)

    return method


def _known_first(native: Rule, name: str, reflected: bool = False) -> Rule:
    """Return a method of `Deferred`: Python's arithmetic where it turned out to be a float before.

    Args:
        native: of a float and the other operand, in this order.
        name: of the operator, which is applied as its rule in `dispatch` does.
        reflected: whether the other operand comes first.
    """

    def method(self: Any, other: Any) -> Any:
        value = promise_of(self).value
        if value.__class__ is float:
            return native(value, other)
        a, b = (other, self) if reflected else (self, other)
        way = dispatch.DIRECT.get(name)
        if way is not None:
            result = way(a, b)
            if result is not NotImplemented:
                return result
        return dispatch.apply(name, a, b)

    return method


def _install_known() -> None:
    """Let operators use scalars that were computed and stay deferred in their variables."""
    for suffix, (name, native) in {
        "add": ("plus", operator.add),
        "sub": ("minus", operator.sub),
        "mul": ("mtimes", operator.mul),
        "truediv": ("mrdivide", dispatch.mrdivide),
    }.items():
        setattr(Deferred, f"__{suffix}__", _known_first(native, name))
        setattr(Deferred, f"__r{suffix}__", _known_first(_reflected(native), name, True))
    for name, (_, compare) in _RELATIONS.items():
        setattr(Deferred, f"__{name}__", _known_first(compare, name))
    Deferred.__hash__ = None  # type: ignore[assignment]


def install() -> None:
    """Give every value, and complex scalars, Python's operators."""
    for suffix, (function, native, native_reflected) in _ARITHMETIC.items():
        reflected = _reflected(function)
        setattr(Value, f"__{suffix}__", function)
        setattr(Value, f"__r{suffix}__", reflected)
        first, second = _WITH_REAL[suffix]
        setattr(Complex, f"__{suffix}__", _complex_arithmetic(native, first, function))
        setattr(Complex, f"__r{suffix}__", _complex_arithmetic(native_reflected, second, reflected))
    for name, (function, compare) in _RELATIONS.items():
        setattr(Value, f"__{name}__", function)
        if name in ("eq", "ne"):
            native = getattr(complex, f"__{name}__")
            setattr(Complex, f"__{name}__", _complex_equality(native, function))
        else:
            setattr(Complex, f"__{name}__", _complex_order(compare, function))
    for name, function in (("__neg__", dispatch.uminus), ("__pos__", dispatch.uplus)):
        setattr(Value, name, function)
        setattr(Complex, name, function)
    _install_known()
    # a class that defines == loses its hash
    Complex.__hash__ = complex.__hash__  # type: ignore[method-assign]
