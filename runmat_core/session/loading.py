"""Files of .m code, compiled and linked once per session."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from runmat_core.api.errors import MatlabError
from runmat_core.api.tuples import NamedTuple
from runmat_core.compiler.host import FileScope
from runmat_core.session.sources import Stamp, stamp
from runmat_core.syntax.source import read_source

if TYPE_CHECKING:
    from runmat_core.api.interp import MatlabFunction
    from runmat_core.compiler.link import LinkedModule
    from runmat_core.session.services import Evaluation


class _Loaded(NamedTuple):
    """A loaded file; `variants` are scripts linked for workspaces with global variables."""

    linked: LinkedModule
    stamp: Stamp | None
    function: MatlabFunction
    variants: dict[frozenset[str], LinkedModule]


class Loader:
    """The files that a session has loaded, by absolute path."""

    def __init__(self, evaluator: Evaluation, dialect: str) -> None:
        self._evaluator = evaluator
        self._dialect = dialect
        self._files: dict[str, _Loaded] = {}

    def function(self, file: str) -> MatlabFunction:
        """Return the function that calling `file` runs: its main function, or the script."""
        return self._load(file).function

    def linked(self, file: str, global_names: frozenset[str] = frozenset()) -> LinkedModule:
        """Return the module of `file`, for a script as it runs where `global_names` are global."""
        known = self._load(file)
        if not global_names or known.linked.main is not None:
            return known.linked
        variant = known.variants.get(global_names)
        if variant is None:
            variant = known.variants[global_names] = self._link(file, global_names)
        return variant

    def local_functions(self, file: str) -> dict[str, MatlabFunction]:
        """Return the functions of a loaded file beside its main one."""
        linked = self.loaded(file)
        if linked is None:
            return {}
        return {name: fn for name, fn in linked.functions.items() if fn is not linked.main}

    def loaded(self, file: str) -> LinkedModule | None:
        """Return the module of a file that is loaded already."""
        known = self._files.get(file)
        return known.linked if known is not None else None

    def names(self) -> list[str]:
        """Return the loaded files."""
        return list(self._files)

    def forget(self, names: set[str] | None) -> None:
        """Forget the files of the functions `names`, or all of them."""
        for file in list(self._files):
            if names is None or _function_name(file) in names:
                del self._files[file]

    def forget_changed(self) -> bool:
        """Forget files that have changed or gone; whether there were any."""
        changed = [file for file, known in self._files.items() if stamp(file) != known.stamp]
        for file in changed:
            del self._files[file]
        if changed:
            self._forget_classes_above(set(changed))
        return bool(changed)

    def _forget_classes_above(self, changed: set[str]) -> None:
        """Forget the classes that inherit from a class of a changed file."""
        for file, known in list(self._files.items()):
            info = getattr(known.function, "__matlab_class__", None)
            if info is not None and any(a.file in changed for a in info.ancestors.values()):
                del self._files[file]

    def _load(self, file: str) -> _Loaded:
        known = self._files.get(file)
        if known is None:
            seen = stamp(file)
            linked = self._link(file, frozenset())
            function = linked.main or self._entry(file, linked)
            known = self._files[file] = _Loaded(linked, seen, function, {})
        return known

    def _link(self, file: str, global_names: frozenset[str]) -> LinkedModule:
        from runmat_core.compiler import compile_source
        from runmat_core.compiler.link import link

        in_class = os.path.basename(os.path.dirname(file)).startswith("@")
        compiled = compile_source(
            read_source(file),
            file,
            self._dialect,
            kind="method" if in_class else "file",
            global_names=global_names,
        )
        return link(compiled, self._evaluator, scope_of(file))

    def _entry(self, file: str, linked: LinkedModule) -> MatlabFunction:
        """Return what calling a file without a main function runs: a constructor or a script."""
        if linked.compiled.classdef is None:
            return self._script(file, linked)
        folder = os.path.dirname(file)
        shared = os.path.basename(folder).startswith("@")
        beside = sorted(os.listdir(folder)) if shared else ()
        files = [os.path.join(folder, name) for name in beside if name.endswith(".m")]
        linked.main = self._evaluator.lookup.classes.define(linked, files)
        return linked.main

    def _script(self, file: str, linked: LinkedModule) -> MatlabFunction:
        """Return a function that runs a script in the workspace of its caller."""
        run_in_caller: Callable[[str], None] = self._evaluator.run_in_caller

        def script(nargout: int, *args: Any) -> None:
            if args or nargout:
                name = _function_name(file)
                raise MatlabError(
                    "MATLAB:scriptNotAFunction",
                    f"Attempt to execute SCRIPT {name} as a function:\n{file}",
                )
            run_in_caller(file)

        entry = linked.compiled.entry
        assert entry is not None
        script.__matlab__ = linked.infos[entry]  # type: ignore[attr-defined]
        return script


def scope_of(file: str) -> FileScope:
    """Where `file` stands: its folder and the package that the folder's name gives."""
    folder = os.path.dirname(file)
    packages: list[str] = []
    head, tail = os.path.split(folder)
    while tail == "private" or tail.startswith("@"):
        head, tail = os.path.split(head)
    while tail.startswith("+"):
        packages.insert(0, tail[1:])
        head, tail = os.path.split(head)
    return FileScope(file=file, folder=folder, package=".".join(packages))


def _function_name(file: str) -> str:
    return os.path.basename(file).removesuffix(".m")
