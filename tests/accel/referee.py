"""A graph that computes its nodes by the reference: what captured operations are judged by."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.accel import context
from runmat_core.accel.capture import starting
from runmat_core.accel.graph import rules
from runmat_core.accel.graph.fragments import code_of, signature
from runmat_core.accel.graph.graph import Graph
from runmat_core.accel.graph.node import Node
from runmat_core.api import ir
from runmat_core.api.device import NUMPY_DTYPE
from runmat_core.builtins import fusing, registry
from runmat_core.values import from_numpy
from tests.accel import reference

Data = NDArray[Any]


class Referee:
    """Evaluates nodes by `reference`, or by their host rules where a guard fires.

    Attributes:
        fired: names of the operations whose guards fired.
        nodes: how many nodes were computed by their code.
        places: told what it offers.
    """

    #: There is no device to start anything on.
    device: Any = None

    def __init__(self) -> None:
        self.places = self
        self.fired: list[str] = []
        self.nodes = 0
        self.graph = Graph(self.evaluate)
        self.seat = context.CaptureContext(1, lambda seat: self)
        # all rules, as the first large array of a session puts them in place
        starting.arrange(1)
        context.load()

    def offers(self, name: str) -> bool:
        """No library calls."""
        return False

    def evaluate(self, nodes: Sequence[Node]) -> None:
        with np.errstate(all="ignore"), context.running(None):
            for node in rules.pending_below(nodes):
                node.data = self.elements(node)

    def elements(self, node: Node) -> Any:
        if node.op.kind == "item":
            return node.inputs[0].data[node.option("output")]
        code = code_of(node).fragment
        if code is None:  # a library call or a view
            return self.by_rule(node)
        rank = len(node.shape)
        rank = max([rank, *(len(v.shape) for v in node.inputs if v.__class__ is Node)])
        inputs = [operand(v, d, rank) for v, d in zip(node.inputs, code.inputs, strict=True)]
        if node.guarded and self.leaves(node, inputs):
            self.fired.append(node.op.name)
            return self.by_rule(node)
        self.nodes += 1
        axes = tuple(node.option("axes", ()))
        found = reference.fragment(code, inputs, axes, node.option("axis"))
        results = tuple(np.asfortranarray(r.reshape(node.shape, order="F")) for r in found)
        assert results[0].dtype == NUMPY_DTYPE[node.dtype], node
        return results if int(node.option("outputs", 1)) > 1 else results[0]

    def by_rule(self, node: Node) -> Any:
        """The elements of a node by its host rule."""
        values = [from_numpy(v.data) if v.__class__ is Node else v for v in node.inputs]
        return rules.data_of(node, node.op.host(node, *values))

    def leaves(self, node: Node, inputs: Sequence[Data]) -> bool:
        """Whether the guard of a node fires."""
        assert node.op.guard is not None, node
        dtypes, known = signature(node)
        code = ir.trace(node.op.guard, dtypes, known)  # type: ignore[arg-type]
        (outside,) = reference.fragment(code, inputs)
        return bool(outside.any())

    def call(self, name: str, *args: Any, nargout: int = 1) -> Any:
        """What a builtin captures: deferred values, or NotImplemented."""
        spec = registry.find(name)
        assert spec is not None, name
        with context.running(self.seat), np.errstate(all="ignore"):
            return fusing.capture(spec, args, nargout)

    def run(self, function: Callable[..., Any], *args: Any) -> Any:
        """What `function` gives while operators capture."""
        with context.running(self.seat):
            return function(*args)


def operand(value: Any, dtype: str, rank: int) -> Data:
    """An input of a node as the reference takes it."""
    if value.__class__ is not Node:
        return np.full((1,) * rank, value, NUMPY_DTYPE[dtype])
    data: Any = value.data
    extended: Data = data.reshape(data.shape + (1,) * (rank - data.ndim), order="F")
    return extended


def by_host(name: str, *args: Any, nargout: int = 1) -> Any:
    """What a builtin gives without a graph."""
    spec = registry.find(name)
    assert spec is not None, name
    function = registry.bind(spec, None)  # type: ignore[arg-type]
    with context.running(None), np.errstate(all="ignore"):
        return function(nargout, *args)
