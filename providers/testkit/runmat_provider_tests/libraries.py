"""Library calls evaluated with NumPy: what providers' own are compared with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runmat_core.api.ir import LibraryCall


def product(unit: LibraryCall, extents: Sequence[int], buffers: Sequence[Any]) -> None:
    """``matmul``: op(A) * op(B), or A' * A for ``syrk``, all column-major."""
    m, n, k = extents
    a, c = buffers[0], buffers[-1]
    left = (
        a.reshape((k, m), order="F").T
        if unit.attribute("trans_a")
        else a.reshape((m, k), order="F")
    )
    b = a if unit.attribute("syrk") and len(buffers) == 2 else buffers[1]
    right = (
        b.reshape((n, k), order="F").T
        if unit.attribute("trans_b")
        else b.reshape((k, n), order="F")
    )
    c[:] = (left @ right).ravel(order="F")


def sort(unit: LibraryCall, extents: Sequence[int], buffers: Sequence[Any]) -> None:
    """``sort``: stable, -0 equal to 0, NaN the largest."""
    axis: Any = unit.attribute("axis", 0)
    x = buffers[0].reshape(tuple(extents), order="F")
    order = np.argsort(keys(x, bool(unit.attribute("descending"))), axis=axis, kind="stable")
    buffers[1][:] = np.take_along_axis(x, order, axis).ravel(order="F")
    if len(buffers) > 2:
        buffers[2][:] = order.ravel(order="F") + 1


def keys(x: Any, descending: bool) -> Any:
    """What orders elements ascending when `x` is to be in the order asked for."""
    if not descending:
        return x
    if x.dtype.kind == "f":
        # NaN comes first: below what minus infinity is to the others
        ranked = np.unique(-x, return_inverse=True)[1].reshape(x.shape) + 1
        return np.where(np.isnan(x), 0, ranked)
    return ~x


def qr(unit: LibraryCall, extents: Sequence[int], buffers: Sequence[Any]) -> None:
    """``qr``: thin factors."""
    a = buffers[0].reshape(tuple(extents), order="F")
    q, r = np.linalg.qr(a, mode="reduced")
    if unit.attribute("q"):
        buffers[1][:] = q.ravel(order="F")
    buffers[-1][:] = r.ravel(order="F")


LIBRARIES: dict[str, Callable[[LibraryCall, Sequence[int], Sequence[Any]], None]] = {
    "matmul": product,
    "qr": qr,
    "sort": sort,
}
