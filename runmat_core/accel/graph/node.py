"""Nodes of the acceleration graph: what was asked for and not yet computed.

A node has its size and class from the start. Its elements come later: when something reads them,
the sub-graph below is planned and run, and `data` is set. Nodes are compared by identity; what they
have in common is the interned structural number `value_number`, which covers operation, static
arguments, size, class and which inputs are scalars of which value class. It covers no scalar's
value and nothing about the arrays among the inputs: what these were made from is history once they
are computed, and numbers that held it would never come again in a loop.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable
from functools import lru_cache
from itertools import count
from typing import Any, Literal, Protocol
from weakref import ref

import attrs
from numpy.typing import NDArray

from runmat_core.api.device import NUMPY_DTYPE, DeviceArray
from runmat_core.api.ir import COMPLEX, COMPLEX_CLASS, DTYPE_OF, Fragment, known_class

#: The classes of nodes with complex elements.
COMPLEX_CLASSES = frozenset(COMPLEX_CLASS.values())
#: Their element types, as the names of the IR and as NumPy's.
_COMPLEX_DTYPES = frozenset([*COMPLEX, *(NUMPY_DTYPE[name] for name in COMPLEX)])

Shape = tuple[int, ...]

#: How a node's elements come from those of its inputs.
#:
#: - ``source``: no inputs; `data` is set from the start.
#: - ``map``: element by element, inputs expanded to the node's shape.
#: - ``reduce``: static ``axes`` (sorted tuple) of input 0 become extent 1; ``options`` as pairs.
#: - ``scan``: along static ``axis`` of input 0; ``reverse``.
#: - ``view``: every element is an element of input 0, at a place affine in its own place: static
#:   ``offset`` and ``strides`` over the node's axes, in elements of input 0 numbered column-major.
#:   Transpose, permute, reshape, repmat, ranges as subscripts, flips.
#: - ``gather``: elements of input 0 at the linear places (from zero) that input 1 holds.
#: - ``cat``: inputs one after the other along static ``axis``.
#: - ``update``: input 0 with the region that the view (static ``offset``, ``strides``, ``region``
#:   shape) selects replaced by input 1, which has the region's shape or is a scalar.
#: - ``random``: static ``distribution``; inputs are four ints: key low, high, position low, high.
#: - ``range``: inputs are two floats: start and step; element i is ``start + i*step``.
#: - ``fill``: input is one scalar.
#: - ``call``: a library call; static ``attributes`` as in `LibraryCall`; several outputs possible.
#: - ``loop``: the trips of a loop (`accel.planning.step`); several outputs possible.
#: - ``item``: output number static ``output`` of a node with several outputs (reduce, call).
Kind = Literal[
    "source",
    "map",
    "reduce",
    "scan",
    "view",
    "gather",
    "cat",
    "update",
    "random",
    "range",
    "fill",
    "call",
    "loop",
    "item",
]


@attrs.define(eq=False)
class Op:
    """An operation that nodes can have; one object each, compared by identity.

    Attributes:
        name: the builtin's or operator's name, for people and plans.
        kind: see `Kind`.
        keeps_complex: whether results stay complex where all imaginary parts are zero.
        host: the host rule on MATLAB values: ``host(node, *values)`` gives the node's value, a
            tuple where the node has several outputs. It is the oracle, the fallback for what
            providers decline, and what runs when a guard fires.
        fragment: the code of a map, reduce or scan: ``fragment(dtypes, known, options)`` with the
            element types of the inputs and the value classes of the scalars among them (None for
            arrays); its inputs have those very types and its outputs the types of the node's
            outputs. None where there is no such code for these types.
        guard: for maps whose result may be complex: ``guard(*values) -> V`` tells over IR values
            (in the types of `dtypes`) where an element leaves the domain. None: never.
    """

    name: str
    kind: Kind
    host: Callable[..., Any]
    fragment: Callable[[tuple[str, ...], tuple[str | None, ...], Any], Fragment | None] | None = (
        None
    )
    guard: Callable[..., Any] | None = None
    keeps_complex: bool = False


class Graph(Protocol):
    """What a node asks of the graph that it belongs to."""

    interner: ValueNumbering

    def elements(self, node: Node) -> NDArray[Any]:
        """Return the elements of a node on the host."""


#: What a node takes in: another node, or a scalar (int only as a u32 of a ``random`` node).
Input = Any


@lru_cache(maxsize=256)
def _lines_of(code: Any) -> tuple[list[int], list[int]]:
    """Where each stretch of code begins, and the line that it comes from; 0 where it has none."""
    stretches = list(code.co_lines())
    return [start for start, _, _ in stretches], [line or 0 for _, _, line in stretches]


def line_of(place: tuple[Any, int]) -> tuple[str, int]:
    """Return the file and the line of an instruction, given by code object and offset."""
    code, at = place
    if code.__class__ is str:
        return code, at
    # finding the line takes microseconds, so it is done when somebody asks
    starts, lines = _lines_of(code)
    return code.co_filename, lines[bisect_right(starts, at) - 1]


class Node:
    """A value of the graph.

    Attributes:
        op: the operation.
        inputs: nodes and Python scalars.
        static: what else the operation needs, as sorted pairs (name, hashable value).
        shape: at least two extents, no trailing ones beyond the second.
        cls: MATLAB's class of the elements, numeric or logical, and ``complex single`` or ``complex
            double`` where they are complex. Whether MATLAB would have made such a result real is
            found out when a value that stands for it is read.
        value_number: structural number: of the node alone, whatever its inputs are.
        tree: the number of all that is below it; 0 until `structure_of` is asked for it.
        guarded: whether its operation may leave the reals here, so that a guard must watch it.
        place: the code object and the offset in it of the instruction that asked for it.
        line: where it was written: (file, line), for errors and `explain`.
        handle: a weak reference to what the values that stand for it hold; None where no value
            ever did.
        meets: of one element: how many operations on scalars led from a larger array here.
        data: None while pending; then the elements as a column-major ndarray, or a handle on them.
            For a node with several outputs a tuple of these.
        reads: how often it was computed without being kept: the second time it is.
        real: whether it is known that its elements are real, whatever guards will tell.
        facts: what is known of the elements (`accel.graph.facts`), None until asked for.
        pinned: whether the program put it on the device itself, or what it was made from.
        graph: where it belongs; asked for the elements.
    """

    __slots__ = (
        "__weakref__",
        "cls",
        "data",
        "facts",
        "graph",
        "guarded",
        "handle",
        "inputs",
        "meets",
        "op",
        "pinned",
        "place",
        "reads",
        "real",
        "shape",
        "static",
        "tree",
        "value_number",
    )

    op: Op
    inputs: tuple[Input, ...]
    static: tuple[tuple[str, Hashable], ...]
    shape: Shape
    cls: str
    value_number: int
    guarded: bool
    place: tuple[Any, int]
    handle: ref[Any] | None
    meets: int
    pinned: bool
    data: NDArray[Any] | DeviceArray | tuple[Any, ...] | None
    reads: int
    real: bool
    facts: Any
    graph: Graph
    tree: int

    def __init__(
        self,
        graph: Graph,
        op: Op,
        inputs: tuple[Input, ...],
        static: tuple[tuple[str, Hashable], ...],
        shape: Shape,
        cls: str,
        value_number: int,
        guarded: bool = False,
        place: tuple[Any, int] = ("", 0),
    ) -> None:
        self.graph = graph
        self.op = op
        self.inputs = inputs
        self.static = static
        self.shape = shape
        self.cls = cls
        self.value_number = value_number
        self.guarded = guarded
        self.place = place
        self.handle = None
        self.meets = 0
        self.pinned = False
        self.data = None
        self.reads = 0
        self.real = False
        self.facts = None
        self.tree = 0

    @property
    def dtype(self) -> str:
        """The element type by IR name."""
        return DTYPE_OF[self.cls]

    @property
    def size(self) -> int:
        """Return the number of elements."""
        size = 1
        for extent in self.shape:
            size *= extent
        return size

    @property
    def is_complex(self) -> bool:
        """Return whether elements are complex."""
        return self.cls in COMPLEX_CLASSES

    @property
    def holds_complex(self) -> bool:
        """Whether its elements are complex though it was taken for real."""
        if self.is_complex:
            return False
        data = self.data
        parts = data if data.__class__ is tuple else (data,)
        return any(getattr(part, "dtype", None) in _COMPLEX_DTYPES for part in parts)

    @property
    def line(self) -> tuple[str, int]:
        """The file and the line of the code that asked for it; ("", 0) where none did."""
        return line_of(self.place)

    @property
    def held(self) -> bool:
        """Whether a value stands for it, so that its elements may still be asked for."""
        return self.handle is not None and self.handle() is not None

    def elements(self) -> NDArray[Any]:
        """Return the elements on the host, computed now where they are pending."""
        return self.graph.elements(self)

    def option(self, name: str, default: Hashable = None) -> Any:
        """Return an entry of `static`."""
        for key, value in self.static:
            if key == name:
                return value
        return default

    def __repr__(self) -> str:
        size = "x".join(map(str, self.shape))
        return f"<{self.op.name} {size} {self.cls} #{self.value_number}>"


class Equation:
    """A node that is made again and again, of other nodes each time; see `Node`.

    Compared by identity: the structural numbers of its nodes are kept by it.

    Attributes:
        inputs: for each (number of a node, None), (-1, scalar) or (-2, number of a word).
        form: what the structural number sees in place of `static`.
        facts: that are known without looking at inputs.
        place: where it was written.
    """

    __slots__ = (
        "cls",
        "facts",
        "form",
        "guarded",
        "inputs",
        "meets",
        "op",
        "place",
        "shape",
        "static",
    )

    def __init__(
        self,
        op: Op,
        inputs: tuple[tuple[int, Any], ...],
        static: tuple[tuple[str, Hashable], ...],
        form: Any,
        shape: Shape,
        cls: str,
        guarded: bool,
        meets: int,
        facts: Any,
        place: tuple[Any, int] = ("", 0),
    ) -> None:
        self.op = op
        self.inputs = inputs
        self.static = static
        self.form = form
        self.shape = shape
        self.cls = cls
        self.guarded = guarded
        self.meets = meets
        self.facts = facts
        self.place = place

    def reading(self, inputs: tuple[tuple[int, Any], ...]) -> Equation:
        """Return the same with other inputs."""
        rest = self.shape, self.cls, self.guarded, self.meets, self.facts, self.place
        return Equation(self.op, inputs, self.static, self.form, *rest)


#: What a structural number sees of an array among the inputs.
ARRAY = "array"
ONE_ARRAY, TWO_ARRAYS = (ARRAY,), (ARRAY, ARRAY)
#: The first entry of what it sees of a view that shows a part, in place of where that begins.
PART = "part"


def input_class(value: Input) -> str:
    """Return what a structural number sees of an input: a node, or a scalar's value class."""
    kind = value.__class__
    if kind is Node:
        return ARRAY
    if kind is float:
        return known_class(value)
    return "u32" if kind is int else "bool"


