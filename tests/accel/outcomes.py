"""What the groups of graphs built by hand compute, evaluated the slow way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from runmat_provider_tests.reference import Run

from runmat_core.accel.graph.node import Node
from runmat_core.accel.planning.group import partition
from runmat_core.accel.planning.lower import lower
from runmat_core.accel.planning.plan import BufferRef, Group, KernelCall, Subgraph
from runmat_core.api.device import NUMPY_DTYPE, Addressing, Capabilities
from runmat_core.api.ir import Kernel, LibraryCall
from tests.accel import graphs as g
from tests.accel.graphs import HOST, Data, dtype_of


def oracle(sub: Subgraph) -> list[Any]:
    """Every node by its host rule."""
    values: list[Any] = []
    for k, node in enumerate(sub.nodes):
        if node.data is not None:
            values.append(node.data)
            continue
        args = [
            values[i] if i >= 0 else value
            for i, value in zip(sub.inputs[k], node.inputs, strict=True)
        ]
        value = node.op.host(node, *args)
        if isinstance(value, tuple):
            values.append(tuple(v.reshape(node.shape, order="F") for v in value))
        else:
            values.append(np.asarray(value).reshape(node.shape, order="F").astype(dtype_of(node)))
    return values


class Outcome:
    """What the groups of a sub-graph are and compute.

    Attributes:
        groups: as `partition` gave them.
        lowered: of the groups that are no host groups.
        values: elements of each buffer written.
        status: bits that guards set.
    """

    def __init__(self, sub: Subgraph, capabilities: Capabilities = HOST) -> None:
        self.sub = sub
        self.groups: tuple[Group, ...] = partition(sub, capabilities)
        self.lowered: list[KernelCall] = []
        self.values: dict[BufferRef, Data] = {}
        self.status = 0
        for group in self.groups:
            unit = lower(sub, group, capabilities)
            if unit is None:
                self._by_rules(group)
            else:
                self.lowered.append(unit)
                self._run(unit)

    @property
    def kernels(self) -> int:
        return len(self.lowered)

    def _run(self, lowered: KernelCall) -> None:
        buffers = []
        for k, ref in enumerate(lowered.buffers):
            if k in lowered.writes and ref not in self.values:
                node = self.sub.nodes[ref.node]
                self.values[ref] = np.full(node.size, 77, dtype_of(node))
            buffers.append(self.read(ref))
        kernel = lowered.unit
        if isinstance(kernel, LibraryCall):
            buffers, kernel = self._product(kernel, lowered, buffers)
        params = [
            _exact(self.sub.nodes[p.node].inputs[p.position], p.dtype) for p in lowered.params
        ]
        if kernel is not None:
            call = isinstance(lowered.unit, LibraryCall)
            extents = lowered.extents[: len(kernel.axes)]
            check(kernel, extents, lowered.views, None if call else lowered.writes)
            run = Run(kernel, extents, buffers, lowered.views, params)
            self.status |= run.run()

    def _product(
        self, call: LibraryCall, lowered: KernelCall, buffers: list[Data]
    ) -> tuple[list[Data], Kernel | None]:
        m, n, k = lowered.extents
        turned = bool(call.attribute("trans_a"))
        a = buffers[0].reshape((k, m) if turned else (m, k), order="F")
        product = (a.T if turned else a) @ buffers[1].reshape((k, n), order="F")
        if call.epilogue is None:
            buffers[2][...] = product.ravel(order="F")
            return buffers, None
        return [product.ravel(order="F"), *buffers[2:]], call.epilogue

    def _by_rules(self, group: Group) -> None:
        for n in group.nodes:
            node = self.sub.nodes[n]
            args = [
                self.read(self._ref(i)).reshape(self.sub.nodes[i].shape, order="F")
                if i >= 0
                else value
                for i, value in zip(self.sub.inputs[n], node.inputs, strict=True)
            ]
            value = node.op.host(node, *args)
            self.values[BufferRef(n)] = np.asarray(value).astype(dtype_of(node)).ravel(order="F")

    def _ref(self, n: int) -> BufferRef:
        node = self.sub.nodes[n]
        if node.op.kind == "item":
            return BufferRef(self.sub.inputs[n][0], node.option("output"))
        return BufferRef(n)

    def read(self, ref: BufferRef) -> Data:
        node = self.sub.nodes[ref.node]
        if node.data is not None:
            return node.data.ravel(order="F")  # type: ignore[union-attr]
        return self.values[ref]

    def root(self, k: int = 0) -> Data:
        n = self.sub.outputs[k]
        return self.read(self._ref(n)).reshape(self.sub.nodes[n].shape, order="F")


def _exact(value: Any, dtype: str) -> Any:
    return NUMPY_DTYPE[dtype].type(value)


def check(
    kernel: Kernel,
    extents: Sequence[int],
    views: Sequence[Addressing],
    writes: frozenset[int] | None,
) -> None:
    """What every provider may rely on."""
    rank = len(kernel.axes)
    assert 1 <= rank <= 8
    assert len(extents) == rank
    assert len(views) == len(kernel.views)
    reduce_mask = sum(1 << k for k in kernel.axes_of("reduce"))
    scan_mask = sum(1 << k for k in kernel.axes_of("scan"))
    for view, where in zip(kernel.views, views, strict=True):
        assert len(where.strides) == rank
        assert all(moves == bool(s) for moves, s in zip(view.moves, where.strides, strict=True))
    for k, instr in enumerate(kernel.code):
        assert all(a < k for a in instr.args), instr
        over = 0
        for a in instr.args:
            over |= kernel.code[a].over
        if instr.op == "reduce":
            over &= ~reduce_mask
        if instr.op == "scan":
            over |= scan_mask
        if instr.op in ("load", "store", "index"):
            moves = kernel.views[instr.attr].moves  # type: ignore[call-overload,index]
            mask = sum(1 << j for j, m in enumerate(moves) if m)
            assert over | instr.over == (mask if instr.op != "load" or not instr.args else over)
            over = instr.over
        assert instr.over == over, instr
    for k, buffer in enumerate(kernel.buffers):
        assert writes is None or (buffer.access == "write") == (k in writes)


def compute(*roots: Node, keep: Sequence[Node] = (), capabilities: Capabilities = HOST) -> Outcome:
    """The outcome of a graph, every output compared with its host rules."""
    sub = g.subgraph(*roots, keep=keep)
    outcome = Outcome(sub, capabilities)
    expected = oracle(sub)
    for k, n in enumerate(sub.outputs):
        node = sub.nodes[n]
        tolerance = 2e-5 if node.dtype == "f32" else 1e-10
        np.testing.assert_allclose(
            outcome.root(k), expected[n], rtol=tolerance, atol=tolerance, err_msg=repr(node)
        )
    return outcome
