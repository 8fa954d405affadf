"""Import options: objects that say how a file is read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError, undefined_for
from runmat_core.builtins.arguments import integer, nearest
from runmat_core.builtins.sheets.plan import Plan, field_name
from runmat_core.builtins.sheets.properties import OF_PLAN, cells, one_word, plan_with, words
from runmat_core.builtins.sheets.variable_options import (
    VariableOptions,
    changed,
    full_name,
    no_such_option,
)
from runmat_core.values import ObjectValue, class_of, is_text, text, to_numpy
from runmat_core.values.cell import CellArray
from runmat_core.values.char import CharArray
from runmat_core.values.display_containers import property_text
from runmat_core.values.display_format import DisplayFormat
from runmat_core.values.display_matrix import Shown, writer

_VARIABLES = ("VariableNames", "VariableTypes", "SelectedVariableNames", "VariableOptions")
_REPLACEMENT = ("MissingRule", "ImportErrorRule", "ExtraColumnsRule")
_LINES = (
    *("DataLines", "VariableNamesLine", "RowNamesColumn", "VariableUnitsLine"),
    "VariableDescriptionsLine",
)
_Layout = tuple[tuple[str, tuple[str, ...]], ...]
#: The properties of each kind of options as they are shown, in groups.
_LAYOUTS: dict[str, _Layout] = {
    "delimited": (
        (
            "Format Properties:",
            (
                *("Delimiter", "Whitespace", "LineEnding", "CommentStyle"),
                *("ConsecutiveDelimitersRule", "LeadingDelimitersRule", "TrailingDelimitersRule"),
                *("EmptyLineRule", "Encoding"),
            ),
        ),
        ("Replacement Properties:", _REPLACEMENT),
        (
            "Variable Import Properties: Set types by name using setvartype",
            (*_VARIABLES, "VariableNamingRule"),
        ),
        ("Location Properties:", _LINES),
    ),
    "fixed": (
        (
            "Format Properties:",
            ("Whitespace", "LineEnding", "CommentStyle", "EmptyLineRule", "Encoding"),
        ),
        ("Replacement Properties:", ("PartialFieldRule", *_REPLACEMENT)),
        (
            "Variable Import Properties: Set types by name using setvartype",
            (*_VARIABLES, "VariableWidths", "VariableNamingRule"),
        ),
        ("Location Properties:", _LINES),
    ),
    "spreadsheet": (
        ("Sheet Properties:", ("Sheet",)),
        ("Replacement Properties:", ("MissingRule", "ImportErrorRule")),
        (
            "Variable Import Properties: Set types by name using setvartype",
            (*_VARIABLES, "VariableNamingRule"),
        ),
        (
            "Range Properties:",
            (
                *("DataRange", "VariableNamesRange", "RowNamesRange", "VariableUnitsRange"),
                "VariableDescriptionsRange",
            ),
        ),
    ),
}
_CLASSES = {
    "delimited": "matlab.io.text.DelimitedTextImportOptions",
    "fixed": "matlab.io.text.FixedWidthImportOptions",
    "spreadsheet": "matlab.io.spreadsheet.SpreadsheetImportOptions",
}


class ImportOptions(ObjectValue):
    """How a file is read; its `data` is a `Plan`."""

    __slots__ = ()
    takes_paths = True
    data: Plan

    def __init__(self, plan: Plan) -> None:
        self.data = plan

    @property
    def class_name(self) -> str:  # type: ignore[override]
        return _CLASSES[self.data.kind]

    @property
    def properties(self) -> tuple[str, ...]:  # type: ignore[override]
        return tuple(name for _, group in _LAYOUTS[self.data.kind] for name in group)

    def get_property(self, name: str) -> Any:
        plan = self.data
        if name == "VariableNames":
            return cells(plan.names)
        if name == "VariableTypes":
            return cells([variable.kind for variable in plan.variables])
        if name == "SelectedVariableNames":
            return cells(plan.selected)
        if name == "VariableOptions":
            return VariableOptions(plan.variables)
        return OF_PLAN[name].show(getattr(plan, field_name(name)))

    def set_property(self, name: str, rhs: Any) -> None:
        plan = self.data
        if name == "VariableNames":
            self.data = plan.named(words(rhs, name))
        elif name == "VariableTypes":
            self.data = plan.typed(words(rhs, name))
        elif name == "SelectedVariableNames":
            self.data = attrs.evolve(plan, selected=tuple(self.chosen(rhs)))
        elif name == "VariableOptions":
            if not isinstance(rhs, VariableOptions) or len(rhs.items()) != len(plan.variables):
                raise MatlabError(
                    "MATLAB:textio:io:InvalidVariableOptions",
                    "VariableOptions must be the options of as many variables.",
                )
            named = plan.named([variable.name for variable in rhs.items()])
            self.data = attrs.evolve(named, variables=tuple(rhs.items()))
        else:
            self.data = plan_with(plan, name, rhs)

    def chosen(self, which: Any) -> list[str]:
        """Return the variables that names, numbers or flags select.

        Raises:
            MatlabError: MATLAB:textio:io:UnknownVarName, or numbers that are too large.
        """
        known = self.data.names
        if isinstance(which, CharArray | CellArray) or class_of(which) == "string":
            names = list(words(which, "VariableNames"))
            if names == [":"]:
                return known
        else:
            found = to_numpy(which).ravel()
            numbers = np.flatnonzero(found) + 1 if found.dtype == np.bool_ else found
            for number in numbers.tolist():
                if not 1 <= number <= len(known) or number != int(number):
                    raise MatlabError(
                        "MATLAB:textio:io:BadNumericSelection",
                        f"Variable {number:g} does not exist: there are {len(known)}.",
                    )
            names = [known[int(k) - 1] for k in numbers]
        there = set(known)
        for name in names:
            if name not in there:
                raise MatlabError(
                    "MATLAB:textio:io:UnknownVarName", f"Unknown variable name: '{name}'."
                )
        return names


@writer(*_CLASSES.values())
def _shown(name: str, value: Any, fmt: DisplayFormat) -> Shown:
    """Return the properties in groups, with their names aligned on one colon."""
    layout = _LAYOUTS[value.data.kind]
    widest = max(len(label) for label in value.properties) + 4
    groups = []
    for title, labels in layout:
        lines = f"   {title}\n"
        for label in labels:
            lines += f"{label.rjust(widest)}: {_property(value, label, fmt)}\n"
            if label == "VariableOptions":
                lines += "\tAccess VariableOptions sub-properties using setvaropts/getvaropts\n"
        groups.append(lines)
    content = fmt.blank.join(groups) + "\tTo display a preview of the table, use preview\n"
    header = f"  {value.class_name.rpartition('.')[2]} with properties:"
    return Shown(content, header, is_object=True, disp_header=True)


def _property(value: ImportOptions, label: str, fmt: DisplayFormat) -> str:
    if label == "VariableOptions":
        count = len(value.data.variables)
        return f"[1-by-{count} matlab.io.VariableImportOptions]"
    found = value.get_property(label)
    if isinstance(found, CellArray):
        texts = [f"'{item.text()}'" for item in found.items()]
        if label in _VARIABLES and len(texts) > 3:
            return "{" + ", ".join(texts[:3]) + f" ... and {len(texts) - 3} more}}"
        return "{" + (", " if label in _VARIABLES else "  ").join(texts) + "}"
    if label in ("DataLines", "VariableWidths"):
        rows = to_numpy(found)
        if len(rows) == 1:
            return "[" + " ".join(f"{n:g}".replace("inf", "Inf") for n in rows[0]) + "]"
    return property_text(found, fmt)


def options_of(function: str, value: Any) -> ImportOptions:
    """Return an argument of import options.

    Raises:
        MatlabError: MATLAB:UndefinedFunction, it is something else.
    """
    if not isinstance(value, ImportOptions):
        raise undefined_for(function, class_of(value))
    return value


# -- making --------------------------------------------------------------------------------------


def _made(function: str, kind: str, args: Sequence[Any]) -> ImportOptions:
    """Import options from name-value pairs."""
    if len(args) % 2:
        raise MatlabError(
            f"MATLAB:{function}:ArgNameValueMismatch", "Options must be pairs of names and values."
        )
    plan = Plan(kind=kind)
    if kind == "fixed":
        plan = attrs.evolve(plan, delimiter=())
    made = ImportOptions(plan)
    known = {name.lower(): name for name in (*made.properties, "NumVariables")}
    given: dict[str, Any] = {}
    for name, value in zip(args[::2], args[1::2], strict=True):
        word = text(name) if is_text(name) else class_of(name)
        if word.lower() not in known:
            raise MatlabError(
                "MATLAB:textio:io:UnknownOption",
                f"Unknown option of {function}: {word}.{nearest(word, known.values())}",
            )
        given[known[word.lower()]] = value
    count = integer(given.pop("NumVariables")) if "NumVariables" in given else None
    for name in ("VariableNames", "VariableTypes", "VariableWidths"):
        if count is None and name in given:
            value = given[name]
            is_words = isinstance(value, CharArray | CellArray) or class_of(value) == "string"
            count = len(words(value, name)) if is_words else to_numpy(value).size
    made.data = plan.sized(1 if count is None else max(count, 0))
    order = ("VariableNames", "VariableTypes")
    for name in sorted(given, key=lambda n: order.index(n) if n in order else len(order)):
        made.set_property(name, given[name])
    return made


@builtin("delimitedTextImportOptions", family="sheets/options", nargin=(0, None))
def delimitedTextImportOptions(*args: Any) -> Any:
    """Import options for text with delimiters.

    opts = delimitedTextImportOptions('NumVariables', n): n variables of text, separated by commas
    opts = delimitedTextImportOptions(name, value, …) sets properties at once

    Properties: Delimiter, Whitespace, LineEnding, CommentStyle, ConsecutiveDelimitersRule,
    LeadingDelimitersRule, TrailingDelimitersRule, EmptyLineRule, Encoding, MissingRule,
    ImportErrorRule, ExtraColumnsRule, VariableNames, VariableTypes, SelectedVariableNames,
    VariableOptions, VariableNamingRule, DataLines, VariableNamesLine, RowNamesColumn,
    VariableUnitsLine, VariableDescriptionsLine.

    Examples:
        >> opts = delimitedTextImportOptions("NumVariables", 2);
        >> opts.VariableNames = ["a" "b"]; opts.VariableTypes = ["double" "string"];
        >> opts.DataLines = [2 Inf];
        >> name = [tempname '.csv']; writelines(["first,second" "1,x" "2,y"], name);
        >> readtable(name, opts)
        ans =
          2×2 table
            a     b
            _    ___
            1    "x"
            2    "y"

    See also: detectImportOptions, fixedWidthImportOptions, setvaropts, setvartype, readtable.
    """
    return _made("delimitedTextImportOptions", "delimited", args)


@builtin("fixedWidthImportOptions", family="sheets/options", nargin=(0, None))
def fixedWidthImportOptions(*args: Any) -> Any:
    """Import options for text whose fields take a fixed number of characters.

    opts = fixedWidthImportOptions('NumVariables', n)
    opts = fixedWidthImportOptions(name, value, …) sets properties at once: VariableWidths,
    PartialFieldRule and those of delimitedTextImportOptions that are not about delimiters

    Examples:
        >> opts = fixedWidthImportOptions('VariableWidths', [3 4]);
        >> opts = setvartype(opts, 1, 'double');
        >> name = [tempname '.txt']; writelines(["1  ann" "22 bob"], name);
        >> readcell(name, opts)
        ans =
          2×2 cell array
            {[ 1]}    {'ann'}
            {[22]}    {'bob'}

    See also: delimitedTextImportOptions, setvartype, readtable.
    """
    made = _made("fixedWidthImportOptions", "fixed", args)
    if not made.data.variable_widths:
        made.data = attrs.evolve(made.data, variable_widths=(1,) * len(made.data.variables))
    return made


@builtin("spreadsheetImportOptions", family="sheets/options", nargin=(0, None))
def spreadsheetImportOptions(*args: Any) -> Any:
    """Import options for spreadsheets.

    opts = spreadsheetImportOptions('NumVariables', n)
    opts = spreadsheetImportOptions(name, value, …) sets properties at once: Sheet, DataRange,
    VariableNamesRange, RowNamesRange, VariableUnitsRange, VariableDescriptionsRange, MissingRule,
    ImportErrorRule, VariableNames, VariableTypes, SelectedVariableNames, VariableNamingRule

    Examples:
        >> opts = spreadsheetImportOptions('NumVariables', 2); opts.DataRange = 'B3:C9';
        >> opts.DataRange
        ans =
            'B3:C9'

    See also: detectImportOptions, delimitedTextImportOptions, readtable.
    """
    return _made("spreadsheetImportOptions", "spreadsheet", args)


# -- variables -----------------------------------------------------------------------------------


@builtin("setvartype", family="sheets/options", nargin=(2, 3))
def setvartype(opts: Any, *args: Any) -> Any:
    """Import options with other types of variables.

    opts = setvartype(opts, type) of all variables
    opts = setvartype(opts, variables, type): variables by names, numbers or flags

    Examples:
        >> name = [tempname '.csv']; writetable(table([1; 2], 'VariableNames', {'x'}), name);
        >> opts = setvartype(detectImportOptions(name), 'x', 'string');
        >> readtable(name, opts).x'
        ans =
          1×2 string array
            "1"    "2"

    See also: detectImportOptions, setvaropts, readtable.
    """
    made = options_of("setvartype", opts)
    which = made.chosen(args[0]) if len(args) > 1 else made.data.names
    kinds = words(args[-1], "VariableTypes")
    kinds = kinds * len(which) if len(kinds) == 1 else kinds
    if len(kinds) != len(which):
        raise MatlabError(
            "MATLAB:textio:io:IncorrectNumberOfNames",
            f"There must be one type, or one for each of the {len(which)} variables.",
        )
    of = dict(zip(which, kinds, strict=True))
    return ImportOptions(made.data.typed([of.get(v.name, v.kind) for v in made.data.variables]))


@builtin("setvaropts", family="sheets/options", nargin=(3, None))
def setvaropts(opts: Any, *args: Any) -> Any:
    """Import options with other options of single variables.

    opts = setvaropts(opts, name, value, …) of all variables that have such an option
    opts = setvaropts(opts, variables, name, value, …): variables by names, numbers or flags

    Options of all types: FillValue, TreatAsMissing, QuoteRule, Prefixes, Suffixes, EmptyFieldRule.
    Of numbers: ExponentCharacter, DecimalSeparator, ThousandsSeparator, TrimNonNumeric,
    NumberSystem; of text: WhitespaceRule; of logicals: TrueSymbols, FalseSymbols, CaseSensitive;
    of datetimes: DatetimeFormat, DatetimeLocale, InputFormat, TimeZone; of durations:
    DurationFormat, InputFormat, DecimalSeparator, FieldSeparator; of categories: Categories,
    Protected, Ordinal.

    Examples:
        >> name = [tempname '.csv']; writelines(["x" "1" "none"], name);
        >> opts = setvartype(detectImportOptions(name), 'x', 'double');
        >> opts = setvaropts(opts, 'x', 'TreatAsMissing', 'none', 'FillValue', -1);
        >> readmatrix(name, opts)'
        ans =
             1    -1

    See also: getvaropts, setvartype, detectImportOptions.
    """
    made = options_of("setvaropts", opts)
    every = len(args) % 2 == 0
    which = made.data.names if every else made.chosen(args[0])
    pairs = args if every else args[1:]
    change = {v.name: v for v in made.data.variables}
    for name, value in zip(pairs[::2], pairs[1::2], strict=True):
        word = full_name(one_word(name, "Name"))
        fitting = 0
        for variable in which:
            try:
                change[variable] = changed(change[variable], word, value)
                fitting += 1
            except MatlabError as problem:
                if not every or problem.identifier != "MATLAB:textio:io:UnknownVarOption":
                    raise
        if every and which and not fitting:
            raise no_such_option(word, change[which[0]])
    plan = made.data.named([change[name].name for name in made.data.names])
    return ImportOptions(attrs.evolve(plan, variables=tuple(change.values())))


@builtin("getvaropts", family="sheets/options", nargin=(1, 2))
def getvaropts(opts: Any, which: Any = None) -> Any:
    """The options of single variables in import options.

    V = getvaropts(opts), V = getvaropts(opts, variables): variables by names, numbers or flags

    Examples:
        >> opts = delimitedTextImportOptions('VariableNames', {'x'}, 'VariableTypes', {'double'});
        >> V = getvaropts(opts, 'x'); V.DecimalSeparator
        ans =
            '.'

    See also: setvaropts, setvartype, detectImportOptions.
    """
    made = options_of("getvaropts", opts)
    names = made.data.names if which is None else made.chosen(which)
    of = {variable.name: variable for variable in made.data.variables}
    return VariableOptions([of[name] for name in names])
