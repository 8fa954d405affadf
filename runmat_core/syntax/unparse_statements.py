"""Text of statements, functions, classes and files; registers with `writer`."""

from __future__ import annotations

import re

from runmat_core.syntax import ast
from runmat_core.syntax.ast import Block
from runmat_core.syntax.literals import quote_char
from runmat_core.syntax.writer import CLOSE, LINE, OPEN, Part, joined, writes

#: A command argument that needs no quotes and cannot be taken for an operator.
_PLAIN_ARGUMENT = re.compile(r"-?[A-Za-z0-9_][A-Za-z0-9_.:/-]*")


def _block(body: Block) -> list[Part]:
    """Return the lines of an indented block, each after a new line."""
    return [OPEN, *(part for statement in body for part in (LINE, statement)), CLOSE]


def _end(silent: bool) -> str:
    return ";" if silent else ""


# -- simple statements ----------------------------------------------------------------------------


@writes(ast.ExprStmt)
def _expr_stmt(node: ast.ExprStmt, blank: str) -> list[Part]:
    return [node.value, _end(node.silent)]


@writes(ast.Assign)
def _assign(node: ast.Assign, blank: str) -> list[Part]:
    return [node.target, " = ", node.value, _end(node.silent)]


@writes(ast.MultiAssign)
def _multi_assign(node: ast.MultiAssign, blank: str) -> list[Part]:
    return ["[", *joined(node.targets, ", "), "] = ", node.value, _end(node.silent)]


@writes(ast.OpAssign)
def _op_assign(node: ast.OpAssign, blank: str) -> list[Part]:
    return [node.target, f" {node.op}= ", node.value, _end(node.silent)]


@writes(ast.Command)
def _command(node: ast.Command, blank: str) -> list[Part]:
    arguments = [
        word if _PLAIN_ARGUMENT.fullmatch(word) else quote_char(word) for word in node.args
    ]
    return [" ".join([node.name, *arguments]) + _end(node.silent)]


@writes(ast.Break)
def _break(node: ast.Break, blank: str) -> list[Part]:
    return ["break"]


@writes(ast.Continue)
def _continue(node: ast.Continue, blank: str) -> list[Part]:
    return ["continue"]


@writes(ast.Return)
def _return(node: ast.Return, blank: str) -> list[Part]:
    return ["return"]


@writes(ast.Global)
def _global(node: ast.Global, blank: str) -> list[Part]:
    return ["global", *_declared(node)]


@writes(ast.Persistent)
def _persistent(node: ast.Persistent, blank: str) -> list[Part]:
    return ["persistent", *_declared(node)]


def _declared(node: ast.Global | ast.Persistent) -> list[Part]:
    parts: list[Part] = []
    for position, name in enumerate(node.names):
        value = node.values[position] if node.values else None
        parts += [f" {name}"] if value is None else [f" {name} = ", value]
    return parts


@writes(ast.Import)
def _import(node: ast.Import, blank: str) -> list[Part]:
    return [" ".join(["import", *node.names])]


@writes(ast.Bang)
def _bang(node: ast.Bang, blank: str) -> list[Part]:
    return [("! " if node.command.startswith("=") else "!") + node.command]


# -- blocks ---------------------------------------------------------------------------------------


@writes(ast.If)
def _if(node: ast.If, blank: str) -> list[Part]:
    parts: list[Part] = []
    for condition, body in node.clauses:
        parts += [LINE, "elseif "] if parts else ["if "]
        parts += [condition, *_block(body)]
    if node.orelse is not None:
        parts += [LINE, "else", *_block(node.orelse)]
    return [*parts, LINE, "end"]


@writes(ast.For)
def _for(node: ast.For, blank: str) -> list[Part]:
    head: list[Part] = [node.target, " = ", node.iterable]
    if node.key is not None:
        head = ["[", node.target, ", ", node.key, "] = ", node.iterable]
    if node.workers is not None:
        head = ["(", *head, ", ", node.workers, ")"]
    word = "parfor " if node.parallel else "for "
    return [word, *head, *_block(node.body), LINE, "end"]


@writes(ast.While)
def _while(node: ast.While, blank: str) -> list[Part]:
    return ["while ", node.condition, *_block(node.body), LINE, "end"]


@writes(ast.DoUntil)
def _do_until(node: ast.DoUntil, blank: str) -> list[Part]:
    return ["do", *_block(node.body), LINE, "until ", node.condition]


@writes(ast.Switch)
def _switch(node: ast.Switch, blank: str) -> list[Part]:
    parts: list[Part] = ["switch ", node.subject, OPEN]
    for value, body in node.cases:
        parts += [LINE, "case ", value, *_block(body)]
    if node.otherwise is not None:
        parts += [LINE, "otherwise", *_block(node.otherwise)]
    return [*parts, CLOSE, LINE, "end"]


@writes(ast.Try)
def _try(node: ast.Try, blank: str) -> list[Part]:
    parts: list[Part] = ["try", *_block(node.body)]
    if node.handler is not None:
        name = f" {node.identifier}" if node.identifier else ""
        parts += [LINE, "catch" + name, *_block(node.handler)]
    return [*parts, LINE, "end"]


