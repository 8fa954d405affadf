"""deval: the solution of a differential equation at any time."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import as_float, real
from runmat_core.builtins.lift import value_of
from runmat_core.builtins.ode.stepping import evaluate
from runmat_core.values import StructArray, field, to_numpy


@builtin("deval", family="ode", nargin=(2, 3), nargout=2, needs=("nargout",))
def deval(sol: Any, times: Any, components: Any = None, *, nargout: int) -> Any:
    """Value of the solution of a differential equation at given times.

    Y = deval(SOL, T) has a column for each element of T; deval(T, SOL) is the same
    Y = deval(SOL, T, K) gives the components K alone
    [Y, YP] = deval(…) gives the derivative too

    SOL is what SOL = ode45(…) and its like, bvp4c and dde23 give. T must lie between the ends of
    SOL.x.

    Examples:
        >> sol = ode45(@(t, y) [y(2); -y(1)], [0 10], [0; 1], odeset('RelTol', 1e-8));
        >> deval(sol, [0 pi/6 pi/2], 1)
        ans =
                 0    0.5000    1.0000

    See also: ode45, ode15s, dde23, bvp4c, odeset.
    """
    if not isinstance(sol, StructArray):
        sol, times = times, sol
    if not isinstance(sol, StructArray) or not {"x", "y", "idata"} <= set(sol.field_names()):
        raise MatlabError(
            "MATLAB:deval:SolNotFromDiffEqSolver",
            "The first argument must be a solution structure of a solver of differential "
            "equations.",
        )
    x, y = to_numpy(field(sol, "x")).ravel(), np.atleast_2d(to_numpy(field(sol, "y")))
    at = as_float(real(times, "deval")).ravel(order="F")
    low, high = min(x[0], x[-1]), max(x[0], x[-1])
    if not ((at >= low) & (at <= high)).all():
        raise MatlabError(
            "MATLAB:deval:SolOutsideInterval",
            "Attempting to evaluate the solution outside the interval "
            f"[{low:e}, {high:e}] where it is defined.",
        )
    kept = np.arange(y.shape[0])
    if components is not None:
        kept = np.asarray(to_numpy(components).ravel(order="F") - 1)
        if not ((kept >= 0) & (kept < y.shape[0]) & (kept % 1 == 0)).all():
            raise MatlabError(
                "MATLAB:deval:IndexOutOfBounds", "The indices of components exceed the solution."
            )
        kept = kept.astype(np.intp)
    values, slopes = _between(sol, x, y, at, kept)
    return (value_of(values), value_of(slopes)) if nargout > 1 else value_of(values)


def _between(sol: StructArray, x: Any, y: Any, at: Any, kept: Any) -> tuple[Any, Any]:
    """Return the solution and its derivative at times `at`."""
    idata = field(sol, "idata")
    stacked = to_numpy(field(idata, "coefficients"))
    stacked = stacked.reshape((*stacked.shape, 1)) if stacked.ndim < 3 else stacked
    nonnegative = to_numpy(field(idata, "idxNonNegative")).ravel().astype(int) - 1
    order = 1 if x[-1] >= x[0] else -1
    # a time at which two steps meet belongs to the earlier one
    steps = np.searchsorted(order * x, order * at, side="left") - 1
    steps = np.clip(steps, 0, x.size - 2)
    values = np.zeros((kept.size, at.size), stacked.dtype)
    slopes = np.zeros_like(values)
    for step in np.unique(steps):
        here = steps == step
        start, length = x[step], x[step + 1] - x[step]
        coefficients = stacked[:, :, step]
        s = (at[here] - start) / length
        found = evaluate(coefficients, s)
        found[nonnegative] = np.maximum(found[nonnegative].real, 0)
        powers = coefficients[:, 1:] * np.arange(1, coefficients.shape[1])
        values[:, here] = found[kept]
        slopes[:, here] = (evaluate(powers, s) / length)[kept]
    ends = np.searchsorted(order * x, order * at)
    exact = x[np.clip(ends, 0, x.size - 1)] == at
    values[:, exact] = y[np.ix_(kept, ends[exact])]
    return values, slopes
