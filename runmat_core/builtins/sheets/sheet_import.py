"""A sheet by a plan: what it looks like, and the variables that it holds."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from runmat_core.builtins.sheets.detection import Given, headers_in, is_heading, variables_of
from runmat_core.builtins.sheets.importing import Imported, assembled
from runmat_core.builtins.sheets.items import CellItems, Items, cell_text
from runmat_core.builtins.sheets.plan import Plan
from runmat_core.builtins.sheets.ranges import Block, block_of, letters
from runmat_core.builtins.sheets.workbooks import Rows, Sheet

_ROWS = 1000


def detected(sheet: Sheet, plan: Plan, given: Given, asked: Any) -> Plan:
    """Return a plan with what was found out about a sheet.

    Args:
        asked: the range that is read; None for what is filled.
    """
    block = Block() if asked is None else block_of(asked, sheet.ranges.get)
    rows = block.of(sheet.rows)
    top, left = block.top, block.left
    if asked is None:
        skipped = given.skipped if given.skipped is not None else _headers(rows)
        rows, top = rows[skipped:], skipped
        empty = _empty_columns(rows)
        rows, left = [row[empty:] for row in rows], left + empty
    has_names = is_heading(rows[:_ROWS]) if given.has_names is None else given.has_names
    has_names = has_names and bool(rows)
    width = given.count or max(map(len, rows[:_ROWS]), default=0)
    if block.right is not None:
        width = block.right - block.left
    body = rows[1 : _ROWS + 1] if has_names else rows[:_ROWS]
    heading = [None if c is None else cell_text(c) for c in rows[0]] if has_names else []
    variables = variables_of(heading, body, width, given.missing)
    first = top + (2 if has_names else 1)
    return attrs.evolve(
        plan,
        variables=variables,
        selected=tuple(v.name for v in variables),
        variable_names_range=f"{letters(left + 1)}{top + 1}" if has_names else "",
        data_range=_said(left, first, block),
    )


def _said(left: int, first: int, block: Block) -> str:
    begin = f"{letters(left + 1)}{first}"
    if block.right is not None and block.bottom is not None:
        return f"{begin}:{letters(block.right)}{block.bottom}"
    if block.right is not None:
        return f"{letters(left + 1)}:{letters(block.right)}" if first == 1 else begin
    return f"{first}:{block.bottom}" if block.bottom is not None else begin


def _headers(rows: Rows) -> int:
    """How many rows stand before a table."""
    filled = [sum(cell is not None for cell in row) for row in rows[:200]]
    return headers_in(filled) or next((k for k, count in enumerate(filled) if count), 0)


def _empty_columns(rows: Rows) -> int:
    """How many columns on the left hold nothing."""
    firsts = [next((k for k, c in enumerate(row) if c is not None), len(row)) for row in rows]
    return min(firsts, default=0)


def from_sheet(sheet: Sheet, plan: Plan, most: int | None = None) -> Imported:
    """Return the variables of a sheet.

    Args:
        most: how many rows are read; all by default.
    """
    blocks = _data_blocks(sheet, plan)
    count = len(plan.variables)
    left = blocks[0].left if blocks else 0
    cells = [row[left : left + count] for block in blocks for row in _rows(sheet.rows, block)]
    cells = [row + [None] * (count - len(row)) for row in cells[:most]]
    empty = [k for k, row in enumerate(cells) if all(cell is None for cell in row)]
    if plan.empty_line_rule == "skip" and plan.missing_rule != "fill" and empty:
        cells = [row for k, row in enumerate(cells) if k not in set(empty)]

    def items(k: int) -> Items:
        return CellItems([row[k] for row in cells])

    notes = {}
    for what, said in (
        ("VariableUnits", plan.variable_units_range),
        ("VariableDescriptions", plan.variable_descriptions_range),
    ):
        if not _nothing(said):
            notes[what] = dict(zip(plan.names, names_at(sheet, said, left, count), strict=False))
    named = None
    if not _nothing(plan.row_names_range):
        block = block_of(plan.row_names_range, sheet.ranges.get)
        top = blocks[0].top if blocks and not block.top else block.top
        column = [row[block.left] if block.left < len(row) else None for row in sheet.rows[top:]]
        named = [cell_text(cell) for cell in [*column, *[None] * len(cells)][: len(cells)]]
    return assembled(items, len(cells), plan, notes, None, named)


def _nothing(said: Any) -> bool:
    return isinstance(said, str) and not said


def _rows(rows: Rows, block: Block) -> Rows:
    """Return the whole rows of a block, filled up to where it ends where it says so."""
    found = rows[block.top : block.bottom]
    if block.bottom is not None and block.right is not None:
        found = found + [[]] * (block.bottom - block.top - len(found))
    return found


def _data_blocks(sheet: Sheet, plan: Plan) -> list[Block]:
    said = plan.data_range
    if isinstance(said, np.ndarray) and said.ndim == 2 and said.shape[1] == 2:
        return [Block(int(low) - 1, 0, None if high == np.inf else int(high)) for low, high in said]
    block = block_of(said, sheet.ranges.get)
    return [block]


def names_at(sheet: Sheet, said: Any, left: int, count: int) -> list[str]:
    """Return the texts of a row of cells, from where a range begins."""
    block = block_of(said, sheet.ranges.get)
    row = sheet.rows[block.top] if block.top < len(sheet.rows) else []
    begin = block.left or left
    return [cell_text(cell).strip() for cell in row[begin : begin + count]]


def cells_of(sheet: Sheet, plan: Plan) -> Rows:
    """Return the cells of the data range of a plan."""
    found = []
    for block in _data_blocks(sheet, plan):
        count = 0 if block.right is None else block.right - block.left
        for row in _rows(sheet.rows, block):
            part = row[block.left : block.right]
            found.append(part + [None] * (count - len(part)))
    return found


def first_row(plan: Plan) -> int:
    """Return the first row, from zero, of names or data."""
    said = plan.variable_names_range or plan.data_range
    return block_of(said).top
