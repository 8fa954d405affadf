"""Classes without classdef: ``class(s, 'Name', parents…)`` in a constructor ``@Name/Name.m``."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from types import FrameType
from typing import TYPE_CHECKING, Any

from runmat_core.api.errors import MatlabError
from runmat_core.compiler import frames
from runmat_core.values.objects import making
from runmat_core.values.objects.info import ClassInfo, MethodInfo, PropertyInfo
from runmat_core.values.objects.records import Record

if TYPE_CHECKING:
    from runmat_core.api.interp import MatlabFunction
    from runmat_core.session.services import ClassTable


class StructuredClasses:
    """The classes of a session that constructors make of structures."""

    def __init__(self, classes: ClassTable) -> None:
        self._classes = classes
        self._known: dict[str, ClassInfo] = {}
        #: (superior, inferior) by the names of classes
        self.ranks: set[tuple[str, str]] = set()

    def rank(self, others: Sequence[str], *, above: bool) -> None:
        """``superiorto`` and ``inferiorto`` of the constructor that runs."""
        name = os.path.basename(os.path.dirname(_constructor_file()))[1:]
        self.ranks |= {(name, other) if above else (other, name) for other in others}

    def made(self, contents: dict[str, Any], name: str, parents: Sequence[Any]) -> Any:
        """Return the object of class `name` with these fields.

        Raises:
            MatlabError: the constructor of another class, or no constructor, asks for it.
        """
        frame = _constructor_frame(name)
        record = {**contents, **{parent.info.name: parent for parent in parents}}
        supers = tuple(parent.info for parent in parents)
        info = self._class(frame, name, tuple(record), supers)
        return making.of_record(Record(record, info))

    def _class(
        self, frame: FrameType, name: str, fields: tuple[str, ...], supers: tuple[ClassInfo, ...]
    ) -> ClassInfo:
        described = frames.frame_info(frame)
        assert described is not None
        known = self._known.get(described.file)
        same = known and tuple(known.properties) == fields and known.superclasses == supers
        # a file that was read again is code of no class yet
        if known and same and "_class" in frame.f_globals:
            return known
        info = self._new(described.file, name, fields, supers, frame.f_globals[described.key])
        self._known[described.file] = info
        self._classes.adopt(frame.f_globals, info)
        return info

    def _new(
        self,
        file: str,
        name: str,
        fields: tuple[str, ...],
        supers: tuple[ClassInfo, ...],
        constructor: MatlabFunction,
    ) -> ClassInfo:
        made: list[ClassInfo] = []

        def method(path: str) -> MatlabFunction:
            return lambda nargout, *args: self._classes.method_file(path, made[0])(nargout, *args)

        methods: dict[str, MethodInfo] = {}
        for superclass in supers:
            methods = {**superclass.methods, **methods}
        for path in self._classes.folder_files(name):
            own = os.path.basename(path).removesuffix(".m")
            if own != name:
                methods[own] = MethodInfo(name=own, owner=name, fn=method(path))
        made.append(
            ClassInfo(
                name=name,
                file=file,
                host=self._classes,
                superclasses=supers,
                properties={
                    field: PropertyInfo(
                        name=field, owner=name, get_access="private", set_access="private"
                    )
                    for field in fields
                },
                methods=methods,
                constructor=lambda nargout, blank, *args: constructor(1, *args),
                is_structured=True,
            )
        )
        return made[0]


def _constructor_frame(name: str) -> FrameType:
    """Return the frame of the constructor of the class `name` that runs."""
    frame = _function_frame()
    file = _file_of(frame)
    if frame is None or os.path.basename(os.path.dirname(file)) != f"@{name}":
        raise _outside(f"The constructor of class '{name}' is a file @{name}/{name}.m.")
    return frame


def _constructor_file() -> str:
    file = _file_of(_function_frame())
    if not os.path.basename(os.path.dirname(file)).startswith("@"):
        raise _outside("")
    return file


def _function_frame() -> FrameType | None:
    for frame in frames.matlab_frames(sys._getframe(1)):
        info = frames.frame_info(frame)
        if info is not None and info.kind not in ("script", "expression"):
            return frame
    return None


def _file_of(frame: FrameType | None) -> str:
    info = None if frame is None else frames.frame_info(frame)
    return "" if info is None else info.file


def _outside(hint: str) -> MatlabError:
    return MatlabError(
        "MATLAB:class:mustBeCalledFromConstructor",
        "The CLASS function must be called from a class constructor.",
        hint=hint,
    )
