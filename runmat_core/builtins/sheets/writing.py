"""writetable, writecell and writematrix."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError, undefined_for
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import integer, nearest
from runmat_core.builtins.files.delimited import number_lines
from runmat_core.builtins.files.table import known_encoding, resolve_path
from runmat_core.builtins.named import choice
from runmat_core.builtins.sheets import workbooks
from runmat_core.builtins.sheets.properties import delimiters
from runmat_core.builtins.sheets.ranges import block_of
from runmat_core.builtins.tables.support import flag, split_pairs, table_of
from runmat_core.values import char, class_of, is_text, size_of, text
from runmat_core.values.array_object import ArrayObject
from runmat_core.values.cell import CellArray
from runmat_core.values.char import CharArray
from runmat_core.values.classes import DTYPE
from runmat_core.values.printf_format import unescape
from runmat_core.values.string import StringArray
from runmat_core.values.tables.table import Table
from runmat_core.values.tables.timetable import Timetable
from runmat_core.values.time.datetime import Datetime

_OPTIONS = (
    *("Delimiter", "WriteVariableNames", "WriteRowNames", "QuoteStrings", "WriteMode", "FileType"),
    *("Encoding", "Sheet", "Range", "DateLocale", "AutoFitWidth", "UseExcel", "PreserveFormat"),
    "LineEnding",
)


def _field(value: Any, in_sheet: bool = False) -> Any:
    """Return a scalar as what a field holds: a number, a logical, a text, or None for nothing."""
    if value.__class__ in (float, bool, str):
        return value
    if isinstance(value, complex):
        return f"{_number(value.real)}{'-' if value.imag < 0 else '+'}{_number(abs(value.imag))}i"
    if in_sheet and isinstance(value, Datetime):
        return _moments(value)[0]
    if isinstance(value, ArrayObject):
        return value.shown_texts()[0]  # type: ignore[attr-defined]
    if isinstance(value, CharArray):
        return value.text()
    if isinstance(value, StringArray) and value.data.size == 1:
        item = value.data.item()
        return item if isinstance(item, str) else None
    data = getattr(value, "data", None)
    if isinstance(data, np.ndarray) and data.size == 1 and data.dtype.kind in "iufb":
        return data.item()
    return None


def _number(number: Any) -> str:
    if isinstance(number, bool):
        return str(int(number))
    if isinstance(number, int):
        return str(number)
    if number != number:
        return "NaN"
    if number in (float("inf"), float("-inf")):
        return "Inf" if number > 0 else "-Inf"
    return f"{number:.15g}"


def _moments(value: Datetime) -> list[Any]:
    """Return times as Python has them; None for those that are missing."""
    found: list[Any] = []
    for local in value.local().ravel(order="F").tolist():
        known = _FIRST <= local <= _LAST
        found.append(_EPOCH + timedelta(milliseconds=float(local)) if known else None)
    return found


_EPOCH = datetime(1970, 1, 1)
#: Spreadsheets have no times before 1900, and Python none after 9999, in milliseconds since 1970.
_FIRST, _LAST = -2_208_988_800_000, 253_402_300_799_000


def columns_of_value(value: Any, in_sheet: bool = False) -> list[list[Any]]:
    """Return the fields of a variable, column by column.

    Args:
        in_sheet: whether they become cells of a spreadsheet, which has times of its own.
    """
    height = size_of(value)[0]
    count = int(np.prod(size_of(value)[1:]))
    if isinstance(value, CharArray):
        return [list(value.rows())]
    items: list[Any]
    if in_sheet and isinstance(value, Datetime):
        items = _moments(value)
    elif isinstance(value, ArrayObject):
        items = value.shown_texts()  # type: ignore[attr-defined]
    elif isinstance(value, CellArray):
        items = [_field(item, in_sheet) for item in value.items()]
    elif isinstance(value, StringArray):
        items = [v if isinstance(v, str) else None for v in value.data.ravel(order="F")]
    elif isinstance(value, float | bool | complex):
        items = [_field(value)]
    elif class_of(value) in DTYPE:
        items = value.data.ravel(order="F").tolist()
    else:
        items = [None] * (height * count)
    return [items[k * height : (k + 1) * height] for k in range(count)]


def _as_text(field: Any, mark: str, quotes: str) -> str:
    """Return a field as it stands in a text file."""
    if field is None:
        return ""
    if isinstance(field, complex):
        return str(_field(field))
    if not isinstance(field, str):
        return _number(field)
    needed = quotes == "minimal" and any(c in field for c in (mark, '"', "\n", "\r"))
    if quotes == "all" or needed:
        return '"' + field.replace('"', '""') + '"'
    return field


def write_rows(
    function: str, name: str, rows: list[list[Any]], options: dict[str, Any], interp: Interp
) -> None:
    """Write rows of fields to a text file, or to a sheet."""
    if is_sheet(name, options):
        sheet = options.get("Sheet")
        target = workbooks.Target(
            sheet=None if sheet is None else text(sheet) if is_text(sheet) else integer(sheet),
            mode=choice(options.get("WriteMode", char("inplace")), workbooks.WRITE_MODES, function),
            block=block_of(options["Range"]) if "Range" in options else None,
        )
        workbooks.write(interp, name, [list(map(_as_cell, row)) for row in rows], target)
        return
    mark, quotes = delimiter_for(options), _quotes(options)
    lines = [mark.join([_as_text(field, mark, quotes) for field in row]) for row in rows]
    write_lines(interp, function, name, lines, options)


def write_lines(
    interp: Interp, function: str, name: str, lines: list[str], options: dict[str, Any]
) -> None:
    """Write lines to a text file in the encoding and with the ends that options say.

    Raises:
        MatlabError: MATLAB:table:write:FileOpenError.
    """
    ending = unescape(text(options["LineEnding"])) if "LineEnding" in options else "\n"
    codec = text(options["Encoding"]) if "Encoding" in options else "UTF-8"
    codec = "UTF-8" if codec.lower() == "system" else codec
    if not known_encoding(codec):
        raise MatlabError(
            "MATLAB:textio:textio:UnknownEncoding", f"Unknown or unsupported encoding '{codec}'."
        )
    try:
        with open(
            resolve_path(interp, name), mode_for(function, options), encoding=codec,
            errors="replace", newline="",
        ) as stream:  # fmt: skip
            stream.write("".join([line + ending for line in lines]))
    except OSError:
        raise MatlabError(
            "MATLAB:table:write:FileOpenError",
            f"Unable to open file '{name}' for writing. Check the path and file permissions.",
        ) from None


def is_sheet(name: str, options: dict[str, Any]) -> bool:
    kind = text(options["FileType"]) if "FileType" in options else ""
    return workbooks.is_spreadsheet(name, kind)


def delimiter_for(options: dict[str, Any]) -> str:
    """Return what separates the fields that are written."""
    found = delimiters(options["Delimiter"], "Delimiter") if "Delimiter" in options else (",",)
    if len(found) != 1:
        raise MatlabError("MATLAB:table:write:InvalidDelimiter", "There must be one delimiter.")
    return found[0]


def mode_for(function: str, options: dict[str, Any]) -> str:
    """How a text file is opened."""
    if "WriteMode" not in options:
        return "w"
    return (
        "a" if choice(options["WriteMode"], ("overwrite", "append"), function) == "append" else "w"
    )


def _quotes(options: dict[str, Any]) -> str:
    """When texts stand between quotes: where they must, always, or never."""
    value = options.get("QuoteStrings")
    if value is None:
        return "minimal"
    if is_text(value):
        return choice(value, ("minimal", "all", "none"), "writetable")
    return "all" if flag(value) else "none"


def cells_of_value(value: Any) -> list[list[Any]]:
    """Return a matrix or cell array as rows of cells of a spreadsheet."""
    rows = zip(*columns_of_value(value, True), strict=True)
    return [[_as_cell(field) for field in row] for row in rows]


def _as_cell(field: Any) -> Any:
    """Return a field as a cell of a spreadsheet, which has no NaN and no infinity."""
    if isinstance(field, complex):
        return _field(field)
    if not isinstance(field, float) or math.isfinite(field):
        return field
    return None if field != field else _number(field)


def target_of(args: Sequence[Any], default: str) -> tuple[str, dict[str, Any]]:
    """Return the file name and the options."""
    rest = list(args)
    name = default
    if len(rest) % 2:
        if not is_text(rest[0]):
            raise MatlabError(
                "MATLAB:table:write:InvalidFileName",
                "The file name must be a character vector or string scalar.",
            )
        name = text(rest.pop(0))
        # a name without extension is one of text
        if "." not in name.rpartition("/")[2]:
            name = f"{name}.txt"
    plain, options = split_pairs(rest, _OPTIONS)
    if plain:
        word = text(plain[0]) if is_text(plain[0]) else class_of(plain[0])
        raise MatlabError(
            "MATLAB:table:parseArgs:BadParamName",
            f"Invalid parameter name: '{word}'.{nearest(word, _OPTIONS)}",
        )
    return name, options


@builtin(
    "writetable",
    family="sheets/writing",
    nargin=(1, None),
    nargout=0,
    needs=("interp", "argument_text"),
)
def writetable(
    t: Any, *args: Any, interp: Interp, argument_text: tuple[str | None, ...] = ()
) -> None:
    """Write a table to a text file with commas, or to a spreadsheet.

    writetable(T) writes to a file called as the variable, .txt
    writetable(T, filename): .txt, .csv, .dat, or .xlsx with the Python package openpyxl
    writetable(…, name, value): 'Delimiter', 'WriteVariableNames', 'WriteRowNames', 'QuoteStrings'
    ('minimal', 'all' or 'none'), 'WriteMode' ('overwrite' or 'append'; 'inplace', 'overwritesheet',
    'append' or 'replacefile' for spreadsheets), 'FileType', 'Sheet', 'Range'

    Examples:
        >> name = [tempname '.csv']; T = table([1.5; 2], ["a"; "b,c"]);
        >> writetable(T, name); disp(strtrim(fileread(name)))
        Var1,Var2
        1.5,a
        2,"b,c"

    See also: readtable, writecell, writematrix.
    """
    table = table_of("writetable", t)
    if isinstance(table, Timetable):
        raise undefined_for("writetable", "timetable")  # its times would be lost
    default = argument_text[0] if argument_text and argument_text[0] else "table"
    name, options = target_of(args, f"{default}.txt")
    appending = "WriteMode" in options and text(options["WriteMode"]).lower() == "append"
    rows: list[list[Any]] = []
    with_rows = flag(options.get("WriteRowNames", False)) and bool(table.data.row_names)
    if flag(options.get("WriteVariableNames", not appending)):
        rows.append([table.data.dimensions[0]] * with_rows + _headings(table))
    in_sheet = is_sheet(name, options)
    columns = [column for n in table.names for column in _columns_of(table.column(n), in_sheet)]
    if with_rows:
        columns.insert(0, list(table.data.row_names))
    rows += [list(row) for row in zip(*columns, strict=True)]
    write_rows("writetable", name, rows, options, interp)


def _headings(table: Table) -> list[str]:
    """Return the names of the columns; those of a variable with several are numbered."""
    found = []
    for name in table.names:
        value = table.column(name)
        if isinstance(value, Table):
            found += [f"{name}_{inner}" for inner in _headings(value)]
            continue
        count = 1 if isinstance(value, CharArray) else int(np.prod(size_of(value)[1:]))
        found += [name] if count == 1 else [f"{name}_{k + 1}" for k in range(count)]
    return found


def _columns_of(value: Any, in_sheet: bool) -> list[list[Any]]:
    if isinstance(value, Table):
        inner = [_columns_of(value.column(name), in_sheet) for name in value.names]
        return [column for columns in inner for column in columns]
    return columns_of_value(value, in_sheet)


@builtin("writecell", family="sheets/writing", nargin=(1, None), nargout=0, needs=("interp",))
def writecell(c: Any, *args: Any, interp: Interp) -> None:
    """Write a cell array to a text file with commas, or to a spreadsheet.

    writecell(C) writes to cell.txt
    writecell(C, filename), writecell(…, name, value) as writetable has them

    Examples:
        >> name = [tempname '.csv']; writecell({1 'a b'; true 'c,d'}, name)
        >> disp(strtrim(fileread(name)))
        1,a b
        1,"c,d"

    See also: readcell, writetable, writematrix.
    """
    if not isinstance(c, CellArray):
        raise MatlabError(
            "MATLAB:writecell:UnsupportedType", f"Input must be a cell array, not {class_of(c)}."
        )
    name, options = target_of(args, "cell.txt")
    in_sheet = is_sheet(name, options)
    rows = [[_field(item, in_sheet) for item in row] for row in c.data.tolist()]
    write_rows("writecell", name, rows, options, interp)


@builtin(
    "writematrix",
    family="sheets/writing",
    nargin=(1, None),
    nargout=0,
    needs=("interp", "argument_text"),
)
def writematrix(
    matrix: Any, *args: Any, interp: Interp, argument_text: tuple[str | None, ...] = ()
) -> None:
    """Write a matrix to a text file or a spreadsheet.

    writematrix(A) writes to a file called as the variable, .txt
    writematrix(A, filename) puts commas between elements, written with up to 15 digits; .xlsx is
    a spreadsheet, which needs the Python package openpyxl
    writematrix(…, name, value): 'Delimiter', 'WriteMode' ('overwrite' or 'append'; 'inplace',
    'overwritesheet', 'append' or 'replacefile' for spreadsheets), 'QuoteStrings', 'FileType',
    'Encoding', 'LineEnding', 'Sheet', 'Range'

    Examples:
        >> name = tempname; writematrix([1 2.5], [name '.csv']); strtrim(fileread([name '.csv']))
        ans =
            '1,2.5'

    See also: readmatrix, writetable, dlmwrite.
    """
    default = argument_text[0] if argument_text and argument_text[0] else "matrix"
    name, options = target_of(args, f"{default}.txt")
    as_text = isinstance(matrix, StringArray | CellArray | CharArray | ArrayObject)
    if as_text or is_sheet(name, options):
        columns = columns_of_value(matrix, is_sheet(name, options))
        rows = [list(row) for row in zip(*columns, strict=True)]
        write_rows("writematrix", name, rows, options, interp)
        return
    lines = number_lines(matrix, delimiter_for(options), 15.0)
    write_lines(interp, "writematrix", name, lines, options)
