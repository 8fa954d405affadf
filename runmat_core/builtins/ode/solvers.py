"""The solvers of initial value problems."""

from __future__ import annotations

from typing import Any

from runmat_core.api.builtin import builtin
from runmat_core.api.interp import Interp
from runmat_core.builtins.ode.running import solve


@builtin(
    "ode45",
    family="ode",
    nargin=(3, None),
    nargout=5,
    needs=("nargout", "interp"),
)
def ode45(*args: Any, nargout: int, interp: Interp) -> Any:
    """Solve a differential equation by the pair of orders 4 and 5 by Dormand and Prince.

    [T, Y] = ode45(ODEFUN, TSPAN, Y0) solves y' = ODEFUN(t, y) from Y0 at TSPAN(1) to TSPAN(end)
    [T, Y] = ode45(…, OPTIONS, P1, P2, …) with OPTIONS from odeset; P1 … are passed to ODEFUN
    [T, Y, TE, YE, IE] = ode45(…) with the option Events
    SOL = ode45(…) gives a structure for deval

    Each row of Y is the solution at the time in T. Two times in TSPAN ask for output after each
    step, more for output at those times.

    The first choice for problems that are not stiff. Each step gives four points of output unless
    Refine says otherwise.

    Examples:
        >> [t, y] = ode45(@(t, y) -y, [0 1 2], 1);
        >> [t y]
        ans =
                 0    1.0000
            1.0000    0.3679
            2.0000    0.1353

    See also: ode23, ode113, ode15s, odeset, deval.
    """
    return solve("ode45", args, nargout, interp)


@builtin(
    "ode23",
    family="ode",
    nargin=(3, None),
    nargout=5,
    needs=("nargout", "interp"),
)
def ode23(*args: Any, nargout: int, interp: Interp) -> Any:
    """Solve a differential equation by the pair of orders 2 and 3 by Bogacki and Shampine.

    [T, Y] = ode23(ODEFUN, TSPAN, Y0) solves y' = ODEFUN(t, y) from Y0 at TSPAN(1) to TSPAN(end)
    [T, Y] = ode23(…, OPTIONS, P1, P2, …) with OPTIONS from odeset; P1 … are passed to ODEFUN
    [T, Y, TE, YE, IE] = ode23(…) with the option Events
    SOL = ode23(…) gives a structure for deval

    Each row of Y is the solution at the time in T. Two times in TSPAN ask for output after each
    step, more for output at those times.

    Cheaper than ode45 where little accuracy is asked for.

    Examples:
        >> sol = ode23(@(t, y) 2 * t, [0 3], 0);
        >> round(sol.y(end), 6)
        ans =
             9

    See also: ode45, ode23s, odeset, deval.
    """
    return solve("ode23", args, nargout, interp)


@builtin(
    "ode113",
    family="ode",
    nargin=(3, None),
    nargout=5,
    needs=("nargout", "interp"),
)
def ode113(*args: Any, nargout: int, interp: Interp) -> Any:
    """Solve a differential equation by a method of high order.

    [T, Y] = ode113(ODEFUN, TSPAN, Y0) solves y' = ODEFUN(t, y) from Y0 at TSPAN(1) to TSPAN(end)
    [T, Y] = ode113(…, OPTIONS, P1, P2, …) with OPTIONS from odeset; P1 … are passed to ODEFUN
    [T, Y, TE, YE, IE] = ode113(…) with the option Events
    SOL = ode113(…) gives a structure for deval

    Each row of Y is the solution at the time in T. Two times in TSPAN ask for output after each
    step, more for output at those times.

    For strict tolerances and costly functions. The steps are those of an explicit Runge-Kutta
    method of order 8 by Dormand and Prince, not of a multistep method.

    Examples:
        >> o = odeset('RelTol', 1e-10, 'AbsTol', 1e-12);
        >> [t, y] = ode113(@(t, y) [y(2); -y(1)], [0 pi], [0; 1], o);
        >> abs(y(end, 2) + 1) < 1e-9
        ans =
          logical
           1

    See also: ode45, ode15s, odeset, deval.
    """
    return solve("ode113", args, nargout, interp)


