"""readtable and readcell."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import attrs
import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.sheets import grid
from runmat_core.builtins.sheets.columns import converted, number
from runmat_core.builtins.sheets.options import (
    NAMES,
    ImportOptions,
    Plan,
    check_type,
    detected,
    missing_words,
    rows_of,
)
from runmat_core.builtins.tables.naming import valid_names
from runmat_core.builtins.tables.support import flag, names_in, split_pairs
from runmat_core.values import class_of, is_text, text
from runmat_core.values.cell import CellArray, object_array
from runmat_core.values.char import CharArray
from runmat_core.values.string import MISSING, StringArray
from runmat_core.values.tables.frame import check_names, unique_names
from runmat_core.values.tables.properties import named_rows
from runmat_core.values.tables.table import Table
from runmat_core.values.time import civil
from runmat_core.values.time.datetime import Datetime


def file_name_of(function: str, value: Any) -> str:
    if not is_text(value):
        raise MatlabError(
            f"MATLAB:{function}:InvalidFileName",
            f"The file name must be a character vector or string scalar, not {class_of(value)}.",
        )
    return text(value)


def split_arguments(
    function: str, args: Sequence[Any]
) -> tuple[ImportOptions | None, dict[str, Any]]:
    """The import options and the named options after the file name."""
    given = args[0] if args and isinstance(args[0], ImportOptions) else None
    rest = args[1:] if given is not None else args
    plain, options = split_pairs(rest, NAMES)
    if plain:
        word = text(plain[0]) if is_text(plain[0]) else class_of(plain[0])
        raise MatlabError(
            "MATLAB:textio:io:UnknownOption", f"Unknown option of {function}: {word}."
        )
    return given, options


@builtin("readtable", family="sheets/reading", nargin=(1, None), needs=("interp",))
def readtable(name: Any, *args: Any, interp: Interp) -> Any:
    """A table from a text file with delimiters, or from a spreadsheet.

    T = readtable(filename): delimiter, names and types are found out; columns are double,
    datetime, duration, or text in a cell array
    T = readtable(filename, opts) goes by what detectImportOptions gave
    T = readtable(…, name, value): 'Delimiter', 'ReadVariableNames', 'ReadRowNames', 'TextType'
    ('char' or 'string'), 'NumHeaderLines', 'TreatAsMissing', 'CommentStyle', 'VariableNamingRule'
    ('modify' or 'preserve'), 'DatetimeType', 'FileType', 'Sheet', 'Range'

    Spreadsheets (.xlsx) need the Python package openpyxl.

    Examples:
        >> name = [tempname '.csv'];
        >> writetable(table([1; 2], {'a'; 'b'}, 'VariableNames', {'x', 'label'}), name);
        >> readtable(name)
        ans =
          2×2 table
            x    label
            _    _____
            1    {'a'}
            2    {'b'}

    See also: writetable, readcell, readmatrix, detectImportOptions, table.
    """
    given, options = split_arguments("readtable", args)
    file = file_name_of("readtable", name)
    if given is None:
        found = rows_of(interp, file, options)
        plan = detected(found, options)
    else:
        plan = attrs.evolve(given.data, missing=given.data.missing | missing_words(options))
        found = rows_of(interp, file, options, plan)
    if "VariableTypes" in options:
        words = names_in(options["VariableTypes"], "VariableTypes")
        plan = attrs.evolve(plan, types=tuple(map(check_type, words)))
    if "VariableNames" in options:
        called = tuple(names_in(options["VariableNames"], "VariableNames"))
        plan = attrs.evolve(plan, names=called, selected=called)
    if len(plan.names) != len(plan.types):
        raise MatlabError(
            "MATLAB:textio:io:IncorrectNumberOfNames",
            "There must be as many names and types as the file has variables.",
        )
    return _table(found.within(plan.spans), plan, flag(options.get("ReadRowNames", False)), interp)


def _table(data: grid.Rows, plan: Plan, with_row_names: bool, interp: Interp) -> Table:
    columns: dict[str, Any] = {}
    row_names: list[str] = []
    heading = "Row"
    for k, (name, kind) in enumerate(zip(plan.names, plan.types, strict=True)):
        fields = [row[k] if k < len(row) else None for row in data]
        if with_row_names and k == 0:
            row_names = ["" if f is None else str(f) for f in fields]
            heading = name if plan.names_line is not None else "Row"
        elif name in plan.selected:
            columns[name] = converted(fields, kind, plan.missing, dict(plan.formats).get(name, ""))
    originals = list(columns)
    names = originals if plan.naming == "preserve" else valid_names(originals)
    made = Table.of(dict(zip(check_names(names), columns.values(), strict=True)), height=len(data))
    if names != originals:
        interp.warn(
            "MATLAB:table:ModifiedAndSavedVarnames",
            "Column headers from the file were modified to make them valid MATLAB identifiers "
            "before creating variable names for the table. The original column headers are saved "
            "in the VariableDescriptions property.\nSet 'VariableNamingRule' to 'preserve' to use "
            "the original column headers as table variable names.",
        )
        said = dict(zip(names, originals, strict=True))
        made = Table(attrs.evolve(made.data, notes={"VariableDescriptions": said}))
    if not with_row_names:
        return made
    frame = named_rows(made.data, unique_names(row_names))
    return Table(attrs.evolve(frame, dimensions=(heading, "Variables")))


@builtin("readcell", family="sheets/reading", nargin=(1, None), needs=("interp",))
def readcell(name: Any, *args: Any, interp: Interp) -> Any:
    """The fields of a text file or the cells of a spreadsheet in a cell array.

    C = readcell(filename): numbers, texts, and missing for what is empty
    C = readcell(filename, name, value): 'Delimiter', 'NumHeaderLines', 'CommentStyle', 'TextType',
    'FileType', 'Sheet'

    Examples:
        >> name = [tempname '.csv']; writecell({1 'a'; 2.5 'b'}, name); readcell(name)
        ans =
          2×2 cell array
            {[     1]}    {'a'}
            {[2.5000]}    {'b'}

    See also: writecell, readtable, readmatrix.
    """
    given, options = split_arguments("readcell", args)
    plan = None if given is None else given.data
    found = rows_of(interp, file_name_of("readcell", name), options, plan)
    rows = found.rows if plan is None else found.within(plan.spans)
    width = max((len(row) for row in rows), default=0)
    as_string = "TextType" in options and text(options["TextType"]).lower() == "string"
    items = np.empty((len(rows), width), object, order="F")
    for i, row in enumerate(rows):
        for j in range(width):
            items[i, j] = _item(row[j] if j < len(row) else None, as_string)
    return CellArray(items) if items.size else CellArray(object_array([], (0, 0)))


def _item(field: Any, as_string: bool) -> Any:
    """One field as a MATLAB value."""
    if field is None or field == "":
        return StringArray(MISSING)
    if isinstance(field, bool):
        return field
    if isinstance(field, int | float):
        return float(field)
    if isinstance(field, datetime):
        days = civil.day_number(field.year, field.month, field.day)
        clock = (field.hour * 3600 + field.minute * 60 + field.second) * 1000
        return Datetime([[np.longdouble(days) * civil.DAY + clock]])
    value = number(str(field))
    if isinstance(value, float):
        return value
    return StringArray(str(field)) if as_string else CharArray(str(field))
