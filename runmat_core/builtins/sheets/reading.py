"""readtable, readvars, readcell, readmatrix and preview."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import attrs
import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError, size_limit
from runmat_core.api.interp import Interp
from runmat_core.builtins.sheets import importing, sheet_import
from runmat_core.builtins.sheets.columns import convert
from runmat_core.builtins.sheets.importing import Imported
from runmat_core.builtins.sheets.items import (
    CellItems,
    TextItems,
    cell_number,
    cell_span,
    milliseconds,
)
from runmat_core.builtins.sheets.options import options_of
from runmat_core.builtins.sheets.plan import Plan, Variable, check_type
from runmat_core.builtins.sheets.requests import Request, Source, request_of, source_of, warned
from runmat_core.builtins.sheets.words import number, type_of
from runmat_core.builtins.sheets.workbooks import Sheet
from runmat_core.values import class_of, from_numpy, horzcat
from runmat_core.values.cell import CellArray, object_array
from runmat_core.values.char import CharArray
from runmat_core.values.string import MISSING, StringArray
from runmat_core.values.tables.frame import check_names, unique_names
from runmat_core.values.tables.properties import named_rows
from runmat_core.values.tables.table import Table
from runmat_core.values.time.datetime import Datetime
from runmat_core.values.time.duration import Duration

_PREVIEW = 8


def table_from(source: Source, most: int | None = None) -> Table:
    """Return the table of a file."""
    found = source.imported(most)
    made = Table.of(dict(zip(check_names(found.values), found.values.values(), strict=True)),
                    height=found.height)  # fmt: skip
    notes = {
        what: {k: v for k, v in of.items() if k in found.values} for what, of in found.notes.items()
    }
    if source.originals and "VariableDescriptions" not in notes:
        notes["VariableDescriptions"] = {
            name: source.originals[name] for name in found.values if name in source.originals
        }
    if notes:
        made = Table(attrs.evolve(made.data, notes=notes))
    if not found.row_names and not _has_row_names(source.plan):
        return made
    frame = named_rows(made.data, unique_names(found.row_names))
    return Table(attrs.evolve(frame, dimensions=(source.heading or "Row", "Variables")))


def _has_row_names(plan: Plan) -> bool:
    return plan.row_names_column > 0


@builtin("readtable", family="sheets/reading", nargin=(1, None), needs=("interp",))
def readtable(name: Any, *args: Any, interp: Interp) -> Any:
    """A table from a text file with delimiters, or from a spreadsheet.

    T = readtable(filename): delimiter, names and types are found out; columns are double,
    datetime, duration, or text in a cell array
    T = readtable(filename, opts) goes by import options
    T = readtable(…, name, value) with properties of import options by their names, and with
    'FileType' ('text' or 'spreadsheet'), 'ReadVariableNames', 'ReadRowNames', 'NumHeaderLines',
    'ExpectedNumVariables', 'TextType' ('char' or 'string'), 'DatetimeType' ('datetime', 'text' or
    'exceldatenum'), 'DurationType', 'Format' (as textscan has it), 'Range', 'Sheet',
    'MultipleDelimsAsOne', and options of single variables such as 'TreatAsMissing',
    'DecimalSeparator', 'ThousandsSeparator' or 'TrimNonNumeric'

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

    See also: writetable, readcell, readmatrix, readvars, detectImportOptions, table.
    """
    source = source_of(interp, request_of("readtable", name, args))
    made = table_from(source)
    warned(interp, source)
    return made


@builtin(
    "readvars",
    family="sheets/reading",
    nargin=(1, None),
    nargout=None,
    needs=("interp", "nargout"),
)
def readvars(name: Any, *args: Any, interp: Interp, nargout: int) -> Any:
    """Variables from a text file with delimiters, or from a spreadsheet.

    [V1, V2, …] = readvars(filename), readvars(filename, opts), readvars(…, name, value) as
    readtable has them: each output is a column

    Examples:
        >> name = [tempname '.csv']; writelines(["x,y" "1,a" "2,b"], name);
        >> [x, y] = readvars(name)
        x =
             1
             2
        y =
          2×1 cell array
            {'a'}
            {'b'}

    See also: readtable, readmatrix, readcell.
    """
    source = source_of(interp, request_of("readvars", name, args))
    count = max(nargout, 1)
    if count > len(source.plan.selected):
        raise MatlabError(
            "MATLAB:readvars:TooManyOutputs",
            f"The file has {len(source.plan.selected)} variables, which is less than the number "
            "of outputs.",
        )
    plan = attrs.evolve(source.plan, selected=source.plan.selected[:count])
    values = list(attrs.evolve(source, plan=plan).imported().values.values())
    return tuple(values) if nargout > 1 else values[0]


@builtin("preview", family="sheets/reading", nargin=(2, 2), needs=("interp",))
def preview(name: Any, opts: Any, *, interp: Interp) -> Any:
    """The first eight rows of what readtable gives.

    T = preview(filename, opts) goes by import options

    Examples:
        >> name = [tempname '.csv']; writematrix((1:20)', name);
        >> height(preview(name, detectImportOptions(name)))
        ans =
             8

    See also: detectImportOptions, readtable, head.
    """
    options_of("preview", opts)
    return table_from(source_of(interp, request_of("preview", name, (opts,))), _PREVIEW)


# -- matrices ------------------------------------------------------------------------------------


@builtin("readmatrix", family="sheets/reading", nargin=(1, None), needs=("interp",))
def readmatrix(name: Any, *args: Any, interp: Interp) -> Any:
    """A matrix from a text file with delimiters, or from a spreadsheet.

    M = readmatrix(filename) finds the delimiter and passes over header lines. What is no number
    is NaN.
    M = readmatrix(filename, opts) goes by import options, whose types must be alike
    M = readmatrix(…, name, value) as readtable has them, and with 'OutputType': 'double' (the
    default), 'single', 'string', 'char', 'datetime', 'duration', 'categorical', 'logical' or a
    class of integers

    Spreadsheets (.xlsx) need the Python package openpyxl.

    Examples:
        >> name = tempname; writematrix([1 2; 3 4], name); readmatrix(name)
        ans =
             1     2
             3     4

    See also: writematrix, readtable, readvars, dlmread, textscan.
    """
    request = request_of("readmatrix", name, args)
    kind = check_type(request.word("OutputType") or "double")
    given = "VariableTypes" in request.options
    types = "" if request.opts is not None and "OutputType" not in request.options else kind
    source = source_of(interp, request, "" if given else types)
    source = _without_text_rows(source, request)
    if not isinstance(source.body, Sheet):
        matrix = importing.matrix_from_text(source.body, source.plan)
        if matrix is not None:
            return matrix
    return _joined(source.imported())


def _without_text_rows(source: Source, request: Request) -> Source:
    """Return what is read without leading rows of text, if no option gives the start."""
    known = {"NumHeaderLines", "DataLines", "Range", "VariableNamesLine", "OutputType", "DataRange"}
    if request.opts is not None or known & request.options.keys() or isinstance(source.body, Sheet):
        return source
    plan = source.plan
    if not plan.data_lines or plan.kind != "delimited":
        return source
    head = importing.data_fields(source.body.head(1 << 16), plan)
    for k in range(min(head.height, 200)):
        if any(number(word) is not None for word in head.texts(k, plan.whitespace)):
            start = float(head.lines[k]) + 1
            last = plan.data_lines[-1][1]
            return attrs.evolve(source, plan=attrs.evolve(plan, data_lines=((start, last),)))
    return source


def _joined(found: Imported) -> Any:
    """Return the variables of a file side by side."""
    values = list(found.values.values())
    if not values:
        return from_numpy(np.zeros((found.height, 0)))
    if len({class_of(value) for value in values}) > 1:
        raise MatlabError(
            "MATLAB:textio:io:MixedTypes",
            "Variables of different types cannot be joined in a matrix.",
        )
    if class_of(values[0]) in ("double", "single") and found.height > 1:
        arrays = [value.data for value in values]
        kind = np.result_type(*arrays)
        matrix = np.empty((found.height, len(arrays)), kind, order="F")
        for k, array in enumerate(arrays):
            matrix[:, k] = array[:, 0]
        return from_numpy(matrix, class_of(values[0]))
    return values[0] if len(values) == 1 else horzcat(*values)


# -- cells ---------------------------------------------------------------------------------------


@builtin("readcell", family="sheets/reading", nargin=(1, None), needs=("interp",))
def readcell(name: Any, *args: Any, interp: Interp) -> Any:
    """The fields of a text file or the cells of a spreadsheet in a cell array.

    C = readcell(filename): numbers, texts, dates, and missing for what is empty
    C = readcell(filename, opts) goes by the types of import options
    C = readcell(filename, name, value): 'Delimiter', 'NumHeaderLines', 'CommentStyle', 'TextType'
    ('char' or 'string'), 'DatetimeType' ('datetime', 'text' or 'exceldatenum'), 'FileType',
    'Sheet', 'Range' and others that readtable has

    Examples:
        >> name = [tempname '.csv']; writecell({1 'a'; 2.5 'b'}, name); readcell(name)
        ans =
          2×2 cell array
            {[     1]}    {'a'}
            {[2.5000]}    {'b'}

    See also: writecell, readtable, readmatrix.
    """
    request = request_of("readcell", name, args)
    source = source_of(interp, request)
    plan = source.plan
    if request.opts is not None:
        found = source.imported()
        columns = [_cells_of(value, found.height) for value in found.values.values()]
        return _grid(columns, found.height)
    reader = _field_reader(request)
    if isinstance(source.body, Sheet):
        rows = source.body.rows
        asked = "Range" in request.options or "DataRange" in request.options
        if asked:
            data = plan if not plan.variable_names_range else _from_names(plan)
            rows = sheet_import.cells_of(source.body, data)
        elif request.options.get("NumHeaderLines") is not None:
            rows = rows[int(sheet_import.first_row(plan)) :]
        width = max(map(len, rows), default=0)
        columns = [[reader(r[k] if k < len(r) else None) for r in rows] for k in range(width)]
        return _grid(columns, len(rows))
    if plan.variable_names_line and "DataLines" not in request.options:
        bottom = plan.data_lines[-1][1] if plan.data_lines else float("inf")
        plan = attrs.evolve(plan, data_lines=((float(plan.variable_names_line), bottom),))
    elif not {"NumHeaderLines", "DataLines", "Range", "VariableNamesLine"} & request.options.keys():
        plan = attrs.evolve(plan, data_lines=((1.0, float("inf")),))
    fields = importing.data_fields(source.body, plan)
    left, right = plan.columns
    stop = min(fields.width, right or fields.width)
    if (stop - left) * fields.height > 1 << 28:
        raise size_limit()
    if not fields.height or stop <= left:
        return CellArray(object_array([], (0, 0)))
    column = fields.filled(fields.width).trimmed(plan.whitespace)
    words, codes = TextItems(column).distinct()
    values = object_array([reader(word) for word in words], (len(words),))
    return CellArray(values[codes].reshape(fields.height, -1)[:, left:stop])


def _from_names(plan: Plan) -> Plan:
    """Return the plan whose data begin with the names."""
    end = str(plan.data_range).partition(":")[2]
    said = f"{plan.variable_names_range}:{end}" if end else plan.variable_names_range
    return attrs.evolve(plan, data_range=said)


def _grid(columns: Sequence[Sequence[Any]], height: int) -> CellArray:
    if not columns or not height:
        return CellArray(object_array([], (0, 0)))
    items = np.empty((height, len(columns)), object, order="F")
    for k, column in enumerate(columns):
        items[:, k] = object_array(column, (height,))
    return CellArray(items)


def _cells_of(value: Any, height: int) -> list[Any]:
    """Return the elements of a column as values."""
    if isinstance(value, CellArray):
        return value.items()
    if isinstance(value, StringArray):
        return [StringArray(item) for item in value.data.ravel()]
    if hasattr(value, "with_codes"):
        return [value.with_codes(code.reshape(1, 1)) for code in value.codes.ravel()]
    kind = class_of(value)
    array = value.data if height != 1 or hasattr(value, "data") else np.array([value])
    return [from_numpy(np.array([[item]]), kind) for item in array.ravel()]


def _field_reader(request: Request) -> Callable[[Any], Any]:
    """Return what makes a MATLAB value of one field."""
    strings = request.word("TextType").lower() == "string"
    dates = request.word("DatetimeType").lower() or "datetime"
    make: Callable[[str], Any] = StringArray if strings else CharArray

    def read(field: Any) -> Any:
        if field is None or field == "":
            return StringArray(MISSING)
        if isinstance(field, bool):
            return field
        span = cell_span(field)
        if span is not None:
            return Duration([[span]])
        if isinstance(field, str):
            found = number(field)
            if isinstance(found, float):
                return found
            if found is not None:
                return from_numpy(np.array([[found]]))
            kind, said = type_of([field])
            if kind in ("datetime", "duration") and dates != "text":
                return convert(CellItems([field]), Variable("", kind, said), "").value
            return make(field)
        if isinstance(field, int | float):
            return float(field)
        if dates == "exceldatenum":
            return cell_number(field)
        return Datetime([[milliseconds(field)]])

    return read
