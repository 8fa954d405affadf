"""The engine of the code that runs.

A session sets its context while its code runs; nested runs set theirs and restore it. What captures
operations asks `get`, which costs a few tens of nanoseconds. The engine itself is made
when it is asked for first, so that programs without large arrays load nothing of it.

Where the configuration leaves the provider open, capture starts late, as the higher tiers of a
compiler do. Until then the code has no context and host rules compute; when their work on large
arrays took so long that a start costs little beside it (`CaptureContext.delay`), the code gets one.
The work is estimated from sizes, so that a program starts capture at the same operation in every
run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from types import MappingProxyType
from typing import Any
from weakref import WeakSet

from runmat_core.values import dispatch
from runmat_core.values.array import Array
from runmat_core.values.deferred import Deferred
from runmat_core.values.hooks import HOOKS

#: A number of elements that no array has: with this threshold nothing is captured.
NEVER = 1 << 62
#: Iterations of a loop without work that counts, after which it is not asked about again.
_IDLE = 2
#: Number of loops that are followed before capture starts.
_FOLLOWED = 256


class CaptureContext:
    """The capture context of a session: the threshold, and the engine behind it.

    Attributes:
        threshold: arrays with at least this many elements are captured.
        tracing: whether the body of a loop is traced, whose variables have no elements.
        writing: the innermost passage that is being written down (`passages.Recording`), if any.
        at_once: by instruction, where operations are not worth capturing (`running.at_once`); empty
            until there are some.
        begun: counts the runs of code that were begun.
        delay: estimated seconds of work by host rules that are left until capture starts.
        engine: made by `make` on first use; its attributes can be read on the context.
    """

    tracing = False
    writing: Any = None
    begun = 0
    at_once: Mapping[Any, Any] = MappingProxyType({})

    def __init__(
        self,
        threshold: int,
        make: Callable[[CaptureContext], Any],
        delay: float = 0.0,
        longer: Callable[[], float] = lambda: 0.0,
    ) -> None:
        """Set a place; `longer` gives the seconds that are added once `delay` is over."""
        self.threshold = threshold
        self.delay = delay
        self._make = make
        self._longer = longer
        # by loop: the delay at its last iteration, and how many in a row left that as it was
        self.idle_loops: dict[Any, tuple[float, int]] = {}

    def __getattr__(self, name: str) -> Any:
        # only what is not set yet comes here
        if name == "engine":
            # evaluated code may ask while the engine is being made: it captures nothing yet
            with running(None):
                self.engine = self._make(self)
            return self.engine
        if name.startswith("__"):
            raise AttributeError(name)
        value = getattr(self.engine, name)
        if name == "graph":
            self.graph = value
        return value

    def worked(self, seconds: float) -> bool:
        """Count work by host rules; return whether capture starts now."""
        self.delay -= seconds
        if self.delay <= 0.0:
            longer, self._longer = self._longer, lambda: 0.0
            self.delay += longer()
        return self.delay <= 0.0

    def is_idle(self, loop: Any) -> bool:
        """Return whether the iterations of a loop count no work, so that capture starts in none.

        To be asked after an iteration, before capture starts. A loop that is idle does not ask
        again until then.

        Args:
            loop: the twin of its body.
        """
        delay, idle = self.idle_loops.get(loop, (-1.0, 0))
        if delay != self.delay:
            if len(self.idle_loops) >= _FOLLOWED:
                self.ask_again()
            idle = -1
        self.idle_loops[loop] = self.delay, idle + 1
        loop.asks = idle + 1 < _IDLE
        return not loop.asks

    def ask_again(self) -> None:
        """Let loops that were idle ask for capture."""
        for loop in self.idle_loops:
            loop.asks = True
        self.idle_loops.clear()

    @property
    def made(self) -> bool:
        """Whether anything asked for the engine yet."""
        return "engine" in self.__dict__


_seat: ContextVar[CaptureContext | None] = ContextVar("engine of the running code", default=None)

#: The context of the running code; None where nothing is to be captured.
get: Callable[[], CaptureContext | None] = _seat.get


#: The context that the running code gets when capture starts.
_later: ContextVar[CaptureContext | None] = ContextVar(
    "context of code that is not captured yet", default=None
)
#: The same; None where capture has started, or never will.
later: Callable[[], CaptureContext | None] = _later.get


class running:  # noqa: N801 - a context, made by its name
    """Let `seat` be the one of the running code while the block runs; None captures nothing."""

    __slots__ = ("_given", "_later", "_token")

    def __init__(self, seat: CaptureContext | None) -> None:
        self._given = seat

    def __enter__(self) -> None:
        seat = self._given
        late = seat is not None and seat.delay > 0.0 and not loaded()
        if seat is not None and not late and seat.idle_loops:
            seat.ask_again()
        self._later = _later.set(seat if late else None)
        self._token = _seat.set(None if late else seat)
        if seat is not None:
            seat.writing = None  # an error may have left the statements that were written down

    def __exit__(self, *problem: object) -> None:
        _seat.reset(self._token)
        _later.reset(self._later)


# -- devices with memory of their own --------------------------------------------------------------

#: Seats and places of sessions that work on such a device, or have not chosen providers yet.
_ON_DEVICES: WeakSet[Any] = WeakSet()


def works_on_device(one: Any, does: bool) -> None:
    """Note whether a session works, or may yet work, on a device with memory of its own.

    Args:
        one: what stands for the session, for as long as it lives.
    """
    (_ON_DEVICES.add if does else _ON_DEVICES.discard)(one)
    HOOKS.ahead = bool(_ON_DEVICES)


# -- a late start ----------------------------------------------------------------------------------


def starts_later() -> bool:
    """Return whether capture is still to start for the running code."""
    return _later.get() is not None


def before_start(seconds: float) -> bool:
    """Count work of the running code; return whether host rules do it, as nothing is captured.

    Args:
        seconds: an estimate of what host rules take for it.
    """
    seat = _later.get()
    if seat is None:
        return get() is None
    if seat.worked(seconds):
        start()
        return False
    return True


def start() -> CaptureContext | None:
    """Capture operations of the running code from now on; return its seat, None without one."""
    seat = _later.get()
    if seat is not None:
        seat.delay = 0.0
        seat.ask_again()
        _later.set(None)
        _seat.set(seat)
        load()
    return get()


#: Whether the rules that capture are in place; a list, for it is changed from a function.
_loaded: list[bool] = []


def loaded() -> bool:
    """Return whether the rules that capture are in place in this process."""
    return bool(_loaded)


#: What puts them in place; `capture.starting`, which knows them, sets it.
_installers: list[Callable[[], None]] = []


def installer(install: Callable[[], None]) -> None:
    """Let `load` call `install`, in place of what it called so far."""
    _installers[:] = [install]


def load() -> None:
    """Put the rules that capture in place, once."""
    if not _loaded:
        _loaded.append(True)
        dispatch.OPERATORS.update(dispatch.HOST_RULES)
        for install in _installers:
            install()


# -- what a session asks of its engine -------------------------------------------------------------


def is_writing() -> bool:
    """Whether statements are being written down."""
    seat = get()
    return seat is not None and seat.writing is not None


def calls_at_once(args: Sequence[Any]) -> bool:
    """Whether a call of a builtin runs at once where it stands: none of these is pending."""
    size = 0
    for value in args:
        if value.__class__ is Deferred:
            return False
        if value.__class__ is Array and value.data.size > size:
            size = value.data.size
    return HOOKS.at_once(size)


def let_go(variables: dict[str, Any]) -> None:
    """Empty a snapshot of the locals of code: their frame keeps it, and with it old values.

    The workspace of a script, which is no snapshot, stays as it is.
    """
    if "_nout" in variables:
        variables.clear()


def finish() -> None:
    """Compute everything pending that a value of the running session stands for."""
    seat = get()
    if seat is not None and seat.made:
        seat.engine.finish()


def release() -> None:
    """Give back what the running session keeps on devices for arrays that are gone."""
    seat = get()
    if seat is not None and seat.made:
        seat.engine.live_handles  # noqa: B018 - counting sweeps
