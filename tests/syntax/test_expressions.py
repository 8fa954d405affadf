"""Expressions: what binds to what, what separates elements, what quotes."""

from __future__ import annotations

import pytest

from runmat_core.syntax import MatlabSyntaxError, ast, parse

PRECEDENCE = {
    "-2^2": "(-(2^2))",
    "2^-1": "(2^(-1))",
    "2^3^2": "((2^3)^2)",
    "2^-1^2": "((2^(-1))^2)",
    "2^+-1": "(2^(+(-1)))",
    "-2^0.5": "(-(2^0.5))",
    "~1==0": "((~1)==0)",
    "~a'": "(~(a'))",
    "-a'": "(-(a'))",
    "a^b'": "((a^b)')",
    "2^-a'": "((2^(-a))')",
    "a.'.^b'": "(((a.').^b)')",
    "-a*b": "((-a)*b)",
    "a*-b": "(a*(-b))",
    "a-b-c": "((a-b)-c)",
    "a/b\\c.*d./e.\\f": "(((((a/b)\\c).*d)./e).\\f)",
    "1:3+1": "(1:(3+1))",
    "1:2:10": "(1:2:10)",
    "1:2:10:20": "((1:2:10):20)",
    "(1:2):3": "((1:2):3)",
    "1:n==m": "((1:n)==m)",
    "a<b<c": "((a<b)<c)",
    "a==b|c~=d&e": "((a==b)|((c~=d)&e))",
    "a||b&&c|d": "(a||(b&&(c|d)))",
    "a|b||c&d&&e": "((a|b)||((c&d)&&e))",
    "5--4": "(5-(-4))",
    "a++b": "(a+(+b))",
    "a - - b": "(a-(-b))",
    "@(x) x+1": "(@(x)(x+1))",
    "@(x) @(y) x+y": "(@(x)(@(y)(x+y)))",
    "@(~, varargin) f(varargin{:})": "(@(~,varargin)f(varargin{:}))",
    "@() disp('x')": "(@()disp('x'))",
    "@sin": "@sin",
    "@pkg.sub.f": "@pkg.sub.f",
    "cellfun(@(x) x, c, 'a', 1)": "cellfun((@(x)x),c,'a',1)",
}


@pytest.mark.parametrize("source", PRECEDENCE)
def test_precedence(expression, source):
    assert expression(source) == PRECEDENCE[source]


ELEMENTS = {
    "[]": "[]",
    "[;]": "[]",
    "[1 -2]": "[1,(-2)]",
    "[1 - 2]": "[(1-2)]",
    "[1 -2 + 3]": "[1,((-2)+3)]",
    "[1-2]": "[(1-2)]",
    "[a -b]": "[a,(-b)]",
    "[a - b]": "[(a-b)]",
    "[a -b c]": "[a,(-b),c]",
    "[x(1) -x(2)]": "[x(1),(-x(2))]",
    "[1 (2)]": "[1,2]",
    "[f (1)]": "[f,1]",
    "[f(1, 2) {3}]": "[f(1,2),{3}]",
    "[1 , 2, ]": "[1,2]",
    "[ , 1]": "[1]",
    "[a ==b]": "[(a==b)]",
    "[a ~=b]": "[(a~=b)]",
    "[a ~b]": "[a,(~b)]",
    "[a ~ b]": "[a,(~b)]",
    "[1 .5]": "[1,.5]",
    "[1 : 3]": "[(1:3)]",
    "[1 :3]": "[(1:3)]",
    "[a' b']": "[(a'),(b')]",
    "[a ', b']": "[a,', b']",
    "[x' x']": "[(x'),(x')]",
    "[a 'b']": "[a,'b']",
    "[a 'b' ]'": "([a,'b']')",
    "['a' 'b']": "['a','b']",
    "['a''b']": "['a'b']",
    '["a" "b"]': '["a","b"]',
    "[a.b c.d]": "[a.b,c.d]",
    "[a(1, -2) (3)]": "[a(1,(-2)),3]",
    "[f(a -b)]": "[f((a-b))]",
    "[a{end -1}]": "[a{(end-1)}]",
    "[1 2\n3 4]": "[1,2;3,4]",
    "[1 2;\n3 4;\n]": "[1,2;3,4]",
    "[1, ...\n 2]": "[1,2]",
    "[1 ... swallowed ] text\n 2]": "[1,2]",
    "[1 -...\n2]": "[(1-2)]",
    "[; , ; 1 , 2]": "[1,2]",
    "{1,;,;;,2}": "{1;2}",
    "[\n\n1 2 % comment ]\n% another\n3 4\n]": "[1,2;3,4]",
    "[a % comment\nb]": "[a;b]",
    "[1,\n2]": "[1;2]",
    "{@(p) f(p) ...\n @(p) g(p)}": "{(@(p)f(p)),(@(p)g(p))}",
    "{@(x) x +1}": "{(@(x)x),(+1)}",
    "{@(x) x + 1}": "{(@(x)(x+1))}",
    "{@(x)(x +1), 2 -1}": "{(@(x)(x+1)),2,(-1)}",
    "{@(x) x\n-1}": "{(@(x)x);(-1)}",
    "{@sin @cos}": "{@sin,@cos}",
    "{}": "{}",
    "{[] {} ''}": "{[],{},''}",
    "[1 2]'": "([1,2]')",
    "{1}'": "({1}')",
    "c{1}'": "(c{1}')",
    "x([1 end])": "x([1,end])",
    "[s.x(end) end1]": "[s.x(end),end1]",
    "[1e3 -1e-3]": "[1e3,(-1e-3)]",
    "[a, -1; +b 2]": "[a,(-1);(+b),2]",
    "[1 -2\n -3 +4]": "[1,(-2);(-3),(+4)]",
    "[a && b || c]": "[((a&&b)||c)]",
    "[a &&b]": "[(a&&b)]",
    "[a . * b]": None,
    "[1,,2]": None,
    "[1 2": None,
}


