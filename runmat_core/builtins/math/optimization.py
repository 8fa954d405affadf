"""Zeros, minima and integrals of functions of a real variable, and minima of several."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError, not_enough_inputs
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import as_float, real, scalar
from runmat_core.builtins.math import brent
from runmat_core.builtins.math.optimization_options import number_setting, problem
from runmat_core.values import StructArray, char, from_numpy, struct, to_numpy


def _function(fun: Any, extra: tuple[Any, ...], interp: Interp) -> Callable[[float], float]:
    """Return a MATLAB function of one real number as a Python one that counts its calls.

    Args:
        extra: what the function gets after the number.
    """

    def call(x: float) -> float:
        call.count += 1  # type: ignore[attr-defined]
        result = to_numpy(interp.call(fun, [float(x), *extra], 1))
        if result.size != 1:
            raise MatlabError("MATLAB:fzero:NonScalarFun", "The function must return a scalar.")
        return float(result.flat[0].real)

    call.count = 0  # type: ignore[attr-defined]
    return call


def _report(iterations: int, calls: int, algorithm: str, message: str) -> StructArray:
    return struct(
        {
            "iterations": float(iterations),
            "funcCount": float(calls),
            "algorithm": char(algorithm),
            "message": char(message),
        }
    )


def _bracket(f: Callable[[float], float], start: float) -> tuple[float, float]:
    """Return an interval around `start` at whose ends `f` has different signs."""
    if f(start) == 0:
        return start, start
    step = start / 50 if start else 1 / 50
    while math.isfinite(step):
        step *= math.sqrt(2)
        low, high = start - step, start + step
        f_low, f_high = f(low), f(high)
        if not (math.isfinite(f_low) and math.isfinite(f_high)):
            break
        if (f_low > 0) != (f(start) > 0):
            return low, start
        if (f_high > 0) != (f(start) > 0):
            return start, high
    raise MatlabError(
        "MATLAB:fzero:NoSignChange", "No interval with a change of sign was found near the start."
    )


@builtin(
    "fzero", family="math/optimization", nargin=(1, None), nargout=4, needs=("nargout", "interp")
)
def fzero(
    fun: Any, x0: Any = None, options: Any = None, *extra: Any, nargout: int, interp: Interp
) -> Any:
    """Zero of a function of one variable.

    X = fzero(FUN, X0) starts at X0
    X = fzero(FUN, [A B]) searches an interval at whose ends the signs differ
    X = fzero(FUN, X0, OPTIONS) with TolX from optimset
    X = fzero(FUN, X0, OPTIONS, P1, …) passes P1 … to FUN
    X = fzero(PROBLEM) with a structure of objective, x0, solver and options
    [X, FVAL, EXITFLAG, OUTPUT] = fzero(…)

    Examples:
        >> fzero(@cos, [1 2])
        ans =
            1.5708

    See also: fminbnd, fminsearch, roots.
    """
    if x0 is None:
        fun, x0, options = problem(fun, "fzero", ("objective", "x0"))
    f = _function(fun, extra, interp)
    start = as_float(real(x0, "fzero")).ravel()
    if start.size not in (1, 2) or not np.isfinite(start).all():
        raise MatlabError(
            "MATLAB:fzero:LengthArg2", "Second argument must be a finite scalar or a pair of them."
        )
    low, high = (start[0], start[1]) if start.size == 2 else _bracket(f, float(start[0]))
    ends = f(low), f(high)
    if ends[0] * ends[1] > 0:
        raise MatlabError(
            "MATLAB:fzero:ValuesAtEndPtsSameSign",
            "Function values at the interval endpoints must differ in sign.",
        )
    tolerance = number_setting(options, "TolX", np.finfo(float).eps)
    if 0 in ends:
        x, iterations = (low if ends[0] == 0 else high), 0
    else:
        x, iterations = brent.zero(f, low, high, ends, tolerance)
    report = _report(iterations, f.count, "bisection, interpolation", "Zero found")  # type: ignore[attr-defined]
    outputs = (float(x), f(x), 1.0, report)
    return outputs[:nargout] if nargout > 1 else outputs[0]


@builtin(
    "fminbnd", family="math/optimization", nargin=(1, None), nargout=4, needs=("nargout", "interp")
)
def fminbnd(
    fun: Any,
    a: Any = None,
    b: Any = None,
    options: Any = None,
    *extra: Any,
    nargout: int,
    interp: Interp,
) -> Any:
    """Minimum of a function of one variable in an interval.

    X = fminbnd(FUN, A, B), X = fminbnd(FUN, A, B, OPTIONS)
    X = fminbnd(FUN, A, B, OPTIONS, P1, …) passes P1 … to FUN
    X = fminbnd(PROBLEM) with a structure of objective, x1, x2, solver and options
    [X, FVAL, EXITFLAG, OUTPUT] = fminbnd(…)

    Examples:
        >> abs(fminbnd(@(x) (x - 2)^2, 0, 5) - 2) < 1e-4
        ans =
          logical
           1

    See also: fminsearch, fzero, optimset.
    """
    if a is None:
        fun, a, b, options = problem(fun, "fminbnd", ("objective", "x1", "x2"))
    elif b is None:
        raise not_enough_inputs()
    f = _function(fun, extra, interp)
    low, high = scalar(a), scalar(b)
    if not (math.isfinite(low) and math.isfinite(high)):
        raise MatlabError("MATLAB:fminbnd:invalidBounds", "The bounds must be finite.")
    if low > high:
        raise MatlabError("MATLAB:fminbnd:invalidBounds", "The lower bound exceeds the upper one.")
    accuracy = number_setting(options, "TolX", 1e-4)
    most = int(number_setting(options, "MaxIter", 500))
    x, least, calls, enough = brent.minimum(f, low, high, accuracy, most)
    report = _report(calls, calls, "golden section search, parabolic interpolation", "")
    outputs = (x, least, float(enough), report)
    return outputs[:nargout] if nargout > 1 else outputs[0]


@builtin(
    "fminsearch",
    family="math/optimization",
    nargin=(1, None),
    nargout=4,
    needs=("nargout", "interp"),
)
def fminsearch(
    fun: Any, x0: Any = None, options: Any = None, *extra: Any, nargout: int, interp: Interp
) -> Any:
    """Minimum of a function of several variables, without derivatives.

    X = fminsearch(FUN, X0), X = fminsearch(FUN, X0, OPTIONS)
    X = fminsearch(FUN, X0, OPTIONS, P1, …) passes P1 … to FUN
    X = fminsearch(PROBLEM) with a structure of objective, x0, solver and options
    [X, FVAL, EXITFLAG, OUTPUT] = fminsearch(…)

    The simplex method of Nelder and Mead. TolX and TolFun are 1e-4 by default.

    Examples:
        >> x = fminsearch(@(x) (x(1) - 1)^2 + (x(2) + 2)^2, [0 0]);
        >> round(x, 3)
        ans =
             1    -2

    See also: fminbnd, fzero, optimset.
    """
    if x0 is None:
        fun, x0, options = problem(fun, "fminsearch", ("objective", "x0"))
    start = as_float(real(x0, "fminsearch"))
    calls = 0

    def f(point: Any) -> float:
        nonlocal calls
        calls += 1
        given = [from_numpy(point.reshape(start.shape, order="F")), *extra]
        value = to_numpy(interp.call(fun, given, 1))
        return float(value.flat[0].real)

    count = start.size
    if not count:
        raise MatlabError("MATLAB:fminsearch:EmptyX0", "The initial point must not be empty.")
    limits = [
        number_setting(options, "TolX", 1e-4),
        number_setting(options, "TolFun", 1e-4),
        number_setting(options, "MaxIter", 200 * count),
        number_setting(options, "MaxFunEvals", 200 * count),
    ]
    best, value, iterations, converged = _nelder_mead(
        f, start.ravel(order="F").copy(), limits, lambda: calls
    )
    report = _report(iterations, calls, "Nelder-Mead simplex direct search", "")
    outputs = (
        from_numpy(best.reshape(start.shape, order="F")),
        value,
        float(converged),
        report,
    )
    return outputs[:nargout] if nargout > 1 else outputs[0]


def _nelder_mead(
    f: Callable[[Any], float], start: Any, limits: list[float], calls: Callable[[], int]
) -> tuple[Any, float, int, bool]:
    """Lagarias, Reeds, Wright and Wright's form of the method (SIAM J. Optim. 9, 1998)."""
    tol_x, tol_f, most_steps, most_calls = limits
    simplex = np.tile(start, (start.size + 1, 1))
    for k in range(start.size):
        simplex[k + 1, k] = start[k] * 1.05 if start[k] else 0.00025
    values = np.array([f(point) for point in simplex])
    steps = 0
    while True:
        order = np.argsort(values, kind="stable")
        simplex, values = simplex[order], values[order]
        near = np.abs(simplex[1:] - simplex[0]).max() <= max(
            tol_x, 10 * np.spacing(simplex[0].max())
        )
        flat = np.abs(values[1:] - values[0]).max() <= max(tol_f, 10 * np.spacing(values[0]))
        if near and flat:
            return simplex[0], float(values[0]), steps, True
        if steps >= most_steps or calls() >= most_calls:
            return simplex[0], float(values[0]), steps, False
        steps += 1
        _improve(f, simplex, values)


def _improve(f: Callable[[Any], float], simplex: Any, values: Any) -> None:
    """One step: reflect, expand, contract or shrink."""
    centre = simplex[:-1].mean(axis=0)
    away = centre - simplex[-1]
    reflected = centre + away
    f_reflected = f(reflected)
    if f_reflected < values[0]:
        expanded = centre + 2 * away
        f_expanded = f(expanded)
        better = f_expanded < f_reflected
        simplex[-1] = expanded if better else reflected
        values[-1] = f_expanded if better else f_reflected
        return
    if f_reflected < values[-2]:
        simplex[-1], values[-1] = reflected, f_reflected
        return
    outside = f_reflected < values[-1]
    contracted = centre + (0.5 if outside else -0.5) * away
    f_contracted = f(contracted)
    if f_contracted <= f_reflected if outside else f_contracted < values[-1]:
        simplex[-1], values[-1] = contracted, f_contracted
        return
    simplex[1:] = simplex[0] + 0.5 * (simplex[1:] - simplex[0])
    values[1:] = [f(point) for point in simplex[1:]]
