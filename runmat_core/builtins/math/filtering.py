"""Rational digital filters."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import as_float, dimension, first_axis, numeric
from runmat_core.builtins.lift import value_of
from runmat_core.builtins.math.polynomials import _nonempty, _vector
from runmat_core.values import to_numpy


@builtin("filter", family="math/polynomials", nargout=2, needs=("nargout",), effects="pure")
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
    from scipy.signal import lfilter

    numerator = _nonempty(_vector(b, "filter"), "filter")
    denominator = _vector(a, "filter")
    if not denominator.size or denominator[0] == 0:
        raise MatlabError(
            "MATLAB:filter:zeroLeadingDenominator",
            "First denominator filter coefficient must be non-zero.",
        )
    data = as_float(numeric(x, "filter"))
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
        y, final = lfilter(numerator, denominator, data, axis=axis, zi=initial)
    if nargout < 2:
        return value_of(y)
    vector = data.ndim == 2 and 1 in data.shape
    return value_of(y), value_of(final.reshape(-1, 1) if vector else final)
