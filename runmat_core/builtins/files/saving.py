"""save and load."""

from __future__ import annotations

import fnmatch
import os
import re
from typing import Any

import attrs
import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError, not_enough_inputs
from runmat_core.api.interp import Interp, Workspace
from runmat_core.builtins.files.formatted import read_text
from runmat_core.builtins.files.mat import append_mat, is_hdf5, is_octave_text, read_mat, write_mat
from runmat_core.builtins.files.mat_values import Unsupported
from runmat_core.builtins.files.names import split_name
from runmat_core.builtins.files.table import find_readable, resolve_path
from runmat_core.builtins.lang.names import expressed
from runmat_core.builtins.text.convert import parse_double, valid_name
from runmat_core.builtins.text.support import scalar_text
from runmat_core.values import StructArray, from_numpy, share, to_numpy


def _is_pattern(name: str) -> bool:
    return any(mark in name for mark in "*?[")


@attrs.define
class _Request:
    """The arguments of a call, options apart."""

    file: str = "matlab.mat"
    names: list[str] = attrs.field(factory=list)
    options: set[str] = attrs.field(factory=set)
    struct: str = ""
    is_regexp: bool = False

    def matches(self, available: list[str]) -> list[str]:
        """Return the names asked for, patterns expanded; all of them where none are."""
        if not self.names:
            return available
        if self.is_regexp:
            return expressed(available, self.names)
        chosen = []
        for name in self.names:
            if _is_pattern(name):
                chosen += [n for n in available if fnmatch.fnmatchcase(n, name)]
            else:
                chosen.append(name)
        return list(dict.fromkeys(chosen))


_OPTIONS = {
    *("-ascii", "-mat", "-append", "-double", "-tabs", "-v4", "-v6", "-v7", "-v7.3"),
    *("-nocompression", "-binary", "-text"),
}


def _read(function: str, args: tuple[Any, ...]) -> _Request:
    error = MatlabError(f"MATLAB:{function}:InvalidInput", "Arguments must be text.")
    request = _Request()
    words = [scalar_text(arg, error) for arg in args]
    seen_file = False
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word.lower() in _OPTIONS:
            request.options.add(word.lower())
        elif word.lower() == "-struct":
            if at >= len(words):
                raise not_enough_inputs()
            request.struct = words[at]
            at += 1
        elif word.lower() == "-regexp":
            request.is_regexp = True
        elif word.startswith("-") and len(word) > 1 and seen_file:
            raise MatlabError(f"MATLAB:{function}:unknownOption", f"Unknown option '{word}'.")
        elif not seen_file:
            request.file, seen_file = word, True
        else:
            request.names.append(word)
    return request


@builtin("save", family="files/saving", nargin=(0, None), nargout=0, needs=("interp", "workspace"))
def save(*args: Any, interp: Interp, workspace: Workspace) -> None:
    """Save variables to a file.

    save(filename) saves all variables to a MAT file; .mat is added where there is no extension.
    save(filename, name1, ..., nameN) saves some; names may hold * and ?, or follow '-regexp'.
    save(filename, '-struct', s, field1, ...) saves the fields of the struct s as variables.
    save(..., '-append') adds to a file; '-ascii' writes numbers as text; '-v7.3' writes HDF5, which
    needs h5py (pip install h5py) and takes arrays of any size.

    Strings, times, categorical arrays, tables, timetables, maps and dictionaries are written as
    MATLAB keeps its objects. Function handles and objects of other classes are left out with a
    warning.

    Examples:
        >> x = 1; y = 'two'; name = [tempname '.mat']; save(name, 'x', 'y'); s = load(name)
        s =
          struct with fields:
            x: 1
            y: 'two'

    See also: load, fopen, writematrix.
    """
    request = _read("save", args)
    variables = _selected(request, workspace)
    path = resolve_path(interp, request.file)
    if "-ascii" in request.options:
        _save_text(path, request, variables)
        return
    if not split_name(path)[2]:
        path += ".mat"
    if "-append" in request.options and not os.path.isfile(path):
        raise MatlabError(
            "MATLAB:save:couldNotWriteFile",
            f"Unable to write file {request.file}: No such file or directory.",
        )
    version = next((v for v in ("-v7.3", "-v6") if v in request.options), "-v7")
    try:
        if "-append" in request.options:
            refused = _appended(path, request, variables, interp)
        else:
            refused = write_mat(path, variables, version)
    except OSError as problem:
        raise MatlabError(
            "MATLAB:save:couldNotWriteFile",
            f"Unable to write file {request.file}: {problem.strerror or problem}.",
        ) from None
    for name, what in refused.items():
        interp.warn(
            "MATLAB:save:unsupportedClass",
            f"Variable '{name}' was not saved: MAT files of this version cannot hold {what}.",
        )


def _appended(
    path: str, request: _Request, variables: dict[str, Any], interp: Interp
) -> dict[str, str]:
    """Add variables to a file; returns what it cannot hold."""
    refused = append_mat(path, variables, request.file)
    if refused is not None:
        return refused
    before = read_mat(path, request.file)
    for name, value in before.items():
        if isinstance(value, Unsupported) and name not in variables:
            interp.warn(
                "MATLAB:save:variableLost",
                f"Variable '{name}' is no longer in the file: a value of kind '{value.kind}' "
                "cannot be written.",
            )
    kept = {n: x for n, x in before.items() if not isinstance(x, Unsupported)}
    return write_mat(path, {**kept, **variables}, "-v7.3" if is_hdf5(path) else "-v7")


