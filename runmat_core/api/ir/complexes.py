"""What fusion specs of complex operands share: where a zero imaginary part makes a difference.

MATLAB makes a result real whose imaginary parts are all zero. In a graph that is known only when
the result is read, and what was captured of it before took it for complex. For most operations that
is the same; the guards of this module tell of the elements for which it is not.
"""

from __future__ import annotations

from collections.abc import Callable

from runmat_core.api.ir import tracing as t
from runmat_core.api.ir.kernel import COMPLEX


def as_complex(*values: t.V) -> list[t.V]:
    """`values` in the complex type that an operation on all of them computes in."""
    single = any(value.dtype in ("f32", "c64") for value in values)
    return [t.cast(value, "c64" if single else "c128") for value in values]


def beside_nan(function: Callable[..., t.V]) -> Callable[..., t.V]:
    """Where `function` gives NaN, and an operand has a zero imaginary part.

    A zero times an infinity is NaN, and real operands have no such zeros.
    """

    def guard(*values: t.V) -> t.V:
        return t.isnan(function(*as_complex(*values))) & _is_real(values)

    return guard


def outside(low: float, high: float) -> Callable[..., t.V]:
    """Where the operand lies on the real axis outside of [low, high].

    There a function that is real on that interval has a branch cut, and the sign of a zero says on
    which side the operand is; a real operand has none.
    """

    def guard(z: t.V) -> t.V:
        x = t.real(z)
        beyond = [x < low] if low > -float("inf") else []
        if high < float("inf"):
            beyond.append(x > high)
        return _is_real([z]) & (beyond[0] if len(beyond) == 1 else beyond[0] | beyond[1])

    return guard


def _is_real(values: tuple[t.V, ...] | list[t.V]) -> t.V:
    """Whether one of the complex values has a zero imaginary part."""
    tests = [t.imag(value) == 0.0 for value in values if value.dtype in COMPLEX]
    found = tests[0]
    for test in tests[1:]:
        found = found | test
    return found
