"""detectImportOptions."""

from __future__ import annotations

from typing import Any

import attrs

from runmat_core.api import builtin
from runmat_core.api.interp import Interp
from runmat_core.builtins.sheets.options import ImportOptions
from runmat_core.builtins.sheets.requests import request_of, source_of, warned


@builtin("detectImportOptions", family="sheets/options", nargin=(1, None), needs=("interp",))
def detectImportOptions(name: Any, *args: Any, interp: Interp) -> Any:
    """How readtable would read a file: delimiter, names and types of variables.

    opts = detectImportOptions(filename)
    opts = detectImportOptions(filename, name, value, …) with options of readtable

    What it found can be changed: opts.VariableTypes, opts.SelectedVariableNames, opts.DataLines,
    opts.Delimiter; setvartype changes types by name, setvaropts options of single variables, and
    preview shows what comes of it.

    Examples:
        >> name = [tempname '.csv']; writetable(table([1; 2], {'a'; 'b'}), name);
        >> opts = detectImportOptions(name); opts.VariableTypes
        ans =
          1×2 cell array
            {'double'}    {'char'}

    See also: readtable, setvartype, setvaropts, preview, delimitedTextImportOptions.
    """
    source = source_of(interp, request_of("detectImportOptions", name, args))
    warned(interp, source)
    plan = source.plan
    if plan.kind != "spreadsheet" and source.originals and not plan.variable_descriptions_line:
        plan = attrs.evolve(plan, variable_descriptions_line=plan.variable_names_line)
    return ImportOptions(plan)