def _selected(request: _Request, workspace: Workspace) -> dict[str, Any]:
    if request.struct:
        source = workspace.get(request.struct)
        if not isinstance(source, StructArray) or source.shape != (1, 1):
            raise MatlabError(
                "MATLAB:save:argumentNotStruct",
                "The argument to -STRUCT must be the name of a scalar structure variable.",
            )
        available = source.records()[0]
    else:
        available = {name: workspace.get(name) for name in workspace.names()}
    chosen = request.matches(list(available))
    for name in chosen:
        if available.get(name) is None:
            kind = "Field" if request.struct else "Variable"
            raise MatlabError("MATLAB:save:variableNotFound", f"{kind} '{name}' not found.")
    return {name: available[name] for name in chosen}


def _save_text(path: str, request: _Request, variables: dict[str, Any]) -> None:
    digits = 16 if "-double" in request.options else 7
    separator = "\t" if "-tabs" in request.options else ""
    width = digits + 9
    lines = []
    for value in variables.values():
        array = np.asarray(to_numpy(value)).real.astype(float)
        for line in array.reshape(array.shape[0], -1, order="F"):
            lines.append(separator.join(f"{number:{width}.{digits}e}" for number in line))
    mode = "a" if "-append" in request.options else "w"
    with open(path, mode, encoding="ascii", newline="") as stream:
        stream.write("".join(line + "\n" for line in lines))


@builtin(
    "load",
    family="files/saving",
    nargin=(0, None),
    needs=("nargout", "interp", "workspace"),
)
def load(*args: Any, nargout: int, interp: Interp, workspace: Workspace) -> Any:
    """Load variables from a file.

    load(filename) sets the variables that are in a MAT file, or a matrix named after the file
    from a text file of numbers.
    load(filename, name1, ..., nameN) sets some; names may hold * and ?, or follow '-regexp'.
    S = load(...) returns them as the fields of a struct, or the matrix of a text file.
    '-mat' and '-ascii' say what a file is, whatever its extension.

    Files of variables that Octave saved as text are read, too.

    Examples:
        >> a = magic(3); name = [tempname '.mat']; save(name, 'a'); clear a; load(name); a
        a =
             8     1     6
             3     5     7
             4     9     2

    See also: save, fileread, readmatrix.
    """
    request = _read("load", args)
    path = find_readable(interp, request.file)
    if not os.path.isfile(path):
        if not split_name(path)[2]:
            path = find_readable(interp, request.file + ".mat")
        if not os.path.isfile(path):
            raise MatlabError(
                "MATLAB:load:couldNotReadFile",
                f"Unable to find file or directory '{request.file}'.",
            )
    is_text = "-mat" not in request.options and (
        "-ascii" in request.options or not (path.lower().endswith(".mat") or is_octave_text(path))
    )
    if is_text:
        matrix = _load_text(path, request.file)
        if nargout:
            return matrix
        workspace.set(valid_name(split_name(path)[1], "X", "underscore"), matrix)
        return None
    variables = _load_mat(path, request, interp)
    if nargout:
        return StructArray(variables)
    for name, value in variables.items():
        workspace.set(name, value)
    return None


def _load_mat(path: str, request: _Request, interp: Interp) -> dict[str, Any]:
    is_listed = request.names and not (request.is_regexp or any(map(_is_pattern, request.names)))
    there = read_mat(path, request.file, set(request.names) if is_listed else None)
    variables: dict[str, Any] = {}
    for name in request.matches(list(there)):
        if name not in there:
            interp.warn("MATLAB:load:variableNotFound", f"Variable '{name}' not found.")
        elif isinstance(there[name], Unsupported):
            interp.warn(
                "MATLAB:load:classNotSupported",
                f"Variable '{name}' was not loaded: a value of kind '{there[name].kind}' is not "
                "supported.",
            )
        else:
            variables[name] = share(there[name])
    return variables


def _load_text(path: str, name: str) -> Any:
    rows: list[list[Any]] = []
    for at, line in enumerate(read_text(path, name).splitlines(), 1):
        line = re.split("[%#]", line)[0]
        fields = [field for field in re.split(r"[\s,;]+", line) if field]
        if not fields:
            continue
        numbers = [parse_double(field) for field in fields]
        if any(n != n and field.lower() != "nan" for n, field in zip(numbers, fields, strict=True)):
            raise MatlabError(
                "MATLAB:load:unableToReadUnknownText",
                f'Unknown text on line number {at} of ASCII file {name}\n"{fields[0]}".',
            )
        if rows and len(numbers) != len(rows[0]):
            raise MatlabError(
                "MATLAB:load:numColumnsNotSame",
                f"Number of columns on line {at} of ASCII file {name} must be the same as "
                "previous lines.",
            )
        rows.append(numbers)
    return from_numpy(np.array(rows if rows else np.zeros((0, 0)), order="F"))
