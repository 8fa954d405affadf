"""How missing elements are filled: from neighbours along an axis, windows, or nearest rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arrays.windows import bounds, even_bounds
from runmat_core.builtins.math.interpolation import interpolate_table
from runmat_core.builtins.tables.missing import Flags, missing_elements
from runmat_core.values import class_of, from_numpy, index, size_of, to_numpy
from runmat_core.values.array_object import ArrayObject
from runmat_core.values.base import share
from runmat_core.values.cell import CellArray, object_array
from runmat_core.values.classes import NUMERIC_CLASSES
from runmat_core.values.indexing import assign

Numbers = NDArray[Any]

#: What takes other elements as they are, of any class.
TAKING = ("previous", "next", "nearest")
#: What computes numbers along an axis from those that are there.
SMOOTH = ("linear", "spline", "pchip", "makima")
MOVING = ("movmean", "movmedian")

#: ``called(xs, ts, tq)``: what a function makes of known elements, where they stand, and gaps.
Called = Callable[[Any, Any, Any], Any]


@attrs.frozen
class Filling:
    """What to fill gaps with.

    Attributes:
        method: "constant", "knn", "function", or one of `TAKING`, `SMOOTH`, `MOVING`.
        constant: a MATLAB value, for "constant".
        reach: how far windows reach back and on, and whether they are half-open.
        called: what "function" calls for each gap.
        neighbours: how many rows "knn" takes the mean of.
        standardized: whether "knn" divides columns by their standard deviations.
        ends: how gaps at the ends are filled: "extrap" as any other, "none" not at all,
            "constant" with `end_value`, or by another method.
        end_value: a MATLAB value.
        longest: gaps that are longer than this, in distances of points, stay.
        points: where elements stand along the axis; None for even distances of one.
    """

    method: str
    constant: Any = None
    reach: tuple[float, float, bool] = (0.0, 0.0, False)
    called: Called | None = None
    neighbours: int = 1
    standardized: bool = False
    ends: str = "extrap"
    end_value: Any = None
    longest: float | None = None
    points: Numbers | None = None

    def at(self, count: int) -> Numbers:
        return np.arange(float(count)) if self.points is None else self.points


def filled(value: Any, how: Filling, axis: int, missing: Flags | None = None) -> tuple[Any, Flags]:
    """Return an array with its gaps filled, and which elements were.

    Args:
        missing: which elements are gaps; the missing ones by default.
    """
    gaps = missing_elements(value) if missing is None else missing
    if not gaps.any() or axis >= gaps.ndim:
        return value, np.zeros(gaps.shape, np.bool_)
    wanted, ends = _gaps_to_fill(gaps, how, axis)
    if how.ends == "extrap":
        result = _filled_by(how, value, gaps, wanted, axis)
    else:
        result = _filled_by(how, value, gaps, wanted & ~ends, axis)
        at_ends = wanted & ends
        if how.ends != "none" and at_ends.any():
            other = attrs.evolve(how, method=how.ends, constant=how.end_value)
            mask = from_numpy(at_ends)
            by_ends = _filled_by(other, value, gaps, at_ends, axis)
            result = assign(share(result), (mask,), index(by_ends, (mask,)))
        else:
            wanted = wanted & ~ends
    return result, wanted & ~missing_elements(result)


def _lines(a: Numbers, axis: int) -> Numbers:
    """Lines along an axis as columns."""
    return np.moveaxis(a, axis, 0).reshape(a.shape[axis], -1)


def _back(lines: Numbers, shape: tuple[int, ...], axis: int) -> Numbers:
    """Return what `_lines` made columns of, as an array again."""
    moved = (shape[axis], *shape[:axis], *shape[axis + 1 :])
    return np.asfortranarray(np.moveaxis(lines.reshape(moved), 0, axis))


def _gaps_to_fill(gaps: Flags, how: Filling, axis: int) -> tuple[Flags, Flags]:
    """Which elements are in gaps that are short enough, and which in gaps at the ends."""
    lines = _lines(gaps, axis)
    count = lines.shape[0]
    at = how.at(count)
    wanted, ends = lines.copy(), np.zeros_like(lines)
    for k in range(lines.shape[1]):
        for start, stop in runs(lines[:, k]):
            before, after = max(start - 1, 0), min(stop, count - 1)
            ends[start:stop, k] = start == 0 or stop == count
            if how.longest is not None and at[after] - at[before] > how.longest:
                wanted[start:stop, k] = False
    return _back(wanted, gaps.shape, axis), _back(ends, gaps.shape, axis)


def runs(flags: Flags) -> list[tuple[int, int]]:
    """Where runs of true elements begin, and where they have ended."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], flags.astype(np.int8), [0]])))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def _filled_by(how: Filling, value: Any, gaps: Flags, wanted: Flags, axis: int) -> Any:
    """`value` with its `wanted` elements from those that are not in gaps."""
    if not wanted.any():
        return value
    if how.method == "constant":
        return _constants(value, wanted, _for_lines(how.constant, wanted, axis))
    if how.method in TAKING:
        return _taken(value, gaps, wanted, axis, how)
    if isinstance(value, ArrayObject) and value.class_name in ("datetime", "duration"):
        numbers: Any = value.codes
    elif class_of(value) in ("double", "single"):
        numbers = to_numpy(value)
    else:
        raise MatlabError(
            "MATLAB:fillmissing:InterpolationInvalid",
            f"The method '{how.method}' is not for values of type {class_of(value)}.",
        )
    if how.method == "knn":
        found = nearest_rows(numbers, gaps, wanted, how)
    else:
        lines, holes, open_ = (_lines(part, axis) for part in (numbers, gaps, wanted))
        made = [_line(lines[:, k], holes[:, k], open_[:, k], how) for k in range(lines.shape[1])]
        found = _back(np.stack(made, axis=1), numbers.shape, axis)
    return value.with_codes(found) if isinstance(value, ArrayObject) else from_numpy(found)


