"""fillmissing: arrays and tables with their missing elements filled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import dimension, first_axis, integer, option, real, scalar
from runmat_core.builtins.named import choice, pairs
from runmat_core.builtins.tables.gaps import (
    MOVING,
    SMOOTH,
    TAKING,
    Called,
    Filling,
    filled,
    nearest_rows,
)
from runmat_core.builtins.tables.missing import Flags
from runmat_core.builtins.tables.support import chosen_in
from runmat_core.values import (
    FunctionHandle,
    class_of,
    from_numpy,
    index,
    is_text,
    size_of,
    to_numpy,
)
from runmat_core.values.array_object import ArrayObject
from runmat_core.values.cell import CellArray
from runmat_core.values.classes import FLOAT_CLASSES
from runmat_core.values.tables.table import Table
from runmat_core.values.tables.timetable import Timetable

_METHODS = ("constant", *TAKING, *SMOOTH, *MOVING, "knn")
_NAMES = (
    "EndValues", "MaxGap", "SamplePoints", "MissingLocations", "DataVariables", "ReplaceValues",
    "Distance",
)  # fmt: skip


@builtin("fillmissing", family="tables/missing", nargin=(2, None), nargout=2,
         needs=("nargout", "interp"))  # fmt: skip
def fillmissing(x: Any, method: Any, *args: Any, nargout: int, interp: Interp) -> Any:
    """An array or table with its missing elements filled.

    F = fillmissing(A, 'constant', v), fillmissing(A, method): 'previous', 'next', 'nearest',
    'linear', 'spline', 'pchip' or 'makima'
    F = fillmissing(A, 'movmean', window), 'movmedian': from windows around the gaps, of a length
    or [back on]
    F = fillmissing(A, 'knn', k): the mean of the k (1) nearest rows; 'Distance' is 'euclidean' or
    'seuclidean'
    F = fillmissing(A, fun, window): fun(xs, ts, tq) gives what stands at tq, from what is known
    at ts in a window around the gap
    F = fillmissing(…, DIM)
    F = fillmissing(…, 'EndValues', v): at the ends 'extrap', 'none', another method, or a value
    F = fillmissing(…, 'MaxGap', n): longer gaps stay, from known element to known element
    F = fillmissing(…, 'SamplePoints', x): where the elements stand; in a timetable at its times
    F = fillmissing(…, 'MissingLocations', tf): fills these elements
    F = fillmissing(T, …, 'DataVariables', vars): a constant may be a cell with one for each;
    with 'ReplaceValues' false what is filled is appended
    [F, TF] = fillmissing(…) marks what was filled

    Examples:
        >> fillmissing([1 NaN 3 NaN], 'previous')
        ans =
             1     1     3     3
        >> fillmissing([1 NaN 3], 'constant', 0)
        ans =
             1     0     3
        >> fillmissing([NaN 2 NaN 4], 'linear', 'EndValues', 'nearest')
        ans =
             2     2     3     4
        >> fillmissing([1 NaN 3 NaN 9], 'movmean', 3)
        ans =
             1     2     3     6     9

    See also: rmmissing, ismissing, filloutliers, standardizeMissing.
    """
    how, rest = _method(method, list(args), interp)
    at = next((k for k, arg in enumerate(rest) if option(arg) is not None), len(rest))
    plain, options = rest[:at], pairs(rest[at:], _NAMES, "fillmissing")[0]
    if len(plain) > 1:
        raise MatlabError("MATLAB:TooManyInputs", "Too many input arguments.")
    how = _with_options(how, x, options)
    if isinstance(x, Table):
        if "MissingLocations" in options:
            raise MatlabError(
                "MATLAB:fillmissing:MissingLocationsTable",
                "MissingLocations is for arrays, not for tables.",
            )
        found, flags = _filled_table(x, how, options)
    else:
        missing = None
        if "MissingLocations" in options:
            missing = _locations(options["MissingLocations"], size_of(x))
        axis = dimension(plain[0]) if plain else first_axis(size_of(x))
        found, flags = filled(x, how, axis, missing)
    return (found, from_numpy(flags)) if nargout > 1 else found


def _method(method: Any, rest: list[Any], interp: Interp) -> tuple[Filling, list[Any]]:
    """Return what the method and its arguments ask for, and the arguments after them."""
    if isinstance(method, FunctionHandle):
        if not rest:
            raise MatlabError(
                "MATLAB:fillmissing:FunctionWindow", "A window must follow the fill function."
            )

        def called(xs: Any, ts: Any, tq: Any) -> Any:
            made = to_numpy(interp.call(method, [_column(xs), ts, tq], 1)).ravel(order="F")
            if made.size not in (1, np.prod(size_of(tq))):
                raise MatlabError(
                    "MATLAB:fillmissing:FunctionOutput",
                    "The fill function must give one value for each missing element.",
                )
            return made

        return Filling("function", reach=_reach(rest[0]), called=called), rest[1:]
    name = choice(method, _METHODS, "fillmissing")
    if name == "constant":
        if not rest:
            raise MatlabError(
                "MATLAB:fillmissing:ConstantInvalid", "The fill constant must follow 'constant'."
            )
        return Filling(name, constant=rest[0]), rest[1:]
    if name in MOVING:
        if not rest or option(rest[0]) is not None:
            raise MatlabError("MATLAB:fillmissing:MissingWindow", f"A window must follow '{name}'.")
        return Filling(name, reach=_reach(rest[0])), rest[1:]
    if name == "knn" and rest and option(rest[0]) is None:
        count = integer(rest[0], "The number of neighbors")
        if count < 1:
            raise MatlabError(
                "MATLAB:fillmissing:InvalidK", "The number of neighbors must be positive."
            )
        return Filling(name, neighbours=count), rest[1:]
    return Filling(name), rest


def _column(numbers: Any) -> Any:
    return from_numpy(np.asarray(numbers).reshape(-1, 1))


def _at_points(called: Called, x: Any, given: Any) -> Called:
    """Return `called` for distances from the first of the points that the caller knows."""
    given = x.times if isinstance(x, Timetable) else given

    def points(distances: Any) -> Any:
        if isinstance(given, ArrayObject):
            return given.with_codes(distances.reshape(-1, 1) + given.codes.flat[0])
        return _column(distances + (1.0 if given is None else to_numpy(given).flat[0]))

    return lambda xs, ts, tq: called(xs, points(ts), points(tq))


def _reach(window: Any) -> tuple[float, float, bool]:
    """How far a window reaches back and on, and whether it is half-open: one length was given."""
    a = _numbers(window)
    if a.size == 1 and np.isfinite(a).all() and a[0] > 0:
        return a[0] / 2, a[0] / 2, True
    if a.size == 2 and np.isfinite(a).all() and (a >= 0).all():
        return float(a[0]), float(a[1]), False
    raise MatlabError(
        "MATLAB:fillmissing:WindowInvalid",
        "The window must be a positive length or two nonnegative ones, [back on].",
    )


def _numbers(value: Any) -> Any:
    """Numbers, or what times and spans are counted in."""
    if isinstance(value, ArrayObject):
        return value.codes.ravel(order="F").astype(np.float64)
    return real(value, "fillmissing").ravel(order="F").astype(np.float64)


def _with_options(how: Filling, x: Any, options: dict[str, Any]) -> Filling:
    changes: dict[str, Any] = {"points": _points(x, options.get("SamplePoints"))}
    if how.called is not None:
        changes["called"] = _at_points(how.called, x, options.get("SamplePoints"))
    if "EndValues" in options:
        ends = options["EndValues"]
        if option(ends) in _ENDS or (is_text(ends) and class_of(x) in FLOAT_CLASSES):
            changes["ends"] = choice(ends, _ENDS, "fillmissing")
        else:
            changes.update(ends="constant", end_value=ends)
    if "MaxGap" in options:
        longest = _numbers(options["MaxGap"])
        if longest.size != 1 or not longest[0] >= 0:
            raise MatlabError(
                "MATLAB:fillmissing:MaxGapInvalid", "MaxGap must be one nonnegative number."
            )
        changes["longest"] = float(longest[0])
    if "Distance" in options:
        kind = choice(options["Distance"], ("euclidean", "seuclidean"), "fillmissing")
        changes["standardized"] = kind == "seuclidean"
    return attrs.evolve(how, **changes)


_ENDS = ("extrap", "none", *TAKING, *SMOOTH)


def _locations(value: Any, shape: tuple[int, ...]) -> Flags:
    if class_of(value) != "logical" or size_of(value) != shape:
        raise MatlabError(
            "MATLAB:fillmissing:MissingLocationsInvalid",
            "MissingLocations must be a logical array of the same size as the first argument.",
        )
    return np.asarray(to_numpy(value), np.bool_)


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


def _filled_table(x: Table, how: Filling, options: dict[str, Any]) -> tuple[Any, Flags]:
    """Return a table with the gaps of its chosen variables filled, and which elements were."""
    chosen = chosen_in(x, options, "DataVariables") or x.names
    columns = dict(x.data.columns)
    made: dict[str, Any] = {}
    marks: dict[str, Flags] = {}
    if how.method == "knn":
        made, marks = _rows_of_table(columns, chosen, how)
    else:
        for k, one in enumerate(chosen):
            constant = _constant(how.constant, k, len(chosen))
            made[one], marks[one] = filled(columns[one], attrs.evolve(how, constant=constant), 0)
    if "ReplaceValues" in options and not scalar(options["ReplaceValues"], "ReplaceValues"):
        added = {f"{one}_filled": made[one] for one in chosen}
        flags = [_any(marks[one], x) for one in chosen]
        none = [np.zeros((x.shape[0], 1), np.bool_)] * len(columns)
        return x.with_columns({**columns, **added}), np.hstack([*none, *flags])
    columns.update(made)
    none = [np.zeros((x.shape[0], 1), np.bool_)]
    flags = [_any(marks[one], x) if one in marks else none[0] for one in x.names]
    return x.with_columns(columns), np.hstack(flags or [np.zeros((x.shape[0], 0), np.bool_)])


def _any(flags: Flags, x: Table) -> Flags:
    """Whether anything of a row of a variable is marked."""
    return np.asarray(flags.reshape(x.shape[0], -1).any(axis=1, keepdims=True))


def _rows_of_table(
    columns: dict[str, Any], chosen: Sequence[str], how: Filling
) -> tuple[dict[str, Any], dict[str, Flags]]:
    """Variables filled from the nearest rows of all of them."""
    for one in chosen:
        if class_of(columns[one]) not in FLOAT_CLASSES or size_of(columns[one])[1:] != (1,):
            raise MatlabError(
                "MATLAB:fillmissing:KNNInput",
                "The method 'knn' is for tables of floating columns; choose them with "
                "'DataVariables'.",
            )
    a = np.hstack([to_numpy(columns[one]).reshape(-1, 1) for one in chosen])
    gaps = np.isnan(a)
    found = nearest_rows(a, gaps, gaps, how)
    done = gaps & ~np.isnan(found)
    return (
        {one: from_numpy(found[:, [k]].astype(to_numpy(columns[one]).dtype))
         for k, one in enumerate(chosen)},
        {one: done[:, [k]] for k, one in enumerate(chosen)},
    )  # fmt: skip


def _constant(fill: Any, k: int, count: int) -> Any:
    """Return the constant of the k-th variable."""
    if isinstance(fill, CellArray) and fill.data.size == count:
        return fill.items()[k]
    if fill is not None and not is_text(fill) and _count(fill) == count and count > 1:
        return index(fill, (float(k + 1),))
    return fill


def _count(value: Any) -> int:
    return int(np.prod(size_of(value)))
