"""Ctrl-C, exit, and streams that go away: a session survives what it can."""

from __future__ import annotations

import _thread
import io
import threading
from pathlib import Path

import pytest

import runmat_core as rm
from runmat_core.api import interrupts, threads


def test_ctrl_c_stops_a_loop_and_the_session_goes_on(tmp_path: Path) -> None:
    pieces: list[str] = []

    def listen(text: str) -> None:
        pieces.append(text)
        if text == "started":
            threading.Timer(0.1, _thread.interrupt_main).start()

    s = rm.Session(cwd=tmp_path, stdout=listen)
    (tmp_path / "spin.m").write_text(
        "function spin\nc = onCleanup(@() fprintf('cleaned'));\nfprintf('started');\n"
        "while true\n try\n  x = 1;\n catch\n end\nend\nend\n"
    )
    s.run("x = 5;")
    with pytest.raises(KeyboardInterrupt):
        s.run("try, spin, catch, disp('not for catch'), end")
    assert pieces == ["started", "cleaned"]
    s.run("x = x + 1;")
    assert s["x"] == 6.0


def test_an_interrupt_does_not_wait_for_a_long_library_call() -> None:
    go_on, ended = threading.Event(), threading.Event()

    def slow(a: float) -> float:
        # not before it has begun, however long a busy machine takes to come to it
        threading.Timer(0.1, _thread.interrupt_main).start()
        go_on.wait(60)
        ended.set()
        return a

    assert interrupts.stoppable(interrupts.LONG - 1, slow_but_short, 2.0) == 2.0
    before = threads.blas_threads()
    with pytest.raises(KeyboardInterrupt):
        interrupts.stoppable(interrupts.LONG, slow, 1.0)
    assert not ended.is_set()
    assert threads.left()
    with threads.blas_limited(1):  # the call has its threads until it ends
        assert threads.blas_threads() == before
    go_on.set()
    assert ended.wait(60)
    while threads.left():
        ended.wait(0.01)
    assert threads.blas_threads() == before


def slow_but_short(a: float) -> float:
    assert threading.current_thread() is threading.main_thread()
    return a


def test_long_library_calls_give_what_short_ones_do(monkeypatch: pytest.MonkeyPatch) -> None:
    s = rm.Session(provider="none")
    program = (
        "A = hilb(30) + eye(30); b = A * A; c = A \\ b; d = svd(A); [q, r] = qr(A); e = inv(A);"
    )
    s.run(program)
    short = [s[name] for name in "bcdqre"]
    monkeypatch.setattr(interrupts, "LONG", 1)
    s.run(program)
    assert all((s[name] == one).all() for name, one in zip("bcdqre", short, strict=True))
    with pytest.raises(rm.MatlabError, match="positive definite"):
        s.run("chol(-A);")


@pytest.mark.parametrize(("code", "status"), [("exit", 0), ("exit(3)", 3), ("quit", 0)])
def test_exit_is_not_caught_by_try(code: str, status: int) -> None:
    pieces: list[str] = []
    s = rm.Session(stdout=pieces.append)
    with pytest.raises(SystemExit) as left:
        s.run(f"try\n{code}\ncatch\ndisp('no')\nend\ndisp('nor this')")
    assert left.value.code == status
    assert pieces == []


class Closed(io.StringIO):
    """A stream whose reader went away."""

    def write(self, text: str) -> int:
        raise BrokenPipeError


def test_a_closed_output_stops_the_program_quietly() -> None:
    s = rm.Session(stdout=Closed())
    with pytest.raises(BrokenPipeError):
        s.run("for k = 1:10, fprintf('%d\\n', k); end")


def test_characters_that_a_terminal_lacks_are_replaced() -> None:
    raw = io.BytesIO()
    s = rm.Session(stdout=io.TextIOWrapper(raw, encoding="ascii", write_through=True))
    s.run("fprintf('naïve\\n')")
    assert raw.getvalue() == b"na?ve\n"
