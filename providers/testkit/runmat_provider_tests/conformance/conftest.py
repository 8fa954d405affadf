"""Fixtures of the conformance tests: the provider that is tested."""

from __future__ import annotations

import tomllib
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from runmat_core.api.device import NoDevice
from runmat_provider_tests import support
from runmat_provider_tests.device import Device


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--runmat-provider", default="null", help="the provider under test")
    parser.addoption("--runmat-option", action="append", default=[], help="KEY=VALUE of it")
    parser.addoption("--runmat-xfails", default="", help="TOML file of known gaps")
    parser.addoption("--runmat-support", default="", help="file for the support page, - to print")


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


def started(config: pytest.Config) -> Device:
    """Start the provider; end the run with one line where it does not start."""
    name = config.getoption("--runmat-provider")
    try:
        made = Device(name, options(config))
    except Exception as problem:
        if isinstance(problem, NoDevice):
            pytest.exit(f"'{name}' finds no device here: {problem}", returncode=3)
        pytest.exit(f"'{name}' does not start: {type(problem).__name__}: {problem}", returncode=2)
    if made.capabilities is None:
        pytest.exit(f"'{name}' finds no device here", returncode=3)
    return made


def pytest_sessionstart(session: pytest.Session) -> None:
    """Let the process that has others run the tests find out whether they can."""
    if getattr(session.config.option, "numprocesses", None):
        started(session.config).hook.close()


@pytest.fixture(scope="session")
def device(request: pytest.FixtureRequest) -> Device:
    return started(request.config)


@pytest.fixture(autouse=True)
def fresh(request: pytest.FixtureRequest) -> None:
    """Let no failure show the unit of another test."""
    if "device" in request.fixturenames:
        request.getfixturevalue("device").last = None


# -- reports --------------------------------------------------------------------------------------


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    device = getattr(item, "funcargs", {}).get("device")
    if report.when == "call" or report.outcome != "passed":
        entry = support.entry_of(item, report, device)
        report.user_properties.append(("runmat", entry))
    if report.when == "call" and report.failed and call.excinfo is not None:
        report.longrepr = support.failure_text(item, call.excinfo, device)
    return report


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Collector(config), "runmat-support")


class Collector:
    """What became of every test, from all workers."""

    def __init__(self, config: pytest.Config) -> None:
        self.page = support.Page(config.getoption("--runmat-provider"))
        self.target = config.getoption("--runmat-support")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for name, entry in report.user_properties:
            if name == "runmat":
                self.page.add(*entry)  # type: ignore[misc]

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        terminalreporter.write_line(self.page.summary())
        if self.target == "-":
            terminalreporter.write(self.page.text())
        elif self.target:
            html = self.target.endswith((".html", ".htm"))
            text = self.page.html() if html else self.page.text()
            Path(self.target).write_text(text, encoding="utf-8")
