"""Parts of a sheet by what they are called: ``B2:D4``, ``A:C``, ``2:5``."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import attrs
import numpy as np

from runmat_core.api.errors import MatlabError
from runmat_core.values import is_text, text, to_numpy

_CELL = re.compile(r"\$?([A-Za-z]{1,3})\$?([0-9]+)(?::\$?([A-Za-z]{1,3})\$?([0-9]+))?")
_COLUMNS = re.compile(r"\$?([A-Za-z]{1,3}):\$?([A-Za-z]{1,3})")
_ROWS = re.compile(r"\$?([0-9]+):\$?([0-9]+)")


@attrs.frozen
class Block:
    """Rows and columns from zero; the ends, which are not part of it, may be open."""

    top: int = 0
    left: int = 0
    bottom: int | None = None
    right: int | None = None

    def of(self, rows: list[list[Any]]) -> list[list[Any]]:
        """Return the cells of the block."""
        return [list(row[self.left : self.right]) for row in rows[self.top : self.bottom]]


def block_of(value: Any, named: Callable[[str], str | None] = lambda name: None) -> Block:
    """Return the block that a text, a row, or corners ``[top left bottom right]`` say.

    Args:
        named: gives the range of a name that the file defines.

    Raises:
        MatlabError: MATLAB:spreadsheet:book:invalidRange.
    """
    if isinstance(value, str) or is_text(value):
        return _by_text(value if isinstance(value, str) else text(value), named)
    given = value if isinstance(value, np.ndarray) else to_numpy(value)
    if given.dtype.kind not in "fiub" or not np.isfinite(given).all():
        raise _invalid(str(given.ravel().tolist()))
    corners = [int(k) for k in given.ravel()]
    if len(corners) == 4:
        top, left, bottom, right = corners
        return Block(top - 1, left - 1, bottom, right)
    if len(corners) in (1, 2) and min(corners) > 0:
        return Block(corners[0] - 1, corners[1] - 1 if len(corners) == 2 else 0)
    raise _invalid(str(corners))


def _by_text(said: str, named: Callable[[str], str | None]) -> Block:
    said = said.strip()
    if not said:
        return Block()
    if found := _CELL.fullmatch(said):
        left, top, right, bottom = found.groups()
        begin = int(top) - 1, column(left) - 1
        return Block(*begin, int(bottom), column(right)) if right else Block(*begin)
    if found := _COLUMNS.fullmatch(said):
        return Block(0, column(found[1]) - 1, None, column(found[2]))
    if found := _ROWS.fullmatch(said):
        return Block(int(found[1]) - 1, 0, int(found[2]))
    known = named(said)
    if known is None:
        raise _invalid(said)
    return _by_text(known, lambda name: None)


def _invalid(said: str) -> MatlabError:
    return MatlabError(
        "MATLAB:spreadsheet:book:invalidRange",
        f"'{said}' is no range such as 'A1:C5', and the file has none of that name.",
    )


def column(letters: str) -> int:
    """Return the number of a column by its letters, from one."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def letters(number: int) -> str:
    """Return the letters of a column by its number, from one."""
    found = ""
    while number:
        number, rest = divmod(number - 1, 26)
        found = chr(ord("A") + rest) + found
    return found
