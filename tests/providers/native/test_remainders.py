"""Remainders in vectors: the bits of NumPy's ``fmod``, from which ``mod`` and ``rem`` are made."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from runmat_native import nest

from tests.providers.inprocess import conftest as plain
from tests.providers.native.conftest import same

COUNT = 20_000


def pairs(dtype: Any) -> Iterator[tuple[Any, Any]]:
    """Dividends and divisors: all edges with each other, and what quotients are hard for."""
    info, rng = np.finfo(dtype), np.random.default_rng(7)
    whole = 2.0**info.nmant
    edges = [0.0, 1.0, 0.5, 3.0, 1 / 3, 0.1, info.tiny, info.smallest_subnormal, info.max, info.eps]
    edges += [whole, 2 * whole, whole - 1, np.inf, np.nan, 1e10]
    each = np.array([*edges, *(-e for e in edges)], dtype)
    x, y = np.meshgrid(each, each)
    yield x.ravel(), y.ravel()
    word = np.dtype(f"u{info.bits // 8}")
    yield tuple(rng.integers(0, 2**info.bits, (2, COUNT), word).view(dtype))
    scale = 2.0 ** rng.integers(-25, 25, COUNT)
    yield rng.standard_normal(COUNT) * scale, rng.standard_normal(COUNT)
    y = (rng.random(COUNT) + 0.5).astype(dtype)
    # at, and beside, multiples of the divisor; around the largest quotient that is taken
    multiple = (rng.integers(-1000, 1000, COUNT) * y).astype(dtype)
    yield multiple, y
    yield np.nextafter(multiple, rng.choice([-np.inf, np.inf], COUNT).astype(dtype)), y
    yield y * (whole + rng.integers(-5, 5, COUNT)), y
    yield rng.integers(-100, 100, COUNT) * 0.1, np.full(COUNT, 0.1)
    small = info.smallest_subnormal
    yield rng.integers(0, 10**6, COUNT) * small, rng.integers(1, 999, COUNT) * small


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_remainders(
    dtype: Any, new_native: Callable[..., Any], new_device: Any, compiled: dict[str, int]
) -> None:
    native, numpy = new_native(threads=1), new_device(threads=1)
    with np.errstate(all="ignore"):
        given = [[np.asarray(v).astype(dtype) for v in pair] for pair in pairs(dtype)]
    for x, y in given:
        for divisor in (y, y[:1], np.array([-7.0], dtype), np.array([0.0], dtype)):
            writer = plain.Writer("p", x.shape)
            left, right = writer.load(x), writer.load(divisor)
            if divisor.size == 1:
                right = writer.param(float(divisor[0]), right.dtype)
            for op in ("mod", "rem"):
                writer.store(writer.builder.map(op, left, right))
            for one, other in zip(native.outputs(writer), numpy.outputs(writer), strict=True):
                same(one, other)
    assert compiled == {"native": 4 * len(given), "numpy": 0}


def test_large_quotients_are_numpys(new_native: Callable[..., Any], new_device: Any) -> None:
    # one element decides for its tile, whose others keep their bits
    x = np.linspace(-50.0, 50.0, 4 * nest.TILE)
    x[[3, 2 * nest.TILE + 5]] = 1e300
    writer = plain.Writer("p", x.shape)
    writer.store(writer.builder.map("mod", writer.load(x), writer.param(0.7, "f64")))
    same(new_native().output(writer), new_device().output(writer))
