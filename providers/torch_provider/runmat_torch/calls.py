"""Library calls by torch.linalg, torch.fft and torch.sort: cuSOLVER, cuBLAS and cuFFT with CUDA."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import linalg

from runmat_core.api.ir import LibraryCall

Extents = tuple[int, ...]
Outputs = Sequence[Any]
#: Outputs, and which pages guard.
Result = tuple[Sequence[Any], Any]


def matmul(call: LibraryCall, extents: Extents, a: Any, *more: Any) -> Outputs:
    a = a.mT if call.attribute("trans_a") else a
    if call.attribute("syrk"):
        whole = torch.triu(a @ a.mT)
        return [whole + torch.triu(whole, 1).mT]
    return [a @ (more[0].mT if call.attribute("trans_b") else more[0])]


def sort(call: LibraryCall, extents: Extents, x: Any) -> Outputs:
    axis: Any = call.attribute("axis", 0)
    keys = x + 0 if x.dtype.is_floating_point else x  # zeros of either sign are equal
    descending = bool(call.attribute("descending"))
    order = torch.sort(keys, dim=axis, descending=descending, stable=True).indices
    return [torch.gather(x, axis, order), order + 1][: len(call.dtypes) - 1]


def qr(call: LibraryCall, extents: Extents, a: Any) -> Outputs:
    q, r = linalg.qr(a, mode="reduced" if call.attribute("q") else "r")
    return [q, r] if call.attribute("q") else [r]


# -- matrices, with a leading axis of pages -----------------------------------------------------


def infinite(*values: Any) -> Any:
    """Return the pages of which something is not finite."""
    return sum((~torch.isfinite(v)).flatten(1).any(1) for v in values) > 0


def near(a: Any, inverse: Any) -> Any:
    """Return the pages that may be near to singular, by the inverse or a bound below its norm."""
    norms = linalg.matrix_norm(a, 1) * inverse
    return ~(norms * (10 * torch.finfo(a.dtype).eps * a.shape[-1]) < 1)


def inverse_norm(lu: Any, pivots: Any) -> Any:
    """Estimate the 1-norm of inverses from their factors (Hager 1984), three steps of it."""
    n = lu.shape[-1]
    x = torch.full((*lu.shape[:-1], 1), 1 / n, dtype=lu.dtype, device=lu.device)
    found = torch.zeros(lu.shape[:-2], dtype=lu.dtype, device=lu.device)
    for _ in range(3):
        y = linalg.lu_solve(lu, pivots, x)
        found = torch.maximum(found, y.abs().sum((-2, -1)))
        signs = torch.where(y < 0, -1.0, 1.0).to(y.dtype)
        z = linalg.lu_solve(lu, pivots, signs, adjoint=True)
        x = torch.zeros_like(x).scatter_(-2, z.abs().argmax(-2, keepdim=True), 1.0)
    return found


def chol(call: LibraryCall, a: Any) -> Result:
    lower = bool(call.attribute("lower"))
    factor, info = linalg.cholesky_ex(a if lower else a.mT)
    return [factor if lower else factor.mT], (info != 0) | infinite(factor)


def solve(call: LibraryCall, a: Any, b: Any) -> Result:
    lu, pivots, info = linalg.lu_factor_ex(a)
    guards = (info != 0) | infinite(a) | near(a, inverse_norm(lu, pivots))
    return [linalg.lu_solve(lu, pivots, b)], guards | infinite(b)


def inv(call: LibraryCall, a: Any) -> Result:
    found, info = linalg.inv_ex(a)
    return [found], (info != 0) | infinite(a) | near(a, linalg.matrix_norm(found, 1))


def det(call: LibraryCall, a: Any) -> Result:
    found = linalg.det(a)
    return [found], ~torch.isfinite(found)


def lstsq(call: LibraryCall, a: Any, b: Any) -> Result:
    bad = infinite(a)
    q, r = linalg.qr(torch.where(bad[:, None, None], torch.zeros_like(a), a))
    s = linalg.svdvals(r)
    least = 100 * max(a.shape[-2:]) * torch.finfo(a.dtype).eps * s[:, 0]
    x = linalg.solve_triangular(r, q.mT @ b, upper=True)
    return [x], bad | ~(s[:, -1] > least) | infinite(b)


def svd(call: LibraryCall, a: Any) -> Result:
    bad = infinite(a)
    a = torch.where(bad[:, None, None], torch.zeros_like(a), a)
    if call.attribute("vectors"):
        u, s, vh = linalg.svd(a, full_matrices=False)
        return [u, torch.diag_embed(s), vh.mT], bad
    s = linalg.svdvals(a)
    return [s[:, :1] if call.attribute("largest") else s], bad


def eig(call: LibraryCall, a: Any) -> Result:
    bad = infinite(a) | (a != a.mT).flatten(1).any(1)
    a = torch.where(bad[:, None, None], torch.zeros_like(a), a)
    if call.attribute("vectors"):
        d, v = linalg.eigh(a)
        return [v, torch.diag_embed(d)], bad
    return [linalg.eigvalsh(a)], bad


# -- signals, and places that elements decide ---------------------------------------------------


def mirrored(a: Any, axes: Sequence[int]) -> Any:
    """Return each element at minus its coordinates along the axes."""
    return torch.roll(torch.flip(a, tuple(axes)), (1,) * len(axes), tuple(axes))


def fft(call: LibraryCall, extents: Extents, x: Any) -> Outputs:
    axes: Any = call.attribute("axes", (0,))
    made = extents[x.ndim :]
    if tuple(x.shape) != made:
        part = tuple(slice(0, min(m, n)) for m, n in zip(x.shape, made, strict=True))
        whole = torch.zeros(made, dtype=x.dtype, device=x.device)
        whole[part] = x[part]
        x = whole
    y = (torch.fft.ifftn if call.attribute("inverse") else torch.fft.fftn)(x, dim=axes)
    if not x.is_complex():
        y = (y + mirrored(y, axes).conj()) / 2
    if call.attribute("symmetric"):
        uneven = (x != mirrored(x, axes).conj()).any()
        y = torch.complex(y.real, torch.where(uneven, y.imag, torch.zeros_like(y.imag)))
    return [y if call.dtypes[1] in ("c64", "c128") else y.real]


def compact(call: LibraryCall, extents: Extents, mask: Any, *more: Any) -> Outputs:
    rows, _, skipped, kept = extents
    gives: Any = call.attribute("gives")
    at = torch.nonzero(mask).reshape(-1)[skipped : skipped + kept]
    found = (at + 1, at % rows + 1, at // rows + 1, (more or (mask,))[0][at])
    return [found[("places", "rows", "columns", "values").index(name)] for name in gives]


def scatter(call: LibraryCall, extents: Extents, x: Any, places: Any, values: Any) -> Outputs:
    size, count, _ = extents
    places = places.to(torch.int64)
    places = torch.where((places < 0) | (places >= size), size, places)
    order = torch.arange(count, device=x.device)
    last = torch.full((size + 1,), -1, device=x.device).scatter_reduce(0, places, order, "amax")
    last = last[:size]
    written = values[last.clamp(min=0) if values.shape[0] > 1 else torch.zeros_like(last)]
    return [torch.where(last >= 0, written, x)]


def expand(call: LibraryCall, extents: Extents, x: Any, mask: Any, values: Any) -> Outputs:
    return [x.clone().masked_scatter_(mask, values)]


#: ``syrk`` declares products of a matrix with itself.
CALLS: dict[str, Callable[..., Outputs]] = {
    **{rule.__name__: rule for rule in (sort, qr, fft, compact, scatter, expand)},
    "matmul": matmul,
    "syrk": matmul,
}
MATRICES: dict[str, Callable[..., Result]] = {
    rule.__name__: rule for rule in (chol, det, eig, inv, lstsq, solve, svd)
}
