"""The index of builtins: which module holds which name, without importing any of them.

`build` reads the ``@builtin("name", "alias", ...)`` marks of every module below this package with
`ast` and writes ``_index.json``, so that looking up a name costs a dictionary access and only the
module that holds it is imported. A package build writes the file; in a source checkout the files
that changed are read again when the index is loaded.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, TypedDict

PACKAGE = "runmat_core.builtins"
ROOT = Path(__file__).parent
INDEX_FILE = ROOT / "_index.json"

#: Only a checkout's sources change; an installed package is checked for its set of files alone.
_IS_CHECKOUT = (ROOT.parent.parent / "pyproject.toml").exists()
_VERSION = 2
_CHANGED = -1  # stands for the size of a file that was written after the index


class Entry(NamedTuple):
    """Where a builtin is: the module's dotted name and the line of its mark."""

    name: str
    module: str
    line: int


class _File(TypedDict):
    size: int
    marks: dict[str, int]  # builtin name -> line


class _Stored(TypedDict):
    version: int
    files: dict[str, _File]  # by path below ROOT


def load() -> dict[str, str]:
    """Each builtin's name with the dotted name of its module; brings the index up to date first."""
    stored = _read()
    changed_since = INDEX_FILE.stat().st_mtime_ns if stored["files"] and _IS_CHECKOUT else None
    sizes = _sizes(changed_since)
    if sizes != {path: file["size"] for path, file in stored["files"].items()}:
        stored = _update(stored, sizes)
    modules: dict[str, str] = {}
    for path, file in stored["files"].items():
        if file["marks"]:
            modules.update(dict.fromkeys(file["marks"], module_of(path)))
    return modules


def build() -> Path:
    """Write the index anew; returns its path."""
    _update({"version": _VERSION, "files": {}}, _sizes())
    return INDEX_FILE


def entries() -> Iterator[Entry]:
    """Every mark in the sources, duplicates included, in the order of files and lines."""
    for path in sorted(_sizes()):
        for name, line in marks(ROOT / path):
            yield Entry(name, module_of(path), line)


def marks(path: Path) -> list[tuple[str, int]]:
    """The names marked in one source file, with the line of the mark.

    Raises:
        SyntaxError: the file is not Python.
        ValueError: a name in a mark is not a literal.
    """
    import ast

    found = []
    for node in ast.walk(ast.parse(path.read_bytes(), str(path))):
        if not isinstance(node, ast.FunctionDef):
            continue
        for mark in node.decorator_list:
            if not isinstance(mark, ast.Call) or getattr(mark.func, "id", "") != "builtin":
                continue
            for name in mark.args:
                if not isinstance(name, ast.Constant) or not isinstance(name.value, str):
                    raise ValueError(f"{path}:{mark.lineno}: names in a mark must be literal")
                found.append((name.value, mark.lineno))
    return found


def module_of(path: str) -> str:
    """The dotted name of the module at `path` below this package."""
    dotted = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return f"{PACKAGE}.{dotted}"


def _read() -> _Stored:
    try:
        stored: _Stored = json.loads(INDEX_FILE.read_bytes())
    except (OSError, ValueError):
        stored = {"version": 0, "files": {}}
    return stored if stored.get("version") == _VERSION else {"version": _VERSION, "files": {}}


def _sizes(changed_since: int | None = None) -> dict[str, int]:
    """The size of each source file by its path below the package, in the order of paths."""
    found: dict[str, int] = {}
    pending = [("", str(ROOT))]
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


def _update(previous: _Stored, sizes: dict[str, int]) -> _Stored:
    """The index of the present sources; reads those whose size is not the recorded one."""
    files: dict[str, _File] = {}
    for path in sorted(sizes):
        known = previous["files"].get(path)
        if known is not None and known["size"] == sizes[path]:
            files[path] = known
            continue
        source = ROOT / path
        try:
            found = dict(marks(source))
        except SyntaxError:
            # Half-written: its names stay known, and importing the file shows the error.
            found = known["marks"] if known else {}
        files[path] = {"size": source.stat().st_size, "marks": found}
    stored: _Stored = {"version": _VERSION, "files": files}
    _write(json.dumps(stored, indent=1))
    return stored


def _write(text: str) -> None:
    """Replace the index file at once; where the folder is read-only the old one stays."""
    temporary = INDEX_FILE.with_name(f"_index.{os.getpid()}.tmp")
    try:
        temporary.write_text(text, encoding="utf-8")
        os.replace(temporary, INDEX_FILE)
    except OSError:
        temporary.unlink(missing_ok=True)
