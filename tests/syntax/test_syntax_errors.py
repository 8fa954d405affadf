"""Syntax errors: where they point, what they say, how to mend them."""

from __future__ import annotations

import pytest

from runmat_core.api import MatlabError
from runmat_core.syntax import MatlabSyntaxError, is_incomplete, parse

# source -> line, column, summary, a part of the hint
ERRORS = {
    "if x = 3\nend": (1, 6, "Unexpected '='. Expected the end of the statement.", "Use '=='"),
    "while x = 3, end": (1, 9, "Unexpected '='. Expected the end of the statement.", "Use '=='"),
    "x = 3 4": (
        1,
        7,
        "Unexpected number 4. Expected an operator or the end of the statement.",
        "Is an operator",
    ),
    "f(a b)": (
        1,
        5,
        "Unexpected name 'b'. Expected an operator, ',' or ')'.",
        "Is an operator",
    ),
    "x = 1 +": (1, 8, "Unexpected end of the line. Expected an expression.", "'...'"),
    "x = 1 + % comment\n2": (1, 8, "Unexpected end of the line. Expected an expression.", "'...'"),
    "y = 2;\nx = * 3": (2, 5, "Unexpected '*'. Expected an expression.", ""),
    "for i 1:3\nend": (1, 7, "Unexpected number 1. Expected '='.", ""),
    "x = (1 + 2;": (1, 5, "The '(' opened on line 1, column 5 is not closed.", "Add ')'"),
    "x = f(1,\n2)": (1, 6, "The '(' opened on line 1, column 6 is not closed.", "'...'"),
    "x = [1 2\ny = 3\n": (1, 5, "The '[' opened on line 1, column 5 is not closed.", "Add ']'"),
    "x = [1 2\ny = 3]": (2, 3, "Unexpected '='. Expected ',' or ']'.", ""),
    "x = [1 2\nif y": (1, 5, "The '[' opened on line 1, column 5 is not closed.", "Add ']'"),
    "x = {1 2": (1, 5, "The '{' opened on line 1, column 5 is not closed.", "Add '}'"),
    "x = [1 2)": (1, 9, "')' does not close the '[' opened on line 1, column 5.", "Add ']'"),
    "x = 1)": (1, 6, "')' closes nothing.", "Remove it"),
    "s = 'abc;": (
        1,
        5,
        "The character vector that starts here does not end on its line.",
        "Close it with '",
    ),
    's = "abc;': (1, 5, "The string that starts here does not end on its line.", 'Close it with "'),
    "if x\n  y": (1, 1, "The 'if' of line 1 has no 'end'.", "Add the 'end'"),
    "while 1\n  for k=1:3\n    x\n  if y\n  end\nend": (
        2,
        3,
        "The 'for' of line 2 has no 'end'.",
        "indentation",
    ),
    "function f\n  if x\n    y\nend\nfunction g\nend": (
        2,
        3,
        "The 'if' of line 2 has no 'end'.",
        "indentation",
    ),
    "if x\n  function f\n  end\nend": (
        1,
        1,
        "The 'if' of line 1 has no 'end': a function cannot be defined inside 'if'.",
        "Add the 'end'",
    ),
    "if x\n a\nelse if y\n b\nend": (3, 6, "The 'if' of line 3 has no 'end'.", "'elseif'"),
    "x = 1;\nend": (2, 1, "This 'end' closes nothing.", "closed twice"),
    "break": (1, 1, "'break' is not inside a loop.", "'return'"),
    "if x, continue, end": (1, 7, "'continue' is not inside a loop.", "'return'"),
    "function f\nfor k = 1:3\ng\nend\nif x, break, end\nend": (
        5,
        7,
        "'break' is not inside a loop.",
        "'return'",
    ),
    "parfor k = 1:3\nbreak\nend": (
        2,
        1,
        "'break' cannot leave a 'parfor' loop, whose iterations have no order.",
        "'continue'",
    ),
    "x = end + 1": (
        1,
        5,
        "'end' stands for the last index only inside the subscripts of a variable.",
        "numel",
    ),
    "x = 1 + (end)": (
        1,
        10,
        "'end' stands for the last index only inside the subscripts of a variable.",
        "numel",
    ),
    "f() = 3": (
        1,
        1,
        "An indexing expression on the left side of an assignment must have at least one "
        "subscript.",
        "'(:)'",
    ),
    "[a, c{}] = f": (
        1,
        5,
        "An indexing expression on the left side of an assignment must have at least one "
        "subscript.",
        "'{:}'",
    ),
    "function f\nend\nfunction f\nend": (
        3,
        1,
        "The function 'f' is defined already, on line 1.",
        "Rename",
    ),
    "function f\n  function g\n  end\n  function g\n  end\nend": (
        4,
        3,
        "The function 'g' is defined already, on line 2.",
        "Rename",
    ),
    "else": (1, 1, "Unexpected keyword 'else'. Expected an expression.", "belongs to an 'if'"),
    "case 3": (1, 1, "Unexpected keyword 'case'. Expected an expression.", "'switch'"),
    "catch ME": (1, 1, "Unexpected keyword 'catch'. Expected an expression.", "'try'"),
    "switch x\n y\ncase 1\nend": (
        2,
        2,
        "Unexpected name 'y'. Expected 'case', 'end' or 'otherwise'.",
        "",
    ),
    "classdef A\nfoo\nend": (
        2,
        1,
        "Unexpected name 'foo'. Expected 'end', 'enumeration', 'events', 'methods' "
        "or 'properties'.",
        "",
    ),
    "function\nend": (1, 9, "Unexpected end of the line. Expected a name.", ""),
    "function f(x, 3)\nend": (1, 15, "Unexpected number 3. Expected a name.", ""),
    "3 = x": (1, 1, "Only a variable, its elements and its fields can be assigned to.", "'=='"),
    "f(x)' = 3": (1, 1, "Only a variable, its elements and its fields can be assigned to.", ""),
    "[a, 3] = f": (1, 5, "Only a variable, its elements and its fields can be assigned to.", ""),
    "a = b = 3": (1, 7, "Unexpected '='. Expected the end of the statement.", "two statements"),
    "f(a=1, 2)": (1, 8, "Unexpected number 2. Expected a name.", ""),
    "f(a=1, b)": (1, 9, "Unexpected ')'. Expected '='.", ""),
    "c{a=1}": (1, 4, "Unexpected '='. Expected ',' or '}'.", ""),
    "x = 1;\nclassdef A\nend": (
        1,
        1,
        "A class file holds one class definition and functions, nothing else.",
        "file of their own",
    ),
    "function f\nclassdef A\nend\nend": (
        1,
        1,
        "The 'function' of line 1 has no 'end': a class is a file of its own.",
        "",
    ),
    "function f(a, b, a)\nend": (1, 18, "The parameter 'a' is there already.", ""),
    "f = @(x, ~, ~, x) x": (1, 16, "The parameter 'x' is there already.", ""),
    "import a.b, import c.+": (
        1,
        13,
        "'c.+' is not the name of a class, a function or pkg.*.",
        "",
    ),
    "2x = 3": (1, 2, "'2' is followed by 'x'.", "start with a letter"),
    "x = 3 $ 4": (1, 7, "The character '$' (U+0024) has no meaning here.", ""),
    "x = “a”": (1, 5, "The character '“' (U+201C) has no meaning here.", ""),
    "x = @": (1, 6, "Unexpected end of the line. Expected '('.", ""),
    "x = s.": (1, 7, "Unexpected end of the line. Expected a name or '('.", ""),
    "x = ~": (1, 6, "Unexpected end of the line. Expected an expression.", ""),
    "x = ?": (1, 5, "'?' needs the name of a class after it.", ""),
    "%{\nabc": (1, 1, "The block comment opened on line 1 is not closed.", "%}"),
}


