"""textscan: columns of text."""

from __future__ import annotations

import os
import re
from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import integer
from runmat_core.builtins.files import textscan_records as records
from runmat_core.builtins.files.table import files
from runmat_core.builtins.files.textscan_records import CLASSES, NUMBER, Field, Options
from runmat_core.builtins.text.scan import character_set, number
from runmat_core.builtins.text.support import (
    maybe_text,
    option_pairs,
    scalar_text,
    text_list,
)
from runmat_core.values import CharArray, StringArray, char, from_numpy, horzcat, size_of, truth
from runmat_core.values.cell import cell_column
from runmat_core.values.char import chars
from runmat_core.values.classes import cast_array
from runmat_core.values.construct import cell as cell_of
from runmat_core.values.printf_format import unescape

_SPEC = re.compile(
    r"\s*(?:%(?P<skip>\*)?(?P<width>\d+)?(?:\.(?P<precision>\d+))?"
    r"(?:(?P<kind>[dufxb]\d*|[sqcnC]|(?:\{(?P<form>[^}]*)\})?[DT])|\[(?P<set>\^?\]?[^\]]*)\])|(?P<literal>[^%\s]+))"
)
#: What makes a number in front of it complex.
_IMAGINARY = re.compile(rf"(?=[+-])({NUMBER.pattern})[ij]", re.IGNORECASE)
#: Records from which on a look for more of them is worth its time.
_WORTHWHILE = 100

_NAMES = {
    name: name
    for name in (
        *("Delimiter", "Whitespace", "HeaderLines", "CommentStyle", "MultipleDelimsAsOne"),
        *("EmptyValue", "TreatAsEmpty", "CollectOutput", "EndOfLine", "ReturnOnError"),
        *("BufSize", "ExpChars", "TextType", "DateLocale"),
    )
}


def _options(args: tuple[Any, ...]) -> Options:
    error = MatlabError("MATLAB:textscan:UnknownOption", "Unknown or incomplete textscan option.")
    chosen = option_pairs(args, _NAMES, error)
    options = Options()
    if "Delimiter" in chosen:
        marks = [unescape(text) for text in text_list(chosen["Delimiter"], error)]
        if maybe_text(chosen["Delimiter"]) is not None:
            marks = list(marks[0])
        options.delimiters = marks
        options.whitespace = "".join(c for c in options.whitespace if c not in marks)
    if "Whitespace" in chosen:
        options.whitespace = unescape(scalar_text(chosen["Whitespace"], error))
    if "HeaderLines" in chosen:
        options.header_lines = integer(chosen["HeaderLines"])
    if "CommentStyle" in chosen:
        options.comments = text_list(chosen["CommentStyle"], error)
    if "EmptyValue" in chosen:
        options.empty_value = float(chosen["EmptyValue"])
    if "TreatAsEmpty" in chosen:
        options.treat_as_empty = text_list(chosen["TreatAsEmpty"], error)
    if "EndOfLine" in chosen:
        ending = unescape(scalar_text(chosen["EndOfLine"], error))
        # both together stand for either, too
        options.end_of_line = options.end_of_line if ending == "\r\n" else (ending,)
    if "ExpChars" in chosen:
        options.exponents = scalar_text(chosen["ExpChars"], error)
    options.gives_up = truth(chosen.get("ReturnOnError", True))
    options.merge = truth(chosen.get("MultipleDelimsAsOne", False))
    options.strings = maybe_text(chosen.get("TextType", 0.0)) == "string"
    options.collect = truth(chosen.get("CollectOutput", False))
    return options


def _parse_format(text: str) -> list[Field]:
    fields = []
    at = 0
    while at < len(text.rstrip()):
        match = _SPEC.match(text, at)
        if match is None:
            raise MatlabError("MATLAB:textscan:BadFormat", f"Badly formed format '{text}'.")
        if match["literal"]:
            fields.append(Field("literal", match["literal"]))
        else:
            fields.append(
                Field(
                    (match["kind"] or "[")[-1 if match["form"] else 0 :],
                    unescape(match["set"] or "") or match["form"] or "",
                    bool(match["skip"]),
                    int(match["width"]) if match["width"] else None,
                    int(match["precision"]) if match["precision"] else None,
                )
            )
        at = match.end()
    return fields


