"""Piecewise polynomials: cubic splines, shape-preserving cubics, and their evaluation."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import as_float, integer, numeric, real
from runmat_core.builtins.lift import value_of
from runmat_core.values import StructArray, char, field, from_numpy, struct, to_numpy

Numbers = NDArray[Any]


def _pieces(breaks: Numbers, coefficients: Numbers) -> StructArray:
    """The structure of a piecewise polynomial; a row of coefficients for each piece."""
    return struct(
        {
            "form": char("pp"),
            "breaks": from_numpy(breaks.reshape(1, -1)),
            "coefs": from_numpy(coefficients),
            "pieces": float(breaks.size - 1),
            "order": float(coefficients.shape[1]),
            "dim": 1.0,
        }
    )


def _samples(x: Any, y: Any, name: str) -> tuple[Numbers, Numbers]:
    points = as_float(real(x, name)).ravel(order="F")
    values = as_float(real(y, name)).ravel(order="F")
    if points.size < 2:
        raise MatlabError("MATLAB:chckxy:NotEnoughPts", "There should be at least two data points.")
    if not (np.isfinite(points).all() and np.isfinite(values).all()):
        raise MatlabError("MATLAB:chckxy:NonFinite", "The data must be finite.")
    order = np.argsort(points, kind="stable")
    points = points[order]
    if (np.diff(points) == 0).any():
        raise MatlabError("MATLAB:chckxy:RepeatedSites", "The data sites should be distinct.")
    if values.size not in (points.size, points.size + 2 * (name == "spline")):
        raise MatlabError(
            "MATLAB:chckxy:NumSitesMismatchValues",
            "The number of sites is incompatible with the number of values.",
        )
    return points, values if values.size > points.size else values[order]


def _cubic_spline(x: Numbers, y: Numbers) -> Numbers:
    """Coefficients of the spline through (x, y): not-a-knot, or with given slopes at the ends."""
    from scipy.interpolate import CubicSpline

    if y.size == x.size + 2:
        spline = CubicSpline(x, y[1:-1], bc_type=((1, y[0]), (1, y[-1])))
    elif x.size == 2:
        return np.array([[(y[1] - y[0]) / (x[1] - x[0]), y[0]]])
    elif x.size == 3:
        # a parabola; its two pieces are one
        p = np.polyfit(x - x[0], y, 2)
        return p.reshape(1, -1)
    else:
        spline = CubicSpline(x, y, bc_type="not-a-knot")
    return np.asarray(spline.c.T)


def _evaluate(breaks: Numbers, coefficients: Numbers, at: Numbers) -> Numbers:
    piece = np.clip(np.searchsorted(breaks, at, side="right") - 1, 0, coefficients.shape[0] - 1)
    offset = at - breaks[piece]
    result = np.zeros(at.shape, np.result_type(coefficients, at))
    for column in range(coefficients.shape[1]):
        result = result * offset + coefficients[piece, column]
    return result


def _interpolated(name: str, x: Any, y: Any, xq: Any, rule: Any) -> Any:
    points, values = _samples(x, y, name)
    coefficients = rule(points, values)
    breaks = points if coefficients.shape[0] == points.size - 1 else points[[0, -1]]
    if xq is None:
        return _pieces(breaks, coefficients)
    return value_of(_evaluate(breaks, coefficients, as_float(real(xq, name))))


@builtin("spline", family="math/interpolation", effects="pure")
def spline(x: Any, y: Any, xq: Any = None) -> Any:
    """Cubic spline through data.

    YQ = spline(X, Y, XQ)
    PP = spline(X, Y) gives the piecewise polynomial for ppval

    With two values more than sites, the first and the last are the slopes at the ends; the spline
    is not-a-knot otherwise.

    Examples:
        >> spline(0:4, (0:4).^3, 2.5)
        ans =
           15.6250

    See also: ppval, pchip, interp1.
    """
    return _interpolated("spline", x, y, xq, _cubic_spline)


@builtin("pchip", family="math/interpolation", effects="pure")
def pchip(x: Any, y: Any, xq: Any = None) -> Any:
    """Piecewise cubic through data that keeps their shape.

    YQ = pchip(X, Y, XQ)
    PP = pchip(X, Y) gives the piecewise polynomial for ppval

    Examples:
        >> pchip([0 1 2], [0 1 1], 1.5)
        ans =
             1

    See also: spline, ppval, interp1.
    """

    def rule(points: Numbers, values: Numbers) -> Numbers:
        from scipy.interpolate import PchipInterpolator

        return np.asarray(PchipInterpolator(points, values).c.T)

    return _interpolated("pchip", x, y, xq, rule)


@builtin("mkpp", family="math/interpolation", effects="pure")
def mkpp(breaks: Any, coefs: Any) -> Any:
    """Piecewise polynomial from its breaks and coefficients.

    PP = mkpp(BREAKS, COEFS) with a row of COEFS for each piece, highest power first, in powers of
    the distance from the left break

    Examples:
        >> ppval(mkpp([0 1 2], [1 0; 2 1]), [0.5 1.5])
        ans =
            0.5000    2.0000

    See also: ppval, unmkpp, spline.
    """
    points = as_float(real(breaks, "mkpp")).ravel(order="F")
    coefficients = as_float(numeric(coefs, "mkpp"))
    pieces = points.size - 1
    if pieces < 1 or coefficients.size == 0 or coefficients.size % pieces:
        raise MatlabError(
            "MATLAB:mkpp:PPNumberMismatchCoeffs",
            "The number of coefficients does not fit the number of pieces.",
        )
    return _pieces(points, coefficients.reshape(pieces, -1, order="F"))


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
    if integer(field(pp, "dim"), "DIM") != 1:
        raise MatlabError("MATLAB:ppval:dimension", "Only scalar-valued splines are supported.")
    return value_of(_evaluate(breaks, coefficients, as_float(real(x, "ppval"))))
