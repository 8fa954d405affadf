"""From rules to nodes: one function for each rule of `matlab.lark`, by the rule's name.

A builder gets the values of the rule's children, punctuation left out, and the rule's first and
last token. This module holds lists, expressions and the table; `builders_statements` and
`builders_files` add theirs to it.
"""

from __future__ import annotations

import re
from typing import Any, NoReturn

from runmat_core.syntax import ast, literals
from runmat_core.syntax.ast import Expr, Span
from runmat_core.syntax.lalr import Builder, Token
from runmat_core.syntax.words import ASSIGNING

#: Rule name -> builder.
BUILDERS: dict[str, Builder] = {}
#: Values of a rule's children: nodes, tokens, and lists of them.
Children = list[Any]
#: Tokens of an anonymous function whose spelling is kept; nested ones would take quadratic space.
_LONGEST_SPELLING = 500
#: Source characters from which on a matrix of numbers is one node.
_LARGE_MATRIX = 4000


class BuildError(Exception):
    """What the grammar lets pass but MATLAB does not: reason, token, hint."""

    def __init__(self, reason: str, token: Token, hint: str = "") -> None:
        super().__init__(reason, token, hint)
        self.reason, self.token, self.hint = reason, token, hint


def builds(function: Builder) -> Builder:
    """Register a builder under its name; a trailing underscore avoids Python's keywords."""
    BUILDERS[function.__name__.rstrip("_")] = function
    return function


def span(first: Token, last: Token) -> Span:
    return Span(first[2], first[3], last[2], last[4])


def spell(token: Token) -> str:
    """Return the text of a token, as ``func2str`` prints it."""
    kind, text = token.kind, token.text
    if kind == "CHAR":
        return literals.quote_char(text)
    if kind == "STRING":
        return literals.quote_string(text)
    if kind == "SUPER":
        return f"{text[0]}@{text[1]}"
    if kind == "NUMBERS":
        rows = literals.number_rows(text)
        return ";".join(",".join(element[0] for element in row) for row in rows)
    prefix = {"HANDLE": "@", "META": "?"}.get(kind, "")
    return kind if kind == "@" else f"{prefix}{text}"


def reject(reason: str, token: Token, hint: str = "") -> NoReturn:
    raise BuildError(reason, token, hint)


def checked_target(target: Expr, first: Token) -> Expr:
    """`target`, when it can be assigned to; `first` is the first token of the assignment."""
    base = target
    while isinstance(base, ast.Index | ast.Field | ast.DynamicField):
        if isinstance(base, ast.Index) and not base.args:
            at = base.span
            reject(
                "An indexing expression on the left side of an assignment must have at least one "
                "subscript.",
                first._replace(line=at.line, column=at.column),
                f"Write '{base.kind[0]}:{base.kind[1]}' for all elements.",
            )
        base = base.base
    if not isinstance(base, ast.Name | ast.Tilde) or first.kind == "(":
        at = target.span
        reject(
            "Only a variable, its elements and its fields can be assigned to.",
            first._replace(line=at.line, column=at.column),
            "Use '==' to compare.",
        )
    return target


# -- lists ----------------------------------------------------------------------------------------


@builds
def nothing(children: Children, first: Token, last: Token) -> None:
    return None


@builds
def first(children: Children, first: Token, last: Token) -> Any:
    return children[0]


@builds
def second(children: Children, first: Token, last: Token) -> Any:
    return children[1]


@builds
def no_items(children: Children, first: Token, last: Token) -> Children:
    return []


@builds
def one_item(children: Children, first: Token, last: Token) -> Children:
    return children


@builds
def next_item(children: Children, first: Token, last: Token) -> Children:
    items: Children = children[0]
    items.append(children[-1])
    return items


@builds
def pair(children: Children, first: Token, last: Token) -> Children:
    return children


# -- literals and names ---------------------------------------------------------------------------


@builds
def number(children: Children, first: Token, last: Token) -> Expr:
    text = first[1]
    return ast.Number(
        literals.number(text), text, span=Span(first[2], first[3], first[2], first[4])
    )


@builds
def integer_literal(children: Children, first: Token, last: Token) -> Expr:
    try:
        value, class_name = literals.integer(first.text)
    except OverflowError:
        reject(f"'{first.text}' does not fit its class.", first)
    return ast.IntegerLiteral(value, class_name, first.text, span=span(first, first))


@builds
def char(children: Children, first: Token, last: Token) -> Expr:
    return ast.Char(first[1], span=span(first, first))


@builds
def string(children: Children, first: Token, last: Token) -> Expr:
    return ast.String(first[1], span=span(first, first))


@builds
def name(children: Children, first: Token, last: Token) -> Expr:
    return ast.Name(first[1], span=Span(first[2], first[3], first[2], first[4]))


@builds
def end(children: Children, first: Token, last: Token) -> Expr:
    return ast.End(span=span(first, first))


@builds
def colon(children: Children, first: Token, last: Token) -> Expr:
    return ast.Colon(span=span(first, last))


@builds
def tilde(children: Children, first: Token, last: Token) -> Expr:
    return ast.Tilde(span=span(first, first))


@builds
def function_handle(children: Children, first: Token, last: Token) -> Expr:
    return ast.FunctionHandle(first.text, span=span(first, first))


@builds
def meta_class(children: Children, first: Token, last: Token) -> Expr:
    return ast.MetaClass(first.text, span=span(first, first))


@builds
def super_call(children: Children, first: Token, last: Token) -> Expr:
    method, superclass = first.text
    return ast.SuperCall(method, superclass, None, span=span(first, first))


