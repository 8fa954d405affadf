"""memmapfile: a file as an array."""

from __future__ import annotations

import os
from typing import Any

import attrs
import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import integer, scalar, whole
from runmat_core.builtins.files.table import find_readable
from runmat_core.builtins.named import pairs
from runmat_core.builtins.text.support import maybe_text
from runmat_core.values import (
    DTYPE,
    NUMERIC_CLASSES,
    CellArray,
    HandleObject,
    StructArray,
    cell,
    char,
    class_of,
    from_numpy,
    is_text,
    numel_of,
    to_numpy,
    truth,
)
from runmat_core.values.struct import struct_array


def _bad(what: str) -> MatlabError:
    return MatlabError("MATLAB:memmapfile:illegalInput", what)


@attrs.frozen
class Part:
    """A field of the mapped record: class, size and name; without a name it is all there is."""

    kind: str
    shape: tuple[int, ...] = (1, 1)
    name: str = ""

    @property
    def dtype(self) -> np.dtype[Any]:
        return np.dtype(DTYPE[self.kind])

    @property
    def count(self) -> int:
        count = 1
        for extent in self.shape:
            count *= extent
        return count

    @property
    def octets(self) -> int:
        return self.count * self.dtype.itemsize


def _kind(value: Any) -> str:
    word = maybe_text(value)
    if word not in NUMERIC_CLASSES:
        raise _bad("A format names classes of numbers, such as 'uint8' or 'double'.")
    return str(word)


def _format(value: Any) -> tuple[Part, ...]:
    """``"double"``, or rows of class, size and name."""
    if is_text(value):
        return (Part(_kind(value)),)
    if not isinstance(value, CellArray) or len(value.shape) != 2 or value.shape[1] != 3:
        raise _bad("A format is a class, or a cell with rows of class, size and name.")
    parts = []
    for row in value.data.tolist():
        name = maybe_text(row[2]) or ""
        extents = tuple(int(n) for n in whole(row[1], "memmapfile"))
        if not name.isidentifier() or len(extents) < 2 or min(extents) < 1:
            raise _bad("Fields have a valid name and a size of two numbers or more.")
        parts.append(Part(_kind(row[0]), extents, name))
    if not parts or len({part.name for part in parts}) != len(parts):
        raise _bad("Fields must have different names.")
    return tuple(parts)


@attrs.define
class _Map:
    path: str
    parts: tuple[Part, ...]
    offset: int
    repeat: float
    writable: bool

    def records(self) -> int:
        """How many records there are; the file must hold as many as are asked for."""
        size = sum(part.octets for part in self.parts)
        room = max(os.path.getsize(self.path) - self.offset, 0) // size
        if self.repeat == float("inf"):
            return int(room)
        if self.repeat > room:
            raise MatlabError(
                "MATLAB:memmapfile:fileTooSmall",
                f"The file '{self.path}' is too small for {int(self.repeat)} records of "
                f"{size} bytes from byte {self.offset} on.",
            )
        return int(self.repeat)

    def array(self) -> Any:
        """Return the mapped records as an array of one axis."""
        fields = [(part.name or "x", part.dtype, (part.count,)) for part in self.parts]
        count = self.records()
        kind = np.dtype(fields)
        if not count:
            return np.zeros(0, kind)
        mode = "r+" if self.writable else "r"
        return np.memmap(self.path, kind, mode, self.offset, (count,))  # type: ignore[call-overload]


