"""Bins of grouping variables: units of time, edges, widths, and numbers of bins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.tables.support import new_names
from runmat_core.builtins.time.date_shifts import unit_start, unit_stepped
from runmat_core.values import class_of, is_text, text, to_numpy
from runmat_core.values.categorical import Categorical, Meaning
from runmat_core.values.cell import CellArray
from runmat_core.values.classes import NUMERIC_CLASSES
from runmat_core.values.tables.table import Table
from runmat_core.values.time import civil
from runmat_core.values.time.datetime import Datetime
from runmat_core.values.time.duration import UNIT, Duration

#: Units of time, and the format of what names one; without one it is named by both its ends.
UNITS = {
    "second": "",
    "minute": "",
    "hour": "",
    "day": "dd-MMM-yyyy",
    "week": "",
    "month": "MMM-yyyy",
    "quarter": "QQQ yyyy",
    "year": "yyyy",
}
_OF_SPANS = {"second": "s", "minute": "m", "hour": "h", "day": "d", "year": "y"}

_Cycle = tuple[Callable[[civil.Parts], Any], list[str]]


def _counted(first: int, last: int) -> list[str]:
    return [str(k) for k in range(first, last + 1)]


def _weekday(now: civil.Parts) -> Any:
    return (civil.day_number(now.year, now.month, now.day) + 4) % 7


#: What comes round again: where each time is in it, from zero, and the names of the places.
_CYCLES: dict[str, _Cycle] = {
    "secondofminute": (lambda t: t.milliseconds % UNIT["m"] // 1000, _counted(0, 59)),
    "minuteofhour": (lambda t: t.milliseconds % UNIT["h"] // UNIT["m"], _counted(0, 59)),
    "hourofday": (lambda t: t.milliseconds // UNIT["h"], _counted(0, 23)),
    "dayofweek": (_weekday, _counted(1, 7)),
    "dayname": (_weekday, list(civil.DAYS)),
    "dayofmonth": (lambda t: t.day - 1, _counted(1, 31)),
    "dayofyear": (
        lambda t: civil.day_number(t.year, t.month, t.day) - civil.day_number(t.year, 1, 1),
        _counted(1, 366),
    ),
    "monthofyear": (lambda t: t.month - 1, _counted(1, 12)),
    "monthname": (lambda t: t.month - 1, list(civil.MONTHS)),
    "quarterofyear": (lambda t: (t.month - 1) // 3, _counted(1, 4)),
}


def are_bins(value: Any) -> bool:
    """Whether an argument of a function of groups says how to make bins."""
    if isinstance(value, CellArray):
        items = value.items()
        return bool(items) and all(are_bins(item) for item in items)
    if is_text(value):
        return text(value).lower() in (*UNITS, *_CYCLES, "none")
    return isinstance(value, Datetime | Duration) or class_of(value) in NUMERIC_CLASSES


def with_bins(
    table: Table, names: Sequence[str], bins: Any, side: str, interp: Interp
) -> tuple[Table, list[str]]:
    """Return a table with columns of bins for grouping variables, and what to group by.

    Args:
        bins: one way to make bins for all variables, or a cell array with one for each.
        side: the edge that bins include, 'left' or 'right'.

    Raises:
        MatlabError: MATLAB:groupsummary:GroupBinsCellLength, or bins that do not fit a variable.
    """
    each = bins.items() if isinstance(bins, CellArray) else [bins] * len(names)
    if len(each) != len(names):
        raise MatlabError(
            "MATLAB:groupsummary:GroupBinsCellLength",
            "There must be one way to make bins, or one for each grouping variable.",
        )
    found: list[str] = []
    for name, how in zip(names, each, strict=True):
        if is_text(how) and text(how).lower() == "none":
            found.append(name)
            continue
        column = _binned(table.column(name), how, side, interp)
        prefix = text(how).lower() if is_text(how) else "disc"
        (label,) = new_names([f"{prefix}_{name}"], table.names)
        table = table.put_column(label, column)
        found.append(label)
    return table, found


def _binned(value: Any, how: Any, side: str, interp: Interp) -> Categorical:
    if isinstance(value, Datetime) and is_text(how):
        return _by_unit(value, text(how).lower())
    if isinstance(value, Duration):
        word = text(how).lower() if is_text(how) else ""
        if word in _OF_SPANS:
            how = Duration([[UNIT[_OF_SPANS[word]]]])
        if isinstance(how, Duration) and how.codes.size == 1:
            return _by_width(value, float(how.codes.item()))
    if isinstance(value, Datetime | Duration) and type(how) is type(value):
        edges = value.adopt(how).codes.ravel(order="F")
        words = value.with_codes(edges.reshape(-1, 1)).shown_texts()
        return _by_edges(value.codes, edges, words, side)
    if class_of(value) in NUMERIC_CLASSES and class_of(how) in NUMERIC_CLASSES:
        function = interp.builtin("discretize")
        assert function is not None
        _, edges = function(2, value, how)
        limits = to_numpy(edges).astype(np.float64).ravel()
        data = to_numpy(value).astype(np.float64)
        return _by_edges(data, limits, [f"{edge:.5g}" for edge in limits], side)
    raise MatlabError(
        "MATLAB:groupsummary:GroupBinsTypeMismatch",
        f"These bins cannot be made for a grouping variable of class {class_of(value)}.",
    )


def _by_edges(codes: Any, edges: Any, words: Sequence[str], side: str) -> Categorical:
    """Bins between edges; the last, or the first, includes both of its own."""
    if edges.size < 2 or not (np.diff(edges) > 0).all():
        raise MatlabError(
            "MATLAB:groupsummary:InvalidGroupBins", "Edges of bins must be in ascending order."
        )
    count = edges.size - 1
    where = np.searchsorted(edges, codes, "right" if side == "left" else "left")
    outer = edges[-1] if side == "left" else edges[0]
    where = np.where(codes == outer, count if side == "left" else 1, where)
    where = np.where((where > count) | np.isnan(codes), 0, where)
    labels = []
    for k, (low, high) in enumerate(pairwise(words)):
        opening = "[" if side == "left" or k == 0 else "("
        closing = "]" if side == "right" or k == count - 1 else ")"
        labels.append(f"{opening}{low}, {high}{closing}")
    return Categorical(where, Meaning(tuple(labels), True))


def _by_width(value: Duration, width: float) -> Categorical:
    if not width > 0 or not np.isfinite(width):
        raise MatlabError(
            "MATLAB:groupsummary:InvalidGroupBins", "The width of bins must be positive."
        )
    numbers = np.floor(value.codes / width)
    known = np.unique(numbers[np.isfinite(numbers)])
    ends = [
        Duration(known.reshape(-1, 1) * width + shift, value.form).shown_texts()
        for shift in (0.0, width)
    ]
    return _of_starts(numbers, known, [f"[{a}, {b})" for a, b in zip(*ends, strict=True)])


def _by_unit(value: Datetime, word: str) -> Categorical:
    if word in _CYCLES:
        rule, labels = _CYCLES[word]
        now = civil.parts(value.local())
        places = np.where(now.known, rule(now), -1).astype(np.int64) + 1
        return Categorical(places, Meaning(tuple(labels), True))
    starts = unit_start(value.local(), word)
    known = np.unique(starts[np.isfinite(starts)])
    column = value.with_local(known.reshape(-1, 1))
    if UNITS[word]:
        labels = [str(w) for w in column.words(UNITS[word])]
    else:
        after = value.with_local(unit_stepped(known.reshape(-1, 1), word, np.ones((1, 1))))
        form = column.formatted("").form
        pairs = zip(column.words(form), after.words(form), strict=True)
        labels = [f"[{a}, {b})" for a, b in pairs]
    return _of_starts(starts, known, labels)


def _of_starts(starts: Any, known: Any, labels: Sequence[str]) -> Categorical:
    """Return the bins that begin at `known`, for what is in the one that begins at `starts`."""
    where = np.searchsorted(known, starts) + 1
    where = np.where(np.isfinite(starts), where, 0)
    return Categorical(where, Meaning(tuple(labels), True))
