"""Files and folders: dir, ls, mkdir, rmdir, delete, copyfile, movefile, isfile, isfolder."""

from __future__ import annotations

import glob
import os
import shutil
from datetime import datetime
from typing import Any

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.files.table import resolve_path
from runmat_core.builtins.text.support import (
    container_shape,
    logical_array,
    maybe_text,
    row,
    scalar_text,
    text_list,
)
from runmat_core.builtins.time import serial
from runmat_core.values import CellArray, CharArray, StringArray, char, numel_of
from runmat_core.values.object import ObjectValue
from runmat_core.values.struct import struct_array


def _name(function: str, value: Any) -> str:
    return scalar_text(
        value,
        MatlabError(
            f"MATLAB:{function}:InvalidName",
            "The name must be a character vector or string scalar.",
        ),
    )


@builtin("dir", family="files/folders", nargin=(0, 1), needs=("nargout", "interp"))
def dir(name: Any = None, *, nargout: int, interp: Interp) -> Any:
    """List a folder.

    dir prints the names in the current folder, dir(name) those in a folder or that match a name
    with *; ** stands for any depth of folders.
    listing = dir(name) is a column of structs with the fields name, folder, date, bytes, isdir
    and datenum.

    Examples:
        >> folder = tempname; mkdir(folder); fclose(fopen(fullfile(folder, 'a.txt'), 'w'));
        >> listing = dir(fullfile(folder, '*.txt')); listing.name
        ans =
            'a.txt'

    See also: ls, isfile, isfolder, cd.
    """
    pattern = "" if name is None else _name("dir", name)
    path = resolve_path(interp, pattern)
    if os.path.isdir(path):
        entries = [".", "..", *sorted(os.listdir(path))]
        found = [(entry, path) for entry in entries]
    elif glob.has_magic(pattern):
        matches = sorted(glob.glob(path, recursive=True, include_hidden=True))
        found = [(os.path.basename(p), os.path.dirname(p)) for p in matches]
    else:
        found = [(os.path.basename(path), os.path.dirname(path))] if os.path.exists(path) else []
    if nargout == 0:
        interp.write("".join(f"{entry}  " for entry, _ in found) + "\n" if found else "\n")
        return None
    return struct_array(
        [_entry(entry, folder) for entry, folder in found],
        (len(found), 1),
        ["name", "folder", "date", "bytes", "isdir", "datenum"],
    )


_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


def _entry(name: str, folder: str) -> dict[str, Any]:
    path = os.path.join(folder, name)
    status = os.stat(path) if os.path.exists(path) else os.lstat(path)
    moment = datetime.fromtimestamp(int(status.st_mtime))
    is_folder = os.path.isdir(path)
    date = f"{moment.day:02d}-{_MONTHS[moment.month - 1]}-{moment:%Y %H:%M:%S}"
    return {
        "name": row(name),
        "folder": row(os.path.abspath(folder)),
        "date": row(date),
        "bytes": 0.0 if is_folder else float(status.st_size),
        "isdir": is_folder,
        "datenum": serial.of_datetime(moment),
    }


@builtin("ls", family="files/folders", nargin=(0, None), needs=("nargout", "interp"))
def ls(*names: Any, nargout: int, interp: Interp) -> Any:
    """The names in a folder.

    ls prints them; list = ls(name) returns them as text, one name a line.

    Examples:
        >> folder = tempname; mkdir(folder); fclose(fopen(fullfile(folder, 'a.txt'), 'w'));
        >> strtrim(ls(folder))
        ans =
            'a.txt'

    See also: dir, cd.
    """
    lines: list[str] = []
    for pattern in [_name("ls", name) for name in names] or ["."]:
        path = resolve_path(interp, pattern)
        if os.path.isdir(path):
            lines += sorted(entry for entry in os.listdir(path) if not entry.startswith("."))
        else:
            matches = sorted(glob.glob(path))
            if not matches:
                raise MatlabError("MATLAB:ls:OSError", f"Cannot access '{pattern}': no such file.")
            lines += [os.path.relpath(p, interp.current_directory()) for p in matches]
    text = "".join(line + "\n" for line in lines)
    if nargout == 0:
        interp.write(text)
        return None
    return char(text)


