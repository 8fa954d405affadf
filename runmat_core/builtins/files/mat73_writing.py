"""Writes MAT files of version 7.3, which are HDF5, through h5py where it is installed."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from runmat_core.builtins.files.mat5_writing import replacing
from runmat_core.builtins.files.mat73 import load_h5py
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
from runmat_core.values.cell import object_array

_REFERENCES = "#refs#"
_SUBSYSTEM = "#subsystem#"
#: Names of fields that an attribute holds; more are a data set that it refers to.
_MOST_NAMES = 255


def write_mat73(path: str, variables: Mapping[str, Any], resizable: bool = False) -> dict[str, str]:
    """Write variables as a file of version 7.3.

    Args:
        resizable: whether arrays of numbers may grow in the file later.

    Returns:
        What was left out, and what about it the format cannot hold.
    """
    h5py = load_h5py()
    refused: dict[str, str] = {}
    # in memory first: HDF5 does not survive a disk that is full when it closes a file
    with h5py.File(path, "w", userblock_size=512, driver="core", backing_store=False) as file:
        writer = Writer(h5py, file)
        writer.resizable = resizable
        for name, value in variables.items():
            try:
                writer.write(file, name, value)
            except UnsupportedError as problem:
                refused[name] = str(problem)
                if name in file:
                    del file[name]
        writer.finish()
        file.flush()
        image = file.id.get_file_image()
    stamp = time.strftime("%a %b %d %H:%M:%S %Y")
    text = f"MATLAB 7.3 MAT-file, Platform: runmat, Created on: {stamp} HDF5 schema 1.00 ."
    header = text.ljust(116).encode() + bytes(8) + b"\x00\x02IM"
    with replacing(path) as stream:
        stream.write(header.ljust(512, b"\x00"))
        stream.write(image)
    return refused


class Writer:
    """Writes values into one file.

    Attributes:
        resizable: whether arrays that are variables may grow in the file.
    """

    def __init__(self, h5py: Any, file: Any) -> None:
        self.h5py, self.file = h5py, file
        self.count = 0
        self.resizable = False
        self._objects: Any = None
        self._inside = False

    def write(self, group: Any, name: str, value: Any) -> Any:
        """Put a value into a group; returns the data set or group."""
        if isinstance(value, CharArray):
            return self._data(group, name, value.data, "char", decode=2)
        if isinstance(value, CellArray):
            return self._references(group, name, value.data, "cell")
        if isinstance(value, StructArray):
            return self._struct(group, name, value)
        if isinstance(value, SparseArray):
            return self._sparse(group, name, value)
        kind = class_of(value)
        if kind in OBJECT_CLASSES:
            return self._object(group, name, value, kind)
        if not isinstance(value, float | bool | complex | Array):
            raise UnsupportedError(kind)
        data = np.asarray(to_numpy(value))
        if kind == "logical":
            return self._data(group, name, data.astype(np.uint8), kind, decode=1)
        return self._data(group, name, data, kind)

    def _data(self, group: Any, name: str, data: Any, kind: str, decode: int = 0) -> Any:
        if not data.size:
            made = group.create_dataset(name, data=np.array(data.shape, np.uint64))
            made.attrs["MATLAB_empty"] = np.uint8(1)
        else:
            if data.dtype.kind == "c":
                part = np.float32 if data.dtype == np.complex64 else np.float64
                whole = np.empty(data.shape, [("real", part), ("imag", part)])
                whole["real"], whole["imag"] = data.real, data.imag
                data = whole
            packed: dict[str, Any] = {}
            if data.size > 1000:
                packed = {"compression": "gzip", "compression_opts": 3}
            if self.resizable and group == self.file:
                packed |= {"maxshape": (None,) * data.ndim, "chunks": True}
            made = group.create_dataset(name, data=np.ascontiguousarray(data.T), **packed)
        self._mark(made, kind, decode)
        return made

    def _object(self, group: Any, name: str, value: Any, kind: str) -> Any:
        """Return a reference to an object, marked as one if it is no part of another."""
        if self._objects is None:
            from runmat_core.builtins.files.mcos import ObjectWriter

            self._objects = ObjectWriter(self._referred)
        inside, self._inside = self._inside, True
        reference = self._objects.reference(value)
        self._inside = inside
        if inside:
            return self.write(group, name, reference)
        made = self._data(group, name, reference.data, kind)
        made.attrs["MATLAB_object_decode"] = np.int32(3)
        return made

    def _referred(self, value: Any) -> Any:
        """Return the reference to a value in the group for what has no name."""
        home = self.file.require_group(_REFERENCES)
        return self.write(home, self._free(home), value).ref

    def _free(self, home: Any) -> str:
        """Return a name that nothing in a group has yet."""
        self.count += 1
        while f"r{self.count}" in home:
            self.count += 1
        return f"r{self.count}"

    def finish(self) -> None:
        """Write the objects, once all variables are there."""
        if self._objects is None:
            return
        self._inside = True
        linking = np.frombuffer(self._objects.linking(), np.uint8).reshape(-1, 1)
        home = self.file.require_group(_REFERENCES)
        empty = home.create_dataset("empty", data=np.zeros(2, np.uint64))
        empty.attrs["MATLAB_empty"] = np.uint8(1)
        self._mark(empty, "canonical empty")
        cells = [self._referred(Array(linking)), empty.ref, *self._objects.cells]
        cells += [self._referred(value) for value in self._objects.of_classes()]
        table = np.empty((1, len(cells)), self.h5py.ref_dtype)
        table[0, :] = cells
        group = self.file.create_group(_SUBSYSTEM)
        made = group.create_dataset("MCOS", data=table, dtype=self.h5py.ref_dtype)
        self._mark(made, "FileWrapper__")
        made.attrs["MATLAB_object_decode"] = np.int32(3)

    def _mark(self, made: Any, kind: str, decode: int = 0) -> None:
        made.attrs["MATLAB_class"] = np.bytes_(kind)
        if decode:
            made.attrs["MATLAB_int_decode"] = np.int32(decode)

    def _references(self, group: Any, name: str, items: Any, kind: str) -> Any:
        if not items.size:
            return self._data(group, name, np.zeros(items.shape), kind)
        references = np.empty(items.shape, self.h5py.ref_dtype)
        for at, item in np.ndenumerate(items):
            references[at] = self._referred(item)
        made = group.create_dataset(name, data=references.T, dtype=self.h5py.ref_dtype)
        if kind:
            self._mark(made, kind)
        return made

    def _struct(self, group: Any, name: str, value: StructArray) -> Any:
        names = value.field_names()
        shape = value.shape
        if 0 in shape or not names:
            made = group.create_dataset(name, data=np.array(shape, np.uint64))
            made.attrs["MATLAB_empty"] = np.uint8(1)
        else:
            made = group.create_group(name)
            records = value.records()
            for field in names:
                if shape == (1, 1):
                    self.write(made, field, records[0][field])
                else:
                    column = object_array([record[field] for record in records], shape)
                    self._references(made, field, column, "")
        self._mark(made, "struct")
        if names:
            letters = self.h5py.vlen_dtype(np.dtype("S1"))
            table = np.empty(len(names), object)
            for k, field in enumerate(names):
                table[k] = np.array([c.encode() for c in field], "S1")
            if len(names) > _MOST_NAMES:
                home = self.file.require_group(_REFERENCES)
                listed = home.create_dataset(self._free(home), data=table, dtype=letters)
                made.attrs.create("MATLAB_fields", listed.ref, dtype=self.h5py.ref_dtype)
            else:
                made.attrs.create("MATLAB_fields", table, dtype=letters)
        return made

    def _sparse(self, group: Any, name: str, value: SparseArray) -> Any:
        matrix = value.data.tocsc()
        made = group.create_group(name)
        kind = class_of(value)
        self._mark(made, kind, decode=1 if kind == "logical" else 0)
        made.attrs["MATLAB_sparse"] = np.uint64(matrix.shape[0])
        made.create_dataset("jc", data=matrix.indptr.astype(np.uint64))
        if matrix.nnz:
            data = matrix.data.astype(np.uint8) if kind == "logical" else matrix.data
            if data.dtype.kind == "c":
                whole = np.empty(data.shape, [("real", float), ("imag", float)])
                whole["real"], whole["imag"] = data.real, data.imag
                data = whole
            made.create_dataset("data", data=data)
            made.create_dataset("ir", data=matrix.indices.astype(np.uint64))
        return made
