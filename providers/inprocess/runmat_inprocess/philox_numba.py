"""Philox words, and uniforms made of them, compiled by numba; imported only where it is installed.

Uniforms go from the generator to their array in one call that lets go of the interpreter lock:
through an array of words they would take a third more time, and six turns with the lock.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import carray, types  # type: ignore[attr-defined]
from numba.extending import intrinsic

_M0, _M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_W0, _W1 = np.uint32(0x9E3779B9), np.uint32(0xBB67AE85)
_SHIFT = np.uint64(32)
_FOUR = np.uint64(4)


@numba.njit(inline="always")
def _block(key0: Any, key1: Any, counter: Any) -> Any:
    """The four words of a block."""
    x0, x1 = np.uint32(counter), np.uint32(counter >> _SHIFT)
    x2, x3 = np.uint32(0), np.uint32(0)
    for _ in range(10):
        p, q = _M0 * np.uint64(x0), _M1 * np.uint64(x2)
        # two of the words are 64 bits wide for numba; to make them narrow takes twice the time
        x0, x1 = np.uint32(q >> _SHIFT) ^ x1 ^ key0, np.uint32(q)
        x2, x3 = np.uint32(p >> _SHIFT) ^ x3 ^ key1, np.uint32(p)
        key0, key1 = np.uint32(key0 + _W0), np.uint32(key1 + _W1)
    return x0, x1, x2, x3


@numba.njit(inline="always")
def _word(key0: Any, key1: Any, number: Any) -> Any:
    """One word, by its number."""
    x0, x1, x2, x3 = _block(key0, key1, number // _FOUR)
    lane = number % _FOUR
    low, high = (x0, x1) if lane < 2 else (x2, x3)
    return low if lane % np.uint64(2) == 0 else high


@numba.njit(inline="always")
def _single(word: Any) -> Any:
    """(x >> 9) * 2^-23 + 2^-24; no step of it rounds."""
    bits = np.float32(np.int32(word >> np.uint32(9)))
    return bits * np.float32(2.0**-23) + np.float32(2.0**-24)


@numba.njit(inline="always")
def _double(low: Any, high: Any) -> Any:
    """(x >> 12) * 2^-52 + 2^-53 of 64 bits; no step of it rounds."""
    bits = (np.uint64(low) | np.uint64(high) << _SHIFT) >> np.uint64(12)
    return np.float64(np.int64(bits)) * 2.0**-52 + 2.0**-53


@numba.njit(nogil=True, cache=True)
def fill(key0: Any, key1: Any, first: Any, out: Any) -> None:
    """Fill `out` (u32, whole blocks) with the words from block `first` on."""
    for b in range(out.shape[0] // 4):
        x0, x1, x2, x3 = _block(key0, key1, first + np.uint64(b))
        out[4 * b] = x0
        out[4 * b + 1] = x1
        out[4 * b + 2] = x2
        out[4 * b + 3] = x3


@numba.njit(nogil=True, cache=True)
def singles(key0: Any, key1: Any, first: Any, out: Any) -> None:
    """Fill `out` (f32) with uniforms of the words from word `first` on."""
    size = out.shape[0]
    head = min(np.int64((_FOUR - first % _FOUR) % _FOUR), size)
    for i in range(head):
        out[i] = _single(_word(key0, key1, first + np.uint64(i)))
    blocks = (size - head) // 4
    whole, start = out[head : head + 4 * blocks], (first + np.uint64(head)) // _FOUR
    for b in range(blocks):
        x0, x1, x2, x3 = _block(key0, key1, start + np.uint64(b))
        whole[4 * b] = _single(x0)
        whole[4 * b + 1] = _single(x1)
        whole[4 * b + 2] = _single(x2)
        whole[4 * b + 3] = _single(x3)
    for i in range(head + 4 * blocks, size):
        out[i] = _single(_word(key0, key1, first + np.uint64(i)))


@numba.njit(nogil=True, cache=True)
def doubles(key0: Any, key1: Any, first: Any, out: Any) -> None:
    """Fill `out` (f64) with uniforms of pairs of words from word `first` on, an even number."""
    size = out.shape[0]
    head = min(np.int64(first % _FOUR // np.uint64(2)), size)
    if head:
        _, _, low, high = _block(key0, key1, first // _FOUR)
        out[0] = _double(low, high)
    blocks = (size - head) // 2
    whole, start = out[head : head + 2 * blocks], (first + np.uint64(2 * head)) // _FOUR
    for b in range(blocks):
        x0, x1, x2, x3 = _block(key0, key1, start + np.uint64(b))
        whole[2 * b] = _double(x0, x1)
        whole[2 * b + 1] = _double(x2, x3)
    if head + 2 * blocks < size:
        low, high, _, _ = _block(key0, key1, start + np.uint64(blocks))
        out[size - 1] = _double(low, high)


@numba.njit(nogil=True, cache=True)
def paired_singles(key0: Any, key1: Any, first: Any, even: Any, odd: Any) -> None:
    """Fill two arrays with uniforms of every other word from word `first` on, an even number."""
    size = even.shape[0]
    head = min(np.int64(first % _FOUR // np.uint64(2)), size)
    if head:
        _, _, x2, x3 = _block(key0, key1, first // _FOUR)
        even[0], odd[0] = _single(x2), _single(x3)
    blocks = (size - head) // 2
    evens, odds = even[head : head + 2 * blocks], odd[head : head + 2 * blocks]
    start = (first + np.uint64(2 * head)) // _FOUR
    for b in range(blocks):
        x0, x1, x2, x3 = _block(key0, key1, start + np.uint64(b))
        evens[2 * b] = _single(x0)
        odds[2 * b] = _single(x1)
        evens[2 * b + 1] = _single(x2)
        odds[2 * b + 1] = _single(x3)
    if head + 2 * blocks < size:
        x0, x1, _, _ = _block(key0, key1, start + np.uint64(blocks))
        even[size - 1], odd[size - 1] = _single(x0), _single(x1)


@numba.njit(nogil=True, cache=True)
def paired_doubles(key0: Any, key1: Any, first: Any, even: Any, odd: Any) -> None:
    """Fill two arrays with uniforms of whole blocks from word `first` on, a multiple of four."""
    start = first // _FOUR
    for b in range(even.shape[0]):
        x0, x1, x2, x3 = _block(key0, key1, start + np.uint64(b))
        even[b] = _double(x0, x1)
        odd[b] = _double(x2, x3)


def _as_number(context: Any, pointer: Any) -> Any:
    """An address as a number."""

    def code(_: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ptrtoint(args[0], ir.IntType(64))

    return types.uint64(pointer), code


_number: Any = intrinsic(_as_number)


def _loop(element: Any) -> Any:
    """The signature of NumPy's loops, for results of a type."""
    to: Any = types.CPointer
    numbers, words = to(types.int64), to(types.uint64)
    return types.int32(words, to(to(element)), numbers, numbers, numbers)


# as loops of a table (`native`): the context holds the key, the first operand is a word's number


@numba.cfunc(_loop(types.float32), cache=True)
def single_loop(key: Any, data: Any, count: Any, strides: Any, auxiliary: Any) -> Any:
    out = carray(data[1], (count[0],))
    singles(np.uint32(key[0]), np.uint32(key[1]), _number(data[0]), out)
    return np.int32(0)


@numba.cfunc(_loop(types.float64), cache=True)
def double_loop(key: Any, data: Any, count: Any, strides: Any, auxiliary: Any) -> Any:
    out = carray(data[1], (count[0],))
    doubles(np.uint32(key[0]), np.uint32(key[1]), _number(data[0]), out)
    return np.int32(0)
