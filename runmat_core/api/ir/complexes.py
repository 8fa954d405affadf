"""What fusion specs of complex operands share: where a zero imaginary part makes a difference.

MATLAB makes a result real whose imaginary parts are all zero. In a graph that is known only when
the result is read, and what was captured of it before took it for complex. For most operations that
is the same; the guards of this module tell of the elements for which it is not.
"""

from __future__ import annotations

from collections.abc import Callable

from runmat_core.api import ir as t


def as_complex(*values: t.V) -> list[t.V]:
    """`values` in the complex type that an operation on all of them computes in."""
    single = any(value.dtype in ("f32", "c64") for value in values)
    return [t.cast(value, "c64" if single else "c128") for value in values]


def in_one_precision(*values: t.V) -> list[t.V]:
    """`values` in the precision that an operation on all of them computes in; real ones stay so."""
    single = any(value.dtype in ("f32", "c64") for value in values)
    wide, part = ("c64", "f32") if single else ("c128", "f64")
    return [t.cast(value, wide if value.dtype in t.COMPLEX else part) for value in values]


def beside_nan(function: Callable[..., t.V]) -> Callable[..., t.V]:
    """Where `function` gives NaN, and an operand has a zero imaginary part.

    A zero times an infinity is NaN, and real operands have no such zeros.
    """

    def guard(*values: t.V) -> t.V:
        return t.isnan(function(*in_one_precision(*values))) & _is_real(values)

    return guard


# -- a complex and a real operand, part by part: a real one has no zero that could make NaN --------


def plus(x: t.V, y: t.V) -> t.V:
    if x.dtype == y.dtype:
        return x + y
    if x.dtype in t.COMPLEX:
        return t.complex_(t.real(x) + y, t.imag(x))
    return t.complex_(x + t.real(y), t.imag(y))


def minus(x: t.V, y: t.V) -> t.V:
    if x.dtype == y.dtype:
        return x - y
    if x.dtype in t.COMPLEX:
        return t.complex_(t.real(x) - y, t.imag(x))
    return t.complex_(x - t.real(y), -t.imag(y))


def times(x: t.V, y: t.V) -> t.V:
    if x.dtype == y.dtype:
        return x * y
    if x.dtype in t.COMPLEX:
        return t.complex_(t.real(x) * y, t.imag(x) * y)
    return t.complex_(x * t.real(y), x * t.imag(y))


def divide(x: t.V, y: t.V) -> t.V:
    if x.dtype == y.dtype:
        return x / y
    if x.dtype in t.COMPLEX:
        return t.complex_(t.real(x) / y, t.imag(x) / y)
    return t.cast(x, y.dtype) / y


def outside(low: float, high: float, closed: bool = True) -> Callable[..., t.V]:
    """Where the operand lies on the real axis and not in [low, high], or (low, high].

    There a function that is real on that interval has a branch cut, and the sign of a zero says on
    which side the operand is; a real operand has none. Of NaN a complex function is NaN in both
    parts.
    """

    def guard(z: t.V) -> t.V:
        x = t.real(z)
        inside = (x >= low) if closed else (x > low)
        if high < float("inf"):
            inside = inside & (x <= high)
        return _is_real([z]) & ~inside

    return guard


def power_leaves(x: t.V, y: t.V) -> t.V:
    """Where the base of a power lies on its branch cut, or zeros meet infinities."""
    base, exponent = as_complex(x, y)
    found = t.isfinite(t.power(base, exponent))
    return _is_real([x, y]) & ((t.real(base) < 0.0) | ~found)


def by_parts(function: Callable[[t.V], t.V]) -> Callable[[t.V], t.V]:
    """Return `function` of the real and of the imaginary part."""
    return lambda z: t.complex_(function(t.real(z)), function(t.imag(z)))


def scaled_log(factor: float) -> Callable[[t.V], t.V]:
    """Return the logarithm to the base whose natural logarithm is the inverse of `factor`."""

    def function(z: t.V) -> t.V:
        found = t.log(z)
        return t.complex_(t.real(found) * factor, t.imag(found) * factor)

    return function


def log1p(z: t.V) -> t.V:
    """Return the logarithm of one more than `z`.

    Near one by the difference of its square and one.
    """
    x, y = t.real(z), t.imag(z)
    more = x * (x + 2.0) + y * y
    size = t.where(t.abs_(more) < 0.5, 0.5 * t.log1p(more), t.log(t.hypot(x + 1.0, y)))
    return t.complex_(size, t.atan2(y, x + 1.0))


def expm1(z: t.V) -> t.V:
    """Return the exponential less one, accurate near zero."""
    x, y = t.real(z), t.imag(z)
    half = t.sin(0.5 * y)
    return t.complex_(t.expm1(x) * t.cos(y) - 2.0 * (half * half), t.exp(x) * t.sin(y))


def sign(z: t.V) -> t.V:
    """Return the number of modulus one in the same direction; 0 of zero."""
    return t.where(z == 0.0, 0.0, z / t.cast(t.abs_(z), z.dtype))


def real(*values: t.V) -> t.V:
    """Where an operand has a zero imaginary part: real operands are compared in another way."""
    return _is_real(values)


def _is_real(values: tuple[t.V, ...] | list[t.V]) -> t.V:
    """Whether one of the complex values has a zero imaginary part."""
    tests = [t.imag(value) == 0.0 for value in values if value.dtype in t.COMPLEX]
    found = tests[0]
    for test in tests[1:]:
        found = found | test
    return found
