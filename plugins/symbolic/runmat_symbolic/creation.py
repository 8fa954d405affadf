"""Making symbolic values, and what is assumed of variables."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_core.api.errors import size_limit
from runmat_symbolic import assumed, functions  # noqa: F401 - which marks what functions are
from runmat_symbolic.assumed import SETS, State
from runmat_symbolic.common import integer, several
from runmat_symbolic.lazy import error, sp
from runmat_symbolic.value import Sym, cells, symbolic

_FUNCTION = re.compile(r"([A-Za-z]\w*)\(([\w\s,]+)\)")


#: More variables than a matrix of them can be computed with.
_MOST_VARIABLES = 2**20


def _elements(state: State, name: str, sizes: list[int], sets: list[str]) -> Sym:
    """The matrix of variables ``A1_1``, ``A1_2``…; of a vector, ``a1``, ``a2``…"""
    if len(sizes) > 2:
        raise error("sym:sym:InvalidSize", "The size must be one number, or two.")
    if not name.replace("%d", "1").isidentifier():
        raise error("sym:sym:InvalidName", f"'{name}' is not a valid variable name.")
    rows, columns = sizes if len(sizes) > 1 else sizes * 2
    if rows * columns > _MOST_VARIABLES:
        raise size_limit()
    form = name if "%d" in name else f"{name}%d" if 1 in (rows, columns) else f"{name}%d_%d"
    two = form.count("%d") == 2
    items = [
        state.suppose(form % ((i, j) if two else max(i, j)), sets)
        for j in range(1, columns + 1) for i in range(1, rows + 1)
    ]  # fmt: skip
    return Sym(cells(items, (rows, columns)))


@builtin("syms", family="symbolic", lift="arrays", nargout=0, needs=("interp",))
def syms(*words: Any, interp: Interp) -> None:
    """Symbolic variables in the workspace.

    syms x y makes the variables x and y, of which nothing is assumed
    syms x real makes x with an assumption: real, positive, integer or rational
    syms f(x) makes the function f and its variable x
    syms A [2 2] makes a matrix of variables
    syms lists the symbolic variables of the workspace

    Examples:
        >> syms x
        >> f = x^2 + 1
        f =
        x^2 + 1

    See also: sym, assume.
    """
    state, workspace = assumed.of(interp), interp.workspace()
    if not words:
        held = [n for n in workspace.names() if isinstance(interp.to_python(workspace.get(n)), Sym)]
        interp.write(f"Your symbolic variables are:\n\n{' '.join(sorted(held))}\n" if held else "")
    if not all(isinstance(word, str) for word in words):
        raise error("syms:InvalidArgument", "Arguments of 'syms' must be names.")
    text = re.sub(r"\s*,\s*|(?<=\()\s+|\s+(?=\))", lambda m: m[0].strip(), " ".join(words))
    found = re.search(r"\[([\d\s,]+)\]|(?<=\s)(\d+)(?=\s|$)", text)
    sizes = [int(n) for n in re.findall(r"\d+", found[0])] if found else []
    names = (text.replace(found[0], " ") if found else text).split()
    sets = [name for name in names if name in SETS]
    for name in names[: len(names) - len(sets)]:
        function = _FUNCTION.fullmatch(name)
        if function:
            args = tuple(state.suppose(arg, sets) for arg in function[2].split(","))
            for arg in args:
                workspace.set(arg.name, interp.to_matlab(Sym(arg)))
            value = Sym(sp.Function(function[1])(*args), args)
        elif not name.replace("%d", "1").isidentifier():
            raise error("sym:sym:InvalidName", f"'{name}' is not a valid variable name.")
        else:
            value = (_elements(state, name, sizes, sets) if sizes
                     else Sym(state.suppose(name, sets)))  # fmt: skip
        workspace.set(function[1] if function else name, interp.to_matlab(value))


@builtin("sym", family="symbolic", lift="arrays", nargin=(1, None), needs=("interp",))
def sym(x: Any, *options: Any, interp: Interp) -> Any:
    """Symbolic number, variable or matrix.

    S = sym(X) is the number X exactly, or the variable called X
    S = sym(X, FLAG) with 'r' (simple fractions, the default), 'd' (decimals), 'f' (exact binary)
    S = sym(NAME, [M N]) is a matrix of variables; sym(NAME, 'real') has an assumption

    Examples:
        >> sym(0.5)
        ans =
        1/2

    See also: syms, vpa, double.
    """
    state = assumed.of(interp)
    words = [w for o in options for w in several(o) if isinstance(w, str)]
    sets = [w for w in words if w in SETS]
    if isinstance(x, str):
        sizes = [integer(n) for o in options if isinstance(o, np.ndarray) for n in o.ravel()]
        if sizes:
            return _elements(state, x, sizes, sets)
        if sets or "clear" in words:
            return Sym(state.suppose(x, sets))
        return symbolic(x).map(
            lambda item: item.xreplace({s: state.variable(s.name) for s in item.free_symbols})
        )
    form = words[0] if words else "r"
    if form not in ("r", "d", "f", "e"):
        raise MatlabError(
            "symbolic:sym:sym:InvalidFlag", "Second argument must be 'r', 'd', 'e' or 'f'."
        )
    return symbolic(x, form)


@builtin("str2sym", family="symbolic", lift="arrays")
def str2sym(text: str) -> Any:
    """Symbolic expression of text.

    S = str2sym(TEXT)

    Examples:
        >> str2sym('x^2 + 1')
        ans =
        x^2 + 1

    See also: sym, syms.
    """
    return symbolic(text)


@builtin("symfun", family="symbolic", lift="arrays")
def symfun(f: Any, inputs: Any) -> Any:
    """Symbolic function.

    F = symfun(EXPRESSION, INPUTS) is F(INPUTS) = EXPRESSION

    Examples:
        >> syms x y
        >> f = symfun(x + y, [x y])
        f(x, y) =
        x + y

    See also: syms, argnames.
    """
    return Sym(symbolic(f).array, tuple(symbolic(inputs).items))


@builtin("piecewise", family="symbolic", lift="arrays", nargin=(2, None))
def piecewise(*parts: Any) -> Any:
    """Expression that depends on conditions.

    F = piecewise(COND1, VALUE1, COND2, VALUE2, …, OTHERWISE); NaN where no condition holds

    Examples:
        >> syms x
        >> f = piecewise(x < 0, -1, x > 0, 1);
        >> subs(f, x, 5)
        ans =
        1

    See also: sym, subs.
    """
    from sympy.logic.boolalg import Boolean

    items = [symbolic(part).one for part in parts]
    items[:-1:2] = [item.doit() for item in items[:-1:2]]
    if not all(isinstance(item, Boolean) for item in items[:-1:2]):
        raise error("sym:piecewise:InvalidCondition", "Conditions must be symbolic conditions.")
    last = [(items[-1] if len(items) % 2 else sp.nan, True)]
    return Sym(sp.Piecewise(*zip(items[1::2], items[::2], strict=False), *last))


@builtin("assume", family="symbolic", lift="arrays", nargin=(1, 2), nargout=0, needs=("interp",))
def assume(what: Any, how: Any = None, *, interp: Interp) -> None:
    """Set what is assumed of variables, in place of earlier assumptions.

    assume(X, SET) with 'real', 'positive', 'integer', 'rational' or 'clear'
    assume(CONDITION), such as x > 0

    Examples:
        >> syms x
        >> assume(x, 'positive')
        >> sqrt(x^2)
        ans =
        x

    See also: assumeAlso, assumptions, syms.
    """
    assumed.assume(what, how, False, interp)


@builtin("assumeAlso", family="symbolic", lift="arrays", nargin=(1, 2), nargout=0,
         needs=("interp",))  # fmt: skip
def assume_also(what: Any, how: Any = None, *, interp: Interp) -> None:
    """Add to what is assumed of variables.

    assumeAlso(X, SET), assumeAlso(CONDITION)

    Examples:
        >> syms x real
        >> assumeAlso(x < 3)
        >> assumptions(x)
        ans =
        [in(x, 'real'), x < 3]

    See also: assume, assumptions.
    """
    assumed.assume(what, how, True, interp)


@builtin("assumptions", family="symbolic", lift="arrays", nargin=(0, 1), needs=("interp",))
def assumptions(what: Any = None, *, interp: Interp) -> Any:
    """Assumptions of variables, in a row.

    A = assumptions(X)

    Examples:
        >> syms x positive
        >> assumptions(x)
        ans =
        0 < x

    See also: assume.
    """
    known = assumed.of(interp).conditions
    names = sorted(known) if what is None else [
        s.name for item in symbolic(what).items for s in item.free_symbols]  # fmt: skip
    found = list(dict.fromkeys(c for name in names for c in known.get(name, ())))
    return Sym(cells(found, (1, len(found))))
