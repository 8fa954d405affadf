"""One call of a solver: its arguments made a problem, the method run, the outputs put together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.ode.driver import Observer, Path, caster, follow, times_of, unreached
from runmat_core.builtins.ode.events import Events
from runmat_core.builtins.ode.high_order import HighOrder
from runmat_core.builtins.ode.implicit import Trapezoid, TrapezoidBackward
from runmat_core.builtins.ode.options import Settings, settings
from runmat_core.builtins.ode.runge_kutta import BOGACKI_SHAMPINE, DORMAND_PRINCE, RungeKutta
from runmat_core.builtins.ode.stepping import Problem, Stepper, Vector, Work, least_step
from runmat_core.builtins.ode.stiff import Differentiation, Rosenbrock
from runmat_core.builtins.ode.verner import VERNER_87, VERNER_98
from runmat_core.values import (
    FunctionHandle,
    StructArray,
    cell,
    char,
    class_of,
    from_numpy,
    is_text,
    struct,
    text,
    to_numpy,
)
from runmat_core.values.cell import empty_double

#: Methods that solve linear systems, whose cost is told of too.
STIFF = ("ode15s", "ode23s", "ode23t", "ode23tb")

#: Explicit pairs, and points of output in a step of theirs.
PAIRS = {
    "ode23": (BOGACKI_SHAMPINE, 1),
    "ode45": (DORMAND_PRINCE, 4),
    "ode78": (VERNER_87, 8),
    "ode89": (VERNER_98, 8),
}

#: Methods for M*y' = f(t, y) with a constant M.
IMPLICIT: dict[str, Callable[[Problem, Vector, Vector], Stepper]] = {
    "ode15s": Differentiation,
    "ode23t": Trapezoid,
    "ode23tb": TrapezoidBackward,
}


class Call:
    """The function of a solver's call, with what it is called with."""

    def __init__(self, function: Any, extra: Sequence[Any], interp: Interp) -> None:
        self.function, self.extra, self.interp = function, list(extra), interp
        self.work = Work()
        self.cast = caster(np.float64)

    def values(self, function: Any, t: float, y: Vector, nargout: int = 1) -> Any:
        state = self.cast(y.reshape(-1, 1))
        return self.interp.call(function, [self.cast(t), state, *self.extra], nargout)

    def rate(self, t: float, y: Vector) -> Vector:
        self.work.rates += 1
        found = to_numpy(self.values(self.function, t, y))
        if found.size != y.size:
            raise self.wrong_size(found.size, y.size)
        return np.asarray(found.ravel(order="F"), complex if found.dtype.kind == "c" else float)

    def title(self) -> str:
        function = self.function
        if isinstance(function, FunctionHandle):
            return function.source.upper()
        return text(function).upper() if is_text(function) else "ODEFUN"

    def wrong_size(self, found: int, wanted: int) -> MatlabError:
        name = self.title()
        return MatlabError(
            "MATLAB:odearguments:SizeIC",
            f"{name} returns a vector of length {found}, but the length of initial conditions "
            f"vector is {wanted}. The vector returned by {name} and the initial conditions vector "
            "must have the same number of elements.",
        )


def checked(function: Any, y0: Any) -> Vector:
    if not isinstance(function, FunctionHandle) and not is_text(function):
        raise MatlabError(
            "MATLAB:odearguments:FcnNotFcnHandle",
            "When the first argument to an ODE solver is not a function handle, it must be the "
            "name of a function.",
        )
    if class_of(y0) not in ("double", "single"):
        raise MatlabError(
            "MATLAB:odearguments:UnsupportedDataType",
            "Input tspan and y0 must be floating-point arrays.",
        )
    return np.asarray(to_numpy(y0)).ravel(order="F")


