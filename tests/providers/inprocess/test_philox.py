"""The random stream: published vectors, every backend, every way to ask for elements."""

from __future__ import annotations

import threading
import time
from typing import Any

import numpy as np
import pytest
from runmat_inprocess import philox

#: Known answers of philox4x32-10 from the Random123 distribution (kat_vectors).
KNOWN = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    (
        (0xFFFFFFFF,) * 4,
        (0xFFFFFFFF,) * 2,
        (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD),
    ),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]


def philox4x32(counter: tuple[int, ...], key: tuple[int, int]) -> tuple[int, ...]:
    """One block by the definition, in Python's integers."""
    x0, x1, x2, x3 = counter
    k0, k1 = key
    for _ in range(10):
        p, q = 0xD2511F53 * x0, 0xCD9E8D57 * x2
        x0, x1, x2, x3 = q >> 32 ^ x1 ^ k0, q & 0xFFFFFFFF, p >> 32 ^ x3 ^ k1, p & 0xFFFFFFFF
        k0, k1 = k0 + 0x9E3779B9 & 0xFFFFFFFF, k1 + 0xBB67AE85 & 0xFFFFFFFF
    return x0, x1, x2, x3


@pytest.mark.parametrize(("counter", "key", "words"), KNOWN)
def test_known_answers(counter: Any, key: Any, words: Any) -> None:
    assert philox4x32(counter, key) == words


KEY = (0xA4093822, 0x299F31D0)
BLOCKS = [0, 1, 1023, 0xFFFFFFFE, 0xFFFFFFFF, 1 << 32, (1 << 61) + 5]


