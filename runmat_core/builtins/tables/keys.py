"""Rows as numbers: what sorting, grouping and joining compare."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arrays.ordering import argsort
from runmat_core.values import class_of, to_numpy
from runmat_core.values.array_object import ArrayObject
from runmat_core.values.cell import CellArray
from runmat_core.values.char import CharArray
from runmat_core.values.classes import DTYPE
from runmat_core.values.indexing import size_of
from runmat_core.values.string import MISSING, StringArray, texts_of
from runmat_core.values.tables.frame import Rows, as_matrix
from runmat_core.values.tables.table import Table

Floats = NDArray[np.float64]


def column_ranks(value: Any, by: str = "auto") -> Floats:
    """Return a column of numbers for each column of a variable, in the order of its elements.

    Equal elements have equal numbers, missing ones NaN.

    Args:
        by: what numbers are compared by: "auto", "real" or "abs".

    Raises:
        MatlabError: MATLAB:table:InvalidGroupingVariable, the class has no order.
    """
    if isinstance(value, ArrayObject):
        return as_matrix(value.ranks())
    if isinstance(value, CharArray):
        return _text_ranks(np.array(value.rows(), object).reshape(-1, 1))
    if isinstance(value, StringArray):
        return _text_ranks(as_matrix(value.data))
    if isinstance(value, CellArray) and all(isinstance(v, CharArray) for v in value.items()):
        return _text_ranks(as_matrix(texts_of(value)))
    if isinstance(value, Table):
        parts = [column_ranks(value.data.columns[name], by) for name in value.names]
        return np.hstack(parts) if parts else np.zeros((value.shape[0], 0))
    if class_of(value) not in DTYPE:
        raise MatlabError(
            "MATLAB:table:InvalidGroupingVariable",
            f"Values of type {class_of(value)} cannot be sorted or grouped.",
        )
    numbers = to_numpy(value)
    flat = as_matrix(numbers)
    if by == "abs" or flat.dtype.kind == "c":
        ranks = _compared(flat, by)
    else:
        ranks = np.unique(flat, return_inverse=True)[1].reshape(flat.shape).astype(np.float64)
    if flat.dtype.kind in "fc":
        ranks[np.isnan(flat)] = np.nan
    return ranks


def _compared(flat: NDArray[Any], by: str) -> Floats:
    """Ranks of numbers by magnitude and phase, or by their parts."""
    order = argsort(flat.ravel(), 0, by=by)
    ordered = flat.ravel()[order]
    ranks = np.empty(flat.size)
    ranks[order] = np.cumsum(np.concatenate([[False], ordered[1:] != ordered[:-1]])[: flat.size])
    return ranks.reshape(flat.shape)


def _text_ranks(words: NDArray[np.object_]) -> Floats:
    known = sorted({word for word in words.ravel() if word is not MISSING})
    place = {word: float(k) for k, word in enumerate(known)}
    flat = [np.nan if word is MISSING else place[word] for word in words.ravel()]
    return np.array(flat, np.float64).reshape(words.shape)


def table_ranks(table: Table, names: Sequence[str], by: str = "auto") -> Floats:
    """Return a column of numbers for each column of the named variables."""
    parts = [column_ranks(table.column(name), by) for name in names]
    return np.hstack(parts) if parts else np.zeros((table.shape[0], 0))


def order_of(ranks: Floats, directions: Sequence[int], missing: str = "last") -> Rows:
    """Return the rows in order of their columns. Equal rows keep their order.

    Args:
        directions: 1 or -1 for each column.
        missing: where missing elements go: "first", "last", or "auto", as the largest ones.
    """
    keys = []
    for k in range(ranks.shape[1] - 1, -1, -1):
        column = ranks[:, k] * directions[k]
        before = missing == "first" or (missing == "auto" and directions[k] < 0)
        keys.append(np.where(np.isnan(column), -np.inf if before else np.inf, column))
    if not keys:
        return np.arange(ranks.shape[0])
    return np.lexsort(keys)


def groups_of(ranks: Floats) -> tuple[Floats, Rows]:
    """Return the number of each row's group, NaN if incomplete, and where groups begin."""
    missing = np.isnan(ranks).any(axis=1)
    known = np.flatnonzero(~missing)
    numbers = np.full(ranks.shape[0], np.nan)
    if not known.size:
        return numbers, np.zeros(0, np.intp)
    if not ranks.shape[1]:
        numbers[:] = 1
        return numbers, np.zeros(1, np.intp)
    _, first, inverse = np.unique(ranks[known], axis=0, return_index=True, return_inverse=True)
    numbers[known] = inverse.ravel() + 1.0
    return numbers, known[first]


def missing_rows(value: Any) -> Any:
    """Return which rows of a variable have a missing element; empty text is one in cells."""
    if isinstance(value, CellArray):
        items = as_matrix(value.data)
        blank = [
            any(isinstance(v, CharArray) and 0 in v.shape for v in row) for row in items.tolist()
        ]
        return np.array(blank, np.bool_)
    if isinstance(value, CharArray):
        return np.array([not row.strip() for row in value.rows()], np.bool_)
    if class_of(value) in ("struct", "function_handle", "table", "timetable"):
        return np.zeros(size_of(value)[0], np.bool_)
    return np.isnan(column_ranks(value)).any(axis=1)
