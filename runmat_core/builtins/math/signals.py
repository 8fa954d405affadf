"""Arrays of samples: trends, conjugate pairs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins import composed
from runmat_core.builtins.arguments import (
    as_float,
    dimension,
    first_axis,
    integer,
    numeric,
    option,
    real,
    scalar,
)
from runmat_core.builtins.arrays.windows import coordinates
from runmat_core.builtins.lift import value_of
from runmat_core.builtins.named import pairs, positional
from runmat_core.values import from_numpy, numel_of, to_numpy

Numbers = NDArray[Any]

# -- trends --------------------------------------------------------------------------------------


def _breakpoints(value: Any, points: Numbers) -> Numbers:
    """Where pieces of the trend meet, as coordinates inside the range of the points."""
    if value is None or not numel_of(value):
        return np.zeros(0)
    given = real(value, "detrend").ravel(order="F")
    if to_numpy(value).dtype == np.bool_:
        if given.size > points.size:
            raise MatlabError("MATLAB:detrend:BreakpointsSize", "There are too many breakpoints.")
        given = points[np.flatnonzero(given)]
    given = np.unique(given.astype(np.float64))
    if not np.isfinite(given).all():
        raise MatlabError("MATLAB:detrend:BreakpointsInvalid", "Breakpoints must be finite.")
    return given[(given > points[0]) & (given < points[-1])] if points.size else given


def _basis(points: Numbers, degree: int, breaks: Numbers, continuous: bool) -> Numbers:
    """Columns that span the trends: polynomials of a degree between breaks."""
    low, high = points[0], points[-1]
    span = (high - low) or 1.0
    t = (points - low) / span
    columns = [t**k for k in range(degree + 1)]
    for b in (breaks - low) / span:
        after = t >= b
        if continuous:
            columns += [np.where(after, (t - b) ** k, 0.0) for k in range(1, degree + 1)]
        else:
            columns += [np.where(after, (t - b) ** k, 0.0) for k in range(degree + 1)]
    return np.stack(columns, axis=1)


@builtin(
    "detrend",
    family="math/signals",
    nargin=(1, None),
    effects="pure",
    pending="keep",
    captures="operator",
)
@composed.composed("composed_windows.detrend")
def detrend(x: Any, *args: Any) -> Any:
    """Data without their polynomial trend, which is fitted to each column.

    D = detrend(A) takes off the line that fits best
    D = detrend(A, N) the polynomial of degree N; detrend(A, "constant") the mean
    D = detrend(A, N, BP) continuous pieces between the points BP
    D = detrend(…, "omitnan"), detrend(…, NAME, VALUE) with "Continuous" and "SamplePoints"

    Examples:
        >> detrend([1 2 4 5 8], 0)
        ans =
            -3    -2     0     1     4

    See also: polyfit, movmean, normalize.
    """
    a = as_float(numeric(x, "detrend"))
    plain, words = positional(args)
    degree = 1
    if words and option(words[0]) in {"linear", "constant"} and not plain:
        degree = 1 if option(words.pop(0)) == "linear" else 0
        plain, words = [None, *positional(words)[0]], positional(words)[1]
    elif plain:
        degree = integer(plain[0], "N")
    if not 0 <= degree <= 64 or len(plain) > 2:
        raise MatlabError("MATLAB:detrend:InvalidDegree", "N must be a nonnegative integer.")
    flags = ("omitnan", "includenan", "omitmissing", "includemissing")
    named, given = pairs(words, ("Continuous", "SamplePoints"), "detrend", flags)
    if not a.size:
        return from_numpy(a.copy(order="F"))
    vector = a.ndim == 2 and a.shape[0] == 1
    lines = a.reshape(-1, 1) if vector else a.reshape(a.shape[0], -1, order="F")
    count = lines.shape[0]
    points = np.arange(1.0, count + 1)
    if "SamplePoints" in named:
        points = coordinates(named["SamplePoints"], "detrend").ravel()
        if points.size != count or not (np.diff(points) > 0).all():
            raise MatlabError(
                "MATLAB:detrend:SamplePointsInvalid", "Sample points must increase, one for each."
            )
    continuous = "Continuous" not in named or bool(scalar(named["Continuous"], "Continuous"))
    breaks = _breakpoints(plain[1] if len(plain) > 1 else None, points)
    basis = _basis(points, degree, breaks, continuous)
    omit = bool(given) and given[-1].startswith("omit")
    result = np.stack([_without_trend(v, basis, omit) for v in lines.T], axis=1)
    return value_of(result.astype(a.dtype).reshape(a.shape, order="F"))


def _without_trend(y: Numbers, basis: Numbers, omit: bool) -> Numbers:
    kept = ~np.isnan(y)
    if not omit and not kept.all():
        return np.full_like(y, np.nan)
    if not np.isfinite(y[kept]).all() or not kept.any():
        return np.full_like(y, np.nan)
    if basis.shape[1] == 1:
        return np.asarray(y - y[kept].mean())
    return np.asarray(y - basis @ np.linalg.lstsq(basis[kept], y[kept], rcond=None)[0])


# -- conjugate pairs -----------------------------------------------------------------------------


def _paired(z: Numbers, tolerance: float) -> Numbers:
    """Pairs by increasing real part, the negative imaginary part first; real numbers last."""
    real_ones = np.abs(z.imag) <= tolerance * np.abs(z)
    reals = np.sort(z.real[real_ones])
    rest = z[~real_ones]
    unpaired = MatlabError(
        "MATLAB:cplxpair:ComplexValuesPaired", "Complex numbers can't be paired."
    )
    if rest.size % 2:
        raise unpaired
    below = rest[rest.imag < 0]
    above = rest[rest.imag > 0]
    if below.size != above.size:
        raise unpaired
    below = below[np.lexsort((np.abs(below.imag), below.real))]
    pairs_found: list[complex] = []
    left = list(above)
    for value in below:
        away = np.abs(np.conj(left) - value)
        best = int(away.argmin())
        if away[best] > 2 * tolerance * abs(value):
            raise unpaired
        left.pop(best)
        pairs_found += [value, value.conjugate()]
    return np.concatenate([np.array(pairs_found, complex), reals.astype(complex)])


@builtin("cplxpair", family="math/complex", effects="pure")
def cplxpair(x: Any, tol: Any = None, dim: Any = None) -> Any:
    """Complex numbers in conjugate pairs.

    B = cplxpair(A) sorts by real parts, the negative imaginary part of a pair first; real numbers
    come last
    B = cplxpair(A, TOL) with the relative tolerance TOL (100*eps), B = cplxpair(A, TOL, DIM)

    Examples:
        >> cplxpair([3 1+2i 1-2i])
        ans =
           1.0000 - 2.0000i   1.0000 + 2.0000i   3.0000 + 0.0000i

    See also: roots, conj, sort.
    """
    a = as_float(numeric(x, "cplxpair"))
    axis = first_axis(a.shape) if dim is None else dimension(dim)
    tolerance = 100 * float(np.finfo(a.dtype).eps)
    if tol is not None and numel_of(tol):
        tolerance = scalar(tol, "TOL")
    if axis >= a.ndim or not a.size:
        return value_of(a.copy(order="F"))
    if not np.isfinite(a).all():
        raise MatlabError("MATLAB:cplxpair:NonFinite", "Input must not contain NaN or Inf.")
    result = np.apply_along_axis(_paired, axis, a.astype(np.complex128), tolerance)
    return value_of(result.astype(np.complex64) if a.dtype.char in "fF" else result)
