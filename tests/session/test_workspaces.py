"""Whose variables code sees: eval, evalin, assignin, scripts, clear, global, persistent."""

from __future__ import annotations

from pathlib import Path

import pytest

import runmat_core as rm


@pytest.fixture
def s(tmp_path: Path) -> rm.Session:
    return rm.Session(cwd=tmp_path)


def write(s: rm.Session, **files: str) -> None:
    for name, text in files.items():
        Path(s.interp.current_directory(), f"{name}.m").write_text(text)


#: A function whose variables are fast locals: nothing in it hints at dynamic access.
PLAIN = """\
function r = plain()
x = 1; y = [1 2 3];
touch();
r = {x, y};
end
"""


@pytest.mark.parametrize(
    ("touch", "result"),
    [
        ("assignin('caller', 'x', 7)", [7.0, [1.0, 2.0, 3.0]]),
        ("assignin('caller', 'y', 'new')", [1.0, "new"]),
        ("evalin('caller', 'x = x + 1;')", [2.0, [1.0, 2.0, 3.0]]),
        ("evalin('caller', 'y(2) = 9;')", [1.0, [1.0, 9.0, 3.0]]),
        ("v = evalin('caller', 'y(end)'); assignin('caller', 'x', v)", [3.0, [1.0, 2.0, 3.0]]),
        ("helper_script", [1.0, [1.0, 2.0, 3.0]]),
    ],
)
def test_callers_variables_are_reached(s: rm.Session, touch: str, result: list[object]) -> None:
    write(s, plain=PLAIN, touch=f"function touch\n{touch};\nend\n", helper_script="x = 99;\n")
    got = s.eval("plain()")
    got = [item if not hasattr(item, "tolist") else item.tolist()[0] for item in got]
    assert got == result


def test_what_a_callee_makes_is_found_though_the_text_does_not_name_it(s: rm.Session) -> None:
    write(
        s,
        f="function r = f()\nmake();\nr = fresh_name + 1;\nend\n",
        make="function make()\nassignin('caller', 'fresh_name', 41);\nend\n",
    )
    assert s.eval("f()") == 42.0
    with pytest.raises(rm.MatlabError, match="fresh_name"):
        s.run("fresh_name")


def test_option_parsing_through_feval_of_an_anonymous_function(s: rm.Session) -> None:
    write(
        s,
        options="""\
function r = options(varargin)
tol = 1; depth = 2;
names = containers.Map({'Tol', 'Depth'}, {'tol', 'depth'});
v = 1;
while v <= numel(varargin)
    assert(isKey(names, varargin{v}), 'Unsupported parameter: %s', varargin{v});
    assert(v + 1 <= numel(varargin));
    v = v + 1;
    feval(@()assignin('caller', names(varargin{v-1}), varargin{v}));
    v = v + 1;
end
r = [tol depth];
end
""",
    )
    assert s.eval("options('Depth', 7)").tolist() == [[1.0, 7.0]]
    assert s.eval("options('Tol', 0.5, 'Depth', 3)").tolist() == [[0.5, 3.0]]


def test_eval_in_a_function_sees_and_makes_its_variables(s: rm.Session) -> None:
    write(
        s,
        f="function r = f(n)\na = 10;\neval('b = a + n;');\nr = eval('b * 2');\nend\n",
    )
    assert s.eval("f(1)") == 22.0


@pytest.mark.parametrize(
    ("code", "output"),
    [
        ("eval('x = 3')", "x =\n     3\n"),
        ("eval('x = 3;'); disp(x)", "     3\n"),
        ("eval('error(''no'')', 'disp(lasterr)')", "no\n"),
        ("eval('1 +* 2', 'disp(7)')", "     7\n"),
        ("t = evalc('y = 1'); disp(strtrim(strrep(t, newline, ' ')))", "y =      1\n"),
        ("a = eval('1 + 1;'); disp(a)", "     2\n"),
        ("[m, i] = eval('max([3 9])'); disp([m i])", "     9     2\n"),
        ("[t, v] = evalc('1 + 1'); disp(v)", "     2\n"),
    ],
)
def test_eval_and_evalc(s: rm.Session, code: str, output: str) -> None:
    s.run("format compact")
    assert s.capture(code) == output


