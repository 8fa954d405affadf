"""Loops that may become one kernel: which ones look like it, and what is generated for them.

Whether a loop is captured is decided while it runs, after its first trip (`accel.loops`). Here it
is only told which loops could be: a body without control that leaves it, without text to evaluate,
output, containers that are written to, or results that are shown. Such a loop gets a twin of its
body, a function over a dict of variables that can be traced, and a test after its first trip that
costs a few nanoseconds where no variable that it assigns is an array.
"""

from __future__ import annotations

import ast as py
from collections.abc import Iterable

import attrs

from runmat_core.compiler import pyast
from runmat_core.compiler.pyast import call, const, load, statements, template, tuple_of
from runmat_core.compiler.scopes import (
    CLEARERS,
    COUNTERS,
    CREATORS,
    Scope,
    script_scope,
    walk,
)
from runmat_core.syntax import ast

#: Statements of a body that can be captured; all others cannot.
_PLAIN = (ast.Assign, ast.MultiAssign, ast.OpAssign, ast.If, ast.Switch, ast.For, ast.While)
#: Functions that see their caller or leave something behind, besides what builtins say themselves.
_REFUSED = CREATORS | CLEARERS | COUNTERS | {"input", "keyboard", "pause", "tic", "toc"}

#: What asks in vain before capture starts is told not to (`accel.context`).
_FIRST = statements("F = TWIN.asks")
_ENTERED = statements("TWIN.entered = True")
_ASKS = statements("TWIN.asks = True")
_AFTER = statements("if G:\n    F = False\n    if TEST:\n        TAKEN")
#: The same where a variable of the test may be unbound: then nobody knows, and it is looked at.
_AFTER_UNSURE = statements(
    "if G:\n    try:\n        F = not (TEST)\n    except _Unbound:\n        F = False\n"
    "    if G:\n        F = False\n    else:\n        TAKEN"
)
#: After trips that were captured the next one runs by itself, and then it is asked again; so it is
#: after one that is no good time.
_TAKEN = statements(
    "R = CALL\nif Q:\n    F = Q[0]\n    STORES\n    if not G:\n        break\n"
    "else:\n    F = Q is not None"
)
_ONCE = statements(
    "if C:\n    FIRST\n    R = CALL if TEST else None\n    if Q is not None:\n        STORES\n"
    "    else:\n        while C:\n            BODY"
)
_OVER = statements("if not Q[0]:\n    I = ()")
_BEFORE = statements("if _HOOKS.loops:\n    R = CALL\n    if Q is not None:\n        STORES")
#: Whether a variable is an array that some session would capture operations on.
_LARGE = (
    "{0}.__class__ is _Array and {1}.data.size >= _HOOKS.smallest or {0}.__class__ is _Deferred"
)
_RUNS_AHEAD = template("_HOOKS.ahead")
_IS_LARGE = template(_LARGE.format("V", "V"))
_IN_DICT = template(_LARGE.format("_w.get(K)", "_w[K]"))


@attrs.frozen
class Capturable:
    """What a loop that may be captured reads and writes.

    Attributes:
        variable: of the loop; empty where the program has none.
        writes: the variables that the body assigns, in order, without `variable`.
        reads: every name in the body, functions included.
        key: the Python name of the twin of its body.
    """

    variable: str
    writes: tuple[str, ...]
    reads: tuple[str, ...]
    key: str


@attrs.frozen
class Refusal:
    """Why a loop is never captured: a phrase for people, and the line that is the reason."""

    reason: str
    line: int


#: What statements that cannot be captured do.
_DOES = {
    ast.Break: "it has a break",
    ast.Continue: "it has a continue",
    ast.Return: "it has a return",
    ast.Try: "it catches errors",
    ast.ExprStmt: "it has a statement that assigns nothing",
    ast.Command: "it has a command",
    ast.Global: "it declares a global variable",
    ast.Persistent: "it declares a persistent variable",
}