@writes(ast.UnwindProtect)
def _unwind_protect(node: ast.UnwindProtect, blank: str) -> list[Part]:
    cleanup: list[Part] = [LINE, "unwind_protect_cleanup", *_block(node.cleanup)]
    return ["unwind_protect", *_block(node.body), *cleanup, LINE, "end"]


@writes(ast.Spmd)
def _spmd(node: ast.Spmd, blank: str) -> list[Part]:
    arguments: list[Part] = [" (", *joined(node.args, ", "), ")"] if node.args else []
    return ["spmd", *arguments, *_block(node.body), LINE, "end"]


# -- functions ------------------------------------------------------------------------------------


@writes(ast.Function)
def _function(node: ast.Function, blank: str) -> list[Part]:
    head = _signature(node)
    return [
        "function ",
        *head,
        *_help(node.help),
        *_block((*node.arguments, *node.body)),
        LINE,
        "end",
    ]


def _signature(node: ast.Function | ast.MethodSignature) -> list[Part]:
    if len(node.outputs) == 1:
        outputs = f"{node.outputs[0]} = "
    else:
        outputs = f"[{', '.join(node.outputs)}] = " if node.outputs else ""
    return [outputs, node.name, "(", *joined(node.inputs, ", "), ")"]


def _help(text: str) -> list[Part]:
    return [OPEN, *_comment(text), CLOSE]


def _comment(text: str) -> list[Part]:
    """Comment lines; a blank keeps a lone brace from opening a block comment."""
    parts: list[Part] = []
    for line in text.split("\n") if text else []:
        parts += [LINE, "%" + (f" {line}" if line.strip() in ("{", "}") else line)]
    return parts


@writes(ast.ArgumentsBlock)
def _arguments_block(node: ast.ArgumentsBlock, blank: str) -> list[Part]:
    words = ["Output"] if node.kind == "Output" else []
    words += ["Repeating"] if node.repeating else []
    head = f"arguments ({', '.join(words)})" if words else "arguments"
    return [head, *_block(node.declarations), LINE, "end"]  # type: ignore[arg-type]


@writes(ast.ArgumentDecl, ast.Property)
def _declaration(node: ast.ArgumentDecl | ast.Property, blank: str) -> list[Part]:
    parts: list[Part] = [node.name]
    if node.size is not None:
        parts += [" (", *joined(node.size, ", "), ")"]
    if node.class_name is not None:
        parts.append(f" {node.class_name}")
    if node.validators:
        parts += [" {", *joined(node.validators, ", "), "}"]
    if node.default is not None:
        parts += [" = ", node.default]
    return parts


# -- classes --------------------------------------------------------------------------------------


@writes(ast.ClassDef)
def _classdef(node: ast.ClassDef, blank: str) -> list[Part]:
    head: list[Part] = ["classdef", *_attributes(node.attributes), " ", node.name]
    if node.superclasses:
        head.append(" < " + " & ".join(node.superclasses))
    blocks: Block = node.blocks  # type: ignore[assignment]
    return [*head, *_help(node.help), *_block(blocks), LINE, "end"]


def _attributes(attributes: tuple[ast.Attribute, ...]) -> list[Part]:
    return [" (", *joined(attributes, ", "), ")"] if attributes else []


@writes(ast.Attribute)
def _attribute(node: ast.Attribute, blank: str) -> list[Part]:
    if node.value is None:
        return ["~" + node.name if node.negated else node.name]
    return [node.name, " = ", node.value]


@writes(ast.PropertiesBlock)
def _properties_block(node: ast.PropertiesBlock, blank: str) -> list[Part]:
    lines: Block = node.properties  # type: ignore[assignment]
    return ["properties", *_attributes(node.attributes), *_block(lines), LINE, "end"]


@writes(ast.MethodsBlock)
def _methods_block(node: ast.MethodsBlock, blank: str) -> list[Part]:
    methods: Block = node.methods  # type: ignore[assignment]
    return ["methods", *_attributes(node.attributes), *_block(methods), LINE, "end"]


@writes(ast.MethodSignature)
def _method_signature(node: ast.MethodSignature, blank: str) -> list[Part]:
    return _signature(node)


@writes(ast.EventsBlock)
def _events_block(node: ast.EventsBlock, blank: str) -> list[Part]:
    lines: Block = node.names  # type: ignore[assignment]
    return ["events", *_attributes(node.attributes), *_block(lines), LINE, "end"]


@writes(ast.EnumerationBlock)
def _enumeration_block(node: ast.EnumerationBlock, blank: str) -> list[Part]:
    parts: list[Part] = ["enumeration", *_attributes(node.attributes), OPEN]
    for name, arguments in node.members:
        parts += [LINE, name]
        parts += ["(", *joined(arguments, ", "), ")"] if arguments else []
    return [*parts, CLOSE, LINE, "end"]


# -- files ----------------------------------------------------------------------------------------


@writes(ast.Module)
def _module(node: ast.Module, blank: str) -> list[Part]:
    items: list[ast.Stmt] = list(node.body)
    if node.classdef is not None:
        items.insert(0, node.classdef)
    items += node.functions
    lines = [part for item in items for part in (LINE, item)]
    if not any(getattr(item, "help", "") == node.help for item in items):
        lines = [*_comment(node.help), *lines]
    return lines[1:]