# -- operators ------------------------------------------------------------------------------------


@builds
def binary(children: Children, first: Token, last: Token) -> Expr:
    left, operator, right = children
    return ast.Binary(operator[1], left, right, span=Span(first[2], first[3], last[2], last[4]))


@builds
def unary(children: Children, first: Token, last: Token) -> Expr:
    return ast.Unary(first[1], children[1], span=span(first, last))


@builds
def postfix(children: Children, first: Token, last: Token) -> Expr:
    return ast.Postfix(last[1], children[0], span=span(first, last))


ONE = ast.Number(1.0, "1")


@builds
def assignment(children: Children, first: Token, last: Token) -> Expr:
    target, operator, value = children
    op = ASSIGNING[operator.text]
    return ast.Assignment(checked_target(target, first), op, value, span=span(first, last))


@builds
def step_before(children: Children, first: Token, last: Token) -> Expr:
    target = checked_target(children[1], first)
    return ast.Assignment(target, first.text[0], ONE, span=span(first, last))


@builds
def step(children: Children, first: Token, last: Token) -> Expr:
    target = checked_target(children[0], first)
    return ast.Assignment(target, last.text[0], ONE, before=True, span=span(first, last))


@builds
def range_(children: Children, first: Token, last: Token) -> Expr:
    """``a:b`` or ``a:step:b``; more parts go on from the range so far."""
    parts: list[Expr] = children[0]
    where = span(first, last)
    result = parts[0]
    position = 1
    while position < len(parts):
        if position + 1 < len(parts):
            result = ast.Range(result, parts[position], parts[position + 1], span=where)
            position += 2
        else:
            result = ast.Range(result, None, parts[position], span=where)
            position += 1
    return result


# -- brackets -------------------------------------------------------------------------------------


@builds
def matrix(children: Children, first: Token, last: Token) -> Expr:
    rows = tuple(map(tuple, children[0])) if children else ()
    return ast.Matrix(rows, span=span(first, last))


@builds
def number_matrix(children: Children, first: Token, last: Token) -> Expr:
    token: Token = children[0]
    if len(token.text) >= _LARGE_MATRIX and (table := literals.number_table(token.text)):
        return ast.NumberMatrix(*table, span=span(first, last))
    line, line_start = token.line, -token.column
    rows: list[tuple[Expr, ...]] = []
    text = token.text
    position = 0
    for row in literals.number_rows(text):
        begin = row[0].start()
        if newlines := text.count("\n", position, begin):
            line += newlines
            line_start = text.rindex("\n", position, begin) + 1
        rows.append(tuple(_element(found, line, line_start) for found in row))
        position = row[-1].end()
    return ast.Matrix(tuple(rows), span=span(first, last))


def _element(found: re.Match[str], line: int, line_start: int) -> Expr:
    sign, text = found.groups()
    start, end = found.start() - line_start, found.end() - line_start
    if not sign:
        return ast.Number(literals.number(text), text, span=Span(line, start, line, end))
    value = ast.Number(literals.number(text), text, span=Span(line, start + 1, line, end))
    return ast.Unary("-" if sign == "-" else "+", value, span=Span(line, start, line, end))


@builds
def cell(children: Children, first: Token, last: Token) -> Expr:
    rows = tuple(map(tuple, children[0])) if children else ()
    return ast.Cell(rows, span=span(first, last))


@builds
def index(children: Children, first: Token, last: Token) -> Expr:
    base, arguments = children
    where = span(first, last)
    if isinstance(base, ast.SuperCall) and base.args is None:
        return ast.SuperCall(base.method, base.superclass, tuple(arguments), span=where)
    return ast.Index(base, "()", tuple(arguments), span=where)


@builds
def brace_index(children: Children, first: Token, last: Token) -> Expr:
    base, arguments = children
    return ast.Index(base, "{}", tuple(arguments), span=span(first, last))


@builds
def named_argument(children: Children, first: Token, last: Token) -> Expr:
    return ast.NamedArgument(first.text, children[1], span=span(first, last))


@builds
def field(children: Children, first: Token, last: Token) -> Expr:
    return ast.Field(children[0], last.text, span=span(first, last))


@builds
def dynamic_field(children: Children, first: Token, last: Token) -> Expr:
    return ast.DynamicField(children[0], children[1], span=span(first, last))


@builds
def anonymous_function(children: Children, first: Token, last: Token) -> Expr:
    parameters, body = children
    if any(parameter.default is not None for parameter in parameters):
        reject("The inputs of an anonymous function have no default values.", first)
    if isinstance(body, ast.Assignment):
        reject("The body of an anonymous function cannot assign.", first)
    tokens, position = first.text  # the lexer notes where it stands
    stop = position + _LONGEST_SPELLING
    text = ["@"]
    while tokens[position] is not last and position < stop:
        position += 1
        text.append(spell(tokens[position]))
    spelling = "".join(text) if position < stop else ""
    return ast.AnonymousFunction(tuple(parameters), body, spelling, span=span(first, last))


@builds
def next_parameter(children: Children, first: Token, last: Token) -> Children:
    parameters, added = children[0], children[-1]
    if added.name is not None and any(given.name == added.name for given in parameters):
        reject(f"The parameter '{added.name}' is there already.", last)
    parameters.append(added)
    return parameters  # type: ignore[no-any-return]


@builds
def parameter(children: Children, first: Token, last: Token) -> ast.Parameter:
    name = first.text if first.kind == "NAME" else None
    default = children[1] if len(children) == 2 else None
    return ast.Parameter(name, default, span=span(first, last))
