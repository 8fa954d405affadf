"""Events: zeros of functions of the solution, found between the ends of steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.api.errors import MatlabError
from runmat_core.builtins.math import brent
from runmat_core.builtins.ode.stepping import Panel, Vector
from runmat_core.values import to_numpy

Values = NDArray[np.float64]


@attrs.define
class EventList:
    """What happened: times, states and the functions (from one) that were zero."""

    times: list[float] = attrs.field(factory=list)
    states: list[Vector] = attrs.field(factory=list)
    which: list[int] = attrs.field(factory=list)


class Events:
    """The event function of the options.

    Args:
        function: ``(t, y) -> (values, isterminal, direction)`` of MATLAB values.
    """

    def __init__(self, function: Callable[[float, Vector], Any]) -> None:
        self.function = function
        self.values: Values = np.zeros(0)

    def _read(self, t: float, y: Vector) -> tuple[Values, NDArray[np.bool_], Values]:
        outputs = self.function(t, y)
        if not isinstance(outputs, tuple) or len(outputs) < 3:
            raise MatlabError(
                "MATLAB:odeevents:Outputs", "The event function must return three outputs."
            )
        value, stops, direction = (to_numpy(v).ravel(order="F") for v in outputs)
        count = value.size
        ways = direction.astype(float) if direction.size else np.zeros(count)
        flags = stops.astype(bool) if stops.size else np.zeros(count, bool)
        try:
            return (
                value.real.astype(float),
                np.broadcast_to(flags, count),
                np.broadcast_to(ways, count),
            )
        except ValueError:
            raise MatlabError(
                "MATLAB:odeevents:Sizes", "The outputs of the event function differ in size."
            ) from None

    def begin(self, t: float, y: Vector) -> None:
        """Note the values at the start; what is zero there is no event."""
        self.values = self._read(t, y)[0]

    def within(self, panel: Panel, found: EventList) -> float | None:
        """Add the events of a step to `found`; the time at which one of them stops, or None."""
        before = self.values
        after, stops, ways = self._read(panel.end, panel.last)
        self.values = after
        rising = (before < 0) & (after >= 0) & (ways >= 0)
        falling = (before > 0) & (after <= 0) & (ways <= 0)
        crossing = np.flatnonzero(rising | falling)
        happened = sorted(
            (self._zero(panel, int(k), before[k], after[k]), int(k)) for k in crossing
        )
        for t, k in happened:
            found.times.append(t)
            found.states.append(panel.at(np.array([t]))[:, 0])
            found.which.append(k + 1)
            if stops[k]:
                # others at the very same time have been told of too
                for also, other in happened:
                    if also == t and other > k:
                        found.times.append(also)
                        found.states.append(found.states[-1])
                        found.which.append(other + 1)
                return t
        return None

    def _zero(self, panel: Panel, k: int, before: float, after: float) -> float:
        """Return the time in a step at which value `k` is zero."""
        if after == 0:
            return panel.end

        def value(t: float) -> float:
            return float(self._read(t, panel.at(np.array([t]))[:, 0])[0][k])

        scale = max(abs(panel.start), abs(panel.end))
        accuracy = max(float(np.spacing(scale)), 1e-300)
        return brent.zero(value, panel.start, panel.end, (before, after), accuracy, 200)[0]