def test_evalc_captures_when_it_fails_too(s: rm.Session) -> None:
    text = s.capture("try, evalc('disp(1), error(''x:y'', ''no'')'); catch e, disp(e.message), end")
    assert text == "no\n"


def test_scripts_share_their_caller_s_workspace(s: rm.Session) -> None:
    write(
        s,
        setup="count = count + 1; made = 'here';\n",
        user="function r = user()\ncount = 5;\nsetup;\nr = count;\nmade = [made '!'];\n"
        "r = {r, made};\nend\n",
    )
    s.run("count = 0; setup; setup")
    assert (s["count"], s["made"]) == (2.0, "here")
    assert s.eval("user()") == [6.0, "here!"]
    assert s["count"] == 2.0


def test_a_script_cannot_be_called_with_arguments(s: rm.Session) -> None:
    write(s, setup="x = 1;\n")
    with pytest.raises(rm.MatlabError, match="Attempt to execute SCRIPT setup as a function") as e:
        s.run("setup(1)")
    assert e.value.identifier == "MATLAB:scriptNotAFunction"


def test_functions_do_not_see_the_base_workspace(s: rm.Session) -> None:
    write(s, f="function r = f()\nr = exist('x', 'var');\nend\n")
    s.run("x = 1;")
    assert s.eval("f()") == 0.0
    assert s.eval("exist('x')") == 1.0


def test_globals_are_shared_where_they_are_declared(s: rm.Session) -> None:
    write(
        s,
        setg="function setg(v)\nglobal G\nG = v;\nend\n",
        getg="function r = getg()\nglobal G\nr = G;\nend\n",
        nog="function r = nog()\nr = exist('G', 'var');\nend\n",
        scriptg="G = G + 1;\n",
    )
    s.run("global G; isempty_at_first = isempty(G); setg(4);")
    assert s["isempty_at_first"] is True
    assert s["G"] == 4.0
    s.run("G = 5;")
    assert s.eval("getg()") == 5.0
    assert s.eval("nog()") == 0.0
    s.run("scriptg")
    assert s.eval("getg()") == 6.0
    s.run("clear G")
    assert "G" not in s
    s.run("global G")
    assert s["G"] == 6.0
    s.run("clear global G; global G")
    assert s.eval("isempty(G)") is True


def test_persistent_variables_last_until_the_function_is_cleared(s: rm.Session) -> None:
    write(
        s,
        f="function r = f()\npersistent n\nif isempty(n), n = 0; end\nn = n + 1; r = n;\nend\n",
    )
    assert [s.eval("f()") for _ in range(3)] == [1.0, 2.0, 3.0]
    s.run("clear f")
    assert s.eval("f()") == 1.0
    s.run("f(); clear functions")
    assert s.eval("f()") == 1.0
    s.run("clear x")
    assert s.eval("f()") == 2.0


@pytest.mark.parametrize(
    ("clear", "left"),
    [
        ("clear", []),
        ("clear all", []),
        ("clearvars", []),
        ("clear a1", ["a2", "b", "c"]),
        ("clear a*", ["b", "c"]),
        ("clear('b', 'c')", ["a1", "a2"]),
        ("clear -except b", ["b"]),
        ("clear -regexp ^a\\d", ["b", "c"]),
        ("clearvars a1 b", ["a2", "c"]),
        ("clearvars -except a*", ["a1", "a2"]),
        ("clearvars a* -except a2", ["a2", "b", "c"]),
        ("name = 'b'; clear(name); clear name", ["a1", "a2", "c"]),
    ],
)
def test_clear(s: rm.Session, clear: str, left: list[str]) -> None:
    s.run("a1 = 1; a2 = 2; b = 3; c = 4;")
    s.run(clear)
    assert list(s.workspace) == left


