"""Formats of the printf family: escapes, and the split into literal text and conversions."""

from __future__ import annotations

import re
from functools import lru_cache

from runmat_core.api import errors
from runmat_core.api.tuples import NamedTuple

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

#: Literal text, ``%%``, a valid escape, a backslash at the end, or a conversion.
_TOKEN = re.compile(
    r"[^%\\]+|%%|\\(?:x[0-9a-fA-F]{1,4}|[0-7]{1,3}|[ntrabfv\\'\"]|$)"
    r"|%(?:(?P<position>\d+)\$)?(?P<flags>[-+ 0#]*)(?P<width>\d+|\*)?"
    r"(?P<point>\.(?P<precision>\d+|\*)?)?(?P<size>[lhbt])?(?P<kind>[diuoxXfFeEgGcsaA])"
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
        """Return the Python format of this conversion with another letter."""
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
    """Parse a format; escapes are processed in its literal text.

    At an invalid conversion or escape the format ends, as in MATLAB: ``value = %z`` prints
    ``value = ``.
    """
    pieces: list[str | Conversion] = []
    literal, position = "", 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            break
        position = match.end()
        if match["kind"] is None:
            token = match.group()
            literal += "%" if token == "%%" else unescape(token)
            continue
        if literal:
            pieces.append(literal)
            literal = ""
        pieces.append(_conversion(match))
    if literal:
        pieces.append(literal)
    conversions = [piece for piece in pieces if isinstance(piece, Conversion)]
    kinds = "".join(c.kind for c in conversions)
    return Format(tuple(pieces), len(conversions), _template(pieces, conversions), kinds)


def _conversion(match: re.Match[str]) -> Conversion:
    precision = match["precision"]
    if precision is None and match["point"]:
        precision = "0"
    width = _number(match["width"])
    digits = _number(precision)
    check_width(width, digits)
    size = match["size"] if match["size"] in ("b", "t") else ""
    place = int(match["position"] or 0)
    return Conversion(match["kind"], match["flags"], width, digits, size, place)


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
