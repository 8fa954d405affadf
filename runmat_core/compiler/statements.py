"""Statements: control flow, expression statements, declarations.

No statement pays for what it does not use: there is no trampoline, no per-statement ``try``, and a
`for` over a range is a Python `for` over floats.
"""

from __future__ import annotations

import ast as py
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import attrs

from runmat_core.compiler import pyast
from runmat_core.compiler.classes import FLOAT
from runmat_core.compiler.code import Code
from runmat_core.compiler.pyast import (
    assign_name,
    call,
    const,
    expression,
    load,
    place,
    statements,
    template,
    walrus,
)
from runmat_core.compiler.scopes import CLEARERS, base_of, walk
from runmat_core.compiler.targets import Targets
from runmat_core.syntax import ast

#: CPython allows 20 nested loops and handlers in one function.
MAX_BLOCKS = 14
#: ``elseif`` clauses in one nested Python ``if``.
MAX_CLAUSES = 40

_FOR = statements("if (S).__class__ is _Empty:\n    EMPTY\nelse:\n    for T in I:\n        BODY")
_IF = statements("if C:\n    BODY\nelse:\n    ORELSE")
_WHILE = statements("while C:\n    BODY")
_FOREVER = statements("while True:\n    BODY")
_BREAK_UNLESS = statements("if C:\n    pass\nelse:\n    break")
_BREAK_IF = statements("if C:\n    break")
_TRY = statements("try:\n    BODY\nexcept _Exception as _e:\n    X = _s.caught(_e)")
_HANDLER = statements("if X is not None:\n    BODY")
_FINALLY = statements("try:\n    BODY\nfinally:\n    CLEANUP")
_CLEAR = statements("try:\n    D\nexcept _NameError:\n    pass")
_POP = template("_w.pop(K, None)")
_DISPLAY = template("_s.display(N, V)")
_SHOW_RESULT = statements("if R is not None:\n    BODY")
_IS_NONE = template("(V) is not None")
_CASE_NUMBER = template("X == V if X.__class__ is _float_t else _case(X, V)")


