"""Philox words compiled by numba; imported only where numba is installed."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

_M0, _M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_W0, _W1 = np.uint32(0x9E3779B9), np.uint32(0xBB67AE85)
_SHIFT = np.uint64(32)


@numba.njit(nogil=True, cache=True)
def fill(key0: Any, key1: Any, first: Any, out: Any) -> None:
    """Fill `out` (u32, whole blocks) with the words from block `first` on."""
    for b in range(out.shape[0] // 4):
        counter = first + np.uint64(b)
        x0, x1 = np.uint32(counter), np.uint32(counter >> _SHIFT)
        x2, x3 = np.uint32(0), np.uint32(0)
        k0, k1 = key0, key1
        for _ in range(10):
            p, q = _M0 * np.uint64(x0), _M1 * np.uint64(x2)
            x0, x1 = np.uint32(q >> _SHIFT) ^ x1 ^ k0, np.uint32(q)
            x2, x3 = np.uint32(p >> _SHIFT) ^ x3 ^ k1, np.uint32(p)
            k0, k1 = np.uint32(k0 + _W0), np.uint32(k1 + _W1)
        out[4 * b] = x0
        out[4 * b + 1] = x1
        out[4 * b + 2] = x2
        out[4 * b + 3] = x3