def solve(name: str, args: Sequence[Any], nargout: int, interp: Interp) -> Any:
    """Return what ``[…] = name(odefun, tspan, y0, options, extra…)`` gives."""
    function, span_value, y0_value, *rest = args
    options, extra = (rest[0], rest[1:]) if rest else (empty_double(), [])
    y0 = checked(function, y0_value)
    span = times_of(to_numpy(span_value))
    call = Call(function, extra, interp)
    first = to_numpy(call.values(function, float(span[0]), y0))
    call.work.rates += 1
    _check_first(first, y0, call)
    given = (to_numpy(span_value), y0, first)
    single = any(a.dtype in (np.float32, np.complex64) for a in given)
    call.cast = caster(np.float32 if single else np.float64)
    kind = complex if y0.dtype.kind == "c" or first.dtype.kind == "c" else float
    y0 = y0.astype(kind)
    epsilon = float(np.finfo(np.float32 if single else first.dtype).eps)
    options_read = settings(options, y0.size, interp, epsilon)
    slope = first.ravel(order="F").astype(kind)
    stepper = _method(name, call, span, y0, slope, options_read, epsilon)
    whole = nargout == 1
    refine = options_read.refine or (PAIRS[name][1] if name in PAIRS else 1)
    path = follow(
        stepper,
        span[[0, -1]] if whole else span,
        1 if whole else refine,
        _events(options_read, call),
        Observer.of(options_read.output, options_read.selected, call.cast, extra, interp),
        whole,
    )
    if not path.reached:
        interp.warn(*unreached(name, stepper.t, least_step(stepper.t)))
    # first, as polynomials between steps may cost evaluations
    if whole:
        result: Any = structure(name, args, path, call, options_read, name in STIFF)
    else:
        result = outputs(path, call.cast, nargout)
    if options_read.stats:
        interp.write(statistics(call.work, name in STIFF))
    return result


def _check_first(first: NDArray[Any], y0: Vector, call: Call) -> None:
    is_column = first.dtype.kind in "fc" and first.ndim == 2 and first.shape[1] == 1
    if not is_column and (first.size or y0.size):
        raise MatlabError(
            "MATLAB:odearguments:FcnMustReturnCol",
            f"{call.title()} must return a column vector.",
        )
    if first.size != y0.size:
        raise call.wrong_size(first.size, y0.size)


def _events(chosen: Settings, call: Call) -> Events | None:
    if chosen.events is None:
        return None
    return Events(lambda t, y: call.values(chosen.events, t, y, 3))


def _method(
    name: str,
    call: Call,
    span: NDArray[np.float64],
    y0: Vector,
    slope: Vector,
    chosen: Settings,
    epsilon: float,
) -> Stepper:
    """Return the method on the problem, its mass matrix and its bounds taken care of."""
    mass = _mass(chosen, call, y0.size)
    at = chosen.nonnegative
    rate: Callable[[float, Vector], Vector] = call.rate
    if at.size:
        if (y0[at].real < 0).any():
            raise MatlabError(
                "MATLAB:odenonnegative:NonnegativeViolatedAtT0",
                "Nonnegative components must be nonnegative at the start.",
            )
        rate = _not_below(rate, at)
        slope = slope.copy()
        slope[at[y0[at].real <= 0]] = np.maximum(slope[at[y0[at].real <= 0]].real, 0)
    implicit = name in IMPLICIT and chosen.mass_is_constant
    derivative = slope
    if mass is not None:
        derivative = _divided(mass(float(span[0]), y0), slope, implicit and name != "ode23tb")
        if not implicit:
            rate, slope = _without_mass(rate, mass), derivative
    problem = Problem(
        rate=rate,
        start=float(span[0]),
        end=float(span[-1]),
        y0=y0,
        slope=slope,
        span=abs(float(span[1] - span[0])),
        settings=chosen,
        work=call.work,
        jacobian=_jacobian(chosen, call, None if implicit else mass),
        epsilon=epsilon,
    )
    if name in PAIRS:
        return RungeKutta(problem, PAIRS[name][0])
    if name in IMPLICIT:
        matrix = mass(float(span[0]), y0) if implicit and mass else np.eye(y0.size)
        return IMPLICIT[name](problem, matrix, derivative)
    return Rosenbrock(problem) if name == "ode23s" else HighOrder(problem)


def _not_below(rate: Callable[[float, Vector], Vector], at: NDArray[np.intp]) -> Any:
    """`rate`, which never leads components `at` further below zero."""

    def limited(t: float, y: Vector) -> Vector:
        found = rate(t, y)
        low = at[y[at].real <= 0]
        found[low] = np.maximum(found[low].real, 0)
        return found

    return limited


def _mass(chosen: Settings, call: Call, count: int) -> Callable[[float, Vector], Vector] | None:
    if chosen.mass is None:
        return None
    if chosen.mass_is_constant:
        constant = np.asarray(to_numpy(chosen.mass))
        _check_matrix(constant, count, "Mass")
        return lambda t, y: constant

    def mass(t: float, y: Vector) -> Vector:
        args: list[Any] = [call.cast(t)]
        if chosen.mass_of_state:
            args.append(call.cast(y.reshape(-1, 1)))
        found = to_numpy(call.interp.call(chosen.mass, [*args, *call.extra], 1))
        _check_matrix(found, count, "Mass")
        return found

    return mass


def _check_matrix(matrix: NDArray[Any], count: int, name: str) -> None:
    if matrix.shape != (count, count):
        raise MatlabError(
            f"MATLAB:odearguments:{name}Size",
            f"{name} must be a matrix of {count} rows and columns.",
        )


