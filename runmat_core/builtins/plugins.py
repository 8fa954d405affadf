"""Builtins of installed packages: which there are, whose they are, and what is wrong with them.

A package names modules in the entry point group ``runmat.builtins``. They are imported, once a
process, when a name is asked for that the core does not have; those of packages whose names are
known, when one of these is asked for. A package that cannot be used spoils nothing but its own
names: what is wrong with it is told where such a name is missed.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, get_args

import attrs

from runmat_core.accel import packages
from runmat_core.api.builtin import BuiltinSpec, Lift, Need
from runmat_core.api.errors import MatlabError
from runmat_core.values.notices import warn

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINT_GROUP = "runmat.builtins"

#: Identifiers of what is said about packages.
DUPLICATE = "RunMat:plugin:duplicate"

_NAME = re.compile(r"[A-Za-z]\w*(\.[A-Za-z]\w*)*", re.ASCII)


@attrs.frozen
class Offer:
    """A builtin and the package that declares it, such as ``runmat-finance 0.1.0``."""

    spec: BuiltinSpec
    package: str


class Plugins:
    """What the installed packages offer; loads their modules.

    Args:
        core: the names of the core's own builtins.
        known: the names of packages by name and version, which wait until one of them is asked for.

    Attributes:
        packages: the names of the packages.
        loaded: offers by name, aliases included; without those that the core has.
        disputed: for each name that several packages declare what to say of it.
        broken: a sentence for each package, module or builtin that cannot be used.
        shadowed: package and name where the core has such a builtin; told on the first search.
    """

    def __init__(
        self, core: Collection[str], known: Mapping[tuple[str, str], frozenset[str]]
    ) -> None:
        self._core = core
        self._waiting: list[tuple[str, EntryPoint, frozenset[str]]] = []
        self.packages: set[str] = set()
        self.loaded: dict[str, Offer] = {}
        self.disputed: dict[str, str] = {}
        self.broken: list[str] = []
        self.shadowed: list[tuple[str, str]] = []
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
        """The names of all packages, without loading one."""
        return {*self.loaded, *(name for *_, names in self._waiting for name in names)}

    def _load_waiting(self, wanted: Callable[[frozenset[str]], bool]) -> None:
        """Load the packages among whose names are wanted ones."""
        waiting = self._waiting
        self._waiting = [entry for entry in waiting if not wanted(entry[2])]
        for package, point, names in waiting:
            if wanted(names):
                self._load(package, point)

    def _load(self, package: str, point: EntryPoint) -> None:
        for spec in self._marks_of(package, point):
            problem = _unusable(spec)
            if problem:
                self.broken.append(
                    f"The package '{package}' declares a builtin that cannot be used: {problem}"
                )
                continue
            for own in spec.names:
                if own in self._core:
                    self.shadowed.append((package, own))
                else:
                    self._offer(own, Offer(spec, package))

    def find(self, name: str) -> BuiltinSpec | None:
        """The builtin called `name`.

        Raises:
            MatlabError: RunMat:plugin:duplicate, several packages declare it.
        """
        self._load_waiting(lambda names: name in names)
        while self.shadowed:
            package, own = self.shadowed.pop(0)
            warn(
                DUPLICATE,
                f"The package '{package}' declares the builtin '{own}', which runmat-core has; "
                "the core's is used.",
            )
        if name in self.disputed:
            raise MatlabError(DUPLICATE, self.disputed[name])
        offer = self.loaded.get(name)
        return None if offer is None else offer.spec

    def _marks_of(self, package: str, point: EntryPoint) -> list[BuiltinSpec]:
        """The marks in the module that an entry point names; none where it cannot be loaded."""
        try:
            module = point.load()
        except (Exception, SystemExit) as problem:
            text = f"{type(problem).__name__}: {problem}"
            self.broken.append(
                f"The package '{package}' offers builtins that cannot be loaded: {text}"
            )
            return []
        found = list(marks(module)) if isinstance(module, ModuleType) else []
        if not found:
            self.broken.append(
                f"The package '{package}' offers builtins in '{point.value}', but there are none."
            )
        return found

    def _offer(self, name: str, offer: Offer) -> None:
        if name in self.disputed:
            return
        other = self.loaded.setdefault(name, offer)
        if other.spec is offer.spec:
            return
        del self.loaded[name]
        if other.package == offer.package:
            text = f"The package '{offer.package}' declares the builtin '{name}' twice."
        else:
            first, second = sorted((other.package, offer.package))
            text = (
                f"Both packages '{first}' and '{second}' declare the builtin '{name}': "
                "uninstall one of them."
            )
        self.disputed[name] = text


def marks(module: ModuleType) -> Iterator[BuiltinSpec]:
    """The marks of a module's functions; those it imports from outside of it are left out."""
    for member in list(vars(module).values()):
        spec = getattr(member, "__runmat_builtin__", None)
        home = getattr(member, "__module__", None)
        # a package may name its builtins in its __init__
        if isinstance(spec, BuiltinSpec) and f"{home}.".startswith(f"{module.__name__}."):
            yield spec


def _unusable(spec: BuiltinSpec) -> str:
    """What is wrong with a mark; empty when nothing is."""
    known, lifts = get_args(Need), get_args(Lift)
    if not spec.names:
        return f"'{spec.host.__qualname__}' has no name."
    for name in spec.names:
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            return f"{name!r} is no name of a function."
    unknown = [need for need in spec.needs if need not in known]
    if unknown:
        return f"'{spec.name}' needs {unknown[0]!r}, which is none of {', '.join(known)}."
    if spec.nargout not in (0, 1) and "nargout" not in spec.needs:
        return f"'{spec.name}' has several outputs, but not needs=(\"nargout\",)."
    if spec.lift is not None and spec.lift not in lifts:
        return f"'{spec.name}' has lift={spec.lift!r}, which is none of {', '.join(lifts)}."
    return ""
