"""Scans in one dispatch, whose workgroups wait for what stands before their tiles."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest
from runmat_wgpu.codegen import template
from runmat_wgpu.codegen.shader import Prepared, Target

from tests.providers.wgpu.machine import adapter_device
from tests.providers.wgpu.test_scans import scan

SLOW = pytest.mark.slow


def prepared(size: int, dtype: str = "f32", **changes: Any) -> Prepared:
    draft = scan("sum", (size,), ["scan"], dtype=dtype)
    made = template(draft.kernel(), Target(**{"waits": True, **changes}))
    return made.prepare((size,), tuple(draft.addressing))


def test_every_element_is_read_and_written_once() -> None:
    size = 1 << 24
    found = prepared(size, binding_bytes=1 << 31)
    (only,) = found.dispatches
    text = only.shader.source
    batches = text.count("b0[")
    assert batches == text.count("b1[")
    tile = 4 * batches * int(text.split("@workgroup_size(")[1].split(")")[0])
    tiles = only.grid[0] * only.grid[1]
    assert tiles == -(-size // tile)
    assert found.reads == 4 * size
    assert found.cleared == (0,)  # or tickets and marks of the last launch would be there
    teams = -(-tiles // 32)
    assert found.scratch == (4 + 8 * (tiles + teams + -(-teams // 32)),)


@pytest.mark.parametrize(
    "changes", [{"waits": False}, {"software": True}, {"binding_bytes": 1 << 20}], ids=str
)
def test_where_no_workgroup_waits(changes: dict[str, Any]) -> None:
    for dispatch in prepared(1 << 20, **changes).dispatches:
        assert "atomic" not in dispatch.shader.source


def test_short_vectors_are_gone_along_by_one_workgroup() -> None:
    (only,) = prepared(4000).dispatches
    assert "atomic" not in only.shader.source


@pytest.mark.parametrize(
    "name",
    ["several", "seams", *(pytest.param(k, marks=SLOW) for k in ("vectors", "reducers", "slices"))],
)
def test_results_one_workgroup_at_a_time(name: str) -> None:
    adapter_device()  # skips where there is none
    done = subprocess.run(
        [sys.executable, "-m", "tests.providers.wgpu.waiting", name],
        env={**os.environ, "LP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
    )
    assert done.stdout.split() == [name, "bits", "in_turn"], done.stderr


def test_large_states_have_smaller_workgroups() -> None:
    sizes = []
    for dtype in ("f32", "f64"):
        draft = scan("sum", (1 << 24,), ["scan"], dtype=dtype)
        made = template(draft.kernel(), Target(waits=True, binding_bytes=1 << 31))
        (only,) = made.prepare((1 << 24,), tuple(draft.addressing)).dispatches
        sizes.append(int(only.shader.source.split("@workgroup_size(")[1].split(")")[0]))
    assert sizes[0] == 2 * sizes[1]
