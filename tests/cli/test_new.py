"""`runmat new`: what it writes is a package that works, with tests that pass."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from runmat_core.cli.main import main
from tests.contracts.test_walkthroughs import install


@pytest.mark.parametrize("kind", ["provider", "plugin"])
def test_the_tests_of_a_new_package_pass(kind: str, tmp_path: Path) -> None:
    folder = tmp_path / "made"
    assert main(["new", kind, "runmat-my-own", "--folder", str(folder)]) == 0
    assert (folder / "runmat_my_own" / "py.typed").exists()
    texts = [path.read_text() for path in folder.rglob("*") if path.is_file()]
    assert not any("$" in text for text in texts)
    install(folder)
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    for command in (
        ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "."],
        ["-m", "ruff", "check", "--isolated", "--line-length=100", "."],
    ):
        done = subprocess.run(
            [sys.executable, *command],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=600,
        )
        assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]


def test_what_is_there_is_not_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "plugin", "mine"]) == 0
    before = sorted(tmp_path.rglob("*"))
    assert main(["new", "provider", "mine"]) == 1
    assert main(["new", "provider", "2nd"]) == 2
    assert sorted(tmp_path.rglob("*")) == before
    assert "runmat-mine is there already" in capsys.readouterr().err
