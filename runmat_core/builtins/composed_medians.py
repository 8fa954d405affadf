"""Moving medians of large arrays: the elements of every window side by side, in order.

That takes as many times the memory of the array as a window has elements, so windows are narrow. It
is done where a provider sorts: elsewhere the host rule sorts every window itself.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from runmat_core.accel.capture.calls import offered
from runmat_core.accel.ops.elementwise import ElementwiseOp, elementwise_op
from runmat_core.api import ir
from runmat_core.api.fusion import Map
from runmat_core.builtins.composed import call
from runmat_core.builtins.composed_statistics import apply
from runmat_core.builtins.composed_windows import Moving, cut, moving_of, padded
from runmat_core.values import cat, char, from_numpy, minus, to_numpy

#: The widest window.
WIDEST = 32
_OMIT = char("omitnan")


def movmedian(x: Any, window: Any, *args: Any) -> Any:
    """``movmedian`` of real arrays without sample points."""
    moving = _narrow("movmedian", x, window, args)
    if moving is NotImplemented:
        return moving
    windows, axis = _side_by_side(moving)
    return _hidden(moving, call("median", windows, axis, _OMIT))


def movmad(x: Any, window: Any, *args: Any) -> Any:
    """``movmad`` of real arrays without sample points."""
    moving = _narrow("movmad", x, window, args)
    if moving is NotImplemented:
        return moving
    windows, axis = _side_by_side(moving)
    off = call("abs", minus(windows, call("median", windows, axis, _OMIT)))
    # an infinite median makes NaN of its equals, which count
    lost = call("any", apply(_made_nan(), off, windows), axis)
    return _hidden(moving, apply(_nan_where(), call("median", off, axis, _OMIT), lost))


def _narrow(name: str, x: Any, window: Any, args: tuple[Any, ...]) -> Any:
    moving = moving_of(name, x, window, args) if offered("sort") else NotImplemented
    return NotImplemented if moving is NotImplemented or moving.width > WIDEST else moving


def _side_by_side(moving: Moving) -> tuple[Any, float]:
    """Return the windows along a further dimension, and that dimension."""
    x = moving.x
    if not moving.discard:
        x = padded(moving, x, np.nan if moving.filler is None else moving.filler)
    along = int(moving.axis) - 1
    results = x.shape[along] - moving.width + 1
    axis = float(len(x.shape) + 1)
    return cat(axis, *[cut(x, along, k, results) for k in range(moving.width)]), axis


def _hidden(moving: Moving, found: Any) -> Any:
    """Return what was found, NaN where a window has one that is not left out."""
    if moving.omit:
        return found
    # NaN beyond the ends is none of a window's elements, unless the call fills with it
    there = call("isnan", moving.x)
    filler = moving.filler is not None and moving.filler != moving.filler
    missing = moving._replace(x=call(moving.x.class_name, there), filler=float(filler))
    windows, axis = _side_by_side(missing)
    return apply(_nan_where(), found, call("any", windows, axis))


@cache
def _nan_where() -> ElementwiseOp:
    """Return a number, NaN where a condition holds."""

    def function(x: Any, lost: Any) -> Any:
        return ir.where(lost != 0.0, float("nan"), x)

    def host(x: Any, lost: Any) -> Any:
        a = to_numpy(x)
        return from_numpy(np.where(to_numpy(lost) != 0, a.dtype.type(np.nan), a))

    return elementwise_op("isnan", Map(function, "float"), host)


@cache
def _made_nan() -> ElementwiseOp:
    """Whether one is NaN and the other is not, as a number."""

    def function(x: Any, y: Any) -> Any:
        return ir.cast(ir.isnan(x) & ~ir.isnan(y), x.dtype)

    def host(x: Any, y: Any) -> Any:
        a, b = to_numpy(x), to_numpy(y)
        return from_numpy((np.isnan(a) & ~np.isnan(b)).astype(a.dtype))

    return elementwise_op("isnan", Map(function, "float"), host)
