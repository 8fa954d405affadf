"""Strings and categorical arrays as the properties that MAT files keep of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from runmat_core.builtins.files.mat_values import CorruptError
from runmat_core.values import (
    CellArray,
    CharArray,
    StringArray,
    from_numpy,
    texts,
    to_numpy,
    truth,
)
from runmat_core.values.categorical import Categorical, Meaning
from runmat_core.values.cell import object_array
from runmat_core.values.string import MISSING

Properties = Mapping[str, Any]

#: The length of a missing string.
_NO_STRING = 2**64 - 1


def from_string(value: StringArray) -> dict[str, Any]:
    """Return a version, the size, the lengths, and all characters behind each other."""
    items = value.data.ravel(order="F").tolist()
    units = [_units(item) for item in items]
    lengths = [
        _NO_STRING if item is MISSING else len(unit) // 2
        for item, unit in zip(items, units, strict=True)
    ]
    packed = b"".join(units)
    packed += bytes(-len(packed) % 8)
    shape = value.data.shape
    head = np.array([1, len(shape), *shape, *lengths], np.uint64)
    words = np.concatenate([head, np.frombuffer(packed, "<u8").astype(np.uint64)])
    return {"any": from_numpy(words.reshape(1, -1))}


def _units(item: Any) -> bytes:
    return b"" if item is MISSING else str(item).encode("utf-16-le", "surrogatepass")


def to_string(content: Properties) -> StringArray:
    """Return the string array of its one property: version, size, lengths, characters."""
    words = to_numpy(content["any"])
    if words.dtype != np.uint64 or words.size < 3:
        raise CorruptError("a string is damaged")
    words = words.ravel(order="F")
    rank = int(words[1])
    shape = tuple(int(extent) for extent in words[2 : 2 + rank])
    count = 1
    for extent in shape:
        count *= extent
    if not 2 <= rank <= 64 or len(shape) != rank or count > words.size:
        raise CorruptError("a string is damaged")
    lengths = [int(n) for n in words[2 + rank : 2 + rank + count]]
    units = words[2 + rank + count :].astype("<u8").tobytes()
    items: list[Any] = []
    at = 0
    for length in lengths:
        if length == _NO_STRING:
            items.append(MISSING)
            continue
        end = at + 2 * length
        if end > len(units):
            raise CorruptError("a string is cut off")
        items.append(units[at:end].decode("utf-16-le", "surrogatepass"))
        at = end
    if len(items) != count:
        raise CorruptError("strings are missing")
    return StringArray(object_array(items, shape))


def from_categorical(value: Categorical) -> dict[str, Any]:
    """Return the properties of a categorical array."""
    count = len(value.names)
    kind = next(k for k in (np.uint8, np.uint16, np.uint32) if count < np.iinfo(k).max)
    names = CellArray(object_array(map(CharArray, value.names), (count, 1)))
    return {
        "categoryNames": names,
        "codes": from_numpy(value.codes.astype(kind)),
        "isProtected": value.meaning.protected,
        "isOrdinal": value.meaning.ordinal,
    }


def to_categorical(content: Properties) -> Categorical:
    """Return the categorical array of its properties."""
    names = texts(content["categoryNames"]) if "categoryNames" in content else []
    codes = to_numpy(content["codes"]) if "codes" in content else np.zeros((0, 0), np.uint8)
    if codes.dtype.kind not in "iu" or len(set(names)) != len(names):
        raise CorruptError("categories are damaged")
    if codes.size and not 0 <= int(codes.min()) <= int(codes.max()) <= len(names):
        raise CorruptError("an element is of no category")
    flags = [truth(content.get(name, False)) for name in ("isOrdinal", "isProtected")]
    return Categorical(codes, Meaning(tuple(names), *flags))
