"""Function handles and anonymous functions.

An anonymous function is made by a factory at module level whose parameters are the captured values,
so it holds those and nothing else of the scope it was written in. Calling one is a Python call.
"""

from __future__ import annotations

import ast as py

from runmat_core.compiler import pyast
from runmat_core.compiler.classes import OTHER
from runmat_core.compiler.code import Code, helper
from runmat_core.compiler.host import mangle
from runmat_core.compiler.pyast import (
    call,
    const,
    either,
    load,
    place,
    statements,
    template,
    tuple_of,
)
from runmat_core.compiler.scopes import Scope, free_names
from runmat_core.compiler.statements import Statements
from runmat_core.compiler.unit import Unit
from runmat_core.syntax import ast

_UNBIND = statements("if X is _U:\n    D")
_TOO_MANY_INPUTS = statements("if _rest:\n    raise _too_many_inputs()")
_TOO_MANY_OUTPUTS = statements("if _nout > 1:\n    raise _too_many_outputs()")
_RETURN = statements("return V")
_READ_OR_UNBOUND = statements("try:\n    T = X\nexcept _Unbound:\n    T = _U")
_CAPTURE = template("_capture(_w, K)")
_HANDLE = template("_make_anonymous(FACTORY, SOURCE, NAMES, VALUES)")


class Anonymous(Statements):
    """Generates handles."""

    def handle(self, node: ast.FunctionHandle) -> Code:
        name = node.name
        nested = self.nested_key(name)
        if nested is not None:
            return Code(call("_local_handle", load(nested), const(name)), OTHER)
        if name in self.unit.local_functions:
            return Code(call("_local_handle", load(mangle(name)), const(name)), OTHER)
        scope = load(self.unit.scope_name(self.imports))
        made: py.expr = call("_handle_in", const(name), scope)
        root, *names = name.split(".")
        status = self.status(root)
        if names and status != "function":
            bound = self.handle_of_method(root, names)
            made = bound if status == "variable" else either(self.is_bound(root), bound, made)
        return Code(made, OTHER)

    def handle_of_method(self, root: str, names: list[str]) -> py.expr:
        """``@obj.method`` of a variable: the object as it is now goes with the method."""
        value: py.expr = call("_share", self.read(root))
        for name in names[:-1]:
            value = call("_field", value, const(name))
        return call("_member", value, const(names[-1]))

    def anonymous(self, node: ast.AnonymousFunction) -> Code:
        names: list[str] = []
        values: list[py.expr] = []
        captured: dict[str, bool] = {}
        nested: dict[str, str] = {}
        for name in sorted(free_names(node)):
            status = self.status(name)
            if status == "either" and name in self.unit.local_functions:
                # a parameter of that name would hide the function from the body
                status = "function"
            if status != "function":
                captured[name] = status == "either"
                names.append(mangle(name))
                values.append(self.captured_value(name, status))
            key = self.nested_key(name)
            if key is not None and status != "variable":
                nested[name] = key
                self.scope.captures_nested = True
        factory = self._factory(node, captured, nested)
        from runmat_core.syntax import unparse_expression

        source = unparse_expression(node)
        node_names = tuple_of([const(name) for name in captured])
        keys = list(dict.fromkeys(nested.values()))
        arguments = tuple_of([*values, *map(load, keys)])
        made = _HANDLE(
            FACTORY=load(factory), SOURCE=const(source), NAMES=node_names, VALUES=arguments
        )
        return Code(made, OTHER)

    def captured_value(self, name: str, status: str) -> py.expr:
        """Return the value to capture, ``_U`` if it is unbound: a call may complain of that."""
        if status == "either" and name not in self.captured:
            return _CAPTURE(K=const(name))
        code = self.variable(name)
        if name in self.captured or name in self.defined or self.prelude is None:
            return self.shared(code)
        held = self.temporary()
        self.prelude += _READ_OR_UNBOUND(T=pyast.store(held), X=code.node)
        return self.shared(Code(load(held), fresh=False, simple=True))

    def _factory(
        self, node: ast.AnonymousFunction, captured: dict[str, bool], nested: dict[str, str]
    ) -> str:
        """Define the function that makes the function; its name."""
        from runmat_core.syntax import unparse_expression

        key = self.unit.new_key(f"@{self.unit.mark}")
        inputs = [p.name for p in node.parameters]
        has_rest = bool(inputs) and inputs[-1] == "varargin"
        named = inputs[:-1] if has_rest else inputs
        scope = Scope("anonymous", inputs=tuple(name for name in inputs if name))
        scope.variables = {*scope.inputs, *captured}
        scope.imports = self.scope.imports
        self.unit.name_scope(scope, key)
        self.unit.infos[key] = {
            "name": unparse_expression(node),
            "kind": "anonymous",
            "line": node.span.line,
            "inputs": tuple(named),
            "varargin": has_rest,
            "variables": tuple(sorted(scope.variables)),
            "key": key,
        }
        body = AnonymousBody(self.unit, scope, captured, nested)
        inner = body.definition(node, named, has_rest)
        unbind: list[py.stmt] = []
        for name, maybe in captured.items():
            if not maybe:
                loaded = load(mangle(name))
                unbind += _UNBIND(X=loaded, D=[py.Delete([py.Name(loaded.id, pyast.DEL)])])
        parameters = [*map(mangle, captured), *dict.fromkeys(nested.values())]
        factory = f"_make{key}"
        made = pyast.function(factory, parameters, [*unbind, inner, *_RETURN(V=load(key))])
        place([made], node.span)
        self.unit.definitions.append(made)
        return factory


class AnonymousBody(Anonymous):
    """Generates the function of one anonymous function."""

    def __init__(
        self, unit: Unit, scope: Scope, captured: dict[str, bool], nested: dict[str, str]
    ) -> None:
        super().__init__(unit, scope)
        self.captured = captured
        self.nested_functions = nested
        self.out = []

    def nested_key(self, name: str) -> str | None:
        return self.nested_functions.get(name)

    def assignment(self, node: ast.Assignment) -> Code:
        return helper("_unsupported", const("an assignment in an anonymous function"))

    def definition(
        self, node: ast.AnonymousFunction, named: list[str | None], has_rest: bool
    ) -> py.FunctionDef:
        parameters = [mangle(name) if name else f"_ignored{i}" for i, name in enumerate(named)]
        if has_rest:
            varargin = call("_varargin", load("_rest"))
            self.out.append(pyast.assign_name("varargin", varargin))
        else:
            self.out += _TOO_MANY_INPUTS()
        for name, parameter in zip(named, parameters, strict=True):
            if name:
                delete = [py.Delete([py.Name(parameter, pyast.DEL)])]
                self.out += _UNBIND(X=load(parameter), D=delete)
        self.prelude = self.out
        body = node.body
        if isinstance(body, ast.Name | ast.Index | ast.Field | ast.DynamicField):
            code = self.postfix(body, load("_nout"))
            if code.many:
                code = Code(call("_outputs_of", load("_nout"), code.node))
        else:
            self.out += _TOO_MANY_OUTPUTS()
            code = self.value(body)
        self.out += _RETURN(V=self.shared(code))
        key = self.unit.key_of(self.scope)
        return pyast.function(key, ["_nout"], self.out, optional=parameters, rest="_rest")
