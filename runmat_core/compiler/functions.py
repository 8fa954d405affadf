"""Functions: entry and exit, nested and anonymous functions, outlined blocks.

A MATLAB function becomes ``def name(_nout, a=_U, b=_U, *_rest)``. Inputs that the caller left out
are unbound, so reading them raises as reading any unbound variable does. An input that the body
writes to is given a wrapper of its own; the others stay borrowed from the caller.
"""

from __future__ import annotations

import ast as py

from runmat_core.compiler import loops, pyast
from runmat_core.compiler.anonymous import Anonymous
from runmat_core.compiler.argument_blocks import ArgumentBlocks, ArgumentGroups, parameter_names
from runmat_core.compiler.classes import ANY, OTHER, classes_in
from runmat_core.compiler.code import Code, dict_name
from runmat_core.compiler.host import mangle
from runmat_core.compiler.outputs import Outputs
from runmat_core.compiler.passages import Passages
from runmat_core.compiler.pyast import (
    assign_name,
    const,
    either,
    load,
    place,
    statements,
    template,
)
from runmat_core.compiler.scopes import COUNTERS, Scope, base_of, walk
from runmat_core.compiler.unit import Unit
from runmat_core.syntax import ast

_OWN_INPUT = statements(
    "if X.__class__ is not _float_t:\n"
    "    if X is _U:\n        DELETE\n"
    "    else:\n        T = _share(X)"
)
_BORROWED_INPUT = statements("if X is _U:\n    DELETE")
_DYNAMIC_INPUT = statements("if X is not _U:\n    T = _share(X)")
_TOO_MANY_OUTPUTS = statements("if _nout > K:\n    raise _too_many_outputs()")
_TOO_MANY_INPUTS = statements("if _rest:\n    raise _too_many_inputs()")
_DECLARED = statements("if False:\n    BODY")
_MOVE = statements("if X.__class__ is _float_t:\n    T = F\nelse:\n    _m = [X]\n    D\n    T = G")
_CALL_BLOCK = statements("T = F()\nif R is not None:\n    BODY")
_IF_SIGNAL = statements("if R == K:\n    BODY")
_RETURN_ALL = statements("return True")
_RELEASE = statements("try:\n    BODY\nfinally:\n    CLEANUP")
_IS_MISSING = template("X is _U")
_COUNT_REST = template("K + _float_t(_len(_rest))")