class MemoryMap(HandleObject):
    """A memmapfile.

    Attributes:
        data: what is mapped.
    """

    __slots__ = ()
    data: _Map
    class_name = "memmapfile"
    properties = ("Filename", "Writable", "Offset", "Format", "Repeat", "Data")

    def __init__(self, mapped: _Map) -> None:
        self.data = mapped

    def get_property(self, name: str) -> Any:
        mapped = self.data
        if name == "Data":
            return self._read()
        if name == "Format":
            first = mapped.parts[0]
            if not first.name:
                return char(first.kind)
            rows = [
                (char(p.kind), from_numpy(np.array([p.shape], float)), char(p.name))
                for p in mapped.parts
            ]
            return cell([row[k] for k in range(3) for row in rows], (len(rows), 3))
        values = {
            "Filename": char(mapped.path),
            "Writable": mapped.writable,
            "Offset": float(mapped.offset),
        }
        return values.get(name, mapped.repeat)

    def _read(self) -> Any:
        """Return what is in the file now: a column, or structs."""
        mapped = self.data
        array = mapped.array()
        first = mapped.parts[0]
        if not first.name:
            return from_numpy(np.array(array["x"]).reshape(-1, 1), first.kind)
        records = [
            {
                part.name: from_numpy(
                    np.array(record[part.name]).reshape(part.shape, order="F"), part.kind
                )
                for part in mapped.parts
            }
            for record in array
        ]
        names = [part.name for part in mapped.parts]
        return struct_array(records, (len(records), 1), names)

    def set_property(self, name: str, rhs: Any) -> None:
        mapped = self.data
        if name == "Data":
            self._write(rhs)
        elif name == "Writable":
            mapped.writable = truth(rhs)
        elif name == "Offset":
            mapped.offset = _offset(rhs)
        elif name == "Repeat":
            mapped.repeat = _repeat(rhs)
        elif name == "Format":
            mapped.parts = _format(rhs)
        else:
            super().set_property(name, rhs)

    def _write(self, rhs: Any) -> None:
        """Put values into the file; class and size must be those that are there."""
        mapped = self.data
        if not mapped.writable:
            raise MatlabError(
                "MATLAB:memmapfile:dataIsReadOnly", "The file is not mapped as writable."
            )
        array = mapped.array()
        first = mapped.parts[0]
        if not first.name:
            array["x"][:, 0] = _values(rhs, first.kind, array.size)
        else:
            if not isinstance(rhs, StructArray) or len(rhs.records()) != array.size:
                raise _bad("Data must keep its size.")
            for k, record in enumerate(rhs.records()):
                if tuple(record) != tuple(part.name for part in mapped.parts):
                    raise _bad("Data must keep its fields.")
                for part in mapped.parts:
                    array[part.name][k] = _values(record[part.name], part.kind, part.count)
        if array.size:
            array.flush()


def _values(value: Any, kind: str, count: int) -> Any:
    if class_of(value) != kind or numel_of(value) != count:
        raise _bad(f"Data must stay {count} elements of class {kind}.")
    return to_numpy(value).ravel(order="F")


def _offset(value: Any) -> int:
    offset = integer(value, "Offset")
    if offset < 0:
        raise _bad("Offset must be 0 or more.")
    return offset


def _repeat(value: Any) -> float:
    repeat = scalar(value, "Repeat")
    if not (repeat == float("inf") or (repeat >= 1 and repeat == int(repeat))):
        raise _bad("Repeat must be a positive integer or Inf.")
    return repeat


@builtin("memmapfile", family="files/mapped", nargin=(1, None), needs=("interp",))
def memmapfile(name: Any, *options: Any, interp: Interp) -> Any:
    """File as an array: m.Data is what is in it.

    M = memmapfile(FILE): M.Data is a column of uint8
    M = memmapfile(FILE, "Format", CLASS) of another class;
    M = memmapfile(FILE, "Format", {CLASS, SIZE, NAME; …}): M.Data is a struct with these fields, in
    the order of the file, or several structs
    M = memmapfile(…, "Offset", BYTES, "Repeat", COUNT, "Writable", TF); where it is writable,
    M.Data(k) = x changes the file

    Examples:
        >> f = tempname; id = fopen(f, 'w'); fwrite(id, [1 2 3], 'double'); fclose(id);
        >> m = memmapfile(f, 'Format', 'double'); m.Data'
        ans =
             1     2     3

    See also: fread, fwrite, fopen.
    """
    word = maybe_text(name)
    if word is None:
        raise _bad("The file name must be text.")
    path = find_readable(interp, word)
    if not os.path.isfile(path):
        raise MatlabError("MATLAB:memmapfile:inaccessibleFile", f"Cannot access file '{word}'.")
    known = ("Format", "Offset", "Repeat", "Writable")
    given, _ = pairs(options, known, "memmapfile")
    return MemoryMap(
        _Map(
            path,
            _format(given.get("Format", char("uint8"))),
            _offset(given.get("Offset", 0.0)),
            _repeat(given.get("Repeat", float("inf"))),
            truth(given.get("Writable", False)),
        )
    )
