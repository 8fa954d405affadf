"""A classdef to functions and a description of the class.

Methods are ordinary functions of the file. A constructor takes the object under construction as
its first parameter, which no caller counts. Default values, arguments of enumeration members and
the checks of property values are functions too, so that they run in the file's scope with its
lines. The description is a tuple of plain values, which the code cache keeps; `ClassText` reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import attrs

from runmat_core.compiler.class_text import ClassText, MemberText, MethodText, PropertyText
from runmat_core.compiler.scopes import Scope, function_scope, walk
from runmat_core.compiler.unit import Unit
from runmat_core.syntax import ast

#: Defines a function of the file and gives the name of its code object.
Define = Callable[[Unit, Scope, str], str]
#: The same, of a function that nothing calls before an object is there.
Later = Callable[[Unit, ast.Function, str], str]
#: The variable of a function that computes a value for the class.
_VALUE = "_given"
#: Attributes of classes whose values are computed when they are needed.
_COMPUTED = frozenset({"SharedTestFixtures"})


def class_text(unit: Unit, node: ast.ClassDef, define: Define, later: Later) -> ClassText:
    """Generate the functions of a class and describe it."""
    return _Writer(unit, node, define, later).written()


class _Writer:
    """Generates the functions of one class."""

    def __init__(self, unit: Unit, node: ast.ClassDef, define: Define, later: Later) -> None:
        self.unit = unit
        self.node = node
        self.define = define
        self.later = later
        self.name = node.name.rpartition(".")[2]

    def written(self) -> ClassText:
        properties: list[PropertyText] = []
        methods: list[MethodText] = []
        events: list[str] = []
        members: list[MemberText] = []
        has_members = False
        for block in self.node.blocks:
            if isinstance(block, ast.PropertiesBlock):
                given = attributes(block.attributes)
                properties += [self.property(one, given) for one in block.properties]
            elif isinstance(block, ast.MethodsBlock):
                given = attributes(block.attributes)
                methods += [self.method(one, given) for one in block.methods]
            elif isinstance(block, ast.EventsBlock):
                events += block.names
            else:
                has_members = True
                members += [self.member(name, args) for name, args in block.members]
        return ClassText(
            name=self.node.name,
            line=self.node.span.line,
            help=self.node.help,
            superclasses=self.node.superclasses,
            attributes=self.class_attributes(),
            properties=tuple(properties),
            methods=tuple(methods),
            events=tuple(events),
            members=tuple(members),
            is_enumeration=has_members,
        )

    def class_attributes(self) -> tuple[tuple[str, Any], ...]:
        """Return the attributes of the class.

        Of one that is computed, the function that does so.
        """
        given = []
        for one in self.node.attributes:
            if one.name in _COMPUTED and one.value is not None:
                given.append((one.name, self.computed(one.name, one.value, one.span)))
            else:
                given += attributes((one,))
        return tuple(given)

    def property(self, node: ast.Property, given: tuple[tuple[str, Any], ...]) -> PropertyText:
        default = None
        if node.default is not None:
            default = self.computed(node.name, node.default, node.span)
        checked = node.size is not None or node.class_name is not None or node.validators
        return PropertyText(
            name=node.name,
            attributes=given,
            default=default,
            validator=self.validator(node) if checked else None,
            class_name=node.class_name or "",
            size=None if node.size is None else tuple(map(_extent, node.size)),
        )

    def computed(self, name: str, value: ast.Expr, span: ast.Span) -> str:
        """Return a function without inputs that gives the value of an expression."""
        body = (ast.Assign(ast.Name(_VALUE, span=span), value, span=span),)
        function = ast.Function(name, (), (_VALUE,), body, span=span)
        return self.define(self.unit, function_scope(function), self.name)

    def validator(self, node: ast.Property) -> str:
        """Return a function that gives a value as the property's size and class, or raises."""
        declared = ast.ArgumentDecl(
            node.name, node.size, node.class_name, node.validators, span=node.span
        )
        function = ast.Function(
            node.name,
            (ast.Parameter(node.name),),
            (node.name,),
            (),
            (ast.ArgumentsBlock("Input", False, (declared,), span=node.span),),
            span=node.span,
        )
        scope = function_scope(function)
        scope.subject = f"property '{node.name}' of class '{self.name}'"
        return self.define(self.unit, scope, self.name)

    def method(
        self, node: ast.Function | ast.MethodSignature, given: tuple[tuple[str, Any], ...]
    ) -> MethodText:
        outputs = 1 if node.outputs else 0
        if isinstance(node, ast.MethodSignature):
            return MethodText(name=node.name, attributes=given, key=None, outputs=outputs)
        if node.name == self.name and node.outputs:
            key = self.constructor(node)
        else:
            key = self.later(self.unit, node, self.name)
        return MethodText(name=node.name, attributes=given, key=key, outputs=outputs)

    def constructor(self, node: ast.Function) -> str:
        """Return the function of a constructor.

        Superclasses that it does not call are called first.
        """
        built = node.outputs[0]
        called = {
            one.superclass
            for one in walk(node.body)
            if isinstance(one, ast.SuperCall) and one.method == built
        }
        first = tuple(
            ast.Assign(
                ast.Name(built, span=node.span),
                ast.SuperCall(built, superclass, None, span=node.span),
                span=node.span,
            )
            for superclass in self.node.superclasses
            if superclass not in called
        )
        scope = function_scope(attrs.evolve(node, body=(*first, *node.body)))
        scope.constructed = built
        return self.define(self.unit, scope, "")

    def member(self, name: str, args: Sequence[ast.Expr]) -> MemberText:
        if not args:
            return MemberText(name=name, arguments=None)
        span = self.node.span
        cell = ast.Cell((tuple(args),), span=span)
        return MemberText(name=name, arguments=self.computed(name, cell, span))


def attributes(given: Sequence[ast.Attribute]) -> tuple[tuple[str, Any], ...]:
    """Attributes by name: true, false, a word, or the names of classes."""
    return tuple((one.name, False if one.negated else _setting(one.value)) for one in given)


def _setting(value: ast.Expr | None) -> Any:
    match value:
        case None:
            return True
        case ast.Name(id="true" | "false" as word):
            return word == "true"
        case ast.Name(id=word):
            return word
        case ast.Char(value=word) | ast.String(value=word):
            return word
        case ast.Number(value=number):
            return bool(number)
        case ast.MetaClass(name=name):
            return (name,)
        case ast.Cell(rows=rows):
            return tuple(word for row in rows for one in row for word in _word(one))
        case _:
            return True


def _word(value: ast.Expr) -> tuple[str, ...]:
    """Return a text or the name of a class in a list of such."""
    match value:
        case ast.MetaClass(name=word) | ast.Char(value=word) | ast.String(value=word):
            return (word,)
        case _:
            return ()


def _extent(node: ast.Expr) -> int | None:
    return int(node.value.real) if isinstance(node, ast.Number) else None