@builtin(
    "ode15s",
    family="ode",
    nargin=(3, None),
    nargout=5,
    needs=("nargout", "interp"),
)
def ode15s(*args: Any, nargout: int, interp: Interp) -> Any:
    """Solve a stiff differential equation by numerical differentiation formulas of orders 1 to 5.

    [T, Y] = ode15s(ODEFUN, TSPAN, Y0) solves y' = ODEFUN(t, y) from Y0 at TSPAN(1) to TSPAN(end)
    [T, Y] = ode15s(…, OPTIONS, P1, P2, …) with OPTIONS from odeset; P1 … are passed to ODEFUN
    [T, Y, TE, YE, IE] = ode15s(…) with the option Events
    SOL = ode15s(…) gives a structure for deval

    Each row of Y is the solution at the time in T. Two times in TSPAN ask for output after each
    step, more for output at those times.

    The first choice for stiff problems. A constant Mass matrix may be singular, if Y0 is consistent
    with the equations; Jacobian is a matrix or a function (t, y); MaxOrder is at most 5.

    Examples:
        >> [t, y] = ode15s(@(t, y) -1000 * (y - cos(t)), [0 1], 0);
        >> abs(y(end) - cos(1)) < 1e-2
        ans =
          logical
           1

    See also: ode23s, ode45, odeset, deval.
    """
    return solve("ode15s", args, nargout, interp)


@builtin(
    "ode23s",
    family="ode",
    nargin=(3, None),
    nargout=5,
    needs=("nargout", "interp"),
)
def ode23s(*args: Any, nargout: int, interp: Interp) -> Any:
    """Solve a stiff differential equation by a Rosenbrock formula of order 2.

    [T, Y] = ode23s(ODEFUN, TSPAN, Y0) solves y' = ODEFUN(t, y) from Y0 at TSPAN(1) to TSPAN(end)
    [T, Y] = ode23s(…, OPTIONS, P1, P2, …) with OPTIONS from odeset; P1 … are passed to ODEFUN
    [T, Y, TE, YE, IE] = ode23s(…) with the option Events
    SOL = ode23s(…) gives a structure for deval

    Each row of Y is the solution at the time in T. Two times in TSPAN ask for output after each
    step, more for output at those times.

    For stiff problems at crude tolerances.

    Examples:
        >> [t, y] = ode23s(@(t, y) -1000 * (y - cos(t)), [0 1], 0);
        >> abs(y(end) - cos(1)) < 1e-2
        ans =
          logical
           1

    See also: ode15s, ode45, odeset, deval.
    """
    return solve("ode23s", args, nargout, interp)


@builtin(
    "ode78",
    family="ode",
    nargin=(3, None),
    nargout=5,
    needs=("nargout", "interp"),
)
def ode78(*args: Any, nargout: int, interp: Interp) -> Any:
    """Solve a differential equation by the pair of orders 8 and 7 by Verner.

    [T, Y] = ode78(ODEFUN, TSPAN, Y0) solves y' = ODEFUN(t, y) from Y0 at TSPAN(1) to TSPAN(end)
    [T, Y] = ode78(…, OPTIONS, P1, P2, …) with OPTIONS from odeset; P1 … are passed to ODEFUN
    [T, Y, TE, YE, IE] = ode78(…) with the option Events
    SOL = ode78(…) gives a structure for deval

    Each row of Y is the solution at the time in T. Two times in TSPAN ask for output after each
    step, more for output at those times.

    For smooth problems and strict tolerances. Each step gives eight points of output unless
    Refine says otherwise; four more evaluations of ODEFUN make the polynomial between its ends.

    Examples:
        >> o = odeset('RelTol', 1e-10, 'AbsTol', 1e-12);
        >> [t, y] = ode78(@(t, y) [y(2); -y(1)], [0 pi], [0; 1], o);
        >> abs(y(end, 2) + 1) < 1e-9
        ans =
          logical
           1

    See also: ode45, ode89, ode113, odeset, deval.
    """
    return solve("ode78", args, nargout, interp)


