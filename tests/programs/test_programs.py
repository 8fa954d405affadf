"""Whole .m programs print what their .out files say.

The programs of ``examples/`` and of this folder run in a fresh session each. A program NAME.m is
tested against NAME.out beside it; an example without one is a mistake.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from runmat_core import Session

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parents[1] / "examples"
PROGRAMS = sorted([*EXAMPLES.glob("*.m"), *HERE.glob("*.m")])


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.stem)
def test_program_prints_what_it_should(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RUNMAT_QUIET", "1")
    expected = program.with_suffix(".out").read_text()
    session = Session(cwd=str(tmp_path))
    assert session.capture_file(str(program)) == expected


def test_there_are_examples_of_many_kinds() -> None:
    assert len(list(EXAMPLES.glob("*.m"))) >= 8
    assert any(len(p.read_text().splitlines()) >= 200 for p in EXAMPLES.glob("*.m"))
