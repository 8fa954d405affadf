"""importdata, textread, strread: tables of numbers and text whose form is found out or told."""

from __future__ import annotations

import os
import re
from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError, not_enough_inputs
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import integer
from runmat_core.builtins.files.formatted import read_text
from runmat_core.builtins.files.table import find_readable
from runmat_core.builtins.files.textscan import textscan
from runmat_core.builtins.text.convert import parse_double
from runmat_core.builtins.text.support import maybe_text
from runmat_core.values import CellArray, cell, char, from_numpy, numel_of, struct, to_numpy
from runmat_core.values.cell import cell_column
from runmat_core.values.printf_format import unescape

_IMAGES = {".png", ".jpg", ".jpeg", ".bmp", ".tif", ".tiff", ".gif", ".pgm", ".ppm", ".pbm"}


def _fields(line: str, delimiter: str) -> list[str]:
    if delimiter == " ":
        return line.split()
    fields = [field.strip() for field in line.split(delimiter)]
    return fields[:-1] if len(fields) > 1 and not fields[-1] else fields


def _number(field: str) -> float | None:
    """A field as a number; None where it is text. An empty one is NaN."""
    if not field:
        return float("nan")
    found = parse_double(field)
    if isinstance(found, complex) or (found != found and field.lower() not in ("nan", "-nan")):
        return None
    return found


def _texts_before(fields: list[str]) -> int | None:
    """How many fields before the numbers of a line are text; None where no numbers follow."""
    numbers = [_number(field) if field else None for field in fields]
    first = next((k for k, number in enumerate(numbers) if number is not None), None)
    if first is None or any(_number(field) is None for field in fields[first:]):
        return None
    return first


def _guess(lines: list[str]) -> str:
    """The mark that splits the last lines into most fields, blanks where none does."""
    best = " "
    for mark in ("\t", ",", ";", "|"):
        counts = {line.count(mark) for line in lines[-3:]}
        if counts and min(counts) > 0:
            return mark
    return best


class _Table:
    """Lines of text taken apart: headers, texts at the left, numbers."""

    def __init__(self, lines: list[str], delimiter: str, headers: int | None) -> None:
        self.delimiter = delimiter
        split = [_fields(line, delimiter) for line in lines]
        if headers is None:
            headers = next(
                (k for k, fields in enumerate(split) if _texts_before(fields) is not None),
                len(split),
            )
        self.headers = split[:headers]
        self.lines = lines[:headers]
        body = [fields for fields in split[headers:] if any(fields)]
        lefts = [_texts_before(fields) for fields in body]
        self.left = max((left for left in lefts if left is not None), default=0)
        self.labels = [fields[: self.left] for fields in body]
        rows = [[_number(field) for field in fields[self.left :]] for fields in body]
        width = max((len(row) for row in rows), default=0)
        self.data = np.full((len(rows), width), np.nan)
        for k, row in enumerate(rows):
            values = [np.nan if number is None else number for number in row]
            self.data[k, : len(row)] = values

    def value(self) -> Any:
        """A matrix, or a struct with the texts beside it."""
        data = from_numpy(self.data)
        if not self.headers and not self.left:
            return data
        record = {"data": data}
        width = self.left + self.data.shape[1]
        fits = bool(self.headers) and len(self.headers[-1]) == width
        if self.left:
            rows = [*self.headers, *self.labels]
            record["textdata"] = _grid(rows, max(len(row) for row in rows))
            if self.left == 1 and not self.headers:
                record["rowheaders"] = _grid(self.labels, 1)
        elif fits:
            record["textdata"] = _grid(self.headers, width)
        else:
            record["textdata"] = cell_column(char(line) for line in self.lines)
        if fits and not self.left:
            record["colheaders"] = _grid(self.headers[-1:], width)
        return struct(record)


def _grid(rows: list[list[str]], width: int) -> CellArray:
    padded = [[*row, *[""] * (width - len(row))][:width] for row in rows]
    cells = [char(padded[i][j]) for j in range(width) for i in range(len(padded))]
    return cell(cells, (len(padded), width))


@builtin(
    "importdata", family="files/importing", nargin=(1, 3), nargout=3, needs=("nargout", "interp")
)
def importdata(
    name: Any, delimiter: Any = None, headers: Any = None, *, nargout: int, interp: Interp
) -> Any:
    """Read a file whose form is found out: numbers, text, MAT files, images.

    A = importdata(FILE): of a text file a matrix, or where there are headers a struct with data,
    textdata and colheaders; of a MAT file a struct of its variables; of an image its array
    A = importdata(FILE, DELIMITER), A = importdata(FILE, DELIMITER, HEADERLINES)
    [A, DELIMITER, HEADERLINES] = importdata(…) tells what was found

    A file without numbers is a column cell of its lines.

    Examples:
        >> f = [tempname '.txt']; writelines(["a,b" "1,2" "3,4"], f); s = importdata(f);
        >> s.data
        ans =
             1     2
             3     4
        >> s.colheaders
        ans =
          1×2 cell array
            {'a'}    {'b'}

    See also: readmatrix, load, textscan, imread.
    """
    word = maybe_text(name)
    if word is None:
        raise MatlabError("MATLAB:importdata:InvalidInput", "The file name must be text.")
    path = find_readable(interp, word)
    if not os.path.isfile(path):
        raise MatlabError("MATLAB:importdata:FileNotFound", f"Unable to open file '{word}'.")
    nothing = from_numpy(np.zeros((0, 0)))
    reader = {".mat": "load"}.get(os.path.splitext(path)[1].lower())
    reader = "imread" if os.path.splitext(path)[1].lower() in _IMAGES else reader
    if reader is not None:
        call = interp.builtin(reader)
        assert call is not None
        found = call(1, char(path))
        return (found, nothing, nothing)[:nargout] if nargout > 1 else found
    lines = read_text(path, word).splitlines()
    while lines and not lines[-1].strip():
        lines.pop()
    given = maybe_text(delimiter) if delimiter is not None and numel_of(delimiter) else None
    mark = unescape(given) if given else _guess(lines)
    count = None if headers is None else max(integer(headers, "HEADERLINES"), 0)
    table = _Table(lines, mark, count)
    if not table.data.size:
        value: Any = cell_column(char(line) for line in lines)
    else:
        value = table.value()
    outputs = (value, char(mark), float(len(table.headers)))
    return outputs[:nargout] if nargout > 1 else value


