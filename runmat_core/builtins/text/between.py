"""The parts of text between two marks: extracting, erasing and replacing them."""

from __future__ import annotations

from typing import Any

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import unknown_option
from runmat_core.builtins.text.edit import no_text, position_of
from runmat_core.builtins.text.marks import marker, rewritten
from runmat_core.builtins.text.split import stacked
from runmat_core.builtins.text.support import map_text, option_pairs, scalar_text, text_list
from runmat_core.values import CellArray, CharArray, StringArray, numel_of, to_numpy
from runmat_core.values.pattern import Pattern
from runmat_core.values.string import MISSING


class _Bounds:
    """What finds the spans between two marks or positions, in the order of a text.

    Args:
        inclusive: whether a span contains what bounds it; None: positions yes, marks no.
    """

    def __init__(self, start: Any, end: Any, function: str, inclusive: bool | None) -> None:
        error = no_text(function)
        self.first, self.last = position_of(start, function), position_of(end, function)
        self.openings = None if self.first is not None else marker(start, error)
        self.closings = None if self.last is not None else marker(end, error)
        self.with_start = self.first is not None if inclusive is None else inclusive
        self.with_end = self.last is not None if inclusive is None else inclusive

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return the zero-based starts and ends of what lies between."""
        if self.first is not None and self.last is not None:
            low, high = self._starts(self.first - 1, self.first), self._ends(self.last - 1)
            return [(low, high)] if self.last <= len(text) else []
        if self.openings is not None:
            opened = [(begins, ends, ends) for begins, ends in self.openings(text)]
        else:
            first = self.first or 1
            opened = [(first - 1, first, first - 1)]
        closed = self.closings(text) if self.closings is not None else [(self.last or 0, len(text))]
        found: list[tuple[int, int]] = []
        at = 0
        for begins, ends, after in opened:
            if begins < at:
                continue
            closing = next((place for place in closed if place[0] >= after), None)
            if closing is None:
                break
            begin, end = closing
            if self.closings is None:
                begin, end = begin - 1, begin
            found.append((self._starts(begins, ends), end if self.with_end else begin))
            if self.openings is None or self.closings is None:
                break
            at = closing[1]
        return found

    def _starts(self, begins: int, ends: int) -> int:
        return begins if self.with_start else ends

    def _ends(self, begins: int) -> int:
        return begins + 1 if self.with_end else begins


def _each(
    function: str, subject: Any, start: Any, end: Any, options: tuple[Any, ...]
) -> list[_Bounds]:
    """Return what finds the spans of each text.

    Marks in an array of the texts' size have one each.
    """
    bad = MatlabError(f"MATLAB:{function}:InvalidOption", "Unknown or incomplete option.")
    chosen = option_pairs(options, {"Boundaries": "Boundaries"}, bad).get("Boundaries")
    inclusive = None
    if chosen is not None:
        word = scalar_text(chosen, bad).lower()
        kinds = ("inclusive", "exclusive")
        found = [kind for kind in kinds if word and kind.startswith(word)]
        if len(found) != 1:
            raise unknown_option(word, kinds)
        inclusive = found[0] == "inclusive"
    count = 1 if isinstance(subject, CharArray) else numel_of(subject)
    starts, ends = _one_each(start, count), _one_each(end, count)
    if starts is None and ends is None:
        return [_Bounds(start, end, function, inclusive)] * count
    pairs = zip(starts or [start] * count, ends or [end] * count, strict=True)
    return [_Bounds(a, b, function, inclusive) for a, b in pairs]


def _one_each(mark: Any, count: int) -> list[Any] | None:
    """Return the marks or positions of several texts, where there is one for each."""
    if count < 2 or isinstance(mark, CharArray | Pattern) or numel_of(mark) != count:
        return None
    if isinstance(mark, StringArray):
        return [StringArray(item) for item in mark.data.ravel(order="F")]
    if isinstance(mark, CellArray):
        return mark.items()
    return [float(n) for n in to_numpy(mark).ravel(order="F")]


@builtin("extractBetween", family="text/edit", nargin=(3, 5), effects="pure")
def extractBetween(subject: Any, start: Any, end: Any, *options: Any) -> Any:
    """The parts of text between two marks.

    newStr = extractBetween(str, startStr, endStr) returns every part between the marks, one below
    the other; of a column of texts, beside each other. It is a string array where str is one, else
    a cell array. Marks may be an array with one for each text.
    newStr = extractBetween(str, startPos, endPos) returns the part between two positions, which
    are included.
    newStr = extractBetween(..., 'Boundaries', bounds) with 'inclusive' or 'exclusive' tells whether
    the marks or the characters at the positions are part of it.

    Examples:
        >> extractBetween("<a><b>", "<", ">")
        ans =
          2×1 string array
            "a"
            "b"

    See also: extractBefore, extractAfter, eraseBetween.
    """
    bounds = _each("extractBetween", subject, start, end, options)
    texts = text_list(subject, no_text("extractBetween"))
    parts = [
        [text[a:b] for a, b in one.spans(text)] for one, text in zip(bounds, texts, strict=True)
    ]
    return stacked(subject, parts, None)


@builtin("eraseBetween", family="text/edit", nargin=(3, 5), effects="pure")
def eraseBetween(subject: Any, start: Any, end: Any, *options: Any) -> Any:
    """Delete the parts of text between two marks.

    newStr = eraseBetween(str, startStr, endStr) keeps the marks themselves; of positions, the
    characters there are deleted as well.
    newStr = eraseBetween(..., 'Boundaries', bounds) with 'inclusive' or 'exclusive' says so.

    Examples:
        >> eraseBetween('f(x)', '(', ')')
        ans =
            'f()'

    See also: extractBetween, replaceBetween.
    """
    return _rewrite_between("eraseBetween", subject, start, end, "", options)


@builtin("replaceBetween", family="text/edit", nargin=(4, 6), effects="pure")
def replaceBetween(subject: Any, start: Any, end: Any, new: Any, *options: Any) -> Any:
    """Replace the parts of text between two marks.

    newStr = replaceBetween(str, startStr, endStr, newText) keeps the marks themselves; of
    positions, the characters there are replaced as well.
    newStr = replaceBetween(..., 'Boundaries', bounds) with 'inclusive' or 'exclusive' says so.

    Examples:
        >> replaceBetween('f(x)', '(', ')', 'y')
        ans =
            'f(y)'

    See also: extractBetween, eraseBetween.
    """
    text = scalar_text(new, no_text("replaceBetween"))
    return _rewrite_between("replaceBetween", subject, start, end, text, options)


def _rewrite_between(
    function: str, subject: Any, start: Any, end: Any, new: str, options: tuple[Any, ...]
) -> Any:
    each = _each(function, subject, start, end, options)
    if isinstance(subject, StringArray):
        items = subject.data.ravel(order="F")
        each = [one for one, item in zip(each, items, strict=True) if item is not MISSING]
    bounds = iter(each)
    return map_text(
        subject, lambda text: rewritten(text, next(bounds).spans(text), new), no_text(function)
    )
