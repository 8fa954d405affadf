"""Products with a full matrix that is a diagonal, without the multiplications by zero.

``diag(v) * A`` and ``A * diag(v)`` are how rows and columns are scaled. Looking costs a column
where a matrix is no diagonal, and a pass over each where one is.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[Any]

#: The order of a diagonal from which a product takes longer than the passes.
LEAST = 128


def product(left: Matrix, right: Matrix, out: Matrix | None = None) -> Matrix | None:
    """``left @ right`` where one is a diagonal and the other is finite, else None.

    A zero beside the diagonal makes NaN of what is infinite, so that is left to the full product.

    Args:
        out: where the product is put.
    """
    if min(*left.shape, right.shape[1]) < LEAST:
        return None
    with np.errstate(all="ignore"):
        if _is_diagonal(left) and np.isfinite(right).all():
            made = np.multiply(left.diagonal()[:, None], right, out=out)
        elif _is_diagonal(right) and np.isfinite(left).all():
            made = np.multiply(left, right.diagonal()[None, :], out=out)
        else:
            return None
        # sums with zeros have no negative ones
        made += 0
    return made


def _is_diagonal(a: Matrix) -> bool:
    if a.shape[0] != a.shape[1]:
        return False
    # along memory, whichever way that goes
    line = a[0, 1:] if a.strides[1] < a.strides[0] else a[1:, 0]
    return not line.any() and np.count_nonzero(a) == np.count_nonzero(a.diagonal())