class ValueNumbering:
    """Structural numbers: equal structures get equal numbers, while the table remembers them.

    Those of views that show a part, wherever it begins, are negative.
    """

    #: More structures than this are forgotten all at once; numbers are never given again.
    LIMIT = 1 << 16

    def __init__(self) -> None:
        self.numbers: dict[Hashable, int] = {}
        self.facts: dict[Hashable, Any] = {}  # what `accel.graph.facts` found of structures
        self.runs: dict[Hashable, list[int]] = {}  # of the nodes that `Graph.again` makes
        self._next = count(1).__next__

    def number(
        self,
        op: Op,
        inputs: tuple[Input, ...],
        static: tuple[tuple[str, Hashable], ...],
        shape: Shape,
        cls: str,
        guarded: bool,
    ) -> int:
        """Return the structural number of a node."""
        key = (op, static, shape, cls, guarded, *map(input_class, inputs))
        return self.numbers.get(key) or self.add(key)

    def add(self, key: Any) -> int:
        """Return a number for a structure that has none."""
        if len(self.numbers) >= self.LIMIT:
            self.numbers.clear()
        found = self._next()
        if key.__class__ is tuple and key[1][:1] == (PART,):
            found = -found
        self.numbers[key] = found
        return found

    def __len__(self) -> int:
        return len(self.numbers)


def structure_of(node: Node) -> int:
    """Return a number for a pending node with all that is below it, down to what was computed."""
    stack = [node]
    while stack:
        one = stack[-1]
        if not one.tree:
            below = [value for value in one.inputs if value.__class__ is Node]
            waiting = [value for value in below if not value.tree]
            if waiting:
                stack += waiting
                continue
            interner = one.graph.interner
            key = (one.op, (), one.value_number, one.data is None, *[value.tree for value in below])
            one.tree = interner.numbers.get(key) or interner.add(key)
        stack.pop()
    return node.tree


def _no_rule(node: Node, *values: Any) -> Any:
    raise AssertionError("a source has its data")


SOURCE = Op("source", "source", _no_rule)
