"""A parsed file to a code object."""

from __future__ import annotations

import ast as py
import sys
import threading
from collections.abc import Callable
from types import CodeType
from typing import Any, TypeVar

from runmat_core.api.tuples import NamedTuple
from runmat_core.compiler import pyast
from runmat_core.compiler.classes import classes_in
from runmat_core.compiler.code import dict_name
from runmat_core.compiler.compiled import CompiledModule, mark_of
from runmat_core.compiler.functions import FunctionBody
from runmat_core.compiler.host import RENAMED, mangle
from runmat_core.compiler.pyast import assign_name, const, load, place, statements
from runmat_core.compiler.scopes import Scope, assigned_after, function_scope, script_scope
from runmat_core.compiler.unit import Unit
from runmat_core.syntax import ast

T = TypeVar("T")

#: A script that is compiled in parts is cut into so many lines.
SEGMENT = 150

_RETURN = statements("return V")
_OUTPUTS = statements("return _outputs_of(_nout, V)")

#: CPython's own compiler recurses in C, so the work is done on a thread with room for that.
_STACK_BYTES = 256 * 1024 * 1024
_RECURSION = 20_000


def build(
    module: ast.Module, filename: str, kind: str, global_names: frozenset[str], in_parts: bool
) -> tuple[CompiledModule, list[Part | None]]:
    """Compile a parsed file; `kind` is ``file``, ``method``, ``script`` or ``expression``.

    Args:
        in_parts: whether what does not run at once is to wait until it is reached.

    Returns:
        The file, and what waits.
    """
    unit = Unit(filename)
    # the function of a method's file is called like any other method, by the class of its arguments
    is_method = kind == "method" and module.kind == "function"
    kind = "file" if kind == "method" else kind
    local = module.functions[1:] if is_method else module.functions
    unit.local_functions = {function.name for function in local}
    main = module.functions[0] if module.kind == "function" and kind == "file" else None
    later = put_off if in_parts else define_function
    for function in module.functions:
        (define_function if function is main else later)(unit, function)
    entry = None
    classdef = None
    if module.classdef is not None:
        from runmat_core.compiler.class_files import class_text
        from runmat_core.compiler.class_text import plain_of

        classdef = plain_of(class_text(unit, module.classdef, define, later))
    elif main is None:
        entry = _script(unit, module.body, kind, global_names, in_parts)
    parts = unit.waiting
    compiled = CompiledModule(
        filename=filename,
        functions=tuple(function.name for function in module.functions),
        main=None if main is None else main.name,
        entry=entry,
        kind="method" if is_method else "script" if entry and kind == "file" else kind,
        classdef=classdef,
        waiting=tuple(part.key for part in parts),
        **_code_of(unit),
    )
    return compiled, [*parts]


def _code_of(unit: Unit) -> dict[str, Any]:
    """Return the code of a unit and what linking it needs, as fields of a `CompiledModule`."""
    return {
        "code": _compile(unit),
        "constants": tuple(unit.constants),
        "cells": tuple((key, *value) for key, value in unit.cells.items()),
        "imports": tuple(unit.imports),
        "infos": tuple((key, tuple(info.items())) for key, info in unit.infos.items()),
    }


def define(unit: Unit, scope: Scope, owner: str = "", key: str = "") -> str:
    """Generate a function of the file with its nested functions; gives the name of its code.

    Args:
        owner: the class of a method, which reports name it with.
        key: the name of its code, where it has one already.
    """
    name_scopes(unit, scope, owner, key)
    unit.definitions.append(FunctionBody(unit, scope).definition())
    return unit.key_of(scope)


def define_function(unit: Unit, node: ast.Function, owner: str = "") -> str:
    """Generate a function of the file, as `define` does."""
    return define(unit, function_scope(node), owner)


def put_off(unit: Unit, node: ast.Function, owner: str = "") -> str:
    """Make a function of the file a part that waits; gives the name of its code."""
    outside = f"{owner}/" if owner else ""
    key = unit.new_key(mangle(outside + node.name))
    unit.infos[key].update(_declared(node, key))
    unit.waiting.append(FunctionPart(key, unit, node, owner))
    return key


class FunctionPart(NamedTuple):
    """A function that waits for its first call."""

    key: str
    file: Unit
    node: ast.Function
    owner: str

    def compiled(self, part: int) -> CompiledModule:
        unit = self.file.part(mark_of(part))
        define(unit, function_scope(self.node), self.owner, self.key)
        return _part_of(unit)


