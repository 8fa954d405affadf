"""Compiled code on disk, by content.

An entry is a digest and the marshalled parts of a `CompiledModule`. The digest is checked before
`marshal` sees a byte: a single flipped bit in a code object can crash the interpreter. The folder
is the user's own and nobody else's; any doubt means compiling again.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import cache as memoise
from types import CodeType
from typing import Any

from runmat_core.accel import caches
from runmat_core.compiler.compiled import CompiledModule

_FIELDS = (
    "filename",
    "code",
    "constants",
    "cells",
    "imports",
    "infos",
    "functions",
    "main",
    "entry",
    "kind",
    "classdef",
    "waiting",
)
_DIGEST = 32
#: Entries beyond this many are removed, oldest use first.
MOST_ENTRIES = 4000


def _hash(data: bytes) -> caches.blake2b:
    return caches.blake2b(data, digest_size=_DIGEST)


def key(
    source: str, dialect: str, kind: str, variables: Sequence[str], global_names: Sequence[str]
) -> str:
    """Return the name of an entry: a hash of the text and of all else that code depends on."""
    digest = _hash(fingerprint())
    debug = os.environ.get("RUNMAT_DEBUG", "")
    for part in (dialect, kind, debug, ",".join(variables), ",".join(global_names), source):
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()


def part_key(key: str, part: int) -> str:
    """Return the name of the entry of a part of the file whose entry is `key`."""
    return f"{key}.{part}"


@memoise
def fingerprint() -> bytes:
    """Return a hash of the compiler and the interpreter: sizes and times of the source files."""
    root = os.path.dirname(os.path.dirname(__file__))
    digest = _hash(f"{sys.implementation.cache_tag} {sys.version}".encode())
    for package in ("compiler", "syntax"):
        with os.scandir(os.path.join(root, package)) as entries:
            for entry in sorted(entries, key=lambda e: e.name):
                if entry.is_file():
                    status = entry.stat()
                    digest.update(f"{entry.name} {status.st_size} {status.st_mtime_ns}".encode())
    return digest.digest()


@memoise
def folder() -> str | None:
    """Return the cache folder, made if need be; None when there is none that is only the user's."""
    return caches.folder("code")


def load(key: str, filename: str) -> CompiledModule | None:
    """Return the entry `key` as the code of `filename`, or None."""
    base = folder()
    if base is None:
        return None
    path = os.path.join(base, key)
    try:
        data = caches.read_own(path)
    except OSError:
        return None
    if data is None or _hash(data[_DIGEST:]).digest() != data[:_DIGEST]:
        return None
    fields: dict[str, Any] = dict(zip(_FIELDS, marshal.loads(data[_DIGEST:]), strict=True))
    if fields["filename"] != filename:
        fields["filename"] = filename
        fields["code"] = relocate(fields["code"], filename)
    return CompiledModule(**fields)


def store(key: str, compiled: CompiledModule, *, trim: bool = True) -> None:
    """Keep `compiled`; a cache that cannot be written to is no error.

    Args:
        trim: whether to remove old entries where there are too many, which takes a look at all.
    """
    base = folder()
    if base is None:
        return
    data = marshal.dumps(tuple(getattr(compiled, name) for name in _FIELDS))
    if caches.write(os.path.join(base, key), _hash(data).digest() + data) and trim:
        with suppress(OSError):
            _trim(base)


def relocate(code: CodeType, filename: str) -> CodeType:
    """`code` with another file name, in nested code objects too."""
    constants = tuple(
        relocate(item, filename) if isinstance(item, CodeType) else item for item in code.co_consts
    )
    return code.replace(co_filename=filename, co_consts=constants)


def _trim(base: str) -> None:
    names = os.listdir(base)
    if len(names) <= MOST_ENTRIES:
        return
    aged = sorted((os.stat(os.path.join(base, name)).st_mtime, name) for name in names)
    for _, name in aged[: len(names) - MOST_ENTRIES // 2]:
        os.unlink(os.path.join(base, name))
