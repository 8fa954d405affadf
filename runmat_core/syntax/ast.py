"""The abstract syntax of MATLAB.

Nodes are frozen attrs classes. Every node has a `span`; spans do not take part in equality, so two
trees are equal when they mean the same (parse -> unparse -> parse is tested that way).

The rule that produces a node in `matlab.lark` has the node's name in snake case.
"""

from __future__ import annotations

from typing import Literal

import attrs

from runmat_core.syntax.expressions import (
    NOWHERE,
    AnonymousFunction,
    Assignment,
    Binary,
    Cell,
    Char,
    Colon,
    DynamicField,
    End,
    Expr,
    Field,
    FunctionHandle,
    Index,
    IntegerLiteral,
    Matrix,
    MetaClass,
    Name,
    NamedArgument,
    Number,
    NumberMatrix,
    Parameter,
    Postfix,
    Range,
    Span,
    String,
    SuperCall,
    Tilde,
    Unary,
)

__all__ = [
    "NOWHERE",
    "AnonymousFunction",
    "ArgumentDecl",
    "ArgumentsBlock",
    "Assign",
    "Assignment",
    "Attribute",
    "Bang",
    "Binary",
    "Block",
    "Break",
    "Cell",
    "Char",
    "ClassBlock",
    "ClassDef",
    "Colon",
    "Command",
    "Continue",
    "DoUntil",
    "DynamicField",
    "End",
    "EnumerationBlock",
    "EventsBlock",
    "Expr",
    "ExprStmt",
    "Field",
    "For",
    "Function",
    "FunctionHandle",
    "Global",
    "If",
    "Import",
    "Index",
    "IntegerLiteral",
    "Matrix",
    "MetaClass",
    "MethodSignature",
    "MethodsBlock",
    "Module",
    "MultiAssign",
    "Name",
    "NamedArgument",
    "Number",
    "NumberMatrix",
    "OpAssign",
    "Parameter",
    "Persistent",
    "Postfix",
    "PropertiesBlock",
    "Property",
    "Range",
    "Return",
    "Span",
    "Spmd",
    "Stmt",
    "String",
    "SuperCall",
    "Switch",
    "Tilde",
    "Try",
    "Unary",
    "UnwindProtect",
    "While",
]

# -- statements -----------------------------------------------------------------------------------


@attrs.frozen
class Stmt:
    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


Block = tuple["Stmt", ...]


@attrs.frozen
class ExprStmt(Stmt):
    """An expression as a statement; `silent` when it ends with ``;``."""

    value: Expr
    silent: bool = True


@attrs.frozen
class Assign(Stmt):
    """An assignment ``target = value``.

    It deletes elements when `value` is a literal ``[]`` or ``''`` and the target is indexed with
    ``()``.
    """

    target: Expr
    value: Expr
    silent: bool = True


@attrs.frozen
class MultiAssign(Stmt):
    """``[a, ~, c.d] = value``."""

    targets: tuple[Expr, ...]
    value: Expr
    silent: bool = True


@attrs.frozen
class OpAssign(Stmt):
    """An assignment ``target += value`` or ``target++`` (value 1) of the octave dialect.

    `op` is ``+`` …
    """

    target: Expr
    op: str
    value: Expr
    silent: bool = True


@attrs.frozen
class Command(Stmt):
    """Command syntax: ``hold on``; every argument is char."""

    name: str
    args: tuple[str, ...]
    silent: bool = True


@attrs.frozen
class If(Stmt):
    """`clauses` are (condition, block) for ``if`` and each ``elseif``."""

    clauses: tuple[tuple[Expr, Block], ...]
    orelse: Block | None


@attrs.frozen
class For(Stmt):
    """``for`` or, with `parallel`, ``parfor`` (`workers` is its optional second operand).

    `key` takes the names of fields in the octave dialect's ``for [value, key] = struct``.
    """

    target: Expr
    iterable: Expr
    body: Block
    parallel: bool = False
    workers: Expr | None = None
    key: Expr | None = None


@attrs.frozen
class While(Stmt):
    condition: Expr
    body: Block


@attrs.frozen
class DoUntil(Stmt):
    body: Block
    condition: Expr


@attrs.frozen
class Switch(Stmt):
    subject: Expr
    cases: tuple[tuple[Expr, Block], ...]
    otherwise: Block | None


