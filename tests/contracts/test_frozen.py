"""Packages that were built once and never again go on working: the promise of `api_version`.

The wheels in ``tests/frozen`` hold providers of the three kinds and a plugin. They are not built
anew: a change of the core under which one of them fails needs a new version of the interface.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

FROZEN = Path(__file__).parents[1] / "frozen"
WHEELS = sorted(FROZEN.glob("*.whl"))
PROVIDERS = ["frozen_small", "frozen_tables", "frozen_plain"]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The wheels installed in a folder on the search path."""
    site = tmp_path_factory.mktemp("site")
    for wheel in WHEELS:
        with ZipFile(wheel) as packed:
            packed.extractall(site)
    cache = tmp_path_factory.mktemp("cache")
    return {**os.environ, "PYTHONPATH": str(site), "RUNMAT_CACHE_DIR": str(cache)}


def ran(environment: dict[str, str], *command: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *command],
        env=environment,
        cwd=environment["RUNMAT_CACHE_DIR"],
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert not done.stderr
    return done.stdout


def test_wheels_hold_what_their_sources_say() -> None:
    packed = {}
    for wheel in WHEELS:
        with ZipFile(wheel) as file:
            names = [name for name in file.namelist() if name.endswith(".py")]
            packed |= {name: file.read(name).decode() for name in names}
    assert packed == {source.name: source.read_text() for source in FROZEN.glob("*/*.py")}


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_frozen_provider_conforms(environment: dict[str, str], provider: str) -> None:
    chosen = "test_hooks or max or sqrt or add or sum or welford or several or broadcast"
    command = ["runmat_provider_tests.cli", provider, "-p", "no:xdist", "-k", chosen]
    assert " 0 failed" in ran(environment, *command)


def test_a_frozen_plugin_runs_on_a_frozen_provider(environment: dict[str, str]) -> None:
    program = Path(environment["RUNMAT_CACHE_DIR"]) / "scores.m"
    program.write_text(
        "x = linspace(-5, 5, 300000)' * (1:4);\n"
        "y = logsumexp(2 * softplus(x) - 1, 2);\n"
        "fprintf('%.4f %d %.1f\\n', y(end), editdistance('kitten', \"sitting\"), "
        "signedvolume([2 0; 1 3]));\n"
    )
    tables = environment | {"RUNMAT_ACCEL_PROVIDER": "frozen_tables"}
    assert ran(tables, "runmat_core", str(program)) == "39.0000 3 6.0\n"
    where = ran(tables, "runmat_core", "explain", str(program)).splitlines()
    assert any("softplus" in line and "frozen_tables" in line for line in where), where
