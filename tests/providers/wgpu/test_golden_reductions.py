"""Texts of reductions, scans and loops over slices, as files to read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pytest_regressions.file_regression import FileRegressionFixture
from runmat_provider_tests.device import Draft
from runmat_wgpu.codegen import template
from runmat_wgpu.codegen.shader import Target

from runmat_core.api import ir
from tests.providers.wgpu.machine import pipeline
from tests.providers.wgpu.sliced import named, nlms

GOLDEN = Path(__file__).parent / "golden" / "reductions"


def reduced(name: str, shape: tuple[int, ...], kinds: list[str]) -> Draft:
    draft = Draft(shape, kinds)
    for result in ir.reduce(named(name, "f32"), draft.load(np.zeros(shape, np.float32))):
        draft.store(result)
    return draft


def complex_sum() -> Draft:
    draft = Draft((512, 99), ["reduce", "parallel"])
    z = draft.load(np.zeros((512, 99), np.complex64))
    draft.store(ir.reduce(named("sum", "c64"), ir.conj(z) * z)[0])
    return draft


def softmax() -> Draft:
    draft = Draft((64, 40), ["reduce", "parallel"])
    value = draft.load(np.zeros((64, 40), np.float32))
    powers = ir.exp(value - ir.reduce(named("max", "f32"), value)[0])
    draft.store(powers / ir.reduce(named("sum", "f32"), powers)[0])
    return draft


def scan() -> Draft:
    draft = Draft((1 << 20,), ["scan"])
    value = draft.load(np.zeros(1 << 20, np.float32))
    draft.store(ir.scan(named("sum", "f32"), value)[0])
    return draft


CASES: dict[str, tuple[Callable[[], Draft], dict[str, Any]]] = {
    "sum": (lambda: reduced("sum", (1 << 20,), ["reduce"]), {}),
    "sum_of_columns": (lambda: reduced("sum", (512, 99), ["reduce", "parallel"]), {}),
    "sum_of_rows": (lambda: reduced("sum", (512, 99), ["parallel", "reduce"]), {}),
    "complex_sum": (complex_sum, {}),
    "argmax": (lambda: reduced("argmax", (512, 99), ["reduce", "parallel"]), {}),
    "welford": (lambda: reduced("welford", (999,), ["reduce"]), {}),
    "recurrence": (lambda: reduced("recurrence", (999,), ["reduce"]), {}),
    "sum_through_subgroups": (
        lambda: reduced("sum", (512, 99), ["reduce", "parallel"]),
        {"subgroups": True},
    ),
    "softmax": (softmax, {}),
    "scan": (scan, {}),
    "scan_on_software": (scan, {"software": True}),
    "scan_waiting": (scan, {"waits": True, "tuned": (("scan.held", 64),)}),
    "nlms": (lambda: nlms(128, 64, 10), {"subgroups": True}),
}


@pytest.mark.parametrize("name", CASES)
def test_text(name: str, file_regression: FileRegressionFixture) -> None:
    make, changes = CASES[name]
    draft = make()
    made = template(draft.kernel(), Target(**changes))
    prepared = made.prepare(draft.extents, tuple(draft.addressing))
    shaders = list(dict.fromkeys(d.shader for d in prepared.dispatches))
    text = "\n".join(shader.source for shader in shaders)
    file_regression.check(text, fullpath=GOLDEN / f"{name}.wgsl")
    for shader in shaders:
        pipeline(shader)


def test_text_depends_on_sizes_by_form_alone() -> None:
    large = Target(binding_bytes=1 << 31)
    made = template(reduced("sum", (64,), ["reduce"]).kernel(), large)
    views = reduced("sum", (64,), ["reduce"]).addressing
    texts = {
        tuple(d.shader for d in made.prepare((n,), tuple(views)).dispatches)
        for n in (1 << 20, 1 << 22, 3 << 20, 1 << 27)
    }
    assert len(texts) == 1