@pytest.mark.parametrize("source", ERRORS)
def test_errors(source):
    with pytest.raises(MatlabSyntaxError) as caught:
        parse(source)
    error = caught.value
    line, column, summary, hint = ERRORS[source]
    assert (error.line, error.column, error.summary) == (line, column, summary)
    assert hint in error.hint
    assert error.source_line == source.split("\n")[line - 1]


def test_report():
    with pytest.raises(MatlabError) as caught:
        parse("x = 1;\n  y = [1, 2) + 3;\n", filename="demo.m")
    error = caught.value
    assert error.message == (
        "File: demo.m Line: 2 Column: 12\n"
        "')' does not close the '[' opened on line 2, column 7.\n"
        "      y = [1, 2) + 3;\n"
        "               ^"
    )
    assert error.identifier == "MATLAB:m_invalid_syntax"
    assert isinstance(error, MatlabSyntaxError)
    assert error.filename == "demo.m"


def test_long_lines_are_cut():
    source = "x = " + "1 + " * 10_000 + "* 2;" + " y" * 10_000
    with pytest.raises(MatlabSyntaxError) as caught:
        parse(source)
    excerpt, caret = caught.value.message.split("\n")[-2:]
    assert len(excerpt) <= 104
    assert excerpt[caret.index("^")] == "*"


INCOMPLETE = [
    "if x",
    "for k = 1:3\n disp(k)",
    "x = [1 2",
    "x = [1 2\n 3 4",
    "x = {",
    "x = 1 + ...",
    "f(1, ...",
    "hold ...",
    "hold on ...",
    "%{\ncomment",
    "function f(x)\n x",
    "switch x\ncase 1",
    "try\n x",
    "classdef A\n properties",
    "while 1\n if x\n end",
]
COMPLETE = [
    "",
    "x = 1",
    "if x, y, end",
    "x = [1 2]",
    "function f(x)\n x\nend",
    "x = 1 +",
    "x = (1",
    "x = )",
    "s = 'abc",
    "hold on",
    "end",
    "%{\ncomment\n%}",
]


@pytest.mark.parametrize("source", INCOMPLETE)
def test_incomplete(source):
    assert is_incomplete(source)
    assert is_incomplete(source + "\n")


@pytest.mark.parametrize("source", COMPLETE)
def test_complete(source):
    assert not is_incomplete(source)
    assert not is_incomplete(source + "\n")
