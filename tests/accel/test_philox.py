"""The random stream Philox4x32-10: known answers, exactness, and that any part can be drawn."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr

from runmat_core.accel.random import draws, philox

KEY = (7, 3)
#: counter, key and block, from the known-answer file (kat_vectors) of the authors' Random123
KNOWN_ANSWERS = [
    ("00000000 00000000 00000000 00000000", "00000000 00000000",
     "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff",
     "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0",
     "d16cfe09 94fdcceb 5001e420 24126ea1"),
]  # fmt: skip
#: odd ones, those where a block ends, where the block number needs its high word, and the last
POSITIONS = [0, 1, 2, 3, 6, 2**34 - 7, 2**34, 2**64 - 4]
KINDS = [(d, t) for d in ("uniform", "normal") for t in ("f32", "f64")]


def numbers(text: str) -> list[int]:
    return [int(word, 16) for word in text.split()]


@pytest.mark.parametrize(("counter", "key", "block"), KNOWN_ANSWERS)
def test_published_answers(counter: str, key: str, block: str) -> None:
    low, high = numbers(key)
    lanes = tuple(np.array([word], np.uint64) for word in numbers(counter))
    assert philox.bijection((low, high), lanes)[0].tolist() == numbers(block)


def test_words_are_the_lanes_of_numbered_blocks() -> None:
    assert philox.words((0, 0), 0, 4).tolist() == numbers(KNOWN_ANSWERS[0][2])
    counter = tuple(np.array([word], np.uint64) for word in (5, 9, 0, 0))
    block = philox.bijection(KEY, counter)[0]
    assert philox.words(KEY, ((9 << 32) + 5) * 4 + 1, 3).tolist() == block[1:].tolist()


@pytest.mark.parametrize("position", POSITIONS)
def test_words_do_not_depend_on_how_they_are_asked_for(position: int) -> None:
    wanted = philox.words(KEY, position, 40)
    for start in (1, 2, 3, 17):
        later = philox.words(KEY, (position + start) % 2**64, 40 - start)
        assert (later == wanted[start:]).all()
    index = np.array([[39, 0, 5], [5, 2, 1]], np.uint64)
    assert (philox.words_at(KEY, index + np.uint64(position)) == wanted[index]).all()


def test_uniform_numbers_are_exact() -> None:
    words = philox.words(KEY, 8, 1000)
    single = (words >> 9).astype(np.float64) * 2.0**-23 + 2.0**-24
    assert (philox.uniform(KEY, 8, 1000, "f32") == single).all()
    wide = words[0::2].astype(np.uint64) | words[1::2].astype(np.uint64) << np.uint64(32)
    double = (wide >> np.uint64(12)).astype(np.float64) * 2.0**-52 + 2.0**-53
    assert (philox.uniform(KEY, 8, 500, "f64") == double).all()
    assert (philox.uniform(KEY, 7, 500, "f64") == double).all()


@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_uniform_numbers_are_never_0_or_1(dtype: str) -> None:
    ends = np.repeat(np.array([0, 2**32 - 1], np.uint32), 2)
    u = philox.uniforms(ends, dtype)
    assert u.dtype == philox.DTYPE[dtype]
    assert 0 < u.min() < 1e-7
    assert 1 - 1e-7 < u.max() < 1
    assert np.isfinite(philox.box_muller(u)).all()


@pytest.mark.parametrize(("dtype", "bound"), [("f32", 2e-6), ("f64", 4e-15)])
def test_normal_numbers_are_those_of_box_and_muller(dtype: str, bound: float) -> None:
    u = philox.uniform(KEY, 4, 2000, dtype).astype(np.longdouble).reshape(-1, 2)
    radius, angle = np.sqrt(-2 * np.log(u[:, 0])), 2 * np.longdouble(np.pi) * u[:, 1]
    wanted = np.stack((radius * np.cos(angle), radius * np.sin(angle)), axis=1).reshape(-1)
    assert np.abs(philox.normal(KEY, 4, 2000, dtype) - wanted).max() < bound


@pytest.mark.parametrize(("distribution", "dtype"), KINDS)
@pytest.mark.parametrize("position", POSITIONS)
def test_every_part_of_a_draw_is_the_same(distribution: str, dtype: str, position: int) -> None:
    start = philox.aligned(position, dtype)
    whole = philox.draw(distribution, dtype, KEY, start, 70)
    assert whole.dtype == philox.DTYPE[dtype]
    for begin, count in ((0, 1), (1, 1), (1, 2), (3, 60), (18, 52)):
        at = (start + begin * philox.WIDTH[dtype]) % 2**64
        part = philox.draw(distribution, dtype, KEY, at, count)
        assert (part == whole[begin : begin + count]).all()
    index = np.array([[69, 0, 3], [2, 2, 1]])
    at_index = philox.uniform_at if distribution == "uniform" else philox.normal_at
    assert (at_index(KEY, position, index, dtype) == whole[index]).all()


@pytest.mark.parametrize(("distribution", "dtype"), KINDS)
def test_long_draws_are_made_in_parts(distribution: str, dtype: str) -> None:
    count, start = 100_003, 2**34 - 30
    whole = draws.draw(distribution, dtype, KEY, start, count)
    assert (whole == philox.draw(distribution, dtype, KEY, start, count)).all()


@pytest.mark.parametrize("position", POSITIONS[:-1])
def test_compiled_words_are_the_same(position: int) -> None:
    pytest.importorskip("randomgen")
    make = draws.compiled_reader()
    assert make is not None
    read = make(KEY, position)
    assert (np.append(read(4096), read(5)) == philox.words(KEY, position, 4101)).all()


# -- distribution -------------------------------------------------------------------------------


def kolmogorov_smirnov(p: np.ndarray) -> float:
    """sqrt(n) times the largest distance of a sample's distribution from the uniform one."""
    n = p.size
    steps = np.arange(n + 1) / n
    p = np.sort(p)
    return float(np.sqrt(n) * max((steps[1:] - p).max(), (p - steps[:-1]).max()))


@pytest.mark.parametrize(("distribution", "dtype"), KINDS)
@pytest.mark.parametrize("seed", [0, 1, 2**32 - 1])
def test_distribution(distribution: str, dtype: str, seed: int) -> None:
    x = draws.draw(distribution, dtype, (seed, 0), 0, 200_000).astype(np.float64)
    # 1.95 is exceeded by one sample in a thousand; these are always the same samples
    assert kolmogorov_smirnov(ndtr(x) if distribution == "normal" else x) < 1.95
    mean, variance = (0.5, 1 / 12) if distribution == "uniform" else (0.0, 1.0)
    assert abs(x.mean() - mean) < 4 * np.sqrt(variance / x.size)
    kurtosis = 1.8 if distribution == "uniform" else 3.0
    assert abs(x.var() - variance) < 4 * variance * np.sqrt((kurtosis - 1) / x.size)
    for lag in (1, 2, 3, 4):
        assert abs(np.corrcoef(x[lag:], x[:-lag])[0, 1]) < 4 / np.sqrt(x.size)
