"""A parsed file to a code object."""

from __future__ import annotations

import ast as py
import sys
import threading
from collections.abc import Callable
from types import CodeType
from typing import TypeVar

from runmat_core.compiler import pyast
from runmat_core.compiler.classes import classes_in
from runmat_core.compiler.code import dict_name
from runmat_core.compiler.compiled import CompiledModule
from runmat_core.compiler.functions import FunctionBody
from runmat_core.compiler.host import RENAMED, mangle
from runmat_core.compiler.pyast import assign_name, const, load, place, statements
from runmat_core.compiler.scopes import Scope, function_scope, script_scope
from runmat_core.compiler.unit import Unit
from runmat_core.syntax import ast

T = TypeVar("T")

_RETURN = statements("return V")
_OUTPUTS = statements("return _outputs_of(_nout, V)")

#: CPython's own compiler recurses in C, so the work is done on a thread with room for that.
_STACK_BYTES = 256 * 1024 * 1024
_RECURSION = 20_000


def build(
    module: ast.Module, filename: str, kind: str, global_names: frozenset[str]
) -> CompiledModule:
    """Compile a parsed file; `kind` is ``file``, ``method``, ``script`` or ``expression``."""
    unit = Unit(filename)
    # the function of a method's file is called like any other method, by the class of its arguments
    is_method = kind == "method" and module.kind == "function"
    kind = "file" if kind == "method" else kind
    local = module.functions[1:] if is_method else module.functions
    unit.local_functions = {function.name for function in local}
    for function in module.functions:
        define(unit, function_scope(function))
    main = None
    entry = None
    classdef = None
    if module.classdef is not None:
        from runmat_core.compiler.class_files import class_text
        from runmat_core.compiler.class_text import plain_of

        classdef = plain_of(class_text(unit, module.classdef, define))
    elif module.kind == "script" or kind != "file":
        entry = _script(unit, module.body, kind, global_names)
    else:
        main = module.functions[0].name
    return CompiledModule(
        filename=filename,
        code=_compile(unit),
        constants=tuple(unit.constants),
        cells=tuple((key, *value) for key, value in unit.cells.items()),
        imports=tuple(unit.imports),
        infos=tuple((key, tuple(info.items())) for key, info in unit.infos.items()),
        functions=tuple(function.name for function in module.functions),
        main=main,
        entry=entry,
        kind="method" if is_method else "script" if entry and kind == "file" else kind,
        classdef=classdef,
    )


def define(unit: Unit, scope: Scope, owner: str = "") -> str:
    """Generate a function of the file with its nested functions; gives the name of its code.

    `owner` is the class of a method, which reports name it with.
    """
    name_scopes(unit, scope, owner)
    unit.definitions.append(FunctionBody(unit, scope).definition())
    return unit.key_of(scope)


def name_scopes(unit: Unit, scope: Scope, owner: str = "") -> None:
    """Give the functions of a nest their names and describe them."""
    for one in scope.nest():
        node = one.node
        assert node is not None
        outside = f"{owner}/" if owner else ""
        around = outside if one.parent is None else f"{unit.key_of(one.parent)}/"
        key = unit.new_key(mangle(around + node.name))
        unit.name_scope(one, key)
        inputs = tuple(p.name for p in node.inputs)
        groups = [block for block in node.arguments if block.kind == "Input"]
        collected = {
            declared.name.partition(".")[0]
            for block in groups
            for declared in block.declarations
            if block.repeating or "." in declared.name
        }
        outputs = node.outputs
        unit.infos[key].update(
            name=key.partition("#")[0].removeprefix(RENAMED),
            kind=one.kind,
            line=node.span.line,
            inputs=tuple(n for n in inputs if n != "varargin" and n not in collected),
            outputs=tuple(n for n in outputs if n != "varargout"),
            varargin=inputs[-1:] == ("varargin",) or bool(collected),
            varargout=outputs[-1:] == ("varargout",),
            variables=tuple(sorted(one.variables | one.inherited)),
            global_names=tuple(sorted(one.global_names)),
            persistent_names=tuple(sorted(one.persistent_names)),
            inherited=_inherited(unit, one),
            mangled=tuple(
                (name, mangle(name))
                for name in sorted(one.variables | one.inherited)
                if mangle(name) != name
            ),
            dynamic=one.dynamic,
            key=key,
            help=node.help,
        )


def _inherited(unit: Unit, scope: Scope) -> tuple[tuple[str, str], ...]:
    """The variables of enclosing functions that live in dicts, with the names of these."""
    found = []
    for name in sorted(scope.inherited):
        holder = scope.holder(name)
        if holder is not None and holder.dynamic:
            found.append((name, dict_name(unit.key_of(holder))))
    return tuple(found)


def _script(unit: Unit, body: ast.Block, kind: str, global_names: frozenset[str]) -> str:
    """Define the function that runs a script, or evaluates an expression, over ``_w``."""
    kind = "expression" if kind == "expression" else "script"
    scope = script_scope(body, kind, global_names)
    key = unit.new_key(f"<{kind}>")
    unit.name_scope(scope, key)
    unit.infos[key].update(
        name="",
        kind=kind,
        line=1,
        variables=tuple(sorted(scope.variables)),
        global_names=tuple(sorted(scope.global_names)),
        dynamic=True,
        key=key,
    )
    generator = FunctionBody(unit, scope)
    generator.likely = classes_in(body, scope.variables)
    if kind == "expression" and body and isinstance(body[-1], ast.ExprStmt):
        made = [*generator.block(body[:-1]), *_result(generator, body[-1])]
        definition = pyast.function(key, ["_nout", "_w"], made)
    else:
        parameters = ["_nout", "_w"] if kind == "expression" else ["_w"]
        definition = pyast.function(key, parameters, generator.whole(body))
    place([definition], body[0].span if body else ast.NOWHERE)
    unit.definitions.append(definition)
    return key


def _result(generator: FunctionBody, statement: ast.ExprStmt) -> list[py.stmt]:
    """Return the value of an evaluated expression."""
    value = statement.value
    generator.out = []
    generator.prelude = generator.out
    if isinstance(value, ast.Name | ast.Index | ast.Field | ast.DynamicField):
        code = generator.postfix(value, load("_nout"))
    else:
        code = generator.expr(value)
    last = _OUTPUTS(V=code.node) if code.many else _RETURN(V=generator.shared(code))
    made = [*generator.out, *last]
    place(made, statement.span)
    return made


def _compile(unit: Unit) -> CodeType:
    tree = py.Module(unit.definitions or [assign_name("_", const(None))], [])
    place(tree.body, ast.NOWHERE)
    code: CodeType = compile(
        tree, unit.filename or "<typed>", "exec", dont_inherit=True, optimize=1
    )
    return code


def with_deep_stack(work: Callable[[], T]) -> T:
    """`work()` on a thread where deep recursion is safe."""
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)

    limit = sys.getrecursionlimit()
    old = threading.stack_size(_STACK_BYTES)
    try:
        sys.setrecursionlimit(max(limit, _RECURSION))
        thread = threading.Thread(target=run, name="runmat-compile")
        thread.start()
        thread.join()
    finally:
        threading.stack_size(old)
        sys.setrecursionlimit(limit)
    if errors:
        raise errors[0]
    return results[0]
