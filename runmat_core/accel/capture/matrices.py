"""Matrices that are made of others by rules about rows and columns, as operations of the graph.

Rows and columns come in as ranges, which kernels make where they use them: a triangle or an
identity is one map with what is around it. Grids, repeated elements and turns are views.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np

from runmat_core.accel.capture import views
from runmat_core.accel.capture.boundary import deferred, node_of
from runmat_core.accel.capture.compositions import alike, elementwise
from runmat_core.accel.capture.generators import TOO_MANY
from runmat_core.accel.capture.maps import capture_map
from runmat_core.accel.context import get
from runmat_core.accel.graph.addressing import Strides, dense_strides, size_of
from runmat_core.accel.graph.graph import Graph
from runmat_core.accel.graph.node import ONE_ARRAY, Node, Shape
from runmat_core.accel.ops import views as view_ops
from runmat_core.accel.ops.elementwise import ElementwiseOp, elementwise_op
from runmat_core.accel.ops.generators import RANGE
from runmat_core.api import ir
from runmat_core.api.fusion import Map
from runmat_core.values.array import DTYPE, from_numpy, to_numpy


def _numbers(graph: Graph, shape: Shape) -> tuple[Any, Any]:
    """Return the numbers of rows and of columns from zero, a column and a row."""
    rows, columns = shape
    made = [
        graph.append(RANGE, (0.0, 1.0), (), size, "double") for size in ((rows, 1), (1, columns))
    ]
    return deferred(made[0]), deferred(made[1])


# -- triangles -------------------------------------------------------------------------------------


def _triangle(name: str, chosen: Callable[[Any, Any], Any]) -> ElementwiseOp:
    """Return the operation that keeps elements on one side of a diagonal, with zeros elsewhere."""

    def function(x: Any, row: Any, column: Any, k: Any) -> Any:
        zero = x.builder.const(False if x.dtype == "bool" else 0, x.dtype)
        return ir.where(chosen(column - row, ir.cast(k, "f64")), x, zero)

    def host(x: Any, row: Any, column: Any, k: float) -> Any:
        kept = chosen(to_numpy(column) - to_numpy(row), k)
        data = to_numpy(x)
        return from_numpy(np.where(kept, data, data.dtype.type(0)))

    return elementwise_op(name, Map(function, "own"), host)


_TRIANGLES = {
    "tril": _triangle("tril", lambda distance, k: distance <= k),
    "triu": _triangle("triu", lambda distance, k: distance >= k),
}


def _triangle_rule(name: str) -> views.Rule:
    def rule(graph: Graph, node: Node, k: Any = 0.0) -> Any:
        if len(node.shape) != 2 or k.__class__ is not float or not k.is_integer():
            return NotImplemented
        rows, columns = _numbers(graph, node.shape)
        return capture_map(_TRIANGLES[name], graph, (deferred(node), rows, columns, k))

    return rule


# -- diagonals -------------------------------------------------------------------------------------


@cache
def _diagonal(cls: str) -> ElementwiseOp:
    """Return the operation for a class.

    One object each, or every call would be another structure.
    """

    def host(row: Any, column: Any) -> Any:
        return from_numpy((to_numpy(row) == to_numpy(column)).astype(DTYPE[cls], order="F"))

    return elementwise_op("eye", Map(lambda r, c: ir.where(r == c, 1.0, 0.0), cls), host)


def identity(shape: Shape, cls: str) -> Any:
    """``eye`` of a large size, or NotImplemented."""
    seat = get()
    if seat is None or not max(seat.threshold, 2) <= size_of(shape) < TOO_MANY:
        return NotImplemented
    return capture_map(_diagonal(cls), seat.graph, _numbers(seat.graph, shape))


def _on_diagonal(x: Any, row: Any, column: Any) -> Any:
    zero = x.builder.const(False if x.dtype == "bool" else 0, x.dtype)
    return ir.where(row == column, x, zero)


def _on_diagonal_host(x: Any, row: Any, column: Any) -> Any:
    data = to_numpy(x)
    kept = to_numpy(row) == to_numpy(column)
    return from_numpy(np.where(kept, data, data.dtype.type(0)))


_DIAGONAL = elementwise_op("diag", Map(_on_diagonal, "own"), _on_diagonal_host)
_OF_MATRIX = views.CALLS["diag"]


def _diag(graph: Graph, node: Node, k: Any = 0.0) -> Any:
    """``diag(A)``, and ``diag(v)`` with the vector on the main diagonal."""
    if len(node.shape) != 2 or 1 not in node.shape or k != 0.0:
        return _OF_MATRIX(graph, node, k)
    if node.size**2 >= TOO_MANY:
        return NotImplemented
    column = views.view_of(graph, node, "reshape", (node.size, 1), 0, (1, 0))
    return capture_map(_DIAGONAL, graph, (column, *_numbers(graph, (node.size, node.size))))


def _ones_kept(x: Any, row: Any, column: Any) -> Any:
    one = x.builder.const(1.0, x.dtype)
    return ir.where((row == column) & ~ir.isnan(x), one, x)


def _ones_kept_host(x: Any, row: Any, column: Any) -> Any:
    data = to_numpy(x)
    kept = (to_numpy(row) == to_numpy(column)) & ~np.isnan(data)
    return from_numpy(np.where(kept, data.dtype.type(1), data))


_ONES = elementwise_op("corrcoef", Map(_ones_kept, "own"), _ones_kept_host)


def with_ones(value: Any) -> Any:
    """Return a floating matrix with ones on its diagonal, but for NaN."""
    seat = get()
    assert seat is not None
    return capture_map(_ONES, seat.graph, (value, *_numbers(seat.graph, value.shape)))


# -- views -----------------------------------------------------------------------------------------


def grid(vectors: Sequence[Any], axes: tuple[int, ...], sizes: tuple[int, ...]) -> Any:
    """Return the arrays of a grid, as views of its vectors; NotImplemented where it is small.

    Args:
        vectors: real arrays, their elements in order: those whose arrays are wanted.
        axes: the dimension along which the array of each vector of the grid changes.
        sizes: how many elements each of them has.
    """
    seat = get()
    if seat is None:
        return NotImplemented
    shape, size, strides = _spread_over(axes, sizes)
    if size < seat.threshold:
        return NotImplemented
    graph: Graph = seat.graph
    grids = []
    for vector, steps in zip(vectors, strides, strict=False):
        node = node_of(graph, vector)
        if node.__class__ is not Node:
            return NotImplemented
        if node.data is None or node.shape == shape or graph.pinned:
            grids.append(views.view_of(graph, node, "repmat", shape, 0, steps))
        else:
            static = (("offset", 0), ("strides", steps))
            grids.append(graph.grow(_REPMAT, (node,), ONE_ARRAY, static, shape, node.cls))
    return grids[0] if len(grids) == 1 else tuple(grids)


_REPMAT = view_ops.view_op("repmat")


@lru_cache(maxsize=256)
def _spread_over(
    axes: tuple[int, ...], sizes: tuple[int, ...]
) -> tuple[Shape, int, tuple[Strides, ...]]:
    """Size and number of elements of the arrays of a grid, and for each the distances in it.

    The number is -1 where no view can be of that size.
    """
    shape = [1] * max(len(axes), 2)
    for axis, size in zip(axes, sizes, strict=True):
        shape[axis] = size
    whole, size = tuple(shape), size_of(shape)
    made = [tuple([int(k == axis) for k in range(len(whole))]) for axis in axes]
    normalise_view = [view_ops.normalise_view("repmat", whole, steps) for steps in made]
    fits = 2 <= size < TOO_MANY and all(one[3] for one in normalise_view)
    return normalise_view[0][1], size if fits else -1, tuple([one[2] for one in normalise_view])


def _rot90(graph: Graph, node: Node, k: Any = 1.0) -> Any:
    if len(node.shape) != 2 or k.__class__ is not float or not k.is_integer():
        return NotImplemented
    rows, columns = node.shape
    last_row, last = rows - 1, node.size - 1
    turn = {
        0: ((rows, columns), 0, (1, rows)),
        1: ((columns, rows), last - last_row, (-rows, 1)),
        2: ((rows, columns), last, (-1, -rows)),
        3: ((columns, rows), last_row, (rows, -1)),
    }
    shape, offset, strides = turn[int(k) % 4]
    return views.view_of(graph, node, "rot90", shape, offset, strides)


def _repelem(graph: Graph, node: Node, *counts: Any) -> Any:
    times = [views.whole(count) for count in counts]
    if len(times) == 1:
        if len(node.shape) != 2 or 1 not in node.shape:
            return NotImplemented
        times = [times[0], 1] if node.shape[1] == 1 else [1, times[0]]
    if 0 in times or len(times) < 2:
        return NotImplemented
    rank = max(len(times), len(node.shape))
    times += [1] * (rank - len(times))
    padded = node.shape + (1,) * (rank - len(node.shape))
    spread: list[int] = []
    strides: list[int] = []
    for extent, step, count in zip(padded, dense_strides(padded), times, strict=True):
        spread += [count, extent]
        strides += [0, step]
    apart = views.view_of(graph, node, "repelem", tuple(spread), 0, tuple(strides))
    if apart is NotImplemented:
        return apart
    joined = tuple([n * m for n, m in zip(padded, times, strict=True)])
    return views.view_of(graph, apart.promise.node, "repelem", joined, 0, dense_strides(joined))


# -- products --------------------------------------------------------------------------------------


def _kron(graph: Graph, x: Node, *others: Any) -> Any:
    """``kron(A, B)`` of real matrices of one floating class: a product with an axis for each."""
    y = node_of(graph, others[0]) if len(others) == 1 else None
    if not isinstance(y, Node) or not alike(x, y) or not len(x.shape) == len(y.shape) == 2:
        return NotImplemented
    (m, n), (p, q) = x.shape, y.shape
    if 0 in y.shape or m * n * p * q >= TOO_MANY:
        return NotImplemented
    a = views.view_of(graph, x, "reshape", (1, m, 1, n), 0, (0, 1, 0, m))
    b = views.view_of(graph, y, "reshape", (p, 1, q, 1), 0, (1, 0, p, 0))
    product = elementwise(graph, "times", a.promise.node, b.promise.node)
    shape = (m * p, n * q)
    return views.view_of(graph, product, "reshape", shape, 0, dense_strides(shape))


def install() -> None:
    """Let calls of these builtins be captured."""
    views.CALLS.update({name: _triangle_rule(name) for name in _TRIANGLES})
    views.CALLS.update(diag=_diag, rot90=_rot90, repelem=_repelem, kron=_kron)
