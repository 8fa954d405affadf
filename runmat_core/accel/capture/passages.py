"""Runs of statements, remembered: what one made of arrays is made again without running them.

A *passage* is a run of statements that only assign, in code that is run again: the body of a
function, a script that is started anew. What it appends to the graph depends on what it reads: on
sizes and classes of arrays, on the values of everything else. The second time that it is run with
the same of these, what it came to is written down, and from then on it costs a look-up and its
nodes, loops that were captured among them. Random numbers are drawn where the stream then is.

Nothing is written down where the statements did more than that: where an element of an array was
looked at, something ran, a warning was issued, or a number was drawn on the host. What they call is
screened before, by the rules that hold for the bodies of captured loops.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import eq
from typing import TYPE_CHECKING, Any
from weakref import ref

import attrs
import numpy as np

from runmat_core.accel.capture import early
from runmat_core.accel.capture.direct import plain
from runmat_core.accel.capture.recipes import FEW, told, told_function
from runmat_core.accel.capture.remembered import Made, Remembered, Start, written
from runmat_core.accel.capture.views import proven_real
from runmat_core.accel.context import CaptureContext, get, let_go
from runmat_core.accel.graph.facts import facts_of
from runmat_core.accel.graph.graph import Graph
from runmat_core.accel.graph.node import COMPLEX_CLASSES, Node, structure_of
from runmat_core.accel.ops.elementwise import any_may_be_real
from runmat_core.accel.random.stream import Philox, RandomStream, stream_of
from runmat_core.api.interp import GLOBAL_NAMES
from runmat_core.values.array import Array
from runmat_core.values.deferred import Deferred, promise_of
from runmat_core.values.handle import FunctionHandle

if TYPE_CHECKING:
    from runmat_core.accel.running.engine import Engine

#: So many runs in a row of which none was known end the remembering: what is read differs each
#: time, and telling so costs as much as an operation.
MISSES = 24
#: So many forms of a passage are remembered; beyond them all are forgotten.
FORMS = 64

#: What tells whether code calls only what may be left out: a reason, empty where there is none, and
#: pairs of a function cell with what it resolves to now.
Screen = Callable[[Mapping[str, Any]], tuple[str, tuple[Any, ...]]]
#: What stands in a key for a variable that is not there.
_ABSENT = object()


@attrs.frozen(eq=False)
class Recording:
    """The beginning of a passage that is to be written down.

    Attributes:
        form: what tells such runs apart.
        given: the arrays that it reads.
        unsure: the identities of the variables that it may leave as they are.
        marks: what does not change if it only appends nodes.
        start: what is written down of it.
        outer: the passage around it that is being written down, if any.
        products: what would be started early if nothing were written down; see `capture.early`.
    """

    form: Any
    given: tuple[ref[Node], ...]
    unsure: tuple[int, ...]
    marks: tuple[Any, ...]
    start: Start
    outer: Recording | None
    products: list[Node] = attrs.Factory(list)


class StatementRun:
    """A run of statements.

    Args:
        reads: the variables that it may read before it assigns them.
        writes: those that it assigns.
        unsure: those of them that it may leave as they are.
        screen: tells whether it calls only what may be left out.
        retire: called when it is not worth asking any more.
        interp: the session.

    Attributes:
        due: large products that generated code starts when what it came to has been assigned.
    """

    __slots__ = (
        "_draws",
        "_forms",
        "_interp",
        "_misses",
        "_open",
        "_retire",
        "_screen",
        "_unsure",
        "due",
        "reads",
        "writes",
    )

    def __init__(
        self,
        reads: Sequence[str],
        writes: Sequence[str],
        unsure: Sequence[str],
        screen: Screen,
        retire: Callable[[], None],
        interp: Any,
    ) -> None:
        self.reads = tuple(reads)
        self.writes = tuple(writes)
        self._unsure = tuple(unsure)
        self._screen = screen
        self._retire = retire
        self._interp = interp
        #: by form: True when it was met once, None where it was refused
        self._forms: dict[Any, Any] = {}
        self._draws = False
        self._misses = 0
        self._open: Recording | None = None
        self.due: tuple[Node, ...] = ()

    def enter(self, variables: dict[str, Any]) -> tuple[Any, ...] | None:
        """Return the values of `writes` after it; None: it is to be run.

        Args:
            variables: the workspace, or a snapshot of locals.
        """
        found = self._entered(variables)
        let_go(variables)
        return found

    def _entered(self, variables: Mapping[str, Any]) -> tuple[Any, ...] | None:
        seat = get()
        self._close(seat)
        self.due = ()  # an interrupt may have left some
        if seat is None or seat.tracing or not seat.engine.passages:
            return None
        graph, engine = seat.graph, seat.engine
        given: list[Node] = []
        form = None if graph.pinned else self._form(seat, graph, variables, given)
        stream = stream_of(self._interp)
        if self._draws and form is not None:
            form = (*form, stream.lane)
        known = self._forms.get(form)
        if known.__class__ is Remembered:
            made: Made | None = known.made(engine, graph, given, stream)
            if made is not None:
                self._misses = 0
                engine.counters.passages += 1
                self.due = made.products
                return made.values
        self._misses += 1
        if self._misses >= MISSES:
            self._retire()
        elif known is not None:
            self._begin(form, given, variables, seat, stream)
        elif form is not None:
            if len(self._forms) >= FORMS:
                self._forms.clear()
            self._forms[form] = True
        return None

    def _form(
        self, seat: CaptureContext, graph: Graph, variables: Mapping[str, Any], given: list[Node]
    ) -> Any:
        """Return the signature of a run; None if a variable that is read has none.

        Args:
            given: filled with the nodes of the arrays that are read, each once, and with those that
                they are views of.
        """
        shadowed = variables.get(GLOBAL_NAMES, ())
        key: list[Any] = []
        for name in self.reads:
            if shadowed and name in shadowed:
                return None
            if not _told(seat, graph, variables.get(name, _ABSENT), key, given):
                return None
        return None if shadowed and any(n in shadowed for n in self.writes) else tuple(key)

    def _begin(
        self,
        form: Any,
        given: list[Node],
        variables: Mapping[str, Any],
        seat: CaptureContext,
        stream: RandomStream,
    ) -> None:
        """Look on, from here to `leave`."""
        reason, cells = self._screen(variables)
        if reason:
            return
        engine = seat.engine
        seat.writing = self._open = Recording(
            form,
            tuple([ref(node) for node in given]),
            self._identities(variables),
            self._marks(engine, stream),
            Start(
                cells,
                stream.generator.position,
                (engine.loops.captured, engine.loops.trips),
            ),
            seat.writing,
        )

    def _close(self, seat: CaptureContext | None) -> Recording | None:
        """End the looking on, if there is any: an error may have skipped `leave`."""
        begun, self._open = self._open, None
        if begun is not None and seat is not None:
            seat.writing = begun.outer
        return begun

    def start(self) -> None:
        """Start what is due."""
        products, self.due = self.due, ()
        seat = get()
        assert seat is not None
        early.begin(seat, products)

    def _identities(self, variables: Mapping[str, Any]) -> tuple[int, ...]:
        return tuple([id(variables.get(name)) for name in self._unsure])

    def _marks(self, engine: Engine, stream: RandomStream) -> tuple[Any, ...]:
        """Return what a passage that does no more than append nodes leaves unchanged."""
        generator: Any = stream.generator
        has_key = isinstance(generator, Philox)
        drawn = generator.key("uniform", "f32") if has_key else generator.state().tobytes()
        counts = (
            engine.counters.runs,
            engine.graph.looks,
            engine.provider_epoch,
            self._interp.warned,
        )
        return id(stream), id(generator), drawn, *counts

    def leave(self, variables: dict[str, Any]) -> None:
        """Write down what it came to, where `enter` has begun that."""
        seat = get()
        begun = self._close(seat)
        if begun is None or seat is None or seat.tracing:
            let_go(variables)
            return
        engine, stream = seat.engine, stream_of(self._interp)
        if (
            begun.marks == self._marks(engine, stream)
            and not seat.graph.pinned
            and not any(map(eq, begun.unsure, self._identities(variables)))
        ):
            values = [variables.get(name) for name in self.writes]
            given = [known() for known in begun.given]
            made = written(begun.start, given, values, begun.products, engine, stream.generator)
            form = begun.form
            if made is not None and made.words[0] and not self._draws:
                # where doubles begin depends on where in a block of words the stream is
                self._draws = True
                form = (*form, made.words[1])
            self._forms[form] = made
            del values, given
        let_go(variables)
        if begun.products:
            early.begin(seat, begun.products)


def _told(
    seat: CaptureContext, graph: Graph, value: Any, key: list[Any], given: list[Node]
) -> bool:
    """Append the signature of a value to `key`; return whether it has one."""
    kind = value.__class__
    if value is _ABSENT:
        key.append(value)
        return True
    number = told_function(value) if kind is FunctionHandle else told(value)
    if number is not None:
        key.append(number)
        return True
    data = value.data if kind is Array else None
    if kind is Deferred:
        data = promise_of(value).node.data
    if data.__class__ is np.ndarray:
        # of larger ones on the host any rule may look at elements, and nobody would know
        if data.size > FEW or graph.pinned:
            return False
        key.append((kind, data.shape, data.dtype.char, data.tobytes()))
        return True
    node = plain(seat, graph, value)
    if node is None:
        return False
    _tell_node(node, key, given)
    return True


def _tell_node(node: Node, key: list[Any], given: list[Node]) -> None:
    """Add the signature of a node that is on a device or pending, and of what it is a view of."""
    while node not in given:
        given.append(node)
        waits = node.data is None
        # whether an operation may leave the reals, or a place the array, follows from the facts
        key += (node.shape, node.cls, waits, node.real or proven_real(node), facts_of(node))
        if node.cls in COMPLEX_CLASSES:
            key.append(any_may_be_real((node,)))
        if not waits:
            return
        key.append(structure_of(node))
        kind = node.op.kind
        if kind in ("range", "fill"):
            # subscripts are told from these numbers
            key.append(tuple([repr(value) for value in node.inputs]))
        if kind != "view":
            return
        key += (node.op, node.static)
        node = node.inputs[0]
    key.append((given.index(node),))
