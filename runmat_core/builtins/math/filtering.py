"""Rational digital filters."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.fusion import Call, Operand, Requested
from runmat_core.api.libraries import function
from runmat_core.builtins.arguments import as_float, dimension, first_axis, numeric
from runmat_core.builtins.lift import value_of
from runmat_core.builtins.math.polynomials import coefficients_of, nonempty
from runmat_core.values import to_numpy
from runmat_core.values.classes import FLOAT_CLASSES

Numbers = NDArray[Any]

#: The largest order of filters with a denominator that libraries are asked for, and the dimensions
#: along which they filter without one.
ORDER = 32
AXES = 3


def _filter_call(
    b: Any, a: Any, x: Any, zi: Any = None, dim: Any = None, *, nargout: int
) -> Requested | None:
    """Return what a call of ``filter`` asks of a library: of real arrays of one class, at rest."""
    if nargout > 1 or not isinstance(x, Operand) or x.cls not in FLOAT_CLASSES or 0 in x.shape:
        return None
    if zi is not None and not (isinstance(zi, Operand) and 0 in zi.shape):
        return None
    coefficients = [v for v in (b, a) if isinstance(v, Operand)]
    if any(v.cls != x.cls or 0 in v.shape for v in coefficients):
        return None
    if any(len(v.shape) != 2 or 1 not in v.shape for v in coefficients):
        return None
    axis = first_axis(x.shape) if dim is None else dimension(dim)
    counts = [math.prod(v.shape) if isinstance(v, Operand) else 1 for v in (b, a)]
    recursive = isinstance(a, Operand)
    if recursive:
        if not a.elements or a.elements[0] == 0 or max(counts) > ORDER + 1:
            return None
    elif a != 1 or not isinstance(b, Operand) or axis >= AXES:
        return None
    if axis >= len(x.shape) or any(v.__class__ is str for v in (b, a)):
        return None
    attributes: tuple[tuple[str, Any], ...] = (("axis", axis), ("recursive", recursive))
    if not isinstance(b, Operand):
        attributes = (("axis", axis), ("gain", float(b)), ("recursive", recursive))
    return Requested(attributes, ((x.shape, x.cls),), extents=(*counts, *x.shape))


def filtered(
    numerator: Numbers, denominator: Numbers, data: Numbers, axis: int, initial: Numbers
) -> tuple[Numbers, Numbers]:
    """Return what a filter makes of lines of `data`, and its state after them."""
    if denominator.size > 1 or data.ndim > 2:
        rule = function("scipy.signal._sigtools._linear_filter", "scipy.signal.lfilter")
        y, final = rule(numerator, denominator, data, axis, initial)
        return y, final
    # without feedback, lines are convolved
    taps = numerator / denominator[0]
    lines = data.T if axis == 0 else data
    full = np.array([np.convolve(taps, line) for line in lines])
    full[:, : taps.size - 1] += initial.T if axis == 0 else initial
    if axis == 0:
        full = full.T
        return full[: data.shape[0]], full[data.shape[0] :]
    return full[:, : data.shape[1]], full[:, data.shape[1] :]


@builtin(
    "filter",
    family="math/polynomials",
    nargout=2,
    needs=("nargout",),
    effects="pure",
    gpu=Call("filter", _filter_call, linear=(0, 2)),
)
def filter_(b: Any, a: Any, x: Any, zi: Any = None, dim: Any = None, *, nargout: int) -> Any:
    """Rational digital filter.

    Y = filter(B, A, X) filters along the first dimension whose extent is not one
    [Y, ZF] = filter(B, A, X, ZI), filter(B, A, X, [], DIM)

    Examples:
        >> filter(1, [1 -0.5], [1 0 0])
        ans =
            1.0000    0.5000    0.2500

    See also: conv, filter2.
    """
    numerator = nonempty(coefficients_of(b, "filter"), "filter")
    denominator = coefficients_of(a, "filter")
    if not denominator.size or denominator[0] == 0:
        raise MatlabError(
            "MATLAB:filter:zeroLeadingDenominator",
            "First denominator filter coefficient must be non-zero.",
        )
    data = as_float(numeric(x, "filter"))
    if any(v.real.dtype == np.float32 for v in (numerator, denominator, data)):
        numerator, denominator, data = (
            v.astype(np.complex64 if v.dtype.kind == "c" else np.float32)
            for v in (numerator, denominator, data)
        )
    axis = first_axis(data.shape) if dim is None else dimension(dim)
    if axis >= data.ndim:
        data, axis = data[..., None], data.ndim
    order = max(numerator.size, denominator.size) - 1
    shape = [order if k == axis else n for k, n in enumerate(data.shape)]
    initial = np.zeros(shape, np.result_type(data, numerator, denominator))
    if zi is not None and to_numpy(zi).size:
        given = as_float(numeric(zi, "filter"))
        if given.size not in (order, initial.size):
            raise MatlabError(
                "MATLAB:filter:initialConditionsSize",
                "Initial conditions must be a vector of length max(length(a),length(b))-1, or an "
                "array with the leading dimension of size max(length(a),length(b))-1 and with "
                "remaining dimensions matching those of x.",
            )
        if given.size == order:
            shape = [order if k == axis else 1 for k in range(data.ndim)]
        initial[...] = given.reshape(shape, order="F")
    if order == 0 or data.size == 0:
        y, final = numerator[0] / denominator[0] * data, initial
    else:
        y, final = filtered(numerator, denominator, data, axis, initial)
    if nargout < 2:
        return value_of(y)
    vector = data.ndim == 2 and 1 in data.shape
    return value_of(y), value_of(final.reshape(-1, 1) if vector else final)
