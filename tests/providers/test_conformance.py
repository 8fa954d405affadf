"""The conformance kit, run as a provider's author runs it, against the providers of this tree."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAMES = ["null", "inprocess", "wgpu"]


def conforms(name: str, *more: str) -> None:
    command = [sys.executable, "-m", "runmat_provider_tests.cli", name, "-p", "no:xdist", *more]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=1800)
    if "finds no device here" in done.stdout and not os.environ.get("RUNMAT_REQUIRE_WGPU"):
        pytest.skip(f"no device for {name}")
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert " passed" in done.stdout


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_of_the_kit_passes(name: str) -> None:
    conforms(name, "-p", "tests.providers.few")


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_provider_conforms(name: str) -> None:
    conforms(name)


def test_unknown_provider_is_told() -> None:
    command = [
        sys.executable,
        "-m",
        "runmat_provider_tests.cli",
        "nosuch",
        "-x",
        "-k",
        "capabilities",
    ]
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
