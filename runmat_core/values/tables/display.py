"""How a table is shown: names, lines below them, and the rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.values.array_object import ArrayObject
from runmat_core.values.cell import CellArray
from runmat_core.values.char import CharArray
from runmat_core.values.classes import DTYPE
from runmat_core.values.display import Shown
from runmat_core.values.display_containers import in_cell
from runmat_core.values.display_format import DisplayFormat
from runmat_core.values.display_inline import quoted_string, summary
from runmat_core.values.display_matrix import size_text
from runmat_core.values.indexing import size_of
from runmat_core.values.string import StringArray
from runmat_core.values.tables.frame import Frame, take_rows

_GAP = "    "


def shown(frame: Frame, class_name: str, fmt: DisplayFormat) -> Shown:
    """The parts of a table's display."""
    size = (frame.height, len(frame.columns))
    kind = "empty " if 0 in size else ""
    header = f"  {class_name}" if size == (1, 1) else f"  {size_text(size)} {kind}{class_name}"
    content = body(frame, fmt) if frame.columns else ""
    return Shown(content, header, is_object=True)


def body(frame: Frame, fmt: DisplayFormat) -> str:
    """The names, the lines below them and the rows, cut into blocks where they are too wide."""
    blocks = [_block(name, column_texts(value, fmt)) for name, value in frame.columns.items()]
    margin = _row_names(frame)
    groups: list[list[list[str]]] = [[]]
    width = len(margin[0])
    for block in blocks:
        extent = len(_GAP) + len(block[0])
        if groups[-1] and width + extent > fmt.width:
            groups.append([])
            width = len(margin[0])
        groups[-1].append(block)
        width += extent
    return fmt.blank.join(_lines(margin, group, fmt) for group in groups)


def _row_names(frame: Frame) -> list[str]:
    """What stands before the variables on each line, the two of the heading first."""
    if frame.row_times is not None:
        texts = frame.row_times.shown_texts()
        most = max(map(len, texts), default=0)
        block = _block(frame.dimensions[0], [text.ljust(most) for text in texts])
        return [f"{_GAP}{line}" for line in block]
    width = max(map(len, frame.row_names), default=-len(_GAP))
    pad = " " * (len(_GAP) + width) if frame.row_names else ""
    if not frame.row_names:
        return [""] * (frame.height + 2)
    return [pad, pad, *(f"{_GAP}{name.ljust(width)}" for name in frame.row_names)]


def _lines(margin: list[str], group: list[list[str]], fmt: DisplayFormat) -> str:
    rows = [
        start + "".join(_GAP + block[k] for block in group) + "\n" for k, start in enumerate(margin)
    ]
    return "".join(rows[:2]) + (fmt.blank if len(rows) > 2 else "") + "".join(rows[2:])


def _block(name: str, texts: list[str]) -> list[str]:
    """A variable as lines of one width: its name and its rows are centred."""
    inner = max(map(len, texts), default=0)
    width = max(len(name), inner)
    before = (width - inner) // 2
    head = (" " * ((width - len(name)) // 2) + name).ljust(width)
    rows = [(" " * before + text.ljust(inner)).ljust(width) for text in texts]
    return [head, "_" * width, *rows]


def column_texts(value: Any, fmt: DisplayFormat) -> list[str]:
    """A variable's rows as texts, aligned with each other."""
    height, width = size_of(value)[0], int(np.prod(size_of(value)[1:]))
    if isinstance(value, CharArray):
        return value.rows() if height != 1 else [value.text()]
    items = _elements(value, fmt)
    if items is None:
        return [_whole(value, k, fmt) for k in range(height)]
    columns = [items[k * height : (k + 1) * height] for k in range(width)]
    if not _on_the_left(value):
        most = max((len(text) for text in items), default=0)
        columns = [[text.rjust(most) for text in column] for column in columns]
    padded = []
    for column in columns:
        most = max(map(len, column), default=0)
        padded.append([text.ljust(most) for text in column])
    rows = [_GAP.join(row) for row in zip(*padded, strict=True)] if padded else [""] * height
    blank = min((len(row) - len(row.lstrip()) for row in rows), default=0)
    return [row[blank:] for row in rows]


def _on_the_left(value: Any) -> bool:
    if isinstance(value, ArrayObject):
        return value.class_name in ("datetime", "categorical")
    return isinstance(value, CellArray | StringArray | bool) or _is_logical(value)


def _is_logical(value: Any) -> bool:
    return getattr(value, "class_name", "") == "logical"


def _elements(value: Any, fmt: DisplayFormat) -> list[str] | None:
    """The elements in column-major order; None for classes shown by their size."""
    if isinstance(value, ArrayObject):
        return list(value.shown_texts())  # type: ignore[attr-defined]
    if isinstance(value, StringArray):
        return [quoted_string(item) for item in value.data.ravel(order="F").tolist()]
    if isinstance(value, CellArray):
        return _cells(value, fmt)
    if isinstance(value, bool):
        return ["true" if value else "false"]
    if isinstance(value, float | complex):
        return [_number(value, fmt)]
    if value.class_name not in DTYPE or getattr(value, "is_sparse", False):
        return None
    flat = value.data.ravel(order="F").tolist()
    if _is_logical(value):
        return ["true" if item else "false" for item in flat]
    return [_number(item, fmt) for item in flat]


def _cells(value: CellArray, fmt: DisplayFormat) -> list[str]:
    """Contents in braces, each column of them padded to one width."""
    found = []
    height = value.data.shape[0]
    inline = [in_cell(item, fmt) for item in value.items()]
    for k in range(0, len(inline), height or 1):
        column = inline[k : k + height]
        most = max(map(len, column), default=0)
        found += [f"{{{text.padded(most)}}}" for text in column]
    return found


def _number(value: Any, fmt: DisplayFormat) -> str:
    digits = 15 if fmt.style.startswith("long") else 5
    if isinstance(value, complex):
        sign = "-" if value.imag < 0 else "+"
        return f"{_number(value.real, fmt)}{sign}{_number(abs(value.imag), fmt)}i"
    if isinstance(value, int):
        return str(value)
    if value != value:
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "Inf" if value > 0 else "-Inf"
    return f"{value:.{digits}g}"


def _whole(value: Any, row: int, fmt: DisplayFormat) -> str:
    part = take_rows(value, np.array([row], np.intp))
    return summary(size_of(part), part.class_name)
