"""What the functions of one file share while they are compiled.

A unit collects module-level definitions, the names of function cells and the constants, and ends as
a Python module whose top level only defines.
"""

from __future__ import annotations

import ast as py
from typing import Any

from runmat_core.compiler.compiled import constant_name, scope_name
from runmat_core.compiler.constants import Recipe
from runmat_core.compiler.host import debugging
from runmat_core.compiler.pyast import assign_name, const, load
from runmat_core.compiler.scopes import Scope


class Unit:
    """One file, script, piece of evaluated code or part of a file on its way to a code object."""

    def __init__(self, filename: str, mark: str = "") -> None:
        self.filename = filename
        #: sets its names apart from those of the other parts of a file
        self.mark = mark
        #: whether every store asserts that what it stores is a MATLAB value
        self.checked = debugging()
        self.definitions: list[py.stmt] = []
        #: global name of each function cell to (MATLAB name, imports)
        self.cells: dict[str, tuple[str, tuple[str, ...]]] = {}
        self.constants: list[Recipe] = []
        self._constant_names: dict[Recipe, str] = {}
        #: local functions of the file
        self.local_functions: set[str] = set()
        #: fields of the `FunctionInfo` of each code object by its key
        self.infos: dict[str, dict[str, Any]] = {}
        self._keys: dict[int, str] = {}
        #: the number of the last key that a name was given
        self._numbers: dict[str, int] = {}
        self._passages = 0
        #: the Python names in the statements that were generated since somebody began to ask
        self.met: set[str] = set()
        #: the import lists in the file, by number
        self.imports: dict[tuple[str, ...], int] = {(): 0}
        #: what is compiled when it is reached
        self.waiting: list[Any] = []

    def part(self, mark: str) -> Unit:
        """Return a unit for a part of this file."""
        unit = Unit(self.filename, mark)
        unit.local_functions = self.local_functions
        return unit

    def constant(self, recipe: Recipe) -> py.expr:
        """Return a load of the constant that `recipe` makes, one per unit."""
        name = self._constant_names.get(recipe)
        if name is None:
            name = constant_name(self.mark, len(self.constants))
            self._constant_names[recipe] = name
            self.constants.append(recipe)
        return load(name)

    def cell(self, name: str, imports: tuple[str, ...] = ()) -> str:
        """Return the global name of the cell of an external function."""
        key = f"_f{self.scope_name(imports).removeprefix('_scope')}_{name}"
        self.cells[key] = (name, imports)
        return key

    def scope_name(self, imports: tuple[str, ...]) -> str:
        """Return the global name of the file's scope with some import lists in force."""
        number = self.imports.setdefault(imports, len(self.imports))
        return scope_name(self.mark, number)

    def new_passage(self) -> str:
        """Return the global name of another passage, which is none before it is met."""
        self._passages += 1
        name = f"_passage{self.mark}{self._passages}"
        self.definitions.append(assign_name(name, const(None)))
        return name

    def new_key(self, name: str) -> str:
        """Return a name for a code object that is unique in the unit."""
        number = self._numbers.get(name, 1)
        key = name if number == 1 else f"{name}#{number}"
        while key in self.infos:
            number += 1
            key = f"{name}#{number}"
        self._numbers[name] = number
        self.infos[key] = {}
        return key

    def name_scope(self, scope: Scope, key: str) -> None:
        self._keys[id(scope)] = key

    def key_of(self, scope: Scope) -> str:
        return self._keys[id(scope)]
