"""The words of docs/glossary.md: one meaning each, and old ones do not come back."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "runmat_core" / "accel").rglob("*.py"))

#: Old words that are still in use. Take one out when the last use of it is renamed; add none.
ALLOWED: frozenset[str] = frozenset(
    """
    any_node_of finals lazy meets node_of promise Recipe Recipes Refused Remembered screen seat
    stretch trip trips twin watched
    """.split()
)


@pytest.fixture(scope="module")
def rows() -> list[tuple[str, frozenset[str]]]:
    """Return the terms of the page, each with its old words."""
    text = (ROOT / "docs" / "glossary.md").read_text()
    cells = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("| ")]
    found = [(c[0].strip(), frozenset(re.findall(r"`(\w+)`", c[2]))) for c in cells]
    return [(term, old) for term, old in found if term != "term"]


def identifiers(path: Path) -> Iterator[str]:
    """Yield the names that a module gives or uses, its own included."""
    yield path.stem
    for node in ast.walk(ast.parse(path.read_text())):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                yield name
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                yield name
            case ast.alias(name=name, asname=other):
                yield other or name.rpartition(".")[2]
            case ast.keyword(arg=str(name)):
                yield name


def test_each_term_has_one_meaning(rows: list[tuple[str, frozenset[str]]]) -> None:
    assert len(rows) > 50  # or the tests here hold for nothing
    count = Counter(word for term, old in rows for word in (*term.split(", "), *old))
    assert [word for word, times in count.items() if times > 1] == []


def test_old_words_do_not_come_back(rows: list[tuple[str, frozenset[str]]]) -> None:
    used = {name for path in SOURCES for name in identifiers(path)}
    old = frozenset().union(*(words for _, words in rows))
    assert sorted(used & old - ALLOWED) == []
    assert sorted(ALLOWED - (used & old)) == [], "no longer in use: take these out of the list"
