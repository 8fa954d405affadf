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
from runmat_core.builtins.text.decimals import MARGIN

Places = NDArray[np.intp]
Flags = NDArray[np.bool_]

_QUOTE = 34
_NEWLINE, _RETURN = 10, 13
LINE_ENDINGS = ("\n", "\r", "\r\n")


@attrs.frozen
class Dialect:
    """How rows and fields are told apart.

    Attributes:
        delimiters: what separates fields; none where `widths` cut the lines.
        whitespace: characters around fields that are no part of them.
        comments: what begins a comment, and what ends it if not the end of the line.
        consecutive: whether repeated delimiters are one: ``split``, ``join`` or ``error``.
        leading: whether a row may begin with one: ``keep``, ``ignore`` or ``error``.
        trailing: whether a row may end with one.
        empty_lines: ``skip``, ``read`` or ``error``.
        widths: how many characters each field takes.
    """

    delimiters: tuple[str, ...] = (",",)
    whitespace: str = "\b\t "
    line_endings: tuple[str, ...] = LINE_ENDINGS
    comments: tuple[str, ...] = ()
    consecutive: str = "split"
    leading: str = "keep"
    trailing: str = "ignore"
    empty_lines: str = "skip"
    widths: tuple[int, ...] = ()

    @property
    def blanks(self) -> str:
        """The whitespace that is no delimiter."""
        return "".join(c for c in self.whitespace if c not in self.delimiters)


@attrs.frozen(eq=False)
class Column:
    """One field of each row.

    Attributes:
        starts: where they begin in the bytes of `content`; quotes around them are left out.
        present: which rows have the field; None where all do.
        quoted: which fields stood between quotes; None where none did.
    """

    content: Content
    starts: Places
    ends: Places
    present: Flags | None = None
    quoted: Flags | None = None

    def __len__(self) -> int:
        return len(self.starts)

    def at(self, rows: Places | slice) -> Column:
        """The field of some of the rows."""
        return Column(
            self.content,
            self.starts[rows],
            self.ends[rows],
            None if self.present is None else self.present[rows],
            None if self.quoted is None else self.quoted[rows],
        )

    def trimmed(self, blanks: str, left: bool = True, right: bool = True) -> Column:
        """The fields without characters around them; those between quotes stay as they are."""
        starts, ends = trim(self.content, self.starts, self.ends, blanks, left, right)
        if self.quoted is not None:
            starts = np.where(self.quoted, self.starts, starts)
            ends = np.where(self.quoted, self.ends, ends)
        return attrs.evolve(self, starts=starts, ends=ends)

    def words(self) -> list[str]:
        """The fields as texts; doubled quotes are one, what is not there is empty."""
        spans = zip(self.starts.tolist(), self.ends.tolist(), strict=True)
        content = self.content
        if content.ascii and len(self) * 8 > content.octets.size >> 4:
            whole = content.raw.decode("ascii")
            found = [whole[a:b] for a, b in spans]
        else:
            view = memoryview(content.raw)
            found = [str(view[a:b], "utf-8", "replace") for a, b in spans]
        if self.quoted is not None:
            for k in np.flatnonzero(self.quoted).tolist():
                if '"' in found[k]:
                    found[k] = found[k].replace('""', '"')
        return found


def trim(
    content: Content,
    starts: Places,
    ends: Places,
    blanks: str,
    left: bool = True,
    right: bool = True,
) -> tuple[Places, Places]:
    """Spans without the blanks at their ends."""
    if not blanks or not len(starts):
        return starts, ends
    if not any(content.has(c) for c in blanks):
        return starts, ends
    codes = [ord(c) for c in blanks if ord(c) < 128]
    table = np.zeros(256, np.bool_)
    table[codes] = True
    octets = content.octets
    if left:
        starts = _trimmed(table, max(codes), octets, starts, ends, 1)
    if right:
        ends = _trimmed(table, max(codes), octets, ends, starts, -1)
    return starts, ends


def _trimmed(
    table: Flags, high: int, octets: NDArray[np.uint8], moved: Places, bound: Places, step: int
) -> Places:
    """Places moved over blanks, none of which has a code above `high`, up to a bound."""
    offset = 0 if step > 0 else -1
    # next to nothing but blanks has a low code
    active = np.flatnonzero((octets[moved] if step > 0 else octets[moved - 1]) <= high)
    active = active[table[octets[moved[active] + offset]] & (moved[active] != bound[active])]
    if not len(active):
        return moved
    moved = moved.copy()
    size = 1
    while len(active):
        # longer runs of blanks are passed in longer strides
        for k in range(size):
            if not len(active):
                break
            moved[active] += step
            at = moved[active]
            active = active[table[octets[at + offset]] & (at != bound[active])]
            if k > 64:
                return _trimmed_singly(table, octets, moved, bound, step, active)
        size *= 2
    return moved


