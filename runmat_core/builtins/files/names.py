"""Names of files: fullfile, fileparts, filesep, tempname and the environment."""

from __future__ import annotations

import os
import tempfile
import uuid
from typing import Any

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.text.support import (
    container_shape,
    is_char_row,
    logical_array,
    row,
    scalar_text,
    string_of,
    text_list,
)
from runmat_core.values import CellArray, StringArray, char
from runmat_core.values.construct import cell as cell_of
from runmat_core.values.dictionary import Dictionary


@builtin("fullfile", family="files/names", nargin=(1, None), effects="pure")
def fullfile(*parts: Any) -> Any:
    """Join the parts of a file name.

    f = fullfile(part1, ..., partN) puts the separator of folders between parts, once. Parts may be
    cell or string arrays.

    Examples:
        >> fullfile('data', 'run1', 'a.txt')
        ans =
            'data/run1/a.txt'

    See also: fileparts, filesep.
    """
    error = MatlabError(
        "MATLAB:fullfile:InvalidInput",
        "All inputs must be strings, character vectors, or cell arrays of character vectors.",
    )
    arrays = [p for p in parts if isinstance(p, CellArray | StringArray) and p.data.size != 1]
    count = max((p.data.size for p in arrays), default=1)
    columns = []
    for part in parts:
        texts = text_list(part, error)
        if len(texts) not in (1, count):
            raise MatlabError(
                "MATLAB:fullfile:DimensionsMustMatch",
                "String and cell array inputs must be the same size or scalars.",
            )
        columns.append(texts * count if len(texts) == 1 else texts)
    joined = [_join(pieces) for pieces in zip(*columns, strict=True)]
    shape = container_shape(arrays[0]) if arrays else (1, 1)
    if any(isinstance(part, StringArray) for part in parts):
        return string_of(joined, shape)
    if any(isinstance(part, CellArray) for part in parts):
        return cell_of([row(text) for text in joined], shape)
    return char(joined[0])


def _join(pieces: tuple[str, ...]) -> str:
    text = ""
    for piece in pieces:
        if not piece:
            continue
        if text and not text.endswith(os.sep):
            text += os.sep
        text += piece.lstrip(os.sep) if text else piece
    while os.sep * 2 in text:
        text = text.replace(os.sep * 2, os.sep)
    # an empty last part asks for the separator
    return text + os.sep if text and not pieces[-1] and not text.endswith(os.sep) else text


def split_name(text: str) -> tuple[str, str, str]:
    """Folder, name and extension of a file name."""
    slash = text.rfind("/")
    folder, rest = text[:slash], text[slash + 1 :]
    if slash == 0:
        folder = "/"
    elif slash < 0:
        folder = ""
    dot = rest.rfind(".")
    return (folder, rest, "") if dot < 0 else (folder, rest[:dot], rest[dot:])


@builtin("fileparts", family="files/names", nargout=3, needs=("nargout",), effects="pure")
def fileparts(name: Any, *, nargout: int) -> Any:
    """The parts of a file name.

    [folder, name, ext] = fileparts(filename); the extension begins with its dot.

    Examples:
        >> [folder, name, ext] = fileparts('data/run1.txt')
        folder =
            'data'
        name =
            'run1'
        ext =
            '.txt'

    See also: fullfile, filesep.
    """
    error = MatlabError(
        "MATLAB:fileparts:MustBeChar",
        "Input must be a row vector of characters, or a string scalar, or a cellstr, or a string "
        "matrix.",
    )
    if not is_char_row(name) and not isinstance(name, StringArray | CellArray):
        raise error
    parts = [split_name(text) for text in text_list(name, error)]
    outputs: list[Any] = []
    for k in range(3):
        texts = [part[k] for part in parts]
        if isinstance(name, StringArray):
            outputs.append(string_of(texts, name.data.shape))
        elif isinstance(name, CellArray):
            outputs.append(cell_of([char(text) for text in texts], name.data.shape))
        else:
            outputs.append(char(texts[0]))
    return outputs[0] if nargout <= 1 else tuple(outputs[:nargout])


@builtin("filesep", family="files/names", effects="pure")
def filesep() -> Any:
    """The character between folders in file names.

    f = filesep

    Examples:
        >> filesep
        ans =
            '/'

    See also: fullfile, pathsep.
    """
    return row(os.sep)


