"""Tables of numbers in text: dlmread, csvread and what writes them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import integer, whole
from runmat_core.builtins.files.table import resolve_path
from runmat_core.builtins.sheets import content as contents
from runmat_core.builtins.sheets import plain
from runmat_core.builtins.sheets.content import Content
from runmat_core.builtins.sheets.fields import Dialect
from runmat_core.builtins.sheets.ranges import Block, block_of
from runmat_core.builtins.sheets.tokens import fields_of
from runmat_core.builtins.text.support import maybe_text, option_pairs, scalar_text
from runmat_core.values import CharArray, from_numpy, is_text, text, to_numpy
from runmat_core.values.printf import sprintf
from runmat_core.values.printf_format import unescape


@builtin("dlmread", family="files/delimited", nargin=(1, 5), needs=("interp",))
def dlmread(
    name: Any,
    delimiter: Any = None,
    first: Any = None,
    second: Any = None,
    *rest: Any,
    interp: Interp,
) -> Any:
    """Read a table of numbers from a text file.

    M = dlmread(filename) finds the delimiter; dlmread(filename, delimiter) is told.
    M = dlmread(filename, delimiter, R, C) begins at row R and column C, counted from zero, and
    dlmread(filename, delimiter, [R1 C1 R2 C2]) or dlmread(filename, delimiter, 'A1..B5') reads
    that block. Empty fields are 0.

    Examples:
        >> name = tempname; dlmwrite(name, [1 2; 3 4]); dlmread(name)
        ans =
             1     2
             3     4

    See also: csvread, dlmwrite, readmatrix, textscan.
    """
    return _read_block("dlmread", name, delimiter, first, second, interp)


def _read_block(
    function: str, name: Any, delimiter: Any, first: Any, second: Any, interp: Interp
) -> Any:
    error = MatlabError(f"MATLAB:{function}:InvalidInputType", "File name must be text.")
    file_name = scalar_text(name, error)
    error = MatlabError(f"MATLAB:{function}:InvalidDelimiter", "The delimiter must be text.")
    mark = "" if delimiter is None else unescape(scalar_text(delimiter, error))
    block = _block(function, first, second)
    try:
        content = contents.read(interp, file_name)
    except MatlabError:
        raise MatlabError(
            f"MATLAB:{function}:FileNotOpened",
            f"The file '{file_name}' could not be opened "
            "because it does not exist or cannot be read.",
        ) from None
    dialect = plain.dialect_of(content, mark)
    # headers before the block may be anything
    fields = fields_of(content, dialect, _line_of_row(content, dialect, block.top))
    if block.bottom is not None:
        fields = fields.rows(np.arange(fields.height) < block.bottom - block.top)
    found = plain.numbers_of(fields, dialect)
    columns = slice(block.left, block.right)
    wrong = found.wrong[:, columns]
    if wrong.any():
        row, column = (int(k[0]) for k in np.nonzero(wrong))
        text = found.fields.texts(row, dialect.whitespace)[column + block.left]
        raise MatlabError(
            "MATLAB:textscan:handleErrorAndShowInfo",
            "Mismatch between file and format character vector.\nTrouble reading 'Numeric' field "
            f"from file (row number {row + block.top + 1}, field number "
            f"{column + block.left + 1}) ==> {text[:80]}",
        )
    table = np.where(found.empty, 0, found.values)[:, columns]
    return from_numpy(np.asfortranarray(table))


def _block(function: str, first: Any, second: Any) -> Block:
    """Return the rows and columns that are read."""
    if first is None:
        return Block()
    if second is not None:
        return Block(integer(first), integer(second))
    if is_text(first):
        return block_of(text(first).replace("..", ":"))
    corners = whole(first, function).tolist()
    if len(corners) != 4:
        raise MatlabError(
            f"MATLAB:{function}:InvalidRange", "The range must be [top left bottom right]."
        )
    return Block(corners[0], corners[1], corners[2] + 1, corners[3] + 1)


def _line_of_row(content: Content, dialect: Dialect, row: int) -> int:
    """Return the line on which a row begins, empty lines not being rows."""
    if row <= 0:
        return 0
    fields = fields_of(content, dialect)
    return int(fields.lines[row]) if row < fields.height else int(1e15)


@builtin("csvread", family="files/delimited", nargin=(1, 4), needs=("interp",))
def csvread(
    name: Any, first: Any = None, second: Any = None, block: Any = None, *, interp: Interp
) -> Any:
    """Read a table of numbers separated by commas.

    M = csvread(filename) reads the whole file; csvread(filename, R, C) begins at row R and column
    C, counted from zero; csvread(filename, R, C, [R1 C1 R2 C2]) reads that block.

    Examples:
        >> name = tempname; csvwrite(name, [1 2; 3 4]); csvread(name)
        ans =
             1     2
             3     4

    See also: dlmread, csvwrite, readmatrix.
    """
    comma = CharArray(",")
    if block is not None:
        return _read_block("csvread", name, comma, block, None, interp)
    return _read_block("csvread", name, comma, first, second, interp)


def _format_number(number: Any, precision: Any) -> str:
    text = maybe_text(precision) if precision is not None else None
    if text is not None:
        return sprintf(text, [float(number)])
    digits = 5 if precision is None else integer(precision)
    return f"{number:.{digits}g}"


def number_lines(table: Any, delimiter: str, precision: Any, left: int = 0) -> list[str]:
    """Return the rows of a matrix as lines.

    Args:
        precision: how many digits, or a format.
        left: how many empty fields stand before the numbers.
    """
    array = np.asarray(to_numpy(table))
    matrix = array.reshape(array.shape[0], math.prod(array.shape[1:]), order="F")
    if matrix.dtype.kind == "f" and maybe_text(precision) is None and np.isfinite(matrix).all():
        digits = 5 if precision is None else integer(precision)
        line = delimiter.replace("%", "%%").join([f"%.{digits}g"] * matrix.shape[1])
        return [delimiter * left + line % tuple(row) for row in matrix.tolist()]
    found = []
    for numbers in matrix:
        fields = [_complex_text(number, precision) for number in numbers]
        found.append(delimiter * left + delimiter.join(fields))
    return found


def _write_numbers(path: str, table: Any, delimiter: str, options: dict[str, Any]) -> None:
    newline = "\r\n" if (maybe_text(options.get("newline")) or "").lower() == "pc" else "\n"
    left = integer(options["coffset"]) if "coffset" in options else 0
    top = integer(options["roffset"]) if "roffset" in options else 0
    width = math.prod(np.shape(to_numpy(table))[1:])
    lines = [delimiter * (left + width - 1)] * top
    lines += number_lines(table, delimiter, options.get("precision"), left)
    with open(path, options.get("mode", "w"), encoding="utf-8", newline="") as stream:
        stream.write("".join([line + newline for line in lines]))


def _complex_text(number: Any, precision: Any) -> str:
    if isinstance(number, complex):
        sign = "-" if number.imag < 0 else "+"
        imaginary = _format_number(abs(number.imag), precision)
        return f"{_format_number(number.real, precision)}{sign}{imaginary}i"
    text = _format_number(number, precision)
    return {"nan": "NaN", "inf": "Inf", "-inf": "-Inf"}.get(text, text)


@builtin("dlmwrite", family="files/delimited", nargin=(2, None), nargout=0, needs=("interp",))
def dlmwrite(name: Any, table: Any, *options: Any, interp: Interp) -> None:
    """Write a table of numbers to a text file.

    dlmwrite(filename, M) puts commas between numbers of five digits.
    dlmwrite(filename, M, '-append') adds to the file.
    dlmwrite(filename, M, delimiter, R, C) takes another delimiter and leaves out rows and columns.
    dlmwrite(filename, M, name, value) takes 'delimiter', 'precision' (digits or a format),
    'newline' ('pc' or 'unix'), 'roffset' and 'coffset'.

    Examples:
        >> name = tempname; dlmwrite(name, [1 2.5], 'delimiter', ' '); fileread(name)
        ans =
            '1 2.5
             '

    See also: dlmread, csvwrite, writematrix.
    """
    error = MatlabError("MATLAB:dlmwrite:InvalidInput", "Invalid argument of dlmwrite.")
    chosen: dict[str, Any] = {}
    rest = list(options)
    words = [maybe_text(option) for option in rest]
    if "-append" in words:
        chosen["mode"] = "a"
        del rest[words.index("-append")]
    names = {k: k for k in ("delimiter", "precision", "newline", "roffset", "coffset")}
    if rest and (maybe_text(rest[0]) or "").lower() not in names:
        positional = ("delimiter", "roffset", "coffset", "precision")
        chosen |= dict(zip(positional, rest, strict=False))
    else:
        chosen |= option_pairs(tuple(rest), names, error)
    delimiter = unescape(scalar_text(chosen["delimiter"], error)) if "delimiter" in chosen else ","
    path = resolve_path(interp, scalar_text(name, error))
    _write_numbers(path, table, delimiter, chosen)


@builtin("csvwrite", family="files/delimited", nargin=(2, 4), nargout=0, needs=("interp",))
def csvwrite(name: Any, table: Any, *offsets: Any, interp: Interp) -> None:
    """Write a table of numbers separated by commas.

    csvwrite(filename, M) writes five digits; csvwrite(filename, M, R, C) leaves out R rows and C
    columns.

    Examples:
        >> name = tempname; csvwrite(name, [1 2; 3 4]); csvread(name)
        ans =
             1     2
             3     4

    See also: csvread, dlmwrite, writematrix.
    """
    error = MatlabError("MATLAB:csvwrite:FileNameMustBeString", "File name must be text.")
    chosen = dict(zip(("roffset", "coffset"), offsets, strict=False))
    _write_numbers(resolve_path(interp, scalar_text(name, error)), table, ",", chosen)