def _status(nargout: int, error: MatlabError | None) -> Any:
    """``[status, message, identifier]``; without outputs a failure is an error."""
    if nargout == 0:
        if error is not None:
            raise error
        return None
    if error is None:
        outputs: tuple[Any, ...] = (True, char(""), char(""))
    else:
        outputs = (False, row(error.message), row(error.identifier))
    return outputs[0] if nargout == 1 else outputs[:nargout]


@builtin("mkdir", family="files/folders", nargin=(1, 2), nargout=3, needs=("nargout", "interp"))
def mkdir(first: Any, second: Any = None, *, nargout: int, interp: Interp) -> Any:
    """Make a folder, and those above it.

    mkdir(name) or mkdir(parent, name)
    [status, msg, msgID] = mkdir(...) tells whether it worked instead of failing; a folder that
    exists already is no failure.

    Examples:
        >> folder = tempname; mkdir(folder); isfolder(folder)
        ans =
          logical
           1

    See also: rmdir, isfolder, tempname.
    """
    name = _name("mkdir", first)
    if second is not None:
        name = os.path.join(name, _name("mkdir", second))
    path = resolve_path(interp, name)
    if os.path.isdir(path):
        exists = MatlabError("MATLAB:MKDIR:DirectoryExists", "Directory already exists.")
        if nargout == 0:
            interp.warn(exists.identifier, exists.message)
            return None
        outputs = (True, row(exists.message), row(exists.identifier))
        return outputs[0] if nargout == 1 else outputs[:nargout]
    try:
        os.makedirs(path)
    except OSError as problem:
        return _status(
            nargout, MatlabError("MATLAB:MKDIR:OSError", problem.strerror or str(problem))
        )
    return _status(nargout, None)


@builtin("rmdir", family="files/folders", nargin=(1, 2), nargout=3, needs=("nargout", "interp"))
def rmdir(name: Any, option: Any = None, *, nargout: int, interp: Interp) -> Any:
    """Remove a folder.

    rmdir(name) removes an empty folder, rmdir(name, 's') also what is in it.
    [status, msg, msgID] = rmdir(...) tells whether it worked instead of failing.

    Examples:
        >> folder = tempname; mkdir(folder); rmdir(folder); isfolder(folder)
        ans =
          logical
           0

    See also: mkdir, delete.
    """
    path = resolve_path(interp, _name("rmdir", name))
    error = None
    if not os.path.isdir(path):
        error = MatlabError(
            "MATLAB:RMDIR:NotADirectory", f"{_name('rmdir', name)} is not a folder."
        )
    else:
        try:
            if option is not None and maybe_text(option) == "s":
                shutil.rmtree(path)
            else:
                os.rmdir(path)
        except OSError as problem:
            error = MatlabError(
                "MATLAB:RMDIR:DirectoryNotRemoved", f"{path} was not removed: {problem.strerror}."
            )
    return _status(nargout, error)


@builtin("delete", family="files/folders", nargin=(0, None), nargout=0, needs=("interp",))
def delete(*names: Any, interp: Interp) -> None:
    """Delete files, or a handle object.

    delete(name1, ..., namen) takes names with * too; a name without a file is a warning.
    delete(obj) calls the delete method of a handle.

    Examples:
        >> name = tempname; fclose(fopen(name, 'w')); delete(name); isfile(name)
        ans =
          logical
           0

    See also: rmdir, clear, movefile.
    """
    for value in names:
        if maybe_text(value) is None and not isinstance(value, CellArray | StringArray):
            if numel_of(value) == 0:
                continue  # no handles
            remove = value.method("delete") if isinstance(value, ObjectValue) else None
            offered = interp.builtin("graphics.delete") if remove is None else None
            if offered is not None:  # the number of a graphics object
                offered(0, value)
                continue
            if remove is None:
                raise MatlabError(
                    "MATLAB:DELETE:InvalidInput", "Name must be a text scalar or a handle object."
                )
            remove(0)
            continue
        for name in text_list(value, MatlabError("MATLAB:DELETE:InvalidInput", "Invalid name.")):
            _delete(name, interp)


