"""Long draws from the random stream, with compiled words where there are some.

The numbers are those of `accel.random.philox`, bit by bit. They are made in parts that stay in
the processor's cache. With the package ``randomgen``, where it is installed, uniform numbers take
two thirds of the time.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from runmat_core.accel.random import philox
from runmat_core.accel.random.philox import Floats, Key, Words

#: Words made at a time: their blocks and the numbers made of them fit in a second-level cache.
_PART = 1 << 16
#: Words from which on compiled ones are worth an import, which takes 40 ms.
_WORTH_IMPORTING = 1 << 23

#: Gives the next so many words of a stream.
Reader = Callable[[int], Words]


def draw(distribution: str, dtype: str, key: Key, position: int, count: int) -> Floats:
    """Return what `philox.draw` gives."""
    first, needed, skipped = philox.span(distribution, dtype, position, count)
    if needed <= _PART:
        return philox.draw(distribution, dtype, key, position, count)
    read = reader(key, first, needed)
    numbers = np.empty(skipped + count, philox.DTYPE[dtype])
    done = 0
    while needed:
        part = philox.elements(distribution, dtype, read(min(needed, _PART)))
        numbers[done : done + part.size] = part[: numbers.size - done]
        done += part.size
        needed -= min(needed, _PART)
    return numbers[skipped:]


def reader(key: Key, position: int, count: int) -> Reader:
    """Return a reader from `position` on, the fastest there is for `count` words."""
    worth = count >= _WORTH_IMPORTING or "randomgen" in sys.modules
    wraps = position + count > 1 << 64
    if worth and not wraps and (make := compiled_reader()) is not None:
        return make(key, position)
    return portable_reader(key, position)


def portable_reader(key: Key, position: int) -> Reader:
    """Return a reader that NumPy serves."""
    following = position

    def read(count: int) -> Words:
        nonlocal following
        start, following = following, following + count
        return philox.words(key, start % (1 << 64), count)

    return read


@cache
def compiled_reader() -> Callable[[Key, int], Reader] | None:
    """Return what makes readers of compiled words, or None where no package has them."""
    if importlib.util.find_spec("randomgen") is None:
        return None
    generator: Any = importlib.import_module("randomgen").Philox

    def make(key: Key, position: int) -> Reader:
        # it counts up before each block
        before = ((position >> 2) - 1) % (1 << 128)
        source = generator(counter=before, key=key[0] | key[1] << 32, number=4, width=32)
        integers = np.random.Generator(source).integers
        if position & 3:
            integers(0, 1 << 32, position & 3, np.uint32)
        return lambda count: integers(0, 1 << 32, count, np.uint32)

    return make
