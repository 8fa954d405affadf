"""Attempts to capture a loop: after its first iteration, or before it.

Generated code asks for the latter if a former run of the loop was captured.

A loop is captured where its body traces, its variables keep class and size, and the provider that
would run it takes the kernel. Traces, refusals among them, are kept by the body, the types of its
variables and the scalars that it only reads, so a second run of a loop does not trace again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.accel.capture.boundary import deferred
from runmat_core.accel.context import get
from runmat_core.accel.graph.leaves import ElementsNeeded, Invariant, Refused
from runmat_core.accel.loops import trace as tracing
from runmat_core.accel.loops.asked import COLUMNS, Loop
from runmat_core.accel.loops.blame import line_of, operation_of
from runmat_core.accel.loops.branches import Branches
from runmat_core.accel.loops.commit import Captured, Commit, prepared
from runmat_core.accel.loops.stretch import (
    TRIES,
    Counts,
    DoesNotCount,
    Stretch,
    Varies,
    Widens,
    check_counts,
)
from runmat_core.accel.loops.worth import check_worth
from runmat_core.accel.loops.written import Form
from runmat_core.accel.random.stream import stream_of
from runmat_core.accel.running.trial import tried
from runmat_core.api.errors import MatlabError
from runmat_core.values.array import Array, from_numpy
from runmat_core.values.deferred import Deferred
from runmat_core.values.indexing import size_of

#: Fewer trips than these are not worth a kernel of their own.
LEAST_TRIPS = 4
_FEW = f"fewer than {LEAST_TRIPS} iterations are left after the first"
#: Numbers below this count exactly.
_WHOLE = 2.0**50
_UNEVEN = "its variable does not count in whole doubles"
#: Most elements of an array that a body only reads for them to be constants of its trace, and most
#: that are computed for this alone.
CONSTANTS, FEW = 1 << 16, 1 << 12

#: What tells whether the body calls only what may be captured.
Screen = Callable[[Any, dict[str, Any]], tuple[str, tuple[Any, ...]]]


@attrs.define(eq=False)
class Kept:
    """What came of tracing a body.

    Attributes:
        captured: None where it was refused, now or in a later run.
        item: the placeholder of the loop's variable, where that is no number.
        reason, line, operation: why and where it was refused, and what asked for too much.
        cells: pairs (function cell, what it resolved to).
        stretch: the trips that it stands for.
        counted: the variables that count in the body, with what they begin with.
        constants: the elements of arrays that the body only reads, where these were asked for.
        wait: after how many trips another attempt is worth while; 0: none is.
    """

    captured: Captured | None
    item: Any = None
    reason: str = ""
    line: int = 0
    cells: tuple[Any, ...] = ()
    stretch: Stretch = attrs.field(factory=partial(Stretch, 0))
    counted: Mapping[str, float] = attrs.Factory(dict)
    constants: Mapping[str, NDArray[Any]] = attrs.Factory(dict)
    wait: int = 0
    operation: str = ""

    def holds(self, known: Mapping[str, Any]) -> bool:
        """Return whether names mean what they meant, and counters and constants are the same."""
        if any(known.get(name) != begin for name, begin in self.counted.items()):
            return False
        for name, data in self.constants.items():
            found = _elements(known.get(name))
            if found is None or found.dtype != data.dtype or not np.array_equal(found, data):
                return False
        return not self.cells or all(cell.means(fn) for cell, fn in self.cells)


def attempt(loop: Loop, screen: Screen) -> tuple[Any, ...] | None:
    """Return how many iterations were captured, and the variables after them.

    These are the values of the loop's variable and of what the body assigns; none if the loop goes
    on and is to be attempted again. Return None if it just goes on.
    """
    seat = get()
    assert seat is not None
    engine = seat.engine
    trips = loop.trips()
    code = loop.twin.__code__
    registry = engine.loops
    if not registry.enabled or registry.hopeless(code, loop.begin):
        return None
    if trips - loop.begin < LEAST_TRIPS:
        if code not in registry.notes:
            registry.note(code, 0, _FEW if trips else _UNEVEN)
        return None
    if registry.waits(code, loop.begin):
        return ()
    if not _completed(loop):
        return None
    stream = stream_of(loop.twin.__globals__["_s"])
    key = loop.key(stream)
    kept = registry.kept.get(key) if key is not None else None
    if kept is None or not kept.holds(loop.known):
        if not registry.worth_tracing(code, trips):
            registry.note(code, 0, "its scalars or sizes differ in every run", begin=loop.begin)
            return None
        kept = _traced(engine, loop, stream, screen)
        if key is not None:
            registry.keep(key, kept)
        registry.traced(code, kept.captured is not None, key is not None)
    if kept.captured is None:
        registry.note(code, 0, kept.reason, kept.line, loop.begin, operation=kept.operation)
        if not kept.wait:
            return None
        registry.wait(code, loop.begin + kept.wait)
        return ()
    found = _committed(engine, kept, loop, stream)
    if found is not None:
        registry.met(loop.entry_key(stream))
    return found


def entered(loop: Loop, screen: Screen) -> tuple[Any, ...] | None:
    """Attempt a loop before its first iteration, if a former run was captured after it."""
    seat = get()
    assert seat is not None
    engine = seat.engine
    registry = engine.loops
    if not registry.enabled or loop.trips() - 1 < LEAST_TRIPS or not _completed(loop):
        return None
    stream = stream_of(loop.twin.__globals__["_s"])
    if not registry.has_met(loop.entry_key(stream)):
        return None
    key = loop.key(stream)
    if key is None:
        return None
    kept = registry.kept.get(key)
    if kept is None or not kept.holds(loop.known):
        kept = _traced(engine, loop, stream, screen)
        registry.keep(key, kept)
    return None if kept.captured is None else _committed(engine, kept, loop, stream)


def _completed(loop: Loop) -> bool:
    """Give the loop the array whose columns it iterates; whether it can be captured at all."""
    loop.known.pop(loop.variable, None)
    if not loop.columns:
        return True
    array = loop.known[COLUMNS] = loop.parts[0]
    size: tuple[int, ...] = size_of(array)
    return len(size) == 2 or all(n == 1 for n in size[2:])


def _committed(engine: Any, kept: Kept, loop: Loop, stream: Any) -> tuple[Any, ...] | None:
    assert kept.captured is not None
    before = stream.state()
    code, known = loop.twin.__code__, loop.known
    trips = kept.stretch.trips
    try:
        run = partial(_ran, engine)
        commit = Commit(engine.graph, kept.captured, known, kept.stretch.rounds, stream, run)
        finals = commit.finals(kept.item)
        checked = commit.checked()
        if checked and not tried(engine, checked):
            # what it is, an error or a warning or nothing, is found out step by step
            kept.captured, kept.reason = None, "a library call has something to say"
            raise Refused(kept.reason)
    except BaseException as problem:
        # also where an interrupt or a fault ends it: the variables are those before the trip then
        stream.restore(stream.kind, stream.seed, before)
        if not isinstance(problem, Refused):
            raise
        engine.loops.note(code, 0, problem.reason, begin=loop.begin)
        return None
    engine.loops.note(code, trips, begin=loop.begin, left=loop.trips() - loop.begin)
    final = finals[""] if kept.item is not None else loop.item(loop.begin + trips - 1)
    if os.environ.get("RUNMAT_VERIFY_LOOPS", "") not in ("", "0"):
        from runmat_core.accel.loops.verify import compare

        compare(loop, trips, finals, stream, before)
    return (trips, final, *[finals.get(name, known.get(name)) for name in loop.writes])


def _traced(engine: Any, loop: Loop, stream: Any, screen: Screen) -> Kept:
    """Trace the body from the trip on before which the loop stands."""
    twin = loop.twin
    cells: tuple[Any, ...] = ()
    try:
        reason, cells = screen(twin, {**loop.known, loop.variable: None})
        if reason:
            raise Refused(reason)
        return attrs.evolve(_stretched(engine, loop, stream), cells=cells)
    except Refused as refused:
        wait = refused.wait if isinstance(refused, Varies) and loop.resumes else 0
        line, operation = line_of(refused, twin), operation_of(refused, twin)
        return Kept(None, None, refused.reason, line, cells, wait=wait, operation=operation)
    except Exception as problem:
        reason = problem.message if isinstance(problem, MatlabError) else str(problem)
        return Kept(None, None, f"tracing it ends with: {reason}", line_of(problem, twin), cells)


def _elements(value: Any) -> NDArray[Any] | None:
    """Return the elements of an array on the host, or of a small one that is computed for this.

    Return None for any other value.
    """
    if value.__class__ is Deferred:
        away = value.promise.node.data.__class__ is not np.ndarray
        if away and (value.promise.pinned or value.promise.node.size > FEW):
            return None
    elif value.__class__ is not Array:
        return None
    data: NDArray[Any] = value.data
    return data if data.size <= CONSTANTS else None


def _stretched(engine: Any, loop: Loop, stream: Any) -> Kept:
    """Return a trace of as many of the iterations that are left as one trace stands for.

    Arrays whose elements it asks for are constants.

    Raises:
        Refused: there is none.
    """
    constants: dict[str, NDArray[Any]] = {}
    while True:
        # constants take the place of variables in what is traced; loops are committed with these
        names = {name: from_numpy(data) for name, data in constants.items()}
        fixed = attrs.evolve(loop, known=loop.known | names, fixed=frozenset(names))
        try:
            kept = _over_stretches(engine, fixed, stream)
        except ElementsNeeded as needed:
            found = {name: _elements(loop.known.get(name)) for name in needed.names}
            if not constants.keys().isdisjoint(found):
                raise
            for name, data in found.items():
                if data is None:
                    raise
                # the program may write to the array where it lies
                constants[name] = data.copy(order="F")
        else:
            return attrs.evolve(kept, constants=constants)


def _over_stretches(engine: Any, loop: Loop, stream: Any) -> Kept:
    """Return a trace of as many of the trips that are left as one stands for.

    Raises:
        Refused: there is none.
    """
    left = loop.trips() - loop.begin
    stretch = Stretch(left)
    steps: dict[str, int] = {}
    where = ("", 0)
    for _ in range(TRIES):
        try:
            captured, item = _planned_over(engine, loop, stretch, stream, steps)
        except Widens as widens:
            if widens.name in loop.widened:
                raise
            refused: Refused = widens
            loop = attrs.evolve(loop, widened=loop.widened | {widens.name})
        except Varies as varies:
            shorter = stretch.shorter(varies.answers)
            if shorter is None or (shorter.trips < left and not loop.resumes):
                varies.wait = stretch.until(varies.answers)
                raise
            refused = varies
            stretch = shorter
        except Counts as counts:
            value = loop.known.get(counts.name)
            known = value.__class__ is float and abs(value) < _WHOLE and value.is_integer()
            if not known and counts.name not in loop.steady:
                refused = counts
                loop = attrs.evolve(loop, steady=loop.steady | {counts.name})
                continue
            if not known or steps.get(counts.name) == counts.step:
                raise
            refused = counts
            where = (loop.twin.__code__.co_filename, line_of(counts, loop.twin))
            steps[counts.name] = counts.step
            if counts.guessed:
                _first_step(engine, loop, stretch, stream, steps)
        except DoesNotCount as problem:
            refused = problem
            del steps[problem.name]
            loop = attrs.evolve(loop, steady=loop.steady | {problem.name})
        except Refused as problem:
            if not line_of(problem, loop.twin):
                problem.line = where  # that needs a number which does not count
            raise
        else:
            counted = {name: loop.known[name] for name in steps}
            return Kept(captured, item, stretch=stretch, counted=counted)
    raise refused


def _first_step(
    engine: Any, loop: Loop, stretch: Stretch, stream: Any, steps: dict[str, int]
) -> None:
    """Find out by how much variables grow in the first trip alone, whose subscripts are right."""
    try:
        once = Stretch(stretch.together, stretch.together)
        _traced_over(engine, loop, once, stream, steps)
    except Counts as counts:
        if not counts.guessed:
            steps[counts.name] = counts.step


def _planned_over(
    engine: Any, loop: Loop, stretch: Stretch, stream: Any, steps: Mapping[str, int]
) -> tuple[Captured, Any]:
    """Return the iterations of a stretch, and a placeholder for a variable that is no number.

    Raises:
        Refused: they cannot be captured.
        Counts: a variable counts otherwise.
    """
    found, item = _traced_over(engine, loop, stretch, stream, steps)
    entry = stream.generator.position
    return _planned(engine.loops, found, entry, stretch.rounds - 1), item


def _traced_over(
    engine: Any, loop: Loop, stretch: Stretch, stream: Any, steps: Mapping[str, int]
) -> tuple[tracing.Trace, Any]:
    """Return a trace that stands for the trips of a stretch, and the placeholder as above.

    Args:
        steps: by how much variables that count are supposed to grow.
    """
    twin, known, writes = loop.twin, loop.known, loop.writes
    # where nothing is waited for, a condition is better read than taken for both of its values
    branches = Branches(not engine.loops.on_host(), loop.steady)
    graph = tracing.TraceGraph(stretch.rounds, branches)
    names = {
        name: value
        if name in loop.fixed
        else tracing.placeholder(graph, name, value, name in writes, name in loop.widened)
        for name, value in known.items()
    }
    names = {n: v for n, v in names.items() if n not in writes or v is not known[n]}
    for name, step in steps.items():
        names[name] = tracing.item(graph, int(known[name]), step)
    item = None
    trips: list[dict[str, Any]] = []
    if loop.columns:
        item = _column(graph, names.pop(COLUMNS), loop.begin)
        trips.append({loop.variable: item})
    else:
        for k in range(stretch.together):
            first, step = int(loop.item(loop.begin + k)), int(loop.step)
            trips.append({loop.variable: tracing.item(graph, first, step * stretch.together)})
    found = tracing.trace(graph, twin, names, writes, stream, engine, trips)
    for name, step in steps.items():
        check_counts(name, int(known[name]), step, graph.affine(found.finals[name]))
    return found, item


def _column(graph: tracing.TraceGraph, columns: Any, first: int) -> Any:
    """Return the placeholder of a column, from the one with number `first` on."""
    node = columns.promise.node
    assert isinstance(node.data.leaf, Invariant)
    rows = node.shape[0]
    strides = (1 if rows != 1 else 0, 0)
    return deferred(graph.slice(node, (rows, 1), rows * first, strides, rows))


def _ran(engine: Any, nodes: Sequence[Any]) -> bool:
    """Whether a part of the loop was run, and is over."""
    done = tried(engine, nodes)
    engine.places.synchronize()
    return done


def _planned(registry: Any, found: tracing.Trace, entry: int, trips: int) -> Captured:
    """Return a trace in as few kernels as a provider takes.

    Raises:
        Refused: no provider takes it.
    """
    forms: tuple[Form, ...] = ("kernel", "apart", "repeated")
    for form in forms:
        try:
            captured = prepared(found, entry, trips, form)
            check_worth(captured, form, registry.on_host)
            piece = registry.piece([step for step, _ in captured.steps], trips)
        except Refused as refused:
            reason = refused
        else:
            return attrs.evolve(captured, piece=piece)
    raise reason
