"""Joining a compiled file to a session."""

from __future__ import annotations

from types import CodeType
from typing import Any

from runmat_core.api.interp import MatlabFunction, Value
from runmat_core.compiler.compiled import CompiledModule
from runmat_core.compiler.constants import make
from runmat_core.compiler.host import FileScope, FunctionInfo, Host, mangle


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
            _declare_global=host.declare_global,
            _handle_in=host.handle_in,
            _show_list=lambda values, silent: _show_list(host, values, silent),
        )
        for number, recipe in enumerate(compiled.constants):
            names[f"_k{number}"] = make(recipe)
        exec(compiled.code, names)
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
        for number, imports in enumerate(compiled.imports):
            names[f"_scope{number or ''}"] = scope.with_imports(imports)
        for key, name, imports in compiled.cells:
            names[key] = host.cell(name, scope.with_imports(imports))

    def _local(self) -> dict[str, MatlabFunction]:
        """The functions that the file's code calls by name before all others."""
        main = self.compiled.main if self.compiled.kind == "method" else None
        return {name: fn for name, fn in self.functions.items() if name != main}

    def _describe(self, name: str) -> MatlabFunction:
        key = mangle(name)
        function: MatlabFunction = self.namespace[key]
        function.__matlab__ = self.infos[key]  # type: ignore[attr-defined]
        return function

    def run(self, workspace: dict[str, Value]) -> Any:
        """Run a script over `workspace`."""
        assert self.compiled.entry is not None
        return self.namespace[self.compiled.entry](workspace)

    def evaluate(self, nargout: int, workspace: dict[str, Value]) -> Any:
        """The value of an expression over `workspace`, or a tuple of `nargout` values."""
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
