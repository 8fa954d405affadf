"""Solving equations, algebraic and differential."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runmat_core.api import Interp, MatlabError, builtin
from runmat_symbolic import assumed
from runmat_symbolic.common import (
    column,
    default,
    done,
    options,
    order,
    ordered,
    unknown,
    variables,
)
from runmat_symbolic.conditions import all_solutions, defined
from runmat_symbolic.lazy import error, sp
from runmat_symbolic.value import Sym, from_matrix, symbolic


def _equations(args: Sequence[Any]) -> tuple[list[Any], list[Any], list[Any]]:
    """Equations, the unknowns, and what else is given: solve(EQ1, EQ2, X, Y) or in arrays."""
    items: list[Any] = []
    names: list[Any] = []
    rest = list(args)
    while rest and isinstance(rest[0], Sym) and not _are_unknowns(rest[0]):
        items += rest.pop(0).items
    given = column(items) if items else symbolic(rest.pop(0))
    while rest and (isinstance(rest[0], str) or _are_unknowns(rest[0])):
        name = rest.pop(0)
        names += [unknown(name, given)] if isinstance(name, str) else name.items
    if not names:
        names = [default(given)] if given.array.size == 1 else variables(given)
    return given.items, names, rest


def _are_unknowns(value: Any) -> bool:
    return isinstance(value, Sym) and all(
        item.is_Symbol or isinstance(item, sp.core.function.AppliedUndef) for item in value.items
    )


def _zero(item: Any) -> Any:
    return item.lhs - item.rhs if isinstance(item, sp.Eq) else item


def _given(found: Sequence[dict[Any, Any]], names: list[Any], nargout: int) -> Any:
    """Solutions as a column, as several, or as a structure."""
    columns = [column([one.get(n, n) for one in found]) for n in names]
    if len(names) == 1:
        return columns[0]
    if nargout > 1:
        return tuple(columns)
    return dict(zip((str(getattr(n, "func", n)) if n.is_Function else str(n) for n in names),
                    columns, strict=True))  # fmt: skip


@builtin("solve", family="symbolic", lift="arrays", nargin=(1, None), nargout=20,
         needs=("nargout", "interp"))  # fmt: skip
def solve(*args: Any, nargout: int, interp: Interp) -> Any:
    """Solutions of equations.

    S = solve(EQ, X) is a column of the solutions of one equation
    S = solve([EQ1 EQ2], [X Y]) is a structure; [X, Y] = solve(…) are columns
    S = solve(…, 'Real', true) leaves out what is not real
    S = solve(…, 'PrincipalValue', true) is the first solution
    [X, PARAMETERS, CONDITIONS] = solve(EQ, X, 'ReturnConditions', true) has all solutions of one
    equation; as a structure with one output

    Solutions that assumptions exclude are left out. Of equations with infinitely many solutions
    some are given.

    Examples:
        >> syms x
        >> solve(x^2 == 4)
        ans =
         -2
          2

    See also: dsolve, vpasolve, subs.
    """
    plain, given = options(args, "Real", "PrincipalValue", "MaxDegree", "ReturnConditions",
                           "IgnoreAnalyticConstraints", "IgnoreProperties")  # fmt: skip
    equations, names, _ = _equations(plain)
    if any(i.is_Relational and not isinstance(i, sp.Eq) for i in equations):
        found = done(sp.reduce_inequalities, [i.doit() for i in equations], names[0])
        return Sym(found)
    zeros, state = [_zero(i) for i in equations], assumed.of(interp)
    if given.get("ReturnConditions", False):
        return _conditional(zeros, names, state, nargout)
    found = _solved(zeros, names)
    found = [one for one in found if all(n in one for n in names)] or found
    found = [one for one in found if not state.excludes(one)]
    if given.get("Real", False):
        found = [one for one in found if all(v.is_real is not False for v in one.values())]
    found = _sorted(found, names)
    if given.get("PrincipalValue", False):
        found = found[:1]
    shaped = [{n: _shaped(v) for n, v in one.items()} for one in found]
    return _given(shaped, names, nargout)


def _conditional(zeros: list[Any], names: list[Any], state: assumed.State, nargout: int) -> Any:
    """Solutions with their parameters and conditions, in columns or as a structure."""
    whole = all_solutions(zeros[0], names[0]) if len(zeros) == len(names) == 1 else None
    if whole is None:
        found = _sorted(_solved(zeros, names), names)
        whole = [(one, sp.And(*map(defined, one.values()))) for one in found], []
    solutions, parameters = whole
    kept = [(one, condition) for one, condition in solutions if not state.excludes(one)]
    columns = [column([one.get(n, n) for one, _ in kept]) for n in names]
    conditions = column([condition for _, condition in kept])
    outputs = (*columns, column(parameters, row=True), conditions)
    if nargout > 1:
        return outputs
    return dict(zip((*map(str, names), "parameters", "conditions"), outputs, strict=True))


def _solved(zeros: list[Any], names: list[Any]) -> list[dict[Any, Any]]:
    try:
        found: list[dict[Any, Any]] = done(sp.solve, zeros, names, dict=True)
    except MatlabError:
        # SymPy solves equations with abs(x) for what is known to be real
        real = {n: sp.Dummy(str(n), real=True) for n in names if n.is_Symbol}
        if not any(zero.has(sp.Abs) for zero in zeros):
            raise
        solved = done(sp.solve, [z.subs(real) for z in zeros], list(real.values()), dict=True)
        back = {dummy: name for name, dummy in real.items()}
        found = [{back[k]: v.subs(back) for k, v in one.items()} for one in solved]
    return found


def _sorted(found: list[dict[Any, Any]], names: list[Any]) -> list[dict[Any, Any]]:
    return sorted(found, key=lambda one: [order(one.get(name, name)) for name in names])


def _shaped(value: Any) -> Any:
    """A solution over one denominator where it has variables."""
    return sp.together(value) if value.free_symbols else value


@builtin("vpasolve", family="symbolic", lift="arrays", nargin=(1, None), nargout=20,
         needs=("nargout", "interp"))  # fmt: skip
def vpasolve(*args: Any, nargout: int, interp: Interp) -> Any:
    """Solutions of equations as decimals.

    S = vpasolve(EQ, X); all of a polynomial, else one
    S = vpasolve(EQ, X, GUESS), S = vpasolve([EQ1 EQ2], [X Y], [GUESS1 GUESS2])

    Examples:
        >> syms x
        >> vpasolve(x^3 == 2*x, x, 1)
        ans =
        1.4142135623730950488016887242097

    See also: solve, vpa.
    """
    digits = assumed.of(interp).digits
    equations, names, guesses = _equations(args)
    if not equations:
        raise error("sym:vpasolve:NoEquations", "There must be an equation.")
    zeros = [_zero(i) for i in equations]
    if not guesses and all(zero.is_polynomial(*names) for zero in zeros):
        if len(names) == 1:
            return column(ordered(done(sp.Poly(zeros[0], *names).nroots, digits, maxsteps=200)))
        exactly = done(sp.solve, zeros, names, dict=True)
        found = [{n: v.evalf(digits) for n, v in one.items()} for one in exactly]
        return _given(_sorted(found, names), names, nargout)
    start = symbolic(guesses[0]).items if guesses else [sp.Integer(1)] * len(names)
    if len(names) == 1:
        near = start[0] if len(start) == 1 else tuple(start)
        values = [done(sp.nsolve, zeros[0], names[0], near, prec=digits)]
    else:
        values = list(done(sp.nsolve, zeros, names, start, prec=digits))
    return _given([dict(zip(names, values, strict=True))], names, nargout)


@builtin("isolate", family="symbolic", lift="arrays")
def isolate(equation: Any, x: Any) -> Any:
    """Equation with an expression alone on its left side.

    E = isolate(EQ, X)

    Examples:
        >> syms a b x
        >> isolate(a*x == b, x)
        ans =
        x == b/a

    See also: solve, lhs, rhs.
    """
    name = symbolic(x).one
    found = done(sp.solve, _zero(symbolic(equation).one), name)
    if not found:
        raise error("isolate:NoSolution", "Unable to isolate the expression.")
    return Sym(sp.Eq(name, _shaped(found[-1]), evaluate=False))


@builtin("equationsToMatrix", family="symbolic", lift="arrays", nargin=(1, None), nargout=2,
         needs=("nargout",))  # fmt: skip
def equations_to_matrix(*args: Any, nargout: int) -> Any:
    """Matrix form of linear equations.

    [A, B] = equationsToMatrix([EQ1 EQ2], [X Y]), so that A*[X; Y] == B

    Examples:
        >> syms x y
        >> [A, b] = equationsToMatrix([x + y == 3, x - y == 1])
        A =
        [1,  1]
        [1, -1]
        b =
         3
         1

    See also: solve.
    """
    equations, names, _ = _equations(args)
    found = done(sp.linear_eq_to_matrix, [_zero(i) for i in equations], names)
    return tuple(map(from_matrix, found))


def _side(own: str, equation: Any) -> Any:
    return symbolic(equation).map(lambda item: getattr(item, own, item))


@builtin("lhs", family="symbolic", lift="arrays")
def lhs(equation: Any) -> Any:
    """Left side of an equation.

    L = lhs(EQ)

    Examples:
        >> syms x y
        >> lhs(x^2 == y)
        ans =
        x^2

    See also: rhs, isolate.
    """
    return _side("lhs", equation)


@builtin("rhs", family="symbolic", lift="arrays")
def rhs(equation: Any) -> Any:
    """Right side of an equation.

    R = rhs(EQ)

    Examples:
        >> syms x y
        >> rhs(x^2 == y)
        ans =
        y

    See also: lhs, isolate.
    """
    return _side("rhs", equation)


@builtin("dsolve", family="symbolic", lift="arrays", nargin=(1, None), nargout=20,
         needs=("nargout",))  # fmt: skip
def dsolve(*args: Any, nargout: int) -> Any:
    """Solutions of differential equations.

    S = dsolve(EQ), with conditions: dsolve(EQ, COND)
    S = dsolve([EQ1 EQ2]) is a structure; [U, V] = dsolve(…) are its parts

    Examples:
        >> syms y(t)
        >> dsolve(diff(y, t) == y, y(0) == 1)
        ans =
        exp(t)

    See also: solve, diff.
    """
    plain, _ = options(args, "Implicit", "IgnoreAnalyticConstraints", "ExpansionPoint", "Order",
                       "MaxDegree")  # fmt: skip
    items = [i for arg in plain if isinstance(arg, Sym) for i in arg.items]
    # in conditions the functions have values, in equations their variables
    equations = [i for i in items if i.atoms(sp.core.function.AppliedUndef) and not (
        isinstance(i, sp.Eq) and _is_condition(i.lhs))]  # fmt: skip
    functions = sorted({f for i in equations for f in i.atoms(sp.core.function.AppliedUndef)},
                       key=str)  # fmt: skip
    if not functions:
        raise error("dsolve:NoFunction", "No function to solve for.")
    known = {i.lhs: i.rhs for i in items if i not in equations}
    equations = [i if isinstance(i, sp.Eq) else sp.Eq(i, 0) for i in equations]
    if len(functions) > 1:
        found = done(sp.dsolve, equations, functions, ics=known or None)
        values = {e.lhs: sp.expand(e.rhs) for e in found}
        return _given([values], functions, nargout)
    found = done(sp.dsolve, equations[0], functions[0], ics=known or None)
    found = found if isinstance(found, list) else [found]
    return column([e.rhs if e.lhs == functions[0] else e for e in found])


def _is_condition(item: Any) -> bool:
    return bool(item.has(sp.Subs)) or (
        isinstance(item, sp.core.function.AppliedUndef) and not item.args[0].is_Symbol
    )
