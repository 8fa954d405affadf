"""Text to fields: where each field of each row begins and ends.

Separators are found by arithmetic on all bytes where they are single characters, and by a regular
expression elsewhere; those between quotes are none. Quotes count where they enclose a whole field:
where all do, their number before a separator tells, and else they are looked at one by one. Rules
about repeated, leading and trailing delimiters and about empty lines come afterwards.
"""

from __future__ import annotations

import re

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.api.errors import MatlabError
from runmat_core.builtins.sheets.content import Content, of_bytes, without_comments
from runmat_core.builtins.sheets.fields import LINE_ENDINGS, Dialect, Fields, Flags, Places, trim
from runmat_core.builtins.text.decimals import MARGIN

_QUOTE = 34
_NEWLINE, _RETURN = 10, 13


def fields_of(content: Content, dialect: Dialect, skipped: int = 0) -> Fields:
    """Return the fields of a text from line `skipped` on.

    Raises:
        MatlabError: delimiters or empty lines that the rules do not allow.
    """
    blank_lines: Places | None = None
    if dialect.comments:
        content, blank_lines = without_comments(content, dialect.comments)
    content, begin = line_start(content, skipped, dialect)
    found = (_by_widths if dialect.widths else _cut)(content, begin, dialect)
    found = attrs.evolve(found, lines=found.lines + skipped)
    return _ruled(found, dialect, blank_lines)


def fields_of_rows(content: Content, dialect: Dialect) -> Fields | None:
    """Return the fields of some whole rows of a plain text.

    None where quotes stand otherwise than around fields, as where rows end within quotes.
    """
    if content.has('"'):
        found = _enclosed(content, content.begin, dialect)
    else:
        found = _cut(content, content.begin, dialect)
    return None if found is None else _ruled(found, dialect, None)


def line_start(content: Content, count: int, dialect: Dialect) -> tuple[Content, int]:
    """Where line `count` begins, in a text whose lines end in newlines where they end as usual."""
    if _ends_as_usual(dialect) and _has_lone_return(content):
        content = of_bytes(
            bytes(content.raw[MARGIN : content.end]).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        )
    begin = content.begin
    if count <= 0:
        return content, begin
    pattern = re.compile(_alternatives(dialect.line_endings))
    for passed, match in enumerate(pattern.finditer(content.raw, MARGIN, content.end), 1):
        if passed == count:
            return content, match.end()
    return content, content.end


def _alternatives(words: tuple[str, ...]) -> bytes:
    return b"|".join(re.escape(w.encode()) for w in sorted(words, key=len, reverse=True))


def is_plain(dialect: Dialect) -> bool:
    """Whether single characters separate fields, and newlines end lines."""
    marks = all(len(m) == 1 and m.isascii() and m not in '"\n\r' for m in dialect.delimiters)
    return marks and (dialect.line_endings == ("\n",) or _ends_as_usual(dialect))


def _ends_as_usual(dialect: Dialect) -> bool:
    return set(dialect.line_endings) == set(LINE_ENDINGS)


def _has_lone_return(content: Content) -> bool:
    """Whether a carriage return stands before something else than a newline."""
    raw, limits = content.raw, (content.begin, content.end)
    return content.has("\r") and raw.count(b"\r", *limits) != raw.count(b"\r\n", *limits)


def _cut(content: Content, begin: int, dialect: Dialect) -> Fields:
    """Return the fields of a text from a place on."""
    if not content.has('"'):
        ends, nexts, last = _separators(content, begin, dialect)
        first = _firsts_of(last)
        return Fields(content, _starts(begin, nexts), ends, first, np.arange(len(first) - 1))
    found = _enclosed(content, begin, dialect) if is_plain(dialect) else None
    return found or _doubtful(content, begin, dialect)


def _starts(begin: int, nexts: Places) -> Places:
    """Where fields start, from where those after them do."""
    starts = np.empty_like(nexts)
    if len(nexts):
        starts[0] = begin
        starts[1:] = nexts[:-1]
    return starts


