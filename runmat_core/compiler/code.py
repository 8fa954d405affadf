"""What the code generators pass to each other, and the state they share."""

from __future__ import annotations

import ast as py
from typing import Any

import attrs

from runmat_core.compiler import pyast
from runmat_core.compiler.classes import ANY, FLOAT, OTHER
from runmat_core.compiler.host import mangle
from runmat_core.compiler.pyast import (
    at,
    call,
    const,
    either,
    is_one,
    load,
    template,
    tuple_of,
    walrus,
)
from runmat_core.compiler.scopes import Scope
from runmat_core.compiler.unit import Unit
from runmat_core.syntax import ast

#: Nesting beyond which a value is computed in a statement of its own: CPython's compiler recurses.
MAX_DEPTH = 40

_IS_BOUND_CAPTURE = template("X is not _U")
_IS_BOUND_ITEM = template("K in W")
_SHARED = template("X if X.__class__ is _float_t else _share(X)")
_SHARED_ONCE = template("X if (V).__class__ is _float_t else _share(X)")
#: Elements of an array are mostly copied to where they go; what does not copy them shares it.
_LENT = template("X if X.__class__ is _float_t or X.__class__ is _Array else _share(X)")
_NOT_NONE = template("V is not None")
_ONE = template("N == 1")
_CONSTANT = template("X if (V) is not None else F(1)")


@attrs.define(eq=False)
class Code:
    """A Python expression that computes a MATLAB value.

    Attributes:
        node: the expression.
        mask: the classes that the value may have (`classes`).
        fresh: whether nothing else holds the value, so that binding it needs no share.
        simple: whether it may be evaluated twice: a constant or a plain local.
        many: whether it may be a `CommaList`.
        pure: whether it only reads a variable, so that it may stand in two branches.
        span: whether it may be a `Span`, which only the read of a value takes.
    """

    node: py.expr
    mask: int = ANY
    fresh: bool = True
    simple: bool = False
    many: bool = False
    pure: bool = False
    span: bool = False


@attrs.frozen
class Given(ast.Expr):
    """A value that is at hand as a Python expression."""

    node: py.expr


@attrs.define(eq=False)
class EndContext:
    """What ``end`` means among the subscripts of a variable.

    Attributes:
        value: evaluates to the indexed value (None when unbound).
        count: how many subscripts there are.
        bound: for a name that may be a function, the test that it is a variable.
        position: which subscript is being generated, from zero.
        used: whether an ``end`` occurred.
        early: whether `value` may be evaluated before the statement that it stands in.
    """

    value: py.expr
    count: int
    bound: py.expr | None = None
    position: int = 0
    used: bool = False
    early: bool = False


def constant(value: float | bool) -> Code:
    return Code(const(value), 1 if isinstance(value, bool) else FLOAT, simple=True)


def asking(read: py.expr, x: py.expr, subs: list[py.expr], nargout: py.expr) -> py.expr:
    """`read`, which gives one value of ``x(subs)``, or what tells `x` how many are wanted."""
    if is_one(nargout):
        return read
    asked = call("_asked", x, tuple_of(subs), nargout)
    return asked if isinstance(nargout, py.Constant) else either(_ONE(N=nargout), read, asked)