class _Reader:
    """Reads fields from text from left to right."""

    def __init__(self, text: str, options: Options) -> None:
        self.text = text
        self.at = 0
        self.options = options
        self.spaces = set(options.whitespace)
        self.breaks = options.end_of_line
        self.number = records.number_pattern(options.exponents)
        for _ in range(min(options.header_lines, len(text))):
            self.skip_line()

    def skip_line(self) -> None:
        ends = [(self.text.find(mark, self.at), mark) for mark in self.breaks]
        found = min(((at, -len(mark)) for at, mark in ends if at >= 0), default=None)
        self.at = len(self.text) if found is None else found[0] - found[1]

    def line_end(self) -> str | None:
        """Return the line break here, if there is one."""
        return next((m for m in self.breaks if self.text.startswith(m, self.at)), None)

    def at_line_end(self) -> bool:
        self.skip_spaces()
        return self.line_end() is not None

    def skip_spaces(self) -> None:
        while self.at < len(self.text) and self.text[self.at] in self.spaces:
            self.at += 1

    def skip_comment(self) -> bool:
        comments = self.options.comments
        if not comments or not self.text.startswith(comments[0], self.at):
            return False
        if len(comments) > 1:
            end = self.text.find(comments[1], self.at + len(comments[0]))
            self.at = len(self.text) if end < 0 else end + len(comments[1])
        else:
            while self.at < len(self.text) and self.line_end() is None:
                self.at += 1
        return True

    def skip_blank_lines(self) -> None:
        while True:
            self.skip_spaces()
            if self.skip_comment():
                continue
            mark = self.line_end()
            if mark is None:
                return
            self.at += len(mark)

    def delimiter(self) -> str | None:
        return next((d for d in self.options.delimiters if self.text.startswith(d, self.at)), None)

    def pass_delimiter(self) -> None:
        """Move past what separates this field from the next, on the same line or a new one."""
        self.skip_spaces()
        self.skip_comment()
        mark = self.delimiter() or self.line_end()
        while mark:
            self.at += len(mark)
            if not self.options.merge:
                return
            self.skip_spaces()
            mark = self.delimiter()

    def at_field_end(self) -> bool:
        return (
            self.at >= len(self.text) or self.delimiter() is not None or self.line_end() is not None
        )

    def read(self, field: Field) -> complex | str | None:
        """Return the value of a field; None where it does not fit."""
        if field.kind == "c":
            end = self.at + (field.width or 1)
            piece, self.at = self.text[self.at : end], end
            return piece
        self.skip_spaces()
        if field.kind in "sq[CDT":
            return self.read_text(field)
        if field.kind[0] in "xb" and not self.at_field_end():
            return self.read_digits(field)
        for word in self.options.treat_as_empty:
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return self.options.empty_value
        if self.at_field_end():
            # an empty field
            return self.options.empty_value
        stop = len(self.text) if field.width is None else self.at + field.width
        match = self.number.match(self.text, self.at, stop)
        if match is None:
            return None
        digits = match[0]
        if field.precision is not None and "." in digits:
            digits = digits[: digits.index(".") + 1 + field.precision]
        self.at += len(digits)
        found = number(self.plain(digits))
        other = _IMAGINARY.match(self.text, self.at, stop) if field.kind[0] in "fn" else None
        if other is not None:
            self.at = other.end()
            return complex(found, number(other[1]))
        return found

    def plain(self, digits: str) -> str:
        """Return the digits of a number with the usual letter in front of its exponent."""
        mark = digits[1:].strip("0123456789.+-")
        special = len(mark) != 1 or mark in "eEdD"
        return digits if special else digits.replace(mark, "e")

    def read_digits(self, field: Field) -> int | None:
        """Return a number in base 16 or 2, with its prefix or without one."""
        digits, base = ("[0-9a-fA-F]", 16) if field.kind[0] == "x" else ("[01]", 2)
        stop = len(self.text) if field.width is None else self.at + field.width
        pattern = re.compile(f"(?:0[{field.kind[0]}])?({digits}+)", re.IGNORECASE)
        match = pattern.match(self.text, self.at, stop)
        if match is None:
            return None
        self.at = match.end()
        return int(match[1], base)

    def read_text(self, field: Field) -> str:
        start, text = self.at, self.text
        if field.kind == "q" and text.startswith('"', start):
            end = start + 1
            while end < len(text) and not (text[end] == '"' and text[end + 1 : end + 2] != '"'):
                end += 2 if text[end] == '"' else 1
            self.at = end + 1
            return text[start + 1 : end].replace('""', '"')
        accept = character_set(field.text) if field.kind == "[" else None
        stop = len(text) if field.width is None else min(len(text), start + field.width)
        while self.at < stop:
            if accept is not None:
                if not accept(text[self.at]):
                    break
            elif self.at_field_end() or (not self.options.delimiters and text[self.at] in " \t"):
                break
            self.at += 1
        piece = text[start : self.at]
        return piece.rstrip("".join(self.spaces)) if accept is None else piece


