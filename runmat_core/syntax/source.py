"""Source files as text."""

from __future__ import annotations

import os

from runmat_core.api.errors import MatlabError

_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def read_source(path: str | os.PathLike[str]) -> str:
    """Return the text of a source file; see `decode_source` for its encoding.

    Raises:
        MatlabError: there is no such file, it is a folder, it cannot be read, it is not text.
    """
    name = os.fspath(path)
    try:
        with open(name, "rb") as file:
            return decode_source(file.read(), name)
    except (FileNotFoundError, NotADirectoryError):
        raise MatlabError("MATLAB:run:FileNotFound", f"File '{name}' not found.") from None
    except IsADirectoryError:
        raise MatlabError("MATLAB:run:NotAFile", f"'{name}' is a folder, not a program.") from None
    except OSError as problem:
        raise MatlabError(
            "MATLAB:run:CannotRead", f"File '{name}' cannot be read: {problem.strerror}."
        ) from None


def decode_source(data: bytes, name: str = "") -> str:
    """Source text: UTF-8 with or without a mark, UTF-16 with one, else Latin-1; LF line ends.

    Raises:
        MatlabError: it is not text.
    """
    if data.startswith(_UTF16_MARKS):
        text = data.decode("utf-16", "replace")
    elif b"\0" in data:
        raise MatlabError(
            "MATLAB:run:NotText", f"'{name}' is a binary file, not MATLAB source text."
        )
    else:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")
