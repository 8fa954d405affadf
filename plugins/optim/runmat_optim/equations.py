"""Systems of nonlinear equations and nonlinear least squares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_optim.common import Function, Matrix, Vector, array, bounds, is_function, slopes
from runmat_optim.options import Settings, settings, tell


def _checked(fun: Any, name: str) -> None:
    if not is_function(fun):
        raise MatlabError(
            f"optim:{name}:InvalidFUN", "FUN must be a function handle or the name of a function."
        )


def _jacobian(f: Function, chosen: Settings, x: Vector) -> Matrix:
    return f.second()(x) if chosen.gradient else slopes(f.vector(), x)


@builtin("fsolve", family="optim", lift="arrays", nargin=(2, None), nargout=5,
         needs=("nargout", "interp"))  # fmt: skip
def fsolve(
    fun: Any, x0: Any, options: Any = None, *extra: Any, nargout: int, interp: Interp
) -> Any:
    """Solve a system of nonlinear equations.

    X = fsolve(FUN, X0) looks for X with FUN(X) = 0, from X0
    X = fsolve(FUN, X0, OPTIONS); with SpecifyObjectiveGradient, FUN gives the Jacobian too
    X = fsolve(FUN, X0, OPTIONS, P1, …) passes P1 … to FUN
    [X, FVAL, EXITFLAG, OUTPUT, JACOBIAN] = fsolve(…)

    EXITFLAG is 1 for a solution, 0 after too many evaluations, -2 where the method came to a
    point that is none.

    Examples:
        >> o = optimoptions('fsolve', 'Display', 'off');
        >> fsolve(@(x) [x(1)^2 + x(2)^2 - 4; x(1) - x(2)], [1; 1], o)
        ans =
            1.4142
            1.4142

    See also: fzero, lsqnonlin, optimoptions.
    """
    from scipy.optimize import least_squares, root

    _checked(fun, "fsolve")
    start = array(x0, "fsolve", "X0")
    chosen = settings(options, interp)
    f = Function(fun, start, interp, extra)
    count = 2 if chosen.gradient else 1
    value, slope = f.vector(count), f.second() if chosen.gradient else None
    x = start.ravel(order="F")
    first = value(x)
    if not np.isfinite(first).all():
        raise MatlabError(
            "optim:fsolve:UsrObjUndefAtX0",
            "Objective function is returning undefined values at initial point. FSOLVE cannot "
            "continue.",
        )
    most = chosen.evaluations or 100 * x.size
    algorithm, used_up = "trust-region-dogleg", False
    residual = float(np.linalg.norm(first))
    if first.size == x.size and residual:
        found = root(value, x, jac=slope, method="hybr",
                     options={"xtol": 1e-12, "maxfev": most})  # fmt: skip
        x, used_up = found.x, f.calls >= most
        residual = float(np.linalg.norm(value(x)))
    if residual**2 > chosen.function or first.size != x.size:
        algorithm = "levenberg-marquardt" if first.size >= x.size else "trust-region-reflective"
        again = least_squares(value, x, jac=slope or "3-point", xtol=1e-12, ftol=1e-12, gtol=1e-12)
        x = again.x
    at_end = value(x)
    solved = float(at_end @ at_end) <= np.sqrt(chosen.function)
    flag = 1 if solved else 0 if used_up else -2
    message = {
        1: "Equation solved.",
        0: "Solver stopped prematurely: the limit of function evaluations was reached.",
        -2: "No solution found.",
    }[flag]
    tell(chosen, message, interp)
    slopes_here = _jacobian(f, chosen, x)
    report = {
        "iterations": float(f.calls),
        "funcCount": float(f.calls),
        "algorithm": algorithm,
        "firstorderopt": float(np.abs(slopes_here.T @ at_end).max(initial=0.0)),
        "message": message,
    }
    shaped = f.outputs(x, count)[0]
    return x.reshape(start.shape, order="F"), shaped, float(flag), report, slopes_here


def _passed_on(args: Sequence[Any]) -> Sequence[Any]:
    """Return the arguments that are passed on to the function, behind bounds and options.

    Raises:
        MatlabError: MATLAB:TooManyInputs, linear constraints stand there.
    """
    if len(args) > 3 and isinstance(args[2], np.ndarray) and args[2].size:
        raise MatlabError("MATLAB:TooManyInputs", "Too many input arguments.")
    return args[3:]


def _least_squares(
    f: Function, start: Matrix, target: Vector, args: Sequence[Any], name: str, interp: Interp
) -> Any:
    """What lsqnonlin and lsqcurvefit share, from the bounds on."""
    from scipy.optimize import least_squares

    x0 = start.ravel(order="F")
    plain = [a for a in args if isinstance(a, np.ndarray)]
    options = next((a for a in args if not isinstance(a, np.ndarray)), None)
    low, high = bounds(plain, 0, x0.size, name)
    chosen = settings(options, interp)
    if (low > high).any():
        raise MatlabError(f"optim:{name}:InfeasibleBounds", "A lower bound exceeds an upper one.")
    count = 2 if chosen.gradient else 1

    def residual(x: Vector) -> Vector:
        made = f.vector(count)(x)
        if target.size not in (1, made.size):
            raise MatlabError(
                f"optim:{name}:YdataSizeMismatchFunVal",
                "Function value and YDATA sizes are not equal.",
            )
        return np.asarray(made - target)

    first = residual(np.clip(x0, low, high))
    if not np.isfinite(first).all():
        raise MatlabError(
            f"optim:{name}:UsrObjUndefAtX0",
            "Objective function is returning undefined values at initial point. "
            f"{name.upper()} cannot continue.",
        )
    # a fixed unknown has no interior for the method
    width = np.where(high > low, 0, 1e-12 * (1 + np.abs(low)))
    found = least_squares(
        residual,
        np.clip(x0, low, high),
        jac=f.second() if chosen.gradient else "3-point",
        bounds=(low - width, high + width),
        ftol=min(chosen.function, 1e-6) * 1e-4,
        xtol=min(chosen.step, 1e-6) * 1e-4,
        gtol=min(chosen.optimality, 1e-6) * 1e-4,
        max_nfev=chosen.evaluations or 100 * max(x0.size, 1),
    )
    x = np.clip(found.x, low, high)
    flag = {0: 0, 1: 1, 2: 3, 3: 2, 4: 3}.get(found.status, -2)
    message = "Local minimum possible." if flag > 1 else "Local minimum found."
    message = message if flag else "Solver stopped prematurely: too many evaluations."
    tell(chosen, message, interp)
    rest = residual(x)
    slopes_here = _jacobian(f, chosen, x)
    gradient = 2 * slopes_here.T @ rest
    near = 1e-8 * (1 + np.abs(x))
    weights = {
        "lower": np.where(x - low <= near, np.maximum(gradient, 0), 0).reshape(-1, 1),
        "upper": np.where(high - x <= near, np.maximum(-gradient, 0), 0).reshape(-1, 1),
    }
    report = {
        "firstorderopt": float(found.optimality),
        "iterations": float(found.njev or found.nfev),
        "funcCount": float(f.calls),
        "algorithm": "trust-region-reflective",
        "message": message,
    }
    shape = f.outputs(x, count)[0].shape
    return (
        x.reshape(start.shape, order="F"),
        float(rest @ rest),
        rest.reshape(shape, order="F"),
        float(flag),
        report,
        weights,
        slopes_here,
    )


@builtin("lsqnonlin", family="optim", lift="arrays", nargin=(2, None), nargout=7,
         needs=("nargout", "interp"))  # fmt: skip
def lsqnonlin(fun: Any, x0: Any, *args: Any, nargout: int, interp: Interp) -> Any:
    """Nonlinear least squares.

    X = lsqnonlin(FUN, X0) minimises sum(FUN(X).^2)
    X = lsqnonlin(FUN, X0, LB, UB, OPTIONS) subject to LB <= X <= UB; with
    SpecifyObjectiveGradient, FUN gives the Jacobian too
    X = lsqnonlin(FUN, X0, LB, UB, OPTIONS, P1, …) passes P1 … to FUN
    [X, RESNORM, RESIDUAL, EXITFLAG, OUTPUT, LAMBDA, JACOBIAN] = lsqnonlin(…)

    Examples:
        >> o = optimoptions('lsqnonlin', 'Display', 'off');
        >> round(lsqnonlin(@(x) [10*(x(2) - x(1)^2); 1 - x(1)], [-1.2 1], [], [], o), 6)
        ans =
             1     1

    See also: lsqcurvefit, fsolve, lsqnonneg, optimoptions.
    """
    _checked(fun, "lsqnonlin")
    start = array(x0, "lsqnonlin", "X0")
    f = Function(fun, start, interp, _passed_on(args))
    return _least_squares(f, start, np.zeros(1), args[:3], "lsqnonlin", interp)


@builtin("lsqcurvefit", family="optim", lift="arrays", nargin=(4, None), nargout=7,
         needs=("nargout", "interp"))  # fmt: skip
def lsqcurvefit(
    fun: Any, x0: Any, xdata: Any, ydata: Any, *args: Any, nargout: int, interp: Interp
) -> Any:
    """Fit a curve to data by nonlinear least squares.

    X = lsqcurvefit(FUN, X0, XDATA, YDATA) minimises sum((FUN(X, XDATA) - YDATA).^2)
    X = lsqcurvefit(FUN, X0, XDATA, YDATA, LB, UB, OPTIONS) subject to LB <= X <= UB
    X = lsqcurvefit(FUN, X0, XDATA, YDATA, LB, UB, OPTIONS, P1, …) passes P1 … to FUN
    [X, RESNORM, RESIDUAL, EXITFLAG, OUTPUT, LAMBDA, JACOBIAN] = lsqcurvefit(…)

    Examples:
        >> o = optimoptions('lsqcurvefit', 'Display', 'off');
        >> t = 0:4;
        >> x = lsqcurvefit(@(x, t) x(1) * exp(x(2) * t), [1 1], t, 3 * exp(-0.5 * t), [], [], o);
        >> round(x, 4)
        ans =
            3.0000   -0.5000

    See also: lsqnonlin, polyfit, optimoptions.
    """
    _checked(fun, "lsqcurvefit")
    start = array(x0, "lsqcurvefit", "X0")
    f = Function(fun, start, interp, (xdata, *_passed_on(args)))
    target = array(ydata, "lsqcurvefit", "YDATA").ravel(order="F")
    return _least_squares(f, start, target, args[:3], "lsqcurvefit", interp)
