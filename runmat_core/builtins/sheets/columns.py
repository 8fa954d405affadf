"""Fields as a variable of a type: values, and which fields were missing or did not fit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.api.errors import MatlabError
from runmat_core.builtins.sheets import words as reading
from runmat_core.builtins.sheets.items import CellItems, Flags, Items, TextItems, cell_span
from runmat_core.builtins.sheets.plan import Variable, family
from runmat_core.values import from_numpy, is_text, text, to_numpy
from runmat_core.values.categorical import Categorical, Meaning
from runmat_core.values.cell import CellArray
from runmat_core.values.char import chars
from runmat_core.values.classes import INTEGER_CLASSES, cast_array
from runmat_core.values.string import MISSING, StringArray
from runmat_core.values.time import civil
from runmat_core.values.time.datetime import Datetime
from runmat_core.values.time.duration import Duration, as_duration

#: Doubles from here on do not have all integers.
_EXACT = 2.0**53


@attrs.frozen(eq=False)
class Converted:
    """A variable.

    Attributes:
        value: a column of its type, filled where there was nothing to read.
        missing: which fields held nothing.
        wrong: which fields could not be read.
    """

    value: Any
    missing: Flags
    wrong: Flags


def convert(items: Items, variable: Variable, whitespace: str) -> Converted:
    """Return the fields of a column as a variable of a type."""
    kind = family(variable.kind)
    items, wrong = _quotes(_blanks(items, variable, whitespace), variable, whitespace)
    items = _bare(items, variable)
    missing = items.empty
    for word in variable.option("TreatAsMissing"):
        missing = missing | items.equal_to(word)
    known = ~(missing | wrong)
    found = _RULES[kind](items, variable, known)
    return Converted(found.value, missing, (wrong | found.wrong) & ~missing)


def _blanks(items: Items, variable: Variable, whitespace: str) -> Items:
    """Return the fields without the whitespace around them that does not count."""
    rule = variable.option("WhitespaceRule") or "trim"
    if rule == "preserve":
        return items
    return items.trimmed(whitespace, rule != "trimtrailing", rule != "trimleading")


def _quotes(items: Items, variable: Variable, whitespace: str) -> tuple[Items, Flags]:
    """Return the fields with quotes as the rule has them, and which have quotes that may not be."""
    nothing = np.zeros(len(items), np.bool_)
    if not isinstance(items, TextItems) or items.quoted is None:
        return items, nothing
    rule = variable.option("QuoteRule")
    if rule == "keep":
        return items.with_quotes(), nothing
    if family(variable.kind) != "Text":
        items = items.unquoted(whitespace)
    return items, items.quoted if rule == "error" and items.quoted is not None else nothing


def _bare(items: Items, variable: Variable) -> Items:
    """Return the fields without what stands before or behind them."""
    before, behind = variable.option("Prefixes"), variable.option("Suffixes")
    if not before and not behind:
        return items

    def cut(word: str) -> str:
        for mark in before:
            if word.startswith(mark):
                word = word[len(mark) :].lstrip()
                break
        for mark in behind:
            if mark and word.endswith(mark):
                return word[: -len(mark)].rstrip()
        return word

    if isinstance(items, CellItems):
        return CellItems([cut(c) if isinstance(c, str) else c for c in items.cells])
    different, codes = items.distinct()
    shorter = [cut(word) for word in different]
    return CellItems([shorter[k] for k in codes.tolist()])


# -- rules of the types --------------------------------------------------------------------------


@attrs.frozen(eq=False)
class _Read:
    value: Any
    wrong: Flags


def _singly(
    items: Items, rows: NDArray[np.intp], read: Callable[[str], Any]
) -> tuple[list[Any], list[int], list[int]]:
    """Return what single fields stand for: values, their rows, and the rows of the others."""
    seen: dict[str, Any] = {}
    values, good, bad = [], [], []
    for row, word in zip(rows.tolist(), items.words(rows), strict=True):
        value = seen[word] if word in seen else seen.setdefault(word, read(word))
        if value is None:
            bad.append(row)
        else:
            values.append(value)
            good.append(row)
    return values, good, bad


def _flags(count: int, rows: Sequence[int]) -> Flags:
    found = np.zeros(count, np.bool_)
    found[list(rows)] = True
    return found


def _numeric(items: Items, variable: Variable, known: Flags) -> _Read:
    count = len(items)
    point = variable.option("DecimalSeparator") or "."
    if reading.is_plain(variable) or isinstance(items, CellItems):
        values, plain = items.numbers(point)
    else:
        values, plain = np.zeros(count), np.zeros(count, np.bool_)
    rest = np.flatnonzero(known & ~plain)
    found, good, bad = _singly(items, rest, reading.number_reader(variable))
    if any(isinstance(value, complex) for value in found):
        values = values.astype(complex)
    if found:
        values[good] = found
    wrong = _flags(count, bad)
    fill = _fill(variable, float("nan"))
    nothing = ~known | wrong
    if nothing.any():
        values[nothing] = fill
    if variable.kind in INTEGER_CLASSES:
        if values.dtype.kind == "c":
            wrong |= values.imag != 0
            values = values.real.copy()
        whole = cast_array(values.reshape(-1, 1), variable.kind)
        _large(items, values, whole, known & ~wrong)
        return _Read(from_numpy(whole, variable.kind), wrong)
    if variable.kind == "single":
        values = values.astype(np.complex64 if values.dtype.kind == "c" else np.float32)
    return _Read(from_numpy(values.reshape(-1, 1), variable.kind), wrong)


def _large(items: Items, values: NDArray[Any], whole: NDArray[Any], known: Flags) -> None:
    """Put integers in place that a double does not have exactly."""
    if whole.dtype.itemsize < 8 or not isinstance(items, TextItems):
        return
    rows = np.flatnonzero(known & (np.abs(values) >= _EXACT))
    limits = np.iinfo(whole.dtype)
    for row, word in zip(rows.tolist(), items.words(rows), strict=True):
        if word.lstrip("+-").isdigit():
            whole[row, 0] = min(max(int(word), limits.min), limits.max)


def _fill(variable: Variable, default: Any) -> Any:
    """Return the number that stands for what is missing."""
    given = variable.option("FillValue")
    return default if given is None else to_numpy(given).ravel()[0].item()


def _text(items: Items, variable: Variable, known: Flags) -> _Read:
    words, codes = items.distinct()
    given = variable.option("FillValue")
    if given is None:
        keep = variable.option("EmptyFieldRule") == "auto" or variable.kind == "char"
        fill: Any = "" if keep else MISSING
    else:
        fill = text(given) if is_text(given) else MISSING
    if not known.all():
        codes = np.where(known, codes, len(words))
    shape = (len(items), 1)
    if variable.kind == "string":
        table = np.empty(len(words) + 1, object)
        table[:] = [*words, fill]
        return _Read(StringArray(table[codes].reshape(shape)), np.zeros(len(items), np.bool_))
    table = np.empty(len(words) + 1, object)
    table[:] = chars([*words, fill if isinstance(fill, str) else ""])
    return _Read(CellArray(table[codes].reshape(shape)), np.zeros(len(items), np.bool_))


def _logical(items: Items, variable: Variable, known: Flags) -> _Read:
    exact = variable.option("CaseSensitive")
    symbols = {**dict.fromkeys(variable.option("FalseSymbols"), False)}
    symbols |= dict.fromkeys(variable.option("TrueSymbols"), True)
    folded = symbols if exact else {k.lower(): v for k, v in symbols.items()}

    def read(word: str) -> bool | None:
        found = folded.get(word if exact else word.lower())
        if found is None:
            value = reading.number(word)
            return None if value is None or value != value else value != 0
        return found

    found, good, bad = _singly(items, np.flatnonzero(known), read)
    values = np.full(len(items), bool(_fill(variable, False)))
    values[good] = found
    return _Read(from_numpy(values.reshape(-1, 1)), _flags(len(items), bad))


def _datetime(items: Items, variable: Variable, known: Flags) -> _Read:
    count = len(items)
    form, locale = variable.option("InputFormat"), variable.option("DatetimeLocale")
    zone = variable.option("TimeZone")
    if not form and isinstance(items, TextItems):
        rows = np.flatnonzero(known)[:100]
        form = reading.date_format([reading.translated(w, locale) for w in items.words(rows)])
    quick = items.times(form)
    if quick is None:
        quick = np.full(count, np.nan, np.longdouble), np.zeros(count, np.bool_)
    times, plain = quick
    rest = np.flatnonzero(known & ~plain)
    found, good, bad = _singly(items, rest, reading.date_reader(form, locale))
    offsets = {row: m.offset for row, m in zip(good, found, strict=True) if m.offset}
    times[good] = [np.longdouble(m.milliseconds) + np.longdouble(m.seconds) * 1000 for m in found]
    if zone:
        named = {"Z": "UTC", "UTC": "UTC", "GMT": "UTC"}
        moments = civil.to_utc(times, zone)
        for row, offset in offsets.items():
            name = named.get(offset.upper(), offset)
            moments[row] = civil.to_utc(times[row : row + 1], name)[0]
        times = moments
    wrong = _flags(count, bad)
    made = Datetime(times.reshape(-1, 1), _shown_format(variable, form), zone)
    return _Read(_filled(made, variable, ~known | wrong), wrong)


def _shown_format(variable: Variable, form: str) -> str:
    """Return the format that dates are shown in: as written, unless another is asked for."""
    wanted = str(variable.option("DatetimeFormat"))
    if wanted not in ("default", "preserveinput", "defaultdate"):
        return wanted
    if wanted == "defaultdate":
        return "dd-MMM-uuuu"
    return form if form and not form.endswith(".S") else ""


def _filled(made: Any, variable: Variable, nothing: Flags) -> Any:
    """Return times with a substitute for those that are missing."""
    given = variable.option("FillValue")
    if not nothing.any():
        return made
    codes = made.codes.copy()
    codes[nothing, 0] = np.nan if given is None else made.adopt(given).codes.ravel()[0]
    return made.with_codes(codes)


def _duration(items: Items, variable: Variable, known: Flags) -> _Read:
    count = len(items)
    spans = np.full(count, np.nan)
    if isinstance(items, CellItems):
        cells = [cell_span(cell) for cell in items.cells]
        spans = np.array([np.nan if span is None else span for span in cells])
        numbers, plain = items.numbers(".")
        spans = np.where(np.isnan(spans) & plain, numbers * civil.DAY, spans)
    rest = np.flatnonzero(known & np.isnan(spans))
    found, good, bad = _singly(items, rest, reading.span_reader(variable))
    spans[good] = found
    wrong = _flags(count, bad)
    form = variable.option("DurationFormat")
    form = (
        variable.option("InputFormat") or "hh:mm:ss"
        if form in ("default", "preserveinput", "")
        else form
    )
    made = Duration(spans.reshape(-1, 1)).formatted(form)
    given = variable.option("FillValue")
    fill = np.nan if given is None else as_duration(given, form).codes.ravel()[0]  # type: ignore[union-attr]
    codes = made.codes.copy()
    codes[~known | wrong, 0] = fill
    return _Read(made.with_codes(codes), wrong)


def _categorical(items: Items, variable: Variable, known: Flags) -> _Read:
    words, codes = items.distinct()
    used = np.zeros(len(words), np.bool_)
    used[codes[known]] = True
    given = list(variable.option("Categories"))
    names = given or sorted({w for w, is_used in zip(words, used.tolist(), strict=True) if is_used})
    fill = variable.option("FillValue")
    filled = text(fill) if fill is not None and is_text(fill) else None
    if filled and filled not in names:
        names.append(filled)
    place = {name: k for k, name in enumerate(names, 1)}
    table = np.array([place.get(word, 0) for word in words] + [0], np.int64)
    found = np.where(known, table[codes], 0)
    wrong = known & (found == 0)
    found[found == 0] = place[filled] if filled else 0
    flags = bool(variable.option("Ordinal")), bool(variable.option("Protected"))
    return _Read(Categorical(found.reshape(-1, 1), Meaning(tuple(names), *flags)), wrong)


_RULES: dict[str, Callable[[Items, Variable, Flags], _Read]] = {
    "Numeric": _numeric,
    "Text": _text,
    "Logical": _logical,
    "Datetime": _datetime,
    "Duration": _duration,
    "Categorical": _categorical,
}


# -- rules for what is missing or wrong ----------------------------------------------------------


def apply_rule(rule: str, what: str, flags: Flags, variable: Variable, lines: Any) -> str:
    """Return what a rule asks for where fields are missing or wrong: ``fill`` or to leave them out.

    Raises:
        MatlabError: the rule is ``error``.
    """
    if rule != "error" or not flags.any():
        return rule if flags.any() else "fill"
    row = int(flags.argmax())
    place = f"row {int(lines[row]) + 1}" if lines is not None else f"row {row + 1}"
    if what == "missing":
        raise MatlabError(
            "MATLAB:textio:io:MissingData",
            f"Missing data found in variable '{variable.name}', {place}.",
        )
    raise MatlabError(
        "MATLAB:textio:io:ConversionError",
        f"Unable to convert the text of variable '{variable.name}', {place}, to the type "
        f"'{variable.kind}'.",
    )
