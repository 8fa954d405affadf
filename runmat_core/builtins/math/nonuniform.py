"""Fourier sums at any points: nufft and nufftn.

Few terms are summed as they stand. Many are spread to a regular grid with a smooth kernel, which a
fast transform takes to another one, where the same kernel reads them: L. Greengard and J.-Y. Lee,
SIAM Review 46 (2004), type 3, with the kernel of A. H. Barnett, J. Magland and L. af Klinteberg,
SIAM J. Sci. Comput. 41 (2019).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import (
    as_float,
    check_size,
    dimension,
    first_axis,
    numeric,
    real,
)
from runmat_core.builtins.lift import value_of
from runmat_core.builtins.math.transforms import along, transformed
from runmat_core.values import CellArray, numel_of

Numbers = NDArray[Any]

#: Points of a grid that a point is spread to, and the kernel's sharpness for twofold grids: errors
#: are then of the order of rounding.
_WIDTH = 16
_SHARPNESS = 2.30 * _WIDTH
_FINER = 2
#: Products that are computed at once, and up to which nothing is spread.
_BLOCK = 1 << 20


def fourier_sums(c: Numbers, t: Numbers, f: Numbers) -> Numbers:
    """Return sums over j of ``c[j] * exp(-2i*pi*t[j]*f[k])``.

    Args:
        c: n-by-m coefficients.
        t: n-by-d points, or n of them.
        f: p-by-d frequencies, or p of them.

    Returns:
        p-by-m complex numbers.
    """
    if t.ndim == 1 and 0 not in (t.size, f.size, c.shape[1]):
        points = _grid_points(t, f)
        work = points * (math.log2(points) + 5) + _WIDTH * 8 * (t.size + f.size)
        if t.size * f.size > max(_BLOCK, work):
            return np.stack([_spread(column, t, f) for column in c.T], axis=1)
    points_t, points_f = (v[:, None] if v.ndim == 1 else v for v in (t, f))
    found = np.empty((len(points_f), c.shape[1]), np.complex128)
    step = max(_BLOCK // max(len(points_t), 1), 1)
    for start in range(0, len(points_f), step):
        block = points_f[start : start + step]
        turns: Numbers = np.zeros((len(block), len(points_t)))
        for axis in range(points_t.shape[1]):
            product = block[:, axis, None] * points_t[None, :, axis]
            turns += product - np.rint(product)
        found[start : start + step] = np.exp(-2j * np.pi * turns) @ c
    return found


def _grid_points(t: Numbers, f: Numbers) -> float:
    """Of the coarser grid: as many as there are turns between the ends, and room for the kernel."""
    turns = float(np.ptp(t)) * float(np.ptp(f))
    return 2 * math.ceil(_FINER * turns / 2 + _WIDTH + 1) if turns < 2**40 else math.inf


def _kernel(x: Numbers) -> Numbers:
    """Bell of the semicircle between -1 and 1."""
    return np.asarray(np.exp(_SHARPNESS * (np.sqrt(np.maximum(1 - x * x, 0)) - 1)) * (abs(x) <= 1))


def _kernel_transform(angle: Numbers) -> Numbers:
    """Sum over a grid's steps of the kernel times ``exp(i*angle*step)``, as an integral."""
    nodes, weights = np.polynomial.legendre.leggauss(2 * _WIDTH + 8)
    nodes, weights = nodes[nodes > 0], weights[nodes > 0]
    heights = weights * _kernel(nodes) * _WIDTH
    found = np.zeros(angle.shape)
    for node, height in zip(nodes, heights, strict=True):
        found += height * np.cos(angle * (node * _WIDTH / 2))
    return found


def _neighbours(x: Numbers) -> tuple[Numbers, Numbers]:
    """Return the first grid point around each `x`, and the kernel's heights at all."""
    first = np.ceil(x - _WIDTH / 2).astype(np.int64)
    steps = np.arange(_WIDTH)
    return first, _kernel((first[:, None] + steps - x[:, None]) * (2 / _WIDTH))


