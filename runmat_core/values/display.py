"""What an unterminated statement and ``disp`` print.

Each class has a writer that gives a `Shown`; `display` and `disp` put the parts of it together with
the blank lines of the format. Writers are found by class name, so this module knows the values only
by the layout of their buffers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.values.char import decode
from runmat_core.values.deferred import settled
from runmat_core.values.display_format import DEFAULT_FORMAT, DisplayFormat
from runmat_core.values.display_inline import quoted_string
from runmat_core.values.display_matrix import (
    WRITERS,
    Shown,
    array_header,
    empty_header,
    floating,
    integers,
    padded_table,
    paged,
    writer,
)
from runmat_core.values.format_number import scalar_text


def display(name: str, value: Any, fmt: DisplayFormat = DEFAULT_FORMAT) -> str:
    """Return the text of ``name = value`` as a statement without a semicolon prints it."""
    blank = fmt.blank
    value = settled(value)
    if isinstance(value, float) and name:
        return f"{blank}{name} =\n{blank}{scalar_text(value, fmt.style)}\n{blank}"
    shown = show(name, value, fmt)
    header = f"{shown.header}\n" if shown.header else ""
    if shown.is_paged:
        return f"{blank if header else ''}{header}{shown.content}"
    heading = f"{name} {'= ' if shown.is_object else '='}\n" if name else ""
    between = blank if header and shown.content else ""
    opening = f"{blank}{heading}{blank}" if name else ""
    return f"{opening}{header}{between}{shown.content}{blank}"


def disp(value: Any, fmt: DisplayFormat = DEFAULT_FORMAT) -> str:
    """Return the text that ``disp(value)`` prints."""
    blank = fmt.blank
    value = settled(value)
    if isinstance(value, float):
        return f"{scalar_text(value, fmt.style)}\n{blank}"
    if _is_empty(value) and (value.class_name not in _EMPTY_SHOWN or _has_none(value)):
        return ""
    shown = show("", value, fmt)
    if shown.is_paged:
        return shown.content
    content = shown.content if shown.disp_content is None else shown.disp_content
    closing = blank if shown.disp_blank else ""
    if shown.disp_header and shown.header:
        between = blank if content else ""
        return f"{shown.header}\n{between}{content}{closing}"
    return f"{content}{closing}"


def show(name: str, value: Any, fmt: DisplayFormat) -> Shown:
    """Return the parts of the display of any value."""
    if isinstance(value, bool):
        return _integer(name, np.array([[value]]), "logical", fmt)
    if isinstance(value, complex | float):
        return Shown(floating(name, np.array([[value]]), fmt))
    class_name = value.class_name
    if getattr(value, "is_sparse", False):
        class_name = "sparse"
    if _has_none(value):
        return value.shown(name, fmt)  # type: ignore[no-any-return]
    found = WRITERS.get(class_name)
    if found is None:
        # their module is not needed by programs that print numbers and text
        from runmat_core.values import display_containers, display_sparse  # noqa: F401

        found = WRITERS.get(class_name)
    if found is None:
        own = getattr(value, "shown", None)
        if own is not None:
            shown: Shown = own(name, fmt)
            return shown
        found = WRITERS["object"]
    return found(name, value, fmt)


#: Classes whose empty arrays ``disp`` shows.
_EMPTY_SHOWN = frozenset({"containers.Map", "dictionary"})


def _has_none(value: Any) -> bool:
    """Whether a value is an array without elements of a class of objects that stand alone."""
    return bool(getattr(value, "stands_back", False))


def _is_empty(value: Any) -> bool:
    return not isinstance(value, bool | complex) and 0 in value.shape


@writer("double", "single")
def _floating(name: str, value: Any, fmt: DisplayFormat) -> Shown:
    data = value.data
    class_name = value.class_name
    if data.size == 0:
        if class_name == "double" and data.shape == (0, 0) and not np.iscomplexobj(data):
            return Shown("     []\n")
        prefix = "complex " if np.iscomplexobj(data) else ""
        return Shown("", empty_header(data.shape, prefix + class_name))
    header = array_header(data.shape, class_name) if class_name == "single" else ""
    return Shown(floating(name, data, fmt), header, is_paged=data.ndim > 2)


@writer("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "logical")
def _integers(name: str, value: Any, fmt: DisplayFormat) -> Shown:
    return _integer(name, value.data, value.class_name, fmt)


def _integer(name: str, data: np.ndarray, class_name: str, fmt: DisplayFormat) -> Shown:
    noun = "array" if class_name == "logical" else None
    if data.size == 0:
        return Shown("", empty_header(data.shape, class_name, noun))
    header = array_header(data.shape, class_name, noun)
    return Shown(integers(name, data, fmt), header, is_paged=data.ndim > 2)


@writer("char")
def _char(name: str, value: Any, fmt: DisplayFormat) -> Shown:
    shape = value.shape
    if 0 in shape:
        return Shown("", empty_header(shape, "char", "array"))
    if shape[0] == 1 and len(shape) == 2:
        text = value.text()
        return Shown(f"    '{_indented(text)}'\n", disp_content=f"{text}\n", disp_blank=False)
    header = array_header(shape, "char", "array")
    before, after = ("    '", "'\n") if name else ("", "\n")

    def write(page: np.ndarray) -> str:
        return "".join([f"{before}{decode(row)}{after}" for row in page])

    if len(shape) > 2:
        return Shown(paged(name, value.data, write, fmt), header, is_paged=True)
    return Shown(write(value.data), header, disp_blank=False)


def _indented(text: str) -> str:
    """`text` with its further lines below its first, behind the quote."""
    return text.replace("\n", "\n     ") if "\n" in text else text


@writer("string")
def _string(name: str, value: Any, fmt: DisplayFormat) -> Shown:
    data = value.data
    if data.size == 0:
        return Shown("", empty_header(data.shape, "string", "array"), is_object=True)
    if data.size == 1:
        item = data.reshape(-1)[0]
        text = f'"{_indented(item)}"' if isinstance(item, str) else quoted_string(item)
        bare = f"{item}\n" if isinstance(item, str) else f"    {text}\n"
        return Shown(f"    {text}\n", is_object=True, disp_content=bare, disp_blank=False)

    def write(page: np.ndarray) -> str:
        columns = page.shape[1]
        table = [
            [f"    {quoted_string(x, columns, fmt.width)}" for x in row] for row in page.tolist()
        ]
        return padded_table(table, fmt)

    header = array_header(data.shape, "string", "array")
    if data.ndim > 2:
        return Shown(paged(name, data, write, fmt), header, is_paged=True)
    return Shown(write(data), header, is_object=True)
