"""Which function a name means: order, private folders, packages, changed files."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

import runmat_core as rm
from runmat_core.session.sources import Folders


def function(path: Path, says: str) -> Path:
    """A function file at `path` that returns the text `says`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"function r = {path.stem}(varargin)\nr = '{says}';\nend\n")
    return path


@pytest.fixture
def s(tmp_path: Path) -> rm.Session:
    (tmp_path / "here").mkdir()
    return rm.Session(cwd=tmp_path / "here", path=[tmp_path / "first", tmp_path / "second"])


def test_the_order_of_places(s: rm.Session, tmp_path: Path) -> None:
    for name in ("numel", "f1", "f2"):
        function(tmp_path / "second" / f"{name}.m", "second")
    s.run("rehash")
    assert s.eval("{numel(1), f1, f2}") == ["second", "second", "second"]
    for name in ("numel", "f1"):
        function(tmp_path / "first" / f"{name}.m", "first")
    s.run("rehash")
    assert s.eval("{numel(1), f1, f2}") == ["first", "first", "second"]
    function(tmp_path / "here" / "numel.m", "here")
    s.run("rehash")
    assert s.eval("{numel(1), f1, f2}") == ["here", "first", "second"]
    assert s.eval("builtin('numel', [1 2])") == 2.0
    s.run("numel = 5;")
    assert s.eval("numel") == 5.0
    s.run("clear numel")
    assert s.eval("numel(1)") == "here"


def test_local_functions_win_over_files(s: rm.Session, tmp_path: Path) -> None:
    function(tmp_path / "here" / "helper.m", "file")
    (tmp_path / "here" / "top.m").write_text(
        "function r = top()\nh = @helper;\nr = {helper(), h(), feval('helper'), "
        "eval('helper()'), cellfun(@(x) helper(), {1}, 'UniformOutput', false)};\nend\n"
        "function r = helper()\nr = 'local';\nend\n"
    )
    assert s.eval("top()") == ["local", "local", "local", "local", ["local"]]
    assert s.eval("helper()") == "file"


def test_local_functions_of_code_that_is_run(s: rm.Session) -> None:
    s.run(
        "r = {twice(2), feval('twice', 3), feval(@twice, 4)};\n"
        "function y = twice(x)\ny = 2 * x;\nend\n"
    )
    assert s["r"] == [4.0, 6.0, 8.0]
    with pytest.raises(rm.MatlabError, match="twice"):
        s.run("twice(1)")


def test_private_functions_are_seen_from_their_parent_folder_alone(
    s: rm.Session, tmp_path: Path
) -> None:
    function(tmp_path / "first" / "private" / "secret.m", "private")
    (tmp_path / "first" / "opened.m").write_text("function r = opened()\nr = secret();\nend\n")
    (tmp_path / "first" / "private" / "other.m").write_text(
        "function r = other()\nr = secret();\nend\n"
    )
    (tmp_path / "first" / "chained.m").write_text("function r = chained()\nr = other();\nend\n")
    assert s.eval("opened()") == "private"
    assert s.eval("chained()") == "private"
    with pytest.raises(rm.MatlabError, match="secret"):
        s.run("secret()")


def test_packages_and_imports(s: rm.Session, tmp_path: Path) -> None:
    function(tmp_path / "first" / "+pkg" / "f.m", "pkg.f")
    function(tmp_path / "first" / "+pkg" / "+sub" / "g.m", "pkg.sub.g")
    assert s.eval("{pkg.f(), pkg.sub.g(), feval('pkg.f')}") == ["pkg.f", "pkg.sub.g", "pkg.f"]
    s.run("h = @pkg.f; r = h();")
    assert s["r"] == "pkg.f"
    (tmp_path / "here" / "uses.m").write_text(
        "function r = uses()\nimport pkg.f\nimport pkg.sub.*\nr = {f(), g()};\nend\n"
    )
    assert s.eval("uses()") == ["pkg.f", "pkg.sub.g"]
    with pytest.raises(rm.MatlabError):
        s.run("g()")


def test_a_package_function_reaches_its_private_folder(s: rm.Session, tmp_path: Path) -> None:
    function(tmp_path / "first" / "+pkg" / "private" / "inner.m", "inner")
    (tmp_path / "first" / "+pkg" / "outer.m").write_text(
        "function r = outer()\nr = inner();\nend\n"
    )
    assert s.eval("pkg.outer()") == "inner"


def test_names_are_case_sensitive(s: rm.Session, tmp_path: Path) -> None:
    function(tmp_path / "here" / "Mixed.m", "Mixed")
    assert s.eval("Mixed()") == "Mixed"
    with pytest.raises(rm.MatlabError) as caught:
        s.run("mixed()")
    assert caught.value.identifier == "MATLAB:UndefinedFunction"


def test_changing_path_and_folder_is_noticed_in_the_middle_of_a_loop(
    s: rm.Session, tmp_path: Path
) -> None:
    function(tmp_path / "first" / "where.m", "first")
    function(tmp_path / "third" / "where.m", "third")
    function(tmp_path / "fourth" / "where.m", "fourth")
    s["root"] = str(tmp_path)
    s.run(
        "r = {};\nfor k = 1:4\n"
        "if k == 2, addpath(fullfile(root, 'third')); end\n"
        "if k == 3, cd(fullfile(root, 'fourth')); end\n"
        "if k == 4, cd(root); rmpath(fullfile(root, 'third')); end\n"
        "r{end+1} = where();\nend"
    )
    assert s["r"] == ["first", "third", "fourth", "first"]