def _mismatch(field: Field, row: int, column: int) -> MatlabError:
    kind = "Numeric" if field.kind in CLASSES else "Literal"
    return MatlabError(
        "MATLAB:textscan:handleErrorAndShowInfo",
        "Mismatch between file and format character vector.\n"
        f"Trouble reading '{kind}' field from row number {row}, field number {column}.",
    )


def _columns_of_first_line(reader: _Reader) -> list[Field]:
    """Return a number for each field of the first line."""
    at, column = reader.at, Field("f", "")
    reader.skip_blank_lines()
    count = 0
    while reader.at < len(reader.text) and reader.line_end() is None:
        count += 1
        if reader.read(column) is None:
            break
        reader.skip_spaces()
        mark = reader.delimiter()
        reader.at += len(mark or "")
        reader.skip_spaces()
        if mark is not None and reader.at_field_end() and reader.delimiter() is None:
            break  # a delimiter may end a line
    reader.at = at
    return [column] * max(count, 1)


def _scan(reader: _Reader, fields: list[Field], limit: float) -> records.Columns:
    columns: list[list[Any]] = [[] for field in fields if field.kind != "literal"]
    rounds = tried = 0
    pause = 1
    quick = records.pattern(reader.options, fields) if limit == float("inf") else None
    if quick is not None:
        numbers = records.read_numbers(reader, fields)
        if numbers is not None:
            return numbers
    while rounds < limit:
        if quick is not None and rounds >= tried:
            found = records.read(reader, fields, columns, quick)
            rounds += found
            # what is seldom as the pattern says is looked at less and less often
            pause = 1 if found >= _WORTHWHILE else 2 * pause
            tried = rounds + pause
        reader.skip_blank_lines()
        if reader.at >= len(reader.text):
            break
        column, start = 0, reader.at
        for k, field in enumerate(fields):
            if field.kind == "literal":
                reader.skip_spaces()
                if reader.text.startswith(field.text, reader.at):
                    reader.at += len(field.text)
                continue
            if reader.at >= len(reader.text):
                return columns
            before = reader.at
            value = reader.read(field)
            if value is None:
                if not reader.options.gives_up:
                    raise _mismatch(field, rounds + 1, column + 1)
                reader.at = before
                return columns
            columns[column].append(value)
            column += 1
            missing = fields[k + 1 :]
            if missing and reader.at_line_end() and all(f.kind in CLASSES for f in missing):
                # a line may be short of numbers
                for short in columns[column:]:
                    short.append(reader.options.empty_value)
                break
            if field.kind != "c" and field.width is None:
                reader.pass_delimiter()
        if reader.at == start:  # the format takes nothing of what is left
            break
        rounds += 1
    return columns


def _outputs(
    fields: list[Field], columns: records.Columns, options: Options, interp: Interp
) -> list[Any]:
    made: list[Any] = []
    kinds: list[str] = []
    for field, column in zip([f for f in fields if f.kind != "literal"], columns, strict=True):
        if field.skip:
            continue
        if field.kind in ("C", "D", "T"):
            made.append(_converted(field, column, interp))
            kinds.append(field.kind)
        elif field.kind in "sq[":
            made.append(_texts(column) if options.strings else cell_column(chars(column)))
            kinds.append("text")
        elif field.kind == "c":
            codes = [[ord(char) for char in text] for text in column]
            made.append(CharArray(np.array(codes, dtype=np.uint16, order="F")))
            kinds.append("char")
        else:
            kind = CLASSES[field.kind]
            if field.kind[0] in "xb":
                numbers = np.array([0 if v != v else v for v in column], np.uint64)
            else:
                numbers = np.array(column)
                numbers = numbers if numbers.dtype.kind == "c" else numbers.astype(float)
            made.append(from_numpy(cast_array(numbers.reshape(-1, 1), kind)))
            kinds.append(kind)
    return _collected(made, kinds) if options.collect else made


