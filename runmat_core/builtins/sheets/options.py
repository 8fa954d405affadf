"""Import options: what detectImportOptions finds in a file, and readtable goes by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError, undefined_for
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import integer, scalar
from runmat_core.builtins.named import choice
from runmat_core.builtins.sheets import grid
from runmat_core.builtins.sheets.columns import TYPES, number, type_of
from runmat_core.builtins.tables.naming import valid_names
from runmat_core.builtins.tables.support import flag, names_in, new_names, split_pairs
from runmat_core.values import char, class_of, from_numpy, is_text, text, to_numpy
from runmat_core.values.cell import CellArray, object_array
from runmat_core.values.char import CharArray
from runmat_core.values.object import ObjectValue

NAMES = (
    *("Delimiter", "ReadVariableNames", "ReadRowNames", "FileType", "TextType", "HeaderLines"),
    *("NumHeaderLines", "TreatAsMissing", "TreatAsEmpty", "CommentStyle", "VariableNamingRule"),
    *("DatetimeType", "Encoding", "Sheet", "VariableNamesLine", "VariableNames", "VariableTypes"),
    *("ExpectedNumVariables", "Range", "PreserveVariableNames", "DurationType", "Whitespace"),
    *("LineEnding", "MissingRule", "EmptyLineRule", "ImportErrorRule", "ExtraColumnsRule"),
    *("ConsecutiveDelimitersRule", "LeadingDelimitersRule", "RowNamesColumn", "DataLines"),
)


@attrs.frozen
class Plan:
    """How a file is read.

    Attributes:
        delimiter: what separates fields; empty for a spreadsheet.
        names_line: which row holds the names, from zero; None where there is none.
        first: the first row of data, from zero.
        names: of the variables, as the file has them.
        types: of the variables.
        selected: the variables that are read.
    """

    delimiter: str
    names_line: int | None
    first: int
    names: tuple[str, ...]
    types: tuple[str, ...]
    selected: tuple[str, ...]
    naming: str = "modify"
    comment: str = ""
    missing: frozenset[str] = frozenset()
    formats: tuple[tuple[str, str], ...] = ()
    sheet: Any = None


class ImportOptions(ObjectValue):
    """The object that detectImportOptions gives; its `data` is a `Plan`."""

    __slots__ = ()
    takes_paths = True
    data: Plan
    properties = (
        *("Delimiter", "CommentStyle", "VariableNamingRule", "VariableNames", "VariableTypes"),
        *("SelectedVariableNames", "DataLines", "VariableNamesLine"),
    )

    def __init__(self, plan: Plan) -> None:
        self.data = plan

    @property
    def class_name(self) -> str:  # type: ignore[override]
        kind = "DelimitedText" if self.data.delimiter else "Spreadsheet"
        return f"matlab.io.text.{kind}ImportOptions"

    def get_property(self, name: str) -> Any:
        plan = self.data
        if name == "DataLines":
            return from_numpy([[plan.first + 1.0, float("inf")]])
        if name == "VariableNamesLine":
            return 0.0 if plan.names_line is None else plan.names_line + 1.0
        if name == "Delimiter":
            return _cells([plan.delimiter])
        if name == "CommentStyle":
            return _cells([plan.comment] if plan.comment else [])
        if name == "VariableNamingRule":
            return char(plan.naming)
        field = {"VariableNames": plan.names, "VariableTypes": plan.types}.get(name, plan.selected)
        return _cells(field)

    def set_property(self, name: str, rhs: Any) -> None:
        plan = self.data
        if name == "DataLines":
            first = int(float(to_numpy(rhs).ravel()[0]))
            self.data = attrs.evolve(plan, first=first - 1)
        elif name == "VariableNamesLine":
            line = integer(rhs)
            self.data = attrs.evolve(plan, names_line=line - 1 if line else None)
        elif name == "VariableNames":
            names = self._all(names_in(rhs, name))
            change = dict(zip(plan.names, names, strict=True))
            chosen = tuple(change[n] for n in plan.selected)
            self.data = attrs.evolve(plan, names=names, selected=chosen)
        elif name == "VariableTypes":
            types = self._all(names_in(rhs, name))
            self.data = attrs.evolve(plan, types=tuple(map(check_type, types)))
        elif name == "SelectedVariableNames":
            self.data = attrs.evolve(plan, selected=tuple(self.chosen(rhs)))
        elif name == "VariableNamingRule":
            rule = choice(rhs, ("modify", "preserve"), "importOptions")
            self.data = attrs.evolve(plan, naming=rule)
        else:
            words = names_in(rhs, name)
            value = words[0] if words else ""
            if name == "Delimiter":
                self.data = attrs.evolve(plan, delimiter=grid.delimiter_of(value))
            else:
                self.data = attrs.evolve(plan, comment=value)

    def _all(self, words: list[str]) -> tuple[str, ...]:
        if len(words) != len(self.data.names):
            raise MatlabError(
                "MATLAB:textio:io:IncorrectNumberOfNames",
                f"There must be one for each of the {len(self.data.names)} variables.",
            )
        return tuple(words)

    def chosen(self, which: Any) -> list[str]:
        """The variables that names or numbers select."""
        if isinstance(which, CharArray | CellArray) or class_of(which) == "string":
            names = names_in(which, "VariableNames")
        else:
            names = [self.data.names[int(k) - 1] for k in to_numpy(which).ravel()]
        for name in names:
            if name not in self.data.names:
                raise MatlabError(
                    "MATLAB:textio:io:UnknownVarName", f"Unknown variable name: '{name}'."
                )
        return names


def _cells(words: Sequence[str]) -> CellArray:
    return CellArray(object_array(map(CharArray, words), (1 if words else 0, len(words))))


def check_type(name: str) -> str:
    if name not in TYPES:
        raise MatlabError("MATLAB:textio:io:UnknownType", f"'{name}' is no type of a variable.")
    return name


# -- detection -----------------------------------------------------------------------------------


def rows_of(
    interp: Interp, function: str, name: str, options: dict[str, Any], mark: str = ""
) -> tuple[grid.Rows, str]:
    """The rows of a file after its header lines, and their delimiter."""
    kind = text(options["FileType"]).lower() if "FileType" in options else ""
    skipped = integer(options.get("NumHeaderLines", options.get("HeaderLines", 0.0)))
    if grid.is_spreadsheet(name, kind):
        sheet = options.get("Sheet")
        wanted = text(sheet) if is_text(sheet) else None if sheet is None else scalar(sheet)
        return grid.sheet_rows(interp, name, wanted)[skipped:], ""
    comment = (
        names_in(options["CommentStyle"], "CommentStyle")[0] if ("CommentStyle" in options) else ""
    )
    content = grid.text_of(interp, function, name)
    content = "\n".join(content.splitlines()[skipped:])
    lines = grid.text_lines(content, comment)
    if "Delimiter" in options:
        mark = grid.delimiter_of(names_in(options["Delimiter"], "Delimiter")[0])
    mark = mark or grid.delimiter_in(lines, name)
    rows = grid.split_lines(lines, mark)
    # a delimiter at the end of each line starts no column
    if rows and all(len(row) > 1 and row[-1] == "" for row in rows):
        rows = [row[:-1] for row in rows]
    return rows, mark


def _is_heading(rows: grid.Rows) -> bool:
    """Whether the first row names the columns: text alone, none of it empty."""
    if not rows:
        return False
    first = rows[0]
    return all(isinstance(f, str) and f and number(f) is None for f in first) and not all(
        type_of([f], frozenset()) in ("datetime", "duration") for f in first
    )


def missing_words(options: dict[str, Any]) -> frozenset[str]:
    given = options.get("TreatAsMissing", options.get("TreatAsEmpty"))
    return frozenset() if given is None else frozenset(names_in(given, "TreatAsMissing"))


def detected(rows: grid.Rows, mark: str, options: dict[str, Any]) -> Plan:
    """What the rows of a file look like; options say what is known already."""
    has_names = _is_heading(rows)
    if "ReadVariableNames" in options:
        has_names = flag(options["ReadVariableNames"]) and bool(rows)
    missing = missing_words(options)
    first = 1 if has_names else 0
    width = max((len(row) for row in rows), default=0)
    columns = [[row[k] if k < len(row) else None for row in rows[first:]] for k in range(width)]
    kinds = [type_of(column, missing) for column in columns]
    kinds = [_wanted(kind, options) for kind in kinds]
    given = [str(f) if f is not None else "" for f in rows[0]] if has_names else []
    given += [""] * (width - len(given))
    names = [name or f"Var{k}" for k, name in enumerate(given, 1)]
    naming = "preserve" if flag(options.get("PreserveVariableNames", False)) else "modify"
    if "VariableNamingRule" in options:
        naming = choice(options["VariableNamingRule"], ("modify", "preserve"), "readtable")
    unique = new_names(names, [])
    return Plan(
        delimiter=mark,
        names_line=0 if has_names else None,
        first=first,
        names=tuple(unique),
        types=tuple(kinds),
        selected=tuple(unique),
        naming=naming,
        missing=missing,
    )


def _wanted(kind: str, options: dict[str, Any]) -> str:
    """The type of a column as options ask for it."""
    for name, detected_kind in (
        ("TextType", "char"),
        ("DatetimeType", "datetime"),
        ("DurationType", "duration"),
    ):
        if kind == detected_kind and name in options:
            word = text(options[name]).lower()
            kind = {"text": "char", "exceldatenum": "double"}.get(word, word)
    return kind


@builtin("detectImportOptions", family="sheets/options", nargin=(1, None), needs=("interp",))
def detectImportOptions(name: Any, *args: Any, interp: Interp) -> Any:
    """How readtable would read a file: delimiter, names and types of variables.

    opts = detectImportOptions(filename)
    opts = detectImportOptions(filename, name, value, …) with options of readtable

    What it found can be changed: opts.VariableTypes, opts.SelectedVariableNames, opts.DataLines,
    opts.Delimiter; setvartype changes types by name.

    Examples:
        >> name = [tempname '.csv']; writetable(table([1; 2], {'a'; 'b'}), name);
        >> opts = detectImportOptions(name); opts.VariableTypes
        ans =
          1×2 cell array
            {'double'}    {'char'}

    See also: readtable, setvartype.
    """
    _, options = split_pairs(args, NAMES)
    rows, mark = rows_of(interp, "detectImportOptions", text(name), options)
    plan = detected(rows, mark, options)
    if plan.naming == "modify":
        names = tuple(valid_names(plan.names))
        plan = attrs.evolve(plan, names=names, selected=names)
    return ImportOptions(plan)


@builtin("setvartype", family="sheets/options", nargin=(2, 3))
def setvartype(opts: Any, *args: Any) -> Any:
    """Import options with other types of variables.

    opts = setvartype(opts, type) of all variables
    opts = setvartype(opts, variables, type)

    Examples:
        >> name = [tempname '.csv']; writetable(table([1; 2], 'VariableNames', {'x'}), name);
        >> opts = setvartype(detectImportOptions(name), 'x', 'string');
        >> readtable(name, opts).x'
        ans =
          1×2 string array
            "1"    "2"

    See also: detectImportOptions, readtable.
    """
    if not isinstance(opts, ImportOptions):
        raise undefined_for("setvartype", class_of(opts))
    which = opts.chosen(args[0]) if len(args) > 1 else list(opts.data.names)
    words = names_in(args[-1], "VariableTypes")
    kinds = words * len(which) if len(words) == 1 else words
    types = dict(zip(opts.data.names, opts.data.types, strict=True))
    types.update({n: check_type(k) for n, k in zip(which, kinds, strict=False)})
    return ImportOptions(attrs.evolve(opts.data, types=tuple(types.values())))
