"""Which names are variables, and where each lives.

MATLAB decides statically: a name that a function's text assigns anywhere is a variable throughout
it; every other name is a function. Nested functions share the variables of the functions around
them: a name belongs to the outermost function of the nest that mentions it as a variable, inputs
and outputs excepted, which are each function's own.

In scripts and evaluated code a name is a variable when the workspace holds it at run time, and so
are the undeclared names of a function whose own text may create variables (`CREATORS`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from typing import Any

import attrs

from runmat_core.syntax import ast

#: Functions that make variables in their caller's workspace when given text or a file.
CREATORS = frozenset({"eval", "evalin", "evalc", "assignin", "load", "syms"})

#: Commands that remove variables.
CLEARERS = frozenset({"clear", "clearvars"})

#: Functions that ask for the argument counts of their caller.
COUNTERS = frozenset(
    {"nargin", "nargout", "narginchk", "nargoutchk", "nargchk", "print_usage", "inputname"}
)

#: Nodes that `walk` does not enter: nothing is below most of them.
_ENDS = frozenset(
    {ast.Name, ast.Number, ast.NumberMatrix, ast.IntegerLiteral, ast.Char, ast.String, ast.Colon}
    | {ast.End, ast.FunctionHandle, ast.MetaClass, ast.Tilde, ast.Function, ast.AnonymousFunction}
)
_LEAVES = frozenset((str, bytes, float, int, complex, bool, type(None), ast.Span))


@attrs.define(eq=False)
class Scope:
    """The variables of one function, script or piece of evaluated code.

    Attributes:
        kind: as in `host.FunctionInfo`.
        parent: the function around a nested function.
        inputs: input names, ``varargin`` included.
        outputs: output names, ``varargout`` included.
        assigned: names that the text assigns, nested functions excluded.
        inline: those of them that it assigns inside expressions.
        mentioned: names that the text reads or calls, nested functions excluded.
        variables: after `resolve`: the names this function itself holds.
        inherited: after `resolve`: variables of enclosing functions that it uses.
        exposed: variables of its own that nested functions use.
        nested: nested functions by name.
        dynamic: whether variables live in the dict ``_w``.
        clears: whether it clears variables that the text does not name: CPython has no way to
            unbind another frame's local.
        constructed: the variable of a constructor that holds the object under construction.
        subject: what errors of arguments name in place of their positions.
    """

    kind: str
    node: ast.Function | None = None
    parent: Scope | None = None
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    assigned: set[str] = attrs.Factory(set)
    inline: set[str] = attrs.Factory(set)
    mentioned: set[str] = attrs.Factory(set)
    global_names: set[str] = attrs.Factory(set)
    persistent_names: set[str] = attrs.Factory(set)
    imports: list[str] = attrs.Factory(list)
    handles: set[str] = attrs.Factory(set)
    variables: set[str] = attrs.Factory(set)
    inherited: set[str] = attrs.Factory(set)
    exposed: set[str] = attrs.Factory(set)
    nested: dict[str, Scope] = attrs.Factory(dict)
    dynamic: bool = False
    captures_nested: bool = False
    clears: bool = False
    constructed: str = ""
    subject: str = ""

    @property
    def own(self) -> set[str]:
        return {*self.inputs, *self.outputs}

    def ancestors(self) -> Iterator[Scope]:
        scope = self.parent
        while scope is not None:
            yield scope
            scope = scope.parent

    def holder(self, name: str) -> Scope | None:
        """Return the function of the nest that holds the variable `name`, or None."""
        if name in self.variables:
            return self
        for scope in self.ancestors():
            if name in self.inherited and name in scope.variables:
                return scope
        return None

    def nest(self) -> Iterator[Scope]:
        """Yield this function and all nested in it."""
        yield self
        for scope in self.nested.values():
            yield from scope.nest()


def function_scope(node: ast.Function, parent: Scope | None = None) -> Scope:
    """Return the scope of a function with those of its nested functions, resolved."""
    scope = _collect_function(node, parent)
    if any(s.mentioned & CREATORS or s.clears for s in scope.nest()):
        for s in scope.nest():
            s.dynamic = True
    _resolve(scope)
    return scope


def script_scope(body: Iterable[ast.Stmt], kind: str, global_names: Iterable[str]) -> Scope:
    scope = Scope(kind, dynamic=True)
    _collect(scope, body)
    scope.global_names.update(global_names)
    scope.variables = scope.assigned | {"ans"}
    return scope


def _collect_function(node: ast.Function, parent: Scope | None) -> Scope:
    node = _with_defaults(node)
    scope = Scope(
        "nested" if parent else "function",
        node,
        parent,
        tuple(p.name for p in node.inputs if p.name),
        node.outputs,
    )
    _collect(scope, node.body)
    for block in node.arguments:
        _collect(scope, (block,))
    if "ans" in scope.mentioned:
        scope.assigned.add("ans")
    return scope


def _with_defaults(node: ast.Function) -> ast.Function:
    """`node`, where default values of inputs are those of an ``arguments`` block."""
    declared = tuple(
        ast.ArgumentDecl(one.name, default=one.default, span=one.span)
        for one in node.inputs
        if one.name is not None and one.default is not None
    )
    if not declared:
        return node
    block = ast.ArgumentsBlock("Input", False, declared, span=node.span)
    return attrs.evolve(node, arguments=(block, *node.arguments))


def _resolve(scope: Scope) -> None:
    around = {name for outer in scope.ancestors() for name in outer.variables}
    below = {
        name for inner in scope.nested.values() for s in inner.nest() for name in s.assigned - s.own
    }
    # a nested function may have a variable of its own name, which is not its parent's
    below -= scope.nested.keys()
    used = scope.assigned | (scope.mentioned & below)
    scope.variables = scope.own | (used - around)
    scope.inherited = ((scope.assigned | scope.mentioned) & around) - scope.own
    for inner in scope.nested.values():
        _resolve(inner)
    inherited_below = {
        name for inner in scope.nested.values() for s in inner.nest() for name in s.inherited
    }
    scope.exposed = scope.variables & inherited_below
    # a function between the holder and the user passes the cell on
    scope.inherited |= (inherited_below & around) - scope.own


def _collect(scope: Scope, body: Iterable[ast.Stmt]) -> None:
    for node in walk(body):
        match node:
            case ast.Name(id=name):
                scope.mentioned.add(name)
                scope.clears |= name in CLEARERS
            case ast.Command(name=name, args=args):
                scope.mentioned.add(name)
                if name in CLEARERS:
                    scope.clears |= not names_variables(args)
                    scope.mentioned.update(a for a in args if a.isidentifier())
            case ast.Assign(target=target) | ast.OpAssign(target=target):
                _assigned(scope, (target,))
            case ast.Assignment(target=target):
                _assigned(scope, (target,))
                base = base_of(target)
                if isinstance(base, ast.Name):
                    scope.inline.add(base.id)
            case ast.MultiAssign(targets=targets):
                _assigned(scope, targets)
            case ast.For(target=target, key=key):
                _assigned(scope, (target,) if key is None else (target, key))
            case ast.Try(identifier=str() as name):
                scope.assigned.add(name)
            case ast.Global(names=names):
                scope.assigned.update(names)
                scope.global_names.update(names)
            case ast.Persistent(names=names):
                scope.assigned.update(names)
                scope.persistent_names.update(names)
            case ast.Import(names=names):
                scope.imports.extend(names)
            case ast.AnonymousFunction():
                scope.mentioned.update(free_names(node))
            case ast.FunctionHandle(name=name):
                scope.handles.add(name)
            case ast.Function(name=name):
                scope.nested[name] = _collect_function(node, scope)


def names_variables(args: tuple[str, ...]) -> bool:
    """Whether ``clear ARGS`` names variables one by one: no option, no pattern, not all."""
    options = ("all", "variables", "functions", "global", "classes")
    return bool(args) and all(arg.isidentifier() and arg not in options for arg in args)


def _assigned(scope: Scope, targets: Iterable[ast.Expr]) -> None:
    for target in targets:
        base = base_of(target)
        if isinstance(base, ast.Name):
            scope.assigned.add(base.id)


def assigned_after(body: Iterable[ast.Stmt], before: frozenset[str]) -> frozenset[str]:
    """Return variables of a script that are surely bound after `body`, given those before it."""
    bound = set(before)
    for statement in body:
        for node in walk((statement,)):
            if isinstance(node, ast.Command) and node.name in CLEARERS:
                bound.clear()
        if isinstance(statement, ast.Assign | ast.OpAssign):
            targets: tuple[ast.Expr, ...] = (statement.target,)
        elif isinstance(statement, ast.MultiAssign):
            targets = statement.targets
        else:
            continue
        bound.update(base.id for target in targets if isinstance(base := base_of(target), ast.Name))
    return frozenset(bound)


def base_of(target: ast.Expr) -> ast.Expr:
    """Return what a chain of subscripts and fields starts from."""
    while isinstance(target, ast.Index | ast.Field | ast.DynamicField):
        target = target.base
    return target


def free_names(node: ast.AnonymousFunction) -> set[str]:
    """Return the names an anonymous function mentions besides its own parameters."""
    names: set[str] = set()
    for child in walk((node.body,)):
        if isinstance(child, ast.Name):
            names.add(child.id)
        elif isinstance(child, ast.AnonymousFunction):
            names |= free_names(child)
    return names - {p.name for p in node.parameters if p.name}


def walk(nodes: Iterable[Any]) -> Iterator[Any]:
    """All nodes below `nodes`, not entering nested or anonymous functions (those are yielded)."""
    stack = [*nodes]
    stack.reverse()
    while stack:
        node = stack.pop()
        yield node
        if node.__class__ not in _ENDS:
            stack.extend(children(node))


def children(node: Any) -> list[Any]:
    """Return the nodes directly below `node`."""
    kind = node.__class__
    fields = _FIELDS.get(kind)
    if fields is None:
        declared = getattr(kind, "__attrs_attrs__", ())
        # two names that no node lacks, so that there is always a tuple
        names = ["__class__", "__doc__", *(f.name for f in declared if f.name != "span")]
        fields = _FIELDS[kind] = attrgetter(*names)
    found: list[Any] = []
    for value in fields(node)[2:]:
        kind = value.__class__
        if kind is tuple:
            _gather(value, found)
        elif kind not in _LEAVES:
            found.append(value)
    return found


_FIELDS: dict[type, Callable[[Any], tuple[Any, ...]]] = {}


def _gather(values: tuple[Any, ...], found: list[Any]) -> None:
    for value in values:
        kind = value.__class__
        if kind is tuple:
            _gather(value, found)
        elif kind not in _LEAVES:
            found.append(value)
