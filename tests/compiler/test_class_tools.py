"""Classes beside the rest: help, files, caches, builtins of arrays, Python."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from runmat_core import MatlabError, Session
from runmat_core.compiler import cache, compile_source

Run = Callable[..., str]

PAIR = """classdef Pair
    % PAIR  Two values.
    properties
        a = 1
        b = 'two'
    end
    methods
        function p = Pair(a), if nargin, p.a = a; end, end
        function r = total(p), r = sum([p.a]); end
    end
end
"""


def test_help_and_names(run: Run) -> None:
    assert run("help Pair", Pair=PAIR) == " PAIR  Two values.\n"
    code = "disp([exist('Pair', 'class'), exist('Pair'), nargin('Pair')]), w = which('Pair'); "
    shown = run(f"{code} disp(w(end-5:end))", Pair=PAIR)
    assert shown.split() == "8 2 1 Pair.m".split()


def test_arrays_of_objects_are_rearranged(run: Run) -> None:
    code = """
        p = [Pair(1) Pair(2) Pair(3) Pair(4)];
        q = reshape(p, 2, 2); disp(size(q)), disp([q(2, :).a]), disp(size(repmat(p, 2, 1)))
        r = fliplr(p); disp([r.a]), c = num2cell(p); disp(c{3}.a), disp(p.total), disp(isempty(p))
        disp(size(p')), disp(numel(p(logical([1 0 1 0]))))
    """
    assert run(code, Pair=PAIR).split() == "2 2 2 4 2 4 4 3 2 1 3 10 0 4 1 2".split()


def test_objects_as_structures(run: Run) -> None:
    code = "s = struct(Pair(5)); disp(s.a), disp(fieldnames(Pair)'), disp(jsonencode(Pair))"
    assert run(code, Pair=PAIR).split() == ["5", "{'a'}", "{'b'}", '{"a":1,"b":"two"}']


def test_files_leave_objects_out_with_a_warning(run: Run, tmp_path: Path) -> None:
    code = f"p = Pair; x = 5; save('{tmp_path}/f.mat'); s = load('{tmp_path}/f.mat'); disp(s)"
    shown = run(code, Pair=PAIR)
    assert "Variable 'p' was not saved" in shown
    assert shown.rstrip().endswith("x: 5")


def test_a_class_is_kept_by_the_code_cache(tmp_path: Path) -> None:
    file = tmp_path / "Pair.m"
    file.write_text(PAIR)
    compiled = compile_source(PAIR, str(file))
    key = cache.key(PAIR, "matlab", "file", [], [])
    cache.store(key, compiled)
    kept = cache.load(key, str(file))
    if cache.folder() is None:
        pytest.skip("there is no folder for the cache")
    assert kept is not None
    assert kept.classdef == compiled.classdef is not None
    for _ in range(2):
        session = Session(cwd=tmp_path)
        session.run("p = Pair(3);")
        assert session.eval("p.total") == 3


def test_a_whole_process_runs_a_class(tmp_path: Path) -> None:
    (tmp_path / "Gone.m").write_text(
        "classdef Gone < handle\nmethods\nfunction delete(o), disp('gone'); end\nend\nend\n"
    )
    (tmp_path / "main.m").write_text("g = Gone;\ndisp('here')\n")
    done = subprocess.run(
        [sys.executable, "-m", "runmat_core", "run", "main.m"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.stdout.splitlines() == ["here", "gone"]
    assert done.stderr == ""


def test_check_reads_class_files(tmp_path: Path) -> None:
    good, bad = tmp_path / "Good.m", tmp_path / "Bad.m"
    good.write_text(PAIR.replace("Pair", "Good"))
    bad.write_text("classdef Bad\nmethods\nfunction f(o)\nend\nend\n")
    command = [sys.executable, "-m", "runmat_core", "check"]
    assert subprocess.run([*command, str(good)], capture_output=True).returncode == 0
    told = subprocess.run([*command, str(bad)], capture_output=True, text=True)
    assert told.returncode == 1
    assert "Bad.m" in told.stdout + told.stderr


def test_errors_tell_the_line_of_a_class_file(tmp_path: Path) -> None:
    (tmp_path / "Bad.m").write_text(
        "classdef Bad\nproperties\n\na = undefined_name + 1\nend\nend\n"
    )
    session = Session(cwd=tmp_path)
    with pytest.raises(MatlabError) as told:
        session.run("b = Bad;")
    assert told.value.identifier == "MATLAB:UndefinedFunction"
    assert [(Path(f.file).name, f.line) for f in told.value.stack][:1] == [("Bad.m", 4)]


def test_a_class_must_have_the_name_of_its_file(failure: Run) -> None:
    assert failure("Wrong()", Wrong="classdef Right\nend").startswith("MATLAB:class:NameMismatch|")


def test_constants_that_need_each_other(failure: Run, run: Run) -> None:
    files = {
        "A": "classdef A\nproperties (Constant)\nx = B.y + 1\nz = 4\nend\nend",
        "B": "classdef B\nproperties (Constant)\ny = A.z * 2\nend\nend",
        "C": "classdef C\nproperties (Constant)\nx = C.x\nend\nend",
    }
    assert run("disp(A.x)", **files) == "     9\n\n"
    assert failure("C.x", **files).startswith("MATLAB:class:RecursiveDefault|")


def test_clear_reads_classes_again(run: Run) -> None:
    code = "disp(Pair().a), clear all, disp(Pair(8).a)"
    assert run(code, Pair=PAIR).split() == ["1", "8"]


def test_checks_of_arguments_know_superclasses(run: Run) -> None:
    files = {"Pair": PAIR, "Twin": "classdef Twin < Pair\nend"}
    code = "validateattributes(Twin, {'Pair'}, {}), mustBeA(Twin, 'Pair'), disp('fine')"
    assert run(code, **files) == "fine\n"
