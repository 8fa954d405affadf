"""Expressions of the abstract syntax; read `ast` first, which has all nodes together."""

from __future__ import annotations

from typing import Literal

import attrs


@attrs.frozen
class Span:
    """Where a node stands: lines count from one, columns from zero (in characters)."""

    line: int
    column: int
    end_line: int
    end_column: int


NOWHERE = Span(0, 0, 0, 0)


# -- expressions ----------------------------------------------------------------------------------


@attrs.frozen
class Expr:
    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@attrs.frozen
class Number(Expr):
    """A double literal; `value` is complex for ``2i``; `text` is the source spelling."""

    value: float | complex
    text: str = attrs.field(eq=False, default="")


@attrs.frozen
class IntegerLiteral(Expr):
    """``0xFFs16``: an exact integer of class `class_name`."""

    value: int
    class_name: str
    text: str = attrs.field(eq=False, default="")


@attrs.frozen
class Char(Expr):
    """A char literal ``'abc'``; `value` has doubled quotes folded."""

    value: str


@attrs.frozen
class String(Expr):
    """A string literal ``"abc"``."""

    value: str


@attrs.frozen
class Name(Expr):
    id: str


@attrs.frozen
class Colon(Expr):
    """A lone ``:`` among subscripts."""


@attrs.frozen
class End(Expr):
    """``end`` inside subscripts."""


@attrs.frozen
class Unary(Expr):
    """Prefix ``+ - ~``."""

    op: Literal["+", "-", "~"]
    operand: Expr


@attrs.frozen
class Postfix(Expr):
    """``'`` or ``.'``."""

    op: Literal["'", ".'"]
    operand: Expr


@attrs.frozen
class Binary(Expr):
    """Every two-operand operator, ``&&`` and ``||`` included."""

    op: str
    left: Expr
    right: Expr


@attrs.frozen
class Range(Expr):
    start: Expr
    step: Expr | None
    stop: Expr


@attrs.frozen
class Matrix(Expr):
    """``[...]``; `rows` without empty rows, so ``[]`` and ``[;]`` have none."""

    rows: tuple[tuple[Expr, ...], ...]


@attrs.frozen
class NumberMatrix(Expr):
    """A large `Matrix` of signed real literals: one node, as a node for each would take seconds.

    `shape` is its height and width; `data` holds its doubles, native, row after row.
    """

    shape: tuple[int, int]
    data: bytes = attrs.field(repr=False)


@attrs.frozen
class Cell(Expr):
    rows: tuple[tuple[Expr, ...], ...]


@attrs.frozen
class Index(Expr):
    """``base(args)`` (subscript or call: decided later) or ``base{args}``."""

    base: Expr
    kind: Literal["()", "{}"]
    args: tuple[Expr, ...]


@attrs.frozen
class NamedArgument(Expr):
    """``name=value`` among call arguments."""

    name: str
    value: Expr


@attrs.frozen
class Field(Expr):
    base: Expr
    name: str


@attrs.frozen
class DynamicField(Expr):
    """``base.(name)``."""

    base: Expr
    name: Expr


@attrs.frozen
class Assignment(Expr):
    """``target = value`` inside an expression, in the octave dialect.

    `op` is the operator of ``target += value`` and empty for ``=``. ``++x`` and ``x++`` add the
    number one, and `before` says that the value is the one that the target had before (``x++``).
    """

    target: Expr
    op: str
    value: Expr
    before: bool = False


@attrs.frozen
class FunctionHandle(Expr):
    """``@name``; `name` may be dotted (``@pkg.f``)."""

    name: str


@attrs.frozen
class Parameter:
    """A declared input; `name` is None for ``~``. `default` is the octave dialect's ``x = 1``."""

    name: str | None
    default: Expr | None = None
    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@attrs.frozen
class AnonymousFunction(Expr):
    """``@(x) x + 1``; `text` is what ``func2str`` prints: the source without its blanks."""

    parameters: tuple[Parameter, ...]
    body: Expr
    text: str = attrs.field(default="", eq=False, repr=False)


@attrs.frozen
class SuperCall(Expr):
    """``method@Superclass(args)`` inside a classdef; `method` may be the object's name."""

    method: str
    superclass: str
    args: tuple[Expr, ...] | None


@attrs.frozen
class MetaClass(Expr):
    """``?ClassName``."""

    name: str


@attrs.frozen
class Tilde(Expr):
    """``~`` among assignment targets."""
