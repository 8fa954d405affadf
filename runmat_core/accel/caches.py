"""Where caches on disk live, and which folders may be trusted.

``$RUNMAT_CACHE_DIR`` names the folder that holds them all; empty, there are none. Otherwise it is
the platform's folder for caches of this user (`api.folders`).
"""

from __future__ import annotations

import os

from runmat_core.api.folders import blake2b as blake2b
from runmat_core.api.folders import own_folder, user_folder
from runmat_core.api.folders import read_own as read_own
from runmat_core.api.folders import write_whole as write

__all__ = ["base", "blake2b", "folder", "name_of", "read_own", "write"]


def name_of(key: str) -> str:
    """Return a name of 32 letters for an entry that depends on `key`."""
    return blake2b(key.encode(), digest_size=16).hexdigest()


def base() -> str | None:
    """Return the folder of all caches, whether it exists or not.

    Return None where there are to be none.
    """
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
