"""pdepe and pdeval: parabolic and elliptic equations in one space variable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import as_float, integer, real
from runmat_core.builtins.lift import value_of
from runmat_core.builtins.ode.driver import Path, caster, follow
from runmat_core.builtins.ode.events import Events
from runmat_core.builtins.ode.options import Settings, settings
from runmat_core.builtins.ode.parabolic import Discretized, interpolated, is_singular
from runmat_core.builtins.ode.stepping import Problem, Vector, Work
from runmat_core.builtins.ode.stiff import Differentiation
from runmat_core.values import FunctionHandle, from_numpy, is_text, to_numpy
from runmat_core.values.cell import empty_double


def _error(name: str, message: str) -> MatlabError:
    return MatlabError(f"MATLAB:pdepe:{name}", message)


class _Functions:
    """The functions of a call, with NumPy's arrays for MATLAB's."""

    def __init__(self, functions: Sequence[Any], extra: Sequence[Any], interp: Interp) -> None:
        for function in functions:
            if not isinstance(function, FunctionHandle) and not is_text(function):
                raise _error("FcnNotFcnHandle", "Equations must be functions or their names.")
        self.equation_of, self.initial_of, self.boundary_of = functions
        self.extra, self.interp, self.count = list(extra), interp, 0
        self.cast = caster(np.float64)

    def _read(self, values: Any, wanted: int, what: str) -> tuple[Vector, ...]:
        found = []
        for value in values if isinstance(values, tuple) else (values,):
            a = to_numpy(value)
            if a.size != self.count:
                raise _error(
                    f"{what}OutputSize",
                    f"Each output of the function {what} must have {self.count} elements, one for "
                    "each equation.",
                )
            found.append(a.ravel(order="F"))
        if len(found) < wanted:
            raise _error(f"{what}OutputSize", f"The function {what} must return {wanted} outputs.")
        return tuple(found)

    def initial(self, x: float) -> Vector:
        found = to_numpy(self.interp.call(self.initial_of, [x, *self.extra], 1))
        self.count = self.count or found.size
        return self._read(from_numpy(found), 1, "icfun")[0]

    def equation(self, x: float, t: float, u: Vector, slope: Vector) -> Any:
        given = [x, t, self.cast(u.reshape(-1, 1)), self.cast(slope.reshape(-1, 1)), *self.extra]
        return self._read(self.interp.call(self.equation_of, given, 3), 3, "pdefun")

    def boundary(self, xl: float, ul: Vector, xr: float, ur: Vector, t: float) -> Any:
        left, right = (self.cast(v.reshape(-1, 1)) for v in (ul, ur))
        given = [xl, left, xr, right, t, *self.extra]
        return self._read(self.interp.call(self.boundary_of, given, 4), 4, "bcfun")


def _mesh(value: Any, what: str) -> Vector:
    points = as_float(real(value, "pdepe")).ravel(order="F").astype(float)
    if points.size < 3 or not (np.diff(points) > 0).all():
        raise _error(
            f"{what}NotIncreasing", f"The entries of {what} must increase, and be three or more."
        )
    return points


@builtin("pdepe", family="ode", nargin=(6, None), nargout=5, needs=("nargout", "interp"))
def pdepe(*args: Any, nargout: int, interp: Interp) -> Any:
    """Solve parabolic and elliptic equations in one space variable and time.

    SOL = pdepe(M, PDEFUN, ICFUN, BCFUN, XMESH, TSPAN) solves
    c*du/dt = x^-M * d/dx(x^M * f) + s with [c, f, s] = PDEFUN(x, t, u, dudx), u = ICFUN(x) at
    TSPAN(1) and p + q*f = 0 at both ends, with [pl, ql, pr, qr] = BCFUN(xl, ul, xr, ur, t); M is 0
    for slabs, 1 for cylinders, 2 for spheres
    SOL = pdepe(…, OPTIONS, P1, P2, …) with RelTol, AbsTol, NormControl, InitialStep, MaxStep and
    Events of odeset; P1 … are passed to the functions
    [SOL, TSOL, SOLE, TE, IE] = pdepe(…) with Events, a function of (m, t, xmesh, umesh): the times
    in TSPAN up to the last event, and what was at events

    SOL(j, k, i) is the component i at TSPAN(j) and XMESH(k); pdeval tells what is between. At least
    one equation must have a c that is not zero.

    Examples:
        >> heat = @(x, t, u, ux) deal(1, ux, 0);
        >> ends = @(xl, ul, xr, ur, t) deal(ul, 0, ur, 0);
        >> x = linspace(0, 1, 21);
        >> u = pdepe(0, heat, @(x) sin(pi*x), ends, x, [0 0.05 0.1]);
        >> abs(u(3, 11) - exp(-pi^2/10)) < 2e-3
        ans =
          logical
           1

    See also: pdeval, ode15s, odeset, bvp4c.
    """
    m_value, *functions, mesh, times = args[:6]
    options, extra = (args[6], args[7:]) if len(args) > 6 else (empty_double(), ())
    m = integer(m_value, "M")
    if m not in (0, 1, 2):
        raise _error("InvalidM", "M must be 0, 1, or 2.")
    x, span = _mesh(mesh, "XMESH"), _mesh(times, "TSPAN")
    if m > 0 and x[0] < 0:
        raise _error("NegXMESHwithPosM", "XMESH must not be negative where M is 1 or 2.")
    call = _Functions(functions, extra, interp)
    start = np.stack([call.initial(float(place)) for place in x], axis=1)
    discretized = Discretized(m, x, call.count, call.equation, call.boundary)
    chosen = settings(options, start.size, interp, float(np.finfo(float).eps))
    path = _followed(discretized, start, span, chosen, call)
    if not path.reached:
        last = path.times[-1][-1]
        interp.warn(
            "MATLAB:pdepe:TimeIntegrationFailed",
            "Time integration has failed. Solution is available at requested time points up to "
            f"t={last:e}.",
        )
    return _outputs(path, span, start.shape, chosen, nargout)


def _followed(
    discretized: Discretized, start: Vector, span: Vector, chosen: Settings, call: _Functions
) -> Path:
    """Return the solution in time."""
    t, y = float(span[0]), start.ravel(order="F")
    discretized.begin(t, y)
    y = y.astype(np.result_type(y, discretized.rate(t, y), float))
    y = discretized.consistent(t, y)
    work = Work()

    def rate(t: float, y: Vector) -> Vector:
        work.rates += 1
        return discretized.rate(t, y)

    slope = rate(t, y)
    parabolic = discretized.parabolic.ravel(order="F")
    problem = Problem(
        rate=rate,
        start=t,
        end=float(span[-1]),
        y0=y,
        slope=slope,
        span=float(span[1] - span[0]),
        settings=chosen,
        work=work,
        jacobian=discretized.jacobian,
    )
    stepper = Differentiation(problem, np.diag(parabolic.astype(float)), slope * parabolic)
    events = None
    if chosen.events is not None:
        grid = from_numpy(discretized.x.reshape(1, -1))

        def happening(t: float, y: Vector) -> Any:
            mesh = call.cast(y.reshape(start.shape, order="F"))
            given = [float(discretized.m), t, grid, mesh, *call.extra]
            return call.interp.call(chosen.events, given, 3)

        events = Events(happening)
    return follow(stepper, span, 1, events, None, False)


def _outputs(
    path: Path, span: Vector, shape: tuple[int, ...], chosen: Settings, nargout: int
) -> Any:
    def solution(states: Vector) -> Any:
        return value_of(states.reshape((*shape, -1), order="F").transpose(2, 1, 0))

    times, states = np.concatenate(path.times), np.concatenate(path.states, axis=1)
    # an event that stops adds its own time, which is told of among the events
    asked = np.isin(times, span)
    found: list[Any] = [solution(states[:, asked]), from_numpy(times[asked].reshape(-1, 1))]
    events = path.events
    if chosen.events is not None and events.times:
        found += [
            solution(np.column_stack(events.states)),
            from_numpy(np.array(events.times).reshape(-1, 1)),
            from_numpy(np.array(events.which, float).reshape(-1, 1)),
        ]
    found += [empty_double() for _ in range(5 - len(found))]
    return tuple(found[:nargout]) if nargout > 1 else found[0]


@builtin("pdeval", family="ode", nargin=(4, 4), nargout=2, needs=("nargout",), effects="pure")
def pdeval(m: Any, mesh: Any, u: Any, points: Any, *, nargout: int) -> Any:
    """Solution of pdepe, and its derivative, between the points of the mesh.

    [UOUT, DUOUTDX] = pdeval(M, XMESH, UI, XOUT), where UI is a component of a solution at the
    points XMESH, as SOL(j, :, i) of SOL = pdepe(M, …)

    Examples:
        >> [u, ux] = pdeval(0, [0 1 3], [5 6 10], [0.5 2])
        u =
            5.5000    8.0000
        ux =
             1     2

    See also: pdepe, interp1.
    """
    kind = integer(m, "M")
    x, values = (as_float(real(v, "pdeval")).ravel(order="F") for v in (mesh, u))
    at = as_float(real(points, "pdeval"))
    if kind not in (0, 1, 2):
        raise MatlabError("MATLAB:pdeval:InvalidM", "M must be 0, 1, or 2.")
    if x.size < 2 or not (np.diff(x) > 0).all() or values.size != x.size:
        raise MatlabError(
            "MATLAB:pdeval:SizeMismatch", "XMESH must increase, and UI have its length."
        )
    flat = at.ravel(order="F")
    if not ((flat >= x[0]) & (flat <= x[-1])).all():
        raise MatlabError("MATLAB:pdeval:XoutOutOfRange", "XOUT must lie within XMESH.")
    step = np.clip(np.searchsorted(x, flat, side="right") - 1, 0, x.size - 2)
    ends, between = (x[step], x[step + 1]), (values[step], values[step + 1])
    found = interpolated(kind, is_singular(kind, x), ends, between, flat)
    exact = np.where(flat == ends[1], between[1], np.where(flat == ends[0], between[0], found[0]))
    shaped = [value_of(part.reshape(at.shape, order="F")) for part in (exact, found[1])]
    return tuple(shaped) if nargout > 1 else shaped[0]
