"""Long files, whose parts are compiled when they are reached."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from runmat_core import Session
from runmat_core.api.errors import MatlabError
from runmat_core.compiler import cache, compile_source, parts
from runmat_core.syntax import MatlabSyntaxError

Run = Callable[..., list[str]]

PADDING = "% a line that says nothing\n" * (parts.LONG + 1)


@pytest.fixture
def compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The parts that were compiled, with a code cache of the test's own."""
    monkeypatch.setenv("RUNMAT_CACHE_DIR", str(tmp_path / "cache"))
    cache.folder.cache_clear()
    found: list[int] = []
    compile_part = parts.WaitingParts._compile

    def noted(self: parts.WaitingParts, part: int) -> object:
        found.append(part)
        return compile_part(self, part)

    monkeypatch.setattr(parts.WaitingParts, "_compile", noted)
    yield found
    cache.folder.cache_clear()


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run the file ``program.m`` and return the words that it prints."""

    def run(text: str, **files: str) -> list[str]:
        for name, one in {"program": text, **files}.items():
            (tmp_path / f"{name}.m").write_text(one)
        session = Session(cwd=tmp_path)
        return session.capture("run('program.m')").split()

    return run


def test_only_functions_that_are_called_are_compiled(compiled: list[int], run: Run) -> None:
    functions = "".join(f"function y = f{n}(x)\ny = x + {n};\nend\n" for n in range(300))
    assert run(f"disp(f7(1))\ndisp(f7(2))\n{functions}") == ["8", "9"]
    assert compiled == [7]


def test_a_short_file_is_compiled_at_once(compiled: list[int], run: Run) -> None:
    text = "disp(f(1))\nfunction y = f(x)\ny = g(x);\nend\nfunction y = g(x)\ny = x;\nend\n"
    assert run(text) == ["1"]
    assert compiled == []
    made = compile_source(text, "short.m")
    assert made.waiting == ()
    assert made.parts is None


def test_methods_wait_for_their_calls(compiled: list[int], run: Run) -> None:
    methods = "".join(
        f"function y = m{n}(o, x)\ny = x + {n} + o.a;\nend\n" for n in range(parts.LONG // 3 + 1)
    )
    text = (
        "classdef Many\nproperties\na = 1\nend\nmethods\n"
        f"function o = Many(a)\no.a = a;\nend\n{methods}end\nend\n"
    )
    program = "o = Many(2);\ndisp(o.m3(1))\ndisp(m3(o, 1))\ndisp(nargin('Many'))\n"
    assert run(program, Many=text) == ["6", "6", "1"]
    assert compiled == [3]


def test_a_script_goes_on_in_parts(compiled: list[int], run: Run) -> None:
    lines = [f"x{n} = {n};" for n in range(parts.LONG + 200)]
    lines[300] = "if x7 == 7, disp(x299), end, h = @(t) t + x299;"
    lines[420] = "for k = 1:2, disp(h(k)), end"
    lines[440] = "if h(1) == 300, return, end"
    lines[590] = "disp('not reached')"
    assert run("\n".join(lines)) == ["299", "300", "301"]
    assert compiled == [0, 1]


def test_errors_of_the_whole_text_come_first(compiled: list[int], tmp_path: Path) -> None:
    (tmp_path / "program.m").write_text(f"disp('runs')\n{PADDING}x = (1;\n")
    session = Session(cwd=tmp_path)
    with pytest.raises(MatlabSyntaxError, match=rf"{parts.LONG + 3}"):
        session.run("run('program.m')")
    assert compiled == []


def test_errors_say_where_they_are(compiled: list[int], run: Run) -> None:
    text = (
        f"disp(1)\n{PADDING}try\nouter(1)\ncatch e\n"
        "for k = 1:2, fprintf('%s %d\\n', e.stack(k).name, e.stack(k).line), end\nend\n"
        "function outer(x)\ninner(x)\nend\n"
        "function inner(x)\nerror('a:b', '%d', x)\nend\n"
    )
    shown = run(text)
    assert shown == ["1", "inner", str(parts.LONG + 12), "outer", str(parts.LONG + 9)]


ASKED = f"""
fprintf('%d ', nargin('f'), nargout('f'), nargin('g'), nargout('g'))
h = @f;
h(1, 2);
h(1);
s = functions(h);
disp(func2str(h))
outside = 3;
g('outside')
disp(inputs(outside))
disp(renamed(7))
{PADDING}
function [a, b] = f(x, y, varargin)
fprintf('%d ', nargin, nargout)
a = 1; b = 2;
end
function varargout = g(name)
disp(evalin('caller', name))
n = numel(dbstack);
disp(n)
end
function y = inputs(x)
y = inputname(1);
end
function y = renamed(x)
y = inner() + 1;
    function z = inner()
        z = x;
    end
end
"""


def test_functions_that_wait_answer_as_others_do(
    compiled: list[int], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = run(ASKED)
    assert compiled == [0, 1, 2, 3]
    monkeypatch.setattr(parts, "LONG", 10_000)
    assert run(ASKED) == found
    assert compiled == [0, 1, 2, 3]


OWNED = f"""
x = zeros(1, 1e4);
for k = 1:3
    x = put(x, k);
end
drop(onCleanup(@() disp('cleaned')));
disp(sum(x))
{PADDING}
function x = put(x, k)
x(k) = k;
end
function drop(c)
clear c
disp('after')
end
"""


def test_arguments_belong_to_the_function_from_its_first_call(
    compiled: list[int], run: Run
) -> None:
    assert run(OWNED) == ["cleaned", "after", "6"]


def test_endless_recursion_is_an_error(compiled: list[int], run: Run) -> None:
    text = f"try\nf(1)\ncatch e\ndisp(e.identifier)\nend\n{PADDING}function f(x)\nf(x + 1)\nend\n"
    assert run(text) == ["MATLAB:recursionLimit"]


def test_a_part_comes_from_the_cache(compiled: list[int], run: Run) -> None:
    functions = "".join(f"function y = f{n}(x)\nk = [1 2 {n}];\ny = k(x);\nend\n" for n in range(3))
    text = "if exist('all', 'var'), disp(f2(3)), end\ndisp(f1(3))\n" + PADDING + functions
    assert run(text) == run(text) == ["1"]
    assert compiled == [1]
    # one that was not reached before: the text is parsed again, and what is there stays
    assert run("all = 1;\nother", other=text) == ["2", "1"]
    assert compiled == [1, 2]


def test_a_part_in_the_cache_needs_no_parser(compiled: list[int], run: Run, tmp_path: Path) -> None:
    run(f"x = f(3)\n{PADDING}function y = f(x)\ny = x;\nend\n")
    program = (
        "import sys\n"
        "from runmat_core import Session\n"
        f"session = Session(cwd={str(tmp_path)!r})\n"
        "session.interp.run_program('program.m', ())\n"
        "assert session.interp.variables['x'] == 3\n"
        "bad = [m for m in sys.modules if m.startswith('runmat_core.syntax.p')]\n"
        "assert not bad, bad\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=200)


def test_an_interrupted_compilation_is_begun_again(
    compiled: list[int], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    compile_part = parts.WaitingParts._compile
    failures = [MatlabError("a:b", "stopped")]

    def fails_once(self: parts.WaitingParts, part: int) -> object:
        if failures:
            raise failures.pop()
        return compile_part(self, part)

    monkeypatch.setattr(parts.WaitingParts, "_compile", fails_once)
    text = f"try, f(1), catch e, disp(e.message), end\nf(2)\n{PADDING}function f(x)\ndisp(x)\nend\n"
    assert run(text) == ["stopped", "2"]
