"""The attempt to capture a loop after its first trip, as generated code asks for it.

A loop is captured where its body traces, its variables keep class and size, and the provider that
would run it takes the kernel. Traces, refusals among them, are kept by the body, the types of its
variables and the scalars that it only reads, so a second run of a loop does not trace again.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import TracebackType
from typing import Any

import attrs

from runmat_core.accel.capture.boundary import deferred, is_placed
from runmat_core.accel.capture.current import get
from runmat_core.accel.loops import trace as tracing
from runmat_core.accel.loops.commit import Captured, Commit, prepared
from runmat_core.accel.loops.leaves import Invariant, Refused
from runmat_core.accel.loops.written import Form
from runmat_core.accel.random.stream import stream_of
from runmat_core.accel.running.trial import tried
from runmat_core.api.errors import MatlabError
from runmat_core.values.array import Array
from runmat_core.values.base import Complex, class_of
from runmat_core.values.deferred import Deferred, promise_of
from runmat_core.values.indexing import size_of

#: Fewer trips than these are not worth a kernel of their own.
LEAST_TRIPS = 4
_FEW = f"fewer than {LEAST_TRIPS} trips are left after the first"
_UNEVEN = "its variable does not count in whole doubles"
#: Traces that a session keeps.
KEPT = 128
#: The array whose columns a loop iterates, by a name that no variable has.
COLUMNS = "(columns)"

#: What tells whether the body calls only what may be captured.
Screen = Callable[[Any, dict[str, Any]], tuple[str, tuple[Any, ...]]]


@attrs.define(eq=False)
class Kept:
    """What came of tracing a body.

    Attributes:
        captured: None where it was refused, now or in a later run.
        item: the placeholder of the loop's variable, where that is no number.
        reason, line: why and where it was refused.
        cells: pairs (function cell, what it resolved to).
    """

    captured: Captured | None
    item: Any = None
    reason: str = ""
    line: int = 0
    cells: tuple[Any, ...] = ()

    def holds(self) -> bool:
        """Whether every name still means what it meant."""
        return not self.cells or all(cell.fn is fn for cell, fn in self.cells)


def attempt(
    twin: Any,
    known: dict[str, Any],
    variable: str,
    writes: tuple[str, ...],
    parts: tuple[Any, ...],
    screen: Screen,
) -> tuple[Any, ...] | None:
    """The values of the loop's variable and of `writes` after the loop; None: it goes on.

    Args:
        known: the variables in the body, as they are after the first trip.
        parts: start, step and stop of the range, or the array whose columns are iterated.
    """
    seat = get()
    assert seat is not None
    engine = seat.engine
    trips = _trips(parts)
    book = engine.loops
    if not book.enabled or book.hopeless(twin.__code__):
        return None
    if trips - 1 < LEAST_TRIPS:
        if twin.__code__ not in book.notes:
            book.note(twin.__code__, 0, _FEW if trips else _UNEVEN)
        return None
    known.pop(variable, None)
    columns = len(parts) == 1
    if columns:
        known[COLUMNS] = parts[0]
        if math.prod(size_of(parts[0])[1:]) != size_of(parts[0])[1]:
            return None
    stream = stream_of(twin.__globals__["_s"])
    key = _key(twin, known, writes, parts, stream)
    kept = book.kept.get(key) if key is not None else None
    if kept is None or not kept.holds():
        if not book.worth_tracing(twin.__code__, trips):
            book.note(twin.__code__, 0, "its scalars or sizes differ in every run")
            return None
        kept = _traced(engine, twin, known, variable, writes, parts, stream, screen)
        if key is not None:
            if len(book.kept) >= KEPT:
                book.kept.pop(next(iter(book.kept)))
            book.kept[key] = kept
        elif kept.captured is None:
            book.failed(twin.__code__)
    if kept.captured is None:
        book.note(twin.__code__, 0, kept.reason, kept.line)
        return None
    return _committed(engine, kept, twin, known, variable, writes, parts, stream, trips - 1)


def _committed(
    engine: Any,
    kept: Kept,
    twin: Any,
    known: dict[str, Any],
    variable: str,
    writes: tuple[str, ...],
    parts: tuple[Any, ...],
    stream: Any,
    left: int,
) -> tuple[Any, ...] | None:
    assert kept.captured is not None
    before = stream.state()
    try:
        run = partial(_ran, engine)
        commit = Commit(engine.graph, kept.captured, known, left, stream, run)
        finals = commit.finals(kept.item)
        checked = commit.checked()
        if checked and not tried(engine, checked):
            # what it is, an error or a warning or nothing, is found out step by step
            kept.captured, kept.reason = None, "a library call has something to say"
            raise Refused(kept.reason)
    except BaseException as problem:
        # also where an interrupt or a fault ends it: the variables are those of the first trip then
        stream.restore(stream.kind, stream.seed, before)
        if not isinstance(problem, Refused):
            raise
        engine.loops.note(twin.__code__, 0, problem.reason)
        return None
    engine.loops.note(twin.__code__, left)
    last = finals[""] if kept.item is not None else _item(parts, left)
    if os.environ.get("RUNMAT_VERIFY_LOOPS", "") not in ("", "0"):
        from runmat_core.accel.loops.verify import compare

        compare(twin, known, variable, finals, _items(parts), stream, before)
    return (last, *[finals.get(name, known.get(name)) for name in writes])


def _ran(engine: Any, nodes: Sequence[Any]) -> bool:
    """Whether a part of the loop was run, and is over."""
    done = tried(engine, nodes)
    engine.places.synchronize()
    return done


def _trips(parts: Sequence[Any]) -> int:
    """How many trips a loop has in all; 0 where its variable does not count in whole numbers."""
    if len(parts) == 1:
        value = parts[0]
        if value.__class__ is not Array and value.__class__ is not Deferred:
            return 0
        passes: int = math.prod(size_of(value)[1:])
        return passes
    start, step, stop = (parts[0], 1.0, parts[1]) if len(parts) == 2 else parts
    if not start.__class__ is step.__class__ is stop.__class__ is float:
        return 0
    # what is not finite is not below the limit either
    if not (start.is_integer() and step.is_integer() and step):
        return 0
    if not abs(start) + abs(step) + abs(stop) <= 2.0**52:
        return 0
    return int(max(math.floor((stop - start) / step) + 1, 0))


def _item(parts: Sequence[Any], trip: int) -> float:
    """The variable of a loop over a range in a trip, from zero."""
    return float(parts[0] + trip * (parts[1] if len(parts) == 3 else 1.0))


def _items(parts: Sequence[Any]) -> list[Any]:
    """The values of the loop's variable in all trips but the first."""
    if len(parts) == 1:
        from runmat_core.values import columns

        return list(columns(parts[0]))[1:]
    return [_item(parts, trip) for trip in range(1, _trips(parts))]


