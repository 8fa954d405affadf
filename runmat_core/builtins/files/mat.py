"""Values to and from MAT files of version 5 to 7, through scipy.io.

scipy is imported only when a file is read or written.
"""

from __future__ import annotations

import os
import warnings
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np

from runmat_core.api.errors import MatlabError
from runmat_core.values import (
    Array,
    CellArray,
    CharArray,
    SparseArray,
    StringArray,
    StructArray,
    class_of,
    from_numpy,
    to_numpy,
)
from runmat_core.values.cell import object_array
from runmat_core.values.struct import struct_array

Warn = Callable[[str, str], None]


class UnsupportedError(Exception):
    """A value that a MAT file of this version cannot hold here."""


def read_mat(path: str, name: str) -> dict[str, Any]:
    """scipy's arrays of the variables in a MAT file, in the order of the file."""
    from scipy.io.matlab import MatReadError

    try:
        raw = _load(path)
    except NotImplementedError:
        raise MatlabError(
            "MATLAB:load:unsupportedVersion",
            f"Unable to read file '{name}': MAT files of version 7.3 are not supported.",
        ) from None
    except (MatReadError, zlib.error, ValueError, TypeError, EOFError, OSError) as problem:
        raise MatlabError(
            "MATLAB:load:notBinaryFile",
            f"Unable to read MAT-file '{name}'. File might be corrupt.",
        ) from problem
    return {key: item for key, item in raw.items() if not key.startswith("__")}


def _load(path: str) -> dict[str, Any]:
    """Arrays in their MATLAB classes.

    Integers in the file may stand for doubles, so scipy has to convert to the class of the
    variable; but in doing so it drops imaginary parts, which are then taken from a second reading.
    """
    from scipy.io import loadmat

    def read(in_class: bool) -> dict[str, Any]:
        loaded: dict[str, Any] = loadmat(
            path, appendmat=False, mat_dtype=in_class, chars_as_strings=False
        )
        return loaded

    with warnings.catch_warnings():
        # either of scipy's sparse classes will do
        warnings.filterwarnings("ignore", ".*spmatrix", DeprecationWarning)
        warnings.simplefilter("error", np.exceptions.ComplexWarning)
        try:
            return read(in_class=True)
        except np.exceptions.ComplexWarning:
            warnings.simplefilter("ignore", np.exceptions.ComplexWarning)
            stored = read(in_class=False)
            return {key: _with_imaginary(item, stored[key]) for key, item in read(True).items()}


def _with_imaginary(item: Any, stored: Any) -> Any:
    """`item`, with the complex arrays in it as they are in `stored`."""
    if not isinstance(item, np.ndarray):
        return item
    if stored.dtype.kind == "c":
        return stored
    if item.dtype.names is not None:
        for place in np.ndindex(item.shape):
            for field in item.dtype.names:
                item[place][field] = _with_imaginary(item[place][field], stored[place][field])
    elif item.dtype.kind == "O":
        for place in np.ndindex(item.shape):
            item[place] = _with_imaginary(item[place], stored[place])
    return item


def write_mat(path: str, variables: dict[str, Any], compress: bool) -> None:
    """Write scipy's arrays of variables as a MAT file of version 5."""
    from scipy.io import savemat

    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        savemat(
            temporary,
            variables,
            appendmat=False,
            format="5",
            long_field_names=True,
            do_compression=compress,
            oned_as="row",
        )
        os.replace(temporary, path)
    finally:
        if os.path.exists(temporary):
            os.remove(temporary)


def to_mat(value: Any) -> Any:
    """A value as scipy writes it."""
    if isinstance(value, CharArray):
        return _char_to_mat(value)
    if isinstance(value, StringArray):
        # the format keeps strings as opaque objects, which scipy cannot write
        texts = [item if isinstance(item, str) else "" for item in value.data.ravel(order="F")]
        if len(texts) == 1:
            return np.array([texts[0]])
        return object_array([np.array([text]) for text in texts], value.data.shape)
    if isinstance(value, CellArray):
        return object_array([to_mat(item) for item in value.items()], value.data.shape)
    if isinstance(value, StructArray):
        return _struct_to_mat(value)
    if isinstance(value, SparseArray):
        return value.data.tocsc()
    if isinstance(value, float | bool | complex | Array):
        return np.asarray(to_numpy(value))
    raise UnsupportedError(class_of(value))


def _char_to_mat(value: CharArray) -> Any:
    if value.is_row:
        return np.array([value.text()])
    units = value.data
    if units.ndim == 2 and units.size:
        return np.array(value.rows())
    characters = [chr(code) for code in units.ravel(order="F").tolist()]
    return np.array(characters, dtype="U1").reshape(units.shape, order="F")


def _struct_to_mat(value: StructArray) -> Any:
    names = list(value.field_names())
    records = value.records()
    if value.shape == (1, 1):
        return {name: to_mat(records[0][name]) for name in names}
    array = np.empty(value.shape, dtype=[(name, object) for name in names])
    flat = array.ravel(order="F")
    for at, record in enumerate(records):
        for name in names:
            flat[at][name] = to_mat(record[name])
    return flat.reshape(value.shape, order="F")


def from_mat(raw: Any) -> Any:
    """What scipy read as a value."""
    from scipy.io.matlab import MatlabFunction, MatlabOpaque
    from scipy.sparse import issparse

    if issparse(raw):
        return SparseArray(raw)
    if isinstance(raw, MatlabFunction | MatlabOpaque):
        raise UnsupportedError(type(raw).__name__)
    if isinstance(raw, np.void):
        return StructArray({name: from_mat(raw[name]) for name in raw.dtype.names or ()})
    if raw.dtype.names is not None:
        return _struct_from_mat(raw)
    if raw.dtype.kind == "O":
        if raw.size and all(item is None for item in raw.ravel()):
            # what scipy makes of structs without fields
            return struct_array([{} for _ in range(raw.size)], raw.shape)
        items = [from_mat(item) for item in raw.ravel(order="F")]
        return CellArray(object_array(items, raw.shape))
    if raw.dtype.kind == "U":
        return _char_from_mat(raw)
    return from_numpy(np.array(raw, order="F"))


def _struct_from_mat(raw: Any) -> StructArray:
    names = raw.dtype.names
    records = [{name: from_mat(item[name]) for name in names} for item in raw.ravel(order="F")]
    return struct_array(records, raw.shape, names)


def _char_from_mat(raw: Any) -> CharArray:
    if raw.ndim == 1:
        # texts as wide as the array's type
        return CharArray("".join(raw.tolist())) if raw.size else CharArray("")
    codes = np.array([ord(char) if char else 32 for char in raw.ravel(order="F")], np.uint16)
    units = codes.reshape(raw.shape, order="F")
    if units.ndim == 2 and units.shape[0] == 1 and units.size:
        return CharArray("".join(map(chr, units[0])))
    return CharArray(units)
