"""Endless recursion is a MATLAB error: in every way of calling, on any stack; never a crash.

Each case runs in a process of its own, because a crash would take the test run with it.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import runmat_core as rm

#: Every function calls itself without end, each through another mechanism.
FUNCTIONS = {
    "direct": "function r = direct(n)\nr = direct(n + 1) + 1;\nend\n",
    "handle": "function r = handle(n)\nf = @handle;\nr = f(n + 1);\nend\n",
    "anonymous": "function r = anonymous(n)\nf = @(x) anonymous(x + 1);\nr = f(n);\nend\n",
    "viafeval": "function r = viafeval(n)\nr = feval('viafeval', n + 1);\nend\n",
    "viacellfun": "function r = viacellfun(n)\nr = cellfun(@viacellfun, {n + 1});\nend\n",
    "viaarrayfun": "function r = viaarrayfun(n)\nr = arrayfun(@(k) viaarrayfun(k), n + 1);\nend\n",
    "viaeval": "function r = viaeval(n)\nr = eval('viaeval(n + 1)');\nend\n",
    "viaevalin": "function r = viaevalin(n)\nr = evalin('base', 'viaevalin(1)');\nend\n",
    "nested": "function r = nested(n)\nr = inner(n);\n    function q = inner(k)\n"
    "        q = inner(k + 1);\n    end\nend\n",
    "mutual": "function r = mutual(n)\nr = other(n);\nend\n"
    "function r = other(n)\nr = mutual(n + 1);\nend\n",
    "varargs": "function varargout = varargs(varargin)\n"
    "[varargout{1:nargout}] = varargs(varargin{:}, 1);\nend\n",
    "subscripts": "function r = subscripts(n)\nx = 1:3;\nr = x(subscripts(n));\nend\n",
    "caught": "function r = caught(n)\ntry\n    r = caught(n + 1);\ncatch e\n    rethrow(e);\n"
    "end\nend\n",
    "cleaned": "function r = cleaned(n)\nc = onCleanup(@() 0);\nr = cleaned(n + 1);\nend\n",
    "script": "script\n",
}

PROBE = """
import sys, threading
import runmat_core as rm

folder, stack, *names = sys.argv[1:]

def probe(name):
    s = rm.Session(cwd=folder)
    call = "script;" if name == "script" else f"{name}(1);"
    ids = []
    for _ in range(2):
        try:
            s.run(call)
        except rm.MatlabError as error:
            ids.append(error.identifier)
    s.run("x = 1 + 1; try, " + call + " catch e, id = e.identifier; end")
    print(name, *ids, s["id"], s["x"], sys.getrecursionlimit(), flush=True)

def probes():
    for name in names:
        probe(name)

if int(stack):
    threading.stack_size(int(stack))
    thread = threading.Thread(target=probes)
    thread.start()
    thread.join()
else:
    probes()
"""


@pytest.mark.parametrize("stack", [0, 512 * 1024], ids=["main", "512KB"])
def test_endless_recursion_is_an_error(tmp_path: Path, stack: int) -> None:
    for name, text in FUNCTIONS.items():
        (tmp_path / f"{name}.m").write_text(text)
    done = subprocess.run(
        [sys.executable, "-c", PROBE, str(tmp_path), str(stack), *FUNCTIONS],
        capture_output=True,
        text=True,
        timeout=250,
    )
    said = f"{'MATLAB:recursionLimit ' * 3}2.0 1000"
    assert done.stdout.splitlines() == [f"{name} {said}" for name in FUNCTIONS], (
        done.returncode,
        done.stderr[-2000:],
    )


@pytest.fixture
def s(tmp_path: Path) -> rm.Session:
    (tmp_path / "down.m").write_text(
        "function r = down(n)\nif n == 0, r = 0; else, r = 1 + down(n - 1); end\nend\n"
    )
    (tmp_path / "mapped.m").write_text(
        "function r = mapped(n)\nif n == 0, r = 0;\n"
        "else, r = 1 + sum(cellfun(@mapped, {n - 1}));\nend\nend\n"
    )
    return rm.Session(cwd=tmp_path)


def test_five_hundred_levels_are_allowed_by_default(s: rm.Session) -> None:
    assert s.eval("down(499)") == 499.0
    with pytest.raises(rm.MatlabError) as caught:
        s.eval("down(5000)")
    assert caught.value.identifier == "MATLAB:recursionLimit"


def test_callbacks_do_not_eat_the_limit(s: rm.Session) -> None:
    assert s.eval("mapped(400)") == 400.0


def test_the_configuration_sets_the_limit(tmp_path: Path, s: rm.Session) -> None:
    settings = s.config.replace(language__recursion_limit=2000)
    deep = rm.Session(cwd=tmp_path, config=settings)
    assert deep.eval("down(1900)") == 1900.0


def test_the_error_s_stack_names_the_function(s: rm.Session) -> None:
    with pytest.raises(rm.MatlabError) as caught:
        s.eval("down(1e6)")
    assert {frame.name for frame in caught.value.stack} == {"down"}
