"""Piecewise polynomials: cubic splines, shape-preserving cubics, and their evaluation."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import as_float, numeric, real, whole
from runmat_core.builtins.lift import value_of
from runmat_core.builtins.math.curves import SMOOTH, cubic_pieces, from_slopes
from runmat_core.values import StructArray, char, field, from_numpy, struct, to_numpy
from runmat_core.values.bins import intervals
from runmat_core.values.notices import warn

Numbers = NDArray[Any]

#: Points that are evaluated at a time, so that what is between stays in the cache.
_CHUNK = 1 << 13


def pieces_of(breaks: Numbers, coefficients: Numbers, dims: tuple[int, ...] = ()) -> StructArray:
    """Return the structure of a piecewise polynomial.

    Args:
        breaks: the ends of the pieces.
        coefficients: a row for each piece, or ``(pieces, values, order)``.
        dims: the size of its values, none for scalars.
    """
    return struct(
        {
            "form": char("pp"),
            "breaks": from_numpy(breaks.reshape(1, -1)),
            "coefs": from_numpy(coefficients.reshape(-1, coefficients.shape[-1])),
            "pieces": float(breaks.size - 1),
            "order": float(coefficients.shape[-1]),
            "dim": from_numpy(np.array([dims or (1,)], np.float64)),
        }
    )


def samples(x: Any, y: Any, name: str) -> tuple[Numbers, Numbers, tuple[int, ...]]:
    """Sites in order, a row of values for each of them, and the size of one value.

    Values of a vector are scalars; those of any other array lie along its last dimension. Sites
    and values that are NaN are left out, with a warning.
    """
    points = as_float(real(x, name))
    given = as_float(numeric(y, name))
    if sum(extent > 1 for extent in points.shape) > 1:
        raise MatlabError("MATLAB:chckxy:XNotVector", "X must be a vector.")
    points = points.ravel(order="F")
    _check_enough(points[~np.isnan(points)])
    vector = given.ndim == 2 and 1 in given.shape
    dims = () if vector else given.shape[:-1]
    # there may be no curves
    curves = 1 if vector else math.prod(dims)
    values = given.reshape(curves, given.size if vector else given.shape[-1], order="F").T
    count = values.shape[0]
    slopes = values[:0]
    if name == "spline" and count == points.size + 2:
        slopes, values = values[[0, -1]], values[1:-1]
        for wrong, what in ((np.isnan, "NaN"), (np.isinf, "Inf")):
            if wrong(slopes).any():
                raise MatlabError(
                    f"MATLAB:chckxy:Endslope{what}", f"The end slopes cannot be {what}."
                )
    elif count != points.size:
        raise MatlabError(
            "MATLAB:chckxy:NumSitesMismatchValues",
            f"The number of sites, {points.size}, is incompatible with the number of values, "
            f"{count}.",
        )
    order = np.argsort(points, kind="stable")
    points, values = points[order], values[order]
    points, values = _known(points, values, np.isnan(points), "MATLAB:chckxy:nan", "as their site")
    if (points[1:] == points[:-1]).any():
        raise MatlabError("MATLAB:chckxy:RepeatedSites", "The data sites should be distinct.")
    unknown = np.isnan(values).any(axis=1)
    points, values = _known(points, values, unknown, "MATLAB:chckxy:IgnoreNaN", "in their value")
    if slopes.size:
        values = np.concatenate([slopes[:1], values, slopes[1:]])
    return points, values, dims


def _known(
    points: Numbers, values: Numbers, unknown: Numbers, identifier: str, where: str
) -> tuple[Numbers, Numbers]:
    """Sites and values without those that are unknown, of which a warning tells."""
    if not unknown.any():
        return points, values
    warn(identifier, f"All data points with NaN {where} will be ignored.")
    points = points[~unknown]
    _check_enough(points)
    return points, values[~unknown]


def _check_enough(points: Numbers) -> None:
    if points.size < 2:
        raise MatlabError("MATLAB:chckxy:NotEnoughPts", "There should be at least two data points.")


def evaluated(
    breaks: Numbers, coefficients: Numbers, dims: tuple[int, ...], at: Numbers
) -> Numbers:
    """Values of ``(pieces, values, order)`` coefficients, along the last dimension of a vector."""
    flat = at.ravel(order="F")
    found = np.empty((flat.size, coefficients.shape[1]), np.result_type(coefficients, at))
    with np.errstate(all="ignore"):
        for first in range(0, flat.size, _CHUNK):
            part = slice(first, first + _CHUNK)
            found[part] = _values_at(breaks, coefficients, flat[part])
    vector = at.ndim == 2 and 1 in at.shape
    shape = (*dims, flat.size) if dims and vector else (*dims, *at.shape)
    return _as_single(found.T.reshape(shape, order="F"), breaks, coefficients, at)


def _values_at(breaks: Numbers, coefficients: Numbers, at: Numbers) -> Numbers:
    piece = intervals(at, breaks)
    offset = (at - breaks[piece])[:, None]
    found = coefficients[piece, :, 0]
    for k in range(1, coefficients.shape[2]):
        found = found * offset + coefficients[piece, :, k]
    if coefficients.shape[2] == 1 and breaks.size > 2:
        found = np.where(np.isnan(at)[:, None], np.nan, found)
    return np.asarray(found)


def _as_single(found: Numbers, *operands: Numbers) -> Numbers:
    """Return what was computed, as MATLAB's single where an operand is one."""
    if not any(a.dtype in (np.float32, np.complex64) for a in operands):
        return found
    return found.astype(np.complex64 if np.iscomplexobj(found) else np.float32)


