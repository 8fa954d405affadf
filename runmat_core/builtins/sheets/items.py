"""The fields of one variable before it has a type: spans of a text, or cells of a spreadsheet."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Any, Protocol

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.builtins.sheets import moments, repeats
from runmat_core.builtins.sheets.fields import Column
from runmat_core.builtins.text import decimals
from runmat_core.values.time import civil

Flags = NDArray[np.bool_]
Places = NDArray[np.intp]

#: The day, since 1970, from which spreadsheets count.
_EXCEL_EPOCH = -25569


class Items(Protocol):
    """The fields of one variable."""

    def __len__(self) -> int: ...

    @property
    def empty(self) -> Flags:
        """Which of them hold nothing."""

    def trimmed(self, blanks: str, left: bool = True, right: bool = True) -> Items:
        """Return the fields without characters around them."""

    def words(self, rows: Places) -> list[str]:
        """Return some of them as texts."""

    def distinct(self) -> tuple[list[str], Places]:
        """Their different texts, and the number of the text of each."""

    def numbers(self, point: str) -> tuple[NDArray[np.float64], Flags]:
        """Numbers, and which of them could be read without more ado."""

    def times(self, form: str) -> tuple[NDArray[np.longdouble], Flags] | None:
        """Local times, and which of them could be read without more ado."""

    def equal_to(self, word: str) -> Flags:
        """Which of them are a certain text."""


@attrs.frozen(eq=False)
class TextItems:
    """Fields of a text."""

    column: Column

    def __len__(self) -> int:
        return len(self.column)

    @property
    def empty(self) -> Flags:
        found: Flags = self.column.starts == self.column.ends
        return found

    @property
    def quoted(self) -> Flags | None:
        return self.column.quoted

    def trimmed(self, blanks: str, left: bool = True, right: bool = True) -> TextItems:
        return TextItems(self.column.trimmed(blanks, left, right))

    def unquoted(self, blanks: str) -> TextItems:
        """Return the fields without characters around them, those between quotes as well."""
        if self.column.quoted is None:
            return self
        plain = attrs.evolve(self.column, quoted=None).trimmed(blanks)
        return TextItems(attrs.evolve(plain, quoted=self.column.quoted))

    def with_quotes(self) -> TextItems:
        """Return the fields with the quotes around them."""
        if self.column.quoted is None:
            return self
        grown = self.column.quoted.astype(np.intp)
        starts, ends = self.column.starts - grown, self.column.ends + grown
        return TextItems(attrs.evolve(self.column, starts=starts, ends=ends, quoted=None))

    def words(self, rows: Places) -> list[str]:
        return self.column.at(rows).words()

    def distinct(self) -> tuple[list[str], Places]:
        return repeats.distinct(self.column)

    def numbers(self, point: str) -> tuple[NDArray[np.float64], Flags]:
        return decimals.numbers(
            self.column.content.octets, self.column.starts, self.column.ends, point
        )

    def times(self, form: str) -> tuple[NDArray[np.longdouble], Flags] | None:
        return moments.times(self.column, form)

    def equal_to(self, word: str) -> Flags:
        sought = word.encode()
        found: Flags = self.column.ends - self.column.starts == len(sought)
        if sought:
            rows = np.flatnonzero(found)
            words = self.words(rows)
            found[rows] = [other == word for other in words]
        return found


@attrs.frozen(eq=False)
class CellItems:
    """Cells of a spreadsheet: numbers, logicals, texts, dates, and None for nothing."""

    cells: Sequence[Any]

    def __len__(self) -> int:
        return len(self.cells)

    @property
    def empty(self) -> Flags:
        return np.array([cell is None or cell == "" for cell in self.cells], np.bool_)

    def trimmed(self, blanks: str, left: bool = True, right: bool = True) -> CellItems:
        if left and right:
            cut = str.strip
        elif left or right:
            cut = str.lstrip if left else str.rstrip
        else:
            return self
        return CellItems([cut(c, blanks) if isinstance(c, str) else c for c in self.cells])

    def words(self, rows: Places) -> list[str]:
        return [cell_text(self.cells[k]) for k in rows.tolist()]

    def distinct(self) -> tuple[list[str], Places]:
        numbers: dict[str, int] = {}
        words = map(cell_text, self.cells)
        codes = np.array([numbers.setdefault(word, len(numbers)) for word in words], np.intp)
        return list(numbers), codes

    def numbers(self, point: str) -> tuple[NDArray[np.float64], Flags]:
        found = [cell_number(cell) for cell in self.cells]
        known = np.array([number is not None for number in found], np.bool_)
        return np.array([0.0 if n is None else n for n in found]), known

    def times(self, form: str) -> tuple[NDArray[np.longdouble], Flags] | None:
        found = np.full(len(self), np.nan, np.longdouble)
        for k, cell in enumerate(self.cells):
            serial = cell_number(cell)
            if isinstance(cell, date):
                found[k] = milliseconds(cell)
            elif serial is not None:
                found[k] = np.longdouble(serial + _EXCEL_EPOCH) * civil.DAY
        return found, ~np.isnan(found)

    def equal_to(self, word: str) -> Flags:
        return np.array([cell_text(cell) == word for cell in self.cells], np.bool_)


def milliseconds(moment: date) -> Any:
    """Return a date, or a date with a clock, as milliseconds since 1970."""
    days = np.longdouble(civil.day_of(moment.year, moment.month, moment.day))
    clock = 0.0
    if isinstance(moment, datetime):
        clock = (moment.hour * 60 + moment.minute) * 60_000.0
        clock += moment.second * 1000 + moment.microsecond / 1000
    return days * civil.DAY + clock


def cell_number(cell: Any) -> float | None:
    """Return a cell as a number: dates and clocks in days, as spreadsheets store them."""
    if isinstance(cell, bool | int | float):
        return float(cell)
    if isinstance(cell, date):
        return float(milliseconds(cell) / civil.DAY) - _EXCEL_EPOCH
    span = cell_span(cell)
    return None if span is None else span / civil.DAY


def cell_span(cell: Any) -> float | None:
    """Return a cell with a clock or a span of time as milliseconds."""
    if isinstance(cell, timedelta):
        return cell.total_seconds() * 1000
    if isinstance(cell, time):
        return ((cell.hour * 60 + cell.minute) * 60 + cell.second) * 1000 + cell.microsecond / 1000
    return None


def cell_text(cell: Any) -> str:
    """Return a cell as a text."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float | int):
        return f"{cell:.15g}"
    if isinstance(cell, datetime):
        clock = f" {cell:%H:%M:%S}" if cell.time() != time() else ""
        return f"{cell.day:02d}-{civil.MONTHS[cell.month - 1][:3]}-{cell.year:04d}{clock}"
    return str(cell)
