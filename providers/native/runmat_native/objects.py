"""Object code on disk, under a key of all that it depends on.

A file starts with a digest of its code, which is tested before LLVM sees a byte of it: damaged code
crashes, or gives wrong numbers. A folder that others may write to is not used.
"""

from __future__ import annotations

import hashlib
import os
import stat
from contextlib import suppress

#: Files and bytes beyond these are removed, those used longest ago first.
MOST_FILES, MOST_BYTES = 2000, 1 << 26
_DIGEST = hashlib.sha256().digest_size
#: How many files are written between two looks at the whole folder.
_EVERY = 50


class Objects:
    """The files of one folder.

    Args:
        folder: of the provider; empty: nothing is kept.

    Attributes:
        hits, misses, damaged, written: counted.
    """

    def __init__(self, folder: str) -> None:
        self.folder = own_folder(os.path.join(folder, "objects")) if folder else None
        self.hits = self.misses = self.damaged = self.written = 0

    def load(self, key: str) -> bytes | None:
        """Return the code under a key, None where there is none that is whole."""
        if self.folder is None:
            return None
        path = os.path.join(self.folder, key)
        try:
            with open(path, "rb") as file:
                if hasattr(os, "getuid") and os.fstat(file.fileno()).st_uid != os.getuid():
                    return None
                data = file.read()
        except OSError:
            self.misses += 1
            return None
        code = data[_DIGEST:]
        if hashlib.sha256(code).digest() != data[:_DIGEST]:
            self.damaged += 1
            self.remove(key)
            return None
        self.hits += 1
        with suppress(OSError):
            os.utime(path)
        return code

    def store(self, key: str, code: bytes) -> None:
        """Keep code; a folder that cannot be written to is no error."""
        if self.folder is None:
            return
        path = os.path.join(self.folder, key)
        draft = f"{path}.{os.getpid()}.tmp"
        try:
            with open(draft, "wb") as file:
                file.write(hashlib.sha256(code).digest() + code)
            os.replace(draft, path)
        except OSError:
            with suppress(OSError):
                os.remove(draft)
            return
        if self.written % _EVERY == 0:
            with suppress(OSError):
                self._trim(self.folder)
        self.written += 1

    def remove(self, key: str) -> None:
        """Forget what is under a key."""
        if self.folder is not None:
            with suppress(OSError):
                os.remove(os.path.join(self.folder, key))

    def _trim(self, folder: str) -> None:
        with os.scandir(folder) as entries:
            found = sorted((e.stat().st_mtime, e.stat().st_size, e.path) for e in entries)
        count, total = len(found), sum(size for _, size, _ in found)
        if count <= MOST_FILES and total <= MOST_BYTES:
            return
        for _, size, path in found:
            if count <= MOST_FILES // 2 and total <= MOST_BYTES // 2:
                return
            os.unlink(path)
            count, total = count - 1, total - size


def own_folder(path: str) -> str | None:
    """Return a folder, made if need be; None where others may write to it."""
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
