"""Text in MATLAB's syntax as expressions."""

from __future__ import annotations

import ast
import re
from typing import Any

from runmat_symbolic.lazy import error, sp, variable

_CONSTANTS = {"pi": "pi", "Inf": "oo", "inf": "oo", "NaN": "nan", "i": "I", "j": "I"}
_FUNCTIONS = {"abs": "Abs", "heaviside": "Heaviside", "dirac": "DiracDelta", "real": "re",
              "imag": "im", "conj": "conjugate", "ceil": "ceiling", "max": "Max", "min": "Min",
              "int": "Integral", "diff": "Derivative", "lambertw": "LambertW"}  # fmt: skip
_KNOWN = set(
    "sin cos tan cot sec csc asin acos atan acot asec acsc sinh cosh tanh coth sech csch asinh "
    "acosh atanh exp log sqrt gamma factorial erf erfc sign floor zeta beta atan2 besselj "
    "bessely".split()
)
_OPERATORS: dict[type, Any] = {
    ast.Add: lambda a, b: a + b, ast.Sub: lambda a, b: a - b, ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b, ast.Pow: lambda a, b: a**b,
}  # fmt: skip
_RELATIONS: dict[type, str] = {
    ast.Eq: "Eq", ast.NotEq: "Ne", ast.Lt: "Lt", ast.LtE: "Le", ast.Gt: "Gt", ast.GtE: "Ge",
}  # fmt: skip


def named(name: str) -> Any:
    """SymPy's function that MATLAB calls `name`; one without a meaning where it has none."""
    own = _FUNCTIONS.get(name, name if name in _KNOWN else None)
    return sp.Function(name) if own is None else getattr(sp, own)


def read(text: str) -> Any:
    """The expression that `text` writes.

    Raises:
        MatlabError: it writes none.
    """
    python = re.sub(r"\.?\^", "**", text.strip()).replace("~=", "!=")
    python = re.sub(r"\.([*/])", r"\1", python)
    python = re.sub(r"(?<![\w.])(\d+(?:\.\d*)?)[ij]\b", r"(\1*i)", python)
    try:
        tree = ast.parse(python, mode="eval").body
        return _made(tree, python)
    except (SyntaxError, ValueError, TypeError, KeyError, RecursionError):
        raise error(
            "sym:sym:CharInputInvalid",
            f"Unable to convert '{text}' to a symbolic expression. Use 'str2sym' for expressions.",
        ) from None


def _made(node: ast.expr, source: str) -> Any:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        written = ast.get_source_segment(source, node) or ""
        return sp.Integer(node.value) if isinstance(node.value, int) else sp.Float(written, 32)
    if isinstance(node, ast.Name):
        own = _CONSTANTS.get(node.id)
        return variable(node.id) if own is None else getattr(sp, own)
    if isinstance(node, ast.BinOp):
        return _OPERATORS[type(node.op)](_made(node.left, source), _made(node.right, source))
    if isinstance(node, ast.UnaryOp):
        value = _made(node.operand, source)
        return -value if isinstance(node.op, ast.USub) else value
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        sides = _made(node.left, source), _made(node.comparators[0], source)
        return getattr(sp, _RELATIONS[type(node.ops[0])])(*sides, evaluate=False)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        return named(node.func.id)(*[_made(a, source) for a in node.args])
    raise ValueError(source)
