"""Literals: their text as values, values as their text."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator

from runmat_core.syntax.words import NUMBER_OR_ROW

_OCTAVE_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|\n|.)|\"\"", re.DOTALL)
_SIMPLE = {
    "n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "\n": "",
}  # fmt: skip


def fold_escapes(text: str) -> str:
    """Return the characters that an Octave double-quoted literal stands for."""
    return _OCTAVE_ESCAPE.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    code = match[1]
    if code is None:
        return '"'
    if code[0] == "x" and len(code) > 1:
        return chr(int(code[1:], 16))
    if code[0] in "01234567":
        return chr(int(code, 8))
    return _SIMPLE.get(code, code)


def number(text: str) -> float | complex:
    """Return the value of a decimal literal; an imaginary one is complex."""
    if text[-1] in "ij":
        return complex(0.0, _decimal(text[:-1]))
    return _decimal(text)


def number_rows(text: str) -> Iterator[list[re.Match[str]]]:
    """Yield the rows of a matrix of signed numbers: for each element its sign and its digits."""
    row: list[re.Match[str]] = []
    for found in NUMBER_OR_ROW.finditer(text):
        if found[2] is not None:
            row.append(found)
        elif row:
            yield row
            row = []
    if row:
        yield row


def number_table(text: str) -> tuple[tuple[int, int], bytes] | None:
    """Return the size and the doubles of a matrix of signed numbers; None if ragged or not real."""
    rows = [row for line in text.replace(";", "\n").split("\n") if (row := _elements(line))]
    width = len(rows[0])
    if any(len(row) != width for row in rows):
        return None
    try:
        values = array("d", [value for row in rows for value in map(float, row)])
    except ValueError:  # imaginary, or with Fortran's exponent sign
        return None
    return (len(rows), width), values.tobytes()


def _elements(line: str) -> list[str]:
    return line.replace(",", " ").split()


def _decimal(text: str) -> float:
    try:
        return float(text)
    except ValueError:  # Fortran's exponent sign
        return float(text.replace("d", "e").replace("D", "e"))


def integer(text: str) -> tuple[int, str]:
    """Return the value and the class of a hexadecimal or binary literal.

    Without a suffix the class is the smallest unsigned one that holds the value; with a signed
    suffix the digits are the two's complement of the value.
    """
    digits, sign, width = re.fullmatch(
        r"(0[xX][0-9a-fA-F]+?|0[bB][01]+)(?:([usUS])([0-9]+))?", text
    ).groups()  # type: ignore[union-attr]
    value = int(digits, 0)
    if sign is None:
        bits = next((b for b in (8, 16, 32, 64) if value < 1 << b), 64)
        if value >= 1 << 64:
            raise OverflowError(text)
        return value, f"uint{bits}"
    bits = int(width)
    if value >= 1 << bits:
        raise OverflowError(text)
    if sign == "u":
        return value, f"uint{bits}"
    return (value - (1 << bits) if value >= 1 << (bits - 1) else value), f"int{bits}"


def quote_char(value: str) -> str:
    """Return a char literal; one with newlines can be written in the octave dialect only."""
    if "\n" not in value and "\r" not in value:
        return "'" + value.replace("'", "''") + "'"
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + escaped.replace("\n", "\\n").replace("\r", "\\r") + '"'


def quote_string(value: str) -> str:
    """Return a string literal."""
    return '"' + value.replace('"', '""') + '"'
