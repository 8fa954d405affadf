"""Literals as constants of the compiled file.

A recipe is a tuple that `marshal` keeps; `make` turns it into a value once per link. Numeric
matrices are folded to the bytes of their column-major buffer, so a literal of a million elements is
one constant.
"""

from __future__ import annotations

from array import array
from typing import Any

from runmat_core.syntax import ast

Recipe = tuple[Any, ...]


def fold(node: ast.Expr) -> Recipe | None:
    """The recipe of a constant expression, or None."""
    match node:
        case ast.Number(value=value):
            return ("double", value) if isinstance(value, float) else ("complex", value)
        case ast.IntegerLiteral(value=value, class_name=name):
            return ("integer", name, value)
        case ast.Char(value=value):
            return ("char", value)
        case ast.String(value=value):
            return ("string", value)
        case ast.Matrix(rows=rows):
            return _fold_matrix(rows)
        case _:
            return None


def _fold_matrix(rows: tuple[tuple[ast.Expr, ...], ...]) -> Recipe | None:
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
    if height == width == 1 and isinstance(values[0], float):
        return ("double", values[0])
    ordered = [values[i * width + j] for j in range(width) for i in range(height)]
    if any(isinstance(value, complex) for value in ordered):
        parts = [part for value in map(complex, ordered) for part in (value.real, value.imag)]
        return ("array", "complex128", (height, width), array("d", parts).tobytes())
    return ("array", "float64", (height, width), array("d", ordered).tobytes())


def _number(node: ast.Expr) -> float | complex | None:
    if isinstance(node, ast.Unary) and node.op in "+-":
        value = _number(node.operand)
        return None if value is None else -value if node.op == "-" else value
    return node.value if isinstance(node, ast.Number) else None


def make(recipe: Recipe) -> Any:
    """The value of a recipe."""
    from runmat_core import values

    match recipe:
        case ("char", text):
            return values.char(text)
        case ("string", text):
            return values.string(text)
        case ("complex", z):
            import numpy as np

            return values.from_numpy(np.array([[z]]))
        case ("integer", name, value):
            import numpy as np

            return values.from_numpy(np.array([[value]], dtype=name))
        case ("array", dtype, (height, width), data):
            import numpy as np

            flat = np.frombuffer(bytearray(data), dtype=dtype)
            return values.from_numpy(flat.reshape((height, width), order="F"))
        case _:
            raise ValueError(f"not a constant: {recipe[0]}")
