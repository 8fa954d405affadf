"""Texts of maps, transposes and loops as files to read; what they compute is tested elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pytest_regressions.file_regression import FileRegressionFixture
from runmat_provider_tests.device import Draft
from runmat_wgpu.codegen import template
from runmat_wgpu.codegen.shader import Shader, Target

from runmat_core.api import ir
from runmat_core.api.device import Addressing
from tests.providers.wgpu.drawn import carried, carry, gather, index, last, random
from tests.providers.wgpu.machine import pipeline

GOLDEN = Path(__file__).parent / "golden" / "maps"


def zeros(*shape: int) -> Any:
    return np.zeros(shape, np.float32)


def elementwise() -> Draft:
    draft = Draft((4096,))
    x = draft.load(zeros(4096))
    draft.store((x + draft.param(1.5, "f32")) - ir.cast(draft.load(np.zeros(4096, bool)), "f32"))
    return draft


def odd_offset() -> Draft:
    draft = Draft((4096,))
    draft.store(abs(draft.load(zeros(5000), [True], Addressing(3, (1,)))))
    return draft


def doubles() -> Draft:
    draft = Draft((4096,))
    draft.store(draft.load(np.zeros(4096)) * 2.0)
    return draft


def complexes() -> Draft:
    draft = Draft((4096,))
    z, w = (draft.load(np.zeros(4096, np.complex64)) for _ in range(2))
    draft.store(ir.conj(z * w) / (z + 2.0))
    draft.store(abs(ir.sqrt(w)) - ir.real(z))
    return draft


def still_operands() -> Draft:
    draft = Draft((64, 6, 5))
    column = draft.load(zeros(64), [True, False, False])
    draft.store(draft.load(zeros(64, 6, 5)) - column * draft.load(zeros(6), [False, True, False]))
    return draft


def gathered() -> Draft:
    draft = Draft((100,))
    draft.store(gather(draft, zeros(9), draft.load(np.zeros(100, np.int32))))
    return draft


def guarded() -> Draft:
    draft = Draft((4096,))
    x = draft.load(zeros(4096))
    draft.guard(x < 0.0, 3)
    draft.store(ir.sqrt(x))
    return draft


def uniform() -> Draft:
    draft = Draft((4096,))
    draft.store(random(draft, index(draft, (1,)), ("uniform", "f32"), 5, 0))
    return draft


def far_uniform() -> Draft:
    draft = Draft((4096,))
    draft.store(random(draft, index(draft, (2,), 1 << 33), ("uniform", "f64"), 5, 0))
    return draft


def transposed() -> Draft:
    draft = Draft((64, 96))
    crossed = draft.load(zeros(96, 64), where=Addressing(0, (96, 1)))
    draft.store(draft.load(zeros(64, 96)) + crossed)
    return draft


def loop() -> Draft:
    draft = Draft((1 << 15, 50), ["parallel", "serial"])
    state, at = carry(draft, draft.load(zeros(1 << 15), [True, False]))
    step = state * draft.param(0.9, "f32") + draft.load(zeros(50), [False, True])
    carried(draft, at, step)
    draft.store(step)
    draft.store(last(draft, step), [True, False])
    return draft


#: By name of the file: a kernel, and changes of the target.
CASES: dict[str, tuple[Callable[[], Draft], dict[str, Any]]] = {
    "elementwise": (elementwise, {}),
    "odd_offset": (odd_offset, {}),
    "doubles": (doubles, {}),
    "complexes": (complexes, {}),
    "still_operands": (still_operands, {}),
    "gathered": (gathered, {}),
    "guarded": (guarded, {}),
    "uniform": (uniform, {}),
    "uniform_without_wide_integers": (uniform, {"i64": False, "f64": False}),
    "far_uniform": (far_uniform, {}),
    "transposed": (transposed, {}),
    "loop": (loop, {}),
    "loop_in_parts": (loop, {"tuned": (("trips", 8),)}),
}


def shader(draft: Draft, changes: dict[str, Any]) -> Shader:
    made = template(draft.kernel(), Target(**changes))
    return made.prepare(draft.extents, tuple(draft.addressing)).dispatches[0].shader


@pytest.mark.parametrize("name", CASES)
def test_text(name: str, file_regression: FileRegressionFixture) -> None:
    draft, changes = CASES[name]
    made = shader(draft(), changes)
    file_regression.check(made.source, fullpath=GOLDEN / f"{name}.wgsl")
    pipeline(made)


def test_text_does_not_depend_on_sizes_and_values() -> None:
    made = template(elementwise().kernel(), Target())
    whole = Addressing(0, (1,))
    texts = {
        made.prepare((n,), (whole, whole, whole)).dispatches[0].shader
        for n in (4, 4096, 4099, 1 << 26)
    }
    assert len(texts) == 1


def test_axes_that_no_view_tells_apart_are_one() -> None:
    draft = Draft((8, 9, 10))
    draft.store(abs(draft.load(zeros(8, 9, 10))))
    flat = Draft((720,))
    flat.store(abs(flat.load(zeros(720))))
    assert shader(draft, {}) == shader(flat, {})
