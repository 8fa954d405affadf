"""MATLAB's operators on any values.

Each operator tries scalars first, then numbers by the rule that `OPERATORS` names, then the classes
with rules of their own: sparse, string, handles. Higher layers may put other rules into the table;
Python's operators on values (`operators`) go through it too.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from itertools import zip_longest
from typing import Any

import numpy as np

from runmat_core.api import errors
from runmat_core.values import arithmetic, comparison, integers, products
from runmat_core.values.array import Array
from runmat_core.values.base import Complex, Value, class_of, scalar_complex
from runmat_core.values.char import CharArray
from runmat_core.values.classes import DOUBLE, DTYPE, LOGICAL, quiet
from runmat_core.values.deferred import Deferred, settled
from runmat_core.values.handle import FunctionHandle
from runmat_core.values.hooks import HOOKS
from runmat_core.values.object import HandleObject, ObjectValue
from runmat_core.values.sparse import SparseArray
from runmat_core.values.stand_in import StandIn
from runmat_core.values.string import StringArray
from runmat_core.values.symbols import SYMBOL

Rule = Callable[..., Any]

#: Operator names to the rules of this layer, for numeric, logical and char operands.
HOST_RULES: dict[str, Rule] = {
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

#: The rules in force. Those that higher layers put here take pending operands too.
OPERATORS: dict[str, Rule] = dict(HOST_RULES)

COMPARISONS = frozenset({"eq", "ne", "lt", "le", "gt", "ge"})

#: Python classes of numbers, tested before anything else.
NUMBERS = frozenset({float, bool, Complex, Array, CharArray})

#: Classes whose arithmetic is that of numbers.
PLAIN = frozenset({*DTYPE, "char"})

#: Short cuts for the common case of pending operands; each answers NotImplemented in any other.
DIRECT: dict[str, Rule] = {}

#: What the rules of pending operands take.
PENDING = NUMBERS | {Deferred}


def apply(name: str, *operands: Any) -> Any:
    """Return the operator `name` of any values, by the rule of the strongest class among them."""
    if Deferred in map(type, operands):
        return _pending(name, operands)
    for value in operands:
        if isinstance(value, ObjectValue | StandIn):
            result = value.operator(name, operands)
            if result is not NotImplemented:
                return result
    if any(isinstance(value, SparseArray) for value in operands):
        from runmat_core.values import sparse_arithmetic

        if len(operands) == 1:
            return sparse_arithmetic.unary(name, operands[0])
        return sparse_arithmetic.binary(name, *operands)
    if name in ("transpose", "ctranspose"):
        return OPERATORS[name](*operands)
    if any(isinstance(value, StringArray) for value in operands):
        return _string(name, operands)
    for value in operands:
        if class_of(value) not in PLAIN:
            return _other(name, operands, value)
    return OPERATORS[name](*operands)


def _pending(name: str, operands: tuple[Any, ...]) -> Any:
    """Apply an operator to pending operands, by the rule in force if that may know of these."""
    at_hand: list[Any] = []
    known = True
    waits = False
    for value in operands:
        if value.__class__ is Deferred:
            value = value.at_hand()
            waits = waits or value.__class__ is Deferred
        known = known and value.__class__ in PENDING
        at_hand.append(value)
    operands = tuple(at_hand)
    if not waits:
        return _BY_NAME[name](*operands)
    rule = OPERATORS[name]
    if known and rule is not HOST_RULES[name]:
        return rule(*operands)
    for value in operands:
        if isinstance(value, StandIn):
            return value.operator(name, operands)
    return _BY_NAME[name](*map(settled, operands))


def _string(name: str, operands: tuple[Any, ...]) -> Any:
    from runmat_core.values import string_operators

    if name == "plus":
        return string_operators.string_plus(*operands)
    if name in COMPARISONS:
        return string_operators.string_compare(name, *operands)
    if name == "or_":
        from runmat_core.values.pattern import as_pattern

        return as_pattern(operands[0]).operator(name, operands)
    raise errors.undefined_operator(SYMBOL[name], "string")


def _other(name: str, operands: tuple[Any, ...], culprit: Value) -> Any:
    """Containers have no operators but the identity of handles."""
    if name in ("eq", "ne") and all(isinstance(v, FunctionHandle) for v in operands):
        same = operands[0] is operands[1] or operands[0].fn is operands[1].fn
        return same == (name == "eq")
    if name in ("eq", "ne") and all(isinstance(v, HandleObject) for v in operands):
        return (operands[0] is operands[1]) == (name == "eq")
    raise errors.undefined_operator(SYMBOL[name], class_of(culprit))


# -- scalars -------------------------------------------------------------------------------------


def divide(a: float, b: float) -> float:
    """Return the IEEE quotient of two floats."""
    if b:
        return a / b
    if a != a or b != b or a == 0:
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1.0, b)


def divide_left(a: float, b: float) -> float:
    return divide(b, a)


def scalar_power(a: float, b: float) -> Any:
    """Return ``a ^ b`` of floats; complex where `a` is negative and `b` is no integer."""
    try:
        result = a**b
    except OverflowError:
        return -math.inf if a < 0 and b % 2 == 1 else math.inf
    except ZeroDivisionError:
        odd = math.copysign(1.0, a) < 0 and b % 2 == 1
        return -math.inf if odd else math.inf
    return scalar_complex(result) if result.__class__ is complex else result


# -- the operators -------------------------------------------------------------------------------


_new = object.__new__


def _boxes(*numbers: float) -> dict[float, Any]:
    """Numbers that programs often write, as NumPy takes them soonest: it looks at no class."""
    return {number: np.array(number) for number in map(float, numbers)}


#: Without zero, of which there are two.
_BOXED = _boxes(*range(-16, 0), *range(1, 65), 0.5, -0.5, 0.25, 0.1, 100, 1000)
#: A relation does not tell them apart.
_COMPARED = {**_BOXED, **_boxes(0)}


#: Operators whose work does not follow from the number of elements.
_CUBIC = frozenset({"mtimes", "mrdivide", "mldivide", "mpower"})


def _binary(name: str, scalars: Rule, ufunc: Any = None) -> Rule:
    """Return the operator `name`: `scalars` of two floats, `ufunc` of an array and a number.

    Loops over small arrays of doubles spend their time between an operator and NumPy, so what is
    done most there needs no other call. Without `ufunc` there is no short way.
    """
    warns = name not in COMPARISONS
    own = HOST_RULES[name]
    alike = name not in ("mtimes", "mrdivide")
    cubic = name in _CUBIC
    boxed = _BOXED if warns else _COMPARED

    def rule(a: Any, b: Any) -> Any:
        kind, other = a.__class__, b.__class__
        if kind is float and other is float:
            return scalars(a, b)
        if kind is Array and ufunc is not None:
            x = a.data
            size = x.size
            if x.dtype is DOUBLE and size > 1 and (size < HOOKS.smallest or HOOKS.at_once(size)):
                y: Any = None
                if other is Array:
                    y = b.data
                elif other is float:
                    y = boxed.get(b, b)
                if other is float or (
                    alike and other is Array and y.dtype is DOUBLE and y.shape == x.shape
                ):
                    result = _new(Array)
                    if warns and not HOOKS.programs:
                        result.data = quiet(ufunc, x, y)
                    else:
                        result.data = ufunc(x, y)
                    return result
                if alike and other is Array and y.dtype is DOUBLE and y.size < HOOKS.smallest:
                    found = _spread(ufunc, x, y)
                    if found is not None:
                        return found
            elif size == 1 and warns and (other is Array or other is float):
                found = integers.of_scalars(ufunc, x, b if other is float else b.data)
                if found is not None:
                    result = _new(Array)
                    result.data = found
                    return result
        elif kind is float and other is Array and ufunc is not None and name != "mrdivide":
            y = b.data
            size = y.size
            if y.dtype is DOUBLE and size > 1 and (size < HOOKS.smallest or HOOKS.at_once(size)):
                result = _new(Array)
                if warns and not HOOKS.programs:
                    result.data = quiet(ufunc, a, y)
                else:
                    result.data = ufunc(boxed.get(a, a), y)
                return result
        elif kind is CharArray and other is CharArray and not warns:
            first, second = a.content, b.content
            if first.__class__ is second.__class__ is str and len(second) == 1:
                if len(first) == 1:  # Python orders characters by their codes, too
                    return scalars(first, second)
                found = comparison.with_character(ufunc, first, second)
                if found is not None:
                    return found
        if kind in NUMBERS and other in NUMBERS:
            x = a.data.size if kind is Array else 1
            y = b.data.size if other is Array else 1
            if x * y >= HOOKS.smallest and kind is other is Array and not cubic:
                x = expanded_size(a.data.shape, b.data.shape)
            elif y > x:
                x = y
            if x < HOOKS.smallest or (not cubic and HOOKS.at_once(x)):
                return own(a, b)
            return OPERATORS[name](a, b)
        if (kind is Deferred or other is Deferred) and name in DIRECT:
            result = DIRECT[name](a, b)
            if result is not NotImplemented:
                return result
        return apply(name, a, b)

    rule.__name__ = rule.__qualname__ = name
    rule.__doc__ = f"``a {SYMBOL[name]} b``."
    return rule


def expanded_size(a: tuple[int, ...], b: tuple[int, ...]) -> int:
    """Return how many elements the size has that two sizes expand to, if they do."""
    return math.prod(map(max, zip_longest(a, b, fillvalue=1)))


def _spread(ufunc: Any, x: Any, y: Any) -> Any:
    """Return an operator of small matrices of doubles whose sizes differ.

    Return None where they do not fit.
    """
    if x.ndim != 2 or y.ndim != 2 or y.size < 2:
        return None
    (height, width), (rows, columns) = x.shape, y.shape
    if not (height == rows or height == 1 or rows == 1):
        return None
    if not (width == columns or width == 1 or columns == 1):
        return None
    if x.size * y.size >= HOOKS.smallest <= expanded_size(x.shape, y.shape):
        return None
    result = object.__new__(Array)
    found = quiet(ufunc, x, y)
    result.data = found if found.flags.f_contiguous else found.copy("F")
    return result


plus = _binary("plus", operator.add, np.add)
minus = _binary("minus", operator.sub, np.subtract)
times = _binary("times", operator.mul, np.multiply)
_mtimes = _binary("mtimes", operator.mul, np.multiply)
rdivide = _binary("rdivide", divide, np.divide)
ldivide = _binary("ldivide", divide_left)
mrdivide = _binary("mrdivide", divide, np.divide)
mldivide = _binary("mldivide", divide_left)
_power = _binary("power", scalar_power)
mpower = _binary("mpower", scalar_power)
eq = _binary("eq", operator.eq, np.equal)
ne = _binary("ne", operator.ne, np.not_equal)
lt = _binary("lt", operator.lt, np.less)
le = _binary("le", operator.le, np.less_equal)
gt = _binary("gt", operator.gt, np.greater)
ge = _binary("ge", operator.ge, np.greater_equal)


def mtimes(a: Any, b: Any) -> Any:
    """Return ``a * b``."""
    if a.__class__ is Array and b.__class__ is Array:
        x, y = a.data, b.data
        least = HOOKS.smallest
        if x.size < least and y.size < least:
            if x.shape[0] * y.shape[1] >= least:
                return OPERATORS["mtimes"](a, b)
            found = products.of_doubles(x, y)
            if found is not None:
                return found
    return _mtimes(a, b)


def power(a: Any, b: Any) -> Any:
    """Return ``a .^ b``."""
    if b.__class__ is float and b == 2.0 and a.__class__ is Array:
        x = a.data
        if x.dtype is DOUBLE and 1 < x.size < HOOKS.smallest:
            result = _new(Array)
            result.data = np.square(x) if HOOKS.programs else quiet(np.square, x)
            return result
    return _power(a, b)


def _logic(name: str, ufunc: Any) -> Rule:
    own = HOST_RULES[name]

    def rule(a: Any, b: Any) -> Any:
        kind, other = a.__class__, b.__class__
        if kind is bool and other is bool:
            return (a and b) if name == "and_" else (a or b)
        if kind is Array and other is Array:
            x, y = a.data, b.data
            plain = x.dtype is LOGICAL and y.dtype is LOGICAL and x.shape == y.shape
            if plain and 1 < x.size < HOOKS.smallest:
                result = _new(Array)
                result.data = ufunc(x, y)
                return result
        if kind in NUMBERS and other in NUMBERS:
            x = a.data.size if kind is Array else 1
            y = b.data.size if other is Array else 1
            if x * y >= HOOKS.smallest and kind is other is Array:
                x = expanded_size(a.data.shape, b.data.shape)
            elif y > x:
                x = y
            if x < HOOKS.smallest or HOOKS.at_once(x):
                return own(a, b)
            return OPERATORS[name](a, b)
        if a.__class__ is Deferred and name in DIRECT:
            result = DIRECT[name](a, b)
            if result is not NotImplemented:
                return result
        return apply(name, a, b)

    rule.__name__ = rule.__qualname__ = name
    rule.__doc__ = f"``a {SYMBOL[name]} b``, which evaluates both."
    return rule


and_ = _logic("and_", np.logical_and)
or_ = _logic("or_", np.logical_or)


def _applied(name: str, a: Any) -> Any:
    """`apply` to one operand, which is tried for the short cut first."""
    if a.__class__ is Deferred and name in DIRECT:
        result = DIRECT[name](a)
        if result is not NotImplemented:
            return result
    return apply(name, a)


def not_(a: Any) -> Any:
    """Return ``~a``."""
    if a.__class__ is bool:
        return not a
    if a.__class__ is float and a == a:
        return a == 0
    if a.__class__ is Array and (a.data.size < HOOKS.smallest or HOOKS.at_once(a.data.size)):
        x = a.data
        if x.dtype is LOGICAL and x.size != 1:
            result = _new(Array)
            result.data = np.logical_not(x)
            return result
        return comparison.not_(a)
    return OPERATORS["not_"](a) if a.__class__ in NUMBERS else _applied("not_", a)


def uminus(a: Any) -> Any:
    """Return ``-a``."""
    if a.__class__ is float:
        return -a
    if a.__class__ is Array and (a.data.size < HOOKS.smallest or HOOKS.at_once(a.data.size)):
        x = a.data
        if x.dtype is DOUBLE and x.size != 1:
            result = _new(Array)
            result.data = np.negative(x)
            return result
        return arithmetic.uminus(a)
    return OPERATORS["uminus"](a) if a.__class__ in NUMBERS else _applied("uminus", a)


def uplus(a: Any) -> Any:
    """Return ``+a``."""
    if a.__class__ is Array and (a.data.size < HOOKS.smallest or HOOKS.at_once(a.data.size)):
        return arithmetic.uplus(a)
    return a if a.__class__ is float else apply("uplus", a)


def transpose(a: Any) -> Any:
    """Return ``a.'``."""
    if a.__class__ is Array:
        if a.data.size < HOOKS.smallest or HOOKS.at_once(a.data.size):
            return products.transpose(a)
        return OPERATORS["transpose"](a)
    return _applied("transpose", a) if isinstance(a, Value) else a


def ctranspose(a: Any) -> Any:
    """Return ``a'``."""
    if a.__class__ is Complex:
        return Complex(a.conjugate())
    if a.__class__ is Array:
        data = a.data
        if data.dtype is DOUBLE and data.ndim == 2 and data.size < HOOKS.smallest:
            turned = _new(Array)
            # a vector lies in memory as its transpose does: both may hold the buffer
            turned.data = data.T if 1 in data.shape else data.T.copy("F")
            return turned
        if data.size < HOOKS.smallest or HOOKS.at_once(data.size):
            return products.ctranspose(a)
        return OPERATORS["ctranspose"](a)
    return _applied("ctranspose", a) if isinstance(a, Value) else a


_BY_NAME: dict[str, Rule] = {
    rule.__name__: rule
    for rule in (
        *(plus, minus, times, mtimes, rdivide, ldivide, mrdivide, mldivide, power, mpower),
        *(eq, ne, lt, le, gt, ge, and_, or_, not_, uminus, uplus, transpose, ctranspose),
    )
}
