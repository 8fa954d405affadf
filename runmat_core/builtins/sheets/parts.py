"""Long texts with delimiters, read in parts on several threads.

What is made of a part stays in the cache of a core, and NumPy's rules work at several parts side by
side. A text is read so where its rows mean the same whatever stands before them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextvars import copy_context
from typing import Any

import numpy as np

from runmat_core.api import threads
from runmat_core.builtins.sheets.columns import convert
from runmat_core.builtins.sheets.content import Content, of_bytes
from runmat_core.builtins.sheets.fields import Dialect
from runmat_core.builtins.sheets.items import TextItems
from runmat_core.builtins.sheets.plan import Plan, Variable, family
from runmat_core.builtins.sheets.tokens import fields_of_rows, is_plain, line_start
from runmat_core.values import from_numpy, to_numpy
from runmat_core.values.cell import CellArray
from runmat_core.values.string import StringArray

#: Bytes of a part, and those from which a text is read in parts.
_PART = 1 << 20
_LONG = 1 << 21


def values_of(content: Content, plan: Plan) -> tuple[dict[str, Any], int] | None:
    """Return the variables that a plan selects, and how many rows they have.

    None where the text has to be read as a whole.
    """
    if content.end - content.begin < _LONG or not _is_divisible(plan):
        return None
    content, begin = line_start(content, max(int(plan.data_lines[0][0]) - 1, 0), plan.dialect)
    if begin >= content.end:
        return None
    numbers = {v.name: k for k, v in enumerate(plan.variables)}
    chosen = [numbers[name] for name in plan.selected]
    found: list[tuple[list[Any], int]] = []
    for columns in _results(_spans(content, begin), _reader(content, plan, chosen)):
        if columns is None:
            return None
        found.append(columns)
    heights = [height for _, height in found]
    found = [part for part in found if part[1]] or found[:1]
    values = {}
    for at, (name, k) in enumerate(zip(plan.selected, chosen, strict=True)):
        values[name] = _joined([columns[at] for columns, _ in found], plan.variables[k])
    return values, sum(heights)


def _is_divisible(plan: Plan) -> bool:
    """Whether each row of a text means the same by itself, and none is refused."""
    if plan.kind != "delimited" or plan.comment_style or plan.row_names_column:
        return False
    if len(plan.data_lines) != 1 or plan.data_lines[0][1] != float("inf"):
        return False
    if plan.columns != (0, None) or (plan.missing_rule, plan.import_error_rule) != ("fill", "fill"):
        return False
    rules = (
        plan.consecutive_delimiters_rule,
        plan.leading_delimiters_rule,
        plan.trailing_delimiters_rule,
        plan.empty_line_rule,
    )
    if "error" in rules or not is_plain(plan.dialect):
        return False
    return bool(plan.variables) and all(map(_is_local, plan.variables))


def _is_local(variable: Variable) -> bool:
    """Whether a field of a variable is read without the others."""
    if variable.option("EmptyFieldRule") == "error" or variable.kind == "categorical":
        return False
    return variable.kind != "datetime" or bool(variable.option("InputFormat"))


def _spans(content: Content, begin: int) -> Iterator[tuple[int, int]]:
    """Yield the begins and ends of parts of whole lines."""
    while begin < content.end:
        at = content.raw.find(b"\n", begin + _PART, content.end)
        end = at + 1 if at >= 0 else content.end
        yield begin, end
        begin = end


def _reader(
    content: Content, plan: Plan, chosen: Sequence[int]
) -> Callable[[int, int], tuple[list[Any], int] | None]:
    """Return a function that reads a part: its variables and height, or None."""
    dialect: Dialect = plan.dialect
    width = len(plan.variables)

    def read(begin: int, end: int) -> tuple[list[Any], int] | None:
        fields = fields_of_rows(of_bytes(bytes(content.raw[begin:end])), dialect)
        if fields is None or fields.width > width:
            return None
        columns = [
            convert(TextItems(fields.column(k)), plan.variables[k], plan.whitespace).value
            for k in chosen
        ]
        return columns, fields.height

    return read


def _results(spans: Iterator[tuple[int, int]], read: Callable[[int, int], Any]) -> Iterator[Any]:
    """Return what is read of parts, in their order."""
    yield read(*next(spans))  # most texts that cannot be read in parts show it in the first
    count = threads.limit()
    if count < 2:
        for span in spans:
            yield read(*span)
        return
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor(count, "runmat rows")
    try:
        pending = [pool.submit(copy_context().run, read, span[0], span[1]) for span in spans]
        for future in pending:
            yield future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _joined(parts: Sequence[Any], variable: Variable) -> Any:
    """Return the columns of parts below each other."""
    of = family(variable.kind)
    if of == "Text":
        made = StringArray if variable.kind == "string" else CellArray
        return made(np.concatenate([part.data for part in parts]))
    if of in ("Datetime", "Duration"):
        return parts[0].with_codes(np.concatenate([part.codes for part in parts]))
    return from_numpy(
        np.concatenate([to_numpy(part).reshape(-1, 1) for part in parts]), variable.kind
    )
