"""Operations of blocks with what is the same in every row of theirs, or lies backwards."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_inprocess.maps import UFUNC

#: Shorter rows are taken several together, so that they make rows of about this length: NumPy
#: takes 3 ns for each row besides its elements.
SHORT, LONG = 64, 512


class Spread:
    """A ufunc of two operands of which one may be a single row."""

    def __init__(self, ufunc: Any) -> None:
        self.ufunc = ufunc

    def __call__(self, x: Any, y: Any, out: Any) -> None:
        ufunc, shape = self.ufunc, out.shape
        if len(shape) != 2 or shape[1] > SHORT or shape[0] < LONG:
            ufunc(x, y, out)
            return
        rows, width = shape
        row, wide = (x, y) if x.shape == (1, width) else (y, x)
        plain = row.shape == (1, width) and wide.shape == shape
        if not plain or not (wide.flags.c_contiguous and out.flags.c_contiguous):
            ufunc(x, y, out)
            return
        together = LONG // width
        whole = rows // together * together
        tiled = np.tile(row.reshape(-1), together)
        longer = wide[:whole].reshape(-1, tiled.size)
        target = out[:whole].reshape(-1, tiled.size)
        if row is x:
            ufunc(tiled, longer, target)
            ufunc(x, wide[whole:], out[whole:])
        else:
            ufunc(longer, tiled, target)
            ufunc(wide[whole:], y, out[whole:])


#: Of arrays that lie backwards NumPy computes these in another way, whose last bits differ.
ONE_WAY = frozenset(
    UFUNC[name]
    for name in "exp expm1 log log1p log2 log10 tan asin acos atan sinh cosh asinh acosh atanh "
    "cbrt pow atan2".split()
)


class Forward:
    """A ufunc of operands some of which lie backwards: the bits that it gives of a copy."""

    def __init__(self, function: Any) -> None:
        self.function = function

    def __call__(self, *operands: Any) -> None:
        *read, out = operands
        forward = [x if min(x.strides, default=0) >= 0 else np.ascontiguousarray(x) for x in read]
        if min(out.strides) >= 0:
            self.function(*forward, out)
            return
        made = np.empty(out.shape, out.dtype)
        self.function(*forward, made)
        np.copyto(out, made)
