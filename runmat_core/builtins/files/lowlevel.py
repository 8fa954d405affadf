"""Low-level file input and output: fopen to fclose."""

from __future__ import annotations

import os
from typing import Any

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import integer
from runmat_core.builtins.files.table import (
    byte_order,
    default_encoding,
    file_number,
    files,
    find_readable,
    invalid_identifier,
    known_encoding,
    known_permission,
    resolve_path,
)
from runmat_core.builtins.text.support import double_row, maybe_text, row, scalar_text
from runmat_core.values import char, numel_of

_STANDARD = {0: ("stdin", "r"), 1: ("stdout", "w"), 2: ("stderr", "w")}


@builtin("fopen", family="files/lowlevel", nargin=(1, 4), nargout=4, needs=("nargout", "interp"))
def fopen(
    name: Any,
    permission: Any = None,
    machine: Any = None,
    encoding: Any = None,
    *,
    nargout: int,
    interp: Interp,
) -> Any:
    """Open a file.

    fid = fopen(name) opens for reading; -1 where that fails.
    fid = fopen(name, permission) takes 'r', 'w', 'a', 'r+', 'w+', 'a+', each also with t or b.
    [fid, errmsg] = fopen(name, permission, machinefmt, encoding) sets the byte order ('n', 'l',
    'b') and the encoding of text, by default UTF-8, and tells what went wrong.
    [name, permission, machinefmt, encoding] = fopen(fid) tells about an open file.
    fids = fopen('all') lists the open files.

    Examples:
        >> fopen('no_such_file.txt')
        ans =
            -1

    See also: fclose, fread, fgetl, fprintf, ferror.
    """
    file_name = maybe_text(name)
    if file_name is None:
        return _describe(name, nargout, interp)
    table = files(interp)
    if file_name == "all":
        return double_row(sorted(table.open_files))
    error = MatlabError("MATLAB:FileIO:InvalidArgument", "Arguments of fopen must be text.")
    mode = "r" if permission is None else scalar_text(permission, error)
    order = "n" if machine is None else scalar_text(machine, error)
    codec = ("" if encoding is None else scalar_text(encoding, error)) or default_encoding()
    if not known_permission(mode):
        raise MatlabError("MATLAB:FileIO:InvalidPermission", "Invalid permission.")
    if byte_order(order) is None:
        raise MatlabError("MATLAB:FileIO:InvalidMachineFormat", "Invalid machine format.")
    if not known_encoding(codec):
        raise MatlabError(
            "MATLAB:FileIO:InvalidEncoding", f"The encoding '{codec}' is not supported."
        )
    path = find_readable(interp, file_name) if mode[0] == "r" else resolve_path(interp, file_name)
    try:
        number = table.open(path, path, mode, order, codec)
    except OSError as problem:
        message = problem.strerror or str(problem)
        return (-1.0, row(message))[: max(nargout, 1)] if nargout > 1 else -1.0
    return (float(number), char("")) if nargout > 1 else float(number)


def _describe(identifier: Any, nargout: int, interp: Interp) -> Any:
    number = file_number(identifier)
    if number in _STANDARD:
        texts = [*_STANDARD[number], "n", default_encoding()]
    elif number in files(interp).open_files:
        file = files(interp).get(identifier)
        order = "ieee-le" if file.order == "<" else "ieee-be"
        texts = [file.name, file.permission, order, file.encoding]
    else:
        texts = ["", "", "", ""]
    values = tuple(char(text) for text in texts)
    return values[0] if nargout <= 1 else values[:nargout]


@builtin("fclose", family="files/lowlevel", needs=("interp",))
def fclose(identifier: Any, *, interp: Interp) -> float:
    """Close a file.

    status = fclose(fid) is 0, or an error where fid is not open.
    status = fclose('all') closes all files.

    Examples:
        >> fclose('all')
        ans =
             0

    See also: fopen.
    """
    table = files(interp)
    if maybe_text(identifier) == "all":
        table.close_all()
        return 0.0
    number = file_number(identifier)
    if number in table.open_files:
        table.close(number)
    elif number not in _STANDARD:
        raise invalid_identifier()
    return 0.0


@builtin("feof", family="files/lowlevel", needs=("interp",))
def feof(identifier: Any, *, interp: Interp) -> float:
    """Whether a read met the end of the file.

    tf = feof(fid) is 1 once an operation tried to read past the end, else 0.

    Examples:
        >> fid = fopen(tempname, 'w+'); feof(fid), fclose(fid);
        ans =
             0

    See also: fgetl, ferror, frewind.
    """
    if file_number(identifier) in _STANDARD:
        return 0.0
    return float(files(interp).get(identifier).at_end)


@builtin("ferror", family="files/lowlevel", nargin=(1, 2), nargout=2, needs=("nargout", "interp"))
def ferror(identifier: Any, option: Any = None, *, nargout: int, interp: Interp) -> Any:
    """The last error of a file.

    message = ferror(fid) is empty where there was none; ferror(fid, 'clear') forgets it.
    [message, errnum] = ferror(fid) also returns a number, 0 for none.

    Examples:
        >> fid = fopen(tempname, 'w'); isempty(ferror(fid)), fclose(fid);
        ans =
          logical
           1

    See also: fopen, feof.
    """
    message = ""
    if file_number(identifier) not in _STANDARD:
        file = files(interp).get(identifier)
        message = file.error
        if option is not None:
            file.error = ""
    text = char(message)
    return text if nargout < 2 else (text, float(-1 if message else 0))


