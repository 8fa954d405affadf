"""Case, blanks and padding: upper, lower, strtrim, strip, deblank, pad, strjust, reverse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import check_size
from runmat_core.builtins.text.support import (
    Edit,
    double_array,
    elements,
    is_char_row,
    map_text,
    map_values,
    maybe_text,
    plain_texts,
    row,
    scalar_text,
    text_list,
    whole_number,
)
from runmat_core.values import CellArray, CharArray, StringArray, char, share
from runmat_core.values.cell import object_array
from runmat_core.values.char import encode

#: What MATLAB's isspace calls white space among ASCII.
WHITESPACE = " \t\n\v\f\r"
#: What strtrim and deblank take away.
_TRIMMED = WHITESPACE + "\0"


def _input_error(function: str) -> MatlabError:
    return MatlabError(
        f"MATLAB:{function}:InvalidInputType",
        "Input must be text: a character array, string array, or cell array of character vectors.",
    )


def _one_to_one(text: str, edit: Callable[[str], str]) -> str:
    """`text` edited so that it keeps its length: what would fold to more stays as it is."""
    edited = edit(text)
    if len(edited) == len(text):
        return edited
    return "".join(new if len(new := edit(old)) == 1 else old for old in text)


def _recase(function: str, value: Any, edit: Callable[[str], str]) -> Any:
    if isinstance(value, CharArray):
        edited = _one_to_one(value.text(), edit)
        if value.is_row:
            return CharArray(edited) if edited else share(value)
        return CharArray(encode(edited).reshape(value.shape, order="F"))
    if isinstance(value, StringArray | CellArray):
        return map_text(value, edit, _input_error(function))
    # numbers pass unchanged
    return share(value)


@builtin("upper", "toupper", family="text/case", effects="pure")
def upper(text: Any) -> Any:
    """Text in upper case.

    newStr = upper(str) converts letters and leaves the rest.

    Examples:
        >> upper('abc1')
        ans =
            'ABC1'

    See also: lower, strcmpi.
    """
    return _recase("upper", text, str.upper)


@builtin("lower", "tolower", family="text/case", effects="pure")
def lower(text: Any) -> Any:
    """Text in lower case.

    newStr = lower(str) converts letters and leaves the rest.

    Examples:
        >> lower("ABC")
        ans =
            "abc"

    See also: upper, strcmpi.
    """
    return _recase("lower", text, str.lower)


@builtin("strtrim", family="text/case", effects="pure")
def strtrim(text: Any) -> Any:
    """Remove blanks from both ends of text.

    newStr = strtrim(str) removes leading and trailing white space, and null characters from char.
    Columns of a char array are removed where all rows are blank.

    Examples:
        >> strtrim('  a b ')
        ans =
            'a b'

    See also: deblank, strip.
    """
    if isinstance(text, CharArray):
        return _trim_columns(text, leading=True)
    error = MatlabError(
        "MATLAB:strtrim:InputClass",
        "Input should be a string, character vector, or a cell array of character vectors.",
    )
    if isinstance(text, CellArray):
        return _trim_each(text, True, error)
    return map_text(text, _trimmed(leading=True), error)


@builtin("deblank", family="text/case", effects="pure")
def deblank(text: Any) -> Any:
    """Remove blanks from the end of text.

    newStr = deblank(str) removes trailing white space and null characters.

    Examples:
        >> ['[' deblank(' a b  ') ']']
        ans =
            '[ a b]'

    See also: strtrim, strip, blanks.
    """
    if isinstance(text, CharArray):
        return _trim_columns(text, leading=False)
    error = MatlabError(
        "MATLAB:deblank:NonStringInput",
        "Input must be a string, character vector, or a cell array of character vectors.",
    )
    if isinstance(text, CellArray):
        return _trim_each(text, False, error)
    return map_text(text, _trimmed(leading=False), error)


def _trim_columns(value: CharArray, *, leading: bool) -> CharArray:
    if isinstance(value.content, str):
        return CharArray(_trimmed(leading)(value.content))
    codes = value.data
    solid = np.nonzero(~np.isin(codes, [0, *map(ord, WHITESPACE)]).all(axis=0))[0]
    if solid.size == 0:
        return char("")
    first = solid[0] if leading else 0
    return CharArray(np.asfortranarray(codes[:, first : solid[-1] + 1]))


def _trimmed(leading: bool) -> Edit:
    return (lambda s: s.strip(_TRIMMED)) if leading else (lambda s: s.rstrip(_TRIMMED))


def _trim_each(cell: CellArray, leading: bool, error: MatlabError) -> CellArray:
    plain = plain_texts(cell.items())
    if plain is not None:
        return map_text(cell, _trimmed(leading), error)  # type: ignore[no-any-return]
    items = []
    for item in elements(cell):
        if not isinstance(item, CharArray):
            raise error
        items.append(_trim_columns(item, leading=leading))
    return CellArray(object_array(items, cell.data.shape))


@builtin("strip", family="text/case", nargin=(1, 3), effects="pure")
def strip(text: Any, *options: Any) -> Any:
    """Remove characters from the ends of text.

    newStr = strip(str) removes white space from both ends.
    newStr = strip(str, side) takes 'left', 'right' or 'both'.
    newStr = strip(str, side, c) removes the character c instead.

    Examples:
        >> strip('  x ')
        ans =
            'x'
        >> strip("00120", 'left', '0')
        ans =
            "120"

    See also: strtrim, pad, erase.
    """
    error = _input_error("strip")
    side, characters = "both", WHITESPACE
    for option in options:
        word = scalar_text(option, error)
        if word.lower() in ("left", "right", "both"):
            side = word.lower()
        elif len(word) == 1:
            characters = word
        else:
            raise MatlabError(
                "MATLAB:strip:InvalidOption",
                "The side must be 'left', 'right', or 'both', and the character one character.",
            )
    cut = {"left": str.lstrip, "right": str.rstrip, "both": str.strip}[side]
    return map_text(text, lambda s: cut(s, characters), error)


@builtin("pad", family="text/case", nargin=(1, 4), effects="pure")
def pad(text: Any, *options: Any) -> Any:
    """Add characters to the ends of text.

    newStr = pad(str) adds blanks to make all texts as long as the longest.
    newStr = pad(str, n) makes them n characters long.
    newStr = pad(str, n, side, c) adds the character c on the 'left', the 'right' or 'both'.

    Examples:
        >> pad('7', 3, 'left', '0')
        ans =
            '007'

    See also: strip, strjust, blanks.
    """
    error = _input_error("pad")
    width = max((len(item) for item in text_list(text, error)), default=0)
    side, fill = "right", " "
    for option in options:
        word = maybe_text(option)
        if word is None:
            width = whole_number(
                option,
                MatlabError("MATLAB:pad:InvalidWidth", "The width must be a positive integer."),
            )
        elif word.lower() in ("left", "right", "both"):
            side = word.lower()
        elif len(word) == 1:
            fill = word
        else:
            raise MatlabError(
                "MATLAB:pad:InvalidOption",
                "The side must be 'left', 'right', or 'both', and the padding one character.",
            )

    def edit(piece: str) -> str:
        missing = max(width - len(piece), 0)
        before = {"left": missing, "right": 0, "both": missing // 2}[side]
        return fill * before + piece + fill * (missing - before)

    return map_text(text, edit, error)


@builtin("strjust", family="text/case", nargin=(1, 2), effects="pure")
def strjust(text: Any, side: Any = None) -> Any:
    """Move the text in each row of a char array to one side.

    T = strjust(S) moves it to the right.
    T = strjust(S, side) takes 'right', 'left' or 'center'.

    Examples:
        >> strjust(['a  '; 'bb '])
        ans =
          2×3 char array
            '  a'
            ' bb'

    See also: deblank, pad.
    """
    error = _input_error("strjust")
    where = "right" if side is None else scalar_text(side, error).lower()
    if where not in ("right", "left", "center"):
        raise MatlabError(
            "MATLAB:strjust:UnknownParameter", "The side must be 'right', 'left', or 'center'."
        )

    def edit(line: str) -> str:
        body = line.strip(" \0")
        if where == "left":
            return body.ljust(len(line))
        if where == "right":
            return body.rjust(len(line))
        before = (len(line) - len(body)) // 2
        return (" " * before + body).ljust(len(line))

    return map_text(text, edit, error, matrix=True)


@builtin("reverse", family="text/case", effects="pure")
def reverse(text: Any) -> Any:
    """Text in reverse order.

    newStr = reverse(str) turns each text around.

    Examples:
        >> reverse('stressed')
        ans =
            'desserts'

    See also: fliplr.
    """
    return map_text(text, lambda s: s[::-1], _input_error("reverse"))


@builtin("strlength", family="text/case", effects="pure")
def strlength(text: Any) -> Any:
    """The number of characters of text.

    L = strlength(str) counts the characters of each text; NaN for a missing string.

    Examples:
        >> strlength(["one" "three"])
        ans =
             3     5

    See also: length, numel.
    """
    if isinstance(text, StringArray):
        lengths = [len(s) if isinstance(s, str) else float("nan") for s in elements(text)]
        return double_array(lengths, text.data.shape)
    if isinstance(text, CharArray) and not is_char_row(text):
        raise _input_error("strlength")
    return map_values(text, lambda s: float(len(s)), _input_error("strlength"))


@builtin("blanks", family="text/case", effects="pure")
def blanks(count: Any) -> Any:
    """A char row vector of n blanks.

    chr = blanks(n) is useful with disp and concatenation.

    Examples:
        >> ['x' blanks(3) 'x']
        ans =
            'x   x'

    See also: pad, repmat.
    """
    n = whole_number(
        count,
        MatlabError("MATLAB:blanks:InvalidInput", "Input must be a nonnegative integer."),
    )
    check_size((1, n), 2)
    return row(" " * n)


@builtin("newline", family="text/case", effects="pure")
def newline() -> Any:
    """The newline character.

    c = newline is char(10).

    Examples:
        >> double(newline)
        ans =
            10

    See also: char, splitlines.
    """
    return row("\n")
