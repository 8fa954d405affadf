"""Graphs built by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from runmat_provider_tests.philox import draw

from runmat_core.accel.graph.node import SOURCE, Node, Op, Shape, ValueNumbering
from runmat_core.accel.planning.plan import Subgraph
from runmat_core.api import ir
from runmat_core.api.device import NUMPY_DTYPE, Capabilities
from runmat_core.api.ir import CLASS_OF, reducers

Data = NDArray[Any]

EVERYTHING = frozenset({*CLASS_OF})
HOST = Capabilities(name="test host", kind="host", dtypes=EVERYTHING, slice_bytes=1 << 20)
DEVICE = Capabilities(name="test device", kind="device", dtypes=EVERYTHING, slice_bytes=32768)


def _floating(*values: Any) -> str:
    return "f32" if any(v.dtype == "f32" for v in values) else "f64"


def elementwise(name: str, function: Callable[..., Any], guard: Any = None) -> Op:
    """An operation on floats, its host rule from the same function on NumPy arrays."""

    @cache
    def fragment(dtypes: Any, known: Any, options: Any) -> Any:
        def code(*values: Any) -> Any:
            dtype = _floating(*values)
            return function(ir, *[_as(v, dtype) for v in values])

        return ir.trace(code, dtypes, known)

    def host(node: Node, *values: Any) -> Data:
        dtype = np.float32 if node.cls == "single" else np.float64
        with np.errstate(all="ignore"):
            return np.asarray(function(_NumPy, *[_wide(v, dtype) for v in values]))

    return Op(name, "map", host, fragment, guard)


def _wide(value: Any, dtype: Any) -> Data:
    """An array of eight axes, so that leading axes are aligned."""
    array = np.asarray(value, dtype)
    return array.reshape(array.shape + (1,) * (8 - array.ndim))


def _as(value: Any, dtype: str) -> Any:
    cast = ir.cast(value, dtype)
    cast.known = value.known
    return cast


class _NumPy:
    exp, sqrt, sin, cos, tanh = np.exp, np.sqrt, np.sin, np.cos, np.tanh
    maximum, minimum, abs_, where, power = np.fmax, np.fmin, np.abs, np.where, np.power


def reduction(name: str, code: Callable[..., Any], host: Callable[..., Any]) -> Op:
    """A reduction; `host` takes an array and the axes to keep as ones."""

    @cache
    def fragment(dtypes: Any, known: Any, options: Any) -> Any:
        return ir.trace(code, dtypes, known, reduces=True)

    def rule(node: Node, value: Any) -> Any:
        axes = tuple(k for k in node.option("axes") if k < value.ndim)
        return host(value, axes) if axes else host(value[..., None], (value.ndim,))[..., 0]

    return Op(name, "reduce", rule, fragment)


def _mean(x: Any) -> Any:
    return ir.reduce(reducers.sum_(x.dtype), x)[0] / ir.count(x)


def _std(x: Any) -> Any:
    deviation = x - _mean(x)
    total = ir.reduce(reducers.sum_(x.dtype), deviation * deviation)[0]
    return ir.sqrt(total / ir.count(x))


def _two_sums(x: Any) -> Any:
    one = ir.reduce(reducers.sum_(x.dtype), x)[0]
    return one, ir.reduce(reducers.maximum(x.dtype), x)[0]


ADD = elementwise("plus", lambda m, x, y: x + y)
SUB = elementwise("minus", lambda m, x, y: x - y)
MUL = elementwise("times", lambda m, x, y: x * y)
DIV = elementwise("rdivide", lambda m, x, y: x / y)
EXP = elementwise("exp", lambda m, x: m.exp(x))
SIN = elementwise("sin", lambda m, x: m.sin(x))
COS = elementwise("cos", lambda m, x: m.cos(x))
TANH = elementwise("tanh", lambda m, x: m.tanh(x))
SQRT = elementwise("sqrt", lambda m, x: m.sqrt(x), lambda x: x < 0)
MAX = elementwise("max", lambda m, x, y: m.maximum(x, y))
SQUARE = elementwise("square", lambda m, x: x * x)
POWER = elementwise("power", lambda m, x, y: m.power(x, y))
SUM = reduction(
    "sum",
    lambda x: ir.reduce(reducers.sum_(x.dtype), x)[0],
    lambda a, k: a.sum(axis=k, keepdims=True),
)
MEAN = reduction("mean", _mean, lambda a, k: a.mean(axis=k, keepdims=True))
LARGEST = reduction(
    "maximum",
    lambda x: ir.reduce(reducers.maximum(x.dtype), x)[0],
    lambda a, k: a.max(axis=k, keepdims=True),
)
STD = reduction("std", _std, lambda a, k: a.std(axis=k, keepdims=True))
BOTH = reduction(
    "both",
    _two_sums,
    lambda a, k: (a.sum(axis=k, keepdims=True), a.max(axis=k, keepdims=True)),
)
ITEM = Op("item", "item", lambda node, whole: whole[node.option("output")])
FILL = Op("fill", "fill", lambda node, x: np.full(node.shape, x, dtype_of(node)))
RANGE = Op(
    "range",
    "range",
    lambda node, a, d: (a + np.arange(node.size) * d).astype(dtype_of(node)).reshape(node.shape),
)
RANDOM = Op(
    "rand",
    "random",
    lambda node, a, b, c, d: draw(
        node.option("distribution"), node.dtype, np.arange(node.size), (a, b), c | d << 32
    ).reshape(node.shape, order="F"),
)


def dtype_of(node: Node) -> Any:
    return NUMPY_DTYPE[node.dtype]


def _view_host(node: Node, value: Data) -> Data:
    places = np.full((1,) * len(node.shape), node.option("offset"))
    for k, (extent, stride) in enumerate(zip(node.shape, node.option("strides"), strict=True)):
        step = np.arange(extent) * stride
        places = places + step.reshape([-1 if j == k else 1 for j in range(len(node.shape))])
    return value.ravel(order="F")[places]


VIEW = Op("view", "view", _view_host)
CALL = Op("matmul", "call", lambda node, a, b: (a.T if node.option("attributes") else a) @ b)


def _cat_host(node: Node, *parts: Any) -> Data:
    rank = len(node.shape)
    full = [p.reshape(p.shape + (1,) * (rank - p.ndim)) for p in parts]
    return np.concatenate(full, node.option("axis"))


def _update_host(node: Node, old: Data, new: Any) -> Data:
    places = np.full((1,) * 8, node.option("offset"))
    region = node.option("region")
    for k, (extent, stride) in enumerate(zip(region, node.option("strides"), strict=True)):
        places = places + (np.arange(extent) * stride).reshape(
            [-1 if j == k else 1 for j in range(8)]
        )
    flat = old.ravel(order="F").copy()
    flat[places.ravel(order="F")] = np.asarray(new).ravel(order="F")
    return flat.reshape(old.shape, order="F")


CAT = Op("cat", "cat", _cat_host)
UPDATE = Op("update", "update", _update_host)
GATHER = Op(
    "gather",
    "gather",
    lambda node, x, at: x.ravel(order="F")[at.astype(int).ravel(order="F")].reshape(
        node.shape, order="F"
    ),
)


def _cumsum(dtypes: Any, known: Any, options: Any) -> Any:
    reverse = dict(options)["reverse"]
    return ir.trace(
        lambda x: ir.scan(reducers.sum_(x.dtype), x, reverse=reverse)[0], dtypes, scans=True
    )


def _cumsum_host(node: Node, x: Data) -> Data:
    axis = node.option("axis")
    if axis >= x.ndim:
        return x
    return (
        np.flip(np.cumsum(np.flip(x, axis), axis), axis)
        if node.option("reverse")
        else (np.cumsum(x, axis))
    )


CUMSUM = Op("cumsum", "scan", _cumsum_host, _cumsum)
HOST_ONLY = Op("sortof", "map", lambda node, x: np.sort(x, axis=0))


class Maker:
    """Makes nodes."""

    def __init__(self) -> None:
        self.interner = ValueNumbering()

    def source(self, data: Any, cls: str = "double") -> Node:
        dtype = NUMPY_DTYPE[ir.DTYPE_OF[cls]]
        array = np.asarray(data, dtype, order="F")
        node = self.node(SOURCE, (), array.shape, cls)
        node.data = array
        return node

    def node(
        self,
        op: Op,
        inputs: Sequence[Any],
        shape: Shape,
        cls: str,
        guarded: bool = False,
        **static: Any,
    ) -> Node:
        pairs = tuple(sorted(static.items()))
        given = tuple(inputs)
        value_number = self.interner.number(op, given, pairs, tuple(shape), cls, guarded)
        return Node(None, op, given, pairs, tuple(shape), cls, value_number, guarded)  # type: ignore[arg-type]

    def map(self, op: Op, *inputs: Any, guarded: bool = False) -> Node:
        nodes = [i for i in inputs if isinstance(i, Node)]
        shape = np.broadcast_shapes(*[_padded(n.shape, 8) for n in nodes])
        cls = "single" if any(n.cls == "single" for n in nodes) else nodes[0].cls
        return self.node(op, inputs, _trimmed(shape), cls, guarded)

    def reduce(self, op: Op, x: Node, *axes: int, **static: Any) -> Node:
        shape = [1 if k in axes else n for k, n in enumerate(x.shape)]
        return self.node(op, (x,), _trimmed(shape), x.cls, axes=tuple(sorted(axes)), **static)

    def view(self, x: Node, shape: Shape, offset: int, strides: Sequence[int]) -> Node:
        return self.node(VIEW, (x,), shape, x.cls, offset=offset, strides=tuple(strides))

    def reshape(self, x: Node, shape: Shape) -> Node:
        strides, step = [], 1
        for extent in shape:
            strides.append(step if extent != 1 else 0)
            step *= extent
        return self.view(x, shape, 0, strides)

    def transpose(self, x: Node) -> Node:
        m, n = x.shape
        return self.view(x, (n, m), 0, (m if n > 1 else 0, 1 if m > 1 else 0))

    def cat(self, axis: int, *parts: Node) -> Node:
        rank = max(axis + 1, *(len(p.shape) for p in parts))
        shapes = [_padded(p.shape, rank) for p in parts]
        shape = list(shapes[0])
        shape[axis] = sum(s[axis] for s in shapes)
        return self.node(CAT, parts, tuple(shape), parts[0].cls, axis=axis)

    def update(
        self, old: Node, new: Any, offset: int, strides: Sequence[int], region: Shape
    ) -> Node:
        return self.node(
            UPDATE, (old, new), old.shape, old.cls,
            offset=offset, strides=tuple(strides), region=tuple(region),
        )  # fmt: skip

    def gather(self, x: Node, places: Node) -> Node:
        return self.node(GATHER, (x, places), places.shape, x.cls)

    def cumsum(self, x: Node, axis: int, reverse: bool = False) -> Node:
        return self.node(CUMSUM, (x,), x.shape, x.cls, axis=axis, reverse=reverse)

    def product(self, a: Node, b: Node, trans_a: bool = False) -> Node:
        rows = a.shape[1] if trans_a else a.shape[0]
        said = (("trans_a", True),) if trans_a else ()
        return self.node(CALL, (a, b), (rows, b.shape[1]), a.cls, attributes=said)

    def item(self, x: Node, output: int, cls: str = "") -> Node:
        return self.node(ITEM, (x,), x.shape, cls or x.cls, output=output)

    def fill(self, value: float, shape: Shape, cls: str = "double") -> Node:
        return self.node(FILL, (value,), shape, cls)

    def range(self, start: float, step: float, count: int, cls: str = "double") -> Node:
        return self.node(RANGE, (start, step), (1, count), cls)

    def random(
        self, shape: Shape, distribution: str = "uniform", cls: str = "single", at: int = 0
    ) -> Node:
        return self.node(RANDOM, (7, 9, at, 0), shape, cls, distribution=distribution)


def _padded(shape: Shape, rank: int) -> Shape:
    return tuple(shape) + (1,) * (rank - len(shape))


def _trimmed(shape: Sequence[int]) -> Shape:
    shape = list(shape)
    while len(shape) > 2 and shape[-1] == 1:
        shape.pop()
    return tuple(shape)


def subgraph(*roots: Node, keep: Sequence[Node] = ()) -> Subgraph:
    """The nodes below `roots`, inputs first."""
    order: list[Node] = []
    number: dict[int, int] = {}
    stack = [(n, False) for n in (*keep, *roots)]
    while stack:
        node, ready = stack.pop()
        if id(node) in number:
            continue
        if ready or node.data is not None:
            number[id(node)] = len(order)
            order.append(node)
            continue
        stack.append((node, True))
        stack.extend((i, False) for i in node.inputs if isinstance(i, Node))
    inputs = [tuple(number[id(i)] if isinstance(i, Node) else -1 for i in n.inputs) for n in order]
    users: list[list[int]] = [[] for _ in order]
    for k, below in enumerate(inputs):
        for i in below:
            if i >= 0:
                users[i].append(k)
    return Subgraph(
        order,
        inputs,
        users,
        tuple(number[id(r)] for r in roots),
        frozenset(number[id(k)] for k in keep),
        number,
    )
