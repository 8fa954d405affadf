"""Assignment: plain, subscripted, nested, multiple, and deletion.

The right side is computed before the subscripts, so the helpers take the new value first. A target
that may be unbound is read into a temporary in a ``try``, which costs nothing when it is bound.
"""

from __future__ import annotations

import ast as py

from runmat_core.compiler import pyast
from runmat_core.compiler.code import Code, EndContext
from runmat_core.compiler.pyast import (
    assign_name,
    call,
    const,
    load,
    star,
    statements,
    template,
    tuple_of,
)
from runmat_core.compiler.scopes import base_of
from runmat_core.compiler.subscripts import Subscripts
from runmat_core.syntax import ast

_READ_OR_NONE = statements("try:\n    T = X\nexcept _NameError:\n    T = None")
_GET = template("D.get(K)")
_TARGET_COUNT = template("_count_targets(X, P)")
_ELEMENT = template("V[K]")
_SLICE = template("V[A:B]")


#: Helpers that take their subscripts one by one.
_ELEMENT_HELPERS = frozenset({"_put1", "_put2", "_put3", "_put_brace1"})


class Targets(Subscripts):
    """Generates assignments. Statements go to `out`."""

    out: list[py.stmt]

    def assign(self, node: ast.Assign) -> None:
        target, value = node.target, node.value
        if _is_deletion(node):
            self.delete(target)
        elif isinstance(target, ast.Name):
            if not self.move(target, value):
                self.store(target, self.shared(self.first(self.expr(value))))
        else:
            code = self.first(self.expr(value))
            if self._simple_subscripts(target):
                lends = (
                    isinstance(target, ast.Index)
                    and target.kind == "()"
                    and isinstance(target.base, ast.Name)
                )
                self.store(target, self.lent(code) if lends else self.shared(code))
            else:
                name = self.temporary()
                self.out.append(assign_name(name, self.shared(code)))
                self.store(target, load(name))

    def move(self, target: ast.Name, value: ast.Expr) -> bool:
        """``x = f(x, ...)``, giving f the only reference to x."""
        raise NotImplementedError

    def store(self, target: ast.Expr, value: py.expr) -> None:
        """``target = value``; `value` is the target's own, or an array lent to ``v(subs)``."""
        if isinstance(target, ast.Tilde):
            self.out.append(pyast.expression(value))
            return
        base = base_of(target)
        assert isinstance(base, ast.Name), "the parser allows no other targets"
        if base is not target:
            value = self._updated(base.id, target, value)
        if self.unit.checked:
            value = call("_checked", value)
        self.out.append(pyast.assign(self.target(base.id), value))
        self.defined.add(base.id)

    def _updated(self, name: str, target: ast.Expr, value: py.expr) -> py.expr:
        """Return the new value of the variable `name` when `target`, a part of it, is `value`."""
        old = self.old_value(name)
        if isinstance(target, ast.Index) and isinstance(target.base, ast.Name):
            subs, spans = self._subscripts(target, old, [], target.kind == "()")
            if spans and len(subs.elts) != 3:
                return call("_put_part", value, old, subs)
            name = "_put_brace" if target.kind == "{}" else "_put"
            if not isinstance(subs.elts[0] if subs.elts else None, py.Starred | None):
                name += str(len(subs.elts))
                if name in _ELEMENT_HELPERS:
                    return call(name, value, old, *subs.elts)
            return call(name.rstrip("0123456789"), value, old, subs)
        if isinstance(target, ast.Field) and isinstance(target.base, ast.Name):
            return call("_put_field", value, old, const(target.name))
        return call("_put_path", value, old, self.path(target, old))

    def old_value(self, name: str) -> py.expr:
        """Return the value of a variable, None when it is unbound."""
        where, key = self.place_of(name)
        if where != "local":
            return _GET(D=load(where), K=const(key))
        if name in self.defined and self.is_plain(name):
            return load(key)
        old = self.temporary()
        self.out.extend(_READ_OR_NONE(T=pyast.store(old), X=load(key)))
        return load(old)

    def path(self, target: ast.Expr, old: py.expr) -> py.Tuple:
        """Return the steps from the variable to `target`, as `values.assign_path` takes them."""
        nodes: list[ast.Expr] = []
        while isinstance(target, ast.Index | ast.Field | ast.DynamicField):
            nodes.append(target)
            target = target.base
        steps: list[py.expr] = []
        for node in reversed(nodes):
            if isinstance(node, ast.Index):
                spans = node is nodes[0] and node.kind == "()"
                subs, _ = self._subscripts(node, old, steps, spans)
                step: list[py.expr] = [const(node.kind), subs]
            elif isinstance(node, ast.Field):
                step = [const("."), const(node.name)]
            else:
                assert isinstance(node, ast.DynamicField)
                step = [const("."), call("_field_name", self.value(node.name).node)]
            steps.append(tuple_of(step))
        return tuple_of(steps)

    def _subscripts(
        self, node: ast.Index, old: py.expr, before: list[py.expr], spans: bool
    ) -> tuple[py.Tuple, bool]:
        """Return the subscripts of one step as a tuple, and whether ranges among them are spans.

        Args:
            before: the steps up to it.
            spans: whether they may be.
        """
        value = call("_peek", old, tuple_of(before)) if before else old
        end = EndContext(value, len(node.args))
        read = self.subscripts if spans else self.arguments
        codes = read(node.args, end, load("_COLON"))
        if any(code.many for code in codes):
            return tuple_of([star(call("_flat", *[code.node for code in codes]))]), False
        return tuple_of([code.node for code in codes]), any(code.span for code in codes)

    def _simple_subscripts(self, target: ast.Expr) -> bool:
        """Whether the subscripts may be computed before the right side: nobody can tell."""
        while isinstance(target, ast.Index | ast.Field | ast.DynamicField):
            if isinstance(target, ast.DynamicField):
                return False
            if isinstance(target, ast.Index) and not all(map(self._is_quiet, target.args)):
                return False
            target = target.base
        return True

    def _is_quiet(self, node: ast.Expr) -> bool:
        if isinstance(node, ast.Name):
            return self.status(node.id) == "variable"
        if isinstance(node, ast.Binary):
            return self._is_quiet(node.left) and self._is_quiet(node.right)
        if isinstance(node, ast.Range):
            parts = node.start, node.step, node.stop
            return all(self._is_quiet(part) for part in parts if part is not None)
        return isinstance(node, ast.Number | ast.Colon | ast.End | ast.Char)

    def delete(self, target: ast.Expr) -> None:
        """``target = []`` where the target ends in parentheses."""
        base = base_of(target)
        assert isinstance(base, ast.Name)
        old = self.old_value(base.id)
        value = call("_remove_path", old, self.path(target, old))
        self.out.append(pyast.assign(self.target(base.id), value))
        self.defined.add(base.id)

    # -- multiple assignment ----------------------------------------------------------------------

    def assign_many(self, node: ast.MultiAssign) -> None:
        targets = node.targets
        if any(_may_be_several(target) for target in targets):
            self._assign_lists(targets, node.value)
        elif len(targets) == 1:
            value = self.first(self._outputs(node.value, const(1)))
            self.store(targets[0], self.shared(value))
        else:
            count = len(targets)
            values = self._outputs(node.value, const(count))
            if values.many:
                values = Code(call("_spread", values.node, const(count)))
            self._unpack(targets, values.node)

    def _outputs(self, node: ast.Expr, nargout: py.expr) -> Code:
        if isinstance(node, ast.Name | ast.Index | ast.Field | ast.DynamicField | ast.SuperCall):
            return self.postfix(node, nargout)
        return self.value(node)

    def _unpack(self, targets: tuple[ast.Expr, ...], values: py.expr) -> None:
        if all(isinstance(target, ast.Name | ast.Tilde) for target in targets):
            names = [
                self.target(target.id) if isinstance(target, ast.Name) else pyast.store("_0")
                for target in targets
            ]
            self.out.append(pyast.assign(py.Tuple(names, pyast.STORE), values))
            self.defined.update(t.id for t in targets if isinstance(t, ast.Name))
            return
        temporaries = [self.temporary() for _ in targets]
        unpacked = py.Tuple([pyast.store(name) for name in temporaries], pyast.STORE)
        self.out.append(pyast.assign(unpacked, values))
        for target, name in zip(targets, temporaries, strict=True):
            self.store(target, load(name))

    def _assign_lists(self, targets: tuple[ast.Expr, ...], value: ast.Expr) -> None:
        """Targets such as ``c{1:2}`` and ``s.f``, each of which may take several values."""
        places: list[tuple[str, py.expr] | None] = []
        total = self.temporary()
        counts = [self.temporary() for _ in targets]
        for target, count in zip(targets, counts, strict=True):
            number: py.expr = const(1)
            place: tuple[str, py.expr] | None = None
            if _may_be_several(target):
                base = base_of(target)
                assert isinstance(base, ast.Name)
                old = self.old_value(base.id)
                path = self.temporary()
                self.out.append(assign_name(path, self.path(target, old)))
                place = (base.id, load(path))
                number = _TARGET_COUNT(X=self.old_value(base.id), P=load(path))
            places.append(place)
            self.out.append(assign_name(count, number))
        self.out.append(assign_name(total, _sum(counts)))
        values = self.temporary()
        code = self._outputs(value, load(total))
        node = call("_as_outputs", code.node, load(total))
        self.out.append(assign_name(values, node))
        start: py.expr = const(0)
        for target, count, place in zip(targets, counts, places, strict=True):
            stop = self.temporary()
            self.out.append(assign_name(stop, py.BinOp(start, py.Add(), load(count))))
            if place is None:
                self.store(target, _ELEMENT(V=load(values), K=start))
            else:
                name, path_node = place
                some = _SLICE(V=load(values), A=start, B=load(stop))
                new = call("_put_list", some, self.old_value(name), path_node)
                self.out.append(pyast.assign(self.target(name), new))
                self.defined.add(name)
            start = load(stop)


def _is_deletion(node: ast.Assign) -> bool:
    if not (isinstance(node.target, ast.Index) and node.target.kind == "()"):
        return False
    value = node.value
    return (isinstance(value, ast.Matrix) and not value.rows) or (
        isinstance(value, ast.Char) and not value.value
    )


def _may_be_several(target: ast.Expr) -> bool:
    """Whether a target of a multiple assignment may stand for several places."""
    if isinstance(target, ast.Index):
        return target.kind == "{}"
    return isinstance(target, ast.Field | ast.DynamicField)


def _sum(names: list[str]) -> py.expr:
    total: py.expr = load(names[0])
    for name in names[1:]:
        total = py.BinOp(total, py.Add(), load(name))
    return total