def screen(node: ast.For, scope: Scope) -> tuple[str, tuple[str, ...], tuple[str, ...]] | Refusal:
    """Return the variable, the written and the read names of a loop that could be captured."""
    line = node.span.line
    if scope.nested or scope.parent or scope.kind not in ("function", "script"):
        return Refusal("it is beside nested functions, or in one of them", line)
    if not isinstance(node.target, ast.Name) or node.parallel or node.key is not None:
        return Refusal("it is a parfor, or its variable is part of an array", line)
    variable = node.target.id
    found = plain_names(node.body, scope, line, variable)
    if isinstance(found, Refusal):
        return found
    writes, reads = found
    if not writes:
        return Refusal("it assigns nothing", line)
    if variable in scope.global_names | scope.persistent_names:
        return Refusal(f"'{variable}' is global or persistent", node.span.line)
    return variable, writes, reads


def plain_names(
    body: Iterable[ast.Stmt], scope: Scope, line: int, variable: str = ""
) -> tuple[tuple[str, ...], tuple[str, ...]] | Refusal:
    """Return the written and the read names of statements that do nothing but assign.

    Args:
        line: of their first one.
        variable: that they must not assign.
    """
    writes: dict[str, None] = {}
    reads: dict[str, None] = {}
    for one in walk(body):
        if isinstance(one, ast.Stmt):
            line = one.span.line
        reason = _reason(one)
        if reason:
            return Refusal(reason, line)
        if isinstance(one, ast.Name):
            reads[one.id] = None
            if one.id in _REFUSED:
                return Refusal(f"it calls {one.id}", line)
        for target in targets(one):
            if isinstance(target, ast.Tilde):
                continue
            name = written(target)
            if name is None:
                return Refusal("it writes to a field or the contents of a cell", line)
            if name == variable:
                return Refusal(f"it assigns '{name}', the variable of the loop", line)
            if name in scope.global_names | scope.persistent_names:
                return Refusal(f"'{name}' is global or persistent", line)
            writes[name] = None
    return tuple(writes), tuple(reads)


def _reason(one: object) -> str:
    """Why a node of a body cannot be captured, empty where it can."""
    if isinstance(one, ast.Stmt) and not _is_plain(one):
        if isinstance(one, ast.Assign) and one.silent:
            return "it deletes elements"
        if isinstance(one, ast.Assign | ast.MultiAssign | ast.OpAssign):
            return "it shows a result"
        return _DOES.get(type(one), "it has a statement that is not captured")
    if isinstance(one, ast.AnonymousFunction):
        return "it makes an anonymous function"
    if isinstance(one, ast.Index) and one.kind == "{}":
        return "it takes the contents of a cell"
    if isinstance(one, ast.Assignment):
        return "it assigns inside an expression"
    if isinstance(one, ast.For) and one.key is not None:
        return "it loops over fields"
    return ""


def _is_plain(node: ast.Stmt) -> bool:
    if not isinstance(node, _PLAIN) or not getattr(node, "silent", True):
        return False
    if isinstance(node, ast.Assign) and isinstance(node.target, ast.Index):
        # A(i) = [] deletes
        return not (isinstance(node.value, ast.Matrix) and not node.value.rows)
    return True


def targets(node: object) -> Iterable[ast.Expr]:
    if isinstance(node, ast.Assign | ast.OpAssign | ast.For):
        return (node.target,)
    return node.targets if isinstance(node, ast.MultiAssign) else ()


def written(target: ast.Expr) -> str | None:
    """Return the variable that a target names or selects from; None for fields and braces."""
    if isinstance(target, ast.Index):
        if target.kind != "()" or not isinstance(target.base, ast.Name):
            return None
        return target.base.id
    return target.id if isinstance(target, ast.Name) else None


def twin_scope(node: ast.For, scope: Scope) -> Scope:
    """Return the scope of the twin of a loop's body: its variables are those of a dict."""
    made = script_scope(node.body, "script", ())
    made.imports = list(scope.imports)
    return made


def after_first(
    loop: Capturable,
    flag: str,
    result: str,
    parts: list[py.expr],
    tested: list[str],
    dynamic: bool,
    helper: str = "_loop",
    unsure: bool = False,
    source: str = "",
) -> list[py.stmt]:
    """Return what stands at the end of the body: the attempt to capture the trips that are left.

    Args:
        flag, result: names of temporaries.
        parts: what the loop iterates: start, step and stop of a range, or one array.
        tested: written variables.
        dynamic: whether variables live in the dict ``_w``.
        helper: that makes the attempt.
        unsure: whether one of `tested` may be unbound here.
        source: the temporary with what a ``for`` iterates; else empty.
    """
    test = _any_large(tested, dynamic)
    if helper == "_ahead":
        test = py.BoolOp(py.And(), [_RUNS_AHEAD(), test])
    attempt, stores = _attempt(loop, result, parts, dynamic, helper, source)
    taken = _TAKEN(
        R=pyast.store(result),
        Q=load(result),
        F=pyast.store(flag),
        G=load(flag),
        CALL=attempt,
        STORES=stores,
    )
    after = _AFTER_UNSURE if unsure else _AFTER
    return after(G=load(flag), F=pyast.store(flag), TEST=test, TAKEN=taken)