def stream(key: tuple[int, int], first: int, count: int) -> list[int]:
    """Words of the stream, by definition."""
    found: list[int] = []
    for block in range(first // 4, (first + count) // 4 + 1):
        found += philox4x32((block & 0xFFFFFFFF, block >> 32, 0, 0), key)
    return found[first % 4 :][:count]


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("backend", sorted(philox.BACKENDS))
def test_every_backend_gives_the_same_words(backend: str, block: int) -> None:
    try:
        words = philox.BACKENDS[backend]()
    except ImportError:
        pytest.skip(f"{backend} is not installed")
    out = np.empty(48, np.uint32)
    words(KEY, block, out)
    assert out.tolist() == stream(KEY, 4 * block, 48)


def test_long_draws_of_the_fallback_are_in_one_piece() -> None:
    count = 4 * philox.NUMPY_BLOCKS + 8
    out = np.empty(count, np.uint32)
    philox.numpy_words(KEY, 7, out)
    assert out[-8:].tolist() == stream(KEY, 28 + count - 8, 8)


def test_the_generator_changes_without_a_seam(monkeypatch: pytest.MonkeyPatch) -> None:
    filled: list[int] = []

    def load() -> Any:
        def words(key: Any, block: int, out: Any) -> None:
            filled.append(block)
            philox.numpy_words(key, block, out)

        return words

    def missing() -> Any:
        raise ImportError

    monkeypatch.setattr(philox, "BACKENDS", {"best": missing, "second": load})
    monkeypatch.setattr(philox, "WORDS", philox.Words(patience=1000))
    pieces = [philox.words_at(KEY, 3 + 400 * k, 400).copy() for k in range(3)]
    philox.WORDS.load(wait=True)
    pieces += [philox.words_at(KEY, 3 + 400 * k, 400).copy() for k in range(3, 6)]
    assert np.concatenate(pieces).tolist() == stream(KEY, 3, 2400)
    assert filled[-3:] == [300, 400, 500]


def uniform(dtype: str, key: tuple[int, int], position: int, count: int) -> Any:
    if dtype == "f32":
        words = np.array(stream(key, position, count), np.float64)
        return np.floor(words / 2**9) * 2.0**-23 + 2.0**-24
    words = stream(key, position, 2 * count)
    pairs = [low | high << 32 for low, high in zip(words[::2], words[1::2], strict=True)]
    return np.array([(p >> 12) * 2.0**-52 + 2.0**-53 for p in pairs])


def normal(dtype: str, key: tuple[int, int], position: int, count: int) -> Any:
    width = 1 if dtype == "f32" else 2
    found = []
    for i in range(count):
        q = position + width * i
        start = q // (2 * width) * 2 * width
        u1, u2 = uniform(dtype, key, start, 2)
        r = np.sqrt(-2 * np.log(u1))
        found.append(r * (np.cos if q == start else np.sin)(2 * np.pi * u2))
    return np.array(found)


MEANING = {"uniform": uniform, "normal": normal}
#: (position, number of the first element, elements)
DRAWS = [
    (0, 0, 8),
    (6, 0, 5),
    (2, 3, 1),
    (10, 101, 10),
    ((1 << 34) - 4, 0, 9),
    (4, 0, 0),
    (4, 0, 1),
    (6, 1, 6),
    (2, 2, 7),
    (6, 0, 2),
]


@pytest.fixture(params=["", *philox.DIRECT])
def through(request: Any, monkeypatch: pytest.MonkeyPatch) -> str:
    """Elements made of words, and made directly."""
    try:
        direct = philox.DIRECT[request.param]() if request.param else None
    except ImportError:
        pytest.skip(f"{request.param} is not installed")
    monkeypatch.setattr(philox, "WORDS", philox.Words())
    philox.WORDS.direct = direct
    return str(request.param)


@pytest.mark.parametrize("draw", DRAWS)
@pytest.mark.parametrize("dtype", ["f32", "f64"])
@pytest.mark.parametrize("distribution", ["uniform", "normal"])
def test_elements(through: str, distribution: str, dtype: str, draw: Any) -> None:
    position, first, count = draw
    kind = np.float32 if dtype == "f32" else np.float64
    wanted = MEANING[distribution](dtype, KEY, position, first + count)[first:]
    run = np.empty(count, kind)
    philox.DRAW[distribution, dtype](KEY, position, first, run)
    numbers = np.arange(first, first + count)
    single = philox.DRAW[distribution, dtype].at(KEY, position, numbers)
    assert run.dtype == single.dtype == kind
    for got in (run, single):
        if distribution == "uniform":
            np.testing.assert_array_equal(got, wanted.astype(kind))
        else:
            # the angle is rounded once, as on every device, before its sine is taken
            bound = 16 if dtype == "f32" else 8
            error = np.abs(got - wanted) / np.maximum(np.abs(wanted), 1)
            assert (error <= bound * np.finfo(kind).eps).all()


def test_uniforms_stay_inside() -> None:
    words = np.array([0, 0xFFFFFFFF], np.uint32)
    low, high = philox.singles(words.copy(), np.empty(2, np.float32)).tolist()
    assert (low, high) == (2.0**-24, 1 - 2.0**-24)
    pairs = np.array([0, 0, 0xFFFFFFFF, 0xFFFFFFFF], np.uint32)
    low, high = philox.doubles(pairs, np.empty(2)).tolist()
    assert (low, high) == (2.0**-53, 1 - 2.0**-53)


@pytest.mark.parametrize("dtype", ["f32", "f64"])
@pytest.mark.parametrize("distribution", ["uniform", "normal"])
@pytest.mark.parametrize("block", [50, 300, 1 << 16])
def test_kernels_draw_what_the_stream_has(
    distribution: str, dtype: str, block: int, new_device: Any, write: Any
) -> None:
    device = new_device(block=block, threads=2)
    seed, position = 0x299F31D0A4093822, 6
    shape = (60, 20)
    wanted = np.empty(1200, np.float32 if dtype == "f32" else np.float64)
    philox.DRAW[distribution, dtype](KEY, position, 0, wanted)
    wanted = wanted.reshape(shape, order="F")

    def drawn(strides: Any, offset: int = 0) -> Any:
        w = write("pp", shape)
        w.store(w.random(w.index(strides, offset), distribution, dtype, seed, position))
        return device.output(w)

    np.testing.assert_array_equal(drawn((1, 60)), wanted)
    if distribution == "uniform":
        np.testing.assert_array_equal(drawn((1, -60), 1140), wanted[:, ::-1])
        np.testing.assert_array_equal(drawn((-1, 60), 59), wanted[::-1])
    else:  # a pair may be drawn alone, where the last bit depends on how many there are
        np.testing.assert_allclose(drawn((-1, 60), 59), wanted[::-1], rtol=2e-6, atol=2e-6)


def test_numbers_may_be_computed_and_results_reduced(small_blocks: Any, write: Any) -> None:
    from runmat_core.api import ir
    from runmat_core.api.ir import reducers

    wanted = np.empty(500)
    philox.DRAW["uniform", "f64"](KEY, 0, 0, wanted)
    w = write("r", (300,))
    moved = w.index((1,)) + w.param(100, "i64")
    x = w.random(moved, "uniform", "f64", 0x299F31D0A4093822, 0)
    (total,) = ir.reduce(reducers.sum_("f64"), x)
    w.store(total)
    w.store(x)
    total_, drawn = small_blocks.outputs(w)
    np.testing.assert_array_equal(drawn, wanted[100:400])
    np.testing.assert_allclose(total_.item(), wanted[100:400].sum(), rtol=1e-13)


def test_moments() -> None:
    z = np.empty(200_000)
    philox.DRAW["normal", "f64"]((1, 2), 0, 0, z)
    assert abs(z.mean()) < 0.01
    assert abs(z.std() - 1) < 0.01
    u = np.empty(200_000, np.float32)
    philox.DRAW["uniform", "f32"]((1, 2), 0, 0, u)
    assert abs(float(u.mean(dtype=np.float64)) - 0.5) < 0.005


def test_a_generator_that_is_loaded_is_waited_for_by_the_next_draw(
    monkeypatch: pytest.MonkeyPatch, device: Any, write: Any
) -> None:
    began, loaded = threading.Event(), threading.Event()

    def slowly() -> Any:
        began.set()
        time.sleep(0.05)
        loaded.set()
        return philox.numpy_words

    monkeypatch.setattr(philox, "BACKENDS", {"slow": slowly})
    monkeypatch.setattr(philox, "WORDS", philox.Words(patience=1000))

    def draw() -> Any:
        w = write("p", (2000,))
        w.store(w.random(w.index((1,)), "uniform", "f32", 7, 0))
        return device.output(w)

    first = draw()
    # the draw that began it did not wait
    assert began.wait(100)
    second = draw()
    assert loaded.is_set()
    np.testing.assert_array_equal(first, second)
