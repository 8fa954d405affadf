"""The properties of import options: how each is read from a MATLAB value, and shown as one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import attrs
import numpy as np

from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import integer, scalar
from runmat_core.builtins.named import choice
from runmat_core.builtins.sheets.plan import Plan, field_name
from runmat_core.builtins.tables.support import flag
from runmat_core.values import char, class_of, from_numpy, is_text, numel_of, text, texts, to_numpy
from runmat_core.values.cell import CellArray, object_array
from runmat_core.values.char import CharArray
from runmat_core.values.classes import DTYPE
from runmat_core.values.printf_format import unescape
from runmat_core.values.string import StringArray

_TEXT = (CharArray, StringArray, CellArray)
_NAMED = {"comma": ",", "tab": "\t", "semi": ";", "bar": "|", "space": " ", "whitespace": " "}


@attrs.frozen
class Property:
    """How a property is kept.

    Attributes:
        read: makes of a MATLAB value what a plan or a variable keeps.
        show: makes a MATLAB value of that again.
    """

    read: Callable[[Any, str], Any]
    show: Callable[[Any], Any]


# -- readers -------------------------------------------------------------------------------------


def invalid(name: str, what: str) -> MatlabError:
    return MatlabError(f"MATLAB:textio:io:Invalid{name}", f"{name} must be {what}.")


def words(value: Any, name: str) -> tuple[str, ...]:
    """Texts of an argument; ``{}`` and ``[]`` are none."""
    if isinstance(value, _TEXT):
        return tuple(texts(value))
    if numel_of(value) == 0:
        return ()
    raise invalid(name, "a character vector, a string array, or a cell array of character vectors")


def delimiters(value: Any, name: str) -> tuple[str, ...]:
    """Delimiters by their names, or with their escapes as characters."""
    found = [_NAMED.get(word.lower(), unescape(word)) for word in words(value, name)]
    return tuple(word for word in found if word)


def _marks(value: Any, name: str) -> tuple[str, ...]:
    found = tuple(unescape(word) for word in words(value, name) if word)
    if name == "CommentStyle" and len(found) > 2:
        raise invalid(name, "one mark, or two that enclose comments")
    return found


def _line_ending(value: Any, name: str) -> tuple[str, ...]:
    found = _marks(value, name)
    if not found:
        raise invalid(name, "text")
    return found if set(found) != {"\r\n"} else ("\r\n",)


def one_word(value: Any, name: str) -> str:
    if is_text(value):
        return text(value)
    found = words(value, name)
    if len(found) > 1:
        raise invalid(name, "one text")
    return found[0] if found else ""


def _escaped(value: Any, name: str) -> str:
    return unescape(one_word(value, name))


def _chosen(*known: str) -> Callable[[Any, str], str]:
    return lambda value, name: choice(value, known, name)


def _line(value: Any, name: str) -> int:
    if class_of(value) not in DTYPE:
        raise invalid(name, "a line number")
    if numel_of(value) == 0:
        return 0
    found = integer(value)
    if found < 0:
        raise invalid(name, "a line number")
    return found


def spans(value: Any, name: str) -> tuple[tuple[float, float], ...]:
    """Lines of data: the first one, or the first and last of each part."""
    given = to_numpy(value) if class_of(value) == "double" else np.full((1, 1), np.nan)
    if given.size == 0:
        return ()
    given = np.array([[given.item(), np.inf]]) if given.size == 1 else given
    fine = given.ndim == 2 and given.shape[1] == 2
    if not fine or not ((given[:, 0] <= given[:, 1]) & (given[:, 0] >= 1)).all():
        raise MatlabError(
            "MATLAB:textio:io:InvalidDataLines",
            "DataLines is a line, or rows of a first and a last line.",
        )
    return tuple((float(first), float(last)) for first, last in given)


def _widths(value: Any, name: str) -> tuple[int, ...]:
    given = to_numpy(value).ravel(order="F")
    if not ((given >= 0) & (given == np.floor(given))).all():
        raise invalid(name, "whole numbers")
    return tuple(int(k) for k in given)


def _range(value: Any, name: str) -> Any:
    """Cells: a text, a row, or an array of rows."""
    if is_text(value):
        return text(value)
    return np.array(to_numpy(value), float)


def _sheet(value: Any, name: str) -> str | float:
    """Return a sheet by its name or its number; empty for the first one."""
    if is_text(value) or not numel_of(value):
        return one_word(value, name)
    return scalar(value, name)


def _as_is(value: Any, name: str) -> Any:
    return value


def _flag(value: Any, name: str) -> bool:
    return flag(value)


def _types(value: Any, name: str) -> Any:
    return words(value, name)


# -- what is shown -------------------------------------------------------------------------------


def cells(found: Sequence[str]) -> CellArray:
    return CellArray(object_array(map(CharArray, found), (1 if found else 0, len(found))))


def escaped(word: str) -> str:
    """Return a text with blanks that do not show as their escapes."""
    for mark, shown in (("\b", "\\b"), ("\t", "\\t"), ("\r", "\\r"), ("\n", "\\n")):
        word = word.replace(mark, shown)
    return word


def _shown_range(found: Any) -> Any:
    return char(found) if isinstance(found, str) else from_numpy(np.array(found, float))


_WORDS = Property(words, cells)
_DELIMITERS = Property(delimiters, lambda found: cells(list(map(escaped, found))))
_MARKS = Property(_marks, lambda found: cells(list(map(escaped, found))))
_WORD = Property(one_word, char)
_ESCAPED = Property(_escaped, lambda found: char(escaped(found)))
_LINE = Property(_line, float)
_RANGE = Property(_range, _shown_range)
_FLAG = Property(_flag, bool)


def _rule(*known: str) -> Property:
    return Property(_chosen(*known), char)


#: The properties of import options that are fields of a plan.
OF_PLAN: dict[str, Property] = {
    "Delimiter": _DELIMITERS,
    "Whitespace": _ESCAPED,
    "LineEnding": Property(_line_ending, lambda found: cells(list(map(escaped, found)))),
    "CommentStyle": _MARKS,
    "ConsecutiveDelimitersRule": _rule("split", "join", "error"),
    "LeadingDelimitersRule": _rule("keep", "ignore", "error"),
    "TrailingDelimitersRule": _rule("ignore", "keep", "error"),
    "EmptyLineRule": _rule("skip", "read", "error"),
    "Encoding": _WORD,
    "VariableWidths": Property(_widths, lambda found: from_numpy(np.array([found], float))),
    "PartialFieldRule": _rule("keep", "fill", "omitrow", "omitvar", "wrap", "error"),
    "MissingRule": _rule("fill", "error", "omitrow", "omitvar"),
    "ImportErrorRule": _rule("fill", "error", "omitrow", "omitvar"),
    "ExtraColumnsRule": _rule("addvars", "ignore", "wrap", "error"),
    "VariableNamingRule": _rule("modify", "preserve"),
    "DataLines": Property(spans, lambda found: from_numpy(np.array(found, float).reshape(-1, 2))),
    "VariableNamesLine": _LINE,
    "RowNamesColumn": _LINE,
    "VariableUnitsLine": _LINE,
    "VariableDescriptionsLine": _LINE,
    "Sheet": Property(_sheet, lambda found: char(found) if isinstance(found, str) else found),
    "DataRange": _RANGE,
    "VariableNamesRange": _RANGE,
    "RowNamesRange": _RANGE,
    "VariableUnitsRange": _RANGE,
    "VariableDescriptionsRange": _RANGE,
}

#: What can be said of single variables.
OF_VARIABLES: dict[str, Property] = {
    "FillValue": Property(_as_is, _as_is),  # type: ignore[arg-type]
    "TreatAsMissing": _WORDS,
    "QuoteRule": _rule("remove", "keep", "error"),
    "Prefixes": _WORDS,
    "Suffixes": _WORDS,
    "EmptyFieldRule": _rule("missing", "error", "auto"),
    "ExponentCharacter": _WORD,
    "DecimalSeparator": _WORD,
    "ThousandsSeparator": _WORD,
    "TrimNonNumeric": _FLAG,
    "NumberSystem": _rule("decimal", "hex", "binary"),
    "WhitespaceRule": _rule("trim", "trimleading", "trimtrailing", "preserve"),
    "TrueSymbols": _WORDS,
    "FalseSymbols": _WORDS,
    "CaseSensitive": _FLAG,
    "DatetimeFormat": _WORD,
    "DatetimeLocale": _WORD,
    "InputFormat": _WORD,
    "TimeZone": _WORD,
    "DurationFormat": _WORD,
    "FieldSeparator": _WORD,
    "Categories": _WORDS,
    "Protected": _FLAG,
    "Ordinal": _FLAG,
}


def plan_with(plan: Plan, name: str, value: Any) -> Plan:
    """Return a plan with another value of one of `OF_PLAN`."""
    return attrs.evolve(plan, **{field_name(name): OF_PLAN[name].read(value, name)})
