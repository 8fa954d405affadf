"""Programs with every array captured: what they print and find is what they do without a graph."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from runmat_core import Session
from runmat_core.session import config

TESTS = Path(__file__).resolve().parents[1]
PROGRAMS = sorted([*(TESTS.parent / "examples").glob("*.m"), *(TESTS / "programs").glob("*.m")])


def rules() -> list[str]:
    """The lines of the tests of semantics: MATLAB code that leaves ``ok`` true."""
    found: list[str] = []
    for module in sorted((TESTS / "semantics").glob("test_*.py")):
        names = runpy.run_path(str(module))
        split = names.get("lines") or names["rules"]
        for name, text in names.items():
            if name.isupper() and isinstance(text, str):
                found += split(text)
    return found


RULES = rules()


def everything(**settings: object) -> config.Config:
    return config.load().replace(accel__threshold=1, **settings)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.stem)
def test_a_program_prints_the_same(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RUNMAT_QUIET", "1")
    session = Session(cwd=str(tmp_path), config=everything(accel__provider="none"))
    expected = program.with_suffix(".out").read_text()
    assert session.capture_file(str(program)) == expected


@pytest.mark.parametrize("provider", ["none", "auto"])
def test_the_rules_of_the_language_hold(provider: str) -> None:
    assert len(RULES) > 100
    settings = everything(accel__provider=provider)
    failed = []
    captured = 0
    for rule in RULES:
        session = Session(config=settings)
        session.capture(rule)
        captured += session.interp.seat is not None and session.interp.seat.made
        if session["ok"] is not True:
            failed.append(rule)
    assert failed == []
    assert captured > 40
