"""From the arguments of a solver to the points that it gives: output, events, the structure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.ode.events import EventList, Events
from runmat_core.builtins.ode.stepping import Panel, Stepper, Vector
from runmat_core.values import char, from_numpy
from runmat_core.values.cell import empty_double

Times = NDArray[np.float64]


@attrs.define
class Path:
    """What a solver has found.

    Attributes:
        times, states: the points of output.
        panels: the steps, kept where a structure is wanted.
        events: what happened.
        reached: whether the end, or an event that stops, was reached.
    """

    times: list[Times]
    states: list[Vector]
    panels: list[Panel]
    events: EventList
    reached: bool = True


@attrs.frozen
class Observer:
    """The output function of the options.

    Attributes:
        call: ``(times, states, flag) -> whether to stop``.
    """

    call: Callable[[Any, Any, Any], bool]

    @classmethod
    def of(
        cls,
        function: Any,
        selected: NDArray[np.intp] | None,
        cast: Callable[[Any], Any],
        extra: Sequence[Any],
        interp: Interp,
    ) -> Observer | None:
        if function is None:
            return None

        def call(times: Any, states: Any, flag: Any) -> bool:
            if flag == "done":
                interp.call(function, [empty_double(), empty_double(), char("done"), *extra], 0)
                return False
            rows = states if selected is None else states[selected]
            if flag == "init":
                interp.call(function, [cast(times), cast(rows), char("init"), *extra], 0)
                return False
            given = [cast(times.reshape(1, -1)), cast(rows), char(""), *extra]
            stop = interp.call(function, given, 1)
            from runmat_core.values import truth

            return bool(truth(stop))

        return cls(call)


def follow(
    stepper: Stepper,
    span: Times,
    refine: int,
    events: Events | None,
    observer: Observer | None,
    keep: bool,
) -> Path:
    """Let a method run over `span`.

    Args:
        span: two times, for output after each step, or the times of the output.
        refine: points of output for each step where `span` has two times.
        keep: whether to keep the steps.
    """
    start = np.array([stepper.t])
    path = Path([start], [stepper.y[:, None]], [], EventList())
    if observer is not None:
        observer.call(span.reshape(-1, 1), stepper.y[:, None], "init")
    if events is not None:
        events.begin(stepper.t, stepper.y)
    position, stop = 1, False
    while stepper.t != span[-1] and not stop:
        panel = stepper.step()
        if panel is None:
            path.reached = False
            break
        if events is not None:
            end = events.within(panel, path.events)
            if end is not None:
                panel, stop = panel.cut(end), True
        times, position = _times(panel, span, position, refine, stop)
        if keep:
            path.panels.append(panel)
        if times.size:
            states = panel.at(times)
            path.times.append(times)
            path.states.append(states)
            if observer is not None and observer.call(times, states, None):
                stop = True
    if observer is not None:
        observer.call(None, None, "done")
    return path


def _times(panel: Panel, span: Times, position: int, refine: int, stop: bool) -> tuple[Times, int]:
    """Return the times of output in a step, and where in `span` the next step's begin."""
    if span.size == 2:
        inner = np.arange(1, refine) / refine
        return np.append(panel.start + (panel.end - panel.start) * inner, panel.end), position
    direction = np.sign(span[-1] - span[0])
    after = position
    while after < span.size and direction * (panel.end - span[after]) >= 0:
        after += 1
    times = span[position:after]
    if stop and (not times.size or times[-1] != panel.end):
        times = np.append(times, panel.end)
    return times, after


def unreached(name: str, t: float, least: float) -> tuple[str, str]:
    """Return identifier and text of the warning of a method that cannot go on."""
    return (
        f"MATLAB:{name}:IntegrationTolNotMet",
        f"Failure at t={t:e}.  Unable to meet integration tolerances without reducing the step "
        f"size below the smallest value allowed ({least:e}) at time t.",
    )


def times_of(value: Any) -> Times:
    """Return the times that a solver is asked for.

    Raises:
        MatlabError: fewer than two, or not in order.
    """
    if value.dtype.kind not in "fiub":
        raise MatlabError(
            "MATLAB:odearguments:TspanNotReal", "The entries in tspan must be real numbers."
        )
    span: Times = np.asarray(value, dtype=float).ravel(order="F")
    if span.size < 2:
        raise MatlabError(
            "MATLAB:odearguments:tspanSize", "The time span must have at least two elements."
        )
    if not np.isfinite(span).all():
        raise MatlabError(
            "MATLAB:odearguments:TspanNotFinite", "The entries in tspan must be finite."
        )
    if span[0] == span[-1]:
        raise MatlabError(
            "MATLAB:odearguments:TspanEndpointsNotDistinct",
            "The last entry in tspan must be different from the first entry.",
        )
    if not (np.sign(span[-1] - span[0]) * np.diff(span) > 0).all():
        raise MatlabError(
            "MATLAB:odearguments:TspanNotMonotonic",
            "The entries in tspan must strictly increase or decrease.",
        )
    return span


def caster(dtype: Any) -> Callable[[Any], Any]:
    """Return the MATLAB value of an array in the class that the solution has."""

    def cast(a: Any) -> Any:
        a = np.asarray(a)
        kind = a.dtype.kind
        single = dtype == np.float32
        wanted: Any = np.complex64 if kind == "c" and single else np.float32 if single else None
        if kind == "c" and not a.imag.any():
            a = a.real
            wanted = np.float32 if single else None
        return from_numpy(a if wanted is None else a.astype(wanted))

    return cast
