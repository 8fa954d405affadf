"""Joining a compiled file to a session."""

from __future__ import annotations

from functools import partial
from types import CodeType
from typing import Any

from runmat_core.api.interp import MatlabFunction, Value
from runmat_core.compiler.compiled import CompiledModule, constant_name, mark_of, scope_name
from runmat_core.compiler.constants import make
from runmat_core.compiler.host import FileScope, FunctionInfo, Host, mangle
from runmat_core.compiler.stand_ins import become, stand_in


class Origin:
    """The origin of linked code: equal for all that was linked from one compiled file.

    Code objects are equal where their text is, whatever the functions around them became.
    """

    __slots__ = ("_compiled",)

    def __init__(self, compiled: CompiledModule) -> None:
        self._compiled = compiled

    def __eq__(self, other: object) -> bool:
        return other.__class__ is Origin and other._compiled is self._compiled

    def __hash__(self) -> int:
        return id(self._compiled)


class LinkedModule:
    """A file that runs in a session.

    Attributes:
        compiled: what was linked.
        scope: where the file stands.
        namespace: the globals of its code.
        functions: the file's own functions by name, in order.
        main: the function that calling the file runs; None for a script.
        infos: the descriptions of all its code objects by their names.
    """

    def __init__(self, compiled: CompiledModule, host: Host, scope: FileScope) -> None:
        from runmat_core.compiler.runtime import namespace

        self.compiled = compiled
        self.scope = scope
        self.infos: dict[str, FunctionInfo] = compiled.function_infos()
        self.namespace = names = namespace()
        names.update(
            _s=host,
            _g=host.globals(),
            _p={},
            _infos=self.infos,
            _origin=Origin(compiled),
            _declare_global=host.declare_global,
            _handle_in=host.handle_in,
            _show_list=lambda values, silent: _show_list(host, values, silent),
        )
        self._host = host
        #: the parts that a script goes on with; functions, once they were reached
        self._segments: list[int | MatlabFunction] = []
        for part, key in enumerate(compiled.waiting):
            if key == compiled.entry:
                self._segments.append(part)
            else:
                names[key] = stand_in(key, names, partial(self._compile_function, part))
        self._define(compiled, "")
        self.functions: dict[str, MatlabFunction] = {}
        for name in compiled.functions:
            self.functions[name] = self._describe(name)
        main = compiled.main
        self.main: MatlabFunction | None = None if main is None else self._describe(main)
        # handles made in a file see its local functions
        scope = FileScope(
            scope.file,
            scope.folder,
            scope.package,
            scope.imports,
            {**scope.functions, **self._local()},
        )
        self._scope = names["_scope"] = scope
        self._connect(compiled, "")

    def _define(self, compiled: CompiledModule, mark: str) -> None:
        """Run the definitions of the file, or of a part of it."""
        for number, recipe in enumerate(compiled.constants):
            self.namespace[constant_name(mark, number)] = make(recipe)
        exec(compiled.code, self.namespace)

    def _connect(self, compiled: CompiledModule, mark: str) -> None:
        """Give code the cells of the functions that it calls."""
        for number, imports in enumerate(compiled.imports):
            if number:
                self.namespace[scope_name(mark, number)] = self._scope.with_imports(imports)
        for key, name, imports in compiled.cells:
            if key not in self.namespace:
                self.namespace[key] = self._host.cell(name, self._scope.with_imports(imports))

    def _compiled(self, part: int) -> MatlabFunction:
        """Compile a part that waits; gives its function, in whose place the former one stays."""
        parts = self.compiled.parts
        assert parts is not None
        compiled, mark = parts.compiled(part), mark_of(part)
        key = self.compiled.waiting[part]
        former = self.namespace[key]
        self._connect(compiled, mark)
        try:
            self._define(compiled, mark)
            made: MatlabFunction = self.namespace[key]
        finally:
            self.namespace[key] = former
        for name, info in compiled.function_infos().items():
            # a class may have renamed what stands for its method
            self.infos[name] = info._replace(name=self.infos[name].name) if name == key else info
        return made

    def _compile_function(self, part: int) -> MatlabFunction:
        """Compile a function; gives what stood for it, which has its code from now on."""
        made = self._compiled(part)
        key = self.compiled.waiting[part]
        function: MatlabFunction = self.namespace[key]
        become(function, made)
        if hasattr(function, "__matlab__"):
            function.__matlab__ = self.infos[key]
        return function

    def _local(self) -> dict[str, MatlabFunction]:
        """Return the functions that the file's code calls by name before all others."""
        main = self.compiled.main if self.compiled.kind == "method" else None
        return {name: fn for name, fn in self.functions.items() if name != main}

    def _describe(self, name: str) -> MatlabFunction:
        key = mangle(name)
        function: MatlabFunction = self.namespace[key]
        function.__matlab__ = self.infos[key]  # type: ignore[attr-defined]
        return function

    def run(self, workspace: dict[str, Any]) -> None:
        """Run a script over `workspace`."""
        assert self.compiled.entry is not None
        ended = self.namespace[self.compiled.entry](workspace)
        for number, segment in enumerate(self._segments):
            if ended:
                return
            if isinstance(segment, int):
                segment = self._segments[number] = self._compiled(segment)
            ended = segment(workspace)

    def evaluate(self, nargout: int, workspace: dict[str, Value]) -> Any:
        """Return the value of an expression over `workspace`, or a tuple of `nargout` values."""
        assert self.compiled.entry is not None
        return self.namespace[self.compiled.entry](nargout, workspace)


def link(compiled: CompiledModule, host: Host, scope: FileScope) -> LinkedModule:
    """Make a compiled file runnable in the session of `host`."""
    return LinkedModule(compiled, host, scope)


def code_objects(code: CodeType) -> list[CodeType]:
    """`code` and all code objects among its constants."""
    found = [code]
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found.extend(code_objects(constant))
    return found


def _show_list(host: Host, value: Any, silent: bool) -> Any:
    """Show the values of a comma list as ``ans``; the last one is what ``ans`` becomes."""
    items = value if value.__class__.__name__ == "CommaList" else (value,)
    if not silent:
        for item in items:
            host.display("ans", item)
    return items[-1] if items else None
