"""jsonencode and jsondecode."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.files.json_numbers import parse_json
from runmat_core.builtins.text.convert import valid_name
from runmat_core.builtins.text.support import (
    maybe_text,
    option_pairs,
    row,
    scalar_text,
)
from runmat_core.values import (
    Array,
    CellArray,
    CharArray,
    StringArray,
    StructArray,
    char,
    class_of,
    from_numpy,
    to_numpy,
    truth,
)
from runmat_core.values.array_object import ArrayObject
from runmat_core.values.bulk import Uncollected
from runmat_core.values.cell import cell_column, empty_double, object_array
from runmat_core.values.char import from_units
from runmat_core.values.dictionary import Dictionary
from runmat_core.values.map import MapObject
from runmat_core.values.object import ObjectValue
from runmat_core.values.struct import struct_array
from runmat_core.values.tables.table import Table

#: Whole numbers below this are written without a point.
_WHOLE = 1e15


class _Encoder:
    """Writes values as JSON text."""

    def __init__(self, convert_inf_nan: bool) -> None:
        self.convert_inf_nan = convert_inf_nan

    def encode(self, value: Any) -> Any:
        """Return a Python object for `json.dumps`: whole numbers are integers."""
        if isinstance(value, bool):
            return value
        if isinstance(value, float):
            return self.number(value)
        if isinstance(value, CharArray):
            return self.chars(value)
        if isinstance(value, StringArray):
            return self.nested(value.data, lambda item: item if isinstance(item, str) else None)
        if isinstance(value, CellArray):
            return [self.encode(item) for item in value.items()]
        if isinstance(value, StructArray):
            records = [
                {name: self.encode(item) for name, item in record.items()}
                for record in value.records()
            ]
            if value.shape == (1, 1):
                return records[0]
            return self.nested(object_array(records, value.shape), lambda record: record)
        if isinstance(value, Array):
            return self.numbers(value)
        if isinstance(value, MapObject | Dictionary):
            return {_key(key): self.encode(item) for key, item in value.pairs()}
        if isinstance(value, ArrayObject):
            return self.encode(StringArray(value.element_texts()))
        if isinstance(value, Table):
            rows = [value.rows(np.array([k])) for k in range(value.shape[0])]
            times = [value.data.dimensions[0]] if value.data.row_times is not None else []
            return [
                {n: self.encode(_content(row.column(n))) for n in (*times, *row.names)}
                for row in rows
            ]
        if isinstance(value, ObjectValue):
            names = value.field_names()
            return {name: self.encode(value.get_property(name)) for name in names}
        raise MatlabError(
            "MATLAB:json:UnsupportedType",
            f"Unable to encode objects of class '{class_of(value)}' as JSON-formatted text.",
        )

    def chars(self, value: CharArray) -> Any:
        if value.is_row or 0 in value.shape:
            return value.text()
        if len(value.shape) == 2:
            return value.rows()
        # the second dimension is that of the texts
        lines = np.moveaxis(value.data, 1, -1)
        texts = np.empty(lines.shape[:-1], object)
        for at in np.ndindex(texts.shape):
            texts[at] = from_units(lines[at].reshape(1, -1)).text()
        return self.nested(texts, lambda text: text)

    def numbers(self, value: Any) -> Any:
        data = np.asarray(to_numpy(value))
        if data.dtype.kind == "c":
            raise MatlabError(
                "MATLAB:json:ComplexNotSupported", "Complex numbers cannot be encoded as JSON."
            )
        if data.dtype.kind == "f":
            data = self.rounded(data.astype(np.float64))
        return self.nested(data, lambda item: item)

    def rounded(self, data: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Return `data` with what `number` makes of the elements."""
        finite = np.isfinite(data)
        whole = finite & (np.abs(data) < _WHOLE) & (data == np.rint(data))
        if whole.all():
            return data.astype(np.int64)
        if finite.all() and not whole.any():
            return data
        made = data.astype(object)
        made[whole] = data[whole].astype(np.int64)
        if self.convert_inf_nan:
            made[~finite] = None
        return made

    def number(self, number: float) -> Any:
        if not math.isfinite(number):
            return None if self.convert_inf_nan else number
        return int(number) if number.is_integer() and abs(number) < _WHOLE else number

    def nested(self, data: np.ndarray[Any, Any], item: Any) -> Any:
        """Vectors as one list, arrays row by row in lists of lists."""
        if data.size == 1:
            return item(data.item())
        if data.size == max(data.shape):
            return [item(element) for element in data.ravel(order="F").tolist()]
        if data.ndim == 2 and data.size == 0:
            return [] if data.shape[0] == 0 else [[] for _ in range(data.shape[0])]
        return self.lists(data, item)

    def lists(self, data: np.ndarray[Any, Any], item: Any) -> Any:
        if data.ndim == 1:
            return [item(element) for element in data.tolist()]
        return [self.lists(part, item) for part in data]


def _content(value: Any) -> Any:
    """Return what a cell of a table's row holds."""
    return value.items()[0] if isinstance(value, CellArray) and value.data.size == 1 else value


def _key(key: Any) -> str:
    text = maybe_text(key)
    return f"{float(to_numpy(key).flat[0]):g}" if text is None else text


