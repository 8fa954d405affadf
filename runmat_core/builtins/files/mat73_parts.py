"""Parts of variables in MAT files of version 7.3: read and written without the rest."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import attrs
import numpy as np

from runmat_core.builtins.files.mat73 import Reader, opened
from runmat_core.builtins.files.mat73_writing import Writer, write_mat73
from runmat_core.builtins.files.mat_values import OBJECT_CLASSES, Unsupported, UnsupportedError
from runmat_core.values import (
    CellArray,
    StructArray,
    class_of,
    from_numpy,
    index,
    size_of,
    to_numpy,
)
from runmat_core.values.base import COLON, Subscripts
from runmat_core.values.char import CharArray
from runmat_core.values.classes import DTYPE
from runmat_core.values.indexing import assign
from runmat_core.values.positions import EVERYTHING, positions

_NEW = "#new#"
_MARKS = ("MATLAB_empty", "MATLAB_sparse", "MATLAB_object_decode")


@attrs.frozen
class _Region:
    """What subscripts select of a data set.

    Attributes:
        ranges: first, step and count of positions from zero, for each MATLAB dimension; of
            positions that are no such range, what encloses them.
        within: subscripts for what the ranges enclose; None where they are the selection itself.
    """

    ranges: tuple[tuple[int, int, int], ...]
    within: tuple[Any, ...] | None

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(count for _, _, count in self.ranges)

    @property
    def extents(self) -> tuple[int, ...]:
        """The least size that has all that is selected."""
        return tuple(a + step * (count - 1) + 1 for a, step, count in self.ranges)

    def slices(self) -> tuple[slice, ...]:
        """For a data set, whose axes are in reverse."""
        return tuple(
            slice(a, a + step * (count - 1) + 1, step) for a, step, count in reversed(self.ranges)
        )


def _region(shape: tuple[int, ...], subs: Subscripts) -> _Region | None:
    """Return what subscripts select; None where that is nothing, or not one for each dimension."""
    if len(subs) == 1 and len(shape) == 2 and 1 in shape and _is_vector(subs[0]):
        subs = (1.0, subs[0]) if shape[0] == 1 else (subs[0], 1.0)
    if len(subs) != len(shape):
        return None
    ranges, within = [], []
    plain = True
    for axis, (extent, sub) in enumerate(zip(shape, subs, strict=True)):
        where, _ = positions(sub, axis)
        if where is EVERYTHING:
            where = np.arange(extent)
        flat = np.atleast_1d(np.asarray(where))
        if not flat.size:
            return None
        gaps = np.diff(flat)
        step = int(gaps[0]) if gaps.size else 1
        if step > 0 and (gaps == step).all():
            ranges.append((int(flat[0]), step, flat.size))
            within.append(COLON)
            continue
        low, high = int(flat.min()), int(flat.max())
        ranges.append((low, 1, high - low + 1))
        within.append(from_numpy((flat - low + 1.0).reshape(1, -1)))
        plain = False
    return _Region(tuple(ranges), None if plain else tuple(within))


def _is_vector(sub: Any) -> bool:
    """Whether an element of a vector, or several in its direction, are selected."""
    return sub is not COLON and len(size_of(sub)) == 2 and 1 in size_of(sub)


def _is_plain(h5py: Any, item: Any) -> bool:
    """Whether a variable is a data set of numbers, logicals, characters or cells."""
    if not isinstance(item, h5py.Dataset) or any(mark in item.attrs for mark in _MARKS):
        return False
    return len(item.shape) > 1


def _class(item: Any) -> str:
    kind = item.attrs.get("MATLAB_class", b"")
    return kind.decode() if isinstance(kind, bytes) else str(kind)


def shape_of(path: str, name: str) -> tuple[int, ...] | None:
    """Return the size of a variable; None where only its value tells it."""
    with opened(path) as (h5py, file):
        item = file[name]
        return tuple(reversed(item.shape)) if _is_plain(h5py, item) else None


def read_part(path: str, name: str, subs: Subscripts) -> Any:
    """``v(subs...)`` of a variable; None where that takes the whole of it.

    Raises:
        CorruptError: the file does not hold what it says.
    """
    with opened(path) as (h5py, file):
        item = file[name]
        if not _is_plain(h5py, item):
            return None
        shape = tuple(reversed(item.shape))
        region = _region(shape, subs)
        if region is None or any(a > b for a, b in zip(region.extents, shape, strict=True)):
            return None
        data = np.asarray(item[region.slices()])
        reader = Reader(h5py, file)
        is_cell = item.dtype == h5py.ref_dtype
        value = reader.cells(data, 0) if is_cell else reader.array(data, _class(item))
        if isinstance(value, Unsupported):
            return None
    return value if region.within is None else index(value, region.within)


def write_part(path: str, name: str, subs: Subscripts, rhs: Any) -> bool:
    """``v(subs...) = rhs`` of a variable in its file; False where it must be written as a whole.

    Raises:
        CorruptError: the file does not hold what it says.
    """
    with opened(path, "r+") as (h5py, file):
        item = file[name]
        kind = _class(item)
        if not _is_plain(h5py, item) or item.dtype.names or kind not in (*DTYPE, "char"):
            return False
        shape = tuple(reversed(item.shape))
        region = _region(shape, subs)
        if region is None or region.within is not None:
            return False
        blank: Any = CharArray(np.zeros(region.shape, np.uint16))
        if kind != "char":
            blank = from_numpy(np.zeros(region.shape, DTYPE[kind]), kind)
        part = assign(blank, (COLON,) * len(shape), rhs)
        if class_of(part) != kind:
            return False
        data = part.data if isinstance(part, CharArray) else to_numpy(part)
        if data.dtype.kind == "c":
            return False
        wanted = tuple(max(a, b) for a, b in zip(region.extents, shape, strict=True))
        if wanted != shape:
            if item.maxshape is None or any(extent is not None for extent in item.maxshape):
                return False
            item.resize(tuple(reversed(wanted)))
        item[region.slices()] = np.asarray(data).reshape(region.shape, order="F").T
    return True


def put_variable(path: str, name: str, value: Any) -> bool:
    """Write a variable into a file, which is made where there is none, beside what it holds.

    Returns:
        False where the file must be written anew: there are objects in the value.

    Raises:
        UnsupportedError: the format cannot hold the value.
    """
    if _holds_objects(value):
        return False
    if not os.path.isfile(path):
        return not write_mat73(path, {name: value}, resizable=True)
    with opened(path, "r+") as (h5py, file):
        writer = Writer(h5py, file)
        writer.resizable = True
        try:
            writer.write(file, _NEW, value)
        except BaseException:
            if _NEW in file:
                del file[_NEW]
            raise
        if name in file:
            del file[name]
        file.move(_NEW, name)
    return True


def put_variables(path: str, variables: Mapping[str, Any]) -> dict[str, str] | None:
    """`put_variable` of several; what was left out, or None where there are objects in them."""
    if any(map(_holds_objects, variables.values())):
        return None
    refused: dict[str, str] = {}
    for name, value in variables.items():
        try:
            put_variable(path, name, value)
        except UnsupportedError as problem:
            refused[name] = str(problem)
    return refused


def _holds_objects(value: Any) -> bool:
    if isinstance(value, CellArray):
        return any(map(_holds_objects, value.items()))
    if isinstance(value, StructArray):
        return any(_holds_objects(x) for record in value.records() for x in record.values())
    return class_of(value) in OBJECT_CLASSES
