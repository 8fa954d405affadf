"""odextend: the solution of a differential equation carried further."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import scalar
from runmat_core.values import (
    CellArray,
    StructArray,
    field,
    from_numpy,
    numel_of,
    plus,
    struct,
    text,
    to_numpy,
)


@builtin("odextend", family="ode", nargin=(3, None), needs=("interp",))
def odextend(
    sol: Any, fun: Any, end: Any, start: Any = None, *more: Any, interp: Interp
) -> StructArray:
    """The solution of an initial value problem, carried on to another time.

    SOL2 = odextend(SOL, FUN, TFINAL) goes on from where SOL = ode45(…) and its like ends; [] for
    FUN takes the function of SOL
    SOL2 = odextend(SOL, FUN, TFINAL, Y0) begins at another state; [] takes that at the end of SOL
    SOL2 = odextend(SOL, FUN, TFINAL, Y0, OPTIONS, …) changes options, and has extra arguments

    Examples:
        >> sol = ode45(@(t, y) -y, [0 1], 1, odeset('RelTol', 1e-8));
        >> sol = odextend(sol, [], 2);
        >> abs(deval(sol, 1.5) - exp(-1.5)) < 1e-6
        ans =
          logical
           1

    See also: ode45, ode15s, deval, odeset.
    """
    names = set(sol.field_names()) if isinstance(sol, StructArray) else set()
    solver = text(field(sol, "solver")) if "solver" in names else ""
    if not {"extdata", "x", "y", "idata"} <= names or not solver.startswith("ode"):
        raise MatlabError(
            "MATLAB:odextend:SolNotFromODESolver",
            "The first argument must be a solution structure of ode45 and its like.",
        )
    known = field(sol, "extdata")
    x, y = to_numpy(field(sol, "x")).ravel(), to_numpy(field(sol, "y"))
    final = scalar(end, "TFINAL")
    if (final - x[-1]) * np.sign(x[-1] - x[0]) <= 0:
        raise MatlabError(
            "MATLAB:odextend:TfinalNotBeyond",
            f"TFINAL must lie beyond {x[-1]:g}, in the direction of the solution.",
        )
    function = fun if numel_of(fun) else field(known, "odefun")
    options = field(known, "options")
    if more and numel_of(more[0]):
        make = interp.function("odeset")
        assert make is not None
        options = make(1, options, more[0]) if numel_of(options) else more[0]
    extra = list(more[1:])
    given = field(known, "varargin")
    if not extra and isinstance(given, CellArray):
        extra = list(given.items())
    state = from_numpy(y[:, -1:]) if start is None or not numel_of(start) else start
    solve = interp.function(solver)
    assert solve is not None
    if solver == "ode15i":
        extra = [_slope_at_end(sol, x, interp), options, *extra]
    else:
        extra = [options, *extra]
    later = solve(1, function, from_numpy(np.array([[x[-1], final]])), state, *extra)
    return _joined(sol, later)


def _slope_at_end(sol: StructArray, x: Any, interp: Interp) -> Any:
    evaluate = interp.function("deval")
    assert evaluate is not None
    return evaluate(2, sol, float(x[-1]))[1]


def _joined(first: StructArray, later: StructArray) -> StructArray:
    """One solution after another; its first point is the last one of the other."""
    fields = {name: field(first, name) for name in first.field_names()}
    for name in ("x", "y", "xe", "ye", "ie"):
        parts = [to_numpy(field(s, name)) for s in (first, later) if name in s.field_names()]
        if len(parts) == 2:
            more = parts[1][:, 1:] if name in ("x", "y") else parts[1]
            fields[name] = from_numpy(np.concatenate([parts[0], more], axis=1))
        elif parts:
            fields[name] = from_numpy(parts[0])
    stacks = [_stack(field(field(s, "idata"), "coefficients")) for s in (first, later)]
    width = max(a.shape[1] for a in stacks)
    padded = [np.pad(a, ((0, 0), (0, width - a.shape[1]), (0, 0))) for a in stacks]
    fields["idata"] = struct(
        {
            "coefficients": from_numpy(np.concatenate(padded, axis=2)),
            "idxNonNegative": field(field(later, "idata"), "idxNonNegative"),
        }
    )
    costs = [field(s, "stats") for s in (first, later)]
    totals = {n: plus(field(costs[0], n), field(costs[1], n)) for n in costs[0].field_names()}
    return struct(fields | {"extdata": field(later, "extdata"), "stats": struct(totals)})


def _stack(value: Any) -> Any:
    a = to_numpy(value)
    return a.reshape((*a.shape, 1)) if a.ndim < 3 else a
