"""The abstract syntax of MATLAB.

Nodes are frozen attrs classes. Every node has a `span`; spans do not take part in equality, so two
trees are equal when they mean the same (parse -> unparse -> parse is tested that way).

The rule that produces a node in `matlab.lark` has the node's name in snake case.
"""

from __future__ import annotations

from typing import Literal

import attrs


@attrs.frozen(slots=True)
class Span:
    """Where a node stands: lines count from one, columns from zero (in characters)."""

    line: int
    column: int
    end_line: int
    end_column: int


NOWHERE = Span(0, 0, 0, 0)
node = attrs.frozen(slots=True)


def _span() -> Span:
    return attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


# -- expressions ----------------------------------------------------------------------------------


@node
class Expr:
    span: Span = _span()


@node
class Number(Expr):
    """A double literal; `value` is complex for ``2i``; `text` is the source spelling."""

    value: float | complex
    text: str = attrs.field(eq=False, default="")


@node
class IntegerLiteral(Expr):
    """``0xFFs16``: an exact integer of class `class_name`."""

    value: int
    class_name: str
    text: str = attrs.field(eq=False, default="")


@node
class Char(Expr):
    """A char literal ``'abc'``; `value` has doubled quotes folded."""

    value: str


@node
class String(Expr):
    """A string literal ``"abc"``."""

    value: str


@node
class Name(Expr):
    id: str


@node
class Colon(Expr):
    """A lone ``:`` among subscripts."""


@node
class End(Expr):
    """``end`` inside subscripts."""


@node
class Unary(Expr):
    """Prefix ``+ - ~`` (and ``++ --`` as in octave statements, never in MATLAB)."""

    op: Literal["+", "-", "~"]
    operand: Expr


@node
class Postfix(Expr):
    """``'`` or ``.'``."""

    op: Literal["'", ".'"]
    operand: Expr


@node
class Binary(Expr):
    """Every two-operand operator, ``&&`` and ``||`` included."""

    op: str
    left: Expr
    right: Expr


@node
class Range(Expr):
    start: Expr
    step: Expr | None
    stop: Expr


@node
class Matrix(Expr):
    """``[...]``; `rows` without empty rows, so ``[]`` and ``[;]`` have none."""

    rows: tuple[tuple[Expr, ...], ...]


@node
class Cell(Expr):
    rows: tuple[tuple[Expr, ...], ...]


@node
class Index(Expr):
    """``base(args)`` (subscript or call: decided later) or ``base{args}``."""

    base: Expr
    kind: Literal["()", "{}"]
    args: tuple[Expr, ...]


@node
class NamedArgument(Expr):
    """``name=value`` among call arguments."""

    name: str
    value: Expr


@node
class Field(Expr):
    base: Expr
    name: str


@node
class DynamicField(Expr):
    """``base.(name)``."""

    base: Expr
    name: Expr


@node
class FunctionHandle(Expr):
    """``@name``; `name` may be dotted (``@pkg.f``)."""

    name: str


@node
class Parameter:
    """A declared input; `name` is None for ``~``."""

    name: str | None
    span: Span = _span()


@node
class AnonymousFunction(Expr):
    """``@(x) x + 1``; `text` is what ``func2str`` prints: the source without its blanks."""

    parameters: tuple[Parameter, ...]
    body: Expr
    text: str = attrs.field(default="", eq=False, repr=False)


@node
class SuperCall(Expr):
    """``method@Superclass(args)`` inside a classdef; `method` may be the object's name."""

    method: str
    superclass: str
    args: tuple[Expr, ...] | None


@node
class MetaClass(Expr):
    """``?ClassName``."""

    name: str


# -- statements -----------------------------------------------------------------------------------


@node
class Stmt:
    span: Span = _span()


Block = tuple["Stmt", ...]


@node
class Tilde(Expr):
    """``~`` among assignment targets."""


@node
class ExprStmt(Stmt):
    """An expression as a statement; `silent` when it ends with ``;``."""

    value: Expr
    silent: bool = True


@node
class Assign(Stmt):
    """``target = value``. Deletion when `value` is a literal ``[]`` or ``''`` and the target is
    indexed with ``()``."""

    target: Expr
    value: Expr
    silent: bool = True


@node
class MultiAssign(Stmt):
    """``[a, ~, c.d] = value``."""

    targets: tuple[Expr, ...]
    value: Expr
    silent: bool = True


@node
class OpAssign(Stmt):
    """``target += value`` and ``target++`` (value 1), in the octave dialect; `op` is ``+`` …"""

    target: Expr
    op: str
    value: Expr
    silent: bool = True


