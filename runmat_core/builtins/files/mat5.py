"""Reads MAT files of version 5 to 7.

Nothing in the file is trusted: each length is compared with the bytes that are there before
anything is made of it, and arrays in arrays have a bound. The layout is that of MathWorks'
"MAT-File Format".
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.api.libraries import package
from runmat_core.builtins.files.mat_values import (
    CorruptError,
    Unsupported,
    empty_struct,
    text_value,
)
from runmat_core.values import Array, CellArray, CharArray, SparseArray, from_numpy, to_numpy
from runmat_core.values.cell import object_array
from runmat_core.values.struct import struct_array

if TYPE_CHECKING:
    from runmat_core.builtins.files.mcos import Objects

#: The largest factor by which deflate can compress.
_RATIO = 1032
#: Arrays in arrays beyond this are taken for an attack on the stack.
_DEPTH = 150
HEADER = 128
#: Bytes of an array in which its name is.
_HEAD = 1024
MATRIX, _COMPRESSED = 14, 15
_CELL, _STRUCT, _OBJECT, _CHAR, _SPARSE = 1, 2, 3, 4, 5
_COMPLEX, _LOGICAL = 0x800, 0x200
#: Element types of numbers in the file.
_STORED = {
    1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8", 13: "u8",
}  # fmt: skip
#: Classes of arrays of numbers.
_CLASS = {
    6: "f8", 7: "f4", 8: "i1", 9: "u1", 10: "i2", 11: "u2", 12: "i4", 13: "u4", 14: "i8", 15: "u8",
}  # fmt: skip
_ENCODING = {16: "utf-8", 17: "utf-16", 18: "utf-32"}
_UTF8 = 16
#: How a real double scalar and a row of characters without names begin: flags, dimensions, name.
_NUMBER = {o: struct.pack(f"{o}10I", 6, 8, 6, 0, 5, 8, 1, 1, 1, 0) for o in "<>"}
_ROW = {o: struct.pack(f"{o}7I", 6, 8, _CHAR, 0, 5, 8, 1) for o in "<>"}
#: Element types of single numbers.
_FORM = {1: "b", 2: "B", 3: "h", 4: "H", 5: "i", 6: "I", 7: "f", 9: "d"}
_OTHERS = {_OBJECT: "object", 16: "function handle"}
_OPAQUE = 17


@attrs.frozen
class _Element:
    """An element: its type, its content, and where the next one begins."""

    kind: int
    content: memoryview
    end: int


def read_mat5(data: bytes, wanted: Collection[str] | None = None) -> dict[str, Any]:
    """Return the variables in the bytes of a file; `Unsupported` for those that have no value here.

    Args:
        wanted: the names of those to read; None for all.

    Raises:
        CorruptError: the file does not hold what it says.
    """
    reader = _reader(data)
    found: dict[str, Any] = {}
    at = HEADER
    while at < len(data):
        if wanted is not None and reader.name(at) not in wanted:
            at = reader.after(at)
            continue
        content, at = reader.top(at)
        name, value = reader.array(content, 0)
        if name:  # what has no name belongs to objects
            found[name] = value
    return found


def spans_in_mat5(data: bytes) -> list[tuple[str, int, int]]:
    """Return the names of the variables in the bytes of a file, and where they begin and end.

    Raises:
        CorruptError: the file does not hold what it says.
    """
    reader = _reader(data)
    found = []
    at = HEADER
    while at < len(data):
        after = reader.after(at)
        found.append((reader.name(at), at, after))
        at = after
    return found


def _reader(data: bytes) -> Reader:
    if len(data) < HEADER or data[126:128] not in (b"IM", b"MI"):
        raise CorruptError("this is no MAT file")
    return Reader("<" if data[126:128] == b"IM" else ">", memoryview(data))


class Reader:
    """Reads the elements of a file, of one byte order."""

    def __init__(self, order: str, data: memoryview) -> None:
        self.order, self.data = order, data
        self._objects: Objects | None = None

    def top(self, at: int) -> tuple[memoryview, int]:
        """Return the array at a place in the file, unpacked, and where the next one begins."""
        element = self.element(self.data, at, padded=False)
        if element.kind == _COMPRESSED:
            return self.unpacked(element.content), element.end
        if element.kind != MATRIX:
            raise CorruptError("an element is no array")
        return element.content, element.end + -len(element.content) % 8

    def after(self, at: int) -> int:
        """Where the element after the one at a place in the file begins."""
        element = self.element(self.data, at, padded=False)
        return element.end + (-len(element.content) % 8 if element.kind == MATRIX else 0)

    def name(self, at: int) -> str:
        """Return the name of the array at a place in the file."""
        element = self.element(self.data, at, padded=False)
        data = element.content
        if element.kind == _COMPRESSED:
            try:
                data = memoryview(zlib.decompressobj().decompress(data, _HEAD))[8:]
            except zlib.error:
                raise CorruptError("compressed data are damaged") from None
        if not len(data):
            return ""
        flags = self.element(data, 0)
        (word,) = struct.unpack_from(f"{self.order}I", bytes(flags.content[:4]).ljust(4, b"\0"))
        at = flags.end
        if word & 0xFF != _OPAQUE:
            at = self.element(data, at).end
        return self._text(self.element(data, at))

    def objects(self) -> Objects:
        """Return the objects in the part of the file that its header points to."""
        if self._objects is None:
            (at,) = struct.unpack_from(f"{self.order}Q", self.data, 116)
            if not HEADER <= at < len(self.data):
                raise CorruptError("the objects of the file are missing")
            self._objects = _subsystem(self, self.top(at)[0])
        return self._objects

    def element(self, data: memoryview, at: int, padded: bool = True) -> _Element:
        """Return the element at a place."""
        if at + 8 > len(data):
            raise CorruptError("an element is cut off")
        kind, length = struct.unpack_from(f"{self.order}II", data, at)
        if kind >> 16:  # a small element has its content in its tag
            if kind >> 16 > 4:
                raise CorruptError("a small element is too long")
            return _Element(kind & 0xFFFF, data[at + 4 : at + 4 + (kind >> 16)], at + 8)
        content = data[at + 8 : at + 8 + length]
        if len(content) < length:
            raise CorruptError("an element is cut off")
        return _Element(kind, content, at + 8 + length + (-length % 8 if padded else 0))

    def unpacked(self, packed: memoryview) -> memoryview:
        """Return the array in a compressed element."""
        unpacker = zlib.decompressobj()
        try:
            tag = unpacker.decompress(packed, 8)
            if len(tag) < 8:
                raise CorruptError("a compressed array is cut off")
            kind, length = struct.unpack(f"{self.order}II", tag)
            if kind != MATRIX or length > _RATIO * (len(packed) + 16):
                raise CorruptError("a compressed array is longer than it can be")
            content = unpacker.decompress(unpacker.unconsumed_tail, length) if length else b""
        except zlib.error:
            raise CorruptError("compressed data are damaged") from None
        if len(content) < length:
            raise CorruptError("a compressed array is cut off")
        return memoryview(content)

    def numbers(self, element: _Element) -> NDArray[Any]:
        stored = _STORED.get(element.kind)
        if stored is None or len(element.content) % int(stored[1]):
            raise CorruptError("an element is of no type of numbers")
        return np.frombuffer(element.content, np.dtype(f"{self.order}{stored}"))

    def array(self, data: memoryview, depth: int) -> tuple[str, Any]:
        """Name and value of an array."""
        if not len(data):
            return "", from_numpy(np.zeros((0, 0)))
        if depth > _DEPTH:
            raise CorruptError("arrays are nested too deeply")
        flags = self.element(data, 0)
        if flags.kind != 6 or len(flags.content) < 8:
            raise CorruptError("an array has no flags")
        word = struct.unpack_from(f"{self.order}I", flags.content)[0]
        kind = word & 0xFF
        if kind == _OPAQUE:
            said, content = self.opaque(data)
            return said, self._object(content)
        dims = self.element(data, flags.end)
        name = self.element(data, dims.end)
        shape = self._shape(dims)
        return self._text(name), self._value(data, name.end, word, shape, depth)

    def opaque(self, data: memoryview) -> tuple[str, memoryview]:
        """Return the name of an object, and the array that says which one it is."""
        at = self.element(data, 0).end
        parts = []
        for _ in range(3):
            part = self.element(data, at)
            parts.append(self._text(part))
            at = part.end
        content = self.element(data, at)
        if parts[1] != "MCOS" or content.kind != MATRIX:
            return parts[0], memoryview(b"")
        return parts[0], content.content

    def _object(self, content: memoryview) -> Any:
        if not len(content):
            return Unsupported("object")
        _, reference = self.array(content, 1)
        if not isinstance(reference, Array):
            return Unsupported("object")
        return self.objects().value(reference.data)

    def _text(self, element: _Element) -> str:
        return bytes(element.content).decode("latin-1").rstrip("\0")

    def _shape(self, element: _Element) -> tuple[int, ...]:
        extents = tuple(int(extent) for extent in self.numbers(element))
        if not 2 <= len(extents) <= 64 or min(extents) < 0:
            raise CorruptError("dimensions are wrong")
        while len(extents) > 2 and extents[-1] == 1:
            extents = extents[:-1]
        return extents

    def _value(
        self, data: memoryview, at: int, flags: int, shape: tuple[int, ...], depth: int
    ) -> Any:
        kind = flags & 0xFF
        count = 1
        for extent in shape:
            count *= extent
        if kind in _OTHERS:
            return Unsupported(_OTHERS[kind])
        if kind == _CELL:
            items = self._arrays(data, at, count, depth)
            bad = next((item for item in items if isinstance(item, Unsupported)), None)
            return bad or CellArray(object_array(items, shape))
        if kind == _STRUCT:
            return self._struct(data, at, shape, count, depth)
        if kind == _SPARSE:
            return self._sparse(data, at, flags, shape)
        if kind == _CHAR:
            return self._chars(self.element(data, at), shape, count)
        if kind not in _CLASS:
            raise CorruptError("an array is of no class")
        values = self._parts(data, at, flags, _CLASS[kind])[0]
        if values.size != count:
            raise CorruptError("an array has not as many elements as it says")
        return from_numpy(values.reshape(shape, order="F"))

    def _parts(
        self, data: memoryview, at: int, flags: int, stored: str
    ) -> tuple[NDArray[Any], int]:
        """Numbers in their class, with imaginary parts, and where they end."""
        element = self.element(data, at)
        values = self.numbers(element).astype(stored)
        if flags & _LOGICAL:
            return values != 0, element.end
        if not flags & _COMPLEX:
            return values, element.end
        imaginary = self.element(data, element.end)
        other = self.numbers(imaginary).astype(stored)
        if other.size != values.size:
            raise CorruptError("imaginary parts are missing")
        if values.dtype.kind != "f":
            return values, imaginary.end
        whole = values.astype(np.complex64 if stored == "f4" else np.complex128)
        whole.imag = other
        return whole, imaginary.end

    def _arrays(self, data: memoryview, at: int, count: int, depth: int) -> list[Any]:
        """So many arrays, which take eight bytes each at least."""
        if count > (len(data) - at) // 8:
            raise CorruptError("there are fewer elements than an array says")
        found = []
        for _ in range(count):
            element = self.element(data, at)
            if element.kind != MATRIX:
                raise CorruptError("an element is no array")
            quick = self._quick(element.content)
            found.append(self.array(element.content, depth + 1)[1] if quick is None else quick)
            at = element.end
        return found

    def _quick(self, data: memoryview) -> Any:
        """Return a real double scalar or a row of ASCII characters without a name.

        Return None for others.
        """
        head = bytes(data[:40])
        if head == _NUMBER[self.order]:
            element = self.element(data, 40)
            form = _FORM.get(element.kind)
            if form is not None and len(element.content) == struct.calcsize(form):
                return float(struct.unpack(f"{self.order}{form}", element.content)[0])
        elif head[:28] == _ROW[self.order] and head[32:] == _NUMBER[self.order][32:]:
            element = self.element(data, 40)
            text = bytes(element.content)
            count = struct.unpack_from(f"{self.order}i", head, 28)[0]
            if element.kind == _UTF8 and text and text.isascii() and len(text) == count:
                return CharArray(text.decode("ascii"))
        return None

    def _struct(
        self, data: memoryview, at: int, shape: tuple[int, ...], count: int, depth: int
    ) -> Any:
        width = self.element(data, at)
        lengths = self.numbers(width)
        names = self.element(data, width.end)
        size = int(lengths[0]) if lengths.size == 1 else 0
        if size < 1 and len(names.content):
            raise CorruptError("names of fields are damaged")
        fields = [
            self._text(_Element(1, names.content[k : k + size], 0)).partition("\0")[0]
            for k in range(0, len(names.content), max(size, 1))
        ]
        if len(set(fields)) != len(fields) or "" in fields:
            raise CorruptError("names of fields are damaged")
        if not fields:
            return empty_struct(shape, count)
        items = self._arrays(data, names.end, count * len(fields), depth)
        bad = next((item for item in items if isinstance(item, Unsupported)), None)
        if bad is not None:
            return bad
        step = len(fields)
        records = [
            dict(zip(fields, items[k : k + step], strict=True)) for k in range(0, len(items), step)
        ]
        return struct_array(records, shape, fields)

    def _chars(self, element: _Element, shape: tuple[int, ...], count: int) -> Any:
        encoding = _ENCODING.get(element.kind)
        if encoding == "utf-16" and len(element.content) == 2 * count:
            # units that belong together need not stand beside each other in a matrix
            units = np.frombuffer(element.content, f"{self.order}u2").astype(np.uint16)
        elif encoding is None:
            units = self.numbers(element)
            if units.dtype.kind not in "iu":
                raise CorruptError("a text is made of no characters")
            units = units.astype(np.uint16)
        else:
            order = "" if encoding == "utf-8" else "-le" if self.order == "<" else "-be"
            text = bytes(element.content).decode(encoding + order, "replace")
            units = np.frombuffer(text.encode("utf-16-le", "surrogatepass"), "<u2")
            if len(text) == count != units.size and shape[0] == 1:
                shape, count = (1, units.size), units.size  # counted in characters, not in units
        if units.size != count:
            raise CorruptError("a text has not as many characters as it says")
        return text_value(units.reshape(shape, order="F"))

    def _sparse(self, data: memoryview, at: int, flags: int, shape: tuple[int, ...]) -> Any:
        csc_array = package("scipy.sparse").csc_array

        rows = self.element(data, at)
        starts = self.element(data, rows.end)
        values, _ = self._parts(data, starts.end, flags, "f8")
        row, start = self.numbers(rows), self.numbers(starts)
        if len(shape) != 2 or start.size != shape[1] + 1 or row.dtype.kind != "i":
            raise CorruptError("a sparse matrix is damaged")
        count = int(start[-1])
        ordered = start[0] == 0 and bool((np.diff(start) >= 0).all())
        inside = row.size >= count and values.size >= count
        if not (ordered and inside) or (
            count and not (row[:count].min() >= 0 and row[:count].max() < shape[0])
        ):
            raise CorruptError("a sparse matrix is damaged")
        parts = (values[:count], row[:count].astype(np.int32), start.astype(np.int32))
        return SparseArray(csc_array(parts, shape=shape))


# -- the part that holds objects -------------------------------------------------------------------


def _subsystem(reader: Reader, content: memoryview) -> Objects:
    """Return the objects of a file: a file without the text at its start, in an array of bytes.

    Args:
        content: that array, at the place that the header of the file points to.

    Raises:
        CorruptError: the array does not hold what it says.
    """
    _, octets = reader.array(content, 0)
    if not isinstance(octets, Array) or octets.data.dtype != np.uint8 or octets.data.size < 16:
        raise CorruptError("the objects of the file are damaged")
    inner = memoryview(octets.data.tobytes(order="F"))
    inside = Reader("<" if bytes(inner[2:4]) == b"IM" else ">", inner)
    from runmat_core.builtins.files.mcos import Objects

    cells = _pieces(inside, _field(inside, inside.element(inner, 8).content, b"MCOS"))
    if len(cells) < 2:
        raise CorruptError("the objects of the file are missing")
    linking = to_numpy(inside.array(cells[0], 1)[1])
    if linking.dtype != np.uint8:
        raise CorruptError("the objects of the file are damaged")

    def reading(cell: memoryview) -> Callable[[], Any]:
        return lambda: inside.array(cell, 1)[1]

    return Objects(linking.tobytes(order="F"), [reading(cell) for cell in cells[2:]], inside.order)


def _pieces(reader: Reader, data: memoryview) -> list[memoryview]:
    """Return the contents of a cell array as they stand."""
    flags = reader.element(data, 0)
    dims = reader.element(data, flags.end)
    at = reader.element(data, dims.end).end
    found = []
    while at < len(data):
        element = reader.element(data, at)
        if element.kind != MATRIX:
            raise CorruptError("an element is no array")
        found.append(element.content)
        at = element.end
    return found


def _field(reader: Reader, data: memoryview, name: bytes) -> memoryview:
    """Return the array that is the content of an object in a field of a struct."""
    at = reader.element(data, 0).end
    for _ in range(2):  # size and name
        at = reader.element(data, at).end
    width = reader.element(data, at)
    names = reader.element(data, width.end)
    size = int(reader.numbers(width)[0]) if len(width.content) >= 4 else 0
    words = bytes(names.content)
    at = names.end
    for k in range(0, len(words), max(size, 1)):
        element = reader.element(data, at)
        if words[k : k + size].rstrip(b"\0") == name:
            return reader.opaque(element.content)[1]
        at = element.end
    raise CorruptError("the objects of the file are missing")