@builtin("jsonencode", family="files/json", nargin=(1, None), effects="pure")
def jsonencode(value: Any, *options: Any) -> Any:
    """Data as JSON text.

    txt = jsonencode(data) writes structs as objects, cells and arrays as arrays, rows of a matrix
    as arrays within one. NaN and Inf become null.
    txt = jsonencode(data, 'ConvertInfAndNaN', false) writes NaN and Infinity instead.
    txt = jsonencode(data, 'PrettyPrint', true) indents.

    Examples:
        >> jsonencode(struct('a', [1 2 3], 'b', 'x'))
        ans =
            '{"a":[1,2,3],"b":"x"}'

    See also: jsondecode.
    """
    error = MatlabError("MATLAB:json:UnknownOption", "Unknown or incomplete jsonencode option.")
    chosen = option_pairs(options, {"ConvertInfAndNaN": "convert", "PrettyPrint": "pretty"}, error)
    convert, pretty = (truth(chosen.get(k, d)) for k, d in (("convert", True), ("pretty", False)))
    return row(encode_json(value, convert, pretty))


def encode_json(value: Any, convert_inf_nan: bool, pretty: bool) -> str:
    """Return data as JSON text.

    Raises:
        MatlabError: MATLAB:json:UnsupportedType.
    """
    with Uncollected():
        made = _Encoder(convert_inf_nan).encode(value)
    if pretty:
        return json.dumps(made, ensure_ascii=False, indent=2)
    return json.dumps(made, ensure_ascii=False, separators=(",", ":"))


def _decode(value: Any) -> Any:
    """Return a MATLAB value for a parsed JSON value."""
    if isinstance(value, np.ndarray):
        return from_numpy(np.asfortranarray(value))
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return float(value)
    if isinstance(value, str):
        return char(value)
    if value is None:
        return empty_double()
    if isinstance(value, dict):
        return StructArray(_record(value))
    return _decode_list(value)


def _record(value: dict[str, Any]) -> dict[str, Any]:
    record: dict[str, Any] = {}
    for name, item in value.items():
        valid = valid_name(name, "x", "underscore")
        unique, count = valid, 0
        while unique in record:
            count += 1
            unique = f"{valid}_{count}"
        record[unique] = _decode(item)
    return record


def _decode_list(items: list[Any]) -> Any:
    if not items:
        return empty_double()
    kinds = set(map(type, items))
    if kinds <= {int, float}:
        return from_numpy(np.array(items, np.float64).reshape(-1, 1))
    if all(isinstance(item, bool) for item in items):
        return from_numpy(np.array(items).reshape(-1, 1))
    if all(_is_number(item) for item in items):
        numbers = [float("nan") if item is None else float(item) for item in items]
        return from_numpy(np.array(numbers).reshape(-1, 1))
    if all(isinstance(item, dict) for item in items):
        records = [_record(item) for item in items]
        if all(list(record) == list(records[0]) for record in records):
            return struct_array(records, (len(items), 1))
        return cell_column(map(StructArray, records))
    if all(isinstance(item, list | np.ndarray) for item in items):
        stacked = _stack(items)
        if stacked is not None:
            return stacked
    return cell_column(map(_decode, items))


def _is_number(item: Any) -> bool:
    return item is None or (isinstance(item, int | float) and not isinstance(item, bool))


def _stack(items: list[Any]) -> Any:
    """Return lists of one length, of numbers or of like structures, as rows of a matrix."""
    parts = [_decode(item) for item in items]
    if all(isinstance(part, StructArray) for part in parts):
        return _stacked_structs(parts)
    arrays = []
    for part in parts:
        kind = class_of(part)
        if kind not in ("double", "logical"):
            return None
        data = np.asarray(to_numpy(part))
        if data.size == 0:
            return None
        arrays.append(data.ravel() if data.ndim == 2 and data.shape[1] == 1 else data)
    if len({(array.shape, array.dtype) for array in arrays}) > 1:
        return None
    return from_numpy(np.asfortranarray(np.stack(arrays)))


def _stacked_structs(parts: list[StructArray]) -> StructArray | None:
    """Struct arrays of one size with the same fields as the rows of one; else None."""
    if len({(part.shape, tuple(part.field_names())) for part in parts}) > 1:
        return None
    arrays = [part.array() for part in parts]
    rows = [array.ravel() if array.shape[1:] == (1,) else array for array in arrays]
    return StructArray(np.asfortranarray(np.stack(rows)), parts[0].field_names())


@builtin("jsondecode", family="files/json", effects="pure")
def jsondecode(text: Any) -> Any:
    """Data from JSON text.

    value = jsondecode(txt) makes structs of objects, columns of arrays of numbers, matrices of
    arrays of them, struct arrays of arrays of objects with the same names, and cell arrays of the
    rest. null is NaN among numbers and else [].

    Examples:
        >> s = jsondecode('{"a": [1, 2], "b": "x"}')
        s =
          struct with fields:
            a: [2×1 double]
            b: 'x'

    See also: jsonencode.
    """
    error = MatlabError(
        "MATLAB:json:ExpectedText", "JSON text must be a character vector or string scalar."
    )
    return decode_json(scalar_text(text, error))


def decode_json(source: str) -> Any:
    """Return the value of JSON text.

    Raises:
        MatlabError: the text is not JSON.
    """
    try:
        return _decode(parse_json(source))
    except (json.JSONDecodeError, RecursionError) as problem:
        raise json_error(problem) from None


def json_error(problem: json.JSONDecodeError | RecursionError) -> MatlabError:
    """Return what is wrong with a text that is no JSON, or that is nested too deeply."""
    if isinstance(problem, RecursionError):
        return MatlabError("MATLAB:recursionLimit", "The JSON text is nested too deeply.")
    return MatlabError(
        "MATLAB:json:ExpectedLiteral",
        f"JSON syntax error at line {problem.lineno}, column {problem.colno} (character "
        f"{problem.pos + 1}): {problem.msg[:1].lower()}{problem.msg[1:]}.",
    )
