"""Making text and asking what it is: char, string, cellstr, the is... functions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError, too_many_builtin_inputs
from runmat_core.builtins.arguments import check_size, shape_from
from runmat_core.builtins.text.support import (
    elements,
    is_cellstr,
    logical_array,
    maybe_text,
    row,
    scalar_text,
    string_of,
    string_text,
)
from runmat_core.values import (
    DTYPE,
    MISSING,
    Array,
    CellArray,
    CharArray,
    StringArray,
    class_of,
    from_numpy,
    numel_of,
    share,
    size_of,
    to_numpy,
)
from runmat_core.values.cell import cell_column, object_array
from runmat_core.values.char import char_rows, from_units
from runmat_core.values.classes import DOUBLE
from runmat_core.values.construct import cell as cell_of
from runmat_core.values.string import texts_of

#: Up to so many codes, Python makes text of a list of them before passes of NumPy are over.
_LISTED = 32


@builtin("char", "setstr", family="text/classes", nargin=(1, None), effects="pure")
def char(*inputs: Any) -> Any:
    """Convert to a char array.

    C = char(A) takes character codes, text, or a cell or string array, whose elements become rows
    padded with blanks.
    C = char(A1, ..., An) makes the rows of one array; empty inputs make blank rows.

    Examples:
        >> char([72 105])
        ans =
            'Hi'
        >> char('a', 'bcd')
        ans =
          2×3 char array
            'a  '
            'bcd'

    See also: string, cellstr, double, strvcat.
    """
    if len(inputs) == 1:
        return _to_char(inputs[0])
    return char_rows([line for value in inputs for line in _lines(value) or [""]])


def _to_char(value: Any) -> Any:
    if isinstance(value, CharArray):
        return share(value)
    if isinstance(value, CellArray | StringArray):
        if value.data.size == 0:
            return CharArray("")
        lines = _lines(value)
        return row(lines[0]) if len(lines) == 1 and lines[0] else _one_or_more(lines)
    if value.__class__ is float and 0.0 <= value < 65536.0:
        return CharArray(chr(int(value)))
    if value.__class__ is Array and value.data.dtype is DOUBLE and value.data.size <= _LISTED:
        text = _text_of(value.data)
        if text is not None:
            return CharArray(text)
    return from_units(_codes(value))


def _text_of(codes: np.ndarray[Any, Any]) -> str | None:
    """Return the text of a short row of codes; None where one is odd."""
    if codes.ndim != 2 or len(codes) != 1 or not codes.size:
        return None
    listed = codes[0].tolist()
    # halves of characters begin there; NaN compares with nothing
    if any(not 0.0 <= code < 0xD800 for code in listed):
        return None
    return "".join(map(chr, map(int, listed)))


def _one_or_more(lines: list[str]) -> CharArray:
    return CharArray("") if lines == [""] else char_rows(lines)


def _codes(value: Any) -> np.ndarray[Any, Any]:
    if class_of(value) not in DTYPE:
        raise MatlabError(
            "MATLAB:invalidConversion",
            f"Conversion to char from {class_of(value)} is not possible.",
        )
    numbers = np.asarray(to_numpy(value))
    if numbers.dtype == bool:
        raise MatlabError(
            "MATLAB:invalidConversion", "Conversion to char from logical is not possible."
        )
    codes = np.fmin(np.fmax(numbers.real.astype(float), 0.0), 65535.0)  # they prefer numbers
    return np.asfortranarray(codes.astype(np.uint16))


def _lines(value: Any) -> list[str]:
    """Return the rows that a value contributes to a char array."""
    if isinstance(value, CharArray):
        return value.rows()
    if isinstance(value, StringArray):
        return [string_text(item) for item in elements(value)]
    if isinstance(value, CellArray):
        return [line for item in elements(value) for line in (_element_lines(item) or [""])]
    return CharArray(_codes(value)).rows()


def _element_lines(item: Any) -> list[str]:
    """Return the rows that an element of a cell array contributes: of text alone."""
    if not isinstance(item, CharArray | StringArray) and numel_of(item):
        raise MatlabError(
            "MATLAB:char:CellsMustContainChars", "Cell elements must be character arrays."
        )
    return _lines(item)


@builtin("string", family="text/classes", nargin=(0, 2), effects="pure")
def string(value: Any = None, form: Any = None) -> Any:
    """Convert to a string array.

    S = string(A) makes one string of each row of a char array, of each number, logical or element
    of a cell array. NaN becomes missing.
    S = string(T, fmt) of a datetime or duration array in a format

    Examples:
        >> string([1.5 20])
        ans =
          1×2 string array
            "1.5"    "20"

    See also: char, cellstr, num2str, strings.
    """
    if form is not None:
        raise too_many_builtin_inputs()
    if value is None:
        return string_of([""])
    if isinstance(value, StringArray):
        return share(value)
    return StringArray(texts_of(value))


def _cells_of_texts(value: CellArray) -> CellArray:
    """Return a cell array of char rows of one that has strings among them.

    Raises:
        MatlabError: MATLAB:cellstr:MustContainText.
    """
    texts: list[Any] = []
    for at, item in enumerate(value.items(), 1):
        found = maybe_text(item)
        if found is None:
            raise MatlabError(
                "MATLAB:cellstr:MustContainText",
                f"Element {at} is not a string scalar or character array. All elements of cell "
                "input must be string scalars or character arrays.",
            )
        texts.append(row(found))
    return cell_of(texts, value.data.shape)


@builtin("strvcat", "str2mat", family="text/classes", nargin=(1, None), effects="pure")
def strvcat(*inputs: Any) -> Any:
    """Stack text as the rows of a char array.

    S = strvcat(t1, ..., tn) pads with blanks and skips empty inputs. char keeps them.

    Examples:
        >> strvcat('one', '', 'three')
        ans =
          2×5 char array
            'one  '
            'three'

    See also: char, strcat.
    """
    lines = [line for value in inputs for line in _lines(value) if line]
    return char_rows(lines) if lines else CharArray("")


@builtin("cellstr", family="text/classes", effects="pure")
def cellstr(value: Any) -> Any:
    """Convert to a cell array of character vectors.

    C = cellstr(A) puts each row of a char array, without trailing blanks, or each element of a
    string array into a cell.

    Examples:
        >> cellstr(['ab '; 'cde'])
        ans =
          2×1 cell array
            {'ab' }
            {'cde'}

    See also: char, string, iscellstr.
    """
    if isinstance(value, CharArray):
        lines = [line.rstrip(" \t\n\v\f\r\0") for line in value.rows()]
        return cell_column(CharArray(line) for line in lines or [""])
    if isinstance(value, StringArray):
        texts = [row(string_text(item)) for item in elements(value)]
        return cell_of(texts, value.data.shape)
    if isinstance(value, CellArray):
        return share(value) if is_cellstr(value) else _cells_of_texts(value)
    if class_of(value) == "double" and size_of(value) == (0, 0):
        return cell_of([CharArray("")], (1, 1))
    raise MatlabError(
        "MATLAB:cellstr:MustContainText",
        f"Conversion to cellstr from {class_of(value)} is not possible.",
    )


@builtin("ischar", "isstr", family="text/classes", effects="pure", pending="keep")
def ischar(value: Any) -> bool:
    """Whether a value is a char array.

    tf = ischar(A) is false for strings and cell arrays.

    Examples:
        >> ischar('abc')
        ans =
          logical
           1

    See also: isstring, iscellstr, isa.
    """
    return isinstance(value, CharArray)


@builtin("isstring", family="text/classes", effects="pure", pending="keep")
def isstring(value: Any) -> bool:
    """Whether a value is a string array.

    tf = isstring(A) is false for char arrays.

    Examples:
        >> isstring("abc")
        ans =
          logical
           1

    See also: ischar, isStringScalar, string.
    """
    return isinstance(value, StringArray)


@builtin("iscellstr", family="text/classes", effects="pure", pending="keep")
def iscellstr(value: Any) -> bool:
    """Whether a value is a cell array of character vectors.

    tf = iscellstr(C) is true when every element is a char row vector or empty char array.

    Examples:
        >> iscellstr({'a', 'b'})
        ans =
          logical
           1

    See also: ischar, cellstr, iscell.
    """
    return isinstance(value, CellArray) and all(
        isinstance(item, CharArray) for item in elements(value)
    )


@builtin("isStringScalar", family="text/classes", effects="pure")
def isStringScalar(value: Any) -> bool:
    """Whether a value is a string array of one element.

    tf = isStringScalar(A) is false for char vectors.

    Examples:
        >> isStringScalar("abc")
        ans =
          logical
           1

    See also: isstring, isscalar.
    """
    return isinstance(value, StringArray) and value.data.size == 1


@builtin("strings", family="text/classes", nargin=(0, None), effects="pure")
def strings(*sizes: Any) -> Any:
    """A string array of empty strings.

    S = strings(n) is n-by-n; S = strings(m, n, ...) and S = strings([m n ...]) have that size.

    Examples:
        >> strings(1, 2)
        ans =
          1×2 string array
            ""    ""

    See also: string, cell, zeros.
    """
    shape = shape_from(sizes)
    check_size(shape, 8)
    return string_of([""] * int(np.prod(shape)), shape)


@builtin("missing", family="text/classes", effects="pure")
def missing() -> Any:
    """The string that holds no text.

    m = missing is what a string array shows as <missing>.

    Examples:
        >> ismissing(missing)
        ans =
          logical
           1

    See also: ismissing, string, NaN.
    """
    return StringArray(object_array([MISSING], (1, 1)))


@builtin("isspace", family="text/classes", effects="pure")
def isspace(value: Any) -> Any:
    """Where text has white space.

    TF = isspace(A) is true for blanks, tabs, newlines, returns, vertical tabs and form feeds.

    Examples:
        >> isspace('a b')
        ans =
          1×3 logical array
           0   1   0

    See also: isletter, isstrprop, strtrim.
    """
    return _classify(value, _KINDS["wspace"])


@builtin("isletter", family="text/classes", effects="pure")
def isletter(value: Any) -> Any:
    """Where text has letters.

    TF = isletter(A) has the size of A.

    Examples:
        >> isletter('a1b')
        ans =
          1×3 logical array
           1   0   1

    See also: isspace, isstrprop.
    """
    return _classify(value, str.isalpha)


def _is_graphic(char: str) -> bool:
    return not char.isspace() and (char.isprintable() or ord(char) > 0xFFFF)


_KINDS = {
    "alpha": str.isalpha,
    "alphanum": str.isalnum,
    "digit": str.isdigit,
    "lower": str.islower,
    "upper": str.isupper,
    "wspace": lambda char: char in " \t\n\v\f\r\x85\u2028\u2029",
    "punct": lambda char: _is_graphic(char) and not char.isalnum(),
    "cntrl": lambda char: ord(char) < 32 or 127 <= ord(char) < 160,
    "graphic": _is_graphic,
    "print": lambda char: char == " " or _is_graphic(char),
    "xdigit": lambda char: char in "0123456789abcdefABCDEF",
}
_KINDS["alnum"] = _KINDS["alphanum"]
_KINDS["space"] = _KINDS["wspace"]
_KINDS["graph"] = _KINDS["graphic"]


#: Up to this many characters of a row are looked at one by one.
_FEW = 128


def _classify(value: Any, test: Any) -> Any:
    """`test` for each character; false throughout for what is not text."""
    if isinstance(value, CharArray):
        content = value.content
        if content.__class__ is str and 1 < len(content) <= _FEW and content.isascii():
            return logical_array([test(char) for char in content], (1, len(content)))
        return test(content) if value.is_one else from_numpy(_flags(value.data, test))
    if isinstance(value, StringArray) and value.data.size == 1:
        text = string_text(value.data.flat[0])
        return logical_array([test(char) for char in text], (1, len(text)))
    if isinstance(value, CellArray | StringArray):
        items = [_classify(_as_char(item), test) for item in elements(value)]
        return CellArray(object_array(items, value.data.shape))
    return from_numpy(np.zeros(size_of(value), dtype=bool))


def _flags(units: NDArray[np.uint16], test: Any) -> NDArray[np.bool_]:
    """`test` for each code unit; called once for each different one where there are many."""
    if units.size <= _FEW:
        flags = [test(chr(code)) for code in units.ravel(order="F").tolist()]
        return np.array(flags, np.bool_).reshape(units.shape, order="F")
    places: NDArray[Any] = units
    codes = np.arange(units.max(initial=0) + 1)
    if codes.size > max(units.size, 128):
        codes, places = np.unique(units, return_inverse=True)
    table = np.fromiter((test(chr(code)) for code in codes.tolist()), np.bool_, codes.size)
    found: NDArray[np.bool_] = table[places.reshape(units.shape)]
    return found


def _as_char(item: Any) -> Any:
    return row(item) if isinstance(item, str) else item


@builtin("isstrprop", family="text/classes", nargin=(2, 4), effects="pure")
def isstrprop(value: Any, kind: Any, *options: Any) -> Any:
    """Where characters are of a kind.

    TF = isstrprop(str, category) takes 'alpha', 'alphanum', 'cntrl', 'digit', 'graphic', 'lower',
    'print', 'punct', 'upper', 'wspace' or 'xdigit'. Cell and string arrays give cell arrays.

    Examples:
        >> isstrprop('a1 B', 'upper')
        ans =
          1×4 logical array
           0   0   0   1

    See also: isletter, isspace, ischar.
    """
    error = MatlabError(
        "MATLAB:isstrprop:UnknownCategory", "The category of characters is not known."
    )
    test = _KINDS.get(scalar_text(kind, error).lower())
    if test is None:
        raise error
    if maybe_text(value) is None and class_of(value) in DTYPE:
        value = CharArray(_codes(value))
    if isinstance(value, StringArray) and value.data.size == 1 and options:
        return CellArray(object_array([_classify(value, test)], (1, 1)))
    return _classify(value, test)