def _texts(column: Any) -> StringArray:
    found = np.empty((len(column), 1), object)
    found[:, 0] = column
    return StringArray(found)


def _converted(field: Field, column: Any, interp: Interp) -> Any:
    """Texts as dates, as spans, or as categories."""
    name = {"D": "datetime", "T": "duration", "C": "categorical"}[field.kind]
    make = interp.function(name)
    assert make is not None
    form = (char("InputFormat"), char(field.text)) if field.kind in "DT" and field.text else ()
    return make(1, _texts(column), *form)


def _collected(columns: list[Any], kinds: list[str]) -> list[Any]:
    """Neighbouring columns of one class joined."""
    joined: list[Any] = []
    last = ""
    for column, kind in zip(columns, kinds, strict=True):
        if joined and kind == last and size_of(column)[0] == size_of(joined[-1])[0]:
            joined[-1] = horzcat(joined[-1], column)
        else:
            joined.append(column)
        last = kind
    return joined


@builtin(
    "textscan",
    family="files/textscan",
    nargin=(1, None),
    nargout=2,
    needs=("nargout", "interp"),
)
def textscan(source: Any, *args: Any, nargout: int, interp: Interp) -> Any:
    """Read columns from a text file or from text.

    C = textscan(fid, formatSpec) applies the format to each line and returns a cell for each
    conversion: %f %d %u (with sizes such as %d8), %x and %b (base 16 and 2), %s, %q (quoted text),
    %c, %[...], %C (categories), %D and %{FMT}D (dates), %T and %{FMT}T (durations); %* skips.
    Without conversions, '', it has a column for each number of the first line.
    C = textscan(fid, formatSpec, N) does so N times.
    C = textscan(..., name, value) takes 'Delimiter', 'HeaderLines', 'CommentStyle', 'Whitespace',
    'MultipleDelimsAsOne', 'EmptyValue', 'TreatAsEmpty', 'CollectOutput', 'EndOfLine',
    'ExpChars', 'ReturnOnError' (false raises an error at what does not fit) and 'TextType'
    ("string" gives string arrays).
    [C, position] = textscan(...) also returns the place in the file or text where it stopped.

    Examples:
        >> C = textscan(sprintf('a,1\\nb,2\\n'), '%s %f', 'Delimiter', ',');
        >> C{2}
        ans =
             1
             2

    See also: fscanf, sscanf, readmatrix, strsplit.
    """
    error = MatlabError("MATLAB:textscan:BadFormat", "The format must be text.")
    format_, limit = "%f", float("inf")
    if args and (len(args) % 2 or isinstance(args[1], float)):
        format_, args = scalar_text(args[0], error), args[1:]
        if len(args) % 2:
            limit, args = float(args[0]), args[1:]
            limit = float("inf") if limit < 0 else limit
    options = _options(args)
    if not options.delimiters and format_ == "%f":
        options.whitespace = " \b\t,"
    is_text = isinstance(source, CharArray | StringArray)
    if is_text:
        text, start = scalar_text(source, error), 0
    else:
        file = files(interp).get(source)
        start = file.tell()
        text = file.decode(file.read())
    reader = _Reader(text, options)
    fields = _parse_format(format_) if format_.strip() else _columns_of_first_line(reader)
    columns = _scan(reader, fields, limit)
    outputs = _outputs(fields, columns, options, interp)
    stopped = min(reader.at, len(text))
    position = float(stopped)
    if not is_text:
        position = float(start + len(text[:stopped].encode(file.encoding, "replace")))
        file.seek(int(position), os.SEEK_SET)
        file.at_end = stopped >= len(text)
    made = cell_of(outputs)
    return made if nargout < 2 else (made, position)
