"""Texts of products as files to read; what they compute is tested on adapters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pytest_regressions.file_regression import FileRegressionFixture
from runmat_wgpu.codegen import template
from runmat_wgpu.codegen.products.tiles import TILES
from runmat_wgpu.codegen.shader import Shader, Target

from tests.providers.wgpu.machine import pipeline
from tests.providers.wgpu.multiplied import SMALL, Multiplied

GOLDEN = Path(__file__).parent / "golden" / "products"

#: By name of the file: a product, which of its dispatches, and changes of the target.
CASES: dict[str, tuple[Multiplied, int, dict[str, Any]]] = {
    "tile": (Multiplied((40, 36, 20), "f32"), 0, {}),
    "tile_of_odd_size": (Multiplied((37, 41, 53), "f32", True, True), 0, {}),
    "tile_in_parts": (Multiplied((40, 36, 4100), "f64", True), 0, {}),
    "parts_added_up": (Multiplied((40, 36, 4100), "f64", True), 1, {}),
    "symmetric_centred": (Multiplied((40, 40, 64), "f32", True, False, True, "a"), 0, {}),
    "columns": (Multiplied((40, 2, 64), "f32"), 0, {}),
    "dots": (Multiplied((40, 1, 64), "f32", True), 0, {}),
    "copied_factor": (
        Multiplied((40, 44, 52), "f32", True, True),
        0,
        {"tuned": (*SMALL, ("gemm.pack", 8), ("gemm.work", 0))},
    ),
    "without_shared_memory": (Multiplied((20, 13, 37), "f32"), 0, {"software": True}),
}


def shader(case: Multiplied, number: int, changes: dict[str, Any]) -> Shader:
    made = template(case.call(), Target(**{"tuned": SMALL, **changes}))
    return made.prepare(case.size, ()).dispatches[number].shader


@pytest.mark.parametrize("name", CASES)
def test_text(name: str, file_regression: FileRegressionFixture) -> None:
    made = shader(*CASES[name])
    file_regression.check(made.source, fullpath=GOLDEN / f"{name}.wgsl")
    pipeline(made)


def test_text_does_not_depend_on_sizes() -> None:
    made = template(Multiplied((8, 8, 8)).call(), Target(tuned=SMALL))
    texts = {
        made.prepare(size, ()).dispatches[0].shader.source
        for size in ((40, 36, 20), (64, 128, 256), (400, 52, 12))
    }
    assert len(texts) == 1


@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_shapes_that_a_large_device_runs(dtype: str) -> None:
    large = Target(workgroup_bytes=49152, invocations=1024)
    assert all(tile.fits(dtype, large) for tile in TILES[dtype])
    assert len(set(TILES[dtype])) == len(TILES[dtype])
