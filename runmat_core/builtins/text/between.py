"""The parts of text between two marks: extracting, erasing and replacing them."""

from __future__ import annotations

from typing import Any

from runmat_core.api import builtin
from runmat_core.builtins.text.edit import no_text, position_of
from runmat_core.builtins.text.marks import Marker, marker, rewritten
from runmat_core.builtins.text.support import (
    is_char_row,
    map_text,
    row,
    scalar_text,
    string_of,
    text_list,
)
from runmat_core.values import StringArray, char
from runmat_core.values.construct import cell as cell_of


def _bounded(start: Any, end: Any, function: str) -> Marker:
    """What finds the spans strictly between two marks or positions, in the order of a text."""
    first, last = position_of(start, function), position_of(end, function)
    if first is not None and last is not None:
        low, high = first - 1, last
        return lambda text: [(low, high)] if high <= len(text) else []
    error = no_text(function)
    openings = None if first is not None else marker(start, error)
    closings = None if last is not None else marker(end, error)

    def find(text: str) -> list[tuple[int, int]]:
        opened = [(0, (first or 1) - 1)] if openings is None else openings(text)
        closed = [(last or 0, len(text))] if closings is None else closings(text)
        spans: list[tuple[int, int]] = []
        at = 0
        for begins, begin in opened:
            if begins < at:
                continue
            closing = next((place for place in closed if place[0] >= begin), None)
            if closing is None:
                break
            spans.append((begin, closing[0]))
            if openings is None or closings is None:
                break
            at = closing[1]
        return spans

    return find


@builtin("extractBetween", family="text/edit", effects="pure")
def extractBetween(subject: Any, start: Any, end: Any) -> Any:
    """The parts of text between two marks.

    newStr = extractBetween(str, startStr, endStr) returns every part between the marks, one below
    the other. Positions instead of marks are included in the part.

    Examples:
        >> extractBetween("<a><b>", "<", ">")
        ans =
          2×1 string array
            "a"
            "b"

    See also: extractBefore, extractAfter, eraseBetween.
    """
    error = no_text("extractBetween")
    spans = _bounded(start, end, "extractBetween")
    pieces = [text[a:b] for text in text_list(subject, error) for a, b in spans(text)]
    if isinstance(subject, StringArray):
        return string_of(pieces, (len(pieces), 1))
    if isinstance(start, float) and is_char_row(subject):
        return row(pieces[0]) if pieces else char("")
    return cell_of([row(piece) for piece in pieces], (len(pieces), 1))


@builtin("eraseBetween", family="text/edit", effects="pure")
def eraseBetween(subject: Any, start: Any, end: Any) -> Any:
    """Delete the parts of text between two marks.

    newStr = eraseBetween(str, startStr, endStr) keeps the marks themselves.

    Examples:
        >> eraseBetween('f(x)', '(', ')')
        ans =
            'f()'

    See also: extractBetween, replaceBetween.
    """
    return _rewrite_between("eraseBetween", subject, start, end, "")


@builtin("replaceBetween", family="text/edit", effects="pure")
def replaceBetween(subject: Any, start: Any, end: Any, new: Any) -> Any:
    """Replace the parts of text between two marks.

    newStr = replaceBetween(str, startStr, endStr, newText) keeps the marks themselves.

    Examples:
        >> replaceBetween('f(x)', '(', ')', 'y')
        ans =
            'f(y)'

    See also: extractBetween, eraseBetween.
    """
    return _rewrite_between(
        "replaceBetween", subject, start, end, scalar_text(new, no_text("replaceBetween"))
    )


def _rewrite_between(function: str, subject: Any, start: Any, end: Any, new: str) -> Any:
    spans = _bounded(start, end, function)
    return map_text(subject, lambda text: rewritten(text, spans(text), new), no_text(function))