def test_clear_in_a_function_unbinds(s: rm.Session) -> None:
    write(
        s,
        f="function r = f(how)\nx = 1;\nif how == 1, clear x, end\n"
        "if how == 2, clear('x'), end\nif how == 3, clear, end\nr = exist('x', 'var');\nend\n",
    )
    assert [s.eval(f"f({how})") for how in (0, 1, 2, 3)] == [1.0, 0.0, 0.0, 0.0]


def test_who_in_a_function_lists_what_is_set(s: rm.Session) -> None:
    write(
        s,
        f="function c = f(a)\nif a\n b = 1;\nend\nz = 2;\nc = who;\nend\n",
    )
    assert s.eval("f(true)") == ["a", "b", "z"]
    assert s.eval("f(false)") == ["a", "z"]


def test_nested_functions_and_the_adapter(s: rm.Session) -> None:
    write(
        s,
        f="function r = f()\nx = 1;\n    function bump()\n        x = x + 1;\n"
        "        poke();\n    end\nbump();\nr = x;\nend\n",
        poke="function poke()\nevalin('caller', 'x = x * 10;');\nend\n",
    )
    assert s.eval("f()") == 20.0


@pytest.mark.parametrize(
    ("declared", "call", "names"),
    [
        ("a, b", "f(speed, 3)", ["speed", ""]),
        ("a, b", "f(speed, speed)", ["speed", "speed"]),
        ("a, b", "f(speed + 1, t.x)", ["", ""]),
        ("a, b", "1 + f(1, speed)", ["", "speed"]),
        ("a, b", "f(speed, ...\n   speed)", ["speed", "speed"]),
        ("a, b", "f(  3, ...\n 4) + 1 + f( ...\n 1, ... why\n speed)", ["", "speed"]),
    ],
)
def test_inputname(s: rm.Session, declared: str, call: str, names: list[str]) -> None:
    write(
        s,
        f=f"function r = f({declared})\nglobal seen\nseen = {{inputname(1), inputname(2)}};\n"
        "r = 0;\nend\n",
        g=f"function g()\nspeed = 1; t.x = 2;\nq = {call};\nend\n",
    )
    s.run("global seen; speed = 2; t.x = 3; q = " + call + ";")
    assert s["seen"] == names
    s.run("g")
    assert s["seen"] == names


def test_argument_counts(s: rm.Session) -> None:
    write(
        s,
        f="function varargout = f(a, b, varargin)\nvarargout = {nargin, nargout};\nend\n",
        checked="function [a, b] = checked(varargin)\nnarginchk(1, 2); nargoutchk(0, 1);\n"
        "a = 1; b = 2;\nend\n",
    )
    assert s.eval("f(1, 2, 3)", nargout=2) == (3.0, 2.0)
    assert s.eval("f(1)", nargout=2) == (1.0, 2.0)
    assert (s.eval("nargin('f')"), s.eval("nargout('f')")) == (-3.0, -1.0)
    assert (s.eval("nargin(@f)"), s.eval("nargin(@(x, y) x)")) == (-3.0, 2.0)
    for name in ("plus", "times", "mtimes", "minus", "and", "or", "le", "mldivide"):
        assert (s.eval(f"nargin(@{name})"), s.eval(f"nargin('{name}')")) == (2.0, 2.0)
    assert (s.eval("nargin(@not)"), s.eval("nargin('ctranspose')")) == (1.0, 1.0)
    for call, identifier in (
        ("checked()", "MATLAB:narginchk:notEnoughInputs"),
        ("checked(1, 2, 3)", "MATLAB:narginchk:tooManyInputs"),
        ("[a, b] = checked(1)", "MATLAB:nargoutchk:tooManyOutputs"),
    ):
        with pytest.raises(rm.MatlabError) as caught:
            s.run(call)
        assert caught.value.identifier == identifier


def test_mfilename_and_dbstack(s: rm.Session, tmp_path: Path) -> None:
    write(
        s,
        f="function r = f()\nr = {mfilename, mfilename('func'), mfilename('fullpath'), g()};\nend\n"
        "function r = g()\nst = dbstack;\nr = {st.name};\nend\n",
    )
    assert s.eval("f()") == ["f", "f", str(tmp_path / "f"), ["g", "f"]]
