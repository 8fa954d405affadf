"""Launches in boxes: the same elements and status as in one piece."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from runmat_inprocess import boxes

from runmat_core.api import ir
from tests.providers.inprocess import conftest as plain
from tests.providers.native.conftest import same
from tests.providers.native.test_stretches import Drawn


@pytest.fixture
def cut(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count the boxes that launches were cut into; 0 for those that were not."""
    counts: list[int] = []

    cut_up = boxes.boxes

    def counted(*launch: Any) -> Any:
        found = cut_up(*launch)
        counts.append(len(found or ()))
        return found

    monkeypatch.setattr(boxes, "boxes", counted)
    monkeypatch.setattr(boxes, "LEAST", 1)
    return counts


def test_choices_between_parts(
    new_device: Any, cut: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(150):
        drawn = Drawn(seed)
        (got,), bits = new_device(threads=1 + seed % 2).launch(drawn.w)
        with monkeypatch.context() as patched:
            patched.setattr(boxes, "boxes", lambda *launch: None)
            (wanted,), word = new_device().launch(drawn.w)
        same(got, wanted)
        assert bits == word, seed
    assert sum(count > 1 for count in cut) > 20


def test_a_shift_reads_views(new_device: Callable[..., Any], cut: list[int]) -> None:
    rows, columns = 200, 30
    x = np.arange(rows * columns, dtype=float).reshape((rows, columns), order="F")
    writer = plain.Writer("pp", (rows, columns))
    first = writer.index((1, 0), -1) >= 0
    numbers = ir.where(first, writer.index((1, rows), -1), writer.index((1, rows), rows - 1))
    writer.store(writer.gather(x.ravel(order="F"), numbers) * 2.0)
    got = new_device().output(writer)
    np.testing.assert_array_equal(got.reshape((rows, columns), order="F"), 2 * np.roll(x, 1, 0))
    assert cut == [2]
