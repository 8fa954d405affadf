"""The result of compiling a file, in a form that the code cache keeps."""

from __future__ import annotations

from types import CodeType
from typing import Any, Protocol

from runmat_core.api.tuples import NamedTuple
from runmat_core.compiler.host import FunctionInfo


def constant_name(mark: str, number: int) -> str:
    """Return the global name of a constant."""
    return f"_k{mark}{number}"


def scope_name(mark: str, number: int) -> str:
    """Return the global name of the file's scope with an import list; number 0 is the empty one."""
    return f"_scope{mark}{number}" if number else "_scope"


def mark_of(part: int) -> str:
    """Return what sets the global names of a part apart from those of the rest of its file."""
    return f"{part}:"


class Parts(Protocol):
    """Compiles the parts of a file that wait until they are reached."""

    def compiled(self, part: int) -> CompiledModule:
        """Return the code of a part."""


class CompiledModule(NamedTuple):
    """A file as a code object with what linking needs; it belongs to no session.

    Attributes:
        filename: the .m file, empty for code typed or evaluated.
        code: a module that defines the functions.
        constants: recipes of ``_k0``, ``_k1`` … (`constants.make`).
        cells: (global name, MATLAB name, import lists) of each function cell.
        imports: the import lists in the file by number, the first one empty.
        infos: (key, fields of its `FunctionInfo`) for each code object.
        functions: the names of the file's own functions, in order.
        main: the name of the function that calling the file runs, None for a script.
        entry: the key of a script's or expression's code, None for a function file.
        kind: ``file``, ``method`` (a file in the folder of a class), ``script`` or ``expression``.
        classdef: the class that the file defines, as `plain_of` writes it; None for other files.
        waiting: for each part that is compiled when it is reached, the key of the function that it
            is, or `entry` where it goes on with the script.
        parts: what compiles them; None where nothing waits.
    """

    filename: str
    code: CodeType
    constants: tuple[tuple[Any, ...], ...]
    cells: tuple[tuple[str, str, tuple[str, ...]], ...]
    imports: tuple[tuple[str, ...], ...]
    infos: tuple[tuple[str, tuple[tuple[str, Any], ...]], ...]
    functions: tuple[str, ...]
    main: str | None
    entry: str | None
    kind: str
    classdef: tuple[Any, ...] | None = None
    waiting: tuple[str, ...] = ()
    parts: Parts | None = None

    def function_infos(self) -> dict[str, FunctionInfo]:
        """Return the descriptions of the file's code objects by their names."""
        return {key: FunctionInfo(file=self.filename, **dict(fields)) for key, fields in self.infos}
