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
    "_a.__b__ = @_c;": [("Assign", "_a.__b__", "@_c", True)],
    "y = x.'(2:end)": [("Assign", "y", "(x.')((2:end))", False)],
    "y = [x'(1) z' (2)]": [("Assign", "y", "[(x')(1),(z'),2]", False)],
    "y = x' (1){2}.a": [("Assign", "y", "(x')(1){2}.a", False)],
    "y = 10_000 + 0x1_Fu8 + 1_0.5e1_0 + 3J": [
        (
            "Assign",
            "y",
            "(((10000+0x1Fu8)+10.5e10)+3j)",
            False,
        )
    ],
    "a = b(2) = c": [("Assign", "a", "(b(2)=c)", False)],
    "a += b = 3": [("OpAssign", "a", "+", "(b=3)", False)],
    "a = b .*= 3": [("Assign", "a", "(b.*=3)", False)],
    "x .*= 2; x ./= 2; x .^= 2; x **= 2; x \\= 2;": [
        ("OpAssign", "x", operator, "2", True) for operator in (".*", "./", ".^", "^", "\\")
    ],
    "(x = 3);": [("Assign", "x", "3", True)],
    "if (x = f (1)) x, end": [("If", [["(x=f(1))", [ONE]]], None)],
    "while (n = g ()) != -1\nx\nend": [("While", "((n=g())~=(-1))", [ONE])],
    "while n-- > 0\nx\nend": [("While", "((n--)>0)", [ONE])],
    "if (++n == 3 || any (k = v)), x, end": [("If", [["(((n+=1)==3)||any((k=v)))", [ONE]]], None)],
    "y = c{k++} + v(--j);": [("Assign", "y", "(c{(k++)}+v((j-=1)))", True)],
    "y = [a++ b a ++b]": [("Assign", "y", "[(a++),b,a,(+(+b))]", False)],
    "y = a++b --c": [("Assign", "y", "((a+(+b))-(-c))", False)],
    "global a = 1 b c = [2 3]": [("Global", ["a", "b", "c"], ["1", None, "[2,3]"])],
    "persistent n = 0;": [("Persistent", ["n"], ["0"])],
    "for [v, k] = s\nx\nend": [("For", "v", "s", [ONE], False, None, "k")],
    "for (k = (n = 1):3) x, end": [("For", "k", "((n=1):3)", [ONE], False, None)],
    "y = 1 + \\\n2": [("Assign", "y", "(1+2)", False)],
    "y = {@(h) max (h, 1) +1, 2}": [("Assign", "y", "{(@(h)(max(h,1)+1)),2}", False)],
    "%!test\n%! not (code\nx": [ONE],
}


@pytest.mark.parametrize("source", ACCEPTED)
def test_accepted(statements, source):
    assert statements(source, dialect="octave") == ACCEPTED[source]


def test_default_values(outlined):
    module = parse("function r = f (a, b = {1, [2 3]}, c = a, ~)\nendfunction", dialect="octave")
    assert outlined(module.functions[0].inputs) == [
        ("Parameter", "a"),
        ("Parameter", "b", "{1,[2,3]}"),
        ("Parameter", "c", "a"),
        ("Parameter", None),
    ]


REJECTED = {
    "y = [1 2](2) = 3": "Only a variable, its elements and its fields can be assigned to.",
    "f = @(x) x = 3": "The body of an anonymous function cannot assign.",
    "f = @(x = 3) x": "The inputs of an anonymous function have no default values.",
    "3 = x = 4": "Only a variable, its elements and its fields can be assigned to.",
}


@pytest.mark.parametrize("source", REJECTED)
def test_rejected(source):
    with pytest.raises(MatlabSyntaxError) as caught:
        parse(source, dialect="octave")
    assert caught.value.reason == REJECTED[source]


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
    "_x = 3": "A name that starts with '_'",
    "function f (a = 1)\nend": "A default value of an input",
    "persistent n = 3": "A value in a declaration",
    "for [v, k] = s\nend": "A loop over fields",
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
