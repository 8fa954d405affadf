"""The pages on what the tests show, and on what keeps each promise, name tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
KIT = ROOT / "providers" / "testkit" / "runmat_provider_tests"
HEADS = ("| what holds |", "| asked |")


@pytest.mark.parametrize("page", ["testing.md", "promises.md"])
def test_every_row_names_tests_that_exist(page: str) -> None:
    text = (ROOT / "docs" / page).read_text()
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    rows = [row for row in rows if not row.startswith(HEADS)]
    assert len(rows) > 30
    missing = []
    for row in rows:
        named = re.findall(r"`([\w/]+\.py)::(\w+)`", row)
        assert named, row
        for path, test in named:
            home = KIT if path.startswith("conformance/") else ROOT / "tests"
            file = home / path
            if not file.is_file() or f"\ndef {test}(" not in file.read_text():
                missing.append(f"{path}::{test}")
    assert missing == []
