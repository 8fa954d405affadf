"""Reads MAT files of version 4: matrices one after the other."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.libraries import package
from runmat_core.builtins.arguments import check_size
from runmat_core.builtins.files.mat_values import CorruptError, text_value
from runmat_core.values import SparseArray, from_numpy

_STORED = ("f8", "f4", "i4", "i2", "u2", "u1")
_HEADER = 20


def read_mat4(data: bytes) -> dict[str, Any]:
    """Return the variables in the bytes of a file.

    Raises:
        CorruptError: the file does not hold what it says.
    """
    found: dict[str, Any] = {}
    at = 0
    while at < len(data):
        if at + _HEADER > len(data):
            raise CorruptError("a header is cut off")
        order = "<" if 0 <= struct.unpack_from("<i", data, at)[0] < 5000 else ">"
        kind, rows, columns, parts, length = struct.unpack_from(f"{order}5i", data, at)
        stored = kind // 10 % 10
        if not 0 <= kind < 5000 or stored > 5 or min(rows, columns, length) < 0:
            raise CorruptError("this is no MAT file")
        at += _HEADER
        name = data[at : at + length].rstrip(b"\0").decode("latin-1")
        at += length
        dtype = np.dtype(f"{order}{_STORED[stored]}")
        size = rows * columns * dtype.itemsize
        planes = []
        for _ in range(2 if parts else 1):
            if size > len(data) - at:
                raise CorruptError("a matrix is longer than the file")
            plane = np.frombuffer(data, dtype, rows * columns, at).astype(np.float64)
            planes.append(plane.reshape((rows, columns), order="F"))
            at += size
        found[name] = _value(planes, kind % 10)
    return found


def _value(planes: list[NDArray[Any]], kind: int) -> Any:
    matrix = planes[0] if len(planes) == 1 else planes[0] + 1j * planes[1]
    if kind == 1:
        if planes[0].size and not (
            np.isfinite(planes[0]).all() and planes[0].min() >= 0 and planes[0].max() < 2**16
        ):
            raise CorruptError("a text is made of no characters")
        return text_value(planes[0])
    if kind == 2:
        return _sparse(planes[0])
    return from_numpy(matrix)


def _sparse(triplets: NDArray[Any]) -> Any:
    """Return a sparse matrix from rows of row, column and value; the last row has its size."""
    coo_array = package("scipy.sparse").coo_array

    if triplets.shape[0] < 1 or triplets.shape[1] not in (3, 4):
        raise CorruptError("a sparse matrix is damaged")
    if not np.isfinite(triplets[:, :2]).all() or (triplets[:, :2] < 0).any():
        raise CorruptError("a sparse matrix is damaged")
    shape = tuple(int(extent) for extent in triplets[-1, :2])
    where = triplets[:-1, :2].astype(np.int64) - 1
    values = triplets[:-1, 2]
    if triplets.shape[1] == 4:
        values = values + 1j * triplets[:-1, 3]
    check_size((max(shape) + 1,), 8)
    if max(shape) >= 2**31 or (where < 0).any() or (where >= np.array(shape)).any():
        raise CorruptError("a sparse matrix is damaged")
    return SparseArray(coo_array((values, (where[:, 0], where[:, 1])), shape=shape).tocsc())
