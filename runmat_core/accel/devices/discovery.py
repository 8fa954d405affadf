"""Which acceleration providers are installed, by the entry points of their packages.

Nothing of a provider is imported here (`runmat_core.accel.packages`).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Any

from runmat_core.accel import packages
from runmat_core.api.tuples import NamedTuple

#: The entry point group, as `runmat_core.api.hookspecs` has it (whose import brings in pluggy).
GROUP = "runmat.providers"


class Installed(NamedTuple):
    """A name in the entry point group.

    Attributes:
        name: what ``accel.provider`` calls it.
        package: the distribution that offers it.
        version: of the package.
        value: ``module:Class``.
        rivals: further packages that claim the same name; the name cannot be used then.
    """

    name: str
    package: str
    version: str
    value: str
    rivals: tuple[str, ...] = ()


def installed() -> dict[str, Installed]:
    """Every provider that is installed, by name, sorted. Empty where there is none."""
    return dict(_looked()[0])


def unreadable() -> tuple[str, ...]:
    """Return a sentence for each package that offers a provider and whose metadata is garbled."""
    return _looked()[1]


def _looked() -> tuple[dict[str, Installed], tuple[str, ...]]:
    global _known
    stamp = _stamp()
    if _known is None or _known[0] != stamp:
        _known = (stamp, _search())
    return _known[1]


_known: tuple[tuple[tuple[str, int], ...], tuple[dict[str, Installed], tuple[str, ...]]] | None
_known = None


def _stamp() -> tuple[tuple[str, int], ...]:
    """Return what changes when packages come or go: the search path, and its folders' times."""
    return tuple((folder, _changed(folder)) for folder in search_path())


def search_path() -> list[str]:
    """Return the folders in which packages are looked for."""
    return sys.path


def _changed(folder: str) -> int:
    try:
        return os.stat(folder or ".").st_mtime_ns
    except OSError:
        return 0


def _search() -> tuple[dict[str, Installed], tuple[str, ...]]:
    found: dict[str, Installed] = {}
    broken: list[str] = []
    for package, version, point in packages.points(GROUP, search_path(), broken):
        claim = Installed(point.name, package, version, point.value)
        known = found.get(point.name)
        if known is not None:
            claim = known._replace(rivals=(*known.rivals, package))
        found[point.name] = claim
    return dict(sorted(found.items())), tuple(broken)


class Declared(NamedTuple):
    """What a package says of its provider in ``runmat_provider.toml``, for a choice without it.

    Attributes:
        kind: ``host`` or ``device``; empty where it is not said.
        preference: as in the provider's capabilities; None where it is not said.
        options: the keys of its section, each with an example of its values (of their type) or
            the list of all that it may be; None where it is not said.
    """

    kind: str = ""
    preference: int | None = None
    options: Mapping[str, Any] | None = None


#: Beside the ``__init__.py`` of the package that an entry point names.
DECLARATION = "runmat_provider.toml"


def declared(origin: Installed) -> Declared:
    """Return what the package of a provider declares of it, without importing the package.

    A file that is missing or makes no sense declares nothing: the provider is started and asked.
    """
    import tomllib
    from importlib.util import find_spec

    try:
        spec = find_spec(origin.value.partition(":")[0].partition(".")[0])
        folders = spec.submodule_search_locations if spec is not None else None
        if not folders:
            return Declared()
        with open(os.path.join(next(iter(folders)), DECLARATION), "rb") as file:
            table = tomllib.load(file).get(origin.name, {})
        kind, preference = table.get("kind", ""), table.get("preference")
        options = table.get("options")
    except (OSError, ValueError, ImportError, AttributeError):
        return Declared()
    fits = kind in ("", "host", "device") and isinstance(preference, int | None)
    fits = fits and isinstance(options, dict | None)
    return Declared(kind, preference, options) if fits else Declared()
