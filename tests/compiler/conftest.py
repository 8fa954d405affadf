"""Programs run through a session of their own, with what they print."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from runmat_core import Session

Run = Callable[..., str]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run a program and return what it prints; keyword arguments are other files of the folder."""

    def run(code: str, dialect: str = "matlab", **files: str) -> str:
        for name, text in files.items():
            (tmp_path / f"{name}.m").write_text(dedent(text), "utf-8")
        session = Session(dialect=dialect, cwd=tmp_path)  # type: ignore[arg-type]
        return session.capture(dedent(code))

    return run


@pytest.fixture
def failure(run: Run) -> Run:
    """The identifier and message that a program fails with."""

    def failure(code: str, **files: str) -> str:
        report = "fprintf('%s|%s', problem.identifier, problem.message)"
        return run(f"try\n{dedent(code)}\ncatch problem\n{report}\nend\n", **files)

    return failure


@pytest.fixture
def only_small_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other sessions of the process, whose arrays were large early, do not count."""
    from runmat_core.accel.capture import operators
    from runmat_core.values.hooks import HOOKS

    monkeypatch.setattr(HOOKS, "smallest", 1 << 40)
    monkeypatch.setattr(operators._bound, "size", 1 << 40)
