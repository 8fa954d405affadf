"""The engine of sscanf and fscanf: reading text under a format."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from typing import Any

from runmat_core.api.tuples import NamedTuple
from runmat_core.builtins.text.decimals import decimals

_CONVERSION = re.compile(
    r"%(?P<skip>\*)?(?P<width>\d+)?(?:\.(?P<precision>\d+))?(?P<size>[hlL]+)?"
    r"(?:(?P<kind>[diuoxXfeEgGsc%])|\[(?P<set>\^?\]?[^\]]*)\])"
)
_SPACE = " \t\n\v\f\r"
#: What a number may hold behind its first character.
_NUMERIC = ".0123456789adefintyADEFINTY"

_INTEGER = re.compile(r"[+-]?\d+")
_FLOAT = re.compile(
    r"[+-]?(?:inf(?:inity)?|nan|(?:\d+\.?\d*|\.\d+)(?:[eEdD][+-]?\d+)?)", re.IGNORECASE
)
_OCTAL = re.compile(r"[+-]?[0-7]+")
_HEX = re.compile(r"[+-]?(?:0[xX])?[0-9A-Fa-f]+")


class Directive(NamedTuple):
    """One step of a format: a conversion, literal text, or white space."""

    kind: str  # conversion letter, "[" for a set, "literal", or "space"
    text: str = ""
    skip: bool = False
    width: int | None = None
    long: bool = False

    @property
    def is_text(self) -> bool:
        return self.kind in "sc["


def parse_format(format_: str) -> list[Directive]:
    """Return the directives of a scanning format."""
    directives = []
    at = 0
    while at < len(format_):
        char = format_[at]
        if char in _SPACE:
            while at < len(format_) and format_[at] in _SPACE:
                at += 1
            directives.append(Directive("space"))
            continue
        match = _CONVERSION.match(format_, at) if char == "%" else None
        if match is None or match["kind"] == "%":
            directives.append(Directive("literal", "%" if match else char))
            at = match.end() if match else at + 1
            continue
        kind = match["kind"] or "["
        directives.append(
            Directive(
                kind.lower() if kind in "XEG" else kind,
                match["set"] or "",
                bool(match["skip"]),
                int(match["width"]) if match["width"] else None,
                "l" in (match["size"] or "") and kind in "diuoxX",
            )
        )
        at = match.end()
    return directives


def character_set(text: str) -> Callable[[str], bool]:
    """Return the test of a set such as ``a-z_`` or ``^,``."""
    negated = text.startswith("^")
    body = text[1:] if negated else text
    members: set[str] = set()
    at = 0
    while at < len(body):
        if at + 2 < len(body) and body[at + 1] == "-":
            members.update(map(chr, range(ord(body[at]), ord(body[at + 2]) + 1)))
            at += 3
        else:
            members.add(body[at])
            at += 1
    return (lambda char: char not in members) if negated else (lambda char: char in members)


def number(text: str) -> float:
    return float(text.lower().replace("d", "e"))


def _integer(text: str) -> float:
    return float(int(text))


def _base(text: str) -> int:
    """Return the base of a number by its prefix."""
    digits = text.lstrip("+-").lower()
    if digits.startswith("0x"):
        return 16
    return 8 if digits.startswith("0") and len(digits) > 1 else 10


def _automatic(text: str) -> float:
    return float(int(text, _base(text)))


def _exactly(text: str, kind: str) -> int:
    """Return a whole number with all its digits."""
    base = _base(text) if kind == "i" else {"o": 8, "x": 16}.get(kind, 10)
    return int(text, base)


_READ: dict[str, tuple[re.Pattern[str], Callable[[str], float]]] = {
    "d": (_INTEGER, _integer),
    "u": (_INTEGER, _integer),
    "i": (re.compile(r"[+-]?(?:0[xX][0-9A-Fa-f]+|0[0-7]*|[1-9]\d*)"), _automatic),
    "o": (_OCTAL, lambda text: float(int(text, 8))),
    "x": (_HEX, lambda text: float(int(text, 16))),
    "f": (_FLOAT, number),
    "e": (_FLOAT, number),
    "g": (_FLOAT, number),
}


class Scan:
    """What a scan found.

    Attributes:
        values: the numbers and texts in the order of the input; an array where they were read
            at once.
        position: the place in the text after what was read.
        count: the number of successful conversions.
        matched: whether the scan ended by running out of input or reaching the limit.
    """

    __slots__ = ("count", "matched", "position", "values")

    def __init__(self, values: Any, position: int, count: int = 0) -> None:
        self.values = values
        self.position = position
        self.count = count
        self.matched = True


def scan(text: str, directives: list[Directive], limit: float, start: int = 0) -> Scan:
    """Read `text` with the directives again and again until it ends or does not fit.

    `limit` is the most numbers and texts to read. Blanks that the format has after the last of them
    are read as well.
    """
    if limit == float("inf") and (quick := _scan_uniform(text, directives, start)):
        return quick
    state = Scan([], start)
    stored = 0.0
    if limit == float("inf"):
        _scan_rounds(text, directives, state)
    converts = any(d.kind not in ("literal", "space") for d in directives)
    while converts and stored < limit:
        before = state.position
        for directive in directives:
            if stored >= limit and directive.kind != "space":
                return state
            found = _step(text, state, directive)
            if found is None:
                return state
            if found != "":
                stored += 1
        if state.position == before:
            return state
    return state


def _scan_uniform(text: str, directives: list[Directive], start: int) -> Scan | None:
    """Return the whole text as numbers between blanks, as fast as Python reads them.

    Return None if not that.

    Also numbers with one mark after each, as in ``%f,``.
    """
    rest = text[start:]
    if len(directives) == 1 and directives[0].kind == "c" and _is_plain(directives[0]):
        return Scan([rest] if rest else [], len(text), len(rest))
    marks = "".join(d.text for d in directives if d.kind == "literal")
    numbers = [d for d in directives if d.kind not in ("literal", "space")]
    reads = {d.kind: _integer if d.kind == "d" else float for d in numbers}
    if not numbers or not reads.keys() <= {"d", "f", "e", "g"} or not all(map(_is_plain, numbers)):
        return None
    # a mark may be such that a number takes it
    one_mark = len(directives) == 2 and directives[1].kind == "literal" and marks not in _NUMERIC
    if "_" in rest or not rest.isascii() or (marks and not one_mark):
        return None
    if "d" not in reads or "." not in rest:
        table = decimals(rest.removesuffix(marks), marks) if marks else decimals(rest, " ", "\n")
        if table is not None:
            return Scan(table.ravel(), len(text), table.size)
    words = rest.split(marks or None)
    if marks and not words[-1].strip(_SPACE):
        del words[-1]
    elif marks and words[-1][-1] in _SPACE:
        return None
    try:
        if len(reads) == 1:
            values: list[float | str] = list(map(reads[numbers[0].kind], words))
        else:
            values = [0.0] * len(words)
            for at, directive in enumerate(numbers):
                values[at :: len(numbers)] = map(reads[directive.kind], words[at :: len(numbers)])
    except ValueError:
        return None
    return Scan(values, len(text), len(values))


def _is_plain(directive: Directive) -> bool:
    return not directive.skip and directive.width is None and not directive.long


#: Numbers that Python's float reads, as patterns that give nothing back.
_ATOMIC = {"d": rf"(?>{_INTEGER.pattern})", "u": rf"(?>{_INTEGER.pattern})"}
_ATOMIC |= dict.fromkeys("feg", rf"(?>(?i:{_FLOAT.pattern}))")
_BLANKS = rf"[{_SPACE}]*+"


def _scan_rounds(text: str, directives: list[Directive], state: Scan) -> None:
    """Read as long as all directives fit, where they are numbers and what stands between them.

    A regular expression that does what `_step` does finds them all at once.
    """
    parts, kept = [], 0
    for directive in directives:
        if directive.kind == "space":
            parts.append(_BLANKS)
        elif directive.kind == "literal":
            parts.append(_BLANKS + re.escape(directive.text))
        elif directive.kind in _ATOMIC and directive.width is None and not directive.long:
            pattern = _ATOMIC[directive.kind]
            parts.append(_BLANKS + (pattern if directive.skip else f"({pattern})"))
            kept += not directive.skip
        else:
            return
    if not kept:
        return
    # what does not fit ends it, with all that follows
    found = re.compile("".join(parts) + "|(.+)", re.DOTALL).findall(text, state.position)
    rest = found.pop()[kept] if found and found[-1][kept] else ""
    words = list(itertools.chain.from_iterable(found))
    del words[kept :: kept + 1]
    try:
        state.values = list(map(float, words))
    except ValueError:  # an exponent with a D
        state.values = list(map(number, words))
    state.position = len(text) - len(rest)
    state.count = len(words)


def _step(text: str, state: Scan, directive: Directive) -> float | str | None:
    """Apply one directive; None ends the scan, '' stores nothing."""
    at = state.position
    if directive.kind != "c" and directive.kind != "[":
        while at < len(text) and text[at] in _SPACE:
            at += 1
        if directive.kind == "space":
            state.position = at
            return ""
    if directive.kind == "literal":
        return _literal(text, state, at, directive.text)
    if at >= len(text):
        state.position = at
        return None
    end, value = _convert(text, at, directive)
    if end == at:
        state.position = at
        state.matched = False
        return None
    state.position = end
    state.count += not directive.skip
    if directive.skip:
        return ""
    state.values.append(value)
    return value


def _literal(text: str, state: Scan, at: int, wanted: str) -> str | None:
    if text.startswith(wanted, at):
        state.position = at + len(wanted)
        return ""
    state.matched = at >= len(text)
    return None


def _convert(text: str, at: int, directive: Directive) -> tuple[int, float | str]:
    """Return the end of what the conversion takes, and its value."""
    stop = len(text) if directive.width is None else min(len(text), at + directive.width)
    if directive.kind == "c":
        end = min(len(text), at + (directive.width or 1))
        return end, text[at:end]
    if directive.kind in "s[":
        accept = (
            character_set(directive.text)
            if directive.kind == "["
            else (lambda char: char not in _SPACE)
        )
        end = at
        while end < stop and accept(text[end]):
            end += 1
        return end, text[at:end]
    pattern, read = _READ[directive.kind]
    match = pattern.match(text, at, stop)
    if match is None:
        return at, 0.0
    value = _exactly(match[0], directive.kind) if directive.long else read(match[0])
    return match.end(), value