class FunctionBody(Anonymous, ArgumentBlocks, Outputs, Passages):
    """Generates one function or script."""

    def __init__(self, unit: Unit, scope: Scope) -> None:
        super().__init__(unit, scope)
        self.out = []
        self.signals: set[str] = set()
        self.groups = ArgumentGroups()
        #: whether other statements of the script follow, which a return leaves out
        self.segment = False

    # -- entry ------------------------------------------------------------------------------------

    def definition(self) -> py.FunctionDef:
        """Return the Python function."""
        scope, node = self.scope, self.scope.node
        assert node is not None
        self.masks = self.infer_masks()
        inputs = [p.name for p in node.inputs]
        has_rest = inputs[-1:] == ["varargin"]
        named = inputs[:-1] if has_rest else inputs
        self.groups = groups = self.argument_groups(node)
        named = parameter_names(named, groups.collected)
        parameters = [mangle(name) if name else f"_ignored{i}" for i, name in enumerate(named)]
        made = self.entry(named, parameters, has_rest or groups.takes_rest)
        self.out = []
        self.check_arguments(groups)
        made += self.out
        body = self.whole(node.body)
        made += self.release([*body, *self.exit()])
        key = self.unit.key_of(scope)
        required = ["_nout", *self.constructed]
        definition = pyast.function(key, required, made, optional=parameters, rest="_rest")
        place([definition], node.span)
        return definition

    @property
    def constructed(self) -> list[str]:
        """The parameter for the object that a constructor is given; none elsewhere."""
        name = self.scope.constructed
        return [mangle(name)] if name else []

    def entry(
        self, named: list[str | None], parameters: list[str], has_rest: bool
    ) -> list[py.stmt]:
        scope = self.scope
        made = self.declarations([*parameters, *self.constructed])
        made += self.past_optional(self.groups, parameters)
        if "varargout" not in scope.outputs[-1:]:
            made += _TOO_MANY_OUTPUTS(K=const(max(len(scope.outputs), 0)))
        if not has_rest:
            made += _TOO_MANY_INPUTS()
        if scope.dynamic or scope.mentioned & COUNTERS or scope.node.arguments:  # type: ignore[union-attr]
            made.append(assign_name("_nargin", _count(parameters, not self.groups.options)))
            made.append(assign_name("_nargout", pyast.call("_float_t", load("_nout"))))
        if scope.dynamic:
            made.append(assign_name("_w", py.Dict([], [])))
            if scope.nested:
                made.append(assign_name(dict_name(self.unit.key_of(scope)), load("_w")))
        if scope.constructed:
            self.defined.add(scope.constructed)
            if scope.dynamic:
                made.append(pyast.assign(self.target(scope.constructed), load(self.constructed[0])))
        written = self.written_inputs()
        for name, parameter in zip(named, parameters, strict=True):
            made += self.input(name, parameter, written)
        if has_rest and "varargin" in scope.inputs:
            made.append(
                pyast.assign(self.target("varargin"), pyast.call("_varargin", load("_rest")))
            )
            self.defined.add("varargin")
        made += self.nested_functions()
        return made

    def input(self, name: str | None, parameter: str, written: set[str]) -> list[py.stmt]:
        if name is None:
            return []
        loaded = load(parameter)
        if self.scope.dynamic:
            return _DYNAMIC_INPUT(X=loaded, T=self.target(name))
        delete = [py.Delete([py.Name(parameter, pyast.DEL)])]
        if name in written:
            return _OWN_INPUT(X=loaded, DELETE=delete, T=pyast.store(parameter))
        return _BORROWED_INPUT(X=loaded, DELETE=delete)

    def declarations(self, parameters: list[str]) -> list[py.stmt]:
        """Return what makes CPython see every variable as a local of this function."""
        scope = self.scope
        if scope.dynamic:
            return []
        shared = sorted(
            mangle(name) for name in scope.inherited if self.place_of(name)[0] == "local"
        )
        made: list[py.stmt] = [py.Nonlocal(shared)] if shared else []
        local = {
            mangle(name) for name in scope.variables if self.place_of(name)[0] == "local"
        } - set(parameters)
        targets = [pyast.store(name) for name in ("_extra", *sorted(local))]
        return made + _DECLARED(BODY=[py.Assign(list(targets), const(None))])

    def written_inputs(self) -> set[str]:
        """Variables that the body may write into, hand on or return."""
        scope = self.scope
        written = {*scope.outputs, *scope.exposed}
        assert scope.node is not None
        for node in walk(scope.node.body):
            targets: tuple[ast.Expr, ...] = ()
            if isinstance(node, ast.Assign | ast.OpAssign | ast.Assignment | ast.For):
                targets = (node.target,)
            elif isinstance(node, ast.MultiAssign):
                targets = node.targets
            for target in targets:
                base = base_of(target)
                if base is not target and isinstance(base, ast.Name):
                    written.add(base.id)
        return written

    def infer_masks(self) -> dict[str, int]:
        """Return the classes of the plain local variables, from everything assigned to them."""
        scope = self.scope
        assert scope.node is not None
        inputs = [*scope.inputs]
        for declared in scope.node.arguments:
            inputs += [one.name.partition(".")[0] for one in declared.declarations]
        if scope.dynamic:
            self.likely = classes_in(scope.node.body, scope.variables, inputs)
            return {}
        plain = [name for name in scope.variables if self.is_plain(name)]
        return classes_in(scope.node.body, plain, inputs)

    # -- exit -------------------------------------------------------------------------------------

    def exit(self) -> list[py.stmt]:
        outer, self.out = self.out, []
        self.leave()
        made, self.out = self.out, outer
        return made

    def leave(self) -> None:
        self.out += self.returned()

    def signal(self, what: str) -> py.stmt:
        self.signals.add(what)
        return py.Return(const(what))

    def returned(self) -> list[py.stmt]:
        made = [*self.check_outputs(self.groups), *self.return_outputs()]
        if self.segment:
            made = _RETURN_ALL()
        if self.outlined:
            for node in made:
                for inner in py.walk(node):
                    if isinstance(inner, py.Return):
                        inner.value = py.Tuple([inner.value or const(None)], pyast.LOAD)
        return made

    def release(self, body: list[py.stmt]) -> list[py.stmt]:
        """Break the cycle of nested functions that mention each other, unless a handle escapes.

        Otherwise the variables of the call would wait for Python's cycle collector.
        """
        scope = self.scope
        names = {
            name for inner in scope.nested.values() for s in inner.nest() for name in s.mentioned
        }
        cyclic = [name for name in scope.nested if name in names]
        escapes = any(s.handles or s.captures_nested for s in scope.nest())
        if not cyclic or escapes:
            return body
        cleanup = [
            assign_name(self.unit.key_of(scope.nested[name]), const(None)) for name in cyclic
        ]
        return _RELEASE(BODY=body, CLEANUP=cleanup)

    # -- nested functions and outlined blocks -----------------------------------------------------

    def nested_functions(self) -> list[py.stmt]:
        made: list[py.stmt] = []
        for inner in self.scope.nested.values():
            made.append(FunctionBody(self.unit, inner).definition())
        return made

    def outline(self, node: ast.Stmt) -> None:
        key = self.unit.new_key(f"{self.unit.key_of(self.scope)}~block{self.unit.mark}")
        self.unit.infos[key] = self.unit.infos[self.unit.key_of(self.scope)]
        saved = self.blocks, self.loops, self.outlined, self.signals, self.out
        self.blocks, self.loops, self.outlined, self.signals, self.out = 0, 0, True, set(), []
        self.statement(node)
        body, signals = self.out, self.signals
        self.blocks, self.loops, self.outlined, self.signals, self.out = saved
        names = sorted(
            mangle(name)
            for name in self.scope.variables | self.scope.inherited
            if self.place_of(name)[0] == "local"
        )
        first: list[py.stmt] = [py.Nonlocal(names)] if names else []
        definition = pyast.function(key, [], [*first, *body, py.Return(const(None))])
        result = self.temporary()
        handle: list[py.stmt] = []
        for what in sorted(signals):
            leave = py.Break() if what == "break" else py.Continue()
            handle += _IF_SIGNAL(
                R=load(result), K=const(what), BODY=[leave if self.loops else self.signal(what)]
            )
        value = load(result) if self.outlined else py.Subscript(load(result), const(0), pyast.LOAD)
        handle.append(py.Return(value))
        self.out.append(definition)
        self.out += _CALL_BLOCK(T=pyast.store(result), R=load(result), F=load(key), BODY=handle)

    def twin_of(self, node: ast.For) -> str:
        scope = loops.twin_scope(node, self.scope)
        own = self.unit.infos[self.unit.key_of(self.scope)]
        key = self.unit.new_key(f"{self.unit.key_of(self.scope)}~loop{self.unit.mark}")
        self.unit.name_scope(scope, key)
        self.unit.infos[key].update(
            name=own["name"],
            kind="script",
            line=node.span.line,
            variables=tuple(sorted(scope.variables)),
            dynamic=True,
            key=key,
        )
        generator = FunctionBody(self.unit, scope)
        generator.twin = True
        met, self.unit.met = self.unit.met, set()
        definition = pyast.function(key, ["_w"], generator.block(node.body))
        made = [definition, *loops.after_twin(key)]
        place(made, node.span)
        self.unit.met = met
        self.unit.definitions += made
        return key

    # -- moves ------------------------------------------------------------------------------------

    def move(self, target: ast.Name, value: ast.Expr) -> bool:
        """``x = f(x, ...)`` hands f the only reference to x, so that f may write in place.

        Not where an error could make the lost value visible, nor for scalars.
        """
        if not (isinstance(value, ast.Index) and value.kind == "()" and not self.tries):
            return False
        base = value.base
        if not isinstance(base, ast.Name) or self.status(base.id) != "function":
            return False
        name = target.id
        if self.scope.dynamic or not self.is_plain(name):
            return False
        mentions = [n for n in walk(value.args) if _mentions(n, name)]
        if len(mentions) != 1 or mentions[0] not in value.args:
            return False
        if not isinstance(mentions[0], ast.Name):
            # a function handle or `end`, which may use the variable unseen
            return False
        if not self.masks.get(name, ANY) & OTHER:
            return False
        plain = self.value(value)
        taken = tuple(_Taken() if arg is mentions[0] else arg for arg in value.args)
        moved = self.value(ast.Index(base, "()", taken, span=value.span))
        self.out += _MOVE(
            X=load(mangle(name)),
            T=self.target(name),
            F=plain.node,
            G=moved.node,
            D=[py.Delete([py.Name(mangle(name), pyast.DEL)])],
        )
        return True

    def _expr(self, node: ast.Expr) -> Code:
        if isinstance(node, _Taken):
            return Code(_TAKE())
        return super()._expr(node)


_TAKE = template("_m.pop()")


class _Taken(ast.Expr):
    """A variable that is moved out of `_m`."""


def _mentions(node: object, name: str) -> bool:
    if isinstance(node, ast.Name):
        return node.id == name
    return isinstance(node, ast.AnonymousFunction | ast.End)


def _count(parameters: list[str], rest: bool = True) -> py.expr:
    """Return the number of inputs: those before the first missing one, and perhaps the rest."""
    whole = const(float(len(parameters)))
    count: py.expr = _COUNT_REST(K=whole) if rest else whole
    for number in range(len(parameters) - 1, -1, -1):
        count = either(_IS_MISSING(X=load(parameters[number])), const(float(number)), count)
    return count
