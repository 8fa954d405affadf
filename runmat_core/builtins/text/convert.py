"""Text to numbers, bytes and names: str2double, str2num, native2unicode, makeValidName."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError, index_exceeds
from runmat_core.api.interp import Interp, Workspace
from runmat_core.builtins.arguments import scalar
from runmat_core.builtins.text.decimals import decimals
from runmat_core.builtins.text.support import (
    elements,
    is_char_row,
    joined_texts,
    logical_array,
    map_text,
    maybe_text,
    option_pairs,
    row,
    scalar_text,
    text_list,
)
from runmat_core.values import (
    DTYPE,
    CellArray,
    CharArray,
    StringArray,
    class_of,
    from_numpy,
    size_of,
)
from runmat_core.values.char import units_of
from runmat_core.values.sparse import positions

_NUMBER = r"(?:inf(?:inity)?|nan|(?:\d[\d,]*\.?\d*|\.\d+)(?:[ed][+-]?\d+)?)"
_REAL = re.compile(rf"([+-]?)\s*({_NUMBER})", re.I)
_IMAGINARY = re.compile(
    rf"([+-]?)\s*(?:({_NUMBER})\s*\*?\s*[ij]|[ij]\s*\*\s*({_NUMBER})|[ij])(?![A-Za-z])", re.I
)


def _value(sign: str, digits: str | None) -> float:
    number = 1.0 if digits is None else float(digits.replace(",", "").lower().replace("d", "e"))
    return -number if sign == "-" else number


def parse_double(text: str) -> complex | float:
    """Return the number that the whole of `text` is, in the forms that str2double takes, or NaN."""
    text = text.strip(" \t\n\v\f\r\0")
    if text.isascii() and "_" not in text:
        # Python's syntax of numbers is a part of MATLAB's, but for the underscore
        try:
            return float(text)
        except ValueError:
            pass
    parts: list[tuple[bool, float]] = []
    at = 0
    while at < len(text) and len(parts) < 2:
        imaginary = _IMAGINARY.match(text, at)
        match = imaginary or _REAL.match(text, at)
        if match is None or (parts and not match[1]):
            return float("nan")
        digits = (match[2] or match[3]) if imaginary else match[2]
        parts.append((imaginary is not None, _value(match[1], digits)))
        at = match.end()
        while at < len(text) and text[at] in " \t":
            at += 1
    if not parts or at < len(text) or (len(parts) == 2 and parts[0][0] == parts[1][0]):
        return float("nan")
    real = next((number for is_imaginary, number in parts if not is_imaginary), 0.0)
    if all(not is_imaginary for is_imaginary, _ in parts):
        return real
    return complex(real, next(number for is_imaginary, number in parts if is_imaginary))


@builtin("str2double", family="text/convert", effects="pure")
def str2double(text: Any) -> Any:
    """The number that text represents.

    X = str2double(str) is NaN where the text is not one number. Commas separate thousands; i and j
    make complex numbers. A cell or string array gives an array of its size.

    Examples:
        >> str2double('1,200.5')
        ans =
           1.2005e+03
        >> str2double({'2', 'x'})
        ans =
             2   NaN

    See also: str2num, num2str, double.
    """
    if isinstance(text, CharArray):
        if not is_char_row(text):
            return float("nan")
        return _canonical([parse_double(text.text())], (1, 1))
    if isinstance(text, StringArray):
        texts: list[str | None] = [s if isinstance(s, str) else None for s in elements(text)]
    elif isinstance(text, CellArray):
        items = text.items()
        plain = joined_texts(items)
        numbers = None if plain is None else _plain_numbers(*plain)
        if numbers is not None:
            return from_numpy(numbers.reshape(text.data.shape, order="F"))
        texts = [maybe_text(item) for item in items]
    else:
        return from_numpy(np.full(size_of(text), np.nan)) if size_of(text) else float("nan")
    found = [float("nan") if s is None else parse_double(s) for s in texts]
    return _canonical(found, text.data.shape)


def _plain_numbers(texts: list[str], everything: str) -> NDArray[np.float64] | None:
    """Return the numbers of texts that are all numbers to Python as well, or None."""
    found = decimals(",".join(texts), ",")
    if found is not None and found.size == len(texts):
        return found
    if not everything.isascii() or "_" in everything:
        return None
    try:
        return np.fromiter(map(float, texts), np.float64, len(texts))
    except ValueError:
        return None


def _canonical(numbers: list[complex | float], shape: tuple[int, ...]) -> Any:
    array = np.array(numbers if numbers else np.zeros(0))
    return from_numpy(array.reshape(shape, order="F"))


@builtin(
    "str2num",
    family="text/convert",
    nargin=(1, 3),
    nargout=2,
    needs=("nargout", "interp", "workspace"),
)
def str2num(text: Any, *options: Any, nargout: int, interp: Interp, workspace: Workspace) -> Any:
    """Evaluate text as a matrix.

    X = str2num(txt) evaluates '[' txt ']'; [] where that fails. Use str2double for one number.
    [X, tf] = str2num(txt) also tells whether it worked.

    Examples:
        >> str2num('1 2; 3 4')
        ans =
             1     2
             3     4

    See also: str2double, eval, num2str.
    """
    error = MatlabError(
        "MATLAB:str2num:InvalidArgument",
        "Input must be a character vector, character array, or string scalar.",
    )
    source = "; ".join(text.rows()) if isinstance(text, CharArray) else scalar_text(text, error)
    try:
        with interp.capture():
            value = interp.evaluate(f"[{source}]", workspace, 1)
        worked = True
    except MatlabError:
        value, worked = from_numpy(np.zeros((0, 0))), False
    return (value, worked) if nargout > 1 else value


def _codec(value: Any) -> str:
    name = scalar_text(
        value,
        MatlabError("MATLAB:unicodeConversion:InvalidCharset", "The encoding must be text."),
    )
    try:
        "".encode(name or "utf-8")
    except (LookupError, ValueError):
        raise MatlabError(
            "MATLAB:unicodeConversion:InvalidCharset", f"The encoding '{name}' is not known."
        ) from None
    return name or "utf-8"


@builtin("native2unicode", family="text/convert", nargin=(1, 2), effects="pure")
def native2unicode(data: Any, encoding: Any = None) -> Any:
    """Text from bytes.

    str = native2unicode(bytes) takes UTF-8, native2unicode(bytes, encoding) another encoding.

    Examples:
        >> native2unicode(uint8([72 105]))
        ans =
            'Hi'

    See also: unicode2native, char.
    """
    codec = "utf-8" if encoding is None else _codec(encoding)
    if isinstance(data, CharArray):
        return data.share()
    octets = bytes(np.clip(units_of(data), 0, 255).astype(np.uint8).ravel(order="F"))
    return row(octets.decode(codec, "replace"))


@builtin("unicode2native", family="text/convert", nargin=(1, 2), effects="pure")
def unicode2native(text: Any, encoding: Any = None) -> Any:
    """The bytes of text in an encoding.

    bytes = unicode2native(str) takes UTF-8, unicode2native(str, encoding) another encoding.

    Examples:
        >> unicode2native('Hi')
        ans =
          1×2 uint8 row vector
            72   105

    See also: native2unicode, double.
    """
    codec = "utf-8" if encoding is None else _codec(encoding)
    error = MatlabError("MATLAB:unicodeConversion:InvalidInput", "The first input must be text.")
    octets = scalar_text(text, error).encode(codec, "replace")
    return from_numpy(np.frombuffer(octets, dtype=np.uint8).reshape(1, -1).copy())


#: The reserved words of the language.
KEYWORDS = frozenset(
    [
        *("break", "case", "catch", "classdef", "continue", "else", "elseif", "end", "for"),
        *("function", "global", "if", "otherwise", "parfor", "persistent", "return", "spmd"),
        *("switch", "try", "while"),
    ]
)
_MAX_NAME = 63


def valid_name(text: str, prefix: str, style: str) -> str:
    """`text` as a name, under a replacement style: underscore, delete or hex."""
    if re.fullmatch(r"[A-Za-z]\w*", text, re.ASCII) and text not in KEYWORDS:
        return text[:_MAX_NAME]
    # white space goes, and a letter after it becomes a capital, but for the first one
    text = re.sub(r"(?<=\S)\s+([a-z])", lambda m: m[1].upper(), text)
    text = re.sub(r"\s+", "", text)
    if style == "underscore":
        text = re.sub(r"\W", "_", text, flags=re.ASCII)
    elif style == "delete":
        text = re.sub(r"\W", "", text, flags=re.ASCII)
    else:
        text = re.sub(r"\W", lambda m: f"0x{ord(m[0]):02X}", text, flags=re.ASCII)
    if text in KEYWORDS:
        text = prefix + text[0].upper() + text[1:]
    elif not re.match(r"[A-Za-z]", text):
        text = prefix + text
    return text[:_MAX_NAME]


@builtin(
    "matlab.lang.makeValidName",
    family="text/convert",
    nargin=(1, None),
    nargout=2,
    needs=("nargout",),
)
def make_valid_name(text: Any, *options: Any, nargout: int) -> Any:
    """Variable names from any text.

    N = matlab.lang.makeValidName(S) drops blanks, puts _ in place of characters that names cannot
    have and 'x' before what does not start with a letter.
    N = matlab.lang.makeValidName(..., 'ReplacementStyle', style) takes 'underscore', 'delete' or
    'hex'; 'Prefix' gives another prefix.
    [N, modified] = matlab.lang.makeValidName(...) tells which were changed.

    Examples:
        >> matlab.lang.makeValidName('1st item')
        ans =
            'x1stItem'

    See also: matlab.lang.makeUniqueStrings, isvarname, genvarname.
    """
    error = MatlabError(
        "MATLAB:makeValidName:InvalidInput",
        "Input must be text: a string array, character vector, or cell array of them.",
    )
    chosen = option_pairs(options, {"ReplacementStyle": "style", "Prefix": "prefix"}, error)
    style = scalar_text(chosen["style"], error).lower() if "style" in chosen else "underscore"
    prefix = scalar_text(chosen["prefix"], error) if "prefix" in chosen else "x"
    made = map_text(text, lambda s: valid_name(s, prefix, style), error)
    if nargout < 2:
        return made
    before, after = text_list(text, error), text_list(made, error)
    flags = [a != b for a, b in zip(before, after, strict=True)]
    shape = (1, 1) if isinstance(text, CharArray) else text.data.shape
    return made, logical_array(flags, shape)


def _unique(text: str, taken: set[str], longest: int) -> str:
    candidate, count = text[:longest], 0
    while candidate in taken:
        count += 1
        end = f"_{count}"
        candidate = text[: max(longest - len(end), 0)] + end
    return candidate


@builtin(
    "matlab.lang.makeUniqueStrings",
    family="text/convert",
    nargin=(1, 3),
    nargout=2,
    needs=("nargout",),
    effects="pure",
)
def make_unique_strings(
    text: Any, excluded: Any = None, longest: Any = None, *, nargout: int
) -> Any:
    """Make texts different from one another.

    U = matlab.lang.makeUniqueStrings(S) adds _1, _2, ... to what occurs again.
    U = matlab.lang.makeUniqueStrings(S, excluded) also avoids the texts in excluded.
    U = matlab.lang.makeUniqueStrings(S, which) changes the texts at some places alone.
    U = matlab.lang.makeUniqueStrings(S, ..., n) makes no text longer than n.
    [U, modified] = matlab.lang.makeUniqueStrings(...) tells which were changed.

    Examples:
        >> matlab.lang.makeUniqueStrings({'a', 'b', 'a'})
        ans =
          1×3 cell array
            {'a'}    {'b'}    {'a_1'}

    See also: matlab.lang.makeValidName, unique.
    """
    error = MatlabError(
        "MATLAB:makeUniqueStrings:InvalidInput",
        "Input must be text: a string array, character vector, or cell array of them.",
    )
    before = text_list(text, error)
    limit = max(map(len, before), default=0) + 20 if longest is None else int(scalar(longest, "N"))
    free, taken = np.ones(len(before), np.bool_), set[str]()
    if excluded is not None and class_of(excluded) in DTYPE and class_of(excluded) != "char":
        free = np.zeros(len(before), np.bool_)
        chosen = positions(excluded, len(before))
        if chosen.max(initial=-1) >= len(before):
            raise index_exceeds(len(before))
        free[chosen] = True
        taken = {piece for piece, may in zip(before, free, strict=True) if not may}
    elif excluded is not None:
        taken = set(text_list(excluded, error))
    everyone, places = set(before), iter(free.tolist())

    def edit(piece: str) -> str:
        if not next(places):
            return piece
        fits = piece not in taken and len(piece) <= limit
        name = piece if fits else _unique(piece, taken | everyone, limit)
        taken.add(name)
        return name

    made = map_text(text, edit, error)
    if nargout < 2:
        return made
    flags = [a != b for a, b in zip(before, text_list(made, error), strict=True)]
    return made, logical_array(flags, (1, 1) if isinstance(text, CharArray) else text.data.shape)


@builtin("genvarname", family="text/convert", nargin=(1, 2), effects="pure")
def genvarname(text: Any, excluded: Any = None) -> Any:
    """A variable name from any text, different from others.

    name = genvarname(str) makes a valid name; genvarname(str, excluded) one that is not in
    excluded. matlab.lang.makeValidName replaces it.

    Examples:
        >> genvarname('x', {'x', 'x1'})
        ans =
            'x2'

    See also: matlab.lang.makeValidName, isvarname.
    """
    error = MatlabError("MATLAB:genvarname:wrongFirstInput", "First input must be text.")
    taken = set() if excluded is None else set(text_list(excluded, error))

    def edit(piece: str) -> str:
        base = valid_name(piece, "x", "hex")
        name, count = base, 0
        while name in taken:
            count += 1
            name = f"{base}{count}"
        taken.add(name)
        return name

    return map_text(text, edit, error)
