"""Statistics that are a few operations of large arrays (`builtins.composed`)."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from runmat_core.accel.capture.maps import capture_map
from runmat_core.accel.ops.elementwise import ElementwiseOp, elementwise_op
from runmat_core.api import ir
from runmat_core.api.errors import MatlabError
from runmat_core.api.fusion import Map
from runmat_core.builtins.arguments import option, split_options
from runmat_core.builtins.composed import (
    call,
    dimension_of,
    is_array,
    is_one_of,
    is_real,
    large,
)
from runmat_core.builtins.forms import FORMS, read_call
from runmat_core.values import (
    char,
    ctranspose,
    eq,
    from_numpy,
    ge,
    horzcat,
    minus,
    mtimes,
    plus,
    rdivide,
    times,
    to_numpy,
)
from runmat_core.values.deferred import settled

# -- operations of elements ------------------------------------------------------------------------


def present(x: Any, otherwise: float = 0.0) -> Any:
    """`x` with `otherwise` for NaN."""
    return apply(_present(), x, otherwise)


def apply(operation: ElementwiseOp, *values: Any) -> Any:
    from runmat_core.accel.capture.boundary import lazy

    graph = lazy(*values)
    assert graph is not None
    return capture_map(operation, graph, values)


@cache
def _present() -> ElementwiseOp:
    def host(x: Any, otherwise: float) -> Any:
        a = to_numpy(x)
        return from_numpy(np.where(np.isnan(a), a.dtype.type(otherwise), a))

    function = Map(lambda x, otherwise: ir.where(ir.isnan(x), otherwise, x), "float")
    return elementwise_op("present", function, host)


@cache
def _weighing() -> ElementwiseOp:
    """Return the weight of an element: none where it is NaN."""

    def host(x: Any, w: Any) -> Any:
        a, weights = np.broadcast_arrays(to_numpy(x), to_numpy(w))
        return from_numpy(np.where(np.isnan(a), 0.0, weights).astype(a.dtype))

    return elementwise_op("weight", Map(lambda x, w: ir.where(ir.isnan(x), 0.0, w), "float"), host)


@cache
def _within() -> ElementwiseOp:
    """Elements on a scale, held to its ends; the lower end where the scale has no width."""

    def function(x: Any, centre: Any, scale: Any, low: Any, high: Any) -> Any:
        share = (x - centre) / scale
        held = ir.where(share < low, low, ir.where(share > high, high, share))
        return ir.where((scale == 0.0) & ~ir.isnan(x), low, held)

    def host(x: Any, centre: Any, scale: Any, low: float, high: float) -> Any:
        a, middle, width = map(to_numpy, (x, centre, scale))
        with np.errstate(all="ignore"):
            held = np.clip((a - middle) / width, low, high)
        return from_numpy(np.where((width == 0) & ~np.isnan(a), low, held).astype(a.dtype))

    return elementwise_op("normalize", Map(function, "float"), host)


@cache
def _rescaling() -> ElementwiseOp:
    """Elements between bounds that are given, on another interval."""

    def function(x: Any, low: Any, high: Any, least: Any, most: Any) -> Any:
        held = ir.where(x < least, least, ir.where(x > most, most, x))
        share = (held - least) / (most - least)
        return low + ir.where(most == least, held * 0.0, share) * (high - low)

    def host(x: Any, low: float, high: float, least: float, most: float) -> Any:
        a = to_numpy(x)
        held = np.clip(a, least, most)
        share = held * 0 if least == most else (held - least) / (most - least)
        return from_numpy((low + share * (high - low)).astype(a.dtype))

    return elementwise_op("rescale", Map(function, "float"), host)


# -- covariance ------------------------------------------------------------------------------------


def cov(x: Any, weight: Any = 0.0, *more: Any) -> Any:
    """``cov(A)``, ``cov(A, w)`` and ``cov(A, B)``: products of centred columns."""
    if is_array(weight):
        x, weight, more = _paired(x, weight), *(more or (0.0,)), more[1:]
    if more or not is_one_of(weight, 0.0, 1.0) or not is_real(x) or not large(x):
        return NotImplemented
    if len(x.shape) != 2 or max(x.shape) == 1:
        return NotImplemented
    if 1 in x.shape:
        x = call("reshape", x, float(max(x.shape)), 1.0)
    centred = minus(x, call("mean", x, 1.0))
    return rdivide(mtimes(ctranspose(centred), centred), x.shape[0] - 1.0 + weight)


def _paired(x: Any, y: Any) -> Any:
    """Two arrays of one class and number of elements as columns; None for others."""
    if not (is_real(x) and is_real(y) and large(x, y) and x.class_name == y.class_name):
        return None
    count = math.prod(x.shape)
    if count < 2 or math.prod(y.shape) != count or len(x.shape) > 2:
        return None
    return horzcat(*[call("reshape", v, float(count), 1.0) for v in (x, y)])


def corrcoef(x: Any, *more: Any, nargout: int = 1) -> Any:
    """``corrcoef(A)`` of a matrix, and ``corrcoef(A, B)``."""
    if nargout > 1 or len(more) > 1 or not is_array(x) or (not more and 1 in x.shape):
        return NotImplemented
    if more and not is_array(more[0]):
        return NotImplemented
    covariance = cov(x, *more)
    if covariance is NotImplemented:
        return covariance
    from runmat_core.accel.capture.matrices import with_ones

    spread = call("sqrt", call("diag", covariance))
    r = rdivide(covariance, times(spread, ctranspose(spread)))
    return with_ones(rdivide(r, call("max", call("abs", r), 1.0)))


# -- norms and moments -----------------------------------------------------------------------------


def vecnorm(x: Any, p: Any = 2.0, dim: Any = None) -> Any:
    """``vecnorm(A)``, ``vecnorm(A, p)``, ``vecnorm(A, p, dim)``."""
    if p.__class__ is not float or not p > 0 or not is_real(x) or not large(x):
        return NotImplemented
    axis = dimension_of(x, dim)
    if not axis:
        return NotImplemented
    if p == 2.0:
        return call("sqrt", call("sum", times(x, x), axis))
    size = call("abs", x)
    if p == math.inf:
        return call("max", size, _NOTHING, axis, char("includenan"))
    if p == 1.0:
        return call("sum", size, axis)
    # two products take less than a power
    powers = times(size, times(size, size)) if p == 3.0 else call("power", size, p)
    return call("power", call("sum", powers, axis), 1.0 / p)


_NOTHING = from_numpy(np.zeros((0, 0)))


def rms(x: Any, *args: Any) -> Any:
    """``rms(A)`` with the dimensions and flags of a sum."""
    if not is_real(x) or not large(x):
        return NotImplemented
    request = read_call(FORMS["sum"], (x, *args))
    if request is None or "output_class" in request[1]:
        return NotImplemented
    if request[0] is not None and not any(axis < len(x.shape) for axis in request[0]):
        return NotImplemented
    return call("sqrt", call("mean", times(x, x), *args))


def mad(x: Any, flag: Any = 0.0, dim: Any = None) -> Any:
    """``mad(A)``, ``mad(A, flag)``, ``mad(A, flag, dim)``; NaN elements are left out."""
    if not is_one_of(flag, 0.0, 1.0) or not is_real(x) or not large(x):
        return NotImplemented
    axis = dimension_of(x, dim)
    if not axis:
        return NotImplemented
    name = "median" if flag else "mean"
    centre = call(name, x, axis, _OMIT)
    return call(name, call("abs", minus(x, centre)), axis, _OMIT)


_OMIT = char("omitnan")


def spread(name: str, args: tuple[Any, ...], nargout: int) -> Any:
    """``var`` or ``std`` with weights, or with the mean as a second output."""
    if not args or not is_real(args[0]) or not large(args[0]):
        return NotImplemented
    x = args[0]
    plain, words = split_options(args[1:])
    omit = any(word.startswith("omit") for word in words)
    if not set(words) <= {"omitnan", "omitmissing", "includenan", "includemissing"}:
        return NotImplemented
    weights = plain[0] if plain else 0.0
    if len(plain) > 2 or (is_array(weights) and not is_real(weights)):
        return NotImplemented
    axis = dimension_of(x, plain[1] if len(plain) > 1 else None)
    if not axis:
        return NotImplemented
    flags = (_OMIT,) if omit else ()
    if not is_array(weights):
        if nargout < 2 or not is_one_of(weights, 0.0, 1.0):
            return NotImplemented
        centre = call("mean", x, axis, *flags)
        return call(name, x, weights, axis, *flags), centre
    weights = _weights(x, weights, int(axis) - 1)
    if weights is NotImplemented:
        return weights
    kept = present(x) if omit else x
    each = apply(_weighing(), x, weights) if omit else call(x.class_name, weights)
    whole = call("sum", each, axis)
    centre = rdivide(call("sum", times(each, kept), axis), whole)
    off = minus(kept, centre)
    found = rdivide(call("sum", times(each, times(off, off)), axis), whole)
    if name == "std":
        found = call("sqrt", found)
    return (found, centre) if nargout > 1 else found


def _weights(x: Any, weights: Any, axis: int) -> Any:
    """Weights along an axis, or of each element; NotImplemented for what the host rule refuses.

    One logical is brought back where they are on a device.
    """
    shape = x.shape
    if weights.shape != shape:
        if math.prod(weights.shape) != shape[axis] or shape[axis] == 1:
            return NotImplemented
        extents = [float(n) if k == axis else 1.0 for k, n in enumerate(shape)]
        weights = call("reshape", weights, *extents)
    if settled(call("all", ge(weights, 0.0), char("all"))) is not True:
        return NotImplemented
    return weights


# -- scales ----------------------------------------------------------------------------------------


def normalize(x: Any, *args: Any, nargout: int = 1) -> Any:
    """``normalize`` by all methods that take a mean, a median, a norm or extremes."""
    from runmat_core.builtins.arrays.normalizing import limits, steps_of

    dim = None
    if args and option(args[0]) is None:
        dim, args = args[0], args[1:]
    axis = dimension_of(x, dim)
    if not axis or not is_real(x) or not large(x):
        return NotImplemented
    try:
        steps = steps_of(list(args))
        if len(steps) > 2 or (len(steps) == 2 and {m for m, _ in steps} != {"center", "scale"}):
            return NotImplemented
        centre: Any = None
        scale: Any = None
        for method, kind in steps:
            found = _affine(method, kind, x, axis)
            if found is NotImplemented:
                return found
            centre = centre if found[0] is None else found[0]
            scale = scale if found[1] is None else found[1]
        if steps[0][0] == "range":
            result = apply(_within(), x, centre, scale, *limits(steps[0][1]))
        else:
            result = x if centre is None else minus(x, centre)
            result = result if scale is None else rdivide(result, scale)
    except MatlabError:
        return NotImplemented  # the host rule says what is wrong
    if nargout > 1 and (centre is None or scale is None):
        return NotImplemented
    return (result, centre, scale)[:nargout] if nargout > 1 else result


def _affine(method: str, kind: Any, x: Any, axis: float) -> Any:
    """Centre and scale of a method, each None where it has none: (x - centre)/scale."""
    from runmat_core.builtins.arrays.normalizing import limits
    from runmat_core.builtins.named import choice

    if method == "zscore":
        word = "std" if kind is None else choice(kind, ("std", "robust"), "normalize")
        if word == "std":
            return call("mean", x, axis, _OMIT), call("std", x, 0.0, axis, _OMIT)
        return call("median", x, axis, _OMIT), mad(x, 1.0, axis)
    if method in ("center", "scale"):
        numbers = kind is not None and option(kind) is None
        if numbers and kind.__class__ is not float:
            return NotImplemented
        if method == "center":
            words = ("mean", "median")
            found = kind if numbers else call(_word(kind, words), x, axis, _OMIT)
            return found, None
        word = "" if numbers else _word(kind, ("std", "mad", "first", "iqr"))
        if word in ("first", "iqr"):
            return NotImplemented
        if numbers:
            return None, kind
        return None, call("std", x, 0.0, axis, _OMIT) if word == "std" else mad(x, 1.0, axis)
    if method == "norm":
        p = 2.0 if kind is None else kind
        return (None, vecnorm(present(x), p, axis)) if p.__class__ is float else NotImplemented
    if method != "range":
        return NotImplemented
    low, high = limits(kind)
    least, most = (call(name, x, _NOTHING, axis) for name in ("min", "max"))
    scale = rdivide(minus(most, least), high - low)
    return minus(least, times(scale, low)) if low else least, scale


def _word(kind: Any, words: tuple[str, ...]) -> str:
    from runmat_core.builtins.named import choice

    return words[0] if kind is None else choice(kind, words, "normalize")


def rescale(x: Any, *args: Any) -> Any:
    """``rescale(A)`` and ``rescale(A, l, u)``, and with both of "InputMin" and "InputMax"."""
    from runmat_core.builtins.named import pairs, positional

    try:
        ends, words = positional(args)
        named, _ = pairs(words, ("InputMin", "InputMax"), "rescale")
    except MatlabError:
        return NotImplemented
    if len(ends) not in (0, 2) or len(named) not in (0, 2) or not is_real(x) or not large(x):
        return NotImplemented
    low, high = ends or (0.0, 1.0)
    if low.__class__ is not float or high.__class__ is not float or not low <= high:
        return NotImplemented
    if named:
        least, most = named["InputMin"], named["InputMax"]
        if least.__class__ is not float or most.__class__ is not float or not least <= most:
            return NotImplemented
        return apply(_rescaling(), x, low, high, least, most)
    elements = call("reshape", x, float(math.prod(x.shape)), 1.0)
    least, most = call("min", elements), call("max", elements)
    width = minus(most, least)
    share = rdivide(minus(x, least), plus(width, eq(width, 0.0)))
    return share if (low, high) == (0.0, 1.0) else plus(times(share, high - low), low)