class Emitter:
    """The state of generating one function, script or anonymous function."""

    def __init__(self, unit: Unit, scope: Scope) -> None:
        self.unit = unit
        self.scope = scope
        #: classes of the variables, where inference holds
        self.masks: dict[str, int] = {}
        #: those of variables in a dict, which other code may change: as far as the text tells
        self.likely: dict[str, int] = {}
        #: variables that are surely bound here
        self.defined: set[str] = set()
        self.ends: list[EndContext] = []
        #: statements to run before the current one; None where nothing may be hoisted
        self.prelude: list[py.stmt] | None = None
        self.depth = 0
        self.temporaries = 0
        #: those of the statement that may hold what nothing else needs
        self.holding: list[str] = []
        #: what anonymous functions capture: name to whether it may be unbound
        self.captured: dict[str, bool] = {}
        #: whether the statement contains a call, which may write to variables that others see
        self.calls = False

    # -- temporaries ------------------------------------------------------------------------------

    def temporary(self) -> str:
        self.temporaries += 1
        return f"_{self.temporaries}"

    def _holds(self, name: str, code: Code) -> None:
        """Note a temporary whose value is no variable's and may be an array."""
        if code.fresh and code.mask & OTHER:
            self.holding.append(name)

    def once(self, code: Code, tests: list[py.expr]) -> py.expr:
        """Return an expression for the value of `code` that may be used several times.

        When `code` is not simple, its evaluation goes to `tests`, which are true expressions to be
        evaluated first, in order.
        """
        if code.simple:
            return code.node
        name = self.temporary()
        self._holds(name, code)
        tests.append(_NOT_NONE(V=walrus(name, code.node)))
        return load(name)

    def settle(self, code: Code) -> Code:
        """`code` computed in a statement of its own, where that is possible."""
        if self.prelude is None or code.simple:
            return code
        name = self.temporary()
        self._holds(name, code)
        self.prelude.append(pyast.assign_name(name, code.node))
        return attrs.evolve(code, node=load(name), simple=True)

    # -- variables --------------------------------------------------------------------------------

    def status(self, name: str) -> str:
        """``variable``, ``function``, or ``either`` when only running tells."""
        if name in self.captured:
            return "either" if self.captured[name] else "variable"
        if self.scope.kind == "anonymous":
            return "variable" if name in self.scope.variables else "function"
        if name in self.scope.global_names:
            return "variable"
        if self.scope.kind in ("script", "expression"):
            if name in self.defined:
                return "variable"
            own = name in self.unit.local_functions and name not in self.scope.assigned
            return "function" if own else "either"
        if self.scope.holder(name) is not None:
            return "variable"
        if name in self.unit.local_functions or self.nested_key(name) is not None:
            return "function"
        return "either" if self.scope.dynamic else "function"

    def place_of(self, name: str) -> tuple[str, str]:
        """Where the variable is: ``("local", python name)`` or ``(dict name, key)``."""
        if self.scope.kind == "anonymous":
            return "local", mangle(name)
        holder = self.scope.holder(name) or self.scope
        if name in holder.global_names or name in self.scope.global_names:
            return "_g", name
        if name in holder.persistent_names:
            return "_p", f"{self.unit.key_of(holder)}.{name}"
        if holder.dynamic:
            return ("_w" if holder is self.scope else dict_name(self.unit.key_of(holder))), name
        return "local", mangle(name)

    def read(self, name: str) -> py.expr:
        where, key = self.place_of(name)
        return load(key) if where == "local" else pyast.item(load(where), key)

    def target(self, name: str) -> py.expr:
        where, key = self.place_of(name)
        if where == "local":
            return pyast.store(key)
        return py.Subscript(load(where), const(key), pyast.STORE)

    def is_bound(self, name: str) -> py.expr:
        """Return the test that a name of status ``either`` is a variable."""
        if name in self.captured:
            return _IS_BOUND_CAPTURE(X=load(mangle(name)))
        return _IS_BOUND_ITEM(K=const(name), W=load("_w"))

    def is_plain(self, name: str) -> bool:
        """Whether the variable is a local that changes in statements of this scope only."""
        scope = self.scope
        return self.place_of(name)[0] == "local" and name not in (
            scope.inherited | scope.exposed | scope.inline
        )

    def variable(self, name: str) -> Code:
        """Return the value of a variable, borrowed from it."""
        plain = self.is_plain(name)
        mask = self.masks.get(name, ANY) if plain else ANY
        pure = name not in self.scope.inline
        return Code(self.read(name), mask, fresh=False, simple=plain, pure=pure)

    # -- values -----------------------------------------------------------------------------------

    def shared(self, code: Code) -> py.expr:
        """`code` as a value of its own: what binding or storing it needs."""
        code = self.single(code)
        if code.fresh or not code.mask & OTHER:
            return code.node
        if not code.mask & FLOAT:
            return call("_share", code.node)
        if code.simple:
            return _SHARED(X=code.node)
        name = self.temporary()
        return _SHARED_ONCE(X=load(name), V=walrus(name, code.node))

    def lent(self, code: Code) -> py.expr:
        """`code` as what takes elements of it needs: a value of its own unless it is an `Array`."""
        code = self.single(code)
        if code.fresh or not code.simple or not code.mask & OTHER:
            return self.shared(code)
        return _LENT(X=code.node)

    def single(self, code: Code) -> Code:
        """`code` as exactly one value; a comma list of any other length is an error."""
        return self._one(code, "_sole")

    def first(self, code: Code) -> Code:
        """`code` as one value: the first of a comma list, as assignment takes."""
        return self._one(code, "_first")

    def _one(self, code: Code, choose: str) -> Code:
        if not code.many:
            return code
        # a call, not a test of a temporary: the temporary would go on sharing the buffer of a
        # field, and the next write to that field would copy it
        return attrs.evolve(code, node=call(choose, code.node), many=False)

    def constant_or_call(self, cell: str) -> py.expr:
        """Return the value of a name such as ``pi``, which its cell remembers."""
        name = self.temporary()
        return _CONSTANT(
            X=load(name),
            V=walrus(name, pyast.attribute(load(cell), "constant")),
            F=pyast.attribute(load(cell), "fn"),
        )

    @property
    def imports(self) -> tuple[str, ...]:
        """The import lists in force."""
        return tuple(self.scope.imports)

    def nested_key(self, name: str) -> str | None:
        """Return the Python name of a nested function that is visible here."""
        for scope in (self.scope, *self.scope.ancestors()):
            if name in scope.nested:
                return self.unit.key_of(scope.nested[name])
        return None

    # -- what the parts of the generator call of each other ---------------------------------------

    def expr(self, node: ast.Expr) -> Code:
        raise NotImplementedError

    def value(self, node: ast.Expr) -> Code:
        """Return the code of `node` as exactly one value."""
        return self.single(self.expr(node))

    def postfix(self, node: ast.Expr, nargout: py.expr) -> Code:
        raise NotImplementedError

    def call_function(self, name: str, args: tuple[ast.Expr, ...], nargout: py.expr) -> Code:
        raise NotImplementedError

    def anonymous(self, node: ast.AnonymousFunction) -> Code:
        raise NotImplementedError

    def handle(self, node: ast.FunctionHandle) -> Code:
        raise NotImplementedError


def dict_name(key: str) -> str:
    """Return the Python name by which nested functions reach the variables of a function."""
    return f"_w_{key}"


def mark(code: Code, node: Any) -> Code:
    """`code` with the position of the MATLAB node it computes."""
    at(code.node, node.span)
    return code


def helper(name: str, *args: py.expr, mask: int = ANY) -> Code:
    """Return a call of a runtime helper with a fresh result."""
    return Code(call(name, *args), mask)