def test_an_edited_file_is_read_again_by_the_next_run(s: rm.Session, tmp_path: Path) -> None:
    path = function(tmp_path / "here" / "edited.m", "old")
    assert s.eval("edited()") == "old"
    function(path, "new text")
    os.utime(path, ns=(time.time_ns(), time.time_ns() + 5_000_000))
    assert s.eval("edited()") == "new text"
    path.unlink()
    with pytest.raises(rm.MatlabError, match="edited"):
        s.eval("edited()")


def test_a_file_written_by_the_program_is_found_at_once(s: rm.Session) -> None:
    s.run(
        "had = exist('made', 'file');\nfid = fopen('made.m', 'w');\n"
        "fprintf(fid, 'function r = made()\\nr = 42;\\nend\\n');\nfclose(fid);\n"
        "r = made(); has = exist('made', 'file');"
    )
    assert (s["had"], s["r"], s["has"]) == (0.0, 42.0, 2.0)


def test_a_handle_in_a_loop_is_looked_for_once(
    s: rm.Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    function(tmp_path / "second" / "f1.m", "second")
    asked = []
    entries = Folders.entries

    def noted(self: Folders, folder: str) -> frozenset[str]:
        asked.append(folder)
        return entries(self, folder)

    monkeypatch.setattr(Folders, "entries", noted)
    s.run("for k = 1:3, h = @f1; g = @minus; end")
    once = len(asked)
    s.run("for k = 1:300, h = @f1; g = @minus; end")
    assert len(asked) <= 2 * once
    function(tmp_path / "first" / "f1.m", "first")
    s.run("rehash; h = @f1;")
    assert s.eval("h()") == "first"


def test_a_handle_made_before_its_function_exists(s: rm.Session, tmp_path: Path) -> None:
    s.run("h = @later;")
    with pytest.raises(rm.MatlabError, match="later"):
        s.run("h()")
    function(tmp_path / "here" / "later.m", "now")
    assert s.eval("h()") == "now"


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("exist('sin')", 5.0),
        ("exist('sin', 'builtin')", 5.0),
        ("exist('nothing_of_that_name')", 0.0),
        ("exist('helper')", 2.0),
        ("exist('helper', 'file')", 2.0),
        ("exist('helper.m', 'file')", 2.0),
        ("exist('helper', 'var')", 0.0),
        ("exist('data.txt')", 2.0),
        ("exist('data.txt', 'file')", 2.0),
        ("exist('folder')", 7.0),
        ("exist('folder', 'dir')", 7.0),
        ("exist('folder', 'var')", 0.0),
        ("exist(pwd, 'dir')", 7.0),
        ("exist('OCTAVE_VERSION', 'builtin')", 0.0),
        ("exist('containers.Map', 'class')", 8.0),
        ("isempty(which('nothing_of_that_name'))", True),
        ("which('sin')", "built-in (sin)"),
    ],
)
def test_exist_and_which(s: rm.Session, tmp_path: Path, expression: str, value: object) -> None:
    function(tmp_path / "here" / "helper.m", "x")
    (tmp_path / "here" / "data.txt").write_text("x")
    (tmp_path / "here" / "folder").mkdir()
    assert s.eval(expression) == value


def test_which_names_files_and_variables(s: rm.Session, tmp_path: Path) -> None:
    first = function(tmp_path / "first" / "helper.m", "x")
    second = function(tmp_path / "second" / "helper.m", "x")
    assert s.eval("which('helper')") == str(first)
    assert s.eval("which('helper', '-all')") == [str(first), str(second)]
    assert s.capture("helper = 1; which helper") == "helper is a variable.\n"


def test_run_runs_a_script_in_its_folder(s: rm.Session, tmp_path: Path) -> None:
    (tmp_path / "first").mkdir()
    (tmp_path / "first" / "job.m").write_text("here = pwd; out = near();\n")
    function(tmp_path / "first" / "near.m", "near")
    s.run(f"run('{tmp_path}/first/job.m')")
    assert s["here"] == str(tmp_path / "first")
    assert s["out"] == "near"
    assert s.eval("pwd") == str(tmp_path / "here")


def test_path_builtins(s: rm.Session, tmp_path: Path) -> None:
    for name in ("a/b", "a/private", "a/@cls", "a/+pkg", "a/.git"):
        (tmp_path / "here" / name).mkdir(parents=True)
    here = str(tmp_path / "here")
    assert s.eval("genpath('a')").split(os.pathsep) == [f"{here}/a", f"{here}/a/b", ""]
    s.run("addpath(genpath('a'))")
    assert s.interp.search_path()[:2] == [f"{here}/a", f"{here}/a/b"]
    s.run("addpath('a', '-end')")
    assert s.interp.search_path()[-1] == f"{here}/a"
    s.run("rmpath('a')")
    assert f"{here}/a" not in s.interp.search_path()
    assert "nonexistent or not a directory" in s.capture("addpath('no_such_folder')")


def test_class_files_are_read_again_when_they_change(s: rm.Session, tmp_path: Path) -> None:
    def write(base: str, value: int) -> None:
        text = f"classdef {base}\nproperties\nx = {value}\nend\nend\n"
        (tmp_path / "here" / f"{base}.m").write_text(text)

    write("Thing", 1)
    (tmp_path / "here" / "Kind.m").write_text("classdef Kind < Thing\nend\n")
    s.run("t = Thing(); k = Kind();")
    assert s.eval("t.x + k.x") == 2
    write("Thing", 12345)
    assert s.eval("Thing().x") == 12345
    assert s.eval("Kind().x") == 12345
    assert s.eval("t.x") == 1
