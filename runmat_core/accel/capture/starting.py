"""When capture starts: the seat of a session, and what stands in place until the first large array.

`seat_for` reads the settings. `arrange` puts small rules in place of operators and hooks; the first
of them that meets a large array loads what captures, or counts its work where a late start was
asked for (`accel.context`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from runmat_core.accel import context
from runmat_core.accel.context import (
    NEVER,
    CaptureContext,
    before_start,
    load,
    starts_later,
    works_on_device,
)
from runmat_core.api.threads import limit
from runmat_core.values import dispatch
from runmat_core.values.array import Array
from runmat_core.values.deferred import Deferred
from runmat_core.values.hooks import HOOKS
from runmat_core.values.indexing import numel_of, size_of
from runmat_core.values.subscript import at_most

if TYPE_CHECKING:
    from runmat_core.accel.devices.providers import Settings

#: The threshold where the configuration leaves it open and nothing was measured.
THRESHOLD = 32768
#: Estimated seconds by host rules before capture starts, by what the last search for a device came
#: to: about what it takes to start one, which is more where nothing of it was compiled yet. Where
#: only processors compute it is an order of magnitude above what capture takes to start, so that no
#: program takes much longer than without it.
DELAYS = {"found": 0.1, "": 0.5, "none": 2.0}


# -- the seat of a session -------------------------------------------------------------------------


def seat_for(config: Settings, cache_folder: str = "") -> CaptureContext | None:
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
    seat = CaptureContext(
        threshold, lambda seat: _engine(seat, config, cache_folder), delay, longer
    )
    works_on_device(seat, True)
    return seat


def captures_late(config: Settings) -> bool:
    """Return whether capture waits by default: nothing of the settings asks for it."""
    keys = ("accel.start_after", "accel.provider", "accel.threshold")
    # when capture starts by the clock, what it computes differs from run to run
    return not config["accel.offload.pin"] and all(config[key] == "auto" for key in keys)


def _delay(config: Settings, cache_folder: str) -> tuple[float, Callable[[], float]]:
    """Return the seconds before capture starts, and what gives those that come on top."""
    if not captures_late(config):
        asked = config["accel.start_after"]
        return (0.0 if asked == "auto" else asked), lambda: 0.0

    least = min(DELAYS.values())

    def longer() -> float:
        from runmat_core.accel.devices import known

        return DELAYS[known.device(cache_folder)] - least

    return least, longer


def _engine(seat: CaptureContext, config: Settings, cache_folder: str) -> Any:
    from runmat_core.accel.devices import discovery, known
    from runmat_core.accel.running.engine import Engine

    if config["accel.threshold"] == "auto" and not discovery.installed():
        # nothing would run anywhere else: what comes next is not worth deferring
        seat.threshold = NEVER
    engine = Engine(config, cache_folder)
    works_on_device(engine.places, True)
    works_on_device(seat, False)  # its engine stands for it
    engine.graph.little = seat.threshold
    seat.at_once = engine.sites.marks
    engine.graph.nodes_bound = config["accel.max_nodes"]
    if config["accel.max_bytes"] != "auto":
        engine.graph.bytes_bound = config["accel.max_bytes"]
    if captures_late(config) and not known.device(cache_folder):
        # later processes shall know, though nothing of this program may get to a provider
        engine.choice  # noqa: B018 - starts them
    return engine


# -- until the first large array -------------------------------------------------------------------


def arrange(threshold: int) -> None:
    """Have operations on arrays of at least `threshold` elements looked at from now on.

    Nothing is loaded yet.
    """
    HOOKS.smallest = min(HOOKS.smallest, threshold)
    if context.loaded():
        _install()
    elif not _waiting:
        _waiting.append(True)
        context.installer(_install)
        for name, own in dispatch.HOST_RULES.items():
            if dispatch.OPERATORS[name] is own:
                dispatch.OPERATORS[name] = _first_use(name, own)
        for name in ("index", "part", "assign", "compute", "place", "join", "span"):
            setattr(HOOKS, name, _first_hook(name))
        HOOKS.at_once = _at_once


def _install() -> None:
    from runmat_core.accel.capture.install import install

    install()


#: Whether the small rules are in place; a list, for it is changed from a function.
_waiting: list[bool] = []

_UNARY = frozenset({"uminus", "uplus", "not_", "transpose", "ctranspose"})
_PRODUCTS = frozenset({"mtimes", "mrdivide", "mldivide", "mpower"})


def _nothing_large(a: tuple[int, ...], b: tuple[int, ...]) -> int:
    return 0


def _product_size(a: tuple[int, ...], b: tuple[int, ...]) -> int:
    return a[0] * b[1]


#: The elements of what an operator makes of two small arrays, by their sizes; of the others by
#: implicit expansion.
_RESULTS = {**dict.fromkeys(_PRODUCTS, _nothing_large), "mtimes": _product_size}


def _first_use(name: str, own: Callable[..., Any]) -> Callable[..., Any]:
    """Return the operator's own rule until an operand is large or pending."""
    seconds = _of_matrices if name in _PRODUCTS else elements_of
    made = _RESULTS.get(name, dispatch.expanded_size)

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
        if (
            (kind is Array and a.data.size >= large)
            or (other is Array and b.data.size >= large)
            or kind is Deferred
            or other is Deferred
        ):
            if starts_later() and before_start(seconds((a, b))):
                return own(a, b)
        elif not kind is other is Array or a.data.size * b.data.size < large:
            return own(a, b)
        else:
            size = made(a.data.shape, b.data.shape)
            if size < large or (starts_later() and before_start(size * ELEMENT)):
                return own(a, b)
        load()
        return dispatch.OPERATORS[name](a, b)

    return unary if name in _UNARY else binary


