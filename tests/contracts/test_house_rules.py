"""Rules about the code itself: each lists what breaks it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
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


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    return {str(path.relative_to(ROOT)): path.read_text() for path in SOURCES}


@pytest.fixture(scope="module")
def trees(texts: dict[str, str]) -> dict[str, ast.Module]:
    modules = {
        name: ast.parse(text)
        for name, text in texts.items()
        if name.startswith("runmat_core/") and name.endswith(".py")
    }
    assert len(modules) > 100  # or the rules below hold for nothing
    return modules


def test_modules_are_of_one_idea(texts: dict[str, str], trees: dict[str, ast.Module]) -> None:
    lines = {name: len(texts[name].splitlines()) for name in trees}
    assert {name: count for name, count in lines.items() if count > MODULE_LINES} == {}


def test_records_are_made_quickly(trees: dict[str, ast.Module]) -> None:
    """`runmat_core.api.tuples` has the `NamedTuple` that compiles no annotations."""
    slow = [
        name
        for name, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "typing"
        if "NamedTuple" in [alias.name for alias in node.names]
    ]
    assert slow == ["runmat_core/api/tuples.py"]


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the lines of a function's body without its docstring."""
    body = node.body[1:] if ast.get_docstring(node) else node.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def test_functions_fit_a_screen(trees: dict[str, ast.Module]) -> None:
    lines = {
        f"{name}: {node.name}": length(node)
        for name, tree in trees.items()
        for node in functions(tree)
    }
    assert {name: count for name, count in lines.items() if count > FUNCTION_LINES} == {}


def test_modules_say_what_they_are(trees: dict[str, ast.Module]) -> None:
    assert [name for name, tree in trees.items() if not ast.get_docstring(tree)] == []


def test_nothing_speaks_of_a_machine(texts: dict[str, str]) -> None:
    # the roots of home and scratch folders, spelt so that this file does not name one
    folders = re.compile(r"(?<![\w.])/(?:root|home|Users|farm)/\w+")
    assert [name for name, text in texts.items() if folders.search(text)] == []
