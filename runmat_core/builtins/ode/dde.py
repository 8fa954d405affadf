"""dde23: differential equations with constant delays, and their options."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import attrs
import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import as_float, real
from runmat_core.builtins.ode.delays import LEVELS, Delayed, Past, kinks
from runmat_core.builtins.ode.driver import Observer, Path, caster, follow, times_of, unreached
from runmat_core.builtins.ode.events import Events
from runmat_core.builtins.ode.options import option_of, options_of, settings
from runmat_core.builtins.ode.running import event_arrays, stacked, statistics
from runmat_core.builtins.ode.stepping import Panel, Problem, Vector, Work, least_step
from runmat_core.values import (
    FunctionHandle,
    StructArray,
    char,
    field,
    from_numpy,
    is_text,
    numel_of,
    share,
    struct,
    to_numpy,
)
from runmat_core.values.cell import empty_double

_NAMES = (
    "AbsTol Events InitialStep InitialY Jumps MaxStep NormControl OutputFcn OutputSel Refine "
    "RelTol Stats"
).split()


@builtin("ddeset", family="ode")
def ddeset(*args: Any) -> Any:
    """Options of the solvers of delay differential equations, as a structure.

    OPTIONS = ddeset(NAME, VALUE, …); names may be abbreviated, in any case
    OPTIONS = ddeset(OLD, NAME, VALUE, …) changes some, OPTIONS = ddeset(OLD, NEW) takes over what
    NEW sets

    Accuracy: RelTol (1e-3), AbsTol (1e-6), NormControl. Steps: InitialStep, MaxStep.
    Output: OutputFcn, OutputSel, Stats, Refine. Problem: Events, InitialY (a solution that does
    not begin with what the history ends with), Jumps (times at which history, equation or solution
    are not smooth).

    Examples:
        >> o = ddeset('RelTol', 1e-6, 'jumps', [1 2]);
        >> o.Jumps
        ans =
             1     2

    See also: ddeget, dde23, odeset.
    """
    return options_of(args, _NAMES, "ddeset")


@builtin("ddeget", family="ode")
def ddeget(options: Any, name: Any, default: Any = None) -> Any:
    """Value of an option of the solvers of delay differential equations.

    VALUE = ddeget(OPTIONS, NAME), [] where it is not set
    VALUE = ddeget(OPTIONS, NAME, DEFAULT)

    Examples:
        >> ddeget(ddeset('MaxStep', 2), 'maxs')
        ans =
             2

    See also: ddeset, dde23.
    """
    return option_of(options, name, default, _NAMES, "ddeget", "ddeset")


def _error(name: str, message: str) -> MatlabError:
    return MatlabError(f"MATLAB:dde23:{name}", message)


@attrs.frozen
class _Start:
    """Where a solution begins, and what was before.

    Attributes:
        history: as given first, kept in the solution.
        value: the same as a function of time.
        begin: where it ends.
        panels, x, y, yp: of the solution that is gone on with, if any.
        kinks: where it is not smooth.
    """

    history: Any
    value: Callable[[float], Vector]
    begin: float
    y0: Vector
    panels: list[Panel]
    x: Vector
    y: Vector
    kinks: list[float]

    @classmethod
    def of(cls, history: Any, t0: float, call: Callable[[Any, list[Any]], Any]) -> _Start:
        if isinstance(history, StructArray):
            return cls._after(history, t0, call)
        if isinstance(history, FunctionHandle) or is_text(history):

            def value(t: float) -> Vector:
                return np.asarray(to_numpy(call(history, [float(t)]))).ravel(order="F")
        else:
            constant = as_float(to_numpy(history)).ravel(order="F")

            def value(t: float) -> Vector:
                return constant

        y0 = value(t0)
        none = np.zeros(0)
        return cls(history, value, t0, y0, [], none, np.zeros((y0.size, 0)), [t0])

    @classmethod
    def _after(cls, sol: StructArray, t0: float, call: Callable[[Any, list[Any]], Any]) -> _Start:
        """From the end of a solution of dde23."""
        names = set(sol.field_names())
        if not {"solver", "history", "discont", "x", "y", "idata"} <= names:
            raise _error("HistoryNotSolution", "The history must be a solution of dde23.")
        x = to_numpy(field(sol, "x")).ravel()
        y = np.atleast_2d(to_numpy(field(sol, "y")))
        if t0 != x[-1]:
            raise _error(
                "NotContinued", "The integration must go on from the end of the solution: "
                f"tspan(1) must be {x[-1]:g}.",
            )  # fmt: skip
        coefficients = to_numpy(field(field(sol, "idata"), "coefficients"))
        coefficients = coefficients.reshape((*coefficients.shape[:2], -1), order="F")
        nothing = np.zeros(0, np.intp)
        panels = [
            Panel(float(x[k]), float(x[k + 1]), coefficients[:, :, k], y[:, k + 1], nothing)
            for k in range(x.size - 1)
        ]
        earlier = cls.of(field(sol, "history"), float(x[0]), call)
        points = to_numpy(field(sol, "discont")).ravel().tolist()
        return cls(
            earlier.history, earlier.value, float(x[0]), y[:, -1], panels, x, y, [*points, t0]
        )


def _checked(function: Any, lags: Any) -> list[float]:
    if not isinstance(function, FunctionHandle) and not is_text(function):
        raise _error("FcnNotFcnHandle", "The equation must be a function or its name.")
    delays = as_float(real(lags, "dde23")).ravel(order="F").tolist()
    if not all(0 < lag < np.inf for lag in delays):
        raise _error("NotPosLags", "The lags must be positive.")
    return [float(lag) for lag in delays]


class _Call:
    """The function of a call, which is handed the solution at the delays."""

    def __init__(self, function: Any, extra: Sequence[Any], interp: Interp) -> None:
        self.function, self.extra, self.interp = function, list(extra), interp
        self.work, self.cast = Work(), caster(np.float64)

    def call(self, function: Any, given: list[Any], nargout: int = 1) -> Any:
        return self.interp.call(function, [*given, *self.extra], nargout)

    def of(self, function: Any, t: float, y: Vector, delayed: Vector, nargout: int = 1) -> Any:
        given = [float(t), self.cast(y.reshape(-1, 1)), self.cast(delayed)]
        return self.call(function, given, nargout)

    def rate(self, t: float, y: Vector, delayed: Vector) -> Vector:
        self.work.rates += 1
        found = to_numpy(self.of(self.function, t, y, delayed))
        if found.size != y.size:
            raise _error(
                "DDELengthMismatchHistory",
                f"The equation gives a vector of length {found.size}, but the history has "
                f"{y.size} elements.",
            )
        return np.asarray(found.ravel(order="F"), complex if found.dtype.kind == "c" else float)


@builtin("dde23", family="ode", nargin=(4, None), needs=("interp",))
def dde23(*args: Any, interp: Interp) -> Any:
    """Solve a differential equation with constant delays by the pair of orders 2 and 3.

    SOL = dde23(DDEFUN, LAGS, HISTORY, TSPAN) solves y' = DDEFUN(t, y, Z) from TSPAN(1) to
    TSPAN(end), where Z(:, j) is y(t - LAGS(j)); HISTORY is a function of time, a constant column,
    or a solution of dde23 to go on from
    SOL = dde23(…, OPTIONS, P1, P2, …) with OPTIONS from ddeset; P1 … are passed to the functions

    SOL has the fields x, y and yp; deval(SOL, X) is the solution between, SOL.discont tells where
    it is not smooth. With the option Events, a function of (t, y, Z), SOL has xe, ye and ie.

    Examples:
        >> sol = dde23(@(t, y, Z) -Z, 1, 1, [0 2]);
        >> round(deval(sol, [1 2]), 4)
        ans =
                 0   -0.5000

    See also: ddeset, ddeget, deval, ode23.
    """
    function, lag_values, history, span_value, *rest = args
    options, extra = (rest[0], rest[1:]) if rest else (empty_double(), [])
    lags, span = _checked(function, lag_values), times_of(to_numpy(span_value))[[0, -1]]
    if span[1] < span[0]:
        raise _error("TspanNotIncreasing", "The end of tspan must be after its start.")
    call = _Call(function, extra, interp)
    begin = _Start.of(history, float(span[0]), call.call)
    y0 = begin.y0
    jumped = option_of(options, char("InitialY"), None, _NAMES, "dde23", "ddeset")
    if numel_of(jumped):
        y0 = as_float(to_numpy(jumped)).ravel(order="F")
        if y0.size != begin.y0.size:
            raise _error("InitialYLength", "InitialY must have as many elements as the history.")
    stepper, past, points = _method(call, begin, y0, lags, span, options, numel_of(jumped) > 0)
    chosen = stepper.problem.settings
    events = None
    if chosen.events is not None:
        events = Events(lambda t, y: call.of(chosen.events, t, y, past.delayed(t, lags), 3))
    observer = Observer.of(chosen.output, chosen.selected, call.cast, extra, interp)
    path = follow(stepper, span, chosen.refine or 1, events, observer, True)
    if not path.reached:
        interp.warn(*unreached("dde23", stepper.t, least_step(stepper.t)))
    if chosen.stats:
        interp.write(statistics(call.work, False))
    return _solution(begin, path, points, call, chosen.events is not None)


def _method(
    call: _Call,
    begin: _Start,
    y0: Vector,
    lags: list[float],
    span: Vector,
    options: Any,
    jumped: bool,
) -> tuple[Delayed, Past, list[float]]:
    """Return the method at its start, with all that it knows of the past, and where kinks are."""
    t0, end = float(span[0]), float(span[1])
    start = begin.y[:, 0] if begin.panels else y0
    past = Past(begin.value, begin.begin, start, list(begin.panels))
    sources = list(begin.kinks)
    jumps = option_of(options, char("Jumps"), None, _NAMES, "dde23", "ddeset")
    sources += as_float(real(jumps, "dde23")).ravel().tolist()
    points = kinks(sources, lags, end, LEVELS + jumped)
    chosen = settings(options, y0.size, call.interp, float(np.finfo(float).eps))
    if chosen.max_step is None:
        chosen = attrs.evolve(chosen, max_step=0.1 * (end - t0))

    def rate(t: float, y: Vector) -> Vector:
        return call.rate(t, y, past.delayed(t, lags))

    ahead = [t for t in points if t0 < t < end]
    past.middle = t0 + 1e-3 * ((ahead[0] if ahead else end) - t0)
    slope = rate(t0, y0)
    kind = np.result_type(y0, slope, float)
    problem = Problem(
        rate=rate,
        start=t0,
        end=end,
        y0=y0.astype(kind),
        slope=slope,
        span=end - t0,
        settings=chosen,
        work=call.work,
    )
    return Delayed(problem, past, lags, [*ahead, end]), past, points


def _slopes(panels: Sequence[Panel]) -> Vector:
    """Return derivatives at the starts of steps, and at the end of the last one."""
    found = [p.coefficients[:, 1] / (p.end - p.start) for p in panels]
    last = panels[-1]
    powers = np.arange(last.coefficients.shape[1])
    found.append(last.coefficients @ powers / (last.end - last.start))
    return np.stack(found, axis=1)


def _solution(
    begin: _Start, path: Path, points: Sequence[float], call: _Call, with_events: bool
) -> StructArray:
    panels = [*begin.panels, *path.panels]
    times = np.concatenate([begin.x[:1], [p.end for p in panels]]) if begin.panels else (
        np.concatenate([path.times[0], [p.end for p in panels]])
    )  # fmt: skip
    first = begin.y[:, :1] if begin.panels else path.states[0]
    states = np.column_stack([first, *(p.last for p in panels)])
    whole = attrs.evolve(path, panels=panels)
    fields: dict[str, Any] = {
        "solver": char("dde23"),
        "history": share(begin.history),
        "discont": from_numpy(np.array([[t for t in points if t <= times[-1]]])),
        "x": from_numpy(times.reshape(1, -1)),
        "y": call.cast(states),
    }
    if with_events:
        parts = event_arrays(path, states.shape[0])
        fields |= dict(zip(("xe", "ye", "ie"), map(call.cast, parts), strict=True))
    work = call.work
    counts = {"nsteps": work.steps, "nfailed": work.failed, "nfevals": work.rates}
    fields["stats"] = struct({key: float(count) for key, count in counts.items()})
    slopes = _slopes(panels) if panels else np.zeros(states.shape)
    fields["yp"] = call.cast(slopes)
    fields["idata"] = struct(
        {
            "coefficients": call.cast(stacked(whole, states.shape[0])),
            "idxNonNegative": empty_double(),
        }
    )
    return struct(fields)
