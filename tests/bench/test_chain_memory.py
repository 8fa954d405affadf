"""What the benchmark of a chain's peak memory shows, with fewer elements."""

from __future__ import annotations

import pytest

from benchmarks import chain_memory


def test_a_chain_of_ten_operations_needs_no_temporaries(capsys: pytest.CaptureFixture[str]) -> None:
    assert chain_memory.main(["1.2e7"]) == 0, capsys.readouterr().out
