"""The sizes of convolutions, and the parts of them that are wanted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from runmat_core.api.errors import MatlabError
from runmat_core.builtins.named import choice

PARTS = ("full", "same", "valid")
#: Taps up to which all products are made; beyond, transforms take less time.
DIRECT = 256


def cut(first: Sequence[int], second: Sequence[int], part: str) -> tuple[slice, ...]:
    """Return the part of a full convolution that "full", "same" or "valid" asks for.

    Raises:
        MatlabError: it is none of these.
    """
    pairs = list(zip(first, second, strict=True))
    if part == "full":
        return tuple([slice(None)] * len(pairs))
    if part == "same":
        return tuple([slice(m // 2, m // 2 + n) for n, m in pairs])
    if part == "valid":
        lengths = [max(n - max(m - 1, 0), 0) for n, m in pairs]
        starts = [max(m - 1, 0) for m in second]
        return tuple([slice(s, s + n) for s, n in zip(starts, lengths, strict=True)])
    raise MatlabError(
        "MATLAB:conv:unknownShapeParameter", "SHAPE must be 'full', 'same', or 'valid'."
    )


def smooth(n: int) -> int:
    """Return the least number from `n` on without prime factors above 5."""
    best = 1 << (n - 1).bit_length()
    three = 1
    while three < best:
        five = three
        while five < best:
            found = five << max(math.ceil(n / five) - 1, 0).bit_length()
            best = min(best, found)
            five *= 5
        three *= 3
    return best


def part_of(shape: Any, name: str, default: str = "full") -> str:
    """Return the part that an argument asks for."""
    return default if shape is None else choice(shape, PARTS, name)


# -- libraries -------------------------------------------------------------------------------------


def vectors(*shapes: tuple[int, ...]) -> bool:
    """Whether all these are sizes of vectors."""
    return all(len(shape) == 2 and 1 in shape for shape in shapes)


def as_column(u: tuple[int, ...], v: tuple[int, ...], part: str) -> bool:
    """Whether the convolution of vectors of two sizes is a column."""
    if part == "full" and u == (1, 1):
        return v[1] == 1 and v[0] > 1
    return u[1] == 1 and (u[0] > 1 or v[1] == 1)
