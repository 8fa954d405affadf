"""Shared by every test: which of them run, and throwaway packages."""

from __future__ import annotations

import gc
import os
import signal
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests import sampling

#: Nothing becomes garbage while tests are collected; see `pytest_collection_finish`.
gc.disable()
#: No test depends on how fast the machine is that it runs on, nor waits until that is measured.
os.environ.setdefault("RUNMAT_ACCEL_OFFLOAD_CALIBRATE", "never")
#: Tests look at what is captured, so they do not wait until it pays.
os.environ.setdefault("RUNMAT_ACCEL_START_AFTER", "0")
#: Nor do they find plans that other tests have made.
os.environ.setdefault("RUNMAT_ACCEL_PLAN_FILES", "0")
#: A busy machine takes its time to make and to run an example.
settings.register_profile(
    "any load", settings.default, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any load")
#: Tests of Ctrl-C interrupt themselves, which a run in the background of a shell would ignore.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
#: Preferences are those of the test run, not of whoever runs it; workers take their controller's.
if "MATLAB_PREFDIR" not in os.environ:
    _preferences = tempfile.TemporaryDirectory(prefix="runmat-preferences-")
    os.environ["MATLAB_PREFDIR"] = _preferences.name


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--runslow", action="store_true", help="run long sweeps too, and in full")
    parser.addoption("--quick", action="store_true", help="run a few cases of each quick test")
    parser.addoption("--times", metavar="FOLDER", help="write what each test costs there")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "sweep(most, **of): many cases, of which a sample runs (tests/sampling.py)"
    )
    if folder := config.getoption("--times"):
        from tests.times import Times

        config.pluginmanager.register(Times(Path(folder)))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return True if config.getoption("--quick") and sampling.is_long(collection_path) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    collected = [*items]
    sampling.select(items, config)
    kept = {*items}
    config.hook.pytest_deselected(items=[item for item in collected if item not in kept])


def pytest_collection_finish() -> None:
    """Have the collector pass over what collecting made: each pass took a second with it."""
    gc.collect()
    gc.freeze()
    gc.enable()


#: A provider with every hook that it must have; `{says}` answers what it can do.
_PROVIDER = """
from runmat_core.api.device import *
from runmat_core.api.hookspecs import hookimpl

class Made:
    requests = []
    closed = 0

    @hookimpl
    def capabilities(self, request):
        Made.requests.append(request)
        {says}

    @hookimpl
    def allocate(self, request):
        return tuple(DeviceArray(shape, dtype, "made") for shape, dtype in request.arrays)

    @hookimpl
    def upload(self, request):
        return tuple(DeviceArray(a.shape, "f64", "made", a) for a in request.arrays)

    @hookimpl
    def download(self, request):
        return Downloaded(arrays=tuple(h.payload for h in request.arrays))

    @hookimpl
    def free(self, request):
        return True

    @hookimpl
    def compile(self, request):
        return None

    @hookimpl
    def execute(self, request):
        return True

    @hookimpl
    def synchronize(self, request):
        return True

    @hookimpl
    def close(self):
        Made.closed += 1
        return True
"""


@pytest.fixture
def provider_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Installs a package that offers a provider; those that are really installed are hidden.

    The module is made of `source`, or of a whole provider whose answer is `says`, with `edits`.
    """
    from runmat_core.accel.devices import discovery

    folders = [tmp_path / "site"]
    monkeypatch.setattr(discovery, "search_path", lambda: [str(f) for f in folders])

    def make(
        name: str,
        says: str = "",
        source: str = "",
        edits: tuple[tuple[str, str], ...] = (),
        distribution: str = "",
        module: str = "",
        version: str = "1.2",
        extra: str = "",
    ) -> Path:
        site = folders[0]
        distribution = distribution or f"runmat-{name}"
        module = module or f"made_{name}_{tmp_path.name}".replace("-", "_")
        info = site / f"{distribution.replace('-', '_')}-{version}.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n"
        )
        (info / "entry_points.txt").write_text(
            f"[runmat.providers]\n{name} = {module}:Made\n{extra}"
        )
        text = source
        if not source:
            says = says or "return Capabilities(name='it', kind='device', dtypes=frozenset())"
            text = _PROVIDER.replace("{says}", says)
        for old, new in edits:
            assert old in text
            text = text.replace(old, new)
        (site / f"{module}.py").write_text(text)
        monkeypatch.syspath_prepend(str(site))
        return site

    return make
