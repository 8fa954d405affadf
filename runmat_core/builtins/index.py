"""The index of builtins: which module holds which name, without importing any of them.

`build` reads the ``@builtin("name", "alias", ...)`` marks of every module below this package with
`ast` and writes ``_index.json``, so that looking up a name costs a dictionary access and only the
module that holds it is imported. A package build writes the file; in a source checkout the files
that changed are read again when the index is loaded (`sources`). What else a mark says is in
`catalog`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from runmat_core.api.tuples import NamedTuple
from runmat_core.builtins.sources import Kept

if TYPE_CHECKING:
    import ast
    from pathlib import Path

PACKAGE = "runmat_core.builtins"
ROOT = os.path.dirname(os.path.abspath(__file__))
INDEX_FILE = os.path.join(ROOT, "_index.json")

#: Only a checkout's sources change.
IS_CHECKOUT = os.path.exists(os.path.join(ROOT, "..", "..", "pyproject.toml"))
_VERSION = 3


class Entry(NamedTuple):
    """Where a builtin is: the module's dotted name and the line of its mark."""

    name: str
    module: str
    line: int


def load() -> dict[str, str]:
    """Each builtin's name with the dotted name of its module; brings the index up to date first."""
    modules: dict[str, str] = {}
    for path, names in _kept().load().items():
        if names:
            modules.update(dict.fromkeys(names, module_of(path)))
    return modules


def build() -> Path:
    """Write the index anew; returns its path."""
    return _kept().build()


def entries() -> Iterator[Entry]:
    """Every mark in the sources, duplicates included, in the order of files and lines."""
    for path in _kept().paths():
        for name, line in marks(os.path.join(ROOT, path)):
            yield Entry(name, module_of(path), line)


def marks(path: str | Path) -> list[tuple[str, int]]:
    """Return the names marked in one source file, with the line of the mark.

    Raises:
        SyntaxError: the file is not Python.
        ValueError: a name in a mark is not a literal.
    """
    import ast

    with open(path, "rb") as file:
        tree = ast.parse(file.read(), str(path))
    return [
        (name, mark.lineno)
        for _, mark in marked(tree)
        for name in literal_names(mark, f"{path}:{mark.lineno}")
    ]


def marked(tree: ast.Module) -> Iterator[tuple[ast.FunctionDef, ast.Call]]:
    """Yield the functions of a module that are marked as builtins, with their marks."""
    import ast

    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            for mark in node.decorator_list:
                if isinstance(mark, ast.Call) and getattr(mark.func, "id", "") == "builtin":
                    yield node, mark


def literal_names(mark: ast.Call, where: str) -> list[str]:
    """Return the names in a mark.

    Raises:
        ValueError: one is not a literal.
    """
    names = [getattr(name, "value", None) for name in mark.args]
    if not all(isinstance(name, str) for name in names):
        raise ValueError(f"{where}: names in a mark must be literal")
    return [str(name) for name in names]


def module_of(path: str) -> str:
    """Return the dotted name of the module at `path` below this package."""
    dotted = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return f"{PACKAGE}.{dotted}"


def _kept() -> Kept:
    return Kept(ROOT, INDEX_FILE, _VERSION, lambda path: dict(marks(path)), IS_CHECKOUT)
