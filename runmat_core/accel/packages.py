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
from typing import Any

from runmat_core.api.tuples import NamedTuple

#: ``module``, or ``module:name`` in it; extras in brackets say nothing here.
_VALUE = re.compile(r"([\w.]+)\s*(?::\s*([\w.]+)\s*)?(?:\[.*\])?\s*")

#: What the folders of metadata end with.
_METADATA = (".dist-info", ".egg-info")


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
    """Yield the entry points of a group, each with the name and version of its package.

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
        package, version = _identity(folder)
        key = re.sub(r"[-_.]+", "-", package).lower()
        if key in seen:
            continue
        seen.add(key)
        try:
            found = _points_of(folder, group)
        except (OSError, ValueError) as problem:
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


def _points_of(folder: str, group: str) -> list[Point]:
    """Return the entry points of a group in a metadata folder."""
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


def _folders(path: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the metadata folders that mention a group of entry points, in the order of imports.

    Each comes with the text that does.
    """
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