def table_pieces(x: Numbers, y: Numbers, dims: tuple[int, ...], method: str) -> StructArray:
    """Columns of values at `x` as a piecewise polynomial by a method of interp1."""
    if method in SMOOTH:
        return pieces_of(*cubic_pieces(x, y, method), dims)
    if method == "cubic":
        # what lies beyond the ends is that of parabolas
        ends = 3 * y[0] - 3 * y[1] + y[2], 3 * y[-1] - 3 * y[-2] + y[-3]
        longer = np.concatenate([ends[0][None], y, ends[1][None]])
        slopes = (longer[2:] - longer[:-2]) / (2 * (x[1] - x[0]))
        return pieces_of(x, from_slopes(x, y, slopes), dims)
    if method == "linear":
        slopes = np.diff(y, axis=0) / np.diff(x)[:, None]
        return pieces_of(x, np.stack([slopes, y[:-1]], axis=-1), dims)
    if method == "nearest":
        middle = (x[1:] + x[:-1]) / 2
        return pieces_of(np.concatenate([x[:1], middle, x[-1:]]), y[..., None], dims)
    return pieces_of(x, (y[1:] if method == "next" else y[:-1])[..., None], dims)


def interpolated(name: str, x: Any, y: Any, xq: Any) -> Any:
    """Return the call ``name(x, y, xq)`` of a method of `SMOOTH`."""
    points, values, dims = samples(x, y, name)
    breaks, coefficients = cubic_pieces(points, values, name)
    coefficients = _as_single(coefficients, points, values)
    if xq is None:
        return pieces_of(breaks, coefficients, dims)
    return value_of(evaluated(breaks, coefficients, dims, as_float(real(xq, name))))


@builtin("spline", family="math/interpolation", effects="pure")
def spline(x: Any, y: Any, xq: Any = None) -> Any:
    """Cubic spline through data.

    YQ = spline(X, Y, XQ)
    PP = spline(X, Y) gives the piecewise polynomial for ppval

    With two values more than sites, the first and the last are the slopes at the ends; the spline
    is not-a-knot otherwise. Columns of a matrix Y are values of a curve, and so are those of YQ.
    Points whose site or value is NaN are left out, with a warning.

    Examples:
        >> spline(0:4, (0:4).^3, 2.5)
        ans =
           15.6250

    See also: ppval, pchip, interp1.
    """
    return interpolated("spline", x, y, xq)


