"""head and tail: the rows at both ends of a table or array."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import integer
from runmat_core.values import size_of
from runmat_core.values.tables.frame import take_rows
from runmat_core.values.tables.table import Table


def _end_rows(function: str, value: Any, count: Any) -> tuple[int, int]:
    """How many rows there are, and how many of them are asked for."""
    height = size_of(value)[0]
    wanted = 8 if count is None else integer(count, "Number of rows")
    if wanted < 0:
        raise MatlabError(
            f"MATLAB:table:{function}:InvalidSize", "The number of rows must not be negative."
        )
    return height, min(wanted, height)


def _given(value: Any, first: int, last: int, nargout: int, interp: Interp) -> Any:
    """Return the rows, which are shown where no output takes them."""
    rows = np.arange(first, last)
    found = value.rows(rows) if isinstance(value, Table) else take_rows(value, rows)
    if nargout:
        return found
    show = interp.builtin("disp")
    assert show is not None
    show(0, found)
    return None


@builtin("head", family="tables/ends", nargin=(1, 2), needs=("nargout", "interp"))
def head(t: Any, count: Any = None, *, nargout: int = 1, interp: Interp) -> Any:
    """The first rows of a table, timetable or array, eight by default.

    T2 = head(T), head(T, K)
    head(T), head(T, K) without output shows them

    Examples:
        >> x = head([1; 2; 3], 2)
        x =
             1
             2
        >> head(table([5; 6; 7]), 1)
            Var1
            ____
             5

    See also: tail, height.
    """
    _, shown = _end_rows("head", t, count)
    return _given(t, 0, shown, nargout, interp)


@builtin("tail", family="tables/ends", nargin=(1, 2), needs=("nargout", "interp"))
def tail(t: Any, count: Any = None, *, nargout: int = 1, interp: Interp) -> Any:
    """The last rows of a table, timetable or array, eight by default.

    T2 = tail(T), tail(T, K)
    tail(T), tail(T, K) without output shows them

    Examples:
        >> x = tail([1; 2; 3], 2)
        x =
             2
             3

    See also: head, height.
    """
    height, shown = _end_rows("tail", t, count)
    return _given(t, height - shown, height, nargout, interp)
