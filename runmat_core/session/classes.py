"""Classes of a session: from class files to `ClassInfo`, and what their objects ask of it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from runmat_core.api.errors import MatlabError
from runmat_core.compiler import frames
from runmat_core.compiler.class_text import class_text_of
from runmat_core.compiler.host import FunctionInfo
from runmat_core.compiler.runtime.classes import HELPERS
from runmat_core.session import recursion
from runmat_core.session.class_making import ClassMaker
from runmat_core.session.structured_classes import StructuredClasses
from runmat_core.values.objects import making
from runmat_core.values.objects.bases import base_class
from runmat_core.values.objects.info import ClassInfo
from runmat_core.values.objects.numbers import number_class
from runmat_core.values.objects.records import FinalRecord

if TYPE_CHECKING:
    from runmat_core.api.interp import MatlabFunction
    from runmat_core.compiler.link import LinkedModule
    from runmat_core.session.services import Evaluation


class Classes:
    """The classes that a session has met; a `ClassHost` for their objects."""

    def __init__(self, evaluator: Evaluation) -> None:
        self._evaluator = evaluator
        self._bases: dict[str, ClassInfo] = {}
        self._destroying: set[int] = set()
        self.structured = StructuredClasses(self)

    # -- from files to classes ---------------------------------------------------------------------

    def define(self, linked: LinkedModule, folder_files: Iterable[str]) -> MatlabFunction:
        """Return the function that makes objects of the class that a linked file defines."""
        assert linked.compiled.classdef is not None
        text = class_text_of(linked.compiled.classdef)
        file = linked.scope.file
        own = os.path.basename(file).removesuffix(".m")
        if text.name.rpartition(".")[2] != own:
            raise MatlabError(
                "MATLAB:class:NameMismatch",
                f"The class '{text.name}' is defined in '{file}', whose name it must have.",
            )
        name = f"{linked.scope.package}.{own}" if linked.scope.package else own
        maker = ClassMaker(self, name, text, linked)
        info = maker.made({os.path.basename(f).removesuffix(".m"): f for f in folder_files})
        _prepare(linked, info)
        self._evaluator.lookup.add_methods(info)
        return _constructor(info, linked)

    def method_file(self, file: str, info: ClassInfo) -> MatlabFunction:
        """Return the function of a file in the folder of a class."""
        loader = self._evaluator.lookup.loader
        function = loader.function(file)
        linked = loader.linked(file)
        if "_class" not in linked.namespace:
            own = linked.infos[linked.compiled.functions[0]] if linked.main else None
            if own is not None:
                name = info.name.rpartition(".")[2]
                linked.infos[own.key] = own._replace(name=f"{name}/{own.name}")
            _prepare(linked, info)
        return function

    def adopt(self, namespace: dict[str, Any], info: ClassInfo) -> None:
        """Make the linked file of a constructor code of its class, and note the methods."""
        _prepare_namespace(namespace, info)
        function = self._evaluator.lookup.loader.function(info.file)
        function.__matlab_class__ = info  # type: ignore[attr-defined]
        self._evaluator.lookup.add_methods(info)

    def folder_files(self, name: str) -> list[str]:
        """Return the .m files in the folders of a class on the path, the first of each name."""
        return self._evaluator.lookup.class_files(name)

    # -- what objects ask --------------------------------------------------------------------------

    def running(self) -> tuple[ClassInfo | None, str]:
        """Return the class whose code runs, and the function's name.

        Code that a method evaluates runs for the method.
        """
        for frame in frames.matlab_frames(sys._getframe(1)):
            info = frames.frame_info(frame)
            assert info is not None
            if info.kind not in ("script", "expression"):
                running = frame.f_globals.get("_class")
                if running is None and f"{os.sep}private{os.sep}" in info.file:
                    running = self._class_of_private(frame.f_globals, info.file)
                return running, info.name
        return None, ""

    def _class_of_private(self, namespace: dict[str, Any], file: str) -> ClassInfo | None:
        """Return the class whose private folder holds a function, which may do what methods may."""
        above = os.path.basename(os.path.dirname(os.path.dirname(file)))
        found = self.find_class(above[1:]) if above.startswith("@") else None
        if found is not None:
            _prepare_namespace(namespace, found)
        return found

    def find_class(self, name: str) -> ClassInfo | None:
        known = self._bases.get(name) or base_class(name, self) or number_class(name, self)
        if known is None and name.startswith("matlab.unittest."):
            from runmat_core.builtins.testing.bases import base_of_tests

            known = base_of_tests(name, self, self._evaluator)
            if known is not None:
                self._evaluator.lookup.add_methods(known)
        if known is not None:
            self._bases[name] = known
            return known
        function = self._evaluator.function(name)
        return getattr(function, "__matlab_class__", None)

    def outranks(self, name: str, other: str) -> bool:
        return (name, other) in self.structured.ranks

    def builtin(self, name: str) -> MatlabFunction | None:
        return self._evaluator.builtin(name)

    def destroy(self, info: ClassInfo, record: Any) -> None:
        """Run the destructors of what is left of an object, the class's own first."""
        if id(record) in self._destroying:
            return
        self._destroying.add(id(record))
        explicit = not _is_last(record)
        try:
            obj = making.of_record(record)
            for destructor in info.destructors:
                self._run(destructor, obj, explicit)
            for listener in record.listeners.copy():
                if listener.get("(event)") == "ObjectBeingDestroyed" and listener.is_valid:
                    listener["Callback"].fn(0, obj, making.blank(_data_class(self)))
        finally:
            self._destroying.discard(id(record))
            record.is_valid = False
            record.clear()

    def _run(self, destructor: MatlabFunction, obj: Any, explicit: bool) -> None:
        """Run a destructor; one that fails where nobody called it becomes a warning."""
        try:
            with recursion.Callback():
                destructor(0, obj)
        except Exception as exception:
            if explicit:
                raise
            message = self._evaluator.error_of(exception).message
            self._evaluator.warn(
                "MATLAB:class:DestructorError",
                "The following error was caught while executing "
                f"'{obj.info.name}' class destructor:\n{message}",
            )


def _prepare(linked: LinkedModule, info: ClassInfo) -> None:
    """Tell the code of a file whose it is."""
    _prepare_namespace(linked.namespace, info)


def _prepare_namespace(namespace: dict[str, Any], info: ClassInfo) -> None:
    namespace["_class"] = info
    for helper, function in HELPERS.items():
        namespace[f"_{helper}"] = function


def _is_last(record: Any) -> bool:
    """Whether a record is on its way out, so that nobody asked for its destruction."""
    return isinstance(record, FinalRecord) and record.is_leaving


def _data_class(classes: Classes) -> ClassInfo:
    found = classes.find_class("event.EventData")
    assert found is not None
    return found


def _constructor(info: ClassInfo, linked: LinkedModule) -> MatlabFunction:
    """``Name(args...)``, described as the class's constructor is."""

    def construct(nargout: int, *args: Any) -> Any:
        return making.construct(info, args)

    own: Callable[..., Any] | None = info.constructor
    described = getattr(own, "__matlab__", None)
    if described is None:
        described = FunctionInfo(
            name=info.name, file=info.file, kind="function", line=1, outputs=("obj",), key=info.name
        )
    construct.__matlab__ = described  # type: ignore[attr-defined]
    construct.__matlab_class__ = info  # type: ignore[attr-defined]
    return construct
