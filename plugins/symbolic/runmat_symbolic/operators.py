"""Operators of symbolic arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runmat_core.api import MatlabError
from runmat_symbolic.lazy import sp
from runmat_symbolic.value import Sym, cells, each, error, symbolic


def _divided(a: Any, b: Any) -> Any:
    if b == 0:
        if a == 0:
            return sp.nan
        raise error("kernel:DivisionByZero", "Division by zero.")
    return a / b


def _relation(name: str) -> Callable[[Any, Any], Any]:
    return lambda a, b: getattr(sp, name)(a, b, evaluate=False)


_EACH: dict[str, Callable[..., Any]] = {
    "plus": lambda a, b: a + b, "minus": lambda a, b: a - b, "times": lambda a, b: a * b,
    "rdivide": _divided, "ldivide": lambda a, b: _divided(b, a), "power": lambda a, b: a**b,
    "uminus": lambda a: -a, "uplus": lambda a: a, "eq": _relation("Eq"), "ne": _relation("Ne"),
    "lt": _relation("Lt"), "le": _relation("Le"),
    # as MATLAB writes them
    "gt": lambda a, b: _relation("Lt")(b, a), "ge": lambda a, b: _relation("Le")(b, a),
    "and_": lambda a, b: sp.And(_condition(a), _condition(b)),
    "or_": lambda a, b: sp.Or(_condition(a), _condition(b)),
    "not_": lambda a: sp.Not(_condition(a)),
}  # fmt: skip
_SCALAR = {"mtimes": "times", "mrdivide": "rdivide", "mldivide": "ldivide", "mpower": "power"}

#: The operators that functions such as ``plus`` call.
NAMES = (*_EACH, *_SCALAR, "transpose", "ctranspose")


def _condition(a: Any) -> Any:
    """A condition, as which a number holds unless it is zero."""
    return sp.Ne(a, 0) if a.is_number else a


def from_matrix(matrix: Any) -> Sym:
    """SymPy's matrix as a symbolic array."""
    rows, columns = matrix.shape
    items = [matrix[i, j] for j in range(columns) for i in range(rows)]
    return Sym(cells(items, (rows, columns)))


def solved(a: Any, b: Any) -> Any:
    """The solution of ``a*x = b``; of a singular system SymPy's with zeros for free unknowns."""
    if a.rows != b.rows:
        raise _dimensions("mldivide")
    try:
        found, free = a.gauss_jordan_solve(b) if b.cols == 1 else (a.LUsolve(b), ())
    except ValueError:
        return sp.Matrix(a.cols, b.cols, [sp.oo] * (a.cols * b.cols))
    return found.subs(dict.fromkeys(free, 0))


def _dimensions(name: str) -> MatlabError:
    return MatlabError(f"symbolic:sym:{name}:InvalidDimensions", "Dimensions do not match.")


def apply(name: str, operands: Sequence[Any]) -> Any:
    """The result of an operator."""
    given = [symbolic(v) for v in operands]
    arguments: tuple[Any, ...] = next((g.arguments for g in given if g.arguments), ())
    if name in ("transpose", "ctranspose"):
        turned = Sym(given[0].array.T, arguments)
        return turned.map(sp.conjugate) if name == "ctranspose" else turned
    scalar = [g.array.size == 1 for g in given]
    if name in _SCALAR:
        plain = {"mtimes": any(scalar), "mrdivide": scalar[-1], "mldivide": scalar[0]}
        if plain.get(name, all(scalar)):
            name = _SCALAR[name]
    rule = _EACH.get(name)
    if rule is not None:
        return Sym(each(rule, *(g.array for g in given)), arguments)
    if name == "mtimes":
        a, b = (g.matrix for g in given)
        if a.cols != b.rows:
            raise _dimensions(name)
        return from_matrix(a * b)
    if name == "mldivide":
        return from_matrix(solved(given[0].matrix, given[1].matrix))
    if name == "mrdivide":
        return from_matrix(solved(given[1].matrix.T, given[0].matrix.T).T)
    if name == "mpower" and scalar[1]:
        if given[0].array.shape[0] != given[0].array.shape[1]:
            raise MatlabError("symbolic:sym:mpower:SquareMatrix", "Matrix must be square.")
        return from_matrix(given[0].matrix ** given[1].one)
    return NotImplemented
