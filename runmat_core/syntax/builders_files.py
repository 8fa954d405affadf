"""Builders of functions, declarations, classes and files."""

from __future__ import annotations

from typing import Any

from runmat_core.syntax import ast
from runmat_core.syntax.ast import Stmt
from runmat_core.syntax.builders import Children, builds, reject, span
from runmat_core.syntax.lalr import Token


def _dotted(tokens: list[Token]) -> str:
    return ".".join(token.text for token in tokens)


def _distinct(items: list[Stmt], first: Token) -> None:
    """Refuse two functions of one name among `items`."""
    lines: dict[str, int] = {}
    for item in items:
        if not isinstance(item, ast.Function):
            continue
        if item.name in lines:
            at = item.span
            reject(
                f"The function '{item.name}' is defined already, on line {lines[item.name]}.",
                first._replace(line=at.line, column=at.column),
                "Rename one of the two, or remove it.",
            )
        lines[item.name] = item.span.line


# -- functions ------------------------------------------------------------------------------------


@builds
def heading(children: Children, first: Token, last: Token) -> tuple[list[Token], list[Token]]:
    """Return outputs and name."""
    return ([], children[0]) if len(children) == 1 else (children[0], children[1])


@builds
def signature(children: Children, first: Token, last: Token) -> Any:
    (outputs, name), *rest = children
    parameters = rest[0] if len(rest) == 2 else []
    return _dotted(name), tuple(parameters), tuple(token.text for token in outputs)


@builds
def function(children: Children, first: Token, last: Token) -> Stmt:
    (name, inputs, outputs), body = children
    _distinct(body, first)
    blocks = 0
    while blocks < len(body) and isinstance(body[blocks], ast.ArgumentsBlock):
        blocks += 1
    return ast.Function(
        name,
        inputs,
        outputs,
        tuple(body[blocks:]),
        tuple(body[:blocks]),
        help=first.text,
        span=span(first, last),
    )


@builds
def arguments_block(children: Children, first: Token, last: Token) -> Stmt:
    tokens, _, declarations = children
    words = [token.text for token in tokens]
    for token in tokens:
        if token.text not in ("Input", "Output", "Repeating"):
            reject(
                f"'{token.text}' is no attribute of an arguments block.",
                token,
                "Use Input, Output or Repeating.",
            )
    return ast.ArgumentsBlock(
        "Output" if "Output" in words else "Input",
        "Repeating" in words,
        tuple(declarations),
        span=span(first, last),
    )


@builds
def declaration(children: Children, first: Token, last: Token) -> ast.ArgumentDecl:
    names, size, class_name, validators, default, _ = children
    return ast.ArgumentDecl(
        _declared(names),
        None if size is None else tuple(size),
        None if class_name is None else _dotted(class_name),
        tuple(validators),
        default,
        span=span(first, last),
    )


def _declared(names: list[Any]) -> str:
    tokens = names
    if tokens and isinstance(tokens[0], list):
        tokens = [*tokens[0], *tokens[1:]]
    return ".".join(("?" if token.kind == "META" else "") + token.text for token in tokens)


# -- classes --------------------------------------------------------------------------------------


@builds
def classdef(children: Children, first: Token, last: Token) -> Stmt:
    attributes, name, superclasses, _, blocks = children
    return ast.ClassDef(
        _dotted(name),
        tuple(_dotted(superclass) for superclass in superclasses),
        tuple(attributes),
        tuple(blocks),
        help=first.text,
        span=span(first, last),
    )


@builds
def attribute(children: Children, first: Token, last: Token) -> ast.Attribute:
    value = children[1] if len(children) == 2 else None
    return ast.Attribute(first.text, value, span=span(first, last))


@builds
def negated_attribute(children: Children, first: Token, last: Token) -> ast.Attribute:
    return ast.Attribute(last.text, negated=True, span=span(first, last))


@builds
def properties_block(children: Children, first: Token, last: Token) -> ast.PropertiesBlock:
    attributes, _, declarations = children
    properties = tuple(
        ast.Property(d.name, d.size, d.class_name, d.validators, d.default, span=d.span)
        for d in declarations
    )
    return ast.PropertiesBlock(tuple(attributes), properties, span=span(first, last))


@builds
def methods_block(children: Children, first: Token, last: Token) -> ast.MethodsBlock:
    attributes, _, methods = children
    return ast.MethodsBlock(tuple(attributes), tuple(methods), span=span(first, last))


@builds
def method_signature(children: Children, first: Token, last: Token) -> ast.MethodSignature:
    name, inputs, outputs = children[0]
    return ast.MethodSignature(name, inputs, outputs, span=span(first, last))


@builds
def events_block(children: Children, first: Token, last: Token) -> ast.EventsBlock:
    attributes, _, names = children
    return ast.EventsBlock(
        tuple(attributes), tuple(token.text for token in names), span=span(first, last)
    )


@builds
def enumeration_block(children: Children, first: Token, last: Token) -> ast.EnumerationBlock:
    attributes, _, members = children
    return ast.EnumerationBlock(tuple(attributes), tuple(members), span=span(first, last))


@builds
def member(children: Children, first: Token, last: Token) -> tuple[str, tuple[ast.Expr, ...]]:
    return first.text, tuple(children[1]) if len(children) == 3 else ()


# -- files ----------------------------------------------------------------------------------------


@builds
def module(children: Children, first: Token, last: Token) -> ast.Module:
    items: list[Stmt] = children[0]
    _distinct(items, first)
    functions = tuple(item for item in items if isinstance(item, ast.Function))
    body = tuple(item for item in items if not isinstance(item, ast.Function | ast.ClassDef))
    classes = [item for item in items if isinstance(item, ast.ClassDef)]
    if classes and (body or len(classes) > 1):
        reject(
            "A class file holds one class definition and functions, nothing else.",
            first,
            "Move the other statements to a file of their own.",
        )
    if classes:
        return ast.Module("class", body, functions, classes[0])
    return ast.Module("function" if functions and not body else "script", body, functions)
