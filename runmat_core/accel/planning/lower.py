"""Groups as units: kernels, library calls with what follows them, the trips of a loop."""

from __future__ import annotations

from runmat_core.accel.graph.node import Shape
from runmat_core.accel.planning.lowering import Lowering
from runmat_core.accel.planning.plan import BufferRef, Group, KernelCall, LoweredUnit, Subgraph
from runmat_core.api.device import Capabilities
from runmat_core.api.ir import DTYPE_OF, Kernel, LibraryCall


def lower(subgraph: Subgraph, group: Group, capabilities: Capabilities) -> LoweredUnit | None:
    """Return a group as a unit, or as several that are repeated.

    Return None where only host rules compute it.
    """
    if group.kind == "host":
        return None
    if group.kind == "call":
        return called(subgraph, group)
    if group.kind == "loop":
        from runmat_core.accel.planning.rounds import lower_rounds
        from runmat_core.accel.planning.serial import lower_loop

        n = next(k for k in group.nodes if subgraph.nodes[k].op.kind == "loop")
        if subgraph.nodes[n].option("step").repeated:
            return lower_rounds(subgraph, n, capabilities, lower)
        return lower_loop(subgraph, n, capabilities)
    return Lowering(subgraph, group).result()


def called(sub: Subgraph, group: Group) -> KernelCall | None:
    """Return a group as a library call, with what else is in it as the epilogue."""
    n = next(k for k in group.nodes if sub.nodes[k].op.kind == "call")
    node = sub.nodes[n]
    inputs = tuple([BufferRef(i) for i in sub.inputs[n]])
    dtypes = [sub.nodes[i].dtype for i in sub.inputs[n]]
    attributes = tuple(sorted(dict(node.option("attributes", ())).items()))
    extents = extents_of(sub, n)
    if all(k == n or sub.nodes[k].op.kind == "item" for k in group.nodes):
        outputs = node.option("outputs", 1)
        made = [DTYPE_OF[cls] for cls in node.option("classes", (node.cls,) * outputs)]
        unit = LibraryCall(node.op.name, (*dtypes, *made), attributes, guards=node.guarded)
        buffers = (*inputs, *[BufferRef(n, k) for k in range(outputs)])
        written = frozenset(range(len(inputs), len(buffers)))
        return KernelCall(unit, buffers, written, extents, (), (), node.op.name)
    ending = Lowering(sub, group).result()
    if ending is None:
        return None
    assert isinstance(ending.unit, Kernel)
    dtypes.append(node.dtype)
    unit = LibraryCall(node.op.name, tuple(dtypes), attributes, ending.unit, node.guarded)
    return KernelCall(
        unit,
        (*inputs, *ending.buffers[1:]),
        frozenset([k + len(inputs) - 1 for k in ending.writes]),
        extents,
        ending.views,
        ending.params,
        ending.label,
    )


def extents_of(sub: Subgraph, n: int) -> Shape:
    """Return the sizes that the launch of a library call gets: (m, n, k) of a product.

    Of other calls what the node says, or all extents of the inputs, one after the other.
    """
    node = sub.nodes[n]
    told: Shape | None = node.option("extents")
    if told is not None:
        return told
    shapes = [sub.nodes[i].shape for i in sub.inputs[n]]
    if node.op.name == "matmul":
        turned = dict(node.option("attributes", ())).get("trans_a")
        return (*node.shape, shapes[0][0 if turned else 1])
    return tuple([extent for shape in shapes for extent in shape])