def _divided(matrix: Vector, rate: Vector, singular_too: bool) -> Vector:
    try:
        return np.asarray(np.linalg.solve(matrix, rate))
    except np.linalg.LinAlgError:
        if singular_too:
            return np.asarray(np.linalg.lstsq(matrix, rate, rcond=None)[0])
        raise MatlabError(
            "MATLAB:odearguments:SingularMass",
            "The mass matrix is singular. A constant singular one is solved by ode15s or ode23t.",
        ) from None


def _without_mass(
    rate: Callable[[float, Vector], Vector], mass: Callable[[float, Vector], Vector]
) -> Callable[[float, Vector], Vector]:
    return lambda t, y: _divided(mass(t, y), rate(t, y), False)


def _jacobian(
    chosen: Settings, call: Call, mass: Callable[[float, Vector], Vector] | None
) -> Callable[[float, Vector], Vector] | None:
    if chosen.jacobian is None or (mass is not None and not chosen.mass_is_constant):
        return None
    given = chosen.jacobian

    def jacobian(t: float, y: Vector) -> Vector:
        called = isinstance(given, FunctionHandle) or is_text(given)
        matrix = np.asarray(to_numpy(call.values(given, t, y) if called else given))
        _check_matrix(matrix, y.size, "Jacobian")
        return matrix if mass is None else np.asarray(np.linalg.solve(mass(t, y), matrix))

    return jacobian


# -- outputs ------------------------------------------------------------------------------------


def statistics(work: Work, stiff: bool) -> str:
    lines = [
        f"{work.steps} successful steps",
        f"{work.failed} failed attempts",
        f"{work.rates} function evaluations",
    ]
    if stiff:
        lines += [
            f"{work.jacobians} partial derivatives",
            f"{work.factorizations} LU decompositions",
            f"{work.solutions} solutions of linear systems",
        ]
    return "\n".join(lines) + "\n"


def event_arrays(path: Path, count: int) -> tuple[Vector, Vector, Vector]:
    """Return times (1-by-k), states (n-by-k) and numbers (1-by-k) of the events."""
    events = path.events
    states = np.column_stack(events.states) if events.states else np.zeros((count, 0))
    return np.array([events.times]), states, np.array([events.which], float)


def outputs(path: Path, cast: Any, nargout: int) -> Any:
    if nargout == 0:
        return None
    times = np.concatenate(path.times)
    states = np.concatenate(path.states, axis=1)
    if path.events.times:
        parts = [cast(a.T) for a in event_arrays(path, states.shape[0])]
    else:
        parts = [empty_double() for _ in range(3)]
    return (cast(times.reshape(-1, 1)), cast(states.T), *parts)[:nargout]


def structure(
    name: str, args: Sequence[Any], path: Path, call: Call, chosen: Settings, stiff: bool
) -> StructArray:
    cast, work = call.cast, call.work
    states = np.concatenate(path.states, axis=1)
    coefficients = cast(stacked(path, states.shape[0]))
    options = args[3] if len(args) > 3 else empty_double()
    stats = {"nsteps": work.steps, "nfailed": work.failed, "nfevals": work.rates}
    if stiff:
        stats |= {
            "npds": work.jacobians,
            "ndecomps": work.factorizations,
            "nsolves": work.solutions,
        }
    fields: dict[str, Any] = {
        "solver": char(name),
        "extdata": struct(
            {
                "odefun": args[0],
                "options": options,
                "varargin": cell(list(args[4:]), (1 if args[4:] else 0, len(args[4:]))),
            }
        ),
        "x": cast(np.concatenate(path.times).reshape(1, -1)),
        "y": cast(states),
    }
    if chosen.events is not None:
        parts = event_arrays(path, states.shape[0])
        fields |= dict(zip(("xe", "ye", "ie"), map(cast, parts), strict=True))
    fields["stats"] = struct({key: float(count) for key, count in stats.items()})
    fields["idata"] = struct(
        {
            "coefficients": coefficients,
            "idxNonNegative": from_numpy(chosen.nonnegative.reshape(1, -1) + 1.0),
        }
    )
    return struct(fields)


def stacked(path: Path, count: int) -> Vector:
    """Return the polynomials of all steps, n-by-powers-by-steps."""
    width = max((p.coefficients.shape[1] for p in path.panels), default=1)
    dtype = np.result_type(float, *(p.coefficients.dtype for p in path.panels))
    found: Vector = np.zeros((count, width, len(path.panels)), dtype)
    for k, panel in enumerate(path.panels):
        found[:, : panel.coefficients.shape[1], k] = panel.coefficients
    return found
