"""Numbers of any count of bits in files: ``bitN`` and ``ubitN`` of fread and fwrite.

Numbers follow each other without gaps. In the order of little-endian machines the lowest bit of
each number comes first, in the lowest bits of a byte; in that of big-endian machines the highest.
"""

from __future__ import annotations

import re
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.values.classes import cast_array

_NAME = re.compile(r"(u?)bit(\d+)\Z")


@attrs.frozen
class BitType:
    """A precision of a count of bits."""

    width: int
    signed: bool

    @property
    def class_name(self) -> str:
        """The smallest class that holds the numbers."""
        size = next(size for size in (8, 16, 32, 64) if self.width <= size)
        return f"{'' if self.signed else 'u'}int{size}"


def bit_type(name: str) -> BitType | None:
    """Return the type called ``bitN`` or ``ubitN``, N from 1 to 64; None for another name."""
    found = _NAME.match(name)
    if found is None or not 1 <= int(found[2]) <= 64:
        return None
    return BitType(int(found[2]), not found[1])


def _bit_order(order: str) -> Any:
    return "big" if order == ">" else "little"


def read(file: Any, kind: BitType, order: str, limit: float, gap: int, block: int) -> NDArray[Any]:
    """Read up to `limit` numbers; after each block of them `gap` bits are left out."""
    step = block * kind.width + gap
    if limit == float("inf"):
        octets = file.read(-1)
    else:
        blocks, rest = divmod(int(limit), block)
        octets = file.read(-(-(blocks * step + rest * kind.width) // 8))
    bits = np.unpackbits(np.frombuffer(octets, np.uint8), bitorder=_bit_order(order))
    if gap:
        whole = np.arange(bits.size) % step < block * kind.width
        bits = bits[whole]
    count = int(min(bits.size // kind.width, limit))
    table = bits[: count * kind.width].reshape(count, kind.width)
    if order == ">":
        table = table[:, ::-1]
    numbers = np.zeros(count, np.uint64)
    for k in range(kind.width):
        numbers |= table[:, k].astype(np.uint64) << np.uint64(k)
    if not kind.signed:
        return numbers.astype(kind.class_name)
    left = np.int64(64 - kind.width)
    return ((numbers.view(np.int64) << left) >> left).astype(kind.class_name)


def write(
    file: Any, numbers: NDArray[Any], kind: BitType, order: str, gap: int, block: int
) -> None:
    """Write numbers, saturated; before each block of them `gap` bits are zero."""
    stored = cast_array(numbers.real, kind.class_name)
    most = (1 << (kind.width - kind.signed)) - 1
    least = -most - 1 if kind.signed else 0
    codes = np.clip(stored, least, most).astype(np.int64 if kind.signed else np.uint64)
    codes = codes.view(np.uint64)
    places = np.arange(kind.width, dtype=np.uint64)
    if order == ">":
        places = places[::-1]
    table = ((codes[:, None] >> places[None, :]) & np.uint64(1)).astype(np.uint8)
    if gap:
        zeros = np.zeros(gap, np.uint8)
        parts = [
            part
            for at in range(0, len(table), block)
            for part in (zeros, table[at : at + block].ravel())
        ]
        bits = np.concatenate(parts) if parts else zeros[:0]
    else:
        bits = table.ravel()
    file.write(np.packbits(bits, bitorder=_bit_order(order)).tobytes())