def _firsts_of(last: Flags) -> Places:
    return np.concatenate((np.zeros(1, np.intp), np.flatnonzero(last) + 1))


def _enclosed(content: Content, begin: int, dialect: Dialect) -> Fields | None:
    """Return the fields of a text in which all quotes enclose a field or are doubled; else None."""
    octets = content.octets
    places = content.places("".join(dialect.delimiters) + '\n"')
    if begin > MARGIN:
        places = places[np.searchsorted(places, begin) :]
    codes = octets[places]
    quotes = codes == _QUOTE
    # the number of quotes wraps around, which does not matter to what is odd
    odd = (np.cumsum(quotes.view(np.uint8), dtype=np.uint8) & 1).view(np.bool_)
    opening, closing = np.flatnonzero(quotes & odd), np.flatnonzero(quotes & ~odd)
    if len(opening) != len(closing):
        return None
    before = np.where(opening > 0, places[opening - 1], -1) == places[opening] - 1
    if not (before | (places[opening] == begin)).all():
        return None
    behind = places[closing] + 1
    if _ends_as_usual(dialect) and content.has("\r"):
        behind += octets[behind] == _RETURN
    after = np.append(places, content.end)[closing + 1] == behind
    if not (after | (behind == content.end)).all():
        return None
    kept = ~(quotes | odd)
    ends = places[kept]
    last = codes[kept] == _NEWLINE
    ends, nexts, last = _with_end(
        content, begin, *_trimmed_returns(content, begin, ends, last, dialect)
    )
    starts, first = _starts(begin, nexts), _firsts_of(last)
    lines = np.arange(len(first) - 1)
    breaks = codes == _NEWLINE
    if (breaks & odd).any():
        lines[1:] = _counts(breaks)[kept][first[1:-1] - 1]
    at = _counts(kept)[opening].astype(np.intp)
    return _unquoted(content, starts, ends, first, lines, at, places[opening], places[closing])


def _counts(flags: Flags) -> NDArray[np.int32]:
    """How many of some flags are set up to each of them."""
    found = flags.astype(np.int32)
    return np.cumsum(found, dtype=np.int32, out=found)


def _unquoted(
    content: Content,
    starts: Places,
    ends: Places,
    first: Places,
    lines: Places,
    at: Places,
    opened: Places,
    closed: Places,
) -> Fields:
    """Fields of which some stand between quotes.

    Args:
        at: the field of each pair of quotes; those of a doubled quote are of one field.
    """
    if not len(at):
        return Fields(content, starts, ends, first, lines)
    quoted = np.zeros(len(starts), np.bool_)
    quoted[at] = True
    new = np.flatnonzero(np.diff(at, prepend=-1))
    starts[at[new]] = opened[new] + 1
    ends[at[new]] = closed[np.append(new[1:], len(at)) - 1]
    return Fields(content, starts, ends, first, lines, quoted)


def _doubtful(content: Content, begin: int, dialect: Dialect) -> Fields:
    """Return the fields of a text whose quotes are looked at one by one."""
    ends, nexts, last = _separators(content, begin, dialect)
    quotes = content.places('"')
    quotes = quotes[np.searchsorted(quotes, begin) :]
    opened, closed = _quoted(content, begin, quotes, dialect)
    inside = np.searchsorted(opened, ends) != np.searchsorted(closed, ends)
    if inside.any():
        ends, nexts, last = ends[~inside], nexts[~inside], last[~inside]
    starts, first = _starts(begin, nexts), _firsts_of(last)
    lines = _lines_at(content, starts[first[:-1]], begin, dialect)
    at = np.searchsorted(starts, opened, "right") - 1
    return _unquoted(content, starts, ends, first, lines, at, opened, closed)


