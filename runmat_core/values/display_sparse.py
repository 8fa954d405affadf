"""Display of sparse matrices: one line for each nonzero element, column after column."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.values.display_format import DisplayFormat
from runmat_core.values.display_matrix import Shown, aligned, integer_texts, size_text, writer
from runmat_core.values.format_number import Traits, choose, element_texts


@writer("sparse")
def _sparse(name: str, value: Any, fmt: DisplayFormat) -> Shown:
    matrix = value.data.tocsc()
    class_name = value.class_name
    size = size_text(matrix.shape)
    if 0 in matrix.shape:
        return Shown("", f"  {size} empty sparse {class_name} matrix")
    entries = matrix.tocoo()
    kept = entries.data != 0
    rows, columns, data = entries.row[kept], entries.col[kept], entries.data[kept]
    header = f"  {size} sparse {class_name} matrix"
    if not data.size:
        return Shown("   All zero\n", header)
    order = np.lexsort((rows, columns))
    texts, factor = _texts(data[order][None], fmt)
    opening = [f"({row}" for row in (rows[order] + 1).tolist()]
    closing = [f"{column})" for column in (columns[order] + 1).tolist()]
    left, right = max(5, *map(len, opening)), max(5, *map(len, closing))
    lines = [
        f"{row.rjust(left)},{column.ljust(right)}{text}\n"
        for row, column, text in zip(opening, closing, texts, strict=True)
    ]
    count = f"{data.size} nonzero{'' if data.size == 1 else 's'}"
    return Shown(factor + "".join(lines), f"{header} ({count})")


def _texts(data: np.ndarray, fmt: DisplayFormat) -> tuple[list[str], str]:
    """Return the text of each element and the line of the common factor, if there is one."""
    if data.dtype == np.bool_:
        return [t.rjust(6) for t in integer_texts(data, fmt)], ""
    number = choose(Traits.of(data), fmt.style)
    texts, _ = aligned(element_texts(data, number))
    if not number.scale:
        return texts, ""
    sign = "-" if number.scale < 0 else "+"
    return texts, f"   1.0e{sign}{abs(number.scale):02d} *\n{fmt.blank}"