@builtin("frewind", family="files/lowlevel", nargout=0, needs=("interp",))
def frewind(identifier: Any, *, interp: Interp) -> None:
    """Go to the beginning of a file.

    frewind(fid)

    Examples:
        >> fid = fopen(tempname, 'w+'); frewind(fid); ftell(fid), fclose(fid);
        ans =
             0

    See also: fseek, ftell.
    """
    files(interp).get(identifier).seek(0, os.SEEK_SET)


_ORIGINS = {"bof": os.SEEK_SET, "cof": os.SEEK_CUR, "eof": os.SEEK_END}


@builtin("fseek", family="files/lowlevel", nargin=(2, 3), needs=("interp",))
def fseek(identifier: Any, offset: Any, origin: Any = None, *, interp: Interp) -> float:
    """Move in a file.

    status = fseek(fid, offset, origin) moves by a number of bytes from 'bof' (or -1), 'cof' (0,
    the default is 'bof') or 'eof' (1). It is 0, or -1 where the position is outside the file.

    Examples:
        >> fid = fopen(tempname, 'w+'); fwrite(fid, 1:5); fseek(fid, 2, 'bof');
        >> fread(fid, 1), fclose(fid);
        ans =
             3

    See also: ftell, frewind.
    """
    file = files(interp).get(identifier)
    whence = os.SEEK_SET
    if origin is not None:
        word = maybe_text(origin)
        if word is None:
            whence = {-1: os.SEEK_SET, 0: os.SEEK_CUR, 1: os.SEEK_END}.get(integer(origin), 3)
        else:
            whence = _ORIGINS.get(word.lower(), 3)
        if whence == 3:
            raise MatlabError("MATLAB:FileIO:InvalidOrigin", "Invalid origin.")
    here = file.tell()
    size = file.stream.seek(0, os.SEEK_END)
    base = {os.SEEK_SET: 0, os.SEEK_CUR: here, os.SEEK_END: size}[whence]
    target = base + integer(offset)
    if not 0 <= target <= size:
        file.stream.seek(here)
        file.error = "Offset is bad - before beginning-of-file or after end-of-file."
        return -1.0
    file.seek(target, os.SEEK_SET)
    return 0.0


@builtin("ftell", family="files/lowlevel", needs=("interp",))
def ftell(identifier: Any, *, interp: Interp) -> float:
    """The position in a file.

    position = ftell(fid) is the number of bytes from the beginning.

    Examples:
        >> fid = fopen(tempname, 'w'); fwrite(fid, 'abc'); ftell(fid), fclose(fid);
        ans =
             3

    See also: fseek, frewind.
    """
    return float(files(interp).get(identifier).tell())


def _line(identifier: Any, nargout: int, interp: Interp, *, keep: bool) -> Any:
    file = files(interp).get(identifier)
    octets = file.read_line() if file.readable else b""
    if not octets:
        file.at_end = True
        return -1.0 if nargout < 2 else (-1.0, double_row([]))
    text = file.decode(octets)
    body = text.removesuffix("\n").removesuffix("\r") if not keep else text
    line = char(body)
    if nargout < 2:
        return line
    ending = text[len(text.rstrip("\r\n")) :]
    return line, double_row(float(ord(char)) for char in ending)


@builtin("fgetl", family="files/lowlevel", nargout=2, needs=("nargout", "interp"))
def fgetl(identifier: Any, *, nargout: int, interp: Interp) -> Any:
    """The next line of a file without its newline.

    line = fgetl(fid) is -1 at the end of the file.
    [line, ltout] = fgetl(fid) also returns the codes of the line's end.

    Examples:
        >> name = tempname; fid = fopen(name, 'w+'); fprintf(fid, 'one\\ntwo\\n'); frewind(fid);
        >> fgetl(fid), fclose(fid);
        ans =
            'one'

    See also: fgets, fopen, textscan, fileread.
    """
    return _line(identifier, nargout, interp, keep=False)


@builtin("fgets", family="files/lowlevel", nargin=(1, 2), nargout=2, needs=("nargout", "interp"))
def fgets(identifier: Any, limit: Any = None, *, nargout: int, interp: Interp) -> Any:
    """The next line of a file with its newline.

    line = fgets(fid) is -1 at the end of the file.
    line = fgets(fid, n) returns at most n characters.

    Examples:
        >> name = tempname; fid = fopen(name, 'w+'); fprintf(fid, 'one\\ntwo\\n'); frewind(fid);
        >> double(fgets(fid)), fclose(fid);
        ans =
           111   110   101    10

    See also: fgetl, fopen.
    """
    if limit is None or numel_of(limit) != 1:
        return _line(identifier, nargout, interp, keep=True)
    file = files(interp).get(identifier)
    here = file.tell()
    octets = file.read_line()
    if not octets:
        return -1.0 if nargout < 2 else (-1.0, double_row([]))
    text = file.decode(octets)[: integer(limit)]
    file.seek(here + len(text.encode(file.encoding, "replace")), os.SEEK_SET)
    line = row(text)
    ending = text[len(text.rstrip("\r\n")) :]
    return line if nargout < 2 else (line, double_row(float(ord(char)) for char in ending))
