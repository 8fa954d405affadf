"""MATLAB values from Python objects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from runmat_core.values.cell import CellArray, empty_double, object_array
from runmat_core.values.char import CharArray
from runmat_core.values.string import StringArray
from runmat_core.values.struct import StructArray, struct_array


def char(text: str) -> CharArray:
    """Return a row of text; ``''`` is 0x0."""
    return CharArray(text)


def string(text: str) -> StringArray:
    """Return a string scalar."""
    return StringArray(text)


def cell(items: Iterable[Any], shape: tuple[int, ...] | None = None) -> CellArray:
    """Return a cell array of MATLAB values in column-major order; a row unless a shape is given."""
    items = list(items)
    return CellArray(object_array(items, (1, len(items)) if shape is None else shape))


def struct(fields: Mapping[str, Any]) -> StructArray:
    """Return a 1x1 struct."""
    return StructArray(dict(fields))


empty = empty_double

__all__ = ["cell", "char", "empty", "string", "struct", "struct_array"]
