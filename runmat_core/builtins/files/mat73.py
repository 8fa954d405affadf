"""MAT files of version 7.3, which are HDF5, through h5py where it is installed.

An array is a data set with its axes in reverse; its class is an attribute. A struct is a group of
its fields; cells, and fields of struct arrays, are data sets of references to what is in the group
``#refs#``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.errors import MatlabError
from runmat_core.api.libraries import package
from runmat_core.builtins.arguments import check_size
from runmat_core.builtins.files.mat_values import (
    CorruptError,
    Unsupported,
    empty_struct,
    text_value,
)
from runmat_core.values import (
    CellArray,
    CharArray,
    SparseArray,
    StructArray,
    from_numpy,
    to_numpy,
)
from runmat_core.values.cell import object_array
from runmat_core.values.classes import DTYPE
from runmat_core.values.struct import struct_array

if TYPE_CHECKING:
    from runmat_core.builtins.files.mcos import Objects

_DEPTH = 100
#: What the attribute that tells objects apart says of those of classes.
_OBJECT = 3
#: The largest factor by which deflate can compress.
_RATIO = 1032


def load_h5py(what: str = "MAT files of version 7.3") -> Any:
    """Return the package h5py, without which `what` cannot be used."""
    try:
        return import_module("h5py")
    except ImportError:
        raise MatlabError(
            "RunMat:missingPackage",
            f"{what} need the package h5py.",
            hint="Install it: pip install h5py",
        ) from None


# -- reading ------------------------------------------------------------------------------------


def read_mat73(path: str, wanted: Collection[str] | None = None) -> dict[str, Any]:
    """Return the variables in a file; `Unsupported` where there is no value for one.

    Args:
        wanted: the names of those to read; None for all.

    Raises:
        CorruptError: the file does not hold what it says.
    """
    with opened(path) as (h5py, file):
        reader = Reader(h5py, file)
        names = [n for n in file if not n.startswith("#") and (wanted is None or n in wanted)]
        return {name: reader.value(file[name], 0) for name in names}


def names_in_mat73(path: str) -> list[str]:
    """Return the names of the variables in a file.

    Raises:
        CorruptError: it is no HDF5 file.
    """
    with opened(path) as (_, file):
        return [name for name in file if not name.startswith("#")]


@contextmanager
def opened(path: str, mode: str = "r") -> Iterator[tuple[Any, Any]]:
    """Yield the package h5py and a file that it has opened.

    Raises:
        CorruptError: what was done with the file failed.
    """
    h5py = load_h5py()
    try:
        with h5py.File(path, mode) as file:
            yield h5py, file
    except (OSError, RuntimeError, KeyError, ValueError, TypeError, IndexError) as problem:
        raise CorruptError(str(problem)) from None


class Reader:
    """Reads data sets and groups of one file."""

    def __init__(self, h5py: Any, file: Any) -> None:
        self.h5py, self.file = h5py, file
        self._objects: Objects | None = None

    def objects(self) -> Objects:
        """Return the objects of the file."""
        if self._objects is None:
            from runmat_core.builtins.files.mcos import Objects

            cells = _reversed(_content(self.file["#subsystem#/MCOS"])).ravel(order="F")
            if cells.size < 2 or cells.dtype != self.h5py.ref_dtype:
                raise CorruptError("the objects of the file are missing")
            linking = to_numpy(self._referred(cells[0], 1))
            if linking.dtype != np.uint8:
                raise CorruptError("the objects of the file are damaged")
            reading = [partial(self._referred, cell, 1) for cell in cells[2:]]
            self._objects = Objects(linking.tobytes(order="F"), reading, "<")
        return self._objects

    def value(self, item: Any, depth: int) -> Any:
        """Return the value of a data set or group."""
        if depth > _DEPTH:
            raise CorruptError("arrays are nested too deeply")
        kind = item.attrs.get("MATLAB_class", b"")
        kind = kind.decode() if isinstance(kind, bytes) else str(kind)
        if "MATLAB_sparse" in item.attrs:
            return self._sparse(item, kind)
        if isinstance(item, self.h5py.Group):
            return self._group(item, depth)
        if not isinstance(item, self.h5py.Dataset):
            raise CorruptError("an entry is no array")
        if item.attrs.get("MATLAB_object_decode", 0) == _OBJECT and item.dtype == np.uint32:
            return self.objects().value(_reversed(_content(item)))
        if kind in ("function_handle", "opaque") or "MATLAB_object_decode" in item.attrs:
            return Unsupported("function handle" if kind == "function_handle" else "object")
        if item.attrs.get("MATLAB_empty", 0):
            return self._empty(item, kind)
        if item.dtype == self.h5py.ref_dtype:
            return self._cell(item, depth)
        return self.array(_content(item), kind)

    def _empty(self, item: Any, kind: str) -> Any:
        """Return an array without elements, whose size is what is stored."""
        if item.size > 64:
            raise CorruptError("dimensions are wrong")
        extents = [int(n) for n in np.asarray(item[()]).ravel()]
        shape = _matlab_shape(tuple(extents))
        if min(shape) < 0 or not (0 in shape or kind == "struct"):
            raise CorruptError("an empty array has elements")
        if kind == "struct":
            count = int(np.prod(shape, dtype=object))
            names = self._field_names(item)
            if 0 in shape:
                return struct_array([], shape, names)
            return empty_struct(shape, count)
        if kind == "cell":
            return CellArray(np.empty(shape, object))
        if kind == "char":
            return CharArray(np.zeros(shape, np.uint16))
        if kind not in DTYPE:
            return Unsupported(kind or "unknown")
        return from_numpy(np.zeros(shape, DTYPE[kind]), kind)

    def _field_names(self, item: Any) -> list[str]:
        names = item.attrs.get("MATLAB_fields")
        if names is None:
            return []
        if isinstance(names, self.h5py.Reference):  # too many for an attribute
            names = _content(self.file[names]).ravel()
        return [b"".join(np.asarray(name).tolist()).decode("latin-1") for name in names]

    def array(self, data: NDArray[Any], kind: str) -> Any:
        """Return the value of a class that elements, as they lie in the file, stand for."""
        if data.dtype.names:
            if set(data.dtype.names) != {"real", "imag"}:
                raise CorruptError("an array is of no class")
            data = data["real"] + 1j * data["imag"]
            kind = ""
        if kind not in (*DTYPE, "char", ""):
            return Unsupported(kind)
        data = _reversed(data)
        if kind == "char":
            return text_value(data)
        if data.dtype.kind not in "biufc":
            return Unsupported(str(data.dtype))
        if kind == "logical":
            return from_numpy(data != 0)
        return from_numpy(data.astype(DTYPE[kind]) if kind else data)

    def _cell(self, item: Any, depth: int) -> Any:
        return self.cells(_content(item), depth)

    def cells(self, references: NDArray[Any], depth: int) -> Any:
        """Return what references stand for, as a cell array."""
        references = _reversed(references)
        items = [self._referred(ref, depth) for ref in references.ravel(order="F")]
        bad = next((x for x in items if isinstance(x, Unsupported)), None)
        return bad or CellArray(object_array(items, references.shape))

    def _referred(self, reference: Any, depth: int) -> Any:
        if not reference:
            return from_numpy(np.zeros((0, 0)))
        return self.value(self.file[reference], depth + 1)

    def _group(self, group: Any, depth: int) -> Any:
        """Return a struct: 1x1 where fields are values, an array where all are references."""
        order = self._field_names(group)
        names = order if sorted(order) == sorted(group) else list(group)
        fields = [group[name] for name in names]
        is_array = bool(fields) and all(
            isinstance(field, self.h5py.Dataset)
            and field.dtype == self.h5py.ref_dtype
            and "MATLAB_class" not in field.attrs
            for field in fields
        )
        if not is_array:
            record = {
                name: self.value(field, depth + 1)
                for name, field in zip(names, fields, strict=True)
            }
            bad = next((x for x in record.values() if isinstance(x, Unsupported)), None)
            return bad or StructArray(record)
        tables = [_reversed(_content(field)) for field in fields]
        shape = tables[0].shape
        if any(table.shape != shape for table in tables):
            raise CorruptError("fields of a struct array differ in size")
        columns = [[self._referred(r, depth) for r in t.ravel(order="F")] for t in tables]
        bad = next((x for column in columns for x in column if isinstance(x, Unsupported)), None)
        if bad is not None:
            return bad
        records = [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
        return struct_array(records, shape, names)

    def _sparse(self, group: Any, kind: str) -> Any:
        csc_array = package("scipy.sparse").csc_array

        rows = int(group.attrs["MATLAB_sparse"])
        start = _content(group["jc"]).astype(np.int64).ravel()
        check_size((rows,), 1)
        if "data" in group:
            data, row = (_content(group[name]).ravel() for name in ("data", "ir"))
        else:
            data, row = np.zeros(0), np.zeros(0)
        if data.dtype.names:
            data = data["real"] + 1j * data["imag"]
        values = (
            data != 0
            if kind == "logical"
            else data.astype(complex if data.dtype.kind == "c" else float)
        )
        if not start.size or row.size != values.size:
            raise CorruptError("a sparse matrix is damaged")
        matrix = csc_array((values, row.astype(np.int64), start), shape=(rows, start.size - 1))
        matrix.check_format(full_check=True)
        return SparseArray(matrix)


def _content(item: Any) -> NDArray[Any]:
    """Return the elements of a data set, no more than what is stored can unfold to."""
    octets = item.size * max(item.dtype.itemsize, 1)
    if octets > _RATIO * item.id.get_storage_size() + (1 << 16):
        raise CorruptError("an array is larger than what is stored of it")
    check_size(item.shape, max(item.dtype.itemsize, 1))
    return np.asarray(item[()])


def _matlab_shape(extents: tuple[int, ...]) -> tuple[int, ...]:
    shape = extents if len(extents) > 1 else (*extents, *[1] * (2 - len(extents)))
    while len(shape) > 2 and shape[-1] == 1:
        shape = shape[:-1]
    return shape


def _reversed(data: NDArray[Any]) -> NDArray[Any]:
    """Return an array with its axes as MATLAB has them."""
    data = np.atleast_2d(data).T
    return np.asfortranarray(data.reshape(_matlab_shape(data.shape), order="F"))
