"""Interpolation in tables of one and two variables."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import as_float, nearest, numeric, option, real, scalar
from runmat_core.builtins.lift import expand, value_of
from runmat_core.builtins.math import cubics
from runmat_core.builtins.math.stencils import effective, interpolate, node_beside
from runmat_core.values import from_numpy, is_text, numel_of, size_of
from runmat_core.values.bins import intervals

Table = NDArray[Any]

#: Points that are interpolated at a time, so that what is between stays in the cache.
_CHUNK = 1 << 15
_METHODS = frozenset(
    {"linear", "nearest", "next", "previous", "cubic", "v5cubic", "pchip", "spline", "makima"}
)

_SURFACES = ("linear", "nearest", "cubic", "makima", "spline")


def _linear(x: Table, v: Table, xq: Table) -> Table:
    dtype = np.result_type(x, v, xq)
    result = np.empty((xq.size, *v.shape[1:]), dtype)
    with np.errstate(all="ignore"):
        widths, rises = np.diff(x), np.diff(v, axis=0)
        plain = bool(np.isfinite(rises).all())
        for at in range(0, xq.size, _CHUNK):
            part = slice(at, at + _CHUNK)
            result[part] = _linear_part(x, v, xq[part], widths, rises, plain)
    return result


def _linear_part(x: Table, v: Table, xq: Table, widths: Table, rises: Table, plain: bool) -> Table:
    """Values at a part of the points, from differences along the table; `plain` if all finite."""
    k = intervals(xq, x)  # beyond the ends the first and the last interval go on
    fraction = ((xq - x[k]) / widths[k]).reshape(-1, *[1] * (v.ndim - 1))
    low = v[k]
    result = low + fraction * rises[k]
    # at a node the value itself, whatever its neighbour is
    if not plain:
        result = np.where(fraction == 0, low, result)
    at_next = fraction == 1
    return np.where(at_next, v[k + 1], result) if at_next.any() else np.asarray(result)


def _step(x: Table, v: Table, xq: Table, method: str) -> Table:
    return np.asarray(v[node_beside(x, xq, method)])


def _smooth(x: Table, v: Table, xq: Table, method: str) -> Table:
    lines = v.reshape(v.shape[0], -1)
    if method == "spline":
        coefficients = cubics.spline(x, lines)
    elif method == "makima":
        coefficients = cubics.modified_akima(x, lines)
    else:
        coefficients = cubics.shape_preserving(x, lines)
    breaks = x if coefficients.shape[0] == x.size - 1 else x[[0, -1]]
    return cubics.values_at(breaks, coefficients, xq).reshape(xq.shape[0], *v.shape[1:])


def interpolate_table(x: Table, v: Table, xq: Table, method: str) -> Table:
    """Values at `xq` of the table `v` (points along its first axis) over ascending `x`."""
    if method == "linear":
        return _linear(x, v, xq)
    if method in {"nearest", "next", "previous"}:
        return _step(x, v, xq, method)
    if method == "cubic":
        return _convolved(x, v, xq)
    return _smooth(x, v, xq, method)


def _convolved(x: Table, v: Table, xq: Table) -> Table:
    """Cubic convolution, or splines where points are not equally spaced."""
    if effective("cubic", [x]) != "cubic":
        return _smooth(x, v, xq, "spline")
    lines = v.reshape(v.shape[0], -1)
    found = [interpolate([x], lines[:, k], [xq], "cubic") for k in range(lines.shape[1])]
    return np.stack(found, axis=-1).reshape(xq.size, *v.shape[1:])


@builtin("interp1", family="math/interpolation", nargin=(2, 5), effects="pure")
def interp1(*args: Any) -> Any:
    """Interpolation in a table of one variable.

    VQ = interp1(X, V, XQ), VQ = interp1(V, XQ) with X = 1:n
    VQ = interp1(…, METHOD) with "linear", "nearest", "next", "previous", "pchip", "makima",
    "spline" or "cubic": cubic convolution, and splines where points are not equally spaced
    VQ = interp1(…, METHOD, "extrap") or interp1(…, METHOD, VALUE) outside the table
    PP = interp1(X, V, METHOD, "pp") is the piecewise polynomial for ppval

    Outside the table the result is NaN, but for "pchip", "makima" and "spline", which extrapolate.

    Examples:
        >> interp1([1 2 3], [10 20 30], [1.5 4])
        ans =
            15   NaN

    See also: interp2, polyfit, spline, pchip.
    """
    plain = list(args)
    method, beyond = "linear", None
    for at, arg in enumerate(args):
        if is_text(arg):
            plain = list(args[:at])
            word = (option(arg) or "").lstrip("*")
            if word == "extrap":
                beyond = "extrap"
            else:
                method = word
                beyond = args[at + 1] if at + 1 < len(args) else None
            break
    if method not in _METHODS:
        raise MatlabError(
            "MATLAB:interp1:InvalidMethod", f"Invalid method '{method}'.{nearest(method, _METHODS)}"
        )
    method = method.removeprefix("v5")
    if len(plain) == 2 and beyond is not None and is_text(beyond) and option(beyond) == "pp":
        return curve_of(plain[0], plain[1], method)
    if len(plain) not in (2, 3):
        raise MatlabError("MATLAB:interp1:nargin", "Wrong number of input arguments.")
    if len(plain) == 2:
        v, xq = plain
        x = from_numpy(np.arange(1.0, _rows(v) + 1))
    else:
        x, v, xq = plain
    return _interp1(x, v, xq, method, beyond)


def _rows(v: Any) -> int:
    shape = size_of(v)
    return max(shape) if len(shape) == 2 and 1 in shape else shape[0]


def _interp1(x: Any, v: Any, xq: Any, method: str, beyond: Any) -> Any:
    query = as_float(real(xq, "interp1"))
    points, table, vector = sampled(x, v)
    flat = query.ravel(order="F")
    found = np.asarray(interpolate_table(points, table, flat, method))
    extrapolates = method in {"pchip", "spline", "makima"}
    if is_text(beyond) if beyond is not None else extrapolates:
        outside = np.isnan(flat)
    else:
        outside = ~((flat >= points[0]) & (flat <= points[-1]))
    if outside.any():
        filler = np.nan if beyond is None or is_text(beyond) else scalar(beyond)
        found = np.array(found)  # whatever memory it is in
        found[outside] = filler
        found[np.isnan(flat)] = np.nan
    if vector:
        return value_of(found.reshape(query.shape, order="F"))
    if query.ndim == 2 and 1 in query.shape:
        return value_of(found)
    return value_of(found.reshape(*query.shape, *table.shape[1:], order="F"))


def sampled(x: Any, v: Any) -> tuple[Table, Table, bool]:
    """Ascending points, values along the first axis, and whether those are a vector's."""
    points, table = as_float(real(x, "interp1")).ravel(order="F"), as_float(numeric(v, "interp1"))
    vector = table.ndim == 2 and 1 in table.shape
    if vector:
        table = table.ravel()
    if points.size < 2:
        raise MatlabError(
            "MATLAB:griddedInterpolant:DegenerateGridErrId",
            "Interpolation requires at least two sample points for each grid dimension.",
        )
    if table.shape[0] != points.size:
        raise MatlabError(
            "MATLAB:griddedInterpolant:NumCoordsMismatchErrId",
            "Sample points vector X and sample values V must be of the same length.",
        )
    order = np.argsort(points, kind="stable")
    points, table = points[order], table[order]
    if (np.diff(points) == 0).any():
        raise MatlabError(
            "MATLAB:griddedInterpolant:NonUniqueCompVecsPtsErrId",
            "Sample points must be unique.",
        )
    return points, table, vector


