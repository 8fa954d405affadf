"""The prompt, driven through a pipe as prompt_toolkit's terminal."""

from __future__ import annotations

from pathlib import Path

import pytest
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from runmat_core import Session
from runmat_core.cli import repl
from runmat_core.cli.complete import complete


@pytest.fixture(autouse=True)
def state_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path


def typed(keys: str, session: Session) -> str:
    with create_pipe_input() as pipe:
        editor = repl.line_editor(session, "matlab", input=pipe, output=DummyOutput())
        pipe.send_text(keys)
        return editor.prompt(">> ")


def test_a_complete_line_is_taken_at_enter() -> None:
    assert typed("x = 1;\r", Session()) == "x = 1;"


def test_an_open_block_takes_more_lines() -> None:
    text = typed("for k = 1:2\rdisp(k)\rend\r", Session())
    assert [line.strip() for line in text.splitlines()] == ["for k = 1:2", "disp(k)", "end"]


def test_an_open_bracket_takes_more_lines() -> None:
    assert typed("A = [1 2\r3 4];\r", Session()).splitlines() == ["A = [1 2", "3 4];"]


def test_history_is_kept(state_home: Path) -> None:
    typed("remember = 1;\r", Session())
    assert "remember = 1;" in (state_home / "runmat" / "history").read_text()


def test_an_error_leaves_the_session(capsys: pytest.CaptureFixture[str]) -> None:
    session = Session()
    repl.execute(session, "x = 5;")
    repl.execute(session, "error('my:id', 'went wrong')")
    repl.execute(session, "x")
    captured = capsys.readouterr()
    assert "went wrong" in captured.err
    assert "5" in captured.out


def test_names_of_a_session(tmp_path: Path) -> None:
    (tmp_path / "mine.m").write_text("function mine\nend\n")
    session = Session(cwd=str(tmp_path))
    session.run("mimosa = 1; s.alpha = 1; s.inner.beta = 2;")
    names = repl.SessionNames(session)
    assert {"mimosa", "min", "mine", "minus"} <= {c.text for c in complete("mi", names)}
    assert [c.text for c in complete("s.inner.", names)] == ["beta"]
    assert [c.text for c in complete("s.", names)] == ["alpha", "inner"]
