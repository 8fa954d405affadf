"""summary: what variables of tables and categorical arrays hold."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import undefined_for
from runmat_core.api.interp import Interp
from runmat_core.builtins.tables.rows import missing_rows
from runmat_core.values import class_of, from_numpy, size_of
from runmat_core.values.categorical import UNDEFINED, Categorical
from runmat_core.values.cell import CellArray
from runmat_core.values.char import CharArray
from runmat_core.values.classes import NUMERIC_CLASSES
from runmat_core.values.display_format import DEFAULT_FORMAT
from runmat_core.values.struct import StructArray
from runmat_core.values.tables.display import column_texts
from runmat_core.values.tables.frame import take_rows
from runmat_core.values.tables.table import Table


def _counts(value: Categorical) -> list[tuple[str, int]]:
    """How many elements each category has, and what is undefined where there is some."""
    counts = np.bincount(value.codes.ravel(), minlength=len(value.names) + 1).tolist()
    found = list(zip(value.names, counts[1:], strict=True))
    return [*found, (UNDEFINED, counts[0])] if counts[0] else found


def _statistics(value: Any, interp: Interp) -> dict[str, Any]:
    """Least, middle and greatest element of a column, without what is missing."""
    known = take_rows(value, np.flatnonzero(~missing_rows(value)))
    if not size_of(known)[0]:
        return {}
    found = {}
    for label, name in (("Min", "min"), ("Median", "median"), ("Max", "max")):
        function = interp.builtin(name)
        assert function is not None
        found[label] = function(1, known)
    return found


def _kind(value: Any) -> str:
    if isinstance(value, CellArray) and all(isinstance(v, CharArray) for v in value.items()):
        return "cell array of character vectors"
    return class_of(value)


def _has_order(value: Any) -> bool:
    numbers = (*NUMERIC_CLASSES, "datetime", "duration")
    return class_of(value) in numbers and size_of(value)[1] == 1


def _text_of(value: Any) -> str:
    return column_texts(value, DEFAULT_FORMAT)[0].strip()


def _lines(rows: list[tuple[str, str]]) -> str:
    left = max(len(label) for label, _ in rows)
    right = max(len(text) for _, text in rows)
    return "".join(f"            {a.ljust(left)}    {b.rjust(right)}  \n" for a, b in rows)


@builtin("summary", family="tables/summarizing", needs=("nargout", "interp"))
def summary(x: Any, *, nargout: int = 0, interp: Interp) -> Any:
    """What the variables of a table hold, or how many elements the categories of an array have.

    summary(T) prints it, s = summary(T) gives a struct with a field for each variable
    summary(C) of a categorical array

    Examples:
        >> summary(categorical({'a', 'b', 'a'}))
             a      b
             2      1
        >> s = summary(table([1; 5], 'VariableNames', {'x'})); s.x.Max
        ans =
             5

    See also: table, categories, countcats, groupsummary.
    """
    if isinstance(x, Categorical):
        if nargout:
            return StructArray({n: float(c) for n, c in _counts(x)})
        interp.write(_categories(x))
        return None
    if not isinstance(x, Table):
        raise undefined_for("summary", class_of(x))
    if nargout:
        return StructArray({name: _struct(x.column(name), interp) for name in x.names})
    interp.write(_page(x, interp))
    return None


def _struct(value: Any, interp: Interp) -> StructArray:
    size = np.array([size_of(value)], np.float64)
    fields: dict[str, Any] = {"Size": from_numpy(size), "Type": CharArray(class_of(value))}
    if _has_order(value):
        fields.update(_statistics(value, interp))
        fields["NumMissing"] = float(missing_rows(value).sum())
    return StructArray(fields)


def _categories(value: Categorical) -> str:
    counts = [(name, str(count)) for name, count in _counts(value)]
    if size_of(value)[0] == 1 and size_of(value)[1] != 1:
        widths = [max(len(name), len(count)) for name, count in counts]
        lines = [
            "".join(f"     {pair[k].ljust(w)} " for pair, w in zip(counts, widths, strict=True))
            for k in (0, 1)
        ]
        return f"{lines[0]}\n{lines[1]}\n\n"
    left = max(len(name) for name, _ in counts)
    return "".join(f"     {name.ljust(left)}      {count} \n" for name, count in counts) + "\n"


def _page(table: Table, interp: Interp) -> str:
    """The variables one below the other."""
    pieces = ["\n"]
    if table.data.description:
        pieces.append(f"Description:  {table.data.description}\n\n")
    pieces.append("Variables:\n\n")
    for name in table.names:
        value = table.column(name)
        size = "×".join(map(str, size_of(value)))
        pieces.append(f"    {name}: {size} {_kind(value)}\n\n")
        rows: list[tuple[str, str]] = []
        if isinstance(value, Categorical):
            rows = [(label, str(count)) for label, count in _counts(value)]
        elif class_of(value) == "logical" and size_of(value)[1] == 1:
            count = int(np.count_nonzero(value.data if hasattr(value, "data") else value))
            rows = [("True", str(count)), ("False", str(size_of(value)[0] - count))]
        elif _has_order(value):
            found = _statistics(value, interp)
            rows = [(label, _text_of(one)) for label, one in found.items()]
            gaps = int(missing_rows(value).sum())
            rows += [("NumMissing", str(gaps))] if gaps else []
        if rows:
            pieces.append(f"        Values:\n\n{_lines(rows)}\n")
    return "".join(pieces)
