"""Arrays that rearrange the elements of another: transposes, permutations, reshapes, repetitions.

A view node holds an address over its own axes (`addressing`). Views of views become one where that
is affine. Whatever is odd about a call is left to the host rule, which has the errors.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from typing import Any

import numpy as np

from runmat_core.accel.capture.boundary import (
    any_node_of,
    deferred,
    lazy,
    pending,
)
from runmat_core.accel.capture.direct import plain
from runmat_core.accel.context import get
from runmat_core.accel.graph.addressing import Strides, compose, dense_strides, size_of
from runmat_core.accel.graph.classes import CLASS_SEEN
from runmat_core.accel.graph.graph import Graph
from runmat_core.accel.graph.node import COMPLEX_CLASSES, ONE_ARRAY, Node, Shape
from runmat_core.accel.ops.complexes import conjugated
from runmat_core.accel.ops.reductions import SUM
from runmat_core.accel.ops.views import CONJUGATE, form_of, normalise_view, view_op
from runmat_core.values import dispatch
from runmat_core.values.array import Array, from_numpy
from runmat_core.values.classes import FLOAT_CLASSES
from runmat_core.values.deferred import settled

# -- nodes -----------------------------------------------------------------------------------------


def view_of(
    graph: Graph, node: Node, name: str, shape: Shape, offset: int, strides: Strides
) -> Any:
    """Return a deferred array of `shape` with the elements of `node` at an address over it."""
    op, kept, strides, fits = normalise_view(name, shape, strides)
    if not fits:
        return NotImplemented
    if name != CONJUGATE:
        while node.data is None and node.op.kind == "view" and node.op.name != CONJUGATE:
            below: Node = node.inputs[0]
            if node.pinned and not below.pinned:
                break  # what is made of it is on the device, too
            inner: Any = (node.option("offset"), node.option("strides"))
            found = _composed((offset, strides), kept, node.shape, inner)
            if found is None:
                break
            node, (offset, strides) = below, found
        if kept == node.shape and not offset and strides == _steps_of(kept):
            return deferred(node)
    static = (("offset", offset), ("strides", strides))
    form = form_of(node.shape, kept, static)
    if graph.pinned or kept == (1, 1) or 0 in kept:
        return deferred(graph.append(op, (node,), static, kept, node.cls, form=form))
    return graph.grow(op, (node,), ONE_ARRAY, static, kept, node.cls, form=form)


_composed = lru_cache(maxsize=4096)(compose)
_steps_of = lru_cache(maxsize=4096)(dense_strides)


def proven_real(node: Node) -> bool:
    """Whether a node is real, and no guard below it may tell otherwise.

    What is made of complex nodes has the class that it is taken for, whatever their guards tell.
    """
    if node.real:
        return True
    if node.cls in COMPLEX_CLASSES:
        return False
    stack, seen = [node], {node}
    while stack:
        below = stack.pop()
        if below.data is not None:
            if below.holds_complex:
                return False
        elif below.guarded and not _of_complex(below):
            return False
        else:
            for value in below.inputs:
                if value.__class__ is not Node or value.cls in COMPLEX_CLASSES:
                    continue
                if not value.real and value not in seen:
                    seen.add(value)
                    stack.append(value)
    # remembered, so that long chains are not walked again for each of their nodes
    for below in seen:
        below.real = True
    return True


def _of_complex(node: Node) -> bool:
    """Whether a guarded node is one of complex operands."""
    return any(value.__class__ is Node and value.cls in COMPLEX_CLASSES for value in node.inputs)


# -- transposes ------------------------------------------------------------------------------------


def _transposing(name: str, own: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def rule(a: Any) -> Any:
        graph = lazy(a)
        if graph is not None and len(a.shape) == 2 and (pending(a) or 1 not in a.shape):
            node = any_node_of(graph, a)
            if node.__class__ is Node:
                rows, columns = node.shape
                kind = "transpose" if proven_real(node) else name
                if node.cls in COMPLEX_CLASSES:
                    node = conjugated(graph, node) if name == CONJUGATE else node
                    kind = "transpose"
                return view_of(graph, node, kind, (columns, rows), 0, (rows, 1))
        return own(settled(a))

    return rule


def _direct_transpose(name: str) -> Callable[[Any], Any]:
    """Return the rule of pending matrices that are no views themselves.

    NotImplemented for others.
    """
    plainly, conjugating = view_op("transpose"), view_op(name)
    conjugates = name == CONJUGATE

    def rule(a: Any) -> Any:
        seat = get()
        if seat is None:
            return NotImplemented
        graph = seat.graph
        x = plain(seat, graph, a)
        if x is None or x.op.kind == "view" or len(x.shape) != 2:
            return NotImplemented
        if conjugates and x.cls in COMPLEX_CLASSES:
            return NotImplemented
        if 1 in x.shape and x.data.__class__ is np.ndarray:
            return NotImplemented  # a vector on the host is turned there
        op = conjugating if conjugates and not proven_real(x) else plainly
        return graph.grow(op, (x,), ONE_ARRAY, *_transposed(x.shape), x.cls)

    return rule


@lru_cache(maxsize=1024)
def _transposed(shape: Shape) -> tuple[tuple[tuple[str, Any], ...], Shape]:
    """Return params and size of the transpose of a matrix."""
    rows, columns = shape
    strides = (rows if columns != 1 else 0, 1 if rows != 1 else 0)
    return (("offset", 0), ("strides", strides)), (columns, rows)


# -- builtins --------------------------------------------------------------------------------------

#: ``rule(graph, node, *args)`` for the further arguments of a builtin whose first one is `node`.
Rule = Callable[..., Any]


def call(name: str, args: tuple[Any, ...]) -> Any:
    """Return a call of a builtin that is made of views of its first argument, or NotImplemented."""
    home = LATER.get(name)
    if home is not None:
        import_module(f"runmat_core.accel.capture.{home}").install()
        for known in [known for known, place in LATER.items() if place == home]:
            del LATER[known]
    rule = CALLS.get(name)
    graph = lazy(args[0]) if args else None
    if rule is None or graph is None or 0 in args[0].shape:
        return NotImplemented
    node = any_node_of(graph, args[0])
    if node.__class__ is not Node:
        return NotImplemented
    try:
        return rule(graph, node, *args[1:])
    except (TypeError, ValueError, OverflowError):
        # arguments that are no whole numbers, too few of them, or too many
        return NotImplemented


def whole(value: Any) -> int:
    """Return a whole number above zero.

    Raises:
        ValueError: the value is none.
    """
    if value.__class__ is not float or not value.is_integer() or value < 0:
        raise ValueError(value)
    return int(value)


def _numbers(value: Any) -> list[int]:
    """Return the whole numbers in a value of any size."""
    if value.__class__ is float:
        return [whole(value)]
    if not isinstance(value, Array) or value.data.dtype.char != "d":
        raise ValueError(value)
    return [whole(item) for item in value.data.ravel(order="F").tolist()]


def _reshape(graph: Graph, node: Node, *sizes: Any) -> Any:
    size = node.size
    if len(sizes) == 1:
        shape = _numbers(sizes[0])
    else:
        blank = [k for k, n in enumerate(sizes) if isinstance(n, Array) and 0 in n.shape]
        shape = [1 if k in blank else whole(n) for k, n in enumerate(sizes)]
        if len(blank) == 1 and size_of(shape):
            shape[blank[0]] = size // size_of(shape)
    if len(shape) < 2 or size_of(shape) != size:
        return NotImplemented
    return view_of(graph, node, "reshape", tuple(shape), 0, dense_strides(shape))


def _permute(graph: Graph, node: Node, order: Any) -> Any:
    axes = [number - 1 for number in _numbers(order)]
    rank = len(axes)
    if sorted(axes) != list(range(rank)) or rank < len(node.shape):
        return NotImplemented
    padded = node.shape + (1,) * (rank - len(node.shape))
    steps = dense_strides(padded)
    shape = tuple([padded[axis] for axis in axes])
    return view_of(graph, node, "permute", shape, 0, tuple([steps[axis] for axis in axes]))


def _ipermute(graph: Graph, node: Node, order: Any) -> Any:
    axes = _numbers(order)
    inverse = [float(axes.index(k + 1) + 1) for k in range(len(axes))]
    return _permute(graph, node, from_numpy(np.array([inverse])))


def _squeeze(graph: Graph, node: Node) -> Any:
    shape = node.shape
    if len(shape) > 2:
        shape = tuple([n for n in shape if n != 1])
        shape = shape + (1,) * (2 - len(shape))
    return view_of(graph, node, "squeeze", shape, 0, dense_strides(shape))


def _repmat(graph: Graph, node: Node, *counts: Any) -> Any:
    if len(counts) == 1:
        times = _numbers(counts[0])
        times = times * 2 if len(times) == 1 else times
    else:
        times = [whole(count) for count in counts]
    rank = max(len(times), len(node.shape))
    times += [1] * (rank - len(times))
    padded = node.shape + (1,) * (rank - len(node.shape))
    spread: list[int] = []
    strides: list[int] = []
    for extent, step, count in zip(padded, dense_strides(padded), times, strict=True):
        spread += [extent, count]
        strides += [step, 0]
    # with an axis for each repetition it is affine; without these it is where one of the two is 1
    if all(1 in pair for pair in zip(padded, times, strict=True)):
        whole_shape = tuple([n * m for n, m in zip(padded, times, strict=True)])
        return view_of(graph, node, "repmat", whole_shape, 0, tuple(strides[::2]))
    apart = view_of(graph, node, "repmat", tuple(spread), 0, tuple(strides))
    if apart is NotImplemented:
        return apart
    joined = tuple([n * m for n, m in zip(padded, times, strict=True)])
    return view_of(graph, apart.promise.node, "repmat", joined, 0, dense_strides(joined))


def _flipped(graph: Graph, node: Node, axis: int) -> Any:
    shape = node.shape
    if axis >= len(shape):
        return deferred(node)
    steps = list(dense_strides(shape))
    offset = steps[axis] * (shape[axis] - 1)
    steps[axis] = -steps[axis]
    return view_of(graph, node, "flip", shape, offset, tuple(steps))


def _flip(graph: Graph, node: Node, dim: Any = None) -> Any:
    if dim is not None:
        axis = whole(dim) - 1
        return NotImplemented if axis < 0 else _flipped(graph, node, axis)
    first = next((k for k, n in enumerate(node.shape) if n != 1), 0)
    return _flipped(graph, node, first)


def _diag(graph: Graph, node: Node, offset: Any = 0.0) -> Any:
    if len(node.shape) != 2 or 1 in node.shape or not float(offset).is_integer():
        return NotImplemented
    rows, columns = node.shape
    k = int(offset)
    count = min(rows, columns - k) if k > 0 else min(rows + k, columns)
    if count < 1:
        return NotImplemented
    return view_of(graph, node, "diag", (count, 1), max(k * rows, -k), (rows + 1, 0))


def _trace(graph: Graph, node: Node) -> Any:
    rows, *rest = node.shape
    if rest != [rows] or rows == 1 or CLASS_SEEN[node.cls] not in FLOAT_CLASSES:
        return NotImplemented
    below = _diag(graph, node).promise.node
    return deferred(graph.append(SUM, (below,), (("axes", (0,)),), (1, 1), node.cls))


#: Rules that are loaded with their first call: the modules here that have them.
LATER = dict.fromkeys(("pagemtimes", "pagetranspose", "pagectranspose"), "pages")
LATER.update(dict.fromkeys(("tril", "triu", "diag", "rot90", "repelem", "kron"), "matrices"))
#: The builtins that are known here; `compositions` has more of them.
CALLS: dict[str, Rule] = {
    "diag": _diag,
    "trace": _trace,
    "reshape": _reshape,
    "permute": _permute,
    "ipermute": _ipermute,
    "squeeze": _squeeze,
    "repmat": _repmat,
    "flip": _flip,
    "fliplr": lambda graph, node: _flipped(graph, node, 1),
    "flipud": lambda graph, node: _flipped(graph, node, 0),
}


# -- in place --------------------------------------------------------------------------------------

_TRANSPOSES = {
    name: _transposing(name, dispatch.HOST_RULES[name]) for name in ("transpose", "ctranspose")
}


def install() -> None:
    """Put the rules of transposes before the ordinary ones."""
    dispatch.OPERATORS.update(_TRANSPOSES)
    dispatch.DIRECT.update({name: _direct_transpose(name) for name in _TRANSPOSES})
