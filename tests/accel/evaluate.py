"""Sub-graphs by hand, and their elements node by node: what rewritten ones are compared with."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.accel.graph.graph import Graph
from runmat_core.accel.graph.node import SOURCE, Node, Op
from runmat_core.accel.planning.plan import Subgraph
from runmat_core.accel.planning.rewrite import ALL, Rewritten, rewrite
from runmat_core.api.device import NUMPY_DTYPE, Capabilities
from runmat_core.api.ir import DTYPE_OF

HOST = Capabilities(
    name="a host",
    kind="host",
    dtypes=frozenset({"f32", "f64", "bool"}),
    libraries=frozenset({"matmul"}),
)
DEVICE = Capabilities(
    name="a device",
    kind="device",
    dtypes=frozenset({"f32", "f64", "bool"}),
    libraries=frozenset({"matmul", "syrk", "syrk_centred", "matmul_centred"}),
)


def round_half_away(x: NDArray[Any]) -> NDArray[Any]:
    whole = np.trunc(x)
    return np.where(np.abs(x - whole) >= 0.5, whole + np.sign(x), whole)


#: What operations do to arrays, by name; classes by the node's own.
MAPS: dict[str, Callable[..., Any]] = {
    "plus": np.add,
    "minus": np.subtract,
    "times": np.multiply,
    "rdivide": np.divide,
    "ldivide": lambda a, b: np.divide(b, a),
    "power": np.power,
    "uminus": np.negative,
    "uplus": np.positive,
    "not": np.logical_not,
    "abs": np.abs,
    "exp": np.exp,
    "sin": np.sin,
    "sqrt": lambda x: np.emath.sqrt(x),
    "round": round_half_away,
    "floor": np.floor,
    "ceil": np.ceil,
    "fix": np.trunc,
    "max": np.fmax,
    "double": lambda x: x,
    "single": lambda x: x,
    "gt": np.greater,
}
REDUCTIONS: dict[str, Callable[..., Any]] = {
    "sum": np.sum,
    "mean": np.mean,
    "prod": np.prod,
    "max": np.fmax.reduce,
    "min": np.fmin.reduce,
    "any": np.any,
    "all": np.all,
    "mean square": np.var,
}


def places(shape: Sequence[int], offset: Any, strides: Any) -> NDArray[Any]:
    """The numbers of the elements that a view has."""
    place = np.full(shape, offset)
    for axis, stride in enumerate(strides):
        along = [1] * len(shape)
        along[axis] = -1
        place = place + np.arange(shape[axis]).reshape(along) * stride
    return place


def seen(source: NDArray[Any], view: Any) -> NDArray[Any]:
    """Return the elements that a view shows of an array; None: all of it."""
    return source if view is None else source.ravel(order="F")[places(*view)]


def strided(node: Node, source: NDArray[Any]) -> NDArray[Any]:
    elements = seen(source, (node.shape, node.option("offset"), node.option("strides")))
    return elements.conj() if node.op.name == "ctranspose" else elements


def product(node: Node, a: NDArray[Any], *rest: NDArray[Any]) -> NDArray[Any]:
    said: Any = dict(node.option("attributes", ()))  # type: ignore[call-overload]
    if said.get("syrk"):
        assert said.get("trans_a")
        a = a - rest[0] if "centre" in said else a
        return a.T @ a
    b = rest[0]
    if said.get("centre") == "a":
        a = a - rest[1]
    elif said.get("centre") == "b":
        b = b - rest[1]
    return (a.T if said.get("trans_a") else a) @ (b.T if said.get("trans_b") else b)


def reduced(node: Node, x: NDArray[Any]) -> NDArray[Any]:
    axes: Any = node.option("axes")
    return np.asarray(REDUCTIONS[node.op.name](x, axis=axes, keepdims=True)).reshape(node.shape)


def value_of(node: Node, inputs: Sequence[Any]) -> NDArray[Any]:
    """The elements of a node from those of its inputs, complex where they turn out so."""
    kind = node.op.kind
    if kind == "map":
        # a Python number takes the class of the arrays that it meets, as in MATLAB
        found = MAPS[node.op.name](*[_aligned(value, len(node.shape)) for value in inputs])
        found = np.broadcast_to(found, node.shape)
    elif kind == "reduce":
        found = reduced(node, *inputs)
    elif kind == "view":
        found = strided(node, *inputs)
    elif kind == "call":
        found = product(node, *inputs)
    elif kind == "fill":
        found = np.full(node.shape, inputs[0])
    elif kind == "cat":
        views: Any = node.option("parts", [None] * len(inputs))
        parts = [seen(x, view) for x, view in zip(inputs, views, strict=True)]
        found = np.concatenate(parts, node.option("axis"))
    elif kind == "update":
        found = inputs[0].flatten(order="F")
        region: Any = node.option("region")
        where = places(region, node.option("offset"), node.option("strides"))
        part = seen(inputs[1], node.option("part", None))
        found[where.ravel(order="F")] = part.ravel(order="F")
        found = found.reshape(node.shape, order="F")
    else:
        assert kind == "random", kind
        found = np.random.default_rng(list(inputs)).random(node.shape)
    if np.iscomplexobj(found):
        return np.asarray(found)
    if node.cls.startswith(("int", "uint")):
        limits = np.iinfo(node.cls)
        found = np.clip(round_half_away(found.astype(float)), limits.min, limits.max)
    return np.asarray(found.astype(NUMPY_DTYPE[DTYPE_OF[node.cls]]))


def _aligned(value: Any, rank: int) -> Any:
    """Broadcasting aligns leading dimensions, NumPy's the trailing ones."""
    if not isinstance(value, np.ndarray):
        return value
    return value.reshape(value.shape + (1,) * (rank - value.ndim))