def _spread(c: Numbers, t: Numbers, f: Numbers) -> Numbers:
    middle_t, middle_f = ((v.max() + v.min()) / 2 for v in (t, f))
    near_t, near_f = t - middle_t, f - middle_f
    count = int(_grid_points(t, f))
    # angles 2*pi*t*f are products of a place x on the grid and an angle of a frequency for a step
    reach_f = float(np.abs(near_f).max())
    scale = 2 * _FINER * reach_f if reach_f else 1.0
    x, angle = near_t * scale, 2 * np.pi * near_f / scale
    turned = c * np.exp(-2j * np.pi * _fraction(middle_f * near_t))
    first, heights = _neighbours(x + count // 2)
    at = (first[:, None] + np.arange(_WIDTH)).ravel() % count
    terms = (turned[:, None] * heights).ravel()
    grid = np.bincount(at, terms.real, count) + 1j * np.bincount(at, terms.imag, count)
    found = _at_angles(grid, angle) / _kernel_transform(angle)
    return np.asarray(found * np.exp(-2j * np.pi * _fraction(middle_t * f)))


def _at_angles(grid: Numbers, angle: Numbers) -> Numbers:
    """Return sums over l of ``grid[l] * exp(-1i*l*angle)``, with l from the middle of the grid."""
    count = grid.size
    size = _FINER * count
    steps = np.arange(count) - count // 2
    fine = np.zeros(size, np.complex128)
    fine[steps % size] = grid / _kernel_transform(2 * np.pi * steps / size)
    spectrum = np.fft.fft(fine)
    first, heights = _neighbours(angle * (size / (2 * np.pi)))
    at = (first[:, None] + np.arange(_WIDTH)) % size
    return np.asarray((spectrum[at] * heights).sum(axis=1))


def _fraction(x: Numbers) -> Numbers:
    return np.asarray(x - np.rint(x))


# -- builtins -------------------------------------------------------------------------------------


def _points(value: Any, count: int | None, what: str, name: str) -> Numbers:
    """Return a vector of points, as many as `count` where that is given."""
    a = as_float(real(value, name))
    if a.ndim > 2 or 1 not in a.shape or (count is not None and a.size != count):
        raise MatlabError(
            f"MATLAB:{name}:Invalid{what}Points",
            f"{what} points must be a vector"
            + ("." if count is None else f" of {count} elements, one for each of the samples."),
        )
    if not np.isfinite(a).all():
        raise MatlabError(f"MATLAB:{name}:NonFinitePoints", f"{what} points must be finite.")
    return a.ravel()


def _usual(count: int) -> tuple[Numbers, Numbers]:
    """Return the points of a Fourier transform."""
    steps = np.arange(float(count))
    return steps, steps / max(count, 1)


def _is_given(value: Any) -> bool:
    return value is not None and numel_of(value) > 0


def _along(a: Numbers, t: Numbers, f: Numbers, axis: int) -> Numbers:
    """Fourier sums along an axis."""
    moved = np.moveaxis(a, axis, 0)
    check_size((f.size, *moved.shape[1:]), 16)
    flat = moved.reshape(moved.shape[0], math.prod(moved.shape[1:])).astype(np.complex128)
    sums = fourier_sums(flat, t.astype(np.float64), f.astype(np.float64))
    return np.moveaxis(sums.reshape(f.size, *moved.shape[1:]), 0, axis)


def _result(found: Numbers, *operands: Numbers) -> Any:
    single = any(v.dtype.char in "fF" for v in operands)
    return value_of(found.astype(np.complex64) if single else found)


@builtin("nufft", family="math/fourier", nargin=(1, 4), effects="pure")
def nufft(x: Any, t: Any = None, f: Any = None, dim: Any = None) -> Any:
    """Discrete Fourier transform of samples at any times, at any frequencies.

    Y = nufft(X, T) has the samples X at the times T: Y(k) = sum(X .* exp(-2i*pi*T*F(k))) with
    F = (0:n-1)/n for n samples; Y = nufft(X) is fft(X)
    Y = nufft(X, T, F) at the frequencies F; T is 0:n-1 where it is []
    Y = nufft(X, T, F, DIM) along a dimension, by default the first whose extent is not one

    Examples:
        >> abs(nufft([1 1 1], [0 0.5 2], [0 1]))
        ans =
             3     1

    See also: fft, nufftn, ifft.
    """
    a = as_float(numeric(x, "nufft"))
    axis = first_axis(a.shape) if dim is None else dimension(dim)
    if not _is_given(t) and not _is_given(f):
        return transformed("nufft", x, along, () if dim is None else (value_of(np.zeros(0)), dim))
    a = a.reshape(a.shape + (1,) * (axis + 1 - a.ndim))
    times, frequencies = _usual(a.shape[axis])
    if _is_given(t):
        times = _points(t, a.shape[axis], "Sample", "nufft")
    if _is_given(f):
        frequencies = _points(f, None, "Query", "nufft")
    return _result(_along(a, times, frequencies, axis), a, times, frequencies)


@builtin("nufftn", family="math/fourier", nargin=(1, 3), effects="pure")
def nufftn(x: Any, t: Any = None, f: Any = None) -> Any:
    """Discrete Fourier transform along all dimensions, of samples at any points.

    Y = nufftn(X, T) with a cell T of the coordinates along each dimension, or a matrix with the
    coordinates of each element of X in a row; Y = nufftn(X) is fftn(X)
    Y = nufftn(X, T, F) at frequencies: a cell of those along each dimension, for a grid, or a
    matrix with a point in each row, for a column; F is (0:n-1)/n along each dimension, and T is
    0:n-1, where they are []

    Examples:
        >> round(nufftn([1 2; 3 4], {[0 1], [0 2]}))
        ans =
            10    10
            -4    -4

    See also: nufft, fftn, fft2.
    """
    a = as_float(numeric(x, "nufftn"))
    usual = [_usual(n) for n in a.shape]
    rank = a.ndim
    if isinstance(t, CellArray) or not _is_given(t):
        times = _vectors(t, a.shape, "Sample") if _is_given(t) else [u[0] for u in usual]
        if isinstance(f, CellArray) or not _is_given(f):
            given = _vectors(f, (None,) * rank, "Query") if _is_given(f) else [u[1] for u in usual]
            found = a
            for axis in range(rank):
                found = _along(found, times[axis], given[axis], axis)
            return _result(found, a, *times, *given)
        places = _mesh(times)
    else:
        places = _rows(t, rank, "Sample")
        if len(places) != a.size:
            raise MatlabError(
                "MATLAB:nufftn:InvalidSamplePoints", "There must be a point for each element of X."
            )
    shape: tuple[int, ...]
    if isinstance(f, CellArray) or not _is_given(f):
        given = _vectors(f, (None,) * rank, "Query") if _is_given(f) else [u[1] for u in usual]
        waves, shape = _mesh(given), tuple(g.size for g in given)
    else:
        waves = _rows(f, rank, "Query")
        shape = (len(waves), 1)
    flat = a.reshape(-1, 1, order="F").astype(np.complex128)
    sums = fourier_sums(flat, places.astype(np.float64), waves.astype(np.float64))
    return _result(sums.reshape(shape, order="F"), a, places, waves)


def _vectors(value: CellArray, counts: Sequence[int | None], what: str) -> list[Numbers]:
    parts = value.data.ravel(order="F").tolist()
    if len(parts) != len(counts):
        raise MatlabError(
            f"MATLAB:nufftn:Invalid{what}Points",
            f"{what} points must have a vector for each dimension.",
        )
    return [_points(p, n, what, "nufftn") for p, n in zip(parts, counts, strict=True)]


def _rows(value: Any, rank: int, what: str) -> Numbers:
    a = as_float(real(value, "nufftn"))
    if a.ndim != 2 or a.shape[1] != rank or not np.isfinite(a).all():
        raise MatlabError(
            f"MATLAB:nufftn:Invalid{what}Points",
            f"{what} points must be a matrix of finite numbers with {rank} columns.",
        )
    return a


def _mesh(vectors: Sequence[Numbers]) -> Numbers:
    """All points of a grid, the first coordinate fastest."""
    check_size(tuple(v.size for v in vectors), 8 * len(vectors))
    grids = np.meshgrid(*vectors, indexing="ij")
    return np.stack([g.ravel(order="F") for g in grids], axis=1)
