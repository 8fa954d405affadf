"""The layout of matrices: rows, columns that wrap at the window's width, pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from runmat_core.api.tuples import NamedTuple
from runmat_core.values.display_format import DisplayFormat
from runmat_core.values.format_number import NumberFormat, Traits, choose, element_texts

#: Writes one page (a 2-D array) as lines, each ending in a newline.
PageWriter = Callable[[np.ndarray], str]


class Shown(NamedTuple):
    """The parts of a value's display.

    Attributes:
        content: its lines, each ending in a newline; pages come with their headings.
        header: the line that names class and size; empty where there is none.
        is_paged: `content` has a heading for each page, so ``name =`` is left out.
        is_object: MATLAB writes ``name = `` with a blank at the end.
        disp_header: ``disp`` prints the header too.
        disp_content: what ``disp`` prints in place of `content`.
        disp_blank: ``disp`` ends with a blank line where the spacing is loose.
    """

    content: str
    header: str = ""
    is_paged: bool = False
    is_object: bool = False
    disp_header: bool = False
    disp_content: str | None = None
    disp_blank: bool = True


#: Gives the parts of a value's display; the name heads pages.
Writer = Callable[[str, Any, DisplayFormat], Shown]
#: Writers by class names.
WRITERS: dict[str, Writer] = {}


def writer(*class_names: str) -> Callable[[Writer], Writer]:
    """Mark a function as the writer of these classes."""

    def mark(function: Writer) -> Writer:
        for class_name in class_names:
            WRITERS[class_name] = function
        return function

    return mark


def empty_header(shape: tuple[int, ...], class_name: str, noun: str | None = None) -> str:
    """``  0×3 empty double matrix``."""
    kind = kind_of_shape(shape, is_empty=True) if noun is None else noun
    return f"  {size_text(shape)} empty {class_name} {kind}"


def array_header(shape: tuple[int, ...], class_name: str, noun: str | None = None) -> str:
    """``  2×3 int8 matrix``, or the class alone for one element."""
    if all(extent == 1 for extent in shape):
        return f"  {class_name}"
    return f"  {size_text(shape)} {class_name} {kind_of_shape(shape) if noun is None else noun}"


def padded_table(table: list[list[str]], fmt: DisplayFormat) -> str:
    """Rows of texts with each column as wide as its widest, aligned on the left."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    rows = [[t.ljust(w) for t, w in zip(row, widths, strict=True)] for row in table]
    return wrap_columns(rows, widths, fmt)


# -- numbers in columns ----------------------------------------------------------------------------


def size_text(shape: Sequence[int]) -> str:
    """``2×3``; from five dimensions on, MATLAB gives only their number."""
    return "×".join(map(str, shape)) if len(shape) <= 4 else f"{len(shape)}-D"


def kind_of_shape(shape: Sequence[int], is_empty: bool = False) -> str:
    """``row vector``, ``column vector``, ``matrix`` or ``array``, as the headers of MATLAB say."""
    if len(shape) > 2:
        return "array"
    if shape[0] == 1 and (shape[1] != 1 or is_empty):
        return "row vector"
    return "column vector" if shape[1] == 1 else "matrix"


