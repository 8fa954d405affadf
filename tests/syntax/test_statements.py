"""Statements: commands, assignments, blocks on one line and on many."""

from __future__ import annotations

import pytest

from runmat_core.syntax import ast, parse

COMMANDS = {
    "hold on": ("hold", ["on"]),
    "hold on;": ("hold", ["on"]),
    "disp -5": ("disp", ["-5"]),
    "a +b": ("a", ["+b"]),
    "a ~b": ("a", ["~b"]),
    "floor [1]": ("floor", ["[1]"]),
    "disp 'a b'": ("disp", ["a b"]),
    "disp 'it''s' x": ("disp", ["it's", "x"]),
    'disp "a b"': ("disp", ["a b"]),
    "warning off MATLAB:foo": ("warning", ["off", "MATLAB:foo"]),
    "format long % comment": ("format", ["long"]),
    "cd ../x": ("cd", ["../x"]),
    "cd ./x": ("cd", ["./x"]),
    "cd ..": ("cd", [".."]),
    "ls *.m": ("ls", ["*.m"]),
    "clear x y*": ("clear", ["x", "y*"]),
    "load file.mat -mat": ("load", ["file.mat", "-mat"]),
    "disp a(1, 2)": ("disp", ["a(1, 2)"]),
    "disp don't": ("disp", ["don't"]),
    "hold ...\n on": ("hold", ["on"]),
    "x {1}": ("x", ["{1}"]),
    "x @f": ("x", ["@f"]),
    "x 3": ("x", ["3"]),
    "close all force": ("close", ["all", "force"]),
}


@pytest.mark.parametrize("source", COMMANDS)
def test_commands(source):
    statement = parse(source).body[0]
    assert isinstance(statement, ast.Command)
    assert (statement.name, list(statement.args)) == COMMANDS[source]


@pytest.mark.parametrize(
    "source",
    [
        "nargin ",
        "nargin ;",
        "nargin % comment",
        "a + b",
        "a - b",
        "a == b",
        "a ==b",
        "a .* b",
        "a & b",
        "a ' + 1",
        "a '",
        "disp (5)",
        "disp(5) , x",
        "a.b",
        "a...\n + 3",
        "a ...\n + 3",
    ],
)
def test_expressions_that_look_like_commands(source):
    assert isinstance(parse(source).body[0], ast.ExprStmt)


def test_a_variable_starts_no_command(statements):
    assert statements("x -1", variables=frozenset({"x"})) == [("ExprStmt", "(x-1)", False)]
    assert statements("x = 3; x -1")[1] == ("ExprStmt", "(x-1)", False)
    assert statements("[x, y] = f(); y -1")[1] == ("ExprStmt", "(y-1)", False)
    assert statements("for k = 1:3\n k -1\nend")[0][3] == [("ExprStmt", "(k-1)", False)]
    assert statements("global g\ng -1")[1] == ("ExprStmt", "(g-1)", False)
    assert statements("x(3).y = 1; x -1")[1] == ("ExprStmt", "(x-1)", False)


def test_parameters_start_no_command():
    (function,) = parse("function r = f(a)\na -1\nr -1\nb -1\nend").functions
    kinds = [type(statement).__name__ for statement in function.body]
    assert kinds == ["ExprStmt", "ExprStmt", "Command"]


@pytest.mark.parametrize(
    "header",
    ["function step", "function step(a)", "function r = step(a)", "function [r, a] = step"],
)
def test_a_function_may_call_itself_as_a_command(header):
    (function,) = parse(header + "\nstep on\nend").functions
    assert isinstance(function.body[0], ast.Command)


def test_an_output_called_as_its_function_starts_no_command():
    (function,) = parse("function step = step(a)\nstep -1\nend").functions
    assert isinstance(function.body[0], ast.ExprStmt)


def test_names_of_one_function_do_not_reach_the_next():
    _, second = parse("function f\nhold = 1;\nfunction g\nhold on").functions
    assert isinstance(second.body[0], ast.Command)


