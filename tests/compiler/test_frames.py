"""Frames of .m code: positions, unbound names, workspaces."""

from __future__ import annotations

import pytest

from runmat_core import MatlabError, Session

SOURCE = """\
function r = f(x)
a = 1;
if x > 1
  r = a + ...
      nothing_here;
end
r = g(x);
end
function r = g(x)
b = [1 2 3];

r = b(x);
end
"""


@pytest.fixture
def session(tmp_path) -> Session:
    (tmp_path / "f.m").write_text(SOURCE)
    return Session(cwd=tmp_path)


def stack_of(session: Session, code: str) -> list[tuple[str, int]]:
    with pytest.raises(MatlabError) as caught:
        session.run(code)
    return [(frame.name, frame.line) for frame in caught.value.stack]


def test_lines_of_functions(session: Session) -> None:
    assert stack_of(session, "f(0)") == [("g", 12), ("f", 7)]


def test_lines_through_handles(session: Session) -> None:
    assert stack_of(session, "h = @(q) f(q); h(0)")[:2] == [("g", 12), ("f", 7)]


def test_unknown_functions_are_named(session: Session) -> None:
    with pytest.raises(MatlabError, match="'nothing_here'") as caught:
        session.run("f(2)")
    assert caught.value.identifier == "MATLAB:UndefinedFunction"


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("if false, q = 1; end, r = 1 + q;", "q"),
        ("if false, q = 1; z = 1; end, z = 3; r = z + q * z;", "q"),
        ("if false, None = 1; end, r = None;", "None"),
        ("if false, q = 1; end, r = q(1);", "q"),
        ("if false, q = 1; end, r = q.x;", "q"),
        ("if false, q = 1; end, r = q{1};", "q"),
        ("if false, q = 1; end, r = {1, q};", "q"),
        ("if false, q = 1; end, r = max(q);", "q"),
        ("if false, q = 1; end, if q, end", "q"),
        ("if false, q = 1; end, for k = 1:q, end", "q"),
        ("q = 1; clear q, r = q;", "q"),
        ("eval('1;'); if false, q = 1; end, r = q;", "q"),
    ],
)
def test_the_unset_variable_is_named(tmp_path, body: str, name: str) -> None:
    (tmp_path / "f.m").write_text(f"function r = f()\n{body}\nend\n")
    with pytest.raises(MatlabError) as caught:
        Session(cwd=tmp_path).run("f();")
    assert caught.value.message == f"Unrecognized function or variable '{name}'."


@pytest.mark.parametrize(
    ("body", "line"),
    [("if x < 0\n  q = 1;\nend\nr = x + q;", 5), ("if x < 0, q = 1; end\nb = x;\nr = q + b;", 4)],
)
def test_the_unset_variable_is_named_in_warm_code(tmp_path, body: str, line: int) -> None:
    # pairs of instructions are then run as one
    (tmp_path / "f.m").write_text(f"function r = f(x)\n{body}\nend\n")
    session = Session(cwd=tmp_path)
    for _ in range(30):
        with pytest.raises(MatlabError) as caught:
            session.run("f(1);")
        assert caught.value.message == "Unrecognized function or variable 'q'."
        assert caught.value.stack[0].line == line


def test_an_unset_output_is_named_in_warm_code(tmp_path) -> None:
    (tmp_path / "f.m").write_text("function [x, r] = f(x)\nif x < 0, r = 1; end\nend\n")
    session = Session(cwd=tmp_path)
    for _ in range(30):
        with pytest.raises(MatlabError, match='Output argument "r"'):
            session.run("[a, b] = f(1);")


def test_an_unset_shared_variable_is_named(tmp_path) -> None:
    (tmp_path / "f.m").write_text(
        "function f()\ng();\nfunction g(), x = q; end\nif 0, q = 1; end\nend\n"
    )
    with pytest.raises(MatlabError, match="'q'"):
        Session(cwd=tmp_path).run("f")


