"""The random stream Philox4x32-10: words, uniform and normal numbers by position, in NumPy.

A stream is a function of a key (two 32-bit words) and a position counted in 32-bit words: word w is
lane ``w % 4`` of the block with counter ``(w // 4 low, w // 4 high, 0, 0)``. Element i of a draw at
position p is a function of the key, p and i alone, in any order and any part:

- uniform single: word ``x = p + i``; ``(x >> 9) * 2^-23 + 2^-24``.
- uniform double: p is even; 52 bits of the words ``p + 2i`` (low) and ``p + 2i + 1`` (high), then
  ``bits * 2^-52 + 2^-53``. Neither is ever 0 or 1, and both are exact.
- normal: the uniform numbers come in pairs (u1, u2) that start at a multiple of two elements
  *of the stream*; the first of a pair becomes ``sqrt(-2 log u1) cos(2 pi u2)``, the second the same
  with the sine (Box and Muller, 1958). Every step is rounded to the type, also the angle.

What is here is the reference that other implementations are compared with: words and uniform
numbers bit by bit, normal numbers to 4 ulp of max(|z|, 1).

Source: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC11).
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Key = tuple[int, int]
Distribution = Literal["uniform", "normal"]
Element = Literal["f32", "f64"]
Words = NDArray[np.uint32]
Floats = NDArray[Any]

#: Words of the stream that an element takes.
WIDTH: dict[str, int] = {"f32": 1, "f64": 2}
DTYPE: dict[str, Any] = {"f32": np.float32, "f64": np.float64}

_ROUNDS = 10
_MULTIPLIERS = (np.uint64(0xD2511F53), np.uint64(0xCD9E8D57))
_WEYL = (0x9E3779B9, 0xBB67AE85)
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_POSITIONS = 1 << 64


def blocks(key: Key, numbers: NDArray[np.uint64]) -> Words:
    """Return the four words of each block with these 64-bit `numbers`; shape (n, 4)."""
    zero = np.zeros(numbers.size, np.uint64)
    return bijection(key, (numbers & _LOW, numbers >> _HALF, zero, zero.copy()))


def bijection(key: Key, counter: tuple[NDArray[np.uint64], ...]) -> Words:
    """Philox4x32-10 of counters given as four arrays of 32-bit words in uint64; shape (n, 4)."""
    x0, x1, x2, x3 = counter
    low, high = key
    product0, product1 = np.empty_like(x0), np.empty_like(x0)
    for _ in range(_ROUNDS):
        np.multiply(x0, _MULTIPLIERS[0], out=product0)
        np.multiply(x2, _MULTIPLIERS[1], out=product1)
        x0 = _mixed(product1, x1, low)
        x2 = _mixed(product0, x3, high)
        x1, x3 = product1 & _LOW, product0 & _LOW
        low, high = (low + _WEYL[0]) & 0xFFFFFFFF, (high + _WEYL[1]) & 0xFFFFFFFF
    words = np.empty((x0.size, 4), np.uint32)
    for lane, x in enumerate((x0, x1, x2, x3)):
        words[:, lane] = x
    return words


def _mixed(product: NDArray[np.uint64], x: NDArray[np.uint64], key: int) -> NDArray[np.uint64]:
    mixed = product >> _HALF
    mixed ^= x
    mixed ^= np.uint64(key)
    return mixed


def words(key: Key, position: int, count: int) -> Words:
    """`count` words of the stream from `position` on; positions wrap around at 2^64."""
    first, skipped = position >> 2, position & 3
    numbers = np.arange((skipped + count + 3) >> 2, dtype=np.uint64)
    numbers += np.uint64(first)
    numbers &= np.uint64((_POSITIONS >> 2) - 1)
    return blocks(key, numbers).reshape(-1)[skipped : skipped + count]


def words_at(key: Key, positions: NDArray[np.uint64]) -> Words:
    """Return the words at arbitrary `positions`, in the shape of these."""
    flat = positions.reshape(-1)
    of_blocks = blocks(key, flat >> np.uint64(2))
    lanes = (flat & np.uint64(3)).astype(np.intp)
    return of_blocks[np.arange(flat.size), lanes].reshape(positions.shape)


# -- numbers from words -------------------------------------------------------------------------


def aligned(position: int, dtype: str) -> int:
    """Return the position where a draw of `dtype` begins: doubles start at even words."""
    return (position + 1 & -2 if dtype == "f64" else position) % _POSITIONS


def uniforms(of: Words, dtype: str) -> Floats:
    """Uniform numbers from contiguous words: one for each word (f32) or each two (f64)."""
    # The bits become the fraction of a number in [1, 2); taking off 1 less half the spacing is
    # exact and shifts it into (0, 1).
    if dtype == "f32":
        bits = of >> np.uint32(9)
        bits |= np.uint32(0x3F800000)
        single = bits.view(np.float32)
        single -= np.float32(1 - 2**-24)
        return single
    wide = of.astype("<u4", copy=False).view("<u8") >> np.uint64(12)
    wide |= np.uint64(0x3FF0000000000000)
    double = wide.view(np.float64)
    double -= 1 - 2**-53
    return double


def box_muller(u: Floats) -> Floats:
    """Return normal numbers from uniform ones in pairs (u1, u2), an even number of them."""
    pair = u.reshape(-1, 2)
    two_pi = u.dtype.type(2 * np.pi)
    # contiguous operands: NumPy computes strided ones in another way, with other last bits
    radius = np.log(np.ascontiguousarray(pair[:, 0]))
    radius *= u.dtype.type(-2)
    np.sqrt(radius, out=radius)
    angle = pair[:, 1] * two_pi
    normal = np.empty_like(pair)
    np.multiply(radius, np.cos(angle), out=normal[:, 0])
    np.multiply(radius, np.sin(angle), out=normal[:, 1])
    return normal.reshape(-1)


def span(distribution: str, dtype: str, position: int, count: int) -> tuple[int, int, int]:
    """Return the words that a draw needs: first position, how many, elements to leave out in front.

    `position` must be one that `aligned` gives.
    """
    width = WIDTH[dtype]
    if distribution == "uniform":
        return position, width * count, 0
    first = position & -2 * width
    last = position + width * count + 2 * width - 1 & -2 * width
    return first, last - first, (position - first) // width


def elements(distribution: str, dtype: str, of: Words) -> Floats:
    """Return the numbers of `distribution` that the words of a `span` hold."""
    u = uniforms(of, dtype)
    return box_muller(u) if distribution == "normal" else u


def draw(distribution: str, dtype: str, key: Key, position: int, count: int) -> Floats:
    """Elements 0 to `count` - 1 of a draw at an aligned `position`."""
    first, needed, skipped = span(distribution, dtype, position, count)
    return elements(distribution, dtype, words(key, first, needed))[skipped : skipped + count]


def uniform(key: Key, position: int, count: int, dtype: str = "f64") -> Floats:
    """Return the first `count` uniform numbers of a draw at `position`."""
    return draw("uniform", dtype, key, aligned(position, dtype), count)


def normal(key: Key, position: int, count: int, dtype: str = "f64") -> Floats:
    """Return the first `count` normal numbers of a draw at `position`."""
    return draw("normal", dtype, key, aligned(position, dtype), count)


def uniform_at(key: Key, position: int, index: NDArray[Any], dtype: str = "f64") -> Floats:
    """Uniform elements with arbitrary numbers `index` (from zero) of a draw at `position`."""
    return _uniform_places(key, _places(position, index, dtype), dtype)


def normal_at(key: Key, position: int, index: NDArray[Any], dtype: str = "f64") -> Floats:
    """Return normal elements with arbitrary numbers `index` (from zero) of a draw at `position`."""
    places = _places(position, index, dtype)
    width = np.uint64(WIDTH[dtype])
    first = places & ~(np.uint64(2) * width - np.uint64(1))
    pairs = np.stack((first, first + width), axis=-1)
    both = box_muller(_uniform_places(key, pairs, dtype).reshape(-1)).reshape(pairs.shape)
    return np.where(places == first, both[..., 0], both[..., 1])


def _places(position: int, index: NDArray[Any], dtype: str) -> NDArray[np.uint64]:
    """Return the position of the first word of each element."""
    start = np.uint64(aligned(position, dtype))
    return np.asarray(index).astype(np.uint64) * np.uint64(WIDTH[dtype]) + start


def _uniform_places(key: Key, places: NDArray[np.uint64], dtype: str) -> Floats:
    if dtype == "f32":
        return uniforms(words_at(key, places), dtype)
    both = np.stack((places, places + np.uint64(1)), axis=-1)
    return uniforms(words_at(key, both).reshape(-1), dtype).reshape(places.shape)
