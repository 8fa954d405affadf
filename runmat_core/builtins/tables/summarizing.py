"""summary: what variables of tables and categorical arrays hold."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import undefined_for
from runmat_core.api.interp import Interp
from runmat_core.builtins.tables.keys import missing_rows
from runmat_core.values import class_of, from_numpy, horzcat, index, size_of, to_numpy
from runmat_core.values.base import COLON
from runmat_core.values.categorical import UNDEFINED, Categorical
from runmat_core.values.cell import CellArray, object_array
from runmat_core.values.char import CharArray
from runmat_core.values.classes import NUMERIC_CLASSES
from runmat_core.values.display_format import DEFAULT_FORMAT
from runmat_core.values.struct import StructArray
from runmat_core.values.tables.display import column_texts
from runmat_core.values.tables.frame import as_matrix, take_rows
from runmat_core.values.tables.stepping import step_of
from runmat_core.values.tables.table import Table
from runmat_core.values.tables.timetable import Timetable

_RULES = {"Min": "min", "Median": "median", "Max": "max"}

#: What is said of a variable, and the property that says it.
_NOTES = {"Description": "VariableDescriptions", "Units": "VariableUnits"}


def _counts(value: Categorical) -> list[tuple[str, list[int]]]:
    """How many elements of each column each category has, and what is undefined, if there is."""
    codes = as_matrix(value.codes)
    if codes.shape[0] == 1:
        codes = codes.T
    table = [np.bincount(column, minlength=len(value.names) + 1).tolist() for column in codes.T]
    found = [(name, [counts[k] for counts in table]) for k, name in enumerate(value.names, 1)]
    none = [counts[0] for counts in table]
    return [*found, (UNDEFINED, none)] if any(none) else found


def _statistics(value: Any, interp: Interp) -> dict[str, Any]:
    """Least, middle and greatest element of each column, without what is missing."""
    columns = [index(value, (COLON, float(k + 1))) for k in range(size_of(value)[1])]
    found: dict[str, list[Any]] = {label: [] for label in _RULES}
    for column in columns:
        known = take_rows(column, np.flatnonzero(~missing_rows(column)))
        if not size_of(known)[0]:
            return {}
        for label, name in _RULES.items():
            function = interp.builtin(name)
            assert function is not None
            found[label].append(function(1, known))
    return {
        label: items[0] if len(items) == 1 else horzcat(*items) for label, items in found.items()
    }


def _kind(value: Any) -> str:
    if isinstance(value, CellArray) and all(isinstance(v, CharArray) for v in value.items()):
        return "cell array of character vectors"
    return class_of(value)


def _has_order(value: Any) -> bool:
    numbers = (*NUMERIC_CLASSES, "datetime", "duration")
    shape = size_of(value)
    return class_of(value) in numbers and len(shape) == 2 and shape[1] > 0


def _texts_of(value: Any) -> list[str]:
    """Return the elements of a row."""
    count = size_of(value)[1]
    parts = [value] if count == 1 else [index(value, (1.0, float(k + 1))) for k in range(count)]
    return [column_texts(part, DEFAULT_FORMAT)[0].strip() for part in parts]


def _lines(rows: list[tuple[str, list[str]]]) -> str:
    """Labels and what belongs to them; several columns get a heading."""
    count = max(len(texts) for _, texts in rows)
    left = max(len(label) for label, _ in rows)
    heads = [f"Column {k + 1}" for k in range(count)] if count > 1 else [""]
    widths = [
        max(len(head), *(len(texts[k]) for _, texts in rows if k < len(texts)))
        for k, head in enumerate(heads)
    ]
    found = ""
    if count > 1:
        margin = " " * (12 + left)
        found = margin + "".join(f"    {h.ljust(w)}" for h, w in zip(heads, widths, strict=True))
        found += f"\n{margin}" + "".join(f"    {'_' * w}" for w in widths) + "\n\n"
    for label, texts in rows:
        line = f"            {label.ljust(left)}"
        for k, text in enumerate(texts):
            most = max(len(other[k]) for _, other in rows if k < len(other))
            before = (widths[k] - most) // 2
            line += "    " + (" " * before + text.rjust(most)).ljust(widths[k])
        found += f"{line}  \n"
    return found


@builtin("summary", family="tables/summarizing", needs=("nargout", "interp"))
def summary(x: Any, *, nargout: int = 0, interp: Interp) -> Any:
    """What the variables of a table hold, or how many elements the categories of an array have.

    summary(T) prints it, s = summary(T) gives a struct with a field for each variable, and for the
    times of a timetable
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
            return _count_struct(x)
        interp.write(_categories(x))
        return None
    if not isinstance(x, Table):
        raise undefined_for("summary", class_of(x))
    if nargout:
        names = [x.time_name, *x.names] if isinstance(x, Timetable) else x.names
        return StructArray({name: _struct(x, name, interp) for name in names})
    interp.write(_page(x, interp))
    return None


