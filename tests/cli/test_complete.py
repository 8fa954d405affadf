"""Tab completion."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import attrs
import pytest

from runmat_core.cli.complete import complete


@attrs.define
class Fake:
    where: Path

    def variables(self) -> Iterable[str]:
        return ["alpha", "alpine", "s", "sinister"]

    def functions(self) -> Iterable[str]:
        return ["alpha", "sin", "sinh", "size"]

    def fields(self, path: list[str]) -> Iterable[str]:
        return {"s": ["name", "number"], "s.inner": ["deep"]}.get(".".join(path), [])

    def folder(self) -> Path:
        return self.where


@pytest.fixture
def names(tmp_path: Path) -> Fake:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "one.mat").touch()
    (tmp_path / "demo.m").touch()
    (tmp_path / ".hidden").touch()
    return Fake(tmp_path)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("al", ["alpha", "alpine"]),
        ("x = 1 + sin", ["sinister", "sin", "sinh"]),
        ("s.n", ["name", "number"]),
        ("disp(s.", ["name", "number"]),
        ("s.inner.d", ["deep"]),
        ("nothing.f", []),
        ("wh", ["while"]),
        ("1 + ", []),
        ("run d", ["data/", "demo.m"]),
        ("load('data/", ["one.mat"]),
        ("y = a'; al", ["alpha", "alpine"]),
        ("disp('it', al", ["alpha", "alpine"]),
        ("load ", ["data/", "demo.m"]),
        ("load nowhere/", []),
    ],
)
def test_completions(line: str, expected: list[str], names: Fake) -> None:
    assert [c.text for c in complete(line, names)] == expected


def test_a_completion_replaces_the_word_only(names: Fake) -> None:
    line = "x = s.nu"
    (only,) = complete(line, names)
    assert line[: only.start] + only.text == "x = s.number"
