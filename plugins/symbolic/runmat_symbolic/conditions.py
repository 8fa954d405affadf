"""All solutions of equations, with their parameters and the conditions under which they hold."""

from __future__ import annotations

from typing import Any

from runmat_symbolic.assumed import member
from runmat_symbolic.common import done, order
from runmat_symbolic.lazy import sp

#: A solution by unknowns, and its condition.
Conditional = tuple[dict[Any, Any], Any]
#: Names of parameters, the first ones that an equation does not have.
_PARAMETERS = ("k", "l", "m", "n", "z1", "z2", "z3", "z4")


def all_solutions(zero: Any, name: Any) -> tuple[list[Conditional], list[Any]] | None:
    """The solutions of one equation, and the parameters among them; None where there is no form."""
    domain = sp.S.Reals if name.is_real else sp.S.Complexes
    found = done(sp.solveset, zero, name, domain)
    parts = found.args if isinstance(found, sp.Union) else (found,)
    plain: list[Any] = []
    families: list[tuple[Any, Any]] = []
    free = [
        p for p in _PARAMETERS if sp.Symbol(p) not in {sp.Symbol(s.name) for s in zero.free_symbols}
    ]
    k = sp.Symbol(free[0])
    for part in parts:
        if isinstance(part, sp.FiniteSet):
            plain += part.args
        elif isinstance(part, sp.ImageSet) and part.base_sets == (sp.S.Integers,):
            values = sp.expand(part.lamda(k))
            step = values.coeff(k, 1)
            if values.coeff(k, 0) + step * k != values:
                return None
            families.append((step, values.coeff(k, 0)))
        elif part is not sp.S.EmptySet:
            return None
    solutions: list[Conditional] = [({name: v}, defined(v)) for v in sorted(plain, key=order)]
    whole = member(k.name, "integer")[0]
    for step, start in _merged(families):
        value = start + step * k
        if defined(value) is not sp.true:
            return None
        solutions.append(({name: value}, whole))
    return solutions, [k] if families else []


def defined(value: Any) -> Any:
    """The condition that nothing divides by zero."""
    divisors = sp.denom(sp.together(value)).as_ordered_factors()
    return sp.And(*[sp.Ne(d.as_base_exp()[0], 0) for d in divisors if d.free_symbols])


def _merged(families: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Multiples of a step, as multiples of its half where those in between are there, too."""
    for at, (step, start) in enumerate(families):
        for other in families[at + 1 :]:
            away = sp.simplify(other[1] - start)
            if other[0] == step and sp.simplify(2 * away - step) == 0:
                rest = [f for f in families if f not in (families[at], other)]
                return _merged([*rest, (step / 2, start)])
    return families
