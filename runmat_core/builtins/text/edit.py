"""Replacing, erasing, inserting and extracting parts of text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.text.marks import marker, rewritten
from runmat_core.builtins.text.support import (
    elements,
    is_text_scalar,
    map_text,
    row,
    scalar_text,
    string_of,
    text_list,
    whole_number,
)
from runmat_core.values import MISSING, CellArray, CharArray, StringArray, char
from runmat_core.values.cell import object_array
from runmat_core.values.construct import cell as cell_of
from runmat_core.values.pattern import Pattern


def no_text(function: str) -> MatlabError:
    """Return the error of an argument that is no text."""
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

    newStr = replace(str, old, new) replaces the texts or patterns in old by those in new, or by
    the one in new, in a single pass from left to right.

    Examples:
        >> replace("a cat", ["a" "cat"], ["the" "dog"])
        ans =
            "the dog"

    See also: strrep, regexprep, erase.
    """
    error = no_text("replace")
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

    newStr = erase(str, match) deletes every occurrence of the texts or patterns in match.

    Examples:
        >> erase('a, b, c', ',')
        ans =
            'a b c'

    See also: replace, strrep, eraseBetween.
    """
    error = no_text("erase")
    table = [(old, "") for old in text_list(pattern, error)]
    return map_text(subject, lambda s: _replace_first_match(s, table), error)


def position_of(value: Any, function: str, least: int = 1) -> int | None:
    """Return a numeric position, `least` or more, or None when `value` is text or a pattern."""
    if isinstance(value, CharArray | StringArray | CellArray | Pattern):
        return None
    error = MatlabError(
        f"MATLAB:{function}:InvalidPosition", "Positions must be positive integers."
    )
    position = whole_number(value, error)
    if position < least:
        raise error
    return position


def _extract(function: str, subject: Any, boundary: Any, *, before: bool) -> Any:
    error = no_text(function)
    position = position_of(boundary, function, 1 if before else 0)
    if position is not None:
        return _cut_at(subject, position, before, error)
    if isinstance(boundary, Pattern) or is_text_scalar(boundary):
        cuts = [_cutter(boundary, before, error)]
    else:
        cuts = [_cutter(char(mark), before, error) for mark in text_list(boundary, error)]
    if isinstance(subject, CharArray | CellArray) and len(cuts) == 1:
        return map_text(subject, lambda text: cuts[0](text) or "", error)
    if not isinstance(subject, StringArray) or len(cuts) not in (1, subject.data.size):
        raise error
    cuts = cuts * subject.data.size if len(cuts) == 1 else cuts
    pieces: list[Any] = []
    for item, cut in zip(elements(subject), cuts, strict=True):
        piece = cut(item) if isinstance(item, str) else None
        pieces.append(MISSING if piece is None else piece)
    return StringArray(object_array(pieces, subject.data.shape))


def _cut_at(subject: Any, position: int, before: bool, error: MatlabError) -> Any:
    def edit(text: str) -> str:
        # the places just outside of a text cut off nothing, or all
        if position > len(text) + before:
            raise MatlabError(
                "MATLAB:string:PositionOutOfRange",
                "Numeric value exceeds the number of characters in element 1.",
            )
        return text[: position - 1] if before else text[position:]

    return map_text(subject, edit, error)


def _cutter(mark: Any, before: bool, error: MatlabError) -> Callable[[str], str | None]:
    """Return the part before or after the first match of a mark.

    Return None where the text does not have it.
    """
    # an empty text is at the start
    is_empty = is_text_scalar(mark) and not scalar_text(mark, error)
    places = (lambda text: [(0, 0)]) if is_empty else marker(mark, error)

    def cut(text: str) -> str | None:
        found = next(iter(places(text)), None)
        if found is None:
            return None
        return text[: found[0]] if before else text[found[1] :]

    return cut


@builtin("extractBefore", family="text/edit", effects="pure")
def extractBefore(subject: Any, boundary: Any) -> Any:
    """The text before a mark.

    newStr = extractBefore(str, endStr) ends before the first occurrence of endStr, a text or a
    pattern; a string without it gives missing, a char vector ''.
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

    newStr = extractAfter(str, startStr) begins after the first occurrence of startStr, a text or a
    pattern; a string without it gives missing, a char vector ''.
    newStr = extractAfter(str, startPos) begins after a position.

    Examples:
        >> extractAfter("key=value", "=")
        ans =
            "value"

    See also: extractBefore, extractBetween.
    """
    return _extract("extractAfter", subject, boundary, before=False)


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
    error = no_text(function)
    text = scalar_text(new, error)
    position = position_of(mark, function)
    places = None if position is not None else marker(mark, error)

    def edit(piece: str) -> str:
        if position is not None:
            at = position if after else position - 1
            return piece[:at] + text + piece[at:]
        assert places is not None
        points = [span[after] for span in places(piece)]
        return rewritten(piece, [(at, at) for at in points], text)

    return map_text(subject, edit, error)