@attrs.frozen
class Try(Stmt):
    """`handler` is None where there is no ``catch``; `identifier` names the exception."""

    body: Block
    identifier: str | None
    handler: Block | None


@attrs.frozen
class UnwindProtect(Stmt):
    body: Block
    cleanup: Block


@attrs.frozen
class Spmd(Stmt):
    args: tuple[Expr, ...]
    body: Block


@attrs.frozen
class Break(Stmt):
    pass


@attrs.frozen
class Continue(Stmt):
    pass


@attrs.frozen
class Return(Stmt):
    pass


@attrs.frozen
class Global(Stmt):
    """``global a b``; `values` has what each starts with, None where nothing is said."""

    names: tuple[str, ...]
    values: tuple[Expr | None, ...] = ()


@attrs.frozen
class Persistent(Stmt):
    """``persistent a b``; `values` as in `Global`."""

    names: tuple[str, ...]
    values: tuple[Expr | None, ...] = ()


@attrs.frozen
class Import(Stmt):
    """``import pkg.f pkg.*``."""

    names: tuple[str, ...]


@attrs.frozen
class Bang(Stmt):
    """``!cmd``: a shell command."""

    command: str


# -- functions and files --------------------------------------------------------------------------


@attrs.frozen
class ArgumentDecl:
    """One line of an ``arguments`` block.

    `name` may be dotted (``opts.Name``), and is ``opts.?Class`` for all public properties of a
    class.
    """

    name: str
    size: tuple[Expr, ...] | None = None
    class_name: str | None = None
    validators: tuple[Expr, ...] = ()
    default: Expr | None = None
    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@attrs.frozen
class ArgumentsBlock(Stmt):
    kind: Literal["Input", "Output"]
    repeating: bool
    declarations: tuple[ArgumentDecl, ...]


@attrs.frozen
class Function(Stmt):
    """A function; nested functions are statements of `body`.

    `help` is its leading comment, without the comment signs. `name` may be dotted for accessors
    (``get.Prop``).
    """

    name: str
    inputs: tuple[Parameter, ...]
    outputs: tuple[str, ...]
    body: Block
    arguments: tuple[ArgumentsBlock, ...] = ()
    help: str = attrs.field(default="", eq=False, repr=False)


@attrs.frozen
class Attribute:
    """``Name`` (value None), ``Name = value`` or ``~Name`` (negated) in a classdef section."""

    name: str
    value: Expr | None = None
    negated: bool = False
    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@attrs.frozen
class Property:
    name: str
    size: tuple[Expr, ...] | None = None
    class_name: str | None = None
    validators: tuple[Expr, ...] = ()
    default: Expr | None = None
    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@attrs.frozen
class PropertiesBlock:
    attributes: tuple[Attribute, ...]
    properties: tuple[Property, ...]
    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@attrs.frozen
class MethodSignature:
    """A method declared in the class file and defined in another."""

    name: str
    inputs: tuple[Parameter, ...]
    outputs: tuple[str, ...]
    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@attrs.frozen
class MethodsBlock:
    attributes: tuple[Attribute, ...]
    methods: tuple[Function | MethodSignature, ...]
    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@attrs.frozen
class EventsBlock:
    attributes: tuple[Attribute, ...]
    names: tuple[str, ...]
    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@attrs.frozen
class EnumerationBlock:
    attributes: tuple[Attribute, ...]
    members: tuple[tuple[str, tuple[Expr, ...]], ...]
    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


ClassBlock = PropertiesBlock | MethodsBlock | EventsBlock | EnumerationBlock


@attrs.frozen
class ClassDef(Stmt):
    name: str
    superclasses: tuple[str, ...]
    attributes: tuple[Attribute, ...]
    blocks: tuple[ClassBlock, ...]
    help: str = attrs.field(default="", eq=False, repr=False)


@attrs.frozen
class Module:
    """A parsed file.

    `body` holds a script's statements (empty in a function or class file); `functions` the file's
    functions in order (local functions of a script included).
    """

    kind: Literal["script", "function", "class"]
    body: Block
    functions: tuple[Function, ...]
    classdef: ClassDef | None = None
    help: str = attrs.field(default="", eq=False, repr=False)
