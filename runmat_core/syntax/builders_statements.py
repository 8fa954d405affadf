"""Builders of statements."""

from __future__ import annotations

from runmat_core.syntax import ast
from runmat_core.syntax.ast import Block, Expr, Stmt
from runmat_core.syntax.builders import ONE, Children, builds, checked_target, span
from runmat_core.syntax.lalr import Token
from runmat_core.syntax.words import ASSIGNING


def _silent(terminator: Token) -> bool:
    return terminator.kind == "SEMI"


@builds
def expr_stmt(children: Children, first: Token, last: Token) -> Stmt:
    value, silent, where = children[0], _silent(last), span(first, last)
    if isinstance(value, ast.Assignment) and not value.before:
        if value.op:
            return ast.OpAssign(value.target, value.op, value.value, silent, span=where)
        return ast.Assign(value.target, value.value, silent, span=where)
    return ast.ExprStmt(value, silent, span=where)


@builds
def assign(children: Children, first: Token, last: Token) -> Stmt:
    target, value, _ = children
    return ast.Assign(checked_target(target, first), value, _silent(last), span=span(first, last))


@builds
def multi_assign(children: Children, first: Token, last: Token) -> Stmt:
    _, targets, value, _ = children
    for target in targets:
        checked_target(target, first)
    return ast.MultiAssign(tuple(targets), value, _silent(last), span=span(first, last))


@builds
def op_assign(children: Children, first: Token, last: Token) -> Stmt:
    target, operator, value, _ = children
    return ast.OpAssign(
        checked_target(target, first),
        ASSIGNING[operator.text],
        value,
        _silent(last),
        span=span(first, last),
    )


@builds
def increment(children: Children, first: Token, last: Token) -> Stmt:
    target, operator, _ = children
    return ast.OpAssign(
        checked_target(target, first), operator.text[0], ONE, _silent(last), span=span(first, last)
    )


@builds
def increment_before(children: Children, first: Token, last: Token) -> Stmt:
    operator, target, _ = children
    return ast.OpAssign(
        checked_target(target, operator),
        operator.text[0],
        ONE,
        _silent(last),
        span=span(first, last),
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
    return ast.Global(*_declared(children[0]), span=span(first, last))


@builds
def persistent(children: Children, first: Token, last: Token) -> Stmt:
    return ast.Persistent(*_declared(children[0]), span=span(first, last))


@builds
def declared_name(children: Children, first: Token, last: Token) -> tuple[str, Expr | None]:
    return first.text, children[1] if len(children) == 2 else None


def _declared(
    items: list[tuple[str, Expr | None]],
) -> tuple[tuple[str, ...], tuple[Expr | None, ...]]:
    """Return the names of a declaration, and what they start with if anything is said of that."""
    names, values = zip(*items, strict=True)
    return names, values if any(value is not None for value in values) else ()


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
    key = None
    if isinstance(target, ast.Matrix) and len(target.rows) == 1 and len(target.rows[0]) == 2:
        target, key = target.rows[0]
        checked_target(key, first)
    checked_target(target, first)
    return ast.For(target, iterable, tuple(body), parallel, workers, key, span=span(first, last))


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
