"""Unparsing is the inverse of parsing; nothing but a tree or a syntax error ever comes out."""

from __future__ import annotations

import string
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runmat_core.syntax import (
    MatlabSyntaxError,
    ast,
    is_incomplete,
    parse,
    unparse,
    unparse_expression,
)
from runmat_core.syntax.words import KEYWORDS

GOLDENS = sorted((Path(__file__).parent / "goldens").glob("*.m"))


@pytest.mark.parametrize("path", GOLDENS, ids=lambda path: path.stem)
def test_goldens(path):
    dialect = "octave" if "octave" in path.stem else "matlab"
    module = parse(path.read_text(encoding="utf-8"), dialect=dialect)
    text = unparse(module)
    again = parse(text, dialect=dialect)
    assert again == module
    assert again.help == module.help
    assert unparse(again) == text


EXPRESSIONS = {
    "(a + b) * c": "(a+b)*c",
    "a + (b * c)": "a+b*c",
    "(-2) ^ 2": "(-2)^2",
    "-(2 ^ 2)": "-2^2",
    "2 ^ (-x')": "2^(-x')",
    "2 ^ -x": "2^-x",
    "(2 ^ -x)'": "2^-x'",
    "a - (b - c)": "a-(b-c)",
    "(1:2):3": "(1:2):3",
    "~(a == b)": "~(a==b)",
    "-(-a)": "-(-a)",
    "~~a": "~~a",
    "5.'": "5.'",
    "5.*x": "5.*x",
    "[1, 2; 3 -4]": "[1,2;3,-4]",
    "{1 'it''s', \"a\"\"b\"}": "{1,'it''s',\"a\"\"b\"}",
    "s.(n).x{end}(:)": "s.(n).x{end}(:)",
    "f(x, A = 3)": "f(x,A=3)",
    "0xFFs8 + 1e400": "0xFFs8+1e400",
    "a(@(x) x + 1, @sin)": "a(@(x)x+1,@sin)",
    "(@(x) x) + 1": "(@(x)x)+1",
}


@pytest.mark.parametrize("source", EXPRESSIONS)
def test_expressions_without_blanks(source):
    (statement,) = parse(f"v = {source};").body
    assert isinstance(statement, ast.Assign)
    assert unparse_expression(statement.value) == EXPRESSIONS[source]
    (again,) = parse(f"v = {EXPRESSIONS[source]};").body
    assert again == statement


def test_numbers_without_source_text():
    assert unparse(ast.Number(3.0)) == "3"
    assert unparse(ast.Number(0.1)) == "0.1"
    assert unparse(ast.Number(1e300)) == "1e+300"
    assert unparse(ast.Number(2.5j)) == "2.5i"
    assert unparse(ast.Number(float("inf"))) == "1e999"
    assert unparse(ast.IntegerLiteral(-1, "int8")) == "0xFFs8"


# -- trees made by hypothesis ---------------------------------------------------------------------

_WORDS = st.text(string.ascii_letters, min_size=1, max_size=4)
NAMES = _WORDS.filter(lambda word: word not in KEYWORDS["octave"]).map(lambda word: "v" + word)
TEXT = st.text(st.characters(blacklist_characters="\n\r", blacklist_categories=("Cs",)), max_size=6)
NUMBERS = st.floats(min_value=0, allow_nan=False, allow_infinity=False).map(ast.Number)
LEAVES = st.one_of(
    NAMES.map(ast.Name),
    NUMBERS,
    st.floats(min_value=0, max_value=1e6).map(lambda value: ast.Number(complex(0, value))),
    st.integers(0, 2**16 - 1).map(lambda value: ast.IntegerLiteral(value, "uint16")),
    TEXT.map(ast.Char),
    TEXT.map(ast.String),
    NAMES.map(ast.FunctionHandle),
)
BINARY = ["+", "-", "*", "/", "\\", ".*", "./", ".\\", "^", ".^", "&", "|", "&&", "||"]
BINARY += ["==", "~=", "<", "<=", ">", ">="]


def _rows(items):
    return st.lists(st.lists(items, min_size=1, max_size=3).map(tuple), max_size=3).map(tuple)


