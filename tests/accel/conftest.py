"""Throwaway packages by the name that tests of providers have for them."""

from __future__ import annotations

import pytest

from tests.accel.provider_packages import Maker


@pytest.fixture
def package(provider_package: Maker) -> Maker:
    return provider_package
