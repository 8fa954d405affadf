"""Builders of statements."""

from __future__ import annotations

from runmat_core.syntax import ast
from runmat_core.syntax.ast import Block, Expr, Stmt
from runmat_core.syntax.builders import Children, builds, reject, span
from runmat_core.syntax.lalr import Token


def _silent(terminator: Token) -> bool:
    return terminator.kind == "SEMI"


def _target(target: Expr, first: Token) -> Expr:
    """`target`, when it can be assigned to."""
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


@builds
def expr_stmt(children: Children, first: Token, last: Token) -> Stmt:
    return ast.ExprStmt(children[0], _silent(last), span=span(first, last))


@builds
def assign(children: Children, first: Token, last: Token) -> Stmt:
    target, value, _ = children
    return ast.Assign(_target(target, first), value, _silent(last), span=span(first, last))


@builds
def multi_assign(children: Children, first: Token, last: Token) -> Stmt:
    _, targets, value, _ = children
    for target in targets:
        _target(target, first)
    return ast.MultiAssign(tuple(targets), value, _silent(last), span=span(first, last))


@builds
def op_assign(children: Children, first: Token, last: Token) -> Stmt:
    target, operator, value, _ = children
    return ast.OpAssign(
        _target(target, first), operator.text[:-1], value, _silent(last), span=span(first, last)
    )


_ONE = ast.Number(1.0, "1")


@builds
def increment(children: Children, first: Token, last: Token) -> Stmt:
    target, operator, _ = children
    return ast.OpAssign(
        _target(target, first), operator.text[0], _ONE, _silent(last), span=span(first, last)
    )


@builds
def increment_before(children: Children, first: Token, last: Token) -> Stmt:
    operator, target, _ = children
    return ast.OpAssign(
        _target(target, operator), operator.text[0], _ONE, _silent(last), span=span(first, last)
    )


@builds
def command(children: Children, first: Token, last: Token) -> Stmt:
    name, arguments = first.text
    return ast.Command(name, arguments, _silent(last), span=span(first, last))


@builds
def import_(children: Children, first: Token, last: Token) -> Stmt:
    return ast.Import(first.text, span=span(first, last))


@builds
def bang(children: Children, first: Token, last: Token) -> Stmt:
    return ast.Bang(first.text, span=span(first, last))


@builds
def global_(children: Children, first: Token, last: Token) -> Stmt:
    return ast.Global(tuple(token.text for token in children[0]), span=span(first, last))


@builds
def persistent(children: Children, first: Token, last: Token) -> Stmt:
    return ast.Persistent(tuple(token.text for token in children[0]), span=span(first, last))


@builds
def return_(children: Children, first: Token, last: Token) -> Stmt:
    return ast.Return(span=span(first, first))


@builds
def break_(children: Children, first: Token, last: Token) -> Stmt:
    return ast.Break(span=span(first, first))


@builds
def continue_(children: Children, first: Token, last: Token) -> Stmt:
    return ast.Continue(span=span(first, first))


# -- blocks ---------------------------------------------------------------------------------------


def _block(items: list[Stmt] | None) -> Block | None:
    return None if items is None else tuple(items)


@builds
def if_(children: Children, first: Token, last: Token) -> Stmt:
    condition, body, clauses, orelse = children
    return ast.If(((condition, tuple(body)), *clauses), _block(orelse), span=span(first, last))


@builds
def elseif(children: Children, first: Token, last: Token) -> tuple[Expr, Block]:
    condition, body = children
    return condition, tuple(body)


@builds
def for_(children: Children, first: Token, last: Token) -> Stmt:
    return _loop(children, first, last, parallel=False)


@builds
def parfor(children: Children, first: Token, last: Token) -> Stmt:
    return _loop(children, first, last, parallel=True)


def _loop(children: Children, first: Token, last: Token, parallel: bool) -> Stmt:
    target, iterable, *rest, body = children
    workers = rest[0] if rest and isinstance(rest[0], ast.Expr) else None
    return ast.For(
        _target(target, first), iterable, tuple(body), parallel, workers, span=span(first, last)
    )


@builds
def while_(children: Children, first: Token, last: Token) -> Stmt:
    condition, body = children
    return ast.While(condition, tuple(body), span=span(first, last))


@builds
def do_until(children: Children, first: Token, last: Token) -> Stmt:
    body, condition, _ = children
    return ast.DoUntil(tuple(body), condition, span=span(first, last))


@builds
def switch(children: Children, first: Token, last: Token) -> Stmt:
    subject, cases, otherwise = children
    return ast.Switch(subject, tuple(cases), _block(otherwise), span=span(first, last))


@builds
def case(children: Children, first: Token, last: Token) -> tuple[Expr, Block]:
    value, body = children
    return value, tuple(body)


@builds
def try_(children: Children, first: Token, last: Token) -> Stmt:
    body, *rest = children
    identifier = rest[0].text if len(rest) == 2 else None
    handler = tuple(rest[-1]) if rest else None
    return ast.Try(tuple(body), identifier, handler, span=span(first, last))


@builds
def unwind_protect(children: Children, first: Token, last: Token) -> Stmt:
    body, cleanup = children
    return ast.UnwindProtect(tuple(body), tuple(cleanup), span=span(first, last))


@builds
def spmd(children: Children, first: Token, last: Token) -> Stmt:
    arguments = children[0] if len(children) == 3 else ()
    return ast.Spmd(tuple(arguments), tuple(children[-1]), span=span(first, last))