def evaluate(subgraph: Subgraph, scalars: Sequence[tuple[Any, ...]] | None = None) -> list[Any]:
    """The elements of every node.

    Args:
        scalars: for each node the inputs to take its scalars from; by default its own.
    """
    values: list[Any] = []
    with np.errstate(all="ignore"):
        for k, node in enumerate(subgraph.nodes):
            if node.data is not None:
                values.append(node.data)
                continue
            own = node.inputs if scalars is None else scalars[k]
            inputs = [
                values[i] if i >= 0 else own[position]
                for position, i in enumerate(subgraph.inputs[k])
            ]
            value = value_of(node, inputs)
            assert value.shape == node.shape, node
            values.append(value)
    return values


def never(nodes: Sequence[Node]) -> None:
    raise AssertionError("rewriting computes nothing")


class Making:
    """Nodes of a graph that never runs, one method for each kind."""

    def __init__(self) -> None:
        self.graph = Graph(never)
        self.ops: dict[tuple[str, str], Op] = {}

    def node(
        self,
        name: str,
        kind: str,
        inputs: tuple[Any, ...],
        shape: tuple[int, ...],
        cls: str,
        static: dict[str, Hashable] | None = None,
        guarded: bool = False,
    ) -> Node:
        op = self.ops.setdefault((name, kind), Op(name, kind, lambda *_: None))  # type: ignore[arg-type]
        facts = tuple(sorted((static or {}).items()))
        return self.graph.append(op, inputs, facts, shape, cls, guarded)

    def source(self, data: Any) -> Node:
        array = np.asfortranarray(data)
        cls = {"float64": "double", "float32": "single", "bool": "logical"}.get(
            array.dtype.name, array.dtype.name
        )
        node = Node(self.graph, SOURCE, (), (), array.shape, cls, 0)
        node.data = array
        return node

    def map(self, name: str, *inputs: Any, cls: str = "", guarded: bool = False) -> Node:
        nodes = [i for i in inputs if isinstance(i, Node)]
        shape = np.broadcast_shapes(*[_padded(i.shape, nodes) for i in nodes])
        return self.node(name, "map", inputs, _trimmed(shape), cls or nodes[0].cls, None, guarded)

    def reduce(self, name: str, x: Node, *axes: int, cls: str = "", **more: Hashable) -> Node:
        shape = tuple(1 if k in axes else extent for k, extent in enumerate(x.shape))
        return self.node(
            name, "reduce", (x,), _trimmed(shape), cls or x.cls, {"axes": axes, **more}
        )

    def view(
        self,
        x: Node,
        shape: tuple[int, ...],
        strides: tuple[int, ...],
        offset: int = 0,
        name: str = "view",
    ) -> Node:
        return self.node(name, "view", (x,), shape, x.cls, {"offset": offset, "strides": strides})

    def transpose(self, x: Node, name: str = "transpose") -> Node:
        m, n = x.shape
        return self.view(x, (n, m), (m, 1), name=name)

    def reshape(self, x: Node, *shape: int) -> Node:
        steps = tuple(int(np.prod(shape[:k])) for k in range(len(shape)))
        return self.view(x, shape, steps, name="reshape")

    def diag(self, x: Node) -> Node:
        m, n = x.shape
        return self.view(x, (min(m, n), 1), (m + 1, 0), name="diag")

    def mtimes(self, a: Node, b: Node) -> Node:
        assert a.shape[1] == b.shape[0]
        return self.node("matmul", "call", (a, b), (a.shape[0], b.shape[1]), a.cls)

    def fill(self, value: float, *shape: int, cls: str = "double") -> Node:
        return self.node("fill", "fill", (value,), shape, cls)

    def cat(self, axis: int, *parts: Node) -> Node:
        shape = list(parts[0].shape)
        shape[axis] = sum(part.shape[axis] for part in parts)
        return self.node("cat", "cat", parts, tuple(shape), parts[0].cls, {"axis": axis})

    def update(
        self, old: Node, new: Node, offset: int, strides: tuple[int, ...], region: tuple[int, ...]
    ) -> Node:
        static: dict[str, Hashable] = {"offset": offset, "region": region, "strides": strides}
        return self.node("update", "update", (old, new), old.shape, old.cls, static)

    def random(self, position: int, *shape: int) -> Node:
        static: dict[str, Hashable] = {"distribution": "uniform"}
        return self.node("rand", "random", (1, 2, position, 0), shape, "double", static)


