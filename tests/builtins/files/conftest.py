"""A session in a folder of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from runmat_core import Session


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(cwd=tmp_path)
