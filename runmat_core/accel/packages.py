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
        broken: gets a sentence for each package whose metadata cannot be read, or that must mean
            the group and names another one.
    """
    seen = set()
    wanted = f"[{group}]".encode()
    for folder, text in _folders(path):
        broken += [told for near, told in _misnamed(text, folder) if near == group]
        if wanted not in text:
            continue
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
            why = str(problem).rstrip(".")
            broken.append(f"The metadata of the package '{label}' cannot be read: {why}.")
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


def _folders(path: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """The metadata folders that mention a group of runmat's, in the order of imports, and the text
    that does."""
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
                        text = file.read()
                except OSError:
                    continue
                if b"[runmat" in text:
                    yield found, text


#: Every entry point group that is read, each where it is used.
GROUPS = ("runmat.builtins", "runmat.providers")
#: What groups may be called by mistake, and nearest to which of them that is not by its letters.
_MEANT = {"runmat.plugin": GROUPS[0], "runmat.plugins": GROUPS[0], "runmat.accel": GROUPS[1]}


def _misnamed(text: bytes, folder: str) -> Iterator[tuple[str, str]]:
    """For each group of a package that is none of runmat's the nearest one, and a sentence."""
    for raw in re.findall(rb"^\[\s*(runmat[\w.-]*)\s*\]", text, re.MULTILINE):
        name = raw.decode(errors="replace")
        if name in GROUPS:
            continue
        import difflib

        plain = name.replace("-", ".").replace("_", ".")
        near = _MEANT.get(plain) or difflib.get_close_matches(plain, GROUPS, 1, 0.0)[0]
        package = os.path.basename(folder).rpartition(".")[0].replace("-", " ", 1)
        yield (
            near,
            f"The package '{package}' names the entry point group '{name}', which runmat does not "
            f"read; '{near}' is the nearest.",
        )
