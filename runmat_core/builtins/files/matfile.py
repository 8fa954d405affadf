"""matfile: the variables of a MAT file, and parts of them, without loading the file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.files.mat import is_hdf5, names_in_mat, read_mat, write_mat
from runmat_core.builtins.files.mat_values import CorruptError, Unsupported, UnsupportedError
from runmat_core.builtins.files.names import split_name
from runmat_core.builtins.files.table import find_readable, resolve_path
from runmat_core.builtins.lang.names import is_variable_name
from runmat_core.builtins.text.support import maybe_text, option_pairs
from runmat_core.values import CharArray, class_of, index, share, size_of, truth
from runmat_core.values.base import Subscripts
from runmat_core.values.display_format import DisplayFormat
from runmat_core.values.display_inline import summary
from runmat_core.values.display_matrix import Shown
from runmat_core.values.indexing import assign
from runmat_core.values.object import HandleObject, ObjectValue

_PROPERTIES = "Properties"


@contextmanager
def _using(path: str) -> Iterator[None]:
    """Yield what goes wrong with a file while it is used, as an error of the program."""
    try:
        yield
    except (OSError, CorruptError) as problem:
        raise MatlabError(
            "MATLAB:MatFile:CannotUse", f"Unable to read or write '{path}': {problem}."
        ) from None


class MatFile(HandleObject):
    """The variables of a file; they are read when they are asked for, and written at once.

    Attributes:
        data: the path of the file.
        can_write: whether assignments go to the file.
    """

    __slots__ = ("can_write",)
    data: str
    class_name = "matlab.io.MatFile"
    takes_paths = True

    def __init__(self, path: str, can_write: bool) -> None:
        self.data = path
        self.can_write = can_write

    # -- as a workspace, which who and whos list -------------------------------------------------

    global_names: frozenset[str] = frozenset()

    def names(self) -> list[str]:
        """Return the names of the variables, sorted."""
        return sorted(names_in_mat(self.data)) if os.path.isfile(self.data) else []

    def get(self, name: str) -> Any:
        """Return a variable.

        Raises:
            MatlabError: MATLAB:MatFile:VariableNotInFile, MATLAB:load:classNotSupported.
        """
        found = read_mat(self.data, self.data, {name}) if os.path.isfile(self.data) else {}
        if name not in found:
            raise MatlabError(
                "MATLAB:MatFile:VariableNotInFile",
                f"The variable '{name}' does not exist in '{self.data}'.",
            )
        if isinstance(found[name], Unsupported):
            raise MatlabError(
                "MATLAB:load:classNotSupported",
                f"The variable '{name}' is of kind '{found[name].kind}', which is not supported.",
            )
        return found[name]

    def field_names(self) -> tuple[str, ...]:
        return (_PROPERTIES, *self.names())

    # -- reading ---------------------------------------------------------------------------------

    def field(self, name: str) -> Any:
        return MatFileProperties(self) if name == _PROPERTIES else share(self.get(name))

    def member(self, name: str) -> Any:
        if name == _PROPERTIES or name not in self.names():
            return self.field(name)
        return StoredVariable(self, name)

    # -- writing ---------------------------------------------------------------------------------

    def set_field(self, name: str, rhs: Any) -> MatFile:
        if name == _PROPERTIES:
            raise MatlabError(
                "MATLAB:MatFile:InvalidProperties", "Properties cannot be assigned as a whole."
            )
        self.check_writable(name)
        self._write(name, rhs)
        return self

    def check_writable(self, name: str) -> None:
        """Refuse what cannot be written.

        Raises:
            MatlabError: MATLAB:MatFile:NotWritable, MATLAB:MatFile:InvalidVariableName.
        """
        if not self.can_write:
            raise MatlabError(
                "MATLAB:MatFile:NotWritable",
                f"Cannot change '{name}' because Properties.Writable is false. To enable saving "
                "to the file, set it to true.",
            )
        if not is_variable_name(name):
            raise MatlabError(
                "MATLAB:MatFile:InvalidVariableName", f"'{name}' is no name of a variable."
            )

    def _write(self, name: str, rhs: Any) -> None:
        try:
            with _using(self.data):
                if not os.path.isfile(self.data) or is_hdf5(self.data):
                    from runmat_core.builtins.files.mat73_parts import put_variable

                    if put_variable(self.data, name, rhs):
                        return
                refused = self._write_anew(name, rhs)
        except UnsupportedError as problem:
            refused = str(problem)
        if refused:
            raise MatlabError(
                "MATLAB:save:unsupportedClass",
                f"A value of class {class_of(rhs)} cannot be saved: MAT files of this version "
                f"cannot hold {refused}.",
            )

    def _write_anew(self, name: str, rhs: Any) -> str:
        """Write the whole file; returns what about the value it cannot hold, or nothing."""
        known: dict[str, Any] = {}
        version = "-v7.3"
        if os.path.isfile(self.data):
            known = read_mat(self.data, self.data)
            version = "-v7.3" if is_hdf5(self.data) else "-v7"
        lost = [n for n, x in known.items() if isinstance(x, Unsupported) and n != name]
        if lost:
            raise MatlabError(
                "MATLAB:MatFile:UnsupportedVariable",
                f"The file cannot be written anew, since '{lost[0]}' in it is not supported.",
            )
        known[name] = rhs
        trial = write_mat(f"{self.data}.new", known, version)
        if name in trial:
            os.remove(f"{self.data}.new")
            return trial[name]
        os.replace(f"{self.data}.new", self.data)
        return ""

    def writable(self, name: str) -> Any:
        if name == _PROPERTIES:
            return MatFileProperties(self)
        self.check_writable(name)
        return StoredVariable(self, name) if name in self.names() else None

    def set_part(self, name: str, rhs: Any) -> MatFile:
        if name == _PROPERTIES or isinstance(rhs, StoredVariable):
            return self  # what it stands for has been written
        return self.set_field(name, rhs)

    # -- display ---------------------------------------------------------------------------------

    def shown(self, name: str, fmt: DisplayFormat) -> Shown:
        rows = [
            ("Properties.Source", f"'{self.data}'"),
            ("Properties.Writable", "true" if self.can_write else "false"),
        ]
        for variable in self.names():
            value = StoredVariable(self, variable)
            rows.append((variable, f"[{summary(value.shape, value.kind())}]"))
        width = max(len(label) for label, _ in rows) + 4
        lines = "".join(f"{label.rjust(width)}: {text}\n" for label, text in rows)
        return Shown(f"  Properties:\n{lines}", f"  {self.class_name}", is_object=True)


class MatFileProperties(ObjectValue):
    """The properties of a file of variables; its `data` is that file."""

    __slots__ = ()
    class_name = "matlab.io.MatFileProperties"
    properties = ("Source", "Writable")
    data: MatFile

    def __init__(self, file: MatFile) -> None:
        self.data = file

    def get_property(self, name: str) -> Any:
        return CharArray(self.data.data) if name == "Source" else self.data.can_write

    def set_property(self, name: str, rhs: Any) -> None:
        if name != "Writable":
            super().set_property(name, rhs)
        self.data.can_write = truth(rhs)


class StoredVariable(ObjectValue):
    """A variable in a file, of which parts are read and written; no program ever holds one.

    Attributes:
        data: the file and the name.
    """

    __slots__ = ()
    class_name = "matlab.io.MatFile"
    takes_paths = True
    data: tuple[MatFile, str]

    def __init__(self, file: MatFile, name: str) -> None:
        self.data = file, name

    def whole(self) -> Any:
        """Return the variable."""
        file, name = self.data
        return file.get(name)

    @property
    def shape(self) -> tuple[int, ...]:
        file, name = self.data
        if is_hdf5(file.data):
            from runmat_core.builtins.files.mat73_parts import shape_of

            with _using(file.data):
                found = shape_of(file.data, name)
            if found is not None:
                return found
        return tuple(size_of(self.whole()))

    def kind(self) -> str:
        """Return the class of the variable."""
        return class_of(self.whole())

    def paren(self, subs: Subscripts) -> Any:
        file, name = self.data
        if is_hdf5(file.data):
            from runmat_core.builtins.files.mat73_parts import read_part

            with _using(file.data):
                found = read_part(file.data, name, subs)
            if found is not None:
                return found
        return index(self.whole(), subs)

    def brace(self, subs: Subscripts) -> Any:
        return self.whole().brace(subs)

    def field(self, name: str) -> Any:
        return self.whole().field(name)

    def set_paren(self, subs: Subscripts, rhs: Any) -> StoredVariable:
        file, name = self.data
        if is_hdf5(file.data):
            from runmat_core.builtins.files.mat73_parts import write_part

            with _using(file.data):
                if write_part(file.data, name, subs, rhs):
                    return self
        file.set_field(name, assign(self.whole(), subs, rhs))
        return self

    def set_brace(self, subs: Subscripts, rhs: Any) -> StoredVariable:
        file, name = self.data
        file.set_field(name, self.whole().set_brace(subs, rhs))
        return self

    def set_field(self, name: str, rhs: Any) -> StoredVariable:
        file, variable = self.data
        file.set_field(variable, self.whole().set_field(name, rhs))
        return self


@builtin("matfile", family="files/matfile", nargin=(1, None), needs=("interp",))
def matfile(name: Any, *options: Any, interp: Interp) -> Any:
    """The variables of a MAT file, which are read and written one by one or in parts.

    m = matfile(FILE), matfile(FILE, 'Writable', true): a file that is there is not written to
    unless this is said; one that is not there is made, of version 7.3, with the first assignment
    m.x is a variable, m.x(1:3, :) a part of it; m.x = v and m.x(i, j) = v write to the file
    who(m), whos(m), size(m, 'x') tell what is in it

    Parts of numeric, logical, char and cell arrays in files of version 7.3 are read without the
    rest, and written so where they are ranges; anything else reads or writes the whole variable.
    Such files need h5py (pip install h5py).

    Examples:
        >> x = magic(4); f = [tempname '.mat']; save(f, 'x'); m = matfile(f);
        >> m.x(2, 1:2)
        ans =
             5    11
        >> size(m, 'x')
        ans =
             4     4

    See also: load, save, who, whos.
    """
    word = maybe_text(name)
    if not word:
        raise MatlabError("MATLAB:MatFile:InvalidFileName", "The file name must be text.")
    error = MatlabError("MATLAB:MatFile:InvalidOption", "Unknown or incomplete option.")
    given = option_pairs(options, {"Writable": "writable"}, error)
    file = opened_file(word, interp)
    if "writable" in given:
        file.can_write = truth(given["writable"])
    return file


def opened_file(word: str, interp: Interp) -> MatFile:
    """Return the variables of the file that a name means.

    .mat is added where there is no extension.

    Raises:
        MatlabError: MATLAB:load:notBinaryFile, it is there and no MAT file.
    """
    if not split_name(word)[2]:
        word += ".mat"
    found = find_readable(interp, word)
    exists = os.path.isfile(found)
    path = os.path.abspath(found if exists else resolve_path(interp, word))
    if exists:
        names_in_mat(path)
    return MatFile(path, not exists)
