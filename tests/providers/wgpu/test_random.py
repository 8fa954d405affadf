"""Random arrays of generated shaders against the stream's definition, word by word."""

from __future__ import annotations

import numpy as np
import pytest
from runmat_provider_tests.device import Draft

from tests.providers.wgpu.drawn import check, index, random

KEY = (0x1234567 << 32) + 0x89ABCDEF
KINDS = [(d, t) for d in ("uniform", "normal") for t in ("f32", "f64")]


def ulps(kind: tuple[str, str]) -> float:
    """What may differ, of max(|z|, 1): uniforms are the same bits."""
    if kind[0] == "uniform":
        return 0.0
    return 4 * float(np.finfo(np.float32 if kind[1] == "f32" else np.float64).eps)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("position", [0, 1, 2, 3, (1 << 32) - 6, (1 << 63) + 5])
def test_arrays_at_any_position(kind: tuple[str, str], position: int) -> None:
    draft = Draft((203,))
    draft.store(random(draft, index(draft, (1,)), kind, KEY, position))
    check(draft, rtol=ulps(kind), atol=ulps(kind))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("offset", [0, 1, (1 << 32) - 100, (1 << 40) + 3, (1 << 31) - 5])
def test_element_numbers_beyond_32_bits(kind: tuple[str, str], offset: int) -> None:
    draft = Draft((203,))
    draft.store(random(draft, index(draft, (1,), offset), kind, KEY, 7))
    check(draft, rtol=ulps(kind), atol=ulps(kind))


@pytest.mark.parametrize("kind", KINDS)
def test_strides_of_any_kind(kind: tuple[str, str]) -> None:
    draft = Draft((18, 5))
    for strides, offset in (((5, 1), 0), ((-1, 18), 17), ((1, 1 << 33), 2), ((0, 1), 0)):
        draft.store(random(draft, index(draft, strides, offset), kind, KEY, 1))
    check(draft, rtol=ulps(kind), atol=ulps(kind))


@pytest.mark.parametrize("kind", [("uniform", "f32"), ("normal", "f32")])
@pytest.mark.parametrize("offset", [0, (1 << 33) - 9])
def test_without_wide_integers(kind: tuple[str, str], offset: int) -> None:
    draft = Draft((66,))
    draft.store(random(draft, index(draft, (1,), offset), kind, KEY, (1 << 32) - 30))
    check(draft, rtol=ulps(kind), atol=ulps(kind), i64=False, f64=False)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["tanh", "sinh", "asinh", "atan", "expm1", "erf"])
def test_functions_of_what_is_drawn_in_the_same_shader(name: str, kind: tuple[str, str]) -> None:
    draft = Draft((600,))
    drawn = random(draft, index(draft, (1,)), kind, KEY, 0)
    draft.store(draft.builder.map(name, drawn))
    near = 2e-6 if kind[1] == "f32" else 1e-14
    check(draft, rtol=near, atol=near)


def test_windows_draw_their_own_elements() -> None:
    draft = Draft((5000,))
    draft.store(random(draft, index(draft, (1,)), ("uniform", "f32"), KEY, 3))
    check(draft, binding_bytes=4096)