def curve_of(x: Any, v: Any, method: str) -> Any:
    """A table of one variable as a piecewise polynomial."""
    from runmat_core.builtins.math.splines import table_pieces

    points, table, vector = sampled(x, v)
    dims = () if vector else table.shape[1:]
    values = table.reshape(points.size, -1, order="F")
    if method == "cubic" and effective("cubic", [points]) != "cubic":
        method = "spline"
    return table_pieces(points, values, dims, method)


def _finer(shape: tuple[int, ...], times: Any) -> tuple[Any, Any]:
    """Coordinates of a grid of this size whose distances are halved so many times."""
    k = scalar(times, "K")
    if k % 1 or not 0 <= k <= 30:
        raise MatlabError("MATLAB:interp2:KIntScalar", "K must be a nonnegative integer.")
    rows, columns = (np.linspace(1, max(n, 1), max(n - 1, 0) * 2 ** int(k) + 1) for n in shape[:2])
    return from_numpy(columns.reshape(1, -1)), from_numpy(rows.reshape(-1, 1))


@builtin("interp2", family="math/interpolation", nargin=(1, 7), effects="pure")
def interp2(*args: Any) -> Any:
    """Interpolation in a table of two variables.

    VQ = interp2(X, Y, V, XQ, YQ), VQ = interp2(V, XQ, YQ) with X = 1:n and Y = 1:m
    VQ = interp2(V) halves the distances of V's grid once, VQ = interp2(V, K) K times
    VQ = interp2(…, METHOD) with "linear", "nearest", "cubic", "makima" or "spline"
    VQ = interp2(…, METHOD, VALUE) outside the table, where it is NaN otherwise, but for "makima"
    and "spline", which extrapolate

    Examples:
        >> interp2([1 2; 3 4], 1.5, 1.5)
        ans =
            2.5000

    See also: interp1, meshgrid.
    """
    texts = [k for k, arg in enumerate(args) if is_text(arg)]
    plain = args[: texts[0]] if texts else args
    method = (option(args[texts[0]]) or "").lstrip("*") if texts else "linear"
    beyond = args[texts[0] + 1] if texts and texts[0] + 1 < len(args) else None
    if len(plain) in (1, 2):
        plain = (plain[0], *_finer(size_of(plain[0]), plain[1] if len(plain) > 1 else 1.0))
    if len(plain) == 3:
        v, xq, yq = plain
        rows, columns = size_of(v)[:2]
        x, y = from_numpy(np.arange(1.0, columns + 1)), from_numpy(np.arange(1.0, rows + 1))
    elif len(plain) == 5:
        x, y, v, xq, yq = plain
    else:
        raise MatlabError("MATLAB:interp2:nargin", "Wrong number of input arguments.")
    if method not in _SURFACES:
        raise MatlabError(
            "MATLAB:interp2:InvalidMethod",
            f"Invalid method '{method}'.{nearest(method, _SURFACES)}",
        )
    table = as_float(numeric(v, "interp2"))
    if table.ndim > 2 or min(table.shape) < 2:
        raise MatlabError(
            "MATLAB:griddedInterpolant:DegenerateGridErrId",
            "Interpolation requires at least two sample points for each grid dimension.",
        )
    across, down = _grid(x, 0, table.shape[1]), _grid(y, 1, table.shape[0])
    qx, qy = as_float(real(xq, "interp2")), as_float(real(yq, "interp2"))
    if qx.shape != qy.shape and 1 in qx.shape and 1 in qy.shape and qx.size > 1 and qy.size > 1:
        # a row and a column span a grid
        qx, qy = np.meshgrid(qx.ravel(), qy.ravel())
    qx, qy = np.broadcast_arrays(*expand([qx, qy]))
    outside = ~((qx >= across[0]) & (qx <= across[-1]) & (qy >= down[0]) & (qy <= down[-1]))
    extrapolates = method in {"spline", "makima"} and beyond is None
    if not extrapolates:
        qx, qy = np.clip(qx, across[0], across[-1]), np.clip(qy, down[0], down[-1])
    found = _surface(across, down, table, qx, qy, method)
    if extrapolates:
        return value_of(found)
    filler = np.nan if beyond is None or numel_of(beyond) == 0 else scalar(beyond)
    return value_of(np.where(outside, filler, found))


