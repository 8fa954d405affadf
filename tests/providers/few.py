"""A plugin of pytest for tests of a kit, which know nothing of sweeps: each is one of three."""

from __future__ import annotations

import pytest

from tests import sampling


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    sampling.keep(items, lambda item: True, lambda cases: sampling.sample(cases, 3))