STATEMENTS = {
    "x = 5": [("Assign", "x", "5", False)],
    "x =5;": [("Assign", "x", "5", True)],
    "x(2) = []": [("Assign", "x(2)", "[]", False)],
    "s(2).a.b{3} = 1;": [("Assign", "s(2).a.b{3}", "1", True)],
    "s.(n).end = 1;": [("Assign", "s.(n).end", "1", True)],
    "[a,~,c]=f();": [("MultiAssign", ["a", "~", "c"], "f()", True)],
    "[a b] = f": [("MultiAssign", ["a", "b"], "f", False)],
    "[~, i] = max(x);": [("MultiAssign", ["~", "i"], "max(x)", True)],
    "[~ i] = max(x);": [("MultiAssign", ["~", "i"], "max(x)", True)],
    "[a ~] = f;": [("MultiAssign", ["a", "~"], "f", True)],
    "[x] = f;": [("MultiAssign", ["x"], "f", True)],
    "[s(1:3).x]=deal(0)": [("MultiAssign", ["s((1:3)).x"], "deal(0)", False)],
    "[x.a(2), y{3}]=g()": [("MultiAssign", ["x.a(2)", "y{3}"], "g()", False)],
    "[a, ...\n b] = f;": [("MultiAssign", ["a", "b"], "f", True)],
    "[a] == b": [("ExprStmt", "([a]==b)", False)],
    "if x, y=1; end": [("If", [["x", [("Assign", "y", "1", True)]]], None)],
    "if (x) y=1, end": [("If", [["x", [("Assign", "y", "1", False)]]], None)],
    "if x y=1; end": [("If", [["x", [("Assign", "y", "1", True)]]], None)],
    "if (x) hold on, end": [("If", [["x", [("Command", "hold", ["on"], False)]]], None)],
    "if (x) [a,b] = f(); end": [("If", [["x", [("MultiAssign", ["a", "b"], "f()", True)]]], None)],
    "if x, 1, elseif y, 2, else, 3, end": [
        (
            "If",
            [["x", [("ExprStmt", "1", False)]], ["y", [("ExprStmt", "2", False)]]],
            [("ExprStmt", "3", False)],
        )
    ],
    "if x, else, end": [("If", [["x", []]], [])],
    "for i=1:3 disp(i); end": [("For", "i", "(1:3)", [("ExprStmt", "disp(i)", True)], False, None)],
    "for (i=1:3) x; end": [("For", "i", "(1:3)", [("ExprStmt", "x", True)], False, None)],
    "for i=(1:3), end": [("For", "i", "(1:3)", [], False, None)],
    "for x.i = c\nend": [("For", "x.i", "c", [], False, None)],
    "parfor i=1:3, end": [("For", "i", "(1:3)", [], True, None)],
    "parfor (i=1:3, 4)\nend": [("For", "i", "(1:3)", [], True, "4")],
    "while 1, break, end": [("While", "1", [("Break",)])],
    "while (x) continue; end": [("While", "x", [("Continue",)])],
    "try, x; catch, y; end": [("Try", [("ExprStmt", "x", True)], None, [("ExprStmt", "y", True)])],
    "try x; catch ME, y; end": [
        ("Try", [("ExprStmt", "x", True)], "ME", [("ExprStmt", "y", True)])
    ],
    "try\nx\ncatch ME\ny\nend": [
        ("Try", [("ExprStmt", "x", False)], "ME", [("ExprStmt", "y", False)])
    ],
    "try\nx\ncatch\nME\nend": [
        ("Try", [("ExprStmt", "x", False)], None, [("ExprStmt", "ME", False)])
    ],
    "try, x, catch disp(1), end": [
        ("Try", [("ExprStmt", "x", False)], None, [("ExprStmt", "disp(1)", False)])
    ],
    "try, x, end": [("Try", [("ExprStmt", "x", False)], None, None)],
    "switch x, case 1, y; otherwise, z; end": [
        ("Switch", "x", [["1", [("ExprStmt", "y", True)]]], [("ExprStmt", "z", True)])
    ],
    "switch x\n% comment\ncase {1,'a'}\n y\nend": [
        ("Switch", "x", [["{1,'a'}", [("ExprStmt", "y", False)]]], None)
    ],
    "spmd\n x;\nend": [("Spmd", [], [("ExprStmt", "x", True)])],
    "spmd (2, 4)\nend": [("Spmd", ["2", "4"], [])],
    "global a b": [("Global", ["a", "b"])],
    "persistent n;": [("Persistent", ["n"])],
    "import a.b.* c.d": [("Import", ["a.b.*", "c.d"])],
    "!ls -l | wc": [("Bang", "ls -l | wc")],
    "return": [("Return",)],
    ";;,x;;": [("ExprStmt", "x", True)],
    "x, y; z": [
        ("ExprStmt", "x", False),
        ("ExprStmt", "y", True),
        ("ExprStmt", "z", False),
    ],
    "x = 1 end1 = 2": None,
    "arguments = 3;": [("Assign", "arguments", "3", True)],
    "properties(x)": [("ExprStmt", "properties(x)", False)],
    "methods = 3; events = methods": [
        ("Assign", "methods", "3", True),
        ("Assign", "events", "methods", False),
    ],
    "end1 = 3": [("Assign", "end1", "3", False)],
    "lambda = 3; class(lambda)": [
        ("Assign", "lambda", "3", True),
        ("ExprStmt", "class(lambda)", False),
    ],
}


@pytest.mark.parametrize("source", STATEMENTS)
def test_statements(statements, source):
    if STATEMENTS[source] is None:
        with pytest.raises(Exception, match="Unexpected name 'end1'"):
            statements(source)
    else:
        assert statements(source) == STATEMENTS[source]


def test_comments_and_continuation(statements):
    source = """\
x = 1; % a comment with 'quotes" and ... dots
y = 'text % not a comment'; z = "nor % this";
%{
not = code
  %{
  nested
  %}
still not
%}
%{ not a block comment
w = x + ... the rest is swallowed ' "
    y;
"""
    names = [statement[1] for statement in statements(source)]
    assert names == ["x", "y", "z", "w"]


def test_block_comment_signs_need_lines_of_their_own(statements):
    assert statements("x = 1; %{\ny = 2;\n%}\n") == [
        ("Assign", "x", "1", True),
        ("Assign", "y", "2", True),
    ]


def test_line_ends_and_trailing_blanks(statements):
    expected = statements("x = 1\ny = 2\n")
    assert statements("x = 1\r\ny = 2\r\n") == expected
    assert statements("x = 1\ry = 2") == expected
    assert statements("x = 1   \n  y = 2  \t ") == expected


def test_an_empty_file_is_a_script():
    assert parse("") == ast.Module("script", (), ())
    assert parse("\n % only a comment\n").kind == "script"
