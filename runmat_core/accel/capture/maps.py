"""The capture of elementwise operations (`ops.elementwise`): classes, sizes, and what guards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from runmat_core.accel.capture.boundary import any_node_of, deferred, node_of
from runmat_core.accel.graph import classes, facts
from runmat_core.accel.graph.classes import Operand
from runmat_core.accel.graph.fragments import signature_of
from runmat_core.accel.graph.graph import Graph
from runmat_core.accel.graph.node import Node, Op, Shape
from runmat_core.accel.ops.elementwise import ITEM, expanded, map_op, undecided
from runmat_core.api import ir
from runmat_core.api.fusion import Map

# -- capture ---------------------------------------------------------------------------------------


#: By operation of nodes, what has it, where facts of operands decide about a guard or a refusal.
LEAVES: dict[Op, Mapped] = {}
#: By operation of nodes, how it is captured.
MAPPED: dict[Op, Mapped] = {}


class Mapped:
    """An elementwise operation as it is captured.

    Attributes:
        op: of the nodes.
        spec: where its class rule and what it refuses stand.
        leaves: whether the inputs of a node may lead out of the reals.
        outputs: how many there are.
        of_complex: what it is where an operand is complex.
        of_long: what it is of 64-bit integers.
        take: what makes an input of a value.
        outcomes: for operands of known classes the class of the result, None where they do not
            fuse.
    """

    __slots__ = ("leaves", "of_complex", "of_long", "op", "outcomes", "outputs", "spec", "take")

    def __init__(
        self,
        op: Op,
        spec: Map,
        leaves: Callable[[tuple[Any, ...]], bool] | None = None,
        outputs: int = 1,
        of_complex: Mapped | None = None,
        of_long: Mapped | None = None,
        take: Callable[[Graph, Any], Any] = node_of,
    ) -> None:
        self.op = op
        self.spec = spec
        self.leaves = leaves
        self.outputs = outputs
        self.of_complex = of_complex
        self.of_long = of_long
        self.take = take
        self.outcomes: dict[Any, str | None] = {}
        MAPPED[self.op] = self
        if self.leaves is not None or self.spec.refuses is not None:
            LEAVES[self.op] = self

    def capture(self, graph: Graph, values: tuple[Any, ...]) -> Any:
        """A deferred array for this operation of `values`, a tuple where it has several outputs;
        NotImplemented where it does not fuse.

        Raises:
            MatlabError: MATLAB:sizeDimensionsMustMatch; RunMat:fusion:trace.
        """
        inputs: list[Any] = []
        key: list[Any] = []
        shape: Shape = (1, 1)
        take = self.take
        for value in values:
            node = take(graph, value)
            if node is None:
                return self._of_complex(graph, values)
            inputs.append(node)
            kind = node.__class__
            if kind is Node:
                extents: Shape = node.shape
                one = extents == (1, 1)
                key.append((node.cls, one))
                if not one and extents != shape:
                    shape = extents if shape == (1, 1) else expanded(shape, extents)
            else:
                key.append(kind)
                key.append(ir.known_class(node))
        found = tuple(key)
        outcomes = self.outcomes
        cls = outcomes[found] if found in outcomes else self._outcome(found, inputs)
        operands = tuple(inputs)
        if cls is None and self.of_long is not None and _are_long(operands):
            return self.of_long.capture(graph, values)
        if cls is None or (self.spec.refuses is not None and self.refuses(operands)):
            return NotImplemented
        guarded = self.leaves is not None and self.leaves(operands)
        if self.outputs > 1:
            # one node has them all, so that what they share is computed once
            static = (("outputs", self.outputs),)
            whole = graph.append(self.op, operands, static, shape, cls, guarded)
            return items(graph, whole, [cls] * self.outputs)
        return deferred(graph.append(self.op, operands, (), shape, cls, guarded))

    def _of_complex(self, graph: Graph, values: tuple[Any, ...]) -> Any:
        """The capture of values of which one is complex, or nothing that is captured."""
        if self.of_complex is None:
            return NotImplemented
        return self.of_complex.capture(graph, values)

    def class_of(self, inputs: tuple[Any, ...]) -> str | None:
        """The class of the result for inputs of a node; None where they do not fuse."""
        operands = tuple([_operand(value) for value in inputs])
        return self._outcome(("inputs", operands, *signature_of(inputs)), inputs)

    def _outcome(self, key: Any, inputs: Sequence[Any]) -> str | None:
        """The class of the result where there is code for it."""
        operands = tuple(_operand(value) for value in inputs)
        found = classes.outcome(self.spec.classes, operands)
        cls = None if found is None else found.cls
        if cls is not None and self.op.fragment is not None:
            dtypes, known = signature_of(inputs)
            if self.op.fragment(dtypes, known, ()) is None:
                cls = None
        self.outcomes[key] = cls
        return cls

    def refuses(self, inputs: tuple[Any, ...]) -> bool:
        """Whether the builtin may raise an error for these."""
        if self.spec.refuses == "nan":
            return any(map(facts.may_be_nan, inputs))
        assert self.spec.domain is not None
        return facts.may_leave(inputs[0], *self.spec.domain)


@lru_cache(maxsize=1024)
def mapped(name: str, spec: Map, host: Callable[..., Any], outputs: int = 1) -> Mapped:
    """The operation that `spec` describes, ready for capture; see `map_op`."""
    op = map_op(name, spec, host, outputs)
    of_complex = None
    if spec.of_complex is not None:
        of_complex = mapped(name, spec.of_complex, host, outputs)
        of_complex.take = any_node_of
    of_long = None if spec.of_long is None else mapped(name, spec.of_long, host, outputs)
    if op.guard is None:
        return Mapped(op, spec, None, outputs, of_complex, of_long)
    if spec.guard is not None or spec.domain is None:
        return Mapped(op, spec, undecided, outputs, of_complex, of_long)
    low, high = spec.domain
    leaves = lambda inputs: facts.may_leave(inputs[0], low, high)  # noqa: E731
    return Mapped(op, spec, leaves, outputs, of_complex, of_long)


#: The 64-bit integer classes, with the least number and the one past the largest.
_RANGE = {"int64": (-(2.0**63), 2.0**63), "uint64": (0.0, 2.0**64)}


def _are_long(inputs: tuple[Any, ...]) -> bool:
    """Whether 64-bit integers meet nothing else but whole numbers of their class."""
    classes = {value.cls for value in inputs if value.__class__ is Node} & _RANGE.keys()
    if len(classes) != 1:
        return False
    low, high = _RANGE[classes.pop()]
    return all(
        value.is_integer() and low <= value < high for value in inputs if value.__class__ is float
    )


def items(graph: Graph, whole: Node, classes: Sequence[str]) -> tuple[Any, ...]:
    """Deferred arrays for the outputs of a node, of these classes."""
    return tuple(
        [
            deferred(graph.append(ITEM, (whole,), (("output", k),), whole.shape, cls))
            for k, cls in enumerate(classes)
        ]
    )


def _operand(value: Any) -> Operand:
    if value.__class__ is Node:
        return Operand(value.cls, value.shape == (1, 1), False)
    return Operand("logical" if value.__class__ is bool else "double", True, True)


# -- tracing with errors that name the culprit -----------------------------------------------------