def _trimmed_singly(
    table: Flags,
    octets: NDArray[np.uint8],
    moved: Places,
    bound: Places,
    step: int,
    active: Places,
) -> Places:
    for k in active.tolist():
        low, high = sorted((int(moved[k]), int(bound[k])))
        solid = ~table[octets[low:high]]
        if not solid.any():
            moved[k] = bound[k]
        elif step > 0:
            moved[k] = low + int(solid.argmax())
        else:
            moved[k] = high - int(solid[::-1].argmax())
    return moved


@attrs.frozen(eq=False)
class Fields:
    """All fields of a text.

    Attributes:
        first: the number of the first field of each row, and the number of all fields.
        lines: the line of the text, from zero, on which each row begins.
        quoted: which fields stood between quotes; None where none did.
    """

    content: Content
    starts: Places
    ends: Places
    first: Places
    lines: Places
    quoted: Flags | None = None

    @property
    def height(self) -> int:
        return len(self.lines)

    @property
    def widths(self) -> Places:
        """How many fields each row has."""
        return np.diff(self.first)

    @property
    def width(self) -> int:
        return int(self.widths.max()) if self.height else 0

    def column(self, k: int) -> Column:
        """Field `k` of each row."""
        count = self.height
        widths = self.widths
        if count and k < int(widths.min()):
            at = self.first[:-1] + k
            if len(self.starts) == count * int(widths[0]) and (widths == widths[0]).all():
                step = int(widths[0])
                spans = self.starts[k::step], self.ends[k::step]
                quoted = None if self.quoted is None else self.quoted[k::step]
                return Column(self.content, *spans, None, _any(quoted))
            quoted = None if self.quoted is None else self.quoted[at]
            return Column(self.content, self.starts[at], self.ends[at], None, _any(quoted))
        present = widths > k
        at = np.where(present, self.first[:-1] + k, 0)
        nowhere = np.full(count, MARGIN)
        if not len(self.starts):
            return Column(self.content, nowhere, nowhere.copy(), present, None)
        starts = np.where(present, self.starts[at], nowhere)
        ends = np.where(present, self.ends[at], nowhere)
        quoted = None if self.quoted is None else self.quoted[at] & present
        return Column(self.content, starts, ends, present, _any(quoted))

    def filled(self, width: int) -> Column:
        """All fields, row after row; those that a row lacks are empty."""
        if width * self.height == len(self.starts):
            return Column(self.content, self.starts, self.ends, None, self.quoted)
        there = np.arange(width) < self.widths[:, None]
        starts = np.full(there.shape, MARGIN)
        starts[there] = self.starts
        ends = np.full(there.shape, MARGIN)
        ends[there] = self.ends
        made = Column(self.content, starts.ravel(), ends.ravel())
        if self.quoted is None:
            return made
        quoted = np.zeros(there.shape, np.bool_)
        quoted[there] = self.quoted
        return attrs.evolve(made, quoted=quoted.ravel())

    def rows(self, chosen: Flags) -> Fields:
        """Some of the rows."""
        if chosen.all():
            return self
        widths = self.widths
        kept = np.repeat(chosen, widths)
        return Fields(
            self.content,
            self.starts[kept],
            self.ends[kept],
            _firsts(widths[chosen]),
            self.lines[chosen],
            None if self.quoted is None else self.quoted[kept],
        )

    def without(self, dropped: Flags) -> Fields:
        """What is left without some of the fields."""
        if not dropped.any():
            return self
        kept = ~dropped
        counts = np.concatenate(([0], np.cumsum(kept)))
        return Fields(
            self.content,
            self.starts[kept],
            self.ends[kept],
            counts[self.first],
            self.lines,
            None if self.quoted is None else self.quoted[kept],
        )

    def texts(self, row: int, blanks: str) -> list[str]:
        """The fields of one row."""
        part = slice(int(self.first[row]), int(self.first[row + 1]))
        quoted = None if self.quoted is None else self.quoted[part]
        column = Column(self.content, self.starts[part], self.ends[part], None, quoted)
        return column.trimmed(blanks).words()


def _any(flags: Flags | None) -> Flags | None:
    return flags if flags is not None and flags.any() else None


def _firsts(widths: Places) -> Places:
    return np.concatenate((np.zeros(1, np.intp), np.cumsum(widths)))


# -- cutting -------------------------------------------------------------------------------------


def fields_of(content: Content, dialect: Dialect, skipped: int = 0) -> Fields:
    """The fields of a text from line `skipped` on.

    Raises:
        MatlabError: delimiters or empty lines that the rules do not allow.
    """
    blank_lines: Places | None = None
    if dialect.comments:
        content, blank_lines = without_comments(content, dialect.comments)
    content, begin = _past(content, skipped, dialect)
    found = (_by_widths if dialect.widths else _cut)(content, begin, dialect)
    found = attrs.evolve(found, lines=found.lines + skipped)
    return _ruled(found, dialect, blank_lines)


def _past(content: Content, count: int, dialect: Dialect) -> tuple[Content, int]:
    """Where line `count` begins, in a text whose lines end in newlines where they end as usual."""
    if set(dialect.line_endings) == set(LINE_ENDINGS) and content.has("\r"):
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