@builtin(
    "ode89",
    family="ode",
    nargin=(3, None),
    nargout=5,
    needs=("nargout", "interp"),
)
def ode89(*args: Any, nargout: int, interp: Interp) -> Any:
    """Solve a differential equation by the pair of orders 9 and 8 by Verner.

    [T, Y] = ode89(ODEFUN, TSPAN, Y0) solves y' = ODEFUN(t, y) from Y0 at TSPAN(1) to TSPAN(end)
    [T, Y] = ode89(…, OPTIONS, P1, P2, …) with OPTIONS from odeset; P1 … are passed to ODEFUN
    [T, Y, TE, YE, IE] = ode89(…) with the option Events
    SOL = ode89(…) gives a structure for deval

    Each row of Y is the solution at the time in T. Two times in TSPAN ask for output after each
    step, more for output at those times.

    For smooth problems over long times, and very strict tolerances. Each step gives eight points
    of output unless Refine says otherwise; five more evaluations of ODEFUN make the polynomial
    between its ends.

    Examples:
        >> o = odeset('RelTol', 1e-10, 'AbsTol', 1e-12);
        >> [t, y] = ode89(@(t, y) [y(2); -y(1)], [0 pi], [0; 1], o);
        >> abs(y(end, 2) + 1) < 1e-9
        ans =
          logical
           1

    See also: ode45, ode78, ode113, odeset, deval.
    """
    return solve("ode89", args, nargout, interp)


@builtin(
    "ode23t",
    family="ode",
    nargin=(3, None),
    nargout=5,
    needs=("nargout", "interp"),
)
def ode23t(*args: Any, nargout: int, interp: Interp) -> Any:
    """Solve a moderately stiff differential equation by the trapezoidal rule.

    [T, Y] = ode23t(ODEFUN, TSPAN, Y0) solves y' = ODEFUN(t, y) from Y0 at TSPAN(1) to TSPAN(end)
    [T, Y] = ode23t(…, OPTIONS, P1, P2, …) with OPTIONS from odeset; P1 … are passed to ODEFUN
    [T, Y, TE, YE, IE] = ode23t(…) with the option Events
    SOL = ode23t(…) gives a structure for deval

    Each row of Y is the solution at the time in T. Two times in TSPAN ask for output after each
    step, more for output at those times.

    Adds no numerical damping. A constant Mass matrix may be singular, if Y0 is consistent with the
    equations; Jacobian is a matrix or a function (t, y).

    Examples:
        >> [t, y] = ode23t(@(t, y) -1000 * (y - cos(t)), [0 1], 0);
        >> abs(y(end) - cos(1)) < 1e-2
        ans =
          logical
           1

    See also: ode15s, ode23tb, ode23s, odeset, deval.
    """
    return solve("ode23t", args, nargout, interp)


@builtin(
    "ode23tb",
    family="ode",
    nargin=(3, None),
    nargout=5,
    needs=("nargout", "interp"),
)
def ode23tb(*args: Any, nargout: int, interp: Interp) -> Any:
    """Solve a stiff differential equation by TR-BDF2, at crude tolerances.

    [T, Y] = ode23tb(ODEFUN, TSPAN, Y0) solves y' = ODEFUN(t, y) from Y0 at TSPAN(1) to TSPAN(end)
    [T, Y] = ode23tb(…, OPTIONS, P1, P2, …) with OPTIONS from odeset; P1 … are passed to ODEFUN
    [T, Y, TE, YE, IE] = ode23tb(…) with the option Events
    SOL = ode23tb(…) gives a structure for deval

    Each row of Y is the solution at the time in T. Two times in TSPAN ask for output after each
    step, more for output at those times.

    Each step is one of the trapezoidal rule and one by backward differences of order 2. A Mass
    matrix must not be singular; Jacobian is a matrix or a function (t, y).

    Examples:
        >> [t, y] = ode23tb(@(t, y) -1000 * (y - cos(t)), [0 1], 0);
        >> abs(y(end) - cos(1)) < 1e-2
        ans =
          logical
           1

    See also: ode15s, ode23t, ode23s, odeset, deval.
    """
    return solve("ode23tb", args, nargout, interp)
