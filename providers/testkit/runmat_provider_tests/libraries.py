"""Library calls evaluated with NumPy: what providers' own are compared with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runmat_core.api.ir import LibraryCall
from runmat_core.api.ir.calls import PAGED, PAGES, TOLD
from runmat_provider_tests.signals import conv, fft, filter_

#: What evaluates a library call: it fills the buffers of the outputs.
Call = Callable[[LibraryCall, Sequence[int], Sequence[Any]], bool | None]


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
    """Return what orders elements ascending when `x` is to be in the order asked for."""
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


def chol(unit: LibraryCall, extents: Sequence[int], buffers: Sequence[Any]) -> bool:
    """``chol``: guards where LAPACK finds no factor."""
    a = buffers[0].reshape(tuple(extents), order="F")
    lower = bool(unit.attribute("lower"))
    try:
        factor = np.linalg.cholesky(a if lower else a.T)
    except np.linalg.LinAlgError:
        return True
    buffers[1][:] = (factor if lower else factor.T).ravel(order="F")
    return not np.isfinite(factor).all()


def solve(unit: LibraryCall, extents: Sequence[int], buffers: Sequence[Any]) -> bool:
    """``solve``, and ``inv`` with one input."""
    n = extents[0]
    a = buffers[0].reshape((n, n), order="F")
    b = np.eye(n, dtype=a.dtype)
    if len(buffers) > 2:
        b = buffers[1].reshape((n, -1), order="F")
    if doubtful(a) or not np.isfinite(b).all():
        return True
    buffers[-1][:] = np.linalg.solve(a, b).ravel(order="F")
    return False


def doubtful(a: Any) -> bool:
    """Whether the columns of a matrix may depend on one another."""
    if not np.isfinite(a).all():
        return True
    s = np.linalg.svd(a, compute_uv=False)
    return not s[-1] > 100 * max(a.shape) * np.finfo(a.dtype).eps * s[0]


def lstsq(unit: LibraryCall, extents: Sequence[int], buffers: Sequence[Any]) -> bool:
    """``lstsq``: of full rank."""
    m, n = extents[:2]
    a, b = buffers[0].reshape((m, n), order="F"), buffers[1].reshape((m, -1), order="F")
    if doubtful(a) or not np.isfinite(b).all():
        return True
    buffers[2][:] = np.linalg.lstsq(a, b, rcond=None)[0].ravel(order="F")
    return False


def det(unit: LibraryCall, extents: Sequence[int], buffers: Sequence[Any]) -> bool:
    """``det``."""
    with np.errstate(all="ignore"):
        buffers[1][:] = np.linalg.det(buffers[0].reshape(tuple(extents), order="F"))
    return not np.isfinite(buffers[1]).all()


def svd(unit: LibraryCall, extents: Sequence[int], buffers: Sequence[Any]) -> bool:
    """``svd``: values, or thin factors."""
    a = buffers[0].reshape(tuple(extents), order="F")
    if not np.isfinite(a).all():
        return True
    if not unit.attribute("vectors"):
        values = np.linalg.svd(a, compute_uv=False)
        buffers[1][:] = values[:1] if unit.attribute("largest") else values
        return False
    u, s, v = np.linalg.svd(a, full_matrices=False)
    for buffer, factor in zip(buffers[1:], (u, np.diag(s), v.T), strict=True):
        buffer[:] = factor.ravel(order="F")
    return False


def eig(unit: LibraryCall, extents: Sequence[int], buffers: Sequence[Any]) -> bool:
    """``eig``: of symmetric matrices."""
    a = buffers[0].reshape(tuple(extents), order="F")
    if not np.isfinite(a).all() or not (a == a.T).all():
        return True
    if not unit.attribute("vectors"):
        buffers[1][:] = np.linalg.eigvalsh(a)
        return False
    d, v = np.linalg.eigh(a)
    for buffer, factor in zip(buffers[1:], (v, np.diag(d)), strict=True):
        buffer[:] = factor.ravel(order="F")
    return False


def by_pages(call: Call, told: bool = False) -> Call:
    """Return the form for pages of a call: each page by itself, `told` apart or not."""

    def pages(unit: LibraryCall, extents: Sequence[int], buffers: Sequence[Any]) -> bool:
        shapes = [tuple(extents[k : k + 3]) for k in range(0, len(extents), 3)]
        count = max(shape[2] for shape in shapes)
        fired = np.zeros(count, bool)
        last = len(buffers) - told
        for page in range(count):
            inputs = [
                buffer.reshape(shape, order="F")[:, :, page % shape[2]].ravel(order="F")
                for buffer, shape in zip(buffers, shapes, strict=False)
            ]
            outputs = [buffer.reshape(count, -1)[page] for buffer in buffers[len(shapes) : last]]
            one = [n for shape in shapes for n in shape[:2]]
            fired[page] = bool(call(unit, one, [*inputs, *outputs]))
        if told:
            buffers[last][:] = fired
        return not told and bool(fired.any())

    return pages


def compact(unit: LibraryCall, extents: Sequence[int], buffers: Sequence[Any]) -> None:
    """``compact``: what is not zero."""
    rows, columns, skipped, kept = extents
    mask = buffers[0]
    assert mask.size == rows * columns
    gives: Any = unit.attribute("gives")
    outputs = buffers[len(buffers) - len(gives) :]
    source = buffers[1] if len(buffers) - len(gives) > 1 else mask
    at = np.flatnonzero(mask)[skipped : skipped + kept]
    found = {"places": at + 1, "rows": at % rows + 1, "columns": at // rows + 1}
    for name, output in zip(gives, outputs, strict=True):
        output[:kept] = source[at] if name == "values" else found[name]


def scatter(unit: LibraryCall, extents: Sequence[int], buffers: Sequence[Any]) -> None:
    """``scatter``: one write after the other."""
    x, places, values, y = buffers
    y[:] = x
    for k, place in enumerate(places.tolist()):
        if 0 <= place < x.size:
            y[place] = values[k if values.size > 1 else 0]


def expand(unit: LibraryCall, extents: Sequence[int], buffers: Sequence[Any]) -> None:
    """``expand``: elements where a mask is true."""
    x, mask, values, y = buffers
    y[:] = x
    y[np.flatnonzero(mask)] = values


def accumulate(unit: LibraryCall, extents: Sequence[int], buffers: Sequence[Any]) -> bool:
    """``accumulate``: one element after the other."""
    places, y = buffers[0], buffers[-1]
    if ((places < 1) | (places > y.size) | (places != np.floor(places))).any():
        return True
    at = places.astype(np.int64) - 1
    by = unit.attribute("by")
    if by == "count":
        y[:] = np.bincount(at, minlength=y.size)
        return False
    values = np.broadcast_to(buffers[1], at.shape)
    if by == "sum":
        y[:] = np.bincount(at, values, minlength=y.size)
        return False
    y[:] = np.nan
    (np.fmax if by == "max" else np.fmin).at(y, at, values)
    y[np.bincount(at, minlength=y.size) == 0] = 0
    return False


def histogram(unit: LibraryCall, extents: Sequence[int], buffers: Sequence[Any]) -> None:
    """``histogram``: by searching."""
    x, edges = buffers[0].astype(np.float64), buffers[1]
    at = np.searchsorted(edges, x, side="right")
    if unit.attribute("closed"):
        at = np.where(x == edges[-1], edges.size - 1, at)
    at = np.where((x >= edges[0]) & (x <= edges[-1]), at, 0)
    buffers[2][:] = np.bincount(at, minlength=edges.size + 1)[1 : buffers[2].size + 1]
    if len(buffers) > 3:
        buffers[3][:] = at


_OF_MATRICES: dict[str, Call] = {
    "chol": chol,
    "det": det,
    "eig": eig,
    "inv": solve,
    "lstsq": lstsq,
    "solve": solve,
    "svd": svd,
}
#: Each fills the outputs, and says whether host rules are to see the inputs instead.
LIBRARIES: dict[str, Call] = {
    **_OF_MATRICES,
    **{name + PAGES: by_pages(_OF_MATRICES[name]) for name in PAGED},
    **{name + PAGES + TOLD: by_pages(_OF_MATRICES[name], told=True) for name in PAGED},
    "accumulate": accumulate,
    "compact": compact,
    "conv": conv,
    "expand": expand,
    "fft": fft,
    "filter": filter_,
    "histogram": histogram,
    "matmul": product,
    "qr": qr,
    "scatter": scatter,
    "sort": sort,
}
