"""Interpolation in tables of one variable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import as_float, nearest, numeric, option, real, scalar
from runmat_core.builtins.lift import value_of
from runmat_core.builtins.math.curves import SMOOTH
from runmat_core.builtins.math.gridded import non_finite
from runmat_core.builtins.math.splines import smooth_values
from runmat_core.builtins.math.stencils import effective, interpolate, node_beside
from runmat_core.values import assign_path, char, from_numpy, is_text, numel_of, size_of
from runmat_core.values.bins import intervals
from runmat_core.values.notices import warn

Table = NDArray[Any]

#: Points that are interpolated at a time, so that what is between stays in the cache.
_CHUNK = 1 << 15
_METHODS = frozenset(
    {"linear", "nearest", "next", "previous", "cubic", "v5cubic", "pchip", "spline", "makima"}
)


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


def interpolate_table(x: Table, v: Table, xq: Table, method: str) -> Table:
    """Values at `xq` of the table `v` (points along its first axis) over ascending `x`."""
    if method == "linear":
        return _linear(x, v, xq)
    if method in {"nearest", "next", "previous"}:
        return _step(x, v, xq, method)
    if method == "cubic":
        return _convolved(x, v, xq)
    return smooth_values(x, v, xq, method)


def _convolved(x: Table, v: Table, xq: Table) -> Table:
    """Cubic convolution, or splines where points are not equally spaced."""
    if effective("cubic", [x]) != "cubic":
        return smooth_values(x, v, xq, "spline")
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
    These three leave out the values of a column that are NaN, with a warning.

    Examples:
        >> interp1([1 2 3], [10 20 30], [1.5 4])
        ans =
            15   NaN

    See also: interp2, polyfit, spline, pchip.
    """
    plain, method, word, value = _read(args)
    if word == "pp":
        if len(plain) != 2:
            raise MatlabError("MATLAB:interp1:ppOutput", "Expected X, V, METHOD and 'pp'.")
        return curve_of(plain[0], plain[1], method)
    if len(plain) not in (2, 3):
        raise MatlabError("MATLAB:interp1:nargin", "Wrong number of input arguments.")
    if len(plain) == 2:
        v, xq = plain
        x = from_numpy(np.arange(1.0, _rows(v) + 1))
    else:
        x, v, xq = plain
    return _interp1(x, v, xq, method, word == "extrap", value)


def _read(args: Sequence[Any]) -> tuple[list[Any], str, str, Any]:
    """Tables and points, the method, "extrap", "pp" or "", and the value outside, if any."""
    at = next((k for k, arg in enumerate(args) if is_text(arg)), len(args))
    # an empty array stands for the method that is used without one
    least = 3 if at == len(args) else 2
    if at > least and not numel_of(args[at - 1]) and option(args[-1]) in (None, "extrap"):
        at -= 1
    elif at == len(args) > 3 and not numel_of(args[-2]):
        at -= 2
    rest = args[at:]
    method = (option(rest[0]) or "" if numel_of(rest[0]) else "linear") if rest else "linear"
    method = method.removeprefix("*")
    if method == "extrap":
        rest, method = (char("linear"), *rest), "linear"
    if method not in _METHODS:
        raise MatlabError(
            "MATLAB:interp1:InvalidMethod", f"Invalid method '{method}'.{nearest(method, _METHODS)}"
        )
    method = method.removeprefix("v5")
    if len(rest) < 2:
        return list(args[:at]), method, "", None
    if not is_text(rest[1]):
        return list(args[:at]), method, "", rest[1]
    word = option(rest[1]) or ""
    if word not in ("extrap", "pp"):
        raise MatlabError(
            "MATLAB:interp1:InvalidSpecPPExtrap",
            "What follows the method must be 'extrap', 'pp' or a number.",
        )
    return list(args[:at]), method, word, None


def _rows(v: Any) -> int:
    shape = size_of(v)
    return max(shape) if len(shape) == 2 and 1 in shape else shape[0]


