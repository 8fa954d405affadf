"""Matching of rows and columns at least cost."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.libraries import package
from runmat_core.builtins.arguments import real, scalar
from runmat_core.builtins.named import choice
from runmat_core.values import from_numpy


def _matched(cost: NDArray[Any], alone: float) -> NDArray[np.intp]:
    """Row and column of each pair; who stays alone is paired with a stand-in of its own."""
    linear_sum_assignment = package("scipy.optimize").linear_sum_assignment

    rows, columns = cost.shape
    square = np.zeros((rows + columns, rows + columns))
    square[:rows, :columns] = cost
    square[:rows, columns:] = np.where(np.eye(rows, dtype=bool), alone, np.inf)
    square[rows:, :columns] = np.where(np.eye(columns, dtype=bool), alone, np.inf)
    pairs = np.transpose(linear_sum_assignment(square))
    kept = pairs[(pairs[:, 0] < rows) & (pairs[:, 1] < columns)]
    return np.asarray(kept[np.argsort(kept[:, 1])])


@builtin("matchpairs", family="graphs/structure", nargin=(2, 3), nargout=3, needs=("nargout",))
def matchpairs(cost: Any, unmatched: Any, goal: Any = None, *, nargout: int) -> Any:
    """Match rows with columns at the least total cost.

    M = matchpairs(COST, UNMATCHED) has a row and a column of COST in each row; UNMATCHED is the
    cost of leaving one row or column alone
    M = matchpairs(COST, UNMATCHED, "max") makes the total as large as possible
    [M, R, C] = matchpairs(…) gives the rows and columns that are left, too

    A pair is not made where it costs more than to leave both alone. Inf forbids a pair.

    Examples:
        >> [M, r] = matchpairs([10 2; 4 9; 5 5], 8)
        M =
             2     1
             1     2
        r =
             3

    See also: graph, sortrows.
    """
    costs = real(cost, "matchpairs").astype(np.float64)
    alone = scalar(unmatched)
    if costs.ndim > 2 or np.isnan(costs).any():
        raise MatlabError(
            "MATLAB:matchpairs:InvalidCost", "Cost must be a real matrix without NaN values."
        )
    if np.isnan(alone):
        raise MatlabError(
            "MATLAB:matchpairs:InvalidCostUnmatched", "Cost of unmatched rows must not be NaN."
        )
    sign = -1.0 if goal is not None and choice(goal, ("min", "max"), "matchpairs") == "max" else 1.0
    if (sign * costs == -np.inf).any() or np.isinf(alone):
        raise MatlabError(
            "MATLAB:matchpairs:InvalidCost", "Costs must be finite, or forbid a pair."
        )
    pairs = _matched(sign * costs, sign * alone)
    left = [np.setdiff1d(np.arange(costs.shape[k]), pairs[:, k]) for k in (0, 1)]
    columns = [from_numpy(one.reshape(-1, 1) + 1.0) for one in left]
    found = from_numpy(pairs.reshape(-1, 2) + 1.0)
    return (found, *columns)[:nargout] if nargout > 1 else found
