"""The engine of the code that runs.

A session takes its seat while its code runs; nested runs take theirs and give it back. What
captures operations asks `get`, which costs a few tens of nanoseconds. The engine itself is made
when it is asked for first, so that programs without large arrays load nothing of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from types import MappingProxyType
from typing import Any

from runmat_core.values import dispatch
from runmat_core.values.array import Array
from runmat_core.values.deferred import Deferred
from runmat_core.values.hooks import HOOKS

#: A number of elements that no array has: with this threshold nothing is captured.
NEVER = 1 << 62


class Seat:
    """A session's place for its engine.

    Attributes:
        threshold: arrays with at least this many elements are captured.
        tracing: whether the body of a loop is traced, whose variables have no elements.
        writing: the innermost passage that is being written down (`passages.Opening`), if any.
        at_once: by instruction, where operations are not worth capturing (`capture.at_once`); empty
            until there are some.
        begun: counts the runs of code that were begun.
        engine: made by `make` on first use; its attributes can be read on the seat.
    """

    tracing = False
    writing: Any = None
    begun = 0
    at_once: Mapping[Any, Any] = MappingProxyType({})

    def __init__(self, threshold: int, make: Callable[[Seat], Any]) -> None:
        self.threshold = threshold
        self._make = make

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

    @property
    def made(self) -> bool:
        """Whether anything asked for the engine yet."""
        return "engine" in self.__dict__


_seat: ContextVar[Seat | None] = ContextVar("engine of the running code", default=None)

#: The seat of the running code; None where nothing is to be captured.
get: Callable[[], Seat | None] = _seat.get


class running:  # noqa: N801 - a context, made by its name
    """Let `seat` be the one of the running code while the block runs; None captures nothing."""

    __slots__ = ("_given", "_token")

    def __init__(self, seat: Seat | None) -> None:
        self._given = seat

    def __enter__(self) -> None:
        seat = self._given
        self._token = _seat.set(seat)
        if seat is not None:
            seat.writing = None  # an error may have left the statements that were written down

    def __exit__(self, *problem: object) -> None:
        _seat.reset(self._token)


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


# -- what captures, loaded when there is something to capture --------------------------------------


def arrange(threshold: int) -> None:
    """Have operations on arrays of at least `threshold` elements looked at from now on.

    Nothing is loaded yet: the first such array puts the rules that capture in place.
    """
    HOOKS.smallest = min(HOOKS.smallest, threshold)
    if _loaded:
        _install()
    elif not _waiting:
        _waiting.append(True)
        for name, own in dispatch.HOST_RULES.items():
            if dispatch.OPERATORS[name] is own:
                dispatch.OPERATORS[name] = _first_use(name, own)
        HOOKS.index = _first_hook("index")
        HOOKS.part = _first_hook("part")
        HOOKS.assign = _first_hook("assign")
        HOOKS.compute = _first_hook("compute")
        HOOKS.place = _first_hook("place")
        HOOKS.join = _first_hook("join")
        HOOKS.span = _first_hook("span")


#: Whether the rules that capture are in place, and whether the first large array will put them
#: there; lists, for they are changed from functions.
_loaded: list[bool] = []
_waiting: list[bool] = []


def _load() -> None:
    if not _loaded:
        _loaded.append(True)
        dispatch.OPERATORS.update(dispatch.HOST_RULES)
        _install()


def _install() -> None:
    from runmat_core.accel.capture import operators, views

    operators.install(HOOKS.smallest)
    views.install()


_UNARY = frozenset({"uminus", "uplus", "not_", "transpose", "ctranspose"})


def _first_use(name: str, own: Callable[..., Any]) -> Callable[..., Any]:
    """The operator's own rule until an operand is large or pending."""

    def unary(a: Any) -> Any:
        kind = a.__class__
        if not (kind is Deferred or (kind is Array and a.data.size >= HOOKS.smallest)):
            return own(a)
        _load()
        return dispatch.OPERATORS[name](a)

    def binary(a: Any, b: Any) -> Any:
        kind, other = a.__class__, b.__class__
        large = HOOKS.smallest
        if not (
            (kind is Array and a.data.size >= large)
            or (other is Array and b.data.size >= large)
            or kind is Deferred
            or other is Deferred
        ):
            return own(a, b)
        _load()
        return dispatch.OPERATORS[name](a, b)

    return unary if name in _UNARY else binary


def _first_hook(name: str) -> Callable[..., Any]:
    def hook(*operands: Any) -> Any:
        _load()
        return getattr(HOOKS, name)(*operands)

    return hook


#: The threshold where the configuration leaves it open and nothing was measured.
THRESHOLD = 32768


def seat_for(config: Any, cache_folder: str = "") -> Seat | None:
    """The seat of a session with these settings; None where nothing is to be captured.

    Args:
        cache_folder: where providers may keep files; empty: nowhere.
    """
    threshold = config["accel.threshold"]
    if threshold == "auto":
        if config["accel.provider"] == "none":
            return None
        threshold = THRESHOLD
    threshold = max(threshold, 1)
    arrange(threshold)
    return Seat(threshold, lambda seat: _engine(seat, config, cache_folder))


def _engine(seat: Seat, config: Any, cache_folder: str) -> Any:
    from runmat_core.accel.devices import discovery
    from runmat_core.accel.running.engine import Engine

    if config["accel.threshold"] == "auto" and not discovery.installed():
        # nothing would run anywhere else: what comes next is not worth deferring
        seat.threshold = NEVER
    engine = Engine(config, cache_folder)
    engine.graph.little = seat.threshold
    seat.at_once = engine.sites.marks
    engine.graph.nodes_bound = config["accel.max_nodes"]
    if config["accel.max_bytes"] != "auto":
        engine.graph.bytes_bound = config["accel.max_bytes"]
    return engine