@node
class Command(Stmt):
    """Command syntax: ``hold on``; every argument is char."""

    name: str
    args: tuple[str, ...]
    silent: bool = True


@node
class If(Stmt):
    """`clauses` are (condition, block) for ``if`` and each ``elseif``."""

    clauses: tuple[tuple[Expr, Block], ...]
    orelse: Block | None


@node
class For(Stmt):
    """``for`` or, with `parallel`, ``parfor`` (`workers` is its optional second operand)."""

    target: Expr
    iterable: Expr
    body: Block
    parallel: bool = False
    workers: Expr | None = None


@node
class While(Stmt):
    condition: Expr
    body: Block


@node
class DoUntil(Stmt):
    body: Block
    condition: Expr


@node
class Switch(Stmt):
    subject: Expr
    cases: tuple[tuple[Expr, Block], ...]
    otherwise: Block | None


@node
class Try(Stmt):
    """`handler` is None where there is no ``catch``; `identifier` names the exception."""

    body: Block
    identifier: str | None
    handler: Block | None


@node
class UnwindProtect(Stmt):
    body: Block
    cleanup: Block


@node
class Spmd(Stmt):
    args: tuple[Expr, ...]
    body: Block


@node
class Break(Stmt):
    pass


@node
class Continue(Stmt):
    pass


@node
class Return(Stmt):
    pass


@node
class Global(Stmt):
    names: tuple[str, ...]


@node
class Persistent(Stmt):
    names: tuple[str, ...]


@node
class Import(Stmt):
    """``import pkg.f pkg.*``."""

    names: tuple[str, ...]


@node
class Bang(Stmt):
    """``!cmd``: a shell command."""

    command: str


# -- functions and files --------------------------------------------------------------------------


@node
class ArgumentDecl:
    """One line of an ``arguments`` block; `name` may be dotted (``opts.Name``), and is
    ``opts.?Class`` for all public properties of a class."""

    name: str
    size: tuple[Expr, ...] | None = None
    class_name: str | None = None
    validators: tuple[Expr, ...] = ()
    default: Expr | None = None
    span: Span = _span()


@node
class ArgumentsBlock(Stmt):
    kind: Literal["Input", "Output"]
    repeating: bool
    declarations: tuple[ArgumentDecl, ...]


@node
class Function(Stmt):
    """A function; nested functions are statements of `body`. `help` is its leading comment,
    without the comment signs. `name` may be dotted for accessors (``get.Prop``)."""

    name: str
    inputs: tuple[Parameter, ...]
    outputs: tuple[str, ...]
    body: Block
    arguments: tuple[ArgumentsBlock, ...] = ()
    help: str = attrs.field(default="", eq=False, repr=False)


@node
class Attribute:
    """``Name`` (value None), ``Name = value`` or ``~Name`` (negated) in a classdef section."""

    name: str
    value: Expr | None = None
    negated: bool = False
    span: Span = _span()


@node
class Property:
    name: str
    size: tuple[Expr, ...] | None = None
    class_name: str | None = None
    validators: tuple[Expr, ...] = ()
    default: Expr | None = None
    span: Span = _span()


@node
class PropertiesBlock:
    attributes: tuple[Attribute, ...]
    properties: tuple[Property, ...]
    span: Span = _span()


@node
class MethodSignature:
    """A method declared in the class file and defined in another."""

    name: str
    inputs: tuple[Parameter, ...]
    outputs: tuple[str, ...]
    span: Span = _span()


@node
class MethodsBlock:
    attributes: tuple[Attribute, ...]
    methods: tuple[Function | MethodSignature, ...]
    span: Span = _span()


@node
class EventsBlock:
    attributes: tuple[Attribute, ...]
    names: tuple[str, ...]
    span: Span = _span()


@node
class EnumerationBlock:
    attributes: tuple[Attribute, ...]
    members: tuple[tuple[str, tuple[Expr, ...]], ...]
    span: Span = _span()


ClassBlock = PropertiesBlock | MethodsBlock | EventsBlock | EnumerationBlock


@node
class ClassDef(Stmt):
    name: str
    superclasses: tuple[str, ...]
    attributes: tuple[Attribute, ...]
    blocks: tuple[ClassBlock, ...]
    help: str = attrs.field(default="", eq=False, repr=False)


@node
class Module:
    """A parsed file. `body` holds a script's statements (empty in a function or class file);
    `functions` the file's functions in order (local functions of a script included)."""

    kind: Literal["script", "function", "class"]
    body: Block
    functions: tuple[Function, ...]
    classdef: ClassDef | None = None
    help: str = attrs.field(default="", eq=False, repr=False)
