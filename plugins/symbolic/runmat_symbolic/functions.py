"""What MATLAB's own functions are of symbolic values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runmat_core.api import MatlabError
from runmat_symbolic.common import (
    column,
    default,
    done,
    integer,
    is_variable,
    ordered,
    unknown,
    variables,
    written,
)
from runmat_symbolic.lazy import error, sp
from runmat_symbolic.value import OPERATORS, Sym, apply, cells, each, from_matrix, symbolic

Rule = Callable[..., Any]

#: SymPy's functions of elements by MATLAB's names.
_ELEMENTWISE = {
    **{name: name for name in "sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh sec csc "
       "cot exp log sqrt gamma factorial erf erfc floor sign".split()},
    "abs": "Abs", "ceil": "ceiling", "real": "re", "imag": "im", "conj": "conjugate",
    "gammaln": "loggamma", "angle": "arg",
}  # fmt: skip

_OF_PAIRS = {"atan2": "atan2", "gcd": "gcd", "lcm": "lcm", "mod": "Mod", "nchoosek": "binomial",
             **{name: name for name in ("besselj", "bessely", "besseli", "besselk")}}  # fmt: skip
_INTEGERS = [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]


def rule(function: Rule) -> Rule:
    """Mark ``function(nargout, *args)`` as what the function of its name is of symbolic values."""
    Sym.functions[function.__name__.rstrip("_")] = function
    return function


def _elementwise(own: str) -> Rule:
    return lambda nargout, x: symbolic(x).map(lambda item: getattr(sp, own)(item))


def _pairwise(own: str) -> Rule:
    return lambda nargout, x, y: Sym(
        each(lambda a, b: getattr(sp, own)(a, b), symbolic(x).array, symbolic(y).array)
    )


def _integers(kind: str) -> Rule:
    return lambda nargout, x: np.clip(
        np.round(_numbers(x).real), np.iinfo(kind).min, np.iinfo(kind).max
    ).astype(kind)


def _log_of(base: int) -> Rule:
    return lambda nargout, x: symbolic(x).map(lambda item: sp.log(item) / sp.log(base))


def _square(x: Any, name: str) -> Any:
    matrix = symbolic(x).matrix
    if matrix.rows != matrix.cols:
        raise MatlabError(f"symbolic:sym:{name}:SquareMatrix", "Matrix must be square.")
    return matrix


@rule
def det(nargout: int, a: Any) -> Any:
    return Sym(sp.expand(_square(a, "det").det()))


@rule
def inv(nargout: int, a: Any) -> Any:
    matrix = _square(a, "inv")
    if sp.simplify(matrix.det()) == 0:
        return Sym(cells([sp.oo] * (matrix.rows**2), matrix.shape))
    return from_matrix(matrix.inv().applyfunc(sp.simplify))


@rule
def eig(nargout: int, a: Any) -> Any:
    matrix = _square(a, "eig")
    if nargout < 2:
        found = done(matrix.eigenvals)
        return column(ordered([v for v, count in found.items() for _ in range(count)]))
    vectors, values = [], []
    for value, _, basis in done(matrix.eigenvects):
        vectors += basis
        values += [value] * len(basis)
    return from_matrix(sp.Matrix.hstack(*vectors)), from_matrix(sp.diag(*values))


@rule
def charpoly(nargout: int, a: Any, x: Any = None) -> Any:
    poly = _square(a, "charpoly").charpoly()
    if x is None:
        return column(poly.all_coeffs(), row=True)
    return Sym(poly.as_expr().subs(poly.gen, symbolic(x).one))


@rule
def null(nargout: int, a: Any) -> Any:
    matrix = symbolic(a).matrix
    basis = matrix.nullspace()
    return from_matrix(sp.Matrix.hstack(*basis) if basis else sp.zeros(matrix.cols, 0))


@rule
def norm(nargout: int, a: Any, kind: Any = None) -> Any:
    order = "fro" if kind == "fro" else None if kind is None else symbolic(kind).one
    return Sym(done(symbolic(a).matrix.norm, order))


@rule
def dot(nargout: int, a: Any, b: Any) -> Any:
    return Sym(sp.Add(*each(lambda x, y: sp.conjugate(x) * y, *(
        symbolic(v).array.reshape(-1, 1, order="F") for v in (a, b))).flat))  # fmt: skip


@rule
def cross(nargout: int, a: Any, b: Any) -> Any:
    found = done(sp.Matrix(symbolic(a).items).cross, sp.Matrix(symbolic(b).items))
    return Sym(cells(list(found), symbolic(a).array.shape))


def _numbers(x: Sym) -> Any:
    values: list[complex] = []
    for item in x.items:
        if item in (sp.true, sp.false):
            values.append(float(item == sp.true))
            continue
        try:
            values.append(complex(item.evalf(20)))
        except TypeError:
            raise error(
                "sym:double:cantconvert",
                "Unable to convert expression containing symbolic variables into double array. "
                "Apply 'subs' function first to substitute values for variables.",
            ) from None
    made = np.array(values, complex).reshape(x.array.shape, order="F")
    return made if made.imag.any() else made.real.copy(order="F")


@rule
def double(nargout: int, x: Sym) -> Any:
    return _numbers(x)


@rule
def single(nargout: int, x: Sym) -> Any:
    found = _numbers(x)
    return found.astype(np.complex64 if found.dtype.kind == "c" else np.float32)


@rule
def char(nargout: int, x: Sym) -> str:
    if x.array.size == 1:
        return written(x.one)
    rows = [", ".join(map(written, row)) for row in x.array]
    return f"[{rows[0]}]" if len(rows) == 1 else f"[{'; '.join(f'[{r}]' for r in rows)}]"


@rule
def logical(nargout: int, x: Sym) -> Any:
    """Whether conditions hold as they stand; an equation holds where both sides are the same."""
    answers = []
    for item in x.items:
        now = item.doit() if item.is_Relational else item
        if now not in (sp.true, sp.false) and isinstance(now, sp.Eq | sp.Ne):
            now = sp.true if (now.lhs == now.rhs) == isinstance(now, sp.Eq) else sp.false
        if now in (sp.true, sp.false):
            answers.append(now == sp.true)
        elif now.is_number:
            answers.append(now != 0)
        else:
            raise error("sym:logical:NotConvertible", "Unable to prove the condition.")
    return np.array(answers, bool).reshape(x.array.shape, order="F")


@rule
def isreal(nargout: int, x: Sym) -> bool:
    return all(sp.conjugate(item) == item for item in x.items)


def _question(holds: Callable[[Any], bool]) -> Rule:
    return lambda nargout, x: np.array([holds(i) for i in x.items], bool).reshape(
        x.array.shape, order="F"
    )


@rule
def diff(nargout: int, f: Any, *args: Any) -> Any:
    """``diff(f)``, ``diff(f, x)``, ``diff(f, n)``, ``diff(f, x, n)`` and ``diff(f, x, y)``."""
    f = symbolic(f)
    names: list[Any] = []
    for arg in args:
        if is_variable(arg) or isinstance(arg, str):
            names.append(unknown(arg, f))
        else:
            names = [names[-1] if names else default(f)] * integer(arg)
            if not names:
                return f
    names = names or [default(f)]
    return f.map(lambda item: done(sp.diff, item, *names))


def _along(function: Callable[[Any], list[Any]]) -> Rule:
    """A rule of the elements along a dimension, the first one that is not 1 by default."""

    def reduced(nargout: int, x: Any, dim: Any = None) -> Any:
        array = symbolic(x).array
        axis = integer(dim, 1) - 1 if dim is not None else next(
            (k for k, n in enumerate(array.shape) if n != 1), 0)  # fmt: skip
        if axis >= array.ndim:
            return Sym(array)
        lines = np.moveaxis(array, axis, -1)
        found = [function(list(line)) for line in lines.reshape(-1, lines.shape[-1])]
        width = len(found[0]) if found else 1
        made = cells([v for line in found for v in line], (len(found) * width,))
        shaped = made.reshape(*lines.shape[:-1], width)
        return Sym(np.asfortranarray(np.moveaxis(shaped, -1, axis)))

    return reduced


def _running(own: str) -> Callable[[Any], list[Any]]:
    return lambda line: [getattr(sp, own)(*line[: k + 1]) for k in range(len(line))]


@rule
def sort(nargout: int, x: Any) -> Any:
    x = symbolic(x)
    return Sym(cells(ordered(x.items), x.array.shape))


@rule
def unique(nargout: int, x: Any) -> Any:
    x = symbolic(x)
    found = ordered(list(dict.fromkeys(x.items)))
    return column(found, row=x.array.shape[0] == 1)


@rule
def simplify(nargout: int, x: Any, *options: Any) -> Any:
    return symbolic(x).map(lambda item: done(sp.simplify, item))


@rule
def factor(nargout: int, x: Any, *options: Any) -> Any:
    """The factors of a number or an expression, in a row."""
    item = symbolic(x).one
    if item.is_Integer:
        found = sp.factorint(item)
        return column([p for p, n in found.items() for _ in range(n)] or [item], row=True)
    front, parts = done(sp.factor_list, item)
    factors = [] if front == 1 else [front]
    return column(factors + [p for p, n in parts for _ in range(n)], row=True)


@rule
def compose(nargout: int, f: Any, g: Any, *names: Any) -> Any:
    inner, name = symbolic(g), default(symbolic(f))
    return Sym(symbolic(f).one.subs(name, inner.one), inner.arguments)


@rule
def finverse(nargout: int, f: Any, x: Any = None) -> Any:
    f = symbolic(f)
    name, value = default(f) if x is None else unknown(x, f), sp.Dummy()
    found = done(sp.solve, f.one - value, name)
    if not found:
        raise error("finverse:NoInverse", "Unable to find a functional inverse.")
    return Sym(found[-1].subs(value, name), f.arguments)


@rule
def roots(nargout: int, p: Any) -> Any:
    items = symbolic(p).items
    found = done(sp.roots, sp.Poly(items, sp.Dummy()))
    return column(ordered([v for v, count in found.items() for _ in range(count)]))


@rule
def polyval(nargout: int, p: Any, x: Any) -> Any:
    items = symbolic(p).items
    return symbolic(x).map(lambda at: sp.Add(*(
        c * at ** (len(items) - k) for k, c in enumerate(items, 1))))  # fmt: skip


@rule
def gradient(nargout: int, f: Any, names: Any = None) -> Any:
    f = symbolic(f)
    over = f.arguments or variables(f) if names is None else symbolic(names).items
    return column([sp.diff(f.one, v) for v in over])


@rule
def divergence(nargout: int, v: Any, names: Any) -> Any:
    pairs = zip(symbolic(v).items, symbolic(names).items, strict=True)
    return Sym(sp.Add(*(sp.diff(item, name) for item, name in pairs)))


@rule
def laplacian(nargout: int, f: Any, names: Any = None) -> Any:
    over = variables(symbolic(f)) if names is None else symbolic(names).items
    return Sym(sp.Add(*(sp.diff(symbolic(f).one, name, 2) for name in over)))


@rule
def curl(nargout: int, v: Any, names: Any) -> Any:
    (a, b, c), (x, y, z) = symbolic(v).items, symbolic(names).items
    return column([sp.diff(c, y) - sp.diff(b, z), sp.diff(a, z) - sp.diff(c, x),
                   sp.diff(b, x) - sp.diff(a, y)])  # fmt: skip


def _part(function: Callable[..., Any]) -> Rule:
    def part(nargout: int, x: Any, k: Any = 0) -> Any:
        found = function(symbolic(x).array, int(symbolic(k).one))
        return Sym(each(lambda item: sp.sympify(item), np.atleast_2d(found)))

    return part


def _diagonal(array: Any, k: int) -> Any:
    return np.diag(array.ravel(), k) if 1 in array.shape else np.diag(array, k)[:, None]


def _filled(make: Callable[..., Any]) -> Rule:
    """``zeros(2, 3, 'sym')`` and ``zeros(2, 3, 'like', x)``."""

    def filled(nargout: int, *args: Any) -> Any:
        sizes = [int(n) for a in args if not isinstance(a, str | Sym) for n in a.ravel()] or [1]
        sizes = sizes * 2 if len(sizes) == 1 else sizes
        while len(sizes) > 2 and sizes[-1] == 1:
            sizes.pop()
        return symbolic(make(sizes))

    return filled


def _operator(name: str) -> Rule:
    return lambda nargout, *args: apply(name, args)


Sym.functions |= {
    **{name: _elementwise(own) for name, own in _ELEMENTWISE.items()},
    **{name: _pairwise(own) for name, own in _OF_PAIRS.items()},
    **{kind: _integers(kind) for kind in _INTEGERS},
    **{name.rstrip("_"): _operator(name) for name in OPERATORS},
    "zeros": _filled(np.zeros), "ones": _filled(np.ones),
    "eye": _filled(lambda sizes: np.eye(*sizes)), "num2str": char,
    "log2": _log_of(2), "log10": _log_of(10),
    "isnan": _question(lambda v: v is sp.nan),
    "isinf": _question(lambda v: bool(v.is_infinite)),
    "isfinite": _question(lambda v: v is not sp.nan and not v.is_infinite),
    "fix": lambda nargout, x: symbolic(x).map(lambda v: sp.sign(v) * sp.floor(sp.Abs(v))),
    "round": lambda nargout, x: symbolic(x).map(
        lambda v: sp.sign(v) * sp.floor(sp.Abs(v) + sp.Rational(1, 2))),
    "rank": lambda nargout, a: float(symbolic(a).matrix.rank()),
    "trace": lambda nargout, a: Sym(_square(a, "trace").trace()),
    "expm": lambda nargout, a: from_matrix(done(_square(a, "expm").exp)),
    "adjoint": lambda nargout, a: from_matrix(_square(a, "adjoint").adjugate()),
    "rref": lambda nargout, a: from_matrix(symbolic(a).matrix.rref()[0]),
    "kron": lambda nargout, a, b: from_matrix(
        sp.Matrix(sp.kronecker_product(symbolic(a).matrix, symbolic(b).matrix))),
    "sum": _along(lambda line: [sp.Add(*line)]), "prod": _along(lambda line: [sp.Mul(*line)]),
    "mean": _along(lambda line: [sp.Add(*line) / len(line)]),
    "cumsum": _along(_running("Add")), "cumprod": _along(_running("Mul")),
    "any": lambda nargout, x: np.atleast_2d(logical(1, x).any(0 if x.array.shape[0] > 1 else 1)),
    "all": lambda nargout, x: np.atleast_2d(logical(1, x).all(0 if x.array.shape[0] > 1 else 1)),
    "diag": _part(_diagonal), "tril": _part(np.tril), "triu": _part(np.triu),
    "symvar": lambda nargout, x: column(variables(symbolic(x)), row=True),
    "formula": lambda nargout, f: Sym(f.array),
    "argnames": lambda nargout, f: column(f.arguments, row=True),
}  # fmt: skip