def _count_struct(value: Categorical) -> StructArray:
    """Return the counts by category, a row for several columns."""
    return StructArray(
        {name: from_numpy(np.array([count], np.float64)) for name, count in _counts(value)}
    )


def _struct(table: Table, name: str, interp: Interp) -> StructArray:
    value = table.column(name)
    size = np.array([size_of(value)], np.float64)
    notes = table.data.notes
    fields: dict[str, Any] = {"Size": from_numpy(size), "Type": CharArray(class_of(value))}
    if name in table.data.columns:
        for field, kind in _NOTES.items():
            fields[field] = CharArray(notes.get(kind, {}).get(name, ""))
    if isinstance(value, Categorical):
        counts = _counts(value)
        words = [CharArray(label) for label, _ in counts]
        fields["Categories"] = CellArray(object_array(words, (len(words), 1)))
        fields["Counts"] = from_numpy(np.array([[c[0]] for _, c in counts], np.float64))
    elif class_of(value) == "logical" and size_of(value)[1] == 1:
        count = float(np.count_nonzero(to_numpy(value)))
        fields["True"], fields["False"] = count, size_of(value)[0] - count
    elif _has_order(value):
        fields.update(_statistics(value, interp))
        fields["NumMissing"] = _gaps(value)
    if isinstance(table, Timetable) and name == table.time_name:
        fields["TimeStep"] = step_of(table.times)
    return StructArray(fields)


def _gaps(value: Any) -> Any:
    """How many elements of each column are missing."""
    flags = [missing_rows(index(value, (COLON, float(k + 1)))) for k in range(size_of(value)[1])]
    return from_numpy(np.array([[one.sum() for one in flags]], np.float64))


def _categories(value: Categorical) -> str:
    counts = _counts(value)
    if size_of(value)[0] == 1 and size_of(value)[1] != 1:
        pairs = [(name, str(sum(count))) for name, count in counts]
        widths = [max(len(name), len(count)) for name, count in pairs]
        lines = [
            "".join(f"     {pair[k].ljust(w)} " for pair, w in zip(pairs, widths, strict=True))
            for k in (0, 1)
        ]
        return f"{lines[0]}\n{lines[1]}\n\n"
    left = max((len(name) for name, _ in counts), default=0)
    wide = max((len(str(n)) for _, count in counts for n in count), default=0)
    rows = [
        f"     {name.ljust(left)} " + "".join(f"     {str(n).ljust(wide)} " for n in count) + "\n"
        for name, count in counts
    ]
    return "".join(rows) + "\n"


def _page(table: Table, interp: Interp) -> str:
    """Return the times of the rows, then the variables, one below the other."""
    pieces = ["\n"]
    if table.data.description:
        pieces.append(f"Description:  {table.data.description}\n\n")
    if isinstance(table, Timetable):
        rows = _values(table.times, interp)
        rows.append(("TimeStep", _texts_of(step_of(table.times))))
        pieces.append("RowTimes:\n\n")
        pieces.append(_heading(table.time_name, table.times))
        pieces.append(f"        Values:\n\n{_lines(rows)}\n")
    pieces.append("Variables:\n\n")
    for name in table.names:
        value = table.column(name)
        pieces.append(_heading(name, value))
        said = [
            (field, table.data.notes.get(kind, {}).get(name, "")) for field, kind in _NOTES.items()
        ]
        if any(text for _, text in said):
            lines = "".join(f"            {field}:  {text}\n" for field, text in said if text)
            pieces.append(f"        Properties:\n{lines}")
        rows = _values(value, interp)
        if rows:
            pieces.append(f"        Values:\n\n{_lines(rows)}\n")
    return "".join(pieces)


def _heading(name: str, value: Any) -> str:
    size = "×".join(map(str, size_of(value)))
    return f"    {name}: {size} {_kind(value)}\n\n"


def _values(value: Any, interp: Interp) -> list[tuple[str, list[str]]]:
    """Return what is told of the elements of a variable."""
    if isinstance(value, Categorical):
        return [(label, [str(n) for n in count]) for label, count in _counts(value)]
    if class_of(value) == "logical" and size_of(value)[1] == 1:
        count = int(np.count_nonzero(to_numpy(value)))
        return [("True", [str(count)]), ("False", [str(size_of(value)[0] - count)])]
    if not _has_order(value):
        return []
    rows = [(label, _texts_of(one)) for label, one in _statistics(value, interp).items()]
    gaps = [int(n) for n in to_numpy(_gaps(value)).ravel()]
    return [*rows, ("NumMissing", [str(n) for n in gaps])] if any(gaps) else rows
