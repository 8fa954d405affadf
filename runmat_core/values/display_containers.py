"""Display of cells, structs, handles and the objects that hold other values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np

from runmat_core.values.base import Complex
from runmat_core.values.classes import DTYPE
from runmat_core.values.display_format import DisplayFormat
from runmat_core.values.display_inline import (
    clipped,
    clipped_in_array,
    is_row,
    number_texts,
    numeric_vector,
    one_line,
    quoted_string,
    summary,
)
from runmat_core.values.display_matrix import (
    Shown,
    array_header,
    empty_header,
    paged,
    size_text,
    wrap_columns,
    writer,
)
from runmat_core.values.format_number import scalar_text

#: Longest row vector written out inside a cell.
CELL_VECTOR_LIMIT = 60


@attrs.frozen
class Inline:
    """A value on one line.

    Attributes:
        opening: what precedes padding that aligns the text on the right (``[`` of numbers).
        text: the text itself.
        closing: what follows padding that aligns the text on the left.
    """

    opening: str
    text: str
    closing: str = ""
    numeric: bool = False

    def __len__(self) -> int:
        return len(self.opening) + len(self.text) + len(self.closing)

    def padded(self, width: int) -> str:
        pad = " " * (width - len(self))
        if self.numeric:
            return f"{self.opening}{pad}{self.text}{self.closing}"
        return f"{self.opening}{self.text}{pad}{self.closing}"

    def __str__(self) -> str:
        return f"{self.opening}{self.text}{self.closing}"


def _as_array(value: Any) -> np.ndarray | None:
    """Return the buffer of a dense numeric or logical value, None for other values."""
    if isinstance(value, bool | float | complex):
        return np.array([[value]])
    if value.class_name in DTYPE and not getattr(value, "is_sparse", False):
        data: np.ndarray = value.data
        return data
    return None


def in_cell(value: Any, fmt: DisplayFormat, columns: int = 1) -> Inline:
    """Return a value between the braces of the display of a cell array with that many columns."""
    if value.__class__ is float:
        return Inline("[", scalar_text(value, fmt.style).strip(), "]", numeric=True)
    data = _as_array(value)
    if data is not None:
        text = numeric_vector(data, fmt, CELL_VECTOR_LIMIT)
        if text is not None:
            return Inline("[", text, "]", numeric=True)
        class_name = "double" if isinstance(value, float | Complex) else value.class_name
        return Inline("", summary(data.shape, class_name))
    class_name, shape = value.class_name, value.shape
    if class_name == "char" and is_row(shape):
        shown = clipped_in_array(one_line(value.text()), columns, fmt.width)
        return Inline("", f"'{shown}'")
    if class_name == "string" and value.data.size == 1:
        item = value.data.reshape(-1)[0]
        return Inline("[", quoted_string(item, columns, fmt.width), "]")
    if class_name == "function_handle":
        return Inline("", handle_text(value))
    inline = getattr(value, "inline", None)
    if inline is not None:
        return Inline(
            "", f"[{inline(fmt)}]" if math.prod(shape) == 1 else summary(shape, class_name)
        )
    return Inline("", summary(shape, class_name))


def in_field(value: Any, fmt: DisplayFormat, limit: int) -> str:
    """Return a value after the colon of a field, in at most about `limit` characters."""
    data = _as_array(value)
    if data is not None:
        return _numeric_field(value, data, fmt, limit)
    class_name, shape = value.class_name, value.shape
    if class_name == "char":
        if shape == (0, 0):
            return "''"
        if not is_row(shape):
            return _bracketed(shape, class_name)
        return "'" + clipped(one_line(value.text()), limit - 2) + "'"
    if class_name == "string" and (value.data.size == 1 or is_row(shape)):
        items = [quoted_string(item) for item in value.data.reshape(-1).tolist()]
        text = items[0] if len(items) == 1 else "[" + "    ".join(items) + "]"
        return text if len(text) <= limit or len(items) == 1 else _bracketed(shape, class_name)
    if class_name == "cell":
        return _cell_field(value, fmt, limit)
    if class_name == "function_handle":
        return handle_text(value)
    inline = getattr(value, "inline", None)
    if inline is not None and math.prod(shape) == 1:
        return str(inline(fmt))
    return _bracketed(shape, class_name)


def _numeric_field(value: Any, data: np.ndarray, fmt: DisplayFormat, limit: int) -> str:
    if data.size == 1:
        return number_texts(data, fmt)[0]
    class_name: str = value.class_name
    if data.shape == (0, 0) and class_name == "double":
        return "[]"
    text = numeric_vector(data, fmt, limit - 2)
    return _bracketed(data.shape, class_name) if text is None else f"[{text}]"


def _bracketed(shape: tuple[int, ...], class_name: str) -> str:
    return f"[{summary(shape, class_name)}]"


def _cell_field(value: Any, fmt: DisplayFormat, limit: int) -> str:
    shape = value.shape
    if shape == (0, 0):
        return "{}"
    if is_row(shape) and shape[1] <= limit:
        texts = []
        for item in value.data.reshape(-1):
            data = _as_array(item)
            if data is not None and data.size == 1:
                texts.append(f"[{number_texts(data, fmt)[0]}]")
            elif data is None and item.class_name == "cell":
                texts.append("{" + summary(item.shape, "cell") + "}")
            else:
                texts.append(in_field(item, fmt, limit))
        text = "{" + "  ".join(texts) + "}"
        if len(text) <= limit:
            return text
    return "{" + summary(shape, "cell") + "}"


def handle_text(value: Any) -> str:
    """``@sin`` or ``@(x)x+1``."""
    source = getattr(value, "source", None) or value.name
    return str(source) if str(source).startswith("@") else f"@{source}"


@writer("cell")
def _cell(name: str, value: Any, fmt: DisplayFormat) -> Shown:
    data = value.data
    if data.size == 0:
        return Shown("", empty_header(data.shape, "cell", "array"))

    def write(page: np.ndarray) -> str:
        columns = [[in_cell(item, fmt, page.shape[1]) for item in column] for column in page.T]
        widths = [max(map(len, column)) for column in columns]
        rows = []
        for cells in zip(*columns, strict=True):
            row = [f"    {{{c.padded(w)}}}" for c, w in zip(cells, widths, strict=True)]
            rows.append(row)
        return wrap_columns(rows, [w + 6 for w in widths], fmt)

    header = f"  {size_text(data.shape)} cell array"
    if data.ndim > 2:
        return Shown(paged(name, data, write, fmt), header, is_paged=True)
    return Shown(write(data), header)


@writer("struct")
def _struct(name: str, value: Any, fmt: DisplayFormat) -> Shown:
    names = list(value.field_names())
    shape = value.shape
    if shape == (1, 1):
        if not names:
            return Shown("", "  struct with no fields.", is_object=True, disp_header=True)
        fields = list(value.records()[0].items())
        return Shown(field_lines(fields, fmt), "  struct with fields:", is_object=True)
    kind = "empty struct array" if 0 in shape else "struct array"
    size = f"  {size_text(shape)} {kind}"
    if not names:
        return Shown("", f"{size} with no fields.", is_object=True, disp_header=True)
    lines = "".join([f"    {field}\n" for field in names])
    return Shown(lines, f"{size} with fields:", is_object=True, disp_header=True)


def field_lines(fields: Sequence[tuple[str, Any]], fmt: DisplayFormat) -> str:
    """One line a field, the names aligned on their colons."""
    widest = max(len(field) for field, _ in fields) + 4
    limit = max(fmt.width - widest - 2, 20)
    lines = [f"{field.rjust(widest)}: {_after_colon(item, fmt, limit)}\n" for field, item in fields]
    return "".join(lines)


def _after_colon(value: Any, fmt: DisplayFormat, limit: int) -> str:
    """`in_field`, with the first elements of a row of numbers that does not fit."""
    data = getattr(value, "data", None)
    if not isinstance(data, np.ndarray) or data.dtype.kind not in "biufc" or not is_row(data.shape):
        return in_field(value, fmt, limit)
    whole = in_field(value, fmt, limit)
    size = _bracketed(data.shape, value.class_name)
    if whole != size:
        return whole
    closing = f" … ] ({size[1:-1]})"
    texts = number_texts(data[:, :limit], fmt)
    ends = np.cumsum([len(text) + 1 for text in texts])  # each after a bracket or a blank
    count = int(np.searchsorted(ends, limit - len(closing), side="right"))
    return f"[{' '.join(texts[:count])}{closing}" if count else size


@writer("function_handle")
def _handle(name: str, value: Any, fmt: DisplayFormat) -> Shown:
    return Shown(f"    {handle_text(value)}\n", "  function_handle with value:")


def property_text(item: Any, fmt: DisplayFormat) -> str:
    """Return the value of a property: as in a field, but for text, which is shown whole."""
    if _as_array(item) is None and item.class_name == "char" and is_row(item.shape):
        return f"'{item.text()}'"
    return in_field(item, fmt, fmt.width)


def property_lines(properties: Sequence[tuple[str, str]]) -> str:
    """One line a property, the names aligned on their colons."""
    widest = max(len(label) for label, _ in properties) + 4
    return "".join([f"{label.rjust(widest)}: {text}\n" for label, text in properties])


@writer("containers.Map")
def _map(name: str, value: Any, fmt: DisplayFormat) -> Shown:
    lines = property_lines(
        [
            ("Count", str(len(value))),
            ("KeyType", value.key_type),
            ("ValueType", value.value_type),
        ]
    )
    return Shown(lines, "  Map with properties:", is_object=True, disp_header=True)


@writer("object", "MException")
def _object(name: str, value: Any, fmt: DisplayFormat) -> Shown:
    """Return an object with properties; of the class names MATLAB shows the last part."""
    class_name = value.class_name.rpartition(".")[2]
    labels = getattr(value, "properties", ())
    if not labels:
        return Shown("", f"  {class_name} with no properties.", is_object=True, disp_header=True)
    lines = property_lines([(k, property_text(value.field(k), fmt)) for k in labels])
    header = f"  {class_name} with properties:"
    return Shown(lines, header, is_object=True, disp_header=True)


@writer("dictionary")
def _dictionary(name: str, value: Any, fmt: DisplayFormat) -> Shown:
    entries = list(value.pairs())
    if value.key_type is None:
        return Shown("", "  dictionary with unset key and value types.", disp_header=True)
    types = f"  dictionary ({value.key_type} ⟼ {value.value_type})"
    if not entries:
        return Shown("", f"{types} with no entries.", disp_header=True)
    keys = [_entry(key, fmt) for key, _ in entries]
    widest = max(map(len, keys))
    lines = [
        f"    {key.ljust(widest)} ⟼ {_entry(item, fmt)}\n"
        for key, (_, item) in zip(keys, entries, strict=True)
    ]
    count = "1 entry" if len(entries) == 1 else f"{len(entries)} entries"
    return Shown("".join(lines), f"{types} with {count}:", disp_header=True)


def _entry(item: Any, fmt: DisplayFormat) -> str:
    data = _as_array(item)
    if data is not None and data.size == 1:
        return number_texts(data, fmt)[0]
    if data is None and item.class_name == "cell":
        return "{" + str(in_cell(item.data.reshape(-1)[0], fmt)) + "}"
    if data is None and item.class_name == "struct":
        return f"{size_text(item.shape)} struct"
    return in_field(item, fmt, fmt.width)


__all__ = ["array_header", "field_lines", "handle_text", "in_cell", "in_field"]
