"""The random stream as machine code: the words of the reference, and draws inside kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from runmat_inprocess import philox
from runmat_native.stream import STREAM

from runmat_core.api import ir
from tests.providers.inprocess import conftest as plain
from tests.providers.native.conftest import same


@pytest.fixture
def by_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    """NumPy makes the words of the provider beside."""
    monkeypatch.setattr(philox, "WORDS", philox.Words(patience=1 << 60))


def drawn(distribution: str, dtype: str, extents: tuple[int, ...], kinds: str = "") -> plain.Writer:
    kinds = kinds or "p" * len(extents)
    writer = plain.Writer(kinds, extents)
    strides, step = [], 1
    for extent in extents:
        strides.append(step)
        step *= extent
    position = (1 << 33) + len(kinds) + extents[0] % 4
    position *= 2 if dtype == "f64" else 1  # doubles take pairs of words
    numbers = writer.index(strides, 5)
    value = writer.random(numbers, distribution, dtype, (7 << 32) + 9, position)
    writer.store(value)
    writer.store(ir.sqrt(ir.abs_(value)) * 0.5)
    return writer


@pytest.mark.parametrize("distribution", ["uniform", "normal"])
@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_draws_have_the_bits_of_numpys(
    distribution: str,
    dtype: str,
    by_numpy: None,
    new_native: Callable[..., Any],
    new_device: Any,
    compiled: dict[str, int],
    tmp_path: Any,
) -> None:
    cases = [((n,), "") for n in (1, 2, 3, 4, 5, 6, 7, 1023, 1024, 1025, 5000)]
    cases += [((7, 33), ""), ((1500, 3), ""), ((40, 6), "pt"), ((3, 5, 4), "ppt")]
    native, numpy = new_native(str(tmp_path)), new_device()
    for extents, kinds in cases:
        writer = drawn(distribution, dtype, extents, kinds)
        for one, other in zip(native.outputs(writer), numpy.outputs(writer), strict=True):
            same(one, other)
    assert compiled == {"native": len(cases), "numpy": 0}


def test_only_functions_that_are_called_are_compiled(
    by_numpy: None, new_native: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.setattr(STREAM, "addresses", {})
    device = new_native(str(tmp_path))
    device.outputs(drawn("normal", "f64", (5000,)))
    assert set(STREAM.addresses) == {"normal_f64"}
    device.outputs(drawn("uniform", "f32", (5000,)))
    assert set(STREAM.addresses) == {"normal_f64", "uniform_f32"}


def test_kernels_of_numpy_draw_by_it(new_native: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    words = philox.Words()
    monkeypatch.setattr(philox, "WORDS", words)
    new_native()
    words.load(wait=True)
    assert words.direct is not None
    key = (123, 456)
    for first in (0, 1, 2, 3, 5, 6):
        for size in (1, 2, 5, 64, 1001):
            for dtype, width in ((np.float32, 1), (np.float64, 2)):
                if first % width:
                    continue
                out, wanted = np.empty(size, dtype), np.empty(size, dtype)
                words.direct.uniforms[4 * width](key, first, out)
                stream = np.empty(4 * size + 16, np.uint32)
                philox.numpy_words(key, 0, stream)
                make = philox.singles if width == 1 else philox.doubles
                make(stream[first : first + size * width].copy(), wanted)
                same(out, wanted)
