"""Tables of numbers in text: dlmread, csvread and what writes them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import integer, whole
from runmat_core.builtins.files.formatted import read_text
from runmat_core.builtins.files.table import find_readable, resolve_path
from runmat_core.builtins.text.convert import parse_double
from runmat_core.builtins.text.decimals import decimals
from runmat_core.builtins.text.support import maybe_text, option_pairs, scalar_text
from runmat_core.values import CharArray, from_numpy, sprintf, to_numpy
from runmat_core.values.printf_format import unescape

_SEPARATORS = (",", "\t", ";", "|")


def _guess(lines: list[str]) -> str:
    """The delimiter of the first line that has one; a blank where there is none."""
    for line in lines:
        for mark in _SEPARATORS:
            if mark in line:
                return mark
    return " "


def _fields(line: str, delimiter: str) -> list[str]:
    if delimiter == " ":
        return line.split()
    return [field.strip() for field in line.rstrip("\r\n").split(delimiter)]


def _table(lines: list[str], delimiter: str, empty: float) -> np.ndarray[Any, Any]:
    """The numbers of lines, padded with `empty` to one width."""
    full = full_table(lines, delimiter)
    if full is not None:
        return full
    rows = [
        [empty if not field else parse_double(field) for field in _fields(line, delimiter)]
        for line in lines
    ]
    # a delimiter at the end of each line starts no column
    if rows and delimiter != " " and all(line.rstrip().endswith(delimiter) for line in lines):
        rows = [row[:-1] for row in rows]
    width = max(map(len, rows), default=0)
    kind = complex if any(isinstance(n, complex) for row in rows for n in row) else float
    table = np.full((len(rows), width), empty, dtype=kind, order="F")
    for k, row in enumerate(rows):
        table[k, : len(row)] = row
    return table


def full_table(lines: list[str], delimiter: str) -> np.ndarray[Any, Any] | None:
    """The numbers of lines that all have as many, as Python reads them; None where it cannot."""
    table = decimals("\n".join(lines), delimiter, "\n")
    if table is not None:
        return np.asfortranarray(table)
    everything = "".join(lines)
    if not everything.isascii() or "_" in everything:
        return None
    mark = None if delimiter == " " else delimiter
    words: list[str] = []
    width = len(lines[0].split(mark)) if lines else 0
    for line in lines:
        found = line.split(mark)
        if len(found) != width:
            return None
        words += found
    try:
        numbers = np.fromiter(map(float, words), np.float64, len(words))
    except ValueError:
        return None
    return np.asfortranarray(numbers.reshape(len(lines), width))


def _open(function: str, name: Any, interp: Interp) -> list[str]:
    error = MatlabError(f"MATLAB:{function}:InvalidInputType", "File name must be text.")
    file_name = scalar_text(name, error)
    try:
        text = read_text(find_readable(interp, file_name), file_name)
    except MatlabError:
        raise MatlabError(
            f"MATLAB:{function}:FileNotOpened",
            f"The file '{file_name}' could not be opened "
            "because it does not exist or cannot be read.",
        ) from None
    return [line for line in text.splitlines() if line.strip()]


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
    dlmread(filename, delimiter, [R1 C1 R2 C2]) reads that block. Empty fields are 0.

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
    lines = _open(function, name, interp)
    error = MatlabError(f"MATLAB:{function}:InvalidDelimiter", "The delimiter must be text.")
    mark = "" if delimiter is None else unescape(scalar_text(delimiter, error))
    top, left, bottom, right = 0, 0, None, None
    if first is not None and second is None:
        corners = whole(first, function).tolist()
        if len(corners) != 4:
            raise MatlabError(
                f"MATLAB:{function}:InvalidRange", "The range must be [top left bottom right]."
            )
        top, left, bottom, right = corners[0], corners[1], corners[2] + 1, corners[3] + 1
    elif first is not None:
        top, left = integer(first), integer(second)
    chosen = lines[top:bottom]
    table = _table(chosen, mark or _guess(chosen), 0.0)[:, left:right]
    if np.isnan(table.real).any() and _has_text(chosen, mark or _guess(chosen)):
        raise MatlabError(
            f"MATLAB:{function}:TextNotNumeric",
            "Mismatch between file and format: the file has text where numbers are expected.",
        )
    return from_numpy(np.asfortranarray(table))


def _has_text(lines: list[str], delimiter: str) -> bool:
    return any(
        field and field.lower() != "nan" and np.isnan(parse_double(field))
        for line in lines
        for field in _fields(line, delimiter)
    )


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
    """The rows of a matrix as lines.

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