def _for_lines(fill: Any, wanted: Flags, axis: int) -> Any:
    """Return the constants of the wanted elements, if there is one for each line."""
    rest = [n for k, n in enumerate(wanted.shape) if k != axis]
    count = int(np.prod(rest))
    if count == 1 or class_of(fill) not in NUMERIC_CLASSES or np.prod(size_of(fill)) != count:
        return fill
    shape = [1 if k == axis else n for k, n in enumerate(wanted.shape)]
    each = np.broadcast_to(to_numpy(fill).reshape(shape, order="F"), wanted.shape)
    return from_numpy(each.ravel(order="F")[wanted.ravel(order="F")].reshape(-1, 1))


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


def _taken(value: Any, gaps: Flags, wanted: Flags, axis: int, how: Filling) -> Any:
    """Elements of any class in the places of gaps."""
    shape = gaps.shape
    if shape == (1, 1):
        return value
    where = np.arange(gaps.size).reshape(shape, order="F")
    lines, holes, open_ = (_lines(part, axis) for part in (where, gaps, wanted))
    source = lines.copy()
    for k in range(lines.shape[1]):
        from_where = lines[_sources(holes[:, k], how.method, how.points), k]
        source[:, k] = np.where(open_[:, k], from_where, lines[:, k])
    taken = np.empty(gaps.size, np.intp)
    taken[lines.ravel()] = source.ravel()
    return index(value, (from_numpy(taken.reshape(shape, order="F") + 1.0),))


def _sources(gaps: Flags, method: str, points: Any) -> NDArray[np.intp]:
    """Return the position that each element is taken from; its own where there is none."""
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


def _line(y: Numbers, gaps: Flags, wanted: Flags, how: Filling) -> Numbers:
    """One line with its wanted elements computed, where there is enough to compute them from."""
    known = np.flatnonzero(~gaps)
    places = np.flatnonzero(wanted)
    if not places.size or not known.size:
        return y
    at = how.at(y.size)
    y = y.copy()
    if how.method in MOVING:
        y[places] = _moving(y, gaps, places, at, how)
    elif how.called is not None and how.method == "function":
        for start, stop in runs(wanted):
            near = known[
                (at[known] >= at[start] - how.reach[0]) & (at[known] <= at[stop - 1] + how.reach[1])
            ]
            y[start:stop] = how.called(y[near], at[near], at[start:stop])
    elif known.size > 1:
        y[places] = (
            _straight(at[known], y[known], at[places])
            if how.method == "linear"
            else interpolate_table(at[known], y[known], at[places], how.method)
        )
    return y


def _straight(x: Numbers, y: Numbers, wanted: Numbers) -> Numbers:
    """Between neighbours; ends go on with the same slope."""
    right = np.clip(np.searchsorted(x, wanted), 1, x.size - 1)
    a, b = right - 1, right
    return np.asarray(y[a] + (y[b] - y[a]) * (wanted - x[a]) / (x[b] - x[a]))


def _moving(y: Numbers, gaps: Flags, places: Numbers, at: Numbers, how: Filling) -> Numbers:
    """Means or medians of what is known in the windows around gaps; NaN where nothing is."""
    if how.points is None:
        low, high = even_bounds(y.size, *how.reach)
    else:
        low, high = bounds(at, *how.reach)
    rule = np.mean if how.method == "movmean" else np.median
    found = y[places].copy()
    for k, place in enumerate(places):
        window = slice(low[place], high[place])
        inside = y[window][~gaps[window]]
        if inside.size:
            found[k] = rule(inside)
    return found


def nearest_rows(a: Numbers, gaps: Flags, wanted: Flags, how: Filling) -> Numbers:
    """Return a matrix whose gaps are means of the rows nearest to theirs that have that column.

    Distances are Euclidean over the columns that both rows have, scaled up to all columns.
    """
    if a.ndim > 2:
        raise MatlabError("MATLAB:fillmissing:KNNInput", "The method 'knn' is for matrices.")
    found = np.array(a, order="F")
    known = ~gaps
    scaled = np.where(known, a, 0.0)
    if how.standardized:
        spread = [np.std(a[known[:, j], j], ddof=1) if known[:, j].sum() > 1 else 1.0
                  for j in range(a.shape[1])]  # fmt: skip
        scaled = scaled / np.where(np.array(spread) > 0, spread, 1.0)
    for i in np.flatnonzero(wanted.any(axis=1)):
        both = known & known[i]
        shared = both.sum(axis=1)
        squares = (np.where(both, scaled - scaled[i], 0.0) ** 2).sum(axis=1)
        with np.errstate(all="ignore"):
            distances = np.sqrt(squares * (a.shape[1] / shared))
        distances[shared == 0] = np.nan
        distances[i] = np.nan
        for j in np.flatnonzero(wanted[i]):
            rows = np.flatnonzero(known[:, j] & ~np.isnan(distances))
            if rows.size:
                nearest = rows[np.argsort(distances[rows], kind="stable")[: how.neighbours]]
                found[i, j] = a[nearest, j].mean()
    return found