def _is_plain(dialect: Dialect) -> bool:
    """Whether single characters separate fields, and newlines end lines."""
    marks = all(len(m) == 1 and m.isascii() and m not in '"\n\r' for m in dialect.delimiters)
    return marks and dialect.line_endings in (("\n",), LINE_ENDINGS)


def _cut(content: Content, begin: int, dialect: Dialect) -> Fields:
    """The fields of a text from a place on."""
    ends, nexts, last = _separators(content, begin, dialect)
    spans = None
    if content.has('"'):
        quotes = content.places('"')
        quotes = quotes[np.searchsorted(quotes, begin) :]
        if _is_plain(dialect) and _enclosing(quotes, ends, begin):
            spans = quotes[::2], quotes[1::2]
        else:
            spans = _quoted(content, begin, quotes, dialect)
        inside = np.searchsorted(spans[0], ends) != np.searchsorted(spans[1], ends)
        if inside.any():
            ends, nexts, last = ends[~inside], nexts[~inside], last[~inside]
    starts = np.empty_like(ends)
    if len(ends):
        starts[0] = begin
        starts[1:] = nexts[:-1]
    first = np.concatenate((np.zeros(1, np.intp), np.flatnonzero(last) + 1))
    if spans is None or not len(spans[0]):
        return Fields(content, starts, ends, first, np.arange(len(first) - 1))
    lines = _lines_at(content, starts[first[:-1]], begin, dialect)
    # the spans of doubled quotes within a field are one
    at = np.searchsorted(starts, spans[0], "right") - 1
    quoted = np.zeros(len(starts), np.bool_)
    quoted[at] = True
    new = np.flatnonzero(np.diff(at, prepend=-1))
    starts[at[new]] = spans[0][new] + 1
    ends[at[new]] = spans[1][np.append(new[1:], len(at)) - 1]
    return Fields(content, starts, ends, first, lines, quoted)


def _separators(content: Content, begin: int, dialect: Dialect) -> tuple[Places, Places, Flags]:
    """Where fields end, where the next ones begin, and which of them are the last of a line."""
    octets = content.octets
    if _is_plain(dialect):
        ends = content.places("".join(dialect.delimiters) + "\n")
        if begin > MARGIN:
            ends = ends[np.searchsorted(ends, begin) :]
        last = octets[ends] == _NEWLINE
        nexts = ends + 1
    else:
        eol = _alternatives(dialect.line_endings)
        marks = _alternatives(dialect.delimiters) if dialect.delimiters else b"(?!)"
        pattern = re.compile(b"(" + eol + b")|" + marks)
        found = list(pattern.finditer(content.raw, begin, content.end))
        ends = np.array([match.start() for match in found], np.intp)
        nexts = np.array([match.end() for match in found], np.intp)
        last = np.array([match[1] is not None for match in found], np.bool_)
    # the last line may lack its end
    final = int(nexts[-1]) if len(nexts) else begin
    if final < content.end or (len(last) and not last[-1]):
        ends, nexts = np.append(ends, content.end), np.append(nexts, content.end)
        last = np.append(last, True)
    return ends, nexts, last


def _lines_at(content: Content, places: Places, begin: int, dialect: Dialect) -> Places:
    """The numbers of the lines of a text, from `begin` on, in which places are."""
    if _is_plain(dialect):
        breaks = content.places("\n")
        return np.searchsorted(breaks, places) - np.searchsorted(breaks, begin)
    pattern = re.compile(_alternatives(dialect.line_endings))
    found = [match.start() for match in pattern.finditer(content.raw, begin, content.end)]
    return np.searchsorted(np.array(found, np.intp), places)


def _enclosing(quotes: Places, ends: Places, begin: int) -> bool:
    """Whether all quotes enclose a field, or are doubled within one."""
    if len(quotes) % 2:
        return False
    if not len(quotes):
        return True
    opening, closing = quotes[::2], quotes[1::2]
    doubled = np.zeros(len(opening), np.bool_)
    doubled[1:] = opening[1:] == closing[:-1] + 1
    at = np.searchsorted(ends, opening - 1)
    after = (at < len(ends)) & (ends[np.minimum(at, len(ends) - 1)] == opening - 1)
    if not (doubled | after | (opening == begin)).all():
        return False
    at = np.searchsorted(ends, closing + 1)
    before = (at < len(ends)) & (ends[np.minimum(at, len(ends) - 1)] == closing + 1)
    followed = np.append(doubled[1:], False)
    return bool((followed | before).all())


def _quoted(
    content: Content, begin: int, quotes: Places, dialect: Dialect
) -> tuple[Places, Places]:
    """The quotes around fields that stand between quotes; others mean nothing."""
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
    """The fields of lines that are cut after so many characters each."""
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
    """What the rules about delimiters and empty lines leave."""
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
    """The rows that count: lines that are empty go, or stand for rows without anything."""
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
