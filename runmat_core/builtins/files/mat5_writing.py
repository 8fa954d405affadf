"""Writes MAT files of version 5 to 7, as MathWorks' "MAT-File Format" lays them out.

What MATLAB keeps as objects (`mcos`) goes to a part of the file at its end, a file in an array of
bytes, to which the header points.
"""

from __future__ import annotations

import os
import struct
import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.builtins.files.mat_values import OBJECT_CLASSES, UnsupportedError
from runmat_core.values import (
    Array,
    CellArray,
    CharArray,
    SparseArray,
    StructArray,
    class_of,
    to_numpy,
)

#: The numbers of element types and of classes of arrays.
_TYPE = {
    "i1": 1, "u1": 2, "i2": 3, "u2": 4, "i4": 5, "u4": 6, "f4": 7, "f8": 9, "i8": 12, "u8": 13,
}  # fmt: skip
_CLASS = {
    "f8": 6, "f4": 7, "i1": 8, "u1": 9, "i2": 10, "u2": 11, "i4": 12, "u4": 13, "i8": 14, "u8": 15,
}  # fmt: skip
_MATRIX, _COMPRESSED, _UTF8, _UTF16 = 14, 15, 16, 17
_CELL, _STRUCT, _CHAR, _SPARSE, _OPAQUE = 1, 2, 4, 5, 17
_COMPLEX, _LOGICAL = 0x800, 0x200
_VERSION = struct.pack("<H2s", 0x0100, b"IM")
_HEADER = 128
#: How hard to compress: more costs much time for little space.
_LEVEL = 2
_MOST = 2**32 - 8


def write_mat5(path: str, variables: Mapping[str, Any], compress: bool) -> dict[str, str]:
    """Write variables as a MAT file; it takes the place of one that is there once it is whole.

    Returns:
        What was left out, and what about it the format cannot hold.

    Raises:
        OSError: the file cannot be written.
    """
    writer = _Writer()
    refused: dict[str, str] = {}
    with replacing(path) as stream:
        stream.write(bytes(_HEADER))
        for name, value in variables.items():
            try:
                pieces = _stored(writer.array(name, value), compress)
            except UnsupportedError as problem:
                refused[name] = str(problem)
                continue
            stream.writelines(pieces)
        _finish(stream, writer, 0, compress)
    return refused


def append_mat5(
    path: str, data: bytes, spans: Sequence[tuple[str, int, int]], variables: Mapping[str, Any]
) -> dict[str, str] | None:
    """Write variables into a file beside what it holds, which is copied as it stands.

    Args:
        data: the bytes of the file.
        spans: its variables (`mat5.spans_in_mat5`).

    Returns:
        What was left out, as `write_mat5` has it; None where the file must be written anew: there
        are objects in it and in the variables, or its byte order is another.
    """
    (before,) = struct.unpack_from("<Q", data, 116)
    before = before if any(start == before for _, start, _ in spans) else 0
    writer = _Writer()
    new: dict[str, list[Any]] = {}
    refused: dict[str, str] = {}
    for name, value in variables.items():
        try:
            new[name] = _stored(writer.array(name, value), True)
        except UnsupportedError as problem:
            refused[name] = str(problem)
    if (writer.has_objects and before) or data[126:128] != b"IM":
        return None
    offset = 0
    with replacing(path) as stream:
        stream.write(bytes(_HEADER))
        for name, start, end in spans:
            if name not in new:
                offset = stream.tell() if start == before else offset
                stream.write(data[start:end])
        for pieces in new.values():
            stream.writelines(pieces)
        _finish(stream, writer, offset, True)
    return refused


def _finish(stream: IO[bytes], writer: _Writer, offset: int, compress: bool) -> None:
    """Write the objects, if there are some, and the header."""
    if writer.has_objects:
        offset = stream.tell()
        stream.writelines(_stored(writer.subsystem(), compress))
    stream.seek(0)
    stream.write(_header(offset))


@contextmanager
def replacing(path: str) -> Iterator[IO[bytes]]:
    """Yield a file that takes the place of the one at `path` once it is whole."""
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        with open(temporary, "wb") as stream:
            yield stream
        os.replace(temporary, path)
    finally:
        if os.path.exists(temporary):
            os.remove(temporary)


def _header(offset: int) -> bytes:
    stamp = time.strftime("%a %b %d %H:%M:%S %Y")
    words = f"MATLAB 5.0 MAT-file, Platform: runmat, Created on: {stamp}".ljust(116).encode()
    return words + struct.pack("<Q", offset) + _VERSION


