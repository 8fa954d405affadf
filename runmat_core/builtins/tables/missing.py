"""Missing elements of arrays and tables: leaving them out, filling them, marking them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import dimension, first_axis, integer
from runmat_core.builtins.named import choice
from runmat_core.builtins.tables.rows import missing_rows
from runmat_core.builtins.tables.support import chosen_in, split_pairs
from runmat_core.values import class_of, from_numpy, index, is_text, size_of, text, to_numpy
from runmat_core.values.array_object import ArrayObject
from runmat_core.values.base import COLON, share
from runmat_core.values.cell import CellArray, object_array
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


_METHODS = ("constant", "previous", "next", "nearest", "linear")


@builtin("fillmissing", family="tables/missing", nargin=(2, None))
def fillmissing(x: Any, method: Any, *args: Any) -> Any:
    """An array or table with its missing elements filled.

    F = fillmissing(A, 'constant', v), fillmissing(A, method): 'previous', 'next', 'nearest' or
    'linear'
    F = fillmissing(A, method, DIM)
    F = fillmissing(T, …, 'DataVariables', vars): a constant may be a cell with one for each
    F = fillmissing(…, 'SamplePoints', x): where the elements stand; in a timetable at its times

    Examples:
        >> fillmissing([1 NaN 3 NaN], 'previous')
        ans =
             1     1     3     3
        >> fillmissing([1 NaN 3], 'constant', 0)
        ans =
             1     0     3

    See also: rmmissing, ismissing, standardizeMissing.
    """
    name = choice(method, _METHODS, "fillmissing")
    plain, options = split_pairs(args, ("DataVariables", "EndValues", "SamplePoints"))
    points = _points(x, options.get("SamplePoints"))
    fill = plain.pop(0) if name == "constant" and plain else None
    if name == "constant" and fill is None:
        raise MatlabError(
            "MATLAB:fillmissing:ConstantInvalid", "The fill constant must follow 'constant'."
        )
    if isinstance(x, Table):
        chosen = chosen_in(x, options, "DataVariables") or x.names
        columns = dict(x.data.columns)
        for k, one in enumerate(chosen):
            columns[one] = _filled(columns[one], name, _constant(fill, k, len(chosen)), 0, points)
        return x.with_columns(columns)
    axis = dimension(plain[0]) if plain else first_axis(size_of(x))
    return _filled(x, name, fill, axis, points)


def _points(x: Any, given: Any) -> Any:
    """Where the rows stand: the times of a timetable, sample points, or None for even spaces."""
    if isinstance(x, Timetable):
        given = x.times
    if given is None:
        return None
    codes = given.codes if isinstance(given, ArrayObject) else to_numpy(given)
    points = codes.ravel(order="F")
    if not (np.diff(points) > 0).all():
        raise MatlabError(
            "MATLAB:fillmissing:SamplePointsSortedUnique",
            "Sample points must be unique and in ascending order.",
        )
    return (points - points[:1]).astype(np.float64)


def _constant(fill: Any, k: int, count: int) -> Any:
    """The constant of the k-th variable."""
    if isinstance(fill, CellArray) and fill.data.size == count:
        return fill.items()[k]
    if fill is not None and not is_text(fill) and _count(fill) == count and count > 1:
        return index(fill, (float(k + 1),))
    return fill


def _count(value: Any) -> int:
    return int(np.prod(size_of(value)))


def _filled(value: Any, method: str, fill: Any, axis: int, points: Any = None) -> Any:
    """An array with its missing elements filled along an axis."""
    missing = missing_elements(value)
    if not missing.any():
        return value
    if method == "constant":
        return _constants(value, missing, fill)
    if method == "linear":
        return _interpolated(value, missing, axis, points)
    shape = missing.shape
    where = np.arange(missing.size).reshape(shape, order="F")
    lines = np.moveaxis(where, axis, 0).reshape(shape[axis], -1, order="F").copy(order="F")
    gaps = np.moveaxis(missing, axis, 0).reshape(shape[axis], -1, order="F")
    source = lines.copy()
    for k in range(lines.shape[1]):
        source[:, k] = lines[_sources(gaps[:, k], method, points), k]
    taken = np.empty(missing.size, np.intp)
    taken[lines.ravel()] = source.ravel()
    picked = from_numpy(taken.reshape(shape, order="F") + 1.0)
    return index(value, (picked,)) if shape != (1, 1) else value


def _sources(gaps: Flags, method: str, points: Any) -> NDArray[np.intp]:
    """The position that each element is taken from; its own where there is none."""
    count = gaps.size
    own = np.arange(count)
    before = np.maximum.accumulate(np.where(gaps, -1, own))
    after = np.minimum.accumulate(np.where(gaps, count, own)[::-1])[::-1]
    if method == "previous":
        return np.where(before < 0, own, before)
    if method == "next":
        return np.where(after == count, own, after)
    at = own.astype(np.float64) if points is None else points
    back = np.where(before < 0, np.inf, at - at[np.clip(before, 0, None)])
    ahead = np.where(after == count, np.inf, at[np.clip(after, None, count - 1)] - at)
    nearest = np.where(back < ahead, before, after)
    return np.where(np.isinf(back) & np.isinf(ahead), own, nearest)


def _constants(value: Any, missing: Flags, fill: Any) -> Any:
    if isinstance(value, CellArray) and not isinstance(fill, CellArray):
        fill = CellArray(object_array([fill], (1, 1)))
    mask = from_numpy(missing)
    try:
        return assign(share(value), (mask,), fill)
    except MatlabError:
        raise MatlabError(
            "MATLAB:fillmissing:ConstantInvalidType",
            f"The fill constant cannot be put into values of type {class_of(value)}.",
        ) from None


def _interpolated(value: Any, missing: Flags, axis: int, points: Any) -> Any:
    """Numbers, times or spans between their neighbours; ends go on with the same slope."""
    if isinstance(value, ArrayObject) and value.class_name in ("datetime", "duration"):
        numbers: Any = value.codes
    elif class_of(value) in ("double", "single"):
        numbers = to_numpy(value)
    else:
        raise MatlabError(
            "MATLAB:fillmissing:InterpolationInvalid",
            f"The method 'linear' is not for values of type {class_of(value)}.",
        )
    filled = numbers.copy(order="F")
    lines = np.moveaxis(filled, axis, 0)
    flat = lines.reshape(lines.shape[0], -1)
    gaps = np.moveaxis(missing, axis, 0).reshape(flat.shape)
    for k in range(flat.shape[1]):
        flat[:, k] = _line(flat[:, k], gaps[:, k], points)
    filled = np.moveaxis(flat.reshape(lines.shape), 0, axis)
    return value.with_codes(filled) if isinstance(value, ArrayObject) else from_numpy(filled)


def _line(y: Any, gaps: Flags, points: Any) -> Any:
    known = np.flatnonzero(~gaps)
    if known.size < 2:
        return y
    wanted = np.flatnonzero(gaps)
    right = np.clip(np.searchsorted(known, wanted), 1, known.size - 1)
    a, b = known[right - 1], known[right]
    y = y.copy()
    at = np.arange(y.size) if points is None else points
    y[wanted] = y[a] + (y[b] - y[a]) * (at[wanted] - at[a]) / (at[b] - at[a])
    return y


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
    """A value with missing elements where it equals an indicator of its kind."""
    marks = _marks(indicators)
    hit: Flags | None = None
    if isinstance(value, CellArray | StringArray):
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


def _holds_text(value: Any) -> bool:
    if isinstance(value, StringArray):
        return True
    return all(isinstance(item, CharArray) for item in value.items())


def _marks(indicators: Any) -> list[Any]:
    """Indicators as Python numbers and texts."""
    if isinstance(indicators, CellArray):
        return [mark for item in indicators.items() for mark in _marks(item)]
    if is_text(indicators):
        return [text(indicators)]
    if isinstance(indicators, StringArray):
        return indicators.texts()
    return [float(n) for n in np.real(to_numpy(indicators)).ravel()]
