"""Which folders hold which files, and whether a file is still the one that was read."""

from __future__ import annotations

import os
import time

#: A folder changed less than this before it was listed may change again within one tick of the
#: file system's clock, so its listing is not trusted the next time.
_SETTLED_NS = 100_000_000
#: What tells whether a file is still the one that was read: its time in nanoseconds and its size.
Stamp = tuple[int, int]


def stamp(path: str) -> Stamp | None:
    """Return the stamp of `path` now; None when it is not there."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


class Folders:
    """Listings of folders, read again when a folder has changed.

    Looking a name up asks each folder of the path whether it holds ``NAME.m``; with the listings
    that is one `stat` a folder instead of one for every kind of file in it.
    """

    def __init__(self) -> None:
        self._listings: dict[str, tuple[int, int, frozenset[str]]] = {}

    def entries(self, folder: str) -> frozenset[str]:
        """Return the names in `folder`; none when it cannot be read."""
        try:
            modified = os.stat(folder).st_mtime_ns
        except OSError:
            self._listings.pop(folder, None)
            return frozenset()
        known = self._listings.get(folder)
        if known is not None and known[0] == modified and known[1] - modified > _SETTLED_NS:
            return known[2]
        listed_at = time.time_ns()
        try:
            names = frozenset(os.listdir(folder))
        except OSError:
            names = frozenset()
        self._listings[folder] = (modified, listed_at, names)
        return names

    def file(self, folder: str, name: str) -> str | None:
        """Return the path of ``folder/name`` when `folder` lists it with this very spelling."""
        return os.path.join(folder, name) if name in self.entries(folder) else None

    def forget(self) -> None:
        self._listings.clear()
