"""Comparing texts: strcmp and its family, contains, startsWith, endsWith, matches."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.text.support import (
    double_array,
    elements,
    is_char_row,
    logical_array,
    map_values,
    maybe_text,
    option_pairs,
    plain_texts,
    scalar_text,
    string_text,
    text_list,
    whole_number,
)
from runmat_core.values import CellArray, CharArray, StringArray, truth

Test = Callable[[str, str], bool]
Among = Callable[[str, list[Any]], list[bool]]


def _compare(first: Any, second: Any, test: Test, among: Among) -> Any:
    """Compare under strcmp's rules: what is not text is never equal; cells go item by item.

    `among` does what `test` does, for one text and the char rows of many.
    """
    if isinstance(first, CharArray) and isinstance(second, CharArray):
        return _compare_chars(first, second, test)
    flags = _among_rows(first, second, among)
    if flags is not None:
        return flags
    left, right = _texts(first), _texts(second)
    if left is None or right is None:
        return _unequal(first, second)
    left_shape, right_shape = _shape(first), _shape(second)
    if len(left) == 1:
        left, shape = left * len(right), right_shape
    elif len(right) == 1:
        right, shape = right * len(left), left_shape
    elif left_shape == right_shape:
        shape = left_shape
    else:
        raise MatlabError(
            "MATLAB:strcmp:InputsSizeMismatch",
            "Inputs must be the same size or either one can be a scalar.",
        )
    if None in left or None in right:
        flags = [
            a is not None and b is not None and test(a, b) for a, b in zip(left, right, strict=True)
        ]
    else:
        flags = list(map(test, left, right))  # type: ignore[arg-type]
    return flags[0] if shape == (1, 1) else logical_array(flags, shape)


def _among_rows(first: Any, second: Any, among: Among) -> Any:
    """By far the most frequent: one text and a cell array of char rows; None for other things."""
    text, cell = (first, second) if isinstance(second, CellArray) else (second, first)
    wanted = maybe_text(text)
    if wanted is None or not isinstance(cell, CellArray) or cell.data.size == 1:
        return None
    try:
        return logical_array(among(wanted, cell.items()), cell.data.shape)
    except (AttributeError, TypeError):
        # other values have no content, and a matrix of codes as content gives no flag
        return None


def _compare_chars(first: CharArray, second: CharArray, test: Test) -> bool:
    a, b = first.content, second.content
    if a.__class__ is str and b.__class__ is str:
        return test(a, b)
    if is_char_row(first) and is_char_row(second):
        return test(first.text(), second.text())
    return first.shape == second.shape and test(first.text(), second.text())


def _texts(value: Any) -> list[str | None] | None:
    """Return what may equal something: None where an element is not text."""
    if isinstance(value, CharArray):
        return [value.text()] if is_char_row(value) else [None]
    if isinstance(value, StringArray):
        return [item if isinstance(item, str) else None for item in elements(value)]
    if isinstance(value, CellArray):
        items = value.items()
        plain: Any = plain_texts(items)
        return plain or [_cell_text(item) for item in items]
    return None


def _cell_text(item: Any) -> str | None:
    if isinstance(item, CharArray):
        return item.text() if is_char_row(item) else None
    if isinstance(item, StringArray) and item.data.size == 1:
        return string_text(item.data.flat[0])
    return None


def _shape(value: Any) -> tuple[int, ...]:
    return (1, 1) if isinstance(value, CharArray) else tuple(value.data.shape)


def _unequal(first: Any, second: Any) -> Any:
    """Return False for each element of the cell array among the inputs, if there is one."""
    for value in (first, second):
        if isinstance(value, CellArray) and value.data.size != 1:
            return logical_array([False] * value.data.size, value.data.shape)
    return False


def _count(function: str, value: Any) -> int:
    return whole_number(
        value,
        MatlabError(
            f"MATLAB:{function}:NotNonnegativeInteger",
            "The number of characters to compare must be a nonnegative integer.",
        ),
    )


@builtin("strcmp", family="text/compare", effects="pure")
def strcmp(first: Any, second: Any) -> Any:
    """Whether texts are equal.

    tf = strcmp(s1, s2) is true when both have the same size and characters. An element of a cell
    or string array is compared with the other text, or with the element at its place. What is not
    text never equals anything.

    Examples:
        >> strcmp('yes', 'no')
        ans =
          logical
           0
        >> strcmp('a', {'a', 'b'})
        ans =
          1×2 logical array
           1   0

    See also: strcmpi, strncmp, strncmpi, isequal.
    """
    if first.__class__ is CharArray:
        a = first.content
        if second.__class__ is CharArray:
            b = second.content
            if a.__class__ is str and b.__class__ is str:
                return a == b
    return _compare(first, second, operator.eq, lambda a, rows: [row.content == a for row in rows])


@builtin("strcmpi", family="text/compare", effects="pure")
def strcmpi(first: Any, second: Any) -> Any:
    """Whether texts are equal, ignoring case.

    tf = strcmpi(s1, s2) compares as strcmp does, upper and lower case being the same.

    Examples:
        >> strcmpi('Yes', 'YES')
        ans =
          logical
           1

    See also: strcmp, strncmpi.
    """
    return _compare(
        first,
        second,
        lambda a, b: a.lower() == b.lower(),
        lambda a, rows: [row.content.lower() == low for low in (a.lower(),) for row in rows],
    )


@builtin("strncmp", family="text/compare", effects="pure")
def strncmp(first: Any, second: Any, count: Any) -> Any:
    """Whether the first n characters of texts are equal.

    tf = strncmp(s1, s2, n) is false when either text has fewer than n characters.

    Examples:
        >> strncmp('MATLAB', 'MATRIX', 3)
        ans =
          logical
           1

    See also: strcmp, strncmpi, startsWith.
    """
    n = _count("strncmp", count)
    return _compare(
        first,
        second,
        lambda a, b: len(a) >= n and len(b) >= n and a[:n] == b[:n],
        lambda a, rows: [len(a) >= n and row.content[:n] == a[:n] for row in rows],
    )


@builtin("strncmpi", family="text/compare", effects="pure")
def strncmpi(first: Any, second: Any, count: Any) -> Any:
    """Whether the first n characters of texts are equal, ignoring case.

    tf = strncmpi(s1, s2, n) is false when either text has fewer than n characters.

    Examples:
        >> strncmpi('matlab', 'MATRIX', 3)
        ans =
          logical
           1

    See also: strncmp, strcmpi.
    """
    n = _count("strncmpi", count)
    return _compare(
        first,
        second,
        lambda a, b: len(a) >= n and len(b) >= n and a[:n].lower() == b[:n].lower(),
        lambda a, rows: [
            len(a) >= n and row.content[:n].lower() == low and len(row.content) >= n
            for low in (a[:n].lower(),)
            for row in rows
        ],
    )


def _search(function: str, subject: Any, pattern: Any, options: tuple[Any, ...], test: Test) -> Any:
    error = MatlabError(
        f"MATLAB:{function}:InvalidInput",
        "First argument must be text: a string array, character vector, or cell array of "
        "character vectors.",
    )
    pattern_error = MatlabError(
        f"MATLAB:{function}:InvalidPattern",
        "Search pattern must be a string array, character vector, or cell array of character "
        "vectors.",
    )
    chosen = option_pairs(
        options,
        {"IgnoreCase": "ignore_case"},
        MatlabError(f"MATLAB:{function}:UnknownOption", "The only option is 'IgnoreCase'."),
    )
    patterns = text_list(pattern, pattern_error)
    if truth(chosen.get("ignore_case", False)):
        patterns = [text.lower() for text in patterns]
        return map_values(subject, lambda s: any(test(s.lower(), p) for p in patterns), error)
    if len(patterns) == 1:
        # most often so, and a generator for each text takes longer than the test
        only = patterns[0]
        return map_values(subject, lambda s: test(s, only), error)
    return map_values(subject, lambda s: any(test(s, p) for p in patterns), error)


@builtin("contains", family="text/compare", nargin=(2, 4), effects="pure")
def contains(subject: Any, pattern: Any, *options: Any) -> Any:
    """Whether text contains a pattern.

    tf = contains(str, pat) is true where str has one of the texts or patterns in pat.
    tf = contains(str, pat, 'IgnoreCase', true) ignores case.

    Examples:
        >> contains({'paper', 'pencil'}, 'ap')
        ans =
          1×2 logical array
           1   0

    See also: startsWith, endsWith, strfind, matches.
    """
    return _search("contains", subject, pattern, options, lambda s, p: p in s)


@builtin("startsWith", family="text/compare", nargin=(2, 4), effects="pure")
def startsWith(subject: Any, pattern: Any, *options: Any) -> Any:
    """Whether text starts with a pattern.

    tf = startsWith(str, pat) is true where str starts with one of the texts or patterns in
    pat.
    tf = startsWith(str, pat, 'IgnoreCase', true) ignores case.

    Examples:
        >> startsWith('data.csv', 'data')
        ans =
          logical
           1

    See also: endsWith, contains, strncmp.
    """
    return _search("startsWith", subject, pattern, options, str.startswith)


@builtin("endsWith", family="text/compare", nargin=(2, 4), effects="pure")
def endsWith(subject: Any, pattern: Any, *options: Any) -> Any:
    """Whether text ends with a pattern.

    tf = endsWith(str, pat) is true where str ends with one of the texts or patterns in pat.
    tf = endsWith(str, pat, 'IgnoreCase', true) ignores case.

    Examples:
        >> endsWith(["a.m" "b.txt"], [".m" ".mat"])
        ans =
          1×2 logical array
           1   0

    See also: startsWith, contains.
    """
    return _search("endsWith", subject, pattern, options, str.endswith)


@builtin("matches", family="text/compare", nargin=(2, 4), effects="pure")
def matches(subject: Any, pattern: Any, *options: Any) -> Any:
    """Whether the whole text equals one of several.

    tf = matches(str, pat) is true where str equals one of the texts, or matches one of the
    patterns, in pat.
    tf = matches(str, pat, 'IgnoreCase', true) ignores case.

    Examples:
        >> matches("red", ["red" "green"])
        ans =
          logical
           1

    See also: strcmp, contains, ismember.
    """
    return _search("matches", subject, pattern, options, str.__eq__)


@builtin("count", family="text/compare", nargin=(2, 4), effects="pure")
def count(subject: Any, pattern: Any, *options: Any) -> Any:
    """How often a pattern occurs in text.

    n = count(str, pat) counts the occurrences that do not overlap, of all texts in pat together.
    n = count(str, pat, 'IgnoreCase', true) ignores case.

    Examples:
        >> count('banana', 'an')
        ans =
             2

    See also: contains, strfind.
    """
    error = MatlabError(
        "MATLAB:count:InvalidInput",
        "First argument must be text: a string array, character vector, or cell array of "
        "character vectors.",
    )
    chosen = option_pairs(
        options,
        {"IgnoreCase": "ignore_case"},
        MatlabError("MATLAB:count:UnknownOption", "The only option is 'IgnoreCase'."),
    )
    patterns = [text for text in text_list(pattern, error) if text]
    if truth(chosen.get("ignore_case", False)):
        lowered = [text.lower() for text in patterns]
        return map_values(subject, lambda s: float(sum(s.lower().count(p) for p in lowered)), error)
    return map_values(subject, lambda s: float(sum(s.count(p) for p in patterns)), error)


@builtin("strmatch", family="text/compare", nargin=(2, 3), effects="pure")
def strmatch(pattern: Any, subject: Any, exact: Any = None) -> Any:
    """Rows of text that start with a pattern.

    x = strmatch(str, strarray) is the index of each row or element that starts with str.
    x = strmatch(str, strarray, 'exact') asks for equality. startsWith and strcmp replace it.

    Examples:
        >> strmatch('max', char('max', 'minimax', 'maximum'))
        ans =
             1
             3

    See also: strcmp, startsWith, strncmp.
    """
    error = MatlabError(
        "MATLAB:strmatch:InvalidInput", "Inputs must be character vectors or cell arrays of them."
    )
    wanted = scalar_text(pattern, error)
    texts = text_list(subject, error)
    if exact is None:
        hits = [at for at, text in enumerate(texts, 1) if text.startswith(wanted)]
    else:
        hits = [at for at, text in enumerate(texts, 1) if text.rstrip(" \0") == wanted]
    return double_array(hits, (len(hits), 1))
