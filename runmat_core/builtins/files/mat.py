"""Values from MAT files of any version, and to those of version 5 to 7 through scipy.io.

scipy is imported only when a file is written.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from runmat_core.api.errors import MatlabError
from runmat_core.builtins.files.mat4 import read_mat4
from runmat_core.builtins.files.mat5 import HEADER, read_mat5
from runmat_core.builtins.files.mat_values import CorruptError
from runmat_core.values import (
    Array,
    CellArray,
    CharArray,
    SparseArray,
    StringArray,
    StructArray,
    class_of,
    to_numpy,
)
from runmat_core.values.cell import object_array

#: What HDF5 files begin with; those of MATLAB have a text of 512 bytes before it.
_HDF5 = b"\x89HDF\r\n\x1a\n"


class UnsupportedError(Exception):
    """A value that a MAT file of this version cannot hold here."""


def is_hdf5(path: str) -> bool:
    """Whether a file is of version 7.3, which is HDF5."""
    with open(path, "rb") as stream:
        start = stream.read(512 + len(_HDF5))
    return start.startswith(_HDF5) or start[512:] == _HDF5


def read_mat(path: str, name: str) -> dict[str, Any]:
    """The variables in a MAT file, in its order; `Unsupported` where there is no value for one."""
    try:
        if is_hdf5(path):
            from runmat_core.builtins.files.mat73 import read_mat73

            return read_mat73(path)
        with open(path, "rb") as stream:
            data = stream.read()
        if 0 in data[:4] and data[126:128] not in (b"IM", b"MI"):
            return read_mat4(data)
        if len(data) < HEADER:
            raise CorruptError("the file is too short")
        return read_mat5(data)
    except (CorruptError, OSError) as problem:
        raise MatlabError(
            "MATLAB:load:notBinaryFile",
            f"Unable to read MAT-file '{name}'. File might be corrupt.",
        ) from problem


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
