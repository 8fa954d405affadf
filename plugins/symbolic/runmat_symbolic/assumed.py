"""What a session assumes of its variables: as in MATLAB it belongs to their names."""

from __future__ import annotations

from typing import Any

from runmat_core.api import Interp
from runmat_symbolic.lazy import error, sp
from runmat_symbolic.value import Sym, cells, symbolic

#: What SymPy knows of the variables in a set.
SETS = {"real": {"real": True}, "positive": {"positive": True}, "integer": {"integer": True},
        "rational": {"rational": True}}  # fmt: skip


class State:
    """Assumptions of a session, and the digits of its decimals.

    Attributes:
        conditions: for each name the conditions, and SymPy's facts that follow from each.
    """

    def __init__(self) -> None:
        self.digits = 32
        self.conditions: dict[str, dict[Any, dict[str, bool]]] = {}

    def variable(self, name: str) -> Any:
        facts: dict[str, bool] = {}
        for found in self.conditions.get(name, {}).values():
            facts |= found
        return sp.Symbol(name, **facts)

    def suppose(self, name: str, sets: list[str]) -> Any:
        """The variable of these sets, of which nothing else is assumed."""
        self.conditions.pop(name, None)
        for kind in sets:
            self.add(*member(name, kind))
        return self.variable(name)

    def add(self, condition: Any, facts: dict[str, bool]) -> None:
        for symbol in condition.free_symbols:
            if symbol.name.isidentifier():  # not the name of a set
                self.conditions.setdefault(symbol.name, {})[condition] = facts

    def excludes(self, values: dict[Any, Any]) -> bool:
        """Whether an assumption says that variables do not have these values."""
        plain = {sp.Symbol(name.name): value for name, value in values.items()}
        return any(
            condition.is_Relational and condition.doit().subs(plain) == sp.false
            for name in values
            for condition in self.conditions.get(getattr(name, "name", ""), ())
        )


def of(interp: Interp) -> State:
    return interp.state("symbolic", State)


def member(name: str, kind: str) -> tuple[Any, dict[str, bool]]:
    plain = sp.Symbol(name)
    if kind == "positive":
        return sp.StrictLessThan(0, plain, evaluate=False), SETS[kind]
    return sp.Function("in")(plain, sp.Symbol(f"'{kind}'")), SETS[kind]


def _relation(condition: Any) -> tuple[Any, dict[str, bool]]:
    """A comparison in the form of MATLAB, and what follows from it where one side is a number."""
    condition = condition.xreplace({s: sp.Symbol(s.name) for s in condition.free_symbols})
    if condition.rel_op in (">", ">="):
        condition = condition.reversed
    left, right, strict = condition.lhs, condition.rhs, condition.rel_op == "<"
    if condition.rel_op in ("<", "<="):
        if left.is_number and right.is_Symbol and not left.is_negative:
            return condition, {"positive" if strict or left.is_positive else "nonnegative": True}
        if right.is_number and left.is_Symbol and not right.is_positive:
            return condition, {"negative" if strict or right.is_negative else "nonpositive": True}
        return condition, {"real": True} if left.is_number or right.is_number else {}
    return condition, {"zero": False} if condition.rel_op == "!=" and right == 0 else {}


def assume(what: Any, how: Any, also: bool, interp: Interp) -> None:
    """Set or add assumptions, and put the variables so assumed into the workspace's values."""
    state = of(interp)
    what = symbolic(what)
    names = [s.name for item in what.items for s in item.free_symbols]
    if how is None:
        parts = [p for item in what.items for p in (item.args if isinstance(item, sp.And) else
                                                    [item])]  # fmt: skip
        known = [_relation(p) for p in parts if p.is_Relational]
    elif isinstance(how, str) and (how == "clear" or how in SETS):
        parts = known = [member(name, how) for name in names if how != "clear"]
    else:
        parts, known = [how], []
    if len(parts) != len(known) or (how is not None and not all(i.is_Symbol for i in what.items)):
        raise error("sym:assume:UnknownSet", "Assumption is not supported.")
    for name in () if also else names:
        state.conditions.pop(name, None)
    for condition, facts in known:
        state.add(condition, facts)
    workspace = interp.workspace()
    for name in list(workspace.names()):
        held = interp.to_python(workspace.get(name))
        if isinstance(held, Sym):
            swap = {s: state.variable(s.name) for i in held.items for s in i.free_symbols
                    if s.name in names}  # fmt: skip
            items = cells([i.xreplace(swap) for i in held.items], held.array.shape)
            fresh = Sym(items, tuple(swap.get(a, a) for a in held.arguments))
            workspace.set(name, interp.to_matlab(fresh))
