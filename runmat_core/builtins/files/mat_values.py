"""What the readers of MAT files share: errors, texts, values that there are none of here."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.values import CharArray
from runmat_core.values.struct import struct_array

#: A struct array without fields takes no bytes in the file, so its size is bounded.
_MOST_EMPTY = 1 << 20


class CorruptError(ValueError):
    """A file does not hold what it says."""


#: Classes whose values MAT files keep as objects (`mcos_values`).
OBJECT_CLASSES = frozenset(
    "string datetime duration calendarDuration categorical table timetable dictionary "
    "containers.Map".split()
)


class UnsupportedError(Exception):
    """A value that a MAT file cannot hold here."""


@attrs.frozen
class Unsupported:
    """Stands for a value that cannot be read, and says what it is."""

    kind: str


def text_value(units: NDArray[Any]) -> CharArray:
    """Return a char array of code units; a row is a text."""
    units = np.asarray(units, np.uint16)
    if units.ndim == 2 and units.shape[0] == 1 and units.size:
        return CharArray(units.astype("<u2").tobytes().decode("utf-16-le", "surrogatepass"))
    return CharArray(np.asfortranarray(units))


def empty_struct(shape: tuple[int, ...], count: int) -> Any:
    """Return a struct array without fields."""
    if count > _MOST_EMPTY:
        raise CorruptError("a struct array without fields is too large")
    return struct_array([{} for _ in range(count)], shape)
