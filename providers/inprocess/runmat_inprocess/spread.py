"""Operations of blocks with what is the same in every row of theirs."""

from __future__ import annotations

from typing import Any

import numpy as np

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
