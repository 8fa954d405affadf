"""Library calls: products by BLAS, with an epilogue on panels that are still in cache."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api import diagonals
from runmat_core.api.device import NUMPY_DTYPE, Addressing
from runmat_core.api.ir import FLOATS, LibraryCall
from runmat_core.api.threads import by_work
from runmat_inprocess.fragments import DeclinedError
from runmat_inprocess.kernels import CompiledKernel
from runmat_inprocess.pool import Pool

#: What this provider accepts, by name; ``syrk`` is a product of a matrix with itself, transposed.
LIBRARIES = frozenset({"matmul", "syrk"})

#: Elements of a panel of a product that an epilogue takes while they are in cache: 4 MB of doubles.
PANEL = 1 << 19
#: Fewer columns at a time would cost BLAS its speed.
COLUMNS = 128
#: Elements of a matrix from which its product with a few columns is asked for row by row: OpenBLAS
#: takes half the time in double precision, and what there is to turn round is small.
NARROW = 1 << 14


class CompiledProduct:
    """``C = A * B`` of column-major matrices; `A`, `B` or both may be transposed.

    Attributes of the call: ``trans_a``, ``trans_b``, and ``syrk`` where the product is ``A' * A``:
    then the two inputs may be one slot. BLAS computes one triangle and NumPy mirrors it.

    Raises:
        DeclinedError: types, attributes or an epilogue that BLAS and blocks do not do.
    """

    def __init__(self, call: LibraryCall, block: int) -> None:
        types = set(call.dtypes[:2])
        if call.epilogue is None:
            types = set(call.dtypes)
        if len(types) != 1 or not types <= FLOATS:
            raise DeclinedError(f"matmul of {', '.join(call.dtypes)}")
        if {name for name, _ in call.attributes} - {"trans_a", "trans_b", "syrk"}:
            raise DeclinedError(f"matmul with {call.attributes}")
        self.dtype = NUMPY_DTYPE[types.pop()]
        self.trans_a = bool(call.attribute("trans_a"))
        self.trans_b = bool(call.attribute("trans_b"))
        self.syrk = bool(call.attribute("syrk"))
        self.epilogue = None
        if call.epilogue is not None:
            if len(call.epilogue.axes) != 2:
                raise DeclinedError("an epilogue that is not over the product")
            self.epilogue = CompiledKernel(call.epilogue, block)
        #: whether panels of columns go their own way
        self.panels = call.epilogue is not None and call.epilogue.axes[1].kind == "parallel"

    def written(self, count: int) -> range:
        """Which of a launch's slots are written."""
        if self.epilogue is None:
            return range(count - 1, count)
        return range(count - len(self.epilogue.writes), count)

    def run(
        self,
        buffers: Sequence[Any],
        extents: tuple[int, ...],
        views: tuple[Addressing, ...],
        params: Sequence[float | bool | int],
        pool: Pool,
    ) -> tuple[int, int]:
        """Run a launch over extents (m, n, k); bytes read and written."""
        with by_work(math.prod(extents)):
            return self._multiply(buffers, extents, views, params, pool)

    def _multiply(
        self,
        buffers: Sequence[Any],
        extents: tuple[int, ...],
        views: tuple[Addressing, ...],
        params: Sequence[float | bool | int],
        pool: Pool,
    ) -> tuple[int, int]:
        m, n, k = extents
        a = buffers[0]
        b = a if self.syrk else buffers[1]
        # the transposes of column-major matrices are row-major ones, which NumPy passes to BLAS
        # as they are: C' = B' * A'
        left = b.reshape((n, k) if not self.trans_b else (k, n))
        right = a.reshape((k, m) if not self.trans_a else (m, k))
        left = left.T if self.trans_b else left
        right = right.T if self.trans_a else right
        traffic = (a.nbytes + (b.nbytes if b is not a else 0), m * n * self.dtype.itemsize)
        if self.epilogue is None:
            out = buffers[-1].reshape((n, m))
            if 4 * n <= min(m, k) and m * k >= NARROW and not self.trans_a and not self.trans_b:
                np.copyto(out.T, np.matmul(right.T, left.T))
            elif diagonals.product(left, right, out) is None:
                np.matmul(left, right, out=out)
            return traffic
        rest = buffers[1 if self._one_input(len(buffers)) else 2 :]
        width = n
        # a symmetric product is half the work, and only as a whole
        if self.panels and not self.syrk and m * n > PANEL:
            width = min(max(PANEL // max(m, 1), COLUMNS), n)
        panel = np.empty((max(width, 1), m), self.dtype)
        written = 0
        for start in range(0, n, max(width, 1)):
            count = min(width, n - start)
            part = panel[:count]
            np.matmul(left[start : start + count], right, out=part)
            moved = tuple(
                v if view.buffer == 0 else Addressing(v.offset + start * v.strides[1], v.strides)
                for v, view in zip(views, self.epilogue.kernel.views, strict=True)
            )
            _, bytes_written = self.epilogue.run(
                [part.reshape(-1), *rest], (m, count), moved, params, pool
            )
            written += bytes_written
        return traffic[0], written

    def _one_input(self, count: int) -> bool:
        """Whether the launch names the input of a symmetric product once."""
        if not self.syrk:
            return False
        further = 1 if self.epilogue is None else len(self.epilogue.kernel.buffers) - 1
        return count == 1 + further
