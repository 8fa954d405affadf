"""Loops over single elements take by default what they take without capture, and make no nodes."""

from __future__ import annotations

import pytest

from benchmarks.capture import elements

#: Python calls that the large arrays made before a loop may take beside those without capture.
ONCE = 60


@pytest.mark.parametrize("wanted", ["32768, function, sum", "40768, script, write"])
def test_loops_over_elements_ask_for_nothing(wanted: str) -> None:
    rows = elements.compared(wanted, runs=0)
    assert rows
    more = {name: row["default"].calls - row["none"].calls for name, row in rows.items()}
    assert {name: count for name, count in more.items() if count > ONCE} == {}
    assert not any(row["default"].captured for row in rows.values())
