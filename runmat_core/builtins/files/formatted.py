"""fscanf and fileread: text in files."""

from __future__ import annotations

import os
from typing import Any

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.files.table import files, find_readable, known_encoding
from runmat_core.builtins.text.scan import parse_format, scan
from runmat_core.builtins.text.sscanf import read_size, shaped
from runmat_core.builtins.text.support import (
    option_pairs,
    scalar_text,
)
from runmat_core.values import char
from runmat_core.values.printf_format import unescape


@builtin("fscanf", family="files/formatted", nargin=(2, 3), nargout=2, needs=("nargout", "interp"))
def fscanf(identifier: Any, format_: Any, size: Any = None, *, nargout: int, interp: Interp) -> Any:
    """Read data from a text file.

    A = fscanf(fid, formatSpec) applies the format again and again from the current position; the
    conversions are those of sscanf.
    A = fscanf(fid, formatSpec, sizeA) reads at most Inf, n or [m n] elements.
    [A, count] = fscanf(...) also returns the number of elements read.

    Examples:
        >> fid = fopen(tempname, 'w+'); fprintf(fid, '%d %d\\n', [1 2; 3 4]); frewind(fid);
        >> fscanf(fid, '%d', [2 Inf]), fclose(fid);
        ans =
             1     2
             3     4

    See also: sscanf, textscan, fgetl, fprintf.
    """
    file = files(interp).get(identifier)
    error = MatlabError("MATLAB:FileIO:InvalidFormat", "The format must be text.")
    directives = parse_format(unescape(scalar_text(format_, error)))
    limit, rows, _ = read_size("fscanf", size)
    here = file.tell()
    text = file.decode(file.read())
    result = scan(text, directives, limit)
    at_end = result.position >= len(text)
    file.seek(here + len(text[: result.position].encode(file.encoding, "replace")), os.SEEK_SET)
    file.at_end = at_end
    array = shaped(result, directives, rows)
    return array if nargout < 2 else (array, float(result.count))


def read_text(path: str, name: str, encoding: str | None = None) -> str:
    """Return the text of a file in UTF-8, or in Latin-1 where it is not valid UTF-8."""
    try:
        with open(path, "rb") as stream:
            octets = stream.read()
    except OSError:
        raise cannot_open(name) from None
    if encoding is not None:
        return octets.decode(encoding, "replace")
    try:
        return octets.decode("utf-8-sig")
    except UnicodeDecodeError:
        return octets.decode("latin-1")


def cannot_open(name: str) -> MatlabError:
    return MatlabError(
        "MATLAB:fileread:cannotOpenFile",
        f"Could not open file {name}. No such file or directory.",
    )


@builtin("fileread", family="files/formatted", nargin=(1, 3), needs=("interp",))
def fileread(name: Any, *options: Any, interp: Interp) -> Any:
    """The text of a file.

    text = fileread(filename) is a char row vector.
    text = fileread(filename, 'Encoding', encoding) takes another encoding than UTF-8.

    Examples:
        >> name = tempname; fid = fopen(name, 'w'); fprintf(fid, 'hello'); fclose(fid);
        >> fileread(name)
        ans =
            'hello'

    See also: fopen, fgetl, textscan.
    """
    error = MatlabError(
        "MATLAB:fileread:filenameNotString", "The file name must be text and options pairs."
    )
    chosen = option_pairs(options, {"Encoding": "encoding"}, error)
    file_name = scalar_text(name, error)
    encoding = scalar_text(chosen["encoding"], error) if "encoding" in chosen else None
    if encoding is not None and not known_encoding(encoding):
        raise MatlabError(
            "MATLAB:FileIO:InvalidEncoding", f"The encoding '{encoding}' is not supported."
        )
    return char(read_text(find_readable(interp, file_name), file_name, encoding))