def _separators(content: Content, begin: int, dialect: Dialect) -> tuple[Places, Places, Flags]:
    """Where fields end, where the next ones begin, and which of them are the last of a line."""
    if is_plain(dialect):
        ends = content.places("".join(dialect.delimiters) + "\n")
        if begin > MARGIN:
            ends = ends[np.searchsorted(ends, begin) :]
        last = content.octets[ends] == _NEWLINE
        return _with_end(content, begin, *_trimmed_returns(content, begin, ends, last, dialect))
    eol = _alternatives(dialect.line_endings)
    marks = _alternatives(dialect.delimiters) if dialect.delimiters else b"(?!)"
    pattern = re.compile(b"(" + eol + b")|" + marks)
    found = list(pattern.finditer(content.raw, begin, content.end))
    ends = np.array([match.start() for match in found], np.intp)
    nexts = np.array([match.end() for match in found], np.intp)
    return _with_end(content, begin, ends, nexts, np.array([m[1] is not None for m in found], bool))


def _trimmed_returns(
    content: Content, begin: int, ends: Places, last: Flags, dialect: Dialect
) -> tuple[Places, Places, Flags]:
    """End and beginnings of fields around single characters, without returns before newlines."""
    nexts = ends + 1
    if _ends_as_usual(dialect) and content.has("\r"):
        ends = ends - (last & (content.octets[ends - 1] == _RETURN) & (ends > begin))
    return ends, nexts, last


def _with_end(
    content: Content, begin: int, ends: Places, nexts: Places, last: Flags
) -> tuple[Places, Places, Flags]:
    """Separators with one at the end of the text where its last line lacks it."""
    final = int(nexts[-1]) if len(nexts) else begin
    if final < content.end or (len(last) and not last[-1]):
        end = content.end
        return np.append(ends, end), np.append(nexts, end), np.append(last, True)
    return ends, nexts, last


def _lines_at(content: Content, places: Places, begin: int, dialect: Dialect) -> Places:
    """Return the numbers of the lines of a text, from `begin` on, in which places are."""
    if is_plain(dialect):
        breaks = content.places("\n")
        return np.searchsorted(breaks, places) - np.searchsorted(breaks, begin)
    pattern = re.compile(_alternatives(dialect.line_endings))
    found = [match.start() for match in pattern.finditer(content.raw, begin, content.end)]
    return np.searchsorted(np.array(found, np.intp), places)


def _quoted(
    content: Content, begin: int, quotes: Places, dialect: Dialect
) -> tuple[Places, Places]:
    """Return the quotes around fields that stand between quotes; others mean nothing."""
    eol = _alternatives(dialect.line_endings)
    marks = _alternatives(dialect.delimiters) if dialect.delimiters else b"(?!)"
    separators = b"|".join((marks, eol))
    gap = b"[" + re.escape(dialect.blanks.encode()) + b"]*+" if dialect.blanks else b""
    field = re.compile(rb'"(?:[^"]|"")*+"(?=' + gap + b"(?:" + separators + rb"|\Z))")
    before = re.compile(b"(?:" + separators + b")" + gap + rb"\Z")
    widest = max(map(len, (*dialect.delimiters, *dialect.line_endings)), default=1)
    raw, stop = content.raw, content.end
    blanks = dialect.blanks.encode()
    opened: list[int] = []
    closed: list[int] = []
    passed = begin
    for place in quotes.tolist():
        if place < passed:
            continue
        edge = place
        while edge > passed and raw[edge - 1] in blanks:
            edge -= 1
        if edge > begin and not before.search(raw, max(edge - widest, begin), place):
            continue
        match = field.match(raw, place, stop)
        if match is not None:
            opened.append(place)
            closed.append(match.end() - 1)
            passed = match.end()
    return np.array(opened, np.intp), np.array(closed, np.intp)


