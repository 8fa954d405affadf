"""Bits of integers."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import ir
from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.fusion import Map
from runmat_core.builtins.arguments import fits, integer_dtype, numeric, option, whole
from runmat_core.builtins.lift import expand
from runmat_core.values import DTYPE, INTEGER_CLASSES, class_of, from_numpy, is_text, size_of
from runmat_core.values.chunks import chunks

Operand = NDArray[Any]


def _bits(value: Any, name: str, dtype: np.dtype[Any]) -> Operand:
    """Return a nonnegative whole argument as integers of the type that an operation works in."""
    a = numeric(value, name)
    if a.dtype.kind in "iu":
        return a.astype(dtype)
    if a.dtype.kind == "b":
        return a.astype(dtype)
    converted = _converted(a, dtype) if a.dtype.kind == "f" else None
    if converted is not None:
        return converted
    inside = a.dtype.kind != "c" and ((a >= 0) & (a <= np.iinfo(dtype).max) & (a % 1 == 0)).all()
    if not inside:
        raise MatlabError(
            f"MATLAB:{name}:inputsMustBeNonnegativeIntegers",
            "Double inputs must have integer values in the range of ASSUMEDTYPE.",
        )
    return a.astype(dtype)


def _converted(a: Operand, dtype: np.dtype[Any]) -> Operand | None:
    """Nonnegative whole numbers as integers; None where others are among them, or beyond 2^63."""
    result = np.empty_like(a, np.int64)
    given, made = a.ravel(order="K"), result.ravel(order="K")
    most = min(np.iinfo(dtype).max, 2**63 - 1)
    with np.errstate(invalid="ignore"):
        for at in chunks(given.size):
            part = made[at]
            np.copyto(part, given[at], casting="unsafe")
            if part.min() < 0 or part.max() > most or not np.equal(part, given[at]).all():
                return None
    return result.view(dtype) if dtype.itemsize == 8 else result.astype(dtype)


def _working_type(x: Any, y: Any, assumed: Any, name: str) -> tuple[np.dtype[Any], bool]:
    """Return the integer type to work in, and whether the result has it."""
    dtype = integer_dtype(x, y, name)
    if dtype is not None:
        return dtype, True
    if assumed is not None:
        word = option(assumed) if is_text(assumed) else None
        if word not in INTEGER_CLASSES:
            raise MatlabError(f"MATLAB:{name}:invalidAssumedType", "Invalid ASSUMEDTYPE.")
        return np.dtype(word), False
    return np.dtype(np.uint64), False


def _of_floats(rule: Callable[[int, int], int]) -> Callable[[float, float], Any]:
    """Return a bit operation on doubles that are nonnegative integers."""

    def combine(x: float, y: float) -> Any:
        if 0 <= x < 2.0**53 and 0 <= y < 2.0**53 and x % 1 == 0 and y % 1 == 0:
            return float(rule(int(x), int(y)))
        return NotImplemented

    return combine


def _combine(name: str, x: Any, y: Any, assumed: Any, rule: Any) -> Any:
    dtype, keep = _working_type(x, y, assumed, name)
    a, b = expand([_bits(x, name, dtype), _bits(y, name, dtype)])
    return _result(rule(a, b), keep, x, y)


def _result(bits: Operand, keep: bool, *operands: Any) -> Any:
    if keep:
        return from_numpy(bits)
    if all(class_of(v) == "logical" for v in operands):
        return from_numpy(bits != 0)
    single = any(class_of(v) == "single" for v in operands)
    if bits.dtype == np.uint64 and bits.size and bits.max() < 2**63:
        bits = bits.view(np.int64)  # these are converted in less time
    return from_numpy(bits.astype(np.float32 if single else np.float64))


def _whole(x: Any, y: Any) -> bool:
    """Whether the operands are integers, with doubles that their class holds."""
    return any(class_of(v) in INTEGER_CLASSES for v in (x, y)) and fits(x, y, least=0)


def _is_shift(x: Any, k: Any) -> bool:
    """Whether integers are to be shifted by a number of places that they have."""
    cls = class_of(x)
    if cls not in INTEGER_CLASSES or k.__class__ is not float:
        return False
    return k % 1 == 0 and abs(k) < 8 * DTYPE[cls].itemsize


def _shifted(x: Any, k: Any) -> Any:
    """bitshift in kernel IR: right for negative k."""
    places = ir.cast(ir.abs_(k), x.dtype)
    return ir.where(k >= 0.0, ir.shl(x, places), ir.shr(x, places))


@builtin(
    "bitand",
    family="math/bits",
    scalar=_of_floats(operator.and_),
    effects="pure",
    fusion=Map(lambda x, y: ir.bitand(x, y), "common", accepts=_whole),
)
def bitand(x: Any, y: Any, assumed: Any = None) -> Any:
    """Bitwise AND of nonnegative integers.

    C = bitand(A, B), C = bitand(A, B, ASSUMEDTYPE)

    Examples:
        >> bitand(12, 10)
        ans =
             8

    See also: bitor, bitxor, bitshift, bitget.
    """
    return _combine("bitand", x, y, assumed, np.bitwise_and)


@builtin(
    "bitor",
    family="math/bits",
    scalar=_of_floats(operator.or_),
    effects="pure",
    fusion=Map(lambda x, y: ir.bitor(x, y), "common", accepts=_whole),
)
def bitor(x: Any, y: Any, assumed: Any = None) -> Any:
    """Bitwise OR of nonnegative integers.

    C = bitor(A, B), C = bitor(A, B, ASSUMEDTYPE)

    Examples:
        >> bitor(12, 10)
        ans =
            14

    See also: bitand, bitxor, bitset.
    """
    return _combine("bitor", x, y, assumed, np.bitwise_or)


@builtin(
    "bitxor",
    family="math/bits",
    scalar=_of_floats(operator.xor),
    effects="pure",
    fusion=Map(lambda x, y: ir.bitxor(x, y), "common", accepts=_whole),
)
def bitxor(x: Any, y: Any, assumed: Any = None) -> Any:
    """Bitwise exclusive OR of nonnegative integers.

    C = bitxor(A, B), C = bitxor(A, B, ASSUMEDTYPE)

    Examples:
        >> bitxor(12, 10)
        ans =
             6

    See also: bitand, bitor, xor.
    """
    return _combine("bitxor", x, y, assumed, np.bitwise_xor)


@builtin(
    "bitshift", family="math/bits", effects="pure", fusion=Map(_shifted, "own", accepts=_is_shift)
)
def bitshift(x: Any, k: Any, assumed: Any = None) -> Any:
    """Bits shifted left by K places, right for negative K.

    C = bitshift(A, K), C = bitshift(A, K, ASSUMEDTYPE)

    Bits shifted out at the left are lost: beyond 53 for doubles.

    Examples:
        >> bitshift(5, [1 -1])
        ans =
            10     2

    See also: bitand, bitor, pow2.
    """
    dtype, keep = _working_type(x, 0.0, assumed, "bitshift")
    a, places = expand(
        [_bits(x, "bitshift", dtype), whole(k, "bitshift").reshape(size_of(k), order="F")]
    )
    width = 8 * dtype.itemsize
    amount = np.minimum(np.abs(places), width - 1).astype(dtype)
    left = np.where(np.abs(places) < width, np.left_shift(a, amount), 0)
    # in the type itself: NumPy combines int64 with uint64 to double
    gone = np.where(a < 0, -1, 0).astype(dtype)
    right = np.where(np.abs(places) < width, np.right_shift(a, amount), gone)
    shifted = np.where(places >= 0, left, right).astype(dtype)
    if not keep and assumed is None:
        shifted = shifted & np.uint64(2**53 - 1)
    return _result(shifted, keep, x)


@builtin(
    "bitcmp",
    family="math/bits",
    effects="pure",
    fusion=Map(lambda x: ir.bitnot(x), "same", accepts=lambda x: class_of(x) in INTEGER_CLASSES),
)
def bitcmp(x: Any, assumed: Any = None) -> Any:
    """Bitwise complement.

    C = bitcmp(A), C = bitcmp(A, ASSUMEDTYPE)

    Examples:
        >> bitcmp(uint8(5))
        ans =
          uint8
           250

    See also: bitand, bitxor.
    """
    dtype, keep = _working_type(x, 0.0, assumed, "bitcmp")
    flipped = np.bitwise_not(_bits(x, "bitcmp", dtype))
    if not keep and assumed is None:
        flipped = flipped & np.uint64(2**53 - 1)
    return _result(flipped, keep, x)


def _places(bit: Any, dtype: np.dtype[Any], name: str) -> Operand:
    places = whole(bit, name).reshape(size_of(bit), order="F")
    width = 8 * dtype.itemsize
    if ((places < 1) | (places > width)).any():
        raise MatlabError(
            f"MATLAB:{name}:bitOutOfRange", f"Bit position must be in the range [1, {width}]."
        )
    return places - 1


@builtin("bitget", family="math/bits", effects="pure")
def bitget(x: Any, bit: Any, assumed: Any = None) -> Any:
    """Value of the bit at a place, counted from 1 for the lowest.

    B = bitget(A, BIT), B = bitget(A, BIT, ASSUMEDTYPE)

    Examples:
        >> bitget(6, 1:3)
        ans =
             0     1     1

    See also: bitset, bitand, bitshift.
    """
    dtype, keep = _working_type(x, 0.0, assumed, "bitget")
    a, places = expand([_bits(x, "bitget", dtype), _places(bit, dtype, "bitget")])
    return _result(np.right_shift(a, places.astype(dtype)) & dtype.type(1), keep, x)


@builtin("bitset", family="math/bits", effects="pure")
def bitset(x: Any, bit: Any, value: Any = 1.0, assumed: Any = None) -> Any:
    """Number with the bit at a place set, or cleared.

    C = bitset(A, BIT), C = bitset(A, BIT, V) clears the bit where V is zero
    C = bitset(…, ASSUMEDTYPE) of doubles that stand for this integer class

    Examples:
        >> bitset(8, 1)
        ans =
             9

    See also: bitget, bitor.
    """
    if is_text(value) and assumed is None:
        value, assumed = 1.0, value
    dtype, keep = _working_type(x, 0.0, assumed, "bitset")
    operands = [_bits(x, "bitset", dtype), _places(bit, dtype, "bitset")]
    a, places, on = expand([*operands, numeric(value, "bitset") != 0])
    masks = np.left_shift(np.ones_like(places, dtype=dtype), places.astype(dtype))
    return _result(np.where(on, a | masks, a & ~masks).astype(dtype), keep, x)