@pytest.mark.parametrize("source", ELEMENTS)
def test_elements(expression, source):
    if ELEMENTS[source] is None:
        with pytest.raises(MatlabSyntaxError):
            expression(source)
    else:
        assert expression(source) == ELEMENTS[source]


QUOTES = {
    "a'": "(a')",
    "a''": "((a')')",
    "A(1,:)'": "(A(1,:)')",
    "x.f'": "(x.f')",
    "size(x ')": "size((x'))",
    "f(a', 'b')": "f((a'),'b')",
    "a.'": "(a.')",
    "2.'": "(2.')",
    "2'": "(2')",
    "x(end')": "x((end'))",
    "a'*b'": "((a')*(b'))",
    "'it''s'": "'it's'",
    "''": "''",
    "''''": "'''",
    '"a""b"': '"a"b"',
    "'100% {\"'": "'100% {\"'",
    '"it\'s % text"': '"it\'s % text"',
    r"'a\n'": r"'a\n'",
    r'"a\n"': r'"a\n"',
    '"a"\'': '("a"\')',
    "if1'": "(if1')",
}


@pytest.mark.parametrize("source", QUOTES)
def test_quotes(expression, source):
    assert expression(source) == QUOTES[source]


NUMBERS = {
    "1": 1.0,
    "1e3": 1e3,
    "1d3": 1e3,
    "1E+3": 1e3,
    "1.5D-2": 0.015,
    ".5": 0.5,
    "5.": 5.0,
    "5.e1": 50.0,
    "1i": 1j,
    "2.5j": 2.5j,
    "1e3i": 1e3j,
    "1e400": float("inf"),
}


@pytest.mark.parametrize("source", NUMBERS)
def test_numbers(source):
    (statement,) = parse(f"x = {source}").body
    assert isinstance(statement, ast.Assign)
    assert statement.value == ast.Number(NUMBERS[source])
    assert isinstance(statement.value, ast.Number)
    assert statement.value.text == source


INTEGERS = {
    "0x1F": (31, "uint8"),
    "0X1f": (31, "uint8"),
    "0b101": (5, "uint8"),
    "0x100": (256, "uint16"),
    "0xFFFFFFFFF": (0xFFFFFFFFF, "uint64"),
    "0xFFu32": (255, "uint32"),
    "0xFFs16": (255, "int16"),
    "0xFFs8": (-1, "int8"),
    "0b10000000s8": (-128, "int8"),
}


@pytest.mark.parametrize("source", INTEGERS)
def test_integers(source):
    (statement,) = parse(f"x = {source}").body
    assert isinstance(statement, ast.Assign)
    assert statement.value == ast.IntegerLiteral(*INTEGERS[source])


@pytest.mark.parametrize("source", ["0xFFFFFFFFFFFFFFFFF", "0x100u8", "0b111111111s8"])
def test_integers_that_do_not_fit(source):
    with pytest.raises(MatlabSyntaxError, match="does not fit"):
        parse(f"x = {source}")


