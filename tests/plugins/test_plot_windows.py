"""Windows: what is drawn when, and what waits for a person, by a toolkit that shows nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from runmat_plot.scene.callbacks import Press
from runmat_plot.windows import Windows

from runmat_core import MatlabError, Session
from runmat_core.api.front import front_of


class Toolkit:
    """Windows that tests look at; `script` says what a person does at each look."""

    def __init__(self, *script: Callable[[Toolkit], None]) -> None:
        self.script = list(script)
        self.titles: list[str] = []
        self.open_now: list[Any] = []
        self.draws = 0
        self.presses: list[Press] = []
        self.gone: list[Any] = []
        self.ended = False

    def open(self, title: str, pixels: Any) -> Any:
        self.titles.append(title)
        self.draws += 1
        self.open_now.append(window := object())
        return window

    def draw(self, window: Any, title: str, pixels: Any) -> None:
        self.draws += 1

    def close(self, window: Any) -> None:
        self.open_now.remove(window)

    def pump(self) -> list[Any]:
        if self.script:
            self.script.pop(0)(self)
        gone, self.gone = self.gone, []
        self.open_now = [window for window in self.open_now if window not in gone]
        return gone

    def press(self, window: Any) -> Press | None:
        return self.presses.pop(0) if self.presses else None

    def forget(self, window: Any) -> None:
        self.presses.clear()

    def end(self) -> None:
        self.ended = True


def nothing(toolkit: Toolkit) -> None:
    """Look, and do nothing."""


def session_with(toolkit: Toolkit) -> Session:
    session = Session(stdout=len)
    session.run("r = groot;")
    root: Any = session["r"]
    windows = Windows(root.scene, toolkit)
    root.scene.windows = windows
    front = front_of(session.interp)
    front.idle.append(windows.refresh)
    front.ends.append(windows.keep_open)
    return session


def test_windows_are_drawn_when_a_program_waits_and_only_what_changed() -> None:
    toolkit = Toolkit()
    session = session_with(toolkit)
    session.run("h = plot(1:3); title('a'); set(gcf, 'Name', 'N');")
    assert toolkit.draws == 0
    session.run("drawnow; drawnow; h.YData = [3 2 1]; pause(0.01);")
    assert (toolkit.titles, toolkit.draws) == (["Figure 1: N"], 2)
    session.run("figure('Visible', 'off'); drawnow; close all; drawnow;")
    assert toolkit.open_now == []
    assert len(toolkit.titles) == 1


def test_clicks_are_points_of_axes() -> None:
    def click(toolkit: Toolkit) -> None:
        toolkit.presses += [Press(280, 210, 1), Press(100, 100, 3)]

    session = session_with(Toolkit(nothing, click))
    session.run("axes('Position', [0 0 1 1]); axis([0 56 0 42]); [x, y, b] = ginput(2);")
    assert np.ravel(session["x"]).tolist() == pytest.approx([28, 10])
    assert np.ravel(session["y"]).tolist() == pytest.approx([21, 10])
    assert np.ravel(session["b"]).tolist() == [1, 3]


def test_keys_and_closed_windows_end_waiting() -> None:
    def key(toolkit: Toolkit) -> None:
        toolkit.presses.append(Press(1, 1, 97, "a"))

    def leave(toolkit: Toolkit) -> None:
        toolkit.gone = list(toolkit.open_now)

    session = session_with(Toolkit(nothing, key, nothing, leave))
    session.run("f = figure; k = waitforbuttonpress; uiwait(f); gone = ~isvalid(f);")
    assert (session["k"], session["gone"]) == (1, True)
    session = session_with(Toolkit(nothing, leave))
    with pytest.raises(MatlabError) as caught:
        session.run("ginput(1)")
    assert caught.value.identifier == "MATLAB:ginput:FigureDeletionPause"


def test_callbacks_run_and_let_a_program_go_on() -> None:
    def key(toolkit: Toolkit) -> None:
        toolkit.presses.append(Press(1, 1, 97, "a"))

    session = session_with(Toolkit(nothing, key))
    session.run(
        "f = figure('KeyPressFcn', @(s, e) uiresume(s)); uiwait(f); c = f.CurrentCharacter;"
    )
    assert session["c"] == "a"


def test_windows_stay_until_they_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[Toolkit] = []

    def leave(toolkit: Toolkit) -> None:
        toolkit.gone = list(toolkit.open_now)

    toolkit = Toolkit(looks.append, looks.append, leave)
    session = session_with(toolkit)
    session.run("plot(1:3)")
    front_of(session.interp).end()
    assert (len(looks), toolkit.ended) == (2, True)
    monkeypatch.setenv("RUNMAT_WINDOWS", "close")
    toolkit = Toolkit()
    session = session_with(toolkit)
    session.run("plot(1:3)")
    front_of(session.interp).end()
    assert toolkit.ended


def test_sessions_of_programs_open_no_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":7")
    session = Session(stdout=len)
    session.run("plot(1:3); drawnow; r = groot;")
    root: Any = session["r"]
    assert root.scene.windows is False


@pytest.mark.skipif(not shutil.which("Xvfb"), reason="needs Xvfb")
def test_a_window_on_a_screen(tmp_path: Path) -> None:
    pytest.importorskip("tkinter")
    ready, number = os.pipe()
    screen = subprocess.Popen(
        ["Xvfb", "-displayfd", str(number), "-screen", "0", "800x600x24"],
        pass_fds=[number], stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        os.close(number)
        with os.fdopen(ready) as told:
            display = f":{told.readline().strip()}"
        program = tmp_path / "shown.m"
        program.write_text("plot(1:3); drawnow; pause(0.1); disp('shown')")
        environment = {**os.environ, "DISPLAY": display, "RUNMAT_WINDOWS": "close"}
        done = subprocess.run(
            [sys.executable, "-m", "runmat_core", str(program)],
            env=environment, capture_output=True, text=True, timeout=200, check=False,
        )  # fmt: skip
        assert done.stdout == "shown\n", done.stderr
    finally:
        screen.kill()
        screen.wait()
