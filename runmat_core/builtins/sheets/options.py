"""Import options: what detectImportOptions finds in a file, and readtable goes by."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np

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
        names_line: which line of the file holds the names, from zero; None where none does.
        spans: the lines of data: the first and the last of each part, from one.
        names: of the variables, as the file has them.
        types: of the variables.
        selected: the variables that are read.
    """

    delimiter: str
    names_line: int | None
    spans: tuple[tuple[float, float], ...]
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
            return from_numpy(np.array(plan.spans, float).reshape(-1, 2))
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
            self.data = attrs.evolve(plan, spans=_spans(rhs))
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


def _spans(lines: Any) -> tuple[tuple[float, float], ...]:
    """Lines of data as they are told: the first one, or the first and last of each part."""
    given = to_numpy(lines) if class_of(lines) == "double" else np.zeros((0, 0))
    given = np.array([[given.item(), np.inf]]) if given.size == 1 else given
    if given.ndim != 2 or given.shape[1] != 2 or not (given[:, 0] <= given[:, 1]).all():
        raise MatlabError(
            "MATLAB:textio:io:InvalidDataLines",
            "DataLines is a line, or rows of a first and a last line.",
        )
    return tuple((float(first), float(last)) for first, last in given)


def _cells(words: Sequence[str]) -> CellArray:
    return CellArray(object_array(map(CharArray, words), (1 if words else 0, len(words))))


def check_type(name: str) -> str:
    if name not in TYPES:
        raise MatlabError("MATLAB:textio:io:UnknownType", f"'{name}' is no type of a variable.")
    return name


# -- detection -----------------------------------------------------------------------------------


def is_spreadsheet(name: str, options: dict[str, Any]) -> bool:
    return grid.is_spreadsheet(
        name, text(options["FileType"]).lower() if "FileType" in options else ""
    )


def rows_of(
    interp: Interp, name: str, options: dict[str, Any], plan: Plan | None = None
) -> grid.Records:
    """The rows of a file, after the header lines that options tell."""
    skipped = integer(options.get("NumHeaderLines", options.get("HeaderLines", 0.0)))
    if is_spreadsheet(name, options):
        sheet = options.get("Sheet", None if plan is None else plan.sheet)
        wanted = text(sheet) if is_text(sheet) else None if sheet is None else scalar(sheet)
        cells = grid.sheet_rows(interp, name, wanted)
        found = grid.Records(cells, list(range(len(cells))), "").after(skipped)
        return _within(found, options)
    comment = "" if plan is None else plan.comment
    if "CommentStyle" in options:
        comment = names_in(options["CommentStyle"], "CommentStyle")[0]
    content = grid.text_of(interp, name)
    lines, numbers = grid.text_lines(content, comment)
    begin = bisect_left(numbers, skipped)
    lines, numbers = lines[begin:], numbers[begin:]
    mark = "" if plan is None else plan.delimiter
    if "Delimiter" in options:
        mark = grid.delimiter_of(names_in(options["Delimiter"], "Delimiter")[0])
    mark = mark or grid.delimiter_in(lines, name)
    begun = grid.rows_from(lines, mark)
    rows = [row for row, _ in begun]
    # a delimiter at the end of each line starts no column
    if rows and all(len(row) > 1 and row[-1] == "" for row in rows):
        rows = [row[:-1] for row in rows]
    return _within(grid.Records(rows, [numbers[k] for _, k in begun], mark), options)


def _within(found: grid.Records, options: dict[str, Any]) -> grid.Records:
    """The block of rows and columns that options ask for."""
    if "Range" not in options or (is_text(options["Range"]) and not text(options["Range"])):
        return found
    said = options["Range"]
    if is_text(said):
        top, left, bottom, right = grid.block_of(text(said))
    else:
        corners = [int(k) for k in to_numpy(said).ravel()]
        top, left = corners[0] - 1, corners[1] - 1 if len(corners) > 1 else 0
        bottom, right = corners[2:4] if len(corners) == 4 else (None, None)
    numbered = zip(found.rows, found.lines, strict=True)
    kept = [(row[left:right], k) for row, k in numbered if top <= k and k < (bottom or k + 1)]
    return attrs.evolve(found, rows=[row for row, _ in kept], lines=[k for _, k in kept])


def tabular(found: grid.Records, options: dict[str, Any]) -> grid.Records:
    """What comes after header lines, which are found out where options do not tell of them."""
    if not found.mark or {"NumHeaderLines", "HeaderLines", "Range"} & options.keys():
        return found
    return found.after(grid.headers_of(found.rows))


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


def detected(found: grid.Records, options: dict[str, Any]) -> Plan:
    """What the rows of a file look like; options say what is known already."""
    found = tabular(found, options)
    rows = found.rows
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
    sheet = options.get("Sheet")
    comment = names_in(options["CommentStyle"], "CommentStyle") if "CommentStyle" in options else ()
    begin = found.lines[0] + first if rows else 0
    return Plan(
        delimiter=found.mark,
        names_line=found.lines[0] if has_names else None,
        spans=((begin + 1.0, float("inf")),),
        names=tuple(unique),
        types=tuple(kinds),
        selected=tuple(unique),
        naming=naming,
        comment=comment[0] if comment else "",
        missing=missing,
        sheet=sheet,
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
    plan = detected(rows_of(interp, text(name), options), options)
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
