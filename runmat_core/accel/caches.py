"""Where caches on disk live, and which folders may be trusted.

``$RUNMAT_CACHE_DIR`` names the folder that holds them all; empty, there are none. Otherwise it is
``runmat`` in ``$XDG_CACHE_HOME`` or ``~/.cache``.
"""

from __future__ import annotations

import os
import stat


def base() -> str | None:
    """The folder of all caches, whether it exists or not; None where there are to be none."""
    given = os.environ.get("RUNMAT_CACHE_DIR")
    if given is not None:
        return given or None
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(home, "runmat")


def folder(*parts: str, root: str | None = None) -> str | None:
    """A folder below it, made if need be; None when there is none that is only the user's.

    What lies in a cache is run or believed, so a folder that others may write to is not used.

    Args:
        root: another folder instead of the one of all caches; empty: there are no caches.
    """
    if root is None:
        root = base()
    if not root:
        return None
    path = os.path.join(root, *parts)
    try:
        os.makedirs(path, mode=0o700, exist_ok=True)
        status = os.stat(path)
    except OSError:
        return None
    if hasattr(os, "getuid") and (
        status.st_uid != os.getuid() or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    ):
        return None
    return path