def _traced(
    engine: Any,
    twin: Any,
    known: dict[str, Any],
    variable: str,
    writes: tuple[str, ...],
    parts: tuple[Any, ...],
    stream: Any,
    screen: Screen,
) -> Kept:
    """Trace the body from the second trip on."""
    left = _trips(parts) - 1
    cells: tuple[Any, ...] = ()
    try:
        reason, cells = screen(twin, {**known, variable: None})
        if reason:
            raise Refused(reason)
        graph = tracing.TraceGraph(left)
        names = {
            name: tracing.placeholder(graph, name, value, name in writes)
            for name, value in known.items()
        }
        names = {n: v for n, v in names.items() if n not in writes or v is not known[n]}
        item = None
        if len(parts) == 1:
            item = _column(graph, names.pop(COLUMNS))
            names[variable] = item
        else:
            step = int(_item(parts, 1) - parts[0])
            names[variable] = tracing.item(graph, int(_item(parts, 1)), step)
        entry = getattr(stream.generator, "position", 0)
        found = tracing.trace(graph, twin, names, writes, stream, engine)
        captured = _planned(engine.loops, found, entry, left - 1)
    except Refused as refused:
        return Kept(None, None, refused.reason, _line(refused, twin), cells)
    except Exception as problem:
        reason = problem.message if isinstance(problem, MatlabError) else str(problem)
        return Kept(None, None, f"tracing it ends with: {reason}", _line(problem, twin), cells)
    return Kept(captured, item, cells=cells)


def _planned(book: Any, found: tracing.Trace, entry: int, trips: int) -> Captured:
    """A trace in as few kernels as a provider takes.

    Raises:
        Refused: no provider takes it.
    """
    forms: tuple[Form, ...] = ("kernel", "apart", "repeated")
    for form in forms:
        try:
            captured = prepared(found, entry, trips, form)
            piece = book.piece([step for step, _ in captured.steps], trips)
        except Refused as refused:
            reason = refused
        else:
            return attrs.evolve(captured, piece=piece)
    raise reason


def _column(graph: tracing.TraceGraph, columns: Any) -> Any:
    """The placeholder of a column, from the second on."""
    node = columns.promise.node
    assert isinstance(node.data.leaf, Invariant)
    rows = node.shape[0]
    strides = (1 if rows != 1 else 0, 0)
    return deferred(graph.slice(node, (rows, 1), rows, strides, rows))


def _line(problem: BaseException, twin: Any) -> int:
    """The line of the body on which tracing ended; 0 where it did not begin."""
    traceback: TracebackType | None = problem.__traceback__
    while traceback is not None:
        if traceback.tb_frame.f_code is twin.__code__:
            return traceback.tb_lineno
        traceback = traceback.tb_next
    return 0


# -- keys ------------------------------------------------------------------------------------------


def _key(
    twin: Any, known: Mapping[str, Any], writes: Sequence[str], parts: Sequence[Any], stream: Any
) -> Any:
    """What a trace depends on; None where it cannot be told."""
    types = []
    for name, value in known.items():
        one = _type_of(value, name in writes)
        if one is None:
            return None
        types.append((name, one))
    aligned = getattr(stream.generator, "position", 0) & 3
    span = tuple(parts) if len(parts) > 1 else ()
    return twin.__code__, tuple(types), span, stream.kind, aligned


def _type_of(value: Any, written: bool) -> Any:
    kind = value.__class__
    if kind is Deferred:
        promise = promise_of(value)
        if promise.node.data is None:
            return promise.node.cls, promise.shape, promise.explicit
    elif kind is float and not written:
        # zeros of both signs are equal, and a NaN is no other
        return kind, value if value and value == value else repr(value)
    cls = tracing.class_in(value, written)
    if cls is not None:
        return (cls, tuple(size_of(value)), is_placed(value))
    if kind is float or kind is bool or kind is Complex:
        return (kind, repr(value))
    if class_of(value) == "char":
        return ("char", value.shape, value.content if value.is_row else None)
    return None
