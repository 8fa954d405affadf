"""Philox4x32-10 (Salmon and others, SC 2011) and the draws that kernels make from it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_M0, _M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_W0, _W1 = 0x9E3779B9, 0xBB67AE85
_LOW = np.uint64(0xFFFFFFFF)


def words(key: tuple[int, int], numbers: NDArray[Any]) -> NDArray[np.uint32]:
    """Return the words of the stream at `numbers` (from zero): lane w % 4 of block w // 4."""
    w = numbers.astype(np.uint64)
    block = w >> np.uint64(2)
    c0, c1 = block & _LOW, block >> np.uint64(32)
    c2 = c3 = np.zeros_like(c0)
    k0, k1 = key
    for _ in range(10):
        first, second = _M0 * c0, _M1 * c2
        c0, c1, c2, c3 = (
            (second >> np.uint64(32)) ^ c1 ^ np.uint64(k0),
            second & _LOW,
            (first >> np.uint64(32)) ^ c3 ^ np.uint64(k1),
            first & _LOW,
        )
        k0, k1 = (k0 + _W0) & 0xFFFFFFFF, (k1 + _W1) & 0xFFFFFFFF
    lane = (w & np.uint64(3)).astype(np.int64)
    return np.choose(lane, [c0, c1, c2, c3]).astype(np.uint32)


def draw(
    distribution: str, dtype: str, number: NDArray[Any], key: tuple[int, int], position: int
) -> NDArray[Any]:
    """Elements `number` of a draw at `position`: ``uniform`` or ``normal`` of type f32 or f64."""
    n = number.astype(np.uint64)
    start = np.uint64(position)
    u: NDArray[Any]
    v: NDArray[Any]
    angle: Any
    radius: Any
    if dtype == "f32":
        at = start + n
        if distribution == "uniform":
            return _single(words(key, at))
        pair = at & ~np.uint64(1)
        u, v = _single(words(key, pair)), _single(words(key, pair + np.uint64(1)))
        odd = (at & np.uint64(1)) == 1
        angle = np.float32(2 * np.pi) * v
        radius = np.sqrt(np.float32(-2) * np.log(u))
    else:
        at = start + np.uint64(2) * n
        if distribution == "uniform":
            return _double(key, at)
        group = at & ~np.uint64(3)
        u, v = _double(key, group), _double(key, group + np.uint64(2))
        odd = (at & np.uint64(2)) == 2
        angle = 2 * np.pi * v
        radius = np.sqrt(-2 * np.log(u))
    normal: NDArray[Any] = radius * np.where(odd, np.sin(angle), np.cos(angle))
    return normal


def _single(x: NDArray[np.uint32]) -> NDArray[np.float32]:
    scaled = (x >> np.uint32(9)).astype(np.float32) * np.float32(2**-23)
    return scaled + np.float32(2**-24)


def _double(key: tuple[int, int], at: NDArray[np.uint64]) -> NDArray[np.float64]:
    low = words(key, at).astype(np.uint64)
    high = words(key, at + np.uint64(1)).astype(np.uint64)
    return ((high << np.uint64(32) | low) >> np.uint64(12)).astype(np.float64) * 2**-52 + 2**-53