def _first_hook(name: str) -> Callable[..., Any]:
    seconds = _OF_HOOKS.get(name)

    def hook(*operands: Any) -> Any:
        if seconds is None:
            context.start()
        elif starts_later() and before_start(seconds(*operands)):
            return NotImplemented
        load()
        return getattr(HOOKS, name)(*operands)

    return hook


def _at_once(size: int) -> bool:
    seat = context.later()
    if seat is None:
        return False
    # most work leaves some of the delay, and needs no other call
    left = seat.delay - size * ELEMENT
    if left > 0.0:
        seat.delay = left
        return True
    return before_start(size * ELEMENT)


# -- what host rules take --------------------------------------------------------------------------

#: Estimated seconds for eight bytes of an array that an operation makes or reads, with the time to
#: get memory for it.
ELEMENT = 2e-9
#: The same for a floating-point operation of dense linear algebra, on each thread.
FLOP = 5e-11
#: Operations that an element counts for, by the kind of fusion spec.
_WEIGHTS = {"Map": 5.0, "Reduction": 1.0, "Scan": 3.0}
#: The same for library calls, which sort, transform or filter, but for those of `_CUBIC`.
_CALL = 30.0
_CUBIC = frozenset({"chol", "det", "eig", "inv", "lu", "matmul", "qr", "solve", "svd"})
#: The same for random numbers, beside the array that they make.
_DRAWS = {"uniform": 1.0, "normal": 7.0}


def elements_of(operands: Sequence[Any]) -> float:
    """Estimate the seconds of an operation on each element; nothing where none is large."""
    arrays = [value.data for value in operands if value.__class__ is Array]
    if not any(data.size >= HOOKS.smallest for data in arrays):
        return 0.0
    return max(data.nbytes for data in arrays) / 8.0 * ELEMENT


def _of_matrices(operands: Sequence[Any]) -> float:
    """Estimate the seconds of a product of matrices, or of a system."""
    size = max(map(numel_of, operands))
    if min(map(numel_of, operands)) == 1:
        return size * ELEMENT
    inner = min(min(size_of(operand)) for operand in operands)
    return size * ELEMENT + _flops(2.0 * size * inner)


def _of_part(value: Any, subs: Sequence[Any]) -> float:
    return at_most(value.data.shape, subs) * ELEMENT if value.__class__ is Array else 0.0


def _of_join(values: Sequence[Any], axis: int) -> float:
    return sum(value.data.nbytes for value in values if value.__class__ is Array) / 8.0 * ELEMENT


def _of_span(first: float, step: float, last: float) -> float:
    return (last - first) / step * ELEMENT


#: The hooks that count work; the others are called for what is pending, or is to be on the device.
_OF_HOOKS: dict[str, Callable[..., float]] = {
    "index": _of_part,
    "part": _of_part,
    "join": _of_join,
    "span": _of_span,
}


def _flops(count: float) -> float:
    return count * FLOP / limit()


def draws(count: int, distribution: str) -> float:
    """Estimate the seconds that random numbers take beside the array that they make."""
    return count * _DRAWS[distribution] * ELEMENT


def seconds_of(spec: Any, args: Sequence[Any]) -> float:
    """Estimate the seconds of a builtin's host rule."""
    arrays = [value.data for value in args if value.__class__ is Array]
    if not arrays:
        return 0.0
    largest = max(arrays, key=lambda data: data.size)
    if spec.gpu is None:
        weight = _WEIGHTS.get(spec.fusion.__class__.__name__, 1.0)
    elif spec.gpu.name in _CUBIC:
        return _flops(2.0 * float(largest.size) * float(min(largest.shape)))
    else:
        weight = _CALL
    return largest.nbytes / 8.0 * weight * ELEMENT
