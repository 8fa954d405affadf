"""Names of the core that an installed package has, too, found without importing a package.

Marks are read from the sources of packages that name the entry point group, when packages came or
went since the last look; what is found is kept in the folder of caches. A start looks at when the
folders in which packages lie changed, and at the files that had such a name.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterator
from contextlib import suppress
from typing import Any

from runmat_core.accel import caches

_FILE = "names"
_VERSION = 1


def names(core: Collection[str]) -> frozenset[str]:
    """Return the core's names for which a package has a mark that may be read as a builtin's.

    Args:
        core: all names of the core.
    """
    import json

    root = caches.base()
    path = [folder for folder in sys.path if folder]
    of = [_VERSION, path, len(core)]
    if root:
        with suppress(OSError, ValueError, TypeError, AttributeError, KeyError):
            data = caches.read_own(os.path.join(root, "plugins", _FILE)) or b"{}"
            kept = json.loads(data)
            if kept["of"] == of and all(_changed(one) == when for one, when in kept["seen"]):
                return frozenset(kept["names"])
    found, seen = _read(path, core)
    folder = caches.folder("plugins", root=root) if root else None
    if folder is not None:
        kept = {"of": of, "seen": seen, "names": sorted(found)}
        caches.write(os.path.join(folder, _FILE), json.dumps(kept).encode())
    return found


def _changed(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0


def _read(path: list[str], core: Collection[str]) -> tuple[frozenset[str], list[list[Any]]]:
    """Return the names, and what was looked at with when it changed: the folders that hold
    packages, and source files."""
    from runmat_core.accel import packages
    from runmat_core.builtins import catalog, index

    known = catalog.names_offered()
    found: set[str] = set()
    seen: list[list[Any]] = [list(one) for one in packages.state(path)]
    for package, version, point in packages.points(packages.GROUPS[0], path, []):
        if (package, version) in known:
            continue  # no name of these is the core's
        for file in _sources(point.value.partition(":")[0].partition(".")[0]):
            seen.append([file, _changed(file)])
            with suppress(OSError, SyntaxError, ValueError):
                found.update(name for name, _ in index.marks(file) if name in core)
    return frozenset(found), seen


def _sources(module: str) -> Iterator[str]:
    """Yield the source files of a module, which is not imported."""
    from importlib.util import find_spec

    try:
        spec = find_spec(module)
    except (ImportError, ValueError, AttributeError):
        return
    if spec is None:
        return
    for folder in spec.submodule_search_locations or ():
        for place, _, inside in os.walk(folder):
            yield from (os.path.join(place, one) for one in inside if one.endswith(".py"))
    if not spec.submodule_search_locations and (spec.origin or "").endswith(".py"):
        yield str(spec.origin)
