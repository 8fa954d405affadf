"""The page on what the tests show names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "testing.md"
KIT = ROOT / "providers" / "testkit" / "runmat_provider_tests"


def test_every_row_names_tests_that_exist() -> None:
    rows = [line for line in PAGE.read_text().splitlines() if line.startswith("| ")]
    rows = [row for row in rows if row != "| what holds | shown by |"]
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
