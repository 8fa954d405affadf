"""The octave dialect, and what the MATLAB dialect says of it."""

from __future__ import annotations

import pytest

from runmat_core.syntax import MatlabSyntaxError, ast, parse

ONE = ("ExprStmt", "x", False)
ACCEPTED = {
    "# comment\nx # another": [ONE],
    "#{\nnot = code\n#}\nx": [ONE],
    "if !x, x, endif": [("If", [["(~x)", [ONE]]], None)],
    "if a != b, x, endif": [("If", [["(a~=b)", [ONE]]], None)],
    "for i=1:3\nx\nendfor": [("For", "i", "(1:3)", [ONE], False, None)],
    "while 1\nx\nendwhile": [("While", "1", [ONE])],
    "switch x\ncase 1\nx\nendswitch": [("Switch", "x", [["1", [ONE]]], None)],
    "try\nx\ncatch err\nx\nend_try_catch": [("Try", [ONE], "err", [ONE])],
    "do\nx\nuntil x > 3": [("DoUntil", [ONE], "(x>3)")],
    "unwind_protect\nx\nunwind_protect_cleanup\nx\nend_unwind_protect": [
        ("UnwindProtect", [ONE], [ONE])
    ],
    "x += 1;": [("OpAssign", "x", "+", "1", True)],
    "s(2).f -= a*b": [("OpAssign", "s(2).f", "-", "(a*b)", False)],
    "x *= 2; x /= 2; x ^= 2; x |= 1; x &= 1;": [
        ("OpAssign", "x", operator, value, True)
        for operator, value in [("*", "2"), ("/", "2"), ("^", "2"), ("|", "1"), ("&", "1")]
    ],
    "x++;": [("OpAssign", "x", "+", "1", True)],
    "x --": [("OpAssign", "x", "-", "1", False)],
    "++x": [("OpAssign", "x", "+", "1", False)],
    "y = A(1)(2)": [("Assign", "y", "A(1)(2)", False)],
    "y = f(x){1}.a": [("Assign", "y", "f(x){1}.a", False)],
    "y = [1 2 3](2)": [("Assign", "y", "[1,2,3](2)", False)],
    "y = 2**3": [("Assign", "y", "(2^3)", False)],
    'printf("%d\\n", x)': [("ExprStmt", "printf('%d\n',x)", False)],
    "y = f(1,\n  2)": [("Assign", "y", "f(1,2)", False)],
    r'y = "a\tb\\\"\x41\101"': [("Assign", "y", "'a\tb\\\"AA'", False)],
    'y = "say ""hi"""': [("Assign", "y", "'say \"hi\"'", False)],
    r"y = 'a\n'": [("Assign", "y", r"'a\n'", False)],
    'y = {"a" "b"}': [("Assign", "y", "{'a','b'}", False)],
    "y = {@(x) x +1}": [("Assign", "y", "{(@(x)(x+1))}", False)],
    'disp "a\\n"': [("Command", "disp", [r"a\n"], False)],
}


@pytest.mark.parametrize("source", ACCEPTED)
def test_accepted(statements, source):
    assert statements(source, dialect="octave") == ACCEPTED[source]


def test_function_ends():
    module = parse("1;\nfunction r = f(x)\nr = x;\nendfunction\nf(3)", dialect="octave")
    assert module.kind == "script"
    assert [function.name for function in module.functions] == ["f"]


NAMED = {
    "# comment": "A comment that starts with '#'",
    "x = 1 # comment": "A comment that starts with '#'",
    "#{\n#}": "A comment that starts with '#'",
    "if !x, end": "'!' for negation",
    "if a != b, end": "'!='",
    "if x\nendif": "'endif'",
    "for i=1:3\nendfor;": "'endfor'",
    "function f\nendfunction": "'endfunction'",
    "do\nx\nuntil x": "'do'",
    "unwind_protect\nunwind_protect_cleanup\nend_unwind_protect": "'unwind_protect'",
    "x += 1": "'+='",
    "x -=1": "'-='",
    "x(3) *= 2": "'*='",
    "x++;": "'++'",
    "x --": "'--'",
    "y = A(1)(2)": "Indexing the result of an expression with '()'",
    "y = f(1){2}": "Indexing the result of an expression with '{}'",
    "y = 2**3": "'**'",
}


@pytest.mark.parametrize("source", NAMED)
def test_named_in_the_matlab_dialect(source):
    with pytest.raises(MatlabSyntaxError) as caught:
        parse(source)
    assert caught.value.reason == f"{NAMED[source]} is Octave syntax, and the dialect is MATLAB."
    assert 'dialect = "octave"' in caught.value.hint
    parse(source, dialect="octave")


@pytest.mark.parametrize("source", ["endif = 3; x = endif", "do = 1", "until(3)", "x = s.endif"])
def test_octave_keywords_are_names_in_matlab(source):
    parse(source)


def test_matlab_double_quotes_are_strings():
    (statement,) = parse(r'x = "a\n"').body
    assert statement == ast.Assign(ast.Name("x"), ast.String(r"a\n"), False)


MISMATCHED = {
    "if x\nendfor": "'endfor' cannot close the 'if' of line 1.",
    "do\nx\nend": "'end' cannot close the 'do' of line 1.",
    "while 1\nuntil x": "'until' cannot close the 'while' of line 1.",
}


@pytest.mark.parametrize("source", MISMATCHED)
def test_mismatched_ends(source):
    with pytest.raises(MatlabSyntaxError) as caught:
        parse(source, dialect="octave")
    assert caught.value.reason == MISMATCHED[source]
