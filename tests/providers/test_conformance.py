"""The conformance kit, run as a provider's author runs it, against the providers of this tree."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest


@pytest.mark.parametrize("name", ["null", "inprocess", "native", "wgpu"])
def test_provider_conforms(name: str) -> None:
    command = [sys.executable, "-m", "runmat_provider_tests.cli", name, "-p", "no:xdist"]
    command += ["--option", "eager=1"] if name == "native" else []
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800)
    if "finds no device here" in done.stdout and not os.environ.get("RUNMAT_REQUIRE_WGPU"):
        pytest.skip(f"no device for {name}")
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert " passed" in done.stdout


def test_unknown_provider_is_told() -> None:
    command = [sys.executable, "-m", "runmat_provider_tests.cli", "nosuch", "-x"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode != 0
    assert "no installed package offers the provider 'nosuch'" in done.stdout


def test_known_gaps_are_strict(tmp_path: object) -> None:
    gaps = f"{tmp_path}/gaps.toml"
    with open(gaps, "w") as file:
        file.write('"test_capabilities_are_declared" = "not a gap at all"\n')
    command = [sys.executable, "-m", "runmat_provider_tests.cli", "null", "--xfails", gaps]
    done = subprocess.run(
        [*command, "-k", "capabilities"], capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 1
    assert "XPASS(strict)" in done.stdout
