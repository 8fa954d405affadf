"""Text of numbers, perhaps with words before them: what the older functions read."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.builtins.sheets.content import Content
from runmat_core.builtins.sheets.detection import Given, delimited, with_delimiter
from runmat_core.builtins.sheets.fields import Dialect, Fields
from runmat_core.builtins.sheets.importing import all_numbers
from runmat_core.builtins.sheets.plan import Plan, Variable
from runmat_core.builtins.sheets.tokens import fields_of
from runmat_core.values import to_numpy

Flags = NDArray[np.bool_]
_HEAD = 1 << 16


@attrs.frozen(eq=False)
class Numbers:
    """The fields of rows as numbers.

    Attributes:
        values: a matrix; NaN for what is empty or no number.
        empty: which fields hold nothing, or are not there.
        wrong: which fields are no numbers.
    """

    fields: Fields
    values: NDArray[Any]
    empty: Flags
    wrong: Flags


def dialect_of(content: Content, mark: str) -> Dialect:
    """How a text is cut: by a delimiter, or by the one that fits best."""
    if mark:
        plan = with_delimiter(Plan(), (mark,))
    else:
        plan = delimited(content.head(_HEAD), Plan(), Given(), "")
    return plan.dialect


def numbers_of(fields: Fields, dialect: Dialect) -> Numbers:
    """All fields of a text as numbers."""
    shape = fields.height, fields.width
    found = all_numbers(fields, Variable("", "double"), dialect.whitespace, shape[1])
    return Numbers(
        fields,
        to_numpy(found.value).reshape(shape),
        found.missing.reshape(shape),
        found.wrong.reshape(shape),
    )


def read_numbers(content: Content, mark: str, skipped: int = 0) -> tuple[Numbers, Dialect]:
    """Return the numbers of a text, and how it was cut."""
    dialect = dialect_of(content, mark)
    return numbers_of(fields_of(content, dialect, skipped), dialect), dialect