class Statements(Targets):
    """Generates statements into `out`."""

    def block(self, body: Iterable[ast.Stmt]) -> list[py.stmt]:
        """The Python statements of a block."""
        outer, self.out = self.out, []
        try:
            for statement in body:
                self.statement(statement)
            return self.out
        finally:
            self.out = outer

    def branch(self, body: Iterable[ast.Stmt]) -> tuple[list[py.stmt], set[str]]:
        """A block that may not run, and what is surely bound after it."""
        before = set(self.defined)
        made = self.block(body)
        after, self.defined = self.defined, before
        return made, after

    def statement(self, node: ast.Stmt) -> None:
        start = len(self.out)
        first_temporary = self.temporaries
        self.calls = self.may_call(node)
        outer_prelude, self.prelude = self.prelude, self.out
        getattr(self, f"on_{type(node).__name__}")(node)
        self.prelude = outer_prelude
        self.temporaries = first_temporary
        place(self.out[start:], node.span)

    def may_call(self, node: ast.Stmt) -> bool:
        """Whether a variable that others see may change while the statement is evaluated."""
        scope = self.scope
        if not (scope.dynamic or scope.global_names or scope.exposed or scope.inherited):
            return False
        headers: tuple[object, ...] = (node,)
        if isinstance(node, ast.If | ast.For | ast.While | ast.Switch | ast.DoUntil | ast.Try):
            return True
        if isinstance(node, ast.UnwindProtect | ast.Spmd | ast.Function):
            return True
        shares = bool(scope.global_names or scope.exposed or scope.inherited)
        own = {_name(target) for target in _targets(node)}
        return any(self._is_call(n, shares, own) for n in walk(headers))

    def _is_call(self, node: object, shares: bool, own: set[str | None]) -> bool:
        """Whether `node` may run code that writes to this function's variables in place.

        A subscripted variable may be a handle, but handles reach no workspace, only variables
        shared with nested functions and globals.
        """
        if isinstance(node, ast.Name):
            return node.id not in own and self.status(node.id) != "variable"
        return shares and isinstance(node, ast.Index)

    # -- assignments and expressions --------------------------------------------------------------

    def on_Assign(self, node: ast.Assign) -> None:
        self.assign(node)
        if not node.silent:
            self.show_target(node.target)

    def on_MultiAssign(self, node: ast.MultiAssign) -> None:
        self.assign_many(node)
        if not node.silent:
            for target in node.targets:
                if not isinstance(target, ast.Tilde):
                    self.show_target(target)

    def on_OpAssign(self, node: ast.OpAssign) -> None:
        value = ast.Binary(node.op, node.target, node.value, span=node.span)
        self.on_Assign(ast.Assign(node.target, value, node.silent, span=node.span))

    def show_target(self, target: ast.Expr) -> None:
        base = base_of(target)
        assert isinstance(base, ast.Name)
        self.show(base.id, self.read(base.id))

    def show(self, name: str, value: py.expr) -> None:
        self.out.append(expression(_DISPLAY(N=const(name), V=value)))

    def on_ExprStmt(self, node: ast.ExprStmt) -> None:
        value = node.value
        if isinstance(value, ast.Name) and self.status(value.id) == "variable":
            if node.silent:
                self.out.append(expression(self.read(value.id)))
            else:
                self.show(value.id, self.read(value.id))
            return
        if isinstance(value, ast.Name | ast.Index | ast.Field | ast.DynamicField):
            code = self.postfix(value, const(0))
        else:
            code = self.value(value)
        name = value.id if isinstance(value, ast.Name) else ""
        self.result(code, node.silent, name)

    def result(self, code: Code, silent: bool, name: str = "") -> None:
        """A statement's value: kept in ``ans``, shown unless `silent`.

        A bare `name` that turns out to be a variable is shown under its own name.
        """
        keep = "ans" in self.scope.variables
        if not keep and silent:
            self.out.append(expression(code.node))
            return
        result = self.temporary()
        self.out.append(assign_name(result, code.node))
        body: list[py.stmt] = []
        if code.many:
            shown = call("_show_list", load(result), const(silent))
            self.out.append(assign_name(result, shown))
        if keep:
            owned = self.shared(Code(load(result), code.mask, code.fresh, simple=True))
            body.append(pyast.assign(self.target("ans"), owned))
        if not silent and not code.many:
            body.append(expression(_DISPLAY(N=const("ans"), V=load(result))))
        if name and self.status(name) == "either":
            shown_as = [expression(_DISPLAY(N=const(name), V=load(result)))] if not silent else []
            body = _IF(C=self.is_bound(name), BODY=shown_as or [py.Pass()], ORELSE=body)
        self.out.extend(_SHOW_RESULT(R=load(result), BODY=body or [py.Pass()]))
        # a result in a temporary would outlive the statement
        self.out.append(assign_name(result, const(None)))

    def on_Command(self, node: ast.Command) -> None:
        if node.name in CLEARERS and self.clear(node.args):
            return
        args = tuple(ast.Char(arg, span=node.span) for arg in node.args)
        code = self.call_function(node.name, args, const(0))
        self.result(code, node.silent)

    def clear(self, names: tuple[str, ...]) -> bool:
        """``clear a b`` of variables of this function; other forms are the builtin's."""
        plain = names and all(name.isidentifier() for name in names)
        if self.scope.kind in ("script", "expression") or not plain:
            self.defined.clear()
            return False
        if "all" in names or "variables" in names or "functions" in names or "global" in names:
            return False
        for name in names:
            where, key = self.place_of(name)
            if where == "local" and self.scope.holder(name) is not None:
                self.out += _CLEAR(D=[py.Delete([py.Name(key, pyast.DEL)])])
            elif where == "_w":
                self.out.append(expression(_POP(K=const(name))))
            self.defined.discard(name)
        return True

    def on_Bang(self, node: ast.Bang) -> None:
        command = self.unit.constant(("char", node.command))
        self.out.append(expression(py.Call(self.function("system"), [const(0), command], [])))

    # -- branches ---------------------------------------------------------------------------------

    def on_If(self, node: ast.If) -> None:
        """Clauses in groups: a group that decides nothing leaves a flag set for the next."""
        clauses = list(node.clauses)
        undecided = self.temporary() if len(clauses) > MAX_CLAUSES else ""
        before = set(self.defined)
        ends: list[set[str]] = []
        for start in range(0, len(clauses), MAX_CLAUSES):
            group = clauses[start : start + MAX_CLAUSES]
            last = start + MAX_CLAUSES >= len(clauses)
            outer, self.out = self.out, []
            tail: list[py.stmt] = []
            if last:
                tests = self._tests(group, ends)
                if node.orelse is not None:
                    tail, after = self.branch(node.orelse)
                    ends.append(after)
            else:
                tests = self._tests(group, ends)
                tail = [assign_name(undecided, const(True))]
            made, self.out = [*self.out, *_if_chain(tests, tail)], outer
            if undecided:
                made.insert(0, assign_name(undecided, const(False)))
            if start:
                made = _IF(C=load(undecided), BODY=made, ORELSE=[])
            self.out.extend(made)
        if node.orelse is None:
            ends.append(before)
        self.defined = set.intersection(*ends) if ends else before

    def _tests(
        self, clauses: list[tuple[ast.Expr, ast.Block]], ends: list[set[str]]
    ) -> list[tuple[py.expr, list[py.stmt]]]:
        made = []
        for count, (condition, body) in enumerate(clauses):
            self.prelude = None if count or ends else self.out
            test = self.condition(condition)
            self.prelude = self.out
            block, after = self.branch(body)
            if not _leaves(body):
                ends.append(after)
            place([test], condition.span)
            made.append((test, block))
        return made

    def on_Switch(self, node: ast.Switch) -> None:
        subject = self.temporary()
        self.out.append(assign_name(subject, call("_switch", self.value(node.subject).node)))
        clauses = [
            (_Case(load(subject), condition, span=condition.span), body)
            for condition, body in node.cases
        ]
        self.on_If(ast.If(tuple(clauses), node.otherwise, span=node.span))

    def condition(self, node: ast.Expr) -> py.expr:
        if isinstance(node, _Case):
            return self.case(node)
        return super().condition(node)

    def case(self, node: _Case) -> py.expr:
        value = self.value(node.value)
        if value.mask == FLOAT and value.simple:
            return _CASE_NUMBER(X=node.subject, V=value.node)
        return call("_case", node.subject, value.node)

    # -- loops ------------------------------------------------------------------------------------

    def on_For(self, node: ast.For) -> None:
        if self.is_deep():
            self.outline(node)
            return
        items = self.iterator(node.iterable)
        source, item = self.temporary(), self.temporary()
        before = set(self.defined)
        name = _name(node.target)
        with self.nested(loops=1):
            if isinstance(node.target, ast.Name):
                target = self.target(node.target.id)
                self.defined.add(node.target.id)
                body = self.block(node.body)
            else:
                target = pyast.store(item)
                first = ast.Assign(node.target, _Given(load(item)), span=node.target.span)
                body = self.block((first, *node.body))
        self.defined = before
        nothing = _Given(pyast.attribute(load(source), "value"))
        empty = self.block((ast.Assign(node.target, nothing, span=node.target.span),))
        self.defined = before | ({name} if name else set())
        self.out += _FOR(
            S=walrus(source, items), EMPTY=empty, T=target, I=load(source), BODY=body or [py.Pass()]
        )
        self.out.append(assign_name(source, const(None)))

    def iterator(self, node: ast.Expr) -> py.expr:
        """What a ``for`` iterates: an iterator, or an `_Empty` that holds the variable's value."""
        if isinstance(node, ast.Range):
            parts = [self.value(part).node for part in (node.start, node.stop)]
            if node.step is not None:
                parts.insert(1, self.value(node.step).node)
            return call(f"_range{len(parts)}", *parts)
        return call("_iterate", self.shared(self.expr(node)))

    def on_While(self, node: ast.While) -> None:
        if self.is_deep():
            self.outline(node)
            return
        outer, self.out = self.out, []
        self.prelude = self.out
        test = self.condition(node.condition)
        place([test], node.condition.span)
        hoisted, self.out = self.out, outer
        with self.nested(loops=1):
            body, _ = self.branch(node.body)
        if hoisted:
            self.out += _FOREVER(BODY=[*hoisted, *_BREAK_UNLESS(C=test), *body])
        else:
            self.out += _WHILE(C=test, BODY=body or [py.Pass()])

    def on_DoUntil(self, node: ast.DoUntil) -> None:
        if self.is_deep():
            self.outline(node)
            return
        with self.nested(loops=1):
            # `continue` goes to the condition
            self.until = node.condition
            body = self.block(node.body)
        outer, self.out = self.out, body
        test = self.condition(node.condition)
        self.out = outer
        self.out += _FOREVER(BODY=[*body, *_BREAK_IF(C=test)])

    def on_Break(self, node: ast.Break) -> None:
        self.out.append(py.Break() if self.loops else self.signal("break"))

    def on_Continue(self, node: ast.Continue) -> None:
        if self.until is not None:
            self.out += _BREAK_IF(C=self.condition(self.until))
        self.out.append(py.Continue() if self.loops else self.signal("continue"))

    def on_Return(self, node: ast.Return) -> None:
        self.leave()

    # -- errors -----------------------------------------------------------------------------------

    def on_Try(self, node: ast.Try) -> None:
        """The handler runs outside the ``except``, when what the error held has been let go."""
        if self.is_deep():
            self.outline(node)
            return
        error = self.temporary()
        with self.nested(tries=1):
            body, after = self.branch(node.body)
        before = set(self.defined)
        outer, self.out = self.out, []
        if node.identifier is not None:
            self.out.append(pyast.assign(self.target(node.identifier), load(error)))
            self.defined.add(node.identifier)
        self.out.append(assign_name(error, const(None)))
        for statement in node.handler or ():
            self.statement(statement)
        handler, self.out = self.out, outer
        self.defined = self.defined & after if not _leaves(node.handler or ()) else after
        self.defined |= before
        self.out.append(assign_name(error, const(None)))
        self.out += _TRY(BODY=body or [py.Pass()], X=pyast.store(error))
        self.out += _HANDLER(X=load(error), BODY=handler)

    def on_UnwindProtect(self, node: ast.UnwindProtect) -> None:
        if self.is_deep():
            self.outline(node)
            return
        with self.nested(tries=1):
            body, after = self.branch(node.body)
        with self.nested():
            cleanup = self.block(node.cleanup)
        self.defined |= after
        self.out += _FINALLY(BODY=body or [py.Pass()], CLEANUP=cleanup or [py.Pass()])

    # -- declarations and the rest ----------------------------------------------------------------

    def on_Global(self, node: ast.Global) -> None:
        for name in node.names:
            self.out.append(expression(call("_declare_global", const(name))))
            if self.scope.dynamic:
                self.out.append(expression(call("_note_global", load("_w"), const(name))))
            self.defined.add(name)

    def on_Persistent(self, node: ast.Persistent) -> None:
        for name in node.names:
            _, key = self.place_of(name)
            self.out.append(expression(call("_declare_persistent", load("_p"), const(key))))
            self.defined.add(name)

    def on_Import(self, node: ast.Import) -> None:
        """Imports hold for the whole function: they are part of its cells' scope."""

    def on_Spmd(self, node: ast.Spmd) -> None:
        """One worker: the body runs once."""
        for statement in node.body:
            self.statement(statement)

    def on_Function(self, node: ast.Function) -> None:
        """Nested functions are defined when the function around them is entered."""

    def on_ArgumentsBlock(self, node: ast.ArgumentsBlock) -> None:
        """Checked on entry."""

    def on_ClassDef(self, node: ast.ClassDef) -> None:
        self.out.append(expression(call("_unsupported", const("class definitions"))))

    # -- nesting ----------------------------------------------------------------------------------

    #: Python blocks around the current statement, in the current Python function
    blocks = 0
    #: loops among them
    loops = 0
    #: MATLAB ``try`` statements around it
    tries = 0
    #: the condition of the innermost loop when that is a ``do`` loop
    until: ast.Expr | None = None

    @contextmanager
    def nested(self, loops: int = 0, tries: int = 0) -> Iterator[None]:
        """The body of a loop or of a ``try``."""
        saved = self.blocks, self.loops, self.tries, self.until
        self.blocks += 1
        self.loops += loops
        self.tries += tries
        if loops:
            self.until = None
        try:
            yield
        finally:
            self.blocks, self.loops, self.tries, self.until = saved

    def is_deep(self) -> bool:
        return self.blocks >= MAX_BLOCKS

    def _expr(self, node: ast.Expr) -> Code:
        if isinstance(node, _Given):
            return Code(node.node)
        return super()._expr(node)

    def signal(self, what: str) -> py.stmt:
        """Leave an outlined block to break or continue a loop around it."""
        raise NotImplementedError

    def outline(self, node: ast.Stmt) -> None:
        """Move a deeply nested statement to a Python function of its own."""
        raise NotImplementedError

    def leave(self) -> None:
        """Return from the MATLAB function."""
        raise NotImplementedError


@attrs.frozen
class _Case(ast.Expr):
    """The test of one ``case``."""

    subject: py.expr
    value: ast.Expr


@attrs.frozen
class _Given(ast.Expr):
    """A value that is at hand as a Python expression."""

    node: py.expr


def _name(target: ast.Expr) -> str | None:
    base = base_of(target)
    return base.id if isinstance(base, ast.Name) else None


def _targets(node: ast.Stmt) -> tuple[ast.Expr, ...]:
    if isinstance(node, ast.Assign | ast.OpAssign):
        return (node.target,)
    return node.targets if isinstance(node, ast.MultiAssign) else ()


def _leaves(body: Iterable[ast.Stmt]) -> bool:
    """Whether a block ends by leaving the function, so that nothing follows it."""
    last = None
    for last in body:  # noqa: B007
        pass
    return isinstance(last, ast.Return)


def _if_chain(tests: list[tuple[py.expr, list[py.stmt]]], orelse: list[py.stmt]) -> list[py.stmt]:
    for test, body in reversed(tests):
        orelse = _IF(C=test, BODY=body or [py.Pass()], ORELSE=orelse)
    return orelse