@builtin("pathsep", family="files/names", effects="pure")
def pathsep() -> Any:
    """The character between the folders of the search path.

    c = pathsep

    Examples:
        >> pathsep
        ans =
            ':'

    See also: path, filesep.
    """
    return row(os.pathsep)


@builtin("tempdir", family="files/names")
def tempdir() -> Any:
    """The folder for temporary files of the system.

    folder = tempdir ends in the separator of folders.

    Examples:
        >> isfolder(tempdir)
        ans =
          logical
           1

    See also: tempname.
    """
    return row(os.path.join(tempfile.gettempdir(), ""))


@builtin("tempname", family="files/names", nargin=(0, 1))
def tempname(folder: Any = None) -> Any:
    """A name for a temporary file that no file has.

    name = tempname is in tempdir, tempname(folder) in another folder.

    Examples:
        >> isfile(tempname)
        ans =
          logical
           0

    See also: tempdir.
    """
    error = MatlabError("MATLAB:tempname:MustBeString", "The folder must be text.")
    where = tempfile.gettempdir() if folder is None else scalar_text(folder, error)
    return row(os.path.join(where, f"tp{uuid.uuid4().hex}"))


@builtin("getenv", family="files/names", nargin=(0, 1))
def getenv(name: Any = None) -> Any:
    """The value of an environment variable.

    value = getenv(name) is empty where there is no such variable; of several names in a cell or
    string array it is an array.
    d = getenv() is a dictionary of all of them.

    Examples:
        >> setenv('RUNMAT_EXAMPLE', 'on'); getenv('RUNMAT_EXAMPLE')
        ans =
            'on'

    See also: setenv, isenv, system.
    """
    error = MatlabError("MATLAB:getenv:InvalidInput", "The name must be text.")
    if name is None:
        known = Dictionary()
        for variable, value in os.environ.items():
            known.put(StringArray(variable), StringArray(value))
        return known
    values = [os.environ.get(text, "") for text in text_list(name, error)]
    if isinstance(name, CellArray):
        return cell_of([char(value) for value in values], name.data.shape)
    return string_of(values, name.shape) if isinstance(name, StringArray) else char(values[0])


@builtin("isenv", family="files/names", nargin=(1, 1))
def isenv(name: Any) -> Any:
    """Whether there are environment variables.

    tf = isenv(name) is true where the process has a variable of that name, of each name in a cell
    or string array.

    Examples:
        >> setenv('RUNMAT_EXAMPLE', 'on'); isenv('RUNMAT_EXAMPLE')
        ans =
          logical
           1

    See also: getenv, setenv, unsetenv.
    """
    names = text_list(name, MatlabError("MATLAB:isenv:InvalidInput", "The name must be text."))
    return logical_array([text in os.environ for text in names], container_shape(name))


@builtin("unsetenv", family="files/names", nargin=(1, 1), nargout=0)
def unsetenv(name: Any) -> None:
    """Remove environment variables.

    unsetenv(name) removes a variable, or those in a cell or string array; one that is not there is
    no error.

    Examples:
        >> setenv('RUNMAT_EXAMPLE', 'on'); unsetenv('RUNMAT_EXAMPLE'); isenv('RUNMAT_EXAMPLE')
        ans =
          logical
           0

    See also: setenv, isenv, getenv.
    """
    for text in text_list(
        name, MatlabError("MATLAB:unsetenv:InvalidInput", "The name must be text.")
    ):
        os.environ.pop(text, None)


@builtin("setenv", family="files/names", nargin=(1, 2), nargout=0)
def setenv(name: Any, value: Any = None) -> None:
    """Set an environment variable.

    setenv(name, value); without a value it becomes empty.

    Examples:
        >> setenv('RUNMAT_EXAMPLE', 'on'); getenv('RUNMAT_EXAMPLE')
        ans =
            'on'

    See also: getenv, system.
    """
    error = MatlabError("MATLAB:setenv:InvalidInput", "Name and value must be text.")
    key, text = scalar_text(name, error), "" if value is None else scalar_text(value, error)
    if not key or "=" in key or "\0" in key + text:
        raise MatlabError(
            "MATLAB:setenv:InvalidInput",
            "A name must not be empty nor have '=' in it, and neither name nor value a null "
            "character.",
        )
    os.environ[key] = text
