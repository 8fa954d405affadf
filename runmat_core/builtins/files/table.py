"""The open files of a session."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Any, BinaryIO

from runmat_core.api.errors import MatlabError
from runmat_core.api.folders import expand_home
from runmat_core.api.interp import Interp
from runmat_core.builtins.text.support import maybe_text
from runmat_core.values import numel_of, to_numpy

#: MATLAB's permissions without the t or b, as Python modes.
_MODES = {"r": "rb", "w": "wb", "a": "ab", "r+": "r+b", "w+": "w+b", "a+": "a+b"}
_MODES |= {"W": "wb", "A": "ab"}
_LITTLE = ("l", "ieee-le", "le", "a", "ieee-le.l64")
_BIG = ("b", "ieee-be", "be", "s", "ieee-be.l64")


def invalid_identifier() -> MatlabError:
    return MatlabError(
        "MATLAB:FileIO:InvalidFid",
        "Invalid file identifier. Use fopen to generate a valid file identifier.",
    )


def byte_order(machine_format: str) -> str | None:
    """NumPy's sign for a machine format, or None where it is not known."""
    name = machine_format.lower()
    if name in ("n", "native", ""):
        return "<" if sys.byteorder == "little" else ">"
    if name in _LITTLE:
        return "<"
    return ">" if name in _BIG else None


class OpenFile:
    """A file opened with fopen: a binary stream with what text and numbers need to know."""

    def __init__(
        self, stream: BinaryIO, name: str, permission: str, machine_format: str, encoding: str
    ) -> None:
        self.stream = stream
        self.name = name
        self.permission = permission
        self.machine_format = machine_format
        self.order = byte_order(machine_format) or "<"
        self.encoding = encoding
        self.at_end = False
        self.error = ""
        self._last_was_write = False

    @property
    def readable(self) -> bool:
        return "r" in self.permission or "+" in self.permission

    @property
    def writable(self) -> bool:
        return self.permission[0] in "waWA" or "+" in self.permission

    def read(self, count: int = -1) -> bytes:
        """Up to `count` bytes, all that are left when negative; short at the end of the file."""
        self._turn(writing=False)
        octets = self.stream.read(count)
        self.at_end = count < 0 or len(octets) < count
        return octets

    def read_line(self) -> bytes:
        """Up to and with the next newline; empty at the end of the file."""
        self._turn(writing=False)
        line = self.stream.readline()
        # the end counts as met once the last line was read, also when it ends in a newline
        self.at_end = not line.endswith(b"\n") or not self.stream.read(1)
        if not self.at_end:
            self.stream.seek(-1, os.SEEK_CUR)
        return line

    def write(self, octets: bytes) -> int:
        self._turn(writing=True)
        return self.stream.write(octets)

    def write_text(self, text: str) -> int:
        """Write text in the encoding of the file; returns the number of bytes."""
        return self.write(text.encode(self.encoding, "replace"))

    def decode(self, octets: bytes) -> str:
        return octets.decode(self.encoding, "replace")

    def seek(self, offset: int, origin: int) -> None:
        self.stream.seek(offset, origin)
        self.at_end = False
        self._last_was_write = False

    def tell(self) -> int:
        return self.stream.tell()

    def _turn(self, *, writing: bool) -> None:
        """Between reading and writing the stream must be positioned anew."""
        if writing != self._last_was_write:
            self.stream.seek(self.stream.tell())
            self._last_was_write = writing


class FileTable:
    """Open files by identifier; 0, 1 and 2 are the standard streams and not in it."""

    def __init__(self) -> None:
        self.open_files: dict[int, OpenFile] = {}

    def open(self, path: str, name: str, permission: str, machine: str, encoding: str) -> int:
        """Return the identifier of a newly opened file; OSError where that fails."""
        mode = _MODES[permission.replace("t", "").replace("b", "")]
        if os.path.isdir(path):
            raise IsADirectoryError(f"{name} is a folder")
        stream = open(path, mode)  # noqa: SIM115 - it stays open until fclose
        number = 3
        while number in self.open_files:
            number += 1
        self.open_files[number] = OpenFile(
            stream,  # type: ignore[arg-type]
            name,
            permission,
            machine,
            encoding,
        )
        return number

    def get(self, identifier: Any) -> OpenFile:
        """Return the open file of an identifier."""
        found = self.open_files.get(file_number(identifier))
        if found is None:
            raise invalid_identifier()
        return found

    def close(self, number: int) -> None:
        self.open_files.pop(number).stream.close()

    def close_all(self) -> None:
        """Close all of them, and raise the first error after that."""
        problem: OSError | None = None
        for number in list(self.open_files):
            try:
                self.close(number)
            except OSError as found:
                problem = problem or found
        if problem is not None:
            raise problem

    def __del__(self) -> None:
        # nobody is left to hear that what was buffered did not fit on the disk
        with suppress(OSError):
            self.close_all()


def files(interp: Interp) -> FileTable:
    """Return the open files of the session."""
    return interp.state("files", FileTable)


def file_number(identifier: Any) -> int:
    """Return an identifier as a number; -1 for what cannot be one."""
    if maybe_text(identifier) is not None or numel_of(identifier) != 1:
        return -1
    number = float(to_numpy(identifier).flat[0].real)
    return int(number) if number.is_integer() else -1


def write_to(interp: Interp, identifier: Any, text: str) -> int:
    """Write text to a file, or to the session's output (1) or error output (2).

    Returns the number of bytes, which fprintf returns.
    """
    number = file_number(identifier)
    if number in (1, 2):
        (interp.write if number == 1 else interp.write_error)(text)
        return len(text.encode("utf-8", "surrogatepass"))
    file = files(interp).get(identifier)
    if not file.writable:
        return 0
    return file.write_text(text)


def known_permission(permission: str) -> bool:
    return permission.replace("t", "").replace("b", "") in _MODES


def known_encoding(encoding: str) -> bool:
    try:
        "".encode(encoding)
    except (LookupError, ValueError):
        return False
    return True


def default_encoding() -> str:
    """UTF-8, as current MATLAB uses on all platforms."""
    return "UTF-8"


def resolve_path(interp: Interp, name: str) -> str:
    """Return a file name as an absolute path, relative ones from the session's folder."""
    return os.path.join(interp.current_directory(), expand_home(name))


def find_readable(interp: Interp, name: str) -> str:
    """Where a file to read is: in the session's folder, else on the search path."""
    path = resolve_path(interp, name)
    if os.path.exists(path) or os.path.isabs(name):
        return path
    for folder in interp.search_path():
        candidate = os.path.join(folder, name)
        if os.path.isfile(candidate):
            return candidate
    return path
