"""Missing elements of arrays and tables: leaving them out, filling them, marking them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import dimension, integer
from runmat_core.builtins.tables.keys import missing_rows
from runmat_core.builtins.tables.support import chosen_in, split_pairs
from runmat_core.values import class_of, from_numpy, index, is_text, size_of, text, to_numpy
from runmat_core.values.array_object import ArrayObject
from runmat_core.values.base import COLON, share
from runmat_core.values.cell import CellArray
from runmat_core.values.char import CharArray
from runmat_core.values.classes import DTYPE
from runmat_core.values.indexing import assign
from runmat_core.values.string import MISSING, StringArray, texts_of
from runmat_core.values.tables.frame import missing_like
from runmat_core.values.tables.table import Table
from runmat_core.values.tables.timetable import Timetable

Flags = NDArray[np.bool_]


def missing_elements(value: Any) -> Flags:
    """Which elements of an array are missing."""
    if isinstance(value, ArrayObject):
        found: Flags = value.is_missing()
        return found
    if isinstance(value, StringArray):
        flags = [item is MISSING for item in value.data.ravel(order="F")]
        return np.array(flags, np.bool_).reshape(value.shape, order="F")
    if isinstance(value, CellArray):
        flags = [isinstance(v, CharArray) and 0 in v.shape for v in value.items()]
        return np.array(flags, np.bool_).reshape(value.shape, order="F")
    if isinstance(value, CharArray):
        return np.asarray(value.data == ord(" "), np.bool_)
    if class_of(value) not in DTYPE:
        return np.zeros(size_of(value), np.bool_)
    numbers = to_numpy(value)
    if numbers.dtype.kind in "fc":
        return np.asarray(np.isnan(numbers), np.bool_)
    return np.zeros(numbers.shape, np.bool_)


@builtin("anymissing", family="tables/missing")
def anymissing(x: Any) -> Any:
    """Whether an array or table has a missing element.

    TF = anymissing(A)

    Examples:
        >> anymissing([1 NaN])
        ans =
          logical
           1

    See also: ismissing, rmmissing.
    """
    if isinstance(x, Table):
        return any(bool(missing_rows(x.column(name)).any()) for name in x.names)
    return bool(missing_elements(x).any())


@builtin("rmmissing", family="tables/missing", nargin=(1, None), nargout=2, needs=("nargout",))
def rmmissing(x: Any, *args: Any, nargout: int = 1) -> Any:
    """An array without its missing elements, a table without rows that have some.

    R = rmmissing(A): the elements of a vector, the rows of a matrix or of a table
    R = rmmissing(A, DIM): 2 removes columns, or variables of a table
    R = rmmissing(…, 'MinNumMissing', n), rmmissing(T, 'DataVariables', vars)
    [R, TF] = rmmissing(…): what was removed

    Examples:
        >> rmmissing([1 NaN 3])
        ans =
             1     3

    See also: ismissing, fillmissing, anymissing.
    """
    plain, options = split_pairs(args, ("MinNumMissing", "DataVariables"))
    least = integer(options["MinNumMissing"]) if "MinNumMissing" in options else 1
    axis = dimension(plain[0]) if plain else 0
    if axis > 1:
        raise MatlabError("MATLAB:rmmissing:DimensionInvalid", "The dimension must be 1 or 2.")
    if isinstance(x, Table):
        names = chosen_in(x, options, "DataVariables") or x.names
        flags = np.array([missing_rows(x.column(name)) for name in names], np.int64)
        if axis == 1:
            gone = flags.sum(axis=1) >= least
            kept_names = [n for n in x.names if not dict(zip(names, gone, strict=True)).get(n)]
            found: Any = x.select(kept_names)
        else:
            counts = flags.sum(axis=0) if len(names) else np.zeros(x.shape[0])
            gone = counts >= least
            if isinstance(x, Timetable):
                gone = gone | x.times.is_missing().ravel()
            found = x.rows(np.flatnonzero(~gone))
    else:
        missing = missing_elements(x)
        shape = missing.shape
        if len(shape) > 2:
            raise MatlabError("MATLAB:rmmissing:NDArrays", "First argument must not be N-D.")
        if not plain and 1 in shape:
            gone = missing.ravel()
            axis = 1 if shape[0] == 1 and shape[1] != 1 else 0
        else:
            gone = missing.sum(axis=1 - axis) >= least
        kept = from_numpy((np.flatnonzero(~gone) + 1.0).reshape(1, -1))
        found = index(x, (kept, COLON) if axis == 0 else (COLON, kept))
    if nargout < 2:
        return found
    return found, from_numpy(gone.reshape((-1, 1) if axis == 0 else (1, -1)))


@builtin("standardizeMissing", family="tables/missing", nargin=(2, None))
def standardizeMissing(x: Any, indicators: Any, *args: Any) -> Any:
    """An array or table in which some values are made missing ones.

    B = standardizeMissing(A, indicators)
    B = standardizeMissing(T, indicators, 'DataVariables', vars)

    Examples:
        >> standardizeMissing([1 -99 3], -99)
        ans =
             1   NaN     3

    See also: ismissing, fillmissing, rmmissing.
    """
    _, options = split_pairs(args, ("DataVariables", "ReplaceValues"))
    if isinstance(x, Table):
        chosen = chosen_in(x, options, "DataVariables") or x.names
        columns = dict(x.data.columns)
        for name in chosen:
            columns[name] = _standard(columns[name], indicators)
        return x.with_columns(columns)
    return _standard(x, indicators)


def _standard(value: Any, indicators: Any) -> Any:
    """Return a value with missing elements where it equals an indicator of its kind."""
    hit: Flags | None = None
    if isinstance(value, ArrayObject):
        hit = equal_to_indicators(value, indicators, skip=True)
    marks = [] if hit is not None else _marks(indicators)
    if hit is not None:
        pass
    elif isinstance(value, CellArray | StringArray):
        items: list[Any] = texts_of(value).ravel(order="F").tolist() if _holds_text(value) else []
        flags = [item in marks for item in items]
        hit = np.array(flags, np.bool_).reshape(size_of(value) if flags else (0, 0), order="F")
    elif class_of(value) in ("double", "single"):
        numbers = [m for m in marks if isinstance(m, float)]
        hit = np.isin(to_numpy(value), numbers)
    if hit is None or not hit.any():
        return value
    if isinstance(value, float):
        return float("nan")
    return assign(share(value), (from_numpy(hit),), missing_like(value))


def equal_to_indicators(value: Any, indicators: Any, skip: bool = False) -> Flags:
    """Which elements of an array equal an indicator; missing ones are equal to each other.

    Args:
        skip: whether indicators of other classes count not, rather than raise an error.
    """
    if isinstance(indicators, CellArray):
        parts = [equal_to_indicators(value, item, skip) for item in indicators.items()]
        return np.logical_or.reduce(parts) if parts else np.zeros(size_of(value), np.bool_)
    if isinstance(value, ArrayObject):
        return _equal_objects(value, indicators, skip)
    if isinstance(value, CellArray | StringArray):
        textual = isinstance(indicators, CharArray | StringArray)
        wanted: Any = texts_of(indicators) if textual else []
        known = {item for item in np.ravel(wanted) if isinstance(item, str)}
        missing = any(not isinstance(item, str) for item in np.ravel(wanted))
        items = value.data.ravel(order="F").tolist()
        plain = [text(v) if isinstance(v, CharArray) else v for v in items]
        flags = [v in known if isinstance(v, str) else missing and v is MISSING for v in plain]
        return np.array(flags, np.bool_).reshape(value.data.shape, order="F")
    if class_of(value) not in DTYPE or class_of(indicators) not in DTYPE:
        if class_of(value) == "char" and is_text(indicators):
            return np.isin(to_numpy(value), [ord(c) for c in text(indicators)])
        raise MatlabError(
            "MATLAB:ismissing:IndicatorsNumeric",
            "Indicators must be comparable with the class of the array.",
        )
    a, marks = to_numpy(value), to_numpy(indicators).ravel()
    hit = np.isin(a, marks)
    if a.dtype.kind in "fc" and marks.dtype.kind in "fc" and np.isnan(marks).any():
        hit |= np.isnan(a)
    return np.asarray(hit)


def _equal_objects(value: ArrayObject, indicators: Any, skip: bool) -> Flags:
    """Return the same of times and of categories; texts say which."""
    textual = isinstance(indicators, CharArray | StringArray)
    if not textual and type(indicators) is not type(value):
        if skip:
            return np.zeros(value.shape, np.bool_)
        raise MatlabError(
            "MATLAB:ismissing:IndicatorsNumeric",
            "Indicators must be comparable with the class of the array.",
        )
    try:
        marks = value.adopt(indicators)
    except MatlabError:
        if skip:
            return np.zeros(value.shape, np.bool_)
        raise
    mine, others = value.same_codes(marks)
    hit = np.isin(mine, others[~marks.is_missing()])
    return np.asarray(hit | value.is_missing() if marks.is_missing().any() else hit)


def _holds_text(value: Any) -> bool:
    if isinstance(value, StringArray):
        return True
    return all(isinstance(item, CharArray) for item in value.items())


def _marks(indicators: Any) -> list[Any]:
    """Return indicators as Python numbers and texts."""
    if isinstance(indicators, CellArray):
        return [mark for item in indicators.items() for mark in _marks(item)]
    if is_text(indicators):
        return [text(indicators)]
    if isinstance(indicators, StringArray):
        return indicators.texts()
    if class_of(indicators) not in DTYPE:
        return []  # for values of its class alone
    return [float(n) for n in np.real(to_numpy(indicators)).ravel()]
