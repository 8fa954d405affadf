"""Formats of the printf family: escapes, and the split into literal text and conversions."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from runmat_core.api import errors

_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{1,4})|([0-7]{1,3})|(.))", re.DOTALL)
_ESCAPED = {
    "n": "\n",
    "t": "\t",
    "\\": "\\",
    "r": "\r",
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "v": "\v",
    "'": "'",
    '"': '"',
}

_CONVERSION = re.compile(
    r"%(?:(?P<position>\d+)\$)?(?P<flags>[-+ 0#]*)(?P<width>\d+|\*)?"
    r"(?:\.(?P<precision>\d+|\*)?)?(?P<size>[lhbt])?(?P<kind>[diuoxXfFeEgGcsaA])|%%"
)


def unescape(text: str) -> str:
    r"""`text` with ``\n``, ``\t``, ``\\``, ``\x41``, ``\101`` and the like replaced."""
    if "\\" not in text:
        return text

    def replace(match: re.Match[str]) -> str:
        hexadecimal, octal, letter = match.groups()
        if hexadecimal:
            return chr(int(hexadecimal, 16))
        if octal:
            return chr(int(octal, 8))
        return _ESCAPED.get(letter, match.group())

    return _ESCAPE.sub(replace, text)


class Conversion(NamedTuple):
    """One ``%`` conversion.

    Attributes:
        kind: its letter.
        flags: of ``-+ 0#``.
        width: the least width; -1 when it is an argument (``*``).
        precision: -1 when it is an argument, None when there is none.
        size: ``b`` or ``t``, for the bits of a double or a single; else empty.
        position: of the argument it takes, one-based; 0 for the next one.
    """

    kind: str
    flags: str = ""
    width: int | None = None
    precision: int | None = None
    size: str = ""
    position: int = 0

    def spec(self, kind: str, width: int | None, precision: int | None, flags: str) -> str:
        """The Python format of this conversion with another letter."""
        point = "" if precision is None else f".{precision}"
        return f"%{flags}{'' if width is None else width}{point}{kind}"


class Format(NamedTuple):
    """A parsed format.

    Attributes:
        pieces: literal text and conversions in order; literals are unescaped.
        conversions: how many conversions there are.
        template: the same format for Python's ``%`` where every conversion is plain, else None.
        kinds: the letters of the conversions, for the template.
    """

    pieces: tuple[str | Conversion, ...]
    conversions: int
    template: str | None
    kinds: str


def _number(text: str | None) -> int | None:
    return None if text is None else -1 if text == "*" else int(text)


#: Wider conversions are refused before they are carried out.
WIDTH_LIMIT = 10_000_000


def check_width(*extents: int | None) -> None:
    """Refuse a width or precision that would take all memory.

    Raises:
        MatlabError: MATLAB:nomem.
    """
    if any(extent is not None and extent > WIDTH_LIMIT for extent in extents):
        raise errors.out_of_memory()


@lru_cache(maxsize=512)
def parse_format(text: str) -> Format:
    """Parse a format; escapes are processed in its literal text."""
    pieces: list[str | Conversion] = []
    literal, last = "", 0
    for match in _CONVERSION.finditer(text):
        literal += unescape(text[last : match.start()])
        last = match.end()
        if match.group() == "%%":
            literal += "%"
            continue
        if literal:
            pieces.append(literal)
            literal = ""
        precision = match["precision"]
        if precision is None and "." in match.group():
            precision = "0"
        size = match["size"] if match["size"] in ("b", "t") else ""
        pieces.append(
            Conversion(
                match["kind"],
                match["flags"],
                _number(match["width"]),
                _number(precision),
                size,
                int(match["position"] or 0),
            )
        )
    literal += unescape(text[last:])
    if literal:
        pieces.append(literal)
    conversions = [piece for piece in pieces if isinstance(piece, Conversion)]
    for conversion in conversions:
        check_width(conversion.width, conversion.precision)
    return Format(tuple(pieces), len(conversions), _template(pieces, conversions),
                  "".join(c.kind for c in conversions))  # fmt: skip


def _template(pieces: list[str | Conversion], conversions: list[Conversion]) -> str | None:
    for c in conversions:
        if c.position or c.size or c.width == -1 or c.precision == -1 or c.kind not in "difegs":
            return None
    parts = []
    for piece in pieces:
        if isinstance(piece, str):
            parts.append(piece.replace("%", "%%"))
        else:
            kind = "d" if piece.kind == "i" else piece.kind
            parts.append(piece.spec(kind, piece.width, piece.precision, piece.flags))
    return "".join(parts)
