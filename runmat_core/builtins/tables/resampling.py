"""Variables at other times: filled, looked up, interpolated, or aggregated over bins."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.tables.missing import missing_elements
from runmat_core.values import class_of, from_numpy, to_numpy, vertcat
from runmat_core.values.array_object import ArrayObject
from runmat_core.values.char import CharArray
from runmat_core.values.classes import DTYPE
from runmat_core.values.handle import FunctionHandle
from runmat_core.values.indexing import size_of
from runmat_core.values.tables.frame import (
    Rows,
    as_matrix,
    missing_like,
    put_rows,
    rows_of_blanks,
    take_rows,
)
from runmat_core.values.time.datetime import Datetime
from runmat_core.values.time.duration import Duration

FILLING = ("fillwithmissing", "fillwithconstant")
NEIGHBOURS = ("previous", "next", "nearest")
INTERPOLATING = ("linear", "spline", "pchip", "makima")
AGGREGATING = (*("mean", "sum", "prod", "min", "max", "count", "firstvalue", "lastvalue", "mode"),)
METHODS = ("default", *FILLING, *NEIGHBOURS, *INTERPOLATING, *AGGREGATING)

#: What the continuity of a variable makes of 'default'.
_BY_CONTINUITY = {"continuous": "linear", "step": "previous"}


def aggregates(method: Any) -> bool:
    """Whether a method makes one value of all the rows in a bin."""
    return isinstance(method, FunctionHandle) or method in AGGREGATING


@attrs.frozen(eq=False)
class Move:
    """Rows at times, and the times that they are to have.

    Attributes:
        old: times of the rows in ascending order.
        new: the other times, in ascending order.
        bins: for each row the bin it is in, whose first or last time is one of `new`; -1 for none.
        constant: what fills what is not known.
        end_value: what lies outside the times of the rows; None to extrapolate.
    """

    old: NDArray[Any]
    new: NDArray[Any]
    bins: Rows
    constant: Any
    end_value: float | None
    interp: Interp

    @classmethod
    def of(cls, old: Any, new: Any, edge: str, options: tuple[Any, Any], interp: Interp) -> Move:
        """Return a move with bins that include their left or right edge.

        The outermost has no end.
        """
        if edge == "left":
            bins = np.searchsorted(new, old, "right") - 1
        else:
            bins = np.searchsorted(new, old, "left")
            bins = np.where(bins == new.size, -1, bins)
        return cls(old, new, bins, *options, interp)

    def variable(self, value: Any, method: Any, continuity: str) -> Any:
        """One variable at the new times; its rows are in the order of `old`."""
        if isinstance(method, FunctionHandle):
            return self._called(value, method)
        if method == "default":
            method = _BY_CONTINUITY.get(continuity, "fillwithmissing")
        if method in FILLING:
            return self._matched(value, method)
        if method in NEIGHBOURS:
            return self._looked_up(value, method)
        if method in INTERPOLATING:
            return self._interpolated(value, method)
        return self._aggregated(value, method)

    # -- filling ---------------------------------------------------------------------------------

    def _placed(self, value: Any, where: Rows, known: NDArray[np.bool_], gap: Any = None) -> Any:
        """Return the rows at `where` for known new times, and missing values for others."""
        rows = np.flatnonzero(known)
        found = rows_of_blanks(value, self.new.size)
        gaps = np.flatnonzero(~known)
        if len(gaps):
            found = put_rows(found, gaps, missing_like(value) if gap is None else gap)
        return put_rows(found, rows, take_rows(value, where[rows]))

    def _matched(self, value: Any, method: str) -> Any:
        where = np.searchsorted(self.old, self.new, "left")
        inside = where < self.old.size
        where = np.where(inside, where, 0)
        known = inside & (self.old[where] == self.new) if self.old.size else inside
        gap = self.constant if method == "fillwithconstant" else None
        return self._placed(value, where, known, gap)

    def _looked_up(self, value: Any, method: str) -> Any:
        count = self.old.size
        before = np.searchsorted(self.old, self.new, "right") - 1
        after = np.searchsorted(self.old, self.new, "left")
        if method == "previous" or not count:
            return self._placed(value, before, before >= 0)
        if method == "next":
            return self._placed(value, after, after < count)
        low, high = np.clip(before, 0, None), np.clip(after, None, count - 1)
        nearer = (self.new - self.old[low]) < (self.old[high] - self.new)
        where = np.where((before >= 0) & (nearer | (after >= count)), low, high)
        return self._placed(value, where, np.ones(self.new.size, np.bool_))

    # -- interpolating ---------------------------------------------------------------------------

    def _interpolated(self, value: Any, method: str) -> Any:
        if isinstance(value, Datetime | Duration):
            base = value.codes.ravel()[:1]
            numbers = self._points((value.codes - base).astype(np.float64), method)
            return value.with_codes(np.asarray(numbers + base, value.codes.dtype))
        if class_of(value) not in DTYPE:
            raise _unusable(method, value)
        data = to_numpy(value)
        found = self._points(data if data.dtype.kind in "fc" else data.astype(np.float64), method)
        if data.dtype.kind in "iu":
            limits = np.iinfo(data.dtype)
            rounded = np.clip(np.floor(found + 0.5), limits.min, limits.max)
            return from_numpy(np.nan_to_num(rounded).astype(data.dtype))
        return from_numpy(np.asfortranarray(found))

    def _points(self, data: NDArray[Any], method: str) -> NDArray[Any]:
        if (np.diff(self.old) == 0).any():
            raise MatlabError(
                "MATLAB:timetable:synchronize:NotUnique",
                f"The row times must be unique for the method '{method}'.",
            )
        function = self.interp.builtin("interp1")
        assert function is not None
        origin = self.old[:1]
        x = from_numpy((self.old - origin).astype(np.float64).reshape(-1, 1))
        xq = from_numpy((self.new - origin).astype(np.float64).reshape(-1, 1))
        flat = np.asfortranarray(as_matrix(data))
        ends = CharArray("extrap") if self.end_value is None else self.end_value
        found = to_numpy(function(1, x, from_numpy(flat), xq, CharArray(method), ends))
        return found.reshape((self.new.size, *data.shape[1:]), order="F")

    # -- aggregating -----------------------------------------------------------------------------

    def _rows_of_bins(self) -> list[Rows]:
        numbers = np.arange(self.new.size)
        first = np.searchsorted(self.bins, numbers, "left")
        last = np.searchsorted(self.bins, numbers, "right")
        return [np.arange(a, b) for a, b in zip(first, last, strict=True)]

    def _called(self, value: Any, function: Any) -> Any:
        results: list[Any] = []
        for rows in self._rows_of_bins():
            if not len(rows):
                results.append(None)
                continue
            one = self.interp.call(function, [take_rows(value, rows)], 1)
            if size_of(one)[0] != 1:
                raise MatlabError(
                    "MATLAB:timetable:synchronize:NonscalarFunctionResult",
                    "The function must return one row for the rows in each bin.",
                )
            results.append(one)
        model = next((one for one in results if one is not None), None)
        if model is None:
            return rows_of_blanks(value, self.new.size)
        gap = rows_of_blanks(model, 1)
        return vertcat(*(gap if one is None else one for one in results))

    def _aggregated(self, value: Any, method: str) -> Any:
        if method == "count":
            known = ~as_matrix(missing_elements(value))
            return from_numpy(self._reduced(np.add, known.astype(np.float64), 0.0))
        if method in ("firstvalue", "lastvalue"):
            return self._at_end(value, method)
        if method == "mode":
            return self._by_builtin(value, method)
        if isinstance(value, Duration) or (isinstance(value, Datetime) and method in _OF_TIMES):
            base = value.codes.ravel()[:1] if isinstance(value, Datetime) else np.zeros(1)
            codes = self._statistic((value.codes - base).astype(np.float64), method)
            return value.with_codes(np.asarray(codes + base, value.codes.dtype))
        if isinstance(value, ArrayObject) and method in ("min", "max"):
            return self._by_builtin(value, method)
        if class_of(value) not in DTYPE:
            raise _unusable(method, value)
        data = to_numpy(value)
        if method in ("min", "max") and data.dtype.kind in "iu":
            return self._by_builtin(value, method)
        found = self._statistic(data if data.dtype.kind in "fc" else data.astype(float), method)
        return from_numpy(np.asfortranarray(found))

    def _statistic(self, data: NDArray[Any], method: str) -> NDArray[Any]:
        """One of the statistics of each bin, of what is not missing in it."""
        shape = (self.new.size, *data.shape[1:])
        flat = as_matrix(data)
        known = ~np.isnan(flat)
        if method in ("min", "max"):
            rule = np.fmin if method == "min" else np.fmax
            return self._reduced(rule, flat, np.nan).reshape(shape, order="F")
        if method == "prod":
            product = self._reduced(np.multiply, np.where(known, flat, 1), 1.0)
            return product.reshape(shape, order="F")
        total = self._reduced(np.add, np.where(known, flat, 0), 0.0)
        if method == "mean":
            count = self._reduced(np.add, known.astype(np.float64), 0.0)
            with np.errstate(invalid="ignore", divide="ignore"):
                total = (total / count).astype(data.dtype)
        return total.reshape(shape, order="F")

    def _reduced(self, rule: np.ufunc, flat: NDArray[Any], empty: float) -> NDArray[Any]:
        """Return a function of the rows of each bin, column by column.

        Bins are in ascending order.
        """
        found = np.full((self.new.size, flat.shape[1]), empty, flat.dtype, order="F")
        inside = np.flatnonzero(self.bins >= 0)
        if inside.size:
            bins = self.bins[inside]
            starts = np.flatnonzero(np.diff(bins, prepend=-1))
            found[bins[starts]] = rule.reduceat(flat[inside], starts, axis=0)
        return found

    def _at_end(self, value: Any, method: str) -> Any:
        known = np.flatnonzero(~as_matrix(missing_elements(value)).any(axis=1) & (self.bins >= 0))
        where = np.full(self.new.size, -1, np.intp)
        order = known[::-1] if method == "firstvalue" else known
        where[self.bins[order]] = order
        return self._placed(value, where, where >= 0)

    def _by_builtin(self, value: Any, method: str) -> Any:
        """One call of a builtin for the rows of each bin that are not missing."""
        function: Callable[..., Any] | None = self.interp.builtin(method)
        assert function is not None
        if size_of(value)[1] != 1:
            raise _unusable(method, value)
        missing = missing_elements(value).ravel()
        results = []
        for rows in self._rows_of_bins():
            known = rows[~missing[rows]]
            part = take_rows(value, known)
            results.append(function(1, part) if len(known) else rows_of_blanks(value, 1))
        return vertcat(*results) if results else take_rows(value, np.zeros(0, np.intp))


_OF_TIMES = ("mean", "min", "max")


def _unusable(method: str, value: Any) -> MatlabError:
    return MatlabError(
        "MATLAB:timetable:synchronize:NonnumericVariable",
        f"The method '{method}' cannot be used for a variable of class {class_of(value)}.",
    )