def _larger(items):
    subscripts = st.one_of(items, st.just(ast.Colon()), st.builds(_last, NUMBERS))
    arguments = st.lists(subscripts, max_size=3).map(tuple)
    bases = st.one_of(
        NAMES.map(ast.Name),
        st.builds(ast.Field, NAMES.map(ast.Name), NAMES),
        st.builds(ast.Index, NAMES.map(ast.Name), st.just("{}"), arguments),
        st.builds(ast.DynamicField, NAMES.map(ast.Name), items),
    )
    name = st.one_of(NAMES, st.none()).map(ast.Parameter)
    names = st.lists(name, max_size=2, unique_by=lambda p: p.name or object()).map(tuple)
    return st.one_of(
        st.builds(ast.Binary, st.sampled_from(BINARY), items, items),
        st.builds(ast.Unary, st.sampled_from(["+", "-", "~"]), items),
        st.builds(ast.Postfix, st.sampled_from(["'", ".'"]), items),
        st.builds(ast.Range, items, st.one_of(st.none(), items), items),
        st.builds(ast.Matrix, _rows(items)),
        st.builds(ast.Cell, _rows(items)),
        st.builds(ast.Index, bases, st.sampled_from(["()", "{}"]), arguments),
        st.builds(ast.AnonymousFunction, names, items),
    )


def _last(offset: ast.Number) -> ast.Expr:
    """``end - offset``, which stands among subscripts only."""
    return ast.Binary("-", ast.End(), offset)


TREES = st.recursive(LEAVES, _larger, max_leaves=12)
TARGETS = st.one_of(NAMES.map(ast.Name), st.builds(ast.Field, NAMES.map(ast.Name), NAMES))
SIMPLE = st.one_of(
    st.builds(ast.Assign, TARGETS, TREES, st.booleans()),
    st.builds(
        ast.MultiAssign,
        st.lists(st.one_of(TARGETS, st.just(ast.Tilde())), min_size=1, max_size=3).map(tuple),
        TREES,
        st.booleans(),
    ),
    st.builds(ast.Return),
    st.builds(ast.Global, st.lists(NAMES, min_size=1, max_size=3).map(tuple)),
)


def _blocks(items):
    body = st.lists(items, max_size=3).map(tuple)
    maybe = st.one_of(st.none(), body)
    clauses = st.lists(st.tuples(TREES, body), min_size=1, max_size=3).map(tuple)
    return st.one_of(
        st.builds(ast.If, clauses, maybe),
        st.builds(ast.While, TREES, body),
        st.builds(ast.While, TREES, body.map(lambda items: (*items, ast.Break()))),
        st.builds(ast.For, NAMES.map(ast.Name), TREES, body),
        st.builds(ast.Switch, TREES, clauses, maybe),
        st.builds(ast.Try, body, st.just(None), body),
        st.builds(ast.Try, body, NAMES, body),
    )


STATEMENTS = st.recursive(SIMPLE, _blocks, max_leaves=8)


@settings(max_examples=60)
@given(TREES)
def test_every_expression_round_trips(tree):
    statement = ast.Assign(ast.Name("v"), tree)
    for text in (unparse(statement), f"v = {unparse_expression(tree)};"):
        assert parse(text, dialect="matlab").body == (statement,)


@settings(max_examples=40)
@given(st.lists(STATEMENTS, max_size=4).map(tuple))
def test_every_script_round_trips(body):
    module = ast.Module("script", body, ())
    assert parse(unparse(module)) == module


# -- noise ----------------------------------------------------------------------------------------

_PIECES = [
    *" \n\t;,'\"%()[]{}@.=+-*/\\^&|~!<>:#?1x",
    "...\n", "if ", "end", "for ", "function ", "classdef ", "properties\n", "methods\n",
    "arguments\n", "else ", "case ", "switch ", "try ", "catch ", "while ", "%{\n", "%}\n",
    "global ", "parfor ", "spmd ", "x = ", "a.b", "1e3", "0x1F", "'s'", '"t"', "do\n", "until ",
    "endif ", "+=", "++", "hold on", "return;", "import a.b", "x(end)", "[a,~]=", "@(x)",
]  # fmt: skip
NOISE = st.one_of(
    st.lists(st.sampled_from(_PIECES), max_size=30).map("".join),
    st.text(max_size=60),
    st.binary(max_size=60).map(lambda data: data.decode("latin-1")),
)


@settings(max_examples=200)
@given(NOISE, st.sampled_from(["matlab", "octave"]))
def test_noise_gives_a_tree_or_a_syntax_error(source, dialect):
    is_incomplete(source, dialect)
    module = _tree_or_none(source, dialect)
    if module is not None:
        assert parse(unparse(module), dialect=dialect) == module


def _tree_or_none(source: str, dialect: str) -> ast.Module | None:
    try:
        return parse(source, dialect=dialect)
    except MatlabSyntaxError as error:
        lines = source.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
        place = (error.line, error.column)
    assert 1 <= place[0] <= lines + 1
    assert place[1] >= 1
    return None
