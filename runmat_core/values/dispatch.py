"""The operator table: which rule computes an operator for which classes of operands.

The functions here are MATLAB's operators on any values. Each tries scalars first, then looks at the
classes: sparse, string and the other containers have rules of their own, the rest is arithmetic.
`OPERATORS` is the table that higher layers may override, by name.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from runmat_core.api import errors
from runmat_core.values import arithmetic, comparison, products
from runmat_core.values.base import Complex, Value, class_of, scalar_complex
from runmat_core.values.char import CharArray, is_one_char
from runmat_core.values.handle import FunctionHandle
from runmat_core.values.object import HandleObject
from runmat_core.values.sparse import SparseArray
from runmat_core.values.string import StringArray

Rule = Callable[..., Any]

#: Operator names to rules for numeric, logical and char operands.
OPERATORS: dict[str, Rule] = {
    "plus": arithmetic.plus,
    "minus": arithmetic.minus,
    "times": arithmetic.times,
    "mtimes": products.mtimes,
    "rdivide": arithmetic.rdivide,
    "ldivide": arithmetic.ldivide,
    "mrdivide": products.mrdivide,
    "mldivide": products.mldivide,
    "power": arithmetic.power,
    "mpower": products.mpower,
    "uminus": arithmetic.uminus,
    "uplus": arithmetic.uplus,
    "not_": comparison.not_,
    "and_": comparison.and_,
    "or_": comparison.or_,
    "eq": comparison.eq,
    "ne": comparison.ne,
    "lt": comparison.lt,
    "le": comparison.le,
    "gt": comparison.gt,
    "ge": comparison.ge,
    "transpose": products.transpose,
    "ctranspose": products.ctranspose,
}

SYMBOL = {
    "plus": "+",
    "minus": "-",
    "times": ".*",
    "mtimes": "*",
    "rdivide": "./",
    "ldivide": ".\\",
    "mrdivide": "/",
    "mldivide": "\\",
    "power": ".^",
    "mpower": "^",
    "uminus": "-",
    "uplus": "+",
    "not_": "~",
    "and_": "&",
    "or_": "|",
    "eq": "==",
    "ne": "~=",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "transpose": ".'",
    "ctranspose": "'",
}

COMPARISONS = frozenset({"eq", "ne", "lt", "le", "gt", "ge"})

#: Classes whose arithmetic is that of numbers.
PLAIN = frozenset(
    "double single logical char int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()
)


def apply(name: str, *operands: Any) -> Any:
    """The operator `name` of any values, by the rule of the strongest class among them."""
    for value in operands:
        if isinstance(value, SparseArray):
            return _sparse(name, operands)
    if name in ("transpose", "ctranspose"):
        return OPERATORS[name](*operands)
    for value in operands:
        if isinstance(value, StringArray):
            return _string(name, operands)
    for value in operands:
        if class_of(value) not in PLAIN:
            return _other(name, operands, value)
    return OPERATORS[name](*operands)


def _sparse(name: str, operands: tuple[Any, ...]) -> Any:
    from runmat_core.values import sparse_arithmetic

    if len(operands) == 1:
        return sparse_arithmetic.unary(name, operands[0])
    return sparse_arithmetic.binary(name, *operands)


def _string(name: str, operands: tuple[Any, ...]) -> Any:
    from runmat_core.values import string_operators

    if name == "plus":
        return string_operators.string_plus(*operands)
    if name in COMPARISONS:
        return string_operators.string_compare(name, *operands)
    raise errors.undefined_operator(SYMBOL[name], "string")


def _other(name: str, operands: tuple[Any, ...], culprit: Value) -> Any:
    """Containers have no operators but the identity of handles."""
    if name in ("eq", "ne") and all(isinstance(v, FunctionHandle) for v in operands):
        same = operands[0] is operands[1] or operands[0].fn is operands[1].fn
        return same == (name == "eq")
    if name in ("eq", "ne") and all(isinstance(v, HandleObject) for v in operands):
        return (operands[0] is operands[1]) == (name == "eq")
    raise errors.undefined_operator(SYMBOL[name], class_of(culprit))


def _scalars(a: Any, b: Any) -> bool:
    return a.__class__ is float and b.__class__ is float


def plus(a: Any, b: Any) -> Any:
    return a + b if _scalars(a, b) else apply("plus", a, b)


def minus(a: Any, b: Any) -> Any:
    return a - b if _scalars(a, b) else apply("minus", a, b)


def times(a: Any, b: Any) -> Any:
    return a * b if _scalars(a, b) else apply("times", a, b)


def mtimes(a: Any, b: Any) -> Any:
    return a * b if _scalars(a, b) else apply("mtimes", a, b)


def divide(a: float, b: float) -> float:
    """The IEEE quotient of two floats."""
    if b:
        return a / b
    if a != a or a == 0:
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1.0, b)


def rdivide(a: Any, b: Any) -> Any:
    return divide(a, b) if _scalars(a, b) else apply("rdivide", a, b)


def ldivide(a: Any, b: Any) -> Any:
    return divide(b, a) if _scalars(a, b) else apply("ldivide", a, b)


def mrdivide(a: Any, b: Any) -> Any:
    return divide(a, b) if _scalars(a, b) else apply("mrdivide", a, b)


def mldivide(a: Any, b: Any) -> Any:
    return divide(b, a) if _scalars(a, b) else apply("mldivide", a, b)


def scalar_power(a: float, b: float) -> Any:
    """``a ^ b`` of floats; complex where `a` is negative and `b` is no integer."""
    try:
        result = a**b
    except OverflowError:
        return -math.inf if a < 0 and b % 2 == 1 else math.inf
    except ZeroDivisionError:
        odd = math.copysign(1.0, a) < 0 and b % 2 == 1
        return -math.inf if odd else math.inf
    return scalar_complex(result) if result.__class__ is complex else result


def power(a: Any, b: Any) -> Any:
    return scalar_power(a, b) if _scalars(a, b) else apply("power", a, b)


def mpower(a: Any, b: Any) -> Any:
    return scalar_power(a, b) if _scalars(a, b) else apply("mpower", a, b)


def uminus(a: Any) -> Any:
    return -a if a.__class__ is float else apply("uminus", a)


def uplus(a: Any) -> Any:
    return a if a.__class__ is float else apply("uplus", a)


def not_(a: Any) -> Any:
    if a.__class__ is bool:
        return not a
    if a.__class__ is float and a == a:
        return a == 0
    return apply("not_", a)


def and_(a: Any, b: Any) -> Any:
    if a.__class__ is bool and b.__class__ is bool:
        return a and b
    return apply("and_", a, b)


def or_(a: Any, b: Any) -> Any:
    if a.__class__ is bool and b.__class__ is bool:
        return a or b
    return apply("or_", a, b)


def eq(a: Any, b: Any) -> Any:
    if a.__class__ is float and b.__class__ is float:
        return a == b
    if a.__class__ is CharArray and b.__class__ is CharArray and is_one_char(a, b):
        return a.content == b.content
    return apply("eq", a, b)


def ne(a: Any, b: Any) -> Any:
    if a.__class__ is float and b.__class__ is float:
        return a != b
    if a.__class__ is CharArray and b.__class__ is CharArray and is_one_char(a, b):
        return a.content != b.content
    return apply("ne", a, b)


def lt(a: Any, b: Any) -> Any:
    return a < b if _scalars(a, b) else apply("lt", a, b)


def le(a: Any, b: Any) -> Any:
    return a <= b if _scalars(a, b) else apply("le", a, b)


def gt(a: Any, b: Any) -> Any:
    return a > b if _scalars(a, b) else apply("gt", a, b)


def ge(a: Any, b: Any) -> Any:
    return a >= b if _scalars(a, b) else apply("ge", a, b)


def transpose(a: Any) -> Any:
    return apply("transpose", a) if isinstance(a, Value) else a


def ctranspose(a: Any) -> Any:
    if a.__class__ is Complex:
        return Complex(a.conjugate())
    return apply("ctranspose", a) if isinstance(a, Value) else a


# -- Python's operators --------------------------------------------------------------------------


def _method(function: Rule) -> Rule:
    def method(self: Any, other: Any) -> Any:
        return function(self, other)

    return method


def _reflected(function: Rule) -> Rule:
    def method(self: Any, other: Any) -> Any:
        return function(other, self)

    return method


def _unary(function: Rule) -> Rule:
    def method(self: Any) -> Any:
        return function(self)

    return method


def _complex_method(native: Rule, function: Rule, zero_fails: bool = False) -> Rule:
    """A `Complex` operator: complex arithmetic on scalars with demotion, else the general rule."""

    def method(self: Any, other: Any) -> Any:
        kind = other.__class__
        if (kind is float or kind is Complex) and (other or not zero_fails):
            z = native(self, other)
            return Complex(z) if z.imag else z.real
        return function(self, other)

    return method


ARITHMETIC = {
    "add": (plus, complex.__add__, complex.__radd__),
    "sub": (minus, complex.__sub__, complex.__rsub__),
    "mul": (mtimes, complex.__mul__, complex.__rmul__),
    "truediv": (mrdivide, complex.__truediv__, complex.__rtruediv__),
}


def install() -> None:
    """Give every value, and complex scalars, Python's operators."""
    for suffix, (function, native, native_reflected) in ARITHMETIC.items():
        setattr(Value, f"__{suffix}__", _method(function))
        setattr(Value, f"__r{suffix}__", _reflected(function))
        divides = suffix == "truediv"
        setattr(Complex, f"__{suffix}__", _complex_method(native, function, divides))
        reflected = _reflected(function)
        setattr(Complex, f"__r{suffix}__", _complex_method(native_reflected, reflected))
    for name in sorted(COMPARISONS):
        function = globals()[name]
        setattr(Value, f"__{name}__", _method(function))
        setattr(Complex, f"__{name}__", _method(function))
    for cls in (Value, Complex):
        setattr(cls, "__neg__", _unary(uminus))  # noqa: B010
        setattr(cls, "__pos__", _unary(uplus))  # noqa: B010
    Complex.__hash__ = complex.__hash__  # type: ignore[method-assign]


install()
