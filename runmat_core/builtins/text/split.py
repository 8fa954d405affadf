"""Taking text apart: strsplit, split, splitlines, strtok, strfind."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError, too_many_builtin_outputs
from runmat_core.builtins.arguments import canonical_shape, integer
from runmat_core.builtins.named import choice
from runmat_core.builtins.text.regex_syntax import Options, embedded
from runmat_core.builtins.text.search_time import SearchTime
from runmat_core.builtins.text.support import (
    container_shape,
    double_row,
    elements,
    is_char_row,
    map_text,
    option_pairs,
    row,
    scalar_text,
    string_of,
    string_text,
    text_list,
)
from runmat_core.values import (
    Array,
    CellArray,
    CharArray,
    StringArray,
    char,
    size_of,
    to_numpy,
    truth,
)
from runmat_core.values.cell import cell_column, object_array
from runmat_core.values.char import decode, units_of
from runmat_core.values.construct import cell as cell_of
from runmat_core.values.printf_format import unescape

_KINDS = ("Simple", "RegularExpression")


@builtin(
    "strsplit",
    family="text/split",
    nargin=(1, None),
    nargout=2,
    needs=("nargout",),
    effects="pure",
)
def strsplit(text: Any, *options: Any, nargout: int) -> Any:
    """Split text at a delimiter.

    C = strsplit(str) splits at white space.
    C = strsplit(str, delimiter) splits at the delimiter or at any in a cell array of them.
    C = strsplit(..., 'CollapseDelimiters', false) keeps empty parts between delimiters in a row.
    C = strsplit(..., 'DelimiterType', 'RegularExpression') takes regular expressions.
    [C, matches] = strsplit(...) also returns the delimiters found.

    Examples:
        >> strsplit('a,b,,c', ',')
        ans =
          1×3 cell array
            {'a'}    {'b'}    {'c'}
        >> strsplit('a b')
        ans =
          1×2 cell array
            {'a'}    {'b'}

    See also: split, strjoin, regexp, strtok.
    """
    error = MatlabError(
        "MATLAB:strsplit:InvalidStringType",
        "First input must be a character vector or a string scalar.",
    )
    subject = scalar_text(text, error)
    bad_option = MatlabError("MATLAB:strsplit:InvalidOption", "Unknown option of strsplit.")
    delimiters = [" ", "\f", "\n", "\r", "\t", "\v"]
    if len(options) % 2:
        delimiters = [unescape(item) for item in text_list(options[0], bad_option)]
        options = options[1:]
    chosen = option_pairs(
        options,
        {"CollapseDelimiters": "collapse", "DelimiterType": "kind"},
        bad_option,
    )
    if choice(chosen.get("kind", char("Simple")), _KINDS, "strsplit") == "Simple":
        # the longest delimiter that fits wins
        marks = "|".join(map(re.escape, sorted(delimiters, key=len, reverse=True)))
    else:
        marks = "|".join(embedded(item, Options()) for item in delimiters)
    pattern = re.compile(f"(?:{marks})+" if truth(chosen.get("collapse", True)) else marks)
    pieces, found, last = [], [], 0
    with SearchTime([pattern]) as time:
        time.begin(subject)
        matches = [match.span() for match in pattern.finditer(subject)]
    for start, end in matches:
        if end > start:
            pieces.append(subject[last:start])
            found.append(subject[start:end])
            last = end
    pieces.append(subject[last:])
    parts = _row_like(text, pieces)
    return parts if nargout < 2 else (parts, _row_like(text, found))


def _row_like(model: Any, pieces: list[str]) -> Any:
    if isinstance(model, StringArray):
        return string_of(pieces)
    return cell_of([char(piece) for piece in pieces])


@builtin(
    "split", family="text/split", nargin=(1, 3), nargout=None, needs=("nargout",), effects="pure"
)
def split(text: Any, delimiter: Any = None, dimension: Any = None, *, nargout: int = 1) -> Any:
    """Split text at a delimiter, one part below the other.

    newStr = split(str) splits at white space; newStr = split(str, delimiter) at a delimiter or
    any of several, texts or patterns. The parts of an array go along a new dimension, or along dim.
    [newStr, match] = split(...) also returns the delimiters found.

    Examples:
        >> split("a-b-c", "-")
        ans =
          3×1 string array
            "a"
            "b"
            "c"

    See also: strsplit, join, splitlines.
    """
    if nargout > 2:
        raise too_many_builtin_outputs()
    error = MatlabError(
        "MATLAB:split:InvalidInput",
        "First argument must be text: a string array, character vector, or cell array of "
        "character vectors.",
    )
    subjects = text_list(text, error)
    pattern = r"\s+"
    if delimiter is not None:
        marks = sorted(map(unescape, text_list(delimiter, error)), key=len, reverse=True)
        pattern = "|".join(map(re.escape, marks))
    parts = stacked(text, [re.split(pattern, subject) for subject in subjects], dimension)
    if nargout < 2:
        return parts
    found = [re.findall(pattern, subject) for subject in subjects]
    return parts, stacked(text, found, dimension)


def stacked(text: Any, parts: list[list[str]], dimension: Any) -> Any:
    """Return the parts of each text along a dimension, in the class of `text`.

    Raises:
        MatlabError: the texts do not have equally many parts.
    """
    width = len(parts[0]) if parts else 0
    for at, pieces in enumerate(parts, 1):
        if len(pieces) != width:
            raise MatlabError(
                "MATLAB:string:MustHaveEqualNumber",
                f"Element {at} of the text contains {len(pieces) - 1} delimiters while the "
                f"previous elements have {width - 1}. All elements must contain the same number "
                "of delimiters.",
            )
    shape = container_shape(text)
    size: tuple[int, ...]
    if len(parts) == 1:
        along = 1 if dimension is None else integer(dimension)
        size = (width, 1) if along == 1 else (1, width)
    elif len(shape) == 2 and shape[1] == 1:
        size = (shape[0], width)
    else:
        size = canonical_shape((*shape, width))
    flat = [parts[k][j] for j in range(width) for k in range(len(parts))]
    if isinstance(text, StringArray):
        return string_of(flat, size)
    return cell_of([char(piece) for piece in flat], size)


@builtin("splitlines", family="text/split", effects="pure")
def splitlines(text: Any) -> Any:
    """Split text at newlines, one line below the other.

    newStr = splitlines(str) splits at newlines, returns, and both together.

    Examples:
        >> splitlines(['a' newline 'b'])
        ans =
          2×1 cell array
            {'a'}
            {'b'}

    See also: split, newline, fgetl.
    """
    error = MatlabError(
        "MATLAB:splitlines:InvalidInput", "Input must be a string or character vector."
    )
    pieces = re.split(r"\r\n|[\n\r\v\f\x85\u2028\u2029]", scalar_text(text, error))
    if isinstance(text, StringArray):
        return string_of(pieces, (len(pieces), 1))
    return cell_column(char(piece) for piece in pieces)


@builtin("strtok", family="text/split", nargin=(1, 2), nargout=2, needs=("nargout",))
def strtok(text: Any, delimiters: Any = None, *, nargout: int) -> Any:
    """The first token of text.

    token = strtok(str) skips leading white space and ends before the next.
    token = strtok(str, delimiters) takes each character of delimiters as one.
    [token, remain] = strtok(...) also returns the rest, which begins with the delimiter.

    Examples:
        >> [t, r] = strtok('one two')
        t =
            'one'
        r =
            ' two'

    See also: strsplit, split, textscan.
    """
    error = MatlabError(
        "MATLAB:strtok:InvalidInputType",
        "First input must be a character vector, string, or cell array of character vectors.",
    )
    if delimiters is None:
        marks = "\t\n\v\f\r \0"
    elif isinstance(delimiters, CharArray | StringArray | CellArray):
        marks = "".join(text_list(delimiters, error))
    else:
        marks = decode(units_of(delimiters))

    def cut(piece: str) -> tuple[str, str]:
        body = piece.lstrip(marks)
        end = next((at for at, char in enumerate(body) if char in marks), len(body))
        return body[:end], body[end:]

    if isinstance(text, CharArray) and text.is_row and text.text():
        # what is cut out of a char vector stays a row, also when it is empty
        token, rest = map(row, cut(text.text()))
    else:
        token = map_text(text, lambda piece: cut(piece)[0], error)
        rest = map_text(text, lambda piece: cut(piece)[1], error)
    return token if nargout < 2 else (token, rest)


def _occurrences(text: str, pattern: str) -> list[int]:
    """One-based starts of `pattern`, overlapping ones included."""
    found = []
    at = text.find(pattern) if pattern else -1
    while at >= 0:
        found.append(at + 1)
        at = text.find(pattern, at + 1)
    return found


@builtin("strfind", family="text/split", nargin=(2, 4), effects="pure")
def strfind(text: Any, pattern: Any, *options: Any) -> Any:
    """Where a pattern occurs in text.

    k = strfind(str, pat) is the start of each occurrence, also of those that overlap; [] if there
    is none. A cell or string array gives a cell array of them.
    k = strfind(str, pat, 'ForceCellOutput', true) returns a cell array in any case.
    k = strfind(v, w) of rows of numbers is where w stands in v.

    Examples:
        >> strfind('abcabc', 'bc')
        ans =
             2     5
        >> strfind('abc', 'x')
        ans =
             []

    See also: contains, regexp, strrep, count.
    """
    if not options and text.__class__ is CharArray and pattern.__class__ is CharArray:
        subject, sought = text.content, pattern.content
        if subject.__class__ is str and sought.__class__ is str:
            return double_row(_occurrences(subject, sought))
    if isinstance(text, float | Array):
        return _among_numbers(text, pattern)
    chosen = option_pairs(
        options,
        {"ForceCellOutput": "force"},
        MatlabError("MATLAB:strfind:UnknownOption", "The only option is 'ForceCellOutput'."),
    )
    wanted = scalar_text(
        pattern,
        MatlabError(
            "MATLAB:strfind:InvalidPattern", "Pattern must be a string scalar or character vector."
        ),
    )
    if isinstance(text, CellArray) or (isinstance(text, StringArray) and text.data.size != 1):
        found = [double_row(_occurrences(_subject(item), wanted)) for item in elements(text)]
        return CellArray(object_array(found, text.data.shape))
    if isinstance(text, CharArray | StringArray):
        if isinstance(text, CharArray) and not is_char_row(text):
            raise MatlabError("MATLAB:strfind:MultipleRows", "Input strings must have one row.")
        result = _found(text, wanted)
    else:
        raise _first_argument()
    return cell_of([result]) if truth(chosen.get("force", False)) else result


def _among_numbers(value: Any, pattern: Any) -> Any:
    """Where numbers stand in a row of numbers, which MATLAB takes too: the -1 of fgetl, say."""
    if not isinstance(pattern, float | Array | CharArray) or size_of(value)[:-1] not in (
        (1,),
        (0,),
    ):
        raise _first_argument()
    line, sought = to_numpy(value).ravel(), to_numpy(pattern).ravel()
    count = line.size - sought.size + 1
    if count < 1 or not sought.size:
        return double_row([])
    same = np.ones(count, np.bool_)
    for k, number in enumerate(sought):
        same &= line[k : k + count] == number
    return double_row((np.flatnonzero(same) + 1).tolist())


def _found(text: Any, wanted: str) -> Any:
    subject = _subject(text if isinstance(text, CharArray) else text.data.flat[0])
    return double_row(_occurrences(subject, wanted))


def _subject(item: Any) -> str:
    if isinstance(item, CharArray):
        return scalar_text(item, _first_argument())
    if isinstance(item, str):
        return item
    if isinstance(item, StringArray) and item.data.size == 1:
        return string_text(item.data.flat[0])
    raise _first_argument()


def _first_argument() -> MatlabError:
    return MatlabError(
        "MATLAB:strfind:InvalidFirstArgument",
        "First argument must be a string array, character vector, or cell array of character "
        "vectors.",
    )


@builtin("findstr", family="text/split", effects="pure")
def findstr(first: Any, second: Any) -> Any:
    """Where the shorter of two texts occurs in the longer.

    k = findstr(s1, s2) is what strfind gives with the longer text first, which replaces it.

    Examples:
        >> findstr('is', 'this is')
        ans =
             3     6

    See also: strfind.
    """
    a, b = scalar_text(first, _first_argument()), scalar_text(second, _first_argument())
    return double_row(_occurrences(*((a, b) if len(a) >= len(b) else (b, a))))