class Segment(NamedTuple):
    """Statements of a script that wait until those before them have run.

    Attributes:
        key: the name of the script's code.
        file: the unit of the script.
        body: the statements.
        scope: of the whole script.
        likely: what is known of the classes of its variables.
        defined: the variables that the statements before these surely assigned.
    """

    key: str
    file: Unit
    body: ast.Block
    scope: Scope
    likely: dict[str, int]
    defined: frozenset[str]

    def compiled(self, part: int) -> CompiledModule:
        unit = self.file.part(mark_of(part))
        unit.name_scope(self.scope, self.key)
        unit.infos[self.key] = self.file.infos[self.key]
        unit.definitions.append(self.definition(unit))
        del unit.infos[self.key]  # the file describes it
        return _part_of(unit)

    def definition(self, unit: Unit, whole: bool = False) -> py.stmt:
        """Return the function over ``_w``.

        Unless it is the `whole` script, it is true after a return.
        """
        generator = FunctionBody(unit, self.scope)
        generator.likely = self.likely
        generator.defined = {*self.defined}
        generator.segment = not whole
        made = pyast.function(self.key, ["_w"], generator.whole(self.body))
        place([made], self.body[0].span if self.body else ast.NOWHERE)
        return made


Part = FunctionPart | Segment


def _part_of(unit: Unit) -> CompiledModule:
    return CompiledModule(
        filename=unit.filename, functions=(), main=None, entry=None, kind="part", **_code_of(unit)
    )


def name_scopes(unit: Unit, scope: Scope, owner: str = "", key: str = "") -> None:
    """Give the functions of a nest their names and describe them."""
    for one in scope.nest():
        node = one.node
        assert node is not None
        outside = f"{owner}/" if owner else ""
        around = outside if one.parent is None else f"{unit.key_of(one.parent)}/"
        given = key if one.parent is None else ""
        own = unit.new_key(given or mangle(around + node.name))
        unit.name_scope(one, own)
        unit.infos[own].update(
            {**_declared(node, own), "kind": one.kind},
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
        )


def _declared(node: ast.Function, key: str) -> dict[str, Any]:
    """Return what the declaration of a function says of it, as fields of its `FunctionInfo`."""
    inputs = tuple(p.name for p in node.inputs)
    groups = [block for block in node.arguments if block.kind == "Input"]
    collected = {
        declared.name.partition(".")[0]
        for block in groups
        for declared in block.declarations
        if block.repeating or "." in declared.name
    }
    outputs = node.outputs
    return {
        "name": key.partition("#")[0].removeprefix(RENAMED),
        "kind": "function",
        "line": node.span.line,
        "inputs": tuple(n for n in inputs if n != "varargin" and n not in collected),
        "outputs": tuple(n for n in outputs if n != "varargout"),
        "varargin": inputs[-1:] == ("varargin",) or bool(collected),
        "varargout": outputs[-1:] == ("varargout",),
        "key": key,
        "help": node.help,
    }


def _inherited(unit: Unit, scope: Scope) -> tuple[tuple[str, str], ...]:
    """Return the variables of enclosing functions that live in dicts, with the names of these."""
    found = []
    for name in sorted(scope.inherited):
        holder = scope.holder(name)
        if holder is not None and holder.dynamic:
            found.append((name, dict_name(unit.key_of(holder))))
    return tuple(found)


def _script(
    unit: Unit, body: ast.Block, kind: str, global_names: frozenset[str], in_parts: bool
) -> str:
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
    likely = classes_in(body, scope.variables)
    if kind == "script":
        first, *others = _segments(body) if in_parts else [body]
        segment = Segment(key, unit, first, scope, likely, frozenset())
        unit.definitions.append(segment.definition(unit, whole=not others))
        for other in others:
            defined = assigned_after(segment.body, segment.defined)
            segment = Segment(key, unit, other, scope, likely, defined)
            unit.waiting.append(segment)
        return key
    generator = FunctionBody(unit, scope)
    generator.likely = likely
    if body and isinstance(body[-1], ast.ExprStmt):
        made = [*generator.block(body[:-1]), *_result(generator, body[-1])]
    else:
        made = generator.whole(body)
    definition = pyast.function(key, ["_nout", "_w"], made)
    place([definition], body[0].span if body else ast.NOWHERE)
    unit.definitions.append(definition)
    return key


def _segments(body: ast.Block) -> list[ast.Block]:
    """Return the statements of a script in runs of at least `SEGMENT` lines, and the rest."""
    made: list[ast.Block] = []
    start = 0
    for number, statement in enumerate(body, 1):
        if statement.span.end_line - body[start].span.line >= SEGMENT:
            made.append(body[start:number])
            start = number
    return [*made, body[start:]] if start < len(body) or not made else made


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
    unit.definitions = []  # parts that wait hold the unit
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
