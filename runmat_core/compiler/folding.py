"""Literals folded to recipes of constants (see `constants`)."""

from __future__ import annotations

from array import array
from typing import Any

from runmat_core.compiler.constants import Recipe
from runmat_core.syntax import ast

#: Ranges of more elements are made as the program runs.
_LISTED = 256
#: Their ends are less than this.
_EXACT = 2.0**31
#: Cells in cells beyond this depth are made as the program runs.
_NESTED = 2


def fold(node: ast.Expr, nested: int = 0) -> Recipe | None:
    """Return the recipe of a constant expression, or None.

    `nested` tells in how many cells it stands.
    """
    match node:
        case ast.Number(value=value):
            return ("double", value) if isinstance(value, float) else ("complex", value)
        case ast.IntegerLiteral(value=value, class_name=name):
            return ("integer", name, value)
        case ast.Char(value=value):
            return ("char", value)
        case ast.String(value=value):
            return ("string", value)
        case ast.Matrix(rows=((ast.Range() as alone,),)):
            return fold(alone)
        case ast.Matrix(rows=rows):
            return _fold_matrix(rows)
        case ast.Range():
            found = _whole_numbers(node)
            if found is None:
                return None
            return ("array", "float64", (1, len(found)), array("d", found).tobytes())
        case ast.Cell(rows=rows) if nested < _NESTED:
            return _fold_cell(rows, nested + 1)
        case ast.NumberMatrix(shape=shape, data=data):
            return ("array", "float64", shape, _by_columns(shape, data))
        case _:
            return None


def fold_span(node: ast.Expr) -> Recipe | None:
    """Return the recipe of a `Span` for a range of whole numbers among subscripts, or None."""
    found = _whole_numbers(node) if isinstance(node, ast.Range) else None
    if found is None or min(found) < 1:
        return None
    return ("span", found[0] - 1, found[1] - found[0], len(found))


def _whole_numbers(node: ast.Range) -> range | None:
    """Return the elements of a short range of whole numbers, if there are two or more."""
    ends: list[int] = []
    for part in (node.start, node.step or ast.Number(1.0), node.stop):
        value = _number(part)
        if not isinstance(value, float) or not value.is_integer() or abs(value) >= _EXACT:
            return None
        ends.append(int(value))
    first, step, last = ends
    if not step:
        return None
    found = range(first, last + (1 if step > 0 else -1), step)
    # zero may be negative at the ends
    return found if 2 <= len(found) <= _LISTED and first and last else None


def _fold_matrix(rows: tuple[tuple[ast.Expr, ...], ...], as_bytes: bool = False) -> Recipe | None:
    height = len(rows)
    width = len(rows[0]) if rows else 0
    values: list[Any] = []
    for row in rows:
        if len(row) != width:
            return None
        for element in row:
            value = _number(element)
            if value is None:
                return None
            values.append(value)
    if height == width == 1 and isinstance(values[0], float) and not as_bytes:
        return ("double", values[0])
    ordered = [values[i * width + j] for j in range(width) for i in range(height)]
    if any(isinstance(value, complex) for value in ordered):
        parts = [part for value in map(complex, ordered) for part in (value.real, value.imag)]
        return ("array", "complex128", (height, width), array("d", parts).tobytes())
    return ("array", "float64", (height, width), array("d", ordered).tobytes())


def _fold_cell(rows: tuple[tuple[ast.Expr, ...], ...], nested: int) -> Recipe | None:
    height = len(rows)
    width = len(rows[0]) if rows else 0
    if any(len(row) != width for row in rows) or (rows and not width):
        return None
    contents = []
    for column in range(width):
        for row in rows:
            item = row[column]
            # numbers as bytes: a recipe is a key, and 0 and -0 are equal
            if isinstance(item, ast.Matrix):
                found = _fold_matrix(item.rows, as_bytes=True)
            elif _number(item) is not None:
                found = _fold_matrix(((item,),), as_bytes=True)
            else:
                found = fold(item, nested)
            if found is None:
                return None
            contents.append(found)
    return ("cell", (height, width), tuple(contents))


def _by_columns(shape: tuple[int, int], data: bytes) -> bytes:
    """Doubles that stand row after row, column after column."""
    height, width = shape
    if height == 1 or width == 1:
        return data
    values = array("d", data)
    return b"".join(values[column::width].tobytes() for column in range(width))


def _number(node: ast.Expr) -> float | complex | None:
    if isinstance(node, ast.Unary) and node.op in "+-":
        value = _number(node.operand)
        return None if value is None else -value if node.op == "-" else value
    return node.value if isinstance(node, ast.Number) else None
