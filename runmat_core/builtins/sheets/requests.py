"""What a call of a reading function asks for, and the plan that follows from it and the file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import attrs

from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import integer, nearest
from runmat_core.builtins.named import match
from runmat_core.builtins.sheets import content as contents
from runmat_core.builtins.sheets import detection, importing, sheet_import, workbooks
from runmat_core.builtins.sheets.content import Content
from runmat_core.builtins.sheets.detection import Given, with_delimiter
from runmat_core.builtins.sheets.importing import Imported
from runmat_core.builtins.sheets.options import ImportOptions
from runmat_core.builtins.sheets.plan import FAMILIES, Plan, Variable, check_type, family
from runmat_core.builtins.sheets.properties import OF_PLAN, OF_VARIABLES, plan_with, words
from runmat_core.builtins.sheets.ranges import block_of
from runmat_core.builtins.sheets.workbooks import Sheet
from runmat_core.builtins.tables.naming import valid_names
from runmat_core.builtins.tables.support import flag, new_names
from runmat_core.values import class_of, is_text, text

#: Other names of options, and what they are called here.
_ALIASES = {
    "HeaderLines": "NumHeaderLines",
    "TreatAsEmpty": "TreatAsMissing",
    "EndOfLine": "LineEnding",
    "DateLocale": "DatetimeLocale",
    "ExpChars": "ExponentCharacter",
    "NumVariables": "ExpectedNumVariables",
}
_OWN = (
    *("FileType", "ReadVariableNames", "ReadRowNames", "NumHeaderLines", "ExpectedNumVariables"),
    *("TextType", "DatetimeType", "DurationType", "HexType", "BinaryType", "Range", "Format"),
    *("VariableNames", "VariableTypes", "SelectedVariableNames", "PreserveVariableNames"),
    *("MultipleDelimsAsOne", "CollectOutput", "EmptyValue", "ReturnOnError", "UseExcel"),
    "OutputType",
)
NAMES = tuple(dict.fromkeys((*_OWN, *OF_PLAN, *OF_VARIABLES, *_ALIASES)))
_PER_VARIABLE = tuple(OF_VARIABLES)
_RULES = ("MissingRule", "ImportErrorRule")


@attrs.frozen
class Request:
    """A file, import options, and options by their names."""

    function: str
    name: str
    opts: ImportOptions | None
    options: dict[str, Any]

    def flag(self, name: str) -> bool | None:
        return flag(self.options[name]) if name in self.options else None

    def word(self, name: str) -> str:
        return text(self.options[name]) if name in self.options else ""


def request_of(function: str, name: Any, args: Sequence[Any]) -> Request:
    """Return the arguments of a reading function.

    Raises:
        MatlabError: the name is no text, or an option is not known or has no value.
    """
    if not is_text(name):
        raise MatlabError(
            f"MATLAB:{function}:InvalidFileName",
            f"The file name must be a character vector or string scalar, not {class_of(name)}.",
        )
    opts = args[0] if args and isinstance(args[0], ImportOptions) else None
    rest = list(args[1:] if opts is not None else args)
    options: dict[str, Any] = {}
    for at in range(0, len(rest), 2):
        word = text(rest[at]) if is_text(rest[at]) else class_of(rest[at])
        full = _option(word)
        if not full or at + 1 == len(rest):
            hint = " It has no value." if full else nearest(word, NAMES)
            raise MatlabError(
                "MATLAB:textio:io:UnknownOption", f"Unknown option of {function}: {word}.{hint}"
            )
        options[_ALIASES.get(full, full)] = rest[at + 1]
    return Request(function, text(name), opts, options)


def _option(word: str) -> str:
    """Return the option that a word is, or is the beginning of, whatever its case.

    Empty for none.
    """
    low = word.lower()
    found = [n for n in NAMES if n.lower() == low]
    found = found or [n for n in NAMES if low and n.lower().startswith(low)]
    return found[0] if len(found) == 1 else ""


# -- plans ---------------------------------------------------------------------------------------


@attrs.frozen(eq=False)
class Source:
    """A file that was read, and how its fields become variables.

    Attributes:
        body: its text or the cells of its sheet.
        heading: what the first column is called, for the names of rows.
        originals: the names that the file has, where others were made of them.
    """

    body: Content | Sheet
    plan: Plan
    heading: str = ""
    originals: dict[str, str] = attrs.field(factory=dict)

    def imported(self, most: int | None = None) -> Imported:
        if isinstance(self.body, Sheet):
            return sheet_import.from_sheet(self.body, self.plan, most)
        return importing.from_text(self.body, self.plan, most)


def source_of(interp: Interp, request: Request, types: str = "") -> Source:
    """Return the file of a request, and a plan for it.

    Args:
        types: the type of all variables, unless the request says another.
    """
    opts, options = request.opts, request.options
    plan = Plan() if opts is None else opts.data
    kind = request.word("FileType").lower()
    if opts is not None and not kind:
        kind = "spreadsheet" if plan.kind == "spreadsheet" else "text"
    is_sheet = workbooks.is_spreadsheet(request.name, kind)
    if is_sheet and plan.kind != "spreadsheet":
        plan = attrs.evolve(plan, kind="spreadsheet")
    plan = _with_options(plan, request)
    body: Content | Sheet
    if is_sheet:
        body = workbooks.read(interp, request.name, plan.sheet)
    else:
        body = contents.read(interp, request.name, request.word("Encoding") or _encoding(opts))
    if opts is None:
        plan = _found_out(body, plan, request)
    elif "Range" in options and isinstance(body, Sheet):
        plan = attrs.evolve(plan, data_range=OF_PLAN["DataRange"].read(options["Range"], "Range"))
    if types and "VariableTypes" not in options:
        plan = plan.typed([types] * len(plan.variables))
    plan = _with_variables(plan, request)
    return _named(body, plan, request)


def _encoding(opts: ImportOptions | None) -> str:
    if opts is None or opts.data.encoding.lower() in ("utf-8", "system", ""):
        return ""
    return opts.data.encoding


def _with_options(plan: Plan, request: Request) -> Plan:
    """Return the plan with what options say of the whole file."""
    options = request.options
    for name, value in options.items():
        if name in OF_PLAN and name != "VariableWidths":
            if name == "Delimiter":
                plan = with_delimiter(plan, OF_PLAN[name].read(value, name))
            else:
                plan = plan_with(plan, name, value)
    # what is said of delimiters goes before what follows from them
    for name in ("ConsecutiveDelimitersRule", "LeadingDelimitersRule"):
        if name in options:
            plan = plan_with(plan, name, options[name])
    if request.flag("MultipleDelimsAsOne") is not None:
        rule = "join" if request.flag("MultipleDelimsAsOne") else "split"
        plan = attrs.evolve(plan, consecutive_delimiters_rule=rule)
    if request.flag("PreserveVariableNames"):
        plan = attrs.evolve(plan, variable_naming_rule="preserve")
    if "VariableWidths" in options and plan.kind != "spreadsheet":
        widths = OF_PLAN["VariableWidths"].read(options["VariableWidths"], "VariableWidths")
        plan = attrs.evolve(plan, kind="fixed", delimiter=(), variable_widths=widths)
    return plan


def _given(plan: Plan, request: Request) -> Given:
    options = request.options
    count = None
    if "ExpectedNumVariables" in options:
        count = integer(options["ExpectedNumVariables"])
    skipped = integer(options["NumHeaderLines"]) if "NumHeaderLines" in options else None
    missing: tuple[str, ...] = ()
    if "TreatAsMissing" in options:
        missing = words(options["TreatAsMissing"], "TreatAsMissing")
    return Given(
        delimited="Delimiter" in options or plan.kind == "fixed",
        skipped=skipped,
        names_line=plan.variable_names_line if "VariableNamesLine" in options else None,
        data_line=int(plan.data_lines[0][0])
        if "DataLines" in options and plan.data_lines
        else None,
        has_names=request.flag("ReadVariableNames"),
        count=count,
        missing=missing,
    )


def _found_out(body: Content | Sheet, plan: Plan, request: Request) -> Plan:
    """Return the plan with what the file looks like."""
    given = _given(plan, request)
    asked = request.options.get("Range")
    if asked is not None and is_text(asked) and not text(asked):
        asked = None
    variable = _numeric(request)
    if isinstance(body, Sheet):
        for name in ("DataRange", "VariableNamesRange"):
            if name in request.options:
                asked = request.options["DataRange"] if name == "DataRange" else asked
        found = sheet_import.detected(body, plan, given, asked)
        kept = {n: getattr(plan, n) for n in _kept_ranges(request)}
        return attrs.evolve(found, **kept)
    if asked is not None:
        given = attrs.evolve(given, block=block_of(asked))
    found = detection.detected(body, plan, given, request.name, variable)
    if "DataLines" in request.options:
        found = attrs.evolve(found, data_lines=plan.data_lines)
    return found


def _kept_ranges(request: Request) -> list[str]:
    named = {"DataRange": "data_range", "VariableNamesRange": "variable_names_range"}
    return [field for name, field in named.items() if name in request.options]


def _numeric(request: Request) -> Variable:
    """Return a variable of numbers with the options that are given for them."""
    variable = Variable("", "double")
    for name in ("DecimalSeparator", "ThousandsSeparator", "ExponentCharacter"):
        if name in request.options:
            variable = variable.said(**{name: OF_VARIABLES[name].read(request.options[name], name)})
    return variable


def _with_variables(plan: Plan, request: Request) -> Plan:
    """Return the plan with what options say of its variables."""
    options = request.options
    if "Format" in options and request.word("Format").lower() != "auto":
        plan = _formatted(plan, request.word("Format"))
    for name, kind in (
        ("TextType", "char"),
        ("DatetimeType", "datetime"),
        ("DurationType", "duration"),
    ):
        if name in options:
            plan = _retyped(plan, kind, request.word(name))
    for name, system in (("HexType", "hex"), ("BinaryType", "binary")):
        wanted = request.word(name).lower()
        if wanted not in ("", "auto"):
            plan = _rebased(plan, system, check_type(wanted))
    if "VariableTypes" in options:
        kinds = words(options["VariableTypes"], "VariableTypes")
        if len(kinds) > len(plan.variables):
            plan = plan.sized(len(kinds))
        plan = plan.typed(kinds)
    if "VariableNames" in options:
        names = words(options["VariableNames"], "VariableNames")
        if len(names) > len(plan.variables):
            plan = plan.sized(len(names))
        plan = plan.named(names)
    if "SelectedVariableNames" in options:
        chosen = ImportOptions(plan).chosen(options["SelectedVariableNames"])
        plan = attrs.evolve(plan, selected=tuple(chosen))
    if "EmptyValue" in options:
        plan = _said(plan, "FillValue", options["EmptyValue"], "Numeric")
    for name in _PER_VARIABLE:
        if name in options:
            only = "Numeric" if name in ("DecimalSeparator", "FillValue") else ""
            plan = _said(plan, name, options[name], only)
    if request.flag("ReadRowNames") and not plan.row_names_column:
        plan = attrs.evolve(plan, row_names_column=1)
    if plan.row_names_column and request.opts is None:
        rest = [v.name for k, v in enumerate(plan.variables, 1) if k != plan.row_names_column]
        plan = attrs.evolve(plan, selected=tuple(n for n in plan.selected if n in rest))
    return plan


def _said(plan: Plan, name: str, value: Any, only: str) -> Plan:
    """Return the plan with an option of all variables that have it."""
    found = OF_VARIABLES[name].read(value, name)
    change = {}
    for variable in plan.variables:
        of = family(variable.kind)
        if name in FAMILIES[of] and only in ("", of):
            change[variable.name] = variable.said(**{name: found})
    return plan.changed(change)


def _retyped(plan: Plan, kind: str, wanted: str) -> Plan:
    """Return the plan with another type for all variables of one."""
    known = ("char", "string", "datetime", "duration", "text", "exceldatenum")
    target = match(wanted, known, "textio")
    target = {"text": "char", "exceldatenum": "double"}.get(target, target)
    change = {v.name: v.typed(target) for v in plan.variables if v.kind == kind}
    return plan.changed(change) if target != kind else plan


def _rebased(plan: Plan, system: str, kind: str) -> Plan:
    """Return the plan with another type for all variables of numbers in another base."""
    change = {}
    for variable in plan.variables:
        if variable.option("NumberSystem") == system:
            change[variable.name] = variable.typed(kind)
    return plan.changed(change)


_SPEC = re.compile(r"%(\*?)(\d*)(?:\.\d+)?(?:(\{[^}]*\})?([dufsqcCDTnx])(8|16|32|64)?|\[[^\]]*\])")
_KINDS = {"f": "double", "n": "double", "s": "char", "q": "char", "c": "char", "C": "categorical",
          "D": "datetime", "T": "duration", "x": "char"}  # fmt: skip


def _formatted(plan: Plan, spec: str) -> Plan:
    """Return the plan with the types that a format says, as textscan has them."""
    found = list(_SPEC.finditer(spec))
    if not found:
        raise MatlabError("MATLAB:textio:io:BadFormat", f"Badly formed format '{spec}'.")
    plan = plan if len(plan.variables) >= len(found) else plan.sized(len(found))
    change, dropped = {}, set()
    for variable, spec_found in zip(plan.variables, found, strict=False):
        skip, _, form, letter, bits = spec_found.groups()
        kind = _KINDS.get(letter or "s", "")
        if letter in ("d", "u"):
            kind = ("uint" if letter == "u" else "int") + (bits or "32")
        elif letter == "f" and bits == "32":
            kind = "single"
        typed = variable.typed(check_type(kind))
        change[variable.name] = typed.said(InputFormat=form[1:-1]) if form else typed
        if skip:
            dropped.add(variable.name)
    plan = plan.changed(change)
    return attrs.evolve(plan, selected=tuple(n for n in plan.selected if n not in dropped))


def _named(body: Content | Sheet, plan: Plan, request: Request) -> Source:
    """Return the names of variables, made valid unless they are to be preserved."""
    heading = ""
    reread = request.opts is not None and request.flag("ReadVariableNames")
    if reread:
        plan = plan.named(_file_names(body, plan))
    if plan.row_names_column and _has_names(plan):
        heading = plan.names[min(plan.row_names_column, len(plan.names)) - 1]
    originals: dict[str, str] = {}
    if plan.variable_naming_rule == "modify" and (request.opts is None or reread):
        names = valid_names(plan.names)
        originals = dict(zip(names, plan.names, strict=True))
        if names == plan.names:
            originals = {}
        plan = plan.named(names)
    return Source(body, plan, heading, originals)


def _has_names(plan: Plan) -> bool:
    return bool(plan.variable_names_line) or plan.variable_names_range not in ("", 0)


def _file_names(body: Content | Sheet, plan: Plan) -> list[str]:
    """Return the names in the line or the cells that hold them."""
    count = len(plan.variables)
    if isinstance(body, Sheet):
        data = block_of(plan.data_range, body.ranges.get)
        said = plan.variable_names_range or f"{max(data.top, 1)}:{max(data.top, 1)}"
        found = sheet_import.names_at(body, said, data.left, count)
    else:
        line = plan.variable_names_line or max(int(plan.data_lines[0][0]) - 1, 1)
        found = importing.line_texts(body, plan, line)
    given = [name or f"Var{k}" for k, name in enumerate(found[:count], 1)]
    given += plan.names[len(given) :]
    return new_names(given, [])


def warned(interp: Interp, source: Source) -> None:
    """Warn where names of the file were made valid."""
    if source.originals:
        interp.warn(
            "MATLAB:table:ModifiedAndSavedVarnames",
            "Column headers from the file were modified to make them valid MATLAB identifiers "
            "before creating variable names for the table. The original column headers are saved "
            "in the VariableDescriptions property.\nSet 'VariableNamingRule' to 'preserve' to use "
            "the original column headers as table variable names.",
        )
