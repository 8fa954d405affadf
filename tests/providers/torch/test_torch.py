"""The provider on PyTorch: what it may import and weigh, and the kit where PyTorch is installed."""

from __future__ import annotations

import ast
import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[3] / "providers" / "torch_provider" / "runmat_torch"
MODULES = sorted(PACKAGE.glob("*.py"))
INSTALLED = importlib.util.find_spec("torch") is not None
needs_torch = pytest.mark.skipif(not INSTALLED, reason="PyTorch is not installed")


def imported(module: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.ImportFrom):
            yield node.module or ""
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)


def test_it_sees_the_api_alone() -> None:
    names = {name for module in MODULES for name in imported(module) if "runmat" in name}
    assert all(name.startswith(("runmat_core.api.", "runmat_torch.")) for name in names), names


def test_a_provider_of_tables_is_small() -> None:
    assert sum(len(module.read_text().splitlines()) for module in MODULES) <= 400


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """What finds the package as an installed one."""
    info = tmp_path / "runmat_torch-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: runmat-torch\nVersion: 0.1.0\n")
    (info / "entry_points.txt").write_text(
        "[runmat.providers]\ntorch = runmat_torch:TorchProvider\n"
    )
    paths = [str(tmp_path), str(PACKAGE.parent), os.environ.get("PYTHONPATH", "")]
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        "RUNMAT_CACHE_DIR": str(tmp_path / "cache"),
    }


@needs_torch
def test_conforms(environment: dict[str, str]) -> None:
    command = [sys.executable, "-m", "runmat_provider_tests.cli", "torch", "-p", "no:xdist"]
    done = subprocess.run(
        [*command, "-p", "tests.providers.few"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=250,
    )
    assert done.returncode == 0, done.stdout[-6000:]


@needs_torch
def test_a_program_runs_on_it(environment: dict[str, str]) -> None:
    text = (
        "rng(1); A = rand(200); s = svd(A*A'); x = sort(A(:)); f = abs(fft(x)); "
        "fprintf('%.9g ', s(1), x(7), f(2))"
    )
    printed = []
    for provider in ("torch", "none"):
        more = {"RUNMAT_ACCEL_PROVIDER": provider, "RUNMAT_ACCEL_OFFLOAD_FORCE": "device"}
        done = subprocess.run(
            [sys.executable, "-m", "runmat_core", "-e", text],
            env=environment | more,
            capture_output=True,
            text=True,
            timeout=250,
        )
        assert not done.stderr
        printed.append(done.stdout)
    assert printed[0] == printed[1]
