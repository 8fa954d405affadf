"""Moving statistics and trends that are a few operations of large arrays (`builtins.composed`).

A sum over windows is made of sums over windows of an eighth of the width, each level one kernel, so
that a window of K elements takes about log8(K) of them. Nothing runs through the array from end to
end: a NaN or an infinity reaches the windows that hold it and no others.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, reduce
from typing import Any

import numpy as np

from runmat_core.accel.capture.boundary import deferred, lazy, node_of
from runmat_core.accel.capture.views import view_of
from runmat_core.accel.graph.addressing import dense_strides
from runmat_core.accel.graph.node import Node
from runmat_core.accel.ops.elementwise import ElementwiseOp, elementwise_op
from runmat_core.accel.ops.generators import RANGE
from runmat_core.api import ir
from runmat_core.api.errors import MatlabError
from runmat_core.api.fusion import Map
from runmat_core.api.tuples import NamedTuple
from runmat_core.builtins.arguments import option
from runmat_core.builtins.composed import call, dimension_of, is_real, large
from runmat_core.builtins.composed_statistics import apply, present
from runmat_core.values import DTYPE, cat, from_numpy, minus, plus, rdivide, times, to_numpy

Join = Callable[[Any, Any], Any]

#: How many windows of one level make one of the next.
RADIX = 8


class Moving(NamedTuple):
    """The windows along a dimension.

    Attributes:
        axis: the dimension, from one.
        before, after: how many elements of a window are before and after its own.
        omit: whether NaN elements are left out.
        filler: what stands beyond the ends; None where windows shrink there.
        discard: whether only whole windows count.
    """

    x: Any
    axis: float
    before: int
    after: int
    omit: bool
    filler: float | None
    discard: bool

    @property
    def points(self) -> int:
        """The number of elements along the dimension."""
        extent: int = self.x.shape[int(self.axis) - 1]
        return extent

    @property
    def width(self) -> int:
        return self.before + self.after + 1

    @property
    def shrinks(self) -> bool:
        """Whether windows at the ends have fewer elements."""
        return self.filler is None and not self.discard


def movsum(x: Any, window: Any, *args: Any) -> Any:
    """``movsum`` of real arrays without sample points."""
    moving = moving_of("movsum", x, window, args)
    return moving if moving is NotImplemented else _joined(moving, plus, 0.0)


def movmean(x: Any, window: Any, *args: Any) -> Any:
    """``movmean`` of real arrays without sample points."""
    moving = moving_of("movmean", x, window, args)
    if moving is NotImplemented:
        return moving
    total = _joined(moving, plus, 0.0)
    if moving.omit:
        kept = call(x.class_name, call("not", call("isnan", x)))
        filler = None if moving.filler is None else float(moving.filler == moving.filler)
        counts = _joined(moving._replace(x=kept, omit=False, filler=filler), plus, 0.0)
        return rdivide(total, counts)
    return rdivide(total, _counts(moving) if moving.shrinks else float(moving.width))


def movprod(x: Any, window: Any, *args: Any) -> Any:
    """``movprod`` of real arrays without sample points."""
    moving = moving_of("movprod", x, window, args)
    return moving if moving is NotImplemented else _joined(moving, times, 1.0)


def movmax(x: Any, window: Any, *args: Any) -> Any:
    """``movmax`` of real arrays without sample points."""
    return _extreme("max", x, window, args)


def movmin(x: Any, window: Any, *args: Any) -> Any:
    """``movmin`` of real arrays without sample points."""
    return _extreme("min", x, window, args)


def _extreme(name: str, x: Any, window: Any, args: tuple[Any, ...]) -> Any:
    moving = moving_of(f"mov{name}", x, window, args)
    if moving is NotImplemented:
        return moving
    if moving.omit:
        # a window without numbers gives NaN
        return _joined(moving, lambda a, b: call(name, a, b), float("nan"))
    beyond = -np.inf if name == "max" else np.inf
    return _joined(moving, lambda a, b: apply(_strict(name), a, b), beyond)


@cache
def _strict(name: str) -> ElementwiseOp:
    """Return the larger or smaller of two elements; NaN where one is NaN."""
    better, on_host = {
        "max": (ir.maximum, np.maximum),
        "min": (ir.minimum, np.minimum),
    }[name]

    def function(x: Any, y: Any) -> Any:
        return ir.where(ir.isnan(x) | ir.isnan(y), float("nan"), better(x, y))

    def host(x: Any, y: Any) -> Any:
        return from_numpy(on_host(to_numpy(x), to_numpy(y)))

    return elementwise_op(name, Map(function, "float"), host)


def moving_of(name: str, x: Any, window: Any, args: tuple[Any, ...]) -> Any:
    """Return what a call asks for; NotImplemented where the host rule is to see it."""
    from runmat_core.builtins.arrays.moving import FLAGS, endpoints, reach_of
    from runmat_core.builtins.named import pairs, positional

    if not is_real(x) or not large(x):
        return NotImplemented
    try:
        plain, words = positional(args)
        named, flags = pairs(words, ("Endpoints", "SamplePoints"), name, FLAGS)
        if "SamplePoints" in named or len(plain) > 1:
            return NotImplemented
        back, on, half_open = reach_of(window, True)
        how, filler = endpoints(named.get("Endpoints"))
    except MatlabError:
        return NotImplemented  # the host rule says what is wrong
    axis = dimension_of(x, plain[0] if plain else None)
    if not axis or back + on >= x.shape[int(axis) - 1]:
        return NotImplemented
    before = int(back)
    after = int(np.ceil(on)) - 1 if half_open else int(on)
    omit = bool(flags) and flags[-1].startswith("omit")
    fills = filler if how == "fill" else None
    return Moving(x, axis, before, after, omit, fills, how == "discard")


def _joined(moving: Moving, join: Join, identity: float) -> Any:
    """Return the elements of each window joined; `identity` stands for what does not count."""
    x = moving.x
    if moving.omit and identity == identity:
        x = present(x, identity)
    beyond = identity if moving.filler is None else moving.filler
    if moving.omit and beyond != beyond:
        beyond = identity
    if not moving.discard:
        x = padded(moving, x, beyond)
    axis, length = int(moving.axis) - 1, x.shape[int(moving.axis) - 1]
    results = length - moving.width + 1
    found, at, reach, part = None, 0, 1, x
    while True:
        # `part` has the windows of `reach` elements
        for _ in range(moving.width // reach % RADIX):
            piece = cut(part, axis, at, results)
            found = piece if found is None else join(found, piece)
            at += reach
        if RADIX * reach > moving.width:
            return found
        room = length - RADIX * reach + 1
        part = reduce(join, [cut(part, axis, k * reach, room) for k in range(RADIX)])
        reach *= RADIX


def padded(moving: Moving, x: Any, beyond: float) -> Any:
    """Return `x` with `beyond` before and after it, so that each element has a whole window."""

    def ends(extent: int) -> list[Any]:
        shape = [extent if k == moving.axis - 1 else n for k, n in enumerate(x.shape)]
        return [from_numpy(np.full(shape, beyond, DTYPE[x.class_name]))] if extent else []

    parts = [*ends(moving.before), x, *ends(moving.after)]
    return cat(moving.axis, *parts) if len(parts) > 1 else x


def cut(x: Any, axis: int, start: int, count: int) -> Any:
    """Return `count` elements along an axis from `start` on."""
    graph = lazy(x)
    assert graph is not None
    node: Any = node_of(graph, x)
    assert node.__class__ is Node
    steps = dense_strides(node.shape)
    shape = tuple([count if k == axis else n for k, n in enumerate(node.shape)])
    return view_of(graph, node, "subsref", shape, start * steps[axis], steps)


def counted(x: Any, axis: float, count: int | None = None) -> Any:
    """Return the numbers from zero along a dimension of `x`: as many as it has, or `count`."""
    graph = lazy(x)
    assert graph is not None
    extent = x.shape[int(axis) - 1] if count is None else count
    shape = tuple([extent if k == axis - 1 else 1 for k in range(len(x.shape))])
    return deferred(graph.append(RANGE, (0.0, 1.0), (), shape, "double"))


def _counts(moving: Moving) -> Any:
    """How many elements each window has where windows shrink at the ends."""
    at = counted(moving.x, moving.axis)
    last = call("min", plus(at, float(moving.after)), float(moving.points - 1))
    return plus(minus(last, call("max", minus(at, float(moving.before)), 0.0)), 1.0)


# -- trends ----------------------------------------------------------------------------------------


def detrend(x: Any, *args: Any) -> Any:
    """``detrend(A)`` and ``detrend(A, n)`` for a mean or a line of each column."""
    degree = _degree(args)
    if degree is None or not is_real(x) or not large(x):
        return NotImplemented
    axis = 2.0 if len(x.shape) == 2 and x.shape[0] == 1 else 1.0
    count = x.shape[int(axis) - 1]
    if count < 3:
        return NotImplemented
    mean = call("mean", x, axis)
    # where a sum is infinite all is NaN
    off = minus(x, plus(mean, times(mean, 0.0)))
    if degree == 0:
        return off
    half = (count - 1.0) / 2.0
    at = rdivide(minus(counted(x, axis), half), half)
    squares = count * (count + 1.0) / (3.0 * (count - 1.0))
    return minus(off, times(at, rdivide(call("sum", times(at, off), axis), squares)))


def _degree(args: tuple[Any, ...]) -> int | None:
    if not args:
        return 1
    if len(args) > 1:
        return None
    if args[0].__class__ is float:
        return int(args[0]) if args[0] in (0.0, 1.0) else None
    return {"constant": 0, "linear": 1}.get(option(args[0]) or "")
