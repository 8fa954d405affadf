"""The Python API: running code, variables, functions, output, independence of sessions."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

import runmat_core as rm


@pytest.fixture
def s(tmp_path: Path) -> rm.Session:
    return rm.Session(cwd=tmp_path)


def test_the_first_example(s: rm.Session) -> None:
    s.run("x = magic(4); y = sum(x(:));")
    assert s["y"] == 136.0
    assert s["x"].tolist()[0] == [16.0, 2.0, 3.0, 13.0]


def test_variables_stay_from_run_to_run(s: rm.Session) -> None:
    s.run("a = 1;")
    s.run("a = a + 1;")
    assert s["a"] == 2.0
    assert "a" in s
    del s["a"]
    assert "a" not in s
    with pytest.raises(KeyError):
        s["a"]


def test_the_workspace_is_a_mapping(s: rm.Session) -> None:
    s.workspace["b"] = 3
    s.run("c = b * 2;")
    assert dict(s.workspace) == {"b": 3.0, "c": 6.0}
    s.workspace.clear()
    assert len(s.workspace) == 0


def test_a_name_that_is_none_is_refused(s: rm.Session) -> None:
    with pytest.raises(rm.MatlabError, match="Invalid variable name"):
        s["for"] = 1


def test_eval_gives_values(s: rm.Session) -> None:
    assert s.eval("1 + 1") == 2.0
    assert s.eval("max([3 9 2])", nargout=2) == (9.0, 2.0)


def test_output_goes_to_a_stream_or_a_function_or_is_captured(tmp_path: Path) -> None:
    stream = io.StringIO()
    rm.Session(cwd=tmp_path, stdout=stream).run("disp('seven')")
    assert stream.getvalue() == "seven\n"
    pieces: list[str] = []
    rm.Session(cwd=tmp_path, stdout=pieces.append).run("disp('eight')")
    assert "".join(pieces) == "eight\n"
    assert rm.Session(cwd=tmp_path).capture("disp('nine')") == "nine\n"


def test_output_of_the_process_by_default(
    s: rm.Session, capsys: pytest.CaptureFixture[str]
) -> None:
    s.run("fprintf('hello\\n'); warning('demo:w', 'careful')")
    printed = capsys.readouterr()
    assert printed.out == "hello\n"
    assert printed.err == "Warning: careful \n"


def test_errors_carry_identifier_message_and_stack(s: rm.Session, tmp_path: Path) -> None:
    (tmp_path / "fails.m").write_text("function fails(n)\nerror('my:id', 'n is %d', n);\nend\n")
    with pytest.raises(rm.MatlabError) as caught:
        s.run("fails(3)")
    error = caught.value
    assert (error.identifier, error.message) == ("my:id", "n is 3")
    assert [(f.name, f.line) for f in error.stack] == [("fails", 2)]
    assert error.stack[0].file == str(tmp_path / "fails.m")
    # the session goes on
    s.run("ok = 1;")
    assert s["ok"] == 1.0


def test_syntax_errors_are_matlab_errors(s: rm.Session) -> None:
    with pytest.raises(rm.MatlabError):
        s.run("x = (1 + ;")


def test_functions_take_and_give_numpy(s: rm.Session, tmp_path: Path) -> None:
    (tmp_path / "myfilter.m").write_text(
        "function [y, state] = myfilter(x, gain)\n"
        "if nargin < 2, gain = 2; end\n"
        "y = gain * x; state = sum(x);\nend\n"
    )
    f = s.function("myfilter")
    y, state = f(np.array([1.0, 2.0, 3.0]), nargout=2)
    assert y.tolist() == [[2.0, 4.0, 6.0]]
    assert state == 6.0
    assert f(5, 3) == 15.0


def test_functions_of_the_session_see_builtins_too(s: rm.Session) -> None:
    assert s.function("numel")(np.zeros((3, 4))) == 12.0
    with pytest.raises(rm.MatlabError, match="nosuchthing"):
        s.function("nosuchthing")


def test_keyword_arguments_become_name_value_pairs(s: rm.Session, tmp_path: Path) -> None:
    (tmp_path / "names.m").write_text("function c = names(varargin)\nc = varargin;\nend\n")
    assert s.function("names")(1, Tolerance=2) == [1.0, "Tolerance", 2.0]


def test_sessions_are_independent(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    for name in ("one", "two"):
        (tmp_path / name / "who_am_i.m").write_text(
            f"function t = who_am_i()\npersistent n\nif isempty(n), n = 0; end\nn = n + 1;\n"
            f"t = sprintf('{name} %d', n);\nend\n"
        )
    one = rm.Session(cwd=tmp_path / "one")
    two = rm.Session(cwd=tmp_path / "two")
    one.run("x = 1; global g; g = 1; warning('off', 'a:b'); format long")
    two.run("global g; had = ~isempty(g); [~] = lastwarn;")
    assert "x" not in two
    assert two["had"] is False
    assert two.eval("who_am_i()") == "two 1"
    assert one.eval("who_am_i()") == "one 1"
    assert one.eval("who_am_i()") == "one 2"
    assert two.capture("pi") == "\nans =\n\n    3.1416\n\n"
    two.run("warning('error', 'a:b')")
    one.run("warning('a:b', 'quiet')")


def test_changing_folder_is_the_session_s_alone(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    before = Path.cwd()
    s = rm.Session(cwd=tmp_path)
    s.run("cd sub")
    assert s.eval("pwd") == str(tmp_path / "sub")
    assert Path.cwd() == before


def test_a_script_file_finds_its_arguments_and_its_neighbours(tmp_path: Path) -> None:
    (tmp_path / "helper.m").write_text("function y = helper(x)\ny = x + 1;\nend\n")
    script = tmp_path / "main.m"
    script.write_text("y = helper(str2double(argv{1}));\n")
    s = rm.Session(cwd="/")
    s.run_file(script, ["41"])
    assert s["y"] == 42.0


def test_a_function_file_is_called_with_its_arguments(tmp_path: Path) -> None:
    file = tmp_path / "shout.m"
    file.write_text("function shout(word, n)\nfprintf('%s %d\\n', upper(word), nargin);\nend\n")
    assert rm.Session().capture_file(file, ["hey"]) == "HEY 1\n"


@pytest.mark.parametrize("what", ["missing", "folder", "binary"])
def test_files_that_are_no_programs_are_matlab_errors(tmp_path: Path, what: str) -> None:
    path = tmp_path / "thing.m"
    if what == "folder":
        path.mkdir()
    elif what == "binary":
        path.write_bytes(b"\x7fELF\0\0\0")
    with pytest.raises(rm.MatlabError, match="thing"):
        rm.Session().run_file(path)


def test_the_octave_dialect_is_a_choice() -> None:
    s = rm.Session(dialect="octave")
    s.run("x = 1; x += 2; # comment")
    assert s["x"] == 3.0
    with pytest.raises(rm.MatlabError):
        rm.Session(dialect="matlab").run("x = 1; x += 2;")


def test_the_embedder_s_recursion_limit_is_restored(s: rm.Session) -> None:
    import sys

    before = sys.getrecursionlimit()
    s.run("x = 1;")
    with pytest.raises(rm.MatlabError):
        s.run("error('no')")
    assert sys.getrecursionlimit() == before


def test_sessions_run_in_threads_side_by_side(tmp_path: Path) -> None:
    import sys
    import threading

    (tmp_path / "down.m").write_text(
        "function r = down(n)\nif n == 0, r = 0; else, r = 1 + down(n - 1); end\nend\n"
    )
    before = sys.getrecursionlimit()
    results: dict[int, object] = {}

    def work(number: int) -> None:
        s = rm.Session(cwd=tmp_path)
        s["k"] = number
        s.run("total = 0; for n = 1:50, total = total + down(200) * k; end")
        try:
            s.run("down(1e5);")
        except rm.MatlabError as error:
            results[number] = (s["total"], error.identifier)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    limit = "MATLAB:recursionLimit"
    assert results == {number: (10000.0 * number, limit) for number in range(4)}
    assert sys.getrecursionlimit() == before


def test_a_session_calls_python_that_runs_another_session(tmp_path: Path) -> None:
    inner = rm.Session(cwd=tmp_path)
    outer = rm.Session(cwd=tmp_path)
    outer["ask"] = lambda x: inner.eval(f"{x} + 1")
    outer.run("x = 10; y = ask(x); ok = exist('x', 'var');")
    assert (outer["y"], outer["ok"]) == (11.0, 1.0)
    assert "x" not in inner
