"""Which rows and variables the subscripts of a table select."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api.errors import MatlabError
from runmat_core.values.array_object import ArrayObject
from runmat_core.values.base import COLON
from runmat_core.values.cell import CellArray
from runmat_core.values.char import CharArray
from runmat_core.values.positions import EVERYTHING, positions
from runmat_core.values.string import StringArray
from runmat_core.values.tables.frame import Frame, Rows
from runmat_core.values.text import is_text, text, texts

_TEXT = (CharArray, StringArray, CellArray)


def two_subscripts(subs: Sequence[Any]) -> tuple[Any, Any]:
    """Return the row and the variable subscript.

    Raises:
        MatlabError: MATLAB:table:LinearSubscript, MATLAB:table:NDSubscript.
    """
    if len(subs) == 2:
        return subs[0], subs[1]
    if len(subs) < 2:
        raise MatlabError(
            "MATLAB:table:LinearSubscript",
            "Subscripting into a table using one subscript (as in t(i)) is not supported. Specify "
            "a row subscript and a variable subscript, as in t(rows,vars). To select variables, "
            "use t(:,i) or for one variable t.(i). To select rows, use t(i,:).",
        )
    raise MatlabError(
        "MATLAB:table:NDSubscript",
        "Subscripting into a table requires a row subscript and a variable subscript.",
    )


def _is_colon(sub: Any) -> bool:
    return sub is COLON or (is_text(sub) and text(sub) == ":")


def rows_at(frame: Frame, sub: Any, grow: bool = False) -> Rows:
    """Zero-based positions of the rows that a subscript selects.

    Args:
        grow: whether numbers past the last row are rows to come.

    Raises:
        MatlabError: MATLAB:table:RowIndexOutOfRange, MATLAB:table:UnrecognizedRowName.
    """
    if _is_colon(sub):
        return np.arange(frame.height, dtype=np.intp)
    if frame.row_times is not None:
        within = getattr(sub, "rows_in", None)
        if within is not None:
            return np.asarray(within(frame.row_times), np.intp)
        times = times_of(frame, sub)
        if times is not None:
            return _rows_at_times(frame, times, grow)
    if isinstance(sub, _TEXT):
        return _named_rows(frame, texts(sub), grow)
    where, _ = positions(sub, 0)
    chosen: Any = np.arange(frame.height) if where is EVERYTHING else where
    found = np.atleast_1d(chosen)
    if not grow and found.size and found.max() >= frame.height:
        raise MatlabError("MATLAB:table:RowIndexOutOfRange", "Row index exceeds table dimensions.")
    return np.asarray(found, np.intp)


def _named_rows(frame: Frame, names: list[str], grow: bool) -> Rows:
    place = {name: k for k, name in enumerate(frame.row_names)}
    found = []
    for name in names:
        if name not in place:
            if not grow:
                raise MatlabError(
                    "MATLAB:table:UnrecognizedRowName", f"Unrecognized row name '{name}'."
                )
            place[name] = max(frame.height, len(place))
        found.append(place[name])
    return np.array(found, np.intp)


def times_of(frame: Frame, sub: Any) -> Any:
    """Return a row subscript as times like those of a timetable; None where it is no time."""
    if frame.row_times is None or not isinstance(sub, (ArrayObject, *_TEXT)) or _is_colon(sub):
        return None
    return frame.row_times.adopt(sub)


def _rows_at_times(frame: Frame, times: Any, grow: bool) -> Rows:
    """Return the rows with these times, all of them for each.

    Times that no row has are rows to come.
    """
    have, wanted = frame.row_times.codes.ravel(), times.codes.ravel(order="F")
    order = np.argsort(have, kind="stable")
    first = np.searchsorted(have[order], wanted, "left")
    last = np.searchsorted(have[order], wanted, "right")
    found: list[Any] = []
    new: dict[Any, int] = {}
    for time, low, high in zip(wanted.tolist(), first.tolist(), last.tolist(), strict=True):
        if low == high and grow:
            found.append([new.setdefault(time, frame.height + len(new))])
        else:
            found.append(order[low:high])
    return np.concatenate([np.zeros(0, np.intp), *found]).astype(np.intp)


def columns_at(frame: Frame, sub: Any, new: bool = False) -> list[str]:
    """Return the names of the variables that a subscript selects.

    Args:
        new: whether names that are not there, and numbers past the last, are variables to come.

    Raises:
        MatlabError: MATLAB:table:UnrecognizedVarName, MATLAB:table:VarIndexOutOfRange.
    """
    names = frame.names
    if _is_colon(sub):
        return names
    matches = getattr(sub, "matching", None)
    if matches is not None:
        return [name for name in names if matches(frame.columns[name])]
    if isinstance(sub, _TEXT):
        wanted = texts(sub)
        for name in wanted:
            if name not in frame.columns and not new:
                raise unknown_variable(name)
        return wanted
    where, _ = positions(sub, 1)
    found = []
    for k in np.atleast_1d(np.asarray(where)).tolist():
        if k < len(names):
            found.append(names[k])
        elif new:
            found.append(f"Var{k + 1}")
        else:
            raise MatlabError(
                "MATLAB:table:VarIndexOutOfRange", "Variable index exceeds table dimensions."
            )
    return found


def unknown_variable(name: str) -> MatlabError:
    return MatlabError(
        "MATLAB:table:UnrecognizedVarName", f"Unrecognized table variable name '{name}'."
    )
