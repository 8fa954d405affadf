"""Map operations that are more than one ufunc, as functions ``function(*operands, out, *scratch)``.

Several only go round what NumPy is slow at; the measurements (nanoseconds an element, singles) are
of blocks of 128k elements.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_inprocess.scratch import scratch

#: The integer type of each size of element.
BITS = {1: np.dtype(np.int8), 2: np.dtype(np.int16), 4: np.dtype(np.int32), 8: np.dtype(np.int64)}


def special() -> Any:
    """Return SciPy's special functions, imported by the first kernel that needs them."""
    import scipy.special

    return scipy.special


def erfinv(x: Any, out: Any) -> None:
    """Compute the inverse error function, of both zeros as SciPy does."""
    np.copysign(special().erfinv(x), x, out)


def copy(x: Any, out: Any) -> None:
    np.copyto(out, x)


def select(condition: Any, if_true: Any, if_false: Any, out: Any, mask: Any) -> None:
    """By bits: masked copies take 4.7 where the condition is irregular, this 0.5."""
    if condition.all():
        np.copyto(out, if_true)
        return
    if not condition.any():
        np.copyto(out, if_false)
        return
    kind = BITS[out.itemsize]
    a, b, bits = if_true.view(kind), if_false.view(kind), out.view(kind)
    np.copyto(mask, condition)
    np.negative(mask, mask)  # all bits where true
    np.bitwise_xor(a, b, bits)
    np.bitwise_and(bits, mask, mask)
    np.bitwise_xor(mask, b, bits)


class Extremum:
    """``fmin`` or ``fmax``; with a scalar they take 0.34, with it spread out 0.16."""

    def __init__(self, ufunc: Any) -> None:
        self.ufunc = ufunc

    def __call__(self, x: Any, y: Any, out: Any) -> None:
        if out.ndim == 1 and out.size > 1 and x.size != y.size:
            small = x if x.size == 1 else y
            spread = scratch.get("spread", out.size, out.dtype)
            spread.fill(small.item())
            x, y = (spread, y) if small is x else (x, spread)
        self.ufunc(x, y, out)


def power(x: Any, y: Any, out: Any, flag: Any) -> None:
    """``np.power`` takes 1.0 for positive bases but 9.5 where there are others; this 1.5."""
    exponent = y.item() if y.size == 1 else 0.0
    if x.size == 1 or exponent == 0 or exponent - exponent != 0:
        np.power(x, y, out)
        return
    np.absolute(x, out)
    np.equal(out, 0, flag)
    zeros = flag.any()
    if zeros:
        np.add(out, flag, out)
    np.power(out, y, out)
    if zeros:
        np.logical_not(flag, flag)
        (np.multiply if exponent > 0 else np.divide)(out, flag, out)
    if exponent % 1 == 0:
        if exponent % 2 == 1:
            np.copysign(out, x, out)
        return
    np.less(x, 0, flag)
    if flag.any():
        np.logical_and(flag, np.isfinite(x), flag)
        np.copyto(out, np.nan, where=flag)


def round_half_away(x: Any, out: Any, rest: Any, half: Any) -> None:
    np.rint(x, out)  # halves go to even numbers, so only these are left to mend
    np.subtract(x, out, rest)
    np.absolute(rest, rest)
    np.equal(rest, 0.5, half)
    if half.any():
        np.copysign(0.5, x, rest)
        np.add(x, rest, out, where=half)


class Remainder:
    """MATLAB's ``mod`` or ``rem`` of floats; zero where the quotient is an integer to round-off."""

    def __init__(self, floored: bool) -> None:
        self.floored = floored

    def __call__(self, x: Any, y: Any, out: Any) -> None:
        np.fmod(x, y, out)
        if self.floored:
            opposite = ((out < 0) != (y < 0)) & (out != 0) & np.isfinite(y)
            # adding zero elsewhere: x - floor(x/y)*y is no negative zero
            np.add(out, np.where(opposite, y, 0), out)
        fractional = np.rint(y) != y
        if fractional.any():
            quotient = x / y
            nearest = np.rint(quotient)
            eps = np.finfo(out.dtype).eps
            whole = (np.abs(quotient - nearest) < eps * np.abs(nearest)) & (nearest != 0)
            np.copyto(out, 0, where=whole & fractional)
        zero = y == 0
        if zero.any():
            np.copyto(out, x if self.floored else np.nan, where=zero)


class IntegerRemainder:
    """The remainder of integers, floored or truncated; of a zero divisor as MATLAB has it."""

    def __init__(self, floored: bool) -> None:
        self.floored = floored

    def __call__(self, x: Any, y: Any, out: Any) -> None:
        zero = y == 0
        divisor = np.where(zero, np.ones_like(y), y)
        (np.mod if self.floored else np.fmod)(x, divisor, out)
        if zero.any():
            np.copyto(out, x if self.floored else 0, where=zero)


def integer_quotient(x: Any, y: Any, out: Any, zero: Any) -> None:
    """Towards zero; `out` is neither of the operands."""
    np.equal(y, 0, zero)
    divisor = np.where(zero, np.ones_like(y), y) if zero.any() else y
    np.fmod(x, divisor, out)
    np.subtract(x, out, out)
    # nothing is left to round
    np.floor_divide(out, divisor, out)
    if zero.any():
        np.copyto(out, 0, where=zero)


def gamma(x: Any, out: Any, pole: Any) -> None:
    special().gamma(x, out)
    np.less_equal(x, 0, pole)
    if pole.any():
        np.logical_and(pole, np.floor(x) == x, pole)
        np.copyto(out, np.inf, where=pole)


# -- complex elements ------------------------------------------------------------------------------


def joined(x: Any, y: Any, out: Any) -> None:
    """Complex elements of their parts."""
    out.real = x
    out.imag = y


def real(z: Any, out: Any) -> None:
    np.copyto(out, z.real)


def imag(z: Any, out: Any) -> None:
    np.copyto(out, z.imag)


def chosen(condition: Any, if_true: Any, if_false: Any, out: Any) -> None:
    np.copyto(out, if_false)
    np.copyto(out, if_true, where=condition)


def product(x: Any, y: Any, out: Any) -> None:
    """NumPy contracts products into sums, which leaves z times its conjugate an imaginary part.

    Where that of the first element is zero without, all may be: einsum contracts nothing.
    """
    if out.size and not (complex(x.flat[0]) * complex(y.flat[0])).imag:
        np.einsum("...,...->...", x, y, out=out)
    else:
        np.multiply(x, y, out)


def quotient(x: Any, y: Any, out: Any, zero: Any) -> None:
    """NumPy gives NaN for z/0; here each part is divided by the divisor's real one."""
    np.true_divide(x, y, out)
    np.equal(y, 0, zero)
    if zero.any():
        np.divide(x.real, y.real, out.real, where=zero)
        np.divide(x.imag, y.real, out.imag, where=zero)


def complex_power(x: Any, y: Any, out: Any, zero: Any) -> None:
    """NumPy gives NaN for 0^0."""
    np.power(x, y, out)
    np.equal(y, 0, zero)
    if zero.any():
        np.copyto(out, 1, where=zero)
