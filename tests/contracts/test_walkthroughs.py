"""The walk-throughs in docs are followed to the letter: files, commands and what they print.

A fence after a line that holds only a file name in backticks is that file. Console commands run in
its folder; ``pip install -e .`` is played by the metadata that it would write, so that nothing is
fetched.
"""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = sorted(page.name for page in DOCS.glob("writing-*.md"))
FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)
NAMED = re.compile(r"^`([\w./-]+)`:\n\n```\w+\n(.*?)^```", re.DOTALL | re.MULTILINE)


def install(folder: Path) -> None:
    """What ``pip install -e .`` leaves behind, as far as entry points go."""
    project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    info = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    points = "".join(
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in table.items())
        for group, table in project["entry-points"].items()
    )
    (info / "entry_points.txt").write_text(points)


def run(command: str, folder: Path) -> str:
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(folder),
        "RUNMAT_CACHE_DIR": str(folder / "cache"),
    }
    done = subprocess.run(
        ["bash", "-c", f"{command} 2>&1"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, f"$ {command}\n{done.stdout}"
    return done.stdout


def test_every_hook_stands_on_the_page_with_its_signature() -> None:
    from runmat_core.api import hookspecs

    rows = re.findall(r"^\| `(\w+\(.*?)` \| \S", (DOCS / "writing-a-provider.md").read_text(), re.M)
    hooks = [f for name, f in vars(hookspecs.AccelProvider).items() if not name.startswith("_")]
    specified = [f"{f.__name__}{inspect.signature(f)}".replace("self, ", "") for f in hooks]
    plain = [text.replace("'", "").replace("(self)", "()") for text in specified]
    assert [row.replace("\\|", "|") for row in rows] == plain


@pytest.mark.parametrize("page", PAGES)
def test_following_the_page_works(page: str, tmp_path: Path) -> None:
    text = (DOCS / page).read_text()
    files = dict(NAMED.findall(text))
    assert "pyproject.toml" in files
    for name, content in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    ran = 0
    for command, output in commands(text):
        if command.startswith("pip install"):
            install(tmp_path)
            continue
        printed = run(command, tmp_path)
        ran += 1
        if output:
            assert printed == output, f"$ {command}"
    assert ran >= 2


@pytest.mark.parametrize("page", PAGES)
def test_snippets_print_what_is_shown(page: str, tmp_path: Path) -> None:
    """A Python fence that names no file prints the text fence that follows it."""
    text = (DOCS / page).read_text()
    named = set(NAMED.findall(text) and [content for _, content in NAMED.findall(text)])
    fences = FENCE.findall(text)
    for k, (language, content) in enumerate(fences):
        if language == "python" and content not in named:
            (tmp_path / "snippet.py").write_text(content)
            printed = run("python snippet.py", tmp_path)
            following = fences[k + 1] if k + 1 < len(fences) else ("", "")
            if following[0] == "text":
                assert printed == following[1]


def commands(text: str) -> list[tuple[str, str]]:
    """Commands and the output shown under each, nothing where none is shown."""
    found = []
    for language, content in FENCE.findall(text):
        if language == "console":
            for part in re.split(r"^\$ ", content, flags=re.MULTILINE)[1:]:
                command, _, output = part.partition("\n")
                found.append((command, output))
    return found
