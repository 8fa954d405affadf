"""Integrals, limits, sums, series and transforms."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_symbolic.common import (
    default,
    done,
    integer,
    is_variable,
    named_variables,
    options,
    unknown,
    variables,
)
from runmat_symbolic.lazy import error, sp
from runmat_symbolic.value import Sym, cells, from_matrix, symbolic


def _definite(own: str, f: Any, args: tuple[Any, ...]) -> Any:
    f = symbolic(f)
    plain, _ = options(args, "IgnoreAnalyticConstraints", "IgnoreSpecialCases", "PrincipalValue")
    # int(F, A, B) has two limits, int(F, X, [A B]) a variable and both
    named = len(plain) in (1, 3) or (len(plain) == 2 and np.size(symbolic(plain[1]).array) == 2)
    if plain and named and (is_variable(plain[0]) or isinstance(plain[0], str)):
        name = unknown(plain.pop(0), f)
    else:
        name = default(f)
    limits = [item for a in plain for item in symbolic(a).items]
    if len(limits) not in (0, 2):
        raise error("sym:int:InvalidLimits", "Limits must be two expressions.")
    if own == "integrate":
        span = (name, *limits) if limits else name
        return f.map(lambda item: done(sp.integrate, item, span))
    k = name
    if limits:
        return f.map(lambda item: sp.factor(sp.simplify(
            done(getattr(sp, own), item, (name, *limits)).doit())))  # fmt: skip
    # the indefinite sum has the difference or quotient f: it runs up to k - 1
    dummy = sp.Dummy("m", integer=True)
    return f.map(lambda item: sp.expand(
        done(getattr(sp, own), item.subs(k, dummy), (dummy, 0 if own == "summation" else 1, k - 1))
        .doit()))  # fmt: skip


@builtin("int", family="symbolic", lift="arrays", nargin=(1, None))
def integral(f: Any, *args: Any) -> Any:
    """Integral of an expression.

    F = int(F, X), or over an interval: int(F, X, A, B)

    Examples:
        >> syms x
        >> int(x^2, 0, 3)
        ans =
        9

    See also: diff, symsum.
    """
    return _definite("integrate", f, args)


@builtin("symsum", family="symbolic", lift="arrays", nargin=(1, 4))
def symsum(f: Any, *args: Any) -> Any:
    """Sum of a series.

    S = symsum(F, K, A, B)

    Examples:
        >> syms k
        >> symsum(k, k, 1, 10)
        ans =
        55

    See also: symprod, int.
    """
    return _definite("summation", f, args)


@builtin("symprod", family="symbolic", lift="arrays", nargin=(1, 4))
def symprod(f: Any, *args: Any) -> Any:
    """Product of a series.

    P = symprod(F, K, A, B)

    Examples:
        >> syms k
        >> symprod(k, k, 1, 5)
        ans =
        120

    See also: symsum.
    """
    return _definite("product", f, args)


@builtin("limit", family="symbolic", lift="arrays", nargin=(1, 4))
def limit(f: Any, *args: Any) -> Any:
    """Limit of an expression.

    L = limit(F, X, A), from one side: limit(F, X, A, 'left')

    Examples:
        >> syms x
        >> limit(sin(x)/x, x, 0)
        ans =
        1

    See also: diff, taylor.
    """
    f = symbolic(f)
    sides = {"left": "-", "right": "+"}
    side = next((sides[a] for a in args if isinstance(a, str) and a in sides), "+-")
    rest = [a for a in args if not isinstance(a, str)]
    name = unknown(rest[0], f) if len(rest) > 1 else default(f)
    point = symbolic(rest[-1]).one if rest else sp.Integer(0)

    def found(item: Any) -> Any:
        if point.is_infinite:
            return done(sp.limit, item, name, point)
        if side != "+-":
            return done(sp.limit, item, name, point, side)
        left, right = (done(sp.limit, item, name, point, s) for s in "-+")
        return right if left == right or sp.simplify(left - right) == 0 else sp.nan

    return f.map(found)


@builtin("taylor", family="symbolic", lift="arrays", nargin=(1, None))
def taylor(f: Any, *args: Any) -> Any:
    """Taylor polynomial.

    T = taylor(F, X, A, 'Order', N) has the terms below the power N, which is 6 by default
    T = taylor(F, [X Y], [A B]) of several variables

    Examples:
        >> syms x
        >> taylor(exp(x), x, 'Order', 3)
        ans =
        x^2/2 + x + 1

    See also: limit, diff.
    """
    f = symbolic(f)
    plain, given = options(args, "Order", "ExpansionPoint", "OrderMode")
    names = [v for v in plain[:1] if isinstance(v, Sym) for v in v.items if v.is_Symbol]
    point = plain[len(names[:1]) :] or [given.get("ExpansionPoint", 0.0)]
    names = names or [default(f)]
    at = symbolic(point[0]).items
    at = at * len(names) if len(at) == 1 else at
    if len(at) != len(names):
        raise error("sym:taylor:InvalidPoint", "There must be a point for each variable.")
    order = integer(given.get("Order", 6.0), 1)
    if len(names) == 1:
        return f.map(lambda item: done(sp.series, item, names[0], at[0], order).removeO())
    # along the line from the point to the variables
    t = sp.Dummy("t")
    line = {n: a + t * (n - a) for n, a in zip(names, at, strict=True)}

    def found(item: Any) -> Any:
        series = done(sp.series, item.subs(line, simultaneous=True), t, 0, order)
        return sp.expand(series.removeO().subs(t, 1))

    return f.map(found)


@builtin("jacobian", family="symbolic", lift="arrays", nargin=(1, 2))
def jacobian(f: Any, x: Any = None) -> Any:
    """Matrix of first derivatives.

    J = jacobian(F, X)

    Examples:
        >> syms x y
        >> jacobian([x*y; x], [x y])
        ans =
        [y, x]
        [1, 0]

    See also: hessian, gradient.
    """
    f = symbolic(f)
    names = named_variables(x, f)
    slopes = [done(sp.diff, item, name) for name in names for item in f.items]
    return Sym(cells(slopes, (len(f.items), len(names))))


@builtin("hessian", family="symbolic", lift="arrays", nargin=(1, 2))
def hessian(f: Any, x: Any = None) -> Any:
    """Matrix of second derivatives.

    H = hessian(F, X)

    Examples:
        >> syms x y
        >> hessian(x^2*y, [x y])
        ans =
        [2*y, 2*x]
        [2*x,   0]

    See also: jacobian, gradient.
    """
    f = symbolic(f)
    return from_matrix(done(sp.hessian, f.one, named_variables(x, f)))


def _transformed(own: str, f: Any, args: tuple[Any, ...], source: str, target: str) -> Any:
    """A transform of SymPy's; it knows the variables of functions of time as positive or real."""
    f = symbolic(f)
    named = next((s for s in variables(f) if s.name == source), None)
    old = unknown(args[0], f) if len(args) == 2 else named or default(f)
    new = symbolic(args[-1]).one if args else sp.Symbol(target)
    is_laplace = "laplace" in own
    t = sp.Dummy("t", positive=True) if is_laplace else sp.Dummy("t", real=True)
    w = sp.Dummy("w", real=True)

    def rule(item: Any) -> Any:
        if own == "laplace":
            return sp.laplace_transform(item.subs(old, t), t, new, noconds=True)
        if own == "ilaplace":
            return sp.inverse_laplace_transform(item, old, t).subs(t, new)
        if own == "fourier":
            found = sp.fourier_transform(item.subs(old, t), t, w / (2 * sp.pi))
        else:
            found = sp.fourier_transform(item.subs(old, t), t, -w / (2 * sp.pi)) / (2 * sp.pi)
        return sp.simplify(found).subs(w, new)

    return f.map(lambda item: done(rule, item))