OPERATORS_AFTER_NUMBERS = {
    "1./x": "(1./x)",
    "3.^2": "(3.^2)",
    "3.*x": "(3.*x)",
    "3.\\x": "(3.\\x)",
    "1..^2": "(1..^2)",
    "[1 2 3...\n4]": "[1,2,3,4]",
    "1:3'": "(1:(3'))",
}


@pytest.mark.parametrize("source", OPERATORS_AFTER_NUMBERS)
def test_operators_after_numbers(expression, source):
    assert expression(source) == OPERATORS_AFTER_NUMBERS[source]


ACCESS = {
    "s.end": "s.end",
    "s.break(1)": "s.break(1)",
    "s.function{:,2}": "s.function{:,2}",
    "s.if.else": "s.if.else",
    "s.(name)": "s.(name)",
    "s.('a b').c": "s.('a b').c",
    "s.(n)(3)": "s.(n)(3)",
    "s.(n){3}": "s.(n){3}",
    "s. field": "s.field",
    "a(1).b{2}.c(end,:)": "a(1).b{2}.c(end,:)",
    "c{1}(2)": "c{1}(2)",
    "c{1}{2}": "c{1}{2}",
    "f(x).y": "f(x).y",
    "f()": "f()",
    "c{:}": "c{:}",
    "A(:)": "A(:)",
    "A(:, end+1)": "A(:,(end+1))",
    "x(min(end,5))": "x(min(end,5))",
    "c{end}(end)": "c{end}(end)",
    "x (3)": "x(3)",
    "f(x, Name=3, Other='a')": "f(x,Name=3,Other='a')",
    "f(a==1, b=c==2)": "f((a==1),b=(c==2))",
}


@pytest.mark.parametrize("source", ACCESS)
def test_access(expression, source):
    assert expression(source) == ACCESS[source]


@pytest.mark.parametrize(
    "source", ["A(1)(2)", "f(x){1}", "(a)(1)", "[1 2](1)", "{1 2}{1}", "'abc'(1)", "(s){1}"]
)
def test_results_are_not_indexed_in_matlab(expression, source):
    with pytest.raises(MatlabSyntaxError, match="is Octave syntax"):
        expression(source)


SPELLINGS = {
    "@(x) x + 1": "@(x)x+1",
    "@(x, y)  (x+y) .* [1, 2; 3 4]": "@(x,y)(x+y).*[1,2;3,4]",
    "@(x) x(end, :)'": "@(x)x(end,:)'",
    "@() fprintf( 'it''s\\n' )": "@()fprintf('it''s\\n')",
    '@(s) s + "a"': '@(s)s+"a"',
    "@(~) f(1.50, @sin)": "@(~)f(1.50,@sin)",
    "@(x) ...\n x": "@(x)x",
    "@(x) [x, -1 2]": "@(x)[x,-1,2]",
    "@(a) @(b) a~=b": "@(a)@(b)a~=b",
}


@pytest.mark.parametrize("source", SPELLINGS)
def test_anonymous_functions_keep_their_spelling(source):
    (statement,) = parse(f"f = {source};").body
    assert isinstance(statement, ast.Assign)
    assert isinstance(statement.value, ast.AnonymousFunction)
    assert statement.value.text == SPELLINGS[source]


def test_spans():
    source = "x = 1;\nif f(x) > [2 ...\n  3]\n  y = -z';\nend\n"
    first, second = parse(source).body
    assert first.span == ast.Span(1, 0, 1, 5)
    assert second.span == ast.Span(2, 0, 5, 3)
    assert isinstance(second, ast.If)
    condition, body = second.clauses[0]
    assert condition.span == ast.Span(2, 3, 3, 4)
    (assignment,) = body
    assert isinstance(assignment, ast.Assign)
    assert assignment.value.span == ast.Span(4, 6, 4, 9)


def test_spans_in_matrices_of_numbers():
    (statement,) = parse("x = [1 -2\n  3 4];").body
    assert isinstance(statement, ast.Assign)
    matrix = statement.value
    assert isinstance(matrix, ast.Matrix)
    spans = [[element.span for element in row] for row in matrix.rows]
    assert spans == [
        [ast.Span(1, 5, 1, 6), ast.Span(1, 7, 1, 9)],
        [ast.Span(2, 2, 2, 3), ast.Span(2, 4, 2, 5)],
    ]
    assert matrix.span == ast.Span(1, 4, 2, 6)
