"""Fields of text: where each field of each row begins and ends, columns of them, and blanks around.

Fields lie in one array of bytes, and are held as the numbers of their first and last bytes.
"""

from __future__ import annotations

from itertools import pairwise

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.builtins.sheets.content import Content
from runmat_core.builtins.text.decimals import MARGIN

Places = NDArray[np.intp]
Flags = NDArray[np.bool_]

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
        """Return the field of some of the rows."""
        return Column(
            self.content,
            self.starts[rows],
            self.ends[rows],
            None if self.present is None else self.present[rows],
            None if self.quoted is None else self.quoted[rows],
        )

    def trimmed(self, blanks: str, left: bool = True, right: bool = True) -> Column:
        """Return the fields without characters around them.

        Those between quotes stay as they are.
        """
        starts, ends = trim(self.content, self.starts, self.ends, blanks, left, right)
        if self.quoted is not None:
            starts = np.where(self.quoted, self.starts, starts)
            ends = np.where(self.quoted, self.ends, ends)
        return attrs.evolve(self, starts=starts, ends=ends)

    def words(self) -> list[str]:
        """Return the fields as texts; doubled quotes are one, what is not there is empty."""
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
        return self.columns(k, k + 1)

    def columns(self, start: int, stop: int) -> Column:
        """Several fields of each row, those of one number after those of the one before."""
        numbers = np.arange(start, stop)[:, None]
        present = (self.widths > numbers).ravel()
        at = np.where(present, (self.first[:-1] + numbers).ravel(), 0)
        nowhere = np.full(len(at), MARGIN)
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
        """Return some of the rows."""
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
        """Return what is left without some of the fields."""
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
        """Return the fields of one row."""
        return self.table(row, row + 1, blanks)[0]

    def table(self, start: int, stop: int, blanks: str) -> list[list[str]]:
        """Return the fields of some rows."""
        cuts = self.first[start : stop + 1].tolist()
        if len(cuts) < 2:
            return []
        part = slice(cuts[0], cuts[-1])
        quoted = None if self.quoted is None else self.quoted[part]
        column = Column(self.content, self.starts[part], self.ends[part], None, quoted)
        words = column.trimmed(blanks).words()
        spans = pairwise(cuts)
        return [words[low - cuts[0] : high - cuts[0]] for low, high in spans]


def _any(flags: Flags | None) -> Flags | None:
    return flags if flags is not None and flags.any() else None


def _firsts(widths: Places) -> Places:
    return np.concatenate((np.zeros(1, np.intp), np.cumsum(widths)))