def _grid(value: Any, axis: int, count: int) -> Table:
    """The coordinates along one axis, given as a vector or as the matrix that meshgrid makes."""
    a = as_float(numeric(value, "interp2"))
    points = a.ravel() if 1 in a.shape else (a[0] if axis == 0 else a[:, 0])
    if points.size != count:
        raise MatlabError(
            "MATLAB:interp2:WrongInputSize", "The sizes of the table and its coordinates differ."
        )
    return points


def _surface(x: Table, y: Table, v: Table, qx: Table, qy: Table, method: str) -> Table:
    if method in {"cubic", "spline", "makima"}:
        from runmat_core.builtins.math.stencils import interpolate

        found = interpolate([y, x], v, [qy.ravel(), qx.ravel()], method)
        return np.asarray(found.reshape(qx.shape))
    qx, qy = np.nan_to_num(qx), np.nan_to_num(qy)
    i, j = intervals(qy, y), intervals(qx, x)
    s, t = (qy - y[i]) / (y[i + 1] - y[i]), (qx - x[j]) / (x[j + 1] - x[j])
    if method == "nearest":
        return np.asarray(v[i + (s >= 0.5), j + (t >= 0.5)])
    low = v[i, j] * (1 - t) + v[i, j + 1] * t
    high = v[i + 1, j] * (1 - t) + v[i + 1, j + 1] * t
    return np.asarray(low * (1 - s) + high * s)


@builtin("interp1q", family="math/interpolation", nargin=(3, 3), effects="pure")
def interp1q(x: Any, v: Any, xq: Any) -> Any:
    """Linear interpolation in a column, without checks of the points. `interp1` does more.

    VQ = interp1q(X, V, XQ) interpolates the columns of V at the points XQ; X is a column that
    increases. Beyond its ends VQ is NaN.

    Examples:
        >> interp1q([1; 2; 4], [10; 20; 40], [1.5; 3; 5])
        ans =
            15
            30
           NaN

    See also: interp1, griddedInterpolant.
    """
    points = as_float(real(x, "interp1q")).ravel(order="F")
    table = as_float(numeric(v, "interp1q"))
    table = table.reshape(-1, 1) if table.shape[0] == 1 else table
    query = as_float(real(xq, "interp1q")).ravel(order="F")
    if not 2 <= points.size <= table.shape[0] or table.ndim > 2:
        raise MatlabError(
            "MATLAB:interp1q:XandYLengthMismatch",
            "X must be a column of at least two points, and V have a row for each.",
        )
    table = table[: points.size]
    inside = (query >= points[0]) & (query <= points[-1])
    return value_of(np.where(inside[:, None], _linear(points, table, query), np.nan))
