"""A file by a plan: the variables that it holds, whatever kind of file it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextvars import copy_context
from itertools import groupby
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.api import threads
from runmat_core.api.errors import MatlabError, size_limit
from runmat_core.builtins.sheets import content as contents
from runmat_core.builtins.sheets import parts
from runmat_core.builtins.sheets.columns import Converted, apply_rule, convert
from runmat_core.builtins.sheets.content import Content
from runmat_core.builtins.sheets.fields import Fields
from runmat_core.builtins.sheets.items import Items, TextItems
from runmat_core.builtins.sheets.plan import Plan, Variable, family
from runmat_core.builtins.sheets.tokens import fields_of
from runmat_core.values import from_numpy, index, to_numpy
from runmat_core.values.base import COLON
from runmat_core.values.tables.frame import numbers_of

#: So many fields, present or not, are made of any file; of larger ones as many as they may have.
_MOST = 1 << 26
#: As many variables of at most so many rows are converted at once.
_MANY, _LOW = 16, 4096
#: Rows from which on variables are converted on several threads.
_LONG = 1 << 16
#: Bytes from which lines of names, units and descriptions are read.
_HEAD = 1 << 20


@attrs.frozen
class Imported:
    """The variables of a file.

    Attributes:
        values: by name, in the order in which they were asked for.
        row_names: a name for each row, or none at all.
        notes: descriptions and units by what they are, then by variable.
    """

    values: dict[str, Any]
    height: int
    row_names: tuple[str, ...] = ()
    notes: dict[str, dict[str, str]] = attrs.field(factory=dict)


# -- texts ---------------------------------------------------------------------------------------


def from_text(content: Content, plan: Plan, most: int | None = None) -> Imported:
    """Return the variables of a text.

    Args:
        most: how many rows are read; all by default.
    """
    notes = {
        what: dict(zip(plan.names, line_texts(content, plan, line), strict=False))
        for what, line in (
            ("VariableUnits", plan.variable_units_line),
            ("VariableDescriptions", plan.variable_descriptions_line),
        )
        if line > 0
    }
    in_parts = parts.values_of(content, plan) if most is None else None
    if in_parts is not None:
        return Imported(*in_parts, notes=notes)
    fields = data_fields(content, plan)
    if most is not None and fields.height > most:
        fields = fields.rows(np.arange(fields.height) < most)
    if plan.kind == "fixed":
        fields = _partial(fields, plan)
    fields, plan = _extra(fields, plan)

    def items(k: int, count: int = 1) -> Items:
        k += plan.columns[0]
        return TextItems(fields.column(k) if count == 1 else fields.columns(k, k + count))

    return assembled(items, fields.height, plan, notes, fields.lines)


def matrix_from_text(content: Content, plan: Plan) -> Any:
    """Return the variables of a text as one array of numbers; None where they are not alike."""
    first = plan.variables[0] if plan.variables else None
    if first is None or family(first.kind) != "Numeric" or plan.row_names_column:
        return None
    rules = plan.missing_rule, plan.import_error_rule, plan.extra_columns_rule
    like = Variable("", first.kind, first.options)
    if rules != ("fill", "fill", "addvars") or first.option("EmptyFieldRule") == "error":
        return None
    if list(plan.selected) != plan.names or plan.kind != "delimited" or plan.columns != (0, None):
        return None
    if any(v.kind != like.kind or v.options != like.options for v in plan.variables):
        return None
    fields = data_fields(content, plan)
    width = max(fields.width, len(plan.variables))
    found = all_numbers(fields, like, plan.whitespace, width)
    return from_numpy(to_numpy(found.value).reshape((fields.height, width)), like.kind)


def all_numbers(fields: Fields, variable: Variable, whitespace: str, width: int) -> Converted:
    """All fields of a text as one variable of numbers, row after row.

    Args:
        width: how many fields each row has; what is not there is missing.
    """
    _check_size(width * fields.height, fields)
    return convert(TextItems(fields.filled(width)), variable, whitespace)


def _check_size(count: int, fields: Fields) -> None:
    """Refuse to make far more fields than a file has bytes.

    Raises:
        MatlabError: MATLAB:array:SizeLimitExceeded.
    """
    if count > max(_MOST, 4 * len(fields.content.raw)):
        raise size_limit()


def data_fields(content: Content, plan: Plan) -> Fields:
    """Return the fields of the rows that begin within the data lines of a plan."""
    first = min((low for low, _ in plan.data_lines), default=1.0)
    if not plan.data_lines:
        return fields_of(contents.of_bytes(b""), plan.dialect)
    # what stands before the data may be anything
    begin = max(int(first) - 1, 0)
    fields = fields_of(content, plan.dialect, begin)
    if len(plan.data_lines) == 1 and plan.data_lines[0][1] == float("inf"):
        return fields
    lines = fields.lines + 1
    chosen = np.zeros(fields.height, np.bool_)
    for low, high in plan.data_lines:
        chosen |= (lines >= low) & (lines <= high)
    return fields.rows(chosen)


def line_texts(content: Content, plan: Plan, line: int) -> list[str]:
    """Return the fields of one line, from one."""
    head = content.head(_HEAD, line)
    dialect = attrs.evolve(plan.dialect, empty_lines="skip", leading=_lenient(plan), comments=())
    fields = fields_of(head, dialect, line - 1)
    if not fields.height or fields.lines[0] != line - 1:
        return []
    return fields.texts(0, plan.whitespace)[slice(*plan.columns)]


def _lenient(plan: Plan) -> str:
    rule = plan.leading_delimiters_rule
    return "keep" if rule == "error" else rule


def _extra(fields: Fields, plan: Plan) -> tuple[Fields, Plan]:
    """Fields and plan of as many variables as rows have, by the rule for what is too much."""
    left, right = plan.columns
    width, count = min(fields.width, right or fields.width) - left, len(plan.variables)
    if width > count and count:
        rule = plan.extra_columns_rule
        if rule == "error":
            row = int((fields.widths - left > count).argmax())
            raise MatlabError(
                "MATLAB:textio:io:ExtraColumns",
                f"Line {int(fields.lines[row]) + 1} has more than {count} fields.",
            )
        if rule == "wrap" and not left:
            return _wrapped(fields, count), plan
        if rule == "addvars":
            plan = _widened(plan, width)
    _check_size(len(plan.variables) * fields.height, fields)
    return fields, plan


def _widened(plan: Plan, width: int) -> Plan:
    """Return the plan with variables of text for all fields beyond its own."""
    taken = set(plan.names)
    added = []
    for k in range(1, width - len(plan.variables) + 1):
        name = f"ExtraVar{k}"
        while name in taken:
            name += "_1"
        added.append(Variable(name))
    selected = (*plan.selected, *(v.name for v in added))
    return attrs.evolve(plan, variables=(*plan.variables, *added), selected=selected)


def _wrapped(fields: Fields, count: int) -> Fields:
    """Rows of `count` fields at most; what is more begins a new one."""
    widths = fields.widths
    pieces = -(-widths // count)
    row = np.repeat(np.arange(fields.height), pieces)
    number = np.arange(len(row)) - np.repeat(np.cumsum(pieces) - pieces, pieces)
    first = np.append(fields.first[:-1][row] + number * count, fields.first[-1])
    return attrs.evolve(fields, first=first, lines=fields.lines[row])


def _partial(fields: Fields, plan: Plan) -> Fields:
    """Fields of fixed width by the rule for those that a line cuts short."""
    rule = plan.partial_field_rule
    count = len(plan.variable_widths)
    if rule == "keep" or not count:
        return fields
    lengths = (fields.ends - fields.starts).reshape(-1, count)
    short = (lengths > 0) & (lengths < np.array(plan.variable_widths))
    cut = np.logical_or.reduce(short, axis=1)
    if not cut.any():
        return fields
    if rule == "error":
        line = int(fields.lines[int(cut.argmax())]) + 1
        raise MatlabError("MATLAB:textio:io:PartialField", f"Line {line} ends within a field.")
    if rule == "omitrow":
        return fields.rows(~cut)
    ends = np.where(short.ravel(), fields.starts, fields.ends)
    return attrs.evolve(fields, ends=ends)


# -- variables -----------------------------------------------------------------------------------


def _alike(plan: Plan, named: int) -> Iterator[tuple[int, Sequence[Variable]]]:
    """Run of variables of numbers that are read alike and selected, and where they begin."""
    selected = set(plan.selected)

    def kind(at: tuple[int, Variable]) -> Any:
        k, variable = at
        if family(variable.kind) != "Numeric" or k == named or variable.name not in selected:
            return None
        refuses = variable.option("EmptyFieldRule") == "error"
        return None if refuses else (variable.kind, variable.options)

    for like, run in groupby(enumerate(plan.variables), kind):
        pairs = list(run)
        if like is not None and len(pairs) >= _MANY:
            yield pairs[0][0], [variable for _, variable in pairs]


def _together(
    items: Items, alike: Sequence[Variable], height: int, whitespace: str
) -> dict[str, Any]:
    """Variables that are read alike from all their fields at once; none if one is complex."""
    kind = alike[0].kind
    data = to_numpy(convert(items, alike[0], whitespace).value).reshape(len(alike), height)
    if data.dtype.kind == "c":
        return {}
    if height == 1 and kind == "double":
        return dict(zip((v.name for v in alike), data.ravel().tolist(), strict=True))
    return {
        v.name: from_numpy(row.reshape(-1, 1).copy(), kind)
        for v, row in zip(alike, data, strict=True)
    }


def _at_once(
    items: Callable[[int], Items], height: int, plan: Plan, numbers: Sequence[int]
) -> Callable[[int], Converted]:
    """Return what gives the variable of a number, converted on several threads where that pays.

    Conversions of long columns are rules of NumPy, which several threads work at side by side.
    """

    def made(k: int) -> Converted:
        return convert(items(k), plan.variables[k], plan.whitespace)

    count = min(threads.limit(), len(numbers))
    if height < _LONG or count < 2:
        return made
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor(count, "runmat columns")
    found = {k: pool.submit(copy_context().run, made, k) for k in numbers}
    pool.shutdown(wait=False)
    return lambda k: found.pop(k).result()


def assembled(
    items: Any,
    height: int,
    plan: Plan,
    notes: dict[str, dict[str, str]],
    lines: NDArray[np.intp] | None,
    row_names: Sequence[str] | None = None,
) -> Imported:
    """Return the variables that a plan selects, by its rules.

    Args:
        items: gives the fields of the variable of a number; of a text, of several in a row.
        lines: the line of each row, from zero, for messages.
        row_names: where they are not a column of the plan.
    """
    numbers = {v.name: k for k, v in enumerate(plan.variables)}
    named = plan.row_names_column
    if row_names is None and named > 0:
        row_names = items(named - 1).trimmed(plan.whitespace).words(np.arange(height))
    omitted = np.zeros(height, np.bool_)
    rules = plan.missing_rule, plan.import_error_rule
    values: dict[str, Any] = {}
    if lines is not None and height <= _LOW and rules == ("fill", "fill"):
        values = dict.fromkeys(plan.selected)
        for k, alike in _alike(plan, named - 1):
            values.update(_together(items(k, len(alike)), alike, height, plan.whitespace))
    left = [n for n in plan.selected if numbers[n] != named - 1 and values.get(n) is None]
    made = _at_once(items, height, plan, [numbers[name] for name in left])
    for name in plan.selected:
        k = numbers[name]
        if k == named - 1:
            values.pop(name, None)
            continue
        if values.get(name) is not None:
            continue
        variable = plan.variables[k]
        found: Converted = made(k)
        empty = variable.option("EmptyFieldRule") == "error"
        checks = (
            ("error" if empty else plan.missing_rule, "missing", found.missing),
            (plan.import_error_rule, "wrong", found.wrong),
        )
        kept = True
        for rule, what, flags in checks:
            asked = apply_rule(rule, what, flags, variable, lines)
            if asked == "omitrow":
                omitted |= flags
            kept = kept and asked != "omitvar"
        if kept:
            values[name] = found.value
        else:
            values.pop(name, None)
    if omitted.any():
        rows = np.flatnonzero(~omitted)
        values = {name: index(v, (numbers_of(rows), COLON)) for name, v in values.items()}
        height = len(rows)
        row_names = None if row_names is None else [row_names[k] for k in rows.tolist()]
    return Imported(values, height, tuple(row_names or ()), notes)
