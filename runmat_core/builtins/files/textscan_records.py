"""Records of textscan that are as they should be: a regular expression reads them all at once."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from typing import Any, Protocol

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.builtins.text.decimals import decimals
from runmat_core.builtins.text.scan import number


def number_pattern(exponents: str) -> re.Pattern[str]:
    """Return what a number is, with one of `exponents` in front of its exponent."""
    power = f"(?:[{re.escape(exponents)}][+-]?\\d+)?" if exponents else ""
    return re.compile(
        rf"[+-]?(?:(?i:inf(?:inity)?|nan)|(?:\d+\.?\d*|\.\d+){power})",
    )


NUMBER = number_pattern("eEdD")
CLASSES = {
    "d": "int32", "d8": "int8", "d16": "int16", "d32": "int32", "d64": "int64",
    "u": "uint32", "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64",
    "x": "uint64", "x8": "uint8", "x16": "uint16", "x32": "uint32", "x64": "uint64",
    "b": "uint64", "b8": "uint8", "b16": "uint16", "b32": "uint32", "b64": "uint64",
    "f": "double", "f32": "single", "f64": "double", "n": "double",
}  # fmt: skip


#: The values of each conversion.
Columns = Sequence[Any]


@attrs.frozen
class Field:
    """One conversion of a format."""

    kind: str
    text: str = ""
    skip: bool = False
    width: int | None = None
    precision: int | None = None


@attrs.define
class Options:
    """How fields and lines are told apart."""

    delimiters: list[str] = attrs.field(factory=list)
    whitespace: str = " \b\t"
    header_lines: int = 0
    comments: list[str] = attrs.field(factory=list)
    merge: bool = False
    gives_up: bool = True
    empty_value: float = float("nan")
    treat_as_empty: list[str] = attrs.field(factory=list)
    collect: bool = False
    strings: bool = False
    end_of_line: tuple[str, ...] = ("\r\n", "\n", "\r")
    exponents: str = "eEdD"


class Reader(Protocol):
    """Text, and the place in it."""

    text: str
    at: int
    options: Options


def pattern(options: Options, fields: list[Field]) -> re.Pattern[str] | None:
    """Return what finds one record of numbers and words, or all that follows in its last group.

    It finds what reading field by field finds, of records with all their fields and a line of
    their own, but for the last line where nothing ends it; None where fields or options need more.
    """
    marks = options.delimiters
    if (
        options.merge
        or options.comments
        or options.treat_as_empty
        or any(len(mark) != 1 or mark.isalnum() or mark in '+-.\r\n"' for mark in marks)
        or options.exponents != Options().exponents
        or any(
            f.width is not None or f.precision is not None or f.kind[0] not in "dufns"
            for f in fields
        )
        or not fields
    ):
        return None
    blanks = f"[{re.escape(options.whitespace)}]*+" if options.whitespace else ""
    between = f"[{''.join(map(re.escape, marks))}]" if marks else ""
    end = "|".join(map(re.escape, options.end_of_line))
    # a text ends where the next field or line begins; a number gives nothing back
    stops = "".join(map(re.escape, marks)) if marks else " \\t"
    stops += "".join(re.escape(char) for char in set("".join(options.end_of_line)))
    # a sign behind a number may begin its imaginary part
    numeral, word = f"(?>(?i:{NUMBER.pattern}))(?![+-])", f"[^{stops}]"
    if marks and len(fields) > 1:
        numeral, word = f"{numeral}|", f"{word}*+"
        last = f"{blanks}(?:{between}{blanks})?(?:{end})"
    elif len(fields) > 1:
        word, last = f"{word}++", f"{blanks}(?:{end})"
    else:
        word, last = (
            f"{word}++",
            f"{blanks}(?:{f'{between}|' if marks else ''}{end})" + ("" if marks else "?"),
        )
    record = (blanks + between + blanks).join(
        f"({word if field.kind == 's' else numeral})" for field in fields
    )
    return re.compile(f"(?>(?:{blanks}(?:{end}))*){blanks}{record}{last}|(.+)", re.DOTALL)


def read(
    reader: Reader, fields: list[Field], columns: list[list[Any]], record: re.Pattern[str]
) -> int:
    """Read as many records as there are in a row into `columns`, and move on; their number."""
    found = record.findall(reader.text, reader.at)
    rest = found.pop()[-1] if found and found[-1][-1] else ""
    if not found:
        return 0
    for field, column, words in zip(fields, columns, zip(*found, strict=True), strict=False):
        if field.kind == "s":
            spaces = reader.options.whitespace
            column.extend([word.rstrip(spaces) for word in words])
        else:
            column.extend(_numbers(words, reader.options.empty_value))
    reader.at = len(reader.text) - len(rest)
    return len(found)


#: What NumPy takes for blanks or for a part of a number, and textscan does not.
_FOREIGN = "(_\v\f\x1c\x1d\x1e\x1f"


def read_numbers(reader: Reader, fields: list[Field]) -> Columns | None:
    """All that is left where it is full lines of numbers, read as one; None where it is not."""
    options, count = reader.options, len(fields)
    rest = reader.text[reader.at :]
    if "\r" in rest and "\r\n" in options.end_of_line:
        rest = rest.replace("\r\n", "\n")
    if (
        any(field.kind == "s" for field in fields)
        or len(options.delimiters) > 1
        or "\n" not in options.end_of_line
        or "\r" in rest
        or not rest.isascii()
        or any(char in rest for char in _FOREIGN)
        or any(char in rest for char in " \t" if char not in options.whitespace)
    ):
        return None
    mark = options.delimiters[0] if options.delimiters else None
    if mark is not None and mark.isspace():
        # NumPy would take several for one
        if "," in rest:
            return None
        rest, mark = rest.replace(mark, ","), ","
    table = decimals(rest, mark or " ", "\n")
    if table is not None and table.shape[1] == count:
        reader.at = len(reader.text)
        return list(table.T)
    lines = [line for line in rest.split("\n") if line and not line.isspace()]
    if mark is None:
        full = all(len(line.split()) == count for line in lines)
    else:
        full = all(line.count(mark) == count - 1 for line in lines)
    values = _all_numbers(lines, mark) if full else None
    if values is None or values.size != count * len(lines):
        return None
    reader.at = len(reader.text)
    return list(values.reshape(-1, count).T)


def _all_numbers(lines: list[str], mark: str | None) -> NDArray[np.float64] | None:
    """Return the numbers of lines, fewer or None where something else is among them."""
    text = (mark or " ").join(lines)
    try:
        if mark is not None and (" " in text or "\t" in text):
            # NumPy reads -1 from a field of blanks
            return np.array(list(map(float, text.split(mark))))
        with warnings.catch_warnings():
            # older ones warn of what is no number
            warnings.simplefilter("ignore", DeprecationWarning)
            return np.fromstring(text, sep=mark or " ")
    except ValueError:
        return None


def _numbers(words: tuple[str, ...], empty: float) -> list[float]:
    if "" in words:
        return [number(word) if word else empty for word in words]
    try:
        return list(map(float, words))
    except ValueError:  # an exponent with a D
        return list(map(number, words))