def _interp1(x: Any, v: Any, xq: Any, method: str, extrapolates: bool, value: Any) -> Any:
    query = as_float(real(xq, "interp1"))
    if not query.size and numel_of(x) == 1:
        return from_numpy(np.zeros(query.shape))
    points, table, vector = sampled(x, v)
    flat = query.ravel(order="F")
    found = _along_columns(points, table, flat, method)
    if extrapolates or (value is None and method in SMOOTH):
        outside = np.isnan(flat)
    else:
        outside = ~((flat >= points[0]) & (flat <= points[-1]))
    if outside.any():
        nothing = np.nan if table.dtype.kind != "c" else complex(np.nan, np.nan)
        found = np.array(found)  # whatever memory it is in
        found[outside] = nothing if value is None else scalar(value)
        found[np.isnan(flat)] = nothing
    if vector:
        return value_of(found.reshape(query.shape, order="F"))
    if query.ndim == 2 and 1 in query.shape:
        return value_of(found)
    return value_of(found.reshape(*query.shape, *table.shape[1:], order="F"))


def _along_columns(x: Table, v: Table, xq: Table, method: str) -> Table:
    """`interpolate_table`, of the known values of each column where pieces would need all."""
    used = "spline" if method == "cubic" and effective("cubic", [x]) != "cubic" else method
    unknown = np.isnan(v) if used in SMOOTH else None
    if unknown is None or not unknown.any():
        return np.asarray(interpolate_table(x, v, xq, method))
    lines, gaps = (a.reshape(x.size, -1) for a in (v, unknown))
    found = np.empty((xq.size, lines.shape[1]), np.result_type(x, v, xq))
    for k in range(lines.shape[1]):
        known = ~gaps[:, k]
        _check_enough(x[known])
        found[:, k] = interpolate_table(x[known], lines[known, k], xq, used)
    warn(
        "MATLAB:interp1:NaNstrip",
        "Columns of data containing NaN values have been ignored during interpolation.",
    )
    return found.reshape(xq.size, *v.shape[1:])


def sampled(x: Any, v: Any) -> tuple[Table, Table, bool]:
    """Ascending points, values along the first axis, and whether those are a vector's."""
    points, table = as_float(real(x, "interp1")), numeric(v, "interp1")
    if table.dtype.kind not in "fc":
        raise MatlabError("MATLAB:interp1:NonFloatValues", "V must be of type double or single.")
    if points.ndim > 2 or (1 not in points.shape and points.size):
        raise MatlabError("MATLAB:interp1:Xvector", "X must be a vector.")
    points = points.ravel(order="F")
    vector = table.ndim == 2 and 1 in table.shape
    if vector:
        table = table.ravel()
    _check_enough(points)
    if table.shape[0] != points.size:
        raise MatlabError(
            "MATLAB:griddedInterpolant:CompVecValueMismatchErrId",
            f"Sample points vector corresponding to grid dimension 1 must contain "
            f"{table.shape[0]} elements.",
        )
    if not np.isfinite(points).all():
        raise non_finite()
    order = np.argsort(points, kind="stable")
    points, table = points[order], table[order]
    if (np.diff(points) == 0).any():
        raise MatlabError(
            "MATLAB:griddedInterpolant:NonUniqueCompVecsPtsErrId",
            "Sample points must be unique.",
        )
    return points, table, vector


def _check_enough(points: Table) -> None:
    if points.size < 2:
        raise MatlabError(
            "MATLAB:griddedInterpolant:DegenerateGridErrId",
            "Interpolation requires at least two sample points for each grid dimension.",
        )


def curve_of(x: Any, v: Any, method: str) -> Any:
    """Return a table of one variable as a piecewise polynomial."""
    from runmat_core.builtins.math.splines import table_pieces

    points, table, vector = sampled(x, v)
    dims = () if vector else table.shape[1:]
    values = table.reshape(points.size, -1, order="F")
    if method == "cubic" and effective("cubic", [points]) != "cubic":
        method = "spline"
    pieces = table_pieces(points, values, dims, method)
    # values lie along the first dimension here, where ppval has them along the last
    return assign_path(pieces, [(".", "orient")], char("first"))


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
