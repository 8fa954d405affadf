"""Values from MAT files of any version, and to those of version 5 to 7 and 7.3."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

from runmat_core.api.errors import MatlabError
from runmat_core.builtins.files.mat4 import read_mat4
from runmat_core.builtins.files.mat5 import HEADER, read_mat5, spans_in_mat5
from runmat_core.builtins.files.mat_values import CorruptError

#: What HDF5 files begin with; those of MATLAB have a text of 512 bytes before it.
_HDF5 = b"\x89HDF\r\n\x1a\n"


def is_hdf5(path: str) -> bool:
    """Whether a file is of version 7.3, which is HDF5."""
    with open(path, "rb") as stream:
        start = stream.read(512 + len(_HDF5))
    return start.startswith(_HDF5) or start[512:] == _HDF5


def is_octave_text(path: str) -> bool:
    """Whether a file is text as Octave saves it, whatever its extension."""
    with open(path, "rb") as stream:
        return stream.read(32).startswith((b"# Created by Octave", b"# name:"))


def read_mat(path: str, name: str, wanted: Collection[str] | None = None) -> dict[str, Any]:
    """Return the variables in a MAT file, in its order.

    `Unsupported` where there is no value for one.

    Args:
        name: what the user calls the file.
        wanted: the names of those to read; None for all.
    """
    with _reading(name):
        if is_hdf5(path):
            from runmat_core.builtins.files.mat73 import read_mat73

            return read_mat73(path, wanted)
        if is_octave_text(path):
            from runmat_core.builtins.files.octave_text import read_octave_text

            return read_octave_text(path)
        data = _octets(path)
        if not _is_version_4(data):
            return read_mat5(data, wanted)
        found = read_mat4(data)
        return found if wanted is None else {n: x for n, x in found.items() if n in wanted}


def names_in_mat(path: str) -> list[str]:
    """Return the names of the variables in a MAT file, in its order."""
    with _reading(path):
        if is_hdf5(path):
            from runmat_core.builtins.files.mat73 import names_in_mat73

            return names_in_mat73(path)
        data = _octets(path)
        if _is_version_4(data):
            return list(read_mat4(data))
        return [name for name, _, _ in spans_in_mat5(data) if name]


def _octets(path: str) -> bytes:
    with open(path, "rb") as stream:
        data = stream.read()
    if len(data) < HEADER and not _is_version_4(data):
        raise CorruptError("the file is too short")
    return data


def _is_version_4(data: bytes) -> bool:
    return 0 in data[:4] and data[126:128] not in (b"IM", b"MI")


@contextmanager
def _reading(name: str) -> Iterator[None]:
    try:
        yield
    except (CorruptError, OSError) as problem:
        raise MatlabError(
            "MATLAB:load:notBinaryFile",
            f"Unable to read MAT-file '{name}'. File might be corrupt.",
        ) from problem


def write_mat(path: str, variables: dict[str, Any], version: str) -> dict[str, str]:
    """Write variables as a MAT file of version '-v6', '-v7' or '-v7.3'.

    Returns:
        What was left out, and what about it the format cannot hold.

    Raises:
        OSError: the file cannot be written.
    """
    if version == "-v7.3":
        from runmat_core.builtins.files.mat73_writing import write_mat73

        return write_mat73(path, variables)
    from runmat_core.builtins.files.mat5_writing import write_mat5

    return write_mat5(path, variables, version != "-v6")


def append_mat(path: str, variables: dict[str, Any], name: str) -> dict[str, str] | None:
    """Put variables into a MAT file beside what it holds, which stays as it is.

    Args:
        name: what the user calls the file.

    Returns:
        What was left out, as `write_mat` has it; None where the file must be written anew.

    Raises:
        OSError: the file cannot be written.
    """
    with _reading(name):
        if is_hdf5(path):
            from runmat_core.builtins.files.mat73_parts import put_variables

            return put_variables(path, variables)
        data = _octets(path)
        if _is_version_4(data):
            return None
        spans = spans_in_mat5(data)
    from runmat_core.builtins.files.mat5_writing import append_mat5

    return append_mat5(path, data, spans, variables)
