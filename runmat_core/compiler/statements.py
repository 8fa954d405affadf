"""Statements: expressions that are shown, commands, declarations, blocks of statements.

No statement pays for what it does not use: there is no trampoline, no per-statement ``try``, and a
`for` over a range is a Python `for` over floats.
"""

from __future__ import annotations

import ast as py
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from runmat_core.compiler import pyast
from runmat_core.compiler.code import Code
from runmat_core.compiler.inline import InlineAssignments, assigns
from runmat_core.compiler.pyast import (
    assign_name,
    call,
    const,
    expression,
    load,
    place,
    statements,
    template,
)
from runmat_core.compiler.scopes import CLEARERS, base_of, names_variables, walk
from runmat_core.syntax import ast

#: CPython allows 20 nested loops and handlers in one function.
MAX_BLOCKS = 14

#: Statements that leave nothing in temporaries for those after them.
_PLAIN = (ast.Assign, ast.MultiAssign, ast.OpAssign, ast.ExprStmt)

_IF = statements("if C:\n    BODY\nelse:\n    ORELSE")
_IF_FIRST = statements("if C:\n    BODY")
_CLEAR = statements("try:\n    D\nexcept _NameError:\n    pass")
_POP = template("_w.pop(K, None)")
_DISPLAY = template("_s.display(N, V)")
_SHOW_RESULT = statements("if R is not None:\n    BODY")


class Statements(InlineAssignments):
    """Generates statements into `out`."""

    def block(self, body: Iterable[ast.Stmt]) -> list[py.stmt]:
        """Return the Python statements of a block."""
        outer, self.out = self.out, []
        try:
            for statement in body:
                self.statement(statement)
            return self.out
        finally:
            self.out = outer

    def branch(self, body: Iterable[ast.Stmt]) -> tuple[list[py.stmt], set[str]]:
        """Return a block that may not run, and what is surely bound after it."""
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
        if isinstance(node, _PLAIN):
            if self.loops:
                self.let_go(list(dict.fromkeys(self.holding)))
            else:
                self.let_go([f"_{k + 1}" for k in range(first_temporary, self.temporaries)])
        self.holding = []
        self.temporaries = first_temporary
        place(self.out[start:], node.span, self.unit.met)

    def let_go(self, names: list[str]) -> None:
        """Let temporaries go of their values after a statement.

        One that held on to its value would keep a large array in memory and have a result computed
        that nobody reads, and a write to an array that it shares would go to a copy. In a loop,
        where every instruction counts, the next iteration releases those of variables.
        """
        if names:
            self.out.append(py.Assign([pyast.store(name) for name in names], const(None)))

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
        own = {target_name(target) for target in _targets(node)}
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
        target = node.target
        if not isinstance(target, ast.Name) and assigns(target):
            first: list[py.expr] = []
            target = self.computed_once(target, first)
            self.out += map(expression, first)
        value = ast.Binary(node.op, target, node.value, span=node.span)
        self.on_Assign(ast.Assign(target, value, node.silent, span=node.span))

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
        if isinstance(value, ast.SuperCall) and value.method == self.scope.constructed:
            built = ast.Name(value.method, span=node.span)
            self.on_Assign(ast.Assign(built, value, span=node.span))
            return
        if isinstance(value, ast.Name | ast.Index | ast.Field | ast.DynamicField | ast.SuperCall):
            code = self.postfix(value, const(0))
        else:
            code = self.value(value)
        name = value.id if isinstance(value, ast.Name) else ""
        self.result(code, node.silent, name)

    def result(self, code: Code, silent: bool, name: str = "") -> None:
        """Keep a statement's value in ``ans``, and show it unless `silent`.

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
        if self.scope.kind in ("script", "expression") or not names_variables(names):
            self.defined.clear()
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

    # -- declarations and the rest ----------------------------------------------------------------

    def on_Global(self, node: ast.Global) -> None:
        for name, value in _declared(node):
            self.declare(name, value, call("_declare_global", const(name)))
            if self.scope.dynamic:
                self.out.append(expression(call("_note_global", load("_w"), const(name))))

    def on_Persistent(self, node: ast.Persistent) -> None:
        for name, value in _declared(node):
            _, key = self.place_of(name)
            self.declare(name, value, call("_declare_persistent", load("_p"), const(key)))

    def declare(self, name: str, value: ast.Expr | None, declaration: py.expr) -> None:
        """Declare a variable, which takes its `value` the first time."""
        self.defined.add(name)
        if value is None:
            self.out.append(expression(declaration))
            return
        first = self.block((ast.Assign(ast.Name(name), value, span=value.span),))
        self.out += _IF_FIRST(C=declaration, BODY=first)

    def on_Import(self, node: ast.Import) -> None:
        """Skip an import: it holds for the whole function, and is part of its cells' scope."""

    def on_Spmd(self, node: ast.Spmd) -> None:
        """One worker: the body runs once."""
        for statement in node.body:
            self.statement(statement)

    def on_Function(self, node: ast.Function) -> None:
        """Nested functions are defined when the function around them is entered."""

    def on_ArgumentsBlock(self, node: ast.ArgumentsBlock) -> None:
        """Skip a block that is checked on entry."""

    def on_ClassDef(self, node: ast.ClassDef) -> None:
        self.out.append(expression(call("_unsupported", const("class definitions"))))

    # -- nesting ----------------------------------------------------------------------------------

    #: Python blocks around the current statement, in the current Python function
    blocks = 0
    #: loops among them
    loops = 0
    #: MATLAB ``try`` statements around it
    tries = 0
    #: whether statements go to an outlined block
    outlined = False
    #: whether this is the twin of a loop's body, in which no loop is captured
    twin = False
    #: the condition of the innermost loop when that is a ``do`` loop
    until: ast.Expr | None = None

    @contextmanager
    def nested(self, loops: int = 0, tries: int = 0) -> Iterator[None]:
        """Yield the body of a loop or of a ``try``."""
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

    def signal(self, what: str) -> py.stmt:
        """Leave an outlined block to break or continue a loop around it."""
        raise NotImplementedError

    def outline(self, node: ast.Stmt) -> None:
        """Move a deeply nested statement to a Python function of its own."""
        raise NotImplementedError

    def leave(self) -> None:
        """Return from the MATLAB function."""
        raise NotImplementedError


def _declared(node: ast.Global | ast.Persistent) -> Iterable[tuple[str, ast.Expr | None]]:
    """Return the names of a declaration with what each starts with."""
    return zip(node.names, node.values or (None,) * len(node.names), strict=True)


def target_name(target: ast.Expr) -> str | None:
    base = base_of(target)
    return base.id if isinstance(base, ast.Name) else None


def _targets(node: ast.Stmt) -> tuple[ast.Expr, ...]:
    if isinstance(node, ast.Assign | ast.OpAssign):
        return (node.target,)
    return node.targets if isinstance(node, ast.MultiAssign) else ()


def leaves(body: Iterable[ast.Stmt]) -> bool:
    """Whether a block ends by leaving the function, so that nothing follows it."""
    last = None
    for last in body:  # noqa: B007
        pass
    return isinstance(last, ast.Return)
