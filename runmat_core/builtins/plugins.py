"""Builtins of installed packages: which there are, whose they are, and what is wrong with them.

A package names modules in the entry point group ``runmat.builtins``. They are imported, once a
process, when a name is asked for that the core does not have; those of packages whose names are
known, when one of these is asked for. A package that cannot be used spoils nothing but its own
names: what is wrong with it is told where such a name is missed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from types import ModuleType

import attrs

from runmat_core.accel import packages
from runmat_core.api.builtin import BuiltinSpec
from runmat_core.api.errors import MatlabError
from runmat_core.api.objects import Elements
from runmat_core.builtins.declared import place_of, problems
from runmat_core.values.notices import warn

ENTRY_POINT_GROUP = "runmat.builtins"

#: The folder of the core's own files.
_CORE = os.path.dirname(os.path.dirname(__file__)) + os.sep
#: Identifiers of what is said about packages.
DUPLICATE = "RunMat:plugin:duplicate"
MARK = "RunMat:plugin:mark"


@attrs.frozen
class Offer:
    """A builtin and the package that declares it, such as ``runmat-finance 0.1.0``."""

    spec: BuiltinSpec
    package: str


@attrs.frozen
class Refusal:
    """A name that cannot be used: the error that a call is, and the packages that declare it."""

    identifier: str
    text: str
    packages: tuple[str, ...]


class Plugins:
    """What the installed packages offer; loads their modules.

    Args:
        core: the names of the core's own builtins.
        known: the names of packages by name and version, which wait until one of them is asked for.

    Attributes:
        packages: the names of the packages.
        loaded: offers by name, aliases included; without those that the core has.
        functions: for each package with classes of `Elements` the names of their functions.
        refused: for each name that cannot be used, as several packages declare it or its mark is
            wrong, why.
        broken: a sentence for each package, module or builtin that cannot be used.
        shadowed: for each name that the core has, too, the builtin of that name that is not used.
    """

    def __init__(
        self, core: Collection[str], known: Mapping[tuple[str, str], frozenset[str]]
    ) -> None:
        self._core = core
        self._waiting: list[tuple[str, packages.Point, frozenset[str]]] = []
        self.packages: set[str] = set()
        self.loaded: dict[str, Offer] = {}
        self.functions: dict[str, frozenset[str]] = {}
        self.refused: dict[str, Refusal] = {}
        self.broken: list[str] = []
        self.shadowed: dict[str, Offer] = {}
        self._told: set[str] = set()
        for name, version, point in packages.points(ENTRY_POINT_GROUP, sys.path, self.broken):
            package = f"{name} {version}".strip()
            self.packages.add(name)
            names = known.get((name, version))
            if names:
                self._waiting.append((package, point, names))
            else:
                self._load(package, point)

    @property
    def offers(self) -> dict[str, Offer]:
        """What all packages offer by name, aliases included; loads those that still wait."""
        self._load_waiting(lambda names: True)
        return self.loaded

    def names(self) -> set[str]:
        """Return the names of all packages, without loading one."""
        return {*self.loaded, *(name for *_, names in self._waiting for name in names)}

    def _load_waiting(self, wanted: Callable[[frozenset[str]], bool]) -> None:
        """Load the packages among whose names are wanted ones."""
        waiting = self._waiting
        self._waiting = [entry for entry in waiting if not wanted(entry[2])]
        for package, point, names in waiting:
            if wanted(names):
                self._load(package, point)

    def _load(self, package: str, point: packages.Point) -> None:
        for spec in self._marks_of(package, point):
            wrong = problems(spec)
            if wrong:
                self._refuse(spec, package, wrong)
                continue
            for own in spec.names:
                if own in self._core:
                    self.shadowed[own] = Offer(spec, package)
                else:
                    self._offer(own, Offer(spec, package))
        for refused in self.refused:
            self.loaded.pop(refused, None)

    def find(self, name: str) -> BuiltinSpec | None:
        """Return the builtin called `name`.

        Raises:
            MatlabError: RunMat:plugin:duplicate, several packages declare it;
                RunMat:plugin:mark, its mark cannot be used.
        """
        self._load_waiting(lambda names: name in names)
        if name in self.refused:
            refusal = self.refused[name]
            raise MatlabError(refusal.identifier, refusal.text)
        offer = self.loaded.get(name)
        return None if offer is None else offer.spec

    def warn_of_shadowed(self, name: str) -> None:
        """Warn once of a package's builtin whose name is the core's, where there is one."""
        if name in self.shadowed and name not in self._told:
            self._told.add(name)
            warn(DUPLICATE, self.told_of_shadowed(name))

    def told_of_shadowed(self, name: str) -> str:
        """Return what is to be said of a package's builtin whose name the core has."""
        return (
            f"The package '{self.shadowed[name].package}' declares the builtin '{name}', which "
            "runmat-core has; the core's is used."
        )

    def _refuse(self, spec: BuiltinSpec, package: str, wrong: list[str]) -> None:
        place = place_of(spec)
        text = (
            f"The package '{package}' declares a builtin that cannot be used"
            f"{f' ({place})' if place else ''}: {' '.join(wrong)}"
        )
        self.broken.append(text)
        for name in spec.names:
            if isinstance(name, str):
                self.refused[name] = Refusal(MARK, text, (package,))

    def _marks_of(self, package: str, point: packages.Point) -> list[BuiltinSpec]:
        """Return the marks in the module that an entry point names.

        None where it cannot be loaded.
        """
        try:
            module = point.load()
        except (Exception, SystemExit) as problem:
            text = f"{type(problem).__name__}: {problem}{_raised_at(problem)}"
            self.broken.append(
                f"The package '{package}' offers builtins that cannot be loaded: {text}"
            )
            return []
        found = list(marks(module)) if isinstance(module, ModuleType) else []
        for member in vars(module).values() if found else ():
            if isinstance(member, type) and issubclass(member, Elements):
                known = self.functions.get(package, frozenset())
                self.functions[package] = known | member.functions.keys()
        if not found:
            self.broken.append(
                f"The package '{package}' offers builtins in '{point.value}', but there are none."
            )
        return found

    def _offer(self, name: str, offer: Offer) -> None:
        other = self.loaded.setdefault(name, offer)
        if other.spec is offer.spec:
            return
        if other.package == offer.package:
            text = f"The package '{offer.package}' declares the builtin '{name}' twice."
        else:
            first, second = sorted((other.package, offer.package))
            text = (
                f"Both packages '{first}' and '{second}' declare the builtin '{name}': "
                "uninstall one of them."
            )
        self.refused[name] = Refusal(DUPLICATE, text, (other.package, offer.package))


def _raised_at(problem: BaseException) -> str:
    """Return the place in a package's file from which an exception came, where it is known."""
    import traceback

    frames = [
        frame
        for frame in traceback.extract_tb(problem.__traceback__)
        if "importlib" not in frame.filename and not frame.filename.startswith(_CORE)
    ]
    return f" ({os.path.relpath(frames[-1].filename)}:{frames[-1].lineno})" if frames else ""


def marks(module: ModuleType) -> Iterator[BuiltinSpec]:
    """Yield the marks of a module's functions; those it imports from outside of it are left out."""
    for member in list(vars(module).values()):
        spec = getattr(member, "__runmat_builtin__", None)
        home = getattr(member, "__module__", None)
        # a package may name its builtins in its __init__
        if isinstance(spec, BuiltinSpec) and f"{home}.".startswith(f"{module.__name__}."):
            yield spec
