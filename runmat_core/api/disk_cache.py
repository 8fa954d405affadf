"""Files that may be lost at any time, each under a key of all that its contents depend on.

A file starts with a digest of its contents, which is tested before anybody reads them: what is
damaged counts as missing and is removed. A folder that others may write to is not used. Files are
written whole or not at all, so processes may share a folder.
"""

from __future__ import annotations

import atexit
import marshal
import os
import weakref
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from operator import attrgetter
from typing import Any, Protocol

from runmat_core.api.folders import blake2b, own_folder, read_own, write_whole

_DIGEST = 32
#: How many files are written between two looks at the whole folder.
TRIM_EVERY = 50


class DiskCache:
    """The files of one folder.

    Args:
        folder: made if need be; empty: nothing is kept.
        most_files, most_bytes: beyond these, the files used longest ago are removed, until half
            is left.

    Attributes:
        folder: None where nothing is kept.
        hits, misses, damaged, written: counted.
    """

    def __init__(self, folder: str, most_files: int = 2000, most_bytes: int = 1 << 26) -> None:
        self.folder = own_folder(folder) if folder else None
        self.most_files = most_files
        self.most_bytes = most_bytes
        self.hits = self.misses = self.damaged = self.written = 0

    def load(self, key: str) -> bytes | None:
        """Return the contents under a key, None where there are none that are whole."""
        if self.folder is None:
            return None
        path = os.path.join(self.folder, key)
        try:
            data = read_own(path)
        except OSError:
            self.misses += 1
            return None
        if data is None:
            return None
        contents = data[_DIGEST:]
        if _digest(contents) != data[:_DIGEST]:
            self.damaged += 1
            self.remove(key)
            return None
        self.hits += 1
        with suppress(OSError):
            os.utime(path)
        return contents

    def store(self, key: str, contents: bytes) -> None:
        """Keep contents; a folder that cannot be written to is no error."""
        if self.folder is None:
            return
        if not write_whole(os.path.join(self.folder, key), _digest(contents) + contents):
            return
        if self.written % TRIM_EVERY == 0:
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
        if count <= self.most_files and total <= self.most_bytes:
            return
        for _, size, path in found:
            if count <= self.most_files // 2 and total <= self.most_bytes // 2:
                return
            os.unlink(path)
            count, total = count - 1, total - size


def _digest(contents: bytes) -> bytes:
    return blake2b(contents, digest_size=_DIGEST).digest()


# -- keys ------------------------------------------------------------------------------------------

_PLAIN = frozenset({type(None), bool, int, float, complex, str, bytes})


def name_of(*parts: Any) -> str:
    """Return the name of an entry that depends on `parts`: plain data, records and kernels.

    Raises:
        TypeError: a part is none of these.
    """
    # later versions of the format tell objects apart that are equal
    return blake2b(marshal.dumps(plain(parts), 2), digest_size=20).hexdigest()


def plain(value: Any) -> Any:
    """Return records (of attrs, and named tuples) with all that they hold as plain tuples."""
    kind = value.__class__
    if kind in _PLAIN:
        return value
    if kind is tuple:
        for one in value:
            if one.__class__ not in _PLAIN:
                return tuple([plain(one) for one in value])
        return value
    if isinstance(value, tuple | list):
        return (kind.__qualname__, *[plain(one) for one in value])
    if isinstance(value, frozenset | set):
        return ("set", *sorted([plain(one) for one in value], key=repr))
    if isinstance(value, Mapping):
        return ("mapping", *[(plain(key), plain(one)) for key, one in value.items()])
    return (kind.__qualname__, *[plain(one) for one in _fields_of(kind)(value)])


@cache
def _fields_of(kind: type) -> Callable[[Any], tuple[Any, ...]]:
    """Return what gives the fields of a record of attrs."""
    fields = getattr(kind, "__attrs_attrs__", None)
    if fields is None:
        raise TypeError(f"{kind.__name__} is no plain data")
    names = [field.name for field in fields]
    if len(names) < 2:
        return lambda value: tuple([getattr(value, name) for name in names])
    return attrgetter(*names)


# -- writing late ----------------------------------------------------------------------------------


class Writes(Protocol):
    """What is written when it is closed, or when the process ends."""

    def write(self) -> None: ...


_open: weakref.WeakSet[Any] = weakref.WeakSet()


def write_at_exit(one: Writes) -> None:
    """Have `one` written when the process ends, if it is there by then."""
    _open.add(one)


@atexit.register
def _write_all() -> None:
    for one in tuple(_open):
        one.write()