@builtin("pchip", family="math/interpolation", effects="pure")
def pchip(x: Any, y: Any, xq: Any = None) -> Any:
    """Piecewise cubic through data that keeps their shape.

    YQ = pchip(X, Y, XQ)
    PP = pchip(X, Y) gives the piecewise polynomial for ppval

    Columns of a matrix Y are values of a curve, and so are those of YQ. Points whose site or value
    is NaN are left out, with a warning.

    Examples:
        >> pchip([0 1 2], [0 1 1], 1.5)
        ans =
             1

    See also: spline, ppval, interp1.
    """
    return interpolated("pchip", x, y, xq)


@builtin("mkpp", family="math/interpolation", effects="pure")
def mkpp(breaks: Any, coefs: Any, dims: Any = 1.0) -> Any:
    """Piecewise polynomial from its breaks and coefficients.

    PP = mkpp(BREAKS, COEFS) with a row of COEFS for each piece, highest power first, in powers of
    the distance from the left break
    PP = mkpp(BREAKS, COEFS, D) with values of size D; the rows of a piece lie together

    Examples:
        >> ppval(mkpp([0 1 2], [1 0; 2 1]), [0.5 1.5])
        ans =
            0.5000    2.0000

    See also: ppval, unmkpp, spline.
    """
    points = as_float(real(breaks, "mkpp")).ravel(order="F")
    coefficients = as_float(numeric(coefs, "mkpp"))
    pieces = points.size - 1
    extents = whole(dims, "mkpp").ravel()
    count = pieces * int(np.prod(extents))
    if pieces < 1 or coefficients.size == 0 or count < 1 or coefficients.size % count:
        raise MatlabError(
            "MATLAB:mkpp:PPNumberMismatchCoeffs",
            "The number of coefficients does not fit the number of pieces.",
        )
    size = () if count == pieces else tuple(extents.tolist())
    return pieces_of(points, coefficients.reshape(count, -1, order="F"), size)


@builtin("unmkpp", family="math/interpolation", nargout=5, needs=("nargout",), effects="pure")
def unmkpp(pp: Any, *, nargout: int) -> Any:
    """Parts of a piecewise polynomial.

    [BREAKS, COEFS, PIECES, ORDER, DIM] = unmkpp(PP)

    Examples:
        >> [b, c] = unmkpp(mkpp([0 1], [2 1]))
        b =
             0     1
        c =
             2     1

    See also: mkpp, ppval.
    """
    parts = tuple(field(pp, name) for name in ("breaks", "coefs", "pieces", "order", "dim"))
    return parts[:nargout] if nargout > 1 else parts[0]


@builtin("ppval", family="math/interpolation", effects="pure")
def ppval(pp: Any, x: Any) -> Any:
    """Value of a piecewise polynomial.

    V = ppval(PP, X)

    Examples:
        >> ppval(spline(0:3, [0 1 8 27]), 1.5)
        ans =
            3.3750

    See also: spline, mkpp, polyval.
    """
    if not isinstance(pp, StructArray):
        pp, x = x, pp
    breaks = to_numpy(field(pp, "breaks")).ravel()
    coefficients = to_numpy(field(pp, "coefs"))
    extents = whole(field(pp, "dim"), "ppval").ravel()
    dims = () if extents.prod() == 1 else tuple(extents.tolist())
    coefficients = coefficients.reshape(breaks.size - 1, int(extents.prod()), -1)
    at = as_float(real(x, "ppval"))
    if "orient" not in pp.data or not dims:
        return value_of(evaluated(breaks, coefficients, dims, at))
    # what interp1 made has the sizes of its result
    found = evaluated(breaks, coefficients, dims, at.reshape(-1, 1, order="F"))
    vector = at.ndim == 2 and 1 in at.shape
    shape = (at.size,) if vector else at.shape
    return value_of(np.moveaxis(found, -1, 0).reshape(*shape, *dims, order="F"))


def smooth_values(x: Numbers, v: Numbers, xq: Numbers, method: str) -> Numbers:
    """Return values at `xq` of smooth curves through `v` (points along its first axis) over `x`."""
    lines = v.reshape(v.shape[0], -1)
    found = evaluated(*cubic_pieces(x, lines, method), (lines.shape[1],), xq.reshape(-1, 1))
    return found.T.reshape(xq.size, *v.shape[1:])
