"""Values in HDF5 files: what the types of the format are in MATLAB, and files opened through h5py.

Axes are in reverse: what HDF5 stores row by row is an array column by column.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import check_size
from runmat_core.builtins.files.mat73 import load_h5py
from runmat_core.builtins.files.table import find_readable, resolve_path
from runmat_core.builtins.text.support import row, scalar_text
from runmat_core.values import (
    Array,
    CellArray,
    CharArray,
    StringArray,
    StructArray,
    class_of,
    from_numpy,
    to_numpy,
)
from runmat_core.values.cell import empty_double, object_array

_RESERVED = (RuntimeError, KeyError, ValueError, TypeError, IndexError, OverflowError)


class File:
    """An HDF5 file that one builtin has opened.

    Attributes:
        h5py: the package.
        file: the file as the package sees it.
        function: the builtin's name, which identifiers of errors contain.
    """

    def __init__(self, h5py: Any, file: Any, function: str, name: str) -> None:
        self.h5py, self.file, self.function, self.name = h5py, file, function, name

    def error(self, kind: str, text: str) -> MatlabError:
        return MatlabError(f"MATLAB:imagesci:{self.function}:{kind}", text)

    def item(self, location: str) -> Any:
        """Return the group or data set at a place.

        Raises:
            MatlabError: there is none.
        """
        if not location.startswith("/"):
            raise self.error(
                "notFullPath", f"Unable to find '{location}': locations begin with '/'."
            )
        found = self.file.get(location)
        if found is None:
            raise self.error(
                "unableToFind", f"Unable to find object '{location}' in '{self.name}'."
            )
        return found

    def dataset(self, location: str) -> Any:
        """Return the data set at a place.

        Raises:
            MatlabError: there is none.
        """
        found = self.item(location)
        if not isinstance(found, self.h5py.Dataset):
            raise self.error("notADataset", f"'{location}' is not a dataset.")
        return found


def text_argument(function: str, what: str, value: Any) -> str:
    """Return a file name, location or name of an attribute."""
    return scalar_text(
        value,
        MatlabError(
            f"MATLAB:{function}:invalidType",
            f"Expected {what} to be a character vector or string scalar.",
        ),
    )


@contextmanager
def opened(function: str, filename: Any, interp: Interp, mode: str = "r") -> Iterator[File]:
    """Yield an HDF5 file, closed afterwards.

    Raises:
        MatlabError: it is not there, is no HDF5 file, or does not hold what it says.
    """
    name = text_argument(function, "filename", filename)
    h5py = load_h5py("HDF5 files")
    path = resolve_path(interp, name) if mode != "r" else find_readable(interp, name)
    if mode != "a" and not os.path.isfile(path):
        raise MatlabError(
            "MATLAB:imagesci:validate:fileOpen", f"Unable to open file '{name}': no such file."
        )
    try:
        with h5py.File(path, mode) as file:
            yield File(h5py, file, function, name)
    except OSError as problem:
        raise MatlabError(
            "MATLAB:imagesci:hdf5lib:libraryError", f"Unable to use '{name}': {problem}."
        ) from None
    except _RESERVED as problem:
        text = str(problem).strip("'\"")
        raise MatlabError("MATLAB:imagesci:hdf5lib:libraryError", f"HDF5: {text}.") from None


def value_of(h5py: Any, data: Any, kind: Any) -> Any:
    """Return what elements of a file are as a MATLAB value; `kind` is their type in the file."""
    if isinstance(data, h5py.Empty):
        return StringArray(np.empty((0, 0), object)) if _is_text(h5py, kind) else empty_double()
    elements = turned(np.asarray(data, dtype=object if _is_text(h5py, kind) else None))
    if _is_text(h5py, kind):
        return StringArray(_each(elements, text_of))
    names = {"FALSE": 0, "TRUE": 1} if kind.kind == "b" else h5py.check_enum_dtype(kind)
    if names is not None:
        known = {number: name for name, number in names.items()}
        return CellArray(_each(elements, lambda x: row(known.get(int(x), str(int(x))))))
    if kind.names:
        return StructArray({n: value_of(h5py, data[n], kind[n]) for n in kind.names})
    if h5py.check_vlen_dtype(kind) is not None:
        inner = h5py.check_vlen_dtype(kind)
        return CellArray(_each(elements, lambda x: value_of(h5py, np.atleast_1d(x), inner)))
    if kind.subdtype is not None or kind.kind in "iuf":
        return from_numpy(_native(elements))
    if kind.kind == "c":
        return from_numpy(elements)
    raise MatlabError(
        "MATLAB:imagesci:hdf5lib:unsupportedType", f"HDF5 type '{kind}' is not supported."
    )


def _native(elements: NDArray[Any]) -> NDArray[Any]:
    if elements.dtype == np.float16:
        return elements.astype(np.float32)
    if elements.dtype.kind == "f" and elements.dtype.itemsize > 8:
        return elements.astype(np.float64)
    return elements.astype(elements.dtype.newbyteorder("="))


def _is_text(h5py: Any, kind: Any) -> bool:
    return h5py.check_string_dtype(kind) is not None


def text_of(item: Any) -> str:
    """Return a stored text, whatever its bytes are."""
    if isinstance(item, bytes):
        return item.rstrip(b"\0").decode("utf-8", "replace")
    return str(item)


def _each(elements: NDArray[Any], rule: Any) -> NDArray[Any]:
    made = [rule(item) for item in elements.ravel(order="F")]
    return object_array(made, elements.shape)


def turned(data: NDArray[Any]) -> NDArray[Any]:
    """Return an array with its axes as MATLAB has them; a list is a column."""
    turned = data.T
    shape = turned.shape
    if len(shape) < 2:
        shape = (*shape, *[1] * (2 - len(shape)))
    while len(shape) > 2 and shape[-1] == 1:
        shape = shape[:-1]
    return np.asfortranarray(turned.reshape(shape, order="F"))


def stored(file: File, value: Any) -> NDArray[Any]:
    """Return the elements of a value, still with MATLAB's axes: numbers or, for texts, objects.

    Raises:
        MatlabError: the format has no type for them here.
    """
    if isinstance(value, CharArray):
        return object_array([value.text()] if value.is_row else value.rows(), (1, 1))
    if isinstance(value, StringArray):
        return object_array(value.texts(), value.shape)
    if isinstance(value, CellArray) and all(isinstance(x, CharArray) for x in value.items()):
        return object_array([item.text() for item in value.items()], value.shape)
    if not isinstance(value, float | bool | Array):
        kind = "complex" if isinstance(value, complex) else class_of(value)
        raise file.error("datatypeNotSupported", f"Values of class '{kind}' cannot be written.")
    data = np.asarray(to_numpy(value))
    if data.dtype.kind == "c":
        raise file.error("complexNotSupported", "Complex numbers cannot be written.")
    return np.atleast_2d(data).astype(np.uint8) if data.dtype.kind == "b" else np.atleast_2d(data)


def checked(item: Any, shape: tuple[int, ...] | None = None) -> None:
    """Refuse to read what memory cannot hold, whatever the file says of its size."""
    check_size(item.shape if shape is None else shape, max(item.dtype.itemsize, 1))
