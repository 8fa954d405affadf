"""importdata, textread, strread: tables of numbers and text whose form is found out or told."""

from __future__ import annotations

import os
import re
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError, not_enough_inputs
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import integer
from runmat_core.builtins.files.table import find_readable
from runmat_core.builtins.files.textscan import textscan
from runmat_core.builtins.sheets import content as contents
from runmat_core.builtins.sheets import plain, workbooks
from runmat_core.builtins.sheets.content import Content
from runmat_core.builtins.sheets.fields import LINE_ENDINGS
from runmat_core.builtins.sheets.plain import Numbers
from runmat_core.builtins.sheets.tokens import fields_of
from runmat_core.builtins.sheets.workbook_functions import numbers_in, texts_in
from runmat_core.builtins.tables.naming import valid_name
from runmat_core.builtins.text.support import maybe_text
from runmat_core.values import CellArray, cell, char, from_numpy, numel_of, struct, to_numpy
from runmat_core.values.cell import cell_column
from runmat_core.values.printf_format import unescape

#: Bytes in which header lines are looked for.
_HEAD = 1 << 20
_IMAGES = {".png", ".jpg", ".jpeg", ".bmp", ".tif", ".tiff", ".gif", ".pgm", ".ppm", ".pbm"}


class _Table:
    """Text taken apart: headers, texts at the left, numbers."""

    def __init__(self, content: Content, mark: str, headers: int | None) -> None:
        found, dialect = plain.read_numbers(content, mark, headers or 0)
        self.dialect = dialect
        self.delimiter = dialect.delimiters[0]
        lefts = _texts_before(found)
        if headers is None:
            good = np.flatnonzero(lefts >= 0)
            begin = int(good[0]) if len(good) else found.fields.height
            headers = int(found.fields.lines[begin]) if len(good) else _height(content)
        else:
            begin = 0
        above = fields_of(content.head(_HEAD), attrs.evolve(dialect, empty_lines="read"))
        self.headers = [
            above.texts(k, dialect.whitespace) for k in range(min(headers, above.height))
        ]
        self.lines = contents.read_lines(content.head(_HEAD), LINE_ENDINGS)[:headers]
        self.left = int(lefts[begin:].max(initial=0))
        rows = range(begin, found.fields.height) if self.left else range(0)
        self.labels = [found.fields.texts(k, dialect.whitespace)[: self.left] for k in rows]
        self.data = np.asfortranarray(found.values[begin:, self.left :])

    def value(self) -> Any:
        """Return a matrix, or a struct with the texts beside it."""
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


def _workbook(interp: Interp, name: str) -> Any:
    """Return the sheets of a spreadsheet, each as a matrix or with the texts beside it."""
    found = {}
    for title in workbooks.sheet_names(interp, name):
        rows = workbooks.read(interp, name, title).rows
        width = max(map(len, rows), default=0)
        if not width:
            continue
        numbers, texts = numbers_in(rows, width), texts_in(rows, width)
        record = {"data": numbers}
        if numel_of(texts):
            record["textdata"] = texts
            if texts.shape == (1, width):
                record["colheaders"] = texts.share()
        found[valid_name(title)] = record
    if len(found) != 1:
        names = list(dict.fromkeys(key for record in found.values() for key in record))
        sheets = {
            key: struct({t: record[key] for t, record in found.items() if key in record})
            for key in names
        }
        return struct(sheets)
    (record,) = found.values()
    return struct(record) if len(record) > 1 else record["data"]


def _texts_before(found: Numbers) -> NDArray[np.intp]:
    """How many fields before the numbers of each row are text; -1 where no numbers follow."""
    number = ~(found.wrong | found.empty)
    count = found.values.shape[1]
    if not count:
        return np.full(len(number), -1)
    first = number.argmax(axis=1)
    last = count - 1 - found.wrong[:, ::-1].argmax(axis=1)
    late = found.wrong.any(axis=1) & (last > first)
    return np.where(number.any(axis=1) & ~late, first, -1)


def _height(content: Content) -> int:
    return len(contents.read_lines(content, LINE_ENDINGS))


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
    textdata and colheaders; of a MAT file a struct of its variables; of a spreadsheet as of
    text, with a field for each sheet where there are several; of an image its array
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
    if workbooks.is_spreadsheet(word):
        book = _workbook(interp, word)
        return (book, nothing, nothing)[:nargout] if nargout > 1 else book
    content = contents.read(interp, word)
    given = maybe_text(delimiter) if delimiter is not None and numel_of(delimiter) else None
    count = None if headers is None else max(integer(headers, "HEADERLINES"), 0)
    table = _Table(content, unescape(given) if given else "", count)
    if not table.data.size:
        lines = contents.read_lines(content, LINE_ENDINGS)
        while lines and not lines[-1].strip():
            lines.pop()
        value: Any = cell_column(char(line) for line in lines)
    else:
        value = table.value()
    outputs = (value, char(table.delimiter), float(len(table.headers)))
    return outputs[:nargout] if nargout > 1 else value


# -- strread and textread -----------------------------------------------------------------------

_COMMENTS = {"matlab": ["%"], "shell": ["#"], "c++": ["//"], "c": ["/*", "*/"]}
#: Options that textscan has no need of.
_IGNORED = frozenset({"bufsize", "expchars", "returnonerror"})


def _options(args: list[Any], function: str) -> list[Any]:
    """Return the options of the older functions as those of textscan."""
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
    """Return what ``strread(TEXT, FORMAT, N, …)`` gives: an output for each conversion."""
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
    content = contents.read(interp, word)
    if not args:
        return from_numpy(_Table(content, "", None).data)
    text = content.text(content.begin, content.end)
    return _columns(text, args, nargout, "textread", interp)
