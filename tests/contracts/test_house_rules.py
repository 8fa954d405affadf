"""Rules about the code itself."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted((ROOT / "runmat_core").rglob("*.py"))
SOURCES = sorted(
    path
    for folder in ("runmat_core", "tests", "benchmarks", "examples", "docs")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in {".py", ".m", ".md", ".lark"}
)

#: A module past this holds two ideas; a lower bound cut ideas into fragments.
MODULE_LINES = 800
#: "fits a screen"
FUNCTION_LINES = 75


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", MODULES, ids=relative)
def test_modules_are_of_one_idea(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= MODULE_LINES


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


@pytest.mark.parametrize("path", MODULES, ids=relative)
def test_functions_fit_a_screen(path: Path) -> None:
    for node in functions(ast.parse(path.read_text())):
        body = node.body[1:] if ast.get_docstring(node) else node.body
        if body:
            lines = (body[-1].end_lineno or 0) - body[0].lineno + 1
            assert lines <= FUNCTION_LINES, f"{node.name} has {lines} lines"


@pytest.mark.parametrize("path", MODULES, ids=relative)
def test_modules_say_what_they_are(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text())), "no module docstring"


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_nothing_speaks_of_a_machine(path: Path) -> None:
    text = path.read_text()
    # the roots of home and scratch folders, spelt so that this file does not name one
    found = re.search(r"(?<![\w.])/(?:root|home|Users|farm)/\w+", text)
    assert found is None, found
