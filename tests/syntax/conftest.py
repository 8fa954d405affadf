"""Compact renderings of trees, so that tables of tests stay readable."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from runmat_core.syntax import ast, parse


def shape(node: Any) -> str:
    """An expression with every operation in parentheses: ``-2^2`` is ``(-(2^2))``."""
    match node:
        case ast.Number():
            return node.text
        case ast.Char():
            return f"'{node.value}'"
        case ast.String():
            return f'"{node.value}"'
        case ast.Name():
            return node.id
        case ast.Colon():
            return ":"
        case ast.End():
            return "end"
        case ast.Tilde():
            return "~"
        case ast.Unary():
            return f"({node.op}{shape(node.operand)})"
        case ast.Postfix():
            return f"({shape(node.operand)}{node.op})"
        case ast.Binary():
            return f"({shape(node.left)}{node.op}{shape(node.right)})"
        case ast.Range():
            parts = [node.start, *([node.step] if node.step else []), node.stop]
            return f"({':'.join(map(shape, parts))})"
        case ast.Matrix():
            return f"[{_rows(node.rows)}]"
        case ast.Cell():
            return f"{{{_rows(node.rows)}}}"
        case ast.Index():
            return shape(node.base) + node.kind[0] + _row(node.args) + node.kind[1]
        case ast.NamedArgument():
            return f"{node.name}={shape(node.value)}"
        case ast.Field():
            return f"{shape(node.base)}.{node.name}"
        case ast.DynamicField():
            return f"{shape(node.base)}.({shape(node.name)})"
        case ast.FunctionHandle():
            return f"@{node.name}"
        case ast.IntegerLiteral():
            return node.text
        case ast.Assignment(before=True):
            return f"({shape(node.target)}{node.op * 2})"
        case ast.Assignment():
            return f"({shape(node.target)}{node.op}={shape(node.value)})"
        case ast.AnonymousFunction():
            names = ",".join(parameter.name or "~" for parameter in node.parameters)
            return f"(@({names}){shape(node.body)})"
    return repr(node)


def _row(items: Any) -> str:
    return ",".join(map(shape, items))


def _rows(rows: Any) -> str:
    return ";".join(map(_row, rows))


#: What only the octave dialect has, left out where it is not there.
_OCTAVE = {
    ast.For: ("key",),
    ast.Global: ("values",),
    ast.Persistent: ("values",),
    ast.Parameter: ("default",),
}


def outline(node: Any) -> Any:
    """A statement as nested tuples: the node's name, then what tells it from others."""
    if isinstance(node, tuple):
        return [outline(item) for item in node]
    if isinstance(node, ast.Expr):
        return shape(node)
    if attrs.has(type(node)):
        fields = [field for field in attrs.fields(type(node)) if field.eq]
        values = {field.name: getattr(node, field.name) for field in fields}
        for name in _OCTAVE.get(type(node), ()):
            if not values[name]:
                del values[name]
        return (type(node).__name__, *(outline(value) for value in values.values()))
    return node


@pytest.fixture
def expression():
    """The shape of an expression, parsed as the right side of an assignment."""

    def read(source: str, dialect: str = "matlab") -> str:
        module = parse(f"x = {source};", dialect=dialect)
        (statement,) = module.body
        assert isinstance(statement, ast.Assign)
        return shape(statement.value)

    return read


@pytest.fixture
def statements():
    """The outlines of a script's statements."""

    def read(source: str, **options: Any) -> Any:
        return outline(parse(source, **options).body)

    return read


@pytest.fixture
def outlined():
    """The outline of any node."""
    return outline