@builtin("laplace", family="symbolic", lift="arrays", nargin=(1, 3))
def laplace(f: Any, *args: Any) -> Any:
    """Laplace transform.

    F = laplace(F, T, S)

    Examples:
        >> syms t
        >> laplace(t)
        ans =
        1/s^2

    See also: ilaplace, fourier.
    """
    return _transformed("laplace", f, args, "t", "s")


@builtin("ilaplace", family="symbolic", lift="arrays", nargin=(1, 3))
def ilaplace(f: Any, *args: Any) -> Any:
    """Inverse Laplace transform.

    F = ilaplace(F, S, T)

    Examples:
        >> syms s
        >> ilaplace(1/s^2)
        ans =
        t

    See also: laplace.
    """
    return _transformed("ilaplace", f, args, "s", "t")


@builtin("fourier", family="symbolic", lift="arrays", nargin=(1, 3))
def fourier(f: Any, *args: Any) -> Any:
    """Fourier transform, the integral of f(x)*exp(-1i*w*x).

    F = fourier(F, X, W)

    Examples:
        >> syms x
        >> fourier(exp(-x^2))
        ans =
        pi^(1/2)*exp(-w^2/4)

    See also: ifourier, laplace.
    """
    return _transformed("fourier", f, args, "x", "w")


@builtin("ifourier", family="symbolic", lift="arrays", nargin=(1, 3))
def ifourier(f: Any, *args: Any) -> Any:
    """Inverse Fourier transform.

    F = ifourier(F, W, X)

    Examples:
        >> syms w
        >> ifourier(exp(-w^2/4))
        ans =
        exp(-x^2)/pi^(1/2)

    See also: fourier.
    """
    return _transformed("ifourier", f, args, "w", "x")


def _of_numbers(own: str, x: Any) -> Any:
    value = symbolic(x).map(lambda item: done(getattr(sp, own), item))
    return value if isinstance(x, Sym) else Sym.functions["double"](1, value)


@builtin("heaviside", family="symbolic", lift="arrays")
def heaviside(x: Any) -> Any:
    """Heaviside step function, which is 1/2 at zero.

    Y = heaviside(X)

    Examples:
        >> heaviside([-1 0 2])
        ans =
                 0    0.5000    1.0000

    See also: dirac, laplace.
    """
    return _of_numbers("Heaviside", x)


@builtin("dirac", family="symbolic", lift="arrays")
def dirac(x: Any) -> Any:
    """Dirac delta function, the derivative of `heaviside`.

    Y = dirac(X)

    Examples:
        >> syms x
        >> diff(heaviside(x))
        ans =
        dirac(x)

    See also: heaviside.
    """
    return Sym.functions["double"](1, symbolic(np.where(x == 0, np.inf, 0.0))) if isinstance(
        x, np.ndarray) else _of_numbers("DiracDelta", x)  # fmt: skip
