"""Values on one line, as they appear inside cells, fields and dictionary entries."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.values.display_format import DisplayFormat
from runmat_core.values.display_matrix import size_text
from runmat_core.values.format_number import Traits, choose, element_texts, scalar_text


def number_texts(data: np.ndarray, fmt: DisplayFormat) -> list[str]:
    """Each element in the format it would have as a scalar, without blanks around it."""
    flat = data.ravel(order="F")
    if flat.dtype == np.bool_:
        words = ("false", "true") if fmt.true_false else ("0", "1")
        return [words[x] for x in flat.tolist()]
    if flat.dtype.kind in "iu":
        return [str(x) for x in flat.tolist()]
    if flat.dtype == np.float64:
        return [scalar_text(x, fmt.style).strip() for x in flat.tolist()]
    texts = []
    for position in range(flat.size):
        one = flat[position : position + 1]
        texts.append(element_texts(one, choose(Traits.of(one), fmt.style))[0].strip())
    return texts


def summary(shape: tuple[int, ...], class_name: str) -> str:
    """``2×3 double``."""
    return f"{size_text(shape)} {class_name}"


def is_row(shape: tuple[int, ...]) -> bool:
    return len(shape) == 2 and shape[0] == 1 and shape[1] > 0


def numeric_vector(data: np.ndarray, fmt: DisplayFormat, limit: int) -> str | None:
    """``1 2 3`` for a row vector of at most `limit` characters, else None."""
    if not is_row(data.shape) or data.size > limit:
        return None
    text = " ".join(number_texts(data, fmt))
    return text if len(text) <= limit else None


_VISIBLE = str.maketrans({"\n": "↵", "\t": "→"})


def one_line(text: str) -> str:
    """`text` with its newlines and tabs as arrows, as tables of values show it."""
    return text.translate(_VISIBLE)


def quoted_string(item: Any, columns: int = 1, width: int = 80) -> str:
    """Return an element of a string array, cut where the array has several columns."""
    if not isinstance(item, str):
        return "<missing>"
    return f'"{clipped_in_array(one_line(item), columns, width)}"'


#: Longest text shown whole, and what is shown of a longer one, in arrays of several columns.
_TEXT_LIMIT, _TEXT_SHOWN = 18, 15


def clipped(text: str, limit: int) -> str:
    """`text` cut to `limit` characters, with an ellipsis where something is missing."""
    return text if len(text) <= limit else text[: max(limit - 1, 0)] + "…"


def clipped_in_array(text: str, columns: int, width: int) -> str:
    """`text` as an element of an array with that many columns, in a window of `width`."""
    if columns == 1:
        return clipped(text, width - 8)
    return text if len(text) <= _TEXT_LIMIT else text[:_TEXT_SHOWN] + "…"
