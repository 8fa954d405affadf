"""How a file is read, as data: everything that import options and named options can say."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from runmat_core.api.errors import MatlabError
from runmat_core.builtins.sheets.fields import LINE_ENDINGS, Dialect
from runmat_core.values.classes import DTYPE

#: The types that a variable can be given.
TYPES = (*DTYPE, "char", "string", "datetime", "duration", "categorical")

_COMMON: dict[str, Any] = {
    "FillValue": None,
    "TreatAsMissing": (),
    "QuoteRule": "remove",
    "Prefixes": (),
    "Suffixes": (),
    "EmptyFieldRule": "missing",
}
#: What can be said of variables of each kind, with what holds unless something is.
FAMILIES: dict[str, dict[str, Any]] = {
    "Numeric": {
        **_COMMON,
        "ExponentCharacter": "eEdD",
        "DecimalSeparator": ".",
        "ThousandsSeparator": "",
        "TrimNonNumeric": False,
        "NumberSystem": "decimal",
    },
    "Text": {**_COMMON, "WhitespaceRule": "trim"},
    "Logical": {
        **_COMMON,
        "TrueSymbols": ("true", "t", "T", "1"),
        "FalseSymbols": ("false", "f", "F", "0"),
        "CaseSensitive": False,
    },
    "Datetime": {
        **_COMMON,
        "DatetimeFormat": "preserveinput",
        "DatetimeLocale": "en_US",
        "InputFormat": "",
        "TimeZone": "",
    },
    "Duration": {
        **_COMMON,
        "DurationFormat": "preserveinput",
        "InputFormat": "",
        "DecimalSeparator": ".",
        "FieldSeparator": ":",
    },
    "Categorical": {**_COMMON, "Categories": (), "Protected": False, "Ordinal": False},
}


def family(kind: str) -> str:
    """Which of `FAMILIES` a type of variables is of."""
    if kind in ("char", "string"):
        return "Text"
    if kind in ("datetime", "duration", "categorical", "logical"):
        return kind.capitalize()
    return "Numeric"


def check_type(name: str) -> str:
    """Return a type of variables by its name.

    Raises:
        MatlabError: MATLAB:textio:io:UnknownType.
    """
    kind = {"text": "char", "numeric": "double", "cellstr": "char"}.get(name, name)
    if kind not in TYPES:
        raise MatlabError("MATLAB:textio:io:UnknownType", f"'{name}' is no type of a variable.")
    return kind


@attrs.frozen
class Variable:
    """A variable of a file.

    Attributes:
        options: what was said of it, by names of `FAMILIES`.
    """

    name: str
    kind: str = "char"
    options: Mapping[str, Any] = attrs.field(factory=dict)

    def option(self, name: str) -> Any:
        return self.options.get(name, FAMILIES[family(self.kind)].get(name))

    def typed(self, kind: str) -> Variable:
        """Return the same variable with another type; what does not apply to it is forgotten."""
        kept = {} if family(kind) != family(self.kind) else self.options
        if kind != self.kind:
            known = {**_COMMON, **FAMILIES[family(kind)]}
            kept = {k: v for k, v in self.options.items() if k in known and k != "FillValue"}
        return Variable(self.name, kind, kept)

    def said(self, **options: Any) -> Variable:
        return attrs.evolve(self, options={**self.options, **options})


Spans = tuple[tuple[float, float], ...]


@attrs.frozen
class Plan:
    """How a file is read; the fields are called as the properties of import options are.

    Attributes:
        kind: ``delimited``, ``fixed`` or ``spreadsheet``.
        data_lines: the first and the last line of each part that holds data, from one.
        variable_names_line: the line with the names, from one; 0 where there is none.
        columns: which fields of each row are read, from zero; the end may be open.
        data_range: the cells that hold data: a text, a row, or rows of first and last ones.
    """

    kind: str = "delimited"
    delimiter: tuple[str, ...] = (",",)
    whitespace: str = "\b\t "
    line_ending: tuple[str, ...] = LINE_ENDINGS
    comment_style: tuple[str, ...] = ()
    consecutive_delimiters_rule: str = "split"
    leading_delimiters_rule: str = "keep"
    trailing_delimiters_rule: str = "ignore"
    empty_line_rule: str = "skip"
    encoding: str = "UTF-8"
    variable_widths: tuple[int, ...] = ()
    partial_field_rule: str = "keep"
    missing_rule: str = "fill"
    import_error_rule: str = "fill"
    extra_columns_rule: str = "addvars"
    variables: tuple[Variable, ...] = ()
    selected: tuple[str, ...] = ()
    variable_naming_rule: str = "modify"
    data_lines: Spans = ((1.0, float("inf")),)
    columns: tuple[int, int | None] = (0, None)
    variable_names_line: int = 0
    row_names_column: int = 0
    variable_units_line: int = 0
    variable_descriptions_line: int = 0
    sheet: Any = ""
    data_range: Any = "A1"
    variable_names_range: Any = ""
    row_names_range: Any = ""
    variable_units_range: Any = ""
    variable_descriptions_range: Any = ""

    @property
    def names(self) -> list[str]:
        return [variable.name for variable in self.variables]

    @property
    def dialect(self) -> Dialect:
        """How fields are told apart."""
        return Dialect(
            delimiters=() if self.kind == "fixed" else self.delimiter,
            whitespace=self.whitespace,
            line_endings=self.line_ending,
            comments=self.comment_style,
            consecutive=self.consecutive_delimiters_rule,
            leading=self.leading_delimiters_rule,
            trailing=self.trailing_delimiters_rule,
            empty_lines=self.empty_line_rule,
            widths=self.variable_widths if self.kind == "fixed" else (),
        )

    def changed(self, change: Mapping[str, Variable]) -> Plan:
        """Return the plan with other variables for some names."""
        made = tuple(change.get(v.name, v) for v in self.variables)
        return attrs.evolve(self, variables=made)

    def named(self, names: Sequence[str]) -> Plan:
        """Return the plan with other names for all variables.

        Raises:
            MatlabError: there are not as many.
        """
        self._one_each(names)
        change = dict(zip(self.names, names, strict=True))
        return attrs.evolve(
            self,
            variables=tuple(Variable(change[v.name], v.kind, v.options) for v in self.variables),
            selected=tuple(change[name] for name in self.selected),
        )

    def typed(self, kinds: Sequence[str]) -> Plan:
        """Return the plan with other types for all variables."""
        self._one_each(kinds)
        made = (v.typed(check_type(k)) for v, k in zip(self.variables, kinds, strict=True))
        return attrs.evolve(self, variables=tuple(made))

    def sized(self, count: int) -> Plan:
        """Return the plan with this many variables: new ones are text, all are selected."""
        kept = self.variables[:count]
        taken = {v.name for v in kept}
        new = []
        for k in range(len(kept) + 1, count + 1):
            name = f"Var{k}"
            while name in taken:
                name += "_1"
            taken.add(name)
            new.append(Variable(name))
        made = (*kept, *new)
        return attrs.evolve(self, variables=made, selected=tuple(v.name for v in made))

    def _one_each(self, words: Sequence[str]) -> None:
        if len(words) != len(self.variables):
            raise MatlabError(
                "MATLAB:textio:io:IncorrectNumberOfNames",
                f"There must be one for each of the {len(self.variables)} variables.",
            )


def field_name(name: str) -> str:
    """Return the field of a plan for the name of a property: ``DataLines`` is ``data_lines``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
