"""All combinations of the elements of arrays."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import check_size
from runmat_core.builtins.tables.making import default_names
from runmat_core.values import index, numel_of
from runmat_core.values.array_object import ArrayObject
from runmat_core.values.base import COLON
from runmat_core.values.object import ObjectValue
from runmat_core.values.tables.frame import Frame, take_rows
from runmat_core.values.tables.table import Table


@builtin("combinations", family="tables/making", nargin=(1, None), needs=("argument_text",))
def combinations(*args: Any, argument_text: tuple[str | None, ...] = ()) -> Any:
    """All combinations of the elements of arrays, as a table.

    T = combinations(A1, A2, …) has a variable for each array, of any class and size, and a row for
    each combination; elements of the last array change fastest. Variables are called as the
    arguments are, or Var1, Var2, …

    Examples:
        >> size = ["S" "L"];
        >> price = [5 9];
        >> combinations(size, price)
        ans =
          4×2 table
            size    price
            ____    _____
            "S"       5
            "S"       9
            "L"       5
            "L"       9

    See also: ndgrid, meshgrid, perms, nchoosek, table.
    """
    for value in args:
        is_array = not isinstance(value, ObjectValue) or isinstance(value, ArrayObject)
        if not is_array and not value.has_elements:
            raise MatlabError(
                "MATLAB:combinations:InvalidInput",
                f"Inputs must be arrays, not of class '{value.class_name}'.",
            )
    counts = [numel_of(value) for value in args]
    height = math.prod(counts)
    check_size((height, len(args)), 8)
    names = default_names(argument_text, len(args))
    columns: dict[str, Any] = {}
    below = height
    for name, value, count in zip(names, args, counts, strict=True):
        below = below // count if count else 0
        order = np.arange(height) // max(below, 1) % max(count, 1)
        columns[name] = take_rows(index(value, (COLON,)), order)
    return Table(Frame(columns, height))
