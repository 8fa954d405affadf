"""What the README and the page for contributors show is what happens."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from runmat_core.builtins import registry

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text()


def fences(language: str, page: str = README) -> list[str]:
    every = re.findall(r"^```(\w*)\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    return [text for word, text in every if word == language]


def console() -> list[tuple[str, str]]:
    """Commands and the output shown under each."""
    found: list[tuple[str, str]] = []
    for fence in fences("console"):
        for part in re.split(r"^\$ ", fence, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


@pytest.mark.parametrize(("command", "output"), console(), ids=[c for c, _ in console()])
def test_commands_print_what_is_shown(command: str, output: str) -> None:
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-c", f"{command} 2>&1"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=250,
    )
    assert done.stdout == output


def test_the_python_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = fences("python")
    exec(compile(code, "README.md", "exec"), {})
    assert "Index must not exceed 3." in capsys.readouterr().out


def test_the_two_commands_are_targets() -> None:
    makefile = (ROOT / "Makefile").read_text()
    (start,) = [f for f in fences("") if "make demo" in f]
    for target in re.findall(r"^make ([\w-]+)", start, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_the_builtin_for_contributors_is_one_of_ours() -> None:
    (code,) = fences("python", CONTRIBUTING)
    scope: dict[str, Any] = {}
    exec(compile(code, "CONTRIBUTING.md", "exec"), scope)
    spec = scope["hypot"].__runmat_builtin__
    ours = registry.find(spec.name)
    assert ours is not None
    assert spec.host.__doc__ == ours.host.__doc__
    assert code[code.index("\ndef ") :] in Path(inspect.getfile(ours.host)).read_text()
