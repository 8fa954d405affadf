"""Files as rows of fields: text by delimiters, spreadsheets by cells."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from datetime import datetime, time
from importlib import import_module
from pathlib import Path
from typing import Any

import attrs

from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.files.formatted import read_text
from runmat_core.builtins.files.table import find_readable, resolve_path

#: A field of text, or what a cell of a spreadsheet holds.
Field = Any
Rows = list[list[Field]]

SPREADSHEETS = (".xlsx", ".xlsm", ".xltx", ".xltm")
_OLD_SPREADSHEETS = (".xls", ".xlsb", ".ods")
_MARKS = (",", "\t", ";", "|", " ")
_NAMED = {"comma": ",", "tab": "\t", "semi": ";", "bar": "|", "space": " "}


def is_spreadsheet(name: str, kind: str) -> bool:
    """Whether a file is a spreadsheet, by its type where that is said and by its name."""
    if kind:
        return kind == "spreadsheet"
    return Path(name).suffix.lower() in (*SPREADSHEETS, *_OLD_SPREADSHEETS)


def delimiter_of(word: str) -> str:
    """A delimiter by its name, or with its escapes as characters."""
    return _NAMED.get(word.lower(), word.replace("\\t", "\t"))


def text_of(interp: Interp, name: str) -> str:
    """The contents of a text file; names without extension are tried with those of text.

    Raises:
        MatlabError: MATLAB:textio:textio:FileNotFound.
    """
    for ending in ("", ".csv", ".txt", ".dat"):
        try:
            text: str = read_text(find_readable(interp, name + ending), name)
        except MatlabError:
            if Path(name).suffix:
                break
            continue
        return text.removeprefix("\ufeff")
    raise MatlabError(
        "MATLAB:textio:textio:FileNotFound",
        f"Unable to find or open '{name}'. Check the path and filename or file permissions.",
    )


def delimiter_in(lines: Sequence[str], name: str) -> str:
    """The delimiter that cuts most lines into the same number of fields, more than one."""
    best, most = ",", 0.0
    for mark in _MARKS:
        counts = [len(fields) for fields in split_lines(lines[:50], mark)]
        if not counts or max(counts) < 2:
            continue
        usual = max(set(counts), key=counts.count)
        score = counts.count(usual) / len(counts) if usual > 1 else 0.0
        # blanks are in texts too
        score -= 0.3 if mark == " " else 0.0
        if score > most + 1e-9:
            best, most = mark, score
    return "\t" if Path(name).suffix.lower() == ".tsv" and not most else best


def split_lines(lines: Sequence[str], mark: str) -> Rows:
    """Lines as rows of fields; quotes keep delimiters and newlines together."""
    return [row for row, _ in rows_from(lines, mark)]


def rows_from(lines: Sequence[str], mark: str) -> list[tuple[list[Field], int]]:
    """Rows of fields, and which of the lines each begins with; quotes keep newlines together."""
    if mark == " ":
        lines = [re.sub(r"[ \t]+", " ", line.strip()) for line in lines]
    if len(mark) != 1:
        return [(line.split(mark), k) for k, line in enumerate(lines)]
    source = io.StringIO("\n".join(lines))
    reader = csv.reader(source, delimiter=mark, skipinitialspace=mark != " ")
    found, begin = [], 0
    for row in reader:
        found.append(([field.strip() for field in row], begin))
        begin = reader.line_num
    return found


def text_lines(text: str, comment: str) -> tuple[list[str], list[int]]:
    """The lines that hold something, without comments, and their numbers from zero."""
    lines = text.splitlines()
    if comment:
        lines = [line.split(comment, 1)[0] for line in lines]
    kept = [k for k, line in enumerate(lines) if line.strip()]
    return [lines[k] for k in kept], kept


@attrs.frozen
class Records:
    """What a file holds: rows of fields, and the line of the file, from zero, of each.

    Attributes:
        mark: what separates fields; empty for a spreadsheet.
    """

    rows: Rows
    lines: list[int]
    mark: str

    def within(self, spans: Sequence[tuple[float, float]]) -> Rows:
        """The rows that begin within these lines, which count from one."""
        numbered = zip(self.rows, self.lines, strict=True)
        return [row for row, k in numbered if any(low <= k + 1 <= high for low, high in spans)]

    def after(self, count: int) -> Records:
        """What comes after `count` rows."""
        return attrs.evolve(self, rows=self.rows[count:], lines=self.lines[count:])


def headers_of(rows: Rows) -> int:
    """How many rows stand before a table: those of fewer fields than most rows have."""
    widths = [len(row) for row in rows[:200]]
    usual = max(set(widths), key=widths.count, default=0)
    if usual < 2:
        return 0
    return next((k for k, width in enumerate(widths) if width >= usual), 0)


_CORNER = r"([A-Za-z]{1,3})([0-9]+)"


def block_of(said: str) -> tuple[int, int, int | None, int | None]:
    """The first row and column, from zero, and the ends of a range such as ``B2:D4``.

    Raises:
        MatlabError: it is none.
    """
    found = re.fullmatch(rf"{_CORNER}(?::{_CORNER})?", said.strip())
    if not found:
        raise MatlabError(
            "MATLAB:spreadsheet:book:invalidRange", f"'{said}' is no range such as 'A1:C5'."
        )
    left, top, right, bottom = found.groups()
    begin = int(top) - 1, _column(left) - 1
    return (*begin, int(bottom), _column(right)) if right else (*begin, None, None)


def _column(letters: str) -> int:
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


# -- spreadsheets --------------------------------------------------------------------------------


def _openpyxl(name: str) -> Any:
    """The package that reads and writes spreadsheets.

    Raises:
        MatlabError: RunMat:spreadsheet, it is missing, or the format is none of its own.
    """
    if Path(name).suffix.lower() in _OLD_SPREADSHEETS:
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


def sheet_rows(interp: Interp, name: str, sheet: Any) -> Rows:
    """The cells of a sheet: numbers, texts, logicals, dates, and None for nothing."""
    package = _openpyxl(name)
    path = find_readable(interp, name)
    book = package.load_workbook(path, data_only=True, read_only=True)
    try:
        found = _sheet(book, sheet)
        return [list(row) for row in found.iter_rows(values_only=True)]
    finally:
        book.close()


def _sheet(book: Any, sheet: Any) -> Any:
    if sheet is None:
        return book.worksheets[0]
    known = book.sheetnames
    if isinstance(sheet, str) and sheet in known:
        return book[sheet]
    if not isinstance(sheet, str) and 1 <= sheet <= len(known):
        return book.worksheets[int(sheet) - 1]
    raise MatlabError("MATLAB:spreadsheet:sheet:notFound", f"There is no sheet {sheet}.")


#: How what is there already is treated; the first is what MATLAB does unless told otherwise.
WRITE_MODES = ("inplace", "overwritesheet", "append", "replacefile")


def write_sheet(
    interp: Interp, name: str, rows: Rows, sheet: Any, mode: str = "inplace", corner: str = ""
) -> None:
    """Write rows to a sheet, from `corner` on; other sheets of the file stay."""
    package = _openpyxl(name)
    path = resolve_path(interp, name)
    title = sheet if isinstance(sheet, str) else f"Sheet{int(sheet or 1)}"
    if Path(path).exists() and mode != "replacefile":
        book = package.load_workbook(path)
        if isinstance(sheet, str) or sheet is not None:
            there = title in book.sheetnames
        else:
            title, there = book.sheetnames[0], True
        target = book[title] if there else book.create_sheet(title)
        if mode == "overwritesheet":
            target.delete_rows(1, target.max_row)
    else:
        book = package.Workbook()
        target = book.active
        target.title = title
    top, left = block_of(corner)[:2] if corner else (0, 0)
    if mode == "append" and any(cell.value is not None for row in target.rows for cell in row):
        top = target.max_row
    for i, row in enumerate(rows, top + 1):
        for j, field in enumerate(row, left + 1):
            target.cell(i, j).value = field
    book.save(path)


def is_moment(field: Field) -> bool:
    return isinstance(field, datetime | time)