# -- strread and textread -----------------------------------------------------------------------

_COMMENTS = {"matlab": ["%"], "shell": ["#"], "c++": ["//"], "c": ["/*", "*/"]}
#: Options that textscan has no need of.
_IGNORED = frozenset({"bufsize", "expchars", "returnonerror"})


def _options(args: list[Any], function: str) -> list[Any]:
    """The options of the older functions as those of textscan."""
    if len(args) % 2:
        raise MatlabError(f"MATLAB:{function}:InvalidInput", "Options must come in pairs.")
    kept: list[Any] = []
    for name, value in zip(args[::2], args[1::2], strict=True):
        word = (maybe_text(name) or "").lower()
        if word in _IGNORED:
            continue
        if word == "commentstyle":
            marks = _COMMENTS.get((maybe_text(value) or "").lower())
            value = cell([char(mark) for mark in marks]) if marks else value
        kept += [name, value]
    return kept


def _columns(source: str, args: tuple[Any, ...], nargout: int, function: str, interp: Any) -> Any:
    """What ``strread(TEXT, FORMAT, N, …)`` gives: an output for each conversion."""
    rest = list(args)
    is_option = {"delimiter", "headerlines", "whitespace", "commentstyle", "emptyvalue"} | _IGNORED
    format_ = maybe_text(rest[0]) if rest else None
    formatted = format_ is not None and format_.lower() not in is_option
    layout = unescape(rest.pop(0).text() if formatted else "") if formatted else ""
    limit = [rest.pop(0)] if rest and maybe_text(rest[0]) is None else []
    # what is read as integers is given as double here
    layout = re.sub(r"%(\*?)(\d*)[du](?:8|16|32|64)?", r"%\1\2f", layout)
    call = [char(layout or "%f"), *limit, *_options(rest, function)]
    found = textscan(char(source), *call, nargout=1, interp=interp)
    columns = found.items()
    if nargout > max(len(columns), 1):
        raise MatlabError(
            f"MATLAB:{function}:MismatchFormat", "There are more outputs than conversions."
        )
    outputs = [
        column if isinstance(column, CellArray) else from_numpy(to_numpy(column).astype(float))
        for column in columns
    ]
    if not outputs:
        raise not_enough_inputs()
    return tuple(outputs[:nargout]) if nargout > 1 else outputs[0]


@builtin(
    "strread", family="files/importing", nargin=(1, None), nargout=None, needs=("nargout", "interp")
)
def strread(source: Any, *args: Any, nargout: int, interp: Interp) -> Any:
    """Read columns from text.

    A = strread(TEXT) reads numbers into a column
    [A, B, …] = strread(TEXT, FORMAT, …) gives an output for each conversion of the format: %f, %d,
    %u as numbers, %s and %q as a cell of texts; %*s and its like are skipped
    … = strread(TEXT, FORMAT, N, …) applies the format N times
    … = strread(…, NAME, VALUE) with delimiter, whitespace, headerlines, commentstyle, emptyvalue

    New programs use textscan.

    Examples:
        >> [names, n] = strread('ann 1 bob 22', '%s %d')
        names =
          2×1 cell array
            {'ann'}
            {'bob'}
        n =
             1
            22

    See also: textscan, textread, sscanf, strsplit.
    """
    text = maybe_text(source)
    if text is None:
        raise MatlabError("MATLAB:strread:InvalidInput", "The first input must be text.")
    return _columns(text, args, nargout, "strread", interp)


@builtin(
    "textread",
    family="files/importing",
    nargin=(1, None),
    nargout=None,
    needs=("nargout", "interp"),
)
def textread(name: Any, *args: Any, nargout: int, interp: Interp) -> Any:
    """Read columns from a text file.

    A = textread(FILE) reads a matrix of numbers
    [A, B, …] = textread(FILE, FORMAT, …) gives an output for each conversion, as strread does
    … = textread(FILE, FORMAT, N, …), … = textread(…, NAME, VALUE) as for strread

    New programs use textscan.

    Examples:
        >> f = tempname; writelines(["x 1" "y 2"], f);
        >> [names, n] = textread(f, '%s %f');
        >> n
        n =
             1
             2

    See also: textscan, strread, readmatrix.
    """
    word = maybe_text(name)
    if word is None:
        raise MatlabError("MATLAB:textread:InvalidInput", "The file name must be text.")
    path = find_readable(interp, word)
    if not os.path.isfile(path):
        raise MatlabError("MATLAB:textread:FileNotFound", f"File not found: '{word}'.")
    text = read_text(path, word)
    if not args:
        lines = [line for line in text.splitlines() if line.strip()]
        return from_numpy(_Table(lines, _guess(lines), None).data)
    return _columns(text, args, nargout, "textread", interp)
