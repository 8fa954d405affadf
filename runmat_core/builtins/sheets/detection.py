"""What a text looks like: its delimiter, its header lines, names and types of its variables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import attrs
import numpy as np

from runmat_core.builtins.sheets.content import Content, suffix_of
from runmat_core.builtins.sheets.fields import Dialect, Fields
from runmat_core.builtins.sheets.plan import Plan, Variable
from runmat_core.builtins.sheets.ranges import Block
from runmat_core.builtins.sheets.tokens import fields_of
from runmat_core.builtins.sheets.words import is_time, number, number_reader, type_of
from runmat_core.builtins.tables.support import new_names

#: Bytes and rows that decide.
_HEAD = 1 << 18
_ROWS = 1000
_LINES = 8
#: Bytes and lines by which delimiters are compared.
_TRIED, _COMPARED = 1 << 13, 200
_MARKS = (",", "\t", ";", "|")


@attrs.frozen
class Given:
    """What is known of a file before it is looked at; None is for what is to be found out.

    Attributes:
        skipped: how many lines stand before the table.
        names_line: the line that holds the names, from one; 0 for none.
        has_names: whether the first row of the table does.
        block: the rows and columns that are read.
    """

    delimited: bool = False
    skipped: int | None = None
    names_line: int | None = None
    data_line: int | None = None
    has_names: bool | None = None
    count: int | None = None
    missing: tuple[str, ...] = ()
    block: Block | None = None


def detected(
    content: Content, plan: Plan, given: Given, name: str, numeric: Variable | None = None
) -> Plan:
    """Return a plan with what was found out about a text.

    Args:
        numeric: a variable of numbers with the options that hold for all of them.
    """
    if not given.delimited and plan.kind == "delimited":
        plan = delimited(content.head(_HEAD), plan, given, name)
    # wide rows are as many as they need to be for names and types of all columns
    head = content.head(_HEAD, _LINES + max(given.skipped or 0, given.names_line or 0))
    dialect = plan.dialect
    fields = fields_of(head, _lenient(dialect), given.skipped or 0)
    start = 0
    block = given.block or Block()
    if given.block is not None:
        start = next((k for k, at in enumerate(fields.lines) if at >= block.top), fields.height)
    elif given.names_line or given.data_line:
        wanted = given.names_line or given.data_line or 1
        start = next((k for k, at in enumerate(fields.lines) if at + 1 >= wanted), fields.height)
    elif given.skipped is None:
        start = headers_in(fields.widths[:200].tolist())
    stop = min(fields.height, start + _ROWS)
    if block.bottom is not None:
        stop = min(stop, int(np.searchsorted(fields.lines, block.bottom)))
    columns = slice(block.left, block.right)
    rows = [row[columns] for row in fields.table(start, stop, plan.whitespace)]
    lines = (fields.lines[start:stop] + 1).tolist()
    has_names = given.has_names
    if given.names_line is not None:
        has_names = given.names_line > 0
    if has_names is None:
        has_names = is_heading(rows)
    has_names = has_names and bool(rows)
    body = rows[1:] if has_names else rows
    width = given.count or max(map(len, rows), default=0)
    heading = rows[0] if has_names else []
    read = number if numeric is None else number_reader(numeric)
    variables = variables_of(heading, body, width, given.missing, read)
    first = lines[0] if lines else 1
    data = given.data_line or (first + 1 if has_names and len(lines) < 2 else 0)
    if not data:
        data = lines[1] if has_names else first
    return attrs.evolve(
        plan,
        variables=variables,
        selected=tuple(v.name for v in variables),
        variable_names_line=first if has_names else 0,
        data_lines=((float(data), float(block.bottom or "inf")),),
        columns=(block.left, block.right),
    )


def _lenient(dialect: Dialect) -> Dialect:
    """Return a dialect that refuses nothing, for looking at a text."""
    return attrs.evolve(
        dialect,
        empty_lines="skip",
        consecutive=dialect.consecutive.replace("error", "split"),
        leading=dialect.leading.replace("error", "keep"),
        trailing=dialect.trailing.replace("error", "ignore"),
    )


def variables_of(
    heading: Sequence[Any],
    body: Sequence[Sequence[Any]],
    width: int,
    missing: Sequence[str],
    read: Callable[[str], Any] = number,
) -> tuple[Variable, ...]:
    """Return the variables of rows: their names from a heading, their types from what they hold."""
    given = [str(f) if f not in (None, "") else f"Var{k}" for k, f in enumerate(heading, 1)]
    given += [f"Var{k}" for k in range(len(given) + 1, width + 1)]
    found = []
    for k, name in enumerate(new_names(given[:width], [])):
        kind, said = type_of([row[k] if k < len(row) else None for row in body], missing, read)
        found.append(Variable(name, kind, said))
    return tuple(found)


def is_heading(rows: Sequence[Sequence[Any]]) -> bool:
    """Whether the first row names the columns: texts, which are no numbers, dates or spans."""
    if not rows:
        return False
    first = rows[0]
    given = [field for field in first if field not in (None, "")]
    if not given or not all(isinstance(f, str) and number(f) is None for f in given):
        return False
    if any(map(is_time, given)):
        return False
    if len(given) == len(first):
        return True
    # columns without a name have one all the same where what is below the others is no text
    for k, field in enumerate(first):
        below = [row[k] if k < len(row) else None for row in rows[1:]]
        filled = field not in (None, "") and any(f not in (None, "") for f in below)
        if filled and type_of(below)[0] != "char":
            return True
    return False


def headers_in(widths: Sequence[int]) -> int:
    """How many rows stand before a table: those of fewer fields than most rows have."""
    usual = max(set(widths), key=widths.count, default=0)
    if usual < 2:
        return 0
    return next((k for k, width in enumerate(widths) if width >= usual), 0)


# -- delimiters ----------------------------------------------------------------------------------


def delimited(head: Content, plan: Plan, given: Given, name: str) -> Plan:
    """Return the plan with the delimiter that cuts most lines into the same number of fields."""
    head = head.head(_TRIED, _COMPARED + (given.skipped or 0))
    blanks = (" ", "\t") if head.has("\t") else (" ",)
    best: tuple[str, ...] = ("\t",) if suffix_of(name) == ".tsv" else (",",)
    most = 0.0
    for marks in (*((mark,) for mark in _MARKS), blanks):
        tried = with_delimiter(plan, marks)
        fields = fields_of(head, _lenient(tried.dialect), given.skipped or 0)
        score = _score(fields, marks)
        if score > most + 1e-9:
            best, most = marks, score
    return with_delimiter(plan, best)


def with_delimiter(plan: Plan, marks: tuple[str, ...]) -> Plan:
    """Return the plan with these delimiters; several blanks in a row are one."""
    if all(mark in " \t" for mark in marks) and " " in marks:
        return attrs.evolve(
            plan,
            delimiter=marks,
            consecutive_delimiters_rule="join",
            leading_delimiters_rule="ignore",
        )
    return attrs.evolve(plan, delimiter=marks)


def _score(fields: Fields, marks: tuple[str, ...]) -> float:
    """How well a delimiter fits: the share of lines that have the usual number of fields."""
    counts = fields.widths[:50].tolist()
    if not counts or max(counts) < 2:
        return 0.0
    usual = max(set(counts), key=counts.count)
    score: float = counts.count(usual) / len(counts) if usual > 1 else 0.0
    # blanks are in texts, too
    return score - (0.3 if " " in marks else 0.0)
