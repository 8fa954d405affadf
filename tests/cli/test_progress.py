"""Progress of long work: what a terminal shows of it, and that nothing else gets it."""

from __future__ import annotations

import io
import os
import re
import sys
import urllib.request
from email.message import Message
from pathlib import Path
from typing import Any

import pytest

from runmat_core import Session
from runmat_core.api import progress
from runmat_core.api.progress import Progress


class Terminal(io.StringIO):
    """A terminal of one line, 80 characters wide, which knows the marks that progress uses."""

    def isatty(self) -> bool:
        return True

    def lines(self) -> list[str]:
        """Return the text on the screen after all that was written."""
        done: list[str] = []
        line, column, kept = "", 0, 0
        for mark, text in re.findall("(\x1b7|\x1b8|\x1b\\[K|\n)|([^\x1b\n]+)", self.getvalue()):
            if mark == "\n":
                done.append(line)
                line, column = "", 0
            elif mark == "\x1b7":
                kept = column
            elif mark == "\x1b8":
                column = kept
            elif mark:
                line = line[:column]
            line = line[:column] + text + line[column + len(text) :]
            column += len(text)
            assert column < 80, "the line was wrapped"
        return [*done, line]


def opened(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal in the place of the process's streams."""
    made = Terminal()
    monkeypatch.setattr(sys, "stderr", made)
    monkeypatch.setattr(sys, "stdout", made)
    monkeypatch.setattr(progress, "SOON", 0)
    monkeypatch.setattr(progress, "OFTEN", 0)
    monkeypatch.setenv("TERM", "xterm")
    return made


def test_a_line_shows_steps_and_is_taken_away(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = opened(monkeypatch)
    now = [0.0]
    with Progress("Work", 4, soon=0.5, clock=lambda: now[0]) as shown:
        shown.step("one")
        assert terminal.getvalue() == "", "work that is over soon shows nothing"
        now[0] = 1.0
        shown.step("two")
        assert terminal.lines() == [f" Work  1/4  {progress.bar(0.25)}  25%  two"]
        shown.note("one line that stays")
        shown.step("x" * 200)
        assert terminal.lines()[0] == "one line that stays"
        assert len(terminal.lines()[1]) == 79
    assert terminal.lines() == ["one line that stays", ""]


@pytest.mark.parametrize(("stream", "kind"), [(io.StringIO(), "xterm"), (Terminal(), "dumb")])
def test_nothing_is_shown_elsewhere(
    stream: Any, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", kind)
    with Progress("Work", 2, stream=stream, soon=0) as shown:
        shown.step("one")
        shown.note("line")
    assert stream.getvalue() == ""
    Progress("Work", stream=None if os.name == "nt" else object()).step("there is no terminal")


def test_what_a_program_prints_takes_the_place_of_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = opened(monkeypatch)
    Session().run(
        "h = waitbar(0.5, 'a long text'); disp('first'); waitbar(0.75, h); fprintf('second');"
        "waitbar(1, h); close(h); fprintf(' part\\n')"
    )
    assert "50%  a long text" in terminal.getvalue()
    assert terminal.lines() == ["first", "second part", ""]


def test_tests_and_downloads_show_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = opened(monkeypatch)
    (tmp_path / "two_test.m").write_text("%% first\nassert(true)\n%% second\nassert(true)\n")
    Session(cwd=tmp_path).run("runtests('two_test');")
    assert "1/2" in terminal.getvalue()
    assert "two_test/second" in terminal.getvalue()
    assert ".." in terminal.lines()

    class Answer(io.BytesIO):
        headers = Message()

    Answer.headers["Content-Length"] = "600000"
    monkeypatch.setattr(urllib.request, "urlopen", lambda *a, **k: Answer(b"x" * 600000))
    session = Session(cwd=tmp_path)
    session.run("n = numel(webread('http://example.com/data/table.txt'));")
    assert session["n"] == 600000
    assert "Downloading  262.1k/600.0k  [##########..............]  44%  table.txt" in (
        terminal.getvalue()
    )
    assert terminal.lines()[-1] == ""
