"""What installed packages name in an entry point group, without importing any of them.

`importlib.metadata` is loaded only where a package mentions the group: looking into the metadata
files themselves costs a tenth of importing it. Metadata that cannot be read spoils nothing but its
own package.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.metadata import Distribution, EntryPoint

#: What the folders of metadata end with.
_METADATA = (".dist-info", ".egg-info")


def points(
    group: str, path: Iterable[str], broken: list[str]
) -> Iterator[tuple[str, str, EntryPoint]]:
    """The entry points of a group, each with the name and version of its package.

    Args:
        path: the folders in which packages lie; a package hides itself in later ones, as it does
            for imports.
        broken: gets a sentence for each package whose metadata cannot be read.
    """
    seen = set()
    for folder in _folders(group, path):
        from importlib.metadata import Distribution
        from pathlib import Path

        distribution = Distribution.at(Path(folder))
        package, version = _identity(distribution, folder)
        key = re.sub(r"[-_.]+", "-", package).lower()
        if key in seen:
            continue
        seen.add(key)
        try:
            found = [point for point in distribution.entry_points if point.group == group]
        except Exception as problem:  # each Python reports it in its own way
            label = f"{package} {version}".strip()
            text = str(problem).rstrip(".")
            broken.append(f"The metadata of the package '{label}' cannot be read: {text}.")
            continue
        for point in found:
            yield package, version, point


def state(path: Iterable[str]) -> list[tuple[str, int]]:
    """Return the folders in which packages lie, each with when it changed."""
    found = []
    for folder in path:
        try:
            if any(name.endswith(_METADATA) for name in os.listdir(folder or ".")):
                found.append((folder, os.stat(folder or ".").st_mtime_ns))
        except OSError:
            continue
    return found


def _identity(distribution: Distribution, folder: str) -> tuple[str, str]:
    """Name and version; as the folder says where the metadata does not."""
    stem = os.path.basename(folder).rpartition(".")[0]
    name, _, version = stem.partition("-")
    try:
        metadata: Any = distribution.metadata or {}
        return metadata["Name"] or name, metadata["Version"] or version
    except Exception:  # missing or unreadable, which each Python reports in its own way
        return name, version


def _folders(group: str, path: Iterable[str]) -> Iterator[str]:
    """The metadata folders that mention the group, in the order of imports."""
    wanted = f"[{group}]".encode()
    for folder in dict.fromkeys(path):
        try:
            listing = sorted(os.listdir(folder or "."))
        except OSError:
            continue
        for name in listing:
            if name.endswith(_METADATA):
                found = os.path.join(folder, name)
                try:
                    with open(os.path.join(found, "entry_points.txt"), "rb") as file:
                        if wanted in file.read():
                            yield found
                except OSError:
                    continue
