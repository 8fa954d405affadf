"""Largest and smallest elements of a few doubles, by the shortest way."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.values import Array
from runmat_core.values.classes import DOUBLE

Operand = NDArray[Any]

#: So many elements Python's lists compare faster than NumPy does.
_FEW = 24


def of_few(a: Operand, args: Sequence[Any], largest: bool, nargout: int) -> Any:
    """Return the extreme of a short vector of doubles, or of doubles and a number.

    None for anything else, and where NaN is in the vector.
    """
    if a.dtype is not DOUBLE:
        return None
    if args:
        if args[0].__class__ is not float or len(args) > 1 or nargout > 1 or a.size < 2:
            return None
        return _of_number(a, args[0], largest)
    if a.ndim != 2 or not 1 < a.size <= _FEW or 1 not in a.shape:
        return None
    numbers = a.ravel().tolist()
    total = sum(numbers)
    if total != total:
        return None
    best = (max if largest else min)(numbers)
    return best if nargout < 2 else (best, numbers.index(best) + 1.0)


def _of_number(a: Operand, y: float, largest: bool) -> Any:
    """Return the extremes of doubles and a number; None where that is -0."""
    if y:
        found = (np.fmax if largest else np.fmin)(a, y)
    elif math.copysign(1.0, y) < 0:
        return None
    elif largest:
        found = np.fmax(a, y)
        found += y  # 0 is larger than -0
    else:
        found = np.where(a <= y, a, y)
    result: Any = object.__new__(Array)
    result.data = found if found.flags.f_contiguous else found.copy("F")
    return result
