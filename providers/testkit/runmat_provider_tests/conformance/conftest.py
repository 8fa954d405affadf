from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from runmat_provider_tests.device import Device


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--runmat-provider", default="null", help="the provider under test")
    parser.addoption("--runmat-option", action="append", default=[], help="KEY=VALUE of it")
    parser.addoption("--runmat-xfails", default="", help="TOML file of known gaps")


def options(config: pytest.Config) -> dict[str, Any]:
    chosen: dict[str, Any] = {}
    for text in config.getoption("--runmat-option"):
        key, _, value = text.partition("=")
        chosen[key] = int(value) if value.isdigit() else value
    return chosen


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Known gaps are strict: a gap that closed fails until it leaves the file."""
    path = config.getoption("--runmat-xfails")
    if not path:
        return
    gaps = tomllib.loads(Path(path).read_text())
    for item in items:
        if reason := gaps.get(item.name):
            item.add_marker(pytest.mark.xfail(reason=reason, strict=True))


@pytest.fixture(scope="session")
def device(request: pytest.FixtureRequest) -> Device:
    name = request.config.getoption("--runmat-provider")
    made = Device(name, options(request.config))
    if made.capabilities is None:
        pytest.exit(f"'{name}' finds no device here", returncode=3)
    return made
