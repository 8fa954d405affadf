"""What is known of packages: the classes, functions and packages in their folders."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any, ClassVar

from runmat_core.api import builtin
from runmat_core.api.interp import Interp
from runmat_core.api.tuples import NamedTuple
from runmat_core.values import char, text
from runmat_core.values.cell import empty_double
from runmat_core.values.objects.meta import MetaArray, MetaClassArray


class Package(NamedTuple):
    """A package by its full name, in the session that sees its folders."""

    name: str
    interp: Interp

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Package) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)

    def folders(self) -> list[str]:
        """Return the folders of the package on the path."""
        below = os.path.join("", *(f"+{part}" for part in self.name.split(".")))
        seen = dict.fromkeys((self.interp.current_directory(), *self.interp.search_path()))
        found = (os.path.join(folder, below) for folder in seen)
        return [folder for folder in found if os.path.isdir(folder)]

    def files(self) -> Iterator[tuple[str, bool]]:
        """Return the names of its functions and classes, and which are classes."""
        names: dict[str, bool] = {}
        for folder in self.folders():
            for entry in sorted(os.listdir(folder)):
                place = os.path.join(folder, entry)
                if entry.startswith("@") and os.path.isdir(place):
                    names.setdefault(entry[1:], True)
                elif re.fullmatch(r"[A-Za-z]\w*\.m", entry):
                    names.setdefault(entry[:-2], _is_class(place))
        return iter(names.items())

    def packages(self) -> list[Package]:
        found = {
            entry[1:]: None
            for folder in self.folders()
            for entry in sorted(os.listdir(folder))
            if entry.startswith("+") and os.path.isdir(os.path.join(folder, entry))
        }
        return [Package(f"{self.name}.{name}", self.interp) for name in found]


def _is_class(file: str) -> bool:
    with open(file, encoding="utf-8", errors="replace") as stream:
        code = (line.strip() for line in stream)
        first = next((line for line in code if line and not line.startswith("%")), "")
    return first.startswith("classdef")


class MetaFunction(MetaArray):
    """Functions of a package."""

    __slots__ = ()
    class_name = "meta.function"
    rules: ClassVar = {"Name": lambda name: char(name)}


class MetaPackage(MetaArray):
    """Packages."""

    __slots__ = ()
    class_name = "meta.package"
    rules: ClassVar = {
        "Name": lambda one: char(one.name),
        "Description": lambda one: char(""),
        "DetailedDescription": lambda one: char(""),
        "ClassList": lambda one: _classes(one),
        "FunctionList": lambda one: MetaFunction(
            [n for n, is_class in one.files() if not is_class]
        ),
        "PackageList": lambda one: MetaPackage(one.packages()),
        "ContainingPackage": lambda one: _above(one),
    }


def _classes(package: Package) -> Any:
    names = [f"{package.name}.{name}" for name, is_class in package.files() if is_class]
    found = [package.interp.find_class(name) for name in names]
    return MetaClassArray([info for info in found if info is not None]).simple()


def _above(package: Package) -> Any:
    name = package.name.rpartition(".")[0]
    return MetaPackage([Package(name, package.interp)]) if name else empty_double()


@builtin(
    "meta.package.fromName",
    "matlab.metadata.Package.fromName",
    "matlab.metadata.Namespace.fromName",
    family="lang/classes",
    needs=("interp",),
)
def meta_package_from_name(name: Any, *, interp: Interp) -> Any:
    """What is known of a package, by its name.

    P = meta.package.fromName(NAME) has the properties Name, ClassList, FunctionList, PackageList
    and ContainingPackage; it is empty where there is no such package.

    Examples:
        >> isempty(meta.package.fromName('no.such.package'))
        ans =
          logical
           1

    See also: meta.class.fromName, metaclass.
    """
    word = text(name)
    package = Package(word, interp)
    is_name = re.fullmatch(r"[A-Za-z]\w*(\.[A-Za-z]\w*)*", word) is not None
    return MetaPackage([package] if is_name and package.folders() else [])


@builtin("meta.package.getAllPackages", family="lang/classes", needs=("interp",))
def meta_package_get_all_packages(*, interp: Interp) -> Any:
    """The packages in the current folder and on the path.

    C = meta.package.getAllPackages is a cell array of what is known of each.

    Examples:
        >> class(meta.package.getAllPackages)
        ans =
            'cell'

    See also: meta.package.fromName.
    """
    from runmat_core.values import cell

    names = {
        entry[1:]: None
        for folder in dict.fromkeys((interp.current_directory(), *interp.search_path()))
        if os.path.isdir(folder)
        for entry in sorted(os.listdir(folder))
        if re.fullmatch(r"\+[A-Za-z]\w*", entry) and os.path.isdir(os.path.join(folder, entry))
    }
    found = [MetaPackage([Package(name, interp)]) for name in names]
    return cell(found, (len(found), 1))
