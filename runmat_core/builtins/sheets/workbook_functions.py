"""sheetnames, xlsread, xlswrite and xlsfinfo."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import integer, scalar
from runmat_core.builtins.sheets import workbooks
from runmat_core.builtins.sheets.content import suffix_of
from runmat_core.builtins.sheets.items import cell_number
from runmat_core.builtins.sheets.ranges import Block, block_of
from runmat_core.builtins.sheets.writing import cells_of_value
from runmat_core.builtins.text.support import maybe_text
from runmat_core.values import char, class_of, from_numpy, is_text, numel_of, struct, text
from runmat_core.values.cell import CellArray, object_array
from runmat_core.values.string import string_array


def _name(function: str, value: Any) -> str:
    word = maybe_text(value)
    if word is None:
        raise MatlabError(
            f"MATLAB:{function}:FileNameMustBeString",
            f"The file name must be a character vector or string scalar, not {class_of(value)}.",
        )
    return word


@builtin("sheetnames", family="sheets/workbooks", nargin=(1, 1), needs=("interp",))
def sheetnames(name: Any, *, interp: Interp) -> Any:
    """The names of the sheets of a spreadsheet as a string column.

    names = sheetnames(filename) needs the Python package openpyxl

    Examples:
        >> name = [tempname '.xlsx']; writematrix(1, name, 'Sheet', 'first');
        >> writematrix(2, name, 'Sheet', 'second'); sheetnames(name)
        ans =
          2×1 string array
            "first"
            "second"

    See also: readtable, readcell, xlsread.
    """
    found = workbooks.sheet_names(interp, _name("sheetnames", name))
    return string_array(found, (len(found), 1))


@builtin(
    "xlsfinfo", family="sheets/workbooks", nargin=(1, 1), nargout=2, needs=("interp", "nargout")
)
def xlsfinfo(name: Any, *, interp: Interp, nargout: int) -> Any:
    """Whether a file is a spreadsheet, and the names of its sheets.

    status = xlsfinfo(filename) is a text that says so, or '' where it is none
    [status, sheets] = xlsfinfo(filename) also gives a row of names

    Examples:
        >> name = [tempname '.xlsx']; writematrix(1, name); [s, names] = xlsfinfo(name)
        s =
            'Microsoft Excel Spreadsheet'
        names =
          1×1 cell array
            {'Sheet1'}

    See also: sheetnames, xlsread.
    """
    word = _name("xlsfinfo", name)
    if not workbooks.is_spreadsheet(word):
        status, sheets = char(""), object_array([], (0, 0))
    else:
        found = workbooks.sheet_names(interp, word)
        status = char("Microsoft Excel Spreadsheet")
        sheets = object_array(map(char, found), (1, len(found)))
    return (status, CellArray(sheets)) if nargout > 1 else status


@builtin(
    "xlsread", family="sheets/workbooks", nargin=(1, 4), nargout=3, needs=("interp", "nargout")
)
def xlsread(
    name: Any,
    sheet: Any = None,
    block: Any = None,
    mode: Any = None,
    *,
    interp: Interp,
    nargout: int,
) -> Any:
    """Numbers, texts and all cells of a sheet.

    num = xlsread(filename) reads the first sheet: numbers, NaN for other cells within them
    num = xlsread(filename, sheet), xlsread(filename, range), xlsread(filename, sheet, range)
    [num, txt, raw] = xlsread(…): txt is a cell array of the texts, raw one of all cells, with NaN
    for empty ones. Dates are serial numbers as spreadsheets store them.

    New programs use readmatrix, readcell or readtable.

    Examples:
        >> name = [tempname '.xlsx']; writecell({'a', 'b'; 1, 2; 3, 4}, name);
        >> [num, txt] = xlsread(name)
        num =
             1     2
             3     4
        txt =
          1×2 cell array
            {'a'}    {'b'}

    See also: readmatrix, readcell, readtable, xlswrite, sheetnames.
    """
    file = _name("xlsread", name)
    file = file if suffix_of(file) else f"{file}.xlsx"
    if sheet is not None and block is None and is_text(sheet) and ":" in text(sheet):
        sheet, block = None, sheet
    which: str | float = ""
    if sheet is not None and numel_of(sheet):
        which = text(sheet) if is_text(sheet) else scalar(sheet)
    try:
        found = workbooks.read(interp, file, which)
    except MatlabError as problem:
        raise _renamed(problem, file) from None
    rows = found.rows
    if block is not None and numel_of(block):
        part = block_of(block, found.ranges.get)
        rows = _within(rows, part)
    width = max(map(len, rows), default=0)
    rows = [row + [None] * (width - len(row)) for row in rows]
    outputs = (numbers_in(rows, width), texts_in(rows, width), _raw(rows, width))
    return outputs[:nargout] if nargout > 1 else outputs[0]


def _renamed(problem: MatlabError, file: str) -> MatlabError:
    if problem.identifier == "MATLAB:textio:textio:FileNotFound":
        return MatlabError(
            "MATLAB:xlsread:FileNotFound",
            f"xlsread unable to open file '{file}'.\nFile '{file}' not found.",
        )
    if problem.identifier.startswith("MATLAB:spreadsheet:book:openSheet"):
        return MatlabError("MATLAB:xlsread:WorksheetNotFound", "Specified worksheet was not found.")
    return problem


def _within(rows: workbooks.Rows, block: Block) -> workbooks.Rows:
    found = block.of(rows)
    if block.bottom is not None:
        found += [[] for _ in range(block.bottom - block.top - len(found))]
    if block.right is None:
        return found
    return [row + [None] * (block.right - block.left - len(row)) for row in found]


def numbers_in(rows: workbooks.Rows, width: int) -> Any:
    """Return the numbers of cells, without rows and columns at the edges that have none."""
    table = np.full((len(rows), width), np.nan, order="F")
    known = np.zeros(table.shape, np.bool_)
    for i, row in enumerate(rows):
        for j, cell in enumerate(row):
            number = cell_number(cell)
            if number is not None:
                table[i, j], known[i, j] = number, True
    lines, columns = _edges(known)
    return from_numpy(np.asfortranarray(table[lines, columns]))


def _edges(known: NDArray[np.bool_]) -> tuple[slice, slice]:
    """Return the least rows and columns that hold all that is known."""
    if not known.any():
        return slice(0, 0), slice(0, 0)
    lines, columns = np.flatnonzero(known.any(1)), np.flatnonzero(known.any(0))
    return slice(lines[0], lines[-1] + 1), slice(columns[0], columns[-1] + 1)


def texts_in(rows: workbooks.Rows, width: int) -> CellArray:
    """Return the texts of cells, without rows and columns at the edges that have none."""
    texts = [[cell if isinstance(cell, str) else "" for cell in row] for row in rows]
    known = np.array([[bool(word) for word in row] for row in texts], np.bool_)
    lines, columns = _edges(known.reshape(len(rows), width))
    found = [row[columns] for row in texts[lines]]
    if not found:
        return CellArray(object_array([], (0, 0)))
    items = [char(found[i][j]) for j in range(len(found[0])) for i in range(len(found))]
    return CellArray(object_array(items, (len(found), len(found[0]))))


def _raw(rows: workbooks.Rows, width: int) -> CellArray:
    def item(cell: Any) -> Any:
        if cell is None:
            return float("nan")
        if isinstance(cell, bool):
            return cell
        if isinstance(cell, str):
            return char(cell)
        number = cell_number(cell)
        return float("nan") if number is None else number

    if not rows or not width:
        return CellArray(object_array([], (0, 0)))
    items = [item(rows[i][j]) for j in range(width) for i in range(len(rows))]
    return CellArray(object_array(items, (len(rows), width)))


@builtin(
    "xlswrite", family="sheets/workbooks", nargin=(2, 4), nargout=2, needs=("interp", "nargout")
)
def xlswrite(
    name: Any,
    value: Any,
    sheet: Any = None,
    block: Any = None,
    *,
    interp: Interp,
    nargout: int,
) -> Any:
    """Write a matrix or a cell array to a sheet; what else the file holds stays.

    xlswrite(filename, A), xlswrite(filename, A, sheet), xlswrite(filename, A, range),
    xlswrite(filename, A, sheet, range)
    status = xlswrite(…) is false where it fails; [status, message] = xlswrite(…) also says why

    New programs use writematrix, writecell or writetable.

    Examples:
        >> name = [tempname '.xlsx']; xlswrite(name, {'x', 1; 'y', 2}, 'data', 'B2:C3');
        >> readcell(name, 'Sheet', 'data', 'Range', 'B2:C3')
        ans =
          2×2 cell array
            {'x'}    {[1]}
            {'y'}    {[2]}

    See also: writematrix, writecell, writetable, xlsread.
    """
    file = _name("xlswrite", name)
    file = file if suffix_of(file) else f"{file}.xlsx"
    if sheet is not None and block is None and is_text(sheet) and ":" in text(sheet):
        sheet, block = None, sheet
    where = None
    if sheet is not None and numel_of(sheet):
        where = text(sheet) if is_text(sheet) else integer(sheet)
    part = block_of(block) if block is not None and numel_of(block) else None
    message = {"message": char(""), "identifier": char("")}
    try:
        workbooks.write(interp, file, cells_of_value(value), workbooks.Target(where, block=part))
    except MatlabError as problem:
        if not nargout:
            raise
        message = {"message": char(problem.message), "identifier": char(problem.identifier)}
    done = not numel_of(message["message"])
    if nargout > 1:
        return done, struct(message)
    return done if nargout else None
