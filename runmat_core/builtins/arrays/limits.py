"""Elements kept within bounds, and questions about all elements at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import as_float, numeric, real
from runmat_core.builtins.math.extrema import max_, min_
from runmat_core.values import from_numpy, to_numpy


@builtin("clip", family="math/extrema", effects="pure")
def clip(x: Any, lower: Any, upper: Any) -> Any:
    """Elements kept within bounds. NaN stays.

    C = clip(A, LOWER, UPPER) with bounds whose sizes are compatible with that of A

    Examples:
        >> clip([1 5 9], 2, 6)
        ans =
             2     5     6

    See also: min, max, bounds, rescale.
    """
    a, low, high = (real(value, "clip") for value in (x, lower, upper))
    if low.size == high.size == 1 and not (low <= high).all():
        raise MatlabError(
            "MATLAB:clip:InvalidBounds", "The lower bound must not exceed the upper bound."
        )
    found = min_(max_(x, lower, nargout=1), upper, nargout=1)
    if a.dtype.kind == "f" and np.isnan(a).any():
        # the larger of NaN and a bound is the bound
        array = np.array(to_numpy(found))
        array[np.broadcast_to(np.isnan(a), array.shape)] = np.nan
        return from_numpy(array)
    return found


@builtin("allfinite", family="arrays/predicates", effects="pure")
def allfinite(x: Any) -> bool:
    """Whether all elements are finite.

    TF = allfinite(A)

    Examples:
        >> allfinite([1 NaN])
        ans =
          logical
           0

    See also: isfinite, anynan, all.
    """
    return bool(np.isfinite(numeric(x, "allfinite")).all())


@builtin("anynan", family="arrays/predicates", effects="pure")
def anynan(x: Any) -> bool:
    """Whether any element is NaN.

    TF = anynan(A)

    Examples:
        >> anynan([1 NaN])
        ans =
          logical
           1

    See also: isnan, anymissing, allfinite.
    """
    return bool(np.isnan(numeric(x, "anynan")).any())


@builtin("isuniform", family="arrays/predicates", nargout=2, needs=("nargout",), effects="pure")
def isuniform(x: Any, *, nargout: int) -> Any:
    """Whether the elements of a vector are evenly spaced, but for rounding.

    TF = isuniform(V), [TF, STEP] = isuniform(V)

    Examples:
        >> [tf, step] = isuniform(0:0.1:1)
        tf =
          logical
           1
        step =
            0.1000

    See also: linspace, colon, diff.
    """
    a = real(x, "isuniform")
    v = as_float(a).ravel(order="F")
    kind = v.dtype.type
    step, uniform = kind(np.nan), False
    if a.ndim == 2 and 1 in a.shape and v.size > 1 and np.isfinite(v).all():
        mean = (v[-1] - v[0]) / kind(v.size - 1)
        slack = 4 * np.spacing(np.abs(v).max())
        uniform = bool((np.abs(np.diff(v) - mean) <= slack).all())
        step = mean if uniform else step
    outputs = (uniform, from_numpy(np.asarray(step)))
    return outputs if nargout > 1 else uniform
