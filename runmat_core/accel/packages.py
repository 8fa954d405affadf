"""What installed packages name in an entry point group, without importing any of them.

The metadata files are read here: `importlib.metadata` brings sixty modules with it, for mail and
archives, and takes longer than starting a provider. Metadata that cannot be read spoils nothing but
its own package.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any, NamedTuple

#: ``module``, or ``module:name`` in it; extras in brackets say nothing here.
_VALUE = re.compile(r"([\w.]+)\s*(?::\s*([\w.]+)\s*)?(?:\[.*\])?\s*")


class Point(NamedTuple):
    """A line of a package's entry points."""

    name: str
    value: str

    @property
    def is_valid(self) -> bool:
        """Whether the value names something that can be imported."""
        return _VALUE.fullmatch(self.value) is not None

    def load(self) -> Any:
        """Import what the value names.

        Raises:
            ValueError: it names nothing; see `is_valid`.
        """
        named = _VALUE.fullmatch(self.value)
        if named is None:
            raise ValueError(f"'{self.value}' is not of the form module:name")
        found: Any = import_module(named[1])
        for attribute in (named[2] or "").split("."):
            if attribute:
                found = getattr(found, attribute)
        return found


def points(group: str, path: Iterable[str], broken: list[str]) -> Iterator[tuple[str, str, Point]]:
    """The entry points of a group, each with the name and version of its package.

    Args:
        path: the folders in which packages lie; a package hides itself in later ones, as it does
            for imports.
        broken: gets a sentence for each package whose metadata cannot be read.
    """
    seen = set()
    for folder in _folders(group, path):
        package, version = _identity(folder)
        key = re.sub(r"[-_.]+", "-", package).lower()
        if key in seen:
            continue
        seen.add(key)
        try:
            found = _points_of(folder, group)
        except (OSError, ValueError) as problem:
            label = f"{package} {version}".strip()
            text = str(problem).rstrip(".")
            broken.append(f"The metadata of the package '{label}' cannot be read: {text}.")
            continue
        for point in found:
            yield package, version, point


def _points_of(folder: str, group: str) -> list[Point]:
    """The entry points of a group in a metadata folder."""
    found: list[Point] = []
    here = ""
    with open(os.path.join(folder, "entry_points.txt"), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            text = line.strip()
            if not text or text[0] in "#;":
                continue
            if text[0] == "[" and text[-1] == "]":
                here = text[1:-1].strip()
            elif here == group:
                name, equals, value = text.partition("=")
                if not equals:
                    raise ValueError(f"line {number} of entry_points.txt has no '='")
                found.append(Point(name.strip(), value.strip()))
    return found


def _identity(folder: str) -> tuple[str, str]:
    """Name and version; as the folder says where the metadata does not."""
    stem = os.path.basename(folder).rpartition(".")[0]
    name, _, version = stem.partition("-")
    said: dict[str, str] = {}
    for file_name in ("METADATA", "PKG-INFO"):
        try:
            with open(os.path.join(folder, file_name), encoding="utf-8") as file:
                for line in file:
                    if not line.strip():
                        break  # headers end here
                    field, _, value = line.partition(":")
                    said.setdefault(field.lower(), value.strip())
            break
        except (OSError, ValueError):
            continue  # missing or unreadable
    return said.get("name") or name, said.get("version") or version


def _folders(group: str, path: Iterable[str]) -> Iterator[str]:
    """The metadata folders that mention the group, in the order of imports."""
    wanted = f"[{group}]".encode()
    for folder in dict.fromkeys(path):
        try:
            listing = sorted(os.listdir(folder or "."))
        except OSError:
            continue
        for name in listing:
            if name.endswith((".dist-info", ".egg-info")):
                found = os.path.join(folder, name)
                try:
                    with open(os.path.join(found, "entry_points.txt"), "rb") as file:
                        if wanted in file.read():
                            yield found
                except OSError:
                    continue
