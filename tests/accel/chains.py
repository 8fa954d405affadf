"""Plans of groups of one node each, and places for them to run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runmat_core.accel.graph.node import SOURCE, Node, Op
from runmat_core.accel.placement.costs import Costs, Link, Rates
from runmat_core.accel.placement.offload import place
from runmat_core.accel.planning.plan import BufferRef, Group, KernelCall, Subgraph
from runmat_core.api import ir
from runmat_core.api.device import Addressing, Capabilities, DeviceArray

ALL = frozenset(ir.ITEMSIZE)
MAP = Op("f", "map", lambda node, *values: None)


class Device:
    def __init__(self, name: str, kind: Any = "device", **capabilities: Any) -> None:
        self.name = name
        self.capabilities = Capabilities(
            name=name,
            kind=kind,
            **{"dtypes": ALL, "libraries": frozenset({"matmul"})} | capabilities,
        )


GPU = Device("gpu")
CPU = Device("cpu", "host")

#: A device a thousand times as fast as the host, at the far end of a slow link.
COSTS = Costs(
    device=Rates(1e-5, {"stream": 1e-13}, Link(1e-4, 1e-10), Link(1e-4, 1e-10)),
    host=Rates(2e-5, {"stream": 1e-10}),
    rules=Rates(1e-6, {"stream": 1e-10}),
    overhead=0,
    aside=0,
)


def kernel(function: Callable[..., Any], inputs: int, dtype: str = "f64") -> ir.Kernel:
    """One output over one axis from contiguous inputs."""
    builder = ir.Builder()
    values = [ir.V(builder, builder.emit("load", (), dtype, 1, k)) for k in range(inputs)]
    result = function(*values)
    builder.emit("store", (result.position,), result.dtype, 1, inputs)
    buffers = (*(ir.Buffer(dtype) for _ in values), ir.Buffer(result.dtype, "write"))
    views = tuple(ir.View(k, (True,), True) for k in range(inputs + 1))
    return ir.Kernel((ir.Axis(),), buffers, views, (), tuple(builder.code))


class Chain:
    """Groups of one node each over vectors of `size` doubles, node 0 being the only leaf.

    `reads` gives for each group the numbers of the nodes that it reads; group k makes node k + 1.
    """

    def __init__(
        self,
        reads: list[tuple[int, ...]],
        size: int = 10**6,
        leaf: Any = None,
        function: Callable[..., Any] | None = None,
        cls: str = "double",
    ) -> None:
        shape = (size, 1)
        nodes = [Node(None, SOURCE, (), (), shape, cls, 0)]  # type: ignore[arg-type]
        nodes[0].data = np.zeros(shape, order="F") if leaf is None else leaf
        self.groups, self.lowered = [], []
        users: list[list[int]] = [[] for _ in range(len(reads) + 1)]
        for number, inputs in enumerate(reads, 1):
            nodes.append(
                Node(None, MAP, tuple(nodes[i] for i in inputs), (), shape, cls, number)  # type: ignore[arg-type]
            )
            for i in inputs:
                users[i].append(number)
            unit = kernel(
                function or (lambda x, *others: sum(others, x) * 2 + 1),
                len(inputs),
                ir.DTYPE_OF[cls],
            )
            refs = (*map(BufferRef, inputs), BufferRef(number))
            views = (Addressing(0, (1,)),) * len(refs)
            writes = frozenset({len(inputs)})
            self.lowered.append(KernelCall(unit, refs, writes, (size,), views, (), "f"))
            self.groups.append(Group("kernel", (number,), (number,), shape))
        self.subgraph = Subgraph(
            nodes,
            [(), *reads],
            users,
            (len(reads),),
            frozenset(),
            {id(node): k for k, node in enumerate(nodes)},
        )

    def place(
        self, device: Any = GPU, host: Any = CPU, costs: Costs = COSTS, **options: Any
    ) -> Any:
        return place(self.subgraph, self.groups, self.lowered, device, host, costs, **options)

    def targets(self, **options: Any) -> list[str]:
        return [decision.target for decision in self.place(**options)]

    def reasons(self, **options: Any) -> list[str]:
        return [decision.reason for decision in self.place(**options)]


def resident(size: int = 10**6) -> DeviceArray:
    return DeviceArray((size, 1), "f64", "gpu", object())


def long_chain(count: int) -> list[tuple[int, ...]]:
    return [(k,) for k in range(count)]
