"""Arguments of graphics functions: data, numbers, words, names with values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import Interp, MatlabError
from runmat_core.api.errors import size_limit
from runmat_plot.scene.properties import as_numbers, days

Numbers = NDArray[Any]


def not_enough() -> MatlabError:
    return MatlabError("MATLAB:narginchk:notEnoughInputs", "Not enough input arguments.")


def python(interp: Interp, args: Sequence[Any]) -> list[Any]:
    """Arguments as Python values."""
    return [interp.to_python(arg) for arg in args]


def split_pairs(args: Sequence[Any], known: Sequence[str] = ()) -> tuple[list[Any], list[Any]]:
    """Arguments before the first name of a pair, and the pairs, as one list."""
    for at, value in enumerate(args):
        if (isinstance(value, str) and value.lower() in known) or (
            isinstance(value, str) and not known
        ):
            return list(args[:at]), list(args[at:])
    return list(args), []


def pair_at(pairs: Sequence[Any], at: int) -> tuple[str, Any]:
    """The name and the value that stand at a place."""
    name = pairs[at]
    if not isinstance(name, str):
        raise MatlabError("MATLAB:graphics:InvalidPropertyName", "Property names must be text.")
    if at + 1 >= len(pairs):
        raise MatlabError(
            "MATLAB:class:BadParamValuePairs", "Invalid parameter/value pair arguments."
        )
    return name, pairs[at + 1]


def read_options(pairs: Sequence[Any], *own: str) -> tuple[dict[str, Any], list[Any]]:
    """The options of a function by name in lower case, and the pairs that are not in `own`.

    Raises:
        MatlabError: a name is no text, or has no value.
    """
    options: dict[str, Any] = {}
    rest: list[Any] = []
    at = 0
    while at < len(pairs):
        if isinstance(pairs[at], dict):
            rest.append(pairs[at])
            at += 1
            continue
        name, value = pair_at(pairs, at)
        if name.lower() in own:
            options[name.lower()] = value
        else:
            rest += [name, value]
        at += 2
    return options, rest


class Data:
    """Numbers to plot, and what kind of axis they need."""

    def __init__(self, values: Numbers, ruler: Any = "numeric") -> None:
        self.values = values
        self.ruler = ruler


def data_in(value: Any, name: str) -> Data | None:
    """Read a Python value as data; None where it is text or anything else.

    Raises:
        MatlabError: it is no data at all.
    """
    if isinstance(value, np.ndarray) and value.dtype.kind in "mM":
        return Data(days(value), "datetime" if value.dtype.kind == "M" else "duration")
    if hasattr(value, "isoformat"):
        local = value.replace(tzinfo=None) if hasattr(value, "tzinfo") else value
        return Data(days(np.array([[np.datetime64(local, "us")]])), "datetime")
    if hasattr(value, "total_seconds"):
        return Data(np.array([[value.total_seconds() / 86400]]), "duration")
    if hasattr(value, "toarray"):
        return Data(np.asarray(value.toarray(), float))
    if isinstance(value, np.ndarray) and value.dtype == object and value.size:
        texts = value.ravel(order="F").tolist()
        if all(isinstance(text, str) for text in texts):
            order = sorted(set(texts)) if "categories" not in name else list(dict.fromkeys(texts))
            where = np.array([order.index(text) + 1.0 for text in texts])
            return Data(where.reshape(value.shape, order="F"), order)
    numbers = as_numbers(value)
    return None if numbers is None else Data(numbers)


def bad_data(name: str) -> MatlabError:
    return MatlabError(
        f"MATLAB:{name}:InvalidDataType",
        "Data must be numeric, datetime, duration, categorical or an array convertible to double.",
    )


def numbers_in(value: Any, name: str) -> Numbers:
    """Real numbers for a chart.

    Raises:
        MatlabError: the value is no numbers.
    """
    found = data_in(value, name)
    if found is None:
        raise bad_data(name)
    return found.values.real if found.values.dtype.kind == "c" else found.values


def complex_in(value: Any, name: str) -> Numbers:
    """Numbers that may be complex, of an array that may be sparse.

    Raises:
        MatlabError: the value is no numbers.
    """
    found = as_numbers(value.toarray() if hasattr(value, "toarray") else value)
    if found is None:
        raise bad_data(name)
    return found


def reals_in(value: Any, name: str) -> Numbers:
    """Real numbers of a full or sparse array that holds nothing but numbers.

    Raises:
        MatlabError: the value is no such array, or its numbers are complex.
    """
    found = complex_in(value, name)
    if found.dtype.kind == "c":
        raise MatlabError(f"MATLAB:{name}:InvalidDataType", "Data must be real numbers.")
    return found.astype(float)


def vector_in(value: Any, name: str, *counts: int) -> Numbers:
    """Real numbers in one row, as many of them as one of `counts` says.

    Raises:
        MatlabError: the value is no numbers, or has another number of elements.
    """
    found = numbers_in(value, name).ravel(order="F").astype(float)
    if found.size not in counts:
        wanted = " or ".join(str(count) for count in counts)
        noun = "element" if counts == (1,) else "elements"
        raise MatlabError(f"MATLAB:{name}:InvalidSize", f"Value must have {wanted} {noun}.")
    return found


def number_in(value: Any, name: str) -> float:
    """The real number of an argument.

    Raises:
        MatlabError: the value is no number, or several.
    """
    return float(vector_in(value, name, 1).item())


def aligned_in(values: Sequence[Any], name: str) -> list[Numbers]:
    """Real numbers of arguments that stand beside each other, single ones as often as needed.

    Raises:
        MatlabError: a value is no numbers, or their sizes differ.
    """
    found = [numbers_in(value, name).astype(float) for value in values]
    shapes = [part.shape for part in found if part.size != 1]
    if len({*shapes}) > 1:
        raise MatlabError("MATLAB:samelen", "Vectors must be the same length.")
    shape = shapes[0] if shapes else (1, 1)
    return [part if part.shape == shape else np.full(shape, part.item()) for part in found]


def take(rest: list[Any]) -> Any:
    """Remove the first of the arguments that are left.

    Raises:
        MatlabError: there is none.
    """
    if not rest:
        raise not_enough()
    return rest.pop(0)


def take_variable(rest: list[Any], table: dict[str, Any]) -> tuple[str, Any]:
    """Remove the name of a table's variable from the arguments that are left; it and its values.

    Raises:
        MatlabError: there is no argument, or no such variable.
    """
    name = take(rest)
    if not isinstance(name, str) or name not in table:
        raise MatlabError("MATLAB:table:UnrecognizedVarName", "There is no such variable.")
    return name, table[name]


def take_table(rest: list[Any], count: int) -> list[str]:
    """Put the variables of a table in the place of it and of what names them.

    Returns:
        Their names; none where there is no table among the arguments.
    """
    table = rest[0] if rest else None
    if not isinstance(table, dict) or len(rest) < count + 1:
        return []
    names: list[str] = []
    for value in rest[1 : count + 1]:
        if isinstance(value, float) and 1 <= value <= len(table):
            names.append(list(table)[int(value) - 1])
        elif isinstance(value, str) and value in table:
            names.append(value)
        else:
            return []
    rest[: count + 1] = [table[name] for name in names]
    return names


def word_in(value: Any, name: str) -> str:
    """A text of an argument.

    Raises:
        MatlabError: it is none.
    """
    if not isinstance(value, str):
        raise MatlabError(
            f"MATLAB:{name}:InvalidInput", "Value must be a character vector or a string scalar."
        )
    return value


def texts_in(value: Any) -> list[str] | None:
    """The texts of a text, a string array or a cell array; None of anything else, and of none."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, np.ndarray) and value.dtype == object:
        value = value.ravel(order="F").tolist()
    if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        return value
    return None


#: More than any count of what is drawn.
MOST = 2**31 - 1


def whole(value: Any, least: int, name: str) -> int:
    """A whole number of an argument.

    Raises:
        MatlabError: it is none, less than `least`, or more than a count may be.
    """
    numbers = None if isinstance(value, str) else as_numbers(value)
    number = float("nan") if numbers is None or numbers.size != 1 else float(numbers.real.item())
    if not (np.isfinite(number) and number == int(number) and least <= number <= MOST):
        raise MatlabError(
            f"MATLAB:{name}:InvalidNumber", f"Numbers must be whole and {least} or more."
        )
    return int(number)


#: More bins, levels or sides of a grid than anybody draws.
MOST_PARTS = 2**16


def parts_in(value: Any, least: int, name: str, most: int = MOST_PARTS) -> int:
    """Return the number of parts of a drawing, which are made one by one.

    Raises:
        MatlabError: the value is no count, or so large that making them would not end.
    """
    count = whole(value, least, name)
    if count > most:
        raise size_limit()
    return count


def is_word(value: Any, *words: str) -> bool:
    return isinstance(value, str) and value.lower() in words
