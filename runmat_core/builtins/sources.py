"""What is read from the source files of a folder, kept in a JSON file from one process to the next.

A package build writes the file; in a source checkout the files that changed are read again when it
is loaded.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypedDict

if TYPE_CHECKING:
    from pathlib import Path

_CHANGED = -1  # stands for the size of a file that was written after what is kept


class _File(TypedDict):
    size: int
    found: Any


class _Stored(TypedDict):
    version: int
    files: dict[str, _File]  # by path below the root


class Kept:
    """What `read` found in each ``.py`` file below a folder.

    Args:
        root: the folder.
        file: where it is kept.
        version: of what `read` gives; what is kept under another one is read anew.
        read: takes the path of a file and returns what JSON can hold; may raise SyntaxError.
        checkout: whether the files may be edited; an installed package is checked for its set of
            files alone.
    """

    def __init__(
        self,
        root: str,
        file: str,
        version: int,
        read: Callable[[str], Any],
        checkout: bool,
    ) -> None:
        self.root = root
        self.file = file
        self.version = version
        self.read = read
        self.checkout = checkout

    def load(self) -> dict[str, Any]:
        """Return what was found in each file, by its path below the root, up to date."""
        stored = self._stored()
        looks = bool(stored["files"]) and self.checkout
        changed_since = os.stat(self.file).st_mtime_ns if looks else None
        sizes = self._sizes(changed_since)
        if sizes != {path: file["size"] for path, file in stored["files"].items()}:
            stored = self._update(stored, sizes)
        return {path: file["found"] for path, file in stored["files"].items()}

    def build(self) -> Path:
        """Write the file anew; returns its path."""
        from pathlib import Path

        self._update({"version": self.version, "files": {}}, self._sizes())
        return Path(self.file)

    def paths(self) -> list[str]:
        """Return the source files, by their paths below the root, sorted."""
        return sorted(self._sizes())

    def stored(self) -> dict[str, Any]:
        """Return what is kept, without a look at the sources."""
        return {path: file["found"] for path, file in self._stored()["files"].items()}

    def _stored(self) -> _Stored:
        try:
            with open(self.file, "rb") as file:
                stored: _Stored = json.loads(file.read())
        except (OSError, ValueError):
            stored = {"version": 0, "files": {}}
        if stored.get("version") == self.version:
            return stored
        return {"version": self.version, "files": {}}

    def _sizes(self, changed_since: int | None = None) -> dict[str, int]:
        """Return the size of each source file by its path below the root."""
        found: dict[str, int] = {}
        pending = [("", self.root)]
        while pending:
            prefix, folder = pending.pop()
            with os.scandir(folder) as listing:
                for item in listing:
                    name = item.name
                    if name.endswith(".py"):
                        status = item.stat()
                        changed = changed_since is not None and status.st_mtime_ns > changed_since
                        found[prefix + name] = _CHANGED if changed else status.st_size
                    elif "." not in name and name != "__pycache__" and item.is_dir():
                        pending.append((f"{prefix}{name}/", item.path))
        return found

    def _update(self, previous: _Stored, sizes: dict[str, int]) -> _Stored:
        """Return what the present sources hold; reads those whose size is not the recorded one."""
        files: dict[str, _File] = {}
        for path in sorted(sizes):
            known = previous["files"].get(path)
            if known is not None and known["size"] == sizes[path]:
                files[path] = known
                continue
            source = os.path.join(self.root, path)
            try:
                found = self.read(source)
            except SyntaxError:
                # Half-written: what it held stays known, and importing the file shows the error.
                found = known["found"] if known else None
            files[path] = {"size": os.stat(source).st_size, "found": found}
        stored: _Stored = {"version": self.version, "files": files}
        self._write(json.dumps(stored, indent=1, ensure_ascii=False))
        return stored

    def _write(self, text: str) -> None:
        """Replace the file at once; where the folder is read-only the old one stays."""
        temporary = f"{self.file}.{os.getpid()}.tmp"
        try:
            with open(temporary, "w", encoding="utf-8") as file:
                file.write(text)
            os.replace(temporary, self.file)
        except OSError:
            with suppress(OSError):
                os.remove(temporary)