def pages(data: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the 2-D pages of an N-D array with the subscript of each: ``(:,:,1)``."""
    outer = data.shape[2:]
    for position in range(int(np.prod(outer))):
        subs = np.unravel_index(position, outer, order="F")
        text = ",".join(str(int(s) + 1) for s in subs)
        place: tuple[Any, ...] = (slice(None), slice(None), *subs)
        yield f"(:,:,{text})", data[place]


def paged(name: str, data: np.ndarray, write: PageWriter, fmt: DisplayFormat) -> str:
    """Every page under its heading; `write` gives the text of one page."""
    blank = fmt.blank
    parts = [
        f"{blank}{name}{subscript} =\n{blank}{write(page)}{blank}"
        for subscript, page in pages(data)
    ]
    return "".join(parts)  # so two blank lines stand between pages


def split_columns(widths: Sequence[int], available: int) -> list[tuple[int, int]]:
    """Column ranges that each fit into `available` characters, at least one column a range."""
    ranges, start, used = [], 0, 0
    for column, width in enumerate(widths):
        if column > start and used + width > available:
            ranges.append((start, column))
            start, used = column, 0
        used += width
    ranges.append((start, len(widths)))
    return ranges


def column_heading(start: int, stop: int) -> str:
    if stop - start == 1:
        return f"  Column {stop}\n"
    return f"  Columns {start + 1} through {stop}\n"


def wrap_columns(rows: Sequence[Sequence[str]], widths: Sequence[int], fmt: DisplayFormat) -> str:
    """Lines of texts already padded, in groups of columns under headings where they do not fit."""
    ranges = split_columns(widths, fmt.width)
    if len(ranges) == 1:
        return "".join(["".join(row) + "\n" for row in rows])
    groups = []
    for start, stop in ranges:
        lines = "".join(["".join(row[start:stop]) + "\n" for row in rows])
        groups.append(f"{column_heading(start, stop)}{fmt.blank}{lines}")
    return fmt.blank.join(groups)


def grid(texts: Sequence[str], rows: int, columns: int) -> list[list[str]]:
    """Texts in column-major order as a list of rows."""
    return [list(texts[row::rows]) for row in range(rows)] if columns else [[] for _ in range(rows)]


def aligned(texts: list[str]) -> tuple[list[str], int]:
    """Return the texts padded on the left to the widest, and that width."""
    width = max(map(len, texts), default=0)
    if any(len(text) != width for text in texts):
        texts = [text.rjust(width) for text in texts]
    return texts, width


def lay_out(texts: list[str], shape: tuple[int, ...], fmt: DisplayFormat) -> str:
    """Texts of the elements of a page (column-major) as its rows, wrapped where too wide."""
    texts, width = aligned(texts)
    table = grid(texts, *shape)
    if fmt.style == "+":
        return "".join(["".join(row) + "\n" for row in table])
    return wrap_columns(table, [width] * shape[1], fmt)


def floating_page(page: np.ndarray, number: NumberFormat, fmt: DisplayFormat) -> str:
    """One page of doubles or singles, with the line of the common factor where there is one."""
    body = lay_out(element_texts(page, number), page.shape, fmt)
    if not number.scale:
        return body
    exponent = f"{'-' if number.scale < 0 else '+'}{abs(number.scale):02d}"
    return f"   1.0e{exponent} *\n{fmt.blank}{body}"


def floating(name: str, data: np.ndarray, fmt: DisplayFormat) -> str:
    """Return a non-empty array of doubles or singles, pages headed ``name(:,:,1)``."""
    number = choose(Traits.of(data), fmt.style)
    if data.ndim > 2:
        return paged(name, data, lambda page: floating_page(page, number, fmt), fmt)
    return floating_page(data, number, fmt)


def integer_texts(data: np.ndarray, fmt: DisplayFormat) -> list[str]:
    """Return the elements of an integer or logical array, padded to one width, column-major."""
    flat = data.ravel(order="F")
    if fmt.true_false and flat.dtype == np.bool_:
        return [("true" if x else "false").rjust(9) for x in flat.tolist()]
    if fmt.style == "hex":
        digits = 2 * flat.dtype.itemsize
        bits = flat.view(f"u{flat.dtype.itemsize}").tolist()
        return [f"   {x:0{digits}x}" for x in bits]
    if fmt.style == "+":
        return ["+" if x > 0 else "-" if x < 0 else " " for x in flat.tolist()]
    items = flat.astype(np.uint8).tolist() if flat.dtype == np.bool_ else flat.tolist()
    least, most = min(items), max(items)
    width = 3 + len(str(max(abs(least), abs(most)))) + (least < 0)
    one = f"%{width}d"
    return [one % x for x in items]


def integers(name: str, data: np.ndarray, fmt: DisplayFormat) -> str:
    """Return a non-empty array of an integer class or logical."""
    if data.ndim == 2:
        return lay_out(integer_texts(data, fmt), data.shape, fmt)
    width = len(integer_texts(data, fmt)[0])

    def write(page: np.ndarray) -> str:
        texts = [text.rjust(width) for text in integer_texts(page, fmt)]
        return lay_out(texts, page.shape, fmt)

    return paged(name, data, write, fmt)
