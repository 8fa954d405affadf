"""Arithmetic of a complex and a real operand, which goes part by part.

A real operand has no imaginary part, not one that is zero: zero times infinity would be NaN, and a
sum would lose the sign of a zero. So ``(Inf + 1i) * 2`` is ``Inf + 2i``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import errors
from runmat_core.values.chunks import CHUNK, chunks
from runmat_core.values.classes import goes_by_parts, is_complex, quiet

Operand = Any  # a Python float or complex, or an ndarray
_COMPLEX = np.dtype(np.complex128)


def by_parts(ufunc: Any, x: Operand, y: Operand) -> NDArray[Any]:
    """Return the sum, difference, product or quotient of operands that `goes_by_parts`.

    Args:
        x: this operand or the other is an array; both have one rank.

    Raises:
        MatlabError: MATLAB:sizeDimensionsMustMatch.
    """
    first = is_complex(x)
    z, real = (x, y) if first else (y, x)
    if z.__class__ is np.ndarray:
        if z.dtype is not _COMPLEX:
            z = quiet(z.astype, np.result_type(z, real), order="F", copy=False)
        if real.__class__ is not np.ndarray or real.size == 1:
            return _with_number(ufunc, z, real, first)
        plain = z.flags.f_contiguous and real.flags.f_contiguous
        if plain and z.shape == real.shape and z.size > CHUNK:
            return _by_chunks(ufunc, z, real, first)
        shape = z.shape
    else:
        shape = real.shape
    if z.__class__ is not np.ndarray or shape != real.shape:
        try:
            shape = np.broadcast_shapes(np.shape(x), np.shape(y))
        except ValueError:
            raise errors.incompatible_sizes() from None
    kind = z.dtype if z.__class__ is np.ndarray else np.result_type(z, real)
    out = np.empty(shape, kind, order="F")
    quiet(_parts, ufunc, z, real, first, out)
    return out


def _with_number(ufunc: Any, z: NDArray[Any], real: Operand, first: bool) -> NDArray[Any]:
    """Return an array of complex elements and a real number."""
    number = real.item() if real.__class__ is np.ndarray else real
    if ufunc is np.multiply or ufunc is np.divide:
        flat = z if z.flags.f_contiguous else z.copy(order="F")
        scaled: NDArray[Any] = quiet(ufunc, flat.T.view(z.dtype.char.lower()), number)
        return scaled.view(z.dtype).T
    out = z.copy(order="F") if first or ufunc is np.add else np.negative(z, order="F")
    part = out.real
    quiet(ufunc if first else np.add, part, number, part)
    return out


def _by_chunks(ufunc: Any, z: NDArray[Any], real: NDArray[Any], first: bool) -> NDArray[Any]:
    """Arrays of one size, in parts that stay in the processor's cache."""
    out = np.empty(z.shape, z.dtype, order="F")
    made, a, b = (v.ravel(order="F") for v in (out, z, real))
    for part in chunks(z.size):
        quiet(_parts, ufunc, a[part], b[part], first, made[part])
    return out


def _parts(ufunc: Any, z: Operand, real: Operand, first: bool, out: NDArray[Any]) -> None:
    """Write both parts to `out`; `first` says whether the complex operand is the first one."""
    x, y = (z.real, real) if first else (real, z.real)
    ufunc(x, y, out.real)
    if ufunc is np.multiply or ufunc is np.divide:
        ufunc(z.imag, real, out.imag)
    elif first or ufunc is np.add:
        out.imag = z.imag
    else:
        np.negative(z.imag, out.imag)


def bilinear(rule: Callable[[Any, Any], Any], x: Operand, y: Operand) -> Any:
    """Return ``rule(x, y)`` of real parts and imaginary ones where one operand alone is complex.

    Args:
        rule: linear in each of two arrays, which gives an array (products and their like).
    """
    first = is_complex(x)
    if first == is_complex(y):
        return rule(x, y)
    real = rule(x.real, y) if first else rule(x, y.real)
    out = np.empty(real.shape, np.result_type(real, 1j), order="F")
    out.real = real
    out.imag = rule(x.imag, y) if first else rule(x, y.imag)
    return out


def multiply(x: NDArray[Any], y: NDArray[Any]) -> NDArray[Any]:
    """Return the product of arrays of one rank, element by element."""
    if goes_by_parts("multiply", x, y):
        return by_parts(np.multiply, x, y)
    product: NDArray[Any] = np.multiply(x, y)
    return product


def divide(x: NDArray[Any], y: Operand) -> NDArray[Any]:
    """Return the quotient of arrays of one rank, or of an array and a number."""
    if goes_by_parts("divide", x, y):
        return by_parts(np.divide, x, y)
    quotient: NDArray[Any] = np.divide(x, y)
    return quotient


def of_scalars(name: str, x: Operand, y: Operand) -> complex:
    """Return what operands that `goes_by_parts` come to where both are Python numbers.

    Args:
        y: for a quotient, not zero.
    """
    first = is_complex(x)
    if name == "multiply":
        return complex(x.real * y, x.imag * y) if first else complex(x * y.real, x * y.imag)
    if name == "divide":
        return complex(x.real / y, x.imag / y)
    if name == "add":
        return complex(x.real + y.real, x.imag if first else y.imag)
    return complex(x.real - y.real, x.imag if first else -y.imag)
