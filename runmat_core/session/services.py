"""Protocols between the parts of a session: evaluator, look-up and classes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Protocol

from runmat_core.compiler.host import Host
from runmat_core.values.objects.info import ClassHost

if TYPE_CHECKING:
    from runmat_core.api.interp import MatlabFunction, Value
    from runmat_core.compiler.link import LinkedModule
    from runmat_core.values.objects.info import ClassInfo


class Ranking(Protocol):
    """The order of classes that calls with objects of several go by."""

    ranks: set[tuple[str, str]]


class ClassTable(ClassHost, Protocol):
    """The classes that a session knows."""

    @property
    def structured(self) -> Ranking:
        """Return the classes without classdef."""

    def define(self, linked: LinkedModule, folder_files: Iterable[str]) -> MatlabFunction:
        """Return the constructor of the class in a linked file."""

    def method_file(self, file: str, info: ClassInfo) -> MatlabFunction:
        """Return the function of a file in the folder of a class."""

    def adopt(self, namespace: dict[str, Any], info: ClassInfo) -> None:
        """Make the linked file of a constructor code of its class."""

    def folder_files(self, name: str) -> list[str]:
        """Return the .m files in the folders of a class on the path."""


class Files(Protocol):
    """The files that a session loaded."""

    def function(self, file: str) -> MatlabFunction:
        """Return the function of a file."""

    def linked(self, file: str) -> LinkedModule:
        """Return the module of a file."""


class Names(Protocol):
    """The look-up of names."""

    @property
    def loader(self) -> Files:
        """Return the files that were loaded."""

    @property
    def classes(self) -> ClassTable:
        """Return the classes."""

    def add_methods(self, info: ClassInfo) -> None:
        """Let the methods of a class be found."""

    def class_files(self, name: str) -> list[str]:
        """Return the .m files in the folders of a class on the path."""


class Evaluation(Host, Protocol):
    """The evaluator, as look-up, loading and classes see it."""

    @property
    def lookup(self) -> Names:
        """Return the look-up of names."""

    def run_in_caller(self, file: str) -> None:
        """Run a script in the workspace of the code that calls it."""

    def frame_variable(self, name: str) -> Value | None:
        """Return the variable of the running code, though its text does not declare it."""
