"""discretize of points in time and of spans: bins of units, of widths, and between edges."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import option
from runmat_core.builtins.overloads import Call, overload
from runmat_core.builtins.tables.bins import UNITS
from runmat_core.builtins.time.histograms import edges_for, local_numbers, with_numbers
from runmat_core.values import from_numpy, is_text, text, to_numpy
from runmat_core.values.array_object import ArrayObject
from runmat_core.values.cell import CellArray, object_array
from runmat_core.values.char import CharArray
from runmat_core.values.string import StringArray
from runmat_core.values.time.calendar import CalendarDuration
from runmat_core.values.time.datetime import Datetime
from runmat_core.values.time.duration import Duration

_CATEGORICAL = "categorical"


@overload("discretize")
def discretized(call: Call, value: Any, bins: Any, *args: Any) -> Any:
    """``[Y, E] = discretize(X, …)`` with edges of the class of X."""
    if not isinstance(value, Datetime | Duration):
        return NotImplemented
    edges = _edges(value, bins)
    rest = list(args)
    if (
        rest
        and option(rest[0]) == _CATEGORICAL
        and not (
            len(rest) > 1 and isinstance(rest[1], CellArray | StringArray) and not is_text(rest[1])
        )
    ):
        form = ""
        if len(rest) > 1 and option(rest[1]) not in (None, "includededge"):
            form = text(rest.pop(1))
        side = next((option(b) for a, b in pairwise(rest) if option(a) == "includededge"), "left")
        word = (option(bins) or "") if is_text(bins) else ""
        names = _names(value, edges, word, form, side or "left")
        rest.insert(1, CellArray(object_array(map(CharArray, names), (1, len(names)))))
    numbers, origin = local_numbers(value), edges[0]
    found = call.original(
        1,
        from_numpy(np.asfortranarray(numbers - origin, np.float64)),
        from_numpy((edges - origin).astype(np.float64).reshape(1, -1)),
        *rest,
    )
    return found if call.nargout < 2 else (found, with_numbers(value, edges.reshape(1, -1)))


def _edges(value: Any, bins: Any) -> NDArray[Any]:
    """Return the edges that the second argument asks for, as numbers of the class's clock."""
    if (
        isinstance(bins, Duration | CalendarDuration)
        and bins.codes.size == 1
        and (isinstance(value, Datetime) or isinstance(bins, Duration))
    ):
        return edges_for(value, {"BinWidth": bins})
    if is_text(bins):
        return edges_for(value, {"BinMethod": bins})
    if isinstance(bins, ArrayObject):
        found = edges_for(value, {"BinEdges": bins})
        if found.size < 2 or (np.diff(found) < 0).any():
            raise MatlabError(
                "MATLAB:discretize:InvalidEdges", "Bin edges must be a vector that increases."
            )
        return found
    if to_numpy(bins).size != 1:
        raise MatlabError(
            "MATLAB:discretize:InvalidEdges",
            f"Bin edges must be of class {value.class_name}, as the data are.",
        )
    return edges_for(value, {"NumBins": bins})


def _names(value: Any, edges: NDArray[Any], word: str, form: str, side: str) -> list[str]:
    """Return what categories are called: by their unit, or by both edges."""
    column = with_numbers(value, edges.reshape(-1, 1))
    if isinstance(value, Datetime):
        named = form or UNITS.get(word, "")
        if named and (form == "" or word in UNITS):
            return [str(w) for w in column.words(named)][:-1]
        words = [str(w) for w in column.words(form or column.formatted("").form)]
    else:
        words = (column.formatted(form) if form else column).shown_texts()
    count = len(words) - 1
    return [
        f"{'[' if side == 'left' or k == 0 else '('}{low}, "
        f"{high}{']' if side == 'right' or k == count - 1 else ')'}"
        for k, (low, high) in enumerate(pairwise(words))
    ]
