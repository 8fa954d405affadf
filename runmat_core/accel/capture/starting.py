"""When capture starts: the seat of a session, and what stands in place until the first large array.

`seat_for` reads the settings. `arrange` puts small rules in place of operators and hooks; the first
of them that meets a large array loads what captures, or counts its work where a late start was
asked for (`current`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runmat_core.accel.capture import current
from runmat_core.accel.capture.current import NEVER, Seat, before_start, load, starts_later
from runmat_core.values import dispatch
from runmat_core.values.array import Array
from runmat_core.values.deferred import Deferred
from runmat_core.values.hooks import HOOKS
from runmat_core.values.indexing import numel_of, size_of

#: The threshold where the configuration leaves it open and nothing was measured.
THRESHOLD = 32768
#: Estimated seconds by host rules before capture starts where a device may be there: about what it
#: takes to start one.
DELAY_DEVICE = 0.5
#: The same where only processors compute: an order of magnitude above what capture takes to start,
#: so that no program takes much longer than without it.
DELAY_HOST = 2.0


# -- the seat of a session -------------------------------------------------------------------------


def seat_for(config: Any, cache_folder: str = "") -> Seat | None:
    """Return the seat of a session with these settings; None where nothing is to be captured.

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
    delay, longer = _delay(config, cache_folder)
    return Seat(threshold, lambda seat: _engine(seat, config, cache_folder), delay, longer)


def captures_late(config: Any) -> bool:
    """Return whether capture waits by default: nothing of the settings asks for it."""
    keys = ("accel.start_after", "accel.provider", "accel.threshold")
    return all(config[key] == "auto" for key in keys)


def _delay(config: Any, cache_folder: str) -> tuple[float, Callable[[], float]]:
    """Return the seconds before capture starts, and what gives those that come on top."""
    if not captures_late(config):
        asked = config["accel.start_after"]
        return (0.0 if asked == "auto" else asked), lambda: 0.0

    def longer() -> float:
        from runmat_core.accel.devices import known

        return 0.0 if known.device_likely(cache_folder) else DELAY_HOST - DELAY_DEVICE

    return DELAY_DEVICE, longer


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


# -- until the first large array -------------------------------------------------------------------


def arrange(threshold: int) -> None:
    """Have operations on arrays of at least `threshold` elements looked at from now on.

    Nothing is loaded yet.
    """
    HOOKS.smallest = min(HOOKS.smallest, threshold)
    if current.loaded():
        current.install()
    elif not _waiting:
        _waiting.append(True)
        for name, own in dispatch.HOST_RULES.items():
            if dispatch.OPERATORS[name] is own:
                dispatch.OPERATORS[name] = _first_use(name, own)
        for name in ("index", "part", "assign", "compute", "place", "join", "span"):
            setattr(HOOKS, name, _first_hook(name))
        HOOKS.at_once = _at_once


#: Whether the small rules are in place; a list, for it is changed from a function.
_waiting: list[bool] = []

_UNARY = frozenset({"uminus", "uplus", "not_", "transpose", "ctranspose"})
_PRODUCTS = frozenset({"mtimes", "mrdivide", "mldivide", "mpower"})
#: Hooks that are called for what is pending, or is to be on the device.
_ASKED = frozenset({"assign", "compute", "place"})


def _first_use(name: str, own: Callable[..., Any]) -> Callable[..., Any]:
    """Return the operator's own rule until an operand is large or pending."""
    seconds = _of_matrices if name in _PRODUCTS else elements_of

    def unary(a: Any) -> Any:
        kind = a.__class__
        if not (kind is Deferred or (kind is Array and a.data.size >= HOOKS.smallest)):
            return own(a)
        if starts_later() and before_start(elements_of((a,))):
            return own(a)
        load()
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
        if starts_later() and before_start(seconds((a, b))):
            return own(a, b)
        load()
        return dispatch.OPERATORS[name](a, b)

    return unary if name in _UNARY else binary


def _first_hook(name: str) -> Callable[..., Any]:
    def hook(*operands: Any) -> Any:
        if name in _ASKED:
            current.start()
        elif starts_later() and before_start(HOOKS.smallest * ELEMENT):
            return NotImplemented
        load()
        return getattr(HOOKS, name)(*operands)

    return hook


def _at_once(size: int) -> bool:
    return starts_later() and before_start(size * ELEMENT)


# -- what host rules take --------------------------------------------------------------------------

#: Estimated seconds for an element of an operation on arrays, a few of which fit into no cache.
ELEMENT = 1e-9
#: The same for a floating-point operation of dense linear algebra.
FLOP = 5e-11
#: Operations that an element counts for, by the kind of fusion spec.
_WEIGHTS = {"Map": 5.0, "Reduction": 1.0, "Scan": 3.0}
#: The same for library calls, which sort, transform or filter, but for those of `_CUBIC`.
_CALL = 30.0
_CUBIC = frozenset({"chol", "det", "eig", "inv", "lu", "matmul", "qr", "solve", "svd"})


def elements_of(operands: Sequence[Any]) -> float:
    """Estimate the seconds of an operation on each element; nothing where none is large."""
    size = max(map(numel_of, operands), default=0)
    return size * ELEMENT if size >= HOOKS.smallest else 0.0


def _of_matrices(operands: Sequence[Any]) -> float:
    """Estimate the seconds of a product of matrices, or of a system."""
    size = max(map(numel_of, operands))
    if min(map(numel_of, operands)) == 1:
        return size * ELEMENT
    inner = min(min(size_of(operand)) for operand in operands)
    return size * ELEMENT + 2.0 * size * inner * FLOP


def seconds_of(spec: Any, args: Sequence[Any]) -> float:
    """Estimate the seconds of a builtin's host rule."""
    arrays = [value.data for value in args if value.__class__ is Array]
    if not arrays:
        return 0.0
    largest = max(arrays, key=lambda data: data.size)
    if spec.gpu is None:
        weight = _WEIGHTS.get(spec.fusion.__class__.__name__, 1.0)
    elif spec.gpu.name in _CUBIC:
        return 2.0 * float(largest.size) * float(min(largest.shape)) * FLOP
    else:
        weight = _CALL
    return float(largest.size) * weight * ELEMENT
