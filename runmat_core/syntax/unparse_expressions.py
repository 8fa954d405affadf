"""Text of expressions; registers with `writer`."""

from __future__ import annotations

import math
from array import array

from runmat_core.syntax import ast
from runmat_core.syntax.ast import Expr
from runmat_core.syntax.literals import quote_char, quote_string
from runmat_core.syntax.writer import Part, joined, writes

# Precedence, loosest first; an operand looser than its place wants gets parentheses.
_LOOSEST, _RANGE, _PREFIX, _POWER, _PRIMARY = 0, 6, 9, 10, 11
_PRECEDENCE = {
    "||": 1, "&&": 2, "|": 3, "&": 4,
    "==": 5, "~=": 5, "<": 5, "<=": 5, ">": 5, ">=": 5,
    "+": 7, "-": 7,
    "*": 8, "/": 8, "\\": 8, ".*": 8, "./": 8, ".\\": 8,
    "^": _POWER, ".^": _POWER,
}  # fmt: skip


# -- expressions ----------------------------------------------------------------------------------


def _precedence(node: Expr) -> int:
    if isinstance(node, ast.Binary):
        return _PRECEDENCE[node.op]
    if isinstance(node, ast.Unary):
        return _PREFIX
    if isinstance(node, ast.Postfix):
        return _POWER
    if isinstance(node, ast.Range):
        return _RANGE
    return _LOOSEST if isinstance(node, ast.AnonymousFunction) else _PRIMARY


def _operand(node: Expr, least: int) -> list[Part]:
    return [node] if _precedence(node) >= least else ["(", node, ")"]


@writes(ast.Number)
def _number(node: ast.Number, blank: str) -> list[Part]:
    if node.text:
        return [node.text.removesuffix(".")]  # ``5.'`` would be another operator
    if isinstance(node.value, complex):
        return [_decimal(node.value.imag) + "i"]
    return [_decimal(node.value)]


def _decimal(value: float) -> str:
    return "1e999" if math.isinf(value) else repr(value).removesuffix(".0")


@writes(ast.IntegerLiteral)
def _integer(node: ast.IntegerLiteral, blank: str) -> list[Part]:
    if node.text:
        return [node.text]
    sign = "u" if node.class_name.startswith("u") else "s"
    width = int(node.class_name.lstrip("uint"))
    return [f"0x{node.value % (1 << width):X}{sign}{width}"]


@writes(ast.Char)
def _char(node: ast.Char, blank: str) -> list[Part]:
    return [quote_char(node.value)]


@writes(ast.String)
def _string(node: ast.String, blank: str) -> list[Part]:
    return [quote_string(node.value)]


@writes(ast.Name)
def _name(node: ast.Name, blank: str) -> list[Part]:
    return [node.id]


@writes(ast.Colon, ast.End, ast.Tilde)
def _mark(node: Expr, blank: str) -> list[Part]:
    return [{ast.Colon: ":", ast.End: "end", ast.Tilde: "~"}[type(node)]]


@writes(ast.Unary)
def _unary(node: ast.Unary, blank: str) -> list[Part]:
    operand = node.operand
    if isinstance(operand, ast.Unary) and operand.op == node.op != "~":
        return [node.op, "(", operand, ")"]  # ``--x`` is another statement in octave
    return [node.op, *_operand(operand, _PREFIX)]


@writes(ast.Postfix)
def _postfix(node: ast.Postfix, blank: str) -> list[Part]:
    if isinstance(node.operand, ast.Char):
        return ["(", node.operand, ")", node.op]  # ``'a''`` would go on
    return [*_operand(node.operand, _POWER), node.op]


@writes(ast.Binary)
def _binary(node: ast.Binary, blank: str) -> list[Part]:
    precedence = _PRECEDENCE[node.op]
    left = _operand(node.left, precedence)
    if precedence == _POWER:
        return [*left, node.op, *_exponent(node.right)]
    return [*left, f"{blank}{node.op}{blank}", *_operand(node.right, precedence + 1)]


