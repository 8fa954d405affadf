"""Which acceleration providers are installed, by the entry points of their packages.

Nothing of a provider is imported here, and `importlib.metadata` only where a package claims to
offer one: looking into the metadata files themselves costs a tenth of importing it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import attrs

#: The entry point group, as `runmat_core.api.hookspecs` has it (whose import brings in pluggy).
GROUP = "runmat.providers"


@attrs.frozen
class Installed:
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
    global _known
    stamp = _stamp()
    if _known is None or _known[0] != stamp:
        _known = (stamp, _search())
    return dict(_known[1])


_known: tuple[tuple[tuple[str, int], ...], dict[str, Installed]] | None = None


def _stamp() -> tuple[tuple[str, int], ...]:
    """What changes when packages come or go: the search path and when its folders changed."""
    return tuple((folder, _changed(folder)) for folder in search_path())


def search_path() -> list[str]:
    """The folders in which packages are looked for."""
    return sys.path


def _changed(folder: str) -> int:
    try:
        return os.stat(folder or ".").st_mtime_ns
    except OSError:
        return 0


def _search() -> dict[str, Installed]:
    found: dict[str, Installed] = {}
    packages = set()
    for folder in _metadata_folders():
        from importlib.metadata import Distribution
        from pathlib import Path

        package = Distribution.at(Path(folder))
        name = package.name
        key = name.lower().replace("-", "_").replace(".", "_")
        if key in packages:
            continue  # the first on the search path hides the others, as in imports
        packages.add(key)
        for point in package.entry_points.select(group=GROUP):
            claim = Installed(point.name, name, package.version, point.value)
            known = found.get(point.name)
            if known is not None:
                claim = attrs.evolve(known, rivals=(*known.rivals, name))
            found[point.name] = claim
    return dict(sorted(found.items()))


def _metadata_folders() -> Iterator[str]:
    """The metadata folders whose entry points mention the group, in the order of imports."""
    wanted = f"[{GROUP}]".encode()
    for folder in search_path():
        try:
            listing = sorted(os.listdir(folder or "."))
        except OSError:
            continue
        for name in listing:
            if not name.endswith((".dist-info", ".egg-info")):
                continue
            path = os.path.join(folder, name)
            try:
                with open(os.path.join(path, "entry_points.txt"), "rb") as file:
                    if wanted in file.read():
                        yield path
            except OSError:
                continue