def _stored(parts: list[Any], compress: bool) -> list[Any]:
    """Return an array as an element of the file."""
    length = sum(map(len, parts))
    if length > _MOST:
        raise UnsupportedError("more than 4 GB")
    tag = struct.pack("<II", _MATRIX, length)
    if not compress:
        return [tag, *parts]
    packer = zlib.compressobj(_LEVEL)
    packed = [packer.compress(part) for part in (tag, *parts)]
    packed.append(packer.flush())
    return [struct.pack("<II", _COMPRESSED, sum(map(len, packed))), *packed]


def element(kind: int, content: Any) -> list[Any]:
    """Content with its tag before it, which holds it where it is short, and padded behind it."""
    length = len(content)
    if 0 < length <= 4:
        return [struct.pack("<HH", kind, length), bytes(content).ljust(4, b"\0")]
    if length > _MOST:
        raise UnsupportedError("more than 4 GB")
    return [struct.pack("<II", kind, length), content, bytes(-length % 8)]


def _octets(array: NDArray[Any]) -> memoryview:
    """Return the elements of an array in column-major order, without a copy where they lie so."""
    flat = np.ascontiguousarray(array.ravel(order="F"))
    return flat.view(np.uint8).data if flat.size else memoryview(b"")


#: A real double scalar without a name: tag, flags, dimensions, name, tag of the number, number.
_SCALAR = struct.Struct("<12I2Id")
_SCALAR_HEAD = (_MATRIX, 56, 6, 8, _CLASS["f8"], 0, 5, 8, 1, 1, 1, 0, _TYPE["f8"], 8)
#: The same of a row of characters, up to the tag of what it holds.
_TEXT = struct.Struct("<12I")


def _short_text(text: str) -> bytes:
    """Return a row of ASCII characters without a name, as an element."""
    content = b"".join(element(_UTF8, text.encode()))
    head = (_MATRIX, 40 + len(content), 6, 8, _CHAR, 0, 5, 8, 1, len(text), 1, 0)
    return _TEXT.pack(*head) + content


