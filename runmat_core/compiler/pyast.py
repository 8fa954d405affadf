"""Python syntax trees from templates.

A template is Python text in which upper-case names are holes; it is parsed once and becomes a
function that builds the tree: ``template("A / B if B else _mrdivide(A, B)")(A=x, B=y)``. In
statement templates, a hole that is a statement of its own takes a list of statements.

Positions are left out while building and filled in by `place`, from the MATLAB span of the nearest
enclosing node that has one.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeGuard

from runmat_core.syntax.ast import Span

LOAD = ast.Load()
STORE = ast.Store()
DEL = ast.Del()

_HOLE = re.compile(r"Name\(id='([A-Z][A-Z0-9]*)'(?:, ctx=(?:Load|Store|Del)\(\))?\)")
_STATEMENT_HOLE = re.compile(r"Expr\(value=([A-Z][A-Z0-9]*)\)")
_NAMESPACE = {**vars(ast), "_load": LOAD, "_store": STORE}


def _builder(tree: ast.AST) -> Callable[..., Any]:
    text = ast.dump(tree)
    holes = sorted(set(_HOLE.findall(text)))
    text = _HOLE.sub(r"\1", text)
    text = _STATEMENT_HOLE.sub(r"*\1", text)
    text = text.replace("ctx=Load()", "ctx=_load").replace("ctx=Store()", "ctx=_store")
    make: Callable[..., Any] = eval(f"lambda {', '.join(holes)}: {text}", _NAMESPACE)
    return make


def template(source: str) -> Callable[..., ast.expr]:
    """Return a builder of the expression `source`; its holes are keyword arguments."""
    return _builder(ast.parse(source, mode="eval").body)


def statements(source: str) -> Callable[..., list[ast.stmt]]:
    """Return a builder of the statements `source`."""
    make = _builder(ast.parse(source))

    def build(**holes: Any) -> list[ast.stmt]:
        body: list[ast.stmt] = make(**holes).body
        return body

    return build


def load(name: str) -> ast.Name:
    return ast.Name(name, LOAD)


def store(name: str) -> ast.Name:
    return ast.Name(name, STORE)


def const(value: str | float | bool | None) -> ast.Constant:
    return ast.Constant(value)


def call(function: str | ast.expr, *args: ast.expr) -> ast.Call:
    callee = load(function) if isinstance(function, str) else function
    return ast.Call(callee, list(args), [])


def tuple_of(items: Iterable[ast.expr]) -> ast.Tuple:
    return ast.Tuple(list(items), LOAD)


def star(items: ast.expr) -> ast.Starred:
    return ast.Starred(items, LOAD)


def attribute(value: ast.expr, name: str) -> ast.Attribute:
    return ast.Attribute(value, name, LOAD)


def item(value: ast.expr, key: str) -> ast.Subscript:
    return ast.Subscript(value, const(key), LOAD)


def assign(target: ast.expr, value: ast.expr) -> ast.Assign:
    return ast.Assign([target], value)


def assign_name(name: str, value: ast.expr) -> ast.Assign:
    return ast.Assign([store(name)], value)


def walrus(name: str, value: ast.expr) -> ast.NamedExpr:
    return ast.NamedExpr(store(name), value)


def expression(value: ast.expr) -> ast.Expr:
    return ast.Expr(value)


def either(test: ast.expr, then: ast.expr, otherwise: ast.expr) -> ast.IfExp:
    return ast.IfExp(test, then, otherwise)


def both(*tests: ast.expr) -> ast.expr:
    return tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), list(tests))


def function(
    name: str,
    parameters: Sequence[str],
    body: list[ast.stmt],
    *,
    optional: Sequence[str] = (),
    rest: str | None = None,
) -> ast.FunctionDef:
    """``def name(parameters, optional=_U, *rest): body``."""
    if rest and _RUNAWAY_RECURSION:
        body = [*_CHECK_DEPTH(), *body]
    made = _FUNCTION(BODY=body or [ast.Pass()])[0]
    assert isinstance(made, ast.FunctionDef)
    made.name = name
    made.args.args = [ast.arg(p) for p in (*parameters, *optional)]
    made.args.defaults = [load("_U") for _ in optional]
    made.args.vararg = ast.arg(rest) if rest else None
    return made


_FUNCTION = statements("def f():\n    BODY")
#: CPython gh-132744: calls of functions with defaults or ``*rest`` do not look at the recursion
#: limit, and endless recursion eats all memory. A call of a plain function does look.
_RUNAWAY_RECURSION = (3, 13) <= sys.version_info < (3, 13, 8)
_CHECK_DEPTH = statements("_check_depth()")


def at(node: ast.AST, span: Span) -> None:
    """Give `node` the position `span` unless it has one or `span` is nowhere."""
    fields = node.__dict__
    if span.line and "lineno" not in fields:
        fields["lineno"] = span.line
        fields["col_offset"] = span.column
        fields["end_lineno"] = max(span.end_line, span.line)
        fields["end_col_offset"] = max(
            span.end_column, span.column if span.end_line <= span.line else 0
        )


def place(nodes: Sequence[ast.AST], span: Span, names: set[str] | None = None) -> None:
    """Fill in the positions that are missing below `nodes`, each from its nearest ancestor.

    Args:
        names: takes the names that are met below nodes that were not placed before.
    """
    for node in nodes:
        at(node, span if span.line else _SOMEWHERE)
    stack: list[ast.AST] = list(nodes)
    while stack:
        parent = stack.pop()
        given = parent.__dict__
        if "_placed" in given:
            continue
        line, column = given["lineno"], given["col_offset"]
        end_line, end_column = given["end_lineno"], given["end_col_offset"]
        for value in given.values():
            if value.__class__ in _BARE:
                continue
            for child in value if value.__class__ is list else (value,):
                kind = child.__class__
                if kind in _BARE:
                    continue
                fields = child.__dict__
                if "lineno" not in fields:
                    fields["lineno"], fields["col_offset"] = line, column
                    fields["end_lineno"], fields["end_col_offset"] = end_line, end_column
                    if kind is ast.Attribute and end_line != line:
                        # CPython says that a call starts where the attribute it calls ends, if
                        # that takes lines
                        fields["end_lineno"], fields["end_col_offset"] = line, column
                if kind is ast.Name:
                    if names is not None:
                        names.add(child.id)
                elif kind is not ast.Constant:
                    stack.append(child)
        given["_placed"] = True


#: What stands in nodes without a position: constants, operators, contexts.
_BARE = frozenset(
    [str, int, float, bool, complex, bytes, type(None), type(...), tuple]
    + [
        kind
        for kind in vars(ast).values()
        if isinstance(kind, type)
        and issubclass(kind, ast.AST)
        and not (kind._fields or kind._attributes)
    ]
)


_SOMEWHERE = Span(1, 0, 1, 0)


def after(tests: list[ast.expr], node: ast.expr) -> ast.expr:
    """`node` evaluated after `tests`, all of which are true."""
    if not tests:
        return node
    if isinstance(node, ast.IfExp):
        return either(both(*tests, node.test), node.body, node.orelse)
    return ast.BoolOp(ast.And(), [*tests, node])


def is_one(node: ast.expr) -> bool:
    """Whether an expression is the constant 1."""
    return isinstance(node, ast.Constant) and node.value == 1


def is_colon_call(node: ast.expr) -> TypeGuard[ast.Call]:
    """Whether an expression makes a range."""
    return (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "_colon"
    )


def wholes(nodes: list[ast.expr]) -> list[ast.expr]:
    """Subscripts as the values that were written."""
    return [node if isinstance(node, ast.Starred) else call("_whole", node) for node in nodes]
