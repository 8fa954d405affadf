"""Replacing, erasing, inserting and extracting parts of text."""

from __future__ import annotations

from typing import Any

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.text.support import (
    elements,
    is_char_row,
    map_text,
    maybe_text,
    row,
    scalar_text,
    string_of,
    text_list,
    whole_number,
)
from runmat_core.values import MISSING, CellArray, CharArray, StringArray, char
from runmat_core.values.cell import object_array
from runmat_core.values.construct import cell as cell_of


def _error(function: str) -> MatlabError:
    return MatlabError(
        f"MATLAB:{function}:InvalidInput",
        "Inputs must be text: string arrays, character vectors, or cell arrays of character "
        "vectors.",
    )


@builtin("strrep", family="text/edit", effects="pure")
def strrep(subject: Any, old: Any, new: Any) -> Any:
    """Find and replace text.

    newStr = strrep(str, old, new) replaces every occurrence of old. Inputs may be cell arrays of
    equal size. Occurrences that overlap are all replaced.

    Examples:
        >> strrep('a-b-c', '-', '+')
        ans =
            'a+b+c'
        >> strrep({'one', 'none'}, 'one', '1')
        ans =
          1×2 cell array
            {'1'}    {'n1'}

    See also: replace, regexprep, strfind, erase.
    """
    error = MatlabError(
        "MATLAB:strrep:InvalidInputType",
        "Inputs must be character vectors, strings, or cell arrays of character vectors.",
    )
    olds, news = text_list(old, error), text_list(new, error)
    if len(olds) == 1 and len(news) == 1:
        before, after = olds[0], news[0]
        return map_text(subject, lambda s: _replace_all(s, before, after), error)
    subjects = text_list(subject, error)
    count = max(len(subjects), len(olds), len(news))
    if any(len(texts) not in (1, count) for texts in (subjects, olds, news)):
        raise MatlabError(
            "MATLAB:strrep:MultiRowInputs", "Inputs must be the same size or scalars."
        )
    subjects, olds, news = (
        texts * count if len(texts) == 1 else texts for texts in (subjects, olds, news)
    )
    results = [_replace_all(*triple) for triple in zip(subjects, olds, news, strict=True)]
    arrays = [v for v in (subject, old, new) if isinstance(v, CellArray | StringArray)]
    shape = next((v.data.shape for v in arrays if v.data.size == count), (1, count))
    if any(isinstance(v, StringArray) for v in arrays):
        return string_of(results, shape)
    return cell_of([row(text) for text in results], shape)


def _replace_all(text: str, old: str, new: str) -> str:
    """Replace every occurrence, those that overlap too: ``strrep('aaa','aa','b')`` is 'bb'."""
    if not old or old not in text:
        return text
    if old[:1] not in old[1:]:
        return text.replace(old, new)
    starts, at = [], text.find(old)
    while at >= 0:
        starts.append(at)
        at = text.find(old, at + 1)
    pieces, last = [], 0
    for start in starts:
        pieces += [text[last:start], new]
        last = start + len(old)
    return "".join([*pieces, text[last:]])


@builtin("replace", family="text/edit", effects="pure")
def replace(subject: Any, old: Any, new: Any) -> Any:
    """Find and replace text, several at once.

    newStr = replace(str, old, new) replaces the texts in old by those in new, or by the one in
    new, in a single pass from left to right.

    Examples:
        >> replace("a cat", ["a" "cat"], ["the" "dog"])
        ans =
            "the dog"

    See also: strrep, regexprep, erase.
    """
    error = _error("replace")
    olds, news = text_list(old, error), text_list(new, error)
    if len(news) == 1:
        news = news * len(olds)
    if len(olds) != len(news):
        raise MatlabError(
            "MATLAB:replace:SizeMismatch",
            "The number of replacements must be one or the number of texts to replace.",
        )
    table = list(zip(olds, news, strict=True))
    return map_text(subject, lambda s: _replace_first_match(s, table), error)


def _replace_first_match(text: str, table: list[tuple[str, str]]) -> str:
    pieces, at = [], 0
    while at < len(text):
        # where several fit, the longest wins
        fits = [pair for pair in table if pair[0] and text.startswith(pair[0], at)]
        if fits:
            old, new = max(fits, key=lambda pair: len(pair[0]))
            pieces.append(new)
            at += len(old)
        else:
            pieces.append(text[at])
            at += 1
    return "".join(pieces)


@builtin("erase", family="text/edit", effects="pure")
def erase(subject: Any, pattern: Any) -> Any:
    """Delete parts of text.

    newStr = erase(str, match) deletes every occurrence of the texts in match.

    Examples:
        >> erase('a, b, c', ',')
        ans =
            'a b c'

    See also: replace, strrep, eraseBetween.
    """
    error = _error("erase")
    table = [(old, "") for old in text_list(pattern, error)]
    return map_text(subject, lambda s: _replace_first_match(s, table), error)


def _position(value: Any, function: str) -> int | None:
    """A numeric position, or None when `value` is text."""
    if isinstance(value, CharArray | StringArray | CellArray):
        return None
    error = MatlabError(
        f"MATLAB:{function}:InvalidPosition", "Positions must be positive integers."
    )
    position = whole_number(value, error)
    if not position:
        raise error
    return position


