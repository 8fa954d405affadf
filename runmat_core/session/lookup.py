"""From a name to a function: the search path, the current folder, files and their functions.

The order is MATLAB's: functions of the file itself, imports, the private folder, the current
folder, the search path, builtins. What generated code holds are `FunctionCell`s, each of which
remembers what its name resolved to until the path, the current folder or a file changes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from runmat_core.api import errors
from runmat_core.api.errors import MatlabError
from runmat_core.builtins import registry
from runmat_core.compiler.host import FileScope, FunctionCell
from runmat_core.session.loading import Loader
from runmat_core.session.sources import Folders

if TYPE_CHECKING:
    from runmat_core.api.interp import MatlabFunction
    from runmat_core.session.classes import Classes
    from runmat_core.session.services import Evaluation
    from runmat_core.values.objects.info import ClassInfo


#: The handles that are remembered; code that is evaluated again and again brings new scopes.
_HANDLES = 4096
#: Classes of values whose ``empty`` needs no class file.
_CLASSES = frozenset(
    "double single int8 int16 int32 int64 uint8 uint16 uint32 uint64 logical char string "
    "cell struct datetime duration calendarDuration categorical table timetable sym".split()
)
#: What makes an empty value of a class from an empty matrix, where `createArray` does not.
_FROM_EMPTY = {"table": "array2table", "timetable": "array2timetable", "sym": "sym"}


def _not_empty() -> MatlabError:
    return MatlabError("MATLAB:class:emptyMustBeZero", "At least one dimension must be zero.")


def _empty_objects(name: str) -> MatlabFunction | None:
    """``containers.Map.empty`` and the like: no object of a class whose objects stand alone."""
    from runmat_core.values.empty_objects import SCALAR_CLASSES, EmptyObjects, extents_of

    if name not in SCALAR_CLASSES:
        return None
    return lambda nargout, *extents: EmptyObjects(name, extents_of(extents))


class Lookup:
    """The functions that a session sees."""

    def __init__(self, evaluator: Evaluation, cwd: str, path: Iterable[str], dialect: str) -> None:
        self._evaluator = evaluator
        self._cwd = cwd
        self._path = list(path)
        self._folders = Folders()
        self._builtins: dict[str, MatlabFunction] = {}
        self._cells: WeakValueDictionary[tuple[str, int | None, FileScope], FunctionCell] = (
            WeakValueDictionary()
        )
        #: what handles in the code of a scope were made of, as long as cells keep what they found
        self._handles: dict[tuple[str, int], tuple[FileScope, MatlabFunction]] = {}
        #: names of methods of the classes that were loaded or that packages brought
        self._methods: set[str] = set()
        self.loader = Loader(evaluator, dialect)

    # -- folders ----------------------------------------------------------------------------------

    @property
    def cwd(self) -> str:
        return self._cwd

    @cwd.setter
    def cwd(self, folder: str) -> None:
        self._cwd = folder
        self._reset_cells()

    @property
    def path(self) -> list[str]:
        return list(self._path)

    @path.setter
    def path(self, folders: Iterable[str]) -> None:
        self._path = list(folders)
        self._reset_cells()

    def rehash(self) -> None:
        """Forget folder listings and files that have changed."""
        self._folders.forget()
        self.loader.forget_changed()
        self._reset_cells()

    def refresh(self) -> None:
        """Notice files changed since they were loaded; called before each run."""
        if self.loader.forget_changed():
            self._reset_cells()

    def forget_functions(self, names: Iterable[str] | None = None) -> None:
        """``clear functions``: persistent variables start anew, and files are read again."""
        self.loader.forget(None if names is None else set(names))
        self._reset_cells()

    def _reset_cells(self) -> None:
        self._handles.clear()
        for cell in list(self._cells.values()):
            cell.reset()

    # -- names ------------------------------------------------------------------------------------

    def cell(self, name: str, scope: FileScope) -> FunctionCell:
        """Return the cell of `name` in `scope`; the same for the same name and scope."""
        # scopes that differ in functions alone are equal, and a file linked again has new ones
        key = (name, id(scope.functions) if scope.functions else None, scope)
        cell = self._cells.get(key)
        if cell is None:
            cell = self._cells[key] = FunctionCell(name, scope, self._resolve)
        return cell

    def of_handle(self, name: str, scope: FileScope) -> MatlabFunction | None:
        """Return what ``@name`` means in `scope`: looked for once, as the name in a call is."""
        found = self._handles.get((name, id(scope)))
        if found is not None and found[0] is scope:
            return found[1]
        fn = self.find(name, scope)
        if fn is not None:
            if len(self._handles) >= _HANDLES:
                self._handles.clear()
            # the scope is kept, and so is its identity
            self._handles[(name, id(scope))] = scope, fn
        return fn

    def find(self, name: str, scope: FileScope) -> MatlabFunction | None:
        """Return what `name` means as a function in `scope`; None when nothing."""
        if "." in name:
            found = self._dotted(name)
            return found or (self._imported(name, scope.imports) if scope.imports else None)
        own = scope.functions.get(name)
        if own is not None:
            return own
        if scope.imports and (found := self._imported(name, scope.imports)) is not None:
            return found
        file = self._private_file(name, scope.folder) if scope.folder else None
        if file is not None:
            return self.loader.function(file)
        file = self._path_file(name)
        found = self.builtin(name) if file is None else self.loader.function(file)
        return self._dispatching(name, scope, found) if name in self._methods else found

    @cached_property
    def classes(self) -> Classes:
        """The classes of the session; their module is not needed by programs without any."""
        from runmat_core.session.classes import Classes

        return Classes(self._evaluator)

    def add_methods(self, info: ClassInfo) -> None:
        """Note the methods of a class: calls of their names look at the classes of arguments."""
        names = {
            m.name for m in info.methods.values() if m.overloads or info.ancestors[m.owner].file
        }
        self._overload(names)

    def _overload(self, names: frozenset[str] | set[str]) -> None:
        """Have calls of `names` look at the classes of their arguments from now on."""
        fresh = names - self._methods
        if fresh:
            self._methods |= fresh
            self._handles.clear()
            for cell in list(self._cells.values()):
                if cell.name in fresh:
                    cell.reset()

    def _dispatching(
        self, name: str, scope: FileScope, function: MatlabFunction | None
    ) -> MatlabFunction:
        """Return a function that leaves a call to the method of an object among its arguments."""
        from runmat_core.session.dispatching import dispatching

        return dispatching(name, function or self._method_caller(name, scope))

    def builtin(self, name: str) -> MatlabFunction | None:
        """Return the builtin `name` bound to this session."""
        function = self._builtins.get(name)
        if function is None:
            spec = registry.find(name)
            if spec is None:
                return None
            registry.warn_of_shadowed(name)
            function = self._builtins[name] = registry.bind(spec, self._evaluator)
            # objects of a package's class come from its builtins
            self._overload(registry.overloaded_with(name))
        return function

    def file(self, name: str, scope: FileScope) -> str | None:
        """Return the .m file that `name` resolves to, or None."""
        if "." in name and not name.endswith(".m"):
            return self._package_file(name)
        name = name.removesuffix(".m")
        return self._private_file(name, scope.folder) or self._path_file(name)

    def files(self, name: str) -> list[str]:
        """Every file of that name, first match first."""
        return list(self._path_files(name.removesuffix(".m")))

    def class_files(self, name: str) -> list[str]:
        """Return the .m files in the folders ``@name`` on the path, the first of each name."""
        found: dict[str, str] = {}
        for folder in dict.fromkeys((self._cwd, *self._path)):
            if f"@{name}" not in self._folders.entries(folder):
                continue
            below = os.path.join(folder, f"@{name}")
            for entry in sorted(self._folders.entries(below)):
                if entry.endswith(".m"):
                    found.setdefault(entry, os.path.join(below, entry))
        return list(found.values())

    # -- resolving --------------------------------------------------------------------------------

    def _resolve(self, name: str, scope: FileScope) -> MatlabFunction:
        found = self.find(name, scope)
        if found is not None:
            return found
        if self._evaluator.frame_variable(name) is not None:
            return self._variable_reader(name, scope)
        if "." in name:
            return self._prefix(name, scope)
        return self._method_caller(name, scope)

    def _method_caller(self, name: str, scope: FileScope) -> MatlabFunction:
        """Return a function for a name that no function has: the method of its first argument.

        A file of that name may be written later, so it is looked for at each call.
        """

        def method(nargout: int, *args: Any) -> Any:
            function = self.find(name, scope) if name not in self._methods else None
            if function is not None:
                return function(nargout, *args)
            found = getattr(args[0], "method", None) if args else None
            bound = found(name) if found is not None else None
            if bound is None:
                raise errors.undefined(name)
            return bound(nargout, *args[1:])

        return method

    def _prefix(self, name: str, scope: FileScope) -> MatlabFunction:
        """Return a dotted name of which only the beginning is a function: fields of its value."""
        from runmat_core.compiler.runtime import with_fields

        parts = name.split(".")
        for count in range(len(parts) - 1, 0, -1):
            prefix = ".".join(parts[:count])
            found = self.find(prefix, scope)
            if found is None and self._evaluator.frame_variable(prefix) is not None:
                found = self._variable_reader(prefix, scope)
            info = getattr(found, "__matlab_class__", None)
            if info is not None:
                from runmat_core.session.dispatching import class_member

                return class_member(info, parts[count:])
            if found is not None and parts[count:] == ["empty"] and prefix in _CLASSES:
                return self._empty(prefix)
            if found is not None and parts[count:] == ["empty"]:
                objects = _empty_objects(prefix)
                if objects is not None:
                    return objects
            if found is not None:
                return with_fields(found, *parts[count:])
        if parts[-1] == "empty" and parts[:2] in (["matlab", "graphics"], ["matlab", "ui"]):
            return self._empty_graphics
        objects = _empty_objects(".".join(parts[:-1])) if parts[-1] == "empty" else None
        if objects is not None:
            return objects
        raise MatlabError("MATLAB:undefinedVarOrClass", f"Unable to resolve the name '{name}'.")

    def _empty_graphics(self, nargout: int, *extents: Any) -> Any:
        """``matlab.graphics.axis.Axes.empty`` and the like: handles without elements."""
        from runmat_core.values import numel_of

        make = self.builtin("gobjects")
        value = None if make is None else make(1, *(extents or (0.0, 0.0)))
        if value is None or numel_of(value):
            raise _not_empty()
        return value

    def _empty(self, name: str) -> MatlabFunction:
        """``double.empty`` and the like: an array of the class without elements."""

        def empty(nargout: int, *extents: Any) -> Any:
            from runmat_core.values import char, numel_of

            def made(function: str, *args: Any) -> Any:
                make = self.builtin(function)
                return None if make is None else make(1, *args)

            extents = extents or (0.0, 0.0)
            plain = name if name not in _FROM_EMPTY else "double"
            value = made("createArray", *extents, char(plain))
            if value is None or numel_of(value):
                raise _not_empty()
            if name == plain:
                return value
            options: tuple[Any, ...] = ()
            if name == "timetable":
                times = made("createArray", float(value.shape[0]), 1.0, char("datetime"))
                options = char("RowTimes"), times
            return made(_FROM_EMPTY[name], value, *options)

        return empty

    def _variable_reader(self, name: str, scope: FileScope) -> MatlabFunction:
        """Return a function that reads a variable which the calling code does not declare.

        A script or ``assignin`` made it in one frame; another frame may lack it, so it is looked
        for at each call.
        """
        read: Callable[[str], Any] = self._evaluator.frame_variable

        def variable(nargout: int, *subscripts: Any) -> Any:
            value = read(name)
            if value is None:
                function = self.find(name, scope)
                if function is None:
                    raise errors.undefined(name)
                return function(nargout, *subscripts)
            from runmat_core.values import index, share

            if not subscripts:
                return share(value)
            return index(value, subscripts)

        return variable

    def _imported(self, name: str, imports: tuple[str, ...]) -> MatlabFunction | None:
        first = name.partition(".")[0]  # of the name of a class, say, with that of its method
        for imported in imports:
            package, _, last = imported.rpartition(".")
            if last in (first, "*"):
                found = self._dotted(f"{package}.{name}" if package else name)
                if found is not None:
                    return found
        return None

    def _dotted(self, name: str) -> MatlabFunction | None:
        file = self._package_file(name)
        return self.builtin(name) if file is None else self.loader.function(file)

    def _package_file(self, name: str) -> str | None:
        *packages, last = name.split(".")
        below = os.path.join(*(f"+{package}" for package in packages)) if packages else ""
        top = f"+{packages[0]}" if packages else ""
        for folder in (self._cwd, *self._path):
            if top and top not in self._folders.entries(folder):
                continue
            below_folder = os.path.join(folder, below)
            file = self._folders.file(below_folder, f"{last}.m") or self._folders.file(
                os.path.join(below_folder, f"@{last}"), f"{last}.m"
            )
            if file is not None:
                return file
        return None

    def _private_file(self, name: str, folder: str) -> str | None:
        if not folder:
            return None
        if os.path.basename(folder) == "private" and (
            sibling := self._folders.file(folder, f"{name}.m")
        ):
            return sibling
        if "private" not in self._folders.entries(folder):
            return None
        return self._folders.file(os.path.join(folder, "private"), f"{name}.m")

    def _path_file(self, name: str) -> str | None:
        return next(self._path_files(name), None)

    def _path_files(self, name: str) -> Iterator[str]:
        file_name = f"{name}.m"
        for folder in dict.fromkeys((self._cwd, *self._path)):
            entries = self._folders.entries(folder)
            if f"@{name}" in entries and (
                file := self._folders.file(os.path.join(folder, f"@{name}"), file_name)
            ):
                yield file
            if file_name in entries:
                yield os.path.join(folder, file_name)


def refusal(function: MatlabFunction) -> str:
    """Why a function must not run ahead of its turn; see `Interp.refusal`."""
    from runmat_core.compiler.runtime import screen

    return screen.refusal(function, {})[0]


@lru_cache(maxsize=64)
def place_of(folder: str, path: str) -> tuple[str, str]:
    """Return the file that `path` names from a folder, and its folder."""
    file = os.path.normpath(os.path.join(folder, path))
    return file, os.path.dirname(file)
