"""Symbolic values: arrays of SymPy expressions with MATLAB's operators."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import MatlabError
from runmat_core.api.objects import Elements
from runmat_symbolic.lazy import error, sp

Cells = NDArray[Any]


def exact(x: Any, form: str = "r") -> Any:
    """The number that `x` stands for: exactly, or as the simple number nearby that it rounds."""
    if isinstance(x, complex | np.complexfloating):
        return exact(x.real, form) + sp.I * exact(x.imag, form)
    x = float(x)
    if math.isnan(x):
        return sp.nan
    if math.isinf(x):
        return sp.oo if x > 0 else -sp.oo
    if form == "f" or x == int(x):
        return sp.Rational(*x.as_integer_ratio())
    if form == "d":
        return sp.Float(sp.Rational(*x.as_integer_ratio()), 32)
    near = sp.Rational(x).limit_denominator(100_000)
    if _close(near, x):
        return near
    power = sp.Integer(10) ** round(math.log10(abs(x)))
    if power == abs(sp.Rational(str(x))):
        return sp.Rational(str(x))
    over_pi = sp.Rational(x / math.pi).limit_denominator(1000)
    if _close(over_pi * sp.pi, x):
        return over_pi * sp.pi
    square = sp.Rational(x * x).limit_denominator(1000)
    if _close(sp.sqrt(square), abs(x)):
        return sp.sqrt(square) * (1 if x > 0 else -1)
    return sp.Rational(*x.as_integer_ratio())


def _close(candidate: Any, x: float) -> bool:
    return bool(abs(float(candidate) - x) <= 4 * np.finfo(float).eps * abs(x))


def cells(items: Sequence[Any], shape: tuple[int, ...]) -> Cells:
    """An array of expressions in column-major order."""
    made = np.empty(len(items), object)
    for k, item in enumerate(items):
        made[k] = item
    return made.reshape(shape, order="F")


def each(function: Callable[..., Any], *arrays: Cells) -> Cells:
    """`function` of all elements, with implicit expansion.

    Raises:
        MatlabError: MATLAB:sizeDimensionsMustMatch.
    """
    try:
        spread = np.broadcast_arrays(*arrays)
    except ValueError:
        raise MatlabError(
            "MATLAB:sizeDimensionsMustMatch",
            "Arrays have incompatible sizes for this operation.",
        ) from None
    flat = [a.ravel(order="F") for a in spread]
    return cells([function(*parts) for parts in zip(*flat, strict=True)], spread[0].shape)


class Sym(Elements):
    """An array of expressions; a symbolic function where it has arguments.

    Attributes:
        arguments: the variables of a function.
    """

    __slots__ = ("arguments",)
    named = "sym"
    blank: ClassVar[Any] = 0
    functions: ClassVar[dict[str, Callable[..., Any]]] = {}

    def __init__(self, array: Any, arguments: tuple[Any, ...] = ()) -> None:
        if not isinstance(array, np.ndarray):
            array = cells([sp.sympify(array)], (1, 1))
        self.array = array
        self.arguments = arguments

    @property
    def class_name(self) -> str:  # type: ignore[override]
        return "symfun" if self.arguments else "sym"

    @property
    def one(self) -> Any:
        """The only expression.

        Raises:
            MatlabError: there are several.
        """
        if self.array.size != 1:
            raise error("sym:ScalarExpected", "Expected a scalar symbolic expression.")
        return self.array.flat[0]

    @property
    def items(self) -> list[Any]:
        return [sp.sympify(item) for item in self.array.ravel(order="F")]

    @property
    def matrix(self) -> Any:
        """The elements as SymPy's matrix."""
        if self.array.ndim > 2:
            raise error("sym:2DMatrixExpected", "Input must be a 2-D matrix.")
        return sp.Matrix(*self.array.shape, list(self.array.ravel()))

    def map(self, function: Callable[[Any], Any]) -> Sym:
        """`function` of each element."""
        return Sym(each(function, self.array), self.arguments)

    def with_array(self, array: Cells) -> Sym:
        return Sym(array, self.arguments)

    def adopt(self, value: Any) -> Sym:
        return symbolic(value)

    def operator(self, name: str, operands: Sequence[Any]) -> Any:
        return apply(name, operands)

    def heading(self, name: str) -> str:
        return f"{name}({', '.join(map(str, self.arguments))})" if self.arguments else name

    def called(self, args: Sequence[Any]) -> Any:
        if not self.arguments or len(args) != len(self.arguments):
            return NotImplemented
        if not all(isinstance(a, Sym | np.ndarray | str) for a in args):
            return NotImplemented
        given = [symbolic(a) for a in args]

        def put(body: Any, *parts: Any) -> Any:
            pairs = dict(zip(self.arguments, parts, strict=True))
            return sp.sympify(body).subs(pairs, simultaneous=True)

        return Sym(each(put, self.array, *(g.array for g in given)))

    def defined(self, args: Sequence[Any], value: Any) -> Any:
        if not args or not all(isinstance(a, Sym) for a in args):
            return NotImplemented
        names = tuple(a.one for a in args)
        if not all(n.is_Symbol for n in names):
            return NotImplemented
        return Sym(symbolic(value).array, names)

    def is_equal(self, other: Elements) -> bool:
        return self.items == symbolic(other).items

    def lines(self) -> str:
        from runmat_symbolic.printer import written

        if self.array.size == 0:
            size = "-by-".join(map(str, self.array.shape))
            return f"Empty sym: {size}\n"
        if self.array.size == 1:
            return f"{written(self.one)}\n"
        texts = each(written, self.array)
        if texts.ndim == 2:
            return _rows(texts)
        pages = [i[::-1] for i in np.ndindex(texts.shape[:1:-1])]
        return "".join(
            f"(:,:,{','.join(str(n + 1) for n in i)}) =\n{_rows(texts[(..., *i)])}" for i in pages
        )


def _rows(texts: Cells) -> str:
    widths = [max(map(len, column)) for column in texts.T]
    rows = [", ".join(t.rjust(w) for t, w in zip(row, widths, strict=True)) for row in texts]
    form = " {}\n" if texts.shape[1] == 1 else "[{}]\n"
    return "".join(map(form.format, rows))


def symbolic(value: Any, form: str = "r") -> Sym:
    """`value` as a symbolic array.

    Raises:
        MatlabError: there is no conversion.
    """
    if isinstance(value, Sym):
        return value
    if isinstance(value, str):
        from runmat_symbolic.reading import read

        return Sym(read(value))
    if isinstance(value, int | float | complex):
        value = np.array([[value]])
    if isinstance(value, np.ndarray):
        return Sym(each(lambda x: exact(x, form), value))
    kind = getattr(value, "class_name", type(value).__name__)
    raise error("sym:sym:UnableToConvert", f"Unable to convert '{kind}' to 'sym'.")


# -- operators ------------------------------------------------------------------------------------


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
OPERATORS = (*_EACH, *_SCALAR, "transpose", "ctranspose")


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
    """Return the result of an operator."""
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