def _by_widths(content: Content, begin: int, dialect: Dialect) -> Fields:
    """Return the fields of lines that are cut after so many characters each."""
    lines = _cut(content, begin, attrs.evolve(dialect, delimiters=()))
    starts, ends = lines.starts, lines.ends
    if lines.quoted is not None:  # quotes mean nothing here
        starts, ends = starts - lines.quoted, ends + lines.quoted
    cuts = np.concatenate(([0], np.cumsum(dialect.widths)))
    if content.ascii:
        found = np.minimum(starts[:, None] + cuts, ends[:, None])
    else:
        heads = np.flatnonzero((content.octets & 0xC0) != 0x80)
        found = heads[np.minimum(np.searchsorted(heads, starts)[:, None] + cuts, len(heads) - 1)]
        found = np.minimum(found, ends[:, None])
    count = len(dialect.widths)
    first = np.arange(len(starts) + 1, dtype=np.intp) * count
    return Fields(content, found[:, :-1].ravel(), found[:, 1:].ravel(), first, lines.lines)


# -- rules ---------------------------------------------------------------------------------------


def _ruled(found: Fields, dialect: Dialect, blank_lines: Places | None) -> Fields:
    """Return what the rules about delimiters and empty lines leave."""
    found = _empty_lines(found, dialect, blank_lines)
    if dialect.widths or not found.height:
        return found
    if dialect.consecutive != "split":
        inner = _empty(found)
        inner[found.first[:-1]] = False
        inner[found.first[1:] - 1] = False
        if dialect.consecutive == "error":
            _refuse(inner, "ConsecutiveDelimiters", "consecutive delimiters")
        found = found.without(inner)
    several = found.widths > 1
    if dialect.leading != "keep":
        at = found.first[:-1][several]
        head = np.zeros(len(found.starts), np.bool_)
        head[at] = _empty(found, at)
        if dialect.leading == "error":
            _refuse(head, "LeadingDelimiters", "leading delimiters")
        found = found.without(head)
    if dialect.trailing != "keep":
        at = found.first[1:] - 1
        at = at[_empty(found, at) & (found.widths > 1)]
        if not len(at):
            return found
        tail = np.zeros(len(found.starts), np.bool_)
        tail[at] = True
        if dialect.trailing == "error":
            _refuse(tail, "TrailingDelimiters", "trailing delimiters")
        # a field that others have is only missing
        whole = found.widths == found.width
        if dialect.trailing == "ignore" and not tail[found.first[1:][whole] - 1].all():
            return found
        found = found.without(tail)
    return found


def _empty(found: Fields, at: Places | slice = slice(None)) -> Flags:
    """Which fields hold nothing and have no quotes."""
    empty: Flags = found.starts[at] == found.ends[at]
    return empty if found.quoted is None else empty & ~found.quoted[at]


def _refuse(wrong: Flags, name: str, what: str) -> None:
    if wrong.any():
        raise MatlabError(f"MATLAB:textio:io:{name}", f"The file has {what}.")


def _empty_lines(found: Fields, dialect: Dialect, blank_lines: Places | None) -> Fields:
    """Return the rows that count: lines that are empty go, or stand for rows without anything."""
    alone = found.widths == 1
    if dialect.widths:
        alone = np.ones(found.height, np.bool_)
    if not alone.any():
        return found
    at = np.flatnonzero(alone)
    starts, ends = found.starts[found.first[:-1][at]], found.ends[found.first[1:][at] - 1]
    starts, ends = trim(found.content, starts, ends, dialect.whitespace + " \t\v\f")
    nothing = starts == ends
    if found.quoted is not None:
        nothing &= ~found.quoted[found.first[:-1][at]]
    at = at[nothing]
    if blank_lines is not None and dialect.empty_lines != "skip":
        commented = np.isin(found.lines[at], blank_lines)
        kept = np.ones(found.height, np.bool_)
        kept[at[commented]] = False
        return _empty_lines(found.rows(kept), dialect, None)
    if dialect.empty_lines == "error" and len(at):
        raise MatlabError(
            "MATLAB:textio:io:EmptyLine", f"Line {int(found.lines[at[0]]) + 1} is empty."
        )
    if dialect.empty_lines == "read" or not len(at):
        return found
    kept = np.ones(found.height, np.bool_)
    kept[at] = False
    return found.rows(kept)
