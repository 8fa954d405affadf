"""readmatrix and writematrix: numbers in text files and in spreadsheets."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import builtin
from runmat_core.api.interp import Interp
from runmat_core.builtins.files.delimited import full_table, write_numbers
from runmat_core.builtins.files.table import resolve_path
from runmat_core.builtins.sheets import grid
from runmat_core.builtins.sheets.columns import number
from runmat_core.builtins.sheets.options import is_spreadsheet, missing_words, rows_of, tabular
from runmat_core.builtins.sheets.reading import file_name_of, split_arguments
from runmat_core.builtins.sheets.writing import (
    columns_of_value,
    delimiter_for,
    mode_for,
    target_of,
    write_rows,
)
from runmat_core.values import CellArray, CharArray, StringArray, from_numpy
from runmat_core.values.array_object import ArrayObject


@builtin("readmatrix", family="sheets/matrices", nargin=(1, None), needs=("interp",))
def readmatrix(name: Any, *args: Any, interp: Interp) -> Any:
    """Read a table of numbers from a text file or a spreadsheet.

    M = readmatrix(filename) finds the delimiter and passes over header lines. What is no number
    is NaN.
    M = readmatrix(filename, opts) goes by what detectImportOptions gave
    M = readmatrix(…, name, value): 'Delimiter', 'NumHeaderLines', 'CommentStyle', 'TreatAsMissing',
    'FileType', 'Sheet', 'Range'

    Spreadsheets (.xlsx) need the Python package openpyxl.

    Examples:
        >> name = tempname; writematrix([1 2; 3 4], name); readmatrix(name)
        ans =
             1     2
             3     4

    See also: writematrix, readtable, dlmread, textscan.
    """
    given, options = split_arguments("readmatrix", args)
    file = file_name_of("readmatrix", name)
    plan = None if given is None else given.data
    if plan is None and not is_spreadsheet(file, options):
        table = _plain(grid.text_of(interp, file), file, options)
        if table is not None:
            return from_numpy(table)
    found = rows_of(interp, file, options, plan)
    missing = missing_words(options)
    if plan is not None:
        at = [k for k, n in enumerate(plan.names) if n in plan.selected]
        chosen = found.within(plan.spans)
        return _matrix([[r[k] if k < len(r) else None for k in at] for r in chosen], missing)
    found = tabular(found, options)
    rows = found.rows
    if not {"NumHeaderLines", "HeaderLines"} & options.keys():
        heading = (k for k, row in enumerate(rows) if any(_is_number(field) for field in row))
        rows = rows[next(heading, len(rows)) :]
    return _matrix(rows, missing)


def _plain(content: str, name: str, options: dict[str, Any]) -> NDArray[Any] | None:
    """The matrix of a text of numbers alone, after header lines; None where there is more to it."""
    if '"' in content or options.keys() - {"Delimiter", "FileType"}:
        return None
    lines = [line for line in content.splitlines() if line.strip()]
    mark = delimiter_for(options) if "Delimiter" in options else grid.delimiter_in(lines, name)
    for count, line in enumerate(lines[:200]):
        if any(_is_number(field) for field in grid.split_lines([line], mark)[0]):
            return full_table(lines[count:], mark)
    return None


def _is_number(field: grid.Field) -> bool:
    return number(field) is not None if isinstance(field, str) else isinstance(field, float | int)


def _matrix(rows: grid.Rows, missing: frozenset[str]) -> Any:
    """The numbers of rows, padded with NaN to one width."""
    width = max(map(len, rows), default=0)
    table = np.full((len(rows), width), np.nan, order="F")
    others: list[tuple[int, int, complex]] = []
    for i, row in enumerate(rows):
        for j, field in enumerate(row):
            if isinstance(field, str):
                value = None if field in missing else number(field)
            else:
                value = field if isinstance(field, float | int) else None
            if isinstance(value, complex):
                others.append((i, j, value))
            elif value is not None:
                table[i, j] = value
    if not others:
        return from_numpy(table)
    wide = table.astype(complex)
    for i, j, value in others:
        wide[i, j] = value
    return from_numpy(wide)


@builtin("writematrix", family="sheets/matrices", nargin=(1, None), nargout=0, needs=("interp",))
def writematrix(matrix: Any, *args: Any, interp: Interp) -> None:
    """Write a matrix to a text file or a spreadsheet.

    writematrix(A) writes to matrix.txt
    writematrix(A, filename) puts commas between elements, written with up to 15 digits; .xlsx is
    a spreadsheet, which needs the Python package openpyxl
    writematrix(…, name, value): 'Delimiter', 'WriteMode' ('overwrite' or 'append'; 'inplace',
    'overwritesheet', 'append' or 'replacefile' for spreadsheets), 'QuoteStrings', 'FileType',
    'Sheet', 'Range'

    Examples:
        >> name = tempname; writematrix([1 2.5], [name '.csv']); strtrim(fileread([name '.csv']))
        ans =
            '1,2.5'

    See also: readmatrix, writetable, dlmwrite.
    """
    name, options = target_of(args, "matrix.txt")
    as_text = isinstance(matrix, StringArray | CellArray | CharArray | ArrayObject)
    if as_text or is_spreadsheet(name, options):
        columns = columns_of_value(matrix)
        rows = [list(row) for row in zip(*columns, strict=True)]
        write_rows("writematrix", name, rows, options, interp)
        return
    said = {"precision": 15.0, "mode": mode_for("writematrix", options)}
    write_numbers(resolve_path(interp, name), matrix, delimiter_for(options), said)
