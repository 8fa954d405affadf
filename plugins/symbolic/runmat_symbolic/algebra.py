"""Rewriting expressions, polynomials, decimals and functions of numbers."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

from runmat_core.api import Interp, builtin
from runmat_symbolic import assumed
from runmat_symbolic.common import (
    column,
    default,
    done,
    integer,
    named_variables,
    options,
    several,
    unknown,
    variables,
    written,
)
from runmat_symbolic.lazy import error, sp
from runmat_symbolic.value import Sym, symbolic


@builtin("subs", family="symbolic", lift="arrays", nargin=(1, 3), needs=("interp",))
def subs(f: Any, old: Any = None, new: Any = None, *, interp: Interp) -> Any:
    """Substitution.

    G = subs(F, OLD, NEW) puts NEW in place of OLD; several may be in arrays or cells
    G = subs(F, NEW) puts NEW in place of the default variable
    G = subs(F) puts in the values that variables have in the workspace

    Examples:
        >> syms x y
        >> subs(x + y, x, 2)
        ans =
        y + 2

    See also: sym, double.
    """
    f = symbolic(f)
    if old is None:
        workspace = interp.workspace()
        held = {s: workspace.get(s.name) for s in variables(f) if s.name in workspace.names()}
        values = [interp.to_python(v) for v in held.values()]
        names: list[Any] = list(held)
    else:
        values = several(old if new is None else new)
        names = [default(f)] if new is None else [
            m for n in several(old)
            for m in ([unknown(n, f)] if isinstance(n, str) else symbolic(n).items)
        ]  # fmt: skip
    whole = [symbolic(v) for v in values]
    if len(names) == 1 and len(whole) == 1 and whole[0].array.size != 1:
        if f.array.size != 1:
            raise error("sym:subs:InconsistentDimensions", "Inconsistent sizes.")
        return whole[0].map(lambda v: f.one.subs(names[0], v))
    flat = [item for w in whole for item in w.items]
    flat = flat * len(names) if len(flat) == 1 else flat
    if len(flat) != len(names):
        raise error("sym:subs:InconsistentDimensions",
                    "Numbers of old and new expressions must agree.")  # fmt: skip
    pairs = dict(zip(names, flat, strict=True))

    # the derivatives of a function that is put in are wanted, not their names
    def put(item: Any) -> Any:
        made = done(item.subs, pairs, simultaneous=True)
        return made.doit(deep=False) if item.has(sp.Derivative) else made

    return f.map(put)


@builtin("expand", family="symbolic", lift="arrays", nargin=(1, None))
def expand(f: Any, *options: Any) -> Any:
    """Expanded expression.

    G = expand(F)

    Examples:
        >> syms x
        >> expand((x + 1)^2)
        ans =
        x^2 + 2*x + 1

    See also: factor, collect.
    """
    return symbolic(f).map(lambda item: done(sp.expand, item, trig=True))


@builtin("collect", family="symbolic", lift="arrays", nargin=(1, 2))
def collect(f: Any, x: Any = None) -> Any:
    """Expression in powers of a variable.

    G = collect(F, X)

    Examples:
        >> syms x y
        >> collect(x*y + x, x)
        ans =
        x*(y + 1)

    See also: expand, coeffs.
    """
    f = symbolic(f)
    name = default(f) if x is None else unknown(x, f)
    return f.map(lambda item: done(sp.collect, sp.expand(item), name))


@builtin("coeffs", family="symbolic", lift="arrays", nargin=(1, 3), nargout=2, needs=("nargout",))
def coeffs(f: Any, x: Any = None, order: Any = None, *, nargout: int) -> Any:
    """Coefficients of a polynomial that are not zero, the lowest power first.

    C = coeffs(F, X); [C, T] = coeffs(F, X) gives the powers too, the highest first
    C = coeffs(F, X, 'All') has the zeros too, the highest power first

    Examples:
        >> syms x
        >> coeffs(x^2 + 3)
        ans =
        [3, 1]

    See also: sym2poly, collect.
    """
    f = symbolic(f)
    every = any(isinstance(v, str) and v.lower() == "all" for v in (x, order))
    given = x is not None and not (isinstance(x, str) and x.lower() == "all")
    names = named_variables(x, f) if given else variables(f)
    names = names or [default(f)]
    poly = done(sp.Poly, f.one, *names)
    if every and len(names) == 1:
        found = [((n,), c) for n, c in zip(range(poly.degree(), -1, -1), poly.all_coeffs(),
                                           strict=True)]  # fmt: skip
    else:
        found = poly.terms() if nargout > 1 else poly.terms()[::-1]
    monomials = [sp.Mul(*(v**n for v, n in zip(names, powers, strict=True))) for powers, _ in found]
    return column([c for _, c in found], row=True), column(monomials, row=True)


@builtin("numden", family="symbolic", lift="arrays", nargin=(1, 1), nargout=2, needs=("nargout",))
def numden(f: Any, *, nargout: int) -> Any:
    """Numerator and denominator.

    [N, D] = numden(F)

    Examples:
        >> syms x
        >> [n, d] = numden(x/2)
        n =
        x
        d =
        2

    See also: simplify.
    """
    f = symbolic(f)
    return (f.map(lambda item: sp.fraction(sp.together(item))[0]),
            f.map(lambda item: sp.fraction(sp.together(item))[1]))  # fmt: skip


@builtin("sym2poly", family="symbolic", lift="arrays", nargin=(1, 1))
def sym2poly(f: Any) -> Any:
    """Coefficients of a polynomial as numbers, the highest power first.

    P = sym2poly(F)

    Examples:
        >> syms x
        >> sym2poly(x^2 + 3)
        ans =
             1     0     3

    See also: poly2sym, coeffs.
    """
    f = symbolic(f)
    found = done(sp.Poly, f.one, default(f)).all_coeffs()
    return np.array([[float(done(float, c)) for c in found]])


@builtin("poly2sym", family="symbolic", lift="arrays", nargin=(1, 2))
def poly2sym(p: Any, x: Any = None) -> Any:
    """Polynomial with given coefficients, the highest power first.

    F = poly2sym(P, X)

    Examples:
        >> poly2sym([1 0 3])
        ans =
        x^2 + 3

    See also: sym2poly.
    """
    p = symbolic(p)
    name = sp.Symbol("x") if x is None else symbolic(x).one
    n = len(p.items)
    return Sym(sp.Add(*(c * name ** (n - 1 - k) for k, c in enumerate(p.items))))


@builtin("vpa", family="symbolic", lift="arrays", nargin=(1, 2), needs=("interp",))
def vpa(x: Any, digits: Any = None, *, interp: Interp) -> Any:
    """Decimals of expressions.

    Y = vpa(X, D) with D digits, 32 unless `digits` says otherwise

    Examples:
        >> vpa(sym(pi), 10)
        ans =
        3.141592654

    See also: digits, sym.
    """
    count = assumed.of(interp).digits if digits is None else integer(digits, 1)
    return symbolic(x).map(lambda item: item.evalf(count))


@builtin("digits", family="symbolic", lift="arrays", nargin=(0, 1), nargout=1,
         needs=("nargout", "interp"))  # fmt: skip
def digits(d: Any = None, *, nargout: int, interp: Interp) -> Any:
    """How many digits `vpa` gives.

    D = digits; digits(D) sets it, OLD = digits(D) gives what it was

    Examples:
        >> digits
        Digits = 32

    See also: vpa.
    """
    state = assumed.of(interp)
    old = state.digits
    if d is not None:
        state.digits = integer(symbolic(d), 1)
    elif not nargout:
        interp.write(f"\nDigits = {old}\n\n")
    return float(old) if nargout else None


@builtin("isAlways", family="symbolic", lift="arrays", nargin=(1, 3))
def is_always(x: Any, *options: Any) -> Any:
    """Whether conditions hold for all values.

    T = isAlways(COND); false where that cannot be proved

    Examples:
        >> syms x
        >> isAlways((x + 1)^2 == x^2 + 2*x + 1)
        ans =
          logical
           1

    See also: isequal, simplify.
    """
    x = symbolic(x)

    def holds(item: Any) -> bool:
        if item.is_Relational:
            rest = sp.simplify(item.lhs - item.rhs)
            # the square of what is real is not negative, which SymPy knows of squares alone
            item = item.func(sp.factor(rest) if rest.is_polynomial() else rest, 0)
        return bool(done(sp.simplify, item.doit()) == sp.true)

    return np.array([holds(i) for i in x.items], bool).reshape(x.array.shape, order="F")


@builtin("rewrite", family="symbolic", lift="arrays", nargin=(2, 2))
def rewrite(f: Any, target: str) -> Any:
    """Expression in terms of another function.

    G = rewrite(F, TARGET) with TARGET such as 'exp', 'sin', 'cos', 'tan', 'log', 'sqrt'

    Examples:
        >> syms x
        >> rewrite(tan(x), 'exp');

    See also: simplify.
    """
    from runmat_symbolic.reading import named

    if not isinstance(target, str):
        raise error("sym:rewrite:InvalidTarget", "The target must be the name of a function.")
    return symbolic(f).map(lambda item: done(item.rewrite, named(target)))


@builtin("children", family="symbolic", lift="arrays", nargin=(1, 1))
def children(f: Any) -> Any:
    """Terms or operands of an expression, in a cell row.

    C = children(F)

    Examples:
        >> syms x
        >> children(x^2);

    See also: coeffs, numden.
    """
    return [Sym(a) for a in symbolic(f).one.args] or [symbolic(f)]


@builtin("latex", family="symbolic", lift="arrays", nargin=(1, 1))
def latex(f: Any) -> Any:
    """Expression as LaTeX.

    T = latex(F)

    Examples:
        >> syms x
        >> latex(x^2/3)
        ans =
            '\\frac{x^2}{3}'

    See also: pretty.
    """
    f = symbolic(f)
    text = str(sp.latex(f.one if f.array.size == 1 else f.matrix, mat_str="array",
                        mat_delim="("))  # fmt: skip
    return re.sub(r"([\^_])\{(\w)\}", r"\1\2", text)


@builtin("pretty", family="symbolic", lift="arrays", nargin=(1, 1), nargout=0, needs=("interp",))
def pretty(f: Any, *, interp: Interp) -> None:
    """Expression printed over several lines.

    pretty(F)

    Examples:
        >> syms x
        >> pretty(x + 1)
        x + 1

    See also: latex.
    """
    f = symbolic(f)
    shown = sp.pretty(f.one if f.array.size == 1 else f.matrix, use_unicode=False)
    interp.write(f"{shown}\n")


@builtin("matlabFunction", family="symbolic", lift="arrays", nargin=(1, None), needs=("interp",))
def matlab_function(*args: Any, interp: Interp) -> Any:
    """Function handle that computes expressions of numbers.

    G = matlabFunction(F); the inputs are the variables in the order of their names
    G = matlabFunction(F1, F2, …) has an output for each expression
    G = matlabFunction(F, 'Vars', {X, [Y Z]}) takes X, and Y and Z in an array
    matlabFunction(F, 'File', NAME) writes the function to a file

    Examples:
        >> syms x
        >> g = matlabFunction(x^2)
        g =
          function_handle with value:
            @(x)x.^2

    See also: subs, double.
    """
    plain, given = options(args, "Vars", "File", "Outputs", "Optimize", "Comments", "Sparse")
    values = [symbolic(f) for f in plain]
    inputs = [symbolic(v).array for v in several(given["Vars"])] if "Vars" in given else [
        Sym(a).array for a in values[0].arguments or variables(*values)]  # fmt: skip
    if len(inputs) == 1 and isinstance(given.get("Vars"), Sym):
        inputs = list(inputs[0].reshape(-1, 1, 1, order="F"))
    heads, parts = [], {}
    for k, array in enumerate(inputs, 1):
        name = f"in{k}" if array.size > 1 else str(array.item())
        heads.append(name)
        for position, item in enumerate(array.ravel(order="F") if array.size > 1 else (), 1):
            where = f"{position},:" if array.shape[1] == 1 else f":,{position}"
            parts[item] = sp.Symbol(f"{name}({where})")

    def text(value: Sym) -> str:
        rows = [[re.sub(r"(?<!\.)([*/^])", r".\1", written(sp.sympify(i).xreplace(parts)))
                 for i in row] for row in value.array]  # fmt: skip
        body = ";".join(map(",".join, rows))
        return body if value.array.size == 1 else f"[{body}]"

    head = ",".join(heads)
    if "File" in given:
        path = Path(interp.current_directory(), str(given["File"])).with_suffix(".m")
        outs = [f"out{k}" for k in range(1, len(values) + 1)]
        lines = [f"  {out} = {text(v)};\n" for out, v in zip(outs, values, strict=True)]
        path.write_text(f"function [{','.join(outs)}] = {path.stem}({head})\n{''.join(lines)}end\n")
        interp.rehash()
        return interp.evaluate(f"@{path.stem}", interp.empty_workspace(), 1)
    body = ",".join(map(text, values))
    code = f"@({head}){body}" if len(values) == 1 else f"@({head})deal({body})"
    return interp.evaluate(code, interp.empty_workspace(), 1)