WORKSPACES = [
    ("read", "x = 5; g();", "fprintf('%d', evalin('caller', 'x'));", "5"),
    ("write", "x = 5; g(); fprintf('%d', x);", "assignin('caller', 'x', 6);", "6"),
    ("write-element", "x = [1 2]; g(); fprintf('%d', x);", "evalin('caller', 'x(2) = 9;');", "19"),
    (
        "copy-on-write",
        "x = [1 2]; y = x; g(); fprintf('%d', y);",
        "evalin('caller', 'x(2) = 9;');",
        "12",
    ),
    ("who", "x = 5; y = 6; g();", "w = evalin('caller', 'who'); fprintf('%s', w{:});", "xy"),
    ("exist", "x = 5; g();", "fprintf('%d', evalin('caller', 'exist(''x'')'));", "1"),
    (
        "unset",
        "if false, x = 5; end, g();",
        "fprintf('%d', evalin('caller', 'exist(''x'')'));",
        "0",
    ),
    ("nargin", "g();", "fprintf('%d', evalin('caller', 'nargin'));", "0"),
]


@pytest.mark.parametrize(
    ("body", "callee", "printed"),
    [case[1:] for case in WORKSPACES],
    ids=[case[0] for case in WORKSPACES],
)
def test_workspaces_of_running_functions(run, body: str, callee: str, printed: str) -> None:
    assert run("f()", f=f"function f()\n{body}\nend\nfunction g()\n{callee}\nend") == printed


def test_scripts_run_in_the_function_that_calls_them(run) -> None:
    source = "function f()\nx = 2;\nsetup;\nfprintf('%d %d', x, made);\nend"
    assert run("f", f=source, setup="x = x * 10;\nmade = 7;\n") == "20 7"


def test_scripts_run_in_scripts(run) -> None:
    assert (
        run("x = 2;\nsetup\nfprintf('%d %d', x, made)", setup="x = x * 10;\nmade = 7;\n") == "20 7"
    )


def test_cleanup_objects_run_before_the_handler(run) -> None:
    source = "function f()\nc = onCleanup(@() fprintf('clean '));\nerror('boo')\nend"
    assert run("try, f(), catch e, fprintf('%s', e.message), end", f=source) == "clean boo"


def test_cleanup_objects_run_at_return(run) -> None:
    source = "function f()\nc = onCleanup(@() fprintf('clean '));\nfprintf('body ')\nend"
    assert run("f(), fprintf('after')", f=source) == "body clean after"


def test_cleanup_objects_of_recursive_nested_functions(run) -> None:
    source = (
        "function f()\nc = onCleanup(@() fprintf('clean '));\ng(3);\n"
        "function g(k), if k > 0, g(k - 1); end, end\nend"
    )
    assert run("f(), fprintf('after')", f=source) == "clean after"


@pytest.mark.parametrize(
    "inside",
    ["writing", "run('writing')", "outside", "h = @() outside; h()"],
)
def test_writes_from_outside_leave_the_caller_alone(run, inside: str) -> None:
    """A function borrows inputs that its own text only reads."""
    printed = run(
        "z = [1 2]; c = {[1 2]}; s.f = [1 2]; f(z, c, s); disp([z c{1} s.f])",
        f=f"function f(w, q, t)\n{inside};\nend",
        writing="w(1) = 9; q{1}(1) = 9; t.f(1) = 9;",
        outside="function outside\nevalin('caller', 'w(1) = 9; q{1}(1) = 9; t.f(1) = 9;');\nend",
    )
    assert printed.split() == ["1", "2"] * 3


def test_a_handle_holds_what_it_captured(run) -> None:
    outside = "function x = poke(x)\nevalin('caller', 'a(1) = 9;');\nend"
    printed = run("a = [1 2]; h = @() poke(a); g = h; h(); disp([h() g() a])", poke=outside)
    assert printed.split() == ["1", "2"] * 3


def test_variables_that_scripts_make_are_copied(run) -> None:
    source = "function f()\nsetup;\ny = made; y(1) = 9;\ndisp(made)\nend"
    assert run("f", f=source, setup="made = [1 2];").split() == ["1", "2"]


def test_text_evaluated_in_nested_functions_sees_the_variables_around_them(run) -> None:
    source = (
        "function f()\na = 1; b = [1 2];\ninner(); disp([a b])\n"
        "function inner()\na; b;\neval('b(2) = a + 5; a = 7; own = 3;');\neval('disp(own)');\n"
        "end\nend"
    )
    assert run("f", f=source).split() == ["3", "7", "1", "6"]


def test_variables_with_names_of_python_are_reached_from_outside(run) -> None:
    source = "function f(True)\nNone = 3;\nsetup; disp([None True exist('None') nargin])\nend"
    printed = run("t = [1 2]; f(t); disp(t)", f=source, setup="None = 5; True(1) = 7;")
    assert printed.split() == ["5", "7", "2", "1", "1", "1", "2"]
