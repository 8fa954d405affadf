"""Spreadsheet files: the cells of a sheet, read and written by the package openpyxl."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import attrs

from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.files.table import resolve_path
from runmat_core.builtins.sheets import content
from runmat_core.builtins.sheets.ranges import Block

Rows = list[list[Any]]

SPREADSHEETS = (".xlsx", ".xlsm", ".xltx", ".xltm")
_OTHERS = (".xls", ".xlsb", ".ods")
#: Cells that say what went wrong in a formula.
_FAULTS = frozenset({"#N/A", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!"})


def is_spreadsheet(name: str, kind: str = "") -> bool:
    """Whether a file is a spreadsheet, by its type where that is said and by its name."""
    if kind:
        return kind.lower() == "spreadsheet"
    return content.suffix_of(name) in (*SPREADSHEETS, *_OTHERS)


@attrs.frozen
class Sheet:
    """The cells of a sheet: numbers, texts, logicals, dates, and None for nothing.

    Attributes:
        ranges: ranges of this sheet that the file has names for.
    """

    rows: Rows
    ranges: dict[str, str]


def _package(name: str) -> Any:
    """Return the package that reads and writes spreadsheets.

    Raises:
        MatlabError: RunMat:spreadsheet, it is missing, or the format is none of its own.
    """
    if content.suffix_of(name) in _OTHERS:
        raise MatlabError(
            "RunMat:spreadsheet",
            f"Spreadsheets of the kind of '{name}' are not supported. Save it as .xlsx or .csv.",
        )
    try:
        return import_module("openpyxl")
    except ImportError:
        raise MatlabError(
            "RunMat:spreadsheet",
            f"The spreadsheet '{name}' needs the Python package openpyxl, which is not installed: "
            "pip install openpyxl. Text files such as .csv need no package.",
        ) from None


@contextmanager
def _opened(interp: Interp, name: str) -> Iterator[Any]:
    package = _package(name)
    path = content.find(interp, name)
    try:
        book = package.load_workbook(path, data_only=True, read_only=True)
    except Exception:  # whatever is wrong with the archive or with what is in it
        raise MatlabError(
            "MATLAB:spreadsheet:book:fileOpen",
            f"Unable to open file '{name}' as a spreadsheet.",
        ) from None
    try:
        yield book
    finally:
        book.close()


def sheet_names(interp: Interp, name: str) -> list[str]:
    """Return the names of the sheets of a file."""
    with _opened(interp, name) as book:
        return list(book.sheetnames)


def read(interp: Interp, name: str, which: str | float) -> Sheet:
    """Return the cells of a sheet, chosen by name or number; the first one where the name is empty.

    Raises:
        MatlabError: the file cannot be read, or has no such sheet.
    """
    with _opened(interp, name) as book:
        found = _chosen(book, which)
        found.reset_dimensions()  # a file may claim to be larger than it is
        rows = [[_cell(c) for c in row] for row in found.iter_rows(values_only=True)]
        ranges = {}
        for label, defined in {**dict(book.defined_names), **_local(found)}.items():
            title, _, said = str(defined.attr_text or "").rpartition("!")
            if title.strip("'") == found.title:
                ranges[label] = said
        return Sheet(_trimmed(rows), ranges)


def _local(sheet: Any) -> dict[str, Any]:
    return dict(getattr(sheet, "defined_names", {}) or {})


def _cell(value: Any) -> Any:
    return None if isinstance(value, str) and value in _FAULTS else value


def _trimmed(rows: Rows) -> Rows:
    """Rows without those at the end that hold nothing, nor columns that do not."""
    while rows and all(cell is None for cell in rows[-1]):
        rows.pop()
    width = 0
    for row in rows:
        filled = next((k for k in range(len(row), 0, -1) if row[k - 1] is not None), 0)
        width = max(width, filled)
    return [row[:width] + [None] * (width - len(row)) for row in rows]


def _chosen(book: Any, which: str | float) -> Any:
    sheets = book.worksheets
    if which == "":
        return sheets[0]
    if isinstance(which, str):
        for sheet in sheets:
            if sheet.title.lower() == which.lower():
                return sheet
        raise MatlabError(
            "MATLAB:spreadsheet:book:openSheetName", f"Unable to find the worksheet '{which}'."
        )
    if not (float(which).is_integer() and 1 <= which <= len(sheets)):
        raise MatlabError(
            "MATLAB:spreadsheet:book:openSheetIndex",
            f"Worksheet index {which:g} is out of range: the file has {len(sheets)} worksheets.",
        )
    return sheets[int(which) - 1]


#: How what is there already is treated; the first is what MATLAB does unless told otherwise.
WRITE_MODES = ("inplace", "overwritesheet", "append", "replacefile")


@attrs.frozen
class Target:
    """Where cells are written to.

    Attributes:
        sheet: a name or a number; None for the first one.
        block: from which cell on, and up to where.
    """

    sheet: str | int | None = None
    mode: str = "inplace"
    block: Block | None = None


def write(interp: Interp, name: str, rows: Rows, target: Target) -> None:
    """Write rows to a sheet; other sheets of the file stay.

    Raises:
        MatlabError: MATLAB:spreadsheet:book:fileSave, the file cannot be written.
    """
    package = _package(name)
    path = resolve_path(interp, name)
    try:
        if Path(path).exists() and target.mode != "replacefile":
            book = package.load_workbook(path)
            sheet = _target_sheet(book, target)
        else:
            book = package.Workbook()
            sheet = book.active
            sheet.title = target.sheet if isinstance(target.sheet, str) else "Sheet1"
            for number in range(2, int(target.sheet or 1) + 1 if _is_number(target.sheet) else 0):
                sheet = book.create_sheet(f"Sheet{number}")
        _fill(sheet, rows, target)
        book.save(path)
    except MatlabError:
        raise
    except Exception:  # of the package, of the archive, or of the disk
        raise MatlabError(
            "MATLAB:table:write:FileOpenError",
            f"Unable to open file '{name}' for writing. Check the path and file permissions.",
        ) from None


def _is_number(sheet: Any) -> bool:
    return isinstance(sheet, int)


def _target_sheet(book: Any, target: Target) -> Any:
    names = [title.lower() for title in book.sheetnames]
    if target.sheet is None:
        sheet = book.worksheets[0]
    elif isinstance(target.sheet, str):
        found = target.sheet.lower() in names
        at = names.index(target.sheet.lower()) if found else 0
        sheet = book.worksheets[at] if found else book.create_sheet(target.sheet)
    else:
        while len(book.worksheets) < target.sheet:
            book.create_sheet(f"Sheet{len(book.worksheets) + 1}")
        sheet = book.worksheets[target.sheet - 1]
    if target.mode == "overwritesheet":
        sheet.delete_rows(1, sheet.max_row)
    return sheet


def _fill(sheet: Any, rows: Sequence[Sequence[Any]], target: Target) -> None:
    block = target.block or Block()
    top = block.top
    if target.mode == "append" and any(c.value is not None for row in sheet.rows for c in row):
        top = sheet.max_row
    for i, row in enumerate(rows):
        if block.bottom is not None and block.top + i >= block.bottom:
            break
        for j, field in enumerate(row):
            if block.right is not None and block.left + j >= block.right:
                break
            sheet.cell(top + i + 1, block.left + j + 1).value = field
