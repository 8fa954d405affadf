"""What compiled code calls for subscripts agrees with the general rules, in results and errors.

The helpers take short ways for small arrays; the general rules are `index` and `assign` with ranges
in full, on a buffer that another value shares, which no short way writes to.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from runmat_core.api.errors import MatlabError
from runmat_core.compiler.runtime import elements
from runmat_core.values import COLON, Array, Complex, assign, from_numpy, index
from runmat_core.values.base import Value
from runmat_core.values.spans import put_part, span, wholes

SHAPES = [(1, 5), (5, 1), (3, 4), (2, 3, 2), (1, 1), (1, 1, 3), (0, 0), (1, 2), (4, 2), (2, 0)]
TYPES = ["f8", "f4", "i4", "u1", "?", "c16", "c8"]


def array(draw: random.Random) -> Any:
    shape, kind = draw.choice(SHAPES), draw.choice(TYPES)
    elements = np.array([draw.choice([0, 1, 2, 200]) for _ in range(int(np.prod(shape)))])
    if kind[0] == "c":
        elements = elements + 1j * np.array([draw.choice([0, 0, 1]) for _ in elements])
    return from_numpy(elements.astype(kind).reshape(shape, order="F"))


def subscript(draw: random.Random) -> Any:
    kind = draw.choice(["number", "number", "colon", "range", "list", "mask"])
    if kind == "number":
        return float(draw.choice([1, 2, 3, 5, 6, 13, 0, 2.5]))
    if kind == "colon":
        return COLON
    if kind == "range":
        first, last, step = draw.randint(0, 6), draw.randint(0, 7), draw.choice([None, 2, -1])
        if step is None:
            return span(float(first), float(last))
        return span(float(first), float(step), float(last))
    if kind == "list":
        chosen = [float(draw.choice([1, 2, 3, 5, 7])) for _ in range(draw.randint(0, 4))]
        return from_numpy(np.array(chosen).reshape(draw.choice([(1, -1), (-1, 1)])))
    shape = draw.choice([(1, 3), (3, 1), (2, 2), (1, 5)])
    return from_numpy(np.array([draw.random() < 0.5 for _ in range(np.prod(shape))]).reshape(shape))


def written(draw: random.Random) -> Any:
    single = from_numpy(np.array([[1.5]], np.float32))
    some = [3.0, True, 2.5, 300.0, Complex(1, 2), from_numpy(np.array([[7]], np.int32)), single]
    return draw.choice([*some, array(draw)])


def outcome(function: Callable[[], Any]) -> Any:
    try:
        value = function()
    except MatlabError as error:
        return error.identifier, error.message
    if isinstance(value, Array):
        assert value.data.flags.f_contiguous
        return value.data.dtype, value.data.shape, value.data.tobytes("F")
    return type(value), repr(value)


HELPERS: dict[str, Any] = dict(elements.HELPERS)


def short_read(value: Any, subs: tuple[Any, ...], ranges: bool) -> Any:
    name = "part" if ranges and len(subs) < 3 else "index"
    return HELPERS[f"{name}{len(subs)}"](value, *subs)


def short_write(holder: list[Any], subs: tuple[Any, ...], ranges: bool, new: Any) -> Any:
    if ranges:
        return put_part(new, holder.pop(), subs)
    return HELPERS[f"put{len(subs)}"](new, holder.pop(), *subs)


@pytest.mark.parametrize("seed", range(3))
def test_short_ways_agree_with_the_general_rules(seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(1500):
        value = array(draw)
        subs = tuple(subscript(draw) for _ in range(draw.choice([1, 1, 2, 2, 3])))
        full = tuple(wholes(subs))
        ranges = any(a is not b for a, b in zip(subs, full, strict=True))
        read = outcome(lambda: short_read(value, subs, ranges))  # noqa: B023
        assert read == outcome(lambda: index(value, full)), (value, full)  # noqa: B023

        new = written(draw)
        own = [Array(value.data.copy("F")) if isinstance(value, Array) else value]
        other = value.share() if isinstance(value, Value) else value
        wrote = outcome(lambda: short_write(own, subs, ranges, new))  # noqa: B023
        assert wrote == outcome(lambda: assign(other, full, new)), (value, full, new)  # noqa: B023
