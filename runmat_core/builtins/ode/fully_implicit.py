"""ode15i and decic: equations F(t, y, y') = 0, and starts that are consistent with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import real
from runmat_core.builtins.ode.differences import (
    BackwardDifferences,
    Implicit,
    Partials,
    differences,
)
from runmat_core.builtins.ode.driver import Observer, caster, follow, times_of, unreached
from runmat_core.builtins.ode.events import Events
from runmat_core.builtins.ode.options import Settings, settings
from runmat_core.builtins.ode.running import Call, checked, outputs, statistics, structure
from runmat_core.builtins.ode.stepping import Vector, least_step
from runmat_core.values import CellArray, FunctionHandle, from_numpy, is_text, numel_of, to_numpy
from runmat_core.values.cell import empty_double
from runmat_core.values.lapack import pivoted_qr, solve_triangle


class ImplicitCall(Call):
    """The function of F(t, y, y') = 0."""

    def of(self, function: Any, t: float, y: Vector, slope: Vector, nargout: int = 1) -> Any:
        given = [self.cast(v.reshape(-1, 1)) for v in (y, slope)]
        return self.interp.call(function, [self.cast(t), *given, *self.extra], nargout)

    def residual(self, t: float, y: Vector, slope: Vector) -> Vector:
        self.work.rates += 1
        found = to_numpy(self.of(self.function, t, y, slope))
        if found.size != y.size:
            raise self.wrong_size(found.size, y.size)
        return np.asarray(found.ravel(order="F"), complex if found.dtype.kind == "c" else float)

    def partials(self, given: Any, count: int, epsilon: float) -> Partials | None:
        """Return what the option Jacobian says of dF/dy and dF/dy'; [] stands for differences."""
        if given is None:
            return None
        called = isinstance(given, FunctionHandle) or is_text(given)
        if not called and not (isinstance(given, CellArray) and given.data.size == 2):
            raise MatlabError(
                "MATLAB:ode15i:JacobianNotCell",
                "Jacobian must be a function or a cell {dFdy, dFdyp}.",
            )
        limits = np.full(count, 1e-3)

        def read(t: float, y: Vector, slope: Vector) -> tuple[Vector, Vector]:
            parts = self.of(given, t, y, slope, 2) if called else given.data.ravel(order="F")
            matrices = [np.asarray(to_numpy(part)) for part in parts]
            if any(not m.size for m in matrices) and count:
                found = differences(self.residual, t, y, slope, limits, epsilon)
                matrices = [m if m.size else f for m, f in zip(matrices, found, strict=True)]
            if any(m.shape != (count, count) for m in matrices):
                raise MatlabError(
                    "MATLAB:odearguments:JacobianSize",
                    f"Jacobian must give two matrices of {count} rows and columns.",
                )
            return matrices[0], matrices[1]

        return read


def _start(call: ImplicitCall, t0: float, y0: Vector, slope: Vector) -> tuple[Vector, Any]:
    """Return the residual at the start, and the class of the solution."""
    if slope.size != y0.size:
        raise MatlabError(
            "MATLAB:ode15i:SizeYpSizeY", "yp0 must have the same number of elements as y0."
        )
    first = to_numpy(call.of(call.function, t0, y0, slope))
    if first.ndim != 2 or first.shape[1] != 1 or first.dtype.kind not in "fc":
        raise MatlabError(
            "MATLAB:odearguments:FcnMustReturnCol",
            f"{call.title()} must return a column vector.",
        )
    if first.size != y0.size:
        raise call.wrong_size(first.size, y0.size)
    single = any(a.dtype in (np.float32, np.complex64) for a in (y0, slope, first))
    return first, np.float32 if single else np.float64


@builtin("ode15i", family="ode", nargin=(4, None), nargout=5, needs=("nargout", "interp"))
def ode15i(*args: Any, nargout: int, interp: Interp) -> Any:
    """Solve a fully implicit differential equation by backward differences of orders 1 to 5.

    [T, Y] = ode15i(ODEFUN, TSPAN, Y0, YP0) solves ODEFUN(t, y, yp) = 0 from Y0 with the derivative
    YP0, which must be consistent with the equation: decic finds such starts
    [T, Y] = ode15i(…, OPTIONS, P1, P2, …) with OPTIONS from odeset; P1 … are passed to ODEFUN
    [T, Y, TE, YE, IE] = ode15i(…) with the option Events, a function of (t, y, yp)
    SOL = ode15i(…) gives a structure for deval

    The option Jacobian is a cell {dFdy, dFdyp} or a function [dFdy, dFdyp] = FUN(t, y, yp). The
    equation may be one of differential and algebraic equations of index 1.

    Examples:
        >> [t, y] = ode15i(@(t, y, yp) yp + y, [0 1], 1, -1, odeset('RelTol', 1e-6));
        >> abs(y(end) - exp(-1)) < 1e-4
        ans =
          logical
           1

    See also: decic, ode15s, odeset, deval.
    """
    function, span_value, y0_value, slope_value, *rest = args
    options, extra = (rest[0], rest[1:]) if rest else (empty_double(), [])
    y0, slope = checked(function, y0_value), checked(function, slope_value)
    span = times_of(to_numpy(span_value))
    call = ImplicitCall(function, extra, interp)
    first, dtype = _start(call, float(span[0]), y0, slope)
    dtype = np.float32 if to_numpy(span_value).dtype == np.float32 else dtype
    call.cast = caster(dtype)
    kind = complex if any(a.dtype.kind == "c" for a in (y0, slope, first)) else float
    epsilon = float(np.finfo(dtype).eps)
    chosen = settings(options, y0.size, interp, epsilon)
    stepper = BackwardDifferences(
        Implicit(
            residual=call.residual,
            start=float(span[0]),
            end=float(span[-1]),
            y0=y0.astype(kind),
            slope=slope.astype(kind),
            span=abs(float(span[1] - span[0])),
            settings=chosen,
            work=call.work,
            partials=call.partials(chosen.jacobian, y0.size, epsilon),
            epsilon=epsilon,
        )
    )
    return _followed(stepper, call, chosen, span, (function, span_value, y0_value, options, *extra),
                     nargout)  # fmt: skip


def _followed(
    stepper: BackwardDifferences,
    call: ImplicitCall,
    chosen: Settings,
    span: NDArray[np.float64],
    args: Sequence[Any],
    nargout: int,
) -> Any:
    """Return the outputs of ode15i, from a method at its start."""
    events = None
    if chosen.events is not None:
        events = Events(lambda t, y: call.of(chosen.events, t, y, stepper.slope_at(t), 3))
    whole = nargout == 1
    path = follow(
        stepper,
        span[[0, -1]] if whole else span,
        1 if whole else chosen.refine or 1,
        events,
        Observer.of(chosen.output, chosen.selected, call.cast, call.extra, call.interp),
        whole,
    )
    if not path.reached:
        call.interp.warn(*unreached("ode15i", stepper.t, least_step(stepper.t)))
    if whole:
        result: Any = structure("ode15i", args, path, call, chosen, True)
    else:
        result = outputs(path, call.cast, nargout)
    if chosen.stats:
        call.interp.write(statistics(call.work, True))
    return result


# -- consistent starts ----------------------------------------------------------------------------


def _basic(a: Vector, b: Vector) -> tuple[Vector, int, Vector]:
    """Return a basic least-squares solution, the rank, and directions out of reach."""
    if not a.shape[1]:
        return np.zeros(0), 0, np.eye(a.shape[0])
    q, r, order = pivoted_qr(a, economic=False)
    diagonal = np.abs(r.diagonal())
    rank = int((diagonal > max(a.shape) * np.finfo(float).eps * diagonal[0]).sum())
    x = np.zeros(a.shape[1], np.result_type(a, b))
    if rank:
        x[order[:rank]] = solve_triangle(r[:rank, :rank], (q.conj().T @ b)[:rank])
    return x, rank, q[:, rank:]


def _moves(
    partials: tuple[Vector, Vector], residual: Vector, free: tuple[Vector, Vector]
) -> tuple[Vector, Vector]:
    """Return changes of y and y' that solve the linear equation: of y only what y' cannot."""
    of_y, of_slope = partials[0][:, free[0]], partials[1][:, free[1]]
    _, _, beyond = _basic(of_slope, residual)
    change = np.zeros(of_y.shape[1])
    if beyond.shape[1] and of_y.shape[1]:
        change = _basic(beyond.conj().T @ of_y, -(beyond.conj().T @ residual))[0]
    return change, _basic(of_slope, -(residual + of_y @ change))[0]


def _free(value: Any, count: int, which: str) -> Vector:
    if value is None or not numel_of(value):
        return np.ones(count, bool)
    fixed = real(value, "decic").ravel(order="F")
    if fixed.size != count:
        raise MatlabError(
            f"MATLAB:decic:SizeFixed{which}",
            f"There must be a flag for each of the {count} components.",
        )
    return np.asarray(fixed == 0)


@builtin("decic", family="ode", nargin=(6, None), nargout=3, needs=("nargout", "interp"))
def decic(*args: Any, nargout: int, interp: Interp) -> Any:
    """A start of ode15i that is consistent with the equation, from a guess.

    [Y0, YP0] = decic(ODEFUN, T0, Y0, FIXED_Y0, YP0, FIXED_YP0) changes the guesses Y0 and YP0 so
    that ODEFUN(T0, Y0, YP0) = 0, and as few components as that needs; components whose flag in
    FIXED_Y0 or FIXED_YP0 is 1 stay as they are, [] fixes none
    [Y0, YP0] = decic(…, OPTIONS, P1, P2, …) with Jacobian, AbsTol and RelTol of odeset
    [Y0, YP0, R] = decic(…) gives the norm of what is left of ODEFUN

    Examples:
        >> [y0, yp0] = decic(@(t, y, yp) yp^2 + y^2 - 25, 0, 3, 1, 5, 0)
        y0 =
             3
        yp0 =
             4

    See also: ode15i, odeset.
    """
    function, t0, y_value, fixed_y, slope_value, fixed_slope, *rest = args
    options, extra = (rest[0], rest[1:]) if rest else (empty_double(), [])
    y, slope = checked(function, y_value), checked(function, slope_value)
    call = ImplicitCall(function, extra, interp)
    t = float(real(t0, "decic").ravel()[0])
    first, dtype = _start(call, t, y, slope)
    call.cast = caster(dtype)
    free = _free(fixed_y, y.size, "Y"), _free(fixed_slope, y.size, "YP")
    if int(free[0].sum() + free[1].sum()) < y.size:
        raise MatlabError(
            "MATLAB:decic:TooManyFixed",
            f"You cannot specify more than {y.size} components of y0 and yp0 as fixed.",
        )
    epsilon = float(np.finfo(dtype).eps)
    chosen = settings(options, y.size, interp, epsilon)
    kind = complex if any(a.dtype.kind == "c" for a in (y, slope, first)) else float
    problem = Implicit(call.residual, t, t, y, slope, 0.0, chosen, call.work,
                       call.partials(chosen.jacobian, y.size, epsilon), epsilon)  # fmt: skip
    y, slope, left = _consistent(problem, y.astype(kind), slope.astype(kind), free)
    found = (
        call.cast(y.reshape(-1, 1)),
        call.cast(slope.reshape(-1, 1)),
        from_numpy(np.asarray(left)),
    )
    return found[: max(nargout, 1)] if nargout > 1 else found[0]


def _consistent(
    problem: Implicit, y: Vector, slope: Vector, free: tuple[Vector, Vector]
) -> tuple[Vector, Vector, float]:
    """Newton's iteration with steps that are halved until the residual falls."""
    t = problem.start
    residual = problem.residual(t, y, slope)
    size = float(np.linalg.norm(residual))
    for _ in range(50):
        if not size:
            break
        changes = _moves(problem.derivatives(t, y, slope), residual, free)
        share = 1.0
        while share > 1e-6:
            ahead, steep = y.copy(), slope.copy()
            ahead[free[0]] += share * changes[0]
            steep[free[1]] += share * changes[1]
            fresh = problem.residual(t, ahead, steep)
            if float(np.linalg.norm(fresh)) < size:
                break
            share /= 2
        else:
            break
        y, slope, residual, size = ahead, steep, fresh, float(np.linalg.norm(fresh))
    scale = max(1.0, float(np.linalg.norm(y)), float(np.linalg.norm(slope)))
    if not size <= 1e-3 * problem.settings.relative * scale:
        raise MatlabError("MATLAB:decic:ConvergenceFailure", "Convergence failure in DECIC.")
    return y, slope, size
