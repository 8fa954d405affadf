"""Assignments inside expressions, in the octave dialect: ``while (n = f()) > 0``, ``c{k++}``.

They are Python expressions: a local is bound by ``:=``, any other variable by a helper. What is
assigned this way anywhere in a function is never taken for a variable that keeps its value during a
statement (`Emitter.is_plain`), so whatever stands before the assignment is read before it.
"""

from __future__ import annotations

import ast as py

import attrs

from runmat_core.compiler.classes import ANY
from runmat_core.compiler.code import Code, Given
from runmat_core.compiler.pyast import after, call, const, load, template, tuple_of, walrus
from runmat_core.compiler.scopes import base_of, walk
from runmat_core.compiler.subscripts import released
from runmat_core.compiler.targets import Targets
from runmat_core.syntax import ast

_FIRST = template("X[0]")


class InlineAssignments(Targets):
    """Generates assignments that have a value."""

    #: whether an assignment is generated that has to be one Python expression
    inline = False

    def assignment(self, node: ast.Assignment) -> Code:
        base = base_of(node.target)
        assert isinstance(base, ast.Name), "the parser allows no other targets"
        tests: list[py.expr] = []
        target = self.computed_once(node.target, tests) if node.op else node.target
        held = self.temporary()
        new: py.expr = load(held)
        if node.before:
            result = self.shared(self.value(target))
            old = Code(load(held), ANY, fresh=False, simple=True)
            new = self.binary(node.op, old, self.value(node.value)).node
        else:
            value = ast.Binary(node.op, target, node.value, span=node.span) if node.op else None
            result = self.shared(self.first(self.expr(value or node.value)))
            if target is base:
                return Code(self.bound(base.id, result), ANY, fresh=False)
        if target is not base:
            outer, self.inline = self.inline, True
            new = self._updated(base.id, target, new)
            self.inline = outer
        both = tuple_of([walrus(held, result), self.bound(base.id, new)])
        return Code(after(tests, released(_FIRST(X=both), [load(held)])), ANY, fresh=False)

    def bound(self, name: str, value: py.expr) -> py.expr:
        """Return an expression that binds a variable to `value`, and has that value."""
        if self.unit.checked:
            value = call("_checked", value)
        if self.prelude is not None:
            self.defined.add(name)  # else it stands where it may not be evaluated
        where, key = self.place_of(name)
        return (
            walrus(key, value)
            if where == "local"
            else call("_bind", load(where), const(key), value)
        )

    def old_value(self, name: str) -> py.expr:
        where, key = self.place_of(name)
        if not self.inline or where != "local":
            return super().old_value(name)
        return load(key) if name in self.defined else call("_local", const(key))

    def computed_once(self, target: ast.Expr, tests: list[py.expr]) -> ast.Expr:
        """`target`, whose subscripts may be used twice: those that assign are computed first.

        Args:
            tests: takes true expressions that compute them.
        """
        if isinstance(target, ast.Index):
            args = tuple(
                Given(self.once(self.value(arg), tests)) if assigns(arg) else arg
                for arg in target.args
            )
            return attrs.evolve(target, base=self.computed_once(target.base, tests), args=args)
        if isinstance(target, ast.Field | ast.DynamicField):
            return attrs.evolve(target, base=self.computed_once(target.base, tests))
        return target


def assigns(node: ast.Expr) -> bool:
    """Whether an assignment stands in an expression."""
    return any(isinstance(one, ast.Assignment) for one in walk((node,)))