def _exponent(node: Expr) -> list[Part]:
    """``2^-x`` needs no parentheses, ``2^-x'`` is the transpose of a power."""
    inner = node
    while isinstance(inner, ast.Unary):
        inner = inner.operand
    plain = _precedence(inner) == _PRIMARY and not isinstance(inner, ast.Char)
    return [node] if plain else ["(", node, ")"]


@writes(ast.Range)
def _range(node: ast.Range, blank: str) -> list[Part]:
    least = _RANGE + 1
    if node.step is None:
        return [*_operand(node.start, least), ":", *_operand(node.stop, least)]
    return [
        *_operand(node.start, least),
        ":",
        *_operand(node.step, least),
        ":",
        *_operand(node.stop, least),
    ]


@writes(ast.Matrix, ast.Cell)
def _matrix(node: ast.Matrix | ast.Cell, blank: str) -> list[Part]:
    opening, closing = "[]" if isinstance(node, ast.Matrix) else "{}"
    parts: list[Part] = [opening]
    for position, row in enumerate(node.rows):
        if position:
            parts.append(f";{blank}")
        parts += joined(row, f",{blank}")
    return [*parts, closing]


@writes(ast.NumberMatrix)
def _number_matrix(node: ast.NumberMatrix, blank: str) -> list[Part]:
    height, width = node.shape
    elements = [_signed(value) for value in array("d", node.data)]
    rows = [f",{blank}".join(elements[i * width : (i + 1) * width]) for i in range(height)]
    return ["[", f";{blank}".join(rows), "]"]


def _signed(value: float) -> str:
    return "-" + _decimal(-value) if math.copysign(1.0, value) < 0 else _decimal(value)


@writes(ast.Index)
def _index(node: ast.Index, blank: str) -> list[Part]:
    opening, closing = node.kind
    return [*_base(node.base), opening, *joined(node.args, f",{blank}"), closing]


def _base(node: Expr) -> list[Part]:
    if isinstance(node, ast.Number | ast.IntegerLiteral):
        return ["(", node, ")"]
    return _operand(node, _PRIMARY)


@writes(ast.NamedArgument)
def _named_argument(node: ast.NamedArgument, blank: str) -> list[Part]:
    return [node.name, "=", node.value]


@writes(ast.Field)
def _field(node: ast.Field, blank: str) -> list[Part]:
    return [*_base(node.base), ".", node.name]


@writes(ast.DynamicField)
def _dynamic_field(node: ast.DynamicField, blank: str) -> list[Part]:
    return [*_base(node.base), ".(", node.name, ")"]


@writes(ast.Assignment)
def _assignment(node: ast.Assignment, blank: str) -> list[Part]:
    if node.before:
        return [node.target, node.op * 2]
    return ["(", node.target, f"{blank}{node.op}={blank}", node.value, ")"]


@writes(ast.FunctionHandle)
def _function_handle(node: ast.FunctionHandle, blank: str) -> list[Part]:
    return ["@" + node.name]


@writes(ast.Parameter)
def _parameter(node: ast.Parameter, blank: str) -> list[Part]:
    name = node.name or "~"
    return [name] if node.default is None else [f"{name} = ", node.default]


@writes(ast.AnonymousFunction)
def _anonymous_function(node: ast.AnonymousFunction, blank: str) -> list[Part]:
    return ["@(", *joined(node.parameters, f",{blank}"), f"){blank}", node.body]


@writes(ast.SuperCall)
def _super_call(node: ast.SuperCall, blank: str) -> list[Part]:
    name = f"{node.method}@{node.superclass}"
    if node.args is None:
        return [name]
    return [name, "(", *joined(node.args, f",{blank}"), ")"]


@writes(ast.MetaClass)
def _meta_class(node: ast.MetaClass, blank: str) -> list[Part]:
    return ["?" + node.name]
