"""How the builtins of tables read their arguments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runmat_core.api.errors import MatlabError, undefined_for
from runmat_core.builtins.arguments import nearest
from runmat_core.values import class_of, is_text, text, texts, to_numpy, truth
from runmat_core.values.cell import CellArray, object_array
from runmat_core.values.char import CharArray
from runmat_core.values.handle import FunctionHandle
from runmat_core.values.string import StringArray
from runmat_core.values.tables.selecting import columns_at
from runmat_core.values.tables.table import Table
from runmat_core.values.tables.timetable import Timetable

TEXT = (CharArray, StringArray, CellArray)


def table_of(function: str, value: Any) -> Table:
    """Return a table argument.

    Raises:
        MatlabError: MATLAB:UndefinedFunction, it is something else.
    """
    if not isinstance(value, Table):
        raise undefined_for(function, class_of(value))
    return value


def variables(table: Table, sub: Any) -> list[str]:
    """Return the names of the variables that an argument selects.

    Among them may be what the times of a timetable are called; `Table.column` knows it.
    """
    if isinstance(table, Timetable) and isinstance(sub, TEXT):
        wanted = texts(sub)
        if table.time_name in wanted and table.time_name not in table.data.columns:
            known = [name for name in wanted if name != table.time_name]
            columns_at(table.data, StringArray(object_array(known, (1, len(known)))))
            return wanted
    return columns_at(table.data, sub)


def chosen_in(table: Table, options: dict[str, Any], name: str) -> list[str]:
    """Return the variables that an option selects; none where it is not given."""
    return selected(table, options[name]) if name in options else []


def selected(table: Table, choice: Any) -> list[str]:
    """Variables by names, numbers or flags, or those of which a function is true."""
    if isinstance(choice, FunctionHandle):
        return [name for name in table.names if truth(choice.fn(1, table.column(name)))]
    return variables(table, choice)


def names_in(value: Any, what: str) -> list[str]:
    """Names in a text argument."""
    if not isinstance(value, TEXT):
        raise MatlabError(
            f"MATLAB:table:Invalid{what}",
            f"{what} must be a character vector, a string array, or a cell array of character "
            "vectors.",
        )
    return texts(value)


def one_name(value: Any, what: str) -> str:
    """Return the one name in a text argument."""
    names = names_in(value, what)
    if len(names) != 1:
        raise MatlabError(f"MATLAB:table:Invalid{what}", f"{what} must be one text.")
    return names[0]


def flag(value: Any) -> bool:
    """Return a logical option."""
    if is_text(value):
        return text(value).lower() in ("on", "true")
    return bool(to_numpy(value).all())


def split_pairs(args: Sequence[Any], names: Sequence[str]) -> tuple[list[Any], dict[str, Any]]:
    """Return data, and name-value pairs after it; names are in full, in any case."""
    known = {name.lower(): name for name in names}
    for at, arg in enumerate(args):
        if is_text(arg) and text(arg).lower() in known and (len(args) - at) % 2 == 0:
            found = {}
            for name, value in zip(args[at::2], args[at + 1 :: 2], strict=True):
                word = text(name).lower() if is_text(name) else ""
                if word not in known:
                    shown = text(name) if is_text(name) else class_of(name)
                    raise MatlabError(
                        "MATLAB:table:parseArgs:BadParamName",
                        f"Invalid parameter name: '{shown}'.{nearest(shown, names)}",
                    )
                found[known[word]] = value
            return list(args[:at]), found
    return list(args), {}


def new_names(wanted: Sequence[str], taken: Sequence[str]) -> list[str]:
    """`wanted` with numbers behind those that are taken already."""
    found: list[str] = []
    used, last = set(taken), dict[str, int]()
    for name in wanted:
        candidate, k = name, last.get(name, 0)
        while candidate in used:
            k += 1
            candidate = f"{name}_{k}"
        last[name] = k
        used.add(candidate)
        found.append(candidate)
    return found