class _Writer:
    """Writes arrays of one file.

    Attributes:
        inside: whether what is written belongs to objects, where a reference is an array.
    """

    def __init__(self) -> None:
        self.inside = False
        self._objects: Any = None

    @property
    def has_objects(self) -> bool:
        return self._objects is not None

    def array(self, name: str, value: Any) -> list[Any]:
        """Return the content of the element that is an array, in pieces.

        Raises:
            UnsupportedError: the value has no place in the format.
        """
        if isinstance(value, CharArray):
            return self._chars(name, value)
        if isinstance(value, CellArray):
            head = self._head(name, _CELL, value.data.shape)
            return [*head, *self._inner(value.items())]
        if isinstance(value, StructArray):
            return self._struct(name, value)
        if isinstance(value, SparseArray):
            return self._sparse(name, value)
        if isinstance(value, float | bool | complex | Array):
            return self._numbers(name, to_numpy(value))
        if class_of(value) in OBJECT_CLASSES:
            return self._object(name, value)
        raise UnsupportedError(class_of(value))

    def _head(self, name: str, flags: int, shape: tuple[int, ...], stored: int = 0) -> list[Any]:
        dims = np.array(shape, np.int64)
        if (dims >= 2**31).any():
            raise UnsupportedError("an extent of 2^31 or more")
        return [
            *element(6, struct.pack("<II", flags, stored)),
            *element(5, dims.astype("<i4").tobytes()),
            *element(1, name.encode("latin-1", "replace")),
        ]

    def _inner(self, values: Any) -> list[Any]:
        parts: list[Any] = []
        for value in values:
            if value.__class__ is float:
                parts.append(_SCALAR.pack(*_SCALAR_HEAD, value))
                continue
            if value.__class__ is CharArray and value.is_row and value.text().isascii():
                parts.append(_short_text(value.text()))
                continue
            content = self.array("", value)
            length = sum(map(len, content))
            if length > _MOST:
                raise UnsupportedError("more than 4 GB")
            parts += [struct.pack("<II", _MATRIX, length), *content]
        return parts

    def _chars(self, name: str, value: CharArray) -> list[Any]:
        units = np.asarray(value.data, np.uint16)
        head = self._head(name, _CHAR, units.shape)
        if not units.size or units.max() < 128:
            return [*head, *element(_UTF8, _octets(units.astype(np.uint8)))]
        return [*head, *element(_UTF16, _octets(units))]

    def _numbers(self, name: str, data: NDArray[Any]) -> list[Any]:
        flags = 0
        if data.dtype.kind == "b":
            data, flags = data.astype(np.uint8), _LOGICAL
        parts = [data]
        if data.dtype.kind == "c":
            parts, flags = [data.real, data.imag], _COMPLEX
        stored = f"{parts[0].dtype.kind}{parts[0].dtype.itemsize}"
        content = self._head(name, flags | _CLASS[stored], data.shape)
        for part in parts:
            content += element(_TYPE[stored], _octets(part))
        return content

    def _struct(self, name: str, value: StructArray) -> list[Any]:
        names = [field.encode("latin-1", "replace") for field in value.field_names()]
        width = max(map(len, names), default=0) + 1
        parts = self._head(name, _STRUCT, value.shape)
        parts += element(5, struct.pack("<i", width))
        parts += element(1, b"".join(field.ljust(width, b"\0") for field in names))
        fields = value.field_names()
        return parts + self._inner(record[f] for record in value.records() for f in fields)

    def _sparse(self, name: str, value: SparseArray) -> list[Any]:
        matrix = value.data.tocsc()
        matrix.sort_indices()
        data = matrix.data
        flags = _SPARSE
        if data.dtype.kind == "b":
            data, flags = data.astype(np.float64), flags | _LOGICAL
        parts = [data.real, data.imag] if data.dtype.kind == "c" else [data]
        flags |= _COMPLEX if len(parts) > 1 else 0
        content = self._head(name, flags, matrix.shape, max(matrix.nnz, 1))
        content += element(5, _octets(matrix.indices.astype(np.int32)))
        content += element(5, _octets(matrix.indptr.astype(np.int32)))
        for part in parts:
            content += element(_TYPE["f8"], _octets(part.astype(np.float64)))
        return content

    # -- objects ---------------------------------------------------------------------------------

    def _object(self, name: str, value: Any) -> list[Any]:
        if self._objects is None:
            from runmat_core.builtins.files.mcos import ObjectWriter

            self._objects = ObjectWriter(self._cell)
        inside, self.inside = self.inside, True
        reference = self._objects.reference(value)
        self.inside = inside
        if inside:
            return self.array(name, reference)
        return self._opaque(name, class_of(value), [reference])

    def _cell(self, value: Any) -> list[Any]:
        return self.array("", value)

    def _opaque(self, name: str, kind: str, content: list[Any]) -> list[Any]:
        parts = element(6, struct.pack("<II", _OPAQUE, 0))
        for word in (name, "MCOS", kind):
            parts += element(1, word.encode("latin-1", "replace"))
        return parts + self._inner(content)

    def subsystem(self) -> list[Any]:
        """Return the array of bytes with all objects of the file."""
        self.inside = True
        linking = np.frombuffer(self._objects.linking(), np.uint8).reshape(-1, 1)
        cells = [self._cell(Array(linking)), [], *self._objects.cells]
        cells += [self._cell(value) for value in self._objects.of_classes()]
        wrapped = self._head("", _CELL, (len(cells), 1))
        for cell in cells:
            wrapped += [struct.pack("<II", _MATRIX, sum(map(len, cell))), *cell]
        opaque = element(6, struct.pack("<II", _OPAQUE, 0))
        for word in ("", "MCOS", "FileWrapper__"):
            opaque += element(1, word.encode())
        opaque += [struct.pack("<II", _MATRIX, sum(map(len, wrapped))), *wrapped]
        whole = self._head("", _STRUCT, (1, 1))
        whole += [*element(5, struct.pack("<i", 5)), *element(1, b"MCOS\0")]
        whole += [struct.pack("<II", _MATRIX, sum(map(len, opaque))), *opaque]
        octets = b"".join(
            [_VERSION, bytes(4), struct.pack("<II", _MATRIX, sum(map(len, whole))), *whole]
        )
        return self._numbers("", np.frombuffer(octets, np.uint8).reshape(1, -1))


def check(value: Any) -> None:
    """Refuse a value that MAT files of version 5 to 7 cannot hold.

    Raises:
        UnsupportedError: it, or something in it, is of another class, or too large.
    """
    _Writer().array("", value)
