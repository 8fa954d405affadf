"""h5create, h5read and h5write: data sets of HDF5 files."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import nearest, whole
from runmat_core.builtins.files.hdf5_values import (
    File,
    checked,
    opened,
    stored,
    text_argument,
    value_of,
)
from runmat_core.builtins.text.support import option_pairs
from runmat_core.values import to_numpy, truth
from runmat_core.values.classes import DTYPE

_OPTIONS = {
    name: name
    for name in (
        "Datatype ChunkSize Deflate FillValue Fletcher32 Shuffle TextEncoding CustomFilterID "
        "CustomFilterParameters"
    ).split()
}


@builtin("h5create", family="files/hdf5", nargin=(3, None), needs=("interp",))
def h5create(filename: Any, ds: Any, sz: Any, *options: Any, interp: Interp) -> None:
    """Create a data set in an HDF5 file.

    h5create(filename, ds, sz) creates the data set ds of size sz, and the file and groups where
    they are missing. Inf in sz lets a dimension grow without end.
    h5create(..., Name, Value) takes 'Datatype' ('double', the other classes of numbers, 'string'),
    'ChunkSize', 'Deflate' (0 to 9), 'FillValue', 'Fletcher32', 'Shuffle' and 'TextEncoding'.

    The package h5py is needed.

    Examples:
        >> f = [tempname '.h5'];
        >> h5create(f, '/results/A', [2 3]), h5write(f, '/results/A', [8 1 6; 3 5 7])
        >> h5read(f, '/results/A')
        ans =
             8     1     6
             3     5     7

    See also: h5write, h5read, h5info.
    """
    name = text_argument("h5create", "ds", ds)
    size = _size(sz)
    unknown = MatlabError("MATLAB:imagesci:h5create:unknownParameter", "Unrecognized parameter.")
    given = option_pairs(options, _OPTIONS, unknown)
    with opened("h5create", filename, interp, "a") as file:
        if not name.startswith("/") or name.endswith("/"):
            raise file.error(
                "notFullPath", f"'{name}' is no name of a dataset: it begins with '/'."
            )
        if name in file.file:
            raise file.error("datasetAlreadyExists", f"The dataset '{name}' already exists.")
        facts = _creation(file, size, given)
        shape = tuple(0 if math.isinf(n) else int(n) for n in reversed(size))
        most = tuple(None if math.isinf(n) else int(n) for n in reversed(size))
        if most != shape:
            facts["maxshape"] = most
        file.file.create_dataset(name, shape, **facts)


def _size(value: Any) -> list[float]:
    """Return the size of a data set; of a number, that of a list."""
    data = np.asarray(to_numpy(value)).ravel() if not isinstance(value, str) else np.zeros(0)
    good = data.size > 0 and data.dtype.kind in "biuf" and bool(np.all(data >= 0))
    numbers = [float(n) for n in data] if good else []
    if not numbers or any(math.isnan(n) or (n % 1 and not math.isinf(n)) for n in numbers):
        raise MatlabError(
            "MATLAB:imagesci:h5create:invalidSize",
            "Expected the size to be a row of nonnegative integers or Inf.",
        )
    return numbers


def _creation(file: File, size: list[float], given: dict[str, Any]) -> dict[str, Any]:
    """Return what h5py is told of a data set that is made."""
    chosen = given.get("Datatype")
    kind = "double" if chosen is None else text_argument("h5create", "Datatype", chosen)
    facts: dict[str, Any] = {}
    if kind == "string":
        facts["dtype"] = file.h5py.string_dtype()
    elif kind in DTYPE and kind != "logical":
        facts["dtype"] = DTYPE[kind]
    else:
        raise file.error(
            "unrecognizedDatatype",
            f"Unrecognized datatype '{kind}'.{nearest(kind, (*DTYPE, 'string'))}",
        )
    if "ChunkSize" in given:
        chunks = [float(n) for n in whole(given["ChunkSize"], "h5create").ravel()]
        limits = zip(chunks, size, strict=False)
        if len(chunks) != len(size) or any(not 1 <= n <= most for n, most in limits):
            raise file.error(
                "invalidChunkSize", "The chunk size must be positive and no larger than the size."
            )
        facts["chunks"] = tuple(int(n) for n in reversed(chunks))
    elif any(math.isinf(n) for n in size):
        raise file.error("chunkSizeRequired", "Dimensions of size Inf need 'ChunkSize'.")
    for option, name in (("Fletcher32", "fletcher32"), ("Shuffle", "shuffle")):
        if option in given and truth(given[option]):
            facts[name] = True
    if "Deflate" in given:
        level = int(whole(given["Deflate"], "h5create").flat[0])
        if not 0 <= level <= 9:
            raise file.error("invalidDeflate", "Expected Deflate to be an integer from 0 to 9.")
        if level:
            facts |= {"compression": "gzip", "compression_opts": level}
    if "CustomFilterID" in given:
        facts["compression"] = int(whole(given["CustomFilterID"], "h5create").flat[0])
    if facts.keys() & {"fletcher32", "shuffle", "compression"} and "chunks" not in facts:
        raise file.error("chunkSizeRequired", "Filters need 'ChunkSize'.")
    if "FillValue" in given and kind != "string":
        facts["fillvalue"] = np.asarray(to_numpy(given["FillValue"])).flat[0]
    return facts


@builtin("h5read", family="files/hdf5", nargin=(2, 5), needs=("interp",))
def h5read(
    filename: Any,
    ds: Any,
    start: Any = None,
    count: Any = None,
    stride: Any = None,
    *,
    interp: Interp,
) -> Any:
    """Read a data set of an HDF5 file.

    data = h5read(filename, ds) reads all of the data set ds. Numbers keep their class; texts are a
    string array, enumerations a cell array of names, compounds a struct of arrays.
    data = h5read(filename, ds, start, count) reads count elements of each dimension from start on;
    a count of Inf reads to the end. h5read(filename, ds, start, count, stride) leaves out those
    between.

    The package h5py is needed.

    Examples:
        >> f = [tempname '.h5'];
        >> h5create(f, '/x', [1 6]), h5write(f, '/x', 10:10:60)
        >> h5read(f, '/x', [1 2], [1 3], [1 2])
        ans =
            20    40    60

    See also: h5write, h5create, h5info, h5readatt.
    """
    name = text_argument("h5read", "ds", ds)
    with opened("h5read", filename, interp) as file:
        item = file.dataset(name)
        if item.shape is None or start is None:
            checked(item, () if item.shape is None else None)
            return value_of(file.h5py, item[()], item.dtype)
        if count is None:
            raise file.error("invalidArguments", "START and COUNT must be given together.")
        where = _places(file, item.shape, start, count, stride)
        checked(item, tuple(len(range(part.start, part.stop, part.step)) for part in where))
        return value_of(file.h5py, item[where], item.dtype)


def _places(
    file: File, shape: tuple[int, ...], start: Any, count: Any, stride: Any, grows: bool = False
) -> tuple[slice, ...]:
    """Return the part of a data set that MATLAB's start, count and stride mean.

    Raises:
        MatlabError: they do not fit the data set.
    """
    first = _numbers(file, "START", start, len(shape))
    steps = [1.0] * len(shape) if stride is None else _numbers(file, "STRIDE", stride, len(shape))
    counts = _numbers(file, "COUNT", count, len(shape), ends=True)
    where = []
    for begin, step, wanted, extent in zip(first, steps, counts, reversed(shape), strict=True):
        most = math.floor((extent - begin) / step) + 1
        number = most if math.isinf(wanted) else int(wanted)
        if number < 1 or (number > most and not grows):
            raise file.error(
                "selectionOutOfBounds", "START, COUNT and STRIDE reach beyond the dataset."
            )
        low = int(begin) - 1
        where.append(slice(low, low + int(step) * (number - 1) + 1, int(step)))
    return tuple(reversed(where))


def _numbers(file: File, what: str, value: Any, count: int, ends: bool = False) -> list[float]:
    data = np.asarray(to_numpy(value)).ravel()
    numbers = [float(n) for n in data] if data.dtype.kind in "biuf" else []
    good = all(n >= 1 and (n % 1 == 0 if math.isfinite(n) else ends) for n in numbers)
    if len(numbers) != count or not good:
        raise file.error(
            f"invalid{what.capitalize()}", f"{what} must be {count} positive integers."
        )
    return numbers


@builtin("h5write", family="files/hdf5", nargin=(3, 6), needs=("interp",))
def h5write(
    filename: Any,
    ds: Any,
    data: Any,
    start: Any = None,
    count: Any = None,
    stride: Any = None,
    *,
    interp: Interp,
) -> None:
    """Write to a data set of an HDF5 file, which h5create has made.

    h5write(filename, ds, data) writes the whole of the data set ds.
    h5write(filename, ds, data, start, count) writes a part; dimensions made with Inf grow.
    h5write(filename, ds, data, start, count, stride) leaves out elements between.

    The package h5py is needed.

    Examples:
        >> f = [tempname '.h5'];
        >> h5create(f, '/x', [1 Inf], 'ChunkSize', [1 100])
        >> h5write(f, '/x', [1 2 3], [1 1], [1 3]), h5write(f, '/x', 9, [1 5], [1 1])
        >> h5read(f, '/x')
        ans =
             1     2     3     0     9

    See also: h5create, h5read, h5writeatt.
    """
    name = text_argument("h5write", "ds", ds)
    with opened("h5write", filename, interp, "r+") as file:
        item = file.dataset(name)
        elements = stored(file, data)
        if (elements.dtype == object) != (file.h5py.check_string_dtype(item.dtype) is not None):
            raise file.error("datatypeMismatch", "The class of the data is not the dataset's.")
        rank = len(item.shape)
        if start is None and None in item.maxshape:
            raise file.error(
                "startCountRequired", "A dataset that can grow is written with START and COUNT."
            )
        if start is None:
            where = tuple(slice(0, extent, 1) for extent in item.shape)
        elif count is None:
            raise file.error("invalidArguments", "START and COUNT must be given together.")
        else:
            where = _places(file, item.shape, start, count, stride, grows=True)
        shape = tuple(len(range(part.start, part.stop, part.step)) for part in where)
        _fit(file, elements.shape, shape, rank)
        needed = tuple(
            max(extent, part.stop) for extent, part in zip(item.shape, where, strict=True)
        )
        if needed != item.shape:
            _grow(file, item, needed)
        item[where] = np.ascontiguousarray(elements.T).reshape(shape)


def _fit(file: File, given: tuple[int, ...], shape: tuple[int, ...], rank: int) -> None:
    """Refuse data of another size than that of the part it is written to."""
    wanted = tuple(reversed(shape))
    same = (
        [n for n in given if n != 1] == [n for n in wanted if n != 1]
        if rank < 2
        else (given[:rank] + (1,) * (rank - len(given)) == wanted and math.prod(given[rank:]) == 1)
    )
    if not same:
        sizes = "-by-".join(map(str, wanted)), "-by-".join(map(str, given))
        raise file.error(
            "sizeMismatch", f"The dataset's part is {sizes[0]}, and the data is {sizes[1]}."
        )


def _grow(file: File, item: Any, needed: tuple[int, ...]) -> None:
    limits = zip(needed, item.maxshape, strict=True)
    if any(most is not None and extent > most for extent, most in limits):
        raise file.error("selectionOutOfBounds", "START and COUNT reach beyond the dataset.")
    item.resize(needed)
