"""normalize of tables: variable by variable."""

from __future__ import annotations

from typing import Any

from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import option, scalar
from runmat_core.builtins.overloads import Call, overload
from runmat_core.builtins.tables.support import chosen_in, new_names, table_of
from runmat_core.values import class_of
from runmat_core.values.classes import FLOAT_CLASSES
from runmat_core.values.tables.table import Table

_NAMES = {"datavariables": "DataVariables", "replacevalues": "ReplaceValues"}


@overload("normalize")
def normalize(call: Call, t: Any, *args: Any) -> Any:
    """``[N, C, S] = normalize(T, …, 'DataVariables', vars, 'ReplaceValues', tf)``."""
    table = table_of("normalize", t)
    rest, options = _split(args)
    chosen = chosen_in(table, options, "DataVariables") or table.names
    found: list[dict[str, Any]] = [{}, {}, {}]
    for name in chosen:
        column = table.column(name)
        if class_of(column) not in FLOAT_CLASSES:
            raise MatlabError(
                "MATLAB:normalize:UnsupportedTableVariable",
                f"The variable '{name}' must be of type double or single; choose variables with "
                "'DataVariables'.",
            )
        outputs = call.original(3, column, 1.0, *rest)
        for part, value in zip(found, outputs, strict=True):
            part[name] = value
    columns = dict(table.data.columns)
    if "ReplaceValues" in options and not scalar(options["ReplaceValues"], "ReplaceValues"):
        added = new_names([f"{name}_normalized" for name in chosen], table.names)
        columns.update(zip(added, found[0].values(), strict=True))
    else:
        columns.update(found[0])
    made = table.with_columns(columns)
    if call.nargout < 2:
        return made
    return (made, *(Table.of(part, height=1) for part in found[1:]))[: call.nargout]


def _split(args: tuple[Any, ...]) -> tuple[list[Any], dict[str, Any]]:
    """Return the arguments for each variable, and the options that speak of the table."""
    rest: list[Any] = []
    options = {}
    left = iter(args)
    for arg in left:
        name = _NAMES.get(option(arg) or "")
        if name is None:
            rest.append(arg)
            continue
        try:
            options[name] = next(left)
        except StopIteration:
            raise MatlabError(
                "MATLAB:normalize:ArgNameValueMismatch", f"'{name}' must be followed by a value."
            ) from None
    return rest, options
