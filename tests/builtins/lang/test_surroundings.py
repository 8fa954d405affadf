"""Preferences, the installation, records of a session, and what is said of absent names."""

from __future__ import annotations

from pathlib import Path

import pytest

from runmat_core import MatlabError, Session
from runmat_core.builtins import absent, registry


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    monkeypatch.setenv("MATLAB_PREFDIR", str(tmp_path / "preferences"))
    return Session(cwd=tmp_path)


def test_preferences_outlive_a_session(session: Session) -> None:
    session.run("setpref('g', 'a', struct('x', {{1, 'two'}})); setpref('g', {'b' 'c'}, {2 3});")
    other = Session()
    assert other.eval("isequal(getpref('g', 'a'), struct('x', {{1, 'two'}}))") is True
    assert other.eval("getpref('g', {'c' 'b'})") == [3, 2]
    assert other.eval("fieldnames(getpref('g'))'") == ["a", "b", "c"]
    assert other.eval("fieldnames(getpref)'") == ["g"]
    assert other.eval("[ispref('g') ispref('h') ispref('g', {'a' 'z'})]").tolist() == [[1, 0, 1, 0]]
    other.run("rmpref('g', 'a'); rmpref('g', {'b'});")
    assert session.eval("[ispref('g', 'a') ispref('g', 'c')]").tolist() == [[0, 1]]
    session.run("rmpref('g')")
    assert other.eval("isempty(getpref('g'))") is True


def test_a_default_is_stored(session: Session) -> None:
    assert session.eval("getpref('g', 'n', 7)") == 7
    assert session.eval("getpref('g', 'n', 8)") == 7
    assert session.eval("getpref('g', 'n')") == 7


@pytest.mark.parametrize(
    ("code", "identifier"),
    [
        ("getpref('g', 'a')", "MATLAB:getpref:PrefNotFound"),
        ("rmpref('g')", "MATLAB:rmpref:PrefNotFound"),
        ("setpref('a b', 'c', 1)", "MATLAB:setpref:InvalidGroup"),
        ("setpref('a', 5, 1)", "MATLAB:setpref:InvalidPref"),
        ("setpref('a', {'b' 'c'}, {1})", "MATLAB:setpref:SizeMismatch"),
        ("setpref('a', 'b', @sin)", "MATLAB:setpref:UnsupportedClass"),
        ("addpref('a', 'b', 1); addpref('a', 'b', 1)", "MATLAB:addpref:PrefAlreadyExists"),
        ("profile what", "MATLAB:profile:UnknownInputOption"),
        ("p = profile()", "MATLAB:unassignedOutputs"),
        ("diary('no/such/folder/file')", "MATLAB:diary:CannotOpen"),
        ("diary(5)", "MATLAB:diary:InvalidInput"),
    ],
)
def test_errors(code: str, identifier: str, session: Session) -> None:
    with pytest.raises(MatlabError) as raised:
        session.run(code)
    assert raised.value.identifier == identifier


def test_the_installation(session: Session, tmp_path: Path) -> None:
    assert session.eval("prefdir") == str(tmp_path / "preferences")
    assert session.eval("isfolder(prefdir(1))") is True
    assert session.eval("isfolder(matlabroot)") is True
    session.run("[u, s] = memory;")
    assert session.eval("u.MemUsedMATLAB < s.PhysicalMemory.Total") is True


def test_a_diary_has_what_is_printed(tmp_path: Path) -> None:
    session = Session(cwd=tmp_path, stdout=lambda text: None, stderr=lambda text: None)
    session.run("disp(0); diary('d.txt'); disp(1); t = evalc('disp(2)'); diary off; disp(3)")
    session.run("diary on; warning('off', 'all'); disp(4); diary off")
    assert (tmp_path / "d.txt").read_text().split() == ["1", "4"]


def test_a_profile_counts_calls(session: Session, tmp_path: Path) -> None:
    (tmp_path / "outer.m").write_text(
        "function outer\nfor k = 1:3, inner(k); end\nend\nfunction inner(k)\nmagic(k);\nend\n"
    )
    session.run("profile on; outer; profile off; p = profile('info');")
    session.run("t = p.FunctionTable; n = {t.FunctionName}; c = [t.NumCalls];")
    counts = dict(zip(session["n"], session["c"].ravel(), strict=True))
    assert (counts["outer"], counts["inner"]) == (1, 3)
    session.run("total = [t.TotalTime]; own = [t.SelfTime];")
    assert session.eval("all(total >= own) && strcmp(t(1).FunctionName, 'outer')") is True
    assert "inner" in session.capture("profile viewer")
    session.run("profile clear; p = profile('info');")
    assert session.eval("isempty(p.FunctionTable)") is True


def test_absent_names_are_absent_and_explained(session: Session) -> None:
    names = {name for group in absent._WHY.values() for name in group.split()}
    assert not names & set(registry.names())
    for name, why in (("dbstop", "editor"), ("mex", "MEX")):
        assert session.eval(f"exist('{name}')") == 0
        with pytest.raises(MatlabError) as raised:
            session.run(f"{name}(1)")
        assert raised.value.identifier == "MATLAB:UndefinedFunction"
        assert why in raised.value.hint
    # a misspelling is still told of
    with pytest.raises(MatlabError) as raised:
        session.run("linspce(1, 2)")
    assert "linspace" in raised.value.hint


def test_the_folder_of_the_user(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    home = Path(str(session.eval("pwd")))
    monkeypatch.setenv("HOME", str(home))
    assert session.eval("userpath") == ""
    (home / "Documents" / "MATLAB").mkdir(parents=True)
    (home / "own").mkdir()
    session.run("userpath('reset'); usual = userpath; userpath('own'); own = userpath;")
    session.run("first = strtok(path, pathsep); userpath('clear'); none = userpath;")
    found = [session[name] for name in ("usual", "own", "first", "none")]
    assert found == [str(home / "Documents" / "MATLAB"), *[str(home / "own")] * 2, ""]
    with pytest.raises(MatlabError) as caught:
        session.run("userpath('nowhere')")
    assert caught.value.identifier == "MATLAB:userpath:invalidInput"
