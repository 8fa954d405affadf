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
    folders = [[folder, _changed(folder)] for folder in sys.path if folder]
    if root:
        with suppress(OSError, ValueError, TypeError, AttributeError):
            data = caches.read_own(os.path.join(root, "plugins", _FILE)) or b"{}"
            kept = json.loads(data)
            if kept.get("of") == [_VERSION, folders, len(core)] and all(
                _changed(path) == when for path, when in kept["files"]
            ):
                return frozenset(kept["names"])
    found, files = _read(core)
    folder = caches.folder("plugins", root=root) if root else None
    if folder is not None:
        kept = {"of": [_VERSION, folders, len(core)], "files": files, "names": sorted(found)}
        caches.write(os.path.join(folder, _FILE), json.dumps(kept).encode())
    return found


def _changed(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0


def _read(core: Collection[str]) -> tuple[frozenset[str], list[list[Any]]]:
    """Return the names, and the source files that were read with when each changed."""
    from runmat_core.accel import packages
    from runmat_core.builtins import catalog, index
    from runmat_core.builtins.plugins import ENTRY_POINT_GROUP

    known = catalog.names_offered()
    found: set[str] = set()
    files: list[list[Any]] = []
    for package, version, point in packages.points(ENTRY_POINT_GROUP, sys.path, []):
        if (package, version) in known:
            continue  # no name of these is the core's
        for path in _sources(point.value.partition(":")[0].partition(".")[0]):
            files.append([path, _changed(path)])
            with suppress(OSError, SyntaxError, ValueError):
                found.update(name for name, _ in index.marks(path) if name in core)
    return frozenset(found), files


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
