"""Boundary value problems: bvp4c and bvp5c, their guesses and options.

The method is SciPy's: collocation with cubic polynomials of J. Kierzenka and L. F. Shampine, ACM
Transactions on Mathematical Software 27 (2001).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.api.libraries import package
from runmat_core.builtins.arguments import as_float, nearest, option, real
from runmat_core.values import (
    StructArray,
    char,
    class_of,
    field,
    from_numpy,
    is_text,
    struct,
    text,
    to_numpy,
)
from runmat_core.values.cell import empty_double
from runmat_core.values.notices import warn

Numbers = NDArray[Any]

_NAMES = "AbsTol RelTol SingularTerm FJacobian BCJacobian Stats Vectorized NMax".split()


# -- options -------------------------------------------------------------------------------------


def _name_of(value: Any, function: str) -> str:
    word = option(value)
    found = [n for n in _NAMES if word and n.lower().startswith(word)]
    if len(found) != 1:
        shown = text(value) if is_text(value) else ""
        raise MatlabError(
            f"MATLAB:{function}:InvalidPropName",
            f"Unrecognized property name '{shown}'.{nearest(shown, _NAMES)}",
        )
    return found[0]


@builtin("bvpset", family="ode")
def bvpset(*args: Any) -> Any:
    """Options of bvp4c and bvp5c, as a structure.

    OPTIONS = bvpset(NAME, VALUE, …), OPTIONS = bvpset(OLD, NAME, VALUE, …),
    OPTIONS = bvpset(OLD, NEW)

    RelTol (1e-3) bounds the residual relative to the derivatives, NMax the points of the mesh,
    SingularTerm is S of y' = S*y/(x-a) + f(x, y); Stats is "on" or "off". Derivatives are found by
    differences, so FJacobian, BCJacobian and Vectorized change nothing.

    Examples:
        >> o = bvpset('RelTol', 1e-6);
        >> bvpget(o, 'RelTol')
        ans =
           1.0000e-06

    See also: bvpget, bvp4c, bvpinit.
    """
    fields: dict[str, Any] = {name: empty_double() for name in _NAMES}
    rest = list(args)
    while rest and isinstance(rest[0], StructArray):
        given = rest.pop(0)
        for name in given.field_names():
            value = field(given, name)
            if name in fields and 0 not in getattr(value, "shape", (1,)):
                fields[name] = value
    if len(rest) % 2:
        raise MatlabError("MATLAB:bvpset:ArgNameValueMismatch", "Arguments must occur in pairs.")
    for name, value in zip(rest[::2], rest[1::2], strict=True):
        fields[_name_of(name, "bvpset")] = value
    return struct(fields)


@builtin("bvpget", family="ode")
def bvpget(options: Any, name: Any, default: Any = None) -> Any:
    """Value of an option of bvp4c.

    V = bvpget(OPTIONS, NAME), V = bvpget(OPTIONS, NAME, DEFAULT) where it is not set

    Examples:
        >> bvpget(bvpset('NMax', 50), 'NMax')
        ans =
            50

    See also: bvpset.
    """
    key = _name_of(name, "bvpget")
    value = empty_double()
    if isinstance(options, StructArray) and key in options.field_names():
        value = field(options, key)
    is_empty = 0 in getattr(value, "shape", (1, 1))
    return default if is_empty and default is not None else value


def _setting(options: Any, name: str, default: float) -> float:
    value = bvpget(options, char(name), default)
    return float(to_numpy(value).ravel().min())


# -- guesses -------------------------------------------------------------------------------------


@builtin("bvpinit", family="ode", nargin=(2, None), needs=("interp",))
def bvpinit(x: Any, guess: Any, parameters: Any = None, *extra: Any, interp: Interp) -> Any:
    """Guess of the solution of a boundary value problem, as a structure.

    SOLINIT = bvpinit(X, V) has the vector V at each point of the mesh X
    SOLINIT = bvpinit(X, FUN) has FUN(x)
    SOLINIT = bvpinit(…, PARAMETERS) with a guess of unknown parameters

    Examples:
        >> s = bvpinit(linspace(0, 1, 3), [1 0]);
        >> s.y
        ans =
             1     1     1
             0     0     0

    See also: bvp4c, bvpset, deval.
    """
    points = as_float(real(x, "bvpinit")).ravel(order="F")
    steps = np.diff(points)
    if points.size < 2 or not ((steps > 0).all() or (steps < 0).all()):
        raise MatlabError(
            "MATLAB:bvpinit:InvalidX", "The mesh must have two or more increasing points."
        )
    if class_of(guess) == "function_handle" or is_text(guess):
        columns = [
            to_numpy(interp.call(guess, [float(p), *extra], 1)).ravel(order="F") for p in points
        ]
        if len({column.size for column in columns}) != 1:
            raise MatlabError("MATLAB:bvpinit:SolYDimMismatch", "Guesses must be of one length.")
        y = np.stack(columns, axis=1)
    else:
        y = np.repeat(as_float(real(guess, "bvpinit")).reshape(-1, 1, order="F"), points.size, 1)
    fields = {
        "solver": char("bvpinit"),
        "x": from_numpy(points.reshape(1, -1)),
        "y": from_numpy(y.astype(float)),
    }
    if parameters is not None and 0 not in getattr(parameters, "shape", (1,)):
        fields["parameters"] = parameters
    fields["yinit"] = guess
    return struct(fields)


# -- solvers -------------------------------------------------------------------------------------


class _Problem:
    """The functions of a problem as SciPy calls them, with counts of the calls."""

    def __init__(
        self, rate: Any, ends: Any, size: int, extra: Sequence[Any], interp: Interp
    ) -> None:
        self.rate, self.ends, self.size, self.extra = rate, ends, size, extra
        self.interp = interp
        self.rates = self.conditions = 0

    def rates_at(self, x: Numbers, y: Numbers, p: Numbers | None = None) -> Numbers:
        more = [] if p is None else [from_numpy(p.reshape(-1, 1))]
        result = np.empty_like(y)
        for k in range(x.size):
            state = from_numpy(y[:, k].reshape(-1, 1))
            found = to_numpy(
                self.interp.call(self.rate, [float(x[k]), state, *more, *self.extra], 1)
            )
            result[:, k] = self._of_size(found, y.shape[0], "ODE function", "ODEfunOutputSize")
        self.rates += x.size
        return result

    def conditions_of(self, a: Numbers, b: Numbers, p: Numbers | None = None) -> Numbers:
        more = [] if p is None else [from_numpy(p.reshape(-1, 1))]
        given = [from_numpy(end.reshape(-1, 1)) for end in (a, b)]
        found = to_numpy(self.interp.call(self.ends, [*given, *more, *self.extra], 1))
        self.conditions += 1
        return self._of_size(found, self.size, "boundary condition function", "BCfunOutputSize")

    def _of_size(self, found: Numbers, wanted: int, what: str, identifier: str) -> Numbers:
        if found.size != wanted:
            raise MatlabError(
                f"MATLAB:bvparguments:{identifier}",
                f"The {what} should return a column vector of length {wanted}.",
            )
        return as_float(found).real.ravel(order="F")


def _solve(name: str, args: tuple[Any, ...], interp: Interp) -> Any:
    solve_bvp = package("scipy.integrate").solve_bvp

    rate, ends, guess, *more = args
    options = more[0] if more and isinstance(more[0], StructArray) else struct({})
    if not isinstance(guess, StructArray) or not {"x", "y"} <= set(guess.field_names()):
        raise MatlabError(
            f"MATLAB:{name}:SolinitNotStruct", "The guess must be a structure with fields x and y."
        )
    x = as_float(to_numpy(field(guess, "x"))).ravel()
    y = np.atleast_2d(as_float(to_numpy(field(guess, "y"))))
    if y.shape[1] != x.size or x.size < 2 or not (np.diff(x) > 0).all():
        raise MatlabError(
            f"MATLAB:{name}:SolXSolYSizeMismatch",
            "The mesh of the guess must increase and have a column of y for each point.",
        )
    unknown = None
    if "parameters" in guess.field_names():
        unknown = as_float(to_numpy(field(guess, "parameters"))).ravel(order="F")
    count = y.shape[0] + (0 if unknown is None else unknown.size)
    problem = _Problem(rate, ends, count, more[1:], interp)
    term = bvpget(options, char("SingularTerm"))
    singular = None if to_numpy(term).size == 0 else as_float(to_numpy(term))
    found = solve_bvp(
        problem.rates_at,
        problem.conditions_of,
        x,
        y.astype(float),
        p=unknown,
        S=singular,
        tol=max(_setting(options, "RelTol", 1e-3), 100 * np.finfo(float).eps),
        max_nodes=max(int(_setting(options, "NMax", float(1000 // y.shape[0]))), x.size),
    )
    _judge(name, found)
    stats = option(bvpget(options, char("Stats"), char("off")))
    if stats == "on":
        interp.write(
            f"The solution was obtained on a mesh of {found.x.size} points.\n"
            f"The maximum residual is  {found.rms_residuals.max():.3e}. \n"
            f"There were {problem.rates} calls to the ODE function. \n"
            f"There were {problem.conditions} calls to the BC function. \n"
        )
    return _solution(name, found, problem, unknown is not None)


def _judge(name: str, found: Any) -> None:
    """Warn or raise an error where the solver did not come to an end."""
    if found.status == 1:
        warn(
            f"MATLAB:{name}:RelTolNotMet",
            "Unable to meet the tolerance without using more than the allowed mesh points. The "
            f"last mesh of {found.x.size} points and the solution are available in the output "
            f"argument. The maximum residual is {found.rms_residuals.max():g}.",
        )
    elif found.status == 2:
        raise MatlabError(
            f"MATLAB:{name}:SingJac",
            "Unable to solve the collocation equations -- a singular Jacobian encountered.",
        )
    elif found.status == 3:
        warn(
            f"MATLAB:{name}:RelTolNotMet",
            "Unable to satisfy the boundary conditions to the tolerance.",
        )


def _solution(name: str, found: Any, problem: _Problem, has_parameters: bool) -> Any:
    x, y, slopes = found.x, found.y, found.yp
    length = np.diff(x)
    rise = np.diff(y, axis=1)
    first, last = slopes[:, :-1] * length, slopes[:, 1:] * length
    # the cubics that have these values and slopes, in powers of the share of a step
    powers = (y[:, :-1], first, 3 * rise - 2 * first - last, first + last - 2 * rise)
    fields: dict[str, Any] = {
        "solver": char(name),
        "x": from_numpy(x.reshape(1, -1)),
        "y": from_numpy(y),
        "yp": from_numpy(slopes),
    }
    if has_parameters:
        fields["parameters"] = from_numpy(found.p.reshape(-1, 1))
    fields["stats"] = struct(
        {
            "nmeshpoints": float(x.size),
            "maxres": float(found.rms_residuals.max()),
            "nODEevals": float(problem.rates),
            "nBCevals": float(problem.conditions),
        }
    )
    fields["idata"] = struct(
        {
            "coefficients": from_numpy(np.stack(powers, axis=1)),
            "idxNonNegative": empty_double(),
        }
    )
    return struct(fields)


@builtin("bvp4c", family="ode", nargin=(3, None), needs=("interp",))
def bvp4c(*args: Any, interp: Interp) -> Any:
    """Solution of a boundary value problem for ordinary differential equations.

    SOL = bvp4c(ODEFUN, BCFUN, SOLINIT) solves y' = ODEFUN(x, y) with BCFUN(ya, yb) = 0 from the
    guess that bvpinit makes; both functions get unknown parameters after that, if there are any
    SOL = bvp4c(…, OPTIONS) with OPTIONS from bvpset
    SOL = bvp4c(…, OPTIONS, P1, …) passes P1 … to both functions

    SOL has the fields x, y, yp and parameters; deval(SOL, X) is the solution between.

    Examples:
        >> guess = bvpinit(linspace(0, pi/2, 5), [1 0]);
        >> sol = bvp4c(@(x, y) [y(2); -y(1)], @(a, b) [a(1); b(1) - 1], guess);
        >> round(deval(sol, pi/6, 1), 3)
        ans =
            0.5000

    See also: bvp5c, bvpinit, bvpset, deval, ode45.
    """
    return _solve("bvp4c", args, interp)


@builtin("bvp5c", family="ode", nargin=(3, None), needs=("interp",))
def bvp5c(*args: Any, interp: Interp) -> Any:
    """Solution of a boundary value problem for ordinary differential equations, as by bvp4c.

    SOL = bvp5c(ODEFUN, BCFUN, SOLINIT), SOL = bvp5c(ODEFUN, BCFUN, SOLINIT, OPTIONS)

    Examples:
        >> guess = bvpinit(linspace(0, 1, 5), [0 0]);
        >> sol = bvp5c(@(x, y) [y(2); 2], @(a, b) [a(1); b(1) - 1], guess);
        >> round(deval(sol, 0.5, 1), 4)
        ans =
            0.2500

    See also: bvp4c, bvpinit, bvpset, deval.
    """
    return _solve("bvp5c", args, interp)
