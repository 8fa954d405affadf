"""The part of a MAT file of version 5 to 7 that holds objects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runmat_core.builtins.files.mat5 import MATRIX, Reader
from runmat_core.builtins.files.mat_values import CorruptError
from runmat_core.builtins.files.mcos import Objects
from runmat_core.values import Array, to_numpy


def subsystem(reader: Reader, content: memoryview) -> Objects:
    """The objects of a file: a file without the text at its start, in an array of bytes.

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
    """The contents of a cell array as they stand."""
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
    """The array that is the content of an object in a field of a struct."""
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
