"""From one kind of text to the other, wherever it stands: for functions that take both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError, not_enough_inputs
from runmat_core.builtins.text.support import elements, is_cellstr, row, string_of, string_text
from runmat_core.values import CellArray, CharArray, StringArray, StructArray, share
from runmat_core.values.cell import object_array

Conversion = Callable[[Any], Any]


def _one_each(name: str, convert: Conversion, values: tuple[Any, ...], nargout: int) -> Any:
    """Each value converted: there are as many outputs as inputs."""
    if not values:
        raise not_enough_inputs()
    if nargout > 1 and nargout != len(values):
        raise MatlabError(
            f"MATLAB:{name}:InputsMustMatchOutputs",
            "The number of outputs must match the number of inputs.",
        )
    converted = tuple(convert(value) for value in values[: max(nargout, 1)])
    return converted if nargout > 1 else converted[0]


def _to_chars(value: Any) -> Any:
    """Return a string as char, an array of strings as a cell array; missing strings are empty."""
    if not isinstance(value, StringArray):
        return share(value)
    texts = [string_text(item) if isinstance(item, str) else "" for item in elements(value)]
    lines = [row(text) if text else CharArray("") for text in texts]
    return lines[0] if value.data.size == 1 else CellArray(object_array(lines, value.data.shape))


def _to_strings(value: Any) -> Any:
    """Char, whose rows are read by columns, as one string; a cellstr as an array of strings."""
    if isinstance(value, CharArray):
        codes = np.asarray(value.data).ravel(order="F").astype("<u2")
        return string_of([codes.tobytes().decode("utf-16-le", "surrogatepass")])
    if is_cellstr(value):
        texts = [_to_strings(item).data.flat[0] for item in elements(value)]
        return StringArray(object_array(texts, value.data.shape))
    return share(value)


def _contained(value: Any) -> Any:
    """Strings as char at every level of cells and structs."""
    if isinstance(value, CellArray):
        return CellArray(object_array([_contained(v) for v in elements(value)], value.data.shape))
    if isinstance(value, StructArray):
        if isinstance(value.data, dict):
            return StructArray({key: _contained(item) for key, item in value.data.items()})
        inside = [{key: _contained(v) for key, v in one.items()} for one in value.data.flat]
        return _with_elements(value, inside)
    return _to_chars(value)


def _with_elements(value: StructArray, inside: list[dict[str, Any]]) -> Any:
    """Return a struct array like another with other elements, of the same size and fields."""
    result = share(value)
    data = np.empty(value.data.shape, object, order="F")
    for place, one in zip(np.ndindex(data.shape), inside, strict=True):
        data[place] = one
    result.data = data
    return result


@builtin("convertStringsToChars", family="text/kinds", nargin=(0, None), nargout=None,
         needs=("nargout",), effects="pure")  # fmt: skip
def convertStringsToChars(*values: Any, nargout: int) -> Any:
    """Strings as char, everything else as it is.

    B = convertStringsToChars(A) makes a char vector of a string and a cell array of char vectors of
    an array of strings; missing strings become empty
    [B1, ..., Bn] = convertStringsToChars(A1, ..., An)

    Examples:
        >> convertStringsToChars("abc")
        ans =
            'abc'
        >> [a, b] = convertStringsToChars(["x" "yz"], 3)
        a =
          1×2 cell array
            {'x'}    {'yz'}
        b =
             3

    See also: convertCharsToStrings, convertContainedStringsToChars, cellstr.
    """
    return _one_each("convertStringsToChars", _to_chars, values, nargout)


@builtin("convertCharsToStrings", family="text/kinds", nargin=(0, None), nargout=None,
         needs=("nargout",), effects="pure")  # fmt: skip
def convertCharsToStrings(*values: Any, nargout: int) -> Any:
    """Char and cell arrays of char vectors as strings, everything else as it is.

    B = convertCharsToStrings(A) makes one string of a char array, read column by column, and an
    array of strings of a cell array of char vectors
    [B1, ..., Bn] = convertCharsToStrings(A1, ..., An)

    Examples:
        >> convertCharsToStrings('abc')
        ans =
            "abc"
        >> convertCharsToStrings({'x', 'yz'})
        ans =
          1×2 string array
            "x"    "yz"

    See also: convertStringsToChars, string.
    """
    return _one_each("convertCharsToStrings", _to_strings, values, nargout)


@builtin("convertContainedStringsToChars", family="text/kinds", nargin=(0, None), nargout=None,
         needs=("nargout",), effects="pure")  # fmt: skip
def convertContainedStringsToChars(*values: Any, nargout: int) -> Any:
    """Strings as char at every level of cell arrays and structs.

    B = convertContainedStringsToChars(A)
    [B1, ..., Bn] = convertContainedStringsToChars(A1, ..., An)

    Examples:
        >> c = convertContainedStringsToChars({"a", {"b", 2}});
        >> c{2}{1}
        ans =
            'b'

    See also: convertStringsToChars.
    """
    return _one_each("convertContainedStringsToChars", _contained, values, nargout)