def _extract(function: str, subject: Any, boundary: Any, *, before: bool) -> Any:
    error = _error(function)
    position = _position(boundary, function)
    if isinstance(subject, CharArray | CellArray):
        return _extract_chars(subject, boundary, position, before, error)
    if not isinstance(subject, StringArray):
        raise error
    marks = [""] * subject.data.size if position is not None else text_list(boundary, error)
    if len(marks) == 1:
        marks = marks * subject.data.size
    if len(marks) != subject.data.size:
        raise error
    pieces: list[Any] = []
    for item, mark in zip(elements(subject), marks, strict=True):
        piece = _cut(item, mark, position, before) if isinstance(item, str) else None
        pieces.append(MISSING if piece is None else piece)
    return StringArray(object_array(pieces, subject.data.shape))


def _extract_chars(
    subject: Any, boundary: Any, position: int | None, before: bool, error: MatlabError
) -> Any:
    mark = "" if position is not None else scalar_text(boundary, error)

    def edit(text: str) -> str:
        piece = _cut(text, mark, position, before)
        return "" if piece is None else piece

    return map_text(subject, edit, error)


def _cut(text: str, mark: str, position: int | None, before: bool) -> str | None:
    """The part before or after a mark; None where the text does not have it."""
    if position is not None:
        if position > len(text):
            raise MatlabError(
                "MATLAB:string:PositionOutOfRange",
                "Numeric value exceeds the number of characters in element 1.",
            )
        return text[: position - 1] if before else text[position:]
    at = text.find(mark)
    if at < 0:
        return None
    return text[:at] if before else text[at + len(mark) :]


@builtin("extractBefore", family="text/edit", effects="pure")
def extractBefore(subject: Any, boundary: Any) -> Any:
    """The text before a mark.

    newStr = extractBefore(str, endStr) ends before the first occurrence of endStr; a string
    without it gives missing, a char vector ''.
    newStr = extractBefore(str, endPos) ends before a position.

    Examples:
        >> extractBefore('key=value', '=')
        ans =
            'key'

    See also: extractAfter, extractBetween.
    """
    return _extract("extractBefore", subject, boundary, before=True)


@builtin("extractAfter", family="text/edit", effects="pure")
def extractAfter(subject: Any, boundary: Any) -> Any:
    """The text after a mark.

    newStr = extractAfter(str, startStr) begins after the first occurrence of startStr; a string
    without it gives missing, a char vector ''.
    newStr = extractAfter(str, startPos) begins after a position.

    Examples:
        >> extractAfter("key=value", "=")
        ans =
            "value"

    See also: extractBefore, extractBetween.
    """
    return _extract("extractAfter", subject, boundary, before=False)


def _bounded(text: str, start: Any, end: Any, function: str) -> list[tuple[int, int]]:
    """Zero-based spans strictly between the two marks or positions, in the order of the text."""
    first, last = _position(start, function), _position(end, function)
    if first is not None and last is not None:
        return [(first - 1, last)] if last <= len(text) else []
    error = _error(function)
    opening = None if first is not None else scalar_text(start, error)
    closing = None if last is not None else scalar_text(end, error)
    spans: list[tuple[int, int]] = []
    at = 0
    while True:
        if opening is None:
            assert first is not None
            begin = first - 1
        else:
            found = text.find(opening, at)
            if found < 0:
                return spans
            begin = found + len(opening)
        stop = last if closing is None else text.find(closing, begin)
        if stop is None or stop < 0:
            return spans
        spans.append((begin, stop))
        if opening is None or closing is None:
            return spans
        at = stop + len(closing)


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
    error = _error("extractBetween")
    pieces = [
        text[a:b]
        for text in text_list(subject, error)
        for a, b in _bounded(text, start, end, "extractBetween")
    ]
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
        "replaceBetween", subject, start, end, scalar_text(new, _error("replaceBetween"))
    )


def _rewrite_between(function: str, subject: Any, start: Any, end: Any, new: str) -> Any:
    def edit(text: str) -> str:
        for a, b in reversed(_bounded(text, start, end, function)):
            text = text[:a] + new + text[b:]
        return text

    return map_text(subject, edit, _error(function))


@builtin("insertAfter", family="text/edit", effects="pure")
def insertAfter(subject: Any, mark: Any, new: Any) -> Any:
    """Insert text after a mark.

    newStr = insertAfter(str, startStr, newText) inserts after every occurrence of startStr.
    newStr = insertAfter(str, pos, newText) inserts after a position.

    Examples:
        >> insertAfter('abc', 'b', '-')
        ans =
            'ab-c'

    See also: insertBefore, replace.
    """
    return _insert("insertAfter", subject, mark, new, after=True)


@builtin("insertBefore", family="text/edit", effects="pure")
def insertBefore(subject: Any, mark: Any, new: Any) -> Any:
    """Insert text before a mark.

    newStr = insertBefore(str, endStr, newText) inserts before every occurrence of endStr.
    newStr = insertBefore(str, pos, newText) inserts before a position.

    Examples:
        >> insertBefore('abc', 2, '-')
        ans =
            'a-bc'

    See also: insertAfter, replace.
    """
    return _insert("insertBefore", subject, mark, new, after=False)


def _insert(function: str, subject: Any, mark: Any, new: Any, *, after: bool) -> Any:
    error = _error(function)
    text = scalar_text(new, error)
    position = _position(mark, function)
    wanted = maybe_text(mark)

    def edit(piece: str) -> str:
        if position is not None:
            at = position if after else position - 1
            return piece[:at] + text + piece[at:]
        if not wanted:
            return piece
        return piece.replace(wanted, wanted + text if after else text + wanted)

    return map_text(subject, edit, error)