def once_by_itself(
    test: py.expr,
    first: list[py.stmt],
    body: list[py.stmt],
    loop: Capturable,
    result: str,
    parts: list[py.expr],
    tested: list[str],
    dynamic: bool,
) -> list[py.stmt]:
    """Return a ``while`` with its first trip, and the attempt after that, before the others.

    Args:
        test: the condition.
        first, body: its statements twice, so that no trip has to ask whether it is the first.
        loop, result, parts, tested, dynamic: as in `after_first`; none of `tested` is unbound.
    """
    attempt, stores = _attempt(loop, result, parts, dynamic, "_counted")
    return _ONCE(
        C=test,
        FIRST=first,
        BODY=body,
        R=pyast.store(result),
        Q=load(result),
        CALL=attempt,
        TEST=_any_large(tested, dynamic),
        STORES=stores,
    )


def _any_large(names: list[str], dynamic: bool) -> py.expr:
    """Whether one of these variables is an array that operations are captured on."""
    look = [_IN_DICT(K=const(name)) if dynamic else _IS_LARGE(V=load(name)) for name in names]
    return look[0] if len(look) == 1 else py.BoolOp(py.Or(), look)


def is_innermost(body: Iterable[ast.Stmt]) -> bool:
    """Whether a body has no loops: what is written twice may then be nested as deeply as it is."""
    return not any(isinstance(one, ast.For | ast.While | ast.DoUntil) for one in walk(body))


def before_first(loop: Capturable, flag: str, helper: str) -> list[py.stmt]:
    """Return what stands before the loop."""
    made = _FIRST(F=pyast.store(flag), TWIN=load(loop.key))
    return made + _ENTERED(TWIN=load(loop.key)) if helper == "_ahead" else made


def after_twin(key: str) -> list[py.stmt]:
    """Return what follows the definition of a twin."""
    return _ASKS(TWIN=load(key))


def before_all(
    loop: Capturable,
    source: str,
    result: str,
    parts: list[py.expr],
    dynamic: bool,
    helper: str = "_loop_entry",
) -> list[py.stmt]:
    """Return the attempt on all iterations, for a loop of which some were captured already.

    Args:
        source: the temporary with what the loop iterates, which is nothing afterwards; else empty.
        result: a temporary.
        parts, dynamic, helper: as in `after_first`.
    """
    attempt, stores = _attempt(loop, result, parts, dynamic, helper, source)
    if source:
        stores[:0] = _OVER(Q=load(result), I=pyast.store(source))
    return _BEFORE(R=pyast.store(result), Q=load(result), CALL=attempt, STORES=stores)


def _attempt(
    loop: Capturable,
    result: str,
    parts: list[py.expr],
    dynamic: bool,
    helper: str,
    source: str = "",
) -> tuple[py.expr, list[py.stmt]]:
    """Return a call of what attempts to capture a loop, and the stores of what it gives."""
    variables = load("_w") if dynamic else call("_locals")
    names = tuple_of([const(name) for name in loop.writes])
    reads = tuple_of([const(name) for name in loop.reads])
    items = [load(source)] if source else []
    attempt = call(
        helper,
        load(loop.key),
        variables,
        const(loop.variable),
        names,
        reads,
        tuple_of(parts),
        *items,
    )
    stores: list[py.stmt] = []
    for number, name in enumerate((loop.variable, *loop.writes), 1):
        if not name:
            continue
        value = py.Subscript(load(result), const(number), pyast.LOAD)
        target = (
            py.Subscript(load("_w"), const(name), pyast.STORE) if dynamic else pyast.store(name)
        )
        stores.append(pyast.assign(target, value))
    stores.append(pyast.assign_name(result, const(None)))
    return attempt, stores
