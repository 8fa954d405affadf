"""The loops of a session: their traces, what of them can run, and what came of attempts."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from runmat_core.accel.planning.plan import LoweredUnit
from runmat_core.api.tuples import NamedTuple
from runmat_core.values.hooks import HOOKS
from runmat_core.values.stand_in import Refused

if TYPE_CHECKING:
    from runmat_core.accel.planning.step import Step

#: Traces that a session keeps.
KEPT = 128
#: Attempts on one body without a key after which no further one is made.
ATTEMPTS = 4
#: Traces in a row of one body, with scalars or sizes that differ, that were all refused, after
#: which no further one is made.
REFUSALS = 12
#: The same within one run of a loop, in which trips go by themselves between the attempts.
AGAIN = 3
#: Traces of one body, with scalars or sizes that differ, after which only loops of at least `LONG`
#: trips are traced again: a trace and its plan take as long as hundreds of operations.
TRACES, LONG = 8, 256
#: What a kernel may take: longer loops are divided.
SECONDS = 0.5
#: Notes that are kept: one for each loop.
NOTES = 1024


class CaptureReport(NamedTuple):
    """What came of the last attempt on a loop.

    Attributes:
        file, line: of the loop's body.
        trips: that were captured; 0 where it went on in the ordinary way.
        reason: why it did.
        at: the line that was the reason; 0 where no line was.
        whole: whether those were all of them, and not those after the first.
        operation: what asked for more than a trace knows: a builtin or a phrase; may be empty.
        of: how many trips the loop has, where others than its first went on by themselves; else 0.
    """

    file: str
    line: int
    trips: int
    reason: str = ""
    at: int = 0
    whole: bool = False
    of: int = 0
    operation: str = ""


class LoopRegistry:
    """The loops of a session.

    Args:
        places: the providers.
        enabled: whether loops are captured at all.
        costs: gives what work costs where.
        stored: finds what an earlier process made of a body: called with what it was made of, what
            is kept with it, the key there, and what makes it.

    Attributes:
        kept: what came of tracing, by key.
        notes: by body.
        captured, trips: how many loops became kernels, and of how many trips.
    """

    def __init__(
        self,
        places: Any,
        enabled: bool,
        costs: Callable[[], Any],
        stored: Callable[[Any, dict[Any, Any], Any, Callable[[], Any]], Any],
    ) -> None:
        self._places = places
        self._stored = stored
        self._costs = costs
        self.enabled = enabled
        self.kept: dict[Any, Any] = {}
        self.notes: dict[Any, CaptureReport] = {}
        self.captured = 0
        self.trips = 0
        self._failed: dict[Any, int] = {}
        self._refused: dict[Any, int] = {}
        self._traced: dict[Any, int] = {}
        self._met: dict[Any, None] = {}
        self._waits: dict[Any, int] = {}

    def forget(self) -> None:
        """Other providers, other kernels: what was found out with the former ones is void."""
        self.kept.clear()
        self._met.clear()
        self._failed.clear()
        self._refused.clear()
        self._traced.clear()

    def hopeless(self, code: Any, begin: int) -> bool:
        """Whether a body was refused too often, under keys that differed or never come again.

        Args:
            begin: the number of the trip before which the loop stands.
        """
        refusals = AGAIN if begin > 1 else REFUSALS
        return self._failed.get(code, 0) >= ATTEMPTS or self._refused.get(code, 0) >= refusals

    def traced(self, code: Any, captured: bool, has_key: bool) -> None:
        """Told what came of tracing a body."""
        if captured:
            self._refused.pop(code, None)
            return
        found = self._refused if has_key else self._failed
        found[code] = found.get(code, 0) + 1

    def worth_tracing(self, code: Any, trips: int) -> bool:
        """Whether to trace a body once more; counts that it is."""
        count = self._traced.get(code, 0)
        if count >= TRACES and trips < LONG:
            return False
        self._traced[code] = count + 1
        return True

    def waits(self, code: Any, begin: int) -> bool:
        """Whether a loop is not to be looked at again before one of its later trips."""
        if begin < 2:
            self._waits.pop(code, None)
        return begin < self._waits.get(code, 0)

    def wait(self, code: Any, trip: int) -> None:
        """Not to look at a loop again before a trip."""
        self._waits[code] = trip

    def keep(self, key: Any, kept: Any) -> None:
        """Keep what came of tracing."""
        if len(self.kept) >= KEPT:
            self.kept.pop(next(iter(self.kept)))
        self.kept[key] = kept

    def met(self, key: Any) -> None:
        """Note that a loop was captured after its first iteration; the next run may be whole."""
        HOOKS.loops = True
        if key is not None:
            if len(self._met) >= KEPT:
                self._met.pop(next(iter(self._met)))
            self._met[key] = None

    def has_met(self, key: Any) -> bool:
        """Whether a loop with this key was captured after its first trip."""
        return key is not None and key in self._met

    def note(
        self,
        code: Any,
        trips: int,
        reason: str = "",
        at: int = 0,
        begin: int = 1,
        left: int = 0,
        operation: str = "",
    ) -> None:
        """Write down what came of an attempt.

        Args:
            begin: the number of the trip before which it was made.
            left: how many trips there were.
            operation: see `CaptureReport`.
        """
        self.trips += trips
        known = self.notes.get(code) if begin > 1 else None
        if known is not None and (known.trips or not trips):
            # the same loop goes on
            more = known._replace(trips=known.trips + trips, whole=False)
            self.notes[code] = more
            return
        self.captured += trips > 0
        if code in self.notes or len(self.notes) < NOTES:
            file, line = code.co_filename, code.co_firstlineno
            of = begin + left if trips < left or begin > 1 else 0
            whole = not begin and not of
            self.notes[code] = CaptureReport(file, line, trips, reason, at, whole, of, operation)

    def on_host(self) -> bool:
        """Whether loops run on a provider that works in the host's memory."""
        return bool(self._places.any) and self._places.device is None

    def piece(self, steps: Sequence[Step], trips: int) -> int:
        """How many trips a node takes: all of them, or as many as take about `SECONDS`.

        Raises:
            Refused: there is no provider, or it cannot run the trips of a step.
        """
        if not self._places.any:
            raise Refused("there is no provider")
        device, host = self._places.providers
        capabilities = (device or host).capabilities
        piece = trips
        for step in steps:
            make = self._repeated if step.repeated else self._kernel
            seconds = self._costs().estimate(
                make(step, trips, capabilities), "host" if device is None else "device"
            )
            piece = min(piece, math.ceil(trips / math.ceil(seconds / SECONDS)))
        return piece

    def _kernel(self, step: Step, trips: int, capabilities: Any) -> LoweredUnit:
        """Return the trips of a step as one kernel."""

        def made() -> Any:
            from runmat_core.accel.planning.serial import kernel_of

            return kernel_of(step, span, capabilities, outputs, small)

        if not capabilities.loops:
            raise Refused(f"{capabilities.name} runs no loops")
        span = (0, trips)
        outputs = frozenset(range(step.outputs))
        small = frozenset(
            k for k, (kind, _, _) in enumerate(step.slots) if kind in ("word", "scalar")
        )
        key = (span, capabilities, outputs, small)
        found: LoweredUnit | None = self._stored(("kernel", step, key), step.kept, key, made)
        if found is None:
            raise Refused("an iteration is more than one kernel")
        self._compiled(found)
        return found

    def _repeated(self, step: Step, trips: int, capabilities: Any) -> LoweredUnit:
        """Return the trips of a step as units that are repeated."""

        def made() -> Any:
            from runmat_core.accel.planning.lower import lower
            from runmat_core.accel.planning.rounds import rounds_of

            return rounds_of(step, (0, trips), capabilities, lower)

        if not capabilities.loops:
            raise Refused(f"{capabilities.name} runs no loops")
        key = ("rounds", (0, trips), capabilities)
        found: LoweredUnit | None = self._stored((step, key), step.kept, key, made)
        if found is None:
            if "unfit" not in step.kept:
                step.kept.pop(key, None)
                made()  # for the reason, which is not stored
            why, line = step.kept["unfit"]
            raise Refused(f"an iteration is more than one kernel, and {why}", line)
        self._compiled(found)
        return found

    def _compiled(self, found: LoweredUnit) -> None:
        """Have units compiled, which a plan needs at once anyway."""
        from runmat_core.accel.planning.plan import launches_of, units_of

        compiler = self._places.device or self._places.host
        units = units_of(found)
        executables = compiler.executables(units, launches_of(found))
        for unit, made in zip(units, executables, strict=True):
            if made is None:
                raise Refused(f"the provider has no {unit.name}")
