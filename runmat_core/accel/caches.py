"""Where caches on disk live, and which folders may be trusted.

``$RUNMAT_CACHE_DIR`` names the folder that holds them all; empty, there are none. Otherwise it is
the platform's folder for caches of this user (`api.folders`).
"""

from __future__ import annotations

import os
from contextlib import suppress

from runmat_core.api.folders import blake2b as blake2b
from runmat_core.api.folders import own_folder, user_folder

__all__ = ["base", "blake2b", "folder", "name_of", "write"]


def name_of(key: str) -> str:
    """Return a name of 32 letters for an entry that depends on `key`."""
    return blake2b(key.encode(), digest_size=16).hexdigest()


def base() -> str | None:
    """The folder of all caches, whether it exists or not; None where there are to be none."""
    given = os.environ.get("RUNMAT_CACHE_DIR")
    if given is not None:
        return given or None
    return user_folder("cache")


def folder(*parts: str, root: str | None = None) -> str | None:
    """Return a folder below it, made if need be; None when there is none that is only the user's.

    Args:
        root: another folder instead of the one of all caches; empty: there are no caches.
    """
    if root is None:
        root = base()
    if not root:
        return None
    return own_folder(os.path.join(root, *parts))


def write(path: str, data: bytes) -> bool:
    """Put a file into a cache, whole or not at all; return whether it is there."""
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        with open(temporary, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except OSError:
        with suppress(OSError):
            os.remove(temporary)
        return False
    return True
