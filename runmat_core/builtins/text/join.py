"""Putting text together: strcat, strjoin, join, append, plus compose."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import (
    MatlabError,
    too_many_builtin_inputs,
    too_many_builtin_outputs,
)
from runmat_core.builtins.arguments import dimension
from runmat_core.builtins.cells.support import scalars
from runmat_core.builtins.text.support import (
    container_shape,
    elements,
    row,
    scalar_text,
    string_of,
    string_text,
    text_list,
)
from runmat_core.values import (
    DTYPE,
    MISSING,
    CellArray,
    CharArray,
    StringArray,
    char,
    class_of,
    numel_of,
    share,
    size_of,
)
from runmat_core.values.cell import object_array
from runmat_core.values.char import char_rows, units_of
from runmat_core.values.construct import cell as cell_of
from runmat_core.values.printf import sprintf
from runmat_core.values.printf_format import unescape


def _input_error(function: str) -> MatlabError:
    return MatlabError(
        f"MATLAB:{function}:InvalidInputType",
        "Inputs must be character arrays, cell arrays of character arrays, or string arrays.",
    )


@builtin("strcat", family="text/join", nargin=(1, None), effects="pure")
def strcat(*inputs: Any) -> Any:
    """Join text side by side.

    s = strcat(s1, ..., sn) joins row by row and element by element. Trailing white space of char
    inputs is removed, that of cells and strings kept.

    Examples:
        >> strcat('a ', 'b')
        ans =
            'ab'
        >> strcat({'x', 'y'}, '1')
        ans =
          1×2 cell array
            {'x1'}    {'y1'}

    See also: append, join, strjoin, horzcat.
    """
    error = _input_error("strcat")
    if any(isinstance(v, StringArray) for v in inputs):
        return _combine(inputs, error, StringArray)
    if any(isinstance(v, CellArray) for v in inputs):
        return _combine(inputs, error, CellArray)
    lines: list[list[str]] = []
    for value in inputs:
        if isinstance(value, CharArray):
            if value.data.size:
                lines.append([line.rstrip(" \t\n\v\f\r\0") for line in value.rows()])
        elif numel_of(value):
            lines.append(CharArray(units_of(value)).rows())
    return _side_by_side(lines)


def _side_by_side(lines: list[list[str]]) -> Any:
    if not lines:
        return char("")
    height = max(map(len, lines))
    if any(len(block) not in (1, height) for block in lines):
        raise MatlabError(
            "MATLAB:catenate:dimensionMismatch",
            "Dimensions of arrays being concatenated are not consistent.",
        )
    blocks = [block * height if len(block) == 1 else block for block in lines]
    # within one input all rows have its width
    widths = [max(map(len, block)) for block in blocks]
    joined = [
        "".join(block[k].ljust(width) for block, width in zip(blocks, widths, strict=True))
        for k in range(height)
    ]
    return char(joined[0]) if height == 1 else char_rows(joined)


def _combine(inputs: tuple[Any, ...], error: MatlabError, kind: type) -> Any:
    """Join element by element; char rows and scalars extend to the size of the others."""
    shape: tuple[int, ...] = (1, 1)
    texts = []
    for value in inputs:
        pieces = _pieces(value, error)
        own = container_shape(value) if isinstance(value, CharArray) else size_of(value)
        if len(pieces) != 1:
            if shape not in ((1, 1), own):
                raise MatlabError(
                    "MATLAB:strcat:InvalidInputSize",
                    "All the inputs must be the same size or scalars.",
                )
            shape = own
        texts.append(pieces)
    count = int(np.prod(shape))
    texts = [pieces * count if len(pieces) == 1 else pieces for pieces in texts]
    joined: list[Any] = [_joined(parts) for parts in zip(*texts, strict=True)]
    if kind is StringArray:
        return StringArray(object_array([MISSING if t is None else t for t in joined], shape))
    return cell_of([char(text) for text in joined], shape)


def _pieces(value: Any, error: MatlabError) -> list[Any]:
    """Return the texts of an input; None where a string is missing."""
    if isinstance(value, StringArray):
        return [item if isinstance(item, str) else None for item in elements(value)]
    return text_list(value, error)


def _joined(parts: tuple[Any, ...]) -> Any:
    return None if None in parts else "".join(parts)


@builtin("append", family="text/join", nargin=(1, None), effects="pure")
def append(*inputs: Any) -> Any:
    """Join text, keeping blanks.

    str = append(s1, ..., sn) is strcat without the removal of white space.

    Examples:
        >> append('a ', 'b')
        ans =
            'a b'

    See also: strcat, join.
    """
    error = _input_error("append")
    if any(isinstance(v, StringArray) for v in inputs):
        return _combine(inputs, error, StringArray)
    if any(isinstance(v, CellArray) for v in inputs):
        return _combine(inputs, error, CellArray)
    return row("".join(scalar_text(value, error) for value in inputs))


@builtin("strjoin", family="text/join", nargin=(1, 2), effects="pure")
def strjoin(texts: Any, delimiter: Any = None) -> Any:
    """Join the elements of a cell or string array into one text.

    str = strjoin(C) puts a blank between elements.
    str = strjoin(C, delimiter) puts the delimiter, whose escapes such as \\n are processed, or
    the delimiters in a cell array with one element less than C.

    Examples:
        >> strjoin({'a', 'b', 'c'}, ', ')
        ans =
            'a, b, c'

    See also: join, strsplit, strcat.
    """
    error = MatlabError(
        "MATLAB:strjoin:InvalidCellType",
        "First input must be a string array or cell array of character vectors.",
    )
    if not isinstance(texts, CellArray | StringArray):
        raise error
    pieces = text_list(texts, error)
    delimiter_error = MatlabError(
        "MATLAB:strjoin:InvalidDelimiterType",
        "Delimiter must be a string, character vector, or cell array of character vectors.",
    )
    if isinstance(delimiter, CellArray):
        between = text_list(delimiter, delimiter_error)
        if len(between) != len(pieces) - 1:
            raise MatlabError(
                "MATLAB:strjoin:WrongNumberOfDelimiterElements",
                "Number of delimiters must equal one less than the number of elements in C.",
            )
        joined = pieces[0] + "".join(
            mark + piece for mark, piece in zip(between, pieces[1:], strict=True)
        )
    else:
        mark = " " if delimiter is None else unescape(scalar_text(delimiter, delimiter_error))
        joined = mark.join(pieces)
    if isinstance(texts, StringArray):
        return string_of([joined])
    return char(joined)


@builtin(
    "join", family="text/join", nargin=(1, None), nargout=2, needs=("nargout",), effects="pure"
)
def join(texts: Any, *options: Any, nargout: int = 1) -> Any:
    """Join the elements of text along a dimension.

    newStr = join(str) joins with a blank along the last dimension of more than one element.
    newStr = join(str, delimiter, dim) takes another delimiter and dimension.

    Examples:
        >> join(["a" "b"; "c" "d"], "-")
        ans =
          2×1 string array
            "a-b"
            "c-d"

    See also: strjoin, split, append.
    """
    error = _input_error("join")
    if len(options) > 2:
        raise too_many_builtin_inputs()
    if nargout > 1:
        raise too_many_builtin_outputs()
    if isinstance(texts, CharArray):
        return share(texts)
    if not isinstance(texts, CellArray | StringArray):
        raise error
    mark, axis = " ", None
    for option in options:
        if isinstance(option, float):
            axis = dimension(option)
        else:
            mark = scalar_text(option, error)
    shape = texts.data.shape
    if axis is None:
        axis = max((k for k, extent in enumerate(shape) if extent != 1), default=0)
    if isinstance(texts, StringArray):
        words = object_array([string_text(item) for item in elements(texts)], shape)
    else:
        words = object_array(text_list(texts, error), shape)
    if axis >= len(shape):
        return share(texts)
    moved = np.moveaxis(words, axis, -1)
    rest = list(shape)
    rest[axis] = 1
    lead = moved.reshape((-1, shape[axis]), order="F") if words.size else moved.reshape((0, 0))
    joined = [mark.join(line.tolist()) for line in lead] if words.size else [""]
    size = tuple(rest) if words.size else (1, 1)
    if isinstance(texts, StringArray):
        return string_of(joined, size)
    return cell_of([char(text) for text in joined], size)


@builtin("compose", family="text/join", nargin=(1, None), effects="pure")
def compose(format_: Any, *arrays: Any) -> Any:
    """Format data into a text for each row.

    str = compose(formatSpec, A1, ..., An) formats each row of the arrays side by side.
    str = compose(txt) only processes escapes such as \\n.

    Examples:
        >> compose("%d is %s", [1; 2], ["one"; "two"])
        ans =
          2×1 string array
            "1 is one"
            "2 is two"

    See also: sprintf, join, string.
    """
    error = _input_error("compose")
    formats = text_list(format_, error)
    if not arrays:
        return _composed(format_, [unescape(text) for text in formats], container_shape(format_))
    if len(formats) != 1:
        raise MatlabError(
            "MATLAB:string:compose:FormatMustBeScalar",
            "The format must be one text where there are data to format.",
        )
    tables = [_table(array, error) for array in arrays]
    height = max(table.shape[0] for table in tables)
    if any(table.shape[0] not in (1, height) for table in tables):
        raise MatlabError(
            "MATLAB:string:compose:DimensionMismatch",
            "The arrays to format must have the same number of rows.",
        )
    per_text = max(formats[0].replace("%%", "").count("%"), 1)
    lines = []
    for k in range(height):
        values = [v for table in tables for v in table[min(k, table.shape[0] - 1)].tolist()]
        groups = [values[at : at + per_text] for at in range(0, len(values), per_text)]
        lines.append([sprintf(formats[0], group) for group in groups or [[]]])
    width = len(lines[0]) if lines else 0
    flat = [lines[k][j] for j in range(width) for k in range(height)]
    return _composed(format_, flat, (height, width))


def _table(array: Any, error: MatlabError) -> Any:
    """Return the elements of an array as an object matrix of values to format."""
    shape = size_of(array)
    if isinstance(array, CharArray):
        lines = [char(line) for line in array.rows()] or [char("")]
        return object_array(lines, (len(lines), 1))
    if isinstance(array, StringArray):
        items: list[Any] = [string_of([string_text(item)]) for item in elements(array)]
    elif isinstance(array, CellArray):
        items = array.items()
    elif class_of(array) in DTYPE:
        items = scalars(array)
    else:
        raise error
    return object_array(items, (shape[0], int(np.prod(shape[1:]))))


def _composed(model: Any, texts: list[str], shape: tuple[int, ...]) -> Any:
    if isinstance(model, StringArray):
        return string_of(texts, shape)
    return cell_of([char(text) for text in texts], shape)
