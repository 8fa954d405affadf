"""Warnings: what is shown, states, and the last one."""

from __future__ import annotations

from pathlib import Path

import pytest

import runmat_core as rm


@pytest.fixture
def s(tmp_path: Path) -> rm.Session:
    return rm.Session(cwd=tmp_path)


def test_a_warning_goes_to_the_error_output_with_its_stack(
    s: rm.Session, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "w.m").write_text("function w\nwarning('a:b', 'n is %d', 4);\nend\n")
    (tmp_path / "v.m").write_text("function v\nw\nend\n")
    s.run("v")
    assert capsys.readouterr().err == "Warning: n is 4 \n> In w (line 2)\n  In v (line 2)\n"
    s.run("warning('off', 'backtrace'), v")
    assert capsys.readouterr().err == "Warning: n is 4 \n"


def test_a_lone_warning_text_is_no_format(s: rm.Session) -> None:
    assert s.capture(r"warning('50% \n')") == "Warning: 50% \\n \n"


@pytest.mark.parametrize(
    ("setting", "shown"),
    [
        ("warning('off', 'a:b')", False),
        ("warning off a:b", False),
        ("warning('off', 'all')", False),
        ("warning off", False),
        ("warning('off', 'all'), warning('on', 'a:b')", True),
        ("warning('off', 'other:id')", True),
        ("s = warning('off', 'a:b'); warning(s)", True),
        ("warning(struct('identifier', 'a:b', 'state', 'off'))", False),
    ],
)
def test_states(s: rm.Session, setting: str, shown: bool) -> None:
    s.run(setting)
    assert bool(s.capture("warning('a:b', 'text')")) == shown
    # hidden or not, it is the last one
    assert s.eval("lastwarn", nargout=2) == ("text", "a:b")


def test_a_warning_can_be_made_an_error(s: rm.Session) -> None:
    s.run("warning('error', 'a:b')")
    s.run("try, warning('a:b', 'text'), catch e, id = e.identifier; msg = e.message; end")
    assert (s["id"], s["msg"]) == ("a:b", "text")


def test_states_as_structures(s: rm.Session) -> None:
    s.run("before = warning('off', 'a:b'); now = warning('query', 'a:b'); all = warning;")
    assert s["before"] == {"identifier": "a:b", "state": "on"}
    assert s["now"] == {"identifier": "a:b", "state": "off"}
    assert s["all"] == [
        {"identifier": "all", "state": "on"},
        {"identifier": "a:b", "state": "off"},
    ]


def test_lastwarn_can_be_set_and_cleared(s: rm.Session) -> None:
    s.run("warning('off', 'all'), warning('a:b', 'x'), lastwarn('')")
    assert s.eval("lastwarn", nargout=2) == ("", "")
    s.run("lastwarn('m', 'c:d')")
    assert s.eval("lastwarn", nargout=2) == ("m", "c:d")
