"""How a table is shown: names, lines below them, and the rows."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from runmat_core.values.array_object import ArrayObject
from runmat_core.values.cell import CellArray
from runmat_core.values.char import CharArray
from runmat_core.values.classes import DTYPE
from runmat_core.values.display_containers import in_cell
from runmat_core.values.display_format import DisplayFormat
from runmat_core.values.display_inline import quoted_string, summary
from runmat_core.values.display_matrix import Shown, size_text
from runmat_core.values.indexing import size_of
from runmat_core.values.string import StringArray
from runmat_core.values.tables.frame import Frame, take_rows

_GAP = "    "


def shown(frame: Frame, class_name: str, fmt: DisplayFormat) -> Shown:
    """Return the parts of a table's display."""
    size = (frame.height, len(frame.columns))
    kind = "empty " if 0 in size else ""
    header = f"  {class_name}" if size == (1, 1) else f"  {size_text(size)} {kind}{class_name}"
    content = body(frame, fmt) if frame.columns else ""
    return Shown(content, header, is_object=True)


def body(frame: Frame, fmt: DisplayFormat) -> str:
    """Return the names, the lines below them and the rows, in blocks if they are too wide."""
    blocks = [_block(name, value, fmt) for name, value in frame.columns.items()]
    margin = _row_names(frame)
    depth = max((len(block.heads) for block in blocks), default=1)
    groups: list[list[_Block]] = [[]]
    width = margin.width
    for block in blocks:
        extent = len(_GAP) + block.width
        if groups[-1] and width + extent > fmt.width:
            groups.append([])
            width = margin.width
        groups[-1].append(block)
        width += extent
    return fmt.blank.join(_lines([margin, *group], depth, fmt) for group in groups)


@attrs.frozen
class _Block:
    """What stands below each other: lines of one width.

    Attributes:
        heads: the name, and below it those of the variables of a table within the table.
        line: what stands below the names.
        gap: what stands before each line.
    """

    heads: list[str]
    line: str
    rows: list[str]
    gap: str = _GAP

    @property
    def width(self) -> int:
        return len(self.line)


def _row_names(frame: Frame) -> _Block:
    """Return what stands before the variables: times, names, or nothing."""
    if frame.row_times is not None:
        texts = frame.row_times.shown_texts()
        most = max(map(len, texts), default=0)
        block = _framed(frame.dimensions[0], [], [text.ljust(most) for text in texts])
        return attrs.evolve(block, line=_GAP + block.line, gap="", **_indented(block))
    if not frame.row_names:
        return _Block([""], "", [""] * frame.height, "")
    width = max(map(len, frame.row_names)) + len(_GAP)
    rows = [f"{_GAP}{name}".ljust(width) for name in frame.row_names]
    return _Block([" " * width], " " * width, rows, "")


def _indented(block: _Block) -> dict[str, list[str]]:
    return {
        "heads": [_GAP + head for head in block.heads],
        "rows": [_GAP + row for row in block.rows],
    }


def _lines(blocks: list[_Block], depth: int, fmt: DisplayFormat) -> str:
    """Blocks beside each other, with so many lines for names."""
    heads = []
    for k in range(depth):
        parts = [b.gap + (b.heads[k] if k < len(b.heads) else " " * b.width) for b in blocks]
        heads.append("".join(parts) + "\n")
    heads.append("".join(b.gap + b.line for b in blocks) + "\n")
    count = len(blocks[0].rows)
    rows = ["".join(b.gap + b.rows[k] for b in blocks) + "\n" for k in range(count)]
    return "".join(heads) + (fmt.blank if rows else "") + "".join(rows)


def _block(name: str, value: Any, fmt: DisplayFormat) -> _Block:
    """Return a variable; the variables of a table stand beside each other below its name."""
    inner = getattr(value, "frame", None)
    if not isinstance(inner, Frame) or not inner.columns:
        return _framed(name, [], column_texts(value, fmt))
    blocks = [_block(n, v, fmt) for n, v in inner.columns.items()]
    depth = max(len(block.heads) for block in blocks)
    heads = [
        _GAP.join(b.heads[k] if k < len(b.heads) else " " * b.width for b in blocks)
        for k in range(depth)
    ]
    rows = [_GAP.join(row) for row in zip(*(b.rows for b in blocks), strict=True)]
    return _framed(name, heads, rows)


def _framed(name: str, below: list[str], texts: list[str]) -> _Block:
    """Return a name, what stands below it, and the rows, all of them centred."""
    inner = max(map(len, [*below, *texts]), default=0)
    width = max(len(name), inner)
    before = (width - inner) // 2
    head = (" " * ((width - len(name)) // 2) + name).ljust(width)
    lines = [(" " * before + text.ljust(inner)).ljust(width) for text in [*below, *texts]]
    return _Block([head, *lines[: len(below)]], "_" * width, lines[len(below) :])


def column_texts(value: Any, fmt: DisplayFormat) -> list[str]:
    """Return a variable's rows as texts, aligned with each other."""
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
    """Return the elements in column-major order; None for classes shown by their size."""
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