def _padded(shape: tuple[int, ...], nodes: Sequence[Node]) -> tuple[int, ...]:
    # MATLAB aligns leading dimensions
    return shape + (1,) * (max(len(n.shape) for n in nodes) - len(shape))


def _trimmed(shape: Sequence[int]) -> tuple[int, ...]:
    extents = list(shape)
    while len(extents) > 2 and extents[-1] == 1:
        extents.pop()
    return tuple(extents)


def below(roots: Sequence[Node], keep: Sequence[Node] = ()) -> Subgraph:
    """The sub-graph below some nodes."""
    nodes: list[Node] = []
    number: dict[int, int] = {}
    stack: list[tuple[Node, bool]] = [(node, False) for node in reversed([*roots, *keep])]
    while stack:
        node, ready = stack.pop()
        if id(node) in number:
            continue
        if ready or node.data is not None:
            number[id(node)] = len(nodes)
            nodes.append(node)
            continue
        stack.append((node, True))
        stack.extend((i, False) for i in reversed(node.inputs) if isinstance(i, Node))
    inputs = [tuple(number.get(id(i), -1) for i in node.inputs) for node in nodes]
    users: list[list[int]] = [[] for _ in nodes]
    for k, numbers in enumerate(inputs):
        for i in numbers:
            if i >= 0:
                users[i].append(k)
    return Subgraph(
        nodes,
        inputs,
        users,
        tuple(number[id(node)] for node in roots),
        frozenset(number[id(node)] for node in keep),
        number,
    )


def check(
    roots: Sequence[Node],
    keep: Sequence[Node] = (),
    capabilities: Capabilities = DEVICE,
    names: frozenset[str] = ALL,
    rtol: float = 1e-12,
    exact: bool = False,
) -> Rewritten:
    """Rewrite the sub-graph below `roots` and hold what comes out against what went in."""
    given = below(roots, keep)
    before = (list(given.nodes), list(given.inputs), [list(users) for users in given.users])
    rewritten = rewrite(given, capabilities, names)
    assert before == (given.nodes, given.inputs, given.users), "the given sub-graph was changed"
    well_formed(rewritten.subgraph)
    subgraph, origin = rewritten.subgraph, rewritten.origin
    assert [origin[k] for k in subgraph.roots] == list(given.roots)
    assert sorted(origin[k] for k in subgraph.keep) == sorted(given.keep)
    expected = evaluate(given)
    scalars = [given.nodes[k].inputs if k >= 0 else () for k in rewritten.scalars]
    found = evaluate(subgraph, scalars)
    for k, number in enumerate(origin):
        if number < 0:
            continue
        if exact:
            same_bits(found[k], expected[number])
        else:
            np.testing.assert_allclose(found[k], expected[number], rtol=rtol, atol=rtol)
        assert found[k].dtype == expected[number].dtype
    return rewritten


def same_bits(a: NDArray[Any], b: NDArray[Any]) -> None:
    """Equal, with the signs of zeros, NaN equal to NaN."""
    np.testing.assert_array_equal(a, b)
    if a.dtype.kind == "f":
        number = ~np.isnan(a)
        np.testing.assert_array_equal(np.signbit(a)[number], np.signbit(b)[number])


def well_formed(subgraph: Subgraph) -> None:
    """Inputs before what uses them, users as they are, everything read by something."""
    assert len(subgraph.nodes) == len(subgraph.inputs) == len(subgraph.users)
    users: list[list[int]] = [[] for _ in subgraph.nodes]
    for k, (node, numbers) in enumerate(zip(subgraph.nodes, subgraph.inputs, strict=True)):
        assert len(numbers) == len(node.inputs)
        for value, i in zip(node.inputs, numbers, strict=True):
            assert i < k
            if i >= 0:
                assert value is subgraph.nodes[i]
                users[i].append(k)
            else:
                assert not isinstance(value, Node)
        assert subgraph.number[id(node)] == k
    assert [sorted(u) for u in subgraph.users] == users
    assert all(users[k] or k in subgraph.outputs for k in range(len(users)))


def operations(rewritten: Rewritten) -> list[str]:
    """The operations that are left, in order; products with their attributes."""
    found = []
    for node in rewritten.subgraph.nodes:
        if node.data is None:
            said: Any = node.option("attributes", ())
            found.append(" ".join([node.op.name, *(f"{k}={v}" for k, v in said)]))
    return found


def bytes_written(subgraph: Subgraph) -> int:
    """Bytes of what must go to memory: outputs, and what products and views read."""
    solid = set(subgraph.outputs)
    for k, node in enumerate(subgraph.nodes):
        if node.data is None and node.op.kind == "call":
            solid.add(k)
            solid.update(i for i in subgraph.inputs[k] if i >= 0)
    return sum(
        node.size * NUMPY_DTYPE[node.dtype].itemsize
        for k, node in enumerate(subgraph.nodes)
        if k in solid and node.data is None
    )