def _delete(name: str, interp: Interp) -> None:
    path = resolve_path(interp, name)
    if glob.has_magic(name):
        paths = [p for p in glob.glob(path) if os.path.isfile(p)]
    else:
        paths = [path] if os.path.isfile(path) or os.path.islink(path) else []
    if not paths:
        interp.warn("MATLAB:DELETE:FileNotFound", f"File '{name}' not found.")
    for found in paths:
        try:
            os.remove(found)
        except OSError:
            interp.warn("MATLAB:DELETE:Permission", f"File '{name}' not found or permission denied")


def _transfer(
    function: str, source: Any, target: Any, nargout: int, interp: Interp, *, move: bool
) -> Any:
    pattern = _name(function, source)
    goal = resolve_path(interp, "." if target is None else _name(function, target))
    path = resolve_path(interp, pattern)
    paths = sorted(glob.glob(path)) if glob.has_magic(pattern) else [path]
    error = None
    label = function.upper()
    if not paths or not all(map(os.path.exists, paths)):
        error = MatlabError(f"MATLAB:{label}:FileDoesNotExist", "No matching files were found.")
    else:
        try:
            for found in paths:
                if move:
                    shutil.move(found, goal)
                elif os.path.isdir(found):
                    shutil.copytree(found, goal, dirs_exist_ok=True)
                else:
                    shutil.copy(found, goal)
        except (OSError, shutil.Error) as problem:
            error = MatlabError(f"MATLAB:{label}:OSError", str(problem))
    return _status(nargout, error)


@builtin("copyfile", family="files/folders", nargin=(1, 3), nargout=3, needs=("nargout", "interp"))
def copyfile(
    source: Any, target: Any = None, force: Any = None, *, nargout: int, interp: Interp
) -> Any:
    """Copy files or folders.

    copyfile(source, destination) copies what source names, with * too, to a file or a folder.
    [status, msg, msgID] = copyfile(...) tells whether it worked instead of failing.

    Examples:
        >> a = tempname; b = tempname; fclose(fopen(a, 'w')); copyfile(a, b); isfile(b)
        ans =
          logical
           1

    See also: movefile, delete, mkdir.
    """
    return _transfer("copyfile", source, target, nargout, interp, move=False)


@builtin("movefile", family="files/folders", nargin=(1, 3), nargout=3, needs=("nargout", "interp"))
def movefile(
    source: Any, target: Any = None, force: Any = None, *, nargout: int, interp: Interp
) -> Any:
    """Move or rename files or folders.

    movefile(source, destination) moves what source names, with * too, to a file or a folder.
    [status, msg, msgID] = movefile(...) tells whether it worked instead of failing.

    Examples:
        >> a = tempname; b = tempname; fclose(fopen(a, 'w')); movefile(a, b); isfile(a)
        ans =
          logical
           0

    See also: copyfile, delete.
    """
    return _transfer("movefile", source, target, nargout, interp, move=True)


def _exists(function: str, value: Any, interp: Interp, test: Any) -> Any:
    error = MatlabError(
        f"MATLAB:{function}:InvalidInput", "The name must be text: string, char, or cell array."
    )
    flags = [
        bool(name) and bool(test(resolve_path(interp, name))) for name in text_list(value, error)
    ]
    return flags[0] if len(flags) == 1 else logical_array(flags, container_shape(value))


@builtin("isfile", family="files/folders", needs=("interp",))
def isfile(name: Any, *, interp: Interp) -> Any:
    """Whether a file exists.

    tf = isfile(name) takes text, or a cell or string array of names.

    Examples:
        >> isfile('no_such_file.txt')
        ans =
          logical
           0

    See also: isfolder, exist, dir.
    """
    return _exists("isfile", name, interp, os.path.isfile)


@builtin("isfolder", "isdir", family="files/folders", needs=("interp",))
def isfolder(name: Any, *, interp: Interp) -> Any:
    """Whether a folder exists.

    tf = isfolder(name) takes text, or a cell or string array of names.

    Examples:
        >> isfolder(tempdir)
        ans =
          logical
           1

    See also: isfile, exist, mkdir.
    """
    if maybe_text(name) is None and not isinstance(name, CellArray | StringArray | CharArray):
        return False
    return _exists("isfolder", name, interp, os.path.isdir)
