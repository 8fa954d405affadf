"""fread and fwrite: numbers in files."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import integer
from runmat_core.builtins.files import bits
from runmat_core.builtins.files.bits import BitType, bit_type
from runmat_core.builtins.files.table import byte_order, file_number, files
from runmat_core.builtins.text.sscanf import read_size
from runmat_core.builtins.text.support import maybe_text, scalar_text
from runmat_core.values import CharArray, StringArray, from_numpy, to_numpy
from runmat_core.values.classes import cast_array

#: NumPy's type for each precision, without byte order.
_TYPES = {
    "uint": "u4",
    "uint8": "u1",
    "uint16": "u2",
    "uint32": "u4",
    "uint64": "u8",
    "uchar": "u1",
    "unsigned char": "u1",
    "ushort": "u2",
    "ulong": "u8",
    "int": "i4",
    "int8": "i1",
    "int16": "i2",
    "int32": "i4",
    "int64": "i8",
    "integer*1": "i1",
    "integer*2": "i2",
    "integer*4": "i4",
    "integer*8": "i8",
    "schar": "i1",
    "signed char": "i1",
    "short": "i2",
    "long": "i8",
    "single": "f4",
    "double": "f8",
    "float": "f4",
    "float32": "f4",
    "float64": "f8",
    "real*4": "f4",
    "real*8": "f8",
    "char": "char",
    "char*1": "char",
    "logical": "u1",
}
_CLASS = {
    "u1": "uint8", "u2": "uint16", "u4": "uint32", "u8": "uint64",
    "i1": "int8", "i2": "int16", "i4": "int32", "i8": "int64",
    "f4": "single", "f8": "double", "char": "char",
}  # fmt: skip
_PRECISION = re.compile(r"\s*(?:(\d+)\*)?(\*)?([A-Za-z][\w* ]*?)\s*(?:=>\s*([A-Za-z]\w*))?\s*\Z")


def _parse(text: str) -> tuple[str | BitType, str, int]:
    """Return the stored type, the class of the result and the block length of a precision."""
    match = _PRECISION.match(text)
    source = (_TYPES.get(match[3]) or bit_type(match[3])) if match else None
    if match is None or source is None:
        raise MatlabError("MATLAB:badprecision_mx", f"Invalid precision: '{text}'.")
    if match[4]:
        wanted = _TYPES.get(match[4])
        if wanted is None:
            raise MatlabError("MATLAB:badprecision_mx", f"Invalid precision: '{text}'.")
        result = _CLASS[wanted]
    elif match[2]:
        result = source.class_name if isinstance(source, BitType) else _CLASS[source]
    else:
        result = "double"
    return source, result, int(match[1] or 1)


def _order(machine: Any, default: str) -> str:
    if machine is None:
        return default
    error = MatlabError("MATLAB:FileIO:InvalidMachineFormat", "Invalid machine format.")
    order = byte_order(scalar_text(machine, error))
    if order is None:
        raise error
    return order


@builtin("fread", family="files/binary", nargin=(1, 5), nargout=2, needs=("nargout", "interp"))
def fread(
    identifier: Any,
    size: Any = None,
    precision: Any = None,
    skip: Any = None,
    machine: Any = None,
    *,
    nargout: int,
    interp: Interp,
) -> Any:
    """Read numbers from a file.

    A = fread(fid) reads the rest of the file as bytes into a column.
    A = fread(fid, sizeA, precision, skip, machinefmt) reads Inf, n, [m n] or [m Inf] values.
    'int16' gives double, '*int16' int16, 'uint8=>char' char; skip is a number of bytes left out
    after each value, or block with 'N*int16'; machinefmt is 'n', 'l' or 'b'.
    'ubit5' and 'bit5' are numbers of 5 bits, of any count up to 64; then skip is a number of bits.
    [A, count] = fread(...) also returns the number of values.

    Examples:
        >> fid = fopen(tempname, 'w+'); fwrite(fid, [1 2 3], 'int16'); frewind(fid);
        >> fread(fid, [1 Inf], 'int16'), fclose(fid);
        ans =
             1     2     3

    See also: fwrite, fopen, fscanf.
    """
    if maybe_text(size) is not None:
        # fread(fid, precision)
        size, precision, skip, machine = None, size, precision, skip
    file = files(interp).get(identifier)
    error = MatlabError("MATLAB:badprecision_mx", "The precision must be text.")
    kind, result_class, block = _parse(
        "uint8" if precision is None else scalar_text(precision, error)
    )
    order = _order(machine, file.order)
    limit, rows, _ = read_size("fread", size)
    gap = 0 if skip is None else integer(skip)
    if not file.readable:
        values: np.ndarray[Any, Any] = np.zeros(0, dtype=np.uint8)
    elif kind == "char":
        values = _read_chars(file, limit)
    elif isinstance(kind, BitType):
        values = bits.read(file, kind, order, limit, gap, block)
    else:
        values = _read_numbers(file, np.dtype(order + kind), limit, gap, block)
    made = _result(_shape(values, rows), result_class)
    return made if nargout < 2 else (made, float(values.size))


def _read_chars(file: Any, limit: float) -> np.ndarray[Any, Any]:
    here = file.tell()
    text = file.decode(file.read())
    if limit < len(text):
        text = text[: int(limit)]
        file.seek(here + len(text.encode(file.encoding, "replace")), 0)
    units = np.frombuffer(text.encode("utf-16-le", "surrogatepass"), dtype="<u2")
    return units.astype(np.uint16)


def _read_numbers(
    file: Any, dtype: np.dtype[Any], limit: float, gap: int, block: int
) -> np.ndarray[Any, Any]:
    if not gap:
        count = -1 if limit == float("inf") else int(limit) * dtype.itemsize
        octets = file.read(count)
        usable = len(octets) - len(octets) % dtype.itemsize
        return np.frombuffer(octets[:usable], dtype=dtype)
    pieces: list[np.ndarray[Any, Any]] = []
    total = 0
    while total < limit:
        wanted = int(min(block, limit - total))
        octets = file.read(wanted * dtype.itemsize)
        usable = len(octets) - len(octets) % dtype.itemsize
        pieces.append(np.frombuffer(octets[:usable], dtype=dtype))
        total += usable // dtype.itemsize
        if file.at_end or len(file.read(gap)) < gap:
            break
    return np.concatenate(pieces) if pieces else np.zeros(0, dtype=dtype)


def _shape(values: np.ndarray[Any, Any], rows: int | None) -> np.ndarray[Any, Any]:
    if values.size == 0:
        return values.reshape(0, 0)
    if rows is None:
        return values.reshape(-1, 1)
    columns = -(-values.size // rows)
    padded = np.zeros(rows * columns, dtype=values.dtype)
    padded[: values.size] = values
    return padded.reshape((rows, columns), order="F")


def _result(values: np.ndarray[Any, Any], result_class: str) -> Any:
    if result_class == "char":
        return CharArray(values.astype(np.uint16, order="F"))
    # a copy: what was read lies in immutable bytes
    return from_numpy(np.array(cast_array(values, result_class), order="F"))


@builtin("fwrite", family="files/binary", nargin=(2, 5), needs=("interp",))
def fwrite(
    identifier: Any,
    values: Any,
    precision: Any = None,
    skip: Any = None,
    machine: Any = None,
    *,
    interp: Interp,
) -> float:
    """Write numbers to a file.

    fwrite(fid, A) writes the elements as bytes in column order.
    count = fwrite(fid, A, precision, skip, machinefmt) writes 'int16', 'double' and so on, with
    skip bytes passed over before each value, and returns the number of values; or 'ubit5', 'bit5'
    and so on with skip bits of zero.

    Examples:
        >> fid = fopen(tempname, 'w'); fwrite(fid, [1 2 3], 'double'), fclose(fid);
        ans =
             3

    See also: fread, fopen, fprintf.
    """
    error = MatlabError("MATLAB:badprecision_mx", "The precision must be text.")
    kind, _, block = _parse("uint8" if precision is None else scalar_text(precision, error))
    if isinstance(values, StringArray):
        values = CharArray("".join(str(item) for item in values.data.ravel(order="F")))
    number = file_number(identifier)
    if isinstance(values, CharArray) and (kind == "char" or (kind == "u1" and number in (1, 2))):
        text = values.text()
        if number in (1, 2):
            (interp.write if number == 1 else interp.write_error)(text)
        else:
            files(interp).get(identifier).write_text(text)
        return float(len(text))
    array = np.asarray(to_numpy(values)).ravel(order="F")
    if number in (1, 2):
        interp.write(_saturated(array, np.dtype("u1")).tobytes().decode("utf-8", "replace"))
        return float(array.size)
    file = files(interp).get(identifier)
    gap = 0 if skip is None else integer(skip)
    if isinstance(kind, BitType):
        bits.write(file, array, kind, _order(machine, file.order), gap, block)
        return float(array.size)
    dtype = np.dtype(_order(machine, file.order) + ("u1" if kind == "char" else kind))
    stored = _saturated(array, dtype)
    if not gap:
        file.write(stored.tobytes())
    else:
        for at in range(0, stored.size, block):
            file.seek(file.tell() + gap, 0)
            file.write(stored[at : at + block].tobytes())
    return float(array.size)


def _saturated(array: np.ndarray[Any, Any], dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """Return the numbers as they are stored, rounded and saturated as integer classes are."""
    return np.asarray(cast_array(array.real, _CLASS[dtype.str[1:]]), dtype=dtype)
